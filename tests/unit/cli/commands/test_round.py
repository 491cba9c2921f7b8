"""`crossfelt round`."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from crossfelt.cli.main import run

ROUND = """
rulebook = "md-criss-cross"
cards = { across = "Kd 4s", down = "9c 9h", middle = "Kc", seat1 = "Ks 2d" }
[[seats]]
seat = 1
wagers = { ante = 1000, five_card_bonus = 500 }
decisions = { across = 3000, down = 1000, middle = 1000 }
"""
DATA: dict[str, Any] = {
    "rulebook": "md-criss-cross",
    "cards": {"across": "Kd 4s", "down": "9c 9h", "middle": "Kc", "seat1": "Ks 2d"},
    "seats": [
        {
            "seat": 1,
            "wagers": {"ante": 1000, "five_card_bonus": 500},
            "decisions": {"across": 3000, "down": 1000, "middle": 1000},
        }
    ],
}


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Return exit code, stdout and stderr."""
    code = run(["round", *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize(("name", "text"), [("round.toml", ROUND), ("round.json", json.dumps(DATA, indent=2))])
def test_a_round_prints_one_json_object(
    name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = told(capsys, written(tmp_path, name, text))
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert (result["outcome"], result["seats"]["1"]["net"], result["house_net"]) == ("settled", 17500, -17500)
    assert set(result) == {"rulebook", "outcome", "seats", "house_net", "meters"}
    assert out.count("\n") > 10


def test_json_prints_the_same_on_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path, "round.toml", ROUND)
    _, pretty, _ = told(capsys, file)
    _, compact, _ = told(capsys, file, "--json")
    assert compact.count("\n") == 1
    assert json.loads(compact) == json.loads(pretty)


def test_events_are_added_with_cards_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, written(tmp_path, "round.toml", ROUND), "--events")
    events = json.loads(out)["events"]
    assert code == 0
    assert events[0]["event"] == "table_opened"
    assert {"cards_dealt", "wager_settled", "round_closed"} <= {event["event"] for event in events}
    shown = next(event for event in events if event["event"] == "hand_shown")
    assert (shown["cards"], shown["hands"]) == (["Ks", "2d"], {"across": "three kings", "down": "kings and nines"})
    dealt = next(event for event in events if event["event"] == "cards_dealt")
    assert [0, "middle", "Kc"] in dealt["cards"]
    assert all(event["clauses"] for event in events if event["event"] == "wager_settled")


def typed_in(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))


@pytest.mark.parametrize("text", [ROUND, json.dumps(DATA), json.dumps(DATA, indent=2)], ids=["toml", "json", "pretty"])
def test_a_dash_reads_stdin(text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed_in(monkeypatch, text.encode())
    code, out, _ = told(capsys, "-")
    assert (code, json.loads(out)["house_net"]) == (0, -17500)


def test_many_rounds_on_stdin_give_one_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed_in(monkeypatch, f"{json.dumps(DATA)}\n".encode() * 3)
    code, out, _ = told(capsys, "-")
    assert (code, [json.loads(line)["house_net"] for line in out.splitlines()]) == (0, [-17500] * 3)


def test_a_file_of_rounds_gives_one_result_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = [
        {"rulebook": f"{state}-criss-cross", **{k: DATA[k] for k in ("cards", "seats")}} for state in ("nj", "ma")
    ]
    file = written(tmp_path, "rounds.jsonl", "\n".join(map(json.dumps, rounds)))
    code, out, err = told(capsys, file)
    assert (code, err) == (0, "")
    assert [json.loads(line)["rulebook"] for line in out.splitlines()] == ["nj-criss-cross", "ma-criss-cross"]
    _, with_events, _ = told(capsys, file, "--events")
    assert all(json.loads(line)["events"] for line in with_events.splitlines())


def test_a_bad_line_is_reported_by_number_and_good_ones_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = json.dumps(DATA)
    bad = good.replace('"across": 3000', '"across": 9000').replace('"ante": 1000', '"ante": 1000, "tip": 5')
    code, out, err = told(capsys, written(tmp_path, "rounds.jsonl", f"{good}\n\n{bad}\nno json\n{good}\n"))
    assert (code, len(out.splitlines())) == (2, 2)
    wager, syntax = (line.split("rounds.jsonl:")[1] for line in err.splitlines())
    assert wager.startswith(
        "3: seat 1: wagers.tip: no such wager at this table (allowed: ante, five_card_bonus, bonus_spin)"
    )
    assert syntax.startswith("4: not JSON: ")


@pytest.mark.parametrize("by_file", [True, False], ids=["file", "stdin"])
@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"rulebook": "\xff"}', "cannot be read: not UTF-8 text"),
        (b'{"seed": 1, "seed": 2}', "not JSON: the key 'seed' appears twice in one table"),
        (b'{"seed": NaN}', "not JSON: NaN is not a number"),
        ('{"rulebook": "nj-\u2028criss-cross"}'.encode(), "seats: missing"),
    ],
    ids=["bytes", "twice", "nan", "line separator"],
)
def test_a_bad_json_line_spoils_no_other(
    line: bytes,
    what: str,
    by_file: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    good = json.dumps(DATA).encode()
    text = b"\n".join([good, line, good, b""])
    (tmp_path / "rounds.jsonl").write_bytes(text)
    typed_in(monkeypatch, text)
    code, out, err = told(capsys, str(tmp_path / "rounds.jsonl") if by_file else "-")
    assert (code, [json.loads(one)["house_net"] for one in out.splitlines()]) == (2, [-17500] * 2)
    assert err.endswith(f":2: {what}\n")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("round.toml", "rulebook = ", "round.toml: not TOML: "),
        ("round.json", "{", "round.json: not JSON: "),
        ("round.json", "[]", "round.json: not a table: '[]'"),
        ("round.toml", "", "round.toml: rulebook: missing"),
    ],
)
def test_data_that_is_no_round_is_bad_input(
    name: str, text: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = told(capsys, written(tmp_path, name, text))
    assert (code, out) == (2, "")
    assert problem in err.splitlines()[0]
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["round.toml", "rounds.jsonl"])
def test_a_missing_file_is_bad_input(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, str(tmp_path / name))
    assert (code, out) == (2, "")
    assert err.endswith("cannot be read: No such file or directory\n")


@pytest.mark.parametrize("text", ["rulebook = ", "{"])
def test_bad_text_on_stdin_is_bad_input(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed_in(monkeypatch, text.encode())
    code, _, err = told(capsys, "-")
    assert (code, err.startswith("stdin: n"), err.count("\n")) == (2, True, 1)


def test_bytes_that_are_not_text_are_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rounds.jsonl").write_bytes(b"\xff\xfe\n")
    code, _, err = told(capsys, str(tmp_path / "rounds.jsonl"))
    assert (code, err.endswith("cannot be read: not UTF-8 text\n")) == (2, True)


@pytest.mark.exhaustive
def test_a_closed_reader_causes_no_traceback(tmp_path: Path) -> None:
    file = written(tmp_path, "rounds.jsonl", f"{json.dumps(DATA)}\n" * 300)
    command = [sys.executable, "-c", "from crossfelt.cli.main import main; main()", "round", file, "--events"]
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert done.stderr == b""
    assert done.returncode == 1
