"""Tests of successive shuffles: dependence between them, and repetition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.shuffle import Chance, repeatable_seed
from crossfelt.proof.shuffle_tests.batch_shuffle import Batch
from crossfelt.proof.shuffle_tests.result import ShuffleTestResult, chi_square, coincidences, frequencies, too_few

_LONGEST_GAP: Final = 200
_MOST_FINGERPRINTS: Final = 1 << 21


class TopCards:
    """The top card, and the top card of the next shuffle."""

    def __init__(self, cards: int) -> None:
        self.counts = np.zeros((cards, cards), np.int64)

    def add(self, batch: Batch) -> None:
        cards = batch.cards
        earlier, later = batch.successive
        pairs = earlier[0].astype(np.int64) * cards + later[0]
        self.counts += np.bincount(pairs, minlength=cards**2).reshape(cards, cards)

    def findings(self) -> Iterator[ShuffleTestResult]:
        test, measures = "successive top cards", "how often each top card is followed by each, in the next shuffle"
        cards = len(self.counts)
        sample = int(self.counts.sum())
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
