"""Rulebooks of the operator: files of a directory, checked at the start, beside those of the package."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from pathlib import Path

import pytest

from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.server.core.rulebooks import read_rulebooks
from server.served import owner_of, play_round, refused_with, serving

OWN = "xx-criss-cross"
TITLE = "Criss Cross Poker, Elsewhere"
STUD = Path(__file__).parents[3] / "examples" / "rulebooks" / "mississippi-stud.toml"
MARYLAND = files("crossfelt.rulebooks").joinpath("books", "md-criss-cross.toml").read_text("utf-8")


def write(
    directory: Path, *, name: str = "own.toml", rulebook: str = OWN, version: str = "1.0.0", **changes: str
) -> Path:
    """Write a rulebook of another state; `changes` replace text."""
    directory.mkdir(exist_ok=True)
    head = {'id = "md-criss-cross"': f'id = "{rulebook}"', "Criss Cross Poker, Maryland": TITLE}
    text = MARYLAND.replace('version = "1.3.0"', f'version = "{version}"')
    for before, after in (head | changes).items():
        assert before in text, before
        text = text.replace(before, after, 1)
    (directory / name).write_text(text, "utf-8")
    return directory


def test_a_directory_is_refused_with_everything_wrong_in_its_files(tmp_path: Path) -> None:
    write(tmp_path, name="a.toml")
    write(tmp_path, name="b.toml")
    write(tmp_path, name="c.toml", rulebook="md-criss-cross")
    write(tmp_path, name="d.toml", rulebook="d", **{"seats = 6": "seats = 0", "cards = 52": "cards = 51"})
    (tmp_path / "e.json").write_text("{")
    (tmp_path / "notes.md").write_text("not a rulebook")
    with pytest.raises(BadInput) as refused:
        read_rulebooks(tmp_path)
    told = [str(problem) for problem in refused.value.problems]
    assert [problem for problem in told if "b.toml: id: a.toml has a rulebook with this id" in problem]
    assert [problem for problem in told if "c.toml: id: the package has a rulebook with this id" in problem]
    assert len([problem for problem in told if "d.toml: " in problem]) >= 2
    assert [problem for problem in told if "e.json: not JSON" in problem]
    with pytest.raises(BadInput, match="cannot be read: No such file or directory"):
        read_rulebooks(tmp_path / "none")


def test_a_table_of_an_own_rulebook_is_played_like_any_other(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path / "data", rulebooks=write(tmp_path / "books")) as served:
            owner, ann = await owner_of(served), await served.guest("Ann")
            listed = {table["id"]: table for table in await ann.lobby()}
            assert listed[f"{OWN}-1"]["title"] == TITLE
            assert listed[f"{OWN}-1"]["departure"] == ""
            assert {"nj-pai-gow-1", f"{OWN}-1"} <= listed.keys()
            assert OWN in [game["rulebook"] for game in await ann.get("/api/games")]
            assert (await ann.get(f"/api/games/{OWN}"))["title"] == TITLE
            assert await ann.get(f"/api/games/{OWN}/how-to-play")
            assert OWN in [game["rulebook"] for game in (await ann.get("/api/training"))["games"]]
            assert (await ann.post("/api/training/questions", {"rulebook": OWN}))["title"] == TITLE
            assert (await owner.get("/api/floor"))["rulebooks"][OWN] == TITLE
            name = await ann.open_table(OWN, pace="instant", bots=2)
            async with ann.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                await play_round(table, 1)
            assert (await owner.post("/api/audit/verify", {}))["sound"]

    asyncio.run(story())


def test_the_coach_says_that_it_has_no_advice_on_a_side_bet(tmp_path: Path) -> None:
    keep = '[[script]]\nstep = "decide"\nid = "keep"\nwith = ["three_card"]\n'
    keep += 'actions = [{ withdraw = "three_card" }, { check = true }]\n'
    books, first = tmp_path / "books", '[[script]]\nstep = "decide"'
    books.mkdir()
    (books / "stud.toml").write_text(STUD.read_text("utf-8").replace(first, keep + first, 1), "utf-8")

    async def story() -> None:
        async with serving(tmp_path / "data", rulebooks=books) as served:
            ann = await served.guest("Ann")
            name = await ann.open_table("mississippi-stud", pace="practice", bots=0)
            async with ann.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                await table.until(lambda seen: seen.view["step"] == "open_bets")
                assert (await table.give("place_wagers", seat=1, wagers={"ante": 10_00, "three_card": 5_00})).accepted
                await table.ready()
                await table.until(lambda seen: seen.view["step"] == "keep")
                with refused_with("advice.none"):
                    await ann.post("/api/advice", {"table": name, "seat": 1})

    asyncio.run(story())


def test_a_name_from_the_network_opens_no_file(tmp_path: Path) -> None:
    async def story() -> None:
        books = write(tmp_path / "books")
        async with serving(tmp_path / "data") as served:
            ann = await served.guest("Ann")
            for name in (OWN, str(books / "own.toml")):
                with refused_with("rulebook.unknown"):
                    await ann.post("/api/tables", {"rulebook": name})
                with refused_with("rulebook.unknown"):
                    await ann.post("/api/laboratory", {"rulebook": name})
                with refused_with("rulebook.unknown"):
                    await ann.post("/api/training/questions", {"rulebook": name})

    asyncio.run(story())


def test_a_table_keeps_its_rules_when_the_file_changes_or_goes(tmp_path: Path) -> None:
    async def story() -> None:
        books, data = write(tmp_path / "books"), tmp_path / "data"
        first, second, third = (f"{OWN}-{number}" for number in (1, 2, 3))
        async with serving(data, rulebooks=books) as served:
            ann = await served.guest("Ann")
            async with ann.table(first) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
        write(books, version="1.0.1")
        async with serving(data, rulebooks=books) as served:
            ann = Client(served.address, ann.token)
            listed = {table["id"]: table for table in await ann.lobby()}
            assert f"The file of {OWN} has changed since" in listed[first]["departure"]
            assert (listed[first]["version"], listed[second]["version"]) == ("1.0.0", "1.0.1")
            async with ann.table(first) as table:
                await play_round(table, 1)
        write(books, version="1.0.2")
        async with serving(data, rulebooks=books) as served:
            tables = served.server.pit.settings
            assert first in tables, "Ann sits there"
            assert second not in tables, "nobody sat there"
            assert third in tables
        async with serving(data) as served:
            ann = Client(served.address, ann.token)
            listed = {table["id"]: table for table in await ann.lobby()}
            assert "is not among the rulebooks of this server" in listed[third]["departure"]
            async with ann.table(first) as table:
                await play_round(table, 1)

    asyncio.run(story())
