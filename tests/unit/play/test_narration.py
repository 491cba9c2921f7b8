"""Events in a dealer's English."""

from __future__ import annotations

import ast
import re
from inspect import getsource
from typing import Any, get_args

import pytest

from crossfelt.cards import parse_cards
from crossfelt.cards.card import HIDDEN
from crossfelt.cards.player_seeds import PlayerSeed
from crossfelt.play import deck_narration, narration, prize_narration
from crossfelt.play.narration import narrate
from crossfelt.rulebooks.game import compile_game
from crossfelt.table import events as e
from unit.table.random_table import VARIANTS, Driver

GAME = compile_game("md-criss-cross")
DOUBLE = compile_game("nj-double-cross")
SILENT = {e.StepEntered, e.SeatSettled}
"""Bookkeeping that a dealer does not speak of."""
CUT = "limited to $80 by the payout limit of $50,000 for one round; $10 is not paid"


def narrated(kind: type[e.Event], game: Any = GAME, **fields: Any) -> str:
    return narrate(kind(by="dealer", at=0, **fields), game)


def mixed_by(*seats: int) -> e.DeckMixed:
    seeds = tuple(PlayerSeed(seat=seat, player="", hash="", seed="00") for seat in seats)
    return e.DeckMixed(by="dealer", at=0, deck="A-1", round_id="", seeds=seeds)


def settled(**fields: Any) -> str:
    return narrated(e.WagerSettled, seat=1, **{"wager": "across", "stake": 3000, "hand": "three kings", **fields})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (narrated(e.BetPlaced, seat=3, wager="across", cents=3000), "Seat 3 bets $30 across"),
        (
            narrated(e.BetPlaced, seat=3, wager="down", cents=500, timed_out=True),
            "Seat 3 bets $5 down (out of time)",
        ),
        (narrated(e.BetPlaced, DOUBLE, seat=3, wager="raise", cents=2000), "Seat 3 places the raise, $20"),
        (narrated(e.WagersPlaced, seat=1, wagers={}), "Seat 1 takes its wagers back"),
        (
            narrated(e.WagersPlaced, seat=1, wagers={"ante_across": 500, "ante_down": 500}, instrument="match_play"),
            "Seat 1 places antes $5 + $5 with match play",
        ),
        (
            narrated(e.CommunityCardsRevealed, places=("across_left", "across_right"), cards=parse_cards("Kd 4s")),
            "Dealer turns up the across cards K♦ 4♠",
        ),
        (
            settled(result="win", returned=3000, paid=9000, odds="3 to 1"),
            "Seat 1: three kings — across bet $30 wins $90 at 3 to 1",
        ),
        (
            settled(result="win", returned=3000, paid=8000, odds="3 to 1", limited=1000),
            f"Seat 1: three kings — across bet $30 wins $80 at 3 to 1, {CUT}",
        ),
        (settled(result="push", returned=3000), "Seat 1: three kings — across bet $30 pushes"),
        (settled(result="lose", wager="middle"), "Seat 1: three kings — middle bet $30 loses"),
        (settled(result="lose", hand=""), "Seat 1: across bet $30 loses"),
        (
            settled(result="lose", wager="five_card_bonus"),
            "Seat 1: three kings in the community cards — Five Card Bonus $30 loses",
        ),
        (narrated(e.FoldCollected, seat=2, wagers={"ante_across": 500}), "Dealer collects $5 and the cards of seat 2"),
        (
            narrated(e.FoldCollected, seat=2, wagers={"ante_across": 500}, cards_stay=True),
            "Dealer collects $5 from seat 2; its cards stay for the bonus",
        ),
        (narrated(e.StubCounted, count=41, expected=41), "Dealer counts the stub: 41 cards, as it should be"),
        (
            narrated(e.StubCounted, count=40, expected=41, finding="misdealt", place="community"),
            "Dealer counts 40 cards in the stub, not 41: misdealt (community)",
        ),
        (
            narrated(e.StubCounted, count=40, expected=41, finding="not_misdealt"),
            "Dealer counts 40 cards in the stub, not 41: not misdealt",
        ),
        (
            narrated(e.PaymentHalted, seat=1, wager="across", short_cents=5000),
            "The tray is $50 short for the across bet of seat 1: a fill is called for",
        ),
        (narrated(e.HandSet, seat=1, low=(HIDDEN, HIDDEN)), "Seat 1 has set the hand"),
        (narrated(e.HandSet, seat=1, low=parse_cards("Js Th"), foul=True), "Seat 1 sets J♠ 10♥ in front: a foul"),
    ],
)
def test_what_a_dealer_says(line: str, words: str) -> None:
    assert line == words


def test_hidden_cards_are_not_narrated() -> None:
    dealt = [e.Dealt(0, "middle", HIDDEN), *(e.Dealt(seat, "hole_1", HIDDEN) for seat in (1, 2))]
    line = narrated(e.CardsDealt, cards=tuple(dealt), method="hand")
    assert "holds" not in line
    assert "??" not in line


@pytest.mark.parametrize("kind", get_args(e.AnyEvent), ids=lambda kind: kind.__name__)
def test_every_event_has_words_or_is_bookkeeping(kind: type[e.Event]) -> None:
    trees = (ast.parse(getsource(module)) for module in (narration, deck_narration, prize_narration))
    functions = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    # `_reversed` has only the words of an event that is taken back.
    narrators = (function for function in functions if function.name != "_reversed")
    cases = (node for function in narrators for node in ast.walk(function) if isinstance(node, ast.MatchClass))
    assert (f"e.{kind.__name__}" in {ast.unparse(case.cls) for case in cases}) is (kind not in SILENT)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("book", "stated"), VARIANTS)
def test_every_event_fits_one_line(book: str, stated: dict[str, Any]) -> None:
    driver = Driver(compile_game(book, stated), seed=5, trouble=0.2)
    driver.play(rounds=15)
    for event in driver.events:
        line = narrate(event, driver.table.game)
        assert "\n" not in line
        assert bool(line) is (type(event) not in SILENT)
        assert "_" not in line
        assert line[:1].isupper() or line[:1].isdigit() or not line
        assert "{" not in line
        for seat in range(1, len(driver.table.seats) + 1):
            heard = narrate(event, driver.table.game, you=seat)
            assert not re.search(rf"[{{~]|[Ss]eat {seat}\b|[Yy]ou (is|has|does|\w+s) ", heard), heard


@pytest.mark.parametrize(
    ("event", "heard"),
    [
        (e.BetPlaced(by="Ann", at=0, seat=3, wager="across", cents=3000), "You bet $30 across"),
        (e.WagersPlaced(by="Ann", at=0, seat=3, wagers={}), "You take your wagers back"),
        (
            e.HandFolded(by="Ann", at=0, seat=3, wager="across", forfeits=("ante_across",)),
            "You fold and give up ante across",
        ),
        (
            e.HandFolded(by="dealer", at=0, seat=3, wager="across", forfeits=(), timed_out=True),
            "You do not answer: your hand folds",
        ),
        (e.BetPlaced(by="Ben", at=0, seat=4, wager="across", cents=3000), "Seat 4 bets $30 across"),
        (mixed_by(3), "Your seed permutes the cards of deck A-1"),
        (mixed_by(4), "The seed of seat 4 permutes the cards of deck A-1"),
        (mixed_by(2, 4), "The seeds of seats 2 and 4 permute the cards of deck A-1"),
    ],
)
def test_a_player_hears_you(event: e.Event, heard: str) -> None:
    assert narrate(event, GAME, you=3) == heard
