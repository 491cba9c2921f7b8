"""The settlement oracles agree with results computed by hand from the regulations."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from oracles import criss_cross, double_cross, five_card

STATES = ["nj-criss-cross", "ma-criss-cross", "md-criss-cross"]
Wagers = dict[str, dict[str, Any]]

# The example of the design, "A scripted round", without its seed.
DESIGN_CARDS = {"across": "Kd 4s", "down": "9c 9h", "middle": "Kc", "seat1": "Ks 2d"}
DESIGN_ROUND = {
    "rulebook": "md-criss-cross",
    "cards": DESIGN_CARDS,
    "seats": [
        {
            "seat": 1,
            "wagers": {"ante": 1000, "five_card_bonus": 500},
            "decisions": {"across": 3000, "down": 1000, "middle": 1000},
        }
    ],
}

# stake, result, returned, paid, hand
DESIGN_WAGERS = {
    "ante_across": (1000, "win", 1000, 1000, "three kings"),
    "across": (3000, "win", 3000, 9000, "three kings"),
    "ante_down": (1000, "win", 1000, 1000, "kings and nines"),
    "down": (1000, "win", 1000, 2000, "kings and nines"),
    "middle": (1000, "win", 1000, 3000, "three kings"),
    "five_card_bonus": (500, "win", 500, 1500, "kings and nines"),
}


def test_the_round_of_the_design_gives_the_result_of_the_design() -> None:
    fields = ("stake", "result", "returned", "paid", "hand")
    wagers = {wager: dict(zip(fields, entry, strict=True)) for wager, entry in DESIGN_WAGERS.items()}
    assert criss_cross.settle(DESIGN_ROUND) == {
        "rulebook": "md-criss-cross",
        "outcome": "settled",
        "seats": {"1": {"net": 17500, "wagers": wagers}},
        "house_net": -17500,
        "meters": {},
    }


# Criss cross, one seat. Cards: the player's two, across, down, middle.


def cross_round(
    rulebook: str,
    cards: tuple[str, str, str, str],
    decisions: dict[str, Any],
    ante: int = 1000,
    bonus: int | None = None,
    **options: Any,
) -> Any:
    seat1, across, down, middle = cards
    wagers = {"ante": ante} if bonus is None else {"ante": ante, "five_card_bonus": bonus}
    return criss_cross.settle(
        {
            "rulebook": rulebook,
            "options": options,
            "cards": {"across": across, "down": down, "middle": middle, "seat1": seat1},
            "seats": [{"seat": 1, "wagers": wagers, "decisions": decisions}],
        }
    )


def cross_wagers(*args: Any, **options: Any) -> Wagers:
    wagers: Wagers = cross_round(*args, **options)["seats"]["1"]["wagers"]
    return wagers


def money(entry: dict[str, Any]) -> tuple[str, int, int]:
    return entry["result"], entry["returned"], entry["paid"]


ACROSS_LINES = [
    # hole, across, middle, result of the line, odds of the bet, name
    ("As Ks", "Qs Js", "Ts", "win", 500, "royal flush"),
    ("5s 6s", "7s 8s", "9s", "win", 100, "nine-high straight flush"),
    ("As 2s", "3s 4s", "5s", "win", 100, "five-high straight flush"),
    ("9s 9d", "9h 9c", "2s", "win", 40, "four nines"),
    ("9s 9d", "9h 2c", "2s", "win", 12, "nines full of twos"),
    ("As Js", "9s 4s", "2s", "win", 8, "ace-high flush"),
    ("As Kd", "Qs Jh", "Tc", "win", 5, "ace-high straight"),
    ("As 2d", "3s 4h", "5c", "win", 5, "five-high straight"),
    ("Qs Kd", "As 2h", "3c", "lose", 0, "ace-high"),
    ("9s 9d", "9h 4c", "2s", "win", 3, "three nines"),
    ("9s 9d", "4h 4c", "2s", "win", 2, "nines and fours"),
    ("3s 3d", "2h 2c", "7s", "win", 2, "threes and twos"),
    ("As Ad", "9h 4c", "2s", "win", 1, "pair of aces"),
    ("Js Jd", "9h 4c", "2s", "win", 1, "pair of jacks"),
    ("Ts Td", "9h 4c", "2s", "push", 0, "pair of tens"),
    ("6s 6d", "9h 4c", "2s", "push", 0, "pair of sixes"),
    ("5s 5d", "9h 4c", "2s", "lose", 0, "pair of fives"),
    ("2s 2d", "9h 4c", "7s", "lose", 0, "pair of twos"),
    ("Ks 8d", "9h 4c", "2s", "lose", 0, "king-high"),
]


@pytest.mark.parametrize("rulebook", STATES)
@pytest.mark.parametrize(("hole", "across", "middle", "result", "odds", "name"), ACROSS_LINES)
def test_each_line_of_the_bets(
    rulebook: str, hole: str, across: str, middle: str, result: str, odds: int, name: str
) -> None:
    other = "Th 6c" if "Ts" not in (hole + middle) and "6s" not in hole else "Kh 8c"
    bets = {"across": 2500, "down": 1700, "middle": 3000}
    wagers = cross_wagers(rulebook, (hole, across, other, middle), bets)
    ante = {"win": ("win", 1000, 1000), "push": ("push", 1000, 0), "lose": ("lose", 0, 0)}
    bet = {"win": ("win", 2500, 2500 * odds), "push": ("push", 2500, 0), "lose": ("lose", 0, 0)}
    assert money(wagers["ante_across"]) == ante[result]
    assert money(wagers["across"]) == bet[result]
    assert wagers["ante_across"]["hand"] == wagers["across"]["hand"] == name
    # The same cards on the other line settle the other line alike.
    turned = cross_wagers(rulebook, (hole, other, across, middle), {"across": 1700, "down": 2500, "middle": 3000})
    assert turned["ante_down"] == wagers["ante_across"]
    assert turned["down"] == wagers["across"]
    assert turned["ante_across"] == wagers["ante_down"]
    assert turned["across"] == wagers["down"]
    assert turned["middle"] == wagers["middle"]


def test_antes_at_the_table_is_only_marylands_reading() -> None:
    cards = ("9s 9d", "9h 4c", "4h 5c", "2s")
    bets = {"across": 1000, "down": 1000, "middle": 1000}
    wagers = cross_wagers("md-criss-cross", cards, bets, md_antes_at_table=True)
    # Three nines across; a pair of nines down, where the ante still pushes.
    assert money(wagers["ante_across"]) == ("win", 1000, 3000)
    assert money(wagers["ante_down"]) == ("push", 1000, 0)
    # The round of the design: three kings pay the ante across 3, kings and nines the ante down 2; no more changes.
    read = criss_cross.settle(DESIGN_ROUND)["seats"]["1"]["wagers"]
    literal = criss_cross.settle(DESIGN_ROUND | {"options": {"md_antes_at_table": True}})["seats"]["1"]["wagers"]
    read["ante_across"]["paid"] = 3000
    read["ante_down"]["paid"] = 2000
    assert literal == read
    with pytest.raises(ValueError, match="Maryland"):
        cross_round("nj-criss-cross", cards, bets, md_antes_at_table=True)


MIDDLE_CASES = [
    # hole, across, down, middle card; results of across and down; the middle's result and odds; name
    ("Ks 2d", "Kd 4s", "9c 9h", "Kc", "win", "win", "win", 3, "three kings"),
    ("Ks 2d", "9c 9h", "Kd 4s", "Kc", "win", "win", "win", 3, "three kings"),
    ("Js 9d", "Jd 2c", "9h 4c", "3s", "win", "push", "win", 1, "pair of jacks"),
    ("Js 9d", "9h 4c", "Jd 2c", "3s", "push", "win", "win", 1, "pair of jacks"),
    ("9s 2d", "9d 9c", "Kh 5s", "3c", "win", "lose", "win", 3, "three nines"),
    ("9s 2d", "Kh 5s", "9d 9c", "3c", "lose", "win", "win", 3, "three nines"),
    ("9s 9d", "2h 4s", "5h Kc", "3c", "push", "push", "push", 0, "pair of nines"),
    ("9s 6d", "6h 4s", "9h Kc", "3c", "push", "push", "push", 0, "pair of nines"),
    ("9s 2d", "9d Kc", "7h Qs", "3c", "push", "lose", "push", 0, "pair of nines"),
    ("9s 2d", "7h Qs", "9d Kc", "3c", "lose", "push", "push", 0, "pair of nines"),
    ("9s 2d", "Kd 5h", "7h Qs", "3c", "lose", "lose", "lose", 0, "king-high"),
    ("5s 5d", "Kd 8h", "7h Qs", "3c", "lose", "lose", "lose", 0, "pair of fives"),
]


@pytest.mark.parametrize("rulebook", STATES)
@pytest.mark.parametrize(
    ("hole", "across", "down", "card", "across_result", "down_result", "result", "odds", "name"), MIDDLE_CASES
)
def test_each_case_of_the_middle_bet(
    rulebook: str,
    hole: str,
    across: str,
    down: str,
    card: str,
    across_result: str,
    down_result: str,
    result: str,
    odds: int,
    name: str,
) -> None:
    wagers = cross_wagers(rulebook, (hole, across, down, card), {"across": 1000, "down": 1000, "middle": 3000})
    assert wagers["across"]["result"] == across_result
    assert wagers["down"]["result"] == down_result
    returned = 0 if result == "lose" else 3000
    assert money(wagers["middle"]) == (result, returned, 3000 * odds)
    assert wagers["middle"]["hand"] == name


@pytest.mark.parametrize("rulebook", STATES)
def test_the_middle_follows_the_higher_hand_and_not_the_higher_odds(rulebook: str) -> None:
    bets = {line: list(odds) for line, odds in criss_cross.NJ_TABLE_1.items()}
    bets["three_of_a_kind"] = [6, 1]
    cards = ("9s 8d", "7d 6c", "9h 9c", "Th")
    wagers = cross_wagers(rulebook, cards, {"across": 1000, "down": 1000, "middle": 1000}, odds={"bets": bets})
    assert wagers["across"]["paid"] == 5000
    assert wagers["down"]["paid"] == 6000
    assert wagers["middle"]["paid"] == 5000


BONUS_LINES = [
    ("As Ks", "Qs Js", "Ts", 250),
    ("5s 6s", "7s 8s", "9s", 100),
    ("As 2s", "3s 4s", "5s", 100),
    ("9s 9d", "9h 9c", "2s", 40),
    ("9s 9d", "9h 2c", "2s", 15),
    ("As Js", "9s 4s", "2s", 10),
    ("As Kd", "Qs Jh", "Tc", 6),
    ("9s 9d", "9h 4c", "2s", 4),
    ("9s 9d", "4h 4c", "2s", 3),
    ("As Ad", "9h 4c", "2s", 1),
    ("6s 6d", "9h 4c", "2s", 1),
    ("5s 5d", "9h 4c", "2s", None),
    ("Ks 8d", "9h 4c", "2s", None),
]


@pytest.mark.parametrize("rulebook", STATES)
@pytest.mark.parametrize(
    ("folds_at", "forfeits", "decisions"),
    [
        ("across", ["ante_across", "ante_down"], {"across": "fold"}),
        ("down", ["ante_across", "across", "ante_down"], {"across": 2000, "down": "fold"}),
        (
            "middle",
            ["ante_across", "across", "ante_down", "down"],
            {"across": 2000, "down": 3000, "middle": "fold"},
        ),
    ],
)
@pytest.mark.parametrize(("across", "down", "middle", "odds"), BONUS_LINES)
def test_a_fold_forfeits_all_but_the_five_card_bonus(
    rulebook: str,
    folds_at: str,
    forfeits: list[str],
    decisions: dict[str, Any],
    across: str,
    down: str,
    middle: str,
    odds: int | None,
) -> None:
    result = cross_round(rulebook, ("3d 7c", across, down, middle), decisions, bonus=700)
    wagers = result["seats"]["1"]["wagers"]
    stakes = {"ante_across": 1000, "across": 2000, "ante_down": 1000, "down": 3000}
    assert list(wagers) == [*forfeits, "five_card_bonus"]
    for wager in forfeits:
        assert wagers[wager] == {"stake": stakes[wager], "result": "forfeit", "returned": 0, "paid": 0}
    lost = {"across": 2000, "down": 4000, "middle": 7000}[folds_at]
    if odds is None:
        assert money(wagers["five_card_bonus"]) == ("lose", 0, 0)
        assert result["house_net"] == lost + 700
    else:
        assert money(wagers["five_card_bonus"]) == ("win", 700, 700 * odds)
        assert result["house_net"] == lost - 700 * odds


# The most there is to win (AMB-6): a royal flush across, a straight flush down; the community is a flush.
MOST = ("Ts Js", "As Ks", "9s 8s", "Qs")
ONES = {"across": 5000, "down": 5000, "middle": 5000}


def paid_and_cut(wagers: Wagers) -> dict[str, tuple[int, int]]:
    return {wager: (entry["paid"], entry.get("limited", 0)) for wager, entry in wagers.items()}


def test_new_jersey_cuts_the_bonus_and_then_the_middle_bet() -> None:
    for options in ({}, {"payout_limit": None}, {"payout_limit": 5_000_000}):
        wagers = cross_wagers("nj-criss-cross", MOST, ONES, ante=5000, bonus=1000, **options)
        assert paid_and_cut(wagers) == {
            "ante_across": (5_000, 0),
            "across": (2_500_000, 0),
            "ante_down": (5_000, 0),
            "down": (500_000, 0),
            "middle": (1_990_000, 510_000),
            "five_card_bonus": (0, 10_000),
        }
        assert all(entry["result"] == "win" for entry in wagers.values())
        assert wagers["five_card_bonus"]["returned"] == 1000


def test_new_jerseys_limit_is_1102_antes_where_that_is_more() -> None:
    wagers = cross_wagers("nj-criss-cross", MOST, ONES, ante=5000, bonus=1000, minimum_ante=5000)
    assert paid_and_cut(wagers)["middle"] == (2_500_000, 0)
    assert paid_and_cut(wagers)["five_card_bonus"] == (0, 10_000)
    without = cross_round("nj-criss-cross", MOST, ONES, ante=5000, minimum_ante=5000)
    assert without["seats"]["1"]["net"] == 1_102 * 5000 == -without["house_net"]
    assert all("limited" not in entry for entry in without["seats"]["1"]["wagers"].values())
    # $45.37 is the last ante below $50,000.
    assert criss_cross.figure_of(4_537, criss_cross.NJ_TABLE_1, False) == 5_000_000
    assert criss_cross.figure_of(4_538, criss_cross.NJ_TABLE_1, False) == 5_000_876


@pytest.mark.parametrize("stated", [4_999_999, 5_000_001])
def test_new_jerseys_limit_is_neither_more_nor_less(stated: int) -> None:
    with pytest.raises(ValueError, match="fixes the limit at 5000000"):
        cross_round("nj-criss-cross", MOST, ONES, ante=5000, payout_limit=stated)


def test_massachusetts_has_a_limit_only_where_one_is_stated() -> None:
    free = cross_wagers("ma-criss-cross", MOST, ONES, ante=5000, bonus=1000)
    assert paid_and_cut(free)["middle"] == (2_500_000, 0)
    assert paid_and_cut(free)["five_card_bonus"] == (10_000, 0)
    least = cross_wagers("ma-criss-cross", MOST, ONES, ante=5000, bonus=1000, payout_limit=5_000_000)
    assert paid_and_cut(least)["middle"] == (1_990_000, 510_000)
    assert paid_and_cut(least)["five_card_bonus"] == (0, 10_000)
    more = cross_wagers("ma-criss-cross", MOST, ONES, ante=5000, bonus=1000, payout_limit=5_514_000)
    assert paid_and_cut(more)["middle"] == (2_500_000, 0)
    assert paid_and_cut(more)["five_card_bonus"] == (4_000, 6_000)
    with pytest.raises(ValueError, match="no limit below 5000000"):
        cross_round("ma-criss-cross", MOST, ONES, ante=5000, payout_limit=4_999_999)


def test_marylands_limit_leaves_the_bonus_alone() -> None:
    wagers = cross_wagers("md-criss-cross", MOST, ONES, ante=5000, bonus=1000)
    assert paid_and_cut(wagers)["middle"] == (1_990_000, 510_000)
    assert paid_and_cut(wagers)["five_card_bonus"] == (10_000, 0)


def test_maryland_may_state_a_lower_limit_but_not_below_what_the_least_wager_wins() -> None:
    wagers = cross_wagers("md-criss-cross", MOST, ONES, ante=5000, bonus=1000, payout_limit=1_000_000)
    assert paid_and_cut(wagers) == {
        "ante_across": (5_000, 0),
        "across": (995_000, 1_505_000),
        "ante_down": (0, 5_000),
        "down": (0, 500_000),
        "middle": (0, 2_500_000),
        "five_card_bonus": (10_000, 0),
    }
    for stated in (550_999, 5_000_001):
        with pytest.raises(ValueError, match="no limit below 551000 or above 5000000"):
            cross_round("md-criss-cross", MOST, ONES, ante=5000, payout_limit=stated)


def test_marylands_figure_is_1700_antes_with_antes_at_the_table() -> None:
    literal = {"minimum_ante": 5000, "md_antes_at_table": True}
    result = cross_round("md-criss-cross", MOST, ONES, ante=5000, **literal)
    assert result["seats"]["1"]["net"] == 1_700 * 5000
    threes = {"across": 5000, "down": 5000, "middle": 5001}
    wagers = cross_wagers("md-criss-cross", MOST, threes, ante=5000, **literal)
    assert paid_and_cut(wagers)["middle"] == (2_500_000, 500)


def test_a_limit_is_each_players_own_and_counts_no_returned_stake() -> None:
    seat = {"wagers": {"ante": 5000}, "decisions": {"across": 5000, "down": 5000, "middle": 5000}}
    result = criss_cross.settle(
        {
            "rulebook": "md-criss-cross",
            "options": {"payout_limit": 20_000, "minimum_ante": 18},
            # Seat 2: pair of jacks twice, 5 x 5,000. Seat 5: pair of nines twice, pushes of 25,000.
            "cards": {"across": "2s 4d", "down": "5h Kc", "middle": "3c", "seat2": "Js Jd", "seat5": "9s 9d"},
            "seats": [{"seat": 2, **seat}, {"seat": 5, **seat}],
        }
    )
    assert paid_and_cut(result["seats"]["2"]["wagers"])["middle"] == (0, 5_000)
    assert result["seats"]["2"]["net"] == 20_000
    assert {entry["result"] for entry in result["seats"]["5"]["wagers"].values()} == {"push"}
    assert result["seats"]["5"]["net"] == 0
    assert result["house_net"] == -20_000


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rulebook": "nj-pai-gow"}, "not a rulebook"),
        ({"submission": {"limit": 1}}, "'submission'"),
        ({"irregularities": [{"kind": "face_up_card"}]}, "'irregularities'"),
        ({"options": {"limit": 1}}, "unknown options"),
        ({"options": {"odds": {"bets": {"flush": [7, 1]}}}}, "must name exactly"),
        ({"options": {"minimum_ante": 1500}}, "ante: 1000"),
        ({"cards": {"across": "Kd 4s", "down": "9c 9h", "middle": "Kc"}}, "must be named"),
        ({"cards": DESIGN_CARDS | {"middle": "Kd"}}, "distinct"),
        ({"cards": DESIGN_CARDS | {"middle": "Kd 3s"}}, "wrong number"),
    ],
)
def test_bad_input_is_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        criss_cross.settle(DESIGN_ROUND | change)


@pytest.mark.parametrize(
    ("decisions", "complaint"),
    [
        ({"across": 1000, "down": 1000}, "not decided on middle"),
        ({"across": "fold", "down": 1000}, "after folding"),
        ({"across": 999, "down": 1000, "middle": 1000}, "across: 999"),
        ({"across": 1000, "down": 3001, "middle": 1000}, "down: 3001"),
    ],
)
def test_bad_decisions_are_refused(decisions: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        cross_round("nj-criss-cross", MOST, decisions)


# Double cross, one seat.


def double_round(
    cards: tuple[str, str, str, str],
    decisions: dict[str, str],
    ante: int = 1000,
    three_card: int | None = None,
    **options: Any,
) -> Any:
    seat3, vertical, horizontal, dealer = cards
    wagers = {"ante": ante} if three_card is None else {"ante": ante, "three_card": three_card}
    return double_cross.settle(
        {
            "rulebook": "nj-double-cross",
            "options": options,
            "cards": {"vertical": vertical, "horizontal": horizontal, "dealer": dealer, "seat3": seat3},
            "seats": [{"seat": 3, "wagers": wagers, "decisions": decisions}],
        }
    )


def double_wagers(*args: Any, **options: Any) -> Wagers:
    wagers: Wagers = double_round(*args, **options)["seats"]["3"]["wagers"]
    return wagers


RAISE_LINES = [
    # hole, vertical (top centre bottom), horizontal (left centre right), dealer; paid on two raises of 1000
    (("As Ks", "Qs Js Ts", "4h Js 8d", "2c 7d"), 600_000, "royal flush"),
    (("5s 6s", "7s 8s 9s", "Kh 8s Qd", "2c 3d"), 100_000, "nine-high straight flush"),
    (("As 2s", "3s 4s 5s", "Kh 4s Qd", "9c 7d"), 100_000, "five-high straight flush"),
    (("9s 9d", "9h 9c 2s", "Kh 9c Qd", "3c 4d"), 30_000, "four nines"),
    (("9s 9d", "9h 2c 2s", "Kh 2c Qd", "3c 4d"), 14_000, "nines full of twos"),
    (("As 4s", "9s Js 2s", "Kh Js Qd", "3c 5d"), 12_000, "ace-high flush"),
    (("5s 6d", "7s 8h 9s", "Kh 8h Qd", "2c 3d"), 10_000, "nine-high straight"),
    (("9s 9d", "9h 4c 2s", "Kh 4c Qd", "3c 5d"), 6_000, "three nines"),
    (("9s 9d", "4h 4c 2s", "Kh 4c Qd", "3c 5d"), 3_000, "nines and fours"),
    (("9s 9d", "Jh 4c 2s", "Kh 4c Qd", "3c 5d"), 2_000, "pair of nines"),
    (("As Td", "Jh 4c 2s", "Kh 4c Qd", "3c 5d"), 2_000, "ace-high"),
]


@pytest.mark.parametrize(("cards", "paid", "name"), RAISE_LINES)
def test_each_line_of_the_raises(cards: tuple[str, str, str, str], paid: int, name: str) -> None:
    wagers = double_wagers(cards, {"play": "vertical"})
    assert wagers == {
        "ante": {"stake": 1000, "result": "win", "returned": 1000, "paid": 1000, "hand": name},
        "raise": {"stake": 2000, "result": "win", "returned": 2000, "paid": paid, "hand": name},
    }
    seat3, vertical, horizontal, dealer = cards
    assert double_wagers((seat3, horizontal, vertical, dealer), {"play": "horizontal"}) == wagers


def test_the_dealer_plays_the_better_line_against_the_line_named() -> None:
    # Dealer: king-high down the vertical, a pair of kings along the horizontal.
    cards = ("9s 9d", "Jh 4c 2s", "Kh 4c Qd", "Kc 5d")
    result = double_round(cards, {"play": "vertical"})
    assert result["seats"]["3"]["wagers"] == {
        "ante": {"stake": 1000, "result": "lose", "returned": 0, "paid": 0, "hand": "pair of nines"},
        "raise": {"stake": 2000, "result": "lose", "returned": 0, "paid": 0, "hand": "pair of nines"},
    }
    assert result["house_net"] == 3000


def test_equal_hands_push_all_three_wagers() -> None:
    cards = ("As Kd", "Qh 9c 2s", "3h 9c 4d", "Ac Kh")
    tie = double_wagers(cards, {"play": "vertical"})
    assert (money(tie["ante"]), money(tie["raise"])) == (("push", 1000, 0), ("push", 2000, 0))
    # On the worse line the same two cards lose, by a kicker.
    lower = double_wagers(cards, {"play": "horizontal"})
    assert (money(lower["ante"]), money(lower["raise"])) == (("lose", 0, 0), ("lose", 0, 0))


def test_a_kicker_decides_inside_a_category() -> None:
    cards = ("As Kd", "Qh 9c 2s", "3h 9c 4d", "Ac Jh")
    assert money(double_wagers(cards, {"play": "vertical"})["raise"]) == ("win", 2000, 2000)


def test_a_fold_forfeits_the_ante_after_the_three_card_wager_is_settled() -> None:
    cards = ("9s 9d", "9h 4c 2s", "Kh 4c Qd", "3c 5d")
    result = double_round(cards, {"three_card": "expose", "play": "fold"}, three_card=500)
    assert result["seats"]["3"]["wagers"] == {
        "ante": {"stake": 1000, "result": "forfeit", "returned": 0, "paid": 0},
        "three_card": {"stake": 500, "result": "win", "returned": 500, "paid": 15_000, "hand": "three nines"},
    }
    assert result["house_net"] == 1000 - 15_000


@pytest.mark.parametrize(
    ("hole", "top", "paid", "name"),
    [
        ("5s 6s", "7s", 40_000, "seven-high straight flush"),
        ("As 2s", "3s", 40_000, "three-high straight flush"),
        ("As Ks", "Qs", 40_000, "ace-high straight flush"),
        ("9s 9d", "9h", 30_000, "three nines"),
        ("5s 6s", "7h", 6_000, "seven-high straight"),
        ("As 2s", "3d", 6_000, "three-high straight"),
        ("As Kd", "2s", None, "ace-high"),
        ("As Ks", "2s", 4_000, "ace-high flush"),
        ("8s Ks", "2s", 4_000, "king-high flush"),
        ("2s 9d", "2h", 1_000, "pair of twos"),
        ("2s 9d", "Kh", None, "king-high"),
    ],
)
def test_each_line_of_the_three_card_wager(hole: str, top: str, paid: int | None, name: str) -> None:
    cards = (hole, f"{top} 4c Jc", "Th 4c Td", "6c 8d")
    wagers = double_wagers(cards, {"three_card": "expose", "play": "fold"}, three_card=1000)
    expected = ("lose", 0, 0) if paid is None else ("win", 1000, paid)
    assert money(wagers["three_card"]) == expected
    assert wagers["three_card"]["hand"] == name
    declined = double_wagers(cards, {"three_card": "decline", "play": "fold"}, three_card=1000)
    assert declined["three_card"] == {"stake": 1000, "result": "lose", "returned": 0, "paid": 0}


def test_half_a_cent_on_each_raise_stays_with_the_house() -> None:
    cards = ("9s 9d", "4h 4c 2s", "Kh 4c Qd", "3c 5d")
    # 505 at 3 to 2 is 757.5: two raises win 1,514 and not 1,515.
    assert double_wagers(cards, {"play": "vertical"}, ante=505)["raise"]["paid"] == 1_514


ROYAL = ("As Ks", "Qs Js Ts", "4h Js 8d", "2c 7d")


def test_the_limit_of_double_cross_cuts_only_the_raises() -> None:
    decisions = {"three_card": "expose", "play": "vertical"}
    free = double_wagers(ROYAL, decisions, ante=50_000, three_card=10_000)
    assert paid_and_cut(free) == {"ante": (50_000, 0), "raise": (30_000_000, 0), "three_card": (400_000, 0)}
    limited = double_wagers(ROYAL, decisions, ante=50_000, three_card=10_000, payout_limit=6_000_000)
    assert paid_and_cut(limited) == {
        "ante": (50_000, 0),
        "raise": (6_000_000, 24_000_000),
        "three_card": (400_000, 0),
    }


def test_the_limit_of_double_cross_is_at_least_60000_dollars_or_601_antes() -> None:
    decisions = {"play": "vertical"}
    with pytest.raises(ValueError, match="no limit below 6000000"):
        double_round(ROYAL, decisions, ante=50_000, minimum_ante=9_983, payout_limit=5_999_999)
    with pytest.raises(ValueError, match="no limit below 6000384"):
        double_round(ROYAL, decisions, ante=50_000, minimum_ante=9_984, payout_limit=6_000_383)
    better = {line: list(odds) for line, odds in double_cross.RAISES.items()} | {"royal_flush": [400, 1]}
    paid = double_wagers(ROYAL, decisions, odds={"raise": better})["raise"]["paid"]
    assert paid == 800_000
    with pytest.raises(ValueError, match="no limit below 8010000"):
        double_round(
            ROYAL,
            decisions,
            ante=10_000,
            minimum_ante=10_000,
            odds={"raise": better},
            payout_limit=8_009_999,
        )


def test_the_cross_may_be_named_either_way() -> None:
    seats = [{"seat": 3, "wagers": {"ante": 1000}, "decisions": {"play": "horizontal"}}]
    by_line = {"vertical": "Jh 4c 2s", "horizontal": "Kh 4c Qd", "dealer": "3c 5d", "seat3": "9s 9d"}
    by_place = {"across": "Kh Qd", "down": "Jh 2s", "middle": "4c", "dealer": "3c 5d", "seat3": "9s 9d"}
    results = [
        double_cross.settle({"rulebook": "nj-double-cross", "cards": cards, "seats": seats})
        for cards in (by_line, by_place)
    ]
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("decisions", "three_card", "complaint"),
    [
        ({}, None, "play is"),
        ({"play": "vertical"}, 500, "three_card is"),
        ({"play": "vertical", "three_card": "expose"}, None, "not asked"),
        ({"play": "vertical", "three_card": "expose"}, 99, "three_card: 99"),
        ({"play": "vertical", "three_card": "expose"}, 10_001, "three_card: 10001"),
    ],
)
def test_bad_decisions_of_double_cross_are_refused(
    decisions: dict[str, str], three_card: int | None, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        double_round(ROYAL, decisions, three_card=three_card)


def test_a_cross_has_one_centre() -> None:
    with pytest.raises(ValueError, match="the centre is one card"):
        double_round(("9s 9d", "Jh 4c 2s", "Kh 5c Qd", "3c 5d"), {"play": "fold"})


# Random rounds.


def check_money(result: dict[str, Any]) -> None:
    """No cent appears or is lost, and every entry agrees with its result."""
    nets = 0
    for seat in result["seats"].values():
        net = 0
        for entry in seat["wagers"].values():
            assert all(type(entry[field]) is int for field in ("stake", "returned", "paid"))
            assert entry["returned"] == (entry["stake"] if entry["result"] in ("win", "push") else 0)
            assert entry["paid"] >= 0
            assert entry["paid"] == 0 or entry["result"] == "win"
            assert entry.get("limited", 1) > 0
            net += entry["returned"] + entry["paid"] - entry["stake"]
        assert seat["net"] == net
        nets += net
    assert nets + result["house_net"] == 0
    assert json.loads(json.dumps(result)) == result


def seen_in(result: dict[str, Any]) -> list[tuple[str, str]]:
    """Count wager and result, with the odds of full payments."""
    seen = []
    for seat in result["seats"].values():
        for wager, entry in seat["wagers"].items():
            if "limited" in entry:
                seen.append((wager, "limited"))
            elif entry["result"] == "win":
                seen.append((wager, f"{entry['paid'] / entry['stake']:g} to 1"))
            else:
                seen.append((wager, entry["result"]))
    return seen


@pytest.mark.parametrize("rulebook", STATES)
def test_random_rounds_of_criss_cross_conserve_money_and_reach_every_line(rulebook: str) -> None:
    rng = Random(f"settlement of {rulebook}")
    seen: Counter[tuple[str, str]] = Counter()
    for _ in range(2000):
        scripted = criss_cross.random_round(rng, rulebook)
        result = criss_cross.settle(scripted)
        check_money(result)
        seen.update(seen_in(result))
        limit = scripted["options"]["payout_limit"]
        for seat in result["seats"].values():
            covered = [
                entry["paid"]
                for wager, entry in seat["wagers"].items()
                if wager != "five_card_bonus" or rulebook != "md-criss-cross"
            ]
            assert limit is None or sum(covered) <= limit
    for wager in ("across", "down", "middle"):
        for odds in (500, 100, 40, 12, 8, 5, 3, 2, 1):
            assert seen[wager, f"{odds} to 1"], (wager, odds)
        for outcome in ("push", "lose", "limited"):
            assert seen[wager, outcome], (wager, outcome)
    for odds in (250, 100, 40, 15, 10, 6, 4, 3, 1):
        assert seen["five_card_bonus", f"{odds} to 1"], odds
    for wager in ("ante_across", "ante_down", "across", "down"):
        assert seen[wager, "forfeit"]
    assert bool(seen["five_card_bonus", "limited"]) == (rulebook != "md-criss-cross")


def test_the_three_states_settle_alike_apart_from_limits() -> None:
    rng = Random("three states")
    for _ in range(2000):
        # A hundredth of the antes and bets, so that no limit is reached.
        scripted = criss_cross.random_round(rng, "ma-criss-cross") | {"options": {"minimum_ante": 1}}
        for place in scripted["seats"]:
            place["wagers"]["ante"] //= 100
            for bet, decision in place["decisions"].items():
                if decision != "fold":
                    place["decisions"][bet] //= 100
        results = [criss_cross.settle(scripted | {"rulebook": rulebook}) | {"rulebook": None} for rulebook in STATES]
        assert results[0] == results[1] == results[2]


def test_random_rounds_of_double_cross_conserve_money_and_reach_every_line() -> None:
    rng = Random("settlement of double cross")
    seen: Counter[tuple[str, str]] = Counter()
    for _ in range(2000):
        scripted = double_cross.random_round(rng)
        result = double_cross.settle(scripted)
        check_money(result)
        if "odds" not in scripted["options"]:
            seen.update(seen_in(result))
        limit = scripted["options"]["payout_limit"]
        for seat in result["seats"].values():
            assert limit is None or seat["wagers"].get("raise", {"paid": 0})["paid"] <= limit
    for odds in ("300", "50", "15", "7", "6", "5", "3", "1.5", "1"):
        assert seen["raise", f"{odds} to 1"], odds
    for outcome in ("push", "lose", "limited"):
        assert seen["raise", outcome], outcome
    for odds in ("40", "30", "6", "4", "1"):
        assert seen["three_card", f"{odds} to 1"], odds
    assert seen["three_card", "lose"]
    assert seen["ante", "forfeit"]


@pytest.mark.parametrize("kind", criss_cross.KINDS)
def test_a_chosen_hand_is_of_its_kind(kind: str) -> None:
    rng = Random(kind)
    for _ in range(200):
        hand = criss_cross.five_of(rng, kind)
        assert len(set(hand)) == 5
        expected = "nothing" if kind == "pair_below_sixes" else kind
        assert criss_cross.bet_line(hand) == expected
        assert five_card.category_of(hand) == ("pair" if kind.startswith("pair") else kind)
