"""Corrections: of an entry or a card at a physical table, and of a round that was paid.

No document has a rule for it. An entry is taken back, and a card corrected, while nothing was paid on it: the cards are
right, and the record is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crossfelt.errors import Problem
from crossfelt.money.ledger import TRAY, chips_of
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.script import Compare, Reveal, SetHands, Settle, Step
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, PlainAct, refuse, table_not_open
from crossfelt.table.acts.dealing import enterable
from crossfelt.table.acts.floor import CARDS_LIE
from crossfelt.table.acts.seats import no_such_seat
from crossfelt.table.acts.set_hands import set_dealer
from crossfelt.table.decks import round_open
from crossfelt.table.meter_claims import take_contributions_back
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.spots import dealer_seven
from crossfelt.table.state import TableState, step_of

HOUSE_RULE: Final = "a wrongly named card of a physical table is corrected until a wager is settled on it"

ENTRY_RULE: Final = "what was typed at a physical table is corrected until it is paid"
REVERSAL_RULE: Final = "a round that was paid in error is reversed by two people"


def correctable(table: TableState) -> tuple[str, ...]:
    """Return the places whose card was named and has not been used since: compared, settled or made into a hand."""
    if table.phase != "open" or table.voided or not isinstance(step_of(table), CARDS_LIE) or table.deck.cards:
        return ()
    return tuple(place for place in table.community if place in table.revealed and not _is_used(table, place))


def _is_used(table: TableState, place: str) -> bool:
    script = table.game.dealt_by(table.dealing).script
    turned_up, now = script.index(_turned_up_at(table, place)), table.game.steps[table.step][0]
    dealers_line = isinstance(script[turned_up], Reveal) and place in table.game.dealer_places
    return dealers_line or any(_decides(table, step) for step in script[turned_up + 1 : now + 1])


def _turned_up_at(table: TableState, place: str) -> Step:
    """Return the step at which the card of a place is turned up."""
    return next(
        step
        for step in table.game.dealt_by(table.dealing).script
        if (isinstance(step, Reveal) and place in step.cards) or (isinstance(step, SetHands) and step.who == "dealer")
    )


def _decides(table: TableState, step: Step) -> bool:
    """Say if a step has used the cards on the layout."""
    match step:
        case Reveal():
            return not table.revealed.isdisjoint(table.game.dealer_places)
        case Compare():
            return any(seat.shown for seat in table.seats)
        case Settle():
            settled = (seat.placed.keys() - seat.wagers.keys() - seat.forfeited.keys() for seat in table.seats)
            return any(not wagers.isdisjoint(step.wagers) for wagers in settled)
        case _:
            return False


class CorrectCardAct(Act[c.CorrectCard], roles=("floor",), steps=CARDS_LIE):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for place in correctable(table):
            yield Option(command=self.name, fields={"place": place, "cards": 1})

    def why_not(self, table: TableState, command: c.CorrectCard) -> Problem | None:
        places = correctable(table)
        if command.place not in places:
            what, allowed = "no card at this place can be corrected now", ", ".join(places) or "none"
            return refuse("correct.place", what, command.place, allowed, Cited(house_rule=HOUSE_RULE), where="place")
        return enterable(table, command.cards, 1, _turned_up_at(table, command.place).clauses)

    def perform(self, recorder: EventRecorder, command: c.CorrectCard) -> None:
        place, table = command.place, recorder.table
        step = _turned_up_at(table, place)
        wrong = table.community[place]
        recorder.emit(e.CardMisnamed, place=place, card=wrong, note=command.note, house_rule=HOUSE_RULE)
        if isinstance(step, Reveal):
            recorder.emit(e.CommunityCardsRevealed, step, places=(place,), cards=command.cards)
        else:
            seven = tuple(command.cards[0] if card == wrong else card for card in dealer_seven(table))
            set_dealer(recorder, step, seven)


class TakeBackAct(PlainAct[c.TakeBack], roles=("dealer",)):
    def problem(self, table: TableState) -> Problem | None:
        if table.back is not None:
            return None
        what, allowed = "nothing that was typed can be taken back", "an entry that is not paid"
        return refuse("back.none", what, None, allowed, Cited(house_rule=ENTRY_RULE))

    def perform(self, recorder: EventRecorder, command: c.TakeBack) -> None:
        table = recorder.table
        assert table.back is not None
        if table.contributed and not table.back.contributed:
            take_contributions_back(recorder, Cited(house_rule=ENTRY_RULE))
        who, at = table.entry
        recorder.emit(e.EntryTakenBack, entered_by=who, entered_at=at, round=table.round, house_rule=ENTRY_RULE)


class ReverseRoundAct(Act[c.ReverseRound], roles=("floor",)):
    """It is never an option: two people propose it with the amounts of a closed round."""

    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        return iter(())

    def why_not(self, table: TableState, command: c.ReverseRound) -> Problem | None:
        if (problem := table_not_open(table)) is not None:
            return problem
        if not 0 < command.of_round <= table.round or (command.of_round == table.round and round_open(table)):
            return refuse("reverse.round", "only a round that is over is reversed", command.of_round, where="of_round")
        for number, cents in command.seats:
            if (problem := no_such_seat(table, number)) is not None:
                return problem
            if (held := table.balances.get(chips_of(number), 0)) + cents < 0:
                return refuse("reverse.chips", f"seat {number} has too few chips", -cents, f"at most {held:,} cents")
        leaves = sum(cents for _, cents in command.seats) + command.cage_cents
        if leaves > (left := table.balances.get(TRAY, 0)):
            return refuse("reverse.tray", "the tray has too few chips: record a fill first", leaves, f"{left:,} cents")
        return None

    def perform(self, recorder: EventRecorder, command: c.ReverseRound) -> None:
        for number, cents in command.seats:
            before = recorder.table.balances.get(chips_of(number), 0)
            recorder.emit(
                e.ChipsCorrected,
                seat=number,
                of_round=command.of_round,
                before_cents=before,
                after_cents=before + cents,
                note=command.note,
                house_rule=REVERSAL_RULE,
            )
        if command.cage_cents:
            moved = e.InventoryCredited if command.cage_cents > 0 else e.InventoryFilled
            recorder.emit(moved, cents=abs(command.cage_cents))
