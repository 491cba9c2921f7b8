"""Decks that grow old, decks that are cut again, and rounds that are called off with their deck."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crossfelt.rulebooks.game import Game
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Option
from crossfelt.table.decks import HOUR
from crossfelt.table.engine import allowed
from unit.table.manual_table import BOOKS, Play, clause, game_of, in_each, names, only
from unit.table.random_table import ALL_GAMES, STAFF, Driver, rerun

TIMED = [
    pytest.param("ma-criss-cross", "MAC-4", marks=clause("MAC-4"), id="ma"),
    pytest.param("md-criss-cross", "MDC-9", marks=clause("MDC-9"), id="md"),
]
SHUFFLER: dict[str, Any] = {"shuffler": "automatic"}


def option(play: Play, command: str) -> Option:
    (found,) = [option for option in play.options("dealer") if option.command == command]
    return found


# --- age ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "cited"), TIMED)
def test_no_round_is_opened_with_a_deck_whose_time_is_over(book: str, cited: str) -> None:
    play = Play(book).open_for_bets(1)
    ends = play.last(e.DeckLoaded).at + 8 * HOUR
    play.bet(1)
    play.advance(until="shuffle")
    play.serve(before=c.LoadDeck)
    assert option(play, "load_deck").before == ends
    problem = play.refusal(c.LoadDeck, deck="A-1", at=ends)
    assert (problem.code, problem.value, problem.clauses) == ("deck.old", "A-1", (cited,))
    play.do(c.LoadDeck, deck="A-1", at=ends - 1)


@pytest.mark.parametrize(("book", "cited"), TIMED)
def test_nor_is_one_dealt_whose_deck_grew_old_while_bets_were_open(book: str, cited: str) -> None:
    play = Play(book).open_for_bets(1, 2)
    ends = play.last(e.DeckLoaded).at + 8 * HOUR
    play.bet(1)
    assert option(play, "no_more_bets").before == ends
    assert play.refusal(c.NoMoreBets, at=ends).clauses == (cited,)
    play.at = ends
    removed = play.do(c.RemoveDeck, deck="A-1", reason="time in use")
    assert names(removed) == ["round_abandoned", "wagers_returned", "deck_removed"]
    assert only(removed, e.DeckRemoved).clauses == (cited,)
    assert play.chips(1) == play.chips(2)
    play.serve()
    assert (play.table.round, play.table.step) == (2, "open_bets")


@pytest.mark.parametrize(("book", "cited"), TIMED)
def test_the_automated_floor_changes_a_deck_that_grew_old_before_the_first_bet(book: str, cited: str) -> None:
    play = Play(book).open_for_bets(1)
    play.at = play.last(e.DeckLoaded).at + 8 * HOUR
    play.serve()
    assert play.last(e.DeckRemoved).clauses == (cited,)
    assert play.last(e.RoundOpened).round == 2
    play.play_round(1)


@pytest.mark.parametrize(("book", "cited"), TIMED)
def test_a_round_that_has_begun_is_played_to_its_end_with_its_deck(book: str, cited: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    play.do(c.NoMoreBets)
    play.do(c.OrderRecut, reason="cut with two hands")
    play.do(c.CutDeck, deck="A-1", depth=10)
    play.at += 9 * HOUR
    assert option(play, "load_deck").before is None
    play.do(c.LoadDeck, deck="A-1")
    play.advance(until="shuffle")
    assert option_names(play) == ["shuffle_deck"]
    assert play.refusal(c.ShuffleDeck, deck="A-1", method="manual").clauses == (cited,)


def option_names(play: Play) -> list[str]:
    return [name for name in play.may("dealer") if name != "report_irregularity"]


def test_new_jersey_opens_rounds_with_a_deck_of_any_age() -> None:
    play = Play("nj-criss-cross").open_for_bets(1)
    play.bet(1)
    play.at += 100 * HOUR
    assert option(play, "no_more_bets").before is None
    play.advance(until="shuffle")
    play.serve()
    assert not play.all(e.DeckRemoved)


# --- recut --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("md-criss-cross", marks=clause("MDC-13", "MDC-14")),
        pytest.param("nj-double-cross", marks=clause("DCP-8", "DCP-10")),
    ],
)
def test_cards_that_arrived_shuffled_are_cut_again_on_order_though_the_table_has_a_shuffler(book: str) -> None:
    play = Play(book, {"dealing": {**SHUFFLER, "preshuffled": True}}).open_for_bets(1)
    ordered = only(play.do(c.OrderRecut, reason="cut with two hands"), e.RecutOrdered)
    assert ordered.deck == "A-1"
    play.serve()
    assert (len(play.all(e.DeckCut)), play.table.round, play.table.step) == (2, 1, "open_bets")


@in_each("NJC-21 NJC-23", "MAC-9 MAC-11", "MDC-13 MDC-14")
def test_a_deck_that_the_device_shuffled_was_never_cut_and_is_not_cut_again(book: str) -> None:
    play = Play(book, {"dealing": SHUFFLER}).open_for_bets(1)
    assert play.refusal(c.OrderRecut, reason="").code == "cut.recut"
    assert "order_recut" not in play.may("floor")


# --- rounds that are called off -------------------------------------------------------------------------------------


@in_each("NJC-24", "MAC-12", "MDC-14")
def test_a_round_without_wagers_is_called_off_when_the_cards_are_spread(book: str) -> None:
    play = Play(book).open_for_bets(1)
    events = play.do(c.SpreadIdle, face="down")
    called_off = only(events, e.RoundAbandoned)
    assert (called_off.round, called_off.why) == (1, "idle")
    assert called_off.clauses == only(events, e.DeckSpreadIdle).clauses
    play.serve()
    assert play.last(e.RoundOpened).round == 2


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_is_called_off_with_its_deck_and_with_its_table(book: str) -> None:
    play = Play(book).open_for_bets(1)
    count = play.table.rounds_since_count
    play.bet(1)
    assert only(play.do(c.RemoveDeck, deck="A-1", reason="a torn card"), e.RoundAbandoned).why == "deck_removed"
    play.serve()
    assert play.table.rounds_since_count == count, "no stub was left to count"
    play.do(c.LeaveSeat, seat=1)
    assert only(play.do(c.CloseTable), e.RoundAbandoned).why == "table_closed"


@pytest.mark.parametrize("book", BOOKS)
def test_a_deck_stays_while_its_round_is_played(book: str) -> None:
    play = Play(book).open_for_bets(1)
    play.bet(1)
    play.do(c.NoMoreBets)
    assert play.refusal(c.RemoveDeck, deck="A-1", reason="a torn card").code == "deck.in_play"


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("book", "stated"), ALL_GAMES)
def test_every_round_that_is_opened_is_closed_or_called_off(book: str, stated: dict[str, Any], seed: int) -> None:
    driver = Driver(game_of(book, stated), seed, trouble=0.15)
    driver.play(rounds=5)
    by_round: dict[int, list[str]] = {}
    for event in driver.events:
        if isinstance(event, e.RoundOpened | e.RoundClosed | e.RoundAbandoned):
            by_round.setdefault(event.round, []).append(type(event).__name__)
    *over, last = by_round.values()
    assert all(round_ in (["RoundOpened", "RoundClosed"], ["RoundOpened", "RoundAbandoned"]) for round_ in over)
    assert last[0] == "RoundOpened"


# --- which clauses a way of dealing cites -----------------------------------------------------------------------------

BY_METHOD: dict[str, dict[str, set[str]]] = {
    "nj-criss-cross": {"manual_shoe": {"NJC-30", "NJC-31", "NJC-32"}, "hand": {"NJC-37"}, "automated_shoe": {"NJC-38"}},
    "ma-criss-cross": {
        "manual_shoe": {"MAC-22", "MAC-23", "MAC-24"},
        "hand": {"MAC-26"},
        "automated_shoe": {"MAC-27"},
    },
    "md-criss-cross": {"manual_shoe": {"MDC-24", "MDC-25"}, "hand": {"MDC-26"}, "automated_shoe": {"MDC-27"}},
    "nj-double-cross": {
        "manual_shoe": {"DCP-16", "DCP-16a", "DCP-16b", "DCP-19a"},
        "hand": {"DCP-18"},
        "automated_shoe": {"DCP-19", "DCP-19a"},
    },
}
HANDLING = e.DeckLoaded | e.BetsLocked | e.StepEntered | e.CardsDealt | e.StubCounted | e.StubDiscarded


@pytest.mark.parametrize(
    ("book", "method"),
    [(book, method) for book, methods in BY_METHOD.items() for method in methods],
)
def test_what_is_done_with_the_cards_cites_the_way_of_dealing_in_use_and_no_other(book: str, method: str) -> None:
    approved = {} if book == "ma-criss-cross" else {"approvals": {"automated_shoe": "AS-1"}}
    game = game_of(book, {"dealing": {"method": method, "shuffler": "automatic"}, **approved})
    driver = Driver(game, seed=3)
    driver.play(rounds=6)
    cited = {clause for event in driver.events if isinstance(event, HANDLING) for clause in event.clauses}
    own = BY_METHOD[book][method]
    others = {clause for clauses in BY_METHOD[book].values() for clause in clauses} - own
    assert own <= cited
    assert not cited & others
    for kind in (e.DeckLoaded, e.CardsDealt):
        assert all(set(event.clauses) & own for event in driver.events if isinstance(event, kind))


# --- the same game, read from a file ----------------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize(("book", "stated"), ALL_GAMES)
def test_a_game_read_from_its_canonical_form_lists_the_same_options_in_the_same_order(
    book: str, stated: dict[str, Any]
) -> None:
    game = game_of(book, stated)
    again = Game.from_data(json.loads(json.dumps(game.as_data(), sort_keys=True)))
    driver = Driver(game, seed=11, trouble=0.1)
    driver.play(rounds=2)
    people = [*STAFF, *((f"player{seat}", "player") for seat in range(1, 8))]
    for lived, other in zip(driver.lived, rerun(again, driver.commands), strict=True):
        assert other.events == lived.events
        for who, role in people:
            assert allowed(other.before, who, role) == allowed(lived.before, who, role)
