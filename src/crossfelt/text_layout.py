"""Plain text a hundred columns wide: paragraphs and columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

WIDTH: Final = 100


def paragraph(text: str, indent: int = 0, hanging: int = 0, first: str = "") -> list[str]:
    """Wrap text to the width, with `first` in the margin of the first line.

    >>> paragraph("spread face up", indent=8, first="  deck")
    ['  deck  spread face up']
    """
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"{first:<{indent}}",
        subsequent_indent=" " * (indent + hanging),
        break_on_hyphens=False,
        break_long_words=False,
    )
    return lines or [first.rstrip()]


def columns(rows: Iterable[Sequence[str]], indent: int = 0, right: Iterable[int] = ()) -> list[str]:
    """Align rows of cells; the columns named in `right` are flush right.

    >>> columns([("flush", "8 to 1"), ("royal flush", "500 to 1")], right=[1])
    ['flush          8 to 1', 'royal flush  500 to 1']
    """
    cells = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    flush_right = set(right)
    return [
        (" " * indent + "  ".join(_cell(text, width, place in flush_right) for place, (text, width) in row)).rstrip()
        for row in (enumerate(zip(line, widths, strict=True)) for line in cells)
    ]


def _cell(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else text.ljust(width)
