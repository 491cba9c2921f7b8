"""The state of a stream, computed from its rows and cached.

A cached state belongs to the hash of the last row that it includes. A reader that finds the stream at that hash uses
the state, and a reader that finds the stream further on applies the rows in between. So a commit that was rolled back
after the state was cached does no harm.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.proof.hash_chain import dec_hook
from crossfelt.server.store.interface import NOTHING, Head, Snapshot, Stored, StoreError
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction

S = TypeVar("S")

CACHED_STATES: Final = 20_000
ROWS_BETWEEN_SNAPSHOTS: Final = 1000


class BrokenChain(StoreError):
    """The rows of a stream are not what the server wrote, so no state can be computed from them."""

    def __init__(self, stream: str, why: str = "their chain is broken") -> None:
        super().__init__(f"the rows of {stream} were changed: {why}")


def require_intact(stored: Stored) -> None:
    """Raise `BrokenChain` if a row does not fit its hash."""
    if not stored.intact:
        raise BrokenChain(stored.stream, f"the hash of row {stored.seq} differs")


async def known_snapshot(store: Store, stream: str) -> Snapshot | None:
    """Return the last snapshot of a stream; None if another version or another history made it."""
    snapshot = await store.latest_snapshot(stream)
    return snapshot if snapshot is not None and await _is_in(store, stream, snapshot.head) else None


async def _is_in(store: Store, stream: str, head: Head) -> bool:
    """Return whether a stream has this row: a commit may have been rolled back, or a snapshot may be of another one."""
    rows = await store.rows(stream, head.seq - 1, 1)
    return bool(rows) and rows[0].hash == head.hash


class _CachedState(msgspec.Struct, Generic[S], frozen=True):
    head: Head
    state: S


class Projection(Generic[S]):
    """The states of streams of one kind."""

    def __init__(self, command: Any, event: Any, initial: S, evolve: Callable[[S, Any], S]) -> None:
        fields = [("command", command), ("events", tuple[event, ...]), ("hash", str), ("previous", str), ("seq", int)]
        row = msgspec.defstruct("StreamRow", fields, frozen=True, forbid_unknown_fields=True)
        self._decoder = msgspec.json.Decoder(row, dec_hook=dec_hook)
        self._initial = initial
        self._evolve = evolve
        self._cache: OrderedDict[str, _CachedState[S]] = OrderedDict()
        self._snapshot_seqs: dict[str, int] = {}
        self._lock = threading.Lock()

    def events(self, stored: Stored) -> tuple[Any, ...]:
        """Return the events of a row."""
        return tuple(self._read(stored).events)

    def at(self, transaction: Transaction, stream: str) -> S:
        """Return the state of a stream in a commit that names it.

        Snapshots are not used here: call `now` before a commit on a long stream.
        """
        head, kept = transaction.head(stream), self._cache.get(stream)
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
        """Return the state of a stream as it is stored."""
        kept = self._cache.get(stream)
        if kept is not None:
            # The row of the cached state is read again: its commit may have been rolled back.
            rows = await store.rows(stream, kept.head.seq - 1)
            if rows and rows[0].hash == kept.head.hash:
                further = self._follow(kept, rows[1:])
                if further is not None:
                    return self._keep(stream, further)
        head = await store.head(stream)  # read before the rows, which then reach at least as far
        whole = await self._by_snapshot(store, stream) or self._from_start(await store.rows(stream))
        if whole.head.seq < head.seq:
            raise _cut(stream, whole.head, head)
        return self._keep(stream, whole)

    async def keep_snapshots(self, store: Store, every: int = ROWS_BETWEEN_SNAPSHOTS) -> int:
        """Store a snapshot of each stream that has `every` more rows than its last one; return the number of
        snapshots."""
        done = 0
        for stream, kept in [*self._cache.items()]:
            is_due = kept.head.seq - self._snapshot_seqs.get(stream, 0) >= every
            if is_due and await _is_in(store, stream, kept.head):
                await store.keep_snapshot(Snapshot(stream, kept.head, msgspec.json.encode(kept.state)))
                self._snapshot_seqs[stream] = kept.head.seq
                done += 1
        return done

    async def _by_snapshot(self, store: Store, stream: str) -> _CachedState[S] | None:
        if (snapshot := await known_snapshot(store, stream)) is None:
            return None
        kept = _CachedState(snapshot.head, msgspec.json.decode(snapshot.body, type=type(self._initial)))
        further = self._follow(kept, await store.rows(stream, snapshot.head.seq))
        if further is not None:
            self._snapshot_seqs[stream] = snapshot.head.seq
        return further

    def _from_start(self, rows: Sequence[Stored]) -> _CachedState[S]:
        whole = self._follow(_CachedState(Head(), self._initial), rows)
        if whole is None:
            raise BrokenChain(rows[0].stream)
        return whole

    def _follow(self, kept: _CachedState[S], rows: Sequence[Stored]) -> _CachedState[S] | None:
        """Return the state after more rows; None if the first does not continue the chain."""
        state, head = kept.state, kept.head
        for stored in rows:
            if stored.seq > 0:
                row = self._read(stored)
                if row.previous != head.hash:
                    return None
                state = self._apply(state, row.events, stored)
            head = Head(stored.seq, stored.hash)
        return _CachedState(head, state)

    def _apply(self, state: S, events: Sequence[Any], stored: Stored) -> S:
        try:
            for event in events:
                state = self._evolve(state, event)
        except Exception as error:  # changed events can raise anything
            raise BrokenChain(stored.stream, f"row {stored.seq} cannot be applied") from error
        return state

    def _read(self, stored: Stored) -> Any:
        try:
            row = self._decoder.decode(bounded(stored.body))
        except (msgspec.MsgspecError, ValueError) as error:
            raise BrokenChain(stored.stream, f"row {stored.seq} cannot be read") from error
        require_intact(stored)
        return row

    def _keep(self, stream: str, kept: _CachedState[S]) -> S:
        """Cache a state; called from the writer thread and from others."""
        if kept.head.seq != NOTHING:
            with self._lock:
                self._cache[stream] = kept
                self._cache.move_to_end(stream)
                while len(self._cache) > CACHED_STATES:
                    self._cache.popitem(last=False)
        return kept.state


def _cut(stream: str, end: Head, head: Head) -> BrokenChain:
    return BrokenChain(stream, f"they end at {end.seq} instead of {head.seq}")
