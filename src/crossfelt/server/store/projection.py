"""What a stream has come to, worked out from its rows and remembered.

A state belongs to the hash of the row it was worked out to: whoever finds the stream at that hash has that state, and
whoever finds it further on adds the rows in between. So it cannot matter which commits were made or given up since.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec

from crossfelt import __version__
from crossfelt._util.bounded_input import bounded
from crossfelt.proof.hash_chain import dec_hook
from crossfelt.proof.history import StreamHeader
from crossfelt.server.store.interface import NOTHING, Head, Snapshot, Store, Stored, StoreError, Transaction

__all__ = ["BrokenChain", "Projection", "StreamHeader"]

S = TypeVar("S")

REMEMBERED: Final = 20_000
ROWS_BETWEEN_SNAPSHOTS: Final = 1000


class BrokenChain(StoreError):
    """The rows of a stream are not what was written: nothing may be built on them."""

    def __init__(self, stream: str, why: str = "they do not follow from one another") -> None:
        super().__init__(f"the rows of {stream} are not what was written: {why}")


def require_intact(stored: Stored) -> None:
    """`BrokenChain` where a row was changed: what it says now is not to be believed."""
    if not stored.intact:
        raise BrokenChain(stored.stream, f"row {stored.seq} was changed: its hash differs")


class _Body(msgspec.Struct, frozen=True):
    """A state as it is kept, and the version that worked it out: another may see things differently."""

    crossfelt: str
    state: msgspec.Raw


class _CachedState(msgspec.Struct, Generic[S], frozen=True):
    head: Head
    state: S


class Projection(Generic[S]):
    """The states of streams of one kind."""

    def __init__(self, command: Any, event: Any, initial: S, evolve: Callable[[S, Any], S]) -> None:
        self._decoder = msgspec.json.Decoder(_row_type(command, event), dec_hook=dec_hook)
        self._initial = initial
        self._evolve = evolve
        self._kept: OrderedDict[str, _CachedState[S]] = OrderedDict()
        self._snapped: dict[str, int] = {}
        self._lock = threading.Lock()

    def events(self, stored: Stored) -> tuple[Any, ...]:
        """What followed from a command."""
        return tuple(self._read(stored).events)

    def command(self, stored: Stored) -> Any:
        """What was asked for."""
        return self._read(stored).command

    def at(self, transaction: Transaction, stream: str) -> S:
        """The state of a stream in a commit that names it. A long stream should have been asked for before, by `now`:
        here there are no snapshots."""
        head, kept = transaction.head(stream), self._kept.get(stream)
        if kept is not None and kept.head == head:
            return kept.state
        if kept is not None and kept.head.seq < head.seq:
            further = self._follow(kept, transaction.rows(stream, kept.head.seq))
            if further is not None and further.head == head:
                return self._keep(stream, further)
        whole = self._from_start(transaction.rows(stream))
        if whole.head != head:
            raise _cut(stream, whole.head, head)
        return self._keep(stream, whole)

    async def now(self, store: Store, stream: str) -> S:
        """The state of a stream as it is stored."""
        kept = self._kept.get(stream)
        if kept is not None:
            # The row of the state itself is read again: the commit that it was worked out in may have been given up.
            rows = await store.rows(stream, kept.head.seq - 1)
            if rows and rows[0].hash == kept.head.hash:
                further = self._follow(kept, rows[1:])
                if further is not None:
                    return self._keep(stream, further)
        return self._keep(stream, await self._from_snapshot(store, stream))

    async def keep_snapshots(self, store: Store, every: int = ROWS_BETWEEN_SNAPSHOTS) -> int:
        """Keeps a snapshot of each stream that has come so much further since the last one; returns of how many."""
        done = 0
        for stream, kept in [*self._kept.items()]:
            if kept.head.seq - self._snapped.get(stream, 0) >= every:
                # The commit that it was worked out in may have been given up.
                rows = await store.rows(stream, kept.head.seq - 1, 1)
                if rows and rows[0].hash == kept.head.hash:
                    body = msgspec.json.encode(_Body(__version__, msgspec.Raw(msgspec.json.encode(kept.state))))
                    head = kept.head
                    await store.keep_snapshot(Snapshot(stream=stream, seq=head.seq, hash=head.hash, body=body))
                    self._snapped[stream] = head.seq
                    done += 1
        return done

    async def _from_snapshot(self, store: Store, stream: str) -> _CachedState[S]:
        """The state by way of the last snapshot, if there is one of this version, and the rows after it."""
        head = await store.head(stream)  # before the rows: of those it tells of, none may be missing
        whole = await self._by_snapshot(store, stream) or self._from_start(await store.rows(stream))
        if whole.head.seq < head.seq:
            raise _cut(stream, whole.head, head)
        return whole

    async def _by_snapshot(self, store: Store, stream: str) -> _CachedState[S] | None:
        snapshot = await store.latest_snapshot(stream)
        if snapshot is not None:
            body = msgspec.json.decode(bounded(snapshot.body), type=_Body)
            rows = await store.rows(stream, snapshot.seq - 1)
            if body.crossfelt == __version__ and rows and rows[0].hash == snapshot.hash:
                state = msgspec.json.decode(body.state, type=type(self._initial))
                further = self._follow(_CachedState(Head(snapshot.seq, snapshot.hash), state), rows[1:])
                if further is not None:
                    self._snapped[stream] = snapshot.seq
                    return further
        return None

    def _from_start(self, rows: Sequence[Stored]) -> _CachedState[S]:
        whole = self._follow(_CachedState(Head(), self._initial), rows)
        if whole is None:
            raise BrokenChain(rows[0].stream)
        return whole

    def _follow(self, kept: _CachedState[S], rows: Sequence[Stored]) -> _CachedState[S] | None:
        """The state after more rows; None where they do not follow."""
        state, head = kept.state, kept.head
        for stored in rows:
            if stored.seq > 0:
                row = self._read(stored)
                if row.previous != head.hash:
                    return None
                state = self._after(state, row.events, stored)
            head = Head(stored.seq, stored.hash)
        return _CachedState(head, state)

    def _after(self, state: S, events: Sequence[Any], stored: Stored) -> S:
        try:
            for event in events:
                state = self._evolve(state, event)
        except Exception as error:  # events that were altered can make anything of a state
            raise BrokenChain(stored.stream, f"row {stored.seq} cannot be followed") from error
        return state

    def _read(self, stored: Stored) -> Any:
        try:
            row = self._decoder.decode(bounded(stored.body))
        except (msgspec.MsgspecError, ValueError) as error:
            raise BrokenChain(stored.stream, f"row {stored.seq} cannot be read") from error
        require_intact(stored)
        return row

    def _keep(self, stream: str, kept: _CachedState[S]) -> S:
        """From the writer's thread and from others."""
        if kept.head.seq != NOTHING:
            with self._lock:
                self._kept[stream] = kept
                self._kept.move_to_end(stream)
                while len(self._kept) > REMEMBERED:
                    self._kept.popitem(last=False)
        return kept.state


def _cut(stream: str, end: Head, head: Head) -> BrokenChain:
    return BrokenChain(stream, f"they end at {end.seq}, and not at {head.seq}")


def _row_type(command: Any, event: Any) -> type[Any]:
    fields = [("command", command), ("events", tuple[event, ...]), ("hash", str), ("previous", str), ("seq", int)]
    return msgspec.defstruct("StreamRow", fields, frozen=True, forbid_unknown_fields=True)
