"""Guesses of passwords and names cost waits, and do not lock out other people."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from crossfelt.errors import BadInput
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.login_attempts import (
    KNOWN_FOR_MS,
    MOST_KNOWN,
    PER_ADDRESS,
    PER_NAME,
    PER_NAME_AND_ADDRESS,
    PER_SESSION,
    Limit,
)
from crossfelt.server.accounts.passwords import Passwords
from crossfelt.server.journal import events as e
from crossfelt.server.store.sql_store import Store
from server.account_fixtures import PASSWORD, Server, code, live
from server.databases import Database


async def tried(server: Server, password: str, address: str = "", name: str = "Ann") -> str:
    """Log in; return the code of the refusal, or nothing."""
    try:
        await server.accounts.log_in(name, password, address)
    except BadInput as refused:
        return refused.problems[0].code
    return ""


def test_wrong_passwords_lock_a_name_for_longer_and_longer(database: Database) -> None:
    async def story(server: Server) -> None:
        await server.accounts.register("Ann", PASSWORD)

        async def wrong() -> str:
            return await tried(server, "wrong password", "10.0.0.1")

        assert {await wrong() for _ in range(PER_NAME_AND_ADDRESS.free)} == {"account.credentials"}
        assert await wrong() == "account.throttled"
        assert await tried(server, PASSWORD, "10.0.0.1") == "account.throttled", "the right password must wait too"
        [locked] = await server.noted(e.LockedOut)
        assert isinstance(locked, e.LockedOut)
        assert (locked.account, locked.address) == ("ann", "10.0.0.1")
        server.now = locked.until
        assert await wrong() == "account.credentials"
        again = (await server.noted(e.LockedOut))[-1]
        assert isinstance(again, e.LockedOut)
        assert again.until - again.at == 2 * (locked.until - locked.at)
        server.now = again.until
        assert await tried(server, PASSWORD, "10.0.0.1") == ""
        assert await wrong() == "account.credentials", "a successful log-in clears the count"

    live(database, story)


def test_guesses_from_one_address_do_not_lock_out_others(database: Database) -> None:
    async def story(server: Server) -> None:
        entered = await server.accounts.register("Ann", PASSWORD, "10.0.0.1")
        guessed = [
            await tried(server, f"wrong password {n}", "10.0.0.66") for n in range(PER_NAME_AND_ADDRESS.free + 2)
        ]
        assert guessed[-1] == "account.throttled"
        assert [await tried(server, PASSWORD, address) for address in ("10.0.0.1", "10.0.0.2")] == ["", ""]
        assert await tried(server, PASSWORD, "10.0.0.66") == "account.throttled"
        changed = await server.accounts.set_password(
            entered.identity, PASSWORD, "a second password", token=entered.token
        )
        assert await server.accounts.identify(changed.token) == entered.identity

    live(database, story)


def test_guesses_from_many_addresses_do_not_lock_out_a_known_address(database: Database) -> None:
    async def story(server: Server) -> None:
        await server.accounts.register("Ann", PASSWORD, "10.0.0.1")
        assert await tried(server, PASSWORD, "10.0.0.2") == ""
        guessed = [await tried(server, "wrong password", f"10.0.1.{n}") for n in range(2 * PER_NAME.free)]
        assert guessed == ["account.credentials"] * PER_NAME.free + ["account.throttled"] * PER_NAME.free
        assert await tried(server, PASSWORD, "10.0.0.3") == "account.throttled", "a guess might have been right"
        assert [await tried(server, PASSWORD, address) for address in ("10.0.0.1", "10.0.0.2")] == ["", ""]
        assert await tried(server, "wrong password", "10.0.1.200") == "account.throttled", "other addresses still wait"
        here = [await tried(server, "wrong password", "10.0.0.1") for _ in range(PER_NAME_AND_ADDRESS.free + 1)]
        assert here[-1] == "account.throttled", "guesses from a known address are limited too"
        assert await tried(server, PASSWORD, "10.0.0.2") == ""
        server.now += PER_NAME.longest_wait_ms
        assert await tried(server, PASSWORD, "10.0.0.3") == ""

    live(database, story)


def test_known_addresses_are_limited_and_expire(database: Database) -> None:
    async def story(server: Server) -> None:
        await server.accounts.register("Ann", PASSWORD, "10.0.0.1")

        async def known(*addresses: str) -> list[bool]:
            """Return for each address whether Ann can log in from it while an attacker guesses from many."""
            server.now += PER_NAME.forgotten_after_ms
            for number in range(PER_NAME.free):
                await tried(server, "wrong password", f"10.0.1.{number}")
            found = [await tried(server, PASSWORD, address) == "" for address in addresses]
            server.now += PER_NAME.forgotten_after_ms
            return found

        for number in range(2, 2 + MOST_KNOWN):
            server.now += 1
            assert await tried(server, PASSWORD, f"10.0.0.{number}") == ""
        assert await known("10.0.0.1", "10.0.0.2", "10.0.0.3") == [False, True, True]
        server.now += KNOWN_FOR_MS - 3 * PER_NAME.forgotten_after_ms
        assert await known("10.0.0.3") == [True]
        server.now += KNOWN_FOR_MS // 2
        assert await known("10.0.0.2", "10.0.0.3") == [False, True]

    live(database, story)


def test_guesses_of_the_old_password_in_a_session_are_limited(database: Database) -> None:
    async def story(server: Server) -> None:
        left_open = await server.accounts.register("Ann", PASSWORD)

        async def change(old: str, token: str) -> str:
            with pytest.raises(BadInput) as refused:
                await server.accounts.set_password(left_open.identity, old, "a second password", token=token)
            return code(refused)

        guessed = [await change(f"wrong password {n}", left_open.token) for n in range(PER_SESSION.free + 1)]
        assert guessed == ["account.credentials"] * PER_SESSION.free + ["account.throttled"]
        assert await change(PASSWORD, left_open.token) == "account.throttled"
        [locked] = await server.noted(e.LockedOut)
        assert (locked.by, locked.at) == ("ann", server.now)
        own = await server.accounts.log_in("Ann", PASSWORD)
        await server.accounts.set_password(own.identity, PASSWORD, "a second password", token=own.token)

    live(database, story)


def test_parallel_attempts_all_count(database: Database) -> None:
    async def story(server: Server) -> None:
        await server.accounts.register("Ann", PASSWORD)
        codes = await asyncio.gather(*(tried(server, f"wrong password {n}") for n in range(40)))
        assert codes.count("account.credentials") == PER_NAME_AND_ADDRESS.free
        assert codes.count("account.throttled") == 40 - PER_NAME_AND_ADDRESS.free

    live(database, story)


def test_only_failed_attempts_from_an_address_count(database: Database) -> None:
    async def story(server: Server) -> None:
        names = [f"Ann {number}" for number in range(8)]
        for name in names:
            await server.accounts.register(name, PASSWORD)

        async def try_it(name: str, password: str, address: str = "10.0.0.1") -> str:
            return await tried(server, password, address, name)

        assert {await try_it(names[0], PASSWORD) for _ in range(2 * PER_ADDRESS.free)} == {""}
        wrong = [await try_it(names[number % 7], "wrong password") for number in range(PER_ADDRESS.free - 1)]
        assert set(wrong) == {"account.credentials"}
        assert [await try_it(names[7], PASSWORD) for _ in range(3)] == ["", "", ""], "not even one beyond the limit"
        assert await try_it("nobody", "wrong password") == "account.credentials"
        assert await try_it(names[7], PASSWORD) == "account.throttled", "successful attempts do not clear failed ones"
        assert await try_it(names[7], PASSWORD, "10.0.0.2") == ""
        server.now += 60_000
        assert [await try_it(names[7], PASSWORD) for _ in range(2)] == ["", ""]

    live(database, story)


def test_accounts_from_one_address_are_limited(database: Database) -> None:
    async def story(server: Server) -> None:
        few = Limit(free=3, first_wait_ms=1000, longest_wait_ms=1000, forgotten_after_ms=60_000)
        accounts = Accounts(server.store, server.journal, new_accounts=few, clock=lambda: server.now)
        for _ in range(3):
            await accounts.guest(address="10.0.0.1")
        with pytest.raises(BadInput) as refused:
            await accounts.guest(address="10.0.0.1")
        assert code(refused) == "account.throttled"
        await accounts.guest(address="10.0.0.2")
        server.now += 1000
        await accounts.guest(address="10.0.0.1")

    live(database, story)


def test_a_refused_new_account_costs_no_hashing_and_leaves_no_stream(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_hashing(*_: object, **__: object) -> None:
        raise AssertionError("a refused request cost a hash")

    async def story(server: Server) -> None:
        one = Limit(free=1, first_wait_ms=1000, longest_wait_ms=1000, forgotten_after_ms=60_000)
        accounts = Accounts(server.store, server.journal, new_accounts=one, clock=lambda: server.now)
        await accounts.guest("Ann", "10.0.0.1")
        before = _rows_of_streams(server.store)
        monkeypatch.setattr(Passwords, "secret", no_hashing)
        for refused in (accounts.guest("Bob", "10.0.0.1"), accounts.register("Cy", PASSWORD, "10.0.0.1")):
            with pytest.raises(BadInput, match="too many attempts"):
                await refused
        assert _rows_of_streams(server.store) == before

    live(database, story)


def test_attempts_at_taken_names_are_limited(database: Database) -> None:
    async def story(server: Server) -> None:
        two = Limit(free=2, first_wait_ms=1000, longest_wait_ms=1000, forgotten_after_ms=60_000)
        accounts = Accounts(server.store, server.journal, new_accounts=two, clock=lambda: server.now)
        await accounts.guest("Ann", "10.0.0.1")
        for why in ("is taken", "too many attempts"):
            with pytest.raises(BadInput, match=why):
                await accounts.guest("Ann", "10.0.0.1")

    live(database, story)


def _rows_of_streams(store: Store) -> int:
    """Count the rows of streams, with those that have no line."""
    with store._readers.connect() as connection:
        return int(connection.execute(sa.text("select count(*) from streams")).scalar_one())
