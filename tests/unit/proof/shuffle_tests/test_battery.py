"""The battery passes the shuffle that ships, rejects every bad one, and is rarely wrong about a good one."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import repeat

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import kstest  # type: ignore[import-untyped]

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.proof.shuffle_tests.batch_shuffle import Batch, ShippedShuffles
from crossfelt.proof.shuffle_tests.battery import Battery, BatteryReport, judge
from crossfelt.proof.shuffle_tests.deck_tests import Duplicates, Gaps
from soak_length import Progress, Recorded, scaled
from unit.proof.shuffle_tests.bad_shuffles import BAD, Bytes, good

NOT_UNIFORM = ("whole decks", "duplicates")
"""Tests that find nothing at all in a good shuffle, so that their p-value is always 1."""


def batches_of(orders: Bytes, size: int = 10_000) -> Iterator[Bytes]:
    for first in range(0, len(orders), size):
        yield orders[first : first + size]


@pytest.mark.exhaustive
@pytest.mark.clause("NJC-20", "MAC-7", "MDC-11", "DCP-7")
@pytest.mark.parametrize(("cards", "shuffles"), [(52, 1_000_000), (53, 100_000)])
def test_the_shuffle_that_ships_is_not_rejected(cards: int, shuffles: int) -> None:
    report = judge(ShippedShuffles(cards, repeatable_seed(cards)).batches(shuffles), cards=cards)
    assert report.shuffles == shuffles
    assert all(finding.p_value is not None for finding in report.findings)
    assert [verdict.confidence for verdict in report.verdicts] == [0.99, 0.95]
    assert not report.rejected_at(0.99)
    assert not report.rejected_at(0.95)


@pytest.mark.soak
@pytest.mark.parametrize(("cards", "shuffles"), [(52, 10**8), (53, 10**7)])
def test_fresh_shuffles_are_not_rejected(
    cards: int, shuffles: int, record_property: Recorded, progress: Progress
) -> None:
    wanted, done = scaled(shuffles), 0

    def batches() -> Iterator[Bytes]:
        nonlocal done
        for orders in ShippedShuffles(cards).batches(wanted):
            yield orders
            done += len(orders)
            progress(done, wanted)

    report = judge(batches(), cards=cards)
    print_report(report)
    doubted = "rejected" if report.rejected_at(0.95) else "not rejected"
    record_property("figure", f"{report.shuffles:,} fresh shuffles of {cards} cards; at 95 %: {doubted}")
    assert report.shuffles == wanted
    assert not report.rejected_at(0.99)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", BAD)
def test_a_bad_shuffle_is_rejected(name: str) -> None:
    bad = BAD[name]
    report = judge(batches_of(bad.shuffle(np.random.default_rng(1), bad.shuffles)), cards=52)
    assert report.rejected_at(0.99)
    assert report.rejected_at(0.95)


@pytest.mark.soak
@pytest.mark.parametrize("name", BAD)
def test_a_bad_shuffle_is_rejected_with_any_seed(name: str) -> None:
    bad = BAD[name]
    for seed in range(20):
        report = judge(batches_of(bad.shuffle(np.random.default_rng(seed), bad.shuffles)), cards=52)
        assert report.rejected_at(0.99), f"seed {seed}"


@pytest.mark.exhaustive
def test_another_good_shuffle_is_not_rejected() -> None:
    report = judge(batches_of(good(np.random.default_rng(1), 100_000)), cards=52)
    assert not report.rejected_at(0.95)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("runs", "shuffles"), [(60, 1_500), pytest.param(500, 20_000, marks=pytest.mark.soak)])
def test_the_p_values_of_good_shuffles_are_spread_evenly(runs: int, shuffles: int) -> None:
    """Otherwise the battery would reject good shuffles more often, or bad ones less often, than it says."""
    chance = np.random.default_rng(3)
    found: dict[str, list[float]] = {}
    for _ in range(runs):
        for finding in judge([good(chance, shuffles)], cards=52).findings:
            if finding.p_value is not None and finding.test not in NOT_UNIFORM:
                found.setdefault(finding.test, []).append(finding.p_value)
    uneven = {test: kstest(p_values, "uniform").pvalue for test, p_values in found.items()}
    assert min(uneven.values()) > 0.05 / len(uneven)


@pytest.mark.exhaustive
def test_a_report_does_not_depend_on_how_shuffles_come_in_batches() -> None:
    orders = good(np.random.default_rng(1), 30_001)
    assert judge(batches_of(orders, 30_001), cards=52) == judge(batches_of(orders, 997), cards=52)
    assert judge([orders[:0], orders, orders[:0]], cards=52) == judge([orders[:1], orders[1:]], cards=52)


def test_tests_that_need_more_shuffles_say_so() -> None:
    report = judge([good(np.random.default_rng(1), 1_000)], cards=52)
    missing = {finding.test: finding.needs for finding in report.findings if finding.p_value is None}
    assert missing == {"first two cards": 13_260, "first five, sets": 7_211, "successive top cards": 13_521}
    for shuffles in set(missing.values()):
        assert shuffles is not None
        findings = judge([good(np.random.default_rng(1), shuffles)], cards=52).findings
        made = {finding.test for finding in findings if finding.p_value is not None}
        assert made >= {test for test, needs in missing.items() if needs == shuffles}


def test_all_tests_share_the_errors_that_are_allowed() -> None:
    report = judge([good(np.random.default_rng(1), 20_000)], cards=52)
    strict, lenient = report.verdicts
    assert strict.threshold == pytest.approx(0.01 / 18)
    assert lenient.threshold == pytest.approx(0.05 / 18)


@pytest.mark.parametrize("cards", [51, 54])
def test_only_decks_that_are_played_with_are_tested(cards: int) -> None:
    with pytest.raises(BadInput, match="no deck of this size"):
        Battery(cards)


@pytest.mark.exhaustive
def test_memory_does_not_grow_with_the_shuffles() -> None:
    battery = Battery(52)
    orders = good(np.random.default_rng(1), 2_000)
    battery.add(orders)
    tracemalloc.start()
    for batch in repeat(orders, 20):
        battery.add(batch)
    before = tracemalloc.get_traced_memory()[0]
    for batch in repeat(orders, 20):
        battery.add(batch)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    # Only fingerprints that wait to be merged: eight bytes for each shuffle, and no more than half a million.
    assert grown < 20 * 2_000 * 8 + 100_000


def test_duplicates_are_found_when_not_every_fingerprint_is_kept() -> None:
    chance = np.random.default_rng(1)
    once, twice = good(chance, 40_000), good(chance, 4_000)
    duplicates = Duplicates(52, most=1_000)
    for orders in (twice, *batches_of(once), twice):
        duplicates.add(Batch(orders, None))
    (finding,) = duplicates.findings()
    assert len(duplicates.kept) <= 1_000
    # One in 64 is kept.
    assert finding.measures == "pairs of identical shuffles among 1 in 64"
    assert 4_000 / 64 / 2 < (finding.statistic or 0) < 4_000 / 64 * 2
    assert finding.p_value == pytest.approx(0.0, abs=1e-100)


def test_one_shuffle_repeated_for_ever_does_not_fill_the_memory_nor_escape() -> None:
    duplicates = Duplicates(52, most=1_000)
    orders = np.repeat(good(np.random.default_rng(1), 1), 5_000, axis=0)
    duplicates.add(Batch(orders, None))
    (finding,) = duplicates.findings()
    assert finding.statistic == 5_000 * 4_999 // 2
    assert len(duplicates.kept) == 1


def test_gaps_are_counted_across_batches() -> None:
    deck = np.arange(52, dtype=np.uint8)
    marked, other = deck, np.roll(deck, -20)
    orders = np.array([other, marked, marked, other, other, other, marked, other, marked])
    for size in range(1, len(orders) + 1):
        gaps = Gaps(52)
        for batch in batches_of(orders, size):
            gaps.add(Batch(batch, None))
        assert gaps.counts[:5].tolist() == [1, 1, 0, 1, 0]
        assert gaps.counts.sum() == 3


def successive(orders: list[NDArray[np.uint8]]) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    before: NDArray[np.uint8] | None = None
    for batch in orders:
        earlier, later = Batch(batch, before).successive
        pairs += zip(earlier[0].tolist(), later[0].tolist(), strict=True)
        before = batch[-1]
    return pairs


def test_successive_shuffles_are_paired_across_batches() -> None:
    orders = np.array([[card, 51 - card] for card in range(7)], np.uint8)
    wanted = [(card, card + 1) for card in range(6)]
    for size in range(1, 8):
        assert successive(list(batches_of(orders, size))) == wanted


def print_report(report: BatteryReport) -> None:
    for finding in report.findings:
        print(f"{finding.test}: {finding.statistic} p {finding.p_value}")
