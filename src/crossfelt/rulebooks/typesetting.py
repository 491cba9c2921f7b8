"""Plain text a hundred columns wide: paragraphs, columns, citations."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from crossfelt.rulebooks.facts import Basis, Citation

WIDTH: Final = 100


def paragraph(text: str, indent: int = 0, hanging: int = 0, first: str = "") -> list[str]:
    """Text wrapped to the width; `first` stands in the margin of the first line.

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
    """Rows of cells under each other; the columns named in `right` are flush right.

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


def cite(clauses: Sequence[Citation]) -> str:
    """Clauses with their places in the document, what they have in common said once.

    >>> cite([Citation("NJC-18", "N.J.A.C. 13:69F-40.4(b)"), Citation("NJC-24", "N.J.A.C. 13:69F-40.5(e)")])
    'NJC-18, NJC-24: N.J.A.C. 13:69F-40.4(b); 40.5(e)'
    """
    if not clauses:
        return ""
    places = list(dict.fromkeys(clause.citation for clause in clauses))
    shared = _shared_start(places)
    cut = max(shared.rfind(" "), shared.rfind("-")) + 1
    shown = "; ".join([places[0], *(place[cut:] for place in places[1:])])
    return f"{', '.join(clause.id for clause in clauses)}: {shown}"


def _shared_start(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)
    alike = (place for place, (x, y) in enumerate(zip(first, last, strict=False)) if x != y)
    return first[: next(alike, 0)]


def brackets(basis: Basis) -> str:
    """Clauses and readings by their ids, and what else a datum rests on, after the datum.

    >>> brackets(Basis(clauses=(Citation("MDC-16", "ch. 6"),), readings=("AMB-11",), silent=True))
    '  [MDC-16, AMB-11; the document is silent]'
    """
    ids = ", ".join([*(clause.id for clause in basis.clauses), *basis.readings])
    parts = [ids] if ids else []
    if basis.silent:
        parts.append("the document is silent")
    if basis.house_rule:
        parts.append(f"HOUSE RULE: {basis.house_rule}")
    if basis.illustrative:
        parts.append("ILLUSTRATIVE")
    return f"  [{'; '.join(parts)}]" if parts else ""
