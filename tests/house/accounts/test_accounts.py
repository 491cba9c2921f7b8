"""Accounts: names, passwords, sessions, throttling, roles, money by ledger entries, two people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossfelt.house.accounts import account as a
from crossfelt.house.accounts.accounts import START_CENTS, Accounts
from crossfelt.house.accounts.approvals import Approvals
from crossfelt.house.accounts.naming import LONGEST, account_key, account_stream, shown_name
from crossfelt.house.accounts.passwords import Passwords
from crossfelt.house.accounts.policy import COMMANDS, NOTED_MILLISECONDS, ROUTES, STRANGER, Guard, problem
from crossfelt.house.accounts.sessions import LASTS_MS, Identity, SessionToken
from crossfelt.house.accounts.throttle import PER_NAME, Limit
from crossfelt.house.audit import events as e
from crossfelt.house.audit.journal import Journal, Proposal
from crossfelt.house.store.port import Repeated, Transaction
from crossfelt.house.store.sql import SqlStore
from crossfelt.money.ledger import Unbalanced
from crossfelt.problems import BadInput
from crossfelt.table.engine import ACTS
from house.databases import Database, run

PASSWORD = "correct horse battery"
T = TypeVar("T")


@dataclass
class House:
    store: SqlStore
    now: int = 1_000_000
    journal: Journal = field(init=False)
    accounts: Accounts = field(init=False)
    approvals: Approvals = field(init=False)

    def __post_init__(self) -> None:
        self.journal = Journal(self.store)
        self.accounts = Accounts(self.store, self.journal, clock=lambda: self.now)
        self.approvals = Approvals(self.store, self.journal, clock=lambda: self.now)

    async def noted(self, kind: type[e.HouseEvent]) -> list[e.HouseEvent]:
        return [event for _, event in await self.journal.events() if isinstance(event, kind)]

    async def staff(self, name: str, *roles: str) -> Identity:
        """Somebody with a role, made so by the owner."""
        token = await self.accounts.register(name, PASSWORD)
        owner = Identity(account="owner", name="owner", roles=("owner",))
        await self.accounts.set_roles(owner, name, roles)
        found = await self.accounts.who(token.token)
        assert found is not None
        return found


Story = Callable[[House], Awaitable[None]]


def live(database: Database, story: Story) -> None:
    async def lived(store: SqlStore) -> None:
        await story(House(store))

    run(database, lived)


def code(refused: pytest.ExceptionInfo[BadInput]) -> str:
    return refused.value.problems[0].code


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


def test_wrong_passwords_lock_a_name_for_longer_and_longer(database: Database) -> None:
    async def story(house: House) -> None:
        await house.accounts.register("Ann", PASSWORD)

        async def wrong() -> str:
            with pytest.raises(BadInput) as refused:
                await house.accounts.log_in("Ann", "wrong password", "10.0.0.1")
            return code(refused)

        assert {await wrong() for _ in range(PER_NAME.free)} == {"account.credentials"}
        assert await wrong() == "account.throttled"
        with pytest.raises(BadInput) as refused:
            await house.accounts.log_in("Ann", PASSWORD, "10.0.0.2")
        assert code(refused) == "account.throttled", "the right password does not help either"
        [locked] = await house.noted(e.LockedOut)
        assert isinstance(locked, e.LockedOut)
        assert (locked.account, locked.address) == ("ann", "10.0.0.1")
        house.now = locked.until
        assert await wrong() == "account.credentials"
        again = (await house.noted(e.LockedOut))[-1]
        assert isinstance(again, e.LockedOut)
        assert again.until - again.at == 2 * (locked.until - locked.at)
        house.now = again.until
        assert (await house.accounts.log_in("Ann", PASSWORD)).identity.name == "Ann"
        assert await wrong() == "account.credentials", "a good attempt wipes the slate"

    live(database, story)


def test_many_attempts_at_once_count_as_many(database: Database) -> None:
    async def story(house: House) -> None:
        await house.accounts.register("Ann", PASSWORD)
        tries = [house.accounts.log_in("Ann", f"wrong password {n}") for n in range(40)]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        codes = [answer.problems[0].code for answer in answers if isinstance(answer, BadInput)]
        assert codes.count("account.credentials") == PER_NAME.free
        assert codes.count("account.throttled") == 40 - PER_NAME.free

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


class Interrupted:
    """A store where something else is done first, right before an account is written to."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self.first: Callable[[], Awaitable[object]] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, streams: Collection[str], work: Callable[[Transaction], T]) -> T:
        if self.first is not None and account_stream("ann") in streams:
            first, self.first = self.first, None
            await first()
        return await self._store.commit(streams, work)


def test_nobody_is_logged_in_with_a_password_that_was_changed_meanwhile(database: Database) -> None:
    async def story(house: House) -> None:
        entered = [await house.accounts.register("Ann", PASSWORD)]
        ann = entered[0].identity
        slow = Interrupted(house.store)
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
        assert await house.accounts.first_owner() is None
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

    live(database, story)


UNUSABLE = ("", "x", "a" * 25, "<script>", "-x-", "Dealer", "a\u202eb", "ann/1", "ｈｏｕｓｅ")
ANOTHERS = ("Owner", "cashier", "Meter", "Ann and Bob", "Own\N{CYRILLIC SMALL LETTER IE}r")


@pytest.mark.parametrize("name", [*UNUSABLE, *ANOTHERS])
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


# --- roles ------------------------------------------------------------------------------------------------------------


def test_only_the_owner_sets_roles_and_before_and_after_are_noted(database: Database) -> None:
    async def story(house: House) -> None:
        floor = await house.staff("Flo", "floor", "player")
        assert floor.roles == ("player", "floor")
        with pytest.raises(BadInput) as refused:
            await house.accounts.set_roles(floor, "Flo", ["owner"])
        assert code(refused) == "policy.role"
        owner = Identity(account="owner", name="owner", roles=("owner",))
        with pytest.raises(BadInput) as own:
            await house.accounts.set_roles(owner, "owner", ["player"])
        assert code(own) == "account.own_roles"
        guest = await house.accounts.guest("Gus")
        with pytest.raises(BadInput):
            await house.accounts.set_roles(owner, "Gus", ["dealer"])
        with pytest.raises(BadInput):
            await house.accounts.set_roles(owner, "Flo", ["emperor"])
        [changed] = await house.noted(e.RolesChanged)
        assert isinstance(changed, e.RolesChanged)
        assert (changed.account, changed.before, changed.after) == ("flo", ("player",), ("player", "floor"))
        assert guest.identity.roles == ("player",)

    live(database, story)


def test_every_command_of_a_table_has_a_policy_and_none_gives_more_than_the_table() -> None:
    acts = {act.name: act for act in ACTS}
    assert COMMANDS.keys() == acts.keys()
    for name, policy in COMMANDS.items():
        at_table = set(acts[name].roles)
        # The floor may deal where a dealer may, and the owner do what the floor may: they act in that role.
        reach = (
            at_table | ({"floor"} if "dealer" in at_table else set()) | ({"owner"} if "floor" in at_table else set())
        )
        assert set(policy.roles) <= reach, name


def test_what_is_not_in_the_table_is_allowed_to_nobody(database: Database) -> None:
    async def story(house: House) -> None:
        guard = Guard(house.journal, lambda: house.now)
        owner = Identity(account="owner", name="owner", roles=a.ROLES)
        with pytest.raises(BadInput) as refused:
            await guard.check_route(owner, "GET /api/secret")
        assert code(refused) == "policy.role"
        assert problem(COMMANDS["grant_award"], owner, "grant_award") is not None

    live(database, story)


def test_a_refusal_of_a_privileged_act_is_noted(database: Database) -> None:
    async def story(house: House) -> None:
        guard = Guard(house.journal, lambda: house.now)
        guest = (await house.accounts.guest("Gus")).identity
        for route in ("GET /api/audit", "GET /api/lobby", "POST /api/advice"):
            try:
                await guard.check_route(guest, route)
            except BadInput:
                assert route == "GET /api/audit"
        [withheld] = await house.noted(e.Withheld)
        assert isinstance(withheld, e.Withheld)
        assert (withheld.by, withheld.act, withheld.roles) == ("gus", "GET /api/audit", ("player",))

    live(database, story)


def test_what_strangers_are_refused_is_noted_together(database: Database) -> None:
    """At once, and then those of some time in one: nobody fills the journal who has not come in."""

    async def story(house: House) -> None:
        guard = Guard(house.journal, lambda: house.now)

        async def refused(route: str, address: str) -> None:
            with pytest.raises(BadInput):
                await guard.check_route(None, route, address)

        await refused("GET /api/audit", "192.0.2.1")
        for _ in range(5):
            await refused("GET /api/audit", "192.0.2.2")
        await refused("GET /api/accounts", "192.0.2.3")
        await refused("POST /api/advice", "192.0.2.4")  # which is for players: nobody's privilege
        house.now += NOTED_MILLISECONDS
        await refused("GET /api/audit", "192.0.2.5")
        await refused("GET /api/audit", "192.0.2.6")
        await guard.note_strangers()
        house.now += NOTED_MILLISECONDS
        await guard.note_strangers()  # as the house does now and then: nobody else may come
        withheld = [it for it in await house.noted(e.Withheld) if isinstance(it, e.Withheld)]
        noted = [(it.by, it.act, it.address, it.times) for it in withheld]
        assert noted == [
            (STRANGER, "GET /api/audit", "192.0.2.1", 1),
            (STRANGER, "GET /api/accounts", "192.0.2.3", 1),
            (STRANGER, "GET /api/audit", "192.0.2.5", 6),
            (STRANGER, "GET /api/audit", "192.0.2.6", 1),
        ]

    live(database, story)


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


# --- two people -------------------------------------------------------------------------------------------------------


def test_it_takes_two_people_and_the_effect_is_committed_with_the_second(database: Database) -> None:
    async def story(house: House) -> None:
        flo, finn = await house.staff("Flo", "floor"), await house.staff("Finn", "floor")
        ann: SessionToken = await house.accounts.guest("Ann")
        proposal = await house.approvals.propose(flo, "correction", "account/ann", {"cents": 500}, "misdeal")

        def pay(tx: Transaction, agreed: Proposal) -> str:
            event = a.Deposited(by=agreed.by, at=house.now, cents=int(agreed.details["cents"]), reason=agreed.reason)
            house.accounts._note(tx, "ann", agreed.by, event)
            return agreed.subject

        for who, why in ((flo, "approval.same_person"), (ann.identity, "policy.role")):
            with pytest.raises(BadInput) as refused:
                await house.approvals.approve(who, proposal.number, [account_stream("ann")], pay)
            assert code(refused) == why
        assert await house.approvals.approve(finn, proposal.number, [account_stream("ann")], pay) == "account/ann"
        assert (await house.accounts.account("ann")).balance_cents == START_CENTS + 500
        with pytest.raises(BadInput) as gone:
            await house.approvals.approve(finn, proposal.number, [account_stream("ann")], pay)
        assert code(gone) == "approval.unknown"
        second = await house.approvals.propose(finn, "void", "table/t1", {"round": 4}, "jam")
        assert [it.number for it in await house.approvals.waiting()] == [second.number] == [2]
        await house.approvals.decline(flo, 2, "no jam")
        assert await house.approvals.waiting() == []

    live(database, story)


def test_an_effect_that_fails_leaves_the_proposal_waiting(database: Database) -> None:
    async def story(house: House) -> None:
        flo, finn = await house.staff("Flo", "floor"), await house.staff("Finn", "floor")
        proposal = await house.approvals.propose(flo, "void", "table/t1", {}, "jam")

        def fail(tx: Transaction, agreed: Proposal) -> None:
            raise LookupError

        with pytest.raises(LookupError):
            await house.approvals.approve(finn, proposal.number, [], fail)
        assert [it.number for it in await house.approvals.waiting()] == [1]

    live(database, story)
