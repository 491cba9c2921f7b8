"""A simulation that was interrupted, kept so that it can go on where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import msgspec

from crossfelt._util.atomic_files import write_atomically
from crossfelt._util.bounded_input import bounded
from crossfelt._util.software_hash import software_hash
from crossfelt.analysis.simulation.meters import MeterStanding
from crossfelt.analysis.simulation.plan import SimulationPlan
from crossfelt.analysis.simulation.tally import SimulationTally
from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game


class SimulationProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a simulation is: whole blocks only, so that it can go on from there."""

    software: str = msgspec.field(default_factory=software_hash)
    game_hash: str
    plan: SimulationPlan
    tally: SimulationTally
    standing: dict[str, MeterStanding] = {}
    """How the meters stand."""

    @classmethod
    def read(cls, path: Path, game: Game, plan: SimulationPlan) -> Self | None:
        """What was kept; None where there is no file. A file of another simulation is refused."""
        try:
            kept = msgspec.json.decode(bounded(path.read_bytes()), type=cls)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            what = f"no simulation that could go on: {error}"
            raise BadInput(Problem(code="simulation.state", where=str(path), what=what)) from None
        if (kept.game_hash, kept.plan) != (game.hash, plan):
            what, allowed = "is of another simulation", "the same game, seats and seed, or another file"
            raise BadInput(Problem(code="simulation.state", where=str(path), what=what, allowed=allowed))
        if kept.software != software_hash():
            what, allowed = "was begun by another version of Crossfelt", "the same version, or another file"
            raise BadInput(Problem(code="simulation.state", where=str(path), what=what, allowed=allowed))
        return kept

    def write(self, path: Path) -> None:
        """Replaces the file at once: it is never half written."""
        write_atomically(path, msgspec.json.encode(self))
