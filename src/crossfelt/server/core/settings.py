"""The settings of a table: its rulebook and submission, its timing preset, its dealer, its owner."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

import msgspec

from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.rulebooks import Rulebooks
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
"""The time that viewers have to see an event before the dealer continues."""


class TimingPreset(msgspec.Struct, frozen=True, kw_only=True):
    """The times of a table, in seconds; 0 if no clock runs."""

    name: TimingPresetName
    bet_seconds: int
    """From a person's first wager to no more bets."""
    late_seconds: int
    """The time that ready players wait for the others."""
    decision_seconds: int
    """The time for a decision, unless the submission sets one."""
    offer_seconds: int
    """The time for which the bank is offered to one seat."""
    away_seconds: int
    """The time that a disconnected player has to reconnect."""
    idle_seconds: int
    """The time that one player may keep others waiting while no clock runs."""
    shows: bool
    """True if the dealer waits until viewers have seen each event."""

    def pause_ms(self, kinds: Iterable[type[e.Event]]) -> int:
        """Return how long the dealer waits after events of these kinds."""
        return max((SEEN_MS.get(kind, 0) for kind in kinds), default=0) if self.shows else 0


_PRACTICE: Final = TimingPreset(
    name="practice", bet_seconds=0, late_seconds=20, decision_seconds=0, offer_seconds=30, away_seconds=60,
    idle_seconds=120, shows=True,
)  # fmt: skip
"""No clock hurries the players."""
_REGULATED: Final = TimingPreset(
    name="regulated", bet_seconds=30, late_seconds=10, decision_seconds=30, offer_seconds=15, away_seconds=60,
    idle_seconds=120, shows=True,
)  # fmt: skip
"""Clocks run, as stated before betting."""
_INSTANT: Final = TimingPreset(
    name="instant", bet_seconds=0, late_seconds=5, decision_seconds=0, offer_seconds=5, away_seconds=10,
    idle_seconds=60, shows=False,
)  # fmt: skip
"""For programs that play."""
TIMING_PRESETS: Final[Mapping[str, TimingPreset]] = {it.name: it for it in (_PRACTICE, _REGULATED, _INSTANT)}

DealtBy = Literal["automatic", "dealer", "physical"]
TABLE_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
SUCCESSOR: Final = re.compile(r"-r(\d+)$")
"""The end of the id of a table that a change of rules has opened."""
LONGEST_ID: Final = 60
DECISION_SECONDS: Final = "decision_seconds"


class TableSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings that a table is opened with."""

    id: str
    rulebook: str
    submission: dict[str, Any] = msgspec.field(default_factory=dict)
    pace: TimingPresetName = "practice"
    dealt_by: DealtBy = "automatic"
    """The server deals, a person deals from a virtual deck, or a person deals a physical one."""
    owner: str = ""
    """The owner of a private table; empty for a public table."""
    lesson_seed: int = 0
    """The seed of a lesson's first deck, which is the same for everybody; 0 where every deck is random."""
    link: str = ""
    """The link whose meters the table shares: a rulebook, or the first id of another table. Empty if the table has
    meters of its own."""

    @property
    def stream(self) -> str:
        return f"table/{self.id}"

    @property
    def seals(self) -> str:
        """The stream of the seals: the outcomes fixed before the bets of each round."""
        return f"seal/{self.id}"

    @property
    def first_id(self) -> str:
        """The id before the first change of rules; the table's own id if there was none."""
        return SUCCESSOR.sub("", self.id)

    @property
    def meter_link(self) -> str:
        """The link whose meters the table feeds. Its own link has its first id, so that successors keep the meters."""
        return self.link or self.first_id

    def successor(self, submission: dict[str, Any], link: str | None = None) -> TableSettings:
        """Return the settings of the table that replaces this one with another submission, or on another link.

        >>> pit_3 = TableSettings(id="pit-3", rulebook="nj-criss-cross")
        >>> pit_3.successor({}).id, pit_3.successor({}).successor({}).id
        ('pit-3-r2', 'pit-3-r3')
        """
        changes = SUCCESSOR.search(self.id)
        number = 2 if changes is None else int(changes[1]) + 1
        link = self.link if link is None else link
        return msgspec.structs.replace(self, id=f"{self.first_id}-r{number}", submission=submission, link=link)

    @property
    def live(self) -> bool:
        """True if cards, chips and players are at a physical table."""
        return self.dealt_by == "physical"

    @property
    def uses_accounts(self) -> bool:
        """True if chips come from accounts. A player's own table with rules of their choice, or with the known
        deck of a lesson, has chips for practice: it could otherwise pay any prize into the account."""
        return not (self.live or self.lesson_seed or (self.owner and self.submission))

    @property
    def times(self) -> TimingPreset:
        return TIMING_PRESETS[self.pace]

    def compile(self, rulebooks: Rulebooks) -> Game:
        """Compile the game. The timing preset sets the time for decisions, unless the submission does.

        >>> settings = TableSettings(id="t", rulebook="nj-criss-cross", pace="regulated")
        >>> settings.compile(Rulebooks()).whole("play.decision_seconds")
        30
        """
        stated = dict(self.submission)
        if seconds := self.times.decision_seconds:
            stated["play"] = {DECISION_SECONDS: seconds, **stated.get("play", {})}
        return rulebooks.game(self.rulebook, stated)


def settings_of(event: TableCreated | TableChanging) -> TableSettings:
    """Return the settings of a table, or of the successor that it will have, from the journal."""
    return msgspec.convert(event.settings, TableSettings)


def require_id(text: str, rulebooks: Rulebooks) -> None:
    """Refuse an id that does not fit into URLs and stream names, or that has another meaning."""
    if not TABLE_ID.fullmatch(text) or len(text) > LONGEST_ID:
        what, allowed = "not an id for a table", f"lowercase letters, digits and single hyphens, at most {LONGEST_ID}"
        raise BadInput.at("id", "table.id", what, text, allowed)
    if SUCCESSOR.search(text):
        what, allowed = "ids that end in -r and a number are for tables that a change of rules opens", "another id"
        raise BadInput.at("id", "table.id", what, text, allowed)
    if text in rulebooks.ids:
        # The meters that public tables share are named after the rulebook, other meters after their table.
        raise BadInput.at("id", "table.id", "a rulebook and its meters have this id", text, "another id")
