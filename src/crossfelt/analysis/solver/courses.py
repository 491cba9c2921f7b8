"""The courses of a round: what a seat may do at each decision, and the stakes that follow.

A value is linear in the stakes, so that of a range of multiples only the smallest and the largest can be best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.rulebooks.script import Action, Ceiling, Decide

FOLD = "fold"
CHECK = "check"


class Stakes(NamedTuple):
    """The stakes of a seat between two decisions, in units of the first wager, by main wager."""

    placed: tuple[int, ...]
    """All that the seat has staked."""
    open: tuple[int, ...]
    """The wagers that are still to be settled."""
    given_up: tuple[int, ...]
    folded: bool = False
    named: str = ""
    """The hand that the player has named."""

    @property
    def lost(self) -> int:
        return sum(self.given_up)

    @property
    def total(self) -> int:
        """Everything wagered that was not withdrawn."""
        return sum(self.open) + self.lost

    @property
    def settled(self) -> bool:
        """Nothing depends on cards any more."""
        return not any(self.open)


class Option(NamedTuple):
    name: str
    then: Stakes
    ceilings: tuple[Ceiling, ...] = ()
    """The largest multiple by the player's hands, where a bet is larger than the lowest of them."""
    times: int = 0


class Courses:
    """The stakes that a seat can have at each decision, and its options there.

    >>> courses = Courses(RoundPlan(compile_game("nj-criss-cross")))
    >>> [option.name for option in courses.options(0, courses.first)]
    ['3x', '1x', 'fold']
    >>> len(courses.ends)
    15
    """

    def __init__(
        self, plan: RoundPlan, after: Sequence[Stakes] = (), unit: int = 1, *, every_multiple: bool = False
    ) -> None:
        """`after` are the stakes before the decisions so far, with those before the next one; `unit` of their integers
        are one unit. With `every_multiple` each decision lists every whole multiple of a bet."""
        self.plan = plan
        self.unit = unit
        self._every_multiple = every_multiple
        self._place = {wager: place for place, wager in enumerate(plan.main)}
        self._after = tuple(after)

    @property
    def first(self) -> Stakes:
        """The stakes before the next decision."""
        return self._after[-1] if self._after else self.opening

    @property
    def opening(self) -> Stakes:
        placed = tuple(self.unit * (wager in self.plan.opening) for wager in self.plan.main)
        return Stakes(placed, placed, (0,) * len(placed))

    @cached_property
    def every_decision(self) -> tuple[Decide, ...]:
        return tuple(step for moment in self.plan.moments for step in moment.decisions)

    @cached_property
    def decisions(self) -> tuple[Decide, ...]:
        """The decisions that are still to be made."""
        return self.every_decision[max(len(self._after) - 1, 0) :]

    @cached_property
    def before(self) -> tuple[tuple[Stakes, ...], ...]:
        """The stakes that are possible before each decision, and at the end."""
        found: list[tuple[Stakes, ...]] = [(self.first,)]
        for number in range(len(self.decisions)):
            then = (option.then for stakes in found[-1] for option in self.options(number, stakes))
            found.append(tuple(dict.fromkeys(then)))
        return tuple(found)

    @property
    def ends(self) -> tuple[Stakes, ...]:
        return self.before[-1]

    def options(self, number: int, stakes: Stakes) -> list[Option]:
        """Return the options of a decision, in the order in which equal ones are preferred: the larger stake first,
        then the action that is listed first.

        Of a range of multiples the smallest and the largest are listed; where the round has begun, the next decision
        lists each whole one. A seat that is not asked has one option without a name.
        """
        every = self._every_multiple or (bool(self._after) and number == 0)
        return self.options_at(self.decisions[number], stakes, every=every)

    def options_at(self, step: Decide, stakes: Stakes, *, every: bool) -> list[Option]:
        """Return the options of a step; with `every`, each whole multiple."""
        if stakes.folded or not self.asked(step, stakes):
            return [Option("", stakes)]
        found = [option for action in step.actions for option in self._options(step, action, stakes, every=every)]
        return sorted(found, key=lambda option: -option.then.total)

    def asked(self, step: Decide, stakes: Stakes) -> bool:
        """Say if a seat with these stakes decides at a step."""
        placed = {wager for wager, place in self._place.items() if stakes.placed[place]}
        return placed.issuperset(step.with_) and placed.isdisjoint(step.without)

    def _options(self, step: Decide, action: Action, stakes: Stakes, *, every: bool) -> Iterator[Option]:
        if action.bet:
            if self.plan.game.offers(action.bet):
                yield from self._bets(action, stakes, every=every)
        elif action.fold:
            forfeits = self.plan.game.fold_forfeits(step)
            lost = [stake if wager in forfeits else 0 for wager, stake in zip(self._place, stakes.open, strict=True)]
            kept = tuple(stake - gone for stake, gone in zip(stakes.open, lost, strict=True))
            given_up = tuple(before + gone for before, gone in zip(stakes.given_up, lost, strict=True))
            yield Option(FOLD, stakes._replace(open=kept, given_up=given_up, folded=True))
        elif action.check:
            yield Option(CHECK, stakes)
        elif action.withdraw:
            yield Option("withdraw", self.withdrawn(stakes, action.withdraw))
        else:
            raise Unreachable.form(self.plan.game, f"the decision {step.id} asks for {' and '.join(action.forms)}")

    def _bets(self, action: Action, stakes: Stakes, *, every: bool) -> Iterator[Option]:
        assert action.bet is not None
        wager = self.plan.game.wager(action.bet)
        times = self._times(action, every=every)
        named = self._named(action)
        for multiple in sorted(times, reverse=True):
            for hand in named:
                told = f"{multiple}x" if not hand else hand if len(times) == 1 else f"{hand} {multiple}x"
                then = self.with_bet(stakes, wager.id, multiple)._replace(named=hand or stakes.named)
                limited = any(ceiling.times < multiple for ceiling in action.most)
                yield Option(told, then, action.most if limited else (), multiple)

    def with_bet(self, stakes: Stakes, wager: str, times: Fraction | int) -> Stakes:
        """Return the stakes with a bet that is a multiple of its base."""
        base = self.plan.game.base(self.plan.game.wager(wager)).id
        stake = int(stakes.placed[self._place[base]] * times)
        return stakes._replace(
            placed=self._with(stakes.placed, wager, stake), open=self._with(stakes.open, wager, stake)
        )

    def withdrawn(self, stakes: Stakes, wager: str) -> Stakes:
        """Return the stakes without a wager that the player has taken back."""
        return stakes._replace(open=self._with(stakes.open, wager, 0))

    def _times(self, action: Action, *, every: bool) -> list[int]:
        """Return the multiples that a bet allows: the smallest and the largest, or every whole one."""
        listed = self.multiples(action)
        if every:
            return list(listed)
        most = (max((times for times in listed if times <= each.times), default=0) for each in action.most)
        return sorted({min(listed), max(listed), *filter(None, most)})

    def multiples(self, action: Action) -> tuple[int, ...]:
        """Return every whole multiple that a bet allows."""
        assert action.bet is not None
        stake = self.plan.game.wager(action.bet).stake
        if stake.of is None:
            raise Unreachable.form(self.plan.game, f"the bet {action.bet} is no multiple of another wager")
        return action.times or stake.times or tuple(range(stake.min, stake.max + 1))

    def _named(self, action: Action) -> tuple[str, ...]:
        if action.choose is None:
            return ("",)
        return next(hand.chosen_of for hand in self.plan.game.book.hands if hand.id == action.choose)

    def _with(self, stakes: tuple[int, ...], wager: str, stake: int) -> tuple[int, ...]:
        place = self._place[wager]
        return (*stakes[:place], stake, *stakes[place + 1 :])
