"""A whole sweep, from what is varied to a ranking."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from crossfelt.analysis.sweeping.asked import SLICE, Asked, Axis, Kind, Submission
from crossfelt.analysis.sweeping.bounds import Bound, read_bounds
from crossfelt.analysis.sweeping.row import ALIASES, Basis, Row, Value
from crossfelt.analysis.sweeping.running import begin, figure_names, go_on, runner_for
from crossfelt.analysis.sweeping.variants import Variants
from crossfelt.money import Odds
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks import loading
from crossfelt.rulebooks.game import Game, compile_game

USUAL: Final = ("edge", "house_edge.per_total_wagered", "volatility", "hit_rate")
USUAL_LAST: Final = (".house_edge", ".return", ".long_run")
"""What people look at first: the game, then side bets, wheels and meters."""


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """Which rows are wanted, and in which order."""

    by: str = ""
    """A figure; without one, the first of the usual ones that is not the same everywhere."""
    highest: bool = False
    """Highest first; lowest first otherwise."""
    bounds: tuple[Bound, ...] = ()
    permitted: bool = False
    """Only odds that the regulation permits."""

    @property
    def figures(self) -> set[str]:
        """The figures it looks at, by their full names."""
        named = (self.by, *(bound.figure for bound in self.bounds))
        return {ALIASES.get(name, name) for name in named if name}

    def of(self, rows: Iterable[Row]) -> list[Row]:
        """The rows inside all bounds, in order; those without the figure come last, equal ones by number."""
        inside = [row for row in rows if self._wants(row)]
        have = [row for row in inside if row.figure(self.by) is not None]
        sign = -1 if self.highest else 1
        have.sort(key=lambda row: (sign * _number(row.figure(self.by)), row.number))
        return have + sorted((row for row in inside if row.figure(self.by) is None), key=lambda row: row.number)

    def _wants(self, row: Row) -> bool:
        if row.refused or (self.permitted and row.forbidden):
            return False
        return all(bound.holds(row) for bound in self.bounds)

    def resolved(self, rows: Sequence[Row]) -> Ranking:
        """The same with a figure to rank by."""
        return self if self.by else msgspec.structs.replace(self, by=next(iter(telling(rows)), USUAL[0]))


def require_figures(named: Iterable[str], known: Collection[str]) -> None:
    """BadInput where a figure is named that is not among those known, if any is known at all."""
    problems = []
    for name in sorted({ALIASES.get(name, name) for name in named}):
        if known and name not in known:
            near = difflib.get_close_matches(name, known, n=3) or list(known)
            what, allowed = "no such figure", ", ".join(near)
            problems.append(Problem(code="sweep.figure", where="figure", what=what, value=name, allowed=allowed))
    if problems:
        raise BadInput(*problems)


def telling(rows: Sequence[Row]) -> list[str]:
    """The usual figures that are not the same in all rows."""
    found = {name: None for row in rows[:1] for name in row.figures if name.endswith(USUAL_LAST)}
    values = {name: {row.figure(name) for row in rows} for name in (*USUAL, *found)}
    return [name for name, different in values.items() if len(different) > 1]


def _number(value: Value) -> Fraction | float:
    assert value is not None
    return value


class SweptRow(msgspec.Struct, frozen=True, kw_only=True):
    """One combination: what was varied, and every figure."""

    number: int
    values: dict[str, Any]
    figures: dict[str, Value]
    basis: Basis
    """How the figures were found, in which unit, for which way to play."""
    forbidden: str
    """What the regulation says against the odds; empty where it permits them."""


class Swept(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a sweep."""

    rows: tuple[SweptRow, ...]
    """Those inside the bounds, ranked."""
    count: int
    """All combinations."""
    refused: dict[int, str]
    """Combinations that the regulation does not allow, by number, and why."""


def sweep(
    game: Game | str,
    *,
    pay: Mapping[str, Iterable[int | str | Fraction | Odds]] | None = None,
    choices: Mapping[str, Iterable[Any]] | None = None,
    submissions: Mapping[str, Mapping[str, Any]] | None = None,
    meters: Mapping[str, Iterable[int]] | None = None,
    others: Iterable[int] = (),
    strategies: Iterable[str] = (),
    known: Iterable[str] = (),
    where: Iterable[str] = (),
    rank: str = "",
    highest: bool = False,
    permitted: bool = False,
    workers: int = 1,
) -> Swept:
    """Every combination solved exactly, as `solve` would, and ranked.

    `pay` varies odds, `choices` whatever a submission may state (``house_way``, ``settings.…``, weights of a wheel, one
    slice of it as ``PATH[PLACE]``), `submissions` whole submissions by name, `meters` what meters show in cents,
    `others` how many other players bet on a spin. `permitted` leaves out odds that no submission may state. With
    several `workers` a script needs the usual guard of its main module.

    >>> found = sweep("nj-criss-cross", pay={"bets.flush": [7, 8], "bets.straight": [4, 5]}, where=["edge above 5%"])
    >>> [(row.values, round(float(row.figures["house_edge.per_initial_wagers"]), 4)) for row in found.rows]
    [({'bets.flush': 7, 'bets.straight': 5}, 0.0511), ({'bets.flush': 8, 'bets.straight': 4}, 0.0544), \
({'bets.flush': 7, 'bets.straight': 4}, 0.0622)]
    """
    base = compile_game(game) if isinstance(game, str) else game
    named = tuple(Submission(name=name, stated=dict(stated)) for name, stated in (submissions or {}).items())
    varied: list[tuple[Kind, Mapping[str, Iterable[Any]]]] = [
        ("choice", choices or {}),
        ("pay", {name: map(_plain, values) for name, values in (pay or {}).items()}),
        ("meter", meters or {}),
        ("others", {"others": others}),
        ("strategy", {"strategy": strategies}),
        ("known", {"known": known}),
    ]
    axes = [axis_of(kind, name, values) for kind, by_name in varied for name, values in by_name.items()]
    asked = Asked.of(
        loading.as_data(base.book),
        named or (Submission(stated=dict(base.stated)),),
        tuple(axis for axis in axes if axis.values or axis.kind in ("choice", "pay", "meter")),
    )
    bounds = tuple(bound for text in where for bound in read_bounds(text))
    ranking = Ranking(by=rank, highest=highest, bounds=bounds, permitted=permitted)
    asked = wanting(asked, ranking.figures)
    return swept(asked, ranking, every_row(asked, ranking, workers=workers))


def _plain(odds: int | str | Fraction | Odds) -> int | str:
    """Odds as they are typed."""
    if isinstance(odds, Fraction):
        return str(Odds.to(odds))
    return odds if isinstance(odds, int | str) else str(odds)


def axis_of(kind: Kind, name: str, values: Iterable[Any]) -> Axis:
    """An axis; a choice with a place in brackets is a slice of a wheel."""
    in_order = tuple(list(value) if isinstance(value, tuple) else value for value in values)
    return Axis(kind="slice" if kind == "choice" and SLICE.fullmatch(name) else kind, name=name, values=in_order)


EVERY_WAGER: Final = "wagers."
"""How the names of figures begin that are of one wager."""


def wanting(asked: Asked, figures: Iterable[str]) -> Asked:
    """The same sweep with figures of each wager, if some of these are."""
    by_wager = any(name.startswith(EVERY_WAGER) for name in figures)
    return msgspec.structs.replace(asked, by_wager=by_wager)


def every_row(asked: Asked, ranking: Ranking, *, workers: int) -> list[Row]:
    """Every combination solved."""
    asked.require()
    variants = Variants(asked)
    variants.require()
    begun = begin(variants, range(asked.count))
    rows = list(begun.rows)
    require_figures(ranking.figures, figure_names(variants, rows, ranking.figures))

    def after(more: list[Row]) -> bool:
        rows.extend(more)
        return True

    go_on(asked, begun, runner_for(begun, workers), after)
    return sorted(rows, key=lambda row: row.number)


def swept(asked: Asked, ranking: Ranking, rows: Iterable[Row]) -> Swept:
    """Rows as an answer."""
    found = list(rows)
    ranking = ranking.resolved([row for row in found if not row.refused])
    return Swept(
        rows=tuple(
            SweptRow(
                number=row.number,
                values=asked.variant(row.number).values,
                figures=row.figures,
                basis=row.basis,
                forbidden=row.forbidden,
            )
            for row in ranking.of(found)
        ),
        count=asked.count,
        refused={row.number: row.refused for row in found if row.refused},
    )
