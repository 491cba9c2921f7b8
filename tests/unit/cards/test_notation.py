"""Cards as people type them."""

from __future__ import annotations

import pytest

from crossfelt.cards import Card, format_cards, joker_deck, parse_cards, require_cards
from crossfelt.errors import BadInput
from properties import given, settings, st

cards_of_a_deck = st.lists(st.sampled_from(joker_deck()), min_size=1, max_size=53, unique=True)


def codes_of(text: str, **options: object) -> list[tuple[str, object]]:
    with pytest.raises(BadInput) as refusal:
        parse_cards(text, **options)  # type: ignore[arg-type]
    assert len(str(refusal.value).splitlines()) == len(refusal.value.problems)
    return [(problem.code, problem.value) for problem in refusal.value.problems]


@settings(derandomize=True)
@given(cards_of_a_deck)
def test_written_cards_can_be_parsed(cards: list[Card]) -> None:
    assert parse_cards(format_cards(cards), joker=True) == tuple(cards)
    assert parse_cards("".join(card.text for card in cards), joker=True) == tuple(cards)


@pytest.mark.parametrize(
    "text", ["As Kd Tc", "As,Kd,Tc", "As, Kd, 10c", " as  KD\ttc\n", "AsKd10c", "As KdTc", ",As Kd Tc,"]
)
def test_spaces_commas_or_nothing_separate_cards(text: str) -> None:
    assert parse_cards(text, count=3) == (Card("As"), Card("Kd"), Card("Tc"))


@pytest.mark.parametrize("text", ["As-Kd", "As;Kd", "As/Kd", "As|Kd", "As+Kd", "[As]", "As-Kd-"])
def test_another_separator_is_named(text: str) -> None:
    assert codes_of(text) == [("card.separator", text)]


@pytest.mark.parametrize("text", ["", "  ", ",", " , \n"])
def test_no_cards_are_not_a_hand(text: str) -> None:
    assert codes_of(text) == [("card.count", None)]
    assert codes_of(text, count=5) == [("card.count", None)]
    assert parse_cards(text, count=0) == ()


def test_every_problem_is_reported_at_once() -> None:
    assert codes_of("As Xx As Jk ?? 1s", count=5) == [
        ("card.unknown", "Xx"),
        ("card.unknown", "1s"),
        ("card.repeated", "As"),
        ("card.joker", "Jk"),
        ("card.hidden", "??"),
        ("card.count", 6),
    ]


@pytest.mark.parametrize("text", ["Kſ", "\u212as", "J\u212a"])
def test_letters_that_only_look_like_ranks_and_suits_are_refused(text: str) -> None:
    assert codes_of(text) == [("card.unknown", text)]


def test_a_refusal_names_the_allowed_cards_of_the_caller() -> None:
    with pytest.raises(BadInput, match=r"^not a card: '1s' \(allowed: 2c … As\)$"):
        parse_cards("1s", allowed="2c … As")


def test_in_a_run_only_the_wrong_part_is_named_and_it_counts_as_a_card() -> None:
    assert codes_of("AsXxKd", count=3) == [("card.unknown", "Xx")]


def test_a_card_may_be_given_once_but_hidden_cards_often() -> None:
    assert codes_of("As As As") == [("card.repeated", "As")]
    assert codes_of("Jk Jk", joker=True) == [("card.repeated", "Jk")]
    assert len(parse_cards("?? ?? ??", hidden=True)) == 3


def test_one_of_several_counts_will_do() -> None:
    assert len(parse_cards("As Kd", count=(2, 3))) == 2
    with pytest.raises(BadInput, match=r"^hand: wrong number of cards: 4 \(allowed: 2, 3\)$"):
        parse_cards("As Kd 2c 3c", count=(2, 3), where="hand")


def test_hands_are_checked_as_texts_are() -> None:
    with pytest.raises(BadInput) as refusal:
        require_cards([Card("As"), Card("As"), Card("Jk"), Card("??")], 5)
    assert [problem.code for problem in refusal.value.problems] == [
        "card.repeated",
        "card.joker",
        "card.hidden",
        "card.count",
    ]
    with pytest.raises(BadInput):
        require_cards([Card("??"), Card("Jk")], 2, joker=True)
