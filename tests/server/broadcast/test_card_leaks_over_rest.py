"""No route reveals a card that the user's view does not have, at any step of a round.

The users are a player, a seated player without a wager, a player who sits down after the deal, a spectator, and staff.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest

from crossfelt.client import Client, TableClient
from crossfelt.errors import BadInput
from crossfelt.server.accounts.policy import ROUTES
from crossfelt.server.core.recovery import RoundIndex
from limits import WAIT_SECONDS
from server.http.test_dealer import next_act
from server.served import Served, decided, owner_of, play_round, serving, staff_of
from soak_length import one_of_each_game

TABLE: Final = "table"
PLAYS, SITS, COMES = 1, 2, 3
"""Seats: of who bets, of who does not, and of who sits down in the middle of the round."""
ELSEWHERE: Final = ("/live", "/figures", "/review")
"""The view itself; and what another process works out from rounds that are over."""
CARD: Final = r"(?:[2-9TJQKA][cdhs]|Jk)"
CARDS: Final = re.compile(rf'"({CARD}(?: {CARD})*)"')


class User:
    """A viewer of the table who requests all other routes."""

    def __init__(self, client: Client, table: TableClient) -> None:
        self.table = table
        bearer = {"Authorization": f"Bearer {client.token}"}
        self._http = httpx.AsyncClient(base_url=client.address, headers=bearer, timeout=WAIT_SECONDS)
        self._before: dict[str, set[str]] = {}

    async def leave(self) -> None:
        await self._http.aclose()
        await self.table.close()

    async def looks(self) -> dict[str, set[str]]:
        """Return the cards in the response of each route, beside those of the view."""
        shown = cards_in(msgspec.json.encode(self.table.view).decode())
        answers = {f"{asked.method} {asked.url}": await self._http.send(asked) for asked in self._questions()}
        assert all(answer.status_code < 500 for answer in answers.values())
        return {name: cards_in(answer.text) - shown for name, answer in answers.items()}

    def _questions(self) -> list[httpx.Request]:
        gets = [name.removeprefix("GET ") for name in ROUTES if name.startswith("GET ") and "{table}" in name]
        here = [path for path in gets if not path.endswith(ELSEWHERE)]
        paths = [path.replace("{table}", TABLE).replace("{number}", "1") for path in here]
        paths += [f"/api/tables/{TABLE}/settings?seat={seat}" for seat in (PLAYS, SITS, COMES)]
        posts: list[tuple[str, dict[str, Any]]] = [
            (path, {"table": TABLE, "seat": seat, **also})
            for path, also in (("/api/advice", {}), ("/api/type", {"text": "house way"}))
            for seat in (SITS, COMES)
        ]
        build = self._http.build_request
        return [build("GET", path) for path in paths] + [build("POST", path, json=body) for path, body in posts]


def cards_in(text: str) -> set[str]:
    return {card for found in CARDS.findall(text) for card in found.split()}


@pytest.mark.parametrize("rulebook", one_of_each_game())
def test_no_route_reveals_a_card_that_the_view_hides(rulebook: str, tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        owner = await owner_of(served)
        fiona = await staff_of(served, owner, "fiona", "floor")
        wanted = {"rulebook": rulebook, "id": TABLE, "public": True, "dealt_by": "dealer", "pace": "instant"}
        await fiona.post("/api/tables", wanted)
        dan, ada = [await staff_of(served, owner, name, role) for name, role in (("dan", "dealer"), ("ada", "auditor"))]
        here = {name: await served.guest(name) for name in ("Ann", "Hal", "Ida", "Cleo")}
        roles = {fiona: "floor", dan: "dealer", ada: "auditor"} | dict.fromkeys(here.values(), "player")
        people = [User(client, await client.table(TABLE, role).connect()) for client, role in roles.items()]
        _, dealer, _, ann, hal, ida, cleo = (one.table for one in people)
        for table, seat in ((ann, PLAYS), (hal, SITS)):
            assert (await table.give("take_seat", seat=seat, chips_cents=500_00)).accepted
        known = [await one.looks() for one in people]
        over, looked_at = served.server.pit.find(TABLE).memory.rounds, set[str]()
        while not over:
            asked = next_act(dealer)
            own = decided(ann.allowed, PLAYS, open_bets=ann.view["step"] == "open_bets")
            if own is not None and not (own["command"] == "place_wagers" and ann.view["seats"][0]["wagers"]):
                assert (await ann.ask(own)).accepted
            elif asked is not None:
                await dealer.ask(asked)
            else:
                await asyncio.sleep(0.005)
            for one in people:
                await one.table.until(lambda seen: seen.seq >= dealer.seq)
            if dealer.view["step"] in looked_at or over:
                continue
            looked_at.add(dealer.view["step"])
            if any(seat["cards"] for seat in dealer.view["seats"]) and not ida.view["seats"][COMES - 1]["player"]:
                assert (await ida.give("take_seat", seat=COMES, chips_cents=500_00)).accepted
            for one, before in zip(people, known, strict=True):
                reply = await one.looks()
                more = {name: cards - before[name] for name, cards in reply.items() if cards - before[name]}
                assert more == {}, f"at {dealer.view['step']}, reply to {one.table.you}"
        assert ida.view["seats"][COMES - 1]["player"] == "Ida"
        assert over[-1].players == {PLAYS: "Ann", SITS: "Hal", COMES: "Ida"}, "who sat there is on record"
        for client, table in zip(here.values(), (ann, hal, ida, cleo), strict=True):
            await table.until(lambda seen: seen.opened)
            on_record = await client.get(f"/api/tables/{TABLE}/rounds/{over[-1].round}")
            sent = {"openings": [], "opened": None, **table.opened[-1]}
            assert (on_record["openings"], on_record["opened"]) == (sent["openings"], sent["opened"])
            assert (on_record["opened"] is not None) == (client is here["Ann"]), "only a player of the round"
        for one in people:
            await one.leave()

    async def run() -> None:
        async with serving(tmp_path) as served, asyncio.timeout(WAIT_SECONDS):
            await story(served)

    asyncio.run(run())


def test_a_user_sees_no_cards_of_recorded_rounds_they_did_not_play() -> None:
    kept = {
        "round": 1,
        "first": 1,
        "last": 9,
        "at": 0,
        "outcome": "settled",
        "players": {1: "Ann", 2: "Hal"},
        "nets": {},
    }
    assert msgspec.convert(kept, RoundIndex).seats_of("Hal") == set()
    whole = msgspec.convert({**kept, "took_part": (1,)}, RoundIndex)
    assert (whole.seats_of("Ann"), whole.seats_of("Hal")) == ({1}, set())


def test_the_bank_gets_no_advice(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        guest = await served.guest("Ann")
        name = await guest.open_table("nj-pai-gow", pace="instant", bots=1)
        async with guest.table(name) as table:
            await table.give("take_seat", seat=1, chips_cents=500_00)
            await play_round(table, 1)
            await table.until(lambda seen: any(it["command"] == "take_bank" for it in seen.allowed))
            assert (await table.give("take_bank", seat=1)).accepted
            await table.until(lambda seen: seen.view["step"] == "open_bets")
            await table.ready()
            await table.until(lambda seen: any(it["command"] == "set_house_way" for it in seen.allowed))
            with pytest.raises(BadInput, match="no advice for the player who holds the bank"):
                await guest.post("/api/advice", {"table": name, "seat": 1})

    async def run() -> None:
        async with serving(tmp_path) as served, asyncio.timeout(WAIT_SECONDS):
            await story(served)

    asyncio.run(run())
