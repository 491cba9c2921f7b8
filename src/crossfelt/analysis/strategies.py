"""Other ways to play than the best one, whatever the game: what they cost, and the cards a person can follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from crossfelt.rulebooks.game import Game


class CardLine(msgspec.Struct, frozen=True, kw_only=True):
    decision: str
    when: str
    do: str


class StrategyCard(msgspec.Struct, frozen=True, kw_only=True):
    """Lines to go through from the top; the first that applies decides."""

    lines: tuple[CardLine, ...]
    ev: Fraction
    cost: Fraction
    """What it gives away against best play, in antes."""
    note: str = ""


SHORTEST_CARD: Final[Mapping[str, int]] = {"criss_cross": 3, "double_cross": 2}
"""The fewest lines that a card can have: something has to be said of each decision, and in Double Cross Poker also when
not to fold. Games that are not named here have no cards."""
LONGEST_CARD: Final = 15


def strategies_of(game: Game) -> tuple[str, ...]:
    """The names of the strategies that `solve` knows beside the best one.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> strategies_of(compile_game("nj-double-cross"))[:2]
    ('always-fold', 'always-vertical')
    """
    match game.book.game:
        case "criss_cross":
            from crossfelt.analysis.solver.criss_cross.strategies import PLANS

            return tuple(PLANS)
        case "double_cross":
            from crossfelt.analysis.solver.double_cross.strategies import STRATEGIES

            return tuple(STRATEGIES)
        case _:
            return ()


def cards_of(game: Game, tell: Callable[[int, int], None] = lambda done, of: None) -> tuple[StrategyCard, ...]:
    """The best card that was found for each number of lines; nothing where a game has none.

    A long search tells how many of its steps are done, and of how many that are known by then.
    """
    match game.book.game:
        case "criss_cross":
            return tuple(_criss_cross(game, tell))
        case "double_cross":
            return tuple(_double_cross(game))
        case _:
            return ()


def best_card(cards: Sequence[StrategyCard], lines: int) -> StrategyCard:
    """The best of these with at most so many lines, or the shortest where all have more."""
    return next((card for card in reversed(cards) if len(card.lines) <= lines), cards[0])


def _criss_cross(game: Game, tell: Callable[[int, int], None]) -> Iterator[StrategyCard]:
    from crossfelt.analysis.solver.criss_cross.features import pair_words
    from crossfelt.analysis.solver.criss_cross.strategy_card import frontier

    note = f"Points: {pair_words(game).points}."
    for card in frontier(game, tell):
        lines = tuple(
            CardLine(decision=decision, when=line.when, do=line.action)
            for decision, found in card.lines.items()
            for line in found
        )
        yield StrategyCard(lines=lines, ev=card.ev, cost=card.cost, note=note)


def _double_cross(game: Game) -> Iterator[StrategyCard]:
    from crossfelt.analysis.solver.double_cross.strategies import frontier

    note = "A raise goes on the line that looks better with its open card; of equal lines, on the vertical one."
    suited = CardLine(decision="line", when="both lines have the same highest rank", do="three of one suit look better")
    fold = CardLine(decision="play", when="otherwise", do="fold")
    for card in frontier(game):
        raised = [CardLine(decision="play", when=text, do="raise") for text in card.conditions]
        lines = (*((suited,) if card.suited_first else ()), *raised, fold)
        yield StrategyCard(lines=lines, ev=card.ev, cost=card.cost, note=note)
