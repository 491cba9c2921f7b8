"""A problem is printed in one readable line."""

from __future__ import annotations

import pytest

from crossfelt.errors import LONGEST_VALUE, Problem


@pytest.mark.parametrize(
    ("sign", "escaped"),
    [
        ("\n", r"\n"),
        ("\r", r"\r"),
        ("\x1b[31m", r"\x1b[31m"),
        ("\0", r"\x00"),
        ("\u2028", r"\u2028"),
        ("\ud800", r"\ud800"),
    ],
)
def test_control_characters_are_escaped(sign: str, escaped: str) -> None:
    problem = Problem(code="x", where=f"a{sign}b", what=f"c{sign}d", value=f"e{sign}f", allowed=f"g{sign}h")
    assert str(problem) == f"a{escaped}b: c{escaped}d: 'e{escaped}f' (allowed: g{escaped}h)"


def test_other_scripts_are_kept() -> None:
    assert str(Problem(code="x", what="no such wager", value="anté ♠ 役")) == "no such wager: 'anté ♠ 役'"


@pytest.mark.parametrize("value", ["é" * 3000, 10**400])
def test_a_value_that_is_too_long_is_cut(value: str | int) -> None:
    told = str(Problem(code="x", what="too much", value=value)).removeprefix("too much: ").strip("'")
    assert (told[:-1], told[-1]) == (str(value)[: LONGEST_VALUE - 1], "…")
