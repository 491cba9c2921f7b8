"""Those who look on at a table: each has a bounded queue, and is told what their viewpoint may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from crossfelt.house.live.messages import Bye, Happened, Opened, Resumed, Welcome, as_text
from crossfelt.house.metrics import Metrics
from crossfelt.house.tables.chance import Fixed
from crossfelt.house.tables.rows import Row
from crossfelt.house.tables.viewing import (
    Common,
    Offers,
    Shown,
    Telling,
    Viewpoint,
    common_patch,
    patch,
    seen_events,
    shown,
    viewpoint_of,
)
from crossfelt.table import events as e
from crossfelt.table.commands import Role
from crossfelt.table.state import Table
from crossfelt.table.views import SeatView, looks_the_same, own_seats

SEATING: Final = (e.SeatTaken, e.SeatLeft)
"""After these somebody may look on from another viewpoint."""
WAITING_MESSAGES: Final = 512
"""Who has more than this to read yet is cut off, and may come back and resume."""


class Unsent:
    """Messages that wait, the oldest first. Nearly always there are none, and there are thousands of these."""

    __slots__ = ("_texts",)

    def __init__(self) -> None:
        self._texts: list[str | None] = []

    def put(self, text: str | None) -> None:
        self._texts.append(text)

    def get_nowait(self) -> str | None:
        return self._texts.pop(0)

    def qsize(self) -> int:
        return len(self._texts)

    def empty(self) -> bool:
        return not self._texts


class Watcher:
    """One connection to a table."""

    def __init__(self, name: str, role: Role) -> None:
        self.name = name
        self.role = role
        self.viewpoint = Viewpoint(role)
        self.allowed = b""
        """What it was last told that may be done."""
        self.messages = Unsent()
        """What could not be sent at once; None closes the connection."""
        self.lost = False
        self.behind = False
        """Whether something waits: then nothing overtakes it."""
        self._write: Callable[[str], bool] | None = None
        self._catch_up: Callable[[], None] | None = None

    def attach(self, write: Callable[[str], bool] | None, catch_up: Callable[[], None]) -> None:
        """The connection: `write` sends at once and says whether it could, `catch_up` sends what waits until then."""
        self._write, self._catch_up = write, catch_up

    def send(self, text: str) -> None:
        """Sends a message, or puts it into the queue; who does not read is cut off."""
        if self.lost or (self._write is not None and not self.behind and self._write(text)):
            return
        if self.messages.qsize() == WAITING_MESSAGES:
            self.close("too slow: connect again and resume")
            return
        self.messages.put(text)
        self._fall_behind()

    def close(self, why: str) -> None:
        """Says goodbye; what was not sent yet is dropped."""
        self.lost = True
        while not self.messages.empty():
            self.messages.get_nowait()
        self.messages.put(as_text(Bye(why=why)))
        self.messages.put(None)
        self._fall_behind()

    def _fall_behind(self) -> None:
        if self._catch_up is not None and not self.behind:
            self.behind = True
            self._catch_up()


class Around(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody is told beside the view."""

    table: dict[str, Any]
    meters: Any
    deadline: int | None
    ready: tuple[int, ...]
    fixed: Fixed | None


class Audience:
    """All who look on at one table."""

    def __init__(self, now: Callable[[], int], metrics: Metrics, *, live: bool = False) -> None:
        """`live` where the dealer acts for the players of a physical table."""
        self.watchers: set[Watcher] = set()
        self._now = now
        self._metrics = metrics
        self._common: Common | None = None
        """What everybody saw of the table as it was last told, and each viewpoint apart."""
        self._own: dict[Viewpoint, dict[int, SeatView]] = {}
        self._offers = Offers(live=live)
        self._last: Around | None = None

    def welcome(self, watcher: Watcher, table: Table, seq: int, around: Around) -> None:
        """Somebody joins, and is told everything."""
        watcher.viewpoint = viewpoint_of(table, watcher.role, watcher.name)
        watcher.allowed = self._offers.of(table, watcher.viewpoint)
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

    def resume(self, watcher: Watcher, table: Table, missed: Sequence[Row], seq: int, around: Around) -> None:
        """Somebody comes back, and is told what was missed."""
        for row in missed:
            before = viewpoint_of(row.before, watcher.role, watcher.name)
            after = viewpoint_of(row.after, watcher.role, watcher.name)
            changed = patch(shown(row.before, before), shown(row.after, after))
            events = Telling([row]).to(after)
            watcher.send(as_text(Happened(seq=row.seq, events=events, patch=changed, now=self._now())))
        self._standing(watcher, table, seq, around)
        watcher.send(as_text(Resumed(seq=seq, now=self._now())))
        watcher.viewpoint = viewpoint_of(table, watcher.role, watcher.name)
        self.watchers.add(watcher)

    def _standing(self, watcher: Watcher, table: Table, seq: int, around: Around) -> None:
        """What else may have changed meanwhile, without a row too: clocks, who is ready, meters."""
        watcher.allowed = self._offers.of(table, viewpoint_of(table, watcher.role, watcher.name))
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
        if self._common is None or self._common.table is not before:
            self._common, self._own = Common.of(before), {}
        after = self._common if table is before else Common.of(table, self._common)
        news = _News(self._common, after, rows, seq, self._besides(around), self._now())
        moved = any(type(event) in SEATING for row in rows for event in row.events)
        made: dict[tuple[Viewpoint, Viewpoint, bytes], tuple[str, bytes]] = {}
        own: dict[Viewpoint, dict[int, SeatView]] = {}
        for watcher in self.watchers:
            here = viewpoint_of(table, watcher.role, watcher.name) if moved else watcher.viewpoint
            key = (watcher.viewpoint, here, watcher.allowed)
            if key not in made:
                was = self._own.get(watcher.viewpoint)
                was = own_seats(before, watcher.viewpoint.viewer) if was is None else was
                same = here == watcher.viewpoint and all(looks_the_same(before, table, number) for number in was)
                own[here] = was if same else own_seats(table, here.viewer)
                allowed = self._offers.of(table, here)
                if same and allowed == watcher.allowed and not news.hides:
                    text = news.for_onlookers
                else:
                    offered = allowed if allowed != watcher.allowed else None
                    text = news.told(watcher.viewpoint, was, here, own[here], offered)
                made[key] = text, allowed
            text, watcher.allowed = made[key]
            watcher.viewpoint = here
            heard = not watcher.lost
            watcher.send(text)
            self._metrics.cut_off += heard and watcher.lost
        self._metrics.messages += len(self.watchers)
        self._common, self._own, self._last = after, own, around

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
        opened: dict[Viewpoint, tuple[str, ...]] = {}
        made: dict[tuple[str, ...], str] = {}
        for watcher in self.watchers:
            labels = opened.get(watcher.viewpoint)
            if labels is None:
                labels = opened[watcher.viewpoint] = fixed.labels(seen_events(rows, watcher.viewpoint))
            if labels not in made:
                openings = tuple(map(fixed.tree.opening, labels))
                made[labels] = as_text(Opened(round=fixed.round, openings=openings, commitment=fixed.commitment))
            watcher.send(made[labels])

    def leave(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)

    def close(self, why: str) -> None:
        for watcher in self.watchers:
            watcher.close(why)
        self.watchers.clear()

    def names(self) -> Iterator[str]:
        return (watcher.name for watcher in self.watchers)


class _News:
    """What happened once, in the words and bytes for each viewpoint."""

    def __init__(
        self, before: Common, after: Common, rows: Sequence[Row], seq: int, besides: dict[str, Any], now: int
    ) -> None:
        self._before, self._after = before, after
        self._changed = common_patch(before, after)
        self._telling = Telling(rows)
        self._rest = {"seq": seq, "now": now, **besides}
        self._for_onlookers: str | None = None

    @property
    def hides(self) -> bool:
        """Whether not everybody may know all of it."""
        return self._telling.hides

    @property
    def for_onlookers(self) -> str:
        """For everybody whose own seats and options are as they were: most of those at a table, most of the time."""
        if self._for_onlookers is None:
            message = Happened(events=self._telling.public, patch=self._changed, **self._rest)
            self._for_onlookers = as_text(message)
        return self._for_onlookers

    def told(
        self,
        then: Viewpoint,
        was: dict[int, SeatView],
        here: Viewpoint,
        now: dict[int, SeatView],
        allowed: bytes | None,
    ) -> str:
        """For one viewpoint, with its own seats before and after, and its options where they have changed."""
        changed = patch(Shown(then.role, self._before, was), Shown(here.role, self._after, now), self._changed)
        offered = msgspec.UNSET if allowed is None else msgspec.Raw(allowed)
        return as_text(Happened(events=self._telling.to(here), patch=changed, allowed=offered, **self._rest))


def missed_rows(rows: Iterable[Row], after: int, seq: int) -> list[Row] | None:
    """The rows after a seq, where all of them are still there; None where they are not."""
    if after > seq:
        return None
    found = [row for row in rows if row.seq > after]
    return found if len(found) == seq - after else None
