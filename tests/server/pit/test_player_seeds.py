"""The players' seeds in the shuffle of a running server: mixed in, receipted, opened, and missed by name."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from benchmarks.attacks.house import (
    with_ghost,
    with_late_receipt,
    with_other_places,
    with_other_position,
    with_short_deck,
)
from crossfelt.cards.card import Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.player_seeds import seed_hash
from crossfelt.cards.shuffle import fresh_seed, shuffled
from crossfelt.cli.main import run
from crossfelt.client import Client, TableClient
from crossfelt.proof.commitment import Sealed
from crossfelt.proof.fair_round import (
    ALONE,
    NOT_DEALT,
    NOT_FULL,
    NOT_NOTED,
    ROOT_NOT_NOTED,
    FairRound,
    Finding,
    check_round,
    gaps,
)
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.rng import TableRng
from crossfelt.server.core.settings import TableSettings
from crossfelt.table.events import DeckMixed
from crossfelt.table.state import TableState
from limits import WAIT_SECONDS
from server.served import owner_of, pit_of, play_round, serving
from soak_length import one_of_each_game


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for seeds as long as a busy machine needs."""
    monkeypatch.setattr("crossfelt.server.core.scheduler.SEED_SECONDS", WAIT_SECONDS)


async def findings(guest: Client, table: TableClient, number: int) -> list[Finding]:
    """Check a closed round as its player does, with what the client has kept."""
    return list(check_round(await played(guest, table, number)))


async def played(guest: Client, table: TableClient, number: int) -> FairRound:
    record = await guest.get(f"/api/tables/{table.table['id']}/rounds/{number}")
    return msgspec.convert({**record, **kept(table, number)}, FairRound)


def kept(table: TableClient, number: int) -> dict[str, Any]:
    """Return what the client has kept of a round: its receipt, and what it noted before it sent its seed."""
    receipt = next((it for it in table.receipts if it["round"] == number), None)
    return {"receipt": receipt, **(table.noted.get(receipt["seed_hash"], {}) if receipt is not None else {})}


def mixes(table: TableClient) -> list[dict[str, Any]]:
    return [event for event in table.events if event["event"] == "deck_mixed"]


@pytest.mark.parametrize("rulebook", one_of_each_game())
def test_every_round_of_a_person_is_mixed_receipted_and_opened(rulebook: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            name = await guest.open_table(rulebook, pace="instant", bots=2)
            async with guest.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                numbers = [await play_round(table, 1) for _ in range(3)]
                await table.until(lambda seen: len(seen.opened) == 3)
                for number, mixed in zip(numbers, mixes(table), strict=True):
                    assert [(one["player"], bool(one["seed"])) for one in mixed["seeds"]] == [("Ann", True)]
                    found = await findings(guest, table, number)
                    assert [it for it in found if not it.holds] == []
                    assert {"root", "receipt", "deck", "seed of seat 1, Ann", "hashes", "places", "cards"} <= {
                        it.what for it in found
                    }
                    assert list(gaps(await played(guest, table, number))) == []
                    assert ("first hand chosen" in {it.what for it in found}) == (rulebook == "nj-pai-gow")

    asyncio.run(play())


def test_a_client_that_sends_no_seed_waits_for_nothing_and_is_told_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            name = await guest.open_table("nj-criss-cross", pace="instant")
            async with guest.table(name) as table:
                table.takes_part = False
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                number = await play_round(table, 1)
                await table.until(lambda seen: seen.opened)
                assert mixes(table) == []
                assert all(it.holds for it in await findings(guest, table, number))
                record = await played(guest, table, number)
                assert ALONE in [it.says for it in gaps(record, root=record.commitment.root)]

    asyncio.run(play())


def test_a_seed_that_does_not_arrive_is_replaced_by_its_hash_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crossfelt.server.core.scheduler.SEED_SECONDS", 1)

    async def play() -> None:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            name = await guest.open_table("nj-criss-cross", pace="instant")
            async with guest.table(name) as table:
                table._reveal_seeds = lambda: None  # type: ignore[method-assign]
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                number = await play_round(table, 1)
                await table.until(lambda seen: seen.opened)
                (mixed,) = mixes(table)
                assert [one["seed"] for one in mixed["seeds"]] == [""]
                assert "no seed came from" in mixed["tells"]
                assert all(it.holds for it in await findings(guest, table, number))
                record = await played(guest, table, number)
                assert "none came from Ann in seat 1: the hash took its place" in [it.says for it in gaps(record)]

    asyncio.run(play())


def test_a_grinding_house_that_deals_its_own_order_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The house keeps the worst of sixty shuffles and deals it, as if the seeds had not come. `crossfelt fair` fails.

    Its other ways fail too: to name no seeds, and to fix another deck once it knows them.
    """

    class Grinding(TableRng, frozen=True):
        def order(self, table: TableState, deck: str) -> tuple[Card, ...]:
            tried = (shuffled(deck_of(52), fresh_seed()) for _ in range(60))
            return max(tried, key=lambda cards: len({card.rank for card in cards[:7]}))

    async def play() -> dict[str, Any]:
        async with serving(tmp_path / "server", rng=Grinding) as served:
            guest = await served.guest("Ann")
            name = await guest.open_table("nj-criss-cross", pace="instant")
            async with guest.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                number = await play_round(table, 1)
                await table.until(lambda seen: seen.opened)
                record = await guest.get(f"/api/tables/{name}/rounds/{number}")
                return {**record, "receipt": table.receipts[0]}

    def verdict(record: dict[str, Any]) -> str:
        file = tmp_path / "round.json"
        file.write_bytes(msgspec.json.encode(record))
        assert run(["fair", str(file)]) == 1
        return capsys.readouterr().out

    monkeypatch.setattr("crossfelt.table.reduce.mixed_order", lambda order, mix: order)
    record = asyncio.run(play())
    assert "should NOT lie there" in verdict(record)
    silent = [event for event in record["events"] if event["event"] != "deck_mixed"]
    assert "did NOT mix in the seeds" in verdict({**record, "events": silent})
    hashless = [{**event, "seed_hash": ""} for event in silent]
    assert "names a seed that the house did NOT mix in" in verdict({**record, "events": hashless})
    # Knowing the seeds, the house looks for a deck that they permute into the one it wants, and fixes that.
    sealed = Sealed(dict(zip(record["commitment"]["labels"], record["opened"]["values"], strict=True)), fresh_seed())
    refixed = msgspec.to_builtins({"commitment": sealed.commitment, "opened": sealed.whole})
    assert "names ANOTHER root" in verdict({**record, **refixed})


def test_a_seed_that_the_house_adds_when_it_knows_the_others_is_caught(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the player's own note of the hashes shows it. Without that note the verdict says what is not proved."""

    async def play() -> dict[str, Any]:
        async with serving(tmp_path / "server") as served:
            guest = await served.guest("Ann")
            name = await guest.open_table("nj-criss-cross", pace="instant")
            async with guest.table(name) as table:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                number = await play_round(table, 1)
                await table.until(lambda seen: seen.opened)
                return {**await guest.get(f"/api/tables/{name}/rounds/{number}"), **kept(table, number)}

    def fair(record: dict[str, Any]) -> tuple[int, str]:
        file = tmp_path / "round.json"
        file.write_bytes(msgspec.json.encode(record))
        return run(["fair", str(file)]), capsys.readouterr().out

    record = asyncio.run(play())
    code, told = fair(record)
    assert (code, told.splitlines()[-1].endswith("checks hold")) == (0, True)
    forged = with_ghost(record)
    code, told = fair(forged)
    assert (code, NOT_NOTED in told, told.endswith("checks FAIL\n")) == (1, True, True)
    assert "1 of" in told
    code, told = fair({**forged, "hashes": None})
    assert code == 0
    assert told.endswith("checks hold, but nothing here shows that no seed was added later\n")
    (mixed,) = [event for event in record["events"] if event["event"] == "deck_mixed"]
    twice = {**mixed, "seeds": [{**mixed["seeds"][0], "seed": "", "hash": "0" * 64}, *mixed["seeds"]]}
    events = [twice if event is mixed else event for event in record["events"]]
    assert "did NOT mix in the seeds" in fair({**record, "hashes": None, "events": events})[1]
    moved = with_other_places(record, Random(7))
    code, told = fair(moved)
    assert (code, NOT_DEALT in told, "1 of" in told.splitlines()[-1]) == (1, True, True)
    code, told = fair({**moved, "deal_order": None})
    assert code == 0
    assert told.endswith("checks hold, but nothing here shows that each card went where the rules put it\n")
    late = with_late_receipt(record)
    code, told = fair(late)
    assert (code, ROOT_NOT_NOTED in told, "1 of" in told.splitlines()[-1]) == (1, True, True)
    code, told = fair({**late, "root": None})
    assert code == 0
    assert told.endswith("checks hold, but nothing here shows that the deck was fixed before the seeds were sent\n")
    code, told = fair(with_short_deck(record))
    assert (code, NOT_FULL in told) == (1, True)
    (hand,) = [event for event in record["events"] if event["event"] == "hand_shown" and event["seat"] == 1]
    pair = [{**event, "cards": hand["cards"][:1] * 2} if event is hand else event for event in record["events"]]
    code, told = fair({**record, "events": pair})
    assert (code, "shown TWICE at once" in told, "1 of" in told.splitlines()[-1]) == (1, True, True)
    undealt = [event for event in record["events"] if event["event"] != "cards_dealt"]
    assert "should NOT lie there" in fair({**record, "events": undealt})[1]
    found = {"event": "face_up_card_discarded", "seq": 1, "n": 1, "card": "??"}
    code, told = fair({**record, "events": [*record["events"], found]})
    assert told.endswith("checks hold, but nothing here shows that no card was taken out to move the others\n")


def test_a_server_killed_between_the_lock_and_the_seeds_asks_for_them_again(tmp_path: Path) -> None:
    seed = "a seed that outlives the server"
    placed = {"command": "place_wagers", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 500}}

    async def lock() -> None:
        async with pit_of(tmp_path, "Ann", now=lambda: 1_000_000) as pit:
            actor = await pit.create(TableSettings(id="table", rulebook="nj-criss-cross", pace="instant"), who="test")
            actor.presence.arrive("Ann")
            sit = {"command": "take_seat", "seat": 1, "chips_cents": 500_00}
            for fields in (sit, {**placed, "seed_hash": seed_hash(seed)}):
                while (await actor.ask(request(fields, actor.seq))).problem is not None:
                    await asyncio.sleep(0.01)
            actor.ready("Ann", None)
            while not actor.table.seeds_due:
                await asyncio.sleep(0.01)
            assert actor.take_seed("Ann", 1, 1, "another seed than was sent").problem is not None
            assert actor.take_seed("Bob", 1, 1, seed).problem is not None

    async def resume() -> None:
        async with pit_of(tmp_path, now=lambda: 1_000_000) as pit:
            await pit.open()
            actor = pit.find("table")
            assert actor.table.seeds_due == (1,)
            assert actor.take_seed("Ann", 1, 1, seed).problem is None
            while not actor.table.seat(1).cards:
                await asyncio.sleep(0.01)
            (mixed,) = [it for row in actor.memory.round_rows for it in row.events if isinstance(it, DeckMixed)]
            assert [one.seed for one in mixed.seeds] == [seed]

    asyncio.run(asyncio.wait_for(lock(), WAIT_SECONDS))
    asyncio.run(asyncio.wait_for(resume(), WAIT_SECONDS))


def request(fields: dict[str, Any], seq: int) -> CommandRequest:
    return CommandRequest(id=f"{seq}-{fields['command']}", who="Ann", role="player", fields=fields)


def test_wheels_dice_and_draws_are_drawn_again_from_the_seeds(tmp_path: Path) -> None:
    """With awards in every round; a wheel that stops elsewhere, and a draw without its weights, are caught."""
    always = {f"{award}_per_million": 1_000_000 for award in ("lucky_player", "lucky_dealer", "magic_card")}

    async def play() -> dict[str, Any]:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            submission = {"wagers": {"progressive": always}}
            name = await guest.open_table("nj-pai-gow", pace="instant", submission=submission)
            async with guest.table(name) as table:
                assert (await table.give("take_seat", seat=2, chips_cents=500_00)).accepted
                number = await play_round(table, 2, progressive_player=2_00, progressive_dealer=1_00)
                await table.until(lambda seen: seen.opened)
                found: dict[str, Any] = await guest.get(f"/api/tables/{name}/rounds/{number}")
                return found

    def wrong(record: dict[str, Any]) -> set[str]:
        return {it.what for it in check_round(msgspec.convert(record, FairRound)) if not it.holds}

    record = asyncio.run(play())
    assert wrong(record) == set()
    assert {draw["field"] for draw in record["draws"]} == {"lucky_seat", "lucky_dealer", "magic_card"}
    moved = [{**event, "lucky_seat": 3} if event["event"] == "awards_drawn" else event for event in record["events"]]
    assert wrong({**record, "events": moved}) == {"awards drawn"}
    assert wrong({**record, "draws": []}) == {"awards drawn"}
    assert wrong(with_other_position(record)) == {"first hand chosen"}
    twice = [{**event, "number": 3} if event["event"] == "first_hand_chosen" else event for event in record["events"]]
    assert wrong({**record, "events": twice}) == {"first hand chosen"}


def test_a_viewer_who_did_not_play_checks_the_cards_that_were_shown(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as served:
            owner, ann, bob = await owner_of(served), await served.guest("Ann"), await served.guest("Bob")
            name = await owner.open_table("nj-criss-cross", pace="instant", public=True, id="open")
            async with ann.table(name) as table, bob.table(name) as watching:
                assert (await table.give("take_seat", seat=1, chips_cents=500_00)).accepted
                number = await play_round(table, 1)
                await watching.until(lambda seen: seen.opened)
                assert "opened" not in watching.opened[0]
                record = await bob.get(f"/api/tables/{name}/rounds/{number}")
                found = list(check_round(msgspec.convert(record, FairRound)))
                assert [it for it in found if not it.holds] == []
                assert "cards" in {it.what for it in found}
                shown = next(it for it in record["events"] if it["event"] == "community_cards_revealed")
                open_cards = {opening["value"] for opening in record["openings"]}
                shown["cards"][0] = next(card.text for card in deck_of(52) if card.text not in open_cards)
                assert [it.what for it in check_round(msgspec.convert(record, FairRound)) if not it.holds] == ["cards"]
                hand = next(it for it in record["events"] if it["event"] == "hand_shown" and it["seat"] == 1)
                shown["cards"][0] = hand["cards"][0]  # which lies elsewhere, rightly
                assert [it.what for it in check_round(msgspec.convert(record, FairRound)) if not it.holds] == ["cards"]

    asyncio.run(play())
