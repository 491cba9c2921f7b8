"""Groups of hands that no rule of a game tells apart: the same pay lines, the same marks.

A group is an interval of the order of hands, so that the higher of two hands is in the higher group or in the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt._util.cached_by_key import cached_by_key
from crossfelt.analysis.solver.courses import Option
from crossfelt.analysis.solver.orders import Order, order_of
from crossfelt.analysis.solver.round_plan import FormedHand, RoundPlan
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.hands.rank import HandRank
from crossfelt.kernels.solver.hand_tables import HandTable
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of

Where = NDArray[np.bool_]
AskedMark = tuple[str, str, object]
"""A hand, the name of one of its marks, and what the mark says."""


class HandGroups(NamedTuple):
    """The groups of one hand."""

    hand: FormedHand
    order: Order
    of_class: NDArray[np.int16]
    """Group of each class, the lowest first."""
    first: tuple[int, ...]
    """Lowest class of each group, with the number of classes at the end."""

    @property
    def number(self) -> int:
        """The number of groups."""
        return len(self.first) - 1

    @property
    def table(self) -> HandTable:
        """The group of every hand of these cards."""
        return self.order.best_of(len(self.hand.places)).mapped(self.of_class)

    def example(self, group: int) -> HandRank:
        return self.order.classes[self.first[group]]


def groups_of(plan: RoundPlan, hand: FormedHand, wagers: Iterable[str]) -> HandGroups:
    """Return the groups of a hand that the settlement of some wagers tells apart.

    >>> plan = RoundPlan(compile_game("nj-criss-cross"))
    >>> groups_of(plan, plan.hands[0], plan.main).number
    11
    """
    order = order_of(plan.game, hand.order)
    return HandGroups(hand, order, *_grouped(plan, order, *_asked_of(plan, hand, wagers)))


def _asked_of(plan: RoundPlan, hand: FormedHand, wagers: Iterable[str]) -> tuple[list[str], list[AskedMark]]:
    """Return the pay tables and the marks by which wagers depend on a hand, or on one that it may be."""
    names: dict[str, set[str]] = {}
    tables: dict[str, None] = {}
    marks: dict[AskedMark, None] = {}
    hands = {each.id: each for each in plan.game.book.hands}

    def concerns(name: str) -> bool:
        if name not in names:
            names[name] = {formed.name for formed in plan.formed(name)}
        return hand.name in names[name]

    asked: list[tuple[tuple[str, str], ...]] = []
    for wager in map(plan.game.wager, wagers):
        tables |= {paid.pay: None for rule in wager.settle for paid in rule.paid if concerns(paid.on)}
        tables |= {bonus.pay: None for bonus in wager.bonus if concerns(bonus.on)}
        asked += [(*rule.when.items(), *rule.unless.items()) for rule in wager.settle]
        asked += [(*bonus.when.items(), *bonus.unless.items()) for bonus in wager.bonus]
    asked.append(plan.ceiling_marks)
    for name, mark in (each for pairs in asked for each in pairs if concerns(each[0])):
        marks[name, mark, hands[side_of(name)[1]].marks[mark]] = None
    return list(tables), list(marks)


def _matches(game: Game, table: str) -> tuple[object, ...]:
    """Return the hands that the lines of a pay table match, without what they pay."""
    blank = {"odds": None, "meter_percent": None, "amount_cents": None}
    return tuple(msgspec.structs.replace(line, **blank) for line in game.pays[table].lines)


def spot_of(plan: RoundPlan, name: str, rank: HandRank, *, shown: str = "") -> Spot:
    """Return a spot in which a hand, or each hand that it may be, has one rank; `shown` is a wager whose hand the
    player has exposed."""
    formed = [hand.name for hand in plan.formed(name)]
    choices = {"": side_of(formed[0])[1], shown: "expose"} if shown else {"": side_of(formed[0])[1]}
    return Spot(cards={}, ranks=dict.fromkeys(formed, rank), choices=choices)


@lru_cache(maxsize=64)
def marked(game: Game, hand: str, mark: str) -> Where:
    """Say for each class of a hand if it has a mark."""
    plan, rules = RoundPlan(game), rules_of(game)
    classes = order_of(game, next(plan.formed(hand)).order).classes
    return np.array([rules.has(hand, mark, spot_of(plan, hand, rank)) for rank in classes])


def allowed(option: Option, has: Callable[[str, str], Where], size: int) -> Where:
    """Say for some hands if they allow the multiple of an option: the first ceiling that applies counts.

    `has` says for each of them if a hand has a mark.
    """
    found, undecided = np.ones((2, size), dtype=np.bool_)
    for ceiling in option.ceilings:
        applies = undecided.copy()
        for hand, mark in ceiling.when.items():
            applies &= has(hand, mark)
        found[applies] = option.times <= ceiling.times
        undecided &= ~applies
    return found


def _answers(plan: RoundPlan, order: Order, tables: list[str], marks: list[AskedMark]) -> tuple[object, ...]:
    """Return all that the groups of a hand depend on."""
    return order.classes, tuple(_matches(plan.game, table) for table in tables), tuple(mark for _, _, mark in marks)


@cached_by_key(32, _answers)
def _grouped(
    plan: RoundPlan, order: Order, tables: list[str], marks: list[AskedMark]
) -> tuple[NDArray[np.int16], tuple[int, ...]]:
    """Return the group of each class, and the lowest class of each group. Other odds ask nothing else of a hand."""
    of_class = np.zeros(len(order.classes), dtype=np.int16)
    first: list[int] = []
    before: object = None
    pays, rules = [plan.game.pays[table] for table in tables], rules_of(plan.game)
    for number, rank in enumerate(order.classes):
        has = [rules.has(name, mark, spot_of(plan, name, rank)) for name, mark, _ in marks]
        answers = [table.line_for(rank) for table in pays], has
        if answers != before:
            first.append(number)
            before = answers
        of_class[number] = len(first) - 1
    return of_class, (*first, len(order.classes))
