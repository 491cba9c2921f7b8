"""The typed command language: the usual words of players, and their meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from crossfelt.cards import parse_cards
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.cli.render.terminal_table import typing_help_lines
from crossfelt.errors import Problem
from crossfelt.play.command_parser import TypedQuestion, in_words, parse_command
from crossfelt.play.player_view import PlayerView, player_view_of
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.rulebooks.game import compile_game
from crossfelt.table.act import Move
from crossfelt.table.engine import Accepted, run
from crossfelt.table.state import TableState, new_table
from properties import given, settings, st

ANTES = {"ante_across": 1000, "ante_down": 1000}
LAST = {"ante_across": 2500, "ante_down": 2500, "five_card_bonus": 300}


def table_at(book: str, step: str, chips: int = 1_000_00, wagers: Mapping[str, int] = ANTES) -> TableState:
    """A table with one player, at a step of the round."""
    session = TableSession(compile_game(book), ShuffledSource(repeatable_seed(7)), at=TickingClock())
    session.open()
    session.sit(1, "Ann", chips)
    list(session.advance())
    if step == "open_bets":
        return session.table
    session.ask(Move("place_wagers", {"seat": 1, "wagers": dict(wagers)}), "Ann")
    if step == "placed":
        return session.table
    session.lock()
    list(session.advance())
    while session.table.step != step:
        first = session.table.step == "decide_three_card"
        move = Move("choose", {"seat": 1, "choice": "expose"}) if first else Move("bet", {"seat": 1, "cents": 1000})
        session.ask(move, "Ann")
        list(session.advance())
    return session.table


BETTING = table_at("md-criss-cross", "open_bets")
PLACED = table_at("md-criss-cross", "placed", wagers={**ANTES, "five_card_bonus": 500})
ACROSS = table_at("md-criss-cross", "decide_across")
DOUBLE = {"ante": 1000, "three_card": 500}
EXPOSE = table_at("nj-double-cross", "decide_three_card", wagers=DOUBLE)
RAISE = table_at("nj-double-cross", "decide_play", wagers=DOUBLE)
SETTING = table_at("nj-pai-gow", "set_hands", wagers={"main": 1000})
"""Seat 1 holds Js 6d 2c 8c 6c Th 7d."""


def said(text: str, table: TableState, last: Mapping[str, int] = LAST) -> Move | TypedQuestion | Problem:
    return parse_command(text, player_view_of(table, 1), last)


def refused(text: str, table: TableState, last: Mapping[str, int] = LAST) -> str:
    problem = said(text, table, last)
    assert isinstance(problem, Problem), problem
    return str(problem)


def wagers(ante: int, bonus: int = 0) -> Move:
    placed = {"ante_across": ante, "ante_down": ante} | ({"five_card_bonus": bonus} if bonus else {})
    return Move("place_wagers", {"seat": 1, "wagers": placed})


# --- wagers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("ante 10", wagers(1000)),
        ("  Ante   $10. ", wagers(1000)),
        ("antes 10", wagers(1000)),
        ("ante 10 bonus 5", wagers(1000, 500)),
        ("ante 10, bonus 5", wagers(1000, 500)),
        ("ante $10 and bonus $5", wagers(1000, 500)),
        ("ante 10 + bonus 5", wagers(1000, 500)),
        ("bonus 5 ante 10", wagers(1000, 500)),
        ("ante 10 five card bonus 5", wagers(1000, 500)),
        ("ante 10 five_card_bonus 5", wagers(1000, 500)),
        ("ante10 bonus5", wagers(1000, 500)),
        ("ante 10 bonus 0", wagers(1000)),
        ("ante 10.00", wagers(1000)),
        ("rebet", wagers(2500, 300)),
        ("r", wagers(2500, 300)),
    ],
)
def test_wagers_before_the_cards(text: str, move: Move) -> None:
    assert said(text, BETTING) == move


def test_a_wager_that_is_named_again_changes_and_the_others_stay() -> None:
    assert said("ante 20", PLACED) == wagers(2000, 500)
    assert said("bonus 7", PLACED) == wagers(1000, 700)
    assert said("bonus 0", PLACED) == wagers(1000)


CREDITS = table_at("nj-pai-gow", "open_bets", wagers={})


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        ("main 10 player 2", {"main": 1000, "progressive_player": 200}),
        ("main 10 dealer 5 credits", {"main": 1000, "progressive_dealer": 500}),
        (
            "main 10, player 1 credit and dealer $3",
            {"main": 1000, "progressive_player": 100, "progressive_dealer": 300},
        ),
        ("main 10 progressive player 4", {"main": 1000, "progressive_player": 400}),
    ],
)
def test_credits_are_typed_as_credits_or_as_dollars(text: str, placed: Mapping[str, int]) -> None:
    assert said(text, CREDITS) == Move("place_wagers", {"seat": 1, "wagers": placed})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("main 10 player 6", "player: this amount is not allowed: '6 credits' (allowed: 1 to 5 credits of $1)"),
        ("main 10 dealer 1.50", "dealer: this amount is not allowed: '$1.50' (allowed: 1 to 5 credits of $1)"),
    ],
)
def test_credits_that_are_not_allowed_are_refused_in_credits(text: str, expected: str) -> None:
    assert refused(text, CREDITS).startswith(expected)


@pytest.mark.parametrize("text", ["clear", "take back", "x"])
def test_wagers_are_taken_back(text: str) -> None:
    assert said(text, PLACED) == Move("place_wagers", {"seat": 1, "wagers": {}})
    assert refused(text, BETTING).startswith("not now: 'clear'")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ante 3", "ante: this amount is not allowed: '$3' (allowed: $5 to $500) [MDC-1, MDC-20]"),
        ("ante 1,000", "ante: this amount is not allowed: '$1,000' (allowed: $5 to $500) [MDC-1, MDC-20]"),
        ("ante 10.50", "ante: this amount is not allowed: '$10.50' (allowed: $5 to $500) [MDC-1, MDC-20]"),
        ("ante 10 bonus 200", "bonus: this amount is not allowed: '$200' (allowed: $1 to $100) [MDC-21]"),
        ("bonus 5", "place the ante first (allowed: ante $5 to $500) [MDC-21]"),
        ("ante 0", "ante: this amount is not allowed: '$0' (allowed: $5 to $500) [MDC-1, MDC-20]"),
        ("ante 10 ante 20", "the wager is named twice: 'ante' (allowed: one amount for each wager)"),
        (
            "bonus 5 ante 10 five card bonus 5",
            "the wager is named twice: 'five card bonus' (allowed: one amount for each wager)",
        ),
        ("ante 10 luck 5", "no such wager here: 'luck' (allowed: ante, bonus, spin)"),
        ("ante 10 xtreme 5", "no such wager here: 'xtreme' (allowed: ante, bonus, spin)"),
        ("ante 10 ante across 5", "the wager is named twice: 'ante across' (allowed: one amount for each wager)"),
        ("ante 500 bonus 100", "your wagers exceed your chips: '$1,100' (allowed: $1,000)"),
    ],
)
def test_a_wager_that_cannot_be_is_refused_with_what_is_allowed(text: str, line: str) -> None:
    assert refused(text, BETTING) == line


def test_rebet_needs_a_round_before() -> None:
    assert refused("rebet", BETTING, {}).startswith("not now: 'rebet' (allowed: ante $5–$500")


# --- decisions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("bet 3", 3000), ("bet 3x", 3000), ("bet x3", 3000), ("3x", 3000), ("3", 3000), ("1x", 1000), ("2", 2000),
        ("BET 1", 1000), ("bet $25", 2500), ("$25", 2500), ("bet 25", 2500), ("raise 2", 2000), ("bet $10.00", 1000),
    ],
)  # fmt: skip
def test_bets_in_multiples_and_in_dollars(text: str, cents: int) -> None:
    assert said(text, ACROSS) == Move("bet", {"seat": 1, "cents": cents})


@pytest.mark.parametrize("text", ["bet $3", "bet 4", "4x", "bet 40", "bet $10.50", "bet 0", "bet 9"])
def test_a_bet_that_is_not_allowed_is_refused(text: str) -> None:
    line = refused(text, ACROSS)
    assert line.startswith("bet: this amount is not allowed: '$")
    assert line.endswith("(allowed: $10 to $30) [MDC-20, MDC-31]")


def test_dollars_and_multiples_are_told_apart_at_small_antes() -> None:
    """With an ante of $2 a bare 3 is three times the ante; three dollars are written $3."""
    game = compile_game("md-criss-cross", {"wagers": {"ante": {"min_cents": 200}}})
    view = replace(player_view_of(ACROSS, 1), game=game, placed={"ante_across": 200, "ante_down": 200})
    (bet,) = view.options["bet"]
    view = replace(
        view, options={"bet": (replace(bet, ranges={"cents": replace(bet.ranges["cents"], min=200, max=600)}),)}
    )
    assert parse_command("bet 3", view, {}) == Move("bet", {"seat": 1, "cents": 600})
    assert parse_command("bet $3", view, {}) == Move("bet", {"seat": 1, "cents": 300})


@pytest.mark.parametrize("text", ["fold", "f", "Fold!", " FOLD "])
def test_folding(text: str) -> None:
    assert said(text, ACROSS) == Move("fold", {"seat": 1})


@pytest.mark.parametrize(
    ("table", "text", "choice"),
    [
        (EXPOSE, "expose", "expose"), (EXPOSE, "e", "expose"), (EXPOSE, "decline", "decline"), (EXPOSE, "d", "decline"),
        (RAISE, "vertical", "vertical"), (RAISE, "v", "vertical"), (RAISE, "h", "horizontal"),
    ],
)  # fmt: skip
def test_choices_by_name(table: TableState, text: str, choice: str) -> None:
    assert said(text, table) == Move("choose", {"seat": 1, "choice": choice})


@pytest.mark.parametrize(
    "text", ["set Js Th", "set JsTh", "SET js, 10h", "front Js Th", "low Js Th", "Js Th", "set j 10", "set jt"]
)
def test_two_cards_are_set_in_front(text: str) -> None:
    assert said(text, SETTING) == Move("set_hand", {"seat": 1, "low": parse_cards("Js Th"), "insists": False})


def test_a_foul_can_be_insisted_on() -> None:
    assert said("set 6d 6c anyway", SETTING) == Move(
        "set_hand", {"seat": 1, "low": parse_cards("6d 6c"), "insists": True}
    )


@pytest.mark.parametrize("text", ["house way", "way", "w", "house", "h"])
def test_the_house_way(text: str) -> None:
    assert said(text, SETTING) == Move("set_house_way", {"seat": 1})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("set k j", "set: these are not two of your cards: 'k j' (allowed: Js 6d 2c 8c 6c Th 7d)"),
        ("set jk 6", "set: these are not two of your cards: 'jk 6' (allowed: Js 6d 2c 8c 6c Th 7d)"),
        ("set Ks Js", "set: this is not one of your cards: 'Ks' (allowed: Js 6d 2c 8c 6c Th 7d)"),
        ("set Js", "set: wrong number of cards: 1 (allowed: 2)"),
        ("set Js Js", "set: card given more than once: 'Js'"),
        ("set one two", "set: not a card: 'one' (allowed: 2c … As, Jk (joker), ?? (face down))"),
    ],
)
def test_cards_that_cannot_be_set_are_refused(text: str, line: str) -> None:
    assert refused(text, SETTING) == line


def test_hands_are_set_only_when_they_are_asked_for() -> None:
    assert refused("set Js Th", ACROSS).startswith("not now: 'set' (allowed: bet")
    assert refused("bet 3", SETTING).startswith("not now: 'bet 3' (allowed: set __ __")
    assert refused("bank", SETTING).startswith("not now: 'bank' (allowed: set __ __")
    assert refused("house", ACROSS).startswith("not now: 'house' (allowed: bet")


def test_the_wagers_of_another_game_have_their_own_names() -> None:
    table = table_at("nj-double-cross", "open_bets")
    expected = Move("place_wagers", {"seat": 1, "wagers": DOUBLE})
    assert said("ante 10 three 5", table) == said("ante 10 three card 5", table) == expected


def test_without_chips_for_a_bet_the_line_says_so() -> None:
    table = table_at("md-criss-cross", "decide_across", chips=25_00)
    assert said("buy 100", table) == Move("buy_chips", {"seat": 1, "cents": 100_00})
    line = refused("bet 1", table)
    assert line == "your chips do not cover a bet (allowed: buy 100, fold, cards, pays, why, log, help, quit)"


# --- questions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("", TypedQuestion("deal")),
        ("deal", TypedQuestion("deal")),
        ("d", TypedQuestion("deal")),
        ("pass", TypedQuestion("pass")),
        ("sit out", TypedQuestion("pass")),
        ("cards", TypedQuestion("cards")),
        ("c", TypedQuestion("cards")),
        ("pays", TypedQuestion("pays")),
        ("p", TypedQuestion("pays")),
        ("balance", TypedQuestion("balance")),
        ("b", TypedQuestion("balance")),
        ("log", TypedQuestion("log")),
        ("log 40", TypedQuestion("log", 40)),
        ("why", TypedQuestion("why")),
        ("help", TypedQuestion("help")),
        ("?", TypedQuestion("help")),
        ("quit", TypedQuestion("quit")),
        ("q", TypedQuestion("quit")),
    ],
)
def test_questions(text: str, ask: TypedQuestion) -> None:
    assert said(text, BETTING) == ask
    if ask.what not in ("deal", "pass"):
        assert said(text, ACROSS) == ask


@pytest.mark.parametrize("text", ["", "deal", "pass", "ante 10", "rebet", "clear", "leave"])
def test_what_belongs_before_the_cards_is_refused_after_them(text: str) -> None:
    line = refused(text, ACROSS)
    assert line.startswith("not now: ")
    assert line.endswith("(allowed: bet $10–$30 (1x 2x 3x), fold, cards, pays, why, log, help, quit)")


@pytest.mark.parametrize("text", ["bet 3", "3x", "$10", "fold", "surrender", "house way"])
def test_what_belongs_after_the_cards_is_refused_before_them(text: str) -> None:
    assert refused(text, BETTING).startswith(f"not now: {text!r} (")
    assert "(allowed: ante $5–$500 [bonus $1–$100] [spin $5], rebet, pass, pays, log, help, quit)" in refused(
        text, BETTING
    )


def test_chips_and_the_seat() -> None:
    assert said("buy 100", BETTING) == Move("buy_chips", {"seat": 1, "cents": 100_00})
    assert said("leave", BETTING) == Move("leave_seat", {"seat": 1})
    assert refused("buy 0", BETTING).startswith("buy: this amount is not allowed: '$0'")


@pytest.mark.parametrize("text", ["hello", "bet", "ante", "bet three", "3xx", "fold now", "♠", "bet -3", "ante -5"])
def test_anything_else_is_not_understood_and_says_what_is(text: str) -> None:
    line = refused(text, ACROSS)
    assert (
        line == f"not understood: {text!r} (allowed: bet $10–$30 (1x 2x 3x), fold, cards, pays, why, log, help, quit)"
    )


# --- as a prompt ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (BETTING, "ante $5–$500 [bonus $1–$100] [spin $5], rebet, pass, pays, log, help, quit"),
        (PLACED, "ante $5–$500 [bonus $1–$100] [spin $5], clear, deal (Enter), pays, log, help, quit"),
        (ACROSS, "bet $10–$30 (1x 2x 3x), fold, cards, pays, why, log, help, quit"),
        (EXPOSE, "expose, decline, cards, pays, why, log, help, quit"),
        (RAISE, "fold, vertical, horizontal, cards, pays, why, log, help, quit"),
        (SETTING, "set __ __ (the two in front), ask, house way, surrender, cards, pays, why, log, help, quit"),
    ],
)
def test_what_is_allowed_in_words(table: TableState, words: str) -> None:
    assert in_words(player_view_of(table, 1), LAST) == words
    assert len(words) <= 78 or table in (SETTING, PLACED), "it fits a terminal, indented"


def test_only_multiples_that_the_chips_allow_are_offered() -> None:
    table = table_at("md-criss-cross", "decide_across", chips=45_00)
    assert in_words(player_view_of(table, 1), {}).startswith("bet $10–$25 (1x 2x), fold")


def test_a_player_who_cannot_ante_is_asked_to_buy_chips() -> None:
    table = table_at("md-criss-cross", "open_bets", chips=8_00)
    assert in_words(player_view_of(table, 1), {}) == "buy 100, pass, pays, log, help, quit"


ALWAYS = {"rebet", "clear", "deal", "pass", "cards", "pays", "balance", "why", "log", "buy", "leave", "quit"}


@pytest.mark.parametrize(
    ("book", "words"),
    [
        ("md-criss-cross", {"ante", "bonus", "bet", "3x", "fold"}),
        ("nj-double-cross", {"ante", "three", "expose", "decline", "vertical", "horizontal", "fold"}),
        ("nj-pai-gow", {"main", "imperial", "player", "set", "house way", "surrender"}),
    ],
)
def test_help_lists_everything_the_prompts_offer_and_nothing_from_other_games(book: str, words: set[str]) -> None:
    lines = typing_help_lines(new_table(compile_game(book)))
    help_text = " ".join(line[:22] for line in lines)
    known = {"ante", "main", "bonus", "three", "imperial", "bet", "3x", "fold", "expose", "decline", "vertical"}
    known |= {"horizontal", "player", "set", "house way", "surrender"}
    assert {word for word in known if re.search(rf"\b{word}\b", help_text)} == words
    assert set(re.findall(r"\w+", help_text)) >= ALWAYS
    assert all(len(line) <= 78 for line in lines)


# --- anything at all ------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["ante", "bonus", "bet", "fold", "x", "3x", "1", "2", "10", "$25", "0", "999999999", "1.5", "rebet", "clear",
     "deal", "log", "buy", "leave", "and", "+", ",", "$", "five card bonus", "pass", "three", "\n", "é", "10 10"]
)  # fmt: skip
LINES = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=7).map(" ".join))


@pytest.mark.exhaustive
@settings(max_examples=300)
@given(text=LINES, table=st.sampled_from([BETTING, PLACED, ACROSS, EXPOSE, RAISE]))
def test_any_typed_move_is_one_that_the_table_accepts(text: str, table: TableState) -> None:
    meant = said(text, table)
    if isinstance(meant, Move):
        command = meant.command(id="typed", who="Ann", role="player", at=10**9)
        assert isinstance(run(table, command), Accepted)
    elif isinstance(meant, Problem):
        assert meant.allowed


def test_a_very_long_line_does_no_harm() -> None:
    for text in ("a " * 100_000, "ante " * 50_000 + "1", "9" * 100_000, "ante 1 " * 50_000, "ante 1 and " * 50_000):
        assert isinstance(said(text, BETTING), Problem)


def test_a_sight_without_options_understands_questions_only() -> None:
    bystander: PlayerView = replace(player_view_of(BETTING, 1), options={})
    assert parse_command("cards", bystander, {}) == TypedQuestion("cards")
    assert isinstance(parse_command("ante 10", bystander, {}), Problem)
