"""Wheels and meters over time: the table and a plain meter agree to the cent; workers and shares change nothing."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import pytest

from crossfelt.analysis.simulation import plan as planned
from crossfelt.analysis.simulation.api import tally_rounds
from crossfelt.analysis.simulation.plan import SeatPlan, Share, SimulationPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.simulation.referee import disagreements
from crossfelt.analysis.simulation.rounds import block_of, play_blocks
from crossfelt.analysis.simulation.tally import SimulationTally
from crossfelt.errors import BadInput
from crossfelt.progressive.wheels import stakes
from crossfelt.rulebooks.game import Game, compile_game
from oracles.meter import PlainMeter

OFTEN = [400, 5, 50, 1075, 100, 1675, 200, 1200, 1400, 300, 474, 255]
"""Weights of a wheel with frequent jackpots and community slices."""
HOT_SPOTS = 9
XTREME = {
    "bonus_spin": {"offered": False},
    "bonus_spin_xtreme": {
        "offered": True,
        "qualifying_hand": "pair",
        "hot_spot_weights": OFTEN[:HOT_SPOTS],
        "community_paytable_1": "B",
    },
}
ODD_RATE = 33_333
"""Leave parts of a cent in every round."""


def nj(letter: str, top: str = "progressive", **more: Any) -> tuple[str, dict[str, Any]]:
    spin = {"paytable": letter, "top_prize": top, "weights": OFTEN}
    meters = {"bonus_spin": {"rate_per_million": ODD_RATE}} if top == "progressive" else {}
    return "nj-criss-cross", {"wagers": {"bonus_spin": spin}, "meters": meters, **more}


def md(
    letter: str, other: str = "none", community_paytable_1: str = "as_paytable", **more: Any
) -> tuple[str, dict[str, Any]]:
    spin = {"paytable": letter, "paytable_other": other, "community_paytable_1": community_paytable_1}
    return "md-criss-cross", {"wagers": {"bonus_spin": spin}, **more}


def xtreme(**settings: Any) -> tuple[str, dict[str, Any]]:
    return "md-criss-cross", {"wagers": XTREME, "settings": settings, "meters": {"xtreme": {"rate_per_million": 9_999}}}


GAMES = {
    "table 3": nj("3"),
    "table 3, fixed": nj("3", "fixed"),
    "table 4": nj("4", "fixed"),
    "table 5": nj("5"),
    "a fold gives the spin up": nj("3", settings={"spin_after_fold": "forfeited"}),
    "stakes come back": nj("5", settings={"spin_stake_returned": True}),
    "jackpots are inside the limit": nj("3", settings={"limit_covers_progressive": True}),
    "A": md("A"),
    "B": md("B"),
    "B with the community pay of A": md("B", community_paytable_1="A"),
    "C": md("C"),
    "D": md("D"),
    "D beside A": md("D", "A"),
    "Xtreme": xtreme(),
    "Xtreme, any seat": xtreme(xtreme_hot_spot_among="all_seats", hot_spot_also_community=False),
    "Xtreme, a fold gives the spin up": xtreme(spin_after_fold="forfeited"),
}
SPINS = ("bonus_spin", "bonus_spin_xtreme")


def spinning(game: Game, *, ante: int = 1000, strategy: str = "optimal", seats: int = 4) -> list[SeatPlan]:
    """Return seats with a spin wager at all stakes of wheels, and one without."""
    wager = next(wager.id for wager in game.wagers if wager.id in SPINS)
    fixed = stakes(game, wager)
    bettors = [
        SeatPlan(wagers={"ante": ante, wager: fixed[place % len(fixed)]}, strategy=strategy) for place in range(seats)
    ]
    return [bettors[0], SeatPlan(wagers={"ante": ante}, strategy=strategy), *bettors[1:]]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("rounds", [12, pytest.param(60, marks=pytest.mark.soak)])
def test_the_table_agrees_on_wheels_to_the_cent(name: str, rounds: int) -> None:
    game = compile_game(*GAMES[name])
    plan = plan_for(game, spinning(game), seed=name)
    assert disagreements(game, plan, 2, range(rounds)) == []


@pytest.mark.parametrize("name", ["table 3", "table 5", "jackpots are inside the limit", "Xtreme"])
def test_the_table_agrees_on_jackpots_to_the_cent(name: str) -> None:
    game = compile_game(*GAMES[name])
    plan = plan_for(game, spinning(game), seed=name)
    block = block_of(game, plan, 0, plan.block_rounds)
    won = sorted({int(row) for seat in block.wagers for wagered in seat.values() for row in wagered.meter_rounds})
    assert len(won) > 20, "too few jackpots: the test shows little"
    assert disagreements(game, plan, 0, won[:12] + won[-12:]) == []


def test_a_limit_cuts_prizes_and_jackpots_as_the_table_does() -> None:
    """Set a limit that a good hand and a prize exceed together, sometimes with another seat's community slice."""
    for covers in (False, True):
        game = compile_game(*nj("3", settings={"limit_covers_progressive": covers}))
        plan = plan_for(game, spinning(game, ante=500_00, strategy="always-3", seats=5), seed="limits")
        block = block_of(game, plan, 0, plan.block_rounds)
        cut = [
            int(row)
            for seat in block.wagers
            for entry in ("bonus_spin", "bonus_spin_community")
            for row in (seat[entry].cut_rounds[seat[entry].cut_cents > 0] if entry in seat else ())
        ]
        assert cut, "no prize is cut: the test shows nothing"
        assert disagreements(game, plan, 0, sorted(set(cut))[:15]) == []


def test_a_jackpot_outside_the_limit_does_not_count_toward_it() -> None:
    """Win a jackpot above the limit, and then a community slice for the same seat."""
    for covers in (False, True):
        book, stated = nj("3", settings={"limit_covers_progressive": covers})
        stated["meters"]["bonus_spin"] |= {"initial_cents": 80_000_00, "reset_cents": 80_000_00}
        game = compile_game(book, stated)
        plan = plan_for(game, spinning(game, seats=5), seed="outside")
        block = block_of(game, plan, 0, plan.block_rounds)
        both = [
            int(row)
            for seat in block.wagers
            for row in (seat["bonus_spin"].meter_rounds if "bonus_spin" in seat else ())
            if seat["bonus_spin_community"].settled(row)
        ]
        assert len(both) > 5, "too few such rounds: the test shows little"
        assert disagreements(game, plan, 0, both[:30]) == []


@pytest.mark.parametrize("name", ["table 5", "Xtreme"])
def test_a_meter_goes_through_a_block_as_a_plain_meter_does(name: str) -> None:
    game = compile_game(*GAMES[name])
    plan = plan_for(game, spinning(game))
    ((meter, staked),) = plan.fed(game).items()
    block = block_of(game, plan, 0, plan.block_rounds)
    said = block.meters[meter]
    dollars = [Fraction(game.whole(f"meters.{meter}.{of}_cents"), 100) for of in ("initial", "reset")]
    plain = PlainMeter(dollars[0], dollars[1], Fraction(game.whole(f"meters.{meter}.rate_per_million"), 10**6))
    won: dict[int, list[int]] = {}
    for seat in block.wagers:
        for wagered in seat.values():
            for row, cents in zip(wagered.meter_rounds.tolist(), wagered.meter_cents.tolist(), strict=True):
                won.setdefault(row, []).append(cents)
    shown = []
    for row in range(plan.block_rounds):
        assert plain.pool * 100 * 10**6 == said.before[row]
        plain.wager(Fraction(staked, 100))
        shown.append(floor(plain.shown * 100))
        paid = [int(plain.award(100) * 100) for _ in won.get(row, ())]
        assert sorted(paid) == sorted(won.get(row, []))
    rounds = [row for row in sorted(won) for _ in won[row]]
    waits = np.diff([-1, *rounds]).tolist()
    tally = said.tally
    assert tally.waits == {wait: waits.count(wait) for wait in sorted(set(waits))}
    assert sum(cents * count for cents, count in tally.jackpots.items()) == tally.paid_cents
    assert (tally.shown_cents, tally.lowest_cents, tally.highest_cents) == (sum(shown), min(shown), max(shown))
    assert tally.rounds == plan.block_rounds


@pytest.fixture
def short_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planned, "HISTORY_BLOCKS", 2)


def _plan(game: Game) -> SimulationPlan:
    return plan_for(game, spinning(game), session_rounds=16_384)


@pytest.mark.usefixtures("short_histories")
def test_workers_and_shares_change_nothing_about_meters() -> None:
    game = compile_game(*GAMES["table 5"])
    plan = _plan(game)
    rounds = 5 * plan.block_rounds + 99
    one, three = (tally_rounds(game, plan, rounds, workers=workers) for workers in (1, 3))
    assert one == three
    for shares in (2, 3):
        parts = [tally_rounds(game, plan, rounds, share=Share(number, shares)) for number in range(1, shares + 1)]
        assert sum(parts, SimulationTally()) == one
        assert sum(reversed(parts), SimulationTally()).meters == one.meters


@pytest.mark.usefixtures("short_histories")
def test_an_interrupted_history_resumes() -> None:
    game = compile_game(*GAMES["Xtreme"])
    plan = _plan(game)
    rounds = 4 * plan.block_rounds
    whole = list(play_blocks(game, plan, range(rounds)))
    for done in range(1, 4):
        so_far = sum((part.tally for part in whole[:done]), SimulationTally())
        standing = whole[done - 1].standing
        again = tally_rounds(game, plan, rounds, so_far=so_far, standing=standing)
        assert again == sum((part.tally for part in whole), SimulationTally())


@pytest.mark.usefixtures("short_histories")
def test_a_meter_is_opened_anew_for_each_history() -> None:
    game = compile_game(*GAMES["table 3"])
    plan = _plan(game)
    done = list(play_blocks(game, plan, range(4 * plan.block_rounds)))
    opened = game.whole("meters.bonus_spin.initial_cents") * 10**6
    before = [block_of(game, plan, number, 5).meters["bonus_spin"].before[0] for number in (0, 2)]
    assert before == [opened, opened]
    for first, second in ((done[0], done[1]), (done[2], done[3])):
        pool = first.standing["bonus_spin"].pool_micros
        tally = second.tally.meters["bonus_spin"]
        left = pool + tally.contributed_micros + tally.seeded_micros - tally.paid_cents * 10**6
        assert left == second.standing["bonus_spin"].pool_micros


def test_a_stake_that_no_wheel_is_spun_for_is_refused() -> None:
    seats = [SeatPlan(wagers={"ante": 1000, "bonus_spin": 300}, strategy="optimal")]
    with pytest.raises(BadInput, match=r"no wheel has this stake of bonus_spin: '\$3' \(allowed: \$5\)"):
        plan_for(compile_game("nj-criss-cross"), seats)
