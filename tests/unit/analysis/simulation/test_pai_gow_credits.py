"""Credits over many rounds: the table agrees to the cent under every setting, and the exact return is met."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from crossfelt.analysis.simulation.api import simulate, tally_rounds
from crossfelt.analysis.simulation.plan import SeatPlan, SimulationPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.simulation.referee import disagreements
from crossfelt.analysis.simulation.rounds import block_of
from crossfelt.rulebooks.game import Game, compile_game

TOO_FAR = 4.5
MOST_BLOCKS = 40
GAMES: dict[str, dict[str, Any]] = {
    "table A": {},
    "table B": {"wagers": {"progressive": {"paytable": "B", "lucky_player_per_million": 300_000}}},
    "table C": {"wagers": {"progressive": {"paytable": "C"}}},
    "odds from the tray": {"settings": {"odds_paid_from": "inventory"}},
    "the credit stays": {"settings": {"credit_returned_on_win": False}},
    "a lucky stake comes back": {
        "settings": {"lucky_stake_follows_hand": False},
        "wagers": {"progressive": {"lucky_player_per_million": 500_000, "lucky_dealer_per_million": 500_000}},
    },
    "any seat may be lucky": {
        "settings": {"lucky_player_goes_to": "all_seats"},
        "wagers": {"progressive": {"lucky_player_per_million": 500_000}},
    },
    "the magic card makes the hand": {"settings": {"magic_card_in": "made_hand"}},
    "of 53 cards": {"settings": {"magic_card_from": 53}},
    "shares by credits": {"settings": {"share_method": "by_credits", "share_method_dealer": "by_credits"}},
    "a meter with a limit": {"meters": {"pai_gow": {"limit_cents": 25_000_50, "rate_per_million": 733_333}}},
    "a pool that cannot cover": {"meters": {"pai_gow": {"initial_cents": 0, "reset_cents": 1_000_00}}},
}


def seats_of(game: Game) -> list[SeatPlan]:
    """Credits on one hand, the other, both, neither."""
    both = {"progressive_player": 5, "progressive_dealer": 2}
    staked: list[dict[str, int]] = [{"progressive_player": 1}, both, {"progressive_dealer": 5}, {}, both]
    return [SeatPlan(wagers={"main": 1000, **own}, strategy="house-way") for own in staked]


@pytest.mark.clause("PGP-16", "PGP-17", "PGP-18", "PGP-19", "PGP-23")
@pytest.mark.parametrize("name", GAMES)
def test_the_table_agrees_on_credits_to_the_cent(name: str) -> None:
    game = compile_game("nj-pai-gow", GAMES[name])
    plan = plan_for(game, seats_of(game), seed=name)
    block = block_of(game, plan, 0, plan.block_rounds)
    won = np.flatnonzero(block.wagers[1]["progressive_player"].net > 0)[:15].tolist()
    assert disagreements(game, plan, 0, [*range(25), *won]) == []


def with_percentages(game: Game, plan: SimulationPlan, wager: str) -> Iterator[tuple[int, int]]:
    """Yield blocks and rounds in which the meter pays a percentage for a wager."""
    for number in range(MOST_BLOCKS):
        block = block_of(game, plan, number, plan.block_rounds)
        rows = {int(row) for seat in block.wagers for row in (seat[wager].meter_rounds if wager in seat else ())}
        yield from ((number, row) for row in sorted(rows))


@pytest.mark.clause("PGP-23", "PGP-24", "PGP-25", "PGP-26")
@pytest.mark.parametrize("method", ["equally", "by_credits"])
def test_the_table_agrees_on_percentages_of_the_meter(method: str) -> None:
    game = compile_game("nj-pai-gow", {"settings": {"share_method": method, "share_method_dealer": method}})
    plan = plan_for(game, seats_of(game), seed="percent")
    for wager in ("progressive_player", "progressive_dealer"):
        rounds = list(islice(with_percentages(game, plan, wager), 2))
        assert rounds, "no hand of these blocks is paid by the meter: the test shows nothing"
        for block, row in rounds:
            assert disagreements(game, plan, block, [row]) == []


def test_credits_meet_their_expected_return() -> None:
    seats = [
        SeatPlan(wagers={"main": 1000, "progressive_player": 1, "progressive_dealer": 3}, strategy="house-way"),
        SeatPlan(wagers={"main": 1000, "progressive_player": 2, "progressive_dealer": 3}, strategy="mgm"),
    ]
    found = simulate("nj-pai-gow", rounds=400_000, seats=seats)
    for seat in found.seats:
        for entry in ("progressive_player", "progressive_dealer", "lucky_player", "lucky_dealer", "magic_card"):
            z_score = seat.wagers[entry].z_score
            assert z_score is not None
            assert abs(z_score) < TOO_FAR
    meter = found.meters["pai_gow"]
    assert meter.awards["amount"] > 10_000
    assert meter.z_score is not None
    assert abs(meter.z_score) < TOO_FAR


def test_a_lucky_stake_is_returned_once() -> None:
    game = compile_game("nj-pai-gow", GAMES["a lucky stake comes back"])
    seats = [SeatPlan(wagers={"main": 1000, "progressive_player": 5}, strategy="house-way")]
    z_score = simulate(game, rounds=300_000, seats=seats).seats[0].wagers["progressive_player"].z_score
    assert z_score is not None
    assert abs(z_score) < TOO_FAR


def test_workers_change_nothing_about_credits() -> None:
    game = compile_game("nj-pai-gow")
    plan = plan_for(game, seats_of(game), mishaps_per_million=1000)
    rounds = 3 * plan.block_rounds + 77
    one, three = (tally_rounds(game, plan, rounds, workers=workers) for workers in (1, 3))
    assert one == three
    assert disagreements(game, plan, 2, range(30)) == []


def test_credits_beside_a_bank() -> None:
    game = compile_game("nj-pai-gow")
    seats = seats_of(game)
    seats[2] = SeatPlan(wagers={"main": 1000}, strategy="house-way")
    plan = plan_for(game, seats, bank=3)
    assert disagreements(game, plan, 0, range(40)) == []
