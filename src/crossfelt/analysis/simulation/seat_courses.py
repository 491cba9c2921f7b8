"""The decisions of a seat over many rounds: its strategy is asked, and its stakes follow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.ranked_hands import DealtCards, NotVectorised
from crossfelt.analysis.solver.courses import Courses, Stakes
from crossfelt.analysis.solver.round_plan import DEALER as DEALERS
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide, Reveal

Places = NDArray[np.intp]
NOT_ASKED: Final = -1
"""Marks a decision after a fold, or in a void round."""


class Course(NamedTuple):
    """The stakes of a seat between two decisions."""

    stakes: Stakes
    folded_at: str = ""
    """The decision at which the player folded."""
    shown: frozenset[str] = frozenset()
    """The wagers for which the player has shown the hand."""


class Standing(NamedTuple):
    """A wager at the end of a course."""

    status: str
    """``open``, ``forfeit``, ``unshown``, or empty where it is not placed."""
    cents: int = 0


@lru_cache(maxsize=64)
def round_plan(game: Game) -> RoundPlan | None:
    """Return the decisions of a game; None of a game without any."""
    return RoundPlan(game) if any(isinstance(step, Decide) for step in game.book.script) else None


class SeatRounds:
    """The decisions of a seat in the rounds of a block."""

    def __init__(self, rounds: int, first: Course) -> None:
        self._number = {first: 0}
        self.course: Places = np.zeros(rounds, dtype=np.intp)
        """The course of each round, an index in `courses`."""
        self.choices: dict[str, Places] = {}
        """The choice at each decision, an index in `names`."""
        self.names: dict[str, list[str]] = {}
        self._before: dict[str, Places] = {}

    @property
    def courses(self) -> tuple[Course, ...]:
        return tuple(self._number)

    def number(self, course: Course) -> int:
        return self._number.setdefault(course, len(self._number))

    def begin(self, step: Decide) -> None:
        self.choices[step.id] = np.full(len(self.course), NOT_ASKED, dtype=np.intp)
        self.names[step.id] = []
        self._before[step.id] = self.course.copy()

    def take(self, step: Decide, rows: Places, names: list[str], then: Places, chosen: Places) -> None:
        """Record the choices of some rounds, and their courses from now on."""
        known = self.names[step.id]
        known += [name for name in names if name not in known]
        self.choices[step.id][rows] = np.array([known.index(name) for name in names]).take(chosen)
        self.course[rows] = then.take(chosen)

    def call_off(self, step: Decide, rounds: NDArray[np.bool_]) -> None:
        """Remove the decisions of rounds that were void before this step."""
        self.choices[step.id][rounds] = NOT_ASKED
        self.course[rounds] = self._before[step.id][rounds]

    def counts(self) -> dict[str, dict[str, int]]:
        """Count each choice by decision."""
        found = {}
        for step, taken in self.choices.items():
            times = np.bincount(taken + 1, minlength=1 + len(self.names[step]))[1:].tolist()
            found[step.removeprefix("decide_")] = dict(zip(self.names[step], times, strict=True))
        return found


class SeatCourses:
    """One seat of a plan: its stakes, and its strategy at each decision."""

    def __init__(self, game: Game, number: int, stakes: Mapping[str, int], play: Play | None) -> None:
        self._game = game
        self._number = number
        self.stakes = stakes
        """Cents by wager of the opening."""
        self._play = play
        self._plan = round_plan(game)
        main = self._plan.main if self._plan else ()
        placed = tuple(int(wager in stakes) for wager in main)
        self._main = {wager: place for place, wager in enumerate(main)}
        self.first = Course(Stakes(placed, placed, (0,) * len(main)))
        self._courses = Courses(self._plan, [self.first.stakes]) if self._plan else None

    def decide(self, dealt: DealtCards) -> SeatRounds:
        """Make the decisions of many rounds."""
        found = SeatRounds(dealt.rounds, self.first)
        if self._plan is None or self._courses is None:
            return found
        places = {place: dealt.card(self._number, place) for place in self._plan.own}
        for step in self._game.book.script:
            if isinstance(step, Reveal):
                for place in (place for name in step.cards for place in self._plan.places_of(name)):
                    places[place] = dealt.card(0, place.replace(DEALERS, "dealer_"))
            elif isinstance(step, Decide):
                found.begin(step)
                if self._plan.asks(step):
                    self._ask(step, found, places)
                elif self.stakes.keys() >= set(step.with_):
                    self._show(step, found)
        return found

    def _ask(self, step: Decide, found: SeatRounds, places: Mapping[str, NDArray[np.uint8]]) -> None:
        """Ask the strategy, apart for each set of stakes."""
        assert self._courses is not None
        assert self._play is not None
        before = found.course.copy()
        for number, course in enumerate(found.courses):
            rows = np.flatnonzero(before == number)
            if not rows.size or course.folded_at or not self._courses.asked(step, course.stakes):
                continue
            whole = rows.size == len(before)
            mine = places if whole else {place: cards[rows] for place, cards in places.items()}
            seen = Seen.at(self._courses, step, course.stakes, mine)
            then = [
                found.number(course._replace(stakes=option.then, folded_at=step.id if option.then.folded else ""))
                for option in seen.choices
            ]
            found.take(step, rows, list(seen.options), np.array(then), self._play(seen))

    def _show(self, step: Decide, found: SeatRounds) -> None:
        """Show the hand for a side bet, in every round in which the player is still in."""
        if not step.shows:
            raise NotVectorised(self._game, f"the decision {step.id} concerns a side bet")
        for number, course in enumerate(found.courses):
            rows = np.flatnonzero(found.course == number)
            if not course.folded_at and rows.size:
                then = found.number(course._replace(shown=course.shown | {step.wager}))
                found.take(step, rows, ["expose"], np.array([then]), np.zeros(rows.size, dtype=np.intp))

    # --- stakes -----------------------------------------------------------------------------------------------------

    def cents(self, wager: str, units: int) -> int:
        """Return the stake of a wager in cents, from units of its first base."""
        base = self._game.wager(wager)
        while base.id not in self.stakes:
            base = self._game.base(base)
        return units * self.stakes[base.id]

    def standing(self, wager: str, course: Course) -> Standing:
        """Return what has become of a wager."""
        place = self._main.get(wager)
        if place is None:
            if wager not in self.stakes:
                return Standing("")
            folded = self._game.steps[course.folded_at][1] if course.folded_at else None
            status = "forfeit" if isinstance(folded, Decide) and wager in self._game.fold_forfeits(folded) else "open"
            steps = (step for step in self._game.book.script if isinstance(step, Decide) and step.shows)
            if status == "open" and wager not in course.shown and any(step.wager == wager for step in steps):
                status = "unshown"
            return Standing(status, self.stakes[wager])
        if course.stakes.given_up[place]:
            return Standing("forfeit", self.cents(wager, course.stakes.given_up[place]))
        units = course.stakes.open[place]
        return Standing("open", self.cents(wager, units)) if units else Standing("")

    # --- one round in full ------------------------------------------------------------------------------------------

    def script(self, found: SeatRounds, row: int) -> dict[str, Any]:
        """Return the decisions of a round as a script writes them."""
        decisions: dict[str, Any] = {}
        placed = found.courses[found.course[row]].stakes.placed
        for step in (step for step in self._game.book.script if isinstance(step, Decide)):
            taken = int(found.choices[step.id][row])
            if taken != NOT_ASKED:
                decisions[step.name] = self._written(step, found.names[step.id][taken], placed)
        return decisions

    def _written(self, step: Decide, name: str, placed: tuple[int, ...]) -> str | int:
        times, _, rest = name.partition("x")
        if times.isdigit() and not rest:
            return self.cents(step.wager, placed[self._main[step.wager]])
        return name.partition(" ")[0]
