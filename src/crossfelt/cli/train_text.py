"""Questions as text: cards and chips drawn, answers numbered, explanations with their clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from crossfelt.cli.felt import cross_lines, hand_lines
from crossfelt.money import dollars
from crossfelt.rulebooks.typesetting import columns
from crossfelt.table.sources import LINES
from crossfelt.training.progress import Progress, tallies
from crossfelt.training.question import (
    DRILLS,
    Arrange,
    CardsShown,
    Chips,
    ChipsShown,
    Choose,
    Explanation,
    Face,
    Note,
    Shown,
)

CROSS: Final = ("across", "down", "middle")
PROMPTS: Final = {"choose": "number", "amount": "dollars", "arrange": "order", "pick": "cards"}


def chips_words(chips: Sequence[Chips]) -> str:
    """Chips as they lie beside each other; many of one value are counted.

    >>> from crossfelt.training.chips import chips_of
    >>> chips_words(chips_of(137_00)), chips_words(chips_of(1_504_50))
    ('($100) ($25) ($5)x2 ($1)x2', '($1,000) ($500) ($1)x4 ($0.50)')
    """
    return " ".join(f"({dollars(one.cents)})" + (f"x{one.count}" if one.count > 1 else "") for one in chips)


def question_lines(question: Face) -> Iterator[str]:
    """What is shown, then the numbered answers; the question itself is left to the caller, who wraps it."""
    yield from _cards(question.shown)
    chips = [item for item in question.shown if isinstance(item, ChipsShown)]
    seats = {item.seat for item in chips}
    yield from columns([_stack(item, of_many=len(seats) > 1) for item in chips], indent=2, right=[1]) if chips else ()


def notes(question: Face) -> list[str]:
    """The sentences among what is shown."""
    return [item.text for item in question.shown if isinstance(item, Note)]


def numbered(question: Face) -> list[str]:
    """What can be chosen, or has to be put in order."""
    match question.answer:
        case Choose(options=found) | Arrange(items=found):
            width = len(str(len(found)))
            return [f"{number:>{width}}  {text}" for number, text in enumerate(found, start=1)]
        case _:
            return []


def _stack(item: ChipsShown, *, of_many: bool) -> tuple[str, str, str]:
    label = f"seat {item.seat}: {item.label}" if of_many else item.label
    return label, dollars(item.cents), chips_words(item.chips)


def _cards(shown: Sequence[Shown]) -> Iterator[str]:
    cards = {item.place: item for item in shown if isinstance(item, CardsShown)}
    layout = _layout(cards)
    if layout is not None:
        yield from cross_lines(layout)
    for place, item in cards.items():
        if layout is None or place not in CROSS:
            yield f"  {item.label}:"
            yield from hand_lines("", item.cards, ())


def _layout(cards: Mapping[str, CardsShown]) -> dict[str, str] | None:
    """The whole cross, by place; None where part of it is not shown."""
    if not set(CROSS) <= cards.keys():
        return None
    return {place: card for name in CROSS for place, card in zip(LINES[name], cards[name].cards, strict=True)}


def why(explanation: Explanation) -> Iterator[str]:
    """What an answer rests on, a paragraph each."""
    yield explanation.text
    yield from (f"{clause.id}, {clause.citation}: {clause.says}" for clause in explanation.clauses)
    yield from (f"{reading.id}, as we read it: {reading.says}" for reading in explanation.readings)
    if explanation.house_rule:
        yield f"House rule: {explanation.house_rule}"
    if explanation.illustrative:
        yield "The amount is only illustrative: no source prints it."


def standing_lines(progress: Progress) -> list[str]:
    """How somebody stands, drill by drill.

    >>> progress = Progress().answered("nj-criss-cross/pay/across.flush", right=True, at=0, millis=4_000)
    >>> print(*standing_lines(progress), sep="\\n")
    rulebook        drill              topics  asked  right  missed last  fastest
    nj-criss-cross  What does it pay?       1      1  100 %            0    4.0 s
    """
    cells = [("rulebook", "drill", "topics", "asked", "right", "missed last", "fastest")]
    for of in tallies(progress):
        title = next((title for name, title in DRILLS.items() if name == of.kind), of.kind)
        pace = "–" if of.fastest is None else f"{of.fastest / 1000:.1f} s"
        share = f"{100 * of.right // of.asked} %" if of.asked else "–"
        cells.append((of.rulebook, title, str(of.topics), str(of.asked), share, str(of.missed), pace))
    return columns(cells, right=[2, 3, 4, 5, 6])
