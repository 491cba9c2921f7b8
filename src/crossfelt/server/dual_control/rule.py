"""The two-person rule at a table: commands that a second person has to approve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from crossfelt.errors import Problem
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts.floor import rulings
from crossfelt.table.engine import Accepted, run
from crossfelt.table.state import TableState

SECOND_PERSON: Final = "floor.two_people"
"""The code of a problem that only a second person's approval solves."""
ALWAYS_TWO_PEOPLE: Final = {"void": "a void", "correct_card": "to put a card right"}
"""Acts that take two people at every table, with their names in a sentence."""
VOIDS_OR_EXPOSES: Final = (e.RoundVoided, e.CommunityCardExposed, e.FaceUpCardDiscarded)
"""Events that void a round, or show a card that would lie face down."""
VOIDS_OR_EXPOSES_IF_RULED: Final = (*VOIDS_OR_EXPOSES, e.ChoiceMade)
"""The same events, and a player's choice that a ruling replaces."""


def second_person_problem(what: str, act: str) -> Problem:
    return Problem(code=SECOND_PERSON, what=what, where="command", value=act, allowed="POST /api/proposals")


def requires_second_person(table: TableState, accepted: Accepted, *, people: bool, live: bool) -> bool:
    """Return whether an accepted command takes two people.

    A player could otherwise void every bad round, or see a card before deciding. `people` says whether a person sits
    at the table: a round of bots alone moves no account. At a live table the dealer reports the physical cards alone.
    """
    return people and not live and voids_or_exposes(table, accepted)


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
