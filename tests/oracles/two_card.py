"""Two-card hands a second time: all 91 of them are written down from the lowest to the highest."""

from __future__ import annotations

from collections.abc import Sequence

FACES = "23456789TJQKA"

LADDER = [
    *(high + low for high in FACES for low in FACES[: FACES.index(high)]),
    *(face + face for face in FACES),
]


def key_of(cards: Sequence[str]) -> int:
    """The rung of two cards such as ``As`` or ``Jk``; higher is better."""
    faces = ["A" if card == "Jk" else card[0] for card in cards]
    return LADDER.index("".join(sorted(faces, key=FACES.index, reverse=True)))


def category_of(cards: Sequence[str]) -> str:
    """Return whether two cards are a pair."""
    return "pair" if key_of(cards) >= LADDER.index("22") else "high_card"
