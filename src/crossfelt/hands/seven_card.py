"""Hands that seven cards make for the optional wagers of pai gow poker, however the player sets them."""

from __future__ import annotations

from collections.abc import Sequence

from crossfelt.cards.card import JOKER, RANKS, Card
from crossfelt.cards.notation import require_cards
from crossfelt.hands.orders import LEVELS
from crossfelt.hands.pai_gow import best_of_seven, five_card_hands
from crossfelt.hands.rank import HandRank
from crossfelt.hands.shape import straight_top

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
    """The highest rank of seven consecutive cards of one suit, the joker standing for any of them (PGP-2).

    The ace may be the lowest as well as the highest of the seven.

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
    """Whether seven cards are a royal flush and, besides it, the king and queen of another suit.

    The joker may complete the royal flush. It may not be the matched king or queen: it is an ace wherever it
    does not complete a straight or a flush. The sources do not print this rule; it is the usual one.

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
