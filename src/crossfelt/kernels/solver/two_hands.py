"""All pairs of hands of two players who set seven cards each, from one deck, counted without dealing one.

For each setting of the player's hand the dealer's hands below it are counted in two parts:

- by ranks: every dealer's hand is taken at the setting of its ranks alone. Cards that both hands hold are removed by
  inclusion and exclusion over the sets of ranks that they may share;
- by flushes: for each suit, hands with a flush in it are moved from the setting of their ranks to their own. The
  player's cards of that suit are left out, the others are removed by inclusion and exclusion.

Both parts use one table at a time, of the dealer's hands below each pair of strengths. The sums of the four suits meet
at the 6,972,147 hands that differ by more than a permutation of suits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.house_way.decide import CARDS, JOKER, RANKS, advance
from crossfelt.kernels.jit import Kernel, part_of_kernel
from crossfelt.kernels.solver.card_sets import choose_table
from crossfelt.kernels.solver.hand_shapes import (
    FLUSH,
    FULL,
    LOW_BITS,
    LOW_MASK,
    LOWS,
    MOST_SETTINGS,
    NO_HAND,
    SUITS,
    WITHOUT_FLUSH,
    Deck,
    Indices,
    Numbers,
    Settings,
    Shapes,
    shapes_of_hands,
)
from crossfelt.kernels.solver.hand_tables import in_mask
from crossfelt.kernels.threads import in_threads

_TYPES: Final = RANKS + 1
"""The ranks, and the joker."""
_MOST_BY_RANKS: Final = comb(_TYPES + 6, 7)
_MOST_BY_FLUSH: Final = 1 << 19
_RANK_SHARES: Final = 4
"""Few, because each has sums of its own."""
_SHARES: Final = 64


class PairCounts(NamedTuple):
    """Pairs of hands by the player's way, and last with the best setting of each hand."""

    both: tuple[int, ...]
    """Pairs in which the player wins both hands."""
    single: tuple[int, ...]
    """Pairs in which the player wins the high hand, plus those in which the player wins the low hand."""
    improved: tuple[int, ...]
    """Player's hands for which the best setting is worth more."""
    classes: int
    """Player's hands that differ by more than a permutation of suits."""
    hands: int
    """All player's hands."""
    steps: tuple[int, int]
    """The steps that were counted, and all."""
    uncounted: int
    """Pairs whose result may be another, because the count was interrupted."""


def count_pairs(
    dealer: Indices,
    settings: Settings,
    highs: int,
    worth: tuple[int, int],
    *,
    ties: bool = False,
    deck: Deck = FULL,
    done: Callable[[int, int], None] = lambda done, total: None,
) -> PairCounts:
    """Count all pairs of a player's and a dealer's hand from one deck.

    `dealer` is the code of each shape as the dealer sets it, or `NO_HAND` for one to leave out. `worth` is the value of
    a pair with both hands won, and of a hand won, by which the best setting is chosen. With `ties` an equal hand is
    won too.

    Ctrl-C ends the count by flushes early. The pairs that it left out were counted at the ranks of the dealer's hand.
    """
    asked = _Asked(shapes_of_hands(), dealer, settings.firsts, settings.codes, int(ties), highs)
    steps = _RANK_SHARES + (deck[-1] + 1) * _SHARES
    finished = iter(range(1, steps + 1))

    def by_ranks(share: int) -> Indices:
        sums = np.zeros((len(settings.codes), 2), dtype=np.int32)
        sets = _shared_ranks(deck)[share::_RANK_SHARES]
        _sum_by_ranks(sets, np.array(deck), choose_table(), *_shapes_by_ranks(), asked, sums)
        done(next(finished), steps)
        return sums

    rank_sums: Indices = np.sum(in_threads(by_ranks, _RANK_SHARES), axis=0, dtype=np.int32)
    keys, size = _first_sums(asked)
    flush_sums = np.zeros((size, 2), dtype=np.int32)
    shares = [(_held_ranks(deck)[share::_SHARES], joker) for share in range(_SHARES) for joker in range(deck[-1] + 1)]
    left = dict(enumerate(shares))

    def by_flushes(share: int) -> None:
        _sum_by_flushes(*shares[share], np.array(deck), _beside_flush(deck), asked, keys, flush_sums)
        del left[share]
        done(next(finished), steps)

    with suppress(KeyboardInterrupt):
        in_threads(by_flushes, len(shares))

    def hands(share: int) -> Numbers:
        totals = np.zeros((len(settings.chosen) + 2, 3), dtype=np.int64)
        numbers = np.arange(share, WITHOUT_FLUSH, _SHARES)
        _sum_hands(numbers, *_suit_ways(), asked, settings.chosen, rank_sums, flush_sums, keys, np.array(worth), totals)
        return totals

    totals = np.sum(in_threads(hands, _SHARES), axis=0)
    both, single, improved = (tuple(column.tolist()) for column in totals[:-1].T)
    return PairCounts(
        both,
        single,
        improved,
        classes=int(totals[-1, 0]),
        hands=int(totals[-1, 1]),
        steps=(steps - len(left), steps),
        uncounted=sum(_flush_pairs(held, joker, deck) for held, joker in left.values()),
    )


class _Asked(NamedTuple):
    """The question: a dealer's setting of each shape, and the settings of the player."""

    shapes: Shapes
    dealer: Indices
    firsts: Indices
    codes: Indices
    ties: int
    highs: int


# --- the dealer's hands below each pair of strengths ---


class _Table(NamedTuple):
    """The number of dealer's hands below a high strength, which has a row, and a low strength."""

    rows: Indices
    below: Indices


@part_of_kernel
def _new_table(asked: _Asked) -> _Table:
    rows = np.zeros(asked.highs + 2, dtype=np.int32)
    return _Table(rows, np.zeros((asked.highs + 1, LOWS + 1), dtype=np.int32))


@part_of_kernel
def _tabulate(codes: Indices, weights: Indices, size: int, table: _Table) -> None:
    """Fill a table with weighted codes. Only high strengths that occur have rows of their own."""
    rows, below = table.rows, table.below
    rows[:] = 0
    for item in range(size):
        rows[(codes[item] >> LOW_BITS) + 1] = 1
    for high in range(1, rows.size):
        rows[high] += rows[high - 1]
    below[: rows[rows.size - 1] + 1] = 0
    for item in range(size):
        below[rows[(codes[item] >> LOW_BITS) + 1], (codes[item] & LOW_MASK) + 1] += weights[item]
    for row in range(1, rows[rows.size - 1] + 1):
        so_far = np.int32(0)
        for low in range(1, LOWS + 1):
            so_far += below[row, low]
            below[row, low] = so_far + below[row - 1, low]


@part_of_kernel
def _add(shape: int, times: int, asked: _Asked, table: _Table, sums: Indices, place: int) -> None:
    """Add to the sums of the settings of a shape, which begin at `place`."""
    last = table.rows[table.rows.size - 1]
    for setting in range(asked.firsts[shape], asked.firsts[shape + 1]):
        code = asked.codes[setting]
        row, low = table.rows[(code >> LOW_BITS) + asked.ties], (code & LOW_MASK) + asked.ties
        sums[place, 0] += times * table.below[row, low]
        sums[place, 1] += times * (table.below[row, LOWS] + table.below[last, low])
        place += 1


# --- by ranks ---


@cache
def _shared_ranks(deck: Deck) -> NDArray[np.int8]:
    """Return all sets of up to seven cards that two hands may share, as the number of each rank and of jokers."""
    sets = []
    for size in range(CARDS + 1):
        for held in combinations_with_replacement(range(_TYPES), size):
            counts = [held.count(rank) for rank in range(_TYPES)]
            if all(count <= most for count, most in zip(counts, deck, strict=True)):
                sets.append(counts)
    return np.array(sets, dtype=np.int8)


@cache
def _shapes_by_ranks() -> tuple[Indices, Indices]:
    """Return the shapes in the order of their ranks, and the first of each ranks."""
    shapes = shapes_of_hands()
    order = np.argsort(shapes.plain, kind="stable").astype(np.int32)
    order = order[shapes.hands[order] > 0]
    return order, np.searchsorted(shapes.plain[order], np.arange(WITHOUT_FLUSH + 1)).astype(np.int32)


@Kernel
def _sum_by_ranks(
    sets: NDArray[np.int8],
    deck: Numbers,
    choose: Numbers,
    by_ranks: Indices,
    by_ranks_first: Indices,
    asked: _Asked,
    sums: Indices,
) -> None:
    """Add the dealer's hands that contain each of these sets, to the settings of the hands that contain it."""
    table = _new_table(asked)
    numbers, times = np.empty(_MOST_BY_RANKS, dtype=np.int32), np.empty(_MOST_BY_RANKS, dtype=np.int32)
    codes, weights = np.empty(_MOST_BY_RANKS, dtype=np.int32), np.empty(_MOST_BY_RANKS, dtype=np.int32)
    counts, free = np.empty(_TYPES, dtype=np.int64), np.empty(CARDS, dtype=np.int64)
    for index in range(sets.shape[0]):
        shared = sets[index]
        others = free[: CARDS - shared.sum()]
        others[:] = 0
        found, items, more = 0, 0, True
        while more:
            counts[:] = 0
            for rank in others:
                counts[rank] += 1
            ways, subsets, number = _contained(shared, counts, deck, choose, asked.shapes.steps)
            if ways:
                numbers[found], times[found] = number, subsets if others.size % 2 else -subsets
                found += 1
                if asked.dealer[number] != NO_HAND:
                    codes[items], weights[items] = asked.dealer[number], ways
                    items += 1
            more = advance(others, RANKS)
        if items:
            _tabulate(codes, weights, items, table)
            for item in range(found):
                for place in range(by_ranks_first[numbers[item]], by_ranks_first[numbers[item] + 1]):
                    shape = by_ranks[place]
                    _add(shape, times[item], asked, table, sums, asked.firsts[shape])


@part_of_kernel
def _contained(
    shared: NDArray[np.int8], counts: Numbers, deck: Numbers, choose: Numbers, steps: Numbers
) -> tuple[int, int, int]:
    """Return the hands of a set of cards and `counts` others, the sets of their ranks in one hand, and its number."""
    ways, subsets, number, place = 1, 1, 0, 0
    for rank in range(_TYPES):
        held = counts[rank] + shared[rank]
        if held > deck[rank]:
            return 0, 0, 0
        ways *= choose[deck[rank] - shared[rank], counts[rank]]
        subsets *= choose[held, shared[rank]]
        for _ in range(held):
            number += steps[place, 4 * rank]
            place += 1
    return ways, subsets, number


# --- by flushes ---


def _first_sums(asked: _Asked) -> tuple[Numbers, int]:
    """Return the first sum of each shape and the number of all.

    A shape has a sum for each setting and each set of its ranks in a suit. One with a flush has them for the suit of
    the flush first, and then for each set of the ranks beside it in another suit.
    """
    sets = (1 << np.bitwise_count(asked.shapes.rest).astype(np.int64)) + (asked.shapes.flush > 0)
    ends = np.cumsum(sets * np.diff(asked.firsts))
    return np.append(0, ends[:-1]), int(ends[-1])


@cache
def _held_ranks(deck: Deck) -> Numbers:
    """Return all sets of ranks that a player may hold in a suit, as bits, the smallest first."""
    absent = sum(1 << rank for rank in range(RANKS) if not deck[rank])
    sets = [ranks for ranks in range(1 << RANKS) if ranks.bit_count() <= CARDS and not ranks & absent]
    return np.array(sorted(sets, key=int.bit_count), dtype=np.int64)


class _Beside(NamedTuple):
    """Cards beside a flush."""

    taken: Numbers
    """Two ranks that both hands may share, or -1 for none."""
    firsts: Numbers
    """First of the dealer's parts by row and number of cards."""
    parts: Numbers
    """The number of the ranks of up to two cards of the dealer, and the ways to hold them."""


@cache
def _beside_flush(deck: Deck) -> _Beside:
    """Return the cards beside a flush that both hands may share, and the dealer's cards that contain them."""
    ranks = [rank for rank in range(RANKS) if deck[rank]]
    sets = [held for size in range(3) for held in combinations_with_replacement(ranks, size)]
    firsts: list[list[int]] = []
    parts: list[tuple[int, int]] = []
    for shared in sets:
        row = [len(parts)]
        for size in range(3):
            for held in combinations_with_replacement(ranks, size):
                if all(held.count(rank) >= shared.count(rank) for rank in shared):
                    more = {rank: held.count(rank) - shared.count(rank) for rank in held}
                    ways = prod(comb(SUITS - 1 - shared.count(rank), count) for rank, count in more.items())
                    parts.append((sum(comb(rank + place, place + 1) for place, rank in enumerate(held)), ways))
            row.append(len(parts))
        firsts.append(row)
    return _Beside(np.array([(*shared, -1, -1)[:2] for shared in sets]), np.array(firsts), np.array(parts))


def _flush_pairs(sets: Numbers, joker: int, deck: Deck) -> int:
    """Return the pairs with a dealer's flush in a suit of which the player holds exactly one of these sets of ranks."""
    ranks, pairs = sum(map(bool, deck[:RANKS])), 0
    for size, number in Counter(map(int.bit_count, sets.tolist())).items():
        beside = CARDS - size - joker
        if beside >= 0:
            others = (SUITS - 1) * ranks
            pairs += (
                number
                * comb(others, beside)
                * sum(
                    comb(ranks - size, flush) * comb(others - beside, CARDS - theirs - flush)
                    for theirs in range(deck[RANKS] + 1 - joker)
                    for flush in range(FLUSH - theirs, CARDS - theirs + 1)
                )
            )
    return SUITS * pairs


class _Keys(NamedTuple):
    """Player's hands with the same ranks in a suit: shape, cards of other suits, and the place of their sums.

    Cards of other suits are numbers of four bits by rank.
    """

    shapes: Indices
    others: Numbers
    places: Numbers


@Kernel
def _sum_by_flushes(
    sets: Numbers, joker: int, deck: Numbers, beside: _Beside, asked: _Asked, first_sums: Numbers, sums: Indices
) -> None:
    """Add the dealer's hands with a flush in a suit of which the player holds exactly each of these sets of ranks."""
    taken, parts_first, parts = beside
    shapes, table = asked.shapes, _new_table(asked)
    keys = _Keys(
        np.empty(_MOST_BY_FLUSH, dtype=np.int32),
        np.empty(_MOST_BY_FLUSH, dtype=np.int64),
        np.empty(_MOST_BY_FLUSH, dtype=np.int64),
    )
    codes, weights = np.empty(_MOST_BY_FLUSH, dtype=np.int32), np.empty(_MOST_BY_FLUSH, dtype=np.int32)
    flushes, absent = np.empty((2 << RANKS, 2), dtype=np.int64), 0
    for rank in range(RANKS):
        absent |= 0 if deck[rank] else 1 << rank
    for held in sets:
        key_count = _list_keys(held, joker, asked, first_sums, keys)
        flush_count = 0
        for theirs in range(deck[RANKS] + 1 - joker):
            for flush in range(1 << RANKS):
                if shapes.starts[theirs, flush] >= 0 and not flush & (held | absent):
                    flushes[flush_count, 0] = shapes.starts[theirs, flush]
                    flushes[flush_count, 1] = CARDS - theirs - in_mask(flush)
                    flush_count += 1
        for row in range(taken.shape[0] if key_count else 0):
            items = 0
            for place in range(flush_count):
                size = flushes[place, 1]
                for part in range(parts_first[row, size], parts_first[row, size + 1]):
                    shape = flushes[place, 0] + parts[part, 0]
                    own, plain = asked.dealer[shape], asked.dealer[shapes.plain[shape]]
                    if own == plain:
                        continue
                    if own != NO_HAND:
                        codes[items], weights[items] = own, parts[part, 1]
                        items += 1
                    if plain != NO_HAND:
                        codes[items], weights[items] = plain, -parts[part, 1]
                        items += 1
            if items:
                _tabulate(codes, weights, items, table)
                for key in range(key_count):
                    times = _subsets(keys.others[key], taken[row, 0], taken[row, 1])
                    if times:
                        _add(keys.shapes[key], times, asked, table, sums, keys.places[key])


@part_of_kernel
def _subsets(others: int, one: int, two: int) -> int:
    """Return the ways to take cards of up to two ranks out of others, negative for one card."""
    if one < 0:
        return 1
    first = others >> 4 * one & 15
    if two < 0:
        return -first
    return first * (others >> 4 * two & 15) if one != two else first * (first - 1) // 2


@part_of_kernel
def _list_keys(held: int, joker: int, asked: _Asked, first_sums: Numbers, keys: _Keys) -> int:
    """List the player's hands with exactly these ranks in a suit; return their number."""
    starts, size = asked.shapes.starts, CARDS - joker - in_mask(held)
    if size < 0:
        return 0
    found, has_flush = 0, in_mask(held) >= FLUSH - joker
    ranks = np.zeros(size, dtype=np.int64)
    more = True
    while more:
        others, number, beside = _merge(held, joker, ranks, asked.shapes.steps)
        shape = starts[joker, held] + beside if has_flush else number
        if others >= 0 and asked.firsts[shape] < asked.firsts[shape + 1]:
            place = 0 if has_flush else _place_of_set(held, asked.shapes.rest[shape])
            found = _list_key(found, shape, others, place, asked, first_sums, keys)
        more = advance(ranks, RANKS - 1)
    # A flush in another suit leaves two cards at most.
    for flush in range(1 << RANKS if in_mask(held) <= 2 else 0):
        left = size - in_mask(flush)
        if starts[joker, flush] < 0 or left < 0:
            continue
        ranks = np.zeros(left, dtype=np.int64)
        more = True
        while more:
            others, beside, _ = _merge(held, 0, ranks, asked.shapes.steps)
            for rank in range(RANKS):
                others += (flush >> rank & 1) << 4 * rank
            shape = starts[joker, flush] + beside
            if asked.firsts[shape] < asked.firsts[shape + 1]:
                place = 1 + _place_of_set(held, asked.shapes.rest[shape])
                found = _list_key(found, shape, others, place, asked, first_sums, keys)
            more = advance(ranks, RANKS - 1)
    return found


@part_of_kernel
def _list_key(found: int, shape: int, others: int, place: int, asked: _Asked, first_sums: Numbers, keys: _Keys) -> int:
    keys.shapes[found], keys.others[found] = shape, others
    keys.places[found] = first_sums[shape] + place * (asked.firsts[shape + 1] - asked.firsts[shape])
    return found + 1


@part_of_kernel
def _merge(held: int, joker: int, ranks: Numbers, steps: Numbers) -> tuple[int, int, int]:
    """Return sorted ranks by the number of each, or -1 if there are too many of one; the number of these and the held
    ranks and the joker together; and the number of these ranks alone."""
    others, number, alone, place, index = 0, 0, 0, 0, 0
    for rank in range(RANKS):
        copies = 0
        while index < ranks.size and ranks[index] == rank:
            alone += steps[index, 4 * rank]
            index += 1
            copies += 1
        if copies >= SUITS:
            return -1, 0, 0
        others |= copies << 4 * rank
        for _ in range(copies + (held >> rank & 1)):
            number += steps[place, 4 * rank]
            place += 1
    return others, number + (steps[place, JOKER] if joker else 0), alone


@part_of_kernel
def _place_of_set(some: int, ranks: int) -> int:
    """Return the place of a set among all sets of some ranks: its bits moved together."""
    place, bit = 0, 1
    while ranks:
        lowest = ranks & -ranks
        if some & lowest:
            place |= bit
        bit <<= 1
        ranks ^= lowest
    return place


# --- all hands ---


@cache
def _suit_ways() -> tuple[Numbers, Numbers]:
    """Return the ways to suit different ranks up to a permutation of suits, and their range for some copies of each.

    A way has the ranks of each suit as bits, and the number of hands that it stands for. The copies of ranks are a
    number of three bits each.
    """
    ways: list[tuple[int, ...]] = []
    ranges = np.zeros((1 << 3 * CARDS, 2), dtype=np.int64)
    for cards in (CARDS - 1, CARDS):
        for copies in _compositions(cards):
            code = sum(count << 3 * place for place, count in enumerate(copies))
            first = len(ways)
            ways += _suited(copies, 0, (0,) * SUITS, (tuple(range(SUITS)),), 1)
            ranges[code] = first, len(ways)
    return np.array(ways, dtype=np.int64), ranges


def _compositions(cards: int) -> Iterator[tuple[int, ...]]:
    if not cards:
        yield ()
    for first in range(1, min(cards, SUITS) + 1):
        yield from ((first, *rest) for rest in _compositions(cards - first))


def _suited(
    copies: Sequence[int], place: int, held: tuple[int, ...], alike: tuple[tuple[int, ...], ...], hands: int
) -> Iterator[tuple[int, ...]]:
    """Yield the ways to suit the ranks from `place` on; suits of one group hold the same so far."""
    if place == len(copies):
        yield *held, hands
        return
    for taken in _taken(copies[place], [len(group) for group in alike]):
        now, groups, ways = list(held), [], hands
        for group, some in zip(alike, taken, strict=True):
            ways *= comb(len(group), some)
            groups += [part for part in (group[:some], group[some:]) if part]
            for suit in group[:some]:
                now[suit] |= 1 << place
        yield from _suited(copies, place + 1, tuple(now), tuple(groups), ways)


def _taken(cards: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to take cards from groups of these sizes."""
    if not sizes and not cards:
        yield ()
    for some in range(min(cards, sizes[0]) + 1) if sizes else ():
        yield from ((some, *rest) for rest in _taken(cards - some, sizes[1:]))


@Kernel
def _sum_hands(
    numbers: Numbers,
    ways: Numbers,
    ways_range: Numbers,
    asked: _Asked,
    chosen: Indices,
    rank_sums: Indices,
    flush_sums: Indices,
    first_sums: Numbers,
    worth: Numbers,
    totals: Numbers,
) -> None:
    """Add the hands of some ranks, for each way, the best setting, and at the end their number."""
    shapes, firsts = asked.shapes, asked.firsts
    ranks, places = np.empty(CARDS, dtype=np.int64), np.empty(SUITS, dtype=np.int64)
    won = np.empty((chosen.shape[0] + MOST_SETTINGS, 3), dtype=np.int64)
    for number in numbers:
        if firsts[number] == firsts[number + 1]:
            continue
        joker = 1 if shapes.cards[number, CARDS - 1] == JOKER else 0
        size, copies = 0, 0
        for place in range(CARDS - joker):
            rank = shapes.cards[number, place] >> 2
            if size == 0 or ranks[size - 1] != rank:
                ranks[size] = rank
                size += 1
            copies += 1 << 3 * (size - 1)
        for way in range(ways_range[copies, 0], ways_range[copies, 1]):
            shape = _place_sums(ways[way], ranks[:size], copies, joker, number, asked, first_sums, places)
            best = 0
            for setting in range(firsts[shape + 1] - firsts[shape]):
                for kind in range(2):
                    won[setting, kind] = rank_sums[firsts[shape] + setting, kind]
                    for suit in range(SUITS):
                        won[setting, kind] += flush_sums[places[suit] + setting, kind]
                won[setting, 2] = worth[0] * won[setting, 0] + worth[1] * won[setting, 1]
                if won[setting, 2] > won[best, 2]:
                    best = setting
            hands = ways[way, SUITS]
            for player in range(chosen.shape[0] + 1):
                setting = chosen[player, shape] if player < chosen.shape[0] else best
                totals[player, 0] += hands * won[setting, 0]
                totals[player, 1] += hands * won[setting, 1]
                totals[player, 2] += hands if won[setting, 2] < won[best, 2] else 0
            totals[chosen.shape[0] + 1, 0] += 1
            totals[chosen.shape[0] + 1, 1] += hands


@part_of_kernel
def _place_sums(
    suits: Numbers,
    ranks: Numbers,
    copies: int,
    joker: int,
    number: int,
    asked: _Asked,
    first_sums: Numbers,
    places: Numbers,
) -> int:
    """Write the place of the sums of a hand for each suit; return its shape."""
    shape, flush = number, -1
    for suit in range(SUITS):
        if in_mask(suits[suit]) >= FLUSH - joker:
            flush = suit
    if flush >= 0:
        beside, place = 0, 0
        for index in range(ranks.size):
            for _ in range((copies >> 3 * index & 7) - (suits[flush] >> index & 1)):
                beside += asked.shapes.steps[place, 4 * ranks[index]]
                place += 1
        shape = asked.shapes.starts[joker, _ranks_of(suits[flush], ranks)] + beside
    settings = asked.firsts[shape + 1] - asked.firsts[shape]
    for suit in range(SUITS):
        place = suits[suit]
        if flush >= 0:
            held = _ranks_of(suits[suit], ranks)
            place = 0 if suit == flush else 1 + _place_of_set(held, asked.shapes.rest[shape])
        places[suit] = first_sums[shape] + place * settings
    return shape


@part_of_kernel
def _ranks_of(places: int, ranks: Numbers) -> int:
    """Return the ranks at some places, as bits."""
    found = 0
    for place in range(ranks.size):
        found |= (places >> place & 1) << ranks[place]
    return found
