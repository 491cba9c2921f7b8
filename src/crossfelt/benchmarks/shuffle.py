"""Secure shuffles of 52 cards on one core: 384 fresh bits for each, no bias."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from crossfelt.benchmarks.result import Figure, Result
from crossfelt.benchmarks.timing import best_of, say
from crossfelt.cards import standard_deck
from crossfelt.cards.entropy import fresh_seed, fresh_seeds
from crossfelt.cards.shuffle import shuffled
from crossfelt.proof.shuffle_battery.many import BATCH, shuffled_many

SHUFFLES = 2_000
OURS, OURS_MANY, SYSTEM = "crossfelt", "crossfelt, many at once", "random.SystemRandom().shuffle"


def run(repeats: int) -> Iterator[Result]:
    say(f"secure shuffles: {SHUFFLES:,} one by one, {BATCH:,} at once ...")
    times = best_of(_contenders(), repeats)
    rates = {who: (BATCH if who == OURS_MANY else SHUFFLES) / seconds for who, seconds in times.items()}
    yield Result(
        name="secure shuffles, one core",
        unit="shuffles/s",
        figures=tuple(Figure(who=who, value=rate, ours=who != SYSTEM) for who, rate in rates.items()),
        more_is_better=True,
        goal_value=50_000.0,
        note="a fresh seed for each",
    )


def _contenders() -> dict[str, Callable[[], object]]:
    deck = standard_deck()
    system = random.SystemRandom()

    def ours() -> None:
        for _ in range(SHUFFLES):
            shuffled(deck, fresh_seed())

    def peer() -> None:
        for _ in range(SHUFFLES):
            cards = list(deck)
            system.shuffle(cards)

    return {OURS: ours, OURS_MANY: lambda: shuffled_many(fresh_seeds(BATCH), 52), SYSTEM: peer}
