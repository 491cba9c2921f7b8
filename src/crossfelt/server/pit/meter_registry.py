"""The registry of meters: which meters there are, which tables feed each, and the updates of their amounts."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from crossfelt.errors import BadInput
from crossfelt.progressive.events import Parameters
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.meters import PREFIX, LinkedMeters, link_of
from crossfelt.server.core.settings import TableSettings, settings_of
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.store.interface import Unavailable

if TYPE_CHECKING:
    from crossfelt.server.pit.pit import Pit

log = logging.getLogger(__name__)


class MeterRegistry:
    """The meters that public tables feed or have fed. Those of private tables belong to their owners."""

    def __init__(self, pit: Pit) -> None:
        self.closed: set[str] = set()
        """The public tables that are closed for good. Their own meters may still hold money."""
        self._pit = pit
        self._meters = pit.meters
        self._broken: set[str] = set()
        """The unreadable meters that were logged."""

    def fed(self) -> dict[str, list[str]]:
        """Return the meters that tables feed, by stream, with the tables of each, whichever process owns them."""
        found: dict[str, list[str]] = {}
        for settings, meters in self._linked(it for it in self._pit.settings.values() if not it.owner):
            for stream in meters.streams:
                found.setdefault(stream, []).append(settings.id)
        return found

    def known(self) -> dict[str, list[str]]:
        """Return the same with the meters that no table feeds any more: they may still hold money."""
        links = self._links()
        return {stream: [] for stream in self._meters.seen if link_of(stream) in links} | self.fed()

    def most_in_a_round(self, stream: str) -> int:
        """Return the most that one round at a linked table adds to a meter, in cents, under the rules in force or under
        those of an approved change."""
        return max((meters.most_in_a_round(stream) for meters in self._feeding(stream)), default=0)

    def require_allowed(self, stream: str, parameters: Parameters) -> None:
        """Raise `BadInput` if the rules of a linked table, in force or approved, do not allow a meter's parameters."""
        for meters in self._feeding(stream):
            meters.require_allowed(stream, parameters)

    def require_link(self, settings: TableSettings, game: Game, replaces: str = "") -> None:
        """Raise `BadInput` if a table cannot be on its link: a private or physical table has meters of its own, and
        the tables of a link have the same odds and contributions. `replaces` is the table that closes for it."""
        others = [it for it in self._pit.settings.values() if not it.owner and it.id != replaces]
        others += [settings_of(change) for change in self._pit.approved_changes.values() if change.table != replaces]
        if settings.link:
            if settings.owner or settings.live:
                what = "a private or physical table has meters of its own"
                raise BadInput.at("link", "meter.link", what, settings.link)
            known = {settings.rulebook, *(it.first_id for it in others if it.rulebook == settings.rulebook)}
            if settings.link not in known:
                what, allowed = "there is no such link for this rulebook", ", ".join(sorted(known))
                raise BadInput.at("link", "meter.link", what, settings.link, allowed)
        linked = self._meters.linked(settings, game)
        for other, meters in self._linked(others):
            if other.meter_link == settings.meter_link:
                linked.require_same_terms(meters)

    def _feeding(self, stream: str) -> Iterator[LinkedMeters]:
        """Yield the meters of the tables that feed a meter, under the rules in force and of approved changes."""
        tables = [self._pit.settings[table] for table in self.fed().get(stream, ())]
        tables += map(settings_of, self._pit.approved_changes.values())
        return (meters for _, meters in self._linked(tables))

    def _linked(self, tables: Iterable[TableSettings]) -> Iterator[tuple[TableSettings, LinkedMeters]]:
        """Yield tables with their meters, without those for which this version compiles no game."""
        for settings in tables:
            try:
                game = self._game(settings)
            except BadInput:
                continue
            yield settings, self._meters.linked(settings, game)

    def _game(self, settings: TableSettings) -> Game:
        """Return the game of a table. One that runs here may have other rules than the rulebook has now."""
        actor = self._pit.actors.get(settings.id)
        return settings.compile(self._pit.rulebooks) if actor is None else actor.table.game

    def _links(self) -> set[str]:
        public = (settings.first_id for settings in self._pit.settings.values() if not settings.owner)
        return {*self._pit.rulebooks.ids, *public, *self.closed}

    def forget_table(self, actor: TableActor) -> None:
        """Note that a table is closed for good. The meters of a private table are dropped."""
        if not actor.settings.owner:
            self.closed.add(actor.settings.id)
            return
        for stream in actor.meters.streams:
            self._meters.seen.pop(stream, None)

    # --- amounts ------------------------------------------------------------------------------------------------------

    async def load(self) -> None:
        """Read every meter of public tables, also those of earlier submissions."""
        links = self._links()
        streams = [head.stream for head in await self._pit.store.streams(PREFIX)]
        await self._read(stream for stream in streams if link_of(stream) in links)

    async def refresh(self) -> None:
        """Read the meters again, because other processes change them too."""
        own = {stream for actor in self._pit.actors.values() for stream in actor.meters.streams}
        await self._read(own.union(self.known()))

    async def _read(self, streams: Iterable[str]) -> None:
        """Read meters; the tables of an unreadable one stay closed."""
        for stream in streams:
            try:
                await self._meters.refresh(self._pit.store, [stream])
            except Unavailable:
                raise
            except Exception as fault:  # altered rows can raise any exception
                if stream not in self._broken:
                    self._broken.add(stream)
                    log.error("a meter cannot be read: %s", fault, extra={"stream": stream})

    async def refresh_and_publish(self, streams: Collection[str]) -> None:
        """Read meters that changed without a row of a table, and send them to the subscribers."""
        await self._meters.refresh(self._pit.store, streams)
        self.publish()

    def publish(self) -> None:
        """Send subscribers the meters whose amount has changed since the last update."""
        for actor in self._pit.actors.values():
            actor.publish_status()
