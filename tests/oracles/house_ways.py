"""Two house ways a second time, written out branch by branch: which two faces go in front.

The joker counts as an ace, unless it completes a straight or flush behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from oracles.five_card import FACES, RUNS
from oracles.two_card import LADDER

HIGH_TO_LOW = FACES[::-1]


def face_of(card: str) -> str:
    return "A" if card == "Jk" else card[0]


class Held:
    """Seven cards by what they have in common, each group from the highest face down."""

    def __init__(self, cards: Sequence[str]) -> None:
        self.cards = cards
        self.copies = Counter(map(face_of, cards))
        self.singles, self.pairs, self.threes, self.fours = map(self._of, (1, 2, 3, 4))
        self.highest_two_alone = self.singles[:2]

    def _of(self, size: int) -> str:
        return "".join(face for face in HIGH_TO_LOW if self.copies[face] == size)

    def fronts_before_a_straight_or_flush(self) -> list[str]:
        """The faces of every two cards that leave a straight or flush behind."""
        return [
            faces_of(front)
            for front in combinations(self.cards, 2)
            if is_complete([card for card in self.cards if card not in front])
        ]


def is_complete(five: Sequence[str]) -> bool:
    """Return whether five cards are a straight, a flush or both; the joker may be any card they lack."""
    natural = [card for card in five if card != "Jk"]
    faces = {card[0] for card in natural}
    if len(faces) < len(natural):
        return False
    return len({card[1] for card in natural}) == 1 or any(faces <= set(run) for run in RUNS)


def faces_of(cards: Sequence[str]) -> str:
    """The faces of two cards, the higher first."""
    return "".join(sorted(map(face_of, cards), key=HIGH_TO_LOW.index))


def highest(fronts: Sequence[str]) -> str:
    return max(fronts, key=LADDER.index)


def foxwoods(cards: Sequence[str]) -> str:
    """The faces in front, the higher first."""
    held = Held(cards)
    if held.copies["A"] == 5:
        return "KK" if held.pairs == "K" else "AA"
    if held.fours:
        return _foxwoods_four(held)
    if held.threes:
        return _three(held)
    if len(held.pairs) == 3:
        return held.pairs[0] * 2
    if len(held.pairs) == 2:
        return _foxwoods_two_pair(held)
    complete = held.fronts_before_a_straight_or_flush()
    if not complete:
        return held.highest_two_alone if held.pairs else held.singles[1:3]
    with_ace = held.pairs in ("T", "J", "Q", "K") and held.singles[0] == "A"
    return highest([*complete, held.highest_two_alone]) if with_ace else highest(complete)


def _foxwoods_four(held: Held) -> str:
    four, beside = held.fours, held.pairs + held.threes
    if beside:
        return beside * 2
    if four in "AKQJ":
        return four * 2
    if four in "T987" and held.singles[0] not in "AK":
        return four * 2
    return held.highest_two_alone


def _foxwoods_two_pair(held: Held) -> str:
    big, small = held.pairs[0], held.pairs[1]
    if big in "AKQJ":
        return small * 2
    enough = "A" if big in "T987" else "AK"
    return held.highest_two_alone if held.singles[0] in enough else small * 2


def _three(held: Held) -> str:
    """Three of a kind, but no four: the same at Trump Plaza, with one exception there."""
    if len(held.threes) == 2:
        return held.threes[0] * 2
    if held.pairs:
        return held.pairs[0] * 2
    two_of_them = held.threes * 2
    if two_of_them in held.fronts_before_a_straight_or_flush():
        return two_of_them
    return "A" + held.singles[0] if held.threes == "A" else held.highest_two_alone


def trump_plaza(cards: Sequence[str]) -> str:
    """The faces in front, the higher first."""
    held = Held(cards)
    if held.copies["A"] == 5:
        return "KK" if "K" in held.pairs else "AA"
    if held.fours:
        return _trump_plaza_four(held)
    if held.threes:
        if held.pairs == "2" and held.singles == "AK":
            return "AK"
        return _three(held)
    if len(held.pairs) == 3:
        return held.pairs[0] * 2
    if len(held.pairs) == 2:
        return _trump_plaza_two_pair(held)
    complete = held.fronts_before_a_straight_or_flush()
    if complete:
        return highest(complete)
    return held.highest_two_alone if held.pairs else held.singles[1:3]


def _trump_plaza_four(held: Held) -> str:
    if held.pairs or held.threes:
        return (held.pairs or held.threes) * 2
    keeps = {"low": FACES, "medium": "KA", "high": "A", "aces": ""}[_size(held.fours)]
    return held.highest_two_alone if held.singles[0] in keeps else held.fours * 2


def _trump_plaza_two_pair(held: Held) -> str:
    keeps = {
        ("low", "low"): "KA",
        ("medium", "low"): "KA",
        ("high", "low"): "A",
        ("medium", "medium"): "A",
    }.get((_size(held.pairs[0]), _size(held.pairs[1])), "")
    return held.highest_two_alone if held.singles[0] in keeps else held.pairs[1] * 2


def _size(face: str) -> str:
    if face == "A":
        return "aces"
    return "low" if face in "23456" else "medium" if face in "789T" else "high"


HOUSE_WAYS: dict[str, Callable[[Sequence[str]], str]] = {"foxwoods": foxwoods, "trump_plaza": trump_plaza}
