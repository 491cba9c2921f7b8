"""Backup of a running server, and restore into either database, whole or not at all."""

from __future__ import annotations

import asyncio
import errno
import gzip
import os
import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import IO

import msgspec
import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from crossfelt.cli.main import run as crossfelt
from crossfelt.errors import BadInput
from crossfelt.proof.signed_heads import read_heads
from crossfelt.server.audit.integrity import IntegrityChecker
from crossfelt.server.audit.signed_heads import Signer
from crossfelt.server.store import backup as restoring
from crossfelt.server.store.backup import FILES, Backup, BackupHeader, back_up, restore
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import Head, Record, Snapshot, Stored
from crossfelt.server.store.signing_key import PRIVATE, PUBLIC, signing_key
from crossfelt.server.store.sql_store import Store
from crossfelt.server.store.sqlite import lock_directory
from crossfelt.server.store.transaction import Transaction
from server.databases import Database, PostgresqlDatabase, Said, Say, SqliteDatabase, Title, all_lines, run
from server.postgres import Postgres
from server.recorded_rounds import played, write_table


async def furnish(store: Store, directory: Path) -> list[Stored]:
    """Write a table, accounts, leases, a snapshot and signed heads."""
    stream = await write_table(store, played())

    def people(tx: Transaction) -> None:
        tx.put(Record(kind="password", key="ann", body=b"\x00\xff hash"))
        tx.put(Record(kind="session", key="token", body=b"{}", until=9))

    await store.commit([], people)
    head = (await store.streams(stream))[0]
    await store.keep_snapshot(Snapshot(stream, Head(head.seq, head.hash), b"\x80state"))
    assert await store.lease("table/one", "another", 1000) is not None
    await Signer(store, signing_key(directory), None, "test").sign()
    return await all_lines(store)


def said(lines: list[Stored]) -> list[tuple[str, int, bytes]]:
    return [(line.stream, line.seq, line.body) for line in lines]


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str | None]:
    """An empty directory or database to restore into."""
    if request.param == "sqlite":
        return tmp_path / "restored", None
    postgres: Postgres = request.getfixturevalue("postgres")
    return tmp_path / "restored", postgres.new_database()


def reopened(place: tuple[Path, str | None]) -> Database:
    directory, address = place
    return SqliteDatabase(directory) if address is None else PostgresqlDatabase(address, directory)


def address_of(database: Database) -> str | None:
    return database.address if isinstance(database, PostgresqlDatabase) else None


def test_a_restored_server_has_everything_and_continues(
    database: Database, target: tuple[Path, str | None], tmp_path: Path
) -> None:
    data, file = tmp_path / "data", tmp_path / "crossfelt.backup"

    async def before(store: Store) -> tuple[str, list[Stored]]:
        lines = await furnish(store, data)
        await asyncio.to_thread(back_up, data, address_of(database), file)
        return store.server_id, lines

    server_id, lines = run(database, before)
    assert file.stat().st_mode & 0o077 == 0
    restore(file, *target)

    async def after(store: Store) -> None:
        assert store.server_id != server_id
        assert said(await all_lines(store)) == said(lines)
        checker = IntegrityChecker(store, signing_key(target[0]).public)
        assert (await checker.everything()).sound
        with store._dialect.engine.begin() as connection:
            former = connection.execute(sa.text("select value from facts where name = 'names_before'")).scalar_one()
            connection.execute(sa.text("delete from facts where name = 'names_before'"))
        for checked in (await checker.since_last_head(), await checker.everything()):
            [finding] = checked.findings
            assert str(finding).endswith(f"by another server, and nothing was restored from it: {server_id}")
        with store._dialect.engine.begin() as connection:
            connection.execute(sa.text("insert into facts (name, value) values ('names_before', :of)"), {"of": former})
        assert (await checker.since_last_head()).sound
        assert (await checker.everything()).sound
        snapshot = await store.latest_snapshot("table/one")
        assert snapshot is not None
        assert snapshot.body == b"\x80state"
        assert [record.body for record in await store.records("password")] == [b"\x00\xff hash"]
        assert await store.records("session") == []
        lease = await store.lease("table/one", "me", 10)
        assert lease is not None
        assert lease.fence == 2, "fencing numbers continue"
        await store.commit(["new"], lambda tx: tx.open("new", Title("new"), 0))
        late = Say(id="late"), [Said(text="late")]
        await store.commit(["table/one"], lambda tx: tx.append("table/one", *late, lease=lease))
        assert [line.stream for line in (await all_lines(store))[-2:]] == ["new", "table/one"]
        await Signer(store, signing_key(target[0]), None, "me").sign()
        assert (await checker.everything()).sound

    run(reopened(target), after)


def test_a_backup_of_a_busy_server_is_consistent(database: Database, tmp_path: Path) -> None:
    """Each commit writes to two streams: no backup may hold one without the other."""
    data = tmp_path / "data"

    async def busy(store: Store) -> None:
        for stream in ("a", "b"):
            await store.commit([stream], lambda tx, stream=stream: tx.open(stream, Title(stream), 0))  # type: ignore[misc]

        def both(tx: Transaction, number: int) -> None:
            for stream in ("a", "b"):
                tx.append(stream, Say(id=f"c{number}"), [])

        async def write() -> None:
            for number in range(400):
                await store.commit(["a", "b"], lambda tx, number=number: both(tx, number))  # type: ignore[misc]

        writing = asyncio.create_task(write())
        for number in range(4):
            await asyncio.sleep(0)
            await asyncio.to_thread(back_up, data, address_of(database), tmp_path / f"{number}.backup")
        await writing

    run(database, busy)
    for number in range(4):
        place = tmp_path / f"restored {number}"
        restore(tmp_path / f"{number}.backup", place, None)

        async def look(store: Store) -> None:
            a, b = await store.streams()
            assert a.seq == b.seq

        run(SqliteDatabase(place), look)


@pytest.fixture
def backed_up(tmp_path: Path) -> Path:
    async def story(store: Store) -> None:
        await furnish(store, tmp_path / "data")

    run(SqliteDatabase(tmp_path / "data"), story)
    back_up(tmp_path / "data", None, tmp_path / "crossfelt.backup")
    return tmp_path


def holds(packed: bytes, told: bytes) -> bool:
    """Return whether a file still unpacks to the same: a flipped bit may point to an equal piece elsewhere."""
    try:
        return gzip.decompress(packed) == told
    except (OSError, EOFError, zlib.error):
        return False


def test_a_damaged_backup_is_refused_and_leaves_nothing_behind(backed_up: Path) -> None:
    whole = (backed_up / "crossfelt.backup").read_bytes()
    damaged, there = backed_up / "damaged.backup", backed_up / "there"
    cuts = [whole[:size] for size in range(0, len(whole), len(whole) // 20)]
    flips = [
        whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :] for at in range(20, len(whole) - 8, len(whole) // 40)
    ]
    told = gzip.decompress(whole)
    assert b'"position"' in told
    renamed = gzip.compress(told.replace(b'"position"', b'"positiom"'))
    for data in [*cuts, *(flip for flip in flips if not holds(flip, told)), renamed]:
        damaged.write_bytes(data)
        with pytest.raises(BadInput):
            restore(damaged, backed_up / "new" / "restored", None)
        assert not (backed_up / "new").exists()
    there.mkdir()
    with pytest.raises(BadInput):
        restore(damaged, there, None)
    assert [*there.iterdir()] == []


def test_no_server_starts_on_half_of_a_restore(backed_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a kill it would start as an empty server with this key, or as this server with a new key."""
    there, looked = backed_up / "there", list[str]()

    def watched(backup: Backup, path: Path) -> int:
        with pytest.raises(BadInput, match="is missing"):
            signing_key(there)
        rows = into_sqlite(backup, path)
        with pytest.raises(BadInput, match="is missing"):
            signing_key(there)
        looked.append(path.name)
        return rows

    into_sqlite = restoring._into_sqlite
    monkeypatch.setattr(restoring, "_into_sqlite", watched)
    restore(backed_up / "crossfelt.backup", there, None)
    assert looked == ["crossfelt.sqlite"]
    assert signing_key(there).public.text == signing_key(backed_up / "data").public.text
    assert not [*there.glob("*.part*")]


def test_a_restore_that_is_not_in_the_journal_yet_is_sound(backed_up: Path) -> None:
    """This holds for a backup of a restored server too."""
    file, there = backed_up / "crossfelt.backup", backed_up / "there"
    for step in ("once", "twice"):
        restore(file, there / step, None)
        store = open_store(there / step)
        checked = asyncio.run(IntegrityChecker(store, signing_key(there / step).public).everything())
        assert (checked.findings, checked.heads) == ([], 1)
        asyncio.run(store.close())
        file = there / f"{step}.backup"
        back_up(there / step, None, file)


def test_nothing_is_restored_under_a_running_server(backed_up: Path) -> None:
    there = backed_up / "there"
    store = open_store(there)
    for name in (*FILES, "crossfelt.sqlite"):
        (there / name).unlink()
    for log in there.glob("crossfelt.sqlite-*"):
        log.unlink()
    with pytest.raises(BadInput, match="another server is running"):
        restore(backed_up / "crossfelt.backup", there, None)
    assert [file.name for file in there.iterdir()] == ["crossfelt.lock"]
    asyncio.run(store.close())


def test_no_server_starts_during_a_restore(backed_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start that finds no key removes the database that it made, which would be the restored one by then."""
    there, refused = backed_up / "there", list[str]()

    def watched(backup: Backup, path: Path) -> int:
        for start in (lambda: open_store(there), lambda: restore(backed_up / "crossfelt.backup", there, None)):
            with pytest.raises(BadInput) as bad:
                start()
            refused.append(bad.value.problems[0].code)
        return into_sqlite(backup, path)

    into_sqlite = restoring._into_sqlite
    monkeypatch.setattr(restoring, "_into_sqlite", watched)
    restore(backed_up / "crossfelt.backup", there, None)
    assert refused == ["store.in_use", "restore.occupied"]
    asyncio.run(open_store(there).close())


def test_nothing_is_restored_over_a_server_that_started_meanwhile(
    backed_up: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = backed_up / "there"

    def late(directory: Path) -> IO[bytes]:
        asyncio.run(open_store(directory).close())
        return lock_directory(directory)

    monkeypatch.setattr(restoring, "lock_directory", late)
    with pytest.raises(BadInput, match="there is server data here already"):
        restore(backed_up / "crossfelt.backup", there, None)
    asyncio.run(open_store(there).close())


def test_a_server_with_a_damaged_head_can_be_backed_up(backed_up: Path) -> None:
    with closing(sqlite3.connect(backed_up / "data" / "crossfelt.sqlite")) as altering, altering:
        altering.execute("UPDATE heads SET body = x'00'")
    back_up(backed_up / "data", None, backed_up / "second.backup")


def test_a_key_that_cannot_be_written_leaves_no_database_without_it(
    backed_up: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("crossfelt._util.atomic_files.os.fsync", full)
    with pytest.raises(BadInput, match="No space left on device"):
        restore(backed_up / "crossfelt.backup", backed_up / "there", None)
    assert not (backed_up / "there").exists()


def test_nothing_is_overwritten(backed_up: Path) -> None:
    with pytest.raises(BadInput, match="exists already"):
        back_up(backed_up / "data", None, backed_up / "crossfelt.backup")
    with pytest.raises(BadInput, match="there is server data here already"):
        restore(backed_up / "crossfelt.backup", backed_up / "data", None)
    with pytest.raises(BadInput, match="there is no server data here"):
        back_up(backed_up / "nowhere", None, backed_up / "other.backup")


@pytest.mark.parametrize("name", ["crossfelt.sqlite-wal", "crossfelt.sqlite-journal"])
def test_a_stale_log_stops_a_restore(name: str, backed_up: Path) -> None:
    """An operator may have moved a damaged database away without its log."""
    there = backed_up / "there"
    there.mkdir()
    (there / name).touch()
    with pytest.raises(BadInput, match=name):
        restore(backed_up / "crossfelt.backup", there, None)


def test_an_occupied_database_is_not_restored_into(backed_up: Path, postgres: Postgres) -> None:
    address = postgres.new_database()
    restore(backed_up / "crossfelt.backup", backed_up / "first", address)
    with pytest.raises(BadInput, match="holds server data already"):
        restore(backed_up / "crossfelt.backup", backed_up / "second", address)


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("postgresql://ann:secret@127.0.0.1:1/house", "PostgreSQL cannot be reached"),
        ("postgresql://ann:secret@127.0.0.1:x/house", "not a valid PostgreSQL address"),
        ("mysql://ann:secret@127.0.0.1/house", "not the address of a database"),
    ],
)
def test_a_database_that_cannot_be_used_is_not_the_backups_fault(address: str, what: str, backed_up: Path) -> None:
    with pytest.raises(BadInput, match=what) as restored:
        restore(backed_up / "crossfelt.backup", backed_up / "there", address)
    with pytest.raises(BadInput, match=what) as backing_up:
        back_up(backed_up / "data", address, backed_up / "other.backup")
    for refused in (restored, backing_up):
        assert len(str(refused.value).splitlines()) == 1
        assert "secret" not in str(refused.value)
        assert "\\n" not in str(refused.value)
    assert not (backed_up / "there").exists()
    assert not (backed_up / "other.backup").exists()


def test_a_wrong_database_password_is_reported(backed_up: Path, postgres: Postgres) -> None:
    right = sa.make_url(postgres.new_database())
    wrong = right.set(password="wrong").render_as_string(hide_password=False)
    with pytest.raises(BadInput, match=r"PostgreSQL cannot be reached: .*password authentication failed"):
        restore(backed_up / "crossfelt.backup", backed_up / "there", wrong)


def test_rows_that_do_not_fit_are_the_backups_fault(backed_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restoring, "values_of", lambda rows: [dict.fromkeys(rows.columns, "no row")] * 2)
    with pytest.raises(BadInput, match="rows that do not fit"):
        restore(backed_up / "crossfelt.backup", backed_up / "there", None)


def test_a_stopped_server_can_be_copied_as_a_directory(backed_up: Path) -> None:
    shutil.copytree(backed_up / "data", backed_up / "copied")

    async def sound(store: Store) -> bool:
        return (await IntegrityChecker(store, signing_key(backed_up / "copied").public).everything()).sound

    assert run(SqliteDatabase(backed_up / "copied"), sound)


def test_the_commands(backed_up: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, again, file = backed_up / "data", backed_up / "again", backed_up / "second.backup"
    assert crossfelt(["backup", "--data", str(data), "--out", str(file)]) == 0
    assert f"{file}: " in capsys.readouterr().err
    assert crossfelt(["restore", str(file), "--data", str(again)]) == 0
    assert "2 streams" in capsys.readouterr().err, "one is the journal, which has the restore"
    assert crossfelt(["export", "journal", "--data", str(again)]) == 0
    assert '"event":"server_restored"' in capsys.readouterr().out
    assert crossfelt(["restore", str(file), "--data", str(again)]) == 2
    assert crossfelt(["restore", str(data / "crossfelt.sqlite"), "--data", str(backed_up / "third")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_the_commands_write_files_for_their_owner_alone(backed_up: Path) -> None:
    """This holds for any umask, and if a file is in the place of the partial backup."""
    data, again, file, log = backed_up / "data", backed_up / "again", backed_up / "again.backup", backed_up / "log"
    before = os.umask(0)
    try:
        file.with_name(f"{file.name}.part").touch(mode=0o666)
        assert crossfelt(["backup", "--data", str(data), "--out", str(file)]) == 0
        assert crossfelt(["restore", str(file), "--data", str(again)]) == 0
        assert crossfelt(["export", "journal", "--data", str(again), "--out", str(log)]) == 0
        assert crossfelt(["export", "nothing", "--data", str(again), "--out", str(backed_up / "nothing")]) == 2
    finally:
        os.umask(before)
    written = {file, log, again, *again.iterdir()} - {again / "crossfelt.lock"}
    assert {path.name for path in written if path.stat().st_mode & 0o077} == set()
    assert not (backed_up / "nothing").exists(), "a failed export leaves a file"


def test_no_backup_is_made_without_the_servers_key(backed_up: Path) -> None:
    """After a restore, no key could check the signed heads."""
    data, other, file = backed_up / "data", backed_up / "other", backed_up / "second.backup"
    signing_key(other)
    for name in FILES:
        shutil.copy(other / name, data / name)
    with pytest.raises(BadInput, match=r"crossfelt\.key: is not the key that the server signs with") as refused:
        back_up(data, None, file)
    assert len(str(refused.value).splitlines()) == 1
    (data / PRIVATE).unlink()
    with pytest.raises(BadInput, match=r"crossfelt\.key: is missing \(allowed: the key from a backup"):
        back_up(data, None, file)
    (data / PUBLIC).unlink()
    with pytest.raises(BadInput, match=r"crossfelt\.key: is missing \(allowed: the data directory of the server\)"):
        back_up(data, None, file)
    assert not [*backed_up.glob("second*")]


def test_a_backup_without_a_key_is_not_restored(backed_up: Path) -> None:
    """A start would make a new key in its place."""
    opening, rest = gzip.decompress((backed_up / "crossfelt.backup").read_bytes()).split(b"\n", 1)
    keyless = replace(msgspec.json.decode(opening, type=BackupHeader), files={})
    (backed_up / "keyless").write_bytes(gzip.compress(msgspec.json.encode(keyless) + b"\n" + rest))
    with pytest.raises(BadInput, match="keyless: holds no signing key"):
        restore(backed_up / "keyless", backed_up / "new", None)
    assert not (backed_up / "new").exists()


@pytest.mark.parametrize("told_by", ["environment", "file", "settings"])
def test_the_commands_find_a_server_as_serve_does(
    told_by: str, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is another server in the default directory, with another key."""
    address, data, file = postgres.new_database(), tmp_path / "data", tmp_path / "crossfelt.backup"
    monkeypatch.chdir(tmp_path)
    run(SqliteDatabase(tmp_path / "crossfelt-data"), lambda store: furnish(store, tmp_path / "crossfelt-data"))
    run(PostgresqlDatabase(address, data), lambda store: furnish(store, data))
    flags = list[str]()
    match told_by:
        case "environment":
            monkeypatch.setenv("CROSSFELT_DATABASE", address)
            monkeypatch.setenv("CROSSFELT_DATA", str(data))
        case "file":
            (data / "crossfelt.toml").write_text(f'database = "{address}"')
            flags = [f"--data={data}"]
        case _:
            (tmp_path / "crossfelt.toml").write_text(f'database = "{address}"\ndata = "{data}"')
            flags = [f"--config={tmp_path / 'crossfelt.toml'}"]
    assert crossfelt(["backup", f"--out={file}", *flags]) == 0
    assert Backup(file).header.files[PRIVATE] == (data / PRIVATE).read_bytes()
    assert crossfelt(["export", "heads", f"--out={tmp_path / 'heads'}", *flags]) == 0
    assert signing_key(data).public.fits(read_heads(tmp_path / "heads")[0])
    assert crossfelt(["restore", str(file), *flags]) == 2, "there is a server already"
    assert crossfelt(["restore", str(file), "--data=there", "--database="]) == 0
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert crossfelt(["backup", f"--database={address}", "--out=second.backup"]) == 2, "with another server's key"


@pytest.fixture(params=["away", "empty", "garbage", "nothing in it"])
def unreadable(request: pytest.FixtureRequest, backed_up: Path) -> list[str]:
    """The options for a server whose database cannot be read."""
    data = f"--data={backed_up / 'data'}"
    match request.param:
        case "away":
            return [data, "--database=postgresql://ann:secret@127.0.0.1:1/house"]
        case "empty":
            postgres: Postgres = request.getfixturevalue("postgres")
            return [data, f"--database={postgres.new_database()}"]
        case "garbage":
            (backed_up / "data" / "crossfelt.sqlite").write_bytes(b"garbage" * 1000)
        case _:
            (backed_up / "data" / "crossfelt.sqlite").write_bytes(b"")
    return [data]


def test_an_unreadable_database_is_reported_in_one_line(
    unreadable: list[str], backed_up: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = f"--out={backed_up / 'out'}"
    for command in (["export"], ["export", "journal"], ["export", "heads", out], ["backup", out]):
        assert crossfelt([*command, *unreadable]) == 2
        told = capfd.readouterr().err
        assert told.startswith(("database: ", f"{backed_up / 'data'}: "))
        assert told.count("\n") == 1
        assert "\\n" not in told
        assert "secret" not in told
    assert not (backed_up / "out").exists()
