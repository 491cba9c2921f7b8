"""Confidence intervals: each against its definition, and as often right as it says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate
from math import comb, inf, isfinite

import numpy as np
import pytest

from crossfelt.analysis.estimates import Interval, deviation, proportion, quantile

CONFIDENCE = 0.95
SAMPLES = 500
SLACK = 4.5 * (CONFIDENCE * (1 - CONFIDENCE) / SAMPLES) ** 0.5
"""Distance of the share of right intervals from their confidence that chance allows."""


def shares_right(found: list[Interval], exact: float) -> float:
    return sum(each.low <= exact <= each.high for each in found) / len(found)


@pytest.mark.parametrize(("times", "of"), [(0, 7), (1, 7), (7, 7), (3, 1000), (412, 1000)])
def test_the_bounds_of_a_share_are_the_shares_that_a_score_test_just_allows(times: int, of: int) -> None:
    found = proportion(times, of, CONFIDENCE)
    for bound in (found.low, found.high):
        at_the_end = bound in (0.0, 1.0)
        z = abs(found.value - bound) / (bound * (1 - bound) / of) ** 0.5 if not at_the_end else 0.0
        assert z == pytest.approx(1.959964, rel=1e-6) or (at_the_end and bound == found.value)


@pytest.mark.parametrize("chance", [0.02, 0.3, 0.5])
def test_an_interval_of_a_share_is_right_as_often_as_it_says(chance: float) -> None:
    drawn = np.random.default_rng(1).binomial(400, chance, SAMPLES)
    assert abs(shares_right([proportion(int(n), 400, CONFIDENCE) for n in drawn], chance) - CONFIDENCE) < SLACK + 0.02


def test_an_interval_of_a_standard_deviation_is_right_as_often_as_it_says() -> None:
    drawn = np.random.default_rng(2).integers(0, 101, (SAMPLES, 500))
    found = [deviation(Counter(sample.tolist()), CONFIDENCE) for sample in drawn]
    exact = ((101**2 - 1) / 12) ** 0.5
    assert found[0].value == pytest.approx(drawn[0].std(ddof=1))
    assert abs(shares_right(list(found), exact) - CONFIDENCE) < SLACK + 0.01


def test_a_standard_deviation_of_one_number_has_no_interval() -> None:
    assert not deviation({5: 1}, CONFIDENCE).is_bounded
    assert deviation({5: 9}, CONFIDENCE).high == 0.0


def test_quantiles() -> None:
    counts = {-10: 1, 0: 8, 10: 1}
    assert [quantile(counts, share, CONFIDENCE).value for share in (0.05, 0.1, 0.11, 0.9, 0.91)] == [-10, -10, 0, 0, 10]


@pytest.mark.parametrize("share", [0.01, 0.25, 0.5, 0.99])
def test_an_interval_of_a_quantile_is_right_at_least_as_often_as_it_says(share: float) -> None:
    drawn = np.random.default_rng(3).integers(0, 1_000_000, (SAMPLES, 600))
    found = [quantile(Counter(sample.tolist()), share, CONFIDENCE) for sample in drawn]
    assert CONFIDENCE - SLACK < shares_right(found, share * 1_000_000) < CONFIDENCE + SLACK + 0.03


@pytest.mark.parametrize(("count", "share"), [(10, 0.5), (90, 0.05), (500, 0.01), (500, 0.99)])
def test_the_bounds_of_a_quantile_leave_out_no_more_than_the_tails(count: int, share: float) -> None:
    """The ranks are compared with sums of exact binomial chances."""
    times, of = Fraction(str(share)).as_integer_ratio()
    ways = [comb(count, k) * times**k * (of - times) ** (count - k) for k in range(count + 1)]
    summed = list(accumulate(ways))
    below = next(k for k, upto in enumerate(summed) if 40 * upto >= of**count)
    above = next(k for k, upto in enumerate(summed) if 40 * upto >= 39 * of**count) + 1
    found = quantile(dict.fromkeys(range(1, count + 1), 1), share, CONFIDENCE)
    assert (found.low, found.high) == (below or -inf, above if above <= count else inf)


def test_too_few_numbers_bound_no_extreme_quantile() -> None:
    counts = dict.fromkeys(range(100), 1)
    assert not isfinite(quantile(counts, 0.01, CONFIDENCE).low)
    assert quantile(counts, 0.5, CONFIDENCE).is_bounded


def test_a_deviation_does_not_depend_on_the_order_of_the_counts() -> None:
    counts = {number: 1 + abs(number) % 7 for number in range(-50_003, 61_000, 17)}
    assert len({deviation(dict(order), CONFIDENCE) for order in (counts.items(), reversed(counts.items()))}) == 1
