"""Rows of a sweep in a file: what is done stays done, and parts made elsewhere can be put together."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import msgspec

from crossfelt.analysis.sweeping.asked import Asked
from crossfelt.analysis.sweeping.row import Row, decode_rows, encode_rows
from crossfelt.files import replace_file
from crossfelt.problems import BadInput, Problem

KIND: Final = "crossfelt sweep"


class _Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: the whole question. Every other line is a list of rows."""

    file: str
    asked: Asked


class SweepFile:
    """Adds rows to a file as they come; a line that an interruption cut off is written again."""

    def __init__(self, path: Path, asked: Asked) -> None:
        self._path = path
        self.rows: list[Row] = []
        """What the file held already."""
        if not path.exists() or not path.stat().st_size:
            _begin(path, asked)
        kept, self.rows, whole = _read(path)
        if kept != asked:
            what, allowed = "is of another sweep", "the same rules and values, or another file"
            raise BadInput(Problem(code="sweep.state", where=str(path), what=what, allowed=allowed))
        self._file = path.open("r+b")
        self._file.truncate(whole)
        self._file.seek(whole)

    def add(self, rows: list[Row]) -> None:
        self._file.write(encode_rows(rows) + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


def _begin(path: Path, asked: Asked) -> None:
    """A file that says what it is of, at once: its first line is never half written."""
    replace_file(path, msgspec.json.encode(_Header(file=KIND, asked=asked)) + b"\n")


def read_parts(paths: Iterable[Path]) -> tuple[Asked, list[Row]]:
    """The rows of several files of one sweep, each combination once."""
    asked: Asked | None = None
    rows: dict[int, Row] = {}
    for path in paths:
        found, more, _ = _read(path)
        if asked is not None and found != asked:
            what, allowed = "is of another sweep than the first file", "parts of one sweep"
            raise BadInput(Problem(code="sweep.state", where=str(path), what=what, allowed=allowed))
        asked = found
        for row in more:
            if rows.setdefault(row.number, row) != row:
                what = "has another answer than an earlier file"
                raise BadInput(Problem(code="sweep.state", where=str(path), what=what, value=row.number))
    assert asked is not None
    return asked, [rows[number] for number in sorted(rows)]


def is_sweep(start: bytes) -> bool:
    """Whether a file that begins so holds rows of a sweep."""
    return start.startswith(f'{{"file":"{KIND}"'.encode())


def _read(path: Path) -> tuple[Asked, list[Row], int]:
    """The question, the rows, and how many bytes are whole lines."""
    try:
        data = path.read_bytes()
        whole = data.rfind(b"\n") + 1
        first, *lines = data[:whole].splitlines() or [b""]
        header = msgspec.json.decode(first, type=_Header)
        rows = [row for line in lines for row in decode_rows(line)]
    except (OSError, msgspec.DecodeError, ValueError, ZeroDivisionError) as error:
        raise _no_sweep(path, error) from None
    if header.file != KIND or any(not 0 <= row.number < header.asked.count for row in rows):
        raise _no_sweep(path, "not written by a sweep")
    return header.asked, rows, whole


def _no_sweep(path: Path, why: Any) -> BadInput:
    return BadInput(Problem(code="sweep.state", where=str(path), what=f"holds no sweep: {why}"))
