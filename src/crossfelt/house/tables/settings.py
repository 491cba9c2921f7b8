"""What the house has decided about a table: its game, its pace, who deals, and which meters it is linked to."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from crossfelt.house.audit.events import TableChanging, TableCreated
from crossfelt.house.tables.pace import PACES, Pace, PaceName
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loading import rulebook_ids, shipped

DealtBy = Literal["automatic", "dealer", "physical"]
TABLE_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST_ID: Final = 60
DECISION_SECONDS: Final = "decision_seconds"


class TableSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything a table is opened with."""

    id: str
    rulebook: str
    submission: dict[str, Any] = msgspec.field(default_factory=dict)
    pace: PaceName = "practice"
    dealt_by: DealtBy = "automatic"
    """By the house itself, by a person from a virtual deck, or from a physical one."""
    owner: str = ""
    """Whose private table it is; empty for a table of the house."""
    opening: int = 1
    """How often it was opened with another submission."""

    @property
    def stream(self) -> str:
        return f"table/{self.id}/{self.opening}"

    @property
    def seals(self) -> str:
        """The stream of what was fixed before the bets of each round closed."""
        return f"seal/{self.id}/{self.opening}"

    @property
    def live(self) -> bool:
        """Whether cards, chips and players are at a physical table."""
        return self.dealt_by == "physical"

    @property
    def times(self) -> Pace:
        return PACES[self.pace]

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
        """The name under which its meters are linked: tables of one rulebook with the same parameters share them. What
        is usual, the rulebook says by which the table was opened: a newer one may have other parameters."""
        of_meters = (choice for choice in game.book.choices if choice.path.startswith("meters."))
        changed = any(game.choices.get(choice.path) != choice.default for choice in of_meters)
        return self.id if self.owner or changed else self.rulebook


def settings_of(told: TableCreated | TableChanging) -> TableSettings:
    """What a table was opened with, or will be, as the journal has it."""
    return msgspec.convert(told.settings, TableSettings)


def usual_game(settings: TableSettings) -> Game | None:
    """The game of a table by the rulebook of this version; None where that does not allow its submission any more: the
    table goes on with what it was opened with, which its stream has."""
    try:
        return settings.compile()
    except BadInput:
        return None


@lru_cache(maxsize=64)
def _compiled(rulebook: str, stated: str) -> Game:
    """Tables of one game share it."""
    return compile_game(shipped(rulebook), json.loads(stated))


def require_id(text: str) -> None:
    """A table is named in addresses and streams: small letters, digits and single hyphens."""
    if not TABLE_ID.fullmatch(text) or len(text) > LONGEST_ID:
        allowed = f"small letters, digits and hyphens, at most {LONGEST_ID}"
        raise BadInput(Problem(code="table.id", what="not a name for a table", where="id", value=text, allowed=allowed))
    if text in rulebook_ids():
        # A rulebook names the meters that tables of the house share; a table names its own.
        what, allowed = "a rulebook is called that, and its meters", "another name"
        raise BadInput(Problem(code="table.id", what=what, where="id", value=text, allowed=allowed))
