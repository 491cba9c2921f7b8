"""A card is a text, a number and a name."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest

from crossfelt.cards import HIDDEN, JOKER, RANKS, SUITS, Card, dec_hook, enc_hook
from crossfelt.errors import BadInput


class Dealt(msgspec.Struct):
    up: Card
    hole: tuple[Card, ...]


def test_numbers_run_through_the_suits_of_each_rank_then_joker_then_hidden_card() -> None:
    texts = [rank + suit for rank in RANKS for suit in SUITS] + ["Jk", "??"]
    assert [Card(index).text for index in range(54)] == texts
    assert [int(Card(text)) for text in texts] == list(range(54))
    assert all(Card(4 * rank + suit).rank == rank for rank in range(13) for suit in range(4))
    assert all(Card(4 * rank + suit).suit == suit for rank in range(13) for suit in range(4))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("aS", "As"),
        ("AS", "As"),
        ("as", "As"),
        ("10d", "Td"),
        ("10D", "Td"),
        ("jk", "Jk"),
        ("JK", "Jk"),
        ("tC", "Tc"),
    ],
)
def test_typing_is_lenient(typed: str, meant: str) -> None:
    assert Card(typed) is Card(meant)


@pytest.mark.parametrize(
    "typed", ["", "A", "s", "1s", "11s", "Ax", "sA", "As ", "Asx", "?", "joker", "A♠", "Kſ", "J\u212a", "\u212as"]
)
def test_a_text_that_is_not_a_card_is_refused(typed: str) -> None:
    with pytest.raises(BadInput) as refusal:
        Card(typed)
    [problem] = refusal.value.problems
    assert (problem.code, problem.value) == ("card.unknown", typed)


@pytest.mark.parametrize("index", [-1, 54])
def test_a_number_outside_the_deck_is_refused(index: int) -> None:
    with pytest.raises(BadInput, match=f"not a card: {index}"):
        Card(index)


def test_there_is_one_object_for_each_card() -> None:
    ace = Card("As")
    copies = [Card(51), Card(ace), copy.copy(ace), copy.deepcopy(ace), pickle.loads(pickle.dumps(ace))]
    assert all(one is ace for one in copies)


def test_a_card_is_shown_as_its_text() -> None:
    assert (str(Card("Td")), repr(Card("Td")), f"{Card('Td')}", f"{Card('Td'):>4}") == (
        "Td",
        "Card('Td')",
        "Td",
        "  Td",
    )


def test_the_two_of_clubs_is_a_card_too() -> None:
    assert Card("2c") == 0
    assert bool(Card("2c")) is True


@pytest.mark.parametrize("card", [JOKER, HIDDEN])
def test_joker_and_hidden_card_have_no_rank_or_suit(card: Card) -> None:
    with pytest.raises(ValueError, match="no rank or suit"):
        _ = card.rank
    with pytest.raises(ValueError, match="no rank or suit"):
        _ = card.suit


def test_a_card_travels_as_its_text() -> None:
    dealt = Dealt(up=Card("As"), hole=(HIDDEN, JOKER))
    sent = msgspec.json.encode(dealt, enc_hook=enc_hook)
    assert sent == b'{"up":"As","hole":["??","Jk"]}'
    received = msgspec.json.decode(sent, type=Dealt, dec_hook=dec_hook)
    assert received == dealt
    assert received.up is dealt.up


@pytest.mark.parametrize("sent", [b'{"up":"1s","hole":[]}', b'{"up":51,"hole":[]}'])
def test_a_bad_card_is_refused_with_its_place(sent: bytes) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"card.* - at `\$\.up`"):
        msgspec.json.decode(sent, type=Dealt, dec_hook=dec_hook)


def test_the_hooks_leave_other_types_alone() -> None:
    with pytest.raises(NotImplementedError):
        enc_hook(object())
    with pytest.raises(NotImplementedError):
        dec_hook(complex, "1")
