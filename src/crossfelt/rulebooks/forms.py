"""The forms that a rulebook uses: a dealer's hand, a wheel, a split. Settings and irregularities follow from them."""

from __future__ import annotations

from typing import Literal

from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.script import Decide, FirstHand, OfferBank

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
    owners = {group.owner for group in book.groups}
    rules = [rule for wager in book.wagers for rule in wager.settle]
    steps = {type(step) for step in book.script}
    actions = [action for step in book.script if isinstance(step, Decide) for action in step.actions]
    used: dict[Form, object] = {
        "bank": OfferBank in steps,
        "bet": any(action.bet for action in actions),
        "check": any(action.check for action in actions),
        "choose": any(hand.chosen_of for hand in book.hands),
        "commission": any(wager.commission for wager in book.wagers),
        "community": "community" in owners,
        "credits": any(wager.unit == "credits" for wager in book.wagers),
        "cross": any(group.shape == "cross" for group in book.groups),
        "dealer": owners & {"dealer", "positions"},
        "expose": any(action.expose for action in actions),
        "first_hand": FirstHand in steps,
        "fold": any(action.fold for action in actions),
        "hot_spot": any(wheel.ring == "hot_spot" for wheel in book.wheels),
        "jackpot": any(line.meter_percent for table in book.paytables for line in table.lines),
        "joker": book.deck.cards > 52,
        "meter": book.meters,
        "payout_limit": book.payout_limits,
        "split": book.splits,
        "versus": any(rule.versus or rule.versus_each for rule in rules),
        "wheel": book.wheels,
    }
    return frozenset(form for form, is_used in used.items() if is_used)


def timeouts(forms: frozenset[Form]) -> tuple[str, ...]:
    """Return the ways to act for a silent player that the forms of a game allow, the usual one first."""
    ways = {"house_way": "split", "check_or_fold": "check", "fold": "fold", "smallest_bet": "bet"}
    return (*(way for way, form in ways.items() if form in forms), "floor_decides")
