"""Invariants of every table at any moment: cards, money, and clauses behind refusals."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.errors import Problem
from crossfelt.rulebooks.script import Deal
from crossfelt.table import events as e
from crossfelt.table.commands import Command
from crossfelt.table.state import TableState, step_of
from unit.table.manual_table import CODE

CARD: Final = re.compile(r"(?:[2-9TJQKA][cdhs]|Jk|\?\?)(?![^\s,])")

HOUSE_CODES: Final = frozenset(
    (
        *(
            "surrender.none",
            "role",
            "late",
            "pending",
            "amount",
            "table.open",
            "table.closed",
            "table.in_round",
            "table.seated",
        ),
        *("seat.taken", "seat.other", "seat.wagers", "seat.unnamed", "wager.balance", "deck.unknown", "deck.order"),
        *("deck.cards", "deck.in_play", "deck.remove", "collect.none", "turn.step", "stub.step", "settle.step"),
        *(
            "settle.halted",
            "settle.cards",
            "timeout.clock",
            "timeout.early",
            "reveal.cards",
            "ruling.none",
            "irregularity.kind",
            "irregularity.case",
        ),
        *("irregularity.when", "irregularity.where", "device.state", "method.same", "method.device", "shuffle.count"),
        *("wager.none", "reveal.step", "collect.early", "discard.step", "timeout.clock", "timeout.early"),
        *("first_hand.step", "set.step", "surrender.when", "expose.step", "bank.step"),
        *("spin.step", "spin.pay", "spin.seen", "spin.cards", "claimed"),
        *("award.claim", "award.shares", "award.sum", "award.more", "draw.step", "validate.none", "documents.none"),
        *("correct.place", "device.unknown", "device.round", "method.round", "wager.unknown"),
    )
)
"""Refusals that rest on no clause: the order of things at any table, or the software's own questions."""
SILENT: Final = {
    "nj-criss-cross": {
        *("device.how", "device.shoe", "ruling", "irregularity.by"),
    },
    "ma-criss-cross": {"seat.unknown", "ruling", "irregularity.by"},
    "md-criss-cross": {"ruling", "spin.hot_spot"},
    "nj-double-cross": {"seat.unknown", "shuffle.order"},
}
"""Refusals without a clause, where the document is silent."""


def cash_in(event: e.Event) -> int:
    """Return the cents that an event moves between the cage and the table, seen from the cage."""
    match event:
        case e.TableOpened():
            return -event.inventory_cents
        case e.TableClosed():
            return event.inventory_cents
        case e.InventoryFilled() | e.ChipsBought():
            return -event.cents
        case e.InventoryCredited():
            return event.cents
        case e.SeatTaken():
            return -event.chips_cents
        case e.SeatLeft():
            return event.chips_cents
        case e.ContributionMade() | e.AwardGranted():
            return -event.cents
        case e.ContributionReversed():
            return event.cents
    return 0


def cards_are_accounted_for(table: TableState) -> None:
    """Every card of the deck in play is in the deck, on the table or in the discard rack, and in one place only."""
    deck, size = table.deck, table.game.book.deck.cards
    held = [card for seat in table.seats for card in seat.cards] + list(table.community.values())
    racked = [Card(text) for entry in table.pile for text in CARD.findall(entry)]
    stub = next((int(entry.split()[1]) for entry in table.pile if entry.startswith("stub: ")), None)
    if stub is None:
        stub = size - deck.next - len(deck.skipped) if deck.stage in ("in_play", "used") else size
    assert len(held) + len(racked) + stub == size
    assert not (held and isinstance(step_of(table), Deal))
    assert len(table.community) in (0, 5 if table.game.book.game == "criss_cross" else 7)
    known = Counter(card for card in held + racked if card != HIDDEN)
    assert all(count == 1 for count in known.values()), known
    if deck.cards and deck.stage == "in_play":
        order = [card for place, card in enumerate(deck.cards) if place not in deck.skipped]
        gone = order[: deck.next] + [deck.cards[place] for place in deck.skipped]
        assert set(known) == set(gone)
        assert len(set(deck.cards)) == size


def clauses_are_named(table: TableState, problem: Problem, command: Command) -> None:
    """A refusal names the clause behind it, and only clauses of this jurisdiction."""
    book = table.game.book.id
    assert all(clause.startswith(f"{CODE[book]}-") for clause in problem.clauses)
    # The document on Pai Gow Poker amends a game that it does not print: most of it rests on house rules.
    silent = book == "nj-pai-gow" or problem.code in HOUSE_CODES or problem.code in SILENT[book]
    assert problem.clauses or problem.house_rule or silent, f"no clause: {command}: {problem}"
