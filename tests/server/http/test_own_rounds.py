"""A player exports the own rounds: `verify` reads them, and they hold no card that the player did not see."""

from __future__ import annotations

import asyncio
import csv
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from crossfelt.cli.commands.verify import player_lines
from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.proof.fair_round import DECKS
from crossfelt.proof.player_rounds import PlayerRoundsReport
from crossfelt.proof.verify import VerificationReport, verify_file
from server.served import Served, serving

WAGERS = {"ante_across": 500, "ante_down": 500}


async def play(client: Client, table: str, together: asyncio.Barrier | None = None) -> None:
    """Take part in one round, and stay in it to the end; players who play together sit before the first bet."""
    async with client.table(table) as live:
        seat = 1 if client.name == "Ann" else 2
        assert (await live.give("take_seat", seat=seat, chips_cents=500_00)).problem is None
        if together is not None:
            await together.wait()
        await live.until(lambda it: it.option("place_wagers"))
        answer = await live.ask({"command": "place_wagers", "seat": seat, "wagers": WAGERS}, ready=True)
        assert answer.problem is None
        while True:
            await live.until(lambda it: it.option("bet") or _over(it.events))
            if _over(live.events):
                return
            await live.give("bet", seat=seat, cents=500)


def _over(events: Iterable[dict[str, Any]]) -> bool:
    return any(event["event"] == "round_closed" for event in events)


async def download(client: Client, path: str, to: Path) -> Path:
    request = urllib.request.Request(client.address + path, headers={"Authorization": f"Bearer {client.token}"})

    def fetch() -> bytes:
        with urllib.request.urlopen(request) as answer:
            return bytes(answer.read())

    to.write_bytes(await asyncio.to_thread(fetch))
    return to


def test_a_player_exports_what_the_player_saw(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, ben, eve = [await served.guest(name) for name in ("Ann", "Ben", "Eve")]
        table = await ann.open_table("nj-criss-cross", pace="instant")
        link = (await ann.get(f"/api/tables/{table}/invitation"))["link"]
        for friend in (ben, eve):
            await friend.post(f"/api/tables/{table}/guests", {"key": link.partition("invite=")[2]})
        together = asyncio.Barrier(2)
        await asyncio.gather(play(ann, table, together), play(ben, table, together))
        own = f"/api/tables/{table}/own-rounds"
        file = await download(ann, own, tmp_path / "ann.jsonl")
        report = verify_file(file)
        assert isinstance(report, PlayerRoundsReport)
        assert (report.fault, report.player, report.rounds) == (None, "Ann", 1)
        assert report.proofs >= 4, "root, deck, seeds and cards"
        assert report.not_shown[0] == DECKS
        told = list(player_lines(report, "ann.jsonl"))
        assert f"not shown: {DECKS}" in told
        with (await download(ann, f"{own}.csv", tmp_path / "ann.csv")).open(newline="") as text:
            rows = list(csv.DictReader(text))
        assert sum(int(row["net_cents"]) for row in rows) == report.net_cents
        assert {row["seat"] for row in rows} == {rows[0]["seat"]}, "only the own wagers"
        net = f'"nets":{{"{rows[0]["seat"]}":{report.net_cents}}}'
        assert net in file.read_text()
        file.write_text(file.read_text().replace(net, net.replace(str(report.net_cents), "123456")))
        forged = verify_file(file)
        assert forged.verdict == "inconsistent"
        assert "another result" in str(forged.fault)
        with pytest.raises(BadInput, match="you have finished no round at this table: play one"):
            await eve.get(own)
        with pytest.raises(BadInput, match="not for this role"):
            await ann.get(f"/api/tables/{table}/history")

    async def run() -> None:
        async with serving(tmp_path / "data") as served:
            await story(served)

    asyncio.run(run())


def test_the_owner_of_a_private_table_exports_its_whole_history(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path / "data") as served:
            ann = await served.guest("Ann")
            table = await ann.open_table("nj-criss-cross", pace="instant", bots=2)
            await play(ann, table)
            report = verify_file(await download(ann, f"/api/tables/{table}/own-rounds", tmp_path / "all.jsonl"))
            assert isinstance(report, VerificationReport)
            assert (report.fault, report.rounds, report.resettled_rounds) == (None, 1, 1)

    asyncio.run(run())
