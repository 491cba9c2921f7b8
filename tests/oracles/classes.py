"""Hands up to a permutation of suits, each with the number of hands it represents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb, prod

FACES = "23456789TJQKA"
SUITS = "shdc"


def suit_classes(size: int) -> Iterator[tuple[list[str], int]]:
    """One hand of `size` cards for each class of hands that differ only in which suit is which.

    Suits that have received the same cards so far are interchangeable: they form a block, and of each block
    only the number of suits that receive the next rank matters.

    >>> sum(1 for _ in suit_classes(2)), sum(weight for _, weight in suit_classes(2))
    (169, 1326)
    """
    return _deal(size, FACES, [SUITS])


def _deal(size: int, faces: str, blocks: list[str]) -> Iterator[tuple[list[str], int]]:
    if size == 0:
        yield [], 1
        return
    if not faces:
        return
    for takes in product(*(range(len(block) + 1) for block in blocks)):
        if sum(takes) > size:
            continue
        taken = [block[:take] for block, take in zip(blocks, takes, strict=True)]
        left = [block[take:] for block, take in zip(blocks, takes, strict=True)]
        ways = prod(comb(len(block), take) for block, take in zip(blocks, takes, strict=True))
        cards = [faces[0] + suit for block in taken for suit in block]
        for rest, weight in _deal(size - sum(takes), faces[1:], [block for block in taken + left if block]):
            yield cards + rest, ways * weight


def rank_patterns(size: int, faces: int = 13) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of cards of each rank in `size` cards.

    >>> sum(1 for _ in rank_patterns(5))
    6175
    """
    if faces == 0:
        if size == 0:
            yield ()
        return
    for copies in range(min(4, size) + 1):
        for rest in rank_patterns(size - copies, faces - 1):
            yield copies, *rest


def flush_classes(size: int, least: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...] | None, int]]:
    """Rank patterns, split by the ranks of the suit with at least `least` cards, and the number of hands.

    The ranks are None for the hands in which no suit does. Two suits cannot: `least` is over half of `size`.

    >>> sum(weight for _, _, weight in flush_classes(5, 5)) == comb(52, 5)
    True
    """
    assert 2 * least > size
    for pattern in rank_patterns(size):
        held = [rank for rank, copies in enumerate(pattern) if copies]
        unsuited = prod(comb(4, copies) for copies in pattern)
        for count in range(least, len(held) + 1):
            for suited in combinations(held, count):
                weight = 4 * prod(comb(3, pattern[rank] - (rank in suited)) for rank in held)
                if weight:
                    unsuited -= weight
                    yield pattern, suited, weight
        if unsuited:
            yield pattern, None, unsuited


def hand_of(pattern: Sequence[int], suited: Sequence[int] | None) -> list[str]:
    """A hand of a class given by `flush_classes`."""
    load = dict.fromkeys(SUITS, 0)
    cards = [FACES[rank] + "s" for rank in suited or ()]
    for rank, copies in enumerate(pattern):
        left = copies - (suited is not None and rank in suited)
        free = [suit for suit in SUITS if suited is None or suit != "s"]
        # Always the suits with the fewest cards, so that no second flush can arise.
        for suit in sorted(free, key=load.__getitem__)[:left]:
            load[suit] += 1
            cards.append(FACES[rank] + suit)
    return cards
