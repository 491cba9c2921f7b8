"""Publishing a table's updates to its subscribers. Each has a bounded queue and gets what its viewpoint may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import msgspec

from crossfelt.server.broadcast.viewer_messages import (
    EventText,
    PublicView,
    ViewerView,
    Viewpoint,
    common_patch,
    options_of,
    patch,
    view_from,
    viewpoint_of,
    without_results,
)
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.recovery import RoundIndex
from crossfelt.server.core.rng import RoundCommitment, shows_outcome
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.table import events as e
from crossfelt.table.commands import Role
from crossfelt.table.state import TableState
from crossfelt.table.views import OWNERS_SEE_MORE, SeatView, masked, own_seats, seen_by
from crossfelt.wire import Goodbye, Resumed, Reveal, Update, Welcome, encode

SEATING: Final = frozenset((e.SeatTaken, e.SeatLeft))
"""Events after which a subscriber may have another viewpoint."""
Status = Mapping[str, Any]
"""The fields that every subscriber is sent beside the view: meters, clocks, ready players, the commitment."""
MAX_QUEUED: Final = 512
"""A subscriber with more unsent messages is disconnected, and may reconnect and resume."""


class Subscriber:
    """One connection to a table."""

    __slots__ = ("_drain", "_write", "behind", "examined", "lost", "messages", "name", "role")

    def __init__(self, name: str, role: Role, *, examined: bool = False) -> None:
        self.name = name
        self.role = role
        self.examined = examined
        """True while the person takes an exam here: hands, results and amounts are not sent."""
        self.messages: list[bytes | None] = []
        """The queue of messages that could not be sent at once, the oldest first; None closes the connection."""
        self.lost = False
        self.behind = False
        """True while messages are queued: then no later message overtakes them."""
        self._write: Callable[[bytes], bool] | None = None
        self._drain: Callable[[], None] | None = None

    def attach(self, write: Callable[[bytes], bool] | None, drain: Callable[[], None]) -> None:
        """Connect. `write` sends at once and returns whether it could; `drain` starts to send the queue."""
        self._write, self._drain = write, drain

    def detach(self) -> None:
        """Drop the connection after it has ended."""
        self.lost, self._write, self._drain = True, None, None

    def send(self, text: bytes) -> bool:
        """Send or queue a message. Return False if the queue is full and the subscriber is disconnected."""
        if self.examined:
            text = without_results(text)
        if self.lost or (self._write is not None and not self.behind and self._write(text)):
            return True
        if len(self.messages) == MAX_QUEUED:
            self.close("the connection is too slow: connect again and resume")
            return False
        self.messages.append(text)
        self._fall_behind()
        return True

    def close(self, why: str, successor: str = "") -> None:
        """Say goodbye and close; unsent messages are dropped."""
        self.lost = True
        self.messages[:] = [encode(Goodbye(why=why, successor=successor)), None]
        self._fall_behind()

    def _fall_behind(self) -> None:
        if self._drain is not None and not self.behind:
            self.behind = True
            self._drain()


class ViewerGroup(msgspec.Struct, eq=False):
    """The subscribers of one viewpoint, and what they were last sent: they all get the same bytes."""

    viewpoint: Viewpoint
    last_viewpoint: Viewpoint
    """The viewpoint of the last update."""
    seats: dict[int, SeatView] | None
    """Their own seats in the last update; None if that was of another state of the table."""
    allowed: bytes
    """The options of the last update."""
    subscribers: set[Subscriber] = msgspec.field(default_factory=set)


class Broadcaster:
    """The subscribers of one table."""

    def __init__(
        self, now: Callable[[], int], metrics: Metrics, description: dict[str, Any], *, live: bool = False
    ) -> None:
        """`live` is set for a physical table, whose dealer acts for the players."""
        self.subscribers: set[Subscriber] = set()
        self._description = description
        self._now = now
        self._metrics = metrics
        self._public: PublicView | None = None
        """The public view of the last update."""
        self._groups: list[ViewerGroup] = []
        self._live = live
        self._status: Status = {}
        """The status that subscribers were last sent."""

    def welcome(self, subscriber: Subscriber, table: TableState, seq: int, status: Status) -> None:
        """Subscribe, and send the whole view."""
        group = self._group_of(subscriber, table)
        player = subscriber.role == "player"
        seats = [seat.number for seat in table.seats if player and seat.player == subscriber.name]
        message = Welcome(
            seq=seq,
            you={"name": subscriber.name, "role": subscriber.role, "seats": seats},
            table=self._description,
            view=view_from(table, group.viewpoint).whole,
            allowed=msgspec.Raw(group.allowed),
            now=self._now(),
            **status,
        )
        subscriber.send(encode(message))
        self._subscribe(subscriber, group, status)

    def resume(
        self, subscriber: Subscriber, table: TableState, missed: Sequence[TableEntry], seq: int, status: Status
    ) -> None:
        """Subscribe again, and send the updates that were missed.

        An update without events follows: clocks, ready players and meters may have changed without a row.
        """
        for row in missed:
            before = viewpoint_of(row.before, subscriber.role, subscriber.name)
            after = viewpoint_of(row.after, subscriber.role, subscriber.name)
            changed = patch(view_from(row.before, before), view_from(row.after, after))
            events = EventText([row]).to(after)
            subscriber.send(encode(Update(seq=row.seq, events=events, patch=changed, now=self._now())))
        group = self._group_of(subscriber, table)
        allowed = msgspec.Raw(group.allowed)
        rest = Update(seq=seq, events=(), patch={}, allowed=allowed, now=self._now(), **status)
        subscriber.send(encode(rest))
        subscriber.send(encode(Resumed(seq=seq, now=self._now())))
        self._subscribe(subscriber, group, status)

    def _group_of(self, subscriber: Subscriber, table: TableState) -> ViewerGroup:
        """Return the group of a new subscriber to a table whose last update was published."""
        viewpoint = viewpoint_of(table, subscriber.role, subscriber.name)
        same = (group for group in self._groups if group.viewpoint == viewpoint)
        return next(same, None) or ViewerGroup(viewpoint, viewpoint, None, self._options(table, viewpoint))

    def _options(self, table: TableState, viewpoint: Viewpoint) -> bytes:
        return encode(options_of(table, viewpoint, live=self._live))

    def _subscribe(self, subscriber: Subscriber, group: ViewerGroup, status: Status) -> None:
        if not group.subscribers:
            self._groups.append(group)
        group.subscribers.add(subscriber)
        self.subscribers.add(subscriber)
        self._status = status  # other subscribers have it; without subscribers nothing was published

    def publish(self, rows: Sequence[TableEntry], table: TableState, seq: int, status: Status) -> None:
        """Send an update to every subscriber, encoded once for each viewpoint."""
        before = rows[0].before if rows else table
        if self._public is None or self._public.table is not before:
            self._public = PublicView.of(before)
            for group in self._groups:
                group.seats = None
        after = self._public if table is before else PublicView.of(table, self._public)
        last = self._status
        changes = {name: value for name, value in status.items() if name not in last or value != last[name]}
        update = _PublicUpdate(self._public, after, rows, {"seq": seq, "now": self._now(), **changes})
        if update.changes_seating:
            self._regroup(table)
        for group in self._groups:
            text = self._text(update, group) if rows else update.text
            for subscriber in group.subscribers:
                if not subscriber.send(text):
                    self._metrics.cut_off.inc()
        self._metrics.messages.inc(len(self.subscribers))
        self._public, self._status = after, status

    def _text(self, update: _PublicUpdate, group: ViewerGroup) -> bytes:
        """Encode the update for a group, and remember what the group knows from now on."""
        last, viewpoint = group.last_viewpoint, group.viewpoint
        before, table = update.before.table, update.after.table
        old = own_seats(before, last.viewer, update.before.seen) if group.seats is None else group.seats
        same = not update.changes_seating and update.changed is not None and update.changed.isdisjoint(old)
        new = old if same else own_seats(table, viewpoint.viewer, update.after.seen, (before, old))
        allowed, last_allowed = self._options(table, viewpoint), group.allowed
        group.last_viewpoint, group.seats, group.allowed = viewpoint, new, allowed
        if same and allowed == last_allowed and not update.events.hides:
            return update.text
        seen = ViewerView(last.role, update.before, old), ViewerView(viewpoint.role, update.after, new)
        offered = msgspec.UNSET if allowed == last_allowed else msgspec.Raw(allowed)
        events, changed = update.events.to(viewpoint), patch(*seen, update.patch)
        return encode(Update(events=events, patch=changed, allowed=offered, **update.rest))

    def _regroup(self, table: TableState) -> None:
        """Group the subscribers anew after a player has taken or left a seat."""
        groups: dict[tuple[Viewpoint, Viewpoint], ViewerGroup] = {}
        for group in self._groups:
            for subscriber in group.subscribers:
                new = viewpoint_of(table, subscriber.role, subscriber.name)
                if (group.viewpoint, new) not in groups:
                    groups[group.viewpoint, new] = ViewerGroup(new, group.viewpoint, group.seats, group.allowed)
                groups[group.viewpoint, new].subscribers.add(subscriber)
        self._groups = list(groups.values())

    def reveal(self, fixed: RoundCommitment, rows: Sequence[TableEntry], ended: RoundIndex) -> None:
        """After a round, open the whole deck to its players, and send other viewers the proofs of what they saw."""
        whole = encode(Reveal(round=fixed.round, opened=fixed.tree.whole, commitment=fixed.commitment))
        encoded: dict[tuple[str, ...], bytes] = {}
        showing = [(event, row.before) for row in rows for event in row.events if shows_outcome(type(event))]
        public = fixed.found(masked(event, ()) for event, _ in showing)
        owned = [(event, before) for event, before in showing if type(event) in OWNERS_SEE_MORE]
        for group in self._groups:
            viewer = group.viewpoint.viewer
            if viewer.role == "player" and ended.seats_of(viewer.name):
                for subscriber in group.subscribers:
                    subscriber.send(whole)
                continue
            own = fixed.found(seen_by(event, viewer, before) for event, before in owned)
            labels = fixed.in_order(public | own)
            if labels not in encoded:
                openings = tuple(map(fixed.tree.opening, labels))
                encoded[labels] = encode(Reveal(round=fixed.round, openings=openings, commitment=fixed.commitment))
            for subscriber in group.subscribers:
                subscriber.send(encoded[labels])

    def unsubscribe(self, subscriber: Subscriber) -> None:
        self.subscribers.discard(subscriber)
        for group in self._groups:
            group.subscribers.discard(subscriber)
        self._groups = [group for group in self._groups if group.subscribers]

    def close(self, why: str, successor: str = "") -> None:
        """Say goodbye to every subscriber."""
        for subscriber in self.subscribers:
            subscriber.close(why, successor)
        self.subscribers.clear()
        self._groups.clear()


class _PublicUpdate:
    """One update as every viewer may see it, and what groups need to encode their own."""

    def __init__(self, before: PublicView, after: PublicView, rows: Sequence[TableEntry], rest: Status) -> None:
        """`rest` are the fields beside the events and the patch."""
        self.before, self.after, self.rest = before, after, rest
        self.patch = common_patch(before, after)
        self.events = EventText(rows)
        self.changes_seating = not SEATING.isdisjoint(self.events.kinds)
        """True if a player takes or leaves a seat, even a second one."""
        self.changed = after.changed if after is not before else set()
        """The seats that look different; None if it may be every seat."""

    @cached_property
    def text(self) -> bytes:
        """The update for viewers whose seats and options are unchanged: most of them, most of the time."""
        return encode(Update(events=self.events.public, patch=self.patch, **self.rest))
