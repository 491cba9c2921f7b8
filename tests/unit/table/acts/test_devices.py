"""Shufflers and shoes that break: covered or signed before another method is used, and what then changes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from crossfelt.table import commands as c
from crossfelt.table import events as e
from unit.table.manual_table import BOOKS, Play, in_each, only

SHUFFLER: dict[str, Any] = {"dealing": {"shuffler": "automatic"}}
HAND: dict[str, Any] = {"dealing": {"method": "hand", "shuffler": "automatic"}}
SHOE: dict[str, Any] = {"dealing": {"method": "automated_shoe"}}
CITED = {"nj-criss-cross": (), "ma-criss-cross": ("MAC-48",), "md-criss-cross": ("MDC-56",)}


def with_shoe(book: str) -> dict[str, Any]:
    return SHOE if book == "ma-criss-cross" else {**SHOE, "approvals": {"automated_shoe": "AS-1"}}


def after_a_round(book: str, stated: dict[str, Any]) -> Play:
    play = Play(book, stated).open_for_bets(1)
    play.bet(1)
    return play.advance(until="shuffle")


def broken(play: Play, device: str) -> Play:
    play.do(c.ReportIrregularity, kind="device_out_of_order", place=device, role="dealer")
    return play


@in_each("", "MAC-48", "MDC-56")
@pytest.mark.parametrize("how", ["covered", "signed"])
def test_a_broken_shuffler_is_covered_or_signed_before_the_cards_are_shuffled_by_hand(book: str, how: str) -> None:
    play = after_a_round(book, SHUFFLER)
    problem = play.refusal(c.ChangeMethod, shuffling="manual")
    assert (problem.code, problem.value, problem.allowed) == ("method.device", "shuffler in_use", "covered or signed")
    broken(play, "shuffler")
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="device").code == "shuffle.device"
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="manual").code == "shuffle.method"
    problem = play.refusal(c.ChangeMethod, shuffling="manual")
    assert (problem.code, problem.value, problem.clauses) == ("method.device", "shuffler broken", CITED[book])
    marked = only(play.do(c.MarkDevice, device="shuffler", how=how), e.DeviceMarked)
    assert (marked.device, marked.how, marked.by, marked.clauses) == ("shuffler", how, "dealer", CITED[book])
    changed = only(play.do(c.ChangeMethod, shuffling="manual"), e.MethodChanged)
    assert (changed.dealing, changed.shuffling, changed.by) == ("manual_shoe", "manual", "floor")
    play.do(c.ShuffleDeck, deck="A-1", method="manual")
    assert play.refusal(c.LoadDeck, deck="A-1").code == "load.stage"
    play.do(c.CutDeck, deck="A-1", depth=10)
    play.do(c.LoadDeck, deck="A-1")


@in_each("", "MAC-48", "MDC-56")
@pytest.mark.parametrize("how", ["covered", "signed"])
def test_a_broken_shoe_is_covered_or_signed_before_cards_are_dealt_another_way(book: str, how: str) -> None:
    play = broken(after_a_round(book, with_shoe(book)), "shoe")
    problem = play.refusal(c.ChangeMethod, dealing="manual_shoe")
    assert (problem.code, problem.value, problem.clauses) == ("method.device", "shoe broken", CITED[book])
    play.do(c.MarkDevice, device="shoe", how=how, role="floor")
    play.do(c.ChangeMethod, dealing="manual_shoe")
    play.serve()
    play.bet(1)
    play.advance(until="stub")
    assert play.last(e.CardsDealt).method == "manual_shoe"


@in_each("", "MAC-48", "MDC-56")
def test_no_round_is_dealt_from_a_shoe_that_is_out_of_use(book: str) -> None:
    play = Play(book, with_shoe(book)).open_for_bets(1)
    broken(play, "shoe")
    play.bet(1)
    problem = play.refusal(c.NoMoreBets)
    assert (problem.code, problem.value, problem.clauses) == ("device.shoe", "broken", CITED[book])
    assert play.refusal(c.MarkDevice, device="shoe", how="covered").code == "device.round"
    play.do(c.PlaceWagers, seat=1, wagers={})
    play.do(c.MarkDevice, device="shoe", how="covered")
    play.do(c.MarkDevice, device="shoe", how="in_use")
    play.bet(1)
    play.do(c.NoMoreBets)


@in_each("NJC-36", "MAC-26", "MDC-26")
def test_without_its_shuffler_a_table_does_not_deal_from_the_hand(book: str) -> None:
    play = broken(after_a_round(book, HAND), "shuffler")
    play.do(c.MarkDevice, device="shuffler", how="signed")
    problem = play.refusal(c.ChangeMethod, shuffling="manual")
    assert (problem.code, problem.allowed) == ("method.hand", "device")
    assert problem.clauses in (("NJC-36",), ("MAC-26",), ("MDC-26",))
    play.do(c.ChangeMethod, dealing="manual_shoe", shuffling="manual")
    play.serve()
    assert (play.last(e.DeckLoaded).method, play.last(e.DeckLoaded).hand) == ("manual_shoe", "")


@pytest.mark.parametrize("book", BOOKS)
def test_a_mended_device_is_put_back_into_use_and_back_to_work(book: str) -> None:
    play = broken(after_a_round(book, SHUFFLER), "shuffler")
    problem = play.refusal(c.MarkDevice, device="shuffler", how="in_use")
    assert (problem.code, problem.value, problem.allowed) == ("device.state", "broken", "covered, signed, removed")
    play.do(c.MarkDevice, device="shuffler", how="covered")
    assert play.refusal(c.MarkDevice, device="shuffler", how="covered").what == "the device is in that state already"
    play.do(c.ChangeMethod, shuffling="manual")
    problem = play.refusal(c.ChangeMethod, shuffling="device")
    assert (problem.code, problem.value) == ("method.device", "shuffler covered")
    play.do(c.MarkDevice, device="shuffler", how="in_use")
    play.do(c.ChangeMethod, shuffling="device")
    play.serve()
    assert play.last(e.DeckShuffled).method == "device"


TWO_DECKS: dict[str, Any] = {"dealing": {"shuffler": "automatic", "decks": 2}}


def without_shuffler(book: str) -> Play:
    """A table with two decks whose shuffler broke down after the first round, and which now shuffles by hand."""
    play = broken(after_a_round(book, TWO_DECKS), "shuffler")
    play.do(c.MarkDevice, device="shuffler", how="removed" if book == "nj-double-cross" else "covered")
    play.do(c.ChangeMethod, shuffling="manual")
    return play


@in_each("NJC-14", "MAC-3", "MDC-8")
@pytest.mark.parametrize("leaves", ["A-1", "B-1"])
def test_without_a_shuffler_one_of_two_decks_leaves_before_play_continues(book: str, leaves: str) -> None:
    play = without_shuffler(book)
    stays = "B-1" if leaves == "A-1" else "A-1"
    assert {name: deck.stage for name, deck in play.table.decks.items()} == {"A-1": "used", "B-1": "ready"}
    for problem in (play.refusal(c.ShuffleDeck, deck="A-1", method="manual"), play.refusal(c.LoadDeck, deck="B-1")):
        assert (problem.code, problem.value, problem.allowed) == ("deck.second", "A-1, B-1", "remove the deck")
        assert problem.clauses in (("NJC-14",), ("MAC-3",), ("MDC-8",))
    assert not {"shuffle_deck", "load_deck"} & set(play.may("dealer"))
    removed = only(play.do(c.RemoveDeck, deck=leaves, reason="no shuffler"), e.DeckRemoved)
    assert removed.clauses == problem.clauses
    assert play.refusal(c.PrepareDeck, deck=leaves, act="receive", back="green").code == "deck.unknown"
    play.serve()
    for _ in range(3):
        assert (play.table.in_play, list(play.table.decks)) == (stays, [stays])
        play.play_round(1)


@in_each("NJC-14", "MAC-3", "MDC-8")
def test_the_second_deck_comes_back_with_the_shuffler(book: str) -> None:
    play = without_shuffler(book)
    play.serve()
    assert only(play.all(e.DeckRemoved), e.DeckRemoved).deck == "B-1", "the one that was in the shuffler"
    play.play_round(1)
    play.do(c.SpreadIdle, face="down")
    play.do(c.MarkDevice, device="shuffler", how="in_use")
    play.do(c.ChangeMethod, shuffling="device")
    play.serve()
    rounds = [event.deck for event in play.all(e.RoundOpened)]
    for _ in range(3):
        play.play_round(1)
    decks = [event.deck for event in play.all(e.RoundOpened)][len(rounds) - 1 :]
    assert set(decks) == {"A-1", "B-2"}, "a deck that was removed does not come back"
    assert all(one != other for one, other in pairwise(decks))


@in_each("", "MAC-48", "MDC-56")
def test_these_jurisdictions_cover_or_sign_a_device_and_do_not_take_it_away(book: str) -> None:
    play = broken(after_a_round(book, SHUFFLER), "shuffler")
    problem = play.refusal(c.MarkDevice, device="shuffler", how="removed")
    assert (problem.code, problem.allowed, problem.clauses) == ("device.how", "covered, signed", CITED[book])


@pytest.mark.parametrize("book", BOOKS)
def test_what_works_is_neither_covered_nor_signed(book: str) -> None:
    play = after_a_round(book, SHUFFLER)
    for how in ("covered", "signed"):
        problem = play.refusal(c.MarkDevice, device="shuffler", how=how)
        assert (problem.code, problem.value, problem.allowed) == (
            "device.state",
            "in_use",
            "report it out of order first",
        )
    assert play.refusal(c.MarkDevice, device="shoe", how="covered").code == "device.unknown"


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("step", ["open_bets", "deal", "decide_across", "settle", "discard"])
def test_methods_change_between_rounds_only(book: str, step: str) -> None:
    play = Play(book, SHUFFLER).open_for_bets(1)
    if step != "open_bets":
        play.bet(1)
        play.advance(until=step)
        assert play.refusal(c.MarkDevice, device="shuffler", how="covered").code == "device.round"
    assert play.refusal(c.ChangeMethod, shuffling="manual").code == "method.round"


@pytest.mark.parametrize("book", BOOKS)
def test_a_change_to_the_present_method_or_to_a_missing_device_is_refused(book: str) -> None:
    play = after_a_round(book, {})
    assert play.refusal(c.ChangeMethod).code == "method.same"
    assert play.refusal(c.ChangeMethod, dealing="manual_shoe", shuffling="manual").code == "method.same"
    for change in ({"dealing": "automated_shoe"}, {"shuffling": "device"}):
        problem = play.refusal(c.ChangeMethod, **change)
        assert problem.code == "method.device"
        assert str(problem.value).endswith("missing")
    assert play.refusal(c.ChangeMethod, shuffling="device", role="dealer").code == "role"
