"""`crossfelt play`: whole sessions by piped input, every refusal, and a real terminal.

A transcript holds a command line and the whole screen; typed lines follow the prompt. `CROSSFELT_WRITE_TRANSCRIPTS=1`
writes them again; read the differences afterwards.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self

import pytest

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.cli.commands.play import play_here, set_up
from crossfelt.cli.terminal import DeferredInterrupt, Terminal
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.play.sources import ScriptedSource
from crossfelt.proof.verify import verify
from crossfelt.rulebooks.game import compile_game
from limits import WAIT_SECONDS
from unit.cli.conftest import Crossfelt, Outcome

TRANSCRIPTS: Final = sorted((Path(__file__).parents[1] / "transcripts").glob("*.txt"))
PROMPT: Final = re.compile(r"^Seat \d, \$[\d,.]+ › ?(.*)$", re.MULTILINE)
Play = Callable[..., Outcome]


@pytest.fixture
def play(crossfelt: Crossfelt, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Play with typed lines: ``play("md-criss-cross", "--seed", 7, typed=["ante 10", ""])``."""

    def call(*arguments: object, typed: list[str] | None = None) -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed or [])))
        return crossfelt("play", *arguments)

    return call


# --- whole sessions -------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_transcript(file: Path, play: Play) -> None:
    command, _, expected = file.read_text("utf-8").partition("\n")
    typed = PROMPT.findall(expected)
    if "\nEnd of input:" in expected:
        typed.pop()
    outcome = play(*shlex.split(command.removeprefix("$ crossfelt play ")), typed=typed)
    if os.environ.get("CROSSFELT_WRITE_TRANSCRIPTS"):
        file.write_text(f"{command}\n{outcome.out}", "utf-8")
        return
    assert outcome.out == expected
    assert (outcome.code, outcome.err) == (0, "")
    assert max(map(len, outcome.out.splitlines())) <= 80


@pytest.mark.clause("NJC-5", "NJC-48", "NJC-56", "DCP-30")
def test_the_header_and_pays_post_the_limit_and_every_payout(play: Play, tmp_path: Path) -> None:
    def shown(*arguments: object) -> str:
        outcome = play(*arguments, "--seed", 1, typed=["pays", "quit"])
        assert max(map(len, outcome.out.splitlines())) <= 80
        return re.sub(r"\s+", " ", outcome.out)

    header, _, pays = shown("nj-criss-cross").partition("› pays")
    for part in (header, pays):
        assert "One player's winnings in one whole round are limited to $50,000." in part
    assert "3 75 the spinner keeps $500; each other Bonus Spin bettor gets $100" in pays
    assert "A pair in the player's two cards spins the wheel." in pays
    stated = tmp_path / "limit.toml"
    stated.write_text('rulebook = "nj-double-cross"\n[payout_limit]\namount_cents = 6000000\napproval = "2026-7"\n')
    header, _, pays = shown("nj-double-cross", "--submission", stated).partition("› pays")
    assert "Payout limit $60,000" in header
    assert "Payout limit $60,000, posted at the table." in pays
    assert "limit" not in shown("nj-double-cross").partition("› pays")[2]


def test_quitting_before_a_hand_is_shown_prints_the_cost_of_the_whole_round(play: Play) -> None:
    typed = ["ante 10 three 5", "", "quit", "expose", "quit", "quit"]
    told = " ".join(play("nj-double-cross", "--seed", 5, typed=typed).out.split())
    leaves = "If seat 1 leaves during the round, it "
    first = told.index(f"{leaves}shows its hand, folds and forfeits ante $10 [DCP-21, DCP-23]")
    assert first < told.index(f"{leaves}folds and forfeits ante $10 [DCP-23]")


def test_the_transcripts_cover_each_game() -> None:
    played = {file.read_text("utf-8").split()[3] for file in TRANSCRIPTS}
    assert played == {"nj-criss-cross", "ma-criss-cross", "md-criss-cross", "nj-double-cross", "nj-pai-gow"}


def test_the_same_seed_and_input_give_the_same_session(play: Play) -> None:
    arguments, typed = (
        ("md-criss-cross", "--seed", 4, "--bots", "careful,random"),
        ["ante 10", "", "1", "1", "1", "quit"],
    )
    first, second = play(*arguments, typed=typed), play(*arguments, typed=typed)
    assert first == second
    assert play("md-criss-cross", "--seed", 5, "--bots", "careful,random", typed=typed).out != first.out


def test_without_a_seed_the_table_prints_its_own_at_the_end(play: Play) -> None:
    typed = ["ante 10", "", "1", "1", "1", "quit"]
    fresh = play("md-criss-cross", typed=typed)
    (seed,) = re.findall(r"\b[0-9a-f]{96}\b", fresh.err)
    assert seed not in fresh.out
    again = play("md-criss-cross", "--seed", seed, typed=typed)
    first, second = (" ".join(one.out.split()).partition("help at any time.")[2] for one in (fresh, again))
    assert first == second != ""


def test_a_table_is_played_by_the_submission_of_its_operator(play: Play, tmp_path: Path) -> None:
    """Dealt from an automated shoe, cards come in stacks; limits are the operator's."""
    submission, file = tmp_path / "mine.toml", tmp_path / "history.jsonl"
    limits = "[wagers.ante]\nmin_cents = 2500"
    submission.write_text(f'rulebook = "md-criss-cross"\n[dealing]\nmethod = "automated_shoe"\n{limits}\n')
    arguments = ("md-criss-cross", "--submission", submission, "--seed", 7, "--clauses")
    told = play(*arguments, "--history", file, typed=["ante 25", "", "1", "1", "1", "quit"]).out
    assert "two equal antes, each $25 to $500" in told
    assert "MDC-27" in told
    assert "MDC-24" not in told
    assert verify(file).fault is None
    other = play("nj-criss-cross", "--submission", submission)
    assert (other.code, other.out) == (2, "")
    assert "rulebook: the submission is for another rulebook: 'md-criss-cross' (allowed: nj-criss-cross)" in other.err


# --- training -------------------------------------------------------------------------------------------------------


def test_a_training_table_has_dealing_errors_each_with_its_clause(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    typed = ["ante 10", "", "1", "1", "1"] * 4
    arguments = ("md-criss-cross", "--seed", 2, "--bots", "careful,random", "--faults", "20%")
    outcome = play(*arguments, "--history", file, typed=typed)
    assert "wrong number of cards: the round is void; the wagers are returned" in " ".join(outcome.out.split())
    assert re.search(r"\[MDC-\d+", outcome.out)
    assert verify(file).fault is None
    assert play(*arguments, typed=typed).out == outcome.out
    assert play(*arguments[:-2], typed=typed).out != outcome.out


@pytest.mark.parametrize("rate", ["often", "0", "51%", "-5%", "nan", "inf"])
def test_the_rate_of_dealing_errors_is_at_most_half(rate: str, play: Play) -> None:
    outcome = play("md-criss-cross", "--faults", rate)
    assert outcome.code == 2
    assert f"--faults: not a rate of dealing errors: '{rate}' (allowed: 0.1% to 50%)" in outcome.err


# --- leaving -----------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", ["nj-criss-cross", "ma-criss-cross", "md-criss-cross"])
@pytest.mark.parametrize("lines", range(6))
def test_wherever_the_input_ends_the_history_is_complete(book: str, lines: int, play: Play, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    typed = ["ante 10 bonus 5", "", "1x", "2x", "3x", "ante 10"][:lines]
    outcome = play(book, "--seed", 7, "--bots", "careful", "--history", file, typed=typed)
    assert outcome.code == 0
    assert "Table closes with" in outcome.out
    report = verify(file)
    assert (report.fault, report.rounds) == (None, 1 if lines > 1 else 0)
    assert report.money is not None
    assert report.money.bought == 2_000_00


def test_a_history_is_written_beside_the_table(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    outcome = play("md-criss-cross", "--seed", 7, "--history", file, typed=["ante 10", "", "fold", "quit"])
    assert outcome.errors == [f"History saved in {file}. To check it, run: crossfelt verify {file}"]
    before = file.read_bytes()
    again = play("md-criss-cross", "--seed", 7, "--history", file, typed=["quit"])
    assert (again.code, again.out, file.read_bytes()) == (2, "", before)
    assert str(file) in again.err


def test_quitting_in_a_round_prints_its_cost_and_asks_once(play: Play) -> None:
    typed = ["ante 10 bonus 5", "", "3x", "quit", "1x", "quit", "quit"]
    lines = play("md-criss-cross", "--seed", 7, typed=typed).out.splitlines()
    costs = [line for line in lines if line.startswith("If seat")]
    assert len(costs) == 2
    assert "Type quit again to leave anyway." in lines
    assert any(line.startswith("Seat 1 does not answer: the hand folds") for line in lines)


def test_one_of_two_players_may_leave_and_the_other_plays_on(play: Play) -> None:
    typed = ["leave", "ante 10", "", "1", "1", "1", "quit"]
    out = play("nj-criss-cross", "--seed", 7, "--seat", 1, "--seat", 2, typed=typed).out
    assert "Seat 1 leaves with $1,000\n" in out
    assert "Round 1 is over: seat 2" in out
    assert "Seat 1: 1 round, $0" in out


# --- hidden cards -----------------------------------------------------------------------------------------------


def screen_until(prompts: int, cards: dict[str, str], people: list[int], capsys: Any, monkeypatch: Any) -> str:
    """Return the screen up to the prompt with this number."""
    typed = iter(["ante 10 bonus 5"] * len(people) + ["deal"] + ["1x"] * 12)
    game = compile_game("md-criss-cross")
    setup = set_up(compile_game("md-criss-cross"), 3, people, "always-1", "1", 1000, None)
    session = TableSession(game, ScriptedSource(game, cards, [1, 2, 3], repeatable_seed(1)), at=TickingClock())
    asked = 0

    class Enough(Exception):
        pass

    def ask(self: Terminal, prompt: str) -> str:
        nonlocal asked
        asked += 1
        if asked > prompts:
            raise Enough
        return next(typed)

    monkeypatch.setattr(Terminal, "ask", ask)
    with pytest.raises(Enough):
        play_here(session, setup, Terminal(DeferredInterrupt()), clauses=True)
    return str(capsys.readouterr().out)


SEEN: Final = {"seat1": "Ks 2d", "across": "Kd 4s", "down": "9c 9h", "middle": "Kc"}
OTHERS: Final = ({"seat2": "As Ad", "seat3": "7c 7d"}, {"seat2": "5c 6h", "seat3": "Qs 3c"})


@pytest.mark.parametrize(
    ("prompts", "hidden"), [(2, ("across", "down", "middle")), (3, ("down", "middle")), (4, ("middle",))]
)
def test_unseen_cards_change_nothing_on_the_screen(
    prompts: int, hidden: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other seats' cards and face-down cards do not change a letter."""
    seen = {place: cards for place, cards in SEEN.items() if place not in hidden}
    other_middle = {"across": "Tc Jc", "down": "8c 8h", "middle": "2c"}
    screens = {
        screen_until(
            prompts, {**seen, **others, **{place: layout[place] for place in hidden}}, [1], capsys, monkeypatch
        )
        for others, layout in zip(OTHERS, (SEEN, other_middle), strict=True)
    }
    (screen,) = screens
    assert "K♠ 2♦ in hand" in screen


def test_players_at_one_keyboard_see_their_own_cards_in_turn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = {**SEEN, **OTHERS[0]}
    first = screen_until(3, cards, [1, 2], capsys, monkeypatch)
    assert "K♠ 2♦ in hand" in first
    assert "A♠" not in first
    assert "A♠ A♦ in hand" in screen_until(4, cards, [1, 2], capsys, monkeypatch)


# --- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "errors"),
    [
        (["md-criss-cros"], ["md-criss-cros"]),
        (["md-criss-cross", "--seat", 7], ["--seat: no such seat at this table: 7 (allowed: 1 to 6)"]),
        (["md-criss-cross", "--seats", 7], ["--seats: number of occupied seats out of range: 7 (allowed: 1 to 6)"]),
        (
            ["md-criss-cross", "--seat", 1, "--seat", 2, "--seats", 1],
            ["--seats: number of occupied seats out of range"],
        ),
        (["md-criss-cross", "--bots", "clever"], ["--bots: no such bot: 'clever' (allowed: careful, always-1"]),
        (["md-criss-cross", "--seed", "seven"], ["seed: not a seed: 'seven'"]),
        (["md-criss-cross", "--buy-in", 0], ["--buy-in: buy-in out of range: 0 (allowed: 1 to 1,000,000"]),
        (["md-criss-cross", "--auto", 0], ["--auto: not a number of rounds: 0 (allowed: 1 or more)"]),
        (
            ["md-criss-cross", "--auto", 5, "--seat", 1],
            ["--seat: cannot be combined with --auto, where only bots play: 1"],
        ),
        (
            ["md-criss-cross", "--seat", 9, "--bots", "clever,dumb", "--buy-in", -1],
            [
                "--seat: no such seat at this table: 9",
                "--buy-in",
                "--bots: no such bot: 'clever'",
                "--bots: no such bot: 'dumb'",
            ],
        ),
    ],
)
def test_impossible_options_are_refused_all_at_once(arguments: list[object], errors: list[str], play: Play) -> None:
    outcome = play(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert len(outcome.errors) == len(errors)
    for line, start in zip(outcome.errors, errors, strict=True):
        assert start in line


@pytest.mark.parametrize(
    ("arguments", "people", "bots"),
    [
        ([None, [], ""], (1,), {}),
        ([3, [], ""], (1,), {2: "careful", 3: "careful"}),
        ([None, [], "careful,always-1"], (1,), {2: "careful", 3: "always-1"}),
        ([None, [2], "careful,always-1"], (2,), {1: "careful", 3: "always-1"}),
        ([6, [3, 5], "careful,always-1"], (3, 5), {1: "careful", 2: "always-1", 4: "careful", 6: "always-1"}),
        ([2, [4, 2], ""], (2, 4), {}),
    ],
)
def test_players_and_bots_get_their_seats(arguments: list[Any], people: tuple[int, ...], bots: dict[int, str]) -> None:
    seats, seat, names = arguments
    setup = set_up(compile_game("md-criss-cross"), seats, seat, names, "1", 100, None)
    assert (setup.people, setup.bots) == (people, bots)


def test_help_describes_the_command(crossfelt: Crossfelt) -> None:
    assert "play" in crossfelt("--help").out
    told = crossfelt("play", "--help").out
    for option in (
        "--seats",
        "--seat",
        "--bots",
        "--seed",
        "--buy-in",
        "--submission",
        "--history",
        "--clauses",
        "--auto",
        "--no-color",
    ):
        assert option in told


# --- bots only ------------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_bots_alone_play_a_number_of_rounds_with_totals(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    outcome = play(
        "ma-criss-cross",
        "--auto",
        25,
        "--seats",
        6,
        "--bots",
        "careful:10+5,always-1,random",
        "--seed",
        3,
        "--history",
        file,
    )
    title, head, *rows = outcome.out.splitlines()
    assert title == "Criss-Cross Poker, Massachusetts: 25 rounds"
    assert head.split() == ["seat", "bot", "bought", "in", "net", "per", "round"]
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4", "5", "6", "house"]
    nets = [re.findall(r"[+−]?\$[\d,.]+", row)[-2] for row in rows]
    cents = [int(net.replace("−", "-").replace("$", "").replace(",", "").replace("+", "")) for net in nets]
    assert sum(cents) == 0
    report = verify(file)
    assert (report.fault, report.rounds, report.house_net) == (None, 25, cents[-1] * 100)


def test_the_optimal_bot_can_be_seated(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    arguments = ("nj-criss-cross", "--bots", "optimal", "--auto", 20, "--seed", 7)
    outcome = play(*arguments, "--history", file)
    assert (outcome.code, outcome.out.splitlines()[0]) == (0, "Criss Cross Poker, New Jersey: 20 rounds")
    assert outcome.out.splitlines()[2].split()[:2] == ["1", "optimal"]
    assert verify(file).fault is None


# --- a real terminal ------------------------------------------------------------------------------------------------

pty = pytest.importorskip("pty")


class Screen:
    """A process at its own terminal."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._keyboard, end = pty.openpty()
        command = [sys.executable, "-m", "crossfelt.cli.main", "play", *arguments]
        settings = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24", "PYTHONUTF8": "1", **environment}
        self._process = subprocess.Popen(
            command, stdin=end, stdout=end, stderr=end, env=settings, start_new_session=True, close_fds=True
        )
        os.close(end)
        # A character may arrive in two parts.
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.text = ""
        self._looked = 0
        """Up to where the screen has been looked at."""

    def wait_for(self, words: str, seconds: float = WAIT_SECONDS) -> None:
        """Read until the words appear on the screen, after the words of the last call."""
        assert self._read_until(words, seconds), self.text

    def _read_until(self, words: str, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while (at := self.text.find(words, self._looked)) < 0:
            if time.monotonic() > until:
                return False
            if select.select([self._keyboard], [], [], 0.2)[0]:
                self.text += self._read()
        self._looked = at + len(words)
        return True

    def _read(self) -> str:
        try:
            return self._decoder.decode(os.read(self._keyboard, 4096))
        except OSError:
            return ""

    def type(self, text: str) -> None:
        os.write(self._keyboard, text.encode())

    def interrupt(self, until: str) -> None:
        """Send Ctrl-C, and again later: the line editor ignores it for a moment after its prompt."""
        for _ in range(30):
            self._process.send_signal(signal.SIGINT)
            if self._read_until(until, seconds=2.0):
                return
        raise AssertionError(self.text)

    def finish(self) -> int:
        code = self._process.wait(timeout=WAIT_SECONDS)
        while select.select([self._keyboard], [], [], 0.2)[0] and (more := self._read()):
            self.text += more
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # The test leaves no process behind, whatever its result.
        self._process.kill()
        self._process.wait()
        os.close(self._keyboard)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("environment", "color"), [({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)])
def test_a_round_at_a_terminal(environment: dict[str, str], color: bool) -> None:
    with Screen("md-criss-cross", "--seed", "7", **environment) as screen:
        screen.wait_for("› ")
        for line, then in (("ante 10\n", "deal (Enter)"), ("\n", "in hand"), ("1x\n", "across"), ("f\n", "Round 2")):
            screen.type(line)
            screen.wait_for(then)
        screen.type("quit\n")
        assert screen.finish() == 0
    assert ("\x1b[31m" in screen.text) is color
    assert "Seat 1: 1 round, " in screen.text.replace("\x1b[1m", "").replace("\x1b[0m", "")


@pytest.mark.exhaustive
def test_an_interrupt_ends_the_session_cleanly(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    with Screen("md-criss-cross", "--seed", "7", "--no-color", "--history", str(file)) as screen:
        screen.wait_for("› ")
        screen.type("ante 10\n")
        screen.wait_for("deal (Enter)")
        screen.type("\n")
        screen.wait_for("in hand")
        screen.wait_for("› ")
        screen.interrupt(until="Table closes with")
        assert screen.finish() == 0
    assert "Traceback" not in screen.text
    assert "\x1b[" not in screen.text.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")
    assert (verify(file).fault, verify(file).rounds) == (None, 1)


def test_an_encoding_without_suits_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii", write_through=True))
    terminal = Terminal(DeferredInterrupt())
    terminal.say("Dealer turns up K♦ 10♠ — “no more bets”")
    terminal.show(["│ ▒▒ │ −$20 ›"])
    assert written.getvalue() == b'Dealer turns up Kd 10s - "no more bets"\n| ## | -$20 >\n'


def test_why_shows_the_step_of_the_line(play: Play) -> None:
    outcome = play("nj-criss-cross", "--seed", 11, typed=["ante 10", "deal", "1x", "why", "quit", "quit"])
    assert "script.reveal_across" in outcome.out.partition("› why")[2].partition("›")[0]
