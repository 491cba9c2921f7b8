"""`crossfelt hand`."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner, Result

from crossfelt.cli.hand import hand


def run(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(hand)
    return CliRunner().invoke(app, list(arguments))


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
def test_the_name_and_the_category_are_printed(cards: str, line: str) -> None:
    result = run(cards)
    assert (result.exit_code, result.stdout, result.stderr) == (0, line + "\n", "")


def test_json_has_a_stable_schema() -> None:
    result = run("10d kd Kc 9c 9h", "--json")
    assert json.loads(result.stdout) == {
        "cards": "Td Kd Kc 9c 9h",
        "category": "two_pair",
        "name": "kings and nines",
        "ranks": [11, 7, 8],
    }


def test_bad_input_is_one_line_for_each_problem_and_exit_code_2() -> None:
    result = run("As As 1x Ks")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [
        "hand: not a card: '1x' (allowed: 2c … As, Jk (joker), ?? (face down))",
        "hand: card given more than once: 'As'",
        "hand: wrong number of cards: 4 (allowed: 2, 3, 5, 7)",
    ]


@pytest.mark.parametrize(
    ("cards", "problem"),
    [
        ("", "hand: no cards given (allowed: 2, 3, 5, 7)"),
        ("As Kd Jk", "hand: no joker in this hand: 'Jk' (allowed: 2c … As)"),
        ("As ??", "hand: every card must be known: '??'"),
    ],
)
def test_what_cannot_be_ranked_is_refused(cards: str, problem: str) -> None:
    result = run(cards)
    assert (result.exit_code, result.stderr) == (2, problem + "\n")
