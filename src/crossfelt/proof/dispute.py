"""The dispute file of one closed round: events, payments and their reasons, each player's view, the second settlement,
and the integrity of the record.

It is plain data, so that a screen, a printed page and a program read the same. The whole file names unseen cards: it is
for auditors, after the fact. The file of one seat names only cards that its player could see.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.cards.card import HIDDEN, Card
from crossfelt.errors import BadInput
from crossfelt.play.areas import cards_up_words
from crossfelt.play.narration import narrate
from crossfelt.play.payment_explanation import PaymentExplanation, explain_payment
from crossfelt.play.text import card_words, hand_title
from crossfelt.proof.history import BrokenHistory, History, read_history
from crossfelt.proof.replay_round import ReplayedEvent, ReplayedRound, StreamReplay, replay_round
from crossfelt.proof.signed_heads import Head, VerifyingKey, head_faults
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.rulebook_law import document_of
from crossfelt.table import events as e
from crossfelt.table.events import Event
from crossfelt.table.records import TableRecords, records_in_play
from crossfelt.table.views import TableView, Viewer, masked, view

DECISIONS: Final = (e.BetPlaced, e.HandFolded, e.ChoiceMade, e.HandSet, e.HandSurrendered)
"""The decisions of a player after the deal."""


class NarratedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event, in words."""

    seq: int
    at: int
    by: str
    event: str
    seat: int | None = None
    tells: str
    clauses: tuple[str, ...]
    readings: tuple[str, ...]
    house_rule: str


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """The payment of one event, and the second settlement's result for it."""

    seq: int
    number: int
    """The number of the event in its row, from 1."""
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
    """The expected fields, where the second settlement gives them singly."""
    equal: bool
    complaints: tuple[str, ...]


class DecisionView(msgspec.Struct, frozen=True, kw_only=True):
    """The visible cards at a player's decision."""

    seq: int
    seat: int
    decided: str
    own: str
    """The player's view."""
    others: str
    """The view of all others: other players, spectators, dealer, floor."""


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """The head that covers the rows of a round."""

    head: int
    at: int
    row: int
    """The row that it names: the last of the round, or a later row of the same chain."""
    key: str


class RowsChecked(msgspec.Struct, frozen=True, kw_only=True):
    """The integrity of a round's rows."""

    stream: str
    first: int
    last: int
    before: str
    """The hash of the row before the first."""
    hash: str
    """The hash of the last row."""
    finding: str = ""
    """The faults of the rows; empty where they are intact."""
    signed: Signed | None = None
    unsigned: str = ""
    """The reason why no signed head covers them, where none does."""


class ResettlementVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The second settlement of the whole round."""

    unsettled: tuple[str, ...]
    """The figures that were not worked out again."""
    complaints: tuple[str, ...]
    lines: int
    """Payments that were compared."""

    @property
    def words(self) -> str:
        if self.complaints:
            return f"not equal: {len(self.complaints)} complaint{'s' if len(self.complaints) > 1 else ''}"
        equal = f"equal: {self.lines} payment{'s' * (self.lines != 1)} worked out again, none differs"
        return "; ".join((equal, *(f"not worked out again: {what}" for what in self.unsettled)))


class RoundIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """The round's number, rules and software."""

    table: str
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
    decisions: tuple[str, ...] = ()
    """The decisions of two people about the round: what, who, when and from where."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One round, for the person who settles a dispute."""

    identity: RoundIdentity
    seat: int | None
    """The seat of the case; it then names no card that the seat's player could not see."""
    players: dict[int, str]
    nets: dict[int, int]
    happened: tuple[NarratedEvent, ...]
    payments: tuple[Payment, ...]
    sights: tuple[DecisionView, ...]
    verdict: ResettlementVerdict
    rows: RowsChecked
    records: TableRecords
    """The check of the fittings, and the deck of the round, when the cards were dealt."""


def case_of(reopened: ReplayedRound, identity: RoundIdentity, rows: RowsChecked, seat: int | None = None) -> Case:
    """Return the whole file of a replayed round, or the part of one seat."""
    if seat is not None and seat not in reopened.players:
        allowed = ", ".join(map(str, sorted(reopened.players))) or "none"
        raise BadInput.at("seat", "seat.empty", "no player played at this seat", seat, allowed)
    explained = ((step, explain_payment(step.event, step.after.game)) for step in reopened.steps)
    payments = tuple(payment_of(step, of_step) for step, of_step in explained if of_step is not None)
    dealt = (step.after for step in reopened.steps if isinstance(step.event, e.CardsDealt))
    opened = (step.after for step in reopened.steps if isinstance(step.event, e.RoundOpened))
    complaints = tuple(complaint for step in reopened.steps for complaint in step.complaints)
    if reopened.broken:
        rows = msgspec.structs.replace(rows, finding=rows.finding or reopened.broken)
    nets = Counter[int]()
    for payment in payments:
        nets[payment.seat] += payment.net
    return Case(
        identity=identity,
        seat=seat,
        players=reopened.players,
        nets=dict(sorted(nets.items())),
        happened=tuple(_happened(reopened.steps, seat)),
        payments=payments,
        sights=tuple(it for it in _sights(reopened.steps) if seat in (None, it.seat)),
        verdict=ResettlementVerdict(unsettled=reopened.unsettled, complaints=complaints, lines=len(payments)),
        rows=rows,
        records=records_in_play(next(dealt, None) or next(opened, reopened.steps[0].before)),
    )


def identify(
    reopened: ReplayedRound, table: str, written_by: str, software: str = "", decisions: tuple[str, ...] = ()
) -> RoundIdentity:
    game, document = reopened.game, document_of(reopened.game.book)
    return RoundIdentity(
        table=table,
        round=reopened.round,
        outcome=reopened.outcome,
        opened_at=reopened.steps[0].event.at,
        closed_at=reopened.steps[-1].event.at,
        rulebook=game.book.id,
        version=game.book.version,
        title=game.book.title,
        document=document.title,
        citation=document.citation,
        rulebook_hash=game.rulebook_hash,
        game_hash=game.hash,
        written_by=written_by,
        software=software,
        decisions=decisions,
    )


def _happened(steps: Sequence[ReplayedEvent], seat: int | None) -> Iterator[NarratedEvent]:
    for step in steps:
        whole = seat is None and not isinstance(step.event, e.DeckShuffled)
        event = step.event if whole else masked(step.event, () if seat is None else (seat,))
        if tells := narrate(event, step.after.game):
            tag = str(event.__struct_config__.tag)
            yield NarratedEvent(seq=step.seq, event=tag, tells=tells, **shared_fields(event, NarratedEvent))


def payment_of(step: ReplayedEvent, explained: PaymentExplanation) -> Payment:
    """Return a payment with its clauses and the second settlement's result."""
    return Payment(
        **shared_fields(explained, Payment),
        **shared_fields(step, Payment),
        arithmetic=explained.steps,
        clauses=step.event.clauses,
        readings=step.event.readings,
        house_rule=step.event.house_rule,
        again=dict(step.due),
        equal=not step.complaints,
    )


FACE_DOWN: Final = "hand face down"

# --- what was seen ----------------------------------------------------------------------------------------------------


def _sights(steps: Sequence[ReplayedEvent]) -> Iterator[DecisionView]:
    shown: dict[int, tuple[Card, ...]] = {}
    for step in steps:
        if not isinstance(step.event, DECISIONS):
            shown |= _shown_by(step.event)
            continue
        number, before = step.event.seat, step.before
        player = Viewer("player", before.seat(number).player)
        others = seen_words(view(before, Viewer("spectator")), number, before.game)
        if number in shown:
            others = others.replace(FACE_DOWN, f"hand {card_words(shown[number])}, shown before and now face down", 1)
        yield DecisionView(
            seq=step.seq,
            seat=number,
            decided=narrate(step.event, before.game),
            own=seen_words(view(before, player), number, before.game),
            others=others,
        )
        shown |= _shown_by(step.event)


def _shown_by(event: e.Event) -> dict[int, tuple[Card, ...]]:
    """Return the hand that an event showed to everybody."""
    if not isinstance(event, e.ChoiceMade | e.HandShown) or not event.cards or HIDDEN in event.cards:
        return {}
    return {event.seat: event.cards}


def seen_words(seen: TableView, number: int, game: Game) -> str:
    """Return the cards visible from one seat: its own, and those face up on the layout."""
    seat = seen.seats[number - 1]
    own = [Card(card) for card in seat.cards if card != HIDDEN.text]
    up = {place: Card(card) for place, card in seen.layout.items() if card != HIDDEN.text}
    words = [f"hand {card_words(own)}" if own else FACE_DOWN]
    if up:
        words.append(f"face up {cards_up_words(game, tuple(up), tuple(up.values()))}")
    elif seen.layout:
        words.append("nothing face up on the layout")
    hands = [f"{hand.name} ({hand_title(game, name)})" for name, hand in seat.hands.items()]
    return "; ".join([*words, *([f"so far {', '.join(hands)}"] if hands else [])])


# --- rounds of an exported history ------------------------------------------------------------------------------------

UNASKED = "unknown: no key and no signed heads were given"
UNSIGNED = "not yet: no signed head names a row from this round on"


def read_case(
    path: Path, number: int, seat: int | None = None, heads: Sequence[Head] = (), key: VerifyingKey | None = None
) -> Case:
    """Return the case of a round; raise BadInput where it is not over in this history."""
    hashes: dict[int, str] = {}
    altered = ""

    def rows(history: History) -> Iterator[tuple[int, tuple[Event, ...]]]:
        """Yield the rows up to the first altered one."""
        nonlocal altered
        hashes[0] = history.head
        try:
            for row in history:
                hashes[row.seq] = row.hash
                yield row.seq, row.events
        except BrokenHistory as broken:
            altered = f"line {broken.line}: {msgspec.structs.replace(broken.problems[0], where='')}"
            raise

    with read_history(path) as history:
        header, followed = history.header, rows(history)
        reopened = replay_round(StreamReplay(header), number, followed)
        if reopened is None:
            raise BadInput.at("--round", "round.unknown", "this history has no such closed round", number)
        with suppress(BrokenHistory):
            deque(followed, maxlen=0)  # the rows after it are checked too
    name = f"table/{header.table}"
    named, signed, wrong = ("", None, "") if key is None else _signed(name, hashes, reopened.last, heads, key)
    checked = RowsChecked(
        stream=named or f"table {header.table}",
        first=reopened.first,
        last=reopened.last,
        before=hashes[reopened.first - 1],
        hash=hashes.get(reopened.last, ""),
        finding=altered or wrong,
        signed=signed,
        unsigned="" if signed else UNASKED if key is None else UNSIGNED,
    )
    return case_of(reopened, identify(reopened, header.table, header.crossfelt), checked, seat)


def _signed(
    name: str, hashes: Mapping[int, str], last: int, heads: Sequence[Head], key: VerifyingKey
) -> tuple[str, Signed | None, str]:
    """Return the stream's name, the first head that covers the round, and the fault of the heads, if any."""
    wrong = next((what for _, what in head_faults(heads, key)), "")
    own, found, differs = False, None, ""
    for head in heads:
        for stream, seq, digest in head.statement.streams:
            if stream != name:
                continue
            if hashes.get(seq) == digest:
                own = True
                if seq >= last and found is None:
                    found = Signed(head=head.statement.number, at=head.statement.at, row=seq, key=key.text)
            elif seq in hashes and not differs:
                differs = f"row {seq} is not the one that head {head.statement.number} names"
    # A stream without any row of this history is another table's of the same name.
    return (name, found, wrong or differs) if own else ("", None, wrong)
