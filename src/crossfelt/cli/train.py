"""`crossfelt train`: drills for the dealer's side, in the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Final, cast

import typer

from crossfelt.cards.entropy import fresh_seed
from crossfelt.cli.asking import AsJson, SubmissionFile, read_game
from crossfelt.cli.output import data, data_as_json, message
from crossfelt.cli.terminal import Patience, Terminal
from crossfelt.cli.train_text import PROMPTS, notes, numbered, question_lines, standing_lines, why
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks import loading
from crossfelt.rulebooks.game import Game
from crossfelt.training.drawing import draw_set
from crossfelt.training.drills import kinds_of
from crossfelt.training.marking import allowed, in_words, mark
from crossfelt.training.progress import PACE_FROM, Progress, default_path, in_pace, pace_seconds
from crossfelt.training.question import DRILLS, DrillKind, Question, Questions

MOST_QUESTIONS: Final = 1_000
LARGEST_SEED: Final = 2**63 - 1
_SEED_BYTES: Final = 4
HELP: Final = "Answer, or: skip (it counts as missed), quit."

Clock = Callable[[], float]


def train(
    which: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A rulebook's id or file; without one, all of them mixed.")
    ] = None,
    drill: Annotated[
        list[str] | None,
        typer.Option("--drill", metavar="KIND", help=f"Only this drill: {', '.join(DRILLS)}; repeatable."),
    ] = None,
    questions: Annotated[int, typer.Option("--questions", metavar="N", help="How many questions.")] = 10,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="The same questions again.")] = None,
    submission: SubmissionFile = None,
    progress: Annotated[
        Path | None, typer.Option("--progress", metavar="FILE", help="Where progress is kept, instead of your own.")
    ] = None,
    standing: Annotated[bool, typer.Option("--standing", help="Show how you stand, and ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Practise what a dealer must know: hands, payments, order, irregularities, house way, errors."""
    file = progress or default_path()
    if standing:
        kept = Progress.read(file)
        data_as_json(kept) if as_json else data(standing_lines(kept))
        return
    kinds, drawn = _kinds(drill or []), _seed(seed)
    _require(questions, "questions", f"1 to {MOST_QUESTIONS}", 1 <= questions <= MOST_QUESTIONS)
    games = _games(which, submission, kinds)
    if as_json:
        made = tuple(draw_set(games, count=questions, seed=drawn, kinds=kinds))
        data_as_json(Questions(seed=drawn, questions=made))
        return
    kept = Progress.read(file)
    asked = draw_set(games, count=questions, seed=drawn, kinds=kinds, progress=kept, at=_now())
    with Patience() as patience:
        lesson = Lesson(Terminal(patience), kept, file)
        lesson.hold(asked, questions)
    message(f"Seed of this set: {drawn}. Progress is kept in {file}.")


def _now() -> int:
    return time.time_ns() // 1_000_000


def _seed(given: int | None) -> int:
    if given is None:
        return int.from_bytes(fresh_seed()[:_SEED_BYTES], "big")
    _require(given, "seed", f"0 to {LARGEST_SEED}", 0 <= given <= LARGEST_SEED)
    return given


def _kinds(given: Sequence[str]) -> tuple[DrillKind, ...]:
    for name in given:
        _require(name, "drill", ", ".join(DRILLS), name in DRILLS)
    return tuple(cast("DrillKind", name) for name in dict.fromkeys(given))


def _games(which: str | None, submission: Path | None, kinds: Sequence[DrillKind]) -> list[Game]:
    """The games that have the wanted drills."""
    if which is None and submission is not None:
        raise BadInput(Problem(code="train.submission", where="--submission", what="needs the rulebook's ID before it"))
    games = [read_game(name, submission) for name in ([which] if which else loading.rulebook_ids())]
    found = [game for game in games if not kinds or set(kinds) & set(kinds_of(game))]
    if not found:
        of = ", ".join(kinds_of(games[0]))
        _require(", ".join(kinds), "drill", f"the drills of {games[0].book.title}: {of}", False)
    return found


def _require(value: str | int, option: str, allowed_: str, fits: bool) -> None:
    if not fits:
        what = f"not possible for --{option}"
        raise BadInput(Problem(code=f"train.{option}", where=f"--{option}", what=what, value=value, allowed=allowed_))


class _Quit(Exception):
    """Somebody has had enough."""


class Lesson:
    """One set of questions at the keyboard, and what was missed in it once more."""

    def __init__(
        self,
        terminal: Terminal,
        progress: Progress,
        file: Path,
        *,
        now: Callable[[], int] = _now,
        timer: Clock = time.monotonic,
    ) -> None:
        self._terminal = terminal
        self.progress = progress
        self._file = file
        self._now = now
        self._timer = timer
        self._right = 0
        self._asked = 0

    def hold(self, questions: Iterable[Question], count: int) -> None:
        """Asks all of them, keeps progress after each, and sums up."""
        missed = []
        self._terminal.say(HELP, style="dim")
        try:
            for number, question in enumerate(questions, start=1):
                if not self._ask(question, f"{number} of {count}", counts=True):
                    missed.append(question)
            for question in missed:
                self._ask(question, "Once more", counts=False)
        except _Quit:
            pass
        self._sum_up(len(missed))

    def _sum_up(self, missed: int) -> None:
        if self._asked:
            self._terminal.say()
            self._terminal.say(f"{self._right} of {self._asked} right.", style="bold")
        if missed:
            self._terminal.say("What was missed comes first in the next set.")

    def _ask(self, question: Question, place: str, *, counts: bool) -> bool:
        say = self._terminal.say
        say()
        say(f"{place} · {DRILLS[question.kind]} · {question.title}", style="bold")
        self._terminal.show(question_lines(question))
        for note in notes(question):
            say(note, indent=2)
        say(question.asks)
        for line in numbered(question):
            say(line, indent=2, hanging=4)
        started = self._timer()
        given = self._answer(question)
        millis = round(1000 * (self._timer() - started))
        right = given is not None and given in question.right
        self._tell(question, given, right, millis)
        if counts:
            self._keep(question.topic, right, millis)
        return right

    def _keep(self, topic: str, right: bool, millis: int) -> None:
        self._asked += 1
        self._right += right
        self.progress = self.progress.answered(topic, right=right, at=self._now(), millis=millis)
        self.progress.write(self._file)

    def _answer(self, question: Question) -> str | None:
        """What was answered, in the form of the right answers; None where it was skipped."""
        kind = str(question.answer.__struct_config__.tag)
        while True:
            typed = self._terminal.ask(f"{PROMPTS[kind]} › ")
            if typed is None or typed.strip().lower() in ("quit", "q"):
                raise _Quit
            if typed.strip().lower() == "skip":
                return None
            if typed.strip().lower() in ("help", "?", ""):
                self._terminal.say(f"{HELP} Allowed: {allowed(question.answer)}.")
                continue
            try:
                return mark(question, typed).given
            except BadInput as bad:
                for problem in bad.problems:
                    self._terminal.say(str(problem))

    def _tell(self, question: Question, given: str | None, right: bool, millis: int) -> None:
        say = self._terminal.say
        if right:
            say(f"Right.{self._pace(question.topic, millis)}", style="green")
        else:
            say(f"No: {in_words(question, question.right[0])}.", style="red")
        for paragraph in why(question.explanation):
            say(paragraph, indent=2)

    def _pace(self, topic: str, millis: int) -> str:
        """Pace is spoken of when a topic is known."""
        if self.progress.standing(topic).in_a_row < PACE_FROM:
            return ""
        slow = "" if in_pace(topic, millis) else f"; a dealer has {pace_seconds(topic)}"
        return f" {millis / 1000:.1f} seconds{slow}."
