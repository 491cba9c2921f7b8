"""Unbiased random draws: shuffles, cuts, dice and wheel stops, all computed from one secret seed.

A seed is 384 bits from the operating system, fresh for each shuffle (`fresh_seed`). Everything else is
deterministic: the same seed and label give the same draws on every machine.

The bytes of a label are the blocks 0, 1, 2 … of::

    SHAKE-256("crossfelt chance 1" ‖ length of label, 2 bytes ‖ label ‖ seed ‖ number of block, 8 bytes)

cut at 136 bytes, which is one permutation of SHAKE-256. Numbers are big-endian, labels UTF-8. A draw below 52
takes the next byte; 208 to 255 would favour the low numbers (256 is 4 × 52 + 48), so these are rejected and
the following byte is used. The rest falls on each number equally often. A draw below more than 256 takes as
many bytes as it needs, and rejects in the same way.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, count, islice
from typing import Final, TypeVar

from crossfelt.errors import BadInput, Problem

T = TypeVar("T")

SEED_BYTES: Final = 48
BLOCK_BYTES: Final = 136

_VERSION: Final = b"crossfelt chance 1"
_BYTE_LIMITS: Final = {bound: 256 - 256 % bound for bound in range(1, 257)}
"""Limits by bound: the bytes below the limit fall on each number below the bound equally often."""


def shuffled(deck: Iterable[T], seed: bytes) -> tuple[T, ...]:
    """Return the deck in the order determined by the seed, the top card first."""
    cards = tuple(deck)
    return Chance(seed, shuffle_label(len(cards))).shuffled(cards)


def shuffle_label(cards: int) -> str:
    """Return the label of the shuffle of a deck; decks of different size use independent streams."""
    return f"shuffle/{cards}"


class Chance:
    """A stream of draws from a seed; each label has an independent stream.

    >>> chance = Chance(repeatable_seed(7), "dice")
    >>> [chance.between(1, 6) for _ in range(8)]
    [6, 5, 3, 3, 5, 2, 1, 2]
    """

    __slots__ = ("_source",)

    def __init__(self, seed: bytes, label: str) -> None:
        self._source = _bytes_of(label, seed)

    def below(self, bound: int) -> int:
        """Draw a number from 0 to ``bound - 1``, all equally likely."""
        return draw_below(bound, self._source)

    def between(self, low: int, high: int) -> int:
        """Draw a number from `low` to `high`, both included: dice, the depth of a cut, a random number 1 to 7."""
        if low > high:
            what = "no number lies between these bounds"
            raise BadInput.at("", "chance.range", what, f"{low} … {high}", "the lower bound first")
        return low + draw_below(high - low + 1, self._source)

    def weighted(self, weights: Sequence[int]) -> int:
        """Draw the index of one of the weights, with a probability exactly proportional to it.

        >>> chance = Chance(repeatable_seed(7), "wheel")
        >>> [chance.weighted([1, 0, 3]) for _ in range(10)]
        [2, 2, 0, 0, 0, 2, 0, 2, 2, 2]
        """
        return draw_weighted(weights, self._source)

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return all items in random order, all orders equally likely."""
        order = list(items)
        arrange(order, self._source)
        return tuple(order)

    def take(self, size: int) -> bytes:
        """Return the next bytes of the stream, for seeds and salts."""
        return bytes(islice(self._source, size))


def arrange(items: list[T], source: Iterator[int]) -> None:
    """Shuffle in place by Fisher and Yates: the last place gets one of all items, the one before it one of the rest.

    >>> items = ["a", "b", "c"]
    >>> arrange(items, iter([0, 1]))
    >>> items
    ['c', 'b', 'a']
    """
    for left in range(len(items), 1, -1):
        chosen = draw_below(left, source)
        last = left - 1
        items[last], items[chosen] = items[chosen], items[last]


def draw_below(bound: int, source: Iterator[int]) -> int:
    """Draw a number below `bound` from a source of bytes, rejecting bytes that would favour some numbers.

    >>> draw_below(52, iter([255, 208, 107]))
    3
    """
    try:
        limit = _BYTE_LIMITS[bound]
    except KeyError:
        return _draw_below_more(bound, source)
    for byte in source:
        if byte < limit:
            return byte % bound
    raise EOFError("the source of bytes is exhausted")


def draw_weighted(weights: Sequence[int], source: Iterator[int]) -> int:
    """Draw the index of one of the weights from a source of bytes.

    >>> [draw_weighted([1, 0, 3], iter([byte])) for byte in range(4)]
    [0, 2, 2, 2]
    """
    _require_weights(weights)
    left = draw_below(sum(weights), source)
    for index, weight in enumerate(weights):
        if left < weight:
            return index
        left -= weight
    raise AssertionError("a draw below the sum of the weights falls on one of them")


def repeatable_seed(number: int) -> bytes:
    """Return a predictable seed, for tests, scripted rounds and repeatable tables; never for money.

    >>> repeatable_seed(7).hex()[:16]
    '204225375c329885'
    """
    return hashlib.shake_256(b"crossfelt repeatable seed 1 " + str(number).encode()).digest(SEED_BYTES)


def read_seed(text: str, *, where: str = "seed") -> bytes:
    """Parse a typed seed: 96 hexadecimal digits, or a whole number for a repeatable seed.

    >>> read_seed("7") == repeatable_seed(7) == read_seed(repeatable_seed(7).hex())
    True
    >>> read_seed("seven")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: seed: not a seed: 'seven' (allowed: 96 hexadecimal digits, or a whole number)
    """
    if re.fullmatch(f"[0-9a-fA-F]{{{2 * SEED_BYTES}}}", text):
        return bytes.fromhex(text)
    if re.fullmatch("[0-9]{1,40}", text):
        return repeatable_seed(int(text))
    allowed = f"{2 * SEED_BYTES} hexadecimal digits, or a whole number"
    raise BadInput.at(where, "seed.unreadable", "not a seed", text, allowed)


@lru_cache(maxsize=256)
def stream_prefix(label: str) -> bytes:
    """Return the input of SHAKE-256 before the seed and the number of the block.

    >>> stream_prefix("cut")
    b'crossfelt chance 1\\x00\\x03cut'
    """
    text = label.encode()
    return _VERSION + len(text).to_bytes(2, "big") + text


def _bytes_of(label: str, seed: bytes) -> Iterator[int]:
    start = stream_prefix(label) + _required(seed)
    return chain.from_iterable(
        hashlib.shake_256(start + block.to_bytes(8, "big")).digest(BLOCK_BYTES) for block in count()
    )


def first_bytes(seed: bytes, label: str, size: int) -> bytes:
    """Return what `Chance(seed, label).take(size)` does, within the first block, in a third of the time.

    >>> first_bytes(repeatable_seed(7), "salt", 32) == Chance(repeatable_seed(7), "salt").take(32)
    True
    """
    return hashlib.shake_256(stream_prefix(label) + _required(seed) + bytes(8)).digest(size)


def _required(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        # The message shows only the size: a seed of nearly the right size is still secret.
        raise BadInput.at("", "seed.size", "wrong size of a seed", len(seed), f"{SEED_BYTES} bytes")
    return seed


def _draw_below_more(bound: int, source: Iterator[int]) -> int:
    if bound < 1:
        raise BadInput.at("", "chance.bound", "no number lies below this", bound, "1 …")
    size = ((bound - 1).bit_length() + 7) // 8
    limit = 256**size - 256**size % bound
    while len(taken := bytes(islice(source, size))) == size:
        number = int.from_bytes(taken, "big")
        if number < limit:
            return number % bound
    raise EOFError("the source of bytes is exhausted")


def _require_weights(weights: Sequence[int]) -> None:
    problems = [
        Problem.at(f"weights[{index}]", "chance.weight", "not a weight", weight, "0, 1, 2 …")
        for index, weight in enumerate(weights)
        if not isinstance(weight, int) or weight < 0
    ]
    if not problems and not any(weights):
        problems.append(Problem.at("weights", "chance.weight", "every weight is 0", allowed="1 …"))
    if problems:
        raise BadInput(*problems)


# --- the only source of randomness: the generator of the operating system


def fresh_seed() -> bytes:
    """Return 384 secret random bits, for one shuffle or one set of draws.

    There are 2^225.6 orders of 52 cards and 2^231.3 of 53, so every order can occur.

    >>> len(fresh_seed()), fresh_seed() == fresh_seed()
    (48, False)
    """
    return secrets.token_bytes(SEED_BYTES)


def fresh_seeds(count: int) -> bytes:
    """Return several independent seeds of 384 bits in one piece."""
    return secrets.token_bytes(SEED_BYTES * count)
