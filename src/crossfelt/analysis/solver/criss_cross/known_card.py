"""Best play of Criss Cross Poker for a player who sees one community card before the first decision.

It does not matter which of the two across or down cards is seen, but each deal counts twice: once for each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np

from crossfelt.analysis.solver.criss_cross.induction import (
    Bets,
    Chosen,
    CourseTally,
    best,
    best_ends,
    counted,
    folded,
    induce,
    played_out,
)
from crossfelt.analysis.solver.criss_cross.payoffs import Counts, CrissCrossPayoffs
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.kernels.criss_cross.continuations import (
    CardTypes,
    continuations,
    layout,
    line_groups,
    line_profile,
    positions,
)
from crossfelt.kernels.criss_cross.induction import prospect_sums
from crossfelt.kernels.criss_cross.known_cards import (
    count_with_known_middle,
    reach_with_known_down,
    sum_with_known_down,
)
from crossfelt.kernels.threads import in_threads


class KnownCard(NamedTuple):
    """The solution for a known card."""

    tally: CourseTally
    total: int
    """Value, summed over all deals of the tally."""


def known_across(terms: CrissCrossPayoffs) -> KnownCard:
    """Solve with one across card known; from the second decision the game is the usual one."""
    play = induce(terms)
    of = play.prospects
    times = len(terms.stakes[0])
    cases = np.zeros((times, len(of.row_ways)), dtype=np.int64)
    total = folded_deals = 0
    deals = terms.deals
    after = deals.down * deals.middle
    for number, hand in enumerate(STARTING_HANDS):
        types = layout(hand, terms.grouping.ranks)
        rows = slice(of.row_start[number], of.row_start[number + 1])
        # Number of ways in which the known card is of the first or second type of a pair; two of a type count twice.
        one, two = types.pairs.T
        ways = of.row_ways[rows]
        values = np.zeros((len(types.left), times), dtype=np.int64)
        for which in (one, two):
            np.add.at(values, which, ways[:, None] * play.row_values[rows])
        fold = types.left * (types.left.sum() - 1) * folded(terms, ()) * after
        first, first_values = best({0: fold, **dict(zip(terms.stakes[0], values.T, strict=True))}, len(values))
        total += int(of.hole_ways[number] * first_values.sum())
        folded_deals += int(of.hole_ways[number] * (types.left * (types.left.sum() - 1))[first == 0].sum()) * after
        for place, x in enumerate(terms.stakes[0]):
            cases[place, rows] = (first[one] == x).astype(np.int64) + (first[two] == x)
    hole_of_row = np.repeat(of.hole_ways, np.diff(of.row_start))
    return KnownCard(counted(play, cases * hole_of_row * of.row_ways, folded_deals), total)


def known_down(terms: CrissCrossPayoffs) -> KnownCard:
    """Solve with one down card known, which affects the first two decisions."""
    of, every = continuations(terms.grouping), positions(terms.grouping)
    ends, third = best_ends(terms, prospect_sums(of, terms.values), terms.ends)
    others = terms.deals.middle * (terms.deals.middle + 1)

    def hole(number: int) -> _Hole:
        types = layout(STARTING_HANDS[number], terms.grouping.ranks)
        size = len(types.pairs)
        here = every.prospect[every.start[number] : every.start[number + 1]].reshape(size, size)
        sums = np.zeros((size, len(types.left), len(terms.ends)), dtype=np.int64)
        sum_with_known_down(types.left, types.pairs, here, ends, sums)
        row_ways = of.row_ways[of.row_start[number] : of.row_start[number + 1], None]
        ways = int(of.hole_ways[number]) * row_ways * _left_after_across(types)
        chosen = _first_two(terms, sums, ways, others)
        reached = np.zeros((len(terms.ends), len(ends)), dtype=np.int64)
        if of.hole_ways[number]:
            reach_with_known_down(types.left, types.pairs, here, chosen.plan, int(of.hole_ways[number]), reached)
        return _Hole(chosen, reached)

    holes = in_threads(hole, len(STARTING_HANDS))
    reached = np.sum([one.reached for one in holes], axis=0)
    played, folds = played_out(terms, of, reached, third)
    return _together(holes, played, folds)


def known_middle(terms: CrissCrossPayoffs) -> KnownCard:
    """Solve with the middle card known; after the third decision nothing is random."""
    hole_ways = continuations(terms.grouping).hole_ways
    lines = line_groups(terms.grouping)
    ends, third = best_ends(terms, terms.values.T, terms.ends, cards=1)
    by_groups = ends.reshape(terms.groups, terms.groups, -1)
    cards = terms.deals.middle + 1
    others = cards * (cards - 1) // 2

    def hole(number: int) -> _Hole:
        hand = STARTING_HANDS[number]
        types = layout(hand, terms.grouping.ranks)
        profile = line_profile(hand, types, lines)
        ways = np.zeros(profile.shape, dtype=np.int64)
        down = np.zeros((*profile.shape, terms.groups), dtype=np.int64)
        count_with_known_middle(types.left, types.pairs, profile, ways, down)
        sums = np.einsum("amg,amgc->amc", down, by_groups[profile])
        ways *= hole_ways[number]
        chosen = _first_two(terms, sums, ways, others)
        reached = np.zeros((len(terms.ends), terms.groups, terms.groups), dtype=np.int64)
        for plan in range(len(terms.ends)):
            here = chosen.plan == plan
            np.add.at(reached[plan], profile[here], ways[here][:, None] * down[here])
        return _Hole(chosen, reached.reshape(len(terms.ends), -1))

    holes = in_threads(hole, len(STARTING_HANDS))
    reached = np.sum([one.reached for one in holes], axis=0)
    played: dict[Bets, Counts] = {}
    folds: dict[Bets, int] = {}
    for place, bets in enumerate(terms.ends):
        folds[bets] = int(reached[place][third[:, place] == 0].sum())
        for z in terms.stakes[2]:
            played[*bets, z] = np.where(third[:, place] == z, reached[place], 0)
    return _together(holes, played, folds)


class _Chosen(NamedTuple):
    """The first two bets with one starting hand, by pair across and known card."""

    plan: Chosen
    """Index of both bets in `CrissCrossPayoffs.ends`; negative after a fold."""
    folded: Mapping[Bets, int]
    value: int


class _Hole(NamedTuple):
    """The contribution of one starting hand to the tally."""

    chosen: _Chosen
    reached: Counts
    """Deals by plan, and by prospect or groups."""


def _first_two(terms: CrissCrossPayoffs, sums: Counts, ways: Counts, others: int) -> _Chosen:
    """Return the best first two bets, given the value of each two by pair across and known card, summed over
    `others`."""
    by_bets = sums.reshape(*sums.shape[:2], len(terms.stakes[0]), -1)
    size = ways.size
    second, second_values = [], []
    for place, x in enumerate(terms.stakes[0]):
        options = {y: by_bets[:, :, place, at].reshape(-1) for at, y in enumerate(terms.stakes[1])}
        bets, values = best({0: folded(terms, (x,)) * others, **options}, size)
        second.append(bets.reshape(ways.shape))
        second_values.append((ways * values.reshape(ways.shape)).sum(axis=0))
    known_ways = ways.sum(axis=0)
    fold = known_ways * folded(terms, ()) * others
    first, values = best({0: fold, **dict(zip(terms.stakes[0], second_values, strict=True))}, len(known_ways))
    folds: dict[Bets, int] = {(): int(known_ways[first == 0].sum()) * others}
    plan = np.full(ways.shape, -1, dtype=np.int8)
    for place, x in enumerate(terms.stakes[0]):
        here = first == x
        folds[x,] = int(ways[here & (second[place] == 0)].sum()) * others
        for number, bets_made in enumerate(terms.ends):
            if bets_made[0] == x:
                plan[here & (second[place] == bets_made[1])] = number
    return _Chosen(plan, folds, int(values.sum()))


def _left_after_across(types: CardTypes) -> Counts:
    """Count the cards of each type that are left beside each pair across."""
    left = np.repeat(types.left[None, :], len(types.pairs), axis=0)
    rows = np.arange(len(types.pairs))
    for place in range(2):
        np.add.at(left, (rows, types.pairs[:, place]), -1)
    # A pair that cannot be dealt has no ways.
    return np.maximum(left, 0)


def _together(holes: list[_Hole], played: dict[Bets, Counts], folds: dict[Bets, int]) -> KnownCard:
    all_folds: Counter[Bets] = Counter(folds)
    for hole in holes:
        all_folds.update(hole.chosen.folded)
    return KnownCard(CourseTally(all_folds, played), sum(hole.chosen.value for hole in holes))


KNOWN: Final[Mapping[str, Callable[[CrissCrossPayoffs], KnownCard]]] = {
    "middle": known_middle,
    "across": known_across,
    "down": known_down,
}
"""Solvers by known card."""
