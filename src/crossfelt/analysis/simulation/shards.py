"""Shares of a simulation as data for workers and as files, which can be merged."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import msgspec

from crossfelt._util.atomic_files import write_atomically
from crossfelt._util.bounded_input import bounded
from crossfelt._util.software_hash import software_hash
from crossfelt.analysis.checkpoint import CheckpointFile, CheckpointKind
from crossfelt.analysis.runners import Job
from crossfelt.analysis.simulation.api import tally_rounds
from crossfelt.analysis.simulation.meters import MeterStanding
from crossfelt.analysis.simulation.plan import Share, SimulationPlan
from crossfelt.analysis.simulation.tally import SimulationTally
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game

SHARES_A_HAND: Final = 16
"""Shares per worker: enough that none waits long for the last one."""


class SimulationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A complete simulation; any worker can play any share of it."""

    game: dict[str, Any]
    plan: SimulationPlan
    rounds: int

    @classmethod
    def of(cls, game: Game, plan: SimulationPlan, rounds: int) -> SimulationRequest:
        """Make a request; the JSON round trip gives the values that workers see."""
        asked = cls(game=game.as_data(), plan=plan, rounds=rounds)
        return msgspec.json.decode(msgspec.json.encode(asked), type=cls)


class PlayedShare(msgspec.Struct, frozen=True, kw_only=True):
    """The tally of a played share."""

    number: int
    of: int
    tally: SimulationTally


SIMULATION: Final = CheckpointKind(name="simulation", code="simulation.share", asked=SimulationRequest)


def share_file(asked: SimulationRequest, share: PlayedShare) -> bytes:
    """Return the file of one share, with the whole request."""
    return SIMULATION.first_line(asked) + msgspec.json.encode(share) + b"\n"


def played_share(asked: bytes, number: int, of: int) -> bytes:
    """Play a share: the job of a worker. It uses one thread, since each worker has its own share."""
    game, wanted = _read(asked)
    tally = tally_rounds(game, wanted.plan, wanted.rounds, share=Share(number, of), workers=1)
    return msgspec.json.encode(PlayedShare(number=number, of=of, tally=tally))


@lru_cache(maxsize=2)
def _read(asked: bytes) -> tuple[Game, SimulationRequest]:
    wanted = msgspec.json.decode(asked, type=SimulationRequest)
    return Game.from_data(wanted.game, where="simulation"), wanted


def shares_for(asked: SimulationRequest, game: Game, hands: int) -> int:
    """Return the number of shares for this number of workers; it does not affect the result."""
    units = -(-asked.rounds // asked.plan.unit_rounds(game))
    return min(units, SHARES_A_HAND * max(1, hands))


def jobs_of(asked: SimulationRequest, of: int, played: Collection[int] = ()) -> Iterator[Job]:
    """Yield the jobs of shares that are not played yet."""
    encoded = msgspec.json.encode(asked)
    return ((encoded, number, of) for number in range(1, of + 1) if number not in played)


def decode_share(data: bytes) -> PlayedShare:
    return msgspec.json.decode(data, type=PlayedShare)


class SharesFile(CheckpointFile[SimulationRequest]):
    """A checkpoint file of shares; `add` takes them encoded."""

    def __init__(self, path: Path, asked: SimulationRequest) -> None:
        super().__init__(SIMULATION, path, asked)
        self.played = _played(path, self.lines, {})
        """Shares that the file held at the start, by number."""


class MergedShares(NamedTuple):
    """Merged shares of one simulation."""

    asked: SimulationRequest
    tally: SimulationTally
    missing: list[int]
    again: list[Path]
    """Files that added nothing."""


def read_shares(paths: Sequence[Path]) -> MergedShares:
    """Merge the shares in several files of one simulation."""
    played: dict[int, PlayedShare] = {}
    again: list[Path] = []
    for part in SIMULATION.read_parts(paths):
        before = len(played)
        played = _played(part.path, part.lines, played)
        if part.lines and len(played) == before:
            again.append(part.path)
    tally = sum((played[number].tally for number in sorted(played)), SimulationTally())
    if not tally.rounds:
        raise SIMULATION.bad(paths[0], "no rounds in any of the files")
    of = next(iter(played.values())).of
    return MergedShares(part.asked, tally, [number for number in range(1, of + 1) if number not in played], again)


def _played(path: Path, lines: Sequence[bytes], before: Mapping[int, PlayedShare]) -> dict[int, PlayedShare]:
    """Decode the shares of a file, and check them against those of other files."""
    found = dict(before)
    for line in lines:
        try:
            share = decode_share(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise SIMULATION.bad(path, f"not a share of a simulation: {error}") from None
        if any(other.of != share.of for other in islice(found.values(), 1)):
            raise SIMULATION.bad(path, "has another number of shares", value=share.of)
        if found.setdefault(share.number, share) != share:
            raise SIMULATION.bad(path, "contradicts an earlier file", value=share.number)
    return found


# --- progress of a simulation in one process ---


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
            raise BadInput.at(str(path), "simulation.state", f"not a progress file of a simulation: {error}") from None
        if (kept.game_hash, kept.plan) != (game.hash, plan):
            what, allowed = "belongs to another simulation", "the same game, seats and seed, or another file"
            raise BadInput.at(str(path), "simulation.state", what, allowed=allowed)
        if kept.software != software_hash():
            what, allowed = "was begun by another version of Crossfelt", "the same version, or another file"
            raise BadInput.at(str(path), "simulation.state", what, allowed=allowed)
        return kept

    def write(self, path: Path) -> None:
        """Replace the file atomically."""
        write_atomically(path, msgspec.json.encode(self))
