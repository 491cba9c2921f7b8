"""Invariants that hold after every event, in production too: money is conserved and every card has one place."""

from __future__ import annotations

from crossfelt.money.ledger import BANK, HOUSE_RISK, Unbalanced, risk_of
from crossfelt.money.ledger import check as check_ledger
from crossfelt.table import events as e
from crossfelt.table.state import TableState

BANK_EVENTS = frozenset((e.BankCovered, e.HouseWagerSettled, e.BankSettled, e.BankReleased, e.SettlementReversed))
CARD_EVENTS = frozenset((e.DeckShuffled, e.DeckMixed, e.CardsDealt))
"""The events after which the cards are counted."""


class CardsAstray(AssertionError):
    """A card is missing, doubled or foreign: a fault of the software, which must not be committed."""


def check_money(table: TableState, event: e.Event) -> None:
    """Check the ledger, and the seat of the event, after an event that moved money."""
    check_ledger(table.balances)
    if isinstance(event, e.SeatEvent):
        check_risk(table, event.seat)
    if type(event) in BANK_EVENTS:
        check_bank(table)


def check_risk(table: TableState, seat: int) -> None:
    """Check that the ledger's amount at risk for a seat equals its wagers on the layout."""
    on_layout, at_risk = sum(table.seat(seat).wagers.values()), table.balances.get(risk_of(seat), 0)
    if on_layout != at_risk:
        raise Unbalanced(f"seat {seat} has {on_layout} cents on the layout, {at_risk} at risk in the ledger")


def check_bank(table: TableState) -> None:
    """Check the dealer's stake against the ledger, and that a settled bank leaves nothing in escrow."""
    bank, balances = table.bank, table.balances
    staked, at_risk = (bank.house_wager if bank else 0), balances.get(HOUSE_RISK, 0)
    if staked != at_risk:
        raise Unbalanced(f"the dealer has staked {staked} cents against the bank, {at_risk} at risk in the ledger")
    if not table.bank_covered and BANK in balances:
        raise Unbalanced(f"{balances[BANK]} cents are left in escrow and cover nothing")


def check_cards(table: TableState) -> None:
    """Check that a known deck has each of its cards once, and that no card lies in two places."""
    size = table.game.book.deck.cards
    for deck in table.decks.values():
        if deck.cards and (len(deck.cards) != size or set(deck.cards) != set(range(size))):
            raise CardsAstray(f"deck {deck.id} does not hold each of its {size} cards once")
    known = [card for seat in table.seats for card in seat.cards if card < size]
    known += [card for card in table.community.values() if card < size]
    if len(known) != len(set(known)):
        raise CardsAstray("a card lies in two places")
