"""Strategy cards: a short list of lines for each decision, and the search for the best of each length.

The first line that applies decides, and the last line of each list always applies. Positions with the same features at
every decision are summed once, so that the value of a card is exact. The search improves the list of one decision while
the others stay fixed, extends shorter lists and keeps the best few. A better card of the same length may exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, product
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solution import SIMPLE
from crossfelt.analysis.solver.courses import FOLD, Courses
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.strategies.cells import BETTER, CellTable, cells_of
from crossfelt.analysis.strategies.conditions import Sight
from crossfelt.analysis.strategies.evaluate import solve_with
from crossfelt.analysis.strategies.seen import Play, Seen
from crossfelt.errors import BadInput
from crossfelt.kernels.threads import Done
from crossfelt.rulebooks.game import Game

OTHERWISE: Final = "otherwise"
CAPPED: Final = "Where a hand does not allow a bet, make the largest that it allows."
LONGEST_CARD: Final = 15
LINES: Final = 8
"""Most lines of the card that plays as ``simple``."""
_LONGEST_LIST: Final = 8
_BRANCHES: Final = 40
"""Conditions tried as the next line of a list."""
_KEPT: Final = 12
"""Lists of each length from which the search continues."""
_PROMISING: Final = 16
"""Combinations of lists tried for each length."""


class CardLine(msgspec.Struct, frozen=True, kw_only=True):
    decision: str
    when: str
    do: str


class StrategyCard(msgspec.Struct, frozen=True, kw_only=True):
    """A list of lines; of each decision the first that applies decides."""

    lines: tuple[CardLine, ...]
    ev: Fraction
    cost: Fraction
    """Loss against best play."""
    unit: str
    """The stake that figures are counted in."""
    note: str = ""


def best_card(cards: Sequence[StrategyCard], lines: int) -> StrategyCard:
    """Return the best card with at most `lines` lines, or the shortest card."""
    return next((card for card in reversed(cards) if len(card.lines) <= lines), cards[0])


# --- playing a card -------------------------------------------------------------------------------------------------


def play_of(game: Game, lines: Sequence[CardLine]) -> Play:
    """Return a card as a strategy; refuse a line that the game does not have."""
    plan = RoundPlan(game)
    listed = {decision: list(of) for decision, of in groupby(lines, key=lambda line: line.decision)}
    steps = [step.id for moment in plan.moments for step in moment.decisions]
    if set(listed) != set(steps):
        raise _wrong("a card needs lines for each decision", ", ".join(listed), ", ".join(steps))
    compiled = {step: _compiled(Sight(plan, step), listed[step]) for step in steps}
    return lambda seen: compiled[seen.decision](seen)


def _compiled(sight: Sight, lines: Sequence[CardLine]) -> Play:
    known = {condition.words: condition.holds for condition in sight.conditions}
    for line in lines[:-1]:
        if line.when not in known:
            raise _wrong(f"no such condition at {sight.decision}", line.when, "; ".join([*known][:8]) + " …")
    if lines[-1].when != OTHERWISE:
        raise _wrong(f"the last line at {sight.decision} applies always", lines[-1].when, OTHERWISE)

    def play(seen: Seen) -> NDArray[np.int64]:
        features = sight.features(seen)
        chosen = _place(sight, seen, lines[-1].do)
        for line in reversed(lines[:-1]):
            chosen = np.where(known[line.when](features), _place(sight, seen, line.do), chosen)
        return _within(seen, chosen)

    return play


def _place(sight: Sight, seen: Seen, do: str) -> NDArray[np.int64]:
    if do == BETTER:
        places = np.array([seen.options.index(hand) for hand in sight.named])
        return places[sight.better_hand(seen.places)]
    if do not in seen.options:
        raise _wrong(f"no such choice at {seen.decision}", do, ", ".join(seen.options))
    return np.full(seen.rounds, seen.options.index(do))


def _within(seen: Seen, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the chosen bets, or the next smaller one where the hand does not allow a bet."""
    while True:
        barred = ~seen.allowed[np.arange(seen.rounds), chosen]
        if not barred.any():
            return chosen
        chosen = chosen - barred


def read_card(game: Game, path: str) -> Play:
    """Return the strategy of a card file, as ``crossfelt strategy card --json`` prints it."""
    try:
        data = msgspec.json.decode(Path(path).read_bytes())
        listed = data[-1]["decisions"] if isinstance(data, list) else data["decisions"]
        lines = [CardLine(decision=step, when=line["when"], do=line["do"]) for step in listed for line in listed[step]]
    except (OSError, msgspec.DecodeError, LookupError, TypeError) as failure:
        raise _wrong("not a card file", path, "one card of crossfelt strategy card --json") from failure
    return play_of(game, lines)


def _wrong(what: str, value: str, allowed: str) -> BadInput:
    return BadInput.at("strategy", "strategy.card", what, value, allowed)


# --- search ---------------------------------------------------------------------------------------------------------


class _List(NamedTuple):
    """An ordered list for one decision: conditions by number, each with a choice, and the choice otherwise."""

    chosen: tuple[tuple[int, int], ...]
    otherwise: int


@lru_cache(maxsize=16)
def _found(game: Game) -> list[StrategyCard]:
    """Return the cached result of a search; empty before it."""
    return []


def cards_of(game: Game, tell: Done = lambda done, of: None) -> tuple[StrategyCard, ...]:
    """Search the best card for each number of lines.

    Beside a shared board the search uses a sample of deals and finds one card. Its exact cost is counted over all
    deals, which takes minutes, once.
    """
    found = lines_of(game, tell)
    if not Payoffs(RoundPlan(game)).on_board:
        return found
    card = best_card(found, LINES)
    ev = solve_with(game, play_of(game, card.lines), SIMPLE, kept=True, advance=tell).ev
    return (msgspec.structs.replace(card, ev=ev, cost=card.ev + card.cost - ev),)


def lines_of(game: Game, tell: Done = lambda done, of: None) -> tuple[StrategyCard, ...]:
    """Return the cards that the search finds; beside a shared board their costs are those of a sample."""
    found = _found(game)
    if not Courses(RoundPlan(game)).decisions:
        raise BadInput.at(game.book.id, "strategy.none", "no strategy: the players decide nothing")
    if not found:
        found[:] = _Search(cells_of(game), game).frontier(tell)
    return tuple(found)


class _Search:
    def __init__(self, table: CellTable, game: Game) -> None:
        from crossfelt.analysis.solver.api import solve

        self._table = table
        self._best = solve(game)
        self._listed: dict[tuple[int, bytes], list[tuple[_List, int]]] = {}
        self._masks = [
            np.array([condition.holds(features) for condition in sight.conditions])
            for sight, features in zip(table.sights, table.features, strict=True)
        ]
        # Conditions that hold in the same cells are the same to the search; the first is the shortest.
        self._kept = [np.sort(np.unique(masks, axis=0, return_index=True)[1]) for masks in self._masks]
        self._floats = [masks[kept].astype(np.float64) for masks, kept in zip(self._masks, self._kept, strict=True)]

    def frontier(self, tell: Done) -> list[StrategyCard]:
        """Search lists of all lengths around the best card of each length, until nothing improves."""
        cards: dict[int, tuple[int, tuple[_List, ...]]] = {}
        smallest = tuple(_List((), int(choices[0] == FOLD)) for choices in self._table.choices)
        around: set[tuple[_List, ...]] = {smallest}
        seen: set[tuple[_List, ...]] = set()
        while around:
            done = len(seen)
            seen |= around
            for started, start in enumerate(sorted(around), 1):
                for length, lists in self._candidates(self._told(start)):
                    value = self._table.value(self._told(lists))
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

    def _candidates(self, told: Sequence[NDArray[np.int64]]) -> Iterator[tuple[int, tuple[_List, ...]]]:
        """Return for each length the combinations of lists with the largest sum of gains."""
        by_decision = [self._lists(place, told) for place in range(len(self._masks))]
        promising: dict[int, list[tuple[int, tuple[_List, ...]]]] = {}
        for valued in product(*by_decision):
            length = sum(len(one.chosen) + 1 for one, _ in valued)
            if length <= LONGEST_CARD:
                promise = sum(value for _, value in valued)
                promising.setdefault(length, []).append((promise, tuple(one for one, _ in valued)))
        for length, found in promising.items():
            for _, lists in sorted(found, key=lambda one: -one[0])[:_PROMISING]:
                yield length, lists

    def _told(self, lists: Sequence[_List]) -> list[NDArray[np.int64]]:
        """Return the choice in each cell of each decision."""
        return [_by_lines(masks, *one) for masks, one in zip(self._masks, lists, strict=True)]

    def _lists(self, place: int, told: Sequence[NDArray[np.int64]]) -> list[tuple[_List, int]]:
        """Return the best list of each length for one decision with its value, with the others fixed."""
        values = self._table.by_choice(place, told)
        key = place, values.tobytes()
        if key not in self._listed:
            self._listed[key] = list(self._best_lists(place, values))
        return self._listed[key]

    def _best_lists(self, place: int, values: NDArray[np.int64]) -> Iterator[tuple[_List, int]]:
        total = None
        kept = [_Partial((), 0, np.ones(len(values), dtype=np.bool_), values)]
        yield kept[0].whole
        for _ in range(_LONGEST_LIST - 1):
            longer: dict[bytes, _Partial] = {}
            for one in kept:
                for row in one.promising(self._floats[place]):
                    number = int(self._kept[place][row])
                    found = one.with_line(number, self._masks[place][number])
                    known = longer.setdefault(found.left.tobytes(), found)
                    if found.total > known.total:
                        longer[found.left.tobytes()] = found
            kept = sorted(longer.values(), key=lambda found: -found.total)[:_KEPT]
            # A list that one more line does not improve is long enough.
            if not kept or kept[0].total == total:
                return
            total = kept[0].total
            yield self._exchanged(place, kept[0].whole, values)

    def _exchanged(self, place: int, whole: tuple[_List, int], values: NDArray[np.int64]) -> tuple[_List, int]:
        """Exchange one line at a time for the best one, until none improves."""
        (chosen, otherwise), total = whole
        improved = True
        while improved:
            improved = False
            for at in range(len(chosen)):
                lines = [*chosen[:at], *chosen[at + 1 :]]
                left: NDArray[np.bool_] = ~np.any(self._masks[place][[number for number, _ in chosen[:at]]], axis=0)
                told = _by_lines(self._masks[place], lines, otherwise)
                gains = (values - np.take_along_axis(values, told[:, None], axis=1)) * left[:, None]
                by_line = self._floats[place] @ gains.astype(np.float64)
                row, choice = np.unravel_index(by_line.argmax(), by_line.shape)
                line = int(self._kept[place][row]), int(choice)
                other = (*chosen[:at], line, *chosen[at + 1 :])
                told = _by_lines(self._masks[place], other, otherwise)
                found = int(np.take_along_axis(values, told[:, None], axis=1).sum())
                if found > total:
                    chosen, total, improved = other, found, True
        return _List(chosen, otherwise), total

    def _card(self, lists: Sequence[_List], value: int) -> StrategyCard:
        table = self._table
        lines: list[CardLine] = []
        for sight, choices, one in zip(table.sights, table.choices, lists, strict=True):
            told = [(sight.conditions[number].words, choice) for number, choice in one.chosen]
            for when, choice in (*told, (OTHERWISE, one.otherwise)):
                lines.append(CardLine(decision=sight.decision, when=when, do=choices[choice]))
        ev = Fraction(value, table.parts)
        counted = any("point" in line.when for line in lines)
        notes = [table.sights[0].note if counted else table.sights[-1].better_note]
        notes += [CAPPED] if table.plan.ceiling_marks else []
        note = " ".join(filter(None, notes))
        return StrategyCard(lines=tuple(lines), ev=ev, cost=self._best.ev - ev, unit=self._best.base, note=note)


def _by_lines(masks: NDArray[np.bool_], chosen: Sequence[tuple[int, int]], otherwise: int) -> NDArray[np.int64]:
    """Return the choice in each cell: that of the first line that applies."""
    choices = np.full(masks.shape[1], otherwise)
    for number, choice in reversed(chosen):
        choices[masks[number]] = choice
    return choices


class _Partial:
    """A partial list: lines, the cells that they leave, and the best choice for these."""

    def __init__(
        self, chosen: tuple[tuple[int, int], ...], settled: int, left: NDArray[np.bool_], values: NDArray[np.int64]
    ) -> None:
        self.chosen, self.left = chosen, left
        self._settled, self._values = settled, values
        self._rest = values[left].sum(axis=0)
        self._otherwise = int(self._rest.argmax())
        self.total = settled + int(self._rest[self._otherwise])

    @property
    def whole(self) -> tuple[_List, int]:
        return _List(self.chosen, self._otherwise), self.total

    def promising(self, masks: NDArray[np.float64]) -> list[int]:
        """Return the conditions that make the best longer lists."""
        gains = masks @ (self._values * self.left[:, None]).astype(np.float64)
        totals = gains.max(axis=1) + (self._rest - gains).max(axis=1)
        totals[masks @ self.left == 0] = -np.inf
        best = np.argsort(-totals, kind="stable")[:_BRANCHES]
        return [row for row in best.tolist() if totals[row] > -np.inf]

    def with_line(self, number: int, mask: NDArray[np.bool_]) -> _Partial:
        """Return the list with one more line, with its best choice."""
        gain = self._values[mask & self.left].sum(axis=0)
        choice = int(gain.argmax())
        chosen = (*self.chosen, (number, choice))
        return _Partial(chosen, self._settled + int(gain[choice]), self.left & ~mask, self._values)
