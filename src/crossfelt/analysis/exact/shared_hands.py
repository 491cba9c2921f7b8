"""The value of a hand to a player who also knows the cards of other players."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from crossfelt.analysis.exact.advise import values_at
from crossfelt.analysis.exact.courses import Courses
from crossfelt.analysis.exact.payoffs import Payoffs
from crossfelt.analysis.exact.policy import values_of
from crossfelt.analysis.exact.position import Position
from crossfelt.analysis.exact.round_plan import RoundPlan
from crossfelt.cards.card import Card
from crossfelt.rulebooks.game import Game


class SharedRounds:
    """Rounds of players who know each other's cards, in a game in which no hand of the dealer counts."""

    def __init__(self, game: Game, players: int) -> None:
        self._game = game
        self._plan = RoundPlan(game)
        self._payoffs = Payoffs(self._plan)
        self._players = players
        # Built before threads ask for them.
        _ = self._payoffs.table, self._alone([Card(card) for card in range(len(self._plan.own))])

    @property
    def cards(self) -> int:
        """The cards of all players."""
        return self._players * len(self._plan.own)

    def gain(self, dealt: Sequence[Card]) -> Fraction:
        """Return the average gain of the players of one round, in units."""
        size = len(self._plan.own)
        hands = [dealt[start : start + size] for start in range(0, len(dealt), size)]
        return sum((self.value(hand, dealt) - self._alone(hand) for hand in hands), Fraction(0)) / len(hands)

    def value(self, hand: Sequence[Card], known: Sequence[Card]) -> Fraction:
        """Return the value of a hand under best play to a player who knows cards of others as well."""
        others = [card for card in known if card not in hand]
        seen = dict(zip(self._plan.own, hand, strict=True)) | {f"known.{card}": card for card in others}
        courses = Courses(self._plan)
        first = next(number for number, moment in enumerate(self._plan.moments) if moment.decisions)
        position = Position(self._plan, seen, first, Courses(self._plan, [courses.first]))
        return max(values_at(self._payoffs, position).values())

    def _alone(self, hand: Sequence[Card]) -> Fraction:
        courses = Courses(self._plan)
        values = values_of(self._game)(courses.decisions[0].id, courses.first)
        seen = {place: np.array([card], dtype=np.uint8) for place, card in zip(self._plan.own, hand, strict=True)}
        found = values(seen)
        return Fraction(int(found.by_option.max()), found.parts)
