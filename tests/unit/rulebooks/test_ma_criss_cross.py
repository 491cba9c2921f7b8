"""Criss-Cross Poker in Massachusetts: a second reading of the Gaming Commission's rules of the game.

Expected values are written here from the document, not from the rulebook. Records omit the
defaults of their fields in `crossfelt.rulebooks.model`.
"""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.script import Decide, Settle
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
    said,
    settled,
    shown,
    unsaid,
)

BOOK = "ma-criss-cross"
clause = pytest.mark.clause
clause_data = pytest.mark.clause_data

# --- table, deck, hands ---


def test_table_and_layout_are_those_of_new_jersey_for_want_of_a_section_on_them() -> None:
    assert part(BOOK, "table") == {
        "seats": 6,
        "layout": {
            "rows": [["five_card_bonus"], ["ante_across", "ante_down"], ["across", "down"], ["middle"]],
            "community_labels": ["Down", "Across", "Middle"],
            "shows": ["operator_name"],
        },
    }


# --- wagers ---

ONE_TO_THREE_ANTES = {"of": "ante", "max": 3}
"""At least one ante: the default of every stake."""


@pytest.mark.parametrize(
    ("wager", "expected"),
    [
        said(
            "MAC-19 MAC-34 MAC-38",
            "ante_across",
            {"required": True, "group": "ante", "stake": {"posted": "ante"}, **paid("ante", "across")},
        ),
        said(
            "MAC-19 MAC-34 MAC-38",
            "ante_down",
            {"required": True, "group": "ante", "stake": {"posted": "ante"}, **paid("ante", "down")},
        ),
        said("MAC-29 MAC-34", "across", {"stake": ONE_TO_THREE_ANTES, **paid("bets", "across")}),
        said("MAC-31 MAC-34", "down", {"stake": ONE_TO_THREE_ANTES, **paid("bets", "down")}),
        said(
            "MAC-32 MAC-35",
            "middle",
            {"stake": ONE_TO_THREE_ANTES, **paid("bets", "better")},
        ),
        said(
            "MAC-20 MAC-36",
            "five_card_bonus",
            {
                "stake": {"posted": "five_card_bonus"},
                **paid("five_card_bonus", "community"),
                "needs": ["ante"],
            },
        ),
    ],
)
def test_each_wager(wager: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "wager", wager) == {"id": wager, **expected}


def test_there_are_no_other_wagers_and_no_wheel() -> None:
    assert names(BOOK, "wager") == ["ante_across", "ante_down", "across", "down", "middle", "five_card_bonus"]
    book = load(BOOK)
    assert (book.wheels, book.community_pays, book.meters) == ((), (), ())


# --- what they pay ---

BETS = {
    "royal_flush": "500 to 1",
    "straight_flush": "100 to 1",
    "four_of_a_kind": "40 to 1",
    "full_house": "12 to 1",
    "flush": "8 to 1",
    "straight": "5 to 1",
    "three_of_a_kind": "3 to 1",
    "two_pair": "2 to 1",
}
BONUS = {
    "royal_flush": "250 to 1",
    "straight_flush": "100 to 1",
    "four_of_a_kind": "40 to 1",
    "full_house": "15 to 1",
    "flush": "10 to 1",
    "straight": "6 to 1",
    "three_of_a_kind": "4 to 1",
    "two_pair": "3 to 1",
}
EVEN_MONEY = dict.fromkeys(BETS, "1 to 1")
JACKS_OR_BETTER = {"pair_jacks_or_better": "J to A: 1 to 1", "pair_6s_through_10s": "6 to T: push"}
NOTHING = {"high_card": "lose"}


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        said("MAC-38", "ante", EVEN_MONEY | JACKS_OR_BETTER),
        said("MAC-39", "bets", BETS | JACKS_OR_BETTER),
        said("MAC-40", "five_card_bonus", BONUS | {"pair_6s_or_better": "6 to A: 1 to 1"}),
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
            "MAC-38",
            "ante",
            EVEN_MONEY | pairs("JQKA", "1 to 1") | pairs("6789T", "push") | pairs("2345", "lose") | NOTHING,
        ),
        shown(
            "MAC-39",
            "bets",
            BETS | pairs("JQKA", "1 to 1") | pairs("6789T", "push") | pairs("2345", "lose") | NOTHING,
        ),
        shown(
            "MAC-20 MAC-40",
            "five_card_bonus",
            BONUS | pairs("6789TJQKA", "1 to 1") | pairs("2345", "lose") | NOTHING,
        ),
    ],
)
def test_every_hand_is_paid_as_its_line_says(table: str, outcomes: dict[str, str]) -> None:
    assert every_hand(BOOK, table) == outcomes


# --- payout limit ---


@clause_data("MAC-41")
def test_the_payout_limit() -> None:
    assert part(BOOK, "payout_limit", 0) == {
        "rule": "at_least",
        "optional": True,
        "amount_cents": 50_000_00,
        "covers": ["ante_across", "ante_down", "across", "down", "middle", "five_card_bonus"],
    }


@clause_data("MAC-41")
def test_a_table_may_be_without_a_limit() -> None:
    unlimited = game(BOOK)
    assert unlimited.limit_cents(unlimited.book.payout_limits[0]) is None


@clause("MAC-41")
@pytest.mark.parametrize(
    ("ante_cents", "least_cents"),
    [(500, 50_000_00), (45_37, 50_000_00), (45_38, 1_102 * 45_38), (100_00, 110_200_00)],
)
def test_a_limit_is_at_least_the_greater_of_50000_dollars_and_1102_antes(ante_cents: int, least_cents: int) -> None:
    antes = {"wagers__ante__min_cents": ante_cents, "wagers__ante__step_cents": 1}
    for enough in (least_cents, least_cents + 1):
        limited = game(BOOK, **antes, payout_limit__amount_cents=enough)
        assert limited.limit_cents(limited.book.payout_limits[0]) == enough
    with pytest.raises(BadInput) as refusal:
        game(BOOK, **antes, payout_limit__amount_cents=least_cents - 1)
    assert [problem.clauses for problem in refusal.value.problems] == [("MAC-41",)]


# --- settings ---

SETTINGS = [
    said("MAC-23", "community_area", "boxes"),
    said("MAC-1", "across_is", "horizontal"),
    said("MAC-20", "optional_wagers", ("five_card_bonus",)),
    said("MAC-20", "optional_wagers_by", "rules_submission"),
    said("MAC-32 MAC-36 MAC-37", "cross_references", "as_evidently_meant"),
    said("MAC-14", "ace_low_straight", True),
    said("MAC-15", "high_card_ranked", False),
    said("MAC-6", "opening_spread", "fan_columns"),
    said("MAC-12", "idle_spread", "face_down_unless_asked"),
    said("MAC-7", "shuffle_on_floor_order", True),
    said("MAC-9", "cut_after", ("manual", "preshuffled")),
    said("MAC-7", "preshuffled_skips_first_shuffle", False),
    said("MAC-13", "reshuffling_device_waives_cut", True),
    said("MAC-10", "cut_method", "insert_cover_card"),
    said("MAC-10", "cut_min_cards", 10),
    said("MAC-2", "cover_card", "required"),
    said("MAC-4", "deck_change_hours_hand", 4),
    said("MAC-4", "deck_change_hours_shoe", 8),
    said("MAC-16", "instruments", ("chips", "plaques", "approved_instruments")),
    said("MAC-16", "verbal_cash_refused", True),
    said("MAC-17", "leaving_mid_round", "may_be_abandoned"),
    said("MAC-28", "only_player_and_dealer_touch", True),
    said("MAC-28", "cards_in_full_view", True),
    said("MAC-21", "one_position_per_player", True),
    said("MAC-18", "wagers_close", "at_no_more_bets"),
    said("MAC-18", "after_lock_refused", ("make",)),
    said("MAC-29 MAC-31 MAC-32", "whole_multiples_only", False),
    said("MAC-23", "cards_go_to", "both_antes"),
    said("MAC-24", "stub_count_every", 5),
    said("MAC-24 MAC-26 MAC-27", "stub_count_methods", ("manual_shoe", "hand", "automated_shoe")),
    said("MAC-8 MAC-24", "counting_shuffler_exempts", True),
    said("MAC-25", "misdeal_areas", ("player", "community")),
    said("MAC-25 MAC-42 MAC-44 MAC-45 MAC-47", "void_returns_wagers", True),
    said("MAC-42", "face_up_card_counts_toward_deck", True),
    said("MAC-29 MAC-31 MAC-32", "decision_order", "clockwise_from_left"),
    said("MAC-29 MAC-31 MAC-32", "folder_cards_stay", False),
    said("MAC-35", "middle_bet_follows", "higher_hand"),
    said("MAC-41", "minimum_wager_bets_at", 1),
    said("MAC-36", "bonus_of_a_folder_settled", "at_that_seats_turn"),
    said("MAC-7 MAC-11", "supervisor_title", "floorperson or above"),
]
OPEN = [
    unsaid("void_keeps_settled", False),
    unsaid("layout_filing", "not_stated"),
    unsaid("odds_notice", "not_stated"),
    unsaid("odds_wording", "free"),
    unsaid("preinspected_skips_opening", False),
    unsaid("cover_card_with_automated_shoe", False),
    unsaid("deck_age_report_hours", 0),
    unsaid("hand_talk_forbidden", False),
    unsaid("breach_forfeits_all", False),
    unsaid("cards_untouched_after_decision", False),
    said("MAC-25", "misdealt_and_wrong_total", "remove_deck"),
    unsaid("payout_rounding", "down_to_the_cent"),
    unsaid("spin_trigger", "none"),
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
    said("MAC-42", "face_up_card.one", ["discard_card", "continue"], False),
    said("MAC-42", "face_up_card.several", VOID, False),
    said("MAC-43", "card_in_error.any", ["use_as_next_card"], False),
    said("MAC-44", "wrong_card_count.player", VOID, False),
    said("MAC-44", "wrong_card_count.community", VOID, False),
    said("MAC-45", "community_exposed.any", VOID, False),
    said("MAC-46", "shuffler_jam.any", ["reshuffle"], False),
    said("MAC-47", "shoe_jam.any", VOID, False),
    said("MAC-48", "device_out_of_order.any", ["cover_or_sign_device"], False),
    said("MAC-25", "stub_count_wrong.misdealt", VOID, False),
    said("MAC-25", "stub_count_wrong.not_misdealt", VOID_AND_NEW_DECK, False),
    said("MAC-25", "stub_count_wrong.misdealt_and_wrong_total", VOID_AND_NEW_DECK, True),
    said("MAC-8", "shuffler_count_wrong.any", ["remove_deck"], False),
    said("MAC-17", "player_leaves.any", ["floor_decides", "wagers_may_be_lost"], False),
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
        said("MAC-5", 0, "receive", "dealer"),
        said("MAC-5", 1, "inspect", "dealer"),
        said("MAC-5", 2, "verify", "floor"),
        said("MAC-6", 3, "spread", "dealer"),
        said("MAC-6", 4, "show", "player"),
        said("MAC-6", 5, "wash", "dealer"),
        said("MAC-6", 6, "stack", "dealer"),
        said("MAC-7", 7, "shuffle", "dealer"),
        said("MAC-9 MAC-10 MAC-11", 8, "cut", "dealer"),
        said("MAC-22 MAC-26 MAC-27", 9, "load", "dealer"),
    ],
)
def test_the_steps_of_opening_a_table(place: int, step: str, by: str) -> None:
    opening = part(BOOK, "opening")
    second = {"other_than": "inspect"} if step == "verify" else {}
    assert opening["steps"][place] == {"step": step, "by": by, **second}
    assert len(opening.pop("steps")) == 10
    assert opening == {}


CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"]
"""One card in the box farthest from the dealer, three in the second row, one in the box nearest."""
BY_CARD = {"at_a_time": 1, "methods": ["manual_shoe", "hand"]}
ANTES = ["ante_across", "ante_down"]
FIVE_CARD = ["five_card_bonus"]
FOLD = {"step": "decide", "collect_folds": "before_reveal"}


@pytest.mark.parametrize(
    ("place", "step", "expected"),
    [
        said(
            "MAC-18 MAC-19 MAC-20",
            0,
            "open_bets",
            {"step": "open_bets", "wagers": [*ANTES, "five_card_bonus"]},
        ),
        said("MAC-18 MAC-22", 1, "no_more_bets", {"step": "lock", "announces": "no more bets"}),
        said(
            "MAC-23 MAC-26 MAC-27",
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
        said("MAC-24 MAC-25 MAC-26 MAC-27", 3, "stub", {"step": "stub"}),
        said("MAC-29", 4, "decide_across", {**FOLD, "actions": bet_or_fold("across", ANTES, FIVE_CARD)}),
        said("MAC-30", 5, "reveal_across", {"step": "reveal", "cards": ["across_left", "across_right"]}),
        said(
            "MAC-31",
            6,
            "decide_down",
            {**FOLD, "actions": bet_or_fold("down", [*ANTES, "across"], FIVE_CARD)},
        ),
        said("MAC-31", 7, "reveal_down", {"step": "reveal", "cards": ["down_far", "down_near"]}),
        said(
            "MAC-32",
            8,
            "decide_middle",
            {**FOLD, "actions": bet_or_fold("middle", [*ANTES, "across", "down"], FIVE_CARD)},
        ),
        said("MAC-33", 9, "reveal_middle", {"step": "reveal", "cards": ["middle"]}),
        said(
            "MAC-33 MAC-34 MAC-35 MAC-36",
            10,
            "settle",
            {
                "step": "settle",
                "wagers": ["ante_across", "across", "ante_down", "down", "middle", "five_card_bonus"],
            },
        ),
        said("MAC-37", 11, "discard", {"step": "discard"}),
        said("MAC-7 MAC-9", 12, "shuffle", {"step": "shuffle"}),
    ],
)
def test_the_round_step_by_step(place: int, step: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "script", place) == {"id": step, **expected}
    assert names(BOOK, "script")[13:] == []


@clause_data("MAC-29", "MAC-31", "MAC-32", "MAC-33")
def test_decisions_go_clockwise_from_the_left_and_hands_are_turned_from_the_right() -> None:
    script = load(BOOK).script
    assert [step.order for step in script if isinstance(step, Decide)] == ["clockwise"] * 3
    assert [step.order for step in script if isinstance(step, Settle)] == ["counter_clockwise"]


# --- what the operator chooses ---

CENTS = {"kind": "cents", "min": 1}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        unsaid("operator", {"kind": "text", "default": "Crossfelt, for play money"}),
        said(
            "MAC-22 MAC-26 MAC-27",
            "dealing.method",
            {"kind": "one_of", "of": ["manual_shoe", "hand", "automated_shoe"], "default": "manual_shoe"},
        ),
        said(
            "MAC-7 MAC-8",
            "dealing.shuffler",
            {"kind": "one_of", "of": ["none", "automatic", "counting"], "default": "none"},
        ),
        said("MAC-13", "dealing.reshuffling_device", {"kind": "flag", "default": False}),
        said("MAC-2 MAC-3", "dealing.decks", {"kind": "whole", "min": 1, "max": 2, "default": 1}),
        said("MAC-9", "dealing.preshuffled", {"kind": "flag", "default": False}),
        said("MAC-19", "wagers.ante.min_cents", {**CENTS, "default": 5_00}),
        said("MAC-19", "wagers.ante.max_cents", {**CENTS, "default": 500_00}),
        said("MAC-16", "wagers.ante.step_cents", {**CENTS, "default": 1_00}),
        said("MAC-20", "wagers.five_card_bonus.offered", {"kind": "flag", "default": True, "must_state": True}),
        unsaid("wagers.five_card_bonus.min_cents", {**CENTS, "default": 1_00}),
        unsaid("wagers.five_card_bonus.max_cents", {**CENTS, "default": 100_00}),
        unsaid("wagers.five_card_bonus.step_cents", {**CENTS, "default": 1_00}),
        unsaid("status", {"kind": "one_of", "of": ["draft", "filed"], "default": "draft"}),
        said(
            "MAC-22",
            "approvals.manual_shoe_location",
            {
                "kind": "text",
                "default": "illustrative",
                "illustrative": True,
                "only_if": {"dealing.method": "manual_shoe"},
            },
        ),
        said(
            "MAC-13",
            "approvals.reshuffling_device",
            {"kind": "text", "only_if": {"dealing.reshuffling_device": True}},
        ),
        said("MAC-41", "payout_limit.amount_cents", CENTS),
        said("MAC-17", "play.decision_seconds", {"kind": "whole", "min": 0, "max": 600, "default": 0}),
        said(
            "MAC-17",
            "play.on_timeout",
            {"kind": "one_of", "of": ["fold", "smallest_bet"], "default": "fold"},
        ),
    ],
)
def test_choices_of_the_operator(path: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "choice", path) == {"path": path, **expected}


def test_the_operator_has_no_other_choices() -> None:
    assert len(names(BOOK, "choice")) == 19
    assert len(names(BOOK, "requirement")) == 4


SHUFFLER = {"dealing.shuffler": {"in": ["automatic", "counting"]}}


@pytest.mark.parametrize(
    ("when", "must"),
    [
        said("MAC-26", {"dealing.method": ["hand"]}, SHUFFLER, name="hand"),
        said("MAC-3", {"dealing.decks": [2]}, SHUFFLER, name="two decks"),
        said(
            "MAC-13",
            {"dealing.reshuffling_device": [True]},
            {"approvals.reshuffling_device": {"stated": True}},
            name="reshuffling device",
        ),
        said(
            "MAC-22",
            {"dealing.method": ["manual_shoe"]},
            {"approvals.manual_shoe_location": {"stated": True}},
            name="manual shoe",
        ),
    ],
)
def test_choices_that_bind_others(when: dict[str, Any], must: dict[str, Any]) -> None:
    assert binds(BOOK, when, must)


@pytest.mark.parametrize(
    ("stated", "path", "clauses"),
    [
        shown("MAC-26", {"dealing__method": "hand"}, "dealing.shuffler", ("MAC-26",), name="hand"),
        shown("MAC-3", {"dealing__decks": 2}, "dealing.shuffler", ("MAC-3",), name="two decks"),
        shown(
            "MAC-13",
            {"dealing__reshuffling_device": True},
            "approvals.reshuffling_device",
            ("MAC-13",),
            name="an unapproved device",
        ),
        shown("MAC-20", {"wagers__bonus_spin__offered": True}, "wagers.bonus_spin", ("MAC-20",), name="spin"),
    ],
)
def test_a_submission_against_the_document_is_refused_with_the_clause(
    stated: dict[str, Any], path: str, clauses: tuple[str, ...]
) -> None:
    assert complaints(BOOK, nested(**stated)) == [(path, clauses)]


@clause("MAC-3", "MAC-26")
@pytest.mark.parametrize("shuffler", ["automatic", "counting"])
def test_a_shuffler_allows_a_hand_deal_and_a_second_deck(shuffler: str) -> None:
    stated = nested(dealing__method="hand", dealing__decks=2, dealing__shuffler=shuffler)
    assert complaints(BOOK, stated) == []
