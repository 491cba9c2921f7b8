"""A player's bank over many rounds: the table agrees to the cent, and one side wins what the other loses."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.analysis.simulation.api import tally_rounds
from crossfelt.analysis.simulation.plan import SeatPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.simulation.referee import disagreements
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import compile_game

BANKS: dict[str, dict[str, Any]] = {
    "usual": {},
    "co-bank": {},
    "imperial against the bank": {"settings": {"imperial_banker_hand": "bank"}},
    "up to a quarter": {"settings": {"commission_rounding": "up_to_25c"}},
    "EZ": {"settings": {"ez_variation": True}},
}
SEATS = [
    SeatPlan(wagers={"main": 1500, "imperial": 200, "seven_card": 1000}, strategy="house-way"),
    SeatPlan(wagers={"main": 2000}, strategy="house-way"),
    SeatPlan(wagers={"main": 3300, "seven_card": 700}, strategy="foxwoods"),
]


@pytest.mark.parametrize("name", BANKS)
@pytest.mark.parametrize("rounds", [20, pytest.param(60, marks=pytest.mark.soak)])
@pytest.mark.clause("PGP-13")
def test_the_table_agrees_on_a_bank_to_the_cent(name: str, rounds: int) -> None:
    game = compile_game("nj-pai-gow", BANKS[name])
    for bank in (1, 2):
        seats = [*SEATS]
        seats[bank - 1] = SeatPlan(wagers={"main": seats[bank - 1].wagers["main"]}, strategy="house-way")
        plan = plan_for(game, seats, seed=name, bank=bank, co_bank=name == "co-bank")
        assert disagreements(game, plan, 0, range(rounds)) == []


def test_what_the_bank_wins_the_others_lose() -> None:
    """Against the dealer and two players, before commission; the dealer's wager is the house's."""
    game = compile_game("nj-pai-gow")
    plan = plan_for(game, [SeatPlan(wagers={"main": 1000}, strategy="house-way")] * 3, bank=2)
    tally = tally_rounds(game, plan, plan.block_rounds)
    bank = tally.seats[1].wagers["bank"]
    mains = [tally.seats[seat].wagers["main"] for seat in (0, 2)]
    won = bank.net + bank.commission
    house = won + sum(main.net + main.commission for main in mains)
    # The three hands against the bank are equally likely to lose, the dealer's included.
    expected = -sum(main.net + main.commission for main in mains) / 2
    assert abs(house - expected) < 4.5 * 1000 * plan.block_rounds**0.5
    assert (bank.stake, bank.placed) == (3 * 1000 * plan.block_rounds, plan.block_rounds)
    assert won > 0


NOT_SHARED = {"bank": {"co_bank_offered": False}}
BAD: tuple[tuple[dict[str, Any], str, dict[str, Any], str], ...] = (
    ({}, "house-way", {"bank": 3}, "this seat does not play: 3"),
    ({}, "house-way", {"co_bank": True}, "no seat banks with the house"),
    ({}, "mgm", {"bank": 1, "co_bank": True}, "a co-banked hand is set the house way"),
    (NOT_SHARED, "house-way", {"bank": 1, "co_bank": True}, "this table offers no co-bank"),
)


@pytest.mark.parametrize(("stated", "strategy", "banks", "told"), BAD)
def test_a_bank_that_cannot_be_is_refused(
    stated: dict[str, Any], strategy: str, banks: dict[str, Any], told: str
) -> None:
    game = compile_game("nj-pai-gow", stated)
    with pytest.raises(BadInput, match=told):
        plan_for(game, [SeatPlan(wagers={"main": 1000}, strategy=strategy)] * 2, **banks)


def test_other_games_have_no_bank() -> None:
    with pytest.raises(BadInput, match="no player can bank this game: 1"):
        plan_for(compile_game("nj-double-cross"), [SeatPlan(wagers={"ante": 1000}, strategy="optimal")], bank=1)
