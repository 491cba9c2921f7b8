"""Strategies of Criss Cross Poker other than the best one, each evaluated exactly."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from crossfelt.analysis.solver.criss_cross.features import rows_of
from crossfelt.analysis.solver.criss_cross.induction import FOLD, Bets, Chosen, CourseTally, induce, tally
from crossfelt.analysis.solver.criss_cross.payoffs import Counts, CrissCrossPayoffs
from crossfelt.analysis.solver.criss_cross.rule_of_thumb import RULES, worths
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput, Problem
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.kernels.criss_cross.continuations import continuations, layout, positions
from crossfelt.kernels.criss_cross.induction import outcome_ways, reach_by_strategy
from crossfelt.kernels.threads import in_threads, share_of
from crossfelt.play.player_view import PlayerView
from crossfelt.rulebooks.game import Game

_SHARES: Final = 4


class FixedStrategy(NamedTuple):
    """A bet for every decision in antes, 0 for a fold; later bets depend on the cards, not on earlier bets."""

    first: Chosen
    """First bet by starting hand."""
    second: Chosen
    """Second bet by row: a starting hand and the pair across."""
    third: Callable[[int], Chosen]
    """Returns the third bets of a starting hand, by pair across and pair down."""


def tally_of(terms: CrissCrossPayoffs, plan: FixedStrategy) -> CourseTally:
    """Count every course of the round under a plan."""
    of, every, deals = continuations(terms.grouping), positions(terms.grouping), terms.deals
    bets = int(max(high for _, high in terms.stakes)) + 1
    courses = (bets, bets, bets, len(of.outcome_start) - 1)

    def share(number: int) -> Counts:
        reached = np.zeros(courses, dtype=np.int64)
        holes = share_of(len(STARTING_HANDS), number, _SHARES)
        for hole in range(holes.start, holes.stop):
            if plan.first[hole] and of.hole_ways[hole]:
                types = layout(STARTING_HANDS[hole], terms.grouping.ranks)
                size = len(types.pairs)
                here = every.prospect[every.start[hole] : every.start[hole + 1]].reshape(size, size)
                second = plan.second[of.row_start[hole] : of.row_start[hole + 1]]
                third = np.ascontiguousarray(plan.third(hole))
                ways = int(of.hole_ways[hole])
                reach_by_strategy(types.left, types.pairs, here, second, third, ways, reached[plan.first[hole]])
        return reached

    reached = np.sum(in_threads(share, _SHARES), axis=0)
    hole_of_row = np.repeat(np.arange(len(of.hole_ways)), np.diff(of.row_start))
    ways = of.hole_ways[hole_of_row] * of.row_ways
    after = deals.down * deals.middle
    folded: dict[Bets, int] = {(): int(of.hole_ways[plan.first == 0].sum()) * deals.across * after}
    played: dict[Bets, Counts] = {}
    for x in sorted(set(plan.first.tolist()) - {0}):
        folded[x,] = int(ways[(plan.first[hole_of_row] == x) & (plan.second == 0)].sum()) * after
        for y in range(1, bets):
            folded[x, y] = int(reached[x, y, 0].sum()) * deals.middle
            counts = outcome_ways(of, reached[x, y, 1:], terms.groups)
            played.update({(x, y, z): by_groups for z, by_groups in enumerate(counts, start=1) if by_groups.any()})
    return CourseTally({course: count for course, count in folded.items() if count}, played)


# --- plans by name --------------------------------------------------------------------------------------------------


def always(terms: CrissCrossPayoffs, game: Game, times: int) -> CourseTally:
    """Bet the same multiple with any cards."""
    of = continuations(terms.grouping)
    sizes = {True: 0, False: 0}
    for hand in STARTING_HANDS:
        sizes[hand.suited] = len(layout(hand).pairs)

    def third(hole: int) -> Chosen:
        size = sizes[STARTING_HANDS[hole].suited]
        return np.full((size, size), times, dtype=np.int8)

    rows = np.full(len(of.row_ways), times, dtype=np.int8)
    return tally_of(terms, FixedStrategy(np.full(len(STARTING_HANDS), times, dtype=np.int8), rows, third))


def never_fold(terms: CrissCrossPayoffs, game: Game) -> CourseTally:
    """Return best play without folds."""
    return tally(induce(terms, may_fold=False))


def simple_rules(terms: CrissCrossPayoffs, game: Game) -> CourseTally:
    """Return the rule of thumb."""
    return tally_of(terms, thumb_plan(game))


def thumb_plan(game: Game) -> FixedStrategy:
    """Return the rule of thumb as a plan; games with the same rules share it."""
    read = (*((line.id, *line.places) for line in game.book.lines), *worths(game))
    if read not in _thumb_plans:
        _thumb_plans[read] = _thumb_plan(game)
    return _thumb_plans[read]


_thumb_plans: dict[tuple[Hashable, ...], FixedStrategy] = {}


def _thumb_plan(game: Game) -> FixedStrategy:
    """Evaluate the rule of thumb in every position.

    A rule for the middle bet applies if it applies to either line, so the first rule that applies to one of the
    lines decides. Each line is tested with the other still face down.
    """
    first = np.array([_bet(_rule(game, "across", hand.cards, ())) for hand in STARTING_HANDS], dtype=np.int8)
    second, by_line = [], []
    for hole, across in rows_of():
        second.append(_bet(_rule(game, "down", hole, across)))
        by_line.append(_rule(game, "middle", hole, across))
    bets = np.array([_bet(number) for number in range(len(RULES))], dtype=np.int8)
    numbers = np.array(by_line)
    starts = np.cumsum([0, *(len(layout(hand).pairs) for hand in STARTING_HANDS)])

    def third(hole: int) -> Chosen:
        of_line = numbers[starts[hole] : starts[hole + 1]]
        told: Chosen = bets[np.minimum(of_line[:, None], of_line[None, :])]
        return told

    return FixedStrategy(first, np.array(second, dtype=np.int8), third)


def _rule(game: Game, asked: str, hole: Sequence[Card], across: Sequence[Card]) -> int:
    """Return the number of the rule that applies."""
    sight = PlayerView(
        game=game,
        seat=1,
        round=1,
        step=f"decide_{asked}",
        asked=asked,
        hole=tuple(hole),
        face_up=dict(zip(("across_left", "across_right"), across, strict=False)),
        placed={},
        options={},
    )
    return next(number for number, rule in enumerate(RULES) if rule.wager == asked and rule.when(sight))


def _bet(number: int) -> int:
    action = RULES[number].action
    return 0 if action == FOLD else int(action.removesuffix("x"))


PLANS: Final[Mapping[str, Callable[[CrissCrossPayoffs, Game], CourseTally]]] = {
    "never-fold": never_fold,
    "simple": simple_rules,
    "always-1": partial(always, times=1),
    "always-2": partial(always, times=2),
    "always-3": partial(always, times=3),
}
"""Strategies by name."""


def plan_named(name: str) -> Callable[[CrissCrossPayoffs, Game], CourseTally]:
    if name not in PLANS:
        allowed = ", ".join(("optimal", *PLANS))
        raise BadInput(
            Problem(code="strategy.unknown", where="strategy", what="no such strategy", value=name, allowed=allowed)
        )
    return PLANS[name]
