"""Format numbers for a report, each with its exact value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeVar

from crossfelt.analysis.estimates import Interval
from crossfelt.money import dollars
from crossfelt.reports.document import Column, Row, Table, Value

T = TypeVar("T")
SIGNIFICANT: Final = 10
"""Digits of an estimated number; further digits differ between processors."""
MINUS: Final = "\N{MINUS SIGN}"
SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
NONE: Final = Value(text="\N{EN DASH}")
EMPTY: Final = Value(text="")


def share(value: Fraction | int, digits: int = 4) -> Value:
    """Format a fraction in percent.

    >>> share(Fraction(-1, 8)).text, share(Fraction(1, 3)).exact, share(Fraction(1, 30_000_000)).text
    ('−12.5000 %', '1/3', '3.3 × 10⁻⁶ %')
    """
    text = f"{float(100 * value):.{digits}f} %"
    if value and not text.strip("-0. %"):
        text = scientific(float(100 * value)) + " %"
    return Value(text=_signed(text), number=float(value), exact=str(value))


def number(value: Fraction | int, digits: int = 6, *, plus: bool = False) -> Value:
    """Format an amount.

    >>> number(Fraction(-1, 8), 3).text, number(Fraction(1, 3), 4, plus=True).text
    ('−0.125', '+0.3333')
    """
    text = f"{float(value):+,.{digits}f}" if plus else f"{float(value):,.{digits}f}"
    return Value(text=_signed(text), number=float(value), exact=str(value))


def points(change: Fraction) -> Value:
    """Format a change in percentage points.

    >>> points(Fraction(-1, 800)).text, points(Fraction(1, 40_000_000)).text
    ('−0.1250', '+2.5 × 10⁻⁶')
    """
    text = f"{float(100 * change):+.4f}"
    if change and not text.strip("+-0."):
        text = ("+" if change > 0 else "") + scientific(float(100 * change))
    return Value(text=_signed(text), number=float(change), exact=str(change))


def net(value: Fraction) -> Value:
    """Format a net result with as few digits as possible.

    >>> [net(Fraction(each)).text for each in ("-5", "0", "3/2", "1999")]
    ['−5', '0', '+1.5', '+1,999']
    """
    text = f"{float(value):+,.4f}".rstrip("0").rstrip(".") if value else "0"
    return Value(text=_signed(text), number=float(value), exact=str(value))


def count(value: int) -> Value:
    """
    >>> count(84_284_272_800).text
    '84,284,272,800'
    """
    return Value(text=f"{value:,}", number=float(value), exact=str(value))


def one_in(chance: Fraction) -> Value:
    """Format a probability as "one in N".

    >>> one_in(Fraction(3, 200)).text, one_in(Fraction(0)).text
    ('66.7', '–')
    """
    if not chance:
        return NONE
    times = 1 / chance
    digits = 1 if times < 1000 else 0
    return Value(text=f"{float(times):,.{digits}f}", number=float(times), exact=str(times))


def measured(value: float, digits: int = 4, *, plus: bool = False) -> Value:
    """Format an estimated number.

    >>> measured(9.603715460626393).text, measured(9.603715460626393).number
    ('9.6037', 9.603715461)
    """
    text = f"{value:+,.{digits}f}" if plus else f"{value:,.{digits}f}"
    return Value(text=_signed(text), number=_rounded(value))


def measured_share(value: float, digits: int = 4) -> Value:
    """Format an estimated fraction in percent."""
    return Value(text=_signed(f"{100 * value:.{digits}f} %"), number=_rounded(value))


def estimated(found: Interval, digits: int = 4, *, unit: float = 1.0) -> Value:
    """Format an estimate with its interval, in units of another size.

    >>> estimated(Interval(value=1500, low=1400, high=1600), 1, unit=1000).text
    '1.5 ± 0.1'
    """
    return _between(found, lambda number: measured(number / unit, digits).text, unit)


def estimated_share(found: Interval, digits: int | None = None) -> Value:
    """Format an estimated fraction in percent with its interval, by default to the second digit of the interval."""
    places = found.short_digits if digits is None else digits
    return _between(found, lambda number: measured_share(number, places).text)


def _between(found: Interval, form: Callable[[float], str], unit: float = 1.0) -> Value:
    if not found.is_bounded:
        return NONE
    number, low, high = (_rounded(each / unit) for each in (found.value, found.low, found.high))
    return Value(text=found.text(form), number=number, low=low, high=high)


def money(cents: int | Fraction) -> Value:
    """
    >>> money(551_000).text, money(Fraction(1001, 2)).text
    ('$5,510', '$5.00')
    """
    text = dollars(int(cents)) if Fraction(cents).denominator == 1 else f"${float(cents) / 100:,.2f}"
    return Value(text=_signed(text), number=float(cents) / 100, exact=str(Fraction(cents) / 100))


def words(text: str) -> Value:
    return Value(text=text)


def left(title: str) -> Column:
    """Make a column of words."""
    return Column(title=title, align="left")


def right(title: str, unit: str = "") -> Column:
    """Make a column of numbers."""
    return Column(title=title, unit=unit)


def row(*cells: Value | str, total: bool = False) -> Row:
    return Row(cells=tuple(words(cell) if isinstance(cell, str) else cell for cell in cells), total=total)


def rows(cells: Iterable[Iterable[Value | str]]) -> tuple[Row, ...]:
    return tuple(row(*each) for each in cells)


def listing(
    name: str,
    caption: str,
    titles: Iterable[str],
    cells: Iterable[Iterable[Value | str]],
    *,
    notes: Iterable[str] = (),
    long: bool = False,
) -> Table:
    """Make a table of words."""
    columns = tuple(map(left, titles))
    return Table(id=name, caption=caption, columns=columns, rows=rows(cells), notes=tuple(notes), long=long)


def table(
    name: str,
    caption: str,
    items: Iterable[T],
    columns: Mapping[Column, Callable[[T], Value | str]],
    *,
    total: Sequence[Value | str] = (),
    method: str = "",
    notes: Iterable[str] = (),
    long: bool = False,
) -> Table:
    """Make a table with a row for each item; a column has a function that returns its cell.

    >>> squares = table("squares", "Squares", [2, 3], {left("Number"): str, right("Square"): lambda it: count(it * it)})
    >>> [[cell.text for cell in row.cells] for row in squares.rows]
    [['2', '4'], ['3', '9']]
    """
    body = [row(*(cell(item) for cell in columns.values())) for item in items]
    body += [row(*total, total=True)] if total else []
    return Table(
        id=name.replace("_", "-"),
        caption=caption,
        columns=tuple(columns),
        rows=tuple(body),
        method=method,
        notes=tuple(notes),
        long=long,
    )


def _signed(text: str) -> str:
    """Use the typographic minus sign; zero has no sign."""
    bare = text.lstrip("+-$").rstrip(" %")
    if not bare.strip("0.,"):
        return text.lstrip("+-")
    return text.replace("-", MINUS)


def scientific(value: float) -> str:
    """Format a number too small for its column.

    >>> scientific(3.09e-7)
    '3.1 × 10⁻⁷'
    """
    digits, _, power = f"{value:.1e}".partition("e")
    return f"{digits} × 10{str(int(power)).translate(SUPERSCRIPTS)}"


def _rounded(value: float) -> float:
    return float(f"{value:.{SIGNIFICANT}g}")
