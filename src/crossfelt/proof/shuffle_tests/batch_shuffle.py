"""Many shuffles at once, identical to those of `crossfelt.cards.shuffle`, for tests and laboratories."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.shuffle import BLOCK_BYTES, SEED_BYTES, fresh_seeds, shuffle_label, shuffled, stream_prefix

Bytes: TypeAlias = NDArray[np.uint8]

BATCH: Final = 1 << 14
"""The shuffles of one batch: few enough for the processor's caches, enough to hide Python's overhead."""
_RECOMPUTED_EVERY: Final = 1000


def shuffle_batch(seeds: bytes, cards: int) -> Bytes:
    """One row for each seed: the places in a new deck of the cards that now lie first, second, and so on.

    >>> seed = repeatable_seed(7)
    >>> tuple(shuffle_batch(seed, 52)[0].tolist()) == shuffled(range(52), seed)
    True
    """
    orders, used = arrange_batch(streams(seeds, cards), cards)
    for row in np.flatnonzero(used > BLOCK_BYTES):
        # Once in 10^55 shuffles this many bytes are rejected; the plain function continues in the next block.
        orders[row] = shuffled(range(cards), seeds[row * SEED_BYTES : (row + 1) * SEED_BYTES])
    return orders


def streams(seeds: bytes, cards: int) -> Bytes:
    """Return one row for each seed: the bytes from which a shuffle of `cards` cards is drawn, left to right.

    >>> streams(bytes(2 * SEED_BYTES), 52).shape
    (2, 136)
    """
    prefix, first_block, shake = stream_prefix(shuffle_label(cards)), bytes(8), hashlib.shake_256
    blocks = [
        shake(prefix + seeds[at : at + SEED_BYTES] + first_block).digest(BLOCK_BYTES)
        for at in range(0, len(seeds), SEED_BYTES)
    ]
    return np.frombuffer(b"".join(blocks), np.uint8).reshape(-1, BLOCK_BYTES)


def arrange_batch(rows: Bytes, cards: int) -> tuple[Bytes, NDArray[np.int64]]:
    """The orders drawn from rows of bytes, and how many bytes each took.

    A row that would have taken more bytes than it has is not a shuffle.

    >>> orders, used = arrange_batch(np.array([[0, 1, 9], [255, 2, 1]], np.uint8), 3)
    >>> orders.tolist(), used.tolist()
    ([[2, 1, 0], [0, 1, 2]], [2, 3])
    """
    count, length = rows.shape
    # One byte too many for each draw of a last row that has run out.
    source = np.concatenate([rows.ravel(), np.zeros(cards, np.uint8)])
    lane = np.arange(count)
    start = lane * length
    at, end = start.copy(), start + length
    # Places in rows and shuffles in columns, so that each step works on neighbouring memory.
    order = np.repeat(np.arange(cards, dtype=np.uint8)[:, np.newaxis], count, axis=1)
    flat = order.reshape(-1)
    for left in range(cards, 1, -1):
        drawn = source[at]
        at += 1
        limit = 256 - 256 % left
        rejected = np.flatnonzero(drawn >= limit) if limit < 256 else lane[:0]
        while (rejected := rejected[at[rejected] < end[rejected]]).size:
            drawn[rejected] = source[at[rejected]]
            at[rejected] += 1
            rejected = rejected[drawn[rejected] >= limit]
        chosen = (drawn % np.uint8(left)).astype(np.int64) * count + lane
        taken = flat[chosen]
        flat[chosen] = order[left - 1]
        order[left - 1] = taken
    return order.T, at - start


class ShippedShuffles:
    """Shuffles for a run of tests: from fresh entropy, or from a run seed that gives the same ones again.

    The tables' own function computes one shuffle in a thousand again; a difference ends the run.
    """

    def __init__(self, cards: int, run_seed: bytes | None = None) -> None:
        self.cards = cards
        self.run_seed = run_seed
        self.recomputed = 0

    def batches(self, shuffles: int) -> Iterator[Bytes]:
        """Yield the shuffles in batches."""
        for seeds in self.seeds(shuffles):
            yield self.shuffled(seeds)

    def seeds(self, shuffles: int) -> Iterator[bytes]:
        """Yield the seeds of the shuffles in batches: 48 bytes each."""
        for batch, first in enumerate(range(0, shuffles, BATCH)):
            count = min(BATCH, shuffles - first)
            if self.run_seed is None:
                yield fresh_seeds(count)
            else:  # one long digest for each batch; a shorter last batch begins like a full one
                start = stream_prefix("seeds of a run") + self.run_seed + batch.to_bytes(8, "big")
                yield hashlib.shake_256(start).digest(SEED_BYTES * count)

    def shuffled(self, seeds: bytes) -> Bytes:
        """The shuffles of these seeds, some of them worked out twice."""
        orders = shuffle_batch(seeds, self.cards)
        for row in range(0, len(orders), _RECOMPUTED_EVERY):
            seed = seeds[row * SEED_BYTES : (row + 1) * SEED_BYTES]
            if tuple(orders[row].tolist()) != shuffled(range(self.cards), seed):
                raise AssertionError(f"shuffled many at once, seed {seed.hex()} gives another order")
            self.recomputed += 1
        return orders


class Batch:
    """Some shuffles of one run, whole decks all of them.

    `card_at[place]` holds, for each shuffle, the card in that place; `place_of[card]` the place of that card.
    A card is its place in a new deck.

    >>> batch = Batch(np.array([[2, 0, 1], [0, 1, 2]], np.uint8), before=None)
    >>> batch.card_at[0].tolist(), batch.place_of[0].tolist()
    ([2, 0], [1, 0])
    """

    def __init__(self, orders: Bytes, before: Bytes | None) -> None:
        self.card_at = np.ascontiguousarray(orders.T)
        self.before = before
        """The shuffle before the first of these; none at the start of a run."""
        self.cards, self.shuffles = self.card_at.shape

    @cached_property
    def place_of(self) -> Bytes:
        place_of = np.empty_like(self.card_at)
        lane = np.arange(self.shuffles)
        for place, cards in enumerate(self.card_at):
            place_of[cards, lane] = place
        return place_of

    @cached_property
    def successive(self) -> tuple[Bytes, Bytes]:
        """The pairs of successive shuffles: the earlier and the later."""
        later = self.card_at if self.before is not None else self.card_at[:, 1:]
        earlier = self.card_at[:, :-1]
        if self.before is not None:
            earlier = np.concatenate([self.before[:, np.newaxis], earlier], axis=1)
        return earlier, later


def whole_decks(orders: Bytes) -> NDArray[np.bool_]:
    """Mark each shuffle that holds each card once.

    >>> whole_decks(np.array([[1, 0, 2], [1, 1, 2], [0, 1, 3]], np.uint8)).tolist()
    [True, False, False]
    """
    cards = orders.shape[1]
    seen = np.zeros(len(orders), np.uint64)
    # A shift by 64 or more is undefined, so the cards that do not exist are shifted to a bit of their own.
    for column in orders.T:
        seen |= np.uint64(1) << np.minimum(column, cards).astype(np.uint64)
    found: NDArray[np.bool_] = seen == np.uint64((1 << cards) - 1)
    return found
