"""The result of a round, from its events."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from crossfelt.money.ledger import CAGE, TRAY, Unbalanced, chips_of
from crossfelt.play.round_result import RoundResult, SeatResult, WagerResult, check_ledger, check_sums, result_of
from crossfelt.rulebooks.game import compile_game
from crossfelt.table import events as e

GAME = compile_game("md-criss-cross")


def locked(*seats: int) -> e.Event:
    return e.BetsLocked(by="dealer", at=0, announcement="no more bets", seats=seats)


def closed(outcome: Any = "settled") -> e.Event:
    return e.RoundClosed(by="dealer", at=0, round=1, outcome=outcome)


def settled(seat: int, wager: str, stake: int, **fields: Any) -> e.Event:
    return e.WagerSettled(by="dealer", at=0, seat=seat, wager=wager, stake=stake, **fields)


def found(*events: e.Event) -> dict[str, Any]:
    """The result as it is printed."""
    data: dict[str, Any] = json.loads(msgspec.json.encode(result_of(GAME, events)))
    return data


def test_a_win_returns_the_stake_and_pays_from_the_tray() -> None:
    won = settled(1, "across", 3000, result="win", returned=3000, paid=9000, hand="three kings", clauses=("MDC-38",))
    assert found(locked(1), won, closed()) == {
        "rulebook": "md-criss-cross",
        "outcome": "settled",
        "seats": {
            "1": {
                "net": 9000,
                "wagers": {
                    "across": {
                        "stake": 3000,
                        "result": "win",
                        "returned": 3000,
                        "paid": 9000,
                        "hand": "three kings",
                        "clauses": ["MDC-38"],
                    }
                },
            }
        },
        "house_net": -9000,
        "meters": {},
    }


def test_a_payout_limit_is_named_only_where_it_cuts() -> None:
    cut = settled(1, "across", 100, result="win", returned=100, paid=40, limited=60)
    entry = found(locked(1), cut, closed())["seats"]["1"]["wagers"]["across"]
    assert entry == {"stake": 100, "result": "win", "returned": 100, "paid": 40, "limited": 60}


def test_commission_stands_apart_from_what_is_paid_and_goes_to_the_house() -> None:
    won = settled(1, "across", 1000, result="win", returned=1000, paid=1000, commission=50)
    result = found(locked(1), won, closed())
    entry = {"stake": 1000, "result": "win", "returned": 1000, "paid": 1000, "commission": 50}
    assert result["seats"]["1"] == {"net": 950, "wagers": {"across": entry}}
    assert result["house_net"] == -950


def test_a_folded_wager_is_forfeit_and_cites_the_fold() -> None:
    fold = e.HandFolded(
        by="player 1",
        at=0,
        seat=1,
        wager="down",
        forfeits=("ante_down", "across"),
        clauses=("MDC-32",),
        readings=("AMB-7",),
    )
    collected = e.FoldCollected(by="dealer", at=0, seat=1, wagers={"ante_down": 500, "across": 700}, clauses=("X-1",))
    result = found(locked(1), fold, collected, closed())
    forfeit = {"result": "forfeit", "returned": 0, "paid": 0, "clauses": ["MDC-32"], "readings": ["AMB-7"]}
    assert result["seats"]["1"] == {
        "net": -1200,
        "wagers": {"across": {"stake": 700, **forfeit}, "ante_down": {"stake": 500, **forfeit}},
    }
    assert result["house_net"] == 1200


def test_a_breach_forfeits_and_cites_the_finding() -> None:
    lost = e.WagersForfeited(by="floor", at=0, seat=2, wagers={"middle": 900}, why="breach", clauses=("MDC-30",))
    entry = found(locked(1, 2), lost, closed())["seats"]["2"]["wagers"]["middle"]
    assert entry == {"stake": 900, "result": "forfeit", "returned": 0, "paid": 0, "clauses": ["MDC-30"]}


def test_a_void_round_returns_everything_also_what_folds_had_forfeited() -> None:
    fold = e.HandFolded(by="player 1", at=0, seat=1, wager="across", forfeits=("ante_across",))
    collected = e.FoldCollected(by="dealer", at=0, seat=1, wagers={"ante_across": 500})
    back = e.WagersReturned(
        by="dealer",
        at=0,
        seat=1,
        wagers={"five_card_bonus": 100},
        forfeited={"ante_across": 500},
        clauses=("MDC-54",),
    )
    result = found(locked(1), fold, collected, back, closed("void"))
    returned = {"result": "returned", "paid": 0, "clauses": ["MDC-54"]}
    assert (result["outcome"], result["house_net"]) == ("void", 0)
    assert result["seats"]["1"] == {
        "net": 0,
        "wagers": {
            "ante_across": {"stake": 500, "returned": 500, **returned},
            "five_card_bonus": {"stake": 100, "returned": 100, **returned},
        },
    }


def test_wagers_stand_in_the_order_of_the_hands_with_bonuses_last() -> None:
    names = ["five_card_bonus", "middle", "down", "ante_down", "across", "ante_across"]
    lost = [settled(1, name, 100, result="lose") for name in names]
    wagers = list(found(locked(1), *lost, closed())["seats"]["1"]["wagers"])
    assert wagers == ["ante_across", "across", "ante_down", "down", "middle", "five_card_bonus"]


def test_a_round_that_has_not_closed_has_no_result() -> None:
    with pytest.raises(ValueError, match="has not closed"):
        result_of(GAME, [locked(1)])


def result(seat_net: int, house_net: int, **meters: int) -> RoundResult:
    entry = WagerResult(stake=100, result="lose", returned=0, paid=0)
    return RoundResult(
        rulebook="md-criss-cross",
        outcome="settled",
        seats={"1": SeatResult(net=seat_net, wagers={"across": entry})},
        house_net=house_net,
        meters=meters,
    )


def test_nets_and_meters_sum_to_zero_or_the_software_is_wrong() -> None:
    check_sums(result(-100, 90, bonus_spin=10))
    with pytest.raises(Unbalanced, match="sum to 10 cents"):
        check_sums(result(-100, 110))


def test_a_result_that_is_not_what_the_ledger_moved_is_an_error() -> None:
    before = {chips_of(1): 500, TRAY: 1000, CAGE: -1500}
    after = {chips_of(1): 400, TRAY: 1600, CAGE: -2000}
    check_ledger(result(-100, 100), before, after)
    with pytest.raises(Unbalanced, match="seat 1"):
        check_ledger(result(-90, 90), before, after)
    with pytest.raises(Unbalanced, match="house"):
        check_ledger(result(-100, 90, bonus_spin=10), before, after)
