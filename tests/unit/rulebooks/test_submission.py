"""A submission is refused with every violation and its clause, and accepted at every bound."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks import game as games
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.game import problems as game_problems
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.model import Choice
from crossfelt.rulebooks.render.template import template
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.rulebooks.submission import problems, resolve, warnings
from crossfelt.rulebooks.submission_form import form
from properties import given, settings, st
from unit.rulebooks.document_cases import complaints, nested, shown, tree

BOOKS = ("ma-criss-cross", "md-criss-cross", "nj-criss-cross", "nj-double-cross", "nj-pai-gow")
clause = pytest.mark.clause

# --- each choice ---

WRONG: dict[str, list[Any]] = {
    "flag": ["yes", 1, None, []],
    "cents": ["5", 1.5, True, -1, 10**13, [5]],
    "whole": ["5", 1.0, True, -1, [1]],
    "rate": ["0.7", 0.7, True, -1, 1_000_001],
    "one_of": ["something else", True, 1.0, ["hand"], {}],
    "text": [5, "", "   ", True],
    "weights": ["wheel", [], [0, 0], [1, -1], [1, True], [1, 0.5], [1, "2"], 12, [[1]]],
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", BOOKS)
def test_a_value_of_the_wrong_kind_is_refused_with_the_clauses_of_the_choice(book: str) -> None:
    for choice in load(book).choices:
        for value in WRONG[choice.kind]:
            found = [p for p in problems(load(book), tree({choice.path: value}), where="mine") if _is_at(p, choice)]
            assert [p.code for p in found] in ([f"choice.{choice.kind}"], ["requirement"]), (choice.path, value)
            assert found[0].clauses == choice.clauses
            assert found[0].allowed


def _is_at(problem: Any, choice: Choice) -> bool:
    return bool(problem.where == f"mine: {choice.path}")


@pytest.mark.parametrize(
    ("book", "path", "allowed"),
    [
        pytest.param("md-criss-cross", "payout_limit.amount_cents", "551,000", marks=clause("MDC-39")),
        pytest.param("nj-double-cross", "payout_limit.amount_cents", "6,000,000", marks=clause("DCP-30")),
        pytest.param("md-criss-cross", "meters.bonus_spin.reset_cents", "500,000", marks=clause("MDC-46")),
        pytest.param("nj-pai-gow", "meters.pai_gow.reset_cents", "100,000", marks=clause("PGP-27")),
    ],
)
@pytest.mark.parametrize("cents", [0, -1])
def test_an_amount_of_nothing_is_refused_with_the_least_that_the_rules_allow(
    book: str, path: str, allowed: str, cents: int
) -> None:
    found = [p for p in game_problems(load(book), tree({path: cents}), where="mine") if p.where == f"mine: {path}"]
    assert [(p.value, p.allowed.startswith(f"at least {allowed}")) for p in found] == [(cents, True)]


@pytest.mark.parametrize("book", BOOKS)
def test_all_choices_wrong_at_once_are_all_reported(book: str) -> None:
    choices = {choice.path: WRONG[choice.kind][0] for choice in load(book).choices}
    found = complaints(book, tree(choices))
    assert set(found) >= {(choice.path, choice.clauses) for choice in load(book).choices}


@pytest.mark.parametrize("book", BOOKS)
def test_every_bound_is_allowed_itself_and_nothing_beyond_it(book: str) -> None:
    for choice in load(book).choices:
        for bound, beyond in ((choice.min, -1), (choice.max, 1)):
            if bound is not None:
                at = [path for path, _ in complaints(book, tree({choice.path: bound}))]
                past = complaints(book, tree({choice.path: bound + beyond}))
                assert (choice.path, choice.clauses) in past
                if not choice.path.startswith("wagers."):  # a smallest wager of 1 cent is against the step
                    assert choice.path not in at


def test_a_misspelt_path_is_answered_with_the_nearest() -> None:
    found = list(problems(load("md-criss-cross"), nested(wagers__ante__min_cent=500)))
    assert [str(problem) for problem in found] == [
        (
            "submission: wagers.ante.min_cent: no such choice; did you mean wagers.ante.min_cents?"
            " (allowed: the choices that `crossfelt submission new` lists)"
        )
    ]


@pytest.mark.parametrize(
    ("stated", "path"),
    [
        ({"wagers": 5}, "wagers"),
        ({"settings": []}, "settings"),
        ({"pays": "better"}, "pays"),
        ({"dealing": {"method": {"of": "hand"}}}, "dealing.method"),
        ({"operator": {"name": "Anybody"}}, "operator"),
        ({"rulebook": "md-criss-cross"}, "rulebook"),
        ({"rulebook": 5}, "rulebook"),
    ],
)
def test_data_that_are_not_a_submission_are_refused(stated: dict[str, Any], path: str) -> None:
    assert [where for where, _ in complaints("nj-criss-cross", stated)] == [path]


def test_a_text_that_happens_to_be_the_word_for_the_wheels_own_weights_is_a_text() -> None:
    assert compile_game("nj-criss-cross", {"operator": "wheel"}).choices["operator"] == "wheel"


# --- limits of meters ---


@pytest.mark.parametrize(
    ("book", "meter", "wagers"),
    [
        ("nj-criss-cross", "bonus_spin", {}),
        ("md-criss-cross", "bonus_spin", {}),
        ("md-criss-cross", "xtreme", {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": {"offered": True}}),
        ("nj-pai-gow", "pai_gow", {}),
    ],
)
def test_a_meter_is_limited_to_no_less_than_it_begins_with(book: str, meter: str, wagers: dict[str, Any]) -> None:
    at = f"meters.{meter}"
    for initial, reset, limit, fits in (
        (6_000_00, 5_000_00, 6_000_00, True),
        (6_000_00, 5_000_00, 5_999_99, False),
        (5_000_00, 7_000_00, 6_999_99, False),
        (5_000_00, 7_000_00, 7_000_00, True),
    ):
        stated = {"wagers": wagers, **tree({f"{at}.initial_cents": initial, f"{at}.reset_cents": reset})}
        stated["meters"][meter]["limit_cents"] = limit
        assert [path for path, _ in complaints(book, stated)] == ([] if fits else [f"{at}.limit_cents"])
    assert f"{at}.limit_cents" not in compile_game(book).choices


# --- limits of wagers ---


@pytest.mark.parametrize(
    ("book", "base", "unit", "clauses"),
    [
        shown("", "nj-criss-cross", "wagers.ante", "cents", ("NJC-25",)),
        shown("", "ma-criss-cross", "wagers.ante", "cents", ("MAC-19",)),
        shown("", "md-criss-cross", "wagers.ante", "cents", ("MDC-20",)),
        shown("", "nj-criss-cross", "wagers.five_card_bonus", "cents", (), name="nj bonus"),
        shown("DCP-15", "nj-double-cross", "wagers.three_card", "cents", ("DCP-15",), name="three cards"),
        shown("", "nj-pai-gow", "wagers.main", "cents", (), name="pai gow"),
        shown("PGP-6", "nj-pai-gow", "wagers.progressive_player", "credits", ("PGP-6",), name="progressive"),
    ],
)
def test_the_smallest_wager_is_not_above_the_largest(book: str, base: str, unit: str, clauses: tuple[str, ...]) -> None:
    least, most = f"{base}.min_{unit}", f"{base}.max_{unit}"
    assert complaints(book, tree({least: 100, most: 100})) == []
    assert complaints(book, tree({least: 300, most: 200})) == [(least, clauses)]


def test_limits_are_multiples_of_the_step() -> None:
    odd = nested(wagers__ante__min_cents=5_00, wagers__ante__max_cents=100_00, wagers__ante__step_cents=2_00)
    assert complaints("nj-criss-cross", odd) == [("wagers.ante.step_cents", ("NJC-25",))]
    even = nested(wagers__ante__min_cents=6_00, wagers__ante__max_cents=100_00, wagers__ante__step_cents=2_00)
    assert complaints("nj-criss-cross", even) == []


# --- wagers that the jurisdiction does not have ---


@pytest.mark.parametrize(
    ("book", "wager", "clauses"),
    [
        shown("NJC-9", "nj-criss-cross", "bonus_spin_xtreme", ("NJC-3", "NJC-9", "NJC-10")),
        shown("MAC-20", "ma-criss-cross", "bonus_spin", ("MAC-20",)),
        shown("MDC-4", "md-criss-cross", "three_card", ("MDC-4", "MDC-21", "MDC-22", "MDC-23")),
        shown("DCP-15", "nj-double-cross", "five_card_bonus", ("DCP-15",)),
        shown("PGP-6", "nj-pai-gow", "bonus_spin", ("PGP-6", "PGP-8")),
    ],
)
def test_an_unknown_wager_is_reported_once(book: str, wager: str, clauses: tuple[str, ...]) -> None:
    stated = {"wagers": {wager: {"offered": True, "min_cents": 100, "paytable": "A"}}}
    assert complaints(book, stated) == [(f"wagers.{wager}", clauses)]


# --- settings ---


@pytest.mark.parametrize(
    ("book", "name", "value", "clauses"),
    [
        shown("NJC-16", "nj-criss-cross", "ace_low_straight", False, ("NJC-16",)),
        shown("NJC-22", "nj-criss-cross", "cut_min_cards", 9, ("NJC-22",), name="a thin cut"),
        shown("MAC-14", "ma-criss-cross", "ace_low_straight", False, ("MAC-14",)),
        shown("MAC-4", "ma-criss-cross", "deck_change_hours_hand", 5, ("MAC-4",), name="old decks"),
        shown("MDC-13", "md-criss-cross", "cut_min_cards", 9, ("MDC-13",)),
        shown("DCP-27", "nj-double-cross", "odds_wording", "free", ("DCP-27",)),
        shown("PGP-21", "nj-pai-gow", "award_checks", ["dealer"], ("PGP-21",)),
    ],
)
def test_a_setting_that_the_document_settles_cannot_be_chosen(
    book: str, name: str, value: object, clauses: tuple[str, ...]
) -> None:
    (problem,) = problems(load(book), {"settings": {name: value}})
    assert (problem.code, problem.clauses) == ("setting.fixed", clauses)


@pytest.mark.parametrize(
    ("book", "name", "value"),
    [
        shown("", "md-criss-cross", "ace_low_straight", False),
        shown("", "nj-criss-cross", "whole_multiples_only", True),
        shown("", "nj-criss-cross", "limit_covers_progressive", True, name="jackpot inside the limit"),
        shown("", "md-criss-cross", "md_antes_at_table", True, name="antes at the table"),
        shown("", "nj-double-cross", "limit_covers_all_wagers", True),
        shown("", "nj-pai-gow", "share_method", "by_credits"),
    ],
)
def test_another_reading_may_be_chosen_where_the_document_leaves_one(book: str, name: str, value: object) -> None:
    assert complaints(book, {"settings": {name: value}}) == []
    assert compile_game(book, {"settings": {name: value}}).settings[name] == value


def test_stating_the_value_in_force_is_not_a_choice() -> None:
    for book in BOOKS:
        stated = {name: setting.value for name, setting in load(book).settings.items()}
        assert complaints(book, {"settings": stated}) == []


@pytest.mark.parametrize("book", BOOKS)
def test_an_unknown_setting_or_value_is_refused_with_the_allowed_ones(book: str) -> None:
    (unknown,) = problems(load(book), {"settings": {"cut_depth": 3}})
    assert unknown.code == "setting.unknown"
    assert "cut_depth" in unknown.where
    assert unknown.allowed
    for name in load(book).settings:
        found = list(problems(load(book), {"settings": {name: [["wrong"]]}}))
        assert [(problem.code, problem.where) for problem in found] == [
            ("setting.value", f"submission: settings.{name}")
        ]
        assert found[0].allowed == setting_rules()[name].allowed


# --- odds ---


@pytest.mark.parametrize(
    ("book", "table", "hand", "clauses"),
    [
        shown("NJC-51", "nj-criss-cross", "bets", "flush", ("NJC-51",)),
        shown("NJC-52", "nj-criss-cross", "five_card_bonus", "flush", ("NJC-52",), name="nj bonus"),
        shown("MAC-39", "ma-criss-cross", "bets", "flush", ("MAC-39",)),
        shown("MDC-38", "md-criss-cross", "bets", "flush", ("MDC-38",)),
        shown("MDC-40", "md-criss-cross", "five_card_bonus", "flush", ("MDC-40", "MDC-40a"), name="md bonus"),
    ],
)
def test_exact_odds_are_neither_bettered_nor_worsened(
    book: str, table: str, hand: str, clauses: tuple[str, ...]
) -> None:
    for odds in ("2 to 1", "99 to 1", "9 for 1", 99):
        assert complaints(book, {"pays": {table: {hand: odds}}}) == [(f"pays.{table}.{hand}", clauses)]
    printed = next(t for t in load(book).paytables if t.id == table)
    same = next(str(line.odds) for line in printed.lines if line.name == hand)
    assert complaints(book, {"pays": {table: {hand: same}}}) == []


@pytest.mark.parametrize(
    ("pays", "code"),
    [
        ({"raises": {"flush": "7 to 1"}}, "pays.unknown"),
        ({"raise": "better"}, "pays.unknown"),
        ({"raise": {"flash": "7 to 1"}}, "payline.unknown"),
        ({"raise": {"flush": "seven"}}, "odds.form"),
        ({"raise": {"flush": [7]}}, "odds.form"),
        ({"raise": {"flush": True}}, "odds.form"),
        ({"raise": {"flush": 0}}, "odds.form"),
        ({"raise": {"flush": 5}}, "pays.odds"),
        ({"raise": {"flush": "push"}}, "pays.odds"),
        ({"raise": {"flush": "9 for 1"}}, "pays.odds"),
    ],
)
def test_odds_that_cannot_be(pays: dict[str, Any], code: str) -> None:
    assert [problem.code for problem in problems(load("nj-double-cross"), {"pays": pays})] == [code]


@pytest.mark.parametrize(("letter", "codes"), [("A", []), ("B", ["payline.unknown"]), ("C", ["payline.unknown"])])
def test_odds_are_those_of_the_table_whose_letter_is_chosen(letter: str, codes: list[str]) -> None:
    stated = {
        "wagers": {"progressive": {"paytable": letter}},
        "pays": {"progressive_bonus": {"magic_card": "20 to 1"}},
    }
    assert [problem.code for problem in problems(load("nj-pai-gow"), stated)] == codes


# --- wheels ---


@pytest.mark.parametrize(
    ("book", "choices", "path", "count", "clauses"),
    [
        shown("NJC-53", "nj-criss-cross", {}, "wagers.bonus_spin.weights", 12, ("NJC-53", "NJC-54", "NJC-55")),
        shown("MDC-45", "md-criss-cross", {}, "wagers.bonus_spin.weights", 12, ("MDC-45",)),
        shown(
            "MDC-49",
            "md-criss-cross",
            {"wagers__bonus_spin__offered": False, "wagers__bonus_spin_xtreme__offered": True},
            "wagers.bonus_spin_xtreme.hot_spot_weights",
            9,
            ("MDC-49",),
            name="hot spot",
        ),
        shown(
            "MDC-51",
            "md-criss-cross",
            {"wagers__bonus_spin__offered": False, "wagers__bonus_spin_xtreme__offered": True},
            "wagers.bonus_spin_xtreme.community_weights",
            8,
            ("MDC-51",),
            name="community",
        ),
    ],
)
def test_a_wheel_needs_a_weight_for_each_slice(
    book: str, choices: dict[str, Any], path: str, count: int, clauses: tuple[str, ...]
) -> None:
    stated = nested(**choices)
    wager, name = path.split(".")[1:]

    def found(weights: list[int]) -> set[tuple[str, tuple[str, ...]]]:
        stated.setdefault("wagers", {}).setdefault(wager, {})[name] = weights
        return set(complaints(book, stated))

    assert found([1] * count) == set()
    assert found([1] + [0] * (count - 1)) == set()
    never_at_the_top = [0] + [1] * (count - 1)
    assert found(never_at_the_top) == (set() if name == "community_weights" else {(path, clauses)})
    for weights in ([1] * (count - 1), [1] * (count + 1), [0] * count, []):
        assert found(weights) == {(path, clauses)}


@clause("MDC-40a")
def test_an_xtreme_wager_needs_a_pay_table_for_one_stake_at_least() -> None:
    offered = {"wagers__bonus_spin__offered": False, "wagers__bonus_spin_xtreme__offered": True}
    none = {f"wagers__bonus_spin_xtreme__paytable_{dollars}": "none" for dollars in (1, 2, 5)}
    assert complaints("md-criss-cross", nested(**offered, **none)) == [
        ("wagers.bonus_spin_xtreme.paytable_1", ("MDC-40a",))
    ]
    for path, letter in zip(none, "AEI", strict=True):
        assert complaints("md-criss-cross", nested(**offered, **none | {path: letter})) == []
    assert complaints("md-criss-cross", nested(**none)) == []  # not offered


# --- what a filed submission must state ---

NJ_APPROVED = {"layout__filing": "L-7, 2026-01-05", "approvals__manual_shoe_location": "2026/2"}


@pytest.mark.parametrize(
    ("book", "stated", "paths"),
    [
        shown(
            "MAC-20 MAC-22",
            "ma-criss-cross",
            {},
            {"wagers.five_card_bonus.offered": ("MAC-20",), "approvals.manual_shoe_location": ("MAC-22",)},
        ),
        shown(
            "DCP-4 DCP-19a",
            "nj-double-cross",
            {},
            {"approvals.cover_card": ("DCP-4",), "approvals.manual_shoe_location": ("DCP-19a",)},
        ),
        shown(
            "DCP-18 DCP-30 DCP-34",
            "nj-double-cross",
            {
                "dealing__method": "hand",
                "dealing__shuffler": "counting",
                "payout_limit__amount_cents": 60_000_00,
                "approvals__cover_card": "2026/1",
            },
            {"payout_limit.approval": ("DCP-30",), "approvals.shuffler_jam_procedures": ("DCP-34",)},
            name="dc with a limit and a shuffler",
        ),
        shown(
            "DCP-19a DCP-34",
            "nj-double-cross",
            {
                "dealing__method": "automated_shoe",
                "approvals__automated_shoe": "Not approved",
                "approvals__cover_card": "2026/1",
            },
            {"approvals.shoe_jam_procedures": ("DCP-34",), "approvals.automated_shoe": ("DCP-19a",)},
            name="dc with an automated shoe",
        ),
        shown(
            "NJC-2 NJC-7 NJC-10 NJC-30 NJC-53",
            "nj-criss-cross",
            {},
            {
                "layout.filing": ("NJC-2",),
                "approvals.manual_shoe_location": ("NJC-30",),
                "wagers.bonus_spin.paytable": ("NJC-53", "NJC-54", "NJC-55"),
                "wagers.bonus_spin.top_prize": ("NJC-10",),
                "wagers.bonus_spin.weights": ("NJC-53", "NJC-54", "NJC-55"),
                "meters.bonus_spin.initial_cents": (),
                "meters.bonus_spin.reset_cents": (),
                "meters.bonus_spin.rate_per_million": (),
                "approvals.progressive_system": ("NJC-7",),
            },
        ),
        shown("NJC-10", "nj-criss-cross", {"wagers__bonus_spin__offered": False, **NJ_APPROVED}, {}, name="nj spin"),
        shown(
            "MDC-3 MDC-6 MDC-21 MDC-22 MDC-23 MDC-24 MDC-40a MDC-46",
            "md-criss-cross",
            {"wagers__bonus_spin__paytable": "D"},
            {
                "layout.approval": ("MDC-3",),
                "approvals.manual_shoe_location": ("MDC-24",),
                "wagers.five_card_bonus.offered": ("MDC-21",),
                "wagers.bonus_spin.offered": ("MDC-22",),
                "wagers.bonus_spin.weights": ("MDC-45",),
                "meters.bonus_spin.initial_cents": ("MDC-46",),
                "meters.bonus_spin.reset_cents": ("MDC-46",),
                "meters.bonus_spin.rate_per_million": ("MDC-46",),
                "wagers.bonus_spin_xtreme.offered": ("MDC-23",),
                "approvals.progressive_system": ("MDC-6",),
            },
        ),
        shown(
            "MDC-40a MDC-50",
            "md-criss-cross",
            {"wagers__bonus_spin__offered": False, "wagers__bonus_spin_xtreme__offered": True},
            {
                "layout.approval": ("MDC-3",),
                "approvals.manual_shoe_location": ("MDC-24",),
                "wagers.five_card_bonus.offered": ("MDC-21",),
                **{f"wagers.bonus_spin_xtreme.paytable_{dollars}": ("MDC-40a",) for dollars in (1, 2, 5)},
                "wagers.bonus_spin_xtreme.qualifying_hand": ("MDC-23",),
                "wagers.bonus_spin_xtreme.hot_spot_weights": ("MDC-49",),
                "wagers.bonus_spin_xtreme.community_weights": ("MDC-51",),
                "meters.xtreme.initial_cents": ("MDC-50",),
                "meters.xtreme.reset_cents": ("MDC-50",),
                "meters.xtreme.rate_per_million": ("MDC-50",),
                "approvals.progressive_system": ("MDC-6",),
            },
            name="md with Xtreme",
        ),
        shown(
            "PGP-6 PGP-16 PGP-27",
            "nj-pai-gow",
            {},
            {
                "wagers.progressive.paytable": ("PGP-16", "PGP-19"),
                "wagers.progressive.lucky_player_per_million": ("PGP-17",),
                "wagers.progressive.lucky_dealer_per_million": ("PGP-17",),
                "wagers.progressive.magic_card_per_million": ("PGP-18",),
                "meters.pai_gow.initial_cents": ("PGP-27",),
                "meters.pai_gow.reset_cents": ("PGP-27",),
                "meters.pai_gow.rate_per_million": ("PGP-27",),
                "approvals.progressive_system": ("PGP-6",),
            },
        ),
    ],
)
def test_a_filed_submission_must_state(book: str, stated: dict[str, Any], paths: dict[str, Any]) -> None:
    assert dict(complaints(book, nested(**stated, status="filed"))) == paths
    assert complaints(book, nested(**stated)) == []
    if paths:
        with pytest.raises(BadInput):
            compile_game(book, nested(**stated, status="filed"))


@clause("NJC-2", "NJC-38a")
@pytest.mark.parametrize("value", ["illustrative", "Not approved", " none ", "N/A", "tbd", "-"])
def test_a_placeholder_for_an_approval_is_a_warning_in_a_draft_and_a_violation_once_filed(value: str) -> None:
    stated = nested(
        wagers__bonus_spin__offered=False,
        dealing__method="automated_shoe",
        approvals__automated_shoe=value,
        layout__filing=value,
    )
    book, awaited = load("nj-criss-cross"), ("approvals.automated_shoe", "layout.filing")
    draft = [(p.where, p.value, p.clauses) for p in warnings(book, stated) if p.code == "requirement"]
    filed = [(p.where, p.value, p.clauses) for p in problems(book, {**stated, "status": "filed"})]
    wanted = zip(awaited, (("NJC-38a",), ("NJC-2",)), strict=True)
    assert draft == filed == [(f"submission: {path}", value, clauses) for path, clauses in wanted]
    assert list(problems(book, stated)) == []
    assert not {p.where for p in warnings(book, {**stated, "status": "filed"})} & {where for where, *_ in filed}


@clause("NJC-53", "MDC-45")
@pytest.mark.parametrize("book", ["nj-criss-cross", "md-criss-cross"])
def test_illustrative_weights_are_warned_of_even_if_they_are_stated(book: str) -> None:
    path = "wagers.bonus_spin.weights"
    weights = list(compile_game(book).weights(compile_game(book).wheels[0]))
    for stated in ({}, tree({path: weights})):
        assert path in warned_of(book, stated)
        assert path in compile_game(book, stated).illustrative
    assert path not in warned_of(book, tree({path: [*weights[:-1], weights[-1] + 1]}))


@pytest.mark.parametrize("book", BOOKS)
def test_the_template_passes_its_own_check_and_states_everything(book: str) -> None:
    stated = tomllib.loads(template(load(book)))
    assert list(games.problems(load(book), stated, complete=True)) == []
    assert compile_game(book, stated).choices == compile_game(book).choices
    assert compile_game(book, stated).settings == compile_game(book).settings


@pytest.mark.parametrize("book", BOOKS)
def test_the_template_shows_every_choice_and_every_open_setting(book: str) -> None:
    text = template(load(book))
    for choice in load(book).choices:
        assert choice.title.split()[0] in text
        assert f"{choice.path.rpartition('.')[2]} =" in text
    for name, setting in load(book).settings.items():
        assert (f"# {name} = " in text) == setting_rules()[name].open_in(setting)


@pytest.mark.parametrize("book", BOOKS)
def test_illustrative_values_give_a_warning_until_they_are_stated(book: str) -> None:
    # By default no table offers Xtreme, a fixed prize, a device or, at Double Cross, a payout limit.
    without_bearing = ("xtreme", "fixed_prize", "payout_limit", "jam_procedures")
    illustrative = {c.path for c in load(book).choices if c.illustrative}
    wanted = {path for path in illustrative if not any(word in path for word in without_bearing)}
    if book == "nj-criss-cross":  # its hardware is approved once it is stated
        wanted.add("approvals.progressive_system")
    assert warned_of(book, {}) == wanted
    for path in wanted:
        kind = next(c.kind for c in load(book).choices if c.path == path)
        value = {"text": "2024/5", "weights": [1] * 12, "one_of": "MO-381-17-019-DGE"}.get(kind, 20_000)
        assert warned_of(book, tree({path: value})) == wanted - {path}


def warned_of(book: str, stated: dict[str, Any]) -> set[str]:
    return {warning.where.removeprefix("submission: ") for warning in warnings(load(book), stated)}


# --- many at once ---


@clause("MDC-3", "MDC-4", "MDC-8", "MDC-13", "MDC-20", "MDC-21", "MDC-26", "MDC-38", "MDC-39", "MDC-45", "MDC-46")
def test_ten_planted_faults_are_all_reported_with_their_clauses() -> None:
    stated = nested(
        operator="",
        dealing__method="hand",
        dealing__decks=3,
        wagers__ante__min_cents=600_00,
        wagers__five_card_bonus__offered="yes",
        wagers__bonus_spin__weights=[1, 2, 3],
        wagers__bonus_spin_xtreme__offered=True,
        wagers__three_card__offered=True,
        meters__bonus_spin__reset_cents=4_999_99,
        payout_limit__amount_cents=2_000_000_00,
        settings__cut_min_cards=9,
        pays__bets__flush="9 to 1",
    )
    with pytest.raises(BadInput) as refused:
        compile_game("md-criss-cross", stated)
    found = {(p.where.removeprefix("submission: "), p.clauses) for p in refused.value.problems}
    assert found == {
        ("operator", ("MDC-3",)),
        ("dealing.decks", ("MDC-8",)),
        ("dealing.shuffler", ("MDC-26",)),
        ("wagers.ante.min_cents", ("MDC-20",)),
        ("wagers.five_card_bonus.offered", ("MDC-21",)),
        ("wagers.bonus_spin.weights", ("MDC-45",)),
        ("wagers.bonus_spin_xtreme.offered", ("MDC-4",)),
        ("wagers.three_card", ("MDC-4", "MDC-21", "MDC-22", "MDC-23")),
        ("meters.bonus_spin.reset_cents", ("MDC-46",)),
        ("payout_limit.amount_cents", ("MDC-39",)),
        ("settings.cut_min_cards", ("MDC-13",)),
        ("pays.bets.flush", ("MDC-38",)),
    }
    assert all("\n" not in str(problem) for problem in refused.value.problems)


# --- any submission ---

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**13),
    st.floats(),
    st.sampled_from(["", "wheel", "hand", "A", "D", "none", "push", "9 to 1", "illustrative"]),
    st.lists(st.integers(-1, 5), max_size=13),
    st.builds(dict),
    st.just([[]]),
    st.builds(lambda: {"x": {"y": 1}}),
)
"""Tables are new ones each time: what is stated is put into them."""


@st.composite
def anything_stated(draw: Callable[..., Any]) -> tuple[str, dict[str, Any]]:
    book = draw(st.sampled_from(BOOKS))
    rulebook = load(book)
    lines = [f"pays.{table.id}.{line.name}" for table in rulebook.paytables for line in table.lines]
    paths = [choice.path for choice in rulebook.choices]
    paths += [f"settings.{name}" for name in rulebook.settings] + lines
    paths += ["wagers", "wagers.ante", "pays", "settings", "rulebook", "wagers.other.offered"]
    chosen = draw(st.lists(st.sampled_from(paths), max_size=4, unique=True))
    stated: dict[str, Any] = {}
    for path in chosen:
        *tables, key = path.split(".")
        inner = stated
        for name in tables:
            inner = inner.setdefault(name, {})
            if not isinstance(inner, dict):
                break
        else:
            inner[key] = draw(VALUES)
    return book, stated


@pytest.mark.exhaustive
@settings(max_examples=150)
@given(anything_stated())
def test_any_submission_is_either_refused_or_makes_a_game(case: tuple[str, dict[str, Any]]) -> None:
    book, stated = case
    found = list(games.problems(load(book), stated))
    assert all("\n" not in str(problem) for problem in found)
    if not found:
        made = compile_game(book, stated)
        assert made.hash == compile_game(book, stated).hash
        assert set(made.choices) >= {choice.path for choice in made.book.choices if choice.default is not None}
    assert resolve(load(book), stated).choices


PLACEHOLDERS = ("", "-", "x", "n/a", "pending", "to be filed", "not yet approved", "Illustrative value")


@pytest.mark.parametrize("value", [*PLACEHOLDERS, "2026/1", "left of the dealer, approved 2026-03-01"])
def test_a_placeholder_is_no_reference(value: str) -> None:
    stated = {"status": "filed", "approvals": {"manual_shoe_location": value}}
    found = [problem.where for problem in problems(load("ma-criss-cross"), stated)]
    refused = any(where.endswith("approvals.manual_shoe_location") for where in found)
    assert refused == (value in PLACEHOLDERS)


# --- settings that list wagers ---


@pytest.mark.parametrize("book", BOOKS)
def test_the_form_has_a_field_for_each_open_setting(book: str) -> None:
    game = compile_game(book)
    fields = {field.path.removeprefix("settings."): field for field in form(game) if field.path.startswith("settings.")}
    assert fields.keys() == {name for name, it in game.book.settings.items() if setting_rules()[name].open_in(it)}
    for field in fields.values():
        if field.kind == "many_of":
            assert {*field.value, *field.default} <= {one.value for one in field.permitted}


def test_a_setting_lists_wagers_of_the_game_only() -> None:
    def stated(*wagers: str) -> dict[str, Any]:
        return {"settings": {"surrender_keeps": [*wagers]}}

    assert compile_game("nj-pai-gow", stated("imperial")).listed("surrender_keeps") == ("imperial",)
    with pytest.raises(BadInput, match=r"surrender_keeps: no such wager: 'ante_across' \(allowed: imperial, main"):
        compile_game("nj-pai-gow", stated("imperial", "ante_across"))
