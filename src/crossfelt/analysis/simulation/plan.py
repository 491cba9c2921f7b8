"""What is to be simulated: who sits where, what they wager, how they decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.wagered import Wagered

BLOCK_ROUNDS: Final = 1 << 15
"""About as many rounds as are drawn together: their numbers stay in the processor's cache."""


class SeatPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One seat, the same in every round."""

    wagers: dict[str, int]
    """Cents, by wager; as in a scripted round the name of a group (``ante``) is the amount of each of its wagers."""
    strategy: str


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A simulation but for its length."""

    seats: tuple[SeatPlan, ...] = ()
    """Seats 1, 2, …"""
    seed: str = "0"
    session_rounds: int = 200
    """How many rounds make a session, whose result and worst run are told."""

    @property
    def block_rounds(self) -> int:
        """A block is of whole sessions.

        >>> Plan(session_rounds=200).block_rounds
        32600
        """
        return self.session_rounds * max(1, BLOCK_ROUNDS // self.session_rounds)

    def unit_rounds(self, game: Game) -> int:
        """The shortest stretch of rounds that does not hang on rounds before it."""
        return self.block_rounds

    def stream(self, game: Game, block: int) -> str:
        """The name of the random numbers of a block: they hang on nothing but this, whoever plays them where."""
        return f"{game.hash}/{self.seed}/{block}"


class Block(NamedTuple):
    """Rounds that were played together."""

    wagers: tuple[dict[str, Wagered], ...]
    """By seat, in the order in which they are settled."""
    decisions: tuple[dict[str, dict[str, int]], ...]
    """How often each seat did what."""
    script: Callable[[int], dict[str, Any]]
    """Any one of the rounds, as a scripted round that the table can play."""
