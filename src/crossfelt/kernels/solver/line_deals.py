"""One position of a game with lines of a shared board: every deal of the unseen cards, by enumeration.

It also evaluates a position with a card that the player should not have seen, and all such cards at once.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.kernels.jit import Kernel, inner_part
from crossfelt.kernels.solver.card_sets import Counts
from crossfelt.kernels.solver.hand_tables import DECK, SUITS
from crossfelt.kernels.solver.lines import LineRanking
from crossfelt.kernels.threads import in_shares

# Above every class, so that a hand that cannot be dealt neither loses to the player nor ties.
_NOT_DEALT: Final = 32_767


class LineCards(NamedTuple):
    """The cards of a position; each unknown one has several candidates."""

    hole: tuple[int, int]
    shared: tuple[int, ...]
    """Candidates of the shared card."""
    seen: tuple[tuple[int, ...], ...]
    """Known outer cards of each line."""
    hidden: tuple[tuple[int, ...], ...]
    """Candidates of the one hidden outer card of each line; a number above all cards where none is hidden."""
    dealer: tuple[int, ...]
    """Candidates of the dealer's first card."""
    unseen: tuple[int, ...]
    """Cards of which the dealer's second card is one."""


def count_deals(cards: LineCards, ranking: LineRanking) -> Counts:
    """Count the deals by unknown card, line and outcome: by the shared card, by the hidden card of each line, and by
    one card of the dealer."""
    lines, outcomes = len(ranking.in_line), int(ranking.outcome.max()) + 1
    first, second = (np.array(part, dtype=np.int64) for part in zip(*_dealer_hands(cards), strict=True))
    shown = np.full((lines, DECK), -1, dtype=np.int64)
    hidden = np.full((lines, DECK), -1, dtype=np.int64)
    for line, (known, candidates) in enumerate(zip(cards.seen, cards.hidden, strict=True)):
        shown[line, : len(known)] = known
        hidden[line, : len(candidates)] = candidates
    shared, hole = np.array(cards.shared, dtype=np.int64), np.array(cards.hole, dtype=np.int64)
    size = len(first) // len(cards.dealer)

    def work(rows: slice) -> Counts:
        counts = np.zeros((lines + 2, DECK, lines, outcomes), dtype=np.int64)
        _visit(shared[rows], hole, shown, hidden, first, second, size, ranking, counts)
        return counts

    total: Counts = np.sum(in_shares(work, len(shared), 1), axis=0)
    return total


def _dealer_hands(cards: LineCards) -> list[tuple[int, int]]:
    """Return the dealer's hands, under each of their cards if both are unknown."""
    return [(one, other) for one in cards.dealer for other in cards.unseen if one != other]


@Kernel
def _visit(
    shared: Counts,
    hole: Counts,
    shown: Counts,
    hidden: Counts,
    first: Counts,
    second: Counts,
    size: int,
    ranking: LineRanking,
    counts: Counts,
) -> None:
    lines, hands = shown.shape[0], first.size
    classes = np.zeros((lines, DECK, hands), dtype=np.int16)
    own = np.zeros((lines, DECK), dtype=np.int64)
    place, chosen = np.zeros((2, lines), dtype=np.int64)
    best = np.zeros(hands, dtype=np.int16)
    for centre in shared:
        for line in range(lines):
            for at in range(DECK):
                card = hidden[line, at]
                if card < 0 or card == centre:
                    continue
                own[line, at] = _class_of(hole[0], hole[1], centre, card, line, shown, ranking)
                for hand in range(hands):
                    one, two = first[hand], second[hand]
                    if one in (centre, card) or two in (centre, card):
                        classes[line, at, hand] = _NOT_DEALT
                    else:
                        classes[line, at, hand] = _class_of(one, two, centre, card, line, shown, ranking)
        place[:] = 0
        while place[0] < DECK and hidden[0, place[0]] >= 0:
            free = True
            for line in range(lines):
                chosen[line] = hidden[line, place[line]]
                free &= chosen[line] != centre
                for other in range(line):
                    free &= chosen[line] != chosen[other]
            if free:
                _best_of(classes, place, best)
                _compare(centre, chosen, place, best, first, size, own, ranking, counts)
            _next(place, hidden)


@inner_part
def _next(place: Counts, hidden: Counts) -> None:
    """Step to the next hidden cards, the last line first; the first line runs over at the end."""
    line = place.size - 1
    place[line] += 1
    while line > 0 and (place[line] == hidden.shape[1] or hidden[line, place[line]] < 0):
        place[line] = 0
        line -= 1
        place[line] += 1


@inner_part
def _class_of(a: int, b: int, centre: int, card: int, line: int, shown: Counts, ranking: LineRanking) -> Any:
    weights = ranking.weights
    total = weights[a // SUITS] + weights[b // SUITS] + weights[centre // SUITS]
    mask = 1 << (a // SUITS) | 1 << (b // SUITS) | 1 << (centre // SUITS)
    suited = a % SUITS == b % SUITS and a % SUITS == centre % SUITS
    at, other = 0, card
    while other >= 0:
        if other < DECK:
            total += weights[other // SUITS]
            mask |= 1 << (other // SUITS)
            suited &= other % SUITS == a % SUITS
        other = shown[line, at]
        at += 1
    return max(ranking.plain[total], ranking.flush[mask] if suited else 0)


@inner_part
def _best_of(classes: NDArray[np.int16], place: Counts, best: NDArray[np.int16]) -> None:
    """Write the class of every hand of the dealer on its best line."""
    for hand in range(best.size):
        best[hand] = classes[0, place[0], hand]
    for line in range(1, place.size):
        at = place[line]
        for hand in range(best.size):
            best[hand] = max(best[hand], classes[line, at, hand])


@inner_part
def _compare(
    centre: int,
    chosen: Counts,
    place: Counts,
    best: NDArray[np.int16],
    first: Counts,
    size: int,
    own: Counts,
    ranking: LineRanking,
    counts: Counts,
) -> None:
    """Count the hands of the dealer that each of the player's beats, ties and loses to."""
    lines, groups, outcome = place.size, ranking.groups, ranking.outcome
    for line in range(lines):
        rank = np.int16(own[line, place[line]])
        at = 3 * groups[line, rank]
        every_below, every_equal, every_above = 0, 0, 0
        for start in range(0, best.size, size):
            # Cut to 16 bits at every step, for the widest possible vectors.
            low: Any = np.int16(0)
            same: Any = np.int16(0)
            gone: Any = np.int16(0)
            for hand in range(start, start + size):
                low = np.int16(low + np.int16(best[hand] < rank))
                same = np.int16(same + np.int16(best[hand] == rank))
                gone = np.int16(gone + np.int16(best[hand] == _NOT_DEALT))
            high = size - low - same - gone
            card = first[start]
            counts[lines + 1, card, line, outcome[line, at]] += low
            counts[lines + 1, card, line, outcome[line, at + 1]] += same
            counts[lines + 1, card, line, outcome[line, at + 2]] += high
            every_below += low
            every_equal += same
            every_above += high
        for slot in range(lines + 1):
            card = centre if slot == 0 else chosen[slot - 1]
            if card < DECK:
                counts[slot, card, line, outcome[line, at]] += every_below
                counts[slot, card, line, outcome[line, at + 1]] += every_equal
                counts[slot, card, line, outcome[line, at + 2]] += every_above
