"""The shuffle matches its description for every seed, and depends on the seed only."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from crossfelt.cards import deck_of, format_cards, standard_deck
from crossfelt.cards.shuffle import (
    BLOCK_BYTES,
    SEED_BYTES,
    Chance,
    draw_below,
    fresh_seed,
    fresh_seeds,
    read_seed,
    repeatable_seed,
    shuffled,
)
from crossfelt.errors import BadInput
from properties import given, st

seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def described_bytes(label: str, seed: bytes) -> Iterator[int]:
    """The stream of a label, written again from its description."""
    block = 0
    while True:
        text = label.encode("utf-8")
        message = b"crossfelt chance 1" + bytes([len(text) // 256, len(text) % 256]) + text + seed
        message += bytes(block // 256**power % 256 for power in range(7, -1, -1))
        yield from hashlib.shake_256(message).digest(136)
        block += 1


def described_shuffle(size: int, seed: bytes) -> list[int]:
    source = described_bytes(f"shuffle/{size}", seed)
    cards = list(range(size))
    for place in reversed(range(1, size)):
        byte = next(source)
        while byte // (place + 1) == 256 // (place + 1):
            byte = next(source)
        other = byte % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


@given(seeds, st.integers(2, 53))
def test_a_shuffle_matches_its_description(seed: bytes, size: int) -> None:
    assert list(shuffled(range(size), seed)) == described_shuffle(size, seed)


@given(seeds, st.text(max_size=40))
def test_a_stream_matches_its_description(seed: bytes, label: str) -> None:
    source = described_bytes(label, seed)
    wanted = bytes(next(source) for _ in range(3 * BLOCK_BYTES))
    assert Chance(seed, label).take(3 * BLOCK_BYTES) == wanted


@pytest.mark.parametrize(
    ("size", "cards"),
    [
        (
            52,
            (
                "Kc 9d 5h Kd Th Ts 5d 8d 7h 9s 7d Qh Ad 4h Jh 6c 3c Qd 2h 7s 9h 6s 6h Js 5c 3s "
                "9c 5s 2c Ks 8h 8s 7c 2d Kh 4s As 3d Td 3h Tc 6d Jd Ah 8c Ac Qs 4c Qc Jc 2s 4d"
            ),
        ),
        (
            53,
            (
                "Qh 8h Ts 4d 9s 4c 6h Qd 5c 7d 8c 3c 5h 9h Jh 8s Ac 2c 3d 2d Td Th Jd 7s Kc Tc "
                "Jc 2s 4h 5s Qc Qs 5d 6c Kd Js 6s 6d 9c Ad 7c 3s As Ah Kh 8d Ks 2h 9d 7h 4s Jk 3h"
            ),
        ),
    ],
)
def test_a_seed_gives_the_same_order_for_ever(size: int, cards: str) -> None:
    assert format_cards(shuffled(deck_of(size), repeatable_seed(7))) == cards


@pytest.mark.clause("NJC-20", "MAC-7", "MDC-11", "DCP-7")
@given(seeds, st.sampled_from([52, 53]))
def test_a_shuffled_deck_is_one_stack_that_holds_each_card_once(seed: bytes, size: int) -> None:
    stack = shuffled(deck_of(size), seed)
    assert len(stack) == size
    assert sorted(stack) == sorted(deck_of(size))


@given(seeds, st.lists(st.integers(0, 5), max_size=600))
def test_any_sequence_can_be_shuffled(seed: bytes, items: list[int]) -> None:
    assert Counter(shuffled(items, seed)) == Counter(items)
    assert Chance(seed, f"shuffle/{len(items)}").shuffled(items) == shuffled(items, seed)


def test_each_bit_of_the_seed_changes_the_order() -> None:
    seed = int.from_bytes(repeatable_seed(7), "big")
    neighbours = [(seed ^ 1 << bit).to_bytes(SEED_BYTES, "big") for bit in range(8 * SEED_BYTES)]
    orders = {shuffled(standard_deck(), each) for each in [seed.to_bytes(SEED_BYTES, "big"), *neighbours]}
    assert len(orders) == 8 * SEED_BYTES + 1


def test_labels_have_streams_of_their_own() -> None:
    labels = ["", "c", "cu", "cut", "cut/1", "cut/10", "shuffle/52", "shuffle/53", "wheel", "dice"]
    starts = {Chance(repeatable_seed(7), label).take(16) for label in labels}
    assert len(starts) == len(labels)


def test_nothing_but_the_seed_decides() -> None:
    random.seed(1)
    first = shuffled(standard_deck(), repeatable_seed(7))
    state = random.getstate()
    random.seed(2)
    assert shuffled(standard_deck(), repeatable_seed(7)) == first
    random.seed(1)
    assert random.getstate() == state


def test_shuffling_imports_no_numpy() -> None:
    check = "import sys, crossfelt.cards.shuffle, crossfelt.cards.shuffle; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_fresh_seeds_have_384_bits_and_differ() -> None:
    made = {fresh_seed() for _ in range(1000)}
    many = fresh_seeds(1000)
    made |= {many[at : at + SEED_BYTES] for at in range(0, len(many), SEED_BYTES)}
    assert len(made) == 2000
    assert {8 * len(seed) for seed in made} == {384}


@pytest.mark.parametrize("size", [0, 1, 47, 49])
def test_a_seed_of_another_size_is_refused_without_being_shown(size: int) -> None:
    seed = bytes(range(65, 65 + size))
    with pytest.raises(BadInput, match=f"wrong size of a seed: {size} \\(allowed: 48 bytes\\)") as refused:
        shuffled(standard_deck(), seed)
    assert size < 2 or seed.decode("latin1")[:2] not in str(refused.value)


def test_a_seed_can_be_typed() -> None:
    digits = "0123456789abcdef" * 6
    assert read_seed(digits) == read_seed(digits.upper()) == bytes.fromhex(digits)
    assert read_seed("12") == repeatable_seed(12) != repeatable_seed(1)
    for wrong in ("", "-1", "1.5", digits[:-1], digits + "0", " 7", "٧"):
        with pytest.raises(BadInput, match="--seed: not a seed"):
            read_seed(wrong, where="--seed")


def test_numbers_between_two_include_both() -> None:
    chance = Chance(repeatable_seed(7), "dice")
    assert {chance.between(1, 6) for _ in range(500)} == {1, 2, 3, 4, 5, 6}
    assert chance.between(3, 3) == 3
    with pytest.raises(BadInput, match="no number lies between these bounds: '4 … 3'"):
        chance.between(4, 3)


@pytest.mark.parametrize("bound", [0, -1, -256])
def test_there_is_no_number_below(bound: int) -> None:
    with pytest.raises(BadInput, match="no number lies below this"):
        Chance(repeatable_seed(7), "x").below(bound)


@given(seeds, st.integers(1, 2**80))
def test_a_number_is_below_any_bound(seed: bytes, bound: int) -> None:
    assert 0 <= Chance(seed, "large").below(bound) < bound


@pytest.mark.parametrize("bound", [52, 300])
def test_a_source_that_ends_is_an_error_and_not_a_number(bound: int) -> None:
    with pytest.raises(EOFError):
        draw_below(bound, iter([255]))


def test_all_wrong_weights_are_reported() -> None:
    with pytest.raises(BadInput) as refused:
        Chance(repeatable_seed(7), "wheel").weighted([1, -1, 2, 0.5])  # type: ignore[list-item]
    assert [problem.where for problem in refused.value.problems] == ["weights[1]", "weights[3]"]
    for nothing in ([], [0, 0]):
        with pytest.raises(BadInput, match="every weight is 0"):
            Chance(repeatable_seed(7), "wheel").weighted(nothing)
