"""The table engine has the last word: rounds that were simulated are played on it, and must agree to the cent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from crossfelt.analysis.simulation.plan import Plan
from crossfelt.analysis.simulation.running import block_of
from crossfelt.analysis.simulation.wagered import MONEY
from crossfelt.rulebooks.game import Game
from crossfelt.table.meters import Meters
from crossfelt.table.results import SeatResult
from crossfelt.table.scripted import Runner


class Disagreement(NamedTuple):
    """A round on which the simulation and the table do not agree."""

    row: int
    seat: int
    simulated: dict[str, dict[str, int | str]]
    at_the_table: dict[str, dict[str, int | str]]
    script: dict[str, object]


def disagreements(game: Game, plan: Plan, block: int, rows: Iterable[int]) -> list[Disagreement]:
    """Plays rounds of a block on the table, with meters that are opened before the first of them."""
    played = block_of(game, plan, block, plan.block_rounds)
    runner, found = Runner(game=game), []
    for row in rows:
        script = played.script(row)
        meters = Meters.standing(game, {meter: int(said.before[row]) for meter, said in played.meters.items()})
        result = runner.play(script, where=f"round {row} of block {block}", meters=meters).result
        for seat, wagers in enumerate(played.wagers, start=1):
            told = {wager: wagered.settled(row) for wager, wagered in wagers.items()}
            simulated = {wager: settled for wager, settled in told.items() if settled is not None}
            settled = _at_the_table(result.seats[str(seat)])
            if simulated != settled:
                found.append(Disagreement(row, seat, simulated, settled, script))
    return found


def _at_the_table(seat: SeatResult) -> dict[str, dict[str, int | str]]:
    told = {wager: msgspec.structs.asdict(result) for wager, result in seat.wagers.items()}
    return {wager: {name: result[name] for name in ("result", *MONEY)} for wager, result in told.items()}
