"""A client's request to a table: its conversion to a command of the engine, and its answer.

At a physical table the dealer enters the players' commands. At a virtual table the server adds the random outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crossfelt.cards.card import dec_hook
from crossfelt.errors import BadInput, Problem
from crossfelt.proof.receipt import Receipt
from crossfelt.rulebooks.struct_decoder import shape_problems
from crossfelt.server.accounts.policy import SERVER_ONLY
from crossfelt.server.core.bots import bot_style
from crossfelt.server.core.rng import TableRng
from crossfelt.server.dual_control.dual_control import Approval
from crossfelt.server.dual_control.rule import ALWAYS_TWO_PEOPLE, second_person_problem
from crossfelt.table.act import COMMANDS_BY_NAME
from crossfelt.table.acts.seats import no_such_seat
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import ACTS
from crossfelt.table.state import TableState

PLAYER_COMMANDS: Final = frozenset(act.name for act in ACTS if act.roles == ("player",))
LONGEST_NAME: Final = 30
SERVER_FIELDS: Final = ("id", "who", "role", "at", "round", "step", "entered_by", "player")
"""The fields of a command that a client cannot set."""
TYPES: Final = {
    "type.text": "text",
    "type.whole": "a whole number",
    "type.flag": "true or false",
    "type.list": "a list",
    "type.table": "names with values",
}
"""The values that a field takes, by the code of the problem with its type."""


class CommandRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A client's request to carry out a command."""

    id: str
    who: str
    role: Role
    fields: Mapping[str, Any]
    round: int | None = None
    step: str | None = None
    ready: bool = False
    """True if the player needs no more time for bets after this command."""
    approval: Approval | None = None
    """The approval of a second person, committed with the row."""


class CommandAnswer(msgspec.Struct, frozen=True, gc=False):
    """The answer to a request: the seq of the command's row, or the reason of the refusal."""

    seq: int = 0
    problem: Problem | None = None
    receipt: Receipt | None = None
    """The receipt of wagers that came with the hash of a seed."""


def refused(code: str, what: str, where: str = "", value: str | int | None = None, allowed: str = "") -> CommandAnswer:
    return CommandAnswer(problem=Problem(code=code, what=what, where=where, value=value, allowed=allowed))


def command_of(request: CommandRequest, key: str, table: TableState, rng: TableRng | None, at: int) -> Command:
    """Return the command that a client requests; raise `BadInput` if it is malformed.

    `rng` supplies the random fields. At a physical table it is None, and the dealer enters the players' commands.
    """
    fields = {name: value for name, value in request.fields.items() if name not in SERVER_FIELDS}
    kind = str(fields.get("command"))
    act = "void" if fields.get("ruling") == "void" else kind
    if act in ALWAYS_TWO_PEOPLE and request.approval is None:
        raise BadInput(second_person_problem(f"{ALWAYS_TWO_PEOPLE[act]} takes two people", act))
    if kind not in COMMANDS_BY_NAME or kind in SERVER_ONLY:
        allowed = {act.name for act in ACTS if request.role in act.roles}.difference(SERVER_ONLY)
        raise BadInput(Problem.at("command", "command.unknown", "no such command", kind, allowed))
    fields |= {"id": key, "at": at, "who": request.who, "role": request.role}
    fields |= entered_for(request, table) if rng is None else rng.fields_of(kind, fields, table)
    fields |= {name: value for name, value in (("round", request.round), ("step", request.step)) if value is not None}
    try:
        command: Command = msgspec.convert(fields, COMMANDS_BY_NAME[kind], dec_hook=dec_hook)
    except (msgspec.ValidationError, BadInput):
        found = shape_problems(COMMANDS_BY_NAME[kind], fields, dec_hook=dec_hook)
        raise BadInput(*(_malformed(kind, problem) for problem in found)) from None
    return command


def repeats(request: CommandRequest, row: bytes) -> bool:
    """Return whether a request is the command of a stored row: what it says leaves that command unchanged."""
    stored = msgspec.json.decode(row)["command"]
    sent = {name: value for name, value in request.fields.items() if name not in SERVER_FIELDS}
    kind = COMMANDS_BY_NAME[stored["command"]]
    try:
        again = msgspec.convert({**stored, **sent}, kind, dec_hook=dec_hook)
    except (msgspec.ValidationError, BadInput):
        return False
    return again == msgspec.convert(stored, kind, dec_hook=dec_hook)


def _malformed(kind: str, problem: Problem) -> Problem:
    """Name the field of a command, the value that the client sent and the values that the field takes.

    >>> from crossfelt.table.commands import CheckFittings
    >>> sent = {"id": "1", "who": "fay", "at": 0, "role": "floor", "shoe": 7}
    >>> print(_malformed("check_fittings", shape_problems(CheckFittings, sent)[0]))
    check_fittings.shoe: wrong type: 7 (allowed: text)
    """
    problem = replace(problem, where=f"{kind}.{problem.where}")
    if problem.code == "key.unknown":
        fields = [name for name in problem.allowed.split(", ") if name not in SERVER_FIELDS]
        problem = replace(problem, what="no such field", allowed=", ".join(fields) or "no fields")
    elif (wanted := TYPES.get(problem.code)) is not None:
        value = "null" if problem.value is None else problem.value
        problem = replace(problem, what="wrong type", value=value, allowed=wanted)
    return replace(problem, code="command.malformed")


def entered_for(request: CommandRequest, table: TableState) -> dict[str, str]:
    """Return the player for whom the dealer of a physical table enters a command, and the dealer; else nothing.

    The field `player` is the name of a player who sits down.

    >>> sits = CommandRequest(id="1", who="dana", role="dealer", fields={"command": "take_seat", "player": "Ann"})
    >>> entered_for(sits, new_table(compile_game("md-criss-cross")))
    {'who': 'Ann', 'role': 'player', 'entered_by': 'dana'}
    """
    command, seat = request.fields.get("command"), request.fields.get("seat")
    if command not in PLAYER_COMMANDS:
        return {}
    if request.role != "dealer":
        what = "players sit at the physical table: the dealer enters their commands"
        raise BadInput.at("role", "live.player", what, request.role, "dealer")
    if command == "take_seat":
        player = _player_name(request.fields.get("player"))
    elif not isinstance(seat, int):
        raise BadInput.at("seat", "live.seat", "name the seat")
    elif (problem := no_such_seat(table, seat)) is not None:
        raise BadInput(problem)
    else:
        player = table.seat(seat).player
    return {"who": player, "role": "player", "entered_by": request.who}


def _player_name(given: object) -> str:
    """Return the name of a player who sits down, who needs no account; refuse the name of a bot."""
    name = " ".join(given.split()) if isinstance(given, str) else ""
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or bot_style(name) is not None:
        what, allowed = "enter the name of the player who sits down", f"1 to {LONGEST_NAME} characters"
        raise BadInput.at("player", "live.name", what, name[:80], allowed)
    return name
