"""Backward induction for Criss Cross Poker, and the frequency of every course of a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solution import Distribution
from crossfelt.analysis.solver.criss_cross.payoffs import ANTES, BETS, Counts, CrissCrossPayoffs
from crossfelt.kernels.criss_cross import induction as kernel
from crossfelt.kernels.criss_cross.continuations import Continuations, continuations
from crossfelt.kernels.criss_cross.induction import Stakes, kind_sums, outcome_ways, prospect_sums, prospect_ways

FOLD: Final = "fold"
Bets = tuple[int, ...]
"""Bets of a round in antes, in order; after a fold, only those before it."""


class CourseTally(NamedTuple):
    """The number of deals by course."""

    folded: Mapping[Bets, int]
    played: Mapping[Bets, Counts]
    """Deals by bets and by the groups of both hands, as `CrissCrossPayoffs` numbers them."""

    @property
    def deals(self) -> int:
        return sum(self.folded.values()) + sum(int(counts.sum()) for counts in self.played.values())


def distribution(terms: CrissCrossPayoffs, tally: CourseTally) -> Distribution:
    """Return the distribution of the player's net result, in antes."""
    counts: Counter[int] = Counter()
    for bets, count in tally.folded.items():
        counts[-(len(ANTES) + sum(bets)) * terms.scale] += count
    for bets, by_groups in tally.played.items():
        net = terms.antes + sum(bet * line for bet, line in zip(bets, terms.bets, strict=True))
        for place in np.flatnonzero(by_groups).tolist():
            counts[int(net[place])] += int(by_groups[place])
    return Distribution.of({Fraction(net, terms.scale): count for net, count in counts.items()})


def average_total_wagered(tally: CourseTally) -> Fraction:
    """Return the average of all stakes in a round, including the antes."""
    staked = sum(count * sum(bets) for bets, count in _courses(tally).items())
    return len(ANTES) + Fraction(staked, tally.deals)


def decision_rates(tally: CourseTally) -> dict[str, dict[str, Fraction]]:
    """Return the probability of each choice, of all rounds."""
    counts: dict[str, Counter[str]] = {bet: Counter() for bet in BETS}
    for bets, count in _courses(tally).items():
        for decision, times in zip(BETS, bets, strict=False):
            counts[decision][f"{times}x"] += count
        if len(bets) < len(BETS):
            counts[BETS[len(bets)]][FOLD] += count
    return {
        decision: {choice: Fraction(count, tally.deals) for choice, count in sorted(made.items(), key=_order)}
        for decision, made in counts.items()
    }


def _order(made: tuple[str, int]) -> tuple[bool, str]:
    return made[0] != FOLD, made[0]


def _courses(tally: CourseTally) -> Counter[Bets]:
    courses: Counter[Bets] = Counter(tally.folded)
    courses.update({bets: int(counts.sum()) for bets, counts in tally.played.items()})
    return courses


# --- best play ---

Chosen = NDArray[np.int8]
"""Bets in antes; 0 is a fold."""


class Induction(NamedTuple):
    """Best play; values are sums over all remaining deals, in the integers of `CrissCrossPayoffs`."""

    terms: CrissCrossPayoffs
    prospects: Continuations
    third: Chosen
    """Middle bet by prospect and the first two bets, in the order of `CrissCrossPayoffs.ends`."""
    row_values: Counts
    """Value by row and first bet, with the best down bet or a fold."""
    second: Chosen
    hole_values: Counts
    """Value of each first bet by starting hand, the smallest bet first."""
    first: Chosen
    """First bet by starting hand."""
    total: int
    """Value of the game, summed over all deals."""


def induce(terms: CrissCrossPayoffs, *, may_fold: bool = True) -> Induction:
    """Compute best play; of equal choices the larger bet is taken."""
    of = continuations(terms.grouping)
    values, third = best_ends(terms, prospect_sums(of, terms.values), terms.ends, may_fold=may_fold)
    sums = kind_sums(of, values).reshape(-1, len(terms.stakes[0]), len(terms.stakes[1]))
    deals = terms.deals
    after_down = deals.down * deals.middle
    kind_second = np.zeros(sums.shape[:2], dtype=np.int8)
    kind_values = np.zeros(sums.shape[:2], dtype=np.int64)
    for place, x in enumerate(terms.stakes[0]):
        options = dict(zip(terms.stakes[1], sums[:, place].T, strict=True))
        fold = {0: folded(terms, (x,)) * after_down} if may_fold else {}
        kind_second[:, place], kind_values[:, place] = best({**fold, **options}, len(sums))
    second, row_values = kind_second[of.row_kind], kind_values[of.row_kind]
    hole_values = np.add.reduceat(of.row_ways[:, None] * row_values, of.row_start[:-1], axis=0)
    fold = {0: folded(terms, ()) * deals.across * after_down} if may_fold else {}
    first, hole_best = best({**fold, **dict(zip(terms.stakes[0], hole_values.T, strict=True))}, len(hole_values))
    total = int((of.hole_ways * hole_best).sum())
    return Induction(terms, of, third, row_values, second, hole_values, first, total)


def best_ends(
    terms: CrissCrossPayoffs,
    sums: Counts,
    bets: Sequence[tuple[int, int]],
    *,
    unit: int = 1,
    cards: int | None = None,
    may_fold: bool = True,
) -> tuple[Counts, Chosen]:
    """Return the value with the best middle bet by prospect and earlier bets, summed over the middle cards.

    Bets and values are in parts of an ante, of which `unit` make one. `cards` is the number of middle cards in the
    sums, if not all that are left.
    """
    low, high = terms.stakes[2]
    stakes = Stakes(unit, len(ANTES), terms.scale, low, high, cards or terms.deals.middle, may_fold)
    return kernel.best_ends(sums, np.array(bets, dtype=np.int64), stakes)


def folded(terms: CrissCrossPayoffs, bets: Bets) -> int:
    """Return the value of a fold, which loses the antes and all earlier bets."""
    return -(len(ANTES) + sum(bets)) * terms.scale


def best(options: Mapping[int, Counts | int], size: int) -> tuple[Chosen, Counts]:
    """Return the bet with the greatest value, and that value; of equal bets the larger."""
    bets = np.array(sorted(options, reverse=True), dtype=np.int8)
    values = np.stack([np.broadcast_to(options[int(bet)], size) for bet in bets])
    chosen = values.argmax(axis=0)
    return bets[chosen], values.max(axis=0)


def tally(play: Induction) -> CourseTally:
    """Count every course of the round under best play."""
    of, deals = play.prospects, play.terms.deals
    hole_of_row = np.repeat(np.arange(len(of.hole_ways)), np.diff(of.row_start))
    ways = of.hole_ways[hole_of_row] * of.row_ways
    by_first = np.stack([np.where(play.first[hole_of_row] == x, ways, 0) for x in play.terms.stakes[0]])
    folded_holes = int(of.hole_ways[play.first == 0].sum())
    return counted(play, by_first, folded_holes * deals.across * deals.down * deals.middle)


def counted(play: Induction, row_ways: Counts, folded_deals: int) -> CourseTally:
    """Count the courses from rows reached in these numbers of ways by first bet, with best play from there."""
    terms, of = play.terms, play.prospects
    folds: dict[Bets, int] = {(): folded_deals}
    reached = np.zeros((len(terms.ends), len(of.outcome_start) - 1), dtype=np.int64)
    per_first = len(terms.stakes[1])
    for place, x in enumerate(terms.stakes[0]):
        second, ways = play.second[:, place], row_ways[place]
        folds[x,] = int(ways[second == 0].sum()) * terms.deals.down * terms.deals.middle
        by_second = np.stack([np.where(second == y, ways, 0) for y in terms.stakes[1]])
        reached[per_first * place : per_first * (place + 1)] = prospect_ways(of, by_second)
    played, folded_last = played_out(terms, of, reached, play.third)
    return CourseTally({**folds, **folded_last}, played)


def played_out(
    terms: CrissCrossPayoffs, of: Continuations, reached: Counts, third: Chosen
) -> tuple[dict[Bets, Counts], dict[Bets, int]]:
    """Count the final hands of prospects reached in these numbers of ways, by bets; and the deals folded last."""
    played: dict[Bets, Counts] = {}
    folds: dict[Bets, int] = {}
    for number, bets in enumerate(terms.ends):
        ways, chosen = reached[number], third[:, number]
        folds[bets] = int(ways[chosen == 0].sum()) * terms.deals.middle
        by_bet = np.stack([np.where(chosen == z, ways, 0) for z in terms.stakes[2]])
        for z, counts in zip(terms.stakes[2], outcome_ways(of, by_bet, terms.groups), strict=True):
            played[*bets, z] = counts
    return played, folds
