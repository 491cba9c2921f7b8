"""Irregularities for a training table: at a given rate, one of the possible faults happens.

A fault is the command of the dealer or the floor who found it, so that the table handles it like any other. The same
seed gives the same faults.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from crossfelt.cards.shuffle import Chance
from crossfelt.errors import BadInput
from crossfelt.table import commands as c
from crossfelt.table.act import Option
from crossfelt.table.acts.decisions import on_timeout
from crossfelt.table.acts.floor import OF_A_PLAYER, rulings
from crossfelt.table.commands import Command, Role
from crossfelt.table.decks import between_rounds
from crossfelt.table.engine import allowed
from crossfelt.table.state import TableState

MOST_PER_MILLE = 500
BY_A_PLAYER = (*OF_A_PLAYER, "axis_disagreement", "no_answer")
"""Acts of a player. Faults never attribute them to a person at the keyboard."""


class Fault(NamedTuple):
    """A fault that is possible now, and the command that reports it."""

    kind: str
    command: type[Command]
    role: Role
    fields: dict[str, Any]


def possible_faults(table: TableState, at: int) -> Iterator[Fault]:
    """List the faults that the rulebook knows at this point of a round."""
    for role in ("dealer", "floor"):
        for option in allowed(table, role, role):
            if option.open_at(at):
                yield from _faults_in(table, option, role)


def _faults_in(table: TableState, option: Option, role: Role) -> Iterator[Fault]:
    """Yield the faults among the options of dealer or floor; where both may report one, the dealer does."""
    match option.command:
        case "report_irregularity" if role == "dealer" or option.fields["kind"] == "conduct_breach":
            yield Fault(option.fields["kind"], c.ReportIrregularity, role, option.fields)
        case "count_stub" if "finding" in option.choices:
            counts = option.ranges["count"]
            count = counts.max if counts.min == 0 else counts.min
            for finding in option.choices["finding"]:
                found = {**option.fields, "count": count, "finding": finding}
                yield Fault("stub_count_wrong", c.CountStub, role, found)
        case "shuffle_deck" if "counted" in option.ranges:
            short = {**option.fields, "counted": table.game.book.deck.cards - 1}
            yield Fault("shuffler_count_wrong", c.ShuffleDeck, role, short)
        case "time_out" if on_timeout(table) == "floor_decides":
            yield Fault("no_answer", c.TimeOut, role, {"seat": option.seat})


class FaultGenerator:
    """Generates faults, and the floor's remedies.

    Of the moments at which a fault is possible, `per_mille` in a thousand bring one, and never two in a row. Each
    possible kind is equally likely. `kinds` restricts them; empty means all.

    >>> FaultGenerator(900, repeatable_seed(7))
    Traceback (most recent call last):
    crossfelt.errors.BadInput: faults: the rate of faults is out of range: 900 (allowed: 1 to 500 in a thousand)
    """

    def __init__(self, per_mille: int, seed: bytes, kinds: Collection[str] = ()) -> None:
        if not 1 <= per_mille <= MOST_PER_MILLE:
            what, allowed_rates = "the rate of faults is out of range", f"1 to {MOST_PER_MILLE} in a thousand"
            raise BadInput.at("faults", "faults.rate", what, per_mille, allowed_rates)
        self._per_mille = per_mille
        self._chance = Chance(seed, "table/faults")
        self._kinds = frozenset(kinds)
        self._drawn_for: TableState | None = None
        self._rests = False
        self._broke: set[str] = set()
        self._given = 0

    def next_command(self, table: TableState, at: int, people: Collection[int] = ()) -> Command | None:
        """Return the floor's answer to the last fault, or the next fault; None where nothing goes wrong.

        `people` are seats without invented conduct. Each state of the table is drawn for once.
        """
        if (remedy := self._remedy(table, at)) is not None:
            return remedy
        if table is self._drawn_for or table.phase != "open" or table.halted:
            return None
        self._drawn_for = table
        if self._rests or self._chance.below(1000) >= self._per_mille:
            self._rests = False
            return None
        return self._fault(table, at, people)

    def _fault(self, table: TableState, at: int, people: Collection[int]) -> Command | None:
        by_kind: dict[str, list[Fault]] = {}
        for fault in possible_faults(table, at):
            made_up = fault.kind in BY_A_PLAYER and fault.fields.get("seat") in people
            if not made_up and (not self._kinds or fault.kind in self._kinds):
                by_kind.setdefault(fault.kind, []).append(fault)
        if not by_kind:
            return None
        cases = by_kind[self._one_of(sorted(by_kind))]
        fault = cases[self._chance.below(len(cases))]
        if fault.kind == "device_out_of_order":
            self._broke.add(fault.fields["place"])
        self._rests = True
        return self._give(fault.command, fault.role, at, **fault.fields)

    def _remedy(self, table: TableState, at: int) -> Command | None:
        """Return the floor's ruling, or the next step of putting a broken device out of use and back."""
        if table.pending is not None:
            return self._give(c.DecideFloor, "floor", at, ruling=self._one_of(rulings(table)))
        for device in sorted(self._broke):
            if table.devices[device] == "in_use" or not between_rounds(table):
                continue
            listed = (o.fields for o in allowed(table, "dealer", "dealer") if o.command == "mark_device")
            ways = [fields["how"] for fields in listed if fields["device"] == device]
            if "in_use" in ways:
                ways = ["in_use"]
                self._broke.discard(device)
            return self._give(c.MarkDevice, "dealer", at, device=device, how=self._one_of(ways))
        return None

    def _one_of(self, words: Collection[str]) -> str:
        return list(words)[self._chance.below(len(words))]

    def _give(self, command: type[Command], role: Role, at: int, /, **fields: Any) -> Command:
        self._given += 1
        return command(id=f"fault-{self._given}", who=role, role=role, at=at, **fields)
