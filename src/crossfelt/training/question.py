"""The parts of a drill question: the items shown, the form of the answer, the right answers, the explanation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.rulebook_law import clauses_known, readings_known

DrillKind = Literal["read", "pay", "order", "happens", "set", "spot"]
DRILLS: Final[dict[DrillKind, str]] = {
    "read": "Read the hand",
    "pay": "What does it pay?",
    "order": "Take and pay in order",
    "happens": "What happens now?",
    "set": "Set the house way",
    "spot": "Spot the dealer's error",
}
"""Titles of the drills."""


class _Data(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


# --- items shown ------------------------------------------------------------------------------------------------------


class CardsShown(_Data, tag_field="type", tag="cards", frozen=True, kw_only=True):
    """Cards in one place of the table."""

    place: str
    """A group of community cards, or ``player``, ``dealer``, ``front``, ``behind``, ``seat3`` …"""
    label: str
    cards: tuple[str, ...]
    """In the order of the group; ``??`` is a card face down."""
    shape: Literal["row", "cross", "pair", "fan"] = "row"
    """The shape of the group. A cross has its cards from the far end: far, left, centre, right, near."""


class Chips(_Data, frozen=True, kw_only=True):
    """A number of chips of one value."""

    cents: int
    count: int
    colour: str


COLOURS: Final[Mapping[int, str]] = {
    5_000_00: "grey",
    1_000_00: "orange",
    500_00: "purple",
    100_00: "black",
    25_00: "green",
    5_00: "red",
    1_00: "white",
    50: "blue",
    25: "pink",
    10: "dime",
    5: "nickel",
    1: "cent",
}
"""By value in cents. Below a quarter there are no chips, and a table pays in coins."""


def chips_of(cents: int) -> tuple[Chips, ...]:
    """Break an amount into the fewest chips, the highest first.

    >>> [(chips.count, chips.colour) for chips in chips_of(137_50)]
    [(1, 'black'), (1, 'green'), (2, 'red'), (2, 'white'), (1, 'blue')]
    """
    made = []
    for value, colour in COLOURS.items():
        count, cents = divmod(cents, value)
        if count:
            made.append(Chips(cents=value, count=count, colour=colour))
    return tuple(made)


class ChipsShown(_Data, tag_field="type", tag="chips", frozen=True, kw_only=True):
    """A stake on a betting area."""

    place: str
    """The wager."""
    label: str
    cents: int
    chips: tuple[Chips, ...]
    seat: int | None = None


class Note(_Data, tag_field="type", tag="note", frozen=True, kw_only=True):
    """A sentence about the round or about an act of a player."""

    text: str


Shown = CardsShown | ChipsShown | Note


# --- form of the answer -----------------------------------------------------------------------------------------------


class Choose(_Data, tag_field="type", tag="choose", frozen=True, kw_only=True):
    """A choice of one option, by its number from 1."""

    options: tuple[str, ...]


class Amount(_Data, tag_field="type", tag="amount", frozen=True, kw_only=True):
    """An amount of money; dealers type dollars, ``right`` is in cents."""


class Arrange(_Data, tag_field="type", tag="arrange", frozen=True, kw_only=True):
    """All items in order, by their numbers from 1."""

    items: tuple[str, ...]


class Pick(_Data, tag_field="type", tag="pick", frozen=True, kw_only=True):
    """A selection of ``count`` cards."""

    cards: tuple[str, ...]
    count: int


Answer = Choose | Amount | Arrange | Pick


# --- explanation ------------------------------------------------------------------------------------------------------


class ClauseCited(_Data, frozen=True, kw_only=True):
    """A clause, with its place in the document and its rule in our words."""

    id: str
    citation: str
    says: str


class ReadingCited(_Data, frozen=True, kw_only=True):
    """An adopted reading of a gap in a document."""

    id: str
    says: str


class Explanation(_Data, frozen=True, kw_only=True):
    """The reason for the right answer, with its legal basis."""

    text: str
    clauses: tuple[ClauseCited, ...] = ()
    readings: tuple[ReadingCited, ...] = ()
    house_rule: str = ""
    """Basis of the answer where no document applies."""
    illustrative: bool = False
    """True if no source prints the amount."""


class Face(_Data, frozen=True, kw_only=True):
    """A question without its answer."""

    id: str
    kind: DrillKind
    rulebook: str
    title: str
    """The rulebook's title."""
    topic: str
    """The id without the number; the key of progress."""
    asks: str
    shown: tuple[Shown, ...] = ()
    answer: Answer


class Question(Face, frozen=True, kw_only=True):
    """A question with its right answers and explanation."""

    right: tuple[str, ...]
    explanation: Explanation

    @property
    def face(self) -> Face:
        """The question without its answer."""
        return Face(**shared_fields(self, Face))


class QuestionContent(msgspec.Struct, frozen=True, kw_only=True):
    """The output of a drill: a question without its id."""

    asks: str
    answer: Answer
    right: tuple[str, ...]
    explanation: Explanation
    shown: tuple[Shown, ...] = ()


class Questions(_Data, frozen=True, kw_only=True):
    """The output of `crossfelt train --json`."""

    schema: Literal[1] = 1
    seed: int
    questions: tuple[Question, ...]


def schema() -> bytes:
    """Return the JSON Schema of a set of questions."""
    made: Any = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Questions)}
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def basis_of(*found: Any) -> Cited:
    """Combine the citations of events or rulebook entries, each once.

    >>> basis_of(Cited(clauses=("NJC-1",)), Cited(clauses=("NJC-1", "NJC-2"), readings=("AMB-1",))).clauses
    ('NJC-1', 'NJC-2')
    """
    return Cited(
        clauses=tuple(dict.fromkeys(clause for one in found for clause in one.clauses)),
        readings=tuple(dict.fromkeys(reading for one in found for reading in one.readings)),
        house_rule="; ".join(dict.fromkeys(one.house_rule for one in found if one.house_rule)),
        illustrative=any(getattr(one, "illustrative", False) for one in found),
    )


def explained(text: str, game: Game, basis: Cited) -> Explanation:
    """Make an explanation with the texts of the cited clauses and readings."""
    known, readings = clauses_known(game.book), readings_known(game.book)
    found = [known[clause] for clause in basis.clauses]
    return Explanation(
        text=text,
        clauses=tuple(ClauseCited(id=clause.id, citation=clause.citation, says=clause.says) for clause in found),
        readings=tuple(ReadingCited(id=name, says=readings[name].reading) for name in basis.readings),
        house_rule=basis.house_rule,
        illustrative=basis.illustrative,
    )
