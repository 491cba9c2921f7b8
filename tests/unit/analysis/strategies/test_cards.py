"""Strategy cards of any game: exact costs by two ways of counting, known results, and costs that never rise."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.strategies.cards import CardLine, best_card, cards_of, play_of
from crossfelt.analysis.strategies.evaluate import solve_with
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game, compile_game

BOOKS: Final = Path(__file__).parents[4] / "examples" / "rulebooks"
CRISS_CROSS: Final = {
    3: "994840913/1170614900",
    4: "1027932079/3511844700",
    5: "671772847/3511844700",
    6: "63122723/702368940",
    7: "132331753/3511844700",
    8: "47744777/3511844700",
    9: "22653/2035852",
    10: "780901/71670300",
    11: "4713833/501692100",
    12: "219797/33446140",
    13: "20374873/3511844700",
}
"""Costs of the best cards that an earlier search, made for this game alone, had found."""
DOUBLE_CROSS: Final = {2: "4139151065081/41720715036000", 3: "509418982463/20860357518000", 8: "83708399/13054041000"}


def example(name: str) -> Game:
    return compile_game(str(BOOKS / f"{name}.toml"))


@pytest.mark.parametrize("name", ["mississippi-stud", "let-it-ride", "three-card-poker"])
def test_a_card_costs_what_an_enumeration_of_all_cards_says(name: str) -> None:
    """The search sums positions with the same features; the enumeration tells all suits apart and asks the card."""
    game = example(name)
    cards = cards_of(game)
    best = solve(game).ev
    for card in (cards[0], best_card(cards, 6), cards[-1]):
        found = solve_with(game, play_of(game, card.lines), "card", all_suits=True)
        assert found.ev == card.ev
        assert card.cost == best - card.ev >= 0
    assert [card.cost for card in cards] == sorted((card.cost for card in cards), reverse=True)


def test_the_known_rule_of_three_card_poker_is_found_and_costs_nothing() -> None:
    card = cards_of(example("three-card-poker"))[1]
    assert [(line.do, line.when) for line in card.lines] == [("1x", "Q-6-4 or better"), ("fold", "otherwise")]
    assert card.cost == 0


def test_a_card_says_that_a_hand_may_not_allow_a_bet() -> None:
    crazy = compile_game(str(Path(__file__).parents[1] / "solver" / "crazy_four.toml"))
    card = cards_of(crazy)[1]
    assert [(line.do, line.when) for line in card.lines] == [("3x", "K-Q-8 or better"), ("fold", "otherwise")]
    assert card.note == "Where a hand does not allow a bet, make the largest that it allows."
    assert cards_of(example("three-card-poker"))[1].note == ""


def test_cards_of_double_cross_poker_cost_no_more_than_before() -> None:
    cards = cards_of(compile_game("nj-double-cross"))
    for lines, before in DOUBLE_CROSS.items():
        assert best_card(cards, lines).cost <= Fraction(before)


@pytest.mark.exhaustive
def test_cards_of_criss_cross_poker_cost_the_same_as_before_or_less() -> None:
    cards = {len(card.lines): card.cost for card in cards_of(compile_game("nj-criss-cross"))}
    assert list(cards) == list(CRISS_CROSS)
    less = [lines for lines, before in CRISS_CROSS.items() if cards[lines] < Fraction(before)]
    assert less == [11, 12]
    assert all(cards[lines] == Fraction(before) for lines, before in CRISS_CROSS.items() if lines not in less)


def test_a_card_of_another_game_is_refused() -> None:
    lines = [CardLine(decision="play", when="otherwise", do="9x")]
    with pytest.raises(BadInput, match="a card needs lines for each decision: 'play'"):
        play_of(example("mississippi-stud"), lines)
    game = example("three-card-poker")
    nine_times = play_of(game, lines)
    with pytest.raises(BadInput, match="no such choice at play: '9x'"):
        solve_with(game, nine_times, "card")
    wrong = [CardLine(decision="play", when="a good hand", do="1x"), *lines]
    with pytest.raises(BadInput, match="no such condition at play: 'a good hand'"):
        play_of(game, wrong)
