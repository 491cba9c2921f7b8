"""Views, patches, options and events for each viewpoint. All subscribers of a viewpoint get the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import astuple, replace

from crossfelt.play.listener import addressed
from crossfelt.play.narration import marked_narration
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
from crossfelt.wire import encode

ANY_PLAYER = "somebody"
"""The name that stands for any player without a seat."""


class Viewpoint(NamedTuple):
    """The role and seat from which a viewer sees a table. All players without a seat see the same."""

    role: Role
    name: str = ""

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.role, self.name)

    @property
    def who(self) -> str:
        return self.name or (ANY_PLAYER if self.role == "player" else self.role)


def viewpoint_of(table: TableState, role: Role, name: str) -> Viewpoint:
    """Return the viewpoint of a viewer at the table as it stands."""
    seated = role == "player" and any(seat.player == name for seat in table.seats)
    return Viewpoint(role, name if seated else "")


class PublicView(NamedTuple):
    """The part of a table that every viewer sees: the view of a spectator."""

    table: TableState
    seen: TableView
    changed: set[int] | None = None
    """The seats that differ from the view before; None if it may be every seat."""

    @classmethod
    def of(cls, table: TableState, last: PublicView | None = None) -> PublicView:
        changed = changed_seats(last.table, table) if last is not None else None
        known = PreviousView(last.table, last.seen, changed) if last is not None else None
        return cls(table, view(table, Viewer("spectator"), known), changed)


class ViewerView(NamedTuple):
    """A table as one viewpoint sees it: the public view, and the viewer's own seats."""

    role: str
    common: PublicView
    own: dict[int, SeatView]

    @property
    def whole(self) -> TableView:
        seen = self.common.seen
        seats = tuple(self.own.get(seat.number, seat) for seat in seen.seats)
        return replace(seen, role=self.role, seats=seats)


def view_from(table: TableState, viewpoint: Viewpoint) -> ViewerView:
    common = PublicView.of(table)
    return ViewerView(viewpoint.role, common, own_seats(table, viewpoint.viewer, common.seen))


def common_patch(before: PublicView, after: PublicView) -> dict[str, Any]:
    """Return what changed in the public view: top-level fields, and the changed seats by number."""
    old, new = before.seen, after.seen
    pairs = zip(new.__struct_fields__, astuple(new), astuple(old), strict=True)
    changed = {name: value for name, value, last in pairs if value is not last and value != last and name != "seats"}
    both = zip(old.seats, new.seats, strict=True)
    seats = {seat.number: seat for last, seat in both if seat is not last and seat != last}
    return {**changed, "seats": seats} if seats else changed


def patch(before: ViewerView, after: ViewerView, changed: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what changed for a viewpoint, or from one viewpoint to another; `changed` is the public patch."""
    changed = common_patch(before.common, after.common) if changed is None else changed
    seats = {number: seat for number, seat in changed.get("seats", {}).items() if number not in after.own}
    seats |= {number: seat for number, seat in after.own.items() if before.own.get(number) != seat}
    seats |= {number: after.common.seen.seats[number - 1] for number in before.own.keys() - after.own.keys()}
    fields = {name: value for name, value in changed.items() if name != "seats"}
    if before.role != after.role:
        fields["role"] = after.role
    return {**fields, "seats": seats} if seats else fields


def options_of(table: TableState, viewpoint: Viewpoint, *, live: bool = False) -> tuple[Option, ...]:
    """Return the options of a viewpoint. A spectator gets those of a player without a seat: the free seats.

    At a physical table the dealer also enters what the players do, who have no screen.
    """
    if live and viewpoint.role in ("player", "spectator"):
        return ()
    if live and viewpoint.role == "dealer":
        return (*allowed(table, "dealer", "dealer"), *_options_of_players(table))
    role: Role = "player" if viewpoint.role == "spectator" else viewpoint.role
    return allowed(table, viewpoint.who if role == viewpoint.role else ANY_PLAYER, role)


def _options_of_players(table: TableState) -> Iterable[Option]:
    """Yield the options of every seated player, and of a player who might sit down."""
    yield from allowed(table, ANY_PLAYER, "player")
    for player in dict.fromkeys(seat.player for seat in table.seats if seat.player):
        yield from (option for option in allowed(table, player, "player") if option.command != "take_seat")


_NO_RESULTS: Mapping[str, Any] = {"tray_cents": 0, "hands": {}, "awards": (), "bank": None}
_NO_RESULTS_OF_SEAT: Mapping[str, Any] = {"chips_cents": 0, "won_cents": 0, "hands": {}}


def without_results(text: bytes) -> bytes:
    """Return a message as a dealer in an exam gets it: cards that are turned up, but no amounts and names of hands."""
    message = msgspec.json.decode(text)
    view = message.get("view") or message.get("patch")
    if view is None:
        return text
    seats = view.get("seats", ())
    for seat in seats.values() if isinstance(seats, dict) else seats:
        seat |= _NO_RESULTS_OF_SEAT
    view |= {name: blank for name, blank in _NO_RESULTS.items() if name in view}
    if "events" in message:
        message["events"] = [_cards_alone(event) for event in message["events"] if event["event"] in _TURNED_UP]
    return encode(message)


_TURNED_UP = ("round_opened", "hand_shown", "hands_exposed")
"""Events that begin a round or turn a hand up: the dealer reads the payment from the cards."""


def _cards_alone(event: dict[str, Any]) -> dict[str, Any]:
    kept = ("event", "seq", "n", "round", "seat", "cards", "low")
    known = {name: value for name, value in event.items() if name in kept}
    return {**known, "tells": "", "hands": {}, "results": {}}


def event_message(event: Event, seq: int, number: int, table: TableState) -> msgspec.Raw:
    """Return an event encoded with its row's number, its own number in the row, and its narration.

    Where the words depend on the listener, the narration follows once more with its marks, for every viewer alike.
    """
    marked = marked_narration(event, table.game)
    spoken = b',"spoken":%b' % encode(marked) if "{" in marked else b""
    tells = encode(addressed(marked) if spoken else marked)
    return msgspec.Raw(b'%b,"seq":%d,"n":%d,"tells":%b%b}' % (encode(event)[:-1], seq, number, tells, spoken))


class EventText:
    """The events of some rows for every viewpoint; public events are narrated and encoded once."""

    def __init__(self, rows: Sequence[TableEntry]) -> None:
        self._events = [(event, number, row) for row in rows for number, event in enumerate(row.events, start=1)]
        self.kinds = kinds_of(rows)
        self.hides = not OWNERS_SEE_MORE.isdisjoint(self.kinds)
        """True if viewpoints are sent different events."""

    @cached_property
    def public(self) -> tuple[msgspec.Raw, ...]:
        """The events as spectators see them."""
        return tuple(
            [event_message(masked(event, ()), row.seq, number, row.after) for event, number, row in self._events]
        )

    def to(self, viewpoint: Viewpoint) -> tuple[msgspec.Raw, ...]:
        return tuple(self._each(viewpoint.viewer)) if self.hides and viewpoint.name else self.public

    def _each(self, viewer: Viewer) -> Iterable[msgspec.Raw]:
        for (event, number, row), public in zip(self._events, self.public, strict=True):
            if type(event) in OWNERS_SEE_MORE and (seen := seen_by(event, viewer, row.before)) != masked(event, ()):
                yield event_message(seen, row.seq, number, row.after)
            else:
                yield public
