"""Random deals for simulation."""

from __future__ import annotations

import numpy as np
import pytest

from crossfelt.errors import BadInput
from crossfelt.kernels.random_deals import deals, draws, stream_state

WORD = (1 << 64) - 1


def _plain_words(stream: str, count: int) -> list[int]:
    """Implement xoshiro256++ again, from its description."""
    s = [int(word) for word in stream_state(stream)]
    words = []
    for _ in range(count):
        total = s[0] + s[3] & WORD
        words.append(((total << 23 | total >> 41) & WORD) + s[0] & WORD)
        shifted = s[1] << 17 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = (s[3] << 45 | s[3] >> 19) & WORD
    return words


def test_a_deal_is_a_partial_shuffle_by_the_described_generator() -> None:
    words = iter(_plain_words("oracle", 1000))
    deck = list(range(52))
    for row in deals("oracle", 20, 9, 52).tolist():
        for place in range(9):
            bound = 52 - place
            while True:
                product = (next(words) >> 32) * bound
                if product % (1 << 32) >= (1 << 32) % bound:
                    break
            other = place + (product >> 32)
            deck[place], deck[other] = deck[other], deck[place]
        assert row == deck[:9]


def test_cards_of_a_deal_are_different_and_of_the_deck() -> None:
    dealt = np.sort(deals("x", 5000, 53, 53), axis=1)
    assert (dealt == np.arange(53)).all()


def test_every_card_comes_everywhere_equally_often() -> None:
    rounds = 200_000
    dealt = deals("even", rounds, 7, 52)
    for place in range(7):
        counts = np.bincount(dealt[:, place], minlength=52)
        chi_square = ((counts - rounds / 52) ** 2 / (rounds / 52)).sum()
        assert 15 < chi_square < 110  # 51 degrees of freedom: exceeded once in a hundred thousand


def test_streams_differ_and_repeat() -> None:
    assert (deals("a", 100, 5, 52) == deals("a", 100, 5, 52)).all()
    assert (deals("a", 100, 5, 52) != deals("b", 100, 5, 52)).any()


def test_a_longer_deal_begins_with_the_shorter_one() -> None:
    assert (deals("a", 1000, 5, 52)[:10] == deals("a", 10, 5, 52)).all()


def test_numbers_below_a_bound_are_even() -> None:
    counts = np.bincount(draws("n", 300_000, 6), minlength=6)
    assert ((counts - 50_000) ** 2 / 50_000).sum() < 30


@pytest.mark.parametrize(("cards", "deck"), [(0, 52), (53, 52), (5, 54)])
def test_impossible_deals_are_refused(cards: int, deck: int) -> None:
    with pytest.raises(BadInput, match="no such deal"):
        deals("a", 1, cards, deck)


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(BadInput, match="no such range"):
        draws("a", 1, 0)
