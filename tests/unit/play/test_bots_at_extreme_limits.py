"""With any limits and odds of a submission, a table with bots plays or comes to rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, Final, TypeVar

import pytest

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.bots import BOTS, Bot, bets
from crossfelt.play.next_action import Autopilot, AutopilotState
from crossfelt.play.session import AppliedCommand, TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import load
from crossfelt.rulebooks.model import Choice
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.automation import Dealer
from crossfelt.table.flow import in_round
from soak_length import one_of_each_game
from unit.rulebooks.document_cases import tree

E = TypeVar("E", bound=e.Event)
BOOKS: Final = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross", "nj-double-cross", "nj-pai-gow")
HIGH_ODDS: Final = "999999999 to 1"
ROUNDS: Final = 3
TIMES_AS_LONG: Final = 3
"""A round at extreme limits takes at most this many times the usual commands: purchases, fills, awards."""


# --- submissions ----------------------------------------------------------------------------------------------------


def within(choice: Choice, value: int) -> int:
    """The value, or the next that the choice allows."""
    low = 0 if choice.min is None else choice.min
    high = LARGEST_CENTS if choice.max is None else choice.max
    return min(max(value, low), high)


def limits_at(book: str, cents: int) -> dict[str, Any]:
    """Every wager at one amount, as near as the document allows, and every credit at that price."""
    choices = {choice.path: choice for choice in load(book).choices}
    values: dict[str, int] = {}
    for path, choice in choices.items():
        base, _, name = path.rpartition(".")
        if name in ("min_cents", "min_credits"):
            bounds = [f"{base}.{bound}_{name.removeprefix('min_')}" for bound in ("min", "max", "step")]
            values |= dict.fromkeys([bound for bound in bounds if bound in choices], within(choice, cents))
        elif name == "credit_cents":
            values[path] = cents
    return tree(values)


def ends_of(book: str) -> Iterator[dict[str, Any]]:
    """Every number that may be stated, at its least and at its most."""
    for choice in load(book).choices:
        if choice.kind in ("cents", "whole", "rate"):
            yield from (tree({choice.path: within(choice, end)}) for end in (0, LARGEST_CENTS))


def best_odds() -> dict[str, Any]:
    """The highest odds that may be stated in New Jersey's Double Cross Poker, for every hand."""
    tables = load("nj-double-cross").paytables
    return {table.id: {line.name: HIGH_ODDS for line in table.lines if line.odds is not None} for table in tables}


# --- at the table ---------------------------------------------------------------------------------------------------


def bot(game: Game, seat: int) -> Bot:
    """A bot with every wager that there is; each seat decides in another way."""
    sides = {wager.id: 10 for wager in game.opening_wagers.values() if not wager.required}
    ways = list(BOTS.values())
    return bets(10, **sides) + ways[seat % len(ways)](repeatable_seed(seat))


def full_table(game: Game) -> TableSession:
    session = TableSession(game, ShuffledSource(repeatable_seed(7)), at=TickingClock())
    session.open()
    for seat in session.table.seats:
        assert isinstance(
            session.sit(seat.number, f"bot {seat.number}", 1_000_00, bot(game, seat.number)), AppliedCommand
        )
    return session


@cache
def usual_commands(book: str) -> int:
    return sum(1 for _ in full_table(compile_game(book)).play(ROUNDS))


def played(session: TableSession, most: int) -> list[AppliedCommand]:
    """Play some rounds within a bounded number of commands: no bot buys chips twice for one, and no payment waits twice
    for a fill."""
    happened = list(islice(session.play(ROUNDS), most + 1))
    assert len(happened) <= most, Counter(type(one.command).__name__ for one in happened)
    assert not in_round(session.table)
    bought = Counter((one.after.round, event.seat) for one, event in found(happened, e.ChipsBought))
    waited = Counter((one.after.round, event.seat, event.wager) for one, event in found(happened, e.PaymentHalted))
    assert not [again for again, times in (bought + waited).items() if times > 1]
    return happened


def found(happened: list[AppliedCommand], kind: type[E]) -> list[tuple[AppliedCommand, E]]:
    """Return the events of a kind, each with its command."""
    return [(one, event) for one in happened for event in one.events if isinstance(event, kind)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("cents", [1, 10**8, 8 * 10**10, 10**11, LARGEST_CENTS])
@pytest.mark.parametrize("book", one_of_each_game())
def test_bots_play_or_rest_with_any_smallest_wagers(book: str, cents: int) -> None:
    session = full_table(compile_game(book, limits_at(book, cents)))
    happened = played(session, TIMES_AS_LONG * usual_commands(book))
    rounds, bought = len(found(happened, e.RoundClosed)), found(happened, e.ChipsBought)
    assert rounds == ROUNDS or (cents > 10**8 and rounds == 0 and not bought), "who sits out has bought nothing for it"


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", one_of_each_game())
def test_bots_play_or_rest_at_either_end_of_every_choice(book: str) -> None:
    most, games = TIMES_AS_LONG * usual_commands(book), 0
    for submission in ends_of(book):
        try:
            session = full_table(compile_game(book, submission))
        except BadInput:  # it does not go with what is chosen otherwise, or is more than a meter holds
            continue
        played(session, most)
        games += 1
    assert games >= 8


@pytest.mark.parametrize("cents", [10_00, 10**9, 3 * 10**11])
def test_the_tray_is_filled_once_for_a_payment_however_large(cents: int) -> None:
    book = "nj-double-cross"
    game = compile_game(book, {**limits_at(book, cents), "pays": best_odds()})
    happened = played(full_table(game), TIMES_AS_LONG * usual_commands(book))
    short = [event.short_cents for _, event in found(happened, e.PaymentHalted)]
    filled = [event.cents for _, event in found(happened, e.InventoryFilled)]
    assert len(short) == len(filled) > 0
    assert all(fill >= lacks for fill, lacks in zip(filled, short, strict=True))
    assert max(short) > 10**11


def test_a_bot_buys_once_for_a_round() -> None:
    """A bot that still lacks chips sits the round out; wagers taken back were never bought."""
    game = compile_game("nj-criss-cross", limits_at("nj-criss-cross", 1_000_00))
    session = TableSession(game, ShuffledSource(repeatable_seed(7)), at=TickingClock())
    session.open()
    session.sit(1, "bot", 1_000_00)
    while next(session.advance(), None):
        pass
    autopilot, dealer = Autopilot(at=lambda: 0, next_id=lambda: "1"), Dealer(ShuffledSource(repeatable_seed(7)))
    seated = AutopilotState().with_bot(1, bets(10) + BOTS["careful"](b""), 1_000_00)
    buys, bought = autopilot.next_command(session.table, seated, dealer)
    assert isinstance(buys, c.BuyChips)
    assert buys.cents == 10 * 1_000_00, "two antes and nine for the bets, less what it has"
    assert autopilot.next_command(session.table, bought, dealer) == (None, bought)
    assert autopilot.next_command(session.table, seated, dealer) == (buys, bought)
