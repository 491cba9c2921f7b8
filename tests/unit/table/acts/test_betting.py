"""Wagers before the cards, the call that closes them, and the later bets: accepted and refused."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.cards.deck import deck_of
from crossfelt.errors import BadInput
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Range
from unit.table.manual_table import BOOKS, NAMES, Play, clause, game_of, in_each, only

ANTES = {"ante_across": 10_00, "ante_down": 10_00}
LATER = ("deal", "stub", "decide_across", "reveal_across", "decide_down", "reveal_down", "decide_middle")
NO_BONUS = {"wagers": {"five_card_bonus": {"offered": False}}}
BETS = ("across", "down", "middle")


def antes(cents: int, **more: int) -> dict[str, int]:
    return {"ante_across": cents, "ante_down": cents, **more}


# --- antes ---


@in_each("NJC-25 NJC-39", "MAC-19", "MDC-20")
@pytest.mark.parametrize("cents", [5_00, 6_00, 500_00])
def test_two_equal_antes_within_the_posted_limits_are_taken(book: str, cents: int) -> None:
    play = Play(book).open_for_bets(1)
    placed = only(play.do(c.PlaceWagers, seat=1, wagers=antes(cents)), e.WagersPlaced)
    assert placed.wagers == antes(cents)
    assert play.chips(1) == 100_000_00 - 2 * cents
    assert set(placed.clauses) & {"NJC-25", "MAC-19", "MDC-20"}


@in_each("NJC-25 NJC-39", "MAC-19", "MDC-20")
def test_unequal_antes_are_refused(book: str) -> None:
    play = Play(book).open_for_bets(1)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers={"ante_across": 10_00, "ante_down": 15_00})
    assert (problem.code, problem.value, problem.allowed) == ("wager.unequal", "1,000, 1,500", "equal amounts")
    assert set(problem.clauses) & {"NJC-25", "MAC-19", "MDC-20"}


@in_each("NJC-25 NJC-8", "MAC-19", "MDC-20 MDC-1")
@pytest.mark.parametrize("alone", [{"ante_across": 10_00}, {"ante_down": 10_00}, {"five_card_bonus": 5_00}])
def test_no_player_takes_part_without_both_antes(book: str, alone: dict[str, int]) -> None:
    play = Play(book).open_for_bets(1)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers=alone)
    assert problem.code == "wager.missing"
    assert problem.value in ANTES
    assert play.refusal(c.NoMoreBets).code == "lock.empty"


@in_each("NJC-25", "MAC-19", "MDC-20")
@pytest.mark.parametrize("cents", [0, -10_00, 4_99, 4_00, 501_00, 10_50])
def test_antes_outside_the_posted_limits_or_not_in_whole_dollars_are_refused(book: str, cents: int) -> None:
    play = Play(book).open_for_bets(1)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers=antes(cents))
    assert (problem.code, problem.value, problem.where) == ("wager.amount", cents, "ante_across")
    assert problem.allowed == "500 to 50,000 cents in steps of 100"
    assert set(problem.clauses) & {"NJC-25", "MAC-19", "MDC-20"}


@pytest.mark.parametrize("book", BOOKS)
def test_the_limits_are_those_the_operator_posts(book: str) -> None:
    stated = {"wagers": {"ante": {"min_cents": 25_00, "max_cents": 100_00, "step_cents": 5_00}}}
    play = Play(book, stated).open_for_bets(1)
    for cents in (20_00, 27_00, 105_00):
        assert play.refusal(c.PlaceWagers, seat=1, wagers=antes(cents)).code == "wager.amount"
    play.do(c.PlaceWagers, seat=1, wagers=antes(30_00))


# --- the Five Card Bonus ---


@in_each("NJC-9 NJC-39", "MAC-20", "MDC-21")
def test_the_five_card_bonus_goes_with_the_antes_and_is_optional(book: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    play.do(c.PlaceWagers, seat=1, wagers=antes(10_00, five_card_bonus=5_00))
    play.do(c.PlaceWagers, seat=2, wagers=ANTES)
    assert play.seat(1).wagers["five_card_bonus"] == 5_00
    assert "five_card_bonus" not in play.seat(2).wagers


@in_each("NJC-9", "MAC-20", "MDC-21")
@pytest.mark.parametrize("cents", [0, 50, 101_00, 1_50])
def test_a_bonus_outside_its_limits_is_refused(book: str, cents: int) -> None:
    play = Play(book).open_for_bets(1)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers=antes(10_00, five_card_bonus=cents))
    assert (problem.code, problem.where) == ("wager.amount", "five_card_bonus")
    assert set(problem.clauses) & {"NJC-9", "MAC-20", "MDC-21"}


@pytest.mark.parametrize(
    ("book", "wager", "least", "cited"),
    [
        pytest.param(book, wager, least, cited, id=f"{book[:4]}{wager}", marks=clause(*cited))
        for book, wager, least, cited in (
            ("nj-criss-cross", "five_card_bonus", antes(10_00), ("NJC-9",)),
            ("nj-criss-cross", "bonus_spin", antes(10_00), ("NJC-10",)),
            ("ma-criss-cross", "five_card_bonus", antes(10_00), ("MAC-20",)),
            ("md-criss-cross", "five_card_bonus", antes(10_00), ("MDC-21",)),
            ("md-criss-cross", "bonus_spin", antes(10_00), ("MDC-22",)),
            ("md-criss-cross", "bonus_spin_xtreme", antes(10_00), ("MDC-23",)),
            ("nj-double-cross", "three_card", {"ante": 10_00}, ("DCP-15",)),
            ("nj-pai-gow", "progressive_player", {"main": 10_00}, ("PGP-14",)),
            ("nj-pai-gow", "progressive_dealer", {"main": 10_00}, ("PGP-14",)),
        )
    ],
)
def test_an_optional_wager_is_taken_only_where_it_is_offered(
    book: str, wager: str, least: dict[str, int], cited: tuple[str, ...]
) -> None:
    pair = ("progressive_player", "progressive_dealer") if book == "nj-pai-gow" else (wager,)
    without = {"wagers": {each: {"offered": False} for each in pair}}
    play = Play(book, without, cards=deck_of(game_of(book).book.deck.cards)).open_for_bets(1)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers={**least, wager: 5_00})
    assert (problem.code, problem.value) == ("wager.unknown", wager)
    assert set(cited) <= set(problem.clauses)
    (option,) = [option for option in play.options("player", "Ann") if option.command == "place_wagers"]
    assert wager not in option.ranges
    play.do(c.PlaceWagers, seat=1, wagers=least)


@clause("MAC-20")
def test_massachusetts_has_no_spin_wager() -> None:
    play = Play("ma-criss-cross").open_for_bets(1)
    assert play.refusal(c.PlaceWagers, seat=1, wagers=antes(10_00, bonus_spin=5_00)).code == "wager.unknown"
    with pytest.raises(BadInput, match="has no such wager"):
        game_of("ma-criss-cross", {"wagers": {"bonus_spin": {"offered": True}}})


@pytest.mark.parametrize("wager", ["across", "down", "middle", "moon"])
@pytest.mark.parametrize("book", BOOKS)
def test_later_bets_and_unknown_ones_are_not_placed_with_the_antes(book: str, wager: str) -> None:
    play = Play(book).open_for_bets(1)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers=antes(10_00, **{wager: 10_00}))
    assert (problem.code, problem.value) == ("wager.unknown", wager)


# --- instruments and balances ---


@pytest.mark.parametrize(
    ("book", "instrument"),
    [
        *[pytest.param("nj-criss-cross", i, marks=clause("NJC-27")) for i in ("chips", "plaques", "match_play")],
        pytest.param("nj-criss-cross", "promotional", marks=clause("NJC-27")),
        *[pytest.param("ma-criss-cross", i, marks=clause("MAC-16")) for i in ("chips", "plaques")],
        pytest.param("ma-criss-cross", "approved_instruments", marks=clause("MAC-16")),
        *[pytest.param("md-criss-cross", i, marks=clause("MDC-17")) for i in ("chips", "plaques")],
        pytest.param("md-criss-cross", "approved_instruments", marks=clause("MDC-17")),
    ],
)
def test_wagers_are_made_with_the_instruments_of_the_jurisdiction(book: str, instrument: str) -> None:
    play = Play(book).open_for_bets(1)
    placed = only(play.do(c.PlaceWagers, seat=1, wagers=ANTES, instrument=instrument), e.WagersPlaced)
    assert placed.instrument == instrument
    assert play.seat(1).instrument == instrument


@in_each("NJC-27", "MAC-16", "MDC-17")
def test_other_instruments_are_refused(book: str) -> None:
    foreign = "approved_instruments" if book == "nj-criss-cross" else "match_play"
    for instrument in (foreign, "cash", ""):
        problem = Play(book).open_for_bets(1).refusal(c.PlaceWagers, seat=1, wagers=ANTES, instrument=instrument)
        assert (problem.code, problem.value) == ("instrument", instrument)
        assert set(problem.clauses) & {"NJC-27", "MAC-16", "MDC-17"}


@in_each("NJC-27", "MAC-16", "MDC-17")
def test_a_spoken_wager_with_cash_is_refused(book: str) -> None:
    play = Play(book).open_for_bets(1)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers=ANTES, instrument="verbal_cash")
    assert problem.code == "instrument.verbal"
    assert problem.clauses in (("NJC-27",), ("MAC-16",), ("MDC-17",))


@pytest.mark.parametrize("book", BOOKS)
def test_no_player_wagers_more_than_their_chips(book: str) -> None:
    play = Play(book).open_for_bets(1, chips=25_00)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers=antes(13_00))
    assert (problem.code, problem.value, problem.allowed) == ("wager.balance", 26_00, "2,500 cents")
    play.do(c.PlaceWagers, seat=1, wagers=antes(12_00))
    assert play.refusal(c.PlaceWagers, seat=1, wagers=antes(12_00, five_card_bonus=2_00)).code == "wager.balance"
    play.do(c.PlaceWagers, seat=1, wagers=antes(12_00, five_card_bonus=1_00))
    assert play.chips(1) == 0


@pytest.mark.parametrize("book", BOOKS)
def test_wagers_may_be_raised_lowered_and_taken_back_until_the_call(book: str) -> None:
    play = Play(book).open_for_bets(1)
    for wagers in (antes(10_00), antes(50_00, five_card_bonus=5_00), antes(5_00), {}):
        play.do(c.PlaceWagers, seat=1, wagers=wagers)
        assert play.seat(1).wagers == wagers
        assert play.chips(1) == 100_000_00 - sum(wagers.values())
    assert play.refusal(c.PlaceWagers, seat=1, wagers={}).code == "wager.none"


# --- no more bets ---


@in_each("NJC-29 NJC-31", "MAC-18 MAC-22", "MDC-19 MDC-24")
def test_the_dealer_calls_no_more_bets_once_a_player_has_bet(book: str) -> None:
    play = Play(book).open_for_bets(1, 4, 5)
    problem = play.refusal(c.NoMoreBets)
    assert problem.code == "lock.empty"
    assert set(problem.clauses) & {"NJC-29", "MAC-18", "MDC-19"}
    play.bet(5, 1)
    assert play.refusal(c.NoMoreBets, role="floor").code == "role"
    locked = only(play.do(c.NoMoreBets), e.BetsLocked)
    assert (locked.announcement, locked.by, locked.seats) == ("no more bets", "dealer", (1, 5))
    assert locked.at == play.at
    assert set(locked.clauses) & {"NJC-31", "MAC-22", "MDC-19"}
    assert play.refusal(c.NoMoreBets).code == "lock.step"


@in_each("NJC-9 NJC-29", "MAC-18", "MDC-19")
@pytest.mark.parametrize("step", LATER)
def test_after_the_call_no_wager_is_made_increased_or_withdrawn(book: str, step: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    play.bet(1)
    play.advance(until=step)
    tries: list[tuple[str, int, dict[str, int]]] = [
        ("make", 2, ANTES),
        ("make", 2, antes(10_00, five_card_bonus=5_00)),
        ("increase", 1, antes(20_00)),
        ("increase", 1, antes(10_00, five_card_bonus=5_00)),
        ("withdraw", 1, {}),
    ]
    for what, seat, wagers in tries:
        problem = play.refusal(c.PlaceWagers, seat=seat, wagers=wagers)
        assert problem.code == "bets.closed"
        assert f"too late to {what} a wager" in problem.what
        assert problem.allowed == "in the next round"
        silent = book == "ma-criss-cross" and what != "make"
        assert problem.clauses in ([()] if silent else [("NJC-29",), ("MAC-18",), ("MDC-19",)])


@clause("MAC-18")
def test_massachusetts_forbids_making_a_wager_and_the_house_refuses_the_rest_alike() -> None:
    play = Play("ma-criss-cross").open_for_bets(1, 2)
    play.bet(1)
    play.do(c.NoMoreBets)
    made = play.refusal(c.PlaceWagers, seat=2, wagers={"ante_across": 10_00, "ante_down": 10_00})
    assert (made.what, made.value) == ("it is too late to make a wager", "ante_across 1,000, ante_down 1,000")
    withdrawn = play.refusal(c.PlaceWagers, seat=1, wagers={})
    assert (withdrawn.what.partition(" (")[0], withdrawn.value) == ("it is too late to withdraw a wager", "none")
    assert "the house refuses" in withdrawn.what
    assert (made.clauses, made.house_rule) == (("MAC-18",), "")
    assert (withdrawn.clauses, withdrawn.house_rule) == ((), "increasing and withdrawing a wager are refused too")


@in_each("NJC-8 NJC-9", "MAC-18", "MDC-1")
def test_who_has_not_bet_gets_no_cards_and_is_not_asked(book: str) -> None:
    play = Play(book).open_for_bets(1, 2, 3)
    play.bet(1, 3)
    play.advance(until="decide_across")
    assert play.seat(2).cards == ()
    assert play.table.turn == (1, 3)
    assert play.refusal(c.Bet, seat=2, cents=10_00).code == "turn.order"


# --- across, down and middle bets ---


@in_each("NJC-11 NJC-26 NJC-41 NJC-42 NJC-43", "MAC-29 MAC-31 MAC-32", "MDC-1 MDC-20 MDC-31 MDC-32")
@pytest.mark.parametrize("bet", BETS)
@pytest.mark.parametrize("cents", [20_00, 21_00, 37_00, 60_00])
def test_each_bet_is_any_dollar_amount_from_one_to_three_antes(book: str, bet: str, cents: int) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1, ante=20_00)
    play.advance(until=f"decide_{bet}")
    (option,) = [option for option in play.options("player", "Ann") if option.command == "bet"]
    assert option.ranges == {"cents": Range(20_00, 60_00, 1_00)}
    placed = only(play.do(c.Bet, seat=1, cents=cents), e.BetPlaced)
    assert (placed.seat, placed.wager, placed.cents) == (1, bet, cents)
    assert play.seat(1).wagers[bet] == cents


@in_each("NJC-11 NJC-26 NJC-41 NJC-42 NJC-43", "MAC-29 MAC-31 MAC-32", "MDC-1 MDC-20 MDC-31 MDC-32")
@pytest.mark.parametrize("bet", BETS)
@pytest.mark.parametrize("cents", [0, 19_00, 19_99, 20_50, 60_01, 61_00])
def test_less_than_one_ante_more_than_three_and_parts_of_a_dollar_are_refused(book: str, bet: str, cents: int) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1, ante=20_00)
    play.advance(until=f"decide_{bet}")
    problem = play.refusal(c.Bet, seat=1, cents=cents)
    assert (problem.code, problem.value, problem.where) == ("bet.amount", cents, "cents")
    assert problem.allowed == "2,000 to 6,000 cents in steps of 100"
    assert set(problem.clauses) & {"NJC-26", "MAC-29", "MAC-31", "MAC-32", "MDC-31", "MDC-32"}


@in_each("NJC-11 NJC-26", "MAC-29", "MDC-20")
def test_an_operator_may_take_whole_multiples_only(book: str) -> None:
    play = Play(book, {"settings": {"whole_multiples_only": True}}).open_for_bets(1)
    play.bet(1, ante=15_00)
    play.advance(until="decide_across")
    for cents in (16_00, 44_00):
        problem = play.refusal(c.Bet, seat=1, cents=cents)
        assert (problem.code, problem.allowed) == ("bet.amount", "1,500 to 4,500 cents in steps of 1,500")
    play.do(c.Bet, seat=1, cents=30_00)


@pytest.mark.parametrize("book", BOOKS)
def test_a_bet_ends_where_the_chips_end(book: str) -> None:
    play = Play(book).open_for_bets(1, 2, chips=55_50)
    play.bet(1, ante=20_00)
    play.bet(2, ante=15_00)
    play.advance(until="decide_across")
    problem = play.refusal(c.Bet, seat=1, cents=20_00)
    assert (problem.code, problem.allowed) == ("bet.balance", "fold")
    assert play.may("player", "Ann") == ["take_seat", "buy_chips", "fold"][play.code == "MAC" :]
    play.do(c.BuyChips, seat=1, cents=10_00)
    play.do(c.Bet, seat=1, cents=20_00)
    problem = play.refusal(c.Bet, seat=2, cents=26_00)
    assert (problem.code, problem.allowed) == ("bet.amount", "1,500 to 2,500 cents in steps of 100")
    play.do(c.Bet, seat=2, cents=25_00)


@in_each("NJC-40", "MAC-29 MAC-31 MAC-32 MAC-28", "MDC-31 MDC-28")
@pytest.mark.parametrize("bet", BETS)
def test_players_are_asked_clockwise_from_the_left_and_only_for_their_own_hand(book: str, bet: str) -> None:
    play = Play(book).open_for_bets(2, 3, 6)
    play.bet(6, 2, 3)
    play.advance(until=f"decide_{bet}")
    for left in ((2, 3, 6), (3, 6), (6,)):
        assert play.table.turn == left
        for seat in (2, 3, 6):
            if seat != left[0]:
                for problem in (play.refusal(c.Bet, seat=seat, cents=10_00), play.refusal(c.Fold, seat=seat)):
                    assert (problem.code, problem.value, problem.allowed) == ("turn.order", seat, f"seat {left[0]}")
                assert play.refusal(c.Fold, seat=left[0], who=NAMES[seat]).code == "seat.other"
        play.do(c.Bet, seat=left[0], cents=10_00)


@pytest.mark.parametrize("book", BOOKS)
def test_no_player_decides_before_the_cards_or_after_the_last_decision(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    for step in ("deal", "stub", "reveal_across", "reveal_middle", "settle", "discard", "shuffle"):
        play.advance(until=step)
        assert play.refusal(c.Bet, seat=1, cents=10_00).code == "turn.step"
        assert play.refusal(c.Fold, seat=1).code == "turn.step"
        assert play.refusal(c.TimeOut, seat=1).code == "turn.step"


# --- players who do not answer ---

CLOCK: dict[str, Any] = {"play": {"decision_seconds": 30}}
SLOW_BETS: dict[str, Any] = {"play": {"decision_seconds": 30, "on_timeout": "smallest_bet"}}


@in_each("NJC-41 NJC-42 NJC-43", "MAC-29 MAC-31 MAC-32", "MDC-31 MDC-32")
@pytest.mark.parametrize("bet", BETS)
def test_who_does_not_answer_in_time_folds_by_a_house_rule(book: str, bet: str) -> None:
    play = Play(book, CLOCK).open_for_bets(1)
    play.bet(1, bonus=5_00)
    play.advance(until=f"decide_{bet}")
    play.at += 30_000
    folded = only(play.do(c.TimeOut, seat=1), e.HandFolded)
    assert folded.timed_out
    assert folded.clauses == play.game.steps[f"decide_{bet}"][1].clauses
    assert folded.house_rule == "a missing bet forfeits the earlier wagers, as a fold does"


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("bet", BETS)
def test_or_makes_the_smallest_bet_where_the_operator_says_so(book: str, bet: str) -> None:
    play = Play(book, SLOW_BETS).open_for_bets(1)
    play.bet(1, ante=15_00)
    play.advance(until=f"decide_{bet}")
    play.at += 30_000
    placed = only(play.do(c.TimeOut, seat=1), e.BetPlaced)
    assert (placed.wager, placed.cents, placed.timed_out) == (bet, 15_00, True)
    assert placed.house_rule == "a missing bet forfeits the earlier wagers, as a fold does"


@pytest.mark.parametrize("book", BOOKS)
def test_the_smallest_bet_is_a_fold_where_the_chips_do_not_reach(book: str) -> None:
    play = Play(book, SLOW_BETS).open_for_bets(1, chips=30_00)
    play.bet(1, ante=15_00)
    play.advance(until="decide_across")
    play.at += 30_000
    assert only(play.do(c.TimeOut, seat=1), e.HandFolded).timed_out


@pytest.mark.parametrize("book", BOOKS)
def test_the_clock_runs_for_the_player_in_turn_and_the_dealer_reads_it(book: str) -> None:
    play = Play(book, CLOCK).open_for_bets(1, 2)
    play.bet(1, 2)
    play.advance(until="decide_across")
    play.at += 30_000
    problem = play.refusal(c.TimeOut, seat=2)
    assert (problem.code, problem.allowed) == ("turn.order", "seat 1")
    assert play.refusal(c.TimeOut, seat=1, role="player", who="Ben").code == "role"


@pytest.mark.parametrize("book", BOOKS)
def test_a_player_has_the_seconds_that_the_submission_gives(book: str) -> None:
    play = Play(book, CLOCK).open_for_bets(1, 2)
    play.bet(1, 2)
    play.advance(until="decide_across")
    asked = play.last(e.StepEntered).at
    problem = play.refusal(c.TimeOut, seat=1, at=asked + 29_000)
    assert (problem.code, problem.value) == ("timeout.early", "1 seconds")
    assert [o.after for o in play.options("dealer") if o.command == "time_out"] == [asked + 30_000]
    bet_at = only(play.do(c.Bet, seat=1, cents=10_00), e.BetPlaced).at
    assert play.refusal(c.TimeOut, seat=2, at=bet_at + 29_999).code == "timeout.early"
    play.do(c.TimeOut, seat=2, at=bet_at + 30_000)


@in_each("NJC-28", "MAC-17", "MDC-18")
def test_without_a_clock_only_a_player_who_has_left_is_out_of_time(book: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    play.bet(1, 2)
    play.advance(until="decide_across")
    play.at += 3_600_000
    problem = play.refusal(c.TimeOut, seat=1)
    assert (problem.code, problem.allowed) == ("timeout.clock", "only for a player who has left")
    assert "time_out" not in play.may("dealer")
    play.do(c.ReportIrregularity, kind="player_leaves", seat=1, role="dealer")
    play.do(c.DecideFloor, ruling="continue")
    assert [o.after for o in play.options("dealer") if o.command == "time_out"] == [None]
    assert only(play.do(c.TimeOut, seat=1), e.HandFolded).timed_out
    assert play.refusal(c.TimeOut, seat=2).code == "timeout.clock"
    play.advance(until="shuffle")
    play.serve()
    assert not play.seat(1).away, "the next round asks again"


@pytest.mark.parametrize("path", ["play.decision_seconds", "play.on_timeout"])
@pytest.mark.parametrize("book", BOOKS)
def test_the_timeout_rule_is_part_of_the_submission(book: str, path: str) -> None:
    choices: Any = game_of(book, {"play": {"decision_seconds": 30, "on_timeout": "smallest_bet"}}).choices
    assert choices[path] in (30, "smallest_bet")
