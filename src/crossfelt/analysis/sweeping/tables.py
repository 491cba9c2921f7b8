"""Ranked rows as a table for other programs: CSV or Parquet, each exact figure also as a fraction."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

from crossfelt.analysis.sweeping.asked import Asked
from crossfelt.analysis.sweeping.row import Basis, Row
from crossfelt.rulebooks import loading

EXACT: Final = "_exact"
Columns = dict[str, list[Any]]


def columns_of(asked: Asked, rows: Sequence[Row]) -> Columns:
    """By column: rank, number, what was varied, figures as numbers, exact ones a second time as fractions, rules."""
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
    book = loading.from_data(asked.rulebook, where="sweep")
    columns |= {"rulebook": [book.id] * len(rows), "rulebook_hash": [loading.content_hash(book)] * len(rows)}
    return columns | {name: [getattr(row.basis, name) for row in rows] for name in Basis.__struct_fields__}


def _plain(value: Any) -> int | str | bool:
    return json.dumps(value) if isinstance(value, list | tuple) else value


def as_csv(asked: Asked, rows: Sequence[Row]) -> bytes:
    columns = columns_of(asked, rows)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode()


def as_parquet(asked: Asked, rows: Sequence[Row]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    columns = columns_of(asked, rows)
    for title in asked.titles:
        if len({type(value) for value in columns[title]}) > 1:
            columns[title] = list(map(str, columns[title]))
    file = io.BytesIO()
    parquet.write_table(pa.table(columns), file, compression="zstd")
    return file.getvalue()
