"""Who was refused what, in the journal: the first time at once, and then how often within some time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from crossfelt.house.accounts.sessions import Identity
from crossfelt.house.audit import events as e
from crossfelt.house.audit.journal import Journal
from crossfelt.house.store.port import StoreError

LONGEST_PATH: Final = 200
STRANGER: Final = "stranger"
"""Who has not come in, in the journal."""
NOTED_MILLISECONDS: Final = 60_000
"""What somebody is refused is noted at once, and how often they were refused it since after this time."""


class Refusals:
    """Those of each person and act are noted together, and so are those of all strangers: whoever asks without end, and
    a guest has come in by asking for it, could fill the journal."""

    def __init__(self, journal: Journal, clock: Callable[[], int]) -> None:
        self._journal = journal
        self._clock = clock
        self._gathered: dict[tuple[str, str], _Gathered] = {}

    async def note(self, identity: Identity | None, act: str, why: str, address: str, path: str = "") -> None:
        """One more, at a path that says of what. Where the store is away it is noted later; who was refused is told so
        all the same."""
        by, roles = (identity.account, identity.roles) if identity else (STRANGER, ())
        gathered = self._gathered.setdefault((by, act), _Gathered())
        address, path = "" if identity else address, path[:LONGEST_PATH]
        gathered.count(e.Withheld(by=by, at=0, act=act, path=path, roles=roles, why=why, address=address))
        with suppress(StoreError):
            await self._note(gathered)

    async def note_gathered(self, *, at_last: bool = False) -> None:
        """Notes those of whom it is time, also where nobody has come since; or all of them."""
        now = self._clock()
        # People and tables come and go: of what nobody asks for any more there would be ever more.
        self._gathered = {key: it for key, it in self._gathered.items() if not it.forgotten(now)}
        for gathered in list(self._gathered.values()):
            await self._note(gathered, at_last=at_last)

    async def _note(self, gathered: _Gathered, *, at_last: bool = False) -> None:
        now = self._clock()
        if noted := gathered.due(now, at_last=at_last):
            try:
                await self._journal.note(noted)
            except BaseException:  # who asked may also have gone
                gathered.take_back(noted)
                raise


class _Gathered:
    """How often somebody was refused one thing."""

    def __init__(self) -> None:
        self._last: e.Withheld | None = None
        self._times = 0
        self._next = 0

    def count(self, refused: e.Withheld) -> None:
        """One more."""
        self._last = refused
        self._times += 1

    def forgotten(self, now: int) -> bool:
        """Whether the next time would be the first again."""
        return not self._times and now >= self._next

    def due(self, now: int, *, at_last: bool) -> e.Withheld | None:
        """What is to be noted now, as the last of them was."""
        if self._last is None or not self._times or (now < self._next and not at_last):
            return None
        times, self._times, self._next = self._times, 0, now + NOTED_MILLISECONDS
        return replace(self._last, at=now, times=times)

    def take_back(self, noted: e.Withheld) -> None:
        """What could not be noted is due again."""
        self._times += noted.times
        self._next = 0
