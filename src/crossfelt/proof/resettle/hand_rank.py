"""Hands ranked a second time, from the text of their cards.

`crossfelt.hands` ranks by tables and shapes. Here every selection of cards and every card for the joker is tried. A
hand has every category that its cards satisfy, and the highest of the order counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

RANKS: Final = "23456789TJQKA"
JOKER: Final = "Jk"
UNSEEN: Final = "??"
ACE: Final = 12
_WORDS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")

Shape = tuple[str, tuple[int, ...]]
"""A category, and the ranks that decide inside it."""


class Made(NamedTuple):
    """The rank of some cards in an order of hands; of two, the greater one is the higher hand."""

    level: int
    ties: tuple[int, ...]
    category: str

    @property
    def name(self) -> str:
        """The name that a dealer calls."""
        return _name(self.category, self.ties)


class Order(NamedTuple):
    """An order of hands: how many cards count, and the categories, lowest first."""

    cards: int
    categories: tuple[str, ...]
    settings: tuple[str, ...] = ()
    """The settings that move A-2-3-4-5 in it."""
    kickers: bool = False
    """Hands of no category are compared by their cards."""


_FIVE: Final = (
    "high_card pair two_pair three_of_a_kind straight flush full_house four_of_a_kind straight_flush royal_flush"
)
_JACKPOT: Final = "nothing full_house four_of_a_kind straight_flush royal_flush five_aces seven_card_straight_flush"
_BONUS: Final = (
    "nothing straight three_of_a_kind flush full_house four_of_a_kind straight_flush royal_flush five_aces "
    "seven_card_straight_flush_with_joker royal_flush_and_royal_match natural_seven_card_straight_flush"
)
_THREE: Final = "high_card pair flush straight three_of_a_kind straight_flush"
_UNPAIRED: Final = "nothing ace_high king_high queen_high jack_high ten_high nine_high"
ORDERS: Final[Mapping[str, Order]] = {
    "five_card": Order(5, tuple(_FIVE.split()), ("ace_low_straight",)),
    "three_card": Order(3, tuple(_THREE.split())),
    "two_card": Order(2, ("high_card", "pair")),
    "joker_five": Order(5, (*_FIVE.split(), "five_aces"), ("wheel_second_highest",)),
    "joker_seven": Order(5, (*_FIVE.split(), "five_aces"), ("wheel_second_highest",)),
    "joker_high_card": Order(5, tuple(_UNPAIRED.split())),
    "progressive_seven": Order(5, tuple(_JACKPOT.split())),
    "seven_card_bonus": Order(5, tuple(_BONUS.split())),
}


@lru_cache(maxsize=1 << 14)
def made(cards: tuple[str, ...], order: Order, ace_low: bool = True, wheel_second: bool = False) -> Made:
    """Return the highest hand that some cards make.

    >>> made(("Kd", "9c", "Kc", "9h", "2d"), ORDERS["five_card"]).name
    'kings and nines'
    >>> made(("7c", "7d", "7h", "Jk", "2s", "Ad", "4c"), ORDERS["joker_seven"]).name
    'sevens full of aces'
    """
    if UNSEEN in cards:
        raise LookupError("a card that was not shown")
    levels = {category: level for level, category in enumerate(order.categories)}
    shapes: set[Shape] = set()
    for some in combinations(cards, order.cards):
        shapes.update(_shapes(*_suited(some), ace_low=ace_low, wheel_second=wheel_second))
        if order.kickers:
            shapes.add(("nothing", tuple(sorted((RANKS.index(card[0]) for card in some), reverse=True))))
            shapes.update(_in_suit(some, order.categories, ace_low))
    if "nine_high" in levels:  # the high card of seven cards that make nothing else; the joker is an ace
        highest = max(ties for category, ties in shapes if category == "high_card")[:1]
        unpaired = {category for category, _ in shapes} == {"high_card"}
        shapes = {(f"{_WORDS[highest[0]]}_high", highest)} if unpaired else set()
    elif len(cards) == 7 and not order.kickers:
        shapes.update(_of_seven(cards))
    found = [Made(levels[category], ties, category) for category, ties in shapes if category in levels]
    return max(found, default=Made(0, (), order.categories[0]))


def _suited(cards: tuple[str, ...]) -> tuple[tuple[int, ...], bool]:
    """Return the ranks of the natural cards, lowest first, and whether they are of one suit."""
    natural = [card for card in cards if card != JOKER]
    ranks = sorted([RANKS.index(card[0]) for card in natural])
    return (*([-1] * (len(cards) - len(natural))), *ranks), len({card[1] for card in natural}) == 1


@lru_cache(maxsize=1 << 16)
def _shapes(ranks: tuple[int, ...], suited: bool, *, ace_low: bool, wheel_second: bool) -> tuple[Shape, ...]:
    """Return every category of some ranks; -1 is the joker: an ace, or the card that completes a straight or flush."""
    if ranks[0] >= 0:
        return tuple(_natural(ranks, suited, ace_low, wheel_second))
    rest = ranks[1:]
    shapes = list(_natural(tuple(sorted((*rest, ACE))), False, ace_low, wheel_second))
    for rank in set(range(len(RANKS))).difference(rest):
        completed = _natural(tuple(sorted((*rest, rank))), suited, ace_low, wheel_second)
        shapes += [shape for shape in completed if "straight" in shape[0] or "flush" in shape[0]]
    return tuple(shapes)


def _natural(ranks: tuple[int, ...], suited: bool, ace_low: bool, wheel_second: bool) -> Iterator[Shape]:
    groups = sorted([(ranks.count(rank), rank) for rank in set(ranks)], reverse=True)
    sizes, ties = [size for size, _ in groups], tuple([rank for _, rank in groups])
    yield "high_card", ties
    if sizes[0] > 1:
        yield "pair", ties
        if sizes[0] > 2:
            yield "three_of_a_kind", ties
        if sizes[0] > 3:
            yield "four_of_a_kind", ties
        if sizes[0] > 4:
            yield "five_aces" if ties[0] == ACE else "five_of_a_kind", ties
        if sizes[1:] and sizes[1] > 1:
            yield "two_pair", ties
            if sizes[0] > 2:
                yield "full_house", ties
        return
    top = _top_of_run(ranks, ace_low)
    if suited:
        yield "flush", ties
    if top is not None:
        run = (ranks[-1], ranks[-2]) if wheel_second else (top,)
        yield "straight", run
        if suited:
            yield "straight_flush", run
        if suited and top == ACE:
            yield "royal_flush", (ACE,)


def _top_of_run(ranks: tuple[int, ...], ace_low: bool) -> int | None:
    text = "".join([RANKS[rank] for rank in ranks])
    if text in RANKS:
        return ranks[-1]
    return ranks[-2] if ace_low and text[-1] == "A" and text[:-1] in RANKS[: len(text) - 1] else None


def _in_suit(cards: tuple[str, ...], categories: tuple[str, ...], ace_low: bool) -> Iterator[Shape]:
    """Yield flushes and runs in one suit of some of the cards, as ``three_card_flush``."""
    for count, number in enumerate(_WORDS[:6], 2):
        flush, run = f"{number}_card_flush", f"{number}_card_straight_flush"
        for some in combinations(cards, count) if flush in categories or run in categories else ():
            ranks, suited = _suited(some)
            if suited:
                yield flush, ranks[::-1]
                if (top := _top_of_run(ranks, ace_low)) is not None:
                    yield run, (top,)


def _of_seven(cards: tuple[str, ...]) -> Iterator[Shape]:
    """Yield the hands of all seven cards: seven in a row of one suit, or a royal flush with another king and queen."""
    kind = "seven_card_straight_flush_with_joker" if JOKER in cards else "natural_seven_card_straight_flush"
    for category, ties in _shapes(*_suited(cards), ace_low=True, wheel_second=False):
        if category == "straight_flush":
            yield from (("seven_card_straight_flush", ties), (kind, ties))
    for five in combinations(cards, 5):
        king, queen = sorted(card for card in cards if card not in five)
        if (king[0], queen[0]) == ("K", "Q") and king[1] == queen[1]:
            shapes = _shapes(*_suited(five), ace_low=True, wheel_second=False)
            yield from (("royal_flush_and_royal_match", ()) for category, _ in shapes if category == "royal_flush")


_CALLED: Final = {
    "nothing": "no qualifying hand",
    "high_card": "{one}-high",
    "pair": "pair of {ones}",
    "two_pair": "{ones} and {others}",
    "three_of_a_kind": "three {ones}",
    "straight": "{run} straight",
    "flush": "{one}-high flush",
    "full_house": "{ones} full of {others}",
    "four_of_a_kind": "four {ones}",
    "straight_flush": "{run} straight flush",
    "seven_card_straight_flush": "{one}-high seven-card straight flush",
    "seven_card_straight_flush_with_joker": "{one}-high seven-card straight flush with the joker",
    "natural_seven_card_straight_flush": "natural {one}-high seven-card straight flush",
}


def _name(category: str, ties: tuple[int, ...]) -> str:
    words = [_WORDS[rank] for rank in ties] or [""]
    several = [f"{word}es" if word == "six" else f"{word}s" for word in words]
    if category == "high_card" and len(ties) == 2:
        return "-".join(words)
    called = _CALLED.get(category, category.replace("_", "-" if category.endswith("_high") else " "))
    if "_card_" in category and category not in _CALLED:
        called = f"{{one}}-high {called.replace(' card', '-card')}"
    run = "ace-to-five" if ties == (ACE, 3) else f"{words[0]}-high"
    return called.format(one=words[0], ones=several[0], others=several[-1 if len(ties) < 2 else 1], run=run)
