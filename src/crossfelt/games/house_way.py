"""The setting of seven cards by a house way, with the rule that applied.

`crossfelt.rulebooks.house_ways` explains the terms of a house way. Only lawful settings are considered, so a house
way never fouls. The guard sets a hand that no rule covers: the highest lawful front hand and, of these settings,
the one with the highest hand behind.

Settings of equal rank differ only in the places of equal cards. Then the joker stays behind, and of other cards
those of the lower suit go in front: clubs, diamonds, hearts, spades.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import msgspec

from crossfelt.cards.card import JOKER, RANK_NAMES, Card
from crossfelt.cards.notation import require_cards
from crossfelt.games.split_hands import HighLowHand, set_hand
from crossfelt.hands.rank import plural
from crossfelt.hands.shape import ACE, grouped
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.house_ways import GUARD, HouseWay, Pattern, Play, When, load_house_way

PATTERN_OF_SIZES: Final[dict[tuple[int, ...], Pattern]] = {
    (1, 1, 1, 1, 1, 1, 1): "no pair",
    (2, 1, 1, 1, 1, 1): "one pair",
    (2, 2, 1, 1, 1): "two pair",
    (2, 2, 2, 1): "three pair",
    (3, 1, 1, 1, 1): "three of a kind",
    (3, 3, 1): "two threes",
    (3, 2, 1, 1): "full house",
    (3, 2, 2): "full house and pair",
    (4, 1, 1, 1): "four of a kind",
    (4, 2, 1): "four and pair",
    (4, 3): "four and three",
    (5, 1, 1): "five aces",
    (5, 2): "five aces",
}
"""The pattern of seven cards, by the sizes of their groups of equal rank."""


class HouseWaySetting(msgspec.Struct, frozen=True, kw_only=True):
    """Seven cards as a house way sets them."""

    low: tuple[Card, Card]
    """The two cards in front, the higher first."""
    high: tuple[Card, ...]
    """The five cards behind, the higher first."""
    rule: str
    """The id of the rule that set them, or ``guard``."""
    trace: tuple[str, ...]
    """The holding, the rules that applied, their attempts and the result."""


class SettingOption(NamedTuple):
    """Two cards in front, the lower first, and the resulting hands."""

    front: tuple[Card, Card]
    hands: HighLowHand
    order: tuple[int, tuple[int, ...], int, tuple[int, ...]]
    """Sort key, higher is better: the front first, then the hand behind."""

    @classmethod
    def of(cls, seven: Sequence[Card], front: tuple[Card, Card]) -> SettingOption:
        hands = set_hand(seven, front)
        return cls(front, hands, (hands.low.level, hands.low.ranks, hands.high.level, hands.high.ranks))


class Holding:
    """Seven cards, with the features that a house way depends on.

    >>> from crossfelt.cards import parse_cards
    >>> held = Holding(parse_cards("9c 9d 3h 3s Kc 8d 2h"))
    >>> held.pattern, held.ranks_of(2), len(held.options)
    ('two pair', (7, 1), 20)
    """

    def __init__(self, seven: Sequence[Card]) -> None:
        require_cards(seven, 7, joker=True)
        self.cards = sorted(seven)
        ranks = [ACE if card == JOKER else card.rank for card in self.cards]
        self.sizes, self.ranks = grouped(ranks)
        self.pattern = PATTERN_OF_SIZES[self.sizes]

    def ranks_of(self, size: int) -> tuple[int, ...]:
        """Return the ranks of the groups of this size, highest first."""
        return tuple(rank for of, rank in zip(self.sizes, self.ranks, strict=True) if of == size)

    @cached_property
    def options(self) -> tuple[SettingOption, ...]:
        """Every lawful setting; of settings equal in rank the preferred one comes first."""
        fronts = sorted(combinations(self.cards, 2), key=lambda front: (front[1], front[0]))
        made = (SettingOption.of(self.cards, front) for front in fronts)
        return tuple(option for option in made if not option.hands.foul)

    @cached_property
    def categories(self) -> frozenset[str]:
        """The categories that five of the cards can make behind a lawful front."""
        return frozenset(option.hands.high.category for option in self.options)

    def __str__(self) -> str:
        found = [(size, rank) for size, rank in zip(self.sizes, self.ranks, strict=True) if size > 1]
        groups = [f"{('pair of', 'three', 'four', 'five')[size - 2]} {plural(rank)}" for size, rank in found]
        return f"{self.pattern}: {', '.join(groups) or RANK_NAMES[self.ranks[0]] + ' high'}"


class HandSetter:
    """A setter of hands by one house way.

    >>> from crossfelt.cards import format_cards, parse_cards
    >>> made = HandSetter(load_house_way("trump_plaza")).set(parse_cards("9c 9d 3h 3s Kc 8d 2h"))
    >>> format_cards(made.low), format_cards(made.high), made.rule
    ('Kc 8d', '9d 9c 3s 3h 2h', 'two_pair_low_and_medium')
    >>> print(*made.trace, sep=chr(10))
    two pair: pair of nines, pair of threes
    two_pair_low_and_medium: Two pair, low and medium: together with a king or ace in front, else split
    king high or better in front, two pair behind: king-eight, nines and threes
    """

    def __init__(self, way: HouseWay) -> None:
        self.way = way

    def set(self, seven: Sequence[Card]) -> HouseWaySetting:
        """Set seven different cards, with or without the joker."""
        return self.decide(Holding(seven))

    def decide(self, held: Holding) -> HouseWaySetting:
        """Set a holding, which several house ways may share."""
        trace = [str(held)]
        for rule in self.way.rules:
            if not _applies(rule.when, held):
                continue
            trace.append(f"{rule.id}: {rule.says}" + (f" (assumed: {rule.assumed})" if rule.assumed else ""))
            for play in rule.plays:
                fitting = [option for option in held.options if _fits(play, option.hands)]
                if fitting:
                    return _settled(_best(fitting), held, rule.id, trace, str(play))
                trace.append(f"{play}: cannot be set")
        return _settled(_best(held.options), held, GUARD, trace, f"{GUARD}, the highest front that is not a foul")


def house_way(name: str) -> HandSetter:
    """Load a house way by id or file, and return its setter."""
    return HandSetter(load_house_way(name))


@lru_cache(maxsize=64)
def house_way_of(game: Game) -> HandSetter:
    """Return the setter for the house way of a game."""
    assert game.house_way is not None
    return HandSetter(game.house_way)


def _applies(when: When, held: Holding) -> bool:
    if held.pattern not in when.holds:
        return False
    pairs, threes, fours = held.ranks_of(2), held.ranks_of(3), held.ranks_of(4)
    conditions = ((when.pair, pairs), (when.second_pair, pairs[1:]), (when.three, threes), (when.four, fours))
    if any(span is not None and not span.allows(ranks[0]) for span, ranks in conditions):
        return False
    return not when.makes or any(wanted.allows(made) for wanted in when.makes for made in held.categories)


def _fits(play: Play, hands: HighLowHand) -> bool:
    if play.behind and not any(wanted.allows(hands.high.category) for wanted in play.behind):
        return False
    return play.front.allows(hands.low)


def _best(options: Sequence[SettingOption]) -> SettingOption:
    """Return the setting with the highest front, then the highest hand behind; the first of equals."""
    return max(options, key=lambda option: option.order)


def _settled(option: SettingOption, held: Holding, rule: str, trace: Sequence[str], how: str) -> HouseWaySetting:
    lower, higher = option.front
    return HouseWaySetting(
        low=(higher, lower),
        high=tuple(card for card in reversed(held.cards) if card not in option.front),
        rule=rule,
        trace=(*trace, f"{how}: {option.hands.low.name}, {option.hands.high.name}"),
    )
