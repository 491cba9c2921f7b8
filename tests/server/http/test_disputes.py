"""A disputed round: replayed from every viewpoint, with its arithmetic, its record and a second settlement."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import urllib.request
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from crossfelt.cli.main import run as crossfelt
from crossfelt.client import Client
from crossfelt.play.round_result import result_of
from crossfelt.proof.history import read_row
from crossfelt.server.store.signing_key import PUBLIC
from crossfelt.table import events as e
from server.served import Served, owner_of, play_round, refused_with, run, staff_of

TABLES = ("nj-criss-cross", "nj-double-cross", "nj-pai-gow")


async def played(served: Served, rulebook: str, rounds: int = 2) -> str:
    """Play rounds at a private table with two bots, and sign a head after each; return the table's name."""
    ann = await served.guest(f"Ann {rulebook}")
    name = await ann.open_table(rulebook, pace="instant", bots=2)
    async with ann.table(name) as table:
        seat = next(seat["number"] for seat in table.view["seats"] if not seat["player"])
        assert (await table.give("take_seat", seat=seat, chips_cents=500_00)).accepted
        for _ in range(rounds):
            await play_round(table, seat)
            await served.server._signer.sign()
    return name


def page(client: Client, path: str) -> tuple[str, Any]:
    asked = urllib.request.Request(client.address + path, headers={"Authorization": f"Bearer {client.token}"})
    with urllib.request.urlopen(asked) as answer:
        return answer.read().decode(), answer.headers


async def events_of(served: Served, stream: str) -> list[e.Event]:
    rows = await served.server.store.rows(stream, 0)
    return [event for row in rows for event in read_row(row.body).events]


def empty_seat(seats: Collection[str]) -> int:
    """Return a seat at which no player played."""
    return next(seat for seat in range(1, 7) if str(seat) not in seats)


def shows(event: dict[str, Any]) -> bool:
    """Return whether an event turns a hand up."""
    exposed = bool(event.get("choice") and event.get("cards"))
    return exposed or event["event"] in ("hand_shown", "hands_exposed", "wheel_spun")


def test_a_replay_shows_each_viewpoint_what_it_saw_and_no_more(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ada = await staff_of(served, await owner_of(served), "Ada", "auditor")
        for rulebook in TABLES:
            name = await played(served, rulebook)
            listed = await ada.get(f"/api/tables/{name}/cases?text=ann")
            assert [it["round"] for it in listed["rounds"]] == [2, 1]
            events = await events_of(served, f"table/{name}")
            ends = [place for place, event in enumerate(events) if isinstance(event, e.RoundClosed)]
            starts = [place for place, event in enumerate(events) if isinstance(event, e.RoundOpened)]
            result = result_of(served.server.pit.find(name).table.game, events[starts[1] : ends[1] + 1])
            hands = dealt(events[starts[1] : ends[1]])
            places = [it["id"] for it in (await ada.get(f"/api/tables/{name}/rounds/2/replay"))["places"]]
            assert places[-4:] == ["spectator", "dealer", "floor", "auditor"]
            assert len(places) == 7
            for place in places:
                reply = await ada.get(f"/api/tables/{name}/rounds/2/replay?as={place}")
                assert reply["nets"] == {seat: each.net for seat, each in result.seats.items()}
                assert reply["verdict"] == {"unsettled": [], "complaints": [], "lines": reply["verdict"]["lines"]}
                assert reply["rows"]["finding"] == ""
                paid = [step["payment"] for step in reply["seen"]["steps"] if step["payment"]]
                assert all(payment["equal"] and payment["arithmetic"] and payment["clauses"] for payment in paid)
                secret = {card for seat, cards in hands.items() if place != f"seat{seat}" for card in cards}
                told_early = secret.intersection(re.findall(r'"([2-9TJQKA][shdc]|Jk)"', early_part(reply["seen"])))
                assert told_early == (secret if place == "auditor" else set())
            with refused_with("round.unknown"):
                await ada.get(f"/api/tables/{name}/rounds/3/replay")
            with refused_with("place.unknown"):
                await ada.get(f"/api/tables/{name}/rounds/2/replay?as=seat{empty_seat(result.seats)}")

    run(tmp_path, story)


def dealt(events: list[e.Event]) -> dict[int, set[str]]:
    """Return the cards of each seat in a round."""
    hands: dict[int, set[str]] = {}
    for event in events:
        if isinstance(event, e.CardsDealt):
            for card in event.cards:
                if card.seat:
                    hands.setdefault(card.seat, set()).add(card.card.text)
    return hands


def early_part(seen: dict[str, Any]) -> str:
    """Return what a viewpoint is sent of a deal before the first hand is turned up."""
    kinds = [{event["event"] for event in step["events"]} for step in seen["steps"]]
    first = next(place for place, found in enumerate(kinds) if "cards_dealt" in found)
    last = next(place for place, step in enumerate(seen["steps"]) if any(map(shows, step["events"])))
    assert last > first + 2
    return json.dumps(seen["steps"][first:last])


def test_the_report_is_an_inert_document_and_the_command_prints_the_same(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ada = await staff_of(served, await owner_of(served), "Ada", "auditor")
        name = await played(served, "nj-criss-cross")
        listed = (await ada.get(f"/api/tables/{name}/cases"))["rounds"][-1]
        seat = next(int(seat) for seat, player in listed["players"].items() if player.startswith("Ann"))
        path = f"/api/tables/{name}/rounds/1/dispute?seat={seat}"
        text, headers = await asyncio.to_thread(page, ada, path)
        assert "sandbox" in headers["Content-Security-Policy"]
        assert "script" not in headers["Content-Security-Policy"]
        assert headers["Content-Type"].startswith("text/html")
        assert (await asyncio.to_thread(page, ada, path))[0] == text
        assert "attachment" in (await asyncio.to_thread(page, ada, f"{path}&download=true"))[1]["Content-Disposition"]
        noted = (await ada.get("/api/audit/entries?kind=dispute_reported&who=ada"))["entries"]
        assert len(noted) == 3
        assert noted[0]["table"] == name
        history, heads, made = tmp_path / "history.jsonl", tmp_path / "heads.jsonl", tmp_path / "page.html"
        history.write_text((await asyncio.to_thread(page, ada, f"/api/tables/{name}/history"))[0])
        heads.write_text((await asyncio.to_thread(page, ada, "/api/audit/heads"))[0])
        order = ["dispute", str(history), "--round", "1", "--seat", str(seat), "--out", str(made)]
        order += ["--key", str(tmp_path / PUBLIC), "--head", str(heads)]
        assert await asyncio.to_thread(crossfelt, order) == 0
        software = f", <code>{served.server.software}</code>"
        assert text.count(software) == 1
        assert made.read_text() == text.replace(software, "; its hash is in the server’s journal")
        with refused_with("seat.empty"):
            await ada.get(f"/api/tables/{name}/rounds/1/dispute?seat={empty_seat(listed['players'])}")

    run(tmp_path, story)


def test_a_round_names_its_software_though_the_hash_was_known_only_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report for a round of the first seconds named no software, or that of the process before."""
    played_round = threading.Event()

    def slow_hash() -> str:
        played_round.wait()
        return "5af7"

    monkeypatch.setattr("crossfelt.server.server.software_hash", slow_hash)

    async def story(served: Served) -> None:
        ada = await staff_of(served, await owner_of(served), "Ada", "auditor")
        name = await played(served, "nj-criss-cross")
        report = asyncio.create_task(asyncio.to_thread(page, ada, f"/api/tables/{name}/rounds/1/dispute"))
        await asyncio.sleep(0.05)
        played_round.set()
        assert "<code>5af7</code>" in (await report)[0]

    run(tmp_path, story)


def test_an_altered_row_shows_in_replay_report_and_check(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ada = await staff_of(served, await owner_of(served), "Ada", "auditor")
        name = await played(served, "nj-criss-cross")
        assert (await ada.post("/api/audit/verify", {}))["sound"]
        stream = f"table/{name}"
        rows = await served.server.store.rows(stream)
        row = next(row for row in rows if row.seq and b"no more bets" in row.body)
        altered = row.body.replace(b"no more bets", b"one more bet")
        statement = sa.text("UPDATE lines SET body = :body WHERE position = :position")
        values = {"body": altered, "position": row.position}
        await served.server.store._write(lambda page: page.connection.execute(statement, values))
        reply = await ada.get(f"/api/tables/{name}/rounds/1/replay?as=spectator")
        assert "was changed: its hash differs" in reply["rows"]["finding"]
        assert reply["rows"]["signed"] is None
        text, _ = await asyncio.to_thread(page, ada, f"/api/tables/{name}/rounds/1/dispute")
        assert "broken" in text
        assert not (await ada.post("/api/audit/verify", {}))["sound"]
        status = await ada.get("/api/audit/status")
        assert status["checked"]["findings"][0].startswith(stream)
        assert status["checking"] is None

    run(tmp_path, story)


def test_entries_are_found_by_person_kind_table_time_and_words_and_exported(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        ada = await staff_of(served, owner, "Ada", "auditor")
        await staff_of(served, owner, "Fay", "floor")
        for asked, kinds in (
            ("who=owner", {"roles_changed", "logged_in", "password_reset"}),
            ("kind=table_created&table=nj-pai-gow-1", {"table_created"}),
            ("text=fay+FLOOR", {"roles_changed"}),
            ("since=9000000000000", set()),
            ("until=1", set()),
        ):
            found = (await ada.get(f"/api/audit/entries?{asked}"))["entries"]
            assert {entry["kind"] for entry in found} == kinds, asked
        (fay,) = (await ada.get("/api/audit/entries?text=fay+floor"))["entries"]
        assert (fay["before"], fay["after"]) == ("player", "floor")
        reply = await ada.get("/api/audit/entries?limit=3")
        seen = [entry["seq"] for entry in reply["entries"]]
        while reply["next"] is not None:
            reply = await ada.get(f"/api/audit/entries?limit=3&before={reply['next']}")
            seen += [entry["seq"] for entry in reply["entries"]]
        assert seen == sorted(seen, reverse=True)
        assert seen[0] == (await served.server.store.head("journal")).seq
        table, headers = await asyncio.to_thread(page, ada, "/api/audit/entries.csv?kind=table_created")
        assert len(table.splitlines()) == 1 + 5
        assert headers["Content-Type"].startswith("text/csv")
        rounds = await ada.get("/api/audit/entries?stream=table/nj-criss-cross-1&kind=deck_shuffled")
        assert all("♠" not in entry["what"] for entry in rounds["entries"])
        assert (await ada.get("/api/audit/entries.json?kind=exported"))["entries"][0]["who"] == "ada"
        with refused_with("stream.secret"):
            await ada.get("/api/audit/entries?stream=seal/nj-criss-cross-1")
        assert not [it for it in await ada.get("/api/audit/streams") if it["stream"].startswith("seal/")]

    run(tmp_path, story)
