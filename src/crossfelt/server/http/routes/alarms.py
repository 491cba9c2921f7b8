"""Alarms of the floor: an altered record, a meter that does not reconcile, and events that no one has acknowledged."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from crossfelt.server.http.middleware.auth import ApiRequest, current_user, server_of
from crossfelt.server.http.routes.meters import accounts_of_meters
from crossfelt.server.journal.events import AlarmsAcknowledged
from crossfelt.server.journal.stream import Alarm
from crossfelt.server.wiring import Server


class Acknowledgement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time of the latest alarm that was seen."""

    until: int


@get("/api/floor/alarms", tags=["floor"])
async def alarms(request: ApiRequest) -> list[Alarm]:
    """List what needs a person: alarms with a lasting cause, then events that the floor has not acknowledged."""
    return await _alarms(server_of(request))


@post("/api/floor/alarms/acknowledgement", tags=["floor"], status_code=200)
async def acknowledge(request: ApiRequest, data: JSONBody[Acknowledgement]) -> list[Alarm]:
    """Acknowledge the events up to a time. The journal records it, and the rest of the alarms is returned."""
    server = server_of(request)
    until = min(data.until, server.now())
    await server.journal.note(AlarmsAcknowledged(by=current_user(request).account, at=server.now(), until=until))
    return await _alarms(server)


async def _alarms(server: Server) -> list[Alarm]:
    """Return all alarms; events come last, the latest first."""
    return [*[alarm async for alarm in _lasting(server)], *reversed((await server.journal.now()).alarms)]


async def _lasting(server: Server) -> AsyncIterator[Alarm]:
    """Yield the alarms that last until their cause is gone."""
    for finding in server.checked.findings if server.checked is not None else ():
        yield Alarm(kind="record", subject=finding.stream, what=f"The record was altered: {finding}.")
    for what in server.house.findings if server.house is not None else ():
        yield Alarm(kind="record", what=f"The house does not add up: {what}.")
    for account in await accounts_of_meters(server):
        if not account.reconciled:
            yield Alarm(kind="meter", subject=account.meter, what="The meter does not reconcile with its entries.")
    for fault in server.changed_files:
        yield Alarm(kind="software", what=f"A file departs from the manifest: {fault}.")


HANDLERS: Final = (alarms, acknowledge)
