"""A finished round, step by step, from one viewer's place: the same views that the server sent then.

A step shows nothing that this viewer could not see at that moment. Only the auditor sees every dealt card: a finished
round holds no secret from an auditor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crossfelt.errors import BadInput
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
    """A viewer of a round."""

    id: str
    title: str


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """One step: the events shown, the change of the view, and the payment."""

    seq: int
    at: int
    events: tuple[msgspec.Raw, ...]
    patch: dict[str, Any]
    payment: Payment | None


class Retraced(msgspec.Struct, frozen=True, kw_only=True):
    """A round as one viewer saw it."""

    place: str
    you: dict[str, Any]
    view: TableView
    """The view before the first step."""
    steps: tuple[Moment, ...]


def places_of(reopened: ReplayedRound) -> tuple[Place, ...]:
    """Return the places that a round can be viewed from."""
    seats = [Place(id=f"{SEAT}{seat}", title=f"Seat {seat}, {player}") for seat, player in reopened.players.items()]
    return (*seats, *(Place(id=name, title=title) for name, title in STANDING.items()))


def replay_round(reopened: ReplayedRound, place: str) -> Retraced:
    """Return the round as seen from a place."""
    known = [it.id for it in places_of(reopened)]
    if place not in known:
        raise BadInput.at("as", "place.unknown", "no such place in this round", place, ", ".join(known))
    viewer = _Viewer(reopened, place)
    first = viewer.view(reopened.steps[0].before)
    you = {
        "name": viewer.viewpoint.name,
        "role": viewer.viewpoint.role,
        "seats": sorted(viewer.view(reopened.steps[-1].before).own),
    }
    return Retraced(place=place, you=you, view=first.whole, steps=tuple(_moments(reopened, viewer, first)))


def _moments(reopened: ReplayedRound, viewer: _Viewer, last: ViewerView) -> Iterator[Moment]:
    for group in _groups(reopened.steps):
        after = viewer.view(group[-1].after)
        payments = [
            payment_of(step, reckoned)
            for step in group
            if (reckoned := explain_payment(step.event, step.after.game)) is not None
        ]
        yield Moment(
            seq=group[0].seq,
            at=group[0].event.at,
            events=tuple(event_message(viewer.event(step), step.seq, step.number, step.after) for step in group),
            patch=patch(last, after),
            payment=payments[0] if payments else None,
        )
        last = after


def _groups(steps: Sequence[ReplayedEvent]) -> Iterator[list[ReplayedEvent]]:
    """Group each narrated event with the bookkeeping events around it."""
    group: list[ReplayedEvent] = []
    for step in steps:
        if narrate(step.event, step.after.game) and any(narrate(it.event, it.after.game) for it in group):
            yield group
            group = []
        group.append(step)
    if group:
        yield group


class _Viewer:
    """The views and events of one place."""

    def __init__(self, reopened: ReplayedRound, place: str) -> None:
        self._sees_all = place == AUDITOR
        player = reopened.players[int(place.removeprefix(SEAT))] if place.startswith(SEAT) else ""
        standing = (Viewpoint(role) for role in STANDING if role == place)
        self.viewpoint = Viewpoint("player", player) if player else next(standing)

    def view(self, table: TableState) -> ViewerView:
        table = face_up(table) if self._sees_all else table
        return view_from(table, self.viewpoint)

    def event(self, step: ReplayedEvent) -> e.Event:
        if self._sees_all:
            return masked(step.event, ()) if isinstance(step.event, e.DeckShuffled) else step.event
        return seen_by(step.event, self.viewpoint.viewer, step.before)


def face_up(table: TableState) -> TableState:
    """Return the table with every dealt card face up.

    >>> from crossfelt.cards.card import Card
    >>> table = replace(new_table(compile_game("md-criss-cross")), community={"middle": Card("As")})
    >>> view_from(face_up(table), Viewpoint("auditor")).whole.layout
    {'middle': 'As'}
    """
    seats = tuple(replace(seat, shown=True) if seat.cards else seat for seat in table.seats)
    return replace(table, seats=seats, revealed=type(table.revealed)(table.community))
