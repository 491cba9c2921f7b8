"""Many shuffles at once are the shuffles that ship."""

from __future__ import annotations

import numpy as np
import pytest

from crossfelt.cards.shuffle import SEED_BYTES, arrange, repeatable_seed, shuffled
from crossfelt.proof.shuffle_tests import batch_shuffle
from crossfelt.proof.shuffle_tests.batch_shuffle import BATCH, ShippedShuffles, arrange_batch, shuffle_batch, streams


@pytest.mark.parametrize("cards", [2, 3, 7, 43, 51, 52, 53])
def test_each_row_is_what_the_plain_function_gives(cards: int) -> None:
    seeds = next(ShippedShuffles(cards, repeatable_seed(cards)).seeds(2_000))
    orders = shuffle_batch(seeds, cards)
    for row, order in enumerate(orders.tolist()):
        assert tuple(order) == shuffled(range(cards), seeds[row * SEED_BYTES : (row + 1) * SEED_BYTES])


def test_bytes_are_rejected_as_by_the_plain_function() -> None:
    """Rows full of high bytes, which nearly every draw rejects."""
    chance = np.random.default_rng(1)
    rows = np.where(chance.random((100, 3_000)) < 0.9, 255, chance.integers(0, 256, (100, 3_000))).astype(np.uint8)
    orders, used = arrange_batch(rows, 52)
    assert used.max() > 300
    for row, order, taken in zip(rows, orders.tolist(), used.tolist(), strict=True):
        cards = list(range(52))
        source = iter(row.tolist())
        arrange(cards, source)
        assert cards == order
        assert len(list(source)) == len(row) - taken


def test_rows_that_run_out_are_shuffled_from_the_next_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not happen by chance, so a block is made to end early."""
    seeds = next(ShippedShuffles(52, repeatable_seed(7)).seeds(400))
    wanted = [shuffled(range(52), seeds[at : at + SEED_BYTES]) for at in range(0, len(seeds), SEED_BYTES)]
    monkeypatch.setattr(batch_shuffle, "BLOCK_BYTES", 54)
    assert streams(seeds, 52).shape == (400, 54)
    _, used = arrange_batch(streams(seeds, 52), 52)
    assert 0 < np.count_nonzero(used > 54) < 400
    assert list(map(tuple, shuffle_batch(seeds, 52).tolist())) == wanted


def test_a_run_seed_repeats_a_run_and_a_longer_run_begins_alike() -> None:
    short, again, longer = (
        np.concatenate(list(ShippedShuffles(52, repeatable_seed(7)).batches(shuffles)))
        for shuffles in (BATCH + 10, BATCH + 10, 2 * BATCH)
    )
    assert np.array_equal(short, again)
    assert np.array_equal(short, longer[: BATCH + 10])
    assert not np.array_equal(short, np.concatenate(list(ShippedShuffles(52, repeatable_seed(8)).batches(BATCH + 10))))


def test_fresh_runs_differ() -> None:
    one, other = (np.concatenate(list(ShippedShuffles(52).batches(100))) for _ in range(2))
    assert not np.array_equal(one, other)


def test_a_difference_to_the_plain_function_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = ShippedShuffles(52, repeatable_seed(7))
    list(shipped.batches(3_000))
    assert shipped.recomputed == 3
    monkeypatch.setattr(batch_shuffle, "shuffled", lambda cards, seed: tuple(cards))
    with pytest.raises(AssertionError, match="gives another order"):
        list(shipped.batches(1))
