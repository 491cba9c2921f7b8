"""Progressive meters: each has a stream of its own, to which its linked tables write in their commits."""

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
from crossfelt.progressive import handler
from crossfelt.progressive.commands import AnyMeterCommand, ChangeParameters, MeterCommand
from crossfelt.progressive.meter import MICROS, Meter, evolve
from crossfelt.progressive.meter_amounts import parameter_problems
from crossfelt.progressive.wheels import live_meters
from crossfelt.proof.history import StreamHeader
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.journal.events import TableChanging
from crossfelt.server.store.interface import NOTHING
from crossfelt.server.store.projection import Projection
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from crossfelt.table.events import Event

PREFIX = "meter/"
LAST_ROWS = 1_000
STATED: Final = ("reset_cents", "limit_cents")
"""The parameters, beside the rate, that a submission sets and that two people may also change at the meter."""
_UNSEEN = Meter()


def link_of(stream: str) -> str:
    """Return the name of the link: a rulebook, or the first of a table and its successors.

    >>> link_of("meter/nj-criss-cross-1/bonus_spin")
    'nj-criss-cross-1'
    """
    return stream.removeprefix(PREFIX).partition("/")[0]


class MeterStreams:
    """All meters of the server, as this process last read them."""

    def __init__(self) -> None:
        self.projection: Projection[Meter] = Projection(AnyMeterCommand, m.AnyMeterEvent, Meter(), evolve)
        self.seen: dict[str, Meter] = {}
        """The meters that are shown, by stream."""

    def linked(self, settings: TableSettings, game: Game) -> LinkedMeters:
        return LinkedMeters(self, settings, game)

    def at(self, tx: Transaction, stream: str) -> Meter:
        return self.projection.at(tx, stream)

    async def refresh(self, store: Store, streams: Iterable[str]) -> None:
        self.seen |= {stream: await self.projection.now(store, stream) for stream in streams}

    async def events(self, store: Store, stream: str) -> list[m.AnyMeterEvent]:
        """Return the events in the last rows of a meter."""
        head = await store.head(stream)
        rows = await store.rows(stream, max(0, head.seq - LAST_ROWS))
        return [event for row in rows for event in self.projection.events(row)]

    def carry_out(self, tx: Transaction, stream: str, command: MeterCommand) -> tuple[m.MeterEvent, ...]:
        """Carry out a command in a commit that names the meter's stream; raise `BadInput` if the meter refuses it."""
        answer = handler.handle(self.at(tx, stream), command)
        if isinstance(answer, Problem):
            raise BadInput(replace(answer, where=", ".join(filter(None, (stream, answer.where)))))
        events, _ = answer
        tx.append(stream, command, events)
        return events


class LinkedMeters:
    """The meters that one table is linked to."""

    def __init__(self, meters: MeterStreams, settings: TableSettings, game: Game) -> None:
        self._meters = meters
        self._streams = {meter: f"{PREFIX}{settings.meter_link}/{meter}" for meter in live_meters(game)}
        self.streams = tuple(self._streams.values())
        self._game = game
        self._own = settings.meter_link == settings.first_id
        """True if the table has not joined the link of others: its submission governs a meter that it comes back to."""
        self._table = settings.id

    @property
    def amounts(self) -> Mapping[str, dict[str, Any]]:
        """The amount and the title of each meter."""
        shown = {}
        for name, stream in self._streams.items():
            meter = self._meters.seen.get(stream, _UNSEEN)
            shown[name] = {"amount_cents": meter.amount_cents, "title": meter.title}
        return shown

    def record_amounts(self, meters: Mapping[str, Meter]) -> None:
        """Show the meters as a commit left them."""
        self._meters.seen |= meters

    def open(
        self, tx: Transaction, at: int, changing: TableChanging | None = None, before: LinkedMeters | None = None
    ) -> None:
        """Open the meters that no table has opened yet.

        A change of rules that closed the table with the meters `before` gives these meters new parameters; they keep
        their pools. All tables of a link have the same terms, so the change is that of each of them.
        """
        for meter, stream in self._streams.items():
            if tx.head(stream).seq == NOTHING:
                tx.open(stream, StreamHeader(stream=stream), at)
                self._meters.carry_out(tx, stream, open_meter_command(self._game, meter, "open", at=at))
            elif changing is None:
                self.require_allowed(stream, self._meters.at(tx, stream).parameters)
            else:
                running = self._meters.at(tx, stream)
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
                    self._meters.carry_out(tx, stream, changes)

    def check(self, before: LinkedMeters) -> None:
        """Raise `BadInput` if a meter, as last read, would refuse the submission."""
        self.require_plausible()
        for meter, stream in self._streams.items():
            running = self._meters.seen.get(stream, _UNSEEN)
            tried: MeterCommand = open_meter_command(self._game, meter, "tried")
            if running.id:
                wanted = self._wanted(meter, running, before)
                self.require_allowed(stream, wanted)
                tried = ChangeParameters(
                    id="tried", who="floor", approved_by="tried", at=0, parameters=wanted, reason="tried"
                )
            answer = handler.handle(running, tried)
            if isinstance(answer, Problem):
                raise BadInput(answer)

    def require_allowed(self, stream: str, parameters: m.Parameters) -> None:
        """Raise `BadInput` if the rules of this table do not allow parameters of a meter that it feeds."""
        fed = (meter for meter, own in self._streams.items() if own == stream)
        found = [problem for meter in fed for problem in parameter_problems(self._game, meter, parameters)]
        if found:
            raise BadInput(*found)

    def require_linkable(self) -> None:
        """Raise `BadInput` if a new table cannot be linked to its meters as they were last read."""
        self.require_plausible()
        for stream in self.streams:
            running = self._meters.seen.get(stream, _UNSEEN)
            if running.retired:
                raise BadInput.at("link", "meter.retired", "this meter was retired", stream)
            if running.id:
                self.require_allowed(stream, running.parameters)

    def require_same_terms(self, other: LinkedMeters) -> None:
        """Raise `BadInput` if this table has other odds or contributions than another table on one of its meters."""
        for meter, stream in self._streams.items():
            if stream in other.streams and (differs := _differing_terms(self._game, other._game, meter)) is not None:
                path, here, there = differs
                what = f"tables on one link have the same odds and contributions, and {other._table} has others"
                raise BadInput.at(path, "meter.terms", what, here, there)

    def require_plausible(self) -> None:
        """Raise `BadInput` if a meter, as last read, would refuse the most that one round here can add."""
        for stream in self.streams:
            limit_cents = self._meters.seen.get(stream, _UNSEEN).parameters.unreasonable_cents
            most_cents = self.most_in_a_round(stream)
            if limit_cents is not None and limit_cents < most_cents:
                where, what = stream.removeprefix(PREFIX), "one round here can add more than the meter accepts"
                raise BadInput.at(where, "meter.unreasonable", what, most_cents, f"at most {limit_cents:,}")

    def most_in_a_round(self, stream: str) -> int:
        """Return the most that one round here adds to a meter, in cents; 0 if the table is not linked to it."""
        return max(
            (-(-largest_contribution(self._game, it) // MICROS) for it, fed in self._streams.items() if fed == stream),
            default=0,
        )

    def _wanted(self, meter: str, running: Meter, before: LinkedMeters | None) -> m.Parameters:
        """Return the parameters of a meter under this submission.

        If the last submission linked the table to the meter too, only the parameters that differ from it change, so
        that those that two people have changed at the meter itself stay.
        """
        stated = open_meter_command(self._game, meter, "").parameters
        if before is None or self._streams[meter] not in before.streams:
            unreasonable = running.parameters.unreasonable_cents
            return replace(stated, unreasonable_cents=unreasonable) if self._own else running.parameters
        last = open_meter_command(before._game, meter, "").parameters
        changed = {name: getattr(stated, name) for name in STATED if getattr(stated, name) != getattr(last, name)}
        return replace(running.parameters, rate_per_million=stated.rate_per_million, **changed)

    def receive(
        self, tx: Transaction, events: Iterable[Event], seq: int, number: int
    ) -> tuple[list[dict[str, Any]], dict[str, Meter]]:
        """Write the contributions and claims of a row to the meters' streams.

        Return the fields of each award that a meter grants, and the changed meters by stream.
        """
        grants: list[dict[str, Any]] = []
        meters: dict[str, Meter] = {}
        for place, event in enumerate(events):
            if type(event) not in METER_EVENTS:
                continue
            found = meter_command_for(event, self._table, number, f"{self._table}/{seq}/{place}")
            assert found is not None, event
            meter, command = found
            stream = self._streams[meter]
            answers = self._meters.carry_out(tx, stream, command)
            grants += [grant_fields(answer) for answer in answers if isinstance(answer, m.AwardGranted)]
            meters[stream] = self._meters.at(tx, stream)
        return grants, meters


def _differing_terms(game: Game, other: Game, meter: str) -> tuple[str, str, str] | None:
    """Return the first choice that gives a meter other odds or contributions in two games, with both values."""
    if game.book != other.book:
        return "rulebook", f"{game.book.id} {game.book.version}", f"{other.book.id} {other.book.version}"
    fed_by = next(it.fed_by for it in game.book.meters if it.id == meter)
    parts = (f"meters.{meter}.", *(f"wagers.{wager}." for wager in fed_by))
    for choice in game.book.choices:
        here, there = game.choices.get(choice.path), other.choices.get(choice.path)
        if choice.path.startswith(parts) and here != there:
            return choice.path, str(here), str(there)
    return None


def require_plausible(parameters: m.Parameters, most_cents: int) -> None:
    """Refuse a limit below the most that one round adds: a table whose contribution is refused stands still."""
    limit_cents = parameters.unreasonable_cents
    if limit_cents is not None and limit_cents < most_cents:
        where, what, allowed = (
            "unreasonable_cents",
            "one round at a linked table can add more",
            f"at least {most_cents:,}",
        )
        raise BadInput.at(where, "meter.unreasonable", what, limit_cents, allowed)


def _above(meter: Meter, parameters: m.Parameters) -> m.Parameters:
    """Raise the limit to the amount that the meter shows: the last round may have passed it since the approval."""
    if parameters.limit_cents is None:
        return parameters
    shown = -(-meter.amount_micros // MICROS)
    return replace(parameters, limit_cents=max(parameters.limit_cents, parameters.reset_cents, shown))
