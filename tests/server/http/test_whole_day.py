"""A whole day over REST: two shifts, a jackpot, a void by two people, a dispute, closing, figures, evidence, checks."""

from __future__ import annotations

import asyncio
import csv
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crossfelt.cli.main import app
from crossfelt.client import Client
from crossfelt.server.runtime.clock import SteadyClock
from limits import WAIT_SECONDS
from server.dual_control.test_nobody_alone import RIGGED, meter_of
from server.dual_control.test_voids import HOUSE_TABLE, SHORT, bet, propose, sit
from server.http.test_evidence import download
from server.served import Served, open_by_two, owner_of, play_round, run, staff_of

PASSWORD = "correct horse battery"
FILL = 500_00


class MovableClock(SteadyClock):
    """A clock that begins at seven in the morning of the next day, and can be set forward."""

    ahead_ms = 0

    def __call__(self) -> int:
        return super().__call__() + self.ahead_ms

    @classmethod
    def at_seven(cls) -> None:
        now = datetime.now(UTC)
        seven = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC) + timedelta(hours=7)
        cls.ahead_ms = int((seven - now).total_seconds() * 1000)


async def shift_one(served: Served, fay: Client, ann: Client) -> None:
    async with fay.table(HOUSE_TABLE, "floor") as floor:
        assert (await floor.give("record_fill", cents=FILL)).accepted
    async with ann.table(HOUSE_TABLE) as table:
        await sit(table)
        for _ in range(2):
            await play_round(table, 1)
        await table.give("leave_seat", seat=1)
    async with ann.table("pit-1") as table:
        assert (await table.give("take_seat", seat=1, chips_cents=9_000_00)).accepted
        while not (await meter_of(fay, "pit-1/bonus_spin"))["hits"]:
            await play_round(table, 1, bonus_spin=500)
        await table.give("leave_seat", seat=1)
    await served.server._signer.sign()


async def shift_two(fay: Client, fred: Client, ann: Client) -> int:
    """Play a round, void the next by two people, and return the number of the round that was played."""
    async with ann.table(HOUSE_TABLE) as table:
        await sit(table)
        number = await play_round(table, 1)
        await bet(table)
        await table.until(lambda seen: seen.view["step"] == "decide_across")
        proposal = await propose(fay, round=table.view["round"], **SHORT)
        await fred.post(f"/api/proposals/{proposal}/approval", {})
        await table.until(lambda seen: seen.view["step"] == "open_bets")
        await fay.delete(f"/api/tables/{HOUSE_TABLE}")
        await table.until(lambda seen: not seen.view["seats"][0]["player"])
    return number


def test_a_day_from_opening_to_verification(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    MovableClock.at_seven()
    monkeypatch.setattr("crossfelt.server.server.SteadyClock", MovableClock)

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay, fred, ada = [
            await staff_of(served, owner, name, role)
            for name, role in (("Fay", "floor"), ("Fred", "floor"), ("Ada", "auditor"))
        ]
        ann = await served.guest("Ann")
        before = (await ann.post("/api/me/deposits", {"cents": 9_500_00}))["balance_cents"]
        await open_by_two(fay, fred, "nj-criss-cross", "pit-1", RIGGED, pace="instant")
        alarms = await fay.get("/api/floor/alarms")
        assert (alarms[0]["kind"], alarms[0]["subject"]) == ("odds", "pit-1")
        await shift_one(served, fay, ann)
        paid = (await fay.get("/api/floor/alarms"))[0]
        assert (paid["kind"], paid["subject"]) == ("award", "pit-1")
        MovableClock.ahead_ms += 8 * 3600 * 1000
        fay, fred, ada = [await Client(served.address).log_in(name, PASSWORD) for name in ("Fay", "Fred", "Ada")]
        number = await shift_two(fay, fred, ann)
        while HOUSE_TABLE in served.server.pit.settings:
            await asyncio.sleep(0.01)
        await served.server._signer.sign()

        recalled = await fay.get(f"/api/tables/{HOUSE_TABLE}/cases")
        assert [it["outcome"] for it in recalled["rounds"]] == ["void", "settled", "settled", "settled"]
        day = await fay.get("/api/figures/day")
        first, second, third = day["shifts"]
        assert [it["total"]["rounds"] for it in (second, third)] == [1, 0]
        assert {it["table"]: it["rounds"] for it in first["tables"]}[HOUSE_TABLE] == 2
        assert [it["total"]["fills_cents"] for it in (first, second)] == [FILL, 0]
        after = (await ann.get("/api/me"))["balance_cents"]
        assert day["whole"]["total"]["win_cents"] == before - after

        assert (await ada.post("/api/audit/verify", {}))["sound"]
        assert (await ada.get("/api/audit/status"))["house"]["findings"] == []
        dispute = f"/api/audit/evidence?table={HOUSE_TABLE}&round={number}"
        await download(ada, dispute, tmp_path / "dispute.zip")
        await download(ada, "/api/audit/evidence", tmp_path / "day.zip")
        await download(ada, "/api/audit/entries.csv", tmp_path / "entries.csv")
        times = [row["at"] for row in csv.DictReader((tmp_path / "entries.csv").read_text().splitlines())]
        assert times
        assert all(datetime.fromisoformat(at).utcoffset() == timedelta(0) for at in times), "a time without its zone"
        await download(fay, "/api/figures/day.csv", tmp_path / "day.csv")
        assert {row["zone"] for row in csv.DictReader((tmp_path / "day.csv").read_text().splitlines())} == {"UTC"}

    async def told(served: Served) -> None:
        async with asyncio.timeout(WAIT_SECONDS):
            await story(served)

    run(tmp_path / "data", told)
    backup = tmp_path / "backup"
    for command in (
        ["backup", "--data", str(tmp_path / "data"), "--out", str(backup)],
        ["verify", str(tmp_path / "dispute.zip")],
        ["verify", str(tmp_path / "day.zip")],
        ["verify", "--house", str(backup)],
    ):
        answer = CliRunner().invoke(app, command)
        assert answer.exit_code == 0, answer.output
