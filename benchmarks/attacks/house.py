"""Attacks by the house on its players: forged rounds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from benchmarks.attacks.target import RULEBOOK, Target, Try
from crossfelt.cards.deck import deck_of
from crossfelt.cards.shuffle import fresh_seed, shuffled
from crossfelt.client import Client, TableClient
from crossfelt.proof.commitment import commit
from crossfelt.proof.fair_round import FairRound, check_round


def cheating_house(target: Target) -> Iterator[Try]:
    """A house that fixes the worst of sixty shuffles, swaps cards, alters seeds or receipts, or leaves seeds out."""
    played = asyncio.run(_played(target))
    honest = [it for it in check_round(msgspec.convert(played, FairRound)) if not it.holds]
    yield f"an honest round: {honest}", not honest
    labels, values = played["commitment"]["labels"], played["opened"]["values"]
    places = [at for at, label in enumerate(labels) if label.startswith("card/")]
    forgeries = [*_refixed(played, labels, values, places), *_altered(played, values, places, target)]
    for forged in target.some(it for it in forgeries if it != played):
        found = [it for it in check_round(msgspec.convert(forged, FairRound)) if not it.holds]
        yield f"a round with other {[name for name in played if forged[name] != played[name]]}", bool(found)


async def _played(target: Target) -> dict[str, Any]:
    """Play a round, and return its record with the receipt."""
    client = Client(target.server.address, target.guest())
    name = await client.open_table(RULEBOOK, pace="instant")
    async with client.table(name) as table:
        await table.give("take_seat", seat=1, chips_cents=500_00)
        await table.until(lambda seen: _wagers(seen))
        number = table.view["round"]
        await table.ask({"command": "place_wagers", "seat": 1, "wagers": _wagers(table)}, ready=True)
        while not table.opened:
            await table.until(lambda seen: seen.opened or seen.option("bet"))
            if not table.opened and (bet := table.option("bet")) is not None:
                await table.give("bet", seat=1, cents=bet["ranges"]["cents"]["min"])
        record = await client.get(f"/api/tables/{name}/rounds/{number}")
        return {**record, "receipt": table.receipts[0]}


def _wagers(table: TableClient) -> dict[str, int]:
    option = table.option("place_wagers") or {}
    optional = option.get("optional", ())
    return {name: it["min"] for name, it in option.get("ranges", {}).items() if name not in optional}


def _refixed(
    played: dict[str, Any], labels: Sequence[str], values: Sequence[str], places: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """Yield the round with decks that the house fixed after it knew the seeds: each is the worst of sixty."""
    for _ in range(100):
        decks = [shuffled(deck_of(len(places)), fresh_seed()) for _ in range(60)]
        worst = max(decks, key=lambda deck: len({card.rank for card in deck[:7]}))
        changed = dict(zip(labels, values, strict=True)) | {
            labels[at]: card.text for at, card in zip(places, worst, strict=True)
        }
        sealed = commit(changed, fresh_seed())
        yield {
            **played,
            "commitment": msgspec.to_builtins(sealed.commitment),
            "opened": msgspec.to_builtins(sealed.whole),
        }


def _altered(
    played: dict[str, Any], values: Sequence[str], places: Sequence[int], target: Target
) -> Iterator[dict[str, Any]]:
    """Yield the round with one thing changed."""
    for at in places:
        swapped, other = list(values), target.chance.choice([it for it in places if it != at])
        swapped[at], swapped[other] = swapped[other], swapped[at]
        yield {**played, "opened": {**played["opened"], "values": swapped}}
        yield {**played, "opened": {**played["opened"], "values": [*values[:at], values[other], *values[at + 1 :]]}}
    silent = [event for event in played["events"] if event["event"] != "deck_mixed"]
    yield {**played, "events": silent}
    yield {**played, "events": [{**event, "seed_hash": ""} for event in silent]}
    for field in ("table", "round", "root", "seat", "player", "seed_hash", "at", "key", "signature"):
        value = played["receipt"][field]
        wrong = value + 1 if isinstance(value, int) else value[::-1] + "0" * (value == value[::-1])
        yield {**played, "receipt": {**played["receipt"], field: wrong}}
    for at, event in enumerate(played["events"]):
        for changed in _events_changed(event):
            yield {**played, "events": [*played["events"][:at], changed, *played["events"][at + 1 :]]}


def _events_changed(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if event["event"] == "deck_mixed":
        seeds = event["seeds"]
        yield {**event, "seeds": []}
        yield {**event, "round_id": "elsewhere/1"}
        for wrong in ({"seed": "x" * 64}, {"seed": ""}, {"hash": "0" * 64}, {"seat": 5}):
            yield {**event, "seeds": [{**seeds[0], **wrong}]}
    if event["event"] == "community_cards_revealed":
        yield {**event, "cards": event["cards"][::-1]}
        yield from (
            {**event, "cards": [card, *event["cards"][1:]]} for card in ("2c", "Ah", "Jk") if card not in event["cards"]
        )
