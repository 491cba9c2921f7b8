"""How long a table waits: for bets, for decisions, for who is cut off; and how fast its dealer goes on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import load_shipped, rulebook_ids
from crossfelt.server.journal.events import TableChanging, TableCreated
from crossfelt.table import events as e

TimingPresetName = Literal["practice", "regulated", "instant"]

SEEN_MS: Final[Mapping[type, int]] = {
    e.CardsDealt: 900,
    e.BetPlaced: 350,
    e.HandFolded: 350,
    e.ChoiceMade: 350,
    e.HandSet: 250,
    e.CommunityCardsRevealed: 900,
    e.DealerHandsSet: 1200,
    e.HandsExposed: 700,
    e.SeatSettled: 600,
    e.WheelSpun: 3500,
    e.XtremeSpun: 3500,
    e.AwardGranted: 2500,
    e.AwardsDrawn: 1500,
    e.RoundClosed: 2500,
}
"""How long people look at something before the dealer goes on."""


class TimingPreset(msgspec.Struct, frozen=True, kw_only=True):
    """The times of a table, in seconds; 0 where no clock runs."""

    name: TimingPresetName
    bet_seconds: int
    """From the first wager of a person to no more bets."""
    late_seconds: int
    """How long those who say they are ready wait for the others."""
    decision_seconds: int
    """What the submission says where it says nothing else."""
    offer_seconds: int
    """How long the bank is offered to one seat."""
    away_seconds: int
    """How long the table waits for a player who is cut off."""
    idle_seconds: int
    """How long one player may keep others waiting where no clock runs."""
    shows: bool
    """Whether the dealer waits until people have seen what happened."""

    def pause_ms(self, kinds: Iterable[type[e.Event]]) -> int:
        """How long the dealer waits after events of these kinds.

        >>> TIMING_PRESETS["practice"].pause_ms([e.RoundClosed])
        2500
        """
        return max((SEEN_MS.get(kind, 0) for kind in kinds), default=0) if self.shows else 0


TIMING_PRESETS: Final[Mapping[str, TimingPreset]] = {
    pace.name: pace
    for pace in (
        TimingPreset(
            name="practice",
            bet_seconds=0,
            late_seconds=20,
            decision_seconds=0,
            offer_seconds=30,
            away_seconds=60,
            idle_seconds=120,
            shows=True,
        ),
        TimingPreset(
            name="regulated",
            bet_seconds=30,
            late_seconds=10,
            decision_seconds=30,
            offer_seconds=15,
            away_seconds=60,
            idle_seconds=120,
            shows=True,
        ),
        TimingPreset(
            name="instant",
            bet_seconds=0,
            late_seconds=5,
            decision_seconds=0,
            offer_seconds=5,
            away_seconds=10,
            idle_seconds=60,
            shows=False,
        ),
    )
}
"""Practice: nobody is hurried. Regulated: clocks run, as stated before betting. Instant: for programs."""


# --- What the house has decided about a table: its game, its pace, who deals, and which meters it is linked to.

DealtBy = Literal["automatic", "dealer", "physical"]
TABLE_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
SUCCESSOR: Final = re.compile(r"-r(\d+)$")
"""The end of the name of a table that a change of rules has opened."""
LONGEST_ID: Final = 60
DECISION_SECONDS: Final = "decision_seconds"


class TableSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything a table is opened with."""

    id: str
    rulebook: str
    submission: dict[str, Any] = msgspec.field(default_factory=dict)
    pace: TimingPresetName = "practice"
    dealt_by: DealtBy = "automatic"
    """By the house itself, by a person from a virtual deck, or from a physical one."""
    owner: str = ""
    """Whose private table it is; empty for a table of the house."""

    @property
    def stream(self) -> str:
        return f"table/{self.id}"

    @property
    def seals(self) -> str:
        """The stream of what was fixed before the bets of each round closed."""
        return f"seal/{self.id}"

    @property
    def first_id(self) -> str:
        """The id of the table that the first change of rules has closed; the table's own where there was none."""
        return SUCCESSOR.sub("", self.id)

    def successor(self, submission: dict[str, Any]) -> TableSettings:
        """The settings of the table that takes this one's place with another submission.

        >>> pit_3 = TableSettings(id="pit-3", rulebook="nj-criss-cross")
        >>> pit_3.successor({}).id, pit_3.successor({}).successor({}).id
        ('pit-3-r2', 'pit-3-r3')
        """
        changes = SUCCESSOR.search(self.id)
        number = 2 if changes is None else int(changes[1]) + 1
        return msgspec.structs.replace(self, id=f"{self.first_id}-r{number}", submission=submission)

    @property
    def live(self) -> bool:
        """Whether cards, chips and players are at a physical table."""
        return self.dealt_by == "physical"

    @property
    def times(self) -> TimingPreset:
        return TIMING_PRESETS[self.pace]

    def compile(self) -> Game:
        """The game of this table; the clock of its pace, unless the submission has one.

        >>> TableSettings(id="t", rulebook="nj-criss-cross", pace="regulated").compile().whole("play.decision_seconds")
        30
        """
        stated = dict(self.submission)
        if seconds := self.times.decision_seconds:
            stated["play"] = {DECISION_SECONDS: seconds, **stated.get("play", {})}
        return _compiled(self.rulebook, json.dumps(stated, sort_keys=True))

    def link(self, game: Game) -> str:
        """The name under which its meters are linked: tables of one rulebook with the same parameters share them. A
        table with other parameters has meters of its own, which its successors take over."""
        of_meters = (choice for choice in game.book.choices if choice.path.startswith("meters."))
        changed = any(game.choices.get(choice.path) != choice.default for choice in of_meters)
        return self.first_id if self.owner or changed else self.rulebook


def settings_of(told: TableCreated | TableChanging) -> TableSettings:
    """The settings of a table, or of the successor that it will have, as the journal has them."""
    return msgspec.convert(told.settings, TableSettings)


@lru_cache(maxsize=64)
def _compiled(rulebook: str, stated: str) -> Game:
    """Tables of one game share it."""
    return compile_game(load_shipped(rulebook), json.loads(stated))


def require_id(text: str) -> None:
    """A table is named in addresses and streams: small letters, digits and single hyphens."""
    if not TABLE_ID.fullmatch(text) or len(text) > LONGEST_ID:
        allowed = f"small letters, digits and hyphens, at most {LONGEST_ID}"
        raise BadInput(Problem(code="table.id", what="not a name for a table", where="id", value=text, allowed=allowed))
    if SUCCESSOR.search(text):
        what, allowed = "names that end in -r and a number are for tables that a change of rules opens", "another name"
        raise BadInput(Problem(code="table.id", what=what, where="id", value=text, allowed=allowed))
    if text in rulebook_ids():
        # A rulebook names the meters that tables of the house share; a table names its own.
        what, allowed = "a rulebook is called that, and its meters", "another name"
        raise BadInput(Problem(code="table.id", what=what, where="id", value=text, allowed=allowed))
