"""A report as data: the JSON format, from which HTML and PDF are rendered.

A report is a list of sections, a section a list of blocks: text, figures, tables, plots. Every figure and every table
of numbers states its unit and method. A value has the printed text, the number behind it and, if it is exact, the
whole fraction or count, so that programs need not parse the text.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

ROUNDS = 2_000_000
SEED = "0"
"""The verifying simulation, unless the user asks for another."""
SCHEMA = 1
"""Version of the format; it changes when a field is removed or changes its meaning, not when a field is added."""


class _Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The base of all parts; JSON omits fields that have their default value."""


class Value(_Part, frozen=True, kw_only=True):
    """A printed value."""

    text: str
    number: float | None = None
    """The nearest float; a percentage is a number from 0 to 1."""
    exact: str = ""
    """A whole number, or a fraction in lowest terms: ``-579091/6689228``."""
    low: float | None = None
    """Bounds of the confidence interval of a sampled number, at 95 % confidence."""
    high: float | None = None


class Figure(_Part, frozen=True, kw_only=True):
    """One figure with its unit and method."""

    id: str
    label: str
    value: Value
    unit: str
    method: str
    note: str = ""


class Figures(_Part, frozen=True, kw_only=True, tag="figures"):
    """A group of figures under one caption."""

    id: str
    caption: str
    figures: tuple[Figure, ...]


class Column(_Part, frozen=True, kw_only=True):
    title: str
    unit: str = ""
    """Unit of the numbers; empty for a column of words."""
    align: Literal["left", "right"] = "right"


class Row(_Part, frozen=True, kw_only=True):
    cells: tuple[Value, ...]
    total: bool = False
    """True if the row is the sum of the rows above."""


class Table(_Part, frozen=True, kw_only=True, tag="table"):
    """Rows under columns; the first cell of a row is its heading."""

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    method: str = ""
    """Method of the numbers; empty for a table of words."""
    notes: tuple[str, ...] = ()
    long: bool = False
    """True if the table is for reference; a page lets the reader collapse it."""


class Text(_Part, frozen=True, kw_only=True, tag="text"):
    paragraphs: tuple[str, ...]
    warning: bool = False


class Code(_Part, frozen=True, kw_only=True, tag="code"):
    """A command line."""

    caption: str
    text: str


class Series(_Part, frozen=True, kw_only=True):
    name: str
    values: tuple[float | None, ...]
    low: tuple[float, ...] = ()
    """Lower edge of a band; ``values`` is the upper edge."""


class Plot(_Part, frozen=True, kw_only=True, tag="plot"):
    """A plot; a table near it has the same numbers.

    ``columns`` are vertical and ``bars`` horizontal; ``stacked`` bars add up to 100 %; ``lines`` and ``bands`` are
    functions of a number; ``dots`` are drawn on the band in which they are expected.
    """

    id: str
    kind: Literal["columns", "bars", "stacked", "lines", "bands", "dots"]
    title: str
    alt: str
    """Text alternative for screen readers."""
    across: tuple[str | float, ...]
    """Names or numbers of the points."""
    series: tuple[Series, ...]
    across_label: str = ""
    value_label: str = ""


class Cell(_Part, frozen=True, kw_only=True):
    """The best choice with one starting hand."""

    hand: str
    best: str
    value: Value
    """Value of the best choice."""
    choices: dict[str, Value]


class Square(_Part, frozen=True, kw_only=True, tag="square"):
    """The best choice with each starting hand, as a square of ranks."""

    id: str
    caption: str
    unit: str
    method: str
    ranks: tuple[str, ...]
    cells: tuple[Cell, ...]
    """Row by row."""
    notes: tuple[str, ...] = ()


Block = Figures | Table | Text | Code | Plot | Square


class Section(_Part, frozen=True, kw_only=True):
    id: str
    title: str
    blocks: tuple[Block, ...]


class Identity(_Part, frozen=True, kw_only=True):
    """The rules of a report; they determine all its contents."""

    rulebook: str
    title: str
    version: str
    rulebook_hash: str
    game_hash: str
    submission: dict[str, Any]
    """Values that the operator states instead of the rulebook's defaults."""


class Report(_Part, frozen=True, kw_only=True):
    """A whole report; the same rules, software, seed and rounds give the same bytes."""

    schema: int
    kind: Literal["par", "comparison"]
    title: str
    subtitle: str
    software: str
    command: str
    """Command that reproduces the report, without ``--out FILE``."""
    statement: str
    games: tuple[Identity, ...]
    headline: tuple[Figure, ...]
    sections: tuple[Section, ...]


def as_json(report: Report) -> bytes:
    """Encode a report as a JSON file."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def from_json(text: bytes) -> Report:
    """Decode a report from a JSON file."""
    return msgspec.json.decode(text, type=Report)


def schema() -> bytes:
    """Return the JSON Schema of a report."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(Report)), indent=2) + b"\n"
