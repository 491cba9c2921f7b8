"""`crossfelt house-way`: list, show, set and count."""

from __future__ import annotations

from math import comb

import pytest

from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.house_ways import load_house_way
from unit.cli.conftest import Crossfelt

# What tells the published house ways apart: casino_real, flamingo, foxwoods, mgm, trump_plaza.
DISTINGUISHING = {
    "9c 9d 3h 3s Kc 8d 2h": "33 33 33 33 K8",
    "5c 5d 3h 3s Qc 9d 2h": "Q9 Q9 33 Q9 33",
    "Jc Jd 4h 4s Ac 9d 2h": "A9 A9 44 A9 A9",
    "Tc Td Th 2s 2c Ad Kh": "22 AK 22 AK AK",
    "Jc Jd Jh Js Ac 9d 2h": "A9 JJ JJ JJ A9",
    "8c 8d 8h 8s Kc 9d 2h": "K9 88 K9 88 K9",
    "8c 8d 8h 8s Qc 9d 2h": "Q9 88 88 88 88",
}


def test_the_list_marks_complete_publications(crossfelt: Crossfelt) -> None:
    rows = crossfelt("house-way", "list", "--json").json
    assert [row["id"] for row in rows] == list(house_way_ids())
    assert [row["id"] for row in rows if row["assumed"]] == ["casino_real"]
    first, *lines = crossfelt("house-way", "list").out.splitlines()
    assert first.split() == ["house", "way", "name", "published", "rules", "assumed"]
    assert [line.split()[0] for line in lines] == list(house_way_ids())


def test_show_lists_the_rules_in_order_and_marks_assumed_ones(crossfelt: Crossfelt) -> None:
    out = crossfelt("house-way", "show", "casino_real").out
    places = [out.index(f"({rule.id})") for rule in load_house_way("casino_real").rules]
    assert places == sorted(places)
    assert "[ASSUMED: as in every other house way]" in " ".join(out.split())
    assert "HOUSE RULE: a published chart" in out
    assert crossfelt("house-way", "show", "casino_real", "--json").json["rule"][0]["id"] == "no_pair_straight"


@pytest.mark.parametrize(("hand", "fronts"), DISTINGUISHING.items())
def test_hands_on_which_house_ways_differ(crossfelt: Crossfelt, hand: str, fronts: str) -> None:
    answers = crossfelt("house-way", "set", "all", hand, "--json").json
    assert ["".join(card[0] for card in answer["low"].split()) for answer in answers] == fronts.split()
    lines = crossfelt("house-way", "set", "all", hand).out.splitlines()[1:]
    assert [line.split()[0] for line in lines] == list(house_way_ids())


def test_a_hand_is_set_with_its_rule(crossfelt: Crossfelt) -> None:
    outcome = crossfelt("house-way", "set", "foxwoods", "Ac Ad Jk Ks Qc Jd 4h")
    assert outcome.out.splitlines()[:3] == [
        "in front  Ac Ks (ace-king)",
        "behind    Jk Ad Qc Jd 4h (pair of aces)",
        "          three of a kind: three aces",
    ]
    assert "a pair in front, straight or better behind: cannot be set" in outcome.out
    assert crossfelt("house-way", "set", "foxwoods", "Ac Ad Jk Ks Qc Jd 4h", "--json").json["rule"] == "three_aces"


@pytest.mark.exhaustive
def test_hands_that_only_the_guard_sets_are_counted(crossfelt: Crossfelt) -> None:
    counted = crossfelt("house-way", "count", "--json").json
    assert {one["house_way"]: one["guard"] for one in counted} == dict.fromkeys(house_way_ids(), 0)
    assert all(one["published"] + one["assumed"] + one["guard"] == comb(53, 7) for one in counted)
    assert crossfelt("house-way", "count").out.splitlines()[1].split() == [
        *("casino_real", "39,079,780", "115,063,300", "0"),
    ]
    one = crossfelt("house-way", "count", "trump_plaza").out
    assert ["five_aces", "1,128"] in [line.split() for line in one.splitlines()]


def test_a_hand_in_the_game_is_set_the_house_way_too(crossfelt: Crossfelt) -> None:
    hand = "9c 9d 3h 3s Kc 8d 2h"
    answer = crossfelt("hand", hand, "--game", "nj-pai-gow", "--json").json["house_way"]
    assert answer == crossfelt("house-way", "set", "trump_plaza", hand, "--json").json
    assert (
        "The house way (trump_plaza):\nin front  Kc 8d (king-eight)\n"
        in crossfelt("hand", hand, "--game", "nj-pai-gow").out
    )
    assert "house_way" not in crossfelt("hand", "9c 9d", "--game", "nj-pai-gow", "--json").json
    assert "house_way" not in crossfelt("hand", "As Ks Qs Js Ts", "--game", "nj-criss-cross", "--json").json


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("set", "no_way", "9c"), "no such house way: 'no_way' (allowed: casino_real, "),
        (("set", "foxwoods", "9c 9d"), "cards: wrong number of cards: 2 (allowed: 7)"),
        (("set", "foxwoods", "9c 9c 3h 3s Kc 8d 2h"), "cards: card given more than once: '9c'"),
        (("count", "no_way"), "no such house way: 'no_way'"),
    ],
)
def test_bad_input_is_one_line(crossfelt: Crossfelt, arguments: tuple[str, ...], error: str) -> None:
    outcome = crossfelt("house-way", *arguments)
    assert (outcome.code, outcome.out, len(outcome.errors)) == (2, "", 1)
    assert outcome.err.startswith(error)
