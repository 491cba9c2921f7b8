"""Criss Cross Poker in Maryland: a second reading of the Standard Rules of the Lottery and Gaming Control Agency.

Expected values are written here from the document, not from the rulebook. Records omit the
defaults of their fields in `crossfelt.rulebooks.model`.
"""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.script import Decide, Settle, Spin
from unit.rulebooks.document_cases import (
    bet_or_fold,
    binds,
    complaints,
    dollars_on,
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
    wheel,
)

BOOK = "md-criss-cross"
clause = pytest.mark.clause
clause_data = pytest.mark.clause_data

# --- table, deck, hands ---


@clause_data("MDC-2")
def test_six_players_on_one_side_of_the_table() -> None:
    table = part(BOOK, "table")
    del table["layout"], table["fixtures"]
    assert table == {"seats": 6}


@clause_data("MDC-3", "MDC-4")
def test_five_betting_areas_at_each_seat_and_one_for_each_optional_wager() -> None:
    layout = part(BOOK, "table")["layout"]
    assert layout == {
        "rows": [["ante_across", "ante_down"], ["across", "down"], ["middle"]],
        "optional": ["five_card_bonus", "bonus_spin", "bonus_spin_xtreme"],
        "community_labels": ["Down", "Middle", "Across"],
        "shows": ["operator_name", "odds_or_sign"],
    }
    assert sum(map(len, layout["rows"])) == 5


def test_drop_box_tip_box_and_discard_rack() -> None:
    assert part(BOOK, "table")["fixtures"] == {
        "items": ["drop_box", "tip_box", "discard_rack"],
        "variance": ["tip_box"],
    }


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
            "MDC-1 MDC-20 MDC-20a MDC-38",
            "ante_across",
            {"required": True, "group": "ante", "stake": {"posted": "ante"}, **paid("ante", "across")},
        ),
        said(
            "MDC-1 MDC-20 MDC-20a MDC-38",
            "ante_down",
            {"required": True, "group": "ante", "stake": {"posted": "ante"}, **paid("ante", "down")},
        ),
        said("MDC-31 MDC-38", "across", {"stake": ONE_TO_THREE_ANTES, **paid("bets", "across")}),
        said("MDC-32 MDC-38", "down", {"stake": ONE_TO_THREE_ANTES, **paid("bets", "down")}),
        said(
            "MDC-32 MDC-36",
            "middle",
            {"stake": ONE_TO_THREE_ANTES, "settle": MIDDLE},
        ),
        said(
            "MDC-21 MDC-40",
            "five_card_bonus",
            {
                "stake": {"posted": "five_card_bonus"},
                **paid("five_card_bonus", "community"),
                "needs": ["ante"],
            },
        ),
        said(
            "MDC-22 MDC-45",
            "bonus_spin",
            {"stake": {"by_paytable": True}, "settle": OWN_OR_OTHERS, "needs": ["ante"]},
        ),
        said(
            "MDC-23 MDC-50",
            "bonus_spin_xtreme",
            {"stake": {"cents": [1_00, 2_00, 5_00]}, "settle": [{"spin": "own"}], "needs": ["ante"]},
        ),
    ],
)
def test_each_wager(wager: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "wager", wager) == {"id": wager, **expected}


@clause_data("MDC-20a")
def test_there_are_no_other_wagers_and_no_dealer_hand() -> None:
    main = ["ante_across", "ante_down", "across", "down", "middle"]
    assert names(BOOK, "wager") == [*main, "five_card_bonus", "bonus_spin", "bonus_spin_xtreme"]
    assert {group.owner for group in load(BOOK).groups} == {"seat", "community"}


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
        said("MDC-38", "ante", EVEN_MONEY | JACKS_OR_BETTER),
        said("MDC-38", "bets", BETS | JACKS_OR_BETTER),
        said("MDC-40 MDC-40a", "five_card_bonus", BONUS | {"pair_6s_or_better": "6 to A: 1 to 1"}),
    ],
)
def test_the_lines_of_each_pay_table(table: str, lines: dict[str, str]) -> None:
    assert pay_lines(BOOK, table) == list(lines.items())
    found = part(BOOK, "paytable", table)
    del found["lines"]
    literal = {"instead": {"where": {"md_antes_at_table": True}, "pay": "bets"}} if table == "ante" else {}
    assert found == {"id": table, "order": "five_card"} | literal


@pytest.mark.parametrize(
    ("table", "outcomes"),
    [
        shown(
            "MDC-38",
            "ante",
            EVEN_MONEY | pairs("JQKA", "1 to 1") | pairs("6789T", "push") | pairs("2345", "lose") | NOTHING,
        ),
        shown(
            "MDC-38",
            "bets",
            BETS | pairs("JQKA", "1 to 1") | pairs("6789T", "push") | pairs("2345", "lose") | NOTHING,
        ),
        shown(
            "MDC-40",
            "five_card_bonus",
            BONUS | pairs("6789TJQKA", "1 to 1") | pairs("2345", "lose") | NOTHING,
        ),
    ],
)
def test_every_hand_is_paid_as_its_line_says(table: str, outcomes: dict[str, str]) -> None:
    assert every_hand(BOOK, table) == outcomes


@clause_data("MDC-38")
def test_antes_are_paid_at_the_table_of_the_bets_where_the_words_are_taken_literally() -> None:
    literal = game(BOOK, settings__md_antes_at_table=True).pays
    assert [line.odds for line in literal["ante"].lines] == [line.odds for line in literal["bets"].lines]
    read = game(BOOK).pays
    assert str(read["ante"].best_odds()) == "1 to 1"
    assert str(literal["ante"].best_odds()) == "500 to 1"


# --- Bonus Spin ---

SLICES_OF_A = ["top", 500, 200, 120, 70, 60, 35, 25, 18, 12, 11, 10]
SLICES_OF_B = ["top", 500, 250, 120, 60, 50, 30, 20, 18, 13, 12, 10]
SYMBOLS_OF_C_AND_D = ["top", 2500, 1000, 600, 350, 250, 75, 40, 70, 60, 50]
SLICES_OF_C_AND_D = ["top", 2500, 1000, 600, 350, 250, 250, 75, 40, 70, 60, 50]
"""Two slices come to $250: 200 and 50 for the others, and a plain 250."""


@pytest.mark.parametrize(
    ("letter", "stake_cents", "top", "slices"),
    [
        said("MDC-41 MDC-45", "A", 1_00, "fixed", SLICES_OF_A),
        said("MDC-42 MDC-45", "B", 1_00, "progressive", SLICES_OF_B),
        said("MDC-43 MDC-45", "C", 5_00, "fixed", SLICES_OF_C_AND_D),
        said("MDC-44 MDC-45", "D", 5_00, "progressive", SLICES_OF_C_AND_D),
    ],
)
def test_each_bonus_spin_wheel(letter: str, stake_cents: int, top: str, slices: list[object]) -> None:
    assert dollars_on(BOOK, f"bonus_spin.{letter}") == slices
    found = wheel(BOOK, f"bonus_spin.{letter}")
    assert (found.wager, found.ring, found.stake_cents, found.top) == ("bonus_spin", "spin", stake_cents, top)
    assert [each.community for each in found.slices] == [0, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0, 0]
    assert {each.position for each in found.slices} == {None}


@pytest.mark.parametrize("letter", [said("MDC-43", "C"), said("MDC-44", "D")])
def test_the_printed_symbols_of_c_and_d_are_the_amounts_of_the_slices(letter: str) -> None:
    assert list(dict.fromkeys(dollars_on(BOOK, f"bonus_spin.{letter}"))) == SYMBOLS_OF_C_AND_D


@pytest.mark.parametrize(
    ("place", "letter", "stake_cents", "amounts"),
    [
        said("MDC-48", 0, "A", 1_00, [[100_00, 20_00], [50_00, 10_00], [15_00, 3_00]]),
        said("MDC-48", 1, "B", 1_00, [[100_00, 25_00], [40_00, 10_00], [15_00, 3_00]]),
        said("MDC-48", 2, "C", 5_00, [[500_00, 100_00], [200_00, 50_00], [25_00, 15_00]]),
        said("MDC-48", 3, "D", 5_00, [[500_00, 100_00], [200_00, 50_00], [25_00, 15_00]]),
    ],
)
def test_each_community_pay_table(place: int, letter: str, stake_cents: int, amounts: list[list[int]]) -> None:
    assert part(BOOK, "community_pay", place) == {
        "wager": "bonus_spin",
        "letter": letter,
        "stake_cents": stake_cents,
        "amounts_cents": amounts,
    }
    slices = [each for each in wheel(BOOK, f"bonus_spin.{letter}").slices if each.community]
    totals = [sum(amount) for amount in amounts]
    if letter == "B":
        totals[0] = 120_00  # printed so, though 100 and 25 are 125
    assert [each.pays_cents for each in slices] == totals


# --- Bonus Spin Xtreme ---


@pytest.mark.parametrize(
    ("letter", "stake_cents", "amounts"),
    [
        said("MDC-49 MDC-50", "A", 1_00, [250, 100, 80, 75, 60, 50, 45, 40]),
        said("MDC-49 MDC-50", "B", 1_00, [250, 100, 80, 75, 70, 60, 55, 50]),
        said("MDC-49 MDC-50", "C", 1_00, [250, 200, 100, 80, 75, 60, 55, 50]),
        said("MDC-49 MDC-50", "D", 2_00, [500, 300, 250, 200, 150, 100, 80, 75]),
        said("MDC-49 MDC-50", "E", 2_00, [500, 300, 250, 200, 150, 125, 100, 80]),
        said("MDC-49 MDC-50", "F", 2_00, [500, 300, 250, 200, 175, 150, 125, 100]),
        said("MDC-49 MDC-50", "G", 5_00, [1000, 600, 500, 400, 350, 300, 250, 200]),
        said("MDC-49 MDC-50", "H", 5_00, [1000, 600, 500, 400, 350, 300, 250, 200]),
        said("MDC-49 MDC-50", "I", 5_00, [1000, 750, 600, 500, 400, 300, 250, 200]),
    ],
)
def test_each_hot_spot_wheel(letter: str, stake_cents: int, amounts: list[object]) -> None:
    name = f"bonus_spin_xtreme.hot_spot.{letter}"
    assert dollars_on(BOOK, name) == ["top", *amounts]
    found = wheel(BOOK, name)
    assert (found.stake_cents, found.top) == (stake_cents, "progressive")
    assert {(each.community, each.position) for each in found.slices} == {(0, None)}


@pytest.mark.parametrize(
    ("letter", "stake_cents", "amounts"),
    [
        said("MDC-51", "A", 1_00, [35, 25, 20, 15, 12, 10, 7, 5]),
        said("MDC-51", "B", 1_00, [40, 30, 25, 20, 15, 10, 7, 5]),
        said("MDC-51", "C", 1_00, [40, 30, 25, 20, 15, 10, 7, 5]),
        said("MDC-51", "D", 2_00, [60, 50, 40, 30, 25, 20, 15, 10]),
        said("MDC-51", "E", 2_00, [75, 50, 40, 30, 25, 20, 15, 10]),
        said("MDC-51", "F", 2_00, [75, 50, 40, 30, 25, 20, 15, 10]),
        said("MDC-51", "G", 5_00, [150, 125, 100, 75, 50, 40, 30, 25]),
        said("MDC-51", "H", 5_00, [150, 125, 100, 75, 60, 50, 40, 30]),
        said("MDC-51", "I", 5_00, [150, 125, 100, 75, 60, 50, 40, 35]),
    ],
)
def test_each_community_wheel(letter: str, stake_cents: int, amounts: list[object]) -> None:
    name = f"bonus_spin_xtreme.community.{letter}"
    assert dollars_on(BOOK, name) == amounts
    found = wheel(BOOK, name)
    assert (found.stake_cents, found.top) == (stake_cents, "none")
    assert {(each.community, each.position) for each in found.slices} == {(0, None)}


@clause_data("MDC-49", "MDC-51")
def test_there_are_no_other_wheels() -> None:
    assert names(BOOK, "wheel") == [
        *(f"bonus_spin.{letter}" for letter in "ABCD"),
        *(f"bonus_spin_xtreme.hot_spot.{letter}" for letter in "ABCDEFGHI"),
        *(f"bonus_spin_xtreme.community.{letter}" for letter in "ABCDEFGHI"),
    ]


def test_the_weights_are_illustrative_for_every_wheel() -> None:
    weights = {
        "spin": (1, 5, 50, 75, 100, 675, 200, 2200, 3400, 3000, 4744, 25550),
        "hot_spot": (1, 200, 400, 600, 1000, 1500, 2000, 2299, 2000),
        "community": (100, 200, 400, 800, 1500, 2000, 2500, 2500),
    }
    assert {found.name: found.illustrative_weights for found in load(BOOK).wheels} == {
        found.name: weights[found.ring] for found in load(BOOK).wheels
    }


@pytest.mark.parametrize(
    ("meter", "wager"),
    [said("MDC-46 MDC-47", "bonus_spin", "bonus_spin"), said("MDC-50", "xtreme", "bonus_spin_xtreme")],
)
def test_each_spin_wager_has_a_meter(meter: str, wager: str) -> None:
    assert part(BOOK, "meter", meter) == {"id": meter, "fed_by": [wager]}


# --- payout limit ---


@clause_data("MDC-39")
def test_the_payout_limit() -> None:
    assert part(BOOK, "payout_limit", 0) == {
        "rule": "at_most",
        "optional": False,
        "amount_cents": 50_000_00,
        "covers": ["ante_across", "ante_down", "across", "down", "middle"],
        "outside": ["five_card_bonus", "bonus_spin", "bonus_spin_xtreme"],
    }


@clause("MDC-39")
@pytest.mark.parametrize(
    ("ante_cents", "most_cents"),
    [(500, 50_000_00), (45_37, 50_000_00), (45_38, 1_102 * 45_38), (100_00, 110_200_00)],
)
def test_a_limit_is_between_1102_antes_and_the_greater_of_that_and_50000_dollars(
    ante_cents: int, most_cents: int
) -> None:
    antes = {"wagers__ante__min_cents": ante_cents, "wagers__ante__step_cents": 1}
    unstated = game(BOOK, **antes)
    assert unstated.limit_cents(unstated.book.payout_limits[0]) == most_cents
    least_cents = 1_102 * ante_cents
    for lower in (most_cents, (most_cents + least_cents) // 2, least_cents):
        limited = game(BOOK, **antes, payout_limit__amount_cents=lower)
        assert limited.limit_cents(limited.book.payout_limits[0]) == lower
    for beyond in (most_cents + 1, least_cents - 1, 1):
        with pytest.raises(BadInput) as refusal:
            game(BOOK, **antes, payout_limit__amount_cents=beyond)
        (problem,) = refusal.value.problems
        assert (problem.where, problem.value) == ("submission: payout_limit.amount_cents", beyond)
        assert problem.allowed == f"at least {least_cents:,} and at most {most_cents:,}"
        assert (problem.clauses, "AMB-10b" in problem.readings) == (("MDC-39",), True)


# --- settings ---

SETTINGS = [
    said("MDC-3", "layout_filing", "approved_by_commission"),
    said("MDC-3", "community_area", "in_front_of_chip_tray"),
    said("MDC-34", "across_is", "horizontal"),
    said("MDC-5", "odds_notice", "layout_or_sign_odds_or_amounts"),
    said(
        "MDC-4 MDC-21 MDC-22 MDC-23",
        "optional_wagers",
        ("five_card_bonus", "bonus_spin", "bonus_spin_xtreme"),
    ),
    said("MDC-21 MDC-22 MDC-23", "optional_wagers_by", "rules_submission"),
    said("MDC-27 MDC-31 MDC-52", "cross_references", "as_evidently_meant"),
    said("MDC-16", "high_card_ranked", False),
    said("MDC-10", "opening_spread", "fan_columns"),
    said("MDC-14", "idle_spread", "face_down_unless_asked"),
    said("MDC-10", "preinspected_skips_opening", True),
    said("MDC-11", "shuffle_on_floor_order", True),
    said("MDC-13", "cut_after", ("manual", "preshuffled")),
    said("MDC-11", "preshuffled_skips_first_shuffle", True),
    said("MDC-15", "reshuffling_device_waives_cut", True),
    said("MDC-13", "cut_method", "insert_cover_card"),
    said("MDC-13", "cut_min_cards", 10),
    said("MDC-8", "cover_card", "required"),
    said("MDC-9", "deck_change_hours_hand", 4),
    said("MDC-9", "deck_change_hours_shoe", 8),
    said("MDC-17", "instruments", ("chips", "plaques", "approved_instruments")),
    said("MDC-18", "leaving_mid_round", "may_be_abandoned"),
    said("MDC-28", "only_player_and_dealer_touch", True),
    said("MDC-28", "cards_in_full_view", True),
    said("MDC-29", "hand_talk_forbidden", True),
    said("MDC-30", "breach_forfeits_all", True),
    said("MDC-19", "wagers_close", "at_no_more_bets"),
    said("MDC-19", "after_lock_refused", ("make", "increase", "withdraw")),
    said("MDC-20", "whole_multiples_only", False),
    said("MDC-24", "cards_go_to", "any_wager"),
    said("MDC-25", "stub_count_every", 5),
    said("MDC-25 MDC-26 MDC-27", "stub_count_methods", ("manual_shoe", "hand", "automated_shoe")),
    said("MDC-12 MDC-25", "counting_shuffler_exempts", True),
    said("MDC-25", "misdeal_areas", ("player",)),
    said("MDC-25 MDC-54 MDC-55", "void_returns_wagers", True),
    said("MDC-31", "decision_order", "clockwise_from_left"),
    said("MDC-31 MDC-32", "folder_cards_stay", True),
    said("MDC-36", "middle_bet_follows", "either_line"),
    said("MDC-38", "md_antes_at_table", False),
    said("MDC-39", "minimum_wager_bets_at", 1),
    said("MDC-33", "bonus_of_a_folder_settled", "with_all_bonuses"),
    said("MDC-14", "supervisor_title", "floorperson or above"),
    said("MDC-22", "spin_trigger", "pair_in_hole_cards"),
    said("MDC-45", "spinner_gets", "printed_total"),
    said("MDC-48", "community_paid_by", "own_stake"),
    said("MDC-47", "several_spins", "one_each_from_right"),
    said("MDC-22", "spin_stake_by_paytable", True),
    said("MDC-42", "spin_b_first_slice_cents", 120_00),
    said("MDC-43 MDC-44", "spin_250_slices", 2),
    said("MDC-48", "community_tables_are", "c_and_d"),
    said("MDC-46", "minima_apply_to_fixed_prize", True),
    said("MDC-4", "spin_wagers_together", False),
    said("MDC-23", "xtreme_letters_by_stake", "abc_def_ghi"),
    said("MDC-50", "xtreme_minima_are", "initial_and_reset"),
    said("MDC-46 MDC-50", "progressive_minima", "by_paytable"),
]
OPEN = [
    unsaid("void_keeps_settled", False),
    unsaid("odds_wording", "free"),
    said("MDC-16", "ace_low_straight", True),
    unsaid("cover_card_with_automated_shoe", False),
    unsaid("deck_age_report_hours", 0),
    said("MDC-17", "verbal_cash_refused", True),
    unsaid("one_position_per_player", False),
    unsaid("cards_untouched_after_decision", False),
    said("MDC-25", "misdealt_and_wrong_total", "remove_deck"),
    unsaid("void_contributions", "reversed"),
    unsaid("face_up_card_counts_toward_deck", True),
    unsaid("payout_rounding", "down_to_the_cent"),
    said("MDC-31 MDC-32", "spin_after_fold", "by_the_letter"),
    unsaid("spin_stake_returned", False),
    unsaid("spins_happen", "end_of_round"),
    unsaid("xtreme_hot_spot_among", "wagered_seats"),
    unsaid("hot_spot_also_community", True),
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
    said("MDC-52", "face_up_card.one", VOID, False),
    said("MDC-52", "face_up_card.several", VOID, False),
    said("MDC-53", "card_in_error.any", ["use_as_next_card"], False),
    said("MDC-54", "wrong_card_count.player", VOID, False),
    said("MDC-54", "wrong_card_count.community", VOID, False),
    unsaid("community_exposed.any", ["floor_decides"], True),
    unsaid("shuffler_jam.any", ["reshuffle"], True),
    said("MDC-55", "shoe_jam.any", VOID, False),
    said("MDC-56", "device_out_of_order.any", ["cover_or_sign_device"], False),
    said("MDC-25", "stub_count_wrong.misdealt", VOID, False),
    said("MDC-25", "stub_count_wrong.not_misdealt", VOID_AND_NEW_DECK, False),
    said("MDC-25", "stub_count_wrong.misdealt_and_wrong_total", VOID_AND_NEW_DECK, True),
    said("MDC-12", "shuffler_count_wrong.any", ["remove_deck"], False),
    said("MDC-18", "player_leaves.any", ["floor_decides", "wagers_may_be_lost"], False),
    said("MDC-29 MDC-30", "conduct_breach.any", ["forfeit_all"], False),
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
        said("MDC-10", 0, "receive", "dealer"),
        said("MDC-10", 1, "inspect", "dealer"),
        said("MDC-10", 2, "verify", "floor"),
        said("MDC-10", 3, "spread", "dealer"),
        said("MDC-10", 4, "show", "player"),
        said("MDC-10", 5, "wash", "dealer"),
        said("MDC-10", 6, "stack", "dealer"),
        said("MDC-11", 7, "shuffle", "dealer"),
        said("MDC-13", 8, "cut", "dealer"),
        said("MDC-24 MDC-26 MDC-27", 9, "load", "dealer"),
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
OPTIONAL = ["five_card_bonus", "bonus_spin", "bonus_spin_xtreme"]
FOLD = {"step": "decide"}
"""Collected at once: the default."""


@pytest.mark.parametrize(
    ("place", "step", "expected"),
    [
        said("MDC-19 MDC-20", 0, "open_bets", {"step": "open_bets", "wagers": [*ANTES, *OPTIONAL]}),
        said(
            "MDC-6 MDC-19",
            1,
            "no_more_bets",
            {"step": "lock", "announces": "no more bets", "also": ["lock_out"]},
        ),
        said(
            "MDC-24 MDC-26 MDC-27",
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
        said("MDC-24 MDC-25 MDC-26 MDC-27", 3, "stub", {"step": "stub"}),
        said("MDC-31", 4, "decide_across", {**FOLD, "actions": bet_or_fold("across", ANTES, OPTIONAL)}),
        said("MDC-32", 5, "reveal_across", {"step": "reveal", "cards": ["across_left", "across_right"]}),
        said("MDC-32", 6, "decide_down", {**FOLD, "actions": bet_or_fold("down", [*ANTES, "across"], OPTIONAL)}),
        said("MDC-32", 7, "reveal_down", {"step": "reveal", "cards": ["down_far", "down_near"]}),
        said(
            "MDC-32",
            8,
            "decide_middle",
            {**FOLD, "actions": bet_or_fold("middle", [*ANTES, "across", "down"], OPTIONAL)},
        ),
        said("MDC-32", 9, "reveal_middle", {"step": "reveal", "cards": ["middle"]}),
        said(
            "MDC-33",
            10,
            "settle_bonus",
            {"step": "settle", "wagers": ["five_card_bonus"], "shows_hands": False},
        ),
        said(
            "MDC-34 MDC-35 MDC-36",
            11,
            "settle",
            {"step": "settle", "wagers": ["ante_across", "across", "ante_down", "down", "middle"]},
        ),
        said("MDC-45 MDC-47", 12, "spins", {"step": "spin", "wagers": ["bonus_spin"]}),
        said("MDC-50", 13, "xtreme_spin", {"step": "spin", "wagers": ["bonus_spin_xtreme"]}),
        said("MDC-37", 14, "discard", {"step": "discard"}),
        said("MDC-11 MDC-13", 15, "shuffle", {"step": "shuffle"}),
    ],
)
def test_the_round_step_by_step(place: int, step: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "script", place) == {"id": step, **expected}
    assert names(BOOK, "script")[16:] == []


@clause_data("MDC-31", "MDC-32", "MDC-33", "MDC-34", "MDC-47")
def test_folds_are_collected_at_once_and_hands_turned_from_the_right() -> None:
    script = load(BOOK).script
    decisions = [(step.order, step.collect_folds) for step in script if isinstance(step, Decide)]
    assert decisions == [("clockwise", "at_once")] * 3
    assert [step.order for step in script if isinstance(step, Settle | Spin)] == ["counter_clockwise"] * 4


# --- what the operator chooses ---

CENTS = {"kind": "cents", "min": 1}
IF_SPIN = {"only_if": {"wagers.bonus_spin.offered": True}}
IF_FIXED = {"only_if": {"wagers.bonus_spin.offered": True, "wagers.bonus_spin.paytable": ["A", "C"]}}
IF_OTHER = {"only_if": {"wagers.bonus_spin.offered": True, "wagers.bonus_spin.paytable_other": ["A", "C"]}}
IF_PROGRESSIVE = {"only_if": {"wagers.bonus_spin.offered": True, "wagers.bonus_spin.paytable": ["B", "D"]}}
IF_XTREME = {"only_if": {"wagers.bonus_spin_xtreme.offered": True}}


def community(*letters: str) -> dict[str, Any]:
    return {"kind": "one_of", "of": ["as_paytable", *letters], "default": "as_paytable"}


def if_xtreme(stake: int, letters: str) -> dict[str, Any]:
    own = {f"wagers.bonus_spin_xtreme.paytable_{stake}": list(letters)}
    return {"only_if": {"wagers.bonus_spin_xtreme.offered": True, **own}}


FILED = {"must_state": True}
NO_SOURCE = {"illustrative": True}
RATE = {"kind": "rate", "min": 0, "max": 1_000_000, "default": 70_000}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        said("MDC-3", "operator", {"kind": "text", "default": "Crossfelt, for play money"}),
        said("MDC-3", "layout.approval", {"kind": "text", "default": "illustrative", **NO_SOURCE}),
        said("MDC-5", "layout.odds_on", {"kind": "one_of", "of": ["layout", "sign"], "default": "layout"}),
        said(
            "MDC-24 MDC-26 MDC-27",
            "dealing.method",
            {"kind": "one_of", "of": ["manual_shoe", "hand", "automated_shoe"], "default": "manual_shoe"},
        ),
        said(
            "MDC-11 MDC-12",
            "dealing.shuffler",
            {"kind": "one_of", "of": ["none", "automatic", "counting"], "default": "none"},
        ),
        said("MDC-15", "dealing.reshuffling_device", {"kind": "flag", "default": False}),
        said("MDC-8", "dealing.decks", {"kind": "whole", "min": 1, "max": 2, "default": 1}),
        said("MDC-10 MDC-11", "dealing.preshuffled", {"kind": "flag", "default": False}),
        said("MDC-20", "wagers.ante.min_cents", {**CENTS, "default": 5_00}),
        said("MDC-20", "wagers.ante.max_cents", {**CENTS, "default": 500_00}),
        said("MDC-17", "wagers.ante.step_cents", {**CENTS, "default": 1_00}),
        said("MDC-21", "wagers.five_card_bonus.offered", {"kind": "flag", "default": True, **FILED}),
        unsaid("wagers.five_card_bonus.min_cents", {**CENTS, "default": 1_00}),
        unsaid("wagers.five_card_bonus.max_cents", {**CENTS, "default": 100_00}),
        unsaid("wagers.five_card_bonus.step_cents", {**CENTS, "default": 1_00}),
        said("MDC-22", "wagers.bonus_spin.offered", {"kind": "flag", "default": True, **FILED}),
        said(
            "MDC-40a",
            "wagers.bonus_spin.paytable",
            {"kind": "one_of", "of": ["A", "B", "C", "D"], "default": "D", **FILED, **IF_SPIN},
        ),
        said("MDC-48", "wagers.bonus_spin.community_paytable_1", {**community("A", "B"), **IF_SPIN}),
        said("MDC-48", "wagers.bonus_spin.community_paytable_5", {**community("C", "D"), **IF_SPIN}),
        said(
            "MDC-40a MDC-48",
            "wagers.bonus_spin.paytable_other",
            {"kind": "one_of", "of": ["none", "A", "C"], "default": "none", **IF_SPIN},
        ),
        said(
            "MDC-41 MDC-43",
            "wagers.bonus_spin.fixed_prize_other_cents",
            {**CENTS, "default": 10_000_00, **FILED, **IF_OTHER, **NO_SOURCE},
        ),
        said(
            "MDC-45",
            "wagers.bonus_spin.weights",
            {"kind": "weights", "default": "wheel", **FILED, **IF_SPIN, **NO_SOURCE},
        ),
        said(
            "MDC-41 MDC-43",
            "wagers.bonus_spin.fixed_prize_cents",
            {**CENTS, "default": 10_000_00, **FILED, **IF_FIXED, **NO_SOURCE},
        ),
        said(
            "MDC-46",
            "meters.bonus_spin.initial_cents",
            {"kind": "cents", "default": 10_000_00, **FILED, **IF_PROGRESSIVE, **NO_SOURCE},
        ),
        said(
            "MDC-46",
            "meters.bonus_spin.reset_cents",
            {"kind": "cents", "default": 10_000_00, **FILED, **IF_PROGRESSIVE, **NO_SOURCE},
        ),
        said("MDC-46", "meters.bonus_spin.rate_per_million", {**RATE, **FILED, **IF_PROGRESSIVE, **NO_SOURCE}),
        unsaid("meters.bonus_spin.limit_cents", {"kind": "cents", **IF_PROGRESSIVE}),
        said("MDC-23", "wagers.bonus_spin_xtreme.offered", {"kind": "flag", "default": False, **FILED}),
        said(
            "MDC-40a",
            "wagers.bonus_spin_xtreme.paytable_1",
            {"kind": "one_of", "of": ["none", "A", "B", "C"], "default": "A", **FILED, **IF_XTREME},
        ),
        said(
            "MDC-40a",
            "wagers.bonus_spin_xtreme.paytable_2",
            {"kind": "one_of", "of": ["none", "D", "E", "F"], "default": "D", **FILED, **IF_XTREME},
        ),
        said(
            "MDC-40a",
            "wagers.bonus_spin_xtreme.paytable_5",
            {"kind": "one_of", "of": ["none", "G", "H", "I"], "default": "G", **FILED, **IF_XTREME},
        ),
        *(
            said(
                "MDC-50 MDC-51",
                f"wagers.bonus_spin_xtreme.community_paytable_{stake}",
                {**community(*letters), **if_xtreme(stake, letters)},
            )
            for stake, letters in ((1, "ABC"), (2, "DEF"), (5, "GHI"))
        ),
        said(
            "MDC-23",
            "wagers.bonus_spin_xtreme.qualifying_hand",
            {
                "kind": "one_of",
                "of": ["pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"],
                "default": "three_of_a_kind",
                **FILED,
                **IF_XTREME,
                **NO_SOURCE,
            },
        ),
        said(
            "MDC-49",
            "wagers.bonus_spin_xtreme.hot_spot_weights",
            {"kind": "weights", "default": "wheel", **FILED, **IF_XTREME, **NO_SOURCE},
        ),
        said(
            "MDC-51",
            "wagers.bonus_spin_xtreme.community_weights",
            {"kind": "weights", "default": "wheel", **FILED, **IF_XTREME, **NO_SOURCE},
        ),
        said(
            "MDC-50",
            "meters.xtreme.initial_cents",
            {"kind": "cents", "default": 5_000_00, **FILED, **IF_XTREME, **NO_SOURCE},
        ),
        said(
            "MDC-50",
            "meters.xtreme.reset_cents",
            {"kind": "cents", "default": 1_000_00, **FILED, **IF_XTREME, **NO_SOURCE},
        ),
        said("MDC-50", "meters.xtreme.rate_per_million", {**RATE, **FILED, **IF_XTREME, **NO_SOURCE}),
        unsaid("meters.xtreme.limit_cents", {"kind": "cents", **IF_XTREME}),
        said(
            "MDC-6",
            "approvals.progressive_system",
            {"kind": "text", "default": "illustrative", **NO_SOURCE},
        ),
        unsaid("status", {"kind": "one_of", "of": ["draft", "filed"], "default": "draft"}),
        said(
            "MDC-24",
            "approvals.manual_shoe_location",
            {"kind": "text", "default": "illustrative", **NO_SOURCE, "only_if": {"dealing.method": "manual_shoe"}},
        ),
        said(
            "MDC-15",
            "approvals.reshuffling_device",
            {"kind": "text", "only_if": {"dealing.reshuffling_device": True}},
        ),
        unsaid("approvals.automated_shoe", {"kind": "text", "only_if": {"dealing.method": "automated_shoe"}}),
        said("MDC-39", "payout_limit.amount_cents", CENTS),
        said("MDC-18", "play.decision_seconds", {"kind": "whole", "min": 0, "max": 600, "default": 0}),
        said(
            "MDC-18",
            "play.on_timeout",
            {"kind": "one_of", "of": ["fold", "smallest_bet"], "default": "fold"},
        ),
    ],
)
def test_choices_of_the_operator(path: str, expected: dict[str, Any]) -> None:
    assert part(BOOK, "choice", path) == {"path": path, **expected}


def test_the_operator_has_no_other_choices() -> None:
    assert len(names(BOOK, "choice")) == 49
    assert len(names(BOOK, "requirement")) == 21


SHUFFLER = {"dealing.shuffler": {"in": ["automatic", "counting"]}}
SPIN = {"wagers.bonus_spin.offered": [True]}
XTREME = {"wagers.bonus_spin_xtreme.offered": [True]}
SYSTEM = {"approvals.progressive_system": {"stated": True}}


def _meter(cents: int) -> dict[str, Any]:
    return {f"meters.bonus_spin.{name}_cents": {"at_least": cents} for name in ("initial", "reset")}


def _prize(cents: int) -> dict[str, Any]:
    return {"wagers.bonus_spin.fixed_prize_other_cents": {"at_least": cents}}


def _fixed(letter: str, which: str = "") -> dict[str, Any]:
    letters = {f"wagers.bonus_spin.paytable{which}": [letter]}
    return {**SPIN, **letters, "settings.minima_apply_to_fixed_prize": [True]}


@pytest.mark.parametrize(
    ("when", "must"),
    [
        said("MDC-26", {"dealing.method": ["hand"]}, SHUFFLER, name="hand"),
        said("MDC-8", {"dealing.decks": [2]}, SHUFFLER, name="two decks"),
        said(
            "MDC-15",
            {"dealing.reshuffling_device": [True]},
            {"approvals.reshuffling_device": {"stated": True}},
            name="reshuffling device",
        ),
        said(
            "MDC-4",
            {**SPIN, "settings.spin_wagers_together": [False]},
            {"wagers.bonus_spin_xtreme.offered": {"in": [False]}},
            name="one spin wager",
        ),
        said("MDC-6", SPIN, SYSTEM, name="system for Bonus Spin"),
        said("MDC-6", XTREME, SYSTEM, name="system for Xtreme"),
        said("MDC-46", {**SPIN, "wagers.bonus_spin.paytable": ["B"]}, _meter(1_000_00), name="B"),
        said("MDC-46", {**SPIN, "wagers.bonus_spin.paytable": ["D"]}, _meter(5_000_00), name="D"),
        said(
            "MDC-46",
            _fixed("A"),
            {"wagers.bonus_spin.fixed_prize_cents": {"at_least": 1_000_00}},
            name="A",
        ),
        said(
            "MDC-46",
            _fixed("C"),
            {"wagers.bonus_spin.fixed_prize_cents": {"at_least": 5_000_00}},
            name="C",
        ),
        said(
            "MDC-48",
            {**SPIN, "wagers.bonus_spin.paytable": ["A", "B"]},
            {"wagers.bonus_spin.paytable_other": {"in": ["none", "C"]}},
            name="$5 beside $1",
        ),
        said(
            "MDC-48",
            {**SPIN, "wagers.bonus_spin.paytable": ["C", "D"]},
            {"wagers.bonus_spin.paytable_other": {"in": ["none", "A"]}},
            name="$1 beside $5",
        ),
        said(
            "MDC-22",
            {"wagers.bonus_spin.paytable_other": ["A", "C"]},
            {"settings.spin_stake_by_paytable": {"in": [True]}},
            name="two stakes",
        ),
        said("MDC-46", _fixed("A", "_other"), _prize(1_000_00), name="A as the second"),
        said("MDC-46", _fixed("C", "_other"), _prize(5_000_00), name="C as the second"),
        said(
            "MDC-50",
            {**XTREME, "wagers.bonus_spin_xtreme.paytable_1": ["A", "B", "C"]},
            {"meters.xtreme.initial_cents": {"at_least": 2_500_00}},
            name="Xtreme A to C",
        ),
        said(
            "MDC-50",
            {**XTREME, "wagers.bonus_spin_xtreme.paytable_2": ["D", "E", "F"]},
            {"meters.xtreme.initial_cents": {"at_least": 5_000_00}},
            name="Xtreme D to F",
        ),
        said(
            "MDC-50",
            {**XTREME, "wagers.bonus_spin_xtreme.paytable_5": ["G", "H", "I"]},
            {"meters.xtreme.initial_cents": {"at_least": 5_000_00}},
            name="Xtreme G to I",
        ),
        said(
            "MDC-50",
            XTREME,
            {"meters.xtreme.reset_cents": {"at_least": 1_000_00}},
            name="Xtreme reset",
        ),
        said(
            "MDC-24",
            {"dealing.method": ["manual_shoe"]},
            {"approvals.manual_shoe_location": {"stated": True}},
            name="manual shoe",
        ),
        said("MDC-3", {}, {"layout.approval": {"stated": True}}, name="layout"),
    ],
)
def test_choices_that_bind_others(when: dict[str, Any], must: dict[str, Any]) -> None:
    assert binds(BOOK, when, must)


@pytest.mark.parametrize(
    ("stated", "path", "clauses"),
    [
        shown("MDC-26", {"dealing__method": "hand"}, "dealing.shuffler", ("MDC-26",), name="hand"),
        shown("MDC-8", {"dealing__decks": 2}, "dealing.shuffler", ("MDC-8",), name="two decks"),
        shown(
            "MDC-15",
            {"dealing__reshuffling_device": True},
            "approvals.reshuffling_device",
            ("MDC-15",),
            name="an unapproved device",
        ),
        shown(
            "MDC-4",
            {"wagers__bonus_spin_xtreme__offered": True},
            "wagers.bonus_spin_xtreme.offered",
            ("MDC-4",),
            name="both spin wagers",
        ),
    ],
)
def test_a_submission_against_the_document_is_refused_with_the_clause(
    stated: dict[str, Any], path: str, clauses: tuple[str, ...]
) -> None:
    assert complaints(BOOK, nested(**stated)) == [(path, clauses)]


@clause("MDC-4")
def test_both_spin_wagers_may_be_offered_where_the_words_are_read_so() -> None:
    stated = nested(wagers__bonus_spin_xtreme__offered=True, settings__spin_wagers_together=True)
    assert complaints(BOOK, stated) == []


@clause("MDC-46")
@pytest.mark.parametrize(
    ("letter", "path", "least_cents"),
    [
        ("A", "wagers__bonus_spin__fixed_prize_cents", 1_000_00),
        ("B", "meters__bonus_spin__initial_cents", 1_000_00),
        ("B", "meters__bonus_spin__reset_cents", 1_000_00),
        ("C", "wagers__bonus_spin__fixed_prize_cents", 5_000_00),
        ("D", "meters__bonus_spin__initial_cents", 5_000_00),
        ("D", "meters__bonus_spin__reset_cents", 5_000_00),
    ],
)
def test_the_least_prize_or_meter_of_each_bonus_spin_table(letter: str, path: str, least_cents: int) -> None:
    table = {"wagers__bonus_spin__paytable": letter}
    assert complaints(BOOK, nested(**table, **{path: least_cents})) == []
    below = complaints(BOOK, nested(**table, **{path: least_cents - 1}))
    assert below == [(path.replace("__", "."), ("MDC-46",))]


NO_TABLES = {f"wagers__bonus_spin_xtreme__paytable_{dollars}": "none" for dollars in (1, 2, 5)}


@clause("MDC-50")
@pytest.mark.parametrize(
    ("stake", "letter", "least_cents"),
    [(1, letter, 2_500_00) for letter in "ABC"]
    + [(2, letter, 5_000_00) for letter in "DEF"]
    + [(5, letter, 5_000_00) for letter in "GHI"],
)
def test_the_least_meter_of_each_xtreme_table(stake: int, letter: str, least_cents: int) -> None:
    offered = {"wagers__bonus_spin__offered": False, "wagers__bonus_spin_xtreme__offered": True}
    only = {**offered, **NO_TABLES, f"wagers__bonus_spin_xtreme__paytable_{stake}": letter}
    least = {"meters__xtreme__initial_cents": least_cents, "meters__xtreme__reset_cents": 1_000_00}
    assert complaints(BOOK, nested(**only, **least)) == []
    for path in least:
        below = complaints(BOOK, nested(**only, **least | {path: least[path] - 1}))
        assert below == [(path.replace("__", "."), ("MDC-50",))]
