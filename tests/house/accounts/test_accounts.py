"""Accounts: names, passwords, sessions, throttling, money by ledger entries."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any, cast

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from crossfelt.house.accounts import account as a
from crossfelt.house.accounts.accounts import START_CENTS, Accounts
from crossfelt.house.accounts.guessing import KNOWN_FOR_MS, MOST_KNOWN
from crossfelt.house.accounts.naming import LONGEST, account_key, account_stream, shown_name
from crossfelt.house.accounts.passwords import Passwords
from crossfelt.house.accounts.policy import ROUTES, problem
from crossfelt.house.accounts.sessions import LASTS_MS
from crossfelt.house.accounts.throttle import PER_ADDRESS, PER_NAME, PER_NAME_AND_ADDRESS, PER_SESSION, Limit
from crossfelt.house.audit import events as e
from crossfelt.house.store.port import Repeated, Transaction
from crossfelt.house.store.sql import SqlStore
from crossfelt.money import dollars
from crossfelt.money.ledger import Unbalanced
from crossfelt.problems import BadInput
from house.databases import Database
from house.people import PASSWORD, House, T, code, live

# --- who ------------------------------------------------------------------------------------------------------------


def test_a_guest_has_play_money_and_a_name(database: Database) -> None:
    async def story(house: House) -> None:
        token = await house.accounts.guest()
        assert token.identity.guest
        assert token.identity.roles == ("player",)
        account = await house.accounts.account(token.identity.account)
        assert account.balance_cents == START_CENTS
        named = await house.accounts.guest("Mary  Ann")
        assert named.identity.name == "Mary Ann"
        with pytest.raises(BadInput) as taken:
            await house.accounts.guest("MARY ann")
        assert code(taken) == "account.taken"

    live(database, story)


def test_a_name_that_is_longer_in_small_letters_opens_its_account(database: Database) -> None:
    async def story(house: House) -> None:
        name = LONGEST * "ß"
        await house.accounts.register(name, PASSWORD)
        assert (await house.accounts.log_in(name, PASSWORD)).identity.name == name

    live(database, story)


def test_a_password_opens_a_session_and_a_token_is_nowhere_kept(database: Database) -> None:
    async def story(house: House) -> None:
        await house.accounts.register("Ann", PASSWORD)
        token = await house.accounts.log_in("ANN", PASSWORD)
        identity = await house.accounts.who(token.token)
        assert identity == token.identity
        for kind in ("session", "password"):
            for record in await house.store.records(kind):
                assert token.token not in f"{record.key}{record.body!r}"
                assert PASSWORD not in f"{record.key}{record.body!r}"
        for stream in await house.store.streams():
            for line in await house.store.rows(stream.stream):
                assert b"argon2" not in line.body
        with pytest.raises(BadInput) as wrong:
            await house.accounts.log_in("ann", PASSWORD + "!")
        with pytest.raises(BadInput) as unknown:
            await house.accounts.log_in("nobody at all", PASSWORD)
        assert str(wrong.value) == str(unknown.value), "which of the two it was is nobody's business"
        await house.accounts.log_out(token.token)
        assert await house.accounts.who(token.token) is None

    live(database, story)


def test_a_house_hashes_passwords_at_full_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # in the other tests it is cheap
    assert asyncio.run(Passwords().secret(PASSWORD)).hash.startswith("$argon2id$v=19$m=65536,t=3,p=1$")


def test_a_session_ends(database: Database) -> None:
    async def story(house: House) -> None:
        token = await house.accounts.guest()
        house.now += LASTS_MS - 1
        assert await house.accounts.who(token.token) is not None
        house.now += 1
        assert await house.accounts.who(token.token) is None
        assert await house.accounts.who("x" * 43) is None

    live(database, story)


async def tried(house: House, password: str, address: str = "", name: str = "Ann") -> str:
    """A log-in; why it is refused, if it is."""
    try:
        await house.accounts.log_in(name, password, address)
    except BadInput as refused:
        return refused.problems[0].code
    return ""


def test_wrong_passwords_lock_a_name_for_longer_and_longer(database: Database) -> None:
    async def story(house: House) -> None:
        await house.accounts.register("Ann", PASSWORD)

        async def wrong() -> str:
            return await tried(house, "wrong password", "10.0.0.1")

        assert {await wrong() for _ in range(PER_NAME_AND_ADDRESS.free)} == {"account.credentials"}
        assert await wrong() == "account.throttled"
        assert await tried(house, PASSWORD, "10.0.0.1") == "account.throttled", "nor does the right password help"
        [locked] = await house.noted(e.LockedOut)
        assert isinstance(locked, e.LockedOut)
        assert (locked.account, locked.address) == ("ann", "10.0.0.1")
        house.now = locked.until
        assert await wrong() == "account.credentials"
        again = (await house.noted(e.LockedOut))[-1]
        assert isinstance(again, e.LockedOut)
        assert again.until - again.at == 2 * (locked.until - locked.at)
        house.now = again.until
        assert await tried(house, PASSWORD, "10.0.0.1") == ""
        assert await wrong() == "account.credentials", "a good attempt wipes the slate"

    live(database, story)


def test_who_guesses_keeps_nobody_out_who_comes_from_elsewhere(database: Database) -> None:
    async def story(house: House) -> None:
        entered = await house.accounts.register("Ann", PASSWORD, "10.0.0.1")
        guessed = [await tried(house, f"wrong password {n}", "10.0.0.66") for n in range(PER_NAME_AND_ADDRESS.free + 2)]
        assert guessed[-1] == "account.throttled"
        assert [await tried(house, PASSWORD, address) for address in ("10.0.0.1", "10.0.0.2")] == ["", ""]
        assert await tried(house, PASSWORD, "10.0.0.66") == "account.throttled"
        changed = await house.accounts.set_password(
            entered.identity, PASSWORD, "a second password", token=entered.token
        )
        assert await house.accounts.who(changed.token) == entered.identity

    live(database, story)


def test_who_guesses_from_many_addresses_waits_and_keeps_nobody_out_who_has_come_before(database: Database) -> None:
    async def story(house: House) -> None:
        await house.accounts.register("Ann", PASSWORD, "10.0.0.1")
        assert await tried(house, PASSWORD, "10.0.0.2") == ""
        guessed = [await tried(house, "wrong password", f"10.0.1.{n}") for n in range(2 * PER_NAME.free)]
        assert guessed == ["account.credentials"] * PER_NAME.free + ["account.throttled"] * PER_NAME.free
        assert await tried(house, PASSWORD, "10.0.0.3") == "account.throttled", "who guesses might have been right"
        assert [await tried(house, PASSWORD, address) for address in ("10.0.0.1", "10.0.0.2")] == ["", ""]
        assert await tried(house, "wrong password", "10.0.1.200") == "account.throttled", "nor does that help others"
        here = [await tried(house, "wrong password", "10.0.0.1") for _ in range(PER_NAME_AND_ADDRESS.free + 1)]
        assert here[-1] == "account.throttled", "nor is it guessed at will from there"
        assert await tried(house, PASSWORD, "10.0.0.2") == ""
        house.now += PER_NAME.longest_wait_ms
        assert await tried(house, PASSWORD, "10.0.0.3") == ""

    live(database, story)


def test_where_somebody_comes_from_is_remembered_for_some_time_and_of_some_addresses(database: Database) -> None:
    async def story(house: House) -> None:
        await house.accounts.register("Ann", PASSWORD, "10.0.0.1")

        async def known(*addresses: str) -> list[bool]:
            """From which of them Ann can come while somebody guesses from everywhere."""
            house.now += PER_NAME.forgotten_after_ms
            for number in range(PER_NAME.free):
                await tried(house, "wrong password", f"10.0.1.{number}")
            found = [await tried(house, PASSWORD, address) == "" for address in addresses]
            house.now += PER_NAME.forgotten_after_ms
            return found

        for number in range(2, 2 + MOST_KNOWN):
            house.now += 1
            assert await tried(house, PASSWORD, f"10.0.0.{number}") == ""
        assert await known("10.0.0.1", "10.0.0.2", "10.0.0.3") == [False, True, True]
        house.now += KNOWN_FOR_MS - 3 * PER_NAME.forgotten_after_ms
        assert await known("10.0.0.3") == [True]
        house.now += KNOWN_FOR_MS // 2
        assert await known("10.0.0.2", "10.0.0.3") == [False, True]

    live(database, story)


def test_the_old_password_cannot_be_guessed_at_will_in_a_session(database: Database) -> None:
    async def story(house: House) -> None:
        left_open = await house.accounts.register("Ann", PASSWORD)

        async def change(old: str, token: str) -> str:
            with pytest.raises(BadInput) as refused:
                await house.accounts.set_password(left_open.identity, old, "a second password", token=token)
            return code(refused)

        guessed = [await change(f"wrong password {n}", left_open.token) for n in range(PER_SESSION.free + 1)]
        assert guessed == ["account.credentials"] * PER_SESSION.free + ["account.throttled"]
        assert await change(PASSWORD, left_open.token) == "account.throttled"
        [locked] = await house.noted(e.LockedOut)
        assert (locked.by, locked.at) == ("ann", house.now)
        own = await house.accounts.log_in("Ann", PASSWORD)
        await house.accounts.set_password(own.identity, PASSWORD, "a second password", token=own.token)

    live(database, story)


def test_many_attempts_at_once_count_as_many(database: Database) -> None:
    async def story(house: House) -> None:
        await house.accounts.register("Ann", PASSWORD)
        codes = await asyncio.gather(*(tried(house, f"wrong password {n}") for n in range(40)))
        assert codes.count("account.credentials") == PER_NAME_AND_ADDRESS.free
        assert codes.count("account.throttled") == 40 - PER_NAME_AND_ADDRESS.free

    live(database, story)


def test_good_attempts_from_an_address_do_not_count_and_wrong_ones_do(database: Database) -> None:
    async def story(house: House) -> None:
        names = [f"Ann {number}" for number in range(8)]
        for name in names:
            await house.accounts.register(name, PASSWORD)

        async def try_it(name: str, password: str, address: str = "10.0.0.1") -> str:
            return await tried(house, password, address, name)

        assert {await try_it(names[0], PASSWORD) for _ in range(2 * PER_ADDRESS.free)} == {""}
        wrong = [await try_it(names[number % 7], "wrong password") for number in range(PER_ADDRESS.free - 1)]
        assert set(wrong) == {"account.credentials"}
        assert [await try_it(names[7], PASSWORD) for _ in range(3)] == ["", "", ""], "not even the one that is too many"
        assert await try_it("nobody", "wrong password") == "account.credentials"
        assert await try_it(names[7], PASSWORD) == "account.throttled", "wrong ones are not forgiven for good ones"
        assert await try_it(names[7], PASSWORD, "10.0.0.2") == ""
        house.now += 60_000
        assert [await try_it(names[7], PASSWORD) for _ in range(2)] == ["", ""]

    live(database, story)


def test_one_address_opens_only_so_many_accounts(database: Database) -> None:
    async def story(house: House) -> None:
        few = Limit(free=3, first_wait_ms=1000, longest_wait_ms=1000, forgotten_after_ms=60_000)
        accounts = Accounts(house.store, house.journal, new_accounts=few, clock=lambda: house.now)
        for _ in range(3):
            await accounts.guest(address="10.0.0.1")
        with pytest.raises(BadInput) as refused:
            await accounts.guest(address="10.0.0.1")
        assert code(refused) == "account.throttled"
        await accounts.guest(address="10.0.0.2")
        house.now += 1000
        await accounts.guest(address="10.0.0.1")

    live(database, story)


def test_newcomers_who_are_refused_cost_no_hashing_and_leave_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_hashing(*_: object, **__: object) -> None:
        raise AssertionError("a password was hashed for somebody who is refused")

    async def story(house: House) -> None:
        one = Limit(free=1, first_wait_ms=1000, longest_wait_ms=1000, forgotten_after_ms=60_000)
        accounts = Accounts(house.store, house.journal, new_accounts=one, clock=lambda: house.now)
        await accounts.guest("Ann", "10.0.0.1")
        before = _rows_of_streams(house.store)
        monkeypatch.setattr(Passwords, "secret", no_hashing)
        for refused in (accounts.guest("Bob", "10.0.0.1"), accounts.register("Cy", PASSWORD, "10.0.0.1")):
            with pytest.raises(BadInput, match="too many attempts"):
                await refused
        assert _rows_of_streams(house.store) == before

    live(database, story)


def test_names_that_are_taken_cannot_be_tried_at_will(database: Database) -> None:
    async def story(house: House) -> None:
        two = Limit(free=2, first_wait_ms=1000, longest_wait_ms=1000, forgotten_after_ms=60_000)
        accounts = Accounts(house.store, house.journal, new_accounts=two, clock=lambda: house.now)
        await accounts.guest("Ann", "10.0.0.1")
        for why in ("somebody else's", "too many attempts"):
            with pytest.raises(BadInput, match=why):
                await accounts.guest("Ann", "10.0.0.1")

    live(database, story)


def _rows_of_streams(store: SqlStore) -> int:
    """Also of those that are only named, and have no line."""
    with store._readers.connect() as connection:
        return int(connection.execute(sa.text("select count(*) from streams")).scalar_one())


class Interrupted:
    """A store where something else is done first, right before an account is written to."""

    def __init__(self, store: SqlStore, account: str) -> None:
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


def test_nobody_is_logged_in_with_a_password_that_was_changed_meanwhile(database: Database) -> None:
    async def story(house: House) -> None:
        entered = [await house.accounts.register("Ann", PASSWORD)]
        ann = entered[0].identity
        slow = Interrupted(house.store, "ann")
        elsewhere = Accounts(cast("SqlStore", slow), house.journal, clock=lambda: house.now)

        async def log_in() -> None:
            entered.append(await house.accounts.log_in("Ann", PASSWORD))

        async def change() -> None:
            entered.append(await house.accounts.set_password(ann, "a second password", "a third password"))

        slow.first = log_in
        entered.append(await elsewhere.set_password(ann, PASSWORD, "a second password"))
        assert [await house.accounts.who(it.token) for it in entered] == [None, None, ann]
        slow.first = change
        with pytest.raises(BadInput) as refused:
            await elsewhere.log_in("Ann", "a second password")
        assert code(refused) == "account.credentials"
        assert [await house.accounts.who(it.token) for it in entered] == [None, None, None, ann]
        await house.accounts.set_password(ann, "a third password", "a second password")
        slow.first = change
        with pytest.raises(BadInput) as refused:
            await elsewhere.set_password(ann, "a second password", "a fourth password")
        assert code(refused) == "account.credentials"
        assert (await house.accounts.log_in("Ann", "a third password")).identity == ann

    live(database, story)


def test_the_owner_is_made_once_and_must_set_a_password(database: Database) -> None:
    async def story(house: House) -> None:
        password = await house.accounts.first_owner()
        assert password is not None
        token = await house.accounts.log_in("owner", password)
        assert token.identity.must_set_password
        assert problem(ROUTES["GET /api/audit"], token.identity, "x") is not None
        assert problem(ROUTES["PUT /api/me/password"], token.identity, "x") is None
        renewed = await house.accounts.set_password(token.identity, password, PASSWORD)
        assert await house.accounts.who(token.token) is None, "older sessions end"
        assert not renewed.identity.must_set_password
        assert problem(ROUTES["GET /api/audit"], renewed.identity, "x") is None
        with pytest.raises(BadInput):
            await house.accounts.log_in("owner", password)
        with pytest.raises(BadInput):
            await house.accounts.register("Owner", PASSWORD)
        assert await house.accounts.first_owner() is None

    live(database, story)


def test_an_owner_who_never_saw_the_password_gets_another_one_with_the_next_start(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House) -> None:
        lost = await house.accounts.first_owner()
        assert lost is not None
        begun = await house.accounts.log_in("owner", lost)
        password = await house.accounts.first_owner()
        assert password is not None
        with pytest.raises(BadInput) as refused:
            await house.accounts.log_in("owner", lost)
        assert code(refused) == "account.credentials"
        assert await house.accounts.who(begun.token) is None, "nor is a session good that began with it"
        token = await house.accounts.log_in("owner", password)
        assert token.identity.must_set_password
        await house.accounts.set_password(token.identity, password, PASSWORD)
        with monkeypatch.context() as hashing:
            hashing.delattr(Passwords, "secret")  # that takes its time, of which no further start has any
            assert await house.accounts.first_owner() is None
        assert not (await house.accounts.log_in("owner", PASSWORD)).identity.must_set_password

    live(database, story)


def test_of_processes_that_start_at_once_one_tells_the_password(database: Database) -> None:
    async def story(house: House) -> None:
        slow = Interrupted(house.store, "owner")
        elsewhere = Accounts(cast("SqlStore", slow), house.journal, clock=lambda: house.now)
        told: list[str | None] = []

        async def start() -> None:
            told.append(await house.accounts.first_owner())

        for _ in range(2):
            slow.first = start
            assert await elsewhere.first_owner() is None
            assert (await house.accounts.log_in("owner", str(told[-1]))).identity.must_set_password

        async def replace() -> None:
            token = await house.accounts.log_in("owner", str(told[-1]))
            await house.accounts.set_password(token.identity, str(told[-1]), PASSWORD)

        slow.first = replace
        assert await elsewhere.first_owner() is None
        assert not (await house.accounts.log_in("owner", PASSWORD)).identity.must_set_password

    live(database, story)


UNUSABLE = ("", "x", "a" * 25, "<script>", "-x-", "Dealer", "a\u202eb", "ann/1", "ｈｏｕｓｅ")
UNSEEN = ("\N{HANGUL FILLER}" * 3, "Ann\N{HALFWIDTH HANGUL FILLER}", "\N{HANGUL CHOSEONG FILLER}Ann")
ANOTHERS = ("Owner", "cashier", "Meter", "Ann and Bob", "Own\N{CYRILLIC SMALL LETTER IE}r")
ALIKE = (
    *("\N{ARMENIAN SMALL LETTER OH}wner", "\N{COPTIC SMALL LETTER O}wner", "\N{OSAGE CAPITAL LETTER O}wner"),
    *("\N{CHEROKEE LETTER GO}nn", "\N{LISU LETTER A}nn"),
)


@pytest.mark.parametrize("name", [*UNUSABLE, *UNSEEN, *ANOTHERS, *ALIKE])
def test_names_that_will_not_do(name: str) -> None:
    with pytest.raises(BadInput):
        shown_name(name)


@given(st.text(max_size=30))
def test_a_name_that_does_is_filed_under_one_key(name: str) -> None:
    try:
        shown = shown_name(name)
    except BadInput:
        return
    assert shown_name(shown) == shown
    assert account_key(shown) == account_key(name) == account_key(account_key(shown))
    assert shown.isprintable()


# --- money ------------------------------------------------------------------------------------------------------------


def test_money_goes_to_a_table_and_back_by_entries(database: Database) -> None:
    async def story(house: House) -> None:
        ann = (await house.accounts.guest("Ann")).identity

        def sit(tx: Transaction) -> None:
            house.accounts.take_to_table(tx, ann, 600_00, "t1", 2, "c1")

        def leave(tx: Transaction) -> None:
            house.accounts.bring_back(tx, ann.account, 750_00, "t1", 2, "c9", by="Ann")

        streams = [account_stream(ann.account)]
        await house.store.commit(streams, sit)
        seated = await house.accounts.account("ann")
        assert (seated.balance_cents, seated.at_tables) == (400_00, {"t1:2": 600_00})
        with pytest.raises(Repeated):
            await house.store.commit(streams, lambda tx: house.accounts.take_to_table(tx, ann, 1_00, "t1", 2, "c1"))
        with pytest.raises(BadInput) as short:
            await house.store.commit(streams, lambda tx: house.accounts.take_to_table(tx, ann, 400_01, "t1", 3, "c2"))
        assert code(short) == "account.amount"
        await house.store.commit(streams, leave)
        after = await house.accounts.deposit(ann, "ann", 50_00, "more")
        assert (after.balance_cents, after.at_tables, after.deposited_cents) == (1200_00, {}, 1050_00)
        for cents in (0, -1, a.MOST_CENTS):
            with pytest.raises(BadInput):
                await house.accounts.deposit(ann, "ann", cents)

    live(database, story)


def test_no_account_is_filled_beyond_the_most_it_takes(database: Database) -> None:
    async def story(house: House) -> None:
        ann = (await house.accounts.guest("Ann")).identity
        room, streams = a.MOST_CENTS - START_CENTS, [account_stream("ann")]

        def correct(cents: int) -> Callable[[Transaction], None]:
            return lambda tx: house.accounts.correct(tx, "ann", cents, reason="short paid", by="Flo and Finn")

        async def refused(asked: Awaitable[object]) -> str:
            with pytest.raises(BadInput) as why:
                await asked
            assert code(why) == "account.amount"
            return why.value.problems[0].allowed

        assert await refused(house.accounts.check_correction("ann", room + 1)) == f"at most {dollars(room)}"
        assert await refused(house.store.commit(streams, correct(room + 1))) == f"at most {dollars(room)}"
        await house.store.commit(streams, correct(room))
        assert (await house.accounts.account("ann")).balance_cents == a.MOST_CENTS
        await house.store.commit(streams, lambda tx: house.accounts.take_to_table(tx, ann, 1, "t1", 2, "c1"))
        await house.store.commit(streams, lambda tx: house.accounts.bring_back(tx, "ann", 500, "t1", 2, "c2", by="Ann"))
        assert await refused(house.accounts.deposit(ann, "ann", 1)) == "at most $0"
        await house.store.commit(streams, correct(-500))

    live(database, story)


def test_many_at_once_never_take_more_than_there_is(database: Database) -> None:
    async def story(house: House) -> None:
        ann = (await house.accounts.guest("Ann")).identity

        async def sit(number: int) -> None:
            await house.store.commit(
                [account_stream("ann")],
                lambda tx: house.accounts.take_to_table(tx, ann, 300_00, f"t{number}", 1, "c"),
            )

        answers = await asyncio.gather(*(sit(number) for number in range(12)), return_exceptions=True)
        assert answers.count(None) == START_CENTS // 300_00
        account = await house.accounts.account("ann")
        assert account.balance_cents == START_CENTS % 300_00
        assert sum(account.balances.values()) == 0

    live(database, story)


def test_an_account_cannot_be_overdrawn_by_any_event() -> None:
    opened = a.evolve(a.Account(), a.AccountOpened(by="Ann", at=0, name="Ann"))
    for event in (
        a.Withdrawn(by="Ann", at=0, cents=1),
        a.TakenToTable(by="Ann", at=0, cents=1, table="t", seat=1),
        a.Deposited(by="Ann", at=0, cents=-1),
    ):
        with pytest.raises(Unbalanced):
            a.evolve(opened, event)
