"""Best play of a game with a shared board.

A seat may decide before the board, while parts of it are open, and when all of it is open. The best choice on the whole
board depends on the odds, so another pay table needs another run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import comb, prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt._util.cached_by_key import cached_by_key
from crossfelt.analysis.solver.courses import Courses, Option, Stakes
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.tree import Decided, Play, Reached, Tally, Values, decide, follow
from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.solver.boards import PAIRS, Options, Origins, Ranking, count_boards, move_sets, sum_boards
from crossfelt.kernels.solver.card_sets import (
    Counts,
    card_sets,
    changed_pairs,
    choose_table,
    pairs_beside,
    set_kinds,
)
from crossfelt.kernels.solver.hand_tables import DECK, MOST_CARDS
from crossfelt.kernels.solver.position_list import sets_beside
from crossfelt.kernels.threads import in_parts

HELD: Final = 2
"""Cards of a player, and of the dealer."""
MOST_OPEN: Final = 4
PER_SECOND: Final = 10**7
"""Parts of a board with two own cards that one processor sums in a second."""


class Stage(NamedTuple):
    """The board cards that are open at some decisions, and the numbers of these decisions."""

    opened: int
    decisions: tuple[int, ...]


class BoardGame:
    """A game with a shared board, ready to be counted."""

    def __init__(self, payoffs: Payoffs, courses: Courses) -> None:
        self.payoffs = payoffs
        self.courses = courses
        self.board = len(payoffs.plan.board)
        self._require_reach()

    # --- the round ------------------------------------------------------------------------------------------------

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The decisions that are still to be made, by the number of open cards of the board."""
        plan, found = self.payoffs.plan, list[Stage]()
        opened, number = 0, len(self.courses.decisions) - len(self.courses.every_decision)
        for moment in plan.moments:
            opened += sum(place in plan.board for place in moment.places)
            numbers: Sequence[int] = range(max(number, 0), number + len(moment.decisions))
            if found and found[-1].opened == opened:  # the card that was turned up was known before
                numbers = (*found.pop().decisions, *numbers)
            if numbers:
                found.append(Stage(opened, tuple(numbers)))
            number += len(moment.decisions)
        return tuple(found)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The numbers of open cards before the whole board: none, and those at decisions."""
        return (0, *(stage.opened for stage in self.stages if 0 < stage.opened < self.board))

    def decisions_at(self, opened: int) -> tuple[int, ...]:
        return next((stage.decisions for stage in self.stages if stage.opened == opened), ())

    def _require_reach(self) -> None:
        self.payoffs.refuse_orders_by_suits()
        plan, game = self.payoffs.plan, self.payoffs.plan.game
        if len(plan.own) != HELD or len(plan.theirs) != HELD or len(self.payoffs.own) != 1:
            raise Unreachable.form(game, f"a shared board is solved for one hand of {HELD} own cards on each side")
        own, theirs = self.payoffs.own[0], self.payoffs.dealer[0]
        if (own.order.id, own.hand.cards) != (theirs.order.id, theirs.hand.cards):
            raise Unreachable.form(game, "the player's and the dealer's hands are ranked in different ways")
        if {len(own.hand.places), len(theirs.hand.places)} != {HELD + self.board} or HELD + self.board > MOST_CARDS:
            raise Unreachable.form(game, "a hand leaves out a card of the board, or has more than seven cards")
        if len(self.decisions_at(self.board)) > 1:
            raise Unreachable.form(game, "the seat decides several times when the whole board is open")
        if max(self.levels) > MOST_OPEN:
            parts = comb(DECK, max(self.levels)) * PAIRS
            raise Unreachable.size(game, "parts of a board with two own cards", parts, PER_SECOND)
        if plan.ceiling_marks:
            raise Unreachable.form(game, "the largest bet beside a shared board depends on the player's hand")
        if set(plan.theirs) & {place for moment in plan.moments[:-1] for place in moment.places}:
            raise Unreachable.form(game, "the seat decides after a card of the dealer is turned up")

    @cached_property
    def deals(self) -> int:
        """Every way in which cards can come: hole cards, the board part by part, the dealer's cards."""
        return comb(DECK, HELD) * self.deals_after(0)

    def deals_after(self, level: int) -> int:
        """Return the number of ways in which the cards after a level can come."""
        sizes = [*self.levels[level:], self.board]
        parts = (comb(DECK - HELD - opened, more - opened) for opened, more in pairwise(sizes))
        return prod(parts) * comb(DECK - HELD - self.board, HELD)

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


# --- parts of a board ---


@lru_cache(maxsize=2)
def boards_up_to_suits(size: int) -> tuple[NDArray[np.uint8], Counts]:
    """Return one example of the boards that are alike up to suits, and the number that each stands for."""
    return sets_beside((), size)


def origins(size: int, opened: int) -> Origins:
    """Return the sets of `opened` cards from which a set of `size` cards can have come."""
    kinds = set_kinds(opened)
    chosen = list(combinations(range(size), opened))
    places = np.array(chosen, dtype=np.int64).reshape(len(chosen), opened)
    return Origins(places, kinds.number, kinds.change, changed_pairs(), choose_table())


class PartNodes(NamedTuple):
    """The open cards of the board with the player's two cards, up to suits."""

    of_pair: NDArray[np.int32]
    """Node by kind of open cards and pair; −1 where they meet."""
    ways: Counts
    kind: NDArray[np.int64]
    pair: NDArray[np.int64]
    """One kind of open cards and one pair of each node."""

    def spread(self, by_node: Counts) -> Counts:
        """Return rows by node as rows by kind and pair; zero where they meet."""
        return np.concatenate([by_node, np.zeros_like(by_node[:1])])[self.of_pair]

    def merged(self, by_pair: Counts) -> Counts:
        """Return the sums of rows by kind and pair over each node."""
        free = self.of_pair >= 0
        found = np.zeros((len(self.ways), by_pair.shape[2]), dtype=np.int64)
        for column in range(by_pair.shape[2]):
            np.add.at(found[:, column], self.of_pair[free], by_pair[:, :, column][free])
        return found


@lru_cache(maxsize=3)
def part_nodes(cards: int) -> PartNodes:
    """Return the nodes of this number of open cards; with none they are the starting hands.

    >>> len(part_nodes(0).ways), len(part_nodes(3).ways)
    (169, 1286792)
    """
    kinds = set_kinds(cards)
    least = pairs_beside(kinds).astype(np.int64)
    free = least >= 0
    names = (least + np.arange(len(least))[:, None] * PAIRS)[free]
    known, node = np.unique(names, return_inverse=True)
    of_pair = np.full(least.shape, -1, dtype=np.int32)
    of_pair[free] = node
    ways = np.zeros(len(known), dtype=np.int64)
    np.add.at(ways, node, np.broadcast_to(kinds.ways[:, None], least.shape)[free])
    return PartNodes(of_pair, ways, known // PAIRS, known % PAIRS)


# --- best play ------------------------------------------------------------------------------------------------------


def _ranked(game: BoardGame) -> tuple[object, ...]:
    """Return the size of the board, and hashes of the orders of hands with the groups in them."""
    hands = (*game.payoffs.own, *game.payoffs.dealer)
    return (game.board, *((groups.order.digest, groups.first) for groups in hands))


def _digest(*arrays: NDArray[Any]) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(repr((array.shape, array.dtype.str)).encode() + array.tobytes())
    return found.hexdigest()


def _structure(game: BoardGame) -> tuple[object, ...]:
    """Return all that best play depends on."""
    courses = game.courses
    options = [[courses.options(number, each) for each in stakes] for number, stakes in enumerate(courses.before[:-1])]
    return (game.stages, game.payoffs.scale, courses.before, repr(options), *_ranked(game), _digest(game.wins))


@cached_by_key(2, _structure)
def best_play(game: BoardGame) -> Play:
    """Return best play before the whole board is open, from disk if it was found before; values are summed over all
    deals of a node."""

    def make() -> list[Counts]:
        play = _induced(game)
        return [np.array(play.total), *(np.stack(list(map(np.asarray, each.values))) for each in play.decided.values())]

    total, *values = cached_arrays(("boards", _structure(game)), make)
    listed = [
        (number, stakes, tuple(options))
        for level in reversed(range(len(game.levels)))
        for number in reversed(game.decisions_at(game.levels[level]))
        for stakes in game.courses.before[number]
        if (options := game.courses.options(number, stakes))[0].name
    ]
    decided = {
        (number, stakes): Decided(options, tuple(found), found.argmax(axis=0).astype(np.int8))
        for (number, stakes, options), found in zip(listed, values, strict=True)
    }
    return Play(decided, int(total))


def _induced(game: BoardGame) -> Play:
    game.payoffs.require_sums_that_fit(game.courses.ends, game.deals)
    decided: dict[tuple[int, Stakes], Decided] = {}
    values = _on_the_board(game)
    for level in reversed(range(len(game.levels))):
        if level + 1 < len(game.levels):
            values = _before(game, level, values)
        for number in reversed(game.decisions_at(game.levels[level])):
            values = {
                stakes: decide(decided, number, stakes, game.courses.options(number, stakes), values)
                for stakes in game.courses.before[number]
            }
    return Play(decided, int(np.sum(values[game.courses.first])))


def _on_the_board(game: BoardGame) -> Values:
    """Return the value of all stakes with which a seat sees the whole board, by node of the last level before it."""
    choosing = [stakes for stakes in game.arriving if len(game.options_of(stakes)) > 1]
    nodes = part_nodes(game.levels[-1])
    sums = nodes.merged(_summed(game, game.options(choosing)))
    columns = len(game.wins)
    values: Values = {stakes: sums[:, columns + place] for place, stakes in enumerate(choosing)}
    last = game.decisions_at(game.board)
    sure = -game.payoffs.scale * nodes.ways * game.deals_after(len(game.levels) - 1)
    for stakes in game.courses.before[last[0]] if last else game.courses.ends:
        if stakes not in values:
            (then,) = (option.then for option in game.options_of(stakes))
            values[stakes] = sums[:, :columns] @ game.units_of(then) + then.lost * sure
    return values


def _summed(game: BoardGame, options: Options) -> Counts:
    boards, ways = boards_up_to_suits(game.board)
    kinds, columns = len(set_kinds(game.levels[-1]).ways), len(game.wins) + len(options.start) - 1
    come_from = origins(game.board, game.levels[-1])

    def work(rows: slice, sums: Counts) -> None:
        sum_boards(boards[rows], ways[rows], game.ranking, game.wins, options, come_from, card_sets(HELD), sums)

    total, *others = in_parts(work, len(boards), lambda: np.zeros((kinds, PAIRS, columns), dtype=np.int64))
    for other in others:
        total += other
    return total


def _before(game: BoardGame, level: int, values: Values) -> Values:
    """Return values one level nearer to the start: those beside a set go to all sets that it can have come from."""
    opened, more = game.levels[level], game.levels[level + 1]
    after, kinds = part_nodes(more), set_kinds(more)
    # Every deal of a node is worth the same.
    each = np.stack([np.asarray(value) // after.ways for value in values.values()], axis=1)
    sums = np.zeros((len(set_kinds(opened).ways), PAIRS, len(values)), dtype=np.int64)
    move_sets(kinds.example, kinds.ways, after.spread(each), origins(more, opened), True, sums)
    return dict(zip(values, part_nodes(opened).merged(sums).T, strict=True))


# --- counting -------------------------------------------------------------------------------------------------------


Choose = Callable[[NDArray[np.uint8], NDArray[np.bool_]], NDArray[np.int8]]
"""From whole boards, and which arriving stakes are met, to the place of the option that is taken: by board, pair
without its cards, and stakes."""
_BOARDS: Final = 256
"""Boards that a strategy sees at once."""


def tally(game: BoardGame, decided: Mapping[tuple[int, Stakes], Decided], choose: Choose | None = None) -> Tally:
    """Count every end of a round under a play; on the whole board it is the best, unless `choose` says another."""
    counted = Tally({}, {}, {})
    reached: Reached = {game.courses.first: np.ones(len(part_nodes(0).ways), dtype=np.int64)}
    for level, opened in enumerate(game.levels):
        if level:
            reached = _after(game, level, reached)
        ways = part_nodes(opened).ways * game.deals_after(level)
        for number in game.decisions_at(opened):
            reached = follow(decided, number, reached, ways, counted)
    none = np.zeros(len(part_nodes(game.levels[-1]).ways), dtype=np.int64)
    arrived = np.stack([reached.get(stakes, none) for stakes in game.arriving], axis=1)
    return _played(game, part_nodes(game.levels[-1]).spread(arrived), counted, choose)


def _after(game: BoardGame, level: int, reached: Reached) -> Reached:
    """Return the ways to each node of a level from those of the level before it."""
    if not reached:
        return {}
    opened, more = game.levels[level - 1], game.levels[level]
    kinds, nodes = set_kinds(more), part_nodes(more)
    before = part_nodes(opened).spread(np.stack(list(reached.values()), axis=1))
    found = np.zeros((len(kinds.ways), PAIRS, len(reached)), dtype=np.int64)
    move_sets(kinds.example, np.ones_like(kinds.ways), before, origins(more, opened), False, found)
    by_node = np.zeros((len(nodes.ways), len(reached)), dtype=np.int64)
    free = nodes.of_pair >= 0
    by_node[nodes.of_pair[free]] = found[free]
    return dict(zip(reached, by_node.T, strict=True))


def _played(game: BoardGame, arrived: Counts, counted: Tally, choose: Choose | None) -> Tally:
    """Count the results by end, and the choices on the whole board; under best play, from disk if counted before."""
    settled, _, choices = counted
    options, here = game.options(game.arriving), arrived.astype(np.int16)
    if choose is None:
        key = ("board ends", game.levels[-1], *_ranked(game), _digest(game.wins, *options, here))
        results, taken = cached_arrays(key, lambda: _ends(game, options, here, None))
    else:
        results, taken = _ends(game, options, here, choose)
    listed = [option for stakes in game.arriving for option in game.options_of(stakes)]
    played: dict[Stakes, Counts] = {}
    for place, option in enumerate(listed):
        if option.name:
            chosen = game.decisions_at(game.board)[0], option.name
            choices[chosen] = choices.get(chosen, 0) + int(taken[place])
        if option.then.settled:
            settled[option.then] = settled.get(option.then, 0) + int(taken[place])
        else:
            played[option.then] = played.get(option.then, np.zeros_like(results[place])) + results[place]
    return counted._replace(played=played)


def _ends(game: BoardGame, options: Options, arrived: NDArray[np.int16], choose: Choose | None) -> list[Counts]:
    """Count the results of each option on the whole board, and how often it is taken."""
    boards, ways = boards_up_to_suits(game.board)
    come_from = origins(game.board, game.levels[-1])
    met = np.asarray(arrived.any(axis=(0, 1)))
    shapes = (len(options.sure), game.payoffs.results), len(options.sure)

    def work(rows: slice, found: list[Counts]) -> None:
        mine, times = boards[rows], ways[rows]
        step = max(len(mine), 1) if choose is None else _BOARDS
        for first in range(0, len(mine), step):
            few = slice(first, first + step)
            chosen = np.zeros((0, 0, 0), dtype=np.int8) if choose is None else choose(mine[few], met)
            count_boards(
                mine[few], times[few], game.ranking, game.wins, options, come_from, card_sets(HELD),
                arrived, chosen, *found,
            )  # fmt: skip

    rooms = in_parts(work, len(boards), lambda: [np.zeros(shape, dtype=np.int64) for shape in shapes])
    return [np.sum(parts, axis=0) for parts in zip(*rooms, strict=True)]
