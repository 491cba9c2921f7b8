"""The tool that puts the marks to the proof: it alters every datum, and reports what no test notices."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.loader import as_data, from_data, load
from unit.rulebooks.document_cases import is_word
from unit.rulebooks.mutations import IDENTITY, MISSING, Keys, Mutant, changed_at, full_data, mutants, sample

ROOT = Path(__file__).resolve().parents[3]
BOOKS = ("ma-criss-cross", "md-criss-cross", "nj-criss-cross", "nj-double-cross", "nj-pai-gow")

# --- what is altered ---


def data_of(value: Any, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], Any]:
    """Every value of plain data that is a datum, by its place."""
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if not is_word(str(k)) and (path or k not in IDENTITY)}
        return {place: leaf for key, item in kept.items() for place, leaf in data_of(item, (*path, key)).items()}
    if isinstance(value, list | tuple):
        return {place: leaf for key, item in enumerate(value) for place, leaf in data_of(item, (*path, key)).items()}
    return {path: value}


def at(data: Any, keys: Keys) -> Any:
    for key in keys:
        data = data.get(key, {}) if isinstance(data, dict) else data[key]
    return data


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_every_datum_is_altered(book: str) -> None:
    whole = full_data(load(book))
    before = data_of(whole)
    touched: set[tuple[Any, ...]] = set()
    for mutant in mutants(load(book)):
        old = data_of(at(whole, mutant.keys))
        new = {} if mutant.value is MISSING else data_of(mutant.value)
        touched |= {(*mutant.keys, *place) for place, leaf in old.items() if new.get(place, MISSING) != leaf}
    assert len(before) > 500
    steps = {place for place in before if place[0] == "script" and place[-1] == "step"}
    assert set(before) - touched - steps == set()  # the kind of a step goes with the step


@pytest.mark.parametrize("book", BOOKS)
def test_a_mutant_differs_and_leaves_the_original_alone(book: str) -> None:
    data = as_data(load(book))
    for mutant in sample(mutants(load(book)), 100, seed=5):
        assert mutant.applied_to(data) != data
    assert from_data(data, where=book) == load(book)


def by_path(book: str, path: str) -> list[Mutant]:
    return [mutant for mutant in mutants(load(book)) if mutant.path == path]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("book", "path", "changes", "clauses"),
    [
        (
            "nj-criss-cross",
            "paytable[bets].lines[flush].odds",
            ["8 to 1 -> 9 to 1", "8 to 1 -> 7 to 1", "8 to 1 -> 8 for 1"],
            ("NJC-51",),
        ),
        ("nj-criss-cross", "wager[across].stake.max", ["3 -> 4", "3 -> 2"], ("NJC-11", "NJC-26", "NJC-41")),
        ("nj-criss-cross", "settings.cut_min_cards.value", ["10 -> 11", "10 -> 9"], ("NJC-22",)),
        ("nj-criss-cross", "settings.ace_low_straight.value", ["True -> False"], ("NJC-16",)),
        ("nj-criss-cross", "script[settle_bonus]", ["taken out", "before [settle]"], None),
        (
            "nj-criss-cross",
            "choice[wagers.ante.min_cents].default",
            ["500 -> 501", "500 -> 499", "500 -> nothing"],
            None,
        ),
        ("md-criss-cross", "requirement[6].must.meters.bonus_spin.reset_cents.at_least", None, ("MDC-46",)),
        ("nj-pai-gow", "paytable[progressive.A].lines[five_aces].meter_percent", ["10 -> 11", "10 -> 9"], None),
        (
            "nj-pai-gow",
            "paytable[seven_card_envy].lines[five_aces].amount_cents",
            ["25000 -> 25001", "25000 -> 24999"],
            (),
        ),
        ("nj-criss-cross", "wheel[bonus_spin.3].illustrative_weights[0]", None, ()),
        ("ma-criss-cross", "table.layout.shows[0]", None, ()),
        ("md-criss-cross", "wheel[bonus_spin.C].slices[5].pays_cents", ["25000 -> 25001", "25000 -> 24999"], None),
    ],
)
def test_examples_of_altered_data(
    book: str, path: str, changes: list[str] | None, clauses: tuple[str, ...] | None
) -> None:
    found = by_path(book, path)
    assert found
    if changes is not None:
        assert [mutant.change for mutant in found] == changes
    if clauses is not None:
        assert {mutant.clauses for mutant in found} == {clauses}


def test_a_slice_that_only_adds_a_reading_keeps_the_clauses_of_its_wheel() -> None:
    assert by_path("md-criss-cross", "wheel[bonus_spin.C].slices[5].pays_cents")[0].clauses == ("MDC-43", "MDC-45")


def test_steps_that_change_places_concern_the_clauses_of_both() -> None:
    (swap,) = [m for m in by_path("nj-criss-cross", "script[reveal_down]") if m.change.startswith("before")]
    assert set(swap.clauses) == {"NJC-42"}


def test_a_sample_is_the_same_each_time() -> None:
    found = mutants(load("ma-criss-cross"))
    assert sample(found, 5, seed=1) == sample(found, 5, seed=1)
    assert sample(found, 5, seed=1) != sample(found, 5, seed=2)
    assert len(sample(found, 10**6, seed=1)) == len(found)


def test_changing_and_taking_out() -> None:
    data = {"a": [{"b": 1}, {"b": 2}]}
    assert changed_at(data, ("a", 1, "b"), 3) == {"a": [{"b": 1}, {"b": 3}]}
    assert changed_at(data, ("a", 0), MISSING) == {"a": [{"b": 2}]}
    assert changed_at(data, ("a", 0, "b"), MISSING) == {"a": [{}, {"b": 2}]}
    assert data == {"a": [{"b": 1}, {"b": 2}]}


def test_some_mutants_are_refused_and_some_are_not() -> None:
    outcomes: Counter[bool] = Counter()
    data = as_data(load("ma-criss-cross"))
    for mutant in sample(mutants(load("ma-criss-cross")), 60, seed=3):
        try:
            from_data(mutant.applied_to(data), where="mutant")
            outcomes[True] += 1
        except BadInput:
            outcomes[False] += 1
    assert min(outcomes[True], outcomes[False]) > 5


# --- the tool itself ---


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/mutate_rulebooks.py", "--rulebook", "ma-criss-cross", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


READINGS = "criss_cross", "ma_criss_cross"
PROVES_ONE_SETTING = """
import pytest
from crossfelt.rulebooks.loader import load

@pytest.mark.clause("MAC-10")
def test_the_cut():
    assert load("ma-criss-cross").settings["cut_min_cards"].value == 10

@pytest.mark.clause("MAC-4")
def test_other():
    assert load("ma-criss-cross").settings["cut_method"].value == "insert_cover_card"
"""


@pytest.mark.exhaustive
def test_a_mutant_that_no_test_of_its_clause_notices_is_reported(tmp_path: Path) -> None:
    """The method of the cut is checked, but by a test marked with another clause: that is no proof."""
    suite = tmp_path / "test_suite.py"
    suite.write_text(PROVES_ONE_SETTING)
    made = run("--only", "settings.cut_m*.value", "--all", str(suite))
    assert made.returncode == 1, made.stderr
    lines = made.stdout.splitlines()
    assert (
        "NOT caught: ma-criss-cross: settings.cut_method.value: insert_cover_card -> lift_onto_cover_card [MAC-10]"
        in lines
    )
    assert any(
        line.startswith("caught: ma-criss-cross: settings.cut_min_cards.value: 10 -> 9 [MAC-10]") for line in lines
    )
    assert lines[-1] == "1 of 3 mutants not caught"


@pytest.mark.exhaustive
def test_a_mutant_that_is_noticed_or_refused_is_not_reported() -> None:
    made = run("--sample", "25", "--seed", "7", *(f"tests/unit/rulebooks/test_{name}.py" for name in READINGS))
    assert made.returncode == 0, made.stdout + made.stderr
    assert "NOT caught:" not in made.stdout
    assert made.stdout.splitlines()[-1] == "0 of 25 mutants not caught"


@pytest.mark.exhaustive
def test_tests_that_fail_anyway_prove_nothing(tmp_path: Path) -> None:
    suite = tmp_path / "test_suite.py"
    suite.write_text(PROVES_ONE_SETTING.replace("== 10", "== 11"))
    made = run("--only", "settings.cut_m*.value", str(suite))
    assert made.returncode == 2
    assert "these tests fail without an alteration:" in made.stderr
    assert "test_the_cut" in made.stderr


@pytest.mark.exhaustive
def test_impossible_draws_are_refused(tmp_path: Path) -> None:
    made = run("--rulebook", "nv-criss-cross")
    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.startswith("no such rulebook: nv-criss-cross (allowed: ma-criss-cross, ")
    suite = tmp_path / "test_suite.py"
    suite.write_text("import nothing_of_that_name\n")
    made = run("--sample", "1", str(suite))
    assert made.returncode == 2
    assert "nothing_of_that_name" in made.stderr
