"""A stream that is no table's (a meter, an account, the house itself), as a file: whether its chain is whole.

What happened there is not decided again; that every line follows from the one before it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from crossfelt import __version__
from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput, Problem
from crossfelt.proof.hash_chain import encode, end_without_hash, row_without_hash, sha256
from crossfelt.proof.signed_heads import CONSISTENT, INCONSISTENT, Origin
from crossfelt.tabular import Record, Tabular

SCHEMA: Final = 1


class StreamHeader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line."""

    crossfelt: str = __version__
    schema: int = SCHEMA
    stream: str


class ChainReport(Tabular, msgspec.Struct, kw_only=True):
    """The content of a stream's file as far as it was followed, and the verdict."""

    verdict: str = CONSISTENT
    fault: str | None = None
    stream: str
    written_by: str
    checked_by: str = __version__
    head: str = ""
    signed_row: int | None = None
    signed_at: int | None = None
    rows: int = 0

    def headline(self) -> str:
        return f"{self.stream}, {self.rows:,} rows: {self.verdict}" + (f", {self.fault}" if self.fault else "")

    def records(self) -> list[Record]:
        return [{"count": "rows", "value": self.rows}]


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    command: dict[str, Any]
    events: tuple[dict[str, Any], ...]
    hash: str
    previous: str
    seq: int


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    end: int
    hash: str
    previous: str


def read_stream_header(path: Path) -> StreamHeader | None:
    """The header of a stream's file; None where it is something else."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(bounded(file.readline()), type=StreamHeader)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None


def verify_stream(path: Path, header: StreamHeader, origin: Origin | None = None) -> ChainReport:
    """Follows the file of a stream from its first line to its last."""
    report = ChainReport(stream=header.stream, written_by=header.crossfelt)
    try:
        with path.open("rb") as file:
            _follow(file, report, origin)
    except _Broken as broken:
        report.fault = str(broken)
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise BadInput(Problem(code="file.unreadable", what=what, where=str(path))) from None
    if report.fault is None and origin is not None:
        report.verdict, report.fault = origin.verdict(report.rows, report.stream)
        report.signed_row, report.signed_at = origin.signed
    if report.fault is not None:
        report.verdict = INCONSISTENT
    return report


class _Broken(Exception):
    """Ends the search at the first fault."""


def _follow(file: BinaryIO, report: ChainReport, origin: Origin | None) -> None:
    first = _line(file, 1)
    if encode(msgspec.json.decode(first, type=StreamHeader)) != first:
        raise _Broken("line 1: not canonical JSON")
    report.head = sha256(first)
    if origin is not None:
        origin.see(0, report.head)
    while True:
        number = report.rows + 2
        line = _line(file, number)
        if line.startswith(b'{"end":'):
            end = _decoded(line, _End, number)
            if (end.end, end.previous) != (report.rows, report.head) or file.read(1):
                raise _Broken(f"line {number}: rows are missing, or the file continues after its last line")
            _check(line, end.hash, end_without_hash(end.end, end.previous), number)
            return
        row = _decoded(line, _Row, number)
        if (row.seq, row.previous) != (report.rows + 1, report.head):
            raise _Broken(f"line {number}: does not follow the line before it")
        _check(line, row.hash, row_without_hash(line, row.previous, row.seq, row.hash), number)
        report.rows, report.head = row.seq, row.hash
        if origin is not None:
            origin.see(row.seq, row.hash)


def _line(file: BinaryIO, number: int) -> bytes:
    line = file.readline()
    if not line.endswith(b"\n"):
        raise _Broken(f"line {number}: the file ends without its last line")
    return line[:-1]


def _decoded(line: bytes, kind: type[Any], number: int) -> Any:
    try:
        found = msgspec.json.decode(bounded(line), type=kind)
        canonical = encode(found) == line
    except (msgspec.MsgspecError, ValueError):
        canonical = False
    if not canonical:
        raise _Broken(f"line {number}: not a line of a stream")
    return found


def _check(line: bytes, digest: str, body: bytes, number: int) -> None:
    if digest != sha256(body):
        raise _Broken(f"line {number}: was changed: its hash differs")
