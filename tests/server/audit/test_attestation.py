"""The proof of one round: its rows are whole, and a signed head covers them."""

from __future__ import annotations

import pytest

from crossfelt.server.audit.attestation import check_rows
from crossfelt.server.store.sql_store import Store
from server.audit.tampered_streams import KEY, signer, talk, tamper
from server.databases import Database, run

FIRST, LAST = 4, 6


@pytest.mark.parametrize("missing", [(), (3,), (3, 4), (4,), (5,), (6,), (6, 7)], ids=str)
@pytest.mark.parametrize("heads", [0, 1])
def test_a_round_is_signed_only_with_all_its_rows(database: Database, missing: tuple[int, ...], heads: int) -> None:
    async def story(store: Store) -> None:
        await talk(store, "a", *"1234567")
        for _ in range(heads):
            await signer(store).sign()
        for seq in missing:
            await tamper(store, "delete from lines where seq = :seq", seq=seq)
        found = await check_rows(store, KEY.public, "a", FIRST, LAST, at=0)
        assert (found.finding == "") == (not missing)
        assert (found.signed is not None) == (heads > 0 and not missing)

    run(database, story)
