"""Returns of each wager, and a warning for odds that return more than the stake."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

import msgspec

from crossfelt.analysis.solution import SideBet, Solution, exact
from crossfelt.analysis.solver.api import progressive_returns, reprices_at_once, side_bets_of, solve, wheel_returns
from crossfelt.errors import Problem
from crossfelt.progressive.returns import WagerReturn
from crossfelt.rulebooks.game import Game


class TheoreticalReturn(NamedTuple):
    """The average return of a stake."""

    path: str
    """Path in a submission of the choice that determines the return."""
    of: str
    share: Fraction


def returns_of(game: Game) -> Iterator[TheoreticalReturn]:
    """Yield the returns of the wagers whose odds the operator states."""
    changed: Collection[str] = game.stated.get("pays", {})
    if not changed:
        return
    beside = {bet: game.wager(bet).pays for bet in side_bets_of(game)}
    for name, bet in side_bets_of(game).items():
        if beside[name] in changed:
            yield TheoreticalReturn(f"pays.{beside[name]}", bet.title, 1 + bet.ev)
    main = [table for table in changed if table not in beside.values()]
    if main and reprices_at_once(game):
        share = 1 - solve(game).house_edge.per_total_wagered
        yield TheoreticalReturn(f"pays.{main[0]}", f"{game.book.title}, with best play,", share)


def above_the_stake(game: Game, *, where: str = "submission") -> Iterator[Problem]:
    """Yield a warning for each wager that returns more than its stake.

    >>> generous = compile_game("nj-double-cross", {"pays": {"raise": {"flush": "90 to 1"}}})
    >>> [problem.value for problem in above_the_stake(generous)]
    ['123.23 %']
    """
    for found in returns_of(game):
        if found.share > 1:
            what, value = f"{found.of} returns more than the stakes", f"{float(100 * found.share):.2f} %"
            allowed = "below 100 % for a house edge"
            yield Problem.at(f"{where}: {found.path}", "return.above_stake", what, value, allowed)


# --- figures of every wager ---

Part = Literal["game", "side_bets", "wheels", "progressive"]
WHOLE: Final = "whole_game"
OWN_STAKE: Final = "own stake"
TITLES: Final[dict[Part, str]] = {
    "game": "the game under best play",
    "side_bets": "side bets",
    "wheels": "wheels and their meters",
    "progressive": "the progressive wager",
}


class WagerFigure(msgspec.Struct, frozen=True, kw_only=True):
    """The return of one wager; `mean` and `variance` are of the player's net result per unit of the base."""

    wager: str
    title: str
    method: str
    base: str
    """Unit of the figures: the ante, or the wager's own stake."""
    returned: Fraction
    """Long-run return as a fraction of its stakes."""
    mean: Fraction
    variance: Fraction
    hit_rate: Fraction | None = None
    holds_to_cents: int | None = None
    """The largest ante at which the payout limit cuts no result; None for any ante."""
    limit_words: str = ""

    def as_data(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "title": self.title,
            "method": self.method,
            "base": self.base,
            "returned": exact(self.returned),
            "house_edge": float(1 - self.returned),
            "mean": float(self.mean),
            "standard_deviation": math.sqrt(self.variance),
            "hit_rate": None if self.hit_rate is None else float(self.hit_rate),
            "holds_to_cents": self.holds_to_cents,
            "limit_words": self.limit_words,
        }


def parts_of(game: Game) -> tuple[Part, ...]:
    """List the parts of the computation; this needs no kernels."""
    wanted = {"game", *(part_of(game, wager.id) for wager in game.wagers)}
    return tuple(part for part in TITLES if part in wanted)


def part_of(game: Game, wager_id: str) -> Part:
    """Return the part of the computation that has the figure of a wager; this needs no kernels.

    >>> game = compile_game("nj-criss-cross")
    >>> [part_of(game, wager) for wager in ("across", "five_card_bonus", "bonus_spin")]
    ['game', 'side_bets', 'wheels']
    """
    wager = game.wager(wager_id)
    if wager.spins:
        return "wheels"
    if wager.unit == "credits":
        return "progressive"
    return "game" if wager.required or wager.stake.of is not None else "side_bets"


def figures_of(game: Game, part: Part) -> list[WagerFigure]:
    """Compute the figures of the wagers in one part.

    >>> whole = figures_of(compile_game("nj-criss-cross"), "game")[0]
    >>> round(float(1 - whole.returned), 6), whole.base
    (0.01476, 'ante')
    """
    match part:
        case "game":
            return list(_of_game(solve(game)))
        case "side_bets":
            return [_of_side_bet(bet) for bet in side_bets_of(game).values()]
        case "wheels":
            # For one bettor alone, with the meter at its average.
            return [
                _with_meter(wheel.wager, f"{game.wager(wheel.wager).title}, table {wheel.letter}", found)
                for wheel, found in wheel_returns(game)
            ]
        case "progressive":
            return [_with_meter(wager.id, wager.title, found) for wager, found in progressive_returns(game)]


def _of_game(solution: Solution) -> Iterator[WagerFigure]:
    base = solution.base
    yield WagerFigure(
        wager=WHOLE,
        title="Whole game",
        method=solution.method.partition(";")[0],
        base=base,
        returned=1 - solution.house_edge.per_total_wagered,
        mean=solution.ev,
        variance=solution.variance,
        hit_rate=solution.hit_rate,
        holds_to_cents=solution.holds_to_cents,
        limit_words=solution.limit_words(),
    )
    for wager in solution.by_wager().values():
        yield WagerFigure(
            wager=wager.id,
            title=wager.title,
            method=solution.method,
            base=base,
            returned=1 - wager.house_edge,
            mean=wager.ev,
            variance=wager.variance,
            hit_rate=wager.hit_rate,
        )


def _of_side_bet(bet: SideBet) -> WagerFigure:
    return WagerFigure(
        wager=bet.id,
        title=bet.title,
        method="exact",
        base=OWN_STAKE,
        returned=1 + bet.ev,
        mean=bet.ev,
        variance=bet.distribution.variance,
        hit_rate=bet.hit_rate,
    )


def _with_meter(wager: str, title: str, found: WagerReturn) -> WagerFigure:
    meter = found.average_meter_cents or Fraction(0)
    won = [award.chance * (award.percent * meter / (100 * found.stake_cents)) ** 2 for award in found.awards]
    squares = found.own.square + sum((part.square for part in found.apart.values()), Fraction(0))
    return WagerFigure(
        wager=wager,
        title=title,
        method=_method(found),
        base=OWN_STAKE,
        returned=found.long_run,
        mean=found.long_run - 1,
        variance=squares + sum(won, Fraction(0)) - found.long_run**2,
    )


def _method(found: WagerReturn) -> str:
    if not found.awards:
        return "exact"
    return "a lower bound: the meter averages more" if found.is_bound else "exact, with the meter at its average"
