"""Shared hands: enumeration of all remaining deals, against the solver and a plain enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from crossfelt.analysis.hole_carding.criss_cross import hand_values, share_hands
from crossfelt.analysis.solver.criss_cross.induction import Induction, induce
from crossfelt.analysis.solver.criss_cross.payoffs import terms_of
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.rulebooks.game import Game, compile_game

PLACES = ("hole_1", "hole_2", "across_left", "across_right", "down_far", "down_near", "middle")


@pytest.fixture(scope="module")
def game() -> Game:
    return compile_game("md-criss-cross")


@pytest.fixture(scope="module")
def play(game: Game) -> Induction:
    return induce(terms_of(game))


def _solved(play: Induction, number: int) -> Fraction:
    deals = play.terms.deals
    whole = deals.across * deals.down * deals.middle * play.terms.scale
    return max(Fraction(-2), *(Fraction(int(value), whole) for value in play.hole_values[number]))


def _all_deals_agree(play: Induction, number: int) -> None:
    hole = tuple(int(card) for card in STARTING_HANDS[number].cards)
    left = [card for card in range(52) if card not in hole]
    best, alone = hand_values(play, hole, left)
    assert best == alone == _solved(play, number)


@pytest.mark.parametrize("name", ["AA", "T9s", "72o"])
def test_a_player_without_other_cards_has_the_solvers_value(play: Induction, name: str) -> None:
    _all_deals_agree(play, [hand.name for hand in STARTING_HANDS].index(name))


@pytest.mark.soak
def test_all_starting_hands_have_the_value_that_the_solver_found(play: Induction) -> None:
    """Solve the whole game a second time, over all 84,284,272,800 deals up to suits of the hole cards."""
    for number in range(len(STARTING_HANDS)):
        _all_deals_agree(play, number)


def _plain(game: Game, hole: tuple[Card, Card], left: list[Card]) -> Fraction:
    """Return the best value by the rules of the game, deal by deal, in antes."""
    rules = rules_of(game)

    def net(wager: str, cards: tuple[Card, ...]) -> int:
        settled = rules.settle(game.wager(wager), 100, Spot(cards=dict(zip(PLACES, cards, strict=True))))
        return settled.returned + settled.paid - 100

    def third(across: tuple[Card, ...], down: tuple[Card, ...], x: int, y: int) -> Fraction:
        rest = [card for card in left if card not in across and card not in down]
        so_far = middle = 0
        for card in rest:
            cards = (*hole, *across, *down, card)
            antes = net("ante_across", cards) + net("ante_down", cards)
            so_far += antes + x * net("across", cards) + y * net("down", cards)
            middle += net("middle", cards)
        values = [Fraction(so_far + z * middle, 100 * len(rest)) for z in (1, 3)]
        return max(Fraction(-2 - x - y), *values)

    def second(across: tuple[Card, ...], x: int) -> Fraction:
        downs = list(combinations([card for card in left if card not in across], 2))
        values = [sum((third(across, down, x, y) for down in downs), Fraction(0)) / len(downs) for y in (1, 3)]
        return max(Fraction(-2 - x), *values)

    acrosses = list(combinations(left, 2))
    values = [sum((second(across, x) for across in acrosses), Fraction(0)) / len(acrosses) for x in (1, 3)]
    return max(Fraction(-2), *values)


@pytest.mark.parametrize(
    ("hole", "left"),
    [("Ks Kd", "Kh 9c 9d 2s 7h 6c"), ("As Ks", "Qs Js Ts 2d 2c 9s"), ("4c 9d", "Th Jh 8d 7s 6h 4d")],
)
def test_few_cards_left_are_worth_what_the_plain_rules_say(game: Game, play: Induction, hole: str, left: str) -> None:
    own = tuple(Card(text) for text in hole.split())
    rest = sorted(Card(text) for text in left.split())
    best, alone = hand_values(play, tuple(int(card) for card in own), [int(card) for card in rest])
    assert best == _plain(game, (own[0], own[1]), rest)
    assert alone <= best


def test_knowing_never_costs_and_alone_brings_nothing(game: Game) -> None:
    two = share_hands(game, players=2, rounds=4)
    assert two.gain.value >= 0
    assert (two.players, two.deals, two.unit) == (2, 4, "one ante")


def test_the_same_hand_in_other_suits_is_worth_the_same(play: Induction) -> None:
    values = set()
    for suit in range(4):
        hole = (44 + suit, 32 + suit)
        dead = {48 + suit, 40 + (suit + 1) % 4, 0 + suit, 5}
        left = [card for card in range(52) if card not in hole and card not in dead - {5}]
        assert starting_hand((Card(hole[0]), Card(hole[1]))) == starting_hand((Card("Ks"), Card("Ts")))
        values.add(hand_values(play, hole, left))
    assert len(values) == 1


def test_invalid_shared_hands_are_refused(game: Game) -> None:
    with pytest.raises(BadInput, match="no such number of players: 7"):
        share_hands(game, players=7)
    with pytest.raises(BadInput, match="only Criss Cross Poker supports shared hands"):
        share_hands(compile_game("nj-pai-gow"))
