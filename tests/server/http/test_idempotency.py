"""A request with an idempotency key is carried out once, and answered the same way each time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from crossfelt.server.store import idempotency_keys
from crossfelt.server.store.idempotency_keys import RequestKey
from crossfelt.server.store.interface import Record
from server.served import Served, run


def test_a_repeated_deposit_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        store = served.server.store

        async def deposit(key: str, cents: int) -> httpx.Response:
            headers = {"Authorization": f"Bearer {ann.token}", **({"Idempotency-Key": key} if key else {})}
            async with httpx.AsyncClient(trust_env=False) as client:
                return await client.post(f"{served.address}/api/me/deposits", json={"cents": cents}, headers=headers)

        async def balance() -> int:
            found: int = (await ann.get("/api/me"))["balance_cents"]
            return found

        def problem(answer: httpx.Response) -> tuple[int, Any]:
            return answer.status_code, answer.json()["problems"][0]["code"]

        before = await balance()
        first = await deposit("a", 100)
        assert (first.status_code, await balance()) == (201, before + 100)
        again = await deposit("a", 100)
        assert (again.status_code, again.content, again.headers["content-type"]) == (
            first.status_code,
            first.content,
            first.headers["content-type"],
        )
        assert problem(await deposit("a", 200)) == (422, "request.key")
        assert problem(await deposit("x" * 101, 100)) == (422, "request.key")
        assert (await deposit("", 100)).status_code == (await deposit("b", 100)).status_code == 201
        assert await balance() == before + 300

        # The server is killed after the deposit is durable, and before its answer is stored or sent.
        keep = RequestKey.record
        with monkeypatch.context() as killed:
            killed.setattr(
                RequestKey, "record", lambda key, answer: keep(key, idempotency_keys.StoredAnswer(digest=answer.digest))
            )
            assert (await deposit("c", 100)).status_code == 201
        assert problem(await deposit("c", 100)) == (409, "request.carried_out")
        assert await balance() == before + 400

        # Another person's key is another key, and a refused request is answered the same way again.
        refused = await deposit("d", -1)
        assert (await deposit("d", -1)).content == refused.content
        assert await store.record(idempotency_keys.KIND, "ann/d") is not None
        assert await store.record(idempotency_keys.KIND, "bob/d") is None

    run(tmp_path, story)


def test_two_requests_with_one_key_at_the_same_time_count_once(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, store = await served.guest("Ann"), served.server.store
        before = (await ann.get("/api/me"))["balance_cents"]
        claimed = Record(kind=idempotency_keys.KIND, key="ann/a", body=b"")
        original = store.record

        async def late(kind: str, key: str) -> Record | None:
            """Find nothing, and let the other request be first."""
            found = await original(kind, key)
            if kind == idempotency_keys.KIND:
                await store.commit([], lambda transaction: transaction.put(claimed))
            return found

        store.record = late  # type: ignore[method-assign]
        headers = {"Authorization": f"Bearer {ann.token}", "Idempotency-Key": "a"}
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.post(f"{served.address}/api/me/deposits", json={"cents": 100}, headers=headers)
        assert answer.status_code == 409
        store.record = original  # type: ignore[method-assign]
        assert await original(idempotency_keys.KIND, "ann/a") == claimed
        assert (await ann.get("/api/me"))["balance_cents"] == before

    run(tmp_path, story)


def test_a_pipelined_request_does_not_have_the_key_of_the_request_before(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, at = await served.guest("Ann"), urlsplit(served.address)
        before = (await ann.get("/api/me"))["balance_cents"]

        def deposit(cents: int, *more: str) -> bytes:
            body = f'{{"cents":{cents}}}'
            head = ("POST /api/me/deposits HTTP/1.1", f"Host: {at.netloc}", f"Authorization: Bearer {ann.token}", *more)
            size = f"Content-Length: {len(body)}"
            return "\r\n".join((*head, "Content-Type: application/json", size, "", body)).encode()

        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        writer.write(deposit(-1, "Idempotency-Key: a") + deposit(100, "Connection: close"))
        answers = (await reader.read()).split(b"HTTP/1.1 ")
        writer.close()
        assert [answer[:3] for answer in answers[1:]] == [b"400", b"201"], answers
        assert (await ann.get("/api/me"))["balance_cents"] == before + 100

    run(tmp_path, story)
