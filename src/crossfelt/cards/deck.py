"""Decks in the order of a new deck: by suit, in sequence, the joker last."""

from __future__ import annotations

from functools import cache

from crossfelt.cards.card import JOKER, RANKS, SUITS, Card
from crossfelt.errors import BadInput


@cache
def standard_deck() -> tuple[Card, ...]:
    """Return the 52 cards of four suits."""
    return tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)


@cache
def joker_deck() -> tuple[Card, ...]:
    """Return the 52 cards and one joker."""
    return (*standard_deck(), JOKER)


def deck_of(size: int) -> tuple[Card, ...]:
    """Return the deck of 52 or of 53 cards.

    >>> deck_of(53) == joker_deck()
    True
    >>> deck_of(54)
    Traceback (most recent call last):
    crossfelt.errors.BadInput: no deck of this size: 54 (allowed: 52, 53)
    """
    if size == 52:
        return standard_deck()
    if size == 53:
        return joker_deck()
    raise BadInput.at("", "deck.size", "no deck of this size", size, "52, 53")
