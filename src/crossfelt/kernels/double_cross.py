"""Double Cross Poker, every deal: how often a position wins, by which pay line, and ties, on its vertical line.

A position is what a player sees when deciding: two hole cards, the top card of the vertical line and the right card
of the horizontal one. Nothing here depends on odds, so one census of outcomes answers for every pay table. The
horizontal line of a position is the vertical line of the position with top and right exchanged.

Suits matter only through flushes, and both lines share the centre, so a flush can only be of the centre's suit:

* *By rank.* A board is five ranks. The dealer's 91 pairs of ranks enter from the highest hand down, each with the
  better of its two lines, which is the one it enters by first. When they have come down to a player's hand, those that
  have entered beat it. Hands that hold one of the player's own cards are taken off by inclusion and exclusion, for
  which the number of hands that have entered is kept, in all and for each rank.
* *By type.* Where a line is of one suit, what changes is put right: dealer's hands of that suit, and the player's hands
  of that suit. A card is then a type, its rank in the suit or out of it, and the same entering gives the counts.

Deals are counted together for all positions of the same ranks, or types, and divided by the number of these.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from crossfelt.kernels.double_cross_orders import (
    PAIR_COUNT,
    RANK_COUNT,
    Bytes,
    Entering,
    Half,
    Noted,
    Order,
    Ranks,
    Seen,
    Tables,
    Whole,
    follow,
    merge,
    only_suited,
    plain_order,
    suited_order_of,
    tables,
    top_order,
)
from crossfelt.kernels.kernel import Kernel, part_of_kernel
from crossfelt.kernels.threads import in_threads, processors

_TYPES: Final = 2 * RANK_COUNT
# Which of two cards are of the centre's suit: neither, the first (1), the second (2) or both.
_HELD: Final = 4
_BOTH: Final = 3
_MOST_SHARES: Final = 16


def count(line_of: Bytes, lines: int, copies: Whole, suits: Bytes) -> Half:
    """In how many deals the vertical hand of each position wins, by pay line, and in how many it ties, which is last.

    `line_of` gives the pay line of each class of hands, `copies` the cards of each rank in the deck (four, or none in
    a short deck), and `suits` how the right card and the higher and lower hole card can be suited, the top card
    being of suit 0. Positions go by the ranks of top card, right card and hole cards (`PAIRS`), and by suits.
    """
    table = tables(line_of)
    shares = min(2 * processors(), _MOST_SHARES)

    def work(share: int) -> tuple[Whole, Half]:
        by_rank = np.zeros((RANK_COUNT, RANK_COUNT, PAIR_COUNT, lines + 1), dtype=np.int64)
        by_type = np.zeros((_TYPES, _TYPES, PAIR_COUNT, lines + 1, _HELD), dtype=np.int32)
        _count_share(share, shares, table, copies, by_rank, by_type)
        return by_rank, by_type

    (by_rank, by_type), *rest = in_threads(work, shares)
    for more_by_rank, more_by_type in rest:
        by_rank += more_by_rank
        by_type += more_by_type
    result = np.zeros((RANK_COUNT, RANK_COUNT, PAIR_COUNT, len(suits), lines + 1), dtype=np.int32)
    in_threads(lambda top: _by_position(top, by_rank, by_type, table, copies, suits, result[top]), RANK_COUNT)
    return result


class Scratch(NamedTuple):
    """Room to work in."""

    entering: Entering
    suited_entering: Entering
    other_entering: Entering
    plain: Noted
    suited: Noted
    over: Noted
    flush: Noted
    seen: Seen


@part_of_kernel
def _scratch() -> Scratch:
    noted = np.zeros((8, PAIR_COUNT, _HELD), dtype=np.int32)
    pairs, counts = np.zeros((3, PAIR_COUNT), dtype=np.uint8), np.zeros((6, PAIR_COUNT), dtype=np.int64)
    return Scratch(
        Entering(pairs[0], counts[0], counts[1]),
        Entering(pairs[1], counts[2], counts[3]),
        Entering(pairs[2], counts[4], counts[5]),
        Noted(noted[0], noted[1]),
        Noted(noted[2], noted[3]),
        Noted(noted[4], noted[5]),
        Noted(noted[6], noted[7]),
        Seen(np.zeros(PAIR_COUNT, dtype=np.bool_), np.zeros(RANK_COUNT, dtype=np.int64)),
    )


@Kernel
def _count_share(share: int, shares: int, table: Tables, copies: Whole, by_rank: Whole, by_type: Half) -> None:
    """Add every `shares`-th combination of the outer cards of both lines, with every centre."""
    lines = by_rank.shape[3]
    of_ranks = np.zeros((PAIR_COUNT, lines), dtype=np.int64)
    of_types = np.zeros((_HELD, _HELD, PAIR_COUNT, lines, _HELD), dtype=np.int32)
    scratch = _scratch()
    for outer in range(share, PAIR_COUNT * PAIR_COUNT, shares):
        vertical, horizontal = outer // PAIR_COUNT, outer % PAIR_COUNT
        a, b = table.ranks.low[vertical], table.ranks.high[vertical]
        c, d = table.ranks.low[horizontal], table.ranks.high[horizontal]
        _clear(of_ranks.reshape(-1))
        _clear(of_types.reshape(-1))
        for centre in range(RANK_COUNT):
            left, ways = _dealt((centre, a, b, c, d), copies)
            if ways:
                v, h = int(table.triple[centre, a, b]), int(table.triple[centre, c, d])
                down, across = plain_order(v, table), plain_order(h, table)
                merge(down, True, across, scratch.seen.entered, scratch.entering)
                _add_by_rank(down, table, left, ways, scratch, of_ranks)
                _add_by_type((centre, a, b, c, d), v, h, table, copies, left, scratch, of_types)
        _spread(a, b, c, d, table.ranks, copies, of_ranks, of_types, by_rank, by_type)


@part_of_kernel
def _dealt(ranks: tuple[int, ...], copies: Whole) -> tuple[Whole, int]:
    """What is left of each rank when cards of these ranks are dealt, and in how many ways they can be."""
    left, ways = copies.copy(), 1
    for rank in ranks:
        ways *= left[rank]
        left[rank] -= 1
    return left, ways


@part_of_kernel
def _add_by_rank(down: Order, table: Tables, left: Whole, ways: int, scratch: Scratch, of_ranks: Whole) -> None:
    """Add the deals of a board as if there were no flushes."""
    plain = scratch.plain
    follow(down, scratch.entering, table.ranks, left, scratch.seen, plain)
    dealers = _two_of(left.sum() - 2)
    for place in range(PAIR_COUNT):
        pair, line = down.pairs[place], down.lines[place]
        deals = ways * _hole_hands(pair, table.ranks, left)
        above, not_below = plain.above[place, _BOTH], plain.not_below[place, _BOTH]
        of_ranks[pair, line] += deals * (dealers - not_below)
        of_ranks[pair, -1] += deals * (not_below - above)


@part_of_kernel
def _two_of(cards: int) -> int:
    """In how many ways two can be taken of so many cards."""
    return cards * (cards - 1) // 2


@part_of_kernel
def _hole_hands(pair: int, ranks: Ranks, left: Whole) -> int:
    low, high = ranks.low[pair], ranks.high[pair]
    return _two_of(left[low]) if low == high else left[low] * left[high]


@part_of_kernel
def _add_by_type(
    board: tuple[int, int, int, int, int],
    v: int,
    h: int,
    table: Tables,
    copies: Whole,
    left: Whole,
    scratch: Scratch,
    of_types: Half,
) -> None:
    """Put right the deals of a board in which a line is of the centre's suit; ways and hole cards are weighed later."""
    centre, a, b, c, d = board
    if table.suited_size[v]:
        merge(suited_order_of(v, table), False, top_order(h, table), scratch.seen.entered, scratch.other_entering)
        follow(suited_order_of(v, table), scratch.other_entering, table.ranks, left, scratch.seen, scratch.over)
        only_suited(centre, a, b, table.ranks, scratch.entering, scratch.suited_entering)
        for across in range(_HELD):
            inside = _inside(board, _BOTH, across, copies)
            if inside[centre] == 0:
                _add_down_suited(centre, v, h, across == _BOTH, table, left, inside, scratch, of_types[_BOTH, across])
    if table.suited_size[h]:
        only_suited(centre, c, d, table.ranks, scratch.entering, scratch.suited_entering)
        for down in range(_BOTH):
            inside = _inside(board, down, _BOTH, copies)
            if inside[centre] == 0:
                _add_across_suited(centre, v, h, table, inside, scratch, of_types[down, _BOTH])


@part_of_kernel
def _inside(board: tuple[int, int, int, int, int], down: int, across: int, copies: Whole) -> Whole:
    """What is left of each rank in the centre's suit; more than none of the centre's if a card came twice."""
    centre, a, b, c, d = board
    inside = np.minimum(copies, 1)
    inside[centre] -= 1
    for rank, in_suit in ((a, down & 1), (b, down >> 1), (c, across & 1), (d, across >> 1)):
        if in_suit:
            if inside[rank] == 0:
                inside[centre] = 1
            inside[rank] = 0 if rank != centre else 1
    return inside


@part_of_kernel
def _add_down_suited(
    centre: int,
    v: int,
    h: int,
    across_suited: bool,
    table: Tables,
    left: Whole,
    inside: Whole,
    scratch: Scratch,
    changes: Half,
) -> None:
    """Where the vertical line is of one suit, so may be the player's hand: its deals by rank give way to flushes.

    A dealer beats a flush with a higher one, or with better than a flush on the horizontal line. The two do not meet:
    with two cards of a suit that also holds the centre and a whole line, the dealer has three of a kind at most.
    """
    down, suited = plain_order(v, table), suited_order_of(v, table)
    ranks, entering = table.ranks, scratch.suited_entering
    _take_off_suited(down, centre, ranks, inside, entering, scratch.suited, scratch.seen, changes)
    other = suited_order_of(h, table) if across_suited else top_order(v, table)
    merge(suited, True, other, scratch.seen.entered, scratch.other_entering)
    follow(suited, scratch.other_entering, table.ranks, inside, scratch.seen, scratch.flush)
    dealers, with_flush = _two_of(left.sum() - 2), _two_of(inside.sum() - 2)
    for place in range(suited.pairs.size):
        pair = suited.pairs[place]
        by_rank = int(table.place[v, pair])
        # Those with a flush have been taken off already.
        not_below = scratch.plain.not_below[by_rank, _BOTH] - scratch.suited.not_below[by_rank, _BOTH]
        above = scratch.plain.above[by_rank, _BOTH] - scratch.suited.above[by_rank, _BOTH]
        changes[pair, down.lines[by_rank], _BOTH] -= dealers - with_flush - not_below
        changes[pair, -1, _BOTH] -= not_below - above
        beaten_or_tied_by = scratch.over.above[place, _BOTH] + scratch.flush.not_below[place, _BOTH]
        changes[pair, suited.lines[place], _BOTH] += dealers - beaten_or_tied_by
        changes[pair, -1, _BOTH] += scratch.flush.not_below[place, _BOTH] - scratch.flush.above[place, _BOTH]


@part_of_kernel
def _add_across_suited(
    centre: int, v: int, h: int, table: Tables, inside: Whole, scratch: Scratch, changes: Half
) -> None:
    """Where only the horizontal line is of one suit, a player with better than a flush still beats the dealer's."""
    ranks, entering = table.ranks, scratch.suited_entering
    _take_off_suited(plain_order(v, table), centre, ranks, inside, entering, scratch.suited, scratch.seen, changes)
    top = top_order(v, table)
    if top.pairs.size == 0:
        return
    merge(top, False, suited_order_of(h, table), scratch.seen.entered, scratch.other_entering)
    follow(top, scratch.other_entering, table.ranks, inside, scratch.seen, scratch.flush)
    for place in range(top.pairs.size):
        pair = top.pairs[place]
        for held in range(_HELD):
            if _can_hold(pair, held, centre, ranks):
                won = _suited_dealers(held, inside) - scratch.flush.not_below[place, held]
                changes[pair, top.lines[place], held] += won


@part_of_kernel
def _suited_dealers(held: int, inside: Whole) -> int:
    """How many hands of the suit the dealer can have, when the player holds so much of it."""
    return _two_of(inside.sum() - (held & 1) - (held >> 1))


@part_of_kernel
def _can_hold(pair: int, held: int, centre: int, ranks: Ranks) -> bool:
    """Whether none of the cards held in the suit is the centre."""
    return not (held & 1 and ranks.low[pair] == centre) and not (held & 2 and ranks.high[pair] == centre)


@part_of_kernel
def _take_off_suited(
    down: Order, centre: int, ranks: Ranks, inside: Whole, entering: Entering, suited: Noted, seen: Seen, changes: Half
) -> None:
    """Take off what was won and tied, by rank, against dealers who have a flush."""
    follow(down, entering, ranks, inside, seen, suited)
    above, not_below = suited.above, suited.not_below
    none, one, both = _suited_dealers(0, inside), _suited_dealers(1, inside), _suited_dealers(_BOTH, inside)
    dealers = (none, one, one, both)
    tie = changes.shape[1] - 1
    for place in range(PAIR_COUNT):
        pair, line = down.pairs[place], down.lines[place]
        if ranks.low[pair] == centre or ranks.high[pair] == centre:
            for held in range(_HELD):
                if _can_hold(pair, held, centre, ranks):
                    changes[pair, line, held] -= dealers[held] - not_below[place, held]
                    changes[pair, tie, held] -= not_below[place, held] - above[place, held]
            continue
        for held in range(_HELD):
            changes[pair, line, held] -= dealers[held] - not_below[place, held]
            changes[pair, tie, held] -= not_below[place, held] - above[place, held]


@part_of_kernel
def _spread(
    a: int,
    b: int,
    c: int,
    d: int,
    ranks: Ranks,
    copies: Whole,
    of_ranks: Whole,
    of_types: Half,
    by_rank: Whole,
    by_type: Half,
) -> None:
    """Either outer card of the vertical line may be the top one, and either of the horizontal line the right one."""
    for i in range(1 if a == b else 2):
        for j in range(1 if c == d else 2):
            _add(of_ranks.reshape(-1), by_rank[(a, b)[i], (c, d)[j]].reshape(-1))
    for down in range(_HELD):
        for across in range(_HELD):
            if (down != _BOTH and across != _BOTH) or (down >= 2 and a == b) or (across >= 2 and c == d):
                continue
            tops = (a + (0 if down & 1 else RANK_COUNT), b + (0 if down & 2 else RANK_COUNT))
            rights = (c + (0 if across & 1 else RANK_COUNT), d + (0 if across & 2 else RANK_COUNT))
            left, ways = _dealt((tops[0], tops[1], rights[0], rights[1]), _copies_by_type(copies))
            if ways <= 0:
                continue
            changes = of_types[down, across]
            _weigh(ways, left, ranks, changes)
            for i in range(1 if tops[0] == tops[1] else 2):
                for j in range(1 if rights[0] == rights[1] else 2):
                    _add(changes.reshape(-1), by_type[tops[i], rights[j]].reshape(-1))


@part_of_kernel
def _clear(what: Whole | Half) -> None:
    for place in range(what.size):
        what[place] = 0


@part_of_kernel
def _add(what: Whole | Half, to: Whole | Half) -> None:
    """Written so, it becomes a few vector instructions."""
    for place in range(what.size):
        to[place] += what[place]


@part_of_kernel
def _weigh(ways: int, left: Whole, ranks: Ranks, changes: Half) -> None:
    """Multiply by the ways in which the board and the hole cards can be dealt."""
    lines = changes.shape[1]
    flat = changes.reshape(-1)
    for pair in range(PAIR_COUNT):
        none = np.int32(ways * _hands_of_types(pair, 0, ranks, left))
        lower = np.int32(ways * _hands_of_types(pair, 1, ranks, left))
        higher = np.int32(ways * _hands_of_types(pair, 2, ranks, left))
        both = np.int32(ways * _hands_of_types(pair, 3, ranks, left))
        for place in range(pair * lines * _HELD, (pair + 1) * lines * _HELD, _HELD):
            flat[place] *= none
            flat[place + 1] *= lower
            flat[place + 2] *= higher
            flat[place + 3] *= both


@part_of_kernel
def _copies_by_type(copies: Whole) -> Whole:
    """The cards of each rank in a suit, and out of it."""
    left = np.empty(_TYPES, dtype=np.int64)
    left[:RANK_COUNT] = np.minimum(copies, 1)
    left[RANK_COUNT:] = np.maximum(copies - 1, 0)
    return left


@part_of_kernel
def _hands_of_types(pair: int, held: int, ranks: Ranks, left: Whole) -> int:
    """In how many ways a pair can be dealt with these of its cards in the suit."""
    low, high = ranks.low[pair], ranks.high[pair]
    if low != high:
        of_low, of_high = left[low + (0 if held & 1 else RANK_COUNT)], left[high + (0 if held & 2 else RANK_COUNT)]
        return int(of_low * of_high)
    if held == 0:
        return _two_of(left[low + RANK_COUNT])
    return int(left[low] * left[low + RANK_COUNT]) if held == 1 else 0


@Kernel
def _by_position(
    top: int, by_rank: Whole, by_type: Half, table: Tables, copies: Whole, suits: Bytes, result: Half
) -> None:
    """For one top card: divide by the number of positions of the same ranks, or types, and add the two."""
    for right in range(RANK_COUNT):
        left, ways = _dealt((top, right), copies)
        for pair in range(PAIR_COUNT):
            positions = ways * _hole_hands(pair, table.ranks, left)
            if positions <= 0:
                continue
            for pattern in range(len(suits)):
                counts = result[right, pair, pattern]
                counts[:] = by_rank[top, right, pair] // positions
                _correct(top, right, pair, suits[pattern], by_type, table, copies, counts)


@part_of_kernel
def _correct(
    top: int, right: int, pair: int, suits: Bytes, by_type: Half, table: Tables, copies: Whole, counts: Half
) -> None:
    """Add what a centre of the top or the right card's suit changes in a position."""
    of_right, of_high, of_low = suits
    for suit in range(2 if of_right else 1):
        top_type = top + (0 if suit == 0 else RANK_COUNT)
        right_type = right + (0 if suit == of_right else RANK_COUNT)
        held = int(of_low == suit) + 2 * int(of_high == suit)
        if held == 2 and table.ranks.low[pair] == table.ranks.high[pair]:
            held = 1
        left, ways = _dealt((top_type, right_type), _copies_by_type(copies))
        positions = ways * _hands_of_types(pair, held, table.ranks, left)
        if positions > 0:
            counts += by_type[top_type, right_type, pair, :, held] // positions
