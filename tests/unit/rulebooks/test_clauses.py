"""The clauses are complete, consistent, in our own words, and each proof of one is really there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import get_args

import pytest

import write_coverage
from crossfelt.errors import BadInput
from crossfelt.rulebooks import clauses as law

ROOT = Path(__file__).resolve().parents[3]
RULES = ROOT.parent / "shared" / "rules"
"""Catalogue and documents, where they lie beside the repository; the tests also pass without them."""

CRISS_AND_DOUBLE_CROSS = {"nj-criss-cross", "ma-criss-cross", "md-criss-cross", "nj-double-cross"}
OURS = {"NJC-12a", "NJC-12b", "NJC-13a", "DCP-3a", "DCP-3b", "DCP-4a", "DCP-16a", "DCP-16b"}
"""Clauses of sentences that the catalogue leaves out: each has the number of a neighbour and a letter."""
KIND_LETTERS = {"E": "enforce", "R": "record", "C": "compute", "D": "display", "P": "physical"}


def catalogue() -> str:
    file = RULES / "catalogue.md"
    return file.read_text("utf-8") if file.exists() else ""


def catalogue_rows() -> dict[str, list[str]]:
    """Return the cells of each clause's row in the catalogue, without its id; empty without the catalogue."""
    rows = (line.strip("| \n").split(" | ") for line in catalogue().splitlines())
    return {row[0]: row[1:] for row in rows if re.fullmatch(r"(NJC|MAC|PGP|DCP|MDC)-\w+", row[0])}


# --- complete ---


def test_each_document_has_its_own_clauses() -> None:
    counts = {code: len(law.clauses_of(code)) for code in law.CODES}
    assert counts == {"NJC": 68, "MAC": 48, "PGP": 29, "DCP": 43, "MDC": 58}
    assert len(law.clauses()) == sum(counts.values())
    assert all(clause.code == code for code in law.CODES for clause in law.clauses_of(code))


def test_ids_are_unique() -> None:
    ids = [clause.id for code in law.CODES for clause in law.clauses_of(code)]
    assert [clause for clause, times in Counter(ids).items() if times > 1] == []
    assert len(law.topics()) == 29
    assert len(law.readings()) == 59


def test_clauses_topics_and_readings_are_those_of_the_catalogue() -> None:
    text = catalogue()
    if text:
        ours = [clause for clause in law.clauses() if clause not in OURS]
        assert list(catalogue_rows()) == ours
        assert re.findall(r"^\| (D\d+[a-z]?) \|", text, re.M) == list(law.topics())
        assert re.findall(r"^- (AMB-\d+[a-z]?) ", text, re.M) == list(law.readings())
    assert list(law.topics()) == [*(f"D{n}" for n in range(1, 12)), "D11b", *(f"D{n}" for n in range(12, 29))]


def test_clauses_agree_with_the_catalogue() -> None:
    for clause_id, cells in catalogue_rows().items():
        clause = law.clauses()[clause_id]
        letters = cells[0] if clause.code == "NJC" else cells[1]
        if letters != "-":
            assert clause.kind == tuple(KIND_LETTERS[letter] for letter in letters.split("/")), clause_id
        named = set(re.findall(r"\bD\d+[a-z]?\b", cells[-1])) if clause.code != "PGP" else set()
        assert named <= set(clause.topics), clause_id
        assert set(re.findall(r"AMB-\d+[a-z]?", " ".join(cells))) <= set(clause.readings), clause_id


def test_each_document_belongs_to_one_rulebook() -> None:
    assert {code: document.rulebook for code, document in law.documents().items()} == {
        "NJC": "nj-criss-cross",
        "MAC": "ma-criss-cross",
        "PGP": "nj-pai-gow",
        "DCP": "nj-double-cross",
        "MDC": "md-criss-cross",
    }


def test_an_unknown_document_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match=r"no such document: 'NVC' \(allowed: NJC, MAC, PGP, DCP, MDC\)"):
        law.clauses_of("NVC")


# --- consistent ---


def test_topics_and_clauses_name_each_other() -> None:
    for clause in law.clauses().values():
        for named in clause.topics:
            assert clause.id in law.topics()[named].rulebooks[clause.document.rulebook].clauses
    for topic_id, topic in law.topics().items():
        assert set(topic.rulebooks) >= CRISS_AND_DOUBLE_CROSS
        for rulebook, statement in topic.rulebooks.items():
            cited = [law.clauses()[clause] for clause in statement.clauses]
            assert all(topic_id in clause.topics for clause in cited)
            assert all(clause.document.rulebook == rulebook for clause in cited)


def test_a_document_that_settles_a_topic_is_cited_for_it() -> None:
    uncited = [
        f"{topic.id} {rulebook}"
        for topic in law.topics().values()
        for rulebook, statement in topic.rulebooks.items()
        if not statement.silent and not statement.clauses
    ]
    assert uncited == []


def test_readings_and_clauses_name_each_other() -> None:
    for clause in law.clauses().values():
        assert all(clause.id in law.readings()[reading].clauses for reading in clause.readings)
    rulebooks = {document.rulebook for document in law.documents().values()}
    for reading in law.readings().values():
        assert reading.group in rulebooks
        assert all(reading.id in law.clauses()[clause].readings for clause in reading.clauses)


def test_every_clause_says_how_and_by_which_part_it_is_carried_out() -> None:
    assert {clause.how for clause in law.clauses().values()} == set(get_args(law.How))
    assert {clause.part for clause in law.clauses().values()} == set(get_args(law.Part))


def test_a_clause_answered_by_a_record_names_the_record() -> None:
    silent = [
        clause.id
        for clause in law.clauses().values()
        if (clause.how in ("physical", "recorded") or "record" in clause.kind) and not clause.records
    ]
    assert silent == []


def test_citations_are_in_the_form_of_their_document() -> None:
    forms = {
        "NJC": r"N\.J\.A\.C\. 13:69[EF]-(1\.13Z|40\.\d+)",
        "MAC": r"Mass\. Rules of the Game, Criss-Cross Poker § \d+",
        "PGP": r"N\.J\.A\.C\. 13:69F-11\.(3|7|9|10|14A)",
        "DCP": r"N\.J\.A\.C\. 19:47-25\.\d+",
        "MDC": r"Md\. Standard Rules, Criss Cross Poker, ch\. \d+",
    }
    odd = [clause.id for clause in law.clauses().values() if not re.match(forms[clause.code], clause.citation)]
    assert odd == []


# --- in our own words ---


def our_words() -> Iterator[tuple[str, str]]:
    for clause in law.clauses().values():
        yield clause.id, f"{clause.says} | {clause.records}"
    for reading in law.readings().values():
        yield reading.id, " | ".join([reading.about, reading.reading, *reading.alternatives])
    for topic in law.topics().values():
        yield topic.id, " | ".join(statement.says for statement in topic.rulebooks.values())


def runs_of_eight(text: str) -> set[tuple[str, ...]]:
    """Every run of eight words within the parts of a text that bars divide."""
    parts = (re.findall(r"[a-z0-9]+", part) for part in text.lower().split("|"))
    return {tuple(words[i : i + 8]) for words in parts for i in range(len(words) - 7)}


def test_eight_words_in_a_row_are_never_those_of_a_document() -> None:
    assert runs_of_eight("Not, that is | A b c d e f g h.") == {tuple("abcdefgh")}
    texts = [file.read_text("utf-8").replace("|", " ") for file in sorted(RULES.glob("sources/*.txt"))]
    theirs = set().union(*map(runs_of_eight, texts))
    borrowed = {name: runs_of_eight(text) & theirs for name, text in our_words()}
    assert {name: runs for name, runs in borrowed.items() if runs} == {}


def test_every_wording_is_a_sentence_of_its_own() -> None:
    unfinished = [name for name, text in our_words() for part in text.split(" | ")[:1] if part[-1] not in ".?"]
    assert unfinished == []


# --- proved ---


def python(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    # Plugins that happen to be installed take longer to load than the small suites take to collect.
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.exhaustive
def test_the_shipped_list_of_proofs_is_that_of_the_tests(proofs: write_coverage.Coverage | None) -> None:
    if proofs is None:  # only some tests are run: they are collected once more, all of them
        run = python("tools/write_coverage.py", "--check")
        assert run.returncode == 0, run.stdout + run.stderr
    else:
        assert write_coverage.differences(json.loads(write_coverage.SHIPPED.read_text("utf-8")), proofs) == []


def test_the_shipped_list_of_proofs_is_sorted_and_names_clauses_that_exist() -> None:
    assert set(law.coverage()) <= set(law.clauses())
    assert list(law.coverage()) == sorted(law.coverage())
    for found in law.coverage().values():
        assert found.behaviour or found.data
        assert all(list(tests) == sorted(set(tests)) for tests in (found.behaviour, found.data))


def test_every_clause_is_proved_by_what_the_software_does_or_shows(proofs: write_coverage.Coverage | None) -> None:
    """A test that compares data with a literal proves nothing about a refusal, a payment or a page."""
    listed = {clause: {"behaviour": list(found.behaviour)} for clause, found in law.coverage().items()}
    proved = {clause for clause, kinds in (proofs or listed).items() if kinds.get("behaviour")}
    assert set(law.clauses()) == proved


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A small suite with the plugin of this one."""
    for name in ("conftest.py", "soak_length.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / name)
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers =\n  clause(*ids): proves\n  clause_data(*ids): compares\n  soak: long\n"
    )
    return tmp_path


def collected(suite: Path, test: str, *options: str) -> tuple[subprocess.CompletedProcess[str], Mapping[str, object]]:
    (suite / "test_it.py").write_text(f"import pytest\nmark = pytest.mark.clause\n{test}")
    run = python("-m", "pytest", "--collect-only", "-q", "--clause-coverage", "found.json", *options, folder=suite)
    file = suite / "found.json"
    return run, json.loads(file.read_text()) if file.exists() else {}


@pytest.mark.exhaustive
def test_a_mark_for_a_clause_that_does_not_exist_is_a_collection_error(suite: Path) -> None:
    run, _ = collected(suite, "@mark('NJC-41', 'NJC-99')\ndef test_a(): pass\n")
    assert run.returncode == 2
    assert "test_it.py::test_a: clause 'NJC-99' does not exist" in run.stdout
    assert "NJC-41" not in run.stdout


@pytest.mark.exhaustive
def test_a_wrong_mark_on_a_param_is_found_too(suite: Path) -> None:
    run, _ = collected(
        suite, "@pytest.mark.parametrize('n', [pytest.param(1, marks=mark('X-1'))])\ndef test_a(n): pass\n"
    )
    assert run.returncode == 2
    assert "test_it.py::test_a[1]: clause 'X-1' does not exist" in run.stdout


@pytest.mark.exhaustive
def test_a_mark_without_a_clause_is_a_collection_error(suite: Path) -> None:
    run, _ = collected(suite, "@mark()\ndef test_a(): pass\n")
    assert run.returncode == 2
    assert "test_it.py::test_a: a clause mark names no clause" in run.stdout


def test_params_count_as_one_test_unless_the_mark_is_on_a_param(suite: Path) -> None:
    test = (
        "@mark('NJC-2')\n"
        "@pytest.mark.parametrize('n', [1, pytest.param(2, marks=mark('NJC-1'))])\n"
        "def test_a(n): pass\n"
        "@mark('NJC-2')\ndef test_b(): pass\n"
    )
    run, found = collected(suite, test)
    assert run.returncode == 0
    assert list(found.items()) == [
        ("NJC-1", {"behaviour": ["test_it.py::test_a[2]"]}),
        ("NJC-2", {"behaviour": ["test_it.py::test_a", "test_it.py::test_b"]}),
    ]


def test_a_test_of_data_is_listed_apart(suite: Path) -> None:
    test = "@mark('NJC-2')\n@pytest.mark.clause_data('NJC-1', 'NJC-2')\ndef test_a(): pass\n"
    _, found = collected(suite, test)
    alone = ["test_it.py::test_a"]
    assert found == {"NJC-1": {"data": alone}, "NJC-2": {"behaviour": alone, "data": alone}}


@pytest.mark.exhaustive
def test_a_clause_mark_on_a_test_that_is_skipped_or_may_fail_is_refused(suite: Path) -> None:
    marks = ("skip", "skip(reason='later')", "skipif(True, reason='later')", "xfail", "xfail(strict=True)")
    tests = "".join(
        f"@mark('NJC-1')\n@pytest.mark.{name}\ndef test_{n}(): pass\n"
        f"@pytest.mark.parametrize('n', [pytest.param(1, marks=[mark('NJC-1'), pytest.mark.{name}]), 2])\n"
        f"def test_param_{n}(n): pass\n"
        for n, name in enumerate(marks)
    )
    run, _ = collected(suite, tests)
    assert run.returncode == 2
    for n, name in enumerate(mark.partition("(")[0] for mark in marks):
        for test in (f"test_{n}", f"test_param_{n}[1]"):
            assert f"test_it.py::{test}: a test with the mark '{name}' proves no clause; take one" in run.stdout


@pytest.mark.exhaustive
def test_deselected_tests_prove_nothing(suite: Path) -> None:
    test = "@mark('NJC-1')\n@pytest.mark.soak\ndef test_a(): pass\n@mark('NJC-2')\ndef test_b(): pass\n"
    assert list(collected(suite, test, "-m", "not soak")[1]) == ["NJC-2"]


@pytest.mark.exhaustive
def test_a_clause_does_not_lose_its_last_proof_unnoticed(tmp_path: Path) -> None:
    file = tmp_path / "coverage.json"
    before = '{\n "NJC-1": {\n  "behaviour": [\n   "tests/test_gone.py::test_gone"\n  ]\n }\n}\n'
    file.write_text(before)
    here = str(Path(__file__).relative_to(ROOT))
    run = python("tools/write_coverage.py", "--file", str(file), here)
    assert run.returncode == 1
    assert run.stdout.startswith("NJC-1 lost its proof\n- NJC-1 behaviour tests/test_gone.py::test_gone\n")
    assert file.read_text() == before
    assert python("tools/write_coverage.py", "--file", str(file), "--check", here).returncode == 1
    assert python("tools/write_coverage.py", "--file", str(file), "--allow-loss", here).returncode == 0
    assert file.read_text() == "{}\n"
