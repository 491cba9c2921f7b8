"""Cards and hands of Criss Cross Poker, on which three documents agree; each document has a module for the rest."""

from __future__ import annotations

import pytest

from unit.rulebooks.document_cases import part, parts, said

HOLE = ["hole_1", "hole_2"]
CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"]
HANDS = {
    "across": ["hole", "across_left", "middle", "across_right"],
    "down": ["hole", "down_far", "middle", "down_near"],
    "community": ["cross"],
}


@pytest.mark.parametrize(
    "book", [said("NJC-13", "nj-criss-cross"), said("MAC-2", "ma-criss-cross"), said("MDC-8", "md-criss-cross")]
)
def test_one_deck_of_52_cards(book: str) -> None:
    assert part(book, "deck") == {"cards": 52}


@pytest.mark.parametrize(
    "book", [said("NJC-12a", "nj-criss-cross"), said("MAC-1", "ma-criss-cross"), said("MDC-34", "md-criss-cross")]
)
def test_five_cards_lie_in_a_cross_and_each_player_has_two(book: str) -> None:
    assert parts(book, "group") == [
        {"id": "hole", "owner": "seat", "cards": 2, "places": HOLE, "shape": "pair"},
        {"id": "cross", "owner": "community", "cards": 5, "places": CROSS, "shape": "cross"},
    ]


@pytest.mark.parametrize(
    ("book", "hand"),
    [
        said(clauses, book, hand, name=f"{book}-{hand}")
        for book, lines, community in (
            ("nj-criss-cross", "NJC-45", "NJC-52"),
            ("ma-criss-cross", "MAC-1 MAC-33", "MAC-20"),
            ("md-criss-cross", "MDC-34", "MDC-21"),
        )
        for hand, clauses in (("across", lines), ("down", lines), ("community", community))
    ],
)
def test_the_cards_of_each_hand(book: str, hand: str) -> None:
    assert part(book, "hand", hand) == {"id": hand, "of": HANDS[hand], "order": "five_card"}


@pytest.mark.parametrize("book", [said("NJC-10 NJC-47", "nj-criss-cross"), said("MDC-22", "md-criss-cross")])
def test_a_pair_of_hole_cards_spins_the_wheel(book: str) -> None:
    marks = {"pair": {"is": {"hand": "pair"}}}
    assert part(book, "hand", "hole_cards") == {"id": "hole_cards", "of": ["hole"], "order": "two_card", "marks": marks}


@pytest.mark.parametrize(
    "book", [said("NJC-46", "nj-criss-cross"), said("MAC-35", "ma-criss-cross"), said("MDC-36", "md-criss-cross")]
)
def test_the_middle_bet_looks_at_the_higher_of_both_hands(book: str) -> None:
    assert part(book, "hand", "better") == {"id": "better", "highest_of": ["across", "down"]}
