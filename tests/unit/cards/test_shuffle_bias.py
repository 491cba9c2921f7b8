"""No outcome is favoured: shown by exhausting the bytes a draw can meet, with the code that ships.

Nothing here is estimated. A byte from the source has 256 equally likely values, so an outcome's probability is the
number of values that lead to it.
"""

from __future__ import annotations

from collections import Counter
from math import factorial, prod

import pytest

from crossfelt.cards.shuffle import arrange, draw_below, draw_weighted

BYTES = range(256)
LARGEST_DECK = 53


def drawn(bound: int, *taken: int) -> int | None:
    """Return the draw from these bytes; None if it needs more."""
    try:
        return draw_below(bound, iter(taken))
    except EOFError:
        return None


def neutral(left: int) -> int:
    """Return a byte that leaves the card in its place, with this number of cards left."""
    return left - 1


def arranged(size: int, taken: bytes, then: int) -> tuple[tuple[int, ...], int]:
    """The order that follows from these bytes and then neutral ones, and how many neutral ones it took.

    `then` is how many cards are left after the bytes, if all are accepted; then it takes ``then - 1``.
    """
    cards = list(range(size))
    # If the last byte is rejected, its step is taken again.
    spare = bytes(neutral(left) for left in range(then, 1, -1)) + bytes(1)
    rest = iter(taken + spare)
    arrange(cards, rest)
    return tuple(cards), len(spare) - len(list(rest))


@pytest.mark.exhaustive
@pytest.mark.clause("NJC-20", "MAC-7", "MDC-11", "DCP-7")
@pytest.mark.parametrize("bound", range(2, 257))
def test_every_byte_in_every_range_favours_no_number(bound: int) -> None:
    outcomes = Counter(drawn(bound, byte) for byte in BYTES)
    rejected = outcomes.pop(None, 0)
    assert outcomes == dict.fromkeys(range(bound), 256 // bound)
    assert rejected == 256 % bound


@pytest.mark.parametrize("bound", range(2, LARGEST_DECK + 1))
def test_a_rejected_byte_leaves_no_trace(bound: int) -> None:
    for rejected in (byte for byte in BYTES if drawn(bound, byte) is None):
        assert all(drawn(bound, rejected, byte) == drawn(bound, byte) for byte in BYTES)


@pytest.mark.exhaustive
@pytest.mark.parametrize("bound", [257, 1000, 32_769, 65_535, 65_536])
def test_two_bytes_favour_no_number(bound: int) -> None:
    outcomes = Counter(drawn(bound, high, low) for high in BYTES for low in BYTES)
    rejected = outcomes.pop(None, 0)
    assert outcomes == dict.fromkeys(range(bound), 65_536 // bound)
    assert rejected == 65_536 % bound


@pytest.mark.exhaustive
@pytest.mark.clause("NJC-20", "MAC-7", "MDC-11", "DCP-7")
@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 16, 51, 52, 53])
def test_each_place_of_a_deck_takes_each_card_that_is_left_equally_often(size: int) -> None:
    for left in range(size, 1, -1):
        before = bytes(neutral(each) for each in range(size, left, -1))
        found: Counter[int | None] = Counter()
        for byte in BYTES:
            cards, took = arranged(size, before + bytes([byte]), left - 1)
            accepted = took == max(left - 2, 0)
            chosen = cards[left - 1]
            if accepted:
                moved = list(range(size))
                moved[left - 1], moved[chosen] = moved[chosen], moved[left - 1]
                assert list(cards) == moved
            found[chosen if accepted else None] += 1
        assert found.pop(None, 0) == 256 % left
        assert found == dict.fromkeys(range(left), 256 // left)


@pytest.mark.exhaustive
@pytest.mark.clause("NJC-20", "MAC-7", "MDC-11", "DCP-7")
@pytest.mark.parametrize("size", range(2, 8))
def test_every_order_of_a_small_deck_is_equally_likely(size: int) -> None:
    """Every byte after every state that the bytes before it can lead to; equal states are followed once."""
    ways: dict[tuple[int, ...], int] = {tuple(range(size)): 1}
    bytes_to = {tuple(range(size)): b""}
    for left in range(size, 1, -1):
        next_ways: Counter[tuple[int, ...]] = Counter()
        next_bytes: dict[tuple[int, ...], bytes] = {}
        for state, number in ways.items():
            rejected = 0
            for byte in BYTES:
                taken = bytes_to[state] + bytes([byte])
                cards, took = arranged(size, taken, left - 1)
                if took == left - 2:
                    next_ways[cards] += number
                    next_bytes[cards] = taken
                else:
                    rejected += 1
            assert rejected == 256 % left
        ways, bytes_to = next_ways, next_bytes
    assert len(ways) == factorial(size)
    assert set(ways.values()) == {prod(256 // left for left in range(2, size + 1))}


@pytest.mark.parametrize("weights", [[1], [1, 1], [3, 0, 1], [20, 10, 5, 2, 1, 1], [1] * 7, [0, 255, 1]])
def test_a_weight_is_drawn_as_often_as_it_says(weights: list[int]) -> None:
    total = sum(weights)
    accepted = range(256 - 256 % total)
    found = Counter(draw_weighted(weights, iter([byte])) for byte in accepted)
    assert found == {index: weight * (256 // total) for index, weight in enumerate(weights) if weight}


def test_weights_beyond_a_byte_are_drawn_as_often_as_they_say() -> None:
    weights = [900, 75, 20, 4, 1]
    accepted = range(65_536 - 65_536 % 1000)
    found = Counter(draw_weighted(weights, iter(number.to_bytes(2, "big"))) for number in accepted)
    assert found == {index: weight * 65 for index, weight in enumerate(weights)}
