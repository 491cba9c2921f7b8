"""Results of sessions of many rounds, from the exact distribution of one round.

Rounds are independent, so the distribution of many is a convolution, computed with a Fourier transform.
Probabilities are accurate to about twelve places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm, sqrt

import msgspec

from crossfelt.analysis.solution import Distribution


class SessionResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a session, in antes."""

    rounds: int
    mean: Fraction
    standard_deviation: float
    ahead: float
    """Probability of a net win."""
    quantiles: dict[float, Fraction]
    """Smallest result that is not exceeded, by probability."""


def sessions(of_round: Distribution, lengths: Sequence[int], shares: Sequence[float]) -> Iterator[SessionResult]:
    """Yield the results of sessions of several lengths.

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
        summed, least = np.fft.irfft(waves**rounds, size)[: span * rounds + 1].cumsum(), low * rounds
        # The tolerance keeps a rounding error from moving a quantile past an exact step.
        places = summed.searchsorted([share - 1e-9 for share in shares]).tolist()
        yield SessionResult(
            rounds=rounds,
            mean=of_round.mean * rounds,
            standard_deviation=sqrt(of_round.variance * rounds),
            ahead=float(1 - summed[-least]) if -least < len(summed) else 0.0,
            quantiles={share: Fraction(place + least, scale) for share, place in zip(shares, places, strict=True)},
        )
