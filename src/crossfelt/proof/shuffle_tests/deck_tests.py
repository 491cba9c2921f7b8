"""Tests of single shuffles, for the places of the cards, and of successive ones, for dependence and repetition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.shuffle import Chance, repeatable_seed
from crossfelt.proof.shuffle_tests import exact_counts
from crossfelt.proof.shuffle_tests.batch_shuffle import Batch, Bytes
from crossfelt.proof.shuffle_tests.result import (
    ShuffleTestResult,
    chi_square,
    coincidences,
    frequencies,
    normal,
    too_few,
)

_SMALLEST_CELL: Final = 5
"""The least mean count of a cell before a large table is judged."""
_LONGEST_GAP: Final = 200
_MOST_FINGERPRINTS: Final = 1 << 21


Marks = NDArray[np.bool_]
"""For each place or card, and each shuffle."""


class ShuffleTest(Protocol):
    """Counts what it needs from each batch, and says at the end what it found."""

    def add(self, batch: Batch) -> None: ...

    def findings(self) -> Iterator[ShuffleTestResult]: ...


class Positions:
    """Each card in each place."""

    def __init__(self, cards: int) -> None:
        self.counts = np.zeros((cards, cards), np.int64)

    def add(self, batch: Batch) -> None:
        for place, cards in enumerate(batch.card_at):
            self.counts[place] += np.bincount(cards, minlength=batch.cards)

    def findings(self) -> Iterator[ShuffleTestResult]:
        cards, shuffles = len(self.counts), int(self.counts[0].sum())
        yield chi_square(
            "card × place",
            "how often each card lies in each place",
            sample=shuffles,
            statistic=place_statistic(self.counts.astype(np.float64), shuffles),
            degrees_of_freedom=(cards - 1) ** 2,
            needs=_SMALLEST_CELL * cards,
        )


class _Pairs:
    """Pairs of cards, in a table of each first card and each second one."""

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.counts = np.zeros((cards, cards), np.int64)

    def count(self, first: Bytes, second: Bytes) -> None:
        pairs = first.astype(np.int64) * self.cards + second
        self.counts += np.bincount(pairs, minlength=self.cards**2).reshape(self.cards, self.cards)


class FirstTwo(_Pairs):
    """The first two cards, in order."""

    def add(self, batch: Batch) -> None:
        self.count(batch.card_at[0], batch.card_at[1])

    def findings(self) -> Iterator[ShuffleTestResult]:
        cells = self.cards * (self.cards - 1)
        shuffles = int(self.counts.sum())
        expected = shuffles / cells
        possible = self.counts[~np.eye(self.cards, dtype=bool)]
        yield chi_square(
            "first two cards",
            "how often each two cards lie first and second",
            sample=shuffles,
            statistic=float(((possible - expected) ** 2).sum() / expected),
            degrees_of_freedom=cells - 1,
            needs=_SMALLEST_CELL * cells,
        )


class FirstFive:
    """The first five cards: which set of five they are, and which poker hand."""

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.sets = np.zeros(comb(cards, 5), np.int64)
        self.hands = np.zeros(len(exact_counts.five_card_hands(cards)), np.int64)

    def add(self, batch: Batch) -> None:
        five = np.sort(batch.card_at[:5], axis=0)
        np.add.at(self.sets, set_numbers(five), 1)
        self.hands += np.bincount(hand_numbers(five), minlength=len(self.hands))

    def findings(self) -> Iterator[ShuffleTestResult]:
        shuffles = int(self.hands.sum())
        measures = "shuffles in pairs with the same set of first five cards"
        expected = shuffles * (shuffles - 1) / 2 / len(self.sets)
        needs = int((20 * len(self.sets)) ** 0.5) + 2
        if shuffles < needs:
            yield too_few("first five, sets", measures, shuffles, needs)
        else:
            pairs = int((self.sets * (self.sets - 1)).sum()) // 2
            yield coincidences(
                "first five, sets", measures, sample=shuffles, pairs=pairs, expected=expected, tails="both"
            )
        shares = exact_counts.shares(exact_counts.five_card_hands(self.cards))
        yield frequencies("first five, poker hands", "hands of the first five cards", self.hands, shares)


class Neighbours(_Pairs):
    """The pairs of neighbours, the last card followed by the first."""

    def add(self, batch: Batch) -> None:
        for place in range(self.cards):
            self.count(batch.card_at[place], batch.card_at[(place + 1) % self.cards])

    def findings(self) -> Iterator[ShuffleTestResult]:
        cards, shuffles = self.cards, int(self.counts.sum()) // self.cards
        follows = self.counts.astype(np.float64)
        yield chi_square(
            "neighbours",
            "how often each card follows each other card",
            sample=shuffles,
            statistic=neighbour_statistic(follows, shuffles),
            degrees_of_freedom=cards * cards - 3 * cards + 1,
            needs=_SMALLEST_CELL * (cards - 1),
        )
        places = np.arange(cards) - (cards - 1) / 2
        mean, variance = exact_counts.serial_products(cards)
        total = float(places @ follows @ places)
        measures = "old place of each card times old place of the next"
        yield normal("serial correlation", measures, sample=shuffles, total=total, mean=mean, variance=variance)


class Orders:
    """The order of two cards, for all pairs of cards."""

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.changed = np.zeros((cards, cards), np.int64)
        self.inversions = np.zeros(comb(cards, 2) + 1, np.int64)

    def add(self, batch: Batch) -> None:
        inversions = np.zeros(batch.shuffles, np.uint16)
        for low, high in combinations(range(self.cards), 2):
            changed = batch.place_of[low] > batch.place_of[high]
            self.changed[low, high] += np.count_nonzero(changed)
            inversions += changed
        self.inversions += np.bincount(inversions, minlength=len(self.inversions))

    def findings(self) -> Iterator[ShuffleTestResult]:
        shuffles = int(self.inversions.sum())
        excess = np.triu(shuffles - 2 * self.changed, 1)
        yield chi_square(
            "order of two cards",
            "how often each card lies before each other card",
            sample=shuffles,
            statistic=order_statistic((excess - excess.T).astype(np.float64), shuffles),
            degrees_of_freedom=comb(self.cards, 2),
        )
        shares = exact_counts.shares(exact_counts.inversions(self.cards))
        yield frequencies("inversions", "pairs of cards that changed sides", self.inversions, shares)
        odd = int(self.inversions[1::2].sum())
        yield normal("parity", "odd permutations", sample=shuffles, total=odd, mean=0.5, variance=0.25)


class MarkedCards:
    """The number of marked cards in each shuffle, and how often each number should occur."""

    def __init__(
        self, test: str, measures: str, exact: Callable[[int], list[int]], marks: Callable[[Batch], Marks], cards: int
    ) -> None:
        self.test, self.measures, self.marks = test, measures, marks
        self.shares = exact_counts.shares(exact(cards))
        self.counts = np.zeros(len(self.shares), np.int64)

    def add(self, batch: Batch) -> None:
        numbers = self.marks(batch).sum(axis=0, dtype=np.uint8)
        self.counts += np.bincount(numbers, minlength=len(self.counts))

    def findings(self) -> Iterator[ShuffleTestResult]:
        yield frequencies(self.test, self.measures, self.counts, self.shares)


def marked_cards(cards: int) -> Iterator[MarkedCards]:
    """Yield the tests that count marked cards: in an ascending run, in their old place, and so on."""
    places = np.arange(cards, dtype=np.uint8)[:, np.newaxis]
    runs, fixed_points = exact_counts.runs, exact_counts.fixed_points
    for test, measures, exact, marks in (
        ("runs", "ascending runs of cards", runs, lambda it: it.card_at[1:] < it.card_at[:-1]),
        (
            "rising sequences",
            "ascending runs of the inverse order",
            runs,
            lambda it: it.place_of[1:] < it.place_of[:-1],
        ),
        (
            "successions",
            "cards that still follow their old predecessor",
            exact_counts.successions,
            lambda it: it.card_at[1:] == it.card_at[:-1] + np.uint8(1),
        ),
        ("fixed points", "cards in their old place", fixed_points, lambda it: it.card_at == places),
        (
            "matches with the last",
            "cards in the same place as in the shuffle before",
            fixed_points,
            lambda it: np.equal(*it.successive),
        ),
    ):
        yield MarkedCards(test, measures, exact, marks, cards)


class TopCards(_Pairs):
    """The top card, and the top card of the next shuffle."""

    def add(self, batch: Batch) -> None:
        earlier, later = batch.successive
        self.count(earlier[0], later[0])

    def findings(self) -> Iterator[ShuffleTestResult]:
        test, measures = "successive top cards", "how often each top card is followed by each, in the next shuffle"
        cards, sample = self.cards, int(self.counts.sum())
        if sample < 5 * cards * cards:
            yield too_few(test, measures, sample, 5 * cards**2 + 1)
            return
        # Given how often each card was on top, each row is a sample of its own.
        seen = self.counts[self.counts.any(axis=1)]
        expected = seen.sum(axis=1, keepdims=True) / cards
        statistic = float(((seen - expected) ** 2 / expected).sum())
        yield chi_square(test, measures, sample=sample, statistic=statistic, degrees_of_freedom=len(seen) * (cards - 1))


class Gaps:
    """The gaps between shuffles with a top card of the first suit."""

    def __init__(self, cards: int) -> None:
        self.cards = cards
        self.counts = np.zeros(_LONGEST_GAP + 1, np.int64)
        self.since: int | None = None

    def add(self, batch: Batch) -> None:
        seen = np.flatnonzero(batch.card_at[0] < 13)
        if self.since is not None:
            seen = np.concatenate([[-1 - self.since], seen])
        if seen.size:
            gaps = np.minimum(np.diff(seen) - 1, _LONGEST_GAP)
            self.counts += np.bincount(gaps, minlength=len(self.counts))
            self.since = batch.shuffles - 1 - int(seen[-1])

    def findings(self) -> Iterator[ShuffleTestResult]:
        chance = 13 / self.cards
        shares = [chance * (1 - chance) ** gap for gap in range(_LONGEST_GAP)]
        shares.append((1 - chance) ** _LONGEST_GAP)
        measures = "gaps between shuffles with a top card of the first suit"
        yield frequencies("gaps", measures, self.counts, shares)


class Duplicates:
    """Whole shuffles that occur more than once: what a generator with too few seeds gives.

    Each shuffle has a fingerprint of 64 bits. When there are too many to keep, those in the upper half are
    dropped, old and new ones: a duplicate has the same fingerprint, so both stay or both go.
    """

    def __init__(self, cards: int, most: int = _MOST_FINGERPRINTS) -> None:
        coefficients = Chance(repeatable_seed(0), "fingerprints").take(8 * cards)
        self.coefficients = np.frombuffer(coefficients, np.uint64) | np.uint64(1)
        self.most = most
        self.limit = 1 << 64
        self.kept = np.zeros(0, np.uint64)
        self.times = np.zeros(0, np.int64)
        self.new: list[NDArray[np.uint64]] = []
        self.waiting = 0
        self.shuffles = 0

    def add(self, batch: Batch) -> None:
        fingerprints = np.zeros(batch.shuffles, np.uint64)
        for coefficient, cards in zip(self.coefficients, batch.card_at, strict=True):
            fingerprints += coefficient * cards.astype(np.uint64)
        self.new.append(self._below_limit(fingerprints))
        self.waiting += len(self.new[-1])
        self.shuffles += batch.shuffles
        if self.waiting >= self.most // 4:
            self._merge()

    def findings(self) -> Iterator[ShuffleTestResult]:
        self._merge()
        pairs = int((self.times * (self.times - 1)).sum()) // 2
        kept = self.limit / 2**64
        yield coincidences(
            "duplicates",
            "pairs of identical shuffles" + (f" among 1 in {2**64 // self.limit}" if kept < 1 else ""),
            sample=self.shuffles,
            pairs=pairs,
            # Different shuffles with the same fingerprint.
            expected=self.shuffles * (self.shuffles - 1) / 2 * kept / 2**64,
            tails="upper",
        )

    def _merge(self) -> None:
        every = np.concatenate([self.kept, *self.new])
        times = np.concatenate([self.times, np.ones(len(every) - len(self.times), np.int64)])
        self.kept, where = np.unique(every, return_inverse=True)
        self.times = np.zeros(len(self.kept), np.int64)
        np.add.at(self.times, where, times)
        self.new, self.waiting = [], 0
        while len(self.kept) > self.most:
            self.limit //= 2
            stay = len(self._below_limit(self.kept))
            self.kept, self.times = self.kept[:stay], self.times[:stay]

    def _below_limit(self, fingerprints: NDArray[np.uint64]) -> NDArray[np.uint64]:
        return fingerprints[fingerprints <= np.uint64(self.limit - 1)]


def place_statistic(counts: NDArray[np.float64], shuffles: int) -> float:
    """Return the distance of the table of cards and places from even.

    Rows and columns both have fixed sums, which leaves (n − 1)² degrees of freedom; the variance of what is left
    is 1/(n − 1) in each shuffle.
    """
    cards = len(counts)
    return float(((counts - shuffles / cards) ** 2).sum() * (cards - 1) / shuffles)


def neighbour_statistic(follows: NDArray[np.float64], shuffles: int) -> float:
    """Return the distance of the table of neighbours from even.

    Each card has one neighbour on either side, so rows and columns have fixed sums. What is left of the table
    falls into a symmetric part, with the variance p = 1/(n − 1) in each shuffle, and an antisymmetric part,
    with p + 2/((n − 1)(n − 2)), because b cannot follow a where a follows b.
    """
    cards = len(follows)
    chance = 1 / (cards - 1)
    excess = follows - shuffles * chance
    np.fill_diagonal(excess, 0.0)
    symmetric, antisymmetric = (excess + excess.T) / 2, (excess - excess.T) / 2
    variance = chance + 2 / ((cards - 1) * (cards - 2))
    return float(((symmetric**2).sum() / chance + (antisymmetric**2).sum() / variance) / shuffles)


def order_statistic(excess: NDArray[np.float64], shuffles: int) -> float:
    """Return the distance of the table of orders from even; `excess` counts a before b, less b before a.

    Two cells that share a card have the covariance 1/3. The part of the table that says which cards tend to
    the top has the variance (n + 1)/3 in each shuffle, the rest 1/3.
    """
    cards = len(excess)
    towards_top = excess.sum(axis=1) / cards
    tendency = towards_top[:, np.newaxis] - towards_top
    rest = excess - tendency
    # Each pair stands in the table twice.
    return float(3 / 2 * ((tendency**2).sum() / (cards + 1) + (rest**2).sum()) / shuffles)


def set_numbers(five: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The number of each set of five ascending cards, by Pascal's combinatorial number system.

    >>> set_numbers(np.array([[0, 47], [1, 48], [2, 49], [3, 50], [4, 51]], np.uint8)).tolist()
    [0, 2598959]
    """
    tables = [np.array([comb(card, size) for card in range(53)]) for size in range(1, 6)]
    numbers: NDArray[np.int64] = sum(
        (table[cards] for table, cards in zip(tables, five, strict=True)), np.zeros(five.shape[1], np.int64)
    )
    return numbers


def hand_numbers(five: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The poker hand of each five cards, in the order of `exact_counts.five_card_hands`.

    >>> quads, royal = [0, 13, 26, 39, 1], [8, 9, 10, 11, 12]
    >>> hand_numbers(np.array([quads, royal], np.uint8).T).tolist()
    [1, 0]
    """
    suits, ranks = np.divmod(five, np.uint8(13))
    equal = np.zeros(five.shape[1], np.intp)
    for one, other in combinations(range(5), 2):
        equal += ranks[one] == ranks[other]
    flush = (suits == suits[0]).all(axis=0)
    straight = _STRAIGHTS[np.bitwise_or.reduce(np.uint16(1) << ranks.astype(np.uint16), axis=0)]
    hands = _HAND_OF_EQUAL_RANKS[equal]
    hands[straight] = 4
    hands[flush] = 3
    hands[flush & straight] = 0
    hands[(five == 52).any(axis=0)] = len(exact_counts.FIVE_CARD_HANDS)
    return hands


# By the number of equal pairs among five ranks: none, one pair, two pair, trips, full house, –, quads, and up to
# ten when the joker, which is left for later, counts as a fifth two.
_HAND_OF_EQUAL_RANKS: Final[NDArray[np.int64]] = np.array([8, 7, 6, 5, 2, -1, 1, -1, -1, -1, -1])
_STRAIGHTS: Final[NDArray[np.bool_]] = np.zeros(1 << 13, np.bool_)
_STRAIGHTS[[0b1_0000_0000_1111, *(0b11111 << low for low in range(9))]] = True
