"""The best play of Criss Cross Poker, worked out from the last decision to the first."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.criss_cross_tally import Bets, Tally
from crossfelt.analysis.criss_cross_terms import ANTES, Counts, Terms
from crossfelt.kernels.criss_cross import outcome_ways, prospect_sums, prospect_ways, row_sums
from crossfelt.kernels.prospects import Prospects, prospects

Chosen = NDArray[np.int8]
"""Bets in antes; 0 is a fold."""


class Induction(NamedTuple):
    """Best play. Values are sums over all deals that are still possible, in the whole numbers of `Terms`."""

    terms: Terms
    prospects: Prospects
    third: Chosen
    """By prospect and the first two bets, in the order of `Terms.ends`."""
    row_values: Counts
    """By row and first bet: with the best down bet, or folded."""
    second: Chosen
    hole_values: Counts
    """By starting hand: the value of each first bet, the smallest first."""
    first: Chosen
    """By starting hand."""
    total: int
    """The value of the game, summed over all deals."""


def induce(terms: Terms) -> Induction:
    """Work out the best play. Of choices that are worth the same, the larger bet is taken."""
    of = prospects(terms.grouping)
    values, third = best_ends(terms, prospect_sums(of, terms.values), terms.ends)
    sums = row_sums(of, values).reshape(len(of.row_ways), len(terms.stakes[0]), -1)
    deals = terms.deals
    after_down = deals.down * deals.middle
    second = np.zeros(sums.shape[:2], dtype=np.int8)
    row_values = np.zeros(sums.shape[:2], dtype=np.int64)
    for place, x in enumerate(terms.stakes[0]):
        options = {0: folded(terms, (x,)) * after_down, **dict(zip(terms.stakes[1], sums[:, place].T, strict=True))}
        second[:, place], row_values[:, place] = best(options, len(sums))
    hole_values = np.add.reduceat(of.row_ways[:, None] * row_values, of.row_start[:-1], axis=0)
    fold = folded(terms, ()) * deals.across * after_down
    first, hole_best = best({0: fold, **dict(zip(terms.stakes[0], hole_values.T, strict=True))}, len(hole_values))
    total = int((of.hole_ways * hole_best).sum())
    return Induction(terms, of, third, row_values, second, hole_values, first, total)


def best_ends(terms: Terms, sums: Counts, bets: list[tuple[int, int]]) -> tuple[Counts, Chosen]:
    """For each prospect and each two bets before: the value with the best middle bet, summed over the middle cards."""
    values = np.zeros((len(sums), len(bets)), dtype=np.int64)
    chosen = np.zeros(values.shape, dtype=np.int8)
    antes, across, down, middle = sums.T
    for place, (x, y) in enumerate(bets):
        so_far = antes + x * across + y * down
        options = {0: folded(terms, (x, y)) * terms.deals.middle, **{z: so_far + z * middle for z in terms.stakes[2]}}
        chosen[:, place], values[:, place] = best(options, len(sums))
    return values, chosen


def folded(terms: Terms, bets: Bets) -> int:
    """What a fold leaves: the antes and all earlier bets are lost."""
    return -(len(ANTES) + sum(bets)) * terms.scale


def best(options: dict[int, Counts | int], size: int) -> tuple[Chosen, Counts]:
    """The bet with the greatest value, and that value; the larger bet where they are equal."""
    bets = np.array(sorted(options, reverse=True), dtype=np.int8)
    values = np.stack([np.broadcast_to(options[int(bet)], size) for bet in bets])
    chosen = values.argmax(axis=0)
    return bets[chosen], values.max(axis=0)


def tally(play: Induction) -> Tally:
    """How often every course of the round is taken under best play."""
    terms, of = play.terms, play.prospects
    deals = terms.deals
    hole_of_row = np.repeat(np.arange(len(of.hole_ways)), np.diff(of.row_start))
    ways = of.hole_ways[hole_of_row] * of.row_ways
    folded_at_first = int(of.hole_ways[play.first == 0].sum())
    folds: dict[Bets, int] = {(): folded_at_first * deals.across * deals.down * deals.middle}
    plan = np.full(len(of.row_ways), -1, dtype=np.int8)
    for place, x in enumerate(terms.stakes[0]):
        here = play.first[hole_of_row] == x
        for number, bets in enumerate(terms.ends):
            if bets[0] == x:
                plan[here & (play.second[:, place] == bets[1])] = number
        folds[x,] = int(ways[here & (play.second[:, place] == 0)].sum()) * deals.down * deals.middle
    reached = prospect_ways(of, plan, len(terms.ends))
    played: dict[Bets, Counts] = {}
    for number, bets in enumerate(terms.ends):
        third = play.third[:, number]
        folds[bets] = int(reached[number][third == 0].sum()) * deals.middle
        by_bet = np.stack([np.where(third == z, reached[number], 0) for z in terms.stakes[2]])
        for z, counts in zip(terms.stakes[2], outcome_ways(of, by_bet, terms.groups), strict=True):
            played[*bets, z] = counts
    return Tally(folds, played)
