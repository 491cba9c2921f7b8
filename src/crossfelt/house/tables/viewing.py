"""What those who look on are told. Everybody of one viewpoint is told the same bytes, which are made once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from crossfelt.cards.card import enc_hook
from crossfelt.house.live.messages import encode
from crossfelt.house.tables.rows import Row
from crossfelt.table.acts import Option
from crossfelt.table.commands import Role
from crossfelt.table.engine import allowed
from crossfelt.table.events import Event
from crossfelt.table.state import Table
from crossfelt.table.telling import tell
from crossfelt.table.views import MASKS, Viewer, seen_by, view

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


Shown = dict[str, Any]
"""A view as plain data."""


def shown(table: Table, viewpoint: Viewpoint) -> Shown:
    """The table as plain data, as it is seen from a viewpoint."""
    plain: Shown = msgspec.to_builtins(view(table, viewpoint.viewer), enc_hook=enc_hook)
    return plain


def patch(before: Shown, after: Shown) -> Shown:
    """What changed: top-level fields, and of the seats only those that are different, by number.

    >>> seat = {"number": 1, "chips_cents": 5}
    >>> patch({"round": 1, "seats": [seat]}, {"round": 1, "seats": [{**seat, "chips_cents": 6}]})
    {'seats': {'1': {'number': 1, 'chips_cents': 6}}}
    """
    changed = {name: value for name, value in after.items() if name != "seats" and value != before.get(name)}
    pairs = zip(before["seats"], after["seats"], strict=True)
    seats = {str(seat["number"]): seat for old, seat in pairs if seat != old}
    return {**changed, "seats": seats} if seats else changed


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


def plain_events(rows: Iterable[Row], viewpoint: Viewpoint) -> list[Mapping[str, Any]]:
    """The events of rows as a viewpoint may see them, as plain data."""
    return [msgspec.json.decode(raw) for raw in Telling(list(rows)).to(viewpoint)]
