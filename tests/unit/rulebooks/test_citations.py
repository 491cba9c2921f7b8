"""Every clause, reading and topic of a document is taken up by its rulebook, and every datum rests on something."""

from __future__ import annotations

import msgspec
import pytest

from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.citations import Cited, data_of
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.settings import setting_rules
from unit.rulebooks.document_cases import said

CODES = {
    "nj-criss-cross": "NJC",
    "ma-criss-cross": "MAC",
    "md-criss-cross": "MDC",
    "nj-double-cross": "DCP",
    "nj-pai-gow": "PGP",
}
CITING = ("clauses", "readings", "tie_readings")
CROSS_BOOKS = [book for book in CODES if book != "nj-pai-gow"]
TOPICS = [*(f"D{number}" for number in range(1, 12)), "D11b", *(f"D{number}" for number in range(12, 29))]


def citing(book: Rulebook) -> list[Cited]:
    return [datum for _, datum in data_of(book) if isinstance(datum, Cited)]


def cited(book: Rulebook) -> set[str]:
    return {name for _, datum in data_of(book) for field in CITING for name in getattr(datum, field, ())}


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", CODES)
def test_every_clause_of_the_document_is_cited_by_a_datum(book: str) -> None:
    clauses = [clause.id for clause in law.clauses_of(CODES[book])]
    assert [clause for clause in clauses if clause not in cited(load(book))] == []


@pytest.mark.parametrize("book", CODES)
def test_a_rulebook_cites_no_other_document(book: str) -> None:
    others = [name for name in cited(load(book)) if not name.startswith((f"{CODES[book]}-", "AMB-"))]
    assert others == []


@pytest.mark.parametrize("book", CODES)
def test_every_reading_that_concerns_the_document_is_cited_by_a_datum(book: str) -> None:
    concerned = [
        reading.id
        for reading in law.readings().values()
        if reading.group == book or any(law.clauses()[clause].code == CODES[book] for clause in reading.clauses)
    ]
    assert len(concerned) > 5
    assert [reading for reading in concerned if reading not in cited(load(book))] == []


@pytest.mark.parametrize("book", CROSS_BOOKS)
def test_every_topic_of_the_difference_matrix_is_filled(book: str) -> None:
    rulebook = load(book)
    filled = {datum.topic for datum in citing(rulebook)}
    filled |= {setting_rules()[name].topic for name in rulebook.settings}
    assert [topic for topic in TOPICS if topic not in filled] == []
    assert list(law.topics()) == TOPICS


@pytest.mark.parametrize("book", CROSS_BOOKS)
def test_a_setting_is_silent_where_it_cites_no_clause_and_settles_something_where_it_is_not(book: str) -> None:
    for name, setting in load(book).settings.items():
        assert setting.silent or setting.clauses, name
        assert setting.clauses or setting.readings or setting.house_rule, name


@pytest.mark.parametrize("book", CODES)
def test_an_irregularity_is_silent_where_it_cites_no_clause(book: str) -> None:
    for kind, cases in load(book).irregularities.items():
        for case, irregularity in cases.items():
            assert irregularity.silent or irregularity.clauses, f"{kind}.{case}"


@pytest.mark.parametrize("book", CODES)
def test_the_rulebook_names_its_document(book: str) -> None:
    assert load(book).document == CODES[book]
    assert law.documents()[CODES[book]].rulebook == book


@pytest.mark.parametrize(
    ("book", "wager", "settled_by", "readings"),
    [
        ("nj-criss-cross", "ante_across", ("NJC-50",), ()),
        ("nj-criss-cross", "ante_down", ("NJC-50",), ()),
        ("nj-criss-cross", "across", ("NJC-51",), ()),
        ("nj-criss-cross", "down", ("NJC-51",), ()),
        ("nj-criss-cross", "middle", ("NJC-46",), ()),
        ("nj-criss-cross", "five_card_bonus", ("NJC-52",), ()),
        ("nj-criss-cross", "bonus_spin", ("NJC-47",), ("AMB-4b",)),
        ("ma-criss-cross", "ante_across", ("MAC-34", "MAC-38"), ()),
        ("ma-criss-cross", "ante_down", ("MAC-34", "MAC-38"), ()),
        ("ma-criss-cross", "across", ("MAC-34", "MAC-39"), ()),
        ("ma-criss-cross", "down", ("MAC-34", "MAC-39"), ()),
        ("ma-criss-cross", "middle", ("MAC-35",), ()),
        ("ma-criss-cross", "five_card_bonus", ("MAC-36", "MAC-40"), ()),
        ("md-criss-cross", "ante_across", ("MDC-38",), ("AMB-10",)),
        ("md-criss-cross", "ante_down", ("MDC-38",), ("AMB-10",)),
        ("md-criss-cross", "across", ("MDC-38",), ()),
        ("md-criss-cross", "down", ("MDC-38",), ()),
        ("md-criss-cross", "middle", ("MDC-36",), ()),
        ("md-criss-cross", "five_card_bonus", ("MDC-40",), ()),
        ("md-criss-cross", "bonus_spin", ("MDC-45",), ("AMB-9",)),
        ("md-criss-cross", "bonus_spin_xtreme", ("MDC-50",), ("AMB-13",)),
        ("nj-double-cross", "ante", ("DCP-25",), ()),
        ("nj-double-cross", "raise", ("DCP-25", "DCP-28"), ()),
        ("nj-double-cross", "three_card", ("DCP-21", "DCP-29"), ()),
    ],
)
def test_clauses_that_a_settlement_cites(
    book: str, wager: str, settled_by: tuple[str, ...], readings: tuple[str, ...]
) -> None:
    (found,) = [each for each in load(book).wagers if each.id == wager]
    assert {(rule.clauses, rule.readings) for rule in found.settle} == {(settled_by, readings)}


@pytest.mark.parametrize(
    ("book", "method", "clauses"),
    [
        said(clauses, book, method, clauses, name=f"{book}, {method}")
        for book, by_method in {
            "nj-criss-cross": {
                "manual_shoe": "NJC-30 NJC-31 NJC-32 NJC-33 NJC-34 NJC-35",
                "hand": "NJC-33 NJC-34 NJC-35 NJC-37",
                "automated_shoe": "NJC-38",
            },
            "ma-criss-cross": {
                "manual_shoe": "MAC-22 MAC-23 MAC-24 MAC-25",
                "hand": "MAC-26",
                "automated_shoe": "MAC-27",
            },
            "md-criss-cross": {"manual_shoe": "MDC-24 MDC-25", "hand": "MDC-26", "automated_shoe": "MDC-27"},
            "nj-double-cross": {
                "manual_shoe": "DCP-16 DCP-16a DCP-16b DCP-19a",
                "hand": "DCP-18",
                "automated_shoe": "DCP-19 DCP-19a",
            },
        }.items()
        for method, clauses in by_method.items()
    ],
)
def test_each_way_to_deal_is_the_documents_own(book: str, method: str, clauses: str) -> None:
    found = msgspec.to_builtins(load(book).methods)[method]
    assert found == {"clauses": tuple(clauses.split())}
