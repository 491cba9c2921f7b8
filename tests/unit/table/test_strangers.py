"""The games of ``examples/rulebooks`` at the table: random rounds against a second implementation, written by heart."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.script import Decide
from crossfelt.table.commands import TimeOut
from crossfelt.table.events import AwardPaid, BetPlaced, RoundClosed, StepEntered, WagerSettled
from crossfelt.table.state import step_of
from oracles import strangers
from unit.table.random_table import Driver, Lived

EXAMPLES = Path(__file__).parents[3] / "examples" / "rulebooks"
BATCH = 250
"""Rounds of one seed; the long version has eight."""


SECOND_CHANCE = Path(__file__).parents[2] / "data" / "rulebooks" / "second-chance.toml"


def test_a_silent_player_does_what_the_decision_says() -> None:
    game = compile_game(str(SECOND_CHANCE), {"play": {"decision_seconds": 20, "on_timeout": "fold"}})
    driver = Driver(game, seed=1)
    while not isinstance(step_of(driver.table), Decide):
        driver.act()
    up = driver.table.asked_at + 20_000
    placed = driver.give(TimeOut(id="late", seat=driver.table.turn[0], who="dealer", role="dealer", at=up))[0]
    assert isinstance(placed, BetPlaced)
    assert placed.timed_out
    assert placed.cents == driver.table.seat(placed.seat).placed["ante"]


def is_good(own: list[str], first: str) -> bool:
    """Say by heart if a hand of Good Hands may bet more."""
    ranks = sorted("23456789TJQKA".index(card[0]) for card in own)
    flush = len({card[1] for card in own}) == 1
    straight = ranks in ([0, 1, 12], list(range(ranks[0], ranks[0] + 3)))
    paired = len(set(ranks)) == 2
    sure = flush or straight or len(set(ranks)) == 1
    return (paired or ranks[-1] >= 8) and not sure and first[0] not in "QKA"


def test_only_hands_with_the_marks_of_a_decision_are_asked() -> None:
    driver = Driver(compile_game(str(SECOND_CHANCE.with_name("good-hands.toml"))), seed=1)
    driver.play(200)
    turn: tuple[int, ...] = ()
    asked = []
    for lived in driver.lived:
        for event in lived.events:
            if isinstance(event, StepEntered) and event.step == "more":
                turn = event.turn
            elif isinstance(event, StepEntered) and event.step == "rest":
                first = lived.after.community["dealer_hole_1"].text
                seats = [seat for seat in lived.after.seats if seat.cards]
                assert turn == tuple(seat.number for seat in seats if is_good(words(seat.cards), first))
                asked.append(len(turn))
                turn = ()
    assert set(asked) == {0, 1, 2, 3}


def batches() -> list[object]:
    long = pytest.mark.soak
    each = [(name, seed) for name in strangers.WAGERS for seed in range(8)]
    return [pytest.param(name, seed, marks=long if seed else (), id=f"{name}-{seed}") for name, seed in each]


def words(cards: object) -> list[str]:
    return [card.text for card in cards]  # type: ignore[attr-defined]


def check(name: str, lived: Lived) -> int:
    """Compare the settlements of one command with the oracle; return how many there were."""
    settled = [event for event in lived.events if isinstance(event, WagerSettled)]
    table = lived.before
    board = words(card for place, card in table.community.items() if not place.startswith("dealer_"))
    dealer = words(card for place, card in table.community.items() if place.startswith("dealer_"))
    for event in settled:
        own = words(table.seat(event.seat).cards)
        settle = strangers.WAGERS[name].get(event.wager)
        if settle is not None:
            expected = settle(own, board, dealer, event.stake)
            assert event.returned + event.paid == expected, (event, own, board, dealer)
        paid = [award.cents for award in lived.events if isinstance(award, AwardPaid) and award.wager == event.wager]
        assert sum(paid) == strangers.bonus(name, event.wager, own, event.stake), (event, own)
    return len(settled)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "seed"), batches())
def test_random_rounds_are_settled_as_a_second_implementation_settles_them(name: str, seed: int) -> None:
    driver = Driver(compile_game(str(EXAMPLES / f"{name}.toml")), seed, players=3)
    driver.play(BATCH)
    rounds = [event for event in driver.events if isinstance(event, RoundClosed)]
    assert len(rounds) >= BATCH
    assert sum(check(name, lived) for lived in driver.lived) > BATCH
