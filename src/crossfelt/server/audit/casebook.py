"""Every round of a table that is over: where it stands in its stream, and the table as it was before it.

A stream is followed once from its first row, beside serving, and then only as far as it has grown. Now and then the
table is kept as it stands, so that any round can be opened again from a place shortly before it.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from crossfelt.errors import BadInput, Problem
from crossfelt.proof.history import Header, read_row
from crossfelt.proof.replay_round import ReplayedRound, StreamReplay, replay_round, round_ended, round_opened
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.recovery import RoundIndex, readable_header
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.reader import Reader
from crossfelt.table.views import SecretDecks

PAGE: Final = 400
ROUNDS_BETWEEN: Final = 20
"""So many rounds lie between two places from which a stream can be followed again."""
VOLUMES: Final = 8
"""Streams that are remembered at a time."""


class Casebook:
    """The rounds of the tables of a store."""

    def __init__(self, store: Reader) -> None:
        self._store = store
        self._volumes: OrderedDict[str, Volume] = OrderedDict()

    async def volume(self, stream: str) -> Volume:
        """All rounds of a stream that are over by now."""
        volume = self._volumes.get(stream)
        if volume is None:
            found = await self._store.rows(stream, limit=1)
            if not found:
                raise BadInput(Problem(code="stream.unknown", what="there is no such stream", value=stream))
            volume = self._volumes[stream] = Volume(readable_header(found[0]))
        self._volumes.move_to_end(stream)
        while len(self._volumes) > VOLUMES:
            self._volumes.popitem(last=False)
        await self._catch_up(stream, volume)
        return volume

    async def reopened(self, stream: str, number: int) -> ReplayedRound:
        """A round that is over, from the rows as they are stored now."""
        volume = await self.volume(stream)
        index = volume.find(number)
        standing = volume.before(index)
        rows = await self._store.rows(stream, standing.seq, index.last - standing.seq)
        reopened = await asyncio.to_thread(_reopened, standing, number, rows)
        if reopened is None:
            raise BadInput(Problem(code="round.broken", what="its rows have no end", where="number", value=number))
        return reopened

    async def _catch_up(self, stream: str, volume: Volume) -> None:
        async with volume.lock:
            end = (await self._store.head(stream)).seq
            while not volume.broken and (page := await self._store.rows(stream, volume.seq, PAGE)):
                await asyncio.to_thread(volume.follow, page)
            if not volume.broken and volume.seq < end:
                volume.broken = f"rows are missing: the stream should end at {end}"


class Volume:
    """One stream, as far as it was followed."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.rounds: list[RoundIndex] = []
        self.broken = ""
        """Why it could not be followed further: its rows were altered."""
        self.lock = asyncio.Lock()
        self._standing = StreamReplay(header)
        self._places = [self._standing.copy()]
        self._current: list[TableEntry] = []
        self._unplayed = SecretDecks()

    @property
    def told_until(self) -> int:
        """The last row up to which it may be read: the end of a round, with no deck before it still to be played."""
        open_from = min(self._unplayed.places, default=self.seq + 1)
        return next((it.last for it in reversed(self.rounds) if it.last < open_from), 1)

    @property
    def seq(self) -> int:
        return self._standing.seq

    def find(self, number: int) -> RoundIndex:
        """Where a round stands. A round that is not over is none."""
        if 1 <= number <= len(self.rounds) and self.rounds[number - 1].round == number:
            return self.rounds[number - 1]
        found = next((it for it in self.rounds if it.round == number), None)
        if found is None:
            what = self.broken or "no such round is on record"
            raise BadInput(Problem(code="round.unknown", what=what, where="number", value=number))
        return found

    def before(self, index: RoundIndex) -> StreamReplay:
        """The last place that was kept before the first row of a round, to go on from."""
        at = bisect_right(self._places, index.first - 1, key=lambda place: place.seq)
        return self._places[at - 1].copy()

    def follow(self, page: Sequence[Stored]) -> None:
        """Goes on through some rows, to the first that cannot be followed."""
        for stored in page:
            try:
                self._row(stored)
            except Exception as error:  # rows that were altered can make anything of a table
                self.broken = f"row {stored.seq} cannot be followed: {type(error).__name__}"
                return

    def _row(self, stored: Stored) -> None:
        row, before = read_row(stored.body), self._standing.table
        if round_opened(row.events) is not None:
            self._current = []
            if len(self.rounds) % ROUNDS_BETWEEN == 0:
                self._places.append(self._standing.copy())
        self._standing.follow(stored.seq, row.events)
        for event in row.events:
            self._unplayed.see(stored.seq, event)
        self._current.append(TableEntry.of(stored.seq, before, row.command, row.events, self._standing.table))
        if round_ended(row.events) is not None:
            self.rounds.append(RoundIndex.of(self._current))
            self._current = []


def _reopened(standing: StreamReplay, number: int, rows: Sequence[Stored]) -> ReplayedRound | None:
    return replay_round(standing, number, ((stored.seq, read_row(stored.body).events) for stored in rows))
