"""Games with forms that no example has go through the commands that read the whole rulebook."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Crossfelt = Callable[..., Any]
FILES = Path(__file__).parents[2] / "data" / "rulebooks"


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("caribbean-holdem", "five-board")),
        *("second-chance", "two-dealers", "wheel-stud"),
    ],
)
def test_a_game_is_shown_submitted_and_simulated(crossfelt: Crossfelt, tmp_path: Path, name: str) -> None:
    file, form = FILES / f"{name}.toml", tmp_path / "form.toml"
    assert crossfelt("rulebook", "show", file).code == 0
    assert crossfelt("submission", "new", file, "--out", form).code == 0
    assert crossfelt("submission", "check", form).code == 0
    played = crossfelt("simulate", file, "--rounds", 120, "--workers", 1)
    assert played.code == 0, played.err
    assert "of the rounds were replayed on the table engine: all agree" in played.out


def test_the_table_plays_what_the_simulator_cannot(crossfelt: Crossfelt) -> None:
    played = crossfelt("simulate", FILES / "good-hands.toml", "--rounds", 120, "--workers", 1)
    assert (played.code, "The table played every round" in played.out) == (0, True)


def test_the_mark_that_the_file_names_spins_the_wheel(crossfelt: Crossfelt) -> None:
    shown = " ".join(crossfelt("rulebook", "show", FILES / "wheel-stud.toml").out.split())
    assert "Lucky Wheel: Three cards with straight or better spins the wheel." in shown
    played = crossfelt("simulate", FILES / "wheel-stud.toml", "--rounds", 120, "--workers", 1).out
    assert "win" in played.partition("lucky_wheel  ")[2]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("good-hands", "the decision more passes over some hands"),
        ("two-dealers", "the dealer has several hands"),
    ],
)
def test_what_is_not_solved_is_said_by_name(crossfelt: Crossfelt, name: str, why: str) -> None:
    solved = crossfelt("solve", FILES / f"{name}.toml")
    assert (solved.code, f"no exact solution: {why}" in solved.err) == (2, True)
