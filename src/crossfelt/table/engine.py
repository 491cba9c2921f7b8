"""The table's three questions: what may be done, what follows from doing it, and what the table then is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from crossfelt.problems import Problem
from crossfelt.table import (
    acts_banking,
    acts_betting,
    acts_clock,
    acts_correcting,
    acts_dealing,
    acts_deciding,
    acts_decks,
    acts_floor,
    acts_house,
    acts_loading,
    acts_progressive,
    acts_setting,
    acts_settling,
    acts_spinning,
)
from crossfelt.table.acts import Act, Option, refuse
from crossfelt.table.commands import Command, Role
from crossfelt.table.events import Event
from crossfelt.table.evolving import evolve
from crossfelt.table.stage import Stage
from crossfelt.table.state import Table, step_of

__all__ = ["Accepted", "Refused", "allowed", "decide", "evolve", "run"]


class Refused(msgspec.Struct, frozen=True, gc=False):
    """Nothing happened, and why."""

    problem: Problem


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """What happened, and the table after it."""

    events: tuple[Event, ...]
    table: Table


WHILE_PENDING = ("decide_floor", "record_fill", "record_credit")
"""What may be done while the floor has yet to decide."""
WHILE_CLAIMED = ("grant_award", "record_fill", "record_credit")
"""What may be done while a meter has yet to answer."""

ACTS: tuple[Act[Any], ...] = tuple(
    act()
    for module in (
        acts_house,
        acts_decks,
        acts_loading,
        acts_banking,
        acts_betting,
        acts_progressive,
        acts_dealing,
        acts_deciding,
        acts_setting,
        acts_clock,
        acts_settling,
        acts_spinning,
        acts_floor,
        acts_correcting,
    )
    for act in module.ACTS
)
_BY_COMMAND: Mapping[type, Act[Any]] = {act.command: act for act in ACTS}


@cache
def _acts_at(role: Role, step: type) -> Sequence[Act[Any]]:
    """What a role may ask for in a step of some kind, as far as that alone decides it."""
    return [act for act in ACTS if role in act.roles and (not act.steps or step in act.steps)]


def run(table: Table, command: Command) -> Accepted | Refused:
    """Carries out a command, or says why not."""
    act = _BY_COMMAND[type(command)]
    problem = _out_of_place(table, act, command) or act.why_not(table, command)
    if problem is not None:
        return Refused(problem)
    stage = Stage(table, command)
    act.perform(stage, command)
    return Accepted(tuple(stage.events), stage.table)


def decide(table: Table, command: Command) -> tuple[Event, ...] | Refused:
    """The events that follow from a command; it does not change the table."""
    answer = run(table, command)
    return answer if isinstance(answer, Refused) else answer.events


def allowed(table: Table, who: str, role: Role) -> tuple[Option, ...]:
    """Everything somebody may do now."""
    step: type = type(step_of(table))
    acts = _acts_at(role, step)
    if table.pending is not None:
        acts = [act for act in acts if act.name in WHILE_PENDING]
    elif table.claims:
        acts = [act for act in acts if act.name in WHILE_CLAIMED]
    return tuple([option for act in acts for option in act.options(table, who, role)])


def _out_of_place(table: Table, act: Act[Any], command: Command) -> Problem | None:
    """Commands by the wrong role, or that answer what has closed or has not come yet."""
    if command.role not in act.roles:
        roles = " or ".join(act.roles)
        return refuse("role", f"{act.name} is not for this role", command.role, roles)
    if command.round is not None and command.round != table.round:
        what = "that round has closed" if command.round < table.round else "that round has not begun"
        return refuse("late", what, command.round, str(table.round), where="round")
    if command.step is not None and command.step != table.step:
        return refuse("late", "the round is not at that step", command.step, table.step or "none", where="step")
    if table.pending is not None and act.name not in WHILE_PENDING:
        return refuse("pending", f"the floor must first decide about {table.pending.kind}", act.name, "decide_floor")
    if table.claims and act.name not in WHILE_CLAIMED:
        return refuse("claimed", f"the meter {table.claims[0].meter} must first answer", act.name, "grant_award")
    return None
