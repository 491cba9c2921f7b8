"""The origin of an exported history: the file shows its server, and any change or cut."""

from __future__ import annotations

import io
import json
from pathlib import Path

import msgspec
import pytest

from crossfelt.cli.main import run as crossfelt
from crossfelt.errors import BadInput
from crossfelt.proof.history import HistoryWriter
from crossfelt.proof.signed_heads import INCONSISTENT, NOT_YET, HeadStatement, Origin
from crossfelt.proof.signed_heads import Head as SignedStatement
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.audit.export import export_heads, export_stream
from crossfelt.server.audit.signed_heads import Signer
from crossfelt.server.journal.events import ServerStopped
from crossfelt.server.journal.stream import Journal
from crossfelt.server.store.signing_key import PUBLIC, signing_key
from crossfelt.server.store.sql_store import Store
from server.audit.tampered_streams import KEY
from server.databases import Database, SqliteDatabase, run
from server.recorded_rounds import played, write_table


def test_an_export_is_byte_for_byte_a_history_file(database: Database) -> None:
    driver, exported, written = played(), io.BytesIO(), io.BytesIO()

    async def story(store: Store) -> None:
        stream = await write_table(store, driver)
        assert await export_stream(store, stream, exported) == len(driver.lived)
        with pytest.raises(BadInput):
            await export_stream(store, "table/none", io.BytesIO())

    run(database, story)
    with HistoryWriter(written, "one", driver.table.game) as history:
        for row in driver.lived:
            history.append(row.command, row.events)
    assert exported.getvalue() == written.getvalue()


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """A directory with a table's exported history, its signed heads and the public key."""

    async def story(store: Store) -> None:
        stream = await write_table(store, played())
        key = signing_key(tmp_path)
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


def test_key_and_head_prove_that_a_history_is_the_servers(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = verified(exported, capsys)
    assert (code, lines[-1]) == (0, "consistent, signed by the server")
    assert any(line.startswith("signed     row ") for line in lines)
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


def test_a_history_that_no_head_names_yet_is_consistent_with_unproved_origin(
    exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table that was opened since the last head, or one of another server, is not proved. A stream that heads name
    with other hashes is wrong."""
    elsewhere = HeadStatement(server_id="h", number=1, at=1, previous="", streams=(("table/other", 3, "ab" * 32),))
    (exported / "heads.jsonl").write_bytes(KEY.sign(elsewhere).body + b"\n")
    (exported / PUBLIC).write_text(KEY.public.text)
    code, lines = verified(exported, capsys)
    assert (code, lines[-1]) == (1, "consistent, origin unproved: these heads do not name it yet")
    assert not any("log.jsonl: " in line for line in lines[1:]), "no fault is reported"
    of_it = msgspec.structs.replace(elsewhere, streams=(("table/one", 3, "ab" * 32),))
    (exported / "heads.jsonl").write_bytes(KEY.sign(of_it).body + b"\n")
    code, lines = verified(exported, capsys)
    assert (code, lines[-1]) == (1, "inconsistent")
    assert lines[-2].endswith("no signed head names a line of this history, and they name others of it")


@pytest.mark.parametrize(("named", "forged"), [("journal", True), ("journal2", False), ("account/ann", False)])
def test_an_account_stream_that_no_head_names_is_neither_proved_nor_called_forged(
    named: str, forged: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story(store: Store) -> None:
        await Journal(store).note(ServerStopped(by="server", at=1, process="one"))
        with (tmp_path / "log.jsonl").open("wb") as log:
            await export_stream(store, "journal", log)

    run(SqliteDatabase(tmp_path / "data"), story)
    head = KEY.sign(HeadStatement(server_id="h", number=1, at=1, previous="", streams=((named, 1, "ab" * 32),)))
    (tmp_path / "heads.jsonl").write_bytes(head.body + b"\n")
    (tmp_path / "crossfelt.pub").write_text(KEY.public.text)
    files = [tmp_path / "log.jsonl", "--key", tmp_path / "crossfelt.pub", "--head", tmp_path / "heads.jsonl"]
    assert crossfelt(["verify", "--json", *map(str, files)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["fault"] is not None, report["verdict"]) == (forged, INCONSISTENT if forged else NOT_YET)
    assert crossfelt(["verify", str(tmp_path / "log.jsonl")]) == 0, "without --key no proof is required"


def test_a_disputed_round_without_a_signed_head_is_no_proof(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [exported / "log.jsonl", "--round", 1, "--key", exported / PUBLIC, "--head", exported / "heads.jsonl"]
    order = ["dispute", *map(str, files)]
    assert crossfelt(order) == 0
    assert "signed     by head 1, which covers row" in capsys.readouterr().out
    head = KEY.sign(HeadStatement(server_id="h", number=1, at=1, previous="", streams=(("table/other", 1, "ab" * 32),)))
    (exported / "heads.jsonl").write_bytes(head.body + b"\n")
    (exported / PUBLIC).write_text(KEY.public.text)
    assert crossfelt(order) == 1
    assert "signed     not yet: no signed head names a row from this round on" in capsys.readouterr().out
    assert crossfelt(order[:4]) == 0, "without --key no proof is required"


def _cut(log: Path, rows: int) -> None:
    """Replace a history by one that ends early, with a valid end line."""
    driver = played()
    log.unlink()
    with HistoryWriter.create(log, "one", driver.table.game) as history:
        for row in driver.lived[:rows]:
            history.append(row.command, row.events)


def test_missing_rows_that_were_signed_later_are_found(exported: Path, tmp_path: Path) -> None:
    """An earlier head names a line of the cut history, and a later one names a missing line."""
    driver = played()

    async def story(store: Store) -> None:
        stream = "table/one"
        await write_table(store, driver)
        head = (await store.streams(stream))[0]
        early = (await store.rows(stream, 4, 1))[0]
        first = KEY.sign(HeadStatement(server_id="h", number=1, at=1, previous="", streams=((stream, 5, early.hash),)))
        second = KEY.sign(
            HeadStatement(server_id="h", number=2, at=2, previous=first.hash, streams=((stream, head.seq, head.hash),))
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
        ([(3, "a3")], "consistent, signed by the server up to row 3 of 6", False),
        ([(6, "a6"), (9, "a9")], "consistent, signed by the server; it continues to row 9 at least", False),
        ([(9, "a9")], NOT_YET, False),
        ([(3, "a3"), (5, "b5"), (9, "a9")], INCONSISTENT, True),
        ([(5, "b5"), (9, "a9")], INCONSISTENT, True),
    ],
)
def test_a_history_that_goes_on_is_compared_up_to_its_end(
    named: list[tuple[int, str]], verdict: str, wrong: bool
) -> None:
    heads: list[SignedStatement] = []
    for number, (seq, digest) in enumerate(named, start=1):
        previous = heads[-1].hash if heads else ""
        streams = (("table/one", seq, digest),)
        heads.append(KEY.sign(HeadStatement(server_id="h", number=number, at=1, previous=previous, streams=streams)))
    origin = Origin(heads, KEY.public)
    for seq in range(1, 7):
        origin.see(seq, f"a{seq}")
    told, fault = origin.verdict(6, "table/one", goes_on=True)
    assert (told, fault is not None) == (verdict, wrong)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--key", "crossfelt.pub"], "--head: missing; give it together with --key"),
        (["--head", "heads.jsonl"], "--key: missing; give it together with --head"),
        (["--key", "log.jsonl", "--head", "heads.jsonl"], "not a key"),
        (["--key", "none", "--head", "heads.jsonl"], "cannot be read"),
        (["--key", "crossfelt.pub", "--head", "log.jsonl"], "line 1: not a signed head"),
        (["--key", "crossfelt.pub", "--head", "none"], "cannot be read"),
    ],
)
def test_invalid_keys_and_heads_are_refused(
    options: list[str], told: str, exported: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(exported)
    assert crossfelt(["verify", "log.jsonl", *options]) == 2
    assert told in capsys.readouterr().err


def test_an_account_stream_is_exported_and_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, log, heads = tmp_path / "data", tmp_path / "ann.jsonl", tmp_path / "heads.jsonl"

    async def story(store: Store) -> None:
        accounts = Accounts(store, Journal(store), clock=lambda: 0)
        await accounts.guest("Ann")
        await Signer(store, signing_key(data), None, "test").sign()
        await accounts.deposit(Identity(account="ann", name="Ann", roles=()), "ann", 500)

    run(SqliteDatabase(data), story)
    assert crossfelt(["export", "--data", str(data)]) == 0
    assert capsys.readouterr().out == "account/ann  2 rows\n"
    assert crossfelt(["export", "account/ann", "--data", str(data), "--out", str(log)]) == 0
    assert crossfelt(["export", "heads", "--data", str(data), "--out", str(heads)]) == 0
    assert crossfelt(["export", "heads", "--data", str(data), "--out", str(heads)]) == 2, "no file is overwritten"
    assert crossfelt(["verify", str(log)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "consistent, origin unproved"
    signed = ["verify", str(log), "--key", str(data / PUBLIC), "--head", str(heads)]
    assert crossfelt(signed) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "consistent, signed by the server up to row 1 of 2"
    whole = log.read_bytes()
    for at in range(0, len(whole), 7):
        log.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert crossfelt(["verify", str(log)]) in (1, 2), at
    for at in range(0, len(whole) - 1, 11):
        log.write_bytes(whole[:at])
        assert crossfelt(["verify", str(log)]) in (1, 2), at
