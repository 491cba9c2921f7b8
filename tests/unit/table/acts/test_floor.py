"""Every irregularity at every point of a round, in each jurisdiction: its consequence, or its refusal."""

from __future__ import annotations

from typing import Any, Final

import pytest

from crossfelt.cards.deck import standard_deck
from crossfelt.errors import Problem
from crossfelt.table import commands as c
from crossfelt.table import events as e
from unit.table.manual_table import BOOKS, FACE_DOWN, Play, clause, dealt, in_each, names, of_kind, only

NJ, MA, MD = BOOKS
ROUND: Final = (
    *("deal", "stub", "decide_across", "reveal_across", "decide_down", "reveal_down"),
    *("decide_middle", "reveal_middle"),
)
DEALT: Final = ROUND[1:]
"""Once the cards are dealt, until the last community card is turned up."""
BETWEEN: Final = ("no deck", "open_bets", "shuffle")
POINTS: Final = ("no deck", "open_bets", "wagers", *ROUND, "settle", "discard", "shuffle")
DEVICES: Final = {"dealing": {"method": "automated_shoe", "shuffler": "automatic"}}

CAN: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("face_up_card", "one"): ("deal",),
    ("card_in_error", "any"): ("deal",),
    ("wrong_card_count", "player"): (*DEALT, "settle"),
    ("wrong_card_count", "community"): (*DEALT, "settle"),
    ("community_exposed", "any"): DEALT,
    ("player_leaves", "any"): (*ROUND, "settle"),
    ("conduct_breach", "any"): (*ROUND, "settle"),
    ("shoe_jam", "any"): ("deal",),
    ("shuffler_jam", "any"): ("no deck", "shuffle"),
    ("device_out_of_order", "any"): BETWEEN,
}
"""The steps at which each can happen: cards are found face up during the deal, counted afterwards, and so on."""
CHOICES: Final[dict[tuple[int, str], int | str]] = {(2, "across"): "fold", (5, "down"): "fold"}
"""Seat 2 folds first and has a Five Card Bonus, seat 5 folds second and has none; 1 and 4 stay."""
START_CHIPS: Final = 100_000_00


def at(book: str, point: str, *, devices: bool = False, **more: Any) -> Play:
    """A table at a point of its round, with players who stay and players who fold."""
    approved = {"approvals": {"automated_shoe": "AS-1"}} if book != MA else {}
    play = Play(book, {**DEVICES, **approved} if devices else {}, **more)
    if point == "no deck":
        return play.open(1)
    play.open_for_bets(1, 2, 4, 5)
    if point == "open_bets":
        return play
    play.bet(1, 2, bonus=5_00)
    play.bet(4, 5)
    return play if point == "wagers" else play.advance(until=point, choose=CHOICES)


def where(kind: str, case: str, play: Play) -> dict[str, Any]:
    """Return a seat, place or device that such a report can name, if any."""
    if kind in ("player_leaves", "conduct_breach") or (kind, case) == ("wrong_card_count", "player"):
        return {"seat": 4}
    if kind == "community_exposed":
        hidden = [place for place in FACE_DOWN if place not in play.table.revealed]
        return {"place": hidden[0] if hidden else "middle"}
    return {"place": "shuffler"} if kind == "device_out_of_order" else {}


def report(play: Play, kind: str, case: str, **fields: Any) -> tuple[e.Event, ...]:
    role = "floor" if kind == "conduct_breach" else "dealer"
    return play.do(c.ReportIrregularity, kind=kind, case=case, role=role, **(fields or where(kind, case, play)))


def refused(play: Play, kind: str, case: str, **fields: Any) -> Problem:
    return play.refusal(c.ReportIrregularity, kind=kind, case=case, role="floor", **(fields or where(kind, case, play)))


# --- when it cannot be ---


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("kind", "case", "point"),
    [(kind, case, point) for (kind, case), points in CAN.items() for point in POINTS if point not in points],
)
@pytest.mark.parametrize("book", BOOKS)
def test_what_cannot_happen_at_a_point_is_refused_there(book: str, kind: str, case: str, point: str) -> None:
    if (book, kind, point) == (MD, "conduct_breach", "discard"):
        return  # Maryland's breach costs settled wagers too, so that it can be found until then
    play = at(book, point, devices=True)
    assert refused(play, kind, case).code == "irregularity.when"
    assert kind not in {option.fields["kind"] for option in play.options("floor") if "kind" in option.fields}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("kind", "case"), [("shoe_jam", "any"), ("shuffler_jam", "any"), ("device_out_of_order", "any")]
)
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("book", BOOKS)
def test_what_is_not_there_does_not_break(book: str, point: str, kind: str, case: str) -> None:
    assert refused(at(book, point), kind, case).code == "irregularity.when"


@pytest.mark.parametrize("book", BOOKS)
def test_a_report_names_a_known_kind_a_known_case_and_where(book: str) -> None:
    play = at(book, "decide_across")
    assert refused(play, "earthquake", "any").code == "irregularity.kind"
    assert refused(play, "stub_count_wrong", "misdealt").code == "irregularity.kind"
    assert refused(play, "face_up_card", "several").code == "irregularity.case"
    assert refused(play, "wrong_card_count", "dealer").code == "irregularity.case"
    for fields in ({"seat": 3}, {"seat": 7}, {"place": "middle"}, {"seat": 4, "place": "middle"}, {"note": "no seat"}):
        problem = refused(play, "wrong_card_count", "player", **fields)
        assert (problem.code, problem.allowed) == ("irregularity.where", "seat 1; seat 2; seat 4; seat 5")
    assert refused(play, "community_exposed", "any", place="moon").code == "irregularity.where"
    assert (
        play.refusal(c.ReportIrregularity, kind="wrong_card_count", case="community", role="player", who="Ann").code
        == "role"
    )


@pytest.mark.parametrize(("kind", "case"), [("face_up_card", "one"), ("card_in_error", "any")])
@pytest.mark.parametrize("book", BOOKS)
def test_no_card_comes_from_a_deck_that_is_being_cut_again(book: str, kind: str, case: str) -> None:
    play = at(book, "deal")
    play.do(c.OrderRecut, reason="the cut was seen")
    assert refused(play, kind, case).code == "irregularity.when"
    play.advance(until="stub")


@pytest.mark.parametrize("book", BOOKS)
def test_who_has_no_wager_left_has_none_to_abandon(book: str) -> None:
    """Seat 5 has folded without a bonus; what it forfeits may still lie there, but is no longer its own."""
    play = at(book, "decide_down")
    for seat in (1, 4):
        play.do(c.Bet, seat=seat, cents=10_00)
    play.do(c.Fold, seat=5)
    problem = refused(play, "player_leaves", "any", seat=5)
    assert (problem.code, problem.allowed) == ("irregularity.where", "seat 1; seat 2; seat 4")


# --- void rounds ---

VOIDS: Final[dict[str, dict[tuple[str, str], str]]] = {
    NJ: {
        ("face_up_card", "one"): "NJC-58",
        ("wrong_card_count", "player"): "NJC-60",
        ("wrong_card_count", "community"): "",
        ("shoe_jam", "any"): "NJC-62",
    },
    MA: {
        ("wrong_card_count", "player"): "MAC-44",
        ("wrong_card_count", "community"): "MAC-44",
        ("community_exposed", "any"): "MAC-45",
        ("shoe_jam", "any"): "MAC-47",
    },
    MD: {
        ("face_up_card", "one"): "MDC-52",
        ("wrong_card_count", "player"): "MDC-54",
        ("wrong_card_count", "community"): "MDC-54",
        ("shoe_jam", "any"): "MDC-55",
    },
}
"""The irregularities that void all hands, with their clauses; New Jersey's wrong cross by a reading."""


@pytest.mark.parametrize(
    ("book", "kind", "case", "said", "point"),
    [
        pytest.param(
            book, kind, case, said, point, marks=clause(said) if said else (), id=f"{book[:2]}-{kind}-{case}-{point}"
        )
        for book, kinds in VOIDS.items()
        for (kind, case), said in kinds.items()
        for point in CAN[kind, case]
        if (book, point) != (MD, "settle")  # the Five Card Bonus is settled by then, and stands
    ],
)
def test_all_hands_are_void_and_every_wager_goes_back_also_what_folds_had_lost(
    book: str, kind: str, case: str, said: str, point: str
) -> None:
    play = at(book, point, devices=kind == "shoe_jam")
    collected = {seat.number: dict(seat.forfeited) for seat in play.table.seats if seat.forfeited}
    events = report(play, kind, case)
    reported = only(events, e.IrregularityReported)
    assert (reported.kind, reported.step, reported.then) == (kind, point, ("void", "return_wagers", "reshuffle"))
    assert said in reported.clauses or (not said and "AMB-1b" in reported.readings)
    assert only(events, e.RoundVoided).clauses == reported.clauses
    returned = {event.seat: event for event in of_kind(events, e.WagersReturned)}
    assert set(returned) == {1, 2, 4, 5}
    assert {seat: event.forfeited for seat, event in returned.items() if event.forfeited} == collected
    assert all(said in event.clauses for event in returned.values() if said)
    assert [play.chips(seat) for seat in (1, 2, 4, 5)] == [START_CHIPS] * 4
    assert play.tray == 1_000_000_00
    nothing_is_left_of(play)


def nothing_is_left_of(play: Play) -> None:
    """A void round ends in the discard rack, and the cards are shuffled before the next."""
    assert play.table.step == "discard"
    assert play.may("dealer") == ["discard_cards"]
    play.do(c.DiscardCards)
    closed = play.last(e.RoundClosed)
    assert (closed.round, closed.outcome) == (1, "void")
    assert play.refusal(c.LoadDeck, deck="A-1").code == "load.stage"
    assert not play.all(e.WagerSettled)
    play.serve()
    assert not play.all(e.DeckRemoved)
    play.play_round(1, 2, 4, 5)
    assert [event.outcome for event in play.all(e.RoundClosed)] == ["void", "settled"]


@in_each("NJC-60", "MAC-44", "MDC-54")
def test_the_middle_of_decisions_voids_the_same(book: str) -> None:
    """One player has bet, another has folded, and the fold may still lie uncollected."""
    play = at(book, "decide_across")
    play.do(c.Bet, seat=1, cents=30_00)
    play.do(c.Fold, seat=2)
    report(play, "wrong_card_count", "player", seat=2)
    assert [play.chips(seat) for seat in (1, 2, 4, 5)] == [START_CHIPS] * 4


# --- cards found face up, cards drawn in error ---


@clause("MAC-42")
@pytest.mark.parametrize(
    ("fields", "ahead"),
    [
        ({}, 0),
        ({"place": "down_far"}, 0),
        ({"place": "middle"}, 2),
        ({"seat": 2}, 6),
        ({"seat": 5, "place": "hole_2"}, 12),
    ],
)
def test_in_massachusetts_one_face_up_card_is_put_aside_and_the_next_takes_its_place(
    fields: dict[str, Any], ahead: int
) -> None:
    deck = standard_deck()[::-1]
    play = at(MA, "deal", cards=deck)
    events = play.do(c.ReportIrregularity, kind="face_up_card", case="one", role="dealer", **fields)
    assert names(events) == ["irregularity_reported", "face_up_card_discarded"]
    found = only(events, e.FaceUpCardDiscarded)
    assert (found.ahead, found.card, found.clauses) == (ahead, deck[ahead], ("MAC-42",))
    cards = only(play.do(c.DealCards), e.CardsDealt).cards
    assert [to.card for to in cards] == [card for place, card in enumerate(deck[:14]) if place != ahead]
    assert f"face up: {deck[ahead]}" in play.table.pile
    play.do(c.CountStub, count=52 - 13 - 1)
    play.advance(until="shuffle", choose=CHOICES)
    rack = play.last(e.CardsDiscarded).pile
    assert rack[0] == f"face up: {deck[ahead]}"
    assert rack[1] == "stub: 38 cards"


@clause("MAC-42")
def test_a_second_face_up_card_voids_the_round_in_massachusetts_too() -> None:
    play = at(MA, "deal")
    report(play, "face_up_card", "one")
    events = report(play, "face_up_card", "one")
    reported = only(events, e.IrregularityReported)
    assert (reported.case, reported.then) == ("several", ("void", "return_wagers", "reshuffle"))
    assert [play.chips(seat) for seat in (1, 2, 4, 5)] == [START_CHIPS] * 4
    nothing_is_left_of(play)


@in_each("NJC-59", "MAC-43", "MDC-53")
@pytest.mark.parametrize("fields", [{}, {"seat": 4}, {"place": "across_right"}])
def test_a_card_drawn_in_error_is_used_as_the_next_card(book: str, fields: dict[str, Any]) -> None:
    deck = standard_deck()[::-1]
    play = at(book, "deal", cards=deck)
    reported = only(
        play.do(c.ReportIrregularity, kind="card_in_error", role="dealer", **fields), e.IrregularityReported
    )
    assert reported.then == ("use_as_next_card",)
    assert reported.clauses in (("NJC-59",), ("MAC-43",), ("MDC-53",))
    cards = only(play.do(c.DealCards), e.CardsDealt).cards
    assert [to.card for to in cards] == list(deck[:13])
    assert play.table.step == "stub"


# --- a community card exposed before its time ---


@pytest.mark.exhaustive
@pytest.mark.parametrize("place", FACE_DOWN)
@pytest.mark.parametrize("point", DEALT)
@in_each("", "MAC-45", "")
def test_a_community_card_exposed_early_voids_in_massachusetts_and_elsewhere_the_floor_decides(
    book: str, point: str, place: str
) -> None:
    play = at(book, point)
    if place in play.table.revealed:
        assert refused(play, "community_exposed", "any", place=place).code == "irregularity.where"
        return
    events = report(play, "community_exposed", "any", place=place)
    if book == MA:
        assert play.table.voided == "community_exposed"
        return
    assert names(events) == ["irregularity_reported"]
    assert "AMB-8f" in only(events, e.IrregularityReported).readings
    everything_waits_for_the_floor(play)
    shown = play.do(c.DecideFloor, ruling="continue", note="seen by nobody")
    assert only(shown, e.FloorRuled).note == "seen by nobody"
    assert only(shown, e.CommunityCardExposed).place == place
    play.advance(until="shuffle", choose=CHOICES)
    turned = [one for event in play.all(e.CommunityCardsRevealed) for one in event.places]
    assert sorted([*turned, place]) == sorted(FACE_DOWN)
    assert play.last(e.RoundClosed).outcome == "settled"


def everything_waits_for_the_floor(play: Play) -> None:
    assert play.may("dealer") == []
    assert play.may("player", "Ann") == []
    assert play.may("floor") == ["record_fill", "record_credit", "decide_floor"]
    problem = play.refusal(c.TurnUp)
    assert (problem.code, problem.allowed) == ("pending", "a ruling by the floor")
    assert play.refusal(c.DecideFloor, ruling="continue", role="dealer").code == "role"


@pytest.mark.parametrize("point", DEALT)
@pytest.mark.parametrize("book", [NJ, MD])
def test_the_floor_may_void_a_round_in_which_a_community_card_was_exposed(book: str, point: str) -> None:
    play = at(book, point)
    report(play, "community_exposed", "any")
    assert play.refusal(c.DecideFloor, ruling="abandon").code == "ruling"
    events = play.do(c.DecideFloor, ruling="void")
    assert names(events)[:2] == ["floor_ruled", "round_voided"]
    assert [play.chips(seat) for seat in (1, 2, 4, 5)] == [START_CHIPS] * 4
    nothing_is_left_of(play)


@pytest.mark.parametrize("book", [NJ, MD])
def test_a_hand_that_folded_is_never_paid_though_all_cards_were_exposed_before(book: str) -> None:
    """Forfeits that would be collected after a reveal are collected all the same where nothing is left to reveal."""
    cards = dealt(across="Kd 4s", down="9c 9h", middle="Kc", seats={1: "Ks 2d"})
    play = Play(book, cards=cards).open_for_bets(1)
    play.bet(1)
    play.advance(until="decide_across")
    for place in FACE_DOWN:
        report(play, "community_exposed", "any", place=place)
        play.do(c.DecideFloor, ruling="continue")
    play.do(c.Fold, seat=1)
    play.advance(until="shuffle")
    assert not play.all(e.WagerSettled)
    assert play.last(e.FoldCollected).wagers == {"ante_across": 10_00, "ante_down": 10_00}
    assert play.chips(1) == START_CHIPS - 20_00


# --- players who leave or break the rules ---


@pytest.mark.parametrize("point", ROUND)
@in_each("NJC-28", "MAC-17", "MDC-18")
def test_the_floor_decides_about_the_wagers_of_a_player_who_leaves(book: str, point: str) -> None:
    play = at(book, point)
    reported = only(report(play, "player_leaves", "any", seat=1), e.IrregularityReported)
    assert (reported.seat, reported.step) == (1, point)
    assert reported.clauses in (("NJC-28",), ("MAC-17",), ("MDC-18",))
    everything_waits_for_the_floor(play)
    staked, tray = dict(play.seat(1).wagers), play.tray
    if book == NJ:
        problem = play.refusal(c.DecideFloor, ruling="abandon")
        assert (problem.code, problem.allowed) == ("ruling", "continue")
        play.do(c.DecideFloor, ruling="continue")
        assert play.seat(1).wagers == staked
        return
    events = play.do(c.DecideFloor, ruling="abandon")
    lost = only(events, e.WagersForfeited)
    assert (lost.seat, lost.wagers, lost.why) == (1, staked, "abandoned")
    assert "five_card_bonus" in lost.wagers
    assert play.tray == tray + sum(staked.values())
    assert 1 not in play.table.turn
    play.advance(until="shuffle", choose=CHOICES)
    assert {event.seat for event in play.all(e.WagerSettled)} == {2, 4}
    assert 1 not in [event.seat for event in play.all(e.HandShown)]


@pytest.mark.parametrize("point", ROUND)
@pytest.mark.parametrize("book", BOOKS)
def test_or_the_round_continues_with_them(book: str, point: str) -> None:
    play = at(book, point)
    report(play, "player_leaves", "any", seat=1)
    play.do(c.DecideFloor, ruling="continue")
    play.advance(until="shuffle", choose=CHOICES)
    assert {event.seat for event in play.all(e.WagerSettled)} == {1, 2, 4}


@pytest.mark.parametrize("point", ROUND)
@clause("MDC-29", "MDC-30", "MDC-28")
def test_in_maryland_a_breach_costs_the_player_every_wager_of_the_round(point: str) -> None:
    play = at(MD, point)
    staked, tray = dict(play.seat(1).wagers), play.tray
    problem = play.refusal(c.ReportIrregularity, kind="conduct_breach", seat=1, role="dealer")
    assert (problem.code, problem.allowed, problem.clauses) == ("irregularity.by", "floor", ("MDC-29", "MDC-30"))
    events = report(play, "conduct_breach", "any", seat=1)
    assert names(events)[:2] == ["irregularity_reported", "wagers_forfeited"]
    lost = only(events, e.WagersForfeited)
    assert (lost.by, lost.wagers, lost.clauses) == ("floor", staked, ("MDC-29", "MDC-30"))
    assert "five_card_bonus" in lost.wagers
    assert play.tray == tray + sum(staked.values())
    play.advance(until="shuffle", choose=CHOICES)
    assert {event.seat for event in play.all(e.WagerSettled)} == {2, 4}
    assert play.last(e.RoundClosed).outcome == "settled"


@pytest.mark.parametrize("point", ["stub", "decide_across", "reveal_middle"])
@clause("MDC-30", "MDC-37")
def test_the_cards_of_a_hand_that_lost_its_wagers_lie_there_until_the_discard(point: str) -> None:
    play = at(MD, point)
    cards = play.seat(1).cards
    report(play, "conduct_breach", "any", seat=1)
    play.advance(until="discard", choose=CHOICES)
    assert play.seat(1).cards == cards
    play.do(c.DiscardCards)
    assert f"seat1: {' '.join(map(str, cards))}" in play.last(e.CardsDiscarded).pile


@pytest.mark.parametrize("point", ROUND)
@pytest.mark.parametrize("book", [pytest.param(NJ, marks=clause("NJC-40")), pytest.param(MA, marks=clause("MAC-28"))])
def test_elsewhere_a_breach_is_found_by_the_floor_and_recorded(book: str, point: str) -> None:
    play = at(book, point)
    assert play.refusal(c.ReportIrregularity, kind="conduct_breach", seat=1, role="dealer").code == "irregularity.by"
    reported = only(report(play, "conduct_breach", "any", seat=1), e.IrregularityReported)
    assert (reported.by, reported.then) == ("floor", ("floor_decides",))
    for ruling in ("void", "abandon"):
        assert play.refusal(c.DecideFloor, ruling=ruling).code == "ruling"
    play.do(c.DecideFloor, ruling="continue")
    assert not play.all(e.WagersForfeited)
    play.advance(until="shuffle", choose=CHOICES)
    assert 1 in {event.seat for event in play.all(e.WagerSettled)}


@pytest.mark.parametrize("point", ["decide_down", "reveal_middle"])
@clause("MDC-30")
def test_a_folder_with_a_five_card_bonus_can_still_lose_it(point: str) -> None:
    play = at(MD, point)
    lost = only(report(play, "conduct_breach", "any", seat=2), e.WagersForfeited)
    assert lost.wagers == {"five_card_bonus": 5_00}
    assert refused(play, "conduct_breach", "any", seat=2).code == "irregularity.where"
    play.advance(until="shuffle", choose=CHOICES)
    assert 2 not in {event.seat for event in play.all(e.WagerSettled)}


@clause("MAC-17")
def test_a_folder_who_leaves_before_the_forfeits_are_collected_does_not_stop_the_round() -> None:
    play = at(MA, "decide_across")
    play.do(c.Bet, seat=1, cents=10_00)
    play.do(c.Fold, seat=2)
    play.do(c.Bet, seat=4, cents=10_00)
    play.do(c.Bet, seat=5, cents=10_00)
    assert play.table.step == "decide_across"
    report(play, "player_leaves", "any", seat=2)
    play.do(c.DecideFloor, ruling="abandon")
    assert play.table.step == "reveal_across"


@clause("MDC-30")
def test_a_breach_of_the_last_player_in_turn_ends_the_decisions() -> None:
    play = at(MD, "decide_down")
    for seat in (1, 4):
        play.do(c.Bet, seat=seat, cents=10_00)
    assert play.table.turn == (5,)
    report(play, "conduct_breach", "any", seat=5)
    assert play.table.step == "reveal_down"


@clause("MDC-30")
def test_forfeits_of_a_breach_are_not_given_back_by_a_void_round() -> None:
    play = at(MD, "decide_across")
    report(play, "conduct_breach", "any", seat=1)
    report(play, "wrong_card_count", "player", seat=4)
    assert [play.chips(seat) for seat in (1, 2, 4, 5)] == [START_CHIPS - 25_00, *[START_CHIPS] * 3]


# --- devices ---


@in_each("NJC-62", "MAC-47", "MDC-55")
def test_a_jammed_shoe_voids_the_round_before_any_card_has_come_out_whole(book: str) -> None:
    play = at(book, "deal", devices=True)
    events = report(play, "shoe_jam", "any")
    assert only(events, e.RoundVoided).kind == "shoe_jam"
    play.do(c.DiscardCards)
    assert play.last(e.CardsDiscarded).pile == ("stub: 52 cards",)
    play.serve()
    assert play.all(e.DeckShuffled)[-1].deck == "A-1"


@in_each("NJC-61", "MAC-46", "")
def test_after_a_jam_of_the_shuffler_the_cards_are_shuffled_again(book: str) -> None:
    play = at(book, "shuffle", devices=True)
    play.do(c.ShuffleDeck, deck="A-1", method="device", cards=standard_deck())
    events = report(play, "shuffler_jam", "any")
    assert names(events) == ["irregularity_reported", "shuffle_ordered"]
    reported = only(events, e.IrregularityReported)
    assert reported.then == ("reshuffle",)
    assert reported.clauses in (("NJC-61",), ("MAC-46",), ())
    assert reported.clauses or reported.readings == ("AMB-15b",)
    assert play.refusal(c.LoadDeck, deck="A-1").code == "load.stage"
    play.do(c.ShuffleDeck, deck="A-1", method="device", cards=standard_deck())
    play.do(c.LoadDeck, deck="A-1")


@in_each("NJC-61 NJC-14", "MAC-46 MAC-3", "")
def test_with_two_decks_the_shuffler_can_jam_while_a_round_is_played(book: str) -> None:
    play = Play(book, {"dealing": {"shuffler": "automatic", "decks": 2}}).open_for_bets(1)
    play.bet(1)
    play.advance(until="decide_across")
    events = report(play, "shuffler_jam", "any")
    assert only(events, e.ShuffleOrdered).deck == "B-1"
    assert play.table.step == "decide_across"
    play.do(c.ShuffleDeck, deck="B-1", method="device")
    play.advance(until="shuffle")
    play.do(c.LoadDeck, deck="B-1")
