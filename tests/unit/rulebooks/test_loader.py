"""Loading: a rulebook is refused with every problem, and is restored unchanged from its own data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks import checks, loader
from crossfelt.rulebooks.loader import as_data, content_hash, from_data, load, rulebook_ids
from properties import given, settings, st
from unit.rulebooks.mutations import MISSING, changed_at, full_data, mutants, places_of
from unit.rulebooks.planted_faults import BOOK, SENSE, SHAPE, Data, Fault, one, sound_data

BOOKS = ("ma-criss-cross", "md-criss-cross", "nj-criss-cross", "nj-double-cross", "nj-pai-gow")
FILE = "mine.toml"


def refusal(data: Any) -> tuple[Problem, ...]:
    with pytest.raises(BadInput) as refused:
        from_data(data, where=FILE)
    return refused.value.problems


def with_fault(*faults: Fault) -> Data:
    data = sound_data()
    for fault in faults:
        fault.plant(data)
    return data


# --- each fault, and many at once ---


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [*SHAPE, *SENSE])
def test_each_fault_is_reported_with_file_path_value_and_allowed_values(name: str) -> None:
    fault = (SHAPE | SENSE)[name]
    lines = [str(problem) for problem in refusal(with_fault(fault))]
    for says in fault.says:
        assert any(line.startswith(f"{FILE}: {says}") for line in lines), f"{says}: not in {lines}"
    assert all(line.startswith(f"{FILE}: ") and "\n" not in line for line in lines)


def test_only_planted_faults_are_reported() -> None:
    assert from_data(sound_data(), where=FILE) == load(BOOK)


SOME_OF_SHAPE = ["text for a number", "a missing key", "an unknown step", "odds as a number", "nothing for text"]
SOME_OF_SENSE = [
    "an unknown pay line",
    "an unknown clause",
    "an unknown topic",
    "a wager on an unknown hand",
    "a stake in two forms",
    "too few weights",
    "two top prizes",
    "a limit on an unknown wager",
    "an unknown setting",
    "an unknown value",
    "a default out of bounds",
    "a requirement on an unknown choice",
    "a fold that forfeits and keeps",
    "a card turned up twice",
    "a shuffle before the discard",
]


@pytest.mark.parametrize(("names", "faults"), [(SOME_OF_SHAPE, SHAPE), (SOME_OF_SENSE, SENSE)], ids=["shape", "sense"])
def test_many_faults_are_reported_in_one_refusal(names: list[str], faults: dict[str, Fault]) -> None:
    planted = [faults[name] for name in names]
    lines = [str(problem) for problem in refusal(with_fault(*planted))]
    for says in {says for fault in planted for says in fault.says}:
        assert any(line.startswith(f"{FILE}: {says}") for line in lines), says


@pytest.mark.parametrize("book", BOOKS)
def test_a_rulebook_with_a_field_gone_from_every_table_reports_each(book: str) -> None:
    data = sound_data(book)
    for wager in data["wager"]:
        del wager["title"]
    missing = [f"{FILE}: wager ({wager['id']}).title: missing" for wager in data["wager"]]
    assert [str(problem) for problem in refusal(data)] == missing


def test_odds_that_do_not_follow_rank_are_allowed_with_a_warning() -> None:
    data = sound_data()
    one(one(data["paytable"], id="bets")["lines"], hand="straight")["odds"] = "9 to 1"
    book = from_data(data, where=FILE)
    assert [str(warning) for warning in checks.warnings(book)] == [
        (
            "paytable (bets): straight ranks below flush but pays more: '9 to 1 against 8 to 1' "
            "(allowed: higher odds above, or in_order = false if the game means it so)"
        )
    ]
    one(data["paytable"], id="bets")["in_order"] = False
    assert not list(checks.warnings(from_data(data, where=FILE)))


def test_a_pay_table_that_pays_no_wager_is_mentioned() -> None:
    data = sound_data()
    data["paytable"].append({**data["paytable"][0], "id": "spare"})
    warned = [str(warning) for warning in checks.warnings(from_data(data, where=FILE))]
    assert warned == ["paytable (spare): no wager is paid by this pay table"]


def test_a_lower_pair_that_pays_more_gives_a_warning_too() -> None:
    data = sound_data()
    lines = one(data["paytable"], id="bets")["lines"]
    one(lines, id="pair_6s_through_10s")["odds"] = "3 to 2"
    book = from_data(data, where=FILE)
    assert [warning.code for warning in checks.warnings(book)] == ["paytable.order"]


def test_the_rest_of_a_category_is_no_higher_than_the_lines_above_it() -> None:
    data = sound_data()
    one(data["paytable"], id="bets")["lines"][-2:] = [
        {"id": "aces", "hand": "pair", "low": "A", "odds": "3 to 2"},
        {"id": "faces", "hand": "pair", "low": "J", "high": "K", "odds": "1 to 1"},
        {"hand": "pair", "odds": "push"},
    ]
    assert not list(checks.warnings(from_data(data, where=FILE)))


def test_a_pay_table_may_pay_single_hands_if_it_says_so() -> None:
    data = sound_data()
    table = one(data["paytable"], id="five_card_bonus")
    table["lines"] = [{"hand": "flush", "odds": "10 to 1"}]
    assert {problem.code for problem in refusal(data)} == {"payline.missing"}
    table["in_order"] = False
    from_data(data, where=FILE)


@pytest.mark.parametrize("book", BOOKS)
def test_no_shipped_rulebook_gives_a_warning(book: str) -> None:
    assert list(checks.warnings(load(book))) == []


def test_a_rulebook_may_bring_its_own_clauses() -> None:
    data = sound_data()
    data["deck"]["clauses"] = ["NVC-1"]
    assert [problem.value for problem in refusal(data)] == ["NVC-1"]
    data["clause"] = [{"id": "NVC-1", "citation": "Nev. Reg. 5", "says": "One deck."}]
    assert from_data(data, where=FILE).deck.clauses == ("NVC-1",)


# --- files ---


def test_an_unknown_name_is_refused_with_the_known_names() -> None:
    assert rulebook_ids() == BOOKS
    with pytest.raises(BadInput) as refused:
        load("nv-criss-cross")
    assert str(refused.value) == (
        f"no such rulebook: 'nv-criss-cross' (allowed: {', '.join(BOOKS)}, or the path of a .toml or .json file)"
    )


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("broken.toml", b"schema = = 1", "not TOML: Invalid value (at line 1, column 10)"),
        ("broken.json", b'{"schema": 1,}', "not JSON: "),
        ("empty.json", b"", "not JSON: "),
        ("binary.toml", b"\xff\xfe\x00\x01", "cannot be read: not UTF-8 text"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(BadInput) as refused:
        load(str(file))
    (problem,) = refused.value.problems
    assert str(problem).startswith(f"{file}: {says}")
    assert "\n" not in str(problem)


@pytest.mark.parametrize(("name", "says"), [("none.toml", "No such file"), ("folder.toml", "Is a directory")])
def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BadInput, match=f"{name}: cannot be read: {says}"):
        load(str(tmp_path / name))


@pytest.mark.parametrize("content", ["[]", "5", "null", '"text"', "{}"])
def test_json_that_is_not_a_rulebook_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(content)
    with pytest.raises(BadInput, match=r"other\.json: "):
        load(str(file))


def test_an_empty_file_lacks_everything(tmp_path: Path) -> None:
    file = tmp_path / "empty.toml"
    file.write_text("")
    with pytest.raises(BadInput) as refused:
        load(str(file))
    missing = {str(problem).removeprefix(f"{file}: ") for problem in refused.value.problems}
    assert {"schema: missing (allowed: 2)", "id: missing", "wager: missing", "script: missing"} <= missing


# --- there and back ---


@pytest.mark.parametrize("book", BOOKS)
def test_a_rulebook_comes_back_from_its_own_data(book: str) -> None:
    first = load(book)
    again = from_data(as_data(first), where=FILE)
    assert again == first
    assert content_hash(again) == content_hash(first)


@pytest.mark.parametrize("book", BOOKS)
def test_a_rulebook_comes_back_from_a_json_file(book: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(as_data(load(book))))
    assert load(str(file)) == load(book)
    assert content_hash(load(str(file))) == content_hash(load(book))


@pytest.mark.parametrize("book", BOOKS)
def test_defaults_that_are_written_out_change_nothing(book: str) -> None:
    written_out = from_data(json.loads(json.dumps(full_data(load(book)))), where=FILE)
    assert written_out == load(book)
    assert content_hash(written_out) == content_hash(load(book))


def test_comments_and_layout_of_the_file_do_not_count(tmp_path: Path) -> None:
    source = Path(loader.__file__).with_name("books") / f"{BOOK}.toml"
    file = tmp_path / "mine.toml"
    text = source.read_text("utf-8").replace("\n[", "\n# a comment\n\n\n[").replace(" = ", "   =  ")
    file.write_text("# another\n" + text, "utf-8")
    assert text != source.read_text("utf-8")
    assert content_hash(load(str(file))) == content_hash(load(BOOK))


@pytest.mark.exhaustive
def test_every_datum_counts_and_so_do_citations() -> None:
    book = load("ma-criss-cross")
    hashes = {content_hash(book)}
    looked_at = 1
    for mutant in mutants(book)[::29]:
        try:
            hashes.add(content_hash(from_data(mutant.applied_to(as_data(book)), where=FILE)))
            looked_at += 1
        except BadInput:
            continue
    assert len(hashes) == looked_at > 20
    cited = sound_data("ma-criss-cross")
    cited["deck"]["clauses"] = ["MAC-2", "MAC-3"]
    assert content_hash(from_data(cited, where=FILE)) not in hashes


# --- damaged data ---

ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["ante", "across", "push", "NJC-1", "wheel", "J", "1 to 1", "settings.cut_method"]),
    st.lists(st.integers(-1, 3), max_size=2),
    st.just({}),
    st.just([[]]),
    st.just([{}]),
    st.dictionaries(st.sampled_from(["id", "step", "value", "x"]), st.integers(0, 2), max_size=2),
)


@st.composite
def damaged(draw: Callable[..., Any]) -> Data:
    """The data of a rulebook with some values replaced, taken out or doubled."""
    data = sound_data(draw(st.sampled_from(BOOKS)))
    for _ in range(draw(st.integers(1, 3))):
        places = places_of(data)
        keys = places[draw(st.integers(0, 10**6)) % len(places)]
        value = draw(st.one_of(ANYTHING, st.just(MISSING)))
        data = changed_at(data, keys, value)
    return data


def complaint_about(data: Data) -> BadInput | None:
    """Return the refusal of the loader, if any; warnings and data of an accepted rulebook must be available."""
    try:
        book = from_data(data, where=FILE)
    except BadInput as refused:
        return refused
    list(checks.warnings(book))
    assert from_data(as_data(book), where=FILE) == book
    return None


@pytest.mark.exhaustive
@settings(max_examples=100)
@given(damaged())
def test_no_damage_to_a_rulebook_ends_in_anything_but_a_refusal(data: Data) -> None:
    refused = complaint_about(data)
    problems = refused.problems if refused else ()
    assert all(str(problem).startswith(FILE) and "\n" not in str(problem) for problem in problems)


@pytest.mark.soak
@settings(max_examples=5_000)
@given(damaged())
def test_no_damage_to_a_rulebook_ends_in_anything_but_a_refusal_for_long(data: Data) -> None:
    complaint_about(data)
