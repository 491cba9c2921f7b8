"""Rounds at the tables of a running server, over the WebSocket protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crossfelt.client import Disconnected
from crossfelt.proof.commitment import Commitment, WholeOpening, verify_whole
from crossfelt.server.ws.session import ClientSession
from limits import WAIT_SECONDS
from server.served import play_round, serving
from soak_length import one_of_each_game


@pytest.mark.parametrize("rulebook", one_of_each_game())
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
                    assert verify_whole(commitment, msgspec.convert(opened["opened"], WholeOpening))

    asyncio.run(play())


def test_a_player_who_reconnects_gets_every_row_and_the_proofs(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            name = await guest.open_table("ma-criss-cross", pace="instant")
            away = await guest.table(name).connect()
            await away.close()
            async with guest.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                number = await play_round(table, 1)
                await table.until(lambda seen: seen.opened)
                before, heard = away.seq, list[dict[str, Any]]()
                away.on_message = heard.append
                await away.connect()
                *rows, stands, last = heard
                assert [row["seq"] for row in rows] == list(range(before + 1, table.seq + 1))
                assert {it["type"] for it in (*rows, stands)} == {"happened"}
                assert stands["events"] == []
                assert {"allowed", "meters", "deadline", "ready", "held", "commitment"} <= stands.keys()
                assert (last["type"], last["seq"], away.view) == ("resumed", table.seq, table.view)
                proofs = await guest.get(f"/api/tables/{name}/rounds/{number}")
                assert {**proofs, **table.opened[0], "type": "opened"} == {**proofs, "type": "opened"}
                await away.close()

    asyncio.run(play())


@pytest.mark.parametrize("where", ["_answer", "_reject"])
def test_a_fault_ends_the_connection_it_happens_at_and_no_table(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exception is raised while the table's task answers, or while the server refuses a malformed message."""

    def fault(*_: Any, **__: Any) -> None:
        raise AssertionError("a fault")

    async def play() -> None:
        async with serving(tmp_path) as served, asyncio.timeout(WAIT_SECONDS):
            ann, bob = await served.guest("Ann"), await served.guest("Bob")
            async with bob.table("nj-criss-cross-1") as other:
                async with ann.table("nj-criss-cross-1") as table:
                    assert table.connection is not None
                    with monkeypatch.context() as patched:
                        patched.setattr(ClientSession, where, fault)
                        if where == "_reject":
                            await table.connection.send("nonsense")
                        with pytest.raises(Disconnected):
                            await table.give("take_seat", seat=1, chips_cents=500_00)
                assert served.faults == 0
                assert (await other.give("take_seat", seat=2, chips_cents=500_00)).accepted
            while served.server.connection_limiter.connected:
                await asyncio.sleep(0.005)

    asyncio.run(play())


@pytest.mark.clause("PGP-15", "PGP-17", "PGP-21", "PGP-27")
def test_awards_are_drawn_claimed_and_paid_on_the_server(tmp_path: Path) -> None:
    """With an award in every round, one commit holds two claims and the meter's answers; the draws were sealed."""
    always = {"lucky_player_per_million": 1_000_000, "lucky_dealer_per_million": 1_000_000}

    async def play() -> None:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            submission = {"wagers": {"progressive": always}}
            name = await guest.open_table("nj-pai-gow", pace="instant", submission=submission)
            async with guest.table(name) as table:
                assert (await table.give("take_seat", seat=2, chips_cents=500_00)).accepted
                before = table.meters["pai_gow"]["amount_cents"]
                await play_round(table, 2, progressive_player=2_00, progressive_dealer=1_00)
                await table.until(lambda seen: len(seen.opened) == 1)
                paid = [event for event in table.events if event["event"] == "award_paid"]
                lucky = {event["award"]: event["cents"] for event in paid if event["award"] != "magic_card"}
                assert lucky == {"lucky_player": 10_00, "lucky_dealer": 5_00}
                won = [event["paid"] for event in table.events if event.get("source") and "paid" in event]
                out = sum(won) + sum(event["cents"] for event in paid)
                # The meter stood at its reset amount: it pays what the credits added, and the tray pays the rest.
                assert out >= 15_00
                assert table.meters["pai_gow"]["amount_cents"] == before
                assert table.opened[0]["commitment"]["labels"][-1] == "devices"

    asyncio.run(play())
