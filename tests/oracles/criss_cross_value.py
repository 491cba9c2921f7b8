"""Criss Cross Poker solved a second time, by plain enumeration of every card.

Payments are given by the lines of a pay table, in antes for each ante staked: ``{"flush": 8, …}``. A hand without a
line loses its stake. Sums are over all remaining deals, so they are integers at integer odds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from oracles import five_card

Odds = Mapping[str, int]
Cards = tuple[str, ...]
Lines = tuple[Cards, Cards]

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
    """Return the win of the middle bet: by the higher hand if a line wins, a push if none wins and one pushes."""
    higher = max(one, two, key=lambda hand: hand.key)
    if rules.higher_hand_decides or one.bet > 0 or two.bet > 0:
        return higher.bet
    return max(one.bet, two.bet)


class Sums(NamedTuple):
    """Return the sums over the middle cards: both antes, and each bet per ante staked."""

    cards: int
    antes: int
    across: int
    down: int
    middle: int

    def best(self, x: int, y: int) -> int:
        """With the best middle bet; folding loses the antes and both bets."""
        so_far = self.antes + x * self.across + y * self.down
        return max(-(2 + x + y) * self.cards, *(so_far + z * self.middle for z in (1, 2, 3)))


def position_sums(rules: Rules, rank: Callable[[Cards], Hand], hole: Cards, lines: Lines, left: Sequence[str]) -> Sums:
    antes = across = down = middle = 0
    for card in left:
        one, two = rank((*hole, *lines[0], card)), rank((*hole, *lines[1], card))
        antes += one.ante + two.ante
        across += one.bet
        down += two.bet
        middle += middle_bet(rules, one, two)
    return Sums(len(left), antes, across, down, middle)


def row_values(
    rules: Rules, rank: Callable[[Cards], Hand], hole: Cards, across: Cards, deck: Sequence[str]
) -> dict[tuple[int, int], int]:
    """For each across and down bet the value with the best middle bet, summed over down and middle cards; a down bet
    of 0 is a fold."""
    left = [card for card in deck if card not in (*hole, *across)]
    values = {(x, y): 0 for x in (1, 2, 3) for y in (0, 1, 2, 3)}
    for down in combinations(left, 2):
        sums = position_sums(rules, rank, hole, (across, down), [card for card in left if card not in down])
        for x, y in values:
            values[x, y] += sums.best(x, y) if y else -(2 + x) * sums.cards
    return values


def hole_values(rules: Rules, hole: Cards, deck: Sequence[str]) -> dict[int, int]:
    """For each across bet, the value with best play after it, summed over all other cards."""
    rank = ranker(rules)
    values = {1: 0, 2: 0, 3: 0}
    for across in combinations([card for card in deck if card not in hole], 2):
        rows = row_values(rules, rank, hole, across, deck)
        for x in values:
            values[x] += max(rows[x, y] for y in (0, 1, 2, 3))
    return values


def game_value(rules: Rules, faces: str, known: str = "") -> Fraction:
    """Return the value of a round with these faces in the deck, for a player who sees one such card at the start."""
    deck = deck_of(faces)
    holes: dict[tuple[str, bool], list[Cards]] = {}
    for one, two in combinations(deck, 2):
        holes.setdefault((one[0] + two[0], one[1] == two[1]), []).append((one, two))
    rank = ranker(rules)
    # Hole cards that differ by suit alone are worth the same.
    values = [(len(alike), first_decision(rules, rank, alike[0], deck, known)) for alike in holes.values()]
    count = sum(ways * deals for ways, (_, deals) in values)
    return Fraction(sum(ways * value for ways, (value, _) in values), count)


def first_decision(
    rules: Rules, rank: Callable[[Cards], Hand], hole: Cards, deck: Sequence[str], known: str
) -> tuple[int, int]:
    """The value of the best across bet for each card that may be known, added up; and the number of deals."""
    left = [card for card in deck if card not in hole]
    value = deals = 0
    for seen in left if known else [""]:
        by_bet, here = {1: 0, 3: 0}, 0
        for across in combinations(left, 2):
            if (seen in across) == (known == "across"):
                rows, cards = second_decision(rules, rank, (hole, across), left, known, seen)
                here += cards
                for x in by_bet:
                    by_bet[x] += max(-(2 + x) * cards, rows[x, 1], rows[x, 3])
        value += max(-2 * here, *by_bet.values())
        deals += here
    return value, deals


def second_decision(
    rules: Rules, rank: Callable[[Cards], Hand], cards: Lines, left: Sequence[str], known: str, seen: str
) -> tuple[dict[tuple[int, int], int], int]:
    """The value of each across and down bet, summed over down and middle cards; and how many these are."""
    hole, across = cards
    rest = [card for card in left if card not in across]
    rows, count = {(x, y): 0 for x in (1, 3) for y in (1, 3)}, 0
    for down in combinations(rest, 2):
        if (known == "down" and seen not in down) or (known == "middle" and seen in down):
            continue
        middle = [seen] if known == "middle" else [card for card in rest if card not in down]
        sums = position_sums(rules, rank, hole, (across, down), middle)
        count += sums.cards
        for x, y in rows:
            rows[x, y] += sums.best(x, y)
    return rows, count
