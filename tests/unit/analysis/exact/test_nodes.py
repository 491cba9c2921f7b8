"""Games without a dealer's hand: every figure by the exact solver, and by a second way."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from crossfelt.analysis import solve as solve_by_family
from crossfelt.analysis.exact.orders import counts_by_class, order_of
from crossfelt.analysis.exact.solve import ExactSolution, solve
from crossfelt.analysis.what_if import LOSE, Pay
from crossfelt.errors import BadInput
from crossfelt.kernels.exact.hand_tables import rank_sets, weights_for
from crossfelt.rulebooks.game import Game, compile_game
from oracles import streets
from oracles.counts import five_card_counts

EXAMPLES = Path(__file__).parents[4] / "examples" / "rulebooks"
# A flush pays more than a full house, and a straight less than two pair.
OUT_OF_ORDER: Pay = {"bets.flush": 14, "bets.straight": 1, "bets.royal_flush": 30, "bets.two_pair": 6}
LOST: Pay = {"bets.flush": LOSE, "bets.three_of_a_kind": LOSE, "bets.pair_6s_through_10s": LOSE}
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
HALVES: Pay = {"bets.flush": "17 to 2", "ante.straight": "3 to 2"}


@cache
def mississippi() -> Game:
    return compile_game(str(EXAMPLES / "mississippi-stud.toml"))


@cache
def solution() -> ExactSolution:
    return solve(mississippi())


@pytest.mark.parametrize("book", ["nj-criss-cross", "ma-criss-cross", "md-criss-cross"])
def test_every_figure_of_criss_cross_is_that_of_its_own_solver(book: str) -> None:
    game = compile_game(book)
    for pay in ({}, OUT_OF_ORDER, LOST, HALVES) if book == "nj-criss-cross" else ({},):
        new, old = solve(game, pay=pay), solve_by_family(game, pay=pay)
        assert new.distribution == old.distribution
        assert new.average_total_wagered == old.average_total_wagered
        rates = [sorted(rates.values()) for rates in new.decisions.values()]
        assert rates == [sorted(rates.values()) for rates in old.decisions.values()]
        assert new.by_wager() == old.by_wager()
        assert new.side_bets == old.side_bets
        assert new.values_by_starting_hand() == old.values_by_starting_hand()


@pytest.mark.parametrize("known", ["down", "middle"])
def test_a_known_card_is_worth_what_the_special_solver_says(known: str) -> None:
    game = compile_game("nj-criss-cross")
    new, old = solve(game, known=known), solve_by_family(game, known=known)
    assert new.ev == old.ev
    assert new.average_total_wagered == old.average_total_wagered
    assert new.variance == old.variance


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
