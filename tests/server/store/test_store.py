"""The store holds each commit once and in order, and nothing else."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from itertools import pairwise

import msgspec
import pytest
import sqlalchemy as sa

from crossfelt.proof.hash_chain import hash_of, row_without_hash, sha256
from crossfelt.server.store.interface import (
    NOTHING,
    Conflict,
    FenceLost,
    Head,
    Lease,
    Record,
    Repeated,
    Snapshot,
    Stored,
    Unavailable,
)
from crossfelt.server.store.projection import BrokenChain, Projection
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.transaction import Transaction
from server.databases import Database, Said, Say, Title, run


def row(name: str, text: str = "") -> tuple[Say, list[Said]]:
    return Say(id=name, text=text), [Said(text=text)]


async def begin(store: Store, *streams: str) -> None:
    for stream in streams:
        await store.commit([stream], lambda tx, stream=stream: tx.open(stream, Title(stream), 0))  # type: ignore[misc]


async def add(store: Store, stream: str, name: str) -> Stored:
    return await store.commit([stream], lambda tx: tx.append(stream, *row(name)))


def test_lines_are_kept_in_a_chain_across_restarts(database: Database) -> None:
    async def write(store: Store) -> None:
        await begin(store, "table/a")
        for number in range(5):
            await add(store, "table/a", f"c{number}")

    async def more(store: Store) -> list[Stored]:
        await add(store, "table/a", "after")
        return [*await store.rows("table/a")]

    run(database, write)
    lines = run(database, more)
    assert [line.seq for line in lines] == list(range(7))
    assert lines[0].body == b'{"stream":"table/a"}'
    for before, line in pairwise(lines):
        assert line.position > before.position
        assert line.hash == sha256(row_without_hash(line.body, before.hash, line.seq, line.hash))
        assert line.hash == hash_of(line.body, line.seq)


def test_a_commit_is_all_or_nothing(database: Database) -> None:
    async def story(store: Store) -> None:
        await begin(store, "a", "b")

        def half(tx: Transaction) -> None:
            tx.append("a", *row("one"))
            tx.put(Record(kind="k", key="x", body=b"1"))
            raise LookupError("no")

        def both(tx: Transaction) -> int:
            tx.append("a", *row("two"))
            tx.put(Record(kind="k", key="y", body=b"2"))
            return tx.append("b", *row("two")).seq

        results = await asyncio.gather(
            store.commit(["a", "b"], half), store.commit(["a", "b"], both), return_exceptions=True
        )
        assert isinstance(results[0], LookupError)
        assert results[1] == 1
        assert [line.command_id for line in await store.rows("a", 0)] == ["two"]
        assert await store.record("k", "x") is None
        assert [record.key for record in await store.records("k")] == ["y"]

    run(database, story)


def test_a_repeated_command_is_refused_alone_and_the_rest_of_its_batch_is_kept(database: Database) -> None:
    async def story(store: Store) -> None:
        streams = [f"s{number}" for number in range(20)]
        await begin(store, *streams)
        wanted = [(stream, f"c{number}") for stream in streams for number in (1, 2, 1, 3)]
        answers = await asyncio.gather(*(add(store, *each) for each in wanted), return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, BaseException)]
        assert [type(answer) for answer in refused] == [Repeated] * len(streams)
        for stream in streams:
            assert [line.command_id for line in await store.rows(stream, 0)] == ["c1", "c2", "c3"]
            first = await store.find(stream, "c1")
            assert first is not None
            assert first.seq == 1

    run(database, story)


def test_a_row_is_appended_only_at_the_expected_seq_of_an_open_stream(database: Database) -> None:
    async def story(store: Store) -> None:
        await begin(store, "a")
        with pytest.raises(Conflict) as late:
            await store.commit(["a"], lambda tx: tx.append("a", *row("x"), seq=2))
        assert str(late.value) == "a is at 0"
        with pytest.raises(Conflict):
            await begin(store, "a")
        with pytest.raises(Conflict):
            await add(store, "never opened", "x")
        with pytest.raises(KeyError):
            await store.commit(["b"], lambda tx: tx.append("a", *row("x")))
        assert await store.head("a") == Head(0, sha256(b'{"stream":"a"}'))
        assert await store.head("b") == Head(NOTHING, "")
        assert [head.stream for head in await store.streams()] == ["a"]

    run(database, story)


def test_streams_are_listed_in_pages(database: Database) -> None:
    async def story(store: Store) -> None:
        for name in ("x/b", "y/a", "x/a b", "x/ä", "x/a"):
            await begin(store, name)
        whole, found = [head.stream for head in await store.streams("x/")], [""]
        while page := await store.streams("x/", found[-1], 2):
            assert len(page) <= 2
            found += [head.stream for head in page]
        assert found[1:] == whole
        assert sorted(whole) == ["x/a", "x/a b", "x/b", "x/ä"]

    run(database, story)


def test_reads_in_a_commit_include_its_own_writes_and_those_of_its_batch(database: Database) -> None:
    async def story(store: Store) -> None:
        await begin(store, "a")

        def work(tx: Transaction) -> list[str]:
            tx.append("a", *row(f"c{len(tx.rows('a'))}"))
            assert tx.find("a", f"c{tx.head('a').seq}") == tx.rows("a")[-1]
            tx.put(Record(kind="k", key="count", body=str(tx.head("a").seq).encode()))
            kept = tx.record("k", "count")
            assert kept is not None
            assert kept.body == str(tx.head("a").seq).encode()
            return [line.command_id for line in tx.rows("a", 0)]

        seen = await asyncio.gather(*(store.commit(["a"], work) for _ in range(9)))
        assert seen == [[f"c{number + 1}" for number in range(length)] for length in range(1, 10)]
        await store.commit([], lambda tx: tx.drop("k", "count"))
        assert await store.record("k", "count") is None

    run(database, story)


def test_the_former_holder_of_a_lease_can_write_nothing_more(database: Database) -> None:
    async def story(store: Store) -> None:
        await begin(store, "table/a", "other")
        old = await store.lease("table/a", "one", 0.0)
        assert old is not None
        await store.commit(["table/a"], lambda tx: tx.append("table/a", *row("early"), lease=old))
        new = await store.lease("table/a", "two", 60)
        assert new is not None
        assert new.fence == old.fence + 1
        assert await store.lease("table/a", "three", 60) is None
        assert await store.leaseholder("table/a") == new
        late = store.commit(["table/a"], lambda tx: tx.append("table/a", *row("late"), lease=old))
        timely = store.commit(["table/a"], lambda tx: tx.append("table/a", *row("timely"), lease=new))
        beside = add(store, "other", "beside")
        answers = await asyncio.gather(late, timely, beside, return_exceptions=True)
        assert isinstance(answers[0], FenceLost)
        assert [(line.command_id, line.fence) for line in await store.rows("table/a", 0)] == [
            ("early", old.fence),
            ("timely", new.fence),
        ]
        assert (await store.head("other")).seq == 1
        assert await store.renew([], 60) == set()
        many = [Lease(name=f"table/{number}", holder="one", fence=1) for number in range(12_000)]
        assert await store.renew(many, 60) == set(), "more leases than one statement takes"
        assert await store.renew([old], 60) == set()
        await store.release(old)
        until = sa.text("select until from leases")
        before = (await store._all(until))[0].until
        assert await store.renew([old, new], 90) == {new}
        assert (await store._all(until))[0].until > before + 25_000
        assert await store.leaseholder("table/a") == new
        await store.release(new)
        assert await store.leaseholder("table/a") is None
        third = await store.lease("table/a", "three", 60)
        assert third is not None
        assert third.fence == new.fence + 1

    run(database, story)


def test_the_latest_snapshot_is_kept(database: Database) -> None:
    async def story(store: Store) -> None:
        await begin(store, "a")
        assert await store.latest_snapshot("a") is None
        for seq in (5, 9, 7):
            await store.keep_snapshot(Snapshot("a", Head(seq, "h"), b"state"))
        assert await store.latest_snapshot("a") == Snapshot("a", Head(9, "h"), b"state")

    run(database, story)


def test_a_tampered_snapshot_is_not_used(database: Database) -> None:
    async def story(store: Store) -> None:
        await begin(store, "a")
        for statement in (
            "update snapshots set seq = 8",
            "update snapshots set body = '\\x00'",
            "update snapshots set hash = 'x'",
        ):
            await store.keep_snapshot(Snapshot("a", Head(9, "h"), b"state"))
            assert await store.latest_snapshot("a") is not None
            await store._write(lambda page, say=statement: page.connection.execute(sa.text(say)))  # type: ignore[misc]
            assert await store.latest_snapshot("a") is None

    run(database, story)


class Count(msgspec.Struct, frozen=True):
    """The state of a test stream."""

    words: int = 0


def test_a_state_is_computed_from_a_snapshot(database: Database) -> None:
    seen: list[int] = []

    def folded() -> Projection[Count]:
        def evolve(count: Count, event: Said) -> Count:
            seen.append(count.words)
            return Count(count.words + 1)

        return Projection(Say, Said, Count(), evolve)

    async def story(store: Store) -> None:
        first = folded()
        await begin(store, "a")
        assert await first.now(store, "a") == Count(0)
        for number in range(10):
            await add(store, "a", f"c{number}")
        assert await first.now(store, "a") == Count(10)
        assert await first.keep_snapshots(store, every=11) == 0
        assert await first.keep_snapshots(store, every=10) == 1
        assert await first.keep_snapshots(store, every=10) == 0
        await add(store, "a", "more")
        seen.clear()
        assert await folded().now(store, "a") == Count(11)
        assert seen == [10], "only the rows after the snapshot were applied"
        await store._write(lambda page: page.connection.execute(sa.text("update snapshots set seq = 4")))
        seen.clear()
        assert await folded().now(store, "a") == Count(11)
        assert len(seen) == 11
        assert await store.commit(["a"], lambda tx: folded().at(tx, "a")) == Count(11)

    run(database, story)


@pytest.mark.parametrize(
    ("seq", "believed"), [(3, True), (10, False), (11, False)], ids=["before a snapshot", "of it", "after it"]
)
def test_a_changed_row_is_refused_when_it_is_read(seq: int, believed: bool, database: Database) -> None:
    def counting() -> Projection[Count]:
        return Projection(Say, Said, Count(), lambda count, _: Count(count.words + 1))

    async def exchange(store: Store, old: bytes, new: bytes) -> None:
        (was,) = await store.rows("a", seq - 1, 1)
        told = {"body": was.body.replace(old, new), "position": was.position}
        statement = sa.text("update lines set body = :body where position = :position")
        await store._write(lambda page: page.connection.execute(statement, told))

    async def story(store: Store) -> None:
        first = counting()
        await begin(store, "a")
        for number in range(10):
            await add(store, "a", f"c{number}")
        await first.now(store, "a")
        assert await first.keep_snapshots(store, every=10) == 1
        await add(store, "a", "c10")
        await exchange(store, b'"text":""', b'"text":"more"')
        with nullcontext() if believed else pytest.raises(BrokenChain):
            assert await counting().now(store, "a") == Count(11)
        with pytest.raises(BrokenChain):
            await store.commit(["a"], lambda tx: counting().at(tx, "a"))
        await exchange(store, b'"text":"more"', b'"text":""')
        assert await counting().now(store, "a") == Count(11)

    run(database, story)


def test_a_rolled_back_commit_leaves_no_cached_state(database: Database) -> None:
    async def story(store: Store) -> None:
        counting: Projection[Count] = Projection(Say, Said, Count(), lambda count, _: Count(count.words + 1))
        await begin(store, "a")
        await add(store, "a", "one")

        def give_up(tx: Transaction) -> None:
            tx.append("a", *row("two"))
            assert counting.at(tx, "a") == Count(2)
            raise LookupError

        with pytest.raises(LookupError):
            await store.commit(["a"], give_up)
        assert await counting.now(store, "a") == Count(1)
        assert await counting.keep_snapshots(store, every=1) == 1
        with pytest.raises(LookupError):
            await store.commit(["a"], give_up)
        assert await counting.keep_snapshots(store, every=1) == 0
        await add(store, "a", "other two")
        assert await store.commit(["a"], lambda tx: counting.at(tx, "a")) == Count(2)

    run(database, story)


def test_expired_records_are_deleted(database: Database) -> None:
    async def story(store: Store) -> None:
        def put(tx: Transaction) -> None:
            for key, until in (("old", 10), ("new", 30), ("ever", None)):
                tx.put(Record(kind="k", key=key, body=b"", until=until))

        await store.commit([], put)
        await store.forget_records(20)
        assert [record.key for record in await store.records("k")] == ["ever", "new"]

    run(database, story)


def test_an_exception_in_a_commit_reaches_its_caller_alone(database: Database) -> None:
    async def story(store: Store) -> None:
        await begin(store, "a")
        for error in (SystemExit, asyncio.CancelledError, KeyError, AssertionError):

            def fail(tx: Transaction, error: type[BaseException] = error) -> None:
                tx.append("a", *row("no"))
                raise error

            with pytest.raises(error):
                await store.commit(["a"], fail)
        assert (await add(store, "a", "yes")).seq == 1

    run(database, story)


def test_a_closed_store_is_unavailable(database: Database) -> None:
    async def story() -> None:
        store = database.open()
        await store.close()
        with pytest.raises(Unavailable):
            await add(store, "a", "x")
        with pytest.raises(Unavailable):
            await store.rows("a")
        await store.close()

    asyncio.run(story())


def test_a_failed_commit_is_logged_without_its_data(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    """A line may hold unseen cards, and a record the hash of a password."""

    async def story(store: Store) -> None:
        await begin(store, "a")
        await store._write(lambda page: page.connection.execute(sa.text("drop table lines")))

        def write(tx: Transaction) -> None:
            tx.append("a", *row("As Kd"))
            tx.put(Record(kind="password", key="ann", body=b"As Kd"))

        with pytest.raises(Unavailable) as failed:
            await store.commit(["a"], write)
        assert "lines" in caplog.text
        assert "As Kd" not in f"{failed.value}{caplog.text}"

    run(database, story)


def test_the_server_id_is_kept(database: Database) -> None:
    async def name(store: Store) -> str:
        return store.server_id

    assert run(database, name) == run(database, name) != ""


def test_lines_are_read_backwards_and_counted(database: Database) -> None:
    async def story(store: Store) -> None:
        for stream in ("a", "b"):
            await store.commit([stream], lambda tx, stream=stream: tx.open(stream, Title(stream), 0))  # type: ignore[misc]
        for text in "uvw":
            await store.commit(["b"], lambda tx, text=text: tx.append("b", *row(text, text)))  # type: ignore[misc]
        assert [line.seq for line in await store.rows_before("b", None, 2)] == [3, 2]
        assert [line.seq for line in await store.rows_before("b", 2, 9)] == [1, 0]
        assert await store.rows_before("c", None, 9) == []
        assert await store.size() == (2, 5)

    run(database, story)
