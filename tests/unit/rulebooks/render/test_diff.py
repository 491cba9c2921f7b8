"""The comparison of two rulebooks: it reports every difference with its basis."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from crossfelt.rulebooks.loader import as_data, dec_hook, from_data, load, rulebook_ids
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.render.diff import SECTIONS, Comparison, Difference, Side, compare
from crossfelt.rulebooks.render.flatten import flatten
from crossfelt.rulebooks.script import Decide
from unit.rulebooks.mutations import Mutant, full_data, mutants, sample


def changed(name: str, change: Any) -> Rulebook:
    """A shipped rulebook after `change` has been made to its plain data."""
    data = json.loads(json.dumps(as_data(load(name))))
    change(data)
    return from_data(data, where="changed")


def by_key(found: Comparison) -> dict[str, Difference]:
    return {each.key: each for each in found.differences}


def sides(each: Difference) -> tuple[Side, Side]:
    assert each.a is not None
    assert each.b is not None
    return each.a, each.b


@pytest.fixture(scope="module")
def new_jersey_and_maryland() -> Comparison:
    return compare(load("nj-criss-cross"), load("md-criss-cross"))


# --- completeness ---------------------------------------------------------------------------------------


def shows(book: Rulebook, data: Any, mutant: Mutant) -> bool:
    """Say if an alteration shows; data without the shape of a rulebook cannot be compared."""
    try:
        other = msgspec.convert(mutant.applied_to(data), Rulebook, dec_hook=dec_hook)
    except msgspec.ValidationError:
        return True
    if any(not action.forms for step in other.script if isinstance(step, Decide) for action in step.actions):
        return True
    return bool(compare(book, other).differences)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", rulebook_ids())
def test_every_altered_datum_shows(name: str) -> None:
    book, data = load(name), full_data(load(name))
    some = sample(mutants(book), 50, seed=7)
    assert [f"{each.path}: {each.change}" for each in some if not shows(book, data, each)] == []


@pytest.mark.soak
@pytest.mark.parametrize("name", rulebook_ids())
def test_every_altered_datum_shows_without_exception(name: str) -> None:
    book, data = load(name), full_data(load(name))
    assert [f"{each.path}: {each.change}" for each in mutants(book) if not shows(book, data, each)] == []


@pytest.mark.parametrize("name", rulebook_ids())
def test_a_rulebook_does_not_differ_from_itself(name: str) -> None:
    found = compare(load(name), load(name))
    assert (found.differences, found.topics) == ((), ())
    assert found.equal == sum(len(item.facts) for item in flatten(load(name)))


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(id="other", version="9.9.9", title="Another title"),
        lambda data: data["deck"].update(clauses=["NJC-1"], readings=["AMB-1"], house_rule="ours"),
        lambda data: data["choice"][0].update(title="Another title"),
    ],
    ids=["identity", "citations", "titles of choices"],
)
def test_names_and_citations_are_no_differences(change: Any) -> None:
    assert compare(load("nj-criss-cross"), changed("nj-criss-cross", change)).differences == ()


def test_differences_are_mirrored_when_the_sides_are_swapped(new_jersey_and_maryland: Comparison) -> None:
    swapped = compare(load("md-criss-cross"), load("nj-criss-cross"))
    assert len(swapped.differences) == len(new_jersey_and_maryland.differences)
    there = {(each.b and each.b.says, each.a and each.a.says) for each in swapped.differences}
    here = {(each.a and each.a.says, each.b and each.b.says) for each in new_jersey_and_maryland.differences}
    assert here == there


@pytest.mark.parametrize("name", rulebook_ids())
def test_items_have_keys_of_their_own_in_known_sections(name: str) -> None:
    found = list(flatten(load(name)))
    assert len({(item.section, item.key) for item in found}) == len(found)
    assert {item.section for item in found} <= set(SECTIONS)


# --- what New Jersey and Maryland do differently --------------------------------------------------------------


def test_every_difference_rests_on_a_clause_a_reading_or_a_house_rule(
    new_jersey_and_maryland: Comparison,
) -> None:
    for each in new_jersey_and_maryland.differences:
        for side in (each.a, each.b):
            assert side is None or side.clauses or side.readings or side.house_rule, each.key


def test_both_sides_are_in_words_with_their_citations(new_jersey_and_maryland: Comparison) -> None:
    cut = by_key(new_jersey_and_maryland)["settings.cut_method"]
    new_jersey, maryland = sides(cut)
    assert (cut.topic, cut.title) == ("D7", "Method of the cut")
    assert new_jersey.says.startswith("with one hand: the top packet is lifted onto the cover card")
    assert [(clause.id, clause.citation) for clause in new_jersey.clauses] == [("NJC-22", "N.J.A.C. 13:69F-40.5(c)")]
    assert maryland.says.startswith("the cover card is inserted")
    assert [clause.id for clause in maryland.clauses] == ["MDC-13"]


def test_the_adopted_reading_is_shown_if_only_one_document_is_silent(
    new_jersey_and_maryland: Comparison,
) -> None:
    new_jersey, maryland = sides(by_key(new_jersey_and_maryland)["settings.ace_low_straight"])
    assert new_jersey.says == maryland.says
    assert (new_jersey.silent, maryland.silent) == (False, True)
    assert maryland.readings[0].reading.startswith("It is the lowest straight")


def test_the_order_of_settlement_is_a_difference_under_its_topic(new_jersey_and_maryland: Comparison) -> None:
    order = by_key(new_jersey_and_maryland)["script.order"]
    assert [side.says for side in sides(order)] == ["settle → settle bonus", "settle bonus → settle"]
    assert order.topic == "D13"
    assert "NJC-52" in {clause.id for clause in sides(order)[0].clauses}


def test_wheels_are_paired_by_stake_and_top_prize(new_jersey_and_maryland: Comparison) -> None:
    pairs = {each.thing for each in new_jersey_and_maryland.differences if " | " in each.thing}
    assert pairs == {
        "wheel.bonus_spin.3 | wheel.bonus_spin.C",
        "wheel.bonus_spin.3 | wheel.bonus_spin.D",
        "wheel.bonus_spin.4 | wheel.bonus_spin.A",
        "wheel.bonus_spin.5 | wheel.bonus_spin.B",
    }
    first = by_key(new_jersey_and_maryland)["wheel.bonus_spin.4 | wheel.bonus_spin.A.slice 3"]
    assert [side.says for side in sides(first)] == ["$100 + community 1", "$120 + community 1"]


def test_an_item_of_one_side_only_is_reported_once_and_whole(new_jersey_and_maryland: Comparison) -> None:
    xtreme = [each for each in new_jersey_and_maryland.differences if each.thing == "wager.bonus_spin_xtreme"]
    assert [(each.a, each.label) for each in xtreme] == [(None, "")]
    assert xtreme[0].b is not None
    assert xtreme[0].b.says == "stake: $1 or $2 or $5; requires ante; the player spins a wheel"


def test_topics_state_the_content_of_the_documents(new_jersey_and_maryland: Comparison) -> None:
    notes = {note.id: note for note in new_jersey_and_maryland.topics}
    assert not {"D10", "D18"} & set(notes)
    limit = notes["D17"]
    assert limit.a is not None
    assert limit.b is not None
    assert limit.a.says.startswith("Exactly the greater of $50,000")
    assert [clause.citation for clause in limit.b.clauses] == ["Md. Standard Rules, Criss Cross Poker, ch. 12 § B"]


def test_a_changed_copy_has_no_notes_on_its_own_document() -> None:
    copy = changed("md-criss-cross", lambda data: data["settings"]["cut_min_cards"].update(value=12))
    found = compare(load("md-criss-cross"), copy)
    assert found.topics == ()
    assert [each.key for each in found.differences] == ["settings.cut_min_cards"]


def test_a_pay_line_is_compared_by_its_hand_and_its_order() -> None:
    def change(data: Any) -> None:
        lines = data["paytable"][1]["lines"]
        lines[4]["odds"] = "7 to 1"
        lines[0], lines[1] = lines[1], lines[0]

    found = by_key(compare(load("ma-criss-cross"), changed("ma-criss-cross", change)))
    assert set(found) == {"paytable.bets.flush", "paytable.bets.order"}
    assert [side.says for side in sides(found["paytable.bets.flush"])] == ["8 to 1", "7 to 1"]
    assert sides(found["paytable.bets.order"])[1].says == "straight flush → royal flush"


def test_data_with_equal_words_are_distinguished_by_their_values() -> None:
    def change(data: Any) -> None:
        data["wager"][0]["stake"]["max"] = 2

    found = by_key(compare(load("ma-criss-cross"), changed("ma-criss-cross", change)))
    words = "within the posted limits"
    assert [side.says for side in sides(found["wager.ante_across.stake"])] == [
        f'{words} ({{"posted":"ante"}})',
        f'{words} ({{"posted":"ante","max":2}})',
    ]


def test_a_topic_of_one_document_only_is_shown_if_data_differ() -> None:
    found = compare(load("nj-double-cross"), load("nj-pai-gow"))
    notes = {note.id: note for note in found.topics}
    assert "D21" not in notes
    assert notes["D10"].b is None
