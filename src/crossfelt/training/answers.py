"""Reading and grading of typed answers."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.errors import BadInput
from crossfelt.money import dollars
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.training.question import Amount, Answer, Arrange, Choose, Face, Pick, Question

_AMOUNT: Final = re.compile(r"\$?(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d{1,2}))?", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,4}", re.ASCII)
WHERE: Final = "answer"


class Grade(msgspec.Struct, frozen=True, kw_only=True):
    """A graded answer."""

    right: bool
    given: str
    """The answer in the form of `Question.right`."""


def grade(question: Question, text: str) -> Grade:
    """Grade an answer; raise BadInput if it does not fit the question.

    >>> from crossfelt.training.question_set import ask
    >>> question = ask(compile_game("nj-criss-cross"), "pay", "across.full_house", 7)
    >>> grade(question, "$1,092").right, grade(question, "91").right
    (True, False)
    >>> grade(question, "a lot")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: answer: not an amount: 'a lot' (allowed: dollars, e.g. 175 or 17.50)
    """
    given = read_answer(question.answer, text)
    return Grade(right=given in question.right, given=given)


def read_answer(answer: Answer, text: str) -> str:
    """Convert an answer to the form of `Question.right`.

    >>> read_answer(Amount(), "$1,234.5"), read_answer(Arrange(items=("a", "b", "c")), "312")
    ('123450', '3 1 2')
    """
    text = text.strip()
    match answer:
        case Choose():
            if not _NUMBER.fullmatch(text) or not 1 <= int(text) <= len(answer.options):
                raise _refused("not one of the answers", text, allowed(answer))
            return str(int(text))
        case Amount():
            match = _AMOUNT.fullmatch(text)
            if match is None:
                raise _refused("not an amount", text, allowed(answer))
            cents = 100 * int(match[1].replace(",", "")) + int((match[2] or "0").ljust(2, "0"))
            if cents > LARGEST_CENTS:
                raise _refused("more than any table pays", text, f"at most {dollars(LARGEST_CENTS)}")
            return str(cents)
        case Arrange():
            numbers = _NUMBER.findall(text) if re.search(r"[\s,]", text) else re.findall(r"[0-9]", text)
            left_over, every = re.sub(r"[\s,0-9]", "", text), range(1, len(answer.items) + 1)
            if left_over or sorted(map(int, numbers)) != list(every):
                raise _refused("give every number once, in order", text, " ".join(map(str, every)))
            return " ".join(str(int(number)) for number in numbers)
        case Pick():
            cards = parse_cards(text, count=answer.count, joker=True, where=WHERE)
            if strange := [card.text for card in cards if card.text not in answer.cards]:
                raise _refused("card is not in the hand", " ".join(strange), " ".join(answer.cards))
            return format_cards(sorted(map(Card, cards), reverse=True))


def in_words(question: Face, given: str) -> str:
    """Render an answer in words.

    >>> from crossfelt.training.question_set import ask
    >>> question = ask(compile_game("nj-criss-cross"), "pay", "across.full_house", 7)
    >>> in_words(question, "66000")
    '$660'
    """
    match question.answer:
        case Choose(options=options):
            return f"{given}, {options[int(given) - 1]}"
        case Amount():
            return dollars(int(given))
        case _:
            return given


def allowed(answer: Answer) -> str:
    """Describe the allowed answers.

    >>> allowed(Choose(options=("yes", "no")))
    '1 to 2'
    """
    match answer:
        case Choose():
            return f"1 to {len(answer.options)}"
        case Amount():
            return "dollars, e.g. 175 or 17.50"
        case Arrange():
            numbers = " ".join(str(number) for number in range(1, len(answer.items) + 1))
            return f"{numbers}, in the right order"
        case Pick():
            return f"{answer.count} of {' '.join(answer.cards)}"


def _refused(what: str, value: str, allowed_: str) -> BadInput:
    return BadInput.at(WHERE, "answer", what, value, allowed_)
