"""Crossfelt: casino table games from the regulation that defines them to a running table.

    import crossfelt as cf

    cf.list_games()                       the rulebooks that come with it
    game = cf.load("nj-criss-cross")      a game: solve, advise, simulate, sweep, report
    game.solve().house_edge               exact fractions
    table = cf.Table(game, seed=7)        a table in memory: sit, allowed, act, deal, play, view, save
    cf.hand("Ks Kd 9c 9h 2s").name        also Card, deck_of, parse_cards, format_cards
    cf.play_round("round.toml")           a scripted round
    cf.verify("table.jsonl")              a history, checked from its first command to its last

Every result has a short repr, an HTML table in notebooks, `to_frame()` (with pandas) and `to_json()`. Refused input is
a `BadInput`, which names the problem, the allowed values and the clause.

The names of `__all__` are the public interface. Each is imported when it is first used, so that ``import crossfelt``
loads nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from crossfelt.analysis.advice import Advice
    from crossfelt.analysis.simulation.result import Simulation
    from crossfelt.analysis.solution import Solution
    from crossfelt.analysis.sweep.api import SweepResult
    from crossfelt.cards.card import Card
    from crossfelt.cards.deck import deck_of
    from crossfelt.cards.notation import format_cards, parse_cards
    from crossfelt.errors import BadInput, Problem
    from crossfelt.front_door.game import Game, Hand, hand, list_games, load, play_round, verify
    from crossfelt.front_door.table import Allowed, Events, Table
    from crossfelt.play.round_result import RoundResult
    from crossfelt.proof.verify import VerificationReport

__all__ = [
    "Advice",
    "Allowed",
    "BadInput",
    "Card",
    "Events",
    "Game",
    "Hand",
    "Problem",
    "RoundResult",
    "Simulation",
    "Solution",
    "SweepResult",
    "Table",
    "VerificationReport",
    "deck_of",
    "format_cards",
    "hand",
    "list_games",
    "load",
    "parse_cards",
    "play_round",
    "verify",
]

_MODULES = {
    "crossfelt.analysis.advice": ("Advice",),
    "crossfelt.analysis.simulation.result": ("Simulation",),
    "crossfelt.analysis.solution": ("Solution",),
    "crossfelt.analysis.sweep.api": ("SweepResult",),
    "crossfelt.cards.card": ("Card",),
    "crossfelt.cards.deck": ("deck_of",),
    "crossfelt.cards.notation": ("format_cards", "parse_cards"),
    "crossfelt.errors": ("BadInput", "Problem"),
    "crossfelt.front_door.game": ("Game", "Hand", "hand", "list_games", "load", "play_round", "verify"),
    "crossfelt.front_door.table": ("Allowed", "Events", "Table"),
    "crossfelt.play.round_result": ("RoundResult",),
    "crossfelt.proof.verify": ("VerificationReport",),
}
"""The names that each module defines."""


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(module), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
