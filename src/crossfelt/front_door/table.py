"""A table in memory, for scripts and notebooks: the engine with a dealer, typed moves, and bots."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, overload

import msgspec

from crossfelt._util.atomic_files import owner_only
from crossfelt.analysis.advice import Advice
from crossfelt.analysis.best_play_bot import position_of, ways_to_decide
from crossfelt.analysis.solver.api import advise
from crossfelt.cards.card import enc_hook
from crossfelt.cards.shuffle import fresh_seed, read_seed
from crossfelt.errors import BadInput, Problem
from crossfelt.front_door.game import Game, load
from crossfelt.money.ledger import chips_of
from crossfelt.play import command_parser
from crossfelt.play.bots import bot_named
from crossfelt.play.narration import narrate
from crossfelt.play.player_view import PlayerView, player_view_of
from crossfelt.play.round_result import RoundResult, result_of
from crossfelt.play.session import AppliedCommand, TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.play.text import signed
from crossfelt.proof.history import HistoryWriter
from crossfelt.rulebooks.script import OpenBets
from crossfelt.table import events as e
from crossfelt.table.act import Move, Option
from crossfelt.table.commands import Command
from crossfelt.table.engine import Refused
from crossfelt.table.state import step_of
from crossfelt.table.views import TableView, Viewer, view
from crossfelt.tabular import Record, Tabular

A_BOT: Final = 'sit(1, "Ann", bot="careful")'
"""The remedy at a table without bets."""


class Events(Tabular, Sequence[e.Event]):
    """A sequence of events; ``print`` narrates them in a dealer's words, a line each."""

    def __init__(self, game: Game, events: Iterable[e.Event]) -> None:
        self._game = game
        self._events = tuple(events)

    @overload
    def __getitem__(self, place: int) -> e.Event: ...

    @overload
    def __getitem__(self, place: slice) -> Events: ...

    def __getitem__(self, place: int | slice) -> e.Event | Events:
        if isinstance(place, slice):
            return Events(self._game, self._events[place])
        return self._events[place]

    def __len__(self) -> int:
        return len(self._events)

    def __str__(self) -> str:
        return "\n".join(record["text"] for record in self.records() if record["text"])

    def headline(self) -> str:
        last = next(filter(None, (narrate(event, self._game) for event in reversed(self._events))), "")
        number = "1 event" if len(self) == 1 else f"{len(self):,} events"
        return f"{number}, last: {last}" if last else number

    def records(self) -> list[Record]:
        return [
            {
                "event": str(type(event).__struct_config__.tag),
                "text": narrate(event, self._game),
                "clauses": ", ".join(event.clauses),
            }
            for event in self._events
        ]

    def as_data(self) -> list[Any]:
        """Return every event as histories store it."""
        return [msgspec.to_builtins(event, enc_hook=enc_hook) for event in self._events]


class Allowed(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The moves of one seat, as `Table.act` takes them and as options of the engine."""

    seat: int
    moves: tuple[str, ...]
    options: tuple[Option, ...]

    def headline(self) -> str:
        return f"seat {self.seat}: {', '.join(self.moves) or 'nothing now'}"

    def records(self) -> list[Record]:
        return [{"move": move} for move in self.moves]


class Table(Tabular):
    """A table in memory, opened and ready: players sit down, type their moves, and the dealer does the rest.

    The same `seed` deals the same cards; without a seed the operating system provides the randomness. Money is in
    cents, but a move is typed in dollars, as in the terminal.

    >>> table = Table("md-criss-cross", seed=7)
    >>> _ = table.sit(1, "Ann", cents=100_000)
    >>> table.allowed(1)
    <Allowed: seat 1: ante $5–$500 [bonus $1–$100] [spin $5], pass>
    >>> print(table.act(1, "ante 10"))
    Seat 1 places antes $10 + $10
    >>> _ = table.deal()
    >>> table.act(1, "bet $500")
    Traceback (most recent call last):
    crossfelt.errors.BadInput: bet: this amount is not allowed: '$500' (allowed: $10 to $30) [MDC-20, MDC-31]
    >>> _ = table.act(1, "fold")
    >>> table.last_result
    <RoundResult: md-criss-cross, settled: seat 1 −$20; house +$20>
    """

    def __init__(self, game: Game | str | Path, *, seed: int | str | None = None, name: str = "table") -> None:
        self.game = game if isinstance(game, Game) else load(game)
        self.name = name
        self._seed = fresh_seed() if seed is None else read_seed(str(seed))
        self._rows: list[tuple[Command, tuple[e.Event, ...]]] = []
        self._events: list[e.Event] = []
        self._bots: dict[int, str] = {}
        self._bought: dict[int, int] = {}
        self._last_wagers: dict[int, dict[str, int]] = {}
        self._round_began = 0
        self._last_round: tuple[int, int] | None = None
        self.rounds = 0
        """Rounds that have closed."""
        clock = (lambda: time.time_ns() // 1_000_000) if seed is None else TickingClock()
        self._session = TableSession(self.game, ShuffledSource(self._seed), at=clock, keep=self._keep, name=name)
        self._session.open()
        self._advance()

    # --- players ------------------------------------------------------------------------------------------------------

    def sit(self, seat: int, name: str, cents: int = 100_000, bot: str | None = None) -> Events:
        """Seat a player with chips, or a bot: ``careful``, ``simple``, ``optimal``, ``always-3:25+5``, ``random``.

        >>> table = Table("nj-double-cross", seed=1)
        >>> print(table.sit(2, "Bob", 50_000, bot="always-1")[:1])
        Seat 2: Bob, with $500 in chips
        """
        start = len(self._events)
        plays = None
        if bot is not None:
            plays = bot_named(bot, self._seed, ways=ways_to_decide(self.game), game=self.game, where="bot")
        _require(self._session.sit(seat, name, cents, plays))
        if bot is not None:
            self._bots[seat] = bot
        self._advance()
        return self._since(start)

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The seats whose players must act before the table continues; while bets are open, all seats that may bet."""
        return self._session.waits_for

    def allowed(self, seat: int) -> Allowed:
        """List what the player of a seat may do now."""
        seen = self._player_view(seat)
        moves = command_parser.moves_in_words(seen, self._last_wagers.get(seat, {}))
        options = tuple(option for group in seen.options.values() for option in group)
        return Allowed(seat=seat, moves=tuple(moves) if options else (), options=options)

    def advise(self, seat: int) -> Advice:
        """Value every choice of the decision that a seat faces, on the cards that its player sees.

        >>> table = Table("nj-criss-cross", seed=7)
        >>> _ = table.sit(1, "Ann"), table.act(1, "ante 10"), table.deal()
        >>> table.advise(1)
        <Advice: across: fold, worth -2.0000>
        """
        position = position_of(self._player_view(seat))
        if position is None or seat not in self.waits_for:
            self._refuse("faces no decision that the solver values", None, seat)
        return advise(self.game, **position)

    def act(self, seat: int, move: str) -> Events:
        """Carry out a typed move of a seat, and everything that follows until a player must act.

        `BadInput` says why a move is refused, what is allowed, and by which clause.
        """
        seen, last = self._player_view(seat), self._last_wagers.get(seat, {})
        start = len(self._events)
        match command_parser.parse_command(move, seen, last):
            case Move() as meant:
                _require(self._session.ask(meant, self._session.table.seat(seat).player))
                self._advance()
            case command_parser.TypedQuestion(what="deal"):
                self.deal()
            case command_parser.TypedQuestion(what="pass"):
                pass
            case command_parser.TypedQuestion():
                self._refuse("is a question, not a move", move, seat)
            case Problem(code="typed.unknown" | "typed.not_now") as problem:
                self._refuse(problem.what, move, seat)
            case Problem() as problem:
                raise BadInput(problem)
        return self._since(start)

    def deal(self) -> Events:
        """Close the bets, after the bots have placed theirs, and deal until a player must act."""
        start = len(self._events)
        self._require_bets()
        deque(self._session.advance(), maxlen=0)
        for seat in self._session.table.seats:
            if seat.wagers:
                self._last_wagers[seat.number] = dict(seat.wagers)
        _require(self._session.lock())
        self._advance()
        return self._since(start)

    def play(self, rounds: int = 1) -> Events:
        """Play whole rounds among bots; people without a bet sit them out.

        >>> table = Table("nj-criss-cross", seed=7)
        >>> _ = table.sit(1, "Ann", bot="careful"), table.sit(2, "Bob", bot="always-1:25")
        >>> _ = table.play(10)
        >>> table
        <Table: nj-criss-cross, 10 rounds: Ann +$350, Bob −$700>
        """
        start, before = len(self._events), self.rounds
        self._require_bets()
        for seat in self.waits_for:
            if self._session.table.seat(seat).wagers:
                self._refuse("must act first: deal, or clear the wagers", None, seat)
        deque(self._session.play(rounds), maxlen=0)
        if self.rounds - before < rounds:
            self._require_bets()
            raise BadInput.at("play", "table.bets", "no seat bets", allowed=A_BOT)
        self._advance()
        return self._since(start)

    # --- the table ----------------------------------------------------------------------------------------------------

    @property
    def events(self) -> Events:
        """All events so far, with every card; `view` shows only what one player may see."""
        return Events(self.game, self._events)

    def view(self, seat: int | None = None) -> TableView:
        """Show the table as the player of a seat sees it, or as a spectator does."""
        viewer = Viewer("spectator") if seat is None else Viewer("player", self._player(seat))
        return view(self._session.table, viewer)

    @property
    def last_result(self) -> RoundResult:
        """The result of the last round that has closed."""
        if self._last_round is None:
            raise BadInput.at("last_result", "table.result", "no round has closed yet")
        began, closed = self._last_round
        return result_of(self.game, self._events[began:closed])

    def save(self, path: str | Path) -> Path:
        """Write the history of the table and return its path; an existing file is replaced.

        `verify` and ``crossfelt verify`` check it.
        """
        out = Path(path)
        title = f"{self.name}, {self.game.book.id}"
        try:
            with open(out, "wb", opener=owner_only) as file, HistoryWriter(file, title, self.game) as writer:
                for command, events in self._rows:
                    writer.append(command, events)
        except OSError as error:
            what = f"cannot be written: {error.strerror}"
            raise BadInput.at(str(out), "file.unwritable", what) from None
        return out

    def headline(self) -> str:
        nets = ", ".join(f"{record['player']} {signed(record['net_cents'])}" for record in self.records())
        number = "1 round" if self.rounds == 1 else f"{self.rounds:,} rounds"
        return f"{self.game.book.id}, {number}: {nets or 'no players'}"

    def records(self) -> list[Record]:
        table = self._session.table
        return [
            {
                "seat": seat.number,
                "player": seat.player,
                "bot": self._bots.get(seat.number, ""),
                "chips_cents": (chips := table.balances.get(chips_of(seat.number), 0)),
                "wagers_cents": (at_risk := sum(seat.wagers.values())),
                "net_cents": chips + at_risk - self._bought[seat.number],
            }
            for seat in table.seats
            if seat.player
        ]

    def as_data(self) -> Any:
        """Return the table as a spectator sees it."""
        return msgspec.to_builtins(self.view(), enc_hook=enc_hook)

    # --- how it continues ---------------------------------------------------------------------------------------------

    @property
    def _bets_open(self) -> bool:
        return isinstance(step_of(self._session.table), OpenBets)

    def _advance(self) -> None:
        """Let dealer, floor and bots act until bets are open or a player must act; bots bet when the bets close."""
        if self._bets_open:
            return
        for _ in self._session.advance():
            if self._bets_open:
                return

    def _keep(self, command: Command, events: tuple[e.Event, ...]) -> None:
        self._rows.append((command, events))
        for event in events:
            self._events.append(event)
            match event:
                case e.SeatTaken():
                    self._bought[event.seat] = event.chips_cents
                case e.ChipsBought():
                    self._bought[event.seat] += event.cents
                case e.SeatLeft():
                    self._bots.pop(event.seat, None)
                    self._last_wagers.pop(event.seat, None)
                case e.RoundOpened():
                    self._round_began = len(self._events) - 1
                case e.RoundClosed():
                    self._last_round = (self._round_began, len(self._events))
                    self.rounds += 1

    def _since(self, start: int) -> Events:
        return Events(self.game, self._events[start:])

    def _player_view(self, seat: int) -> PlayerView:
        self._player(seat)
        return player_view_of(self._session.table, seat)

    def _require_bets(self) -> None:
        """Refuse to continue before a player has sat down, or while one must act."""
        if not self._bets_open:
            for seat in self.waits_for:
                self._refuse("must act first", None, seat)
            raise BadInput.at("table", "table.empty", "no player sits here", allowed=A_BOT)

    def _player(self, seat: int) -> str:
        players = {other.number: other.player for other in self._session.table.seats if other.player}
        if seat not in players:
            allowed = ", ".join(map(str, players)) or "sit a player first"
            raise BadInput.at("seat", "table.seat", "no player sits there", seat, allowed)
        return players[seat]

    def _refuse(self, what: str, move: str | None, seat: int) -> NoReturn:
        allowed = ", ".join(self.allowed(seat).moves)
        raise BadInput.at(f"seat {seat}", "table.move", what, move, allowed or "nothing now")


def _require(answer: AppliedCommand | Refused) -> None:
    if isinstance(answer, Refused):
        raise BadInput(answer.problem)
