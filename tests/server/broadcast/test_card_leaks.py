"""No card leaks: rounds whose decks differ only in cards a viewer has not seen send that viewer the same bytes."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import pytest

from crossfelt.cards.card import Card, enc_hook
from crossfelt.cards.deck import deck_of
from crossfelt.cards.player_seeds import seed_hash
from crossfelt.cards.shuffle import repeatable_seed, shuffled
from crossfelt.proof.history import read_row
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.broadcast.viewer_messages import Viewpoint, options_of
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.rng import TableRng
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.dealer_desk.acts import acts_now
from crossfelt.server.dealer_desk.irregularities import possible_irregularities
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.pit.pit import Pit
from crossfelt.server.store.interface import Stored
from crossfelt.table.commands import Role
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState
from crossfelt.wire import RefusedMessage, encode
from limits import WAIT_SECONDS
from server.served import decided, pit_of
from soak_length import Progress, Recorded, scaled

Deck = tuple[Card, ...]
CUT: Final = 10
ROUNDS: Final = 12
PAIRS_SOAK: Final = 1_000_000
BATCH: Final = 60
"""Rounds at one table: all messages of them are kept."""
FOLDS, PLAYS, SITS, DEALS = "Ann", "Bob", "Hal", "Eve"
SEATS: Final = {FOLDS: 1, PLAYS: 2}
WITHOUT_A_WAGER: Final = {SITS: 3}
SPECTATOR: Final = -1
VIEWERS: Final[tuple[tuple[str, Role], ...]] = (
    (FOLDS, "player"),
    (PLAYS, "player"),
    (SITS, "player"),
    ("Cleo", "player"),
    ("Dora", "spectator"),
    (DEALS, "dealer"),
    ("Fay", "floor"),
    ("Gil", "auditor"),
)
SEED: Final = "the seed of each player"
OPENED: Final = 6
"""The row after which an open table waits for its first player."""
GIVES_UP: Final = ("fold", "surrender")


class Stacked(TableRng, frozen=True, kw_only=True):
    """Decks in a given order."""

    decks: Iterator[Deck]

    def order(self, table: TableState, deck: str) -> Deck:
        return next(self.decks)

    def cut(self, table: TableState, least: int, most: int) -> int:
        return CUT


def stacked(decks: Sequence[Deck]) -> Stacked:
    """Return decks in a given order; all other draws are the same at every call."""
    seeds = iter(range(1 << 30))
    return Stacked(entropy=lambda: repeatable_seed(next(seeds)), decks=iter(decks))


class Received(NamedTuple):
    """The messages of every viewer, round by round, and the log."""

    rounds: list[dict[str, list[dict[str, Any]]]]
    logged: list[str]
    happened: list[list[dict[str, Any]]]
    """The events of each round with every card."""


def deck_for(rulebook: str, number: int, size: int) -> Deck:
    return shuffled(deck_of(size), repeatable_seed(number * 31 + len(rulebook)))


async def play(
    directory: Path, rulebook: str, decks: Sequence[Deck], rounds: int, viewers: Sequence[tuple[str, Role]] = VIEWERS
) -> Received:
    """Play rounds in which one player folds and the other continues, whatever the cards."""
    logged = Kept()
    logging.getLogger("crossfelt").addHandler(logged)
    async with pit_of(directory, *SEATS, *WITHOUT_A_WAGER, rng=lambda: stacked(decks), now=lambda: 1_000_000) as pit:
        return await heard_at(pit, rulebook, rounds, logged, viewers)


async def heard_at(pit: Pit, rulebook: str, rounds: int, logged: Kept, viewers: Sequence[tuple[str, Role]]) -> Received:
    actor = await pit.create(TableSettings(id="table", rulebook=rulebook, pace="instant"), who="test")
    await opened(actor)
    watchers = {name: Subscriber(name, role) for name, role in VIEWERS}
    for name, role in VIEWERS:
        if (name, role) in viewers:
            actor.join(watchers[name])
        elif role == "player":
            actor.presence.arrive(name)
    received = Received([], logged.lines, [])
    try:
        for name, seat in (SEATS | WITHOUT_A_WAGER).items():
            await ask(actor, watchers[name], {"command": "take_seat", "seat": seat, "chips_cents": 1_000_00})
        for _ in range(rounds):
            began, stood = actor.seq, actor.table
            await one_round(actor, watchers)
            rows = await pit.store.rows(actor.settings.stream, after=began)
            received.happened.append([event for row in rows for event in msgspec.json.decode(row.body)["events"]])
            received.rounds.append({name: list(read(watchers[name])) for name, _ in viewers})
            if (DEALS, "dealer") in viewers:
                received.rounds[-1][DEALS].extend(behind_the_felt(stood, rows))
    finally:
        logging.getLogger("crossfelt").removeHandler(logged)
    return received


async def opened(actor: TableActor) -> None:
    """Wait until a table without players has nothing to do."""
    async with asyncio.timeout(WAIT_SECONDS):
        while actor.seq < OPENED:
            await asyncio.sleep(0.002)


def behind_the_felt(table: TableState, rows: Sequence[Stored]) -> Iterator[dict[str, Any]]:
    """Return the options and irregularities of dealer and floor at each step of some rows."""
    for row in rows:
        before = table.step
        for event in read_row(row.body).events:
            table = evolve(table, event)
        if table.step != before:
            acts = acts_now(table, row.at, live=False)
            troubles = [possible_irregularities(table, row.at, role) for role in ("dealer", "floor")]
            yield {"type": "desk", "told": msgspec.to_builtins((acts, troubles), enc_hook=enc_hook)}


async def one_round(actor: TableActor, watchers: dict[str, Subscriber]) -> None:
    number, said, refused = actor.table.round, False, set[str]()
    while not actor.memory.rounds or actor.memory.rounds[-1].round != number:
        seq = actor.seq
        for name, seat in SEATS.items():
            asked = wish(actor, name, seat)
            if asked is not None:
                await ask(actor, watchers[name], asked)
                if actor.table.step != "open_bets" and name not in refused:
                    refused.add(name)  # what is refused tells nothing either
                    await ask(actor, watchers[name], {"command": "bet", "seat": 3 - seat, "cents": 1})
        for name, seat in SEATS.items():
            if seat in actor.table.seeds_due:
                assert actor.take_seed(name, actor.table.round, seat, SEED).problem is None
        if not said and all(actor.table.seat(seat).wagers for seat in SEATS.values()):
            said = True
            for name in SEATS | WITHOUT_A_WAGER:
                actor.ready(name, None)
        if actor.seq == seq:
            await asyncio.sleep(0.002)
    while actor.table.step != "open_bets" and "bank" not in actor.table.step:
        await asyncio.sleep(0.002)


def wish(actor: TableActor, name: str, seat: int) -> dict[str, Any] | None:
    """Return a player's next command: wagers once, then a fold or the first choice."""
    options = msgspec.to_builtins(options_of(actor.table, Viewpoint("player", name)))
    if actor.table.step == "open_bets":
        placed = None if actor.table.seat(seat).wagers else decided(options, seat, open_bets=True)
        return placed and {**placed, "seed_hash": seed_hash(SEED)}
    own = [option for option in options if option.get("seat") == seat]
    if name == FOLDS and (giving_up := [it for it in own if it["command"] in GIVES_UP]):
        return {"command": giving_up[0]["command"], "seat": seat}
    return decided(own, seat, open_bets=False)


async def ask(actor: TableActor, watcher: Subscriber, fields: dict[str, Any]) -> None:
    """Give a command as a session does, and send a refusal to the subscriber."""
    asked = CommandRequest(
        id=f"{actor.seq}-{fields['command']}-{fields['seat']}", who=watcher.name, role="player", fields=fields
    )
    answer = await actor.ask(asked)
    if answer.problem is not None:
        watcher.send(encode(RefusedMessage(id=asked.id, problem=answer.problem)))


def read(watcher: Subscriber) -> Iterator[dict[str, Any]]:
    """Yield the messages without commitments and their openings, which are salted."""
    while watcher.messages:
        text = watcher.messages.pop(0)
        assert text is not None
        message = msgspec.json.decode(text)
        message.pop("commitment", None)
        if message["type"] != "opened":
            yield message


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {vars(record)}")


def may_see(events: list[dict[str, Any]], seat: int) -> set[str]:
    """Return the cards that a seat's player, or a spectator, has seen by the rules: their own, and those face up."""
    seen: set[str] = set()
    for event in events:
        match event["event"]:
            case "deck_shuffled" | "cards_discarded":
                continue
            case "cards_dealt":
                seen |= {card for of, _, card in event["cards"] if of == seat}
            case "hand_set":
                seen |= cards_in(event) if event["seat"] == seat else set()
            case _:
                seen |= cards_in(event)
    return seen


def cards_in(told: Any) -> set[str]:
    if isinstance(told, str):
        return {told} if len(told) == 2 else set()
    if isinstance(told, dict):
        return set().union(*(cards_in(value) for value in told.values())) if told else set()
    if isinstance(told, list):
        return set().union(*(cards_in(value) for value in told)) if told else set()
    return set()


def altered(deck: Deck, seen: set[str]) -> Deck:
    """Return the deck with all unseen cards moved to other places."""
    unseen = [place for place, card in enumerate(deck) if card.text not in seen]
    after = list(deck)
    for place, other in zip(unseen, unseen[1:] + unseen[:1], strict=True):
        after[place] = deck[other]
    return tuple(after)


def run(rulebook: str, directory: Path, rounds: int, beginning: int = 0) -> None:
    """Play pairs of rounds, one for each viewer and round, with decks numbered from `beginning`."""
    size = 53 if rulebook == "nj-pai-gow" else 52
    decks = [deck_for(rulebook, beginning + number, size) for number in range(rounds + 2)]

    async def pairs(first: Received, seat: int, viewers: Sequence[tuple[str, Role]]) -> None:
        seen = [may_see(events, seat) for events in first.happened]
        others = [altered(deck, seen[number]) if number < rounds else deck for number, deck in enumerate(decks)]
        assert sum(deck != other for deck, other in zip(decks, others, strict=True)) == rounds
        second = await play(directory / f"{seat}", rulebook, others, rounds, viewers)
        for number in range(rounds):
            for name, _ in viewers:
                told = first.rounds[number][name]
                assert told, f"{name} was told nothing in round {number + 1}"
                assert told == second.rounds[number][name], f"round {beginning + number + 1}, seen by {name}"

    async def all_pairs() -> None:
        first = await play(directory / "first", rulebook, decks, rounds)
        assert [line for line in first.logged if "card" in line] == []
        # Those without a seat may see the same cards: of them the same others are put elsewhere.
        by_seat: dict[int, list[tuple[str, Role]]] = {}
        for name, role in VIEWERS:
            by_seat.setdefault(SEATS.get(name, SPECTATOR), []).append((name, role))
        await asyncio.gather(*(pairs(first, seat, viewers) for seat, viewers in by_seat.items()))

    asyncio.run(all_pairs())


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_messages_do_not_depend_on_cards_the_viewer_has_not_seen(rulebook: str, tmp_path: Path) -> None:
    run(rulebook, tmp_path, ROUNDS)


@pytest.mark.soak
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_million_paired_rounds(rulebook: str, tmp_path: Path, record_property: Recorded, progress: Progress) -> None:
    rounds = -(-scaled(PAIRS_SOAK) // (len(VIEWERS) * len(rulebook_ids())))
    for beginning in range(0, rounds, BATCH):
        batch = tmp_path / f"{beginning}"
        batch.mkdir()
        run(rulebook, batch, min(BATCH, rounds - beginning), beginning)
        shutil.rmtree(batch)
        progress(beginning + BATCH, rounds)
    record_property("figure", f"{rounds * len(VIEWERS):,} pairs of rounds: the same bytes to every viewer")
