"""Drills of games that no code knows: every subject has a question, and the shown cards are enough to answer it."""

from __future__ import annotations

import pytest

from crossfelt.cards import Card
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.play.areas import areas_of
from crossfelt.rulebooks.game import Game
from crossfelt.training.question import CardsShown, ChipsShown, Question
from crossfelt.training.question_set import ask, kinds_of, subjects
from unit.play.strangers import STRANGERS, stranger


@pytest.mark.parametrize("name", STRANGERS)
def test_every_subject_of_every_drill_has_a_question(name: str) -> None:
    game = stranger(name)
    assert kinds_of(game) == ("read", "pay", "order", "happens", "spot")
    for kind in kinds_of(game):
        for subject in subjects(game, kind):
            question = ask(game, kind, subject, 1)
            assert question.right
            assert question.explanation.text.endswith(".")


def cards_shown(game: Game, question: Question) -> dict[str, Card]:
    """Return the shown cards by place."""
    places = {"player": game.hand_places, "dealer": game.dealer_places}
    places |= {area.group.id: area.places for area in areas_of(game) if area.whose == "community"}
    shown = [item for item in question.shown if isinstance(item, CardsShown)]
    return {place: Card(text) for item in shown for place, text in zip(places[item.place], item.cards, strict=True)}


@pytest.mark.parametrize("name", STRANGERS)
def test_a_payment_follows_from_the_cards_and_chips_that_are_shown(name: str) -> None:
    game = stranger(name)
    for subject in subjects(game, "pay"):
        for number in range(2):
            question = ask(game, "pay", subject, number)
            wager = game.wager(subject.partition(".")[0])
            stake = next(it.cents for it in question.shown if isinstance(it, ChipsShown) and it.place == wager.id)
            spot = Spot(cards=cards_shown(game, question))
            due = rules_of(game).settle(wager, stake, spot).paid
            due += sum(bonus.paid for _, bonus in rules_of(game).bonuses(wager, stake, spot))
            assert question.right == (str(due),), question.id
