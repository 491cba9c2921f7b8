"""Cents formatted as dollars."""

from __future__ import annotations

import re

import pytest

from crossfelt.money import dollars
from properties import given, st


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "$0"),
        (5, "$0.05"),
        (-5, "-$0.05"),
        (100, "$1"),
        (150, "$1.50"),
        (-150, "-$1.50"),
        (99_999, "$999.99"),
        (100_000, "$1,000"),
        (-5_000_000, "-$50,000"),
        (123_456_789_01, "$123,456,789.01"),
    ],
)
def test_cents_in_words(cents: int, text: str) -> None:
    assert dollars(cents) == text


@given(st.integers(-(10**15), 10**15))
def test_the_amount_can_be_read_back(cents: int) -> None:
    text = dollars(cents)
    assert re.fullmatch(r"-?\$\d{1,3}(,\d{3})*(\.\d\d)?", text)
    whole, _, part = text.strip("-$").replace("$", "").replace(",", "").partition(".")
    size = 100 * int(whole) + int(part or 0)
    assert (-size if text.startswith("-") else size) == cents
