"""What those who look on are told. Everybody of one viewpoint is told the same bytes, which are made once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple, replace

from crossfelt.money.ledger import chips_of
from crossfelt.play.narration import narrate
from crossfelt.server.core.commit import TableEntry, kinds_of
from crossfelt.table.act import Option
from crossfelt.table.commands import Role
from crossfelt.table.engine import allowed
from crossfelt.table.events import Event
from crossfelt.table.state import TableState
from crossfelt.table.views import (
    OWNERS_SEE_MORE,
    PreviousView,
    SeatView,
    TableView,
    Viewer,
    changed_seats,
    masked,
    own_seats,
    seen_by,
    view,
)
from crossfelt.wire.messages import encode

SOMEBODY = "somebody"
"""Stands for any player without a seat."""
ONLOOKERS: tuple[Role, ...] = ("player", "spectator")
"""Who may do nothing with the table but at a seat of their own."""


class Viewpoint(NamedTuple):
    """From where somebody looks on: players without a seat all see the same."""

    role: Role
    name: str = ""
    """The name of a player with a seat."""

    @property
    def viewer(self) -> Viewer:
        return _viewer(self.role, self.name)

    @property
    def who(self) -> str:
        return self.name or (SOMEBODY if self.role == "player" else self.role)


@lru_cache(maxsize=10_000)
def _viewer(role: Role, name: str) -> Viewer:
    return Viewer(role, name)


def viewpoint_of(table: TableState, role: Role, name: str) -> Viewpoint:
    """The viewpoint of somebody at a table as it stands."""
    seated = role == "player" and any(seat.player == name for seat in table.seats)
    return Viewpoint(role, name if seated else "")


class PublicView(NamedTuple):
    """What everybody sees alike of a table: the view of somebody who only looks on."""

    table: TableState
    seen: TableView
    changed: set[int] | None = None
    """The seats that look otherwise than in the one before; None where it may be all."""

    @classmethod
    def of(cls, table: TableState, last: PublicView | None = None) -> PublicView:
        changed = changed_seats(last.table, table) if last is not None else None
        known = PreviousView(last.table, last.seen, changed) if last is not None else None
        return cls(table, view(table, Viewer("spectator"), known), changed)


class ViewerView(NamedTuple):
    """A table as one viewpoint sees it: what is common, and the own seats."""

    role: str
    common: PublicView
    own: dict[int, SeatView]

    @property
    def whole(self) -> TableView:
        """The view in one piece."""
        seen = self.common.seen
        seats = tuple(self.own.get(seat.number, seat) for seat in seen.seats)
        return replace(seen, role=self.role, seats=seats)


def view_from(table: TableState, viewpoint: Viewpoint) -> ViewerView:
    """The table as it is seen from a viewpoint."""
    common = PublicView.of(table)
    return ViewerView(viewpoint.role, common, own_seats(table, viewpoint.viewer, common.seen))


def common_patch(before: PublicView, after: PublicView) -> dict[str, Any]:
    """What changed for everybody: top-level fields, and the seats that are different by number."""
    old, new = before.seen, after.seen
    pairs = zip(new.__struct_fields__, astuple(new), astuple(old), strict=True)
    changed = {name: now for name, now, was in pairs if now is not was and now != was and name != "seats"}
    both = zip(old.seats, new.seats, strict=True)
    seats = {seat.number: seat for was, seat in both if seat is not was and seat != was}
    return {**changed, "seats": seats} if seats else changed


def patch(before: ViewerView, after: ViewerView, changed: dict[str, Any] | None = None) -> dict[str, Any]:
    """What changed for a viewpoint, or from one viewpoint to another; `changed` is what did for everybody."""
    changed = common_patch(before.common, after.common) if changed is None else changed
    seats = {number: seat for number, seat in changed.get("seats", {}).items() if number not in after.own}
    seats |= {number: seat for number, seat in after.own.items() if before.own.get(number) != seat}
    seats |= {number: after.common.seen.seats[number - 1] for number in before.own.keys() - after.own.keys()}
    told = {name: value for name, value in changed.items() if name != "seats"}
    if before.role != after.role:
        told["role"] = after.role
    return {**told, "seats": seats} if seats else told


class OptionsCache:
    """What may be done from each viewpoint, encoded; worked out again only where what it hangs on has changed."""

    def __init__(self, *, live: bool = False) -> None:
        self._live = live
        self._table: TableState | None = None
        self._for_all: tuple[Any, ...] = ()
        self._known: dict[Viewpoint, tuple[Any, bytes]] = {}

    def of(self, table: TableState, viewpoint: Viewpoint) -> bytes:
        """What may be done now, as it is sent."""
        self.look(table)
        onlooker = viewpoint.role in ONLOOKERS
        basis = _bears_on(table, viewpoint.name) if onlooker else table
        known = self._known.get(viewpoint)
        if known is None or not (known[0] is basis or (onlooker and known[0] == basis)):
            known = self._known[viewpoint] = basis, encode(options_of(table, viewpoint, live=self._live))
        return known[1]

    def look(self, table: TableState) -> bool:
        """Whether what everybody's options hang on is as it was when a table was last looked at."""
        if table is self._table:
            return True
        for_all = _bears_on_all(table)
        same = for_all == self._for_all
        if not same:
            self._known.clear()
        self._table, self._for_all = table, for_all
        return same


def asked_otherwise(before: TableState, after: TableState) -> set[int]:
    """The seats whose turn has come or is over, or that are the first in turn now, or were.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.state import new_table
    >>> table = new_table(compile_game("md-criss-cross"))
    >>> asked_otherwise(replace(table, turn=(3, 4, 5)), replace(table, turn=(4, 5)))
    {3, 4}
    """
    if before.turn == after.turn:
        return set()
    return {*(set(before.turn) ^ set(after.turn)), *before.turn[:1], *after.turn[:1]}


def _bears_on_all(table: TableState) -> tuple[Any, ...]:
    """What everybody's options hang on."""
    return (
        *(table.phase, table.round, table.step, table.pending, table.claims, table.bank, table.halted, table.dealing),
        tuple([bool(seat.player) for seat in table.seats]),
        (table.seats, table.balances) if table.bank is not None else None,
        table.decks,
        table.in_play,
        table.voided,
    )


def _bears_on(table: TableState, name: str) -> tuple[Any, ...]:
    """What the options of one player hang on beside that; where it is the same, so are they."""
    if not name:
        return ()
    own = [seat for seat in table.seats if seat.player == name]
    first = table.turn[0] if table.turn else None
    return tuple(
        [
            (seat, table.balances.get(chips_of(seat.number)), seat.number in table.turn, seat.number == first)
            for seat in own
        ]
    )


def options_of(table: TableState, viewpoint: Viewpoint, *, live: bool = False) -> tuple[Option, ...]:
    """What may be done now from a viewpoint; who only looks on is told where there is a free seat.

    At a live table the dealer also enters what the players do, who are not at a screen.
    """
    if live and viewpoint.role in ("player", "spectator"):
        return ()
    if live and viewpoint.role == "dealer":
        return (*allowed(table, "dealer", "dealer"), *_of_the_players(table))
    role: Role = "player" if viewpoint.role == "spectator" else viewpoint.role
    return allowed(table, viewpoint.who if role == viewpoint.role else SOMEBODY, role)


def _of_the_players(table: TableState) -> Iterable[Option]:
    """What everybody who sits at a table may do, and who might sit down."""
    yield from allowed(table, SOMEBODY, "player")
    for player in dict.fromkeys(seat.player for seat in table.seats if seat.player):
        yield from (option for option in allowed(table, player, "player") if option.command != "take_seat")


def event_message(event: Event, seq: int, table: TableState) -> msgspec.Raw:
    """An event as it is sent, with the row it belongs to and a dealer's words for it."""
    return msgspec.Raw(b'%b,"seq":%d,"tells":%b}' % (encode(event)[:-1], seq, encode(narrate(event, table.game))))


class EventText:
    """The events of some rows for every viewpoint; what is public is worded and encoded once."""

    def __init__(self, rows: Sequence[TableEntry]) -> None:
        self._events = [(event, row) for row in rows for event in row.events]
        self.kinds = kinds_of(rows)
        self.hides = not OWNERS_SEE_MORE.isdisjoint(self.kinds)
        """Whether not everybody is told the same."""
        self._public: tuple[msgspec.Raw, ...] | None = None

    @property
    def public(self) -> tuple[msgspec.Raw, ...]:
        """What is told to those who only look on."""
        if self._public is None:
            self._public = tuple([event_message(masked(event, ()), row.seq, row.after) for event, row in self._events])
        return self._public

    def to(self, viewpoint: Viewpoint) -> tuple[msgspec.Raw, ...]:
        return tuple(self._each(viewpoint.viewer)) if self.hides and viewpoint.name else self.public

    def _each(self, viewer: Viewer) -> Iterable[msgspec.Raw]:
        for (event, row), public in zip(self._events, self.public, strict=True):
            if type(event) in OWNERS_SEE_MORE and (seen := seen_by(event, viewer, row.before)) != masked(event, ()):
                yield event_message(seen, row.seq, row.after)
            else:
                yield public
