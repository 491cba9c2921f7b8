"""A round from the first card to the discard rack: the deal, the stub, decisions, reveals, settlement, discards."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from crossfelt.cards.card import Card
from crossfelt.cards.deck import standard_deck
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts.dealing import count_due
from unit.table.manual_table import (
    BOOKS,
    FACE_DOWN,
    Play,
    clause,
    dealt,
    in_each,
    low_limit,
    names,
    of_kind,
    only,
    parse,
)

SHOE = {"approvals": {"automated_shoe": "AS-1"}}
METHODS: dict[str, dict[str, Any]] = {
    "manual_shoe": {},
    "hand": {"dealing": {"method": "hand", "shuffler": "automatic"}},
    "automated_shoe": {"dealing": {"method": "automated_shoe"}},
}
COUNTING = {"dealing": {"shuffler": "counting"}}
BETS = ("across", "down", "middle")
Choices = dict[tuple[int, str], int | str]


def submission(book: str, method: str) -> dict[str, Any]:
    approved = SHOE if method == "automated_shoe" and book != "ma-criss-cross" else {}
    return METHODS[method] | approved


# --- the deal ---


def each_method(*manual_shoe: str) -> pytest.MarkDecorator:
    """The test runs for each way of dealing; the clauses are those of a manual shoe in each jurisdiction."""
    others = (("NJC-37", "NJC-38"), ("MAC-26", "MAC-27"), ("MDC-26", "MDC-27"))
    return pytest.mark.parametrize(
        ("book", "method"),
        [
            pytest.param(book, method, marks=clause(*said.split()))
            for book, shoe, rest in zip(BOOKS, manual_shoe, others, strict=True)
            for method, said in zip(METHODS, (shoe, *rest), strict=True)
        ],
    )


@each_method("NJC-31 NJC-32", "MAC-22", "MDC-24")
def test_no_card_is_dealt_before_the_call(book: str, method: str) -> None:
    play = Play(book, submission(book, method)).open_for_bets(1)
    play.bet(1)
    problem = play.refusal(c.DealCards)
    assert (problem.code, problem.value, problem.allowed) == ("deal.step", "open_bets", "deal")
    called = only(play.do(c.NoMoreBets), e.BetsLocked)
    assert (called.announcement, called.by, called.at) == ("no more bets", "dealer", play.at)
    assert only(play.do(c.DealCards), e.CardsDealt).method == method


@each_method("NJC-32", "MAC-23", "MDC-24")
def test_five_cards_for_the_cross_then_two_to_each_wagering_player_clockwise(book: str, method: str) -> None:
    """One at a time from a shoe or the hand; in stacks of five and two from an automated shoe."""
    deck = standard_deck()[::-1]
    play = Play(book, submission(book, method), cards=deck).open_for_bets(2, 3, 4, 6)
    play.bet(6, 3, 2)
    play.advance(until="stub")
    event = play.last(e.CardsDealt)
    stacks = [(seat, hole) for seat in (2, 3, 6) for hole in ("hole_1", "hole_2")]
    single = [(seat, hole) for hole in ("hole_1", "hole_2") for seat in (2, 3, 6)]
    order = [(0, place) for place in FACE_DOWN] + (stacks if method == "automated_shoe" else single)
    assert [(to.seat, to.place) for to in event.cards] == order
    assert [to.card for to in event.cards] == list(deck[:11])
    assert event.method == method
    assert play.seat(4).cards == ()


@in_each("NJC-32", "MAC-23", "MDC-24")
def test_the_cross_is_dealt_far_box_second_row_near_box(book: str) -> None:
    cards = dealt(across="Kd 4s", down="9c 9h", middle="Kc", seats={1: "Ks 2d"})
    play = Play(book, cards=cards).open_for_bets(1)
    play.bet(1)
    play.advance(until="stub")
    assert [str(card) for card in cards[:5]] == ["9c", "Kd", "Kc", "4s", "9h"]
    places = {place: str(card) for place, card in play.table.community.items()}
    assert places == {
        "down_far": "9c",
        "across_left": "Kd",
        "middle": "Kc",
        "across_right": "4s",
        "down_near": "9h",
    }
    assert play.seat(1).cards == parse("Ks 2d")


@in_each("NJC-12a NJC-32", "MAC-23", "MDC-24")
def test_all_cards_are_dealt_face_down(book: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    play.bet(1, 2)
    play.advance(until="decide_across")
    assert [len(seat.cards) for seat in play.table.seats] == [2, 2, 0, 0, 0, 0]
    assert play.table.revealed == frozenset()
    assert not any(seat.shown for seat in play.table.seats)
    assert not play.all(e.CommunityCardsRevealed)


@in_each("NJC-12", "MAC-24", "MDC-1 MDC-24")
@pytest.mark.parametrize("method", METHODS)
def test_the_stub_is_what_the_deal_leaves_and_goes_to_the_rack_unexposed(book: str, method: str) -> None:
    play = Play(book, submission(book, method)).open_for_bets(1, 2, 3)
    play.bet(1, 2, 3)
    play.advance(until="decide_across")
    assert play.last(e.StubDiscarded).count == 52 - 5 - 2 * 3
    assert not play.all(e.CommunityCardsRevealed)


# --- counting the stub ---


def play_rounds(play: Play, count: int) -> list[int]:
    """In which of the next rounds the stub had to be counted."""
    due = []
    for number in range(1, count + 1):
        play.bet(1)
        play.advance(until="stub")
        if count_due(play.table):
            due.append(number)
        play.advance(until="shuffle")
        play.serve()
    return due


@pytest.mark.parametrize(
    ("book", "method"),
    [
        pytest.param("nj-criss-cross", "manual_shoe", marks=clause("NJC-33")),
        pytest.param("nj-criss-cross", "hand", marks=clause("NJC-37")),
        pytest.param("ma-criss-cross", "manual_shoe", marks=clause("MAC-24")),
        pytest.param("ma-criss-cross", "hand", marks=clause("MAC-26")),
        pytest.param("ma-criss-cross", "automated_shoe", marks=clause("MAC-27")),
        pytest.param("md-criss-cross", "manual_shoe", marks=clause("MDC-25")),
        pytest.param("md-criss-cross", "hand", marks=clause("MDC-26")),
        pytest.param("md-criss-cross", "automated_shoe", marks=clause("MDC-27")),
    ],
)
def test_the_stub_is_counted_in_the_fifth_round_and_then_at_least_every_five(book: str, method: str) -> None:
    play = Play(book, submission(book, method)).open_for_bets(1)
    due = play_rounds(play, 15)
    assert due[0] == 5
    assert all(later - earlier <= 5 for earlier, later in pairwise([*due, 16]))
    assert len(play.all(e.StubCounted)) == len(due)


@in_each("NJC-33", "MAC-24", "MDC-25")
def test_a_count_that_is_due_is_not_passed_over(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play_rounds(play, 4)
    play.bet(1)
    play.advance(until="stub")
    problem = play.refusal(c.DiscardStub)
    assert (problem.code, problem.allowed) == ("stub.due", "once in 5 rounds")
    assert problem.clauses in (("NJC-33",), ("MAC-24",), ("MDC-25",))
    assert "discard_stub" not in play.may("dealer")
    counted = play.do(c.CountStub, count=45)
    assert names(counted)[:2] == ["stub_counted", "stub_discarded"]
    assert (only(counted, e.StubCounted).count, only(counted, e.StubCounted).expected) == (45, 45)
    assert play.table.step == "decide_across"


@in_each("NJC-33", "MAC-24", "MDC-25")
def test_the_dealer_may_count_earlier_and_the_rounds_start_again(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play_rounds(play, 2)
    play.bet(1)
    play.advance(until="stub")
    play.do(c.CountStub, count=45)
    play.advance(until="shuffle")
    play.serve()
    assert play_rounds(play, 5)[0] >= 4


@in_each("NJC-35", "MAC-24 MAC-8", "MDC-25 MDC-12")
def test_a_shuffler_that_counts_replaces_the_count_of_the_stub(book: str) -> None:
    play = Play(book, COUNTING).open_for_bets(1)
    assert play_rounds(play, 8) == []
    assert not play.all(e.StubCounted)


@clause("NJC-38")
def test_new_jersey_names_no_stub_count_for_an_automated_shoe() -> None:
    play = Play("nj-criss-cross", submission("nj-criss-cross", "automated_shoe")).open_for_bets(1)
    assert play_rounds(play, 8) == []


@in_each("NJC-35", "MAC-24", "MDC-25")
def test_without_its_counting_shuffler_a_table_counts_the_stub_again(book: str) -> None:
    play = Play(book, COUNTING).open_for_bets(1)
    play_rounds(play, 5)
    play.bet(1)
    play.advance(until="shuffle")
    play.do(c.ReportIrregularity, kind="device_out_of_order", place="shuffler", role="dealer")
    play.do(c.MarkDevice, device="shuffler", how="covered")
    play.do(c.ChangeMethod, shuffling="manual")
    play.serve()
    assert play_rounds(play, 1) == [1]


@in_each("NJC-34", "MAC-25", "MDC-25")
def test_a_wrong_count_needs_a_finding_and_a_right_one_takes_none(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    play.advance(until="stub")
    problem = play.refusal(c.CountStub, count=44)
    assert (problem.code, problem.where) == ("stub.finding", "finding")
    assert problem.allowed == "misdealt, misdealt_and_wrong_total, not_misdealt"
    assert play.refusal(c.CountStub, count=45, finding="misdealt").code == "stub.finding"
    assert play.refusal(c.CountStub, count=44, finding="something else").code == "stub.finding"
    for count in (-1, 53):
        assert play.refusal(c.CountStub, count=count, finding="misdealt").code == "stub.count"


@in_each("NJC-34", "MAC-25", "MDC-25")
def test_a_misdeal_is_a_wrong_number_of_cards_where_the_document_says(book: str) -> None:
    """Maryland speaks of players only: a cross without five cards is no misdeal there, and the deck leaves."""
    players_only = book == "md-criss-cross"
    play = Play(book).open_for_bets(1, 3)
    play.bet(1, 3)
    play.advance(until="stub")
    allowed = "seat 1; seat 3" if players_only else "seat 1; seat 3; place community"
    for where in ({}, {"seat": 2}, {"place": "dealer"}, {"seat": 1, "place": "community"}):
        problem = play.refusal(c.CountStub, count=44, finding="misdealt", **where)
        assert (problem.code, problem.allowed) == ("stub.where", allowed)
        assert problem.clauses == play.game.book.settings["misdeal_areas"].clauses
    problem = play.refusal(c.CountStub, count=44, finding="not_misdealt", seat=1)
    assert (problem.code, problem.allowed) == ("stub.where", "nothing")
    if players_only:
        problem = play.refusal(c.CountStub, count=44, finding="misdealt", place="community")
        assert (problem.code, problem.value, problem.clauses) == ("stub.where", "place community", ("MDC-25",))
        found = play.do(c.CountStub, count=44, finding="not_misdealt")
    else:
        found = play.do(c.CountStub, count=44, finding="misdealt", place="community")
        assert only(found, e.StubCounted).place == "community"
    assert ("remove_deck" in only(found, e.RoundVoided).then) == players_only


@in_each("NJC-34", "MAC-25", "MDC-25")
@pytest.mark.parametrize(
    ("finding", "stated", "deck_leaves"),
    [
        ("misdealt", {}, False),
        ("not_misdealt", {}, True),
        ("misdealt_and_wrong_total", {}, True),
        ("misdealt_and_wrong_total", {"settings": {"misdealt_and_wrong_total": "reshuffle"}}, False),
    ],
)
def test_a_wrong_count_voids_the_round_and_the_deck_leaves_unless_it_was_a_misdeal(
    book: str, finding: str, stated: dict[str, Any], deck_leaves: bool
) -> None:
    play = Play(book, stated).open_for_bets(1, 2)
    play.bet(1, 2, bonus=5_00)
    play.advance(until="stub")
    where = {} if finding == "not_misdealt" else {"seat": 2}
    found = play.do(c.CountStub, count=44, finding=finding, **where)
    assert names(found) == ["stub_counted", "round_voided", "wagers_returned", "wagers_returned", "step_entered"]
    assert (only(found, e.StubCounted).expected, only(found, e.StubCounted).finding) == (43, finding)
    then = only(found, e.RoundVoided).then
    assert ("remove_deck" in then, "reshuffle" in then) == (deck_leaves, not deck_leaves)
    assert (play.chips(1), play.chips(2)) == (100_000_00, 100_000_00)
    play.do(c.DiscardCards)
    assert play.last(e.RoundClosed).outcome == "void"
    if deck_leaves:
        assert play.refusal(c.ShuffleDeck, deck="A-1", method="manual").code == "deck.remove"
    play.serve()
    assert [event.deck for event in play.all(e.DeckRemoved)] == ["A-1"] * deck_leaves
    assert play.table.step == "open_bets"


# --- decisions and folds ---

FORFEITS = {
    "across": ("ante_across", "ante_down"),
    "down": ("ante_across", "ante_down", "across"),
    "middle": ("ante_across", "ante_down", "across", "down"),
}


@in_each("NJC-41 NJC-42 NJC-43 NJC-52", "MAC-29 MAC-31 MAC-32", "MDC-31 MDC-32")
@pytest.mark.parametrize("bet", BETS)
def test_a_fold_forfeits_what_was_staked_so_far_and_keeps_the_five_card_bonus(book: str, bet: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    play.bet(1, 2, bonus=5_00)
    play.advance(until=f"decide_{bet}")
    tray = play.tray
    folded = only(play.do(c.Fold, seat=1), e.HandFolded)
    assert (folded.wager, folded.forfeits) == (bet, FORFEITS[bet])
    play.advance(until="settle" if bet == "middle" else f"decide_{BETS[BETS.index(bet) + 1]}")
    collected = play.last(e.FoldCollected)
    assert collected.wagers == dict.fromkeys(FORFEITS[bet], 10_00)
    lost = 10_00 * len(FORFEITS[bet])
    if play.table.step != "settle":
        assert play.tray == tray + lost
    assert play.seat(1).wagers in ({"five_card_bonus": 5_00}, {})
    assert bet == "middle" or play.seat(1).wagers == {"five_card_bonus": 5_00}
    assert play.table.turn.count(1) == (play.code == "MAC" and play.table.step == "settle")


WHEN: dict[str, dict[str, str]] = {
    "nj-criss-cross": {"across": "after", "down": "after", "middle": "before"},
    "ma-criss-cross": {"across": "before", "down": "before", "middle": "before"},
    "md-criss-cross": {"across": "at once", "down": "at once", "middle": "at once"},
}
"""The time of collection: at once, after all decisions but before the reveal, or after it."""


@in_each("NJC-41 NJC-42 NJC-43", "MAC-29 MAC-30 MAC-31 MAC-32", "MDC-31 MDC-32")
@pytest.mark.parametrize("bet", BETS)
def test_forfeits_are_collected_at_once_before_the_reveal_or_after_it(book: str, bet: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    play.bet(1, 2)
    play.advance(until=f"decide_{bet}")
    folding = play.do(c.Fold, seat=1)
    betting = play.do(c.Bet, seat=2, cents=10_00)
    when = WHEN[book][bet]
    assert bool(list(of_kind(folding, e.FoldCollected))) == (when == "at once")
    if when == "before":
        assert play.table.step == f"decide_{bet}"
        assert play.refusal(c.TurnUp).code == "reveal.step"
        collecting = play.do(c.CollectFolds)
        assert names(collecting)[0] == "fold_collected"
        assert play.table.step == f"reveal_{bet}"
    if when == "after":
        assert names(betting)[-1] == "step_entered"
        assert play.refusal(c.CollectFolds).code == "collect.early"
        play.do(c.TurnUp)
        assert play.table.step == f"reveal_{bet}"
        assert play.refusal(c.TurnUp).code == "reveal.step"
        assert names(play.do(c.CollectFolds))[0] == "fold_collected"
    else:
        play.do(c.TurnUp)
    assert play.refusal(c.CollectFolds).code == "collect.none"
    assert play.seat(1).wagers == {}


@in_each("NJC-41 NJC-42 NJC-43", "MAC-29 MAC-31 MAC-32", "MDC-31 MDC-32")
@pytest.mark.parametrize("bonus", [0, 5_00])
@pytest.mark.parametrize("bet", BETS)
def test_a_folders_cards_are_discarded_but_stay_in_maryland_with_a_five_card_bonus(
    book: str, bonus: int, bet: str
) -> None:
    cards = dealt(across="2c 7d", down="9s Jh", middle="Kc", seats={1: "Ks 2d", 2: "Qs Qd"})
    play = Play(book, cards=cards).open_for_bets(1, 2)
    play.bet(1, 2, bonus=bonus)
    last = {"across": "reveal_down", "down": "reveal_middle", "middle": "settle"}[bet]
    play.advance(until=last, choose={(1, bet): "fold"})
    stays = book == "md-criss-cross" and bool(bonus)
    assert play.last(e.FoldCollected).cards_stay == stays
    assert play.seat(1).cards == (parse("Ks 2d") if stays else ())
    assert (f"seat1: {'Ks 2d'}" in play.table.pile) != stays
    play.advance(until="discard")
    assert play.seat(1).cards == (parse("Ks 2d") if stays else ())
    play.do(c.DiscardCards)
    assert "seat1: Ks 2d" in play.last(e.CardsDiscarded).pile


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("bonus", [0, 5_00])
def test_when_all_fold_the_cards_are_turned_up_only_where_a_bonus_needs_them(book: str, bonus: int) -> None:
    play = Play(book).open_for_bets(1, 2)
    play.bet(1, 2, bonus=bonus)
    play.advance(until="discard", choose={(1, "across"): "fold", (2, "across"): "fold"})
    turned = [place for event in play.all(e.CommunityCardsRevealed) for place in event.places]
    seen = ["across_left", "across_right"] if book == "nj-criss-cross" else []
    assert turned == (["across_left", "across_right", "down_far", "down_near", "middle"] if bonus else seen)
    assert len(play.all(e.WagerSettled)) == 2 * bool(bonus)
    assert not play.all(e.HandShown)
    assert all(seat.wagers == {} for seat in play.table.seats)


# --- reveals ---


@in_each("NJC-41 NJC-42 NJC-43", "MAC-30 MAC-31 MAC-33", "MDC-32")
def test_the_outer_row_then_the_outer_column_then_the_middle_is_turned_up(book: str) -> None:
    cards = dealt(across="Kd 4s", down="9c 9h", middle="Kc", seats={1: "Ks 2d"})
    play = Play(book, cards=cards).open_for_bets(1)
    play.bet(1)
    play.advance(until="settle")
    assert [(event.places, " ".join(map(str, event.cards))) for event in play.all(e.CommunityCardsRevealed)] == [
        (("across_left", "across_right"), "Kd 4s"),
        (("down_far", "down_near"), "9c 9h"),
        (("middle",), "Kc"),
    ]
    kinds = [name for name in names(play.events) if name in ("bet_placed", "community_cards_revealed")]
    assert kinds == ["bet_placed", "community_cards_revealed"] * 3


@in_each("NJC-41 NJC-42 NJC-43", "MAC-30 MAC-31 MAC-33", "MDC-32")
@pytest.mark.parametrize("step", ["deal", "stub", "decide_across", "decide_down", "decide_middle", "settle"])
def test_no_card_is_turned_up_before_every_player_has_decided(book: str, step: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    play.advance(until=step)
    problem = play.refusal(c.TurnUp)
    assert (problem.code, problem.value) == ("reveal.step", step)


# --- settlement ---


@in_each("NJC-44 NJC-45", "MAC-33 MAC-1", "MDC-34 MDC-35")
def test_hands_are_shown_and_settled_one_by_one_counter_clockwise_from_the_right(book: str) -> None:
    cards = dealt(across="Kd 4s", down="9c 9h", middle="Kc", seats={1: "Ks 2d", 2: "9s 4d", 4: "2h 3c", 6: "Ad Qd"})
    play = Play(book, cards=cards).open_for_bets(1, 2, 4, 6)
    play.bet(1, 2, 4, 6)
    play.advance(until="settle", choose={(2, "middle"): "fold"})
    assert play.table.turn == (6, 4, 1)
    problem = play.refusal(c.SettleSeat, seat=1)
    assert (problem.code, problem.value, problem.allowed) == ("settle.order", 1, "seat 6")
    assert set(problem.clauses) & {"NJC-44", "MAC-33", "MDC-34"}
    for seat in (6, 4, 1):
        events = play.do(c.SettleSeat, seat=seat)
        assert names(events)[:7] == ["hand_shown", *["wager_settled"] * 5, "seat_settled"]
        assert only(events, e.SeatSettled).collects
        assert play.seat(seat).cards == ()
        assert play.seat(seat).wagers == {}
    shown = {event.seat: event.hands for event in play.all(e.HandShown)}
    assert shown == {
        6: {"across": "pair of kings", "down": "pair of nines"},
        4: {"across": "pair of kings", "down": "pair of nines"},
        1: {"across": "three kings", "down": "kings and nines"},
    }


RANKED: dict[str, tuple[str, str]] = {
    # the hand of both lines: the player's two cards, then the row; the column is made the same hand
    "royal_flush": ("As Ks", "Qs Js Ts"),
    "straight_flush": ("9h 8h", "7h 6h 5h"),
    "four_of_a_kind": ("Ac Ad", "Ah As 2c"),
    "full_house": ("Kc Kd", "Kh 4c 4d"),
    "flush": ("Ad Jd", "9d 4d 2d"),
    "straight": ("9c 8d", "7h 6s 5c"),
    "steel_wheel": ("Ad 2d", "3d 4d 5d"),
    "wheel": ("Ac 2d", "3h 4s 5c"),
    "three_of_a_kind": ("Qc Qd", "Qh 7s 2c"),
    "two_pair": ("Tc Td", "4h 4s 2c"),
    "pair_aces": ("Ac Ad", "9h 5s 2c"),
    "pair_jacks": ("Jc Jd", "9h 5s 2c"),
    "pair_tens": ("Tc Td", "9h 5s 2c"),
    "pair_sixes": ("6c 6d", "9h Ks 2c"),
    "pair_fives": ("5c 5d", "9h Ks 2c"),
    "nothing": ("Ac Kd", "9h 5s 2c"),
}
"""Two hole cards and the horizontal row: left, middle, right."""
ANTE_PAYS = dict.fromkeys(RANKED, 1) | {"pair_tens": 0, "pair_sixes": 0} | dict.fromkeys(("pair_fives", "nothing"), -1)
BET_PAYS = ANTE_PAYS | {
    "royal_flush": 500,
    "straight_flush": 100,
    "steel_wheel": 100,
    "four_of_a_kind": 40,
    "full_house": 12,
    "flush": 8,
    "straight": 5,
    "wheel": 5,
    "three_of_a_kind": 3,
    "two_pair": 2,
}
BONUS_PAYS = BET_PAYS | {
    "royal_flush": 250,
    "full_house": 15,
    "flush": 10,
    "straight": 6,
    "wheel": 6,
    "three_of_a_kind": 4,
    "two_pair": 3,
    "pair_tens": 1,
    "pair_sixes": 1,
}


def settled(play: Play, seat: int) -> dict[str, e.WagerSettled]:
    return {event.wager: event for event in play.all(e.WagerSettled) if event.seat == seat}


def worth(event: e.WagerSettled) -> tuple[str, int, int]:
    return event.result, event.returned, event.paid


def odds(stake: int, to_one: int) -> tuple[str, int, int]:
    """Result, stake returned and winnings at odds to one; 0 is a push, -1 a loss."""
    if to_one < 0:
        return "lose", 0, 0
    return ("win" if to_one else "push"), stake, stake * to_one


@in_each("NJC-45 NJC-50 NJC-51 NJC-16", "MAC-1 MAC-15 MAC-34 MAC-38 MAC-39", "MDC-34 MDC-35 MDC-38")
@pytest.mark.parametrize("line", ["across", "down"])
@pytest.mark.parametrize("hand", RANKED)
def test_each_line_pays_its_ante_and_its_bet_by_its_own_hand(book: str, line: str, hand: str) -> None:
    hole, row = RANKED[hand]
    left, middle, right = row.split()
    ours, other = f"{left} {right}", next_best_cards({*hole.split(), *row.split()})
    across, down = (ours, other) if line == "across" else (other, ours)
    play = Play(book, cards=dealt(across=across, down=down, middle=middle, seats={3: hole})).open_for_bets(3)
    play.bet(3, ante=10_00)
    play.advance(until="discard", choose={(3, line): 30_00})
    by_wager = settled(play, 3)
    assert worth(by_wager[f"ante_{line}"]) == odds(10_00, ANTE_PAYS[hand])
    assert worth(by_wager[line]) == odds(30_00, BET_PAYS[hand])


def next_best_cards(taken: set[str]) -> str:
    """Two low cards of other suits that help no hand."""
    free = [str(card) for card in sorted(standard_deck()) if str(card) not in taken]
    return f"{free[0]} {free[5]}"


@in_each("NJC-52", "MAC-40 MAC-20", "MDC-40")
@pytest.mark.parametrize("folds", [False, True])
@pytest.mark.parametrize("hand", RANKED)
def test_the_five_card_bonus_pays_by_the_community_cards_even_after_a_fold(book: str, hand: str, folds: bool) -> None:
    hole, row = RANKED[hand]
    left, middle, right = row.split()
    play = Play(book, cards=dealt(across=f"{left} {right}", down=hole, middle=middle, seats={2: ""})).open_for_bets(2)
    play.bet(2, bonus=5_00)
    choose: Choices = {(2, "down"): "fold"} if folds else {}
    play.advance(until="discard", choose=choose)
    assert worth(settled(play, 2)["five_card_bonus"]) == odds(5_00, BONUS_PAYS[hand])


MIDDLE: dict[tuple[str, str], tuple[str, str, str, str, int]] = {
    # across, down: hole cards, row (left right), column (far near), middle card, what the middle bet pays
    ("win", "win"): ("Ks 2d", "Kd 4s", "9c 9h", "Kc", 3),
    ("win", "push"): ("Jd 8h", "Js 3c", "8c 2s", "4d", 1),
    ("win", "lose"): ("Jd 8h", "Js 3c", "6c 2s", "4d", 1),
    ("push", "win"): ("Jd 8h", "8c 2s", "Js 3c", "4d", 1),
    ("push", "push"): ("Td 8h", "8c 2s", "Ts 3c", "4d", 0),
    ("push", "lose"): ("Td 8h", "8c 2s", "Qs 3c", "4d", 0),
    ("lose", "win"): ("Jd 8h", "6c 2s", "Js 3c", "4d", 1),
    ("lose", "push"): ("Td 8h", "Qs 3c", "8c 2s", "4d", 0),
    ("lose", "lose"): ("Td 8h", "Qs 3c", "7c 2s", "4d", -1),
}


@in_each("NJC-46", "MAC-35", "MDC-36")
@pytest.mark.parametrize("lines", MIDDLE, ids="-".join)
def test_the_middle_bet_wins_with_either_line_loses_with_both_and_otherwise_pushes(
    book: str, lines: tuple[str, str]
) -> None:
    hole, row, column, middle, to_one = MIDDLE[lines]
    play = Play(book, cards=dealt(across=row, down=column, middle=middle, seats={5: hole})).open_for_bets(5)
    play.bet(5)
    play.advance(until="discard", choose={(5, "middle"): 20_00})
    by_wager = settled(play, 5)
    assert (by_wager["across"].result, by_wager["down"].result) == lines
    assert worth(by_wager["middle"]) == odds(20_00, to_one)


@in_each("NJC-46", "MAC-35", "MDC-36")
@pytest.mark.parametrize("higher", ["across", "down"])
def test_the_middle_bet_is_paid_at_the_odds_of_the_higher_hand(book: str, higher: str) -> None:
    """Three kings on one line, two pairs on the other."""
    row, column = ("Kd 4s", "9c 9h") if higher == "across" else ("9c 9h", "Kd 4s")
    play = Play(book, cards=dealt(across=row, down=column, middle="Kc", seats={1: "Ks 2d"})).open_for_bets(1)
    play.bet(1)
    play.advance(until="discard")
    middle = settled(play, 1)["middle"]
    assert (middle.hand, middle.odds, middle.paid) == ("three kings", "3 to 1", 30_00)


@in_each("NJC-25a", "MAC-1", "MDC-20a")
def test_what_others_hold_makes_no_difference_to_a_player(book: str) -> None:
    """There is no dealer's hand, and no player plays against another."""
    results = []
    for other in ("As Ad", "2c 3h"):
        cards = dealt(across="Kd 4s", down="9c 9h", middle="Kc", seats={1: other, 2: "Ks 2d"})
        play = Play(book, cards=cards).open_for_bets(1, 2)
        play.bet(1, 2)
        play.advance(until="discard")
        results.append({wager: worth(event) for wager, event in settled(play, 2).items()})
    assert results[0] == results[1]


@in_each("NJC-52", "MAC-36", "MDC-33")
def test_the_five_card_bonus_is_settled_at_its_place(book: str) -> None:
    """New Jersey at the end of the game, Massachusetts after each player's other wagers, Maryland before all hands."""
    play = Play(book).open_for_bets(1, 2, 5)
    play.bet(1, 2, 5, bonus=5_00)
    play.advance(until="discard", choose={(2, "across"): "fold"})
    order = [(event.seat, event.wager) for event in play.all(e.WagerSettled)]
    lines = ("ante_across", "across", "ante_down", "down", "middle")
    hands = {seat: [(seat, wager) for wager in lines] for seat in (5, 1)}
    bonus = {seat: [(seat, "five_card_bonus")] for seat in (5, 2, 1)}
    if book == "nj-criss-cross":
        expected = hands[5] + hands[1] + bonus[5] + bonus[2] + bonus[1]
    elif book == "ma-criss-cross":
        expected = hands[5] + bonus[5] + bonus[2] + hands[1] + bonus[1]
    else:
        expected = bonus[5] + bonus[2] + bonus[1] + hands[5] + hands[1]
    assert order == expected
    assert [event.seat for event in play.all(e.HandShown)] == [5, 1]


@clause("MAC-20")
def test_the_bonus_has_no_bearing_on_the_other_wagers() -> None:
    results = []
    for bonus in (0, 5_00):
        cards = dealt(across="Kd 4s", down="9c 9h", middle="Kc", seats={1: "Ks 2d"})
        play = Play("ma-criss-cross", cards=cards).open_for_bets(1)
        play.bet(1, bonus=bonus)
        play.advance(until="discard")
        results.append({w: worth(event) for w, event in settled(play, 1).items() if w != "five_card_bonus"})
    assert results[0] == results[1]


# --- payout limits ---

ROYAL = dealt(across="As Ks", down="9s 8s", middle="Qs", seats={1: "Js Ts"})
"""A royal flush across, a straight flush down, a flush in the community cards."""


def royal_round(book: str, stated: dict[str, Any], ante: int, bonus: int = 0, times: int = 1) -> Play:
    play = Play(book, stated, cards=ROYAL).open_for_bets(1, tray=10_000_000_00)
    play.bet(1, ante=ante, bonus=bonus)
    bets: Choices = {(1, bet): times * ante for bet in BETS}
    return play.advance(until="discard", choose=bets)


def paid(play: Play) -> dict[str, int]:
    return {event.wager: event.paid for event in play.all(e.WagerSettled)}


def cut(play: Play) -> dict[str, int]:
    return {event.wager: event.limited for event in play.all(e.WagerSettled) if event.limited}


@clause("NJC-56")
def test_new_jersey_limits_a_players_round_to_50000_dollars_the_bonus_included() -> None:
    play = royal_round("nj-criss-cross", {}, ante=100_00, bonus=10_00)
    assert paid(play) == {
        "ante_across": 100_00,
        "across": 49_900_00,
        "ante_down": 0,
        "down": 0,
        "middle": 0,
        "five_card_bonus": 0,
    }
    assert cut(play) == {
        "across": 100_00,
        "ante_down": 100_00,
        "down": 10_000_00,
        "middle": 50_000_00,
        "five_card_bonus": 100_00,
    }
    limited = [event for event in play.all(e.WagerSettled) if event.limited]
    assert all("NJC-56" in event.clauses and "AMB-5" in event.readings for event in limited)
    assert "NJC-56" not in play.all(e.WagerSettled)[0].clauses
    assert sum(event.returned for event in play.all(e.WagerSettled)) == 5 * 100_00 + 10_00


@clause("NJC-56")
def test_up_to_the_limit_everything_is_paid() -> None:
    play = royal_round("nj-criss-cross", {}, ante=45_00, bonus=1_00)
    assert cut(play) == {}
    assert sum(paid(play).values()) == 1102 * 45_00 + 10_00


@clause("NJC-56")
def test_a_high_minimum_raises_the_limit_to_what_it_could_win() -> None:
    stated = {"wagers": {"ante": {"min_cents": 100_00, "max_cents": 1_000_00}}}
    assert cut(royal_round("nj-criss-cross", stated, ante=100_00)) == {}
    play = royal_round("nj-criss-cross", stated, ante=101_00)
    assert sum(paid(play).values()) == 1102 * 100_00
    assert cut(play) == {"middle": 1102 * 1_00}


@clause("MAC-41")
def test_massachusetts_limits_nothing_unless_the_operator_states_a_limit() -> None:
    play = royal_round("ma-criss-cross", {}, ante=500_00, bonus=100_00, times=3)
    assert cut(play) == {}
    assert sum(paid(play).values()) == 500_00 * (2 + 3 * (500 + 100 + 500)) + 10 * 100_00


@clause("MAC-41")
def test_a_stated_limit_of_massachusetts_counts_all_wagers_and_is_not_below_50000_dollars() -> None:
    stated = {"payout_limit": {"amount_cents": 60_000_00}}
    play = royal_round("ma-criss-cross", stated, ante=100_00, bonus=10_00)
    assert sum(paid(play).values()) == 60_000_00
    assert cut(play) == {"down": 200_00, "middle": 50_000_00, "five_card_bonus": 100_00}
    with pytest.raises(ValueError, match="at least 5,000,000"):
        Play("ma-criss-cross", {"payout_limit": {"amount_cents": 49_999_99}})


@clause("MDC-39")
def test_maryland_limits_the_odds_of_section_a_and_leaves_the_bonus_alone() -> None:
    play = royal_round("md-criss-cross", {}, ante=100_00, bonus=10_00)
    assert paid(play)["five_card_bonus"] == 100_00
    assert sum(paid(play).values()) == 50_000_00 + 100_00
    assert "five_card_bonus" not in cut(play)


@clause("MDC-39")
def test_an_operator_in_maryland_may_state_a_lower_limit_but_no_higher_one() -> None:
    play = royal_round("md-criss-cross", low_limit(1_000_00), ante=10_00)
    assert sum(paid(play).values()) == 1_000_00
    assert list(cut(play)) == ["across", "ante_down", "down", "middle"]
    for stated in (50_000_01, 5_509_99):  # the least wager could win $5,510
        with pytest.raises(ValueError, match="at least 551,000 and at most 5,000,000"):
            Play("md-criss-cross", {"payout_limit": {"amount_cents": stated}})


@clause("NJC-57")
def test_in_new_jersey_a_lower_limit_needs_notice_unless_it_is_on_the_layout() -> None:
    falls = {"previous_amount_cents": 60_000_00}
    with pytest.raises(ValueError, match="without a notice"):
        Play("nj-criss-cross", {"payout_limit": falls})
    Play("nj-criss-cross", {"payout_limit": falls | {"on_layout": True}})
    Play("nj-criss-cross", {"payout_limit": falls | {"notice_posted_at": "noon", "notice_posted_by": "Eve"}})


@in_each("NJC-56", "MAC-41", "MDC-39")
def test_a_limit_counts_each_player_separately(book: str) -> None:
    """Two players cannot both hold the royal flush; two full houses under a small limit do."""
    cards = dealt(across="Kd Kh", down="4c 4d", middle="Kc", seats={1: "Ac Ad", 2: "Qc Qd"})
    stated = low_limit(100_00) if book == "md-criss-cross" else {}
    play = Play(book, stated, cards=cards).open_for_bets(1, 2)
    play.bet(1, 2)
    play.advance(until="discard")
    sums = [sum(event.paid for event in play.all(e.WagerSettled) if event.seat == seat) for seat in (1, 2)]
    assert sums[0] == sums[1] > 0
    assert book != "md-criss-cross" or sums[0] == 100_00


# --- discards ---


@in_each("NJC-49 NJC-44", "MAC-37", "MDC-37")
@pytest.mark.parametrize("method", METHODS)
def test_every_hand_can_be_rebuilt_from_the_discard_rack(book: str, method: str) -> None:
    play = Play(book, submission(book, method), cards=standard_deck()[::-1]).open_for_bets(1, 3, 4, 6)
    play.bet(1, 3, 4, 6, bonus=5_00)
    play.advance(until="shuffle", choose={(3, "across"): "fold", (6, "middle"): "fold"})
    hands: dict[str, list[Card]] = {}
    for to in play.last(e.CardsDealt).cards:
        hands.setdefault(f"seat{to.seat}" if to.seat else "community", []).append(to.card)
    rack = dict(entry.split(": ") for entry in play.last(e.CardsDiscarded).pile)
    assert rack.pop("stub") == "39 cards"
    found = {name: [Card(text) for text in re.findall(r"\b[2-9TJQKA][cdhs]\b", cards)] for name, cards in rack.items()}
    assert found == hands
    assert [place.split()[0] for place in rack["community"].split(", ")] == list(FACE_DOWN)


@in_each("NJC-49", "MAC-37", "MDC-37")
def test_hands_lie_in_the_rack_in_the_order_they_were_collected(book: str) -> None:
    play = Play(book).open_for_bets(1, 2, 3)
    play.bet(1, 2, 3)
    play.advance(until="shuffle", choose={(2, "across"): "fold"})
    rack = [entry.split(":")[0] for entry in play.last(e.CardsDiscarded).pile]
    assert rack == ["stub", "seat2", "seat3", "seat1", "community"]


@in_each("NJC-49", "MAC-37", "MDC-37")
def test_a_stub_that_was_not_put_away_before_the_round_was_void_lies_on_top(book: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    play.bet(1, 2)
    play.advance(until="stub")
    play.do(c.CountStub, count=42, finding="misdealt", seat=1)
    play.do(c.DiscardCards)
    rack = [entry.split(":")[0] for entry in play.last(e.CardsDiscarded).pile]
    assert rack == ["seat2", "seat1", "community", "stub"]
    assert play.last(e.CardsDiscarded).pile[-1] == "stub: 43 cards"


@in_each("NJC-12", "", "MDC-1")
def test_a_round_is_numbered_and_closes_when_every_wager_is_settled(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    play.advance(until="settle")
    assert play.refusal(c.DiscardCards).code == "discard.step"
    play.advance(until="shuffle")
    opened, closed = play.all(e.RoundOpened)[0], play.last(e.RoundClosed)
    assert (opened.round, closed.round, closed.outcome) == (1, 1, "settled")
    assert opened.at < closed.at
    assert all(seat.wagers == {} for seat in play.table.seats)
