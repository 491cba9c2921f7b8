"""The REST API, used as the pages use it."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest

from crossfelt.client import Client
from crossfelt.errors import BadInput
from crossfelt.proof.commitment import Commitment, WholeOpening, verify_whole
from crossfelt.proof.verify import verify
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.accounts.login_attempts import PER_ADDRESS, PER_NAME_AND_ADDRESS
from crossfelt.server.accounts.policy import ROUTES
from crossfelt.server.http.routes import accounts
from limits import WAIT_SECONDS
from server.account_fixtures import PASSWORD
from server.served import Served, owner_of, play_round, refused_with, run


def test_every_rulebook_has_a_table_in_the_lobby(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        stranger = Client(served.address)
        tables = await stranger.lobby()
        assert {table["rulebook"] for table in tables} == {
            "nj-criss-cross",
            "ma-criss-cross",
            "md-criss-cross",
            "nj-double-cross",
            "nj-pai-gow",
        }
        assert (await stranger.get("/api/me"))["name"] is None
        assert {game["rulebook"] for game in await stranger.get("/api/games")} == set(rulebook_ids())
        assert (await stranger.get("/api/games/nj-pai-gow"))["rulebook"] == "nj-pai-gow"
        assert (await stranger.get("/api/clauses/NJC-22"))["citation"] == "N.J.A.C. 13:69F-40.5(c)"
        with refused_with("clause.unknown"):
            await stranger.get("/api/clauses/NJC-999")
        with refused_with("policy.log_in"):
            await stranger.open_table("nj-criss-cross")

    run(tmp_path, story)


def test_unknown_paths_get_problems_or_a_page_that_says_so(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        paths = {re.sub(r"\{\w+\}", "1", route.partition(" ")[2]) for route in ROUTES}
        api = {path for path in paths if path.startswith("/api/")}
        nothing = {f"{path}/no/such" for path in api - {"/api/streams/1"}} | {"/api/no-such"}
        wrong = [*(("GET", path, 404) for path in nothing), *(("PATCH", path, 405) for path in api)]
        async with httpx.AsyncClient(base_url=served.address, timeout=WAIT_SECONDS) as client:
            for method, path, status in wrong:
                answer = await client.request(method, path, headers={"Accept": "text/html"})
                assert answer.status_code == status, (method, path)
                assert answer.json()["problems"][0]["code"] == f"http.{status}", (method, path)
            missing = await client.get("/no/such/page")
            assert (missing.status_code, missing.content) == (404, (await client.get("/")).content)
            assert missing.headers["content-type"].startswith("text/html")

    run(tmp_path, story)


def test_guesses_of_the_lan_code_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only people at other machines are asked for the code."""
    monkeypatch.setattr(accounts, "is_host", lambda request: False)

    async def story(served: Served) -> None:
        served.server.code = "c0de"
        assert await Client(served.address).post("/api/guests", {"code": "C0DE"})
        for _ in range(PER_ADDRESS.free):
            with refused_with("lan.code"):
                await Client(served.address).post("/api/guests", {"code": "0000"})
        with refused_with("account.throttled"):
            await Client(served.address).post("/api/guests", {"code": "c0de"})

    run(tmp_path, story)


def test_failed_log_ins_do_not_block_a_change_of_password(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        names = {"name": "Ann", "password": PASSWORD}
        ann, left_open = Client(served.address), Client(served.address)
        ann.token = (await ann.post("/api/accounts", names))["token"]
        left_open.token = (await left_open.post("/api/session", names))["token"]
        for _ in range(PER_NAME_AND_ADDRESS.free):
            with refused_with("account.credentials"):
                await Client(served.address).post("/api/session", {**names, "password": "a wrong password"})
            with refused_with("account.credentials"):
                await left_open.put("/api/me/password", {"old": "a wrong password", "new": "another password"})
        for asked in (
            Client(served.address).post("/api/session", names),
            left_open.put("/api/me/password", {"old": PASSWORD, "new": "another password"}),
        ):
            with refused_with("account.throttled"):
                await asked
        ann.token = (await ann.put("/api/me/password", {"old": PASSWORD, "new": "another password"}))["token"]
        assert (await ann.get("/api/me"))["name"] == "Ann"

    run(tmp_path, story)


def test_accounts_are_listed_in_pages(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        for name in ("Cy", "Ann", "Bob Lee"):
            await served.guest(name)
        pages = [await owner.get("/api/accounts?limit=3")]
        pages.append(await owner.get(f"/api/accounts?limit=3&after={pages[0][-1]['account']}"))
        reply = [[line["account"] for line in page] for page in pages]
        assert reply == [["ann", "bob lee", "cy"], ["owner"]]
        assert await owner.get("/api/accounts?after=owner") == []
        assert await owner.get("/api/accounts") == [*pages[0], *pages[1]]

    run(tmp_path, story)


def test_a_rulebook_name_cannot_read_files_of_the_server(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("id = 'own'")

    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        for path in ("/api/laboratory", "/api/tables", "/api/advice"):
            with refused_with("rulebook.unknown"):
                await guest.post(path, {"rulebook": str(own)})
        with refused_with("rulebook.unknown"):
            await guest.get("/api/games/own.toml")

    run(tmp_path / "data", story)


def test_chips_come_from_the_account_and_return_to_it(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        name = await guest.open_table("md-criss-cross", pace="instant")
        async with guest.table(name) as table:
            answer = await table.give("take_seat", seat=1, chips_cents=1_000_01)
            assert answer.problem is not None
            assert answer.problem["code"] == "account.amount"
            assert (await table.give("take_seat", seat=1, chips_cents=600_00)).accepted
            assert (await guest.get("/api/me"))["balance_cents"] == 400_00
            assert (await table.give("buy_chips", seat=1, cents=400_00)).accepted
            await play_round(table, 1)
            await table.until(lambda seen: seen.option("leave_seat"))
            chips = table.view["seats"][0]["chips_cents"]
            assert (await table.give("leave_seat", seat=1)).accepted
            assert (await guest.get("/api/me"))["balance_cents"] == chips

    run(tmp_path, story)


def test_a_typed_line_is_parsed_as_in_the_terminal(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        name = await guest.open_table("nj-criss-cross", pace="instant")
        async with guest.table(name) as table:
            await table.give("take_seat", seat=2, chips_cents=500_00)
            await table.until(lambda seen: seen.option("place_wagers"))
            meant = await guest.post("/api/type", {"table": name, "text": "ante 10 bonus 5"})
            wagers = {"ante_across": 1000, "ante_down": 1000, "five_card_bonus": 500}
            assert meant == {"command": {"command": "place_wagers", "seat": 2, "wagers": wagers}}
            assert (await guest.post("/api/type", {"table": name, "text": "pays"})) == {"ask": "pays"}
            assert (await guest.post("/api/type", {"table": name, "text": "bet 99x"}))["problem"]["code"]
            stranger = await served.guest("Bob")
            with refused_with("table.unknown"):
                await stranger.post("/api/type", {"table": name, "text": "fold"})
            with refused_with("seat.other"):
                await stranger.post("/api/type", {"table": "nj-criss-cross-1", "text": "fold"})

    run(tmp_path, story)


def test_each_player_gets_rounds_as_they_saw_them_and_histories_verify(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        owner = await owner_of(served)
        async with guest.table("nj-pai-gow-1") as table:
            await table.give("take_seat", seat=1, chips_cents=500_00)
            await play_round(table, 1)
        lines = await guest.get("/api/tables/nj-pai-gow-1/rounds?last=5")
        assert [line["round"] for line in lines] == [1]
        reply = await guest.get("/api/tables/nj-pai-gow-1/rounds/1")
        dealt = next(event for event in reply["events"] if event["event"] == "cards_dealt")
        assert {seat for seat, _, card in dealt["cards"] if card != "??"} == {1}
        commitment = Commitment(root=reply["commitment"]["root"], labels=tuple(reply["commitment"]["labels"]))
        assert reply["openings"] == []
        assert verify_whole(commitment, msgspec.convert(reply["opened"], WholeOpening))
        whole = await owner.get("/api/tables/nj-pai-gow-1/rounds/1")
        dealt = next(event for event in whole["events"] if event["event"] == "cards_dealt")
        assert all(card != "??" for _, _, card in dealt["cards"])
        with refused_with("policy.role"):
            await guest.get("/api/tables/nj-pai-gow-1/history")
        request = urllib.request.Request(
            f"{served.address}/api/tables/nj-pai-gow-1/history", headers={"Authorization": f"Bearer {owner.token}"}
        )
        file = tmp_path / "exported.jsonl"
        file.write_bytes(await asyncio.to_thread(lambda: urllib.request.urlopen(request).read()))
        report = verify(file)
        assert report.fault is None
        assert report.rounds == 1
        assert (await owner.post("/api/audit/verify", {}))["sound"]

    run(tmp_path, story)


def test_a_table_cannot_have_the_name_of_a_rulebook(tmp_path: Path) -> None:
    """Public tables share the meters of that name: a private table would feed them and win from them."""

    async def story(served: Served) -> None:
        owner = await owner_of(served)
        with refused_with("table.id"):
            await owner.open_table("nj-criss-cross", id="nj-criss-cross")
        with refused_with("table.id"):
            await owner.open_table("nj-pai-gow", id="nj-criss-cross", public=True)

    run(tmp_path, story)


def test_the_name_of_a_closed_table_is_not_used_again(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        asked = {"rulebook": "ma-criss-cross", "id": "pit-7", "public": True}
        await owner.post("/api/tables", asked)
        await owner.delete("/api/tables/pit-7")
        with pytest.raises(BadInput, match="its history keeps the name"):
            await owner.post("/api/tables", asked)

    run(tmp_path, story)


def test_malformed_and_cross_site_requests_get_a_problem(tmp_path: Path) -> None:
    """An Origin that cannot be read counts as another site."""

    async def story(served: Served) -> None:
        def refused(body: bytes, **headers: str) -> tuple[int, dict[str, Any]]:
            request = urllib.request.Request(f"{served.address}/api/guests", body, {"Content-Type": "application/json"})
            for name, value in headers.items():
                request.add_header(name, value)
            with pytest.raises(urllib.error.HTTPError) as error:
                urllib.request.urlopen(request)
            problem: dict[str, Any] = json.loads(error.value.read())["problems"][0]
            return error.value.code, problem

        assert await asyncio.to_thread(refused, b'{"name": 5}') == (
            400,
            {"code": "http.400", "what": "not text", "where": "name", "value": 5},
        )
        for body, kind, what in (
            (b'{"name": "\xff\xfeab"}', "application/json", "the body is not valid UTF-8"),
            (b'{"name": "Ann"}', "text/plain", "the body must be JSON"),
            (b'{"name": "Ann"', "application/json", "the body cannot be read"),
        ):
            status, problem = await asyncio.to_thread(partial(refused, body, **{"Content-Type": kind}))
            assert (status, problem["code"]) == (400, "http.400")
            assert problem["what"].startswith(what)
        assert served.faults == 0
        money = await served.guest("Bob")
        for cents in ("100", 1.5):
            with pytest.raises(BadInput, match=r"cents: not a whole number"):
                await money.post("/api/me/deposits", {"cents": cents})
        for name in ("0wner", "Floor 2", "Guest 123456"):
            status, problem = await asyncio.to_thread(refused, json.dumps({"name": name}).encode())
            assert (status, problem["code"]) == (422, "account.reserved")
        https = served.address.replace("http:", "https:")
        for origin in ("http://evil.example", "null", "http://[", https):
            status, problem = await asyncio.to_thread(partial(refused, b"{}", Origin=origin))
            assert (status, problem["code"]) == (403, "request.cross_site")
        with pytest.raises(BadInput, match="length <= 64"):
            await (await owner_of(served)).put(f"/api/accounts/{65 * 'a'}/roles", {"roles": ["player"]})
        for address in ("/api/games/%00", "/api/lobby?here=%00"):
            with pytest.raises(BadInput, match="contains a NUL character"):
                await Client(served.address).get(address)

    run(tmp_path, story)


SAYS: Final = {
    "host": (b"localhost", b"evil.example"),
    "origin": (b"http://localhost", b"http://evil.example"),
    "authorization": (b"Bearer a", b"Bearer b"),
}
UPGRADE: Final = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
)


@pytest.mark.parametrize("name", SAYS)
def test_a_request_with_a_repeated_header_is_refused(name: str, tmp_path: Path) -> None:
    """Whichever of the two values comes first."""

    async def story(served: Served) -> None:
        at = urllib.parse.urlsplit(served.address)

        async def asked(words: bytes, *said: bytes) -> bytes:
            reader, writer = await asyncio.open_connection(at.hostname, at.port)
            others = b"" if name == "host" else b"Host: localhost\r\n"
            said_so = b"".join(b"%b: %b\r\n" % (name.title().encode(), value) for value in said)
            writer.write(words[: (line := words.index(b"\n") + 1)] + others + said_so + words[line:] + b"\r\n")
            answer = await reader.readuntil(b"\r\n\r\n")
            if b"application/json" in answer:
                answer += await reader.readuntil(b"}")
            writer.close()
            return answer

        plain, live = b"GET /api/lobby HTTP/1.1\r\n", b"GET /api/tables/nj-criss-cross-1/live?as=spectator HTTP/1.1\r\n"
        right, other = SAYS[name]
        for both in (right, other), (other, right), (right, right):
            answer = await asked(plain, *both)
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert f"more than one {name} header" in answer.decode()
            assert b" 101 " not in await asked(live + UPGRADE, *both)
        assert (await asked(plain, right)).startswith(b"HTTP/1.1 200 ")
        assert b" 101 " in await asked(live + UPGRADE, right)

    run(tmp_path, story)


def test_a_fault_is_counted_and_the_client_learns_nothing_about_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(served: Served) -> None:
        ann = await served.guest("Ann")
        monkeypatch.setattr(served.server.accounts, "identify", lambda token: 1 // 0)
        with pytest.raises(BadInput) as refused:
            await ann.get("/api/me")
        problem = refused.value.problems[0]
        assert (problem.code, problem.what) == ("http.500", "an internal error: the server's log has the details")
        assert served.faults == 1

    run(tmp_path, story)


def test_advice_is_computed_in_another_process(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        asked = {"rulebook": "nj-criss-cross", "position": {"hole": "As Ah"}}
        assert (await guest.post("/api/advice", asked))["best"] == "3x"
        with pytest.raises(BadInput, match="nonsense"):
            await guest.post("/api/advice", {"rulebook": "nj-criss-cross", "position": {"nonsense": "As"}})

    run(tmp_path, story)


@pytest.mark.parametrize("command", [{"command": "fold"}, {"command": "bet", "cents": 500}], ids=["fold", "bet"])
def test_there_is_no_advice_on_a_decision_already_made(tmp_path: Path, command: dict[str, Any]) -> None:
    """A page asks when its player has to choose; a quick player decides before the question arrives."""

    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        name = await guest.open_table("nj-criss-cross", pace="instant", bots=0)
        async with guest.table(name) as table:
            for seat in (1, 2):
                assert (await table.give("take_seat", seat=seat, chips_cents=100_00)).accepted
            for seat in (1, 2):
                wagers = {"ante_across": 500, "ante_down": 500}
                assert (await table.give("place_wagers", seat=seat, wagers=wagers)).accepted
            await table.ready()
            await table.until(lambda seen: any(it["command"] == "fold" for it in seen.allowed))
            first, second = (1, 2) if any(it.get("seat") == 1 for it in table.allowed) else (2, 1)
            assert (await table.ask({**command, "seat": first})).accepted
            assert table.view["step"] == "decide_across"
            assert await guest.post("/api/advice", {"table": name, "seat": first}) is None
            assert (await guest.post("/api/advice", {"table": name, "seat": second}))["decision"] == "across"

    run(tmp_path, story)
