"""Compilation of a house way to numbers: one line for each play, with the condition of its rule.

The rules themselves define the meaning of each term, and `crossfelt.hands` the rank of five cards.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import numpy as np

from crossfelt.cards.card import JOKER as JOKER_CARD
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput
from crossfelt.games.house_way import PATTERN_OF_SIZES
from crossfelt.games.split_hands import HighLowHand
from crossfelt.hands.joker import rank_joker_five
from crossfelt.hands.poker import rank_two
from crossfelt.hands.rank import JOKER_CATEGORIES, HandRank
from crossfelt.kernels.house_way.decide import CARDS, DECK, JOKER, NO_RANK, RANKS, Compiled, Numbers, Table, tabulate
from crossfelt.rulebooks.house_ways import (
    PATTERNS,
    BehindHands,
    HouseWay,
    Play,
    RankSpan,
    Rule,
    load_house_way,
    two_card_ladder,
)

_NATURAL: Final = comb(RANKS - 1 + 7, 7)
_WITH_JOKER: Final = comb(RANKS - 1 + 6, 6)

# A setting is a line and six bits in a signed 16-bit number.
_MOST_PLAYS: Final = (1 << 9) - 1


def loaded(way: str | HouseWay) -> HouseWay:
    return load_house_way(way) if isinstance(way, str) else way


def plays(way: HouseWay) -> list[tuple[Rule, Play]]:
    return [(rule, play) for rule in way.rules for play in rule.plays]


@lru_cache(maxsize=32)
def compile_way(way: HouseWay) -> Compiled:
    if len(plays(way)) > _MOST_PLAYS:
        raise BadInput.at("", "house_way.plays", "too many plays", len(plays(way)), f"at most {_MOST_PLAYS}")
    lines = np.array([_line(rule, play) for rule, play in plays(way)], dtype=np.int64)
    by_ranks = np.zeros(_NATURAL + _WITH_JOKER, dtype=np.int16)
    compiled = Compiled(lines, _pattern_places(), steps_of_ranks(), low_places(), _worths(), by_ranks)
    for joker in (0, 1):
        tabulate(joker, compiled)
    return compiled


def _line(rule: Rule, play: Play) -> tuple[int, ...]:
    fitting = [place for place, low in enumerate(two_card_ladder()) if play.front.allows(low)]
    when = rule.when
    return (
        _bits(PATTERNS.index(pattern) for pattern in when.holds),
        *(_ranks_of(span) for span in (when.pair, when.second_pair, when.three, when.four)),
        _categories_of(when.makes),
        fitting[0],
        fitting[-1],
        _categories_of(play.behind),
    )


def _ranks_of(span: RankSpan | None) -> int:
    return _bits(rank for rank in range(NO_RANK + 1) if span is None or (rank < NO_RANK and span.allows(rank)))


def _categories_of(wanted: tuple[BehindHands, ...]) -> int:
    categories = enumerate(JOKER_CATEGORIES)
    return _bits(level for level, name in categories if not wanted or any(word.allows(name) for word in wanted))


def _bits(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


@cache
def _pattern_places() -> Numbers:
    places = np.zeros(1 << 8, dtype=np.int64)
    for sizes, pattern in PATTERN_OF_SIZES.items():
        places[sum(1 << 2 * (size - 2) for size in sizes if size > 1)] = PATTERNS.index(pattern)
    return places


@cache
def steps_of_ranks() -> Numbers:
    steps = np.zeros((CARDS, DECK), dtype=np.int64)
    for place in range(CARDS):
        steps[place, :JOKER] = [comb(card // 4 + place, place + 1) for card in range(JOKER)]
        # The joker is the last card of five or seven, and no other card has such a number.
        steps[place, JOKER] = comb(RANKS + place, place + 1)
    return steps


@cache
def low_places() -> Numbers:
    place_of = {low: place for place, low in enumerate(two_card_ladder())}
    places = np.zeros((RANKS, RANKS), dtype=np.int64)
    for one in range(RANKS):
        for other in range(RANKS):
            places[one, other] = place_of[rank_two((Card(4 * one), Card(4 * other + 1)))]
    return places


@cache
def five_card_ranks(wheel_second: bool) -> Mapping[tuple[int, int], HandRank]:
    """Return the ranks of all five cards: not suited (0) and suited (1), by the number of the sorted cards."""
    steps, found = steps_of_ranks(), {}
    for joker in ((), (JOKER_CARD,)):
        for ranks in combinations_with_replacement(range(RANKS), 5 - len(joker)):
            # Equal ranks are adjacent and at most four, so these suits never repeat a card.
            mixed = [Card(4 * rank + place % 4) for place, rank in enumerate(ranks)]
            suited = [Card(4 * rank) for rank in ranks]
            for one_suit, cards in enumerate((mixed, suited)):
                if len(set(cards)) == len(ranks):
                    number = int(sum(steps[place, card] for place, card in enumerate((*cards, *joker))))
                    found[one_suit, number] = rank_joker_five((*cards, *joker), wheel_second=wheel_second)
    return found


def five_card_table(value: Callable[[HandRank], int], *, wheel_second: bool = True) -> Table:
    """Return a value of every rank of five cards, as `behind` finds it."""
    table = np.zeros((2, comb(RANKS + 4, 5) + comb(RANKS + 3, 4)), dtype=np.int16)
    for place, rank in five_card_ranks(wheel_second).items():
        table[place] = value(rank)
    return table


def highest_low(high: HandRank) -> int:
    """Return the place of the highest low hand that is no foul in front of a high hand."""
    return bisect_left(two_card_ladder(), True, key=lambda low: HighLowHand(high=high, low=low).foul) - 1


@cache
def _worths() -> Table:
    """Return the category and the highest low hand that is no foul, of every five cards."""
    return five_card_table(lambda high: high.level << 8 | highest_low(high))
