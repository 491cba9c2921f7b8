"""Hole-carding: the gain of players who see a flashed card or share their hands."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec

from crossfelt.analysis.advice import FLASHED
from crossfelt.analysis.estimates import Estimate
from crossfelt.analysis.families import family_of
from crossfelt.analysis.solution import EXACT, Solution, exact
from crossfelt.analysis.solver.api import solve
from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.hole_carding.criss_cross import SharedHands

CARDS: Final = {"criss_cross": ("across", "down", "middle"), "double_cross": FLASHED}
"""Cards that a dealer may flash before the first decision, by game."""
SHARED: Final = ("criss_cross",)
"""Games for which the gain of shared hands is known."""
POSITIONS: Final = 100
"""Positions sampled where flashed cards cannot be enumerated."""


class SeenCard(msgspec.Struct, frozen=True, kw_only=True):
    """The value of one card seen before the first decision, in antes per round."""

    place: str
    gain: Fraction
    """Gain against a player who has not seen it."""
    value: Fraction
    """Value of a round to a player who uses the card."""
    interval: Estimate | None = None
    """Confidence interval of the gain if deals were sampled."""
    method: str = EXACT

    def as_data(self) -> dict[str, Any]:
        data = {"card": self.place, "method": self.method}
        if self.interval:
            return {**data, "gain": msgspec.to_builtins(self.interval), "value": {"value": float(self.value)}}
        return {**data, "gain": exact(self.gain), "value": exact(self.value)}


def require_hole_carding(game: Game) -> None:
    """Raise BadInput if the game has no hole-carding values."""
    if family_of(game) not in CARDS:
        what = "the value of a seen card is not computed for the rules of this game"
        raise BadInput(Problem(code="exposure.game", where=game.book.id, what=what))


def seen_cards(
    game: Game,
    best: Solution,
    *,
    positions: int = POSITIONS,
    seed: str = "0",
    advance: Callable[[int], None] = lambda done: None,
) -> tuple[SeenCard, ...]:
    """Return the value of each card that may be seen: exact by enumeration, or an estimate.

    `best` is the solution for a player who sees no card. `advance` receives the number of positions or cards done.
    """
    match family_of(game):
        case "criss_cross":
            return tuple(_exactly(game, best, place, advance) for place in CARDS["criss_cross"])
        case "double_cross":
            from crossfelt.analysis.hole_carding.double_cross import flashed_card_values

            found = flashed_card_values(game, positions=positions, seed=seed, advance=advance)
            method = f"exact in each of {positions} positions, seed {seed}"
            return tuple(
                SeenCard(
                    place=place,
                    gain=Fraction(gain.value),
                    value=best.ev + Fraction(gain.value),
                    interval=gain,
                    method=method,
                )
                for place, gain in found.items()
            )
        case _:
            return ()


def steps_of(game: Game, positions: int = POSITIONS) -> int:
    """Return the total of the steps that `seen_cards` reports."""
    return positions if family_of(game) == "double_cross" else len(CARDS.get(str(family_of(game)), ()))


def _exactly(game: Game, best: Solution, place: str, advance: Callable[[int], None]) -> SeenCard:
    value = solve(game, known=place).ev
    advance(1)
    return SeenCard(place=place, gain=value - best.ev, value=value)


def shared_hands(
    game: Game, *, players: int, rounds: int, seed: str = "0", advance: Callable[[int], None] = lambda done: None
) -> SharedHands | None:
    """Return the gain of players who know each other's cards; None if it is unknown."""
    if family_of(game) not in SHARED:
        return None
    from crossfelt.analysis.hole_carding.criss_cross import share_hands

    return share_hands(game, players=players, rounds=rounds, seed=seed, advance=advance)
