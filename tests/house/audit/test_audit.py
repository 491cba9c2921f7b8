"""Chains, signed heads and what they show: a store that was tampered with, cut or set back is found out."""

from __future__ import annotations

import io
import json
import random
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from crossfelt.cli.main import run as crossfelt
from crossfelt.house.accounts.accounts import Accounts
from crossfelt.house.accounts.sessions import Identity
from crossfelt.house.audit.browsing import Browser, Wanted
from crossfelt.house.audit.checking import Checker
from crossfelt.house.audit.events import HouseStopped
from crossfelt.house.audit.export import export_heads, export_stream
from crossfelt.house.audit.journal import Journal
from crossfelt.house.audit.keys import PRIVATE, PUBLIC, house_key
from crossfelt.house.audit.signing import Signer, outside_file
from crossfelt.house.store.port import FenceLost, SignedHead, new_row
from crossfelt.house.store.reading import ALL
from crossfelt.house.store.sql import SqlStore
from crossfelt.problems import BadInput
from crossfelt.proof.heads import Head as SignedStatement
from crossfelt.proof.heads import SigningKey, Statement, VerifyingKey, decode_head, read_heads
from crossfelt.proof.history import HistoryWriter
from crossfelt.proof.origin import INCONSISTENT, NOT_YET, Origin
from house.databases import Database, Said, Say, SqliteDatabase, Title, run
from house.playing import played, words, write_table
from soaking import Recorded, scaled

KEY = SigningKey.new()


def signer(store: SqlStore, outside: Path | None = None) -> Signer:
    return Signer(store, KEY, outside, holder="test")


async def talk(store: SqlStore, stream: str, *texts: str) -> None:
    """Opens a stream, if it is not, and adds to it."""
    if (await store.head(stream)).seq < 0:
        await store.commit([stream], lambda tx: tx.open(stream, Title(stream), 0))
    for text in texts:
        row = new_row(Say(id=text, text=text), [Said(text=text)])
        await store.commit([stream], lambda tx, row=row: tx.append(stream, row))  # type: ignore[misc]


async def tamper(store: SqlStore, statement: str, **values: object) -> None:
    """What somebody with access to the database could do."""
    await store._write(lambda page: page.connection.execute(sa.text(statement), values))
    store._desk.rolled_back()


# --- exports ----------------------------------------------------------------------------------------------------------


def test_an_export_is_byte_for_byte_a_history_file(database: Database) -> None:
    driver, exported, written = played(), io.BytesIO(), io.BytesIO()

    async def story(store: SqlStore) -> None:
        stream = await write_table(store, driver)
        assert await export_stream(store, stream, exported) == len(driver.lived)
        with pytest.raises(BadInput):
            await export_stream(store, "table/none/1", io.BytesIO())

    run(database, story)
    with HistoryWriter(written, "one", driver.table.game) as history:
        for row in driver.lived:
            history.append(row.command, row.events)
    assert exported.getvalue() == written.getvalue()


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """A directory with a table's history, its heads and the public key, from a house."""

    async def story(store: SqlStore) -> None:
        stream = await write_table(store, played())
        key = house_key(tmp_path)
        await Signer(store, key, tmp_path / "outside.jsonl", "test").sign()
        with (tmp_path / "log.jsonl").open("wb") as log, (tmp_path / "heads.jsonl").open("wb") as heads:
            await export_stream(store, stream, log)
            await export_heads(store, heads)

    run(SqliteDatabase(tmp_path / "data"), story)
    return tmp_path


def verified(directory: Path, capsys: pytest.CaptureFixture[str], key: str = PUBLIC) -> tuple[int, list[str]]:
    files = [directory / "log.jsonl", "--key", directory / key, "--head", directory / "heads.jsonl"]
    code = crossfelt(["verify", *map(str, files)])
    return code, capsys.readouterr().out.splitlines()


def test_with_key_and_head_a_history_is_the_houses(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = verified(exported, capsys)
    assert (code, lines[-1]) == (0, "consistent, signed by the house")
    assert lines[-2].startswith("signed     row ")
    assert (exported / "outside.jsonl").read_bytes() == (exported / "heads.jsonl").read_bytes()


def test_another_key_a_changed_head_or_a_cut_history_is_found(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (exported / "other.pub").write_bytes(KEY.public.pem)
    code, lines = verified(exported, capsys, "other.pub")
    assert (code, lines[-1]) == (1, "inconsistent")
    assert lines[-2].endswith("head 1 was not signed with this key")
    heads = exported / "heads.jsonl"
    kept = heads.read_bytes()
    heads.write_bytes(kept.replace(b'"at":1', b'"at":2'))
    code, lines = verified(exported, capsys)
    assert lines[-2].endswith("head 1 was not signed with this key")
    heads.write_bytes(kept)
    _cut(exported / "log.jsonl", rows=10)
    code, lines = verified(exported, capsys)
    assert code == 1
    assert "no signed head names a line of this history" in lines[-2]


def test_what_no_head_names_yet_is_consistent_and_its_origin_unproved(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a table that was opened since, or one of another house: the origin was asked for, and is not proved. A stream
    that heads do name is found to be wrong."""
    elsewhere = Statement(house="h", number=1, at=1, previous="", streams=(("table/other/1", 3, "ab" * 32),))
    (exported / "heads.jsonl").write_bytes(KEY.sign(elsewhere).body + b"\n")
    (exported / PUBLIC).write_text(KEY.public.text)
    code, lines = verified(exported, capsys)
    assert (code, lines[-1]) == (1, "consistent, origin unproved: these heads do not name it yet")
    assert not any("log.jsonl: " in line for line in lines[1:]), "nothing is said to be wrong with it"
    of_it = msgspec.structs.replace(elsewhere, streams=(("table/one/1", 3, "ab" * 32),))
    (exported / "heads.jsonl").write_bytes(KEY.sign(of_it).body + b"\n")
    code, lines = verified(exported, capsys)
    assert (code, lines[-1]) == (1, "inconsistent")
    assert lines[-2].endswith("no signed head names a line of this history, and they name others of it")


@pytest.mark.parametrize(("named", "forged"), [("house", True), ("house2", False), ("account/ann", False)])
def test_a_stream_that_is_no_tables_and_that_heads_do_not_name_is_not_proved_nor_called_forged(
    named: str, forged: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story(store: SqlStore) -> None:
        await Journal(store).note(HouseStopped(by="house", at=1, process="one"))
        with (tmp_path / "log.jsonl").open("wb") as log:
            await export_stream(store, "house", log)

    run(SqliteDatabase(tmp_path / "data"), story)
    head = KEY.sign(Statement(house="h", number=1, at=1, previous="", streams=((named, 1, "ab" * 32),)))
    (tmp_path / "heads.jsonl").write_bytes(head.body + b"\n")
    (tmp_path / "house.pub").write_text(KEY.public.text)
    files = [tmp_path / "log.jsonl", "--key", tmp_path / "house.pub", "--head", tmp_path / "heads.jsonl"]
    assert crossfelt(["verify", "--json", *map(str, files)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["fault"] is not None, report["verdict"]) == (forged, INCONSISTENT if forged else NOT_YET)
    assert crossfelt(["verify", str(tmp_path / "log.jsonl")]) == 0, "who asks for no proof needs none"


def test_a_disputed_round_that_no_head_signs_is_no_proof(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [exported / "log.jsonl", "--round", 1, "--key", exported / PUBLIC, "--head", exported / "heads.jsonl"]
    order = ["dispute", *map(str, files)]
    assert crossfelt(order) == 0
    assert "signed     by head 1, which names row" in capsys.readouterr().out
    head = KEY.sign(Statement(house="h", number=1, at=1, previous="", streams=(("table/other/1", 1, "ab" * 32),)))
    (exported / "heads.jsonl").write_bytes(head.body + b"\n")
    (exported / PUBLIC).write_text(KEY.public.text)
    assert crossfelt(order) == 1
    assert "signed     nobody yet: no signed head names a row from this round on" in capsys.readouterr().out
    assert crossfelt(order[:4]) == 0, "who asks for no proof needs none"


def _cut(log: Path, rows: int) -> None:
    """A history that ends early, and says so as if nothing was missing."""
    driver = played()
    log.unlink()
    with HistoryWriter.create(log, "one", driver.table.game) as history:
        for row in driver.lived[:rows]:
            history.append(row.command, row.events)


def test_rows_that_were_signed_later_are_missed(exported: Path, tmp_path: Path) -> None:
    """Where an earlier head names a line of a cut history, a later one tells that more was there."""
    driver = played()

    async def story(store: SqlStore) -> None:
        stream = "table/one/1"
        await write_table(store, driver)
        head = (await store.streams(stream))[0]
        early = (await store.rows(stream, 4, 1))[0]
        first = KEY.sign(Statement(house="h", number=1, at=1, previous="", streams=((stream, 5, early.hash),)))
        second = KEY.sign(
            Statement(house="h", number=2, at=2, previous=first.hash, streams=((stream, head.seq, head.hash),))
        )
        (exported / "heads.jsonl").write_bytes(first.body + b"\n" + second.body + b"\n")

    run(SqliteDatabase(tmp_path / "more"), story)
    (exported / PUBLIC).write_text(KEY.public.text)
    _cut(exported / "log.jsonl", rows=10)
    files = [exported / "log.jsonl", "--key", exported / PUBLIC, "--head", exported / "heads.jsonl"]
    assert crossfelt(["verify", *map(str, files)]) == 1


@pytest.mark.parametrize(
    ("named", "verdict", "wrong"),
    [
        ([(3, "a3")], "consistent, signed by the house up to row 3 of 6", False),
        ([(6, "a6"), (9, "a9")], "consistent, signed by the house; it goes on, to row 9 at least", False),
        ([(9, "a9")], NOT_YET, False),
        ([(3, "a3"), (5, "b5"), (9, "a9")], INCONSISTENT, True),
        ([(5, "b5"), (9, "a9")], INCONSISTENT, True),
    ],
)
def test_a_history_that_goes_on_is_compared_as_far_as_it_goes(
    named: list[tuple[int, str]], verdict: str, wrong: bool
) -> None:
    heads: list[SignedStatement] = []
    for number, (seq, digest) in enumerate(named, start=1):
        previous = heads[-1].hash if heads else ""
        streams = (("table/one/1", seq, digest),)
        heads.append(KEY.sign(Statement(house="h", number=number, at=1, previous=previous, streams=streams)))
    origin = Origin(heads, KEY.public)
    for seq in range(1, 7):
        origin.see(seq, f"a{seq}")
    told, fault = origin.verdict(6, "table/one/", goes_on=True)
    assert (told, fault is not None) == (verdict, wrong)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--key", "house.pub"], "--head: is needed with --key"),
        (["--head", "heads.jsonl"], "--key: is needed with --head"),
        (["--key", "log.jsonl", "--head", "heads.jsonl"], "not a key"),
        (["--key", "none", "--head", "heads.jsonl"], "cannot be read"),
        (["--key", "house.pub", "--head", "log.jsonl"], "line 1: not a signed head"),
        (["--key", "house.pub", "--head", "none"], "cannot be read"),
    ],
)
def test_what_is_no_key_or_no_head_is_refused(
    options: list[str], told: str, exported: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(exported)
    assert crossfelt(["verify", "log.jsonl", *options]) == 2
    assert told in capsys.readouterr().err


# --- signing ----------------------------------------------------------------------------------------------------------


def test_heads_name_what_has_moved_and_follow_one_another(database: Database, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere" / "heads.jsonl"

    async def story(store: SqlStore) -> None:
        signing = signer(store, outside)
        assert await signing.sign() is None, "nothing to sign"
        await talk(store, "a", "one")
        await talk(store, "b", "one")
        await signing.sign()
        assert await signing.sign() is None
        await talk(store, "b", "two")
        await signing.sign()
        first, second = [decode_head(head.body).statement for head in await store.signed_heads()]
        assert [(name, seq) for name, seq, _ in first.streams] == [("a", 1), ("b", 1)]
        assert [(name, seq) for name, seq, _ in second.streams] == [("b", 2)]
        assert (await Checker(store, KEY.public, outside).everything()).sound
        assert [head.body for head in read_heads(outside)] == [head.body for head in await store.signed_heads()]
        assert await Signer(store, KEY, None, "another").sign() is None, "one process signs at a time"

    run(database, story)


def test_a_process_with_another_key_is_kept_from_a_house_that_runs(database: Database) -> None:
    """Also before anything was signed; a key that was lost is followed by another once none runs."""

    async def story(store: SqlStore) -> None:
        first, other = signer(store), Signer(store, SigningKey.new(), None, "other")
        await first.claim()
        await Signer(store, KEY, None, "of the same house").claim()
        with pytest.raises(BadInput, match="another key"):
            await other.claim()
        await first.release()
        await other.claim()
        with pytest.raises(BadInput, match="another key"):
            await first.claim()

    run(database, story)


def test_who_stood_still_signs_no_more_where_another_key_has_begun(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It was taken for dead; what it signed now could not be checked with the key that has signed since."""

    async def story(store: SqlStore) -> None:
        first, other = signer(store), Signer(store, SigningKey.new(), None, "other")
        await first.claim()
        monkeypatch.setattr("crossfelt.house.audit.signing._LEASE_SECONDS", -1)  # as if it had stood still since
        await talk(store, "a", "one")
        assert await first.sign() is not None
        monkeypatch.undo()
        await other.claim()
        await talk(store, "a", "two")
        assert await other.sign() is not None
        await other.release()
        await talk(store, "a", "three")
        assert [await first.sign() for _ in range(3)] == [None, None, None]
        assert len([it for it in caplog.records if "another key has begun to sign" in it.getMessage()]) == 1
        assert await other.sign() is not None, "nor does it keep the other one from signing"

    run(database, story)


def test_nothing_is_signed_under_a_lease_that_has_passed_on(database: Database) -> None:
    async def story(store: SqlStore) -> None:
        lease = await store.lease("heads", "one", 60)
        assert lease is not None
        await store.release(lease)
        await store.lease("heads", "other", 60)
        await talk(store, "a", "one")
        with pytest.raises(FenceLost):
            await store.sign(lambda last, moved: b"{}", lease)
        assert await store.last_head() is None

    run(database, story)


def test_the_key_is_made_once_and_is_nobody_elses(tmp_path: Path) -> None:
    key = house_key(tmp_path)
    assert house_key(tmp_path).public.text == key.public.text
    assert (tmp_path / PRIVATE).stat().st_mode & 0o077 == 0
    (tmp_path / PRIVATE).write_text("nonsense")
    with pytest.raises(BadInput):
        house_key(tmp_path)


def test_no_new_key_is_made_in_the_place_of_one_that_was_lost(tmp_path: Path) -> None:
    house_key(tmp_path)
    (tmp_path / PRIVATE).unlink()
    with pytest.raises(BadInput, match="is missing"):
        house_key(tmp_path)
    assert not (tmp_path / PRIVATE).exists()
    (tmp_path / PRIVATE).write_bytes(SigningKey.new().pem)
    with pytest.raises(BadInput, match="is not the one"):
        house_key(tmp_path)
    (tmp_path / PUBLIC).unlink()
    house_key(tmp_path)


def test_heads_are_kept_outside_the_data_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert outside_file("h1") == tmp_path / "crossfelt" / "h1.heads.jsonl"


# --- checking ---------------------------------------------------------------------------------------------------------


async def three_streams(store: SqlStore, outside: Path | None = None) -> Checker:
    """Two heads, and some lines after the last one."""
    await talk(store, "a", "a1", "a2", "a3")
    await talk(store, "b", "b1")
    await signer(store, outside).sign()
    await talk(store, "a", "a4", "a5")
    await signer(store, outside).sign()
    await talk(store, "a", "a6", "a7")
    await talk(store, "c", "c1", "c2")
    return Checker(store, KEY.public, outside)


def test_a_start_checks_from_the_last_head_on(database: Database) -> None:
    async def story(store: SqlStore) -> None:
        checker = await three_streams(store)
        short, whole = await checker.since_last_head(), await checker.everything()
        assert short.sound
        assert whole.sound
        assert (short.lines, whole.lines) == (3 + 3, 8 + 2 + 3)
        assert (short.heads, whole.heads) == (1, 2)

    run(database, story)


@pytest.mark.parametrize(
    ("statement", "found", "at_start"),
    [
        ("update lines set body = replace(body, 'a7', 'x7') where command_id = 'a7'", "filed under another", True),
        ("update lines set at = 9 where command_id = 'a6'", "filed under another", True),
        ("update lines set command_id = 'z' where command_id = 'a5'", "filed under another", True),
        ("delete from lines where command_id = 'a7'", "should end at", True),
        ("delete from lines where command_id = 'a6'", "lines are missing before it", True),
        ("update streams set seq = 6 where name = 'a'", "stands after the end of the stream", True),
        ("update lines set command_id = 'z' where command_id = 'a1'", "filed under another", False),
        ("delete from lines where command_id = 'b1'", "should end at", False),
        ("delete from heads where number = 1", "", False),
        ("delete from heads where number = 2", "", False),
        ("update heads set number = 3 where number = 2", "says that it is another", True),
    ],
)
def test_tampering_is_found(statement: str, found: str, at_start: bool, tmp_path: Path) -> None:
    outside = tmp_path / "heads.jsonl"

    async def story(store: SqlStore) -> None:
        checker = await three_streams(store, outside)
        await tamper(store, statement)
        if found:
            assert found in " ".join(words((await checker.everything()).findings))
        if at_start:
            assert not (await checker.since_last_head()).sound
        if "heads where number = 2" in statement:
            assert "kept outside, is not in the store" in " ".join(words((await checker.everything()).findings))

    run(SqliteDatabase(tmp_path / "data"), story)


def test_a_house_that_has_lost_its_name_is_found(database: Database) -> None:
    """Set back, and under another name, it would have another copy outside, and nothing to compare it with."""

    async def lost(store: SqlStore) -> str:
        await three_streams(store)
        await tamper(store, "delete from facts where name = 'house'")
        return store.house

    async def looked_at(store: SqlStore) -> None:
        checker = Checker(store, KEY.public)
        assert words((await checker.since_last_head()).findings) == [found]
        await signer(store).sign()
        assert (await checker.since_last_head()).sound, "the last head bears the new name"
        assert words((await checker.everything()).findings) == [found]

    before = run(database, lost)
    found = f"heads were signed in the name of another house, and nothing was restored from it: {before}"
    run(database, looked_at)


def test_a_stream_that_was_written_anew_is_not_the_one_that_was_signed(tmp_path: Path) -> None:
    """Somebody who can write the database can hash as well; but not sign."""

    async def story(store: SqlStore) -> None:
        checker = await three_streams(store)
        await tamper(store, "delete from lines where stream = (select id from streams where name = 'b')")
        await tamper(store, "update streams set seq = -1, hash = '' where name = 'b'")
        await talk(store, "b", "another past")
        assert words((await checker.everything()).findings) == ["b, seq 1: is not the line that was signed"]

    run(SqliteDatabase(tmp_path / "data"), story)


def test_heads_are_looked_at_in_pages_and_beside_serving(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are thousands a day: all at once would stop every table for seconds."""
    monkeypatch.setattr("crossfelt.house.audit.checking.HEADS", 2)
    here, elsewhere, sizes = threading.get_ident(), set[bool](), list[int]()
    fits = VerifyingKey.fits

    def fits_noted(key: VerifyingKey, head: SignedStatement) -> bool:
        elsewhere.add(threading.get_ident() != here)
        return fits(key, head)

    async def story(store: SqlStore) -> None:
        for text in ("one", "two", "three", "four", "five"):
            await talk(store, "a", text)
            await signer(store).sign()
        signed_heads = store.signed_heads

        async def noted(after: int = 0, limit: int = ALL) -> Sequence[SignedHead]:
            found = await signed_heads(after, limit)
            sizes.append(len(found))
            return found

        monkeypatch.setattr(store, "signed_heads", noted)
        monkeypatch.setattr(VerifyingKey, "fits", fits_noted)
        checked = await Checker(store, KEY.public).everything()
        assert (checked.heads, checked.sound, sizes, elsewhere) == (5, True, [2, 2, 1, 0], {True})
        await tamper(store, "delete from heads where number = 3")
        assert words((await Checker(store, KEY.public).everything()).findings) == ["head 4 comes after head 2"]

    run(database, story)


DEEP = b'{"command":{"at":1,"id":"x","x":' + 100_000 * b"[" + 100_000 * b"]" + b'},"hash":"","previous":"","seq":1}'


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("update lines set body = :deep where command_id = 'b1'", "b, seq 1: is no row"),
        ("update lines set seq = 'zz' where command_id = 'b1'", "b: cannot be looked at: TypeError"),
        ("update streams set seq = 'zz' where name = 'b'", "b: cannot be looked at: TypeError"),
        ("update streams set name = x'ff00' where name = 'b'", "b: the stream is gone; it was signed"),
        ("update heads set body = :deep where number = 1", "head 1: not a signed head"),
    ],
)
def test_what_cannot_even_be_looked_at_is_found_with_everything_else(
    statement: str, found: str, tmp_path: Path
) -> None:
    async def story(store: SqlStore) -> None:
        checker = await three_streams(store)
        await tamper(store, "update lines set at = 9 where command_id = 'c2'")
        await tamper(store, statement, **({"deep": DEEP} if ":deep" in statement else {}))
        findings = words((await checker.everything()).findings)
        assert any(finding.startswith(found) for finding in findings), findings
        assert any(finding.startswith("c, seq 2: is filed under another") for finding in findings), findings
        assert not (await checker.since_last_head()).sound

    run(SqliteDatabase(tmp_path / "data"), story)


def test_a_row_that_is_nested_too_deeply_is_told_as_one_that_cannot_be_read(tmp_path: Path) -> None:
    async def story(store: SqlStore) -> None:
        await Accounts(store, Journal(store), clock=lambda: 0).guest("Ann")
        await tamper(store, "update lines set body = :deep where seq = 1", deep=DEEP)
        found = await Browser(store).find(Wanted(stream="account/ann"), None, 10)
        assert [entry.kind for entry in found.entries] == ["unreadable"]

    run(SqliteDatabase(tmp_path / "data"), story)


def test_a_signed_head_that_goes_back_is_found(tmp_path: Path) -> None:
    """Somebody has set the stream back and had it signed again: the later head would speak for another past."""

    async def story(store: SqlStore) -> None:
        checker = await three_streams(store)
        await tamper(store, "update streams set signed = -1 where name = 'b'")
        await signer(store).sign()
        [finding] = words((await checker.everything()).findings)
        assert finding == "b, seq 1: head 3 names no line that comes after those signed before"

    run(SqliteDatabase(tmp_path / "data"), story)


def flips(store: SqlStore, count: int, seed: int) -> Iterator[tuple[int, int, int]]:
    chance = random.Random(seed)
    for _ in range(count):
        yield chance.randrange(10**6), chance.randrange(10**6), 1 << chance.randrange(8)


async def every_flip_is_found(store: SqlStore, count: int, seed: int) -> None:
    checker = await three_streams(store)
    await signer(store).sign()
    lines = [*await store.poll(0)]
    heads = [*await store.signed_heads()]
    update = "update {} set body = :body where {} = :at"
    for which, where, bit in flips(store, count, seed):
        place = which % (len(lines) + len(heads))
        if place < len(lines):
            body, statement, at = lines[place].body, update.format("lines", "position"), lines[place].position
        else:
            head = heads[place - len(lines)]
            body, statement, at = head.body, update.format("heads", "number"), head.number
        changed = bytearray(body)
        changed[where % len(body)] ^= bit
        await tamper(store, statement, body=bytes(changed), at=at)
        assert not (await checker.everything()).sound, (place, where % len(body), bit)
        await tamper(store, statement, body=body, at=at)
    assert (await checker.everything()).sound


def test_every_flipped_bit_is_found(tmp_path: Path) -> None:
    run(SqliteDatabase(tmp_path / "data"), lambda store: every_flip_is_found(store, 150, seed=1))


@pytest.mark.soak
def test_every_flipped_bit_is_found_in_the_long_run(tmp_path: Path, record_property: Recorded) -> None:
    run(SqliteDatabase(tmp_path / "data"), lambda store: every_flip_is_found(store, scaled(20_000), seed=2))
    record_property("figure", f"{scaled(20_000):,} flipped bits in a store: all found")


# --- other streams ----------------------------------------------------------------------------------------------------


def test_a_stream_that_is_no_tables_is_exported_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, log, heads = tmp_path / "data", tmp_path / "ann.jsonl", tmp_path / "heads.jsonl"

    async def story(store: SqlStore) -> None:
        accounts = Accounts(store, Journal(store), clock=lambda: 0)
        await accounts.guest("Ann")
        await Signer(store, house_key(data), None, "test").sign()
        await accounts.deposit(Identity(account="ann", name="Ann", roles=()), "ann", 500)

    run(SqliteDatabase(data), story)
    assert crossfelt(["export", "--data", str(data)]) == 0
    assert capsys.readouterr().out == "account/ann  2 rows\n"
    assert crossfelt(["export", "account/ann", "--data", str(data), "--out", str(log)]) == 0
    assert crossfelt(["export", "heads", "--data", str(data), "--out", str(heads)]) == 0
    assert crossfelt(["export", "heads", "--data", str(data), "--out", str(heads)]) == 2, "nothing is written over"
    assert crossfelt(["verify", str(log)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "consistent, origin unproved"
    signed = ["verify", str(log), "--key", str(data / PUBLIC), "--head", str(heads)]
    assert crossfelt(signed) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "consistent, signed by the house up to row 1 of 2"
    whole = log.read_bytes()
    for at in range(0, len(whole), 7):
        log.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert crossfelt(["verify", str(log)]) in (1, 2), at
    for at in range(0, len(whole) - 1, 11):
        log.write_bytes(whole[:at])
        assert crossfelt(["verify", str(log)]) in (1, 2), at
