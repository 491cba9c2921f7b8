"""The proof of each event: for a player, for an auditor, and never a hidden card."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from crossfelt.client import Client
from crossfelt.play.listener import addressed
from server.served import Served, owner_of, play_round, refused_with, run, staff_of

TABLES = ("nj-criss-cross", "nj-double-cross", "nj-pai-gow")
CARD = re.compile(r"(10|[2-9JQKA])[♣♦♥♠]")


async def proofs_of(client: Client, table: str, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [await client.get(f"/api/tables/{table}/proof/{event['seq']}.{event['n']}") for event in events]


def test_a_proof_says_what_its_reader_was_told_and_no_more(tmp_path: Path) -> None:
    """The sentence of a proof is the one of the event that this reader was sent, so it names no other card."""

    async def story(served: Served) -> None:
        ada = await staff_of(served, await owner_of(served), "Ada", "auditor")
        for rulebook in TABLES:
            ann = await served.guest(f"Ann {rulebook}")
            name = await ann.open_table(rulebook, pace="instant", bots=2)
            async with ann.table(name) as table:
                seat = next(seat["number"] for seat in table.view["seats"] if not seat["player"])
                await table.give("take_seat", seat=seat, chips_cents=500_00)
                await play_round(table, seat)
                before = len(table.events)
                await play_round(table, seat)
                live = [event for event in list(table.events)[before:] if event["tells"]]
            for event, proof in zip(live, await proofs_of(ann, name, live), strict=True):
                assert proof["says"] == addressed(event.get("spoken", event["tells"]), seat)
            steps = (await ada.get(f"/api/tables/{name}/rounds/2/replay"))["seen"]["steps"]
            whole = [event for step in steps for event in step["events"] if event["tells"]]
            found = await proofs_of(ada, name, whole)
            assert [proof["says"] for proof in found] == [event["tells"] for event in whole]
            paid = [proof for proof in found if proof["payment"]]
            assert paid
            assert all(proof["second"]["equal"] and proof["lines"] and proof["round"] == 2 for proof in paid)
            with refused_with("event.unknown"):
                await ann.get(f"/api/tables/{name}/proof/{whole[0]['seq']}.99")
            with refused_with("event.unknown"):
                await ann.get(f"/api/tables/{name}/proof/first")

    run(tmp_path, story)


def test_an_open_round_has_proofs_too(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        ann, eve = await served.guest("Ann"), await served.guest("Eve")
        tables = await ann.lobby()
        name = next(table["id"] for table in tables if table["rulebook"] == "nj-criss-cross")
        async with ann.table(name) as table:
            await table.give("take_seat", seat=1, chips_cents=500_00)
            await table.until(lambda it: it.view["step"] == "open_bets")
            wagers = {"ante_across": 1000, "ante_down": 1000}
            await table.give("place_wagers", seat=1, wagers=wagers)
            await table.ready()
            await table.until(lambda it: any(option["command"] == "bet" for option in it.allowed))
            deal = next(event for event in table.events if event["event"] == "cards_dealt")
            (own,), (other,) = await proofs_of(ann, name, [deal]), await proofs_of(eve, name, [deal])
            assert own["says"] == addressed(deal.get("spoken", deal["tells"]), 1)
            assert CARD.search(str(own))
            assert not CARD.search(str(other))

    run(tmp_path, story)


def test_the_edge_and_the_rules_of_a_refusal_are_served(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        eve = await served.guest("Eve")
        name = await eve.open_table("nj-criss-cross", pace="instant")
        edge = await eve.get(f"/api/tables/{name}/edge/five_card_bonus")
        assert edge["wager"]["method"] == "exact"
        share = int(edge["wager"]["numerator"]) / int(edge["wager"]["denominator"])
        assert abs(100 * share - edge["wager"]["percent"]) < 1e-9
        assert round(edge["wager"]["percent"], 4) == 3.5336
        main = await eve.get(f"/api/tables/{name}/edge/across")
        assert round(main["whole"]["percent"], 4) == 1.476
        with refused_with("wager.unknown"):
            await eve.get(f"/api/tables/{name}/edge/no_such")
        rules = await eve.get(f"/api/tables/{name}/rules?cites=NJC-29,AMB-2")
        assert [clause["id"] for clause in rules["clauses"]] == ["NJC-29", "AMB-2"]
        assert "settings.after_lock_refused" in [line["path"] for line in rules["lines"]]
        with refused_with("clause.unknown"):
            await eve.get(f"/api/tables/{name}/rules?cites=NJC-999")

    run(tmp_path, story)
