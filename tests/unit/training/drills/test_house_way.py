"""The house way, against house ways written out branch by branch."""

from __future__ import annotations

import pytest

from crossfelt.rulebooks.game import compile_game
from crossfelt.training.question_set import ask, kinds_of, subjects
from oracles import house_ways
from unit.training.sample_questions import BOOKS, cards_of, game_of

ORACLES = {"trump_plaza": house_ways.trump_plaza, "foxwoods": house_ways.foxwoods}


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", ORACLES)
@pytest.mark.parametrize("questions", [4, pytest.param(12, marks=pytest.mark.soak)])
def test_the_two_cards_in_front_are_the_oracles_for_every_rule(way: str, questions: int) -> None:
    game = compile_game("nj-pai-gow", {"house_way": way})
    for subject in subjects(game, "set"):
        for number in range(questions):
            question = ask(game, "set", subject, number)
            front = ORACLES[way](cards_of(question)["hand"])
            for right in question.right:
                assert house_ways.faces_of(right.split()) == front, question


def test_the_explanation_names_the_rule() -> None:
    game = game_of("nj-pai-gow")
    assert game.house_way is not None
    says = {rule.id: rule.says for rule in game.house_way.rules}
    for subject in subjects(game, "set"):
        assert ask(game, "set", subject, 0).explanation.text.startswith(says[subject])


def test_only_a_game_with_a_house_way_has_the_drill() -> None:
    assert [book for book in BOOKS if "set" in kinds_of(game_of(book))] == ["nj-pai-gow"]
