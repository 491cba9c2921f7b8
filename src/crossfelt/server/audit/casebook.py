"""The casebook: the finished rounds of each table, with their places in the stream, ready to be replayed.

A stream is replayed once from its first row, in a thread, and later only from where it has grown. Every twenty rounds
the state of the table is kept as a checkpoint, so that a replay of any round begins shortly before it.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from crossfelt.errors import BadInput, Problem
from crossfelt.proof.history import read_row
from crossfelt.proof.replay_round import ReplayedRound, StreamReplay, replay_round, round_opened
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.recovery import RecentRows, RoundIndex, readable_header
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.reader import Reader
from crossfelt.table.views import SecretDecks

PAGE: Final = 400
ROUNDS_BETWEEN: Final = 20
VOLUMES: Final = 8


class Casebook:
    """The finished rounds of all tables."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._volume = lru_cache(maxsize=VOLUMES)(Volume)

    async def volume(self, stream: str) -> Volume:
        """Return the rounds of a stream that are over by now."""
        found = await self._store.rows(stream, limit=1)
        if not found:
            raise BadInput(Problem(code="stream.unknown", what="there is no such stream", value=stream))
        volume = self._volume(found[0])
        async with volume.lock:
            end = (await self._store.head(stream)).seq
            while not volume.broken and (page := await self._store.rows(stream, volume.seq, PAGE)):
                await asyncio.to_thread(volume.apply, page)
            if not volume.broken and volume.seq < end:
                volume.broken = f"rows are missing: the stream should end at {end}"
        return volume

    async def reopened(self, stream: str, number: int) -> ReplayedRound:
        """Replay a finished round from the rows as they are stored now."""
        volume = await self.volume(stream)
        index = volume.find(number)
        at = bisect_right(volume.checkpoints, index.first - 1, key=lambda checkpoint: checkpoint.seq)
        replay = volume.checkpoints[at - 1].copy()
        rows = await self._store.rows(stream, replay.seq, index.last - replay.seq)
        events = ((stored.seq, read_row(stored.body).events) for stored in rows)
        replayed = await asyncio.to_thread(replay_round, replay, number, events)
        if replayed is None:
            raise BadInput.at("number", "round.broken", "the rows of the round do not reach its end", number)
        return replayed


class Volume:
    """The rounds of one stream, as far as it was replayed."""

    def __init__(self, first: Stored) -> None:
        self.header = readable_header(first)
        self.rounds: list[RoundIndex] = []
        self.broken = ""
        """The reason why the replay stopped: a row was altered."""
        self.lock = asyncio.Lock()
        self._replay = StreamReplay(self.header)
        self.checkpoints = [self._replay.copy()]
        self._memory = RecentRows()
        self._unplayed = SecretDecks()

    @property
    def exportable_until(self) -> int:
        """The last row that may be exported: the end of a round, with no deck before it still to be played."""
        open_from = min(self._unplayed.places, default=self.seq + 1)
        return next((it.last for it in reversed(self.rounds) if it.last < open_from), 1)

    @property
    def seq(self) -> int:
        return self._replay.seq

    def find(self, number: int) -> RoundIndex:
        """Return the place of a finished round; `BadInput` for any other number."""
        found = next((it for it in self.rounds if it.round == number), None)
        if found is None:
            raise BadInput.at("number", "round.unknown", self.broken or "no such round is on record", number)
        return found

    def apply(self, page: Sequence[Stored]) -> None:
        """Apply rows, up to the first that fails."""
        for stored in page:
            try:
                self._apply(stored)
            except Exception as error:  # altered rows can raise anything
                why = type(error).__name__ if stored.intact else "it was altered, its hash is another"
                self.broken = f"row {stored.seq} cannot be replayed: {why}"
                return

    def _apply(self, stored: Stored) -> None:
        row, before = read_row(stored.body), self._replay.table
        if round_opened(row.events) is not None and len(self.rounds) % ROUNDS_BETWEEN == 0:
            self.checkpoints.append(self._replay.copy())
        self._replay.follow(stored.seq, row.events)
        for event in row.events:
            self._unplayed.see(stored.seq, event)
        entry = TableEntry.of(stored.seq, before, row.command, row.events, self._replay.table)
        if (ended := self._memory.keep(entry)) is not None:
            self.rounds.append(ended)
