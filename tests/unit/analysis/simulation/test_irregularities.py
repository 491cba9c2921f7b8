"""Irregularities at a rate: the table agrees on faulty rounds, and every kind is equally frequent."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from crossfelt.analysis.simulation.api import simulate, tally_rounds
from crossfelt.analysis.simulation.irregularities import IrregularityModel
from crossfelt.analysis.simulation.plan import SeatPlan
from crossfelt.analysis.simulation.plan_builder import plan_for, simulated_wagers, strategies
from crossfelt.analysis.simulation.referee import disagreements
from crossfelt.analysis.simulation.rounds import block_of
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game, compile_game
from soak_length import one_of_each_game

OFTEN = 600_000


def _from_a_shoe(book: str) -> dict[str, Any]:
    """Use a shoe that may jam."""
    approval = {} if book == "ma-criss-cross" else {"approvals": {"automated_shoe": "a test's own"}}
    return {"dealing": {"method": "automated_shoe", "shuffler": "automatic"}, **approval}


def _seats(game: Game) -> list[SeatPlan]:
    usual, names = simulated_wagers(game), strategies(game)
    base = {name: cents for name, cents in usual.items() if name in ("ante", "main")}
    return [
        SeatPlan(wagers=usual, strategy=names[0]),
        SeatPlan(wagers=base, strategy=names[-1]),
        SeatPlan(wagers=usual, strategy=names[0]),
    ]


@pytest.mark.parametrize("book", one_of_each_game())
@pytest.mark.parametrize("shoe", [False, True])
@pytest.mark.parametrize("rounds", [30, pytest.param(120, marks=pytest.mark.soak)])
def test_the_table_agrees_on_faulty_rounds(book: str, shoe: bool, rounds: int) -> None:
    game = compile_game(book, _from_a_shoe(book) if shoe else {})
    plan = plan_for(game, _seats(game), seed="wrong", mishaps_per_million=OFTEN)
    assert disagreements(game, plan, 1, range(rounds)) == []


def test_the_table_agrees_where_settled_wagers_of_a_void_round_stand() -> None:
    game = compile_game("nj-double-cross", {"settings": {"void_keeps_settled": True}})
    plan = plan_for(game, _seats(game), seed="wrong", mishaps_per_million=OFTEN)
    assert disagreements(game, plan, 1, range(30)) == []


@pytest.mark.parametrize("co_bank", [False, True])
def test_the_table_agrees_on_a_void_bank(co_bank: bool) -> None:
    game = compile_game("nj-pai-gow")
    seats = [SeatPlan(wagers={"main": 1500}, strategy="house-way")] * 3
    plan = plan_for(game, seats, bank=2, co_bank=co_bank, mishaps_per_million=OFTEN)
    assert disagreements(game, plan, 0, range(60)) == []


@pytest.mark.parametrize("contributions", ["reversed", "kept"])
def test_a_void_round_gives_the_meter_what_the_setting_says(contributions: str) -> None:
    game = compile_game("nj-criss-cross", {"settings": {"void_contributions": contributions}})
    plan = plan_for(game, _seats(game), mishaps_per_million=OFTEN)
    block = block_of(game, plan, 0, plan.block_rounds)
    tally = block.meters["bonus_spin"].tally
    counts = plan.block_rounds if contributions == "kept" else plan.block_rounds - block.drawn.void_rounds
    rate = game.whole("meters.bonus_spin.rate_per_million")
    assert tally.contributed_micros == counts * plan.fed(game)["bonus_spin"] * rate
    assert disagreements(game, plan, 0, range(40)) == []


@pytest.mark.parametrize("book", one_of_each_game())
def test_every_kind_is_as_likely_as_the_others(book: str) -> None:
    game = compile_game(book, _from_a_shoe(book))
    rate = 100_000
    plan = plan_for(game, _seats(game), mishaps_per_million=rate)
    rounds = 200_000
    wrong = IrregularityModel(game, plan).draw("kinds", rounds, {})
    kinds: dict[str, int] = {}
    for mishap in wrong.found:
        kinds[mishap.kind] = kinds.get(mishap.kind, 0) + 1
    expected = rounds * rate / 10**6
    assert abs(len(wrong.found) - expected) < 4.5 * expected**0.5
    assert len(kinds) >= 4
    for count in kinds.values():
        assert abs(count - expected / len(kinds)) < 4.5 * (expected / len(kinds)) ** 0.5
    assert int(wrong.void.sum()) == sum(mishap.void for mishap in wrong.found)
    assert np.array_equal(np.flatnonzero(wrong.void), wrong.rounds[[mishap.void for mishap in wrong.found]])


def test_void_rounds_pay_nothing_and_are_counted() -> None:
    game = compile_game("nj-double-cross")
    seats = [SeatPlan(wagers={"ante": 1000}, strategy="optimal")]
    without = tally_rounds(game, plan_for(game, seats), 30_000)
    plan = plan_for(game, seats, mishaps_per_million=1_000_000)
    all_wrong = tally_rounds(game, plan, 30_000)
    assert without.mishaps == {}
    assert without.void_rounds == 0
    assert sum(all_wrong.mishaps.values()) == 30_000
    ante, raised = (all_wrong.seats[0].wagers[name] for name in ("ante", "raise"))
    assert ante.placed == 30_000
    assert ante.results["returned"] == all_wrong.void_rounds > 10_000
    # Here a fault is found before any raise, or is harmless: a discarded face-up card, or a card in error.
    assert "returned" not in raised.results
    assert sum(all_wrong.seats[0].decisions["play"].values()) == 30_000 - all_wrong.void_rounds
    assert all_wrong.seats[0].nets[0] >= all_wrong.void_rounds


def test_wheels_meet_their_expectation_in_rounds_that_are_not_void() -> None:
    """The weights make large prizes common enough for a z-score, whatever the seed."""
    weights = [40, 5, 50, 75, 100, 675, 200, 220, 340, 300, 474, 555]
    seats = [SeatPlan(wagers={"ante": 1000, "bonus_spin": 500}, strategy="always-1")] * 3
    stated = {"settings": {"spin_after_fold": "kept"}, "wagers": {"bonus_spin": {"weights": weights}}}
    found = simulate(compile_game("nj-criss-cross", stated), rounds=200_000, seats=seats, mishaps_per_million=300_000)
    assert found.void_rounds > 30_000
    for seat in found.seats:
        for entry in ("bonus_spin", "bonus_spin_community"):
            z_score = seat.wagers[entry].z_score
            assert z_score is not None
            assert abs(z_score) < 4.5


@pytest.mark.parametrize("rate", [-1, 1_000_001])
def test_no_such_rate(rate: int) -> None:
    with pytest.raises(BadInput, match="not a number of rounds in a million"):
        plan_for(compile_game("nj-double-cross"), mishaps_per_million=rate)
