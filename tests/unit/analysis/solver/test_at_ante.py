"""The return at an ante, cut at the payout limit: against brute force, and against rounds that the table settles."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest
from numba import njit

from crossfelt.analysis import solve
from crossfelt.analysis.simulation.plan import SeatPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.simulation.referee import refereed
from crossfelt.analysis.simulation.rounds import block_of
from crossfelt.analysis.solver.courses import Courses
from crossfelt.analysis.solver.played_out import play_out
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.solver.solve import PayoffsAtAnte
from crossfelt.cards import parse_cards
from crossfelt.errors import BadInput
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.rulebooks.game import compile_game
from oracles.criss_cross_brute import LINES, Ints, line
from oracles.criss_cross_value import ANTES, BETS
from unit.table.manual_table import low_limit

LIMIT_CENTS = 50_000_00


def test_the_limit_lowers_the_return_above_the_ante_to_which_it_holds() -> None:
    found = solve("nj-criss-cross", antes=[500, 1611, 1612, 10_000])
    assert (found.limit_cents, found.holds_to_cents) == (LIMIT_CENTS, 1611)
    assert found.headline().endswith("up to an ante of $16.11")
    below, last, above, far = found.at_antes
    assert below.same_play == below.best_play == found.distribution
    assert last.same_play.mean == found.ev
    for at in (above, far):
        assert at.best_play is not None
        assert at.same_play.mean <= at.best_play.mean < found.ev
        assert at.same_play.deals == at.best_play.deals == found.distribution.deals
    assert far.best_play is not None
    assert far.same_play.mean < far.best_play.mean
    # Twice the ante: the whole multiple between the smallest and the largest.
    assert far.decisions["down"]["2x"] > 0


def _values(hole: Ints, left: Ints, pairs: Ints, net: Ints, lost: int) -> Ints:
    """Return the value of each across bet with best play after it, summed over all other cards, in cents; `net` is by
    the three bets and the two lines."""
    made = np.zeros((len(pairs), len(left)), np.int64)
    for number in range(len(pairs)):
        cards = np.zeros(5, np.int64)
        cards[:2] = hole
        cards[2:4] = left[pairs[number]]
        for middle in range(len(left)):
            cards[4] = left[middle]
            made[number, middle] = line(cards)
    total, sums = np.zeros(3, np.int64), np.zeros(27, np.int64)
    for across in range(len(pairs)):
        a, b = pairs[across]
        rows = np.zeros((3, 4), np.int64)
        for down in range(len(pairs)):
            c, d = pairs[down]
            if c in (a, b) or d in (a, b):
                continue
            sums[:] = 0
            for m in range(len(left)):
                if m != a and m != b and m != c and m != d:  # a tuple is slower here
                    row = made[across, m] * 11 + made[down, m]
                    for bets in range(27):
                        sums[bets] += net[row, bets]
            for x in range(3):
                rows[x, 3] -= (3 + x) * lost * 46
                for y in range(3):
                    first = 9 * x + 3 * y
                    rows[x, y] += max(sums[first], sums[first + 1], sums[first + 2], -(4 + x + y) * lost * 46)
        for x in range(3):
            total[x] += rows[x].max()
    return total


@pytest.mark.exhaustive
def test_best_play_under_the_limit_is_that_of_brute_force() -> None:
    """63,562,800 deals of ace and king suited, each with every whole multiple."""
    ante = 100_00
    hand = STARTING_HANDS[starting_hand(parse_cards("As Ks"))]
    hole = np.array([int(card) for card in hand.cards])
    left = np.array([card for card in range(52) if card not in hole])
    antes, bets = ([table.get(name, -1) for name in LINES] for table in (ANTES, BETS))
    net = np.zeros((len(LINES), len(LINES), 3, 3, 3), np.int64)
    for one, two, x, y, z in product(range(len(LINES)), range(len(LINES)), *[range(3)] * 3):
        stakes = (1, 1, 1 + x, 1 + y, 1 + z)
        odds = (antes[one], antes[two], bets[one], bets[two], bets[max(one, two)])
        gains = [ante * stake * each for stake, each in zip(stakes, odds, strict=True)]
        won = sum(gain for gain in gains if gain > 0)
        net[one, two, x, y, z] = sum(gains) - max(won - LIMIT_CENTS, 0)
    brute: Any = njit(_values)
    expected = brute(hole, left, np.array(list(combinations(range(50), 2))), net.reshape(121, 27), ante)
    payoffs = PayoffsAtAnte(plan := RoundPlan(compile_game("nj-criss-cross")), ante)
    starts = play_out(payoffs, Courses(plan, every_multiple=True)).starts
    assert starts is not None
    (row,) = np.flatnonzero(starts.hand == starting_hand(parse_cards("As Ks")))
    by_choice = {
        option.name: Fraction(int(values[starts.place[row]]) * ante, payoffs.scale)
        for option, values in zip(starts.decided.options, starts.decided.values, strict=True)
        if not isinstance(values, int)
    }
    assert starts.deals[row] == comb(50, 2) * comb(48, 2) * 46
    assert by_choice == {f"{1 + x}x": int(value) for x, value in enumerate(expected)}


@pytest.mark.parametrize("ante", [700, 3_333])
def test_the_table_pays_as_the_exact_distribution_says(ante: int) -> None:
    """A low limit in Maryland cuts many rounds; the table settles some of them again."""
    game = compile_game("md-criss-cross", low_limit(90_00))
    (at,) = solve(game, antes=[ante]).at_antes
    plan = plan_for(game, [SeatPlan(wagers={"ante": ante}, strategy="optimal")])
    assert refereed(game, plan, 20) == []
    block = block_of(game, plan, 0, plan.block_rounds)
    net = np.sum([wagered.net for wagered in block.wagers[0].values()], axis=0)
    exact = at.same_play
    assert set(np.unique(net).tolist()) <= {outcome.net * ante for outcome in exact.outcomes}
    deviation = float(np.mean(net)) / ante - float(exact.mean)
    assert abs(deviation) < 4 * sqrt(exact.variance / len(net))
    assert any(wagered.cut_cents.any() for wagered in block.wagers[0].values())


def test_a_limit_against_a_dealer_cuts_the_bets_that_it_covers() -> None:
    game = compile_game("nj-double-cross", {"payout_limit": {"amount_cents": 70_000_00}})
    found = solve(game, antes=[100_00, 500_00])
    assert found.holds_to_cents == 70_000_00 // 600
    low, high = found.at_antes
    assert low.same_play == found.distribution
    assert high.best_play is not None
    assert high.same_play.mean < high.best_play.mean < found.ev
    # Raises win no more than the limit; the ante wins beside them.
    assert high.same_play.outcomes[-1].net == Fraction(70_000_00, 500_00) + 1
    assert solve("nj-double-cross").holds_to_cents is None


def test_antes_that_cannot_be_answered_are_refused() -> None:
    with pytest.raises(BadInput, match="not an ante in cents"):
        solve("nj-criss-cross", antes=[0])
    with pytest.raises(BadInput, match="players of this game set two hands"):
        solve("nj-pai-gow", antes=[500])
