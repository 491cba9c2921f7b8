"""Players' seeds in the shuffle: with one honest player every order is equally likely, whatever house and others do."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import permutations, product
from math import factorial

import pytest

from crossfelt.cards.card import Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.player_seeds import NO_MIX, PlayerSeed, mix_of, mixed_order, mixed_seed, seed_hash
from crossfelt.cards.shuffle import arrange, repeatable_seed, shuffled

HONEST, OTHER = "thirty-two letters of an honest one", "the seed of another player"


@pytest.mark.parametrize("size", range(1, 7))
def test_for_every_order_of_the_house_each_dealt_order_has_exactly_one_draw(size: int) -> None:
    """So a uniform stream deals uniform orders, and a house that chose its order from many has chosen nothing.

    The draws of Fisher and Yates are enumerated: a number below 6, below 5 … below 2. That the stream is uniform for
    everybody who does not know the honest seed is the property of SHAKE-256 on which this rests.
    """
    draws = list(product(*(range(left) for left in range(size, 1, -1))))
    assert len(draws) == factorial(size)
    for house in permutations(range(size)):
        dealt = Counter[tuple[int, ...]]()
        for drawn in draws:
            order = list(house)
            arrange(order, iter(drawn))
            dealt[tuple(order)] += 1
        assert dealt == Counter(permutations(range(size)))


def test_for_every_seed_of_the_house_each_seed_of_the_devices_has_exactly_one_mix() -> None:
    """Each byte of the mix is a bijection, so that a uniform mix gives wheels and dice a uniform seed."""
    for house in range(256):
        found = {mixed_seed(bytes([house]), bytes([mix])) for mix in range(256)}
        assert len(found) == 256


def test_the_mix_is_the_documented_hash() -> None:
    ann, bob = PlayerSeed(1, "Ann", seed_hash(HONEST), HONEST), PlayerSeed(4, "Bob", seed_hash(OTHER))
    texts = ["main/7", HONEST, seed_hash(OTHER)]
    sized = [len(text).to_bytes(2, "big") + text.encode() for text in texts]
    whole = b"crossfelt mix 1" + sized[0] + b"\x01" + sized[1] + b"\x04" + sized[2]
    assert mix_of("main/7", [bob, ann]) == hashlib.shake_256(whole).digest(48)


def test_each_part_of_the_mix_changes_the_order() -> None:
    one = PlayerSeed(1, "Ann", seed_hash(HONEST), HONEST)
    mixes = [
        NO_MIX,
        mix_of("main/7", [one]),
        mix_of("main/8", [one]),
        mix_of("main/7", [PlayerSeed(2, "Ann", one.hash, one.seed)]),
        mix_of("main/7", [PlayerSeed(1, "Ann", one.hash)]),
        mix_of("main/7", [one, PlayerSeed(2, "Bob", seed_hash(OTHER), OTHER)]),
    ]
    assert len({mixed_order(deck_of(52), mix) for mix in mixes}) == len(mixes)


def test_a_seat_that_keeps_its_seed_back_chooses_between_two_orders_and_no_more() -> None:
    honest = PlayerSeed(1, "Ann", seed_hash(HONEST), HONEST)
    hashed = seed_hash(OTHER)
    orders = {
        mixed_order(deck_of(52), mix_of("main/7", [honest, PlayerSeed(2, "Bob", hashed, seed)])) for seed in (OTHER, "")
    }
    assert len(orders) == 2


def worst(number: int) -> tuple[Card, ...]:
    """Return the worst of sixty shuffles for a player who sees the first seven cards: no pairs, no honours."""
    return min((shuffled(deck_of(52), repeatable_seed(60 * number + tried)) for tried in range(60)), key=value)


def value(order: tuple[Card, ...]) -> int:
    ranks = [card.rank for card in order[:7]]
    return 20 * (7 - len(set(ranks))) + sum(rank >= 10 for rank in ranks)


def test_the_worst_of_sixty_shuffles_is_no_worse_than_any_other_once_mixed() -> None:
    """The average of 400 rounds: ground by the house, the same after an honest seed, and honest from the beginning."""
    ground = [worst(number) for number in range(400)]
    mixes = [mix_of(f"main/{number}", [PlayerSeed(1, "Ann", "", f"{number:032}")]) for number in range(400)]
    mixed = [mixed_order(order, mix) for order, mix in zip(ground, mixes, strict=True)]
    fair = [shuffled(deck_of(52), repeatable_seed(1_000_000 + number)) for number in range(400)]
    averages = [sum(map(value, orders)) / 400 for orders in (ground, mixed, fair)]
    assert averages[0] < averages[2] / 4
    assert abs(averages[1] - averages[2]) < averages[2] / 10
