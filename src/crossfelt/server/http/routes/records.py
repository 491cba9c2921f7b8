"""Records: closed rounds, meters, and the server's journal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from litestar import get, post
from litestar.params import FromPath

from crossfelt._util.shared_fields import shared_fields
from crossfelt.cards.card import enc_hook
from crossfelt.errors import BadInput
from crossfelt.proof.commitment import Commitment, LeafOpening, WholeOpening
from crossfelt.proof.fair_round import DeviceWeights
from crossfelt.server.accounts.policy import sees_everything
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.audit.house import add_up
from crossfelt.server.audit.integrity import IntegrityReport
from crossfelt.server.broadcast.viewer_messages import event_message
from crossfelt.server.core.meters import PREFIX
from crossfelt.server.core.recovery import RoundIndex, read_seal, readable_row
from crossfelt.server.core.rng import DRAWN, RoundCommitment, weights_in
from crossfelt.server.http.request import ApiRequest, PathInt, QueryInt
from crossfelt.server.pit.actor import TableActor
from crossfelt.table import events as e
from crossfelt.table.views import masked

MOST_ROUNDS: Final = 100
MOST_JOURNAL_LINES: Final = 500


class RoundLine(msgspec.Struct, frozen=True, kw_only=True):
    """A closed round in a list."""

    round: int
    outcome: str
    at: int
    net_cents: dict[int, int]
    players: dict[int, str]

    @classmethod
    def of(cls, index: RoundIndex) -> RoundLine:
        return cls(**shared_fields(index, RoundLine), net_cents=index.nets)


class RoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A closed round as the user may see it."""

    table: str
    round: int
    outcome: str
    at: int
    events: list[msgspec.Raw]
    commitment: Commitment | None
    openings: tuple[LeafOpening, ...]
    """The proofs of what a viewer saw who did not play the round."""
    opened: WholeOpening | None
    """The whole deck, for those who played the round and for auditors."""
    draws: tuple[DeviceWeights, ...]
    """The weights of wheels and of the draws of progressive systems, with the whole deck."""
    lesson_seed: int
    """The seed of the deck in the first round of a lesson, the same for everybody; 0 for a random deck."""


class MeterLine(msgspec.Struct, frozen=True, kw_only=True):
    """A meter as its sign shows it."""

    meter: str
    title: str
    amount_cents: int
    hits: int
    rate_per_million: int
    reset_cents: int
    limit_cents: int | None


class JournalLine(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the server's journal."""

    seq: int
    hash: str
    event: dict[str, Any]


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an integrity check."""

    sound: bool
    streams: int
    lines: int
    heads: int
    findings: tuple[str, ...]

    @classmethod
    def of(cls, checked: IntegrityReport) -> Verified:
        return cls(**shared_fields(checked, Verified) | {"findings": tuple(map(str, checked.findings))})


@get("/api/tables/{table:str}/rounds", tags=["records"])
async def rounds(request: ApiRequest, table: FromPath[str], last: QueryInt = 10) -> list[RoundLine]:
    """List the last closed rounds of a table, the latest first."""
    actor = request.visible_table(table)
    found = list(actor.memory.rounds)[::-1][: max(0, min(last, MOST_ROUNDS))]
    return [RoundLine.of(it) for it in found]


@get("/api/tables/{table:str}/rounds/{number:int}", tags=["records"])
async def one_round(request: ApiRequest, table: FromPath[str], number: PathInt) -> RoundRecord:
    """Return a closed round with the proofs of what the user saw."""
    actor = request.visible_table(table)
    index = next((it for it in actor.memory.rounds if it.round == number), None)
    if index is None:
        raise BadInput.at("number", "round.unknown", "there is no record of this round", number)
    seen = await seen_in(request, actor, index, request.person)
    fixed = await commitment_of(request, actor, seen)
    whole = bool(index.seats_of(request.person.name)) or sees_everything(request.person)
    return RoundRecord(
        **shared_fields(index, RoundRecord),
        table=table,
        events=[event_message(event, seq, place, actor.table) for seq, place, event in seen],
        commitment=fixed.commitment if fixed else None,
        openings=fixed.openings(event for *_, event in seen) if fixed and not whole else (),
        opened=fixed.tree.whole if fixed and whole else None,
        draws=await draws_of(request, actor, index, seen) if fixed and whole else (),
        lesson_seed=actor.settings.lesson_seed if number == 1 else 0,
    )


async def seen_in(
    request: ApiRequest, actor: TableActor, index: RoundIndex, identity: Identity
) -> list[tuple[int, int, e.Event]]:
    """Return the events of a closed round as a person may see them, with the numbers of their rows and in them."""
    rows = await request.server.store.rows(actor.settings.stream, index.first - 1, index.last - index.first + 1)
    own = index.seats_of(identity.name)
    whole = sees_everything(identity)
    return [
        (stored.seq, number, event if whole and not isinstance(event, e.DeckShuffled) else masked(event, own))
        for stored in rows
        for number, event in enumerate(readable_row(stored).events, start=1)
    ]


async def commitment_of(
    request: ApiRequest, actor: TableActor, seen: Iterable[tuple[int, int, e.Event]]
) -> RoundCommitment | None:
    """Return the commitment of a round: that of its last loaded deck, which may have been cut again."""
    loaded = [seq for seq, _, event in seen if isinstance(event, e.DeckLoaded)]
    stored = await request.server.store.find(actor.settings.seals, f"seal-{loaded[-1]}") if loaded else None
    return RoundCommitment.of(read_seal(stored)) if stored else None


async def draws_of(
    request: ApiRequest, actor: TableActor, index: RoundIndex, seen: Iterable[tuple[int, int, e.Event]]
) -> tuple[DeviceWeights, ...]:
    """Return the weights of a round's draws. The round is replayed if there are any: they depend on the bets."""
    if not any(type(event) in DRAWN for *_, event in seen):
        return ()
    replayed = await request.server.casebook.reopened(actor.settings.stream, index.round)
    before = {step.seq: step.before for step in reversed(replayed.steps)}
    return tuple(
        weights
        for step in replayed.steps
        for weights in weights_in(f"{step.seq}.{step.number}", step.event, before[step.seq])
    )


@get("/api/meters", tags=["records"])
async def meters(request: ApiRequest) -> list[MeterLine]:
    """List the meters of public tables."""
    pit = request.server.pit
    shown = (
        (stream, pit.meters.seen[stream]) for stream in sorted(pit.meter_registry.fed()) if stream in pit.meters.seen
    )
    return [
        MeterLine(
            meter=stream.removeprefix(PREFIX),
            **shared_fields(meter, MeterLine),
            **shared_fields(meter.parameters, MeterLine),
        )
        for stream, meter in shown
    ]


@get("/api/audit", tags=["records"])
async def journal(request: ApiRequest, after: QueryInt = -1, limit: QueryInt = MOST_JOURNAL_LINES) -> list[JournalLine]:
    """List the server's journal: who did what, and when."""
    found = await request.server.journal.events(after, max(1, min(limit, MOST_JOURNAL_LINES)))
    return [
        JournalLine(seq=row.seq, hash=row.hash, event=msgspec.to_builtins(event, enc_hook=enc_hook))
        for row, event in found
    ]


@post("/api/audit/verify", tags=["records"], status_code=200)
async def verify(request: ApiRequest) -> Verified:
    """Check every line of every stream and every signed head, and add up the whole house."""
    server = request.server
    checked = await server.check_everything()
    server.house = await add_up(server.store)
    return Verified.of(checked)
