"""The oracle of Pai Gow Poker agrees with hand-computed results, and its random rounds reach every case."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from oracles import pai_gow, pai_gow_credits, seven_card
from oracles.pai_gow_rounds import random_round

KINGS_AND_QUEENS = "Ks Kd Qs Qd 7h 5c 2d"
ACE_HIGH = "Ah Qh Jc 9d 7s 5s 3c"
QUEEN_HIGH = "Qh Jc 9d 8c 6s 4h 3c"
NINE_HIGH = "9c 8c 7h 5h 4s 3d 2h"


def settled(
    seven: str = KINGS_AND_QUEENS,
    dealer: str = ACE_HIGH,
    decisions: dict[str, Any] | None = None,
    wagers: dict[str, int] | None = None,
    **options: Any,
) -> dict[str, Any]:
    seat = {"seat": 1, "wagers": {"main": 1000, **(wagers or {})}, "decisions": decisions or {"set": "house-way"}}
    given = {"rulebook": "nj-pai-gow", "options": options, "cards": {"seat1": seven, "dealer": dealer}, "seats": [seat]}
    wagers_settled: dict[str, Any] = pai_gow.settle(given)["seats"]["1"]["wagers"]
    return wagers_settled


def low(cards: str) -> dict[str, Any]:
    return {"set": {"low": cards}}


@pytest.mark.parametrize(
    ("seven", "dealer", "decisions", "result", "hand"),
    [
        (KINGS_AND_QUEENS, ACE_HIGH, low("Qs Qd"), "win", "pair of kings; pair of queens"),
        (KINGS_AND_QUEENS, ACE_HIGH, low("7h 5c"), "push", "kings and queens; seven-five"),
        (KINGS_AND_QUEENS, ACE_HIGH, low("Ks Kd"), "lose", "foul: pair of queens; pair of kings"),
        ("Ks Kd 8s 7d 5h 4c 2s", "Kh Kc 8h 7c 5s 4d 2c", low("8s 7d"), "lose", "pair of kings; eight-seven"),
        ("Ac 2d 3h Jk 5s 9c 8h", "Ah Qh Jc 9d 7s 5c 3c", low("9c 8h"), "push", "ace-to-five straight; nine-eight"),
        ("As Ah Ad Ac Jk Kd Kh", QUEEN_HIGH, low("Kd Kh"), "win", "five aces; pair of kings"),
    ],
)
def test_hands_against_the_dealers(seven: str, dealer: str, decisions: dict[str, Any], result: str, hand: str) -> None:
    entry = settled(seven, dealer, decisions)["main"]
    assert (entry["result"], entry["hand"], entry["returned"]) == (result, hand, 0 if result == "lose" else 1000)
    assert entry.get("commission", 0) == (50 if result == "win" else 0)


def test_the_same_top_cards_in_front_are_no_foul() -> None:
    seven = "As Kd Ah Kc 9s 7s 2h"
    assert settled(seven, QUEEN_HIGH, low("As Kd"))["main"]["hand"] == "ace-high; ace-king"
    assert settled(seven, QUEEN_HIGH, low("As Ah"))["main"]["hand"] == "foul: pair of kings; pair of aces"


@pytest.mark.parametrize(
    ("seven", "imperial", "seven_card_paid"),
    [
        ("8s 9s Ts Js Qs Ks As", 200, 8000),
        ("As Ks Qs Js Ts Kd Qd", 200, 2000),
        ("8s 9s Ts Js Jk Ks As", 200, 1000),
        ("As Ah Ad Ac Jk 7d 2h", 1000, 400),
        ("As Ks Qs Jk Ts 7d 2h", 200, 150),
        ("4s 5s 6s 7s 8s Kd 2h", 50, 50),
        ("4s 4h 4d 4c 8s Kd 2h", 25, 25),
        ("4s 4h 4d 8c 8s Kd 2h", 5, 5),
        ("4s 7s 9s Js Ks Kd 2h", 4, 4),
        ("4s 5h 6s 7d 8s Kd 2h", 2, 2),
        ("4s 4h 4d 7c 8s Kd 2h", 2, 3),
    ],
)
def test_each_line_of_the_bonus_wagers(seven: str, imperial: int, seven_card_paid: int) -> None:
    entry = pai_gow.imperial(100, seven.split(), ACE_HIGH.split(), pai_gow.Rules({}))
    assert (entry["result"], entry["paid"]) == ("win", 100 * imperial)
    bonus = pai_gow.seven_card_bonus(100, seven.split())
    assert (bonus["result"], bonus["paid"]) == ("win", 100 * seven_card_paid)


def test_the_imperial_bonus_adds_its_two_parts_and_is_cut_at_the_limit() -> None:
    entry = settled("As Ah Ad Ac Jk Ks Kd", NINE_HIGH, wagers={"imperial": 10_000})["imperial"]
    assert (entry["paid"], entry["hand"]) == (10_000 * 1100, "five aces; nine-high")
    cut = settled("As Ah Ad Ac Jk Ks Kd", NINE_HIGH, wagers={"imperial": 10_000}, payout_limit=4_000_000)["imperial"]
    assert (cut["paid"], cut["limited"]) == (4_000_000, 7_000_000)


def test_ez_pushes_on_queen_high_but_not_for_a_foul() -> None:
    entries = settled(dealer=QUEEN_HIGH, wagers={"queens_dragon": 100}, ez=True)
    assert (entries["main"]["result"], entries["queens_dragon"]["paid"]) == ("push", 5000)
    assert settled(dealer=QUEEN_HIGH, decisions=low("Ks Kd"), ez=True)["main"]["result"] == "lose"
    assert "commission" not in settled(ez=True)["main"]


def test_a_surrender_leaves_the_imperial_bonus() -> None:
    entries = settled("Ks Kd Kc 9s 7h 5c 2d", decisions={"surrender": True}, wagers={"imperial": 100})
    assert entries["main"] == {"stake": 1000, "result": "forfeit", "returned": 0, "paid": 0}
    assert entries["imperial"]["paid"] == 200
    assert settled(decisions={"surrender": True}, refund_per_mille=500)["main"]["returned"] == 500


def banked(co_bank: bool, decisions: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """Seat 2 banks with kings and queens; seat 1 wins of it with aces in both hands, seat 3 and the dealer lose."""
    cards = {
        "seat1": "As Ah Ad Jk 8c 6d 4h",
        "seat2": KINGS_AND_QUEENS,
        "seat3": "Kc Jd 9h 8s 6c 4d 2h",
        "dealer": "Qh Jc Th 9d 7s 5s 3c",
    }
    mains = {1: (1000, low("As Ah")), 2: (2000, decisions or {"set": "house-way"}), 3: (501, {"set": "house-way"})}
    seats = [{"seat": seat, "wagers": {"main": cents}, "decisions": how} for seat, (cents, how) in mains.items()]
    given = {"rulebook": "nj-pai-gow", "options": options, "cards": cards, "seats": seats, "bank": 2}
    return pai_gow.settle({**given, "co_bank": co_bank})


def test_a_bank_wins_and_loses_for_itself() -> None:
    result = banked(co_bank=False)
    assert result["seats"]["1"]["net"] == 950
    assert result["seats"]["3"]["net"] == -501
    # The dealer stakes $20 and loses: 2000 + 501 - 1000 is won, and pays the commission.
    assert result["seats"]["2"]["wagers"]["bank"] == {
        "stake": 3501,
        "result": "win",
        "returned": 3501,
        "paid": 1501,
        "hand": "pair of kings; pair of queens",
        "commission": 75,
    }
    assert result["house_net"] == -2000 + 50 + 75


def test_a_co_bank_is_half_the_houses() -> None:
    result = banked(co_bank=True)
    # 501 - 1000: the odd cent of the loss is the banker's.
    bank = result["seats"]["2"]["wagers"]["bank"]
    assert (bank["stake"], bank["result"], bank["returned"], bank["paid"]) == (751, "lose", 751 - 250, 0)
    assert result["house_net"] == 50 - 249
    with pytest.raises(ValueError, match="set the house way"):
        banked(co_bank=True, decisions=low("7h 5c"))


def test_a_bank_that_fouls_loses_to_all_who_do_not() -> None:
    result = banked(co_bank=False, decisions=low("Ks Kd"), ez=True)
    assert result["seats"]["2"]["wagers"]["bank"]["returned"] == 0
    assert [result["seats"][seat]["net"] for seat in ("1", "2", "3")] == [1000, -3501, 501]


def test_envy_is_for_every_other_players_hand() -> None:
    cards = {
        "seat1": "8s 8h 8d 8c Kd 5h 2h",
        "seat2": "4s 5s 6s 7s Jk 9c 2d",
        "seat3": "Kc Jd 9h 7d 6c 4d 3h",
        "seat4": "Ks Js Th 6h 7h 5d 3s",
        "dealer": "Ad Ac As Ah Qc Tc 9d",
    }
    bets = {1: 500, 2: 0, 3: 500, 4: 499}
    seats: list[dict[str, Any]] = [
        {
            "seat": seat,
            "wagers": {"main": 1000} | ({"seven_card": bet} if bet else {}),
            "decisions": {"set": "house-way"},
        }
        for seat, bet in bets.items()
    ]
    given = {"rulebook": "nj-pai-gow", "cards": cards, "seats": seats}
    envies = {
        seat: told["wagers"].get("seven_card_envy", {}).get("paid", 0)
        for seat, told in pai_gow.settle(given)["seats"].items()
    }
    assert envies == {"1": 2000, "2": 0, "3": 2500, "4": 0}
    # A surrendered hand stays hidden unless another wager depends on it.
    seats[1]["decisions"] = {"surrender": True}
    assert pai_gow.settle(given)["seats"]["3"]["wagers"]["seven_card_envy"]["hand"] == "four eights"
    seats[1]["wagers"]["imperial"] = 100
    seen = pai_gow.settle(given)["seats"]["3"]["wagers"]["seven_card_envy"]
    assert (seen["paid"], seen["hand"]) == (2500, "eight-high straight flush; four eights")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"wagers": {"seven_card": 100}, "decisions": {"surrender": True}}, "bars a surrender"),
        ({"wagers": {"queens_dragon": 100}}, "belongs to EZ"),
        ({"wagers": {"ante": 100}}, "wagers are main"),
        ({"decisions": low("As Kd")}, "not how a hand is set"),
        ({"decisions": {}, "dealer": KINGS_AND_QUEENS}, "not distinct cards"),
        ({"payout_limit": 1}, "no limit below"),
        ({"dealer": "Ah"}, "seven cards must be named"),
    ],
)
def test_bad_input_is_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        settled(**change)


def test_random_rounds_conserve_money_and_reach_every_line() -> None:
    rng = Random(5)
    seen: Counter[str] = Counter()
    for _ in range(1200):
        given = random_round(rng)
        result = pai_gow.settle(given)
        moved = result["house_net"] + sum(result["meters"].values())
        assert sum(seat["net"] for seat in result["seats"].values()) + moved == 0
        for place in given["seats"]:
            entries = result["seats"][str(place["seat"])]["wagers"]
            seen.update(f"{wager} {entry['result']}" for wager, entry in entries.items())
            seen.update(["foul"] if entries.get("main", {}).get("hand", "").startswith("foul") else [])
            seen.update(["limited"] if "limited" in entries.get("imperial", {}) else [])
            for wager in pai_gow_credits.WAGERS:
                won = entries.get(wager, {})
                seen.update([f"{wager} {won['result']} from {won.get('source', 'tray')}"] if won else [])
            if "seven_card" in entries:
                seen[pai_gow.bonus_category(given["cards"][f"seat{place['seat']}"].split())] += 1
    wanted = {f"main {result}" for result in ("win", "push", "lose", "forfeit")} | {"foul", "limited"}
    wanted |= {f"{wager} {result}" for wager in sorted(pai_gow.SIDE_WAGERS) for result in ("win", "lose")}
    wanted |= {f"bank {result}" for result in ("win", "push", "lose")} | {"seven_card_envy win"}
    wanted |= {f"{wager} win from {source}" for wager in pai_gow_credits.WAGERS for source in ("meter", "tray")}
    wanted |= {"magic_card win", "lucky_player win", "lucky_dealer win", "progressive_player push from tray"}
    assert wanted | {*seven_card.BONUS_HIGH_TO_LOW, "nothing"} <= set(seen)
