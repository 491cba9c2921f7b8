"""The API of a sweep: its distribution over workers, bounds on figures, ranking, and the sweep itself."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from time import perf_counter
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt.analysis.runners import ProcessRunner, Runner, run_in_process
from crossfelt.analysis.solution import percent
from crossfelt.analysis.sweep.evaluate import Variants
from crossfelt.analysis.sweep.grid import (
    ALIASES,
    SLICE,
    Axis,
    Kind,
    Submission,
    SweepGrid,
    VariantResult,
    decode_rows,
    encode_rows,
    row_data,
)
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.money import Odds
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.tabular import Record, Tabular

PIECE_SECONDS: Final = 0.5
"""Duration of a piece: short enough to stop soon, long enough that its overhead is negligible."""
LARGEST_PIECE: Final = 500
WORTH_PROCESSES_SECONDS: Final = 4.0
"""Remaining time from which worker processes pay off, since each must load the kernels."""
TRIED: Final = 3
"""Combinations solved first; the last gives the time of one with warm caches."""
MOST_TRIED: Final = 24
"""Most combinations tried if the first are refused, which takes no time."""
TRIED_SECONDS = 10.0
"""Time after which no other combination is tried: of some games one takes as long."""
MOST_SINGLY: Final = 64


class SolvedSample(NamedTuple):
    """The first results and an estimate of the remaining time."""

    rows: list[VariantResult]
    left: list[int]
    """Numbers of the other combinations."""
    seconds_each: float

    def seconds(self, workers: int) -> float:
        """Estimate the time for the others."""
        return self.seconds_each * len(self.left) / workers

    @property
    def piece(self) -> int:
        return max(1, min(LARGEST_PIECE, round(PIECE_SECONDS / max(self.seconds_each, 1e-6))))


def solve_sample(
    variants: Variants, numbers: Sequence[int], advance: Callable[[int], None] = lambda _: None
) -> SolvedSample:
    """Solve a few rows spread over the sweep in this process; call `advance` after each."""
    asked, rows = variants.asked, dict[int, VariantResult]()
    group, began = min(asked.alike, len(numbers)), perf_counter()

    def timed(place: int) -> float:
        """Solve the row at this place and return the seconds; 0 if there is none, it is solved or time is up."""
        if place >= len(numbers) or numbers[place] in rows or (rows and perf_counter() - began > TRIED_SECONDS):
            return 0.0
        started = perf_counter()
        rows[numbers[place]] = variants.row(numbers[place])
        advance(1)
        return perf_counter() - started

    last, new = 0, 0.0
    for place in islice(_spread(len(numbers) // max(group, 1)), MOST_TRIED):
        seconds = timed(place * group)
        if not seconds:
            break
        if not rows[numbers[place * group]].refused:
            last, new = place * group, seconds
        if sum(not row.refused for row in rows.values()) == TRIED:
            break
    same_game = timed(last + group) or new
    same_solution = timed(last + 1) if group > 1 else 0.0
    left = [number for number in numbers if number not in rows]
    solutions = len(numbers) / max(group, 1)
    whole = min(asked.games, solutions) * max(0.0, new - same_game)
    whole += solutions * same_game + (len(numbers) - solutions) * same_solution
    return SolvedSample(list(rows.values()), left, whole / max(1, len(numbers)))


def _spread(places: int) -> Iterator[int]:
    """Yield places spread evenly: the first, the middle, the quarters, the eighths, …

    >>> list(_spread(6))
    [0, 3, 1, 4, 2, 5]
    """
    found, parts = dict.fromkeys(range(min(places, 1))), 1
    yield from found
    while parts < places:
        for odd in range(1, 2 * parts, 2):
            place = places * odd // (2 * parts)
            if place not in found:
                found[place] = None
                yield place
        parts *= 2


def figure_names(
    variants: Variants, rows: Iterable[VariantResult] = (), wanted: Iterable[str] | None = None
) -> list[str]:
    """List the names of figures: those of the rows, and of games that differ in one choice, until `wanted` is covered.

    Without `wanted`, list all of them.
    """
    known = dict.fromkeys(name for row in rows for name in row.figures)
    missing = None if wanted is None else set(wanted)
    for number in islice(variants.asked.singly(), MOST_SINGLY):
        if missing is not None and missing <= known.keys():
            break
        known |= dict.fromkeys(variants.row(number).figures)
    return list(known)


def encode(asked: SweepGrid) -> bytes:
    return msgspec.json.encode(asked)


def solved_piece(asked: bytes, numbers: Sequence[int]) -> bytes:
    """Solve some combinations: the job of a worker."""
    variants = _variants(asked)
    return encode_rows([variants.row(number) for number in numbers])


@lru_cache(maxsize=2)
def _variants(asked: bytes) -> Variants:
    return Variants(msgspec.json.decode(asked, type=SweepGrid))


def solve_rest(asked: SweepGrid, begun: SolvedSample, run: Runner) -> Iterator[list[VariantResult]]:
    """Yield the remaining rows in pieces, as they are solved."""
    encoded, left, size = encode(asked), begun.left, begun.piece
    jobs = ((encoded, left[first : first + size]) for first in range(0, len(left), size))
    return map(decode_rows, run(solved_piece, jobs))


def runner_for(begun: SolvedSample, workers: int) -> Runner:
    """Choose this process if it finishes sooner than worker processes."""
    if workers == 1 or begun.seconds(1) < WORTH_PROCESSES_SECONDS:
        return run_in_process
    return ProcessRunner(workers)


# --- bounds on figures ---


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
    """Bounds on a figure."""

    figure: str
    low: Fraction | None = None
    high: Fraction | None = None
    strict: bool = False
    """True if the bounds are exclusive."""

    def holds(self, row: VariantResult) -> bool:
        value = row.figure(self.figure)
        if value is None:
            return False
        if self.strict:
            return (self.low is None or value > self.low) and (self.high is None or value < self.high)
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def read_bounds(text: str) -> list[Bound]:
    """Parse bounds separated by "with" or a semicolon.

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
        bound = Bound(figure=found["figure"], low=_bound_number(low, text), high=_bound_number(high, text))
        assert bound.low is not None
        assert bound.high is not None
        if bound.low > bound.high:
            raise _bad(text, "the lower bound is above the upper bound")
        return bound
    found = _AGAINST.fullmatch(text)
    if not found:
        raise _bad(text, "not a bound on a figure")
    number, sign = _bound_number(found["number"], text), " ".join(found["sign"].split())
    return Bound(
        figure=found["figure"],
        low=number if sign in (*_ABOVE, *_AT_LEAST) else None,
        high=number if sign in (*_BELOW, *_AT_MOST) else None,
        strict=sign in (*_BELOW, *_ABOVE),
    )


def _bound_number(written: str, text: str) -> Fraction:
    """Parse a number; a percentage is divided by 100."""
    plain = written.rstrip("%").strip()
    try:
        return Fraction(plain) / (100 if written.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise _bad(text, "not a number") from None


def _bad(text: str, what: str) -> BadInput:
    return BadInput.at("where", "sweep.where", what, text, ALLOWED)


# --- ranking ---

USUAL: Final = ("edge", "house_edge.per_total_wagered", "volatility", "hit_rate")
USUAL_LAST: Final = (".house_edge", ".return", ".long_run")
"""Figures shown first: those of the game, then side bets, wheels and meters."""


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """Selection and order of rows."""

    by: str = ""
    """Figure to rank by; by default the first usual figure that varies."""
    highest: bool = False
    """True if the highest value comes first."""
    bounds: tuple[Bound, ...] = ()
    permitted: bool = False
    """True to omit odds that the regulation forbids."""

    @property
    def figures(self) -> set[str]:
        """Full names of the figures that the ranking uses."""
        named = (self.by, *(bound.figure for bound in self.bounds))
        return {ALIASES.get(name, name) for name in named if name}

    def of(self, rows: Iterable[VariantResult]) -> list[VariantResult]:
        """Return the rows inside all bounds in order; ties by number, rows without the figure last."""
        wanted = (row for row in rows if not row.refused and not (self.permitted and row.forbidden))
        inside = [row for row in wanted if all(bound.holds(row) for bound in self.bounds)]

        def place(row: VariantResult) -> tuple[bool, Fraction | float, int]:
            value = row.figure(self.by)
            return value is None, (-1 if self.highest else 1) * (value or 0), row.number

        return sorted(inside, key=place)

    def resolved(self, rows: Sequence[VariantResult]) -> Ranking:
        """Return the ranking with its default figure filled in."""
        return self if self.by else msgspec.structs.replace(self, by=next(iter(varying_figures(rows)), USUAL[0]))


def require_figures(named: Iterable[str], known: Collection[str]) -> None:
    """Raise BadInput for unknown figures, unless no figure is known."""
    problems = []
    for name in sorted({ALIASES.get(name, name) for name in named}):
        if known and name not in known:
            near = difflib.get_close_matches(name, known, n=3) or list(known)
            problems.append(Problem.at("figure", "sweep.figure", "no such figure", name, ", ".join(near)))
    require_none(problems)


def varying_figures(rows: Sequence[VariantResult]) -> list[str]:
    """List the usual figures that vary between rows."""
    found = {name: None for row in rows[:1] for name in row.figures if name.endswith(USUAL_LAST)}
    values = {name: {row.figure(name) for row in rows} for name in (*USUAL, *found)}
    return [name for name, different in values.items() if len(different) > 1]


class SweepRow(VariantResult, frozen=True, kw_only=True):
    """One combination with its values and figures."""

    values: dict[str, Any]


class SweepResult(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The result of a sweep."""

    rows: tuple[SweepRow, ...]
    """Rows inside the bounds, ranked."""
    count: int
    """Number of all combinations."""
    refused: dict[int, str]
    """Reasons of combinations that cannot be solved, by number."""

    def headline(self) -> str:
        edges = [row.figures.get("house_edge.per_initial_wagers") for row in self.rows]
        found = [edge for edge in edges if edge is not None]
        between = f": house edge {percent(min(found))} to {percent(max(found))}" if found else ""
        return f"{len(self.rows):,} of {self.count:,} combinations{between}"

    def records(self) -> list[Record]:
        return [{**row.values, **row.figures, "permitted": not row.forbidden} for row in self.rows]

    def html_records(self) -> list[Record]:
        """Return records with the usual figures only."""
        names = [ALIASES.get(name, name) for name in USUAL]
        return [{**row.values, **{name: row.figures.get(name) for name in names}} for row in self.rows]

    def as_data(self) -> dict[str, Any]:
        """Return plain data with rows as in ``crossfelt sweep --json``."""
        return {
            "combinations": self.count,
            "refused": {str(number): why for number, why in self.refused.items()},
            "rows": [row_data(row, row.values) for row in self.rows],
        }


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
    antes: Iterable[int] = (),
    where: Iterable[str] = (),
    rank: str = "",
    highest: bool = False,
    permitted: bool = False,
    workers: int = 1,
) -> SweepResult:
    """Solve every combination as `solve` does, and rank them.

    `pay` varies odds, `choices` any value of a submission (``house_way``, ``settings.…``, weights of a wheel, one slice
    of it as ``PATH[PLACE]``), `submissions` whole submissions by name, `meters` the amounts of meters in cents,
    `others` the number of other players who bet on a spin, and `antes` the ante in cents, cut at the payout limit.
    `permitted` omits odds that no submission may state. A script that uses several `workers` must guard its main module
    with ``if __name__ == "__main__"``.

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
        ("ante", {"ante": antes}),
    ]
    axes = [axis_of(kind, name, values) for kind, by_name in varied for name, values in by_name.items()]
    asked = SweepGrid.of(
        loader.as_data(base.book),
        named or (Submission(stated=dict(base.stated)),),
        tuple(axis for axis in axes if axis.values or axis.kind in ("choice", "pay", "meter")),
    )
    bounds = tuple(bound for text in where for bound in read_bounds(text))
    ranking = Ranking(by=rank, highest=highest, bounds=bounds, permitted=permitted)
    asked = with_wager_figures(asked, ranking.figures)
    return sweep_result(asked, ranking, solve_all(asked, ranking, workers=workers))


def _plain(odds: int | str | Fraction | Odds) -> int | str:
    """Convert odds to an integer or text."""
    if isinstance(odds, Fraction):
        return str(Odds.to(odds))
    return odds if isinstance(odds, int | str) else str(odds)


def axis_of(kind: Kind, name: str, values: Iterable[Any]) -> Axis:
    """Make an axis; a choice with a place in brackets is a slice of a wheel."""
    in_order = tuple(list(value) if isinstance(value, tuple) else value for value in values)
    return Axis(kind="slice" if kind == "choice" and SLICE.fullmatch(name) else kind, name=name, values=in_order)


EVERY_WAGER: Final = "wagers."
"""Prefix of the figures of one wager."""


def with_wager_figures(asked: SweepGrid, figures: Iterable[str]) -> SweepGrid:
    """Return the sweep with figures of each wager if `figures` names one."""
    by_wager = any(name.startswith(EVERY_WAGER) for name in figures)
    return msgspec.structs.replace(asked, by_wager=by_wager)


def solve_all(asked: SweepGrid, ranking: Ranking, *, workers: int) -> list[VariantResult]:
    """Solve every combination."""
    asked.require()
    variants = Variants(asked)
    variants.require()
    begun = solve_sample(variants, range(asked.count))
    rows = list(begun.rows)
    require_figures(ranking.figures, figure_names(variants, rows, ranking.figures))
    for more in solve_rest(asked, begun, runner_for(begun, workers)):
        rows += more
    return sorted(rows, key=lambda row: row.number)


def sweep_result(asked: SweepGrid, ranking: Ranking, rows: Iterable[VariantResult]) -> SweepResult:
    """Rank rows into a result."""
    found = list(rows)
    ranking = ranking.resolved([row for row in found if not row.refused])
    return SweepResult(
        rows=tuple(
            SweepRow(**msgspec.structs.asdict(row), values=asked.variant(row.number).values)
            for row in ranking.of(found)
        ),
        count=asked.count,
        refused={row.number: row.refused for row in found if row.refused},
    )
