"""Advice and solutions, worked out in another process: the serving process never imports the kernels.

What is asked and answered is plain data. The process is started after the house is ready, and warmed, so that the
first question does not wait for compilers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from crossfelt._util.worker_pool import worker_pool
from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import load_shipped

if TYPE_CHECKING:
    from crossfelt.analysis.wager_figures import Part

SECONDS: Final = 60.0
WAITING: Final = 32
"""Questions that may wait; more are refused."""
SHEETS_WAITING: Final = 4
"""Reports that may wait: each takes some seconds."""
SHEET_ROUNDS: Final = 200_000
"""Rounds of the simulation in a report that somebody waits for."""
WARMED_BY: Final = (
    ("nj-criss-cross", {"hole": "As Kd", "bets": {}}),
    ("nj-double-cross", {"hole": "As Kd 2c", "top": "5h", "right": "9s", "bets": {}}),
    ("nj-pai-gow", {"cards": "As Kd Qs Jd 7h 5c 2d"}),
)


class AdvicePool:
    """The process that works things out."""

    def __init__(self, workers: int = 1, waiting: int = WAITING) -> None:
        self._workers = workers
        self._waiting = waiting
        self._pool: ProcessPoolExecutor | None = None
        self._asked = 0

    def warm(self) -> None:
        """Starts the process, and has it answer a question of each game."""
        for rulebook, position in WARMED_BY:
            _forget(self._begin(advise_at, stated_game(rulebook, {}), position))

    async def ask(self, work: Callable[..., bytes], *asked: Any) -> dict[str, Any]:
        """Works something out; `BadInput` where it cannot be asked, or too much is asked already."""
        if self._asked >= self._waiting:
            raise BadInput(Problem(code="advice.busy", what="too many questions at once: try again in a moment"))
        self._asked += 1
        try:
            async with asyncio.timeout(SECONDS):
                answer = await asyncio.wrap_future(self._begin(work, *asked))
        except TimeoutError:
            raise BadInput(Problem(code="advice.slow", what="this takes too long")) from None
        except (BrokenProcessPool, asyncio.CancelledError) as ended:
            if isinstance(ended, asyncio.CancelledError) and _is_cancelled():
                raise
            raise BadInput(Problem(code="advice.lost", what="the answer was lost: ask again")) from None
        finally:
            self._asked -= 1
        told: dict[str, Any] = msgspec.json.decode(answer)
        if "problems" in told and len(told) == 1:
            raise BadInput(*(Problem(**problem) for problem in told["problems"]))
        return told

    async def rest(self) -> None:
        """Ends the process, unless somebody waits for an answer; who asks next has another one."""
        if not self._asked:
            pool, self._pool = self._pool, None
            await asyncio.to_thread(_end, pool)

    def close(self) -> None:
        """Ends the process; whoever still waits for an answer gets none."""
        pool, self._pool = self._pool, None
        _end(pool)

    def _begin(self, work: Callable[..., bytes], *asked: Any) -> Future[bytes]:
        if self._pool is not None:
            with suppress(BrokenProcessPool):  # its process has died: there is another one
                return self._pool.submit(work, *asked)
        self._pool = worker_pool(self._workers)
        return self._pool.submit(work, *asked)


def _end(pool: ProcessPoolExecutor | None) -> None:
    if pool is not None:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _is_cancelled() -> bool:
    """Whether it is who asks that was cancelled, and not what was asked: an answer that was waiting when the process
    ended looks the same."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


def _forget(future: Future[bytes]) -> None:
    """Nobody waits for this answer; a process that ends before it is no fault."""
    future.add_done_callback(lambda done: None if done.cancelled() else done.exception())


# --- a game, as the other process is told of it -----------------------------------------------------------------------


@lru_cache(maxsize=64)
def whole_game(game: Game) -> str:
    """All of a game: a table may go by the rulebook of an earlier version, and it is that game which is worked out."""
    return json.dumps(game.as_data(), sort_keys=True)


def stated_game(rulebook: str, submission: Mapping[str, Any]) -> str:
    """A game by the name of its rulebook; whether there is such a game, the other process finds out."""
    return json.dumps({"rulebook": rulebook, "submission": submission}, sort_keys=True)


# --- in the other process ---------------------------------------------------------------------------------------------


def advise_at(game: str, position: Mapping[str, Any]) -> bytes:
    """What each choice is worth in a position, and why in a sentence."""
    from crossfelt.analysis.review import reason
    from crossfelt.analysis.solver.api import advise

    def work() -> dict[str, Any]:
        advice = advise(_game(game), **position)
        seen = {name: text for name, text in position.items() if isinstance(text, str)}
        return {**advice.as_data(), "reason": reason(_game(game), advice, seen)}

    return _told(work)


def choose_at(game: str, position: Mapping[str, Any], may_surrender: bool) -> bytes:
    """What is worth most in a position."""
    from crossfelt.analysis.best_play_bot import best_choice

    return _told(lambda: {"best": best_choice(_game(game), position, may_surrender)})


def solve_with(question: Mapping[str, Any]) -> bytes:
    """The exact figures of a changed game, and every clause that forbids it."""
    from crossfelt.analysis.laboratory import LaboratoryQuestion, laboratory

    return _told(lambda: laboratory(msgspec.convert(question, LaboratoryQuestion)))


def report_on(question: Mapping[str, Any], kind: Literal["html", "json"]) -> bytes:
    """The sheet of a changed game, as `crossfelt report` writes it: permitted changes as a submission states them."""
    from crossfelt.analysis.laboratory import LaboratoryQuestion, game_of, violations
    from crossfelt.analysis.what_if import as_submission
    from crossfelt.reports import ReportRequest, par_sheet, render, study
    from crossfelt.reports.render import require_renderer

    def work() -> dict[str, str]:
        require_renderer(kind)
        asked = msgspec.convert(question, LaboratoryQuestion)
        named, permitted = asked.rulebook, not any(violations(asked))
        stated = as_submission(asked.submission, asked.pay if permitted else {})
        game = compile_game(load_shipped(named), stated) if permitted else game_of(asked)
        file = f"{named}-submission.toml" if stated else ""
        sheet = ReportRequest(game=game, named=named, submission=file, rounds=SHEET_ROUNDS, quick=True, workers=1)
        found = study(sheet if permitted else sheet.at_odds(asked.pay))
        return {"text": render(par_sheet(found), kind).decode()}

    return _told(work)


def review_of(game: str, events: bytes, seat: int) -> bytes:
    """A player's decisions, from the events that the player saw."""
    from crossfelt.analysis.review import review

    return _told(lambda: review(_game(game), msgspec.json.decode(events), seat))


def figures_in(game: str, part: str) -> bytes:
    """What the wagers of one part of a game return, exactly."""
    from crossfelt.analysis.wager_figures import figures_of

    return _told(lambda: {"figures": [it.as_data() for it in figures_of(_game(game), cast("Part", part))]})


def told_as_bytes(work: Callable[[], Any]) -> bytes:
    """What comes out, or every problem of what was asked, as `AdvicePool.ask` reads it."""
    try:
        return msgspec.json.encode(work())
    except BadInput as bad:
        return msgspec.json.encode({"problems": bad.problems})


def _told(work: Callable[[], Any]) -> bytes:
    try:
        return told_as_bytes(work)
    except (TypeError, KeyError) as error:
        problem = Problem(code="advice.question", what=f"not a position of this game: {error}", where="position")
        return msgspec.json.encode({"problems": [problem]})


@lru_cache(maxsize=64)
def _game(text: str) -> Game:
    told = json.loads(text)
    if isinstance(told["rulebook"], str):
        return compile_game(load_shipped(told["rulebook"]), told["submission"])
    return Game.from_data(told)
