"""What a player asks to see, as text: the cards, what hands pay, the chips, the clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.money import dollars
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.typesetting import columns
from crossfelt.rulebooks.wording import pay_words, plain
from crossfelt.table.events import Event
from crossfelt.table.telling import amounts_words, card_sign, signed
from crossfelt.table.views import HandView, SeatView, TableView

BACK: Final = "▒▒"
_GAP: Final = " " * 7


def sign(text: str) -> str:
    """A card of a view as it is drawn: its face, or its back.

    >>> sign("Td"), sign("??")
    ('10♦', '▒▒')
    """
    card = Card(text)
    return BACK if card is HIDDEN else card_sign(card)


# --- cards ------------------------------------------------------------------------------------------------------------


def cards_lines(view: TableView, seats: Sequence[int]) -> list[str]:
    """The cross as the dealer sees it, and the cards of some seats with what they make."""
    if not view.layout:
        return ["No cards are on the table."]
    lines = [*_cross(view.layout), ""]
    dealer = [view.layout[place] for place in ("dealer_hole_1", "dealer_hole_2") if place in view.layout]
    if dealer:
        lines += _hand("dealer", dealer, ())
    for seat in (view.seats[number - 1] for number in seats):
        lines += _hand(f"seat {seat.number}", seat.cards, _hand_words(seat.hands)) if seat.cards else ()
    return lines


def _cross(layout: Mapping[str, str]) -> Iterator[str]:
    yield from _row(_GAP + " " * 8, [layout["down_far"]], "far")
    yield from _row(" " * 8, [layout[place] for place in ("across_left", "middle", "across_right")], "across")
    yield from _row(_GAP + " " * 8, [layout["down_near"]], "near the dealer: down")


def _row(margin: str, cards: Sequence[str], label: str) -> tuple[str, str, str]:
    top = margin + " ".join("┌────┐" for _ in cards)
    faces = margin + " ".join(f"│{sign(card):^4}│" for card in cards)
    bottom = margin + " ".join("└────┘" for _ in cards)
    return top, f"{faces}  {label}", bottom


def _hand(whose: str, cards: Sequence[str], words: Sequence[str]) -> list[str]:
    margin = f"{whose:>7} "
    top, faces, bottom = _row(" " * len(margin), cards, "")
    rows = [top, margin + faces.strip(), bottom]
    return [f"{row.rstrip()}  {told}".rstrip() for row, told in zip(rows, [*words, "", "", ""], strict=False)]


def _hand_words(hands: Mapping[str, HandView]) -> list[str]:
    return [f"{plain(line)}: {hand.name}{'' if hand.complete else ' so far'}" for line, hand in hands.items()]


def standing(view: TableView, seat: SeatView) -> str:
    """One line of what a player holds and sees before a decision."""
    told = " ".join(map(sign, seat.cards)) + " in hand"
    lines = {"across": ("across_left", "middle", "across_right"), "down": ("down_far", "middle", "down_near")}
    for name, places in lines.items():
        cards = [view.layout[place] for place in places]
        if any(card != HIDDEN.text for card in cards):
            hand = seat.hands.get(name)
            made = f" ({hand.name})" if hand and hand.known > len(seat.cards) else ""
            told += f" · {name} {' '.join(map(sign, cards))}{made}"
    return told


# --- pays -------------------------------------------------------------------------------------------------------------


def pays_lines(game: Game, wagers: Sequence[str]) -> list[str]:
    """The pay tables of some wagers side by side: one row for each hand.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> lines = pays_lines(compile_game("md-criss-cross"), ["ante_across", "across", "five_card_bonus"])
    >>> print("\\n".join(lines[:2] + lines[-1:]))
                            ante      bets  five card bonus
    royal flush           1 to 1  500 to 1         250 to 1
    pair 6s or better          —         —           1 to 1
    """
    tables = list(dict.fromkeys(pays for wager in wagers if (pays := game.wager(wager).pays)))
    rows: dict[str, dict[str, str]] = {}
    for name in tables:
        for line in game.pays[name].table.lines:
            rows.setdefault(plain(line.name), {})[name] = pay_words(line)
    cells = [(hand, *(paid.get(name, "—") for name in tables)) for hand, paid in rows.items()]
    heads = ("", *map(plain, tables))
    fixed = [wager for wager in map(game.wager, wagers) if wager.odds is not None]
    told = [f"{wager.title}: a win pays {wager.odds}" for wager in fixed]
    return [*columns([heads, *cells], right=range(1, len(tables) + 1)), *told]


# --- chips ------------------------------------------------------------------------------------------------------------


def balance_line(seat: SeatView, bought_cents: int, game: Game) -> str:
    """What a seat has, has at risk, and has won or lost so far."""
    at_risk = sum(seat.wagers.values())
    on_layout = f", on the layout {amounts_words(seat.wagers, game)}" if at_risk else ""
    net = seat.chips_cents + at_risk - bought_cents
    return (
        f"Seat {seat.number}: chips {dollars(seat.chips_cents)}{on_layout}; "
        f"bought {dollars(bought_cents)}, so far {signed(net)}"
    )


# --- clauses ----------------------------------------------------------------------------------------------------------


def cited(event: Event) -> str:
    """The clauses and readings of an event by their ids, after its line."""
    ids = (*event.clauses, *event.readings)
    return f"  [{', '.join(ids)}]" if ids else ""


def clause_lines(event: Event) -> Iterator[str]:
    """What an event rests on, in our words, with the place in the document."""
    for clause_id in event.clauses:
        clause = law.clauses()[clause_id]
        yield f"{clause.id}, {clause.citation}: {clause.says}"
    for reading_id in event.readings:
        reading = law.readings()[reading_id]
        yield f"{reading.id}, as we read it: {reading.about} {reading.reading}"
