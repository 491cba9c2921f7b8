"""Another version of the software finds the tables of the one before it, and goes on with them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crossfelt.house.tables import recovery
from crossfelt.house.tables.recovery import RoundIndex
from crossfelt.house.tables.settings import TableSettings
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game
from house.serving import pit_of, play_round, serving


def test_a_table_goes_on_under_rules_that_a_new_rulebook_does_not_allow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its stream has the game that it was opened with: nobody's chips are shut in for a rulebook that came later."""
    compiled = TableSettings.compile

    def allowed(settings: TableSettings) -> Game:
        if settings.submission:
            raise BadInput(Problem(code="choice.range", where="wagers.ante.min_cents", what="not allowed any more"))
        return compiled(settings)

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            submission = {"wagers": {"ante": {"min_cents": 1000}}}
            await pit.create(TableSettings(id="one", rulebook="nj-criss-cross", submission=submission), who="test")
        monkeypatch.setattr(TableSettings, "compile", allowed)
        async with pit_of(tmp_path) as pit:
            await pit.open()
            assert pit.shut == set()
            assert pit.find("one").table.game.limits("ante").min == 1000
            assert pit.find("one").meters.streams == ("meter/nj-criss-cross/bonus_spin",)

    asyncio.run(story())


def test_a_snapshot_of_another_version_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may not have kept what this one looks for, as the seats that took part in a round."""

    async def story() -> None:
        async with serving(tmp_path) as served:
            ann = await served.guest("Ann")
            name = await ann.open_table("nj-criss-cross", pace="instant")
            async with ann.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                await play_round(table, 1)
                assert (await table.give("leave_seat", seat=1)).accepted
            actor = served.house.pit.find(name)
            forgotten = [RoundIndex(round=1, first=1, last=2, at=0, outcome="settled", players={}, nets={})]
            with monkeypatch.context() as before:
                before.setattr(recovery, "__version__", "0.0.1")
                actor.memory.rounds.clear()
                actor.memory.rounds.extend(forgotten)
                await served.house.pit.close()
        async with serving(tmp_path) as served:
            (told,) = served.house.pit.find(name).memory.rounds
            assert told.seats_of("Ann") == {1}

    asyncio.run(story())
