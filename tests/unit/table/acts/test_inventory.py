"""The chips of a table: its opening and closing, fills and credits, and a tray that runs empty."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from crossfelt.money.ledger import CAGE, TRAY
from crossfelt.play.next_action import TRAY_CENTS, Autopilot, AutopilotState
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.automation import Dealer
from unit.table.manual_table import BOOKS, Play, dealt, in_each, names, of_kind, only

KINGS = dealt(across="Kd 4s", down="9c 9h", middle="Kc", seats={1: "Ks 2d", 2: "Ad 3h"})
"""Seat 1 wins on both lines; seat 2 has a pair of kings across and a pair of nines down."""


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_opens_with_an_inventory_and_closes_with_what_is_left(book: str) -> None:
    play = Play(book)
    assert play.refusal(c.OpenTable, inventory_cents=-1).code == "amount"
    assert play.refusal(c.OpenTable, inventory_cents=1, role="dealer").code == "role"
    opened = only(play.do(c.OpenTable, inventory_cents=5_000_00), e.TableOpened)
    assert (opened.by, opened.inventory_cents) == ("floor", 5_000_00)
    assert play.table.balances == {CAGE: -5_000_00, TRAY: 5_000_00}
    assert play.refusal(c.OpenTable, inventory_cents=1).code == "table.open"
    play.do(c.RecordFill, cents=1_000_00)
    play.do(c.RecordCredit, cents=2_500_00)
    closed = only(play.do(c.CloseTable), e.TableClosed)
    assert closed.inventory_cents == 3_500_00
    assert play.table.balances == {}
    assert play.table.phase == "closed"
    assert play.refusal(c.CloseTable).code == "table.closed"


@pytest.mark.parametrize("book", BOOKS)
def test_nothing_happens_at_a_closed_table(book: str) -> None:
    play = Play(book)
    assert play.refusal(c.TakeSeat, seat=1, chips_cents=100).code == "table.closed"
    assert play.refusal(c.RecordFill, cents=100).code == "table.closed"
    assert play.refusal(c.RecordCredit, cents=100).code == "table.closed"
    assert play.refusal(c.PrepareDeck, deck="A-1", act="receive", back="red").code == "table.closed"
    assert play.refusal(c.ReportIrregularity, kind="shuffler_jam", role="dealer").code == "table.closed"
    assert play.may("floor") == ["open_table"]
    assert play.may("dealer") == play.may("player", "Ann") == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_closes_when_the_round_is_over_and_every_player_has_left(book: str) -> None:
    play = Play(book).open_for_bets(1)
    assert play.refusal(c.CloseTable).code == "table.seated"
    play.bet(1)
    assert play.refusal(c.CloseTable).code == "table.in_round"
    for step in ("deal", "decide_down", "settle", "discard"):
        play.advance(until=step)
        assert play.refusal(c.CloseTable).code == "table.in_round"
    play.advance(until="shuffle")
    problem = play.refusal(c.CloseTable)
    assert (problem.code, problem.value) == ("table.seated", "1")
    play.do(c.LeaveSeat, seat=1)
    play.do(c.CloseTable)
    assert play.table.decks == {}
    play.open_for_bets(2)
    assert [event.act for event in play.all(e.DeckPrepared)].count("inspect") == 2


@pytest.mark.parametrize("book", BOOKS)
def test_chips_come_from_the_cage_and_go_back_to_it(book: str) -> None:
    play = Play(book).open(1, chips=100_00, tray=0)
    assert play.refusal(c.TakeSeat, seat=2, chips_cents=0).code == "amount"
    assert play.refusal(c.BuyChips, seat=1, cents=0).code == "amount"
    assert play.refusal(c.BuyChips, seat=1, cents=50_00, who="Ben").code == "seat.other"
    play.do(c.BuyChips, seat=1, cents=50_00)
    assert play.table.balances == {CAGE: -150_00, "chips:1": 150_00}
    assert only(play.do(c.LeaveSeat, seat=1), e.SeatLeft).chips_cents == 150_00
    assert play.table.balances == {}


@pytest.mark.parametrize("book", BOOKS)
def test_fills_and_credits_are_the_floors_and_move_no_more_than_there_is(book: str) -> None:
    play = Play(book).open_for_bets(1, tray=100_00)
    for kind in (c.RecordFill, c.RecordCredit):
        assert play.refusal(kind, cents=1, role="dealer").code == "role"
        assert play.refusal(kind, cents=0).code == "amount"
        assert play.refusal(kind, cents=-5).code == "amount"
    problem = play.refusal(c.RecordCredit, cents=100_01)
    assert (problem.code, problem.value, problem.allowed) == ("amount", 100_01, "1 to 10,000 cents")
    play.do(c.RecordCredit, cents=100_00)
    assert play.tray == 0
    assert "record_credit" not in play.may("floor")
    play.do(c.RecordFill, cents=30_00)
    assert (play.tray, play.table.balances[CAGE]) == (30_00, -100_000_00 - 30_00)


@pytest.mark.parametrize("book", BOOKS)
def test_an_empty_tray_halts_the_payment_until_a_fill(book: str) -> None:
    """Seat 2 loses nothing and wins 10 dollars on each wager of its across hand and on the middle bet."""
    play = Play(book, cards=KINGS).open_for_bets(1, 2, tray=15_00)
    play.bet(1, 2)
    play.advance(until="settle")
    halted = play.do(c.SettleSeat, seat=2)
    assert names(halted) == ["hand_shown", "wager_settled", "payment_halted"]
    stop = only(halted, e.PaymentHalted)
    assert (stop.seat, stop.wager, stop.short_cents) == (2, "across", 5_00)
    problem = play.refusal(c.SettleSeat, seat=2)
    assert (problem.code, problem.allowed) == ("settle.halted", "record a fill first")
    assert "settle_seat" not in play.may("dealer")
    play.do(c.RecordFill, cents=4_99)
    assert only(play.do(c.SettleSeat, seat=2), e.PaymentHalted).short_cents == 1
    play.do(c.RecordFill, cents=1_000_00)
    rest = play.do(c.SettleSeat, seat=2)
    assert [event.wager for event in of_kind(rest, e.WagerSettled)] == ["across", "ante_down", "down", "middle"]
    assert names(rest)[-1] == "seat_settled"
    play.advance(until="shuffle")
    assert [event.seat for event in play.all(e.HandShown)] == [2, 1]
    paid = dict.fromkeys((2, 1), 0)
    for event in play.all(e.WagerSettled):
        paid[event.seat] += event.paid
    assert paid == {2: 30_00, 1: 10_00 + 30_00 + 10_00 + 20_00 + 30_00}
    assert play.tray == 15_00 + 4_99 + 1_000_00 - sum(paid.values())


@pytest.mark.parametrize("short", [1, TRAY_CENTS + 1, 10**18])
def test_an_automated_floor_fills_once_for_a_payment(short: int) -> None:
    play = Play("md-criss-cross").open_for_bets(1)
    play.table = replace(play.table, short_cents=short)
    autopilot = Autopilot(at=lambda: 0, next_id=lambda: "1")
    fill, _ = autopilot.next_command(play.table, AutopilotState(), Dealer(play.source))
    assert isinstance(fill, c.RecordFill)
    assert fill.cents == max(TRAY_CENTS, short)
    play.do(c.RecordFill, cents=fill.cents)
    assert not play.table.halted
    assert play.refusal(c.RecordFill, cents=LARGEST_CENTS + 1).code == "amount"


@pytest.mark.parametrize("book", BOOKS)
def test_a_losing_stake_pays_the_next_winner(book: str) -> None:
    cards = dealt(across="Kd 4s", down="9c 9h", middle="2c", seats={1: "Ks Th", 6: "3d 5h"})
    play = Play(book, cards=cards).open_for_bets(1, 6, tray=0)
    play.bet(1, 6)
    play.advance(until="settle")
    play.do(c.SettleSeat, seat=6)
    assert play.tray == 20_00
    play.do(c.SettleSeat, seat=1)
    assert play.last(e.PaymentHalted).wager == "middle"


@in_each("NJC-60", "MAC-44", "MDC-54")
def test_what_a_void_round_would_give_back_does_not_leave_the_tray(book: str) -> None:
    play = Play(book).open_for_bets(1, 2, tray=50_00)
    play.bet(1, 2)
    play.advance(until="decide_down", choose={(1, "across"): "fold"})
    assert play.tray == 70_00
    problem = play.refusal(c.RecordCredit, cents=50_01)
    assert (problem.code, problem.allowed) == ("amount", "1 to 5,000 cents")
    play.do(c.RecordCredit, cents=50_00)
    play.do(c.ReportIrregularity, kind="wrong_card_count", case="player", seat=2, role="dealer")
    assert (play.chips(1), play.chips(2), play.tray) == (100_000_00, 100_000_00, 0)


@pytest.mark.parametrize("book", BOOKS)
def test_every_round_leaves_the_money_where_the_results_say(book: str) -> None:
    play = Play(book, cards=KINGS).open_for_bets(1, 2)
    play.bet(1, 2, bonus=5_00)
    play.advance(until="shuffle", choose={(1, "across"): 30_00})
    won = dict.fromkeys((1, 2), 0)
    for event in play.all(e.WagerSettled):
        won[event.seat] += event.paid + event.returned - event.stake
    assert {seat: play.chips(seat) - 100_000_00 for seat in (1, 2)} == won
    assert play.tray == 1_000_000_00 - sum(won.values())
    assert sum(play.table.balances.values()) == 0
