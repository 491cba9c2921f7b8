"""`crossfelt hand`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Crossfelt = Callable[..., Any]


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("As Ks Qs Js Ts", "royal flush (royal_flush)"),
        ("KdKc9h", "pair of kings (one_pair)"),
        ("Kd, Qc", "king-queen (high_card)"),
        ("Jk Qc", "ace-queen (high_card)"),
        ("As 2d 3c 4h 5s", "five-high straight (straight)"),
        ("As 2d 3c 4h Jk", "ace-to-five straight (straight)"),
        ("As Ad Ac Ah Jk 2c 3d", "five aces (five_aces)"),
        ("9s 9d 9c 4h 4d 2c 3d", "nines full of fours (full_house)"),
    ],
)
def test_the_name_and_the_category_are_printed(crossfelt: Crossfelt, cards: str, line: str) -> None:
    outcome = crossfelt("hand", cards)
    assert (outcome.code, outcome.out, outcome.err) == (0, line + "\n", "")


def test_json_has_a_stable_schema(crossfelt: Crossfelt) -> None:
    assert crossfelt("hand", "10d kd Kc 9c 9h", "--json").json == {
        "cards": "Td Kd Kc 9c 9h",
        "category": "two_pair",
        "name": "kings and nines",
        "ranks": [11, 7, 8],
    }


def test_bad_input_is_one_line_for_each_problem_and_exit_code_2(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("hand", "As As 1x Ks")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.errors == [
        "hand: not a card: '1x' (allowed: 2c … As; Jk (joker) in two, five or seven cards)",
        "hand: card given more than once: 'As'",
        "hand: wrong number of cards: 4 (allowed: 2, 3, 5, 7)",
    ]


@pytest.mark.parametrize(
    ("cards", "problem"),
    [
        ("", "hand: no cards given (allowed: 2, 3, 5, 7)"),
        ("As Kd Jk", "hand: no joker in this hand: 'Jk' (allowed: 2c … As)"),
        ("As ??", "hand: every card must be known: '??'"),
        (
            "Kſ Ks Qs Js Ts",
            "hand: not a card: 'Kſ' (allowed: 2c … As; Jk (joker) in two, five or seven cards)",
        ),
        (
            "\u212as Qs Js Ts 9s",
            "hand: not a card: '\u212as' (allowed: 2c … As; Jk (joker) in two, five or seven cards)",
        ),
    ],
)
def test_what_cannot_be_ranked_is_refused(crossfelt: Crossfelt, cards: str, problem: str) -> None:
    outcome = crossfelt("hand", cards)
    assert (outcome.code, outcome.err) == (2, problem + "\n")
