"""Pairs of hands that are set: all pairs of small decks one by one, and all classes of the whole deck."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from crossfelt.cards.card import Card
from crossfelt.games.house_way import Holding
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.house_way.strengths import highest_lows, set_strengths, strength_counts
from crossfelt.kernels.random_deals import Hands
from crossfelt.kernels.solver.hand_shapes import (
    FULL,
    LOW_BITS,
    LOW_MASK,
    NO_HAND,
    Deck,
    Indices,
    hands_beside,
    list_settings,
    shapes_of_hands,
)
from crossfelt.kernels.solver.two_hands import _flush_pairs, _held_ranks, _suit_ways, count_pairs

WAYS = ("trump_plaza", "mgm")
HIGHS = strength_counts()[0]


def deck_of(*ranks: int, joker: int = 1) -> Deck:
    return (*(4 if rank in ranks else 0 for rank in range(13)), joker)


def code(cards: Hands, lows: Hands) -> Indices:
    made = set_strengths(cards, lows)
    return made.high.astype(np.int32) << LOW_BITS | made.low


def every_code(cards: Hands) -> Indices:
    """The code of each hand with each two cards in front, without fouls."""
    columns = []
    for places in combinations(range(7), 2):
        found = code(cards, np.ascontiguousarray(cards[:, places]))
        foul = found & LOW_MASK > highest_lows(True)[found >> LOW_BITS]
        columns.append(np.where(foul, NO_HAND, found))
    return np.array(columns, dtype=np.int32).T.copy()


@cache
def shape_codes() -> tuple[Indices, Indices]:
    cards = shapes_of_hands().cards
    return every_code(cards), np.array([code(cards, set_hands(way, cards).low) for way in WAYS])


def all_hands(deck: Deck) -> Hands:
    cards = [card for card in range(53) if deck[card // 4]]
    return np.array(list(combinations(cards, 7)), dtype=np.uint8)


class OneByOne:
    """Every pair of hands of a small deck."""

    def __init__(self, hands: Hands, dealer: Indices, ties: bool) -> None:
        self.masks = (np.uint64(1) << hands.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
        self.high, self.low, self.ties = dealer >> LOW_BITS, dealer & LOW_MASK, ties
        self.left = dealer != NO_HAND

    def won(self, hand: int, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Pairs won in both hands, and in high plus in low, for each setting of a hand."""
        others = np.flatnonzero((self.masks & self.masks[hand] == 0) & self.left)
        high = (codes >> LOW_BITS)[:, None] + self.ties > self.high[others]
        low = (codes & LOW_MASK)[:, None] + self.ties > self.low[others]
        return np.array([(high & low).sum(axis=1), high.sum(axis=1) + low.sum(axis=1)]).T


@pytest.mark.parametrize(
    ("deck", "ties"),
    [(deck_of(0, 1, 2, 12), False), (deck_of(8, 9, 10, 11), True), (deck_of(3, 4, 5, 11, joker=0), False)],
)
def test_pairs_of_a_small_deck_are_those_one_by_one(deck: Deck, ties: bool) -> None:
    worth = (-1, 20)
    every, ways = shape_codes()
    # Some shapes of the dealer are left out, as a rule of a game may ask.
    dealer = np.where(np.arange(ways.shape[1]) % 9 == 0, NO_HAND, ways[0]).astype(np.int32)
    found = count_pairs(dealer, list_settings(every, ways, deck=deck), HIGHS, worth, ties=ties, deck=deck)

    hands = all_hands(deck)
    codes = [code(hands, set_hands(way, hands).low) for way in WAYS]
    left_out = np.array([shape_of(hand) % 9 == 0 for hand in hands])
    pairs = OneByOne(hands, np.where(left_out, NO_HAND, codes[0]), ties)
    totals = np.zeros((len(WAYS) + 1, 3), dtype=np.int64)
    for hand, settings in enumerate(every_code(hands)):
        lawful = np.unique(settings[settings != NO_HAND])
        won = pairs.won(hand, lawful)
        values = won @ worth
        chosen = [np.searchsorted(lawful, each[hand]) for each in codes]
        for row, setting in enumerate((*chosen, values.argmax())):
            totals[row, :2] += won[setting]
            totals[row, 2] += values[setting] < values.max()
    assert found.hands == len(hands) == comb(sum(deck), 7)
    # Settings of equal value may win different pairs, so the best ones are compared by value.
    assert [list(row) for row in zip(found.both, found.single, strict=True)][:-1] == totals[:-1, :2].tolist()
    assert np.dot((found.both[-1], found.single[-1]), worth) == np.dot(totals[-1, :2], worth)
    assert found.improved == tuple(totals[:, 2].tolist())


def test_an_interrupted_count_says_how_many_pairs_may_be_another() -> None:
    deck, worth, (every, ways) = deck_of(0, 8, 9, 10, 11), (-1, 20), shape_codes()
    settings = list_settings(every, ways, deck=deck)
    whole = count_pairs(ways[0], settings, HIGHS, worth, deck=deck)
    assert (whole.uncounted, whole.steps[0]) == (0, whole.steps[1])
    left = []
    for until in (5, 60):

        def stop(done: int, steps: int, until: int = until) -> None:
            if done >= until:
                raise KeyboardInterrupt

        found = count_pairs(ways[0], settings, HIGHS, worth, deck=deck, done=stop)
        left.append(found.uncounted)
        assert until <= found.steps[0] < whole.steps[1]
        for name, most in (("both", 1), ("single", 2)):
            differences = np.subtract(getattr(found, name), getattr(whole, name))[:-1]
            assert (abs(differences) <= most * found.uncounted).all()
        best = np.dot((whole.both[-1] - found.both[-1], whole.single[-1] - found.single[-1]), worth)
        assert abs(best) <= (2 * worth[1] + worth[0]) * found.uncounted
    assert left == sorted(left, reverse=True)
    hands = all_hands(deck)
    flushes = np.array([shapes_of_hands().flush[shape_of(hand)] > 0 for hand in hands])
    every_flush = sum(_flush_pairs(_held_ranks(deck), joker, deck) for joker in range(2))
    assert every_flush == flushes.sum() * comb(sum(deck) - 7, 7) > left[0]


@cache
def shapes_by_ranks() -> dict[tuple[int, ...], dict[int, int]]:
    """Shapes by sorted ranks, and then by the ranks of the flush."""
    shapes = shapes_of_hands()
    found: dict[tuple[int, ...], dict[int, int]] = {}
    for shape in np.flatnonzero(shapes.hands).tolist():
        ranks = tuple(int(card) // 4 for card in shapes.cards[shape])
        found.setdefault(ranks, {})[int(shapes.flush[shape])] = shape
    return found


def shape_of(hand: NDArray[np.uint8]) -> int:
    """The shape of sorted cards, by its definition."""
    cards = [int(card) for card in hand]
    joker = cards[-1] == 52
    for suit in range(4):
        in_suit = sum(1 << card // 4 for card in cards if card != 52 and card % 4 == suit)
        if in_suit.bit_count() >= 5 - joker:
            return shapes_by_ranks()[tuple(card // 4 for card in cards)][in_suit]
    return shapes_by_ranks()[tuple(card // 4 for card in cards)][0]


def test_hands_beside_one_are_those_of_the_rest_of_the_deck() -> None:
    deck, (_, ways) = deck_of(2, 9, 10, 11, 12), shape_codes()
    hands = all_hands(deck)
    codes = code(hands, set_hands(WAYS[0], hands).low)
    for hand in range(0, len(hands), 9_973):
        others = ~np.isin(hands, hands[hand]).any(axis=1)
        counts = np.zeros((HIGHS, 91), dtype=np.int64)
        np.add.at(counts, (codes[others] >> LOW_BITS, codes[others] & LOW_MASK), 1)
        assert (hands_beside(hands[hand], ways[0], HIGHS, deck=deck) == counts).all()


def test_every_lawful_setting_is_listed_unless_another_is_as_strong_in_both_hands() -> None:
    every, ways = shape_codes()
    listed = list_settings(every, ways)
    shapes = shapes_of_hands()
    for shape in np.flatnonzero(shapes.hands)[::2_999]:
        cards = shapes.cards[shape : shape + 1]
        fronts = np.array(
            [[*option.front] for option in Holding([Card(int(card)) for card in cards[0]]).options], dtype=np.uint8
        )
        lawful = {(int(c) >> LOW_BITS, int(c) & LOW_MASK) for c in code(np.repeat(cards, len(fronts), axis=0), fronts)}
        best = {one for one in lawful if not any(a >= one[0] and b >= one[1] and (a, b) != one for a, b in lawful)}
        found = listed.codes[listed.firsts[shape] : listed.firsts[shape + 1]]
        codes = {(int(c) >> LOW_BITS, int(c) & LOW_MASK) for c in found}
        assert best <= codes <= lawful
        assert [int(found[listed.chosen[way, shape]]) for way in range(2)] == ways[:, shape].tolist()


def test_suits_up_to_permutation_stand_for_all_hands() -> None:
    ways, ranges = _suit_ways()
    shapes = shapes_of_hands()
    classes = hands = 0
    for shape in np.flatnonzero((shapes.flush == 0) & (shapes.hands > 0)):
        ranks = [int(card) // 4 for card in shapes.cards[shape] if card != 52]
        copies = [ranks.count(rank) for rank in sorted(set(ranks))]
        first, end = ranges[sum(count << 3 * place for place, count in enumerate(copies))]
        classes += end - first
        hands += ways[first:end, 4].sum()
    assert (classes, hands) == (6_972_147, comb(sum(FULL), 7))
