"""Strategies that a user writes: three forms with the same figures, and refusals in one line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.strategies.evaluate import solve_with
from crossfelt.analysis.strategies.functions import read_function
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game, compile_game

BOOKS: Final = Path(__file__).parents[4] / "examples" / "rulebooks"
FORMS: Final = """
import numba
import numpy as np

def arrays(seen):
    ranks = seen.cards["hole"] // 4
    good = (ranks.max(axis=1) >= 9) | (ranks[:, 0] == ranks[:, 1])
    return np.where(good, len(seen.options) - 1, 0)

def by_hand(cards, options):
    high, low = cards["hole"]
    return options[-1] if max(high.rank, low.rank) >= 9 or high.rank == low.rank else options[0]

@numba.njit
def compiled(decision, cards, stakes):
    high, low = cards[0] // 4, cards[1] // 4
    return 3 if max(high, low) >= 9 or high == low else 0

from numba import njit

def shape(seen): return 1
def kind(seen): return np.ones(seen.rounds)
def value(seen): return np.full(seen.rounds, 9)
def fails(seen): return seen.cards["nothing"]
def named(cards): return "7x"
def parameters(a, b): return 1
def ordered(seen): return (seen.cards["hole_1"] > seen.cards["hole_2"]).astype(int)
def peeks(seen): return seen.hand("final")
"""


QUEEN_SIX_FOUR: Final = """
import numpy as np

def play(seen):
    low, middle, high = np.sort(seen.cards["hole"] // 4, axis=1).T
    suits = seen.cards_of("three") % 4
    made = (low == middle) | (middle == high) | (high - low == 2) | np.all(suits == suits[:, :1], axis=1)
    return (made | (high * 169 + middle * 13 + low >= 10 * 169 + 4 * 13 + 2)).astype(int)
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return compile_game(str(BOOKS / "mississippi-stud.toml"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FORMS, "utf-8")
    return path


def value(game: Game, text: str) -> Fraction:
    return solve_with(game, read_function(text), text).ev


def test_a_function_of_arrays_of_hands_and_a_compiled_one_have_the_same_exact_value(game: Game, file: Path) -> None:
    arrays, by_hand, compiled = (value(game, f"{file}:{name}") for name in ("arrays", "by_hand", "compiled"))
    assert arrays == by_hand == compiled


def test_the_known_rule_of_three_card_poker_in_plain_arithmetic_is_best_play(tmp_path: Path) -> None:
    """Ranks times 169 need more than the eight bits of a card."""
    file = tmp_path / "mine.py"
    file.write_text(QUEEN_SIX_FOUR, "utf-8")
    game = compile_game(str(BOOKS / "three-card-poker.toml"))
    assert value(game, f"{file}:play") == solve(game).ev


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("shape", "another shape at third: '()' (allowed: 169 integers"),
        ("kind", "another type at third: 'float64'"),
        ("value", "no such choice at third: '9' (allowed: 0 fold, 1 1x, 2 2x, 3 3x)"),
        ("fails", "fails at third in line 24: KeyError: 'nothing'"),
        ("named", "no such choice at third: '7x' (allowed: fold, 1x, 2x, 3x)"),
        ("parameters", "the function has other parameters: 'a, b' (allowed: one parameter, seen"),
        ("ordered", "the choice at third depends on the order of cards that are turned up together"),
        ("peeks", "the hand final is not complete before third: street_1, street_2, street_3 face down"),
        ("missing", "the file has no function missing (allowed: arrays, by_hand, compiled, shape, "),
    ],
)
def test_a_wrong_strategy_is_refused_in_one_line(game: Game, file: Path, name: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        value(game, f"{file}:{name}")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_names_that_a_file_imports_are_not_offered_as_its_functions(file: Path) -> None:
    with pytest.raises(BadInput, match="no function missing") as refused:
        read_function(f"{file}:missing")
    assert "njit" not in str(refused.value)


def test_a_file_that_is_missing_or_fails_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read_function(f"{tmp_path}/missing.py:play")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("x = 1\nx +\n", "utf-8")
    with pytest.raises(BadInput, match="the file fails in line 2: SyntaxError"):
        read_function(f"{wrong}:play")
