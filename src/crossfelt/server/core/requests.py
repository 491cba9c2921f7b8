"""Live tables: the cards, the chips and the players are at a physical table, and the dealer enters what they do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt.cards.card import dec_hook
from crossfelt.errors import BadInput, Problem
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.rng import TableRng
from crossfelt.server.core.scheduler import bot_style
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.dual_control.dual_control import Approval
from crossfelt.server.dual_control.rule import ALWAYS_TWO_PEOPLE, second_person_problem
from crossfelt.server.store.interface import Transaction
from crossfelt.table.act import COMMANDS_BY_NAME
from crossfelt.table.acts.seats import no_such_seat
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import ACTS
from crossfelt.table.state import Seat, TableState

OF_PLAYERS: Final = frozenset(act.name for act in ACTS if act.roles == ("player",))
"""The commands that only a player gives."""
LONGEST_NAME: Final = 30


class EnteredFor(NamedTuple):
    """In whose name a command is given."""

    who: str
    role: Role
    entered_by: str = ""


def entered_for(who: str, role: Role, fields: Mapping[str, Any], table: TableState) -> EnteredFor:
    """Who acts at a live table: what a player does is entered by the dealer, and by nobody else.

    `fields` are those of the command; `player` names who sits down.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.state import new_table
    >>> table = new_table(compile_game("md-criss-cross"))
    >>> entered_for("dana", "dealer", {"command": "take_seat", "seat": 1, "player": "Ann"}, table)
    EnteredFor(who='Ann', role='player', entered_by='dana')
    """
    if fields.get("command") not in OF_PLAYERS:
        return EnteredFor(who, role)
    if role != "dealer":
        what = "players sit at the table itself: the dealer enters what they do"
        raise BadInput(Problem(code="live.player", what=what, where="role", value=role, allowed="dealer"))
    if fields["command"] == "take_seat":
        return EnteredFor(_name(fields.get("player")), "player", who)
    seat = fields.get("seat")
    if not isinstance(seat, int):
        raise BadInput(Problem(code="live.seat", what="name the seat", where="seat"))
    if (problem := no_such_seat(table, seat)) is not None:
        raise BadInput(problem)
    return EnteredFor(table.seat(seat).player, "player", who)


def _name(given: object) -> str:
    """The name of somebody who sits down: no account, and no bot's."""
    name = " ".join(given.split()) if isinstance(given, str) else ""
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or bot_style(name) is not None:
        allowed = f"1 to {LONGEST_NAME} signs"
        raise BadInput(
            Problem(code="live.name", what="say who sits down", where="player", value=name[:80], allowed=allowed)
        )
    return name


class PhysicalCashier:
    """The cashier of a live table: money changes hands at the table, and no account of the house has to do with it."""

    def streams(self, rows: Collection[TableEntry]) -> Collection[str]:
        return ()

    def move(self, tx: Transaction, settings: TableSettings, row: TableEntry) -> None:
        pass


# --- What somebody asks of a table, as a command of the engine, and what becomes of it.

NEVER_ASKED: Final = ("grant_award",)
"""What only the house itself tells a table."""
OURS: Final = ("id", "who", "role", "at", "round", "step", "entered_by", "player")
"""What is not for who asks to say."""


class CommandAnswer(msgspec.Struct, frozen=True, gc=False):
    """What becomes of a command: the seq of its row, or why it is refused."""

    seq: int = 0
    problem: Problem | None = None


def refused(code: str, what: str, where: str = "", value: str | int | None = None, allowed: str = "") -> CommandAnswer:
    """
    >>> print(refused("late", "that round is not open", "round", 3, "4").problem)
    round: that round is not open: 3 (allowed: 4)
    """
    return CommandAnswer(problem=Problem(code=code, what=what, where=where, value=value, allowed=allowed))


class CommandRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asks of a table."""

    id: str
    who: str
    role: Role
    fields: Mapping[str, Any]
    round: int | None = None
    step: str | None = None
    ready: bool = False
    """Whether the player who asks has then bet enough."""
    agreed: Approval | None = None
    """The approval of a second person, committed with the row."""


def seated_people(table: TableState) -> list[Seat]:
    """Return the seats that a person has taken, and no bot."""
    return [seat for seat in table.seats if seat.player and bot_style(seat.player) is None]


def command_of(asked: CommandRequest, key: str, table: TableState, rng: TableRng | None, at: int) -> Command:
    """The command that somebody asks for, `BadInput` where it is none. What chance decides comes from the house; where
    it has no part in it, at a live table, the dealer speaks for the players."""
    fields = {name: value for name, value in asked.fields.items() if name not in OURS}
    kind = str(fields.get("command"))
    act = "void" if fields.get("ruling") == "void" else kind
    if act in ALWAYS_TWO_PEOPLE and asked.agreed is None:
        raise BadInput(second_person_problem(f"{ALWAYS_TWO_PEOPLE[act]} takes two people", act))
    if kind not in COMMANDS_BY_NAME or kind in NEVER_ASKED:
        raise BadInput(Problem(code="command.unknown", what="no such command", where="command", value=kind))
    if rng is None:
        by = entered_for(asked.who, asked.role, asked.fields, table)
    else:
        by = EnteredFor(asked.who, asked.role)
        fields |= rng.fields_of(kind, fields, table)
    ours = {"id": key, "at": at, **by._asdict()}
    ours |= {name: value for name, value in (("round", asked.round), ("step", asked.step)) if value is not None}
    try:
        command: Command = msgspec.convert({**fields, **ours}, COMMANDS_BY_NAME[kind], dec_hook=dec_hook)
    except (msgspec.ValidationError, BadInput) as error:
        problem = Problem(code="command.malformed", what=f"not a command: {error}", where=kind)
        raise BadInput(problem) from None
    return command
