"""A history: every accepted command of a table and its events, as a file of JSON lines that an auditor can check.

The first line is the header: the whole compiled game, its hash, the table and the version of the schema. Each
further line is a row, one for each accepted command with the events that followed; refused commands are not in
it. The last line holds the number of rows, so that a cut file shows. Every line but the header names
the hash of the line before it and carries its own: SHA-256 over its canonical JSON without the field ``hash``. The
header is the first link of this chain.

A history holds the order of every deck, and unseen cards. It is for auditors, after the fact: it stays secret while
a deck whose shuffle is in it is still to be played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final, Generic, Self, TypeVar

import msgspec

from crossfelt import __version__
from crossfelt._util.atomic_files import owner_only
from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput, Problem
from crossfelt.proof.hash_chain import (
    ChainLine,
    dec_hook,
    decode_exactly,
    encode,
    encode_checked,
    end_line,
    header_line,
    row_line,
    row_without_hash,
    sha256,
)
from crossfelt.rulebooks.game import Game
from crossfelt.table.commands import AnyCommand, Command
from crossfelt.table.events import AnyEvent, Event

T = TypeVar("T")

SCHEMA: Final = 1
LONGEST_LINE: Final = 1 << 24
_END: Final = b'{"end":'


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a table's history."""

    crossfelt: str
    """The version of Crossfelt that wrote it."""
    schema: int
    table: str
    game: dict[str, Any]
    game_hash: str

    def compile(self) -> Game:
        """Compile the game of the history, with the checks of any rulebook and submission."""
        try:
            game = _compiled(encode(self.game))
        except (LookupError, TypeError, AttributeError) as error:
            raise BadInput.at("line 1", "history.game", f"not a game: {error}") from None
        if game.hash != self.game_hash:
            what = f"the game has a different hash: {game.hash}"
            raise BadInput.at("line 1", "history.game_hash", what, allowed=self.game_hash)
        return game


class StreamHeader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a stream that is not a table's: a meter, an account, the server itself."""

    crossfelt: str = __version__
    schema: int = SCHEMA
    stream: str


def header_of(table: str, game: Game) -> Header:
    """Return the header of a history that begins now."""
    return Header(crossfelt=__version__, schema=SCHEMA, table=table, game=game.as_data(), game_hash=game.hash)


@lru_cache(maxsize=16)
def _compiled(game: bytes) -> Game:
    """Compile a game. Many histories share one, and compiling takes longer than reading a short history."""
    return Game.from_data(msgspec.json.decode(game), where="line 1: game")


class BrokenHistory(BadInput):
    """A history that was changed, cut, or put together from pieces."""

    def __init__(self, problem: Problem, line: int) -> None:
        super().__init__(problem)
        self.line = line


class HistoryWriter:
    """Writes a history row by row.

    >>> import io
    >>> from crossfelt.table import commands, events
    >>> file = io.BytesIO()
    >>> with HistoryWriter(file, "table 1", compile_game("md-criss-cross")) as history:
    ...     command = commands.OpenTable(id="1", who="Ann", role="floor", at=0, inventory_cents=500)
    ...     _ = history.append(command, [events.TableOpened(by="Ann", at=0, inventory_cents=500)])
    >>> [line[:14] for line in file.getvalue().decode().splitlines()]
    ['{"crossfelt":"', '{"command":{"a', '{"end":1,"hash']
    """

    def __init__(self, file: BinaryIO, table: str, game: Game, *, owns_file: bool = False) -> None:
        self._file = file
        self._owns_file = owns_file
        self._rows = 0
        self._write(header_line(header_of(table, game)))

    @classmethod
    def create(cls, path: Path, table: str, game: Game) -> Self:
        """Begin a new file; refuse one that exists.

        Only its owner may read it: it holds the order of the deck in play.
        """
        try:
            return cls(open(path, "xb", opener=owner_only), table, game, owns_file=True)
        except OSError as error:
            raise BadInput.at(str(path), "file.unwritable", f"cannot be written: {error.strerror}") from None

    def append(self, command: Command, events: Iterable[Event]) -> str:
        """Append a row and return its hash."""
        self._rows += 1
        self._write(row_line(command, events, self.head, self._rows))
        return self.head

    def close(self) -> None:
        """Write the last line; nothing may follow it."""
        self._write(end_line(self._rows, self.head))
        self._file.flush()
        if self._owns_file:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, line: ChainLine) -> None:
        self._file.write(line.body + b"\n")
        self.head = line.hash


class StoredRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a table's stream: one accepted command and its events."""

    command: AnyCommand
    events: tuple[AnyEvent, ...]
    hash: str
    previous: str
    seq: int


class StreamRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of another stream, as plain data."""

    command: dict[str, Any]
    events: tuple[dict[str, Any], ...]
    hash: str
    previous: str
    seq: int


class _LastLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    end: int
    hash: str
    previous: str
    goes_on: bool = False


_HEADER: Final = msgspec.json.Decoder(Header)
_STREAM_HEADER: Final = msgspec.json.Decoder(StreamHeader)
_ROW: Final = msgspec.json.Decoder(StoredRow, dec_hook=dec_hook)
_STREAM_ROW: Final = msgspec.json.Decoder(StreamRow)
_LAST: Final = msgspec.json.Decoder(_LastLine)
R = TypeVar("R", bound=StoredRow | StreamRow)


class ChainReader(Generic[R]):
    """Reads the rows of a stream from its file; each row is checked before the next is read.

    Iterating raises `BrokenHistory` at the first line that does not belong.
    """

    def __init__(self, file: BinaryIO, first: bytes, header: msgspec.Struct, rows: msgspec.json.Decoder[R]) -> None:
        self._file = file
        self._first = (first, header)
        self._decoder: msgspec.json.Decoder[R] = rows
        self._line = 1
        self.head = sha256(first.removesuffix(b"\n"))
        """The hash of the last line read so far."""
        self.rows = 0
        self.goes_on = False
        """The last line marks these as the first rows of a running table."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[R]:
        self.check_header()
        while True:
            line = self._next_line()
            if line.startswith(_END):
                self._read_end(line)
                return
            yield self._read_row(line)

    def check_header(self) -> None:
        """Check that the header is canonical."""
        first, header = self._first
        try:
            canonical = encode(header) + b"\n" == first
        except BadInput:
            canonical = False
        if not canonical:
            raise self._broken("history.canonical", "not canonical JSON")

    def _read_row(self, line: bytes) -> R:
        row = self._decode(self._decoder, line, "a row")
        if row.seq != self.rows + 1:
            raise self._broken("history.seq", "rows are missing or out of order: seq", row.seq, str(self.rows + 1))
        self._link(row.previous, row.hash, sha256(row_without_hash(line, row.previous, row.seq, row.hash)))
        self.rows += 1
        return row

    def _read_end(self, line: bytes) -> None:
        end = self._decode(_LAST, line, "the last line")
        if end.end != self.rows:
            raise self._broken("history.end", "rows are missing: the last line counts", end.end, str(self.rows))
        self._link(end.previous, end.hash, end_line(end.end, end.previous, goes_on=end.goes_on).hash)
        self.goes_on = end.goes_on
        if self._file.read(1):
            self._line += 1
            raise self._broken("history.after", "something stands after the last line")

    def _decode(self, decoder: msgspec.json.Decoder[T], line: bytes, what: str) -> T:
        try:
            return decode_exactly(decoder, line, what)
        except BadInput as bad:
            raise self._broken(bad.problems[0].code, bad.problems[0].what) from None

    def _link(self, previous: str, digest: str, due: str) -> None:
        if previous != self.head:
            raise self._broken("history.chain", "does not follow the line before it", previous, self.head)
        if digest != due:
            raise self._broken("history.chain", "was changed: its hash differs", digest, due)
        self.head = digest

    def _next_line(self) -> bytes:
        """Return the next whole line, without its end."""
        self._line += 1
        line = self._file.readline(LONGEST_LINE)
        if not line:
            raise self._broken("history.cut", "the history ends without its last line")
        if not line.endswith(b"\n"):
            what = "the line is cut short" if len(line) < LONGEST_LINE else "the line is too long"
            raise self._broken("history.cut", what)
        return line[:-1]

    def _broken(self, code: str, what: str, value: str | int | None = None, allowed: str = "") -> BrokenHistory:
        return BrokenHistory(Problem.at(f"line {self._line}", code, what, value, allowed), self._line)


class History(ChainReader[StoredRow]):
    """The history of a table. The header is read at once, and a file without one is refused."""

    def __init__(self, file: BinaryIO, *, name: str = "history") -> None:
        first = file.readline(LONGEST_LINE)
        try:
            self.header = _HEADER.decode(bounded(first))
        except (msgspec.MsgspecError, ValueError) as error:
            raise BadInput.at(f"{name}: line 1", "history.header", f"not a history: {error}") from None
        if self.header.schema != SCHEMA:
            what = f"unknown history schema {self.header.schema}"
            raise BadInput.at(f"{name}: line 1", "history.schema", what, allowed=str(SCHEMA))
        super().__init__(file, first, self.header, _ROW)
        self._checked = False

    def check_header(self) -> None:
        """Check that the header is canonical and holds the game that its hash names."""
        if self._checked:
            return
        super().check_header()
        if sha256(encode_checked(self.header.game)) != self.header.game_hash:
            raise self._broken("history.game_hash", "the game was changed: its hash differs")
        self._checked = True


class Stream(ChainReader[StreamRow]):
    """The stream of a meter, an account or the server itself."""

    def __init__(self, file: BinaryIO, first: bytes, header: StreamHeader) -> None:
        super().__init__(file, first, header, _STREAM_ROW)
        self.header = header

    def _read_row(self, line: bytes) -> StreamRow:
        row = super()._read_row(line)
        try:
            encode(row)  # its data has no types that would exclude floats
        except BadInput as bad:
            raise self._broken(bad.problems[0].code, bad.problems[0].what) from None
        return row


def read_row(body: bytes) -> StoredRow:
    """Return a row of a table's stream, from a store that has checked its chain."""
    return _ROW.decode(bounded(body))


def read_plain_row(body: bytes) -> StreamRow:
    """Return a row of any stream as plain data, from a store that has checked its chain."""
    return _STREAM_ROW.decode(bounded(body))


def read_header(body: bytes) -> Header:
    """Return the first line of a table's stream."""
    return _HEADER.decode(bounded(body))


def read_history(path: Path) -> History:
    """Open the history of a table; refuse any other file. Altered lines are found while it is read."""
    file = _open(path)
    try:
        return History(file, name=str(path))
    except BaseException:
        file.close()
        raise


def read_stream(path: Path) -> Stream | None:
    """Open the file of another stream; None if the first line is not that of a stream."""
    file = _open(path)
    first = file.readline(LONGEST_LINE)
    try:
        return Stream(file, first, _STREAM_HEADER.decode(bounded(first)))
    except (msgspec.MsgspecError, ValueError):
        file.close()
        return None


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput.at(str(path), "file.unreadable", f"cannot be read: {error.strerror}") from None
