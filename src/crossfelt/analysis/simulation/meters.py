"""Meters in a simulation: claims of a block of rounds, payments of the meter, and tallies.

A meter is followed through a history in the order of the rounds. Blocks are drawn in parallel; the claims of a block
are paid after those of the blocks before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.tally import MeterTally, counted, sum_of_products
from crossfelt.kernels.meters import FULL, NO_LIMIT, Claims, Integers, follow
from crossfelt.progressive.meter import MICROS
from crossfelt.rulebooks.game import Game


class MeterStanding(msgspec.Struct, frozen=True, kw_only=True):
    """A meter between two rounds."""

    pool_micros: int
    since: int = 0
    """Rounds since the opening or the last jackpot."""


class MeterAnswer(NamedTuple):
    """The payments of a meter for the claims of a block."""

    before: Integers
    """Pool before each round, in millionths of a cent."""
    paid: Integers
    """Payment of each claim, in whole cents."""
    tally: MeterTally
    standing: MeterStanding


def opened(game: Game, meter: str) -> MeterStanding:
    """Return a meter as it is opened, at its initial amount and not below its reset amount."""
    cents = max(game.whole(f"meters.{meter}.{name}_cents") for name in ("initial", "reset"))
    return MeterStanding(pool_micros=cents * MICROS)


def contributions(game: Game, meter: str, fed: Mapping[str, int], void: NDArray[np.bool_]) -> Integers:
    """Return the contribution of each round to a meter, in millionths of a cent; `fed` has the cents that feed it."""
    micros = fed[meter] * game.whole(f"meters.{meter}.rate_per_million")
    taken_back = void & (game.settings.get("void_contributions") == "reversed")
    return np.where(taken_back, 0, micros).astype(np.int64)


def answer(game: Game, meter: str, standing: MeterStanding, claims: Claims) -> MeterAnswer:
    """Follow a meter through the rounds of a block."""
    reset, most = game.whole(f"meters.{meter}.reset_cents") * MICROS, game.choices.get(f"meters.{meter}.limit_cents")
    limit = most * MICROS if isinstance(most, int) else NO_LIMIT
    found = follow(standing.pool_micros, claims, reset=reset, limit=limit)
    shown = np.minimum(found.before + claims.contributed, limit) // MICROS
    full = claims.percents == FULL
    won_in = claims.rounds[full]
    waits = np.diff(won_in, prepend=-1 - standing.since)
    contributed, paid = int(claims.contributed.sum()), int(found.paid.sum())
    # Contributions equal payments plus the remaining pool.
    assert standing.pool_micros + contributed + found.seeded == found.pool + paid * MICROS
    tally = MeterTally(
        rounds=len(shown),
        contributed_micros=contributed,
        seeded_micros=found.seeded,
        paid_cents=paid,
        awards=counted(claims.percents),
        jackpots=counted(found.paid[full]),
        waits=counted(waits),
        shown_cents=int(shown.sum()),
        shown_squared=sum_of_products(shown, shown),
        lowest_cents=int(shown.min()),
        highest_cents=int(shown.max()),
    )
    since = len(shown) - 1 - int(won_in[-1]) if len(won_in) else standing.since + len(shown)
    return MeterAnswer(found.before, found.paid, tally, MeterStanding(pool_micros=found.pool, since=since))


def answers(
    game: Game, standing: Mapping[str, MeterStanding], claims: Mapping[str, Claims]
) -> tuple[dict[str, MeterAnswer], dict[str, MeterStanding]]:
    """Return the payments of all meters, and their state afterwards."""
    said = {meter: answer(game, meter, standing[meter], of_meter) for meter, of_meter in claims.items()}
    return said, {meter: one.standing for meter, one in said.items()}
