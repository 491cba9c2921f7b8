"""Five-card hands: one call from Python, and arrays."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from crossfelt.benchmarks.peers import Hand, Ready, ready_peers
from crossfelt.benchmarks.result import Disagreement, Figure, Result
from crossfelt.benchmarks.timing import best_of, say
from crossfelt.cards.card import Card
from crossfelt.hands.strength import strength
from crossfelt.kernels.five_card import strengths

# Enough that they do not all stay in the processor's fastest cache, and few enough for the slowest peer.
HANDS_ONE_BY_ONE = 20_000
HANDS_IN_ARRAYS = 4_000_000


def run(repeats: int) -> Iterator[Result]:
    say(f"five-card hands: {HANDS_ONE_BY_ONE:,} one by one, {HANDS_IN_ARRAYS:,} in an array ...")
    chance = random.Random(1)
    hands = [tuple(chance.sample(range(52), 5)) for _ in range(HANDS_ONE_BY_ONE)]
    peers, skipped = ready_peers(hands)
    for name, peer in peers.items():
        require_agreement(name, hands, peer.values())

    times = best_of(_contenders(hands, peers), repeats)
    one_call = {who: seconds / HANDS_ONE_BY_ONE for who, seconds in times.items()}
    yield Result(
        name="five cards, one call",
        unit="ns",
        figures=tuple(Figure(who=who, value=seconds * 1e9, ours=who not in peers) for who, seconds in one_call.items()),
        goal_ratio=1.0,
        skipped=skipped,
        note="cards ready beforehand, loop included",
    )

    array = _array()
    # It is over so soon that it takes many turns to catch both processors free.
    seconds = best_of({"crossfelt": lambda: strengths(array)}, 10 * repeats)["crossfelt"]
    ours = Figure(who="crossfelt", value=HANDS_IN_ARRAYS / seconds / 1e6, ours=True)
    theirs = [Figure(who=who, value=1e-6 / one_call[who]) for who in peers]
    yield Result(
        name="five cards, arrays",
        unit="million hands/s",
        figures=(ours, *theirs),
        more_is_better=True,
        goal_ratio=100.0,
        skipped=skipped,
        note="the peers take one hand at a time",
    )


def require_agreement(name: str, hands: Sequence[Hand], values: Sequence[Any]) -> None:
    """A race counts only if all run the same way: equal hands equal, better hands better."""
    ours = [strength(*hand) for hand in hands]
    ordered = sorted(zip(ours, values, strict=True))
    theirs = [{value for _, value in group} for _, group in groupby(ordered, key=lambda pair: pair[0])]
    for lower, higher in pairwise(theirs):
        if len(lower) != 1 or len(higher) != 1 or not max(lower) < min(higher):
            raise Disagreement(f"{name} and crossfelt do not rank the same hands alike")


def _contenders(hands: Sequence[Hand], peers: dict[str, Ready]) -> dict[str, Any]:
    cards = [tuple(map(Card, hand)) for hand in hands]

    def numbers() -> None:
        for a, b, c, d, e in hands:
            strength(a, b, c, d, e)

    def card_objects() -> None:
        for a, b, c, d, e in cards:
            strength(a, b, c, d, e)

    ours = {"crossfelt, numbers": numbers, "crossfelt, cards": card_objects}
    return ours | {name: peer.run for name, peer in peers.items()}


def _array() -> NDArray[np.uint8]:
    """Hands at random, each ten times, far apart."""
    chance = np.random.default_rng(1)
    dealt = chance.random((HANDS_IN_ARRAYS // 10, 52)).argsort(axis=1)[:, :5].astype(np.uint8)
    return np.tile(dealt, (10, 1))
