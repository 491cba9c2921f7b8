"""Consequences of irregularities: the engine against a list written from the documents, in every jurisdiction."""

from __future__ import annotations

from typing import Final

import pytest

from crossfelt.play.consequences import ruled_void
from crossfelt.rulebooks.game import compile_game
from crossfelt.training.drills.irregularities import OTHERS, situations
from crossfelt.training.question import Choose
from crossfelt.training.question_set import ask, subjects
from unit.table.manual_double_cross import Double
from unit.table.test_double_cross_irregularities import KINGS
from unit.training.sample_questions import BOOKS, chosen, drilled, game_of

VOID: Final = "The round is void and every wager is returned; the cards are reshuffled"
VOID_DECK: Final = "The round is void and every wager is returned; the deck is removed from the table"
UNDONE: Final = "; wagers already settled are undone"
NOT_USED: Final = "The card is discarded, and the round continues"
NEXT: Final = "The card is used as the next card, and the round continues"
AGAIN: Final = "The cards are reshuffled"
DECK: Final = "The deck is removed from the table"
TOLD: Final = "The floor is notified, and the round continues"
VOID_OR_ON: Final = "The floor decides whether the round continues or the round is void"
LOST_OR_ON: Final = "The floor decides whether the round continues or the wagers are abandoned"
ALL_LOST: Final = "The player loses every wager; the round continues for the others"
COVERED: Final = "The device is covered or marked with a sign until it works again"
REMOVED: Final = "The device is removed until it works again"
VERTICAL_OR_HORIZONTAL: Final = "The floor decides whether the vertical hand is played or the horizontal hand is played"

EVERYWHERE: Final = {
    "card_in_error.any": NEXT,
    "face_up_card.several": VOID,
    "wrong_card_count.player": VOID,
    "wrong_card_count.community": VOID,
    "wrong_card_count.dealer": VOID,
    "shuffler_jam.any": AGAIN,
    "shoe_jam.any": VOID,
    "stub_count_wrong.misdealt": VOID,
    "stub_count_wrong.not_misdealt": VOID_DECK,
    "stub_count_wrong.misdealt_and_wrong_total": VOID_DECK,
    "shuffler_count_wrong.any": DECK,
}
DIFFERS: Final = {
    "nj-criss-cross": {
        "face_up_card.one": VOID,  # N.J.A.C. 13:69F-40.12(a)
        "community_exposed.any": VOID_OR_ON,
        "device_out_of_order.any": COVERED,
        "player_leaves.any": TOLD,
        "conduct_breach.any": TOLD,
    },
    "ma-criss-cross": {
        "face_up_card.one": NOT_USED,  # section 12(a)
        "community_exposed.any": VOID,  # section 12(d)
        "device_out_of_order.any": COVERED,
        "player_leaves.any": LOST_OR_ON,  # section 6(b)
        "conduct_breach.any": TOLD,
    },
    "md-criss-cross": {
        "face_up_card.one": VOID,  # chapter 13
        "community_exposed.any": VOID_OR_ON,
        "device_out_of_order.any": COVERED,
        "player_leaves.any": LOST_OR_ON,  # chapter 7
        "conduct_breach.any": ALL_LOST,  # chapter 11
    },
    "nj-double-cross": {
        "face_up_card.one": NOT_USED,  # N.J.A.C. 19:47-25.12(a)
        "community_exposed.any": VOID_OR_ON,
        "device_out_of_order.any": REMOVED,  # 25.12(f)
        "player_leaves.any": TOLD,
        "conduct_breach.any": TOLD,
        "no_answer.any": "The floor decides whether the round continues or the hand is folded",
        "axis_disagreement.any": VERTICAL_OR_HORIZONTAL,
    },
    "nj-pai-gow": {
        "face_up_card.one": VOID,
        "device_out_of_order.any": REMOVED,
        "player_leaves.any": TOLD,
        "conduct_breach.any": TOLD,
        "no_answer.any": "The floor decides whether the round continues or the hand is set the house way",
    },
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_the_table_does_what_the_document_says(book: str) -> None:
    expected = {**EVERYWHERE, **DIFFERS[book]}
    for subject, question in drilled(book, "happens", numbers=8):
        # Some situations of a void round come after a settlement, which is then undone (AMB-8c).
        assert chosen(question).replace(UNDONE, "") == expected[subject], question.id


@pytest.mark.parametrize(
    ("keeps", "said"),
    [
        (False, "The round is void and every wager is returned; wagers already settled are undone"),
        (True, "The round is void and every open wager is returned; wagers already settled stand"),
    ],
)
def test_a_void_names_the_reading_for_settled_wagers(keeps: bool, said: str) -> None:
    """Two three-card wagers are settled when a card is exposed early, and the floor may void the round (AMB-8c)."""
    play = Double({"settings": {"void_keeps_settled": keeps}}, cards=KINGS).to("decide_play", 1, 2, three=5_00)
    play.report("community_exposed", place="down_near")
    assert ruled_void(play.table, 0).words() == f"{said}; the cards are reshuffled"


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("book", BOOKS)
def test_an_answer_about_a_void_round_says_which_reading_holds(book: str, keeps: bool) -> None:
    game = compile_game(book, {"settings": {"void_keeps_settled": keeps}})
    said = "stand as they were settled, as the submission chooses." if keeps else "are undone: the stake goes back"
    for subject in subjects(game, "happens"):
        question = ask(game, "happens", subject, 0)
        told = f"Wagers settled before a round is found void {said}" in question.explanation.text
        assert told == chosen(question).startswith("The round is void"), question.id


@pytest.mark.parametrize("book", BOOKS)
def test_every_irregularity_of_the_rulebook_is_asked_with_every_clause_it_rests_on(book: str) -> None:
    game = game_of(book)
    asked = set(subjects(game, "happens"))
    for kind, cases in game.book.irregularities.items():
        for case, outcome in cases.items():
            assert f"{kind}.{case}" in asked
            explanation = ask(game, "happens", f"{kind}.{case}", 0).explanation
            assert [clause.id for clause in explanation.clauses] == list(outcome.clauses)
            assert [reading.id for reading in explanation.readings] == list(outcome.readings)
            assert explanation.house_rule == outcome.house_rule
            assert explanation.clauses or explanation.readings or explanation.house_rule


@pytest.mark.parametrize("book", BOOKS)
def test_each_can_happen_at_a_table_and_no_two_answers_are_the_same(book: str) -> None:
    assert all(situations(game_of(book)).values())
    for _, question in drilled(book, "happens", numbers=4):
        assert isinstance(question.answer, Choose)
        assert len(set(question.answer.options)) == len(question.answer.options) == 5


def test_no_two_consequences_have_the_same_words() -> None:
    assert len({follows.words() for follows in OTHERS}) == len(OTHERS)
