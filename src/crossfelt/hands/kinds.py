"""The kinds of hand that a pay table can be written for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from crossfelt.cards.card import JOKER, Card
from crossfelt.cards.notation import parse_cards
from crossfelt.hands.joker import (
    best_of_seven,
    rank_joker_five,
    rank_no_pair,
    rank_progressive_seven,
    rank_seven_card_bonus,
)
from crossfelt.hands.poker import rank_five, rank_three, rank_two
from crossfelt.hands.rank import ORDERS, HandRank


class HandKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of hand: its number of cards, its deck and its categories.

    >>> KINDS["three_card"].categories
    ('straight_flush', 'three_of_a_kind', 'straight', 'flush', 'pair', 'high_card')
    """

    id: str
    cards: int
    deck: int
    """52, or 53 with the joker."""
    categories: tuple[str, ...]
    """Highest first, as pay tables list them. A hand in none of them has the category ``nothing``."""
    classify: Callable[[Sequence[Card]], HandRank]


_OWN_KINDS: Final[tuple[tuple[str, str, int, int, Callable[[Sequence[Card]], HandRank]], ...]] = (
    ("five_card", "five_card", 5, 52, rank_five),
    ("three_card", "three_card", 3, 52, rank_three),
    ("two_card", "two_card", 2, 53, rank_two),
    ("joker_five", "joker_five", 5, 53, rank_joker_five),
    ("joker_seven", "joker_five", 7, 53, best_of_seven),
    ("joker_high_card", "joker_high_card", 7, 53, rank_no_pair),
    ("progressive_seven", "progressive_seven", 7, 53, rank_progressive_seven),
    ("seven_card_bonus", "seven_card_bonus", 7, 53, rank_seven_card_bonus),
)
"""Kind, order, cards, deck, and the function that ranks."""
KINDS: Final[Mapping[str, HandKind]] = {
    kind: HandKind(
        id=kind,
        cards=cards,
        deck=deck,
        categories=tuple(category for category in reversed(ORDERS[order]) if category != "nothing"),
        classify=classify,
    )
    for kind, order, cards, deck, classify in _OWN_KINDS
}
_KIND_OF_COUNT: Final = {2: "two_card", 3: "three_card", 5: "five_card", 7: "joker_seven"}
_ALLOWED: Final = "2c … As; Jk (joker) in two, five or seven cards"


def read_hand(text: str) -> tuple[tuple[Card, ...], HandKind]:
    """Parse the cards of a hand, and return the kind of hand that this number of cards makes.

    Five or seven cards with the joker are ranked by the orders of the joker.

    >>> read_hand("As Kd 2c")[1].id, read_hand("As Ks Jk 2c 3d")[1].id
    ('three_card', 'joker_five')
    """
    cards = parse_cards(text, count=tuple(_KIND_OF_COUNT), joker=True, where="hand", allowed=_ALLOWED)
    if len(cards) == 5 and JOKER in cards:
        return cards, KINDS["joker_five"]
    kind = KINDS[_KIND_OF_COUNT[len(cards)]]
    return parse_cards(text, joker=kind.deck == 53, where="hand"), kind
