"""Distribution of work over threads."""

from __future__ import annotations

import threading

import pytest

from crossfelt.kernels import threads
from crossfelt.kernels.threads import in_threads, share_count, share_of
from limits import WAIT_SECONDS


@pytest.fixture(params=[1, 2, 5])
def _processors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "processors", lambda: request.param)


@pytest.mark.usefixtures("_processors")
@pytest.mark.parametrize("shares", [0, 1, 2, 100])
def test_results_come_in_the_order_of_the_shares(shares: int) -> None:
    assert in_threads(lambda share: share * 3, shares) == [share * 3 for share in range(shares)]


@pytest.mark.usefixtures("_processors")
def test_a_failure_in_any_thread_is_raised_and_ends_the_work() -> None:
    begun = []

    def work(share: int) -> None:
        begun.append(share)
        if share == 3:
            raise ValueError("share 3")

    with pytest.raises(ValueError, match="share 3"):
        in_threads(work, 100_000)
    assert len(begun) < 100_000


def test_two_processors_work_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "processors", lambda: 2)
    both = threading.Barrier(2, timeout=WAIT_SECONDS)
    assert sorted(in_threads(lambda share: both.wait(), 2)) == [0, 1]


@pytest.mark.parametrize("items", [0, 1, 99, 1_000_003])
@pytest.mark.parametrize("shares", [1, 3, 16])
def test_each_item_belongs_to_one_share(items: int, shares: int) -> None:
    slices = [share_of(items, share, shares) for share in range(shares)]
    assert [part.start for part in slices] == [0, *(part.stop for part in slices[:-1])]
    assert slices[-1].stop == items


def test_few_items_are_not_shared() -> None:
    assert share_count(0, 100) == share_count(199, 100) == 1
    assert share_count(10**9, 100) > 1
