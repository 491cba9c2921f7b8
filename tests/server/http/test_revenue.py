"""Handle, hold and theoretical win of played rounds; meters with their accounts."""

from __future__ import annotations

import asyncio
import csv
import io
import math
import urllib.request
from collections.abc import Sequence
from itertools import filterfalse
from pathlib import Path
from typing import cast

import pytest
import sqlalchemy as sa

from crossfelt.analysis import solve
from crossfelt.analysis.wager_figures import WHOLE
from crossfelt.errors import BadInput
from crossfelt.money import dollars
from crossfelt.proof.hash_chain import hash_of
from crossfelt.proof.history import HistoryWriter
from crossfelt.server.core.errors import Unreadable
from crossfelt.server.core.revenue import Revenue
from crossfelt.server.http.routes.revenue import COLUMNS
from crossfelt.server.store.interface import Head, Stored, Unavailable
from crossfelt.server.store.sql_store import Store
from crossfelt.table import events as e
from server.recorded_rounds import played
from server.served import Served, owner_of, play_round, refused_with, run, serving, staff_of
from server.submission_drafts import change_rules

TABLE = "nj-criss-cross-1"
ROUNDS = 3
LET_IT_RIDE = "examples/rulebooks/let-it-ride.toml"
THREE_CARD_POKER = "examples/rulebooks/three-card-poker.toml"
SPIN_CENTS = 5_00


class AlteredStore:
    """A store whose only line is no header of a table."""

    async def rows(self, stream: str, after: int, _: int) -> list[Stored]:
        line = Stored(position=1, stream=stream, seq=0, command_id="", at=0, body=b"{}", hash="", fence=0)
        return [line] if after < line.seq else []


class AwayStore:
    async def rows(self, *_: object) -> list[Stored]:
        raise Unavailable("the database is away")


def test_a_failed_count_leaves_no_partial_count_behind() -> None:
    async def story() -> None:
        takings = Revenue(cast("Store", AlteredStore()))
        for _ in range(2):
            with pytest.raises(Unreadable):
                await takings.of("table/one")
        with pytest.raises(Unavailable):
            await Revenue(cast("Store", AwayStore())).of("table/one")

    asyncio.run(story())


class GrowingStore:
    """A store of a table that is still played."""

    def __init__(self, history: bytes) -> None:
        self._lines = [
            Stored(position=0, stream="one", seq=seq, command_id="", at=0, body=line, hash=hash_of(line, seq), fence=0)
            for seq, line in enumerate(history.splitlines()[:-1])
        ]
        self.there = 0

    async def head(self, _: str) -> Head:
        return Head(min(self.there, len(self._lines)) - 1, "")

    async def rows(self, _: str, after: int, limit: int) -> Sequence[Stored]:
        return self._lines[after + 1 : min(self.there, after + 1 + limit)]


def test_a_count_stays_unchanged_while_another_request_counts_further() -> None:
    """A request waits for the theoretical figures in between."""
    driver, written = played(3), io.BytesIO()
    with HistoryWriter(written, "one", driver.table.game) as history:
        for row in driver.lived:
            history.append(row.command, row.events)

    async def story() -> None:
        growing = GrowingStore(written.getvalue())
        takings = Revenue(cast("Store", growing))
        growing.there = 1
        while not (first := await takings.of("table/one")).rounds:
            growing.there += 1
        seen = (first.seq, first.point(1), list(first.points))
        growing.there = 10_000
        assert (await takings.of("table/one")).rounds > first.rounds == 1
        assert (first.seq, first.point(1), list(first.points)) == seen

    asyncio.run(story())


def test_hold_is_what_players_lost_and_theory_is_the_exact_solution(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, guest = await owner_of(served), await served.guest("Paul")
        before = (await owner.get("/api/floor/meters"))[-1]
        async with guest.table(TABLE) as table:
            await table.give("take_seat", seat=3, chips_cents=900_00)
            for _ in range(ROUNDS):
                await play_round(table, 3, five_card_bonus=200, bonus_spin=SPIN_CENTS)
            await table.give("leave_seat", seat=3)
        reply = await owner.get(f"/api/tables/{TABLE}/figures")
        rounds = await owner.get(f"/api/tables/{TABLE}/rounds")
        assert reply["rounds"] == len(rounds) == ROUNDS
        assert reply["whole"]["hold_cents"] == -sum(sum(it["net_cents"].values()) for it in rounds)
        wagers = {wager["wager"]: wager for wager in reply["wagers"]}
        assert wagers["five_card_bonus"]["handle_cents"] == ROUNDS * 200
        solution = solve("nj-criss-cross")
        bonus = solution.side_bets["five_card_bonus"]
        assert wagers["five_card_bonus"]["theory_cents"] == pytest.approx(float(bonus.house_edge) * ROUNDS * 200)
        assert wagers["five_card_bonus"]["deviation_cents"] == pytest.approx(
            200 * math.sqrt(ROUNDS * bonus.distribution.variance)
        )
        of_the_game = sum(wagers[name]["theory_cents"] for name in solution.by_wager())
        assert of_the_game == pytest.approx(-float(solution.ev) * ROUNDS * 500)
        beside = wagers["five_card_bonus"]["theory_cents"] + wagers["bonus_spin"]["theory_cents"]
        assert reply["whole"]["theory_cents"] == pytest.approx(of_the_game + beside)
        assert f"up to an ante of {dollars(solution.holds_to_cents or 0)}" in reply["limited"]
        assert "takes up to $500." in reply["limited"]
        assert [moment["round"] for moment in reply["course"]] == [it["round"] for it in reversed(rounds)]

        meters = {meter["meter"]: meter for meter in await owner.get("/api/floor/meters")}
        spin = meters["nj-criss-cross/bonus_spin"]
        assert before["findings"] == []
        assert spin["findings"] == []
        share = spin["parameters"]["rate_per_million"] * ROUNDS * SPIN_CENTS
        contributed = next(it["dollars"] for it in spin["postings"] if it["title"] == "Contributions from wagers")
        assert float(contributed.strip("$")) == pytest.approx(share / 1e8)
        assert TABLE in spin["tables"]

        pit = served.server.pit
        assert await change_rules(pit, TABLE, {})
        text = await asyncio.to_thread(_csv, served, owner.token)
        assert "-0.00" not in text
        rows = list(csv.DictReader(io.StringIO(text)))
        whole, again = [row for row in rows if row["table"].startswith(TABLE) and row["wager"] == "all"]
        assert (again["table"], again["handle"], again["hold"]) == (f"{TABLE}-r2", "0.00", "0.00")
        assert len(rows) == len({(row["table"], row["wager"]) for row in rows})
        assert {row["table"] for row in rows} == {*pit.settings, TABLE}
        assert float(whole["hold"]) * 100 == pytest.approx(reply["whole"]["hold_cents"])
        assert float(whole["low_3sd"]) < float(whole["theoretical_win"]) < float(whole["high_3sd"])
        pit.unreadable.add("md-criss-cross-1")
        text = await asyncio.to_thread(_csv, served, owner.token)
        still = {**whole, "state": "closed"}
        rows = list(csv.DictReader(io.StringIO(text)))
        assert next(row for row in rows if row["table"] == TABLE) == still
        known = {table["id"]: table["state"] for table in (await owner.get("/api/floor"))["known"]}
        assert {row["table"]: row["state"] for row in rows} == known | {"md-criss-cross-1": "shut"}
        assert known[TABLE] == "closed"
        assert (await owner.get(f"/api/tables/{TABLE}/figures")) == reply | {"state": "closed"}

        altered = "update lines set body = '{}' where seq = 2 and stream = (select id from streams where name = :name)"
        store, name = served.server.store, {"name": f"table/{TABLE}"}
        await store._write(lambda page: page.connection.execute(sa.text(altered), name))
        served.server.revenue = Revenue(store)
        text = await asyncio.to_thread(_csv, served, owner.token)
        now = list(csv.DictReader(io.StringIO(text)))
        named = {**{name: whole[name] for name in ("table", "rulebook")}, "state": "shut"}
        assert [*filter(_first, now)] == [{**dict.fromkeys(COLUMNS, ""), **named}]
        assert [*filterfalse(_first, now)] == [*filterfalse(_first, rows)]
        with pytest.raises(BadInput, match="its rows cannot be read"):
            await owner.get(f"/api/tables/{TABLE}/figures")
        for path in (f"/api/tables/{TABLE}/figures", "/api/floor/meters"):
            with pytest.raises(BadInput, match="not for this role"):
                await guest.get(path)

    async def run() -> None:
        async with serving(tmp_path) as served:
            await story(served)

    asyncio.run(run())


def _first(row: dict[str, str]) -> bool:
    return row["table"] == TABLE


def _csv(served: Served, token: str) -> str:
    asked = urllib.request.Request(f"{served.address}/api/figures", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(asked) as answer:
        assert answer.headers["content-type"].startswith("text/csv")
        text: str = answer.read().decode()
        return text


def test_a_day_has_handle_win_theory_fills_and_credits_by_shift(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, guest = await owner_of(served), await served.guest("Paul")
        floor = await staff_of(served, owner, "Fay", "floor")
        async with floor.table(TABLE, "floor") as table:
            assert (await table.give("record_fill", cents=300_00)).accepted
            assert (await table.give("record_credit", cents=100_00)).accepted
        async with guest.table(TABLE) as table:
            await table.give("take_seat", seat=3, chips_cents=900_00)
            await play_round(table, 3)
        day = await owner.get("/api/figures/day")
        whole = await owner.get(f"/api/tables/{TABLE}/figures")
        assert [shift["title"] for shift in day["shifts"]] == ["06:00 to 14:00", "14:00 to 22:00", "22:00 to 06:00"]
        total = day["whole"]["total"]
        assert total["rounds"] == 1
        assert (total["drop_cents"], total["fills_cents"], total["credits_cents"]) == (900_00, 300_00, 100_00)
        assert total["handle_cents"] == whole["whole"]["handle_cents"]
        assert total["win_cents"] == whole["whole"]["hold_cents"]
        assert total["theory_cents"] == pytest.approx(whole["whole"]["theory_cents"])
        assert sum(shift["total"]["win_cents"] for shift in day["shifts"]) == total["win_cents"]
        before = await owner.get("/api/figures/day?day=2020-02-29")
        assert before["whole"]["tables"] == []
        with refused_with("figures.day"):
            await owner.get("/api/figures/day?day=2026-02-30")
        asked = {"Authorization": f"Bearer {owner.token}"}
        got = urllib.request.Request(f"{served.address}/api/figures/day.csv", headers=asked)
        text = await asyncio.to_thread(lambda: urllib.request.urlopen(got).read().decode())
        last = list(csv.DictReader(io.StringIO(text)))[-1]
        assert (last["shift"], last["table"], last["fills"]) == ("Whole day", "all", "300.00")

    run(tmp_path, story)


def test_a_base_wager_that_is_taken_back_counts_for_theory() -> None:
    driver, written = played(3, book=LET_IT_RIDE), io.BytesIO()
    with HistoryWriter(written, "one", driver.table.game) as history:
        for row in driver.lived:
            history.append(row.command, row.events)
    growing = GrowingStore(written.getvalue())
    growing.there = 10_000
    count = asyncio.run(Revenue(cast("Store", growing)).of("table/one"))
    events = [event for row in driver.lived for event in row.events]
    assert any(isinstance(event, e.ChoiceMade) and event.cents for event in events), "no wager was taken back"
    base = driver.table.game.first_wagers[0].id
    assert count.takings[WHOLE].handle > count.takings[base].handle, "a wager that came back is no handle of its own"


def test_a_bonus_counts_in_the_hold_of_its_wager_as_in_its_theory() -> None:
    driver, written = played(60, book=THREE_CARD_POKER), io.BytesIO()
    with HistoryWriter(written, "one", driver.table.game) as history:
        for row in driver.lived:
            history.append(row.command, row.events)
    growing = GrowingStore(written.getvalue())
    growing.there = 100_000
    count = asyncio.run(Revenue(cast("Store", growing)).of("table/one"))
    events = [event for row in driver.lived for event in row.events]
    paid = sum(event.cents for event in events if isinstance(event, e.AwardPaid) and event.award == "ante_bonus")
    settled = [event for event in events if isinstance(event, e.WagerSettled) and event.wager == "ante"]
    folds = sum(isinstance(event, e.HandFolded) for event in events)
    assert paid, "no bonus was paid"
    assert "ante_bonus" not in count.takings
    lost = sum(event.stake - event.returned - event.paid for event in settled)
    ante = count.takings["ante"]
    assert ante.hold == lost + folds * ante.handle // ante.bets - paid
