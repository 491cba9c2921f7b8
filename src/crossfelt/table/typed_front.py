"""The two cards that go in front, as people type them: `Kd Qs`, or by their ranks, `K Q`, `kk`, `10 9`, `jk a`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from crossfelt.cards.card import JOKER, RANKS, Card
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.hands.pai_gow import rank_pai_gow_five
from crossfelt.problems import BadInput, Problem

CARD: Final = r"(?:(?:10|[2-9tjqka])[cdhs]|jk)"
"""One card in full, as it is typed."""


def read_front(text: str, hole: Sequence[Card]) -> tuple[Card, ...] | Problem:
    """Two of the cards a player holds; of equal ranks those that leave the better hand behind.

    >>> hole = parse_cards("Kd Kh Ks 9s 7s 5s 2s")
    >>> [format_cards(read_front(text, hole)) for text in ("ks kh", "kk", "K 9")]
    ['Ks Kh', 'Kd Kh', 'Kd 9s']
    >>> print(read_front("a k", hole))
    set: not two of your cards: 'a k' (allowed: Kd Kh Ks 9s 7s 5s 2s)
    """
    if (fronts := _by_rank(text, hole)) is not None:
        if not fronts:
            what, allowed = "not two of your cards", format_cards(hole)
            return Problem(code="typed.card", where="set", what=what, value=text, allowed=allowed)
        return max(fronts, key=lambda front: rank_pai_gow_five([card for card in hole if card not in front]))
    try:
        low = parse_cards(text, count=2, joker=True, where="set")
    except BadInput as bad:
        return bad.problems[0]
    strange = [card for card in low if card not in hole]
    if strange:
        what, allowed = "not one of your cards", format_cards(hole)
        return Problem(code="typed.card", where="set", what=what, value=str(strange[0]), allowed=allowed)
    return low


def _by_rank(text: str, hole: Sequence[Card]) -> list[tuple[Card, ...]] | None:
    """Every two cards of these ranks; None where the text names no two ranks. Alone, `jk` is a jack and a king."""
    words = text.lower().replace("10", "t").split()
    named = list(words[0]) if len(words) == 1 else words
    if len(named) != 2 or not all(re.fullmatch("jk|[2-9tjqka]", word) for word in named):
        return None
    wanted = sorted(map(_rank_of_word, named))
    return [front for front in combinations(hole, 2) if sorted(map(_rank_of_card, front)) == wanted]


def _rank_of_word(word: str) -> int:
    return len(RANKS) if word == "jk" else RANKS.index(word.upper())


def _rank_of_card(card: Card) -> int:
    return len(RANKS) if card is JOKER else card.rank
