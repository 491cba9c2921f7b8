"""Refusals of the exact solver: what it cannot answer, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game


class Unreachable(BadInput):
    """The game has no exact solution here."""

    @classmethod
    def form(cls, game: Game, why: str) -> Self:
        """Name the rule that the solver does not cover."""
        return cls(Problem(code="solve.reach", where=game.book.id, what=f"no exact solution: {why}"))

    @classmethod
    def size(cls, game: Game, what: str, cases: int) -> Self:
        """Name the number of cases that are too many."""
        return cls.form(game, f"{what}: {cases:,} cases are too many")

    @classmethod
    def known(cls, known: str, places: Sequence[str]) -> Self:
        """Refuse a known card at a place that the game does not hide."""
        allowed = ", ".join(places)
        return cls(Problem(code="solve.known", where="known", what="no such hidden card", value=known, allowed=allowed))

    @classmethod
    def amounts(cls, scale: int) -> Self:
        """Refuse odds whose sums exceed 64 bits."""
        what = "odds too large or with too many denominators for exact sums"
        return cls(Problem(code="solve.bound", where="pay", what=what, value=f"1/{scale} of a unit"))
