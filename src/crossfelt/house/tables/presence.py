"""Who is there: players who are connected, and since when the others are not."""

from __future__ import annotations

from collections import Counter


class Presence:
    """Connections of people by name.

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
        """Nobody asks since when somebody is gone who has no seat."""
        self._gone_since.pop(name, None)

    def begin(self, now: int, names: tuple[str, ...]) -> None:
        """After a start the players of a table have as long as anybody to come back."""
        self._gone_since |= dict.fromkeys(names, now)

    def here(self, name: str) -> bool:
        return name in self._connections

    @property
    def somebody_is_gone(self) -> bool:
        """False where all who have a seat are here; who got up while gone may still count."""
        return bool(self._gone_since)

    def gone_since(self, name: str) -> int:
        """Since when somebody who is not here is gone."""
        return self._gone_since.get(name, 0)

    def gone_for(self, name: str, now: int) -> int:
        """For how long somebody has been gone, in milliseconds; 0 for who is here."""
        return 0 if self.here(name) else now - self.gone_since(name)
