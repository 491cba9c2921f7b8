"""Distribution of a sweep over workers, in pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from time import perf_counter
from typing import Final, NamedTuple

import msgspec

from crossfelt.analysis.runners import ProcessRunner, Runner, run_in_process
from crossfelt.analysis.sweep.evaluate import Variants
from crossfelt.analysis.sweep.grid import SweepGrid
from crossfelt.analysis.sweep.result import VariantResult, decode_rows, encode_rows

PIECE_SECONDS: Final = 0.5
"""Duration of a piece: short enough to stop soon, long enough that its overhead is negligible."""
LARGEST_PIECE: Final = 500
WORTH_PROCESSES_SECONDS: Final = 4.0
"""Remaining time from which worker processes pay off, since each must load the kernels."""
TRIED: Final = 3
"""Combinations solved first; the last gives the time of one with warm caches."""
MOST_TRIED: Final = 24
"""Most combinations tried if the first are refused, which takes no time."""
MOST_SINGLY: Final = 64


class SolvedSample(NamedTuple):
    """The first results and an estimate of the remaining time."""

    rows: list[VariantResult]
    left: list[int]
    """Numbers of the other combinations."""
    seconds_each: float

    def seconds(self, workers: int) -> float:
        """Estimate the time for the others."""
        return self.seconds_each * len(self.left) / workers

    @property
    def piece(self) -> int:
        return max(1, min(LARGEST_PIECE, round(PIECE_SECONDS / max(self.seconds_each, 1e-6))))


def solve_sample(variants: Variants, numbers: Sequence[int]) -> SolvedSample:
    """Solve a few rows spread over the sweep in this process."""
    asked, rows = variants.asked, dict[int, VariantResult]()
    group = min(asked.alike, len(numbers))

    def timed(place: int) -> float:
        """Solve the row at this place and return the seconds; 0 if there is none or it is solved."""
        if place >= len(numbers) or numbers[place] in rows:
            return 0.0
        started = perf_counter()
        rows[numbers[place]] = variants.row(numbers[place])
        return perf_counter() - started

    last, new = 0, 0.0
    for place in islice(_spread(len(numbers) // max(group, 1)), MOST_TRIED):
        seconds = timed(place * group)
        if not rows[numbers[place * group]].refused:
            last, new = place * group, seconds
        if sum(not row.refused for row in rows.values()) == TRIED:
            break
    same_game, same_solution = timed(last + group), timed(last + 1) if group > 1 else 0.0
    left = [number for number in numbers if number not in rows]
    solutions = len(numbers) / max(group, 1)
    whole = min(asked.games, solutions) * max(0.0, new - same_game)
    whole += solutions * (same_game or new) + (len(numbers) - solutions) * same_solution
    return SolvedSample(list(rows.values()), left, whole / max(1, len(numbers)))


def _spread(places: int) -> Iterator[int]:
    """Yield places spread evenly: the first, the middle, the quarters, the eighths, …

    >>> list(_spread(6))
    [0, 3, 1, 4, 2, 5]
    """
    found, parts = dict.fromkeys(range(min(places, 1))), 1
    yield from found
    while parts < places:
        for odd in range(1, 2 * parts, 2):
            place = places * odd // (2 * parts)
            if place not in found:
                found[place] = None
                yield place
        parts *= 2


def figure_names(
    variants: Variants, rows: Iterable[VariantResult] = (), wanted: Iterable[str] | None = None
) -> list[str]:
    """List the names of figures: those of the rows, and of games that differ in one choice, until `wanted` is covered.

    Without `wanted`, list all of them.
    """
    known = dict.fromkeys(name for row in rows for name in row.figures)
    missing = None if wanted is None else set(wanted)
    for number in islice(variants.asked.singly(), MOST_SINGLY):
        if missing is not None and missing <= known.keys():
            break
        known |= dict.fromkeys(variants.row(number).figures)
    return list(known)


def encode(asked: SweepGrid) -> bytes:
    return msgspec.json.encode(asked)


def solved_piece(asked: bytes, numbers: Sequence[int]) -> bytes:
    """Solve some combinations: the job of a worker."""
    variants = _variants(asked)
    return encode_rows([variants.row(number) for number in numbers])


@lru_cache(maxsize=2)
def _variants(asked: bytes) -> Variants:
    return Variants(msgspec.json.decode(asked, type=SweepGrid))


def solve_rest(asked: SweepGrid, begun: SolvedSample, run: Runner) -> Iterator[list[VariantResult]]:
    """Yield the remaining rows in pieces, as they are solved."""
    encoded, left, size = encode(asked), begun.left, begun.piece
    jobs = ((encoded, left[first : first + size]) for first in range(0, len(left), size))
    return map(decode_rows, run(solved_piece, jobs))


def runner_for(begun: SolvedSample, workers: int) -> Runner:
    """Choose this process if it finishes sooner than worker processes."""
    if workers == 1 or begun.seconds(1) < WORTH_PROCESSES_SECONDS:
        return run_in_process
    return ProcessRunner(workers)
