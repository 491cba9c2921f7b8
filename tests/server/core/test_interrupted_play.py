"""Interrupted play: the rules decide for a player who is disconnected or silent, or whose server is stopped.

All other players see, win and are asked the same as if that player had made the same decisions.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args

import msgspec
import pytest

from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.rulebooks.script import Decide, SetHands
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.broadcast.viewer_messages import Viewpoint, options_of
from crossfelt.server.core.requests import CommandRequest
from crossfelt.server.core.settings import TableSettings, TimingPresetName
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.pit.pit import Pit
from crossfelt.table.state import step_of
from limits import WAIT_SECONDS
from server.broadcast.test_card_leaks import deck_for, opened, stacked
from server.served import decided, pit_of
from soak_length import one_of_each_game

Cause = Literal["cut off", "silent", "parked"]
CAUSES: Final = get_args(Cause)
PACES: Final[tuple[TimingPresetName, ...]] = ("instant", "regulated")
PLAYERS: Final = {"Ann": 1, "Bob": 2, "Cleo": 3}
TABLE: Final = "one"
AT_A_TIME: Final = 6
TOLD_APART: Final = ("irregularity_reported", "floor_decided", "step_entered")
"""The events that an absence adds beside those of the seat; steps say whose turn it is."""
DECIDES: Final = {"hand_folded": "fold", "hand_set": "set_house_way", "choice_made": "choose", "bet_placed": "bet"}


class Interruption(NamedTuple):
    """The seat that is lost, the cause, and the number of the decision."""

    cause: Cause
    seat: int
    decision: int


NOBODY: Final = Interruption("silent", 2, 1 << 30)


class Course(NamedTuple):
    """The course of a round."""

    told: dict[str, list[dict[str, Any]]]
    """The events that each other player saw, without times and numbers, and without those of the absent seat."""
    acts: list[dict[str, Any]]
    """The decisions of the absent seat."""
    nets: dict[int, int]


class Table:
    """A round at one table, which may lose a player at a decision, or be stopped there and started again."""

    def __init__(
        self, directory: Path, rulebook: str, pace: TimingPresetName, lost: Interruption, acts: list[dict[str, Any]]
    ):
        """`acts` are the player's own decisions from that one on; None if the player is really lost."""
        self._directory = directory
        self._settings = TableSettings(id=TABLE, rulebook=rulebook, pace=pace)
        self._lost = lost
        self._says = iter(acts)
        self._aloud = bool(acts)
        self._now = 1_000_000
        self._decisions = self._commands = 0
        self._gone = self._stopped = False
        self._events: dict[str, list[dict[str, Any]]] = {name: [] for name in PLAYERS}
        self._watchers: dict[str, Subscriber] = {}
        size = compile_game(rulebook).book.deck.cards
        self._decks = [deck_for(rulebook, number, size) for number in range(3)]

    async def course(self) -> Course:
        async with self._open(*PLAYERS) as pit:
            actor = await pit.create(self._settings, who="test")
            await opened(actor)
            if await self._play(actor):
                return await self._went(pit)
        async with self._open() as pit:
            await pit.open()
            assert await self._play(pit.find(TABLE))
            return await self._went(pit)

    async def _went(self, pit: Pit) -> Course:
        actor = pit.find(TABLE)
        (over,) = list(actor.memory.rounds)[:1]
        assert over.outcome == "settled"
        assert sum(actor.table.balances.values()) == 0
        rows = await pit.store.rows(self._settings.stream, after=over.first - 1, limit=over.last - over.first + 1)
        events = [event for row in rows for event in json.loads(row.body)["events"]]
        acts = [event for event in events if event.get("seat") == self._lost.seat and event["event"] in DECIDES]
        others = {name: list(self._plain(name)) for name, seat in PLAYERS.items() if seat != self._lost.seat}
        return Course(others, acts, dict(over.nets))

    def _open(self, *guests: str) -> Any:
        return pit_of(self._directory, *guests, rng=lambda: stacked(self._decks), now=lambda: self._now)

    async def _play(self, actor: TableActor) -> bool:
        """Play until the round is over, or the server is stopped in the middle of it; return whether it is over."""
        self._watchers = {name: Subscriber(name, "player") for name in PLAYERS}
        for name, watcher in self._watchers.items():
            if not (self._gone and PLAYERS[name] == self._lost.seat):
                actor.join(watcher)
        async with asyncio.timeout(WAIT_SECONDS):
            while not actor.memory.rounds:
                acted = False
                self._read()
                for name, seat in PLAYERS.items():
                    asked = self._wish(actor, name, seat)
                    if self._gone and seat == self._lost.seat and not self._aloud:
                        if self._parks():
                            self._read()
                            return False
                        continue
                    if asked is not None:
                        acted = True
                        await self._ask(actor, name, asked)
                if not acted:
                    await self._let_pass(actor)
        self._read()
        return True

    async def _let_pass(self, actor: TableActor) -> None:
        """Let half a second pass, in which the table does what is due.

        The table handles one request after the other. When it refuses the second, it has checked the clock and stored
        what was due.
        """
        self._now += 500
        for _ in range(2):
            self._commands += 1
            await actor.ask(
                CommandRequest(id=f"{self._commands}", who="nobody", role="player", fields={"command": "nothing"})
            )
        await asyncio.sleep(0)

    def _parks(self) -> bool:
        """Return whether the server stops now: once, when the player is lost with it."""
        stops = self._lost.cause == "parked" and not self._stopped
        self._stopped = True
        return stops

    async def _ask(self, actor: TableActor, name: str, asked: dict[str, Any]) -> None:
        self._commands += 1
        await actor.ask(CommandRequest(id=f"{self._commands}", who=name, role="player", fields=asked))
        if asked["command"] == "place_wagers":
            actor.ready(name, None)

    def _wish(self, actor: TableActor, name: str, seat: int) -> dict[str, Any] | None:
        """Return a player's next act. The lost player does nothing more, or repeats the recorded decisions."""
        if actor.table.seat(seat).player != name:
            return {"command": "take_seat", "seat": seat, "chips_cents": 300_00}
        open_bets = actor.table.step == "open_bets"
        if open_bets and actor.table.seat(seat).wagers:
            return None
        options = msgspec.to_builtins(options_of(actor.table, Viewpoint("player", name)))
        asked = decided(options, seat, open_bets=open_bets)
        if asked is None or seat != self._lost.seat or not isinstance(step_of(actor.table), Decide | SetHands):
            return asked
        if not self._gone:
            self._decisions += 1
            if self._decisions < self._lost.decision:
                return asked
            self._gone = True
            if self._lost.cause == "cut off" and not self._aloud:
                actor.leave(self._watchers[name])
        return next(self._says, None) if self._aloud else asked

    def _read(self) -> None:
        for name, watcher in self._watchers.items():
            while watcher.messages:
                message = json.loads(watcher.messages.pop(0) or "{}")
                self._events[name] += message.get("events", ())

    def _plain(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the events of the first round that are not about the lost player."""
        whole = self._events[name]
        ends = next(place for place, event in enumerate(whole, start=1) if event["event"] == "round_closed")
        for event in whole[:ends]:
            if event.get("seat") != self._lost.seat and event["event"] not in TOLD_APART:
                yield {key: value for key, value in event.items() if key not in ("at", "seq")}


def as_command(act: dict[str, Any]) -> dict[str, Any]:
    """Return a decision as the player's own command."""
    command = DECIDES[act["event"]]
    asked = {"command": command, "seat": act["seat"]}
    if command == "choose":
        asked["choice"] = act["choice"]
    if command == "bet":
        asked["cents"] = act["cents"]
    return asked


async def compare(directory: Path, rulebook: str, pace: TimingPresetName, lost: Interruption) -> None:
    interrupted = await Table(directory / "lost", rulebook, pace, lost, []).course()
    acts = [as_command(act) for act in interrupted.acts[lost.decision - 1 :]]
    assert acts, "nothing became of the decision"
    aloud = await Table(directory / "aloud", rulebook, pace, lost._replace(cause="silent"), acts).course()
    assert interrupted.acts[lost.decision - 1]["event"] in ("hand_folded", "hand_set", "choice_made")
    assert interrupted.nets == aloud.nets
    for name, told in aloud.told.items():
        assert interrupted.told[name] == told, f"{name} was told something else: {lost}"


def run(directory: Path, rulebook: str, seats: tuple[int, ...]) -> None:
    turn = asyncio.Semaphore(AT_A_TIME)

    @asynccontextmanager
    async def room(name: str) -> AsyncIterator[Path]:
        async with turn:
            (directory / name).mkdir()
            yield directory / name

    async def one(pace: TimingPresetName, lost: Interruption) -> None:
        async with room(f"{pace} {lost.cause} {lost.seat} {lost.decision}") as place:
            await compare(place, rulebook, pace, lost)

    async def everything() -> None:
        async with room("nobody is lost") as place:
            decisions = len((await Table(place, rulebook, "instant", NOBODY, []).course()).acts)
        every = [
            (pace, Interruption(cause, seat, decision))
            for pace in PACES
            for cause in CAUSES
            for seat in seats
            for decision in range(1, decisions + 1)
        ]
        await asyncio.gather(*(one(pace, lost) for pace, lost in every))

    asyncio.run(everything())


@pytest.mark.parametrize("rulebook", one_of_each_game())
def test_a_player_lost_at_a_decision_does_not_affect_the_others(rulebook: str, tmp_path: Path) -> None:
    run(tmp_path, rulebook, (2,))


@pytest.mark.soak
@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_player_lost_at_any_seat_does_not_affect_the_others(rulebook: str, tmp_path: Path) -> None:
    run(tmp_path, rulebook, tuple(PLAYERS.values()))
