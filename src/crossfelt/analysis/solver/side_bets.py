"""Wagers of the opening without decisions: every outcome, counted over the whole deck."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from crossfelt.analysis.solution import PayOutcome, SideBet
from crossfelt.analysis.solver.hand_groups import groups_of, spot_of
from crossfelt.analysis.solver.orders import counts_by_class
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import RoundPlan, is_by_suits
from crossfelt.kernels.solver.hand_tables import MOST_CARDS
from crossfelt.rulebooks.model import Wager


class SideBets(NamedTuple):
    """The side bets with an exact figure, and the reasons of the others."""

    solved: Mapping[str, SideBet]
    unsolved: Mapping[str, str]


def side_bets_of(plan: RoundPlan, payoffs: Payoffs) -> SideBets:
    """Return every side bet of a game, for a seat that keeps it to the end.

    >>> plan = RoundPlan(compile_game("nj-criss-cross"))
    >>> found = side_bets_of(plan, Payoffs(plan))
    >>> found.solved["five_card_bonus"].outcomes[0].count, found.unsolved
    (4, {'bonus_spin': 'a wheel pays it'})
    """
    solved: dict[str, SideBet] = {}
    unsolved: dict[str, str] = {}
    for name in plan.side_bets:
        wager = plan.game.wager(name)
        why = _out_of_reach(plan, wager)
        if why:
            unsolved[name] = why
        else:
            solved[name] = _counted(plan, payoffs, wager)
    return SideBets(solved, unsolved)


def _out_of_reach(plan: RoundPlan, wager: Wager) -> str:
    if wager.spins:
        return "a wheel pays it"
    if wager.id in plan.taken_back:
        return "a decision may take it back"
    if any(line.odds is None for table in wager.tables for line in plan.game.pays[table].lines):
        return "a meter or a fixed amount pays it"
    try:
        hands = plan.hands_of([wager.id])
    except Unreachable as refused:
        return refused.reason
    if len(hands) != 1:
        return "it depends on several hands"
    held = len(hands[0].places)
    if held > MOST_CARDS or (held >= 2 * hands[0].cards and not is_by_suits(plan.game, hands[0].order)):
        return f"its hand has {held} cards"
    return ""


def _counted(plan: RoundPlan, payoffs: Payoffs, wager: Wager) -> SideBet:
    (hand,) = plan.hands_of([wager.id])
    groups = groups_of(plan, hand, [wager.id])
    counts = counts_by_class(groups.order, len(hand.places))
    found: dict[tuple[str, str, Fraction], int] = {}
    for group in reversed(range(groups.number)):
        spot = spot_of(plan, hand.name, groups.example(group), shown=wager.id)
        settled = payoffs.settle_spot(wager, spot)
        net = payoffs.profit(wager, settled)
        number = int(counts[groups.first[group] : groups.first[group + 1]].sum())
        key = settled.line, settled.odds, net
        found[key] = found.get(key, 0) + number
    outcomes = sorted(found.items(), key=lambda item: not item[0][0])
    return SideBet(
        id=wager.id,
        title=wager.title,
        outcomes=tuple(PayOutcome(line=line, pays=odds, net=net, count=n) for (line, odds, net), n in outcomes),
    )
