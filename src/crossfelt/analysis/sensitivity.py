"""Effect of each pay line on the house edge: each line is raised and lowered by one stake, and solved again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import msgspec

from crossfelt.analysis.solution import SideBet, Solution
from crossfelt.analysis.solver.api import solve
from crossfelt.games.round_stakes import opening_sets
from crossfelt.money import Odds
from crossfelt.rulebooks.game import Game


class OddsStep(msgspec.Struct, frozen=True, kw_only=True):
    """A pay line at other odds."""

    odds: str
    change: Fraction
    """Change of the house edge: per ante for the game, per unit staked for a side bet."""


class Sensitivity(msgspec.Struct, frozen=True, kw_only=True):
    """The changes of the house edge when one pay line pays more or less."""

    path: str
    """Pay table and line: ``bets.flush``."""
    odds: str
    up: OddsStep
    down: OddsStep | None
    """None if a lower payment would be a loss."""


def base_lines(game: Game) -> Iterator[str]:
    """Yield the pay lines of the game without side bets: ``bets.flush`` …

    >>> list(base_lines(compile_game("nj-double-cross")))[:2]
    ['raise.royal_flush', 'raise.straight_flush']
    """
    opening = opening_sets(game)[0]
    needed = {name for wager in map(game.wager, opening) for name in (wager.id, wager.group)} - {None}
    main = [wager for wager in game.wagers if wager.id in opening or wager.stake.of in needed]
    tables = {name for wager in main for name in (*wager.tables, *(bonus.pay for bonus in wager.bonus))}
    shared = game.settings.get("md_antes_at_table")
    for name, pays in game.pays.items():
        if name in tables and not (shared and name == "ante"):
            yield from (f"{name}.{line.name}" for line in pays.lines if line.odds is not None)


def of_game(game: Game, solution: Solution, solved: Callable[[], None] = lambda: None) -> Iterator[Sensitivity]:
    """Yield the effect of every pay line of the game; the strategy adapts to the odds."""
    edge = solution.house_edge.per_ante
    for path in base_lines(game):
        table, _, name = path.partition(".")
        odds = next(line.odds for line in game.pays[table].lines if line.name == name and line.odds is not None)
        steps = {}
        for step in (1, -1):
            if (other := stepped(odds, step)) is not None:
                change = solve(game, pay={path: other}).house_edge.per_ante - edge
                steps[step] = OddsStep(odds=str(other), change=change)
            solved()
        yield Sensitivity(path=path, odds=str(odds), up=steps[1], down=steps.get(-1))


def of_side_bet(bet: SideBet, table: str) -> Iterator[Sensitivity]:
    """Yield the effect of every pay line of a side bet; an outcome may combine several lines."""
    chances: dict[tuple[str, str], Fraction] = {}
    for outcome in bet.outcomes:
        if outcome.line:
            for paid in zip(outcome.line.split(", "), outcome.pays.split(", "), strict=True):
                chances[paid] = chances.get(paid, Fraction(0)) + bet.probability(outcome)
    for (line, pays), chance in chances.items():
        odds = Odds(pays)
        up, down = stepped(odds, 1), stepped(odds, -1)
        assert up is not None
        yield Sensitivity(
            path=f"{table}.{line}",
            odds=pays,
            up=OddsStep(odds=str(up), change=-chance * (up.profit - odds.profit)),
            down=OddsStep(odds=str(down), change=chance * (odds.profit - down.profit)) if down else None,
        )


def stepped(odds: Odds, step: int) -> Odds | None:
    """Return odds that pay one stake more or less; None if nothing would be paid.

    >>> str(stepped(Odds("3 to 2"), 1)), str(stepped(Odds("1 to 1"), -1)), stepped(Odds("push"), -1)
    ('5 to 2', 'push', None)
    """
    ratio = odds.ratio + step
    if ratio < 0 or (ratio == 0 and not odds.returns_stake):
        return None
    kind = "to" if odds.returns_stake else "for"
    return Odds(f"{ratio.numerator} {kind} {ratio.denominator}") if ratio else Odds("push")
