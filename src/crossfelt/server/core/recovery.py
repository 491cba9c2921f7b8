"""A table as the store has it: from its last snapshot, or from its first row on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt import __version__
from crossfelt._util.bounded_input import bounded
from crossfelt.cards.card import enc_hook
from crossfelt.errors import BadInput, Problem
from crossfelt.play.round_result import result_of
from crossfelt.proof.hash_chain import dec_hook
from crossfelt.proof.history import Header, StoredRow, read_header, read_row
from crossfelt.proof.replay_round import round_ended, round_opened
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.errors import TableOutdated
from crossfelt.server.core.rng import CommitRound, RoundCommitment
from crossfelt.server.store.interface import Snapshot, Store, Stored
from crossfelt.server.store.projection import BrokenChain, require_intact
from crossfelt.table import events as e
from crossfelt.table.decks import between_rounds
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState, new_table

ROUNDS_KEPT: Final = 100
HEADER: Final = 0


class Unreadable(BadInput):
    """Rows that are not what was written: nobody can say what became of a table."""

    def __init__(self, stream: str) -> None:
        super().__init__(Problem(code="table.unreadable", what="its rows cannot be read", where=stream))


class RoundIndex(msgspec.Struct, frozen=True, kw_only=True):
    """Where a round that is over stands in its stream, and what came of it."""

    round: int
    first: int
    last: int
    at: int
    outcome: str
    players: dict[int, str]
    """Who sat where."""
    nets: dict[int, int]
    took_part: tuple[int, ...] = ()
    """The seats whose cards were their players' to look at."""

    def seats_of(self, player: str) -> set[int]:
        """Where somebody took part."""
        return {seat for seat in self.took_part if self.players.get(seat) == player}

    @classmethod
    def of(cls, rows: Sequence[TableEntry]) -> RoundIndex:
        """A round from its rows."""
        events = [event for row in rows for event in row.events]
        closed = round_ended(events)
        settled = isinstance(closed, e.RoundClosed)
        nets = result_of(rows[0].after.game, events).seats if settled else {}
        return cls(
            round=rows[0].after.round,
            first=rows[0].seq,
            last=rows[-1].seq,
            at=rows[-1].command.at,
            outcome=closed.outcome if isinstance(closed, e.RoundClosed) else "abandoned",
            players={seat.number: seat.player for seat in rows[-1].before.seats if seat.player},
            took_part=tuple(seat.number for seat in rows[-1].before.seats if seat.takes_part),
            nets={int(seat): told.net for seat, told in nets.items()},
        )


class Recovered(NamedTuple):
    """What a table had come to."""

    table: TableState
    seq: int
    rounds: deque[RoundIndex]
    round_rows: tuple[TableEntry, ...]
    """The rows of the round that is open."""
    seal: CommitRound | None
    fixed: RoundCommitment | None


class _SnapshotBody(msgspec.Struct, frozen=True):
    table: msgspec.Raw
    rounds: msgspec.Raw
    crossfelt: str = ""
    """The version that kept it: another may see things differently, and reads the rows."""


class _Seal(msgspec.Struct, frozen=True):
    command: CommitRound


def snapshot_of(stream: str, table: TableState, seq: int, rounds: Iterable[RoundIndex]) -> Snapshot | None:
    """A table to begin from again, with what can be asked about its rounds; only between rounds."""
    if not between_rounds(table):
        return None
    kept = _SnapshotBody(
        msgspec.Raw(_encode_table(table)), msgspec.Raw(msgspec.json.encode(tuple(rounds))), __version__
    )
    return Snapshot(stream=stream, seq=seq, hash="", body=msgspec.json.encode(kept))


def _encode_table(table: TableState) -> bytes:
    def plain(value: Any) -> Any:
        return value.hash if isinstance(value, Game) else enc_hook(value)

    return msgspec.json.encode(table, enc_hook=plain)


def decode_table(body: bytes, game: Game) -> TableState:
    """A table from its snapshot, with its game put back."""

    def back(wanted: type, value: Any) -> Any:
        if wanted is not Game:
            return dec_hook(wanted, value)
        if value != game.hash:
            raise ValueError("another game was played here")
        return game

    return msgspec.json.decode(bounded(body), type=TableState, dec_hook=back)


class TableRows:
    """Reads the rows of a table one after the other. Each must be what was written, and follow from the line before it:
    `BrokenChain` where it is not."""

    def __init__(self, after: str) -> None:
        """`after` is the hash of the line that the first row follows."""
        self.hash = after

    def read(self, stored: Stored) -> StoredRow:
        row = read_row(stored.body)
        require_intact(stored)
        if row.previous != self.hash:
            raise BrokenChain(stored.stream, f"row {stored.seq} does not follow from the line before it")
        self.hash = stored.hash
        return row


def readable_row(stored: Stored) -> StoredRow:
    """A row of a table by itself, for who looks at it; `Unreadable` where it was altered."""
    try:
        row = read_row(stored.body)
    except (msgspec.MsgspecError, ValueError) as fault:
        raise Unreadable(stored.stream) from fault
    if not stored.intact:
        raise Unreadable(stored.stream)
    return row


def readable_header(stored: Stored) -> Header:
    """The first line of a table, for who looks at it; `Unreadable` where it was altered."""
    try:
        header = read_header(stored.body)
        header.compile()
    except (msgspec.MsgspecError, ValueError) as fault:
        raise Unreadable(stored.stream) from fault
    return header


async def recover(store: Store, stream: str, seals: str, expected: Game | None) -> Recovered:
    """Read a table from the store. Raise `TableOutdated` where it was opened with another game than the `expected` one;
    None stands for whichever its stream has."""
    first, second = await store.rows(stream, limit=2)
    TableRows(first.hash).read(second)  # a header carries no hash: whether it was altered, the row after it knows
    header = read_header(first.body)
    if expected is not None and header.game_hash != expected.hash:
        raise TableOutdated(header.table)
    game = expected or header.compile()
    table, seq, rounds = new_table(game), HEADER, deque[RoundIndex](maxlen=ROUNDS_KEPT)
    reading = TableRows(first.hash)
    snapshot = await store.latest_snapshot(stream)
    kept = None if snapshot is None else msgspec.json.decode(bounded(snapshot.body), type=_SnapshotBody)
    if snapshot is not None and kept is not None and kept.crossfelt == __version__ and await _fits(store, snapshot):
        table, seq, reading = decode_table(bytes(kept.table), game), snapshot.seq, TableRows(snapshot.hash)
        rounds.extend(msgspec.json.decode(kept.rounds, type=tuple[RoundIndex, ...]))
    current: list[TableEntry] = []
    for stored in await _rows_to_the_end(store, stream, seq):
        row = _replayed(table, stored.seq, reading.read(stored))
        table, seq = row.after, row.seq
        if round_opened(row.events) is not None:
            current = []
        current.append(row)
        if round_ended(row.events) is not None:
            rounds.append(RoundIndex.of(current))
            current = []
    seal = await _last_seal(store, seals)
    if seal is None or seal.round != table.round:
        return Recovered(table, seq, rounds, tuple(current), None, None)
    return Recovered(table, seq, rounds, tuple(current), seal, RoundCommitment.of(seal))


async def _rows_to_the_end(store: Store, stream: str, after: int) -> Sequence[Stored]:
    """The rows after a seq, up to where the stream ends: at a table without its last rows every command would be
    refused."""
    rows, head = await store.rows(stream, after=after), await store.head(stream)
    if [stored.seq for stored in rows] != list(range(after + 1, head.seq + 1)):
        raise BrokenChain(stream, f"rows up to {head.seq} are missing, or stand after it")
    if rows and rows[-1].hash != head.hash:
        raise BrokenChain(stream, f"row {head.seq} is not the one that was written last")
    return rows


async def _fits(store: Store, snapshot: Snapshot) -> bool:
    """Whether a snapshot is of this history: the row it was taken at is there."""
    rows = await store.rows(snapshot.stream, after=snapshot.seq - 1, limit=1)
    return bool(rows) and rows[0].hash == snapshot.hash


def _replayed(table: TableState, seq: int, row: StoredRow) -> TableEntry:
    after = table
    for event in row.events:
        after = evolve(after, event)
    return TableEntry.of(seq, table, row.command, row.events, after)


async def _last_seal(store: Store, seals: str) -> CommitRound | None:
    head = await store.head(seals)
    if head.seq <= HEADER:
        return None
    (stored,) = await store.rows(seals, after=head.seq - 1, limit=1)
    if stored.hash != head.hash:
        raise BrokenChain(seals, f"row {head.seq} is not the one that was written last")
    return read_seal(stored)


def read_seal(stored: Stored) -> CommitRound:
    """What a round is fixed with, from its row: of one that was altered other cards would be dealt."""
    seal = msgspec.json.decode(bounded(stored.body), type=_Seal, dec_hook=dec_hook).command
    require_intact(stored)
    return seal


# --- What a table keeps in mind of what is stored

ROWS_KEPT: Final = 64
"""Rows from which a connection can be resumed."""
ROUND_ENDS: Final = frozenset((e.RoundClosed, e.RoundAbandoned))


class RecentRows:
    """The last rows of a table, and the rounds that are over."""

    __slots__ = ("_last_wagers", "_recent", "round_rows", "rounds")

    def __init__(self, recovered: Recovered) -> None:
        self.rounds: deque[RoundIndex] = recovered.rounds
        self.round_rows: list[TableEntry] = list(recovered.round_rows)
        """Of the round that is open, or was the last."""
        self._recent: deque[TableEntry] = deque(recovered.round_rows, maxlen=ROWS_KEPT)
        self._last_wagers: dict[tuple[int, str], Mapping[str, int]] = {}

    def keep(self, row: TableEntry) -> RoundIndex | None:
        """One row more; the round, where it ends with it."""
        self._recent.append(row)
        if e.BetsLocked in row.kinds:
            self._last_wagers |= {(seat.number, seat.player): seat.wagers for seat in row.before.seats if seat.wagers}
        if e.RoundOpened in row.kinds:
            self.round_rows.clear()
        self.round_rows.append(row)
        if ROUND_ENDS.isdisjoint(row.kinds):
            return None
        self.rounds.append(RoundIndex.of(self.round_rows))
        return self.rounds[-1]

    def missed(self, after: int, seq: int) -> list[TableEntry] | None:
        """The rows after one up to the last, where all of them are still there; None where they are not."""
        if after > seq:
            return None
        found = [row for row in self._recent if row.seq > after]
        return found if len(found) == seq - after else None

    def last_wagers(self, seat: int, player: str) -> Mapping[str, int]:
        """What a player placed at a seat before the cards of the last round there, as far as it is known."""
        return self._last_wagers.get((seat, player), {})
