"""A session: the order of turns, the record, and conserved money and cards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.play.bots import bets, bot_named, careful_player
from crossfelt.play.session import AppliedCommand, TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.proof.history import HistoryWriter, read_history
from crossfelt.proof.verify import verify
from crossfelt.rulebooks.game import compile_game
from crossfelt.table import events as e
from crossfelt.table.act import Move
from crossfelt.table.commands import Command
from crossfelt.table.engine import Refused
from crossfelt.table.events import Event
from crossfelt.table.state import step_of
from soak_length import one_of_each_game
from unit.table.manual_table import low_limit
from unit.table.random_table import replayed

BOOKS = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross", "nj-double-cross", "nj-pai-gow")
ANTES = {"ante_across": 1000, "ante_down": 1000}
SIX = ("careful:10+5", "always-1", "always-3:5+1", "random:20+5", "random", "always-2:500+100")


class Kept(list[tuple[Command, tuple[Event, ...]]]):
    """The commands and events that a session passes to `keep`."""

    def __call__(self, command: Command, events: tuple[Event, ...]) -> None:
        self.append((command, events))

    @property
    def events(self) -> list[Event]:
        return [event for _, events in self for event in events]


def session_of(book: str, seed: int = 7, stated: dict[str, Any] | None = None, **more: Any) -> TableSession:
    return TableSession(compile_game(book, stated), ShuffledSource(repeatable_seed(seed)), at=TickingClock(), **more)


def sit(session: TableSession, seat: int, name: str, bot: str = "", chips: int = 1_000_00) -> None:
    style = bot_named(bot, repeatable_seed(seat)) if bot else None
    assert isinstance(session.sit(seat, name, chips, style), AppliedCommand)


def with_bots(session: TableSession, *names: str) -> TableSession:
    session.open()
    for seat, name in enumerate(names, start=1):
        sit(session, seat, f"{name} {seat}", name)
    return session


# --- six bots, many rounds ------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", one_of_each_game())
@pytest.mark.parametrize("rounds", [20, pytest.param(200, marks=pytest.mark.soak)])
def test_six_bots_for_many_rounds(book: str, rounds: int, tmp_path: Path) -> None:
    """Money is conserved, every round closes, and the history replays to the same table and verifies."""
    file, kept = tmp_path / "history.jsonl", Kept()
    with HistoryWriter.create(file, "test", compile_game(book)) as writer:

        def keep(command: Command, events: tuple[Event, ...]) -> None:
            kept(command, events)
            writer.append(command, events)

        session = with_bots(session_of(book, keep=keep), *SIX)
        for happened in session.play(rounds=rounds):
            assert sum(happened.after.balances.values()) == 0
        counts = Counter(type(event) for event in kept.events)
        assert counts[e.RoundOpened] == counts[e.RoundClosed] == rounds
        for happened in session.close():
            assert sum(happened.after.balances.values()) == 0
    assert all(account == "cage" or account.startswith("meter:") for account in session.table.balances)
    assert (session.table.phase, [seat.player for seat in session.table.seats]) == ("closed", [""] * 6)
    with read_history(file) as history:
        assert replayed(history) == session.table
    report = verify(file)
    assert (report.fault, report.rounds, report.commands) == (None, rounds, len(kept))
    if book in BOOKS[:3]:
        assert report.resettled_rounds == rounds


@pytest.mark.parametrize(
    ("book", "stated"),
    [
        ("nj-criss-cross", {"dealing": {"method": "hand", "shuffler": "automatic", "decks": 2}}),
        ("ma-criss-cross", {"dealing": {"method": "automated_shoe", "shuffler": "automatic"}}),
        ("md-criss-cross", {"dealing": {"shuffler": "counting", "decks": 2}}),
        ("md-criss-cross", {"wagers": {"five_card_bonus": {"offered": False}}}),
        ("md-criss-cross", low_limit(90_00)),
    ],
)
def test_other_ways_of_dealing_are_played_as_well(book: str, stated: dict[str, Any]) -> None:
    kept = Kept()
    session = with_bots(session_of(book, stated=stated, keep=kept), "always-1:10+5", "random", "always-2")
    for _ in session.play(rounds=20):
        pass
    assert sum(isinstance(event, e.RoundClosed) for event in kept.events) == 20


def test_decks_are_replaced_when_their_hours_are_over() -> None:
    """The clock of this table goes fast: a deck is used for no more than eight hours in Maryland."""
    kept = Kept()
    game = compile_game("md-criss-cross")
    session = TableSession(game, ShuffledSource(repeatable_seed(7)), at=TickingClock(step=60_000), keep=kept)
    with_bots(session, "always-2", "always-1")
    assert sum(1 for _ in session.play(rounds=40))
    assert [event.reason for event in kept.events if isinstance(event, e.DeckRemoved)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", one_of_each_game())
def test_the_same_seed_gives_the_same_evening(book: str) -> None:
    evenings = []
    for seed in (7, 7, 8):
        kept = Kept()
        session = with_bots(session_of(book, seed, keep=kept), *SIX)
        for _ in session.play(rounds=5):
            pass
        evenings.append(list(kept))
    assert evenings[0] == evenings[1] != evenings[2]


def test_the_three_jurisdictions_pay_the_same_for_the_same_cards_and_bets() -> None:
    """Order and clauses differ; the default odds do not, and neither does what players win."""
    nets = []
    for book in BOOKS[:3]:
        session = with_bots(session_of(book), *SIX[1:])
        for _ in session.play(rounds=15):
            pass
        nets.append(dict(session.table.balances))
    assert nets[0] == nets[1] == nets[2]


# --- whose turn -----------------------------------------------------------------------------------------------------


def test_people_are_waited_for_and_bots_are_not() -> None:
    session = session_of("md-criss-cross")
    session.open()
    sit(session, 1, "Ann")
    sit(session, 2, "bot", "always-1")
    sit(session, 3, "Ben")
    events = [event for happened in session.advance() for event in happened.events]
    assert [event.seat for event in events if isinstance(event, e.WagersPlaced)] == [2]
    assert (session.people, session.waits_for) == ((1, 3), (1, 3))
    session.ask(Move("place_wagers", {"seat": 1, "wagers": ANTES}), "Ann")
    session.ask(Move("place_wagers", {"seat": 3, "wagers": ANTES}), "Ben")
    assert isinstance(session.lock(), AppliedCommand)
    assert list(session.advance())
    assert session.waits_for == (1,)
    assert list(session.advance()) == []
    session.ask(Move("bet", {"seat": 1, "cents": 1000}), "Ann")
    assert [type(event) for happened in session.advance() for event in happened.events] == [e.BetPlaced]
    assert session.waits_for == (3,)


def test_a_bot_is_asked_for_wagers_once_in_a_round() -> None:
    session = session_of("md-criss-cross")
    session.open()
    sit(session, 1, "Ann")
    sit(session, 2, "bot", "always-1")
    list(session.advance())
    session.ask(Move("place_wagers", {"seat": 2, "wagers": {}}), "bot")
    assert list(session.advance()) == []


def test_a_bot_buys_as_much_again_when_it_runs_short() -> None:
    kept = Kept()
    session = session_of("md-criss-cross", keep=kept)
    session.open()
    sit(session, 1, "bot", "always-3", chips=50_00)
    for _ in session.play(rounds=5):
        pass
    bought = [event.cents for event in kept.events if isinstance(event, e.ChipsBought)]
    assert bought[0] == 60_00, "a round at $10 can cost $110, and $50 were there"
    assert not any(isinstance(event, e.HandFolded) for event in kept.events)


def test_a_bot_without_the_smallest_ante_buys_until_it_can_play() -> None:
    session = session_of("md-criss-cross")
    session.open()
    sit(session, 1, "bot", "always-1", chips=1_00)
    assert sum(isinstance(event, e.RoundClosed) for h in session.play(rounds=1) for event in h.events) == 1


@pytest.mark.exhaustive
def test_an_empty_tray_is_filled_before_payment_continues() -> None:
    kept = Kept()
    session = session_of("md-criss-cross", keep=kept)
    session.open(tray_cents=0)
    sit(session, 1, "bot", "always-1:500", chips=10_000_00)
    for _ in session.play(rounds=30):
        pass
    kinds = [type(event) for event in kept.events]
    assert kinds[kinds.index(e.PaymentHalted) + 1] is e.InventoryFilled


# --- what is kept ---------------------------------------------------------------------------------------------------


def test_every_accepted_command_is_kept_and_no_refused_one() -> None:
    kept = Kept()
    session = session_of("md-criss-cross", keep=kept)
    session.open()
    sit(session, 1, "Ann")
    list(session.advance())
    before, table = len(kept), session.table
    refused = session.ask(Move("place_wagers", {"seat": 1, "wagers": {"ante_across": 1000}}), "Ann")
    assert isinstance(refused, Refused)
    assert refused.problem.code == "wager.missing"
    assert isinstance(session.lock(), Refused)
    assert (len(kept), session.table) == (before, table)
    accepted = session.ask(Move("place_wagers", {"seat": 1, "wagers": ANTES}), "Ann")
    assert isinstance(accepted, AppliedCommand)
    assert kept[-1] == (accepted.command, accepted.events)
    assert len({command.id for command, _ in kept}) == len(kept), "every command has an id of its own"


def test_a_taken_seat_is_refused_and_no_bot_moves_in() -> None:
    session = session_of("md-criss-cross")
    session.open()
    sit(session, 1, "Ann")
    assert isinstance(session.sit(1, "bot", 100_00, bets(10) + careful_player), Refused)
    assert session.people == (1,)


# --- the end --------------------------------------------------------------------------------------------------------


def ready_to_decide(session: TableSession) -> None:
    session.open()
    sit(session, 1, "Ann")
    sit(session, 2, "bot", "always-1")
    list(session.advance())
    session.ask(Move("place_wagers", {"seat": 1, "wagers": {**ANTES, "five_card_bonus": 500}}), "Ann")
    session.lock()
    list(session.advance())


@pytest.mark.parametrize("book", BOOKS[:3])
def test_closing_in_the_middle_of_a_round_plays_it_to_its_end(book: str) -> None:
    session = session_of(book)
    ready_to_decide(session)
    events = [event for happened in session.close() for event in happened.events]
    folded = [event for event in events if isinstance(event, e.HandFolded)]
    assert [(event.seat, event.timed_out) for event in folded] == [(1, True)]
    kinds = [type(event) for event in events]
    assert e.RoundClosed in kinds
    assert kinds[-3:] == [e.SeatLeft, e.SeatLeft, e.TableClosed]
    assert session.table.balances == {}


def test_closing_follows_the_rule_for_players_who_do_not_answer() -> None:
    session = session_of("md-criss-cross", stated={"play": {"on_timeout": "smallest_bet"}})
    ready_to_decide(session)
    events = [event for happened in session.close() for event in happened.events]
    bets_made = [(event.wager, event.cents) for event in events if isinstance(event, e.BetPlaced) and event.seat == 1]
    assert bets_made == [("across", 1000), ("down", 1000), ("middle", 1000)]


def test_closing_before_the_cards_gives_wagers_back() -> None:
    session = session_of("md-criss-cross")
    session.open()
    sit(session, 1, "Ann")
    sit(session, 2, "bot", "always-1")
    list(session.advance())
    session.ask(Move("place_wagers", {"seat": 1, "wagers": ANTES}), "Ann")
    events = [event for happened in session.close() for event in happened.events]
    assert [event.chips_cents for event in events if isinstance(event, e.SeatLeft)] == [1_000_00, 1_000_00]
    assert step_of(session.table) is None


def test_an_empty_table_is_no_problem() -> None:
    session = session_of("md-criss-cross")
    session.open()
    list(session.advance())
    assert session.waits_for == ()
    assert list(session.play(rounds=1)) == []
    assert [type(event) for happened in session.close() for event in happened.events] == [e.TableClosed]
