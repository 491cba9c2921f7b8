"""`crossfelt train`: questions as data, a lesson at the keyboard, saved progress."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crossfelt.rulebooks import loader
from crossfelt.training.progress import DrillProgress
from crossfelt.training.question import DRILLS, Questions

Crossfelt = Callable[..., Any]


def lesson(*typed: str, arguments: tuple[object, ...], file: Path) -> tuple[int, str, str]:
    """Run a lesson in a new process with these typed lines."""
    run = subprocess.run(
        [sys.executable, "-m", "crossfelt.cli.main", "train", *map(str, arguments), "--progress", str(file)],
        input="".join(f"{line}\n" for line in typed),
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    return run.returncode, run.stdout, run.stderr


def asked(crossfelt: Crossfelt, *arguments: object) -> Questions:
    outcome = crossfelt("train", *arguments, "--json")
    assert outcome.code == 0, outcome.err
    return msgspec.json.decode(outcome.out, type=Questions)


def typed_answer(question: Any) -> str:
    right = question.right[0]
    return f"{int(right) / 100:.2f}" if question.kind == "pay" else str(right)


def test_json_holds_questions_with_answers_and_clauses(crossfelt: Crossfelt) -> None:
    made = asked(crossfelt, "nj-criss-cross", "--seed", 4, "--questions", 7)
    assert made.seed == 4
    assert len(made.questions) == 7
    assert made == asked(crossfelt, "nj-criss-cross", "--seed", 4, "--questions", 7)
    assert all(question.right for question in made.questions)


@pytest.mark.exhaustive
def test_without_an_id_all_rulebooks_are_mixed(crossfelt: Crossfelt) -> None:
    made = asked(crossfelt, "--seed", 1, "--questions", 60)
    assert {question.rulebook for question in made.questions} == set(loader.rulebook_ids())


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", DRILLS)
def test_a_drill_can_be_chosen(crossfelt: Crossfelt, kind: str) -> None:
    made = asked(crossfelt, "nj-pai-gow", "--drill", kind, "--seed", 1, "--questions", 3)
    assert {question.kind for question in made.questions} == {kind}


@pytest.mark.exhaustive
def test_a_lesson_with_only_right_answers(crossfelt: Crossfelt, tmp_path: Path) -> None:
    made = asked(crossfelt, "nj-double-cross", "--seed", 2, "--questions", 5)
    file = tmp_path / "p.json"
    answers = [typed_answer(question) for question in made.questions]
    code, out, err = lesson(*answers, arguments=("nj-double-cross", "--seed", 2, "--questions", 5), file=file)
    assert code == 0
    assert out.count("Correct.") == 5
    assert "5 of 5 correct." in out
    assert f"Progress is saved in {file}" in err
    assert sorted(DrillProgress.read(file).topics) == sorted(question.topic for question in made.questions)


@pytest.mark.exhaustive
def test_a_missed_question_is_repeated_and_comes_first_in_the_next_set(crossfelt: Crossfelt, tmp_path: Path) -> None:
    arguments = ("nj-criss-cross", "--drill", "pay", "--seed", 3, "--questions", 3)
    made = asked(crossfelt, *arguments).questions
    file = tmp_path / "p.json"
    answers = [typed_answer(made[0]), "0.01", typed_answer(made[2]), typed_answer(made[1])]
    code, out, _ = lesson(*answers, arguments=arguments, file=file)
    assert code == 0
    assert "2 of 3 correct." in out
    assert out.count(made[1].asks) == 2
    assert "Again" in out
    assert made[1].explanation.clauses[0].citation in " ".join(out.split())
    assert DrillProgress.read(file).standing(made[1].topic).missed
    _, again, _ = lesson("quit", arguments=("nj-criss-cross", "--seed", 8), file=file)
    wager = made[1].asks.partition(" on the ")[2]
    assert wager in again


@pytest.mark.exhaustive
def test_help_bad_answers_skip_and_the_end_of_the_input(tmp_path: Path) -> None:
    arguments = ("nj-criss-cross", "--drill", "pay", "--seed", 3, "--questions", 2)
    code, out, _ = lesson("?", "much", "skip", arguments=arguments, file=tmp_path / "p.json")
    assert code == 0
    assert "Allowed: dollars" in out
    assert "answer: not an amount: 'much'" in out
    assert "0 of 1 correct." in out


def test_standing_is_shown(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    DrillProgress().answered("nj-pai-gow/set/three_pair", right=False, at=0, millis=10).write(file)
    told = crossfelt("train", "--standing", "--progress", file)
    assert told.code == 0
    assert "Set the house way" in told.out
    assert crossfelt("train", "--standing", "--progress", file, "--json").json["topics"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--drill", "dance"), "--drill: not allowed here: 'dance' (allowed: read, pay, order"),
        (("nj-criss-cross", "--drill", "set"), "(allowed: the drills of Criss Cross Poker, New Jersey: read, pay"),
        (("--questions", "0"), "--questions: not allowed here: 0 (allowed: 1 to 1000)"),
        (("--seed", "-1"), "--seed: not allowed here: -1"),
        (("--submission", "x.toml"), "--submission: needs a game; name its rulebook ID first"),
        (("nowhere",), "nowhere"),
    ],
)
def test_bad_options_are_refused_in_one_line(crossfelt: Crossfelt, arguments: tuple[str, ...], says: str) -> None:
    outcome = crossfelt("train", *arguments)
    assert outcome.code == 2
    assert len(outcome.errors) == 1
    assert says in outcome.err


def test_a_corrupt_progress_file_is_refused_in_one_line_and_kept(crossfelt: Crossfelt, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text("not JSON")
    outcome = crossfelt("train", "nj-criss-cross", "--progress", file)
    assert (outcome.code, len(outcome.errors), file.read_text()) == (2, 1, "not JSON")
    assert str(file) in outcome.err


def test_training_needs_no_compiler() -> None:
    code = "import sys, crossfelt.cli.commands.train, crossfelt.training; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", f"import json; {code}"], capture_output=True, text=True, check=True)
    assert not {"numba", "numpy", "llvmlite"} & set(json.load(io.StringIO(run.stdout)))
