"""Those who look on at a table: each has a bounded queue, and is told what their viewpoint may see."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from crossfelt.house.live.messages import Bye, Happened, Opened, Resumed, Welcome, as_text, encode
from crossfelt.house.metrics import Metrics
from crossfelt.house.tables.chance import Fixed
from crossfelt.house.tables.rows import Row
from crossfelt.house.tables.viewing import (
    Common,
    Shown,
    Telling,
    Viewpoint,
    bears_on_options,
    common_patch,
    options_of,
    patch,
    seen_events,
    shown,
    viewpoint_of,
)
from crossfelt.table.commands import Role
from crossfelt.table.state import Table

MOST_VIEWPOINTS: Final = 64
WAITING_MESSAGES: Final = 512
"""Who has more than this to read yet is cut off, and may come back and resume."""


class Watcher:
    """One connection to a table."""

    def __init__(self, name: str, role: Role) -> None:
        self.name = name
        self.role = role
        self.viewpoint = Viewpoint(role)
        self.allowed = b""
        """What it was last told that may be done."""
        self.messages: asyncio.Queue[str | None] = asyncio.Queue(WAITING_MESSAGES)
        """What is to be sent; None closes the connection."""
        self.lost = False

    def send(self, text: str) -> None:
        """Puts a message into the queue; who does not read is cut off."""
        if self.lost:
            return
        try:
            self.messages.put_nowait(text)
        except asyncio.QueueFull:
            self.close("too slow: connect again and resume")

    def close(self, why: str) -> None:
        """Says goodbye; what was not sent yet is dropped."""
        self.lost = True
        while not self.messages.empty():
            self.messages.get_nowait()
        self.messages.put_nowait(as_text(Bye(why=why)))
        self.messages.put_nowait(None)


class Around(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody is told beside the view."""

    table: dict[str, Any]
    meters: Any
    deadline: int | None
    ready: tuple[int, ...]
    fixed: Fixed | None


class Audience:
    """All who look on at one table."""

    def __init__(self, now: Callable[[], int], metrics: Metrics) -> None:
        self.watchers: set[Watcher] = set()
        self._now = now
        self._metrics = metrics
        self._common: Common | None = None
        """What everybody saw of the table as it was last told, and each viewpoint apart."""
        self._views: dict[Viewpoint, Shown] = {}
        self._allowed: dict[Viewpoint, tuple[tuple[Any, ...], bytes]] = {}
        self._last: Around | None = None

    def welcome(self, watcher: Watcher, table: Table, seq: int, around: Around) -> None:
        """Somebody joins, and is told everything."""
        watcher.viewpoint = viewpoint_of(table, watcher.role, watcher.name)
        watcher.allowed = self._options(table, watcher.viewpoint)
        seats = [seat.number for seat in table.seats if seat.player == watcher.name and watcher.role == "player"]
        message = Welcome(
            seq=seq,
            you={"name": watcher.name, "role": watcher.role, "seats": seats},
            table=around.table,
            view=shown(table, watcher.viewpoint).whole,
            allowed=msgspec.Raw(watcher.allowed),
            meters=around.meters,
            deadline=around.deadline,
            ready=around.ready,
            commitment=around.fixed.commitment if around.fixed else None,
            now=self._now(),
        )
        watcher.send(as_text(message))
        self._last = self._last or around
        self.watchers.add(watcher)

    def resume(self, watcher: Watcher, missed: Sequence[Row], seq: int, around: Around) -> None:
        """Somebody comes back, and is told what was missed."""
        for row in missed:
            before = viewpoint_of(row.before, watcher.role, watcher.name)
            after = viewpoint_of(row.after, watcher.role, watcher.name)
            changed = patch(shown(row.before, before), shown(row.after, after))
            events = Telling([row]).to(after)
            watcher.send(as_text(Happened(seq=row.seq, events=events, patch=changed, now=self._now())))
        table = missed[-1].after if missed else None
        if table is not None:
            self._standing(watcher, table, seq, around)
        watcher.send(as_text(Resumed(seq=seq, now=self._now())))
        self.watchers.add(watcher)

    def _standing(self, watcher: Watcher, table: Table, seq: int, around: Around) -> None:
        """What else may have changed meanwhile."""
        watcher.viewpoint = viewpoint_of(table, watcher.role, watcher.name)
        watcher.allowed = self._options(table, watcher.viewpoint)
        message = Happened(
            seq=seq,
            events=(),
            patch={},
            allowed=msgspec.Raw(watcher.allowed),
            meters=around.meters,
            deadline=around.deadline,
            ready=around.ready,
            commitment=around.fixed.commitment if around.fixed else None,
            now=self._now(),
        )
        watcher.send(as_text(message))

    def tell(self, rows: Sequence[Row], table: Table, seq: int, around: Around) -> None:
        """Tells everybody what happened, each viewpoint in bytes made once."""
        before = rows[0].before if rows else table
        known = self._common is not None and self._common.table is before
        seen = self._common if known and self._common is not None else Common.of(before)
        after = seen if table is before else Common.of(table, seen)
        changed = common_patch(seen, after)
        telling, besides = Telling(rows), self._besides(around)
        made: dict[tuple[Viewpoint, Viewpoint, bytes], tuple[str, bytes]] = {}
        views: dict[Viewpoint, Shown] = {}
        for watcher in self.watchers:
            here = viewpoint_of(table, watcher.role, watcher.name)
            key = (watcher.viewpoint, here, watcher.allowed)
            if key not in made:
                was = self._views.get(watcher.viewpoint) if known else None
                was = was or shown(before, watcher.viewpoint, seen)
                now = views[here] = shown(table, here, after, was if here == watcher.viewpoint else None)
                allowed = self._options(table, here)
                told = besides if allowed == watcher.allowed else {**besides, "allowed": msgspec.Raw(allowed)}
                message = Happened(
                    seq=seq, events=telling.to(here), patch=patch(was, now, changed), now=self._now(), **told
                )
                made[key] = as_text(message), allowed
            text, watcher.allowed = made[key]
            watcher.viewpoint = here
            watcher.send(text)
            self._metrics.cut_off += watcher.lost
        self._metrics.messages += len(self.watchers)
        self._common, self._views, self._last = after, views, around

    def _options(self, table: Table, viewpoint: Viewpoint) -> bytes:
        """What may be done, encoded; worked out again only where something has changed that bears on it."""
        basis = bears_on_options(table, viewpoint)
        known = self._allowed.get(viewpoint)
        if known is None or known[0] != basis:
            if len(self._allowed) > MOST_VIEWPOINTS:
                self._allowed.clear()
            known = self._allowed[viewpoint] = basis, encode(options_of(table, viewpoint))
        return known[1]

    def _besides(self, around: Around) -> dict[str, Any]:
        """What changed beside the view since everybody was last told."""
        last, besides = self._last, {}
        if last is None or around.meters != last.meters:
            besides["meters"] = around.meters
        if last is None or around.deadline != last.deadline:
            besides["deadline"] = around.deadline
        if last is None or around.ready != last.ready:
            besides["ready"] = around.ready
        if last is None or around.fixed is not last.fixed:
            besides["commitment"] = around.fixed.commitment if around.fixed else None
        return besides

    def open(self, fixed: Fixed, rows: Sequence[Row]) -> None:
        """After a round: each viewpoint gets the proofs of what it saw."""
        made: dict[Viewpoint, str] = {}
        for watcher in self.watchers:
            if watcher.viewpoint not in made:
                openings = fixed.openings(seen_events(rows, watcher.viewpoint))
                message = Opened(round=fixed.round, openings=openings, commitment=fixed.commitment)
                made[watcher.viewpoint] = as_text(message)
            watcher.send(made[watcher.viewpoint])

    def leave(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)

    def close(self, why: str) -> None:
        for watcher in self.watchers:
            watcher.close(why)
        self.watchers.clear()

    def names(self) -> Iterator[str]:
        return (watcher.name for watcher in self.watchers)


def missed_rows(rows: Iterable[Row], after: int, seq: int) -> list[Row] | None:
    """The rows after a seq, where all of them are still there; None where they are not."""
    if after > seq:
        return None
    found = [row for row in rows if row.seq > after]
    return found if len(found) == seq - after else None
