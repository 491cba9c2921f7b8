"""A solution to read: figures, decisions, results, side bets, and the first decision as players know it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import typer

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.simulation.estimates import Estimate
from crossfelt.analysis.solution import LEFT_OUT, SideBet, Solution
from crossfelt.cards.card import RANKS
from crossfelt.cli.output import heading
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.typesetting import columns, paragraph
from crossfelt.rulebooks.wording import plain

SHORT_HASH: Final = 12
# Bounds of the rows in which results are shown: each row holds what is at least so much.
_BOUNDS: Final = (-12, -6, -3, -2, -1, 0, Fraction(1, 2), 1, 3, 6, 12, 30, 100, 1000)
_COLOURS: Final = {"fold": "red", "1x": "yellow", "2x": "cyan", "3x": "green"}


def solution_lines(game: Game, solution: Solution) -> Iterator[str]:
    """Everything that a person wants to see of a solution."""
    rules = solution.rules
    yield heading(game.book.title)
    yield f"{rules.rulebook} {rules.version}, hash {rules.rulebook_hash[:SHORT_HASH]}"
    for path, odds in rules.pay.items():
        yield f"asked at other odds: {path.replace('.', ', ')} {odds}"
    if rules.known:
        yield f"for a player who has seen one {rules.known} card before the first decision"
    yield ""
    yield from _return(solution)
    yield ""
    if solution.decisions:
        yield from _decisions(solution)
        yield ""
    yield from _results(solution)
    first: Mapping[str, Advice] = getattr(solution, "first_decision", dict)()
    if first:
        yield ""
        yield from starting_hand_square(first)
    for bet in solution.side_bets.values():
        yield ""
        yield from side_bet_lines(bet)
    yield ""
    yield from _by_house_way(solution)
    method = f"Method: {solution.method}, {plain(solution.strategy)} strategy; of equals: {solution.tie_rule}."
    yield from paragraph(f"{method} Left out: {' and '.join(LEFT_OUT)}. Took {solution.seconds:.2f} s.")


def _by_house_way(solution: Solution) -> Iterator[str]:
    """How other ways of setting hands fare, and who banks."""
    ways: Mapping[str, Estimate] = getattr(solution, "house_ways", {})
    if not ways:
        return
    yield heading("Value of a main wager")
    rows = [(f"set by the house way of {plain(way)}", *_told(found)) for way, found in ways.items()]
    bank: Estimate | None = getattr(solution, "bank", None)
    if bank is not None:
        rows.append(("banking against the house, by its own way", *_told(bank)))
    yield from columns(rows, indent=2, right=[1])
    yield ""


def _told(found: Estimate) -> tuple[str, str]:
    return f"{found.value:+.4%}", f"± {found.high - found.value:.4%}"


def percent(value: Fraction, digits: int = 4) -> str:
    """A share in percent.

    >>> percent(Fraction(1, 8))
    '12.5000 %'
    """
    return f"{float(100 * value):.{digits}f} %"


def _return(solution: Solution) -> Iterator[str]:
    edge = solution.house_edge
    unit = solution.unit.removeprefix("one ")
    yield heading(f"Return, in {unit}s")
    yield from columns(
        [
            ("expected value of a round", f"{float(solution.ev):+.6f}", _certainty(solution)),
            ("house edge", percent(edge.per_ante), f"of {solution.unit}"),
            *_other_edges(solution),
            ("wagered in a round", f"{float(solution.average_total_wagered):.4f}", "on average"),
            ("standard deviation", f"{solution.standard_deviation:.4f}", ""),
            ("rounds won", percent(solution.hit_rate, 2), ""),
        ],
        indent=2,
        right=[1],
    )


def _certainty(solution: Solution) -> str:
    """The fraction where it is known; how far off the figure may be where it is not."""
    interval: Estimate | None = getattr(solution, "interval", None)
    return str(solution.ev) if interval is None else f"± {interval.high - interval.value:.6f}"


def _other_edges(solution: Solution) -> Iterator[tuple[str, str, str]]:
    """The same loss by other denominators, where they are others."""
    edge = solution.house_edge
    if solution.initial_wagers != 1:
        before = f"of the {solution.initial_wagers} {solution.unit.removeprefix('one ')}s before the cards"
        yield "", percent(edge.per_initial_wagers), before
    if solution.average_total_wagered != 1:
        yield "", percent(edge.per_total_wagered), "of all that is wagered"


def _decisions(solution: Solution) -> Iterator[str]:
    choices = sorted({choice for rates in solution.decisions.values() for choice in rates}, key=_choice_order)
    yield heading("Decisions, of all rounds")
    rows = [("", *choices)]
    for decision, rates in solution.decisions.items():
        rows.append((plain(decision), *(percent(rates[c], 2) if c in rates else "–" for c in choices)))
    yield from columns(rows, indent=2, right=range(1, len(choices) + 1))


def _choice_order(choice: str) -> tuple[bool, str]:
    return choice != "fold", choice


def _results(solution: Solution) -> Iterator[str]:
    deals = solution.distribution.deals
    yield heading(f"Result of a round, in {solution.unit.removeprefix('one ')}s")
    rows = [("up by", "share", "one in")]
    for low, high, count in solution.distribution.rows():
        share = Fraction(count, deals)
        rows.append((_span(low, high), percent(share), f"{float(1 / share):,.1f}"))
    yield from columns(rows, indent=2, right=[0, 1, 2])


def _span(low: Fraction, high: Fraction) -> str:
    def told(net: Fraction) -> str:
        return f"{float(net):+g}" if net else "0"

    return told(low) if low == high else f"{told(low)} … {told(high)}"


def starting_hand_square(first: Mapping[str, Advice]) -> Iterator[str]:
    """The best first decision with each starting hand, in the square that players know."""
    size = len(RANKS)
    yield heading("First decision: one suit above the diagonal, two below")
    yield "       " + " ".join(f"{rank:>4}" for rank in reversed(RANKS))
    for row in range(size):
        hands = STARTING_HANDS[size * row : size * (row + 1)]
        cells = " ".join(_coloured(first[hand.name].best) for hand in hands)
        yield f"     {RANKS[size - 1 - row]} {cells}"


def _coloured(choice: str) -> str:
    text = f"{choice:>4}"
    plain_text = not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR"))
    return text if plain_text else typer.style(text, fg=_COLOURS.get(choice))


def side_bet_lines(bet: SideBet) -> Iterator[str]:
    """A side bet with all its outcomes."""
    yield heading(bet.title)
    figures = (percent(bet.house_edge), percent(bet.hit_rate, 2))
    yield f"  house edge {figures[0]} of the stake, paid in {figures[1]} of rounds"
    rows: list[Sequence[str]] = [("", "pays", "deals", "share", "brings")]
    rows += [
        (
            ", ".join(map(plain, outcome.line.split(", "))) if outcome.line else "nothing",
            outcome.pays or "lost",
            f"{outcome.count:,}",
            percent(bet.probability(outcome)),
            f"{float(bet.contribution(outcome)):+.6f}",
        )
        for outcome in bet.outcomes
    ]
    rows.append(("all", "", f"{bet.deals:,}", percent(Fraction(1)), f"{float(bet.ev):+.6f}"))
    yield from columns(rows, indent=2, right=[1, 2, 3, 4])
