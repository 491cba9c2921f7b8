"""Decks hold every card once, in the order of a new deck."""

from __future__ import annotations

import pytest

from crossfelt.cards import JOKER, Card, deck_of, joker_deck, standard_deck
from crossfelt.errors import BadInput


def test_a_standard_deck_holds_each_of_the_52_cards_once() -> None:
    assert sorted(standard_deck()) == [Card(index) for index in range(52)]


def test_a_new_deck_lies_by_suit_and_in_sequence() -> None:
    for start in range(0, 52, 13):
        suit = standard_deck()[start : start + 13]
        assert len({card.suit for card in suit}) == 1
        assert [card.rank for card in suit] == list(range(13))


def test_the_deck_of_pai_gow_poker_has_the_joker_too() -> None:
    assert joker_deck() == (*standard_deck(), JOKER)


def test_decks_are_found_by_size() -> None:
    assert deck_of(52) == standard_deck()
    assert deck_of(53) == joker_deck()
    with pytest.raises(BadInput, match="no deck of this size: 51"):
        deck_of(51)
