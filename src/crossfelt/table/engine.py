"""The engine of a table: the options of each role, the events of a command, and the table after them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import msgspec

from crossfelt.errors import Problem
from crossfelt.table.act import Act, Option, refuse
from crossfelt.table.acts import (
    bank,
    betting,
    clock,
    corrections,
    dealing,
    decisions,
    decks,
    floor,
    inventory,
    player_seeds,
    progressive,
    seats,
    set_hands,
    settlement,
    wheel,
)
from crossfelt.table.commands import Command, Role, SeatCommand, TakeSeat
from crossfelt.table.events import Event
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState, step_of


class Refused(msgspec.Struct, frozen=True, gc=False):
    """A refused command: the table did not change."""

    problem: Problem


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """The events of an accepted command, and the table after them."""

    events: tuple[Event, ...]
    table: TableState


WHILE_PENDING = ("decide_floor", "record_fill", "record_credit")
"""The commands that are possible before the floor has ruled."""
WHILE_CLAIMED = ("grant_award", "record_fill", "record_credit")
"""The commands that are possible before a meter has answered."""
AFTER_THE_MIX = ("deal_cards", "choose_first_hand", "draw_awards", "order_recut", "report_irregularity")
"""The commands that wait until the players' seeds have permuted the cards."""


def _acts_of(module: ModuleType) -> Iterator[Act[Any]]:
    """Yield the acts that a module defines, in its order."""
    for kind in vars(module).values():
        if isinstance(kind, type) and issubclass(kind, Act) and kind.__module__ == module.__name__:
            yield kind()


_MODULES = (
    *(inventory, seats, decks, bank, betting, player_seeds, progressive, dealing, decisions, set_hands),
    *(clock, settlement, wheel, floor, corrections),
)
ACTS: tuple[Act[Any], ...] = tuple(act for module in _MODULES for act in _acts_of(module))
_BY_COMMAND: Mapping[type, Act[Any]] = {act.command: act for act in ACTS}


@cache
def _acts_at(role: Role, step: type) -> Sequence[Act[Any]]:
    """List the acts of a role at a kind of step, before the state of the table is considered."""
    return [act for act in ACTS if role in act.roles and (not act.steps or step in act.steps)]


def run(table: TableState, command: Command) -> Accepted | Refused:
    """Carry out a command, or refuse it."""
    act = _BY_COMMAND[type(command)]
    problem = _out_of_place(table, act, command) or act.why_not(table, command)
    if problem is not None:
        return Refused(problem)
    recorder = EventRecorder(table, command)
    act.perform(recorder, command)
    return Accepted(tuple(recorder.events), recorder.table)


def allowed(table: TableState, who: str, role: Role) -> tuple[Option, ...]:
    """List the options that `who` has now in this role."""
    step: type = type(step_of(table))
    acts = _acts_at(role, step)
    if table.pending is not None:
        acts = [act for act in acts if act.name in WHILE_PENDING]
    elif table.claims:
        acts = [act for act in acts if act.name in WHILE_CLAIMED]
    elif table.seeds_due:
        acts = [act for act in acts if act.name not in AFTER_THE_MIX]
    return tuple([option for act in acts for option in act.options(table, who, role)])


def _out_of_place(table: TableState, act: Act[Any], command: Command) -> Problem | None:
    """Refuse a command of the wrong role, for a round or step that is not open, or for another player's seat."""
    if command.role not in act.roles:
        return refuse("role", f"“{_words(act.name)}” is not for this role", command.role, " or ".join(act.roles))
    if command.round is not None and command.round != table.round:
        what = "that round has closed" if command.round < table.round else "that round has not begun"
        return refuse("late", what, command.round, str(table.round), where="round")
    if command.step is not None and command.step != table.step:
        return refuse("late", "the round is not at that step", command.step, table.step or "none", where="step")
    if table.pending is not None and act.name not in WHILE_PENDING:
        what = f"the floor must first rule on “{_words(table.pending.kind)}”"
        return refuse("pending", what, _words(act.name), "a ruling by the floor")
    if table.claims and act.name not in WHILE_CLAIMED:
        meter = table.game.meter(table.claims[0].meter).title
        return refuse("claimed", f"the {meter} must first answer", _words(act.name), "wait for the meter")
    if table.seeds_due and act.name in AFTER_THE_MIX:
        what = "the players' seeds must first permute the cards"
        return refuse("seeds.due", what, _words(act.name), "wait for the seeds", player_seeds.RULE)
    if command.role == "player" and isinstance(command, SeatCommand) and not isinstance(command, TakeSeat):
        return seats.not_own_seat(table, command.seat, command.who)
    return None


def _words(name: str) -> str:
    return name.replace("_", " ")
