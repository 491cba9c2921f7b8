"""What a kernel may be given: compiled code does not look where it reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.kernel import Kernel, part_of_kernel
from crossfelt.problems import BadInput, Problem

Hands = NDArray[np.uint8]


def require_shape(hands: NDArray[np.uint8], cards: int) -> Hands:
    """The same hands in one block of memory, if they are one row of `cards` bytes each; refused otherwise.

    >>> require_shape(np.zeros((2, 4), dtype=np.int64), 5)
    Traceback (most recent call last):
    crossfelt.problems.BadInput: hands: wrong type of numbers: 'int64' (allowed: uint8)
    hands: wrong shape: '(2, 4)' (allowed: (n, 5))
    """
    if not isinstance(hands, np.ndarray):
        what = "not an array"
        raise BadInput(
            Problem(
                code="hands.array",
                what=what,
                where="hands",
                value=type(hands).__name__,
                allowed="numpy.ndarray",
            )
        )
    problems = []
    if hands.dtype != np.uint8:
        what, value = "wrong type of numbers", str(hands.dtype)
        problems.append(Problem(code="hands.dtype", what=what, where="hands", value=value, allowed="uint8"))
    if hands.ndim != 2 or hands.shape[1] != cards:
        what, value, allowed = "wrong shape", str(hands.shape), f"(n, {cards})"
        problems.append(Problem(code="hands.shape", what=what, where="hands", value=value, allowed=allowed))
    if problems:
        raise BadInput.of(problems)
    return np.ascontiguousarray(hands)


def require_cards_of_deck(hands: Hands, deck: int, *, first_row: int = 0) -> None:
    """Refuse a card that a deck of this size does not have.

    >>> require_cards_of_deck(np.array([[3, 52]], dtype=np.uint8), 52)
    Traceback (most recent call last):
    crossfelt.problems.BadInput: hands[0]: no card of this deck: 52 (allowed: 0 … 51)
    """
    rows, _ = np.nonzero(hands >= deck)
    if not rows.size:
        return
    where, value, allowed = f"hands[{first_row + rows[0]}]", int(hands[rows[0]].max()), f"0 … {deck - 1}"
    raise BadInput(
        Problem(code="hands.card", what="no card of this deck", where=where, value=value, allowed=allowed)
    )


def require_different_cards(hands: Hands, *, first_row: int = 0) -> None:
    """Refuse a hand that holds one card twice.

    >>> require_different_cards(np.array([[1, 2], [7, 7]], dtype=np.uint8))
    Traceback (most recent call last):
    crossfelt.problems.BadInput: hands[1]: card given more than once: 7
    """
    row = _first_with_repeat(hands)
    if row >= 0:
        cards = hands[row].tolist()
        repeated = next(card for card in cards if cards.count(card) > 1)
        where = f"hands[{first_row + row}]"
        what = "card given more than once"
        raise BadInput(Problem(code="hands.repeated", what=what, where=where, value=repeated))


@part_of_kernel
def highest_card(hands: Hands) -> np.uint8:
    """The highest card of all these hands: asking costs a kernel next to nothing."""
    highest = np.uint8(0)
    # Written so, it becomes a few vector instructions.
    for card in hands.reshape(-1):
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
