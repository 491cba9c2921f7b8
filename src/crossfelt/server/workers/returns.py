"""The returns of a table's wagers under another submission, beside the present ones.

A study runs in a worker process of its own, so that operators do not delay players. It runs part by part: the operator
sees its progress and can cancel it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crossfelt.analysis.wager_figures import TITLES, WHOLE, Part, part_of, parts_of
from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game
from crossfelt.server.runtime.limits import SHARE, Turns
from crossfelt.server.workers.advice import AdvicePool, figures_in, whole_game

KEPT: Final = 64
WAITING: Final = 64
"""Figures that one person may wait for: a page asks for those of many tables at once."""
HOUSE: Final = ""
"""The staff's pages, which take one turn together."""
IDLE_SECONDS: Final = 120.0
Figures = list[dict[str, Any]]


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One wager before and after; None if it is not offered."""

    wager: str
    title: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class StudyProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a study."""

    study: str
    steps: tuple[str, ...]
    done: int
    finished: bool
    cancelled: bool = False
    wagers: tuple[Compared, ...] = ()
    problems: tuple[Problem, ...] = ()


class _Study:
    """A study, and its progress as it is shown."""

    def __init__(self, name: str, before: Game, after: Game, person: str) -> None:
        named = (("in force", before), ("proposed", after))
        steps = tuple(f"{TITLES[part]}, {which}" for which, game in named for part in parts_of(game))
        self.progress = StudyProgress(study=name, steps=steps, done=0, finished=False)
        self.before, self.after, self.person = before, after, person
        self.task: asyncio.Task[None] | None = None

    def note(self, **changes: Any) -> None:
        self.progress = replace(self.progress, **changes)


class Studies:
    """The studies that operators have started, and the process that computes them."""

    def __init__(self) -> None:
        self._workers = AdvicePool()
        self._kept: OrderedDict[tuple[str, Part], Figures] = OrderedDict()
        self._turns = Turns(WAITING)
        self._studies: OrderedDict[str, _Study] = OrderedDict()
        self._resting: asyncio.Task[None] | None = None

    async def figures(self, game: Game) -> Figures:
        return [figure for part in parts_of(game) for figure in await self._part(game, part, HOUSE)]

    async def compare(
        self, before: Game, after: Game, person: str = HOUSE, step: Callable[[], None] = lambda: None
    ) -> tuple[Compared, ...]:
        """Return all wagers before and after, in the order of the game; `step` is called after each part."""
        found: list[Figures] = []
        for game in (before, after):
            own: Figures = []
            for part in parts_of(game):
                own += await self._part(game, part, person)
                step()
            found.append(own)
        old, new = ({figure["wager"]: figure for figure in figures} for figures in found)
        return tuple(
            Compared(
                wager=wager, title=(new.get(wager) or old[wager])["title"], before=old.get(wager), after=new.get(wager)
            )
            for wager in dict.fromkeys([*old, *new])
        )

    async def of_wager(self, game: Game, wager: str, person: str) -> Figures:
        """Return the figure of a wager and, if it is one of the main game's, that of the whole game."""
        figures = await self._part(game, part_of(game, wager), person)
        return [figure for figure in figures if figure["wager"] in (wager, WHOLE)]

    async def _part(self, game: Game, part: Part, person: str) -> Figures:
        key = (game.hash, part)
        await self._turns.take(person)  # one question at a time: the next may find its answer computed
        try:
            if key not in self._kept:
                self._cancel_rest()
                try:
                    result = await self._workers.ask(HOUSE, figures_in, whole_game(game), part)
                finally:
                    self._cancel_rest()
                    self._resting = asyncio.create_task(self._rest(), name="rest of the study process")
                self._kept[key] = result["figures"]
        finally:
            self._turns.give_back(person)
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]

    def begin(self, before: Game, after: Game, person: str) -> StudyProgress:
        """Start a study in place of the person's oldest; its name is used to read its progress and to cancel it."""
        name = secrets.token_hex(8)
        study = _Study(name, before, after, person)
        own = [name for name, it in self._studies.items() if it.person == person]
        for oldest in own[: max(0, len(own) + 1 - SHARE)]:
            self._stop(self._studies.pop(oldest))
        self._studies[name] = study
        study.task = asyncio.create_task(self._run(study), name=f"study {name}")
        return study.progress

    def progress(self, name: str) -> StudyProgress:
        return self._find(name).progress

    async def cancel(self, name: str) -> StudyProgress:
        """Cancel a study; its process ends, unless another study uses it."""
        study = self._find(name)
        self._stop(study)
        assert study.task is not None
        await asyncio.wait([study.task])
        await self._workers.rest()
        return self.progress(name)

    async def close(self) -> None:
        for study in self._studies.values():
            self._stop(study)
        self._cancel_rest()
        await self._workers.close()

    def _find(self, name: str) -> _Study:
        study = self._studies.get(name)
        if study is None:
            raise BadInput.at("study", "study.unknown", "there is no such study", name)
        return study

    async def _run(self, study: _Study) -> None:
        def step() -> None:
            study.note(done=study.progress.done + 1)

        try:
            study.note(wagers=await self.compare(study.before, study.after, study.person, step))
        except BadInput as bad:
            study.note(problems=bad.problems)
        finally:
            study.note(finished=not study.progress.cancelled)

    @staticmethod
    def _stop(study: _Study) -> None:
        if study.task is not None and not study.task.done():
            study.note(cancelled=True)
            study.task.cancel()

    def _cancel_rest(self) -> None:
        if self._resting is not None:
            self._resting.cancel()

    async def _rest(self) -> None:
        """End an idle process, because it holds tables of all hands in memory."""
        await asyncio.sleep(IDLE_SECONDS)
        await self._workers.rest()
