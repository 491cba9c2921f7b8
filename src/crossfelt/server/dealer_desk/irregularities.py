"""The irregularities that can be reported now, each with its consequence, for the dealer to see before confirming."""

from __future__ import annotations

from typing import Any

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.play.consequences import Situation, consequence_of, describe
from crossfelt.play.faults import Fault, possible_faults
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.server.core.bots import seated_people
from crossfelt.server.dual_control.rule import command_problem
from crossfelt.table.act import named_where
from crossfelt.table.commands import Role
from crossfelt.table.engine import Accepted, run
from crossfelt.table.state import TableState


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """One place that a report can name."""

    label: str
    command: dict[str, Any]


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity that can be reported now."""

    id: str
    title: str
    follows: str
    """The consequence at the table, in words."""
    wheres: tuple[Where, ...]
    counts: bool
    """True if the report needs the number of cards counted."""
    clauses: tuple[str, ...]
    readings: tuple[str, ...]
    house_rule: str
    """The house rule, if no document has one."""
    two_people: bool
    """True if the floor must propose it to a second person, instead of one person reporting it."""


def possible_irregularities(
    table: TableState, at: int, role: Role = "dealer", *, live: bool = False
) -> tuple[Trouble, ...]:
    """Return the irregularities that the dealer or the floor can report now. `live` stands for a physical table."""
    kinds: dict[tuple[str, str], list[Fault]] = {}
    for fault in possible_faults(table, at):
        if fault.role == role:
            case = fault.fields.get("case") or fault.fields.get("finding") or "any"
            kinds.setdefault((fault.kind, case), []).append(fault)
    return tuple(_trouble(table, at, kind, case, faults, live=live) for (kind, case), faults in kinds.items())


def _trouble(table: TableState, at: int, kind: str, case: str, faults: list[Fault], *, live: bool) -> Trouble:
    first = faults[0]
    command = first.command(id="mishap-1", who=first.role, role=first.role, at=at, **first.fields)
    outcome = table.game.book.irregularities[kind][case]
    answer = run(table, command)
    assert isinstance(answer, Accepted), answer
    wheres = {_label(fault): Where(label=_label(fault), command=_command(fault)) for fault in faults}
    return Trouble(
        id=f"{kind}.{case}",
        title=describe(kind, case),
        follows=consequence_of(Situation(table, (command,), first.fields)).words(),
        wheres=tuple(wheres.values()),
        counts=kind in ("stub_count_wrong", "shuffler_count_wrong"),
        **shared_fields(outcome, Trouble),
        two_people=command_problem(table, command, answer, people=bool(seated_people(table)), live=live, public=False)
        is not None,
    )


def _command(fault: Fault) -> dict[str, Any]:
    return {"command": fault.command.__struct_config__.tag, **fault.fields}


def _label(fault: Fault) -> str:
    where = named_where(fault.fields.get("seat"), fault.fields.get("place"))
    parts = [f"seat {where['seat']}"] if "seat" in where else []
    parts += [as_words(where["place"])] if "place" in where else []
    return ", ".join(parts) or "the next card" if fault.kind in ("face_up_card", "card_in_error") else ", ".join(parts)
