"""A rulebook as text: complete and readable."""

from __future__ import annotations

import pytest

from crossfelt.rulebooks.loader import content_hash, load, rulebook_ids
from crossfelt.rulebooks.render.phrases import line_title, pay_words
from crossfelt.rulebooks.render.text import render_text
from crossfelt.rulebooks.rulebook_law import document_of
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.text_layout import WIDTH


def sections(name: str) -> dict[str, str]:
    """Each section's text, as one line."""
    return {section.id: " ".join(" ".join(section.lines).split()) for section in render_text(load(name))}


every_rulebook = pytest.mark.parametrize("name", rulebook_ids())


@every_rulebook
def test_no_line_is_wider_than_the_page(name: str) -> None:
    lines = [line for section in render_text(load(name)) for line in (section.title, *section.lines)]
    assert max(map(len, lines)) <= WIDTH


@every_rulebook
def test_the_rulebook_says_which_it_is(name: str) -> None:
    book, document = load(name), document_of(load(name))
    text = sections(name)["identity"]
    for told in (name, book.version, content_hash(book), document.citation, document.status, document.dates):
        assert told in text


@every_rulebook
def test_every_pay_line_and_slice_is_there(name: str) -> None:
    book, text = load(name), sections(name)
    for table in book.paytables:
        assert table.title in text["pays"]
        for line in table.lines:
            assert f"{line_title(line)} {pay_words(line)}" in text["pays"]
    for wheel in book.wheels:
        for slice_ in wheel.slices:
            assert slice_.pays_cents is None or f"${slice_.pays_cents // 100:,}" in text["wheels"]
        assert ", ".join(map(str, wheel.illustrative_weights)) in text["wheels"]


@every_rulebook
def test_every_wager_setting_choice_and_requirement_is_there(name: str) -> None:
    book, text = load(name), sections(name)
    assert all(wager.title in text["wagers"] for wager in book.wagers)
    assert all(f"({setting}" in text["settings"] for setting in book.settings)
    assert all(choice.path in text["choices"] for choice in book.choices)
    assert all(" ".join(choice.title.split()) in text["choices"] for choice in book.choices)
    assert all(requirement.says in text["requirements"] for requirement in book.requirements)
    assert all(f"({step.id})" in text["round"] for step in book.script)


@every_rulebook
def test_readings_house_rules_and_illustrations_are_marked(name: str) -> None:
    book, text = load(name), sections(name)
    whole = " ".join(text.values())
    assert text["settings"].count("the document is silent") >= sum(s.silent for s in book.settings.values())
    assert all(f"HOUSE RULE: {s.house_rule}" in whole for s in book.settings.values() if s.house_rule)
    assert all(reading in text["readings"] for s in book.settings.values() for reading in s.readings)
    selectable = sum(setting_rules()[name].open_in(setting) for name, setting in book.settings.items())
    assert text["settings"].count("SELECTABLE") == selectable
    assert text["choices"].count("ILLUSTRATIVE") == sum(choice.illustrative for choice in book.choices)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nj-criss-cross", "The limit is exactly the greater of $50,000 and the most one patron could win"),
        ("nj-criss-cross", "is $5,510, 1,102 times the smallest ante ($5); for example with seat1 = "),
        ("nj-criss-cross", "By default: a limit of $50,000"),
        ("ma-criss-cross", "The operator may set a limit, which is at least the greater of $50,000"),
        ("nj-double-cross", "is $3,005, 601 times the smallest ante ($5)"),
        ("nj-pai-gow", "is $1,100, 1,100 times the smallest imperial pai gow bonus ($1)"),
        ("nj-pai-gow", "By default: no limit"),
    ],
)
def test_the_most_at_the_minimum_wager_is_computed(name: str, told: str) -> None:
    assert told in sections(name)["limits"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("md-criss-cross", "A fold forfeits ante across and ante down, and keeps Five Card Bonus, Bonus Spin"),
        ("nj-double-cross", "on the raise, clockwise from the dealer's left: bet and name the played hand or fold."),
        ("nj-pai-gow", "Dice or a random number determine which position gets the first stack."),
        ("nj-pai-gow", "The players set their hands."),
    ],
)
def test_the_round_is_described_step_by_step(name: str, told: str) -> None:
    assert told in sections(name)["round"]


def test_wheels_stand_side_by_side() -> None:
    lines = next(section.lines for section in render_text(load("md-criss-cross")) if section.id == "wheels")
    assert "    stop 3     $120 c1  $120 c1  $600 c1  $600 c1" in lines
    assert any(line.startswith("    default weights, ILLUSTRATIVE (A, B, C, D): 1, 5, 50") for line in lines)
