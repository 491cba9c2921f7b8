"""The dealer's desk names the players that a table waits for."""

from __future__ import annotations

from crossfelt.play.session import TableSession, TickingClock
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.core.bots import bot_name
from crossfelt.server.core.rng import TableRng
from crossfelt.server.dealer_desk.desk import waits
from crossfelt.table.act import Move


def test_a_bot_is_named_by_its_seat_and_a_person_by_name() -> None:
    session = TableSession(compile_game("nj-criss-cross"), TableRng(lesson_seed=1), at=TickingClock())
    session.open()
    seats = {5: "Ann", 6: bot_name("careful", 6)}
    for seat, name in seats.items():
        session.sit(seat, name, 1_000_00)
    list(session.advance())
    for seat, name in seats.items():
        session.ask(Move("place_wagers", {"seat": seat, "wagers": {"ante_across": 500, "ante_down": 500}}), name)
    session.lock()
    told = []
    for seat, name in seats.items():
        list(session.advance())
        told.append(waits(session.table, live=False))
        session.ask(Move("bet", {"seat": seat, "cents": 500}), name)
    assert told == ["Waiting for Ann in seat 5", "Waiting for Bot 6"]
