"""Revoked sessions and roles close their connections at once; rate limits."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from pathlib import Path

import httpx
import pytest

from crossfelt.client import Client, TableClient
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.revocation import Revocations, Revoked, note
from crossfelt.server.journal.stream import Journal
from crossfelt.server.runtime.limits import RateLimiter
from crossfelt.server.store.interface import Unavailable
from crossfelt.server.store.sql_store import Store
from limits import WAIT_SECONDS
from server.databases import SqliteDatabase, run
from server.served import Served, owner_of, serving, staff_of

TABLE = "nj-criss-cross-1"


async def closed(table: TableClient) -> str:
    """Return the reason that a connection got before it was closed."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not table.goodbye:
            await asyncio.sleep(0.005)
    await table.close()
    return table.goodbye


@pytest.fixture(scope="module")
def closing_reasons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The reasons that connections got, by what was revoked."""
    received: dict[str, str] = {}

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        for role in ("dealer", "floor", "auditor"):
            staff = await staff_of(served, owner, f"{role.title()} Doe", role)
            async with staff.table(TABLE, role) as table:
                await owner.put(f"/api/accounts/{role.title()}%20Doe/roles", {"roles": ["player"]})
                received[f"{role} without the role"] = await closed(table)
        player = await Client(served.address).join_as_guest("Ann")
        other = await Client(served.address).join_as_guest("Bob")
        async with player.table(TABLE) as table, player.table(TABLE, "spectator") as looks, other.table(TABLE) as stays:
            await player.delete("/api/session")
            received["player who logged out"] = await closed(table)
            received["spectator who logged out"] = await closed(looks)
            assert (await stays.give("take_seat", seat=2, chips_cents=100_00)).accepted
        one = await staff_of(served, owner, "Petra", "player", "dealer")
        async with one.table(TABLE, "dealer") as table:
            await one.put("/api/me/password", {"old": "correct horse battery", "new": "a quite different one"})
            received["password changed"] = await closed(table)

    async def run() -> None:
        async with serving(tmp_path_factory.mktemp("data")) as served:
            await story(served)

    asyncio.run(run())
    return received


@pytest.mark.parametrize("role", ["dealer", "floor", "auditor"])
def test_a_revoked_role_closes_its_connection(role: str, closing_reasons: dict[str, str]) -> None:
    reason = closing_reasons[f"{role} without the role"]
    assert reason == f"you do not have the role {role}; an owner can give it to you"


@pytest.mark.parametrize("who", ["player who logged out", "spectator who logged out", "password changed"])
def test_no_connection_outlives_its_session(who: str, closing_reasons: dict[str, str]) -> None:
    assert closing_reasons[who] == "the session has ended: log in again"


def test_a_revocation_ends_connections_of_other_processes(tmp_path: Path) -> None:
    """A second `Accounts` on the same store stands for the other process, which only records the revocation."""

    async def story(served: Served) -> None:
        elsewhere = Accounts(served.server.store, Journal(served.server.store), clock=served.server.now)
        ann = await Client(served.address).join_as_guest("Ann")
        async with ann.table(TABLE) as table:
            await elsewhere.log_out(ann.token)
            assert await closed(table) == "the session has ended: log in again"

    async def run() -> None:
        async with serving(tmp_path, shared=True) as served:
            await story(served)

    asyncio.run(run())


def test_a_failed_revocation_is_retried(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        revocations, tried = Revocations(store), list[str]()

        async def revoke(revoked: Revoked) -> None:
            tried.append(revoked.account)
            if len(tried) == 1:
                raise Unavailable("the database is away")

        await store.commit([], lambda tx: note(tx, Revoked(account="ann"), 0))
        with pytest.raises(Unavailable):
            await revocations.apply(revoke)
        for _ in range(2):
            await revocations.apply(revoke)
        assert tried == ["ann", "ann"]

    run(SqliteDatabase(tmp_path), story)


def test_a_client_over_the_rate_limit_learns_when_to_retry(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path) as served:
            ann = await Client(served.address).join_as_guest("Ann")
            bob = await Client(served.address).join_as_guest("Bob")
            served.server.account_limits = RateLimiter(2, now=lambda: 0.0)
            served.server.address_limits = RateLimiter(20, now=lambda: 0.0)
            refused = await asyncio.to_thread(_until_refused, served.address, ann.token)
            with refused:
                assert refused.code == 429
                assert 1 <= int(refused.headers["Retry-After"]) <= 10
                assert b'"code":"rate"' in refused.read()
            assert (await bob.get("/api/me"))["name"] == "Bob", "one person's haste is nobody else's"
            with await asyncio.to_thread(_until_refused, served.address, "") as stranger:
                assert stranger.status == 429, "strangers are counted by their address"

    asyncio.run(run())


def test_log_ins_of_unknown_clients_count_at_their_cost(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            serving(tmp_path) as served,
            httpx.AsyncClient(base_url=served.address, timeout=WAIT_SECONDS) as stranger,
        ):
            served.server.address_limits = RateLimiter(10, now=lambda: 0.0)
            closing_reasons = [
                (await stranger.post("/api/accounts", json={"name": name, "password": "short"})).status_code
                for name in ("Ann", "Bob", "Cy")
            ]
            assert closing_reasons == [422, 422, 429], "a hundred at once: two passwords, and no third"

    asyncio.run(run())


def _until_refused(address: str, token: str) -> urllib.error.HTTPError:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    for _ in range(1000):
        try:
            urllib.request.urlopen(urllib.request.Request(f"{address}/api/me", headers=headers)).read()
        except urllib.error.HTTPError as refused:
            return refused
    raise AssertionError("nobody was ever refused")
