"""The high hand of pai gow poker, with the joker, and what seven cards hold.

The text of 13:69F-11 that Crossfelt was built from leaves the base rules out (PGP-28). These are the usual
ones of the game; the place of A-2-3-4-5 is a setting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import combinations

from crossfelt.cards.card import JOKER, RANK_NAMES, RANKS, Card
from crossfelt.cards.notation import require_cards
from crossfelt.hands.rank import HandRank
from crossfelt.hands.shape import ACE, five_card_shape

_STRAIGHTS = ("straight", "straight_flush")
_COMPLETED_BY_JOKER = ("straight", "flush", "straight_flush", "royal_flush")


def rank_pai_gow_five(cards: Sequence[Card], *, wheel_second: bool = True) -> HandRank:
    """Rank five different cards of the 53-card deck; five aces are the highest hand.

    The joker is an ace, or the card that completes a straight, a flush, a straight flush or a royal flush; a
    hand completed by it equals the natural one. With `wheel_second` A-2-3-4-5 ranks between A-K-Q-J-10 and
    K-Q-J-10-9, as a straight and as a straight flush; without it, lowest.

    >>> from crossfelt.cards import parse_cards
    >>> def name(text):
    ...     return rank_pai_gow_five(parse_cards(text, joker=True)).name
    >>> name("7c 7d 7h Jk 2s"), name("Ac Ad Ah Jk 2s"), name("Kh 9h Jk 4h 2h"), name("Ac 2d 3h Jk 5s")
    ('three sevens', 'four aces', 'ace-high flush', 'ace-to-five straight')
    """
    require_cards(cards, 5, joker=True)
    return _rank_cards(cards, wheel_second)


def five_card_hands(cards: Sequence[Card], *, wheel_second: bool = True) -> Iterator[HandRank]:
    """The 21 five-card hands in seven cards, however the seven are set.

    >>> from crossfelt.cards import parse_cards
    >>> len(list(five_card_hands(parse_cards("As Ks Qs Js Ts 9d 9h"))))
    21
    """
    require_cards(cards, 7, joker=True)
    return (_rank_cards(five, wheel_second) for five in combinations(cards, 5))


def best_of_seven(cards: Sequence[Card], *, wheel_second: bool = True) -> HandRank:
    """The highest five-card hand in seven cards.

    >>> from crossfelt.cards import parse_cards
    >>> best_of_seven(parse_cards("Ac Ad Ah As Jk 9d 9h", joker=True)).name
    'five aces'
    """
    return max(five_card_hands(cards, wheel_second=wheel_second))


def is_pai_gow(cards: Sequence[Card]) -> bool:
    """Whether seven cards hold nothing: no pair, straight or flush.

    >>> from crossfelt.cards import parse_cards
    >>> is_pai_gow(parse_cards("Qs Jd 9h 8c 6s 4d 2h")), is_pai_gow(parse_cards("Qs Qd 9h 8c 6s 4d 2h"))
    (True, False)
    """
    return best_of_seven(cards).category == "high_card"


def rank_pai_gow_high_card(cards: Sequence[Card]) -> HandRank:
    """The high card of seven cards without a pair, straight or flush; with one, the category is ``nothing``.

    The joker then counts as an ace, so that a queen-high hand has no ace, king or joker. The lower the high
    card the higher the rank, because that is what is paid; nothing is lower than nine-high.

    >>> from crossfelt.cards import parse_cards
    >>> rank_pai_gow_high_card(parse_cards("Qs Jd 9h 8c 6s 4d 2h")).category
    'queen_high'
    """
    best = best_of_seven(cards)
    if best.category != "high_card":
        return HandRank("pai_gow_high_card", "nothing", ())
    return HandRank("pai_gow_high_card", f"{RANK_NAMES[best.ranks[0]]}_high", best.ranks[:1])


def _rank_cards(cards: Sequence[Card], wheel_second: bool) -> HandRank:
    natural = [card for card in cards if card != JOKER]
    one_suit = len({card.suit for card in natural}) == 1
    return _rank_of(tuple(sorted([card.rank for card in natural])), one_suit, wheel_second)


@cache
def _rank_of(ranks: tuple[int, ...], one_suit: bool, wheel_second: bool) -> HandRank:
    """Five natural cards, or four and the joker, by their sorted ranks: few enough to rank each of them once."""
    if len(ranks) == 5:
        return _rank(ranks, one_suit, wheel_second)
    return max(_ranks_with_joker(ranks, one_suit, wheel_second))


def _ranks_with_joker(ranks: Sequence[int], one_suit: bool, wheel_second: bool) -> Iterator[HandRank]:
    """Every hand that four natural cards may make with the joker."""
    yield _rank([*ranks, ACE], False, wheel_second)
    if len(set(ranks)) < len(ranks):
        return  # with a pair among them there is no straight or flush to complete
    for rank in set(range(len(RANKS))).difference(ranks):
        completed = _rank([*ranks, rank], one_suit, wheel_second)
        if completed.category in _COMPLETED_BY_JOKER:
            yield completed


def _rank(ranks: Collection[int], one_suit: bool, wheel_second: bool) -> HandRank:
    category, ties = five_card_shape(ranks, one_suit=one_suit)
    if category in _STRAIGHTS and wheel_second:
        # Its two highest cards place a straight: A-K above above K-Q.
        ties = tuple(sorted(ranks, reverse=True)[:2])
    return HandRank("pai_gow_five", category, ties)
