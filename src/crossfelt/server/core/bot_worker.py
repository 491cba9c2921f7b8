"""A bot that plays best: what is best is worked out in another process, and the table does not wait for it but goes on
when it is known. What is not known in time is decided by a simple rule."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec

from crossfelt.analysis.best_play_bot import act_on, may_surrender, position_of
from crossfelt.errors import BadInput, Problem
from crossfelt.play.bots import Decider, simple_rule
from crossfelt.play.player_view import PlayerView
from crossfelt.rulebooks.game import Game
from crossfelt.table.act import Move

LONGEST_SECONDS: Final = 5.0
REMEMBERED: Final = 32
OPTIMAL: Final = "optimal"

Ask = Callable[[Mapping[str, Any], bool], Awaitable[Mapping[str, Any]]]
"""What is best in a position, where one may surrender or not."""
Best = Callable[[Game, Mapping[str, Any], bool], Awaitable[Mapping[str, Any]]]
"""The same of whichever table's game."""


async def nothing_known(game: Game, position: Mapping[str, Any], may_surrender: bool) -> Mapping[str, Any]:
    """Where nobody works out what is best."""
    raise BadInput(Problem(code="advice.none", what="nobody works out here what is best", where=game.book.id))


class StillComputing(Exception):
    """It is not known yet; whoever was asked says when it is."""


class BestPlayWorker:
    """What the best bots of one table have asked for."""

    def __init__(self, ask: Ask, known: Callable[[], None]) -> None:
        """`known` is called when there is an answer."""
        self._ask = ask
        self._told = known
        self._answers: dict[bytes, str | None] = {}
        self._asked: dict[bytes, asyncio.Task[None]] = {}

    def best(self, view: PlayerView) -> str | None:
        """The solver's word; None where it says nothing; `StillComputing` until it is known."""
        position = position_of(view)
        if position is None:
            return None
        surrenders = may_surrender(view)
        key = msgspec.json.encode((position, surrenders))
        if key in self._answers:
            return self._answers[key]
        if key not in self._asked:
            self._asked[key] = asyncio.create_task(self._think(key, position, surrenders), name="best play")
        raise StillComputing

    async def _think(self, key: bytes, position: Mapping[str, Any], surrenders: bool) -> None:
        best = None
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                best = str((await self._ask(position, surrenders))["best"])
        except (BadInput, TimeoutError, RuntimeError):
            pass  # too much is asked at once, it takes too long, or the house is stopping
        finally:
            del self._asked[key]
        self._answers[key] = best
        while len(self._answers) > REMEMBERED:
            del self._answers[next(iter(self._answers))]
        self._told()

    def close(self) -> None:
        for task in list(self._asked.values()):
            task.cancel()


class Advised(Decider, frozen=True):
    """Best play, once it is known."""

    thinker: BestPlayWorker

    def move(self, view: PlayerView) -> Move | None:
        best = self.thinker.best(view)
        return None if best is None else act_on(view, best)


def best_play(thinker: BestPlayWorker) -> Decider:
    """Best play, and a simple rule for what is not solved or not known in time."""
    return Advised(thinker) + simple_rule
