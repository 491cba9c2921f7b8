"""Evaluation of the combinations of a sweep; common work is cached."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from crossfelt._util.cached_by_key import cached_by_key
from crossfelt.analysis.solver.api import progressive_returns, require_antes, require_solver, solve, wheel_returns
from crossfelt.analysis.sweep.grid import SLICE, Axis, FigureBasis, SweepGrid, Value, Variant, VariantResult
from crossfelt.analysis.what_if import violations_of, with_pay
from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.progressive.returns import WagerReturn
from crossfelt.progressive.wheels import meter_of
from crossfelt.rulebooks import loader, submission
from crossfelt.rulebooks.choices import LARGEST_CENTS, LARGEST_WEIGHT
from crossfelt.rulebooks.game import Game, compile_game

Figures = Iterator[tuple[str, Value]]


class MeterFeed(NamedTuple):
    """A wager that a meter pays, with its return."""

    name: str
    meter: str
    found: WagerReturn


def fed_by_meters(game: Game, others: int) -> Iterator[MeterFeed]:
    """Yield the returns of wheels and progressive wagers with this number of other bettors."""
    wheels = list(wheel_returns(game, others))
    for wheel, found in wheels:
        several = sum(wheel.wager == other.wager for other, _ in wheels) > 1
        name = f"{wheel.wager}.{wheel.stake_cents}" if several else wheel.wager
        yield MeterFeed(name, meter_of(game, wheel.wager).id, found)
    for wager, found in progressive_returns(game, others):
        yield MeterFeed(wager.id, meter_of(game, wager.id).id, found)


def meter_figures(wagers: Iterable[MeterFeed], meters: Mapping[str, int]) -> Figures:
    """Yield the figures of these wagers at these meter amounts; other meters stand at their reset amount."""
    for name, meter, found in wagers:
        yield f"{name}.return", found.at(meters.get(meter, found.reset_cents))
        yield f"{name}.long_run", found.long_run
        yield f"{name}.break_even_cents", found.break_even_cents
        yield f"{name}.cycle", found.cycle
        yield f"{name}.average_meter_cents", found.average_meter_cents


# --- combinations ---


def _chosen(axis: Axis) -> bool:
    return axis.kind in ("choice", "slice")


def _priced(axis: Axis) -> bool:
    return axis.kind in ("choice", "slice", "pay")


def _solved(axis: Axis) -> bool:
    return not axis.aside


def _spun(variant: Variant, game: Game) -> tuple[int, ...]:
    """Return the places of a combination on the axes on which the returns of wheels and credits depend."""
    return variant.key(lambda axis: axis.kind == "others" or (_priced if game.credit_wagers else _chosen)(axis))


def _feeds(variant: Variant, game: Game) -> list[MeterFeed]:
    asked = with_pay(game, variant.of("pay")) if game.credit_wagers else game
    return list(fed_by_meters(asked, variant.one("others", 0)))


def _violations(variant: Variant, game: Game) -> tuple[Problem, ...]:
    """List the rules that forbid the odds; forbidden choices do not compile at all."""
    return violations_of(game, odds) if (odds := variant.of("pay")) else ()


_KEPT_GAMES: Final = 64
_KEPT_SOLUTIONS: Final = 4096


class Variants:
    """Evaluates any combination of a sweep."""

    def __init__(self, asked: SweepGrid) -> None:
        self.asked = asked
        self._book = loader.from_data(asked.rulebook, where="sweep")
        # Each is kept by the axes on which it depends.
        self.game = cached_by_key(_KEPT_GAMES, lambda variant: variant.key(_chosen))(self._compiled)
        """Returns the compiled game of a combination, without changed odds."""
        self._solution = cached_by_key(_KEPT_SOLUTIONS, lambda variant, game: variant.key(_solved))(self._solve)
        self._against = cached_by_key(_KEPT_SOLUTIONS, lambda variant, game: variant.key(_priced))(_violations)
        self._fed = cached_by_key(_KEPT_SOLUTIONS, _spun)(_feeds)

    def row(self, number: int) -> VariantResult:
        """Evaluate one combination; the result of a forbidden one has the reason."""
        variant = self.asked.variant(number)
        try:
            game = self.game(variant)
            basis, figures = self._solution(variant, game)
            figures = figures | dict(meter_figures(self._fed(variant, game), variant.of("meter")))
        except BadInput as bad:
            return VariantResult(number=number, refused=str(bad.problems[0]))
        against = self._against(variant, game)
        return VariantResult(
            number=number,
            figures=figures,
            basis=basis,
            forbidden=str(against[0]) if against else "",
            forbidden_by=", ".join(dict.fromkeys(problem.basis for problem in against)),
        )

    def _compiled(self, variant: Variant) -> Game:
        stated = copy.deepcopy(variant.submission.stated)
        for path, value in variant.of("choice").items():
            _state(stated, path, value)
        for name, weight in variant.of("slice").items():
            path, place = _slice(name)
            # Other slices keep their weights.
            game = Game(self._book, stated)
            weights = game.choices[path]
            assert isinstance(weights, tuple)
            at = _index(game, path, place)
            _state(stated, path, [*weights[:at], weight, *weights[at + 1 :]])
        return compile_game(self._book, stated, where=variant.submission.name or "submission")

    def _solve(self, variant: Variant, game: Game) -> tuple[FigureBasis, dict[str, Value]]:
        known, antes = variant.one("known", ""), variant.of("ante").values()
        found = solve(game, pay=variant.of("pay"), known=known, strategy=variant.strategy, antes=[*antes])
        basis = FigureBasis(**{name: getattr(found, name) for name in FigureBasis.__struct_fields__})
        return basis, dict(found.figures(by_wager=self.asked.by_wager))

    def require(self) -> None:
        """Raise BadInput with all problems of single values."""
        base = self.asked.variant(0)._replace(by_axis=(), places=(0,))
        game = self._compiled(base)
        require_solver(game)
        require_none(dict.fromkeys(problem for axis in self.asked.axes for problem in self._problems(game, axis)))

    def _problems(self, game: Game, axis: Axis) -> Iterator[Problem]:
        match axis.kind:
            case "choice":
                yield from self._choice_problems(axis)
            case "slice":
                yield from _slice_problems(game, axis)
            case "pay":
                yield from _raised(lambda value: with_pay(game, {axis.name: value}), axis)
            case "strategy":
                yield from _raised(lambda value: solve(game, strategy=value), axis)
            case "known":
                yield from _raised(lambda value: solve(game, known=value), axis)
            case "ante":
                yield from _raised(lambda value: require_antes(game, [value]), axis)
            case "meter":
                meters = [meter.id for meter in game.book.meters]
                if axis.name not in meters:
                    allowed = ", ".join(meters) or "this game has none"
                    yield Problem.at("meter", "sweep.meter", "no such meter", axis.name, allowed)
                yield from _outside(axis, 0, LARGEST_CENTS, "cents")
            case "others":
                yield from _outside(axis, 0, game.book.table.seats - 1, "other players")

    def _choice_problems(self, axis: Axis) -> Iterator[Problem]:
        """Yield the problems of values that no submission may state; conflicts of values are reported row by row."""
        for value in axis.values:
            stated: dict[str, Any] = {}
            _state(stated, axis.name, value)
            where = f"sweep: {axis.name}"
            found = submission.problems(self._book, stated, where="sweep")
            yield from (problem for problem in found if problem.where.startswith(where))


def _state(stated: dict[str, Any], path: str, value: Any) -> None:
    """Set a value at its path in a submission."""
    *tables, last = path.split(".")
    for table in tables:
        stated = stated.setdefault(table, {})
    stated[last] = value


def _slice(name: str) -> tuple[str, int]:
    found = SLICE.fullmatch(name)
    assert found is not None
    return found[1], int(found[2])


def _index(game: Game, path: str, place: int) -> int:
    """Return the index of a slice in the weights by its printed position."""
    rings = {f"wagers.{w.wager}.{'weights' if w.ring == 'spin' else f'{w.ring}_weights'}": w for w in game.wheels}
    if path not in rings or place not in rings[path].places:
        what = "the wheel in use has no such slice"
        allowed = ", ".join(map(str, sorted(rings[path].places))) if path in rings else "a wheel that is offered"
        raise BadInput.at(path, "sweep.slice", what, place, allowed)
    return rings[path].places.index(place)


def _slice_problems(game: Game, axis: Axis) -> Iterator[Problem]:
    path, place = _slice(axis.name)
    wheels = [choice.path for choice in game.book.choices if choice.kind == "weights"]
    if path not in wheels:
        allowed = ", ".join(wheels) or "this game has no wheel"
        yield Problem.at(axis.name, "sweep.slice", "not the weights of a wheel", path, allowed)
        return
    try:
        _index(game, path, place)
    except BadInput as bad:
        yield from bad.problems
    yield from _outside(axis, 0, LARGEST_WEIGHT, "a weight")


def _outside(axis: Axis, least: int, most: int, unit: str) -> Iterator[Problem]:
    for value in axis.values:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            yield Problem.at(axis.title, "sweep.values", "out of bounds", str(value), f"{unit}, {least:,} … {most:,}")


def _raised(ask: Callable[[Any], object], axis: Axis) -> Iterator[Problem]:
    """Yield the problems that a function raises for the values of an axis."""
    for value in axis.values:
        try:
            ask(value)
        except BadInput as bad:
            yield from bad.problems
