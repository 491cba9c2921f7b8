"""How many may be connected at once: in all, and from one address. Who finds no room is told so, and may try again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

Full = Literal["house", "address"]
"""What there is no more room in."""
FULL: Final[dict[Full, str]] = {
    "house": "the house is full: try again in a moment",
    "address": "too many are connected from your address: close some, or try again in a moment",
}


class Room:
    """The connections of one process, by where they come from.

    >>> room = Room(in_all=3, from_an_address=1)
    >>> with room.taken("10.0.0.1"):
    ...     room.full("10.0.0.1"), room.full("10.0.0.2")
    ('address', None)
    >>> room.full("10.0.0.1"), room.connected
    (None, 0)
    """

    def __init__(self, in_all: int, from_an_address: int) -> None:
        self._in_all = in_all
        self._from_an_address = from_an_address
        self._by_address: Counter[str] = Counter()
        self.connected = 0

    def full(self, address: str) -> Full | None:
        """Why nobody more is let in from an address; None where there is room."""
        if self.connected >= self._in_all:
            return "house"
        return "address" if self._by_address[address] >= self._from_an_address else None

    @contextmanager
    def taken(self, address: str) -> Iterator[None]:
        """One more, for as long as it is connected."""
        self.connected += 1
        self._by_address[address] += 1
        try:
            yield
        finally:
            self.connected -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]
