"""Best play by starting hand, for a game or for one decision: the 169 hands with the value of each choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import msgspec

from crossfelt.analysis.reasons import Unit, choice_average, result_words
from crossfelt.analysis.solution import HandValue, Solution
from crossfelt.analysis.solver.api import choices_by_hole
from crossfelt.analysis.solver.position import read_cards
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.cards import Card
from crossfelt.errors import BadInput
from crossfelt.games.round_stakes import unit_of
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.step_phrases import choice_title

Values = Mapping[str, Fraction]
"""Values by choice, in antes."""


class GridCell(msgspec.Struct, frozen=True, kw_only=True):
    """One starting hand."""

    shares: dict[str, float]
    """The share of the deals in which each choice is best."""
    value: float
    """The average value with the best choice, in antes."""
    says: str


def grid_of_solution(solution: Solution) -> dict[str, GridCell]:
    """Return the grid of the first decision; empty for a game without starting hands."""
    return {hand: _cell(value, Unit(solution.base)) for hand, value in solution.values_by_starting_hand().items()}


def grid_of_decision(game: Game, position: Mapping[str, Any], cents: int | None = None) -> dict[str, Any]:
    """Return the grid of a decision beside the visible cards, and the name of the player's own hand.

    `position` is as `advise` takes it. A hand of which several suits are left has their average; the player's own hand
    has the value of the very cards.

    >>> told = grid_of_decision(compile_game("nj-criss-cross"), {"hole": "As Kd", "bets": {}}, 1000)
    >>> told["own"], told["cells"]["43o"].shares
    ('AKo', {'fold': 1.0})
    """
    plan = RoundPlan(game)
    cards = read_cards(plan, {name: text for name, text in position.items() if isinstance(text, str)})
    if len(plan.own) != 2:
        what = "no strategy grid: it needs two own cards of each player"
        raise BadInput.at(game.book.id, "advice.grid", what, game.book.title)
    hole = [cards.pop(place) for place in plan.own]
    best = choices_by_hole(game, bets=position.get("bets", {}), **{place: card.text for place, card in cards.items()})
    left = [card for card in map(Card, range(game.book.deck.cards)) if card not in cards.values()]
    unit = Unit(unit_of(game), cents)
    own = _cells(best, [(hole[0], hole[1])], unit)
    return {"own": next(iter(own)), "cells": {**_cells(best, combinations(left, 2), unit), **own}}


Choices = Callable[[Sequence[Card]], tuple[str, Values]]


def _cells(best: Choices, holes: Iterable[tuple[Card, Card]], unit: Unit) -> dict[str, GridCell]:
    chosen: dict[str, Counter[str]] = {}
    sums: dict[str, dict[str, Fraction]] = {}
    bests: dict[str, Fraction] = {}
    for hole in holes:
        name = STARTING_HANDS[starting_hand(hole)].name
        choice, values = best(hole)
        chosen.setdefault(name, Counter())[choice] += 1
        bests[name] = bests.get(name, Fraction(0)) + values[choice]
        total = sums.setdefault(name, dict.fromkeys(values, Fraction(0)))
        for action, value in values.items():
            total[action] += value
    cells = {}
    for name, counts in chosen.items():
        ways = counts.total()
        shares = {choice: Fraction(count, ways) for choice, count in counts.items()}
        average = {action: value / ways for action, value in sums[name].items()}
        cells[name] = _cell(HandValue(shares=shares, best=bests[name] / ways, choices=average), unit)
    return cells


def _cell(value: HandValue, unit: Unit) -> GridCell:
    shares, values = value.shares, value.choices
    ranked = sorted(values, key=lambda name: (-shares.get(name, 0), -values[name]))
    mixed = ", ".join(f"{choice_title(name, unit.titles)} {float(100 * share):.0f} %" for name, share in shares.items())
    best = f"Best: {choice_title(ranked[0], unit.titles)}."
    if len(shares) > 1:
        best = f"Best, by the other cards: {mixed}. {result_words('Played so, it', value.best, unit)}"
    averages = " ".join(choice_average(unit, name, values[name]) for name in ranked)
    return GridCell(
        shares={name: float(share) for name, share in shares.items()},
        value=float(value.best),
        says=f"{best} {averages}",
    )
