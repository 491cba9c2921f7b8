"""The table engine on one core: complete six-seat rounds, replay of their events, and rounds made durable."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import count
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from benchmarks.peers import hands_of_holdem
from benchmarks.timing import Figure, Result, best_of, our_figure, our_result, say
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.play.sources import ShuffledSource
from crossfelt.proof.hash_chain import row_line
from crossfelt.proof.history import StreamHeader
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.script import Decide, OfferBank, OpenBets, SetHands
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import Lease
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from crossfelt.table import commands as c
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted
from crossfelt.table.engine import run as carry_out
from crossfelt.table.events import Event
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState, new_table, step_of

Row = tuple[Command, tuple[Event, ...]]

ROUNDS: Final = 200
BOOKS: Final = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross", "nj-double-cross", "nj-pai-gow")
GOALS: Final = {"criss_cross": 1_000.0}
SEATS: Final = range(1, 7)
PEER: Final = "pokerkit, hands of hold'em"
WAGERS: Final = {
    "criss_cross": {"ante_across": 10_00, "ante_down": 10_00, "five_card_bonus": 5_00},
    "double_cross": {"ante": 10_00, "three_card": 5_00},
    "pai_gow": {"main": 25_00},
}
PLAYED: Final = {
    "criss_cross": "every player bets three times",
    "double_cross": "every player shows three cards and raises",
    "pai_gow": "every hand is set the house way",
}
STORED_BOOK: Final = "md-criss-cross"
STORED_ROUNDS: Final = 3
STORED_TABLES: Final = 100
STORED_GOAL: Final = 300.0
STORED_NOTE: Final = (
    "SQLite, synchronous=FULL; rows are chained, leased and hashed, tables at once share commits; the peer writes the "
    "same bytes without a chain"
)
SQLITE: Final = "sqlite3, a commit for each row"


def table(repeats: int) -> Iterator[Result]:
    say(f"table: {ROUNDS} six-seat rounds, shuffled, cut, dealt and settled ...")
    games = {book: compile_game(book) for book in BOOKS}
    work: dict[str, Callable[[], object]] = {book: partial(play, game, ROUNDS) for book, game in games.items()}
    skipped: tuple[str, ...] = ()
    try:
        work[PEER] = hands_of_holdem(len(SEATS), ROUNDS)
    except ImportError as error:
        skipped = (f"pokerkit: {error}",)
    times = best_of(work, repeats)
    theirs = tuple(Figure(who=PEER, value=ROUNDS / times[name]) for name in times if name == PEER)
    for name, played in PLAYED.items():
        books = [book for book, game in games.items() if game.book.game == name]
        yield Result(
            name=f"complete six-seat rounds of {name.replace('_', ' ')}, one core",
            unit="rounds/s",
            figures=(*(our_figure(ROUNDS / times[book], book) for book in books), *theirs),
            more_is_better=True,
            goal_value=GOALS.get(name),
            skipped=skipped,
            note=f"secure shuffle and cut included; {played}; the peer's hands are of another game",
        )
    game = games["md-criss-cross"]
    events = play(game, ROUNDS)
    seconds = best_of({"replay": lambda: reduce(evolve, events, new_table(game))}, repeats)["replay"]
    name = "replay of recorded events, one core"
    yield our_result(name, "events/s", len(events) / seconds, goal=100_000.0, more_is_better=True)


def store(repeats: int) -> Iterator[Result]:
    """Time rounds whose every command is a commit of its own, at one table and at many."""
    lived = list(rows(compile_game(STORED_BOOK), STORED_ROUNDS))
    bodies = [row_line(command, events, "", 1).body for command, events in lived]
    say(f"store: {STORED_ROUNDS} six-seat rounds at {STORED_TABLES} tables at once, {len(lived)} commits each ...")
    numbers = count()
    many, one = f"{STORED_TABLES} tables", "one table"
    with tempfile.TemporaryDirectory(prefix="crossfelt-bench-") as folder, asyncio.Runner() as runner:
        kept, plain = open_store(Path(folder)), _plain(Path(folder))
        work: dict[str, Callable[[], object]] = {
            many: lambda: runner.run(_keep(kept, lived, numbers, STORED_TABLES)),
            one: lambda: runner.run(_keep(kept, lived, numbers, 1)),
            SQLITE: lambda: _write_plainly(plain, bodies, next(numbers)),
        }
        times = best_of(work, min(repeats, 3))
        runner.run(kept.close())
        plain.close()
    peer = Figure(who=SQLITE, value=STORED_ROUNDS / times[SQLITE])
    for name, tables, goal in ((many, STORED_TABLES, STORED_GOAL), (one, 1, None)):
        yield our_result(
            f"six-seat rounds made durable, every command by itself, {name}",
            "rounds/s",
            tables * STORED_ROUNDS / times[name],
            peer,
            goal=goal,
            note=STORED_NOTE,
            more_is_better=True,
        )


def play(game: Game, rounds: int) -> list[Event]:
    """Return every event of rounds in which no player folds or bets more than the least."""
    return [event for _, events in rows(game, rounds) for event in events]


def rows(game: Game, rounds: int) -> Iterator[Row]:
    """Yield every command of such rounds with its events."""
    table = new_table(game)
    dealer = Dealer(ShuffledSource(repeatable_seed(0)))
    pending: list[Command] = _opening()
    while True:
        command = pending.pop(0) if pending else dealer.next_command(table, 0)
        if command is None:
            if isinstance(step_of(table), OpenBets):
                if table.round > rounds:
                    return
                pending = _betting(WAGERS[game.book.game])
                continue
            command = _answer(table)
        answer = carry_out(table, command)
        assert isinstance(answer, Accepted), answer
        yield command, answer.events
        table = answer.table


def _opening() -> list[Command]:
    opened: list[Command] = [c.OpenTable(id="open", who="floor", role="floor", at=0, inventory_cents=10**11)]
    return opened + [
        c.TakeSeat(id="sit", who=f"player {seat}", role="player", at=0, seat=seat, chips_cents=10**9) for seat in SEATS
    ]


def _betting(wagers: dict[str, int]) -> list[Command]:
    placed: list[Command] = [
        c.PlaceWagers(id="bet", who=f"player {seat}", role="player", at=0, seat=seat, wagers=wagers) for seat in SEATS
    ]
    return [*placed, c.NoMoreBets(id="lock", who="dealer", role="dealer", at=0)]


def _answer(table: TableState) -> Command:
    """Return the first option of the player in turn."""
    seat, step = table.turn[0], step_of(table)
    who = f"player {seat}"
    if isinstance(step, OfferBank):
        return c.DeclineBank(id="pass", who=who, role="player", at=0, seat=seat)
    if isinstance(step, SetHands):
        return c.SetHouseWay(id="set", who=who, role="player", at=0, seat=seat)
    assert isinstance(step, Decide)
    choice = table.game.options(step)[0]
    if choice == "bet":
        return c.Bet(id="bet", who=who, role="player", at=0, seat=seat, cents=10_00)
    return c.Choose(id="choose", who=who, role="player", at=0, seat=seat, choice=choice)


async def _keep(store: Store, lived: Sequence[Row], numbers: Iterator[int], tables: int) -> None:
    await asyncio.gather(*(_table(store, f"t{next(numbers)}", lived) for _ in range(tables)))


async def _table(store: Store, table: str, lived: Sequence[Row]) -> None:
    """Commit as a table does: each command once the one before it is durable."""
    stream = f"table/{table}"
    lease = await store.lease(f"table/{table}", "bench", 60)
    assert lease is not None
    await store.commit([stream], lambda tx: tx.open(stream, StreamHeader(stream=stream), 0))
    for number, row in enumerate(lived):
        await store.commit([stream], _appending(stream, row, number, lease))


def _appending(stream: str, row: Row, number: int, lease: Lease) -> Callable[[Transaction], object]:
    command, events = replace(row[0], id=str(number)), row[1]
    return lambda transaction: transaction.append(stream, command, events, lease=lease)


def _plain(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "plain.sqlite", isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("create table lines (stream integer, seq integer, body blob, unique (stream, seq))")
    return connection


def _write_plainly(connection: sqlite3.Connection, bodies: Sequence[bytes], stream: int) -> None:
    for number, body in enumerate(bodies):
        connection.execute("insert into lines values (?, ?, ?)", (stream, number, body))
