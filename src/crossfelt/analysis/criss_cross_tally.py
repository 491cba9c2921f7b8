"""How often every course of a round of Criss Cross Poker is taken, and what it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from crossfelt.analysis.criss_cross_terms import ANTES, BETS, Counts, Terms
from crossfelt.analysis.solution import Distribution

FOLD: Final = "fold"
Bets = tuple[int, ...]
"""The bets of a round in antes, in order; after a fold, only those before it."""


class Tally(NamedTuple):
    """The deals that end in each course."""

    folded: Mapping[Bets, int]
    played: Mapping[Bets, Counts]
    """By the groups of both hands, as `Terms` numbers them."""

    @property
    def deals(self) -> int:
        return sum(self.folded.values()) + sum(int(counts.sum()) for counts in self.played.values())


def distribution(terms: Terms, tally: Tally) -> Distribution:
    """What the player is up by, in antes."""
    counts: Counter[int] = Counter()
    for bets, count in tally.folded.items():
        counts[-(len(ANTES) + sum(bets)) * terms.scale] += count
    for bets, by_groups in tally.played.items():
        net = terms.antes + sum(bet * line for bet, line in zip(bets, terms.bets, strict=True))
        for place in np.flatnonzero(by_groups).tolist():
            counts[int(net[place])] += int(by_groups[place])
    return Distribution.of({Fraction(net, terms.scale): count for net, count in counts.items()})


def average_total_wagered(tally: Tally) -> Fraction:
    """All that is staked in a round, antes included."""
    staked = sum(count * sum(bets) for bets, count in _courses(tally).items())
    return len(ANTES) + Fraction(staked, tally.deals)


def decision_rates(tally: Tally) -> dict[str, dict[str, Fraction]]:
    """How often each choice is made, of all rounds."""
    counts: dict[str, Counter[str]] = {bet: Counter() for bet in BETS}
    for bets, count in _courses(tally).items():
        for decision, times in zip(BETS, bets, strict=False):
            counts[decision][f"{times}x"] += count
        if len(bets) < len(BETS):
            counts[BETS[len(bets)]][FOLD] += count
    return {
        decision: {choice: Fraction(count, tally.deals) for choice, count in sorted(made.items(), key=_order)}
        for decision, made in counts.items()
    }


def _order(made: tuple[str, int]) -> tuple[bool, str]:
    return made[0] != FOLD, made[0]


def _courses(tally: Tally) -> Counter[Bets]:
    courses: Counter[Bets] = Counter(tally.folded)
    courses.update({bets: int(counts.sum()) for bets, counts in tally.played.items()})
    return courses
