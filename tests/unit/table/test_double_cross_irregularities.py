"""Irregularities of a Double Cross table at every possible step, and their consequences."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.play.next_action import Autopilot
from crossfelt.play.scripted.runner import ScriptRunner
from crossfelt.table import commands as c
from crossfelt.table import events as e
from unit.table.manual_double_cross import CROSS, METHODS, Double, dealt, names
from unit.table.manual_table import only

STEPS = (
    *("open_bets", "deal", "stub", "reveal_first", "decide_three_card", "settle_three_card", "decide_play"),
    *("reveal_rest", "reveal_dealer", "settle", "discard", "shuffle"),
)
AFTER_THE_DEAL = {"stub", "reveal_first", "decide_three_card", "decide_play", "reveal_rest", "reveal_dealer"}
SETTLING = {"settle_three_card", "settle"}
HAPPENS_AT = {
    "face_up_card": {"deal"},
    "card_in_error": {"deal"},
    "wrong_card_count": AFTER_THE_DEAL | SETTLING,
    "community_exposed": {"settle_three_card"} | AFTER_THE_DEAL,
    "player_leaves": {"deal"} | AFTER_THE_DEAL | SETTLING,
    "conduct_breach": {"deal"} | AFTER_THE_DEAL | SETTLING,
    "axis_disagreement": {"reveal_rest"},
    "shuffler_jam": {"shuffle"},
    "shoe_jam": {"deal"},
    "device_out_of_order": {"shuffle"},
}
"""A line must have been named for two to disagree; the first player to do so is asked at decide_play."""
DEVICES: dict[str, Any] = {
    "dealing": {"method": "automated_shoe", "shuffler": "automatic"},
    "approvals": {"automated_shoe": "AS-1"},
}
VOID = ("void", "return_wagers", "reshuffle")
KINGS = dealt(vertical="Ks 7d 9s", horizontal="4c 7d 5d", dealer="Qc 3h", seats={1: "Kd 2s", 2: "Ah Jh"})


def at(step: str, stated: dict[str, Any] | None = None, **how: Any) -> Double:
    """Two players with antes and three-card wagers, at a step."""
    return Double(stated, cards=KINGS).to(step, 1, 2, three=5_00, **how)


def comes_to_nothing(play: Double) -> bool:
    """Check that the void round returned all wagers, and that the next round opens."""
    play.advance(until="shuffle")
    play.serve()
    closed = play.last(e.RoundClosed).outcome == "void"
    return closed and play.chips(1) == play.chips(2) == 100_000_00 and play.table.step == "open_bets"


@pytest.mark.clause("DCP-31", "DCP-32", "DCP-33", "DCP-34", "DCP-35")
@pytest.mark.parametrize("step", STEPS)
def test_each_irregularity_can_be_reported_where_it_can_happen_and_nowhere_else(step: str) -> None:
    play = Double(DEVICES, cards=KINGS).open_for_bets(1, 2)
    play.bet(1, 2, three=5_00)
    if step != "open_bets":
        play.advance(until=step)
    options = [option.fields for role in ("dealer", "floor") for option in play.options(role)]
    assert {fields["kind"] for fields in options if "kind" in fields} == {
        kind for kind, steps in HAPPENS_AT.items() if step in steps
    }


# --- cards --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-31")
@pytest.mark.parametrize(
    ("where", "place"),
    [
        ({}, 0),
        ({"seat": 2}, 2),
        ({"seat": 1, "place": "hole_2"}, 1),
        ({"place": "dealer_hole_1"}, 4),
        ({"place": "dealer_hole_2"}, 5),
        *(({"place": name}, 6 + number) for number, name in enumerate(CROSS)),
    ],
)
def test_one_card_found_face_up_is_not_used_and_the_next_takes_its_place(where: dict[str, Any], place: int) -> None:
    play = at("deal")
    events = play.report("face_up_card", case="one", **where)
    assert names(events) == ["irregularity_reported", "face_up_card_discarded"]
    assert only(events, e.FaceUpCardDiscarded).card == KINGS[place]
    assert only(events, e.FaceUpCardDiscarded).clauses == ("DCP-31",)
    play.advance(until="shuffle")
    used = [card.card for card in play.last(e.CardsDealt).cards]
    assert used == [card for card in KINGS[:12] if card != KINGS[place]]
    assert play.last(e.CardsDiscarded).pile[0] == f"face up: {KINGS[place]}"
    assert play.last(e.RoundClosed).outcome == "settled"


@pytest.mark.clause("DCP-31")
@pytest.mark.parametrize("where", [{"seat": 2}, {"place": "dealer_hole_1"}, {"place": "down_near"}])
def test_a_script_says_where_a_card_found_face_up_was_going(where: dict[str, Any]) -> None:
    cards = {"seat2": "Ks 9d", "dealer": "2c 3d", "down": "9s 4h"}
    seats = [{"seat": seat, "wagers": {"ante": 1000}, "decisions": {"play": "vertical"}} for seat in (1, 2)]
    irregularities = [{"kind": "face_up_card", "step": "deal", **where}]
    script = {"rulebook": "nj-double-cross", "cards": cards, "seats": seats, "irregularities": irregularities}
    events = ScriptRunner().play(script, where="round").events
    assert len([event for event in events if isinstance(event, e.FaceUpCardDiscarded)]) == 1
    cards_dealt = next(event for event in events if isinstance(event, e.CardsDealt)).cards
    dealt = {(one.seat, one.place): str(one.card) for one in cards_dealt}
    assert [dealt[2, "hole_1"], dealt[0, "dealer_hole_1"], dealt[0, "down_near"]] == ["Ks", "2c", "4h"]


@pytest.mark.clause("DCP-17", "DCP-31")
def test_the_discarded_card_still_counts_toward_fifty_two() -> None:
    play = at("deal")
    play.report("face_up_card", case="one")
    play.advance(until="stub")
    assert only(play.do(c.CountStub, count=52 - 4 - 2 - 5 - 1), e.StubCounted).expected == 40


@pytest.mark.clause("DCP-31")
def test_a_second_card_found_face_up_voids_all_hands() -> None:
    play = at("deal")
    play.report("face_up_card", case="one")
    events = play.report("face_up_card", case="one", seat=2)
    assert only(events, e.IrregularityReported).case == "several"
    assert only(events, e.RoundVoided).then == VOID
    assert only(events, e.RoundVoided).clauses == ("DCP-31",)
    assert comes_to_nothing(play)


@pytest.mark.clause("DCP-32")
@pytest.mark.parametrize("where", [{}, {"seat": 1}, {"place": "dealer_hole_1"}, {"place": "middle"}])
def test_a_card_drawn_in_error_is_the_next_card(where: dict[str, Any]) -> None:
    play = at("deal")
    found = only(play.report("card_in_error", **where), e.IrregularityReported)
    assert (found.then, found.clauses) == (("use_as_next_card",), ("DCP-32",))
    play.advance(until="shuffle")
    assert [card.card for card in play.last(e.CardsDealt).cards] == list(KINGS[:11])


@pytest.mark.clause("DCP-17", "DCP-33")
@pytest.mark.parametrize("step", ["stub", "reveal_first", "decide_three_card"])
@pytest.mark.parametrize("where", [{"case": "player", "seat": 2}, {"case": "community"}, {"case": "dealer"}])
def test_a_wrong_number_of_cards_at_a_player_the_cross_or_the_dealer_voids_all(
    step: str, where: dict[str, Any]
) -> None:
    play = at(step)
    events = play.report("wrong_card_count", **where)
    voided = only(events, e.RoundVoided)
    assert (voided.kind, voided.then) == ("wrong_card_count", VOID)
    assert "DCP-33" in voided.clauses
    assert ("AMB-17" in voided.readings) == (where["case"] == "dealer")
    assert comes_to_nothing(play)


@pytest.mark.clause("DCP-33")
@pytest.mark.parametrize("step", ["decide_play", "reveal_rest", "reveal_dealer"])
def test_a_void_gives_back_ante_and_raises_and_a_folded_ante_too(step: str) -> None:
    play = Double(cards=KINGS).to(step, 1, 2, choose={(1, "raise"): "fold"})
    if step == "decide_play":
        play.do(c.Fold, seat=1)
    play.report("wrong_card_count", case="dealer")
    returned = {event.seat: (event.wagers, event.forfeited) for event in play.all(e.WagersReturned)}
    raised = {} if step == "decide_play" else {"raise": 20_00}
    assert returned == {1: ({}, {"ante": 10_00}), 2: ({"ante": 10_00, **raised}, {})}
    assert comes_to_nothing(play)


@pytest.mark.clause("DCP-21", "DCP-33")
@pytest.mark.parametrize(("keeps", "won"), [(False, 0), (True, 5_00)])
def test_a_three_card_wager_settled_before_a_void_is_undone_or_stands_as_chosen(keeps: bool, won: int) -> None:
    """A pair of kings with the top card in seat 1; seat 2 has lost its wager (AMB-8c)."""
    play = at("decide_play", {"settings": {"void_keeps_settled": keeps}})
    voided = only(play.report("wrong_card_count", case="community"), e.RoundVoided)
    assert voided.keeps_settled == keeps
    assert "AMB-8c" in voided.readings
    play.advance(until="shuffle")
    assert (play.chips(1), play.chips(2)) == (100_000_00 + won, 100_000_00 - won)
    undone = [event for event in play.events if isinstance(event, e.SettlementReversed)]
    assert len(undone) == (0 if keeps else 2)
    assert all("AMB-8c" in event.readings for event in undone)


@pytest.mark.clause("DCP-20", "DCP-24")
@pytest.mark.parametrize("step", sorted(AFTER_THE_DEAL))
@pytest.mark.parametrize("ruling", ["continue", "void"])
def test_a_card_seen_before_its_time_is_for_the_floor_to_decide(step: str, ruling: str) -> None:
    play = Double(cards=KINGS).to(step, 1, 2, three=0 if step != "decide_three_card" else 5_00)
    place = "dealer_hole_2" if step == "reveal_dealer" else "down_near"
    if step == "reveal_dealer":
        assert play.refusal(c.ReportIrregularity, kind="community_exposed", place="down_near").code
    found = only(play.report("community_exposed", place=place), e.IrregularityReported)
    assert (found.then, found.readings) == (("floor_decides",), ("AMB-8f",))
    assert play.refusal(c.TurnUp).code == "pending"
    events = play.do(c.DecideFloor, ruling=ruling, note="seen by seat 1")
    assert only(events, e.FloorRuled).ruling == ruling
    if ruling == "void":
        assert comes_to_nothing(play)
        return
    assert only(events, e.CommunityCardExposed).place == place
    play.advance(until="shuffle")
    turned = [seen for event in play.all(e.CommunityCardsRevealed) for seen in event.places]
    assert place not in turned
    assert len(turned) == 6
    assert play.last(e.RoundClosed).outcome == "settled"


@pytest.mark.clause("DCP-24")
@pytest.mark.parametrize("step", ["stub", "decide_play", "reveal_rest", "reveal_dealer"])
def test_the_dealer_takes_a_line_even_if_both_cards_were_seen_before_their_time(step: str) -> None:
    play = Double(cards=KINGS).to(step, 1, 2)
    for place in ("dealer_hole_1", "dealer_hole_2"):
        play.report("community_exposed", place=place)
        play.do(c.DecideFloor, ruling="continue")
    play.advance(until="settle")
    assert only(play.events, e.DealerHandMade).hand == "king-high"
    kinds = names(play.events)
    assert kinds.index("dealer_hand_made") > max(
        n for n, kind in enumerate(kinds) if kind == "community_cards_revealed"
    )


# --- players ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-14")
@pytest.mark.parametrize("step", ["deal", *sorted(AFTER_THE_DEAL)])
def test_a_player_who_leaves_is_recorded_and_keeps_the_wagers(step: str) -> None:
    play = at(step)
    found = only(play.report("player_leaves", seat=2), e.IrregularityReported)
    assert (found.seat, found.clauses) == (2, ("DCP-14",))
    assert play.refusal(c.DecideFloor, ruling="abandon").allowed == "continue"
    play.do(c.DecideFloor, ruling="continue")
    play.advance(until="shuffle")
    assert play.settled(2, "raise").result == "win"


@pytest.mark.clause("DCP-22")
@pytest.mark.parametrize("step", ["deal", *sorted(AFTER_THE_DEAL)])
def test_cards_out_of_view_or_touched_again_are_a_breach_that_the_floor_finds(step: str) -> None:
    play = at(step)
    problem = play.refusal(c.ReportIrregularity, kind="conduct_breach", seat=1, role="dealer")
    assert (problem.code, problem.clauses) == ("irregularity.by", ("DCP-22",))
    found = only(
        play.report("conduct_breach", seat=1, role="floor", note="touched the cards again"), e.IrregularityReported
    )
    assert (found.note, found.clauses) == ("touched the cards again", ("DCP-22",))
    play.do(c.DecideFloor, ruling="continue")
    play.advance(until="shuffle")
    assert play.settled(1, "raise").result == "win"


# --- the spoken line and the chips --------------------------------------------------------------------------------


@pytest.mark.clause("DCP-23")
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("ruling", ["vertical", "horizontal"])
def test_where_word_and_chips_disagree_both_are_recorded_and_the_floor_decides(seat: int, ruling: str) -> None:
    play = Double(cards=KINGS).to("decide_play", 1, 2)
    for number in range(1, seat + 1):
        play.do(c.Choose, seat=number, choice="vertical")
    events = play.report("axis_disagreement", seat=seat)
    found = only(events, e.IrregularityReported)
    assert play.seat(seat).choices["raise"] == "vertical", "the word"
    assert found.place == "horizontal", "the chips"
    assert (found.seat, found.clauses, found.readings) == (seat, ("DCP-23",), ("AMB-18c",))
    assert play.refusal(c.TurnUp).code == "pending"
    assert play.refusal(c.DecideFloor, ruling="continue").allowed == "vertical, horizontal"
    events = play.do(c.DecideFloor, ruling=ruling)
    chosen = only(events, e.ChoiceMade)
    assert (chosen.by, chosen.seat, chosen.choice) == ("floor", seat, ruling)
    play.advance(until="shuffle")
    shown = next(event for event in play.all(e.HandShown) if event.seat == seat)
    assert list(shown.hands) == [ruling]
    assert play.seat(seat).placed == {"ante": 10_00, "raise": 20_00}


@pytest.mark.parametrize("line", ["vertical", "horizontal"])
def test_an_automated_floor_accepts_the_players_word(line: str) -> None:
    play = Double(cards=KINGS).to("decide_play", 1, 2)
    play.do(c.Choose, seat=1, choice=line)
    play.report("axis_disagreement", seat=1)
    ruled = Autopilot(at=lambda: 0, next_id=lambda: "1").ruling(play.table)
    assert isinstance(ruled, c.DecideFloor)
    assert ruled.ruling == line


@pytest.mark.clause("DCP-23")
def test_lines_cannot_disagree_before_one_is_named_nor_after_the_cards_are_up() -> None:
    play = at("decide_three_card")
    play.do(c.Choose, seat=1, choice="expose")
    assert play.refusal(c.ReportIrregularity, kind="axis_disagreement", seat=1).code == "irregularity.when"
    play.advance(until="decide_play")
    assert play.refusal(c.ReportIrregularity, kind="axis_disagreement", seat=1).code == "irregularity.when"
    play.do(c.Choose, seat=1, choice="horizontal")
    assert play.refusal(c.ReportIrregularity, kind="axis_disagreement", seat=2).code == "irregularity.where"
    play.advance(until="reveal_dealer")
    assert play.refusal(c.ReportIrregularity, kind="axis_disagreement", seat=1).code == "irregularity.when"


# --- devices ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DCP-34")
def test_a_shoe_that_jams_voids_the_round_and_all_cards_are_shuffled_together() -> None:
    play = at("deal", METHODS["automated_shoe"])
    voided = only(play.report("shoe_jam"), e.RoundVoided)
    assert (voided.then, voided.clauses) == (VOID, ("DCP-34",))
    assert comes_to_nothing(play)
    assert len(play.last(e.DeckShuffled).cards) == 52
    assert play.game.choices["approvals.shoe_jam_procedures"] == "illustrative"


@pytest.mark.clause("DCP-34")
def test_a_shuffler_that_jams_shuffles_again() -> None:
    play = Double({"dealing": {"shuffler": "automatic"}}).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    play.do(c.ShuffleDeck, deck="A-1", method="device", cards=play.source.cards)
    events = play.report("shuffler_jam")
    assert only(events, e.ShuffleOrdered).clauses == ("DCP-34",)
    problem = play.refusal(c.LoadDeck, deck="A-1")
    assert problem.code == "load.stage"
    play.serve()
    assert play.table.step == "open_bets"
    assert len(play.all(e.DeckShuffled)) == 3


@pytest.mark.clause("DCP-35")
@pytest.mark.parametrize("broken", [False, True])
def test_a_shuffler_leaves_the_table_before_cards_are_shuffled_by_hand(broken: bool) -> None:
    play = Double({"dealing": {"shuffler": "automatic"}}).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    if broken:
        play.report("device_out_of_order", place="shuffler")
    problem = play.refusal(c.ChangeMethod, shuffling="manual")
    assert (problem.code, problem.allowed, problem.clauses) == ("method.device", "removed", ("DCP-35",))
    for how in ("covered", "signed"):
        problem = play.refusal(c.MarkDevice, device="shuffler", how=how)
        assert (problem.code, problem.allowed, problem.clauses) == ("device.how", "removed", ("DCP-35",))
    marked = only(play.do(c.MarkDevice, device="shuffler", how="removed"), e.DeviceMarked)
    assert (marked.device, marked.how, marked.by, marked.clauses) == ("shuffler", "removed", "dealer", ("DCP-35",))
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="device").code == "shuffle.device"
    changed = only(play.do(c.ChangeMethod, shuffling="manual"), e.MethodChanged)
    assert (changed.shuffling, changed.by) == ("manual", "floor")
    play.serve()
    assert (play.last(e.DeckShuffled).method, play.table.step) == ("manual", "open_bets")


@pytest.mark.clause("DCP-35")
def test_a_device_that_was_removed_comes_back_mended_or_replaced() -> None:
    play = Double({"dealing": {"shuffler": "automatic"}}).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    problem = play.refusal(c.MarkDevice, device="shuffler", how="in_use")
    assert (problem.code, problem.allowed) == ("device.state", "covered, signed, removed")
    play.do(c.MarkDevice, device="shuffler", how="removed")
    play.do(c.ChangeMethod, shuffling="manual")
    play.serve()
    play.bet(1)
    play.advance(until="shuffle")
    assert play.refusal(c.ChangeMethod, shuffling="device").value == "shuffler removed"
    play.do(c.MarkDevice, device="shuffler", how="in_use")
    play.do(c.ChangeMethod, shuffling="device")
    play.serve()
    assert play.last(e.DeckShuffled).method == "device"


@pytest.mark.clause("DCP-5", "DCP-35")
def test_a_second_deck_leaves_with_the_shuffler() -> None:
    play = Double({"dealing": {"shuffler": "automatic", "decks": 2}}).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    play.do(c.MarkDevice, device="shuffler", how="removed")
    play.do(c.ChangeMethod, shuffling="manual")
    problem = play.refusal(c.LoadDeck, deck="B-1")
    assert (problem.code, problem.clauses) == ("deck.second", ("DCP-5",))
    play.serve()
    assert (list(play.table.decks), play.table.in_play, play.table.step) == (["A-1"], "A-1", "open_bets")


@pytest.mark.clause("DCP-35")
def test_a_shoe_leaves_the_table_before_cards_are_dealt_in_another_way() -> None:
    play = Double(METHODS["automated_shoe"], cards=KINGS).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    problem = play.refusal(c.ChangeMethod, dealing="manual_shoe")
    assert (problem.code, problem.allowed, problem.clauses) == ("method.device", "removed", ("DCP-35",))
    play.do(c.MarkDevice, device="shoe", how="removed")
    play.do(c.ChangeMethod, dealing="manual_shoe")
    play.serve()
    play.bet(1)
    play.advance(until="stub")
    assert play.last(e.CardsDealt).method == "manual_shoe"


@pytest.mark.clause("DCP-18", "DCP-35")
def test_dealing_from_the_hand_cannot_continue_without_a_shuffler() -> None:
    play = Double(METHODS["hand"]).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    play.do(c.MarkDevice, device="shuffler", how="removed")
    problem = play.refusal(c.ChangeMethod, shuffling="manual")
    assert (problem.code, problem.clauses) == ("method.hand", ("DCP-18",))
    play.do(c.ChangeMethod, dealing="manual_shoe", shuffling="manual")
    play.serve()
    assert play.table.step == "open_bets"


@pytest.mark.clause("DCP-35")
def test_a_shoe_that_is_out_of_order_deals_no_round() -> None:
    play = Double(METHODS["automated_shoe"]).open_for_bets(1)
    play.report("device_out_of_order", place="shoe")
    play.bet(1)
    problem = play.refusal(c.NoMoreBets)
    assert (problem.code, problem.clauses) == ("device.shoe", ("DCP-35",))
