"""Meters as those see them who answer for them: what went in, what was paid, and that the two agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from litestar import get
from litestar.params import FromQuery
from msgspec.structs import replace

from crossfelt.progressive.events import AwardGranted, Parameters
from crossfelt.progressive.meter import MICROS, Meter
from crossfelt.server.core.meters import PREFIX
from crossfelt.server.http.middleware.auth import ApiRequest, server_of
from crossfelt.server.http.middleware.proxy import ask_peers
from crossfelt.server.wiring import Server

LATEST: Final = 10


class Posting(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a meter's account, in dollars to the last millionth of a cent."""

    title: str
    dollars: str
    minus: bool = False


class Won(msgspec.Struct, frozen=True, kw_only=True):
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
    """What went in, and what was paid: they come to what is there."""
    pool: str
    overflow: str
    """What waits for the next jackpot, above the limit."""
    reconciled: bool
    awards: int
    hits: int
    wins: int
    latest: tuple[Won, ...]
    pending: tuple[str, ...]
    """Awards that are announced and not paid: a round waits for them."""


@get("/api/floor/meters", tags=["figures"])
async def meter_accounts(request: ApiRequest, here: FromQuery[bool] = False) -> list[MeterAccount]:
    """The meters of the house with their accounts, also those that no table is linked to any more; those of private
    tables are their own. `here` for what waits for them at tables of this process alone."""
    server = server_of(request)
    told = () if here else await ask_peers(request, "/api/floor/meters", list[MeterAccount])
    waits = [(account.meter, award) for there in told for account in there for award in account.pending]
    known = server.pit.board.known()
    seen = [stream for stream in sorted(known) if stream in server.pit.meters.seen]
    accounts = [await _account(server, stream, known[stream]) for stream in seen]
    return [
        replace(account, pending=(*account.pending, *(award for meter, award in waits if meter == account.meter)))
        for account in accounts
    ]


async def _account(server: Server, stream: str, tables: Iterable[str]) -> MeterAccount:
    meter = server.pit.meters.seen[stream]
    inside = meter.initial_micros + meter.contributed_micros - meter.reversed_micros
    inside += meter.seeded_micros + meter.corrected_micros
    feeding = [actor for actor in server.pit if stream in actor.meters.streams]
    granted = await server.pit.meters.events(server.store, stream)
    return MeterAccount(
        meter=stream.removeprefix(PREFIX),
        title=meter.title,
        amount_cents=meter.amount_cents,
        tables=tuple(sorted(tables)),
        parameters=meter.parameters,
        postings=tuple(_postings(meter)),
        pool=_dollars(meter.pool_micros),
        overflow=_dollars(meter.overflow_micros),
        reconciled=inside == meter.paid_micros + meter.pool_micros,
        awards=meter.awards,
        hits=meter.hits,
        wins=meter.wins,
        latest=tuple(_won(event) for event in reversed(granted) if isinstance(event, AwardGranted))[:LATEST],
        pending=tuple(f"{actor.settings.id}, round {actor.table.round}" for actor in feeding if actor.table.claims),
    )


def _postings(meter: Meter) -> Iterator[Posting]:
    yield Posting(title="Base: put in by the house at first", dollars=_dollars(meter.initial_micros))
    yield Posting(title="Contributions of wagers", dollars=_dollars(meter.contributed_micros))
    yield Posting(title="Contributions of void rounds, taken back", dollars=_dollars(meter.reversed_micros), minus=True)
    yield Posting(title="Resets: put in by the house since", dollars=_dollars(meter.seeded_micros))
    corrected = meter.corrected_micros
    yield Posting(title="Corrections by two people", dollars=_dollars(abs(corrected)), minus=corrected < 0)
    yield Posting(title="Awards paid", dollars=_dollars(meter.paid_micros), minus=True)


def _won(event: AwardGranted) -> Won:
    return Won(
        number=event.number,
        at=event.at,
        table=event.table.partition("/")[0],
        round=event.round,
        percent=event.percent,
        paid_cents=event.paid_cents,
        seats=tuple(seat for seat, _ in event.shares),
    )


def _dollars(micros: int) -> str:
    """Millionths of a cent in dollars, exactly.

    >>> _dollars(10_000_00 * MICROS), _dollars(-350_000)
    ('$10,000.00', '-$0.0035')
    """
    whole, rest = divmod(abs(micros), 100 * MICROS)
    digits = f"{rest:08d}".rstrip("0").ljust(2, "0")
    return f"{'-' if micros < 0 else ''}${whole:,}.{digits}"


HANDLERS: Final = (meter_accounts,)
