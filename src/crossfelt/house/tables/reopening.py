"""Tables of a process that open again with another submission: what two people agreed to comes into force."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from crossfelt.house.audit.events import TableChanging
from crossfelt.house.store.port import Lease
from crossfelt.house.tables.actor import TableActor
from crossfelt.house.tables.asked import Asked
from crossfelt.house.tables.renewing import at_rest
from crossfelt.house.tables.settings import TableSettings, settings_of, usual_game

SOON_SECONDS: Final = 5.0
"""How long who agrees to other rules waits for them, where no round is being played."""
log = logging.getLogger(__name__)
Begin = Callable[[TableSettings, Lease, str, TableActor | None], Awaitable[None]]
Start = Callable[[TableSettings], Awaitable[TableActor | None]]


class Reopening:
    """Other rules for the tables of a pit, which come and go under its lock."""

    def __init__(
        self,
        *,
        actors: dict[str, TableActor],
        settings: Mapping[str, TableSettings],
        leases: Mapping[str, Lease],
        lock: asyncio.Lock,
        begin: Begin,
        start: Start,
    ) -> None:
        self.coming: dict[str, TableChanging] = {}
        """Tables that open with another submission before their next round."""
        self._actors = actors
        self._settings = settings
        self._leases = leases
        self._lock = lock
        self._begin = begin
        self._start = start
        self._tasks: set[asyncio.Task[None]] = set()
        self._withheld: set[str] = set()
        """Tables of which it was said that other rules stay away from them."""

    def expect(self, coming: Mapping[str, TableChanging]) -> None:
        """What the journal says is coming. What the rulebook of a later version does not allow stays away: the table
        goes on as it is, until somebody makes another submission."""
        allowed = {table: it for table, it in coming.items() if usual_game(settings_of(it)) is not None}
        for table in coming.keys() - allowed.keys() - self._withheld:
            log.error("other rules for a table are not allowed any more, and stay away", extra={"table": table})
        self._withheld = coming.keys() - allowed.keys()
        self.coming = allowed

    async def change(self, changing: TableChanging) -> bool:
        """The next opening of a table, with another submission: before its next round, and whether that is now."""
        table, opening = changing.table, changing.settings["opening"]
        async with self._lock:  # what was read of the journal before this was agreed to is not put in its place
            actor = self._actors.get(table)
            resting = actor is not None and at_rest(actor.table)
            if table in self._settings and self._settings[table].opening < opening:
                self.coming[table] = changing
                self.remind()
        if resting:
            with suppress(TimeoutError):
                async with asyncio.timeout(SOON_SECONDS):
                    while table in self.coming or table not in self._actors:
                        await asyncio.sleep(0.01)
        return table in self._settings and table not in self.coming

    def remind(self) -> None:
        """Tells the tables of this process that other rules wait for them."""
        for table in self.coming.keys() & self._actors.keys():
            self._actors[table].renew()

    def vacated(self, actor: TableActor) -> None:
        """Everybody has got up: the table opens again, and they sit down again."""
        task = asyncio.create_task(self._reopen(actor), name=f"other rules at {actor.settings.id}")
        self._tasks.add(task)
        task.add_done_callback(self._reopened)

    async def finish(self) -> None:
        """Waits for tables that are being opened again."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _reopened(self, task: asyncio.Task[None]) -> None:
        """What could not be stored is tried again when the table is next looked after."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("a table could not open again: %s", error)

    async def _reopen(self, actor: TableActor) -> None:
        table = actor.settings.id
        async with self._lock:
            if self._actors.get(table) is not actor:
                return  # it was lost meanwhile: whoever has it now opens it again
            self._actors.pop(table)
            lease = self._leases[table]
            await actor.stop("the table opens again with other rules: connect again")
            settings = actor.settings
            if (changing := self.coming.get(table)) is not None:
                settings = settings_of(changing)
                await self._begin(settings, lease, changing.by, actor)
                self.coming.pop(table)
            started = await self._start(settings)
        if started is not None:
            await _sit_down(started, actor)


async def _sit_down(table: TableActor, before: TableActor) -> None:
    """Everybody who got up sits where they sat, with what they had."""
    for seat, player, chips in before.seated:
        fields = {"command": "take_seat", "seat": seat, "chips_cents": chips, "player": player}
        asked = Asked(id=secrets.token_hex(8), who=player, role="player", fields=fields)
        await table.ask(replace(asked, who="house", role="dealer") if table.settings.live else asked)
