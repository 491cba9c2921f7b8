"""Match play coupons in New Jersey: worth the chips they lie beside, paid as they are, and never money themselves."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.play.round_result import check_ledger, result_of
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.views import Viewer, view
from unit.table.manual_double_cross import Double
from unit.table.manual_double_cross import dealt as double_dealt
from unit.table.manual_table import Play, clause, dealt, only

START = 100_000_00
ACROSS = {"win": ("Kd 4s", "Ks 2d"), "push": ("9d 4s", "9s 2d"), "lose": ("Kd 4s", "3s 2d")}
"""The cards across and the player's own: a pair of kings, a pair of nines, nothing."""


def criss(result: str, **opens: Any) -> Play:
    across, own = ACROSS[result]
    cards = dealt(across=across, down="5c 7h", middle="Qc", seats={1: own})
    play = Play("nj-criss-cross", cards=cards).open_for_bets(1, **opens)
    play.bet(1, instrument="match_play")
    return play.advance(until="settle")


@clause("NJC-27")
@pytest.mark.parametrize(("result", "won"), [("win", 10_00), ("push", 0), ("lose", 0)])
def test_a_coupon_wins_what_its_ante_wins_and_is_itself_no_money(result: str, won: int) -> None:
    play = criss(result)
    placed = only(play.events, e.WagersPlaced)
    assert (placed.instrument, placed.coupon_cents) == ("match_play", 10_00)
    assert play.chips(1) == START - 50_00, "the coupon is laid beside the chips, not taken from them"
    settled = only(play.do(c.SettleSeat, seat=1), e.CouponSettled)
    assert (settled.wager, settled.face_cents, settled.result, settled.paid) == ("ante_across", 10_00, result, won)
    assert (settled.clauses, bool(settled.house_rule)) == (("NJC-27",), True)
    ante = next(event for event in play.all(e.WagerSettled) if event.wager == "ante_across")
    assert (ante.result, ante.paid) == (result, won)
    assert play.seat(1).coupon_cents == 0


@clause("NJC-27")
def test_the_result_and_the_ledger_show_the_coupon() -> None:
    play = criss("win")
    before = {**play.table.balances, "chips:1": START, "risk:1": 0}
    play.advance(until="shuffle")
    result = result_of(play.game, play.events)
    assert result.seats["1"].wagers["match_play"].net == 10_00
    assert sum(wager.net for wager in result.seats["1"].wagers.values()) == result.seats["1"].net
    check_ledger(result, before, play.table.balances)


@clause("DCP-13")
def test_in_double_cross_it_lies_beside_the_ante() -> None:
    cards = double_dealt(vertical="Ah 4h 8c", horizontal="2c 4h 7d", seats={1: "As Ad"})
    play = Double(cards=cards).open_for_bets(1)
    play.bet(1, instrument="match_play")
    assert view(play.table, Viewer("player", "Ann")).seats[0].coupon_cents == 10_00
    play.advance(until="shuffle", choose={(1, "raise"): "vertical"})
    settled = play.last(e.CouponSettled)
    assert (settled.wager, settled.result, settled.paid) == ("ante", "win", 10_00)


@clause("NJC-27")
def test_a_fold_gives_up_the_coupon_and_a_void_round_settles_none() -> None:
    play = Play("nj-criss-cross").open_for_bets(1, 2)
    play.bet(1, 2, instrument="match_play")
    play.advance(until="decide_down", choose={(1, "across"): "fold"})
    assert (play.seat(1).coupon_cents, play.seat(2).coupon_cents) == (0, 10_00)
    play.do(c.ReportIrregularity, kind="wrong_card_count", case="community", role="dealer")
    assert [play.chips(seat) for seat in (1, 2)] == [START, START]
    assert not play.all(e.CouponSettled)


@clause("NJC-27")
def test_an_empty_tray_halts_before_the_coupon_is_paid() -> None:
    play = criss("win", tray=0)
    halted = only(play.do(c.SettleSeat, seat=1), e.PaymentHalted)
    assert halted.short_cents == 10_00
    play.do(c.RecordFill, cents=1_000_00)
    assert only(play.do(c.SettleSeat, seat=1), e.CouponSettled).paid == 10_00


@pytest.mark.parametrize("book", ["ma-criss-cross", "md-criss-cross"])
def test_elsewhere_no_coupon_is_taken(book: str) -> None:
    play = Play(book).open_for_bets(1)
    antes = {"ante_across": 10_00, "ante_down": 10_00}
    assert play.refusal(c.PlaceWagers, seat=1, wagers=antes, instrument="match_play").code == "instrument"
