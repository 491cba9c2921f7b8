"""A round that is over, as it looked from one place: the house's own views, step by step.

What is made for a place holds nothing that could not be seen from there at that moment. The auditor's place is the one
from which every card lies open that was dealt: rounds that are over hold no secret for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crossfelt.errors import BadInput, Problem
from crossfelt.play.narration import narrate
from crossfelt.play.payment_explanation import explain_payment
from crossfelt.proof.dispute import Payment, payment_of
from crossfelt.proof.replay_round import ReplayedEvent, ReplayedRound
from crossfelt.server.broadcast.viewer_messages import ViewerView, Viewpoint, event_message, patch, view_from
from crossfelt.table import events as e
from crossfelt.table.commands import Role
from crossfelt.table.state import TableState
from crossfelt.table.views import TableView, masked, seen_by

SEAT: Final = "seat"
AUDITOR: Final[Role] = "auditor"
STANDING: Final[Mapping[Role, str]] = {
    "spectator": "A spectator",
    "dealer": "The dealer",
    "floor": "The floor",
    AUDITOR: "The auditor",
}


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """From where a round can be looked at."""

    id: str
    title: str


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """One step: what was told, how the view changed, and what was paid."""

    seq: int
    at: int
    events: tuple[msgspec.Raw, ...]
    patch: dict[str, Any]
    payment: Payment | None


class Retraced(msgspec.Struct, frozen=True, kw_only=True):
    """A round from one place."""

    place: str
    you: dict[str, Any]
    view: TableView
    """Before the first step."""
    steps: tuple[Moment, ...]


def places_of(reopened: ReplayedRound) -> tuple[Place, ...]:
    """Every place from which a round was, or may now be, looked at."""
    seats = [Place(id=f"{SEAT}{seat}", title=f"Seat {seat}, {player}") for seat, player in reopened.players.items()]
    return (*seats, *(Place(id=name, title=title) for name, title in STANDING.items()))


def replay_round(reopened: ReplayedRound, place: str) -> Retraced:
    """The round from a place: every view is the house's own, of the table as it stood."""
    known = [it.id for it in places_of(reopened)]
    if place not in known:
        what, allowed = "nobody looked on from there", ", ".join(known)
        raise BadInput(Problem(code="place.unknown", what=what, where="as", value=place, allowed=allowed))
    eye = _Eye(reopened, place)
    first = eye.at(reopened.steps[0].before)
    you = {
        "name": eye.viewpoint.name,
        "role": eye.viewpoint.role,
        "seats": sorted(eye.at(reopened.steps[-1].before).own),
    }
    return Retraced(place=place, you=you, view=first.whole, steps=tuple(_moments(reopened, eye, first)))


def _moments(reopened: ReplayedRound, eye: _Eye, last: ViewerView) -> Iterator[Moment]:
    for group in _groups(reopened.steps):
        after = eye.at(group[-1].after)
        payments = [
            payment_of(step, reckoned, settled_again=reopened.settled_again)
            for step in group
            if (reckoned := explain_payment(step.event, step.after.game)) is not None
        ]
        yield Moment(
            seq=group[0].seq,
            at=group[0].event.at,
            events=tuple(event_message(eye.sees(step), step.seq, step.after) for step in group),
            patch=patch(last, after),
            payment=payments[0] if payments else None,
        )
        last = after


def _groups(steps: Sequence[ReplayedEvent]) -> Iterator[list[ReplayedEvent]]:
    """Events that are told, each with the bookkeeping that follows it."""
    group: list[ReplayedEvent] = []
    for step in steps:
        if narrate(step.event, step.after.game) and any(narrate(it.event, it.after.game) for it in group):
            yield group
            group = []
        group.append(step)
    if group:
        yield group


class _Eye:
    """Looks at tables and events from one place."""

    def __init__(self, reopened: ReplayedRound, place: str) -> None:
        self._whole = place == AUDITOR
        player = reopened.players[int(place.removeprefix(SEAT))] if place.startswith(SEAT) else ""
        standing = (Viewpoint(role) for role in STANDING if role == place)
        self.viewpoint = Viewpoint("player", player) if player else next(standing)

    def at(self, table: TableState) -> ViewerView:
        table = laid_open(table) if self._whole else table
        return view_from(table, self.viewpoint)

    def sees(self, step: ReplayedEvent) -> e.Event:
        if self._whole:
            return masked(step.event, ()) if isinstance(step.event, e.DeckShuffled) else step.event
        return seen_by(step.event, self.viewpoint.viewer, step.before)


def laid_open(table: TableState) -> TableState:
    """The table with every card that was dealt face up; the deck stays as it is.

    >>> from crossfelt.cards.card import Card
    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.state import new_table
    >>> table = replace(new_table(compile_game("md-criss-cross")), community={"middle": Card("As")})
    >>> view_from(laid_open(table), Viewpoint("auditor")).whole.layout
    {'middle': 'As'}
    """
    seats = tuple(replace(seat, shown=True) if seat.cards else seat for seat in table.seats)
    return replace(table, seats=seats, revealed=type(table.revealed)(table.community))
