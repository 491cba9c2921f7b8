"""Every way in which seven cards can be set in two hands, and what the house would do with them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec

from crossfelt.cards.card import Card
from crossfelt.games.house_way import house_way_of
from crossfelt.games.pai_gow import PaiGow
from crossfelt.rulebooks.game import Game
from crossfelt.table.telling_words import rule_words


class WayToSet(msgspec.Struct, frozen=True, kw_only=True):
    """Two cards in front, and what both hands then are."""

    low: tuple[str, ...]
    low_name: str
    high_name: str
    foul: bool
    """The front ranks above the hand behind it, and both would lose."""


class WaysToSet(msgspec.Struct, frozen=True, kw_only=True):
    ways: tuple[WayToSet, ...]
    house_way: tuple[str, ...]
    """The two cards that the house would put in front."""
    rule: str
    """The line of the house way that fires, in words."""
    trace: tuple[str, ...]
    """How it was come to, line by line."""


def ways_to_set(game: Game, seven: Sequence[Card]) -> WaysToSet:
    """All twenty-one ways, and the house way.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> told = ways_to_set(compile_game("nj-pai-gow"), parse_cards("Ks Kd Qs Jd 7h 5c 2d"))
    >>> len(told.ways), told.house_way, told.rule
    (21, ('Qs', 'Jd'), 'one pair: behind, with the two highest other cards in front')
    >>> [way.low_name for way in told.ways if way.foul]
    ['pair of kings', 'king-queen', 'king-queen']
    """
    rules, house = PaiGow(game), house_way_of(game).set(seven)
    ways = []
    for low in combinations(seven, 2):
        made = rules.set(seven, low)
        ways.append(WayToSet(low=_texts(low), low_name=made.low.name, high_name=made.high.name, foul=made.foul))
    rule = rule_words(house.rule, game)
    return WaysToSet(ways=tuple(ways), house_way=_texts(house.low), rule=rule, trace=house.trace)


def _texts(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(card.text for card in cards)
