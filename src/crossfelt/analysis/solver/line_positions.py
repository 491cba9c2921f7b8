"""Single positions of a game with lines of a shared board, also with a card that the player should not have seen."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.solver.courses import Courses
from crossfelt.analysis.solver.lines import nodes_of, outcomes_of, position_numbers, ranking_of, structure_of
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import DEALER
from crossfelt.kernels.solver.hand_tables import DECK
from crossfelt.kernels.solver.line_deals import LineCards, count_deals

Counts = NDArray[np.int64]
Seen = Mapping[str, int]
"""Cards by place."""


def outcomes_at(payoffs: Payoffs, seen: Seen) -> Counts:
    """Count the deals of a position by line and outcome."""
    lines = structure_of(payoffs).lines
    places = {*payoffs.plan.own, *lines.opened}
    if seen.keys() != places:
        by_shared: Counts = count_deals(_cards(payoffs, seen), ranking_of(structure_of(payoffs)))[0]
        return np.asarray(by_shared.sum(axis=0))
    opened = np.array([[seen[place] for place in lines.opened]], dtype=np.uint8)
    hole = np.array([[seen[place] for place in payoffs.plan.own]], dtype=np.uint8)
    made = nodes_of(payoffs)
    counts: Counts = made.counts[made.of_position[position_numbers(opened, hole)[0]]].astype(np.int64)
    return counts


def values_by_option(payoffs: Payoffs, courses: Courses, counts: Counts) -> dict[str, Counts]:
    """Return the value of each option, summed over the deals; `counts` has the deals by line and outcome at the end."""
    named = [groups.hand.name for groups in payoffs.own]
    deals = counts[..., 0, :].sum(axis=-1)
    found = {}
    for option in courses.options(0, courses.first):
        end = option.then
        value = -end.lost * payoffs.scale * deals
        if not end.settled:
            line = named.index(end.named)
            wins = (payoffs.stakes_of([end]) @ payoffs.table)[0, list(outcomes_of(payoffs, line).results)]
            value = value + counts[..., line, : len(wins)] @ wins
        found[option.name] = value
    return found


def chances_at(payoffs: Payoffs, counts: Counts) -> dict[str, dict[str, Fraction]]:
    """Return by line the shares of the deals that win, push and lose."""
    told = {}
    for line, groups in enumerate(payoffs.own):
        won = outcomes_of(payoffs, line).won
        deals = int(counts[line].sum())
        told[groups.hand.name] = {
            result: Fraction(sum(int(n) for n, how in zip(counts[line], won, strict=False) if how == result), deals)
            for result in ("win", "push", "lose")
        }
    return told


def values_of_flashed(payoffs: Payoffs, courses: Courses, seen: Seen) -> dict[str, Fraction]:
    """Return the gain of seeing the card at each hidden place in a position, in units.

    >>> from crossfelt.analysis.solver.round_plan import RoundPlan
    >>> plan = RoundPlan(compile_game("nj-double-cross"))
    >>> seen = {"hole_1": 51, "hole_2": 45, "down_far": 35, "across_right": 37}
    >>> {place: round(float(gain), 3) for place, gain in values_of_flashed(Payoffs(plan), Courses(plan), seen).items()}
    {'middle': 0.116, 'down_near': 0.46, 'across_left': 0.463, 'dealer.hole_1': 0.063}
    """
    structure = structure_of(payoffs)
    counts = count_deals(_cards(payoffs, seen), ranking_of(structure))
    lines = structure.lines
    hidden = [_hidden(lines.outer, line, seen) for line in lines.in_line]
    places = [lines.shared, *(each[0] if each else "" for each in hidden)]
    places.append(next(place for place in payoffs.plan.hidden if place.startswith(DEALER)))
    gains = {}
    for place, by_card in zip(places, counts, strict=True):
        if place:
            values = np.stack(list(values_by_option(payoffs, courses, by_card).values()))
            gain = int(values.max(axis=0).sum()) - int(values.sum(axis=1).max())
            gains[place] = Fraction(gain, int(by_card[:, 0].sum()) * payoffs.scale)
    return gains


def _cards(payoffs: Payoffs, seen: Seen) -> LineCards:
    plan, structure = payoffs.plan, structure_of(payoffs)
    lines, dealer = structure.lines, [place for place in plan.hidden if place.startswith(DEALER)]
    unseen = tuple(card for card in range(DECK) if card not in seen.values())
    known = [seen[place] for place in dealer if place in seen]
    hidden = [_hidden(lines.outer, line, seen) for line in lines.in_line]
    if max(map(len, hidden)) > 1 or len(known) > 1 or payoffs.dealer[0].number > 1:
        raise Unreachable.form(plan.game, "a card that was flashed beside several lines of a board")
    return LineCards(
        hole=(seen[plan.own[0]], seen[plan.own[1]]),
        shared=(seen[lines.shared],) if lines.shared in seen else unseen,
        seen=tuple(
            tuple(seen[place] for place, enters in zip(lines.outer, line, strict=True) if enters and place in seen)
            for line in lines.in_line
        ),
        hidden=tuple(unseen if places else (DECK + line,) for line, places in enumerate(hidden)),
        dealer=tuple(known) or unseen,
        unseen=unseen,
    )


def _hidden(outer: tuple[str, ...], line: tuple[bool, ...], seen: Seen) -> list[str]:
    return [place for place, enters in zip(outer, line, strict=True) if enters and place not in seen]
