"""Whatever happens at a table, whoever comes, goes, comes back and has two pages: a page to which every patch was
applied shows what somebody is shown who looks at the table for the first time."""

from __future__ import annotations

import json
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from crossfelt.rulebooks.game import compile_game
from crossfelt.server.broadcast.hub import Broadcaster, TableStatus
from crossfelt.server.broadcast.viewer_messages import options_of, viewpoint_of
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.runtime.metrics import Metrics
from crossfelt.table.commands import Command
from crossfelt.table.state import new_table
from crossfelt.table.views import view
from crossfelt.wire.messages import encode
from server.broadcast.test_patches import Reduced
from soak_length import scaled
from unit.table import test_state_machine
from unit.table.test_state_machine import PEOPLE, STARTS, VARIANTS, TableMachine

NOTHING: Final = TableStatus(table={}, meters={}, deadline=None, ready=(), held=False, fixed=None)
TELLINGS: Final = 60


class WatchedTable(TableMachine):
    """A table at which people do anything they may, and those who look on."""

    def __init__(self, chance: Random) -> None:
        super().__init__()
        self.chance = chance
        self.audience = Broadcaster(lambda: 0, Metrics())
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
            self.audience.welcome(self.pages[-1].watcher, self.table, seq, NOTHING)
        if self.pages and chance.random() < 0.1:
            page = self.pages.pop(chance.randrange(len(self.pages)))
            page.read()
            self.audience.unsubscribe(page.watcher)
            self.gone.append((page, seq))
        if self.gone and chance.random() < 0.2:
            left, seen = self.gone.pop()
            page = Reduced(left.watcher.name, left.watcher.role)
            page.state = left.state
            self.pages.append(page)
            self.audience.resume(page.watcher, self.table, self.rows[seen:], seq, NOTHING)

    def go_on_and_tell(self) -> None:
        """One row, several or none."""
        heard = len(self.rows)
        for _ in range(self.chance.randrange(4)):
            if self.chance.random() < 0.4 or not self.naturally(self.chance):
                self.listed_is_accepted(self.some_option(self.chance))
        self.audience.publish(self.rows[heard:], self.table, len(self.rows), NOTHING)

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
        watched.go_on_and_tell()
        watched.pages_show_what_is_there()


@pytest.fixture(autouse=True)
def outside_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_state_machine, "note", str)


@pytest.mark.parametrize("seed", range(8))
def test_a_page_with_every_patch_shows_what_a_newcomer_is_shown(seed: int) -> None:
    look_on(seed)


@pytest.mark.soak
def test_the_same_for_thousands_of_tables() -> None:
    for seed in range(scaled(5_000)):
        look_on(1_000 + seed)


def test_a_clock_that_ends_after_nobody_looked_on_is_told_of() -> None:
    audience, table = Broadcaster(lambda: 0, Metrics()), new_table(compile_game("md-criss-cross"))
    page = Reduced("Ann", "player")
    audience.welcome(page.watcher, table, 0, NOTHING)
    audience.unsubscribe(page.watcher)
    audience.welcome(page.watcher, table, 0, replace(NOTHING, deadline=5_000, ready=(1,)))
    audience.publish([], table, 0, NOTHING)
    page.read()
    assert (page.state["deadline"], page.state["ready"]) == (None, [])
