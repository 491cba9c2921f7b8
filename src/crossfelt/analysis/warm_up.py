"""Work that compiles every kernel: questions on shipped games, and on samples of the forms that none of them has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.resources import as_file, files
from typing import Final

from crossfelt.analysis.best_play_bot import play_alone
from crossfelt.analysis.flashed_cards import require_hole_carding, seen_cards
from crossfelt.analysis.simulation.api import simulate
from crossfelt.analysis.solver.api import solve
from crossfelt.analysis.solver.split_rules import split_rules
from crossfelt.analysis.solver.two_hands import count_against
from crossfelt.cards.card import RANKS
from crossfelt.errors import BadInput
from crossfelt.kernels.solver.hand_shapes import SUITS
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import rulebook_ids

ROUNDS: Final = 2_000
FEW_RANKS: Final = 4
"""Ranks of a deck of which all pairs of seven cards are counted at once."""


def steps() -> Iterator[Callable[[], object]]:
    """Yield the pieces of work."""
    games = [*map(compile_game, rulebook_ids()), *_samples()]
    play, few_rounds = partial(play_alone, rounds=3), partial(simulate, rounds=ROUNDS, workers=1)
    for work in (solve, _flash, play, few_rounds, _count_few_cards):
        yield from (partial(_without_refusal, work, game) for game in games)


def _samples() -> Iterator[Game]:
    for sample in files("crossfelt.analysis").joinpath("samples").iterdir():
        with as_file(sample) as file:
            yield compile_game(str(file))


def _without_refusal(work: Callable[[Game], object], game: Game) -> None:
    """Do work, unless it is not for this game."""
    with suppress(BadInput):
        work(game)


def _flash(game: Game) -> None:
    require_hole_carding(game)
    seen_cards(game, solve(game), positions=2, seed="", advance=lambda _: None)


def _count_few_cards(game: Game) -> None:
    """Count the pairs of hands of a small deck, as another house way is counted with the whole."""
    if not game.book.splits:
        return
    rules = split_rules(game)
    few = (SUITS,) * FEW_RANKS + (0,) * (len(RANKS) - FEW_RANKS) + rules.deck[len(RANKS) :]
    count_against(rules._replace(deck=few, exceptions=()), {"house way": rules.house_way})
