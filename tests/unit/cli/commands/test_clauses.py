"""`crossfelt clauses` lists clauses and their proofs, and refuses unknown ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crossfelt.cli.commands import clauses as command
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.clauses import Proofs, clauses, clauses_of
from crossfelt.rulebooks.loader import as_data, load

ONE = ("tests/a.py::test_one",)
PROOFS = {
    "NJC-1": Proofs(behaviour=(*ONE, "tests/a.py::test_two"), data=("tests/b.py::test_datum",)),
    "MDC-2": Proofs(behaviour=ONE),
}


@pytest.fixture(autouse=True)
def proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law, "coverage", lambda: PROOFS)


Crossfelt = Callable[..., Any]
Rows = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def rows(crossfelt: Crossfelt) -> Rows:
    def found(*arguments: str) -> list[dict[str, Any]]:
        outcome = crossfelt("clauses", *arguments, "--json")
        assert outcome.code == 0
        return list(outcome.json)

    return found


def test_json_is_a_list_with_id_citation_how_and_tests_of_every_clause(rows: Rows) -> None:
    found = rows()
    assert [row["id"] for row in found] == list(clauses())
    assert all(list(row)[:4] == ["id", "citation", "how", "tests"] for row in found)
    assert found[0] == {
        "id": "NJC-1",
        "citation": "N.J.A.C. 13:69E-1.13Z(a)",
        "how": "enforced",
        "tests": ["tests/a.py::test_one", "tests/a.py::test_two"],
        "data_tests": ["tests/b.py::test_datum"],
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
    ("rulebook", "code"),
    [
        ("nj-criss-cross", "NJC"),
        ("ma-criss-cross", "MAC"),
        ("nj-pai-gow", "PGP"),
        ("nj-double-cross", "DCP"),
        ("md-criss-cross", "MDC"),
    ],
)
def test_a_rulebook_and_its_document_mean_the_same_clauses(rows: Rows, rulebook: str, code: str) -> None:
    assert [row["id"] for row in rows(rulebook)] == [clause.id for clause in clauses_of(code)]
    assert rows(rulebook) == rows(code) == rows(code.lower())


def test_missing_leaves_out_proved_clauses(rows: Rows) -> None:
    missing = {row["id"] for row in rows("--missing")}
    assert missing == set(clauses()) - set(PROOFS)
    assert rows("NJC-1", "--missing") == []


def test_the_list_has_a_line_for_each_clause_then_the_counts(crossfelt: Crossfelt) -> None:
    lines = crossfelt("clauses", "NJC").out.splitlines()
    count = len(clauses_of("NJC"))
    listed, counts = lines[:count], lines[count:]
    assert [line.split()[0] for line in listed] == [clause for clause in clauses() if clause.startswith("NJC")]
    assert listed[0].endswith("enforced   2 tests")
    assert counts[0] == ""
    assert counts[1].startswith(f"{count} clauses: ")
    assert counts[2] == f"1 proved by tests, {count - 1} not yet"


def test_a_clause_that_only_tests_of_data_have_is_not_proved(
    crossfelt: Crossfelt, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(law, "coverage", lambda: {**PROOFS, "NJC-2": Proofs(data=ONE)})
    found = {row["id"]: row for row in rows("NJC", "--missing")}
    assert "NJC-1" not in found
    assert (found["NJC-2"]["status"], found["NJC-2"]["data_tests"]) == ("data only", list(ONE))
    lines = crossfelt("clauses", "NJC").out.splitlines()
    assert lines[1].endswith("data only")
    assert lines[-1] == f"1 proved by tests, 1 by data only, {len(clauses_of('NJC')) - 2} not yet"
    assert crossfelt("clauses", "NJC-2").out.splitlines()[-1].strip() == ONE[0]


def test_one_clause_is_shown_with_topics_and_readings(crossfelt: Crossfelt) -> None:
    text = " ".join(crossfelt("clauses", "MDC-38").out.split())
    assert "MDC-38 Md. Standard Rules, Criss Cross Poker, ch. 12 § A" in text
    assert "Maryland: Criss Cross Poker, Standard Rules" in text
    assert "kind compute" in text
    assert "how computed, by games" in text
    assert "D16 Odds on the ante nj-criss-cross: 1 to 1, push on sixes to tens. (NJC-50)" in text
    assert "AMB-10 12 § A pays every winning wager" in text
    assert "or: Antes are paid by the table of 12 § A." in text


def test_a_physical_clause_shows_what_is_recorded_and_a_proved_one_its_tests(crossfelt: Crossfelt) -> None:
    assert "records   the check of the table's fittings" in crossfelt("clauses", "NJC-6").out
    shown = crossfelt("clauses", "mdc-2").out.splitlines()
    assert shown[-2].split() == ["tests", "1", "test"]
    assert shown[-1].strip() == "tests/a.py::test_one"


@pytest.mark.parametrize(
    ("unknown", "allowed"),
    [
        ("NJC-99", "(allowed: NJC-1 to NJC-62a)"),
        ("nevada", "a rulebook: nj-criss-cross, ma-criss-cross, nj-pai-gow, nj-double-cross, md-criss-cross"),
    ],
)
def test_an_unknown_id_is_one_line_with_the_allowed_ones(crossfelt: Crossfelt, unknown: str, allowed: str) -> None:
    outcome = crossfelt("clauses", unknown)
    assert (outcome.code, outcome.out, len(outcome.errors)) == (2, "", 1)
    assert outcome.errors[0].startswith(f"unknown clause: '{unknown}'")
    assert allowed in outcome.errors[0]


# --- a rulebook of one's own ---------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path) -> Callable[[str], str]:
    """Massachusetts as an own file, with an own clause."""

    def file(document: str) -> str:
        clause = {"id": "NVC-1", "citation": "Nev. Rules § 1", "says": "Six seats."}
        whole = as_data(load("ma-criss-cross")) if document == "MAC" else {"schema": 2, "extends": "ma-criss-cross"}
        named = {"id": "own", "version": "1.0.0", "title": "Own", "document": document}
        data = {**whole, **named, "clause": [clause]}
        (tmp_path / "own.json").write_text(json.dumps(data))
        return str(tmp_path / "own.json")

    return file


def test_a_file_brings_its_own_clauses_with_those_of_its_document(rows: Rows, own: Callable[[str], str]) -> None:
    mine, *others = rows(own("MAC"))
    assert (mine["id"], mine["citation"], mine["says"]) == ("NVC-1", "Nev. Rules § 1", "Six seats.")
    assert (mine["how"], mine["tests"], mine["status"]) == ("cited", [], "no proof: a clause of your own")
    assert others == rows("MAC")
    assert [row["id"] for row in rows(own("Nevada's rules"))] == ["NVC-1"]


def test_an_own_clause_is_known_only_with_its_file(crossfelt: Crossfelt, own: Callable[[str], str]) -> None:
    file = own("MAC")
    assert crossfelt("clauses", file, "nvc-1").out.splitlines() == [
        "NVC-1  Nev. Rules § 1",
        "  says      Six seats.",
        "  how       cited",
        "  tests     no proof: a clause of your own",
    ]
    assert crossfelt("clauses", file, "MAC-1").out == crossfelt("clauses", "MAC-1").out
    for arguments in (("NVC-1",), (file, "NVC-2"), ("nj-criss-cross", "NVC-1"), ("gone.toml",)):
        outcome = crossfelt("clauses", *arguments)
        assert (outcome.code, outcome.out, len(outcome.errors)) == (2, "", 1)


def test_on_a_terminal_the_list_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    command._print_table([command.row_of(clauses()["NJC-1"])])
    header, row = capsys.readouterr().out.splitlines()
    assert header.split() == ["clause", "citation", "how", "proof"]
    assert row.split()[0] == "NJC-1"
