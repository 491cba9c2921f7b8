"""Properties of every question of every drill in every rulebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.clauses import clauses
from crossfelt.rulebooks.game import compile_game
from crossfelt.training.answers import allowed, grade, in_words, read_answer
from crossfelt.training.progress import DrillProgress
from crossfelt.training.question import DRILLS, Arrange, Choose, Face, Pick, Question, Questions, schema
from crossfelt.training.question_set import ask, draw_set, find, kinds_of, subjects
from soak_length import one_of_each_game
from unit.table.manual_table import low_limit
from unit.training.sample_questions import BOOKS, drilled, game_of

SCHEMA = Path(__file__).parents[3] / "docs" / "training.schema.json"


VARIANTS: Final[list[tuple[str, dict[str, Any]]]] = [
    ("nj-pai-gow", {"settings": {"ez_variation": True}, "wagers": {"queens_dragon": {"offered": True}}}),
    ("nj-pai-gow", {"settings": {"commission_rounding": "up_to_25c"}, "house_way": "foxwoods"}),
    ("md-criss-cross", {"wagers": {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True}}}),
    ("md-criss-cross", {**low_limit(90_00), "settings": {"md_antes_at_table": True}}),
    (
        "nj-criss-cross",
        {"settings": {"whole_multiples_only": True}, "dealing": {"method": "hand", "shuffler": "counting"}},
    ),
    ("nj-criss-cross", {"wagers": {"bonus_spin": {"paytable": "5"}, "five_card_bonus": {"offered": False}}}),
    ("ma-criss-cross", {"wagers": {"ante": {"min_cents": 250, "max_cents": 300_00, "step_cents": 250}}}),
    ("nj-double-cross", {"pays": {"raise": {"flush": "9 to 1"}}, "wagers": {"three_card": {"offered": False}}}),
]


def every_question(book: str, numbers: int = 1) -> list[Question]:
    return [question for kind in kinds_of(game_of(book)) for _, question in drilled(book, kind, numbers)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_exactly_the_right_answers_are_marked_right(book: str) -> None:
    for question in every_question(book):
        for right in question.right:
            typed = f"{int(right) / 100:.2f}" if question.kind == "pay" else right
            assert grade(question, typed).right
        if isinstance(question.answer, Choose):
            others = [str(n) for n in range(1, len(question.answer.options) + 1) if str(n) not in question.right]
            assert not any(grade(question, other).right for other in others)
            assert len(question.right) == 1
            if question.kind != "spot":  # a round may have the same line twice; only one of them is wrong
                assert len(set(question.answer.options)) == len(question.answer.options)
        if isinstance(question.answer, Arrange):
            backwards = " ".join(reversed(question.right[0].split()))
            assert not grade(question, backwards).right
            assert len(set(question.answer.items)) == len(question.answer.items)


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_every_answer_rests_on_something_that_exists(book: str) -> None:
    for question in every_question(book):
        why = question.explanation
        assert why.text.endswith(".")
        assert why.clauses or why.readings or why.house_rule, question.id
        for cited in why.clauses:
            assert cited.citation == clauses()[cited.id].citation


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_a_question_is_found_again_by_its_id_and_goes_through_json_unchanged(book: str) -> None:
    for question in every_question(book):
        assert find(game_of(book), question.id) == question
        made = Questions(seed=1, questions=(question,))
        assert msgspec.json.decode(msgspec.json.encode(made), type=Questions) == made


@pytest.mark.exhaustive
@pytest.mark.parametrize(("book", "stated"), VARIANTS, ids=lambda value: value if isinstance(value, str) else "")
def test_an_operators_own_rules_can_be_practised(book: str, stated: dict[str, Any]) -> None:
    game = compile_game(book, stated)
    for kind in kinds_of(game):
        for subject in subjects(game, kind):
            assert ask(game, kind, subject, 1).right


def test_the_face_of_a_question_tells_nothing_of_its_answer() -> None:
    question = ask(game_of("nj-criss-cross"), "pay", "middle.straight", 3)
    told = msgspec.json.decode(msgspec.json.encode(question.face))
    assert "right" not in told
    assert "explanation" not in told
    assert msgspec.convert(told, Face) == question.face


@pytest.mark.parametrize(
    "wrong",
    [
        "x",
        "nj-criss-cross/pay/middle.straight",
        "nj-criss-cross/pay/none/1",
        "ma-criss-cross/pay/middle.straight/1",
        "nj-criss-cross/pay/middle.straight/-1",
    ],
)
def test_an_id_of_no_question_is_refused(wrong: str) -> None:
    with pytest.raises(BadInput, match="no such question"):
        find(game_of("nj-criss-cross"), wrong)


@pytest.mark.exhaustive
def test_a_set_holds_no_question_twice_and_mixes_games_and_drills() -> None:
    games = [game_of(book) for book in BOOKS]
    made = list(draw_set(games, count=400, seed=11))
    assert len(made) == 400
    seen = {msgspec.json.encode((q.rulebook, q.asks, q.shown, q.answer)) for q in made}
    assert len(seen) == 400
    assert {question.rulebook for question in made} == set(BOOKS)
    assert {question.kind for question in made[:6]} == set(DRILLS)


def test_the_same_seed_gives_the_same_set_and_another_one_another() -> None:
    games = [game_of("nj-double-cross")]
    first, again, other = (list(draw_set(games, count=12, seed=seed)) for seed in (5, 5, 6))
    assert first == again != other


def test_a_set_is_shorter_if_questions_run_out() -> None:
    made = list(draw_set([game_of("ma-criss-cross")], kinds=["happens"], count=1_000, seed=1))
    assert 15 <= len(made) < 1_000


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", one_of_each_game())
def test_a_long_set_of_one_drill_comes_to_every_subject(book: str) -> None:
    game = game_of(book)
    for kind in kinds_of(game):
        wanted = subjects(game, kind)
        made = draw_set([game], kinds=[kind], count=len(wanted), seed=2)
        assert len({question.topic for question in made}) == len(wanted)


def test_missed_topics_come_first_then_due_then_new() -> None:
    game = game_of("nj-criss-cross")
    topics = [f"nj-criss-cross/read/{subject}" for subject in subjects(game, "read")]
    progress = DrillProgress()
    for topic in topics[:-1]:
        progress = progress.answered(topic, right=topic not in topics[2:4], at=0, millis=1_000)
    in_an_hour = [q.topic for q in draw_set([game], kinds=["read"], count=10, seed=1, progress=progress, at=3_600_000)]
    assert set(in_an_hour[:2]) == set(topics[2:4])
    assert in_an_hour[-1] == topics[-1]
    at_once = [q.topic for q in draw_set([game], kinds=["read"], count=3, seed=1, progress=progress, at=1)]
    assert at_once[2] == topics[-1]


def test_the_schema_in_the_docs_is_that_of_the_code() -> None:
    assert SCHEMA.read_bytes() == schema(), "run `make schema`"


@pytest.mark.parametrize(
    ("answer", "typed", "what"),
    [
        (Choose(options=("a", "b")), "3", "1 to 2"),
        (Choose(options=("a", "b")), "²", "1 to 2"),
        (Arrange(items=("a", "b", "c")), "1 2", "give every number once, in order"),
        (Arrange(items=("a", "b", "c")), "1 2 2", "give every number once, in order"),
        (Arrange(items=("a", "b", "c")), "1-2-3", "give every number once, in order"),
        (Pick(cards=("As", "Kd", "2c"), count=2), "As Qd", "not in the hand"),
        (Pick(cards=("As", "Kd", "2c"), count=2), "As", "wrong number of cards"),
        (Pick(cards=("As", "Kd", "2c"), count=2), "?? ??", "every card must be known"),
    ],
)
def test_invalid_answers_are_refused(answer: Choose | Arrange | Pick, typed: str, what: str) -> None:
    with pytest.raises(BadInput, match=what):
        read_answer(answer, typed)


def test_answers_are_read_as_people_type_them() -> None:
    assert read_answer(Pick(cards=("As", "Kd", "2c", "Jk"), count=2), "kd, as") == "As Kd"
    assert read_answer(Arrange(items=tuple("abcdefghijkl")), "12 11 10 9 8 7 6 5 4 3 2 1").startswith("12 11 10")
    question = ask(game_of("nj-pai-gow"), "set", "three_pair", 1)
    assert allowed(question.answer).startswith("2 of ")
    assert in_words(question, question.right[0]) == question.right[0]
