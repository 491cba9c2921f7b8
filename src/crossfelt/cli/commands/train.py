"""`crossfelt train`: dealer drills in the terminal, with questions, feedback and progress."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar, cast

import msgspec
import typer

from crossfelt.cards.shuffle import fresh_seed
from crossfelt.cli.options import AsJson, SubmissionFile, argument, flag, option, read_game
from crossfelt.cli.output import data, data_as_json, message
from crossfelt.cli.render.felt import group_lines
from crossfelt.cli.terminal import DeferredInterrupt, Terminal
from crossfelt.errors import BadInput
from crossfelt.money import dollars
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.game import Game
from crossfelt.text_layout import columns
from crossfelt.training.answers import allowed, grade, in_words
from crossfelt.training.progress import PACE_FROM, DrillProgress, default_path, in_pace, pace_seconds, tallies
from crossfelt.training.question import (
    DRILLS,
    Arrange,
    CardsShown,
    Chips,
    ChipsShown,
    Choose,
    DrillKind,
    Explanation,
    Face,
    Note,
    Question,
    Questions,
)
from crossfelt.training.question_set import draw_set, kinds_of

if TYPE_CHECKING:
    from crossfelt.client import Client

PROMPTS: Final = {"choose": "number", "amount": "dollars", "arrange": "order", "pick": "cards"}


def chips_words(chips: Sequence[Chips]) -> str:
    """Render chips by value; several of one value are counted.

    >>> from crossfelt.training.question import chips_of
    >>> chips_words(chips_of(137_00)), chips_words(chips_of(1_504_50))
    ('($100) ($25) ($5)x2 ($1)x2', '($1,000) ($500) ($1)x4 ($0.50)')
    """
    return " ".join(f"({dollars(one.cents)})" + (f"x{one.count}" if one.count > 1 else "") for one in chips)


def question_lines(question: Face) -> Iterator[str]:
    """Render the cards and chips of a question."""
    for item in question.shown:
        if isinstance(item, CardsShown):
            yield f"  {item.label}:"
            yield from group_lines(item.cards, item.shape)
    chips = [item for item in question.shown if isinstance(item, ChipsShown)]
    seats = {item.seat for item in chips}
    whose = {seat: f"seat {seat}: " if len(seats) > 1 else "" for seat in seats}
    rows = [(whose[item.seat] + item.label, dollars(item.cents), chips_words(item.chips)) for item in chips]
    yield from columns(rows, indent=2, right=[1]) if rows else ()


def notes(question: Face) -> list[str]:
    return [item.text for item in question.shown if isinstance(item, Note)]


def numbered(question: Face) -> list[str]:
    match question.answer:
        case Choose(options=found) | Arrange(items=found):
            width = len(str(len(found)))
            return [f"{number:>{width}}  {text}" for number, text in enumerate(found, start=1)]
        case _:
            return []


def why(explanation: Explanation) -> Iterator[str]:
    """Yield the explanation of an answer with its clauses, a paragraph each."""
    yield explanation.text
    yield from (f"{clause.id}, {clause.citation}: {clause.says}" for clause in explanation.clauses)
    yield from (f"{reading.id}, adopted reading: {reading.says}" for reading in explanation.readings)
    if explanation.house_rule:
        yield f"House rule: {explanation.house_rule}"
    if explanation.illustrative:
        yield "The amount is illustrative; no source prints it."


def standing_lines(progress: DrillProgress) -> list[str]:
    """Render a dealer's progress, drill by drill."""
    cells = [("rulebook", "drill", "topics", "asked", "correct", "missed last", "fastest")]
    for of in tallies(progress):
        title = next((title for name, title in DRILLS.items() if name == of.kind), of.kind)
        pace = "–" if of.fastest is None else f"{of.fastest / 1000:.1f} s"
        share = f"{100 * of.right // of.asked} %" if of.asked else "–"
        cells.append((of.rulebook, title, str(of.topics), str(of.asked), share, str(of.missed), pace))
    return columns(cells, right=[2, 3, 4, 5, 6])


MOST_QUESTIONS: Final = 1_000
LARGEST_SEED: Final = 2**63 - 1
_SEED_BYTES: Final = 4
MOST_MISREAD: Final = 3
"""Answers that do not fit a question before it counts as skipped."""
HELP: Final = "Type your answer, skip (counts as missed) or quit."

T = TypeVar("T")


def train(
    which: Annotated[str | None, argument("ID", "Rulebook id or file; default: all games, mixed.")] = None,
    drill: Annotated[list[str] | None, option("KIND", f"Only this drill: {', '.join(DRILLS)}; repeatable.")] = None,
    questions: Annotated[int, option("N", "Number of questions.")] = 10,
    seed: Annotated[int | None, option("N", "Ask the same questions again.")] = None,
    submission: SubmissionFile = None,
    progress: Annotated[Path | None, option("FILE", "Progress file to use instead of your own.")] = None,
    server: Annotated[str | None, option("URL", "Share progress with your account at this server.")] = None,
    name: Annotated[str | None, option("NAME", "Your account at the server.")] = None,
    standing: Annotated[bool, flag("--standing", "Show your progress and exit.")] = False,
    as_json: AsJson = False,
) -> None:
    """Practise dealing: hands, payouts, order, irregularities, house way, errors.

    With --server and --name, what you have practised in the browser counts here, and the other way round. The password
    is asked for, or read from CROSSFELT_PASSWORD.
    """
    file = progress or default_path()
    account = _account(server, name)
    if account is not None:
        _share(account, file)
    if standing:
        kept = DrillProgress.read(file)
        data_as_json(kept) if as_json else data(standing_lines(kept))
        return
    kinds, drawn = _kinds(drill or []), _seed(seed)
    _require(questions, "questions", f"1 to {MOST_QUESTIONS}", 1 <= questions <= MOST_QUESTIONS)
    games = _games(which, submission, kinds)
    if as_json:
        made = tuple(draw_set(games, count=questions, seed=drawn, kinds=kinds))
        data_as_json(Questions(seed=drawn, questions=made))
        return
    kept = DrillProgress.read(file)
    asked = draw_set(games, count=questions, seed=drawn, kinds=kinds, progress=kept, at=_now())
    with DeferredInterrupt() as interrupt:
        lesson = Lesson(Terminal(interrupt), kept, file)
        lesson.run(asked, questions)
    if account is not None:
        _share(account, file)
    message(f"To repeat these questions: --seed {drawn}. Progress is saved in {file}.")


def _account(server: str | None, name: str | None) -> Client | None:
    """Log in to a server; return None if none is named."""
    if server is None or name is None:
        if server is not None or name is not None:
            missing = "--name" if name is None else "--server"
            raise BadInput.at(missing, "train.server", "missing; give --server and --name together")
        return None
    from crossfelt.client import Client  # slow to import

    password = os.environ.get("CROSSFELT_PASSWORD") or typer.prompt("Password", hide_input=True, err=True)
    return asyncio.run(_reached(server, Client(server).log_in(name, password)))


def _share(account: Client, file: Path) -> None:
    """Put the progress of the file and of the account together, in both places."""
    own = msgspec.to_builtins(DrillProgress.read(file))
    both = asyncio.run(_reached(account.address, account.put("/api/training/progress", own)))
    msgspec.convert(both, DrillProgress).write(file)


async def _reached(server: str, answer: Awaitable[T]) -> T:
    try:
        return await answer
    except (OSError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput.at(server, "train.server", f"the server does not answer: {error}") from None


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
    """Compile the games that have the wanted drills."""
    if which is None and submission is not None:
        raise BadInput.at("--submission", "train.submission", "needs a game; name its rulebook ID first")
    games = [read_game(name, submission) for name in ([which] if which else loader.rulebook_ids())]
    found = [game for game in games if not kinds or set(kinds) & set(kinds_of(game))]
    if not found:
        of = ", ".join(kinds_of(games[0]))
        _require(", ".join(kinds), "drill", f"the drills of {games[0].book.title}: {of}", False)
    return found


def _require(value: str | int, option: str, allowed_: str, fits: bool) -> None:
    if not fits:
        raise BadInput.at(f"--{option}", f"train.{option}", "not allowed here", value, allowed_)


class _Quit(Exception):
    """The player types quit, or the input ends."""


class Lesson:
    """One set of questions at the keyboard; missed questions are repeated at the end."""

    def __init__(self, terminal: Terminal, progress: DrillProgress, file: Path) -> None:
        self._terminal = terminal
        self.progress = progress
        self._file = file
        self._right = 0
        self._asked = 0

    def run(self, questions: Iterable[Question], count: int) -> None:
        """Ask all questions, save progress after each, and print the score."""
        missed = []
        self._terminal.say(HELP, style="dim")
        try:
            for number, question in enumerate(questions, start=1):
                if not self._ask(question, f"{number} of {count}", counts=True):
                    missed.append(question)
            for question in missed:
                self._ask(question, "Again", counts=False)
        except _Quit:
            pass
        self._sum_up(len(missed))

    def _sum_up(self, missed: int) -> None:
        if self._asked:
            self._terminal.say()
            self._terminal.say(f"{self._right} of {self._asked} correct.", style="bold")
        if missed:
            self._terminal.say("Missed topics come first in the next set.")

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
        started = time.monotonic()
        given = self._answer(question)
        millis = round(1000 * (time.monotonic() - started))
        right = given is not None and given in question.right
        self._show_result(question, given, right, millis)
        if counts:
            self._keep(question.topic, right, millis)
        return right

    def _keep(self, topic: str, right: bool, millis: int) -> None:
        self._asked += 1
        self._right += right
        self.progress = self.progress.answered(topic, right=right, at=_now(), millis=millis)
        self.progress.write(self._file)

    def _answer(self, question: Question) -> str | None:
        """Read an answer in the form of the correct answers; return None if it is skipped, or not understood."""
        kind = str(question.answer.__struct_config__.tag)
        misread = 0
        while misread < MOST_MISREAD:
            typed = self._terminal.ask(f"{PROMPTS[kind]} › ")
            if typed is None or typed.strip().lower() in ("quit", "q"):
                raise _Quit
            if typed.strip().lower() == "skip":
                return None
            if typed.strip().lower() in ("help", "?", ""):
                self._terminal.say(f"{HELP} Allowed: {allowed(question.answer)}.")
                continue
            try:
                return grade(question, typed).given
            except BadInput as bad:
                misread += 1
                for problem in bad.problems:
                    self._terminal.say(str(problem))
        return None

    def _show_result(self, question: Question, given: str | None, right: bool, millis: int) -> None:
        say = self._terminal.say
        if right:
            say(f"Correct.{self._pace(question.topic, millis)}", style="green")
        else:
            say(f"Wrong. Correct answer: {in_words(question, question.right[0])}.", style="red")
        for paragraph in why(question.explanation):
            say(paragraph, indent=2)

    def _pace(self, topic: str, millis: int) -> str:
        """Mention the pace once a topic is known well."""
        if self.progress.standing(topic).in_a_row < PACE_FROM:
            return ""
        slow = "" if in_pace(topic, millis) else f"; aim for {pace_seconds(topic)}"
        return f" {millis / 1000:.1f} seconds{slow}."
