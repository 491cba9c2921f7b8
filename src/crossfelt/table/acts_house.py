"""Opening and closing the table, its inventory, its devices, and who sits where."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.money.ledger import TRAY, chips_of
from crossfelt.problems import Problem
from crossfelt.rulebooks.choosing import LARGEST_CENTS
from crossfelt.rulebooks.script import OfferBank, OpenBets, Shuffle
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts import Act, Option, Range, refuse
from crossfelt.table.banking import promised
from crossfelt.table.commands import Role
from crossfelt.table.flow import give_up_bank
from crossfelt.table.stage import Stage
from crossfelt.table.state import Seat, Table, step_of
from crossfelt.table.voiding import abandon_round, owed_by_void


class OpenTable(Act[c.OpenTable]):
    command = c.OpenTable
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if table.phase == "closed":
            yield Option(command=self.name, ranges={"inventory_cents": Range(0, LARGEST_CENTS)})

    def why_not(self, table: Table, command: c.OpenTable) -> Problem | None:
        if table.phase != "closed":
            return refuse("table.open", "the table is open already")
        return _amount("inventory_cents", command.inventory_cents, least=0)

    def perform(self, stage: Stage, command: c.OpenTable) -> None:
        stage.emit(e.TableOpened, inventory_cents=command.inventory_cents)


class CloseTable(Act[c.CloseTable]):
    command = c.CloseTable
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if self._problem(table) is None:
            yield Option(command=self.name)

    def why_not(self, table: Table, command: c.CloseTable) -> Problem | None:
        return self._problem(table)

    @staticmethod
    def _problem(table: Table) -> Problem | None:
        if table.phase != "open":
            return refuse("table.closed", "the table is not open")
        if in_round(table):
            return refuse("table.in_round", "a round is being played", table.step)
        seated = [seat.number for seat in table.seats if seat.player]
        return refuse("table.seated", "players still sit at the table", str(seated)) if seated else None

    def perform(self, stage: Stage, command: c.CloseTable) -> None:
        abandon_round(stage, "table_closed")
        stage.emit(e.TableClosed, inventory_cents=stage.table.balances.get(TRAY, 0))


class RecordFill(Act[c.RecordFill]):
    command = c.RecordFill
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        if table.phase == "open":
            yield Option(command=self.name, ranges={"cents": Range(1, self._most(table))})

    def why_not(self, table: Table, command: c.RecordFill) -> Problem | None:
        return _closed(table) or _amount("cents", command.cents, most=self._most(table))

    @staticmethod
    def _most(table: Table) -> int:
        """One fill is enough for any payment, however large the wager and the odds are."""
        return max(LARGEST_CENTS, table.short_cents)

    def perform(self, stage: Stage, command: c.RecordFill) -> None:
        stage.emit(e.InventoryFilled, cents=command.cents)


class RecordCredit(Act[c.RecordCredit]):
    command = c.RecordCredit
    roles = ("floor",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        spare = self._spare(table)
        if table.phase == "open" and spare > 0:
            yield Option(command=self.name, ranges={"cents": Range(1, spare)})

    def why_not(self, table: Table, command: c.RecordCredit) -> Problem | None:
        return _closed(table) or _amount("cents", command.cents, most=self._spare(table))

    @staticmethod
    def _spare(table: Table) -> int:
        """What may leave the tray: not what a void round would have to give back to those who folded, nor what a
        player's bank counts on."""
        owed = owed_by_void(table) if in_round(table) else 0
        return table.balances.get(TRAY, 0) - owed - promised(table)

    def perform(self, stage: Stage, command: c.RecordCredit) -> None:
        stage.emit(e.InventoryCredited, cents=command.cents)


class TakeSeat(Act[c.TakeSeat]):
    command = c.TakeSeat
    roles = ("player",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        for seat in table.seats:
            if not seat.player and self._problem(table, seat.number, who) is None:
                yield Option(command=self.name, seat=seat.number, ranges={"chips_cents": Range(1, LARGEST_CENTS)})

    def why_not(self, table: Table, command: c.TakeSeat) -> Problem | None:
        return self._problem(table, command.seat, command.who) or _amount("chips_cents", command.chips_cents)

    @staticmethod
    def _problem(table: Table, number: int, who: str) -> Problem | None:
        if (problem := _closed(table) or no_such_seat(table, number)) is not None:
            return problem
        if not who:
            return refuse("seat.nobody", "a player has a name", where="who")
        if table.seat(number).player:
            return refuse("seat.taken", "the seat is taken", number, where="seat")
        rule = table.game.book.settings["one_position_per_player"]
        if rule.value and seats_of(table, who):
            what = "a player may wager on one position only"
            return refuse("seat.second", what, number, "one seat", rule.clauses, where="seat")
        return None

    def perform(self, stage: Stage, command: c.TakeSeat) -> None:
        stage.emit(e.SeatTaken, seat=command.seat, player=command.who, chips_cents=command.chips_cents)


class LeaveSeat(Act[c.LeaveSeat]):
    command = c.LeaveSeat
    roles = ("player",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        for seat in seats_of(table, who):
            if not seat.wagers and not self._has_cards(table, seat):
                yield Option(command=self.name, seat=seat.number)

    def why_not(self, table: Table, command: c.LeaveSeat) -> Problem | None:
        if (problem := not_yours(table, command.seat, command.who)) is not None:
            return problem
        seat = table.seat(command.seat)
        if self._has_cards(table, seat):
            rule = table.game.book.settings["leaving_mid_round"]
            what = "a player with cards stays until the round is over"
            return refuse("seat.in_round", what, seat.number, "", rule.clauses, where="seat")
        if seat.wagers:
            what = "wagers lie on the layout: take them back first"
            return refuse("seat.wagers", what, seat.number, where="seat")
        return None

    @staticmethod
    def _has_cards(table: Table, seat: Seat) -> bool:
        return seat.takes_part and in_round(table)

    def perform(self, stage: Stage, command: c.LeaveSeat) -> None:
        give_up_bank(stage, command.seat)
        chips = stage.table.balances.get(chips_of(command.seat), 0)
        stage.emit(e.SeatLeft, seat=command.seat, chips_cents=chips)


class BuyChips(Act[c.BuyChips]):
    command = c.BuyChips
    roles = ("player",)

    def options(self, table: Table, who: str, role: Role) -> Iterator[Option]:
        for seat in seats_of(table, who):
            yield Option(command=self.name, seat=seat.number, ranges={"cents": Range(1, LARGEST_CENTS)})

    def why_not(self, table: Table, command: c.BuyChips) -> Problem | None:
        return not_yours(table, command.seat, command.who) or _amount("cents", command.cents)

    def perform(self, stage: Stage, command: c.BuyChips) -> None:
        stage.emit(e.ChipsBought, seat=command.seat, cents=command.cents)


ACTS = (OpenTable, CloseTable, RecordFill, RecordCredit, TakeSeat, LeaveSeat, BuyChips)


def in_round(table: Table) -> bool:
    """Whether wagers are locked and the round is not over."""
    step = step_of(table)
    if isinstance(step, (OfferBank, OpenBets)):
        return any(seat.wagers for seat in table.seats)
    return step is not None and not isinstance(step, Shuffle)


def seats_of(table: Table, who: str) -> list[Seat]:
    """The seats of a player."""
    return [seat for seat in table.seats if seat.player == who] if who else []


def no_such_seat(table: Table, number: int) -> Problem | None:
    if 1 <= number <= len(table.seats):
        return None
    clauses = table.game.book.table.clauses
    return refuse("seat.unknown", "no such seat", number, f"1 to {len(table.seats)}", clauses, where="seat")


def not_yours(table: Table, number: int, who: str) -> Problem | None:
    """Only the player who sits there acts for a seat."""
    if (problem := no_such_seat(table, number)) is not None:
        return problem
    player = table.seat(number).player
    if player != who or not player:
        return refuse(
            "seat.other", "only the player who sits there may do that", number, player or "nobody", where="seat"
        )
    return None


def _closed(table: Table) -> Problem | None:
    return None if table.phase == "open" else refuse("table.closed", "the table is not open")


def _amount(field: str, cents: int, *, least: int = 1, most: int = LARGEST_CENTS) -> Problem | None:
    if least <= cents <= most:
        return None
    return refuse("amount", "not an amount that is allowed", cents, f"{least:,} to {most:,} cents", where=field)
