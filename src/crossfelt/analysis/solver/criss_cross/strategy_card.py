"""Search for the best strategy cards of Criss Cross Poker, with their exact costs.

A card has an ordered list of lines for each decision. The first line that applies decides; the last line of each list
always applies. The search improves the list of one decision while the other two stay fixed. It extends shorter lists,
and keeps the best few of each length. The cost of a card is exact, but a better card of the same length may exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.criss_cross.features import (
    Cells,
    Condition,
    add_up,
    conditions,
    features_of,
    hole_cell,
    position_cell,
    row_cell,
)
from crossfelt.analysis.solver.criss_cross.induction import FOLD, Chosen, induce
from crossfelt.analysis.solver.criss_cross.payoffs import BETS, Counts, CrissCrossPayoffs, terms_of
from crossfelt.analysis.solver.criss_cross.strategies import FixedStrategy
from crossfelt.errors import BadInput, Problem
from crossfelt.kernels.criss_cross.continuations import continuations
from crossfelt.rulebooks.game import Game

Tell = Callable[[int, int], None]
"""Receives the number of cards searched so far, and the number known so far."""
SHORTEST: Final = len(BETS)
LONGEST: Final = 15
CARD: Final = "card-"
"""Prefix of the strategy names of cards: ``card-8`` has eight lines."""
OTHERWISE: Final = "otherwise"
_LONGEST_LISTS: Final = (5, 7, 8)
_KEPT: Final = 12
"""Lists of each length from which the search continues."""
_PROMISING: Final = 16
"""Combinations of lists tried for each length."""


class CardRule(msgspec.Struct, frozen=True):
    """One line of a card."""

    when: str
    action: str


class CrissCrossCard(msgspec.Struct, frozen=True, kw_only=True):
    """A strategy card: lines for each decision in order, and their value."""

    lines: Mapping[str, tuple[CardRule, ...]]
    ev: Fraction
    cost: Fraction
    """Loss against best play, in antes."""
    plan: FixedStrategy

    @property
    def length(self) -> int:
        return sum(map(len, self.lines.values()))


class _List(NamedTuple):
    """An ordered list for one decision: conditions by number, each with a bet, and the bet otherwise."""

    chosen: tuple[tuple[int, int], ...]
    otherwise: int


class _Decision(NamedTuple):
    """The conditions and bets of one decision."""

    conditions: list[Condition]
    masks: NDArray[np.bool_]
    """Cells in which each condition holds."""
    bets: tuple[int, ...]
    longest: int


def frontier(game: Game, tell: Tell = lambda done, of: None) -> tuple[CrissCrossCard, ...]:
    """Return the best card found for each number of lines; the search takes seconds, once."""
    found = _found(game)
    if not found:
        found[:] = _Search(terms_of(game), game).frontier(tell)
    return tuple(found)


@lru_cache(maxsize=8)
def _found(game: Game) -> list[CrissCrossCard]:
    """Return the cached result of the search; empty before it."""
    return []


def card_of(game: Game, lines: int | str) -> CrissCrossCard:
    """Return the best card found with at most this number of lines."""
    text = str(lines)
    if not (text.isascii() and text.isdigit() and SHORTEST <= int(text) <= LONGEST):
        allowed = f"{SHORTEST} … {LONGEST}"
        raise BadInput(
            Problem(code="card.lines", where="card", what="no such number of lines", value=text, allowed=allowed)
        )
    return next(card for card in reversed(frontier(game)) if card.length <= int(text))


class _Search:
    def __init__(self, terms: CrissCrossPayoffs, game: Game) -> None:
        self._terms = terms
        self._seen = features_of(game)
        self._added = add_up(terms, self._seen)
        self._best = Fraction(induce(terms).total, terms.scale * terms.deals.all)
        seen = (self._added.seen_by_hole(), self._added.seen_by_row(), self._added.seen_by_position())
        self._decisions = []
        for decision, cells, stakes, longest in zip(BETS, seen, terms.stakes, _LONGEST_LISTS, strict=True):
            found = conditions(game, decision)
            masks = np.stack([condition.holds(cells) for condition in found])
            self._decisions.append(_Decision(found, masks, (0, *stakes), longest))

    def frontier(self, tell: Tell) -> list[CrissCrossCard]:
        """Search lists of all lengths around the best card of each length, until nothing improves."""
        cards: dict[int, tuple[int, tuple[_List, ...]]] = {}
        around: set[tuple[_List, ...]] = {tuple(_List((), decision.bets[1]) for decision in self._decisions)}
        seen: set[tuple[_List, ...]] = set()
        while around:
            done = len(seen)
            seen |= around
            for started, start in enumerate(around, 1):
                for length, lists in self._candidates(self._bets(start)):
                    value = self._added.value(*self._bets(lists))
                    if length not in cards or value > cards[length][0]:
                        cards[length] = (value, lists)
                # Every card that improves on those before it is searched around in turn.
                tell(done + started, len(seen | {lists for _, lists in cards.values()}))
            around = {lists for _, lists in cards.values()} - seen
        found: list[tuple[int, tuple[_List, ...]]] = []
        for _, (value, lists) in sorted(cards.items()):
            # A longer card that is not better is dropped.
            if not found or value > found[-1][0]:
                found.append((value, lists))
        return [self._card(lists, value) for value, lists in found]

    def _candidates(self, told: tuple[Cells, ...]) -> Iterator[tuple[int, tuple[_List, ...]]]:
        """Return for each length the combinations of lists with the largest sum of gains."""
        by_decision = [self._lists(place, told) for place in range(len(BETS))]
        promising: dict[int, list[tuple[int, tuple[_List, ...]]]] = {}
        for valued in product(*by_decision):
            length = sum(len(one.chosen) + 1 for one, _ in valued)
            if length <= LONGEST:
                promise = sum(value for _, value in valued)
                promising.setdefault(length, []).append((promise, tuple(one for one, _ in valued)))
        for length, found in promising.items():
            for _, lists in sorted(found, key=lambda one: -one[0])[:_PROMISING]:
                yield length, lists

    def _bets(self, lists: tuple[_List, ...]) -> tuple[Cells, ...]:
        """Return the bet of each cell of each decision."""
        told = []
        for decision, one in zip(self._decisions, lists, strict=True):
            bets = np.full(decision.masks.shape[1:], one.otherwise)
            for number, bet in reversed(one.chosen):
                bets[decision.masks[number]] = bet
            told.append(bets)
        return tuple(told)

    def _lists(self, place: int, told: tuple[Cells, ...]) -> list[tuple[_List, int]]:
        """Return the best list of each length for one decision with its value, with the other two fixed."""
        decision = self._decisions[place]
        first, second, third = told
        values = (
            lambda: self._added.by_first(second, third, decision.bets),
            lambda: self._added.by_second(first, third, decision.bets),
            lambda: self._added.by_last(first, second, decision.bets),
        )[place]()
        return list(_best_lists(values.reshape(-1, len(decision.bets)), decision))

    def _card(self, lists: tuple[_List, ...], value: int) -> CrissCrossCard:
        lines = {
            name: (
                *(CardRule(decision.conditions[number].words, _action(bet)) for number, bet in one.chosen),
                CardRule(OTHERWISE, _action(one.otherwise)),
            )
            for name, decision, one in zip(BETS, self._decisions, lists, strict=True)
        }
        ev = Fraction(value, self._terms.scale * self._terms.deals.all)
        return CrissCrossCard(lines=lines, ev=ev, cost=self._best - ev, plan=self._plan(*self._bets(lists)))

    def _plan(self, first: Cells, second: Cells, third: Cells) -> FixedStrategy:
        """Return the card as a plan, position by position."""
        added, seen = self._added, self._seen
        row_start = continuations(self._terms.grouping).row_start
        hole_of = np.searchsorted(added.holes, hole_cell(seen))
        rows = [
            second[hole_of[hole], np.searchsorted(added.rows, row_cell(seen, row_start, hole))]
            for hole in range(len(hole_of))
        ]

        def by_position(hole: int) -> Chosen:
            cells = np.searchsorted(added.positions, position_cell(seen, row_start, hole))
            # Positions that cannot be dealt have cells of their own, which the sums omit.
            bets: Chosen = third[np.minimum(cells, len(third) - 1)].astype(np.int8)
            return bets

        return FixedStrategy(first[hole_of].astype(np.int8), np.concatenate(rows).astype(np.int8), by_position)


class _Partial(NamedTuple):
    """A partial list."""

    total: int
    """Value with the best bet for all remaining cells."""
    chosen: tuple[tuple[int, int], ...]
    settled: int
    left: NDArray[np.bool_]
    otherwise: int


def _best_lists(values: Counts, decision: _Decision) -> Iterator[tuple[_List, int]]:
    """Return for each length the list with the greatest value, given the value of each bet in each cell."""
    masks = decision.masks.reshape(len(decision.masks), -1)
    kept = [_with_rest((), 0, np.ones(len(values), dtype=np.bool_), values, decision.bets)]
    best = kept[0]
    yield _List(best.chosen, best.otherwise), best.total
    for _ in range(decision.longest - 1):
        longer: dict[tuple[bytes, int], _Partial] = {}
        for one in kept:
            covered = masks & one.left
            gains = covered @ values
            for number in np.flatnonzero(covered.any(axis=1)).tolist():
                bet = int(gains[number].argmax())
                chosen = (*one.chosen, (number, decision.bets[bet]))
                left = one.left & ~masks[number]
                settled = one.settled + int(gains[number, bet])
                # Lists that leave the same cells at the same value are equivalent.
                longer.setdefault((left.tobytes(), settled), _with_rest(chosen, settled, left, values, decision.bets))
        kept = sorted(longer.values(), key=lambda found: -found.total)[:_KEPT]
        if not kept:
            return
        best = kept[0]
        yield _List(best.chosen, best.otherwise), best.total


def _with_rest(
    chosen: tuple[tuple[int, int], ...], settled: int, left: NDArray[np.bool_], values: Counts, bets: tuple[int, ...]
) -> _Partial:
    rest = values[left].sum(axis=0)
    bet = int(rest.argmax())
    return _Partial(settled + int(rest[bet]), chosen, settled, left, bets[bet])


def _action(bet: int) -> str:
    return f"{bet}x" if bet else FOLD
