"""Attacks by the house on its players: forged rounds."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from benchmarks.attacks.target import RULEBOOK, Target, Try
from crossfelt.cards.card import HIDDEN
from crossfelt.cards.deck import deck_of
from crossfelt.cards.player_seeds import PlayerSeed, mix_of, mixed_order, seed_hash
from crossfelt.cards.shuffle import fresh_seed, shuffled
from crossfelt.client import Client, TableClient
from crossfelt.proof.commitment import Sealed
from crossfelt.proof.fair_round import FairRound, check_round
from crossfelt.proof.receipt import Receipt
from crossfelt.proof.signed_heads import SigningKey


def cheating_house(target: Target) -> Iterator[Try]:
    """A house that fixes a deck late, moves cards, signs again, and alters, leaves out or adds seeds."""
    played = asyncio.run(_played(target))
    honest = [it for it in check_round(msgspec.convert(played, FairRound)) if not it.holds]
    yield f"an honest round: {honest}", not honest
    labels, values = played["commitment"]["labels"], played["opened"]["values"]
    places = [at for at, label in enumerate(labels) if label.startswith("card/")]
    ghosts = (with_ghost(played) for _ in range(100))
    moved = (with_other_places(played, target.chance) for _ in range(100))
    late = [with_late_receipt(played), with_short_deck(played)]
    fixed = [*_refixed(played, labels, values, places), *_altered(played, values, places, target)]
    forgeries = [*fixed, *ghosts, *moved, *late]
    for forged in target.some(it for it in forgeries if it != played):
        found = [it for it in check_round(msgspec.convert(forged, FairRound)) if not it.holds]
        yield f"a round with other {[name for name in played if forged[name] != played[name]]}", bool(found)


async def _played(target: Target) -> dict[str, Any]:
    """Play a round, and return its record with the receipt and the hashes that the client noted."""
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
        receipt = table.receipts[0]
        return {**record, "receipt": receipt, **table.noted[receipt["seed_hash"]]}


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
        sealed = Sealed(changed, fresh_seed())
        yield {
            **played,
            "commitment": msgspec.to_builtins(sealed.commitment),
            "opened": msgspec.to_builtins(sealed.whole),
        }


def with_ghost(played: dict[str, Any]) -> dict[str, Any]:
    """Return the round with one more seat, whose seed the house invents when it knows the others."""
    house = dict(zip(played["commitment"]["labels"], played["opened"]["values"], strict=True))
    labels = [label for label in house if label.startswith("card/")]
    mixed = next(event for event in played["events"] if event["event"] == "deck_mixed")
    seed = secrets.token_hex(32)
    ghost = {"seat": 5, "player": "Ghost", "hash": seed_hash(seed), "seed": seed}

    def order(seeds: list[dict[str, Any]]) -> list[str]:
        mix = mix_of(mixed["round_id"], msgspec.convert(seeds, list[PlayerSeed]))
        return [house[label] for label in mixed_order(labels, mix)]

    seeds = [*mixed["seeds"], ghost]
    swaps = dict(zip(order(mixed["seeds"]), order(seeds), strict=True))
    events: list[dict[str, Any]] = []
    for event in played["events"]:
        if event["event"] == "bets_locked":
            placed = next(it for it in events if it["event"] == "wagers_placed")
            events.append({**placed, "seat": 5, "by": "Ghost", "seed_hash": ghost["hash"]})
        changed = {"cards": _swapped(event["cards"], swaps)} if "cards" in event else {}
        events.append({**event, **changed, **({"seeds": seeds} if event is mixed else {})})
    return {**played, "events": events}


def with_late_receipt(played: dict[str, Any]) -> dict[str, Any]:
    """Return the round as a house makes it that holds the receipt back, and fixes the deck when it knows the seeds."""
    sealed = Sealed(dict(zip(played["commitment"]["labels"], played["opened"]["values"], strict=True)), fresh_seed())
    return _signed_again(played, sealed)


def with_short_deck(played: dict[str, Any]) -> dict[str, Any]:
    """Return the round with a deck that lacks its last card, fixed before the bets."""
    leaves = dict(zip(played["commitment"]["labels"], played["opened"]["values"], strict=True))
    del leaves[max(label for label in leaves if label.startswith("card/"))]
    forged = _signed_again(played, Sealed(leaves, fresh_seed()))
    return {**forged, "root": forged["commitment"]["root"]}


def _signed_again(played: dict[str, Any], sealed: Sealed) -> dict[str, Any]:
    receipt = msgspec.convert({**played["receipt"], "root": sealed.commitment.root}, Receipt).sign(SigningKey.new())
    changed = {"receipt": receipt, "commitment": sealed.commitment, "opened": sealed.whole}
    return {**played, **msgspec.to_builtins(changed)}


def with_other_position(played: dict[str, Any]) -> dict[str, Any]:
    """Return the round in which the deal begins one position later than the dice say."""
    house = dict(zip(played["commitment"]["labels"], played["opened"]["values"], strict=True))
    mixed = next(event for event in played["events"] if event["event"] == "deck_mixed")
    dealt = next(event["cards"] for event in played["events"] if event["event"] == "cards_dealt")
    seeds = msgspec.convert(mixed["seeds"], list[PlayerSeed])
    labels = [label for label in house if label.startswith("card/")]
    order = [house[label] for label in mixed_order(labels, mix_of(mixed["round_id"], seeds))][: len(dealt)]
    spots = [_next_position(seat, place) for seat, place, _ in dealt]
    before = {(seat, place): card for (seat, place, _), card in zip(dealt, order, strict=True)}
    swaps = {before[spot]: card for spot, card in zip(spots, order, strict=True)}
    own = {seat for seat, _, card in dealt if card != HIDDEN.text}
    cards = [[*spot, card if spot[0] in own else HIDDEN.text] for spot, card in zip(spots, order, strict=True)]
    events = [{**it, "cards": _swapped(it["cards"], swaps)} if "cards" in it else it for it in played["events"]]
    events = [{**it, "cards": cards} if it["event"] == "cards_dealt" else it for it in events]
    turned = [
        {**it, "position": (it["position"] + 1) % 7} if it["event"] == "first_hand_chosen" else it for it in events
    ]
    return {**played, "events": turned}


def _next_position(seat: int, place: str) -> tuple[int, str]:
    then = (seat + 1) % 7
    return then, f"{'' if then else 'dealer_'}{place.removeprefix('dealer_')}"


def with_other_places(played: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Return the round with the cards that the player saw at each other's places, as a house deals that knows them."""
    events, own = played["events"], played["receipt"]["seat"]
    (dealt,) = (event["cards"] for event in events if event["event"] == "cards_dealt")
    shown = {(seat, place): card for seat, place, card in dealt}
    for event in events:
        if event["event"] == "community_cards_revealed":
            shown |= {(0, place): card for place, card in zip(event["places"], event["cards"], strict=True)}
    before = [(seat, place) for seat, place, _ in dealt if shown[seat, place] != HIDDEN.text]
    to = dict(zip(before, chance.sample(before, len(before)), strict=True))
    now = {to[spot]: shown[spot] for spot in before}
    swaps = {shown[spot]: now[spot] for spot in before}
    spots = [to.get((seat, place), (seat, place)) for seat, place, _ in dealt]
    cards = [[*spot, now[spot] if spot[0] == own else HIDDEN.text] for spot in spots]
    moved = [{**it, "cards": _swapped(it["cards"], swaps)} if "cards" in it else it for it in events]
    return {**played, "events": [{**it, "cards": cards} if it["event"] == "cards_dealt" else it for it in moved]}


def _swapped(value: Any, swaps: dict[str, str]) -> Any:
    """Return cards, or lists of them, with each card replaced."""
    return [_swapped(it, swaps) for it in value] if isinstance(value, list) else swaps.get(value, value)


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
    yield {**played, "events": [event for event in played["events"] if event["event"] != "cards_dealt"]}
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
        yield {**event, "seeds": [{**seeds[0], "seed": "", "hash": "0" * 64}, *seeds]}
        for wrong in ({"seed": "x" * 64}, {"seed": ""}, {"hash": "0" * 64}, {"seat": 5}):
            yield {**event, "seeds": [{**seeds[0], **wrong}]}
    if event["event"] == "community_cards_revealed":
        yield {**event, "cards": event["cards"][::-1]}
        yield from (
            {**event, "cards": [card, *event["cards"][1:]]} for card in ("2c", "Ah", "Jk") if card not in event["cards"]
        )
