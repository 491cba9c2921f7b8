"""The life of a table: decks are opened, shuffled, cut, loaded, spread and changed; players come and go."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.cards.card import JOKER, Card
from crossfelt.cards.deck import standard_deck
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.sources import ShuffledSource
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.automation import Dealer
from crossfelt.table.decks import HOUR
from crossfelt.table.records import records_of
from unit.table.manual_double_cross import Double
from unit.table.manual_table import BOOKS, CUT, NAMES, Play, clause, game_of, in_each, only

OPENING = (
    ("receive", "dealer"),
    ("inspect", "dealer"),
    ("verify", "floor"),
    ("spread", "dealer"),
    ("show", "player"),
    ("wash", "dealer"),
    ("stack", "dealer"),
)
DEVICE = {"dealing": {"shuffler": "automatic"}}
TWO_DECKS = {"dealing": {"shuffler": "automatic", "decks": 2}}
COUNTING = {"dealing": {"shuffler": "counting"}}
HAND = {"dealing": {"method": "hand", "shuffler": "automatic"}}
RESHUFFLES = {"dealing": {"reshuffling_device": True}, "approvals": {"reshuffling_device": "RD-1"}}
ARRIVES_SHUFFLED = {"dealing": {"preshuffled": True}}


def opened(play: Play, deck: str = "A-1", back: str = "red") -> Play:
    """A deck goes through the whole opening procedure."""
    for act, role in OPENING:
        play.do(
            c.PrepareDeck, deck=deck, act=act, role=role, who="Ann" if role == "player" else role, **_back(act, back)
        )
    return play


def table_of(book: str, stated: dict[str, Any] | None = None) -> Play:
    return Double(stated) if book == "nj-double-cross" else Play(book, stated)


def _back(act: str, back: str) -> dict[str, Any]:
    return {"back": back} if act == "receive" else {}


def shuffled(play: Play, deck: str = "A-1", **fields: Any) -> Play:
    play.do(c.ShuffleDeck, deck=deck, method=play.table.shuffling, cards=standard_deck(), **fields)
    return play


# --- opening a deck ---


@in_each("NJC-17 NJC-18", "MAC-5 MAC-6", "MDC-10")
def test_a_deck_is_opened_step_by_step_and_each_step_names_the_person(book: str) -> None:
    play = opened(Play(book).open(1))
    steps = play.all(e.DeckPrepared)
    by = {"dealer": "dealer", "floor": "floor", "player": "Ann"}
    assert [(step.act, step.by, step.deck) for step in steps] == [(act, by[role], "A-1") for act, role in OPENING]
    assert [step.at for step in steps] == sorted({step.at for step in steps})
    assert steps[0].back == "red"


@in_each("NJC-13a NJC-17", "MAC-5", "MDC-10")
def test_the_dealer_inspects_and_the_floor_verifies_and_neither_does_the_others_work(book: str) -> None:
    play = Play(book).open(1)
    play.do(c.PrepareDeck, deck="A-1", act="receive", back="red")
    by_floor = play.refusal(c.PrepareDeck, deck="A-1", act="inspect", role="floor")
    assert (by_floor.code, by_floor.allowed) == ("deck.by", "dealer")
    play.do(c.PrepareDeck, deck="A-1", act="inspect")
    by_dealer = play.refusal(c.PrepareDeck, deck="A-1", act="verify", role="dealer")
    assert (by_dealer.code, by_dealer.allowed) == ("deck.by", "floor")
    assert by_dealer.clauses == ({"NJC": ("NJC-17",), "MAC": ("MAC-5",), "MDC": ("MDC-10",)}[play.code])
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="manual").allowed == "verify"
    play.do(c.PrepareDeck, deck="A-1", act="verify", who="flo")
    life = records_of(play.table).decks[0].life
    assert [(act.did, act.by) for act in life] == [("received", "dealer"), ("inspected", "dealer"), ("verified", "flo")]
    assert [act.at for act in life] == [event.at for event in play.all(e.DeckPrepared)]


@in_each("NJC-18", "MAC-6", "MDC-10")
def test_no_step_of_the_opening_is_skipped(book: str) -> None:
    play = Play(book).open(1)
    for done, (act, role) in enumerate(OPENING):
        for later, by in OPENING[done + 1 :]:
            problem = play.refusal(c.PrepareDeck, deck="A-1", act=later, role=by, who="Ann", **_back(later, "red"))
            assert (problem.code, problem.allowed) == ("deck.order", act)
        if done:
            assert play.refusal(c.ShuffleDeck, deck="A-1", method="manual").code == "deck.order"
        play.do(
            c.PrepareDeck, deck="A-1", act=act, role=role, who="Ann" if role == "player" else role, **_back(act, "red")
        )
    play.do(c.ShuffleDeck, deck="A-1", method="manual")


@in_each("NJC-18", "MAC-6", "MDC-10")
def test_the_spread_deck_waits_for_the_first_player_to_arrive(book: str) -> None:
    play = Play(book).open()
    for act, role in OPENING[:4]:
        play.do(c.PrepareDeck, deck="A-1", act=act, role=role, **_back(act, "red"))
    assert play.refusal(c.PrepareDeck, deck="A-1", act="show").code == "deck.by"
    assert play.refusal(c.PrepareDeck, deck="A-1", act="show", role="player", who="Ann").code == "deck.by"
    assert "prepare_deck" not in play.may("dealer")
    play.do(c.TakeSeat, seat=4, chips_cents=1000)
    assert play.refusal(c.PrepareDeck, deck="A-1", act="show", role="player", who="Ann").code == "deck.by"
    play.do(c.PrepareDeck, deck="A-1", act="show", role="player", who=NAMES[4])
    play.do(c.PrepareDeck, deck="A-1", act="wash")


@in_each("NJC-19", "MAC-6", "MDC-10")
def test_each_of_two_decks_is_opened_separately(book: str) -> None:
    play = Play(book, TWO_DECKS).open_for_bets(1)
    for deck in ("A-1", "B-1"):
        assert [step.act for step in play.all(e.DeckPrepared) if step.deck == deck] == [act for act, _ in OPENING]
    assert {event.deck for event in play.all(e.DeckShuffled)} == {"A-1", "B-1"}


@in_each("NJC-13", "MAC-2", "MDC-8")
def test_without_a_shuffler_there_is_one_deck(book: str) -> None:
    play = Play(book).open_for_bets(1)
    problem = play.refusal(c.PrepareDeck, deck="B-1", act="receive", back="blue")
    assert (problem.code, problem.allowed) == ("deck.unknown", "A-1")
    assert problem.clauses
    with pytest.raises(BadInput, match="a second deck requires an automated shuffler"):
        game_of(book, {"dealing": {"decks": 2}})


@in_each("NJC-12b NJC-13", "MAC-2", "MDC-8", "DCP-3a DCP-4")
def test_the_deck_in_play_has_thirteen_cards_in_each_of_four_suits(book: str) -> None:
    play = table_of(book).open(1)
    play._dealer = Dealer(ShuffledSource(repeatable_seed(5)))
    play.serve()
    assert sorted(card.text for card in play.table.deck.cards) == sorted(
        rank + suit for rank in "23456789TJQKA" for suit in "cdhs"
    )


@in_each("NJC-12b NJC-13", "MAC-2", "MDC-8", "DCP-3a DCP-4")
@pytest.mark.parametrize(
    "cards",
    [standard_deck()[:51], (*standard_deck()[:51], Card("2c")), (*standard_deck()[:51], JOKER)],
    ids=["short", "doubled", "joker"],
)
def test_a_deck_has_each_of_its_52_cards_once(book: str, cards: tuple[Card, ...]) -> None:
    play = opened(table_of(book).open(1))
    problem = play.refusal(c.ShuffleDeck, deck="A-1", method="manual", cards=cards)
    assert (problem.code, problem.value, problem.allowed) == ("deck.cards", 51, "52 different cards")


@clause("MDC-10", "MDC-11", "MDC-13")
def test_pre_inspected_and_pre_shuffled_cards_go_straight_to_the_cut_but_only_once() -> None:
    play = Play("md-criss-cross", ARRIVES_SHUFFLED).open(1)
    play.do(c.PrepareDeck, deck="A-1", act="receive", back="red")
    assert play.refusal(c.PrepareDeck, deck="A-1", act="inspect").code == "deck.order"
    event = only(play.do(c.ShuffleDeck, deck="A-1", method="preshuffled", cards=standard_deck()), e.DeckShuffled)
    assert event.needs_cut
    assert play.refusal(c.LoadDeck, deck="A-1").code == "load.stage"
    play.serve()
    play.play_round(1)
    play.bet(1)
    play.advance(until="shuffle")
    problem = play.refusal(c.ShuffleDeck, deck="A-1", method="preshuffled")
    assert (problem.code, problem.clauses) == ("shuffle.method", ("MDC-11",))
    assert [event.method for event in play.all(e.DeckShuffled)] == ["preshuffled", "manual"]


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("nj-criss-cross", marks=clause("NJC-20")),
        pytest.param("ma-criss-cross", marks=clause("MAC-7")),
    ],
)
def test_elsewhere_every_deck_is_shuffled_at_the_table_before_play(book: str) -> None:
    stated = ARRIVES_SHUFFLED if book == "ma-criss-cross" else {}
    play = opened(Play(book, stated).open(1))
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="preshuffled").code == "shuffle.method"
    play.do(c.ShuffleDeck, deck="A-1", method="manual")


# --- shuffle and cut ---


@in_each("NJC-20 NJC-12", "MAC-7", "MDC-11", "DCP-7")
def test_the_cards_are_shuffled_before_play_and_after_every_round(book: str) -> None:
    play = opened(table_of(book).open(1))
    assert play.refusal(c.LoadDeck, deck="A-1").code == "load.stage"
    shuffled(play).do(c.CutDeck, deck="A-1", depth=CUT)
    play.do(c.LoadDeck, deck="A-1")
    for number in (1, 2):
        play.bet(1)
        play.advance(until="shuffle")
        assert play.last(e.RoundClosed).round == number
        assert play.refusal(c.LoadDeck, deck="A-1").code == "load.stage"
        assert play.refusal(c.NoMoreBets).code == "lock.step"
        play.serve()
        assert play.last(e.RoundOpened).round == number + 1
    assert [(event.method, event.by) for event in play.all(e.DeckShuffled)] == [("manual", "dealer")] * 3


@in_each("NJC-21", "MAC-9", "MDC-13")
def test_cards_shuffled_by_hand_are_cut_and_those_of_a_device_are_not(book: str) -> None:
    by_hand = shuffled(opened(Play(book).open(1)))
    assert by_hand.last(e.DeckShuffled).needs_cut
    assert by_hand.refusal(c.LoadDeck, deck="A-1").code == "load.stage"
    by_device = shuffled(opened(Play(book, DEVICE).open(1)))
    assert not by_device.last(e.DeckShuffled).needs_cut
    assert by_device.refusal(c.CutDeck, deck="A-1", depth=CUT).code == "cut.stage"
    by_device.do(c.LoadDeck, deck="A-1")


@in_each("NJC-22", "MAC-10", "MDC-13")
@pytest.mark.parametrize("depth", [-1, 0, 9, 52, 53])
def test_a_cut_of_fewer_than_ten_cards_or_of_all_is_refused(book: str, depth: int) -> None:
    play = shuffled(opened(Play(book).open(1)))
    problem = play.refusal(c.CutDeck, deck="A-1", depth=depth)
    assert (problem.code, problem.value, problem.allowed) == ("cut.depth", depth, "10 to 51 cards")
    assert problem.clauses == {"NJC": ("NJC-22",), "MAC": ("MAC-10",), "MDC": ("MDC-13",)}[play.code]


@in_each("NJC-22", "MAC-10", "MDC-13")
@pytest.mark.parametrize("depth", [10, 11, 26, 51])
def test_the_cut_puts_the_cards_from_the_top_under_the_rest(book: str, depth: int) -> None:
    """New Jersey lifts them onto the cover card and the rest on top; the others put them under with the cover card."""
    play = shuffled(opened(Play(book).open(1)))
    cut = only(play.do(c.CutDeck, deck="A-1", depth=depth), e.DeckCut)
    top, rest = standard_deck()[:depth], standard_deck()[depth:]
    assert play.table.decks["A-1"].cards == rest + top
    assert cut.depth == depth
    play.do(c.LoadDeck, deck="A-1")
    play.bet(1)
    play.advance(until="stub")
    assert play.table.community["down_far"] == rest[0]


@in_each("NJC-23", "MAC-11", "MDC-14")
@pytest.mark.parametrize("when", ["cut", "loaded", "no more bets"])
def test_the_floor_may_have_the_cards_cut_again_until_the_first_card(book: str, when: str) -> None:
    play = shuffled(opened(Play(book).open(1)))
    play.do(c.CutDeck, deck="A-1", depth=10)
    if when != "cut":
        play.do(c.LoadDeck, deck="A-1")
        play.bet(1)
    if when == "no more bets":
        play.do(c.NoMoreBets)
    ordered = only(play.do(c.OrderRecut, reason="two hands were used"), e.RecutOrdered)
    assert (ordered.by, ordered.deck, ordered.reason) == ("floor", "A-1", "two hands were used")
    assert play.refusal(c.LoadDeck, deck="A-1").code == "load.stage"
    if when == "no more bets":
        assert play.refusal(c.DealCards).code == "deal.deck"
    play.do(c.CutDeck, deck="A-1", depth=30)
    assert play.table.decks["A-1"].cards == standard_deck()[40:] + standard_deck()[:40]
    play.do(c.LoadDeck, deck="A-1")
    assert play.table.round == 1
    assert play.table.step == ("deal" if when == "no more bets" else "open_bets")


@in_each("NJC-23", "MAC-11", "MDC-14")
def test_only_the_floor_orders_a_recut_and_only_before_the_first_card(book: str) -> None:
    play = shuffled(opened(Play(book).open(1)))
    assert play.refusal(c.OrderRecut, reason="").code == "cut.recut"
    play.do(c.CutDeck, deck="A-1", depth=10)
    assert play.refusal(c.OrderRecut, reason="", role="dealer").code == "role"
    play.do(c.LoadDeck, deck="A-1")
    play.bet(1)
    play.advance(until="stub")
    problem = play.refusal(c.OrderRecut, reason="")
    assert problem.code == "cut.recut"
    assert set(problem.clauses) & {"NJC-23", "MAC-11", "MDC-14"}


@in_each("NJC-23", "MAC-11", "MDC-14")
def test_the_automated_dealer_cuts_again_and_continues_the_round(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    play.do(c.NoMoreBets)
    play.do(c.OrderRecut, reason="the cut was seen")
    play.advance(until="stub")
    assert play.table.round == 1
    assert len(play.all(e.DeckCut)) == 2


@clause("MAC-42", "MAC-11")
def test_once_a_face_up_card_has_left_the_deck_there_is_no_recut() -> None:
    """The card is known by its place in the deck: a cut would deal it after all."""
    play = Play("ma-criss-cross").open_for_bets(1)
    play.bet(1)
    play.do(c.NoMoreBets)
    play.do(c.ReportIrregularity, kind="face_up_card", case="one", role="dealer")
    assert play.refusal(c.OrderRecut, reason="").code == "cut.recut"


@in_each("NJC-20", "MAC-7", "MDC-11")
def test_the_floor_orders_a_shuffle_where_the_jurisdiction_lets_it(book: str) -> None:
    play = Play(book).open_for_bets(1)
    if book == "nj-criss-cross":
        problem = play.refusal(c.OrderShuffle, reason="a card was seen")
        assert (problem.code, problem.clauses) == ("shuffle.order", ("NJC-20",))
        return
    ordered = only(play.do(c.OrderShuffle, reason="a card was seen"), e.ShuffleOrdered)
    assert (ordered.by, ordered.reason) == ("floor", "a card was seen")
    play.bet(1)
    assert play.refusal(c.NoMoreBets).code == "lock.deck"
    play.serve()
    assert play.table.round == 1
    play.do(c.NoMoreBets)
    assert play.refusal(c.OrderShuffle, reason="too late").code == "shuffle.order"


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("ma-criss-cross", marks=clause("MAC-13")),
        pytest.param("md-criss-cross", marks=clause("MDC-15")),
    ],
)
def test_an_approved_device_that_reshuffles_and_counts_does_without_cut_recut_and_idle_spread(book: str) -> None:
    with pytest.raises(BadInput, match="must be approved before use"):
        game_of(book, {"dealing": RESHUFFLES["dealing"]})
    play = shuffled(opened(Play(book, RESHUFFLES).open(1)))
    assert not play.last(e.DeckShuffled).needs_cut
    assert play.refusal(c.OrderRecut, reason="").code == "cut.recut"
    play.do(c.LoadDeck, deck="A-1")
    for face in ("up", "down"):
        assert play.refusal(c.SpreadIdle, face=face, asked=True).code == "idle.device"


# --- the idle table ---


@in_each("NJC-24", "MAC-12", "MDC-14")
def test_cards_of_an_idle_table_lie_spread_and_are_seen_washed_and_shuffled_before_play(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.do(c.LeaveSeat, seat=1)
    spread = only(play.do(c.SpreadIdle, face="down"), e.DeckSpreadIdle)
    assert (spread.deck, spread.face) == ("A-1", "down")
    assert play.table.decks["A-1"].cards == ()
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="manual").code == "deck.stage"
    assert play.refusal(c.PrepareDeck, deck="A-1", act="show").code == "deck.by"
    play.do(c.TakeSeat, seat=2, chips_cents=100_00)
    for act in ("show", "wash", "stack"):
        play.do(c.PrepareDeck, deck="A-1", act=act, role="dealer")
    shuffled(play).do(c.CutDeck, deck="A-1", depth=CUT)
    play.do(c.LoadDeck, deck="A-1")
    play.bet(2)


@in_each("NJC-24", "MAC-12", "MDC-14")
def test_idle_cards_lie_face_up_in_new_jersey_or_where_a_player_asks(book: str) -> None:
    play = Play(book).open_for_bets(1)
    if book == "nj-criss-cross":
        play.do(c.SpreadIdle, face="up")
        return
    problem = play.refusal(c.SpreadIdle, face="up")
    assert (problem.code, problem.allowed) == ("idle.face", "down")
    assert problem.clauses == {"MAC": ("MAC-12",), "MDC": ("MDC-14",)}[play.code]
    assert only(play.do(c.SpreadIdle, face="up", asked=True), e.DeckSpreadIdle).face == "up"


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_with_wagers_is_not_idle(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    assert play.refusal(c.SpreadIdle, face="down").code == "idle.wagers"
    play.advance(until="shuffle")
    assert play.refusal(c.SpreadIdle, face="down").code == "idle.stage"


@clause("MDC-14", "MDC-10")
def test_cards_that_arrived_shuffled_are_opened_like_others_after_they_lay_idle() -> None:
    play = Play("md-criss-cross", ARRIVES_SHUFFLED).open_for_bets(1)
    play.do(c.SpreadIdle, face="down")
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="preshuffled").code == "deck.stage"
    for act in ("show", "wash", "stack"):
        play.do(c.PrepareDeck, deck="A-1", act=act, role="dealer")
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="preshuffled").code == "shuffle.method"
    play.do(c.ShuffleDeck, deck="A-1", method="manual")


# --- two decks ---


@in_each("NJC-14", "MAC-3", "MDC-8")
def test_two_decks_have_backs_of_different_colours(book: str) -> None:
    play = Play(book, TWO_DECKS).open(1)
    play.do(c.PrepareDeck, deck="A-1", act="receive", back="green")
    problem = play.refusal(c.PrepareDeck, deck="B-1", act="receive", back="green")
    assert (problem.code, problem.value) == ("deck.back", "green")
    assert set(problem.clauses) & {"NJC-14", "MAC-3", "MDC-8"}
    assert play.refusal(c.PrepareDeck, deck="B-1", act="receive").code == "deck.back"
    play.do(c.PrepareDeck, deck="B-1", act="receive", back="red")


@in_each("NJC-14", "MAC-3", "MDC-8", "DCP-5")
def test_two_decks_take_turns_and_only_one_lies_in_the_rack(book: str) -> None:
    play = table_of(book, TWO_DECKS).open_for_bets(1)
    for _ in range(4):
        play.play_round(1)
    assert [event.deck for event in play.all(e.RoundOpened)] == ["A-1", "B-1", "A-1", "B-1", "A-1"]
    for rack in play.all(e.CardsDiscarded):
        stub = next(int(entry.split()[1]) for entry in rack.pile if entry.startswith("stub"))
        assert stub == (43 if book == "nj-double-cross" else 45)


@in_each("NJC-14", "MAC-3", "MDC-8", "DCP-5")
def test_the_deck_that_has_just_been_played_is_not_loaded_again(book: str) -> None:
    play = table_of(book, TWO_DECKS).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    shuffled(play, "A-1")
    problem = play.refusal(c.LoadDeck, deck="A-1")
    assert (problem.code, problem.value, problem.allowed) == ("load.turn", "A-1", "B-1")
    assert set(problem.clauses) & {"NJC-14", "MAC-3", "MDC-8", "DCP-5"}
    play.do(c.LoadDeck, deck="B-1")
    assert play.refusal(c.LoadDeck, deck="A-1").code == "load.turn"


@in_each("NJC-14", "MAC-3", "MDC-8", "DCP-5")
def test_one_deck_is_shuffled_while_the_other_plays(book: str) -> None:
    play = table_of(book, TWO_DECKS).open_for_bets(1)
    play.play_round(1)
    play.bet(1)
    play.advance(until="shuffle")
    play.do(c.LoadDeck, deck="A-1")
    play.bet(1)
    play.advance(until="stub")
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="device").code == "deck.stage"
    shuffled(play, "B-1")
    assert play.table.step == "stub"
    play.advance(until="shuffle")
    play.do(c.LoadDeck, deck="B-1")


# --- changing decks ---


@pytest.mark.parametrize(
    ("book", "stated", "hours"),
    [
        pytest.param("ma-criss-cross", HAND, 4, marks=clause("MAC-4"), id="ma-hand"),
        pytest.param("ma-criss-cross", {}, 8, marks=clause("MAC-4"), id="ma-shoe"),
        pytest.param(
            "ma-criss-cross", {"dealing": {"method": "automated_shoe"}}, 8, marks=clause("MAC-4"), id="ma-auto"
        ),
        pytest.param("md-criss-cross", HAND, 4, marks=clause("MDC-9"), id="md-hand"),
        pytest.param("md-criss-cross", {}, 8, marks=clause("MDC-9"), id="md-shoe"),
        pytest.param(
            "md-criss-cross",
            {"dealing": {"method": "automated_shoe"}, "approvals": {"automated_shoe": "AS-1"}},
            8,
            marks=clause("MDC-9"),
            id="md-auto",
        ),
    ],
)
def test_a_deck_is_changed_after_four_hours_from_the_hand_and_eight_from_a_shoe(
    book: str, stated: dict[str, Any], hours: int
) -> None:
    play = Play(book, stated).open_for_bets(1)
    since = play.last(e.DeckLoaded).at
    play.bet(1)
    play.advance(until="shuffle")
    problem = play.refusal(c.ShuffleDeck, deck="A-1", method=play.table.shuffling, at=since + hours * HOUR)
    assert (problem.code, problem.value, problem.allowed) == ("deck.old", "A-1", f"under {hours} hours")
    assert problem.clauses == {"MAC": ("MAC-4",), "MDC": ("MDC-9",)}[play.code]
    play.at = since + hours * HOUR
    play.serve()
    assert [(event.deck, event.reason) for event in play.all(e.DeckRemoved)] == [("A-1", "time in use")]
    assert play.last(e.DeckRemoved).clauses == problem.clauses
    assert len([event for event in play.all(e.DeckPrepared) if event.act == "receive"]) == 2


@pytest.mark.parametrize("book", ["ma-criss-cross", "md-criss-cross"])
def test_a_deck_just_under_its_time_is_shuffled_once_more(book: str) -> None:
    play = Play(book).open_for_bets(1)
    since = play.last(e.DeckLoaded).at
    play.bet(1)
    play.advance(until="shuffle")
    play.do(c.ShuffleDeck, deck="A-1", method="manual", at=since + 8 * HOUR - 1)


def test_new_jersey_sets_no_time_for_a_deck() -> None:
    play = Play("nj-criss-cross", HAND).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    play.do(c.ShuffleDeck, deck="A-1", method="device", at=play.at + 100 * HOUR)


@in_each("NJC-35", "MAC-8", "MDC-12")
def test_a_deck_that_the_shuffler_counts_wrong_leaves_the_table(book: str) -> None:
    play = Play(book, COUNTING).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    found = only(play.do(c.ShuffleDeck, deck="A-1", method="device", counted=51), e.IrregularityReported)
    assert (found.kind, found.then, found.note) == (
        "shuffler_count_wrong",
        ("remove_deck",),
        "the device counts 51 cards",
    )
    problem = play.refusal(c.ShuffleDeck, deck="A-1", method="device", counted=52)
    assert (problem.code, problem.allowed) == ("deck.remove", "remove the deck")
    assert problem.clauses == {"NJC": ("NJC-35",), "MAC": ("MAC-8",), "MDC": ("MDC-12",)}[play.code]
    removed = only(play.do(c.RemoveDeck, deck="A-1", reason="a card is missing"), e.DeckRemoved)
    assert removed.clauses == problem.clauses
    play.serve()
    assert [event.act for event in play.all(e.DeckPrepared)].count("verify") == 2
    assert play.table.step == "open_bets"


@in_each("NJC-35", "MAC-8", "MDC-12")
def test_a_new_deck_that_is_counted_wrong_at_its_first_shuffle_leaves_too(book: str) -> None:
    play = opened(Play(book, COUNTING).open(1))
    play.do(c.ShuffleDeck, deck="A-1", method="device", counted=53)
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="device", counted=52).code == "deck.remove"
    play.do(c.RemoveDeck, deck="A-1", reason="one card too many")
    play.serve()
    assert play.table.step == "open_bets"


@in_each("NJC-35 NJC-14", "MAC-8 MAC-3", "MDC-12 MDC-8")
def test_of_two_decks_the_one_that_was_counted_wrong_leaves_and_the_other_plays_on(book: str) -> None:
    play = Play(book, {"dealing": {"shuffler": "counting", "decks": 2}}).open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    play.do(c.LoadDeck, deck="B-1")
    play.bet(1)
    play.advance(until="decide_across")
    play.do(c.ShuffleDeck, deck="A-1", method="device", counted=51)
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="device", counted=52).code == "deck.remove"
    play.advance(until="shuffle")
    play.do(c.ShuffleDeck, deck="B-1", method="device", counted=52)
    play.serve()
    assert [event.deck for event in play.all(e.DeckRemoved)] == ["A-1"]
    assert play.table.step == "open_bets"


@pytest.mark.parametrize("book", BOOKS)
def test_what_an_old_deck_did_is_forgotten_when_the_table_closes(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    play.advance(until="stub")
    play.do(c.CountStub, count=44, finding="not_misdealt")
    play.do(c.DiscardCards)
    play.do(c.LeaveSeat, seat=1)
    play.do(c.CloseTable)
    play.open_for_bets(1)
    play.bet(1)
    play.advance(until="shuffle")
    play.do(c.ShuffleDeck, deck="A-2", method="manual")


@pytest.mark.parametrize("book", BOOKS)
def test_only_a_counting_shuffler_counts(book: str) -> None:
    for stated in ({}, DEVICE):
        play = opened(Play(book, stated).open(1))
        problem = play.refusal(c.ShuffleDeck, deck="A-1", method=play.table.shuffling, counted=51)
        assert (problem.code, problem.value) == ("shuffle.count", 51)


# --- loading ---


@in_each("NJC-30", "MAC-22", "MDC-24")
def test_loading_the_shoe_is_recorded_with_the_person(book: str) -> None:
    loaded = Play(book).open_for_bets(1).last(e.DeckLoaded)
    assert (loaded.by, loaded.deck, loaded.method, loaded.hand) == ("dealer", "A-1", "manual_shoe", "")


@in_each("NJC-37", "MAC-26", "MDC-26")
def test_the_hand_that_holds_the_deck_is_chosen_when_it_is_taken_up(book: str) -> None:
    play = shuffled(opened(Play(book, HAND).open(1)))
    problem = play.refusal(c.LoadDeck, deck="A-1")
    assert (problem.code, problem.allowed) == ("load.hand", "left or right")
    loaded = only(play.do(c.LoadDeck, deck="A-1", hand="left"), e.DeckLoaded)
    assert (loaded.method, loaded.hand) == ("hand", "left")
    play.bet(1)
    play.advance(until="decide_across")
    assert play.refusal(c.LoadDeck, deck="A-1", hand="right").code == "load.stage"
    shoe = shuffled(opened(Play(book, DEVICE).open(1)))
    assert shoe.refusal(c.LoadDeck, deck="A-1", hand="left").code == "load.hand"


@in_each("NJC-36", "MAC-26", "MDC-26")
def test_cards_are_dealt_from_the_hand_only_with_a_shuffler(book: str) -> None:
    with pytest.raises(BadInput, match="must come from an automated shuffler"):
        game_of(book, {"dealing": {"method": "hand"}})


@clause("NJC-38a")
def test_new_jersey_wants_an_automated_shoe_approved() -> None:
    with pytest.raises(BadInput, match="an automated shoe must be approved before use"):
        game_of("nj-criss-cross", {"dealing": {"method": "automated_shoe"}})


# --- seats ---


@in_each("NJC-1", "", "MDC-2")
def test_six_seats_and_no_seventh(book: str) -> None:
    play = Play(book).open(1, 2, 3, 4, 5, 6)
    assert [seat.player for seat in play.table.seats] == list(NAMES[1:])
    for number in (0, 7):
        problem = play.refusal(c.TakeSeat, seat=number, chips_cents=100, who="Guy")
        assert (problem.code, problem.value, problem.allowed) == ("seat.unknown", number, "1 to 6")
    assert play.refusal(c.TakeSeat, seat=3, chips_cents=100, who="Guy").code == "seat.taken"


@in_each("", "MAC-21", "")
def test_a_second_position_for_one_player_is_refused_in_massachusetts(book: str) -> None:
    play = Play(book).open(1)
    if book == "ma-criss-cross":
        problem = play.refusal(c.TakeSeat, seat=2, who="Ann", chips_cents=100_00)
        assert (problem.code, problem.clauses) == ("seat.second", ("MAC-21",))
        play.do(c.LeaveSeat, seat=1)
    play.do(c.TakeSeat, seat=2, who="Ann", chips_cents=100_00)


@pytest.mark.parametrize("book", BOOKS)
def test_a_player_without_a_name_neither_sits_nor_acts_for_an_empty_seat(book: str) -> None:
    play = Play(book).open_for_bets(1)
    assert play.refusal(c.TakeSeat, seat=2, chips_cents=100, who="").code == "seat.unnamed"
    assert play.refusal(c.BuyChips, seat=2, cents=100, who="").code == "seat.other"
    assert play.refusal(c.LeaveSeat, seat=2, who="").code == "seat.other"
    assert play.refusal(c.PlaceWagers, seat=2, wagers={}, who="").code == "seat.other"


@in_each("NJC-28", "MAC-17", "MDC-18")
def test_only_seated_players_wager_and_players_with_cards_stay_until_the_round_is_over(book: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    wagers = {"ante_across": 10_00, "ante_down": 10_00}
    assert play.refusal(c.PlaceWagers, seat=3, wagers=wagers).code == "seat.other"
    assert play.refusal(c.PlaceWagers, seat=1, wagers=wagers, who="Ben").code == "seat.other"
    play.bet(1)
    assert play.refusal(c.LeaveSeat, seat=1).code == "seat.wagers"
    leaving = {"NJC": "NJC-28", "MAC": "MAC-17", "MDC": "MDC-18"}[play.code]
    for step in ("deal", "stub", "decide_across", "reveal_across", "decide_middle", "settle", "discard"):
        play.advance(until=step)
        problem = play.refusal(c.LeaveSeat, seat=1)
        assert (problem.code, problem.clauses) == ("seat.in_round", (leaving,)), step
    play.do(c.LeaveSeat, seat=2)
    play.advance(until="shuffle")
    left = only(play.do(c.LeaveSeat, seat=1), e.SeatLeft)
    assert left.chips_cents > 0
    assert play.seat(1).player == ""


@in_each("NJC-28", "MAC-17", "MDC-18")
def test_a_player_stays_also_while_the_cards_are_cut_again(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    play.do(c.NoMoreBets)
    play.do(c.OrderRecut, reason="the cut was seen")
    assert play.refusal(c.LeaveSeat, seat=1).code == "seat.in_round"
