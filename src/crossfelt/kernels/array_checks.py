"""Checks of kernel arguments; compiled code does not check its reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.errors import BadInput, Problem
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, share_count, share_of

Hands = NDArray[np.uint8]

_SMALLEST_SHARE = 1 << 14


def require_shape(hands: NDArray[np.uint8], cards: int) -> Hands:
    """Return contiguous hands of `cards` bytes per row; refuse other shapes.

    >>> require_shape(np.zeros((2, 4), dtype=np.int64), 5)
    Traceback (most recent call last):
    crossfelt.errors.BadInput: hands: wrong type of numbers: 'int64' (allowed: uint8)
    hands: wrong shape: '(2, 4)' (allowed: (n, 5))
    """
    if not isinstance(hands, np.ndarray):
        raise BadInput(_problem("array", "not an array", type(hands).__name__, "numpy.ndarray"))
    problems = []
    if hands.dtype != np.uint8:
        problems.append(_problem("dtype", "wrong type of numbers", str(hands.dtype), "uint8"))
    if hands.ndim != 2 or hands.shape[1] != cards:
        problems.append(_problem("shape", "wrong shape", str(hands.shape), f"(n, {cards})"))
    if problems:
        raise BadInput.of(problems)
    return np.ascontiguousarray(hands)


def require_cards_of_deck(hands: Hands, deck: int, *, first_row: int = 0) -> None:
    """Refuse a card that a deck of this size does not have.

    >>> require_cards_of_deck(np.array([[3, 52]], dtype=np.uint8), 52)
    Traceback (most recent call last):
    crossfelt.errors.BadInput: hands[0]: no card of this deck: 52 (allowed: 0 … 51)
    """
    rows, _ = np.nonzero(hands >= deck)
    if rows.size:
        card, place = int(hands[rows[0]].max()), int(first_row + rows[0])
        raise BadInput(_problem("card", "no card of this deck", card, f"0 … {deck - 1}", row=place))


def require_different_cards(hands: Hands, *, first_row: int = 0) -> None:
    """Refuse a hand with a repeated card.

    >>> require_different_cards(np.array([[1, 2], [7, 7]], dtype=np.uint8))
    Traceback (most recent call last):
    crossfelt.errors.BadInput: hands[1]: card given more than once: 7
    """
    shares = share_count(len(hands), _SMALLEST_SHARE)

    def first_repeat(share: int) -> int:
        rows = share_of(len(hands), share, shares)
        row = _first_with_repeat(hands[rows])
        return row if row < 0 else rows.start + row

    repeats = [row for row in in_threads(first_repeat, shares) if row >= 0]
    if repeats:
        cards = hands[repeats[0]].tolist()
        repeated = next(card for card in cards if cards.count(card) > 1)
        raise BadInput(_problem("repeated", "card given more than once", repeated, row=first_row + repeats[0]))


def _problem(code: str, what: str, value: str | int, allowed: str = "", *, row: int | None = None) -> Problem:
    where = "hands" if row is None else f"hands[{row}]"
    return Problem(code=f"hands.{code}", what=what, where=where, value=value, allowed=allowed)


@part_of_kernel
def highest_card(cards: NDArray[np.uint8]) -> np.uint8:
    """Return the highest of many cards, at almost no cost to a kernel."""
    highest = np.uint8(0)
    # This form compiles to a few vector instructions.
    for card in cards:
        if card > highest:
            highest = card
    return highest


@Kernel
def _first_with_repeat(hands: Hands) -> int:
    for row in range(hands.shape[0]):
        held = np.uint64(0)
        for place in range(hands.shape[1]):
            card = np.uint64(1) << np.uint64(hands[row, place])
            if held & card:
                return row
            held |= card
    return -1
