"""What is to be simulated: who sits where, what they wager, how they decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from crossfelt.errors import BadInput, Problem
from crossfelt.progressive.wheels import feeds, live_meters
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.meters import Claims, MeterAnswer
    from crossfelt.analysis.simulation.payoffs import Cents, WagerRounds

BLOCK_ROUNDS: Final = 1 << 15
"""About as many rounds as are drawn together: their numbers stay in the processor's cache."""

HISTORY_BLOCKS: Final = 256
"""A meter is followed through so many blocks, some eight million rounds, and then opened anew."""


class SeatPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One seat, the same in every round."""

    wagers: dict[str, int]
    """Cents, by wager, or credits; as in a scripted round the name of a group is the amount of each of its wagers."""
    strategy: str

    def cents(self, game: Game, wager: str) -> int:
        """What is staked on a wager that has a name of its own."""
        return self.wagers[wager] * game.credit_cents(game.wager(wager))


class SimulationPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A simulation but for its length."""

    seats: tuple[SeatPlan, ...] = ()
    """Seats 1, 2, …"""
    seed: str = "0"
    session_rounds: int = 200
    """How many rounds make a session, whose result and worst run are told."""
    bank: int = 0
    """The seat that banks every round, and whose main wager is its last one against the house; 0 for the house."""
    co_bank: bool = False
    """The house holds half of that bank."""
    mishaps_per_million: int = 0
    """In so many of a million rounds something goes wrong with the cards."""

    @property
    def block_rounds(self) -> int:
        """A block is of whole sessions.

        >>> SimulationPlan(session_rounds=200).block_rounds
        32600
        """
        return self.session_rounds * max(1, BLOCK_ROUNDS // self.session_rounds)

    @property
    def history_rounds(self) -> int:
        """A meter is followed through so many rounds, and then opened anew."""
        return HISTORY_BLOCKS * self.block_rounds

    def unit_rounds(self, game: Game) -> int:
        """The shortest stretch of rounds that does not hang on rounds before it: a block, or a meter's history."""
        return self.history_rounds if self.fed(game) else self.block_rounds

    def fed(self, game: Game) -> dict[str, int]:
        """The meters that wagers of the seats go to, and how many cents a round are staked for each.

        >>> from crossfelt.rulebooks.game import compile_game
        >>> spins = SeatPlan(wagers={"ante": 1000, "bonus_spin": 500}, strategy="optimal")
        >>> SimulationPlan(seats=(spins, spins)).fed(compile_game("nj-criss-cross"))
        {'bonus_spin': 1000}
        """
        staked = {}
        for meter, wagers in live_meters(game).items():
            placed = [(seat, wager) for seat in self.seats for wager in wagers if wager in seat.wagers]
            stakes = [(wager, seat.cents(game, wager)) for seat, wager in placed]
            staked[meter] = sum(cents for wager, cents in stakes if feeds(game, wager, cents))
        return {meter: cents for meter, cents in staked.items() if cents}

    def stream(self, game: Game, block: int) -> str:
        """The name of the random numbers of a block: they hang on nothing but this, whoever plays them where."""
        return f"{game.hash}/{self.seed}/{block}"


class DrawnIrregularity(NamedTuple):
    """What went wrong in the rounds of a block."""

    mishaps: dict[str, int]
    """How often each kind and case was found."""
    void_rounds: int


class Drawn(NamedTuple):
    """Rounds that were dealt and decided together, before meters have answered."""

    decisions: tuple[dict[str, dict[str, int]], ...]
    """How often each seat did what."""
    claims: Mapping[str, Claims]
    """What is said to each meter."""
    trouble: DrawnIrregularity
    settle: Callable[[Mapping[str, Cents]], tuple[dict[str, WagerRounds], ...]]
    """The wagers of each seat, in the order in which they are settled, given the cents for each claim."""
    script: Callable[[int], dict[str, Any]]
    """Any one of the rounds, as a scripted round that the table can play."""


class Block(NamedTuple):
    """Rounds that were played together."""

    wagers: tuple[dict[str, WagerRounds], ...]
    """By seat, in the order in which they are settled."""
    decisions: tuple[dict[str, dict[str, int]], ...]
    """How often each seat did what."""
    meters: Mapping[str, MeterAnswer]
    """What each meter said."""
    trouble: DrawnIrregularity
    script: Callable[[int], dict[str, Any]]
    """Any one of the rounds, as a scripted round that the table can play."""


# --- A simulation cut into shares that can be played anywhere


class Share(NamedTuple):
    """One of so many parts of a simulation; the first is number 1."""

    number: int = 1
    of: int = 1

    def span(self, game: Game, plan: SimulationPlan, rounds: int) -> range:
        """Its rounds, counted from 0.

        >>> from crossfelt.rulebooks.game import compile_game
        >>> game = compile_game("nj-double-cross")
        >>> [Share(number, 3).span(game, SimulationPlan(), 70_000) for number in (1, 2, 3)]
        [range(0, 32600), range(32600, 65200), range(65200, 70000)]
        """
        unit = plan.unit_rounds(game)
        units = -(-rounds // unit)
        first, end = (units * place // self.of * unit for place in (self.number - 1, self.number))
        return range(min(first, rounds), min(end, rounds))


WHOLE: Final = Share()


def share_named(text: str) -> Share:
    """A share as it is written: ``3/100``.

    >>> share_named("3/100")
    Share(number=3, of=100)
    """
    number, _, of = text.partition("/")
    if all(part.isascii() and part.isdigit() for part in (number, of)) and 1 <= int(number) <= int(of):
        return Share(int(number), int(of))
    allowed = "NUMBER/OF, as 3/100, from 1/OF to OF/OF"
    raise BadInput(Problem(code="simulation.share", what="no such share", value=text, allowed=allowed))
