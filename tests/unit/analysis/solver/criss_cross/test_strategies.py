"""Other strategies of Criss Cross Poker: exact, by any method of summation."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.solver.criss_cross import strategy_card
from crossfelt.analysis.solver.criss_cross.advice import pair_of
from crossfelt.analysis.solver.criss_cross.induction import Chosen, Induction, distribution, induce
from crossfelt.analysis.solver.criss_cross.payoffs import CrissCrossPayoffs, terms_of
from crossfelt.analysis.solver.criss_cross.rule_of_thumb import RULES
from crossfelt.analysis.solver.criss_cross.strategies import PLANS, FixedStrategy, tally_of, thumb_plan
from crossfelt.analysis.solver.criss_cross.strategy_book import OTHERWISE, Choices, book, third_book
from crossfelt.analysis.solver.criss_cross.strategy_card import LONGEST, SHORTEST, CrissCrossCard, frontier
from crossfelt.analysis.solver.side_bets import five_card_hands
from crossfelt.cards import Card as PlayingCard
from crossfelt.cards.card import RANKS
from crossfelt.errors import BadInput
from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand, starting_hand, starting_hand_named
from crossfelt.kernels.criss_cross.continuations import NO_POSITION, layout, positions
from crossfelt.play.player_view import PlayerView
from crossfelt.rulebooks.game import Game, compile_game


@cache
def game() -> Game:
    return compile_game("nj-criss-cross")


@cache
def terms() -> CrissCrossPayoffs:
    return terms_of(game())


@cache
def play() -> Induction:
    return induce(terms())


@cache
def searched() -> tuple[tuple[CrissCrossCard, ...], list[tuple[int, int]]]:
    """Return the cards, and the progress that the search reported."""
    strategy_card._found.cache_clear()
    steps: list[tuple[int, int]] = []
    return frontier(game(), lambda done, of: steps.append((done, of))), steps


def cards() -> tuple[CrissCrossCard, ...]:
    return searched()[0]


def test_the_search_reports_its_progress() -> None:
    _, steps = searched()
    assert [done for done, _ in steps] == list(range(1, len(steps) + 1))
    assert all(done < of for done, of in steps[:-1])
    assert steps[-1] == (len(steps), len(steps))


def worth(plan: FixedStrategy) -> Fraction:
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
    """The induction sums prospects, the plan enumerates positions."""
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

    assert worth(FixedStrategy(found.first, second, third)) == solve(game()).ev


@pytest.mark.parametrize("name", PLANS)
def test_no_strategy_is_better_than_the_best(name: str) -> None:
    assert solve(game(), strategy=name).ev < solve(game()).ev


def test_the_plan_of_the_rule_of_thumb_is_what_its_rules_say() -> None:
    chance = random.Random(7)
    plan = thumb_plan(game())
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
            sight = PlayerView(
                game=game(), seat=1, round=1, step="", asked=asked, hole=hole, placed={}, options={},
                face_up=dict(list(places.items())[:seen]),
            )  # fmt: skip
            rule = next(rule for rule in RULES if rule.wager == asked and rule.when(sight))
            assert rule.action == (f"{bet}x" if bet else "fold"), (asked, dealt)


def test_more_lines_cost_less() -> None:
    costs = [(card.length, card.cost) for card in cards()]
    assert costs[0][0] == SHORTEST
    assert costs[-1][0] <= LONGEST
    assert costs == sorted(costs, key=lambda one: (one[0], -one[1]))
    assert all(card.cost > 0 for card in cards())
    # Eight lines cost less than an eightieth of an ante, so a card is worth printing.
    assert min(card.cost for card in cards() if card.length <= 8) < Fraction(1, 70)


def test_a_card_followed_position_by_position_is_worth_what_its_cells_say() -> None:
    for card in cards():
        assert worth(card.plan) == card.ev, card.length


def test_the_book_agrees_with_the_solution() -> None:
    hands = {hand.hand: hand for hand in book(play(), middle=False)}
    assert set(hands) == {name for name, advice in solve(game()).first_decision().items() if advice.best != "fold"}  # type: ignore[attr-defined]
    assert hands["AA"].down_bet == Choices((), "3x")
    hole, across = (PlayingCard("As"), PlayingCard("Ks")), (PlayingCard("Qs"), PlayingCard("Js"))
    pages = third_book(play(), hole, across, (1, 1))
    assert set(pages) == {"3x"}


class Reader:
    """Read the book by its legend alone."""

    def __init__(self, hand: StartingHand) -> None:
        types = layout(hand)
        names = [
            {RANKS[rank], RANKS[rank] + ("s" if inside else "o")} if hand.suited else {RANKS[rank]}
            for rank, inside in zip(types.rank.tolist(), types.in_suit.tolist(), strict=True)
        ]
        self.pairs = [(names[one], names[two]) for one, two in types.pairs.tolist()]

    def applies(self, words: str, pair: int) -> bool:
        return words == OTHERWISE or any(self._holds(part, *self.pairs[pair]) for part in words.split(", "))

    def chosen(self, choices: Choices, pair: int) -> str:
        return next((bet for bet, words in choices.with_cards if self.applies(words, pair)), choices.otherwise)

    @staticmethod
    def _holds(part: str, one: set[str], two: set[str]) -> bool:
        if part == "both s":
            return all(any(name[1:] == "s" for name in card) for card in (one, two))
        first, _, second = part.partition("-")
        if first.startswith("any "):
            return any(name in one | two for name in first.split()[1:])
        if len(first) == 2 and first[0] == first[1]:
            highest, lowest = RANKS.index(first[0]), RANKS.index((second or first)[0])
            return any(RANKS[rank] in one and RANKS[rank] in two for rank in range(lowest, highest + 1))
        others = re.findall(r"[2-9TJQKA][so]?", second)
        return any((first in x and other in y) for other in others for x, y in ((one, two), (two, one)))


@pytest.mark.parametrize("name", ["AKo", "76s", "22", "T9s", "J4o", "A2s"])
def test_the_book_read_by_its_legend_is_best_play(name: str) -> None:
    """Yield every pair across and every pair down beside a starting hand, 83,521 positions if it is suited."""
    number = starting_hand_named(name)
    hand, every = STARTING_HANDS[number], positions(terms().grouping)
    reader, size = Reader(hand), len(layout(hand).pairs)
    here = every.prospect[every.start[number] : every.start[number + 1]].reshape(size, size)
    [told] = book(play(), [hand], middle=True)
    first = int(play().first[number])
    assert told.across_bet == f"{first}x"
    second = play().second[play().prospects.row_start[number] :, terms().stakes[0].index(first)]
    for across in range(size):
        down_bet = int(second[across])
        assert reader.chosen(told.down_bet, across) == (f"{down_bet}x" if down_bet else "fold")
        if down_bet:
            page = next(page for page in told.pages if reader.applies(page.across, across))
            assert page.down_bet == f"{down_bet}x"
            column = terms().ends.index((first, down_bet))
            for down in np.flatnonzero(here[across] != NO_POSITION).tolist():
                middle = int(play().third[here[across, down], column])
                assert reader.chosen(page.middle_bet, down) == (f"{middle}x" if middle else "fold"), (across, down)


def test_a_strategy_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInput, match=r"strategy: no such strategy: 'clever' \(allowed: optimal, never-fold, simple"):
        solve(game(), strategy="clever")
    with pytest.raises(BadInput, match=r"card: no such number of lines: '2' \(allowed: 3 … 15\)"):
        solve(game(), strategy="card-2")
    with pytest.raises(BadInput, match="only best play uses a known card"):
        solve(game(), strategy="simple", known="middle")
