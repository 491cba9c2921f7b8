"""A ranking of sets of rules, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from crossfelt.analysis.sweeping.asked import Asked
from crossfelt.analysis.sweeping.row import ALIASES, Row, Value
from crossfelt.cli.output import heading
from crossfelt.rulebooks.typesetting import columns

SHARES: Final = ("house_edge", "hit_rate", "return", "long_run", "placed")
"""Figures that are read as percent, by the last part of their names."""
LONGEST_VALUE: Final = 24
PERMITTED: Final = "–"


def ranking_lines(asked: Asked, rows: Sequence[Row], figures: Sequence[str]) -> Iterator[str]:
    """One line for each set of rules, the first in rank first."""
    if not rows:
        return
    forbidden = any(row.forbidden for row in rows)
    last = ("forbidden_by",) if forbidden else ()
    head = ("rank", *asked.titles, *(figure.removeprefix("house_edge.") for figure in figures), *last)
    told = [head]
    for rank, row in enumerate(rows, start=1):
        values = asked.variant(row.number).values
        cells = [_value(values[title]) for title in asked.titles]
        cells += [shown(figure, row.figure(figure)) for figure in figures]
        told.append((f"{rank:,}", *cells, *((row.forbidden_by or PERMITTED,) if forbidden else ())))
    first, *others = columns(told, right=range(len(head)))
    yield heading(first)
    yield from others


def _value(value: Any) -> str:
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    if isinstance(value, bool):
        text = text.lower()
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def shown(name: str, value: Value) -> str:
    """A figure as people read it.

    >>> shown("edge", 0.0625), shown("volatility", 4.5), shown("bonus_spin.cycle", 680000.0)
    ('6.2500 %', '4.5000', '680,000')
    """
    if value is None:
        return "–"
    parts = ALIASES.get(name, name).split(".")
    number = float(value)
    if parts[0] in ("house_edge", "decisions") or parts[-1] in SHARES:
        return f"{100 * number:.4f} %"
    if parts[-1] in ("break_even_cents", "average_meter_cents", "cycle"):
        return f"{number:,.0f}"
    return f"{number:.4f}" if abs(number) >= 1 else f"{number:.6f}"
