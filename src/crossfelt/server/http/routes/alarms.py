"""Alarms of the floor: an altered record, a meter that does not reconcile, and events that no one has acknowledged."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Final

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from crossfelt.server.http.middleware.auth import MAX_INTEGER, ApiRequest, current_user, sees_table, server_of
from crossfelt.server.http.routes.meters import accounts_of_meters
from crossfelt.server.journal.events import AlarmsAcknowledged
from crossfelt.server.journal.stream import Alarm

OF_TABLES: Final = ("table", "seal", "meter")
"""The streams that are named after a table; shared meters are named after their rulebook."""


class Acknowledgement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time of the latest alarm that was seen."""

    until: Annotated[int, msgspec.Meta(ge=0, le=MAX_INTEGER)]


@get("/api/floor/alarms", tags=["floor"])
async def alarms(request: ApiRequest) -> list[Alarm]:
    """List what needs a person: alarms with a lasting cause, then events that the floor has not acknowledged."""
    return await _alarms(request)


@post("/api/floor/alarms/acknowledgement", tags=["floor"], status_code=200)
async def acknowledge(request: ApiRequest, data: JSONBody[Acknowledgement]) -> list[Alarm]:
    """Acknowledge the events up to a time. The journal records it, and the rest of the alarms is returned."""
    server = server_of(request)
    until = min(data.until, server.now())
    await server.journal.note(AlarmsAcknowledged(by=current_user(request).account, at=server.now(), until=until))
    return await _alarms(request)


async def _alarms(request: ApiRequest) -> list[Alarm]:
    """Return all alarms; events come last, the latest first."""
    await server_of(request).dual_control.expire()
    journal = await server_of(request).journal.now()
    return [*[alarm async for alarm in _lasting(request)], *reversed(journal.alarms)]


async def _lasting(request: ApiRequest) -> AsyncIterator[Alarm]:
    """Yield the alarms that last until their cause is gone."""
    server = server_of(request)
    for finding in server.checked.findings if server.checked is not None else ():
        kind, _, name = finding.stream.partition("/")
        owner = name.partition("/")[0]
        if kind in OF_TABLES and owner not in server.rulebooks.ids and not sees_table(request, owner):
            yield Alarm(kind="record", what="The record of a private table was altered.")
            continue
        yield Alarm(kind="record", subject=finding.stream, what=f"The record was altered: {finding}.")
    if server.house is not None and server.house.findings:
        yield Alarm(kind="record", what="The house does not add up. The audit page says where.")
    for account in await accounts_of_meters(server):
        if account.findings:
            yield Alarm(kind="meter", subject=account.meter, what="The meter does not reconcile with its entries.")
    for fault in server.changed_files:
        yield Alarm(kind="software", what=f"A file departs from the manifest: {fault}.")
