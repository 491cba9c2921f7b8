"""Referee: the table plays simulated rounds again, and must agree to the cent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
import numpy as np

from crossfelt.analysis.simulation.at_table import settled_otherwise
from crossfelt.analysis.simulation.payoffs import MONEY, RESULTS
from crossfelt.analysis.simulation.plan import Block, SimulationPlan
from crossfelt.analysis.simulation.rounds import block_of
from crossfelt.errors import CheckFailed
from crossfelt.kernels.random_deals import draws
from crossfelt.play.meters import Meters
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.rulebooks.game import Game


class Disagreement(NamedTuple):
    """A round on which the simulation and the table disagree."""

    row: int
    seat: int
    simulated: dict[str, dict[str, int | str]]
    at_the_table: dict[str, dict[str, int | str]]
    script: dict[str, object]

    def in_words(self) -> tuple[str, str]:
        """Say what each side paid."""
        what = f"round {self.row + 1}, seat {self.seat}: simulated {self.simulated}"
        return what, f"  at the table {self.at_the_table}"


def disagreements(game: Game, plan: SimulationPlan, block: int, rows: Iterable[int]) -> list[Disagreement]:
    """Play rounds of a block on the table and yield disagreements; meters are opened before the first round."""
    return _differences(game, block_of(game, plan, block, plan.block_rounds), rows)


def require_same_at_table(game: Game, plan: SimulationPlan, count: int, rounds: int) -> int:
    """Have the table play some of the rounds again, and return their number; raise CheckFailed where it pays another
    cent.

    Rounds that the table itself plays are settled a second time instead.
    """
    rounds = min(rounds, plan.block_rounds)
    count = min(count, rounds)
    if plan.at_table:
        complaints = settled_otherwise(game, plan, count)
        if complaints:
            what = "The second settlement contradicts the table. Nothing is reported. "
            raise CheckFailed(*complaints, what + "Please report this bug of Crossfelt.")
        return count
    found = refereed(game, plan, count, rounds)
    if found:
        lines = [line for one in found for line in one.in_words()]
        what = f"{len(found)} of {count} rounds differ from the table. Nothing is reported. "
        raise CheckFailed(*lines, what + "Please report this bug of Crossfelt.")
    return count


def refereed(game: Game, plan: SimulationPlan, count: int, rounds: int | None = None) -> list[Disagreement]:
    """Play rounds of the first block on the table: up to half of them rare ones, the rest at random."""
    rounds = rounds or plan.block_rounds
    block = block_of(game, plan, 0, rounds)
    rare = rare_rounds(block)
    rare = rare[:: max(1, 2 * len(rare) // max(1, count))][: count // 2]
    at_random = draws(f"{plan.stream(game, 0)}/referee", count, rounds).tolist()
    # The first rounds stand in for those drawn twice.
    rows = dict.fromkeys([*rare, *at_random, *range(count)])
    return _differences(game, block, list(rows)[:count])


def rare_rounds(block: Block) -> list[int]:
    """List rounds in which a meter pays, a limit cuts, or wagers are returned."""
    rows: set[int] = set()
    for wagers in block.wagers:
        for wagered in wagers.values():
            rows.update(wagered.meter_rounds.tolist(), wagered.cut_rounds[wagered.cut_cents > 0].tolist())
            returned = wagered.prices.result == RESULTS.index("returned")
            rows.update(np.flatnonzero(returned.take(wagered.outcomes)).tolist() if returned.any() else ())
    return sorted(rows)


def _differences(game: Game, played: Block, rows: Iterable[int]) -> list[Disagreement]:
    runner, found = ScriptRunner(game=game), []
    for row in rows:
        script = played.drawn.script(row)
        meters = Meters.standing(game, {meter: int(said.before[row]) for meter, said in played.meters.items()})
        result = runner.play(script, where=f"round {row + 1} of a block", meters=meters).result
        for seat, wagers in enumerate(played.wagers, start=1):
            told = {wager: wagered.settled(row) for wager, wagered in wagers.items()}
            simulated = {wager: settled for wager, settled in told.items() if settled is not None}
            paid = {wager: msgspec.structs.asdict(each) for wager, each in result.seats[str(seat)].wagers.items()}
            settled = {wager: {name: each[name] for name in ("result", *MONEY)} for wager, each in paid.items()}
            if simulated != settled:
                found.append(Disagreement(row, seat, simulated, settled, script))
    return found
