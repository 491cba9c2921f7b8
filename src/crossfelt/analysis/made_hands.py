"""How many cards make the winning hands of the progressive wager of Pai Gow Poker, over all seven-card hands.

Where the magic card counts only among the cards that make a hand, these are the cards that can be drawn. Which cards
make a hand is said by `games.progressive_wager.cards_making`; here they are counted without looking at single hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Final, NamedTuple

from crossfelt.cards.card import RANKS, SUITS

_CARDS: Final = 7
_ACE: Final = RANKS.index("A")
_JOKER: Final = (0, 1)


class Making(NamedTuple):
    """Hands of a category, the natural cards that make them, and the hands that the joker makes with them."""

    hands: int
    cards: int
    jokers: int


class _Made(NamedTuple):
    category: str
    cards: int
    joker: int


@cache
def cards_making_hands(ranks: tuple[int, ...] = tuple(range(len(RANKS)))) -> Mapping[str, Making]:
    """By category, from all seven-card hands of a deck of these ranks and a joker.

    >>> made = cards_making_hands()
    >>> made["five_aces"], made["seven_card_straight_flush"].hands
    (Making(hands=1128, cards=4512, jokers=1128), 228)
    """
    totals: dict[str, Making] = {}
    for joker in _JOKER:
        for made, hands in (*_of_one_suit(ranks, joker), *_by_rank(ranks, joker)):
            before = totals.get(made.category, Making(0, 0, 0))
            more = Making(hands, hands * made.cards, hands * made.joker)
            totals[made.category] = Making(*(sum(both) for both in zip(before, more, strict=True)))
    return totals


def _of_one_suit(ranks: tuple[int, ...], joker: int) -> Iterator[tuple[_Made, int]]:
    """Straight flushes: the ranks held in their suit, and any cards of the others."""
    natural, suits = _CARDS - joker, len(SUITS)
    for size in range(5 - joker, natural + 1):
        for held in combinations(ranks, size):
            made = _straight_flush(frozenset(held), joker)
            if made is not None:
                yield made, suits * comb((suits - 1) * len(ranks), natural - size)


def _straight_flush(held: frozenset[int], joker: int) -> _Made | None:
    """The best that ranks of one suit make; the joker fills a gap, or stands for a card that is there."""
    if any(len(held & run) + joker == _CARDS for run in _runs(_CARDS)):
        return _Made("seven_card_straight_flush", len(held), joker)
    for run in _runs(5):
        cards = len(held & run)
        if cards + joker >= 5:
            return _Made("royal_flush" if run == _runs(5)[0] else "straight_flush", cards, joker)
    return None


@cache
def _runs(size: int) -> tuple[frozenset[int], ...]:
    """Consecutive ranks, the highest first; an ace may be the lowest."""
    return tuple(
        frozenset(rank % len(RANKS) for rank in range(top - size + 1, top + 1)) for top in range(_ACE, size - 3, -1)
    )


def _by_rank(ranks: tuple[int, ...], joker: int) -> Iterator[tuple[_Made, int]]:
    """Hands that several cards of a rank make, in all suits but those in which they are straight flushes as well."""
    suits = len(SUITS)
    for held in combinations_with_replacement(ranks, _CARDS - joker):
        copies = Counter(held)
        made = _full_house_or_better(copies, joker) if max(copies.values()) <= suits else None
        if made is None:
            continue
        hands = prod(comb(suits, count) for count in copies.values())
        # So few ranks leave no room for a straight flush, unless with a joker, and if each of them is of the suit.
        if _straight_flush(frozenset(copies), joker) is not None:
            hands -= suits * prod(comb(suits - 1, count - 1) for count in copies.values())
        yield made, hands


def _full_house_or_better(copies: Counter[int], joker: int) -> _Made | None:
    """The best by ranks alone, the joker being an ace. Of three cards any two are the pair: all of them count."""
    counts = Counter(copies)
    counts[_ACE] += joker
    rank, most = max(counts.items(), key=lambda one: (one[1], one[0]))
    if most >= 4:
        of_joker = joker * (rank == _ACE)
        return _Made("five_aces" if most == 5 else "four_of_a_kind", most - of_joker, of_joker)
    pairs = [pair for pair, count in counts.items() if count >= 2 and pair != rank]
    if most < 3 or not pairs:
        return None
    pair = max(pairs)
    of_joker = joker * (_ACE in (rank, pair))
    return _Made("full_house", most + counts[pair] - of_joker, of_joker)
