"""Criss Cross Poker solved a second time: every card is dealt by name, and nothing is shortened.

Payments are given by the lines of a pay table, in antes for each ante staked: ``{"flush": 8, …}``. What has no line
loses its stake. Sums are over all deals that are still possible, so that they are whole numbers at whole odds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from oracles import five_card

Odds = Mapping[str, int]
Cards = tuple[str, ...]

BETS: Odds = {
    "royal_flush": 500,
    "straight_flush": 100,
    "four_of_a_kind": 40,
    "full_house": 12,
    "flush": 8,
    "straight": 5,
    "three_of_a_kind": 3,
    "two_pair": 2,
    "pair_jacks_or_better": 1,
    "pair_6s_through_10s": 0,
}
ANTES: Odds = {line: min(odds, 1) for line, odds in BETS.items()}


class Rules(NamedTuple):
    antes: Odds = ANTES
    bets: Odds = BETS
    higher_hand_decides: bool = False
    """Massachusetts: the middle bet follows the higher hand even where the other line alone wins or pushes."""


class Hand(NamedTuple):
    key: tuple[int, int]
    ante: int
    bet: int


def deck_of(faces: str = five_card.FACES) -> list[str]:
    return [face + suit for face in faces for suit in "cdhs"]


def line_of(cards: Sequence[str]) -> str:
    """The line of a pay table that five cards fall on."""
    category = five_card.category_of(cards)
    if category != "pair":
        return category
    faces = [card[0] for card in cards]
    pair = next(face for face in faces if faces.count(face) == 2)
    return "pair_jacks_or_better" if pair in "JQKA" else "pair_6s_through_10s" if pair in "6789T" else "small_pair"


def ranker(rules: Rules) -> Callable[[Cards], Hand]:
    known: dict[frozenset[str], Hand] = {}

    def rank(cards: Cards) -> Hand:
        held = frozenset(cards)
        if held not in known:
            line = line_of(cards)
            known[held] = Hand(five_card.key_of(cards), rules.antes.get(line, -1), rules.bets.get(line, -1))
        return known[held]

    return rank


def middle_bet(rules: Rules, one: Hand, two: Hand) -> int:
    """What the middle bet brings: by the higher hand if a line wins, a push if none wins and one pushes."""
    higher = max(one, two, key=lambda hand: hand.key)
    if rules.higher_hand_decides or one.bet > 0 or two.bet > 0:
        return higher.bet
    return max(one.bet, two.bet)


def position_value(
    rules: Rules, rank: Callable[[Cards], Hand], cards: tuple[Cards, Cards, Cards], left: Sequence[str], x: int, y: int
) -> int:
    """With the best middle bet, summed over the middle cards; folding loses the antes and both bets."""
    hole, across, down = cards
    so_far = middle = 0
    for card in left:
        one, two = rank((*hole, *across, card)), rank((*hole, *down, card))
        so_far += one.ante + two.ante + x * one.bet + y * two.bet
        middle += middle_bet(rules, one, two)
    return max(-(2 + x + y) * len(left), *(so_far + z * middle for z in (1, 2, 3)))


def row_value(rules: Rules, hole: Cards, across: Cards, deck: Sequence[str], x: int) -> dict[int, int]:
    """For each down bet, the value with the best middle bet, summed over down and middle cards; 0 is a fold."""
    rank = ranker(rules)
    left = [card for card in deck if card not in (*hole, *across)]
    values = {0: 0, 1: 0, 2: 0, 3: 0}
    for down in combinations(left, 2):
        rest = [card for card in left if card not in down]
        values[0] -= (2 + x) * len(rest)
        for y in (1, 2, 3):
            values[y] += position_value(rules, rank, (hole, across, down), rest, x, y)
    return values


def hole_value(rules: Rules, hole: Cards, deck: Sequence[str]) -> dict[int, int]:
    """For each across bet of 1 or 3, the value with best play after it, summed over all other cards."""
    left = [card for card in deck if card not in hole]
    values = {1: 0, 3: 0}
    rank = ranker(rules)
    for across in combinations(left, 2):
        after_across = [card for card in left if card not in across]
        rows = {(x, y): 0 for x in (1, 3) for y in (0, 1, 3)}
        for down in combinations(after_across, 2):
            rest = [card for card in after_across if card not in down]
            for x, y in rows:
                folded = -(2 + x) * len(rest)
                cards = (hole, across, down)
                rows[x, y] += position_value(rules, rank, cards, rest, x, y) if y else folded
        for x in values:
            values[x] += max(rows[x, y] for y in (0, 1, 3))
    return values
