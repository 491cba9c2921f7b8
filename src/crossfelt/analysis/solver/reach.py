"""Refusals of the exact solver: what it cannot answer, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game


class Unreachable(BadInput):
    """The game has no exact solution here."""

    reason = ""
    """The rule that the solver does not cover, without the name of the game."""

    @classmethod
    def form(cls, game: Game, why: str) -> Self:
        """Name the rule that the solver does not cover."""
        refused = cls(Problem.at(game.book.id, "solve.reach", f"no exact solution: {why}"))
        refused.reason = why
        return refused

    @classmethod
    def size(cls, game: Game, what: str, cases: int, per_second: int) -> Self:
        """Name the number of cases that are too many, and how long one processor would take for them."""
        return cls.form(game, f"{what}: {cases:,} cases are too many, {_duration(cases / per_second)} of one processor")

    @classmethod
    def known(cls, known: str, places: Sequence[str]) -> Self:
        """Refuse a known card at a place that the game does not hide."""
        return cls(Problem.at("known", "solve.known", "no such hidden card", known, ", ".join(places)))

    @classmethod
    def amounts(cls, scale: int) -> Self:
        """Refuse odds whose sums exceed 64 bits."""
        what = "odds too large or with too many denominators for exact sums"
        return cls(Problem.at("pay", "solve.bound", what, f"1/{scale} of a unit"))


def _duration(seconds: float) -> str:
    """
    >>> _duration(240), _duration(1e5), _duration(1e9)
    ('about 4 minutes', 'about 28 hours', 'about 32 years')
    """
    for unit, length in (("years", 31_557_600), ("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"about {seconds / length:,.0f} {unit}"
    return f"about {max(seconds, 1):.0f} seconds"
