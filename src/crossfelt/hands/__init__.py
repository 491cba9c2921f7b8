"""Hands: five-card, three-card, two-card and joker ranks."""

from crossfelt.hands.joker import (
    best_of_seven,
    five_card_hands,
    rank_joker_five,
    rank_no_pair,
    rank_progressive_seven,
    rank_seven_card_bonus,
)
from crossfelt.hands.kinds import KINDS, HandKind
from crossfelt.hands.poker import rank_five, rank_three, rank_two
from crossfelt.hands.rank import FIVE_CARD_CATEGORIES, ORDERS, HandRank

__all__ = [
    "FIVE_CARD_CATEGORIES",
    "KINDS",
    "ORDERS",
    "HandKind",
    "HandRank",
    "best_of_seven",
    "five_card_hands",
    "rank_five",
    "rank_joker_five",
    "rank_no_pair",
    "rank_progressive_seven",
    "rank_seven_card_bonus",
    "rank_three",
    "rank_two",
]
