"""Money of an account, by ledger entries."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from crossfelt.errors import BadInput
from crossfelt.money import dollars
from crossfelt.money.ledger import Unbalanced
from crossfelt.server.accounts import account as a
from crossfelt.server.accounts.accounts import START_CENTS
from crossfelt.server.accounts.usernames import account_stream
from crossfelt.server.store.interface import Repeated
from crossfelt.server.store.transaction import Transaction
from server.account_fixtures import Server, code, live
from server.databases import Database


def test_money_goes_to_a_table_and_back_by_entries(database: Database) -> None:
    async def story(server: Server) -> None:
        ann = (await server.accounts.guest("Ann")).identity

        def sit(tx: Transaction) -> None:
            server.accounts.take_to_table(tx, "ann", 600_00, "t1", 2, "c1", by="Ann")

        def leave(tx: Transaction) -> None:
            server.accounts.bring_back(tx, ann.account, 750_00, "t1", 2, "c9", by="Ann")

        streams = [account_stream(ann.account)]
        await server.store.commit(streams, sit)
        seated = await server.accounts.account("ann")
        assert (seated.balance_cents, seated.at_tables) == (400_00, {"t1:2": 600_00})
        with pytest.raises(Repeated):
            await server.store.commit(
                streams, lambda tx: server.accounts.take_to_table(tx, "ann", 1_00, "t1", 2, "c1", by="Ann")
            )
        with pytest.raises(BadInput) as short:
            await server.store.commit(
                streams, lambda tx: server.accounts.take_to_table(tx, "ann", 400_01, "t1", 3, "c2", by="Ann")
            )
        assert code(short) == "account.amount"
        await server.store.commit(streams, leave)
        after = await server.accounts.deposit(ann, "ann", 50_00, "more")
        assert (after.balance_cents, after.at_tables) == (1200_00, {})
        for cents in (0, -1, a.MOST_CENTS):
            with pytest.raises(BadInput):
                await server.accounts.deposit(ann, "ann", cents)

    live(database, story)


def test_a_deposit_beyond_the_limit_of_an_account_is_refused(database: Database) -> None:
    async def story(server: Server) -> None:
        ann = (await server.accounts.guest("Ann")).identity
        room, streams = a.MOST_CENTS - START_CENTS, [account_stream("ann")]

        def correct(cents: int) -> Callable[[Transaction], None]:
            return lambda tx: server.accounts.correct(tx, "ann", cents, reason="short paid", people=("flo", "finn"))

        async def refused(asked: Awaitable[object]) -> str:
            with pytest.raises(BadInput) as why:
                await asked
            assert code(why) == "account.amount"
            return why.value.problems[0].allowed

        assert await refused(server.accounts.check_correction("ann", room + 1)) == f"at most {dollars(room)}"
        assert await refused(server.store.commit(streams, correct(room + 1))) == f"at most {dollars(room)}"
        await server.store.commit(streams, correct(room))
        assert (await server.accounts.account("ann")).balance_cents == a.MOST_CENTS
        await server.store.commit(
            streams, lambda tx: server.accounts.take_to_table(tx, "ann", 1, "t1", 2, "c1", by="Ann")
        )
        await server.store.commit(
            streams, lambda tx: server.accounts.bring_back(tx, "ann", 500, "t1", 2, "c2", by="Ann")
        )
        assert await refused(server.accounts.deposit(ann, "ann", 1)) == "at most $0"
        await server.store.commit(streams, correct(-500))

    live(database, story)


def test_parallel_withdrawals_never_exceed_the_balance(database: Database) -> None:
    async def story(server: Server) -> None:
        await server.accounts.guest("Ann")

        async def sit(number: int) -> None:
            await server.store.commit(
                [account_stream("ann")],
                lambda tx: server.accounts.take_to_table(tx, "ann", 300_00, f"t{number}", 1, "c", by="Ann"),
            )

        answers = await asyncio.gather(*(sit(number) for number in range(12)), return_exceptions=True)
        assert answers.count(None) == START_CENTS // 300_00
        account = await server.accounts.account("ann")
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
