"""Meters: their signs, and their accounts with contributions, awards and reconciliation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from litestar import get
from litestar.params import FromQuery
from msgspec.structs import replace

from crossfelt._util.shared_fields import shared_fields
from crossfelt.money import dollars
from crossfelt.progressive.events import AwardGranted, Parameters
from crossfelt.progressive.meter import MICROS, Meter
from crossfelt.server.audit.house import exact_dollars as _dollars
from crossfelt.server.core.meters import PREFIX
from crossfelt.server.http.middleware.proxy import ask_peers
from crossfelt.server.http.request import ApiRequest
from crossfelt.server.server import Server

LATEST: Final = 10


class Posting(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a meter's account, in dollars to the last millionth of a cent."""

    title: str
    dollars: str
    minus: bool = False


class GrantedAward(msgspec.Struct, frozen=True, kw_only=True):
    """An award that a meter granted."""

    number: int
    at: int
    table: str
    round: int
    percent: int
    paid_cents: int
    seats: tuple[int, ...]


class MeterAccount(msgspec.Struct, frozen=True, kw_only=True):
    """A meter with its whole account."""

    meter: str
    title: str
    amount_cents: int
    tables: tuple[str, ...]
    parameters: Parameters
    postings: tuple[Posting, ...]
    """Contributions and awards, whose sum is the pool."""
    pool: str
    overflow: str
    """The amount above the limit, kept for the next jackpot."""
    claimed: int
    """The awards that the tables claimed."""
    awards: int
    """The awards that the meter granted."""
    granted_cents: int
    """The amount that the meter granted."""
    received_cents: int
    """The amount that the tables recorded as granted."""
    paid_cents: int
    """The amount that the tables paid to players."""
    findings: tuple[str, ...]
    """Sums that disagree; empty if the meter is reconciled."""
    hits: int
    wins: int
    latest: tuple[GrantedAward, ...]
    pending: tuple[str, ...]
    """Claimed awards that are not paid yet: a round waits for them."""


class MeterLine(msgspec.Struct, frozen=True, kw_only=True):
    """A meter as its sign shows it."""

    meter: str
    title: str
    amount_cents: int
    hits: int
    rate_per_million: int
    reset_cents: int
    limit_cents: int | None


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


@get("/api/floor/meters", tags=["figures"])
async def meter_accounts(request: ApiRequest, here: FromQuery[bool] = False) -> list[MeterAccount]:
    """List the meters of public tables with their accounts, also those that no table is linked to any more.

    `here` lists pending awards of this process only.
    """
    server = request.server
    others = () if here else await ask_peers(request, "/api/floor/meters", list[MeterAccount])
    pending = [(account.meter, award) for other in others for account in other for award in account.pending]
    return [
        replace(account, pending=(*account.pending, *(award for meter, award in pending if meter == account.meter)))
        for account in await accounts_of_meters(server)
    ]


async def accounts_of_meters(server: Server) -> list[MeterAccount]:
    """Return the meters of public tables with their accounts, as this process knows them."""
    known = server.pit.meter_registry.known()
    held = server.pit.meters.seen
    seen = [stream for stream in sorted(known) if stream in held and not held[stream].retired]
    return [await _account(server, stream, known[stream]) for stream in seen]


async def _account(server: Server, stream: str, tables: Iterable[str]) -> MeterAccount:
    meter = server.pit.meters.seen[stream]
    inside = meter.initial_micros + meter.contributed_micros - meter.reversed_micros
    inside += meter.seeded_micros + meter.corrected_micros
    feeding = [actor for actor in server.pit if stream in actor.meters.streams]
    granted = await server.pit.meters.events(server.store, stream)
    totals = [(await server.revenue.of(f"table/{table}")).awards[meter.id] for table in meter.fed]
    claimed, received, paid = (
        sum(getattr(it, name) for it in totals) for name in ("claimed", "granted_cents", "paid_cents")
    )
    granted_cents = meter.paid_micros // MICROS
    findings = []
    if inside != meter.paid_micros + meter.pool_micros:
        findings.append("the contributions do not equal the payments plus the current amount")
    if claimed != meter.awards:
        findings.append(f"the tables claimed {claimed} awards, and the meter granted {meter.awards}")
    if received != granted_cents:
        findings.append(f"the meter granted {dollars(granted_cents)}, and the tables received {dollars(received)}")
    if paid > granted_cents or (paid < granted_cents and not any(actor.table.granted for actor in feeding)):
        findings.append(f"the meter granted {dollars(granted_cents)}, and the tables paid {dollars(paid)}")
    return MeterAccount(
        **shared_fields(meter, MeterAccount),
        meter=stream.removeprefix(PREFIX),
        tables=tuple(sorted(tables)),
        postings=tuple(_postings(meter)),
        pool=_dollars(meter.pool_micros),
        overflow=_dollars(meter.overflow_micros),
        claimed=claimed,
        granted_cents=granted_cents,
        received_cents=received,
        paid_cents=paid,
        findings=tuple(findings),
        latest=tuple(_granted(event) for event in reversed(granted) if isinstance(event, AwardGranted))[:LATEST],
        pending=tuple(f"{actor.settings.id}, round {actor.table.round}" for actor in feeding if actor.table.claims),
    )


def _postings(meter: Meter) -> Iterator[Posting]:
    yield Posting(title="Base: initial amount, paid in by the house", dollars=_dollars(meter.initial_micros))
    yield Posting(title="Contributions from wagers", dollars=_dollars(meter.contributed_micros))
    yield Posting(title="Contributions from void rounds, returned", dollars=_dollars(meter.reversed_micros), minus=True)
    yield Posting(title="Resets: paid in by the house after awards", dollars=_dollars(meter.seeded_micros))
    corrected = meter.corrected_micros
    yield Posting(title="Corrections, approved by two people", dollars=_dollars(abs(corrected)), minus=corrected < 0)
    yield Posting(title="Awards paid", dollars=_dollars(meter.paid_micros), minus=True)


def _granted(event: AwardGranted) -> GrantedAward:
    table, seats = event.table.partition("/")[0], tuple(seat for seat, _ in event.shares)
    return GrantedAward(**shared_fields(event, GrantedAward) | {"table": table, "seats": seats})
