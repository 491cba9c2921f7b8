"""A five-card hand with the joker, and the hands in seven cards.

The source of 13:69F-11 omits the rules of the base game (PGP-28). These are the customary ones; the place of
A-2-3-4-5 is a setting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import combinations

from crossfelt.cards.card import JOKER, RANK_NAMES, RANKS, Card
from crossfelt.cards.notation import require_cards
from crossfelt.hands.rank import LEVELS, HandRank
from crossfelt.hands.shape import ACE, five_card_shape, straight_top

_STRAIGHTS = ("straight", "straight_flush")
_COMPLETED_BY_JOKER = ("straight", "flush", "straight_flush", "royal_flush")


def rank_joker_five(cards: Sequence[Card], *, wheel_second: bool = True) -> HandRank:
    """Rank five different cards of the 53-card deck; five aces are the highest hand.

    The joker is an ace, or completes a straight, a flush, a straight flush or a royal flush; a hand that it
    completes equals the natural one. With `wheel_second` A-2-3-4-5 ranks between A-K-Q-J-10 and
    K-Q-J-10-9, as a straight and as a straight flush; without it, lowest.

    >>> from crossfelt.cards import parse_cards
    >>> def name(text):
    ...     return rank_joker_five(parse_cards(text, joker=True)).name
    >>> name("7c 7d 7h Jk 2s"), name("Ac Ad Ah Jk 2s"), name("Kh 9h Jk 4h 2h"), name("Ac 2d 3h Jk 5s")
    ('three sevens', 'four aces', 'ace-high flush', 'ace-to-five straight')
    """
    require_cards(cards, 5, joker=True)
    return _rank_cards(cards, wheel_second)


def five_card_hands(cards: Sequence[Card], *, wheel_second: bool = True) -> Iterator[HandRank]:
    """Yield the 21 five-card hands in seven cards."""
    require_cards(cards, 7, joker=True)
    return (_rank_cards(five, wheel_second) for five in combinations(cards, 5))


def best_of_seven(cards: Sequence[Card], *, wheel_second: bool = True) -> HandRank:
    """Return the highest five-card hand in seven cards."""
    return max(five_card_hands(cards, wheel_second=wheel_second))


def rank_no_pair(cards: Sequence[Card]) -> HandRank:
    """Return the high card of seven cards without a pair, straight or flush; with one, the category is ``nothing``.

    The joker counts as an ace, so a queen-high hand has no ace, king or joker. A lower high card ranks higher,
    because it pays more; nine-high is the lowest possible.
    """
    best = best_of_seven(cards)
    if best.category != "high_card":
        return HandRank("joker_high_card", "nothing", ())
    return HandRank("joker_high_card", f"{RANK_NAMES[best.ranks[0]]}_high", best.ranks[:1])


def _rank_cards(cards: Sequence[Card], wheel_second: bool) -> HandRank:
    natural = [card for card in cards if card != JOKER]
    one_suit = len({card.suit for card in natural}) == 1
    return _rank_of(tuple(sorted([card.rank for card in natural])), one_suit, wheel_second)


@cache
def _rank_of(ranks: tuple[int, ...], one_suit: bool, wheel_second: bool) -> HandRank:
    """Rank five natural cards, or four and the joker, by their sorted ranks; cached, as there are few."""
    if len(ranks) == 5:
        return _rank(ranks, one_suit, wheel_second)
    return max(_ranks_with_joker(ranks, one_suit, wheel_second))


def _ranks_with_joker(ranks: Sequence[int], one_suit: bool, wheel_second: bool) -> Iterator[HandRank]:
    """Yield every hand that four natural cards can make with the joker."""
    yield _rank([*ranks, ACE], False, wheel_second)
    if len(set(ranks)) < len(ranks):
        return  # with a pair there is no straight or flush to complete
    for rank in set(range(len(RANKS))).difference(ranks):
        completed = _rank([*ranks, rank], one_suit, wheel_second)
        if completed.category in _COMPLETED_BY_JOKER:
            yield completed


def _rank(ranks: Collection[int], one_suit: bool, wheel_second: bool) -> HandRank:
    category, ties = five_card_shape(ranks, one_suit=one_suit)
    if category in _STRAIGHTS and wheel_second:
        # The two highest cards determine the order of straights: A-K above above K-Q.
        ties = tuple(sorted(ranks, reverse=True)[:2])
    return HandRank("joker_five", category, ties)


# --- hands in seven cards for the optional wagers, independent of how the player sets them

_ROYAL = {RANKS.index(rank) for rank in "TJQKA"}
_MATCH = {RANKS.index(rank) for rank in "QK"}


def rank_progressive_seven(cards: Sequence[Card]) -> HandRank:
    """Rank seven cards in the order of the progressive wager of 13:69F-11.14A (PGP-1 to PGP-5).

    Only the highest category counts (AMB-30), over all seven cards (AMB-20). Below a full house the category
    is ``nothing``. A-2-3-4-5 is the lowest straight flush here.

    >>> from crossfelt.cards import parse_cards
    >>> rank_progressive_seven(parse_cards("8s 9s Ts Js Jk Ks As", joker=True)).name
    'ace-high seven-card straight flush'
    >>> rank_progressive_seven(parse_cards("2s 9s Ts Js 3s Ks As")).category
    'nothing'
    """
    top = seven_card_straight_flush_top(cards)
    if top is not None:
        return HandRank("progressive_seven", "seven_card_straight_flush", (top,))
    best = best_of_seven(cards, wheel_second=False)
    if best.category in LEVELS["progressive_seven"]:
        return HandRank("progressive_seven", best.category, best.ranks)
    return HandRank("progressive_seven", "nothing", ())


def rank_seven_card_bonus(cards: Sequence[Card]) -> HandRank:
    """Rank seven cards in the order of the seven-card bonus wager: three of a kind is above a straight.

    Only the highest category counts, over all seven cards. Below a straight the category is ``nothing``.

    >>> from crossfelt.cards import parse_cards
    >>> rank_seven_card_bonus(parse_cards("As Ks Qs Js Ts Kd Qd")).name
    'royal flush and royal match'
    >>> rank_seven_card_bonus(parse_cards("5c 6d 7h 8s 9c 9d 9h")).name
    'three nines'
    """
    top = seven_card_straight_flush_top(cards)
    if top is not None and JOKER not in cards:
        return HandRank("seven_card_bonus", "natural_seven_card_straight_flush", (top,))
    if has_royal_match(cards):
        return HandRank("seven_card_bonus", "royal_flush_and_royal_match", ())
    if top is not None:
        return HandRank("seven_card_bonus", "seven_card_straight_flush_with_joker", (top,))
    paid = [
        HandRank("seven_card_bonus", hand.category, hand.ranks)
        for hand in five_card_hands(cards, wheel_second=False)
        if hand.category in LEVELS["seven_card_bonus"]
    ]
    return max(paid, default=HandRank("seven_card_bonus", "nothing", ()))


def seven_card_straight_flush_top(cards: Sequence[Card]) -> int | None:
    """Return the highest rank of seven consecutive cards of one suit, with the joker as any of them (PGP-2).

    The ace may be the lowest or the highest of the seven.

    >>> from crossfelt.cards import parse_cards
    >>> seven_card_straight_flush_top(parse_cards("As 2s 3s 4s 5s 6s 7s"))
    5
    """
    require_cards(cards, 7, joker=True)
    natural = [card for card in cards if card != JOKER]
    if len({card.suit for card in natural}) > 1:
        return None
    ranks = {card.rank for card in natural}
    sevens = [ranks]
    if JOKER in cards:
        sevens = [ranks | {rank} for rank in range(len(RANKS)) if rank not in ranks]
    tops = [straight_top(sorted(seven, reverse=True)) for seven in sevens]
    return max((top for top in tops if top is not None), default=None)


def has_royal_match(cards: Sequence[Card]) -> bool:
    """Say if seven cards are a royal flush with the king and queen of another suit.

    The joker may complete the royal flush. It may not be the matched king or queen, as it is an ace unless it
    completes a straight or a flush. The sources do not print this customary rule.

    >>> from crossfelt.cards import parse_cards
    >>> has_royal_match(parse_cards("As Ks Jk Js Ts Kd Qd", joker=True))
    True
    >>> has_royal_match(parse_cards("As Ks Qs Js Ts Kd Jk", joker=True))
    False
    """
    require_cards(cards, 7, joker=True)
    held: dict[int, set[int]] = {}
    for card in cards:
        if card != JOKER:
            held.setdefault(card.suit, set()).add(card.rank)
    jokers = 7 - sum(map(len, held.values()))
    suits = sorted(held.values(), key=len, reverse=True)
    return len(suits) == 2 and suits[0] <= _ROYAL and len(suits[0]) + jokers == 5 and suits[1] == _MATCH
