"""A table at work: one task carries out one request at a time, stores it, and sends the update to every subscriber.

The table acknowledges and publishes only what the store has. If another process has taken the table over, the store
refuses its commits, and the task stops.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from contextvars import Context
from typing import Any, Final

from msgspec.structs import replace

from crossfelt.errors import BadInput, Problem
from crossfelt.proof.receipt import Receipt
from crossfelt.proof.signed_heads import SigningKey
from crossfelt.rulebooks.script import OpenBets
from crossfelt.server.broadcast.hub import Broadcaster, Status, Subscriber
from crossfelt.server.core.bots import bot_style, seated_people
from crossfelt.server.core.commit import CommitWriter, TableEntry, kinds_of
from crossfelt.server.core.planner import MOST_ROWS, Planned, PlannerState, at_rest, departures, plan
from crossfelt.server.core.recovery import Recovered, encode_table
from crossfelt.server.core.requests import CommandAnswer, CommandRequest, command_of, refused, repeats
from crossfelt.server.core.rng import RoundCommitment, TableRng
from crossfelt.server.core.scheduler import CLOSING, Scheduler, SchedulerState, leaving
from crossfelt.server.dual_control.dual_control import Approval
from crossfelt.server.dual_control.rule import command_problem
from crossfelt.server.runtime.clock import Timer
from crossfelt.server.runtime.inbox import Inbox
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.server.store.interface import Head, Repeated, Snapshot, StoreError
from crossfelt.server.store.sql_store import Store
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import COMMANDS_BY_NAME
from crossfelt.table.acts.player_seeds import seed_problem
from crossfelt.table.commands import Command
from crossfelt.table.engine import Refused, run
from crossfelt.table.state import TableState, step_of

log = logging.getLogger(__name__)
MOST_WAITING: Final = 256
"""The most requests that wait at one table. The table refuses more, and the client may send them again."""
ACCEPTED_KEPT: Final = 32
"""The last accepted commands of a table, some five of each seat. The store has the earlier ones, without receipts."""
REFUSED_KEPT: Final = 512
"""The last refused commands of a table, of which the store knows nothing."""
SNAPSHOT_ROUNDS: Final = 5
"""The most rounds of a table that a server reads again when it starts."""
HELD_MS: Final = 5_000
"""The time until a held table retries the refused step."""
MOVED: Final = "the table is moving to another server: connect again"
STOPPING: Final = refused("table.stopping", "the table is being stopped: try again in a moment")
MOVING: Final = refused("table.moving", "the table is moving: send it again, it will be carried out once")
REMOVED: Final = refused("seat.removed", "the floor has removed you from this table: choose another")
STOPPED: Final = refused("table.stopped", "an irregularity is being decided: the table waits for the floor")
OTHER_COMMAND: Final = refused("command.id", "this id belongs to another command: give every command its own id", "id")
BUSY: Final = refused("table.busy", "the table has too much to do: try again in a moment")
Reply = Callable[[CommandAnswer], None]
Remembered = tuple[Mapping[str, Any], CommandAnswer]
"""The fields of a command, and its answer."""


class TableActor:
    """A table with its state, its task and its subscribers."""

    def __init__(
        self,
        recovered: Recovered,
        *,
        store: Store,
        writer: CommitWriter,
        scheduler: Scheduler,
        rng: TableRng,
        now: Callable[[], int],
        metrics: Metrics,
        key: SigningKey | None,
        on_failure: Callable[[TableActor, str], None],
        on_vacated: Callable[[TableActor], None],
    ) -> None:
        self.settings = settings = writer.settings
        self.state = PlannerState(recovered.table, recovered.seq, SchedulerState(), rng)
        """The state as it is stored. Nothing planned is in it."""
        self.memory = recovered.memory
        self.meters = writer.meters
        self.scheduler = scheduler
        self.presence = scheduler.presence
        self.now = now
        self.held = ""
        """The reason why the next step of the round is refused; empty if it is not. The floor must act."""
        self._stops: set[str] = set()
        """The proposals about the round that wait for a second person. The table stands still meanwhile."""
        self._committing = asyncio.Lock()
        self.bots_lock = asyncio.Lock()
        """Held while bots sit down, so that the next request for bots counts the seats that are left."""
        self._store = store
        self._writer = writer
        self._metrics = metrics
        self._key = key
        self._on_failure = on_failure
        self._on_vacated = on_vacated
        self._commitment = RoundCommitment.of(recovered.seal) if recovered.seal else None
        description = {
            "id": settings.id,
            "rulebook": settings.rulebook,
            "title": self.table.game.book.title,
            "pace": settings.pace,
            "dealt_by": settings.dealt_by,
            "owner": settings.owner,
            "lesson_seed": settings.lesson_seed,
        }
        self.broadcaster = Broadcaster(now, metrics, description, live=settings.live)
        self._inbox: Inbox[tuple[CommandRequest, Reply] | None] = Inbox()
        """Requests. None makes the task check whether a command is due."""
        self._accepted: OrderedDict[str, Remembered] = OrderedDict()
        self._refused: OrderedDict[str, Remembered] = OrderedDict()
        """The last commands and their answers, by the client's name and the id of its command."""
        self._ready_meanwhile: set[int] = set()
        """The seats whose players have become ready since the last commit began."""
        self._paused_until = 0
        self._checked_at = 0
        """The time at which the task last checked whether a command is due."""
        self._nothing_due = False
        """True if the last commit included all that was due, so that the task need not check at once."""
        self._held_round = 0
        """The last round in which the table was held, for one log line a round."""
        self._closing = False
        self._stopping = False
        self._timer = Timer(now, self.wake)
        self._task: asyncio.Task[None] | None = None
        self._status = self._status_of(self.table)

    @property
    def table(self) -> TableState:
        return self.state.table

    @property
    def seq(self) -> int:
        return self.state.seq

    # --- the table as others use it ---------------------------------------------------------------------------------

    def start(self) -> None:
        self.state = self.state._replace(schedule=self.scheduler.begin(self.table, self.now()))
        self._status = self._status_of(self.table)
        # A context of its own: the key of the request that opens the table belongs to no later commit.
        self._task = asyncio.create_task(self._run(), name=f"table {self.settings.id}", context=Context())
        self._task.add_done_callback(self._ended)

    async def stop(self, why: str, successor: str = "") -> None:
        """Finish the commit that is under way. An open round continues when the table starts again."""
        self._stopping = True
        self.wake()
        if self._task is not None:
            await self._task
        with suppress(StoreError):  # without a snapshot the next start reads the rows
            await self._keep_snapshot(await self._store.head(self.settings.stream))
        self.broadcaster.close(why, successor)

    def remove_player(self, name: str) -> None:
        """Have a player leave after the round, and refuse a seat to that player from now on."""
        self.scheduler.removed.add(name)
        self.wake()

    async def stop_round(self, key: str) -> None:
        """Stop the round at once: bets stay, clocks stop, and only the decision of two people is carried out.

        It returns when the commit that is under way has ended, so that the round cannot move any more.
        """
        self._stops.add(key)
        async with self._committing:
            self.publish_status()

    def continue_round(self, key: str) -> None:
        """Let the round go on once nothing waits for a decision; the clocks start again."""
        if key not in self._stops:
            return
        self._stops.remove(key)
        if not self._stops:
            self.state = self.state._replace(schedule=self.scheduler.restart_clocks(self.state.schedule, self.now()))
            self._nothing_due = False
            self.publish_status()
            self.wake()

    @property
    def stopped(self) -> bool:
        return bool(self._stops)

    def close_after_round(self) -> None:
        """Have every player leave after the round, so that the table can be closed."""
        self._closing = True
        self.wake()

    async def ask(self, request: CommandRequest) -> CommandAnswer:
        """Carry out a request once. The same id gets the same answer."""
        future: asyncio.Future[CommandAnswer] = asyncio.get_running_loop().create_future()
        self.submit(request, lambda answer: None if future.done() else future.set_result(answer))
        return await future

    def submit(self, request: CommandRequest, reply: Reply) -> None:
        """Carry out a request once, and pass its answer to `reply`."""
        if self._stopping:
            reply(STOPPING)
        elif self._inbox.qsize() >= MOST_WAITING:
            reply(BUSY)
        else:
            self._inbox.put_nowait((request, reply))

    def ready(self, name: str, number: int | None) -> CommandAnswer:
        """Note that a player needs no more time for bets, even if a commit is under way."""
        if number is not None and number != self.table.round:
            return refused("late", "that round is not open", "round", number, str(self.table.round))
        seats = self._seats_of(name)
        if not seats:
            return refused("seat.other", "only a player with a seat can be ready: take a seat first", "who", name)
        self._ready_meanwhile.update(seats)
        self.state = self.state.with_ready(seats, self.now())
        self._publish([])
        self.wake()
        return CommandAnswer(self.seq)

    def take_seed(self, name: str, number: int, seat: int, seed: str) -> CommandAnswer:
        """Take a player's seed after no more bets; the deal waits for it."""
        if number != self.table.round or seat not in self._seats_of(name):
            return refused("late", "no seed of this round and seat is due from you", "round", number)
        if (problem := seed_problem(self.table, seat, seed)) is not None:
            return CommandAnswer(problem=problem)
        if self.scheduler.add_seed(self.table, seat, seed):
            self.wake()
        return CommandAnswer(self.seq)

    def go_on_without(self, seat: int, name: str) -> CommandAnswer:
        """Stop waiting for the player of a seat, at the word of another player at the table."""
        waits = self.scheduler.waiting(self.table, self.state.schedule, self.now())
        wait = next((it for it in waits if it.seat == seat), None)
        others = set(self._seats_of(name)) - {seat}
        if wait is None or not others:
            return refused("wait.nobody", "the table does not wait for this seat, or you have no seat", "seat", seat)
        if wait.skip_at is None:
            what = "the rules of this table set the time: the dealer goes on when the clock runs out"
            return refused("wait.clock", what, "seat", seat)
        if self.now() < wait.skip_at:
            what, left = "the player has a moment left", -((self.now() - wait.skip_at) // 1000)
            return refused("wait.early", what, "seat", seat, f"in {left} seconds")
        if isinstance(step_of(self.table), OpenBets):
            self._ready_meanwhile.add(seat)
            self.state = self.state.with_ready((seat,), self.now())
        else:
            self.scheduler.skip(self.table, seat)
        self._publish([])
        self.wake()
        return CommandAnswer(self.seq)

    def set_pauses(self, name: str, *, on: bool) -> CommandAnswer:
        """Turn the dealer's pauses on or off for a player who is alone with bots; the current pause ends too."""
        problem = self.scheduler.why_not_set_pauses(self.table, name)
        if problem is None:
            self.scheduler.without_pauses = "" if on else name
            if not on and not self.held:
                self._paused_until = 0
                self.wake()
        return CommandAnswer(self.seq, problem)

    def join(self, subscriber: Subscriber, after: int | None = None) -> None:
        """Connect a subscriber: send the rows after `after`, or everything."""
        if subscriber.role == "player":
            self.presence.arrive(subscriber.name)
            self.scheduler.retries.forget(leaving(subscriber.name))
            self.publish_status()
        missed = None if after is None else self.memory.missed(after, self.seq)
        if missed is None:
            self.broadcaster.welcome(subscriber, self.table, self.seq, self._status)
        else:
            self.broadcaster.resume(subscriber, self.table, missed, self.seq, self._status)

    def examine(self, name: str, *, on: bool) -> None:
        """Hide results from the connections of a person in an exam; after it, send them the whole view."""
        for subscriber in [it for it in self.broadcaster.subscribers if it.name == name]:
            subscriber.examined = on
            self.broadcaster.welcome(subscriber, self.table, self.seq, self._status)

    def leave(self, subscriber: Subscriber) -> None:
        """Disconnect a subscriber. A player with a seat has some time to reconnect."""
        self.broadcaster.unsubscribe(subscriber)
        if subscriber.role == "player":
            self.presence.depart(subscriber.name, self.now())
            if not self._seats_of(subscriber.name):
                self.presence.forget(subscriber.name)
            self.publish_status()
        self.wake()

    def last_wagers(self, seat: int) -> Mapping[str, int]:
        return self.memory.last_wagers(seat, self.table.seat(seat).player)

    def people(self) -> list[str]:
        """Return the players with accounts: no bots, and no players of a private physical table, who are only names."""
        if self.settings.live and self.settings.owner:
            return []
        return [seat.player for seat in seated_people(self.table)]

    def publish_status(self) -> None:
        """Send the status to the subscribers, if it has changed without a row: the amount of a meter, for example."""
        if self._status_of(self.table) != self._status:
            self._publish([])

    def wake(self) -> None:
        """Make the task check whether a command is due."""
        if self._inbox.empty():
            self._inbox.put_nowait(None)

    def _seats_of(self, name: str) -> list[int]:
        return [seat.number for seat in self.table.seats if seat.player == name]

    # --- the task ---------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            while not self._stopping:
                if self._closes(self.table) and await self._vacate():
                    break
                if not self._nothing_due:
                    await self._act()
                self._nothing_due = False
                if (waiting := await self._next_request()) is not None:
                    await self._answer(*waiting)
        except StoreError as error:
            self._fail(str(error))
        except Exception as error:
            self._metrics.faults.inc()
            log.error("fault in a table's task", exc_info=error, extra={"table": self.settings.id, "seq": self.seq})
            self._fail("an internal error")
        finally:
            self.scheduler.advice.close()
            self._timer.cancel()
            while not self._inbox.empty():
                if (waiting := self._inbox.get_nowait()) is not None:
                    waiting[1](STOPPING)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Fail the table if its task has ended unasked, whatever the reason."""
        if not self._stopping:
            self._metrics.faults.inc()
            log.error("a table's task has ended", extra={"table": self.settings.id, "seq": self.seq})
            self._fail("its task has ended")

    async def _next_request(self) -> tuple[CommandRequest, Reply] | None:
        """Return the next request in the inbox; None once a command may be due."""
        if self._stopping:
            return None
        if not self._inbox.empty():
            return self._inbox.get_nowait()
        wake_at = self.scheduler.wake_at(self.table, self.state.schedule, self._checked_at)
        if self._stops:
            return await self._inbox.get()
        if self._paused_until > self._checked_at:
            wake_at = self._paused_until if wake_at is None else min(wake_at, self._paused_until)
        if wake_at is not None:
            self._timer.schedule_at(wake_at)
        return await self._inbox.get()

    async def _act(self) -> None:
        """Let dealer, floor and bots act until a person must, or until viewers must see the last event first."""
        while not self._stopping:
            self._checked_at = self.now()
            if self._stops or self._checked_at < self._paused_until:
                return
            planned = self._plan()
            if not planned.rows:
                return
            try:
                await self._commit(planned)
            except BadInput as refusal:
                if not isinstance(departure := planned.rows[0].command, c.LeaveSeat):
                    self._hold(refusal.problems[0])
                    return
                self._retry_later(leaving(departure.who), refusal.problems[0])

    def _closes(self, table: TableState) -> bool:
        """Return whether every player is to leave now, so that the table can be closed."""
        return (
            self._closing
            and not self._stops
            and at_rest(table)
            and not self.scheduler.retries.waits(CLOSING, self.now())
        )

    async def _vacate(self) -> bool:
        """Have every player leave between two rounds; return whether the table is empty now.

        If an account refuses its chips, all players stay, and play continues.
        """
        rows = departures(self.table, self.seq, self.now())
        if rows is None:
            return False
        try:
            if rows:
                await self._commit(self._plan(rows, most=len(rows)))
        except BadInput as refusal:
            self._retry_later(CLOSING, refusal.problems[0])
            return False
        self._stopping = True
        self._on_vacated(self)
        return True

    def _hold(self, problem: Problem) -> None:
        """Pause the round because a meter refuses its contribution.

        Bets stay open, so that players can take them back. The table retries the step until two people have corrected
        the meter.
        """
        was_held, self.held = bool(self.held), str(problem)
        self._paused_until = self.now() + HELD_MS
        if not was_held:
            self._publish([])
        if self._held_round != self.table.round:
            self._held_round = self.table.round
            log.error("table held: %s", problem, extra={"table": self.settings.id, "seq": self.seq})

    def _retry_later(self, what: str, problem: Problem) -> None:
        """Note that an account refuses an act beside the round. Play continues, and the table retries the act later."""
        if self.scheduler.retries.add(what, str(problem), self.now()):
            log.error("%s: %s", what, problem, extra={"table": self.settings.id, "seq": self.seq})

    def _fail(self, why: str) -> None:
        self._stopping = True
        self.broadcaster.close(MOVED)
        self._on_failure(self, why)

    # --- requests ---------------------------------------------------------------------------------------------------

    async def _answer(self, request: CommandRequest, reply: Reply) -> None:
        answer, began = MOVING, time.perf_counter()
        try:
            answer = await self._answer_once(request)
        finally:
            self._metrics.command_seconds.observe(time.perf_counter() - began)
            kind = str(request.fields.get("command"))
            outcome = "accepted" if answer.problem is None else "refused"
            self._metrics.commands.labels(kind if kind in COMMANDS_BY_NAME else "unknown", outcome).inc()
            reply(answer)

    async def _answer_once(self, request: CommandRequest) -> CommandAnswer:
        """Carry out a request, or return the answer that a request with the same id got before."""
        key = f"{request.who}/{request.id}"
        if (known := self._accepted.get(key) or self._refused.get(key)) is not None:
            fields, answer = known
            return answer if fields == request.fields else OTHER_COMMAND
        try:
            answer = await self._carry_out(request, key)
        except BadInput as refusal:
            answer = CommandAnswer(problem=refusal.problems[0])
        except Repeated:
            stored = await self._stored_answer(request, key)
            assert stored is not None, key
            answer = stored
        if answer.problem is not None:  # it may have been accepted so long ago that only the store knows it
            answer = await self._stored_answer(request, key) or answer
        refused = answer.problem is not None
        answers, most = (self._refused, REFUSED_KEPT) if refused else (self._accepted, ACCEPTED_KEPT)
        answers[key] = request.fields, answer
        if len(answers) > most:
            answers.popitem(last=False)
        return answer

    async def _carry_out(self, request: CommandRequest, key: str) -> CommandAnswer:
        table, live = self.table, self.settings.live
        if self._stops and request.approval is None:
            return STOPPED
        command = command_of(request, key, table, None if live else self.state.rng, self.now())
        if isinstance(command, c.TakeSeat) and request.who in self.scheduler.removed:
            return REMOVED
        if isinstance(command, c.PlaceWagers) and self.settings.lesson_seed and table.round == 1:
            command = replace(command, seed_hash="")  # the lesson's deck is the same for everybody
        result = run(table, command)
        if isinstance(result, Refused):
            return CommandAnswer(problem=result.problem)
        people = bool(self.state.schedule.autopilot.people(table))
        if request.approval is None:
            public = not self.settings.owner
            problem = command_problem(table, command, result, people=people, live=live, public=public)
            if problem is not None:
                return CommandAnswer(problem=problem)
        row = TableEntry.of(self.seq + 1, table, command, result.events, result.table)
        commitment = self._commitment
        await self._commit_request(row, request)
        return CommandAnswer(row.seq, receipt=self._receipt(command, commitment))

    def _receipt(self, command: Command, commitment: RoundCommitment | None) -> Receipt | None:
        """Return the receipt of wagers that came with the hash of a seed."""
        if not isinstance(command, c.PlaceWagers) or not command.seed_hash or commitment is None or self._key is None:
            return None
        return Receipt(
            table=self.settings.id,
            round=commitment.round,
            root=commitment.commitment.root,
            seat=command.seat,
            player=command.who,
            seed_hash=command.seed_hash,
            at=command.at,
        ).sign(self._key)

    async def _stored_answer(self, request: CommandRequest, key: str) -> CommandAnswer | None:
        """Return the answer to a command that is in the stream already; None if it is not."""
        stored = await self._store.find(self.settings.stream, key)
        if stored is None:
            return None
        if self.settings.lesson_seed:  # whose wagers are stored without the hash
            fields = {name: value for name, value in request.fields.items() if name != "seed_hash"}
            request = replace(request, fields=fields)
        return CommandAnswer(stored.seq) if repeats(request, stored.body) else OTHER_COMMAND

    async def _commit_request(self, row: TableEntry, request: CommandRequest) -> None:
        """Store a row and the acts that follow at once.

        The row is stored alone if an account may refuse it. It is also stored alone if only the acts that follow are
        refused: they hold the table, and the request succeeds.
        """
        ready = self._seats_of(request.who) if request.ready and not row.moves_chips else ()
        planned = self._plan([row], ready, most=1 if row.moves_chips else None)
        try:
            await self._commit(planned, request.approval)
        except BadInput:
            if len(planned.rows) == 1:
                raise
            await self._commit(self._plan([row], ready, most=1), request.approval)

    # --- commits ----------------------------------------------------------------------------------------------------

    def _plan(
        self, first: Collection[TableEntry] = (), ready: Collection[int] = (), most: int | None = None
    ) -> Planned:
        """Plan from the stored state. A held table plans one row at a time, so that it stores all it can."""
        self._checked_at = self.now()
        return plan(
            self.state,
            first,
            scheduler=self.scheduler,
            now=self._checked_at,
            ready=ready,
            most=most or (1 if self.held or self._stops else MOST_ROWS),
            closes=self._closes,
        )

    async def _commit(self, planned: Planned, approval: Approval | None = None) -> None:
        """Store planned rows, then adopt and publish the state after them."""
        rows, seal = planned.rows, planned.seal
        self._ready_meanwhile.clear()
        began = time.perf_counter()
        async with self._committing:
            streams = self._writer.streams(rows, seal, approval)
            committed = await self._store.commit(streams, lambda tx: self._writer.write(tx, rows, seal, approval))
            self._adopt(planned, granted=committed.rows[len(rows) :])
        self._metrics.commit_seconds.observe(time.perf_counter() - began)
        self._metrics.rows.inc(len(committed.rows))
        self.meters.record_amounts(committed.meters)
        self._publish_rows(committed.rows, committed.commitment)
        kinds = kinds_of(committed.rows)
        pause_ms = self.scheduler.pause_ms(kinds, self.table)
        self._paused_until = self.now() + pause_ms if pause_ms else 0
        if e.RoundClosed in kinds and self.table.round % SNAPSHOT_ROUNDS == 0:
            await self._keep_snapshot(Head(self.seq, committed.hash))

    def _adopt(self, planned: Planned, granted: Collection[TableEntry]) -> None:
        """Make a stored plan the state of the table, with the awards that meters have granted in its commit.

        Players who have become ready meanwhile stay ready.
        """
        self.state = planned.state.after(granted, self.scheduler).with_ready(self._ready_meanwhile, self.now())
        self._nothing_due = planned.nothing_due and not granted
        self.held = ""
        for row in planned.rows:
            for event in row.events if e.SeatTaken in row.kinds else ():
                if isinstance(event, e.SeatTaken) and bot_style(event.player) is None:
                    self.presence.expect(event.player, event.at)

    async def _keep_snapshot(self, head: Head) -> None:
        state = encode_table(self.table, self.memory.rounds)
        if state is not None and head.seq == self.seq:
            await self._store.keep_snapshot(Snapshot(self.settings.stream, head, state))

    # --- updates ----------------------------------------------------------------------------------------------------

    def _publish_rows(self, rows: tuple[TableEntry, ...], commitment: RoundCommitment | None) -> None:
        """Publish stored rows, and open the commitment of a round that ends with them."""
        last_commitment, self._commitment = self._commitment, commitment or self._commitment
        for published in [[row] for row in rows] if self.scheduler.times.shows else [list(rows)]:
            self._publish(published)
        for row in rows:
            if e.SeatLeft in row.kinds:
                self.scheduler.retries.forget(leaving(row.command.who))
            ended = self.memory.keep(row)
            if ended is not None:
                self._metrics.rounds.labels(self.settings.rulebook).inc()
                if last_commitment is not None and last_commitment.round == ended.round:
                    self.broadcaster.reveal(last_commitment, self.memory.round_rows, ended)

    def _publish(self, rows: list[TableEntry]) -> None:
        table, seq = (rows[-1].after, rows[-1].seq) if rows else (self.table, self.seq)
        self._status = self._status_of(table)
        if self.broadcaster.subscribers:
            self.broadcaster.publish(rows, table, seq, self._status)

    def _status_of(self, table: TableState) -> Status:
        schedule, now = self.state.schedule, self.now()
        return {
            "meters": self.meters.amounts,
            "deadline": None if self._stops else self.scheduler.deadline(table, schedule, now),
            "ready": tuple(sorted(schedule.ready)),
            "waiting": () if self._stops else self.scheduler.waiting(table, schedule, now),
            "held": bool(self.held or self._stops),
            "commitment": self._commitment.commitment if self._commitment else None,
        }
