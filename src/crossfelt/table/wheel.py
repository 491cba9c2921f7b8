"""Spin wagers: the seats that spin a wheel, and the wagers that lose without a spin."""

from __future__ import annotations

from crossfelt.cards.card import HIDDEN
from crossfelt.games.rules import rules_of
from crossfelt.progressive.wheels import event_occurs
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Order, Spin
from crossfelt.table import events as e
from crossfelt.table.act import joined
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.spots import spot_of
from crossfelt.table.state import Seat, TableState, seats_in_order


def spun_for_all(game: Game, wager_id: str) -> bool:
    """Say if one spin of the wheel counts for all bettors of the wager."""
    return any(wheel.wager == wager_id and wheel.ring == "community" for wheel in game.wheels)


def wager_of(step: Spin, game: Game) -> str | None:
    """Return the wager on offer that a step spins for."""
    return next((wager.id for wager in game.wagers if wager.id in step.wagers), None)


def bettors(table: TableState, wager_id: str, order: Order) -> tuple[Seat, ...]:
    """List the seats whose sensor is lit for a wager."""
    return tuple(seat for seat in seats_in_order(table, order) if wager_id in seat.lights)


def spinners(table: TableState, step: Spin) -> tuple[int, ...]:
    """Return the seats of a spin step: the seats whose hand triggers it, or all bettors after the event.

    At a physical table an unseen folded hand may spin: the dealer names it, or passes the spin.
    """
    wager = wager_of(step, table.game)
    if wager is None:
        return ()
    lit = bettors(table, wager, step.order)
    if not spun_for_all(table.game, wager):
        rules, own = rules_of(table.game), table.game.wager(wager)
        return tuple(
            seat.number for seat in lit if unseen(seat) or rules.spins(own, spot_of(table, seat, cards=seat.dealt))
        )
    if not lit or not event_occurs(table.game, wager, tuple(table.community.values())):
        return ()
    return tuple(seat.number for seat in lit)


def unseen(seat: Seat) -> bool:
    """Say if the table does not know the hand."""
    return HIDDEN in seat.dealt


def collect_unspun(recorder: EventRecorder, step: Spin, turn: tuple[int, ...]) -> None:
    """Collect the spin wagers that no wheel is spun for; their lights stay on, for community pay."""
    for seat in seats_in_order(recorder.table, step.order):
        for wager_id in step.wagers:
            if wager_id in seat.wagers and seat.number not in turn:
                lose(recorder, seat.number, wager_id)


def after_fold(table: TableState, number: int) -> Cited:
    """Return the reading by which the wheel still settles the wager of a player who folded (AMB-7)."""
    folded = table.seat(number).status == "folded"
    return Cited(readings=table.rule("spin_after_fold").readings) if folded else Cited()


def lose(recorder: EventRecorder, seat: int, wager_id: str) -> None:
    table = recorder.table
    rule, stake = joined(table.game.wager(wager_id).rule, after_fold(table, seat)), table.seat(seat).wagers[wager_id]
    recorder.emit(e.WagerSettled, rule, seat=seat, wager=wager_id, stake=stake, result="lose")
