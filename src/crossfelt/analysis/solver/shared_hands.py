"""The gain of a player who also knows the cards of other players, in a game in which no hand of the dealer counts.

The value of a hand to a player who knows them is exact. The value of the same hand, among the same cards, under the
strategy of a player who does not is the mean over cards that are drawn before the last decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver import nodes
from crossfelt.analysis.solver.advise import values_at
from crossfelt.analysis.solver.courses import Courses, Stakes
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.policy import values_of
from crossfelt.analysis.solver.position import Position
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.cards.card import Card
from crossfelt.kernels.solver.hand_tables import DECK
from crossfelt.kernels.solver.position_list import sum_results
from crossfelt.rulebooks.game import Game

DRAWS = 4000
"""Draws of the cards before the last decision, for each hand."""
Floats = NDArray[np.float64]


class SharedRounds:
    """Rounds of players who know each other's cards."""

    def __init__(self, game: Game, players: int) -> None:
        self._plan = RoundPlan(game)
        self._payoffs = Payoffs(self._plan)
        self._courses = Courses(self._plan)
        self._values = values_of(game)
        self._streets = nodes.require_reach(self._payoffs)
        self._players = players
        # Built before threads ask for it.
        _ = self._payoffs.table

    @property
    def cards(self) -> int:
        """The cards of all players."""
        return self._players * len(self._plan.own)

    def gain(self, dealt: Sequence[Card]) -> float:
        """Return the average gain of the players of one round, in units."""
        size = len(self._plan.own)
        hands = [dealt[start : start + size] for start in range(0, len(dealt), size)]
        return sum(float(self.value(hand, dealt)) - self.value_alone(hand, dealt) for hand in hands) / len(hands)

    def value(self, hand: Sequence[Card], known: Sequence[Card]) -> Fraction:
        """Return the value of a hand under best play to a player who knows cards of others as well."""
        others = [card for card in known if card not in hand]
        seen = dict(zip(self._plan.own, hand, strict=True)) | {f"known.{card}": card for card in others}
        first = next(number for number, moment in enumerate(self._plan.moments) if moment.decisions)
        position = Position(self._plan, seen, first, Courses(self._plan, [self._courses.first]))
        return max(values_at(self._payoffs, position).values())

    def value_alone(self, hand: Sequence[Card], known: Sequence[Card]) -> float:
        """Estimate the value of a hand, beside cards of others, to a player who does not know these."""
        chance = np.random.default_rng([int(card) for card in known])
        left = np.array([card for card in range(DECK) if card not in known], dtype=np.uint8)
        places = [place for block in self._streets.blocks[1:-1] for place in block.places]
        drawn = left[np.argsort(chance.random((DRAWS, len(left))), axis=1)[:, : len(places)]]
        cards = {place: np.full(DRAWS, card, dtype=np.uint8) for place, card in zip(self._plan.own, hand, strict=True)}
        cards |= dict(zip(places, drawn.T, strict=True))
        dead = np.array([[card for card in known if card not in hand]], dtype=np.uint8)
        return float(self._played(cards, dead).mean())

    def _played(self, cards: dict[str, NDArray[np.uint8]], dead: NDArray[np.uint8]) -> Floats:
        """Follow the strategy to the last decision, and sum over the last card from there."""
        worth, shown = np.zeros(DRAWS), list[str]()
        here: dict[Stakes, NDArray[np.intp]] = {self._courses.first: np.arange(DRAWS)}
        left = len(self._courses.decisions)
        for block, steps in zip(self._streets.blocks, self._streets.decisions, strict=True):
            shown += block.places
            for step in steps:
                left -= 1
                then: dict[Stakes, list[NDArray[np.intp]]] = {}
                for stakes, rows in here.items():
                    seen = {place: cards[place][rows] for place in shown}
                    found = self._values(step.id, stakes)(seen)
                    chosen = found.by_option.argmax(axis=0)
                    for place, option in enumerate(found.options):
                        mine = rows[chosen == place]
                        if option.then.settled:
                            worth[mine] = -option.then.lost
                        elif left == 0:
                            worth[mine] = self._to_the_end(option.then, {p: cards[p][mine] for p in shown}, dead)
                        else:
                            then.setdefault(option.then, []).append(mine)
                here = {stakes: np.concatenate(parts) for stakes, parts in then.items()}
        return worth

    def _to_the_end(self, end: Stakes, cards: dict[str, NDArray[np.uint8]], dead: NDArray[np.uint8]) -> Floats:
        payoffs, last = self._payoffs, self._streets.blocks[-1]
        own = np.stack(list(cards.values()), axis=1)
        columns = np.ascontiguousarray(np.hstack([own, np.repeat(dead, len(own), axis=0)]))
        hands = [groups.hand.places for groups in payoffs.own]
        entered = np.array([[place in hand for hand in hands] for place in cards], dtype=np.uint8)
        none = np.zeros((dead.shape[1], len(hands)), dtype=np.uint8)
        inside = np.vstack([entered, none, np.array([last.enters], dtype=np.uint8)]).T
        wins = payoffs.stakes_of([end]) @ payoffs.table - end.lost * payoffs.scale
        sums = sum_results(columns, np.ascontiguousarray(inside), payoffs.tables, wins)[:, 0]
        found: Floats = sums / ((DECK - columns.shape[1]) * payoffs.scale)
        return found
