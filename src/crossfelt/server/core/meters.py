"""Meters of the house: each has a stream of its own, which tables that are linked to it write to in their commits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from crossfelt.errors import BadInput, Problem
from crossfelt.play.meters import (
    METER_EVENTS,
    grant_fields,
    largest_contribution,
    meter_command_for,
    open_meter_command,
)
from crossfelt.progressive import events as m
from crossfelt.progressive import handle
from crossfelt.progressive.commands import AnyMeterCommand, ChangeParameters, MeterCommand
from crossfelt.progressive.meter import MICROS, Meter, evolve
from crossfelt.progressive.wheels import live_meters
from crossfelt.proof.verify_stream import StreamHeader
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.journal.events import TableChanging
from crossfelt.server.store.interface import NOTHING, Store, Transaction, new_row
from crossfelt.server.store.projection import Projection
from crossfelt.table.events import Event

PREFIX = "meter/"
LAST_ROWS = 1_000
STATED: Final = ("reset_cents", "limit_cents")
"""What a submission says of a meter, beside its rate, that two people may also change at the meter."""
_UNSEEN = Meter()


def meter_stream(link: str, meter: str) -> str:
    """The stream of a meter; tables of one link share it."""
    return f"{PREFIX}{link}/{meter}"


def link_of(stream: str) -> str:
    """The name of the link: a rulebook, or the first of the tables that have followed each other at it.

    >>> link_of("meter/nj-criss-cross-1/bonus_spin")
    'nj-criss-cross-1'
    """
    return stream.removeprefix(PREFIX).partition("/")[0]


class MeterStreams:
    """All meters of the house, as this process last saw them."""

    def __init__(self) -> None:
        self._folded: Projection[Meter] = Projection(AnyMeterCommand, m.AnyMeterEvent, Meter(), evolve)
        self.seen: dict[str, Meter] = {}
        """What is shown, by stream."""

    def linked(self, settings: TableSettings, game: Game) -> LinkedMeters:
        """The meters of a table, wherever it is."""
        return LinkedMeters(self, settings, game)

    def at(self, tx: Transaction, stream: str) -> Meter:
        """A meter in a commit that names its stream."""
        return self._folded.at(tx, stream)

    async def look(self, store: Store, streams: Iterable[str]) -> bool:
        """Looks at meters again; whether any of them has changed."""
        found = {stream: await self._folded.now(store, stream) for stream in streams}
        changed = any(self.seen.get(stream) != meter for stream, meter in found.items())
        self.seen |= found
        return changed

    async def events(self, store: Store, stream: str) -> list[m.AnyMeterEvent]:
        """What happened to a meter lately: its last rows."""
        head = await store.head(stream)
        rows = await store.rows(stream, max(0, head.seq - LAST_ROWS))
        return [event for row in rows for event in self._folded.events(row)]

    async def keep_snapshots(self, store: Store) -> None:
        """Long streams are read from there the next time."""
        await self._folded.keep_snapshots(store)

    def give(self, tx: Transaction, stream: str, command: MeterCommand) -> tuple[m.MeterEvent, ...]:
        """Carries out a command in a commit that names the meter's stream; `BadInput` where it is refused."""
        answer = handle.handle(self.at(tx, stream), command)
        if isinstance(answer, Problem):
            raise BadInput(replace(answer, where=", ".join(filter(None, (stream, answer.where)))))
        happened, _ = answer
        tx.append(stream, new_row(command, happened))
        return happened


class LinkedMeters:
    """The meters one table is linked to."""

    def __init__(self, room: MeterStreams, settings: TableSettings, game: Game) -> None:
        link = settings.link(game)
        self._room = room
        self._streams = {meter: meter_stream(link, meter) for meter in live_meters(game)}
        self._game = game
        self._own = link == settings.first_id
        """Whether no other table is linked to them: then the submission of this one governs them."""
        self._table = settings.id

    @property
    def streams(self) -> tuple[str, ...]:
        return tuple(self._streams.values())

    @property
    def amounts(self) -> Mapping[str, dict[str, Any]]:
        """What each meter shows."""
        shown = {}
        for name, stream in self._streams.items():
            meter = self._room.seen.get(stream, _UNSEEN)
            shown[name] = {"amount_cents": meter.amount_cents, "title": meter.title}
        return shown

    def record_amounts(self, meters: Mapping[str, Meter]) -> None:
        """What a commit has made of them."""
        self._room.seen |= meters

    def open(
        self, tx: Transaction, at: int, changing: TableChanging | None = None, before: LinkedMeters | None = None
    ) -> None:
        """Open the meters that no table has opened yet. A change of rules that closed the table with the meters
        `before` gives the table's own meters new parameters; they keep their pools."""
        for meter, stream in self._streams.items():
            if tx.head(stream).seq == NOTHING:
                tx.open(stream, StreamHeader(stream=stream), at)
                self._room.give(tx, stream, open_meter_command(self._game, meter, "open", at=at))
            elif self._own and changing is not None:
                running = self._room.at(tx, stream)
                wanted = _above(running, self._wanted(meter, running, before))
                if wanted != running.parameters:
                    changes = ChangeParameters(
                        id=self._table,
                        who=changing.proposed_by,
                        approved_by=changing.approved_by,
                        at=at,
                        parameters=wanted,
                        reason=f"the submission of {self._table}",
                    )
                    self._room.give(tx, stream, changes)

    def check(self, before: LinkedMeters) -> None:
        """Whether the meters bear the submission, as they were last seen; `BadInput` where one does not."""
        self.require_believed()
        for meter, stream in self._streams.items():
            running = self._room.seen.get(stream, _UNSEEN)
            if running.id and not self._own:
                continue
            tried: MeterCommand = open_meter_command(self._game, meter, "tried")
            if running.id:
                wanted = self._wanted(meter, running, before)
                tried = ChangeParameters(
                    id="tried", who="floor", approved_by="tried", at=0, parameters=wanted, reason="tried"
                )
            answer = handle.handle(running, tried)
            if isinstance(answer, Problem):
                raise BadInput(answer)

    def require_believed(self) -> None:
        """What a round here can add, the meters must believe, as they were last seen; `BadInput` where one does not."""
        for stream in self.streams:
            believed = self._room.seen.get(stream, _UNSEEN).parameters.unreasonable_cents
            most_cents = self.most_in_a_round(stream)
            if believed is not None and believed < most_cents:
                where, what = stream.removeprefix(PREFIX), "one round here can add more than the meter believes"
                allowed = f"at most {believed:,}"
                raise BadInput(
                    Problem(code="meter.unreasonable", where=where, what=what, value=most_cents, allowed=allowed)
                )

    def most_in_a_round(self, stream: str) -> int:
        """The most that one round here adds to a meter, in cents; nothing to one that the table is not linked to."""
        return max(
            (-(-largest_contribution(self._game, it) // MICROS) for it, fed in self._streams.items() if fed == stream),
            default=0,
        )

    def _wanted(self, meter: str, running: Meter, before: LinkedMeters | None) -> m.Parameters:
        """The parameters of a meter under this submission: what it says otherwise than the last one, where that linked
        the table to the meter too. What two people have changed at the meter itself stays as it is."""
        stated = open_meter_command(self._game, meter, "").parameters
        if before is None or self._streams[meter] not in before.streams:
            return replace(stated, unreasonable_cents=running.parameters.unreasonable_cents)
        last = open_meter_command(before._game, meter, "").parameters
        said = {name: getattr(stated, name) for name in STATED if getattr(stated, name) != getattr(last, name)}
        return replace(running.parameters, **{"rate_per_million": stated.rate_per_million, **said})

    def receive(
        self, tx: Transaction, events: Iterable[Event], seq: int, number: int
    ) -> tuple[list[dict[str, Any]], dict[str, Meter]]:
        """What a row of the table says to its meters, written into their streams; the fields of each grant, and what
        became of the meters."""
        grants: list[dict[str, Any]] = []
        meters: dict[str, Meter] = {}
        for place, event in enumerate(events):
            if type(event) not in METER_EVENTS:
                continue
            told = meter_command_for(event, self._table, number, f"{self._table}/{seq}/{place}")
            assert told is not None, event
            meter, command = told
            stream = self._streams[meter]
            answers = self._room.give(tx, stream, command)
            grants += [grant_fields(answer) for answer in answers if isinstance(answer, m.AwardGranted)]
            meters[stream] = self._room.at(tx, stream)
        return grants, meters


def require_believed(parameters: m.Parameters, most_cents: int) -> None:
    """What a round can add must be believed: a table whose contribution is refused stands still."""
    believed = parameters.unreasonable_cents
    if believed is not None and believed < most_cents:
        what, allowed = "one round at a linked table can add more", f"at least {most_cents:,}"
        raise BadInput(
            Problem(code="meter.unreasonable", where="unreasonable_cents", what=what, value=believed, allowed=allowed)
        )


def _above(meter: Meter, parameters: m.Parameters) -> m.Parameters:
    """A limit may not fall below what a meter shows: the last round may have taken it there since two people agreed."""
    if parameters.limit_cents is None:
        return parameters
    shown = -(-meter.amount_micros // MICROS)
    return replace(parameters, limit_cents=max(parameters.limit_cents, parameters.reset_cents, shown))
