"""How often every course of a round of Criss Cross Poker is taken, and what it comes to."""

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
"""The bets of a round in antes, in order; after a fold, only those before it."""


class CourseTally(NamedTuple):
    """The deals that end in each course."""

    folded: Mapping[Bets, int]
    played: Mapping[Bets, Counts]
    """By the groups of both hands, as `CrissCrossPayoffs` numbers them."""

    @property
    def deals(self) -> int:
        return sum(self.folded.values()) + sum(int(counts.sum()) for counts in self.played.values())


def distribution(terms: CrissCrossPayoffs, tally: CourseTally) -> Distribution:
    """What the player is up by, in antes."""
    counts: Counter[int] = Counter()
    for bets, count in tally.folded.items():
        counts[-(len(ANTES) + sum(bets)) * terms.scale] += count
    for bets, by_groups in tally.played.items():
        net = terms.antes + sum(bet * line for bet, line in zip(bets, terms.bets, strict=True))
        for place in np.flatnonzero(by_groups).tolist():
            counts[int(net[place])] += int(by_groups[place])
    return Distribution.of({Fraction(net, terms.scale): count for net, count in counts.items()})


def average_total_wagered(tally: CourseTally) -> Fraction:
    """All that is staked in a round, antes included."""
    staked = sum(count * sum(bets) for bets, count in _courses(tally).items())
    return len(ANTES) + Fraction(staked, tally.deals)


def decision_rates(tally: CourseTally) -> dict[str, dict[str, Fraction]]:
    """How often each choice is made, of all rounds."""
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


# --- The best play of Criss Cross Poker, worked out from the last decision to the first.

Chosen = NDArray[np.int8]
"""Bets in antes; 0 is a fold."""


class Induction(NamedTuple):
    """Best play. Values are sums over all deals still possible, in the whole numbers of `CrissCrossPayoffs`."""

    terms: CrissCrossPayoffs
    prospects: Continuations
    third: Chosen
    """By prospect and the first two bets, in the order of `CrissCrossPayoffs.ends`."""
    row_values: Counts
    """By row and first bet: with the best down bet, or folded."""
    second: Chosen
    hole_values: Counts
    """By starting hand: the value of each first bet, the smallest first."""
    first: Chosen
    """By starting hand."""
    total: int
    """The value of the game, summed over all deals."""


def induce(terms: CrissCrossPayoffs, *, may_fold: bool = True) -> Induction:
    """Work out the best play. Of choices that are worth the same, the larger bet is taken."""
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
    """For each prospect and each two bets before: the value with the best middle bet, summed over the middle cards.

    The two bets are given in parts of an ante of which `unit` make one, and so are the values. `cards` is how many
    middle cards the sums are over, where it is not all that are left.
    """
    low, high = terms.stakes[2]
    stakes = Stakes(unit, len(ANTES), terms.scale, low, high, cards or terms.deals.middle, may_fold)
    return kernel.best_ends(sums, np.array(bets, dtype=np.int64), stakes)


def folded(terms: CrissCrossPayoffs, bets: Bets) -> int:
    """What a fold leaves: the antes and all earlier bets are lost."""
    return -(len(ANTES) + sum(bets)) * terms.scale


def best(options: Mapping[int, Counts | int], size: int) -> tuple[Chosen, Counts]:
    """The bet with the greatest value, and that value; the larger bet where they are equal."""
    bets = np.array(sorted(options, reverse=True), dtype=np.int8)
    values = np.stack([np.broadcast_to(options[int(bet)], size) for bet in bets])
    chosen = values.argmax(axis=0)
    return bets[chosen], values.max(axis=0)


def tally(play: Induction) -> CourseTally:
    """How often every course of the round is taken under best play."""
    of, deals = play.prospects, play.terms.deals
    hole_of_row = np.repeat(np.arange(len(of.hole_ways)), np.diff(of.row_start))
    ways = of.hole_ways[hole_of_row] * of.row_ways
    by_first = np.stack([np.where(play.first[hole_of_row] == x, ways, 0) for x in play.terms.stakes[0]])
    folded_holes = int(of.hole_ways[play.first == 0].sum())
    return counted(play, by_first, folded_holes * deals.across * deals.down * deals.middle)


def counted(play: Induction, row_ways: Counts, folded_deals: int) -> CourseTally:
    """The tally of rows that are reached in so many ways by each first bet, with best play from there on."""
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
    """The hands that come out of prospects reached in so many ways, by the bets made; and the deals folded last."""
    played: dict[Bets, Counts] = {}
    folds: dict[Bets, int] = {}
    for number, bets in enumerate(terms.ends):
        ways, chosen = reached[number], third[:, number]
        folds[bets] = int(ways[chosen == 0].sum()) * terms.deals.middle
        by_bet = np.stack([np.where(chosen == z, ways, 0) for z in terms.stakes[2]])
        for z, counts in zip(terms.stakes[2], outcome_ways(of, by_bet, terms.groups), strict=True):
            played[*bets, z] = counts
    return played, folds
