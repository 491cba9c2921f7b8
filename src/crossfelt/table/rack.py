"""The discard rack of a round, bottom first: text from which each hand can be rebuilt in a dispute."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from crossfelt.cards.card import HIDDEN, Card

_CARD: Final = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk)\b|\?\?")


def hand_entry(whose: str, cards: Iterable[Card]) -> str:
    """Return the entry of cards that were picked up together.

    >>> hand_entry("seat1", (Card("As"), Card("Kd")))
    'seat1: As Kd'
    """
    return f"{whose}: {' '.join(map(str, cards))}"


def layout_entry(layout: Mapping[str, Card]) -> str:
    """Return the entry of the layout, each card with its place.

    >>> layout_entry({"middle": Card("As"), "down_far": Card("Td")})
    'community: middle As, down_far Td'
    """
    return "community: " + ", ".join(f"{place} {card}" for place, card in layout.items())


def stub_entry(count: int) -> str:
    """Return the entry of the unexposed rest of the deck."""
    return f"stub: {count} cards"


def cards_in(rack: Iterable[str]) -> Iterator[Card]:
    """Yield the cards in the rack without the stub; unseen cards are hidden here too.

    >>> [str(card) for card in cards_in(["stub: 41 cards", "seat1: As Kd", "seat2: ?? ??"])]
    ['As', 'Kd', '??', '??']
    """
    return (Card(text) for entry in rack for text in _CARD.findall(entry))


@lru_cache(maxsize=1024)
def face_down(entry: str) -> str:
    """Return an entry as onlookers see it: cards in the rack lie face down.

    >>> face_down("community: middle As, down_far Td"), face_down("seat1: As Kd"), face_down("stub: 41 cards")
    ('community: middle ??, down_far ??', 'seat1: ?? ??', 'stub: 41 cards')
    """
    return _CARD.sub(HIDDEN.text, entry)
