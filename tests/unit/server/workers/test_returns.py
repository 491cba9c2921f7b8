"""Studies of returns: stopping one, or no longer waiting for it, affects no other request."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.workers import advice
from crossfelt.server.workers.advice import AdvicePool, figures_in, whole_game
from crossfelt.server.workers.returns import Studies

CRISS, DOUBLE = map(compile_game, ("nj-criss-cross", "nj-double-cross"))
GAME = whole_game(CRISS)


class Office:
    """Worker processes that answer when a test says so."""

    def __init__(self) -> None:
        self.asked: list[Future[bytes]] = []
        self.ended = self.broken = False
        self._processes: dict[int, object] = {}

    def submit(self, _: Callable[..., bytes], *__: object) -> Future[bytes]:
        if self.broken:
            raise BrokenProcessPool
        assert not self.ended
        self.asked.append(Future())
        return self.asked[-1]

    def shutdown(self, *, wait: bool, cancel_futures: bool) -> None:
        assert wait
        assert cancel_futures
        self.ended = True
        for future in self.asked:
            future.cancel()

    def answer(self) -> None:
        """Answer all requests so far."""
        for future in self.asked:
            if not future.done():
                future.set_result(b'{"figures": []}')


@pytest.fixture
def offices(monkeypatch: pytest.MonkeyPatch) -> list[Office]:
    """The pools of processes that were started, in order."""
    started = list[Office]()

    def start(_: int) -> Office:
        started.append(Office())
        return started[-1]

    monkeypatch.setattr(advice, "worker_pool", start)
    return started


async def settled() -> None:
    """Let every task run as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_an_answer_that_dies_with_its_process_is_lost_and_no_other_is_cancelled(offices: list[Office]) -> None:
    async def story() -> None:
        advisers = AdvicePool()
        asked = asyncio.create_task(advisers.ask("Ann", figures_in, GAME, "game"))
        await settled()
        await advisers.close()
        with pytest.raises(BadInput, match="the computation was interrupted: try again"):
            await asked
        gone = asyncio.create_task(advisers.ask("Ann", figures_in, GAME, "game"))
        await settled()
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert [office.ended for office in offices] == [True, False]

    asyncio.run(story())


def test_a_process_that_died_is_replaced(offices: list[Office]) -> None:
    async def story() -> None:
        advisers = AdvicePool()
        asked = asyncio.create_task(advisers.ask("Ann", figures_in, GAME, "game"))
        await settled()
        offices[0].broken = True
        offices[0].asked[0].set_exception(BrokenProcessPool())
        with pytest.raises(BadInput, match="the computation was interrupted: try again"):
            await asked
        again = asyncio.create_task(advisers.ask("Ann", figures_in, GAME, "game"))
        await settled()
        offices[1].answer()
        assert await again == {"figures": []}

    asyncio.run(story())


def test_stopping_a_study_stops_no_other_request(offices: list[Office]) -> None:
    async def story() -> None:
        studies = Studies()
        study = studies.begin(CRISS, CRISS, "Ann").study
        others = asyncio.create_task(studies.figures(DOUBLE))
        await settled()
        assert (await studies.cancel(study)).cancelled
        [office] = offices
        assert not office.ended
        while not others.done():
            office.answer()
            await settled()
        assert others.result() == []
        await studies.cancel(studies.begin(CRISS, CRISS, "Ann").study)
        assert office.ended, "no question is open"
        await studies.close()

    asyncio.run(story())


def test_a_process_that_works_again_is_not_ended_by_its_earlier_idle_time(offices: list[Office]) -> None:
    """Each answer starts the idle time anew; an earlier idle timer would end a later request."""

    async def story() -> None:
        studies = Studies()
        asked = [asyncio.create_task(studies.figures(game)) for game in (CRISS, DOUBLE)]
        while not all(task.done() for task in asked):
            await settled()
            offices[0].answer()
        await settled()
        resting = [task for task in asyncio.all_tasks() if task.get_name() == "rest of the study process"]
        assert len(resting) == 1
        await studies.close()
        await asyncio.gather(*resting, return_exceptions=True)

    asyncio.run(story())
