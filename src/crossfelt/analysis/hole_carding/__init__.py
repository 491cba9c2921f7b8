"""What players gain who know more than they should: a card that was flashed, or the cards of the other players."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec

from crossfelt.analysis.advice import FLASHED
from crossfelt.analysis.estimates import Estimate
from crossfelt.analysis.solution import EXACT, Solution, exact
from crossfelt.analysis.solver.api import solve
from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.hole_carding.criss_cross import SharedHands

CARDS: Final = {"criss_cross": ("across", "down", "middle"), "double_cross": FLASHED}
"""The cards that a dealer may flash before the first decision, in games for which their worth is known."""
SHARED: Final = ("criss_cross",)
"""Games in which it is known what players gain who show each other their cards."""
POSITIONS: Final = 100
"""Positions in which flashed cards are valued where not all of them can be gone through."""


class SeenCard(msgspec.Struct, frozen=True, kw_only=True):
    """What one card that is seen before the first decision is worth, in antes a round."""

    place: str
    gain: Fraction
    """Against a player who has not seen it."""
    value: Fraction
    """Of a round, to who plays on it."""
    interval: Estimate | None = None
    """Of the gain, where not all deals were gone through."""
    method: str = EXACT

    def as_data(self) -> dict[str, Any]:
        told = {"card": self.place, "method": self.method}
        if self.interval:
            return {**told, "gain": msgspec.to_builtins(self.interval), "value": {"value": float(self.value)}}
        return {**told, "gain": exact(self.gain), "value": exact(self.value)}


def require_hole_carding(game: Game) -> None:
    """BadInput where nothing is known of flashed cards."""
    kind = game.book.game
    if kind not in CARDS:
        what, allowed = "what a seen card is worth is not known for this game", ", ".join(CARDS)
        raise BadInput(Problem(code="exposure.game", where=game.book.id, what=what, value=kind, allowed=allowed))


def seen_cards(
    game: Game,
    best: Solution,
    *,
    positions: int = POSITIONS,
    seed: str = "0",
    advance: Callable[[int], None] = lambda done: None,
) -> tuple[SeenCard, ...]:
    """The worth of each card that may be seen: exact where all deals can be gone through, else with its interval.

    `best` is the solution of the same game for who sees nothing. `advance` is told of positions, or of cards.
    """
    match game.book.game:
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
    """How often `seen_cards` will tell that it advances."""
    return positions if game.book.game == "double_cross" else len(CARDS.get(game.book.game, ()))


def _exactly(game: Game, best: Solution, place: str, advance: Callable[[int], None]) -> SeenCard:
    value = solve(game, known=place).ev
    advance(1)
    return SeenCard(place=place, gain=value - best.ev, value=value)


def shared_hands(
    game: Game, *, players: int, rounds: int, seed: str = "0", advance: Callable[[int], None] = lambda done: None
) -> SharedHands | None:
    """What players gain who know each other's cards; None in games where that is not known."""
    if game.book.game not in SHARED:
        return None
    from crossfelt.analysis.hole_carding.criss_cross import share_hands

    return share_hands(game, players=players, rounds=rounds, seed=seed, advance=advance)
