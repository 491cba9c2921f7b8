"""The API of a simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crossfelt.analysis.estimates import CONFIDENCE
from crossfelt.analysis.simulation.figure_checks import checks_of, require_agreement
from crossfelt.analysis.simulation.meters import MeterStanding
from crossfelt.analysis.simulation.plan import WHOLE, SeatPlan, Share, SimulationPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.simulation.referee import require_same_at_table
from crossfelt.analysis.simulation.result import Simulation, figures_of
from crossfelt.analysis.simulation.rounds import PlayedBlock, play_blocks
from crossfelt.analysis.simulation.tally import SimulationTally
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game, compile_game

REPLAYED = 10
"""Simulated rounds that the table plays again, to the cent."""


def simulate(
    game: Game | str,
    *,
    rounds: int,
    seats: Sequence[SeatPlan] = (),
    seed: int | str = 0,
    bank: int = 0,
    co_bank: bool = False,
    mishaps_per_million: int = 0,
    confidence: float = CONFIDENCE,
    workers: int | None = None,
) -> Simulation:
    """Simulate a number of rounds; the same seed gives the same figures on any machine.

    Raises CheckFailed where the table pays one of the rounds differently, or a figure contradicts its exact value.

    >>> seat = SeatPlan(wagers={"ante": 1000}, strategy="always-vertical")
    >>> found = simulate("nj-double-cross", rounds=2000, seats=[seat])
    >>> found.rounds, found.seats[0].average_total_wagered.value
    (2000, 3.0)
    """
    compiled = compile_game(game) if isinstance(game, str) else game
    plan = plan_for(compiled, seats, seed=seed, bank=bank, co_bank=co_bank, mishaps_per_million=mishaps_per_million)
    require_same_at_table(compiled, plan, REPLAYED, rounds)
    tally = tally_rounds(compiled, plan, rounds, workers=workers)
    found = figures_of(compiled, plan, tally, confidence)
    require_agreement(checks_of(compiled, plan, tally, found))
    return found


def tally_rounds(
    game: Game,
    plan: SimulationPlan,
    rounds: int,
    *,
    share: Share = WHOLE,
    so_far: SimulationTally | None = None,
    standing: Mapping[str, MeterStanding] | None = None,
    workers: int | None = None,
    keep: Callable[..., Any] = lambda first_round, block: None,
    after: Callable[[PlayedBlock, SimulationTally], bool] = lambda done, tally: True,
) -> SimulationTally:
    """Return the sums of a share of all rounds, including `so_far`; `after` each block returns whether to continue.

    A share that continues a history starts with the meters of `PlayedBlock.standing`. Shares add up to the whole.

    >>> from crossfelt.analysis.simulation.plan_builder import plan_for
    >>> game = compile_game("nj-double-cross")
    >>> plan = plan_for(game, session_rounds=100)
    >>> first, second = (tally_rounds(game, plan, 40_000, share=Share(number, 2)) for number in (1, 2))
    >>> first + second == tally_rounds(game, plan, 40_000)
    True
    """
    if rounds < 1:
        raise BadInput.at("", "simulation.rounds", "too few rounds", rounds, "1 or more")
    tally = so_far or SimulationTally()
    span = share.span(game, plan, rounds)[tally.rounds :]
    for done in play_blocks(game, plan, span, standing=standing, workers=workers, keep=keep):
        tally += done.tally
        if not after(done, tally):
            break
    return tally
