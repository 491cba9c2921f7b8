"""`crossfelt solve` and `crossfelt advise`."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from crossfelt.analysis import solve
from crossfelt.analysis.solver import two_hands

POSITION = ("--hole", "As Ks", "--see", "across=Qs 2d", "--see", "down=3s 4s")


def test_json_has_the_figures_of_the_contract(crossfelt: Any) -> None:
    found = crossfelt("solve", "nj-criss-cross", "--json").json
    ev = Fraction(int(found["ev"]["numerator"]), int(found["ev"]["denominator"]))
    assert found["rulebook"] == "nj-criss-cross"
    assert (found["method"], found["unit"]) == ("exact", "one ante")
    assert found["tie_rule"] == "the larger stake, then the action that is listed first"
    assert found["ev"]["value"] == float(ev) == -found["house_edge"]["per_ante"]
    assert found["house_edge"]["per_initial_wagers"] == float(-ev / 2)
    assert found["house_edge"]["per_total_wagered"] == pytest.approx(-float(ev) / found["average_total_wagered"])
    assert set(found["decisions"]) == {"across", "down", "middle"}
    assert set(found["decisions"]["across"]) == {"fold", "1x", "3x"}
    assert found["standard_deviation"] == float(solve("nj-criss-cross").standard_deviation)
    bonus = found["side_bets"]["five_card_bonus"]
    assert sum(outcome["count"] for outcome in bonus["outcomes"]) == comb(52, 5)
    assert sum(outcome["contribution"] for outcome in bonus["outcomes"]) == pytest.approx(-bonus["house_edge"])
    assert sum(int(outcome["count"]) for outcome in found["distribution"]) == int(found["exact"]["deals"])
    assert len(found["first_decision"]) == 169
    assert found["first_decision"]["54o"]["best"] == "fold"
    assert found["seconds"] > 0


def test_other_odds_are_solved_even_if_no_submission_may_state_them(crossfelt: Any) -> None:
    asked = crossfelt("solve", "nj-criss-cross", "--pay", "bets.flush=7", "--json").json
    assert asked["pay"] == {"bets.flush": "7 to 1"}
    assert asked["ev"]["value"] < float(solve("nj-criss-cross").ev)
    assert asked["rulebook_hash"] == crossfelt("solve", "nj-criss-cross", "--json").json["rulebook_hash"]


def test_text_shows_figures_decisions_square_and_side_bet(crossfelt: Any) -> None:
    out = crossfelt("solve", "nj-criss-cross").out
    assert "4.3285 %  of the 2 antes wagered before the cards" in out
    assert "-579091/6689228" in out
    found = solve("nj-criss-cross").distribution
    assert re.search(rf"skewness +{found.skewness:.2f}  a normal distribution has 0\n", out)
    assert re.search(rf"kurtosis +{found.kurtosis:.2f}  a normal distribution has 3\n", out)
    assert "fold" in out.split("First decision")[1]
    assert "2,598,960" in out


def test_antes_are_a_curve_under_the_payout_limit(crossfelt: Any) -> None:
    asked = ("solve", "nj-criss-cross", "--ante", "500,2500..10000:7500")
    found = crossfelt(*asked, "--json").json
    says = found["payout_limit"].pop("says")
    assert found["payout_limit"] == {"cents": 50_000_00, "holds_to_ante_cents": 1611}
    assert "cuts no result up to an ante of $16.11" in says
    curve = {at["ante_cents"]: at for at in found["at_antes"]}
    assert list(curve) == [500, 2500, 10_000]
    assert curve[500]["same_play"]["ev"] == curve[500]["best_play"]["ev"] == found["ev"]
    for plays in (curve[2500], curve[10_000]):
        assert plays["same_play"]["ev"]["value"] < plays["best_play"]["ev"]["value"] < found["ev"]["value"]
    assert curve[10_000]["best_play"]["decisions"]["down"]["2x"] > 0
    out = crossfelt(*asked).out
    assert "The payout limit of $50,000 cuts no result up to an ante of $16.11" in out
    assert "$25      4.3637 %                4.3530 %  0.0107 %" in out
    assert "not an ante in cents" in crossfelt("solve", "nj-criss-cross", "--ante", "five").err


def test_an_interrupted_count_of_pairs_prints_bounds_and_keeps_nothing(
    crossfelt: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole, exact = two_hands.shipped_counts(), solve("nj-pai-gow")
    stopped = {key: replace(found, steps=(9, 10), uncounted=sum(found.pairs) // 1000) for key, found in whole.items()}
    monkeypatch.setattr(two_hands, "shipped_counts", dict)
    monkeypatch.setattr(
        two_hands, "count_against", lambda rules, ways, bank, done: stopped[two_hands.question_key(rules, bank=bank)]
    )
    monkeypatch.setattr("crossfelt.kernels.array_cache.array_directory", lambda: tmp_path)
    outcome = crossfelt("solve", "nj-pai-gow")
    assert (outcome.code, outcome.out) == (130, "")
    assert "Stopped after 9 of 10 steps. These are bounds" in outcome.err
    low, high = map(float, re.findall(r"optimal: between (\S+) % and (\S+) %", outcome.err)[0])
    assert low < 100 * float(exact.ev) < high
    assert high - low == pytest.approx(0.39, abs=0.001)
    assert not list(tmp_path.iterdir())


@pytest.mark.exhaustive
def test_a_known_card_is_printed(crossfelt: Any) -> None:
    assert "sees one middle card" in crossfelt("solve", "md-criss-cross", "--known", "middle").out


def test_advice_has_the_shape_of_the_contract(crossfelt: Any) -> None:
    found = crossfelt("advise", "nj-criss-cross", *POSITION, "--bets", "across=1,down=3", "--json").json
    assert (found["decision"], found["best"]) == ("middle", "3x")
    assert list(found["actions"]) == ["fold", "1x", "2x", "3x"]
    assert found["actions"]["fold"]["ev"] == -6.0
    assert found["actions"]["3x"]["cost"] == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("solve", "nj-criss-cross", "--pay", "bets.flash=7"), "bets.flash: no such pay line (allowed: royal_flush, "),
        (("solve", "nj-criss-cross", "--pay", "bet.flush=7"), "no such pay table: 'bet' (allowed: ante, bets, "),
        (
            ("solve", "nj-criss-cross", "--pay", "flush=7"),
            "the pay table is missing: 'flush' (allowed: ante.flush, bets.flush, ",
        ),
        (("solve", "nj-criss-cross", "--pay", "bets.flush"), "--pay: not NAME=VALUE: 'bets.flush' (allowed: "),
        (("solve", "nj-criss-cross", "--pay", "bets.flush=much"), "bets.flush: not odds: 'much' (allowed: "),
        (("solve", "nj-criss-cross", "--known", "hole"), "known: no such hidden card: 'hole' (allowed: down_far, "),
        (("advise", "nj-criss-cross", "--hole", "As As"), "hole: card given more than once: 'As'"),
        (("advise", "nj-criss-cross", "--hole", "As 1d"), "hole: not a card: '1d'"),
        (
            ("advise", "nj-criss-cross"),
            "cards: a player sees more cards before the first decision; add 2 cards of hole",
        ),
        (("advise", "nj-criss-cross", *POSITION), "bets: an earlier bet is missing: 'across'"),
        (("advise", "nj-criss-cross", *POSITION, "--bets", "across=1,left=2"), "bets: no such bet: 'left' (allowed: "),
        (("strategy", "card", "nj-criss-cross", "--lines", "16"), "--lines: number of lines out of range: 16"),
        (("strategy", "card", "nj-pai-gow"), "nj-pai-gow: no exact solution: the deck has a joker"),
        (
            ("strategy", "costs", "nj-pai-gow", "--strategy", "simple"),
            "strategy: no such strategy: 'simple' (allowed: optimal, house-way",
        ),
        (
            ("strategy", "costs", "nj-criss-cross", "--strategy", "clever"),
            "strategy: no such strategy: 'clever' (allowed: ",
        ),
        (("strategy", "costs", "nj-criss-cross", "--strategy", "no.py:play"), "no.py:play: no such file (allowed: "),
        (("strategy", "costs", "nj-criss-cross", "--strategy", "no.json"), "strategy: not a card file: 'no.json'"),
        (
            ("advise", "nj-double-cross", "--hole", "As Kd", "--see", "down_far=2c", "--flashed", "top=5s"),
            "top: no such cards (allowed: hole, cross)",
        ),
        (("solve", "nj-criss-cross", "--pay", "bets.flush=0"), "bets.flush: not odds: '0'"),
        (("exposure", "nj-pai-gow"), "nj-pai-gow: the value of a seen card is not computed for the rules of this game"),
        (("exposure", "nj-criss-cross", "--players", "7"), "--players: number out of range: 7 (allowed: 1 to 6"),
    ],
)
def test_an_impossible_request_is_one_clear_line(crossfelt: Any, arguments: tuple[str, ...], told: str) -> None:
    outcome = crossfelt(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.errors[0].startswith(told)
    assert not any(line.startswith("Traceback") for line in outcome.errors)


@pytest.mark.parametrize(
    ("asked", "same"), [("7.5", "15 to 2"), ("3/2", "3 to 2"), ("07", "7 to 1")], ids=["decimal", "fraction", "number"]
)
def test_odds_may_be_numbers(crossfelt: Any, asked: str, same: str) -> None:
    told = crossfelt("solve", "nj-criss-cross", "--pay", f"bets.flush={asked}", "--json").json
    assert told["pay"] == {"bets.flush": same}


def test_a_losing_line_equals_an_unprinted_one(crossfelt: Any) -> None:
    """Sixes to tens that lose bring less than sixes to tens that push, on the bets and on the antes."""
    worth = [
        crossfelt("solve", "nj-criss-cross", *pay, "--json").json["ev"]["value"]
        for pay in ((), ("--pay", "bets.pair_6s_through_10s=lose"), ("--pay", "ante.pair_6s_through_10s=lose"))
    ]
    assert worth[1] < worth[2] < worth[0]


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", ["nj-double-cross", pytest.param("nj-criss-cross", marks=pytest.mark.soak)])
def test_other_strategies_are_solved_with_their_cost(book: str, crossfelt: Any) -> None:
    costs = crossfelt("strategy", "costs", book, "--json").json
    assert list(costs)[:4] == ["optimal", "simple", "never-fold", "always-fold"]
    assert costs["optimal"]["cost"]["value"] == 0
    assert crossfelt("solve", book, "--strategy", "never-fold", "--json").json["ev"] == costs["never-fold"]["ev"]
    refused = crossfelt("solve", "nj-pai-gow", "--strategy", "simple")
    assert (refused.code, refused.errors[0][:43]) == (2, "strategy: no such strategy: 'simple' (allow")


@pytest.mark.exhaustive
def test_a_card_is_printed_with_the_cost_of_other_lengths(crossfelt: Any) -> None:
    out = crossfelt("strategy", "card", "nj-criss-cross", "--lines", 8).out
    assert out.startswith("Strategy card of 8 lines; cost: 0.013595 antes per round\n")
    assert "3x  a pair of sixes or better in a line" in out
    assert "Points: 2 for each jack or better, 1 for each six to ten." in out


@pytest.mark.exhaustive
def test_a_card_names_the_line_where_a_player_chooses_one(crossfelt: Any) -> None:
    out = crossfelt("strategy", "card", "nj-double-cross", "--lines", 3).out
    assert out.startswith("Strategy card of 3 lines; cost: 0.018332 antes per round\n  decide play\n")
    assert "the better line  a pair in the better line" in out
    assert "The better line has the higher pair" in out


def test_a_printed_card_can_be_played(crossfelt: Any, tmp_path: Path) -> None:
    cards = crossfelt("strategy", "card", "nj-double-cross", "--json").json
    file = tmp_path / "card.json"
    file.write_text(json.dumps(cards[2]), "utf-8")
    costs = crossfelt("strategy", "costs", "nj-double-cross", "--strategy", file, "--json").json
    assert costs[str(file)]["ev"] == cards[2]["ev"]


@pytest.mark.exhaustive
def test_house_ways_of_pai_gow_poker_have_their_cost(crossfelt: Any) -> None:
    told = crossfelt("strategy", "costs", "nj-pai-gow", "--json").json
    assert told.keys() == {"optimal", "casino_real", "flamingo", "foxwoods", "mgm", "trump_plaza"}
    assert [name for name, way in told.items() if way["cost"]["value"] == 0] == ["optimal"]
    # The published edge is 2.73 %.
    assert round(told["trump_plaza"]["ev"]["value"], 4) == -0.0273


@pytest.mark.exhaustive
def test_a_seen_card_and_shared_hands_have_their_value(crossfelt: Any) -> None:
    told = crossfelt("exposure", "nj-criss-cross", "--deals", 2, "--players", 2, "--json").json
    assert [card["card"] for card in told["seen_cards"]] == ["across", "down", "middle"]
    known = crossfelt("solve", "nj-criss-cross", "--known", "middle", "--json").json
    assert told["seen_cards"][-1]["value"] == known["ev"]
    assert (told["shared_hands"]["players"], told["shared_hands"]["deals"]) == (2, 2)
    text = crossfelt("exposure", "nj-double-cross", "--positions", 2).out
    assert text.startswith("One card seen before the first decision, in antes per round\n")
    assert "exact in each of 2 positions, seed 0" in text


def test_a_game_that_stakes_bets_says_bets(crossfelt: Any) -> None:
    book = Path(__file__).parents[4] / "examples" / "rulebooks" / "let-it-ride.toml"
    out = crossfelt("solve", str(book), "--ante", "500").out
    assert "House edge by bet, in percent of the initial wagers" in out
    assert "best play at this bet" in out
    assert "ante" not in out
