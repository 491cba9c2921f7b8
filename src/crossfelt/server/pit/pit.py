"""All tables of the house: opened, found again after a start, looked after."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Final

import msgspec

from crossfelt.errors import BadInput, Problem
from crossfelt.play.next_action import TRAY_CENTS
from crossfelt.proof.history import header_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.core.bot_worker import Best, BestPlayWorker, nothing_known
from crossfelt.server.core.commit import Cashier, CommitWriter
from crossfelt.server.core.errors import (
    NEW_RULES,
    NoSuchTable,
    TableClosed,
    TableMoving,
    TableOutdated,
    TableUnreadable,
)
from crossfelt.server.core.meters import MeterStreams
from crossfelt.server.core.presence import Presence
from crossfelt.server.core.recovery import recover
from crossfelt.server.core.requests import CommandAnswer, CommandRequest, PhysicalCashier
from crossfelt.server.core.rng import TableRng
from crossfelt.server.core.rule_change import at_rest
from crossfelt.server.core.scheduler import BOT_CHIPS_CENTS, Scheduler, bot_name, bot_style
from crossfelt.server.core.settings import TableSettings, require_id, settings_of
from crossfelt.server.journal.events import JournalEvent, TableChanging, TableCreated, TableRemoved
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.pit.meter_registry import MeterRegistry
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.runtime.periodic import repeat
from crossfelt.server.store.interface import (
    Conflict,
    FenceLost,
    Lease,
    Store,
    StoreError,
    Transaction,
    Unavailable,
    new_row,
)
from crossfelt.server.store.projection import StreamHeader
from crossfelt.table import commands as c
from crossfelt.table.engine import Accepted, run
from crossfelt.table.state import new_table

LEASE_SECONDS: Final = 10.0
PRIVATE_IDLE_MS: Final = 30 * 60 * 1000
ALONE_SECONDS: Final = 600.0
"""Where no other process could take a table over, a machine that stands still for a while loses none."""
MOVED: Final = "the table is moving to another server: connect again"
CLOSED: Final = "the table is closed"
SOON_SECONDS: Final = 5.0
"""How long an approval waits for the new rules, where no round is being played."""
log = logging.getLogger(__name__)


class Pit:
    """The tables of this process."""

    def __init__(
        self,
        store: Store,
        journal: Journal,
        cashier: Cashier,
        *,
        now: Callable[[], int],
        holder: str,
        metrics: Metrics,
        shared: bool = False,
        rng: Callable[[], TableRng] = TableRng,
        best: Best = nothing_known,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        self.actors: dict[str, TableActor] = {}
        self.settings: dict[str, TableSettings] = {}
        self.shut: set[str] = set()
        """Tables whose rows are not what was written; they wait for somebody to restore them."""
        self.outdated: set[str] = set()
        """Tables that were opened with another game than this version compiles; they wait for the floor to close."""
        self.coming: dict[str, TableChanging] = {}
        """Tables that close after the round, because two people have agreed to another submission."""
        self.successors: dict[str, str] = {}
        """The tables that a change of rules has closed, each with the one that it has opened."""
        self.meters = MeterStreams()
        self.store = store
        self._journal = journal
        self._cashier = cashier
        self._now = now
        self._holder = holder
        self._metrics = metrics
        self._shared = shared
        self._idle_since: dict[str, int] = {}
        self._lasts = lease_seconds if shared else ALONE_SECONDS
        self._looks_every = lease_seconds / 4
        self._rng = rng
        self._best = best
        self._leases: dict[str, Lease] = {}
        self._changing = asyncio.Lock()
        """Held while tables come and go: what one task opens or closes, no other takes over meanwhile."""
        self.board = MeterRegistry(self.meters, store, actors=self.actors, settings=self.settings, coming=self.coming)
        self._closed_by: dict[str, str] = {}
        """Outdated tables that are being closed, and by whom."""
        self._closings: set[asyncio.Task[None]] = set()
        self._keepers: list[asyncio.Task[None]] = []

    # --- the life of the house ----------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Opens what was open; on the first start, one table for each rulebook."""
        await self._read_tables()
        for rulebook in () if self.settings else rulebook_ids():
            with suppress(Conflict):  # another process that started at the same moment was first
                await self.create(TableSettings(id=f"{rulebook}-1", rulebook=rulebook), who="server")
        await self._read_tables()
        async with self._changing:
            await self._take_over()
        await self.board.find()
        self._keepers = [
            self._keeper(self._renew, "leases of the tables"),
            self._keeper(self._look_after, "tables that nobody has"),
        ]

    async def close(self) -> None:
        """Parks every table."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        await asyncio.gather(*self._closings, return_exceptions=True)
        actors = list(self.actors.values())
        self.actors.clear()
        await asyncio.gather(*(actor.stop("the house is stopping") for actor in actors))
        with suppress(StoreError):  # they run out by themselves
            await asyncio.gather(*(self.store.release(lease) for lease in self._leases.values()))

    async def _read_tables(self) -> None:
        """The tables of the house, as its journal has them: those that another process has closed are gone here too."""
        server = await self._journal.now()
        self.coming.clear()
        self.coming |= server.coming
        self.successors = dict(server.successors)
        self.board.closed = set(server.closed)
        for name in server.tables.keys() - self.settings.keys():
            self.settings[name] = settings_of(server.tables[name])
        for name in self.settings.keys() - server.tables.keys():
            del self.settings[name]
            successor = self._successor(name)
            await self._lost(name, NEW_RULES if successor else CLOSED, successor)
        self.outdated &= self.settings.keys()

    def _keeper(self, work: Callable[[], Awaitable[None]], name: str) -> asyncio.Task[None]:
        return asyncio.create_task(repeat(work, self._looks_every, self._metrics), name=name)

    async def _renew(self) -> None:
        """Keeps what this process owns, however long it takes to read what it takes over."""
        held = list(self._leases.items())
        renewed = await self.store.renew([lease for _, lease in held], self._lasts)
        for (table, lease), still in zip(held, renewed, strict=True):
            if self._leases.get(table) is not lease:
                continue  # it was given up meanwhile, or taken anew
            if still is None:
                await self._lost(table)
            else:
                self._leases[table] = still

    async def _look_after(self) -> None:
        """Takes over what nobody owns any more, and closes what nobody needs."""
        async with self._changing:
            if self._shared:
                await self._read_tables()
                for table in self.coming.keys() & self.actors.keys():
                    self.actors[table].close_after_round()
                await self.board.look()
            self.board.publish()
            await self._take_over()
        await self.clear_away()

    async def _take_over(self) -> None:
        """Starts every table that nobody has; one that cannot be read stays shut, and the others open without it."""
        waiting = self.unplayable
        missing = [it for it in self.settings.values() if it.id not in self.actors and it.id not in waiting]
        others = {lease.name for lease in await self.store.leases() if lease.holder != self._holder} if missing else ()
        for settings in (it for it in missing if f"table/{it.id}" not in others):
            await self._start_or_shut(settings)

    async def _start_or_shut(self, settings: TableSettings, *, outdated: bool = False) -> TableActor | None:
        try:
            return await self._start(settings, outdated=outdated)
        except Unavailable:
            raise
        except TableOutdated as why:
            log.error("a table stays closed: %s", why, extra={"table": settings.id})
            self.outdated.add(settings.id)
        except Exception:  # rows that were altered can make anything of a table
            log.exception("a table stays shut: it cannot be read", extra={"table": settings.id})
            self.shut.add(settings.id)
        await self._give_up(settings.id)
        return None

    async def _give_up(self, table: str) -> None:
        if (lease := self._leases.pop(table, None)) is not None:
            await self.store.release(lease)

    async def clear_away(self) -> None:
        """A private table that nobody looks at, with nobody but bots at it, is closed after a while."""
        for table, actor in list(self.actors.items()):
            if not actor.settings.owner or people_at(actor) or actor.broadcaster.subscribers:
                self._idle_since.pop(table, None)
            elif self._now() - self._idle_since.setdefault(table, self._now()) > PRIVATE_IDLE_MS:
                self._idle_since.pop(table)
                with suppress(BadInput):
                    await self.retire(table, who="server")

    async def owner_elsewhere(self, table: str) -> str | None:
        """Where the process is that has a table; None where it is here, or nowhere."""
        if table in self.actors:
            return None
        if table not in self.settings:
            async with self._changing:
                await self._read_tables()
        if table not in self.settings:
            return None
        lease = await self.store.leaseholder(f"table/{table}")
        return None if lease is None else self._where(lease)

    async def neighbours(self) -> set[str]:
        """Where the other processes of the house are that have tables."""
        return {url for lease in await self.store.leases() if (url := self._where(lease)) is not None}

    def _where(self, lease: Lease) -> str | None:
        """Where another process is that has a lease; None for this one, and for one that died where this one is now."""
        here, there = self._holder.partition(" ")[2], lease.holder.partition(" ")[2]
        return None if there == here else there or None

    async def _lost(self, table: str, why: str = MOVED, successor: str = "") -> None:
        self._leases.pop(table, None)
        if (actor := self.actors.pop(table, None)) is not None:
            await actor.stop(why, successor)

    @property
    def unplayable(self) -> set[str]:
        """Tables that wait for somebody to restore or to close them."""
        return self.shut | self.outdated

    # --- tables -------------------------------------------------------------------------------------------------------

    def find(self, table: str) -> TableActor:
        """A table by its name; BadInput where there is none."""
        actor = self.actors.get(table)
        if actor is None:
            if table in self.shut:
                raise TableUnreadable(table)
            if table in self.outdated:
                raise TableOutdated(table)
            if successor := self._successor(table):
                raise TableClosed(table, successor)
            raise TableMoving(table) if table in self.settings else NoSuchTable(table)
        return actor

    def _successor(self, table: str) -> str:
        """The open table that changes of rules have led to from a closed one; empty where there is none."""
        while table in self.successors:
            table = self.successors[table]
            if table in self.settings:
                return table
        return ""

    def free_id(self, rulebook: str) -> str:
        """A name for a private table that nobody can guess."""
        return f"{rulebook}-{secrets.token_hex(4)}"

    async def create(
        self,
        settings: TableSettings,
        *,
        who: str,
        bots: Mapping[int, str] = MappingProxyType({}),
        most: int | None = None,
    ) -> TableActor:
        """Opens a table: its stream, its seals and its meters begin in one commit. Bots sit down at once. `most` is how
        many tables of their own its owner may have."""
        require_id(settings.id)
        meters = self.meters.linked(settings, settings.compile())
        async with self._changing:
            if most is not None:
                await self._check_few(settings.owner, most)
            if settings.id in self.settings:
                what = "there is such a table"
                raise BadInput(Problem(code="table.exists", what=what, where="id", value=settings.id))
            meters.require_believed()
            lease = await self.store.lease(f"table/{settings.id}", self._holder, self._lasts)
            if lease is None:
                raise Conflict(settings.stream, 0)  # leased first: once it is there, any process may take it over
            await self._begin(settings, lease, who)
            actor = await self._start(settings)
        assert actor is not None, "a table that was opened here is another process's"
        for seat, style in bots.items():
            await self.seat_bot(actor, seat, style)
        return actor

    async def _check_few(self, owner: str, most: int) -> None:
        """Counted where tables come and go: of many that are asked for at once no more are opened."""
        if self._shared:
            await self._read_tables()
        own = sum(settings.owner == owner for settings in self.settings.values())
        if own >= most:
            what = "you have too many tables: those that you leave are closed after a while"
            raise BadInput(Problem(code="table.many", what=what, value=own, allowed=f"{most} at a time"))

    async def _begin(
        self,
        settings: TableSettings,
        lease: Lease,
        who: str,
        changing: TableChanging | None = None,
        before: TableActor | None = None,
    ) -> None:
        """Open a table in one commit: its entry in the journal, its stream, its seals and its meters. A change of rules
        closes the table `before` it in the same commit."""
        game = settings.compile()
        meters = self.meters.linked(settings, game)
        now = self._now()
        created = TableCreated(
            by=who,
            at=now,
            table=settings.id,
            rulebook=settings.rulebook,
            game_hash=game.hash,
            settings=msgspec.to_builtins(settings),
        )
        opens = c.OpenTable(id="auto-1", who="floor", role="floor", at=now, inventory_cents=TRAY_CENTS)
        answer = run(new_table(game), opens)
        assert isinstance(answer, Accepted)
        first = new_row(opens, answer.events)
        told: list[JournalEvent] = [created]
        if before is not None:
            told.insert(0, TableRemoved(by=who, at=now, table=before.settings.id, successor=settings.id))

        def work(tx: Transaction) -> None:
            self._journal.write(tx, *told, lease=lease)
            tx.open(settings.stream, header_of(settings.id, game), now)
            tx.open(settings.seals, StreamHeader(stream=settings.seals), now)
            tx.append(settings.stream, first)
            meters.open(tx, now, changing, None if before is None else before.meters)

        await self.store.commit({JOURNAL_STREAM, settings.stream, settings.seals, *meters.streams}, work)
        self.settings[settings.id] = settings

    async def seat_bot(self, actor: TableActor, seat: int, style: str) -> CommandAnswer:
        """A bot sits down; it brings its own play money."""
        actor.scheduler.check_bot(style)
        fields = {"command": "take_seat", "seat": seat, "chips_cents": BOT_CHIPS_CENTS}
        return await actor.ask(
            CommandRequest(id=secrets.token_hex(8), who=bot_name(style, seat), role="player", fields=fields)
        )

    async def unseat_bot(self, actor: TableActor, seat: int) -> CommandAnswer:
        """A bot gets up between rounds, and takes back first what it has bet on a round that nobody has dealt."""
        player = actor.table.seat(seat).player

        async def ask(**fields: object) -> CommandAnswer:
            return await actor.ask(CommandRequest(id=secrets.token_hex(8), who=player, role="player", fields=fields))

        if actor.table.seat(seat).wagers:
            await ask(command="place_wagers", seat=seat, wagers={})
        return await ask(command="leave_seat", seat=seat)

    async def retire(self, table: str, *, who: str) -> None:
        """Closes a table for good, unless somebody has sat down by now, here or in the process that has it by now."""
        async with self._changing:
            actor, lease = self.find(table), self._leases[table]
            self.actors.pop(table)
            await actor.stop(CLOSED)
            if people_at(actor):
                await self._start(actor.settings)
                what = "players still sit at the table"
                raise BadInput(Problem(code="table.seated", what=what, where="table", value=table))
            try:
                await self._journal.note(TableRemoved(by=who, at=self._now(), table=table), lease=lease)
            except FenceLost:
                self._leases.pop(table, None)
                raise TableMoving(table) from None
            self.settings.pop(table)
            self.coming.pop(table, None)
            self.board.retired(actor)
            self._leases.pop(table, None)
            await self.store.release(lease)

    # --- changes of rules ---------------------------------------------------------------------------------------------

    async def change(self, changing: TableChanging) -> bool:
        """Close a table after the round and open its successor; return whether that has happened already."""
        table = changing.table
        async with self._changing:  # a journal that was read before this was agreed to does not take it back
            actor = self.actors.get(table)
            if table in self.settings:
                self.coming[table] = changing
            if actor is not None:
                actor.close_after_round()
        if actor is not None and at_rest(actor.table):
            with suppress(TimeoutError):
                async with asyncio.timeout(SOON_SECONDS):
                    while table in self.actors:
                        await asyncio.sleep(0.01)
        return table not in self.settings

    async def close_outdated(self, table: str, *, who: str) -> None:
        """Finish the round of a table that was opened under other rules, if one is open, and close the table: the chips
        go back to the accounts."""
        async with self._changing:
            self.outdated.discard(table)
            self._closed_by[table] = who
            await self._start_or_shut(self.settings[table], outdated=True)
            self.find(table).close_after_round()

    def _vacated(self, actor: TableActor) -> None:
        task = asyncio.create_task(self._close_vacated(actor), name=f"closing {actor.settings.id}")
        self._closings.add(task)
        task.add_done_callback(self._closed)

    def _closed(self, task: asyncio.Task[None]) -> None:
        """A table that could not be closed is closed when tables are next looked after."""
        self._closings.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("a table could not be closed: %s", error)

    async def _close_vacated(self, actor: TableActor) -> None:
        """Close a table that every player has left, and open its successor where it has one."""
        table, why, successor = actor.settings.id, MOVED, ""
        async with self._changing:
            if self.actors.get(table) is not actor:
                return  # it was lost meanwhile: the process that has it now closes it
            lease = self._leases[table]
            try:
                if (who := self._closed_by.pop(table, None)) is not None:
                    await self._journal.note(TableRemoved(by=who, at=self._now(), table=table), lease=lease)
                    why = CLOSED
                else:
                    changing = self.coming[table]
                    settings = settings_of(changing)
                    await self._begin(settings, lease, changing.by, changing, actor)
                    why, successor = NEW_RULES, settings.id
                    self.successors[table] = successor
                    self.coming.pop(table)
                self.settings.pop(table)
                self.board.retired(actor)
                if successor:
                    await self._start(self.settings[successor])
            finally:
                self.actors.pop(table)
                await actor.stop(why, successor)
                await self._give_up(table)

    async def _start(self, settings: TableSettings, *, outdated: bool = False) -> TableActor | None:
        """Take a table over, if no other process has it; `outdated` for one that is to be closed."""
        lease = await self.store.lease(f"table/{settings.id}", self._holder, self._lasts)
        if lease is None:
            return None
        self._leases[settings.id] = lease
        expected = None if outdated else _game_of(settings)
        recovered = await recover(self.store, settings.stream, settings.seals, expected)
        game = recovered.table.game
        meters = self.meters.linked(settings, game)
        await self.meters.look(self.store, meters.streams)
        rng, presence = self._rng(), Presence()
        if recovered.seal is not None:
            rng = rng.resumed(recovered.seal, [event for row in recovered.round_rows for event in row.events])
        thinker = BestPlayWorker(partial(self._best, game), lambda: self._poke(settings.id))
        actor = TableActor(
            settings,
            recovered,
            store=self.store,
            writer=CommitWriter(settings, meters, PhysicalCashier() if settings.live else self._cashier, lease),
            meters=meters,
            scheduler=Scheduler(settings, at=self._now, thinker=thinker, presence=presence),
            rng=rng,
            presence=presence,
            now=self._now,
            metrics=self._metrics,
            stopped=self._failed,
            vacated=self._vacated,
        )
        self.actors[settings.id] = actor
        actor.start()
        if settings.id in self.coming:
            actor.close_after_round()
        return actor

    def _poke(self, table: str) -> None:
        if (actor := self.actors.get(table)) is not None:
            actor.poke()

    def _failed(self, actor: TableActor, why: str) -> None:
        log.warning("table stopped: %s", why, extra={"table": actor.settings.id})
        if self.actors.get(actor.settings.id) is actor:
            self.actors.pop(actor.settings.id)
            self._leases.pop(actor.settings.id, None)

    def __iter__(self) -> Iterator[TableActor]:
        return iter(self.actors.values())


def _game_of(settings: TableSettings) -> Game:
    """The game that this version compiles for a table."""
    try:
        return settings.compile()
    except BadInput:
        raise TableOutdated(settings.id) from None


def people_at(actor: TableActor) -> list[str]:
    """Who sits at a table, apart from bots. At somebody's own live table the players are only names."""
    if actor.settings.live and actor.settings.owner:
        return []
    return [seat.player for seat in actor.table.seats if seat.player and bot_style(seat.player) is None]
