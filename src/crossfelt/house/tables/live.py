"""Live tables: the cards, the chips and the players are at a physical table, and the dealer enters what they do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from crossfelt.house.store.port import Transaction
from crossfelt.house.tables.playing import bot_style
from crossfelt.house.tables.rows import Row
from crossfelt.house.tables.settings import TableSettings
from crossfelt.problems import BadInput, Problem
from crossfelt.table.acts_house import no_such_seat
from crossfelt.table.commands import Role
from crossfelt.table.engine import ACTS
from crossfelt.table.state import Table

OF_PLAYERS: Final = frozenset(act.name for act in ACTS if act.roles == ("player",))
"""The commands that only a player gives."""
LONGEST_NAME: Final = 30


class Spoken(NamedTuple):
    """In whose name a command is given."""

    who: str
    role: Role
    entered_by: str = ""


def spoken(who: str, role: Role, fields: Mapping[str, Any], table: Table) -> Spoken:
    """Who acts at a live table: what a player does is entered by the dealer, and by nobody else.

    `fields` are those of the command; `player` names who sits down.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.state import new_table
    >>> table = new_table(compile_game("md-criss-cross"))
    >>> spoken("dana", "dealer", {"command": "take_seat", "seat": 1, "player": "Ann"}, table)
    Spoken(who='Ann', role='player', entered_by='dana')
    """
    if fields.get("command") not in OF_PLAYERS:
        return Spoken(who, role)
    if role != "dealer":
        what = "players sit at the table itself: the dealer enters what they do"
        raise BadInput(Problem(code="live.player", what=what, where="role", value=role, allowed="dealer"))
    if fields["command"] == "take_seat":
        return Spoken(_name(fields.get("player")), "player", who)
    seat = fields.get("seat")
    if not isinstance(seat, int):
        raise BadInput(Problem(code="live.seat", what="name the seat", where="seat"))
    if (problem := no_such_seat(table, seat)) is not None:
        raise BadInput(problem)
    return Spoken(table.seat(seat).player, "player", who)


def _name(given: object) -> str:
    """The name of somebody who sits down: no account, and no bot's."""
    name = " ".join(given.split()) if isinstance(given, str) else ""
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or bot_style(name) is not None:
        allowed = f"1 to {LONGEST_NAME} signs"
        raise BadInput(
            Problem(code="live.name", what="say who sits down", where="player", value=name[:80], allowed=allowed)
        )
    return name


class OverTheTable:
    """The cashier of a live table: money changes hands at the table, and no account of the house has to do with it."""

    def streams(self, rows: Collection[Row]) -> Collection[str]:
        return ()

    def move(self, tx: Transaction, settings: TableSettings, row: Row) -> None:
        pass
