"""What somebody loses ends at once: sessions and roles close their connections, and too many requests wait."""

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
from crossfelt.server.store.sql_store import SqlStore
from limits import WAIT_SECONDS
from server.databases import SqliteDatabase, run
from server.served import Served, owner_of, serving, staff_of

TABLE = "nj-criss-cross-1"


async def closed(table: TableClient) -> str:
    """What it was told before it was closed."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not table.goodbye:
            await asyncio.sleep(0.005)
    await table.close()
    return table.goodbye


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What connections were told, by what was taken from whom."""
    heard: dict[str, str] = {}

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        for role in ("dealer", "floor", "auditor"):
            staff = await staff_of(served, owner, f"{role.title()} Doe", role)
            async with staff.table(TABLE, role) as table:
                await owner.put(f"/api/accounts/{role.title()}%20Doe/roles", {"roles": ["player"]})
                heard[f"{role} without the role"] = await closed(table)
        player = await Client(served.address).join_as_guest("Ann")
        other = await Client(served.address).join_as_guest("Bob")
        async with player.table(TABLE) as table, player.table(TABLE, "spectator") as looks, other.table(TABLE) as stays:
            await player.delete("/api/session")
            heard["player who logged out"] = await closed(table)
            heard["spectator who logged out"] = await closed(looks)
            assert (await stays.give("take_seat", seat=2, chips_cents=100_00)).accepted
        one = await staff_of(served, owner, "Petra", "player", "dealer")
        async with one.table(TABLE, "dealer") as table:
            await one.put("/api/me/password", {"old": "correct horse battery", "new": "a quite different one"})
            heard["password changed"] = await closed(table)

    async def run() -> None:
        async with serving(tmp_path_factory.mktemp("house")) as served:
            await story(served)

    asyncio.run(run())
    return heard


@pytest.mark.parametrize("role", ["dealer", "floor", "auditor"])
def test_who_loses_a_role_looks_on_no_longer(role: str, told: dict[str, str]) -> None:
    assert told[f"{role} without the role"] == f"you do not have the role {role}; an owner can give it to you"


@pytest.mark.parametrize("who", ["player who logged out", "spectator who logged out", "password changed"])
def test_no_connection_outlives_its_session(who: str, told: dict[str, str]) -> None:
    assert told[who] == "the session has ended: log in again"


def test_what_one_process_takes_away_ends_in_the_others(tmp_path: Path) -> None:
    """The other process is a second set of accounts on the same store: it only writes down what it did."""

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


def test_what_could_not_be_ended_is_ended_the_next_time(tmp_path: Path) -> None:
    async def story(store: SqlStore) -> None:
        revocations, tried = Revocations(store), list[str]()

        async def revoke(revoked: Revoked) -> None:
            tried.append(revoked.account)
            if len(tried) == 1:
                raise Unavailable("the database is away")

        await store.commit([], lambda tx: note(tx, Revoked(account="ann"), 0))
        with pytest.raises(Unavailable):
            await revocations.carry_out(revoke)
        for _ in range(2):
            await revocations.carry_out(revoke)
        assert tried == ["ann", "ann"]

    run(SqliteDatabase(tmp_path), story)


def test_who_asks_too_much_is_told_when_to_ask_again(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, requests_a_second=2) as served:
            ann = await Client(served.address).join_as_guest("Ann")
            bob = await Client(served.address).join_as_guest("Bob")
            refused = await asyncio.to_thread(_until_refused, served.address, ann.token)
            with refused:
                assert refused.code == 429
                assert 1 <= int(refused.headers["Retry-After"]) <= 10
                assert b'"code":"rate"' in refused.read()
            assert (await bob.get("/api/me"))["name"] == "Bob", "one person's haste is nobody else's"
            with await asyncio.to_thread(_until_refused, served.address, "") as stranger:
                assert stranger.status == 429, "strangers are counted by their address"

    asyncio.run(run())


def test_passwords_of_strangers_are_counted_for_what_they_cost(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            serving(tmp_path) as served,
            httpx.AsyncClient(base_url=served.address, timeout=WAIT_SECONDS) as stranger,
        ):
            served.server.address_limits = RateLimiter(10, now=lambda: 0.0)
            told = [
                (await stranger.post("/api/accounts", json={"name": name, "password": "short"})).status_code
                for name in ("Ann", "Bob", "Cy")
            ]
            assert told == [422, 422, 429], "a hundred at once: two passwords, and no third"

    asyncio.run(run())


def _until_refused(address: str, token: str) -> urllib.error.HTTPError:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    for _ in range(1000):
        try:
            urllib.request.urlopen(urllib.request.Request(f"{address}/api/me", headers=headers)).read()
        except urllib.error.HTTPError as refused:
            return refused
    raise AssertionError("nobody was ever refused")
