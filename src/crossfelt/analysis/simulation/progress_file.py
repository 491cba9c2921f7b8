"""The progress file of an interrupted simulation."""

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
    """The progress of a simulation, in whole blocks."""

    software: str = msgspec.field(default_factory=software_hash)
    game_hash: str
    plan: SimulationPlan
    tally: SimulationTally
    standing: dict[str, MeterStanding] = {}
    """State of the meters."""

    @classmethod
    def read(cls, path: Path, game: Game, plan: SimulationPlan) -> Self | None:
        """Read a progress file; None without a file. Refuse a file of another simulation."""
        try:
            kept = msgspec.json.decode(bounded(path.read_bytes()), type=cls)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            what = f"not a progress file of a simulation: {error}"
            raise BadInput(Problem(code="simulation.state", where=str(path), what=what)) from None
        if (kept.game_hash, kept.plan) != (game.hash, plan):
            what, allowed = "belongs to another simulation", "the same game, seats and seed, or another file"
            raise BadInput(Problem(code="simulation.state", where=str(path), what=what, allowed=allowed))
        if kept.software != software_hash():
            what, allowed = "was begun by another version of Crossfelt", "the same version, or another file"
            raise BadInput(Problem(code="simulation.state", where=str(path), what=what, allowed=allowed))
        return kept

    def write(self, path: Path) -> None:
        """Replace the file atomically."""
        write_atomically(path, msgspec.json.encode(self))
