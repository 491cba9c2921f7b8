"""`crossfelt report`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Crossfelt = Callable[..., Any]
QUICK = ("--rounds", "400", "--quick", "--workers", "1")


@pytest.mark.exhaustive
def test_the_command_in_a_report_makes_it_again(
    crossfelt: Crossfelt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my rules.toml").write_text('rulebook = "nj-double-cross"\n[wagers.ante]\nmin_cents = 1000\n')
    made = crossfelt("report", "nj-double-cross", "--submission", "my rules.toml", "--out", "one.json", *QUICK)
    assert (made.code, made.out, made.errors[-1]) == (0, "", "one.json: written")
    told = json.loads(Path("one.json").read_text())
    program, *arguments = shlex.split(told["command"])
    assert program == "crossfelt"
    assert crossfelt(*arguments, "--out", "two.json").code == 0
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert "seconds" not in told


@pytest.mark.exhaustive
def test_two_games_are_compared(crossfelt: Crossfelt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text('rulebook = "nj-double-cross"\n[wagers.ante]\nmin_cents = 1000\n')
    made = crossfelt("report", "--compare", "nj-double-cross", "mine.toml", "--out", "both.json", *QUICK)
    assert made.code == 0
    told = json.loads(Path("both.json").read_text())
    assert (told["schema"], told["kind"]) == (1, "comparison")
    assert told["command"] == "crossfelt report --compare nj-double-cross mine.toml --rounds 400"
    assert told["games"][1]["submission"] == {"wagers": {"ante": {"min_cents": 1000}}}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "submission",
    [
        'rulebook = "md-criss-cross"\nwagers.bonus_spin.offered = false\nwagers.bonus_spin_xtreme.offered = true\n',
        'rulebook = "nj-double-cross"\n[wagers.three_card]\noffered = false\n[pays.raise]\nflush = 8\n',
        'rulebook = "nj-pai-gow"\n[wagers.queens_dragon]\noffered = true\n[settings]\nez_variation = true\n',
    ],
)
def test_a_submission_has_its_sheet_too(crossfelt: Crossfelt, tmp_path: Path, submission: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(submission)
    rulebook = submission.split('"')[1]
    made = crossfelt("report", rulebook, "--submission", file, "--out", tmp_path / "par.html", *QUICK)
    assert made.code == 0
    assert (tmp_path / "par.html").stat().st_size > 50_000


@pytest.mark.exhaustive
def test_an_own_rulebook_has_its_sheet_too(crossfelt: Crossfelt, tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text(
        crossfelt("rulebook", "show", "nj-double-cross", "--json").out.replace("nj-double-cross", "own-game")
    )
    assert crossfelt("report", own, "--out", tmp_path / "par.json", *QUICK).code == 0
    assert json.loads((tmp_path / "par.json").read_text())["games"][0]["rulebook"] == "own-game"


@pytest.mark.exhaustive
def test_html_and_pdf_are_written_and_overwritten_only_with_force(crossfelt: Crossfelt, tmp_path: Path) -> None:
    page, print_ = tmp_path / "par.html", tmp_path / "par.PDF"
    assert crossfelt("report", "nj-double-cross", "--out", page, *QUICK).code == 0
    assert page.read_bytes().startswith(b"<!DOCTYPE html>")
    print_.write_text("mine")
    refused = crossfelt("report", "nj-double-cross", "--out", print_, *QUICK)
    assert (refused.code, refused.errors) == (
        2,
        [f"{print_}: file exists (allowed: another name, or --force to overwrite it)"],
    )
    assert print_.read_text() == "mine"
    assert crossfelt("report", "nj-double-cross", "--out", print_, "--force", *QUICK).code == 0
    assert print_.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["nj-criss-cross", "--out", "par.txt"],
            "par.txt: unknown file type: '.txt' (allowed: .json, .html, .pdf)",
        ),
        (["nj-criss-cross", "--out", "par"], "par: unknown file type: '' (allowed: .json, .html, .pdf)"),
        (
            ["nj-criss-cross", "--out", "no/where.pdf"],
            "no/where.pdf: cannot be written: its directory does not exist; create it first",
        ),
        (["--out", "par.json"], "ID: no game to report on (allowed: a rulebook's id or file, or --compare A B)"),
        (
            ["nj-criss-cross", "--compare", "nj-criss-cross", "md-criss-cross", "--out", "par.json"],
            (
                "ID: give either one game or --compare, not both: 'nj-criss-cross' "
                "(allowed: a rulebook's id or file, or --compare A B)"
            ),
        ),
        (
            ["--compare", "nj-criss-cross", "md-criss-cross", "--submission", "x.toml", "--out", "par.json"],
            (
                "--submission: cannot be combined with --compare; name submission files there: 'x.toml' "
                "(allowed: --compare FILE FILE)"
            ),
        ),
        (
            ["nj-criss-cross", "--rounds", "0", "--out", "par.json"],
            "--rounds: number of rounds out of range: 0 (allowed: 1 to 10,000,000,000)",
        ),
        (
            ["nj-criss-cross", "--workers", "0", "--out", "par.json"],
            "--workers: too few worker processes: 0 (allowed: 1 to 256)",
        ),
    ],
)
def test_an_impossible_sweep_is_one_clear_line(
    crossfelt: Crossfelt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = crossfelt("report", *arguments)
    assert (refused.code, refused.out, refused.errors) == (2, "", [told])
    assert not list(tmp_path.iterdir())


def test_an_unknown_rulebook_is_refused(crossfelt: Crossfelt, tmp_path: Path) -> None:
    refused = crossfelt("report", "xx-poker", "--out", tmp_path / "par.json")
    assert refused.code == 2
    assert len(refused.errors) == 1
