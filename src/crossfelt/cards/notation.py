"""The text notation of cards: parsing and formatting."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from crossfelt.cards.card import ALLOWED_CARDS, CARD_PATTERN, HIDDEN, JOKER, Card
from crossfelt.errors import BadInput, Problem


def parse_cards(
    text: str,
    *,
    count: int | Collection[int] | None = None,
    joker: bool = False,
    hidden: bool = False,
    where: str = "",
    allowed: str = ALLOWED_CARDS,
) -> tuple[Card, ...]:
    """Read cards separated by spaces or commas, or written in one run.

    `count` is the required number of cards, or the allowed numbers; `joker` and `hidden` allow ``Jk`` and ``??``;
    `allowed` names the allowed cards in a refusal. Every problem is reported.

    >>> parse_cards("As Kd, 10c")
    (Card('As'), Card('Kd'), Card('Tc'))
    >>> parse_cards("AsKdTc", count=3) == parse_cards("as kd tc")
    True
    >>> parse_cards("1s As As", count=2, where="hand")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: hand: not a card: '1s' (allowed: 2c … As, Jk (joker), ?? (face down))
    hand: card given more than once: 'As'
    hand: wrong number of cards: 3 (allowed: 2)
    """
    pieces, problems = _split(text, where, allowed)
    cards = tuple(Card(piece) for piece in pieces if CARD_PATTERN.fullmatch(piece))
    problems += _problems_of_cards(cards, joker=joker, hidden=hidden, where=where)
    problems += _problems_of_count(len(pieces), count, where)
    if problems:
        raise BadInput(*problems)
    return cards


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards in the form that `parse_cards` reads."""
    return " ".join(card.text for card in cards)


def require_cards(cards: Sequence[Card], count: int, *, joker: bool = False) -> None:
    """Refuse cards that are not a hand: a wrong number, a repeated card, a hidden card, or a joker without `joker`.

    >>> require_cards(parse_cards("As Kd"), 2)
    >>> require_cards(parse_cards("As Jk", joker=True), 2)
    Traceback (most recent call last):
    crossfelt.errors.BadInput: no joker in this hand: 'Jk' (allowed: 2c … As)
    """
    highest = JOKER if joker else JOKER - 1
    if len(cards) == count == len(set(cards)) and max(cards) <= highest:
        return
    problems = _problems_of_cards(cards, joker=joker, hidden=False, where="")
    raise BadInput(*problems, *_problems_of_count(len(cards), count, where=""))


def _split(text: str, where: str, allowed: str) -> tuple[list[str], list[Problem]]:
    """Split a text into pieces of one card each, valid or not, and report the problems."""
    pieces: list[str] = []
    problems: list[Problem] = []
    for word in re.findall(r"[^\s,]+", text):
        found = CARD_PATTERN.findall(word)
        between = [part for part in CARD_PATTERN.split(word) if part]
        pieces += found
        if found and between and not re.search(r"\w", "".join(between)):
            what = "cards must be separated by spaces or commas, or not at all"
            problems.append(Problem.at(where, "card.separator", what, word))
            continue
        pieces += between
        problems += [Problem.at(where, "card.unknown", "not a card", part, allowed) for part in between]
    return pieces, problems


def _problems_of_cards(cards: Sequence[Card], *, joker: bool, hidden: bool, where: str) -> list[Problem]:
    problems = [
        Problem.at(where, "card.repeated", "card given more than once", card.text)
        for card in dict.fromkeys(cards)
        if card != HIDDEN and cards.count(card) > 1
    ]
    if JOKER in cards and not joker:
        problems.append(Problem.at(where, "card.joker", "no joker in this hand", "Jk", "2c … As"))
    if HIDDEN in cards and not hidden:
        problems.append(Problem.at(where, "card.hidden", "every card must be known", "??"))
    return problems


def _problems_of_count(given: int, count: int | Collection[int] | None, where: str) -> list[Problem]:
    if count is None:
        return [] if given else [Problem.at(where, "card.count", "no cards given")]
    wanted = [count] if isinstance(count, int) else sorted(count)
    if given in wanted:
        return []
    what = "wrong number of cards" if given else "no cards given"
    allowed = ", ".join(map(str, wanted))
    return [Problem.at(where, "card.count", what, given or None, allowed)]
