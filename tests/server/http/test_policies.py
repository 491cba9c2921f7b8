"""No person acts outside their role: every route and every role, and every command at a table."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.request
from collections import defaultdict
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple, get_args

import httpx
import pytest

from crossfelt.client import Client, Disconnected
from crossfelt.server.accounts.account import ROLES
from crossfelt.server.accounts.policy import ROUTES, comes_to_table_of, sees_table_of
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.app import create_app
from crossfelt.server.http.middleware.auth import routes_of
from crossfelt.server.journal.events import Withheld
from crossfelt.server.journal.stream import Journal
from crossfelt.server.server import Server
from crossfelt.server.store.factory import open_store
from crossfelt.table.commands import Role
from limits import WAIT_SECONDS
from server.served import Served, owner_of, serving, staff_of

STRANGER = "stranger"
FORBIDDEN = {401, 403}


class Answer(NamedTuple):
    """A response without its body."""

    status: int
    headers: Message


def ask(
    address: str, token: str, route: str, table: str = "nj-criss-cross-1", body: dict[str, str] | None = None
) -> int:
    """Return the status of a request."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if route.startswith("GET ") else json.dumps(body or {}).encode()
    return answer(address, route, headers, data, table).status


def answer(
    address: str, route: str, headers: dict[str, str], data: bytes | None = None, table: str = "nj-criss-cross-1"
) -> Answer:
    method, _, template = route.partition(" ")
    path = re.sub(r"\{(table)\}", table, template)
    path = re.sub(r"\{(number|seat)\}", "1", path)
    path = re.sub(r"\{\w+\}", "x", path)
    request = urllib.request.Request(address + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request) as answered:
            return Answer(int(answered.status), answered.headers)
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.headers)


def test_every_policy_belongs_to_a_route(tmp_path: Path) -> None:
    app = create_app(lambda: Server(open_store(tmp_path), tmp_path))
    assert set(ROUTES) == set(routes_of(app))


def test_every_route_answers_every_role_as_its_policy_says(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        people: dict[str, Client] = {STRANGER: Client(served.address), "owner": owner}
        for role in ROLES:
            if role != "owner":
                people[role] = await staff_of(served, owner, f"A {role}", role)
        for route, policy in ROUTES.items():
            if route in ("DELETE /api/session", "DELETE /api/me") or route.endswith("/live"):
                continue
            for who, client in people.items():
                status = await asyncio.to_thread(ask, served.address, client.token, route)
                lets_in = policy.public or who in policy.roles
                refused = status in FORBIDDEN
                message_text = f"{route} answers {status} to {who}"
                if who == STRANGER and not policy.public:
                    assert status == 401, message_text
                elif route in ("POST /api/session", "PUT /api/me/password"):
                    continue  # wrong credentials are 401 too
                else:
                    assert refused is not lets_in, message_text
                assert status < 500, message_text

    async def run() -> None:
        async with serving(tmp_path) as served:
            await story(served)

    asyncio.run(run())


def test_options_lists_the_methods_of_a_route_for_any_client(tmp_path: Path) -> None:
    """It has no other effect: it admits no page of another site and records nothing."""
    methods: defaultdict[str, set[str]] = defaultdict(set)
    for route in ROUTES:
        method, _, template = route.partition(" ")
        if not template.endswith("/live"):
            methods[template].add(method)

    async def run() -> None:
        headers = {"Origin": "http://elsewhere", "Access-Control-Request-Method": "PUT"}
        async with serving(tmp_path) as served:
            for template, allowed in methods.items():
                reply = await asyncio.to_thread(answer, served.address, f"OPTIONS {template}", headers)
                assert reply.status == 204, template
                assert set(reply.headers["allow"].split(", ")) - {"HEAD"} == allowed | {"OPTIONS"}, template
                assert not [name for name in reply.headers if name.lower().startswith("access-control")], template
            nothing = await asyncio.to_thread(answer, served.address, "OPTIONS /api/nothing", headers)
            assert nothing.status == 404
            wrong = await asyncio.to_thread(answer, served.address, "PATCH /api/lobby", {})
            assert (wrong.status, wrong.headers["allow"]) == (405, "GET, OPTIONS")

    asyncio.run(run())


@pytest.mark.parametrize("role", ["player", "floor"])
def test_another_persons_private_table_does_not_exist(role: Role, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, eve = await served.guest("Ann"), await staff_of(served, await owner_of(served), "Eve", role)
        table = await ann.open_table("nj-criss-cross", pace="instant")
        routes = [route for route, it in ROUTES.items() if "{table}" in route and (it.public or role in it.roles)]
        bodies: dict[str, dict[str, Any]] = {route: {} for route in routes if not route.endswith("/live")}
        bodies["POST /api/tables/{table}/desk/line"] = {"text": "1"}
        bodies["POST /api/tables/{table}/desk/award"] = {"command": {}}
        bodies["POST /api/tables/{table}/desk/exam/answers"] = {"movement": "1.0.0", "cents": 0}
        bodies |= {route: {"reason": "none"} for route in routes if route.endswith("/removal")}
        bodies |= {route: {"submission": {}} for route in routes if "/submission/" in route}
        bodies |= {"POST /api/type": {"table": table, "text": "1"}, "POST /api/advice": {"table": table}}
        for route, body in bodies.items():
            status = await asyncio.to_thread(ask, served.address, eve.token, f"{route}?seat=1", table, body)
            assert status == 404, route

    async def run() -> None:
        async with serving(tmp_path) as served:
            await story(served)

    asyncio.run(run())


@pytest.mark.parametrize("role", ["dealer", "floor"])
def test_no_route_reveals_the_name_of_another_persons_private_table(role: Role, tmp_path: Path) -> None:
    """The name is random, so that it cannot be guessed."""
    routes = [route for route, it in ROUTES.items() if "{" not in route and (it.public or role in it.roles)]
    pages = [route.removeprefix("GET ") for route in routes if route.startswith("GET /api/") or route == "GET /metrics"]

    async def story(served: Served) -> None:
        owner, ann = await owner_of(served), await served.guest("Ann")
        staff = await staff_of(served, owner, "Eve", role)
        names = [await ann.open_table("nj-criss-cross") for _ in range(3)]
        for name in names[:2]:
            async with ann.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=100_00)).accepted
        async with ann.table("nj-criss-cross-1") as table:
            assert (await table.give("take_seat", seat=2, chips_cents=300_00)).accepted
        served.server.pit.unreadable.add(names[2])
        headers = {"Authorization": f"Bearer {staff.token}"}
        async with httpx.AsyncClient(base_url=served.address, headers=headers, timeout=WAIT_SECONDS) as client:
            for page in pages:
                answered = await client.get(page)
                assert answered.status_code not in FORBIDDEN, page
                assert not [name for name in names if name in answered.text], page
        if role == "floor":
            reply = await staff.post("/api/accounts/Ann/deposits", {"cents": 1_00})
            assert reply["at_tables"] == {"private": 200_00, "nj-criss-cross-1:2": 300_00}
        reply = next(it for it in await owner.get("/api/accounts") if it["account"] == "ann")
        assert reply["at_tables"] == {**{f"{name}:1": 100_00 for name in names[:2]}, "nj-criss-cross-1:2": 300_00}
        assert (await owner.get("/api/floor"))["shut"] == [names[2]]

    async def run() -> None:
        async with serving(tmp_path) as served:
            await story(served)

    asyncio.run(run())


def test_auditors_see_the_records_of_a_private_table_and_only_its_owner_joins_it() -> None:
    ann, eve = (Identity(account=name.lower(), name=name, roles=("player",)) for name in ("Ann", "Eve"))
    ada = Identity(account="ada", name="Ada", roles=("auditor",))
    assert [sees_table_of("Ann", who) for who in (ann, eve, ada, None)] == [True, False, True, False]
    assert [comes_to_table_of("Ann", who) for who in (ann, eve, ada, None)] == [True, False, False, False]
    assert all(comes_to_table_of("", who) and sees_table_of("", who) for who in (ann, eve, ada, None))


def test_a_person_joins_a_table_only_in_a_role_they_have(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        people = {role: await staff_of(served, owner, f"A {role}", role) for role in ROLES if role != "owner"}
        for own, client in people.items():
            for role in get_args(Role):
                table = client.table("nj-criss-cross-1", role)
                if role in (own, "spectator"):
                    async with table:
                        answer = await table.give("grant_award", claim=1, number=1, shares=[], before_micros=0)
                        assert answer.problem is not None
                else:
                    with pytest.raises(Disconnected):
                        await table.connect()
                    await table.close()
        withheld = [note for note in await owner.get("/api/audit") if note["event"]["event"] == "withheld"]
        assert withheld, "who asked for a role they do not have was not noted"

    async def run() -> None:
        async with serving(tmp_path) as served:
            await story(served)

    asyncio.run(run())


async def withheld_from(owner: Client) -> set[tuple[str, str]]:
    """Return the denials that the journal has recorded."""
    notes = [note["event"] for note in await owner.get("/api/audit")]
    return {(note["by"], note["act"]) for note in notes if note["event"] == "withheld"}


def test_denials_of_unknown_clients_are_recorded_at_the_latest_when_the_server_stops(tmp_path: Path) -> None:
    async def story() -> list[tuple[str, str, str, int]]:
        async with serving(tmp_path) as served:
            stranger = Client(served.address)
            for _ in range(3):
                with pytest.raises(Disconnected):
                    await stranger.table("nj-criss-cross-1", "dealer").connect()
            async with stranger.table("nj-criss-cross-1", "spectator") as table:
                assert (await table.give("record_fill", cents=100)).problem is not None
        store = open_store(tmp_path)
        noted = [event for _, event in await Journal(store).events() if isinstance(event, Withheld)]
        await store.close()
        return [(it.by, it.act, it.address, it.times) for it in noted]

    door, act = "dealer at nj-criss-cross-1", "record_fill at nj-criss-cross-1"
    assert asyncio.run(story()) == [
        (STRANGER, door, "127.0.0.1", 1),
        (STRANGER, act, "127.0.0.1", 1),
        (STRANGER, door, "127.0.0.1", 2),
    ]


def test_a_revoked_role_ends_at_the_table_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as served:
            owner = await owner_of(served)
            flo = await staff_of(served, owner, "Flo", "floor")
            async with flo.table("nj-criss-cross-1", "floor") as table:
                alone = await table.give("decide_floor", ruling="void", note="mine alone")
                assert alone.problem is not None
                assert alone.problem["code"] == "floor.two_people"
                assert ("flo", "decide_floor at nj-criss-cross-1") in await withheld_from(owner)
                await owner.put("/api/accounts/flo/roles", {"roles": ["player"]})
                with pytest.raises(Disconnected):
                    await table.give("record_fill", cents=100)

    asyncio.run(story())


def test_a_players_command_is_refused_for_another_seat_and_in_another_role(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, bob = await served.guest("Ann"), await served.guest("Bob")
        async with ann.table("md-criss-cross-1") as hers, bob.table("md-criss-cross-1") as his:
            assert (await hers.give("take_seat", seat=1, chips_cents=100_00)).accepted
            assert (await his.give("take_seat", seat=2, chips_cents=100_00)).accepted
            for command in ({"command": "leave_seat", "seat": 1}, {"command": "buy_chips", "seat": 1, "cents": 100}):
                answer = await his.ask(command)
                assert answer.problem is not None
                assert answer.problem["code"] == "seat.other"
            answer = await his.ask({"command": "record_fill", "cents": 100, "role": "floor", "who": "floor"})
            assert answer.problem is not None
            assert answer.problem["code"] in ("role", "policy.role")
        assert ("bob", "record_fill at md-criss-cross-1") in await withheld_from(await owner_of(served))

    async def run() -> None:
        async with serving(tmp_path) as served:
            await story(served)

    asyncio.run(run())
