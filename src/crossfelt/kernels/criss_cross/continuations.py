"""Continuations of every position of Criss Cross Poker over the middle card, independent of pay tables.

A position is two hole cards, two across and two down. Its prospect is the number of remaining cards that make each two
hands, across and down, where hands that every pay table treats alike are one group. Seven million positions have about
fifteen thousand different prospects; a solver evaluates these, and then only sums.

**A typed deck.** Both lines hold the player's cards. Unless these are suited no flush is possible, and the other cards
differ by rank alone: 13 types. With suited cards a card is also of that suit or not: 24 types. Two cards of a line are
therefore one of 91 or 289 pairs of types, and each pair represents a number of real ones.

**Numbering.** A position is identified by a sum of random words, one for each middle card that is left. Each position
is then checked: equal sums must mean equal prospects, or else new words are drawn.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import permutations
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.hands.starting_hands import STARTING_HANDS, StartingHand
from crossfelt.hands.strength import PAIRS, TRIPLES, grid
from crossfelt.kernels.array_cache import cached_arrays
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads

RANKS: Final = 13
SUITS: Final = 4
FULL_DECK: Final = tuple(range(RANKS))
NO_POSITION: Final = np.uint32(0xFFFF_FFFF)
_ATTEMPTS: Final = 16

Counts = NDArray[np.int64]
Ids = NDArray[np.uint32]
Bytes = NDArray[np.uint8]


class Continuations(NamedTuple):
    """Positions in aggregate.

    A row is a starting hand and a pair of types across; rows of one kind lead to the same prospects in the same
    numbers of ways. An entry is a prospect within a kind.
    """

    hole_ways: Counts
    """Number of deals of each starting hand."""
    row_start: Counts
    """Start of the rows of each starting hand, with one more at the end."""
    row_ways: Counts
    """Number of deals of the two across cards of a row, given the hole cards."""
    row_kind: Counts
    entry_start: Counts
    """Start of the entries of each kind of row, with one more at the end."""
    entry_prospect: NDArray[np.intp]
    entry_ways: Counts
    """Number of deals of the down cards that make it, given the others."""
    outcome_start: Counts
    """Start of the outcomes of each prospect, with one more at the end."""
    outcome_groups: NDArray[np.intp]
    """Two groups as one number: across times the number of groups, plus down."""
    outcome_cards: Counts
    """Number of middle cards that make them."""


class CardTypes(NamedTuple):
    """The types of cards beside one starting hand."""

    rank: Counts
    in_suit: NDArray[np.bool_]
    left: Counts
    """Number of cards of each type."""
    pairs: Counts
    """Two types of each pair, the lower first."""


class Positions(NamedTuple):
    """The prospect of every single position."""

    start: Counts
    """Start of the positions of each starting hand, by the pair across and then down, with one more at the end."""
    prospect: Ids
    """Prospect of each position; `NO_POSITION` if it cannot be dealt."""


class Grouping(msgspec.Struct, frozen=True, kw_only=True):
    """The distinguished hands."""

    group_of_class: bytes
    """Group of each of the 7,462 classes of hands; better hands are in higher groups."""
    ace_low_straight: bool = True
    ranks: tuple[int, ...] = FULL_DECK
    """Ranks of the deck; tests use fewer."""

    @property
    def groups(self) -> int:
        return max(self.group_of_class) + 1


@lru_cache(maxsize=4)
def continuations(of: Grouping) -> Continuations:
    """Return the prospects of all positions, cached on disk beside the compiled kernels."""
    found = Continuations(*cached_arrays(("prospects", of), lambda: _made(of)[: len(Continuations._fields)]))
    # Narrow on disk; in memory as wide as the indices and factors they serve, so that sums do not convert them.
    return found._replace(
        entry_prospect=found.entry_prospect.astype(np.intp),
        entry_ways=found.entry_ways.astype(np.int64),
        outcome_groups=found.outcome_groups.astype(np.intp),
    )


@lru_cache(maxsize=4)
def positions(of: Grouping) -> Positions:
    """Return the prospect of each position, numbered as in `continuations`."""
    return Positions(*cached_arrays(("positions", of), lambda: _made(of)[len(Continuations._fields) :]))


@lru_cache(maxsize=len(STARTING_HANDS))
def layout(hand: StartingHand, ranks: tuple[int, ...] = FULL_DECK) -> CardTypes:
    """Return the types beside a starting hand: cards of other suits by rank, then those of its one suit.

    >>> [len(layout(hand).pairs) for hand in STARTING_HANDS[:2]]
    [91, 289]
    """
    held = [hand.high, hand.low]
    all_ranks = range(RANKS)
    in_suit = [rank for rank in all_ranks if rank not in held] if hand.suited else []
    left = [(SUITS - 1 if hand.suited else SUITS - held.count(rank)) * (rank in ranks) for rank in all_ranks]
    left += [int(rank in ranks) for rank in in_suit]
    types = len(left)
    pairs = [(one, two) for one in range(types) for two in range(one, types) if one < two or one < RANKS]
    return CardTypes(
        rank=np.array([*all_ranks, *in_suit], dtype=np.int64),
        in_suit=np.arange(types) >= RANKS,
        left=np.array(left, dtype=np.int64),
        pairs=np.array(pairs, dtype=np.int64),
    )


# --- building -------------------------------------------------------------------------------------------------------


class _Numbered(NamedTuple):
    """The positions of one starting hand, with prospects numbered within it."""

    ids: Ids
    sums: NDArray[np.uint64]
    """Sum of random words of each prospect."""
    cards: Bytes
    """Number of middle cards by two groups, by prospect."""
    holds: bool
    """True if all positions of one number have the same prospect."""


@lru_cache(maxsize=1)
def _made(of: Grouping) -> tuple[NDArray[Any], ...]:
    """Compute prospects and positions together."""
    lines = line_groups(of)
    for seed in range(_ATTEMPTS):
        words = np.random.default_rng(seed).integers(0, 1 << 64, size=of.groups**2, dtype=np.uint64)
        numbered = in_threads(partial(_numbered, of, lines, words), len(STARTING_HANDS))
        if all(one.holds for one in numbered):
            return _put_together(of, numbered)
    raise RuntimeError(f"{_ATTEMPTS} sets of random words in a row did not tell positions apart")


@lru_cache(maxsize=4)
def line_groups(of: Grouping) -> Bytes:
    """Return the group of five ranks, by suitedness and by the ranks in any order."""
    group_of_class = np.frombuffer(of.group_of_class, dtype=np.uint8)
    triples = np.zeros((RANKS, RANKS, RANKS), dtype=np.int64)
    for row, three in enumerate(TRIPLES):
        for x, y, z in permutations(three):
            triples[x, y, z] = row
    pairs = np.zeros((RANKS, RANKS), dtype=np.int64)
    for column, two in enumerate(PAIRS):
        for x, y in permutations(two):
            pairs[x, y] = column
    tables = []
    for one_suit in (False, True):
        classes = np.array(grid(one_suit=one_suit, ace_low_straight=of.ace_low_straight))
        # Positions that cannot be dealt are never looked up, because no card of that type is left.
        table = np.where(classes >= 0, group_of_class[classes], 0)
        tables.append(table[triples[..., None, None], pairs])
    return np.array(tables, dtype=np.uint8)


def line_profile(hand: StartingHand, types: CardTypes, lines: Bytes) -> Bytes:
    """Return the group that each type of middle card makes with the hole cards and each pair of types."""
    one, two = types.pairs[:, 0, None], types.pairs[:, 1, None]
    flush = types.in_suit[one] & types.in_suit[two] & types.in_suit
    profile = lines[flush.astype(np.int64), hand.high, hand.low, types.rank[one], types.rank[two], types.rank]
    return np.ascontiguousarray(profile)


def _numbered(of: Grouping, lines: Bytes, words: NDArray[np.uint64], place: int) -> _Numbered:
    """Number the positions of a starting hand, and check that different prospects have different sums."""
    hand = STARTING_HANDS[place]
    types = layout(hand, of.ranks)
    profile = line_profile(hand, types, lines)
    size = len(types.pairs)
    ids = np.full((size, size), NO_POSITION, dtype=np.uint32)
    examples = np.zeros((size * size, 2), dtype=np.int64)
    sums = np.zeros(size * size, dtype=np.uint64)
    slots = np.full(1 << (2 * size * size).bit_length(), NO_POSITION, dtype=np.uint32)
    found = 0
    if _dealt(hand, of):
        found = _number(types.left, types.pairs, profile, of.groups, words, slots, ids, sums, examples)
    cards = np.zeros((found, of.groups**2), dtype=np.uint8)
    holds = _check(types.left, types.pairs, profile, of.groups, examples[:found], ids, cards)
    return _Numbered(ids, sums[:found].copy(), cards, holds)


def _dealt(hand: StartingHand, of: Grouping) -> bool:
    return hand.high in of.ranks and hand.low in of.ranks


class _Rows(NamedTuple):
    """The rows of one starting hand."""

    ways: Counts
    entries: Counts
    prospect: Ids
    prospect_ways: NDArray[np.int16]
    positions: Ids


def _put_together(of: Grouping, numbered: list[_Numbered]) -> tuple[NDArray[Any], ...]:
    """Number prospects alike in all starting hands, and sum the positions of each row."""
    sums = np.concatenate([one.sums for one in numbered])
    _, first, number = np.unique(sums, return_index=True, return_inverse=True)
    cards = np.concatenate([one.cards for one in numbered])
    if not np.array_equal(cards[first][number], cards):
        raise RuntimeError("random words did not tell the prospects of two starting hands apart")
    ends = np.cumsum([len(one.sums) for one in numbered])
    names = np.split(number.astype(np.uint32), ends[:-1])
    parts = in_threads(
        lambda place: _rows(layout(STARTING_HANDS[place], of.ranks), numbered[place].ids, names[place]),
        len(STARTING_HANDS),
    )
    prospect, groups = np.nonzero(cards[first])
    return (
        np.array([hand.ways * _dealt(hand, of) for hand in STARTING_HANDS], dtype=np.int64),
        _starts([len(part.ways) for part in parts]),
        np.concatenate([part.ways for part in parts]),
        *_kinds(parts),
        _starts(np.bincount(prospect, minlength=len(first))),
        groups.astype(np.int32),
        cards[first][prospect, groups].astype(np.int64),
        _starts([part.positions.size for part in parts]),
        np.concatenate([part.positions for part in parts]),
    )


def _kinds(parts: list[_Rows]) -> tuple[Counts, Counts, Ids, NDArray[np.int16]]:
    """Return the kind of each row, and the start of the entries of each kind, their prospects and ways."""
    kinds: dict[tuple[bytes, bytes], int] = {}
    row_kind = []
    for part in parts:
        ends = np.cumsum(part.entries).tolist()
        for start, end in zip([0, *ends], ends, strict=False):
            order = start + np.argsort(part.prospect[start:end])
            entries = (part.prospect[order].tobytes(), part.prospect_ways[order].tobytes())
            row_kind.append(kinds.setdefault(entries, len(kinds)))
    prospect, ways = (b"".join(entries) for entries in zip(*kinds, strict=True))
    sizes = [len(entries[1]) // np.dtype(np.int16).itemsize for entries in kinds]
    return (
        np.array(row_kind, dtype=np.int64),
        _starts(sizes),
        np.frombuffer(prospect, dtype=np.uint32),
        np.frombuffer(ways, dtype=np.int16),
    )


def _rows(types: CardTypes, ids: Ids, names: Ids) -> _Rows:
    """Return the rows of a starting hand, with the common numbers of prospects."""
    size = len(types.pairs)
    row_ways, entries = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    prospect, ways = np.zeros(size * size, dtype=np.uint32), np.zeros(size * size, dtype=np.int16)
    total = _add_up(types.left, types.pairs, ids, len(names), row_ways, entries, prospect, ways)
    with_none = np.append(names, NO_POSITION)
    every = with_none[np.minimum(ids, len(names))].reshape(-1)
    return _Rows(row_ways, entries, with_none[prospect[:total]], ways[:total], every)


def _starts(sizes: list[int] | NDArray[np.int64]) -> Counts:
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


@part_of_kernel
def pair_ways(left: Counts, one: int, two: int) -> np.int64:
    """Return the number of ways to deal two cards of these types."""
    ways: np.int64 = left[one] * (left[one] - 1) // 2 if one == two else left[one] * left[two]
    return ways


@Kernel
def _number(
    left: Counts,
    pairs: Counts,
    profile: Bytes,
    groups: int,
    words: NDArray[np.uint64],
    slots: Ids,
    ids: Ids,
    sums: NDArray[np.uint64],
    examples: Counts,
) -> int:
    """Number the positions by the sum of their words in the order of appearance; return the count."""
    mask = np.uint64(slots.size - 1)
    found = 0
    rest = left.copy()
    for across in range(pairs.shape[0]):
        if pair_ways(rest, pairs[across, 0], pairs[across, 1]) <= 0:
            continue
        for place in range(2):
            rest[pairs[across, place]] -= 1
        for down in range(pairs.shape[0]):
            one, two = pairs[down, 0], pairs[down, 1]
            if pair_ways(rest, one, two) <= 0:
                continue
            total = np.uint64(0)
            for middle in range(left.size):
                word = words[groups * profile[across, middle] + profile[down, middle]]
                total += np.uint64(rest[middle]) * word
            total -= words[groups * profile[across, one] + profile[down, one]]
            total -= words[groups * profile[across, two] + profile[down, two]]
            slot = (total ^ total >> np.uint64(32)) & mask
            while slots[slot] != NO_POSITION and sums[slots[slot]] != total:
                slot = (slot + np.uint64(1)) & mask
            if slots[slot] == NO_POSITION:
                slots[slot] = found
                sums[found] = total
                examples[found, 0], examples[found, 1] = across, down
                found += 1
            ids[across, down] = slots[slot]
        for place in range(2):
            rest[pairs[across, place]] += 1
    return found


@Kernel
def _check(left: Counts, pairs: Counts, profile: Bytes, groups: int, examples: Counts, ids: Ids, cards: Bytes) -> bool:
    """Fill the outcomes of each prospect from its first position, and check all positions of that number."""
    rest = left.copy()
    seen = np.zeros(groups * groups, dtype=np.int64)
    for number in range(examples.shape[0]):
        across, down = examples[number, 0], examples[number, 1]
        _take(rest, pairs, across, down, -1)
        for middle in range(left.size):
            cards[number, groups * profile[across, middle] + profile[down, middle]] += rest[middle]
        _take(rest, pairs, across, down, 1)
    same = True
    for across in range(ids.shape[0]):
        for down in range(ids.shape[1]):
            number = ids[across, down]
            if number == NO_POSITION:
                continue
            _take(rest, pairs, across, down, -1)
            for middle in range(left.size):
                seen[groups * profile[across, middle] + profile[down, middle]] += rest[middle]
            # Every position has the same number of cards left, so if all seen outcomes agree none is missing.
            for middle in range(left.size):
                both = groups * profile[across, middle] + profile[down, middle]
                same &= seen[both] == cards[number, both]
            for middle in range(left.size):
                seen[groups * profile[across, middle] + profile[down, middle]] = 0
            _take(rest, pairs, across, down, 1)
    return same


@part_of_kernel
def _take(rest: Counts, pairs: Counts, across: int, down: int, change: int) -> None:
    """Take the four cards of a position from the deck, or put them back."""
    for place in range(2):
        rest[pairs[across, place]] += change
        rest[pairs[down, place]] += change


@Kernel
def _add_up(
    left: Counts,
    pairs: Counts,
    ids: Ids,
    numbers: int,
    row_ways: Counts,
    entries: Counts,
    prospect: Ids,
    ways: NDArray[np.int16],
) -> int:
    """Write the prospects of each row, each once with the ways of all its down cards; return the count."""
    total = 0
    rest = left.copy()
    at = np.zeros(numbers, dtype=np.int64)
    for across in range(pairs.shape[0]):
        start = total
        row_ways[across] = pair_ways(rest, pairs[across, 0], pairs[across, 1])
        for place in range(2):
            rest[pairs[across, place]] -= 1
        for down in range(pairs.shape[0]):
            number = ids[across, down]
            if number == NO_POSITION:
                continue
            # A place before this row belongs to an earlier one.
            if at[number] < start or at[number] >= total or prospect[at[number]] != number:
                at[number] = total
                prospect[total] = number
                ways[total] = 0
                total += 1
            ways[at[number]] += pair_ways(rest, pairs[down, 0], pairs[down, 1])
        for place in range(2):
            rest[pairs[across, place]] += 1
        entries[across] = total - start
    return total
