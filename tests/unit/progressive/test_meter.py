"""A meter is what its events add up to, to the millionth of a cent, and moves only by what is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import permutations, product

import pytest
from msgspec.structs import replace

from crossfelt.errors import Problem
from crossfelt.progressive import commands as c
from crossfelt.progressive import events as e
from crossfelt.progressive.handler import decide, handle
from crossfelt.progressive.meter import MICROS, Meter, Unreconciled, evolve, posted
from oracles.meter import PlainMeter, spread
from properties import given, settings, st
from soak_length import scaled

RATE = 70_000


def opened(initial: int = 10_000_00, reset: int = 5_000_00, rate: int = RATE, limit: int | None = None) -> Meter:
    parameters = e.Parameters(reset_cents=reset, rate_per_million=rate, limit_cents=limit)
    return must(
        Meter(),
        c.OpenMeter(id="0", who="Ann", at=0, meter="m", title="M", initial_cents=initial, parameters=parameters),
    )


def must(meter: Meter, command: c.MeterCommand) -> Meter:
    answer = handle(meter, command)
    assert not isinstance(answer, Problem), answer
    return answer[1]


def refused(meter: Meter, command: c.MeterCommand) -> Problem:
    answer = decide(meter, command)
    assert isinstance(answer, Problem), answer
    return answer


def feed(meter: Meter, stake: int, *, table: str = "T1", number: int = 1) -> Meter:
    micros = stake * meter.parameters.rate_per_million
    return must(
        meter, c.Contribute(id="f", who=table, at=0, table=table, round=number, stake_cents=stake, micros=micros)
    )


def claim(percent: int = 100, *, table: str = "T1", number: int = 1, winners: dict[int, int] | None = None) -> c.Claim:
    return c.Claim(
        id="c",
        who=table,
        at=0,
        table=table,
        round=1,
        claim=number,
        percent=percent,
        winners=tuple((winners or {1: 1}).items()),
    )


def granted(meter: Meter, command: c.Claim) -> tuple[e.AwardGranted, Meter]:
    answer = handle(meter, command)
    assert not isinstance(answer, Problem), answer
    (event,), after = answer
    assert isinstance(event, e.AwardGranted)
    return event, after


# --- opening and contributions ----------------------------------------------------------------------------------------


def test_a_meter_is_opened_once_and_before_anything_else() -> None:
    assert refused(Meter(), claim()).code == "meter.open"
    again = c.OpenMeter(id="0", who="Ann", at=0, meter="m", title="M", initial_cents=1, parameters=opened().parameters)
    assert refused(opened(), again).code == "meter.open"


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"rate_per_million": MICROS + 1}, "rate_per_million"),
        ({"rate_per_million": -1}, "rate_per_million"),
        ({"reset_cents": -1}, "reset_cents"),
        ({"limit_cents": 9_999_99}, "limit_cents"),
        ({"limit_cents": 10**23}, "limit_cents"),
        ({"unreasonable_cents": 0}, "unreasonable_cents"),
        ({"unreasonable_cents": -5}, "unreasonable_cents"),
        ({"unreasonable_cents": 10**23}, "unreasonable_cents"),
    ],
)
def test_bad_parameters_are_refused_with_the_allowed_values(changes: dict[str, int], where: str) -> None:
    parameters = replace(opened().parameters, **changes)
    opening = c.OpenMeter(id="0", who="A", at=0, meter="m", title="M", initial_cents=10_000_00, parameters=parameters)
    problem = refused(Meter(), opening)
    assert problem.where == where
    assert problem.allowed


@pytest.mark.clause("PGP-27")
def test_a_meter_never_stands_below_its_reset_amount() -> None:
    """Not at its opening, not by a correction, not by a higher reset amount, which the house pays in (AMB-23)."""
    parameters = opened().parameters
    low = c.OpenMeter(id="0", who="A", at=0, meter="m", title="M", initial_cents=4_999_99, parameters=parameters)
    problem = refused(Meter(), low)
    assert (problem.where, problem.allowed) == ("initial_cents", "500,000 to 100,000,000,000")
    assert refused(opened(), correcting(-5_000_00 * MICROS - 1)).allowed.startswith(f"{-5_000_00 * MICROS:,} to ")
    raised = must(opened(), changing(opened(), reset_cents=12_000_00))
    assert (raised.amount_cents, raised.seeded_micros) == (12_000_00, 2_000_00 * MICROS)
    with pytest.raises(Unreconciled):
        evolve(opened(), e.MeterCorrected(by="B", at=0, proposed_by="A", reason="r", micros=-6_000_00 * MICROS))


def test_a_contribution_keeps_its_millionths() -> None:
    meter = feed(opened(rate=71_234), 1_00)
    assert meter.pool_micros == 10_000_00 * MICROS + 7_123_400
    assert meter.amount_cents == 10_000_07


def test_a_round_contributes_once_for_each_table() -> None:
    meter = feed(opened(), 5_00, number=3)
    again = c.Contribute(id="f", who="T1", at=0, table="T1", round=3, stake_cents=500, micros=500 * RATE)
    assert refused(meter, again).code == "meter.round"
    assert feed(meter, 5_00, table="T2", number=3).contributed_micros == 2 * 500 * RATE


def test_a_table_that_runs_another_rate_is_refused() -> None:
    wrong = c.Contribute(id="f", who="T1", at=0, table="T1", round=1, stake_cents=500, micros=500 * (RATE + 1))
    assert refused(opened(), wrong).allowed == "35,000,000"


def test_an_unreasonable_contribution_is_refused() -> None:
    meter = opened()
    meter = replace(meter, parameters=replace(meter.parameters, unreasonable_cents=1_00))
    large = c.Contribute(id="f", who="T1", at=0, table="T1", round=1, stake_cents=100_00, micros=100_00 * RATE)
    assert refused(meter, large).code == "meter.unreasonable"


def test_a_void_round_reverses_exactly_its_contribution() -> None:
    meter = feed(opened(rate=71_234), 1_00)
    back = c.ReverseContribution(id="r", who="T1", at=0, table="T1", round=1)
    after = must(meter, back)
    assert after.pool_micros == opened().pool_micros
    assert refused(after, back).code == "meter.reversal"


def test_the_house_covers_the_part_that_was_won_before_a_void() -> None:
    meter = feed(opened(initial=0, reset=0), 5_00)
    _, meter = granted(meter, claim(table="T2"))
    assert meter.pool_micros == 0
    after = must(meter, c.ReverseContribution(id="r", who="T1", at=0, table="T1", round=1))
    assert (after.pool_micros, after.seeded_micros) == (0, 500 * RATE)


def test_a_ledger_that_moves_whole_cents_loses_no_millionth() -> None:
    residue, moved = 0, 0
    amounts = [71_234 * stake for stake in range(1, 500)]
    for micros in amounts:
        cents, residue = posted(residue, micros)
        moved += cents
        assert 0 <= residue < MICROS
    assert moved * MICROS + residue == sum(amounts)


# --- awards -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("NJC-10", "MDC-44", "MDC-47", "PGP-24")
def test_the_whole_meter_is_paid_and_the_fraction_is_carried() -> None:
    meter = feed(opened(rate=71_234), 1_00)
    award, after = granted(meter, claim())
    assert award.shares == ((1, 10_000_07),)
    assert after.pool_micros == 5_000_00 * MICROS + 123_400
    assert (after.hits, after.wins, after.awards) == (1, 1, 1)


@pytest.mark.clause("PGP-16", "PGP-23")
def test_five_aces_take_a_tenth_and_no_reset_follows() -> None:
    award, after = granted(opened(initial=25_000_00), claim(10, winners={4: 5}))
    assert award.shares == ((4, 2_500_00),)
    assert after.pool_micros == 22_500_00 * MICROS
    assert (after.hits, after.wins, after.seeded_micros) == (0, 1, 0)


@pytest.mark.clause("PGP-24")
def test_a_later_five_aces_gets_a_tenth_of_the_reset_amount() -> None:
    _, meter = granted(opened(), claim(100))
    award, _ = granted(meter, claim(10, number=2))
    assert award.shares == ((1, 500_00),)


@pytest.mark.clause("PGP-25", "PGP-26")
@pytest.mark.parametrize("method", ["equally", "by_credits"])
def test_several_winners_share_and_the_first_from_the_right_gets_odd_cents(method: str) -> None:
    winners = {6: 1, 4: 3, 2: 3}
    command = replace(claim(winners=winners), method=method)
    award, _ = granted(opened(initial=10_000_01), command)
    expected = spread(Fraction(10_000_01, 100), list(winners.items()), method == "by_credits")
    assert {seat: Fraction(cents, 100) for seat, cents in award.shares} == expected
    assert award.paid_cents == 10_000_01
    assert award.odd_cents_to == 6
    whole = 7 if method == "by_credits" else 3
    assert award.odd_cents == dict(award.shares)[6] - 10_000_01 // whole


@pytest.mark.parametrize(
    ("initial", "from_pool"), [(5_010_00, 7_00), (5_007_00, 7_00), (5_004_00, 4_00), (5_000_00, 0)]
)
def test_odds_are_charged_to_the_pool_only_above_its_reset_amount(initial: int, from_pool: int) -> None:
    command = c.Claim(id="c", who="T1", at=0, table="T1", round=1, claim=1, cents=7_00, winners=((1, 1),))
    award, after = granted(opened(initial=initial), command)
    assert (award.shares, award.from_inventory) == (((1, from_pool),), 7_00 - from_pool)
    assert (award.seeded_micros, after.pool_micros) == (0, (initial - from_pool) * MICROS)


@pytest.mark.parametrize(("initial", "stands_at"), [(6_000_00, 5_400_00), (5_500_00, 5_000_00)])
def test_a_part_of_the_meter_leaves_the_reset_amount_on_it(initial: int, stands_at: int) -> None:
    award, after = granted(opened(initial=initial), claim(percent=10))
    assert award.paid_cents == initial // 10
    assert after.pool_micros == stands_at * MICROS


def test_a_reversed_contribution_leaves_the_reset_amount_on_the_meter() -> None:
    """Another table was paid in between."""
    meter = feed(opened(initial=5_000_00), 100_00)
    command = c.Claim(id="c", who="T2", at=0, table="T2", round=1, claim=1, cents=3_00, winners=((1, 1),))
    _, meter = granted(meter, command)
    assert meter.pool_micros == 5_004_00 * MICROS
    answer = handle(meter, c.ReverseContribution(id="r", who="T1", at=0, table="T1", round=1))
    assert not isinstance(answer, Problem)
    assert answer[1].pool_micros == 5_000_00 * MICROS


def test_above_the_limit_contributions_wait_for_the_next_jackpot() -> None:
    meter = feed(opened(initial=10_000_00, limit=10_000_00), 100_00)
    assert (meter.amount_cents, meter.overflow_micros) == (10_000_00, 7_00 * MICROS)
    award, after = granted(meter, claim())
    assert award.shares == ((1, 10_000_00),)
    assert after.amount_cents == 5_007_00


def test_the_part_of_an_award_cut_by_a_payout_limit_stays_on_the_meter() -> None:
    award, after = granted(opened(), replace(claim(), at_most_cents=4_000_00))
    assert award.cut
    assert after.pool_micros == (10_000_00 - 4_000_00 + 5_000_00) * MICROS


def test_a_claim_is_answered_once() -> None:
    _, meter = granted(opened(), claim(number=7))
    assert refused(meter, claim(number=7)).code == "meter.claim"
    assert refused(meter, claim(number=6)).code == "meter.claim"


@pytest.mark.parametrize(
    "wrong",
    [{"percent": 101}, {"percent": -1}, {"percent": 0}, {"cents": 5}, {"percent": 0, "cents": -5}, {"winners": ()},
     {"winners": ((1, 0),)}],
)  # fmt: skip
def test_an_invalid_award_is_refused(wrong: dict[str, int]) -> None:
    refused(opened(), replace(claim(), **wrong))


# --- two people -------------------------------------------------------------------------------------------------------


def changing(meter: Meter, approved_by: str = "Bob", reason: str = "filed 12 May", **changes: int) -> c.MeterCommand:
    parameters = replace(meter.parameters, **changes)
    return c.ChangeParameters(id="p", who="Ann", approved_by=approved_by, at=0, parameters=parameters, reason=reason)


def correcting(micros: int, approved_by: str = "Bob", reason: str = "counted twice") -> c.MeterCommand:
    return c.CorrectMeter(id="p", who="Ann", approved_by=approved_by, at=0, micros=micros, reason=reason)


@pytest.mark.parametrize("command", [changing(opened(), "Ann"), correcting(1, "Ann")])
def test_one_person_alone_neither_changes_nor_corrects_a_meter(command: c.MeterCommand) -> None:
    problem = refused(opened(), command)
    assert (problem.code, problem.allowed) == ("meter.two_people", "a person other than Ann")


@pytest.mark.parametrize("command", [changing(opened(), reason=" "), correcting(1, reason=" ")])
def test_a_change_takes_a_reason(command: c.MeterCommand) -> None:
    assert refused(opened(), command).code == "meter.reason"


def test_two_people_change_the_parameters() -> None:
    answer = handle(opened(), changing(opened(), rate_per_million=80_000))
    assert not isinstance(answer, Problem)
    (event,), after = answer
    assert isinstance(event, e.ParametersChanged)
    assert (event.proposed_by, event.by, event.before.rate_per_million) == ("Ann", "Bob", RATE)
    assert event.reason == "filed 12 May"
    assert after.parameters.rate_per_million == 80_000


def test_a_limit_may_not_fall_below_the_amount_shown() -> None:
    assert refused(feed(opened(), 200_00), changing(opened(), limit_cents=10_000_10)).where == "limit_cents"


def test_two_people_correct_the_amount() -> None:
    after = must(opened(), correcting(-5_00 * MICROS))
    assert (after.amount_cents, after.corrected_micros) == (9_995_00, -5_00 * MICROS)


@pytest.mark.parametrize("micros", [0, -10_000_00 * MICROS - 1])
def test_a_correction_cannot_take_more_than_there_is(micros: int) -> None:
    assert refused(opened(), correcting(micros)).code == "meter.correction"


# --- what always holds ------------------------------------------------------------------------------------------------


def test_a_forged_event_does_not_reconcile() -> None:
    award, _ = granted(opened(), claim())
    for forged in (replace(award, after_micros=award.after_micros + 1), replace(award, before_micros=1)):
        with pytest.raises(Unreconciled):
            evolve(opened(), forged)


def orders(winners: int) -> Iterator[tuple[tuple[str, int, int], ...]]:
    """Every way in which claims over tables can come in: any order of tables, a table's own claims in theirs.

    Each is (table, number of the claim at it, percent).
    """
    for tables in range(2, winners + 1):
        owners = [f"T{place % tables}" for place in range(winners)]
        percents = product((100, 10), repeat=winners) if winners < 5 else [(100, 10) * 3, (10, 100, 100) * 2]
        for pattern, order in product(percents, sorted(set(permutations(owners)))):
            seen: dict[str, int] = {}
            line = []
            for table, percent in zip(order, pattern, strict=False):
                seen[table] = seen.get(table, 0) + 1
                line.append((table, seen[table], percent))
            yield tuple(line)


@pytest.mark.exhaustive
@pytest.mark.clause("PGP-24", "MDC-47")
@pytest.mark.parametrize("winners", [2, 3, 4, 5, 6])
def test_winners_at_several_tables_are_paid_in_the_recorded_order(winners: int) -> None:
    checked = 0
    for order in orders(winners):
        meter = opened(initial=12_345_67, rate=71_234)
        plain = PlainMeter(Fraction(12_345_67, 100), Fraction(5_000), Fraction(71_234, 10**6))
        for place, (table, number, percent) in enumerate(order, start=1):
            meter = feed(meter, 1_00, table=table, number=place)
            plain.wager(Fraction(1))
            pool = meter.pool_micros
            award, meter = granted(meter, claim(percent, table=table, number=number))
            assert award.number == place
            assert award.paid_cents * MICROS + award.after_micros - award.seeded_micros == pool
            assert Fraction(award.paid_cents, 100) == plain.award(percent)
        assert Fraction(meter.pool_micros, 100 * MICROS) == plain.pool == plain.put_in - plain.paid_out
        checked += 1
    assert checked >= 2**winners


STEPS = st.one_of(
    st.tuples(st.just("feed"), st.sampled_from(["T1", "T2"]), st.integers(1, 500_00)),
    st.tuples(st.just("void"), st.sampled_from(["T1", "T2"]), st.just(0)),
    st.tuples(st.just("claim"), st.sampled_from(["T1", "T2"]), st.sampled_from([10, 100])),
    st.tuples(st.just("odds"), st.sampled_from(["T1", "T2"]), st.integers(1, 5_000_00)),
    st.tuples(st.just("correct"), st.just(""), st.integers(-(10**9), 10**9)),
)


def _carry_out(meter: Meter, number: int, step: tuple[str, str, int]) -> list[e.MeterEvent]:
    kind, table, amount = step
    rate = meter.parameters.rate_per_million
    rounds = {name: fed.round for name, fed in meter.fed.items()}
    command: c.MeterCommand
    match kind:
        case "feed":
            command = c.Contribute(
                id="x", who=table, at=0, table=table, round=number, stake_cents=amount, micros=amount * rate
            )
        case "void":
            command = c.ReverseContribution(id="x", who=table, at=0, table=table, round=rounds.get(table, 0))
        case "claim":
            command = claim(amount, table=table, number=number, winners={5: 2, 2: 1})
        case "odds":
            command = replace(claim(0, table=table, number=number), cents=amount)
        case _:
            command = correcting(amount)
    decided = decide(meter, command)
    return [] if isinstance(decided, Problem) else list(decided)


@pytest.mark.exhaustive
@settings(max_examples=200)
@given(st.lists(STEPS, max_size=40), st.integers(0, MICROS), st.sampled_from([None, 10_050_00]))
def test_any_run_of_events_reconciles_and_replays(
    steps: list[tuple[str, str, int]], rate: int, limit: int | None
) -> None:
    first = opened(rate=rate, limit=limit)
    parameters = first.parameters
    history: list[e.MeterEvent] = [
        e.MeterOpened(by="Ann", at=0, meter="m", title="M", initial_cents=10_000_00, parameters=parameters)
    ]
    meter = first
    for number, step in enumerate(steps, start=1):
        for event in _carry_out(meter, number, step):
            before, meter = meter, evolve(meter, event)
            history.append(event)
            fell = meter.pool_micros < before.pool_micros
            assert not fell or isinstance(event, e.AwardGranted | e.MeterCorrected | e.ContributionReversed)
    assert reduce(evolve, history, Meter()) == meter
    paid = sum(event.paid_cents for event in history if isinstance(event, e.AwardGranted))
    assert meter.paid_micros == paid * MICROS


def reconciled(contributions: int) -> None:
    """Contributions of many tables, added up again by multiplication alone."""
    meter = opened(rate=71_237)
    stakes: dict[int, int] = {}
    for number in range(1, contributions + 1):
        stake = 1_00 * (1 + number % 7)
        stakes[stake] = stakes.get(stake, 0) + 1
        table = f"T{number % 5}"
        (event,) = decide(
            meter,
            c.Contribute(id="x", who=table, at=0, table=table, round=number, stake_cents=stake, micros=stake * 71_237),
        )  # type: ignore[misc]
        meter = evolve(meter, event)
    counted = sum(stake * times * 71_237 for stake, times in stakes.items())
    assert meter.pool_micros == 10_000_00 * MICROS + counted


def test_twenty_thousand_contributions_reconcile() -> None:
    reconciled(20_000)


@pytest.mark.soak
def test_ten_million_contributions_reconcile() -> None:
    reconciled(scaled(10_000_000))
