"""`crossfelt hand`, alone and with `--game`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crossfelt.rulebooks.loader import as_data, load

Crossfelt = Callable[..., Any]


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("As Ks Qs Js Ts", "royal flush (royal_flush)"),
        ("KdKc9h", "pair of kings (pair)"),
        ("Kd, Qc", "king-queen (high_card)"),
        ("Jk Qc", "ace-queen (high_card)"),
        ("As 2d 3c 4h 5s", "five-high straight (straight)"),
        ("As 2d 3c 4h Jk", "ace-to-five straight (straight)"),
        ("As Ad Ac Ah Jk 2c 3d", "five aces (five_aces)"),
        ("9s 9d 9c 4h 4d 2c 3d", "nines full of fours (full_house)"),
    ],
)
def test_the_name_and_the_category_are_printed(crossfelt: Crossfelt, cards: str, line: str) -> None:
    outcome = crossfelt("hand", cards)
    assert (outcome.code, outcome.out, outcome.err) == (0, line + "\n", "")


def test_json_has_a_stable_schema(crossfelt: Crossfelt) -> None:
    assert crossfelt("hand", "10d kd Kc 9c 9h", "--json").json == {
        "cards": "Td Kd Kc 9c 9h",
        "category": "two_pair",
        "name": "kings and nines",
        "ranks": [11, 7, 8],
    }


def test_bad_input_is_one_line_for_each_problem_and_exit_code_2(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("hand", "As As 1x Ks")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.errors == [
        "hand: not a card: '1x' (allowed: 2c … As; Jk (joker) in two, five or seven cards)",
        "hand: card given more than once: 'As'",
        "hand: wrong number of cards: 4 (allowed: 2, 3, 5, 7)",
    ]


@pytest.mark.parametrize(
    ("cards", "problem"),
    [
        ("", "hand: no cards given (allowed: 2, 3, 5, 7)"),
        ("As Kd Jk", "hand: no joker in this hand: 'Jk' (allowed: 2c … As)"),
        ("As ??", "hand: every card must be known: '??'"),
        (
            "Kſ Ks Qs Js Ts",
            "hand: not a card: 'Kſ' (allowed: 2c … As; Jk (joker) in two, five or seven cards)",
        ),
        (
            "\u212as Qs Js Ts 9s",
            "hand: not a card: '\u212as' (allowed: 2c … As; Jk (joker) in two, five or seven cards)",
        ),
    ],
)
def test_cards_that_cannot_be_ranked_are_refused(crossfelt: Crossfelt, cards: str, problem: str) -> None:
    outcome = crossfelt("hand", cards)
    assert (outcome.code, outcome.err) == (2, problem + "\n")


# --- in a game -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "cards", "pays"),
    [
        (
            "nj-criss-cross",
            "2h 5h 9h Jh Kh",
            {"ante": ("flush", "1 to 1"), "bets": ("flush", "8 to 1"), "five_card_bonus": ("flush", "10 to 1")},
        ),
        (
            "md-criss-cross",
            "6h 6c 9h Jh Kh",
            {
                "ante": ("pair_6s_through_10s", "push"),
                "bets": ("pair_6s_through_10s", "push"),
                "five_card_bonus": ("pair_6s_or_better", "1 to 1"),
            },
        ),
        (
            "ma-criss-cross",
            "5h 5c 9h Jh Kh",
            {"ante": (None, None), "bets": (None, None), "five_card_bonus": (None, None)},
        ),
        ("nj-double-cross", "As 2s 3s", {"three_card": ("straight_flush", "40 to 1")}),
        ("nj-double-cross", "As Ks Qs Js Ts", {"raise": ("royal_flush", "300 to 1")}),
    ],
)
def test_a_hand_is_paid_by_every_table_that_ranks_it(
    crossfelt: Crossfelt, game: str, cards: str, pays: dict[str, tuple[str | None, str | None]]
) -> None:
    answer = crossfelt("hand", cards, "--game", game, "--json").json
    assert answer["game"] == game
    assert {name: (paid["line"], paid["odds"]) for name, paid in answer["pays"].items()} == pays


def test_a_hand_is_paid_at_the_odds_of_a_submission(crossfelt: Crossfelt, tmp_path: Path) -> None:
    submission = tmp_path / "mine.toml"
    submission.write_text('rulebook = "nj-double-cross"\n[pays.raise]\nflush = "8 to 1"\n')
    arguments = ("hand", "2h 5h 9h Jh Kh", "--game", "nj-double-cross", "--json")
    assert crossfelt(*arguments).json["pays"]["raise"]["odds"] == "6 to 1"
    assert crossfelt(*arguments, "--submission", submission).json["pays"]["raise"]["odds"] == "8 to 1"
    alone = crossfelt("hand", "2h 5h 9h Jh Kh", "--submission", submission)
    assert (alone.code, alone.errors) == (2, ["--submission: needs a game; add --game ID"])


def test_seven_cards_of_pai_gow_are_ranked_by_each_pay_table(crossfelt: Crossfelt) -> None:
    answer = crossfelt("hand", "2s 3s 4s 5s 6s 7s Jk", "--game", "nj-pai-gow", "--json").json
    assert answer["category"] == "straight_flush"
    assert answer["pays"]["progressive"] == {
        "line": "seven_card_straight_flush",
        "odds": None,
        "hand": "eight-high seven-card straight flush",
        "meter_percent": 100,
    }
    assert answer["pays"]["imperial_player"]["odds"] == "50 to 1"
    assert answer["pays"]["seven_card_envy"]["amount_cents"] == 500_00


def test_the_text_has_a_line_for_each_pay_table(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("hand", "Ks Kd 9c 9h 2s", "--game", "nj-criss-cross")
    assert outcome.out.splitlines() == [
        "kings and nines (two_pair)",
        "  Antes                                   two pair  1 to 1",
        "  Across, down and middle bets (Table 1)  two pair  2 to 1",
        "  5 Card Bonus (Table 2)                  two pair  3 to 1",
    ]


def test_a_figure_that_no_document_prints_is_marked(crossfelt: Crossfelt) -> None:
    text = crossfelt("hand", "As Ad Ac Ah Jk 2c 3d", "--game", "nj-pai-gow").out
    assert "Seven-card bonus, envy (ILLUSTRATIVE)" in text
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("cards", ["Jk Qs", "As Ad Ac Jk 2d"])
def test_set_hands_are_ranked_even_if_no_table_pays_them(crossfelt: Crossfelt, cards: str) -> None:
    answer = crossfelt("hand", cards, "--game", "nj-pai-gow", "--json").json
    assert answer["pays"] == {}


@pytest.mark.parametrize(
    ("game", "cards", "problems"),
    [
        ("ma-criss-cross", "As Ks", ["hand: wrong number of cards: 2 (allowed: 5)"]),
        ("nj-double-cross", "As Ks Qs Jk", [
            "hand: no joker in this hand: 'Jk' (allowed: 2c … As)",
            "hand: wrong number of cards: 4 (allowed: 3, 5)",
        ]),
        ("nj-double-cross", "As Ks 1s", ["hand: not a card: '1s' (allowed: 2c … As)"]),
        ("nj-pai-gow", "As 1s", ["hand: not a card: '1s' (allowed: 2c … As, Jk (joker))"]),
        ("nj-pai-gow", "As", ["hand: wrong number of cards: 1 (allowed: 2, 5, 7)"]),
    ],
)  # fmt: skip
def test_cards_the_game_does_not_use_are_refused(
    crossfelt: Crossfelt, game: str, cards: str, problems: list[str]
) -> None:
    outcome = crossfelt("hand", cards, "--game", game)
    assert (outcome.code, outcome.out, outcome.errors) == (2, "", problems)


@pytest.mark.parametrize("name", ["nv-criss-cross", ""])
def test_an_unknown_game_is_refused(crossfelt: Crossfelt, name: str) -> None:
    outcome = crossfelt("hand", "As Ks Qs Js Ts", "--game", name)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.errors[0].startswith(f"no such rulebook: '{name}'")


@pytest.mark.parametrize(
    ("cards", "line", "odds"),
    [("Qs Jd 9h 8c 6s 4d 2h", "queen_high", "50 to 1"), ("Ks Jd 9h 8c 6s 4d 2h", None, None)],
)
def test_a_wager_at_fixed_odds_is_listed_if_one_hand_decides_it(
    crossfelt: Crossfelt, cards: str, line: str | None, odds: str | None
) -> None:
    paid = crossfelt("hand", cards, "--game", "nj-pai-gow", "--json").json["pays"]
    assert (paid["queens_dragon"]["line"], paid["queens_dragon"]["odds"]) == (line, odds)
    assert "main" not in paid
    lines = crossfelt("hand", cards, "--game", "nj-pai-gow").out.splitlines()
    told = next(line for line in lines if "Dragon" in line)
    assert told.split("  ")[1] == "Queen's Dragon, the dealer's, if offered"
    assert told.endswith(odds or "pays nothing")


def test_a_wager_of_an_own_rulebook_is_listed_if_one_hand_decides_it(crossfelt: Crossfelt, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    settle = '[{ when = { unpaired = "queen_high" }, odds = "30 to 1" }]'
    head = 'schema = 2\nid = "own"\nversion = "1.0.0"\ntitle = "Own"\nextends = "nj-pai-gow"\n'
    own.write_text(f'{head}[[wager]]\nid = "queens_dragon"\ntitle = "Own Dragon"\nsettle = {settle}\n')
    lines = crossfelt("hand", "Qs Jd 9h 8c 6s 4d 2h", "--game", str(own)).out.splitlines()
    told = next(line for line in lines if "Dragon" in line)
    assert told.split("  ")[1] == "Own Dragon, if offered"
    assert told.endswith("30 to 1")


def test_an_own_rulebook_ranks_by_its_own_settings(crossfelt: Crossfelt, tmp_path: Path) -> None:
    data = as_data(load("md-criss-cross"))
    data["settings"]["ace_low_straight"]["value"] = False
    file = tmp_path / "own.json"
    file.write_text(json.dumps(data))
    assert crossfelt("hand", "As 2d 3c 4h 5s", "--game", file).out.startswith("ace-high (high_card)")
    assert crossfelt("hand", "As 2d 3c 4h 5s", "--game", "md-criss-cross").out.startswith("five-high straight")
