"""Kernels and shuffles: five-card hands, the pai gow census, house ways, secure shuffles."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby, pairwise
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import Hand, Ready, ready_peers
from benchmarks.timing import Disagreement, Figure, Result, best_of, our_figure, our_result, say
from crossfelt.cards import standard_deck
from crossfelt.cards.card import Card
from crossfelt.cards.shuffle import fresh_seed, fresh_seeds, shuffled
from crossfelt.games.house_way import house_way as plain_house_way
from crossfelt.hands.strength import strength
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.seven_cards.kinds import counted
from crossfelt.proof.shuffle_tests.batch_shuffle import BATCH, shuffle_batch
from crossfelt.rulebooks.choices import house_way_ids

HANDS_ONE_BY_ONE: Final = 20_000
"""Too many for the processor's fastest cache, and few enough for the slowest peer."""
SEVEN_CARD_HANDS: Final = comb(53, 7)
HANDS_TO_SET: Final = 1_000_000
CHECKED: Final = 200
SHUFFLES: Final = 2_000
OURS, OURS_MANY, SYSTEM = "crossfelt", "crossfelt, many at once", "random.SystemRandom().shuffle"


def five_card(repeats: int) -> Iterator[Result]:
    say(f"five-card hands: {HANDS_ONE_BY_ONE:,} one by one ...")
    hands = random_hands(HANDS_ONE_BY_ONE)
    peers, skipped = agreeing_peers(hands)
    times = best_of(_one_by_one(hands, peers), repeats)
    one_call = {who: seconds / HANDS_ONE_BY_ONE for who, seconds in times.items()}
    yield Result(
        name="five cards, one call",
        unit="ns",
        figures=tuple(Figure(who=who, value=seconds * 1e9, ours=who not in peers) for who, seconds in one_call.items()),
        goal_ratio=1.0,
        skipped=skipped,
        note="cards ready beforehand, loop included",
    )


def census(repeats: int) -> Iterator[Result]:
    """No peer knows the joker."""
    say(f"census of {SEVEN_CARD_HANDS:,} seven-card hands ...")
    seconds = best_of({"counted": counted}, repeats)["counted"]
    yield our_result("census, counted", "ms", seconds * 1e3, goal=50.0)


def house_way(repeats: int) -> Iterator[Result]:
    """No peer has more than one house way, or arrays."""
    say(f"house ways: {HANDS_TO_SET:,} hands in an array, on one core ...")
    hands = _dealt(HANDS_TO_SET, deck=53, cards=7)
    for way in house_way_ids():
        plain = [list(plain_house_way(way).set([Card(card) for card in hand]).low) for hand in hands[:CHECKED].tolist()]
        if set_hands(way, hands[:CHECKED]).low.tolist() != plain:
            raise Disagreement(f"kernel and interpreter do not set the same hands alike by {way}")
    with _one_core():
        times = best_of({way: partial(set_hands, way, hands) for way in house_way_ids()}, repeats)
    figures = (our_figure(HANDS_TO_SET / seconds / 1e6, f"crossfelt, {way}") for way, seconds in times.items())
    yield our_result("house way, one core", "million hands/s", *figures, goal=2.0, more_is_better=True)


def shuffle(repeats: int) -> Iterator[Result]:
    """384 fresh bits for each shuffle, no bias."""
    say(f"secure shuffles: {SHUFFLES:,} one by one, {BATCH:,} at once ...")
    deck = standard_deck()
    system = random.SystemRandom()

    def ours() -> None:
        for _ in range(SHUFFLES):
            shuffled(deck, fresh_seed())

    def peer() -> None:
        for _ in range(SHUFFLES):
            cards = list(deck)
            system.shuffle(cards)

    work = {OURS: ours, OURS_MANY: lambda: shuffle_batch(fresh_seeds(BATCH), 52), SYSTEM: peer}
    times = best_of(work, repeats)
    rates = {who: (BATCH if who == OURS_MANY else SHUFFLES) / seconds for who, seconds in times.items()}
    figures = (Figure(who=who, value=rate, ours=who != SYSTEM) for who, rate in rates.items())
    yield our_result(
        "secure shuffles, one core",
        "shuffles/s",
        *figures,
        goal=50_000.0,
        note="a fresh seed for each",
        more_is_better=True,
    )


def random_hands(number: int) -> list[Hand]:
    chance = random.Random(1)
    return [tuple(chance.sample(range(52), 5)) for _ in range(number)]


def agreeing_peers(hands: Sequence[Hand]) -> tuple[dict[str, Ready], tuple[str, ...]]:
    """Return the peers that can take part, all of which rank these hands as we do, and the reasons of the others."""
    peers, skipped = ready_peers(hands)
    for name, peer in peers.items():
        require_agreement(name, hands, peer.values())
    return peers, skipped


def require_agreement(name: str, hands: Sequence[Hand], values: Sequence[Any]) -> None:
    """Require that equal hands have equal values, and better hands better ones."""
    ours = [strength(*hand) for hand in hands]
    ordered = sorted(zip(ours, values, strict=True))
    theirs = [{value for _, value in group} for _, group in groupby(ordered, key=lambda pair: pair[0])]
    for lower, higher in pairwise(theirs):
        if len(lower) != 1 or len(higher) != 1 or not max(lower) < min(higher):
            raise Disagreement(f"{name} and crossfelt do not rank the same hands alike")


def by_strength(hands: Sequence[Sequence[int]]) -> Callable[[], None]:
    """Return a function that ranks the hands by one call each."""

    def rank() -> None:
        for a, b, c, d, e in hands:
            strength(a, b, c, d, e)

    return rank


def _one_by_one(hands: Sequence[Hand], peers: dict[str, Ready]) -> dict[str, Callable[[], object]]:
    cards = [tuple(map(Card, hand)) for hand in hands]
    ours = {"crossfelt, numbers": by_strength(hands), "crossfelt, cards": by_strength(cards)}
    return {**ours, **{name: peer.run for name, peer in peers.items()}}


def _dealt(hands: int, *, deck: int, cards: int) -> NDArray[np.uint8]:
    chance = np.random.default_rng(1)
    return chance.random((hands, deck)).argsort(axis=1)[:, :cards].astype(np.uint8)


@contextmanager
def _one_core() -> Iterator[None]:
    """Keep this process on one processor, where the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        say("house ways: this system cannot keep a process on one core; all are used")
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
