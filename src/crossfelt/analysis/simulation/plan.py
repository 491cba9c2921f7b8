"""The plan of a simulation: seats, wagers and strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from crossfelt.errors import BadInput
from crossfelt.games.round_stakes import opening_sets
from crossfelt.progressive.wheels import feeds, live_meters
from crossfelt.rulebooks.game import Game

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.meters import MeterAnswer
    from crossfelt.analysis.simulation.payoffs import Cents, WagerRounds
    from crossfelt.kernels.meters import Claims

BLOCK_ROUNDS: Final = 1 << 15
"""Rounds of a block, whose numbers fit in the processor's cache."""

AT_TABLE: Final = "simulation at the table"
"""The method of figures that the table itself played."""

TABLE_ROUNDS: Final = 5_000
"""Rounds of a simulation at the table, which plays some hundred in a second, unless a number is given."""

BANK: Final = "bank"
"""The entry of a bank."""

HISTORY_BLOCKS: Final = 256
"""Blocks in the history of a meter, about eight million rounds; then the meter is opened anew."""


def base_of(game: Game) -> str:
    """Return the wager that serves as the unit: the one that opens a round, or its group of equal wagers.

    >>> base_of(compile_game("nj-criss-cross")), base_of(compile_game("nj-pai-gow"))
    ('ante', 'main')
    """
    first = game.wager(opening_sets(game)[0][0])
    return first.group or first.id


class SeatPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One seat, the same in every round."""

    wagers: dict[str, int]
    """Stakes in cents or credits by wager; the name of a group sets each of its wagers."""
    strategy: str

    def cents(self, game: Game, wager: str) -> int:
        """Return the stake of a single wager."""
        return self.wagers[wager] * game.credit_cents(game.wager(wager))

    def is_side_entry(self, game: Game, name: str) -> bool:
        """Say if an entry of a settled round is an optional wager, a bet on one or an award beside one.

        >>> seat = SeatPlan(wagers={"ante": 1000, "five_card_bonus": 100}, strategy="optimal")
        >>> game = compile_game("nj-criss-cross")
        >>> [seat.is_side_entry(game, name) for name in ("ante_down", "middle", "five_card_bonus")]
        [False, False, True]
        """
        if not game.offers(name):
            own = (wager for wager in game.wagers if not self.is_side_entry(game, wager.id))
            return name != BANK and all(name != bonus.pay for wager in own for bonus in wager.bonus)
        wager = game.wager(name)
        if name in game.opening_wagers:
            unit = base_of(game) if base_of(game) in self.wagers else next(iter(self.wagers))
            return not wager.required and unit not in (name, wager.group)
        return bool(wager.stake.of) and self.is_side_entry(game, game.base(wager).id)


class SimulationPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A simulation without its number of rounds."""

    seats: tuple[SeatPlan, ...] = ()
    """Seats 1, 2, …"""
    seed: str = "0"
    session_rounds: int = 200
    """Rounds of a session, whose result and drawdown are tallied."""
    bank: int = 0
    """Seat that banks every round, whose main wager is its last one against the house; 0 for the house."""
    co_bank: bool = False
    """True if the house holds half of that bank."""
    mishaps_per_million: int = 0
    """Rounds in a million with a fault of the cards."""
    at_table: bool = False
    """The table plays the rounds, because the vectorised engine does not know the game."""

    @property
    def block_rounds(self) -> int:
        """Rounds of a block, in whole sessions; a block at the table is one session.

        >>> SimulationPlan(session_rounds=200).block_rounds
        32600
        """
        return self.session_rounds * (1 if self.at_table else max(1, BLOCK_ROUNDS // self.session_rounds))

    @property
    def history_rounds(self) -> int:
        """Rounds of the history of a meter."""
        return HISTORY_BLOCKS * self.block_rounds

    def unit_rounds(self, game: Game) -> int:
        """Return the shortest stretch of rounds that is independent of earlier rounds: a block, or a meter's
        history."""
        return self.history_rounds if self.fed(game) and not self.at_table else self.block_rounds

    def fed(self, game: Game) -> dict[str, int]:
        """Return the meters that the seats' wagers feed, with the cents staked for each in a round.

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

    def sides(self, game: Game, seat: int, entries: Iterable[str]) -> set[str]:
        """Return the entries of a seat beside its required wagers and their bets."""
        return {name for name in entries if self.seats[seat - 1].is_side_entry(game, name)}

    def stream(self, game: Game, block: int) -> str:
        """Return the name of the random numbers of a block, which depend on nothing else."""
        return f"{game.hash}/{self.seed}/{block}"


class Drawn(NamedTuple):
    """Dealt and decided rounds of a block, before the meters pay."""

    decisions: tuple[dict[str, dict[str, int]], ...]
    """Number of choices by seat and decision."""
    claims: Mapping[str, Claims]
    """Claims by meter."""
    mishaps: dict[str, int]
    """Number of faults of the cards by kind and case."""
    void_rounds: int
    settle: Callable[[Mapping[str, Cents]], tuple[dict[str, WagerRounds], ...]]
    """Settles the wagers of each seat in order, given the cents for each claim."""
    script: Callable[[int], dict[str, Any]]
    """Returns one of the rounds as a scripted round that the table can play."""


class Block(NamedTuple):
    """The played rounds of a block."""

    wagers: tuple[dict[str, WagerRounds], ...]
    """Wagers by seat, in the order of settlement."""
    meters: Mapping[str, MeterAnswer]
    """Payments by meter."""
    drawn: Drawn


# --- shares of a simulation ---


class Share(NamedTuple):
    """One of several parts of a simulation, numbered from 1."""

    number: int = 1
    of: int = 1

    def span(self, game: Game, plan: SimulationPlan, rounds: int) -> range:
        """Return the range of its rounds, counted from 0.

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
    """Parse a share such as ``3/100``.

    >>> share_named("3/100")
    Share(number=3, of=100)
    """
    number, _, of = text.partition("/")
    if all(part.isascii() and part.isdigit() for part in (number, of)) and 1 <= int(number) <= int(of):
        return Share(int(number), int(of))
    raise BadInput.at("", "simulation.share", "no such share", text, "NUMBER/OF, as 3/100, from 1/OF to OF/OF")
