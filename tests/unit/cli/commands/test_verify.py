"""`crossfelt verify`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crossfelt.cli.main import run
from crossfelt.proof.fair_round import DECKS
from crossfelt.proof.hash_chain import end_line
from crossfelt.proof.history import HistoryWriter
from crossfelt.rulebooks.game import compile_game
from unit.table.random_table import Driver


@pytest.fixture
def log(tmp_path: Path) -> Path:
    driver = Driver(compile_game("md-criss-cross"), seed=8, players=3)
    driver.play(2)
    path = tmp_path / "table.jsonl"
    with HistoryWriter.create(path, "pit 4, table 2", driver.table.game) as history:
        for row in driver.lived:
            history.append(row.command, row.events)
    return path


def test_an_intact_history_is_consistent_with_unproved_origin(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(log)]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0].startswith(f"{log}: table pit 4, table 2, md-criss-cross, game ")
    assert lines[-1] == "consistent, origin unproved"
    assert "rounds     2, of which 0 void; 2 settled a second time" in lines
    assert f"not shown: {DECKS}" in lines
    assert printed.err == ""


def test_json_has_a_stable_schema(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(log), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == [
        *("verdict", "fault", "table", "rulebook", "game_hash", "written_by", "checked_by", "head", "signed_row"),
        *("signed_at", "goes_on", "commands", "events", "rounds", "void_rounds", "resettled_rounds", "unsettled"),
        *("not_shown", "departures", "departs_from", "money", "house_net"),
    ]
    assert (report["verdict"], report["fault"], report["rounds"]) == ("consistent, origin unproved", None, 2)
    money = report["money"]
    assert report["house_net"] == money["lost"] - money["paid"] - money["contributed"]


def test_an_open_table_is_reported_without_heads_too(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    *lines, last = log.read_bytes().splitlines()
    end = end_line(len(lines) - 1, json.loads(last)["previous"], goes_on=True)
    log.write_bytes(b"\n".join([*lines, end.body, b""]))
    assert run(["verify", str(log)]) == 0
    assert "replayed; the table was still open" in capsys.readouterr().out
    assert run(["verify", str(log), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["goes_on"] is True


def test_the_first_fault_is_named_and_the_exit_code_is_1(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = log.read_text("utf-8")
    log.write_text(text.replace('"seat":2', '"seat":3', 1), "utf-8")
    assert run(["verify", str(log)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "inconsistent"
    assert lines[-2].startswith(f"{log}: line ")
    assert "was changed: its hash differs" in lines[-2]


def test_a_forged_event_is_shown_beside_the_expected_one(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    driver = Driver(compile_game("md-criss-cross"), seed=8, players=3)
    path = tmp_path / "forged.jsonl"
    with HistoryWriter.create(path, "table 2", driver.table.game) as history:
        history.append(driver.lived[0].command, driver.lived[1].events)
    assert run(["verify", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-4] == f"{path}: line 2, seq 1, event 1: does not follow from open_table"
    assert lines[-3].startswith('  recorded: {"at":')
    assert '"event":"seat_taken"' in lines[-3]
    assert '"event":"table_opened"' in lines[-2]
    assert run(["verify", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["fault"]["check"] == "event"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(None, "cannot be read: No such file or directory"), (b"hello\n", "line 1: not a history: JSON is malformed")],
)
def test_an_unreadable_file_is_one_line_and_exit_code_2(
    content: bytes | None, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other"
    if content is not None:
        path.write_bytes(content)
    assert run(["verify", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert printed.err.startswith(f"{path}: {complaint}")


def test_help_warns_that_a_history_is_for_auditors(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--help"]) == 0
    assert "contains the order of every deck" in " ".join(capsys.readouterr().out.split())
