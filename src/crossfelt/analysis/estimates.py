"""Estimates from a simulation, with standard errors and confidence intervals."""

from __future__ import annotations

from math import inf, isfinite, sqrt
from statistics import NormalDist

import msgspec


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """An estimated figure with its confidence interval."""

    value: float
    standard_error: float
    low: float
    high: float
    """Bounds of the confidence interval; infinite, null in JSON, from fewer than two observations."""

    def in_percent(self, digits: int = 4) -> str:
        """Format the value with its interval, where it has one.

        >>> mean(1, 1, 2, 0.95).in_percent(1), mean(1, 1, 1, 0.95).in_percent(1)
        ('50.0% ± 98.0%', '100.0%, no interval')
        """
        margin = f" ± {self.value - self.low:.{digits}%}" if isfinite(self.low) else ", no interval"
        return f"{self.value:.{digits}%}{margin}"

    def z_score(self, exact: float) -> float:
        """Return the distance from an exact figure, in standard errors.

        >>> Estimate(value=1.0, standard_error=0.5, low=0.0, high=2.0).z_score(2.0)
        -2.0
        """
        return (self.value - exact) / self.standard_error if self.standard_error else 0.0


def mean(total: int, squares: int, count: int, confidence: float) -> Estimate:
    """Estimate the mean of `count` numbers from their sum and the sum of their squares.

    >>> round(mean(0, 100, 100, 0.95).standard_error, 4)
    0.1005
    """
    value = total / count
    spread = max(0.0, squares - total * total / count) / (count - 1) if count > 1 else inf
    return around(value, sqrt(spread / count), confidence)


def ratio(
    total: int, squares: int, base: int, base_squares: int, products: int, count: int, confidence: float
) -> Estimate:
    """Estimate the ratio of two sums that both vary from round to round."""
    value = total / base
    residues = max(0.0, squares - 2 * value * products + value * value * base_squares)
    return around(value, sqrt(residues * count / (count - 1)) / base if count > 1 else inf, confidence)


def events(count: int, of: float, confidence: float) -> Estimate:
    """Estimate the rate of a rare event with the score interval, which is valid for zero events too.

    >>> found = events(0, 1, 0.95)
    >>> found.low, round(found.high, 2)
    (0.0, 3.84)
    """
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    middle, reach = count + z * z / 2, z * sqrt(count + z * z / 4)
    low, high = max(0.0, middle - reach), middle + reach
    return Estimate(value=count / of, standard_error=sqrt(count) / of, low=low / of, high=high / of)


def around(value: float, standard_error: float, confidence: float) -> Estimate:
    """Return a value with the normal interval of its standard error."""
    reach = NormalDist().inv_cdf(0.5 + confidence / 2) * standard_error
    return Estimate(value=value, standard_error=standard_error, low=value - reach, high=value + reach)


def quantile(counts: dict[int, int], share: float) -> int:
    """Return the smallest value that at least this share of all counts does not exceed.

    >>> quantile({-5: 1, 0: 2, 7: 1}, 0.5)
    0
    """
    needed, so_far = share * sum(counts.values()), 0
    for value in sorted(counts):
        so_far += counts[value]
        if so_far >= needed:
            return value
    raise ValueError("no counts")
