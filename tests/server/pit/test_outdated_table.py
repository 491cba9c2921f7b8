"""An outdated table, opened under rules that this version does not have, waits for the floor to close it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from crossfelt.client import Client
from crossfelt.rulebooks.loader import load_shipped
from crossfelt.rulebooks.model import Rulebook
from crossfelt.server.core.recovery import RoundIndex
from crossfelt.server.core.rulebooks import Rulebooks
from crossfelt.server.store import sql_store
from limits import WAIT_SECONDS
from server.served import open_by_two, owner_of, play_round, refused_with, serving, staff_of

TABLE = "nj-criss-cross-1"
ANTES = {"ante_across": 500, "ante_down": 500}


@contextmanager
def earlier(alter: Callable[[Rulebook], Rulebook]) -> Iterator[None]:
    """Simulate an earlier version with other rulebooks."""
    with pytest.MonkeyPatch.context() as before:
        before.setattr(Rulebooks, "find", lambda _, name: alter(load_shipped(name)))
        yield


def older(book: Rulebook) -> Rulebook:
    return replace(book, version="0.9.0") if book.id == "nj-criss-cross" else book


@pytest.mark.parametrize("in_a_round", [False, True])
def test_an_outdated_table_stays_closed_and_the_floor_returns_its_chips(in_a_round: bool, tmp_path: Path) -> None:
    async def story() -> None:
        with earlier(older):
            async with serving(tmp_path) as served:
                owner, paul = await owner_of(served), await served.guest("Paul")
                before = (await paul.get("/api/me"))["balance_cents"]
                async with paul.table(TABLE) as table:
                    assert (await table.give("take_seat", seat=3, chips_cents=500_00)).accepted
                    if in_a_round:
                        assert (await table.give("place_wagers", seat=3, wagers=ANTES)).accepted
                        await table.ready()
                        await table.until(lambda seen: seen.view["step"] == "decide_across")
        async with serving(tmp_path) as served:
            owner, paul = (Client(served.address, client.token) for client in (owner, paul))
            with refused_with("table.outdated") as refused:
                await paul.get(f"/api/tables/{TABLE}/game")
            assert f"DELETE /api/tables/{TABLE}" in str(refused.value)
            assert TABLE not in [table["id"] for table in await paul.lobby()]
            assert (await owner.get("/api/floor"))["outdated"] == [TABLE]
            assert served.server.pit.find("ma-criss-cross-1"), "others open without it"
            await owner.delete(f"/api/tables/{TABLE}")
            if in_a_round:
                async with paul.table(TABLE) as table:
                    assert (await table.give("fold", seat=3)).accepted
            async with asyncio.timeout(WAIT_SECONDS):
                while TABLE in served.server.pit.settings:
                    await asyncio.sleep(0.01)
            assert (await paul.get("/api/me"))["balance_cents"] == before - (10_00 if in_a_round else 0)
            assert (await owner.get("/api/floor"))["outdated"] == []
            with refused_with("table.unknown"):
                await paul.get(f"/api/tables/{TABLE}/game")
            assert (await owner.get(f"/api/tables/{TABLE}/cases"))["in_all"] == int(in_a_round)
            assert (await owner.post("/api/audit/verify", {}))["sound"]

    asyncio.run(story())


def test_a_table_with_a_submission_that_is_no_longer_allowed_stays_closed(tmp_path: Path) -> None:
    def stricter(book: Rulebook) -> Rulebook:
        choices = [replace(it, max=900) if it.path == "wagers.ante.min_cents" else it for it in book.choices]
        return replace(book, choices=tuple(choices)) if book.id == "nj-criss-cross" else book

    async def story() -> None:
        async with serving(tmp_path) as served:
            owner = await owner_of(served)
            submission = {"wagers": {"ante": {"min_cents": 1000}}}
            fay = await staff_of(served, owner, "Fay", "floor")
            await open_by_two(owner, fay, "nj-criss-cross", "pit-3", submission)
        with earlier(stricter):
            async with serving(tmp_path) as served:
                owner = Client(served.address, owner.token)
                assert (await owner.get("/api/floor"))["outdated"] == [TABLE, "pit-3"]
                assert await owner.get("/api/floor/meters")
                await owner.delete("/api/tables/pit-3")
                async with asyncio.timeout(WAIT_SECONDS):
                    while "pit-3" in served.server.pit.settings:
                        await asyncio.sleep(0.01)

    asyncio.run(story())


def test_a_snapshot_of_another_version_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may lack fields of this version, such as the seats that took part in a round."""

    async def story() -> None:
        async with serving(tmp_path) as served:
            ann = await served.guest("Ann")
            name = await ann.open_table("nj-criss-cross", pace="instant")
            async with ann.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                await play_round(table, 1)
                assert (await table.give("leave_seat", seat=1)).accepted
            actor = served.server.pit.find(name)
            forgotten = [RoundIndex(round=1, first=1, last=2, at=0, outcome="settled", players={}, nets={})]
            with monkeypatch.context() as before:
                before.setattr(sql_store, "__version__", "0.0.1")
                actor.memory.rounds.clear()
                actor.memory.rounds.extend(forgotten)
                await served.server.pit.close()
        async with serving(tmp_path) as served:
            (told,) = served.server.pit.find(name).memory.rounds
            assert told.seats_of("Ann") == {1}

    asyncio.run(story())
