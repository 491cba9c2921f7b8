"""Seven cards set by a house way: arrays of hands on one core. No peer has more than one house way, or arrays."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
from numpy.typing import NDArray

from crossfelt.benchmarks.result import Disagreement, Figure, Result
from crossfelt.benchmarks.timing import best_of, say
from crossfelt.cards.card import Card
from crossfelt.games.house_way import house_way
from crossfelt.kernels.house_way import set_hands
from crossfelt.rulebooks.house_ways import house_way_ids

HANDS = 1_000_000
CHECKED = 200


def run(repeats: int) -> Iterator[Result]:
    say(f"house ways: {HANDS:,} hands in an array, on one core ...")
    hands = _dealt()
    for way in house_way_ids():
        require_agreement(way, hands[:CHECKED])
    with one_core():
        times = best_of({way: partial(set_hands, way, hands) for way in house_way_ids()}, repeats)
    yield Result(
        name="house way, one core",
        unit="million hands/s",
        figures=tuple(
            Figure(who=f"crossfelt, {way}", value=HANDS / seconds / 1e6, ours=True) for way, seconds in times.items()
        ),
        more_is_better=True,
        goal_value=2.0,
    )


def require_agreement(way: str, hands: NDArray[np.uint8]) -> None:
    """Speed counts only if the hands are set as the plain interpreter sets them."""
    plain = [list(house_way(way).set([Card(card) for card in hand]).low) for hand in hands.tolist()]
    if set_hands(way, hands).low.tolist() != plain:
        raise Disagreement(f"kernel and interpreter do not set the same hands alike by {way}")


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process to one processor, where the system lets it."""
    if not hasattr(os, "sched_setaffinity"):
        say("house ways: this system cannot keep a process to one core; all are used")
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _dealt() -> NDArray[np.uint8]:
    chance = np.random.default_rng(1)
    return chance.random((HANDS, 53)).argsort(axis=1)[:, :7].astype(np.uint8)
