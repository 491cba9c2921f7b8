"""Pai Gow Poker: seven cards set as a high hand of five and a low hand of two, against the dealer or a bank.

Both hands must beat the other side's; one of each is a push; equal hands, copies, go to the dealer or bank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from crossfelt.cards.card import Card
from crossfelt.hands.pai_gow import rank_pai_gow_five
from crossfelt.hands.rank import HandRank
from crossfelt.hands.two_card import rank_two

Outcome = Literal["win", "push", "lose"]


class SetHand(msgspec.Struct, frozen=True, kw_only=True):
    """Seven cards as they are set."""

    high: HandRank
    low: HandRank

    @property
    def foul(self) -> bool:
        """The low hand ranks above the high hand.

        Equal rank is no foul: with the same pair, or the same two top cards, the high hand still has its other
        cards.
        """
        return _standing(self.low) > _standing(self.high)


def _standing(rank: HandRank) -> tuple[int, tuple[int, ...]]:
    """What a two-card and a five-card hand can be compared by: pair or no pair, and the cards that show."""
    if rank.category == "high_card":
        return 0, rank.ranks[:2]
    if rank.category == "pair":
        return 1, rank.ranks[:1]
    return 2, ()


def set_hand(seven: Sequence[Card], low: Sequence[Card], *, wheel_second: bool = True) -> SetHand:
    """Seven cards with these two in front.

    >>> from crossfelt.cards import parse_cards
    >>> made = set_hand(parse_cards("Ks Kd Qs Qd 7h 5c 2d"), parse_cards("Qs Qd"))
    >>> made.high.name, made.low.name, made.foul
    ('pair of kings', 'pair of queens', False)
    >>> set_hand(parse_cards("Ks Kd Qs Jd 7h 5c 2d"), parse_cards("Ks Kd")).foul
    True
    """
    high = [card for card in seven if card not in low]
    return SetHand(high=rank_pai_gow_five(high, wheel_second=wheel_second), low=rank_two(low))


def compare(player: SetHand, bank: SetHand) -> Outcome:
    """The main wager: both hands higher wins, neither loses, one of each is a push; copies are the bank's.

    >>> from crossfelt.cards import parse_cards
    >>> kings = set_hand(parse_cards("Ks Kd Qs Jd 7h 5c 2d"), parse_cards("Qs Jd"))
    >>> compare(kings, kings)
    'lose'
    """
    if player.foul:
        return "lose"
    beaten = (player.high > bank.high) + (player.low > bank.low)
    return ("lose", "push", "win")[beaten]


def commission(won_cents: int, per_mille: int, rounding: str) -> int:
    """What is taken from a win: exact to the cent, a half cent up, or up to the next quarter.

    >>> commission(1000, 50, "exact"), commission(1010, 50, "exact"), commission(1010, 50, "up_to_25c")
    (50, 51, 75)
    """
    if rounding == "exact":
        return (won_cents * per_mille + 500) // 1000
    return -(-won_cents * per_mille // 25_000) * 25
