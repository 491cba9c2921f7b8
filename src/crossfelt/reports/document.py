"""A report as data: what JSON holds, and HTML and PDF are made from.

A report is a list of sections, a section a list of blocks: text, figures, tables, plots. Every figure and every table
of numbers says what its unit is and how it was found. A value is what a reader sees, with the number behind it and,
where it is exact, the fraction or count in full, so that nothing has to be read back from text.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

SCHEMA = 1
"""Changes when a field goes or means something else; a new field does not change it."""


class _Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What all parts of a report have in common: what says nothing is left out."""


class Value(_Part, frozen=True, kw_only=True):
    """Something a reader sees."""

    text: str
    number: float | None = None
    """The nearest float: a share is a number from 0 to 1, whatever the text says in percent."""
    exact: str = ""
    """A whole number, or a fraction in lowest terms: ``-579091/6689228``."""


class Figure(_Part, frozen=True, kw_only=True):
    """One figure, with everything that it means nothing without."""

    id: str
    label: str
    value: Value
    unit: str
    method: str
    note: str = ""


class Figures(_Part, frozen=True, kw_only=True, tag="figures"):
    """Figures that belong together."""

    id: str
    caption: str
    figures: tuple[Figure, ...]


class Column(_Part, frozen=True, kw_only=True):
    title: str
    unit: str = ""
    """What the numbers of the column are counted or measured in; empty for words."""
    align: Literal["left", "right"] = "right"


class Row(_Part, frozen=True, kw_only=True):
    cells: tuple[Value, ...]
    total: bool = False
    """The sum of the rows above."""


class Table(_Part, frozen=True, kw_only=True, tag="table"):
    """Rows under columns; the first cell of a row is its heading."""

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    method: str = ""
    """How the numbers were found; empty for a table of words."""
    notes: tuple[str, ...] = ()
    long: bool = False
    """Something to look up rather than to read."""


class Text(_Part, frozen=True, kw_only=True, tag="text"):
    paragraphs: tuple[str, ...]
    warning: bool = False


class Code(_Part, frozen=True, kw_only=True, tag="code"):
    """Something to type."""

    caption: str
    text: str


class Series(_Part, frozen=True, kw_only=True):
    name: str
    values: tuple[float | None, ...]
    low: tuple[float, ...] = ()
    """The lower edge of a band whose upper edge are the values."""


class Plot(_Part, frozen=True, kw_only=True, tag="plot"):
    """What a person would rather look at than read; the same numbers stand in a table near by.

    ``columns`` and ``bars`` stand and lie, ``stacked`` bars add up to the whole, ``lines`` and ``bands`` follow a
    number, ``dots`` lie beside the band in which they are expected.
    """

    id: str
    kind: Literal["columns", "bars", "stacked", "lines", "bands", "dots"]
    title: str
    alt: str
    """What it shows, for who cannot see it."""
    across: tuple[str | float, ...]
    """Names, or numbers, that the values belong to."""
    series: tuple[Series, ...]
    across_label: str = ""
    value_label: str = ""


class Cell(_Part, frozen=True, kw_only=True):
    """What to do with one starting hand."""

    hand: str
    best: str
    value: Value
    """What the best choice is worth."""
    choices: dict[str, Value]


class Square(_Part, frozen=True, kw_only=True, tag="square"):
    """The best choice with each starting hand, in the square that players know."""

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
    """Which rules a report is about: whoever has these has everything it was made from."""

    rulebook: str
    title: str
    version: str
    rulebook_hash: str
    game_hash: str
    submission: dict[str, Any]
    """What the operator states, over the defaults of the rulebook."""


class Report(_Part, frozen=True, kw_only=True):
    """A whole report. The same rules, software, seed and rounds give the same report to the last byte."""

    schema: int
    kind: Literal["par", "comparison"]
    title: str
    subtitle: str
    software: str
    command: str
    """What makes it again; ``--out FILE`` is to be added."""
    statement: str
    games: tuple[Identity, ...]
    headline: tuple[Figure, ...]
    sections: tuple[Section, ...]


def as_json(report: Report) -> bytes:
    """The report as a file of JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def from_json(text: bytes) -> Report:
    """The report that a file holds."""
    return msgspec.json.decode(text, type=Report)


def schema() -> bytes:
    """The JSON Schema of a report."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(Report)), indent=2) + b"\n"
