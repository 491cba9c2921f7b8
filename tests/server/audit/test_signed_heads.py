"""The signing key of a server, and its signed heads."""

from __future__ import annotations

from pathlib import Path

import pytest

from crossfelt.errors import BadInput
from crossfelt.proof.signed_heads import SigningKey, decode_head, read_heads
from crossfelt.server.audit.integrity import IntegrityChecker
from crossfelt.server.audit.signed_heads import Signer, outside_file
from crossfelt.server.store.interface import FenceLost
from crossfelt.server.store.signing_key import PRIVATE, PUBLIC, signing_key
from crossfelt.server.store.sql_store import Store
from server.audit.tampered_streams import KEY, signer, talk
from server.databases import Database, run


def test_heads_name_the_streams_that_grew_and_form_a_chain(database: Database, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere" / "heads.jsonl"

    async def story(store: Store) -> None:
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
        assert (await IntegrityChecker(store, KEY.public, outside).everything()).sound
        assert [head.body for head in read_heads(outside)] == [head.body for head in await store.signed_heads()]
        assert await Signer(store, KEY, None, "another").sign() is None, "one process signs at a time"

    run(database, story)


def test_a_process_with_another_key_cannot_join_a_running_server(database: Database) -> None:
    """This holds before the first head too. A new key may replace a lost one when no process runs."""

    async def story(store: Store) -> None:
        first, other = signer(store), Signer(store, SigningKey.new(), None, "other")
        await first.claim()
        await Signer(store, KEY, None, "of the same server").claim()
        with pytest.raises(BadInput, match="another key"):
            await other.claim()
        await first.release()
        await other.claim()
        with pytest.raises(BadInput, match="another key"):
            await first.claim()

    run(database, story)


def test_a_suspended_process_stops_signing_when_another_key_has_taken_over(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its lease was taken over. The new key could not check what it would sign now."""

    async def story(store: Store) -> None:
        first, other = signer(store), Signer(store, SigningKey.new(), None, "other")
        await first.claim()
        monkeypatch.setattr("crossfelt.server.audit.signed_heads._LEASE_SECONDS", -1)  # as if it were suspended
        await talk(store, "a", "one")
        assert await first.sign() is not None
        monkeypatch.undo()
        await other.claim()
        await talk(store, "a", "two")
        assert await other.sign() is not None
        await other.release()
        await talk(store, "a", "three")
        assert [await first.sign() for _ in range(3)] == [None, None, None]
        assert len([it for it in caplog.records if "signs with another key" in it.getMessage()]) == 1
        assert await other.sign() is not None, "the other process still signs"

    run(database, story)


def test_nothing_is_signed_under_a_lease_that_has_passed_on(database: Database) -> None:
    async def story(store: Store) -> None:
        lease = await store.lease("heads", "one", 60)
        assert lease is not None
        await store.release(lease)
        await store.lease("heads", "other", 60)
        await talk(store, "a", "one")
        with pytest.raises(FenceLost):
            await store.sign(lambda last, moved: b"{}", lease)
        assert await store.last_head() is None

    run(database, story)


def test_the_key_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    key = signing_key(tmp_path)
    assert signing_key(tmp_path).public.text == key.public.text
    assert (tmp_path / PRIVATE).stat().st_mode & 0o077 == 0
    (tmp_path / PRIVATE).write_text("nonsense")
    with pytest.raises(BadInput):
        signing_key(tmp_path)


def test_a_lost_key_is_not_replaced(tmp_path: Path) -> None:
    signing_key(tmp_path)
    (tmp_path / PRIVATE).unlink()
    with pytest.raises(BadInput, match="is missing"):
        signing_key(tmp_path)
    assert not (tmp_path / PRIVATE).exists()
    (tmp_path / PRIVATE).write_bytes(SigningKey.new().pem)
    with pytest.raises(BadInput, match="is not the private key"):
        signing_key(tmp_path)
    (tmp_path / PUBLIC).unlink()
    signing_key(tmp_path)


def test_heads_are_kept_outside_the_data_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert outside_file("h1") == tmp_path / "crossfelt" / "h1.heads.jsonl"
