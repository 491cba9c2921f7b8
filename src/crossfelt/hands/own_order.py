"""Orders of hands that a rulebook states: a number of cards, and categories of the package from the highest down.

A hand has the first category in this order that it fulfils: where a flush stands above a straight, it beats it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from crossfelt.cards.card import Card
from crossfelt.hands.kinds import HandKind
from crossfelt.hands.rank import NUMBERS, HandRank, register_order
from crossfelt.hands.shape import ACE, grouped, straight_top

Ranks = tuple[int, ...]


def own_kind(name: str, cards: int, categories: Sequence[str], *, ace_low: bool = True) -> HandKind:
    """Return the kind of hand of an order that a rulebook states.

    >>> from crossfelt.cards import parse_cards
    >>> four = own_kind("four_card", 4, ["four_of_a_kind", "flush", "straight", "two_pair", "pair", "high_card"])
    >>> [four.classify(parse_cards(text)).name for text in ("2h 3h 4h 5h", "2h 3h 4h 5s", "9h 9s Kd Kc")]
    ['five-high flush', 'five-high straight', 'kings and nines']
    """
    order = register_order(name, ("nothing", *reversed(categories)))
    return HandKind(
        id=name,
        cards=cards,
        deck=52,
        categories=tuple(categories),
        classify=partial(_classify, order, tuple(categories), ace_low),
    )


def _classify(order: str, categories: tuple[str, ...], ace_low: bool, cards: Sequence[Card]) -> HandRank:
    for category in categories:
        ranks = CATEGORIES[category](cards, ace_low)
        if ranks is not None:
            return HandRank(order, category, ranks)
    return HandRank(order, "nothing", tuple(sorted((card.rank for card in cards), reverse=True)))


# --- the categories: the ranks that break a tie, or None where the cards do not have the category


def _top(cards: Sequence[Card], ace_low: bool) -> int | None:
    sizes, ranks = grouped([card.rank for card in cards])
    return straight_top(ranks, ace_low=ace_low) if sizes[0] == 1 and len(ranks) > 1 else None


def _one_suit(cards: Sequence[Card]) -> bool:
    return len({card.suit for card in cards}) == 1


def _royal_flush(cards: Sequence[Card], ace_low: bool) -> Ranks | None:
    return (ACE,) if _one_suit(cards) and _top(cards, ace_low) == ACE else None


def _straight_flush(cards: Sequence[Card], ace_low: bool) -> Ranks | None:
    return _straight(cards, ace_low) if _one_suit(cards) else None


def _straight(cards: Sequence[Card], ace_low: bool) -> Ranks | None:
    top = _top(cards, ace_low)
    return (top,) if top is not None else None


def _flush(cards: Sequence[Card], ace_low: bool) -> Ranks | None:
    return grouped([card.rank for card in cards])[1] if _one_suit(cards) else None


def _groups(wanted: tuple[int, ...], cards: Sequence[Card], ace_low: bool) -> Ranks | None:
    """Return the ranks of a hand whose largest groups have at least the wanted sizes."""
    sizes, ranks = grouped([card.rank for card in cards])
    enough = len(sizes) >= len(wanted) and all(size >= least for size, least in zip(sizes, wanted, strict=False))
    return ranks if enough else None


def _suit_of(count: int, cards: Sequence[Card], ace_low: bool) -> Ranks | None:
    """Return the ranks of the highest `count` cards in one suit; None without such a suit."""
    suits = [sorted((card.rank for card in cards if card.suit == suit), reverse=True) for suit in range(4)]
    long = [tuple(ranks[:count]) for ranks in suits if len(ranks) >= count]
    return max(long, default=None)


def _run_of(count: int, cards: Sequence[Card], ace_low: bool) -> Ranks | None:
    """Return the top of the highest run of `count` cards in one suit; None without such a run."""
    tops = []
    for suit in range(4):
        ranks = {card.rank for card in cards if card.suit == suit}
        if ace_low and ACE in ranks:
            ranks.add(-1)
        ordered = sorted(ranks, reverse=True)
        for start in range(len(ordered) - count + 1):
            run = ordered[start : start + count]
            if all(above - below == 1 for above, below in pairwise(run)):
                tops.append(run[0])
    return (max(tops),) if tops else None


Test = Callable[[Sequence[Card], bool], Ranks | None]

CATEGORIES: Final[Mapping[str, Test]] = {
    "royal_flush": _royal_flush,
    "straight_flush": _straight_flush,
    "four_of_a_kind": partial(_groups, (4,)),
    "full_house": partial(_groups, (3, 2)),
    "flush": _flush,
    "straight": _straight,
    "three_of_a_kind": partial(_groups, (3,)),
    "two_pair": partial(_groups, (2, 2)),
    "pair": partial(_groups, (2,)),
    "high_card": partial(_groups, (1,)),
    **{f"{name}_card_flush": partial(_suit_of, count) for count, name in enumerate(NUMBERS, 2)},
    **{f"{name}_card_straight_flush": partial(_run_of, count) for count, name in enumerate(NUMBERS, 2)},
}
"""Every category that an order may list. A new category is code."""
