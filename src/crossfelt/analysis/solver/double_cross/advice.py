"""Exact value of each choice in a position of Double Cross Poker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.advice import FLASHED, Advice, Chances
from crossfelt.analysis.solution import RulesIdentity
from crossfelt.analysis.solver.double_cross.payoffs import (
    CHOICES,
    FOLD,
    HORIZONTAL,
    VERTICAL,
    DoubleCrossPayoffs,
    terms_of,
)
from crossfelt.analysis.solver.double_cross.positions import best_play, position_of
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.cards import Card, parse_cards
from crossfelt.errors import BadInput, Problem
from crossfelt.kernels.double_cross.position import NOWHERE, Known, outcomes
from crossfelt.rulebooks.game import Game

Outcomes = NDArray[np.int64]

SEEN: Final = {"hole": 2, "top": 1, "right": 1}
"""Cards that every player sees, with their numbers."""


def advise(game: Game, *, pay: Pay, bets: Mapping[str, Any], cards: Mapping[str, str], exact: bool = True) -> Advice:
    """Return every choice with the expected net result of the round; always exact, so `exact` has no effect."""
    asked = with_pay(game, pay)
    terms = terms_of(asked)
    position = read_position(cards, bets)
    counts = position_outcomes(terms, position)
    values = _values(terms, counts)
    best = max(reversed(CHOICES), key=lambda choice: values[choice])
    rules = RulesIdentity.of(game, pay=pay_texts(asked, pay))
    return Advice(rules=rules, decision="play", best=best, actions=values, chances=_chances(counts))


def position_values(terms: DoubleCrossPayoffs, position: Mapping[str, tuple[Card, ...]]) -> dict[str, Fraction]:
    """Return the value of each choice in antes, given the visible cards by name."""
    return _values(terms, position_outcomes(terms, position))


def _values(terms: DoubleCrossPayoffs, counts: Outcomes) -> dict[str, Fraction]:
    pays = np.array([*terms.won, 0, terms.lost], dtype=np.int64)
    vertical, horizontal = (int(total) for total in counts @ pays)
    deals = int(counts[0].sum()) * terms.scale
    return {
        FOLD: Fraction(terms.folded, terms.scale),
        VERTICAL: Fraction(vertical, deals),
        HORIZONTAL: Fraction(horizontal, deals),
    }


def _chances(counts: Outcomes) -> dict[str, Chances]:
    deals = int(counts[0].sum())
    return {
        line: Chances(
            win=Fraction(int(of_line[:-2].sum()), deals),
            push=Fraction(int(of_line[-2]), deals),
            lose=Fraction(int(of_line[-1]), deals),
        )
        for line, of_line in zip((VERTICAL, HORIZONTAL), counts, strict=True)
    }


def choices_by_hole(
    game: Game, *, bets: Mapping[str, Any], cards: Mapping[str, str]
) -> Callable[[Sequence[Card]], tuple[str, Mapping[str, Fraction]]]:
    """Return a function from hole cards to the best choice and the values, beside the open top and right card."""
    play = best_play(terms_of(game))
    (top,), (right,) = (parse_cards(cards[name], count=1, where=name) for name in ("top", "right"))
    deals = play.terms.deals * play.terms.scale

    def choice(hole: Sequence[Card]) -> tuple[str, Mapping[str, Fraction]]:
        position = position_of(hole, top, right)
        lines = {VERTICAL: play.vertical, HORIZONTAL: play.horizontal}
        values = {line: Fraction(int(sums[position]), deals) for line, sums in lines.items()}
        fold = {FOLD: Fraction(play.terms.folded, play.terms.scale)}
        return CHOICES[play.choices[position]], {**fold, **values}

    return choice


def position_outcomes(terms: DoubleCrossPayoffs, position: Mapping[str, tuple[Card, ...]]) -> Outcomes:
    """Count the deals on the vertical and horizontal line: won by group of hands, tied, lost."""
    seen = {card for name in SEEN for card in position[name]}
    deck = [card for card in range(52) if card >> 2 in terms.ranks and card not in seen]
    known = Known(*(deck.index(position[name][0]) if name in position else NOWHERE for name in FLASHED))
    (top,), (right,) = position["top"], position["right"]
    return outcomes(
        np.array(position["hole"], dtype=np.uint8),
        int(top),
        int(right),
        np.array(deck, dtype=np.uint8),
        np.frombuffer(terms.line_of, dtype=np.uint8),
        len(terms.hands),
        known,
    )


def read_position(cards: Mapping[str, str], bets: Mapping[str, Any]) -> dict[str, tuple[Card, ...]]:
    """Parse a position; report all its problems at once."""
    sizes = SEEN | dict.fromkeys(FLASHED, 1)
    allowed = ", ".join(sizes)
    problems = [
        Problem(code="advise.cards", where=name, what="this game has no such cards", allowed=allowed)
        for name in cards
        if name not in sizes and cards[name]
    ]
    problems += [
        Problem(code="advise.bets", where=f"bets.{name}", what="no bet precedes the only decision") for name in bets
    ]
    position: dict[str, tuple[Card, ...]] = {}
    for name, size in sizes.items():
        if name in SEEN or cards.get(name):
            try:
                position[name] = parse_cards(cards.get(name, ""), count=size, where=name)
            except BadInput as bad:
                problems += bad.problems
    dealt: set[Card] = set()
    for name, group in position.items():
        problems += [
            Problem(code="card.repeated", where=name, what="card given more than once", value=card.text)
            for card in group
            if card in dealt
        ]
        dealt.update(group)
    if problems:
        raise BadInput.of(problems)
    return position
