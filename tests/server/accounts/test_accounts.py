"""Accounts: names, passwords, sessions, the first owner."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any, cast

import pytest

from crossfelt.errors import BadInput
from crossfelt.server.accounts.accounts import START_CENTS, Accounts
from crossfelt.server.accounts.passwords import Passwords
from crossfelt.server.accounts.policy import ROUTES, problem
from crossfelt.server.accounts.sessions import LASTS_MS
from crossfelt.server.accounts.usernames import LONGEST, account_key, account_stream, shown_name
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from properties import given, st
from server.account_fixtures import PASSWORD, Server, T, code, live
from server.databases import Database


def test_a_guest_has_play_money_and_a_name(database: Database) -> None:
    async def story(server: Server) -> None:
        token = await server.accounts.guest()
        assert token.identity.guest
        assert token.identity.roles == ("player",)
        account = await server.accounts.account(token.identity.account)
        assert account.balance_cents == START_CENTS
        named = await server.accounts.guest("Mary  Ann")
        assert named.identity.name == "Mary Ann"
        with pytest.raises(BadInput) as taken:
            await server.accounts.guest("MARY ann")
        assert code(taken) == "account.taken"

    live(database, story)


def test_a_guest_takes_money_and_invitations_to_a_new_name(database: Database) -> None:
    async def story(server: Server) -> None:
        accounts = server.accounts
        old = await accounts.guest("Amber Otter")
        await accounts.accept_invitation(old.identity, "t-1")
        await accounts.deposit(old.identity, "Amber Otter", 500_00)
        new = await accounts.rename_guest(old.identity, "Cleo", token=old.token)
        assert (new.identity.name, new.identity.guest, new.identity.invited_to) == ("Cleo", True, ("t-1",))
        assert (await accounts.account("cleo")).balance_cents == START_CENTS + 500_00
        assert (await accounts.account("amber otter")).balance_cents == 0
        assert await accounts.identify(old.token) is None
        assert (await accounts.identify(new.token)) == new.identity

    live(database, story)


def test_a_guest_with_a_seat_and_an_account_with_a_password_keep_their_names(database: Database) -> None:
    async def story(server: Server) -> None:
        accounts = server.accounts
        guest = await accounts.guest("Cleo")
        with pytest.raises(BadInput) as taken:
            await accounts.rename_guest(guest.identity, "CLEO", token=guest.token)
        assert code(taken) == "account.taken"
        await server.store.commit(
            [account_stream("cleo")],
            lambda transaction: accounts.take_to_table(transaction, "cleo", 100_00, "t-1", 3, "c-1", by="Cleo"),
        )
        with pytest.raises(BadInput) as seated:
            await accounts.rename_guest(guest.identity, "Ann", token=guest.token)
        assert code(seated) == "account.seated"
        player = await accounts.register("Paula", PASSWORD)
        with pytest.raises(BadInput) as known:
            await accounts.rename_guest(player.identity, "Ann", token=player.token)
        assert code(known) == "account.guest"
        assert await accounts.identify(guest.token) == guest.identity

    live(database, story)


def test_a_name_whose_lower_case_form_is_longer_opens_its_account(database: Database) -> None:
    async def story(server: Server) -> None:
        name = LONGEST * "ß"
        await server.accounts.register(name, PASSWORD)
        assert (await server.accounts.log_in(name, PASSWORD)).identity.name == name

    live(database, story)


def test_a_password_opens_a_session_and_the_token_is_not_stored(database: Database) -> None:
    async def story(server: Server) -> None:
        await server.accounts.register("Ann", PASSWORD)
        token = await server.accounts.log_in("ANN", PASSWORD)
        identity = await server.accounts.identify(token.token)
        assert identity == token.identity
        for kind in ("session", "password"):
            for record in await server.store.records(kind):
                assert token.token not in f"{record.key}{record.body!r}"
                assert PASSWORD not in f"{record.key}{record.body!r}"
        for stream in await server.store.streams():
            for line in await server.store.rows(stream.stream):
                assert b"argon2" not in line.body
        with pytest.raises(BadInput) as wrong:
            await server.accounts.log_in("ann", PASSWORD + "!")
        with pytest.raises(BadInput) as unknown:
            await server.accounts.log_in("nobody at all", PASSWORD)
        assert str(wrong.value) == str(unknown.value), "the refusal does not say which of the two is wrong"
        await server.accounts.log_out(token.token)
        assert await server.accounts.identify(token.token) is None

    live(database, story)


def test_the_server_hashes_passwords_at_full_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the other tests use a low cost
    assert asyncio.run(Passwords().secret(PASSWORD)).hash.startswith("$argon2id$v=19$m=65536,t=3,p=1$")


def test_a_session_ends(database: Database) -> None:
    async def story(server: Server) -> None:
        token = await server.accounts.guest()
        server.now += LASTS_MS - 1
        assert await server.accounts.identify(token.token) is not None
        server.now += 1
        assert await server.accounts.identify(token.token) is None
        assert await server.accounts.identify("x" * 43) is None

    live(database, story)


class Interrupted:
    """A store that runs another act right before a write to an account."""

    def __init__(self, store: Store, account: str) -> None:
        self._store = store
        self._stream = account_stream(account)
        self.first: Callable[[], Awaitable[object]] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, streams: Collection[str], work: Callable[[Transaction], T]) -> T:
        if self.first is not None and self._stream in streams:
            first, self.first = self.first, None
            await first()
        return await self._store.commit(streams, work)


def test_a_password_that_is_replaced_during_a_log_in_is_wrong(database: Database) -> None:
    async def story(server: Server) -> None:
        entered = [await server.accounts.register("Ann", PASSWORD)]
        ann = entered[0].identity
        slow = Interrupted(server.store, "ann")
        elsewhere = Accounts(cast("Store", slow), server.journal, clock=lambda: server.now)

        async def log_in() -> None:
            entered.append(await server.accounts.log_in("Ann", PASSWORD))

        async def change() -> None:
            entered.append(await server.accounts.set_password(ann, "a second password", "a third password"))

        slow.first = log_in
        entered.append(await elsewhere.set_password(ann, PASSWORD, "a second password"))
        assert [await server.accounts.identify(it.token) for it in entered] == [None, None, ann]
        slow.first = change
        with pytest.raises(BadInput) as refused:
            await elsewhere.log_in("Ann", "a second password")
        assert code(refused) == "account.credentials"
        assert [await server.accounts.identify(it.token) for it in entered] == [None, None, None, ann]
        await server.accounts.set_password(ann, "a third password", "a second password")
        slow.first = change
        with pytest.raises(BadInput) as refused:
            await elsewhere.set_password(ann, "a second password", "a fourth password")
        assert code(refused) == "account.credentials"
        assert (await server.accounts.log_in("Ann", "a third password")).identity == ann

    live(database, story)


def test_the_owner_is_made_once_and_must_set_a_password(database: Database) -> None:
    async def story(server: Server) -> None:
        password = await server.accounts.first_owner()
        assert password is not None
        token = await server.accounts.log_in("owner", password)
        assert token.identity.must_set_password
        assert problem(ROUTES["GET /api/audit"], token.identity, "x") is not None
        assert problem(ROUTES["PUT /api/me/password"], token.identity, "x") is None
        renewed = await server.accounts.set_password(token.identity, password, PASSWORD)
        assert await server.accounts.identify(token.token) is None, "older sessions end"
        assert not renewed.identity.must_set_password
        assert problem(ROUTES["GET /api/audit"], renewed.identity, "x") is None
        with pytest.raises(BadInput):
            await server.accounts.log_in("owner", password)
        with pytest.raises(BadInput):
            await server.accounts.register("Owner", PASSWORD)
        assert await server.accounts.first_owner() is None

    live(database, story)


def test_each_start_makes_a_new_one_time_password_until_the_owner_sets_one(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(server: Server) -> None:
        lost = await server.accounts.first_owner()
        assert lost is not None
        begun = await server.accounts.log_in("owner", lost)
        password = await server.accounts.first_owner()
        assert password is not None
        with pytest.raises(BadInput) as refused:
            await server.accounts.log_in("owner", lost)
        assert code(refused) == "account.credentials"
        assert await server.accounts.identify(begun.token) is None, "its session has ended too"
        token = await server.accounts.log_in("owner", password)
        assert token.identity.must_set_password
        await server.accounts.set_password(token.identity, password, PASSWORD)
        with monkeypatch.context() as hashing:
            hashing.delattr(Passwords, "secret")  # hashing is slow, and no further start may hash
            assert await server.accounts.first_owner() is None
        assert not (await server.accounts.log_in("owner", PASSWORD)).identity.must_set_password

    live(database, story)


def test_one_of_several_starting_processes_shows_the_password(database: Database) -> None:
    async def story(server: Server) -> None:
        slow = Interrupted(server.store, "owner")
        elsewhere = Accounts(cast("Store", slow), server.journal, clock=lambda: server.now)
        told: list[str | None] = []

        async def start() -> None:
            told.append(await server.accounts.first_owner())

        for _ in range(2):
            slow.first = start
            assert await elsewhere.first_owner() is None
            assert (await server.accounts.log_in("owner", str(told[-1]))).identity.must_set_password

        async def replace() -> None:
            token = await server.accounts.log_in("owner", str(told[-1]))
            await server.accounts.set_password(token.identity, str(told[-1]), PASSWORD)

        slow.first = replace
        assert await elsewhere.first_owner() is None
        assert not (await server.accounts.log_in("owner", PASSWORD)).identity.must_set_password

    live(database, story)


UNUSABLE = ("", "x", "a" * 25, "<script>", "-x-", "Dealer", "You", "a\u202eb", "ann/1", "ｈｏｕｓｅ")
UNSEEN = ("\N{HANGUL FILLER}" * 3, "Ann\N{HALFWIDTH HANGUL FILLER}", "\N{HANGUL CHOSEONG FILLER}Ann")
ANOTHERS = ("Owner", "cashier", "Meter", "Ann and Bob", "Own\N{CYRILLIC SMALL LETTER IE}r")
ALIKE = (
    *("\N{ARMENIAN SMALL LETTER OH}wner", "\N{COPTIC SMALL LETTER O}wner", "\N{OSAGE CAPITAL LETTER O}wner"),
    *("\N{CHEROKEE LETTER GO}nn", "\N{LISU LETTER A}nn"),
)


@pytest.mark.parametrize("name", [*UNUSABLE, *UNSEEN, *ANOTHERS, *ALIKE])
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(BadInput):
        shown_name(name)


@given(st.text(max_size=30))
def test_variants_of_a_name_have_one_key(name: str) -> None:
    try:
        shown = shown_name(name)
    except BadInput:
        return
    assert shown_name(shown) == shown
    assert account_key(shown) == account_key(name) == account_key(account_key(shown))
    assert shown.isprintable()
