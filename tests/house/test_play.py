"""Rounds at tables of a served house, over its real protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from crossfelt.proof.commitment import Commitment, Opening, verify
from crossfelt.rulebooks.loading import rulebook_ids
from house.serving import play_round, serving


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_guest_plays_rounds_beside_bots(rulebook: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            name = await guest.open_table(rulebook, pace="instant", bots=2)
            async with guest.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                numbers = [await play_round(table, 1) for _ in range(3)]
                assert numbers == [1, 2, 3]
                await table.until(lambda seen: len(seen.opened) == 3)
                for opened in table.opened:
                    commitment = Commitment(
                        root=opened["commitment"]["root"], labels=tuple(opened["commitment"]["labels"])
                    )
                    openings = [Opening(**{**told, "path": tuple(told["path"])}) for told in opened["openings"]]
                    assert openings
                    assert all(verify(commitment, opening) for opening in openings)

    asyncio.run(play())
