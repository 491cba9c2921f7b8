"""Odds are exact fractions: what they pay, how they compare, and how they are written."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest

from crossfelt.errors import BadInput
from crossfelt.money import Odds
from properties import given, st

parts = st.integers(1, 999_999_999)
words = st.sampled_from(["to", "for"])
stakes = st.integers(0, 10**12)
PUSH = Odds("push")
any_odds = st.one_of(st.builds(lambda a, word, b: Odds(f"{a} {word} {b}"), parts, words, parts), st.just(PUSH))

# --- what they pay ---


@pytest.mark.parametrize(
    ("odds", "stake_cents", "paid_cents", "returns_stake"),
    [
        ("1 to 1", 1000, 1000, True),
        ("3 to 2", 1000, 1500, True),
        ("3 to 2", 25, 37, True),
        ("3 to 2", 1, 1, True),
        ("1 to 3", 2, 0, True),
        ("500 to 1", 500, 250_000, True),
        ("40 for 1", 500, 20_000, False),
        ("push", 1000, 0, True),
        ("7 to 1", 0, 0, True),
    ],
)
def test_pay_of_a_stake(odds: str, stake_cents: int, paid_cents: int, returns_stake: bool) -> None:
    assert Odds(odds).paid(stake_cents) == paid_cents
    assert Odds(odds).returns_stake is returns_stake


@given(parts, words, parts, stakes)
def test_the_payment_is_the_exact_one_rounded_down_to_the_cent(a: int, word: str, b: int, stake: int) -> None:
    odds = Odds(f"{a} {word} {b}")
    exact = Fraction(a, b) * stake
    assert odds.ratio == Fraction(a, b)
    assert 0 <= exact - odds.paid(stake) < 1
    assert type(odds.paid(stake)) is int


@given(any_odds, stakes, stakes)
def test_two_stakes_are_paid_at_most_what_their_sum_is(odds: Odds, first: int, second: int) -> None:
    assert 0 <= odds.paid(first + second) - odds.paid(first) - odds.paid(second) <= 1


@given(parts, parts)
def test_for_one_keeps_the_stake_that_to_one_returns(a: int, b: int) -> None:
    kept, returned = Odds(f"{a} for {b}"), Odds(f"{a} to {b}")
    assert returned.profit - kept.profit == 1
    assert kept < returned


# --- how they compare ---


@given(any_odds, any_odds)
def test_odds_are_ordered_by_the_gain_of_the_player(one: Odds, other: Odds) -> None:
    if one.profit != other.profit:
        assert (one < other) == (one.profit < other.profit)
        assert (one > other) == (one.profit > other.profit)
    assert (one < other) + (one == other) + (one > other) == 1
    assert (one <= other) == (not one > other)


@given(any_odds, any_odds)
def test_equal_odds_are_written_alike_and_hash_alike(one: Odds, other: Odds) -> None:
    assert (one == other) == (str(one) == str(other))
    if one == other:
        assert hash(one) == hash(other)


def test_equal_in_gain_is_not_equal_in_kind() -> None:
    assert Odds("1 to 1").profit == Odds("2 for 1").profit
    assert Odds("1 to 1") != Odds("2 for 1")
    assert Odds("2 for 1") < Odds("1 to 1")
    assert Odds("1 for 1").profit == PUSH.profit
    assert Odds("1 for 1") != PUSH
    assert Odds("1 to 1") != "1 to 1"


# --- how they are written ---


@given(any_odds)
def test_odds_come_back_from_their_text(odds: Odds) -> None:
    assert Odds(str(odds)) == odds
    assert eval(repr(odds), {"Odds": Odds}) == odds
    assert pickle.loads(pickle.dumps(odds)) == odds
    assert copy.deepcopy(odds) == odds


def test_fractions_are_written_in_lowest_terms() -> None:
    assert str(Odds("6 to 4")) == "3 to 2"
    assert Odds("6 to 4") == Odds("3 to 2")
    assert repr(Odds("10 for 5")) == "Odds('2 for 1')"


@given(st.fractions(min_value=0, max_value=10**6, max_denominator=1000))
def test_odds_of_a_ratio(ratio: Fraction) -> None:
    assert Odds.to(ratio).ratio == ratio
    assert Odds.to(ratio).is_push == (ratio == 0)


@pytest.mark.parametrize(
    "text",
    [
        *("", "8:1", "8-1", "8 to", "to 1", "8  to 1", " 8 to 1", "8 to 1 ", "8 to 1\n", "8 TO 1", "Push", "pushes"),
        *("0 to 1", "0 for 1", "8 to 0", "-8 to 1", "8 to -1", "8.5 to 1", "1e3 to 1", "eight to one", "8 to 1 for 1"),
        *("1000000000 to 1", "1 to 1000000000", "٣ to 1", "8 to 01"),
    ],
)
def test_a_text_that_is_not_odds_is_refused_with_the_allowed_forms(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        Odds(text)
    (problem,) = refused.value.problems
    assert (problem.code, problem.value) == ("odds.form", text)
    assert problem.allowed == '"A to B", "A for B" or "push", of nine digits at most'


def test_odds_do_not_change() -> None:
    with pytest.raises(AttributeError, match="is immutable"):
        Odds("3 to 2").ratio = Fraction(5)
    assert PUSH.is_push
    assert not Odds("1 to 9").is_push
