"""Submissions, payout limits and exposure of rulebooks that are not in the package."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.render.template import template
from crossfelt.rulebooks.render.text import exposure_words

ROOT = Path(__file__).parents[3]
STRANGERS = sorted((ROOT / "examples" / "rulebooks").glob("*.toml"))
OTHER_STATE = ROOT / "tests" / "data" / "rulebooks" / "other-state.toml"
LIMIT = """
[[payout_limit]]
rule = "at_least"
optional = true
amount_cents = 1_000
covers = ["ante", "play"]
outside = ["pair_plus", "six_card"]

[[choice]]
path = "payout_limit.amount_cents"
title = "Payout limit for one player in one round"
kind = "cents"
min = 1
"""


@pytest.mark.parametrize("file", [*STRANGERS, OTHER_STATE], ids=lambda file: file.stem)
def test_the_submission_of_any_rulebook_can_be_filed_unchanged(file: Path) -> None:
    stated = tomllib.loads(template(load(str(file))))
    assert stated.pop("rulebook")
    assert compile_game(str(file), stated).exposure.exact


def test_a_payout_limit_of_a_stranger_s_game_depends_on_its_exposure(tmp_path: Path) -> None:
    """Seven antes of $5: a straight flush against a dealer who qualifies."""
    text = (ROOT / "examples" / "rulebooks" / "three-card-poker.toml").read_text()
    file = tmp_path / "limited.toml"
    file.write_text(text + LIMIT)
    game = compile_game(str(file))
    assert game.limit_cents(game.book.payout_limits[0]) is None
    assert game.limit_figure(game.book.payout_limits[0]) == 7 * 5_00
    words = exposure_words(game, game.book.payout_limits[0], game.exposure)
    assert words.startswith("the most one patron could win at the minimum wager is $35, 7 times the smallest ante ($5)")
    assert compile_game(str(file), {"payout_limit": {"amount_cents": 35_00}}).limit_on("play") == 35_00
    with pytest.raises(BadInput, match="the payout limit must be at least"):
        compile_game(str(file), {"payout_limit": {"amount_cents": 34_99}})


def test_the_other_state_s_limit_is_that_of_bets_at_one_ante() -> None:
    game = compile_game(str(OTHER_STATE), {"wagers": {"ante": {"min_cents": 100_00}}})
    assert game.exposure.cents == 1_102 * 100_00
    assert game.limit_on("middle") == 1_102 * 100_00
