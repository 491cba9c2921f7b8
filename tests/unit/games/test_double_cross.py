"""Hands and settlement of Double Cross Poker, apart from any table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from crossfelt.cards.deck import standard_deck
from crossfelt.cards.notation import parse_cards
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Places, Spot
from crossfelt.rulebooks.game import compile_game
from oracles import five_card

GAME = compile_game("nj-double-cross")
RULES = rules_of(GAME)
LINES = ("vertical", "horizontal")
PLACES = (
    *("hole_1", "hole_2", "down_far", "middle", "down_near", "across_left", "across_right"),
    *("dealer_hole_1", "dealer_hole_2"),
)


def lie(hole: str, vertical: str, horizontal: str, dealer: str) -> Places:
    """Cards by place: top, centre, bottom; the dealer's left, centre, right."""
    top, centre, bottom = parse_cards(vertical)
    left, _, right = parse_cards(horizontal)
    cards = (*parse_cards(hole), top, centre, bottom, left, right, *parse_cards(dealer))
    return dict(zip(PLACES, cards, strict=True))


def settle(wager: str, stake: int, cards: Places, **choices: str) -> Any:
    return RULES.settle(GAME.wager(wager), stake, Spot(cards=cards, choices=choices))


@pytest.mark.clause("DCP-2")
def test_a_hand_is_two_own_cards_and_three_of_one_axis() -> None:
    cards = lie("Js Ts", "As Ks Qs", "2c Ks 3d", "4h 5h")
    assert RULES.hand("vertical", cards).name == "royal flush"
    assert RULES.hand("horizontal", cards).name == "king-high"
    assert RULES.hands_shown(("ante", "raise"), {"raise": "horizontal"}) == ("horizontal",)


@pytest.mark.clause("DCP-3")
def test_the_three_card_hand_has_the_far_vertical_card_and_no_other() -> None:
    assert RULES.hand("three_card", lie("Ac Ad", "Ah 2s 3s", "4s 2s 5s", "6h 7h")).name == "three aces"
    assert RULES.hand("three_card", lie("Ac Ad", "2s Ah 3s", "4s Ah 5s", "6h 7h")).name == "pair of aces"


@pytest.mark.clause("DCP-24")
def test_the_dealer_never_takes_the_lower_hand_and_the_vertical_one_of_two_equal() -> None:
    rng = Random(25)
    taken = set()
    for _ in range(2_000):
        drawn = rng.sample(standard_deck(), len(PLACES))
        cards = dict(zip(PLACES, drawn, strict=True))
        line, hand = RULES.dealer_hand("dealer.better", cards)
        down, across = (
            five_card.key_of([str(cards[place]) for place in ("dealer_hole_1", "dealer_hole_2", *axis)])
            for axis in (("down_far", "middle", "down_near"), ("across_left", "middle", "across_right"))
        )
        assert line == ("vertical" if down >= across else "horizontal")
        own = {**cards, "hole_1": cards["dealer_hole_1"], "hole_2": cards["dealer_hole_2"]}
        assert hand == RULES.hand(line, own) == max(RULES.hand(other, own) for other in LINES)
        taken.add((line, down == across))
    assert taken == {("vertical", False), ("horizontal", False), ("vertical", True)}


@pytest.mark.clause("DCP-25")
@pytest.mark.parametrize(
    ("dealer", "result", "returned", "ante", "raised"),
    [("4h 5h", "win", 10_00, 10_00, 20_00), ("Kc 2h", "push", 10_00, 0, 0), ("Kc Ah", "lose", 0, 0, 0)],
)
def test_higher_wins_equal_pushes_and_lower_loses_all_three(
    dealer: str, result: str, returned: int, ante: int, raised: int
) -> None:
    cards = lie("Kd 2s", "Ks 7d 9s", "3c 7d 8d", dealer)
    settled = settle("ante", 10_00, cards, **{"raise": "vertical"})
    assert (settled.result, settled.returned, settled.paid) == (result, returned, ante)
    settled = settle("raise", 20_00, cards, **{"raise": "vertical"})
    assert (settled.result, settled.returned, settled.paid) == (result, 2 * returned, raised)


@pytest.mark.clause("DCP-28")
@pytest.mark.parametrize(("each", "paid"), [(10_00, 15_00), (10_01, 15_01), (1, 1), (3, 4)])
def test_the_part_of_a_cent_of_each_of_the_two_raises_stays_with_the_house(each: int, paid: int) -> None:
    """Paid as one stake, two raises of 1 cent would bring 3 cents; paid separately they bring 1 and 1."""
    cards = lie("Ks 9d", "Kd 9c 4s", "2c 9c 3d", "Jh Qc")
    settled = settle("raise", 2 * each, cards, **{"raise": "vertical"})
    assert (settled.hand, settled.odds, settled.paid) == ("kings and nines", "3 to 2", 2 * paid)
    assert paid == each * 3 // 2


@pytest.mark.clause("DCP-21", "DCP-29")
@pytest.mark.parametrize(("choice", "result", "paid"), [("expose", "win", 200_00), ("decline", "lose", 0)])
def test_an_unshown_hand_always_loses(choice: str, result: str, paid: int) -> None:
    cards = lie("Qs Ks", "As 4h 8h", "2c 4h 3d", "Jh Qc")
    settled = settle("three_card", 5_00, cards, three_card=choice)
    assert (settled.result, settled.paid) == (result, paid)
    assert bool(settled.hand) == (choice == "expose")


@pytest.mark.clause("DCP-21")
def test_the_three_card_wager_is_independent_of_how_the_hand_is_played() -> None:
    cards = lie("7c 7d", "2h 4h 8h", "2c 4h 3d", "Ah Ac")
    alone = settle("three_card", 5_00, cards, three_card="expose")
    played = settle("three_card", 5_00, cards, three_card="expose", **{"raise": "vertical"})
    assert alone == played
    assert (alone.result, alone.paid) == ("win", 5_00)
