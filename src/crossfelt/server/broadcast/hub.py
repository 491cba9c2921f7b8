"""Those who look on at a table: each has a bounded queue, and is told what their viewpoint may see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from crossfelt.server.broadcast.viewer_messages import (
    ONLOOKERS,
    EventText,
    OptionsCache,
    PublicView,
    ViewerView,
    Viewpoint,
    asked_otherwise,
    common_patch,
    patch,
    view_from,
    viewpoint_of,
)
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.rng import RoundCommitment, shows_outcome
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.table import events as e
from crossfelt.table.commands import Role
from crossfelt.table.state import TableState
from crossfelt.table.views import (
    OWNERS_SEE_MORE,
    SeatView,
    masked,
    own_seats,
    seen_by,
)
from crossfelt.wire.messages import Goodbye, Resumed, Reveal, Update, Welcome, encode

SEATING: Final = frozenset((e.SeatTaken, e.SeatLeft))
"""After these somebody may look on from another viewpoint."""
WAITING_MESSAGES: Final = 512
"""Who has more than this to read yet is cut off, and may come back and resume."""


class OutboundQueue:
    """Messages that wait, the oldest first. Nearly always there are none, and there are thousands of these."""

    __slots__ = ("_texts",)

    def __init__(self) -> None:
        self._texts: list[bytes | None] = []

    def put(self, text: bytes | None) -> None:
        self._texts.append(text)

    def get_nowait(self) -> bytes | None:
        return self._texts.pop(0)

    def qsize(self) -> int:
        return len(self._texts)

    def empty(self) -> bool:
        return not self._texts


class Subscriber:
    """One connection to a table."""

    __slots__ = ("_catch_up", "_write", "behind", "lost", "messages", "name", "role")

    def __init__(self, name: str, role: Role) -> None:
        self.name = name
        self.role = role
        self.messages = OutboundQueue()
        """What could not be sent at once; None closes the connection."""
        self.lost = False
        self.behind = False
        """Whether something waits: then nothing overtakes it."""
        self._write: Callable[[bytes], bool] | None = None
        self._catch_up: Callable[[], None] | None = None

    def attach(self, write: Callable[[bytes], bool] | None, catch_up: Callable[[], None]) -> None:
        """The connection: `write` sends at once and says whether it could, `catch_up` sends what waits until then."""
        self._write, self._catch_up = write, catch_up

    def detach(self) -> None:
        """The connection has ended, and is not kept."""
        self.lost, self._write, self._catch_up = True, None, None

    def send(self, text: bytes) -> bool:
        """Sends a message, or puts it into the queue; False where who does not read is cut off for it."""
        if self.lost or (self._write is not None and not self.behind and self._write(text)):
            return True
        if self.messages.qsize() == WAITING_MESSAGES:
            self.close("too slow: connect again and resume")
            return False
        self.messages.put(text)
        self._fall_behind()
        return True

    def close(self, why: str, successor: str = "") -> None:
        """Says goodbye; what was not sent yet is dropped."""
        self.lost = True
        while not self.messages.empty():
            self.messages.get_nowait()
        self.messages.put(encode(Goodbye(why=why, successor=successor)))
        self.messages.put(None)
        self._fall_behind()

    def _fall_behind(self) -> None:
        if self._catch_up is not None and not self.behind:
            self.behind = True
            self._catch_up()


class ViewerGroup:
    """Those who look on from one viewpoint, and what they know: they are all told the same."""

    __slots__ = ("allowed", "here", "own", "then", "watchers")

    def __init__(self, here: Viewpoint, then: Viewpoint, own: dict[int, SeatView] | None, allowed: bytes) -> None:
        self.here = here
        self.then = then
        """The viewpoint from which they were told the last time."""
        self.own = own
        """Their own seats as they were told of them then; None where that was of another table."""
        self.allowed = allowed
        """What they were last told that may be done."""
        self.watchers: set[Subscriber] = set()

    def beside(self, touched: set[int] | None) -> bool:
        """Whether what was done at some seats is told here as to everybody; None where it may be all seats."""
        if touched is None or self.own is None or self.here.role not in ONLOOKERS:
            return False
        return touched.isdisjoint(self.own)


class TableStatus(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What everybody is told beside the view."""

    table: dict[str, Any]
    meters: Any
    deadline: int | None
    ready: tuple[int, ...]
    held: bool
    """Whether what comes next waits for the floor to see to it."""
    fixed: RoundCommitment | None


class Broadcaster:
    """All who look on at one table."""

    def __init__(self, now: Callable[[], int], metrics: Metrics, *, live: bool = False) -> None:
        """`live` where the dealer acts for the players of a physical table."""
        self.watchers: set[Subscriber] = set()
        self._now = now
        self._metrics = metrics
        self._common: PublicView | None = None
        """What everybody saw of the table as it was last told."""
        self._places: list[ViewerGroup] = []
        self._offers = OptionsCache(live=live)
        self._last: TableStatus | None = None

    def welcome(self, watcher: Subscriber, table: TableState, seq: int, around: TableStatus) -> None:
        """Somebody joins, and is told everything."""
        place = self._place(watcher, table)
        seats = [seat.number for seat in table.seats if seat.player == watcher.name and watcher.role == "player"]
        message = Welcome(
            seq=seq,
            you={"name": watcher.name, "role": watcher.role, "seats": seats},
            table=around.table,
            view=view_from(table, place.here).whole,
            allowed=msgspec.Raw(place.allowed),
            meters=around.meters,
            deadline=around.deadline,
            ready=around.ready,
            held=around.held,
            commitment=around.fixed.commitment if around.fixed else None,
            now=self._now(),
        )
        watcher.send(encode(message))
        self._admit(watcher, place, around)

    def resume(
        self, watcher: Subscriber, table: TableState, missed: Sequence[TableEntry], seq: int, around: TableStatus
    ) -> None:
        """Somebody comes back, and is told what was missed."""
        for row in missed:
            before = viewpoint_of(row.before, watcher.role, watcher.name)
            after = viewpoint_of(row.after, watcher.role, watcher.name)
            changed = patch(view_from(row.before, before), view_from(row.after, after))
            events = EventText([row]).to(after)
            watcher.send(encode(Update(seq=row.seq, events=events, patch=changed, now=self._now())))
        place = self._place(watcher, table)
        self._standing(watcher, place, seq, around)
        watcher.send(encode(Resumed(seq=seq, now=self._now())))
        self._admit(watcher, place, around)

    def _place(self, watcher: Subscriber, table: TableState) -> ViewerGroup:
        """From where somebody looks on at a table of which everybody has been told."""
        here = viewpoint_of(table, watcher.role, watcher.name)
        there = (place for place in self._places if place.here == here)
        return next(there, None) or ViewerGroup(here, here, None, self._offers.of(table, here))

    def _admit(self, watcher: Subscriber, place: ViewerGroup, around: TableStatus) -> None:
        if not place.watchers:
            self._places.append(place)
        place.watchers.add(watcher)
        self.watchers.add(watcher)
        self._last = around  # which others know already; while nobody looked on, nobody was told of it

    def _standing(self, watcher: Subscriber, place: ViewerGroup, seq: int, around: TableStatus) -> None:
        """What else may have changed meanwhile, without a row too: clocks, who is ready, meters."""
        message = Update(
            seq=seq,
            events=(),
            patch={},
            allowed=msgspec.Raw(place.allowed),
            meters=around.meters,
            deadline=around.deadline,
            ready=around.ready,
            held=around.held,
            commitment=around.fixed.commitment if around.fixed else None,
            now=self._now(),
        )
        watcher.send(encode(message))

    def tell(self, rows: Sequence[TableEntry], table: TableState, seq: int, around: TableStatus) -> None:
        """Tells everybody what happened, each viewpoint in bytes made once."""
        before = rows[0].before if rows else table
        if self._common is None or self._common.table is not before:
            self._common = PublicView.of(before)
            for place in self._places:
                place.own = None
        after = self._common if table is before else PublicView.of(table, self._common)
        news = _UpdateBuilder(self._common, after, rows, seq, self._besides(around), self._now())
        if news.moves:
            self._regroup(table)
        touched = self._touched(news)
        for place in self._places:
            text = news.for_onlookers if not rows or place.beside(touched) else self._text(news, place)
            for watcher in place.watchers:
                if not watcher.send(text):
                    self._metrics.cut_off += 1
        self._metrics.messages += len(self.watchers)
        self._common, self._last = after, around

    def _touched(self, news: _UpdateBuilder) -> set[int] | None:
        """The seats whose players are told something of their own; None where that may be everybody."""
        if not self._offers.look(news.after.table) or news.moves or news.hides or news.changed is None:
            return None
        return news.changed | asked_otherwise(news.before.table, news.after.table)

    def _text(self, news: _UpdateBuilder, place: ViewerGroup) -> bytes:
        """What one viewpoint is told, and notes what it knows by that."""
        then, here = place.then, place.here
        before, table = news.before.table, news.after.table
        was = own_seats(before, then.viewer, news.before.seen) if place.own is None else place.own
        same = not news.moves and news.changed is not None and news.changed.isdisjoint(was)
        own = was if same else own_seats(table, here.viewer, news.after.seen, (before, was))
        allowed, offered = self._offers.of(table, here), place.allowed
        place.then, place.own, place.allowed = here, own, allowed
        if same and not news.hides:
            return news.for_onlookers if allowed == offered else news.with_options(allowed)
        return news.told(then, was, here, own, allowed if allowed != offered else None)

    def _regroup(self, table: TableState) -> None:
        """Somebody sat down or got up: from now on they look on from somewhere else."""
        places: dict[tuple[Viewpoint, Viewpoint], ViewerGroup] = {}
        for place in self._places:
            for watcher in place.watchers:
                here = viewpoint_of(table, watcher.role, watcher.name)
                here = place.here if here == place.here else here
                if (place.here, here) not in places:
                    places[place.here, here] = ViewerGroup(here, place.here, place.own, place.allowed)
                places[place.here, here].watchers.add(watcher)
        self._places = list(places.values())

    def _besides(self, around: TableStatus) -> dict[str, Any]:
        """What changed beside the view since everybody was last told."""
        last, besides = self._last, {}
        if last is None or around.meters != last.meters:
            besides["meters"] = around.meters
        if last is None or around.deadline != last.deadline:
            besides["deadline"] = around.deadline
        if last is None or around.ready != last.ready:
            besides["ready"] = around.ready
        if last is None or around.held != last.held:
            besides["held"] = around.held
        if last is None or around.fixed is not last.fixed:
            besides["commitment"] = around.fixed.commitment if around.fixed else None
        return besides

    def open(self, fixed: RoundCommitment, rows: Sequence[TableEntry]) -> None:
        """After a round: each viewpoint gets the proofs of what it saw."""
        made: dict[tuple[str, ...], bytes] = {}
        proofs: dict[str, msgspec.Raw] = {}
        showing = [(event, row.before) for row in rows for event in row.events if shows_outcome(type(event))]
        public = fixed.found(masked(event, ()) for event, _ in showing)
        owned = [(event, before) for event, before in showing if type(event) in OWNERS_SEE_MORE]
        for place in self._places:
            viewer = place.here.viewer
            own = fixed.found(seen_by(event, viewer, before) for event, before in owned)
            labels = fixed.in_order(public | own)
            if labels not in made:
                for label in labels:
                    if label not in proofs:
                        proofs[label] = msgspec.Raw(encode(fixed.tree.opening(label)))
                openings = tuple(proofs[label] for label in labels)
                made[labels] = encode(Reveal(round=fixed.round, openings=openings, commitment=fixed.commitment))
            for watcher in place.watchers:
                watcher.send(made[labels])

    def leave(self, watcher: Subscriber) -> None:
        self.watchers.discard(watcher)
        for place in self._places:
            place.watchers.discard(watcher)
        self._places = [place for place in self._places if place.watchers]

    def close(self, why: str, successor: str = "") -> None:
        for watcher in self.watchers:
            watcher.close(why, successor)
        self.watchers.clear()
        self._places.clear()


class _UpdateBuilder:
    """What happened once, in the words and bytes for each viewpoint."""

    def __init__(
        self,
        before: PublicView,
        after: PublicView,
        rows: Sequence[TableEntry],
        seq: int,
        besides: dict[str, Any],
        now: int,
    ) -> None:
        self.before, self.after = before, after
        self._changed = common_patch(before, after)
        self._telling = EventText(rows)
        self._rest = {"seq": seq, "now": now, **besides}
        self.moves = not SEATING.isdisjoint(self._telling.kinds)
        """Whether somebody sits down or gets up, be it at a second seat."""
        self.changed = after.changed if after is not before else set()
        """The seats that look otherwise than before; None where it may be all."""
        self._for_onlookers: bytes | None = None

    @property
    def hides(self) -> bool:
        """Whether not everybody may know all of it."""
        return self._telling.hides

    @property
    def for_onlookers(self) -> bytes:
        """For everybody whose own seats and options are as they were: most of those at a table, most of the time."""
        if self._for_onlookers is None:
            message = Update(events=self._telling.public, patch=self._changed, **self._rest)
            self._for_onlookers = encode(message)
        return self._for_onlookers

    def with_options(self, allowed: bytes) -> bytes:
        """The same for who has other options now."""
        return b'%b,"allowed":%b}' % (self.for_onlookers[:-1], allowed)

    def told(
        self,
        then: Viewpoint,
        was: dict[int, SeatView],
        here: Viewpoint,
        now: dict[int, SeatView],
        allowed: bytes | None,
    ) -> bytes:
        """For one viewpoint, with its own seats before and after, and its options where they have changed."""
        changed = patch(ViewerView(then.role, self.before, was), ViewerView(here.role, self.after, now), self._changed)
        offered = msgspec.UNSET if allowed is None else msgspec.Raw(allowed)
        return encode(Update(events=self._telling.to(here), patch=changed, allowed=offered, **self._rest))
