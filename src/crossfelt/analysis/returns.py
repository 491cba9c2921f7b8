"""What wagers return whose odds the operator chooses: it should not be more than they cost."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from crossfelt.analysis.solving import side_bets_of, solve
from crossfelt.problems import Problem
from crossfelt.rulebooks.game import Game

EXACTLY_SOLVED: Final = ("criss_cross", "double_cross")


class TheoreticalReturn(NamedTuple):
    """What comes back of a stake on average."""

    path: str
    """The choice it hangs on, as a submission names it."""
    of: str
    share: Fraction


def returns_of(game: Game) -> Iterator[TheoreticalReturn]:
    """The wagers whose odds the operator states; those at printed odds are not computed again."""
    changed: Collection[str] = game.stated.get("pays", {})
    if not changed:
        return
    beside = {bet: game.wager(bet).pays for bet in side_bets_of(game)}
    for name, bet in side_bets_of(game).items():
        if beside[name] in changed:
            yield TheoreticalReturn(f"pays.{beside[name]}", bet.title, 1 + bet.ev)
    main = [table for table in changed if table not in beside.values()]
    if main and game.book.game in EXACTLY_SOLVED:
        share = 1 - solve(game).house_edge.per_total_wagered
        yield TheoreticalReturn(f"pays.{main[0]}", f"all that is wagered on {game.book.title}, with best play,", share)


def above_the_stake(game: Game, *, where: str = "submission") -> Iterator[Problem]:
    """A warning for each wager that would return more than it costs.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> generous = compile_game("nj-double-cross", {"pays": {"raise": {"flush": "90 to 1"}}})
    >>> [problem.value for problem in above_the_stake(generous)]
    ['123.23 %']
    """
    for found in returns_of(game):
        if found.share > 1:
            yield Problem(
                code="return.above_stake",
                where=f"{where}: {found.path}",
                what=f"{found.of} returns more than is staked",
                value=f"{float(100 * found.share):.2f} %",
                allowed="below 100 %, if the house is to win",
            )
