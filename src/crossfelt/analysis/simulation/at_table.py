"""Simulation of a game that the vectorised engine does not know: the table itself plays it, with bots.

It is slow and right by construction. Each block is a table of its own whose shuffles depend on game, seed and block
only, so that the sums are the same for any number of processes. Meters are opened anew with each block.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
import numpy as np

from crossfelt._util.worker_pool import worker_pool
from crossfelt.analysis.runners import in_order
from crossfelt.analysis.simulation.payoffs import RESULTS, Prices, WagerRounds
from crossfelt.analysis.simulation.plan import SeatPlan, SimulationPlan
from crossfelt.analysis.simulation.tally import SeatTally, SimulationTally
from crossfelt.cards.card import enc_hook
from crossfelt.cards.shuffle import SEED_BYTES
from crossfelt.kernels.threads import processors
from crossfelt.play.bots import BOTS, Bets, Bot, Decider, always
from crossfelt.play.round_result import RoundResult, WagerResult, result_of
from crossfelt.play.scripted.checks import stakes_of
from crossfelt.play.session import AppliedCommand, Keep, TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.proof.resettle import Resettlement
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e
from crossfelt.table.act import Option
from crossfelt.table.engine import Refused

ALWAYS: Final = "always-"
CHIPS_CENTS: Final = 100_000_00
"""Chips of a bot at the start; it buys more when it runs short."""


def names() -> tuple[str, ...]:
    """List the strategies of a seat: the bots of the table."""
    return tuple(BOTS)


class PlannedBets(Bets, frozen=True):
    """The wagers of a plan, the same in every round."""

    def wagers(self, option: Option) -> dict[str, int]:
        return dict(self.sides_cents)


def bot_of(game: Game, seat: SeatPlan, seed: bytes) -> Bot:
    """Return the bot that plays a seat."""
    named = seat.strategy.removeprefix(ALWAYS)
    decides: Decider = always(int(named)) if named.isdigit() else BOTS[seat.strategy](seed)
    return Bot(PlannedBets(0, stakes_of(game, seat.wagers)), decides)


def play_at_table(game: Game, plan: SimulationPlan, block: int, rounds: int) -> list[tuple[RoundResult, list[e.Event]]]:
    """Play the first rounds of a block, and return each with its events."""
    return list(_rounds(game, _session(game, plan, block).play(rounds)))


def _session(game: Game, plan: SimulationPlan, block: int, keep: Keep | None = None) -> TableSession:
    """Open the table of a block, with a bot in each seat of the plan."""
    stream = plan.stream(game, block)
    session = TableSession(game, ShuffledSource(_seed(stream)), at=TickingClock(), keep=keep)
    session.open()
    for number, seat in enumerate(plan.seats, start=1):
        seated = session.sit(number, f"seat {number}", CHIPS_CENTS, bot_of(game, seat, _seed(f"{stream}/{number}")))
        assert not isinstance(seated, Refused), seated.problem
    return session


def settled_otherwise(game: Game, plan: SimulationPlan, rounds: int) -> list[str]:
    """Return what the second settlement finds wrong in the first rounds, in sentences."""
    events: list[e.Event] = []
    session = _session(game, plan, 0, lambda command, recorded: events.extend(recorded))
    for _ in session.play(rounds):
        pass
    again = Resettlement(game.as_data())
    plain = (msgspec.to_builtins(event, enc_hook=enc_hook) for event in events)
    return [complaint for event in plain for complaint in again.see(event)]


def _seed(stream: str) -> bytes:
    """Return the seed of a stream of random numbers."""
    return hashlib.sha512(stream.encode()).digest()[:SEED_BYTES]


def _rounds(game: Game, played: Iterator[AppliedCommand]) -> Iterator[tuple[RoundResult, list[e.Event]]]:
    events: list[e.Event] = []
    for happened in played:
        events += happened.events
        if any(isinstance(event, e.RoundClosed) for event in happened.events):
            yield result_of(game, events), events
            events = []


# --- tallies ----------------------------------------------------------------------------------------------------


def tally_at_table(game: Game, plan: SimulationPlan, block: int, rounds: int) -> SimulationTally:
    """Tally the first rounds of a block."""
    played = play_at_table(game, plan, block, rounds)
    seats = range(1, len(plan.seats) + 1)
    return SimulationTally(
        seats=tuple(_seat_tally(game, plan, seat, played) for seat in seats),
        rounds=len(played),
        void_rounds=sum(result.outcome == "void" for result, _ in played),
    )


def _seat_tally(
    game: Game, plan: SimulationPlan, seat: int, played: list[tuple[RoundResult, list[e.Event]]]
) -> SeatTally:
    settled = [found.wagers if (found := result.seats.get(str(seat))) else {} for result, _ in played]
    names = dict.fromkeys(name for wagers in settled for name in wagers)
    wagers = {name: _wager_rounds([wagers.get(name) for wagers in settled]) for name in names}
    decisions: dict[str, Counter[str]] = {}
    for _, events in played:
        for decision, choice in _decisions(game, seat, events):
            decisions.setdefault(decision, Counter())[choice] += 1
    sides = plan.sides(game, seat, wagers)
    return SeatTally.of(wagers, sides, {name: dict(taken) for name, taken in decisions.items()}, plan.session_rounds)


def _wager_rounds(settled: list[WagerResult | None]) -> WagerRounds:
    """Return a wager in each round, from the results of the table; None where it was not placed."""
    rows = [
        (w.stake, w.returned, w.paid + w.limited, w.commission, RESULTS.index(w.result)) if w else (0, 0, 0, 0, -1)
        for w in settled
    ]
    different, outcomes = np.unique(np.array(rows, dtype=np.int64), axis=0, return_inverse=True)
    stake, returned, paid, commission, result = different.T
    cut = np.array([w.limited if w else 0 for w in settled], dtype=np.int64)
    rounds = np.flatnonzero(cut)
    return WagerRounds(
        Prices(stake, returned, paid, commission, result.astype(np.int8)), outcomes.reshape(-1), rounds, cut[rounds]
    )


def _decisions(game: Game, seat: int, events: list[e.Event]) -> Iterator[tuple[str, str]]:
    """Yield the decisions of a seat in a round: a bet as a multiple of its base wager, a fold, or a named choice."""
    staked: Mapping[str, int] = {}
    for event in events:
        if isinstance(event, e.WagersPlaced) and event.seat == seat:
            staked = event.wagers
        elif isinstance(event, e.BetPlaced) and event.seat == seat:
            wager = game.wager(event.wager)
            base = staked.get(game.base(wager).id, 0) if wager.stake.of else 0
            yield event.wager, f"{event.cents / base:g}x" if base else "bet"
        elif isinstance(event, e.HandFolded) and event.seat == seat:
            yield event.wager, "fold"
        elif isinstance(event, e.ChoiceMade) and event.seat == seat:
            yield event.wager, event.choice


# --- several processes ------------------------------------------------------------------------------------------


def tally_blocks(
    game: Game, plan: SimulationPlan, span: range, workers: int | None = None
) -> Iterator[tuple[int, SimulationTally]]:
    """Yield the first round and the tally of each block of a stretch, in order."""
    size, most = plan.block_rounds, workers or processors()
    blocks = [(first, first // size, min(size, span.stop - first)) for first in span[::size]]
    if most == 1 or len(blocks) == 1:
        yield from ((first, tally_at_table(game, plan, block, rounds)) for first, block, rounds in blocks)
        return
    asked, pool = msgspec.json.encode((game.as_data(), plan)), worker_pool(min(most, len(blocks)))
    try:
        submitted = (pool.submit(_played_block, asked, block, rounds) for _, block, rounds in blocks)
        for (first, _, _), tallied in zip(blocks, in_order(submitted, 2 * most), strict=True):
            yield first, msgspec.json.decode(tallied, type=SimulationTally)
    finally:
        pool.shutdown(cancel_futures=True)


def _played_block(asked: bytes, block: int, rounds: int) -> bytes:
    """Play a block: the job of a worker."""
    game, plan = _read(asked)
    return msgspec.json.encode(tally_at_table(game, plan, block, rounds))


@lru_cache(maxsize=2)
def _read(asked: bytes) -> tuple[Game, SimulationPlan]:
    data, plan = msgspec.json.decode(asked, type=tuple[dict[str, Any], SimulationPlan])
    return Game.from_data(data, where="simulation"), plan
