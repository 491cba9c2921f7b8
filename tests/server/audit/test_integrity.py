"""The integrity check finds a store that was tampered with, cut or set back."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from crossfelt.proof.signed_heads import Head as SignedStatement
from crossfelt.proof.signed_heads import VerifyingKey
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.audit.integrity import IntegrityChecker
from crossfelt.server.audit.search import AuditSearch, SearchFilter
from crossfelt.server.journal.stream import Journal
from crossfelt.server.store.interface import SignedHead
from crossfelt.server.store.reader import ALL
from crossfelt.server.store.sql_store import Store
from server.audit.tampered_streams import KEY, signer, talk, tamper
from server.databases import Database, SqliteDatabase, all_lines, run
from server.recorded_rounds import words
from soak_length import Recorded, scaled


async def three_streams(store: Store, outside: Path | None = None) -> IntegrityChecker:
    """Write two signed heads, and some lines after the last one."""
    await talk(store, "a", "a1", "a2", "a3")
    await talk(store, "b", "b1")
    await signer(store, outside).sign()
    await talk(store, "a", "a4", "a5")
    await signer(store, outside).sign()
    await talk(store, "a", "a6", "a7")
    await talk(store, "c", "c1", "c2")
    return IntegrityChecker(store, KEY.public, outside)


def test_a_start_checks_the_lines_since_the_last_head(database: Database) -> None:
    async def story(store: Store) -> None:
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
        ("update streams set seq = 6 where name = 'a'", "comes after the end of the stream", True),
        ("update lines set command_id = 'z' where command_id = 'a1'", "filed under another", False),
        ("delete from lines where command_id = 'b1'", "should end at", False),
        ("delete from heads where number = 1", "", False),
        ("delete from heads where number = 2", "", False),
        ("update heads set number = 3 where number = 2", "states another number", True),
    ],
)
def test_tampering_is_found(statement: str, found: str, at_start: bool, tmp_path: Path) -> None:
    outside = tmp_path / "heads.jsonl"

    async def story(store: Store) -> None:
        checker = await three_streams(store, outside)
        await tamper(store, statement)
        if found:
            assert found in " ".join(words((await checker.everything()).findings))
        if at_start:
            assert not (await checker.since_last_head()).sound
        if "heads where number = 2" in statement:
            assert "of the copy is not in the store" in " ".join(words((await checker.everything()).findings))

    run(SqliteDatabase(tmp_path / "data"), story)


def test_a_lost_server_id_is_found(database: Database) -> None:
    """With another id the server would have another copy of its heads, and a set-back store would go unnoticed."""

    async def lost(store: Store) -> str:
        await three_streams(store)
        await tamper(store, "delete from facts where name = 'server'")
        return store.server_id

    async def looked_at(store: Store) -> None:
        checker = IntegrityChecker(store, KEY.public)
        assert words((await checker.since_last_head()).findings) == [found]
        await signer(store).sign()
        assert (await checker.since_last_head()).sound, "the last head has the new id"
        assert words((await checker.everything()).findings) == [found]

    before = run(database, lost)
    found = f"heads were signed by another server, and nothing was restored from it: {before}"
    run(database, looked_at)


def test_a_rewritten_stream_differs_from_the_signed_one(tmp_path: Path) -> None:
    """An attacker who can write to the database can compute hashes, but cannot sign."""

    async def story(store: Store) -> None:
        checker = await three_streams(store)
        await tamper(store, "delete from lines where stream = (select id from streams where name = 'b')")
        await tamper(store, "update streams set seq = -1, hash = '' where name = 'b'")
        await talk(store, "b", "another past")
        assert words((await checker.everything()).findings) == ["b, seq 1: is not the line that was signed"]

    run(SqliteDatabase(tmp_path / "data"), story)


def test_heads_are_checked_in_pages_and_in_a_thread(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server has thousands of heads a day: checking them in the event loop would stop every table for seconds."""
    monkeypatch.setattr("crossfelt.server.audit.integrity.HEADS", 2)
    here, elsewhere, sizes = threading.get_ident(), set[bool](), list[int]()
    fits = VerifyingKey.fits

    def fits_noted(key: VerifyingKey, head: SignedStatement) -> bool:
        elsewhere.add(threading.get_ident() != here)
        return fits(key, head)

    async def story(store: Store) -> None:
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
        checked = await IntegrityChecker(store, KEY.public).everything()
        assert (checked.heads, checked.sound, sizes, elsewhere) == (5, True, [2, 2, 1, 0], {True})
        await tamper(store, "delete from heads where number = 3")
        assert words((await IntegrityChecker(store, KEY.public).everything()).findings) == ["head 4 comes after head 2"]

    run(database, story)


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("update lines set body = '{}' where command_id = 'b1'", "b, seq 1: is not a row"),
        ("update lines set seq = 'zz' where command_id = 'b1'", "b: cannot be checked: TypeError"),
        ("update streams set seq = 'zz' where name = 'b'", "b: cannot be checked: TypeError"),
        ("update streams set name = x'ff00' where name = 'b'", "b: the stream is missing; it was signed"),
        ("update heads set body = '{}' where number = 1", "head 1: not a signed head"),
    ],
)
def test_data_that_cannot_be_checked_is_found_and_the_check_goes_on(statement: str, found: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        checker = await three_streams(store)
        await tamper(store, "update lines set at = 9 where command_id = 'c2'")
        await tamper(store, statement)
        findings = words((await checker.everything()).findings)
        assert any(finding.startswith(found) for finding in findings), findings
        assert any(finding.startswith("c, seq 2: is filed under another") for finding in findings), findings
        assert not (await checker.since_last_head()).sound

    run(SqliteDatabase(tmp_path / "data"), story)


def test_an_altered_row_is_listed_as_unreadable(tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        await Accounts(store, Journal(store), clock=lambda: 0).guest("Ann")
        await tamper(store, "update lines set body = '{}' where seq = 1")
        found = await AuditSearch(store).find(SearchFilter(stream="account/ann"), None, 10)
        assert [entry.kind for entry in found.entries] == ["unreadable"]

    run(SqliteDatabase(tmp_path / "data"), story)


def test_a_signed_head_that_goes_back_is_found(tmp_path: Path) -> None:
    """A stream was set back and signed again: the later head would vouch for another history."""

    async def story(store: Store) -> None:
        checker = await three_streams(store)
        await tamper(store, "update streams set signed = -1 where name = 'b'")
        await signer(store).sign()
        [finding] = words((await checker.everything()).findings)
        assert finding == "b, seq 1: head 3 names a line that does not come after those signed before"

    run(SqliteDatabase(tmp_path / "data"), story)


def flips(store: Store, count: int, seed: int) -> Iterator[tuple[int, int, int]]:
    chance = random.Random(seed)
    for _ in range(count):
        yield chance.randrange(10**6), chance.randrange(10**6), 1 << chance.randrange(8)


async def every_flip_is_found(store: Store, count: int, seed: int) -> None:
    checker = await three_streams(store)
    await signer(store).sign()
    lines = await all_lines(store)
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
