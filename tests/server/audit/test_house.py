"""The whole house adds up: money across accounts, tables and meters, and awards across meters and tables."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from crossfelt.cli.main import app
from crossfelt.progressive.meter import MICROS
from crossfelt.server.audit.house import House, add_up
from crossfelt.server.core.settings import TableSettings
from server.core.test_jackpot_commit import Lucky, jackpot
from server.served import Served, owner_of, pit_of, play_round, run

SEAT = {"event": "seat_taken", "seat": 1, "player": "Ann", "chips_cents": 500}
TAKEN = {"event": "taken_to_table", "cents": 500, "table": "t", "seat": 1}
GRANT = {"event": "award_granted", "claim": 1, "meter": "m", "wager": "w", "number": 1, "shares": [[1, 700]]}
PAID = {"event": "award_paid", "seat": 1, "award": "w", "wager": "w", "cents": 700, "source": "meter"}
OPENED = {"event": "meter_opened", "initial_cents": 700}
Rows = dict[str, list[tuple[str, dict[str, Any]]]]


def added_up(rows: Rows) -> House:
    house = House()
    for stream, events in rows.items():
        count = house.counter(stream)
        assert count is not None
        for command, event in events:
            count(command, event)
    house.conclude()
    return house


def sound() -> Rows:
    return {
        "account/ann": [("d", {"event": "deposited", "cents": 900}), ("t:c", TAKEN)],
        "meter/link/m": [("open", OPENED), ("claim", {**GRANT, "table": "t/1"})],
        "table/t": [("c", SEAT), ("o", {"event": "round_opened", "round": 1}), ("g", GRANT), ("p", PAID)],
    }


def test_what_came_in_lies_somewhere() -> None:
    report = added_up(sound()).report
    assert report.findings == []
    assert sum(report.sources.values()) == sum(report.places.values()) == (900 + 700) * MICROS
    assert report.places["chips at seats"] == (500 + 700) * MICROS


@pytest.mark.parametrize(
    ("stream", "place", "event", "found"),
    [
        ("account/ann", 1, {**TAKEN, "cents": 400}, "came to the table from no account"),
        ("account/ann", 1, {**TAKEN, "seat": 2}, "left an account and did not arrive"),
        ("table/t", 3, {**PAID, "cents": 800}, "$8 was paid from a meter that granted $7"),
        ("meter/link/m", 1, {**GRANT, "table": "t/1", "shares": [[1, 600]]}, "the meter granted another amount"),
        ("meter/link/m", 1, {"event": "contributed", "micros": 0}, "the meter did not grant it"),
        ("table/t", 3, {**SEAT, "seat": 3, "player": "Bob"}, "came to the table from no account"),
        ("account/ann", 1, {"event": "brought_back", "cents": 900, "table": "t", "seat": 1}, "from no table"),
    ],
)
def test_what_does_not_agree_is_named(stream: str, place: int, event: dict[str, Any], found: str) -> None:
    rows = sound()
    rows[stream][place] = (rows[stream][place][0], event)
    assert any(found in finding for finding in added_up(rows).report.findings)


def test_a_house_with_a_jackpot_bots_and_a_physical_table_adds_up(tmp_path: Path) -> None:
    async def story() -> None:
        async with pit_of(tmp_path, "Ann", rng=Lucky) as pit:
            await pit.create(TableSettings(id="live", rulebook="nj-pai-gow", dealt_by="physical"), who="test")
            bots = TableSettings(id="bots", rulebook="nj-pai-gow", pace="instant")
            await pit.create(bots, who="test", bots={2: "careful"})
            await jackpot(pit)
            report = await add_up(pit.store)
            assert report.findings == []
            assert report.awards == 1
            assert report.sources["bots and players of physical tables"] > 0
            assert sum(report.sources.values()) == sum(report.places.values())

    asyncio.run(story())


def test_a_backup_is_verified_as_a_whole_house(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        async with ann.table("nj-double-cross-1") as table:
            await table.give("take_seat", seat=1, chips_cents=100_00)
            await play_round(table, 1)
        await owner.post("/api/audit/verify", {})
        house = (await owner.get("/api/audit/status"))["house"]
        assert house["findings"] == []
        assert "deposits" in house["sources"]

    data, backup = tmp_path / "data", tmp_path / "backup"
    run(data, story)
    runner = CliRunner()
    assert runner.invoke(app, ["backup", "--data", str(data), "--out", str(backup)]).exit_code == 0
    answer = runner.invoke(app, ["verify", "--house", str(backup)])
    assert answer.exit_code == 0, answer.output
    assert "the house adds up" in answer.output
