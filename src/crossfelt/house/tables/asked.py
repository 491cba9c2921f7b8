"""What somebody asks of a table, as a command of the engine, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from crossfelt.cards.card import dec_hook
from crossfelt.house.tables.chance import HouseChance
from crossfelt.house.tables.live import Spoken, spoken
from crossfelt.house.tables.playing import bot_style
from crossfelt.house.tables.rows import Agreed
from crossfelt.problems import BadInput, Problem
from crossfelt.table import events as e
from crossfelt.table.commands import Command, Role
from crossfelt.table.moves import KINDS
from crossfelt.table.state import Table

NEVER_ASKED: Final = ("grant_award",)
"""What only the house itself tells a table."""
BY_TWO: Final = {"void": "a void", "correct_card": "to put a card right"}
"""What nobody does alone, at any table."""
OURS: Final = ("id", "who", "role", "at", "round", "step", "entered_by", "player")
"""What is not for who asks to say."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What becomes of a command: the seq of its row, or why it is refused."""

    seq: int = 0
    problem: Problem | None = None


def refused(code: str, what: str, where: str = "", value: str | int | None = None, allowed: str = "") -> Answer:
    """
    >>> print(refused("late", "that round is not open", "round", 3, "4").problem)
    round: that round is not open: 3 (allowed: 4)
    """
    return Answer(problem=Problem(code=code, what=what, where=where, value=value, allowed=allowed))


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody asks of a table."""

    id: str
    who: str
    role: Role
    fields: Mapping[str, Any]
    round: int | None = None
    step: str | None = None
    ready: bool = False
    """Whether the player who asks has then bet enough."""
    agreed: Agreed | None = None
    """That two people have agreed to it, which is committed with its row."""


def by_two(what: str, act: str) -> Problem:
    return Problem(code="floor.two_people", what=what, where="command", value=act, allowed="POST /api/proposals")


def takes_two(table: Table, events: Iterable[e.Event], *, live: bool) -> bool:
    """Whether nobody brings this about alone: a void of a round at which somebody sits, whatever it is void for.

    Who plays could else take every bad round back. Where only bots play, to train a dealer, no account has to do with
    it; nor at a live table, whose dealer reports what lies there.
    """
    people = any(seat.player and bot_style(seat.player) is None for seat in table.seats)
    return people and not live and any(isinstance(event, e.RoundVoided) for event in events)


def command_of(asked: Asked, key: str, table: Table, chance: HouseChance | None, at: int) -> Command:
    """The command that somebody asks for, `BadInput` where it is none. What chance decides comes from the house; where
    it has no part in it, at a live table, the dealer speaks for the players."""
    fields = {name: value for name, value in asked.fields.items() if name not in OURS}
    kind = str(fields.get("command"))
    act = "void" if fields.get("ruling") == "void" else kind
    if act in BY_TWO and asked.agreed is None:
        raise BadInput(by_two(f"{BY_TWO[act]} takes two people", act))
    if kind not in KINDS or kind in NEVER_ASKED:
        raise BadInput(Problem(code="command.unknown", what="no such command", where="command", value=kind))
    if chance is None:
        by = spoken(asked.who, asked.role, asked.fields, table)
    else:
        by = Spoken(asked.who, asked.role)
        fields |= chance.fields_of(kind, fields, table)
    ours = {"id": key, "at": at, **by._asdict()}
    ours |= {name: value for name, value in (("round", asked.round), ("step", asked.step)) if value is not None}
    try:
        command: Command = msgspec.convert({**fields, **ours}, KINDS[kind], dec_hook=dec_hook)
    except (msgspec.ValidationError, BadInput) as error:
        problem = Problem(code="command.malformed", what=f"not a command: {error}", where=kind)
        raise BadInput(problem) from None
    return command
