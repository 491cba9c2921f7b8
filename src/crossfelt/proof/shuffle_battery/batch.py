"""Shuffles as the tests look at them."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from crossfelt.proof.shuffle_battery.many import Bytes


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
        """Each shuffle that has one before it: the earlier and the later of the two."""
        later = self.card_at if self.before is not None else self.card_at[:, 1:]
        earlier = self.card_at[:, :-1]
        if self.before is not None:
            earlier = np.concatenate([self.before[:, np.newaxis], earlier], axis=1)
        return earlier, later


def whole_decks(orders: Bytes) -> NDArray[np.bool_]:
    """Whether each shuffle holds each card once.

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
