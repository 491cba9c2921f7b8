"""Bots at a table: their names, their styles, and best play from a worker process.

The bots of a table wait for their best move, however long the worker process takes, and never play another strategy
in its place. The careful player decides only what no solver knows, such as the offer of a bank.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec

from crossfelt.analysis.best_play_bot import act_on, may_surrender, position_of
from crossfelt.errors import BadInput
from crossfelt.play.bots import BOTS, Bot, Decider, bot_named, careful_player
from crossfelt.play.player_view import PlayerView
from crossfelt.rulebooks.game import Game
from crossfelt.server.runtime.limits import NOT_YET
from crossfelt.table.act import Move
from crossfelt.table.state import Seat, TableState

log = logging.getLogger(__name__)
BOT_CHIPS_CENTS: Final = 1_000_00
OPTIMAL: Final = "optimal"
"""The style of a bot that plays best."""
AGAIN_SECONDS: Final = 1.0
ANSWERS_KEPT: Final = 32
_BOT_NAME: Final = re.compile(r"(?P<style>\S+) bot (?P<seat>\d+)")

BestPlay = Callable[[str, Game, Mapping[str, Any], bool], Awaitable[Mapping[str, Any]]]
"""Finds, at a person's expense, the best move of a game at a position, with or without the right to surrender."""


def bot_name(style: str, seat: int) -> str:
    """Return the name of a bot; no account has a name like this.

    >>> bot_name("always-3:25+5", 4)
    'always-3:25+5 bot 4'
    """
    return f"{style} bot {seat}"


def bot_style(player: str) -> str | None:
    """Return the style of a bot by its name; None for a person.

    >>> bot_style("careful bot 2"), bot_style("Ann")
    ('careful', None)
    """
    match = _BOT_NAME.fullmatch(player)
    return match["style"] if match else None


def seated_people(table: TableState) -> list[Seat]:
    """Return the seats that people have taken, without those of bots."""
    return [seat for seat in table.seats if seat.player and bot_style(seat.player) is None]


def bot_of(style: str, worker: BestPlayWorker) -> Bot:
    """Return a bot by its style; `BadInput` if there is none. Its random choices need not be secret."""
    return bot_named(style, bytes(48), ways={**BOTS, OPTIMAL: lambda _: Advised(worker) + careful_player})


async def no_best_play(person: str, game: Game, position: Mapping[str, Any], may_surrender: bool) -> Mapping[str, Any]:
    """Stand in for the worker process of a server that has none."""
    raise BadInput.at(game.book.id, "advice.none", "this server computes no best play")


class StillComputing(Exception):
    """The best move is not known yet. The worker wakes the table when it is."""


class BestPlayWorker:
    """The best moves that the bots of one table have asked for."""

    def __init__(self, game: Game, best_play: BestPlay, wake: Callable[[], None], person: str = "") -> None:
        """`wake` is called when a new answer is there. The questions count in the share of `person`."""
        self._person = person
        self._game = game
        self._best_play = best_play
        self._wake = wake
        self._answers: dict[bytes, str | None] = {}
        self._running: dict[bytes, asyncio.Task[None]] = {}

    def best(self, view: PlayerView) -> str | None:
        """Return the best move; None if it is not solved. Raise `StillComputing` until then."""
        position = position_of(view)
        if position is None:
            return None
        surrenders = may_surrender(view)
        key = msgspec.json.encode((position, surrenders))
        if key in self._answers:
            return self._answers[key]
        if key not in self._running:
            self._running[key] = asyncio.create_task(self._compute(key, position, surrenders), name="best play")
        raise StillComputing

    async def _compute(self, key: bytes, position: Mapping[str, Any], surrenders: bool) -> None:
        try:
            self._answers[key] = await self._answer(position, surrenders)
        finally:
            del self._running[key]
        if len(self._answers) > ANSWERS_KEPT:
            del self._answers[next(iter(self._answers))]
        self._wake()

    async def _answer(self, position: Mapping[str, Any], surrenders: bool) -> str | None:
        """Ask until there is an answer; None if the solver does not know the position."""
        while True:
            try:
                return str((await self._best_play(self._person, self._game, position, surrenders))["best"])
            except BadInput as bad:
                if bad.problems[0].code not in NOT_YET:
                    log.warning("a bot decides as the careful player: %s", bad)
                    return None
            await asyncio.sleep(AGAIN_SECONDS)

    def close(self) -> None:
        for task in list(self._running.values()):
            task.cancel()


class Advised(Decider, frozen=True):
    """Best play, once it is known."""

    worker: BestPlayWorker

    def move(self, view: PlayerView) -> Move | None:
        best = self.worker.best(view)
        return None if best is None else act_on(view, best)
