"""Positions of a round listed one by one: the next cards of each, and the results of the cards that remain."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part
from crossfelt.kernels.solver.card_sets import Cards, Counts, suit_changes
from crossfelt.kernels.solver.hand_tables import DECK, RANKS, SUITS, HandTables, in_mask
from crossfelt.kernels.threads import in_shares

_SMALLEST = 1 << 14


class Rows(NamedTuple):
    """Positions, each with the row that it follows and the number of deals that it stands for."""

    cards: Cards
    origin: NDArray[np.int32]
    ways: Counts


def next_rows(cards: Cards, live: NDArray[np.bool_] | None, size: int) -> Rows:
    """Return each row with every set of `size` more cards.

    `live` says which suits of a row must be told apart; cards of the others are alike. Without it all suits count, and
    sets that differ only by suits which a row does not have are listed once.
    """
    most = len(cards) * comb(DECK - cards.shape[1], size)
    out = np.zeros((most, cards.shape[1] + size), dtype=np.uint8)
    origin, ways = np.zeros(most, dtype=np.int32), np.zeros(most, dtype=np.int64)
    told_apart = np.ones((len(cards), SUITS), dtype=np.bool_) if live is None else live
    found = _extend(cards, told_apart, live is None, size, suit_changes(), out, origin, ways)
    return Rows(out[:found], origin[:found], ways[:found])


def sets_beside(held: Sequence[int], size: int) -> tuple[Cards, Counts]:
    """Return one example of the sets of cards beside held cards that are alike up to suits, and the number that it
    stands for.

    >>> [len(sets_beside(held, 2)[1]) for held in ((), (0,))]
    [169, 391]
    """
    found = next_rows(np.array([held], dtype=np.uint8), None, size)
    return found.cards[:, len(held) :].copy(), found.ways.copy()


@Kernel
def _extend(
    cards: Cards,
    live: NDArray[np.bool_],
    by_suits: bool,
    size: int,
    changes: Counts,
    out: Cards,
    origin: NDArray[np.int32],
    ways: Counts,
) -> int:
    held = cards.shape[1]
    count = np.zeros(DECK, dtype=np.int64)
    example = np.zeros((DECK, SUITS), dtype=np.uint8)
    drawn = np.zeros(size, dtype=np.int64)
    kept = np.zeros(changes.shape[0], dtype=np.int64)
    found = 0
    for row in range(cards.shape[0]):
        taken = np.uint64(0)
        suits = 0
        for place in range(held):
            taken |= np.uint64(1) << np.uint64(cards[row, place])
            suits |= 1 << (cards[row, place] % SUITS)
        types = _types(row, taken, live, count, example)
        same = 0
        for change in range(changes.shape[0]):
            fixes = by_suits
            for suit in range(SUITS):
                fixes = fixes and (changes[change, suit] == suit or not (suits >> suit) & 1)
            if fixes:
                kept[same] = change
                same += 1
        drawn[:] = 0
        while True:
            number = 1
            run = 0
            for place in range(size):
                run = run + 1 if place > 0 and drawn[place] == drawn[place - 1] else 0
                number = number * (count[drawn[place]] - run) // (run + 1)
                out[found, held + place] = example[drawn[place], min(run, SUITS - 1)]
            if number > 0 and same > 1:
                number *= _alike(out, found, held, changes, kept, same)
            if number > 0:
                for place in range(held):
                    out[found, place] = cards[row, place]
                origin[found], ways[found] = row, number
                found += 1
            place = size - 1
            while place >= 0 and drawn[place] == types - 1:
                place -= 1
            if place < 0:
                break
            drawn[place:] = drawn[place] + 1
    return found


@inner_part
def _types(row: int, taken: Any, live: NDArray[np.bool_], count: Counts, example: Cards) -> int:
    """List the types of the cards that are left, with their number and the cards themselves."""
    types = 0
    for rank in range(RANKS):
        alike = 0
        for suit in range(SUITS):
            card = SUITS * rank + suit
            if not (taken >> np.uint64(card)) & np.uint64(1) and not live[row, suit]:
                example[types, alike] = card
                alike += 1
        count[types] = alike
        types += alike > 0
        for suit in range(SUITS):
            card = SUITS * rank + suit
            if not (taken >> np.uint64(card)) & np.uint64(1) and live[row, suit]:
                example[types, 0] = card
                count[types] = 1
                types += 1
    return types


@inner_part
def _alike(out: Cards, row: int, held: int, changes: Counts, kept: Counts, same: int) -> Any:
    """Count the sets that some changes of suits make of the last cards of a row; none if one of them comes first."""
    own = np.uint64(0)
    for place in range(held, out.shape[1]):
        own |= np.uint64(1) << np.uint64(out[row, place])
    fixed = 0
    for number in range(same):
        image = np.uint64(0)
        for place in range(held, out.shape[1]):
            card = out[row, place]
            image |= np.uint64(1) << np.uint64(card // SUITS * SUITS + changes[kept[number], card % SUITS])
        if image < own:
            return 0
        fixed += image == own
    return same // fixed


def count_results(
    cards: Cards, ways: Counts, end: NDArray[np.int32], inside: NDArray[np.uint8], tables: HandTables, counts: Counts
) -> None:
    """Count the results by end. `inside` says which cards of a round enter each hand, those to come at the end."""
    none, nothing = np.zeros((0, counts.shape[1]), dtype=np.int64), np.zeros((0, 0), dtype=np.int64)

    def work(rows: slice) -> Counts:
        found = np.zeros_like(counts)
        _results(cards[rows], ways[rows], end[rows], inside, tables, none, nothing, found)
        return found

    for found in in_shares(work, len(cards), _SMALLEST):
        counts += found


def sum_results(cards: Cards, inside: NDArray[np.uint8], tables: HandTables, wins: Counts) -> Counts:
    """Return the winnings of each row by column, summed over the cards that remain."""
    sums = np.zeros((len(cards), len(wins)), dtype=np.int64)
    none, nothing = np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.int64)
    ends = none.astype(np.int32)
    in_shares(
        lambda rows: _results(cards[rows], none, ends, inside, tables, wins, sums[rows], nothing), len(cards), _SMALLEST
    )
    return sums


@Kernel
def _results(
    cards: Cards,
    ways: Counts,
    end: NDArray[np.int32],
    inside: NDArray[np.uint8],
    tables: HandTables,
    wins: Counts,
    sums: Counts,
    counts: Counts,
) -> None:
    """Draw the cards that remain in every order, and note each result.

    Types of cards are drawn: a rank, in a suit that can still make a flush or in any of the others.
    """
    # Arrays of their own, which the compiler keeps apart; of a tuple's fields it does not, and is twice as slow.
    _, weights, plain, plain_start, flush, strides = tables
    hands, held = inside.shape[0], cards.shape[1]
    rest = inside.shape[1] - held
    totals = np.zeros((rest + 1, hands), dtype=np.int64)
    masks = np.zeros((rest + 1, hands, SUITS), dtype=np.int64)
    live = np.zeros(SUITS, dtype=np.bool_)
    left = np.zeros(RANKS * (SUITS + 1), dtype=np.int64)
    drawn = np.full(rest + 1, -1, dtype=np.int64)
    times = np.ones(rest + 1, dtype=np.int64)
    for row in range(cards.shape[0]):
        _begin(row, cards, inside, tables, totals, masks, live, left)
        suited = live[0] or live[1] or live[2] or live[3]
        types = left.size if suited else RANKS
        level = 0
        drawn[0] = -1
        while level >= 0:
            if level == rest:
                result = 0
                for hand in range(hands):
                    group = plain[plain_start[hand] + totals[rest, hand]]
                    if suited:
                        for suit in range(SUITS):
                            group = max(group, flush[hand, masks[rest, hand, suit]])
                    result += strides[hand] * group
                for column in range(wins.shape[0]):
                    sums[row, column] += times[rest] * wins[column, result]
                if counts.size:
                    counts[end[row], result] += times[rest] * ways[row]
                level -= 1
                continue
            if drawn[level] >= 0:
                left[drawn[level]] += 1
            kind = drawn[level] + 1
            while kind < types and left[kind] == 0:
                kind += 1
            if kind == types:
                level -= 1
                continue
            drawn[level] = kind
            times[level + 1] = times[level] * left[kind]
            left[kind] -= 1
            for hand in range(hands):
                enters = inside[hand, held + level]
                totals[level + 1, hand] = totals[level, hand] + enters * weights[hand, kind % RANKS]
                if suited:
                    for suit in range(SUITS):
                        masks[level + 1, hand, suit] = masks[level, hand, suit]
                    if enters and kind >= RANKS:
                        masks[level + 1, hand, kind // RANKS - 1] |= 1 << (kind % RANKS)
            level += 1
            drawn[level] = -1


@inner_part
def _begin(
    row: int,
    cards: Cards,
    inside: NDArray[np.uint8],
    tables: HandTables,
    totals: Counts,
    masks: Counts,
    live: NDArray[np.bool_],
    left: Counts,
) -> None:
    """Write the hands of a row as far as they are open, the suits of a possible flush and the cards that are left."""
    held = cards.shape[1]
    for suit in range(SUITS):
        live[suit] = False
    for hand in range(inside.shape[0]):
        totals[0, hand] = 0
        for suit in range(SUITS):
            masks[0, hand, suit] = 0
        for place in range(held):
            if inside[hand, place]:
                card = cards[row, place]
                totals[0, hand] += tables.weights[hand, card // SUITS]
                masks[0, hand, card % SUITS] |= 1 << (card // SUITS)
        coming = 0
        for place in range(held, inside.shape[1]):
            coming += inside[hand, place]
        for suit in range(SUITS):
            live[suit] |= in_mask(masks[0, hand, suit]) + coming >= tables.needed[hand]
    apart = 0
    for suit in range(SUITS):
        apart += live[suit]
    for suit in range(SUITS if apart else 0):
        for rank in range(RANKS):
            left[RANKS * (suit + 1) + rank] = live[suit]
    for rank in range(RANKS):
        left[rank] = SUITS - apart
    for place in range(held):
        card = cards[row, place]
        suit = card % SUITS
        left[card // SUITS + (RANKS * (suit + 1) if live[suit] else 0)] -= 1
