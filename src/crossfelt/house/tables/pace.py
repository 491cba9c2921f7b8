"""How long a table waits: for bets, for decisions, for who is cut off; and how fast its dealer goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from crossfelt.table import events as e

PaceName = Literal["practice", "regulated", "instant"]

SEEN_MS: Final[Mapping[type, int]] = {
    e.CardsDealt: 900,
    e.BetPlaced: 350,
    e.HandFolded: 350,
    e.ChoiceMade: 350,
    e.HandSet: 250,
    e.CommunityCardsRevealed: 900,
    e.DealerHandsSet: 1200,
    e.HandsExposed: 700,
    e.SeatSettled: 600,
    e.WheelSpun: 3500,
    e.XtremeSpun: 3500,
    e.AwardGranted: 2500,
    e.AwardsDrawn: 1500,
    e.RoundClosed: 2500,
}
"""How long people look at something before the dealer goes on."""


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """The times of a table, in seconds; 0 where no clock runs."""

    name: PaceName
    bet_seconds: int
    """From the first wager of a person to no more bets."""
    late_seconds: int
    """How long those who say they are ready wait for the others."""
    decision_seconds: int
    """What the submission says where it says nothing else."""
    offer_seconds: int
    """How long the bank is offered to one seat."""
    away_seconds: int
    """How long the table waits for a player who is cut off."""
    idle_seconds: int
    """How long one player may keep others waiting where no clock runs."""
    shows: bool
    """Whether the dealer waits until people have seen what happened."""

    def pause_ms(self, kinds: Iterable[type[e.Event]]) -> int:
        """How long the dealer waits after events of these kinds.

        >>> PACES["practice"].pause_ms([e.RoundClosed])
        2500
        """
        return max((SEEN_MS.get(kind, 0) for kind in kinds), default=0) if self.shows else 0


PACES: Final[Mapping[str, Pace]] = {
    pace.name: pace
    for pace in (
        Pace(
            name="practice",
            bet_seconds=0,
            late_seconds=20,
            decision_seconds=0,
            offer_seconds=30,
            away_seconds=60,
            idle_seconds=120,
            shows=True,
        ),
        Pace(
            name="regulated",
            bet_seconds=30,
            late_seconds=10,
            decision_seconds=30,
            offer_seconds=15,
            away_seconds=60,
            idle_seconds=120,
            shows=True,
        ),
        Pace(
            name="instant",
            bet_seconds=0,
            late_seconds=5,
            decision_seconds=0,
            offer_seconds=5,
            away_seconds=10,
            idle_seconds=60,
            shows=False,
        ),
    )
}
"""Practice: nobody is hurried. Regulated: clocks run, as stated before betting. Instant: for programs."""
