"""What people asked of a table before it opened again: who sends that once more is told so, and nothing follows."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from crossfelt.house.store.port import Store
from crossfelt.house.tables.rows import is_personal
from crossfelt.house.tables.settings import TableSettings

ROWS_KNOWN: Final = 5_000
"""Some 150 rounds of a full table. Who has no answer to something much older than that has not been here since."""


class EarlierOpenings:
    """The openings of a table before this one. Nothing is written there any more: their last commands are read once,
    before the first that is carried out in this one. Where there are none, nothing is read."""

    __slots__ = ("_known", "_store", "_streams")

    def __init__(self, store: Store, settings: TableSettings) -> None:
        self._store = store
        self._streams = [replace(settings, opening=number).stream for number in range(settings.opening - 1, 0, -1)]
        """The last one first."""
        self._known: frozenset[str] | None = None if self._streams else frozenset()

    async def have(self, command_id: str) -> bool:
        """Whether a command of a person was carried out there, among the last rows."""
        if self._known is None:
            self._known = await self._read()
        return command_id in self._known

    async def _read(self) -> frozenset[str]:
        last: list[str] = []
        for stream in self._streams:
            last += await self._store.last_commands(stream, ROWS_KNOWN - len(last))
            if len(last) >= ROWS_KNOWN:
                break
        return frozenset(filter(is_personal, last))
