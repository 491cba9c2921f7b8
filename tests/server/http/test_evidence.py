"""The auditor's tools: one search over all streams, a sample of rounds, evidence packs; the floor's last rounds."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from crossfelt.cli.main import app
from crossfelt.client import Client
from crossfelt.server.http.routes import disputes
from limits import WAIT_SECONDS
from server.served import Served, owner_of, play_round, refused_with, run, staff_of

TABLE = "nj-double-cross-1"


async def two_rounds(served: Served, player: Client) -> None:
    async with player.table(TABLE) as table:
        await table.give("take_seat", seat=1, chips_cents=100_00)
        await play_round(table, 1)
        await served.server._signer.sign()
        await play_round(table, 1)
        await table.give("leave_seat", seat=1)
    await served.server._signer.sign()


async def download(client: Client, path: str, to: Path) -> Path:
    async with httpx.AsyncClient(timeout=WAIT_SECONDS) as http:
        got = await http.get(client.address + path, headers={"Authorization": f"Bearer {client.token}"})
    assert got.status_code == 200, got.text
    to.write_bytes(got.content)
    return to


def test_one_search_finds_acts_in_every_stream(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        floor = await staff_of(served, owner, "Fay", "floor")
        await floor.post("/api/accounts/ann/deposits", {"cents": 12_300, "reason": "a gift"})
        await two_rounds(served, ann)
        every = await owner.get("/api/audit/entries?stream=*&limit=200")
        assert {"journal", "account/ann", f"table/{TABLE}"} <= {it["stream"] for it in every["entries"]}
        assert not any(it["stream"].startswith("seal/") for it in every["entries"])
        notable = await owner.get("/api/audit/entries?stream=*&rounds=false&limit=200")
        assert "cards_dealt" not in {it["kind"] for it in notable["entries"]}
        (gift,) = (await owner.get("/api/audit/entries?stream=*&text=gift"))["entries"]
        assert (gift["stream"], gift["who"]) == ("account/ann", "Fay")
        first = await owner.get("/api/audit/entries?stream=*&limit=1")
        older = await owner.get(f"/api/audit/entries?stream=*&limit=200&before={first['next']}")
        seen = [(it["stream"], it["seq"], it["number"], it["kind"]) for it in (*first["entries"], *older["entries"])]
        assert len(seen) == len(set(seen))
        until = gift["at"] - 1
        before = await owner.get(f"/api/audit/entries?stream=*&limit=200&until={until}")
        assert max(it["at"] for it in before["entries"]) <= until

    run(tmp_path, story)


def test_a_sample_of_rounds_can_be_drawn_again(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        await two_rounds(served, ann)
        one = await owner.get("/api/audit/sample?seed=november&size=1")
        assert one["population"] == 2
        assert one == await owner.get("/api/audit/sample?seed=november&size=1")
        both = await owner.get("/api/audit/sample?seed=november")
        assert sorted(it["round"] for it in both["rounds"]) == [1, 2]
        assert both["rounds"][0] == one["rounds"][0]
        at = both["rounds"][0]["at"]
        assert (await owner.get(f"/api/audit/sample?seed=x&until={at - 1_000_000}"))["population"] == 0

    run(tmp_path, story)


def test_a_day_and_a_dispute_are_packs_that_verify_offline(tmp_path: Path) -> None:
    packs: list[Path] = []
    key = tmp_path / "crossfelt.pub"

    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        await two_rounds(served, ann)
        key.write_text(served.server.key.text)
        packs.append(await download(owner, "/api/audit/evidence", tmp_path / "day.zip"))
        round_one = f"/api/audit/evidence?table={TABLE}&round=1"
        packs.append(await download(owner, round_one, tmp_path / "dispute.zip"))

    run(tmp_path / "data", story)
    for pack in packs:
        answer = CliRunner().invoke(app, ["verify", str(pack)])
        assert answer.exit_code == 0, answer.output
        assert f"table/{TABLE}: consistent, signed by the server" in answer.output
        assert "seal/" not in answer.output
        assert answer.output.splitlines()[-1] == "consistent, origin unproved"
        answer = CliRunner().invoke(app, ["verify", str(pack), "--key", str(key)])
        assert answer.output.splitlines()[-1] == "consistent, signed by the server"
    with zipfile.ZipFile(packs[0]) as day:
        assert {"entries.csv", "README.txt"} <= set(day.namelist())
    altered = tmp_path / "altered.zip"
    with zipfile.ZipFile(packs[1]) as good, zipfile.ZipFile(altered, "w") as bad:
        assert "dispute.html" in good.namelist()
        for name in good.namelist():
            content = good.read(name)
            bad.writestr(name, content.replace(b'"seat":1', b'"seat":2', 1) if TABLE in name else content)
    answer = CliRunner().invoke(app, ["verify", str(altered)])
    assert answer.exit_code == 1
    assert f"streams/table/{TABLE}.jsonl was changed" in answer.output
    assert "inconsistent" in answer.output
    forgeries: tuple[Callable[[dict[str, bytes]], None], ...] = (_rename_ann, _leave_out_accounts)
    for forge in forgeries:
        forged = _forged(packs[0], tmp_path / f"{forge.__name__}.zip", forge)
        answer = CliRunner().invoke(app, ["verify", str(forged), "--key", str(key)])
        assert answer.exit_code == 1, answer.output
        assert "SHA256SUMS was not signed with this key" in answer.output


def _rename_ann(files: dict[str, bytes]) -> None:
    assert b"Ann" in files["entries.csv"]
    files["entries.csv"] = files["entries.csv"].replace(b"Ann", b"Bob")


def _leave_out_accounts(files: dict[str, bytes]) -> None:
    accounts = [name for name in files if name.startswith("streams/account/")]
    assert accounts
    for name in accounts:
        del files[name]


def _forged(pack: Path, to: Path, forge: Callable[[dict[str, bytes]], None]) -> Path:
    """Write a pack with other files, and the right hash of each."""
    with zipfile.ZipFile(pack) as good:
        files = {name: good.read(name) for name in good.namelist()}
    forge(files)
    hashed = {name: content for name, content in files.items() if not name.startswith("SHA256SUMS")}
    sums = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in hashed.items()]
    with zipfile.ZipFile(to, "w") as bad:
        for name, content in {**files, "SHA256SUMS": "".join(sums).encode()}.items():
            bad.writestr(name, content)
    return to


def test_the_floor_sees_the_last_rounds_of_public_tables_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disputes, "RECALLED", 1)

    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        floor = await staff_of(served, owner, "Fay", "floor")
        await two_rounds(served, ann)
        assert [it["round"] for it in (await floor.get(f"/api/tables/{TABLE}/cases"))["rounds"]] == [2]
        replayed = await floor.get(f"/api/tables/{TABLE}/rounds/2/replay")
        assert (replayed["earlier"], replayed["later"]) == (None, None)
        with refused_with("round.old"):
            await floor.get(f"/api/tables/{TABLE}/rounds/1/replay")
        private = await ann.open_table("nj-pai-gow", pace="instant")
        with refused_with("table.unknown"):
            await floor.get(f"/api/tables/{private}/cases")

    run(tmp_path, story)
