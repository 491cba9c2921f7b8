"""`crossfelt clauses` lists every clause, says what proves it, and refuses what it does not know."""

from __future__ import annotations

import json
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from crossfelt.cli import clauses as command
from crossfelt.rulebooks.clauses import clauses

PROOFS = {"NJC-1": ("tests/a.py::test_one", "tests/a.py::test_two"), "MDC-2": ("tests/a.py::test_one",)}


@pytest.fixture(autouse=True)
def proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "coverage", lambda: PROOFS)


def crossfelt_clauses(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(command.clauses_command)
    return CliRunner().invoke(app, list(arguments))


def rows(*arguments: str) -> list[dict[str, Any]]:
    result = crossfelt_clauses(*arguments, "--json")
    assert result.exit_code == 0
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def test_json_is_a_list_with_id_citation_how_and_tests_of_every_clause() -> None:
    found = rows()
    assert [row["id"] for row in found] == list(clauses())
    assert all(list(row)[:4] == ["id", "citation", "how", "tests"] for row in found)
    assert found[0] == {
        "id": "NJC-1",
        "citation": "N.J.A.C. 13:69E-1.13Z(a)",
        "how": "enforced",
        "tests": ["tests/a.py::test_one", "tests/a.py::test_two"],
        "document": "NJC",
        "says": "The table has six betting positions, facing the dealer.",
        "kind": ["enforce"],
        "part": "table",
        "status": "proved",
        "records": "",
        "topics": [],
        "readings": [],
    }


@pytest.mark.parametrize(
    ("rulebook", "code", "count"),
    [
        ("nj-criss-cross", "NJC", 65),
        ("ma-criss-cross", "MAC", 48),
        ("nj-pai-gow", "PGP", 29),
        ("nj-double-cross", "DCP", 38),
        ("md-criss-cross", "MDC", 58),
    ],
)
def test_a_rulebook_and_its_document_mean_the_same_clauses(rulebook: str, code: str, count: int) -> None:
    assert len(rows(rulebook)) == count
    assert rows(rulebook) == rows(code) == rows(code.lower())


def test_missing_leaves_out_what_is_proved() -> None:
    missing = {row["id"] for row in rows("--missing")}
    assert missing == set(clauses()) - set(PROOFS)
    assert rows("NJC-1", "--missing") == []


def test_the_list_has_a_line_for_each_clause_and_then_the_counts() -> None:
    lines = crossfelt_clauses("NJC").stdout.splitlines()
    listed, counts = lines[:65], lines[65:]
    assert [line.split()[0] for line in listed] == [clause for clause in clauses() if clause.startswith("NJC")]
    assert listed[0].endswith("enforced   2 tests")
    assert counts[0] == ""
    assert counts[1].startswith("65 clauses: ")
    assert counts[2] == "1 proved by tests, 64 not yet"


def test_without_a_proof_the_list_says_whether_the_part_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_is_built", lambda part: part != "web")
    status = {row["id"]: row["status"] for row in rows("NJC")}
    assert status["NJC-3"] == "no proof yet: web is not built"
    assert status["NJC-16"] == "no proof yet"


def test_one_clause_is_shown_with_everything_that_bears_on_it() -> None:
    text = " ".join(crossfelt_clauses("MDC-38").stdout.split())
    assert "MDC-38 Md. Standard Rules, Criss Cross Poker, ch. 12 § A" in text
    assert "Maryland: Criss Cross Poker, Standard Rules" in text
    assert "kind compute" in text
    assert "how computed, by games" in text
    assert "D16 Odds on the ante nj-criss-cross: 1 to 1, push on sixes to tens. (NJC-50)" in text
    assert "AMB-10 12 § A pays every winning wager" in text
    assert "or: Antes are paid by the table of 12 § A." in text


def test_a_physical_clause_shows_what_is_recorded_and_a_proved_one_its_tests() -> None:
    assert "records   the check of the table's fittings" in crossfelt_clauses("NJC-6").stdout
    shown = crossfelt_clauses("mdc-2").stdout.splitlines()
    assert shown[-2].split() == ["tests", "1", "test"]
    assert shown[-1].strip() == "tests/a.py::test_one"


@pytest.mark.parametrize(
    ("unknown", "allowed"),
    [
        ("NJC-99", "(allowed: NJC-1 to NJC-62a)"),
        ("nevada", "a rulebook: nj-criss-cross, ma-criss-cross, nj-pai-gow, nj-double-cross, md-criss-cross"),
    ],
)
def test_an_unknown_id_is_bad_input_in_one_line_that_says_what_is_allowed(unknown: str, allowed: str) -> None:
    result = crossfelt_clauses(unknown)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"no such clause: '{unknown}'")
    assert allowed in result.stderr
    assert result.stderr.count("\n") == 1


def test_on_a_terminal_the_list_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    command._print_table([command.row_of(clauses()["NJC-1"])])
    header, row = capsys.readouterr().out.splitlines()
    assert header.split() == ["clause", "citation", "how", "proof"]
    assert row.split()[0] == "NJC-1"
