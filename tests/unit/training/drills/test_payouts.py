"""Payments equal those of the oracles, computed from the question alone."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.training.question import ChipsShown, Note, Question
from crossfelt.training.question_set import ask, subjects
from oracles import criss_cross, double_cross, pai_gow, seven_card
from unit.training.sample_questions import BOOKS, CRISS_CROSS, cards_of, chips_of, drilled, game_of

PRINTED_COMMUNITY = {
    ("nj-criss-cross", "first"): 100_00,
    ("nj-criss-cross", "second"): 50_00,
    ("nj-criss-cross", "third"): 15_00,
    ("md-criss-cross", "first"): 100_00,
    ("md-criss-cross", "second"): 50_00,
    ("md-criss-cross", "third"): 15_00,
}
"""Payments to other players at a stake of five dollars: N.J.A.C. 13:69F-40.11(c), Table 3; Maryland, table D."""


CREDITS = {"royal_flush": 500, "straight_flush": 100, "four_of_a_kind": 75, "full_house": 4}
SHARES = {"seven_card_straight_flush": 100, "five_aces": 10}
"""N.J.A.C. 13:69F-11.14A: to 1, and percent of the meter."""


def notes(question: Question) -> str:
    return " ".join(item.text for item in question.shown if isinstance(item, Note))


def by_hands(book: str) -> list[tuple[str, Question]]:
    apart = ("bonus_spin", "progressive")
    return [(subject, question) for subject, question in drilled(book, "pay") if not subject.startswith(apart)]


def expected(book: str, question: Question, wager: str) -> dict[str, Any]:
    """Return the entry of the wager by the oracle of the game."""
    chips, cards = chips_of(question), cards_of(question)
    script = SCRIPTS[book](chips, {place: " ".join(found) for place, found in cards.items()}, notes(question))
    oracle = {"nj-double-cross": double_cross, "nj-pai-gow": pai_gow}.get(book, criss_cross)
    if book == "md-criss-cross":
        # The operator of the default submission states no limit of its own: Maryland's figure holds.
        script["options"] = {"payout_limit": 50_000_00}
    settled: dict[str, Any] = oracle.settle({"rulebook": book, **script})
    entry: dict[str, Any] = settled["seats"]["1"]["wagers"][wager]
    return entry


def criss_cross_script(chips: dict[str, int], cards: dict[str, str], said: str) -> dict[str, Any]:
    bonus = {"five_card_bonus": chips["five_card_bonus"]} if "five_card_bonus" in chips else {}
    seat = {
        "seat": 1,
        "wagers": {"ante": chips["ante_across"], **bonus},
        "decisions": {bet: chips[bet] for bet in ("across", "down", "middle")},
    }
    return {"seats": [seat], "cards": {**{p: cards[p] for p in ("across", "down", "middle")}, "seat1": cards["player"]}}


def double_cross_script(chips: dict[str, int], cards: dict[str, str], said: str) -> dict[str, Any]:
    wagers = {name: chips[name] for name in ("ante", "three_card") if name in chips}
    decisions = {"play": "vertical" if "vertical" in said else "horizontal"}
    if "three_card" in chips:
        decisions["three_card"] = "expose"
    seat = {"seat": 1, "wagers": wagers, "decisions": decisions}
    places = {
        **{p: cards[p] for p in ("across", "down", "middle")},
        "seat1": cards["player"],
        "dealer": cards["dealer"],
    }
    return {"seats": [seat], "cards": places}


def pai_gow_script(chips: dict[str, int], cards: dict[str, str], said: str) -> dict[str, Any]:
    seat = {"seat": 1, "wagers": chips, "decisions": {"set": {"low": cards["front"]}}}
    seven = f"{cards['front']} {cards['behind']}"
    return {"seats": [seat], "cards": {"seat1": seven, "dealer": f"{cards['dealer_front']} {cards['dealer_behind']}"}}


SCRIPTS = {
    **dict.fromkeys(CRISS_CROSS, criss_cross_script),
    "nj-double-cross": double_cross_script,
    "nj-pai-gow": pai_gow_script,
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_every_payment_is_the_oracles(book: str) -> None:
    for subject, question in by_hands(book):
        entry = expected(book, question, subject.partition(".")[0])
        assert question.right == (str(entry["paid"] - entry.get("commission", 0)),), question
        assert ("payout limit" in question.explanation.text) == bool(entry.get("limited")), question


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", ["nj-criss-cross", "md-criss-cross"])
def test_the_question_states_a_limit_that_cuts(book: str) -> None:
    asked = 0
    for subject, question in by_hands(book):
        if subject.endswith(".limit"):
            asked += 1
            assert "The payout limit per player and round is $50,000" in notes(question)
            assert "is limited to" in question.explanation.text
    assert asked >= 9


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", ["nj-criss-cross", "md-criss-cross"])
def test_wheels_pay_what_is_printed(book: str) -> None:
    seen = set()
    for number in range(40):
        question = ask(game_of(book), "pay", "bonus_spin.others", number)
        order = next(word for word in ("first", "second", "third") if word in notes(question))
        assert question.right == (str(PRINTED_COMMUNITY[book, order]),)
        seen.add(order)
        spinner = ask(game_of(book), "pay", "bonus_spin.spinner", number)
        shown = notes(spinner).partition("at $")[2].partition(",")[0].rstrip(".") if "slice" in notes(spinner) else ""
        if shown:
            assert spinner.right == (f"{shown}00",)
    assert len(seen) == 3


@pytest.mark.exhaustive
def test_the_progressive_wager_is_paid_as_11_14a_prints_it() -> None:
    """Pay by the oracle's category of the player's or dealer's seven cards, with a share of the shown meter."""
    asked = 0
    for subject, question in drilled("nj-pai-gow", "pay"):
        wager, _, line = subject.partition(".")
        if not wager.startswith("progressive"):
            continue
        asked += 1
        prefix = "dealer_" if wager == "progressive_dealer" else ""
        cards = cards_of(question)
        held = seven_card.held_in([*cards[f"{prefix}front"], *cards[f"{prefix}behind"]])
        assert seven_card.highest(held, seven_card.PROGRESSIVE_HIGH_TO_LOW) == line
        if line in SHARES:
            shown = notes(question).partition("The meter shows $")[2].split()[0].rstrip(".").replace(",", "")
            dollars_, _, cents = shown.partition(".")
            assert question.right == (str((100 * int(dollars_) + int(cents or 0)) * SHARES[line] // 100),)
        else:
            assert question.right == (str(chips_of(question)[wager] * CREDITS.get(line, 0)),)
    assert asked == 2 * 7 * 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_stakes_are_odd_and_lie_there_in_real_chips(book: str) -> None:
    stakes = set()
    for _, question in drilled(book, "pay"):
        for item in question.shown:
            if isinstance(item, ChipsShown):
                assert sum(chips.cents * chips.count for chips in item.chips) == item.cents
                stakes.add(item.cents)
    assert len(stakes) >= 10


@pytest.mark.parametrize("book", BOOKS)
def test_every_line_of_every_pay_table_is_asked_for(book: str) -> None:
    game = game_of(book)
    asked = set(subjects(game, "pay"))
    for wager in game.wagers:
        if wager.pays:
            for line in game.pays[wager.pays].lines:
                assert f"{wager.id}.{line.name}" in asked
