"""What a hand is worth against another hand."""

from __future__ import annotations

import msgspec

from crossfelt.hands.names import name_of
from crossfelt.hands.orders import LEVELS


class HandRank(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A category and the ranks that break a tie inside it, in one of the orders of `crossfelt.hands.orders`.

    Hands of different orders are never equal, and asking which of them is higher is refused.

    >>> kings = HandRank("five_card", "pair", (11, 9, 4, 2))
    >>> nines = HandRank("five_card", "pair", (7, 12, 11, 10))
    >>> kings > nines, max(kings, nines).name
    (True, 'pair of kings')
    >>> kings < HandRank("two_card", "pair", (12,))
    Traceback (most recent call last):
    TypeError: a five_card hand cannot be compared with a two_card hand
    """

    order: str
    category: str
    ranks: tuple[int, ...]
    """Tie-breakers, most significant first, 0 for a two … 12 for an ace. A pair's own rank comes first."""

    @property
    def name(self) -> str:
        """What a dealer would say.

        >>> HandRank("five_card", "full_house", (12, 7)).name
        'aces full of nines'
        """
        return name_of(self.category, self.ranks)

    @property
    def level(self) -> int:
        """The place of the category in its order, 0 for the lowest.

        >>> HandRank("five_card", "royal_flush", (12,)).level
        9
        """
        return LEVELS[self.order][self.category]

    def _compare(self, other: HandRank) -> int:
        if self.order != other.order:
            raise TypeError(f"a {self.order} hand cannot be compared with a {other.order} hand")
        mine, theirs = (self.level, self.ranks), (other.level, other.ranks)
        return (mine > theirs) - (mine < theirs)

    def __lt__(self, other: HandRank) -> bool:
        return self._compare(other) < 0

    def __le__(self, other: HandRank) -> bool:
        return self._compare(other) <= 0

    def __gt__(self, other: HandRank) -> bool:
        return self._compare(other) > 0

    def __ge__(self, other: HandRank) -> bool:
        return self._compare(other) >= 0
