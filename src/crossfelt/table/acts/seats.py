"""Seats: a player sits down with chips, buys more, and gets up."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.errors import Problem
from crossfelt.money.ledger import chips_of
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, Range, amount_problem, refuse, table_not_open
from crossfelt.table.flow import give_up_bank, in_round
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import Seat, TableState


class TakeSeatAct(Act[c.TakeSeat], roles=("player",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for seat in table.seats:
            if not seat.player and self._problem(table, seat.number, who) is None:
                yield Option(command=self.name, seat=seat.number, ranges={"chips_cents": Range(1, LARGEST_CENTS)})

    def why_not(self, table: TableState, command: c.TakeSeat) -> Problem | None:
        return self._problem(table, command.seat, command.who) or amount_problem("chips_cents", command.chips_cents)

    @staticmethod
    def _problem(table: TableState, number: int, who: str) -> Problem | None:
        if (problem := table_not_open(table) or no_such_seat(table, number)) is not None:
            return problem
        if not who:
            return refuse("seat.unnamed", "the player needs a name", where="who")
        if table.seat(number).player:
            return refuse("seat.taken", "the seat is taken", number, "a free seat", where="seat")
        rule = table.rule("one_position_per_player")
        if rule.value and seats_of(table, who):
            what = "a player may wager on one position only"
            return refuse("seat.second", what, number, "one seat", rule.clauses, where="seat")
        return None

    def perform(self, recorder: EventRecorder, command: c.TakeSeat) -> None:
        recorder.emit(e.SeatTaken, seat=command.seat, player=command.who, chips_cents=command.chips_cents)


class LeaveSeatAct(Act[c.LeaveSeat], roles=("player",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for seat in seats_of(table, who):
            if not seat.wagers and not self._has_cards(table, seat):
                yield Option(command=self.name, seat=seat.number)

    def why_not(self, table: TableState, command: c.LeaveSeat) -> Problem | None:
        seat = table.seat(command.seat)
        if self._has_cards(table, seat):
            rule = table.rule("leaving_mid_round")
            what = "a player with cards stays until the round is over"
            return refuse("seat.in_round", what, seat.number, "", rule.clauses, where="seat")
        if seat.wagers:
            return refuse("seat.wagers", "wagers are on the layout: take them back first", seat.number, where="seat")
        return None

    @staticmethod
    def _has_cards(table: TableState, seat: Seat) -> bool:
        return seat.takes_part and in_round(table)

    def perform(self, recorder: EventRecorder, command: c.LeaveSeat) -> None:
        give_up_bank(recorder, command.seat)
        chips = recorder.table.balances.get(chips_of(command.seat), 0)
        recorder.emit(e.SeatLeft, seat=command.seat, chips_cents=chips)


class BuyChipsAct(Act[c.BuyChips], roles=("player",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for seat in seats_of(table, who):
            yield Option(command=self.name, seat=seat.number, ranges={"cents": Range(1, LARGEST_CENTS)})

    def why_not(self, table: TableState, command: c.BuyChips) -> Problem | None:
        return amount_problem("cents", command.cents)

    def perform(self, recorder: EventRecorder, command: c.BuyChips) -> None:
        recorder.emit(e.ChipsBought, seat=command.seat, cents=command.cents)


def seats_of(table: TableState, who: str) -> list[Seat]:
    """Return the seats of a player."""
    return [seat for seat in table.seats if seat.player == who] if who else []


def no_such_seat(table: TableState, number: int) -> Problem | None:
    if 1 <= number <= len(table.seats):
        return None
    clauses = table.game.book.table.clauses
    return refuse("seat.unknown", "no such seat", number, f"1 to {len(table.seats)}", clauses, where="seat")


def not_own_seat(table: TableState, number: int, who: str) -> Problem | None:
    """Refuse an act for a seat by anyone but its player."""
    if (problem := no_such_seat(table, number)) is not None:
        return problem
    player = table.seat(number).player
    if player != who or not player:
        what = "only the player in this seat may do that"
        return refuse("seat.other", what, number, player or "no player", where="seat")
    return None
