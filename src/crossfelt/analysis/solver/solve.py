"""The exact return of a game under best play, and at an ante in cents: rounded, and cut at the payout limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from time import perf_counter
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.solution import (
    OPTIMAL,
    AtAnte,
    Distribution,
    HandValue,
    RulesIdentity,
    Solution,
    WagerOutcome,
    WagerOutcomes,
)
from crossfelt.analysis.solver.courses import Courses, Stakes
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.played_out import Solved, play_out
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.solver.side_bets import SideBets, side_bets_of
from crossfelt.analysis.solver.tree import Tally
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.games.round_stakes import unit_of
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.kernels.threads import Done, telling
from crossfelt.rulebooks.game import Game

Counts = NDArray[np.int64]


class PayoffsAtAnte(Payoffs):
    """The winnings of a round at an ante. A limit makes them no sum over wagers, so that each end is a column."""

    def __init__(self, plan: RoundPlan, ante_cents: int) -> None:
        super().__init__(plan)
        self.ante_cents = ante_cents
        self._limit = limit_of(plan)
        self._cents: dict[tuple[str, str, int], tuple[Counts, Counts]] = {}

    @cached_property
    def _ends(self) -> dict[Stakes, int]:
        open_ends = (end for end in Courses(self.plan, every_multiple=True).ends if not end.settled)
        return {end: place for place, end in enumerate(open_ends)}

    @cached_property
    def _net_cents(self) -> Counts:
        return np.array([self._net(end) for end in self._ends], dtype=np.int64).reshape(-1, self.results)

    @cached_property
    def _cents_to_one(self) -> int:
        """The cents of which all amounts are multiples; smaller integers leave room for sums."""
        return gcd(self.ante_cents, *np.unique(self._net_cents).tolist())

    @cached_property
    def scale(self) -> int:
        return self.ante_cents // self._cents_to_one

    @cached_property
    def table(self) -> Counts:
        return self._net_cents // self._cents_to_one

    def stakes_of(self, ends: Sequence[Stakes]) -> Counts:
        """Return the column of each end; of a settled end none."""
        found = np.zeros((len(ends), len(self._ends)), dtype=np.int64)
        for row, end in enumerate(ends):
            if not end.settled:
                found[row, self._ends[end]] = 1
        return found

    def won(self, end: Stakes) -> Counts:
        """Return by result the winnings of an end that count towards the limit, in cents."""
        return self._summed(end, self._limit.covers if self._limit else (), 1)

    def _net(self, end: Stakes) -> Counts:
        """Return the player's gain on the open wagers by result, in cents."""
        gain = self._summed(end, self.plan.main, 0)
        return gain - np.maximum(self.won(end) - self._limit.cents, 0) if self._limit else gain

    def _summed(self, end: Stakes, wagers: Container[str], which: int) -> Counts:
        total = np.zeros(self.results, dtype=np.int64)
        for wager, stake in zip(self.plan.main, end.open, strict=True):
            if stake and wager in wagers:
                total += self._settled_cents(wager, end.named, stake * self.ante_cents)[which]
        return total

    def _settled_cents(self, wager: str, named: str, stake: int) -> tuple[Counts, Counts]:
        """Return the gain and the winnings of a wager by result."""
        if (wager, named, stake) not in self._cents:
            settled = self._settle_each(self.plan.game.wager(wager), named, stake)
            each = [
                (one.returned + one.paid - one.commission - stake, one.paid) if one else (0, 0) for one in settled.each
            ]
            gain, paid = np.array(each, dtype=np.int64).T[:, settled.number.reshape(-1)]
            self._cents[wager, named, stake] = gain, paid
        return self._cents[wager, named, stake]


class MainLimit(NamedTuple):
    """The payout limit on main wagers."""

    cents: int
    covers: frozenset[str]


def limit_of(plan: RoundPlan) -> MainLimit | None:
    """Return the payout limit in force on the main wagers; None if there is none."""
    game = plan.game
    covering = [
        (limit, covers)
        for limit in game.book.payout_limits
        if (covers := frozenset(plan.main).intersection(game.covered_by(limit)))
    ]
    if len(covering) > 1:
        raise Unreachable.form(game, "several payout limits cover the wagers of a round")
    return next((MainLimit(cents, covers) for limit, covers in covering if (cents := game.limit_cents(limit))), None)


def holds_to_cents(solved: Solved) -> int | None:
    """Return the largest ante at which the payout limit cuts no result of a strategy; None if it never does."""
    plan = solved.payoffs.plan
    limit = limit_of(plan)
    # At this ante nothing is rounded.
    ante = lcm(*(solved.payoffs.stake_cents(plan.game.wager(wager)) for wager in plan.main))
    at_ante = PayoffsAtAnte(plan, ante)
    most = max(
        (int(at_ante.won(end)[deals > 0].max(initial=0)) for end, deals in solved.counted.played.items()), default=0
    )
    return limit.cents * ante // most if limit and most else None


# --- the solution ---


TIE_RULE: Final = "the larger stake, then the action that is listed first"
_RESULTS: Final = ("win", "push", "lose", "forfeit")


class ExactSolution(Solution, frozen=True, kw_only=True):
    """The solution with its best play."""

    solved: Solved
    unsolved_bets: Mapping[str, str]
    """The side bets without an exact figure, with the reason."""

    def by_wager(self) -> dict[str, WagerOutcomes]:
        """Return the outcomes of each main wager; their contributions add up to the value of a round."""
        return self._by_wager(self.solved)

    def by_wager_alone(self) -> dict[str, WagerOutcomes]:
        plan = self.solved.payoffs.plan
        if not any(plan.game.wager(wager).bonus for wager in plan.main):
            return self.by_wager()
        return self._by_wager(msgspec.structs.replace(self.solved, payoffs=Payoffs(plan, bonuses=False)))

    @staticmethod
    def _by_wager(solved: Solved) -> dict[str, WagerOutcomes]:
        wagers = map(solved.payoffs.plan.game.wager, solved.payoffs.plan.main)
        return {
            wager.id: WagerOutcomes(
                id=wager.id, title=wager.title, deals=solved.deals, outcomes=_outcomes(solved, wager.id)
            )
            for wager in wagers
        }

    @property
    def limit_cents(self) -> int | None:
        limit = limit_of(self.solved.payoffs.plan)
        return limit.cents if limit else None

    @property
    def holds_to_cents(self) -> int | None:
        return holds_to_cents(self.solved)

    def first_decision(self) -> dict[str, Advice]:
        """Return the value of each choice with each of the 169 starting hands, by name.

        Empty where a seat has another number of cards, or has seen others as well.
        """
        starts = self.solved.starts
        if starts is None or len(starts.hand) != len(STARTING_HANDS):
            return {}
        decision = self.solved.courses.decisions[0].name
        return {
            hand: Advice(rules=self.rules, decision=decision, best=next(iter(value.shares)), actions=value.choices)
            for hand, value in self.values_by_starting_hand().items()
        }

    def values_by_starting_hand(self) -> dict[str, HandValue]:
        """Return the first decision by starting hand, with the smallest stake first."""
        starts, found = self.solved.starts, dict[str, HandValue]()
        if starts is None:
            return found
        names = [option.name for option in reversed(starts.decided.options)]
        chosen = starts.decided.chosen[starts.place]
        values = [np.broadcast_to(value, starts.place.max() + 1)[starts.place] for value in starts.decided.values]
        ways, deals, best = map(
            self._summed, (starts.ways, starts.ways * starts.deals, starts.ways * np.max(values, axis=0))
        )
        taken = [self._summed(starts.ways * (chosen == option)) for option in reversed(range(len(names)))]
        sums = [self._summed(starts.ways * value) for value in reversed(values)]
        for number, hand in enumerate(STARTING_HANDS):
            parts = deals[number] * self.solved.payoffs.scale
            shares = {
                name: Fraction(n[number], ways[number]) for name, n in zip(names, taken, strict=True) if n[number]
            }
            choices = {name: Fraction(total[number], parts) for name, total in zip(names, sums, strict=True)}
            found[hand.name] = HandValue(shares=shares, best=Fraction(best[number], parts), choices=choices)
        return found

    def _summed(self, values: NDArray[np.int64]) -> list[int]:
        """Return sums by starting hand."""
        assert self.solved.starts is not None
        # In two parts, because a sum over all deals may overflow.
        high, low = np.zeros((2, len(STARTING_HANDS)), dtype=np.int64)
        np.add.at(high, self.solved.starts.hand, values >> 24)
        np.add.at(low, self.solved.starts.hand, values & ((1 << 24) - 1))
        return [(one << 24) + other for one, other in zip(high.tolist(), low.tolist(), strict=True)]

    def as_data(self) -> dict[str, Any]:
        data = super().as_data()
        first = {
            hand: {"best": advice.best, "actions": {choice: float(ev) for choice, ev in advice.actions.items()}}
            for hand, advice in self.first_decision().items()
        }
        if first:
            data["first_decision"] = first
        if self.unsolved_bets:
            data["unsolved_bets"] = dict(self.unsolved_bets)
        return data


def solve(game: Game, *, pay: Pay | None = None, known: str = "", done: Done | None = None) -> ExactSolution:
    """Return the exact solution of a game under best play.

    `pay` changes odds. `known` is the place of a hidden card that the player sees before the first decision. Each phase
    of long work calls `done` with its progress.

    >>> solve(compile_game("nj-criss-cross")).ev
    Fraction(-579091, 6689228)
    """
    started = perf_counter()
    asked = with_pay(game, pay or {})
    plan = RoundPlan(asked, known)
    with telling(done):
        solved = play_out(Payoffs(plan), Courses(plan))
        found = solution_of(game, solved, pay=pay_texts(asked, pay or {}), known=known)
    return msgspec.structs.replace(found, seconds=perf_counter() - started)


def solution_of(
    game: Game, solved: Solved, *, pay: Mapping[str, str] | None = None, known: str = "", strategy: str = OPTIMAL
) -> ExactSolution:
    """Return the figures of a game that was played out."""
    plan = solved.payoffs.plan
    results = _distribution(solved)
    # Values from backward induction and results from forward counting must agree.
    assert solved.total in (None, results.mean * solved.deals * solved.payoffs.scale)
    assert results.deals == solved.deals
    bets = side_bets_of(plan, solved.payoffs) if not known else SideBets({}, {})
    return ExactSolution(
        rules=RulesIdentity.of(game, pay=pay or {}, known=known),
        initial_wagers=Fraction(len(plan.opening)),
        average_total_wagered=_average_total_wagered(solved),
        decisions=_decision_rates(solved),
        distribution=results,
        side_bets=bets.solved,
        unit=f"one {unit_of(plan.game)}",
        tie_rule=TIE_RULE,
        strategy=strategy,
        seconds=0,
        solved=solved,
        unsolved_bets=bets.unsolved,
    )


def at_antes(solution: ExactSolution, antes: Sequence[int], done: Done | None = None) -> ExactSolution:
    """Return the solution with its return at these antes, in cents, under its strategy and under best play there."""
    with telling(done):
        found = tuple(_at_ante(solution.solved, ante, best=solution.strategy == OPTIMAL) for ante in antes)
    return msgspec.structs.replace(solution, at_antes=found)


def _at_ante(solved: Solved, ante: int, *, best: bool) -> AtAnte:
    plan = solved.payoffs.plan
    payoffs = PayoffsAtAnte(plan, ante)
    same = _distribution(msgspec.structs.replace(solved, payoffs=payoffs))
    if not best or payoffs.on_board:
        return AtAnte(ante_cents=ante, same_play=same)
    played = play_out(payoffs, Courses(plan, every_multiple=True))
    return AtAnte(
        ante_cents=ante,
        same_play=same,
        best_play=_distribution(played),
        decisions=_decision_rates(played),
        average_total_wagered=_average_total_wagered(played),
    )


# --- figures ------------------------------------------------------------------------------------------------------


def _distribution(solved: Solved) -> Distribution:
    """Return the distribution of the player's net result, in units."""
    payoffs = solved.payoffs
    counts: Counter[int] = Counter()
    for end, number in solved.counted.settled.items():
        counts[-end.lost * payoffs.scale] += number
    for end, by_result in solved.counted.played.items():
        net = payoffs.nets([end])[0].tolist()
        for result in np.flatnonzero(by_result).tolist():
            counts[net[result]] += int(by_result[result])
    return Distribution.of({Fraction(net, payoffs.scale): count for net, count in counts.items()})


def _ends(counted: Tally) -> Counter[Stakes]:
    ends: Counter[Stakes] = Counter(counted.settled)
    ends.update({end: int(by_result.sum()) for end, by_result in counted.played.items()})
    return ends


def _average_total_wagered(solved: Solved) -> Fraction:
    ends = _ends(solved.counted)
    return Fraction(sum(end.total * number for end, number in ends.items()), solved.deals)


def _decision_rates(solved: Solved) -> dict[str, dict[str, Fraction]]:
    """Return the probability of each choice, of all rounds; the smallest stake first."""
    deals, counted = solved.deals, list(solved.counted.choices.items())[::-1]
    return {
        step.name: {name: Fraction(count, deals) for (place, name), count in counted if place == number}
        for number, step in enumerate(solved.courses.decisions)
    }


def _outcomes(solved: Solved, wager: str) -> tuple[WagerOutcome, ...]:
    """Return every outcome of a wager: by its pay table, then losses, then forfeits; small stakes first."""
    payoffs = solved.payoffs
    place = payoffs.plan.main.index(wager)
    found: Counter[tuple[str, str, str, int, Fraction]] = Counter()
    for end, number in _ends(solved.counted).items():
        if end.given_up[place]:
            found["", "", "forfeit", end.given_up[place], Fraction(-end.given_up[place])] += number
    for end, by_result in solved.counted.played.items():
        stake = end.open[place]
        if not stake:
            continue
        for settled, profit, count in payoffs.outcomes(wager, end.named, by_result):
            found[settled.line, settled.odds, settled.result, stake, stake * profit] += count
    game = payoffs.plan.game
    lines = [line.name for table in game.wager(wager).tables for line in game.pays[table].lines]

    def order(outcome: tuple[str, str, str, int, Fraction]) -> tuple[int, int, int, int]:
        line, _, result, stake, _ = outcome
        return not line, lines.index(line) if line in lines else 0, _RESULTS.index(result), stake

    return tuple(
        WagerOutcome(line=line, pays=pays, result=result, stake=Fraction(stake), net=net, count=count)
        for (line, pays, result, stake, net), count in sorted(found.items(), key=lambda each: order(each[0]))
        if count
    )
