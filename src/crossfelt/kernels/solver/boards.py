"""Two cards of the player and two of the dealer beside a board that they share.

Each board is ranked once, up to suits: all pairs of hole cards are sorted, and the dealer's pairs of each kind are
counted for every pair of the player, without the player's own cards. Sums go to every set of cards from which the
board can have come.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part, part_of_kernel
from crossfelt.kernels.solver.card_sets import DIGITS, Cards, Counts, card_sets, sort_classes
from crossfelt.kernels.solver.hand_tables import DECK, RANKS, SUITS, in_mask
from crossfelt.kernels.threads import in_shares

PAIRS: Final = DECK * (DECK - 1) // 2
RANK_PAIRS: Final = RANKS * (RANKS + 1) // 2
RELATIONS: Final = 3
_NO_CLASS: Final = 1 << 20


class Ranking(NamedTuple):
    """The tables that rank a board and two cards."""

    needed: int
    """Cards of a flush."""
    weights: Counts
    plain: NDArray[np.int16]
    flush: NDArray[np.int16]
    groups: NDArray[np.int16]
    """The player's group by class."""
    bounds: Counts
    """First classes of the dealer's groups after the lowest."""


class Options(NamedTuple):
    """The stakes that a seat can have when the whole board is open, and its options there."""

    start: Counts
    """First option of each stakes, with one more at the end."""
    units: Counts
    """Units staked on each column, by option."""
    sure: Counts
    """What an option wins for certain, in each deal."""


class Origins(NamedTuple):
    """The sets of cards from which a board can have come."""

    places: Counts
    """Places of the board that make each set."""
    number: NDArray[np.int32]
    """Number of a set up to suits, by its number."""
    change: NDArray[np.int8]
    """The change of suits that makes a set the example of its kind."""
    pair: NDArray[np.int16]
    """Number of a pair after a change of suits, by change and pair."""
    choose: Counts
    """Binomial coefficients, of which the number of a set is a sum."""


class _Room(NamedTuple):
    """Room for the pairs beside a board, and what is counted of them."""

    row: Counts
    """Class by pair of ranks."""
    masks: Counts
    """Ranks of the board in each suit."""
    pairs: Counts
    classes: Counts
    order: Counts
    """Places of the pairs in the order of their classes."""
    other: Counts
    starts: Counts
    scratch: Counts
    cells: Counts
    """The dealer's pairs by group and relation, for each pair of the player."""
    values: Counts
    """Winnings of each pair of the player by column."""


@part_of_kernel
def _new_room(bounds: int, columns: int) -> _Room:
    pairs, classes, order, other = np.zeros((4, PAIRS), dtype=np.int64)
    return _Room(
        np.zeros(RANK_PAIRS, dtype=np.int64),
        np.zeros(SUITS, dtype=np.int64),
        pairs,
        classes,
        order,
        other,
        np.zeros(DIGITS + 1, dtype=np.int64),
        np.zeros((2 + bounds, DECK + 1), dtype=np.int64),
        np.zeros((PAIRS, RELATIONS * (bounds + 1)), dtype=np.int64),
        np.zeros((PAIRS, columns), dtype=np.int64),
    )


@Kernel
def sum_boards(
    boards: Cards,
    ways: Counts,
    ranking: Ranking,
    wins: Counts,
    options: Options,
    origins: Origins,
    pair_cards: Cards,
    sums: Counts,
) -> None:
    """Add the winnings of each pair of the player: by column, then with the best option of each stakes."""
    columns, stakes, groups = wins.shape[0], options.start.size - 1, ranking.groups
    room = _new_room(ranking.bounds.size, columns + stakes)
    pairs, classes, cells, values = room.pairs, room.classes, room.cells, room.values
    for board in range(boards.shape[0]):
        count = _rank(board, boards, ranking, room)
        every = _count(count, ranking.bounds, pair_cards, room)
        for place in range(count):
            _value(place, groups[classes[place]], wins, cells, values)
            for state in range(stakes):
                best = _best(place, state, options, every, values)
                values[place, columns + state] = _worth(place, best, options, every, values)
        for origin in range(origins.places.shape[0]):
            number = _set_number(boards, board, origins.places, origin, origins.choose)
            target, change = origins.number[number], origins.change[number]
            for place in range(count):
                pair = origins.pair[change, pairs[place]]
                for column in range(columns + stakes):
                    sums[target, pair, column] += ways[board] * values[place, column]


@Kernel
def count_boards(
    boards: Cards,
    ways: Counts,
    ranking: Ranking,
    wins: Counts,
    options: Options,
    origins: Origins,
    pair_cards: Cards,
    arrived: NDArray[np.int16],
    chosen: NDArray[np.int8],
    results: Counts,
    taken: Counts,
) -> None:
    """Count the results by option, and how often each is taken; each pair arrives with some stakes in some ways.

    `chosen` is the option by board, pair and stakes; where it is empty, the best one.
    """
    stakes, groups = options.start.size - 1, ranking.groups
    room = _new_room(ranking.bounds.size, wins.shape[0])
    pairs, classes, cells, values = room.pairs, room.classes, room.cells, room.values
    times = np.zeros((PAIRS, stakes), dtype=np.int64)
    for board in range(boards.shape[0]):
        count = _rank(board, boards, ranking, room)
        every = _count(count, ranking.bounds, pair_cards, room)
        times[:] = 0
        for origin in range(origins.places.shape[0]):
            number = _set_number(boards, board, origins.places, origin, origins.choose)
            target, change = origins.number[number], origins.change[number]
            for place in range(count):
                pair = origins.pair[change, pairs[place]]
                for state in range(stakes):
                    times[place, state] += ways[board] * arrived[target, pair, state]
        for place in range(count):
            group = groups[classes[place]]
            _value(place, group, wins, cells, values)
            for state in range(stakes):
                if times[place, state]:
                    if chosen.size:
                        best = options.start[state] + chosen[board, place, state]
                    else:
                        best = _best(place, state, options, every, values)
                    taken[best] += times[place, state] * every
                    for cell in range(cells.shape[1]):
                        results[best, group * cells.shape[1] + cell] += times[place, state] * cells[place, cell]


@Kernel
def move_sets(sets: Cards, ways: Counts, values: Counts, origins: Origins, back: bool, sums: Counts) -> None:
    """Add the values beside each set of cards, times its ways, to all sets from which it can have come if `back`;
    otherwise theirs to those beside each set."""
    for row in range(sets.shape[0]):
        for origin in range(origins.places.shape[0]):
            number = _set_number(sets, row, origins.places, origin, origins.choose)
            target, change = origins.number[number], origins.change[number]
            for pair in range(PAIRS):
                image = origins.pair[change, pair]
                for column in range(values.shape[2]):
                    if back:
                        sums[target, image, column] += ways[row] * values[row, pair, column]
                    else:
                        sums[row, pair, column] += ways[row] * values[target, image, column]


def whole_board_values(own: Cards, boards: Cards, ranking: Ranking, wins: Counts) -> Counts:
    """Return the winnings of each option by round, summed over the dealer's hands; `wins` has them by option and
    result."""
    values = np.zeros((len(own), len(wins)), dtype=np.int64)
    theirs = np.searchsorted(ranking.bounds, np.arange(len(ranking.groups)), side="right")
    first, by_result = ranking.groups.astype(np.int64) * RELATIONS * (len(ranking.bounds) + 1), wins.T.copy()
    tables = ranking, first, RELATIONS * theirs, by_result, card_sets(2)
    in_shares(lambda rows: _sum_wins(own[rows], boards[rows], *tables, values[rows]), len(own), 1 << 8)
    return values


@Kernel
def _sum_wins(
    own: Cards,
    boards: Cards,
    ranking: Ranking,
    first: Counts,
    theirs: Counts,
    wins: Counts,
    pair_cards: Cards,
    values: Counts,
) -> None:
    room = _new_room(0, 0)
    pairs, classes = room.pairs, room.classes
    for at in range(own.shape[0]):
        count = _rank(at, boards, ranking, room)
        low, high = min(own[at, 0], own[at, 1]), max(own[at, 0], own[at, 1])
        mine, pair = 0, high * (high - 1) // 2 + low
        for place in range(count):
            mine = classes[place] if pairs[place] == pair else mine
        for place in range(count):
            one, two = pair_cards[pairs[place], 0], pair_cards[pairs[place], 1]
            if one != low and one != high and two != low and two != high:
                found = classes[place]
                relation = 0 if found < mine else 1 if found == mine else 2
                for option in range(wins.shape[1]):
                    values[at, option] += wins[first[mine] + theirs[found] + relation, option]


@inner_part
def _set_number(sets: Cards, row: int, places: Counts, origin: int, choose: Counts) -> Any:
    """Return the number of the set that some places of a row make."""
    number = 0
    for place in range(places.shape[1]):
        number += choose[sets[row, places[origin, place]], place + 1]
    return number


@inner_part
def _rank(board: int, boards: Cards, ranking: Ranking, room: _Room) -> int:
    """List the pairs beside a board with their classes; return their number."""
    needed, weights, plain, flush, _, _ = ranking
    row, masks, pairs, classes = room.row, room.masks, room.pairs, room.classes
    total, held, suited = 0, np.uint64(0), False
    for suit in range(SUITS):
        masks[suit] = 0
    for place in range(boards.shape[1]):
        card = boards[board, place]
        total += weights[card // SUITS]
        held |= np.uint64(1) << np.uint64(card)
        masks[card % SUITS] |= 1 << (card // SUITS)
    number = 0
    for high in range(RANKS):
        for low in range(high + 1):
            # Ranks that five cards of one rank would need have no entry, and no pair asks for it.
            row[number] = plain[min(total + weights[low] + weights[high], plain.size - 1)]
            number += 1
    for suit in range(SUITS):
        suited |= in_mask(masks[suit]) + 2 >= needed
    count = 0
    for high in range(1, DECK):
        if (held >> np.uint64(high)) & np.uint64(1):
            continue
        high_rank, high_suit = high // SUITS, high % SUITS
        for low in range(high):
            if (held >> np.uint64(low)) & np.uint64(1):
                continue
            low_rank, low_suit = low // SUITS, low % SUITS
            best = row[high_rank * (high_rank + 1) // 2 + low_rank]
            if suited:
                for suit in range(SUITS):
                    mask = masks[suit]
                    if high_suit == suit:
                        mask |= 1 << high_rank
                    if low_suit == suit:
                        mask |= 1 << low_rank
                    best = max(best, flush[mask])
            pairs[count] = high * (high - 1) // 2 + low
            classes[count] = best
            count += 1
    return count


@inner_part
def _count(count: int, bounds: Counts, pair_cards: Cards, room: _Room) -> int:
    """Count the dealer's pairs by group and relation for each pair of the player; return their number.

    A row of `scratch` counts pairs by card, and all of them at the end: those of lower classes, those of this class,
    and those below each bound.
    """
    _, _, pairs, classes, order, other, starts, scratch, cells, _ = room
    sort_classes(count, classes, order, other, starts)
    for line in range(scratch.shape[0]):
        for card in range(DECK + 1):
            scratch[line, card] = 0
    for place in range(count):
        for bound in range(bounds.size):
            if classes[place] < bounds[bound]:
                _enter(scratch, 2 + bound, pairs[place], 1, pair_cards)
    every = _others(count)
    begin = 0
    while begin < count:
        rank = classes[order[begin]]
        end = begin
        while end < count and classes[order[end]] == rank:
            _enter(scratch, 1, pairs[order[end]], 1, pair_cards)
            end += 1
        for at in range(begin, end):
            place = order[at]
            lower = _free_of(scratch, 0, pairs[place], pair_cards)
            equal = _free_of(scratch, 1, pairs[place], pair_cards) + 1
            low, start = 0, -1
            for group in range(bounds.size + 1):
                last = group == bounds.size
                bound = _NO_CLASS if last else bounds[group]
                high = every if last else _free_of(scratch, 2 + group, pairs[place], pair_cards) + (rank < bound)
                below = high if rank >= bound else lower if rank >= start else low
                not_above = high if rank >= bound else lower + equal if rank >= start else low
                cells[place, RELATIONS * group] = below - low
                cells[place, RELATIONS * group + 1] = not_above - below
                cells[place, RELATIONS * group + 2] = high - not_above
                low, start = high, bound
        for at in range(begin, end):
            _enter(scratch, 1, pairs[order[at]], -1, pair_cards)
            _enter(scratch, 0, pairs[order[at]], 1, pair_cards)
        begin = end
    return every


@inner_part
def _others(count: int) -> int:
    """Return the number of pairs that are left beside one of `count` pairs: two cards fewer."""
    cards = 2
    while cards * (cards - 1) // 2 < count:
        cards += 1
    return (cards - 2) * (cards - 3) // 2


@inner_part
def _enter(scratch: Counts, line: int, pair: int, change: int, pair_cards: Cards) -> None:
    scratch[line, pair_cards[pair, 0]] += change
    scratch[line, pair_cards[pair, 1]] += change
    scratch[line, DECK] += change


@inner_part
def _free_of(scratch: Counts, line: int, pair: int, pair_cards: Cards) -> Any:
    """Count the pairs of a line without either card of a pair; a line that has the pair itself counts one less."""
    return scratch[line, DECK] - scratch[line, pair_cards[pair, 0]] - scratch[line, pair_cards[pair, 1]]


@inner_part
def _value(place: int, group: int, wins: Counts, cells: Counts, values: Counts) -> None:
    """Write the winnings of each column, summed over the dealer's pairs."""
    size = cells.shape[1]
    for column in range(wins.shape[0]):
        total = 0
        for cell in range(size):
            total += wins[column, group * size + cell] * cells[place, cell]
        values[place, column] = total


@inner_part
def _worth(place: int, option: int, options: Options, every: int, values: Counts) -> Any:
    worth = options.sure[option] * every
    for column in range(options.units.shape[1]):
        worth += options.units[option, column] * values[place, column]
    return worth


@inner_part
def _best(place: int, state: int, options: Options, every: int, values: Counts) -> Any:
    """Return the best option of some stakes, of equal ones the first."""
    best = options.start[state]
    most = _worth(place, best, options, every, values)
    for option in range(options.start[state] + 1, options.start[state + 1]):
        worth = _worth(place, option, options, every, values)
        if worth > most:
            best, most = option, worth
    return best
