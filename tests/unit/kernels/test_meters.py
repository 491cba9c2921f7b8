"""A meter followed by a kernel equals the meter of its commands, to the millionth of a cent."""

from __future__ import annotations

from typing import Any

import numpy as np

from crossfelt.errors import Problem
from crossfelt.kernels.meters import NO_LIMIT, Claims, follow
from crossfelt.progressive import commands as c
from crossfelt.progressive import events as m
from crossfelt.progressive import handler
from crossfelt.progressive.meter import Meter
from properties import given, st

RATE = 333_333
CLAIMS = st.tuples(
    st.sampled_from([0, 1, 10, 33, 100]), st.integers(1, 50_000_00), st.none() | st.integers(0, 20_000_00)
)
ROUNDS = st.lists(st.tuples(st.integers(0, 5_000), st.lists(CLAIMS, max_size=3)), min_size=1, max_size=30)


def _run(meter: Meter, command: c.MeterCommand) -> tuple[tuple[m.MeterEvent, ...], Meter]:
    answer = handler.handle(meter, command)
    assert not isinstance(answer, Problem), answer
    return answer


@given(
    rounds=ROUNDS,
    initial=st.integers(5_000_00, 10_000_00),
    reset=st.integers(0, 5_000_00),
    limited=st.none() | st.just(10_000_00),
)
def test_a_kernel_follows_a_meter_as_its_commands_do(
    rounds: list[tuple[int, list[tuple[int, int, int | None]]]], initial: int, reset: int, limited: int | None
) -> None:
    parameters = m.Parameters(reset_cents=reset, rate_per_million=RATE, limit_cents=limited)
    opens = c.OpenMeter(id="0", who="server", at=0, meter="m", title="M", initial_cents=initial, parameters=parameters)
    _, meter = _run(Meter(), opens)
    before, paid, seeded = [], [], 0
    for number, (stake, claims) in enumerate(rounds, start=1):
        before.append(meter.pool_micros)
        told: dict[str, Any] = {"id": str(number), "who": "table", "at": 0, "table": "t", "round": number}
        _, meter = _run(meter, c.Contribute(stake_cents=stake, micros=stake * RATE, **told))
        for percent, cents, at_most in claims:
            amount: dict[str, Any] = {"percent": percent} if percent else {"cents": cents}
            claim = c.Claim(claim=meter.awards + 1, winners=((1, 1),), at_most_cents=at_most, **amount, **told)
            (award,), meter = _run(meter, claim)
            assert isinstance(award, m.AwardGranted)
            paid.append(award.paid_cents)
            seeded += award.seeded_micros
    every = [(row, *claim) for row, (_, claims) in enumerate(rounds) for claim in claims]
    columns = [[claim[place] for claim in every] for place in range(4)]
    columns[2] = [0 if percent else cents for percent, cents in zip(columns[1], columns[2], strict=True)]
    columns[3] = [NO_LIMIT if most is None else most for most in columns[3]]
    added = np.array([stake * RATE for stake, _ in rounds], dtype=np.int64)
    arrays = [np.array(column, dtype=np.int64) for column in columns]
    limit = NO_LIMIT if limited is None else limited * 10**6
    found = follow(initial * 10**6, Claims(added, *arrays), reset=reset * 10**6, limit=limit)
    assert found.before.tolist() == before
    assert found.paid.tolist() == paid
    assert (found.seeded, found.pool) == (seeded, meter.pool_micros)
