"""Strategy book of Double Cross Poker: for each starting hand, squares of top cards by right cards.

Suits are named by the hole cards: ``s`` is the suit of both, or ``h`` that of the higher and ``l`` that of the lower
card, ``o`` another one, and ``p`` a fourth one beside ``o``. Suits with the same choices share a square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solution import HandValue
from crossfelt.analysis.solver.double_cross.payoffs import CHOICES, FOLD, HORIZONTAL, VERTICAL
from crossfelt.analysis.solver.double_cross.positions import SUIT_WAYS, BestChoices, census
from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand
from crossfelt.hands.strength import PAIRS

NO_POSITION: Final = "."
Letters = NDArray[np.str_]


class Square(NamedTuple):
    """The choices with a starting hand, by top card and right card."""

    hand: str
    suits: tuple[str, ...]
    """Suits of the top and right card for which the square holds: ``s o``."""
    rows: tuple[str, ...]
    """First letter of the choice for each right card from the ace down, by top card from the ace down."""


def book(play: BestChoices, hands: Iterable[StartingHand] = STARTING_HANDS) -> Iterator[Square]:
    """Return the whole strategy; a position that cannot be dealt is a dot, or shown with suits in which it can."""
    positions = census(play.terms).positions
    letters = np.array([choice[0].upper() for choice in CHOICES])
    every = np.where(positions > 0, letters[play.choices], NO_POSITION)[::-1, ::-1]
    for hand in hands:
        pair = PAIRS.index((hand.low, hand.high))
        squares: list[tuple[list[str], Letters]] = []
        for way, (top, right, high, low) in enumerate(SUIT_WAYS):
            if (high == low) == hand.suited and (every[:, :, pair, way] != NO_POSITION).any():
                _put(squares, _suits(top, right, high, low), every[:, :, pair, way])
        for suits, square in squares:
            yield Square(hand.name, tuple(suits), tuple("".join(row) for row in square))


def shares_by_hand(play: BestChoices) -> dict[str, dict[str, Fraction]]:
    """Return the share of each choice with each starting hand, over the open top and right cards.

    >>> from crossfelt.analysis.solver.double_cross.positions import best_play
    >>> from crossfelt.analysis.solver.double_cross.payoffs import terms_of
    >>> from crossfelt.rulebooks.game import compile_game
    >>> shares = shares_by_hand(best_play(terms_of(compile_game("nj-double-cross"))))
    >>> "fold" in shares["AA"], float(round(shares["72o"]["fold"], 4))
    (False, 0.7722)
    """
    positions = census(play.terms).positions
    chosen = [(positions * (play.choices == place)).sum(axis=(0, 1)) for place in range(len(CHOICES))]
    shares = {}
    for hand in STARTING_HANDS:
        counts = {choice: int(chosen[place][_of_hand(hand)].sum()) for place, choice in enumerate(CHOICES)}
        shares[hand.name] = {name: Fraction(count, sum(counts.values())) for name, count in counts.items() if count}
    return shares


def values_by_hand(play: BestChoices) -> dict[str, HandValue]:
    """Return the average value of each starting hand, over the open top and right cards."""
    terms, positions = play.terms, census(play.terms).positions
    best = np.maximum(np.maximum(play.vertical, play.horizontal), terms.folded * terms.deals)
    sums = {VERTICAL: play.vertical, HORIZONTAL: play.horizontal, "": best}
    totals = {choice: (positions * values).sum(axis=(0, 1)) for choice, values in sums.items()}
    counts, found = positions.sum(axis=(0, 1)), {}
    for hand in STARTING_HANDS:
        deals = int(counts[_of_hand(hand)].sum()) * terms.deals * terms.scale
        values = {choice: Fraction(int(total[_of_hand(hand)].sum()), deals) for choice, total in totals.items()}
        of_best = values.pop("")
        found[hand.name] = HandValue(best=of_best, choices={FOLD: Fraction(terms.folded, terms.scale), **values})
    return found


def _of_hand(hand: StartingHand) -> tuple[int, list[int]]:
    """Return the pair of ranks and the patterns of suits of a starting hand."""
    ways = [way for way, (_, _, high, low) in enumerate(SUIT_WAYS) if (high == low) == hand.suited]
    return PAIRS.index((hand.low, hand.high)), ways


def _put(squares: list[tuple[list[str], Letters]], suits: str, square: Letters) -> None:
    """Add suits to the first square that agrees wherever both can be dealt, or as a new square."""
    for place, (others, other) in enumerate(squares):
        if ((square == other) | (square == NO_POSITION) | (other == NO_POSITION)).all():
            squares[place] = ([*others, suits], np.where(other == NO_POSITION, square, other))
            return
    squares.append(([suits], square))


def _suits(top: int, right: int, high: int, low: int) -> str:
    """Return the suits of the two open cards, relative to those of the hole cards.

    >>> _suits(0, 1, 0, 0), _suits(0, 0, 1, 2), _suits(0, 1, 2, 0)
    ('s o', 'o o', 'l o')
    """
    names = {high: "s"} if high == low else {high: "h", low: "l"}
    for suit in (top, right):
        names.setdefault(suit, "p" if "o" in names.values() else "o")
    return f"{names[top]} {names[right]}"
