"""The meters of the house, as it looks after them: which there are, which tables feed each, and who is told of them."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress

from crossfelt.house.store.folding import BrokenChain
from crossfelt.house.store.port import Store, Unavailable
from crossfelt.house.tables.actor import TableActor
from crossfelt.house.tables.meters import PREFIX, LinkedMeters, MeterRoom, link_of
from crossfelt.house.tables.recovery import readable_header
from crossfelt.house.tables.reopening import Reopening
from crossfelt.house.tables.settings import TableSettings, settings_of, usual_game
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.loading import rulebook_ids

log = logging.getLogger(__name__)


class MeterBoard:
    """The meters that tables of the house feed; those of private tables are their owners'."""

    def __init__(
        self,
        room: MeterRoom,
        store: Store,
        *,
        actors: Mapping[str, TableActor],
        settings: Mapping[str, TableSettings],
        reopening: Reopening,
    ) -> None:
        self.closed: set[str] = set()
        """Tables of the house that are closed for good; their own meters may still hold something."""
        self._room = room
        self._store = store
        self._actors = actors
        self._settings = settings
        self._reopening = reopening
        self._elsewhere: dict[str, Game | None] = {}
        """The games of tables that other processes have, by the streams of their openings; None where one cannot be
        read."""
        self._shown: dict[str, int] = {}
        self._broken: set[str] = set()
        """Meters of which it was said that they cannot be read."""

    # --- which there are ----------------------------------------------------------------------------------------------

    def fed(self) -> dict[str, list[str]]:
        """The meters that tables feed, by their streams, with the tables of each, whichever process has them."""
        found: dict[str, list[str]] = {}
        for settings, meters in self._linked(it for it in self._settings.values() if not it.owner):
            for stream in meters.streams:
                found.setdefault(stream, []).append(settings.id)
        return found

    def known(self) -> dict[str, list[str]]:
        """The same with those that no table is linked to any more: what is in them is the house's to look after."""
        links = self._links()
        left: dict[str, list[str]] = {stream: [] for stream in self._room.seen if link_of(stream) in links}
        return {**left, **self.fed()}

    def most_in_a_round(self, stream: str) -> int:
        """The most that one round at a linked table adds to a meter, in cents: under the rules that are in force
        there, or under those that wait for the next round."""
        tables = [self._settings[table] for table in self.fed().get(stream, ())]
        tables += map(settings_of, self._reopening.coming.values())
        return max((meters.most_in_a_round(stream) for _, meters in self._linked(tables)), default=0)

    def _linked(self, tables: Iterable[TableSettings]) -> Iterator[tuple[TableSettings, LinkedMeters]]:
        """Tables, each with the meters of the game that it goes by, or will: what this version allows."""
        for settings in tables:
            game = self._game(settings) or usual_game(settings)
            if game is not None:
                yield settings, self._room.linked(settings, game)

    def _game(self, settings: TableSettings) -> Game | None:
        """The game of an opening of a table, where it is known here."""
        actor = self._actors.get(settings.id)
        if actor is not None and actor.settings.opening == settings.opening:
            return actor.table.game
        return self._elsewhere.get(settings.stream)

    def _links(self) -> set[str]:
        """The links of meters of the house: those of private tables are their own."""
        public = (table for table, settings in self._settings.items() if not settings.owner)
        return {*rulebook_ids(), *public, *self.closed}

    def retired(self, actor: TableActor) -> None:
        """A table is closed for good. Its own meters may still hold something, which the house looks after; those of a
        private table nobody sees any more."""
        if not actor.settings.owner:
            self.closed.add(actor.settings.id)
            return
        for stream in actor.meters.streams:
            self._room.seen.pop(stream, None)

    # --- what they show -----------------------------------------------------------------------------------------------

    async def find(self) -> None:
        """Looks at every meter of the house, also at what other submissions have left behind."""
        await self._read_games()
        links = self._links()
        for stream in [head.stream for head in await self._store.streams(PREFIX) if link_of(head.stream) in links]:
            try:
                await self._room.look(self._store, [stream])
            except Unavailable:
                raise
            except Exception:  # rows that were altered can make anything of a meter; its tables stay shut
                log.exception("a meter cannot be read", extra={"meter": stream})

    async def look(self) -> None:
        """Other processes feed and empty them too."""
        await self._read_games()
        own = {stream for actor in self._actors.values() for stream in actor.meters.streams}
        for stream in own.union(self.known()):
            try:
                await self._room.look(self._store, [stream])
            except BrokenChain as broken:  # the others are looked at all the same
                if stream not in self._broken:
                    self._broken.add(stream)
                    log.error("a meter cannot be read: %s", broken, extra={"stream": stream})

    async def _read_games(self) -> None:
        """What tables of other processes go by, their streams say: it may be what this version does not allow."""
        here = {actor.settings.stream for actor in self._actors.values()}
        there = {it.stream for it in self._settings.values() if not it.owner} - here
        self._elsewhere = {stream: game for stream, game in self._elsewhere.items() if stream in there}
        for stream in there - self._elsewhere.keys():
            for header in await self._store.rows(stream, limit=1):
                self._elsewhere[stream] = None
                with suppress(Exception):  # rows that were altered can make anything of a table; it is shut
                    self._elsewhere[stream] = readable_header(header).compile()

    async def moved(self, streams: Collection[str]) -> None:
        """Meters have changed otherwise than by a table of this process: everybody who sees them is told."""
        await self._room.look(self._store, streams)
        self.tell()

    def tell(self) -> None:
        """Tells everybody of meters that show another amount than they were last told, whichever table changed it."""
        shown = {stream: meter.amount_cents for stream, meter in self._room.seen.items()}
        changed = {stream for stream, cents in shown.items() if self._shown.get(stream) != cents}
        self._shown = shown
        for actor in self._actors.values():
            if changed.intersection(actor.meters.streams):
                actor.meters_changed()
