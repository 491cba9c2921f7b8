"""The second settlement of set hands and banks: it agrees with the table, and notices every false event."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from crossfelt.cards.card import enc_hook
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.proof.history import HistoryWriter
from crossfelt.proof.resettle import Resettlement
from crossfelt.proof.signed_heads import CONSISTENT
from crossfelt.proof.verify import verify
from crossfelt.table.events import Event
from soak_length import scaled
from unit.table.manual_table import game_of
from unit.table.random_table import INVENTORY, LUCKY, Driver

Data = dict[str, Any]
RUNNER: Final = ScriptRunner()
VARIANTS: Final[dict[str, Data]] = {
    "default": {},
    "ez": {"settings": {"ez_variation": True}, "wagers": {"queens_dragon": {"offered": True}}},
    "number": {
        "settings": {
            "first_hand_by": "random_number",
            "commission_rounding": "up_to_25c",
            "wheel_second_highest": False,
            "surrender_refund_per_mille": 500,
        },
        "wagers": {"main": {"step_cents": 1}},
    },
    "automated_shoe": {
        "dealing": {"method": "automated_shoe", "shuffler": "counting"},
        "approvals": {"automated_shoe": "approved"},
        "payout_limit": {"amount_cents": 40_000_00},
    },
    "other_choices": {
        "settings": {
            "ez_variation": True,
            "stacks_delivered": "counter_clockwise",
            "surrender_keeps": ["queens_dragon"],
            "imperial_banker_hand": "bank",
        },
        "wagers": {"queens_dragon": {"offered": True}},
    },
    "lucky": LUCKY,
    "inventory": INVENTORY,
    "no_random_awards": {"wagers": {"progressive": {"paytable": "C"}}},
    "shares": {"settings": {"share_method": "by_credits", "share_method_dealer": "by_credits"}},
}


def plain(events: tuple[Event, ...]) -> list[Data]:
    """The events as a history holds them, free to be altered."""
    recorded: list[Data] = json.loads(json.dumps(msgspec.to_builtins(events, enc_hook=enc_hook)))
    return recorded


def complaints(events: list[Data], stated: Data | None = None) -> list[str]:
    again = Resettlement(game_of("nj-pai-gow", stated or {}).as_data())
    return [complaint for event in events for complaint in again.see(event)]


@pytest.mark.exhaustive
@pytest.mark.clause("PGP-7", "PGP-8", "PGP-9", "PGP-10", "PGP-11")
@pytest.mark.parametrize("physical", [False, True], ids=["virtual", "physical"])
@pytest.mark.parametrize("stated", VARIANTS.values(), ids=VARIANTS)
def test_any_play_is_settled_alike(stated: Data, physical: bool) -> None:
    kinds = set()
    for seed in range(3 if physical else 10):
        driver = Driver(game_of("nj-pai-gow", stated), seed, players=1 + seed % 6, trouble=0.02, physical=physical)
        driver.play(rounds=3)
        events = plain(driver.events)
        assert complaints(events, stated) == []
        kinds |= {event["event"] for event in events}
    assert physical or {"bank_settled", "house_wager_settled", "hand_surrendered", "hands_exposed"} <= kinds


@pytest.mark.soak
@pytest.mark.parametrize("stated", VARIANTS.values(), ids=VARIANTS)
def test_they_agree_in_the_long_run(stated: Data) -> None:
    for seed in range(1_000, 1_000 + scaled(2_000)):
        driver = Driver(game_of("nj-pai-gow", stated), seed, players=1 + seed % 6, trouble=0.05)
        driver.play(rounds=5)
        assert complaints(plain(driver.events), stated) == []


# --- what is wrong is noticed -----------------------------------------------------------------------------------------

CARDS: Final = {
    "seat1": "Ks Kd Qs Qd 7h 5c 2d",
    "seat2": "Jk As Ad 9c 8d 4h 3s",
    "seat4": "Th 9h 7c 6c 4d 3d 2c",
    "dealer": "Ah Qh Jc 9d 7s 5s 3c",
}
SEATS: Final = [
    {"seat": 1, "wagers": {"main": 1000, "imperial": 500}, "decisions": {"set": {"low": "Qs Qd"}}},
    {"seat": 2, "wagers": {"main": 2000, "seven_card": 500}, "decisions": {"set": "house-way"}},
    {"seat": 4, "wagers": {"main": 3000}, "decisions": {"surrender": True}},
]


def scripted(stated: Data | None = None, **fields: Any) -> list[Data]:
    script = {
        "rulebook": "nj-pai-gow",
        "cards": CARDS,
        "seats": SEATS,
        "chance": {"dice": [1, 2, 3]},
        "submission": stated or {},
        **fields,
    }
    return plain(RUNNER.play(script, where="round").events)


def place_of(events: list[Data], **wanted: Any) -> int:
    return next(n for n, event in enumerate(events) if all(event.get(name) == value for name, value in wanted.items()))


Change = Callable[[Data], object]
SETTLED: Final = {"event": "wager_settled"}
WRONG: Final[tuple[tuple[Data, Change, str], ...]] = (
    ({**SETTLED, "seat": 1, "wager": "main"}, lambda e: e.update(paid=1001), "main: paid is 1,001; it should be 1,000"),
    ({**SETTLED, "seat": 1, "wager": "main"}, lambda e: e.update(commission=0), "commission is 0; it should be 50"),
    ({**SETTLED, "seat": 1, "wager": "main"}, lambda e: e.update(result="push"), "main: result is push"),
    ({**SETTLED, "seat": 1, "wager": "imperial"}, lambda e: e.update(result="win"), "imperial: result is win"),
    ({**SETTLED, "seat": 2, "wager": "seven_card"}, lambda e: e.update(paid=2000), "seven_card: paid is 2,000"),
    ({**SETTLED, "seat": 2, "wager": "seven_card"}, lambda e: e.update(hand="four aces"), "seven_card: hand is four"),
    ({**SETTLED, "seat": 4, "wager": "main"}, lambda e: e.update(returned=1500), "main: returned is 1,500"),
    ({"event": "cards_dealt"}, lambda e: e["cards"][0].__setitem__(2, e["cards"][1][2]), "a card was dealt twice"),
    ({"event": "hand_set", "seat": 1}, lambda e: e.update(low=["As", "Ad"]), "As Ad is set in front, but is not in"),
    ({"event": "hand_set", "seat": 1}, lambda e: e.update(foul=True), "Qs Qd in front is called a foul"),
    ({"event": "hand_set", "seat": 1}, lambda e: e.update(low=["Ks", "Kd"]), "Ks Kd in front is not called a foul"),
    ({"event": "dealer_hands_set"}, lambda e: e.update(low=["Ah", "Qh"]), "the dealer's Ah Qh in front is a foul"),
    ({"event": "dealer_hands_set"}, lambda e: e["cards"].reverse(), "shows 3c, but Ah was dealt there"),
    ({"event": "hands_exposed", "seat": 1}, lambda e: e["cards"].reverse(), "shows 2d 5c 7h"),
    ({"event": "hands_exposed", "seat": 1}, lambda e: e.update(low=["Ks", "Kd"]), "but Qs Qd was set"),
    ({"event": "wagers_placed", "seat": 1}, lambda e: e["wagers"].pop("main"), "imperial 500 without main"),
    ({"event": "wagers_placed", "seat": 1}, lambda e: e["wagers"].update(queens_dragon=100), "is no stake that"),
    ({"event": "hand_surrendered"}, lambda e: e.update(seat=2), "a surrender, which seven_card bars"),
    ({"event": "round_closed"}, lambda e: e.update(outcome="void"), "the round is closed as void"),
)  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize(("where", "change", "what"), WRONG, ids=[f"{n}-{what}" for n, (*_, what) in enumerate(WRONG)])
def test_a_false_event_is_noticed(where: Data, change: Change, what: str) -> None:
    events = scripted()
    assert complaints(events) == []
    change(events[place_of(events, **where)])
    found = complaints(events)
    assert any(what in text for text in found), found


# Seat 2 banks, and its kings lose to seat 1 and win of seat 4 and the dealer.
BANK_SEATS: Final = [
    {"seat": 1, "wagers": {"main": 1000, "seven_card": 500}, "decisions": {"set": {"low": "As Ah"}}},
    {"seat": 2, "wagers": {"main": 2000}, "decisions": {"set": "house-way"}},
    {"seat": 4, "wagers": {"main": 501}, "decisions": {"set": "house-way"}},
]
BANK_CARDS: Final = {
    "seat1": "As Ah Ad Jk 8c 6d 4h",
    "seat2": "Ks Kd Qs Qd 7h 5c 2d",
    "seat4": "Td Tc Ts Th 6c 4d 2h",
    "dealer": "Qh Jc 9h 9d 7s 5s 3c",
}
IN_CENTS: Final[Data] = {"wagers": {"main": {"step_cents": 1, "min_cents": 500}}}


def banked(*, co_bank: bool) -> list[Data]:
    return scripted(IN_CENTS, cards=BANK_CARDS, seats=BANK_SEATS, bank=2, co_bank=co_bank)


BANK_WRONG: Final[tuple[tuple[bool, Data, Change, str], ...]] = (
    (False, {"event": "bank_taken"}, lambda e: e.update(seat=1), "banks, but did not wager against the house"),
    (False, {"event": "bank_taken"}, lambda e: e.update(house_wager=9000), "the dealer stakes 9,000 cents against"),
    (True, {"event": "bank_taken"}, lambda e: e.update(house_wager=1), "the dealer stakes 1 cents against the bank"),
    (False, {"event": "bank_covered"}, lambda e: e.update(cents=1), "the escrow of seat 2 holds bank 1,"),
    (
        True,
        {"event": "bank_covered"},
        lambda e: e.update(house_cents=751),
        "it should be bank 751, dealer 0, house 750",
    ),
    (False, {"event": "house_wager_settled"}, lambda e: e.update(result="push"), "the dealer's wager: result is push"),
    (False, {"event": "bank_settled"}, lambda e: e.update(paid=5000), "bank: paid is 5,000"),
    (False, {"event": "bank_settled"}, lambda e: e.update(commission=0), "bank: commission is 0"),
    (True, {"event": "bank_settled"}, lambda e: e.update(house_cents=0), "the house gets 0 cents of the bank"),
    (
        False,
        {"event": "wager_settled", "seat": 1, "wager": "main"},
        lambda e: e.pop("bank"),
        "main: bank is 0; it should be 2",
    ),
    (False, {"event": "award_paid"}, lambda e: e.update(cents=501), "501 cents are paid for four tens, which nobody"),
    (False, {"event": "award_paid"}, lambda e: e.update(event="nothing"), "was not paid 500 cents for four tens"),
    (False, {"event": "bank_settled"}, lambda e: e.update(event="nothing"), "chips of the bank are still in escrow"),
)


@pytest.mark.clause("PGP-13")
@pytest.mark.parametrize(
    ("co_bank", "where", "change", "what"), BANK_WRONG, ids=[f"{n}-{what}" for n, (*_, what) in enumerate(BANK_WRONG)]
)
def test_a_false_bank_is_noticed(co_bank: bool, where: Data, change: Change, what: str) -> None:
    events = banked(co_bank=co_bank)
    assert complaints(events, IN_CENTS) == []
    change(events[place_of(events, **where)])
    found = complaints(events, IN_CENTS)
    assert any(what in text for text in found), found


@pytest.mark.parametrize("co_bank", [False, True])
def test_a_surrender_before_a_void_is_undone_or_divided_as_any_gain_of_the_bank(co_bank: bool) -> None:
    wrong = [{"kind": "wrong_card_count", "step": "compare", "place": "dealer"}]
    seats = [*BANK_SEATS[:-1], {**BANK_SEATS[-1], "decisions": {"surrender": True}}]
    script: Data = {"cards": BANK_CARDS, "seats": seats, "bank": 2, "co_bank": co_bank, "irregularities": wrong}
    events = scripted(IN_CENTS, **script)
    assert complaints(events, IN_CENTS) == []
    released = events[place_of(events, event="bank_released")]
    assert (released["cents"], released.get("house_cents", 0)) == (released["stake"], released.get("house_stake", 0))
    events.remove(events[place_of(events, event="settlement_reversed")])
    assert any("is not undone" in text for text in complaints(events, IN_CENTS))
    keeps: Data = {**IN_CENTS, "settings": {"void_keeps_settled": True}}
    events = scripted(keeps, **script)
    assert complaints(events, keeps) == []
    released = events[place_of(events, event="bank_released")]
    gain = released["cents"] + released.get("house_cents", 0) - released["stake"] - released.get("house_stake", 0)
    assert gain > 0
    assert (released.get("house_cents", 0) > released.get("house_stake", 0)) == co_bank
    released["cents"] += 1
    assert any("the escrow gives back" in text for text in complaints(events, keeps))


@pytest.mark.parametrize(("co_bank", "result"), [(False, "win"), (True, "push")])
def test_a_single_cent_that_a_co_bank_wins_is_the_house_s(co_bank: bool, result: str) -> None:
    """The dealer stakes nothing against a co-bank, and must push against the other: only the surrender is won."""
    seats = [
        {"seat": 1, "wagers": {"main": 1000}, "decisions": {"surrender": True}},
        {"seat": 2, "wagers": {}, "decisions": {"set": "house-way"}},
    ]
    cards = {"seat2": "Ks Kd 9s 7d 6h 4c 2s", "dealer": "Ah Qh Jc 9d 7s 5s 3c"}
    stated: Data = {"settings": {"surrender_refund_per_mille": 999}}
    events = scripted(stated, seats=seats, cards=cards, bank=2, co_bank=co_bank)
    assert complaints(events, stated) == []
    assert events[place_of(events, event="bank_settled")]["result"] == result


def test_who_banks_places_no_wager() -> None:
    events = banked(co_bank=False)
    place = place_of(events, event="bank_taken") + 1
    events.insert(place, {"event": "wagers_placed", "seat": 2, "wagers": {"main": 1000}})
    assert "seat 2: main 1,000 by the seat that banks" in complaints(events, IN_CENTS)


@pytest.mark.clause("PGP-10")
def test_the_main_wager_is_paid_first() -> None:
    events = scripted()
    paid, bonus = (place_of(events, **SETTLED, seat=2, wager=wager) for wager in ("main", "seven_card"))
    events[paid], events[bonus] = events[bonus], events[paid]
    assert complaints(events) == ["seat 2: main is settled after seven_card: not in the order of the step"]


def test_a_payment_left_out_or_made_twice_is_noticed() -> None:
    events = scripted()
    settled = [place for place, event in enumerate(events) if event["event"] == "wager_settled"]
    assert len(settled) == 5
    for place in settled:
        assert complaints(events[:place] + events[place + 1 :])
        assert complaints(events[: place + 1] + events[place:])


def test_the_limit_of_the_imperial_bonus_is_worked_out_again() -> None:
    cards = {"seat1": "As Ah Ad Ac Jk Ks Kd", "dealer": "9c 8c 7h 5h 4s 3d 2h"}
    seats = [{"seat": 1, "wagers": {"main": 1000, "imperial": 100_00}, "decisions": {"set": "house-way"}}]
    limited = {"payout_limit": {"amount_cents": 40_000_00}}
    events = scripted(limited, cards=cards, seats=seats)
    assert events[place_of(events, **SETTLED, wager="imperial")]["limited"] == 70_000_00
    assert complaints(events, limited) == []
    assert complaints(events) == [
        "seat 1: imperial: paid is 4,000,000; it should be 11,000,000",
        "seat 1: imperial: limited is 7,000,000; it should be 0",
    ]


def test_a_settlement_after_a_void_and_a_forfeit_are_noticed() -> None:
    events = scripted()
    place = place_of(events, **SETTLED)
    voided = [*events[:place], {"event": "round_voided", "kind": "shoe_jam", "then": []}, *events[place:]]
    assert any("does not lie on the layout" in text for text in complaints(voided))
    forfeited = {"event": "wagers_forfeited", "seat": 1, "wagers": {"main": 1000}, "why": "abandoned"}
    assert "seat 1: wagers are forfeited, for which the rulebook gives no ground" in complaints([forfeited])


def rows(stated: Data, seed: int) -> Iterator[tuple[Any, Any]]:
    driver = Driver(game_of("nj-pai-gow", stated), seed, trouble=0.03)
    driver.play(rounds=5)
    yield from ((row.command, row.events) for row in driver.lived)


@pytest.mark.exhaustive
@pytest.mark.parametrize("stated", VARIANTS.values(), ids=VARIANTS)
def test_verify_settles_a_history_again(stated: Data, tmp_path: Path) -> None:
    path = tmp_path / "pai_gow.jsonl"
    with path.open("wb") as file, HistoryWriter(file, "table 1", game_of("nj-pai-gow", stated)) as history:
        for command, events in rows(stated, seed=11):
            history.append(command, events)
    report = verify(path)
    assert (report.verdict, report.fault, report.rounds, report.resettled_rounds) == (CONSISTENT, None, 5, 5)
