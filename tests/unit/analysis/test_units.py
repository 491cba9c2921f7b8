"""A game's own words for the stake that results are counted in, and for the choices."""

from __future__ import annotations

from pathlib import Path

from crossfelt.analysis import advise, solve
from crossfelt.analysis.reasons import explain
from crossfelt.reports.sections.strategy import decisions_table
from crossfelt.rulebooks.game import compile_game

EXAMPLES = Path(__file__).parents[3] / "examples" / "rulebooks"
LET_IT_RIDE = str(EXAMPLES / "let-it-ride.toml")


def test_the_coach_counts_bets_where_the_game_stakes_bets() -> None:
    game, seen = compile_game(LET_IT_RIDE), {"hole": "Kh Kd 9c"}
    said = str(explain(game, advise(game, hole=seen["hole"]), seen))
    assert " bets" in said
    assert "ante" not in said


def test_a_game_without_a_fold_says_nothing_about_folds() -> None:
    assert "fold" not in str(decisions_table(solve(LET_IT_RIDE)))


def test_the_coach_names_choices_as_the_buttons_do() -> None:
    game, seen = compile_game(LET_IT_RIDE), {"hole": "Kh Kd 9c"}
    told = explain(game, advise(game, hole=seen["hole"]), seen, 500)
    assert told.titles == {"withdraw": "Take back bet 1", "check": "Let it ride"}
    assert told.verdicts["withdraw"].endswith(": “Let it ride” was best")
    last = explain(game, advise(game, hole="Kh Qd 9c", street="2s"), {"hole": "Kh Qd 9c", "street": "2s"}, 500)
    assert "cards win bet 2 and" in last.cards[0]
    game, seen = compile_game(str(EXAMPLES / "three-card-poker.toml")), {"hole": "Kh Qh 9h"}
    told = explain(game, advise(game, hole=seen["hole"]), seen, 500)
    assert told.titles == {"bet": "Play", "fold": "Fold"}
    assert told.verdicts["fold"].endswith(": “Play” was best")
    assert told.cards[0] == "You have a king-high flush."
