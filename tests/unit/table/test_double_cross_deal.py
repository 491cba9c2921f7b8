"""Double Cross Poker before the first decision: decks, shuffle, cut, the three ways of dealing, and the stub."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.errors import BadInput
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.records import records_of
from crossfelt.table.views import Viewer, view
from unit.table.manual_double_cross import CROSS, METHODS, Double, dealt
from unit.table.manual_table import game_of, only

OPENING = ("receive", "inspect", "verify", "spread", "show", "wash", "stack")
SHUFFLER: dict[str, Any] = {"dealing": {"shuffler": "automatic", "decks": 2}}
COUNTING: dict[str, Any] = {"dealing": {"shuffler": "counting"}}


# --- the deck is opened -------------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-4", "DCP-6", "DCP-7", "DCP-8")
def test_a_deck_is_opened_act_by_act_before_the_first_bet() -> None:
    play = Double().open_for_bets(1)
    acts = play.all(e.DeckPrepared)
    assert tuple(act.act for act in acts) == OPENING
    assert acts[0].back == "red"
    assert [act.by for act in acts if act.act == "verify"] == ["floor"]
    assert [event.method for event in play.all(e.DeckShuffled)] == ["manual"]
    assert len(play.last(e.DeckShuffled).cards) == len(set(play.last(e.DeckShuffled).cards)) == 52
    assert {clause for act in acts for clause in act.clauses} == {"DCP-4", "DCP-4a", "DCP-6"}


@pytest.mark.clause("DCP-4a", "DCP-6")
def test_no_act_of_opening_is_left_out_and_each_is_for_its_role() -> None:
    play = Double().open(1)
    play.do(c.PrepareDeck, deck="A-1", act="receive", back="red")
    problem = play.refusal(c.PrepareDeck, deck="A-1", act="wash")
    assert (problem.code, problem.allowed, problem.clauses) == ("deck.order", "inspect", ("DCP-6",))
    play.do(c.PrepareDeck, deck="A-1", act="inspect")
    problem = play.refusal(c.PrepareDeck, deck="A-1", act="verify", role="dealer", who="dealer")
    assert (problem.code, problem.allowed, problem.clauses) == ("deck.by", "floor", ("DCP-6",))
    problem = play.refusal(c.ShuffleDeck, deck="A-1", method="manual")
    assert (problem.code, problem.allowed) == ("deck.order", "verify")
    play.do(c.PrepareDeck, deck="A-1", act="verify", who="flo")
    life = [(act.did, act.by) for act in records_of(play.table).decks[0].life]
    assert life == [("received", "dealer"), ("inspected", "dealer"), ("verified", "flo")]


@pytest.mark.clause("DCP-6", "DCP-7", "DCP-8")
def test_preshuffled_cards_skip_the_opening_and_the_first_shuffle_but_not_the_cut() -> None:
    play = Double({"dealing": {"preshuffled": True}}).open_for_bets(1)
    assert [act.act for act in play.all(e.DeckPrepared)] == ["receive"]
    shuffled = play.last(e.DeckShuffled)
    assert (shuffled.method, shuffled.needs_cut) == ("preshuffled", True)
    assert play.last(e.DeckCut).depth >= 10
    play.play_round(1)
    assert play.last(e.DeckShuffled).method == "manual"


@pytest.mark.clause("DCP-7")
def test_the_cards_are_shuffled_after_every_round() -> None:
    play = Double().open_for_bets(1)
    play.play_round(1)
    play.play_round(1)
    kinds = [type(event) for event in play.events if isinstance(event, e.DeckShuffled | e.RoundClosed)]
    assert kinds == [e.DeckShuffled, e.RoundClosed, e.DeckShuffled, e.RoundClosed, e.DeckShuffled]
    assert play.last(e.DeckShuffled).clauses == ("DCP-7",)


@pytest.mark.clause("DCP-8", "DCP-9")
def test_cards_shuffled_by_hand_are_cut_and_at_least_ten_are_lifted() -> None:
    play = Double().open(1)
    while play.table.decks.get("A-1") is None or play.table.decks["A-1"].stage != "shuffled":
        command = play._dealer.next_command(play.table, play.at)
        assert command is not None
        play.give(command)
    assert "load_deck" not in play.may("dealer")
    for depth in (9, 52):
        problem = play.refusal(c.CutDeck, deck="A-1", depth=depth)
        assert (problem.code, problem.allowed, problem.clauses) == ("cut.depth", "10 to 51 cards", ("DCP-9",))
    before = play.table.decks["A-1"].cards
    cut = only(play.do(c.CutDeck, deck="A-1", depth=10), e.DeckCut)
    assert play.table.decks["A-1"].cards == before[10:] + before[:10]
    assert cut.clauses == ("DCP-9",)


@pytest.mark.clause("DCP-8")
def test_cards_shuffled_by_a_device_are_not_cut() -> None:
    play = Double({"dealing": {"shuffler": "automatic"}}).open_for_bets(1)
    assert play.last(e.DeckShuffled).method == "device"
    assert not play.all(e.DeckCut)
    assert play.refusal(c.CutDeck, deck="A-1", depth=20).clauses == ("DCP-8", "DCP-9")


@pytest.mark.clause("DCP-10")
def test_a_supervisor_orders_a_new_cut_before_the_first_card_only() -> None:
    play = Double().open_for_bets(1)
    play.bet(1)
    order = only(play.do(c.OrderRecut, reason="eight cards were lifted"), e.RecutOrdered)
    assert (order.by, order.reason) == ("floor", "eight cards were lifted")
    assert "DCP-10" in order.clauses
    play.do(c.CutDeck, deck="A-1", depth=30)
    play.do(c.LoadDeck, deck="A-1")
    play.advance(until="stub")
    assert play.refusal(c.OrderRecut, reason="too late").code == "cut.recut"
    assert play.refusal(c.OrderRecut, reason="no", role="dealer").code == "role"


@pytest.mark.clause("DCP-10")
@pytest.mark.parametrize("face", ["up", "down"])
def test_the_cards_of_an_idle_table_lie_either_way_and_are_shown_and_washed_again(face: str) -> None:
    play = Double().open_for_bets(1)
    spread = only(play.do(c.SpreadIdle, face=face), e.DeckSpreadIdle)
    assert (spread.face, spread.clauses) == (face, ("DCP-10",))
    before = len(play.events)
    play.serve()
    after = play.events[before:]
    assert [event.act for event in after if isinstance(event, e.DeckPrepared)] == ["show", "wash", "stack"]
    assert [type(event) for event in after if isinstance(event, e.DeckShuffled | e.DeckCut)] == [
        e.DeckShuffled,
        e.DeckCut,
    ]


@pytest.mark.clause("DCP-10")
def test_the_floor_may_order_a_cut_but_no_shuffle() -> None:
    play = Double().open_for_bets(1)
    assert play.refusal(c.OrderShuffle, reason="why not").code == "shuffle.order"


@pytest.mark.clause("DCP-5")
def test_two_decks_of_different_colours_alternate_round_by_round() -> None:
    play = Double(SHUFFLER).open_for_bets(1)
    assert {deck.back for deck in play.table.decks.values()} == {"red", "blue"}
    for _ in range(3):
        play.play_round(1)
    assert [event.deck for event in play.all(e.RoundOpened)] == ["A-1", "B-1", "A-1", "B-1"]


@pytest.mark.clause("DCP-5", "DCP-6")
def test_each_of_two_decks_is_opened_separately() -> None:
    play = Double(SHUFFLER).open_for_bets(1)
    for name in ("A-1", "B-1"):
        assert tuple(event.act for event in play.all(e.DeckPrepared) if event.deck == name) == OPENING


@pytest.mark.clause("DCP-5")
def test_the_second_deck_needs_another_colour_and_a_shuffler() -> None:
    play = Double(SHUFFLER).open(1)
    play.do(c.PrepareDeck, deck="A-1", act="receive", back="red")
    assert play.refusal(c.PrepareDeck, deck="B-1", act="receive", back="red").code == "deck.back"
    with pytest.raises(BadInput, match=r"a second deck requires an automated shuffler.*DCP-5"):
        game_of("nj-double-cross", {"dealing": {"decks": 2}})


# --- the deal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method",
    [
        pytest.param("manual_shoe", marks=pytest.mark.clause("DCP-16", "DCP-16b")),
        pytest.param("hand", marks=pytest.mark.clause("DCP-18")),
        pytest.param("automated_shoe", marks=pytest.mark.clause("DCP-19")),
    ],
)
def test_two_cards_at_once_to_players_then_dealer_then_the_cross(method: str) -> None:
    cards = dealt(seats={2: "", 4: "", 5: ""})
    play = Double(METHODS[method], cards=cards)
    play.to("stub", 2, 4, 5)
    event = play.last(e.CardsDealt)
    assert event.method == method
    places = [(2, "hole_1"), (2, "hole_2"), (4, "hole_1"), (4, "hole_2"), (5, "hole_1"), (5, "hole_2")]
    places += [(0, "dealer_hole_1"), (0, "dealer_hole_2"), *((0, place) for place in CROSS)]
    assert [(card.seat, card.place) for card in event.cards] == places
    assert tuple(card.card for card in event.cards) == cards[: len(places)]
    assert (
        event.clauses
        == {"manual_shoe": ("DCP-16", "DCP-16b"), "hand": ("DCP-18",), "automated_shoe": ("DCP-19",)}[method]
    )
    assert not play.table.revealed


@pytest.mark.clause("DCP-14", "DCP-16")
def test_only_players_with_an_ante_get_cards() -> None:
    play = Double().open_for_bets(1, 3)
    play.bet(3)
    play.advance(until="stub")
    assert [len(seat.cards) for seat in play.table.seats] == [0, 0, 2, 0, 0, 0]


@pytest.mark.clause("DCP-2a", "DCP-16", "DCP-19")
@pytest.mark.parametrize("method", METHODS)
def test_every_card_lies_face_down_after_the_deal(method: str) -> None:
    play = Double(METHODS[method]).to("stub", 1)
    for viewer in (Viewer("spectator"), Viewer("dealer"), Viewer("floor"), Viewer("auditor")):
        seen = view(play.table, viewer)
        assert set(seen.layout.values()) == {"??"}
        assert seen.seats[0].cards == ("??", "??")


@pytest.mark.clause("DCP-19", "DCP-24")
def test_the_dealers_stack_stays_closed_until_all_have_folded_or_raised() -> None:
    play = Double(METHODS["automated_shoe"]).to("decide_play", 1, 2)
    hole = {"dealer_hole_1", "dealer_hole_2"}
    for _ in range(2):
        assert not hole & play.table.revealed
        assert play.refusal(c.TurnUp).code == "reveal.step"
        play.decide({})
    assert play.table.step == "reveal_rest"
    play.advance(until="settle")
    assert hole <= play.table.revealed


@pytest.mark.clause("DCP-14", "DCP-16a", "DCP-18", "DCP-19")
@pytest.mark.parametrize("method", METHODS)
def test_no_more_bets_is_announced_before_any_card(method: str) -> None:
    play = Double(METHODS[method]).open_for_bets(1)
    problem = play.refusal(c.DealCards)
    assert (problem.code, problem.allowed) == ("deal.step", "deal")
    play.bet(1)
    locked = only(play.do(c.NoMoreBets), e.BetsLocked)
    assert (locked.announcement, locked.seats) == ("no more bets", (1,))
    by_method = {"manual_shoe": ("DCP-16a",), "hand": ("DCP-18",), "automated_shoe": ("DCP-19",)}
    assert locked.clauses == ("DCP-14", *by_method[method])


@pytest.mark.clause("DCP-18")
def test_cards_from_the_hand_come_from_a_shuffler_and_the_hand_is_recorded() -> None:
    with pytest.raises(BadInput, match=r"must come from an automated shuffler.*DCP-18"):
        game_of("nj-double-cross", {"dealing": {"method": "hand"}})
    play = Double(METHODS["hand"]).open(1)
    while play.table.decks.get("A-1") is None or play.table.decks["A-1"].stage != "ready":
        command = play._dealer.next_command(play.table, play.at)
        assert command is not None
        play.give(command)
    problem = play.refusal(c.LoadDeck, deck="A-1")
    assert (problem.code, problem.allowed) == ("load.hand", "left or right")
    assert "DCP-18" in problem.clauses
    assert only(play.do(c.LoadDeck, deck="A-1", hand="left"), e.DeckLoaded).hand == "left"


@pytest.mark.clause("DCP-19a")
def test_an_automated_shoe_needs_its_approval_and_the_place_of_a_manual_one_too() -> None:
    with pytest.raises(BadInput, match=r"an automated shoe, its location and its procedures must be approved.*DCP-19a"):
        game_of("nj-double-cross", {"dealing": {"method": "automated_shoe"}})
    assert game_of("nj-double-cross").choices["approvals.manual_shoe_location"] == "illustrative"


# --- the stub -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method",
    [
        pytest.param("manual_shoe", marks=pytest.mark.clause("DCP-17")),
        pytest.param("hand", marks=pytest.mark.clause("DCP-17", "DCP-18")),
        pytest.param("automated_shoe", marks=pytest.mark.clause("DCP-17", "DCP-19")),
    ],
)
def test_the_stub_is_counted_once_in_five_rounds_with_any_method(method: str) -> None:
    play = Double(METHODS[method]).open_for_bets(1)
    for _ in range(4):
        play.play_round(1)
    assert not play.all(e.StubCounted)
    play.bet(1)
    play.advance(until="stub")
    problem = play.refusal(c.DiscardStub)
    assert (problem.code, problem.allowed, problem.clauses) == ("stub.due", "once in 5 rounds", ("DCP-17",))
    play.advance(until="decide_play")
    counted = play.last(e.StubCounted)
    assert counted.count == counted.expected == 52 - 2 - 2 - 5
    assert play.last(e.StubDiscarded).count == 43


@pytest.mark.clause("DCP-17")
def test_the_stub_may_be_counted_earlier_and_the_dealers_cards_count() -> None:
    play = Double().to("stub", 1, 2, 3)
    assert play.refusal(c.CountStub, count=41).allowed == "misdealt, misdealt_and_wrong_total, not_misdealt"
    counted = only(play.do(c.CountStub, count=39), e.StubCounted)
    assert (counted.expected, counted.finding) == (39, "")
    assert play.table.rounds_since_count == 0


@pytest.mark.clause("DCP-17")
def test_a_counting_shuffler_spares_the_count() -> None:
    play = Double(COUNTING).open_for_bets(1)
    for _ in range(6):
        play.play_round(1)
    assert not play.all(e.StubCounted)


@pytest.mark.clause("DCP-17")
def test_a_shuffler_that_counts_a_wrong_deck_has_it_removed() -> None:
    play = Double(COUNTING).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    found = only(play.do(c.ShuffleDeck, deck="A-1", method="device", counted=51), e.IrregularityReported)
    assert (found.kind, found.then, found.clauses) == ("shuffler_count_wrong", ("remove_deck",), ("DCP-17",))
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="device", counted=52).code == "deck.remove"
    play.serve()
    assert play.last(e.DeckRemoved).clauses == ("DCP-17",)


@pytest.mark.clause("DCP-17", "DCP-33")
@pytest.mark.parametrize(
    ("finding", "removed"), [("misdealt", False), ("not_misdealt", True), ("misdealt_and_wrong_total", True)]
)
def test_a_wrong_count_voids_all_hands_and_removes_the_deck_unless_only_misdealt(finding: str, removed: bool) -> None:
    play = Double().to("stub", 1, 2, three=5_00)
    where = {} if finding == "not_misdealt" else {"place": "dealer"}
    events = play.do(c.CountStub, count=40, finding=finding, **where)
    assert only(events, e.StubCounted).expected == 41
    voided = only(events, e.RoundVoided)
    assert voided.kind == "stub_count_wrong"
    assert ("remove_deck" in voided.then) == removed
    assert ("reshuffle" in voided.then) == (not removed)
    assert {event.seat: event.wagers for event in events if isinstance(event, e.WagersReturned)} == {
        1: {"ante": 10_00, "three_card": 5_00},
        2: {"ante": 10_00, "three_card": 5_00},
    }
    play.advance(until="shuffle")
    play.serve()
    assert bool(play.all(e.DeckRemoved)) == removed
    assert play.last(e.RoundClosed).outcome == "void"
    assert play.chips(1) == play.chips(2) == 100_000_00


# --- a physical table ---------------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-21", "DCP-24", "DCP-25")
def test_at_a_physical_table_the_dealer_names_cards_as_they_are_shown() -> None:
    play = Double({"play": {"decision_seconds": 30}})
    play.source.order = lambda table, deck: ()  # type: ignore[method-assign]
    play.to("reveal_first", 1, 2, three=5_00)
    assert set(play.table.community.values()) == {HIDDEN}
    play.do(c.TurnUp, cards=(Card("As"), Card("2c")))
    choices = [option.fields for option in play.options("player", "Ann") if option.command == "choose"]
    assert choices == [{"choice": "expose", "cards": 2}, {"choice": "decline"}]
    assert play.refusal(c.Choose, seat=1, choice="expose").code == "cards.count"
    assert play.refusal(c.Choose, seat=1, choice="expose", cards=(Card("As"), Card("Ah"))).code == "cards.repeated"
    play.do(c.Choose, seat=1, choice="expose", cards=(Card("Ks"), Card("Qs")))
    assert play.refusal(c.Choose, seat=2, choice="decline", cards=(Card("3s"), Card("4s"))).code == "choice.cards"
    play.at += 30_000
    play.do(c.TimeOut, seat=2, cards=(Card("3s"), Card("4s")))
    play.advance(until="reveal_rest")
    assert play.settled(1, "three_card").paid == 40 * 5_00
    assert play.settled(2, "three_card").hand == "ace-high flush"
    play.do(c.TurnUp, cards=(Card("9c"), Card("Js"), Card("Ts")))
    play.do(c.TurnUp, cards=(Card("9d"), Card("9h")))
    play.advance(until="shuffle")
    assert play.settled(1, "raise").line == "royal_flush"


# --- words of the document --------------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-3b", "DCP-16a", "DCP-16b")
def test_a_round_is_numbered_from_its_wagers_to_the_last_payment_and_its_stub_is_recorded() -> None:
    play = Double().open_for_bets(1, 2)
    for number in (1, 2):
        play.bet(1, 2)
        play.advance(until="shuffle")
        names = [str(event.__struct_config__.tag) for event in play.events]
        assert play.last(e.RoundOpened).round == play.last(e.RoundClosed).round == number
        assert play.last(e.RoundClosed).outcome == "settled"
        assert all(not seat.wagers for seat in play.table.seats)
        assert names.index("bets_locked") < names.index("cards_dealt") < names.index("stub_discarded")
        dealt = play.last(e.CardsDealt)
        assert dealt.method == "manual_shoe"
        assert play.last(e.StubDiscarded).count == 52 - len(dealt.cards) == 52 - 2 * 2 - 2 - 5
        assert play.last(e.RoundOpened).at < play.last(e.RoundClosed).at
        play.serve()
