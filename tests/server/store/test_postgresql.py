"""PostgreSQL only: waiting commits, deadlocks, transaction numbers that start again."""

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
from crossfelt.server.store.interface import Record, Unavailable
from crossfelt.server.store.postgresql import LINES_OF_A_TRANSACTION
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from limits import WAIT_SECONDS
from server.databases import PostgresqlDatabase, Said, Say, Title, all_lines, run
from server.postgres import Postgres


@pytest.fixture
def shared(postgres: Postgres, tmp_path: Path) -> PostgresqlDatabase:
    return PostgresqlDatabase(postgres.new_database(), tmp_path)


@asynccontextmanager
async def two_servers(database: PostgresqlDatabase) -> AsyncIterator[tuple[Store, Store]]:
    """Open two stores as two processes would, with the streams a and b."""
    one, other = database.open(), database.open()
    try:
        for stream in ("a", "b"):
            await one.commit([stream], lambda tx, stream=stream: tx.open(stream, Title(stream), 0))  # type: ignore[misc]
        yield one, other
    finally:
        await one.close()
        await other.close()


def row(name: str) -> tuple[Say, list[Said]]:
    return Say(id=name), [Said(text=name)]


def lived(story: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await story()

    asyncio.run(whole())


def test_a_commit_that_waited_for_a_stream_sees_the_rows_written_meanwhile(shared: PostgresqlDatabase) -> None:
    async def story() -> None:
        async with two_servers(shared) as (one, other):
            begun, go_on = threading.Event(), threading.Event()

            def slowly(tx: Transaction) -> int:
                begun.set()
                go_on.wait()
                return tx.append("a", *row("first")).seq

            first = asyncio.create_task(one.commit(["a"], slowly))
            await asyncio.to_thread(begun.wait)
            second = asyncio.create_task(other.commit(["a"], lambda tx: tx.append("a", *row("second")).seq))
            go_on.set()
            assert (await first, await second) == (1, 2)

    lived(story)


def test_a_deadlock_is_tried_again(shared: PostgresqlDatabase) -> None:
    """Records are locked in the order of their reads."""

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
            assert sum(tries.values()) > 2, "one of the two was tried again"

    lived(story)


def test_asking_for_a_held_lease_does_not_block(shared: PostgresqlDatabase) -> None:
    """Two processes that write under their own leases and ask for each other's would deadlock, for a second each
    time."""

    async def story() -> None:
        async with two_servers(shared) as (one, other):
            assert await one.lease("table/a", "one", 60) is not None
            with one._readers.connect() as writing:
                writing.execute(say.held_leases, {"names": ["table/a"]})
                async with asyncio.timeout(WAIT_SECONDS):
                    assert await other.lease("table/a", "other", 60) is None

    lived(story)


def test_one_of_two_processes_that_start_with_different_keys_is_refused(shared: PostgresqlDatabase) -> None:
    async def story() -> None:
        async with two_servers(shared) as stores:
            starting = (Signer(store, SigningKey.new(), None, f"{number}") for number, store in enumerate(stores))
            answers = await asyncio.gather(*(signer.claim() for signer in starting), return_exceptions=True)
            assert sorted(type(answer).__name__ for answer in answers) == ["BadInput", "NoneType"]

    lived(story)


def test_a_value_that_the_database_refuses_fails_alone(shared: PostgresqlDatabase) -> None:
    """PostgreSQL refuses text with a NUL character. The other commits of the batch are not lost."""

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
def test_a_process_that_hangs_in_a_commit_does_not_block_the_others_for_long(shared: PostgresqlDatabase) -> None:
    async def story() -> None:
        async with two_servers(shared) as (one, other):
            begun, go_on = threading.Event(), threading.Event()

            def stops(tx: Transaction) -> int:
                begun.set()
                go_on.wait()
                return tx.append("a", *row("stopped")).seq

            stopped = asyncio.create_task(one.commit(["a"], stops))
            await asyncio.to_thread(begun.wait)
            assert await other.commit(["a"], lambda tx: tx.append("a", *row("goes on")).seq) == 1
            go_on.set()
            assert await stopped == 2, "its transaction was ended and tried again"

    lived(story)


def test_positions_continue_after_a_dump_is_loaded_into_another_cluster(shared: PostgresqlDatabase) -> None:
    """The loaded lines have higher transaction numbers than the new cluster."""

    async def write(store: Store) -> None:
        await store.commit(["a"], lambda tx: tx.open("a", Title("a"), 0))
        far = (await all_lines(store))[-1].position + 10**9 * LINES_OF_A_TRANSACTION
        await store._write(lambda page: page.connection.execute(sa.text(f"update lines set position = {far}")))

    async def go_on(store: Store) -> None:
        for number in range(3):
            await store.commit(["a"], lambda tx, number=number: tx.append("a", *row(f"c{number}")))  # type: ignore[misc]
        assert [line.command_id for line in await all_lines(store)] == ["", "c0", "c1", "c2"]

    run(shared, write)
    run(shared, go_on)
    run(shared, lambda store: store.commit(["a"], lambda tx: tx.append("a", *row("again"))))


def test_servers_in_two_schemas_of_one_database_are_independent(postgres: Postgres, tmp_path: Path) -> None:
    """This holds if one is restored from a backup of the other: the options of an address apply to every connection."""
    address = postgres.new_database()
    engine = sa.create_engine(sa.make_url(address).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        for schema in ("one", "other"):
            connection.execute(sa.text(f"create schema {schema}"))
    engine.dispose()
    one, other = (f"{address}?options=-csearch_path%3D{schema}" for schema in ("one", "other"))

    async def begin(store: Store) -> str:
        await store.commit(["a"], lambda tx: tx.open("a", Title("a"), 0))
        return store.server_id

    async def look(store: Store) -> tuple[str, int]:
        return store.server_id, (await store.head("a")).seq

    begun = run(PostgresqlDatabase(one, tmp_path / "one"), begin)
    assert run(PostgresqlDatabase(one, tmp_path / "one"), look) == (begun, 0)
    back_up(tmp_path / "one", one, tmp_path / "backup")
    assert restore(tmp_path / "backup", tmp_path / "other", other)[0].server_id == begun
    server, seq = run(PostgresqlDatabase(other, tmp_path / "other"), look)
    assert (server != begun, seq) == (True, 0)


def test_signing_locks_streams_in_the_order_of_their_names(shared: PostgresqlDatabase) -> None:
    """Commits of other processes lock them so: another order would deadlock, for a second each time."""

    async def story() -> None:
        async with two_servers(shared) as (one, other):
            for stream in "zyxwvutsrqponm":
                await one.commit([stream], lambda tx, stream=stream: tx.open(stream, Title(stream), 0))  # type: ignore[misc]
            lease = await one.lease("sign", "one", 60)
            assert lease is not None
            waiting = sa.text("select count(*) from pg_locks where not granted")
            with other._readers.connect() as holding:
                holding.execute(say.locked_heads(["m"]))
                signing = asyncio.create_task(one.sign(lambda last, moved: b"{}", lease))
                async with asyncio.timeout(WAIT_SECONDS):
                    while not holding.execute(waiting).scalar_one():
                        await asyncio.sleep(0.01)
                later = sa.select(say.streams.c.name).where(say.streams.c.name > "m")
                free = holding.execute(later.with_for_update(skip_locked=True)).scalars().all()
            assert (await signing) is not None
            assert sorted(free) == list("nopqrstuvwxyz")

    lived(story)
