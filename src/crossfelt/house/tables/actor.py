"""One table at work: a task that takes one thing at a time, stores it, and tells everybody who looks on.

Nothing is acknowledged and nobody is told before the store has it. A table that cannot be stored any more, because
another process owns it by now, stops at once.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from crossfelt.house.alarm import Alarm
from crossfelt.house.arrivals import Arrivals
from crossfelt.house.metrics import Metrics
from crossfelt.house.store.port import Head, Repeated, Store, StoreError
from crossfelt.house.tables.asked import Answer, Asked, by_two, command_of, refused, takes_two
from crossfelt.house.tables.chance import Fixed, HouseChance
from crossfelt.house.tables.earlier import EarlierOpenings
from crossfelt.house.tables.memory import Memory
from crossfelt.house.tables.meters import LinkedMeters
from crossfelt.house.tables.playing import Playing
from crossfelt.house.tables.postponed import OTHER_RULES, leaving
from crossfelt.house.tables.presence import Presence
from crossfelt.house.tables.recovery import Recovered, snapshot_of
from crossfelt.house.tables.renewing import Seated, at_rest, getting_up
from crossfelt.house.tables.rows import Agreed, Ledger, Plan, Row, kinds_of
from crossfelt.house.tables.settings import TableSettings
from crossfelt.house.tables.watching import Around, Audience, Watcher
from crossfelt.problems import BadInput, Problem
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.engine import Refused, run
from crossfelt.table.moves import KINDS
from crossfelt.table.state import Table

log = logging.getLogger(__name__)
Told = Callable[[Answer], None]
"""Who asked, and is told the answer."""
INBOX: Final = 256
"""Commands that may wait at one table; more are refused, and may be sent again."""
ANSWERS_KEPT: Final = 512
STOPPING: Final = refused("table.stopping", "the table is being stopped: try again in a moment")
CARRIED_OUT: Final = Answer()
"""In an earlier opening of the table: in this one it has no row."""
MOST_ROWS: Final = 48
"""Rows that are written in one commit at most."""
SNAPSHOT_ROUNDS: Final = 5
"""So many rounds of a table at most are read again when a house starts."""
HELD_MS: Final = 5_000
"""A step that was refused is tried again so much later."""


class TableActor:
    """A table of the house."""

    def __init__(
        self,
        settings: TableSettings,
        recovered: Recovered,
        *,
        store: Store,
        ledger: Ledger,
        meters: LinkedMeters,
        playing: Playing,
        chance: HouseChance,
        presence: Presence,
        now: Callable[[], int],
        metrics: Metrics,
        stopped: Callable[[TableActor, str], None],
        vacated: Callable[[TableActor], None],
    ) -> None:
        self.settings = settings
        self._times = settings.times
        self.table: Table = recovered.table
        self.seq = recovered.seq
        self.memory = Memory(recovered)
        self._fixed: Fixed | None = recovered.fixed
        self._store = store
        self._ledger = ledger
        self.meters = meters
        self.playing = playing
        self._chance = chance
        self.presence = presence
        self.now = now
        self._metrics = metrics
        self._stopped = stopped
        self._vacated = vacated
        self._renewing = False
        self.seated: list[Seated] = []
        """Who got up so that the table can open again with other rules."""
        self.audience = Audience(now, metrics, live=settings.live)
        self.filling = asyncio.Lock()
        """Held while bots sit down, so that who asks for more counts the seats that they leave."""
        self._described = {
            "id": settings.id,
            "rulebook": settings.rulebook,
            "title": self.table.game.book.title,
            "pace": settings.pace,
            "dealt_by": settings.dealt_by,
            "opening": settings.opening,
            "owner": settings.owner,
        }
        self.held = ""
        """Why the next step is refused, where it is: the floor must see to it."""
        self._held_round = 0
        self._standing = self._around(self.table)
        """What is told beside the view: as it was when the table was last stored, not as it is being planned."""
        self._inbox: Arrivals[tuple[Asked, Told] | None] = Arrivals()
        """What is asked for; None where it is to be looked again at what is due."""
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._earlier = EarlierOpenings(store, settings)
        self._paused_until = 0
        self._looked_at = 0
        """When it was last looked at what is due: what falls due since then has not been seen."""
        self._nothing_due: Table | None = None
        """The table at which nothing was due after what was asked for: it need not be looked at again at once."""
        self._alarm = Alarm(now, self.poke)
        self._parking = False
        self._task: asyncio.Task[None] | None = None

    # --- from outside -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.playing.begin(self.table)
        self._standing = self._around(self.table)
        self._task = asyncio.create_task(self._run(), name=f"table {self.settings.id}")

    async def stop(self, why: str) -> None:
        """Finishes what is being written; a round that is open is parked, and goes on when the table comes back."""
        self._parking = True
        self.poke()
        if self._task is not None:
            await self._task
        with suppress(StoreError):  # it is read again from its rows
            await self._keep_snapshot(await self._store.head(self.settings.stream))
        self.audience.close(why)

    def renew(self) -> None:
        """The table shall open again with other rules: before the next round everybody gets up."""
        self._renewing = True
        self.poke()

    async def ask(self, asked: Asked) -> Answer:
        """Carries out what somebody asks for, once; the same id gets the same answer."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.hear(asked, lambda answer: None if future.done() else future.set_result(answer))
        return await future

    def hear(self, asked: Asked, told: Told) -> None:
        """The same for who does not wait, but is told the answer."""
        if self._parking:
            told(STOPPING)
        elif self._inbox.qsize() >= INBOX:
            told(refused("table.busy", "the table has too much to do: try again in a moment"))
        else:
            self._inbox.put_nowait((asked, told))

    def ready(self, name: str, number: int | None) -> Answer:
        """A player needs no more time for bets."""
        if number is not None and number != self.table.round:
            return refused("late", "that round is not open", "round", number, str(self.table.round))
        seats = self._seats_of(name)
        if not seats:
            return refused("seat.other", "only who sits at the table can be ready", "who", name)
        for seat in seats:
            self.playing.ready(seat)
        self._tell([])
        self.poke()
        return Answer(self.seq)

    def _seats_of(self, name: str) -> list[int]:
        return [seat.number for seat in self.table.seats if seat.player == name]

    def join(self, watcher: Watcher, after: int | None = None) -> None:
        """Somebody connects: is told what was missed, or everything."""
        if watcher.role == "player":
            self.presence.arrive(watcher.name)
            self.playing.postponed.forget(leaving(watcher.name))
        missed = None if after is None else self.memory.missed(after, self.seq)
        if missed is None:
            self.audience.welcome(watcher, self.table, self.seq, self._standing)
        else:
            self.audience.resume(watcher, self.table, missed, self.seq, self._standing)

    def leave(self, watcher: Watcher) -> None:
        """A connection ends; its player has some time to come back."""
        self.audience.leave(watcher)
        if watcher.role == "player":
            self.presence.depart(watcher.name, self.now())
            if all(seat.player != watcher.name for seat in self.table.seats):
                self.presence.forget(watcher.name)
        self.poke()

    def last_wagers(self, seat: int) -> Mapping[str, int]:
        """What the player of a seat placed there before, as far as it is known."""
        return self.memory.last_wagers(seat, self.table.seat(seat).player)

    def meters_changed(self) -> None:
        """Another table has fed or emptied a meter that this one shows."""
        self._tell([])

    # --- the task ---------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            while not self._parking:
                if self._opens_again(self.table) and await self._vacate():
                    break
                if self._nothing_due is not self.table:
                    await self._go_on()
                self._nothing_due = None
                if (waiting := await self._next()) is not None:
                    await self._answer(*waiting)
        except StoreError as error:
            self._fail(str(error))
        except Exception as error:
            self._metrics.faults += 1
            log.error("fault at a table", exc_info=error, extra={"table": self.settings.id, "seq": self.seq})
            self._fail("a fault of the program")
        finally:
            self.playing.stop()
            self._alarm.cancel()
            self._refuse_rest()

    def _opens_again(self, table: Table) -> bool:
        """Whether everybody is to get up now, so that the table can open with other rules."""
        return self._renewing and at_rest(table) and not self.playing.postponed.waits(OTHER_RULES, self.now())

    async def _vacate(self) -> bool:
        """Between two rounds everybody gets up; whether the table is empty now. Where an account refuses that, nobody
        does, and the table goes on with the rules it has."""
        left = getting_up(self.table, self.seq, self.now)
        if left is None:
            return False
        rows, seated = left
        try:
            if rows:
                await self._write(rows)
        except BadInput as bad:
            self._postpone(OTHER_RULES, bad.problems[0])
            return False
        self._parking, self.seated = True, seated
        self._vacated(self)
        return True

    async def _answer(self, asked: Asked, told: Told) -> None:
        answer = refused("table.moving", "the table is moving: send it again, it will be carried out once")
        began = time.perf_counter()
        try:
            answer = await self._serve(asked)
        finally:
            self._metrics.commands.observe(time.perf_counter() - began)
            kind = str(asked.fields.get("command"))
            counted = self._metrics.accepted if answer.problem is None else self._metrics.refused
            counted[kind if kind in KINDS else "unknown"] += 1
            told(answer)

    async def _next(self) -> tuple[Asked, Told] | None:
        """The next thing in the inbox, or nothing once it is time to look again."""
        if self._parking:
            return None
        if not self._inbox.empty():
            return self._inbox.get_nowait()
        wake = self.playing.wake_at(self.table, self._looked_at)
        if self._paused_until > self._looked_at:
            wake = self._paused_until if wake is None else min(wake, self._paused_until)
        if wake is not None:
            self._alarm.by(wake)
        return await self._inbox.get()

    async def _go_on(self) -> None:
        """Dealer, floor and bots act until people must, or until people have seen what happened."""
        while not self._parking:
            self._looked_at = self.now()
            if self._looked_at < self._paused_until:
                return
            playing, chance = self.playing.mark(), self._chance.mark()
            rows = self._following([])
            if not rows:
                return
            try:
                await self._write(rows)
            except BadInput as bad:
                self.playing.back_to(playing)
                self._chance.back_to(chance)
                if not isinstance(leave := rows[0].command, c.LeaveSeat):
                    self._hold(bad.problems[0])
                    return
                self._postpone(leaving(leave.who), bad.problems[0])

    def _hold(self, problem: Problem) -> None:
        """What comes next in the round is refused: a meter does not believe what it would add. Bets stay open, so that
        they can be taken back, and it is tried again now and then, until two people have seen to it. Stopping would
        help nobody."""
        told, self.held = bool(self.held), str(problem)
        self._paused_until = self.now() + HELD_MS
        if not told:
            self._tell([])
        if self._held_round != self.table.round:
            self._held_round = self.table.round
            log.error("table held: %s", problem, extra={"table": self.settings.id, "seq": self.seq})

    def _postpone(self, what: str, problem: Problem) -> None:
        """Something beside the round is refused by an account: the table goes on without it, and tries it again."""
        if self.playing.postponed.put_off(what, str(problem), self.now()):
            log.error("%s: %s", what, problem, extra={"table": self.settings.id, "seq": self.seq})

    async def _serve(self, asked: Asked) -> Answer:
        key = f"{asked.who}/{asked.id}"
        if (known := self._answers.get(key)) is not None:
            return known
        if await self._earlier.have(key):
            return CARRIED_OUT
        seq, playing, chance = self.seq, self.playing.mark(), self._chance.mark()
        try:
            answer = await self._carry_out(asked, key)
        except BadInput as bad:
            answer = Answer(problem=bad.problems[0])
        except Repeated:
            stored = await self._store.find(self.settings.stream, key)
            answer = Answer(stored.seq) if stored else CARRIED_OUT
        if self.seq == seq:
            # Nothing was written: what was drawn for it, and planned upon it, is as if nobody had asked.
            self.playing.back_to(playing)
            self._chance.back_to(chance)
        self._answers[key] = answer
        if len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)
        return answer

    async def _carry_out(self, asked: Asked, key: str) -> Answer:
        chance = None if self.settings.live else self._chance
        command = command_of(asked, key, self.table, chance, self.now())
        accepted = run(self.table, command)
        if isinstance(accepted, Refused):
            stored = await self._store.find(self.settings.stream, key)
            return Answer(stored.seq) if stored else Answer(problem=accepted.problem)
        if asked.agreed is None and takes_two(self.table, accepted, live=self.settings.live):
            what = "nobody voids a round alone, or shows a card before its time: the floor proposes it"
            return Answer(problem=by_two(what, str(asked.fields["command"])))
        row = Row.of(self.seq + 1, self.table, command, accepted.events, accepted.table)
        if row.moves_chips:
            # An account may refuse it: nothing else is planned upon it before.
            await self._write([row], asked.agreed)
            self.playing.note(row.events)
        else:
            await self._write_on(row, asked)
        return Answer(row.seq)

    async def _write_on(self, row: Row, asked: Asked) -> None:
        """A row with what follows it at once; by itself where only what follows is refused, which then holds the table
        and not who asked."""
        playing, chance = self.playing.mark(), self._chance.mark()
        rows = self._following(self._planned(row, asked))
        try:
            await self._write(rows, asked.agreed)
        except BadInput:
            if len(rows) == 1:
                raise
            self.playing.back_to(playing)
            self._chance.back_to(chance)
            await self._write(self._planned(row, asked), asked.agreed)

    def _planned(self, row: Row, asked: Asked) -> list[Row]:
        """A row that is noted; who asked for it may have bet enough by that."""
        self.playing.note(row.events)
        for seat in self._seats_of(asked.who) if asked.ready else ():
            self.playing.plan_ready(seat)
        return [row]

    # --- writing ----------------------------------------------------------------------------------------------------

    def _following(self, rows: list[Row]) -> list[Row]:
        """Rows that are noted, and what dealer, floor and bots do after them at once: up to what must be seen first,
        or stored. At a table that is held one thing at a time, so that what can be stored is."""
        table, seq = (rows[-1].after, rows[-1].seq) if rows else (self.table, self.seq)
        most = 1 if self.held else MOST_ROWS
        while len(rows) < most and not (rows and self._ends(rows[-1])):
            if rows and self._opens_again(table):
                break
            self._looked_at = self.now()
            command = self.playing.due(table)
            if command is None:
                self._nothing_due = table
                break
            if rows and isinstance(command, c.LeaveSeat):
                break  # an account may refuse it, and nothing else with it
            seq += 1
            command = replace(command, id=f"auto-{seq}")
            answer = run(table, command)
            if isinstance(answer, Refused):
                raise AssertionError(f"{command} was refused: {answer.problem}")
            rows.append(Row.of(seq, table, command, answer.events, answer.table))
            self.playing.note(answer.events)
            table = answer.table
        return rows

    def _ends(self, row: Row) -> bool:
        """Whether a row must be stored before anything follows it: a claim, a loaded deck, what an account may refuse,
        or something to be seen."""
        stored_first = e.DeckLoaded in row.kinds or e.SeatLeft in row.kinds
        return bool(row.after.claims) or stored_first or self._times.pause_ms(row.kinds) > 0

    async def _write(self, rows: list[Row], agreed: Agreed | None = None) -> None:
        seal = None
        last = rows[-1]
        if e.DeckLoaded in last.kinds and last.after.deck.cards:
            again = e.RoundOpened not in last.kinds
            seal = self._chance.seal(last.after, at=last.command.at, seq=last.seq, again=again)
        plan = Plan(rows, seal, agreed)
        began = time.perf_counter()
        written = await self._store.commit(self._ledger.streams(plan), lambda tx: self._ledger.write(tx, plan))
        self._metrics.commits.observe(time.perf_counter() - began)
        self._metrics.rows += len(written.rows)
        for row in written.rows[len(rows) :]:
            self.playing.note(row.events)
        self.table, self.seq = written.rows[-1].after, written.rows[-1].seq
        self.held = ""
        self.meters.saw(written.meters)
        self._remember(written.rows, written.fixed)
        kinds = kinds_of(written.rows)
        pause = self._times.pause_ms(kinds)
        self._paused_until = self.now() + pause if pause else 0
        if e.RoundClosed in kinds and self.table.round % SNAPSHOT_ROUNDS == 0:
            await self._keep_snapshot(Head(self.seq, written.hash))

    def _remember(self, rows: tuple[Row, ...], fixed: Fixed | None) -> None:
        """Tells everybody, and keeps what they may still ask for."""
        before, self._fixed = self._fixed, fixed or self._fixed
        if self._times.shows:
            for row in rows:
                self._tell([row])
        else:
            self._tell(list(rows))
        for row in rows:
            if e.SeatLeft in row.kinds:
                self.playing.postponed.forget(leaving(row.command.who))
            ended = self.memory.keep(row)
            if ended is not None:
                self._metrics.rounds[self.settings.rulebook] += 1
                if before is not None and before.round == ended.round:
                    self.audience.open(before, self.memory.round_rows)

    async def _keep_snapshot(self, head: Head) -> None:
        snapshot = snapshot_of(self.settings.stream, self.table, self.seq, self.memory.rounds)
        if snapshot is not None and head.seq == self.seq:
            await self._store.keep_snapshot(replace(snapshot, hash=head.hash))

    # --- telling ----------------------------------------------------------------------------------------------------

    def _tell(self, rows: list[Row]) -> None:
        table, seq = (rows[-1].after, rows[-1].seq) if rows else (self.table, self.seq)
        self._standing = self._around(table)
        if self.audience.watchers:
            self.audience.tell(rows, table, seq, self._standing)

    def _around(self, table: Table) -> Around:
        return Around(
            table=self._described,
            meters=self.meters.amounts,
            deadline=self.playing.deadline(table),
            ready=self.playing.who_is_ready,
            held=bool(self.held),
            fixed=self._fixed,
        )

    def poke(self) -> None:
        """Has the task look again at what is due; where something waits for it, it will."""
        if self._inbox.empty():
            self._inbox.put_nowait(None)

    def _fail(self, why: str) -> None:
        self._parking = True
        self.audience.close("the table is moving to another server: connect again")
        self._stopped(self, why)

    def _refuse_rest(self) -> None:
        while not self._inbox.empty():
            if (waiting := self._inbox.get_nowait()) is not None:
                waiting[1](STOPPING)
