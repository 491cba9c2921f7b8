"""Criss Cross Poker in New Jersey: a second reading of N.J.A.C. 13:69E-1.13Z and 13:69F-40.

Expected values are written here from the document, not from the rulebook. Records omit the
defaults of their fields in `crossfelt.rulebooks.model`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.script import Settle, Spin
from unit.rulebooks.document_cases import (
    bet_or_fold,
    binds,
    complaints,
    every_hand,
    game,
    left_open,
    names,
    nested,
    paid,
    pairs,
    part,
    pay_lines,
    printed_wheel,
    said,
    settled,
    shown,
    unsaid,
    wheel,
)

BOOK = "nj-criss-cross"
clause = pytest.mark.clause
clause_data = pytest.mark.clause_data

# --- table, deck, hands ---


@clause_data("NJC-1")
def test_six_players_on_one_side_of_the_table() -> None:
    table = part(BOOK, "table")
    del table["layout"], table["fixtures"]
    assert table == {"seats": 6}


@clause_data("NJC-3", "NJC-4")
def test_six_betting_areas_at_each_seat_nearest_the_dealer_first() -> None:
    assert part(BOOK, "table")["layout"] == {
        "rows": [["five_card_bonus"], ["ante_across", "ante_down"], ["across", "down"], ["middle"]],
        "optional": ["bonus_spin"],
        "community_labels": ["Down", "Across", "Middle"],
        "shows": ["operator_name", "odds_or_sign"],
    }


def test_drop_box_and_tip_box() -> None:
    assert part(BOOK, "table")["fixtures"] == {"items": ["drop_box", "tip_box"]}


MIDDLE = [
    {"pay": "bets", "on": "better", "else": "next"},
    {"pay": "bets", "on": "across", "only": "push", "else": "next"},
    {"pay": "bets", "on": "down", "only": "push"},
]
"""Paid at the higher hand if either line wins, lost only if both lose, otherwise a push."""
OWN_OR_OTHERS = [{"when": {"hole_cards": "pair"}, "spin": "own"}, {"spin": "others"}]


# --- wagers ---

ONE_TO_THREE_ANTES = {"of": "ante", "max": 3}
"""At least one ante: the default of every stake."""


@pytest.mark.parametrize(
    ("wager", "expected"),
    [
        said(
            "NJC-8 NJC-25 NJC-25a NJC-50",
            "ante_across",
            {
                "required": True,
                "match_play": True,
                "group": "ante",
                "stake": {"posted": "ante"},
                **paid("ante", "across"),
            },
        ),
        said(
            "NJC-8 NJC-25 NJC-25a NJC-50",
            "ante_down",
            {"required": True, "group": "ante", "stake": {"posted": "ante"}, **paid("ante", "down")},
        ),
        said("NJC-11 NJC-26 NJC-41 NJC-51", "across", {"stake": ONE_TO_THREE_ANTES, **paid("bets", "across")}),
        said("NJC-11 NJC-26 NJC-42 NJC-51", "down", {"stake": ONE_TO_THREE_ANTES, **paid("bets", "down")}),
        said(
            "NJC-11 NJC-26 NJC-43 NJC-46",
            "middle",
            {"stake": ONE_TO_THREE_ANTES, "settle": MIDDLE},
        ),
        said(
            "NJC-9 NJC-39 NJC-52",
            "five_card_bonus",
            {
                "stake": {"posted": "five_card_bonus"},
                **paid("five_card_bonus", "community"),
                "needs": ["ante"],
            },
        ),
        said(
            "NJC-10 NJC-39 NJC-47",
            "bonus_spin",
            {"stake": {"by_paytable": True}, "settle": OWN_OR_OTHERS, "needs": ["ante"]},
        ),
    ],
)
def test_each_wager(wager: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "wager", wager) == {"id": wager, **expected}
    assert load(BOOK).wagers[2].stake.min == 1


@clause_data("NJC-25a")
def test_there_are_no_other_wagers_and_no_dealer_hand() -> None:
    assert names(BOOK, "wager") == [
        *("ante_across", "ante_down", "across", "down", "middle", "five_card_bonus", "bonus_spin")
    ]
    assert {group.owner for group in load(BOOK).groups} == {"seat", "community"}


# --- what they pay ---

TABLE_1 = {
    "royal_flush": "500 to 1",
    "straight_flush": "100 to 1",
    "four_of_a_kind": "40 to 1",
    "full_house": "12 to 1",
    "flush": "8 to 1",
    "straight": "5 to 1",
    "three_of_a_kind": "3 to 1",
    "two_pair": "2 to 1",
}
TABLE_2 = {
    "royal_flush": "250 to 1",
    "straight_flush": "100 to 1",
    "four_of_a_kind": "40 to 1",
    "full_house": "15 to 1",
    "flush": "10 to 1",
    "straight": "6 to 1",
    "three_of_a_kind": "4 to 1",
    "two_pair": "3 to 1",
}
EVEN_MONEY = dict.fromkeys(TABLE_1, "1 to 1")
JACKS_OR_BETTER = {"pair_jacks_or_better": "J to A: 1 to 1", "pair_6s_through_10s": "6 to T: push"}
NOTHING = {"high_card": "lose"}


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        said("NJC-50", "ante", EVEN_MONEY | JACKS_OR_BETTER),
        said("NJC-51", "bets", TABLE_1 | JACKS_OR_BETTER),
        said("NJC-52", "five_card_bonus", TABLE_2 | {"pair_6s_or_better": "6 to A: 1 to 1"}),
    ],
)
def test_the_lines_of_each_pay_table(table: str, lines: dict[str, str]) -> None:
    assert pay_lines(BOOK, table) == list(lines.items())
    found = part(BOOK, "paytable", table)
    del found["lines"]
    assert found == {"id": table, "order": "five_card"}


@pytest.mark.parametrize(
    ("table", "outcomes"),
    [
        shown(
            "NJC-50",
            "ante",
            EVEN_MONEY | pairs("JQKA", "1 to 1") | pairs("6789T", "push") | pairs("2345", "lose") | NOTHING,
        ),
        shown(
            "NJC-51",
            "bets",
            TABLE_1 | pairs("JQKA", "1 to 1") | pairs("6789T", "push") | pairs("2345", "lose") | NOTHING,
        ),
        shown(
            "NJC-52",
            "five_card_bonus",
            TABLE_2 | pairs("6789TJQKA", "1 to 1") | pairs("2345", "lose") | NOTHING,
        ),
    ],
)
def test_every_hand_is_paid_as_its_line_says(table: str, outcomes: dict[str, str]) -> None:
    assert every_hand(BOOK, table) == outcomes


# --- Bonus Spin ---

TABLE_3 = [
    ("top", None, 0),
    (2500, None, 2),
    (1000, None, 8),
    (500, 100, 3),
    (350, None, 7),
    (200, 50, 6),
    (250, None, 10),
    (75, None, 11),
    (25, 15, 9),
    (70, None, 5),
    (60, None, 4),
    (50, None, 1),
]
TABLE_4 = [
    ("top", None, 0),
    (500, None, 2),
    (200, None, 8),
    (100, 20, 3),
    (70, None, 7),
    (50, 10, 6),
    (35, None, 10),
    (25, None, 11),
    (15, 3, 9),
    (12, None, 5),
    (11, None, 4),
    (10, None, 1),
]
TABLE_5 = [
    ("top", None, 0),
    (500, None, 2),
    (250, None, 8),
    (100, 20, 3),
    (70, None, 7),
    (50, 10, 6),
    (35, None, 10),
    (25, None, 11),
    (15, 3, 9),
    (12, None, 5),
    (11, None, 4),
    (10, None, 1),
]


@pytest.mark.parametrize(
    ("letter", "stake_cents", "top", "slices"),
    [
        said("NJC-53", "3", 500, "either", TABLE_3),
        said("NJC-54", "4", 100, "fixed", TABLE_4),
        said("NJC-55", "5", 100, "progressive", TABLE_5),
    ],
)
def test_each_wheel(letter: str, stake_cents: int, top: str, slices: list[tuple[Any, ...]]) -> None:
    assert printed_wheel(BOOK, f"bonus_spin.{letter}") == slices
    found = wheel(BOOK, f"bonus_spin.{letter}")
    assert (found.wager, found.ring, found.stake_cents, found.top) == ("bonus_spin", "spin", stake_cents, top)
    assert [each.community for each in found.slices] == [0, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0, 0]
    assert names(BOOK, "wheel") == ["bonus_spin.3", "bonus_spin.4", "bonus_spin.5"]


@pytest.mark.parametrize(
    ("place", "letter", "stake_cents", "amounts"),
    [
        said("NJC-48 NJC-53", 0, "3", 500, [[500_00, 100_00], [200_00, 50_00], [25_00, 15_00]]),
        said("NJC-48 NJC-54", 1, "4", 100, [[100_00, 20_00], [50_00, 10_00], [15_00, 3_00]]),
        said("NJC-48 NJC-55", 2, "5", 100, [[100_00, 20_00], [50_00, 10_00], [15_00, 3_00]]),
    ],
)
def test_the_spinner_gets_the_higher_and_the_others_the_lower_amount(
    place: int, letter: str, stake_cents: int, amounts: list[list[int]]
) -> None:
    assert part(BOOK, "community_pay", place) == {
        "wager": "bonus_spin",
        "letter": letter,
        "stake_cents": stake_cents,
        "amounts_cents": amounts,
    }
    slices = [each for each in wheel(BOOK, f"bonus_spin.{letter}").slices if each.community]
    assert [each.pays_cents for each in slices] == [higher for higher, _ in amounts]


def test_the_illustrative_weights_return_what_was_computed_for_them() -> None:
    weights = [1, 5, 50, 75, 100, 675, 200, 2200, 3400, 3000, 4744, 25550]
    assert all(list(found.illustrative_weights) == weights for found in load(BOOK).wheels)
    of_table_3 = wheel(BOOK, "bonus_spin.3")
    own = sum(w * (s.pays_cents or 10_000_00) for w, s in zip(weights, of_table_3.slices, strict=True))
    shared = sum(w * s for w, s in zip((75, 675, 3400), (100_00, 50_00, 15_00), strict=True))
    spins_for_each_cent_staked = Fraction(1, sum(weights) * 17 * 500)  # a pair comes once in 17 deals
    assert round(float(own * spins_for_each_cent_staked), 3) == 0.692
    assert round(float(shared * spins_for_each_cent_staked), 3) == 0.027


@clause_data("NJC-10")
def test_the_top_prize_may_be_progressive() -> None:
    assert part(BOOK, "meter", "bonus_spin") == {"id": "bonus_spin", "fed_by": ["bonus_spin"]}


# --- payout limit ---


@clause_data("NJC-56")
def test_the_payout_limit() -> None:
    assert part(BOOK, "payout_limit", 0) == {
        "rule": "exactly",
        "optional": False,
        "amount_cents": 50_000_00,
        "covers": [*("ante_across", "ante_down", "across", "down", "middle", "five_card_bonus", "bonus_spin")],
        "notice_of_decrease": True,
    }
    assert len(load(BOOK).payout_limits) == 1


@clause("NJC-56")
@pytest.mark.parametrize(
    ("ante_cents", "limit_cents"),
    [(500, 50_000_00), (45_37, 50_000_00), (45_38, 1_102 * 45_38), (100_00, 110_200_00)],
)
def test_the_limit_is_exactly_the_greater_of_50000_dollars_and_1102_antes(ante_cents: int, limit_cents: int) -> None:
    antes = {"wagers__ante__min_cents": ante_cents, "wagers__ante__step_cents": 1}
    assert game(BOOK, **antes, payout_limit__amount_cents=limit_cents)
    unstated = game(BOOK, **antes)
    assert unstated.limit_cents(unstated.book.payout_limits[0]) == limit_cents
    for other in (limit_cents - 1, limit_cents + 1):
        with pytest.raises(BadInput) as refusal:
            game(BOOK, **antes, payout_limit__amount_cents=other)
        assert [problem.clauses for problem in refusal.value.problems] == [("NJC-56",)]


@clause("NJC-57")
def test_a_decrease_of_the_limit_needs_a_notice_unless_the_layout_shows_it() -> None:
    falls = {"payout_limit__previous_amount_cents": 50_000_01}
    noticed = {"payout_limit__notice_posted_at": "Monday noon", "payout_limit__notice_posted_by": "floor 3"}
    with pytest.raises(BadInput, match=r"falls from \$50,000.01 to \$50,000 without a notice .*NJC-57"):
        game(BOOK, **falls)
    for part_of_it in noticed:
        with pytest.raises(BadInput, match="without a notice"):
            game(BOOK, **falls, **{part_of_it: noticed[part_of_it]})
    assert game(BOOK, **falls, **noticed)
    assert game(BOOK, **falls, payout_limit__on_layout=True)
    assert game(BOOK, payout_limit__previous_amount_cents=50_000_00)


# --- settings ---

SETTINGS = [
    said("NJC-2", "layout_filing", "lodged_with_division"),
    said("NJC-4", "community_area", "centre_of_table"),
    said("NJC-4 NJC-45", "across_is", "horizontal"),
    said("NJC-5", "odds_notice", "layout_or_sign"),
    said("NJC-3 NJC-9 NJC-10", "optional_wagers", ("five_card_bonus", "bonus_spin")),
    said("NJC-3 NJC-7", "optional_wagers_by", "licensee"),
    said("NJC-15 NJC-62a", "cross_references", "as_evidently_meant"),
    said("NJC-16", "ace_low_straight", True),
    said("NJC-16", "high_card_ranked", False),
    said("NJC-18 NJC-19", "opening_spread", "by_suit_and_sequence"),
    said("NJC-24", "idle_spread", "either_way"),
    said("NJC-21", "cut_after", ("manual",)),
    said("NJC-20 NJC-21", "preshuffled_skips_first_shuffle", False),
    said("NJC-22", "cut_method", "lift_onto_cover_card"),
    said("NJC-22", "cut_min_cards", 10),
    said("NJC-13", "cover_card", "required"),
    said("NJC-15", "cover_card_with_automated_shoe", True),
    said("NJC-27", "instruments", ("chips", "plaques", "match_play", "promotional")),
    said("NJC-27", "verbal_cash_refused", True),
    said("NJC-28", "leaving_mid_round", "must_stay"),
    said("NJC-40", "only_player_and_dealer_touch", True),
    said("NJC-29 NJC-39", "wagers_close", "at_no_more_bets"),
    said("NJC-29", "after_lock_refused", ("make", "increase", "withdraw")),
    said("NJC-11 NJC-26", "whole_multiples_only", False),
    said("NJC-32 NJC-38", "cards_go_to", "any_wager"),
    said("NJC-33", "stub_count_every", 5),
    said("NJC-33 NJC-37 NJC-38", "stub_count_methods", ("manual_shoe", "hand")),
    said("NJC-35", "counting_shuffler_exempts", True),
    said("NJC-34", "misdeal_areas", ("player", "community")),
    said("NJC-41 NJC-42 NJC-43", "folder_cards_stay", False),
    said("NJC-46", "middle_bet_follows", "either_line"),
    said("NJC-56", "minimum_wager_bets_at", 1),
    said("NJC-56", "limit_covers_progressive", False),
    said("NJC-52", "bonus_of_a_folder_settled", "end_of_game"),
    said("NJC-17 NJC-23", "supervisor_title", "casino or floor supervisor"),
    said("NJC-10 NJC-47", "spin_trigger", "pair_in_hole_cards"),
    said("NJC-48", "spinner_gets", "higher_amount"),
    said("NJC-48", "community_paid_by", "lower_amount"),
    said("NJC-47", "spins_happen", "end_of_round"),
    said("NJC-53 NJC-54 NJC-55", "wheel_positions_are", "places"),
]
OPEN = [
    said("NJC-20", "shuffle_on_floor_order", False),
    unsaid("void_keeps_settled", False),
    unsaid("odds_wording", "free"),
    unsaid("preinspected_skips_opening", False),
    unsaid("deck_change_hours_hand", 0),
    unsaid("deck_change_hours_shoe", 0),
    unsaid("deck_age_report_hours", 24),
    unsaid("cards_in_full_view", False),
    unsaid("one_position_per_player", False),
    unsaid("hand_talk_forbidden", False),
    unsaid("breach_forfeits_all", False),
    unsaid("cards_untouched_after_decision", False),
    said("NJC-34", "misdealt_and_wrong_total", "remove_deck"),
    unsaid("void_returns_wagers", True),
    unsaid("void_contributions", "reversed"),
    unsaid("face_up_card_counts_toward_deck", True),
    unsaid("decision_order", "clockwise_from_left"),
    unsaid("payout_rounding", "down_to_the_cent"),
    said("NJC-41 NJC-42 NJC-43", "spin_after_fold", "by_the_letter"),
    unsaid("spin_stake_returned", False),
    unsaid("several_spins", "one_each_from_right"),
    unsaid("progressive_minima", "not_stated"),
]


@pytest.mark.parametrize(("name", "value"), SETTINGS)
def test_settings_that_the_document_settles(name: str, value: object) -> None:
    assert settled(BOOK, name) == value


@pytest.mark.parametrize(("name", "value"), OPEN)
def test_settings_that_the_document_leaves_open_are_marked_as_such(name: str, value: object) -> None:
    assert left_open(BOOK, name) == value


def test_every_setting_is_read_above() -> None:
    assert sorted(names(BOOK, "settings")) == sorted(case.values[0] for case in SETTINGS + OPEN)


# --- irregularities ---

VOID = ["void", "return_wagers", "reshuffle"]
VOID_AND_NEW_DECK = ["void", "return_wagers", "remove_deck"]

IRREGULARITIES = [
    said("NJC-58", "face_up_card.one", VOID, False),
    said("NJC-58", "face_up_card.several", VOID, False),
    said("NJC-59", "card_in_error.any", ["use_as_next_card"], False),
    said("NJC-60", "wrong_card_count.player", VOID, False),
    unsaid("wrong_card_count.community", VOID, True),
    unsaid("community_exposed.any", ["floor_decides"], True),
    said("NJC-61", "shuffler_jam.any", ["reshuffle"], False),
    said("NJC-62", "shoe_jam.any", VOID, False),
    unsaid("device_out_of_order.any", ["cover_or_sign_device"], True),
    said("NJC-34", "stub_count_wrong.misdealt", VOID, False),
    said("NJC-34", "stub_count_wrong.not_misdealt", VOID_AND_NEW_DECK, False),
    said("NJC-34", "stub_count_wrong.misdealt_and_wrong_total", VOID_AND_NEW_DECK, True),
    said("NJC-35", "shuffler_count_wrong.any", ["remove_deck"], False),
    said("NJC-28", "player_leaves.any", ["floor_decides"], True),
    unsaid("conduct_breach.any", ["floor_decides"], True),
]


@pytest.mark.parametrize(("case", "then", "silent"), IRREGULARITIES)
def test_outcome_of_each_irregularity(case: str, then: list[str], silent: bool) -> None:
    kind, _, of_it = case.partition(".")
    assert part(BOOK, "irregularities", kind)[of_it] == {"then": then} | ({"silent": True} if silent else {})


def test_every_irregularity_is_read_above() -> None:
    irregularities = load(BOOK).irregularities
    cases = [f"{kind}.{case}" for kind, cases in irregularities.items() for case in cases]
    assert sorted(cases) == sorted(case.values[0] for case in IRREGULARITIES)


# --- opening the table, and the round ---


@pytest.mark.parametrize(
    ("place", "step", "by"),
    [
        said("NJC-17", 0, "receive", "dealer"),
        said("NJC-17", 1, "inspect", "dealer"),
        said("NJC-17", 2, "verify", "floor"),
        said("NJC-18", 3, "spread", "dealer"),
        said("NJC-18", 4, "show", "player"),
        said("NJC-18", 5, "wash", "dealer"),
        said("NJC-18", 6, "stack", "dealer"),
        said("NJC-20", 7, "shuffle", "dealer"),
        said("NJC-21 NJC-22 NJC-23", 8, "cut", "dealer"),
        said("NJC-30 NJC-37 NJC-38", 9, "load", "dealer"),
    ],
)
def test_the_steps_of_opening_a_table(place: int, step: str, by: str) -> None:
    opening = part(BOOK, "opening")
    second = {"other_than": "inspect"} if step == "verify" else {}
    assert opening["steps"][place] == {"step": step, "by": by, **second}
    assert len(opening.pop("steps")) == 10
    assert opening == {}


CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"]
BY_CARD = {"at_a_time": 1, "methods": ["manual_shoe", "hand"]}
ANTES = ["ante_across", "ante_down"]


@pytest.mark.parametrize(
    ("place", "step", "expected"),
    [
        said(
            "NJC-12 NJC-25 NJC-39",
            0,
            "open_bets",
            {"step": "open_bets", "wagers": [*ANTES, "five_card_bonus", "bonus_spin"]},
        ),
        said(
            "NJC-29 NJC-31",
            1,
            "no_more_bets",
            {"step": "lock", "announces": "no more bets", "also": ["lock_out"]},
        ),
        said(
            "NJC-32 NJC-37 NJC-38",
            2,
            "deal",
            {
                "step": "deal",
                "deliver": [
                    {"to": "cross", "methods": ["manual_shoe", "hand"]},
                    {"to": "cross", "at_a_time": 5, "methods": ["automated_shoe"]},
                    {"to": "hole", "methods": ["manual_shoe", "hand"]},
                    {"to": "hole", "at_a_time": 2, "methods": ["automated_shoe"]},
                ],
            },
        ),
        said("NJC-12 NJC-33 NJC-34 NJC-35", 3, "stub", {"step": "stub"}),
        said(
            "NJC-41 NJC-52",
            4,
            "decide_across",
            {
                "step": "decide",
                "actions": bet_or_fold("across", ANTES, ["five_card_bonus", "bonus_spin"]),
                "collect_folds": "after_reveal",
            },
        ),
        said("NJC-41", 5, "reveal_across", {"step": "reveal", "cards": ["across_left", "across_right"]}),
        said(
            "NJC-42 NJC-52",
            6,
            "decide_down",
            {
                "step": "decide",
                "actions": bet_or_fold("down", [*ANTES, "across", "bonus_spin"], ["five_card_bonus"]),
                "collect_folds": "after_reveal",
            },
        ),
        said("NJC-42", 7, "reveal_down", {"step": "reveal", "cards": ["down_far", "down_near"]}),
        said(
            "NJC-43 NJC-52",
            8,
            "decide_middle",
            {
                "step": "decide",
                "actions": bet_or_fold("middle", [*ANTES, "across", "down", "bonus_spin"], ["five_card_bonus"]),
                "collect_folds": "before_reveal",
            },
        ),
        said("NJC-43", 9, "reveal_middle", {"step": "reveal", "cards": ["middle"]}),
        said(
            "NJC-44 NJC-45 NJC-46",
            10,
            "settle",
            {"step": "settle", "wagers": ["ante_across", "across", "ante_down", "down", "middle"]},
        ),
        said(
            "NJC-52",
            11,
            "settle_bonus",
            {"step": "settle", "wagers": ["five_card_bonus"], "shows_hands": False},
        ),
        said("NJC-47 NJC-48", 12, "spins", {"step": "spin", "wagers": ["bonus_spin"]}),
        said("NJC-49", 13, "discard", {"step": "discard"}),
        said("NJC-20 NJC-21", 14, "shuffle", {"step": "shuffle"}),
    ],
)
def test_the_round_step_by_step(place: int, step: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "script", place) == {"id": step, **expected}
    assert names(BOOK, "script")[15:] == []


@clause_data("NJC-44", "NJC-47")
def test_hands_are_settled_and_wheels_spun_from_the_right() -> None:
    turns = [step.order for step in load(BOOK).script if isinstance(step, Settle | Spin)]
    assert turns == ["counter_clockwise"] * 3


# --- what the operator chooses ---

CENTS = {"kind": "cents", "min": 1}
IF_SPIN = {"only_if": {"wagers.bonus_spin.offered": True}}
FILED = {"must_state": True, **IF_SPIN}
IF_FIXED = {"must_state": True, "only_if": {"wagers.bonus_spin.offered": True, "wagers.bonus_spin.top_prize": "fixed"}}
IF_PROGRESSIVE = {
    "must_state": True,
    "only_if": {"wagers.bonus_spin.offered": True, "wagers.bonus_spin.top_prize": "progressive"},
}
NO_SOURCE = {"illustrative": True}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        said("NJC-3", "operator", {"kind": "text", "default": "Crossfelt, for play money"}),
        said("NJC-2", "layout.filing", {"kind": "text", "default": "illustrative", **NO_SOURCE}),
        said("NJC-5", "layout.odds_on", {"kind": "one_of", "of": ["layout", "sign"], "default": "layout"}),
        said(
            "NJC-30 NJC-36 NJC-38",
            "dealing.method",
            {"kind": "one_of", "of": ["manual_shoe", "hand", "automated_shoe"], "default": "manual_shoe"},
        ),
        said(
            "NJC-20 NJC-35",
            "dealing.shuffler",
            {"kind": "one_of", "of": ["none", "automatic", "counting"], "default": "none"},
        ),
        said("NJC-13 NJC-14", "dealing.decks", {"kind": "whole", "min": 1, "max": 2, "default": 1}),
        said("NJC-25", "wagers.ante.min_cents", {**CENTS, "default": 5_00}),
        said("NJC-25", "wagers.ante.max_cents", {**CENTS, "default": 500_00}),
        said("NJC-27", "wagers.ante.step_cents", {**CENTS, "default": 1_00}),
        said("NJC-9", "wagers.five_card_bonus.offered", {"kind": "flag", "default": True}),
        unsaid("wagers.five_card_bonus.min_cents", {**CENTS, "default": 1_00}),
        unsaid("wagers.five_card_bonus.max_cents", {**CENTS, "default": 100_00}),
        unsaid("wagers.five_card_bonus.step_cents", {**CENTS, "default": 1_00}),
        said("NJC-10", "wagers.bonus_spin.offered", {"kind": "flag", "default": True}),
        said(
            "NJC-53 NJC-54 NJC-55",
            "wagers.bonus_spin.paytable",
            {"kind": "one_of", "of": ["3", "4", "5"], "default": "3", **FILED},
        ),
        said(
            "NJC-10",
            "wagers.bonus_spin.top_prize",
            {"kind": "one_of", "of": ["fixed", "progressive"], "default": "progressive", **FILED},
        ),
        said(
            "NJC-53 NJC-54 NJC-55",
            "wagers.bonus_spin.weights",
            {"kind": "weights", "default": "wheel", **FILED, **NO_SOURCE},
        ),
        said(
            "NJC-10",
            "wagers.bonus_spin.fixed_prize_cents",
            {**CENTS, "default": 10_000_00, **IF_FIXED, **NO_SOURCE},
        ),
        unsaid(
            "meters.bonus_spin.initial_cents",
            {"kind": "cents", "default": 10_000_00, **IF_PROGRESSIVE, **NO_SOURCE},
        ),
        unsaid("meters.bonus_spin.reset_cents", {"kind": "cents", "default": 10_000_00, **IF_PROGRESSIVE, **NO_SOURCE}),
        unsaid(
            "meters.bonus_spin.rate_per_million",
            {"kind": "rate", "min": 0, "max": 1_000_000, "default": 70_000, **IF_PROGRESSIVE, **NO_SOURCE},
        ),
        unsaid("meters.bonus_spin.limit_cents", {"kind": "cents", "only_if": IF_PROGRESSIVE["only_if"]}),
        said(
            "NJC-7",
            "approvals.progressive_system",
            {"kind": "one_of", "of": ["MO-381-17-019-DGE"], "default": "MO-381-17-019-DGE"},
        ),
        unsaid("status", {"kind": "one_of", "of": ["draft", "filed"], "default": "draft"}),
        said(
            "NJC-30",
            "approvals.manual_shoe_location",
            {"kind": "text", "default": "illustrative", **NO_SOURCE, "only_if": {"dealing.method": "manual_shoe"}},
        ),
        said("NJC-38a", "approvals.automated_shoe", {"kind": "text", "only_if": {"dealing.method": "automated_shoe"}}),
        said("NJC-56", "payout_limit.amount_cents", CENTS),
        said("NJC-57", "payout_limit.previous_amount_cents", CENTS),
        said("NJC-57", "payout_limit.on_layout", {"kind": "flag", "default": False}),
        said("NJC-57", "payout_limit.notice_posted_at", {"kind": "text"}),
        said("NJC-57", "payout_limit.notice_posted_by", {"kind": "text"}),
        said("NJC-28", "play.decision_seconds", {"kind": "whole", "min": 0, "max": 600, "default": 0}),
        said(
            "NJC-28 NJC-41 NJC-42 NJC-43",
            "play.on_timeout",
            {"kind": "one_of", "of": ["fold", "smallest_bet"], "default": "fold"},
        ),
    ],
)
def test_choices_of_the_operator(path: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "choice", path) == {"path": path, **expected}


def test_the_operator_has_no_other_choices() -> None:
    assert len(names(BOOK, "choice")) == 33
    assert len(names(BOOK, "requirement")) == 8


SHUFFLER = {"dealing.shuffler": {"in": ["automatic", "counting"]}}
SPIN = {"wagers.bonus_spin.offered": [True]}


@pytest.mark.parametrize(
    ("when", "must"),
    [
        said("NJC-36", {"dealing.method": ["hand"]}, SHUFFLER, name="hand"),
        said("NJC-14", {"dealing.decks": [2]}, SHUFFLER, name="two decks"),
        said(
            "NJC-38a",
            {"dealing.method": ["automated_shoe"]},
            {"approvals.automated_shoe": {"stated": True}},
            name="automated shoe",
        ),
        said("NJC-7", SPIN, {"approvals.progressive_system": {"stated": True}}, name="spin"),
        said(
            "NJC-54",
            {**SPIN, "wagers.bonus_spin.paytable": ["4"]},
            {"wagers.bonus_spin.top_prize": {"in": ["fixed"]}},
            name="table 4",
        ),
        said(
            "NJC-55",
            {**SPIN, "wagers.bonus_spin.paytable": ["5"]},
            {"wagers.bonus_spin.top_prize": {"in": ["progressive"]}},
            name="table 5",
        ),
        said(
            "NJC-30",
            {"dealing.method": ["manual_shoe"]},
            {"approvals.manual_shoe_location": {"stated": True}},
            name="manual shoe",
        ),
        said("NJC-2", {}, {"layout.filing": {"stated": True}}, name="layout"),
    ],
)
def test_choices_that_bind_others(when: dict[str, Any], must: dict[str, Any]) -> None:
    assert binds(BOOK, when, must)


@pytest.mark.parametrize(
    ("stated", "path", "clauses"),
    [
        shown("NJC-36", {"dealing__method": "hand"}, "dealing.shuffler", ("NJC-36",), name="hand"),
        shown("NJC-14", {"dealing__decks": 2}, "dealing.shuffler", ("NJC-14",), name="two decks"),
        shown(
            "NJC-38a",
            {"dealing__method": "automated_shoe"},
            "approvals.automated_shoe",
            ("NJC-38a",),
            name="automated shoe",
        ),
        shown(
            "NJC-7",
            {"approvals__progressive_system": "MO-381-17-020-DGE"},
            "approvals.progressive_system",
            ("NJC-7",),
            name="other hardware",
        ),
        shown(
            "NJC-54",
            {"wagers__bonus_spin__paytable": "4"},
            "wagers.bonus_spin.top_prize",
            ("NJC-54",),
            name="table 4 with a progressive",
        ),
        shown(
            "NJC-55",
            {"wagers__bonus_spin__paytable": "5", "wagers__bonus_spin__top_prize": "fixed"},
            "wagers.bonus_spin.top_prize",
            ("NJC-55",),
            name="table 5 with a fixed prize",
        ),
    ],
)
def test_a_submission_against_the_document_is_refused_with_the_clause(
    stated: dict[str, Any], path: str, clauses: tuple[str, ...]
) -> None:
    assert complaints(BOOK, nested(**stated)) == [(path, clauses)]


@pytest.mark.parametrize(
    "stated",
    [
        shown("NJC-36", {"dealing__method": "hand", "dealing__shuffler": "automatic"}, name="hand"),
        shown("NJC-36", {"dealing__method": "hand", "dealing__shuffler": "counting"}, name="hand, counting shuffler"),
        shown("NJC-14", {"dealing__decks": 2, "dealing__shuffler": "automatic"}, name="two decks"),
        shown(
            "NJC-38a",
            {"dealing__method": "automated_shoe", "approvals__automated_shoe": "2018/7"},
            name="automated shoe",
        ),
        shown("", {"wagers__bonus_spin__top_prize": "fixed"}, name="table 3 with a fixed prize"),
        shown("", {"wagers__bonus_spin__top_prize": "progressive"}, name="table 3 with a progressive"),
        shown(
            "NJC-54", {"wagers__bonus_spin__paytable": "4", "wagers__bonus_spin__top_prize": "fixed"}, name="table 4"
        ),
        shown("NJC-55", {"wagers__bonus_spin__paytable": "5"}, name="table 5"),
    ],
)
def test_a_submission_within_the_document_is_accepted(stated: dict[str, Any]) -> None:
    assert complaints(BOOK, nested(**stated)) == []
