"""The second settlement of Double Cross Poker: it agrees with the table, and notices every false event."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from crossfelt.cards.card import enc_hook
from crossfelt.proof.history import HistoryWriter
from crossfelt.proof.resettle import resettlement
from crossfelt.proof.signed_heads import CONSISTENT
from crossfelt.proof.verify import verify
from crossfelt.table import commands as c
from unit.table.manual_double_cross import METHODS, Double, dealt
from unit.table.manual_table import game_of
from unit.table.random_table import Driver

LIMITED: Final[dict[str, Any]] = {
    "payout_limit": {"amount_cents": 60_000_00},
    "settings": {"limit_covers_all_wagers": True},
    "pays": {"raise": {"two_pair": "2 to 1", "one_pair": "3 to 2"}, "three_card": {"flush": "5 to 1"}},
    "wagers": {"ante": {"min_cents": 1, "step_cents": 1}},
    "play": {"on_timeout": "floor_decides", "on_timeout_three_card": "decline"},
}
ROYAL: Final = dealt(vertical="Qs Js Ts", horizontal="2c Js 3d", dealer="4h 6h", seats={1: "As Ks"})


def recorded(play: Double) -> list[dict[str, Any]]:
    """Everything that happened, as plain data."""
    return [msgspec.to_builtins(event, enc_hook=enc_hook) for event in play.events]


def complaints(stated: dict[str, Any], events: list[dict[str, Any]]) -> Iterator[str]:
    again = resettlement(game_of("nj-double-cross", stated).as_data())
    assert again is not None
    for event in events:
        yield from again.see(event)


def first(events: list[dict[str, Any]], **wanted: Any) -> dict[str, Any]:
    return next(event for event in events if all(event.get(name) == value for name, value in wanted.items()))


@pytest.mark.exhaustive
@pytest.mark.clause("DCP-21", "DCP-25", "DCP-28", "DCP-29")
@pytest.mark.parametrize("physical", [False, True], ids=["virtual", "physical"])
@pytest.mark.parametrize("stated", [*METHODS.values(), LIMITED], ids=[*METHODS, "limited"])
def test_any_play_is_settled_alike(stated: dict[str, Any], physical: bool) -> None:
    rounds = 0
    for seed in range(6):
        driver = Driver(game_of("nj-double-cross", stated), seed, trouble=0.05, physical=physical)
        driver.play(rounds=3)
        again = resettlement(driver.table.game.as_data())
        assert again is not None
        for event in driver.events:
            assert list(again.see(msgspec.to_builtins(event, enc_hook=enc_hook))) == []
        rounds += again.rounds
    assert rounds == 18


@pytest.mark.clause("DCP-30")
@pytest.mark.parametrize("all_wagers", [False, True])
def test_the_limit_is_worked_out_again(all_wagers: bool) -> None:
    stated = {
        "payout_limit": {"amount_cents": 60_000_00},
        "settings": {"limit_covers_all_wagers": all_wagers},
    }
    play = Double(stated, cards=ROYAL).round(1, ante=500_00, three=100_00)
    events = recorded(play)
    assert first(events, wager="raise", event="wager_settled")["limited"] > 0
    assert list(complaints(stated, events)) == []
    other = {**stated, "settings": {"limit_covers_all_wagers": not all_wagers}}
    assert [text.partition(";")[0].rpartition(" is ")[0] for text in complaints(other, events)] == [
        "seat 1: raise: paid",
        "seat 1: raise: limited",
    ]


def _pay_more(event: dict[str, Any]) -> None:
    event["paid"] += 1


def _call_it_a_loss(event: dict[str, Any]) -> None:
    event["result"] = "lose"


WRONG: Final[tuple[tuple[dict[str, Any], Callable[[dict[str, Any]], None], str], ...]] = (
    ({"wager": "raise", "event": "wager_settled"}, _pay_more, "raise: paid is 600,001; it should be 600,000"),
    ({"wager": "ante", "event": "wager_settled"}, _call_it_a_loss, "ante: result is lose; it should be win"),
    (
        {"wager": "three_card", "event": "wager_settled", "seat": 1},
        _pay_more,
        "three_card: paid is 20,001; it should be 20,000",
    ),
    ({"event": "bet_placed"}, lambda e: e.update(cents=10_00), "raises of 1,000 cents on an ante of 1,000"),
    ({"event": "dealer_hand_made"}, lambda e: e.update(line="horizontal", hand="jack-high"), "the dealer takes"),
    ({"event": "hand_folded"}, lambda e: e.update(forfeits=["ante", "three_card"]), "the fold forfeits"),
    ({"event": "fold_collected"}, lambda e: e.update(wagers={"ante": 5_00}), "the fold cost ante 500"),
    ({"event": "choice_made", "seat": 1}, lambda e: e.update(cards=["2d", "2h"]), "exposes other cards"),
    ({"event": "choice_made", "wager": "raise"}, lambda e: e.update(choice="across"), "across is no choice"),
    ({"event": "cards_dealt"}, lambda e: e["cards"].reverse(), "not dealt in the order of the document"),
    ({"event": "round_closed"}, lambda e: e.update(outcome="void"), "the round is closed as void"),
    ({"event": "wagers_placed", "seat": 1}, lambda e: e["wagers"].update(three_card=101_00), "$1 to $100 is allowed"),
    ({"event": "wagers_placed", "seat": 1}, lambda e: e["wagers"].pop("ante"), "without an ante"),
    ({"event": "hand_shown"}, lambda e: e.update(hands={"vertical": "jack-high"}), "the vertical hand is called"),
)


@pytest.mark.parametrize(("where", "change", "what"), WRONG, ids=[what for *_, what in WRONG])
def test_a_false_event_is_noticed(where: dict[str, Any], change: Callable[[dict[str, Any]], None], what: str) -> None:
    cards = dealt(vertical="Qs Js Ts", horizontal="2c Js 3d", dealer="4h 6h", seats={1: "As Ks", 2: "8h 9d"})
    play = Double(cards=cards).round(1, 2, three=5_00, choose={(2, "raise"): "fold"})
    events = json.loads(json.dumps(recorded(play)))
    assert list(complaints({}, events)) == []
    change(first(events, **where))
    found = list(complaints({}, events))
    assert any(what in text for text in found), found


def test_a_void_round_must_give_back_what_a_fold_cost() -> None:
    play = Double().to("decide_play", 1, 2)
    play.do(c.Fold, seat=1)
    play.report("wrong_card_count", case="dealer")
    play.advance(until="shuffle")
    events = recorded(play)
    assert list(complaints({}, events)) == []
    first(events, event="wagers_returned", seat=1)["forfeited"] = {}
    assert any("is given back after a fold" in text for text in complaints({}, events))


def test_a_settlement_after_a_void_is_noticed() -> None:
    play = Double(cards=ROYAL).round(1)
    events = recorded(play)
    place = events.index(first(events, event="wager_settled"))
    events.insert(place, {"event": "round_voided", "kind": "shoe_jam", "then": []})
    assert any("does not lie on the layout" in text for text in complaints({}, events))


def test_a_limit_below_the_least_is_noticed() -> None:
    game = game_of("nj-double-cross", {"payout_limit": {"amount_cents": 60_000_00}}).as_data()
    game["submission"]["payout_limit"] = {"amount_cents": 1_000_00}
    again = resettlement(game)
    assert again is not None
    assert list(again.see({"event": "round_opened", "round": 1, "deck": "A"})) == [
        "the payout limit is 100,000 cents; it must be at least 6,000,000"
    ]


def test_verify_settles_a_history_again(tmp_path: Path) -> None:
    driver = Driver(game_of("nj-double-cross"), 11, trouble=0.03)
    driver.play(rounds=6)
    path = tmp_path / "double.jsonl"
    with path.open("wb") as file, HistoryWriter(file, "table 1", driver.table.game) as history:
        for row in driver.lived:
            history.append(row.command, row.events)
    report = verify(path)
    assert (report.verdict, report.fault, report.rounds, report.resettled_rounds) == (CONSISTENT, None, 6, 6)
