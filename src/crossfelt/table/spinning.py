"""Who spins a wheel, and whose spin wager is lost."""

from __future__ import annotations

from crossfelt.cards.card import HIDDEN
from crossfelt.progressive.qualifying import event_occurs, is_pair
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Order, Spin
from crossfelt.table import events as e
from crossfelt.table.stage import Stage
from crossfelt.table.state import Seat, Table, seats_in_order


def spun_for_all(game: Game, wager_id: str) -> bool:
    """Whether one spin of the wheel is for everybody who has the wager."""
    return any(wheel.wager == wager_id and wheel.ring == "community" for wheel in game.wheels)


def wager_of(step: Spin, game: Game) -> str | None:
    """The wager on offer that a step spins for."""
    return next((wager.id for wager in game.wagers if wager.id in step.wagers), None)


def bettors(table: Table, wager_id: str, order: Order) -> tuple[Seat, ...]:
    """Everybody whose sensor is lit for a wager."""
    return tuple(seat for seat in seats_in_order(table, order) if wager_id in seat.lights)


def spinners(table: Table, step: Spin) -> tuple[int, ...]:
    """The seats a spin step goes through: those with a pair, or everybody once the event has occurred.

    At a physical table a folded hand that nobody has seen may be a pair: the dealer says so, or passes it by.
    """
    wager = wager_of(step, table.game)
    if wager is None:
        return ()
    lit = bettors(table, wager, step.order)
    if not spun_for_all(table.game, wager):
        return tuple(seat.number for seat in lit if unseen(seat) or is_pair(seat.dealt))
    if not lit or not event_occurs(table.game, tuple(table.community.values())):
        return ()
    return tuple(seat.number for seat in lit)


def unseen(seat: Seat) -> bool:
    """Whether nobody knows what the hand was."""
    return HIDDEN in seat.dealt


def collect_unspun(stage: Stage, step: Spin, turn: tuple[int, ...]) -> None:
    """Spin wagers that no wheel is spun for are lost; their lights stay on, for community pay."""
    for seat in seats_in_order(stage.table, step.order):
        for wager_id in step.wagers:
            if wager_id in seat.wagers and seat.number not in turn:
                lose(stage, seat.number, wager_id)


def lose(stage: Stage, seat: int, wager_id: str) -> None:
    wager, stake = stage.table.game.wager(wager_id), stage.table.seat(seat).wagers[wager_id]
    stage.emit(
        e.WagerSettled,
        seat=seat,
        wager=wager_id,
        stake=stake,
        result="lose",
        clauses=wager.settled_by,
        readings=wager.settled_readings,
    )
