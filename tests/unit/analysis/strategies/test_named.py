"""Strategies by name: their counts are kept on disk, and found again."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from crossfelt.analysis.solution import Solution
from crossfelt.analysis.strategies import evaluate
from crossfelt.analysis.strategies.named import read_strategy, solve_named
from crossfelt.kernels import array_cache
from crossfelt.rulebooks.game import compile_game

GAMES = {
    "_by_streets": Path(__file__).parents[4] / "examples" / "rulebooks" / "mississippi-stud.toml",
    "_against_dealer": Path(__file__).parents[4] / "examples" / "rulebooks" / "three-card-poker.toml",
    "_on_boards": files("crossfelt.analysis").joinpath("samples", "shared_board.toml"),
}
"""A game for each way of counting."""


def figures(found: Solution) -> tuple[object, ...]:
    return found.ev, found.average_total_wagered, found.variance, found.decisions, found.distribution


@pytest.mark.parametrize("way", GAMES)
def test_the_counts_of_a_named_strategy_are_found_again(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(array_cache, "array_directory", lambda: tmp_path)
    game = compile_game(str(GAMES[way]))
    best = read_strategy(game, "optimal")
    counted: list[str] = []
    count = getattr(evaluate, way)

    def counting(*asked: Any) -> Any:
        counted.append(way)
        return count(*asked)

    monkeypatch.setattr(evaluate, way, counting)
    first, again = solve_named(game, best), solve_named(game, best)
    assert counted == [way]
    assert figures(first) == figures(again)
    solve_named(game, best._replace(kept=False))
    assert counted == [way, way]


def test_a_file_is_counted_anew_because_its_content_may_change(tmp_path: Path) -> None:
    game = compile_game(str(GAMES["_against_dealer"]))
    file = tmp_path / "mine.py"
    file.write_text("def play(seen):\n    return 'fold'\n", encoding="utf-8")
    assert not read_strategy(game, f"{file}:play").kept
