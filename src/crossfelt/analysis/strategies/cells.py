"""Sums over positions with the same features at every decision: all that a strategy card depends on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.boards import HELD, BoardGame
from crossfelt.analysis.solver.courses import Courses, Stakes
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.strategies.conditions import Sight
from crossfelt.analysis.strategies.evaluate import DealerPositions, StreetPositions
from crossfelt.analysis.strategies.seen import Seen
from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.solver.boards import whole_board_values
from crossfelt.kernels.solver.card_sets import Cards, Counts
from crossfelt.kernels.solver.hand_tables import DECK
from crossfelt.rulebooks.game import Game

Numbers = NDArray[np.int64]
_SAMPLE: Final = 200_000
"""Deals of a sample."""
_SMALL: Final = 32
_LARGE: Final = 1024
"""The rank of a hand is below it, every other feature below `_SMALL`."""
BETTER: Final = "the better line"
"""The choice of the hand that is best as far as its cards are open, where a player names one."""
_MOST: Final = "most"
"""The feature that says how far up the choices the seat's hands allow."""


class CellTable:
    """Joint cells of all decisions, with the sum of every final stake over the deals of each.

    A joint cell of a decision follows one of the decision before it.
    """

    def __init__(self, game: Game) -> None:
        self.plan = RoundPlan(game)
        self.payoffs = Payoffs(self.plan)
        self.courses = Courses(self.plan)
        self.steps = self.courses.decisions
        self.sights = [Sight(self.plan, step.id) for step in self.steps]
        self.choices: list[list[str]] = [self._choices(number) for number in range(len(self.steps))]
        self.finals = list(dict.fromkeys(map(self._final_of, self.courses.ends)))
        self.features: list[dict[str, Numbers]] = []
        self.parts = 0
        """The number by which sums are divided."""
        self._cell_numbers: list[dict[int, int]] = [{} for _ in self.steps]
        self._joint_numbers: list[dict[int, int]] = [{} for _ in self.steps]
        self._sums: Counts = np.zeros((1024, len(self.finals)), dtype=np.int64)
        # One position of each decision gives the names of its features.
        examples = [
            {place: np.array([card], dtype=np.uint8) for card, place in enumerate(sight.open)} for sight in self.sights
        ]
        self._names = [list(self._features(number, example)) for number, example in enumerate(examples)]

    def _asked(self, number: int) -> Stakes:
        """Return some stakes with which a seat is asked at a decision."""
        step = self.steps[number]
        return next(s for s in self.courses.before[number] if not s.folded and self.courses.asked(step, s))

    def _choices(self, number: int) -> list[str]:
        """Return the choices of a decision, from the smallest stake to the largest."""
        options = reversed(self.courses.options(number, self._asked(number)))
        return list(dict.fromkeys(BETTER if option.then.named else option.name for option in options))

    @staticmethod
    def _final_of(end: Stakes) -> Stakes:
        """Return an end whatever hand the player has named: it is the better one."""
        return end._replace(named="")

    # --- filling --------------------------------------------------------------------------------------------------

    def joint(self, number: int, places: Mapping[str, Cards], before: Numbers | None) -> Numbers:
        """Return the joint cells of positions at a decision; `before` are those of the decision before it."""
        keys = np.zeros(1, dtype=np.int64)
        for name, values in self._features(number, places).items():
            keys = keys * _base(name) + values
        cells = _numbered(keys, self._cell_numbers[number])
        return _numbered(cells + (0 if before is None else before << 32), self._joint_numbers[number])

    def _features(self, number: int, places: Mapping[str, Cards]) -> dict[str, Numbers]:
        seen = Seen.at(self.courses, self.steps[number], self._asked(number), places)
        features = self.sights[number].features(seen)
        if any(option.ceilings for option in seen.choices):
            ours = [seen.options.index(name) for name in self.choices[number]]
            features[_MOST] = seen.allowed[:, ours].sum(axis=1) - 1
        return features

    def add(self, joint: Numbers, places: Mapping[str, Cards], ways: Counts, values: Counts) -> None:
        """Add positions after the last decision, with the value of each end summed over the deals that can follow."""
        while len(self._joint_numbers[-1]) > len(self._sums):
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
        ends = list(self.courses.ends)
        for place, final in enumerate(self.finals):
            alike = [ends.index(end) for end in ends if self._final_of(end) == final]
            value = values[:, alike[0]]
            if len(alike) > 1:
                named = {ends[at].named: at for at in alike}
                hands = self.sights[-1].named
                better = self.sights[-1].better_hand(places)
                value = values[np.arange(len(values)), np.array([named[hand] for hand in hands])[better]]
            np.add.at(self._sums[:, place], joint, ways * value)

    def arrays(self, all_deals: int) -> Iterator[NDArray[np.int64]]:
        """Yield the table as arrays, to be kept."""
        yield np.array([all_deals * self.payoffs.scale], dtype=np.int64)
        yield self._sums[: len(self._joint_numbers[-1])]
        for numbers in (*self._cell_numbers, *self._joint_numbers):
            yield np.array(list(numbers), dtype=np.int64)

    def finish(self, arrays: Sequence[NDArray[np.int64]]) -> CellTable:
        """Make the arrays of the search."""
        parts, self._sums, *keys_of = arrays
        self.parts = int(parts[0])
        cell_keys, keys_of_joints = keys_of[: len(self.steps)], keys_of[len(self.steps) :]
        for names, keys in zip(self._names, cell_keys, strict=True):
            found: dict[str, Numbers] = {}
            for name in reversed(names):
                found[name], keys = keys % _base(name), keys // _base(name)
            self.features.append(found)
        self._parents = [keys >> 32 for keys in keys_of_joints]
        self._cells = [keys & 0xFFFFFFFF for keys in keys_of_joints]
        self._cells_at_end = self._ancestors()
        self._then = [self._transitions(number) for number in range(len(self.steps))]
        return self

    def _ancestors(self) -> list[Numbers]:
        """Return for each decision the cell that leads to each last joint cell."""
        found: list[Numbers] = []
        at = np.arange(len(self._cells[-1]))
        for cells, parents in zip(reversed(self._cells), reversed(self._parents), strict=True):
            found.insert(0, cells[at])
            at = parents[at]
        return found

    def _transitions(self, number: int) -> Numbers:
        """Return the number of the stakes after each choice, by the stakes before it."""
        last = number + 1 == len(self.steps)
        after = self.finals if last else list(self.courses.before[number + 1])
        rows = []
        for stakes in self.courses.before[number]:
            options = self.courses.options(number, stakes)
            then = {BETTER if option.then.named else option.name: option.then for option in options}
            ends = [then.get("") or then[name] for name in self.choices[number]]
            rows.append([after.index(self._final_of(end) if last else end) for end in ends])
        return np.array(rows)

    # --- values ---------------------------------------------------------------------------------------------------

    def value(self, told: Sequence[Numbers]) -> int:
        """Return the value of a choice in every cell of every decision, summed over all deals."""
        return int(self._sums[np.arange(len(self._sums)), self._final(told)].sum())

    def by_choice(self, place: int, told: Sequence[Numbers]) -> Counts:
        """Return the value of each choice of one decision by cell, with the other decisions fixed."""
        cells = self._cells_at_end[place]
        found = np.zeros((len(told[place]), len(self.choices[place])), dtype=np.int64)
        for choice in range(found.shape[1]):
            changed = [*told[:place], np.full(len(found), choice), *told[place + 1 :]]
            values = self._sums[np.arange(len(self._sums)), self._final(changed)]
            np.add.at(found[:, choice], cells, values)
        return found

    def _final(self, told: Sequence[Numbers]) -> Numbers:
        """Return the number of the final stakes of each joint cell."""
        state: Numbers = np.zeros(len(self._sums), dtype=np.int64)
        for number, cells in enumerate(self._cells_at_end):
            choice = told[number]
            if _MOST in self.features[number]:
                choice = np.minimum(choice, self.features[number][_MOST])
            state = self._then[number][state, choice[cells]]
        return state


def _base(feature: str) -> int:
    return _LARGE if feature == "rank" else _SMALL


def _numbered(keys: Numbers, numbers: dict[int, int]) -> Numbers:
    """Return the number of each key, new ones in the order in which they are met."""
    known, place = np.unique(keys, return_inverse=True)
    return np.array([numbers.setdefault(key, len(numbers)) for key in known.tolist()], dtype=np.int64)[place]


def cells_of(game: Game) -> CellTable:
    """Return the sums of a game, from disk if they were made before."""
    table = CellTable(game)
    make = _beside_boards if table.payoffs.on_board else _against_dealer if table.payoffs.dealer else _by_streets
    key = "cells", game.hash, table.payoffs.table.tobytes(), _SMALL
    return table.finish(cached_arrays(key, lambda: make(table)))


def _beside_boards(table: CellTable) -> Iterator[NDArray[np.int64]]:
    """Sum a sample of deals, each against all hands of the dealer: a shared board has too many positions."""
    payoffs, plan = table.payoffs, table.plan
    game = BoardGame(payoffs, table.courses)
    board = plan.board
    dealt = np.random.default_rng(0).random((_SAMPLE, DECK)).argpartition(HELD + len(board), axis=1)
    cards = dealt[:, : HELD + len(board)].astype(np.uint8)
    places = dict(zip((*plan.own, *board), np.ascontiguousarray(cards.T), strict=True))
    joint: Numbers | None = None
    for number, sight in enumerate(table.sights):
        joint = table.joint(number, {place: places[place] for place in sight.open}, joint)
    assert joint is not None
    own, whole = np.ascontiguousarray(cards[:, :HELD]), np.ascontiguousarray(cards[:, HELD:])
    values = whole_board_values(own, whole, game.ranking, payoffs.nets(table.courses.ends))
    table.add(joint, places, np.ones(_SAMPLE, dtype=np.int64), values)
    return table.arrays(_SAMPLE * comb(DECK - HELD - len(board), HELD))


def _by_streets(table: CellTable) -> Iterator[NDArray[np.int64]]:
    positions = StreetPositions(table.payoffs, all_suits=False)
    first = [sum(len(steps) for steps in positions.streets.decisions[:block]) for block in range(positions.last + 1)]

    def walk(block: int, cards: Cards, ways: Counts, joint: Numbers | None) -> None:
        places = dict(zip(positions.places, cards.T, strict=False))
        for number in range(len(positions.streets.decisions[block])):
            joint = table.joint(first[block] + number, places, joint)
        if block < positions.last:
            for more, origin, more_ways in positions.after(cards, block + 1):
                walk(block + 1, more, ways[origin] * more_ways, joint[origin] if joint is not None else None)
        else:
            assert joint is not None
            table.add(joint, places, ways, positions.values(cards, table.courses.ends))

    walk(0, *positions.start(), None)
    return table.arrays(positions.all_deals)


def _against_dealer(table: CellTable) -> Iterator[NDArray[np.int64]]:
    positions = DealerPositions(table.payoffs)
    values = positions.values(table.courses.ends)
    for places, ways, nodes in positions:
        joint: Numbers | None = None
        for number in range(len(table.steps)):
            joint = table.joint(number, places, joint)
        assert joint is not None
        table.add(joint, places, ways, values[nodes])
    return table.arrays(positions.tree.all_deals)
