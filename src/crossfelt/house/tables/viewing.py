"""What those who look on are told. Everybody of one viewpoint is told the same bytes, which are made once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from crossfelt.cards.card import enc_hook
from crossfelt.house.live.messages import encode
from crossfelt.house.tables.rows import Row
from crossfelt.money.ledger import chips_of
from crossfelt.table.acts import Option
from crossfelt.table.commands import Role
from crossfelt.table.engine import allowed
from crossfelt.table.events import Event
from crossfelt.table.state import Table
from crossfelt.table.telling import tell
from crossfelt.table.views import MASKS, SeatView, TableView, Viewer, looks_the_same, own_seats, seen_by, view

SOMEBODY = "somebody"
"""Stands for any player without a seat."""


class Viewpoint(NamedTuple):
    """From where somebody looks on: players without a seat all see the same."""

    role: Role
    name: str = ""
    """The name of a player with a seat."""

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.role, self.name)

    @property
    def who(self) -> str:
        return self.name or (SOMEBODY if self.role == "player" else self.role)


def viewpoint_of(table: Table, role: Role, name: str) -> Viewpoint:
    """The viewpoint of somebody at a table as it stands."""
    seated = role == "player" and any(seat.player == name for seat in table.seats)
    return Viewpoint(role, name if seated else "")


class Common(NamedTuple):
    """What everybody sees alike of a table: the view of somebody who only looks on."""

    table: Table
    seen: TableView

    @classmethod
    def of(cls, table: Table, last: Common | None = None) -> Common:
        return cls(table, view(table, Viewer("spectator"), last))


class Shown(NamedTuple):
    """A table as one viewpoint sees it: what is common, and the own seats."""

    role: str
    common: Common
    own: dict[int, SeatView]

    @property
    def whole(self) -> TableView:
        """The view in one piece."""
        seen = self.common.seen
        seats = tuple(self.own.get(seat.number, seat) for seat in seen.seats)
        return replace(seen, role=self.role, seats=seats)


def shown(table: Table, viewpoint: Viewpoint, seen: Common | None = None, last: Shown | None = None) -> Shown:
    """The table as it is seen from a viewpoint; what is common, and what the viewpoint saw last, may be known."""
    own = {seat.number for seat in table.seats if viewpoint.viewer.owns(seat)}
    if last is not None and last.own.keys() == own:
        before = last.common.table
        if all(looks_the_same(before, table, number) for number in own):
            return Shown(viewpoint.role, seen or Common.of(table), last.own)
    return Shown(viewpoint.role, seen or Common.of(table), own_seats(table, viewpoint.viewer))


def common_patch(before: Common, after: Common) -> dict[str, Any]:
    """What changed for everybody: top-level fields, and the seats that are different by number."""
    old, new = before.seen, after.seen
    changed = {
        name: value
        for name in new.__struct_fields__
        if name != "seats" and (value := getattr(new, name)) != getattr(old, name)
    }
    pairs = zip(old.seats, new.seats, strict=True)
    seats = {seat.number: seat for was, seat in pairs if seat is not was and seat != was}
    return {**changed, "seats": seats} if seats else changed


def patch(before: Shown, after: Shown, changed: dict[str, Any] | None = None) -> dict[str, Any]:
    """What changed for a viewpoint, or from one viewpoint to another; `changed` is what did for everybody."""
    changed = common_patch(before.common, after.common) if changed is None else changed
    seats = {number: seat for number, seat in changed.get("seats", {}).items() if number not in after.own}
    seats |= {number: seat for number, seat in after.own.items() if before.own.get(number) != seat}
    seats |= {number: after.common.seen.seats[number - 1] for number in before.own.keys() - after.own.keys()}
    told = {name: value for name, value in changed.items() if name != "seats"}
    if before.role != after.role:
        told["role"] = after.role
    return {**told, "seats": seats} if seats else told


def bears_on_options(table: Table, viewpoint: Viewpoint) -> tuple[Any, ...]:
    """What the options of a player hang on; where it is the same, so are they. For others, the whole table."""
    if viewpoint.role not in ("player", "spectator"):
        return (table,)
    own = tuple(seat for seat in table.seats if viewpoint.name and seat.player == viewpoint.name)
    numbers = {seat.number for seat in own}
    return (
        *(table.phase, table.round, table.step, table.pending, table.claims, table.bank, table.halted, table.dealing),
        tuple(bool(seat.player) for seat in table.seats),
        own,
        tuple(table.balances.get(chips_of(number)) for number in numbers),
        bool(table.turn) and table.turn[0] in numbers,
        tuple(number in table.turn for number in numbers),
        table.seats if table.bank is not None else None,
        table.in_play,
        table.voided,
    )


def options_of(table: Table, viewpoint: Viewpoint) -> tuple[Option, ...]:
    """What may be done now from a viewpoint; who only looks on is told where there is a free seat."""
    role: Role = "player" if viewpoint.role == "spectator" else viewpoint.role
    return allowed(table, viewpoint.who if role == viewpoint.role else SOMEBODY, role)


def told(event: Event, seq: int, table: Table) -> msgspec.Raw:
    """An event as it is sent, with the row it belongs to and a dealer's words for it."""
    plain = msgspec.to_builtins(event, enc_hook=enc_hook)
    return msgspec.Raw(encode({**plain, "seq": seq, "tells": tell(event, table.game)}))


class Telling:
    """The events of some rows for every viewpoint; what is public is worded and encoded once."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._public: dict[int, msgspec.Raw] = {}

    def to(self, viewpoint: Viewpoint) -> tuple[msgspec.Raw, ...]:
        return tuple(self._each(viewpoint))

    def _each(self, viewpoint: Viewpoint) -> Iterable[msgspec.Raw]:
        for row in self._rows:
            for event in row.events:
                if type(event) in MASKS:
                    yield told(seen_by(event, viewpoint.viewer, row.before), row.seq, row.after)
                    continue
                found = self._public.get(id(event))
                if found is None:
                    found = self._public[id(event)] = told(event, row.seq, row.after)
                yield found


def seen_events(rows: Iterable[Row], viewpoint: Viewpoint) -> list[Event]:
    """The events of rows as a viewpoint may see them."""
    return [seen_by(event, viewpoint.viewer, row.before) for row in rows for event in row.events]
