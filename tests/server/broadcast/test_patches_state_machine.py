"""Whatever happens at a table, a page with every patch applied shows what a new subscriber is shown.

Subscribers join, leave, resume, and open several pages at once.
"""

from __future__ import annotations

import json
from random import Random
from typing import Final

import pytest

from crossfelt.rulebooks.game import compile_game
from crossfelt.server.broadcast.hub import Broadcaster, Status
from crossfelt.server.broadcast.viewer_messages import options_of, viewpoint_of
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.table.commands import Command
from crossfelt.table.state import new_table
from crossfelt.table.views import view
from crossfelt.wire import encode
from server.broadcast.test_patches import Reduced
from soak_length import scaled
from unit.table import test_state_machine
from unit.table.test_state_machine import PEOPLE, STARTS, VARIANTS, TableMachine

NOTHING: Final[Status] = {
    "meters": {}, "deadline": None, "ready": (), "waiting": (), "held": False, "commitment": None
}  # fmt: skip
TELLINGS: Final = 60


class WatchedTable(TableMachine):
    """A table with players who do anything that is allowed, and its subscribers."""

    def __init__(self, chance: Random) -> None:
        super().__init__()
        self.chance = chance
        self.broadcaster = Broadcaster(lambda: 0, Metrics(), {})
        self.pages: list[Reduced] = []
        self.gone: list[tuple[Reduced, int]] = []
        """Pages that are closed, and the last row each was told of."""
        self.rows: list[TableEntry] = []

    def accept(self, command: Command) -> None:
        before, earlier = self.table, len(self.events)
        super().accept(command)
        self.rows.append(TableEntry.of(len(self.rows) + 1, before, command, tuple(self.events[earlier:]), self.table))

    def come_and_go(self) -> None:
        chance, seq = self.chance, len(self.rows)
        while chance.random() < 0.25:
            self.pages.append(Reduced(*chance.choice(PEOPLE)))
            self.broadcaster.welcome(self.pages[-1].watcher, self.table, seq, NOTHING)
        if self.pages and chance.random() < 0.1:
            page = self.pages.pop(chance.randrange(len(self.pages)))
            page.read()
            self.broadcaster.unsubscribe(page.watcher)
            self.gone.append((page, seq))
        if self.gone and chance.random() < 0.2:
            left, seen = self.gone.pop()
            page = Reduced(left.watcher.name, left.watcher.role)
            page.state = left.state
            self.pages.append(page)
            self.broadcaster.resume(page.watcher, self.table, self.rows[seen:], seq, NOTHING)

    def advance_and_publish(self) -> None:
        """Advance by one row, several or none, and publish."""
        received = len(self.rows)
        for _ in range(self.chance.randrange(4)):
            if self.chance.random() < 0.4 or not self.naturally(self.chance):
                self.listed_is_accepted(self.some_option(self.chance))
        self.broadcaster.publish(self.rows[received:], self.table, len(self.rows), NOTHING)

    def pages_show_what_is_there(self) -> None:
        for page in self.pages:
            page.read()
            here = viewpoint_of(self.table, page.watcher.role, page.watcher.name)
            assert page.state["view"] == json.loads(encode(view(self.table, here.viewer)))
            assert page.state["allowed"] == json.loads(encode(options_of(self.table, here)))


def look_on(seed: int) -> None:
    chance = Random(seed)
    watched = WatchedTable(chance)
    watched.sit_down(variant=chance.choice(VARIANTS), start=chance.choice(STARTS), seed=chance.randrange(1000))
    for _ in range(TELLINGS):
        watched.come_and_go()
        watched.advance_and_publish()
        watched.pages_show_what_is_there()


@pytest.fixture(autouse=True)
def outside_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_state_machine, "note", str)


@pytest.mark.parametrize("seed", range(8))
def test_a_page_with_every_patch_shows_what_a_new_subscriber_sees(seed: int) -> None:
    look_on(seed)


@pytest.mark.soak
def test_the_same_for_thousands_of_tables() -> None:
    for seed in range(scaled(5_000)):
        look_on(1_000 + seed)


def test_a_clock_that_ended_without_subscribers_is_published() -> None:
    broadcaster, table = Broadcaster(lambda: 0, Metrics(), {}), new_table(compile_game("md-criss-cross"))
    page = Reduced("Ann", "player")
    broadcaster.welcome(page.watcher, table, 0, NOTHING)
    broadcaster.unsubscribe(page.watcher)
    broadcaster.welcome(page.watcher, table, 0, {**NOTHING, "deadline": 5_000, "ready": (1,)})
    broadcaster.publish([], table, 0, NOTHING)
    page.read()
    assert (page.state["deadline"], page.state["ready"]) == (None, [])
