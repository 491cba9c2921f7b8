"""Shares of a simulation that are played apart: as plain data that travels, and as files that are put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

from crossfelt.analysis.runners import Job
from crossfelt.analysis.simulation.plan import Plan
from crossfelt.analysis.simulation.shares import Share
from crossfelt.analysis.simulation.simulating import tally_rounds
from crossfelt.analysis.simulation.tally import Tally
from crossfelt.files import replace_file
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game

KIND: Final = "crossfelt simulation"
SHARES_A_HAND: Final = 16
"""So many for each worker: enough that none waits long for the last one."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A simulation, complete: whoever has it can play any share of it."""

    game: dict[str, Any]
    plan: Plan
    rounds: int

    @classmethod
    def of(cls, game: Game, plan: Plan, rounds: int) -> Asked:
        """Everything as it is after a journey."""
        asked = cls(game=game.as_data(), plan=plan, rounds=rounds)
        return msgspec.json.decode(msgspec.json.encode(asked), type=cls)


class PlayedShare(msgspec.Struct, frozen=True, kw_only=True):
    """What a share came to."""

    number: int
    of: int
    tally: Tally


class ShareFile(msgspec.Struct, frozen=True, kw_only=True):
    """A share that was played by itself, with the whole question."""

    file: str = KIND
    asked: Asked
    share: PlayedShare

    def write(self, path: Path) -> None:
        replace_file(path, msgspec.json.encode(self) + b"\n")


def played_share(asked: bytes, number: int, of: int) -> bytes:
    """Plays a share: the work that is handed out. One thread, since whoever hands out has a share for each."""
    game, wanted = _read(asked)
    tally = tally_rounds(game, wanted.plan, wanted.rounds, share=Share(number, of), workers=1)
    return msgspec.json.encode(PlayedShare(number=number, of=of, tally=tally))


@lru_cache(maxsize=2)
def _read(asked: bytes) -> tuple[Game, Asked]:
    wanted = msgspec.json.decode(asked, type=Asked)
    return Game.from_data(wanted.game, where="simulation"), wanted


def jobs_of(asked: Asked, game: Game, hands: int) -> Iterator[Job]:
    """The shares for so many workers; how many there are does not alter the answer."""
    units = -(-asked.rounds // asked.plan.unit_rounds(game))
    shares = min(units, SHARES_A_HAND * hands)
    encoded = msgspec.json.encode(asked)
    return ((encoded, number, shares) for number in range(1, shares + 1))


def decode_share(data: bytes) -> PlayedShare:
    return msgspec.json.decode(data, type=PlayedShare)


def is_simulation(start: bytes) -> bool:
    """Whether a file that begins so holds a share of a simulation."""
    return start.startswith(f'{{"file":"{KIND}"'.encode())


def read_shares(paths: Sequence[Path]) -> tuple[Asked, Tally, list[int]]:
    """The sums of the shares of one simulation, and the numbers of those that are missing."""
    found: dict[int, PlayedShare] = {}
    first: ShareFile | None = None
    for path in paths:
        read = _read_file(path)
        first = first or read
        if (read.asked, read.share.of) != (first.asked, first.share.of):
            what, allowed = "is of another simulation than the first file", "shares of one simulation"
            raise BadInput(Problem(code="simulation.share", where=str(path), what=what, allowed=allowed))
        if found.setdefault(read.share.number, read.share) != read.share:
            what = "came to something else in an earlier file"
            raise BadInput(Problem(code="simulation.share", where=str(path), what=what, value=read.share.number))
    assert first is not None
    tally = sum((found[number].tally for number in sorted(found)), Tally())
    if not tally.rounds:
        raise BadInput(Problem(code="simulation.share", where=str(paths[0]), what="no rounds in any of the files"))
    return first.asked, tally, [number for number in range(1, first.share.of + 1) if number not in found]


def _read_file(path: Path) -> ShareFile:
    try:
        read = msgspec.json.decode(path.read_bytes(), type=ShareFile)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        what = f"holds no share of a simulation: {error}"
        raise BadInput(Problem(code="simulation.share", where=str(path), what=what)) from None
    if read.file != KIND:
        what = "holds no share of a simulation"
        raise BadInput(Problem(code="simulation.share", where=str(path), what=what, value=read.file))
    return read
