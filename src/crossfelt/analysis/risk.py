"""What a session of many rounds comes to, from the exact result of one.

Rounds are independent, so that the result of many is a convolution of the result of one with itself. It is taken with
a Fourier transform: probabilities are right to about twelve places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm, sqrt
from typing import TYPE_CHECKING

import msgspec

from crossfelt.analysis.solution import Distribution

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SessionResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of so many rounds, in antes."""

    rounds: int
    mean: Fraction
    standard_deviation: float
    ahead: float
    """The probability of ending with more than one began with."""
    quantiles: dict[float, Fraction]
    """The smallest result that is not exceeded with this probability."""


def sessions(of_round: Distribution, lengths: Sequence[int], shares: Sequence[float]) -> Iterator[SessionResult]:
    """Sessions of several lengths.

    >>> from crossfelt.analysis.solution import Outcome
    >>> coin = Distribution(outcomes=(Outcome(net=Fraction(-1), count=1), Outcome(net=Fraction(1), count=1)))
    >>> [session] = sessions(coin, [4], [0.05, 0.5])
    >>> round(session.ahead, 9), session.quantiles
    (0.3125, {0.05: Fraction(-4, 1), 0.5: Fraction(0, 1)})
    """
    import numpy as np

    scale = lcm(*(outcome.net.denominator for outcome in of_round.outcomes))
    nets = [int(outcome.net * scale) for outcome in of_round.outcomes]
    low, span = nets[0], nets[-1] - nets[0]
    chances = np.zeros(span + 1)
    for net, outcome in zip(nets, of_round.outcomes, strict=True):
        chances[net - low] = float(of_round.probability(outcome))
    size = 1 << (span * max(lengths)).bit_length()
    waves = np.fft.rfft(chances, size)
    for rounds in lengths:
        summed = np.fft.irfft(waves**rounds, size)[: span * rounds + 1].cumsum()
        yield SessionResult(
            rounds=rounds,
            mean=of_round.mean * rounds,
            standard_deviation=sqrt(of_round.variance * rounds),
            ahead=_above(summed, -low * rounds),
            quantiles={share: Fraction(_quantile(summed, share) + low * rounds, scale) for share in shares},
        )


def _above(summed: NDArray[np.float64], place: int) -> float:
    return float(1 - summed[place]) if place < len(summed) else 0.0


def _quantile(summed: NDArray[np.float64], share: float) -> int:
    # Half a rounding error more would push a quantile over a step that it stands on exactly.
    return int(summed.searchsorted(share - 1e-9))
