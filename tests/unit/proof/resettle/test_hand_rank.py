"""The second ranking of hands agrees with the first, and with its own names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from random import Random
from typing import Final

import pytest

from crossfelt.cards.card import Card
from crossfelt.cards.deck import deck_of
from crossfelt.hands.joker import best_of_seven, rank_joker_five
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.own_order import CATEGORIES, own_kind
from crossfelt.hands.poker import rank_five
from crossfelt.hands.rank import HandRank
from crossfelt.proof.resettle.hand_rank import ORDERS, Made, Order, made

First = Callable[[Sequence[Card]], HandRank]
Second = Callable[[tuple[str, ...]], Made]


def ranked_alike(cards: Sequence[Card], first: First, second: Second) -> tuple[HandRank, Made]:
    one, two = first(cards), second(tuple(card.text for card in cards))
    assert (two.level, two.category, two.ties, two.name) == (one.level, one.category, one.ranks, one.name), cards
    return one, two


def rare_sevens(rng: Random) -> Iterator[list[str]]:
    """Hands that a shuffled deck hardly ever brings: seven in a row, royal matches, five aces."""
    for _ in range(400):
        suit, other = rng.sample("cdhs", 2)
        start = rng.randrange(8)
        row = [f"{face}{suit}" for face in "A23456789TJQKA"[start : start + 7]]
        match = [f"{face}{suit}" for face in "TJQKA"] + [
            f"K{other}",
            rng.choice((f"Q{other}", "2c" if suit != "c" else "2d")),
        ]
        for seven in (row, match, ["As", "Ad", "Ah", "Ac", "Jk", "Kd", f"{rng.choice('23456')}c"]):
            if "Jk" not in seven and rng.random() < 0.5:
                seven[rng.randrange(5)] = "Jk"
            yield seven


@pytest.mark.exhaustive
@pytest.mark.parametrize("order", sorted(ORDERS))
def test_both_rank_alike(order: str) -> None:
    kind, rng = KINDS[order], Random(order)
    hands = [rng.sample(deck_of(kind.deck), kind.cards) for _ in range(4_000)]
    if kind.cards == 7:
        hands += [[Card(text) for text in rng.sample(seven, 7)] for seven in rare_sevens(rng)]
    before = None
    for hand in hands:
        second = partial(made, order=ORDERS[order], wheel_second="wheel_second_highest" in ORDERS[order].settings)
        one, two = ranked_alike(hand, kind.classify, second)
        if before is not None:
            assert (before[0] > one, before[0] == one) == (before[1] > two, before[1] == two)
        before = one, two


@pytest.mark.exhaustive
def test_every_shape_of_five_cards_is_ranked_alike() -> None:
    """Thirteen cards of one suit, and each rank in two others: every set of ranks, suited and not."""
    suited = [Card(f"{face}s") for face in "23456789TJQKA"]
    for five in combinations(suited, 5):
        for cards in (five, [Card(f"{five[0].text[0]}h"), *five[1:]]):
            for low in (True, False):
                ranked_alike(
                    cards,
                    partial(rank_five, ace_low_straight=low),
                    partial(made, order=ORDERS["five_card"], ace_low=low),
                )


@pytest.mark.parametrize("second", [True, False])
@pytest.mark.parametrize(
    "text", ["Ac 2d 3h Jk 5s", "As 2s 3s 4s Jk", "Jk Kd Qh Js Tc", "Ac Ad Ah As Jk", "Kh 9h Jk 4h 2h"]
)
def test_the_place_of_the_wheel_is_a_setting(text: str, second: bool) -> None:
    cards = [Card(card) for card in text.split()]
    own = partial(made, order=ORDERS["joker_five"], wheel_second=second)
    ranked_alike(cards, partial(rank_joker_five, wheel_second=second), own)
    ranked_alike([*cards, Card("9d"), Card("7c")], partial(best_of_seven, wheel_second=second), own)


OWN: Final = (
    (4, ("four_of_a_kind", "straight_flush", "three_of_a_kind", "flush", "straight", "two_pair", "pair", "high_card")),
    (5, ("five_card_flush", "four_card_straight_flush", "four_card_flush", "three_card_straight_flush", "pair")),
    (7, ("seven_card_flush", "three_card_straight_flush", "four_card_flush", "three_of_a_kind", "two_pair")),
    (3, ("royal_flush", "straight_flush", "flush", "two_card_flush")),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("cards", "categories"), OWN, ids=lambda value: str(value)[:30])
def test_an_order_of_a_rulebook_is_ranked_alike(cards: int, categories: tuple[str, ...]) -> None:
    first = own_kind("own", cards, categories).classify
    second = partial(made, order=Order(cards, ("nothing", *reversed(categories)), kickers=True))
    rng = Random(cards)
    for _ in range(3_000):
        deck = deck_of(52) if rng.random() < 0.7 else [card for card in deck_of(52) if card.text[1] in "cd"]
        ranked_alike(rng.sample(deck, cards), first, second)


def test_every_category_that_a_rulebook_may_list_has_a_name() -> None:
    for category in CATEGORIES:
        assert "_" not in Made(1, (12, 3, 2), category).name
