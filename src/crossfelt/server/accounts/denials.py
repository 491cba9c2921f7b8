"""Denials: privileged acts that were refused, noted in the journal.

The first denial of an account and act is noted at once, later ones once a minute with their count. A client that asks
without end, and anybody can become a guest, could otherwise fill the journal. All clients that are not logged in count
as one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.accounts.usernames import STRANGER
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import Journal
from crossfelt.server.store.interface import StoreError

LONGEST_PATH: Final = 200
INTERVAL_MS: Final = 60_000
"""The time between two entries about the same account and act."""


class _Tally(msgspec.Struct):
    """The denials of one account and act since the last entry."""

    last: e.Withheld | None = None
    times: int = 0
    next: int = 0
    """The time of the next entry."""


class Denials:
    """The denials that are not in the journal yet, and those that are."""

    def __init__(self, journal: Journal, clock: Callable[[], int]) -> None:
        self._journal = journal
        self._clock = clock
        self._tallies: dict[tuple[str, str], _Tally] = {}

    async def note(self, identity: Identity | None, act: str, why: str, address: str, path: str = "") -> None:
        """Count a denial, and note it if it is due; during an outage of the store it is noted later."""
        by, roles = (identity.account, identity.roles) if identity else (STRANGER, ())
        tally = self._tallies.setdefault((by, act), _Tally())
        address, path = "" if identity else address, path[:LONGEST_PATH]
        tally.last = e.Withheld(by=by, at=0, act=act, path=path, roles=roles, why=why, address=address)
        tally.times += 1
        with suppress(StoreError):
            await self._write(tally)

    async def flush(self, *, everything: bool = False) -> None:
        """Note the denials that are due, or everything at a shutdown, and drop tallies that are no longer needed."""
        now = self._clock()
        self._tallies = {key: tally for key, tally in self._tallies.items() if tally.times or now < tally.next}
        for tally in list(self._tallies.values()):
            await self._write(tally, everything=everything)

    async def _write(self, tally: _Tally, *, everything: bool = False) -> None:
        now = self._clock()
        if tally.last is None or not tally.times or (now < tally.next and not everything):
            return
        times, tally.times, tally.next = tally.times, 0, now + INTERVAL_MS
        try:
            await self._journal.note(replace(tally.last, at=now, times=times))
        except BaseException:  # also where the request was cancelled
            tally.times += times
            tally.next = 0
            raise
