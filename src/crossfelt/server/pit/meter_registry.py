"""The meters of the house, as it looks after them: which there are, which tables feed each, and who is told of them."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping

from crossfelt.errors import BadInput
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.core.meters import PREFIX, LinkedMeters, MeterStreams, link_of
from crossfelt.server.core.settings import TableSettings, settings_of
from crossfelt.server.journal.events import TableChanging
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.store.interface import Store, Unavailable
from crossfelt.server.store.projection import BrokenChain

log = logging.getLogger(__name__)


class MeterRegistry:
    """The meters that tables of the house feed; those of private tables are their owners'."""

    def __init__(
        self,
        room: MeterStreams,
        store: Store,
        *,
        actors: Mapping[str, TableActor],
        settings: Mapping[str, TableSettings],
        coming: Mapping[str, TableChanging],
    ) -> None:
        self.closed: set[str] = set()
        """Tables of the house that are closed for good; their own meters may still hold something."""
        self._room = room
        self._store = store
        self._actors = actors
        self._settings = settings
        self._coming = coming
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
        there, or under those of the table that is to take its place."""
        tables = [self._settings[table] for table in self.fed().get(stream, ())]
        tables += map(settings_of, self._coming.values())
        return max((meters.most_in_a_round(stream) for _, meters in self._linked(tables)), default=0)

    def _linked(self, tables: Iterable[TableSettings]) -> Iterator[tuple[TableSettings, LinkedMeters]]:
        """Tables, each with the meters of its game; a table that this version has no game for stays closed."""
        for settings in tables:
            try:
                game = settings.compile()
            except BadInput:
                continue
            yield settings, self._room.linked(settings, game)

    def _links(self) -> set[str]:
        """The links of meters of the house: those of private tables are their own."""
        public = (settings.first_id for settings in self._settings.values() if not settings.owner)
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
        own = {stream for actor in self._actors.values() for stream in actor.meters.streams}
        for stream in own.union(self.known()):
            try:
                await self._room.look(self._store, [stream])
            except BrokenChain as broken:  # the others are looked at all the same
                if stream not in self._broken:
                    self._broken.add(stream)
                    log.error("a meter cannot be read: %s", broken, extra={"stream": stream})

    async def moved(self, streams: Collection[str]) -> None:
        """Meters have changed otherwise than by a table of this process: everybody who sees them is told."""
        await self._room.look(self._store, streams)
        self.publish()

    def publish(self) -> None:
        """Send viewers the meters that show another amount than they were last sent."""
        for actor in self._actors.values():
            actor.publish_meters()
