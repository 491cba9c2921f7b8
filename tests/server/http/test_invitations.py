"""Invitations: the holder of a table's link may play there, and a server of the local network knows its host."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from crossfelt.client import Disconnected
from crossfelt.errors import BadInput
from server.served import Served, serving

PRIVATE = {"rulebook": "nj-criss-cross", "pace": "instant"}


def test_only_the_holder_of_the_link_comes_to_a_private_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as served:
            ann, ben, eve = [await served.guest(name) for name in ("Ann", "Ben", "Eve")]
            table = (await ann.post("/api/tables", PRIVATE))["id"]
            invitation = await ann.get(f"/api/tables/{table}/invitation")
            link = urlsplit(invitation["link"])
            assert (link.path, invitation["this_machine"]) == (f"/table/{table}", True)
            key = parse_qs(link.fragment)["invite"][0]
            for client in (ben, eve):
                with pytest.raises(BadInput, match="no such table"):
                    await client.get(f"/api/tables/{table}/invitation")
            with pytest.raises(BadInput, match="ask your friend for a new link"):
                await eve.post(f"/api/tables/{table}/guests", {"key": key[::-1]})
            for _ in range(2):
                await ben.post(f"/api/tables/{table}/guests", {"key": key})
            assert [it["owner"] for it in (await ben.get("/api/lobby"))["tables"] if it["id"] == table] == ["Ann"]
            assert table not in [it["id"] for it in (await eve.get("/api/lobby"))["tables"]]
            async with ben.table(table) as live:
                answer = await live.give("take_seat", seat=1, chips_cents=100_00)
                assert answer.problem is None
            with pytest.raises(Disconnected, match="ask its owner for an invitation link"):
                async with eve.table(table):
                    pass

    asyncio.run(story())


def test_the_host_needs_no_code_and_a_forwarded_request_does(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        served.server.code, served.server.lan_url = "ab12cd34", "http://192.0.2.7:8000"
        elsewhere = {"X-Forwarded-For": "192.0.2.9"}
        async with (
            httpx.AsyncClient(base_url=served.address) as host,
            httpx.AsyncClient(base_url=served.address, headers=elsewhere) as friend,
        ):
            assert not (await host.get("/api/me")).json()["code_needed"]
            assert (await friend.get("/api/me")).json()["code_needed"]
            assert (await friend.post("/api/guests", json={"name": "Ann"})).status_code == 403
            assert (await host.post("/api/guests", json={"name": "Hugo"})).status_code == 201
            invitation = (await host.get("/api/invitation")).json()
            assert invitation["link"] == "http://192.0.2.7:8000/#code=ab12cd34"
            assert not invitation["this_machine"]
            assert (await friend.post("/api/guests", json={"name": "Ann", "code": "ab12cd34"})).status_code == 201

    async def run() -> None:
        async with serving(tmp_path) as served:
            await story(served)

    asyncio.run(run())
