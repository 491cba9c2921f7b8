"""A shared award is paid to the last cent, as near to fair as whole cents allow."""

from __future__ import annotations

from fractions import Fraction

import pytest

from crossfelt.progressive.split import split_award
from oracles.meter import spread
from properties import given, st

WINNERS = st.dictionaries(st.integers(1, 6), st.integers(1, 100), min_size=1, max_size=6)


@pytest.mark.clause("PGP-25", "PGP-26")
@given(st.integers(0, 10**9), WINNERS, st.booleans())
def test_shares_agree_with_a_second_computation(cents: int, winners: dict[int, int], by_credits: bool) -> None:
    division = split_award(cents, winners, "by_credits" if by_credits else "equally")
    plain = spread(Fraction(cents, 100), list(winners.items()), by_credits)
    assert {seat: Fraction(share, 100) for seat, share in division.shares.items()} == plain
    assert sum(division.shares.values()) == cents
    assert list(division.shares) == list(winners)
    assert 0 <= division.odd_cents < len(winners)
    assert division.odd_cents_to == (next(iter(winners)) if division.odd_cents else 0)


@pytest.mark.parametrize(("cents", "winners"), [(5, {}), (-1, {1: 1}), (5, {1: 0}), (5, {1: -2})])
def test_an_award_that_cannot_be_divided_is_an_error(cents: int, winners: dict[int, int]) -> None:
    with pytest.raises(ValueError, match="cannot be divided"):
        split_award(cents, winners, "equally")
