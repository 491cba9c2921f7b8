"""The forms that a rulebook uses: a dealer's hand, a wheel, a split. Settings and irregularities follow from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from crossfelt.rulebooks.script import Decide, FirstHand, OfferBank

if TYPE_CHECKING:
    from crossfelt.rulebooks.model import Rulebook

Form = Literal[
    "bank", "bet", "check", "choose", "commission", "community", "credits", "cross", "dealer", "expose", "first_hand",
    "fold", "hot_spot", "jackpot", "joker", "meter", "payout_limit", "split", "versus", "wheel",
]  # fmt: skip


def forms_of(book: Rulebook) -> frozenset[Form]:
    """Return the forms that a rulebook uses.

    >>> from crossfelt.rulebooks.loader import load
    >>> sorted(forms_of(load("ma-criss-cross")))
    ['bet', 'community', 'cross', 'fold', 'payout_limit']
    """
    return frozenset((*_of_cards(book), *_of_wagers(book), *_of_script(book)))


def _of_cards(book: Rulebook) -> Iterator[Form]:
    for group in book.groups:
        if group.owner == "community":
            yield "community"
        if group.owner in ("dealer", "positions"):
            yield "dealer"
        if group.shape == "cross":
            yield "cross"
    if book.deck.cards > 52:
        yield "joker"
    if book.splits:
        yield "split"
    if any(hand.chosen_of for hand in book.hands):
        yield "choose"


def _of_wagers(book: Rulebook) -> Iterator[Form]:
    for wager in book.wagers:
        if wager.commission is not None:
            yield "commission"
        if wager.unit == "credits":
            yield "credits"
        if any(rule.versus or rule.versus_each for rule in wager.settle):
            yield "versus"
    if book.wheels:
        yield "wheel"
    if any(wheel.ring == "hot_spot" for wheel in book.wheels):
        yield "hot_spot"
    if book.meters:
        yield "meter"
    if any(line.meter_percent for table in book.paytables for line in table.lines):
        yield "jackpot"
    if book.payout_limits:
        yield "payout_limit"


def _of_script(book: Rulebook) -> Iterator[Form]:
    for step in book.script:
        match step:
            case OfferBank():
                yield "bank"
            case FirstHand():
                yield "first_hand"
            case Decide(actions=actions):
                for action in actions:
                    if action.bet is not None:
                        yield "bet"
                    if action.check:
                        yield "check"
                    if action.fold:
                        yield "fold"
                    if action.expose is not None:
                        yield "expose"


def timeouts(forms: frozenset[Form]) -> tuple[str, ...]:
    """Return the ways to act for a silent player that the forms of a game allow, the usual one first."""
    ways = {"house_way": "split", "check_or_fold": "check", "fold": "fold", "smallest_bet": "bet"}
    return (*(way for way, form in ways.items() if form in forms), "floor_decides")
