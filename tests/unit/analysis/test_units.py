"""A game's own word for the stake that results are counted in."""

from __future__ import annotations

from pathlib import Path

from crossfelt.analysis import advise, solve
from crossfelt.analysis.reasons import explain
from crossfelt.reports.sections.strategy import decisions_table
from crossfelt.rulebooks.game import compile_game

LET_IT_RIDE = str(Path(__file__).parents[3] / "examples" / "rulebooks" / "let-it-ride.toml")


def test_the_coach_counts_bets_where_the_game_stakes_bets() -> None:
    game, seen = compile_game(LET_IT_RIDE), {"hole": "Kh Kd 9c"}
    said = str(explain(game, advise(game, hole=seen["hole"]), seen))
    assert " bets" in said
    assert "ante" not in said


def test_a_game_without_a_fold_says_nothing_about_folds() -> None:
    assert "fold" not in str(decisions_table(solve(LET_IT_RIDE)))
