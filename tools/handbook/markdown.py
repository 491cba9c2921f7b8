"""Pieces of Markdown, and the folders of the sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[int] = ()) -> list[str]:
    """Make a table; the columns in `right` hold numbers.

    >>> print(*table(["hand", "pays"], [["flush", "8 | 9"]], right=[1]), sep=chr(10))
    | hand | pays |
    |---|--:|
    | flush | 8 \\| 9 |
    """
    numbers = set(right)
    marks = ("--:" if place in numbers else "---" for place in range(len(head)))
    return [_row(head), f"|{'|'.join(marks)}|", *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def capital(text: str) -> str:
    """
    >>> capital("the round")
    'The round'
    """
    return text[:1].upper() + text[1:]
