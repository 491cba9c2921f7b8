"""House ways as files: what comes with the package, what the words mean, and what is refused."""

from __future__ import annotations

import copy
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.hands.rank import JOKER_CATEGORIES, HandRank
from crossfelt.rulebooks.choices import house_way_ids
from crossfelt.rulebooks.house_ways import (
    PATTERNS,
    BehindHands,
    FrontHands,
    RankSpan,
    house_way_from_data,
    load_house_way,
    two_card_ladder,
)
from crossfelt.rulebooks.loader import load

SHIPPED = files("crossfelt.rulebooks").joinpath("house_ways")


def data_of(way: str) -> dict[str, Any]:
    return tomllib.loads(SHIPPED.joinpath(f"{way}.toml").read_text("utf-8"))


def problems_of(data: dict[str, Any]) -> list[str]:
    with pytest.raises(BadInput) as refused:
        house_way_from_data(data, where="ours.toml")
    return [str(problem) for problem in refused.value.problems]


# --- what comes with the package ------------------------------------------------------------------------------


def test_the_rulebook_offers_the_house_ways_that_there_are() -> None:
    choice = next(choice for choice in load("nj-pai-gow").choices if choice.path == "house_way")
    assert sorted(choice.of) == list(house_way_ids())


@pytest.mark.parametrize("way", house_way_ids())
def test_a_house_way_names_its_source_and_sets_every_pattern(way: str) -> None:
    loaded = load_house_way(way)
    assert loaded.id == way
    assert loaded.house_rule
    assert {pattern for rule in loaded.rules for pattern in rule.when.holds} == set(PATTERNS)


@pytest.mark.parametrize("way", house_way_ids())
def test_only_a_house_way_that_was_read_in_part_assumes_anything(way: str) -> None:
    loaded = load_house_way(way)
    assumed = [rule.id for rule in loaded.rules if rule.assumed]
    assert not assumed or loaded.confidence == "read_in_part"


def test_the_complete_house_ways_are_complete() -> None:
    for way in ("foxwoods", "trump_plaza"):
        assert load_house_way(way).confidence == "read"


@pytest.mark.parametrize("way", house_way_ids())
def test_no_two_rules_of_a_house_way_say_the_same(way: str) -> None:
    said = [rule.says for rule in load_house_way(way).rules]
    assert len(set(said)) == len(said)


# --- words ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "lowest", "highest", "how_many"),
    [
        ("anything", "three-two", "pair of aces", 91),
        ("a pair", "pair of twos", "pair of aces", 13),
        ("king high", "king-two", "king-queen", 11),
        ("king high or better", "king-two", "pair of aces", 36),
        ("three high", "three-two", "three-two", 1),
        ("ace-king", "ace-king", "ace-king", 1),
        ("ace-jack or better", "ace-jack", "pair of aces", 16),
        ("pair of kings", "pair of kings", "pair of kings", 1),
        ("pair of sixes or better", "pair of sixes", "pair of aces", 9),
    ],
)
def test_words_for_the_front(words: str, lowest: str, highest: str, how_many: int) -> None:
    meant = [hand.name for hand in two_card_ladder() if FrontHands(words).allows(hand)]
    assert (meant[0], meant[-1], len(meant)) == (lowest, highest, how_many)


def test_the_ladder_of_two_card_hands_never_falls() -> None:
    assert list(two_card_ladder()) == sorted(two_card_ladder())
    assert HandRank("two_card", "pair", (0,)) > HandRank("two_card", "high_card", (12, 11))


def test_words_for_the_hand_behind() -> None:
    for level, category in enumerate(JOKER_CATEGORIES):
        words = category.replace("_", " ")
        assert [name for name in JOKER_CATEGORIES if BehindHands(words).allows(name)] == [category]
        better = BehindHands(f"{words} or better")
        assert [name for name in JOKER_CATEGORIES if better.allows(name)] == [*JOKER_CATEGORIES[level:]]


@pytest.mark.parametrize(
    ("span", "ranks"), [("2-6", range(5)), ("7-10", range(5, 9)), ("J-A", range(9, 13)), ("A", [12])]
)
def test_spans_of_ranks(span: str, ranks: range) -> None:
    assert [rank for rank in range(13) if RankSpan(span).allows(rank)] == list(ranks)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (RankSpan, "6-2"),
        (RankSpan, "2-"),
        (RankSpan, "1-6"),
        (RankSpan, ""),
        (FrontHands, "two high"),
        (FrontHands, "king"),
        (FrontHands, "a pair or better"),
        (FrontHands, "pair of sixs"),
        (FrontHands, "queen-king"),
        (BehindHands, "two_pair"),
        (BehindHands, "trips"),
        (BehindHands, "straight or flush"),
    ],
)
def test_an_unknown_phrase_of_a_house_way_is_refused(kind: type[str], words: str) -> None:
    with pytest.raises(BadInput) as refused:
        kind(words)
    assert refused.value.problems[0].value == words
    assert refused.value.problems[0].allowed


# --- files ----------------------------------------------------------------------------------------------------


def test_every_problem_of_a_file_is_reported_at_once() -> None:
    data = copy.deepcopy(data_of("foxwoods"))
    del data["name"]
    data["confidence"] = "certain"
    data["rule"][0]["when"]["holds"] = ["nothing"]
    data["rule"][1]["play"][0]["front"] = "king"
    data["rule"][2]["play"][0]["behind"] = ["trips"]
    data["rule"][3]["when"]["pair"] = "K-10"
    data["rule"][4]["wen"] = {}
    assert [problem.partition(": ")[2].partition(":")[0] for problem in problems_of(data)] == [
        "name",
        "confidence",
        "rule (no_pair_straight).when.holds[0]",
        "rule (no_pair).play[0].front",
        "rule (one_pair_front).play[0].behind[0]",
        "rule (one_pair_and_ace).when.pair",
        f"rule ({data['rule'][4]['id']}).wen",
    ]


def test_every_inconsistency_of_a_file_is_reported_at_once() -> None:
    data = copy.deepcopy(data_of("foxwoods"))
    data["rule"][0]["id"] = "guard"
    data["rule"][1]["when"] = {"holds": ["no pair", "two pair"], "pair": "2-6", "second_pair": "2"}
    data["rule"][2]["play"] = []
    data["rule"][3]["when"]["holds"] = []
    data["rule"][4]["id"] = data["rule"][5]["id"]
    data["rule"][6]["when"] = {"holds": ["five aces"], "four": "A"}
    found = problems_of(data)
    assert [problem.partition(" (allowed")[0] for problem in found] == [
        "ours.toml: rule: appears 2 times: 'one_pair'",
        "ours.toml: rule[0] (guard): id: this id is reserved for hands that no rule sets: 'guard'",
        "ours.toml: rule[1] (no_pair): when.pair: no pair has no such group",
        "ours.toml: rule[1] (no_pair): when.second_pair: no pair has no such group",
        "ours.toml: rule[2] (one_pair_front): play: the rule has no plays",
        "ours.toml: rule[3] (one_pair_and_ace): when.holds: names no pattern",
        "ours.toml: rule[6] (two_pair_jacks_up): when.four: five aces has no such group",
    ]


def test_a_house_way_without_rules_is_refused() -> None:
    assert problems_of(data_of("foxwoods") | {"rule": []}) == ["ours.toml: rule: the house way has no rules"]


def test_a_casino_can_alter_a_file(tmp_path: Path) -> None:
    text = SHIPPED.joinpath("foxwoods.toml").read_text("utf-8")
    file = tmp_path / "ours.toml"
    file.write_text(text.replace('"king high or better"', '"queen high or better"'), encoding="utf-8")
    altered, published = load_house_way(str(file)), load_house_way("foxwoods")
    differing = [mine.id for mine, theirs in zip(altered.rules, published.rules, strict=True) if mine != theirs]
    assert differing == ["two_pair_threes_up", "four_medium"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("nowhere.toml", "cannot be read"), ("bellagio", "no such house way: 'bellagio'")],
)
def test_a_house_way_that_is_not_there_is_refused(name: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        load_house_way(name)
