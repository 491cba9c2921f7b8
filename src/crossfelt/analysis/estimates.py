"""Estimates from a simulation, with standard errors and confidence intervals."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from math import ceil, floor, inf, isfinite, log, log10, sqrt
from statistics import NormalDist
from typing import Final, Self

import msgspec

CONFIDENCE: Final = 0.95
"""The confidence level of intervals, unless another is asked for."""
POSITIONS: Final = 100
"""Positions drawn where flashed cards are too many to enumerate."""
_EVEN: Final = 1.1
"""Bounds whose distances differ by less are printed as one distance."""


class Interval(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An estimated figure with its confidence interval."""

    value: float
    low: float
    high: float
    """Bounds of the confidence interval; infinite, null in JSON, from too few observations."""
    exact: float | None = None
    """The exact figure, where it is known."""

    @property
    def is_bounded(self) -> bool:
        return isfinite(self.low) and isfinite(self.high)

    def known_as(self, exact: float | None) -> Self:
        """Return the estimate beside the exact figure, if there is one."""
        return msgspec.structs.replace(self, exact=exact)

    def text(self, form: Callable[[float], str]) -> str:
        """Format the value with its interval, where it has one.

        >>> Interval(value=3.0, low=2.0, high=4.0).text(str), Interval(value=3.0, low=2.5, high=4.0).text(str)
        ('3.0 ± 1.0', '3.0 (2.5 to 4.0)')
        >>> Interval(value=3.0, low=-inf, high=4.0).text(str)
        '3.0, no interval'
        """
        if not self.is_bounded:
            return f"{form(self.value)}, no interval"
        nearer, further = sorted((self.value - self.low, self.high - self.value))
        if further <= _EVEN * nearer or not further:
            return f"{form(self.value)} ± {form(further)}"
        return f"{form(self.value)} ({form(self.low)} to {form(self.high)})"

    def in_percent(self, digits: int = 4) -> str:
        """Format a share with its interval.

        >>> mean(1, 1, 2, 0.95).in_percent(1), mean(1, 1, 1, 0.95).in_percent(1)
        ('50.0% ± 98.0%', '100.0%, no interval')
        """
        return self.text(lambda share: f"{share:.{digits}%}")

    @property
    def short_digits(self) -> int:
        """Digits of a share in percent, to the second digit of its interval.

        >>> found, rare = proportion(331_618, 1_000_000, 0.95), proportion(1, 100_000, 0.95)
        >>> found.in_percent(found.short_digits), rare.in_percent(rare.short_digits)
        ('33.162% ± 0.092%', '0.0010% (0.0002% to 0.0057%)')
        """
        reach = max(self.high - self.value, self.value - self.low)
        return max(0, 1 - floor(log10(100 * reach))) if 0 < reach < inf else 2


class Estimate(Interval, frozen=True, kw_only=True):
    """An estimated figure with its standard error and its confidence interval."""

    standard_error: float

    def over(self, unit: float) -> Estimate:
        """Return the estimate in units of another size; a negative unit turns it round."""
        low, high = sorted((self.low / unit, self.high / unit))
        return Estimate(value=self.value / unit, standard_error=self.standard_error / abs(unit), low=low, high=high)


def around(value: float, standard_error: float, confidence: float) -> Estimate:
    """Return a value with the normal interval of its standard error."""
    reach = _errors(confidence) * standard_error
    return Estimate(value=value, standard_error=standard_error, low=value - reach, high=value + reach)


def mean(total: int, squares: int, count: int, confidence: float) -> Estimate:
    """Estimate the mean of `count` numbers from their sum and the sum of their squares.

    >>> round(mean(0, 100, 100, 0.95).standard_error, 4)
    0.1005
    """
    value = total / count
    spread = max(0.0, squares - total * total / count) / (count - 1) if count > 1 else inf
    return around(value, sqrt(spread / count), confidence)


def mean_of(counts: Mapping[int, int], confidence: float) -> Estimate:
    """Estimate the mean of counted numbers."""
    total = sum(number * times for number, times in counts.items())
    squares = sum(number * number * times for number, times in counts.items())
    return mean(total, squares, sum(counts.values()), confidence)


def ratio(
    total: int, squares: int, base: int, base_squares: int, products: int, count: int, confidence: float
) -> Estimate:
    """Estimate the ratio of two sums that both vary from round to round."""
    value = total / base
    residues = max(0.0, squares - 2 * value * products + value * value * base_squares)
    return around(value, sqrt(residues * count / (count - 1)) / base if count > 1 else inf, confidence)


def deviation(counts: Mapping[int, int], confidence: float) -> Estimate:
    """Estimate the standard deviation of counted numbers; its standard error follows from their fourth moment.

    >>> found = deviation({-1: 5000, 1: 4000, 4: 1000}, 0.95)
    >>> round(found.value, 3), round(found.standard_error, 3)
    (1.552, 0.012)
    """
    count, total = sum(counts.values()), sum(number * times for number, times in counts.items())
    if count < 2:
        return around(0.0, inf, confidence)
    # Whole numbers, because sums of floats depend on the order in which workers bring their counts.
    second, fourth = (
        sum(times * (count * x - total) ** power for x, times in counts.items()) / count ** (power + 1)
        for power in (2, 4)
    )
    error = sqrt(max(0.0, fourth - second**2) / count) / (2 * sqrt(second)) if second else 0.0
    return around(sqrt(second * count / (count - 1)), error, confidence)


def proportion(times: int, of: int, confidence: float) -> Estimate:
    """Estimate a probability with Wilson's score interval, which is valid for zero events too.

    >>> found = proportion(0, 100, 0.95)
    >>> found.low, round(found.high, 4)
    (0.0, 0.037)
    """
    z, value = _errors(confidence), times / of
    middle = value + z * z / (2 * of)
    reach = z * sqrt(value * (1 - value) / of + (z / (2 * of)) ** 2)
    low, high = ((middle + sign * reach) / (1 + z * z / of) for sign in (-1, 1))
    low, high = 0.0 if times == 0 else low, 1.0 if times == of else high
    return Estimate(value=value, standard_error=sqrt(value * (1 - value) / of), low=low, high=high)


def events(count: int, of: float, confidence: float) -> Estimate:
    """Estimate the rate of a rare event with the score interval, which is valid for zero events too.

    >>> found = events(0, 1, 0.95)
    >>> found.low, round(found.high, 2)
    (0.0, 3.84)
    """
    z = _errors(confidence)
    middle, reach = count + z * z / 2, z * sqrt(count + z * z / 4)
    low, high = max(0.0, middle - reach), middle + reach
    return Estimate(value=count / of, standard_error=sqrt(count) / of, low=low / of, high=high / of)


def quantile(counts: Mapping[int, int], share: float, confidence: float) -> Interval:
    """Estimate a quantile: the smallest number that at least this share of all numbers does not exceed.

    The interval is between two order statistics, for any distribution: how many numbers lie below the true quantile
    is binomial. A bound is infinite where all numbers together do not reach it.

    >>> quantile({place: 1 for place in range(1, 101)}, 0.5, 0.95)
    Interval(value=50, low=40, high=61, exact=None)
    >>> quantile({-5: 1, 0: 2, 7: 1}, 0.5, 0.95)
    Interval(value=0, low=-inf, high=inf, exact=None)
    """
    numbers = sorted(counts)
    upto, so_far = [], 0
    for number in numbers:
        so_far += counts[number]
        upto.append(so_far)

    def at(place: int) -> float:
        """Return the number at a place in order, from 1."""
        return -inf if place < 1 else inf if place > so_far else numbers[bisect_left(upto, place)]

    below, above = _binomial_bounds(so_far, share, (1 - confidence) / 2)
    return Interval(value=at(max(1, ceil(share * so_far))), low=at(below), high=at(above + 1))


def _binomial_bounds(count: int, share: float, tail: float) -> tuple[int, int]:
    """Return the quantiles of a binomial variable at both tails.

    >>> _binomial_bounds(100, 0.5, 0.025)
    (40, 60)
    """
    import numpy as np

    reach = 12 * sqrt(count * share * (1 - share)) + 12
    low, high = max(0, int(count * share - reach)), min(count, int(count * share + reach))
    places = np.arange(low + 1, high + 1, dtype=np.float64)
    # Each probability by its ratio to the one before.
    steps = np.log((count - places + 1) / places) + log(share / (1 - share))
    logs = np.concatenate(([0.0], steps.cumsum()))
    summed = np.exp(logs - logs.max()).cumsum()
    below, above = np.searchsorted(summed / summed[-1], (tail, 1 - tail))
    return low + int(below), low + int(above)


def _errors(confidence: float) -> float:
    """Return the standard errors on each side of a normal interval."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)
