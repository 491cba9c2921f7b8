"""Advice, solutions and reports, computed in worker processes: the serving process never imports the kernels.

Questions and answers are plain data. The worker process starts after the server is ready, and warms up, so that the
first question does not wait for compilers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Final, Literal, ParamSpec

import msgspec

from crossfelt._util.worker_pool import worker_pool
from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.server.runtime.limits import LOST, SHARE, SLOW, Turns

if TYPE_CHECKING:
    from crossfelt.analysis.wager_figures import Part

SECONDS: Final = 240.0
"""The longest wait for an answer: a report takes some seconds, on a busy machine minutes."""
REPORTS: Final = 2
"""Reports that one person may wait for: each takes some seconds."""
SHEET_ROUNDS: Final = 200_000
"""Rounds of the simulation in a report that a person waits for."""
P = ParamSpec("P")


class AdvicePool:
    """The worker process, started when it is needed."""

    def __init__(self, share: int = SHARE) -> None:
        """`share` is the number of questions that one person may have open."""
        self._turns = Turns(share)
        self._pool: ProcessPoolExecutor | None = None
        self._in_progress = 0

    def warm(self, games: Iterable[Game]) -> None:
        """Start the process, and let it play a round of each game."""
        for game in games:
            # Neither its result nor its failure matters.
            future = self._submit(warm_up, whole_game(game))
            future.add_done_callback(lambda done: None if done.cancelled() else done.exception())

    async def ask(self, person: str, work: Callable[..., bytes], *arguments: Any) -> dict[str, Any]:
        """Run `work` in a worker process when it is the person's turn.

        Raise `BadInput` for a bad question, one above the person's share, a time-out or a lost process.
        """
        self._in_progress += 1
        try:
            async with asyncio.timeout(SECONDS):
                await self._turns.take(person)
                answer = await asyncio.wrap_future(self._run(person, work, *arguments))
        except TimeoutError:
            raise BadInput(
                Problem(code=SLOW, what="the computation takes too long: the server is busy; try again later")
            ) from None
        except (BrokenProcessPool, asyncio.CancelledError) as ended:
            if isinstance(ended, asyncio.CancelledError) and _is_cancelled():
                raise
            raise BadInput(Problem(code=LOST, what="the computation was interrupted: try again")) from None
        finally:
            self._in_progress -= 1
        result: dict[str, Any] = msgspec.json.decode(answer)
        if result.keys() == {"problems"}:
            raise BadInput(*(Problem(**problem) for problem in result["problems"]))
        return result

    async def rest(self) -> None:
        """End the process, unless a question is in progress; the next question starts another."""
        if not self._in_progress:
            await self.close()

    async def close(self) -> None:
        """End the process; questions in progress fail."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(_end, pool)

    def _run(self, person: str, work: Callable[..., bytes], *arguments: Any) -> Future[bytes]:
        """Start the work. It keeps its place until it ends, even if the person no longer waits for the answer."""
        loop = asyncio.get_running_loop()

        def ended(_: Future[bytes]) -> None:
            with suppress(RuntimeError):  # the loop is closed: the server has stopped
                loop.call_soon_threadsafe(self._turns.give_back, person)

        try:
            future = self._submit(work, *arguments)
        except BaseException:
            self._turns.give_back(person)
            raise
        future.add_done_callback(ended)
        return future

    def _submit(self, work: Callable[..., bytes], *arguments: Any) -> Future[bytes]:
        if self._pool is not None:
            with suppress(BrokenProcessPool):  # its process has died: start another
                return self._pool.submit(work, *arguments)
        self._pool = worker_pool(1)
        return self._pool.submit(work, *arguments)


def _end(pool: ProcessPoolExecutor) -> None:
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)


def _is_cancelled() -> bool:
    """Return whether the current task was cancelled, rather than the future of a process that has ended."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


# --- games as text, for the worker process ----------------------------------------------------------------------------


@lru_cache(maxsize=64)
def whole_game(game: Game) -> str:
    """Return a whole game: a table may still use an earlier version of its rulebook."""
    return json.dumps(game.as_data(), sort_keys=True)


# --- in the worker process --------------------------------------------------------------------------------------------


def encoded(work: Callable[P, Any]) -> Callable[P, bytes]:
    """Have a function return its result, or its problems, encoded for `AdvicePool.ask`."""

    @wraps(work)
    def answer(*arguments: P.args, **named: P.kwargs) -> bytes:
        try:
            return msgspec.json.encode(work(*arguments, **named))
        except BadInput as bad:
            return msgspec.json.encode({"problems": bad.problems})

    return answer


def _at_a_position(work: Callable[P, Any]) -> Callable[P, bytes]:
    """Do the same for a question whose position may not be one of the game."""

    @encoded
    @wraps(work)
    def answer(*arguments: P.args, **named: P.kwargs) -> Any:
        try:
            return work(*arguments, **named)
        except (TypeError, KeyError) as error:
            raise BadInput.at("position", "advice.question", f"not a position of this game: {error}") from None

    return answer


@encoded
def warm_up(game: str) -> None:
    """Play a round by the solver's advice, so that the first question does not wait for compilers."""
    from crossfelt.analysis.best_play_bot import play_alone

    play_alone(game_from(game))


@_at_a_position
def advise_at(game: str, position: Mapping[str, Any], cents: int | None = None) -> dict[str, Any]:
    """Return the value of each choice in a position, the reasons, and the verdict on each; `cents` is the stake."""
    from crossfelt.analysis.reasons import explain
    from crossfelt.analysis.solver.api import advise

    advice = advise(game_from(game), **position)
    seen = {name: text for name, text in position.items() if isinstance(text, str)}
    return {**advice.as_data(), **explain(game_from(game), advice, seen, cents).as_data()}


@_at_a_position
def grid_at(game: str, position: Mapping[str, Any], cents: int | None = None) -> Any:
    """Return the strategy grid of a decision."""
    from crossfelt.analysis.strategy_grid import grid_of_decision

    return grid_of_decision(game_from(game), position, cents)


@_at_a_position
def choose_at(game: str, position: Mapping[str, Any], may_surrender: bool) -> dict[str, Any]:
    """Return the best choice in a position."""
    from crossfelt.analysis.best_play_bot import best_choice

    return {"best": best_choice(game_from(game), position, may_surrender)}


@_at_a_position
def solve_with(game: str, question: Mapping[str, Any]) -> Any:
    """Return the exact figures of a changed game, and the clauses that it violates."""
    from crossfelt.analysis.laboratory import LaboratoryQuestion, laboratory

    return laboratory(game_from(game).book, msgspec.convert(question, LaboratoryQuestion))


@_at_a_position
def report_on(game: str, question: Mapping[str, Any], kind: Literal["html", "json"]) -> dict[str, str]:
    """Return the PAR sheet of a changed game, as `crossfelt report` writes it."""
    from crossfelt.analysis.laboratory import LaboratoryQuestion, game_of, violations
    from crossfelt.analysis.what_if import as_submission
    from crossfelt.reports.par_sheet import par_sheet
    from crossfelt.reports.render import render, require_renderer
    from crossfelt.reports.study import ReportRequest, study

    require_renderer(kind)
    asked, book = msgspec.convert(question, LaboratoryQuestion), game_from(game).book
    permitted = not any(violations(book, asked))
    stated = as_submission(asked.submission, asked.pay if permitted else {})
    changed = compile_game(book, stated) if permitted else game_of(book, asked)
    file = f"{book.id}-submission.toml" if stated else ""
    sheet = ReportRequest(game=changed, named=book.id, submission=file, rounds=SHEET_ROUNDS, quick=True, workers=1)
    found = study(sheet if permitted else sheet.at_odds(asked.pay))
    return {"text": render(par_sheet(found), kind).decode()}


@_at_a_position
def review_of(game: str, events: bytes, seat: int) -> Any:
    """Return a review of a player's decisions, from the events that the player saw."""
    from crossfelt.analysis.review import review

    return review(game_from(game), msgspec.json.decode(events), seat)


@_at_a_position
def figures_in(game: str, part: Part) -> dict[str, Any]:
    """Return the exact figures of the wagers in one part of a game."""
    from crossfelt.analysis.wager_figures import figures_of

    return {"figures": [it.as_data() for it in figures_of(game_from(game), part)]}


@lru_cache(maxsize=64)
def game_from(text: str) -> Game:
    """Return the game of a text that `whole_game` has made."""
    return Game.from_data(json.loads(text))
