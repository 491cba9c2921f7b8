"""Which answers are wanted: bounds on figures, as a person types them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

import msgspec

from crossfelt.analysis.sweeping.row import Row
from crossfelt.problems import BadInput, Problem

_FIGURE: Final = r"(?P<figure>[a-z][a-z0-9_.\-]*?)"
_NUMBER: Final = r"[-+]?[\d_]+(?:\.\d+|/\d+)?\s*%?"
_BETWEEN: Final = re.compile(
    rf"{_FIGURE}(?:\s+between\s+|\s*=\s*|\s+)(?P<low>{_NUMBER})\s*(?:and|\.\.|…|to)\s*(?P<high>{_NUMBER})"
)
_AGAINST: Final = re.compile(
    rf"{_FIGURE}\s*(?P<sign><=|>=|≤|≥|<|>|=|below|under|above|over|at\s+most|at\s+least)\s*(?P<number>{_NUMBER})"
)
_BELOW: Final = ("<", "below", "under")
_ABOVE: Final = (">", "above", "over")
_AT_MOST: Final = ("<=", "≤", "at most", "=")
_AT_LEAST: Final = (">=", "≥", "at least", "=")
ALLOWED: Final = '"edge between 3% and 5%", "volatility below 6", "hit_rate >= 0.4"'


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """A figure and the least and most it may be."""

    figure: str
    low: Fraction | None = None
    high: Fraction | None = None
    strict: bool = False
    """Whether the bounds themselves are outside."""

    def holds(self, row: Row) -> bool:
        value = row.figure(self.figure)
        if value is None:
            return False
        if self.strict:
            return (self.low is None or value > self.low) and (self.high is None or value < self.high)
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def read_bounds(text: str) -> list[Bound]:
    """One or several bounds, with "with" between them.

    >>> edge, volatility = read_bounds("edge between 3 % and 5 % with volatility below 6")
    >>> edge.low, edge.high, volatility.high, volatility.strict
    (Fraction(3, 100), Fraction(1, 20), Fraction(6, 1), True)
    """
    return [_bound(part) for part in re.split(r"\s+with\s+|\s*;\s*", text.strip())]


def _bound(text: str) -> Bound:
    if found := _BETWEEN.fullmatch(text):
        low, high = found["low"], found["high"]
        if high.endswith("%") and not low.endswith("%"):
            low += "%"
        bound = Bound(figure=found["figure"], low=_number(low, text), high=_number(high, text))
        assert bound.low is not None
        assert bound.high is not None
        if bound.low > bound.high:
            raise _bad(text, "the smaller bound comes second")
        return bound
    found = _AGAINST.fullmatch(text)
    if not found:
        raise _bad(text, "no figure with a bound")
    number, sign = _number(found["number"], text), " ".join(found["sign"].split())
    return Bound(
        figure=found["figure"],
        low=number if sign in (*_ABOVE, *_AT_LEAST) else None,
        high=number if sign in (*_BELOW, *_AT_MOST) else None,
        strict=sign in (*_BELOW, *_ABOVE),
    )


def _number(written: str, text: str) -> Fraction:
    """Percent are hundredths."""
    plain = written.rstrip("%").strip()
    try:
        return Fraction(plain) / (100 if written.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise _bad(text, "no number") from None


def _bad(text: str, what: str) -> BadInput:
    return BadInput(Problem(code="sweep.where", where="where", what=what, value=text, allowed=ALLOWED))
