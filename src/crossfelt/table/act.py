"""Acts: the base of each kind of command, its options, its refusals, and the moves that fill options in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, TypeVar, get_args

import msgspec

from crossfelt.errors import Problem
from crossfelt.rulebooks.choices import LARGEST_CENTS
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import Irregularity
from crossfelt.rulebooks.script import Step
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.recorder import EventRecorder
from crossfelt.table.state import TableState, clauses_of, step_of

C = TypeVar("C", bound=c.Command)


class Range(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The amounts of a choice: from `min` to `max` in steps, or a list."""

    min: int
    max: int
    step: int = 1
    of: tuple[int, ...] = ()
    """The only amounts, where no step gives them: $1, $2 or $5."""

    def __contains__(self, value: object) -> bool:
        if self.of:
            return value in self.of
        return isinstance(value, int) and self.min <= value <= self.max and (value - self.min) % self.step == 0

    def in_cents(self) -> str:
        """Return the amounts in words, for a refusal."""
        if self.of or self.min == self.max:
            return " or ".join(f"{one:,}" for one in self.of or (self.min,)) + " cents"
        return f"{self.min:,} to {self.max:,} cents in steps of {self.step:,}"


def one_of(amounts: Sequence[int]) -> Range:
    """Return a choice between a few amounts, which are in order."""
    return Range(amounts[0], amounts[-1], of=tuple(amounts) if len(amounts) > 1 else ())


class Option(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One possible act, as the screen, the bots and the tests see it."""

    command: str
    seat: int | None = None
    fields: dict[str, Any] = msgspec.field(default_factory=dict)
    """Values that the command must have."""
    ranges: dict[str, Range] = msgspec.field(default_factory=dict)
    """Amounts to choose from."""
    choices: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """Words to choose from."""
    texts: tuple[str, ...] = ()
    """Fields for the user's own words: a reason, the number of a document."""
    optional: tuple[str, ...] = ()
    """Ranges that may be left out."""
    equal: tuple[tuple[str, ...], ...] = ()
    """Ranges in which the same amount is chosen."""
    most_in_all: int | None = None
    """The largest sum of the amounts."""
    after: int | None = None
    before: int | None = None
    """The time of the act, in milliseconds: not before `after`, and before `before`."""
    clauses: tuple[str, ...] = ()

    def open_at(self, at: int) -> bool:
        """Say if the act may be done at this time."""
        return (self.after is None or self.after <= at) and (self.before is None or at < self.before)


class Act(Generic[C]):
    """One kind of command, as in `Act[c.Bet]`, and the roles that may give it.

    `options` and `why_not` apply the same rule: a listed option is never refused.
    """

    command: ClassVar[type[c.Command]]
    roles: ClassVar[tuple[c.Role, ...]]
    steps: ClassVar[tuple[type[Step], ...]]
    """The kinds of steps that allow the act; empty for all."""
    texts: ClassVar[tuple[str, ...]]
    """The fields of its option for the user's own words."""

    def __init_subclass__(
        cls, roles: tuple[c.Role, ...] = (), steps: tuple[type[Step], ...] = (), texts: tuple[str, ...] = ()
    ) -> None:
        cls.command = get_args(cls.__orig_bases__[0])[0]  # type: ignore[attr-defined]
        cls.roles, cls.steps, cls.texts = roles, steps, texts

    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        """List the options that `who` has now in this role."""
        raise NotImplementedError

    def why_not(self, table: TableState, command: C) -> Problem | None:
        """Return the reason to refuse a command; None if the table accepts it."""
        raise NotImplementedError

    def perform(self, recorder: EventRecorder, command: C) -> None:
        """Record the events of an accepted command."""
        raise NotImplementedError

    @cached_property
    def name(self) -> str:
        return str(self.command.__struct_config__.tag)


class PlainAct(Act[C]):
    """An act without choices: the table allows it now or not, whoever asks."""

    def problem(self, table: TableState) -> Problem | None:
        """Return the reason to refuse the act now; None if the table allows it."""
        raise NotImplementedError

    def clauses(self, table: TableState) -> tuple[str, ...]:
        """Return the clauses of the option: those of the present step."""
        return step_clauses(table)

    def options(self, table: TableState, who: str, role: c.Role) -> Iterator[Option]:
        if self.problem(table) is None:
            yield Option(command=self.name, texts=self.texts, clauses=self.clauses(table))

    def why_not(self, table: TableState, command: C) -> Problem | None:
        return self.problem(table)


def where_in_words(where: Mapping[str, object]) -> str:
    """Seat and place, as far as they are named.

    >>> where_in_words({"seat": 4, "place": "hole_1"}), where_in_words({})
    ('seat 4, place hole_1', 'nothing')
    """
    return ", ".join(f"{name} {value}" for name, value in where.items()) or "nothing"


def named_where(seat: int | None, place: str | None) -> dict[str, Any]:
    """Seat and place of a report, as far as they are named."""
    return {name: value for name, value in (("seat", seat), ("place", place)) if value is not None}


def out_of_turn(table: TableState, code: str, what: str, kind: type[Step], where: str = "") -> Problem:
    """Refuse an act of another step of the round; the refusal cites that step."""
    return refuse(code, what, table.step, "", clauses_of(table, kind), where)


def not_next(table: TableState, code: str, number: int) -> Problem | None:
    """Refuse a seat that is not the next in the turn of the present step."""
    if table.turn and table.turn[0] == number:
        return None
    allowed = f"seat {table.turn[0]}" if table.turn else ""
    return refuse(code, "it is another seat's turn", number, allowed, step_clauses(table), where="seat")


def step_clauses(table: TableState) -> tuple[str, ...]:
    step = step_of(table)
    return step.clauses if step else ()


def report(recorder: EventRecorder, kind: str, case: str, source: object = None, /, **fields: Any) -> Irregularity:
    """Record an irregularity at the present step, and return the case of the rulebook that says what follows."""
    outcome = recorder.table.game.book.irregularities[kind][case]
    fields |= {"kind": kind, "case": case, "step": recorder.table.step, "then": outcome.then}
    recorder.emit(e.IrregularityReported, outcome, source, **fields)
    return outcome


def together(*cited: tuple[str, ...]) -> tuple[str, ...]:
    """Join the clauses or readings of several rules, each once."""
    return tuple(dict.fromkeys(one for some in cited for one in some))


def joined(*rules: Cited | None) -> Cited:
    """Join what several rules cite, for an act that rests on all of them; the first house rule counts."""
    some = [rule for rule in rules if rule is not None]
    return Cited(
        clauses=together(*(rule.clauses for rule in some)),
        readings=together(*(rule.readings for rule in some)),
        house_rule=next((rule.house_rule for rule in some if rule.house_rule), ""),
    )


def refuse(
    code: str,
    what: str,
    value: Any = None,
    allowed: str = "",
    clauses: tuple[str, ...] | Cited = (),
    where: str = "",
    readings: tuple[str, ...] = (),
) -> Problem:
    """Return a refusal with the value, what is allowed, and the clauses; or all that a datum cites."""
    shown = value if value is None or isinstance(value, (str, int, float)) else str(value)
    if isinstance(clauses, Cited):
        return clauses.problem(where, code, what, shown, allowed)
    return Problem(code=code, what=what, value=shown, allowed=allowed, clauses=clauses, where=where, readings=readings)


def same_person(first: str, who: str, what: str, rule: Cited) -> Problem | None:
    """Refuse a check by the person whose work it checks: the documents name two people.

    >>> rule = Cited(clauses=("NJC-17",))
    >>> print(same_person("ann", "ann", "the person who inspected the deck cannot verify it", rule))
    who: the person who inspected the deck cannot verify it: 'ann' (allowed: a person other than ann) [NJC-17]
    """
    if first != who:
        return None
    return refuse("same_person", what, who, f"a person other than {first}", rule, where="who")


LONGEST_TEXT = 100
"""Characters of a name, a place or a reason."""


def text_problem(code: str, field: str, text: str, what: str, rule: Cited) -> Problem | None:
    """Refuse a text that is blank, too long or not printable.

    >>> print(text_problem("deck.back", "back", " ", "the colour of the backs", Cited(clauses=("NJC-13",))))
    back: the colour of the backs is missing or too long: ' ' (allowed: 1 to 100 characters in one line) [NJC-13]
    """
    if text.strip() and len(text) <= LONGEST_TEXT and text.isprintable():
        return None
    allowed = f"1 to {LONGEST_TEXT} characters in one line"
    return refuse(code, f"{what} is missing or too long", text, allowed, rule, where=field)


def table_not_open(table: TableState) -> Problem | None:
    return None if table.phase == "open" else refuse("table.closed", "the table is not open")


def amount_problem(field: str, cents: int, *, least: int = 1, most: int = LARGEST_CENTS) -> Problem | None:
    if least <= cents <= most:
        return None
    return refuse("amount", "this amount is not allowed", cents, f"{least:,} to {most:,} cents", where=field)


# --- moves: options of `allowed` with every choice made ---------------------------------------------------------------

COMMANDS_BY_NAME: Final[Mapping[str, type[c.Command]]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(c.AnyCommand)
}
"""Every kind of command by its name in options and files."""


class Move(msgspec.Struct, frozen=True):
    """A choice of command and fields, before the person, the time and the round are known.

    >>> Move("bet", {"seat": 1, "cents": 3000}).command(id="1", who="Ann", role="player", at=0).cents
    3000
    """

    name: str
    fields: Mapping[str, Any]

    def command(self, **asked: Any) -> c.Command:
        """Return the command of this move; `asked` holds its sender, role, time and id."""
        return COMMANDS_BY_NAME[self.name](**asked, **self.fields)


def fill_in(option: Option, **chosen: Any) -> Move:
    """Return the move of an option, with every choice made."""
    seat = {} if option.seat is None else {"seat": option.seat}
    return Move(option.command, {**seat, **option.fields, **chosen})


def largest_at_most(amounts: Range, cents: int) -> int:
    """Return the largest amount of a range up to `cents`, or its smallest amount.

    >>> largest_at_most(Range(500, 1500, 100), 1450), largest_at_most(Range(500, 1500, 100), 10)
    (1400, 500)
    """
    if amounts.of:
        return max((amount for amount in amounts.of if amount <= cents), default=amounts.min)
    wanted = min(cents, amounts.max)
    return max(amounts.min, wanted - (wanted - amounts.min) % amounts.step)
