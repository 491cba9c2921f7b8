"""A table as the store has it: from its last snapshot, or from its first row on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt import __version__
from crossfelt.cards.card import enc_hook
from crossfelt.house.store.folding import BrokenChain, require_intact
from crossfelt.house.store.port import Snapshot, Store, Stored
from crossfelt.house.tables.chance import Fixed, SealRound
from crossfelt.house.tables.rows import Row
from crossfelt.problems import BadInput, Problem
from crossfelt.proof.canonical import dec_hook
from crossfelt.proof.history import Header, StoredRow, read_header, read_row
from crossfelt.proof.reopening import round_ended, round_opened
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e
from crossfelt.table.decks import between_rounds
from crossfelt.table.evolving import evolve
from crossfelt.table.results import result_of
from crossfelt.table.state import Table, new_table

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
    def of(cls, rows: Sequence[Row]) -> RoundIndex:
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

    table: Table
    seq: int
    rounds: deque[RoundIndex]
    round_rows: tuple[Row, ...]
    """The rows of the round that is open."""
    seal: SealRound | None
    fixed: Fixed | None


class _Kept(msgspec.Struct, frozen=True):
    table: msgspec.Raw
    rounds: msgspec.Raw
    crossfelt: str = ""
    """The version that kept it: another may see things differently, and reads the rows."""


class _Seal(msgspec.Struct, frozen=True):
    command: SealRound


def snapshot_of(stream: str, table: Table, seq: int, rounds: Iterable[RoundIndex]) -> Snapshot | None:
    """A table to begin from again, with what can be asked about its rounds; only between rounds."""
    if not between_rounds(table):
        return None
    kept = _Kept(msgspec.Raw(_encode_table(table)), msgspec.Raw(msgspec.json.encode(tuple(rounds))), __version__)
    return Snapshot(stream=stream, seq=seq, hash="", body=msgspec.json.encode(kept))


def _encode_table(table: Table) -> bytes:
    def plain(value: Any) -> Any:
        return value.hash if isinstance(value, Game) else enc_hook(value)

    return msgspec.json.encode(table, enc_hook=plain)


def decode_table(body: bytes, game: Game) -> Table:
    """A table from its snapshot, with its game put back."""

    def back(wanted: type, value: Any) -> Any:
        if wanted is not Game:
            return dec_hook(wanted, value)
        if value != game.hash:
            raise ValueError("another game was played here")
        return game

    return msgspec.json.decode(body, type=Table, dec_hook=back)


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
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Unreadable(stored.stream) from fault
    if not stored.intact:
        raise Unreadable(stored.stream)
    return row


def readable_header(stored: Stored) -> Header:
    """The first line of a table, for who looks at it; `Unreadable` where it was altered."""
    try:
        header = read_header(stored.body)
        header.compile()
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Unreadable(stored.stream) from fault
    return header


async def recover(store: Store, stream: str, seals: str, usual: Game | None) -> Recovered:
    """Reads a table from the store; its game is nearly always the `usual` one, which need not be compiled again."""
    first, second = await store.rows(stream, limit=2)
    TableRows(first.hash).read(second)  # a header carries no hash: whether it was altered, the row after it knows
    header = read_header(first.body)
    game = usual if usual is not None and header.game_hash == usual.hash else header.compile()
    table, seq, rounds = new_table(game), HEADER, deque[RoundIndex](maxlen=ROUNDS_KEPT)
    reading = TableRows(first.hash)
    snapshot = await store.latest_snapshot(stream)
    kept = None if snapshot is None else msgspec.json.decode(snapshot.body, type=_Kept)
    if snapshot is not None and kept is not None and kept.crossfelt == __version__ and await _fits(store, snapshot):
        table, seq, reading = decode_table(bytes(kept.table), game), snapshot.seq, TableRows(snapshot.hash)
        rounds.extend(msgspec.json.decode(kept.rounds, type=tuple[RoundIndex, ...]))
    current: list[Row] = []
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
    return Recovered(table, seq, rounds, tuple(current), seal, Fixed.of(seal))


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


def _replayed(table: Table, seq: int, row: StoredRow) -> Row:
    after = table
    for event in row.events:
        after = evolve(after, event)
    return Row.of(seq, table, row.command, row.events, after)


async def _last_seal(store: Store, seals: str) -> SealRound | None:
    head = await store.head(seals)
    if head.seq <= HEADER:
        return None
    (stored,) = await store.rows(seals, after=head.seq - 1, limit=1)
    if stored.hash != head.hash:
        raise BrokenChain(seals, f"row {head.seq} is not the one that was written last")
    return read_seal(stored)


def read_seal(stored: Stored) -> SealRound:
    """What a round is fixed with, from its row: of one that was altered other cards would be dealt."""
    seal = msgspec.json.decode(stored.body, type=_Seal, dec_hook=dec_hook).command
    require_intact(stored)
    return seal
