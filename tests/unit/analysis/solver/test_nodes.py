"""Games without a dealer's hand: every figure by the exact solver, and by a second way."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from crossfelt.analysis.solver.orders import counts_by_class, order_of
from crossfelt.analysis.solver.solve import ExactSolution, solve
from crossfelt.errors import BadInput
from crossfelt.kernels.solver.hand_tables import rank_sets, weights_for
from crossfelt.rulebooks.game import Game, compile_game
from oracles import streets
from oracles.counts import five_card_counts

EXAMPLES = Path(__file__).parents[4] / "examples" / "rulebooks"
# The best five of seven cards, of 133,784,560 hands; published in every treatment of hold'em.
SEVEN_CARDS = {
    "royal_flush": 4324,
    "straight_flush": 37260,
    "four_of_a_kind": 224848,
    "full_house": 3473184,
    "flush": 4047644,
    "straight": 6180020,
    "three_of_a_kind": 6461620,
    "two_pair": 31433400,
    "pair": 58627800,
    "high_card": 23294460,
}


@cache
def mississippi() -> Game:
    return compile_game(str(EXAMPLES / "mississippi-stud.toml"))


@cache
def solution() -> ExactSolution:
    return solve(mississippi())


def test_mississippi_stud_returns_what_is_published() -> None:
    edge = solution().house_edge
    assert round(float(100 * edge.per_ante), 2) == 4.91
    assert round(float(100 * edge.per_total_wagered), 2) == 1.37
    assert sum(wager.ev for wager in solution().by_wager().values()) == solution().ev


@pytest.mark.parametrize("hole", ["AcKc", "7c7d", "Jc6d", "5c2d"])
def test_the_first_decision_is_the_best_of_every_deal_dealt_out(hole: str) -> None:
    odds = dict(zip(streets_lines(), (500, 100, 40, 10, 6, 4, 3, 2), strict=True))
    profit = streets.profit_of(odds, [("J", 1), ("6", 0)])
    cards = hole[:2], hole[2:]
    suited = "" if hole[0] == hole[2] else "s" if hole[1] == hole[3] else "o"
    told = solution().first_decision()[f"{hole[0]}{hole[2]}{suited}"].actions
    assert told == streets.bets(profit, cards)


def streets_lines() -> list[str]:
    return [
        "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind",
        "two_pair",
    ]  # fmt: skip


def test_hands_of_five_and_seven_cards_are_counted_as_published() -> None:
    order = order_of(mississippi(), "five_card")
    for held, expected in ((5, five_card_counts()), (7, SEVEN_CARDS)):
        counts = counts_by_class(order, held)
        for category, number in expected.items():
            here = [place for place, rank in enumerate(order.classes) if rank.category == category]
            assert int(counts[here].sum()) == number


@pytest.mark.parametrize("cards", [2, 3, 4, 5, 6, 7])
def test_the_weights_of_ranks_tell_all_hands_apart(cards: int) -> None:
    sums = weights_for(cards)[rank_sets(cards)].sum(axis=1)
    assert len(np.unique(sums)) == len(sums)


def test_a_hidden_card_must_exist() -> None:
    with pytest.raises(BadInput, match="no such hidden card: 'river'"):
        solve(mississippi(), known="river")


def test_a_street_card_that_is_known_helps() -> None:
    gains = [solve(mississippi(), known=f"street_{number}").ev - solution().ev for number in (1, 2, 3)]
    # The later the card is turned up, the more decisions know a card that others do not.
    assert Fraction(1, 2) < gains[0] < gains[1] < gains[2]
