"""Exports: the exact bytes, in pages, and no deck that is still to be played."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from crossfelt.cli.main import run as crossfelt
from crossfelt.client import Client
from crossfelt.proof.hash_chain import end_line
from crossfelt.server.store.interface import NOTHING, Stored, StreamHead
from crossfelt.server.store.signing_key import PUBLIC
from limits import WAIT_SECONDS
from server.served import Served, owner_of, play_round, serving

TABLE = "nj-criss-cross-1"


async def copied(served: Served, who: Client, path: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=served.address, timeout=WAIT_SECONDS) as client:
        headers = {"Authorization": f"Bearer {who.token}", "Accept-Encoding": "gzip"}
        return (await client.get(path, headers=headers)).raise_for_status()


def test_exports_are_read_in_pages_and_sent_uncompressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossfelt.server.audit.export.PAGE", 3)

    async def story() -> None:
        async with serving(tmp_path) as served:
            store, owner = served.server.store, await owner_of(served)
            await served.server._signer.sign()
            rows, asked = store.rows, list[int]()

            async def noted(stream: str, after: int = NOTHING, limit: int | None = None) -> Sequence[Stored]:
                if limit == 3:
                    asked.append(after)
                return await rows(stream, after, limit)

            monkeypatch.setattr(store, "rows", noted)
            server = await copied(served, owner, "/api/streams/journal")
            kept = await rows("journal")
            lines = server.content.splitlines()
            assert lines[:-1] == [row.body for row in kept[: len(lines) - 1]]
            assert f'{{"end":{len(lines) - 2},'.encode() in lines[-1]
            assert asked[:2] == [NOTHING, 2]
            heads = await copied(served, owner, "/api/audit/heads")
            signed = b"".join(head.body + b"\n" for head in await store.signed_heads())
            assert signed.startswith(heads.content)
            for answer in (server, heads):
                assert "content-encoding" not in answer.headers
                assert answer.headers["content-type"] == "application/jsonl"

    asyncio.run(story())


def test_a_process_that_lags_behind_exports_no_deck_in_play(tmp_path: Path) -> None:
    """Another process has opened the table since: its unknown rows are in play."""

    async def story() -> None:
        async with serving(tmp_path) as served:
            owner, ann, settings = await owner_of(served), await served.guest("Ann"), served.server.pit.settings
            async with ann.table(TABLE) as table:
                await table.give("take_seat", seat=1, chips_cents=100_00)
                await table.until(lambda seen: seen.view["step"] == "open_bets")
                now = settings[TABLE]
                del settings[TABLE]
                reply = await copied(served, owner, f"/api/tables/{TABLE}/history")
                assert b'"deck_shuffled"' not in reply.content
                settings[TABLE] = now
            assert b'"deck_shuffled"' in b"".join(row.body for row in await served.server.store.rows(now.stream))

    asyncio.run(story())


def test_streams_are_listed_without_reading_all_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crossfelt.server.http.routes.audit.PAGE", 4)
    monkeypatch.setattr("crossfelt.server.http.routes.audit.MOST_STREAMS", 6)

    async def story() -> None:
        async with serving(tmp_path) as served:
            store, owner = served.server.store, await owner_of(served)
            streams, sizes = store.streams, list[int]()

            async def noted(prefix: str = "", after: str = "", limit: int | None = None) -> Sequence[StreamHead]:
                found = await streams(prefix, after, limit)
                sizes.append(len(found))
                return found

            known = [head.stream for head in await streams() if not head.stream.startswith("seal/")]
            monkeypatch.setattr(store, "streams", noted)
            assert [line["stream"] for line in await owner.get("/api/audit/streams")] == known[:6]
            assert max(sizes) == 4
            assert [line["stream"] for line in await owner.get("/api/audit/streams?text=pai-gow")] == [
                name for name in known if "pai-gow" in name
            ]

    asyncio.run(story())


def test_the_history_of_an_open_table_verifies_up_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with the last closed round, while heads name rows of the open one.

    An export that hides its early end fails.
    """

    async def story() -> None:
        async with serving(tmp_path) as served:
            owner, ann = await owner_of(served), await served.guest("Ann")
            name = await ann.open_table("nj-criss-cross", pace="instant")
            async with ann.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                for _ in range(2):
                    await play_round(table, 1)
                    await served.server._signer.sign()
                for path, file in ((f"/api/tables/{name}/history", "log"), ("/api/audit/heads", "heads")):
                    (tmp_path / f"{file}.jsonl").write_bytes((await copied(served, owner, path)).content)

    def verdict() -> tuple[int, str]:
        files = [tmp_path / "log.jsonl", "--key", tmp_path / PUBLIC, "--head", tmp_path / "heads.jsonl"]
        return crossfelt(["verify", *map(str, files)]), capsys.readouterr().out.splitlines()[-1]

    asyncio.run(story())
    log = tmp_path / "log.jsonl"
    *lines, last = log.read_bytes().splitlines()
    rows, reply = len(lines) - 1, json.loads(last)
    assert last == end_line(rows, reply["previous"], goes_on=True).body
    code, said = verdict()
    assert code == 0
    signed = "consistent, signed by the server"
    assert re.fullmatch(rf"{signed} up to row \d+ of {rows}; it continues to row \d+ at least", said)
    log.write_bytes(b"\n".join([*lines, end_line(rows, reply["previous"]).body, b""]))
    assert verdict() == (1, "inconsistent")
