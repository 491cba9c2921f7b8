"""Random deals for simulations; tables use `crossfelt.cards.shuffle`.

The generator is xoshiro256++ (Blackman and Vigna), which passes the usual test batteries at a nanosecond per number.
Its 256 bits of state come from SHA-256, so every label has its own stream. Cards are drawn by Lemire's multiplication
with rejection, so all cards are equally likely.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.errors import BadInput
from crossfelt.kernels.jit import Kernel, part_of_kernel

Hands = NDArray[np.uint8]
"""Cards by hand, a row for each."""
Word = np.uint64
State = NDArray[Word]

LARGEST_DECK: Final = 53
_HALF: Final = 32


def deals(stream: str, count: int, cards: int, deck: int | Sequence[int]) -> Hands:
    """Return the first `cards` cards of `count` shuffled decks, one row each; the same for the same stream.

    `deck` is the number of cards, or the remaining cards.

    >>> deals("a", 3, 5, 52).tolist() == deals("a", 3, 5, 52).tolist() != deals("b", 3, 5, 52).tolist()
    True
    >>> sorted(deals("a", 1, 53, 53)[0].tolist()) == list(range(53))
    True
    """
    left = np.array(range(deck) if isinstance(deck, int) else deck, dtype=np.uint8)
    if not 0 < cards <= len(left) <= LARGEST_DECK:
        what, allowed = "no such deal", f"1 … {len(left)} cards of a deck of at most {LARGEST_DECK}"
        raise BadInput.at("", "deal.cards", what, f"{cards} of {len(left)}", allowed)
    result = np.empty((count, cards), dtype=np.uint8)
    _deal(stream_state(stream), left, result)
    return result


def draws(stream: str, count: int, bound: int) -> NDArray[np.int64]:
    """Draw `count` uniform numbers below `bound`.

    >>> sorted(set(draws("a", 200, 3).tolist()))
    [0, 1, 2]
    """
    if not 0 < bound <= 1 << 31:
        raise BadInput.at("", "draw.bound", "no such range", bound, f"1 … {1 << 31}")
    result = np.empty(count, dtype=np.int64)
    _draw(stream_state(stream), Word(bound), result)
    return result


def stream_state(stream: str) -> State:
    """Return the initial state of a stream."""
    return np.frombuffer(hashlib.sha256(stream.encode()).digest(), dtype="<u8").astype(Word)


@part_of_kernel
def next_word(state: State) -> Word:
    """Return the next 64 bits."""
    total = state[0] + state[3]
    result: Word = (total << Word(23) | total >> Word(41)) + state[0]
    shifted = state[1] << Word(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = state[3] << Word(45) | state[3] >> Word(19)
    return result


@part_of_kernel
def number_below(state: State, bound: Word) -> Word:
    """Draw a uniform number below `bound`."""
    while True:
        product = (next_word(state) >> Word(_HALF)) * bound
        low = product & Word(0xFFFF_FFFF)
        # Only a low half below the bound can fall into the uneven rest of the range.
        if low >= bound or low >= (Word(1 << _HALF) - bound) % bound:
            return product >> Word(_HALF)


@Kernel
def _deal(state: State, deck: NDArray[np.uint8], result: Hands) -> None:
    """Shuffle the needed cards by Fisher and Yates; each deal starts from the order of the last."""
    for row in range(result.shape[0]):
        for place in range(result.shape[1]):
            other = Word(place) + number_below(state, Word(deck.size - place))
            card = deck[other]
            deck[other] = deck[place]
            deck[place] = card
            result[row, place] = card


@Kernel
def _draw(state: State, bound: Word, result: NDArray[np.int64]) -> None:
    for place in range(result.size):
        result[place] = number_below(state, bound)
