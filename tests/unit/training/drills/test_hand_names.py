"""Hand-reading drill against a second implementation."""

from __future__ import annotations

import pytest

from oracles import five_card, pai_gow, pai_gow_hands, three_card, two_card
from unit.training.sample_questions import BOOKS, cards_of, chosen, drilled

LINES = {
    "across hand": ("player", "across", "middle"),
    "horizontal hand": ("player", "across", "middle"),
    "down hand": ("player", "down", "middle"),
    "vertical hand": ("player", "down", "middle"),
    "community cards": ("across", "down", "middle"),
}


def category(asks: str, cards: dict[str, list[str]]) -> str:
    """Classify the shown cards by the oracles."""
    title = asks.removeprefix("Read the ").removesuffix(".")
    if title == "three-card hand":
        return three_card.category_of([*cards["player"], cards["down"][0]])
    if title == "hand in front":
        return two_card.category_of(cards["front"])
    if title == "hand behind":
        return five_aces_or(cards["behind"])
    return five_card.category_of([card for place in LINES[title] for card in cards[place]])


def five_aces_or(hand: list[str]) -> str:
    faces = [card[0] for card in hand if card != "Jk"]
    if "Jk" in hand and faces.count("A") == 4:
        return "five_aces"
    return five_card.category_of(pai_gow_hands.stands_for(hand))


@pytest.mark.parametrize("book", BOOKS)
def test_the_right_answer_is_what_the_oracle_reads(book: str) -> None:
    for subject, question in drilled(book, "read", numbers=6):
        if subject.startswith("foul"):
            continue
        found = category(question.asks, cards_of(question))
        assert chosen(question) == found.replace("_", " "), question
        assert subject.endswith(found)


def test_fouls_agree_with_the_oracle() -> None:
    for subject, question in drilled("nj-pai-gow", "read", numbers=25):
        if subject.startswith("foul"):
            cards = cards_of(question)
            foul = pai_gow.is_foul(cards["behind"], cards["front"])
            assert question.right == ("2" if foul else "1",)
            assert subject == f"foul.{'foul' if foul else 'lawful'}"


@pytest.mark.parametrize("book", BOOKS)
def test_no_card_lies_in_two_places(book: str) -> None:
    for _, question in drilled(book, "read"):
        lie = [card for cards in cards_of(question).values() for card in cards]
        assert len(lie) == len(set(lie))
