"""Hands of seven cards by their kind, as the pay tables of Pai Gow Poker rank them."""

from __future__ import annotations

from typing import Final

from crossfelt.hands.rank import HandRank
from crossfelt.kernels.seven_card import KINDS

ORDER_OF: Final = {"pai_gow_seven": "pai_gow_five"} | {name: name for name in KINDS[0]._fields}
"""The order of hands that a pay table's kind of hand is ranked in."""


def ranks_of_kinds(hand: str) -> list[HandRank]:
    """How each of `KINDS` ranks as the kind of hand that a pay table is written for.

    >>> ranks_of_kinds("progressive_seven")[-1].category
    'seven_card_straight_flush'
    """
    order = ORDER_OF[hand]
    return [HandRank(order, getattr(kind, order), ()) for kind in KINDS]
