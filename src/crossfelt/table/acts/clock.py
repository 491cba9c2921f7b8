"""The clock: the timeout of a player who does not answer, as a decision or the submission states it."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.errors import Problem
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.script import Decide, OfferBank, SetHands
from crossfelt.table import commands as c
from crossfelt.table.act import Act, Option, refuse, report
from crossfelt.table.acts import decisions
from crossfelt.table.acts.set_hands import set_by_house
from crossfelt.table.flow import give_up_bank
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState, step_as, step_of


class TimeOutAct(Act[c.TimeOut], roles=("dealer",)):
    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        for number in awaited(table):
            if no_clock(table, number) is None:
                fields = decisions.to_name(table.seat(number), decisions.on_timeout(table))
                yield Option(command=self.name, seat=number, fields=fields, after=time_is_up(table, number))

    def why_not(self, table: TableState, command: c.TimeOut) -> Problem | None:
        if command.seat not in awaited(table):
            return decisions.not_their_turn(table, command.seat)
        return (
            no_clock(table, command.seat)
            or _still_time(table, command)
            or decisions.named_problem(table, command, decisions.on_timeout(table))
        )

    def perform(self, recorder: EventRecorder, command: c.TimeOut) -> None:
        """Carry out the timeout that the decision or the submission states."""
        table = recorder.table
        match decisions.on_timeout(table):
            case "pass":
                give_up_bank(recorder, command.seat, timed_out=True)
            case "house_way":
                set_by_house(recorder, command.seat, command.cards, timed_out=True)
            case "expose" | "decline" | "check" | "withdraw" as choice:
                decisions.choose(recorder, command.seat, choice, command.cards, timed_out=True)
            case "floor_decides":
                report(recorder, "no_answer", "any", seat=command.seat)
            case "bet" | "smallest_bet" if amounts := decisions.bet_range(
                table, step_as(table, Decide), table.seat(command.seat)
            ):
                decisions.place_bet(recorder, command.seat, amounts.min, timed_out=True)
            case "bet" | "check_or_fold" if "check" in table.game.options(step_as(table, Decide)):
                decisions.choose(recorder, command.seat, "check", timed_out=True)
            case _:
                decisions.fold_hand(recorder, command.seat, timed_out=True)


def awaited(table: TableState) -> tuple[int, ...]:
    """Return the seats that must answer: the seat in turn, or all that have yet to set their hands."""
    match step_of(table):
        case Decide() | OfferBank():
            return table.turn[:1]
        case SetHands(who="players"):
            return table.turn
    return ()


def no_clock(table: TableState, number: int) -> Problem | None:
    """Refuse a timeout where no clock runs and the player is still at the table.

    An offer of the bank needs no clock: the dealer offers it to the next seat.
    """
    offer = isinstance(step_of(table), OfferBank)
    if offer or table.seat(number).away or table.game.whole("play.decision_seconds"):
        return None
    what = "no clock runs at this table"
    return refuse("timeout.clock", what, number, "only for a player who has left", _clock_rule(table), where="seat")


def _clock_rule(table: TableState) -> Cited:
    return decisions.choice_rule(table.game, "play.decision_seconds")


def time_is_up(table: TableState, number: int) -> int | None:
    """Return the time at which a player's clock runs out; None for a player who left, an offer, or no clock."""
    seconds = table.game.whole("play.decision_seconds")
    timed = seconds and not table.seat(number).away and not isinstance(step_of(table), OfferBank)
    return table.asked_at + 1000 * seconds if timed else None


def _still_time(table: TableState, command: c.TimeOut) -> Problem | None:
    up = time_is_up(table, command.seat)
    if up is None or command.at >= up:
        return None
    what, left = "the player has time left", f"{-((command.at - up) // 1000)} seconds"
    return refuse("timeout.early", what, left, "when the time is up", _clock_rule(table), where="at")
