"""The guided first hand of each game: its seed, its moves, and the decks after it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from crossfelt.play.bots import careful_player
from crossfelt.play.game_words import decisions
from crossfelt.play.guide import guide_of, tried_wager
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.rulebooks.render.step_phrases import choice_titles
from crossfelt.server.core.lesson import lesson_of, settled_in
from crossfelt.server.core.rng import TableRng
from crossfelt.table.state import new_table

EXAMPLES: Final = Path(__file__).parents[4] / "examples" / "rulebooks"


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_lesson_wins_a_required_bet_and_the_side_bet_it_tries(rulebook: str) -> None:
    game = compile_game(rulebook)
    settled = settled_in(game, lesson_of(game).seed, careful_player)
    tried = tried_wager(game)
    assert tried is not None
    won = {event.wager for event in settled if event.result == "win"}
    assert tried.id in won
    assert any(game.wager(wager).required for wager in won)
    if not game.dealer_places:
        assert any(event.result == "push" for event in settled)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_lesson_advises_at_every_decision(rulebook: str) -> None:
    game = compile_game(rulebook)
    advice = lesson_of(game).advice
    captions = {caption.id: caption.advice for caption in guide_of(game, advice)}
    assert advice
    for step, move in advice.items():
        assert captions[step] == str(move)


@pytest.mark.parametrize("rulebook", ["let-it-ride", "caribbean-stud"])
def test_a_lesson_names_the_buttons_to_press(rulebook: str) -> None:
    game = compile_game(str(EXAMPLES / f"{rulebook}.toml"))
    buttons = [title for step in decisions(game) for title in choice_titles(game, step).values()]
    moves = {move.move for move in lesson_of(game).advice.values()}
    assert moves
    assert moves <= set(buttons)


def test_only_the_first_deck_of_a_lesson_is_fixed() -> None:
    table = new_table(compile_game("nj-pai-gow"))
    one, two = TableRng(lesson_seed=5), TableRng(lesson_seed=5)
    assert one.order(table, "A") == two.order(table, "A")
    assert one.cut(table, 10, 40) == two.cut(table, 10, 40)
    opened = replace(table, round=1)
    assert one.order(opened, "A") != two.order(opened, "A")
    assert TableRng().order(table, "A") != TableRng().order(table, "A")
