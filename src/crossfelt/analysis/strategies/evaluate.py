"""The exact figures of a game under any strategy: every position is listed, up to suits, and the strategy is asked.

The positions of a decision are enumerated forward, so that nothing follows a fold: street by street in games without a
dealer's hand, or once against a dealer's cards. A strategy may use suits only to see if a flush is possible. All suits
without a possible flush are then alike, and far fewer positions remain. A strategy must not depend on the order of
cards that are turned up together; a sample of positions is asked again in another order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import count
from math import comb, factorial, prod

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver import boards, lines, sweep
from crossfelt.analysis.solver.boards import HELD, BoardGame
from crossfelt.analysis.solver.courses import Courses, Stakes
from crossfelt.analysis.solver.nodes import Streets, blocks_of, deals_after, streets_of
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.played_out import Solved, tree_of
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.solver.solve import ExactSolution, solution_of
from crossfelt.analysis.solver.tree import Decided, Tally
from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.errors import BadInput
from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.solver.card_sets import Cards, Counts, card_sets, set_kinds
from crossfelt.kernels.solver.hand_tables import DECK, SUITS
from crossfelt.kernels.solver.nodes import Level
from crossfelt.kernels.solver.position_list import count_results, next_rows, sum_results
from crossfelt.kernels.threads import Done
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide

_ROWS = 1_000_000
"""Rows that are listed at once."""


class StreetPositions:
    """The positions of a game whose cards come in blocks."""

    def __init__(self, payoffs: Payoffs, *, all_suits: bool) -> None:
        self.payoffs = payoffs
        self.all_suits = all_suits
        self.hands = [groups.hand.places for groups in payoffs.own]
        self.streets: Streets = streets_of(payoffs.plan, self.hands)
        self.last = max(at for at, steps in enumerate(self.streets.decisions) if steps)
        """The number of the last block that a decision follows."""

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Every place in the order in which it is turned up."""
        return tuple(place for block in self.streets.blocks for place in block.places)

    def held(self, block: int) -> int:
        """Return the number of cards that are open after a block."""
        return sum(len(each.places) for each in self.streets.blocks[: block + 1])

    def deals(self, block: int) -> int:
        """Return the number of ways in which the cards after a block can come."""
        return deals_after(self.streets.blocks)[block]

    @property
    def all_deals(self) -> int:
        return comb(DECK, self.held(0)) * self.deals(0)

    def start(self) -> tuple[Cards, Counts]:
        """Return the cards of the first block up to suits, and the number that each row stands for."""
        kinds = set_kinds(self.held(0))
        return kinds.example, kinds.ways

    def after(self, cards: Cards, block: int) -> Iterator[tuple[Cards, NDArray[np.int64], Counts]]:
        """Yield the positions after a block that follow some rows: cards, the rows that they follow, and ways."""
        size = len(self.streets.blocks[block].places)
        # Cards that are alike make fewer sets; memory is reserved for all of them.
        step = max(1, _ROWS // comb(DECK - cards.shape[1], size))
        live = None if self.all_suits else self._live(cards, block)
        for first in range(0, len(cards), step):
            part = slice(first, first + step)
            found = next_rows(cards[part], live[part] if live is not None else None, size)
            yield found.cards, found.origin + np.int64(first), found.ways

    def _live(self, cards: Cards, block: int) -> NDArray[np.bool_]:
        """Say in which suits a flush is still possible."""
        live = np.zeros((len(cards), SUITS), dtype=np.bool_)
        for groups, places in zip(self.payoffs.own, self.hands, strict=True):
            inside = [number for number, place in enumerate(self.places[: cards.shape[1]]) if place in places]
            coming = sum(place in places for place in self.places[cards.shape[1] :])
            for suit in range(SUITS):
                has = (cards[:, inside] % SUITS == suit).sum(axis=1)
                live[:, suit] |= (coming > 0) & (has + coming >= groups.hand.cards)
        return live

    # --- results --------------------------------------------------------------------------------------------------

    @cached_property
    def _inside(self) -> NDArray[np.uint8]:
        return np.array([[place in places for place in self.places] for places in self.hands], dtype=np.uint8)

    @cached_property
    def _orders(self) -> int:
        """The number of orders in which the same remaining cards are drawn."""
        return prod(factorial(len(block.places)) for block in self.streets.blocks[self.last + 1 :])

    def count(self, cards: Cards, ways: Counts, end: NDArray[np.int32], counts: Counts) -> None:
        """Add the results of positions after the last decision to counts by end and result."""
        found = np.zeros_like(counts)
        count_results(cards, ways, end, self._inside, self.payoffs.tables, found)
        counts += found // self._orders

    def values(self, cards: Cards, ends: Sequence[Stakes]) -> Counts:
        """Return the value of each end by position, summed over the remaining cards."""
        sums = sum_results(cards, self._inside, self.payoffs.tables, self.payoffs.table) // self._orders
        lost = np.array([end.lost for end in ends]) * self.payoffs.scale * self.deals(self.last)
        values: Counts = sums @ self.payoffs.stakes_of(ends).T - lost
        return values


class DealerPositions:
    """The positions of a game in which a seat decides once, beside a dealer's cards or lines of a shared board."""

    def __init__(self, payoffs: Payoffs) -> None:
        self.payoffs = payoffs
        self.tree = tree_of(payoffs)
        self._open = tuple(p for p in payoffs.plan.moments[0].places if p not in payoffs.plan.own)

    def __iter__(self) -> Iterator[tuple[dict[str, Cards], Counts, NDArray[np.int32]]]:
        """Yield the cards by place, the number of deals that each row stands for so far, and the node of each."""
        return self._on_lines() if self.payoffs.has_lines else self._beside_hands()

    def _beside_hands(self) -> Iterator[tuple[dict[str, Cards], Counts, NDArray[np.int32]]]:
        sides, own = sweep.sides_of(self.payoffs), self.payoffs.plan.own
        nodes = sweep.nodes_of(self.payoffs).of_hand
        kinds = set_kinds(sides.opened)
        for opened, times in zip(kinds.example, kinds.ways, strict=True):
            cards, ways = sweep.hands_of(sides, opened.tolist())
            places = dict(zip(own, cards.T, strict=True))
            for place, card in zip(self._open, opened, strict=True):
                places[place] = np.full(len(ways), card, dtype=np.uint8)
            yield places, ways * times, nodes[: len(ways)]
            nodes = nodes[len(ways) :]

    def _on_lines(self) -> Iterator[tuple[dict[str, Cards], Counts, NDArray[np.int32]]]:
        kinds = set_kinds(lines.HELD)
        rows, ways = kinds.example, kinds.ways
        for _ in self._open:
            found = next_rows(rows, None, 1)
            rows, ways = found.cards, ways[found.origin] * found.ways
        places = dict(zip((*self.payoffs.plan.own, *self._open), rows.T, strict=True))
        shown = np.stack([places[place] for place in lines.lines_of(self.payoffs).opened], axis=1)
        number = lines.position_numbers(shown, rows[:, : lines.HELD])
        yield places, ways, lines.nodes_of(self.payoffs).of_position[number]

    def _level(self, end: Stakes) -> Level:
        return self.tree.named[end.named] if end.named in self.tree.named else self.tree.levels[0]

    def values(self, ends: Sequence[Stakes]) -> Counts:
        """Return the value of each end by node, summed over the deals that can follow."""
        nets = zip(ends, self.payoffs.nets(ends), strict=True)
        return np.stack([self._level(end).summed(net[None])[0] for end, net in nets], axis=1)

    def counts(self, end: Stakes, reached: Counts) -> Counts:
        """Return the deals by result, from the ways in which an end is reached at each node."""
        return self._level(end).spread(reached[None], self.payoffs.results).reshape(-1)


# --- a strategy at every position ---


_CHECKED = 2_000
"""Positions of each call that are asked again with their cards in another order."""


def solve_with(
    game: Game,
    play: Play,
    name: str,
    *,
    kept: bool = False,
    all_suits: bool = True,
    advance: Done = lambda done, of: None,
) -> ExactSolution:
    """Return the exact solution of a game under a strategy.

    `all_suits` is False for a strategy that asks of suits only whether the cards of a hand can make a flush. With
    `kept` the counts stay on disk: for a strategy that its name determines.
    """
    plan = RoundPlan(game)
    payoffs = Payoffs(plan)
    followed = _Followed(Courses(plan, every_multiple=True), play, advance)
    count: Callable[[], Tally]
    if payoffs.on_board:
        board_game = BoardGame(payoffs, followed.courses)
        deals, count = board_game.deals, partial(_on_boards, board_game, followed)
    elif payoffs.dealer:
        beside = DealerPositions(payoffs)
        deals, count = beside.tree.all_deals, partial(_against_dealer, beside, followed)
    else:
        streets = StreetPositions(payoffs, all_suits=all_suits)
        deals, count = streets.all_deals, partial(_by_streets, streets, followed)
    counted = _kept(("strategy", game.hash, payoffs.table.tobytes(), name), count) if kept else count()
    solved = Solved(payoffs=payoffs, courses=followed.courses, deals=deals, counted=counted)
    return solution_of(game, solved, strategy=name)


def _kept(key: tuple[object, ...], count: Callable[[], Tally]) -> Tally:
    """Return counts, from disk if they were made before."""

    def make() -> Iterator[NDArray[np.integer]]:
        counted = count()
        named = list(counted.settled.items()), list(counted.played), list(counted.choices.items())
        yield np.frombuffer(msgspec.json.encode(named), dtype=np.uint8)
        yield np.array(list(counted.played.values()), dtype=np.int64)

    named, played = cached_arrays(key, make)
    settled, ends, choices = _NAMED.decode(named.tobytes())
    return Tally(dict(settled), dict(zip(ends, played, strict=True)), dict(choices))


_NAMED = msgspec.json.Decoder(tuple[list[tuple[Stakes, int]], list[Stakes], list[tuple[tuple[int, str], int]]])
"""The form in which the keys of a tally are stored."""


class _Followed:
    """The stakes of every position as a strategy decides."""

    def __init__(self, courses: Courses, play: Play, advance: Done) -> None:
        self.courses = courses
        self.settled: Counter[Stakes] = Counter()
        self.choices: Counter[tuple[int, str]] = Counter()
        self.numbers: dict[Stakes, int] = {courses.first: 0}
        """Number of each stakes that was met."""
        self._play = play
        self._advance = advance
        self._done = 0
        self._random = np.random.default_rng(0)

    @property
    def stakes(self) -> list[Stakes]:
        return list(self.numbers)

    def decide(
        self, number: int, step: Decide, places: Mapping[str, Cards], together: Iterable[tuple[str, ...]],
        before: NDArray[np.int32], deals: Counts,
    ) -> NDArray[np.int32]:  # fmt: skip
        """Return the stakes after a decision by number; `together` are places whose cards come at once."""
        after = before.copy()
        for state in np.unique(before).tolist():
            stakes = self.stakes[state]
            if stakes.folded or not self.courses.asked(step, stakes):
                continue
            here = np.flatnonzero(before == state)
            seen = Seen.at(self.courses, step, stakes, {place: cards[here] for place, cards in places.items()})
            chosen = self._play(seen)
            self._require_no_order(seen, chosen, together)
            for place, option in enumerate(seen.choices):
                taken = here[chosen == place]
                if len(taken):
                    self.choices[number, option.name] += int(deals[taken].sum())
                    after[taken] = self.numbers.setdefault(option.then, len(self.numbers))
        return after

    def ask(
        self, number: int, stakes: Stakes, places: Mapping[str, Cards], open_places: Sequence[str]
    ) -> NDArray[np.int8]:
        """Return the choice of each position as the place of an option of the courses."""
        step = self.courses.decisions[number]
        seen = Seen.at(self.courses, step, stakes, places)
        chosen = self._play(seen)
        self._require_no_order(seen, chosen, [self.courses.plan.own, tuple(open_places)])
        # What a seat sees lists the smallest stake first, the courses the largest.
        return (len(seen.choices) - 1 - chosen).astype(np.int8)

    def settle(self, states: NDArray[np.int32], deals: Counts) -> NDArray[np.bool_]:
        """Count the positions in which nothing depends on cards any more, and return the others."""
        open_ = np.ones(len(states), dtype=np.bool_)
        for state in np.unique(states).tolist():
            if self.stakes[state].settled:
                here = states == state
                self.settled[self.stakes[state]] += int(deals[here].sum())
                open_ &= ~here
        return open_

    def tally(self, played: Mapping[Stakes, Counts]) -> Tally:
        return Tally(dict(self.settled), played, dict(self.choices))

    def count_done(self, deals: int, of: int) -> None:
        self._done += deals
        self._advance(self._done, of)

    def _require_no_order(self, seen: Seen, chosen: NDArray[np.int64], together: Iterable[tuple[str, ...]]) -> None:
        rows = self._random.integers(seen.rounds, size=min(seen.rounds, _CHECKED))
        places = {place: cards[rows] for place, cards in seen.places.items()}
        for names in filter(None, together):
            mixed = self._random.permutation(len(names))
            places |= {name: seen.places[names[other]][rows] for name, other in zip(names, mixed, strict=True)}
        again = self._play(replace(seen, places=places))
        if not np.array_equal(chosen[rows], again):
            on = (
                f"the choice at {seen.decision} depends on the order of cards that are turned up together, or on chance"
            )
            raise BadInput.at("strategy", "strategy.order", f"{on}, so that it cannot be enumerated; simulate it")


def _by_streets(positions: StreetPositions, followed: _Followed) -> Tally:
    """Follow a strategy through the streets of a game without a dealer's hand."""
    streets, results = positions.streets, positions.payoffs.results
    played: dict[Stakes, Counts] = {}
    numbers = count()
    step_numbers = [[(next(numbers), step) for step in steps] for steps in streets.decisions]

    def walk(block: int, cards: Cards, ways: Counts, states: NDArray[np.int32]) -> None:
        deals = ways * positions.deals(block)
        places = dict(zip(positions.places, cards.T, strict=False))
        open_blocks = [each.places for each in streets.blocks[: block + 1]]
        for number, step in step_numbers[block]:
            states = followed.decide(number, step, places, open_blocks, states, deals)
        open_ = followed.settle(states, deals)
        followed.count_done(int(deals[~open_].sum()), positions.all_deals)
        cards, ways, states = np.ascontiguousarray(cards[open_]), ways[open_], states[open_]
        if block < positions.last:
            for more, origin, more_ways in positions.after(cards, block + 1):
                walk(block + 1, more, ways[origin] * more_ways, states[origin])
        elif len(cards):
            counts = np.zeros((len(followed.numbers), results), dtype=np.int64)
            positions.count(cards, ways, states, counts)
            for stakes, found in zip(followed.stakes, counts, strict=True):
                if found.any():
                    played[stakes] = played.get(stakes, 0) + found
            followed.count_done(int(deals[open_].sum()), positions.all_deals)

    cards, ways = positions.start()
    walk(0, cards, ways, np.zeros(len(cards), dtype=np.int32))
    return followed.tally(played)


def _against_dealer(positions: DealerPositions, followed: _Followed) -> Tally:
    """Follow a strategy against a dealer; the seat decides once it has seen its cards and the open ones."""
    plan, tree = positions.payoffs.plan, positions.tree
    hands = [groups.hand.places for groups in positions.payoffs.own]
    together = [block.places for block in blocks_of(plan.moments[0].places, hands)]
    played: dict[Stakes, Counts] = {}
    for places, ways, nodes in positions:
        deals = ways * tree.deals[0]
        states = np.zeros(len(ways), dtype=np.int32)
        for number, step in enumerate(plan.moments[0].decisions):
            states = followed.decide(number, step, places, together, states, deals)
        open_ = followed.settle(states, deals)
        for state in np.unique(states[open_]).tolist():
            here = states == state
            reached = np.zeros(tree.levels[0].nodes, dtype=np.int64)
            np.add.at(reached, nodes[here], ways[here])
            end = followed.stakes[state]
            played[end] = played.get(end, 0) + positions.counts(end, reached)
        followed.count_done(int(deals.sum()), tree.all_deals)
    return followed.tally(played)


def _on_boards(game: BoardGame, followed: _Followed) -> Tally:
    """Follow a strategy beside a shared board: on each part of it up to suits, then on each whole board with all
    pairs."""
    plan, pairs = game.payoffs.plan, card_sets(HELD)
    board = plan.board
    decided: dict[tuple[int, Stakes], Decided] = {}
    for opened in game.levels:
        nodes, kinds = boards.part_nodes(opened), set_kinds(opened)
        cards = np.concatenate([pairs[nodes.pair], kinds.example[nodes.kind]], axis=1)
        places = dict(zip((*plan.own, *board), np.ascontiguousarray(cards.T), strict=False))
        for number in game.decisions_at(opened):
            for stakes in followed.courses.before[number]:
                options = tuple(followed.courses.options(number, stakes))
                if options[0].name:
                    decided[number, stakes] = Decided(options, (), followed.ask(number, stakes, places, board[:opened]))

    def choose(whole: Cards, met: NDArray[np.bool_]) -> NDArray[np.int8]:
        free = ~(whole[:, None, :, None] == pairs[None, :, None, :]).any(axis=(2, 3))
        at, pair = np.nonzero(free)
        cards = np.concatenate([pairs[pair], whole[at]], axis=1)
        places = dict(zip((*plan.own, *board), np.ascontiguousarray(cards.T), strict=True))
        chosen = np.zeros((len(whole), free[0].sum(), len(game.arriving)), dtype=np.int8)
        for place, stakes in enumerate(game.arriving):
            if met[place] and len(game.options_of(stakes)) > 1:
                (number,) = game.decisions_at(game.board)
                chosen[:, :, place] = followed.ask(number, stakes, places, board).reshape(len(whole), -1)
        followed.count_done(len(whole), len(boards.boards_up_to_suits(game.board)[0]))
        return chosen

    return boards.tally(game, decided, choose)
