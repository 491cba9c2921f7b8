"""Pai Gow Poker in New Jersey: a second reading of the proposal of N.J.A.C. 13:69F-11.14A.

The document prints only what it changes. Cases without a clause are house rules: the base game of 11.1 to 11.13,
the imperial bonus of 11.20 and the seven-card bonus of 11.17, from public texts of sister games. Records
omit the defaults of their fields in `crossfelt.rulebooks.model`.
"""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.script import Compare, Settle
from unit.rulebooks.document_cases import (
    binds,
    complaints,
    game,
    left_open,
    names,
    nested,
    paid,
    part,
    parts,
    pay_lines,
    said,
    settled,
    shown,
    unsaid,
)

BOOK = "nj-pai-gow"
clause = pytest.mark.clause
clause_data = pytest.mark.clause_data

# --- table and deck ---


def test_six_players_and_the_dealer() -> None:
    table = part(BOOK, "table")
    del table["fixtures"]
    assert table == {
        "seats": 6,
        "layout": {
            "rows": [["main"]],
            "optional": ["progressive_player", "progressive_dealer", "imperial", "seven_card", "queens_dragon"],
            "shows": ["operator_name"],
        },
    }


@clause_data("PGP-15", "PGP-18")
def test_the_progressive_system_has_a_screen() -> None:
    items = ["chip_tray", "discard_rack", "dice_shaker", "progressive_display"]
    assert part(BOOK, "table")["fixtures"] == {"items": items}


@clause_data("PGP-28")
def test_52_cards_and_a_joker() -> None:
    assert part(BOOK, "deck") == {"cards": 53}


@clause_data("PGP-15")
def test_players_and_dealer_have_seven_cards() -> None:
    places = [f"card_{number}" for number in range(1, 8)]
    assert parts(BOOK, "group") == [{"id": "cards", "owner": "positions", "cards": 7, "places": places, "shape": "fan"}]


def test_seven_cards_are_set_as_two_hands_by_the_house_way_or_by_choice() -> None:
    assert parts(BOOK, "split") == [{"id": "setting", "of": "cards", "into": ["high", "low"], "house_way": "house_way"}]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        unsaid("high", {"split": "setting", "order": "joker_five"}),
        unsaid("low", {"split": "setting", "order": "two_card"}),
        said("PGP-2 PGP-3 PGP-4", "seven", {"of": ["cards"], "order": "joker_seven"}),
        unsaid(
            "unpaired",
            {"of": ["cards"], "order": "joker_high_card", "marks": {"queen_high": {"is": {"hand": "queen_high"}}}},
        ),
        said("PGP-16", "jackpot", {"of": ["cards"], "order": "progressive_seven"}),
        unsaid("fortune", {"of": ["cards"], "order": "seven_card_bonus"}),
    ],
)
def test_the_cards_of_each_hand(hand: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "hand", hand) == {"id": hand, **expected}


# --- wagers ---


MAIN = [
    {"where": {"ez_variation": True}, "when": {"bank.unpaired": "queen_high"}, "odds": "push"},
    {"versus_each": [["high", "bank.high"], ["low", "bank.low"]], "by_wins": ["lose", "push", "1 to 1"]},
]
DRAGON = [{"when": {"dealer.unpaired": "queen_high"}, "odds": "50 to 1"}]
OWN_HAND = {"pay": "imperial_player", "on": "seven"}
IMPERIAL = [
    {
        "where": {"imperial_banker_hand": "dealer"},
        "pays": [OWN_HAND, {"pay": "imperial_banker", "on": "dealer.unpaired"}],
    },
    {"pays": [OWN_HAND, {"pay": "imperial_banker", "on": "bank.unpaired"}]},
]


@pytest.mark.parametrize(
    ("wager", "expected"),
    [
        said(
            "PGP-11",
            "main",
            {
                "required": True,
                "stake": {"posted": "main"},
                "settle": MAIN,
                "commission": {"where": {"ez_variation": False}},
            },
        ),
        said(
            "PGP-6 PGP-14 PGP-16",
            "progressive_player",
            {
                "stake": {"posted": "progressive_player"},
                "unit": "credits",
                **paid("progressive", "jackpot"),
                "also_pays": ["progressive_bonus"],
                "needs": ["main"],
            },
        ),
        said(
            "PGP-6 PGP-14 PGP-16",
            "progressive_dealer",
            {
                "stake": {"posted": "progressive_dealer"},
                "unit": "credits",
                **paid("progressive", "dealer.jackpot"),
                "also_pays": ["progressive_bonus"],
                "needs": ["main"],
            },
        ),
        said(
            "PGP-8 PGP-13",
            "imperial",
            {
                "stake": {"posted": "imperial"},
                "settle": IMPERIAL,
                "needs": ["main"],
            },
        ),
        said(
            "PGP-8 PGP-13",
            "seven_card",
            {
                "stake": {"posted": "seven_card"},
                **paid("seven_card", "fortune"),
                "also_pays": ["seven_card_envy"],
                "needs": ["main"],
            },
        ),
        unsaid(
            "queens_dragon",
            {"stake": {"posted": "queens_dragon"}, "settle": DRAGON, "needs": ["main"]},
        ),
    ],
)
def test_each_wager(wager: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "wager", wager) == {"id": wager, **expected}


# --- what they pay ---

PROGRESSIVE = {
    "seven_card_straight_flush": "100 % of the meter",
    "five_aces": "10 % of the meter",
    "royal_flush": "500 to 1",
    "straight_flush": "100 to 1",
    "four_of_a_kind": "75 to 1",
    "full_house": "4 to 1",
}
IMPERIAL_PLAYER = {
    "five_aces": "1000 to 1",
    "royal_flush": "200 to 1",
    "straight_flush": "50 to 1",
    "four_of_a_kind": "25 to 1",
    "full_house": "5 to 1",
    "flush": "4 to 1",
    "straight": "2 to 1",
    "three_of_a_kind": "2 to 1",
}
IMPERIAL_BANKER = {"nine_high": "100 to 1", "ten_high": "20 to 1", "jack_high": "5 to 1"}
SEVEN_CARD = {
    "natural_seven_card_straight_flush": "8000 to 1",
    "royal_flush_and_royal_match": "2000 to 1",
    "seven_card_straight_flush_with_joker": "1000 to 1",
    "five_aces": "400 to 1",
    "royal_flush": "150 to 1",
    "straight_flush": "50 to 1",
    "four_of_a_kind": "25 to 1",
    "full_house": "5 to 1",
    "flush": "4 to 1",
    "three_of_a_kind": "3 to 1",
    "straight": "2 to 1",
}
ENVY = {
    "natural_seven_card_straight_flush": "$5000",
    "royal_flush_and_royal_match": "$1000",
    "seven_card_straight_flush_with_joker": "$500",
    "five_aces": "$250",
    "royal_flush": "$50",
    "straight_flush": "$20",
    "four_of_a_kind": "$5",
}
LUCKY = {"lucky_player": "5 to 1", "lucky_dealer": "5 to 1"}


@pytest.mark.parametrize(
    ("table", "hand", "lines"),
    [
        said("PGP-16 PGP-23", "progressive.A", "progressive_seven", PROGRESSIVE),
        said("PGP-16 PGP-23", "progressive.B", "progressive_seven", PROGRESSIVE),
        said("PGP-16 PGP-23", "progressive.C", "progressive_seven", PROGRESSIVE),
        said("PGP-18 PGP-19", "progressive_bonus.A", "random_award", {"magic_card": "20 to 1", **LUCKY}),
        said("PGP-17 PGP-19", "progressive_bonus.B", "random_award", LUCKY),
        said("PGP-19", "progressive_bonus.C", "random_award", {}),
        unsaid("imperial_player", "joker_seven", IMPERIAL_PLAYER),
        unsaid("imperial_banker", "joker_high_card", IMPERIAL_BANKER),
        unsaid("seven_card", "seven_card_bonus", SEVEN_CARD),
        unsaid("seven_card_envy", "seven_card_bonus", ENVY),
    ],
)
def test_the_lines_of_each_pay_table(table: str, hand: str, lines: dict[str, str]) -> None:
    assert pay_lines(BOOK, table) == list(lines.items())
    found = part(BOOK, "paytable", table)
    found.pop("lines", None)
    table_id, _, letter = table.partition(".")
    of_letter = {"letter": letter} if letter else {}
    printed = {"illustrative": True} if table == "seven_card_envy" else {}
    assert found == {"id": table_id, **of_letter, "order": hand, **printed}


# --- meter and limit ---


@clause_data("PGP-16", "PGP-24", "PGP-27")
def test_both_progressive_wagers_feed_one_meter() -> None:
    assert part(BOOK, "meter", "pai_gow") == {
        "id": "pai_gow",
        "fed_by": ["progressive_player", "progressive_dealer"],
    }


def test_the_limit_of_the_imperial_bonus() -> None:
    assert part(BOOK, "payout_limit", 0) == {
        "rule": "at_least",
        "optional": True,
        "amount_cents": 40_000_00,
        "covers": ["imperial"],
        "outside": ["main", "progressive_player", "progressive_dealer", "seven_card", "queens_dragon"],
        "notice_of_decrease": True,
    }


@pytest.mark.parametrize(
    ("stake_cents", "least_cents"), [(1_00, 40_000_00), (36_36, 40_000_00), (36_37, 1_100 * 36_37)]
)
def test_the_limit_is_at_least_the_greater_of_40000_dollars_and_1100_wagers(stake_cents: int, least_cents: int) -> None:
    stakes = {"wagers__imperial__min_cents": stake_cents, "wagers__imperial__step_cents": 1}
    assert game(BOOK, **stakes, payout_limit__amount_cents=least_cents)
    with pytest.raises(BadInput, match=r"payout_limit\.amount_cents"):
        game(BOOK, **stakes, payout_limit__amount_cents=least_cents - 1)


# --- settings ---

SETTINGS = [
    said(
        "PGP-6 PGP-8",
        "optional_wagers",
        ("progressive_player", "progressive_dealer", "imperial", "seven_card", "queens_dragon"),
    ),
    said("PGP-14", "optional_wagers_by", "licensee"),
    said("PGP-8 PGP-18", "cross_references", "as_evidently_meant"),
    said("PGP-28a", "document_status", "proposal"),
    said("PGP-1", "ace_low_straight", True),
    said("PGP-6", "instruments", ("chips", "plaques", "match_play", "credits")),
    said("PGP-6 PGP-15", "wagers_close", "at_no_more_bets"),
    said("PGP-7", "surrender_until", "own_hands_exposed"),
    said("PGP-7", "surrender_barred_by", ("progressive_player", "progressive_dealer", "seven_card")),
    said(
        "PGP-9 PGP-10",
        "winning_bonus_keeps_cards",
        ("progressive_player", "progressive_dealer", "seven_card", "imperial"),
    ),
    said("PGP-12", "cards_held_for_papers", ("progressive_player", "progressive_dealer")),
    said("PGP-21", "award_checks", ("dealer", "supervisor")),
    said("PGP-21", "supervisor_title", "casino supervisor"),
    said("PGP-13", "side_wagers_banked_by", "house"),
    said("PGP-5 PGP-8 PGP-14", "progressive_hand_from", "seven_cards"),
    said("PGP-7 PGP-8 PGP-9 PGP-10 PGP-12 PGP-13", "progressive_sections", "keyed_by_section"),
    said("PGP-16 PGP-19", "progressive_tables_differ_in", "bonus_awards_only"),
    said("PGP-27", "progressive_minima", "rate_only"),
    said("PGP-16 PGP-27", "odds_paid_from", "meter"),
    said("PGP-16 PGP-19", "credit_returned_on_win", True),
    said("PGP-24 PGP-25 PGP-26", "meter_claims_order", "players_then_dealer"),
    said("PGP-24", "meter_after_full_award", "reset_amount"),
    said("PGP-25", "share_method", "equally"),
    said("PGP-26", "share_method_dealer", "equally"),
    said("PGP-17 PGP-18 PGP-19", "awards_add", True),
    said("PGP-2 PGP-16", "highest_category_only", True),
    said("PGP-18", "magic_card_in", "all_seven"),
    said("PGP-17", "lucky_player_goes_to", "wagered_seats"),
    said("PGP-17", "lucky_dealer_goes_to", "every_dealer_bettor"),
]
OPEN = [
    unsaid("layout_filing", "not_stated"),
    unsaid("odds_notice", "not_stated"),
    unsaid("odds_wording", "to_never_for"),
    said("PGP-28", "base_game_from", "house_rules"),
    unsaid("high_card_ranked", True),
    unsaid("kickers", "standard"),
    unsaid("wheel_second_highest", True),
    said("PGP-2 PGP-3 PGP-4", "joker_is", "ace_or_completes"),
    unsaid("opening_spread", "by_suit_and_sequence"),
    unsaid("idle_spread", "either_way"),
    unsaid("preinspected_skips_opening", True),
    unsaid("shuffle_on_floor_order", False),
    unsaid("cut_after", ("manual", "preshuffled")),
    unsaid("preshuffled_skips_first_shuffle", True),
    unsaid("reshuffling_device_waives_cut", False),
    unsaid("cut_method", "lift_onto_cover_card"),
    unsaid("cut_min_cards", 10),
    unsaid("cover_card", "unlike_the_backs"),
    unsaid("deck_change_hours_hand", 0),
    unsaid("deck_change_hours_shoe", 0),
    unsaid("deck_age_report_hours", 24),
    unsaid("verbal_cash_refused", True),
    unsaid("leaving_mid_round", "must_stay"),
    unsaid("only_player_and_dealer_touch", True),
    unsaid("cards_in_full_view", True),
    unsaid("one_position_per_player", False),
    unsaid("hand_talk_forbidden", False),
    unsaid("breach_forfeits_all", False),
    unsaid("cards_untouched_after_decision", True),
    said("PGP-15", "after_lock_refused", ("make", "increase", "withdraw")),
    unsaid("cards_go_to", "every_position"),
    unsaid("first_hand_by", "dice"),
    unsaid("first_hand_count", "counter_clockwise"),
    unsaid("stacks_delivered", "clockwise"),
    unsaid("cards_left_over", 4),
    unsaid("stub_count_every", 1),
    unsaid("stub_count_methods", ("manual_shoe", "hand", "automated_shoe")),
    unsaid("counting_shuffler_exempts", False),
    unsaid("misdeal_areas", ("player", "dealer")),
    unsaid("misdealt_and_wrong_total", "remove_deck"),
    unsaid("void_returns_wagers", True),
    unsaid("void_keeps_settled", False),
    unsaid("void_contributions", "reversed"),
    unsaid("decision_order", "any"),
    unsaid("foul_hand_loses", True),
    said("PGP-11", "copies_go_to", "dealer_or_bank"),
    unsaid("payout_rounding", "down_to_the_cent"),
    unsaid("commission_per_mille", 50),
    unsaid("commission_rounding", "exact"),
    said("PGP-7", "surrender_refund_per_mille", 0),
    said("PGP-7", "surrender_keeps", ("imperial", "queens_dragon")),
    unsaid("envy_for", "other_players"),
    said("PGP-14", "ez_variation", False),
    unsaid("bank_turns", "in_turn_house_first"),
    unsaid("bank_open_to", "played_last_round"),
    said("PGP-13", "bank_covers", "own_chips"),
    unsaid("dealer_wager_against_bank", "bankers_last_wager"),
    unsaid("bank_commission_on", "net_win"),
    said("PGP-13", "imperial_banker_hand", "dealer"),
    unsaid("co_bank_share_per_mille", 500),
    unsaid("co_bank_set_by", "house_way"),
    said("PGP-6 PGP-26", "dealer_hand_examined", "when_exposed"),
    said("PGP-25 PGP-26", "odd_cents_go_to", "first_seat_from_right"),
    said("PGP-18", "magic_card_from", 52),
    said("PGP-17", "lucky_stake_follows_hand", True),
]


@pytest.mark.parametrize(("name", "value"), SETTINGS)
def test_settings_that_the_document_settles(name: str, value: object) -> None:
    assert settled(BOOK, name) == value


@pytest.mark.parametrize(("name", "value"), OPEN)
def test_settings_that_the_document_leaves_open_are_marked_as_such(name: str, value: object) -> None:
    assert left_open(BOOK, name) == value


def test_every_setting_is_read_above() -> None:
    assert sorted(names(BOOK, "settings")) == sorted(case.values[0] for case in SETTINGS + OPEN)


# --- irregularities, on which the document is silent ---

VOID = ["void", "return_wagers", "reshuffle"]
VOID_AND_NEW_DECK = ["void", "return_wagers", "remove_deck"]

IRREGULARITIES = [
    unsaid("face_up_card.one", VOID),
    unsaid("face_up_card.several", VOID),
    unsaid("card_in_error.any", ["use_as_next_card"]),
    unsaid("wrong_card_count.player", VOID),
    unsaid("wrong_card_count.dealer", VOID),
    unsaid("shuffler_jam.any", ["reshuffle"]),
    unsaid("shoe_jam.any", VOID),
    unsaid("device_out_of_order.any", ["remove_device"]),
    unsaid("stub_count_wrong.misdealt", VOID),
    unsaid("stub_count_wrong.not_misdealt", VOID_AND_NEW_DECK),
    unsaid("stub_count_wrong.misdealt_and_wrong_total", VOID_AND_NEW_DECK),
    unsaid("shuffler_count_wrong.any", ["remove_deck"]),
    unsaid("player_leaves.any", ["floor_decides"]),
    unsaid("no_answer.any", ["floor_decides"]),
    unsaid("conduct_breach.any", ["floor_decides"]),
]


@pytest.mark.parametrize(("case", "then"), IRREGULARITIES)
def test_outcome_of_each_irregularity(case: str, then: list[str]) -> None:
    kind, _, of_it = case.partition(".")
    assert part(BOOK, "irregularities", kind)[of_it] == {"then": then, "silent": True}


def test_every_irregularity_is_read_above() -> None:
    irregularities = load(BOOK).irregularities
    cases = [f"{kind}.{case}" for kind, cases in irregularities.items() for case in cases]
    assert sorted(cases) == sorted(case.values[0] for case in IRREGULARITIES)


# --- opening the table, and the round ---


def test_the_steps_of_opening_a_table() -> None:
    steps = [
        *("receive", "inspect", "verify", "spread", "show", "wash", "stack", "shuffle", "cut", "load"),
    ]
    by = {"verify": "floor", "show": "player"}
    second = {"verify": {"other_than": "inspect"}}
    opening = {"steps": [{"step": step, "by": by.get(step, "dealer"), **second.get(step, {})} for step in steps]}
    assert part(BOOK, "opening") == opening


OPTIONAL = ["progressive_player", "progressive_dealer", "imperial", "seven_card", "queens_dragon"]
PAID_IN_TURN = ["main", "queens_dragon", "imperial", "seven_card", "progressive_player", "progressive_dealer"]
"""The main wager first, as the document has it; the order of the others is a house rule."""
SEVEN = [f"card_{number}" for number in range(1, 8)]


@pytest.mark.parametrize(
    ("place", "step", "expected"),
    [
        unsaid(0, "offer_bank", {"step": "offer_bank"}),
        said("PGP-6 PGP-14", 1, "open_bets", {"step": "open_bets", "wagers": ["main", *OPTIONAL]}),
        said(
            "PGP-15",
            2,
            "no_more_bets",
            {"step": "lock", "announces": "no more bets", "also": ["start_button"]},
        ),
        unsaid(3, "first_hand", {"step": "first_hand"}),
        said(
            "PGP-15",
            4,
            "deal",
            {
                "step": "deal",
                "deliver": [
                    {"to": "cards", "methods": ["manual_shoe", "hand"]},
                    {"to": "cards", "at_a_time": 7, "methods": ["automated_shoe"]},
                ],
            },
        ),
        unsaid(5, "stub", {"step": "stub"}),
        said("PGP-7", 6, "set_hands", {"step": "set_hands", "who": "players"}),
        said("PGP-8", 7, "set_dealer", {"step": "set_hands", "who": "dealer"}),
        said("PGP-8 PGP-9 PGP-11", 8, "compare", {"step": "compare", "wagers": PAID_IN_TURN}),
        said(
            "PGP-10 PGP-20 PGP-21 PGP-24 PGP-25",
            9,
            "settle",
            {
                "step": "settle",
                "wagers": PAID_IN_TURN[:-1],
                "shows_hands": False,
            },
        ),
        said(
            "PGP-10 PGP-20 PGP-21 PGP-24 PGP-26",
            10,
            "settle_dealer_hand",
            {"step": "settle", "wagers": ["progressive_dealer"], "shows_hands": False},
        ),
        said("PGP-12 PGP-20", 11, "discard", {"step": "discard"}),
        unsaid(12, "shuffle", {"step": "shuffle"}),
    ],
)
def test_the_round_step_by_step(place: int, step: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "script", place) == {"id": step, **expected}
    assert names(BOOK, "script")[13:] == []


@clause_data("PGP-8", "PGP-10", "PGP-25")
def test_hands_are_exposed_and_paid_from_the_right_the_main_wager_first() -> None:
    turns = [step for step in load(BOOK).script if isinstance(step, Compare | Settle)]
    assert [step.order for step in turns] == ["counter_clockwise"] * 3
    assert turns[1].wagers[0] == "main"


# --- what the operator chooses ---

CENTS = {"kind": "cents", "min": 1}
CREDITS = {"kind": "whole", "min": 1, "max": 1_000}
FILED = {"must_state": True}
IF_OFFERED = {"only_if": {"wagers.progressive_player.offered": True}}
NO_SOURCE = {"illustrative": True}
RATE = {"kind": "rate", "min": 0, "max": 1_000_000}


def _limits(wager: str, least: int, most: int) -> list[Any]:
    """The posted limits of a wager, which no document sets."""
    return [
        unsaid(f"wagers.{wager}.min_cents", {**CENTS, "default": least}),
        unsaid(f"wagers.{wager}.max_cents", {**CENTS, "default": most}),
        unsaid(f"wagers.{wager}.step_cents", {**CENTS, "default": 1_00}),
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        unsaid("operator", {"kind": "text", "default": "Crossfelt, for play money"}),
        unsaid("layout.odds_on", {"kind": "one_of", "of": ["layout", "sign"], "default": "layout"}),
        unsaid(
            "dealing.method",
            {"kind": "one_of", "of": ["manual_shoe", "hand", "automated_shoe"], "default": "manual_shoe"},
        ),
        unsaid("dealing.shuffler", {"kind": "one_of", "of": ["none", "automatic", "counting"], "default": "none"}),
        unsaid("dealing.decks", {"kind": "whole", "min": 1, "max": 2, "default": 1}),
        unsaid("dealing.preshuffled", {"kind": "flag", "default": False}),
        unsaid(
            "house_way",
            {
                "kind": "one_of",
                "of": ["trump_plaza", "foxwoods", "flamingo", "mgm", "casino_real"],
                "default": "trump_plaza",
            },
        ),
        said("PGP-13", "bank.offered", {"kind": "flag", "default": True}),
        said("PGP-13", "bank.co_bank_offered", {"kind": "flag", "default": True}),
        *_limits("main", 10_00, 500_00),
        said(
            "PGP-16 PGP-19",
            "wagers.progressive.paytable",
            {"kind": "one_of", "of": ["A", "B", "C"], "default": "A", **FILED, **IF_OFFERED},
        ),
        said("PGP-6", "wagers.progressive.credit_cents", {**CENTS, "default": 1_00, **IF_OFFERED}),
        said(
            "PGP-17",
            "wagers.progressive.lucky_player_per_million",
            {**RATE, "default": 10_000, **FILED, **IF_OFFERED, **NO_SOURCE},
        ),
        said(
            "PGP-17",
            "wagers.progressive.lucky_dealer_per_million",
            {**RATE, "default": 10_000, **FILED, **IF_OFFERED, **NO_SOURCE},
        ),
        said(
            "PGP-18",
            "wagers.progressive.magic_card_per_million",
            {**RATE, "default": 1_000_000, **FILED, **IF_OFFERED, **NO_SOURCE},
        ),
        said("PGP-14", "wagers.progressive_player.offered", {"kind": "flag", "default": True}),
        said("PGP-6", "wagers.progressive_player.min_credits", {**CREDITS, "default": 1}),
        said("PGP-6", "wagers.progressive_player.max_credits", {**CREDITS, "default": 5}),
        said("PGP-14", "wagers.progressive_dealer.offered", {"kind": "flag", "default": True}),
        said("PGP-6", "wagers.progressive_dealer.min_credits", {**CREDITS, "default": 1}),
        said("PGP-6", "wagers.progressive_dealer.max_credits", {**CREDITS, "default": 5}),
        said(
            "PGP-27",
            "meters.pai_gow.initial_cents",
            {"kind": "cents", "default": 25_000_00, **FILED, **IF_OFFERED, **NO_SOURCE},
        ),
        said(
            "PGP-27",
            "meters.pai_gow.reset_cents",
            {"kind": "cents", "default": 25_000_00, **FILED, **IF_OFFERED, **NO_SOURCE},
        ),
        said(
            "PGP-27",
            "meters.pai_gow.rate_per_million",
            {
                "kind": "rate",
                "min": 700_000,
                "max": 1_000_000,
                "default": 700_000,
                **FILED,
                **IF_OFFERED,
            },
        ),
        unsaid("meters.pai_gow.limit_cents", {"kind": "cents", **IF_OFFERED}),
        said("PGP-13", "wagers.imperial.offered", {"kind": "flag", "default": True}),
        *_limits("imperial", 1_00, 100_00),
        said("PGP-13", "wagers.seven_card.offered", {"kind": "flag", "default": True}),
        *_limits("seven_card", 1_00, 100_00),
        unsaid("wagers.seven_card.envy_min_cents", {**CENTS, "default": 5_00}),
        unsaid("wagers.queens_dragon.offered", {"kind": "flag", "default": False}),
        *_limits("queens_dragon", 1_00, 100_00),
        said("PGP-6", "approvals.progressive_system", {"kind": "text", "default": "illustrative", **NO_SOURCE}),
        unsaid("status", {"kind": "one_of", "of": ["draft", "filed"], "default": "draft"}),
        unsaid("approvals.automated_shoe", {"kind": "text", "only_if": {"dealing.method": "automated_shoe"}}),
        unsaid("payout_limit.amount_cents", CENTS),
        unsaid("payout_limit.on_layout", {"kind": "flag", "default": False}),
        unsaid("payout_limit.previous_amount_cents", CENTS),
        unsaid("payout_limit.notice_posted_at", {"kind": "text"}),
        unsaid("payout_limit.notice_posted_by", {"kind": "text"}),
        unsaid("play.decision_seconds", {"kind": "whole", "min": 0, "max": 600, "default": 0}),
        unsaid(
            "play.on_timeout",
            {"kind": "one_of", "of": ["house_way", "floor_decides"], "default": "house_way"},
        ),
    ],
)
def test_choices_of_the_operator(path: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "choice", path) == {"path": path, **expected}


def test_the_operator_has_no_other_choices() -> None:
    assert len(names(BOOK, "choice")) == 50
    assert len(names(BOOK, "requirement")) == 9


@clause("PGP-27")
def test_the_rate_of_progression_is_at_least_70_percent() -> None:
    assert complaints(BOOK, nested(meters__pai_gow__rate_per_million=700_000)) == []
    below = complaints(BOOK, nested(meters__pai_gow__rate_per_million=699_999))
    assert below == [("meters.pai_gow.rate_per_million", ("PGP-27",))]


SHUFFLER = {"dealing.shuffler": {"in": ["automatic", "counting"]}}
ON_PLAYER = {"wagers.progressive_player.offered": [True]}
ON_DEALER = {"wagers.progressive_dealer.offered": [True]}


@pytest.mark.parametrize(
    ("when", "must"),
    [
        said("", {"dealing.method": ["hand"]}, SHUFFLER, name="hand"),
        said("", {"dealing.decks": [2]}, SHUFFLER, name="two decks"),
        said(
            "",
            {"dealing.method": ["automated_shoe"]},
            {"approvals.automated_shoe": {"stated": True}},
            name="automated shoe",
        ),
        said("PGP-6", ON_PLAYER, {"wagers.progressive_dealer.offered": {"in": [True]}}, name="both hands"),
        said("PGP-6", ON_DEALER, {"wagers.progressive_player.offered": {"in": [True]}}, name="or neither"),
        said("PGP-6", ON_PLAYER, {"approvals.progressive_system": {"stated": True}}, name="approved system"),
        said("PGP-27", ON_PLAYER, {"meters.pai_gow.reset_cents": {"at_least": 1_000_00}}, name="least reset amount"),
        said(
            "",
            {"wagers.queens_dragon.offered": [True]},
            {"settings.ez_variation": {"in": [True]}},
            name="dragon",
        ),
        said("", {"bank.co_bank_offered": [True]}, {"bank.offered": {"in": [True]}}, name="co-bank"),
    ],
)
def test_choices_that_bind_others(when: dict[str, Any], must: dict[str, Any]) -> None:
    assert binds(BOOK, when, must)


@pytest.mark.parametrize(
    ("stated", "path", "clauses"),
    [
        shown("", {"dealing__method": "hand"}, "dealing.shuffler", (), name="hand"),
        shown("", {"dealing__decks": 2}, "dealing.shuffler", (), name="two decks"),
        shown(
            "PGP-6",
            {"wagers__progressive_dealer__offered": False},
            "wagers.progressive_dealer.offered",
            ("PGP-6",),
            name="on the player's hand only",
        ),
        shown(
            "PGP-6",
            {"wagers__progressive_player__offered": False},
            "wagers.progressive_player.offered",
            ("PGP-6",),
            name="on the dealer's hand only",
        ),
        shown("", {"wagers__queens_dragon__offered": True}, "settings.ez_variation", (), name="dragon without EZ"),
        shown("", {"bank__offered": False}, "bank.offered", (), name="co-bank without a bank"),
    ],
)
def test_a_submission_against_the_rules_is_refused(stated: dict[str, Any], path: str, clauses: tuple[str, ...]) -> None:
    assert complaints(BOOK, nested(**stated)) == [(path, clauses)]


@clause("PGP-6")
@pytest.mark.parametrize(
    "stated",
    [
        {"wagers__progressive_player__offered": False, "wagers__progressive_dealer__offered": False},
        {"wagers__queens_dragon__offered": True, "settings__ez_variation": True},
        {"wagers__progressive__paytable": "C"},
        {"settings__share_method": "by_credits", "settings__share_method_dealer": "by_credits"},
    ],
)
def test_a_submission_within_the_rules_is_accepted(stated: dict[str, Any]) -> None:
    assert complaints(BOOK, nested(**stated)) == []
