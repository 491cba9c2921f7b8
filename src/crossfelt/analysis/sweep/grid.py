"""The grid of a sweep: axes with their values, combinations by number, and the figures of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import prod
from typing import Any, Final, Literal, NamedTuple

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.analysis.solution import OPTIMAL, exact
from crossfelt.errors import Problem, require_none

Kind = Literal["choice", "slice", "pay", "strategy", "known", "ante", "meter", "others"]
ORDER: Final[tuple[Kind, ...]] = ("choice", "slice", "pay", "strategy", "known", "ante", "meter", "others")
"""Slowest changes first, so that neighbouring combinations share the most work; axes that affect only wheels and meters
come last."""
MOST_VARIANTS: Final = 250_000
"""Limit of combinations, about a gigabyte of fractions."""
SLICE: Final = re.compile(r"(.+)\[(\d+)\]", re.ASCII)


class Axis(msgspec.Struct, frozen=True, kw_only=True):
    """One varied quantity and its values."""

    kind: Kind
    name: str
    """Path of a choice or setting in a submission, a slice as ``PATH[PLACE]``, a pay line or a meter."""
    values: tuple[Any, ...]

    @property
    def title(self) -> str:
        return f"meter.{self.name}" if self.kind == "meter" else self.name

    @property
    def aside(self) -> bool:
        """True if the axis affects only spins and meters, so that the solution stays the same."""
        wheel = self.name.startswith("meters.") or self.name.endswith("weights")
        return self.kind in ("slice", "meter", "others") or (self.kind == "choice" and wheel)

    @property
    def chooses(self) -> bool:
        """True if the values are games, strategies or known cards, so that the names of figures may differ."""
        return self.kind in ("choice", "strategy", "known") and not self.aside


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """A named submission of an operator."""

    name: str = ""
    stated: dict[str, Any] = msgspec.field(default_factory=dict)


class Variant(NamedTuple):
    """One combination of values."""

    number: int
    submission: Submission
    by_axis: tuple[tuple[Axis, Any], ...]
    places: tuple[int, ...]
    """Index of the submission, and of the value on each axis."""

    def key(self, counts: Callable[[Axis], bool]) -> tuple[int, ...]:
        """Return a cache key of the axes that count."""
        first, *rest = self.places
        return first, *(at for (axis, _), at in zip(self.by_axis, rest, strict=True) if counts(axis))

    def of(self, kind: Kind) -> dict[str, Any]:
        return {axis.name: value for axis, value in self.by_axis if axis.kind == kind}

    def one(self, kind: Kind, otherwise: Any) -> Any:
        return next((value for axis, value in self.by_axis if axis.kind == kind), otherwise)

    @property
    def strategy(self) -> str:
        return str(self.one("strategy", OPTIMAL))

    @property
    def values(self) -> dict[str, Any]:
        """The varied values by title."""
        named = {"submission": self.submission.name} if self.submission.name else {}
        return named | {axis.title: value for axis, value in self.by_axis}


class SweepGrid(msgspec.Struct, frozen=True, kw_only=True):
    """A complete sweep; any worker can compute any part of it."""

    rulebook: dict[str, Any]
    """Data of the rulebook, so that another machine needs no file."""
    submissions: tuple[Submission, ...] = (Submission(),)
    axes: tuple[Axis, ...] = ()
    by_wager: bool = False
    """True to compute the figures of each wager, which take longest."""

    @classmethod
    def of(cls, rulebook: Mapping[str, Any], submissions: tuple[Submission, ...], axes: tuple[Axis, ...]) -> SweepGrid:
        """Make a grid with sorted axes; the JSON round trip gives the values that workers see."""
        inside = sorted(axes, key=lambda axis: (axis.aside, ORDER.index(axis.kind)))
        asked = cls(rulebook=dict(rulebook), submissions=submissions, axes=tuple(inside))
        return msgspec.json.decode(msgspec.json.encode(asked), type=cls)

    @property
    def count(self) -> int:
        return len(self.submissions) * prod(len(axis.values) for axis in self.axes)

    @property
    def alike(self) -> int:
        """Number of neighbouring combinations with the same solution."""
        return prod(len(axis.values) for axis in self.axes if axis.aside)

    @property
    def games(self) -> int:
        """The number of different games. Games that differ only in odds count once."""
        return len(self.submissions) * prod(len(axis.values) for axis in self.axes if axis.chooses)

    @property
    def titles(self) -> tuple[str, ...]:
        named = ("submission",) if len(self.submissions) > 1 else ()
        return named + tuple(axis.title for axis in self.axes)

    def variant(self, number: int) -> Variant:
        """Return a combination by its number; the last axis changes fastest.

        >>> flush = Axis(kind="pay", name="bets.flush", values=(6, 7))
        >>> others = Axis(kind="others", name="others", values=(0, 1))
        >>> [SweepGrid(rulebook={}, axes=(flush, others)).variant(number).values for number in (1, 2)]
        [{'bets.flush': 6, 'others': 1}, {'bets.flush': 7, 'others': 0}]
        """
        rest, places = number, []
        for axis in reversed(self.axes):
            rest, place = divmod(rest, len(axis.values))
            places.append(place)
        places.reverse()
        chosen = tuple((axis, axis.values[place]) for axis, place in zip(self.axes, places, strict=True))
        return Variant(number, self.submissions[rest], chosen, (rest, *places))

    def singly(self) -> Iterator[int]:
        """Yield the first combination, and those that differ from it in one submission, choice, strategy or known card.

        >>> flush = Axis(kind="pay", name="bets.flush", values=(6, 7, 8))
        >>> offered = Axis(kind="choice", name="wagers.three_card.offered", values=(True, False))
        >>> list(SweepGrid(rulebook={}, axes=(offered, flush)).singly())
        [0, 3]
        """
        yield 0
        step = self.count // len(self.submissions)
        yield from (step * place for place in range(1, len(self.submissions)))
        for axis in self.axes:
            step //= len(axis.values)
            if axis.chooses:
                yield from (step * place for place in range(1, len(axis.values)))

    def _problems(self) -> Iterator[Problem]:
        """Yield problems: no variation, too many combinations, repeated values."""
        if self.count < 2:
            what, allowed = "nothing is varied", "several values, for example --pay bets.flush=6,7,8"
            yield Problem.at("sweep", "sweep.axes", what, allowed=allowed)
        if self.count > MOST_VARIANTS:
            what, allowed = "too many combinations for one sweep", f"at most {MOST_VARIANTS:,}"
            yield Problem.at("sweep", "sweep.axes", what, self.count, allowed)
        titles = self.titles
        for title in dict.fromkeys(title for title in titles if titles.count(title) > 1):
            yield Problem.at(title, "sweep.axes", "varied more than once")
        for axis in self.axes:
            twice = [value for place, value in enumerate(axis.values) if value in axis.values[:place]]
            if twice or not axis.values:
                what = "a value is repeated" if twice else "no values"
                yield Problem.at(axis.title, "sweep.values", what, str(twice[0]) if twice else None)

    def require(self) -> None:
        """Raise BadInput with all problems."""
        require_none(self._problems())


# --- one answer: figures by name, exact where they can be ---

Value = Fraction | float | None
"""An exact fraction, a float for a root or estimate, or None if the figure does not exist."""

ALIASES: Final[Mapping[str, str]] = {
    "edge": "house_edge.per_initial_wagers",
    "volatility": "standard_deviation",
}
"""Short names for the command line."""


class FigureBasis(msgspec.Struct, frozen=True, kw_only=True):
    """Method, unit and strategy of the figures of a solution."""

    method: str = ""
    unit: str = ""
    strategy: str = ""
    tie_rule: str = ""


class VariantResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of one combination."""

    number: int
    figures: dict[str, Fraction | float | None] = msgspec.field(default_factory=dict)
    basis: FigureBasis = FigureBasis()
    forbidden: str = ""
    """Rule that forbids the odds, which can be solved nevertheless; empty if they are permitted."""
    forbidden_by: str = ""
    """Clauses, readings and house rules that forbid the odds."""
    refused: str = ""
    """Reason why this combination cannot be solved."""

    def figure(self, name: str) -> Value:
        return self.figures.get(ALIASES.get(name, name))


def row_data(row: VariantResult, values: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a row to JSON data for ``crossfelt sweep --json``."""
    figures = {name: exact(value) if isinstance(value, Fraction) else value for name, value in row.figures.items()}
    return {
        "number": row.number,
        "values": dict(values),
        "permitted": not row.forbidden,
        "forbidden": row.forbidden or None,
        **msgspec.to_builtins(row.basis),
        "figures": figures,
    }


def encode_rows(rows: list[VariantResult]) -> bytes:
    """Encode rows for files and workers, with fractions as text.

    >>> encode_rows([VariantResult(number=1, figures={"ev": Fraction(-1, 3)})])
    b'[{"number":1,"figures":{"ev":"-1/3"}}]'
    """
    return msgspec.json.encode(rows, enc_hook=str)


class _StoredResult(VariantResult, frozen=True, kw_only=True):
    """A decoded row whose fractions are still text."""

    figures: dict[str, str | float | None] = msgspec.field(default_factory=dict)  # type: ignore[assignment]


_ROWS: Final = msgspec.json.Decoder(list[_StoredResult])


def decode_rows(data: bytes) -> list[VariantResult]:
    """Decode rows of `encode_rows`.

    >>> decode_rows(b'[{"number":1,"figures":{"ev":"-1/3","standard_deviation":2.5}}]')[0].figures
    {'ev': Fraction(-1, 3), 'standard_deviation': 2.5}
    """
    return [_read(kept) for kept in _ROWS.decode(bounded(data))]


def _read(kept: _StoredResult) -> VariantResult:
    fields = {name: getattr(kept, name) for name in VariantResult.__struct_fields__}
    figures = {name: Fraction(value) if isinstance(value, str) else value for name, value in kept.figures.items()}
    return VariantResult(**fields | {"figures": figures})
