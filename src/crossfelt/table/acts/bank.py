"""The bank of a round: a player to whom it is offered takes it, lets it pass, or gives it back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from crossfelt.errors import Problem
from crossfelt.rulebooks.script import OfferBank, OpenBets
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Act, Option, refuse
from crossfelt.table.bank import bank_of, why_not_bank
from crossfelt.table.flow import give_up_bank, open_bets
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState, step_of


class TakeBankAct(Act[c.TakeBank], roles=("player",), steps=(OfferBank,)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for number, co_bank in product(table.turn[:1], (False, True)):
            if table.seat(number).player == who and why_not_bank(table, number, co_bank) is None:
                yield Option(command=self.name, seat=number, fields={"co_bank": co_bank})

    def why_not(self, table: TableState, command: c.TakeBank) -> Problem | None:
        return _not_offered(table, command.seat) or why_not_bank(table, command.seat, command.co_bank)

    def perform(self, recorder: EventRecorder, command: c.TakeBank) -> None:
        bank = bank_of(recorder.table, command.seat, command.co_bank)
        settings = recorder.table.game.book.settings
        rule = settings["co_bank_share_per_mille" if bank.co_bank else "bank_open_to"]
        recorder.emit(e.BankTaken, rule, seat=bank.seat, co_bank=bank.co_bank, house_wager=bank.house_wager)
        open_bets(recorder)


class DeclineBankAct(Act[c.DeclineBank], roles=("player",), steps=(OfferBank, OpenBets)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        held = (table.bank.seat,) if table.bank is not None else ()
        for number in table.turn[:1] if isinstance(step_of(table), OfferBank) else held:
            if table.seat(number).player == who:
                yield Option(command=self.name, seat=number)

    def why_not(self, table: TableState, command: c.DeclineBank) -> Problem | None:
        if isinstance(step_of(table), OpenBets) and table.banks(command.seat):
            return None
        return _not_offered(table, command.seat)

    def perform(self, recorder: EventRecorder, command: c.DeclineBank) -> None:
        give_up_bank(recorder, command.seat)


def _not_offered(table: TableState, number: int) -> Problem | None:
    if not isinstance(step_of(table), OfferBank) or not table.turn:
        return refuse("bank.step", "the bank is not offered now", table.step)
    if table.turn[0] != number:
        return refuse("bank.turn", "the bank is offered to another seat", number, f"seat {table.turn[0]}", where="seat")
    return None
