"""What a house does beside serving goes on when the database has been away."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crossfelt.house.store.port import Lease, Unavailable
from crossfelt.house.tables import pit as pits
from house.serving import pit_of


def test_leases_are_renewed_again_after_the_database_was_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pits, "LEASE_SECONDS", 0.04)

    async def story() -> None:
        async with pit_of(tmp_path) as pit:
            renew, asked, again = pit.store.renew, 0, asyncio.Event()

            async def away_at_first(lease: Lease, seconds: float) -> Lease | None:
                nonlocal asked
                asked += 1
                if asked <= 2:
                    raise Unavailable("the database is away")
                again.set()
                return await renew(lease, seconds)

            monkeypatch.setattr(pit.store, "renew", away_at_first)
            await pit.open()
            async with asyncio.timeout(30):
                await again.wait()

    asyncio.run(story())
