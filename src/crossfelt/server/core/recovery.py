"""Reads a table from the store: from its last snapshot, or from its first row on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.cards.card import enc_hook
from crossfelt.play.round_result import result_of
from crossfelt.proof.hash_chain import dec_hook
from crossfelt.proof.history import Header, StoredRow, read_header, read_row
from crossfelt.proof.replay_round import round_ended
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.errors import TableOutdated, Unreadable
from crossfelt.server.core.rng import CommitRound
from crossfelt.server.store.interface import Stored, Unavailable
from crossfelt.server.store.projection import BrokenChain, known_snapshot, require_intact
from crossfelt.server.store.sql_store import Store
from crossfelt.table import events as e
from crossfelt.table.decks import between_rounds
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState, new_table

ROUNDS_KEPT: Final = 100
HEADER: Final = 0


class RoundIndex(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round: its place in the stream, its players and its result."""

    round: int
    first: int
    last: int
    at: int
    outcome: str
    players: dict[int, str]
    nets: dict[int, int]
    took_part: tuple[int, ...] = ()
    """The seats whose players could look at their cards."""

    def seats_of(self, player: str) -> set[int]:
        return {seat for seat in self.took_part if self.players.get(seat) == player}

    @classmethod
    def of(cls, rows: Sequence[TableEntry]) -> RoundIndex:
        events = [event for row in rows for event in row.events]
        closed = round_ended(events)
        settled = isinstance(closed, e.RoundClosed)
        results = result_of(rows[0].after.game, events).seats if settled else {}
        return cls(
            round=rows[0].after.round,
            first=rows[0].seq,
            last=rows[-1].seq,
            at=rows[-1].command.at,
            outcome=closed.outcome if isinstance(closed, e.RoundClosed) else "abandoned",
            players={seat.number: seat.player for seat in rows[-1].before.seats if seat.player},
            took_part=tuple(seat.number for seat in rows[-1].before.seats if seat.takes_part),
            nets={int(seat): result.net for seat, result in results.items()},
        )


class Recovered(NamedTuple):
    """The state of a table in the store."""

    table: TableState
    seq: int
    memory: RecentRows
    seal: CommitRound | None
    """The outcomes of the open round, if it is sealed."""


class _Seal(msgspec.Struct, frozen=True):
    command: CommitRound


class _KeptTable(NamedTuple):
    """A table between two rounds, with its finished rounds."""

    table: TableState
    rounds: tuple[RoundIndex, ...]


def encode_table(table: TableState, rounds: Iterable[RoundIndex]) -> bytes | None:
    """Encode a table for a snapshot, with only the hash of the game; None during a round."""

    def plain(value: Any) -> Any:
        return value.hash if isinstance(value, Game) else enc_hook(value)

    if not between_rounds(table):
        return None
    return msgspec.json.encode(_KeptTable(msgspec.structs.replace(table, back=None), tuple(rounds)), enc_hook=plain)


def _decode_table(state: bytes, game: Game) -> _KeptTable:
    def back(wanted: type, value: Any) -> Any:
        if wanted is not Game:
            return dec_hook(wanted, value)
        if value != game.hash:
            raise ValueError("the snapshot is of another game")
        return game

    return msgspec.json.decode(state, type=_KeptTable, dec_hook=back)


class TableRows:
    """Reads the rows of a table in order. It raises `BrokenChain` if a row was altered or does not follow the last."""

    def __init__(self, after: str) -> None:
        """`after` is the hash of the line before the first row."""
        self.hash = after

    def read(self, stored: Stored) -> StoredRow:
        row = read_row(stored.body)
        require_intact(stored)
        if row.previous != self.hash:
            raise BrokenChain(stored.stream, f"row {stored.seq} does not follow the line before it")
        self.hash = stored.hash
        return row


@contextmanager
def readable(stream: str) -> Iterator[None]:
    """Refuse rows that cannot be read: altered ones can raise any exception."""
    try:
        yield
    except Unavailable:
        raise
    except Exception as fault:
        raise Unreadable(stream) from fault


def readable_row(stored: Stored) -> StoredRow:
    """Return one row of a table; raise `Unreadable` if it was altered."""
    with readable(stored.stream):
        require_intact(stored)
        return read_row(stored.body)


def readable_header(stored: Stored) -> Header:
    """Return the first line of a table; raise `Unreadable` if it was altered."""
    with readable(stored.stream):
        header = read_header(stored.body)
        header.compile()
        return header


async def recover(store: Store, stream: str, seals: str, expected: Game | None) -> Recovered:
    """Read a table from the store. Raise `TableOutdated` if it was opened with another game than the `expected` one.

    If `expected` is None, the game is the one in the table's stream.
    """
    first, second = await store.rows(stream, limit=2)
    TableRows(first.hash).read(second)  # the row after the header proves that the header was not altered
    header = read_header(first.body)
    if expected is not None and header.game_hash != expected.hash:
        raise TableOutdated(header.table)
    game = expected or header.compile()
    table, seq, reading, finished = new_table(game), HEADER, TableRows(first.hash), tuple[RoundIndex, ...]()
    if (snapshot := await known_snapshot(store, stream)) is not None:
        table, finished = _decode_table(snapshot.body, game)
        seq, reading = snapshot.head.seq, TableRows(snapshot.head.hash)
    memory = RecentRows(finished)
    for stored in await _rows_to_the_end(store, stream, seq):
        row, before = reading.read(stored), table
        table, seq = reduce(evolve, row.events, before), stored.seq
        memory.keep(TableEntry.of(seq, before, row.command, row.events, table))
    seal = await _last_seal(store, seals)
    if seal is not None and seal.round != table.round:
        seal = None
    return Recovered(table, seq, memory, seal)


async def _rows_to_the_end(store: Store, stream: str, after: int) -> Sequence[Stored]:
    """Return all rows after a seq. Refuse a stream without its last rows: its table would refuse every command."""
    rows, head = await store.rows(stream, after=after), await store.head(stream)
    if [stored.seq for stored in rows] != list(range(after + 1, head.seq + 1)):
        raise BrokenChain(stream, f"rows up to {head.seq} are missing, or there are rows after it")
    if rows and rows[-1].hash != head.hash:
        raise BrokenChain(stream, f"row {head.seq} is not the row that was written last")
    return rows


async def _last_seal(store: Store, seals: str) -> CommitRound | None:
    head = await store.head(seals)
    if head.seq <= HEADER:
        return None
    (stored,) = await store.rows(seals, after=head.seq - 1, limit=1)
    if stored.hash != head.hash:
        raise BrokenChain(seals, f"row {head.seq} is not the row that was written last")
    return read_seal(stored)


def read_seal(stored: Stored) -> CommitRound:
    """Return the seal in a row. Refuse an altered row, from which other cards would be dealt."""
    seal = msgspec.json.decode(bounded(stored.body), type=_Seal, dec_hook=dec_hook).command
    require_intact(stored)
    return seal


# --- rows in memory --------------------------------------------------------------------------------------------------

ROWS_KEPT: Final = 32
"""The rows from which a connection can be resumed."""
ROUND_ENDS: Final = frozenset((e.RoundClosed, e.RoundAbandoned))


class RecentRows:
    """The last rows of a table, and its finished rounds."""

    def __init__(self, rounds: Iterable[RoundIndex] = ()) -> None:
        self.rounds = deque(rounds, maxlen=ROUNDS_KEPT)
        self.round_rows: list[TableEntry] = []
        """The rows of the open round, or of the last one."""
        self._recent: deque[TableEntry] = deque(maxlen=ROWS_KEPT)
        self._last_wagers: dict[tuple[int, str], Mapping[str, int]] = {}

    def keep(self, row: TableEntry) -> RoundIndex | None:
        """Add a row; return the round that it ends, if it does."""
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
        """Return the rows after `after` up to `seq`; None if some are not kept any more."""
        if after > seq:
            return None
        found = [row for row in self._recent if row.seq > after]
        return found if len(found) == seq - after else None

    def last_wagers(self, seat: int, player: str) -> Mapping[str, int]:
        """Return the wagers of a player in the last round at a seat, if they are known."""
        return self._last_wagers.get((seat, player), {})
