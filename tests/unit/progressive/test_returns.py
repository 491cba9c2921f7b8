"""Wheels return what a second sum over the printed tables says, alone and with up to five others."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from crossfelt.cards import parse_cards
from crossfelt.games.made_hands import hand_counts
from crossfelt.hands.poker import rank_five
from crossfelt.progressive.returns import MeterAward, Part, WagerReturn, wheel_return
from crossfelt.progressive.wheels import (
    event_chance,
    event_occurs,
    live_meters,
    prize_of,
    spin_chance,
    top_of,
    wheel_for,
)
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.model import Wheel
from oracles import wheels as plain
from oracles.counts import five_card_counts as plain_counts
from oracles.printed_wheels import COMMUNITY, HOT_SPOT, MD, NJ, maryland

WEIGHTS = [3, 7, 31, 75, 100, 675, 211, 2200, 3400, 3000, 4744, 25550]
"""Not those that ship, so that a weight read from elsewhere shows."""


def spin_game(book: str, letter: str) -> Game:
    spin: dict[str, object] = {"paytable": letter, "weights": WEIGHTS, "fixed_prize_cents": 7_777_00}
    if book == "nj-criss-cross":
        spin["top_prize"] = "fixed" if letter == "4" else "progressive"
    return compile_game(book, {"wagers": {"bonus_spin": spin}})


def xtreme_game(letter: str, **settings: object) -> Game:
    stake = HOT_SPOT[letter][0]
    tables = {f"paytable_{other}": letter if other == stake else "none" for other in (1, 2, 5)}
    wagers = {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True, **tables}}
    return compile_game("md-criss-cross", {"wagers": wagers, "settings": settings})


def returned(game: Game, wheel: Wheel, others: int = 0) -> WagerReturn:
    found = wheel_return(game, wheel, others)
    assert found is not None
    return found


def of_four(game: Game) -> WagerReturn:
    return returned(game, wheel_for(game, "bonus_spin_xtreme", 1_00, "hot_spot"), 3)


@pytest.mark.clause("NJC-10", "MDC-22")
def test_a_pair_comes_once_in_seventeen() -> None:
    assert spin_chance(compile_game("nj-criss-cross"), "bonus_spin") == plain.pair_probability() == Fraction(1, 17)


SPINS = [
    *(pytest.param("nj-criss-cross", letter, marks=pytest.mark.clause(clause))
      for letter, clause in zip(NJ, ("NJC-53", "NJC-54", "NJC-55"), strict=True)),
    *(pytest.param("md-criss-cross", letter, marks=pytest.mark.clause(clause))
      for letter, clause in zip(MD, ("MDC-41", "MDC-42", "MDC-43", "MDC-44"), strict=True)),
]  # fmt: skip


@pytest.mark.clause("NJC-48", "MDC-45", "MDC-48")
@pytest.mark.parametrize(("book", "letter"), SPINS)
@pytest.mark.parametrize("others", range(6))
def test_a_spin_returns_what_the_printed_table_sums_to(book: str, letter: str, others: int) -> None:
    game = spin_game(book, letter)
    stake, slices = (NJ if book == "nj-criss-cross" else MD)[letter]
    wheel = wheel_for(game, "bonus_spin", stake * 100)
    found = returned(game, wheel, others)
    fixed = top_of(game, wheel) == "fixed"
    for meter in (1_000, 7_777, 123_456):
        top = 7_777 if fixed else meter
        assert found.at(meter * 100) == plain.bonus_spin(stake, slices, WEIGHTS, others, top)
    assert live_meters(game) == ({} if fixed else {"bonus_spin": ("bonus_spin",)})


@pytest.mark.clause("MDC-48")
@pytest.mark.parametrize(("letter", "designated"), [("A", "B"), ("B", "A")])
def test_a_spin_returns_the_community_pay_that_the_operator_designates(letter: str, designated: str) -> None:
    spin = {"paytable": letter, "weights": WEIGHTS, "community_paytable_1": designated, "fixed_prize_cents": 7_777_00}
    game = compile_game("md-criss-cross", {"wagers": {"bonus_spin": spin}})
    found = returned(game, wheel_for(game, "bonus_spin", 100), 5)
    assert found.at(7_777_00) == plain.bonus_spin(1, maryland(letter, designated), WEIGHTS, 5, 7_777)


@pytest.mark.clause("MDC-51")
def test_xtreme_returns_the_community_wheel_that_the_operator_designates() -> None:
    wagers = {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True, "community_paytable_5": "I"}}
    game = compile_game("md-criss-cross", {"wagers": wagers})
    hot_spot = ([0, *HOT_SPOT["G"][1]], [1, 200, 400, 600, 1000, 1500, 2000, 2299, 2000])
    community = (COMMUNITY["I"], [100, 200, 400, 800, 1500, 2000, 2500, 2500])
    wanted = plain.xtreme(5, event_chance(game, "bonus_spin_xtreme"), hot_spot, community, 3, 5_000)
    assert returned(game, wheel_for(game, "bonus_spin_xtreme", 500, "hot_spot"), 2).at(5_000_00) == wanted


@pytest.mark.clause("NJC-56")
@pytest.mark.parametrize("others", [0, 4])
def test_a_return_counts_what_a_payout_limit_leaves_of_a_prize(others: int) -> None:
    """The game is made without the check of its submission, which refuses such a prize."""
    stated = {"paytable": "4", "top_prize": "fixed", "weights": WEIGHTS, "fixed_prize_cents": 100_000_00}
    game = Game(load("nj-criss-cross"), {"wagers": {"bonus_spin": stated}})
    stake, slices = NJ["4"]
    found = returned(game, wheel_for(game, "bonus_spin", stake * 100), others)
    assert found.long_run == plain.bonus_spin(stake, slices, WEIGHTS, others, 50_000)


@pytest.mark.clause("NJC-56")
def test_a_limit_that_covers_the_jackpot_bounds_the_return() -> None:
    spin = {"paytable": "3", "weights": WEIGHTS}
    game = compile_game(
        "nj-criss-cross", {"wagers": {"bonus_spin": spin}, "settings": {"limit_covers_progressive": True}}
    )
    stake, slices = NJ["3"]
    found = returned(game, wheel_for(game, "bonus_spin", stake * 100))
    for meter in (50_000, 50_001, 1_000_000):
        assert found.at(meter * 100) == plain.bonus_spin(stake, slices, WEIGHTS, 0, 50_000)
    assert found.at(40_000_00) == plain.bonus_spin(stake, slices, WEIGHTS, 0, 40_000)


@pytest.mark.clause("MDC-49", "MDC-50", "MDC-51")
@pytest.mark.parametrize("letter", HOT_SPOT)
@pytest.mark.parametrize("others", range(6))
def test_xtreme_returns_what_the_printed_tables_sum_to(letter: str, others: int) -> None:
    game = xtreme_game(letter)
    stake, prizes = HOT_SPOT[letter]
    hot_spot = ([0, *prizes], [1, 200, 400, 600, 1000, 1500, 2000, 2299, 2000])
    community = (COMMUNITY[letter], [100, 200, 400, 800, 1500, 2000, 2500, 2500])
    counts = plain_counts()
    event = Fraction(
        sum(counts.values()) - sum(counts[name] for name in ("high_card", "pair", "two_pair")), comb(52, 5)
    )
    assert event == event_chance(game, "bonus_spin_xtreme")
    found = returned(game, wheel_for(game, "bonus_spin_xtreme", stake * 100, "hot_spot"), others)
    for meter in (5_000, 123_456):
        assert found.at(meter * 100) == plain.xtreme(stake, event, hot_spot, community, others + 1, meter)


@pytest.mark.clause("MDC-50")
def test_settings_of_xtreme_change_its_return() -> None:
    usual = of_four(xtreme_game("A")).at(5_000_00)
    alone = of_four(xtreme_game("A", hot_spot_also_community=False)).at(5_000_00)
    anywhere = of_four(xtreme_game("A", xtreme_hot_spot_among="all_seats")).at(5_000_00)
    stakes_back = of_four(xtreme_game("A", spin_stake_returned=True)).at(5_000_00)
    assert alone < usual
    assert anywhere < usual
    # Of four bettors the one on the hot spot wins the wager itself; community pay is no win of it.
    assert stakes_back == usual + event_chance(xtreme_game("A"), "bonus_spin_xtreme") / 4


def test_counts_of_five_cards_are_those_of_a_second_count() -> None:
    assert hand_counts(rank_five, 5) == plain_counts()


@pytest.mark.clause("MDC-23")
@pytest.mark.parametrize(
    ("least", "cards", "occurs"),
    [
        ("three_of_a_kind", "Ks Kd Kc 2h 3h", True),
        ("three_of_a_kind", "Ks Kd 3c 2h 3h", False),
        ("three_of_a_kind", "As 2d 3c 4h 5h", True),
        ("two_pair", "Ks Kd 3c 2h 3h", True),
        ("pair", "Ks Kd 3c 2h 4h", True),
        ("flush", "As 2d 3c 4h 5h", False),
        ("full_house", "As 2s 3s 4s 5s", True),
    ],
)
def test_the_event_is_a_hand_of_the_community_cards(least: str, cards: str, occurs: bool) -> None:
    xtreme = {"offered": True, "qualifying_hand": least}
    game = compile_game("md-criss-cross", {"wagers": {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": xtreme}})
    assert event_occurs(game, "bonus_spin_xtreme", parse_cards(cards)) == occurs


def test_the_top_slice_is_the_fixed_prize_where_that_was_chosen() -> None:
    game = spin_game("nj-criss-cross", "4")
    assert prize_of(game, game.wheels[0], 0).cents == 7_777_00


# --- the meter and the long run ---------------------------------------------------------------------------------------


def wager(*awards: MeterAward, fixed: Fraction = Fraction(1, 2), drawn: Fraction = Fraction(0)) -> WagerReturn:
    return WagerReturn(
        stake_cents=1_00,
        own=Part(mean=fixed, square=fixed),
        awards=awards,
        drawn_cents=drawn,
        rate_per_million=200_000,
        reset_cents=1_000_00,
    )


def test_at_the_break_even_meter_the_return_is_the_stake() -> None:
    found = wager(MeterAward(100, Fraction(1, 10_000)), MeterAward(10, Fraction(1, 1_000)))
    assert found.break_even_cents is not None
    assert found.at(found.break_even_cents) == 1
    assert wager().break_even_cents is None
    assert wager(MeterAward(100, Fraction(1, 10)), fixed=Fraction(2)).break_even_cents is None


def test_in_the_long_run_payments_equal_deposits() -> None:
    """The mean meter is the fixed point of one wager after another, found here by iteration."""
    found = wager(MeterAward(100, Fraction(1, 50)), drawn=Fraction(5))
    mean = 0.0
    for _ in range(5_000):
        mean = 20 + (mean - mean / 50 - 5 + 1_000_00 / 50)
    assert found.average_meter_cents is not None
    assert float(found.average_meter_cents) == pytest.approx(mean)
    assert found.cycle == 50
    paid = (found.long_run - found.fixed) * found.stake_cents
    assert paid == found.contribution_cents - found.drawn_cents + Fraction(found.reset_cents, 50)


def test_the_average_meter_with_odds_is_a_lower_bound() -> None:
    """Against the meter itself: a cent goes in, one full award in ten, odds of three cents in five."""
    found = WagerReturn(
        stake_cents=1,
        own=Part.of(1, []),
        awards=(MeterAward(100, Fraction(1, 10)),),
        drawn_cents=Fraction(3, 5),
        rate_per_million=1_000_000,
        reset_cents=2,
    )
    pools = {2: 1.0}
    for _ in range(1_000):
        after: dict[int, float] = {}
        for before, chance in pools.items():
            pool = before + 1
            for left, part in ((2, 0.1), (pool - min(3, pool - 2), 0.2), (pool, 0.7)):
                after[left] = after.get(left, 0) + chance * part
        pools = after
    mean = sum((pool + 1) * chance for pool, chance in pools.items())
    assert found.is_bound
    assert found.average_meter_cents == 6
    assert 6 < mean < 12


def test_a_wager_without_a_meter_has_no_cycle() -> None:
    assert wager().cycle is None
    assert wager().average_meter_cents is None
    assert wager().long_run == Fraction(1, 2)


@pytest.mark.exhaustive
@pytest.mark.parametrize("limit", [7, 8, 12, 30])
def test_a_limited_meter_pays_its_deposits_or_stays_at_its_limit(limit: int) -> None:
    """Against the meter itself, wager by wager: a cent goes in, one claim in four, two cents to begin again with."""
    found = WagerReturn(
        stake_cents=1,
        own=Part.of(1, []),
        awards=(MeterAward(100, Fraction(1, 4)),),
        rate_per_million=1_000_000,
        reset_cents=2,
        limit_cents=limit,
    )
    assert found.average_meter_cents == min(6, limit)
    # How likely each pool is just before a claim can come, after very many wagers.
    pools = {2: 1.0}
    for _ in range(3_000):
        after: dict[int, float] = {}
        for pool, chance in pools.items():
            pool += 1
            after[pool] = after.get(pool, 0) + chance * 3 / 4
            left = pool - min(pool, limit) + 2
            after[left] = after.get(left, 0) + chance / 4
        pools = {pool: chance for pool, chance in after.items() if chance > 1e-15}
    shown = sum(chance * min(pool + 1, limit) for pool, chance in pools.items())
    assert shown == pytest.approx(float(found.average_meter_cents), rel=1e-6)


def test_a_limited_meter_shows_no_more_and_may_never_break_even() -> None:
    stated = {"meters": {"bonus_spin": {"limit_cents": 300_000_00}}}
    free, limited = (
        returned(game, game.wheels[0])
        for game in (compile_game("nj-criss-cross"), compile_game("nj-criss-cross", stated))
    )
    assert limited.at(300_000_00) == limited.at(900_000_00) == free.at(300_000_00) < free.at(900_000_00)
    assert (free.break_even_cents is not None, limited.break_even_cents) == (True, None)
    assert limited.long_run == free.long_run
