"""Simple strategies of Double Cross Poker, and their costs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.solver.criss_cross.rule_of_thumb import ACE, groups
from crossfelt.analysis.solver.double_cross.payoffs import CHOICES, terms_of
from crossfelt.analysis.solver.double_cross.positions import BestChoices, best_play, cards_of, position_counts, value_of
from crossfelt.analysis.solver.double_cross.strategies import (
    CARDS,
    EVERYTHING,
    LIBRARY,
    STRATEGIES,
    frontier,
    raises_if,
)
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import compile_game

GAME = compile_game("nj-double-cross")


@cache
def play() -> BestChoices:
    return best_play(terms_of(GAME))


@pytest.mark.parametrize("name", STRATEGIES)
def test_no_strategy_beats_best_play(name: str) -> None:
    found = solve(GAME, strategy=name)
    assert found.ev == value_of(play(), STRATEGIES[name]())
    assert found.ev < value_of(play(), play().choices)
    assert found.distribution.deals == play().terms.deals * play().terms.positions


def test_never_folding_is_worth_what_both_lines_are() -> None:
    """Always vertical and always horizontal are the same game, seen from the side."""
    vertical, horizontal = (
        value_of(play(), np.full_like(play().choices, CHOICES.index(line))) for line in ("vertical", "horizontal")
    )
    assert vertical == horizontal == solve(GAME, strategy="always-vertical").ev


def test_the_simple_strategy_is_king_high_or_better() -> None:
    choices = STRATEGIES["simple"]()
    for place in np.argwhere(position_counts())[::131]:
        position = tuple(place.tolist())
        top, right, high, low = cards_of(position)
        down, across = groups((top, high, low)), groups((right, high, low))
        line, best = ("vertical", down) if down >= across else ("horizontal", across)
        assert CHOICES[choices[position]] == (line if best[0] >= (1, ACE - 1) else "fold"), position


def test_cards_cost_less_with_every_line() -> None:
    cards = frontier(GAME)
    assert [card.length for card in cards[:7]] == [2, 3, 4, 5, 6, 7, 8]
    costs = [card.cost for card in cards]
    assert costs == sorted(costs, reverse=True)
    named = {condition.text: condition for condition in LIBRARY}
    assert len(named) == len(LIBRARY)
    for card in cards:
        conditions = [named[text] for text in card.conditions]
        value = value_of(play(), raises_if(*conditions, suited_first=card.suited_first))
        assert (value, value + card.cost) == (card.ev, value_of(play(), play().choices))
    assert set(cards[1].conditions) == {"a pair or better", "a hole card of jack or better"}
    assert costs[1] < Fraction(25, 1000)
    assert costs[6] < Fraction(7, 1000)


def test_a_card_is_a_strategy_by_its_name() -> None:
    for card in frontier(GAME):
        assert solve(GAME, strategy=f"card-{card.length}").ev == card.ev
    assert solve(GAME, strategy=CARDS[-1]).ev == frontier(GAME)[-1].ev


def test_three_of_one_suit_look_better_beside_the_same_highest_rank() -> None:
    plain, suited_first = raises_if(EVERYTHING), raises_if(EVERYTHING, suited_first=True)
    for place in np.argwhere(position_counts())[::131]:
        position = tuple(place.tolist())
        top, right, high, low = cards_of(position)
        down, across = groups((top, high, low)), groups((right, high, low))
        suited = [len({card.suit, high.suit, low.suit}) == 1 for card in (top, right)]
        if down[0] != across[0] or suited[0] == suited[1]:
            assert plain[position] == suited_first[position]
        else:
            assert CHOICES[suited_first[position]] == ("vertical" if suited[0] else "horizontal")


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(BadInput, match="no such strategy: 'boldly'"):
        solve(GAME, strategy="boldly")
