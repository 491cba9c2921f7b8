"""Double Cross Poker, every deal: how often a position wins, by which pay line, and ties, on its vertical line.

A position is what a player sees when deciding: two hole cards, the top card of the vertical line and the right card
of the horizontal one. Nothing here depends on odds, so one census of outcomes answers for every pay table. The
horizontal line of a position is the vertical line of the position with top and right exchanged.

Suits matter only through flushes, and both lines share the centre, so a flush can only be of the centre's suit:

* *By rank.* A board is five ranks. The dealer's 91 pairs of ranks enter from the highest hand down, each with the
  better of its two lines, which is the one it enters by first. When they have come down to a player's hand, those that
  have entered beat it. Hands that hold one of the player's own cards are taken off by inclusion and exclusion, for
  which the number of hands that have entered is kept, in all and for each rank.
* *By suit.* Where a line is of one suit, what changes is put right: dealer's hands of that suit, and the player's hands
  of that suit. A card is then a type, its rank in the suit or out of it, and the same entering gives the counts.

Deals are counted with all cards of the position, and divided by the number of positions of the same ranks or types.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.card import RANKS
from crossfelt.hands.strength import PAIRS, TRIPLES, grid
from crossfelt.kernels.kernel import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, processors

Whole = NDArray[np.int64]
Half = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Classes = NDArray[np.int16]

RANK_COUNT: Final = len(RANKS)
PAIR_COUNT: Final = len(PAIRS)
_TYPES: Final = 2 * RANK_COUNT
# Of a pair's two cards: neither, the lower, the higher or both are of the suit in question.
_HELD: Final = 4
_BOTH: Final = 3
# How a line's two outer cards can lie: by whether the first and the second are of the centre's suit.
_SUITED_LINE: Final = 3
_MOST_SHARES: Final = 16


class Tables(NamedTuple):
    """What the kernels look up; the order of a triple is that of the pairs which make a hand with it, best first."""

    triple: NDArray[np.uint16]
    """The number of three ranks."""
    order: Bytes
    classes: Classes
    suited_order: Bytes
    """The same among hands of one suit."""
    suited_classes: Classes
    suited_size: Bytes
    """How many pairs make a hand of one suit with a triple."""
    top_size: Bytes
    """How many pairs make a hand with a triple that is above the lowest flush, though not of one suit."""
    low: Whole
    high: Whole
    """The ranks of a pair."""


@cache
def tables() -> Tables:
    """The order of all pairs with each three ranks, from the rule that ranks hands."""
    triple = np.zeros((RANK_COUNT,) * 3, dtype=np.uint16)
    for number, ranks in enumerate(TRIPLES):
        for permuted in permutations(ranks):
            triple[permuted] = number
    plain = np.array(grid(one_suit=False), dtype=np.int16)
    suited = np.array(grid(one_suit=True), dtype=np.int16)
    order, suited_order = (np.argsort(-classes, axis=1, kind="stable") for classes in (plain, suited))
    lowest_flush = suited[suited >= 0].min()
    pairs = np.array(PAIRS, dtype=np.int64)
    return Tables(
        triple=triple,
        order=order.astype(np.uint8),
        classes=np.take_along_axis(plain, order, axis=1),
        suited_order=suited_order.astype(np.uint8),
        suited_classes=np.take_along_axis(suited, suited_order, axis=1),
        suited_size=(suited >= 0).sum(axis=1).astype(np.uint8),
        top_size=(plain > lowest_flush).sum(axis=1).astype(np.uint8),
        low=np.ascontiguousarray(pairs[:, 0]),
        high=np.ascontiguousarray(pairs[:, 1]),
    )


class Compared(NamedTuple):
    """How many of the dealer's hands beat a player's pair, and how many beat or tie it.

    By which of the pair's cards the dealer cannot hold: none, the lower, the higher, both.
    """

    above: Half
    not_below: Half


class Order(NamedTuple):
    """Pairs of ranks and the class of the hand each makes, the best first."""

    pairs: Bytes
    classes: Classes


def count(line_of: Bytes, lines: int, copies: Whole, suits: Bytes) -> Half:
    """In how many deals the vertical hand of each position wins, by pay line, and in how many it ties, which is last.

    `line_of` gives the pay line of each class of hands, `copies` the cards of each rank in the deck (four, or none in
    a short deck), and `suits` how the right card and the higher and lower hole card can be suited, the top card
    being of suit 0. Positions go by the ranks of top card, right card and hole cards (`PAIRS`), and by suits.
    """
    table = tables()
    shares = min(2 * processors(), _MOST_SHARES)

    def work(share: int) -> tuple[Whole, Half]:
        by_rank = np.zeros((RANK_COUNT, RANK_COUNT, PAIR_COUNT, lines + 1), dtype=np.int64)
        by_type = np.zeros((_TYPES, _TYPES, _HELD, PAIR_COUNT, lines + 1), dtype=np.int32)
        _count_share(share, shares, table, line_of, copies, by_rank, by_type)
        return by_rank, by_type

    (by_rank, by_type), *rest = in_threads(work, shares)
    for more_by_rank, more_by_type in rest:
        by_rank += more_by_rank
        by_type += more_by_type
    result = np.zeros((RANK_COUNT, RANK_COUNT, PAIR_COUNT, len(suits), lines + 1), dtype=np.int32)
    _by_position(by_rank, by_type, table, copies, suits, result)
    return result


@Kernel
def _count_share(
    share: int, shares: int, table: Tables, line_of: Bytes, copies: Whole, by_rank: Whole, by_type: Half
) -> None:
    """Add every `shares`-th combination of the outer cards of both lines, with every centre."""
    lines = by_rank.shape[3]
    of_ranks = np.zeros((PAIR_COUNT, lines), dtype=np.int64)
    of_types = np.zeros((_HELD, _HELD, _HELD, PAIR_COUNT, lines), dtype=np.int32)
    shape = (_HELD, PAIR_COUNT)
    plain = Compared(np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32))
    over = Compared(np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32))
    suited = Compared(np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32))
    flush = Compared(np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32))
    for outer in range(share, PAIR_COUNT * PAIR_COUNT, shares):
        vertical, horizontal = outer // PAIR_COUNT, outer % PAIR_COUNT
        a, b = table.low[vertical], table.high[vertical]
        c, d = table.low[horizontal], table.high[horizontal]
        of_ranks[:] = 0
        of_types[:] = 0
        for centre in range(RANK_COUNT):
            left, ways = _dealt((centre, a, b, c, d), copies)
            if ways:
                board = _board(table, centre, a, b, c, d)
                _add_by_rank(board, table, line_of, left, ways, plain, of_ranks)
                _add_by_type(board, table, line_of, copies, left, plain, over, suited, flush, of_types)
        _spread(a, b, c, d, of_ranks, of_types, by_rank, by_type)


class Board(NamedTuple):
    """Five ranks, and the order of the hands that can be made with each line."""

    centre: int
    a: int
    b: int
    c: int
    d: int
    down: Order
    across: Order
    down_suited: Order
    across_suited: Order
    down_top: Order
    across_top: Order


@part_of_kernel
def _board(table: Tables, centre: int, a: int, b: int, c: int, d: int) -> Board:
    v, h = table.triple[centre, a, b], table.triple[centre, c, d]
    v_size, h_size = table.suited_size[v], table.suited_size[h]
    v_top, h_top = table.top_size[v], table.top_size[h]
    return Board(
        centre,
        a,
        b,
        c,
        d,
        Order(table.order[v], table.classes[v]),
        Order(table.order[h], table.classes[h]),
        Order(table.suited_order[v, :v_size], table.suited_classes[v, :v_size]),
        Order(table.suited_order[h, :h_size], table.suited_classes[h, :h_size]),
        Order(table.order[v, :v_top], table.classes[v, :v_top]),
        Order(table.order[h, :h_top], table.classes[h, :h_top]),
    )


@part_of_kernel
def _dealt(ranks: tuple[int, ...], copies: Whole) -> tuple[Whole, int]:
    """What is left of each rank when cards of these ranks are dealt, and in how many ways they can be."""
    left, ways = copies.copy(), 1
    for rank in ranks:
        ways *= left[rank]
        left[rank] -= 1
    return left, ways


@part_of_kernel
def _compare(players: Order, first: Order, second: Order, table: Tables, left: Whole, found: Compared) -> None:
    """Have the dealer's pairs enter by two orders, each with the better hand of the two, against every player's pair.

    `left` are the cards of each rank that the dealer can have been dealt, the player's own among them.
    """
    total, i, j = 0, 0, 0
    with_rank = np.zeros(RANK_COUNT, dtype=np.int64)
    entered = np.zeros(PAIR_COUNT, dtype=np.bool_)
    for place in range(players.pairs.size):
        pair, strength = players.pairs[place], players.classes[place]
        while i < first.pairs.size and first.classes[i] > strength:
            total += _enter(first.pairs[i], table, left, with_rank, entered)
            i += 1
        while j < second.pairs.size and second.classes[j] > strength:
            total += _enter(second.pairs[j], table, left, with_rank, entered)
            j += 1
        _note(pair, table, total, with_rank, entered, found.above)
        # No two pairs make the same hand with one line, so at most one of each order ties.
        if i < first.pairs.size and first.classes[i] == strength:
            total += _enter(first.pairs[i], table, left, with_rank, entered)
            i += 1
        if j < second.pairs.size and second.classes[j] == strength:
            total += _enter(second.pairs[j], table, left, with_rank, entered)
            j += 1
        _note(pair, table, total, with_rank, entered, found.not_below)


@part_of_kernel
def _enter(pair: int, table: Tables, left: Whole, with_rank: Whole, entered: NDArray[np.bool_]) -> int:
    """Count the hands of a pair, if it has not entered by its other line: in all, and with a card of each rank."""
    if entered[pair]:
        return 0
    entered[pair] = True
    low, high = table.low[pair], table.high[pair]
    if low == high:
        with_rank[low] += left[low] - 1
        return left[low] * (left[low] - 1) // 2
    with_rank[low] += left[high]
    with_rank[high] += left[low]
    return left[low] * left[high]


@part_of_kernel
def _note(pair: int, table: Tables, total: int, with_rank: Whole, entered: NDArray[np.bool_], noted: Half) -> None:
    """Take off the hands that hold one of the player's cards; one that holds both was taken off twice."""
    with_low, with_high = with_rank[table.low[pair]], with_rank[table.high[pair]]
    noted[0, pair] = total
    noted[1, pair] = total - with_low
    noted[2, pair] = total - with_high
    noted[_BOTH, pair] = total - with_low - with_high + entered[pair]


@part_of_kernel
def _add_by_rank(
    board: Board, table: Tables, line_of: Bytes, left: Whole, ways: int, plain: Compared, of_ranks: Whole
) -> None:
    """Add the deals of a board as if there were no flushes."""
    _compare(board.down, board.down, board.across, table, left, plain)
    unseen = left.sum() - 2
    dealers = unseen * (unseen - 1) // 2
    for place in range(PAIR_COUNT):
        pair, strength = board.down.pairs[place], board.down.classes[place]
        low, high = table.low[pair], table.high[pair]
        deals = ways * left[low] * (left[high] if low != high else left[low] - 1)
        if deals == 0:
            continue
        if low == high:
            deals //= 2
        above, not_below = plain.above[_BOTH, pair], plain.not_below[_BOTH, pair]
        of_ranks[pair, line_of[strength]] += deals * (dealers - not_below)
        of_ranks[pair, -1] += deals * (not_below - above)


@part_of_kernel
def _add_by_type(
    board: Board,
    table: Tables,
    line_of: Bytes,
    copies: Whole,
    left: Whole,
    plain: Compared,
    over: Compared,
    suited: Compared,
    flush: Compared,
    of_types: Half,
) -> None:
    """Put right the deals of a board in which a line is of the centre's suit."""
    _compare(board.down_suited, board.down_top, board.across_top, table, left, over)
    for down in range(_HELD):
        if down >= 2 and board.a == board.b:
            continue
        for across in range(_HELD):
            if (across >= 2 and board.c == board.d) or (down != _BOTH and across != _BOTH):
                continue
            inside, outside, ways = _dealt_in_suits(board, down, across, copies)
            if ways == 0:
                continue
            changes = of_types[down, across]
            _compare(board.down, board.down, board.across, table, inside, suited)
            _take_off_suited_dealers(board, table, line_of, inside, outside, ways, suited, changes)
            if down == _BOTH:
                other = board.across_suited if across == _BOTH else Order(board.across.pairs[:0], board.across.classes[:0])
                _compare(board.down_suited, board.down_suited, other, table, inside, flush)
                _put_in_flushes(board, table, line_of, left, inside, ways, plain, over, suited, flush, changes)
            elif board.down_top.pairs.size:
                _compare(board.down_top, board.across_suited, board.across_suited, table, inside, flush)
                _put_in_beaten_flushes(board, table, line_of, inside, outside, ways, flush, changes)


@part_of_kernel
def _dealt_in_suits(board: Board, down: int, across: int, copies: Whole) -> tuple[Whole, Whole, int]:
    """What is left of each rank in the centre's suit and out of it, and in how many ways a board can be so suited."""
    inside, outside = np.minimum(copies, 1), np.maximum(copies - 1, 0)
    ways = inside[board.centre]
    inside[board.centre] -= 1
    cards = ((board.a, down & 1), (board.b, down >> 1), (board.c, across & 1), (board.d, across >> 1))
    for rank, in_suit in cards:
        of_type = inside if in_suit else outside
        ways *= of_type[rank]
        of_type[rank] -= 1
    return inside, outside, ways


@part_of_kernel
def _hands_of_type(pair: int, held: int, table: Tables, inside: Whole, outside: Whole) -> int:
    """In how many ways a pair can be dealt with these of its cards in the suit."""
    low, high = table.low[pair], table.high[pair]
    if low != high:
        return (inside if held & 1 else outside)[low] * (inside if held & 2 else outside)[high]
    if held == 0:
        return outside[low] * (outside[low] - 1) // 2
    return inside[low] * outside[low] if held == 1 else 0


@part_of_kernel
def _suited_dealers(held: int, inside: Whole) -> int:
    """How many hands of the suit the dealer can have, when the player holds so much of it."""
    unseen = inside.sum() - (held & 1) - (held >> 1)
    return unseen * (unseen - 1) // 2


@part_of_kernel
def _take_off_suited_dealers(
    board: Board,
    table: Tables,
    line_of: Bytes,
    inside: Whole,
    outside: Whole,
    ways: int,
    suited: Compared,
    changes: Half,
) -> None:
    """Take off what was won and tied, by rank, against dealers who have a flush."""
    for held in range(_HELD):
        dealers = _suited_dealers(held, inside)
        for place in range(PAIR_COUNT):
            pair, strength = board.down.pairs[place], board.down.classes[place]
            deals = ways * _hands_of_type(pair, held, table, inside, outside)
            if deals:
                above, not_below = suited.above[held, pair], suited.not_below[held, pair]
                changes[held, pair, line_of[strength]] -= deals * (dealers - not_below)
                changes[held, pair, -1] -= deals * (not_below - above)


@part_of_kernel
def _put_in_flushes(
    board: Board,
    table: Tables,
    line_of: Bytes,
    left: Whole,
    inside: Whole,
    ways: int,
    plain: Compared,
    over: Compared,
    suited: Compared,
    flush: Compared,
    changes: Half,
) -> None:
    """Where the vertical line is of one suit, so may be the player's hand: all its deals by rank give way to flushes.

    A dealer beats a flush with a higher one, or with better than a flush on the horizontal line. The two do not meet:
    with two cards of a suit that also holds the centre and a whole line, the dealer has three of a kind at most.
    """
    unseen = left.sum() - 2
    dealers = unseen * (unseen - 1) // 2
    with_flush = _suited_dealers(_BOTH, inside)
    plain_class = np.empty(PAIR_COUNT, dtype=np.int16)
    plain_class[board.down.pairs] = board.down.classes
    for place in range(board.down_suited.pairs.size):
        pair, strength = board.down_suited.pairs[place], board.down_suited.classes[place]
        if inside[table.low[pair]] * inside[table.high[pair]] == 0:
            continue
        # Those with a flush have been taken off already.
        not_below = plain.not_below[_BOTH, pair] - suited.not_below[_BOTH, pair]
        above = plain.above[_BOTH, pair] - suited.above[_BOTH, pair]
        changes[_BOTH, pair, line_of[plain_class[pair]]] -= ways * (dealers - with_flush - not_below)
        changes[_BOTH, pair, -1] -= ways * (not_below - above)
        beaten_by = over.above[_BOTH, pair] + flush.not_below[_BOTH, pair]
        changes[_BOTH, pair, line_of[strength]] += ways * (dealers - beaten_by)
        changes[_BOTH, pair, -1] += ways * (flush.not_below[_BOTH, pair] - flush.above[_BOTH, pair])


@part_of_kernel
def _put_in_beaten_flushes(
    board: Board,
    table: Tables,
    line_of: Bytes,
    inside: Whole,
    outside: Whole,
    ways: int,
    flush: Compared,
    changes: Half,
) -> None:
    """Where only the horizontal line is of one suit, a player with better than a flush still beats the dealer's."""
    for held in range(_HELD):
        dealers = _suited_dealers(held, inside)
        for place in range(board.down_top.pairs.size):
            pair, strength = board.down_top.pairs[place], board.down_top.classes[place]
            deals = ways * _hands_of_type(pair, held, table, inside, outside)
            if deals:
                changes[held, pair, line_of[strength]] += deals * (dealers - flush.not_below[held, pair])


@part_of_kernel
def _spread(
    a: int, b: int, c: int, d: int, of_ranks: Whole, of_types: Half, by_rank: Whole, by_type: Half
) -> None:
    """Either outer card of the vertical line may be the top one, and either of the horizontal line the right one."""
    for i in range(1 if a == b else 2):
        for j in range(1 if c == d else 2):
            by_rank[(a, b)[i], (c, d)[j]] += of_ranks
    for down in range(_HELD):
        for across in range(_HELD):
            if (down != _BOTH and across != _BOTH) or (down >= 2 and a == b) or (across >= 2 and c == d):
                continue
            tops = (a + (0 if down & 1 else RANK_COUNT), b + (0 if down & 2 else RANK_COUNT))
            rights = (c + (0 if across & 1 else RANK_COUNT), d + (0 if across & 2 else RANK_COUNT))
            for i in range(2 if tops[0] != tops[1] else 1):
                for j in range(2 if rights[0] != rights[1] else 1):
                    by_type[tops[i], rights[j]] += of_types[down, across]


@Kernel
def _by_position(
    by_rank: Whole, by_type: Half, table: Tables, copies: Whole, suits: Bytes, result: Half
) -> None:
    """Divide by the number of positions of the same ranks, or types, and add the two."""
    for top in range(RANK_COUNT):
        for right in range(RANK_COUNT):
            left, ways = _dealt((top, right), copies)
            for pair in range(PAIR_COUNT):
                low, high = table.low[pair], table.high[pair]
                hands = left[low] * (left[high] if low != high else left[low] - 1)
                if ways * hands <= 0:
                    continue
                positions = ways * hands // (1 if low != high else 2)
                for pattern in range(len(suits)):
                    of_high, of_low = suits[pattern, 1], suits[pattern, 2]
                    result[top, right, pair, pattern] = by_rank[top, right, pair] // positions
                    for suit in range(2 if suits[pattern, 0] else 1):
                        held = (of_low == suit) + 2 * (of_high == suit)
                        _correct(
                            top, suit == 0, right, suits[pattern, 0] == suit, pair, held, by_type, table, copies,
                            result[top, right, pair, pattern],
                        )


@part_of_kernel
def _correct(
    top: int, top_in: bool, right: int, right_in: bool, pair: int, held: int, by_type: Half, table: Tables,
    copies: Whole, counts: Half,
) -> None:
    """Add what one suit of the centre changes in a position."""
    inside, outside = np.minimum(copies, 1), np.maximum(copies - 1, 0)
    positions = 1
    for rank, in_suit in ((top, top_in), (right, right_in)):
        of_type = inside if in_suit else outside
        positions *= of_type[rank]
        of_type[rank] -= 1
    if table.low[pair] == table.high[pair] and held == 2:
        held = 1
    positions *= _hands_of_type(pair, held, table, inside, outside)
    if positions > 0:
        of_top, of_right = top + (0 if top_in else RANK_COUNT), right + (0 if right_in else RANK_COUNT)
        counts += by_type[of_top, of_right, held, pair] // positions
