"""Random hands of a wanted category; even a royal flush is constructed, not waited for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from crossfelt.cards.card import JOKER, Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.shuffle import Chance
from crossfelt.hands.kinds import HandKind
from crossfelt.hands.rank import HandRank
from crossfelt.hands.shape import ACE

TRIES: Final = 2_000
SUITS: Final = 4
RANKS: Final = 13
ROYAL: Final = range(8, 13)
SEVEN: Final = 7
HIGH_CARDS: Final = {"nine_high": 7, "ten_high": 8, "jack_high": 9, "queen_high": 10, "king_high": 11, "ace_high": 12}

Wanted = Callable[[HandRank], bool]


class HandNotFound(LookupError):
    """No cards make the wanted hand."""


def hand_of(
    kind: HandKind,
    category: str,
    chance: Chance,
    classify: Callable[[Sequence[Card]], HandRank],
    *,
    wanted: Wanted = lambda rank: True,
    without: Collection[Card] = (),
) -> tuple[Card, ...]:
    """Draw a hand of this category, in random order; raise HandNotFound if none is found.

    >>> from crossfelt.hands.kinds import KINDS
    >>> five = KINDS["five_card"]
    >>> five.classify(hand_of(five, "royal_flush", Chance(repeatable_seed(1), "x"), five.classify)).name
    'royal flush'
    """
    deck = [card for card in deck_of(kind.deck) if card not in without]
    for _ in range(TRIES):
        core = [card for card in _core(kind, category, chance) if card in deck]
        rest = [card for card in chance.shuffled(deck) if card not in core]
        hand = (*core, *rest)[: kind.cards]
        rank = classify(hand)
        if rank.category == category and wanted(rank):
            return chance.shuffled(hand)
    raise HandNotFound(f"no {category} of {kind.id}")


def _core(kind: HandKind, category: str, chance: Chance) -> list[Card]:
    """Return the cards that make the category; the remaining cards are drawn and may change it."""
    of_a_run = min(kind.cards, 5)
    if category in HIGH_CARDS:
        top = HIGH_CARDS[category]
        ranks = (top, *chance.shuffled(range(top))[: kind.cards - 1])
        return [Card(4 * rank + chance.below(SUITS)) for rank in ranks]
    match category:
        case "royal_flush":
            return _suited(ROYAL[-of_a_run:], chance.below(SUITS))
        case "royal_flush_and_royal_match":
            royal, match = chance.shuffled(range(SUITS))[:2]
            return [*_suited(ROYAL, royal), Card(4 * 11 + match), Card(4 * 10 + match)]
        case "five_aces":
            return [*(Card(4 * ACE + suit) for suit in range(SUITS)), JOKER]
        case "natural_seven_card_straight_flush":
            return _suited(_run(SEVEN, chance), chance.below(SUITS))
        case "seven_card_straight_flush" | "seven_card_straight_flush_with_joker":
            return [*chance.shuffled(_suited(_run(SEVEN, chance), chance.below(SUITS)))[1:], JOKER]
        case "straight_flush":
            return _suited(_run(of_a_run, chance), chance.below(SUITS))
        case "straight":
            return [Card(4 * rank + chance.below(SUITS)) for rank in _run(of_a_run, chance)]
        case "flush":
            return _suited(chance.shuffled(range(RANKS))[:of_a_run], chance.below(SUITS))
    return groups_of(_SIZES.get(category, ()), chance)


_SIZES: Final = {
    "four_of_a_kind": (4,),
    "full_house": (3, 2),
    "three_of_a_kind": (3,),
    "two_pair": (2, 2),
    "pair": (2,),
}


def _suited(ranks: Collection[int], suit: int) -> list[Card]:
    return [Card(4 * rank + suit) for rank in ranks]


def _run(length: int, chance: Chance) -> tuple[int, ...]:
    """Draw ranks in sequence; the ace may count below the two."""
    low = chance.between(-1, RANKS - length)
    return tuple(ACE if rank < 0 else rank for rank in range(low, low + length))


def groups_of(sizes: Sequence[int], chance: Chance) -> list[Card]:
    """Draw groups of cards of equal rank, one group of each size.

    >>> sorted(card.rank for card in groups_of((3, 2), Chance(repeatable_seed(1), "x")))
    [3, 3, 3, 9, 9]
    """
    ranks = chance.shuffled(range(RANKS))
    return [
        Card(4 * rank + suit)
        for rank, size in zip(ranks, sizes, strict=False)
        for suit in chance.shuffled(range(SUITS))[:size]
    ]
