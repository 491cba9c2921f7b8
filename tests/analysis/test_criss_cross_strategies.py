"""Other ways to play Criss Cross Poker: exact, whichever way they are added up."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.criss_cross_book import second_book, third_book
from crossfelt.analysis.criss_cross_card import LONGEST, SHORTEST, Card, frontier
from crossfelt.analysis.criss_cross_cards import pair_of
from crossfelt.analysis.criss_cross_induction import Chosen, Induction, induce
from crossfelt.analysis.criss_cross_plans import PLANS, Plan, bot_plan, tally_of
from crossfelt.analysis.criss_cross_tally import distribution
from crossfelt.analysis.criss_cross_terms import Terms, terms_of
from crossfelt.analysis.side_bets import five_card_hands
from crossfelt.cards import Card as PlayingCard
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.kernels.prospects import layout, positions
from crossfelt.problems import BadInput
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.table.bot_rules import simple_rule
from crossfelt.table.sight import Sight


@cache
def game() -> Game:
    return compile_game("nj-criss-cross")


@cache
def terms() -> Terms:
    return terms_of(game())


@cache
def play() -> Induction:
    return induce(terms())


def cards() -> tuple[Card, ...]:
    return frontier(game())


def worth(plan: Plan) -> Fraction:
    counted = tally_of(terms(), plan)
    assert counted.deals == terms().deals.all
    return distribution(terms(), counted).mean


def test_betting_on_everything_is_worth_what_single_hands_are() -> None:
    """Without decisions each line is an ordinary five-card hand, and only the middle bet looks at both."""
    line = Fraction(0)
    ante = Fraction(0)
    for rank, count in five_card_hands().items():
        for table, stake in (("ante", "ante"), ("bets", "line")):
            odds = game().pays[table].odds_for(rank)
            profit = (Fraction(-1) if odds is None else odds.profit) * Fraction(count, 2_598_960)
            if stake == "ante":
                ante += profit
            else:
                line += profit
    once, twice, thrice = (solve(game(), strategy=f"always-{times}").ev for times in (1, 2, 3))
    middle = once - 2 * ante - 2 * line
    assert twice == 2 * ante + 2 * (2 * line + middle)
    assert thrice == 2 * ante + 3 * (2 * line + middle)


def test_best_play_as_a_plan_is_worth_what_best_play_is() -> None:
    """The induction adds up prospects, the plan goes through positions."""
    found, every = play(), positions(terms().grouping)
    columns = np.array([terms().stakes[0].index(bet) if bet else 0 for bet in found.first.tolist()])
    hole_of_row = np.repeat(np.arange(169), np.diff(found.prospects.row_start))
    second = found.second[np.arange(len(hole_of_row)), columns[hole_of_row]]

    def third(hole: int) -> Chosen:
        size = len(layout(STARTING_HANDS[hole]).pairs)
        here = every.prospect[every.start[hole] : every.start[hole + 1]].reshape(size, size)
        rows = second[found.prospects.row_start[hole] : found.prospects.row_start[hole + 1]]
        ends = [terms().ends.index((int(found.first[hole]), bet)) if bet else 0 for bet in rows.tolist()]
        dealt = np.minimum(here, len(found.third) - 1)
        told: Chosen = found.third[dealt, np.array(ends)[:, None]]
        return told

    assert worth(Plan(found.first, second, third)) == solve(game()).ev


@pytest.mark.parametrize("name", PLANS)
def test_no_way_to_play_is_better_than_the_best(name: str) -> None:
    assert solve(game(), strategy=name).ev < solve(game()).ev


def test_the_plan_of_the_bots_is_what_the_bots_do() -> None:
    chance = random.Random(7)
    plan = bot_plan(game())
    for _ in range(300):
        dealt = tuple(PlayingCard(card) for card in chance.sample(range(52), 6))
        hole, across, down = dealt[:2], dealt[2:4], dealt[4:]
        places = dict(zip(("across_left", "across_right", "down_far", "down_near"), (*across, *down), strict=True))
        number = starting_hand(hole)
        row = play().prospects.row_start[number] + pair_of(hole, across)
        told = {
            "across": plan.first[number],
            "down": plan.second[row],
            "middle": plan.third(number)[pair_of(hole, across), pair_of(hole, down)],
        }
        for (asked, bet), seen in zip(told.items(), (0, 2, 4), strict=True):
            sight = Sight(
                game=game(), seat=1, round=1, step="", asked=asked, hole=hole, placed={}, options={},
                face_up=dict(list(places.items())[:seen]),
            )  # fmt: skip
            rule = simple_rule.rule(sight)
            assert rule is not None
            assert rule.action == (f"{bet}x" if bet else "fold"), (asked, dealt)


def test_more_lines_cost_less() -> None:
    costs = [(card.length, card.cost) for card in cards()]
    assert costs[0][0] == SHORTEST
    assert costs[-1][0] <= LONGEST
    assert costs == sorted(costs, key=lambda one: (one[0], -one[1]))
    assert all(card.cost > 0 for card in cards())
    # What eight lines reach is worth putting on a card: an eightieth of an ante.
    assert min(card.cost for card in cards() if card.length <= 8) < Fraction(1, 70)


def test_a_card_followed_position_by_position_is_worth_what_its_cells_say() -> None:
    for card in cards():
        assert worth(card.plan) == card.ev, card.length


def test_the_book_says_what_the_solution_does() -> None:
    book = second_book(play())
    assert set(book) == {name for name, advice in solve(game()).first_decision().items() if advice.best != "fold"}  # type: ignore[attr-defined]
    assert sum(map(len, book["AKs"].values())) == 289
    assert book["AA"] == {"3x": book["AA"]["3x"]}
    hole, across = (PlayingCard("As"), PlayingCard("Ks")), (PlayingCard("Qs"), PlayingCard("Js"))
    pages = third_book(play(), hole, across, (1, 1))
    assert set(pages) == {"3x"}


def test_a_strategy_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInput, match=r"strategy: no such strategy: 'clever' \(allowed: optimal, never-fold, simple"):
        solve(game(), strategy="clever")
    with pytest.raises(BadInput, match=r"card: no such number of lines: '2' \(allowed: 3 … 15\)"):
        solve(game(), strategy="card-2")
    with pytest.raises(BadInput, match="only best play makes use of a known card"):
        solve(game(), strategy="simple", known="middle")
