"""The dealer's hands of one suit in Double Cross Poker, counted in four cases at once.

Where a line is of one suit, a dealer's hand of that suit is two ranks, each of which is one card. Of the outer cards of
the other line neither may be of the suit, the first, the second, or both. The counts of the four cases stand in one
number, in sixteen bits each, and are added and taken off together: no sum of theirs over all centres is negative in the
end, or passes 13 × 990. Cases that cannot be are nothing, or are weighed with nothing later on.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from crossfelt.kernels.double_cross_orders import PAIR_COUNT, RANK_COUNT, Entering, Order, Tables, Whole
from crossfelt.kernels.kernel import part_of_kernel

CASES: Final = 4
"""Which of two outer cards are of the suit: neither, the first (1), the second (2) or both. So with two cards held."""
CASE_BITS: Final = 16
ONE_CASE: Final = (1 << CASE_BITS) - 1
EVERY_CASE: Final = 1 | 1 << CASE_BITS | 1 << 2 * CASE_BITS | 1 << 3 * CASE_BITS
BOTH_CASE: Final = 1 << 3 * CASE_BITS
_FIRST_CASES: Final = 1 << CASE_BITS | BOTH_CASE
_SECOND_CASES: Final = 1 << 2 * CASE_BITS | BOTH_CASE

Held = tuple[int, int, int, int]
"""By which cards of a pair the player holds in the suit: none, the lower one, the higher one, both."""


class Line(NamedTuple):
    """A line of one suit: what nobody can hold in it any more, a bit for each rank; the outer cards of the other."""

    centre: int
    gone: int
    first: int
    second: int


class Suited(NamedTuple):
    """The dealer's hands of the suit that have not entered yet."""

    free: Whole
    """In which cases a card of each rank can be held."""
    hands: Whole
    """How many hold each rank; in all, which is last."""


class Noted(NamedTuple):
    """How many had not entered above each of the player's pairs, and not below, in their order, by cards held."""

    above: Whole
    not_below: Whole


@part_of_kernel
def new_suited() -> Suited:
    return Suited(np.zeros(RANK_COUNT, dtype=np.int64), np.zeros(RANK_COUNT + 1, dtype=np.int64))


@part_of_kernel
def new_noted() -> Noted:
    return Noted(np.zeros((PAIR_COUNT, CASES), dtype=np.int64), np.zeros((PAIR_COUNT, CASES), dtype=np.int64))


@part_of_kernel
def cases_of(line: Line) -> int:
    """The cases in which no outer card is the centre."""
    cases = EVERY_CASE
    if line.first == line.centre:
        cases &= ~_FIRST_CASES
    if line.second == line.centre:
        cases &= ~_SECOND_CASES
    return cases


@part_of_kernel
def begin(line: Line, cases: int, suited: Suited) -> None:
    """Have no hand entered yet, in these cases."""
    cards = 0
    for rank in range(RANK_COUNT):
        free = 0 if line.gone >> rank & 1 else cases
        if rank == line.first:
            free &= ~_FIRST_CASES
        if rank == line.second:
            free &= ~_SECOND_CASES
        suited.free[rank] = free
        cards += free
    twice = 0
    for rank in range(RANK_COUNT):
        free = suited.free[rank]
        suited.hands[rank] = (cards - free) & (free * ONE_CASE)
        twice += suited.hands[rank]
    suited.hands[RANK_COUNT] = twice >> 1


@part_of_kernel
def hands_beside_two(line: Line, cases: int) -> int:
    """How many hands of the suit there are, in these cases, if the player holds two cards of it."""
    cards = RANK_COUNT - 2
    for rank in range(RANK_COUNT):
        cards -= line.gone >> rank & 1
    hands = 0
    for case in range(CASES):
        left = cards - (case & 1) - (case >> 1)
        hands += (cases >> case * CASE_BITS & 1) * (left * (left - 1) // 2) << case * CASE_BITS
    return hands


@part_of_kernel
def enter(pair: int, table: Tables, suited: Suited) -> None:
    """Take off the hand of a pair, if there is one."""
    low, high = table.low[pair], table.high[pair]
    hand = suited.free[low] & suited.free[high] & table.unequal[pair]
    suited.hands[low] -= hand
    suited.hands[high] -= hand
    suited.hands[RANK_COUNT] -= hand


@part_of_kernel
def not_entered(pair: int, has_entered: bool, table: Tables, suited: Suited) -> Held:
    """The hands that have not entered; one that holds both cards of the player was taken off twice."""
    low, high = table.low[pair], table.high[pair]
    total, with_low, with_high = suited.hands[RANK_COUNT], suited.hands[low], suited.hands[high]
    hand = suited.free[low] & suited.free[high] & table.unequal[pair]
    with_both = 0 if has_entered else hand
    return total, total - with_low, total - with_high, total - with_low - with_high + with_both


@part_of_kernel
def can_hold(pair: int, centre: int, table: Tables) -> Held:
    """Which cards of a pair can be of the suit, as far as they are not the centre: 1, else 0."""
    low, high = int(table.low[pair] != centre), int(table.high[pair] != centre)
    return 1, low, high, low & high


@part_of_kernel
def follow_suited(players: Order, entering: Entering, table: Tables, suited: Suited, noted: Noted) -> None:
    """Add what had not entered when the turn of each of the player's hands came."""
    entered = entering.entered
    entered[:] = False
    next_pair = 0
    for place in range(players.size):
        pair = table.pairs[players.row, place]
        while next_pair < entering.above[place]:
            enter(entering.pairs[next_pair], table, suited)
            entered[entering.pairs[next_pair]] = True
            next_pair += 1
        above = not_entered(pair, entered[pair], table, suited)
        while next_pair < entering.not_below[place]:
            enter(entering.pairs[next_pair], table, suited)
            entered[entering.pairs[next_pair]] = True
            next_pair += 1
        not_below = not_entered(pair, entered[pair], table, suited)
        for held in range(CASES):
            noted.above[place, held] += above[held]
            noted.not_below[place, held] += not_below[held]
