"""Results at a prompt or in a notebook: one line, a small HTML table, a data frame, JSON."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_HTML_ROWS: Final = 60
"""The most rows of an HTML table; the rest is omitted."""

Record = Mapping[str, Any]
"""One row of a table: values by column."""


class Tabular:
    """Base of results: `headline` and `records` provide the repr, the HTML table, the data frame and the JSON.

    >>> class Coin(Tabular):
    ...     def headline(self) -> str:
    ...         return "fair"
    ...     def records(self) -> list[Record]:
    ...         return [{"side": "heads", "probability": Fraction(1, 2)}, {"side": "tails", "probability": 0.5}]
    >>> Coin()
    <Coin: fair>
    >>> print(Coin()._repr_html_())
    <table><caption>fair</caption><thead><tr><th>side</th><th>probability</th></tr></thead><tbody>\
<tr><td>heads</td><td>0.5</td></tr><tr><td>tails</td><td>0.5</td></tr></tbody></table>
    """

    __slots__ = ()

    def headline(self) -> str:
        """Summarise the result in one line."""
        raise NotImplementedError

    def records(self) -> Iterable[Record]:
        """Return the rows of the table that `to_frame` and a notebook show."""
        raise NotImplementedError

    def html_records(self) -> Iterable[Record]:
        """Return the rows that a notebook shows, if fewer than `to_frame` has."""
        return self.records()

    def as_data(self) -> Any:
        """Return the whole result as plain data."""
        return msgspec.to_builtins(self, enc_hook=str)

    def to_json(self) -> str:
        """Encode the whole result as JSON."""
        return msgspec.json.encode(self.as_data(), enc_hook=str).decode()

    def to_frame(self) -> DataFrame:
        """Make a pandas data frame of the records; pandas is not installed with Crossfelt."""
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise ImportError("to_frame() needs pandas: pip install pandas") from error
        rows = [{name: _number(value) for name, value in record.items()} for record in self.records()]
        return DataFrame(rows)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline()}>"

    def _repr_html_(self) -> str:
        rows = [dict(record) for record in self.html_records()]
        names = list(dict.fromkeys(name for row in rows for name in row))
        shown = [[_cell(row.get(name)) for name in names] for row in rows[:MOST_HTML_ROWS]]
        if len(rows) > MOST_HTML_ROWS:
            shown.append([f"… {len(rows) - MOST_HTML_ROWS:,} more rows", *[""] * (len(names) - 1)])
        body = "".join(_row("td", cells) for cells in shown)
        caption = html.escape(self.headline())
        return f"<table><caption>{caption}</caption><thead>{_row('th', names)}</thead><tbody>{body}</tbody></table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def _cell(value: Any) -> str:
    """
    >>> _cell(Fraction(1, 3)), _cell(1_000_000), _cell(None), _cell(True)
    ('0.333333', '1,000,000', '', 'yes')
    """
    match _number(value):
        case None:
            return ""
        case bool(truth):
            return "yes" if truth else "no"
        case int(whole):
            return f"{whole:,}"
        case float(real):
            return f"{real:.6g}"
        case other:
            return str(other)
