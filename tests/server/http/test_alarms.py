"""Alarms: an altered record stops its table; large awards, changed odds, failed log-ins and other software are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.server.core import commit
from crossfelt.server.core.errors import TableUnreadable
from crossfelt.server.journal import events as e
from crossfelt.server.journal.stream import JournalState, evolve
from server.audit.tampered_streams import tamper
from server.served import Served, owner_of, play_round, run, staff_of

TABLE = "nj-double-cross-1"


async def alarms_of(client: Client) -> list[dict[str, Any]]:
    return await client.get("/api/floor/alarms")  # type: ignore[no-any-return]


def test_a_table_whose_record_was_altered_stops_and_floor_and_audit_say_so(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, player = await owner_of(served), await served.guest("Ann")
        async with player.table(TABLE) as table:
            await table.give("take_seat", seat=1, chips_cents=100_00)
            await play_round(table, 1)
        await tamper(
            served.server.store,
            "update lines set body = replace(body, :old, :new) where seq = 3 and stream = "
            "(select id from streams where name = :name)",
            old='"at":1',
            new='"at":2',
            name=f"table/{TABLE}",
        )
        assert not (await owner.post("/api/audit/verify", {}))["sound"]
        with pytest.raises(TableUnreadable):
            served.server.pit.find(TABLE)
        status = await owner.get("/api/audit/status")
        assert status["stopped"] == [TABLE]
        assert (await owner.get("/api/floor"))["shut"] == [TABLE]
        assert [(it["kind"], it["subject"]) for it in await alarms_of(owner)] == [("record", f"table/{TABLE}")]

    run(tmp_path, story)


def test_a_large_payment_is_an_alarm_until_the_floor_has_seen_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit, "LARGE_CENTS", 0)  # so that every settlement is large, whatever the cards

    async def told(served: Served) -> None:
        owner, player = await owner_of(served), await served.guest("Ann")
        floor = await staff_of(served, owner, "Fay", "floor")
        auditor = await staff_of(served, owner, "Ali", "auditor")
        async with player.table(TABLE) as table:
            await table.give("take_seat", seat=1, chips_cents=100_00)
            await play_round(table, 1)
        found = await alarms_of(auditor)
        hired = {("log_in", "fay"), ("log_in", "ali")}
        assert {(it["kind"], it["subject"]) for it in found} - hired == {("award", TABLE)}
        with pytest.raises(BadInput, match="not for this role"):
            await auditor.post("/api/floor/alarms/acknowledgement", {"until": found[0]["at"]})
        assert await floor.post("/api/floor/alarms/acknowledgement", {"until": found[0]["at"]}) == []
        assert await alarms_of(auditor) == []

    run(tmp_path, told)


def test_failed_log_ins_and_other_software_are_alarms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens: list[str] = []

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        tokens.append(owner.token)
        for _ in range(20):
            with pytest.raises(BadInput):
                await Client(served.address).log_in("owner", "a wrong password")
        assert {it["kind"] for it in await alarms_of(owner)} == {"log_in"}

    run(tmp_path, story)
    monkeypatch.setattr("crossfelt.server.server.software_hash", lambda: "0" * 64)

    async def again(served: Served) -> None:
        await served.server.software_at(0)
        owner = Client(served.address, tokens[0])
        assert [it["kind"] for it in await alarms_of(owner)][:1] == ["software"]

    run(tmp_path, again)


def test_changed_odds_are_an_alarm() -> None:
    changing = e.TableChanging(by="b", at=1, proposed_by="a", approved_by="b", table="t", settings={"id": "t-r2"})
    opened = e.TableCreated(
        by="b", at=2, table="t-r2", rulebook="r", game_hash="", settings={"id": "t-r2", "submission": {"wagers": {}}}
    )
    removed = e.TableRemoved(by="b", at=2, table="t", successor="t-r2")
    state = evolve(evolve(evolve(JournalState(), changing), removed), opened)
    assert [alarm.what for alarm in state.alarms] == ["Rules changed, proposed by a, approved by b."]
    alone = evolve(JournalState(), opened)
    assert [(alarm.kind, alarm.subject) for alarm in alone.alarms] == [("odds", "t-r2")]
    private = e.TableCreated(
        by="b", at=2, table="p", rulebook="r", game_hash="", settings={"submission": {"wagers": {}}, "owner": "b"}
    )
    assert evolve(JournalState(), private).alarms == ()
