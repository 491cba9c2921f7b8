"""A round of Double Cross Poker, from the ante to the discard rack."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Move
from crossfelt.table.views import Viewer, view
from unit.table.manual_double_cross import Double, dealt, names
from unit.table.manual_table import game_of, only

KINGS_UP = dealt(vertical="Kd 9c 4s", horizontal="2c 9c 3d", dealer="Jh Qc", seats={1: "Ks 9d"})
"""Kings and nines down against queen-high."""


def stated(**choices: Any) -> dict[str, Any]:
    return choices


# --- wagers -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-1", "DCP-14", "DCP-15")
def test_the_ante_comes_first_and_nothing_goes_without_it() -> None:
    play = Double().open_for_bets(1)
    assert play.refusal(c.NoMoreBets).code == "lock.empty"
    problem = play.refusal(c.PlaceWagers, seat=1, wagers={"three_card": 5_00})
    assert (problem.code, problem.value) == ("wager.missing", "ante")
    assert problem.clauses == ("DCP-15",)
    option = next(option for option in play.options("player", "Ann") if option.command == "place_wagers")
    assert option.optional == ("three_card",)
    assert "raise" not in option.ranges


@pytest.mark.clause("DCP-15")
@pytest.mark.parametrize(
    ("cents", "taken"), [(99, False), (1_00, True), (1_50, False), (100_00, True), (101_00, False)]
)
def test_a_three_card_wager_is_one_to_a_hundred_dollars(cents: int, taken: bool) -> None:
    play = Double().open_for_bets(1)
    wagers = {"ante": 10_00, "three_card": cents}
    if taken:
        assert only(play.do(c.PlaceWagers, seat=1, wagers=wagers), e.WagersPlaced).wagers == wagers
    else:
        problem = play.refusal(c.PlaceWagers, seat=1, wagers=wagers)
        assert (problem.code, problem.where, problem.value) == ("wager.amount", "three_card", cents)
        assert problem.allowed == "100 to 10,000 cents in steps of 100"
        assert "DCP-15" in problem.clauses


@pytest.mark.clause("DCP-15")
@pytest.mark.parametrize("choice", [{"min_cents": 50}, {"max_cents": 101_00}])
def test_no_submission_goes_beyond_a_dollar_and_a_hundred(choice: dict[str, int]) -> None:
    with pytest.raises(BadInput, match="DCP-15"):
        game_of("nj-double-cross", {"wagers": {"three_card": choice}})


@pytest.mark.clause("DCP-13")
@pytest.mark.parametrize("instrument", ["chips", "plaques", "match_play"])
def test_wagers_are_chips_plaques_or_a_coupon(instrument: str) -> None:
    play = Double().open_for_bets(1)
    play.bet(1, instrument=instrument)
    assert play.seat(1).instrument == instrument


@pytest.mark.clause("DCP-13")
def test_a_spoken_wager_with_cash_is_refused() -> None:
    play = Double().open_for_bets(1)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers={"ante": 10_00}, instrument="verbal_cash")
    assert (problem.code, problem.clauses) == ("instrument.verbal", ("DCP-13",))


@pytest.mark.clause("DCP-14")
def test_only_seated_players_wager_and_they_stay_until_the_round_is_over() -> None:
    play = Double().open_for_bets(1)
    assert play.refusal(c.PlaceWagers, seat=2, wagers={"ante": 10_00}).code == "seat.other"
    play.bet(1)
    play.advance(until="decide_play")
    problem = play.refusal(c.LeaveSeat, seat=1)
    assert problem.clauses == ("DCP-14",)


@pytest.mark.clause("DCP-14")
@pytest.mark.parametrize(
    ("wagers", "would"),
    [({"ante": 20_00}, "increase"), ({}, "withdraw"), ({"ante": 10_00, "three_card": 1_00}, "increase")],
)
def test_nothing_is_made_increased_or_withdrawn_after_the_call(wagers: dict[str, int], would: str) -> None:
    play = Double().to("deal", 1)
    problem = play.refusal(c.PlaceWagers, seat=1, wagers=wagers)
    assert problem.code == "bets.closed"
    assert would in problem.what
    assert problem.clauses == ("DCP-14",)


# --- the first two cards, and the three-card wager ----------------------------------------------------------------


@pytest.mark.clause("DCP-20")
def test_the_far_vertical_card_and_the_horizontal_card_on_the_dealers_right_are_turned_up() -> None:
    cards = dealt(vertical="As Kd Qs", horizontal="2c Kd 3h", dealer="4h 5h", seats={1: "Js Ts"})
    play = Double(cards=cards).to("decide_play", 1)
    event = play.last(e.CommunityCardsRevealed)
    assert dict(zip(event.places, map(str, event.cards), strict=True)) == {"down_far": "As", "across_right": "3h"}
    assert event.clauses == ("DCP-20",)
    seen = view(play.table, Viewer("spectator")).layout
    assert {place: card for place, card in seen.items() if card != "??"} == {"down_far": "As", "across_right": "3h"}


@pytest.mark.clause("DCP-3", "DCP-12", "DCP-21", "DCP-29")
@pytest.mark.parametrize(
    ("hole", "top", "hand", "odds"),
    [
        ("Qs Ks", "As", "ace-high straight flush", 40),
        ("2s 3s", "As", "three-high straight flush", 40),
        ("7c 7d", "7h", "three sevens", 30),
        ("Qc Kd", "As", "ace-high straight", 6),
        ("2c 3d", "As", "three-high straight", 6),
        ("2s 9s", "As", "ace-high flush", 4),
        ("Ks 2s", "As", "ace-high flush", 4),
        ("7c 2d", "7h", "pair of sevens", 1),
        ("7c 7d", "2h", "pair of sevens", 1),
    ],
)
def test_a_shown_three_card_hand_is_paid_by_the_table(hole: str, top: str, hand: str, odds: int) -> None:
    play = Double(cards=dealt(vertical=f"{top} 4h 8h", seats={1: hole})).to("decide_play", 1, three=25_00)
    settled = play.settled(1, "three_card")
    assert (settled.result, settled.hand, settled.returned) == ("win", hand, 25_00)
    assert settled.paid == odds * 25_00
    assert settled.clauses == ("DCP-21", "DCP-29")


@pytest.mark.clause("DCP-3", "DCP-12", "DCP-21")
@pytest.mark.parametrize("hole", ["Kc 2d", "5c 9d"])
def test_a_shown_hand_that_is_not_in_the_table_loses(hole: str) -> None:
    play = Double(cards=dealt(vertical="As 4h 8h", seats={1: hole})).to("decide_play", 1, three=25_00)
    settled = play.settled(1, "three_card")
    assert (settled.result, settled.returned, settled.paid, settled.hand) == ("lose", 0, 0, "ace-high")


@pytest.mark.clause("DCP-21")
def test_a_winning_hand_that_is_not_shown_loses_unseen() -> None:
    play = Double(cards=dealt(vertical="As 4h 8h", seats={1: "Qs Ks"}))
    play.to("decide_play", 1, three=25_00, choose={(1, "three_card"): "decline"})
    settled = play.settled(1, "three_card")
    assert (settled.result, settled.returned, settled.paid, settled.hand) == ("lose", 0, 0, "")
    assert play.last(e.ChoiceMade).cards == ()
    assert view(play.table, Viewer("spectator")).seats[0].cards == ("??", "??")


@pytest.mark.clause("DCP-21")
def test_shown_cards_are_seen_by_all_until_the_wager_is_settled_and_then_turned_down_again() -> None:
    play = Double(cards=dealt(vertical="As 4h 8h", seats={1: "Qs Ks", 2: ""})).to("decide_three_card", 1, 2, three=5_00)
    others = (Viewer("spectator"), Viewer("player", "Ben"), Viewer("dealer"))
    assert all(view(play.table, viewer).seats[0].cards == ("??", "??") for viewer in others)
    shown = only(play.do(c.Choose, seat=1, choice="expose"), e.ChoiceMade)
    assert " ".join(map(str, shown.cards)) == "Qs Ks"
    assert all(view(play.table, viewer).seats[0].cards == ("Qs", "Ks") for viewer in others)
    play.advance(until="decide_play")
    assert all(view(play.table, viewer).seats[0].cards == ("??", "??") for viewer in others)
    assert view(play.table, Viewer("player", "Ann")).seats[0].cards == ("Qs", "Ks")


@pytest.mark.clause("DCP-21")
def test_every_losing_three_card_wager_is_collected_before_the_first_winner_is_paid() -> None:
    cards = dealt(vertical="As 4h 8h", seats={1: "Qs Ks", 2: "5c 9d", 3: "Ac 2d", 5: "Ah 2h"})
    play = Double(cards=cards)
    play.to("decide_play", 1, 2, 3, 5, three=5_00, choose={(5, "three_card"): "decline"})
    order = [(event.seat, event.result) for event in play.all(e.WagerSettled)]
    assert order == [(5, "lose"), (2, "lose"), (3, "win"), (1, "win")]


@pytest.mark.clause("DCP-15", "DCP-21")
def test_only_players_with_the_wager_are_asked_in_turn_and_by_name() -> None:
    play = Double().open_for_bets(1, 2, 3)
    play.bet(1, 3, three=5_00)
    play.bet(2)
    play.advance(until="decide_three_card")
    assert play.table.turn == (1, 3)
    assert play.refusal(c.Choose, seat=3, choice="expose").code == "turn.order"
    problem = play.refusal(c.Choose, seat=1, choice="vertical")
    assert (problem.code, problem.allowed, problem.clauses) == ("turn.option", "expose, decline", ("DCP-21",))
    assert play.refusal(c.Fold, seat=1).code == "turn.option"


@pytest.mark.clause("DCP-21")
def test_without_a_three_card_wager_the_decision_to_play_comes_at_once() -> None:
    play = Double().to("decide_play", 1)
    assert "decide_three_card" not in [event.step for event in play.all(e.StepEntered)]


# --- fold, or name a line -----------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-1", "DCP-23")
@pytest.mark.parametrize("line", ["vertical", "horizontal"])
def test_naming_a_line_places_two_raises_each_equal_to_the_ante(line: str) -> None:
    play = Double().to("decide_play", 1, ante=15_00)
    before = play.chips(1)
    events = play.do(c.Choose, seat=1, choice=line)
    assert only(events, e.BetPlaced).cents == 2 * 15_00
    chosen = only(events, e.ChoiceMade)
    assert (chosen.wager, chosen.choice) == ("raise", line)
    assert "DCP-23" in chosen.clauses
    assert play.chips(1) == before - 30_00
    assert play.seat(1).wagers == {"ante": 15_00, "raise": 30_00}


@pytest.mark.clause("DCP-1", "DCP-23")
def test_there_is_no_other_raise() -> None:
    play = Double().to("decide_play", 1)
    assert play.refusal(c.Bet, seat=1, cents=10_00).code == "turn.option"
    offered = [option for option in play.options("player", "Ann") if option.command in ("bet", "fold", "choose")]
    assert [option.fields.get("choice", option.command) for option in offered] == ["fold", "vertical", "horizontal"]


@pytest.mark.clause("DCP-1", "DCP-23")
def test_who_folds_loses_the_ante_at_once_and_the_cards_are_collected() -> None:
    play = Double(cards=KINGS_UP).to("decide_play", 1, 2)
    tray = play.tray
    events = play.do(c.Fold, seat=1)
    assert names(events) == ["hand_folded", "fold_collected"]
    assert only(events, e.HandFolded).forfeits == ("ante",)
    assert only(events, e.FoldCollected).wagers == {"ante": 10_00}
    assert play.tray == tray + 10_00
    assert (play.seat(1).cards, play.table.pile) == ((), ("stub: 41 cards", "seat1: Ks 9d"))
    assert play.table.turn == (2,)


@pytest.mark.clause("DCP-23")
def test_without_chips_for_two_raises_one_can_only_fold() -> None:
    play = Double().open_for_bets(1, chips=29_99)
    play.bet(1)
    play.advance(until="decide_play")
    assert "choose" not in play.may("player", "Ann")
    problem = play.refusal(c.Choose, seat=1, choice="vertical")
    assert (problem.code, problem.allowed) == ("bet.balance", "fold")
    assert "DCP-23" in problem.clauses
    play.do(c.BuyChips, seat=1, cents=1)
    assert only(play.do(c.Choose, seat=1, choice="vertical"), e.BetPlaced).cents == 20_00


@pytest.mark.clause("DCP-23")
def test_players_are_asked_clockwise_from_the_dealers_left() -> None:
    play = Double().to("decide_play", 2, 3, 6)
    assert play.table.turn == (2, 3, 6)
    problem = play.refusal(c.Fold, seat=3)
    assert (problem.code, problem.allowed, problem.clauses) == ("turn.order", "seat 2", ("DCP-23",))


@pytest.mark.clause("DCP-23", "DCP-24")
def test_when_all_fold_nothing_more_is_turned_up() -> None:
    play = Double().round(1, 2, choose={(1, "raise"): "fold", (2, "raise"): "fold"})
    assert [event.places for event in play.all(e.CommunityCardsRevealed)] == [("down_far", "across_right")]
    assert not play.all(e.DealerHandMade)
    assert play.last(e.RoundClosed).outcome == "settled"


# --- players who do not answer ------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-23")
def test_who_does_not_answer_folds() -> None:
    play = Double(stated(play={"decision_seconds": 30})).to("decide_play", 1)
    play.at += 30_000
    folded = only(play.do(c.TimeOut, seat=1), e.HandFolded)
    assert folded.timed_out
    assert "DCP-23" in folded.clauses


@pytest.mark.clause("DCP-23")
def test_the_floor_decides_about_a_silent_player_where_the_submission_says_so() -> None:
    timed = stated(play={"on_timeout": "floor_decides", "decision_seconds": 30})
    play = Double(timed, cards=KINGS_UP).to("decide_play", 1)
    play.at += 30_000
    found = only(play.do(c.TimeOut, seat=1), e.IrregularityReported)
    assert (found.kind, found.seat, found.then, found.clauses) == ("no_answer", 1, ("floor_decides",), ("DCP-23",))
    assert play.refusal(c.Choose, seat=1, choice="vertical").code == "pending"
    assert play.refusal(c.DecideFloor, ruling="abandon").allowed == "continue, fold"
    play.do(c.DecideFloor, ruling="continue")
    assert play.table.turn == (1,)
    assert play.refusal(c.TimeOut, seat=1).code == "timeout.early", "the floor has given more time"
    play.at += 30_000
    play.do(c.TimeOut, seat=1)
    events = play.do(c.DecideFloor, ruling="fold", note="asleep")
    assert names(events)[:3] == ["floor_ruled", "hand_folded", "fold_collected"]
    assert only(events, e.FloorRuled).note == "asleep"
    play.advance(until="shuffle")
    assert play.chips(1) == 100_000_00 - 10_00


@pytest.mark.clause("DCP-23")
def test_a_table_that_closes_around_a_player_has_the_floor_fold_the_hand() -> None:
    game = game_of("nj-double-cross", {"play": {"on_timeout": "floor_decides"}})
    session = TableSession(game, ShuffledSource(repeatable_seed(3)), at=TickingClock())
    session.open()
    session.sit(1, "Ann", 1_000_00)
    list(session.advance())
    session.ask(Move("place_wagers", {"seat": 1, "wagers": {"ante": 10_00}}), "Ann")
    session.lock()
    list(session.advance())
    assert session.waits_for == (1,)
    recorded = names([event for happened in session.close() for event in happened.events])
    left, silent = ["irregularity_reported", "floor_ruled"], ["irregularity_reported", "floor_ruled"]
    assert recorded[:6] == [*left, *silent, "hand_folded", "fold_collected"]
    assert recorded[-1] == "table_closed"


@pytest.mark.clause("DCP-23")
def test_a_scripted_round_without_its_decision_is_refused_and_does_not_wait_for_the_floor() -> None:
    script = {
        "rulebook": "nj-double-cross",
        "submission": {"play": {"on_timeout": "floor_decides"}},
        "seats": [{"seat": 1, "wagers": {"ante": 10_00}}],
    }
    with pytest.raises(BadInput, match=r"seat 1: decisions\.play: missing"):
        ScriptRunner().play(script, where="round")


@pytest.mark.clause("DCP-23")
def test_no_role_can_report_a_silence_that_the_clock_has_not_found() -> None:
    play = Double(stated(play={"on_timeout": "floor_decides"})).to("decide_play", 1)
    assert play.refusal(c.ReportIrregularity, kind="no_answer", seat=1).code == "irregularity.kind"
    assert "no_answer" not in [option.fields.get("kind") for option in play.options("dealer")]


@pytest.mark.clause("DCP-21")
@pytest.mark.parametrize(("rule", "paid"), [("expose", 40 * 5_00), ("decline", 0)])
def test_a_three_card_hand_is_shown_or_kept_for_a_player_who_does_not_answer(rule: str, paid: int) -> None:
    play = Double(
        stated(play={"on_timeout_three_card": rule, "decision_seconds": 30}),
        cards=dealt(vertical="As 4h 8h", seats={1: "Qs Ks"}),
    ).to("decide_three_card", 1, three=5_00)
    play.at += 30_000
    chosen = only(play.do(c.TimeOut, seat=1), e.ChoiceMade)
    assert (chosen.choice, chosen.timed_out) == (rule, True)
    play.advance(until="decide_play")
    assert play.settled(1, "three_card").paid == paid


# --- the dealer's hand --------------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-24")
def test_the_other_three_cards_come_first_and_then_the_dealers_two() -> None:
    play = Double().to("settle", 1)
    assert [event.places for event in play.all(e.CommunityCardsRevealed)[1:]] == [
        ("across_left", "middle", "down_near"),
        ("dealer_hole_1", "dealer_hole_2"),
    ]


@pytest.mark.clause("DCP-2", "DCP-24")
@pytest.mark.parametrize(
    ("vertical", "horizontal", "dealer", "line", "hand"),
    [
        ("Kd 9c 4s", "2c 9c 3d", "Kh Qc", "vertical", "pair of kings"),
        ("2c 9c 3d", "Kd 9c 4s", "Kh Qc", "horizontal", "pair of kings"),
        ("6c 7d 8c", "5h 7d Tc", "9h Th", "vertical", "ten-high straight"),
        ("Kd 9c 4s", "Kc 9c 4h", "Jh Qc", "vertical", "king-high"),
    ],
    ids=["down", "across", "a straight beats a pair", "equal"],
)
def test_the_dealer_takes_the_higher_hand_and_the_vertical_one_of_two_equal(
    vertical: str, horizontal: str, dealer: str, line: str, hand: str
) -> None:
    cards = dealt(vertical=vertical, horizontal=horizontal, dealer=dealer, seats={1: "2h 2s"})
    made = Double(cards=cards).to("settle", 1).last(e.DealerHandMade)
    assert (made.line, made.hand) == (line, hand)
    assert made.clauses == ("DCP-24",)


# --- the settlement -----------------------------------------------------------------------------------------------

ROYAL = dealt(vertical="Qs Js Ts", horizontal="2c Js 3d", dealer="4h 6h", seats={1: "As Ks"})
SETTLED = [
    ("royal flush", ROYAL, "royal_flush", 300),
    ("king-high straight flush", dealt(vertical="9s Ks Qs", dealer="4h 5h", seats={1: "Js Ts"}), "straight_flush", 50),
    ("four kings", dealt(vertical="Ks Kd Qs", dealer="4h 5h", seats={1: "Kc Kh"}), "four_of_a_kind", 15),
    ("kings full of queens", dealt(vertical="Ks Kd Qs", dealer="4h 5h", seats={1: "Kc Qh"}), "full_house", 7),
    ("ace-high flush", dealt(vertical="As Ks 9s", dealer="4h 5h", seats={1: "2s Ts"}), "flush", 6),
    ("ace-high straight", dealt(vertical="As Ks Qs", dealer="4h 5h", seats={1: "Jd Td"}), "straight", 5),
    ("five-high straight", dealt(vertical="As 2d 3c", dealer="9h 8h", seats={1: "4d 5d"}), "straight", 5),
    ("three kings", dealt(vertical="Ks Kd 9s", dealer="4h 5h", seats={1: "Kc 2h"}), "three_of_a_kind", 3),
    ("pair of kings", dealt(vertical="Ks 7d 9s", dealer="4h 5h", seats={1: "Kc 2h"}), "one_pair", 1),
    ("ace-high", dealt(vertical="As 7d 9s", horizontal="2d 7d 3c", dealer="4h 6h", seats={1: "Kc Jh"}), "high_card", 1),
]


@pytest.mark.clause("DCP-11", "DCP-25", "DCP-28")
@pytest.mark.parametrize(("hand", "cards", "line", "odds"), SETTLED, ids=[line[0] for line in SETTLED])
def test_a_higher_hand_is_paid_even_on_the_ante_and_by_the_table_on_each_raise(
    hand: str, cards: Any, line: str, odds: int
) -> None:
    play = Double(cards=cards).round(1, ante=20_00)
    ante, raised = play.settled(1, "ante"), play.settled(1, "raise")
    assert (ante.result, ante.returned, ante.paid, ante.odds) == ("win", 20_00, 20_00, "1 to 1")
    assert (raised.result, raised.stake, raised.returned) == ("win", 40_00, 40_00)
    assert (raised.hand, raised.line, raised.paid) == (hand, line, 2 * odds * 20_00)
    assert raised.clauses == ("DCP-25", "DCP-28")
    assert play.chips(1) == 100_000_00 + 20_00 + 2 * odds * 20_00


@pytest.mark.clause("DCP-28")
@pytest.mark.parametrize(("ante", "paid"), [(10_00, 30_00), (10_01, 30_02), (5_55, 16_64), (1, 2)])
def test_two_pair_pays_three_to_two_on_each_raise_rounded_down_separately(ante: int, paid: int) -> None:
    limits = stated(wagers={"ante": {"min_cents": 1, "step_cents": 1}})
    play = Double(limits, cards=KINGS_UP).round(1, ante=ante)
    raised = play.settled(1, "raise")
    assert (raised.hand, raised.odds) == ("kings and nines", "3 to 2")
    assert raised.paid == paid == 2 * (ante * 3 // 2)
    assert play.chips(1) == 100_000_00 + ante + paid


@pytest.mark.clause("DCP-25")
def test_a_lower_hand_loses_all_three_wagers_and_its_cards_at_once() -> None:
    play = Double(cards=dealt(vertical="Ks 7d 9s", dealer="Kc 2h", seats={1: "4h 5h"})).to("settle", 1)
    events = play.do(c.SettleSeat, seat=1)
    assert [(event.wager, event.result, event.returned) for event in events if isinstance(event, e.WagerSettled)] == [
        ("ante", "lose", 0),
        ("raise", "lose", 0),
    ]
    assert only(events, e.SeatSettled).collects
    assert play.chips(1) == 100_000_00 - 30_00


@pytest.mark.clause("DCP-3a", "DCP-25")
def test_equal_hands_push_all_three_wagers_with_any_suits() -> None:
    play = Double(cards=dealt(vertical="Ks 7d 9s", horizontal="4c 7d 5d", dealer="Kc 2h", seats={1: "Kd 2s"})).round(1)
    for wager, stake in (("ante", 10_00), ("raise", 20_00)):
        settled = play.settled(1, wager)
        assert (settled.result, settled.returned, settled.paid, settled.hand) == ("push", stake, 0, "pair of kings")
        assert "AMB-18e" in settled.readings
    assert play.chips(1) == 100_000_00


@pytest.mark.clause("DCP-3a", "DCP-11", "DCP-25")
def test_kickers_decide_within_a_category() -> None:
    play = Double(
        cards=dealt(vertical="Ks 7d 9s", horizontal="4c 7d 5d", dealer="Kc 3h", seats={1: "Kd 2s", 2: "Kh Th"})
    ).round(1, 2)
    assert (play.settled(1, "ante").result, play.settled(2, "ante").result) == ("lose", "win")


@pytest.mark.clause("DCP-2", "DCP-25")
def test_the_named_line_counts_though_the_other_would_win() -> None:
    cards = dealt(vertical="As Ks Qs", horizontal="2c Ks 3d", dealer="Kd 5h", seats={1: "Js Ts", 2: "Jd Td"})
    play = Double(cards=cards).round(1, 2, choose={(1, "raise"): "horizontal"})
    assert (play.settled(1, "raise").result, play.settled(1, "raise").hand) == ("lose", "king-high")
    assert (play.settled(2, "raise").result, play.settled(2, "raise").hand) == ("win", "ace-high straight")
    assert play.all(e.HandShown)[-1].hands == {"horizontal": "king-high"}


@pytest.mark.clause("DCP-25")
def test_hands_are_compared_from_the_dealers_right() -> None:
    play = Double().to("settle", 1, 3, 6)
    assert play.table.turn == (6, 3, 1)
    problem = play.refusal(c.SettleSeat, seat=1)
    assert (problem.code, problem.allowed) == ("settle.order", "seat 6")
    assert "DCP-25" in problem.clauses


@pytest.mark.clause("DCP-26")
def test_winning_hands_stay_until_all_winners_are_paid_and_the_rack_shows_every_hand() -> None:
    cards = dealt(
        vertical="Ks 7d 9s", horizontal="2c 7d 3c", dealer="Kc 2h", seats={1: "Ts Th", 2: "Kd Ah", 4: "9c 9h"}
    )
    play = Double(cards=cards).to("settle", 1, 2, 4)
    play.do(c.SettleSeat, seat=4)
    play.do(c.SettleSeat, seat=2)
    assert [bool(play.seat(seat).cards) for seat in (4, 2, 1)] == [True, True, True]
    play.do(c.SettleSeat, seat=1)
    assert [bool(play.seat(seat).cards) for seat in (4, 2, 1)] == [True, True, False]
    assert view(play.table, Viewer("spectator")).seats[3].cards == ("9c", "9h")
    discarded = only(play.do(c.DiscardCards), e.CardsDiscarded)
    assert discarded.clauses == ("DCP-26",)
    cross = "across_left 2c, middle 7d, across_right 3c, down_far Ks, down_near 9s"
    assert discarded.pile == (
        "stub: 39 cards",
        "seat1: Ts Th",
        "seat4: 9c 9h",
        "seat2: Kd Ah",
        f"community: dealer_hole_1 Kc, dealer_hole_2 2h, {cross}",
    )


@pytest.mark.clause("DCP-26")
def test_a_pushed_hand_is_not_a_winner_and_is_collected() -> None:
    play = Double(cards=dealt(vertical="Ks 7d 9s", horizontal="4c 7d 5d", dealer="Kc 2h", seats={1: "Kd 2s"})).to(
        "settle", 1
    )
    assert only(play.do(c.SettleSeat, seat=1), e.SeatSettled).collects


def test_an_empty_tray_stops_payment_until_it_is_filled() -> None:
    play = Double(cards=ROYAL).open_for_bets(1, tray=100_00)
    play.bet(1)
    play.advance(until="settle")
    halted = only(play.do(c.SettleSeat, seat=1), e.PaymentHalted)
    assert (halted.wager, halted.short_cents) == ("raise", 300 * 20_00 - 90_00)
    assert play.refusal(c.SettleSeat, seat=1).code == "settle.halted"
    play.do(c.RecordFill, cents=10_000_00)
    play.do(c.SettleSeat, seat=1)
    assert play.seat(1).cards, "a winner's hand stays"
    play.advance(until="shuffle")
    assert play.chips(1) == 100_000_00 + 10_00 + 6_000_00


# --- better odds and the payout limit -----------------------------------------------------------------------------


@pytest.mark.clause("DCP-28", "DCP-29")
def test_a_submission_may_better_the_odds() -> None:
    better = stated(pays={"raise": {"two_pair": "2 to 1"}, "three_card": {"one_pair": "3 to 2"}})
    play = Double(better, cards=KINGS_UP).round(1, three=5_00)
    assert play.settled(1, "raise").paid == 2 * 20_00
    assert play.settled(1, "three_card").paid == 7_50


@pytest.mark.parametrize(
    ("table", "line", "odds", "clauses"),
    [
        pytest.param("raise", "flush", "5 to 1", ("DCP-28",), marks=pytest.mark.clause("DCP-28")),
        pytest.param("raise", "two_pair", "1 to 1", ("DCP-28",), marks=pytest.mark.clause("DCP-28")),
        pytest.param("three_card", "straight", "5 to 1", ("DCP-12", "DCP-29"), marks=pytest.mark.clause("DCP-29")),
        pytest.param("raise", "flush", "8 for 1", ("DCP-27", "DCP-28"), marks=pytest.mark.clause("DCP-27")),
        pytest.param(
            "three_card", "one_pair", "3 for 1", ("DCP-27", "DCP-12", "DCP-29"), marks=pytest.mark.clause("DCP-27")
        ),
    ],
)
def test_worse_odds_and_odds_for_one_are_refused(table: str, line: str, odds: str, clauses: tuple[str, ...]) -> None:
    with pytest.raises(BadInput) as refused:
        game_of("nj-double-cross", {"pays": {table: {line: odds}}})
    (problem,) = refused.value.problems
    assert (problem.value, problem.clauses) == (odds, clauses)
    assert ('stated with "to"' in problem.what) == ("for" in odds)


@pytest.mark.clause("DCP-27")
def test_every_odds_the_table_announces_reads_to() -> None:
    play = Double(cards=ROYAL).round(1, three=5_00)
    assert [event.odds for event in play.all(e.WagerSettled)] == ["40 to 1", "1 to 1", "300 to 1"]


LIMIT = {"payout_limit": {"amount_cents": 60_000_00}}


@pytest.mark.clause("DCP-30")
def test_the_limit_cuts_the_raises_and_leaves_ante_and_three_card_alone() -> None:
    play = Double(LIMIT, cards=ROYAL).round(1, ante=500_00, three=100_00)
    raised = play.settled(1, "raise")
    assert (raised.paid, raised.limited) == (60_000_00, 600 * 500_00 - 60_000_00)
    assert "DCP-30" in raised.clauses
    assert "AMB-18" in raised.readings
    assert (play.settled(1, "ante").paid, play.settled(1, "ante").limited) == (500_00, 0)
    assert play.settled(1, "three_card").paid == 40 * 100_00


@pytest.mark.clause("DCP-30")
def test_the_limit_covers_all_wagers_where_the_submission_says_so() -> None:
    every = {**LIMIT, "settings": {"limit_covers_all_wagers": True}}
    play = Double(every, cards=ROYAL).round(1, ante=500_00, three=100_00)
    paid = {event.wager: event.paid for event in play.all(e.WagerSettled)}
    assert paid == {"three_card": 4_000_00, "ante": 500_00, "raise": 55_500_00}
    assert play.settled(1, "raise").limited == 600 * 500_00 - 55_500_00
    assert play.chips(1) == 100_000_00 + 60_000_00


@pytest.mark.clause("DCP-30")
def test_without_a_limit_in_the_submission_everything_is_paid() -> None:
    play = Double(cards=ROYAL).round(1, ante=500_00)
    assert (play.settled(1, "raise").paid, play.settled(1, "raise").limited) == (600 * 500_00, 0)


@pytest.mark.clause("DCP-30")
@pytest.mark.parametrize(
    ("submission", "least"),
    [
        ({"payout_limit": {"amount_cents": 59_999_99}}, 60_000_00),
        ({"wagers": {"ante": {"min_cents": 100_00}}, **LIMIT}, 601 * 100_00),
        ({"pays": {"raise": {"royal_flush": "7000 to 1"}}, **LIMIT}, 14_001 * 5_00),
    ],
)
def test_a_limit_below_sixty_thousand_or_the_most_at_the_minimum_is_refused(
    submission: dict[str, Any], least: int
) -> None:
    with pytest.raises(BadInput, match="DCP-30") as refused:
        game_of("nj-double-cross", submission)
    assert any(f"{least}" in str(problem).replace(",", "") for problem in refused.value.problems)


@pytest.mark.clause_data("DCP-36")
def test_the_version_of_the_rules_is_part_of_the_game_a_round_is_played_by() -> None:
    game = game_of("nj-double-cross")
    data = game.as_data()["rulebook"]
    assert (data["id"], data["version"]) == ("nj-double-cross", game.book.version)
    assert data["settings"]["document_status"]["value"] == "adopted"
