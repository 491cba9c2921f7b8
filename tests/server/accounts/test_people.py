"""People: staff accounts, one-time passwords, the access log, sessions, suspensions."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.server.accounts import passwords
from crossfelt.server.accounts.account import DAY_MS
from crossfelt.server.accounts.accounts import OWN_RECORDS, Accounts
from crossfelt.server.accounts.sessions import IDLE_MS, NOTED_MS
from crossfelt.server.journal import events as e
from limits import WAIT_SECONDS
from server.account_fixtures import OWNER, PASSWORD, Server, live
from server.databases import Database, SqliteDatabase
from server.served import Served, owner_of, refused_with, run, staff_of


@pytest.fixture
def sqlite(tmp_path: Path) -> Database:
    return SqliteDatabase(tmp_path / "data")


def test_the_owner_creates_staff_and_resets_a_password_by_a_one_time_code(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        made = await owner.post("/api/staff", {"name": "Fay Stone"})
        first = await Client(served.address).log_in("Fay Stone", made["password"])
        with refused_with("policy.password"):
            await first.get("/api/floor")
        changed = await first.put("/api/me/password", {"old": made["password"], "new": "correct horse battery"})
        fay = Client(served.address, changed["token"])
        await owner.put("/api/accounts/Fay%20Stone/roles", {"roles": ["floor"]})
        assert (await fay.get("/api/me"))["roles"] == ["floor"]
        with refused_with("policy.role"):
            await fay.post("/api/accounts/owner/password", {})
        again = await owner.post("/api/accounts/Fay%20Stone/password", {})
        with refused_with("policy.log_in"):
            await fay.get("/api/floor")
        with refused_with("account.credentials"):
            await Client(served.address).log_in("Fay Stone", "correct horse battery")
        assert await Client(served.address).log_in("Fay Stone", again["password"])

    run(tmp_path, story)


def test_an_account_that_a_player_opened_is_never_given_a_role_of_staff(tmp_path: Path) -> None:
    """The owner could otherwise be the second person under a name of their own."""

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        await Client(served.address).post("/api/accounts", {"name": "Paul", "password": "correct horse battery"})
        for role in ("dealer", "floor", "auditor", "owner"):
            with pytest.raises(BadInput, match="staff need an account that the owner creates for them by name"):
                await owner.put("/api/accounts/Paul/roles", {"roles": [role]})
        asked = {"kind": "roles", "subject": "account/paul", "details": {"roles": "floor"}, "reason": "hired"}
        with refused_with("account.staff"):
            await owner.post("/api/proposals", asked)
        assert (await served.server.accounts.account("paul")).roles == ("player",)

    run(tmp_path, story)


def test_a_suspended_person_is_out_and_the_seat_is_given_up_after_the_round(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay = await staff_of(served, owner, "Fay", "floor")
        paul = Client(served.address)
        told = await paul.post("/api/accounts", {"name": "Paul", "password": "correct horse battery"})
        paul = Client(served.address, told["token"])
        await fay.open_table("nj-criss-cross", id="pit-2", public=True, pace="instant")
        async with paul.table("pit-2") as table:
            assert (await table.give("take_seat", seat=1, chips_cents=100_00)).accepted
            line = await fay.post("/api/accounts/Paul/suspension", {"days": 7, "reason": "abuse at the table"})
            assert line["suspended_why"] == "abuse at the table (Fay)"
        with refused_with("policy.log_in"):
            await paul.post("/api/me/deposits", {"cents": 100})
        with pytest.raises(BadInput, match=r"suspended until .* UTC: abuse at the table"):
            await Client(served.address).log_in("Paul", "correct horse battery")
        async with asyncio.timeout(WAIT_SECONDS):
            while served.server.pit.find("pit-2").table.seat(1).player:
                await asyncio.sleep(0.01)
        noted = [event for _, event in await served.server.journal.events() if isinstance(event, e.AccountSuspended)]
        assert [(it.by, it.account, it.reason) for it in noted] == [("fay", "paul", "abuse at the table")]

    run(tmp_path, story)


def test_a_player_suspends_the_own_account_and_nobody_lifts_it(sqlite: Database) -> None:
    async def story(server: Server) -> None:
        ann = (await server.accounts.register("Ann", PASSWORD)).identity
        flo = await server.staff("Flo", "floor")
        await server.accounts.suspend(ann, "Ann", 30, "a break")
        with pytest.raises(BadInput, match="lasts until its end"):
            await server.accounts.reinstate(flo, "Ann", "she asked")
        await server.accounts.suspend(flo, "Ann", 1, "shorter")
        lifted = await server.accounts.reinstate(OWNER, "Ann", "a mistake")
        assert (lifted.suspended, lifted.suspension(server.now)) == (None, lifted.own_suspension)
        server.now += 29 * DAY_MS
        with pytest.raises(BadInput, match="suspended until"):
            await server.accounts.log_in("Ann", PASSWORD, "10.0.0.1")
        server.now += DAY_MS + 1
        assert await server.accounts.log_in("Ann", PASSWORD, "10.0.0.1")

    live(sqlite, story)


def test_a_player_closes_the_own_account_for_good(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        credentials = {"name": "Ann", "password": "correct horse battery"}
        told = await Client(served.address).post("/api/accounts", credentials)
        ann, accounts = Client(served.address, told["token"]), served.server.accounts
        table = await ann.open_table("nj-criss-cross", pace="instant")
        async with ann.table(table) as seated:
            assert (await seated.give("take_seat", seat=1, chips_cents=100_00)).accepted
            with refused_with("account.seated"):
                await ann.delete("/api/me")
            assert (await seated.give("leave_seat", seat=1)).accepted
            await ann.delete("/api/me")
        with refused_with("policy.log_in"):
            await ann.get("/api/me/sessions")
        with refused_with("account.credentials"):
            await Client(served.address).log_in("Ann", credentials["password"])
        with refused_with("account.taken"):
            await Client(served.address).post("/api/accounts", credentials)
        closed = await accounts.account("ann")
        assert (closed.balance_cents, closed.closed) == (0, True)
        assert await accounts.sessions_of("ann") == []
        for kind in OWN_RECORDS:
            assert await served.server.store.record(kind, "ann") is None
        noted = [event for _, event in await served.server.journal.events() if isinstance(event, e.AccountSuspended)]
        assert [it.account for it in noted] == ["ann"]

    run(tmp_path, story)


def test_a_closed_account_stays_closed_and_takes_no_money(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        told = await Client(served.address).post("/api/accounts", {"name": "Ann", "password": PASSWORD})
        proposed = {"kind": "deposit", "subject": "account/ann", "details": {"cents": 20_000_00}, "reason": "a prize"}
        early = await owner.post("/api/proposals", proposed)
        fay = await staff_of(served, owner, "Fay", "floor")
        await Client(served.address, told["token"]).delete("/api/me")
        for ask in (
            owner.post("/api/accounts/Ann/suspension", {"days": 1, "reason": "abuse"}),
            served.server.accounts.reinstate(OWNER, "Ann", "she asked"),
            owner.post("/api/accounts/Ann/password", {}),
            owner.post("/api/accounts/Ann/deposits", {"cents": 100}),
            owner.post("/api/accounts/Ann/deposits", {"cents": 20_000_00}),
            owner.post("/api/proposals", proposed),
            owner.post("/api/proposals", {**proposed, "kind": "correction"}),
            fay.post(f"/api/proposals/{early['number']}/approval", {}),
        ):
            with refused_with("account.closed"):
                await ask
        assert (await served.server.accounts.account("ann")).balance_cents == 0

    run(tmp_path, story)


def test_a_suspension_ends_the_sessions_also_after_it_is_lifted(sqlite: Database) -> None:
    async def story(server: Server) -> None:
        flo = await server.staff("Flo", "floor")
        ann, bob = [await server.accounts.register(name, PASSWORD) for name in ("Ann", "Bob")]
        await server.accounts.suspend(flo, "Ann", 1, "abuse")
        await server.accounts.reinstate(OWNER, "Ann", "a mistake")
        assert await server.accounts.identify(ann.token) is None
        assert await server.accounts.identify(bob.token) is not None
        assert await server.accounts.log_in("Ann", PASSWORD)

    live(sqlite, story)


def test_only_the_owner_suspends_staff_and_an_alarm_tells_it(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fay, asked = await staff_of(served, owner, "Fay", "floor"), {"days": 1, "reason": "on leave"}
        for name, role in (("Ali", "auditor"), ("Dee", "dealer")):
            await staff_of(served, owner, name, role)
            with pytest.raises(BadInput, match="only the owner suspends staff"):
                await fay.post(f"/api/accounts/{name}/suspension", asked)
        with pytest.raises(BadInput, match="another person suspends it"):
            await fay.post("/api/accounts/Fay/suspension", asked)
        await owner.post("/api/accounts/Ali/suspension", asked)
        told = [it["what"] for it in await owner.get("/api/floor/alarms")]
        assert told.count("owner suspended ali, who is staff.") == 1
        await Client(served.address).post("/api/accounts", {"name": "Paul", "password": PASSWORD})
        await fay.post("/api/accounts/Paul/suspension", asked)
        assert len(await owner.get("/api/floor/alarms")) == len(told)

    run(tmp_path, story)


def test_log_ins_and_failed_ones_are_in_the_journal_and_sessions_can_be_ended(sqlite: Database) -> None:
    async def story(server: Server) -> None:
        flo = await server.staff("Flo", "floor")
        for name, password in (("Flo", "wrong password"), ("correct horse battery", "Flo")):
            with pytest.raises(BadInput):
                await server.accounts.log_in(name, password, "10.0.0.9")
        server.now += 1
        token = await server.accounts.log_in("Flo", PASSWORD, "10.0.0.1")
        failed = [it for it in await server.noted(e.LoginFailed) if isinstance(it, e.LoginFailed)]
        assert [(it.by, it.address) for it in failed] == [("flo", "10.0.0.9"), ("stranger", "10.0.0.9")]
        assert [(it.by, it.address) for it in await server.noted(e.LoggedIn) if isinstance(it, e.LoggedIn)] == [
            *(("flo", ""), ("flo", "10.0.0.1")),
        ]
        newest = (await server.accounts.sessions_of("flo"))[0]
        assert newest.address == "10.0.0.1"
        await server.accounts.end_session(flo, "flo", newest.id)
        assert await server.accounts.identify(token.token) is None

    live(sqlite, story)


def test_an_idle_session_ends_and_a_used_one_does_not(sqlite: Database) -> None:
    async def story(server: Server) -> None:
        await server.accounts.register("Ann", PASSWORD)
        used, idle = [await server.accounts.log_in("Ann", PASSWORD) for _ in range(2)]
        server.now += IDLE_MS - NOTED_MS
        assert await server.accounts.identify(used.token) is not None
        server.now += NOTED_MS
        assert await server.accounts.identify(used.token) is not None
        assert await server.accounts.identify(idle.token) is None

    live(sqlite, story)


def test_a_one_time_password_expires_and_the_next_start_makes_another(sqlite: Database) -> None:
    async def story(server: Server) -> None:
        first = await server.accounts.first_owner()
        assert first is not None
        assert await server.accounts.owner_has_one_time_password()
        server.now += passwords.ONE_TIME_MS
        assert not await server.accounts.owner_has_one_time_password()
        with pytest.raises(BadInput, match="this one-time password has expired"):
            await server.accounts.log_in("owner", first)
        asked = await server.accounts.readmit_owner()
        assert await server.accounts.first_owner() is None
        server.now += passwords.ONE_TIME_MS
        with pytest.raises(BadInput, match="this one-time password has expired"):
            await server.accounts.log_in("owner", asked)
        renewed = await server.accounts.first_owner()
        assert renewed is not None
        assert (await server.accounts.log_in("owner", renewed)).identity.must_set_password

    live(sqlite, story)


@pytest.mark.parametrize("password", ["eleven char", "Password1234"])
def test_a_short_or_common_password_is_refused(password: str, sqlite: Database) -> None:
    async def story(server: Server) -> None:
        with refused_with("account.password"):
            await server.accounts.register("Ann", password)

    live(sqlite, story)


def test_a_password_record_that_was_replaced_in_the_store_is_refused(sqlite: Database) -> None:
    """The hash of each record is in the chain of its account."""

    async def story(server: Server) -> None:
        accounts: Accounts = server.accounts
        await accounts.register("Ann", PASSWORD)
        await accounts.register("Mal", "mallory's own one")
        stolen = await server.store.record(passwords.KIND, "mal")
        assert stolen is not None
        secret = passwords.secret_of(stolen)
        assert secret is not None
        await server.store.commit([], lambda tx: tx.put(passwords.record_of("ann", secret)))
        with pytest.raises(BadInput, match="was altered"):
            await accounts.log_in("Ann", "mallory's own one")

    live(sqlite, story)
