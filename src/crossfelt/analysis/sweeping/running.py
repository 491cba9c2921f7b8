"""A sweep worked out piece by piece, by whoever is there to do it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Final, NamedTuple

import msgspec

from crossfelt.analysis.runners import InProcesses, Job, Runner, in_this_process
from crossfelt.analysis.sweeping.asked import Asked
from crossfelt.analysis.sweeping.row import Row, decode_rows, encode_rows
from crossfelt.analysis.sweeping.variants import Variants

PIECE_SECONDS: Final = 0.5
"""How long a piece should take: short enough to stop soon, long enough that handing it out costs nothing."""
WORTH_PROCESSES_SECONDS: Final = 4.0
"""From where on it pays to start processes, each of which has to load kernels."""
TRIED: Final = 3
"""So many are solved here first: the last of them says how long one takes when everything is warm."""


class Pace(NamedTuple):
    """What the first answers tell of the others."""

    seconds_each: float
    left: int

    def seconds(self, workers: int) -> float:
        return self.seconds_each * self.left / workers

    @property
    def piece(self) -> int:
        return max(1, min(500, round(PIECE_SECONDS / max(self.seconds_each, 1e-6))))


def encode(asked: Asked) -> bytes:
    """A sweep as it travels."""
    return msgspec.json.encode(asked)


def solved_piece(asked: bytes, numbers: Sequence[int]) -> bytes:
    """The rows of some combinations: the work that is shared out."""
    variants = _variants(asked)
    return encode_rows([variants.row(number) for number in numbers])


@lru_cache(maxsize=2)
def _variants(asked: bytes) -> Variants:
    return Variants(msgspec.json.decode(asked, type=Asked))


def first_rows(variants: Variants, numbers: Sequence[int]) -> tuple[list[Row], Pace]:
    """A few rows solved here, and the pace."""
    rows, seconds = [], 0.0
    for number in numbers[:TRIED]:
        start = perf_counter()
        rows.append(variants.row(number))
        seconds = perf_counter() - start
    return rows, Pace(seconds, len(numbers) - len(rows))


def other_rows(
    asked: Asked, numbers: Sequence[int], pace: Pace, run: Runner, after: Callable[[list[Row]], bool]
) -> None:
    """All other rows, handed to `after` as they come, which says whether to go on."""
    for encoded in run(solved_piece, _jobs(encode(asked), numbers, pace.piece)):
        if not after(decode_rows(encoded)):
            return


def _jobs(asked: bytes, numbers: Sequence[int], piece: int) -> Iterator[Job]:
    return ((asked, numbers[first : first + piece]) for first in range(0, len(numbers), piece))


def runner_for(pace: Pace, workers: int) -> Runner:
    """This process alone where that is over soonest."""
    if workers == 1 or pace.seconds(1) < WORTH_PROCESSES_SECONDS:
        return in_this_process
    return InProcesses(workers)
