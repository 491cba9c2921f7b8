"""The five rulebooks show every number of the list of pay tables, which was taken down from the documents apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crossfelt.rulebooks.loader import load
from unit.rulebooks.document_cases import dollars_on, game, part, pay_lines, printed_wheel, said, wheel

HERE = Path(__file__).resolve()
NUMBERS = json.loads((HERE.parents[2] / "data" / "paytables.json").read_text("utf-8"))
BESIDE = HERE.parents[4] / "shared" / "rules" / "paytables.json"
"""The list with its notes, where it lies beside the repository; the tests also pass without it."""

CRISS_CROSS = {"NJ": "nj-criss-cross", "MA": "ma-criss-cross", "MD": "md-criss-cross"}
clause_data = pytest.mark.clause_data


def without_notes(value: Any) -> Any:
    if isinstance(value, dict):
        notes = ("_note", "section", "hands_note", "else")
        kept = {key: item for key, item in value.items() if key not in notes}
        return {k: without_notes(v) for k, v in kept.items() if not str(v).startswith("NOT STATED")}
    return [without_notes(item) for item in value] if isinstance(value, list) else value


def leaves(value: Any) -> Iterator[Any]:
    """Every number and word of the list."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from leaves(item)
    else:
        yield value


def test_the_copy_has_every_number_of_the_list() -> None:
    if BESIDE.exists():
        assert without_notes(json.loads(BESIDE.read_text("utf-8"))) == NUMBERS
    assert len(list(leaves(NUMBERS))) == 605


def shown(odds: dict[str, Any]) -> dict[str, str]:
    """Numbers of the list as a pay table writes them."""
    texts = {name: "push" if value == "push" else _odds(value) for name, value in odds.items()}
    ranks = {"pair_jacks_or_better": "J to A", "pair_6s_through_10s": "6 to T", "pair_6s_or_better": "6 to A"}
    return {name: f"{ranks[name]}: {text}" if name in ranks else text for name, text in texts.items()}


def _odds(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['pct_of_meter']} % of the meter"
    first, last = value if isinstance(value, list) else (value, 1)
    return f"{first} to {last}"


@pytest.mark.parametrize(
    "place",
    [
        said("NJC-50 NJC-51 NJC-52", "NJ"),
        said("MAC-38 MAC-39 MAC-40", "MA"),
        said("MDC-38 MDC-40", "MD"),
    ],
)
def test_criss_cross_bets_and_bonus(place: str) -> None:
    numbers, book = NUMBERS["criss_cross"][place], CRISS_CROSS[place]
    bets = numbers.get("bets") or numbers["all_criss_cross_wagers"]
    assert dict(pay_lines(book, "bets")) == shown(bets)
    assert dict(pay_lines(book, "five_card_bonus")) == shown(numbers["five_card_bonus"])
    ante = numbers.get("ante", {"pair_jacks_or_better": 1, "pair_6s_through_10s": "push"})
    better = {name: 1 for name in bets if name not in ante}
    assert dict(pay_lines(book, "ante")) == shown(better | ante)


@pytest.mark.parametrize(
    ("book", "rule", "amount"),
    [
        said("NJC-56", "nj-criss-cross", "exactly", NUMBERS["criss_cross"]["NJ"]["payout_limit_exact"]),
        said("MAC-41", "ma-criss-cross", "at_least", NUMBERS["criss_cross"]["MA"]["payout_limit_floor"]),
        said("MDC-39", "md-criss-cross", "at_most", NUMBERS["criss_cross"]["MD"]["payout_limit_ceiling"]),
        said("DCP-30", "nj-double-cross", "at_least", NUMBERS["double_cross"]["NJ"]["payout_limit_floor"]),
        said("", "nj-pai-gow", "at_least", NUMBERS["pai_gow_11_20_imperial"]["payout_limit_floor"]),
    ],
)
def test_payout_limits(book: str, rule: str, amount: int) -> None:
    (limit,) = load(book).payout_limits
    assert (limit.rule, limit.amount_cents) == (rule, 100 * amount)


@pytest.mark.parametrize(
    "table",
    [
        said("NJC-53", "table_3_$5"),
        said("NJC-54", "table_4_$1_fixed"),
        said("NJC-55", "table_5_$1_progressive"),
    ],
)
def test_new_jersey_wheels(table: str) -> None:
    letter, dollars = table.split("_")[1], int(table.split("$")[1][0])
    rows = NUMBERS["criss_cross"]["NJ"]["bonus_spin"][table]
    assert printed_wheel("nj-criss-cross", f"bonus_spin.{letter}") == [
        ("top" if isinstance(row["player_pay"], str) else row["player_pay"], row["community_pay"], row["position"])
        for row in rows
    ]
    assert wheel("nj-criss-cross", f"bonus_spin.{letter}").stake_cents == 100 * dollars


@clause_data("MDC-41", "MDC-42", "MDC-43", "MDC-44", "MDC-46", "MDC-48")
def test_maryland_bonus_spin() -> None:
    numbers = NUMBERS["criss_cross"]["MD"]["bonus_spin"]
    for letter, rows in numbers["paytables"].items():
        name = f"bonus_spin.{letter}"
        symbols = [row["symbol"] if row["symbol"] == row["pays"] else "top" for row in rows]
        assert list(dict.fromkeys(dollars_on("md-criss-cross", name))) == symbols
        assert wheel("md-criss-cross", name).top == numbers["top_prize"][letter]
        least = 100 * numbers["min_initial_and_reset"][letter]
        path = "wagers.bonus_spin.fixed_prize_cents" if letter in "AC" else "meters.bonus_spin.reset_cents"
        assert _least("md-criss-cross", path, letter) == least
    shared = numbers["community_$1"] | {"C": numbers["community_$5"]["A(=C)"], "D": numbers["community_$5"]["B(=D)"]}
    for place, letter in enumerate("ABCD"):
        amounts = part("md-criss-cross", "community_pay", place)["amounts_cents"]
        assert amounts == [[100 * amount for amount in pair] for pair in shared[letter]]


def _least(book: str, path: str, letter: str) -> int:
    (least,) = [
        requirement.must[path].at_least
        for requirement in load(book).requirements
        if path in requirement.must and requirement.when.get("wagers.bonus_spin.paytable") == (letter,)
    ]
    assert least is not None
    return least


@clause_data("MDC-23", "MDC-49", "MDC-50", "MDC-51")
def test_maryland_xtreme() -> None:
    numbers = NUMBERS["criss_cross"]["MD"]["bonus_spin_xtreme"]
    for letter, rows in numbers["hot_spot"].items():
        symbols = [row["symbol"] if row["symbol"] == row["pays"] else "top" for row in rows]
        assert dollars_on("md-criss-cross", f"bonus_spin_xtreme.hot_spot.{letter}") == symbols
        assert dollars_on("md-criss-cross", f"bonus_spin_xtreme.community.{letter}") == numbers["community"][letter]
    wager = part("md-criss-cross", "wager", "bonus_spin_xtreme")
    assert wager["stake"]["cents"] == [100 * dollars for dollars in numbers["wagers"]]
    requirements = load("md-criss-cross").requirements
    for letter, dollars in numbers["min_initial"].items():
        asked = [
            each.must["meters.xtreme.initial_cents"].at_least
            for each in requirements
            if "meters.xtreme.initial_cents" in each.must
            and letter in [v for values in each.when.values() for v in values]
        ]
        assert asked == [100 * dollars]
    resets = [each.must["meters.xtreme.reset_cents"].at_least for each in requirements if _resets(each.must)]
    assert resets == [100 * dollars for dollars in set(numbers["min_reset"].values())]


def _resets(must: dict[str, Any]) -> bool:
    return "meters.xtreme.reset_cents" in must


@clause_data("DCP-15", "DCP-25", "DCP-28", "DCP-29")
def test_double_cross() -> None:
    numbers = NUMBERS["double_cross"]["NJ"]
    assert dict(pay_lines("nj-double-cross", "raise")) == shown(numbers["raise_each"])
    assert dict(pay_lines("nj-double-cross", "three_card")) == shown(numbers["three_card"])
    assert part("nj-double-cross", "wager", "ante")["settle"][0]["win"] == _odds(numbers["ante"])
    assert (
        all(table.odds_are == "minimum" for table in load("nj-double-cross").paytables) is numbers["odds_are_minimums"]
    )
    within = part("nj-double-cross", "wager", "three_card")["stake"]["within_cents"]
    assert within == [100 * numbers["three_card_min"], 100 * numbers["three_card_max"]]


@clause_data("PGP-16", "PGP-19", "PGP-27")
def test_pai_gow() -> None:
    progressive, imperial = NUMBERS["pai_gow_11_14A"], NUMBERS["pai_gow_11_20_imperial"]
    for letter, awards in progressive["bonus"].items():
        assert dict(pay_lines("nj-pai-gow", f"progressive.{letter}")) == shown(progressive["hands"])
        assert dict(pay_lines("nj-pai-gow", f"progressive_bonus.{letter}")) == shown(awards)
    rate = part("nj-pai-gow", "choice", "meters.pai_gow.rate_per_million")
    assert rate["min"] == round(1_000_000 * progressive["min_rate_of_progression"])
    assert dict(pay_lines("nj-pai-gow", "imperial_player")) == shown(imperial["player_hand"])
    assert dict(pay_lines("nj-pai-gow", "imperial_banker")) == shown(imperial["banker_hand"])


def test_no_pay_table_has_a_line_that_the_list_lacks() -> None:
    """Apart from the seven-card bonus and its envy, which the list does not have."""
    for book in (*CRISS_CROSS.values(), "nj-double-cross", "nj-pai-gow"):
        assert set(game(book).pays) <= {
            *("ante", "bets", "five_card_bonus", "raise", "three_card", "progressive", "progressive_bonus"),
            *("imperial_player", "imperial_banker", "seven_card", "seven_card_envy"),
        }
