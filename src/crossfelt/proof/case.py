"""Everything that can be said about one round that is over: what happened, what was paid and why, what everybody saw,
whether a second settlement pays the same, and whether the record is what was written.

It is plain data, so that a screen, a printed page and a program read the same. Of a whole round it names cards that
nobody saw: it is for auditors, after the fact. Of one seat it names none that its player could not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.problems import BadInput, Problem
from crossfelt.proof.reopening import Reopened, Step
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e
from crossfelt.table.reckoning import Reckoning, reckon
from crossfelt.table.telling import places_words, tell
from crossfelt.table.telling_words import card_words
from crossfelt.table.views import SeatView, TableView, Viewer, masked, view

DECISIONS: Final = (e.BetPlaced, e.HandFolded, e.ChoiceMade, e.HandSet, e.HandSurrendered)
"""What a player decides after the cards are dealt."""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened, in words."""

    seq: int
    at: int
    by: str
    event: str
    seat: int | None
    tells: str
    clauses: tuple[str, ...]
    readings: tuple[str, ...]
    house_rule: str


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """What one event paid, returned or took, and what the second settlement has worked out for it."""

    seq: int
    seat: int
    title: str
    stake: int
    result: str
    returned: int
    paid: int
    commission: int
    limited: int
    net: int
    hand: str
    arithmetic: tuple[str, ...]
    clauses: tuple[str, ...]
    readings: tuple[str, ...]
    house_rule: str
    again: dict[str, Any]
    """The fields that it should have, where the second settlement gives them one by one."""
    equal: bool | None
    """None where there is no second settlement."""
    complaints: tuple[str, ...]


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """What could be seen when a player decided."""

    seq: int
    seat: int
    decided: str
    own: str
    """By the player."""
    others: str
    """By everybody else: other players, spectators, dealer, floor."""


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """The head that speaks for the rows of a round."""

    head: int
    at: int
    row: int
    """The row it names, the last of the round or a later one that follows from it."""
    key: str


class RowsChecked(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the rows of a round are what was written."""

    stream: str
    first: int
    last: int
    before: str
    """The hash of the row before the first."""
    hash: str
    """The hash of the last row."""
    finding: str = ""
    """What is wrong with them; nothing where they are whole."""
    signed: Signed | None = None
    unsigned: str = ""
    """Why nobody answers for them, where nobody does."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the second settlement says of the whole round."""

    settled_again: bool
    complaints: tuple[str, ...]
    lines: int
    """Payments that were compared."""

    @property
    def words(self) -> str:
        if not self.settled_again:
            return "not settled again: nobody has written a second settlement of this game"
        if self.complaints:
            return f"not equal: {len(self.complaints)} complaint{'s' if len(self.complaints) > 1 else ''}"
        return f"equal: {self.lines} payment{'s' * (self.lines != 1)} worked out again, none differs"


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """Which round it is, by which rules, on which software."""

    table: str
    opening: int | None
    round: int
    outcome: str
    opened_at: int
    closed_at: int
    rulebook: str
    version: str
    title: str
    document: str
    citation: str
    rulebook_hash: str
    game_hash: str
    written_by: str
    """The version of Crossfelt that wrote the history."""
    software: str = ""
    """The hash of the software that ran when the round was played, where it is known."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One round, as whoever settles a dispute needs it."""

    identity: Identity
    seat: int | None
    """The seat it is about: then no card is named that its player could not see."""
    players: dict[int, str]
    nets: dict[int, int]
    happened: tuple[Told, ...]
    payments: tuple[Payment, ...]
    sights: tuple[Sight, ...]
    verdict: Verdict
    rows: RowsChecked


def case_of(reopened: Reopened, identity: Identity, rows: RowsChecked, seat: int | None = None) -> Case:
    """All of it, from a round that was opened again; or what concerns one seat of it."""
    if seat is not None and seat not in reopened.players:
        allowed = ", ".join(map(str, sorted(reopened.players))) or "none"
        what = "nobody played at this seat"
        raise BadInput(Problem(code="seat.empty", what=what, where="seat", value=seat, allowed=allowed))
    payments = tuple(_payments(reopened))
    complaints = tuple(complaint for step in reopened.steps for complaint in step.complaints)
    if reopened.broken:
        rows = msgspec.structs.replace(rows, finding=rows.finding or reopened.broken)
    return Case(
        identity=identity,
        seat=seat,
        players=reopened.players,
        nets=nets_of(payments),
        happened=tuple(_happened(reopened.steps, seat)),
        payments=payments,
        sights=tuple(it for it in _sights(reopened.steps) if seat in (None, it.seat)),
        verdict=Verdict(settled_again=reopened.settled_again, complaints=complaints, lines=len(payments)),
        rows=rows,
    )


def identify(
    reopened: Reopened, table: str, written_by: str, opening: int | None = None, software: str = ""
) -> Identity:
    """What a round is known by."""
    game, document = reopened.game, law.documents().get(reopened.game.book.document)
    return Identity(
        table=table,
        opening=opening,
        round=reopened.round,
        outcome=reopened.outcome,
        opened_at=reopened.steps[0].event.at,
        closed_at=reopened.steps[-1].event.at,
        rulebook=game.book.id,
        version=game.book.version,
        title=game.book.title,
        document=game.book.document if document is None else document.title,
        citation="" if document is None else document.citation,
        rulebook_hash=game.rulebook_hash,
        game_hash=game.hash,
        written_by=written_by,
        software=software,
    )


def nets_of(payments: Iterable[Payment]) -> dict[int, int]:
    """What the round brought each seat."""
    nets: dict[int, int] = {}
    for payment in payments:
        nets[payment.seat] = nets.get(payment.seat, 0) + payment.net
    return dict(sorted(nets.items()))


def _happened(steps: Sequence[Step], seat: int | None) -> Iterator[Told]:
    for step in steps:
        whole = seat is None and not isinstance(step.event, e.DeckShuffled)
        event = step.event if whole else masked(step.event, () if seat is None else (seat,))
        if tells := tell(event, step.after.game):
            yield Told(
                seq=step.seq,
                at=event.at,
                by=event.by,
                event=str(event.__struct_config__.tag),
                seat=getattr(event, "seat", None),
                tells=tells,
                clauses=event.clauses,
                readings=event.readings,
                house_rule=event.house_rule,
            )


def _payments(reopened: Reopened) -> Iterator[Payment]:
    for step in reopened.steps:
        if (reckoned := reckon(step.event, step.after.game)) is not None:
            yield payment_of(step, reckoned, settled_again=reopened.settled_again)


def payment_of(step: Step, reckoned: Reckoning, *, settled_again: bool) -> Payment:
    """A payment with what it rests on."""
    return Payment(
        seq=step.seq,
        seat=reckoned.seat,
        title=reckoned.title,
        stake=reckoned.stake,
        result=reckoned.result,
        returned=reckoned.returned,
        paid=reckoned.paid,
        commission=reckoned.commission,
        limited=reckoned.limited,
        net=reckoned.net,
        hand=reckoned.hand,
        arithmetic=reckoned.steps,
        clauses=step.event.clauses,
        readings=step.event.readings,
        house_rule=step.event.house_rule,
        again=dict(step.due),
        equal=not step.complaints if settled_again else None,
        complaints=step.complaints,
    )


# --- what was seen ----------------------------------------------------------------------------------------------------


def _sights(steps: Sequence[Step]) -> Iterator[Sight]:
    for step in steps:
        if not isinstance(step.event, DECISIONS):
            continue
        number, before = step.event.seat, step.before
        player = Viewer("player", before.seat(number).player)
        yield Sight(
            seq=step.seq,
            seat=number,
            decided=tell(step.event, before.game),
            own=seen_words(view(before, player), number, before.game),
            others=seen_words(view(before, Viewer("spectator")), number, before.game),
        )


def seen_words(seen: TableView, number: int, game: Game) -> str:
    """The cards in sight from one place: those of a seat, and those that lie face up on the layout."""
    seat = seen.seats[number - 1]
    up = {place: Card(card) for place, card in seen.layout.items() if card != HIDDEN.text}
    told = [_hand_words(seat)]
    if up:
        told += [f"{words} face up" for words in _by_line(up)]
    elif seen.layout:
        told.append("nothing face up on the layout")
    hands = [f"{hand.name} {line.replace('_', ' ')}" for line, hand in seat.hands.items()]
    return "; ".join([*told, *([f"so far {', '.join(hands)}"] if hands else [])])


def _hand_words(seat: SeatView) -> str:
    known = [Card(card) for card in seat.cards if card != HIDDEN.text]
    return f"hand {card_words(known)}" if known else "hand face down"


def _by_line(up: dict[str, Card]) -> Iterator[str]:
    """Cards by the line they lie on: those of one line together."""
    lines: dict[str, list[str]] = {}
    for place in up:
        lines.setdefault(place.partition("_")[0], []).append(place)
    for places in lines.values():
        yield places_words(places, [up[place] for place in places])
