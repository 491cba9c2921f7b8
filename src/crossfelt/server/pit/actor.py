"""One table at work: a task that takes one command at a time, stores it, and sends it to every viewer.

The table answers and publishes only what the store has. A table that another process has taken over cannot be stored
any more, and stops at once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from crossfelt.errors import BadInput, Problem
from crossfelt.server.broadcast.hub import Broadcaster, Subscriber, TableStatus
from crossfelt.server.core.commit import CommitBatch, CommitWriter, TableEntry, kinds_of
from crossfelt.server.core.meters import LinkedMeters
from crossfelt.server.core.planner import MOST_ROWS, Planned, TableRun, plan
from crossfelt.server.core.presence import Presence
from crossfelt.server.core.recovery import RecentRows, Recovered, snapshot_of
from crossfelt.server.core.requests import CommandAnswer, CommandRequest, command_of, refused
from crossfelt.server.core.rng import RoundCommitment, TableRng
from crossfelt.server.core.rule_change import at_rest, departures
from crossfelt.server.core.scheduler import CLOSING, Scheduler, SchedulerState, bot_style, leaving
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.dual_control.approval import Approval
from crossfelt.server.dual_control.rule import requires_second_person, second_person_problem
from crossfelt.server.runtime.clock import Timer
from crossfelt.server.runtime.inbox import Inbox
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.store.interface import Head, Repeated, Store, StoreError
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import COMMANDS_BY_NAME
from crossfelt.table.engine import Refused, run
from crossfelt.table.state import TableState

log = logging.getLogger(__name__)
INBOX: Final = 256
"""The most commands that wait at one table. The table refuses more, and the client may send them again."""
ANSWERS_KEPT: Final = 512
STOPPING: Final = refused("table.stopping", "the table is being stopped: try again in a moment")
SNAPSHOT_ROUNDS: Final = 5
"""The most rounds of a table that a server reads again when it starts."""
HELD_MS: Final = 5_000
"""Time until a refused step of the round is retried."""


class TableActor:
    """A table with its task, its viewers and its state."""

    def __init__(
        self,
        settings: TableSettings,
        recovered: Recovered,
        *,
        store: Store,
        writer: CommitWriter,
        meters: LinkedMeters,
        scheduler: Scheduler,
        rng: TableRng,
        presence: Presence,
        now: Callable[[], int],
        metrics: Metrics,
        stopped: Callable[[TableActor, str], None],
        vacated: Callable[[TableActor], None],
    ) -> None:
        self.settings = settings
        self._times = settings.times
        self.run = TableRun(recovered.table, recovered.seq, SchedulerState(), rng)
        """The state as it is stored. Nothing planned is in it."""
        self.memory = RecentRows(recovered)
        self._fixed: RoundCommitment | None = recovered.fixed
        self._store = store
        self._writer = writer
        self.meters = meters
        self.scheduler = scheduler
        self.presence = presence
        self.now = now
        self._metrics = metrics
        self._stopped = stopped
        self._vacated = vacated
        self._closing = False
        self.broadcaster = Broadcaster(now, metrics, live=settings.live)
        self.filling = asyncio.Lock()
        """Held while bots sit down, so that the next request for bots counts the seats left over."""
        self._described = {
            "id": settings.id,
            "rulebook": settings.rulebook,
            "title": self.table.game.book.title,
            "pace": settings.pace,
            "dealt_by": settings.dealt_by,
            "owner": settings.owner,
        }
        self.held = ""
        """The reason why the next step of the round is refused, if it is. The floor must act."""
        self._held_round = 0
        self._published = self._status_of(self.table)
        """The status that viewers were last sent beside the view."""
        self._inbox: Inbox[tuple[CommandRequest, asyncio.Future[CommandAnswer]] | None] = Inbox()
        """Requests; None makes the task look again for commands that are due."""
        self._answers: OrderedDict[str, CommandAnswer] = OrderedDict()
        self._ready_meanwhile: set[int] = set()
        """The seats whose players have said since the last commit began that they are ready."""
        self._paused_until = 0
        self._looked_at = 0
        """When the task last looked for commands that are due."""
        self._nothing_due = False
        """Whether the last commit included all that was due, so that the task need not look again at once."""
        self._alarm = Timer(now, self.poke)
        self._parking = False
        self._task: asyncio.Task[None] | None = None

    @property
    def table(self) -> TableState:
        return self.run.table

    @property
    def seq(self) -> int:
        return self.run.seq

    # --- from outside -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.run = self.run._replace(schedule=self.scheduler.begin(self.table))
        self._published = self._status_of(self.table)
        self._task = asyncio.create_task(self._work(), name=f"table {self.settings.id}")

    async def stop(self, why: str, successor: str = "") -> None:
        """Finish the commit that is under way. An open round is parked, and continues when the table starts again."""
        self._parking = True
        self.poke()
        if self._task is not None:
            await self._task
        with suppress(StoreError):  # without a snapshot the next start reads the rows
            await self._keep_snapshot(await self._store.head(self.settings.stream))
        self.broadcaster.close(why, successor)

    def close_after_round(self) -> None:
        """Have every player leave after the round, so that the table can be closed."""
        self._closing = True
        self.poke()

    async def ask(self, asked: CommandRequest) -> CommandAnswer:
        """Carry out a request once; the same id gets the same answer."""
        if self._parking:
            return STOPPING
        if self._inbox.qsize() >= INBOX:
            return refused("table.busy", "the table has too much to do: try again in a moment")
        future: asyncio.Future[CommandAnswer] = asyncio.get_running_loop().create_future()
        self._inbox.put_nowait((asked, future))
        return await future

    def ready(self, name: str, number: int | None) -> CommandAnswer:
        """Note that a player needs no more time for bets, whatever becomes of the commit that is under way."""
        if number is not None and number != self.table.round:
            return refused("late", "that round is not open", "round", number, str(self.table.round))
        seats = self._seats_of(name)
        if not seats:
            return refused("seat.other", "only who sits at the table can be ready", "who", name)
        self._ready_meanwhile.update(seats)
        self.run = self.run.with_ready(seats, self.now())
        self._publish([])
        self.poke()
        return CommandAnswer(self.seq)

    def _seats_of(self, name: str) -> list[int]:
        return [seat.number for seat in self.table.seats if seat.player == name]

    def join(self, watcher: Subscriber, after: int | None = None) -> None:
        """Connect a viewer: send the rows after `after`, or everything."""
        if watcher.role == "player":
            self.presence.arrive(watcher.name)
            self.scheduler.postponed.forget(leaving(watcher.name))
        missed = None if after is None else self.memory.missed(after, self.seq)
        if missed is None:
            self.broadcaster.welcome(watcher, self.table, self.seq, self._published)
        else:
            self.broadcaster.resume(watcher, self.table, missed, self.seq, self._published)

    def leave(self, watcher: Subscriber) -> None:
        """End a connection; its player has some time to reconnect."""
        self.broadcaster.unsubscribe(watcher)
        if watcher.role == "player":
            self.presence.depart(watcher.name, self.now())
            if all(seat.player != watcher.name for seat in self.table.seats):
                self.presence.forget(watcher.name)
        self.poke()

    def last_wagers(self, seat: int) -> Mapping[str, int]:
        """Return the last wagers of the player of a seat there, if they are known."""
        return self.memory.last_wagers(seat, self.table.seat(seat).player)

    def publish_meters(self) -> None:
        """Send the meters to the viewers, if one shows another amount than they were last sent."""
        if self.meters.amounts != self._published.meters:
            self._publish([])

    # --- the task ---------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        try:
            while not self._parking:
                if self._closes(self.table) and await self._vacate():
                    break
                if not self._nothing_due:
                    await self._advance()
                self._nothing_due = False
                if (waiting := await self._next()) is not None:
                    await self._answer(*waiting)
        except StoreError as error:
            self._fail(str(error))
        except Exception as error:
            self._metrics.faults.inc()
            log.error("fault at a table", exc_info=error, extra={"table": self.settings.id, "seq": self.seq})
            self._fail("a fault of the program")
        finally:
            self.scheduler.stop()
            self._alarm.cancel()
            self._refuse_rest()

    def _closes(self, table: TableState) -> bool:
        """Return whether every player is to leave now, so that the table can be closed."""
        return self._closing and at_rest(table) and not self.scheduler.postponed.waits(CLOSING, self.now())

    async def _vacate(self) -> bool:
        """Have every player leave between two rounds; return whether the table is empty now.

        If an account refuses its chips, all players stay, and the table goes on.
        """
        rows = departures(self.table, self.seq, self.now)
        if rows is None:
            return False
        try:
            if rows:
                await self._write(self._plan(rows, most=len(rows)))
        except BadInput as bad:
            self._postpone(CLOSING, bad.problems[0])
            return False
        self._parking = True
        self._vacated(self)
        return True

    async def _answer(self, asked: CommandRequest, future: asyncio.Future[CommandAnswer]) -> None:
        answer = refused("table.moving", "the table is moving: send it again, it will be carried out once")
        began = time.perf_counter()
        try:
            answer = await self._serve(asked)
        finally:
            self._metrics.command_seconds.observe(time.perf_counter() - began)
            kind = str(asked.fields.get("command"))
            outcome = "accepted" if answer.problem is None else "refused"
            self._metrics.commands.labels(kind if kind in COMMANDS_BY_NAME else "unknown", outcome).inc()
            _resolve(future, answer)

    async def _next(self) -> tuple[CommandRequest, asyncio.Future[CommandAnswer]] | None:
        """Return the next request in the inbox; None once a command may be due."""
        if self._parking:
            return None
        if not self._inbox.empty():
            return self._inbox.get_nowait()
        wake = self.scheduler.wake_at(self.table, self.run.schedule, self._looked_at)
        if self._paused_until > self._looked_at:
            wake = self._paused_until if wake is None else min(wake, self._paused_until)
        if wake is not None:
            self._alarm.schedule_at(wake)
        return await self._inbox.get()

    async def _advance(self) -> None:
        """Let dealer, floor and bots act until people must, or until people have seen the last event."""
        while not self._parking:
            self._looked_at = self.now()
            if self._looked_at < self._paused_until:
                return
            planned = self._plan()
            if not planned.rows:
                return
            try:
                await self._write(planned)
            except BadInput as bad:
                if not isinstance(leave := planned.rows[0].command, c.LeaveSeat):
                    self._hold(bad.problems[0])
                    return
                self._postpone(leaving(leave.who), bad.problems[0])

    def _hold(self, problem: Problem) -> None:
        """Pause the round because a meter refuses its contribution.

        Bets stay open, so that players can take them back. The table retries the step until two people have corrected
        the meter.
        """
        told, self.held = bool(self.held), str(problem)
        self._paused_until = self.now() + HELD_MS
        if not told:
            self._publish([])
        if self._held_round != self.table.round:
            self._held_round = self.table.round
            log.error("table held: %s", problem, extra={"table": self.settings.id, "seq": self.seq})

    def _postpone(self, what: str, problem: Problem) -> None:
        """Note that an account refuses an act beside the round. The table goes on, and retries it later."""
        if self.scheduler.postponed.put_off(what, str(problem), self.now()):
            log.error("%s: %s", what, problem, extra={"table": self.settings.id, "seq": self.seq})

    async def _serve(self, asked: CommandRequest) -> CommandAnswer:
        key = f"{asked.who}/{asked.id}"
        if (known := self._answers.get(key)) is not None:
            return known
        try:
            answer = await self._carry_out(asked, key)
        except BadInput as bad:
            answer = CommandAnswer(problem=bad.problems[0])
        except Repeated:
            stored = await self._store.find(self.settings.stream, key)
            assert stored is not None, key
            answer = CommandAnswer(stored.seq)
        self._answers[key] = answer
        if len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)
        return answer

    async def _carry_out(self, asked: CommandRequest, key: str) -> CommandAnswer:
        rng = None if self.settings.live else self.run.rng
        command = command_of(asked, key, self.table, rng, self.now())
        accepted = run(self.table, command)
        if isinstance(accepted, Refused):
            stored = await self._store.find(self.settings.stream, key)
            return CommandAnswer(stored.seq) if stored else CommandAnswer(problem=accepted.problem)
        people, live = bool(self.run.schedule.autopilot.people(self.table)), self.settings.live
        if asked.agreed is None and requires_second_person(self.table, accepted, people=people, live=live):
            what = "to void a round, or to show a card before its time, takes two people: the floor proposes it"
            return CommandAnswer(problem=second_person_problem(what, str(asked.fields["command"])))
        row = TableEntry.of(self.seq + 1, self.table, command, accepted.events, accepted.table)
        if row.moves_chips:
            # An account may refuse this row, so the plan ends with it.
            await self._write(self._plan([row], most=1), asked.agreed)
        else:
            await self._write_with_following(row, asked)
        return CommandAnswer(row.seq)

    async def _write_with_following(self, row: TableEntry, asked: CommandRequest) -> None:
        """Store a row and the acts that follow at once. If only those are refused, store the row alone: they hold the
        table, and the request succeeds."""
        ready = self._seats_of(asked.who) if asked.ready else ()
        planned = self._plan([row], ready)
        try:
            await self._write(planned, asked.agreed)
        except BadInput:
            if len(planned.rows) == 1:
                raise
            await self._write(self._plan([row], ready, most=1), asked.agreed)

    # --- writing ----------------------------------------------------------------------------------------------------

    def _plan(
        self, first: Collection[TableEntry] = (), ready: Collection[int] = (), most: int | None = None
    ) -> Planned:
        """Plan from the stored state. A held table plans one row at a time, so that it stores all it can."""
        self._looked_at = self.now()
        return plan(
            self.run,
            first,
            scheduler=self.scheduler,
            now=self._looked_at,
            ready=ready,
            most=most or (1 if self.held else MOST_ROWS),
            closes=self._closes,
        )

    async def _write(self, planned: Planned, agreed: Approval | None = None) -> None:
        """Store planned rows, and adopt and publish the state after them."""
        batch = CommitBatch(planned.rows, planned.seal, agreed)
        self._ready_meanwhile.clear()
        began = time.perf_counter()
        written = await self._store.commit(self._writer.streams(batch), lambda tx: self._writer.write(tx, batch))
        self._metrics.commit_seconds.observe(time.perf_counter() - began)
        self._metrics.rows.inc(len(written.rows))
        self._adopt(planned, written.rows[len(planned.rows) :])
        self.held = ""
        self.meters.record_amounts(written.meters)
        self._remember(written.rows, written.fixed)
        kinds = kinds_of(written.rows)
        pause = self._times.pause_ms(kinds)
        self._paused_until = self.now() + pause if pause else 0
        if e.RoundClosed in kinds and self.table.round % SNAPSHOT_ROUNDS == 0:
            await self._keep_snapshot(Head(self.seq, written.hash))

    def _adopt(self, planned: Planned, granted: Collection[TableEntry]) -> None:
        """Make a stored plan the state of the table, with the awards that meters have granted in its commit. Players
        who said meanwhile that they are ready stay ready."""
        self.run = planned.run.after(granted, self.scheduler).with_ready(self._ready_meanwhile, self.now())
        self._nothing_due = planned.nothing_due and not granted
        for row in planned.rows:
            for event in row.events if e.SeatTaken in row.kinds else ():
                if isinstance(event, e.SeatTaken) and bot_style(event.player) is None:
                    self.presence.expect(event.player, event.at)

    def _remember(self, rows: tuple[TableEntry, ...], fixed: RoundCommitment | None) -> None:
        """Publish rows, and keep what viewers may still ask for."""
        before, self._fixed = self._fixed, fixed or self._fixed
        if self._times.shows:
            for row in rows:
                self._publish([row])
        else:
            self._publish(list(rows))
        for row in rows:
            if e.SeatLeft in row.kinds:
                self.scheduler.postponed.forget(leaving(row.command.who))
            ended = self.memory.keep(row)
            if ended is not None:
                self._metrics.rounds.labels(self.settings.rulebook).inc()
                if before is not None and before.round == ended.round:
                    self.broadcaster.reveal(before, self.memory.round_rows)

    async def _keep_snapshot(self, head: Head) -> None:
        snapshot = snapshot_of(self.settings.stream, self.table, self.seq, self.memory.rounds)
        if snapshot is not None and head.seq == self.seq:
            await self._store.keep_snapshot(replace(snapshot, hash=head.hash))

    # --- publishing -------------------------------------------------------------------------------------------------

    def _publish(self, rows: list[TableEntry]) -> None:
        table, seq = (rows[-1].after, rows[-1].seq) if rows else (self.table, self.seq)
        self._published = self._status_of(table)
        if self.broadcaster.subscribers:
            self.broadcaster.publish(rows, table, seq, self._published)

    def _status_of(self, table: TableState) -> TableStatus:
        return TableStatus(
            table=self._described,
            meters=self.meters.amounts,
            deadline=self.scheduler.deadline(table, self.run.schedule),
            ready=tuple(sorted(self.run.schedule.ready)),
            held=bool(self.held),
            fixed=self._fixed,
        )

    def poke(self) -> None:
        """Make the task look again for commands that are due."""
        if self._inbox.empty():
            self._inbox.put_nowait(None)

    def _fail(self, why: str) -> None:
        self._parking = True
        self.broadcaster.close("the table is moving to another server: connect again")
        self._stopped(self, why)

    def _refuse_rest(self) -> None:
        while not self._inbox.empty():
            if (waiting := self._inbox.get_nowait()) is not None:
                _resolve(waiting[1], STOPPING)


def _resolve(future: asyncio.Future[CommandAnswer], answer: CommandAnswer) -> None:
    """Hand an answer to the caller of `ask`, unless the caller was cancelled."""
    if not future.done():
        future.set_result(answer)
