"""What an account refuses beside the round: it waits, and is tried again now and then, while the table goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

AGAIN_MS: Final = 30_000
"""What was refused is tried again so much later."""
OTHER_RULES: Final = "other rules have to wait"
"""That everybody gets up, so that the table can open again with them."""


class _Refusal(NamedTuple):
    why: str
    again_at: int


class Postponed:
    """What has to wait at one table, in words for the floor, with why and until when.

    >>> postponed = Postponed()
    >>> postponed.put_off(leaving("Ann"), "her account cannot be read", 5_000)
    True
    >>> postponed.put_off(leaving("Ann"), "her account cannot be read", 40_000)    # it was known
    False
    >>> postponed.waits(leaving("Ann"), 60_000), postponed.waits(leaving("Ann"), 70_000)
    (True, False)
    >>> postponed.told
    ('Ann cannot leave the table: her account cannot be read',)
    """

    def __init__(self) -> None:
        self._refused: dict[str, _Refusal] = {}

    def put_off(self, what: str, why: str, now: int) -> bool:
        """Something was refused; whether that is new."""
        new = what not in self._refused
        self._refused[what] = _Refusal(why, now + AGAIN_MS)
        return new

    def forget(self, what: str) -> None:
        """It has happened, or nobody asks for it any more."""
        self._refused.pop(what, None)

    def waits(self, what: str, now: int) -> bool:
        """Whether it is too early to try something again."""
        return what in self._refused and now < self._refused[what].again_at

    def again_at(self) -> Iterator[int]:
        """When each of them is tried again."""
        return (refusal.again_at for refusal in self._refused.values())

    @property
    def told(self) -> tuple[str, ...]:
        return tuple(f"{what}: {refusal.why}" for what, refusal in self._refused.items())


def leaving(player: str) -> str:
    """That a player who is gone gets up."""
    return f"{player} cannot leave the table"
