"""Simple ways to play Double Cross Poker, and what each costs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.double_cross_play import BestPlay, best_play, value_of
from crossfelt.analysis.double_cross_positions import cards_of, position_counts
from crossfelt.analysis.double_cross_strategies import LIBRARY, STRATEGIES, frontier, raises_if
from crossfelt.analysis.double_cross_terms import CHOICES, terms_of
from crossfelt.problems import BadInput
from crossfelt.rulebooks.game import compile_game
from crossfelt.table.bot_rules import KING, groups

GAME = compile_game("nj-double-cross")


@cache
def play() -> BestPlay:
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


def test_king_high_or_better_is_the_rule_of_the_bots() -> None:
    choices = STRATEGIES["simple"]()
    for place in np.argwhere(position_counts())[::131]:
        position = tuple(place.tolist())
        top, right, high, low = cards_of(position)
        down, across = groups((top, high, low)), groups((right, high, low))
        line, best = ("vertical", down) if down >= across else ("horizontal", across)
        assert CHOICES[choices[position]] == (line if best[0] >= (1, KING) else "fold"), position


def test_cards_cost_less_with_every_line() -> None:
    cards = frontier(GAME, most=4)
    assert [len(card.conditions) for card in cards] == [1, 2, 3, 4]
    costs = [card.cost for card in cards]
    assert costs == sorted(costs, reverse=True)
    named = {condition.text: condition for condition in LIBRARY}
    assert len(named) == len(LIBRARY)
    for card in cards:
        value = value_of(play(), raises_if(*(named[text] for text in card.conditions)))
        assert (value, value + card.cost) == (card.ev, value_of(play(), play().choices))
    assert set(cards[1].conditions) == {"a pair or better", "a hole card of jack or better"}
    assert costs[1] < Fraction(25, 1000)


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(BadInput, match="no such strategy: 'boldly'"):
        solve(GAME, strategy="boldly")
