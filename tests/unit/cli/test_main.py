"""The `crossfelt` command: help, version, exit codes, start and end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crossfelt import __version__
from crossfelt.cli import main, output
from crossfelt.cli.main import COMMANDS

Crossfelt = Callable[..., Any]
PROGRAM = [sys.executable, "-m", "crossfelt.cli.main"]
NEVER = {"numba", "numpy", "scipy", "llvmlite"}


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def imported_by(*arguments: str) -> set[str]:
    code = f"import sys; from crossfelt.cli.main import run; run({list(arguments)}); print('|', *sys.modules)"
    return set(python(code).rpartition("|")[2].split())


def test_help_names_every_command_and_imports_none_of_them() -> None:
    modules = imported_by("--help")
    assert not modules & NEVER
    assert not any(name.startswith(("crossfelt.rulebooks", "crossfelt.hands", "rich")) for name in modules)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "arguments",
    [
        ("rulebook", "list"),
        ("hand", "As Ks"),
        ("submission", "new", "ma-criss-cross"),
        ("clauses", "NJC-1"),
        ("play", "nj-criss-cross", "--bots", "careful", "--auto", "1"),
    ],
)
def test_common_commands_do_not_import_numba(arguments: tuple[str, ...]) -> None:
    assert not imported_by(*arguments) & NEVER


def test_without_a_command_the_help_is_shown(crossfelt: Crossfelt) -> None:
    alone, asked = crossfelt(), crossfelt("--help")
    assert alone.code == asked.code == 0
    assert alone.out == asked.out
    words = " ".join(asked.out.split())
    assert all(f"{name} {told}" in words for name, (_, told) in COMMANDS.items())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_imported(crossfelt: Crossfelt, name: str) -> None:
    outcome = crossfelt(name, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"Usage: crossfelt {name} ")
    assert "╭" not in outcome.out


def test_version(crossfelt: Crossfelt) -> None:
    assert crossfelt("--version").out == f"crossfelt {__version__}\n"
    as_module = subprocess.run(
        [sys.executable, "-m", "crossfelt", "--version"], capture_output=True, text=True, check=True
    )
    assert as_module.stdout == f"crossfelt {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "problem", "hint"),
    [
        (["rulebok"], "No such command 'rulebok'. Did you mean 'rulebook'?", "crossfelt"),
        (["rulebook", "shw"], "No such command 'shw'. Did you mean 'show'?", "crossfelt rulebook"),
        (["--fast"], "No such option: --fast", "crossfelt"),
        (["hand", "--jason"], "No such option: --jason (Possible options: --json)", "crossfelt hand"),
        (["hand", "As Ks", "--game"], "Option '--game' requires an argument.", "crossfelt hand"),
        (["rulebook", "show", "x", "--section"], "Option '--section' requires an argument.", "crossfelt rulebook show"),
        (["hand"], "Missing argument 'CARDS'.", "crossfelt hand"),
        (["rulebook", "diff", "nj-criss-cross"], "Missing argument 'B'.", "crossfelt rulebook diff"),
        (["rulebook"], "Missing command.", "crossfelt rulebook"),
    ],
)
def test_a_wrong_command_line_is_one_line_with_a_hint(
    crossfelt: Crossfelt, arguments: list[str], problem: str, hint: str
) -> None:
    outcome = crossfelt(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.errors == [problem, f"Run '{hint} --help' to see what is allowed."]


def test_bad_input_is_one_line_and_exit_code_2(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("rulebook", "show", "nv-criss-cross")
    assert (outcome.code, outcome.out) == (2, "")
    assert len(outcome.errors) == 1
    assert outcome.errors[0].startswith("no such rulebook: 'nv-criss-cross' (allowed: ma-criss-cross, ")


def test_an_interrupt_is_quiet(crossfelt: Crossfelt, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("crossfelt.rulebooks.loader.rulebook_ids", interrupted)
    outcome = crossfelt("rulebook", "list")
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "")


@pytest.mark.exhaustive
def test_a_closed_pipe_is_quiet() -> None:
    command = [sys.executable, "-m", "crossfelt.cli.main", "rulebook", "show", "nj-pai-gow", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.exhaustive
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["hand", "As Ks"], ["clauses"], ["rulebook", "show", "nj-pai-gow", "--json"], ["rulebook", "list"]],
)
def test_unwritable_output_is_reported_in_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, encoding="utf-8", check=False
        )
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1] == "output: cannot be read or written: No space left on device"
    assert "Traceback" not in run.stderr


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["hand", "As Ks"], 1, "output: cannot be read or written: not writable"),
        (["round", "-"], 2, "stdin: rulebook: missing"),
    ],
)
def test_closed_standard_streams_are_reported_in_one_line(arguments: list[str], code: int, told: str) -> None:
    closed = ["sh", "-c", '"$@" <&- >&-', "sh"]
    run = subprocess.run([*closed, *PROGRAM, *arguments], stderr=subprocess.PIPE, text=True, check=False)
    assert (run.returncode, run.stderr.splitlines()[0]) == (code, told)
    assert "Traceback" not in run.stderr


@pytest.mark.exhaustive
@pytest.mark.parametrize("encoding", ["latin-1", "latin-1:strict", "koi8-r"])
@pytest.mark.parametrize("arguments", [["rulebook", "diff", "nj-criss-cross", "md-criss-cross"], ["hand", "Kſ"]])
def test_characters_that_the_encoding_lacks_are_replaced(encoding: str, arguments: list[str]) -> None:
    run = subprocess.run([*PROGRAM, *arguments], capture_output=True, env=encoded(encoding), check=False)
    assert run.returncode == (0 if run.stdout else 2)
    assert b"?" in run.stdout + run.stderr
    assert b"Traceback" not in run.stderr


@pytest.mark.exhaustive
def test_json_loses_nothing_in_another_encoding() -> None:
    command = [*PROGRAM, "clauses", "MAC-45", "--json"]
    told = [
        json.loads(subprocess.run(command, capture_output=True, env=encoded(name), check=True).stdout.decode(name))
        for name in ("utf-8", "koi8-r")
    ]
    assert "§" in told[0][0]["citation"]
    assert told[0] == told[1]


def encoded(name: str) -> dict[str, str]:
    return {**os.environ, "PYTHONIOENCODING": name, "PYTHONUTF8": "0"}


def test_the_entry_point_exits_with_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main.main(["rulebook", "show", "nowhere"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith("no such rulebook")


@pytest.mark.parametrize(("terminal", "no_color", "bold"), [(True, "", True), (True, "1", False), (False, "", False)])
def test_headings_are_bold_only_on_a_terminal_without_no_color(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, no_color: str, bold: bool
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    monkeypatch.setenv("NO_COLOR", no_color)
    assert ("\x1b[1m" in output.heading("Pay tables")) is bold
