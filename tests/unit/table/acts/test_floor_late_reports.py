"""Irregularities found during the settlement: the round is void, or a player loses, with the payments so far."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.money.ledger import CAGE
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.engine import allowed
from unit.table.manual_double_cross import Double
from unit.table.manual_table import BOOKS, Play, clause, dealt, in_each, only

START = 100_000_00


KEEPS = {"settings": {"void_keeps_settled": True}}


def settling(book: str, settled: int = 1, stated: Any = None, **opens: Any) -> Play:
    """Seats 1, 2 and 3 play, seat 2 folds; this many seats are settled, from the right."""
    play = Play(book, stated).open_for_bets(1, 2, 3, **opens)
    play.bet(1, 2, 3)
    play.advance(until="settle", choose={(2, "down"): "fold"})
    for _ in range(settled):
        play.do(c.SettleSeat, seat=play.table.turn[0])
    return play


@in_each("NJC-60", "MAC-44", "MDC-54")
@pytest.mark.parametrize("where", [{"case": "community"}, {"case": "player", "seat": 1}])
@pytest.mark.parametrize("keeps", [False, True])
def test_a_wrong_number_of_cards_voids_the_whole_round(book: str, where: dict[str, Any], keeps: bool) -> None:
    """Earlier settlements are undone; they stand where the operator has chosen the other reading (AMB-8c)."""
    play = settling(book, stated=KEEPS if keeps else None)
    paid = play.chips(3)
    events = play.do(c.ReportIrregularity, kind="wrong_card_count", role="dealer", **where)
    assert only(events, e.RoundVoided).keeps_settled == keeps
    assert any(isinstance(event, e.SettlementReversed) for event in events) == (not keeps)
    returned = [(event.seat, bool(event.forfeited)) for event in events if isinstance(event, e.WagersReturned)]
    assert returned == [(1, False), (2, True), *([] if keeps else [(3, False)])]
    play.advance(until="shuffle")
    assert play.last(e.RoundClosed).outcome == "void"
    assert (play.chips(1), play.chips(2), play.chips(3)) == (START, START, paid if keeps else START)
    play.serve()
    assert play.table.round == 2


@in_each("NJC-60", "MAC-44", "MDC-54")
def test_before_the_first_hand_is_settled_nothing_has_to_stand(book: str) -> None:
    play = settling(book, settled=0)
    events = play.do(c.ReportIrregularity, kind="wrong_card_count", case="community", role="floor")
    assert not any(isinstance(event, e.SettlementReversed) for event in events)
    assert [play.chips(seat) for seat in (1, 2, 3)] == [START] * 3


@pytest.mark.parametrize("book", BOOKS)
def test_winners_are_not_paid_with_what_a_void_round_would_give_back(book: str) -> None:
    """The tray holds nothing but the stakes of the folded hand."""
    play = settling(book, settled=0, tray=0)
    play.do(c.SettleSeat, seat=3)
    if play.table.halted:
        assert play.table.balances.get("tray", 0) >= 30_00
    play.do(c.ReportIrregularity, kind="wrong_card_count", case="community", role="floor")
    assert play.chips(2) == START
    assert not play.table.halted
    assert play.table.balances[CAGE] == -3 * START


@pytest.mark.parametrize(
    ("book", "kind"),
    [
        pytest.param("ma-criss-cross", "player_leaves", marks=clause("MAC-17")),
        pytest.param("md-criss-cross", "player_leaves", marks=clause("MDC-18")),
        pytest.param("md-criss-cross", "conduct_breach", marks=clause("MDC-30")),
    ],
)
@pytest.mark.parametrize("settled", [0, 1])
def test_who_leaves_or_breaks_a_rule_before_the_hand_is_settled_loses_what_lies_there(
    book: str, kind: str, settled: int
) -> None:
    play = settling(book, settled)
    others = play.chips(3)
    play.do(c.ReportIrregularity, kind=kind, seat=1, role="floor")
    if kind == "player_leaves":
        play.do(c.DecideFloor, ruling="abandon")
    assert play.last(e.WagersForfeited).seat == 1
    assert play.table.turn == ((3,) if settled == 0 else ())
    play.advance(until="shuffle")
    assert play.chips(1) == START - 50_00
    assert settled == 0 or play.chips(3) == others
    assert play.last(e.RoundClosed).outcome == "settled"


@clause("MDC-30")
def test_a_breach_takes_the_settled_wagers_of_the_round_too() -> None:
    """Seat 3 is settled before the breach is found: its payments go back, and all its wagers are lost (AMB-15c)."""
    play = settling("md-criss-cross")
    events = play.do(c.ReportIrregularity, kind="conduct_breach", seat=3, role="floor")
    assert all(event.seat == 3 for event in events if isinstance(event, e.SettlementReversed))
    assert sum(only(events, e.WagersForfeited).wagers.values()) == 50_00
    play.advance(until="shuffle")
    assert play.chips(3) == START - 50_00
    assert play.last(e.RoundClosed).outcome == "settled"


def spinning(*seats: int) -> Play:
    """Seats of Maryland with a pair and a Bonus Spin wager, before the first spin; all hands are settled."""
    pairs = {seat: f"{seat + 6}c {seat + 6}d" for seat in seats}
    play = Play("md-criss-cross", cards=dealt(seats=pairs)).open_for_bets(*seats)
    for seat in seats:
        wagers = {"ante_across": 10_00, "ante_down": 10_00, "bonus_spin": 5_00}
        play.do(c.PlaceWagers, seat=seat, wagers=wagers)
    return play.advance(until="spins")


@clause("MDC-30")
@pytest.mark.parametrize("reported_at", ["spins", "discard"])
def test_a_breach_found_at_the_spins_or_later_takes_every_wager_of_the_round(reported_at: str) -> None:
    play = spinning(1, 3)
    if reported_at == "discard":
        for seat in (3, 1):
            spin(play, seat, stop=2)
    play.do(c.ReportIrregularity, kind="conduct_breach", seat=1, role="floor")
    assert play.last(e.WagersForfeited).wagers["bonus_spin"] == 5_00
    if reported_at == "spins":
        assert play.table.turn == (3,)
        spin(play, 3, stop=2)
    assert play.table.step == "discard"
    play.advance(until="shuffle")
    assert play.chips(1) == START - 55_00


@clause("MDC-30")
def test_a_breach_of_the_last_spinner_ends_the_spins() -> None:
    play = spinning(2)
    play.do(c.ReportIrregularity, kind="conduct_breach", seat=2, role="floor")
    assert play.table.step == "discard"


@clause("MDC-30")
def test_a_breach_waits_for_the_payment_of_a_spin_and_takes_nothing_that_a_meter_paid() -> None:
    """The other seats are due their part of the spin, and a meter keeps its own record."""
    play = spinning(1, 3)
    play.do(c.SpinWheel, seat=3, stop=0)
    meter = 10_000_00 * 1_000_000
    play.do(
        c.GrantAward, claim=1, number=1, shares=((3, 10_000_00),),
        before_micros=meter, after_micros=meter, seeded_micros=meter, reset_cents=10_000_00,
    )  # fmt: skip
    waits = play.refusal(c.ReportIrregularity, kind="conduct_breach", seat=1, role="floor")
    assert (waits.where, waits.allowed, waits.readings) == ("kind", "pay the spin first", ("AMB-15c",))
    play.do(c.PaySpin, seat=3)
    paid = play.refusal(c.ReportIrregularity, kind="conduct_breach", seat=3, role="floor")
    assert (paid.code, paid.where, paid.value, paid.clauses) == ("irregularity.meter", "seat", 3, ("MDC-29", "MDC-30"))
    play.do(c.ReportIrregularity, kind="conduct_breach", seat=1, role="floor")


def spin(play: Play, seat: int, stop: int) -> None:
    play.do(c.SpinWheel, seat=seat, stop=stop)
    play.do(c.PaySpin, seat=seat)


@pytest.mark.parametrize("book", BOOKS)
def test_a_seat_that_is_settled_cannot_lose_any_more(book: str) -> None:
    play = settling(book)
    problem = play.refusal(c.ReportIrregularity, kind="player_leaves", seat=3, role="dealer")
    assert problem.code == "irregularity.where"


@pytest.mark.clause("DCP-33")
@pytest.mark.parametrize("case", ["community", "dealer"])
def test_hands_of_double_cross_that_were_compared_get_their_wagers_back_too(case: str) -> None:
    play = Double().to("settle", 1, 2)
    play.do(c.SettleSeat, seat=2)
    play.report("wrong_card_count", case=case)
    assert (play.chips(1), play.chips(2)) == (START, START)
    play.advance(until="shuffle")
    assert play.last(e.RoundClosed).outcome == "void"


@pytest.mark.parametrize("settled", [1, 2])
@pytest.mark.parametrize("book", BOOKS)
def test_a_credit_leaves_in_the_tray_the_stakes_that_a_void_round_would_return(book: str, settled: int) -> None:
    play = settling(book, settled)
    credit = next(option for option in allowed(play.table, "floor", "floor") if option.command == "record_credit")
    play.do(c.RecordCredit, cents=credit.ranges["cents"].max)
    if play.table.step == "settle":
        play.do(c.ReportIrregularity, kind="wrong_card_count", case="community", role="floor")
        assert [play.chips(seat) for seat in (1, 2, 3)] == [START] * 3
