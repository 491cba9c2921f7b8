"""Best play of a game in which player and dealer have two cards each and share a board.

A seat may decide before the board, once while a part of it is open, and when all of it is open. What is best on the
whole board depends on the odds, so that another pay table is another run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.exact.courses import Courses, Option, Stakes
from crossfelt.analysis.exact.payoffs import Payoffs
from crossfelt.analysis.exact.reach import Unreachable
from crossfelt.analysis.exact.tree import Decided, Tally, Values, decide
from crossfelt.kernels.exact.boards import Options, Origins, Ranking, count_boards, sum_boards
from crossfelt.kernels.exact.card_sets import (
    SetKinds,
    card_sets,
    changed_pairs,
    choose_table,
    pairs_beside,
    set_kinds,
    sets_up_to_suits,
)
from crossfelt.kernels.exact.hand_tables import DECK, MOST_CARDS
from crossfelt.kernels.threads import in_threads, processors

Counts = NDArray[np.int64]
HELD: Final = 2
"""Cards of a player, and of the dealer."""


class Stage(NamedTuple):
    """The board cards that are open at some decisions, and the numbers of these decisions."""

    opened: int
    decisions: tuple[int, ...]


class BoardGame:
    """A game with a shared board, ready to be counted."""

    def __init__(self, payoffs: Payoffs, courses: Courses) -> None:
        self.payoffs = payoffs
        self.courses = courses
        self.board = sum(len(group.names) for group in payoffs.plan.game.book.groups if group.owner == "community")
        self._require_reach()

    # --- the round ------------------------------------------------------------------------------------------------

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The decisions that are still to be made, by the number of open cards of the board."""
        plan, found = self.payoffs.plan, []
        opened, number = 0, len(self.courses.decisions) - len(self.courses.every_decision)
        for moment in plan.moments:
            opened += sum(place in plan.hidden and not place.startswith("dealer.") for place in moment.places)
            numbers = range(max(number, 0), number + len(moment.decisions))
            if numbers:
                found.append(Stage(opened, tuple(numbers)))
            number += len(moment.decisions)
        return tuple(found)

    @property
    def part(self) -> int:
        """The open cards at a decision between the board's first card and its last; 0 if there is none."""
        return next((stage.opened for stage in self.stages if 0 < stage.opened < self.board), 0)

    def decisions_at(self, opened: int) -> tuple[int, ...]:
        return next((stage.decisions for stage in self.stages if stage.opened == opened), ())

    def _require_reach(self) -> None:
        plan, game = self.payoffs.plan, self.payoffs.plan.game
        dealer = [place for place in plan.hidden if place.startswith("dealer.")]
        if len(plan.own) != HELD or len(dealer) != HELD or len(self.payoffs.own) != 1 or len(self.payoffs.dealer) != 1:
            raise Unreachable.form(game, f"a shared board is solved for one hand of {HELD} own cards on each side")
        own, theirs = self.payoffs.own[0], self.payoffs.dealer[0]
        if (own.order.id, own.hand.cards) != (theirs.order.id, theirs.hand.cards):
            raise Unreachable.form(game, "the player's and the dealer's hands are ranked in different ways")
        if {len(own.hand.places), len(theirs.hand.places)} != {HELD + self.board} or HELD + self.board > MOST_CARDS:
            raise Unreachable.form(game, "a hand leaves out a card of the board, or has more than seven cards")
        parts = [stage for stage in self.stages if 0 < stage.opened < self.board]
        if len(parts) > 1 or len(self.decisions_at(self.board)) > 1:
            raise Unreachable.form(game, "the seat decides at several parts of the board")
        if plan.ceiling_marks:
            raise Unreachable.form(game, "the largest bet beside a shared board depends on the player's hand")
        if set(dealer) & {place for moment in plan.moments[:-1] for place in moment.places}:
            raise Unreachable.form(game, "the seat decides after a card of the dealer is turned up")

    @cached_property
    def deals(self) -> int:
        """Every way in which cards can come: hole cards, the open part, the rest of the board, the dealer's cards."""
        return comb(DECK, HELD) * comb(DECK - HELD, self.part) * self.deals_after_part

    @property
    def deals_after_part(self) -> int:
        rest = comb(DECK - HELD - self.part, self.board - self.part)
        return rest * comb(DECK - HELD - self.board, HELD)

    # --- arrays of the kernels ------------------------------------------------------------------------------------

    @cached_property
    def ranking(self) -> Ranking:
        own, dealer = self.payoffs.own[0], self.payoffs.dealer[0]
        table = own.order.best_of(HELD + self.board)
        bounds = np.array(dealer.first[1:-1], dtype=np.int64)
        return Ranking(table.cards, table.weights, table.plain, table.flush, own.of_class, bounds)

    @cached_property
    def _columns(self) -> tuple[Counts, Counts]:
        """Return the winnings of each column by result, and the number of the column of each of `Payoffs.columns`.

        Wagers whose stakes are equal at every end share a column.
        """
        stakes = self.payoffs.stakes_of(self.courses.ends)
        _, number = np.unique(stakes, axis=1, return_inverse=True)
        wins = np.zeros((number.max() + 1, self.payoffs.results), dtype=np.int64)
        np.add.at(wins, number.reshape(-1), self.payoffs.table)
        return wins, number.reshape(-1)

    @property
    def wins(self) -> Counts:
        return self._columns[0]

    def units_of(self, stakes: Stakes) -> Counts:
        """Return the units that are staked on each column."""
        wins, number = self._columns
        units = np.zeros(len(wins), dtype=np.int64)
        units[number] = self.payoffs.stakes_of([stakes])[0]
        return units

    @cached_property
    def arriving(self) -> tuple[Stakes, ...]:
        """The stakes with which a seat can see the whole board."""
        last = self.decisions_at(self.board)
        every = self.courses.before[last[0]] if last else self.courses.ends
        return tuple(stakes for stakes in every if not stakes.settled)

    def options_of(self, stakes: Stakes) -> list[Option]:
        last = self.decisions_at(self.board)
        return self.courses.options(last[0], stakes) if last else [Option("", stakes)]

    def options(self, states: Sequence[Stakes]) -> Options:
        listed = [self.options_of(stakes) for stakes in states]
        every = [option.then for options in listed for option in options]
        columns = len(self.wins)
        return Options(
            start=np.cumsum([0, *map(len, listed)]),
            units=np.array([self.units_of(stakes) for stakes in every], dtype=np.int64).reshape(len(every), columns),
            sure=np.array([-stakes.lost * self.payoffs.scale for stakes in every], dtype=np.int64),
        )

    @cached_property
    def origins(self) -> Origins:
        kinds = set_kinds(self.part)
        places = np.array(list(combinations(range(self.board), self.part)), dtype=np.int64)
        return Origins(places.reshape(-1, self.part), kinds.number, kinds.change, changed_pairs())


@lru_cache(maxsize=2)
def boards_up_to_suits(size: int) -> tuple[NDArray[np.uint8], Counts]:
    """Return one example of the boards that are alike up to suits, and the number that each stands for."""
    return sets_up_to_suits(card_sets(size), ())


# --- nodes ----------------------------------------------------------------------------------------------------------


class PartNodes(NamedTuple):
    """The open part of the board with the player's two cards, up to suits."""

    of_pair: NDArray[np.int32]
    """Node by kind of part and pair; −1 where they meet."""
    ways: Counts
    start: Counts
    """Starting hand of each node."""


@lru_cache(maxsize=2)
def part_nodes(cards: int) -> PartNodes:
    """Return the nodes of a part of this number of cards.

    >>> len(part_nodes(3).ways)
    1286792
    """
    kinds: SetKinds = set_kinds(cards)
    least = pairs_beside(kinds).astype(np.int64)
    free = least >= 0
    names = np.where(free, least + np.arange(len(least))[:, None] * least.shape[1], -1)
    known, node = np.unique(names[free], return_inverse=True)
    of_pair = np.full(least.shape, -1, dtype=np.int32)
    of_pair[free] = node
    ways = np.zeros(len(known), dtype=np.int64)
    np.add.at(ways, node, np.broadcast_to(kinds.ways[:, None], least.shape)[free])
    return PartNodes(of_pair, ways, set_kinds(HELD).number[known % least.shape[1]])


class BoardPlay(NamedTuple):
    """Best play before the whole board is open."""

    decided: Mapping[tuple[int, Stakes], Decided]
    """By the number of the decision and the stakes before it; by starting hand, or by node of the open part."""
    total: int


def best_play(game: BoardGame) -> BoardPlay:
    """Return best play, the sums over all deals being those of every starting hand or node."""
    payoffs, courses = game.payoffs, game.courses
    payoffs.require_sums_that_fit(courses.ends, game.deals)
    choosing = [stakes for stakes in game.arriving if len(game.options_of(stakes)) > 1]
    nodes = part_nodes(game.part)
    sums = _merged(_summed(game, game.options(choosing)), nodes)
    columns = len(game.wins)
    values: Values = {stakes: sums[:, columns + place] for place, stakes in enumerate(choosing)}
    last = game.decisions_at(game.board)
    sure = -payoffs.scale * nodes.ways * game.deals_after_part
    for stakes in courses.before[last[0]] if last else courses.ends:
        if stakes not in values:
            (then,) = (option.then for option in game.options_of(stakes))
            values[stakes] = sums[:, :columns] @ game.units_of(then) + then.lost * sure
    decided: dict[tuple[int, Stakes], Decided] = {}
    values = _decided(game, game.decisions_at(game.part) if game.part else (), decided, values)
    values = {stakes: _by_start(value, nodes) for stakes, value in values.items()}
    values = _decided(game, game.decisions_at(0), decided, values)
    return BoardPlay(decided, int(np.sum(values[courses.first])))


def _decided(
    game: BoardGame, numbers: Sequence[int], decided: dict[tuple[int, Stakes], Decided], values: Values
) -> Values:
    for number in reversed(numbers):
        values = {
            stakes: decide(decided, number, stakes, game.courses.options(number, stakes), values)
            for stakes in game.courses.before[number]
        }
    return values


def _by_start(value: Counts | int, nodes: PartNodes) -> Counts:
    sums = np.zeros(int(nodes.start.max()) + 1, dtype=np.int64)
    np.add.at(sums, nodes.start, value)
    return sums


def _summed(game: BoardGame, options: Options) -> Counts:
    boards, ways = boards_up_to_suits(game.board)
    kinds, columns = len(set_kinds(game.part).ways), len(game.wins) + len(options.start) - 1
    shares = processors()
    places, number, change, pair = game.origins

    def work(share: int) -> Counts:
        sums = np.zeros((kinds, len(changed_pairs()[0]), columns), dtype=np.int64)
        mine = slice(share, None, shares)
        sum_boards(
            boards[mine], ways[mine], *game.ranking, game.wins, *options, places, number, change, pair,
            choose_table(), card_sets(2), sums,
        )  # fmt: skip
        return sums

    first, *others = in_threads(work, shares)
    for other in others:
        first += other
    return first


def _merged(sums: Counts, nodes: PartNodes) -> Counts:
    free = nodes.of_pair >= 0
    merged = np.zeros((len(nodes.ways), sums.shape[2]), dtype=np.int64)
    for column in range(sums.shape[2]):
        np.add.at(merged[:, column], nodes.of_pair[free], sums[:, :, column][free])
    return merged


# --- counting -------------------------------------------------------------------------------------------------------


def tally(game: BoardGame, play: BoardPlay) -> Tally:
    """Count every end of a round under best play."""
    courses, nodes = game.courses, part_nodes(game.part)
    settled: dict[Stakes, int] = {}
    choices: dict[tuple[int, str], int] = {}
    start = np.zeros(int(nodes.start.max()) + 1, dtype=np.int64)
    np.add.at(start, nodes.start, nodes.ways * game.deals_after_part)
    reached = {courses.first: np.ones(len(start), dtype=np.bool_)}
    reached = _counted(play, game.decisions_at(0), reached, start, settled, choices)
    reached = {stakes: here[nodes.start] for stakes, here in reached.items()}
    part = game.decisions_at(game.part) if game.part else ()
    reached = _counted(play, part, reached, nodes.ways * game.deals_after_part, settled, choices)
    state = np.full(len(nodes.ways) + 1, -1, dtype=np.int8)
    for place, stakes in enumerate(game.arriving):
        if stakes in reached:
            state[:-1][reached[stakes]] = place
    played, last_choices = _played(game, state[nodes.of_pair], settled)
    return Tally(settled, played, {**choices, **last_choices})


def _counted(
    play: BoardPlay,
    numbers: Sequence[int],
    reached: dict[Stakes, NDArray[np.bool_]],
    ways: Counts,
    settled: dict[Stakes, int],
    choices: dict[tuple[int, str], int],
) -> dict[Stakes, NDArray[np.bool_]]:
    """Follow the choices of some decisions: where each stakes are reached."""
    for number in numbers:
        then: dict[Stakes, NDArray[np.bool_]] = {}
        for stakes, here in reached.items():
            found = play.decided.get((number, stakes))
            options = found.options if found else (Option("", stakes),)
            for place, option in enumerate(options):
                taken = here & (found.chosen == place) if found else here
                count = int(ways[taken].sum())
                if option.name:
                    choices[number, option.name] = choices.get((number, option.name), 0) + count
                if option.then.settled:
                    settled[option.then] = settled.get(option.then, 0) + count
                else:
                    then[option.then] = then[option.then] | taken if option.then in then else taken
        reached = then
    return reached


def _played(
    game: BoardGame, arrived: NDArray[np.int8], settled: dict[Stakes, int]
) -> tuple[dict[Stakes, Counts], dict[tuple[int, str], int]]:
    """Count the results by end, and the choices on the whole board."""
    boards, ways = boards_up_to_suits(game.board)
    options = game.options(game.arriving)
    shares = processors()
    places, number, change, pair = game.origins

    def work(share: int) -> tuple[Counts, Counts]:
        results = np.zeros((len(options.sure), game.payoffs.results), dtype=np.int64)
        taken = np.zeros(len(options.sure), dtype=np.int64)
        mine = slice(share, None, shares)
        count_boards(
            boards[mine], ways[mine], *game.ranking, game.wins, *options, places, number, change, pair,
            choose_table(), card_sets(2), arrived, results, taken,
        )  # fmt: skip
        return results, taken

    counted = in_threads(work, shares)
    results = np.sum([results for results, _ in counted], axis=0)
    taken = np.sum([taken for _, taken in counted], axis=0)
    listed = [option for stakes in game.arriving for option in game.options_of(stakes)]
    played: dict[Stakes, Counts] = {}
    choices: dict[tuple[int, str], int] = {}
    for place, option in enumerate(listed):
        if option.name:
            key = game.decisions_at(game.board)[0], option.name
            choices[key] = choices.get(key, 0) + int(taken[place])
        if option.then.settled:
            settled[option.then] = settled.get(option.then, 0) + int(taken[place])
        else:
            played[option.then] = played.get(option.then, np.zeros_like(results[place])) + results[place]
    return played, choices
