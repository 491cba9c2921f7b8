"""What somebody asks of a table, as a command of the engine, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from crossfelt.cards.card import dec_hook
from crossfelt.house.tables.chance import HouseChance
from crossfelt.house.tables.live import Spoken, spoken
from crossfelt.house.tables.playing import bot_style
from crossfelt.house.tables.rows import Agreed
from crossfelt.problems import BadInput, Problem
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts_floor import rulings
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import Accepted, run
from crossfelt.table.moves import KINDS
from crossfelt.table.state import Table

NEVER_ASKED: Final = ("grant_award",)
"""What only the house itself tells a table."""
BY_TWO: Final = {"void": "a void", "correct_card": "to put a card right"}
"""What nobody does alone, at any table."""
GRAVE: Final = (e.RoundVoided, e.CommunityCardExposed, e.FaceUpCardDiscarded)
"""A round comes to nothing, or a card is shown that would lie face down."""
GRAVE_IF_RULED: Final = (*GRAVE, e.ChoiceMade)
"""What a ruling may bring about as well: a player then has chosen otherwise than they said."""
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


def takes_two(table: Table, accepted: Accepted, *, live: bool) -> bool:
    """Whether nobody brings this about alone: something grave, in a round at which somebody sits.

    Who plays could else take every bad round back, or look at the cards before deciding. Where only bots play, to
    train a dealer, no account has to do with it; nor at a live table, whose dealer reports what lies there.
    """
    people = any(seat.player and bot_style(seat.player) is None for seat in table.seats)
    return people and not live and grave(table, accepted)


def grave(table: Table, accepted: Accepted) -> bool:
    """Whether a round is void, or a card is shown before its time, whatever for; or the round then waits for a ruling
    by which it may be, or by which a player has chosen otherwise.

    The ruling itself is one person's, unless it is a void: two have reported what it follows from.
    """
    if table.pending is not None:
        return _any(accepted.events, (e.RoundVoided,))
    return _any(accepted.events, GRAVE) or any(_any(ruled, GRAVE_IF_RULED) for ruled in _rulings(accepted))


def _rulings(accepted: Accepted) -> Iterator[tuple[e.Event, ...]]:
    """What each ruling would bring about that the round then waits for."""
    table = accepted.table
    for ruling in rulings(table) if table.pending is not None else ():
        at = accepted.events[-1].at
        answer = run(table, c.DecideFloor(id="tried", who="floor", role="floor", at=at, ruling=ruling))
        assert isinstance(answer, Accepted), answer
        yield answer.events


def _any(events: Iterable[e.Event], kinds: tuple[type[e.Event], ...]) -> bool:
    return any(isinstance(event, kinds) for event in events)


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
