"""Sets of two cards beside a starting hand, in few words: ``any A K, QQ-66, J-T9``.

``any K`` is a king with any other card, ``QQ-66`` are pairs, ``J-T9`` is a jack with a ten or a nine. Where the hole
cards are of one suit, ``Ks`` is the king of that suit and ``Ko`` one of another; ``K`` is either, and ``both s`` are
two cards of the suit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from crossfelt.cards.card import RANKS
from crossfelt.hands.starting_hands import StartingHand
from crossfelt.kernels.prospects import layout

BOTH: Final = "both s"
NameT = TypeVar("NameT", str, tuple[str, str])
Cards = int
"""A set of pairs of types, which are numbered as in `layout`: one bit for each."""


class Words(NamedTuple):
    """What can be said of two cards beside a starting hand, and of which it is true."""

    any_with: dict[str, Cards]
    pairs: dict[str, Cards]
    """By rank, from the ace down."""
    both: Cards
    two: dict[tuple[str, str], Cards]
    """By two cards, the higher first; what is said of whatever suits comes before what is said of one."""

    def told(self, chosen: Cards, dealt: Cards) -> str:
        """The chosen ones, of those that can be dealt.

        >>> from crossfelt.hands.starting_hands import STARTING_HANDS
        >>> words = words_beside(STARTING_HANDS[13])
        >>> words.told(words.any_with["A"] | words.pairs["6"] | words.two["Q", "J"], (1 << 91) - 1)
        'any A, 66, Q-J'
        """
        left, parts = chosen, list[str]()
        others = dealt & ~chosen
        any_with = []
        for name, cards in self.any_with.items():
            if cards & left and not cards & others:
                any_with.append(name)
                left &= ~cards
        if any_with:
            parts.append(f"any {' '.join(any_with)}")
        for first, last in self._ranges(left, others):
            parts.append(first * 2 if first == last else f"{first * 2}-{last * 2}")
            left &= ~self._between(first, last)
        if self.both & left and not self.both & others:
            parts.append(BOTH)
            left &= ~self.both
        with_first = defaultdict[str, str](str)
        for (one, other), cards in self.two.items():
            if cards & left and not cards & others:
                with_first[one] += other
                left &= ~cards
        assert not left
        return ", ".join([*parts, *(f"{one}-{others}" for one, others in with_first.items())])

    def _ranges(self, left: Cards, others: Cards) -> Iterator[tuple[str, str]]:
        """Pairs to be told, from the highest to the lowest of neighbours."""
        first = last = ""
        for rank, cards in self.pairs.items():
            if cards & others:
                if first:
                    yield first, last
                first = ""
            elif cards & left:
                first, last = first or rank, rank
        if first:
            yield first, last

    def _between(self, first: str, last: str) -> Cards:
        ranks = list(self.pairs)
        return sum(self.pairs[rank] for rank in ranks[ranks.index(first) : ranks.index(last) + 1])


@lru_cache(maxsize=256)
def words_beside(hand: StartingHand) -> Words:
    """What can be said of two cards beside a starting hand."""
    types = layout(hand)
    any_with, two = defaultdict[str, Cards](int), defaultdict[tuple[str, str], Cards](int)
    pairs, both = dict.fromkeys(reversed(RANKS), 0), 0
    for place, pair in enumerate(types.pairs.tolist()):
        bit = 1 << place
        high, low = sorted(pair, key=lambda card: -int(types.rank[card]))
        ranks = RANKS[types.rank[high]], RANKS[types.rank[low]]
        told = [ranks]
        if hand.suited:
            inside = bool(types.in_suit[high]), bool(types.in_suit[low])
            both |= bit * all(inside)
            told.append((ranks[0] + "os"[inside[0]], ranks[1] + "os"[inside[1]]))
        for name in {name for names in told for name in names}:
            any_with[name] |= bit
        if ranks[0] == ranks[1]:
            pairs[ranks[0]] |= bit
            told.remove(ranks)
        for names in told:
            two[names] |= bit
    return Words(_in_order(any_with), pairs, both, _in_order(two))


def _in_order(found: dict[NameT, Cards]) -> dict[NameT, Cards]:
    """Ranks before cards of one suit, and both from the ace down."""

    def place(name: NameT) -> tuple[int, list[tuple[int, str]]]:
        cards = (name,) if isinstance(name, str) else name
        return len(cards[0]), [(-RANKS.index(card[0]), card) for card in cards]

    return {name: found[name] for name in sorted(found, key=place)}
