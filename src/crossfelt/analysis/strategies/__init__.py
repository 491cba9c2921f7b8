"""Strategies other than best play, their cost, and strategy cards that a player can follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from crossfelt.analysis.families import family_of
from crossfelt.rulebooks.game import Game


class CardLine(msgspec.Struct, frozen=True, kw_only=True):
    decision: str
    when: str
    do: str


class StrategyCard(msgspec.Struct, frozen=True, kw_only=True):
    """A list of lines; the first that applies decides."""

    lines: tuple[CardLine, ...]
    ev: Fraction
    cost: Fraction
    """Loss against best play, in antes."""
    note: str = ""


SHORTEST_CARD: Final[Mapping[str, int]] = {"criss_cross": 3, "double_cross": 2}
"""Fewest lines of a card: one for each decision, and in Double Cross Poker one more for the raise. Other games have no
cards."""
LONGEST_CARD: Final = 15


def strategies_of(game: Game) -> tuple[str, ...]:
    """List the strategies that `solve` knows besides best play.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> strategies_of(compile_game("nj-double-cross"))[:2]
    ('always-fold', 'always-vertical')
    """
    match family_of(game):
        case "criss_cross":
            from crossfelt.analysis.solver.criss_cross.strategies import PLANS

            return tuple(PLANS)
        case "double_cross":
            from crossfelt.analysis.solver.double_cross.strategies import STRATEGIES

            return tuple(STRATEGIES)
        case _:
            return ()


def cards_of(game: Game, advance: Callable[[int, int], None] = lambda done, of: None) -> tuple[StrategyCard, ...]:
    """Search the best card for each number of lines; empty for a game without cards.

    `advance` receives the number of steps done and the number known so far.
    """
    match family_of(game):
        case "criss_cross":
            return tuple(_criss_cross(game, advance))
        case "double_cross":
            return tuple(_double_cross(game))
        case _:
            return ()


def best_card(cards: Sequence[StrategyCard], lines: int) -> StrategyCard:
    """Return the best card with at most `lines` lines, or the shortest card."""
    return next((card for card in reversed(cards) if len(card.lines) <= lines), cards[0])


def _criss_cross(game: Game, advance: Callable[[int, int], None]) -> Iterator[StrategyCard]:
    from crossfelt.analysis.solver.criss_cross.features import pair_words
    from crossfelt.analysis.solver.criss_cross.strategy_card import frontier

    note = f"Points: {pair_words(game).points}."
    for card in frontier(game, advance):
        lines = tuple(
            CardLine(decision=decision, when=line.when, do=line.action)
            for decision, found in card.lines.items()
            for line in found
        )
        yield StrategyCard(lines=lines, ev=card.ev, cost=card.cost, note=note)


def _double_cross(game: Game) -> Iterator[StrategyCard]:
    from crossfelt.analysis.solver.double_cross.strategies import frontier

    note = "Raise on the line that is better with its open card; if both are equal, on the vertical line."
    suited = CardLine(decision="line", when="both lines have the same highest rank", do="prefer three of one suit")
    fold = CardLine(decision="play", when="otherwise", do="fold")
    for card in frontier(game):
        raised = [CardLine(decision="play", when=text, do="raise") for text in card.conditions]
        lines = (*((suited,) if card.suited_first else ()), *raised, fold)
        yield StrategyCard(lines=lines, ev=card.ev, cost=card.cost, note=note)
