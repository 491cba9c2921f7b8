"""Rows of a sweep in a file: what is done stays done, and parts made elsewhere can be put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from crossfelt.analysis.answers import AnswersFile, Work
from crossfelt.analysis.sweeping.asked import Asked
from crossfelt.analysis.sweeping.row import Row, decode_rows, encode_rows

SWEEP: Final = Work(name="sweep", code="sweep.state", asked=Asked)


class SweepFile(AnswersFile[Asked]):
    """Adds rows to a file as they come."""

    def __init__(self, path: Path, asked: Asked) -> None:
        super().__init__(SWEEP, path, asked)
        self.rows = _rows(path, asked, self.lines)
        """What the file held already."""

    def add_rows(self, rows: list[Row]) -> None:
        self.add(encode_rows(rows))


class Merged(NamedTuple):
    """Parts of one sweep, put together."""

    asked: Asked
    rows: list[Row]
    """Each combination once, in order."""
    again: list[Path]
    """Files that added nothing."""


def read_parts(paths: Sequence[Path]) -> Merged:
    """The rows of several files of one sweep."""
    rows: dict[int, Row] = {}
    again: list[Path] = []
    for part in SWEEP.read_parts(paths):
        before = len(rows)
        found = _rows(part.path, part.asked, part.lines)
        for row in found:
            if rows.setdefault(row.number, row) != row:
                raise SWEEP.bad(part.path, "has another answer than an earlier file", value=row.number)
        if found and len(rows) == before:
            again.append(part.path)
    return Merged(part.asked, [rows[number] for number in sorted(rows)], again)


def _rows(path: Path, asked: Asked, lines: Sequence[bytes]) -> list[Row]:
    try:
        rows = [row for line in lines for row in decode_rows(line)]
    except (msgspec.DecodeError, ValueError, ZeroDivisionError) as error:
        raise SWEEP.bad(path, f"holds no sweep: {error}") from None
    if any(not 0 <= row.number < asked.count for row in rows):
        raise SWEEP.bad(path, "holds combinations that the sweep does not have")
    return rows
