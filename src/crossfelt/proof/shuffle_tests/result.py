"""The result of one test, and the chance of a perfect shuffle to look as odd."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtr, chdtrc, ndtr, pdtr, pdtrc  # type: ignore[import-untyped]

_BOTH_TAILS_FROM: Final = 100
"""Degrees of freedom from which a chi-square counts against the shuffle also when it is too small."""
_SMALLEST_CELL: Final = 10.0
"""Cells expected to hold fewer than this are joined with their neighbours."""


class ShuffleTestResult(msgspec.Struct, frozen=True, kw_only=True):
    """One test of the battery."""

    test: str
    measures: str
    sample: int
    """The number of observations: shuffles, unless `measures` says otherwise."""
    kind: Literal["chi-square", "z", "pairs", "decks"]
    statistic: float | None = None
    degrees_of_freedom: int | None = None
    expected: float | None = None
    tails: Literal["upper", "both"] = "both"
    p_value: float | None = None
    """None when there were too few shuffles for this test."""
    needs: int | None = None
    """The least number of shuffles."""


def chi_square(
    test: str, measures: str, *, sample: int, statistic: float, degrees_of_freedom: int, needs: int = 0
) -> ShuffleTestResult:
    """A finding from a statistic that is distributed as chi-square, once the sample is as large as it `needs`.

    >>> round(chi_square("", "", sample=100, statistic=3.84, degrees_of_freedom=1).p_value, 3)
    0.05
    """
    if sample < needs:
        return too_few(test, measures, sample, needs)
    upper = float(chdtrc(degrees_of_freedom, statistic))
    both = degrees_of_freedom >= _BOTH_TAILS_FROM
    lower = float(chdtr(degrees_of_freedom, statistic))
    return ShuffleTestResult(
        test=test,
        measures=measures,
        sample=sample,
        kind="chi-square",
        statistic=statistic,
        degrees_of_freedom=degrees_of_freedom,
        tails="both" if both else "upper",
        p_value=min(1.0, 2 * min(upper, lower)) if both else upper,
    )


def too_few(test: str, measures: str, sample: int, needs: int) -> ShuffleTestResult:
    """Return the result of a test that has not seen as many shuffles as it needs."""
    return ShuffleTestResult(test=test, measures=measures, sample=sample, kind="chi-square", needs=needs)


def frequencies(test: str, measures: str, counts: NDArray[np.int64], shares: Sequence[float]) -> ShuffleTestResult:
    """A finding from counts of outcomes and the share that each should have.

    >>> frequencies("coin", "", np.array([60, 40]), [0.5, 0.5]).statistic
    4.0
    """
    sample = int(counts.sum())
    observed, expected = joined_cells(counts, [share * sample for share in shares])
    if len(observed) < 2:
        return ShuffleTestResult(test=test, measures=measures, sample=sample, kind="chi-square")
    statistic = float(sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True)))
    return chi_square(test, measures, sample=sample, statistic=statistic, degrees_of_freedom=len(observed) - 1)


def joined_cells(counts: NDArray[np.int64], expected: Sequence[float]) -> tuple[list[int], list[float]]:
    """Neighbouring cells joined, from the left, until each is expected to hold enough.

    >>> joined_cells(np.array([1, 9, 20, 2]), [2.0, 10.0, 15.0, 5.0])
    ([10, 22], [12.0, 20.0])
    """
    observed_cells: list[int] = []
    expected_cells: list[float] = []
    observed, total = 0, 0.0
    for count, share in zip(counts.tolist(), expected, strict=True):
        observed, total = observed + count, total + share
        if total >= _SMALLEST_CELL:
            observed_cells.append(observed)
            expected_cells.append(total)
            observed, total = 0, 0.0
    if expected_cells:
        observed_cells[-1] += observed
        expected_cells[-1] += total
    return observed_cells, expected_cells


def normal(test: str, measures: str, *, sample: int, total: float, mean: float, variance: float) -> ShuffleTestResult:
    """A finding from a sum over the sample, and the mean and variance of each of its terms.

    >>> round(normal("", "", sample=100, total=69.6, mean=0.5, variance=1.0).p_value, 3)
    0.05
    """
    z = (total - sample * mean) / (sample * variance) ** 0.5
    p_value = min(1.0, 2 * float(ndtr(-abs(z))))
    return ShuffleTestResult(test=test, measures=measures, sample=sample, kind="z", statistic=z, p_value=p_value)


def coincidences(
    test: str, measures: str, *, sample: int, pairs: int, expected: float, tails: Literal["upper", "both"]
) -> ShuffleTestResult:
    """A finding from a number of equal pairs, which is distributed as Poisson's.

    >>> round(coincidences("", "", sample=100, pairs=3, expected=0.1, tails="upper").p_value, 6)
    0.000155
    """
    upper = float(pdtrc(pairs - 1, expected)) if pairs else 1.0
    lower = float(pdtr(pairs, expected))
    return ShuffleTestResult(
        test=test,
        measures=measures,
        sample=sample,
        kind="pairs",
        statistic=pairs,
        expected=expected,
        tails=tails,
        p_value=min(1.0, 2 * min(upper, lower)) if tails == "both" else upper,
    )
