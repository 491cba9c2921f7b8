"""One person, with any number of sockets, takes no more than a share of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import compile_game
from crossfelt.server.runtime.limits import SHARE, Turns
from crossfelt.server.workers import advice
from crossfelt.server.workers.returns import Studies
from crossfelt.server.ws import session
from limits import WAIT_SECONDS
from server.served import Served, refused_with, run

QUESTIONS = 36
ASKED = {"rulebook": "nj-criss-cross", "position": {"hole": "As Ah"}}
TABLE = "nj-criss-cross-1"


class Worker:
    """A worker process that computes one question when the test says so."""

    def __init__(self) -> None:
        self.given: list[tuple[str, Future[bytes]]] = []
        self._processes: dict[int, object] = {}

    def submit(self, work: Callable[..., bytes], *_: object) -> Future[bytes]:
        self.given.append((work.__name__, Future()))
        return self.given[-1][1]

    def shutdown(self, **_: object) -> None:
        for _name, future in self.given:
            future.cancel()


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while not holds():
            await asyncio.sleep(0.001)


def test_another_player_waits_for_one_of_36_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker()
    monkeypatch.setattr(advice, "worker_pool", lambda _: worker)

    async def story(served: Served) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2 * QUESTIONS))  # the client's sockets
        ann, ben = await served.guest("Ann"), await served.guest("Ben")
        many = [asyncio.create_task(ann.post("/api/laboratory", {"rulebook": TABLE[:-2]})) for _ in range(QUESTIONS)]
        await until(lambda: sum(task.done() for task in many) == QUESTIONS - SHARE)
        for task in many:
            if task.done():
                with refused_with("advice.busy"):
                    task.result()
        asked = asyncio.create_task(ben.post("/api/advice", ASKED))
        await until(lambda: len(served.server.advice_pool._turns._requests) == 2)
        questions = [given for given in worker.given if given[0] != "warm_up"]
        assert [name for name, _ in questions] == ["solve_with"]
        questions[0][1].set_result(b"{}")
        await until(lambda: worker.given[-1][0] == "advise_at")
        worker.given[-1][1].set_result(b'{"best": "3x"}')
        assert (await asked)["best"] == "3x"
        for number in range(1, SHARE):
            await until(lambda: worker.given[-1][0] == "solve_with" and not worker.given[-1][1].done())
            await until(lambda: sum(not task.done() for task in many) == SHARE - number)  # noqa: B023
            worker.given[-1][1].set_result(b"{}")
            await until(lambda: sum(not task.done() for task in many) < SHARE - number)  # noqa: B023

    run(tmp_path, story)


def test_a_question_keeps_its_place_while_it_runs_and_a_waiting_one_gives_it_up() -> None:
    async def story() -> None:
        turns, served = Turns(), list[str]()

        async def ask(person: str) -> None:
            await turns.take(person)
            served.append(person)

        tasks = [asyncio.create_task(ask(person)) for person in ("Ann", "Ann", "Ann", "Ben", "Cid")]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        tasks[3].cancel()
        for number, person in enumerate(("Ann", "Cid", "Ann", "Ann"), 1):
            await until(lambda: len(served) == number)  # noqa: B023
            turns.give_back(person)
            await asyncio.sleep(0)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert served == ["Ann", "Cid", "Ann", "Ann"]
        assert not turns._requests

    asyncio.run(story())


def test_a_persons_studies_replace_only_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "worker_pool", lambda _: Worker())
    game = compile_game("nj-criss-cross")

    async def story() -> None:
        studies = Studies()
        bens = studies.begin(game, game, "Ben").study
        anns = [studies.begin(game, game, "Ann").study for _ in range(QUESTIONS)]
        assert not studies.progress(bens).cancelled
        for study in anns[-SHARE:]:
            assert not studies.progress(study).cancelled
        with pytest.raises(BadInput, match="there is no such study"):
            studies.progress(anns[-SHARE - 1])
        await studies.close()

    asyncio.run(story())


def test_an_account_has_a_limit_of_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "PER_ACCOUNT", 2)

    async def story(served: Served) -> None:
        ann, ben = await served.guest("Ann"), await served.guest("Ben")
        async with ann.table(TABLE), ann.table(TABLE):
            with pytest.raises(Exception, match="too many connections of your account"):
                async with ann.table(TABLE):
                    pass
            async with ben.table(TABLE):
                pass
        counted: Any = served.server.connections.by_account
        await until(lambda: not counted)
        async with ann.table(TABLE):
            pass

    run(tmp_path, story)
