"""Every deal of a position of Double Cross Poker, card by card, in plain Python.

N.J.A.C. 19:47-25: the player's two cards with the vertical or the horizontal line, against the better of the
dealer's two hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

from oracles import five_card

SUITS = "cdhs"


def outcomes(faces: str, hole: Sequence[str], top: str, right: str) -> tuple[Counter[str], Counter[str]]:
    """Deals by result, on the vertical line and on the horizontal one: ``lost``, ``tied`` or the category that wins.

    `faces` are the ranks in the deck, all of them or a few.

    >>> [sum(counts.values()) for counts in outcomes("JQK", ["Jc", "Jd"], "Qc", "Kd")]
    [3360, 3360]
    """
    unseen = [face + suit for face in faces for suit in SUITS if face + suit not in (*hole, top, right)]
    vertical: Counter[str] = Counter()
    horizontal: Counter[str] = Counter()
    for centre, bottom, left in permutations(unseen, 3):
        down, across = (top, centre, bottom), (right, centre, left)
        mine = [hand(*sorted((*hole, *line))) for line in (down, across)]
        rest = [card for card in unseen if card not in (centre, bottom, left)]
        for dealer in combinations(rest, 2):
            theirs = max(hand(*sorted((*dealer, *line)))[0] for line in (down, across))
            for counts, (key, category) in zip((vertical, horizontal), mine, strict=True):
                counts["lost" if key < theirs else "tied" if key == theirs else category] += 1
    return vertical, horizontal


@cache
def hand(*cards: str) -> tuple[tuple[int, int], str]:
    """The key and the category of five cards."""
    return five_card.key_of(cards), five_card.category_of(cards)
