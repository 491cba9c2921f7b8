"""The two-person rule: the acts that need a second person, and the people who may be the two.

No other module decides it. Proposer and approver are different people with one of the roles below. Neither plays at the
table that a proposal concerns, nor holds the account. An auditor is neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, get_args

from crossfelt.errors import Problem
from crossfelt.server.accounts.account import Role
from crossfelt.server.journal.events import ProposalKind
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts.floor import rulings
from crossfelt.table.engine import Accepted, run
from crossfelt.table.state import TableState

SECOND_PERSON: Final = "floor.two_people"
"""The code of a problem that only a second person's approval solves."""
FILL_CENTS: Final = 250_000_00
"""One person records a fill up to this amount: a whole tray."""
ALWAYS_TWO_PEOPLE: Final[Mapping[str, str]] = {
    "void": "a void",
    "correct_card": "to correct a card",
    "reverse_round": "to reverse a round",
}
"""Acts that take two people at every table, with their names in a sentence."""
VOIDS_OR_EXPOSES: Final = (e.RoundVoided, e.CommunityCardExposed, e.FaceUpCardDiscarded)
"""Events that void a round, or show a card that would lie face down."""
VOIDS_OR_EXPOSES_IF_RULED: Final = (*VOIDS_OR_EXPOSES, e.ChoiceMade)
"""The same events, and a player's choice that a ruling replaces."""


class Pair(NamedTuple):
    """The roles of the two people."""

    proposer: tuple[Role, ...] = ("floor", "owner")
    approver: tuple[Role, ...] = ("floor", "owner")


PAIRS: Final[Mapping[ProposalKind, Pair]] = {
    **dict.fromkeys(get_args(ProposalKind), Pair()),
    "award": Pair(proposer=("dealer", "floor", "owner")),
    "roles": Pair(proposer=("owner",)),
}
"""The roles that may propose and approve each kind of proposal."""

STOPS_TABLE: Final[frozenset[ProposalKind]] = frozenset(("void", "card_correction", "award"))
"""The kinds about the round that is being played: the table stops until they are decided."""


def second_person_problem(what: str, act: str) -> Problem:
    return Problem(code=SECOND_PERSON, what=what, where="command", value=act, allowed="POST /api/proposals")


# --- openings, roles --------------------------------------------------------------------------------------------------


def opening_problem(*, public: bool, own_rules: bool) -> Problem | None:
    """Return why one person cannot open a table: a public one with a submission, or on a link of meters."""
    if not (public and own_rules):
        return None
    what = "a public table with a Rules Submission or a link of meters takes two people: propose it"
    return second_person_problem(what, "opening")


def roles_problem(before: Iterable[Role], after: Iterable[Role], *, others: bool) -> Problem | None:
    """Return why an owner alone cannot change roles: the role of floor or owner takes a second person.

    `others` says whether there is another person who could approve it. The first owner hires the first one alone.
    """
    if not others or not set(PAIRS["roles"].approver).intersection(after).difference(before):
        return None
    return second_person_problem("to make a person floor or owner takes two people: propose it", "roles")


# --- commands at a table ----------------------------------------------------------------------------------------------


def command_problem(
    table: TableState, command: c.Command, accepted: Accepted, *, people: bool, live: bool, public: bool
) -> Problem | None:
    """Return why an accepted command needs a second person; None if it does not.

    A player could otherwise void every bad round, or see a card before deciding. `people` says whether a person sits
    at the table: a round of bots alone moves no account. At a physical table the dealer reports the cards alone, and
    a typed reading that wins from a meter waits for the floor.
    """
    name = str(type(command).__struct_config__.tag)
    if people and not live and voids_or_exposes(table, accepted):
        what = "to void a round, or to show a card before its time, takes two people: the floor proposes it"
        return second_person_problem(what, name)
    if live and public and _any(accepted.events, (e.AwardClaimed,)):
        return second_person_problem("an award from a meter takes two people: the floor approves the reading", name)
    if public and isinstance(command, c.RecordFill) and command.cents > FILL_CENTS:
        return second_person_problem(f"a fill above ${FILL_CENTS // 100:,} takes two people: propose it", name)
    return None


def voids_or_exposes(table: TableState, accepted: Accepted) -> bool:
    """Return whether a command voids the round or shows a card early, or leads to a ruling that may do so.

    One person makes the ruling itself, unless it is a void: two people have reported the irregularity.
    """
    if table.pending is not None:
        return _any(accepted.events, (e.RoundVoided,))
    return _any(accepted.events, VOIDS_OR_EXPOSES) or any(
        _any(ruled, VOIDS_OR_EXPOSES_IF_RULED) for ruled in _rulings(accepted)
    )


def _rulings(accepted: Accepted) -> Iterator[tuple[e.Event, ...]]:
    """Yield the events of each ruling that the round then waits for."""
    table = accepted.table
    for ruling in rulings(table) if table.pending is not None else ():
        at = accepted.events[-1].at
        answer = run(table, c.DecideFloor(id="tried", who="floor", role="floor", at=at, ruling=ruling))
        assert isinstance(answer, Accepted), answer
        yield answer.events


def _any(events: Iterable[e.Event], kinds: tuple[type[e.Event], ...]) -> bool:
    return any(isinstance(event, kinds) for event in events)
