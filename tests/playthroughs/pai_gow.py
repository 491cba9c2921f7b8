"""The rounds of Pai Gow Poker whose course is kept as golden files."""

from __future__ import annotations

from typing import Any

Script = dict[str, Any]

HOUSE_WAY: Script = {"set": "house-way"}
SURRENDER: Script = {"surrender": True}
ACE_HIGH = "Ah Qh Jc 9d 7s 5s 3c"
QUEEN_HIGH = "Qh Jc 9d 8c 6s 4h 3c"
NINE_HIGH = "9c 8c 7h 5h 4s 3d 2h"
KINGS_AND_QUEENS = "Ks Kd Qs Qd 7h 5c 2d"
EZ: Script = {"settings": {"ez_variation": True}, "wagers": {"queens_dragon": {"offered": True}}}


def seat(number: int, decisions: Script = HOUSE_WAY, /, main: int = 10_00, **wagers: int) -> Script:
    return {"seat": number, "wagers": {"main": main, **wagers}, "decisions": decisions}


def low(cards: str) -> Script:
    return {"set": {"low": cards}}


def base() -> Script:
    """An ordinary round of two players: something goes wrong in it."""
    return {
        "cards": {"seat1": KINGS_AND_QUEENS, "seat2": "Kc Jd 9h 8s 6c 4d 2h", "dealer": ACE_HIGH},
        "seats": [seat(1, low("Qs Qd"), imperial=5_00), seat(2, main=20_00)],
        "chance": {"dice": [2, 3, 4]},
    }


def rounds() -> dict[str, Script]:
    return {**_main_wager(), **_bonus_wagers(), **_first_hand(), **_bank(), **_clock()}


def _main_wager() -> dict[str, Script]:
    return {
        "win_push_and_lose": {
            "cards": {
                "seat1": KINGS_AND_QUEENS,
                "seat4": "As Ad 8h 6d 4c 3h 2c",
                "seat6": "Kc Jd 9h 8s 6c 4d 2h",
                "dealer": ACE_HIGH,
            },
            "seats": [seat(1, low("Qs Qd")), seat(4, low("3h 2c")), seat(6)],
            "chance": {"dice": [1, 1, 1]},
        },
        "copies_go_to_the_dealer": {
            "cards": {
                "seat1": "Ks Kd 8s 7d 5h 4c 2s",
                "seat2": "Ad Ac 8d 7s 5d 3h 2h",
                "dealer": "Kh Kc 8h 7c 5s 4d 2c",
            },
            "seats": [seat(1, low("8s 7d")), seat(2, low("8d 7s"))],
        },
        "a_foul_loses": {
            "cards": {"seat1": KINGS_AND_QUEENS, "seat2": "As Kc 9h 8s 6c 4d 2h", "dealer": ACE_HIGH},
            "seats": [seat(1, low("Ks Kd")), seat(2, low("As Kc"))],
        },
        "surrender": {
            "cards": {"seat1": "Kc Jd 9h 8s 6c 4d 2h", "seat3": KINGS_AND_QUEENS, "dealer": ACE_HIGH},
            "seats": [seat(1, SURRENDER), seat(3, low("Qs Qd"))],
        },
        "surrender_that_leaves_the_imperial_bonus": {
            "cards": {"seat1": "Ks Kd Kc 9s 7h 5c 2d", "dealer": ACE_HIGH},
            "seats": [seat(1, SURRENDER, imperial=5_00)],
        },
        "everybody_surrenders": {
            "submission": {"settings": {"surrender_refund_per_mille": 500}},
            "seats": [seat(2, SURRENDER), seat(5, SURRENDER, main=25_00)],
        },
        "commission_to_the_next_quarter": {
            "cards": {"seat1": KINGS_AND_QUEENS, "dealer": ACE_HIGH},
            "submission": {"settings": {"commission_rounding": "up_to_25c"}},
            "seats": [seat(1, low("Qs Qd"), main=11_00)],
        },
        "ez_win_without_commission": {
            "cards": {"seat1": KINGS_AND_QUEENS, "dealer": ACE_HIGH},
            "submission": EZ,
            "seats": [seat(1, low("Qs Qd"), queens_dragon=1_00)],
        },
        "ez_push_on_queen_high": {
            "cards": {"seat1": KINGS_AND_QUEENS, "seat2": "Kc Jd 9h 8s 6c 4d 2h", "dealer": QUEEN_HIGH},
            "submission": EZ,
            "seats": [seat(1, low("Qs Qd")), seat(2, low("Kc Jd"), queens_dragon=5_00)],
        },
        "wheel_below_the_other_straights": {
            "cards": {"seat1": "As 2d 3h 4c 5s Jd 9h", "dealer": "6s 5d 4h 3c 2s Th 8d"},
            "submission": {"settings": {"wheel_second_highest": False}},
            "seats": [seat(1)],
        },
        "wheel_second_highest": {
            "cards": {"seat1": "As 2d 3h 4c 5s Jd 9h", "dealer": "Ks Qd Jh Tc 9s 8h 7d"},
            "seats": [seat(1)],
        },
    }


def _bonus_wagers() -> dict[str, Script]:
    return {
        "imperial_for_both_hands": {
            "cards": {"seat1": "As Ks Qs Js Ts 9d 2c", "seat2": "Kd Kh Qd Qh 7c 5c 4d", "dealer": NINE_HIGH},
            "seats": [seat(1, imperial=5_00), seat(2, imperial=1_00)],
        },
        "imperial_at_its_limit": {
            "cards": {"seat1": "As Ah Ad Ac Jk Ks Kd", "dealer": NINE_HIGH},
            "submission": {"payout_limit": {"amount_cents": 40_000_00}},
            "seats": [seat(1, imperial=100_00)],
        },
        "seven_card_bonus_from_straight_to_full_house": {
            "cards": {
                "seat1": "4s 5h 6s 7d 8s Kd 2h",
                "seat2": "Qs Qh Qd 7c 5s 3d 2d",
                "seat3": "2c 4c 9c Jc Kc Kh 6d",
                "seat4": "9s 9h 9d Ts Td 3h 2s",
                "seat5": "Ks Js Th 8h 7h 5d 3s",
                "dealer": "Ah Qc Jd 8d 6c 4d 3c",
            },
            "seats": [seat(number, seven_card=1_00) for number in range(1, 6)],
        },
        "seven_card_bonus_with_envy": {
            "cards": {
                "seat1": "8s 8h 8d 8c Kd 5h 2h",
                "seat2": "4s 5s 6s 7s Jk 9c 2d",
                "seat5": "Kc Jd 9h 7d 6c 4d 3h",
                "seat6": "Ks Js Th 6h 7h 5d 3s",
                "dealer": "Ah Qc Tc 9d 6d 4c 3c",
            },
            "seats": [seat(1, seven_card=5_00), seat(2), seat(5, seven_card=5_00), seat(6, seven_card=4_00)],
        },
        "seven_card_bonus_at_the_top": {
            "cards": {
                "seat1": "8s 9s Ts Js Qs Ks As",
                "seat2": "Ad Kd Qd Jd Td Kh Qh",
                "seat3": "2c 3c 4c 5c Jk 7c 8c",
                "dealer": "Ah Kc Th 9h 6d 4d 3h",
            },
            "seats": [seat(number, seven_card=5_00) for number in range(1, 4)],
        },
        "five_aces": {
            "cards": {"seat3": "As Ah Ad Ac Jk Ks 2d", "dealer": QUEEN_HIGH},
            "seats": [seat(3, imperial=1_00, seven_card=1_00)],
        },
    }


def _first_hand() -> dict[str, Script]:
    cards = {"seat1": KINGS_AND_QUEENS, "dealer": ACE_HIGH}
    return {
        "first_hand_by_random_number": {
            "cards": cards,
            "submission": {"settings": {"first_hand_by": "random_number"}},
            "chance": {"number": 4},
            "seats": [seat(1)],
        },
        "stacks_from_an_automated_shoe": {
            "cards": cards,
            "submission": {
                "dealing": {"method": "automated_shoe", "shuffler": "automatic"},
                "approvals": {"automated_shoe": "approved"},
                "house_way": "foxwoods",
            },
            "chance": {"dice": [6, 6, 6]},
            "seats": [seat(1)],
        },
    }


def _bank() -> dict[str, Script]:
    """Seat 2 banks; seat 1 wins of it, seat 4 loses to it, seat 5 gives up."""
    cards = {
        "seat1": "As Ah Ad Jk 8c 6d 4h",
        "seat2": KINGS_AND_QUEENS,
        "seat4": "Kc Jd Th 8s 6c 4d 2h",
        "seat5": "Qc Jh 9s 8d 6s 3d 2s",
        "dealer": "Qh Jc 9h 9d 7s 5s 3c",
    }
    against = [seat(1, low("As Ah")), seat(2, main=20_00), seat(4, main=25_00, imperial=5_00), seat(5, SURRENDER)]
    fouled = [seat(1, low("As Ah")), seat(2, low("Ks Kd"), main=20_00), seat(4, low("Kc Jd")), seat(5)]
    return {
        "a_player_banks": {"cards": cards, "bank": 2, "chance": {"dice": [2, 3, 4]}, "seats": against},
        "a_player_and_the_house_bank": {"cards": cards, "bank": 2, "co_bank": True, "seats": against},
        "a_bank_that_fouls": {"cards": cards, "bank": 2, "seats": fouled},
        "a_bank_against_the_dealer_alone": {
            "cards": {"seat2": cards["seat2"], "dealer": cards["dealer"]},
            "bank": 2,
            "seats": [seat(2, main=20_00)],
        },
        "a_banked_round_is_void": {
            "cards": cards,
            "bank": 2,
            "co_bank": True,
            "seats": against,
            "irregularities": [{"kind": "stub_count_wrong", "step": "stub", "count": 5, "finding": "misdealt"}],
        },
    }


def _clock() -> dict[str, Script]:
    cards = {"seat1": KINGS_AND_QUEENS, "seat3": "Kc Jd 9h 8s 6c 4d 2h", "dealer": ACE_HIGH}
    return {
        "time_runs_out_for_two": {
            "cards": cards,
            "submission": {"play": {"decision_seconds": 30}},
            "seats": [seat(1, low("7h 5c")), seat(3, SURRENDER), seat(4)],
            "irregularities": [{"kind": "no_answer", "step": "set_hands", "seat": number} for number in (3, 1)],
        },
    }
