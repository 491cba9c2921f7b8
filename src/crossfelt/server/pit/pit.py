"""The pit: all tables of this process. It opens, recovers, replaces and closes them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec.structs import replace

from crossfelt.errors import BadInput, Problem
from crossfelt.play.next_action import TRAY_CENTS
from crossfelt.proof.history import StreamHeader, header_of
from crossfelt.proof.signed_heads import SigningKey
from crossfelt.rulebooks.game import Game
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.core.bots import BOT_CHIPS_CENTS, BestPlay, BotAdvice, bot_name, bot_of
from crossfelt.server.core.commit import CommitWriter
from crossfelt.server.core.errors import (
    NEW_RULES,
    NoSuchTable,
    TableClosed,
    TableMoving,
    TableOutdated,
    TableUnreadable,
)
from crossfelt.server.core.meters import MeterStreams
from crossfelt.server.core.planner import at_rest
from crossfelt.server.core.recovery import recover
from crossfelt.server.core.requests import CommandAnswer, CommandRequest
from crossfelt.server.core.rng import TableRng
from crossfelt.server.core.rulebooks import Rulebooks
from crossfelt.server.core.scheduler import Scheduler
from crossfelt.server.core.settings import TableSettings, require_id, settings_of
from crossfelt.server.dual_control.dual_control import Approval
from crossfelt.server.dual_control.rule import STOPS_TABLE
from crossfelt.server.journal.events import JournalEvent, TableChanging, TableClosing, TableCreated, TableRemoved
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal
from crossfelt.server.pit.actor import MOVED, TableActor
from crossfelt.server.pit.leases import TableLeases
from crossfelt.server.pit.meter_registry import MeterRegistry
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.runtime.periodic import repeat
from crossfelt.server.store.interface import Conflict, FenceLost, Lease, StoreError, Unavailable
from crossfelt.server.store.projection import BrokenChain
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from crossfelt.table.commands import OpenTable
from crossfelt.table.engine import Accepted, run
from crossfelt.table.state import new_table

LEASE_SECONDS: Final = 10.0
LONE_LEASE_SECONDS: Final = 600.0
"""The lease of a process that shares no tables, so that it keeps them when its machine pauses for a while."""
PRIVATE_IDLE_MS: Final = 30 * 60 * 1000
CHANGE_SECONDS: Final = 5.0
"""The time that the approval of new rules waits for the new table, if no round is open."""
CLOSED: Final = "the table is closed"
BROKEN: Final = "the record of this table was altered: it stays closed until it is restored"
log = logging.getLogger(__name__)


class Pit:
    """The tables of this process, each with its actor, and the tables that it knows from the journal."""

    def __init__(
        self,
        store: Store,
        journal: Journal,
        accounts: Accounts | None,
        *,
        rulebooks: Rulebooks,
        now: Callable[[], int],
        holder: str,
        metrics: Metrics,
        best: BestPlay,
        shared: bool = False,
        rng: Callable[[], TableRng] = TableRng,
        key: SigningKey | None = None,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        """`shared` says that other processes have tables in the same store."""
        self.actors: dict[str, TableActor] = {}
        """The tables that this process owns."""
        self.settings: dict[str, TableSettings] = {}
        """All tables, whichever process owns them."""
        self.unreadable: set[str] = set()
        """The tables whose stored rows were altered. They stay closed until the operator restores the rows."""
        self.outdated: set[str] = set()
        """The tables that were opened with another game than this version compiles. They wait for the floor to close
        them."""
        self.approved_changes: dict[str, TableChanging] = {}
        """The tables that close after the round, because two people have approved another submission."""
        self.successors: dict[str, str] = {}
        """The tables that a change of rules has closed, each with its successor."""
        self.rulebooks = rulebooks
        self.store = store
        self.meters = MeterStreams()
        self.meter_registry = MeterRegistry(self)
        self._journal = journal
        self._accounts = accounts
        self.now = now
        self._metrics = metrics
        self._shared = shared
        self._rng = rng
        self._key = key
        self._best_play = best
        self._bot_thread = ThreadPoolExecutor(1, "bots")
        """Decides for careful bots: a decision takes up to 50 ms, and the other tables go on meanwhile."""
        self.leases = TableLeases(store, holder, lease_seconds if shared else LONE_LEASE_SECONDS)
        self._maintenance_seconds = lease_seconds / 4
        self._tables_lock = asyncio.Lock()
        """Held while a task opens, closes or takes over tables."""
        self._idle_since: dict[str, int] = {}
        """The private tables without people or subscribers, each with the time since when."""
        self.closed_by: dict[str, str] = {}
        """The tables that close for good after the round, each with the account that asked for it."""
        self._broken: set[str] = set()
        """The streams that the integrity check found altered."""
        self._closings: set[asyncio.Task[None]] = set()
        self._maintenance: list[asyncio.Task[None]] = []

    # --- start and stop -----------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open the tables in the journal; create one for each rulebook on the first start, and one for each rulebook of
        the operator that has none with its present rules."""
        await self._read_journal()
        for rulebook in self.rulebooks.own.keys() & self.settings.keys():  # meters are named after either
            raise BadInput.at("--rulebooks", "rulebooks.id", "a table has this id: give the rulebook another", rulebook)
        for rulebook in () if self.settings else self.rulebooks.ids:
            await self._create_first(f"{rulebook}-1", rulebook)
        await self._read_journal()
        async with self._tables_lock:
            await self._take_over()
        for rulebook in self.rulebooks.own:
            await self._open_present_rules(rulebook)
        await self.meter_registry.load()
        works = {"renew leases": self._renew_leases, "maintain tables": self._maintain_tables}
        self._maintenance = [
            asyncio.create_task(repeat(work, self._maintenance_seconds, self._metrics), name=name)
            for name, work in works.items()
        ]

    async def _create_first(self, table: str, rulebook: str) -> None:
        """Open a table on its rulebook's link; if it has other terms than the tables there, with meters of its own."""
        settings = TableSettings(id=table, rulebook=rulebook, link=rulebook)
        try:
            self.check_new(settings)
        except BadInput:
            settings = replace(settings, link="")
        with suppress(Conflict):  # another process that started at the same moment was first
            await self.create(settings, who="server")

    async def _open_present_rules(self, rulebook: str) -> None:
        """Have a public table with the present rules of a rulebook. An empty one with its former rules is closed."""
        opened = [it for it in self.settings.values() if it == TableSettings(id=it.id, rulebook=rulebook, link=it.link)]
        here = [self.actors[it.id] for it in opened if it.id in self.actors]
        former = [actor.settings.id for actor in here if self.rulebooks.departure(actor.table.game)]
        if len(former) == len(opened):
            used = self.settings.keys() | (await self._journal.now()).closed.keys()
            free = next(number for number in count(1) if f"{rulebook}-{number}" not in used)
            await self._create_first(f"{rulebook}-{free}", rulebook)
        for table in former:
            if at_rest(self.actors[table].table) and not self.actors[table].people():
                await self.retire(table, who="server")

    async def close(self) -> None:
        """Stop every table. Open rounds continue at the next start."""
        for task in self._maintenance:
            task.cancel()
        await asyncio.gather(*self._maintenance, return_exceptions=True)
        await asyncio.gather(*self._closings, return_exceptions=True)
        actors = list(self.actors.values())
        self.actors.clear()
        await asyncio.gather(*(actor.stop("the server is stopping") for actor in actors))
        self._bot_thread.shutdown(wait=False, cancel_futures=True)
        with suppress(StoreError):  # the leases expire
            await asyncio.gather(*map(self.leases.release, list(self.leases.held)))

    # --- maintenance --------------------------------------------------------------------------------------------------

    async def _renew_leases(self) -> None:
        """Renew the leases in a task of their own, because a takeover may take longer than a lease lasts."""
        lost = [self.actors.pop(table, None) for table in await self.leases.renew()]
        for actor in lost:
            if actor is not None:
                await actor.stop(MOVED)

    async def _maintain_tables(self) -> None:
        """Take over tables without an owner, and close idle private tables."""
        async with self._tables_lock:
            if self._shared:
                await self._read_journal()
                for table in self.approved_changes.keys() & self.actors.keys():
                    self.actors[table].close_after_round()
                await self.meter_registry.refresh()
            self.meter_registry.publish()
            await self._take_over()
        await self.close_idle_tables()

    async def _read_journal(self) -> None:
        """Learn of the tables that other processes have opened, and drop those that they have closed."""
        journal = await self._journal.now()
        self.approved_changes = dict(journal.coming)
        self.successors = dict(journal.successors)
        self.meter_registry.closed = set(journal.closed)
        for name in journal.tables.keys() - self.settings.keys():
            self.settings[name] = settings_of(journal.tables[name])
        for name in self.settings.keys() - journal.tables.keys():
            del self.settings[name]
            self.leases.held.pop(name, None)
            if (actor := self.actors.pop(name, None)) is not None:
                successor = self._successor(name)
                await actor.stop(NEW_RULES if successor else CLOSED, successor)
        self.outdated &= self.settings.keys()

    async def _take_over(self) -> None:
        """Start every table without an owner. One that cannot be started does not keep the others closed."""
        closed_or_here = self.actors.keys() | self.unplayable
        missing = [settings for settings in self.settings.values() if settings.id not in closed_or_here]
        taken = await self.leases.tables_of_others() if missing else set()
        for settings in missing:
            if settings.id not in taken:
                await self._try_start(settings)

    async def close_idle_tables(self) -> None:
        """Close the private tables that have had neither people nor subscribers for a while."""
        for table, actor in list(self.actors.items()):
            if not actor.settings.owner or actor.people() or actor.broadcaster.subscribers:
                self._idle_since.pop(table, None)
            elif self.now() - self._idle_since.setdefault(table, self.now()) > PRIVATE_IDLE_MS:
                self._idle_since.pop(table)
                with suppress(BadInput):
                    await self.retire(table, who="server")

    async def owner_elsewhere(self, table: str) -> str | None:
        """Return the URL of the other process that owns a table; None if this process or none owns it."""
        if table in self.actors:
            return None
        if table not in self.settings:
            async with self._tables_lock:
                await self._read_journal()
        return await self.leases.owner_url(table) if table in self.settings else None

    # --- tables -------------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[TableActor]:
        return iter(self.actors.values())

    @property
    def unplayable(self) -> set[str]:
        """The tables that stay closed until the operator restores them, or the floor closes them."""
        return self.unreadable | self.outdated

    def find(self, table: str) -> TableActor:
        """Return a table by its id; raise the error that says why there is none."""
        actor = self.actors.get(table)
        if actor is not None:
            return actor
        if table in self.unreadable:
            raise TableUnreadable(table)
        if table in self.outdated:
            raise TableOutdated(table)
        if successor := self._successor(table):
            raise TableClosed(table, successor)
        raise TableMoving(table) if table in self.settings else NoSuchTable(table)

    def _successor(self, table: str) -> str:
        """Return the open table that changes of rules have led to from a closed one; empty if there is none."""
        while table in self.successors:
            table = self.successors[table]
            if table in self.settings:
                return table
        return ""

    async def stop_broken(self, streams: Collection[str]) -> None:
        """Stop the tables whose own streams, or those of their meters, were altered. They stay closed."""
        async with self._tables_lock:
            self._broken.update(streams)
            for table, actor in list(self.actors.items()):
                if self._broken.intersection((actor.settings.stream, actor.settings.seals, *actor.meters.streams)):
                    log.error("a table is stopped: its record was altered", extra={"table": table})
                    self.unreadable.add(table)
                    self.actors.pop(table)
                    await actor.stop(BROKEN)
                    await self.leases.release(table)

    async def create(
        self,
        settings: TableSettings,
        *,
        who: str,
        bots: Mapping[int, str] = MappingProxyType({}),
        most: int | None = None,
        approval: Approval | None = None,
    ) -> TableActor:
        """Open a table, and seat bots at it. `most` is the number of tables that its owner may have."""
        require_id(settings.id, self.rulebooks)
        async with self._tables_lock:
            if most is not None:  # requests at once count each other's tables
                if self._shared:
                    await self._read_journal()
                own = sum(it.owner == settings.owner for it in self.settings.values())
                if own >= most:
                    what = "you have too many tables: tables that you leave are closed after a while"
                    raise BadInput(Problem(code="table.many", what=what, value=own, allowed=f"{most} at a time"))
            self.check_new(settings)
            # The lease comes first: once the table is stored, any process may take it over.
            lease = await self.leases.acquire(settings.id)
            if lease is None:
                raise Conflict(settings.stream, 0)
            await self._store_table(settings, lease, who, approval=approval)
            actor = await self._start(settings)
        assert actor is not None, "another process has taken the new table over"
        for seat, style in bots.items():
            await self.seat_bot(actor, seat, style)
        return actor

    def check_new(self, settings: TableSettings) -> None:
        """Raise `BadInput` if a table with these settings cannot be opened now."""
        if settings.id in self.settings:
            raise BadInput.at("id", "table.exists", "a table with this id exists: choose another", settings.id)
        game = settings.compile(self.rulebooks)
        self.meters.linked(settings, game).require_linkable()
        self.meter_registry.require_link(settings, game)

    async def _store_table(
        self,
        settings: TableSettings,
        lease: Lease,
        who: str,
        *,
        replaces: TableActor | None = None,
        approval: Approval | None = None,
    ) -> None:
        """Open a table in one commit, with the approval that it needs, and close the table that it `replaces`."""
        game, now = settings.compile(self.rulebooks), self.now()
        linked = self.meters.linked(settings, game)
        plain = msgspec.to_builtins(settings)
        created = TableCreated(
            by=who, at=now, table=settings.id, rulebook=settings.rulebook, game_hash=game.hash, settings=plain
        )
        events: list[JournalEvent] = [created]
        change = meters_before = None
        if replaces is not None:
            change, meters_before = self.approved_changes[replaces.settings.id], replaces.meters
            events.insert(0, TableRemoved(by=who, at=now, table=change.table, successor=settings.id))
        command = OpenTable(id="auto-1", who="floor", role="floor", at=now, inventory_cents=TRAY_CENTS)
        answer = run(new_table(game), command)
        assert isinstance(answer, Accepted)

        def write(tx: Transaction) -> None:
            if approval is not None:
                approval.note(tx)
            self._journal.write(tx, *events, lease=lease)
            tx.open(settings.stream, header_of(settings.id, game), now)
            tx.open(settings.seals, StreamHeader(stream=settings.seals), now)
            tx.append(settings.stream, command, answer.events)
            linked.open(tx, now, change, meters_before)

        approving = approval.streams if approval is not None else ()
        streams = {JOURNAL_STREAM, settings.stream, settings.seals, *linked.streams, *approving}
        await self.store.commit(streams, write)
        self.settings[settings.id] = settings

    async def seat_bot(self, actor: TableActor, seat: int, style: str) -> CommandAnswer:
        """Seat a bot, which brings its own play money; raise `BadInput` if there is no such style."""
        bot_of(style, actor.scheduler.advice)
        fields = {"command": "take_seat", "seat": seat, "chips_cents": BOT_CHIPS_CENTS}
        return await _ask_for(actor, bot_name(style, seat), **fields)

    async def unseat_bot(self, actor: TableActor, seat: int) -> CommandAnswer:
        """Have a bot leave between rounds. It first takes back the wagers on a round that is not dealt yet."""
        bot = actor.table.seat(seat)
        if bot.wagers:
            await _ask_for(actor, bot.player, command="place_wagers", seat=seat, wagers={})
        return await _ask_for(actor, bot.player, command="leave_seat", seat=seat)

    async def retire(self, table: str, *, who: str) -> None:
        """Close a table for good, unless a player has sat down or another process has taken the table over."""
        async with self._tables_lock:
            actor, lease = self.find(table), self.leases.held[table]
            self.actors.pop(table)
            await actor.stop(CLOSED)
            if actor.people():
                await self._start(actor.settings)
                what = "players still sit at the table: close it when they have left"
                raise BadInput.at("table", "table.seated", what, table)
            try:
                await self._journal.note(TableRemoved(by=who, at=self.now(), table=table), lease=lease)
            except FenceLost:
                self.leases.held.pop(table, None)
                raise TableMoving(table) from None
            self.settings.pop(table)
            self.approved_changes.pop(table, None)
            self.meter_registry.forget_table(actor)
            await self.leases.release(table)

    # --- changes of rules ---------------------------------------------------------------------------------------------

    async def change_rules(self, change: TableChanging) -> bool:
        """Close a table after the round and open its successor; return whether that has happened already."""
        table = change.table
        async with self._tables_lock:  # a task that has read the journal before the approval must not undo this
            actor = self.actors.get(table)
            if table in self.settings:
                self.approved_changes[table] = change
            if actor is not None:
                actor.close_after_round()
        if actor is not None and at_rest(actor.table):
            with suppress(TimeoutError):
                async with asyncio.timeout(CHANGE_SECONDS):
                    while table in self.actors:
                        await asyncio.sleep(0.01)
        return table not in self.settings

    async def close_after_round(self, table: str, *, who: str) -> None:
        """Close a table for good after the round. Its players then get their chips back."""
        actor = self.find(table)
        await self._journal.note(TableClosing(by=who, at=self.now(), table=table))
        self.closed_by[table] = who
        actor.close_after_round()

    async def close_outdated(self, table: str, *, who: str) -> None:
        """Close a table that was opened under other rules. An open round is finished, and the chips go back to the
        accounts."""
        async with self._tables_lock:
            self.outdated.discard(table)
            self.closed_by[table] = who
            await self._try_start(self.settings[table], outdated=True)
            self.find(table).close_after_round()

    def _on_vacated(self, actor: TableActor) -> None:
        """Close a table that every player has left. If that fails, the next maintenance starts the table again."""

        def finished(task: asyncio.Task[None]) -> None:
            self._closings.discard(task)
            if not task.cancelled() and (error := task.exception()) is not None:
                log.warning("a table could not be closed: %s", error)

        task = asyncio.create_task(self._close_vacated(actor), name=f"closing {actor.settings.id}")
        self._closings.add(task)
        task.add_done_callback(finished)

    async def _close_vacated(self, actor: TableActor) -> None:
        """Close a table that every player has left, and open its successor if the rules change."""
        table, why, successor = actor.settings.id, MOVED, ""
        async with self._tables_lock:
            if self.actors.get(table) is not actor:
                return  # another process has taken the table over, and closes it
            lease = self.leases.held[table]
            try:
                if (who := self.closed_by.pop(table, None)) is not None:
                    await self._journal.note(TableRemoved(by=who, at=self.now(), table=table), lease=lease)
                    why = CLOSED
                else:
                    change = self.approved_changes[table]
                    settings = settings_of(change)
                    await self._store_table(settings, lease, change.by, replaces=actor)
                    why, successor = NEW_RULES, settings.id
                    self.successors[table] = successor
                    self.approved_changes.pop(table)
                self.settings.pop(table)
                self.meter_registry.forget_table(actor)
                if successor:
                    await self._start(self.settings[successor])
            finally:
                self.actors.pop(table)
                await actor.stop(why, successor)
                await self.leases.release(table)

    # --- the start of a table -----------------------------------------------------------------------------------------

    async def _try_start(self, settings: TableSettings, *, outdated: bool = False) -> None:
        """Start a table, or note why it stays closed."""
        try:
            await self._start(settings, outdated=outdated)
            return
        except Unavailable:
            raise
        except TableOutdated as error:
            log.error("a table stays closed: %s", error, extra={"table": settings.id})
            self.outdated.add(settings.id)
        except Exception:  # altered rows can raise any exception
            log.exception("a table stays closed: its rows cannot be read", extra={"table": settings.id})
            self.unreadable.add(settings.id)
        await self.leases.release(settings.id)

    async def _start(self, settings: TableSettings, *, outdated: bool = False) -> TableActor | None:
        """Take a table over; return None if another process owns it. An `outdated` table starts only to be closed."""
        lease = await self.leases.acquire(settings.id)
        if lease is None:
            return None
        self.leases.held[settings.id] = lease
        expected = None if outdated else self._expected(settings)
        recovered = await recover(self.store, settings.stream, settings.seals, expected)
        game = recovered.table.game
        if departure := self.rulebooks.departure(game):
            log.warning("%s: %s", settings.id, departure, extra={"table": settings.id})
        meters = self.meters.linked(settings, game)
        if broken := self._broken.intersection((settings.stream, settings.seals, *meters.streams)):
            raise BrokenChain(sorted(broken)[0], "the integrity check found it altered")
        await self.meters.refresh(self.store, meters.streams)
        rng = replace(self._rng(), lesson_seed=settings.lesson_seed)
        if recovered.seal is not None:
            rng = rng.resumed(recovered.seal, [event for row in recovered.memory.round_rows for event in row.events])
        person = f"bots of {settings.owner or settings.id}"
        advice = BotAdvice(game, self._best_play, lambda: actor.wake(), person, self._bot_thread)
        accounts = self._accounts if settings.uses_accounts else None
        actor = TableActor(
            recovered,
            store=self.store,
            writer=CommitWriter(settings, meters, accounts, lease, self._journal),
            scheduler=Scheduler(settings, advice),
            rng=rng,
            now=self.now,
            metrics=self._metrics,
            key=self._key,
            on_failure=self._on_failure,
            on_vacated=self._on_vacated,
        )
        for proposal in (await self._journal.now()).waiting.values():
            if proposal.subject == settings.id and proposal.kind in STOPS_TABLE:
                await actor.stop_round(str(proposal.number))
        self.actors[settings.id] = actor
        actor.start()
        if (who := (await self._journal.now()).closing.get(settings.id)) is not None:
            self.closed_by[settings.id] = who
        if settings.id in self.approved_changes or settings.id in self.closed_by:
            actor.close_after_round()
        return actor

    def _expected(self, settings: TableSettings) -> Game | None:
        """Return the game that a table of a shipped rulebook must have. Any other table has the one in its stream."""
        if not self.rulebooks.ships(settings.rulebook):
            return None
        try:
            return settings.compile(self.rulebooks)
        except BadInput:
            raise TableOutdated(settings.id) from None

    def _on_failure(self, actor: TableActor, why: str) -> None:
        """Drop a table whose task has failed. Its lease expires, and the next maintenance starts it again."""
        log.warning("table stopped: %s", why, extra={"table": actor.settings.id})
        if self.actors.get(actor.settings.id) is actor:
            self.actors.pop(actor.settings.id)
            self.leases.held.pop(actor.settings.id, None)


async def _ask_for(actor: TableActor, bot: str, **fields: object) -> CommandAnswer:
    return await actor.ask(CommandRequest(id=secrets.token_hex(8), who=bot, role="player", fields=fields))
