"""Scripted rounds, bots, typed commands and narration of games that no code knows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from crossfelt.cards.card import enc_hook
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.play.bots import bot_named
from crossfelt.play.command_parser import in_words, parse_command
from crossfelt.play.narration import narrate
from crossfelt.play.player_view import PlayerView, player_view_of
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.proof.resettle import Resettlement
from crossfelt.rulebooks.game import compile_game
from crossfelt.table import events as e
from crossfelt.table.act import Move
from unit.play.strangers import ROOT, STRANGERS, stranger

DUEL = "river-duel"
THREE = "three-card-poker"
HOLDEM = "ultimate-texas-holdem"


def play(name: str, cards: dict[str, str], *seats: dict[str, Any]) -> PlayedRound:
    script = {"rulebook": name, "cards": cards, "seats": list(seats)}
    return ScriptRunner(game=stranger(name)).play(script, where="round")


def seat(number: int, wagers: dict[str, int], **decisions: int | str) -> dict[str, Any]:
    return {"seat": number, "wagers": wagers, "decisions": decisions}


def told(name: str, played: PlayedRound) -> list[str]:
    return [line for event in played.events if (line := narrate(event, stranger(name)))]


def paid(played: PlayedRound, number: int) -> dict[str, tuple[str, int]]:
    return {wager: (str(it.result), it.paid) for wager, it in played.result.seats[str(number)].wagers.items()}


def test_cards_of_any_group_lie_where_a_script_names_them() -> None:
    cards = {"street": "Js Jc 2d", "seat1": "Jd 4c"}
    bets = {"third": 1000, "fourth": 2000, "fifth": 3000}
    played = play("mississippi-stud", cards, seat(1, {"ante": 1000, "three_card": 500}, **bets))
    assert paid(played, 1) == {
        "ante": ("win", 3000),
        "third": ("win", 3000),
        "fourth": ("win", 6000),
        "fifth": ("win", 9000),
        "three_card": ("win", 500),
    }
    lines = told("mississippi-stud", played)
    assert "Dealer turns up the 3rd card J♠" in lines
    assert "Seat 1: pair of jacks in the shared cards — three-card bonus $5 wins $5 at 1 to 1" in lines


def test_a_dealer_who_does_not_qualify_is_announced_and_the_bonus_paid_beside() -> None:
    cards = {"dealer": "Jd 7s 2h", "seat1": "4s 5d 6c", "seat2": "9s 9d 4c"}
    both = seat(1, {"ante": 1000}, play=1000), seat(2, {"ante": 1000, "pair_plus": 500}, play=1000)
    played = play(THREE, cards, *both)
    lines = told(THREE, played)
    assert "Dealer has jack-high and does not qualify" in lines
    assert "Seat 1 is paid $10 for six-high straight: ante bonus at 1 to 1" in lines
    assert paid(played, 2) == {"ante": ("win", 1000), "play": ("push", 0), "pair_plus": ("win", 500)}
    assert played.result.seats["1"].net == 2000


def test_nothing_is_said_of_the_dealers_hand_before_its_last_card_is_up() -> None:
    cards = {"dealer": "Ks 8h", "board": "6c Jh Ah", "seat1": "9s 5d"}
    played = play(DUEL, cards, seat(1, {"ante": 1000, "ride": 500}, early="check", ride_on="check", late=1000))
    lines = told(DUEL, played)
    door, last = (
        lines.index("Dealer turns up the dealer's card K♠"),
        lines.index("Dealer has ace-high and does not open"),
    )
    assert lines[last - 1] == "Dealer turns up the dealer's card 8♥"
    assert lines[door + 1 : door + 4] == [
        "Seat 1 checks",
        "Dealer turns up the flop cards 6♣ J♥",
        "Seat 1 says “let it ride”",
    ]


def test_a_wager_taken_back_is_neither_won_nor_lost() -> None:
    cards = {"dealer": "Ks 8h", "board": "6c Jh Ah", "seat1": "9s 5d"}
    taken = seat(1, {"ante": 1000, "ride": 500}, early="check", ride_on="withdraw", late="fold")
    played = play(DUEL, cards, taken)
    assert "Seat 1 takes back the ride, $5" in told(DUEL, played)
    assert played.result.seats["1"].net == -1000


def test_a_pay_line_with_an_amount_is_the_whole_award() -> None:
    game = compile_game(str(ROOT / "tests" / "data" / "rulebooks" / "jackpot-stud.toml"))
    script = {
        "rulebook": game.book.id,
        "cards": {"seat1": "2h 5h 9h Jh Kh", "dealer": "Ac Kd 7s 5c 3d"},
        "seats": [seat(1, {"ante": 1000, "jackpot": 100}, **{"raise": 2000})],
    }
    played = ScriptRunner(game=game).play(script, where="round")
    assert (paid(played, 1)["jackpot"], played.result.seats["1"].net) == (("win", 5000), 1000 + 10000 + 5000 - 100)
    again = Resettlement(game.as_data())
    events = [msgspec.to_builtins(event, enc_hook=enc_hook) for event in played.events]
    assert [complaint for event in events for complaint in again.see(event)] == []


@pytest.mark.parametrize("name", STRANGERS)
def test_careful_bots_bet_fold_and_end_their_rounds(name: str) -> None:
    session = TableSession(stranger(name), ShuffledSource(repeatable_seed(3)), at=TickingClock())
    session.open()
    for number, style in enumerate(("careful:10+5", "careful", "random", "always-2"), start=1):
        session.sit(number, f"bot {number}", 1_000_00, bot_named(style, repeatable_seed(number), game=stranger(name)))
    events = [event for happened in session.play(rounds=8) for event in happened.events]
    kinds = Counter((type(event), getattr(event, "seat", 0)) for event in events)
    careful = {kind: kinds[kind, 1] + kinds[kind, 2] for kind in (e.HandFolded, e.BetPlaced)}
    assert sum(isinstance(event, e.RoundClosed) for event in events) == 8
    assert all(careful.values()), careful


def asked(name: str, until: str, *typed: str) -> PlayerView:
    """Return the view of a player who has typed some lines, at the step of a round."""
    session = TableSession(stranger(name), ShuffledSource(repeatable_seed(3)), at=TickingClock())
    session.open()
    session.sit(1, "Ann", 1_000_00)
    lines = iter(typed)
    for _ in range(20):
        list(session.advance())
        view = player_view_of(session.table, 1)
        if session.table.step == until:
            return view
        if session.table.step == "open_bets" and view.placed:
            session.lock()
            continue
        move = parse_command(next(lines), view, {})
        assert isinstance(move, Move), move
        session.ask(move, "Ann")
    raise AssertionError(until)


@pytest.mark.parametrize(
    ("name", "until", "typed", "line", "move"),
    [
        (THREE, "play", ("ante 10 pair 5 six 2",), "play", {"seat": 1, "cents": 1000}),
        (THREE, "play", ("ante 10",), "bet", {"seat": 1, "cents": 1000}),
        (DUEL, "early", ("ante 10 pocket pair 5",), "4x", {"seat": 1, "cents": 4000}),
        (DUEL, "ride_on", ("ante 10 ride 5", "check"), "let it ride", {"seat": 1, "choice": "check"}),
        (DUEL, "ride_on", ("ante 10 ride 5", "check"), "withdraw", {"seat": 1, "choice": "withdraw"}),
        ("mississippi-stud", "third", ("ante 10 bonus 5",), "3", {"seat": 1, "cents": 3000}),
        (HOLDEM, "before_flop", ("blind 10 trips 5",), "3x", {"seat": 1, "cents": 3000}),
    ],
)
def test_typed_commands_follow_the_words_of_the_rulebook(
    name: str, until: str, typed: tuple[str, ...], line: str, move: dict[str, Any]
) -> None:
    meant = parse_command(line, asked(name, until, *typed), {})
    assert isinstance(meant, Move), meant
    assert meant.fields == move


def test_the_prompt_names_wagers_and_acts_by_the_rulebook() -> None:
    assert in_words(asked(THREE, "open_bets"), {}).startswith(
        "[ante $5–$500] [pair plus $1–$100] [six card $1–$100], pass"
    )
    assert in_words(asked(DUEL, "early", "ante 10"), {}).startswith("bet $40 (4x), check, cards")
    assert in_words(asked(DUEL, "ride_on", "ante 10 ride 5", "check"), {}).startswith("withdraw, let it ride, cards")
