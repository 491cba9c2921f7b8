"""Bots at a table: their names, their styles, and decisions that take time.

Best play comes from a worker process, the careful player's decisions from a thread. The bots of a table wait for their
answer, however long it takes, and never play another strategy in its place. In best play, the careful player decides
only what no solver knows, such as the offer of a bank.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Mapping
from concurrent.futures import Executor
from typing import Any, Final, TypeVar

import msgspec

from crossfelt.analysis.best_play_bot import act_on, may_surrender, position_of
from crossfelt.errors import BadInput
from crossfelt.play.bots import BOTS, Bot, Decider, bot_named, careful_player, carry_out
from crossfelt.play.careful_player import Choice, Question, careful_answer, question_at
from crossfelt.play.player_view import PlayerView
from crossfelt.rulebooks.game import Game
from crossfelt.server.runtime.limits import NOT_YET
from crossfelt.table.act import Move
from crossfelt.table.state import Seat, TableState

log = logging.getLogger(__name__)
BOT_CHIPS_CENTS: Final = 1_000_00
CAREFUL: Final = "careful"
OPTIMAL: Final = "optimal"
AGAIN_SECONDS: Final = 1.0
ANSWERS_KEPT: Final = 32
_BOT_NAME: Final = re.compile(r"(?P<style>\S+) bot (?P<seat>\d+)")

T = TypeVar("T")
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


def bot_of(style: str, advice: BotAdvice) -> Bot:
    """Return a bot by its style; `BadInput` if there is none. Its random choices need not be secret."""
    careful = Careful(advice)
    ways = {**BOTS, CAREFUL: lambda _: careful, OPTIMAL: lambda _: BestPlayer(advice) + careful}
    return bot_named(style, bytes(48), ways=ways)


class StillComputing(Exception):
    """The decision is not known yet. `BotAdvice` wakes the table when it is."""


class BotAdvice:
    """The decisions that the bots of one table have asked for."""

    def __init__(
        self,
        game: Game,
        best_play: BestPlay,
        wake: Callable[[], None],
        person: str = "",
        thread: Executor | None = None,
    ) -> None:
        """`wake` is called when a new answer is there. The solver's questions count in the share of `person`. The
        careful player decides in `thread`."""
        self._game = game
        self._best_play = best_play
        self._wake = wake
        self._person = person
        self._thread = thread
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}
        """The last questions, each with the task that answers it."""

    def best(self, view: PlayerView) -> str | None:
        """Return the best move; None if it is not solved. Raise `StillComputing` until then."""
        position = position_of(view)
        if position is None:
            return None
        surrenders = may_surrender(view)
        key = msgspec.json.encode((position, surrenders))
        return self._answer(key, lambda: self._solve(position, surrenders))

    def careful(self, question: Question) -> Choice:
        """Return the careful player's choice. Raise `StillComputing` until it is known."""
        return self._answer(question, lambda: self._think(question))

    def _answer(self, key: Hashable, compute: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the answer. A fault of the computation is raised here, so that the table notices it."""
        task = self._tasks.get(key)
        if task is None:
            finished = [known for known, other in self._tasks.items() if other.done()]
            for oldest in finished[: max(0, len(finished) - ANSWERS_KEPT)]:
                del self._tasks[oldest]
            task = self._tasks[key] = asyncio.create_task(compute(), name="decision of a bot")
            task.add_done_callback(self._ended)
        if not task.done():
            raise StillComputing
        answer: T = task.result()
        return answer

    def _ended(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled():
            self._wake()

    async def _think(self, question: Question) -> Choice:
        return await asyncio.get_running_loop().run_in_executor(self._thread, careful_answer, question)

    async def _solve(self, position: Mapping[str, Any], surrenders: bool) -> str | None:
        """Ask until there is an answer; None if the solver does not know the position."""
        while True:
            try:
                return str((await self._best_play(self._person, self._game, position, surrenders))["best"])
            except BadInput as bad:
                if bad.problems[0].code not in NOT_YET:
                    log.warning("a bot decides as the careful player: %s", bad)
                    return None
            except Exception:
                log.exception("the solver failed; the bot asks again")
            await asyncio.sleep(AGAIN_SECONDS)

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()


class BestPlayer(Decider, frozen=True):
    """Best play, once it is known."""

    advice: BotAdvice

    def move(self, view: PlayerView) -> Move | None:
        best = self.advice.best(view)
        return None if best is None else act_on(view, best)


class Careful(Decider, frozen=True):
    """The careful player, whose choices by sampled deals take a thread up to 50 ms."""

    advice: BotAdvice

    def move(self, view: PlayerView) -> Move | None:
        question = question_at(view)
        return careful_player.move(view) if question is None else carry_out(view, self.advice.careful(question).action)
