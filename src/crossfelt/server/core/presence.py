"""The players who are connected to a table, the times at which the others disconnected, and who is waited for."""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec

SKIP_SECONDS: Final = 15
"""The time after which the other players may go on without a player, where no rule sets a clock."""


class Wait(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A player for whom the table waits. The times are in milliseconds."""

    seat: int
    until: int | None
    """The time at which the table goes on without the player; None if no clock runs."""
    skip_at: int | None
    """The time from which another player may have the table go on; None if the clock of the rules counts."""
    gone: bool


class Presence:
    """Counts the connections of players by name.

    >>> presence = Presence()
    >>> presence.arrive("Ann"); presence.depart("Ann", 5_000)
    >>> presence.gone_for("Ann", 65_000), presence.gone_for("Bob", 65_000)
    (60000, 65000)
    """

    def __init__(self) -> None:
        self._connections: Counter[str] = Counter()
        self._gone_since: dict[str, int] = {}

    def arrive(self, name: str) -> None:
        self._connections[name] += 1
        self._gone_since.pop(name, None)

    def depart(self, name: str, now: int) -> None:
        self._connections[name] -= 1
        if self._connections[name] <= 0:
            del self._connections[name]
            self._gone_since[name] = now

    def forget(self, name: str) -> None:
        """Drop a player without a seat, whose absence does not matter."""
        self._gone_since.pop(name, None)

    def begin(self, now: int, names: tuple[str, ...]) -> None:
        """Give the players of a table the time to reconnect after a restart."""
        self._gone_since |= dict.fromkeys(names, now)

    def expect(self, name: str, now: int) -> None:
        """Give a player who has sat down without a connection the time to connect."""
        if not self.here(name):
            self._gone_since[name] = now

    def here(self, name: str) -> bool:
        return name in self._connections

    @property
    def any_gone(self) -> bool:
        """False if all players with a seat are connected. A player who left the seat while gone may still count."""
        return bool(self._gone_since)

    def gone_since(self, name: str) -> int:
        return self._gone_since.get(name, 0)

    def gone_for(self, name: str, now: int) -> int:
        """Return for how many milliseconds a player has been gone; 0 for a connected player."""
        return 0 if self.here(name) else now - self.gone_since(name)
