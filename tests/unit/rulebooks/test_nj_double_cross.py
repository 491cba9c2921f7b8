"""Double Cross Poker in New Jersey: a second reading of N.J.A.C. 19:47-25.

Expected values are written here from the document, not from the rulebook. Records omit the
defaults of their fields in `crossfelt.rulebooks.model`.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from crossfelt.cards.card import Card
from crossfelt.errors import BadInput
from crossfelt.hands.poker import rank_three
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.script import Decide, Settle
from unit.rulebooks.document_cases import (
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
    parts,
    pay_lines,
    said,
    settled,
    shown,
    unsaid,
)

BOOK = "nj-double-cross"
clause = pytest.mark.clause
clause_data = pytest.mark.clause_data

# --- table, deck, hands ---


def test_six_players_as_for_criss_cross() -> None:
    table = part(BOOK, "table")
    del table["layout"], table["fixtures"]
    assert table == {"seats": 6}


@clause_data("DCP-4")
def test_one_deck_of_52_cards() -> None:
    assert part(BOOK, "deck") == {"cards": 52}


@clause_data("DCP-2a", "DCP-30")
def test_the_layout_has_an_area_for_each_wager_and_shows_the_limit() -> None:
    assert part(BOOK, "table")["layout"] == {
        "rows": [["ante"], ["raise"]],
        "optional": ["three_card"],
        "shows": ["operator_name", "payout_limit_or_sign"],
    }


@clause_data("DCP-9")
def test_chip_tray_discard_rack_and_community_area() -> None:
    assert part(BOOK, "table")["fixtures"] == {"items": ["chip_tray", "discard_rack", "community_area"]}


CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"]


@clause_data("DCP-2", "DCP-3a")
def test_five_cards_lie_in_a_cross_and_players_and_dealer_have_two() -> None:
    assert parts(BOOK, "group") == [
        {"id": "hole", "owner": "positions", "cards": 2, "places": ["hole_1", "hole_2"], "shape": "pair"},
        {"id": "cross", "owner": "community", "cards": 5, "places": CROSS, "shape": "cross"},
    ]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        said("DCP-2", "vertical", {"of": ["hole", "down_far", "middle", "down_near"], "order": "five_card"}),
        said("DCP-2", "horizontal", {"of": ["hole", "across_left", "middle", "across_right"], "order": "five_card"}),
        said("DCP-3", "three_card", {"of": ["hole", "down_far"], "order": "three_card"}),
        said("DCP-23", "played", {"chosen_of": ["vertical", "horizontal"]}),
        said("DCP-24", "better", {"highest_of": ["vertical", "horizontal"]}),
    ],
)
def test_the_cards_of_each_hand(hand: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "hand", hand) == {"id": hand, **expected}


# --- wagers ---

AGAINST = {"versus": ["played", "dealer.better"], "tie": "push"}
PER_RAISE = {"pay": "raise", "on": "played"}


@pytest.mark.parametrize(
    ("wager", "expected"),
    [
        said(
            "DCP-1 DCP-25",
            "ante",
            {
                "required": True,
                "match_play": True,
                "stake": {"posted": "ante"},
                "settle": [{**AGAINST, "win": "1 to 1"}],
            },
        ),
        said(
            "DCP-1 DCP-23 DCP-28",
            "raise",
            {"stake": {"of": "ante", "min": 2, "max": 2}, "parts": 2, "settle": [{**AGAINST, "win": PER_RAISE}]},
        ),
        said(
            "DCP-3 DCP-15 DCP-21 DCP-29",
            "three_card",
            {
                "stake": {"posted": "three_card", "within_cents": [1_00, 100_00]},
                **paid("three_card", "three_card"),
                "needs": ["ante"],
            },
        ),
    ],
)
def test_each_wager(wager: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "wager", wager) == {"id": wager, **expected}
    assert names(BOOK, "wager") == ["ante", "raise", "three_card"]


# --- what they pay ---

RAISE = {
    "royal_flush": "300 to 1",
    "straight_flush": "50 to 1",
    "four_of_a_kind": "15 to 1",
    "full_house": "7 to 1",
    "flush": "6 to 1",
    "straight": "5 to 1",
    "three_of_a_kind": "3 to 1",
    "two_pair": "3 to 2",
}
THREE_CARD = {
    "straight_flush": "40 to 1",
    "three_of_a_kind": "30 to 1",
    "straight": "6 to 1",
    "flush": "4 to 1",
    "one_pair": "1 to 1",
}


@pytest.mark.parametrize(
    ("table", "hand", "lines"),
    [
        said("DCP-28", "raise", "five_card", RAISE | {"one_pair": "1 to 1", "high_card": "1 to 1"}),
        said("DCP-12 DCP-29", "three_card", "three_card", THREE_CARD),
    ],
)
def test_the_lines_of_each_pay_table(table: str, hand: str, lines: dict[str, str]) -> None:
    assert pay_lines(BOOK, table) == list(lines.items())
    found = part(BOOK, "paytable", table)
    del found["lines"]
    assert found == {"id": table, "order": hand, "odds_are": "minimum"}


@clause("DCP-28")
def test_every_hand_that_beats_the_dealer_pays_the_raises() -> None:
    assert every_hand(BOOK, "raise") == RAISE | pairs("23456789TJQKA", "1 to 1") | {"high_card": "1 to 1"}


@clause("DCP-29")
def test_a_quarter_of_all_three_card_hands_is_paid() -> None:
    pays = game(BOOK).pays["three_card"]
    paid = won = 0
    for cards in combinations(range(52), 3):
        odds = pays.odds_for(rank_three(tuple(map(Card, cards))))
        won += odds is not None
        paid += int(odds.ratio) + 1 if odds else 0
    assert (won, 22_100 - paid) == (5_660, 512)  # 25.61 % of the hands, and an edge of 2.317 %


# --- better odds, never worse ---


@pytest.mark.parametrize(
    ("table", "hand", "least"),
    [shown("DCP-28", "raise", hand, odds, name=f"raise, {hand}") for hand, odds in RAISE.items()]
    + [shown("DCP-28", "raise", hand, "1 to 1", name=f"raise, {hand}") for hand in ("one_pair", "high_card")]
    + [shown("DCP-29", "three_card", hand, odds, name=f"three cards, {hand}") for hand, odds in THREE_CARD.items()],
)
def test_odds_may_be_bettered_but_not_worsened(table: str, hand: str, least: str) -> None:
    first, last = (int(word) for word in least.split(" to "))
    path = f"pays.{table}.{hand}"
    for allowed in (least, f"{first + 1} to {last}"):
        assert complaints(BOOK, {"pays": {table: {hand: allowed}}}) == []
    for refused in (f"{10 * first - 1} to {10 * last}", f"{first + last} for {last}", f"{first + 9} for {last}"):
        ((where, clauses),) = complaints(BOOK, {"pays": {table: {hand: refused}}})
        assert where == path
        by_the_word = {"DCP-27"} if " for " in refused else set()
        assert set(clauses) == by_the_word | {"raise": {"DCP-28"}, "three_card": {"DCP-12", "DCP-29"}}[table]


# --- payout limit ---


@clause_data("DCP-30")
def test_the_payout_limit() -> None:
    assert part(BOOK, "payout_limit", 0) == {
        "rule": "at_least",
        "optional": True,
        "amount_cents": 60_000_00,
        "covers": ["raise"],
        "outside": ["ante", "three_card"],
        "notice_of_decrease": True,
    }


@clause("DCP-30")
@pytest.mark.parametrize(
    ("ante_cents", "least_cents"),
    [(5_00, 60_000_00), (99_83, 60_000_00), (99_84, 601 * 99_84), (200_00, 120_200_00)],
)
def test_a_limit_is_at_least_the_greater_of_60000_dollars_and_601_antes(ante_cents: int, least_cents: int) -> None:
    antes = {"wagers__ante__min_cents": ante_cents, "wagers__ante__step_cents": 1}
    unlimited = game(BOOK, **antes)
    assert unlimited.limit_cents(unlimited.book.payout_limits[0]) is None
    limited = game(BOOK, **antes, payout_limit__amount_cents=least_cents)
    assert limited.limit_cents(limited.book.payout_limits[0]) == least_cents
    with pytest.raises(BadInput) as refusal:
        game(BOOK, **antes, payout_limit__amount_cents=least_cents - 1)
    assert [problem.clauses for problem in refusal.value.problems] == [("DCP-30",)]


@clause("DCP-30")
def test_a_decrease_of_the_limit_needs_a_notice_unless_the_layout_shows_it() -> None:
    falls = {"payout_limit__previous_amount_cents": 70_000_00, "payout_limit__amount_cents": 60_000_00}
    with pytest.raises(BadInput, match=r"falls from \$70,000 to \$60,000 without a notice .*DCP-30"):
        game(BOOK, **falls)
    noticed = {"payout_limit__notice_posted_at": "Monday noon", "payout_limit__notice_posted_by": "floor 3"}
    assert game(BOOK, **falls, **noticed)
    assert game(BOOK, **falls, payout_limit__on_layout=True)
    assert game(BOOK, payout_limit__previous_amount_cents=70_000_00)  # no limit at all is no lower one


# --- settings ---

SETTINGS = [
    said("DCP-2a", "community_area", "right_of_chip_tray"),
    said("DCP-3 DCP-16", "top_card_is", "farthest_from_dealer"),
    said("DCP-27", "odds_wording", "to_never_for"),
    said("DCP-15", "optional_wagers", ("three_card",)),
    said("DCP-18 DCP-19 DCP-28", "cross_references", "as_evidently_meant"),
    said("DCP-36", "document_status", "adopted"),
    said("DCP-11", "ace_low_straight", True),
    said("DCP-11", "high_card_ranked", True),
    said("DCP-11 DCP-25", "kickers", "standard"),
    said("DCP-12", "three_card_straights", "both_ends"),
    said("DCP-6", "opening_spread", "by_suit_and_sequence"),
    said("DCP-10", "idle_spread", "either_way"),
    said("DCP-6", "preinspected_skips_opening", True),
    said("DCP-8", "cut_after", ("manual", "preshuffled")),
    said("DCP-7", "preshuffled_skips_first_shuffle", True),
    said("DCP-9", "cut_method", "lift_onto_cover_card"),
    said("DCP-9", "cut_min_cards", 10),
    said("DCP-4", "cover_card", "unlike_the_backs"),
    said("DCP-13", "instruments", ("chips", "plaques", "match_play")),
    said("DCP-13", "verbal_cash_refused", True),
    said("DCP-14", "leaving_mid_round", "must_stay"),
    said("DCP-22", "cards_in_full_view", True),
    said("DCP-22", "cards_untouched_after_decision", True),
    said("DCP-14", "wagers_close", "at_no_more_bets"),
    said("DCP-14", "after_lock_refused", ("make", "increase", "withdraw")),
    said("DCP-16 DCP-19", "cards_go_to", "ante"),
    said("DCP-17", "stub_count_every", 5),
    said("DCP-17 DCP-18 DCP-19", "stub_count_methods", ("manual_shoe", "hand", "automated_shoe")),
    said("DCP-17", "counting_shuffler_exempts", True),
    said("DCP-17", "misdeal_areas", ("player", "community", "dealer")),
    said("DCP-23", "decision_order", "clockwise_from_left"),
    said("DCP-30", "limit_covers_all_wagers", False),
    said("DCP-24", "dealer_line", "higher_hand"),
    said("DCP-25", "dealer_hand_push", "all_three_push"),
    said("DCP-6 DCP-10", "supervisor_title", "floorperson; casino supervisor for a new cut"),
]
OPEN = [
    unsaid("void_keeps_settled", False),
    unsaid("layout_filing", "not_stated"),
    unsaid("odds_notice", "not_stated"),
    said("DCP-15", "optional_wagers_by", "licensee"),
    unsaid("shuffle_on_floor_order", False),
    unsaid("reshuffling_device_waives_cut", False),
    unsaid("deck_change_hours_hand", 0),
    unsaid("deck_change_hours_shoe", 0),
    unsaid("deck_age_report_hours", 24),
    unsaid("only_player_and_dealer_touch", False),
    unsaid("one_position_per_player", False),
    unsaid("hand_talk_forbidden", False),
    unsaid("breach_forfeits_all", False),
    said("DCP-17", "misdealt_and_wrong_total", "remove_deck"),
    said("DCP-17 DCP-31 DCP-33 DCP-34", "void_returns_wagers", True),
    said("DCP-17 DCP-31", "face_up_card_counts_toward_deck", True),
    unsaid("middle_bet_follows", "none"),
    unsaid("payout_rounding", "down_to_the_cent"),
    said("DCP-23", "axis_disagreement", "floor_decides"),
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
    said("DCP-31", "face_up_card.one", ["discard_card", "continue"], False),
    said("DCP-31", "face_up_card.several", VOID, False),
    said("DCP-32", "card_in_error.any", ["use_as_next_card"], False),
    said("DCP-33", "wrong_card_count.player", VOID, False),
    said("DCP-33", "wrong_card_count.community", VOID, False),
    said("DCP-17 DCP-33", "wrong_card_count.dealer", VOID, False),
    said("DCP-20 DCP-24", "community_exposed.any", ["floor_decides"], True),
    said("DCP-34", "shuffler_jam.any", ["reshuffle"], False),
    said("DCP-34", "shoe_jam.any", VOID, False),
    said("DCP-35", "device_out_of_order.any", ["remove_device"], False),
    said("DCP-17", "stub_count_wrong.misdealt", VOID, False),
    said("DCP-17", "stub_count_wrong.not_misdealt", VOID_AND_NEW_DECK, False),
    said("DCP-17", "stub_count_wrong.misdealt_and_wrong_total", VOID_AND_NEW_DECK, True),
    said("DCP-17", "shuffler_count_wrong.any", ["remove_deck"], False),
    said("DCP-14", "player_leaves.any", ["floor_decides"], True),
    said("DCP-22", "conduct_breach.any", ["floor_decides"], True),
    said("DCP-23", "axis_disagreement.any", ["floor_decides"], True),
    said("DCP-23", "no_answer.any", ["floor_decides"], True),
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
        said("DCP-6", 0, "receive", "dealer"),
        said("DCP-6", 1, "inspect", "dealer"),
        said("DCP-6", 2, "verify", "floor"),
        said("DCP-6", 3, "spread", "dealer"),
        said("DCP-6", 4, "show", "player"),
        said("DCP-6", 5, "wash", "dealer"),
        said("DCP-6", 6, "stack", "dealer"),
        said("DCP-7", 7, "shuffle", "dealer"),
        said("DCP-8 DCP-9 DCP-10", 8, "cut", "dealer"),
        said("DCP-18 DCP-19 DCP-19a", 9, "load", "dealer"),
    ],
)
def test_the_steps_of_opening_a_table(place: int, step: str, by: str) -> None:
    opening = part(BOOK, "opening")
    second = {"other_than": "inspect"} if step == "verify" else {}
    assert opening["steps"][place] == {"step": step, "by": by, **second}
    assert len(opening.pop("steps")) == 10
    assert opening == {}


ALL_METHODS = ["manual_shoe", "hand", "automated_shoe"]
TWO_AT_ONCE = {"places": ["hole_1", "hole_2"], "at_a_time": 2, "methods": ALL_METHODS}
LEFT_TO_RIGHT_THEN_TOP_AND_BOTTOM = ["across_left", "middle", "across_right", "down_far", "down_near"]


@pytest.mark.parametrize(
    ("place", "step", "expected"),
    [
        said("DCP-14 DCP-15", 0, "open_bets", {"step": "open_bets", "wagers": ["ante", "three_card"]}),
        said("DCP-14 DCP-18 DCP-19", 1, "no_more_bets", {"step": "lock", "announces": "no more bets"}),
        said(
            "DCP-16 DCP-18 DCP-19",
            2,
            "deal",
            {
                "step": "deal",
                "deliver": [
                    {"to": "hole", "at_a_time": 2},
                    {"to": "cross", "places": LEFT_TO_RIGHT_THEN_TOP_AND_BOTTOM},
                ],
            },
        ),
        said("DCP-17 DCP-18 DCP-19", 3, "stub", {"step": "stub"}),
        said("DCP-20", 4, "reveal_first", {"step": "reveal", "cards": ["down_far", "across_right"]}),
        said(
            "DCP-21",
            5,
            "decide_three_card",
            {"step": "decide", "with": ["three_card"], "actions": [{"expose": "hole"}, {"forfeit": ["three_card"]}]},
        ),
        said(
            "DCP-21",
            6,
            "settle_three_card",
            {"step": "settle", "wagers": ["three_card"], "shows_hands": False, "losers_first": True},
        ),
        said(
            "DCP-1 DCP-23",
            7,
            "decide_play",
            {
                "step": "decide",
                "actions": [{"bet": "raise", "choose": "played"}, {"fold": True, "forfeits": ["ante"]}],
            },
        ),
        said("DCP-24", 8, "reveal_rest", {"step": "reveal", "cards": ["across_left", "middle", "down_near"]}),
        said("DCP-24", 9, "reveal_dealer", {"step": "reveal", "cards": ["dealer_hole_1", "dealer_hole_2"]}),
        said("DCP-25 DCP-26", 10, "settle", {"step": "settle", "wagers": ["ante", "raise"], "winners_stay": True}),
        said("DCP-26", 11, "discard", {"step": "discard"}),
        said("DCP-7 DCP-8", 12, "shuffle", {"step": "shuffle"}),
    ],
)
def test_the_round_step_by_step(place: int, step: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "script", place) == {"id": step, **expected}
    assert names(BOOK, "script")[13:] == []


@clause_data("DCP-23", "DCP-25")
def test_players_decide_from_the_left_and_hands_are_turned_from_the_right() -> None:
    script = load(BOOK).script
    decisions = [step for step in script if isinstance(step, Decide)]
    assert [(step.order, step.collect_folds) for step in decisions][1] == ("clockwise", "at_once")
    assert [step.order for step in script if isinstance(step, Settle)][1] == "counter_clockwise"


# --- what the operator chooses ---

CENTS = {"kind": "cents", "min": 1}
ONE_TO_100_DOLLARS = {"kind": "cents", "min": 1_00, "max": 100_00}
NO_SOURCE = {"default": "illustrative", "illustrative": True}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        unsaid("operator", {"kind": "text", "default": "Crossfelt, for play money"}),
        said("DCP-27", "layout.odds_on", {"kind": "one_of", "of": ["layout", "sign"], "default": "layout"}),
        said(
            "DCP-16 DCP-18 DCP-19",
            "dealing.method",
            {"kind": "one_of", "of": ALL_METHODS, "default": "manual_shoe"},
        ),
        said(
            "DCP-7 DCP-17",
            "dealing.shuffler",
            {"kind": "one_of", "of": ["none", "automatic", "counting"], "default": "none"},
        ),
        said("DCP-4 DCP-5", "dealing.decks", {"kind": "whole", "min": 1, "max": 2, "default": 1}),
        said("DCP-6 DCP-7 DCP-8", "dealing.preshuffled", {"kind": "flag", "default": False}),
        said("DCP-1", "wagers.ante.min_cents", {**CENTS, "default": 5_00}),
        said("DCP-1", "wagers.ante.max_cents", {**CENTS, "default": 500_00}),
        said("DCP-13", "wagers.ante.step_cents", {**CENTS, "default": 1_00}),
        said("DCP-15", "wagers.three_card.offered", {"kind": "flag", "default": True}),
        said("DCP-15", "wagers.three_card.min_cents", {**ONE_TO_100_DOLLARS, "default": 1_00}),
        said("DCP-15", "wagers.three_card.max_cents", {**ONE_TO_100_DOLLARS, "default": 100_00}),
        said("DCP-13", "wagers.three_card.step_cents", {**CENTS, "default": 1_00}),
        unsaid("status", {"kind": "one_of", "of": ["draft", "filed"], "default": "draft"}),
        said(
            "DCP-19a",
            "approvals.manual_shoe_location",
            {"kind": "text", **NO_SOURCE, "only_if": {"dealing.method": "manual_shoe"}},
        ),
        said("DCP-19a", "approvals.automated_shoe", {"kind": "text", "only_if": {"dealing.method": "automated_shoe"}}),
        said(
            "DCP-34",
            "approvals.shuffler_jam_procedures",
            {"kind": "text", **NO_SOURCE, "only_if": {"dealing.shuffler": ["automatic", "counting"]}},
        ),
        said(
            "DCP-34",
            "approvals.shoe_jam_procedures",
            {"kind": "text", **NO_SOURCE, "only_if": {"dealing.method": "automated_shoe"}},
        ),
        said("DCP-4", "approvals.cover_card", {"kind": "text", **NO_SOURCE}),
        said("DCP-30", "payout_limit.amount_cents", CENTS),
        said("DCP-30", "payout_limit.approval", {"kind": "text", **NO_SOURCE}),
        said("DCP-30", "payout_limit.on_layout", {"kind": "flag", "default": False}),
        said("DCP-30", "payout_limit.previous_amount_cents", CENTS),
        said("DCP-30", "payout_limit.notice_posted_at", {"kind": "text"}),
        said("DCP-30", "payout_limit.notice_posted_by", {"kind": "text"}),
        unsaid("play.decision_seconds", {"kind": "whole", "min": 0, "max": 600, "default": 0}),
        said(
            "DCP-23",
            "play.on_timeout",
            {"kind": "one_of", "of": ["fold", "floor_decides"], "default": "fold"},
        ),
        said(
            "DCP-21",
            "play.on_timeout_three_card",
            {"kind": "one_of", "of": ["expose", "decline"], "default": "expose"},
        ),
    ],
)
def test_choices_of_the_operator(path: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "choice", path) == {"path": path, **expected}


def test_the_operator_has_no_other_choices() -> None:
    assert len(names(BOOK, "choice")) == 28
    assert len(names(BOOK, "requirement")) == 8


@clause("DCP-15")
@pytest.mark.parametrize("bound", ["min_cents", "max_cents"])
def test_a_three_card_wager_is_from_one_to_a_hundred_dollars(bound: str) -> None:
    path = f"wagers__three_card__{bound}"
    for cents in (1_00, 100_00):
        assert complaints(BOOK, nested(**{path: cents})) == []
    for cents in (99, 100_01):
        stated = nested(**{path: cents, "wagers__three_card__step_cents": 1})
        assert complaints(BOOK, stated) == [(path.replace("__", "."), ("DCP-15",))]


SHUFFLER = {"dealing.shuffler": {"in": ["automatic", "counting"]}}


@pytest.mark.parametrize(
    ("when", "must"),
    [
        said("DCP-18", {"dealing.method": ["hand"]}, SHUFFLER, name="hand"),
        said("DCP-5", {"dealing.decks": [2]}, SHUFFLER, name="two decks"),
        said(
            "DCP-19a",
            {"dealing.method": ["manual_shoe"]},
            {"approvals.manual_shoe_location": {"stated": True}},
            name="manual shoe",
        ),
        said(
            "DCP-19a",
            {"dealing.method": ["automated_shoe"]},
            {"approvals.automated_shoe": {"stated": True}},
            name="automated shoe",
        ),
        said("DCP-4", {}, {"approvals.cover_card": {"stated": True}}, name="cover card"),
        said(
            "DCP-34",
            {"dealing.shuffler": ["automatic", "counting"]},
            {"approvals.shuffler_jam_procedures": {"stated": True}},
            name="shuffler",
        ),
        said(
            "DCP-34",
            {"dealing.method": ["automated_shoe"]},
            {"approvals.shoe_jam_procedures": {"stated": True}},
            name="jam of the shoe",
        ),
    ],
)
def test_choices_that_bind_others(when: dict[str, Any], must: dict[str, Any]) -> None:
    assert binds(BOOK, when, must)


@clause_data("DCP-30")
def test_a_stated_payout_limit_is_approved() -> None:
    assert {
        "when_stated": ["payout_limit.amount_cents"],
        "must": {"payout_limit.approval": {"stated": True}},
    } in parts(BOOK, "requirement")


@pytest.mark.parametrize(
    ("stated", "path", "clauses"),
    [
        shown("DCP-18", {"dealing__method": "hand"}, "dealing.shuffler", ("DCP-18",), name="hand"),
        shown("DCP-5", {"dealing__decks": 2}, "dealing.shuffler", ("DCP-5",), name="two decks"),
        shown(
            "DCP-19a",
            {"dealing__method": "automated_shoe"},
            "approvals.automated_shoe",
            ("DCP-19a",),
            name="automated shoe",
        ),
        shown(
            "DCP-15",
            {"wagers__five_card_bonus__offered": True},
            "wagers.five_card_bonus",
            ("DCP-15",),
            name="a wager of another game",
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
        shown("DCP-18", {"dealing__method": "hand", "dealing__shuffler": "automatic"}, name="hand"),
        shown("DCP-18", {"dealing__method": "hand", "dealing__shuffler": "counting"}, name="hand, counting shuffler"),
        shown("DCP-5", {"dealing__decks": 2, "dealing__shuffler": "counting"}, name="two decks"),
        shown(
            "DCP-19a",
            {"dealing__method": "automated_shoe", "approvals__automated_shoe": "2004/11"},
            name="automated shoe",
        ),
    ],
)
def test_a_submission_within_the_document_is_accepted(stated: dict[str, Any]) -> None:
    assert complaints(BOOK, nested(**stated)) == []
