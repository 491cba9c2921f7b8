"""An owner who cannot log in: `crossfelt owner` makes a one-time password."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from crossfelt.cli.main import run as command
from crossfelt.errors import BadInput
from crossfelt.server.accounts.login_attempts import PER_NAME_AND_ADDRESS
from crossfelt.server.accounts.revocation import Revocations, Revoked
from crossfelt.server.journal import events as e
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.postgresql import engine_for
from crossfelt.server.store.signing_key import signing_key
from crossfelt.server.store.sqlite import FILE
from server.account_fixtures import OWNER, PASSWORD, Server, code, live
from server.databases import Database, PostgresqlDatabase, SqliteDatabase
from server.postgres import Postgres

TOLD = "Log in as owner with this one-time password, then set your own: "


async def settle_in(server: Server) -> str:
    """Set the owner's password; return the token of the session."""
    password = await server.accounts.first_owner()
    assert password is not None
    return (await server.accounts.set_password(OWNER, password, PASSWORD)).token


def test_a_locked_out_owner_can_log_in_again(database: Database) -> None:
    async def story(server: Server) -> None:
        session = await settle_in(server)
        ada = await server.staff("Ada", "owner")
        for _ in range(PER_NAME_AND_ADDRESS.free):
            with pytest.raises(BadInput):
                await server.accounts.log_in("owner", "a wrong password", "10.0.0.1")
        await server.accounts.set_roles(ada, "owner", ["player"])
        revocations, revoked = Revocations(server.store), list[Revoked]()

        async def revoke(one: Revoked) -> None:
            revoked.append(one)

        await revocations.apply(revoke)
        revoked.clear()
        password = await server.accounts.readmit_owner()
        await revocations.apply(revoke)
        assert revoked == [Revoked(account="owner")], "connections of the owner end in every process"
        assert await server.accounts.identify(session) is None
        with pytest.raises(BadInput) as wrong:
            await server.accounts.log_in("owner", PASSWORD, "10.0.0.1")
        assert code(wrong) == "account.credentials", "earlier guesses are cleared"
        assert await server.accounts.first_owner() is None, "no start replaces the password"
        entered = (await server.accounts.log_in("owner", password, "10.0.0.1")).identity
        assert entered.must_set_password
        assert entered.roles == ("owner",)
        [readmitted] = await server.noted(e.OwnerReadmitted)
        assert readmitted.by == "server"
        again = (await server.noted(e.RolesChanged))[-1]
        assert isinstance(again, e.RolesChanged)
        assert (again.by, again.account, again.after) == ("server", "owner", ("owner",))
        await server.accounts.set_password(entered, password, PASSWORD)
        assert await server.accounts.first_owner() is None

    live(database, story)


def test_the_command_prints_the_password_after_it_is_stored(
    database: Database, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    async def before(server: Server) -> None:
        await settle_in(server)

    where = [f"--data={tmp_path / 'data'}"]
    if isinstance(database, PostgresqlDatabase):
        where.append(f"--database={database.address}")
    live(database, before)
    assert command(["owner", *where]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(TOLD)
    assert len(told.err.splitlines()) == 1

    async def after(server: Server) -> None:
        password = told.err.removeprefix(TOLD).strip()
        assert (await server.accounts.log_in("owner", password)).identity.must_set_password

    live(database, after)


def test_the_command_uses_the_time_of_the_store(tmp_path: Path) -> None:
    """After the machine's clock was set back, the revocation would expire before it is written."""
    ahead = int(time.time() * 1000) + 2 * 3600 * 1000

    async def before(server: Server) -> None:
        server.now = ahead
        await settle_in(server)

    async def after(server: Server) -> None:
        [readmitted] = await server.noted(e.OwnerReadmitted)
        assert readmitted.at >= ahead

    live(SqliteDatabase(tmp_path / "data"), before)
    assert command(["owner", f"--data={tmp_path / 'data'}"]) == 0
    live(SqliteDatabase(tmp_path / "data"), after)


def test_the_command_makes_no_new_server_and_refuses_a_running_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    nowhere, never_started, running = (tmp_path / name for name in ("nowhere", "never started", "running"))

    async def empty(_: Server) -> None:
        """Make an empty database."""

    live(SqliteDatabase(never_started), empty)
    store = open_store(running)
    for data, why in (
        (nowhere, f"{nowhere}: no data of a server in this directory; name its directory with --data"),
        (never_started, "there is no such account: 'owner'"),
        (running, f"{running}: another server is running on this directory"),
    ):
        assert command(["owner", f"--data={data}"]) == 2
        assert capsys.readouterr().err.splitlines() == [why]
    assert not nowhere.exists()
    asyncio.run(store.close())


def test_the_command_reports_a_lost_database_as_a_start_does(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The command opens the store without reading it first: a read-only connection would leave a log that stops a
    start."""
    asyncio.run(open_store(tmp_path).close())
    (tmp_path / FILE).write_bytes(b"")
    assert command(["owner", f"--data={tmp_path}"]) == 2
    assert f"{FILE}: is missing or empty, but there is a crossfelt.key" in capsys.readouterr().err
    assert (tmp_path / FILE).read_bytes() == b""


def test_the_command_makes_no_server_in_an_empty_database(
    capsys: pytest.CaptureFixture[str], postgres: Postgres, tmp_path: Path
) -> None:
    signing_key(tmp_path)
    address = postgres.new_database()
    assert command(["owner", f"--data={tmp_path}", f"--database={address}"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    engine = engine_for(address, 1)
    assert sa.inspect(engine).get_table_names() == []
    engine.dispose()
