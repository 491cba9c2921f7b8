"""Files of a sweep: checkpoints that resume and merge, and export as CSV or Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt.analysis.checkpoint import CheckpointFile, CheckpointKind
from crossfelt.analysis.sweep.grid import FigureBasis, SweepGrid, VariantResult, decode_rows, encode_rows
from crossfelt.rulebooks import loader

SWEEP: Final = CheckpointKind(name="sweep", code="sweep.state", asked=SweepGrid)


class SweepFile(CheckpointFile[SweepGrid]):
    """A checkpoint file of rows."""

    def __init__(self, path: Path, asked: SweepGrid) -> None:
        super().__init__(SWEEP, path, asked)
        self.rows = _rows(path, asked, self.lines)
        """Rows that the file held at the start."""

    def add_rows(self, rows: list[VariantResult]) -> None:
        self.add(encode_rows(rows))


class MergedSweep(NamedTuple):
    """Merged parts of one sweep."""

    asked: SweepGrid
    rows: list[VariantResult]
    """Rows without duplicates, by number."""
    again: list[Path]
    """Files that added nothing."""


def read_parts(paths: Sequence[Path]) -> MergedSweep:
    """Merge several files of one sweep; refuse contradictory rows."""
    rows: dict[int, VariantResult] = {}
    again: list[Path] = []
    for part in SWEEP.read_parts(paths):
        before = len(rows)
        found = _rows(part.path, part.asked, part.lines)
        for row in found:
            if rows.setdefault(row.number, row) != row:
                raise SWEEP.bad(part.path, "contradicts an earlier file", value=row.number)
        if found and len(rows) == before:
            again.append(part.path)
    return MergedSweep(part.asked, [rows[number] for number in sorted(rows)], again)


def _rows(path: Path, asked: SweepGrid, lines: Sequence[bytes]) -> list[VariantResult]:
    try:
        rows = [row for line in lines for row in decode_rows(line)]
    except (msgspec.DecodeError, ValueError, ZeroDivisionError) as error:
        raise SWEEP.bad(path, f"not a sweep file: {error}") from None
    if any(not 0 <= row.number < asked.count for row in rows):
        raise SWEEP.bad(path, "has combinations that the sweep does not have")
    return rows


# --- export ---

EXACT: Final = "_exact"
Columns = dict[str, list[Any]]


def columns_of(asked: SweepGrid, rows: Sequence[VariantResult]) -> Columns:
    """Return the columns: rank, number, varied values, figures as floats and exact fractions, rules."""
    columns: Columns = {"rank": list(range(1, len(rows) + 1)), "number": [row.number for row in rows]}
    values = [asked.variant(row.number).values for row in rows]
    for title in asked.titles:
        columns[title] = [_plain(of_row[title]) for of_row in values]
    columns["permitted"] = [not row.forbidden for row in rows]
    columns["forbidden_by"] = [row.forbidden_by for row in rows]
    for name in dict.fromkeys(name for row in rows for name in row.figures):
        found = [row.figures.get(name) for row in rows]
        columns[name] = [None if value is None else float(value) for value in found]
        if any(isinstance(value, Fraction) for value in found):
            columns[name + EXACT] = [None if value is None else str(value) for value in found]
    book = loader.from_data(asked.rulebook, where="sweep")
    columns |= {"rulebook": [book.id] * len(rows), "rulebook_hash": [loader.content_hash(book)] * len(rows)}
    return columns | {name: [getattr(row.basis, name) for row in rows] for name in FigureBasis.__struct_fields__}


def _plain(value: Any) -> int | str | bool:
    return json.dumps(value) if isinstance(value, list | tuple) else value


def as_csv(asked: SweepGrid, rows: Sequence[VariantResult]) -> bytes:
    columns = columns_of(asked, rows)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode()


def as_parquet(asked: SweepGrid, rows: Sequence[VariantResult]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    columns = columns_of(asked, rows)
    for title in asked.titles:
        if len({type(value) for value in columns[title]}) > 1:
            columns[title] = list(map(str, columns[title]))
    file = io.BytesIO()
    parquet.write_table(pa.table(columns), file, compression="zstd")
    return file.getvalue()
