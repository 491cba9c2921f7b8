"""What only PostgreSQL brings with it: commits that overtake one another, deadlocks, transactions counted anew."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from crossfelt.proof.signed_heads import SigningKey
from crossfelt.server.audit.signed_heads import Signer
from crossfelt.server.store import statements as say
from crossfelt.server.store.backup import back_up, restore
from crossfelt.server.store.interface import NewRow, Record, Transaction, Unavailable, new_row
from crossfelt.server.store.postgresql import LINES_OF_A_TRANSACTION
from crossfelt.server.store.sql_store import SqlStore
from limits import WAIT_SECONDS
from server.databases import PostgresqlDatabase, Said, Say, Title, run
from server.postgres import Postgres


@pytest.fixture
def shared(postgres: Postgres, tmp_path: Path) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgres.new_database(), tmp_path)


@asynccontextmanager
async def two_servers(database: PostgresqlDatabase) -> AsyncIterator[tuple[SqlStore, SqlStore]]:
    """As two processes would open them; streams a and b are there."""
    one, other = database.open(), database.open()
    try:
        for stream in ("a", "b"):
            await one.commit([stream], lambda tx, stream=stream: tx.open(stream, Title(stream), 0))  # type: ignore[misc]
        yield one, other
    finally:
        await one.close()
        await other.close()


def row(name: str) -> NewRow:
    return new_row(Say(id=name), [Said(text=name)])


@asynccontextmanager
async def overtaken(one: SqlStore, other: SqlStore) -> AsyncIterator[None]:
    """A commit to a is under way that began first, and one to b is there already; the first ends with the block."""
    begun, go_on = threading.Event(), threading.Event()

    def slowly(tx: Transaction) -> None:
        tx.append("a", row("early"))
        begun.set()
        go_on.wait()

    early = asyncio.create_task(one.commit(["a"], slowly))
    try:
        await asyncio.to_thread(begun.wait)
        await other.commit(["b"], lambda tx: tx.append("b", row("overtakes")))
        yield
    finally:
        go_on.set()
        await early


def lived(story: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await story()

    asyncio.run(whole())


def test_a_commit_that_comes_late_is_not_missed_by_who_polls(shared: PostgresqlDatabase) -> None:
    """The early commit has the lower position and is visible last: a mark at the highest row seen would lose it."""

    async def story() -> None:
        async with two_servers(shared) as (one, other):
            start = await one.last_position()
            async with overtaken(one, other):
                assert (await other.head("b")).seq == 1
                assert await other.poll(start) == [], "it is there, but something may still come before it"
            assert [line.command_id for line in await other.poll(start)] == ["early", "overtakes"]

    lived(story)


def test_who_waits_for_a_stream_sees_what_was_written_meanwhile(shared: PostgresqlDatabase) -> None:
    async def story() -> None:
        async with two_servers(shared) as (one, other):
            begun, go_on = threading.Event(), threading.Event()

            def slowly(tx: Transaction) -> int:
                begun.set()
                go_on.wait()
                return tx.append("a", row("first")).seq

            first = asyncio.create_task(one.commit(["a"], slowly))
            await asyncio.to_thread(begun.wait)
            second = asyncio.create_task(other.commit(["a"], lambda tx: tx.append("a", row("second")).seq))
            go_on.set()
            assert (await first, await second) == (1, 2)

    lived(story)


def test_a_deadlock_is_tried_again(shared: PostgresqlDatabase) -> None:
    """Records are locked as they are read, in whatever order the work asks for them."""

    async def story() -> None:
        async with two_servers(shared) as (one, other):
            for key in ("x", "y"):
                await one.commit([], lambda tx, key=key: tx.put(Record(kind="k", key=key, body=b"0")))  # type: ignore[misc]
            both_have_one = threading.Barrier(2)
            tries = {"xy": 0, "yx": 0}

            def add(tx: Transaction, keys: str) -> None:
                tries[keys] += 1
                for place, key in enumerate(keys):
                    record = tx.record("k", key)
                    assert record is not None
                    tx.put(Record(kind="k", key=key, body=str(int(record.body) + 1).encode()))
                    if place == 0 and tries[keys] == 1:
                        both_have_one.wait()

            await asyncio.gather(one.commit([], lambda tx: add(tx, "xy")), other.commit([], lambda tx: add(tx, "yx")))
            assert [record.body for record in await one.records("k")] == [b"2", b"2"]
            assert sum(tries.values()) > 2, "one of the two was asked again"

    lived(story)


def test_who_asks_for_a_lease_that_another_has_waits_for_nobody(shared: PostgresqlDatabase) -> None:
    """Two processes that write under their own leases, and ask for the other's, would stand still until PostgreSQL
    had noticed: a second at a time."""

    async def story() -> None:
        async with two_servers(shared) as (one, other):
            assert await one.lease("table/a", "one", 60) is not None
            with one._readers.connect() as writing:
                writing.execute(say.held_leases, {"names": ["table/a"]})
                async with asyncio.timeout(WAIT_SECONDS):
                    assert await other.lease("table/a", "other", 60) is None

    lived(story)


def test_of_two_that_start_at_once_with_other_keys_one_is_refused(shared: PostgresqlDatabase) -> None:
    async def story() -> None:
        async with two_servers(shared) as stores:
            starting = (Signer(store, SigningKey.new(), None, f"{number}") for number, store in enumerate(stores))
            answers = await asyncio.gather(*(signer.claim() for signer in starting), return_exceptions=True)
            assert sorted(type(answer).__name__ for answer in answers) == ["BadInput", "NoneType"]

    lived(story)


def test_a_value_that_the_database_does_not_take_fails_alone(shared: PostgresqlDatabase) -> None:
    """PostgreSQL has no text with a sign of nothing in it; what is committed with it is not lost."""

    def put(key: str) -> Callable[[Transaction], None]:
        return lambda tx: tx.put(Record(kind="note", key=key, body=b"-"))

    async def story() -> None:
        async with two_servers(shared) as (one, _):
            waits = threading.Event()
            first = asyncio.create_task(one.commit([], lambda tx: waits.wait(WAIT_SECONDS)))
            others = [asyncio.create_task(one.commit([], put(key))) for key in ("x", "y\0", "z")]
            await asyncio.sleep(0)
            waits.set()
            answers = await asyncio.gather(first, *others, return_exceptions=True)
            assert [isinstance(answer, Unavailable) for answer in answers] == [False, False, True, False]
            assert [record.key for record in await one.records("note")] == ["x", "z"]

    lived(story)


@pytest.mark.soak
def test_a_process_that_stops_in_the_middle_of_a_commit_holds_up_nobody_for_long(shared: PostgresqlDatabase) -> None:
    async def story() -> None:
        async with two_servers(shared) as (one, other):
            begun, go_on = threading.Event(), threading.Event()

            def stops(tx: Transaction) -> int:
                begun.set()
                go_on.wait()
                return tx.append("a", row("stopped")).seq

            stopped = asyncio.create_task(one.commit(["a"], stops))
            await asyncio.to_thread(begun.wait)
            assert await other.commit(["a"], lambda tx: tx.append("a", row("goes on")).seq) == 1
            go_on.set()
            assert await stopped == 2, "it was thrown out, and decided again"

    lived(story)


def test_who_begins_to_poll_during_a_commit_does_not_miss_it(shared: PostgresqlDatabase) -> None:
    """A later one is there already: to begin after its position would pass over the one under way."""

    async def story() -> None:
        async with two_servers(shared) as (one, other):
            async with overtaken(one, other):
                start = await other.last_position()
            assert [line.command_id for line in await other.poll(start)] == ["early", "overtakes"]

    lived(story)


def test_positions_go_on_where_transactions_are_counted_anew(shared: PostgresqlDatabase) -> None:
    """As after a restore into another server: the lines that were brought along have higher numbers than it has."""

    async def write(store: SqlStore) -> None:
        await store.commit(["a"], lambda tx: tx.open("a", Title("a"), 0))
        far = await store.last_position() + 10**9 * LINES_OF_A_TRANSACTION
        await store._write(lambda page: page.connection.execute(sa.text(f"update lines set position = {far}")))

    async def go_on(store: SqlStore) -> None:
        start = await store.last_position()
        for number in range(3):
            await store.commit(["a"], lambda tx, number=number: tx.append("a", row(f"c{number}")))  # type: ignore[misc]
        assert [line.command_id for line in await store.poll(start)] == ["c0", "c1", "c2"]

    run(shared, write)
    run(shared, go_on)
    run(shared, lambda store: store.commit(["a"], lambda tx: tx.append("a", row("again"))))


def test_two_houses_in_two_schemas_of_one_database_have_nothing_in_common(postgres: Postgres, tmp_path: Path) -> None:
    """Also where one of them is restored from a backup of the other: the options of an address hold for all that is
    asked there."""
    address = postgres.new_database()
    engine = sa.create_engine(sa.make_url(address).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        for schema in ("one", "other"):
            connection.execute(sa.text(f"create schema {schema}"))
    engine.dispose()
    one, other = (f"{address}?options=-csearch_path%3D{schema}" for schema in ("one", "other"))

    async def begin(store: SqlStore) -> str:
        await store.commit(["a"], lambda tx: tx.open("a", Title("a"), 0))
        return store.server_id

    async def look(store: SqlStore) -> tuple[str, int]:
        return store.server_id, (await store.head("a")).seq

    begun = run(PostgresqlDatabase(one, tmp_path / "one"), begin)
    assert run(PostgresqlDatabase(one, tmp_path / "one"), look) == (begun, 0)
    back_up(tmp_path / "one", one, tmp_path / "backup")
    assert restore(tmp_path / "backup", tmp_path / "other", other).server_id == begun
    server, seq = run(PostgresqlDatabase(other, tmp_path / "other"), look)
    assert (server != begun, seq) == (True, 0)
