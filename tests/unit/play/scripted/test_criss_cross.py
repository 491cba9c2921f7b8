"""Scripted rounds of Criss Cross Poker on the real table, against what the three regulations say.

Cards and amounts are worked out by hand; nothing here reads the rulebook.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crossfelt.errors import BadInput
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner, read_script
from crossfelt.rulebooks.game import compile_game
from crossfelt.table import events as e

NJ, MA, MD = STATES = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross")
CROSS = {"across": "Kd 4s", "down": "9c 9h", "middle": "Kc"}
ALL_IN = {"across": 3000, "down": 1000, "middle": 2000}
DEVICES = {"dealing": {"method": "automated_shoe", "shuffler": "counting"}}
APPROVED = {**DEVICES, "approvals": {"automated_shoe": "approved"}}
WITH_DEVICES = {NJ: APPROVED, MA: DEVICES, MD: APPROVED}
RUNNER = ScriptRunner()

DESIGN = """
rulebook = "md-criss-cross"
seed = 7                                  # draws every card not named below

[submission]                              # optional; fields of a submission, over the defaults

[cards]                                   # by place
across = "Kd 4s"                          # outer horizontal cards, dealer's left then right
down   = "9c 9h"                          # outer vertical cards, far then near
middle = "Kc"
seat1  = "Ks 2d"                          # also seat2 … seat6, and dealer where the dealer has cards

[[seats]]
seat = 1
wagers    = { ante = 1000, five_card_bonus = 500 }          # cents; `ante` is the amount of each ante
decisions = { across = 3000, down = 1000, middle = 1000 }   # cents, or "fold"
"""
DESIGN_RESULT = """
{"rulebook": "md-criss-cross", "outcome": "settled",
 "seats": {"1": {"net": 17500, "wagers": {
    "ante_across": {"stake": 1000, "result": "win", "returned": 1000, "paid": 1000, "hand": "three kings",
                    "clauses": ["MDC-38"], "readings": ["AMB-10"]},
    "across":      {"stake": 3000, "result": "win", "returned": 3000, "paid": 9000, "hand": "three kings",
                    "clauses": ["MDC-38"]},
    "ante_down":   {"stake": 1000, "result": "win", "returned": 1000, "paid": 1000, "hand": "kings and nines",
                    "clauses": ["MDC-38"], "readings": ["AMB-10"]},
    "down":        {"stake": 1000, "result": "win", "returned": 1000, "paid": 2000, "hand": "kings and nines",
                    "clauses": ["MDC-38"]},
    "middle":      {"stake": 1000, "result": "win", "returned": 1000, "paid": 3000, "hand": "three kings",
                    "clauses": ["MDC-36"]},
    "five_card_bonus": {"stake": 500, "result": "win", "returned": 500, "paid": 1500, "hand": "kings and nines",
                        "clauses": ["MDC-40"]}}}},
 "house_net": -17500, "meters": {}}
"""


def seat(number: int, *, ante: int = 1000, bonus: int | None = 500, **decisions: int | str) -> dict[str, Any]:
    wagers = {"ante": ante} | ({"five_card_bonus": bonus} if bonus else {})
    return {"seat": number, "wagers": wagers, "decisions": decisions or ALL_IN}


def play(state: str, *seats: dict[str, Any], **fields: Any) -> PlayedRound:
    data = {"rulebook": state, "cards": CROSS, "seats": seats or (seat(1),), **fields}
    return RUNNER.play(data, where="round")


def problems(state: str, *seats: dict[str, Any], **fields: Any) -> list[str]:
    with pytest.raises(BadInput) as refused:
        play(state, *seats, **fields)
    return [str(problem) for problem in refused.value.problems]


def results(played: PlayedRound, number: int = 1) -> dict[str, str]:
    return {name: wager.result for name, wager in played.result.seats[str(number)].wagers.items()}


def paid(played: PlayedRound, number: int = 1) -> dict[str, int]:
    return {name: wager.paid for name, wager in played.result.seats[str(number)].wagers.items()}


def happened(played: PlayedRound, *kinds: type[e.Event]) -> list[Any]:
    return [event for event in played.events if isinstance(event, kinds)]


def by_state(*clauses: str) -> list[Any]:
    """The three states, each marked with the clauses of its own document; one string of clauses for each."""
    return [
        pytest.param(state, marks=pytest.mark.clause(*listed.split()), id=state[:2])
        for state, listed in zip(STATES, clauses, strict=True)
        if listed
    ]


def test_the_example_of_the_design_comes_out_to_the_letter() -> None:
    played = RUNNER.play(tomllib.loads(DESIGN), where="round.toml")
    printed = json.loads(msgspec.json.encode(played.result))
    wanted = json.loads(DESIGN_RESULT)
    assert printed == wanted
    assert list(printed["seats"]["1"]["wagers"]) == list(wanted["seats"]["1"]["wagers"])


# --- the deal ---------------------------------------------------------------------------------------------------------

COMMUNITY = ["0 down_far", "0 across_left", "0 middle", "0 across_right", "0 down_near"]
ONE_AT_A_TIME = [*COMMUNITY, "2 hole_1", "4 hole_1", "5 hole_1", "2 hole_2", "4 hole_2", "5 hole_2"]
STACKS = [*COMMUNITY, "2 hole_1", "2 hole_2", "4 hole_1", "4 hole_2", "5 hole_1", "5 hole_2"]


def order_of_deal(played: PlayedRound) -> list[str]:
    (event,) = happened(played, e.CardsDealt)
    return [f"{card.seat} {card.place}" for card in event.cards]


@pytest.mark.parametrize("state", by_state("NJC-32 NJC-31", "MAC-23", "MDC-24"))
def test_from_a_shoe_the_cross_is_dealt_first_then_one_card_at_a_time_clockwise(state: str) -> None:
    played = play(state, seat(5), seat(2), seat(4))
    assert order_of_deal(played) == ONE_AT_A_TIME
    locked = played.events.index(happened(played, e.BetsLocked)[0])
    assert locked < played.events.index(happened(played, e.CardsDealt)[0])


@pytest.mark.parametrize("state", by_state("NJC-37", "MAC-26", "MDC-26"))
def test_from_the_hand_the_order_is_the_same(state: str) -> None:
    played = play(state, seat(5), seat(2), seat(4), submission={"dealing": {"method": "hand", "shuffler": "automatic"}})
    assert order_of_deal(played) == ONE_AT_A_TIME


@pytest.mark.parametrize("state", by_state("NJC-38", "MAC-27", "MDC-27"))
def test_from_an_automated_shoe_come_a_stack_of_five_and_stacks_of_two(state: str) -> None:
    played = play(state, seat(5), seat(2), seat(4), submission=WITH_DEVICES[state])
    assert order_of_deal(played) == STACKS


# --- decisions and folds ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", by_state("NJC-41 NJC-52", "MAC-29", "MDC-31"))
def test_a_fold_at_the_across_decision_forfeits_the_antes_and_no_bonus(state: str) -> None:
    played = play(state, seat(1, across="fold"))
    assert results(played) == {"ante_across": "forfeit", "ante_down": "forfeit", "five_card_bonus": "win"}
    assert (played.result.seats["1"].net, played.result.house_net) == (-2000 + 1500, 500)


@pytest.mark.parametrize("state", by_state("NJC-42 NJC-52", "MAC-31", "MDC-32"))
def test_a_fold_at_the_down_decision_forfeits_the_across_bet_too(state: str) -> None:
    played = play(state, seat(1, across=2000, down="fold"))
    assert results(played) == {
        "ante_across": "forfeit",
        "across": "forfeit",
        "ante_down": "forfeit",
        "five_card_bonus": "win",
    }
    assert played.result.seats["1"].net == -1000 - 2000 - 1000 + 1500


@pytest.mark.parametrize("state", by_state("NJC-43 NJC-52", "MAC-32", "MDC-32"))
def test_a_fold_at_the_middle_decision_forfeits_all_but_the_bonus(state: str) -> None:
    played = play(state, seat(1, across=2000, down=3000, middle="fold"))
    assert results(played) == {
        "ante_across": "forfeit",
        "across": "forfeit",
        "ante_down": "forfeit",
        "down": "forfeit",
        "five_card_bonus": "win",
    }
    assert played.result.seats["1"].net == -1000 - 2000 - 1000 - 3000 + 1500


def turned_up(played: PlayedRound) -> list[tuple[str, ...]]:
    return [event.places for event in happened(played, e.CommunityCardsRevealed)]


@pytest.mark.parametrize("state", by_state("NJC-41 NJC-42 NJC-43", "MAC-30 MAC-31 MAC-33", "MDC-32"))
def test_outer_horizontal_cards_come_first_then_outer_vertical_ones_then_the_middle(state: str) -> None:
    played = play(state)
    assert turned_up(played) == [("across_left", "across_right"), ("down_far", "down_near"), ("middle",)]
    bets = [played.events.index(event) for event in happened(played, e.BetPlaced)]
    shown = [played.events.index(event) for event in happened(played, e.CommunityCardsRevealed)]
    assert bets[0] < shown[0] < bets[1] < shown[1] < bets[2] < shown[2]


def course(played: PlayedRound) -> list[str]:
    """Bets, folds, collections and reveals in the order in which they happened."""
    words = {
        e.BetPlaced: "bet",
        e.HandFolded: "fold",
        e.FoldCollected: "collect",
        e.CommunityCardsRevealed: "reveal",
    }
    return [words[type(event)] for event in played.events if type(event) in words]


THREE_FOLD = (
    seat(1, across="fold"),
    seat(2, across=1000, down="fold"),
    seat(3, across=1000, down=1000, middle="fold"),
    seat(4),
)


@pytest.mark.clause("NJC-41", "NJC-42", "NJC-43")
def test_new_jersey_collects_folds_after_the_first_two_reveals_and_before_the_third() -> None:
    assert " ".join(course(play(NJ, *THREE_FOLD))) == (
        "fold bet bet bet reveal collect fold bet bet reveal collect fold bet collect reveal"
    )


@pytest.mark.clause("MAC-30", "MAC-31", "MAC-32")
def test_massachusetts_collects_folds_before_each_reveal() -> None:
    assert " ".join(course(play(MA, *THREE_FOLD))) == (
        "fold bet bet bet collect reveal fold bet bet collect reveal fold bet collect reveal"
    )


@pytest.mark.clause("MDC-31", "MDC-32")
def test_maryland_collects_each_fold_at_once() -> None:
    assert " ".join(course(play(MD, *THREE_FOLD))) == (
        "fold collect bet bet bet reveal fold collect bet bet reveal fold collect bet reveal"
    )


@pytest.mark.parametrize("state", by_state("", "MAC-29 MAC-31 MAC-32", "MDC-31"))
def test_players_are_asked_clockwise_from_the_dealers_left(state: str) -> None:
    asked = [event.seat for event in happened(play(state, seat(6), seat(1), seat(3)), e.BetPlaced)]
    assert asked == [1, 3, 6] * 3


@pytest.mark.parametrize("cents", [999, 900, 3100, 4000, 1050, 0, -1000])
@pytest.mark.parametrize("bet", ["across", "down", "middle"])
@pytest.mark.parametrize(
    "state",
    by_state("NJC-11 NJC-26 NJC-41 NJC-42 NJC-43", "MAC-29 MAC-31 MAC-32", "MDC-20 MDC-31 MDC-32"),
)
def test_a_bet_below_one_ante_above_three_or_between_chips_is_refused(state: str, bet: str, cents: int) -> None:
    (problem,) = problems(state, seat(1, **{**ALL_IN, bet: cents}))
    assert problem.startswith(f"round: seat 1: decisions.{bet}: this amount is not allowed ")
    assert f": {cents} (allowed: 1,000 to 3,000 cents in steps of 100) [" in problem


# --- the middle bet ---------------------------------------------------------------------------------------------------

MIDDLE_CASES = {
    # the player's cards, across, middle, down: results of across, down and middle; what 2,000 on the middle wins
    "win, lose": ("Ks 2d", "Kd 4s", "7c", "9c 3h", "win lose win", 2000),
    "lose, win": ("Ks 2d", "9c 3h", "7c", "Kd 4s", "lose win win", 2000),
    "win, push": ("Ks 8d", "Kd 4s", "2c", "8c 3h", "win push win", 2000),
    "push, two pair": ("8s Qd", "8d 4s", "2c", "Qc 2h", "push win win", 4000),
    "two pair, three of a kind": ("As Kd", "Ad 4s", "Kc", "Kh 3c", "win win win", 6000),
    "push, lose": ("8s 2d", "8d 4s", "Jc", "9c 3h", "push lose push", 0),
    "lose, push": ("8s 2d", "9c 3h", "Jc", "8d 4s", "lose push push", 0),
    "push, push": ("8s 9d", "8d 4s", "Jc", "9c 3h", "push push push", 0),
    "lose, lose": ("2s 4d", "8d 7s", "Jc", "9c Kh", "lose lose lose", 0),
    "fives, nothing": ("5s 2d", "5d 9s", "Jc", "Kc 3h", "lose lose lose", 0),
}


def cards_of(hole: str, across: str, middle: str, down: str) -> dict[str, str]:
    return {"seat1": hole, "across": across, "down": down, "middle": middle}


@pytest.mark.parametrize("case", MIDDLE_CASES)
@pytest.mark.parametrize("state", by_state("NJC-45 NJC-46", "MAC-1 MAC-34 MAC-35", "MDC-36"))
def test_the_middle_bet_follows_the_two_lines(state: str, case: str) -> None:
    *cards, wanted, win = MIDDLE_CASES[case]
    played = play(state, seat(1, bonus=None), cards=cards_of(*map(str, cards)))
    outcome = results(played)
    assert [outcome[bet] for bet in ("across", "down", "middle")] == str(wanted).split()
    assert outcome["ante_across"] == outcome["across"]
    assert outcome["ante_down"] == outcome["down"]
    assert paid(played)["middle"] == win


@pytest.mark.parametrize("state", STATES)
def test_when_both_lines_push_the_middle_bet_names_the_higher_hand(state: str) -> None:
    *cards, _, _ = MIDDLE_CASES["push, push"]
    played = play(state, seat(1, bonus=None), cards=cards_of(*map(str, cards)))
    assert played.result.seats["1"].wagers["middle"].hand == "pair of nines"


# --- pay tables -------------------------------------------------------------------------------------------------------

PAYS = {
    # five cards: odds on a bet, odds on the Five Card Bonus; 0 is a push, None a loss
    "royal flush": ("As Ks Qs Js Ts", 500, 250),
    "straight flush": ("9s 8s 7s 6s 5s", 100, 100),
    "five-high straight flush": ("As 2s 3s 4s 5s", 100, 100),
    "four of a kind": ("9s 9h 9d 9c 5s", 40, 40),
    "full house": ("9s 9h 9d 4c 4s", 12, 15),
    "flush": ("As 9s 7s 6s 2s", 8, 10),
    "straight": ("9s 8h 7s 6d 5s", 5, 6),
    "ten to ace": ("As Kh Qs Jd Ts", 5, 6),
    "ace to five": ("As 2h 3s 4d 5s", 5, 6),
    "no straight around the corner": ("Qs Kh As 2d 3s", None, None),
    "three of a kind": ("9s 9h 9d 6d 5s", 3, 4),
    "two pair": ("9s 9h 6s 6d 5s", 2, 3),
    "pair of aces": ("As Ah 6s 7d 5s", 1, 1),
    "pair of jacks": ("Js Jh 6s 7d 5s", 1, 1),
    "pair of tens": ("Ts Th 6s 7d 5s", 0, 1),
    "pair of sixes": ("6s 6h 7s 8d 2s", 0, 1),
    "pair of fives": ("5s 5h 7s 8d 2s", None, None),
    "ace high": ("As Kh 7s 8d 2s", None, None),
}


def spread_over(line: str, hand: str) -> dict[str, str]:
    """A hand on one line; the other two cards of the cross are small, and make no pair."""
    one, two, three, four, five = hand.split()
    free = [card for card in ("2c", "3d", "4h", "5d", "7c", "8h") if card[0] not in hand][:2]
    other = "down" if line == "across" else "across"
    return {"seat1": f"{one} {two}", line: f"{three} {four}", "middle": five, other: " ".join(free)}


def odds_paid(played: PlayedRound, wager: str) -> float | None:
    entry = played.result.seats["1"].wagers[wager]
    return None if entry.result == "lose" else entry.paid / entry.stake


@pytest.mark.exhaustive
@pytest.mark.parametrize("line", ["across", "down"])
@pytest.mark.parametrize("hand", PAYS)
@pytest.mark.parametrize(
    "state", by_state("NJC-16 NJC-45 NJC-50 NJC-51", "MAC-14 MAC-34 MAC-38 MAC-39", "MDC-16 MDC-38")
)
def test_each_line_pays_its_bet_by_the_table_and_its_ante_even_money(state: str, hand: str, line: str) -> None:
    cards, bet, _ = PAYS[hand]
    stakes = {"across": 500, "down": 500, "middle": 500}
    played = play(state, seat(1, ante=500, bonus=None, **stakes), cards=spread_over(line, cards))
    entry = played.result.seats["1"].wagers[line]
    limited = bet is not None and bet >= 100
    assert odds_paid(played, f"ante_{line}") == (bet and 1)
    if not limited or state == MA:
        assert odds_paid(played, line) == bet
    else:
        assert entry.paid + entry.limited == 500 * (bet or 0)


@pytest.mark.parametrize("hand", PAYS)
@pytest.mark.parametrize("state", by_state("NJC-52", "MAC-20 MAC-40", "MDC-21 MDC-40"))
def test_the_five_card_bonus_pays_on_the_community_cards_alone_also_after_a_fold(state: str, hand: str) -> None:
    cards, _, bonus = PAYS[hand]
    one, two, three, four, five = cards.split()
    cross = {"across": f"{one} {two}", "down": f"{three} {four}", "middle": five}
    played = play(state, seat(1, across="fold"), cards=cross)
    assert odds_paid(played, "five_card_bonus") == bonus


@pytest.mark.parametrize("state", by_state("NJC-9", "MAC-20", "MDC-21"))
def test_the_five_card_bonus_is_there_only_where_it_is_offered_and_never_alone(state: str) -> None:
    none = {"wagers": {"five_card_bonus": {"offered": False}}}
    assert play(state, seat(1, bonus=None), submission=none).result.outcome == "settled"
    (problem,) = problems(state, seat(1), submission=none)
    assert problem.startswith("round: seat 1: wagers.five_card_bonus: no such wager at this table (allowed: ante")
    alone = {"seat": 1, "wagers": {"five_card_bonus": 500}, "decisions": ALL_IN}
    (problem,) = problems(state, alone)
    assert problem.startswith("round: seat 1: wagers: a required wager is missing: 'ante_across'")


@pytest.mark.clause("MDC-38")
def test_marylands_literal_reading_pays_antes_by_the_table() -> None:
    literal = {"settings": {"md_antes_at_table": True}}
    cards = spread_over("across", "9s 9h 9d 6d 5s")
    assert paid(play(MD, seat(1, bonus=None), cards=cards))["ante_across"] == 1000
    assert paid(play(MD, seat(1, bonus=None), cards=cards, submission=literal))["ante_across"] == 3000


# --- the order of settlement ------------------------------------------------------------------------------------------


def order_of_settlement(state: str) -> list[str]:
    played = play(state, seat(2), seat(5, across="fold"), seat(6))
    return [f"{event.seat} {event.wager}" for event in happened(played, e.WagerSettled)]


def hands_of(*seats: int) -> list[str]:
    order = ("ante_across", "across", "ante_down", "down", "middle")
    return [f"{number} {wager}" for number in seats for wager in order]


@pytest.mark.clause("NJC-44", "NJC-52")
def test_new_jersey_settles_from_the_right_and_pays_bonuses_at_the_end() -> None:
    bonuses = ["6 five_card_bonus", "5 five_card_bonus", "2 five_card_bonus"]
    assert order_of_settlement(NJ) == hands_of(6, 2) + bonuses


@pytest.mark.clause("MAC-33", "MAC-36")
def test_massachusetts_settles_each_bonus_after_that_players_other_wagers() -> None:
    six, two = ["6 five_card_bonus"], ["2 five_card_bonus"]
    assert order_of_settlement(MA) == [*hands_of(6), *six, "5 five_card_bonus", *hands_of(2), *two]


@pytest.mark.clause("MDC-33", "MDC-34")
def test_maryland_settles_all_bonuses_before_any_hand_is_opened() -> None:
    bonuses = ["6 five_card_bonus", "5 five_card_bonus", "2 five_card_bonus"]
    assert order_of_settlement(MD) == bonuses + hands_of(6, 2)


@pytest.mark.parametrize("state", by_state("NJC-44", "MAC-33", "MDC-34 MDC-35"))
def test_each_hand_is_opened_settled_and_collected_before_the_next(state: str) -> None:
    played = play(state, seat(2), seat(6))
    course = [
        (event.seat, type(event))
        for event in happened(played, e.HandShown, e.SeatSettled)
        if isinstance(event, e.HandShown) or event.collects
    ]
    assert course == [(6, e.HandShown), (6, e.SeatSettled), (2, e.HandShown), (2, e.SeatSettled)]
    across, down = happened(played, e.HandShown)[0].hands.values()
    assert across == played.result.seats["6"].wagers["across"].hand
    assert down == played.result.seats["6"].wagers["down"].hand


# --- payout limits ----------------------------------------------------------------------------------------------------

ROYAL = {"seat1": "Ts Js", "middle": "Qs", "across": "As Ks", "down": "9s 8s"}
"""A royal flush across, a queen-high straight flush down, a flush in the cross: the most there is to win."""
FIFTY_THOUSAND = 50_000_00


def cut(played: PlayedRound) -> dict[str, tuple[int, int]]:
    """Return the payment and the cut of a limit, by wager."""
    return {name: (wager.paid, wager.limited) for name, wager in played.result.seats["1"].wagers.items()}


@pytest.mark.clause("NJC-56")
def test_new_jersey_pays_one_player_fifty_thousand_a_round_bonus_included_last_paid_cut_first() -> None:
    played = play(NJ, seat(1, across=1000, down=1000, middle=1000, ante=1000, bonus=10_000), cards=ROYAL)
    full = {"ante_across": 1000, "across": 500_000, "ante_down": 1000, "down": 100_000, "middle": 500_000}
    assert cut(played) == {name: (cents, 0) for name, cents in full.items()} | {"five_card_bonus": (100_000, 0)}
    tripled = {"across": 9000, "down": 9000, "middle": 9000}
    played = play(NJ, seat(1, ante=3000, bonus=10_000, **tripled), cards=ROYAL)
    assert cut(played) == {
        "ante_across": (3000, 0),
        "across": (4_500_000, 0),
        "ante_down": (3000, 0),
        "down": (494_000, 406_000),
        "middle": (0, 4_500_000),
        "five_card_bonus": (0, 100_000),
    }
    assert sum(paid(played).values()) == FIFTY_THOUSAND
    assert "NJC-56" in played.result.seats["1"].wagers["down"].clauses
    assert "NJC-56" not in played.result.seats["1"].wagers["across"].clauses
    for stated in (FIFTY_THOUSAND - 1, FIFTY_THOUSAND + 1):
        (problem,) = problems(NJ, submission={"payout_limit": {"amount_cents": stated}})
        assert "the payout limit must be " in problem


@pytest.mark.parametrize("state", by_state("NJC-56", "", "MDC-39"))
def test_where_the_minimum_wager_could_win_more_that_is_the_limit(state: str) -> None:
    bets = {"across": 30_000, "down": 30_000, "middle": 30_000}
    submission = {"wagers": {"ante": {"min_cents": 10_000}}}
    played = play(state, seat(1, ante=10_000, bonus=None, **bets), cards=ROYAL, submission=submission)
    assert sum(paid(played).values()) == 1_102 * 10_000


@pytest.mark.clause("MDC-39")
def test_marylands_limit_leaves_the_bonus_alone_and_may_be_lower() -> None:
    bets = {"across": 9000, "down": 9000, "middle": 9000}
    played = play(MD, seat(1, ante=3000, bonus=10_000, **bets), cards=ROYAL)
    assert cut(played)["five_card_bonus"] == (100_000, 0)
    assert sum(paid(played).values()) == FIFTY_THOUSAND + 100_000
    lower = {"payout_limit": {"amount_cents": 600_000}}
    played = play(MD, seat(1, ante=3000, bonus=None, **bets), cards=ROYAL, submission=lower)
    assert sum(paid(played).values()) == 600_000
    higher = {"payout_limit": {"amount_cents": FIFTY_THOUSAND + 1}}
    (problem,) = problems(MD, submission=higher)
    where = "round: submission: payout_limit.amount_cents"
    assert problem.startswith(f"{where}: the payout limit must be at least $5,510 and at most $50,000")


@pytest.mark.clause("MAC-41")
def test_massachusetts_has_no_limit_unless_the_operator_sets_one_and_then_the_bonus_counts() -> None:
    bets = {"across": 9000, "down": 9000, "middle": 9000}
    played = play(MA, seat(1, ante=3000, bonus=10_000, **bets), cards=ROYAL)
    assert sum(paid(played).values()) == 3000 + 4_500_000 + 3000 + 900_000 + 4_500_000 + 100_000
    stated = {"payout_limit": {"amount_cents": 9_950_000}}
    played = play(MA, seat(1, ante=3000, bonus=10_000, **bets), cards=ROYAL, submission=stated)
    assert cut(played)["five_card_bonus"] == (44_000, 56_000)
    (problem,) = problems(MA, submission={"payout_limit": {"amount_cents": FIFTY_THOUSAND - 1}})
    assert "the payout limit must be " in problem


# --- what goes wrong --------------------------------------------------------------------------------------------------


def wrong(kind: str, step: str, **fields: Any) -> list[dict[str, Any]]:
    return [{"kind": kind, "step": step, **fields}]


def is_void(played: PlayedRound) -> bool:
    """Void: every stake of every seat came back, and the house has nothing."""
    result = played.result
    if result.outcome == "settled":
        return False
    for seat_result in result.seats.values():
        assert seat_result.net == 0
        assert all((wager.result, wager.returned) == ("returned", wager.stake) for wager in seat_result.wagers.values())
    return result.house_net == 0


def shuffles(played: PlayedRound) -> int:
    return len(happened(played, e.DeckShuffled))


@pytest.mark.parametrize("state", by_state("NJC-58", "", "MDC-52"))
def test_one_face_up_card_voids_the_round(state: str) -> None:
    played = play(state, seat(1), seat(2), irregularities=wrong("face_up_card", "deal"))
    assert is_void(played)
    assert not happened(played, e.CardsDealt)
    assert shuffles(played) == 2


@pytest.mark.clause("MAC-42")
def test_in_massachusetts_one_face_up_card_is_not_used_and_several_void_the_round() -> None:
    cards = {**CROSS, "seat1": "Ks 2d"}
    one = play(MA, cards=cards, irregularities=wrong("face_up_card", "deal"))
    assert one.result == play(MA, cards=cards).result
    (found,) = happened(one, e.FaceUpCardDiscarded)
    (dealt,) = happened(one, e.CardsDealt)
    assert found.card not in [card.card for card in dealt.cards]
    several = play(MA, cards=cards, irregularities=wrong("face_up_card", "deal", count=2))
    assert is_void(several)
    assert shuffles(several) == 2


@pytest.mark.parametrize("state", by_state("NJC-59", "MAC-43", "MDC-53"))
def test_a_card_drawn_in_error_and_not_seen_is_the_next_card(state: str) -> None:
    drawn = play(state, irregularities=wrong("card_in_error", "deal"))
    assert drawn.result == play(state).result
    assert happened(drawn, e.IrregularityReported)[0].then == ("use_as_next_card",)


@pytest.mark.parametrize("step", ["stub", "decide_across", "reveal_down", "decide_middle"])
@pytest.mark.parametrize("state", by_state("NJC-60", "MAC-44", "MDC-54"))
def test_a_wrong_number_of_cards_in_a_hand_voids_the_round(state: str, step: str) -> None:
    played = play(state, seat(1), seat(2), irregularities=wrong("wrong_card_count", step, seat=2))
    assert is_void(played)
    assert shuffles(played) == 2


@pytest.mark.parametrize("state", by_state("", "MAC-44", "MDC-54"))
def test_a_wrong_number_of_community_cards_voids_the_round(state: str) -> None:
    assert is_void(play(state, irregularities=wrong("wrong_card_count", "stub", place="community")))


@pytest.mark.parametrize("state", STATES)
def test_a_void_round_gives_back_what_a_fold_had_forfeited(state: str) -> None:
    irregularities = wrong("wrong_card_count", "decide_middle", seat=2)
    played = play(state, seat(1, across="fold"), seat(2), irregularities=irregularities)
    assert is_void(played)
    assert results(played) == {"ante_across": "returned", "ante_down": "returned", "five_card_bonus": "returned"}


@pytest.mark.clause("MAC-45")
def test_in_massachusetts_a_community_card_seen_early_voids_the_round() -> None:
    assert is_void(play(MA, irregularities=wrong("community_exposed", "decide_across", place="middle")))


@pytest.mark.parametrize("state", [NJ, MD])
def test_elsewhere_the_floor_decides_about_a_community_card_seen_early(state: str) -> None:
    def exposed(**fields: Any) -> list[dict[str, Any]]:
        return wrong("community_exposed", "decide_across", place="middle", **fields)

    assert is_void(play(state, irregularities=exposed(ruling="void")))
    played = play(state, irregularities=exposed(ruling="continue"))
    assert played.result == play(state).result
    assert [event.place for event in happened(played, e.CommunityCardExposed)] == ["middle"]
    assert turned_up(played) == [("across_left", "across_right"), ("down_far", "down_near")]
    (problem,) = problems(state, irregularities=exposed())
    assert problem == (
        "round: irregularities[0].ruling: community_exposed needs a ruling by the floor (allowed: continue, void)"
    )


@pytest.mark.parametrize("state", by_state("NJC-61", "MAC-46", ""))
def test_a_shuffler_that_jams_shuffles_again(state: str) -> None:
    played = play(state, submission=WITH_DEVICES[state], irregularities=wrong("shuffler_jam", "shuffle"))
    assert happened(played, e.IrregularityReported)[0].then == ("reshuffle",)
    jam = played.events.index(happened(played, e.IrregularityReported)[0])
    assert [type(event) for event in played.events[jam + 1 :]] == [e.DeckShuffled]


@pytest.mark.parametrize("state", by_state("NJC-62", "MAC-47", "MDC-55"))
def test_an_automated_shoe_that_jams_voids_the_round(state: str) -> None:
    played = play(state, submission=WITH_DEVICES[state], irregularities=wrong("shoe_jam", "deal"))
    assert is_void(played)
    assert shuffles(played) == 2
    (problem,) = problems(state, irregularities=wrong("shoe_jam", "deal"))
    assert "no shoe is in use: 'shoe_jam'" in problem


@pytest.mark.parametrize("state", [MA, MD])
def test_a_device_out_of_order_is_recorded_and_the_cards_in_play_are_played(state: str) -> None:
    irregularities = wrong("device_out_of_order", "open_bets", place="shuffler")
    played = play(state, submission=WITH_DEVICES[state], irregularities=irregularities)
    assert played.result.outcome == "settled"
    assert played.table.devices["shuffler"] == "broken"
    assert happened(played, e.IrregularityReported)[0].then == ("cover_or_sign_device",)


@pytest.mark.parametrize("state", by_state("NJC-34", "MAC-25", "MDC-25"))
def test_a_misdeal_found_by_the_count_voids_the_round_and_the_deck_stays(state: str) -> None:
    irregularities = wrong("stub_count_wrong", "stub", count=44, finding="misdealt")
    played = play(state, irregularities=irregularities)
    assert is_void(played)
    assert (happened(played, e.DeckRemoved), shuffles(played)) == ([], 2)


@pytest.mark.clause("MDC-25")
def test_a_misdeal_is_where_it_is_written_and_else_at_the_first_seat() -> None:
    for written, found in (({}, 1), ({"seat": 1}, 1)):
        irregularities = wrong("stub_count_wrong", "stub", count=44, finding="misdealt", **written)
        (counted,) = happened(play(MD, irregularities=irregularities), e.StubCounted)
        assert (counted.seat, counted.place) == (found, None)
    irregularities = wrong("stub_count_wrong", "stub", count=44, finding="misdealt", place="community")
    (problem,) = problems(MD, irregularities=irregularities)
    refusal = "name the seat or area of the misdeal: 'place community' (allowed: seat 1) [MDC-25]"
    assert problem == f"round: irregularities[0]: {refusal}"
    irregularities = wrong("stub_count_wrong", "stub", count=44, finding="not_misdealt", seat=1)
    assert problems(MD, irregularities=irregularities) == [
        "round: irregularities[0].seat: does not apply to stub_count_wrong"
    ]


@pytest.mark.parametrize("state", by_state("NJC-34", "MAC-25", "MDC-25"))
@pytest.mark.parametrize("finding", ["not_misdealt", "misdealt_and_wrong_total"])
def test_a_wrong_deck_found_by_the_count_leaves_the_table(state: str, finding: str) -> None:
    irregularities = wrong("stub_count_wrong", "stub", count=44, finding=finding)
    played = play(state, irregularities=irregularities)
    assert is_void(played)
    assert [event.deck for event in happened(played, e.DeckRemoved)] == ["A-1"]
    assert len([event for event in happened(played, e.DeckPrepared) if event.act == "receive"]) == 2


@pytest.mark.parametrize("state", by_state("NJC-35", "MAC-8", "MDC-12"))
def test_a_deck_that_a_counting_shuffler_miscounts_leaves_the_table(state: str) -> None:
    irregularities = wrong("shuffler_count_wrong", "shuffle", count=51)
    played = play(state, submission=WITH_DEVICES[state], irregularities=irregularities)
    assert played.result.outcome == "settled"
    assert [event.deck for event in happened(played, e.DeckRemoved)] == ["A-1"]


@pytest.mark.parametrize("state", by_state("", "MAC-17", "MDC-18"))
def test_wagers_of_a_player_who_leaves_may_be_treated_as_lost(state: str) -> None:
    def leaves(ruling: str) -> PlayedRound:
        irregularities = wrong("player_leaves", "decide_down", seat=2, ruling=ruling)
        return play(state, seat(1), seat(2), irregularities=irregularities)

    assert set(results(leaves("abandon"), 2).values()) == {"forfeit"}
    assert leaves("abandon").result.seats["2"].net == -1000 - 1000 - 500 - 3000
    assert leaves("abandon").result.seats["1"] == leaves("continue").result.seats["1"]
    assert leaves("continue").result == play(state, seat(1), seat(2)).result


def test_new_jersey_names_no_consequence_for_a_player_who_leaves() -> None:
    (problem,) = problems(NJ, irregularities=wrong("player_leaves", "decide_down", seat=1, ruling="abandon"))
    assert problem.startswith("round: irregularities[0].ruling: the floor cannot rule this way here: 'abandon'")


@pytest.mark.clause("MDC-29", "MDC-30")
def test_in_maryland_a_breach_forfeits_every_wager_of_that_player() -> None:
    irregularities = wrong("conduct_breach", "reveal_across", seat=1)
    played = play(MD, seat(1), seat(2), irregularities=irregularities)
    assert results(played) == dict.fromkeys(["ante_across", "across", "ante_down", "five_card_bonus"], "forfeit")
    assert played.result.seats["2"] == play(MD, seat(1), seat(2)).result.seats["2"]
    assert happened(played, e.IrregularityReported)[0].by == "floor"


@pytest.mark.parametrize(("state", "kind", "ruling"), [(MA, "player_leaves", "abandon"), (MD, "conduct_breach", None)])
def test_a_seat_that_loses_its_wagers_before_the_cards_gets_none(state: str, kind: str, ruling: str | None) -> None:
    irregularities = wrong(kind, "deal", seat=1, ruling=ruling)
    cards = {**CROSS, "seat2": "Ks 2d"}
    played = play(state, seat(1), seat(2), cards=cards, irregularities=irregularities)
    assert order_of_deal(played) == [*COMMUNITY, "2 hole_1", "2 hole_2"]
    assert [str(card) for card in happened(played, e.HandShown)[0].cards] == ["Ks", "2d"]
    (problem,) = problems(state, seat(1), seat(2), cards={"seat1": "Ks 2d"}, irregularities=irregularities)
    assert problem == "round: cards.seat1: this seat does not play (allowed: seat2)"


def test_a_round_that_cannot_begin_is_bad_input() -> None:
    irregularities = wrong("device_out_of_order", "open_bets", place="shoe")
    (problem,) = problems(MD, submission=APPROVED, irregularities=irregularities)
    assert problem.startswith("round: open_bets: the shoe is out of use")


# --- bad input --------------------------------------------------------------------------------------------------------


def test_every_problem_of_the_shape_is_reported_at_once() -> None:
    data = {
        "rulbook": MD,
        "seed": "7",
        "cards": {"middle": 5},
        "seats": [{"seat": 1, "wagers": {"ante": 10.5}, "decisions": {"across": None}}, {"wagers": {}}],
        "irregularities": [{"kind": "face_up_card", "ruling": 5}],
        "meters": {"bonus_spin": -1},
    }
    with pytest.raises(BadInput) as refused:
        read_script(data, where="round.toml")
    places = [problem.where for problem in refused.value.problems]
    assert places == [
        "round.toml: rulebook",
        "round.toml: seed",
        "round.toml: cards.middle",
        "round.toml: seats[0].wagers.ante",
        "round.toml: seats[0].decisions.across",
        "round.toml: seats[1].seat",
        "round.toml: meters.bonus_spin",
        "round.toml: irregularities[0].step",
        "round.toml: irregularities[0].ruling",
        "round.toml: rulbook",
    ]


@pytest.mark.parametrize("data", [None, [], "round", 5, {"rulebook": MD, "seats": {}}])
def test_what_is_no_round_is_refused(data: Any) -> None:
    with pytest.raises(BadInput):
        RUNNER.play(data, where="round")


def test_a_script_that_does_not_fit_the_game_is_refused_with_every_problem() -> None:
    odd = {
        "seat": 1,
        "wagers": {"ante": 1000, "ante_down": 1000, "insurance": 500},
        "decisions": {"acros": 1000, "down": "raise", "middle": True},
    }
    irregularities = [
        {"kind": "earthquake", "step": "deal"},
        {"kind": "stub_count_wrong", "step": "count"},
        {"kind": "card_in_error", "step": "deal", "count": 2, "finding": "misdealt"},
        {"kind": "wrong_card_count", "step": "stub"},
        {"kind": "face_up_card", "step": "deal", "place": "seat1", "count": 0},
    ]
    refusals = problems(MD, odd, {"seat": 2, "wagers": {}}, cards={"seat3": "2c 3c"}, irregularities=irregularities)
    assert [line.removeprefix("round: ").split(": ")[:2] for line in refusals] == [
        ["seat 1", "wagers.ante_down"],
        ["seat 1", "wagers.insurance"],
        ["seat 1", "decisions.acros"],
        ["seat 1", "decisions.down"],
        ["seat 1", "decisions.middle"],
        ["seat 2", "wagers"],
        ["irregularities[0].kind", "no such irregularity"],
        ["irregularities[1].step", "no such step in this game"],
        ["irregularities[1].count", "missing (allowed"],
        ["irregularities[1].finding", "missing (allowed"],
        ["irregularities[2].count", "does not apply to card_in_error"],
        ["irregularities[2].finding", "does not apply to card_in_error"],
        ["irregularities[3].place", "name the seat or place of the irregularity (allowed"],
        ["irregularities[4].count", "too small"],
        ["irregularities[4].place", "this place gets no cards"],
        ["cards.seat3", "this seat does not play (allowed"],
    ]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        (
            {"chance": {"wheel": {"seat1": 3}}},
            "round: chance.wheel.seat1: no wheel is spun for this seat (allowed: none)",
        ),
        (
            {"meters": {"xtreme": 1}},
            "round: meters.xtreme: no such meter runs at this table: 1 (allowed: bonus_spin)",
        ),
        (
            {"chance": {"xtreme": {"prize": 1}}},
            "round: chance.xtreme: no such wheels at this table",
        ),
        ({"bank": 3, "co_bank": True}, "round: bank: no player can bank this game"),
    ],
)
def test_what_this_table_does_not_have_is_refused_in_one_line(fields: dict[str, Any], problem: str) -> None:
    assert problems(MD, **fields) == [problem]


def test_an_empty_chance_or_meter_part_is_no_use_of_it() -> None:
    assert play(MD, chance={}, meters={}).result == play(MD).result


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([], ["round: seats: no seat plays"]),
        ([seat(7)], ["round: seats[0].seat: no such seat: 7 (allowed: 1 to 6) [MDC-2]"]),
        ([seat(1), seat(1)], ["round: seats[1].seat: the seat is taken: 1"]),
    ],
)
def test_seats_that_cannot_be_are_refused(given: list[dict[str, Any]], problem: list[str]) -> None:
    with pytest.raises(BadInput) as refused:
        RUNNER.play({"rulebook": MD, "seats": given}, where="round")
    assert [str(one) for one in refused.value.problems] == problem


def test_an_impossible_seat_is_refused_before_its_cards() -> None:
    refusals = problems(MD, seat(7), cards={"seat1": "2c 3c"})
    assert [line.removeprefix("round: ").partition(":")[0] for line in refusals] == ["seats[0].seat", "cards.seat1"]


@pytest.mark.clause("MDC-20", "MDC-21")
def test_refusals_of_the_table_name_the_seat_and_the_field_as_it_was_written() -> None:
    antes = "allowed: 500 to 50,000 cents in steps of 100"
    bonuses = "allowed: 100 to 10,000 cents in steps of 100"
    refusals = problems(MD, seat(1, ante=100), seat(3, bonus=50_000), seat(4, ante=1050))
    assert refusals == [
        f"round: seat 1: wagers.ante: this stake is not allowed: 100 ({antes}) [MDC-1, MDC-20]",
        f"round: seat 3: wagers.five_card_bonus: this stake is not allowed: 50000 ({bonuses}) [MDC-21]",
        f"round: seat 4: wagers.ante: this stake is not allowed: 1050 ({antes}) [MDC-1, MDC-20]",
    ]


@pytest.mark.parametrize("state", by_state("NJC-25", "MAC-19", "MDC-20"))
def test_unequal_antes_are_refused(state: str) -> None:
    unequal = {"seat": 1, "wagers": {"ante_across": 1000, "ante_down": 2000}, "decisions": ALL_IN}
    (problem,) = problems(state, unequal)
    assert problem.startswith("round: seat 1: wagers: each ante must be equal: '1,000, 2,000'")


@pytest.mark.parametrize("state", STATES)
def test_a_missing_decision_is_bad_input_that_names_seat_and_decision(state: str) -> None:
    refusals = problems(state, seat(1, across=1000), seat(2, across=1000, down=1000), seat(3))
    assert [line.partition(": missing (allowed: an amount in cents, fold)")[0] for line in refusals] == [
        "round: seat 1: decisions.down",
        "round: seat 2: decisions.middle",
    ]


@pytest.mark.parametrize("state", STATES)
def test_decisions_that_are_never_asked_for_are_not_used(state: str) -> None:
    folds = play(state, seat(1, across="fold", down=10, middle=7))
    assert folds.result == play(state, seat(1, across="fold")).result
    void = wrong("wrong_card_count", "decide_across", seat=1)
    assert is_void(play(state, {**seat(1), "decisions": {}}, irregularities=void))


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        (
            wrong("player_leaves", "no_more_bets", seat=1),
            "round: irregularities[0].step: the round never reaches this step: 'no_more_bets'",
        ),
        (
            wrong("face_up_card", "deal") + wrong("player_leaves", "stub", seat=1),
            "round: irregularities[1].step: the round never reaches this step: 'stub'",
        ),
        (
            wrong("face_up_card", "stub"),
            (
                "round: irregularities[0]: “face up card” cannot be reported in the step “stub”: 'face_up_card' "
                "(allowed: community_exposed, conduct_breach, player_leaves, wrong_card_count)"
            ),
        ),
        (
            wrong("shoe_jam", "deal"),
            (
                "round: irregularities[0]: no shoe is in use: 'shoe_jam' "
                "(allowed: card_in_error, conduct_breach, face_up_card, player_leaves)"
            ),
        ),
        (
            wrong("shuffler_jam", "shuffle"),
            "round: irregularities[0]: no shuffler is in use: 'shuffler_jam' (allowed: nothing at this step)",
        ),
        (
            wrong("device_out_of_order", "open_bets", place="shoe"),
            (
                "round: irregularities[0]: no shuffler or shoe is in use: 'device_out_of_order' "
                "(allowed: nothing at this step)"
            ),
        ),
        (
            wrong("player_leaves", "stub", seat=4, ruling="continue"),
            "round: irregularities[0]: name the seat or place of the irregularity: 'seat 4' (allowed: seat 1)",
        ),
        (
            wrong("face_up_card", "deal", ruling="void"),
            "round: irregularities[0].ruling: no irregularity waits for a ruling",
        ),
        (
            wrong("shuffler_count_wrong", "shuffle", count=51),
            "round: irregularities[0]: this table has no counting shuffler: 'shuffle'",
        ),
    ],
)
def test_an_irregularity_that_cannot_happen_is_bad_input(fields: list[dict[str, Any]], problem: str) -> None:
    assert problems(MD, irregularities=fields) == [problem]


def test_a_count_that_is_right_is_no_irregularity() -> None:
    (problem,) = problems(MD, irregularities=wrong("stub_count_wrong", "stub", count=45, finding="misdealt"))
    assert problem.startswith("round: irregularities[0]: the count is correct: 'misdealt'")
    irregularities = wrong("shuffler_count_wrong", "shuffle", count=52)
    (problem,) = problems(MD, submission=APPROVED, irregularities=irregularities)
    assert problem == "round: irregularities[0]: the count is correct: 52"


# --- rulebooks, seeds, files ------------------------------------------------------------------------------------------


def test_an_unknown_rulebook_and_a_bad_submission_are_refused() -> None:
    (problem,) = problems("nv-criss-cross")
    assert problem.startswith("round: rulebook: no such rulebook: 'nv-criss-cross'")
    (problem,) = problems(MD, submission={"dealing": {"method": "hand"}})
    assert problem.startswith("round: submission: dealing.shuffler: cards dealt from the hand")


def test_a_rulebook_file_is_found_beside_the_round(tmp_path: Path) -> None:
    with files("crossfelt.rulebooks").joinpath("books", "md-criss-cross.toml").open("rb") as book:
        (tmp_path / "house.toml").write_bytes(book.read())
    data = {"rulebook": "house.toml", "cards": CROSS, "seats": [seat(1)]}
    assert ScriptRunner(tmp_path).play(data, where="round").result == play(MD).result
    shutil.rmtree(tmp_path)
    with pytest.raises(BadInput, match="cannot be read"):
        ScriptRunner(tmp_path).play(data, where="round")


def test_the_same_seed_gives_the_same_round_and_a_missing_one_is_zero() -> None:
    data = {"rulebook": MD, "seats": [seat(1), seat(2)]}
    missing, zero, one = (RUNNER.play({**data, **seed}, where="x") for seed in ({}, {"seed": 0}, {"seed": 1}))
    assert missing.events == zero.events
    assert one.events != zero.events


def test_a_bad_line_does_not_stop_the_others() -> None:
    good = json.dumps({"rulebook": MD, "seats": [seat(1)], "cards": CROSS})
    lines = [good, "", "{", good.replace("1000", "100", 1), good]
    answers = list(RUNNER.play_lines(lines, where="rounds.jsonl"))
    assert [isinstance(one, BadInput) for one in answers] == [False, True, True, False]
    assert [str(one).partition(": ")[0] for one in answers[1:3]] == ["rounds.jsonl:3", "rounds.jsonl:4"]


def test_an_empty_tray_is_filled_once_for_a_payment() -> None:
    submission = {"wagers": {"ante": {"max_cents": 10**10}}}
    bets = {"across": 3 * 10**10, "down": 10**10, "middle": 3 * 10**10}
    played = play(MA, seat(1, ante=10**10, bonus=None, **bets), cards=ROYAL, submission=submission)
    waited = [event.wager for event in happened(played, e.PaymentHalted)]
    assert len(waited) == len(set(waited)) == len(happened(played, e.InventoryFilled)) > 0
    assert paid(played)["across"] == 1500 * 10**10


@pytest.mark.clause("DCP-15", "DCP-21")
def test_no_player_is_asked_about_a_wager_that_is_not_offered() -> None:
    seat = {"seat": 1, "wagers": {"ante": 1000}, "decisions": {"play": "vertical"}}
    script = {
        "rulebook": "nj-double-cross",
        "submission": {"wagers": {"three_card": {"offered": False}}},
        "seats": [seat],
    }
    played = ScriptRunner().play(script, where="here")
    assert set(played.result.seats["1"].wagers) == {"ante", "raise"}


def test_a_runner_of_one_game_ignores_the_rulebook_of_a_round() -> None:
    game = compile_game("nj-double-cross", {"wagers": {"ante": {"min_cents": 2500}}})
    seat = {"seat": 1, "wagers": {"ante": 1000}, "decisions": {"play": "fold", "three_card": "decline"}}
    with pytest.raises(BadInput, match="1000"):
        ScriptRunner(game=game).play({"rulebook": "own-game", "seats": [seat]}, where="here")
    assert ScriptRunner(game=game).play(
        {"rulebook": "own-game", "seats": [{**seat, "wagers": {"ante": 2500}}]}, where="here"
    )
