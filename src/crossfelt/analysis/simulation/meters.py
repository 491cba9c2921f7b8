"""Meters over time: what a block of rounds says to them, what they answer, and what became of them.

A meter is followed from round to round through a history, in the order of the rounds, whoever plays them: blocks are
drawn side by side, and the claims of each are answered when those before it have been.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.exact_sums import added, counted, sum_of_products
from crossfelt.kernels.meters import FULL, NO_LIMIT, Integers, follow
from crossfelt.progressive.meter import MICROS
from crossfelt.rulebooks.game import Game


class Claims(NamedTuple):
    """What the rounds of a block say to one meter."""

    contributed: Integers
    """Millionths of a cent, by round; nothing of a void round whose contribution is taken back."""
    rounds: Integers
    """The round of each claim; claims of a round stand in the order in which they are made."""
    percents: Integers
    cents: Integers
    """What is claimed: so many percent of the meter or, where that is 0, cents."""
    at_most: Integers
    """What a payout limit leaves, in cents."""

    @classmethod
    def of_jackpots(cls, contributed: Integers, rounds: Integers, at_most: Integers) -> Claims:
        """Claims for the whole meter."""
        nothing = np.zeros(len(rounds), dtype=np.int64)
        return cls(contributed, rounds, nothing + FULL, nothing, at_most)


class MeterStanding(msgspec.Struct, frozen=True, kw_only=True):
    """A meter between two rounds."""

    pool_micros: int
    since: int = 0
    """Rounds since it was opened, or last won."""


class MeterTally(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a meter in some rounds; sums that can be added."""

    rounds: int
    contributed_micros: int
    seeded_micros: int
    paid_cents: int
    awards: dict[int, int]
    """How many claims were paid, by their percentage; 0 for amounts that are charged to the meter."""
    jackpots: dict[int, int]
    """How often the whole meter was won at so many cents."""
    waits: dict[int, int]
    """How often so many rounds went by from the opening or a jackpot to the next, which is counted."""
    shown_cents: int
    """The sum over all rounds of what the meter showed when claims were made."""
    shown_squared: int
    """The sum of its squares."""
    levels: dict[int, int]
    """In how many rounds it showed so many whole steps of `level_cents`."""
    lowest_cents: int
    highest_cents: int

    def __add__(self, other: MeterTally) -> MeterTally:
        ends = {
            "lowest_cents": min(self.lowest_cents, other.lowest_cents),
            "highest_cents": max(self.highest_cents, other.highest_cents),
        }
        sums: dict[str, Any] = {}
        for name in self.__struct_fields__:
            mine, theirs = getattr(self, name), getattr(other, name)
            sums[name] = added(mine, theirs) if isinstance(mine, dict) else mine + theirs
        return MeterTally(**{**sums, **ends})


class MeterAnswer(NamedTuple):
    """What a meter says to the claims of a block."""

    before: Integers
    """Its pool before each round, in millionths of a cent."""
    paid: Integers
    """Whole cents for each claim."""
    tally: MeterTally
    standing: MeterStanding


def opened(game: Game, meter: str) -> MeterStanding:
    """A meter as it is opened."""
    return MeterStanding(pool_micros=game.whole(f"meters.{meter}.initial_cents") * MICROS)


def limit_micros(game: Game, meter: str) -> int:
    """The most a meter shows."""
    cents = game.choices.get(f"meters.{meter}.limit_cents")
    return cents * MICROS if isinstance(cents, int) else NO_LIMIT


def level_cents(game: Game, meter: str) -> int:
    """The step in which the level of a meter is counted: a hundredth of what it begins with, but a dollar at least."""
    amounts = (game.whole(f"meters.{meter}.{name}_cents") for name in ("initial", "reset"))
    return max(100, max(amounts) // 100)


def answer(game: Game, meter: str, standing: MeterStanding, claims: Claims) -> MeterAnswer:
    """Follow a meter through the rounds of a block."""
    reset, limit = game.whole(f"meters.{meter}.reset_cents") * MICROS, limit_micros(game, meter)
    found = follow(standing.pool_micros, *claims, reset=reset, limit=limit)
    shown = np.minimum(found.before + claims.contributed, limit) // MICROS
    full = claims.percents == FULL
    won_in = claims.rounds[full]
    waits = np.diff(won_in, prepend=-1 - standing.since)
    contributed, paid = int(claims.contributed.sum()), int(found.paid.sum())
    # What went in is what came out or is still there.
    assert standing.pool_micros + contributed + found.seeded == found.pool + paid * MICROS
    tally = MeterTally(
        rounds=len(shown),
        contributed_micros=contributed,
        seeded_micros=found.seeded,
        paid_cents=paid,
        awards=counted(claims.percents),
        jackpots=counted(found.paid[full]),
        waits=counted(waits),
        shown_cents=int(shown.sum()),
        shown_squared=sum_of_products(shown, shown),
        levels=_levels(shown, level_cents(game, meter)),
        lowest_cents=int(shown.min()),
        highest_cents=int(shown.max()),
    )
    since = len(shown) - 1 - int(won_in[-1]) if len(won_in) else standing.since + len(shown)
    return MeterAnswer(found.before, found.paid, tally, MeterStanding(pool_micros=found.pool, since=since))


def _levels(shown: NDArray[np.int64], step: int) -> dict[int, int]:
    levels = shown // step
    low = int(levels.min())
    counts = np.bincount(levels - low)
    return {low + place: int(count) for place, count in enumerate(counts) if count}


def answers(
    game: Game, standing: Mapping[str, MeterStanding], claims: Mapping[str, Claims]
) -> tuple[dict[str, MeterAnswer], dict[str, MeterStanding]]:
    """What all meters say, and how they stand afterwards."""
    said = {meter: answer(game, meter, standing[meter], of_meter) for meter, of_meter in claims.items()}
    return said, {meter: one.standing for meter, one in said.items()}
