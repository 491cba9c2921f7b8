"""All tests together, and what they say of a shuffle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
import numpy as np

from crossfelt.cards import deck_of
from crossfelt.proof.shuffle_tests.batch_shuffle import Batch, Bytes, whole_decks
from crossfelt.proof.shuffle_tests.deck_tests import (
    Duplicates,
    FirstFive,
    FirstTwo,
    Gaps,
    Neighbours,
    Orders,
    Positions,
    ShuffleTest,
    TopCards,
    marked_cards,
)
from crossfelt.proof.shuffle_tests.result import ShuffleTestResult

CONFIDENCES: Final = (0.99, 0.95)
FEWEST_SHUFFLES: Final = 1_000


class BatteryVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """A verdict: a perfect shuffle would look as odd as this less often than the confidence allows.

    The tests are judged together: each has an equal share of the allowed errors (Bonferroni, which holds for any
    dependence between the tests).
    """

    confidence: float
    threshold: float
    """The p-value below which one test alone rejects the shuffle."""
    rejected: bool
    by: tuple[str, ...]


class BatteryReport(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of the battery."""

    cards: int
    shuffles: int
    findings: tuple[ShuffleTestResult, ...]
    verdicts: tuple[BatteryVerdict, ...]
    smallest_p_value: float
    below_five_percent: int
    """Tests with a p-value below 0.05; of twenty tests of a perfect shuffle, one on average."""

    def rejected_at(self, confidence: float) -> bool:
        """Say if the shuffle is rejected at this confidence, 0.99 or 0.95."""
        return next(verdict.rejected for verdict in self.verdicts if verdict.confidence == confidence)


class Battery:
    """Every test, fed batch by batch; its memory does not grow with the number of shuffles.

    >>> from crossfelt.proof.shuffle_tests.batch_shuffle import ShippedShuffles
    >>> report = judge(ShippedShuffles(52, repeatable_seed(7)).batches(2_000), cards=52)
    >>> report.rejected_at(0.99), report.rejected_at(0.95), len(report.findings)
    (False, False, 18)
    """

    def __init__(self, cards: int) -> None:
        self.cards = len(deck_of(cards))
        self.shuffles = 0
        self.faulty = 0
        self._last: Bytes | None = None
        self._tests: tuple[ShuffleTest, ...] = (
            Positions(cards),
            FirstTwo(cards),
            FirstFive(cards),
            Neighbours(cards),
            Orders(cards),
            *marked_cards(cards),
            TopCards(cards),
            Gaps(cards),
            Duplicates(cards),
        )

    def add(self, orders: Bytes) -> None:
        """Count these shuffles: a row for each, with each card's place in a new deck, the top card first."""
        whole = whole_decks(orders)
        self.shuffles += len(orders)
        self.faulty += int(np.count_nonzero(~whole))
        if not whole.any():
            return
        batch = Batch(orders[whole], self._last)
        for test in self._tests:
            test.add(batch)
        self._last = batch.card_at[:, -1].copy()

    def report(self) -> BatteryReport:
        whole = ShuffleTestResult(
            test="whole decks",
            measures="shuffles that do not hold each card once",
            sample=self.shuffles,
            kind="decks",
            statistic=self.faulty,
            expected=0.0,
            tails="upper",
            p_value=0.0 if self.faulty else 1.0,
        )
        findings = (whole, *(finding for test in self._tests for finding in test.findings()))
        p_values = [finding.p_value for finding in findings if finding.p_value is not None]
        return BatteryReport(
            cards=self.cards,
            shuffles=self.shuffles,
            findings=findings,
            verdicts=tuple(verdict(findings, confidence) for confidence in CONFIDENCES),
            smallest_p_value=min(p_values),
            below_five_percent=sum(p_value < 0.05 for p_value in p_values),
        )


def verdict(findings: Iterable[ShuffleTestResult], confidence: float) -> BatteryVerdict:
    """The findings judged together at a confidence."""
    made = [finding for finding in findings if finding.p_value is not None]
    threshold = (1 - confidence) / len(made)
    by = tuple(finding.test for finding in made if finding.p_value is not None and finding.p_value < threshold)
    return BatteryVerdict(confidence=confidence, threshold=threshold, rejected=bool(by), by=by)


def judge(batches: Iterable[Bytes], *, cards: int) -> BatteryReport:
    """Feed all batches to a new battery, and let it report."""
    battery = Battery(cards)
    for orders in batches:
        battery.add(orders)
    return battery.report()
