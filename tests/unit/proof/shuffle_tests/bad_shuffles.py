"""Shuffles with a known fault, each of a kind that has been seen in real programs or on real tables.

Each takes a source of good random numbers and a number of shuffles, and gives a row for each shuffle: the places
in a new deck of the cards, the top card first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Draws = NDArray[np.int64]
Draw = Callable[[int], Draws]
"""Gives a number below the bound for each of the shuffles."""

CARDS = 52


class Bad(NamedTuple):
    """A bad shuffle, and how many of it the battery may look at."""

    shuffle: Callable[[Generator, int], Bytes]
    shuffles: int


def modulo(chance: Generator, shuffles: int) -> Bytes:
    """A byte modulo what is left: nothing is rejected, so low numbers come more often."""
    return fisher_yates(shuffles, lambda bound: chance.integers(0, 256, shuffles) % bound)


def naive_swap(chance: Generator, shuffles: int) -> Bytes:
    """Each card is exchanged with any of the 52, not only with those that are left."""
    orders = new_decks(shuffles)
    for place in range(CARDS):
        exchange(orders, place, chance.integers(0, CARDS, shuffles))
    return orders


def off_by_one(chance: Generator, shuffles: int) -> Bytes:
    """A card is never exchanged with itself: Sattolo's algorithm, which gives only one great cycle."""
    orders = new_decks(shuffles)
    for left in range(CARDS, 1, -1):
        exchange(orders, left - 1, chance.integers(0, left - 1, shuffles))
    return orders


def stops_one_early(chance: Generator, shuffles: int) -> Bytes:
    """The loop ends one step too soon, and the last two cards are never exchanged."""
    orders = new_decks(shuffles)
    for left in range(CARDS, 2, -1):
        exchange(orders, left - 1, chance.integers(0, left, shuffles))
    return orders


def incomplete(chance: Generator, shuffles: int) -> Bytes:
    """The bottom five cards stay where they are."""
    orders = new_decks(shuffles)
    for left in range(CARDS - 5, 1, -1):
        exchange(orders, left - 1, chance.integers(0, left, shuffles))
    return orders


def sort_by_a_byte(chance: Generator, shuffles: int) -> Bytes:
    """Sorted by a random byte for each card: equal bytes leave two cards in their old order."""
    return chance.integers(0, 256, (shuffles, CARDS)).argsort(axis=1, kind="stable").astype(np.uint8)


def sort_by_coin(chance: Generator, shuffles: int) -> Bytes:
    """A sort whose comparison tosses a coin: here, one that inserts each card and steps on as long as heads fall."""
    orders = new_decks(shuffles)
    for card in range(1, CARDS):
        steps = np.minimum(chance.geometric(0.5, shuffles) - 1, card)
        at = np.full(shuffles, card)
        for _ in range(int(steps.max())):
            moving = np.flatnonzero(steps > card - at)
            before = at[moving] - 1
            swap(orders, moving, before, at[moving])
            at[moving] = before
    return orders


def time_seed(chance: Generator, shuffles: int) -> Bytes:
    """Seeded by the second of the day: only 86,400 different shuffles."""
    return seeded(chance.integers(0, 86_400, shuffles))


def seed_of_32_bits(chance: Generator, shuffles: int) -> Bytes:
    """A good generator with a seed of 32 bits: 2^32 different shuffles, of 2^225."""
    return seeded(chance.integers(0, 1 << 32, shuffles))


def reused_seed(chance: Generator, shuffles: int) -> Bytes:
    """One shuffle in a thousand comes from a seed that was used before."""
    orders = good(chance, shuffles)
    again = np.flatnonzero(chance.random(shuffles) < 0.001)
    orders[again] = orders[chance.integers(0, shuffles, len(again))]
    return orders


def riffle_thrice(chance: Generator, shuffles: int) -> Bytes:
    return riffled(chance, shuffles, 3)


def riffle_seven_times(chance: Generator, shuffles: int) -> Bytes:
    """A shuffle that is commonly thought to be enough for a person."""
    return riffled(chance, shuffles, 7)


def overhand(chance: Generator, shuffles: int) -> Bytes:
    """Twenty times packets of a few cards are taken off the top and put onto each other."""
    orders = new_decks(shuffles)
    places = np.arange(CARDS)
    for _ in range(20):
        ends = chance.random((shuffles, CARDS)) < 0.2
        packet = np.concatenate([np.zeros((shuffles, 1), np.int64), ends[:, :-1].cumsum(axis=1)], axis=1)
        orders = np.take_along_axis(orders, (places - CARDS * packet).argsort(axis=1), axis=1)
    return orders


def cut_only(chance: Generator, shuffles: int) -> Bytes:
    depth = chance.integers(0, CARDS, (shuffles, 1))
    return ((np.arange(CARDS) + depth) % CARDS).astype(np.uint8)


def biased_bit(chance: Generator, shuffles: int) -> Bytes:
    """The lowest bit of each random number is set in 52 of 100 cases."""

    def draw(bound: int) -> Draws:
        high = chance.integers(0, 1 << 31, shuffles) << 1
        return (high | (chance.random(shuffles) < 0.52)) % bound

    return fisher_yates(shuffles, draw)


def low_bits_of_a_congruential_generator(chance: Generator, shuffles: int) -> Bytes:
    """Draws are a linear congruential generator's low bits, which have short periods."""
    state = chance.integers(0, 1 << 32, shuffles)

    def draw(bound: int) -> Draws:
        nonlocal state
        state = (state * 1_103_515_245 + 12_345) % (1 << 32)
        return state % bound

    return fisher_yates(shuffles, draw)


def sticky_top_card(chance: Generator, shuffles: int) -> Bytes:
    """In two shuffles of a hundred the card that was on top comes back to the top."""
    orders = good(chance, shuffles)
    for row in np.flatnonzero(chance.random(shuffles) < 0.02)[1:]:
        where = int(np.flatnonzero(orders[row] == orders[row - 1, 0])[0])
        orders[row, [0, where]] = orders[row, [where, 0]]
    return orders


def suits_in_order(chance: Generator, shuffles: int) -> Bytes:
    """The spade lies before the heart of the same rank more often than after it: in 53 cases of 100."""
    orders = good(chance, shuffles)
    place_of = orders.argsort(axis=1)
    for rank in range(13):
        heart, spade = place_of[:, 26 + rank], place_of[:, 39 + rank]
        wrong = np.flatnonzero((spade > heart) & (chance.random(shuffles) < 0.06))
        swap(orders, wrong, heart[wrong], spade[wrong])
    return orders


def from_the_last_order(chance: Generator, shuffles: int) -> Bytes:
    """Every shuffle starts from the one before and exchanges 100 pairs of cards; each looks perfect by itself."""
    exchanges = chance.integers(0, CARDS, (shuffles, 100, 2)).tolist()
    order = chance.permutation(CARDS).tolist()
    orders = []
    for pairs in exchanges:
        for one, other in pairs:
            order[one], order[other] = order[other], order[one]
        orders.append(bytes(order))
    return np.frombuffer(b"".join(orders), np.uint8).reshape(shuffles, CARDS)


def too_even(chance: Generator, shuffles: int) -> Bytes:
    """Each good shuffle is followed by its 51 rotations, so that each card comes to each place equally often."""
    base = np.repeat(good(chance, shuffles // CARDS + 1), CARDS, axis=0)[:shuffles]
    turned = (np.arange(CARDS) + np.arange(shuffles)[:, np.newaxis]) % CARDS
    return np.take_along_axis(base, turned, axis=1)


def lost_card(chance: Generator, shuffles: int) -> Bytes:
    """Once in ten thousand shuffles a card is there twice and another is missing."""
    orders = good(chance, shuffles)
    orders[::10_000, 17] = orders[::10_000, 30]
    return orders


BAD = {
    "modulo": Bad(modulo, 20_000),
    "naive swap": Bad(naive_swap, 20_000),
    "off by one": Bad(off_by_one, 20_000),
    "stops one early": Bad(stops_one_early, 20_000),
    "incomplete": Bad(incomplete, 20_000),
    "sort by a byte": Bad(sort_by_a_byte, 100_000),
    "sort by coin": Bad(sort_by_coin, 20_000),
    "time seed": Bad(time_seed, 20_000),
    "32-bit seed": Bad(seed_of_32_bits, 300_000),
    "reused seed": Bad(reused_seed, 20_000),
    "riffle thrice": Bad(riffle_thrice, 20_000),
    "riffle seven times": Bad(riffle_seven_times, 20_000),
    "overhand": Bad(overhand, 20_000),
    "cut only": Bad(cut_only, 20_000),
    "biased bit": Bad(biased_bit, 100_000),
    "low bits": Bad(low_bits_of_a_congruential_generator, 20_000),
    "sticky top card": Bad(sticky_top_card, 60_000),
    "suits in order": Bad(suits_in_order, 20_000),
    "from the last order": Bad(from_the_last_order, 5_000),
    "too even": Bad(too_even, 20_000),
    "lost card": Bad(lost_card, 20_000),
}


def good(chance: Generator, shuffles: int) -> Bytes:
    """No fault: a second, different shuffle, so that what the battery makes of a good one is known too."""
    return fisher_yates(shuffles, lambda bound: chance.integers(0, bound, shuffles))


def new_decks(shuffles: int) -> Bytes:
    return np.tile(np.arange(CARDS, dtype=np.uint8), (shuffles, 1))


def fisher_yates(shuffles: int, draw: Draw) -> Bytes:
    orders = new_decks(shuffles)
    for left in range(CARDS, 1, -1):
        exchange(orders, left - 1, draw(left))
    return orders


def exchange(orders: Bytes, place: int, others: Draws) -> None:
    """Exchange, in each row, the card of one place with that of another."""
    rows = np.arange(len(orders))
    swap(orders, rows, np.full(len(orders), place), others)


def swap(orders: Bytes, rows: Draws, one: Draws, other: Draws) -> None:
    kept = orders[rows, one]
    orders[rows, one] = orders[rows, other]
    orders[rows, other] = kept


def seeded(seeds: Draws) -> Bytes:
    """A good shuffle for each seed, the same for the same: sorted by numbers of 64 bits made from the seed."""
    cards = np.arange(1, CARDS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = mix(mix(seeds.astype(np.uint64))[:, np.newaxis] + cards)
    return mixed.argsort(axis=1).astype(np.uint8)


def mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The last step of the generator SplitMix64."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def riffled(chance: Generator, shuffles: int, times: int) -> Bytes:
    """Gilbert, Shannon and Reeds: undone, each card tosses a coin for its packet; done, that order is inverted."""
    undone = new_decks(shuffles)
    for _ in range(times):
        packets = chance.integers(0, 2, (shuffles, CARDS))
        undone = np.take_along_axis(undone, packets.argsort(axis=1, kind="stable"), axis=1)
    return undone.argsort(axis=1).astype(np.uint8)
