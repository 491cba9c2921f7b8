"""The view of a seat that decides, over many rounds at once: the input of every strategy.

A strategy is a function `play(seen)` that returns an array of integers, one for each round: the place of its choice in
`seen.options`. All rounds of a call are at the same decision with the same stakes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.courses import Courses, Option, Stakes
from crossfelt.analysis.solver.hand_groups import allowed, marked
from crossfelt.analysis.solver.orders import order_of
from crossfelt.analysis.solver.round_plan import DEALER, RoundPlan
from crossfelt.errors import BadInput
from crossfelt.kernels.solver.card_sets import Cards, classes_of
from crossfelt.rulebooks.hand_forms import Hand, side_of
from crossfelt.rulebooks.script import Decide

Where = NDArray[np.bool_]


@dataclass(frozen=True)
class Seen:
    """The knowledge of a seat at one decision. A card is 4 × rank + suit, ranks from 0 for a two to 12 for an ace.

    >>> courses = Courses(RoundPlan(compile_game("nj-criss-cross")))
    >>> hole = np.array([[51, 47], [0, 5]], dtype=np.uint8)
    >>> seen = Seen.at(courses, courses.decisions[0], courses.first, {"hole_1": hole[:, 0], "hole_2": hole[:, 1]})
    >>> seen.decision, seen.options, seen.stakes
    ('decide_across', ('fold', '1x', '2x', '3x'), {'ante_across': 1, 'ante_down': 1})
    >>> (seen.cards["hole"] // 4).max(axis=1)
    array([12,  1])
    """

    plan: RoundPlan
    decision: str
    """The id of the decision in the script of the round."""
    choices: tuple[Option, ...]
    """The choices, from the smallest stake to the largest."""
    places: Mapping[str, Cards]
    """The cards that the seat sees now, by place: its own, and those that are turned up."""
    stakes: Mapping[str, int]
    """The wagers of the seat, in units of the first one."""
    before: Stakes
    """The same with all that was staked and given up so far."""

    @classmethod
    def at(cls, courses: Courses, step: Decide, stakes: Stakes, places: Mapping[str, Cards]) -> Seen:
        """Return what a seat with these stakes sees at a step; every whole multiple of a bet is a choice."""
        main = courses.plan.main
        staked = {wager: stake for wager, stake in zip(main, stakes.open, strict=True) if stake}
        choices = tuple(reversed(courses.options_at(step, stakes, every=True)))
        return cls(courses.plan, step.id, choices, places, staked, stakes)

    @property
    def rounds(self) -> int:
        return len(next(iter(self.places.values())))

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the choices, as `crossfelt advise` prints them."""
        return tuple(choice.name for choice in self.choices)

    @cached_property
    def cards(self) -> Mapping[str, NDArray[np.int64]]:
        """The cards by place, one for each round; and by group, a row for each round, as far as they are open."""
        groups: dict[str, Cards] = {}
        for group in self.plan.game.book.groups:
            for side in ("", DEALER):
                names = [f"{side}{place}" for place in group.names if f"{side}{place}" in self.places]
                if names:
                    groups[f"{side}{group.id}"] = self._together(names)
        return {name: found.astype(np.int64) for name, found in {**groups, **self.places}.items()}

    def cards_of(self, hand: str) -> NDArray[np.int64]:
        """Return the open cards of a hand, a row for each round."""
        return self._cards_of(hand).astype(np.int64)

    def _cards_of(self, hand: str) -> Cards:
        (formed,) = self.plan.formed(hand)
        return self._together([place for place in formed.places if place in self.places])

    def _together(self, places: list[str]) -> Cards:
        return np.ascontiguousarray(np.stack([self.places[place] for place in places], axis=1))

    def hand(self, name: str) -> NDArray[np.int16]:
        """Return the class of a hand whose cards are all open; a higher class is a better hand."""
        if name not in self._classes:
            parts = [self._class(formed.name, formed.order) for formed in self.plan.formed(name)]
            best = np.min if self._hands[side_of(name)[1]].lowest_of else np.max
            self._classes[name] = best(parts, axis=0)
        return self._classes[name]

    @cached_property
    def _hands(self) -> dict[str, Hand]:
        return {hand.id: hand for hand in self.plan.game.book.hands}

    @cached_property
    def _classes(self) -> dict[str, NDArray[np.int16]]:
        return {}

    def _class(self, name: str, order: str) -> NDArray[np.int16]:
        (formed,) = self.plan.formed(name)
        hidden = [place for place in formed.places if place not in self.places]
        if hidden:
            what = f"the hand {name} is not complete before {self.decision}: {', '.join(hidden)} face down"
            raise BadInput.at("strategy", "strategy.hand", what)
        table = order_of(self.plan.game, order).best_of(len(formed.places))
        return classes_of(self._cards_of(name), table, np.zeros(0, dtype=np.uint8))

    def has(self, hand: str, mark: str) -> Where:
        """Say for each round if a complete hand has one of its marks."""
        return marked(self.plan.game, hand, mark)[self.hand(hand)]

    @cached_property
    def allowed(self) -> Where:
        """Say which choices the seat's hands allow: a row for each round, a column for each choice."""
        return np.stack([allowed(choice, self.has, self.rounds) for choice in self.choices], axis=1)


Play = Callable[[Seen], NDArray[Any]]
"""A strategy."""
