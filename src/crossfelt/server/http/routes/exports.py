"""Exports of histories, signed heads and streams, for verification elsewhere.

They are streamed as stored and never compressed: verification needs the exact bytes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import IO, Annotated, Final, cast

from litestar import get
from litestar.background_tasks import BackgroundTask
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Stream

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import BadInput
from crossfelt.proof.player_rounds import COLUMNS, PlayerRound, PlayerRoundsHeader, csv_rows, line_of
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.accounts.usernames import account_key, account_stream
from crossfelt.server.audit.evidence import write_evidence
from crossfelt.server.audit.export import end_of, pages_of, pages_of_heads
from crossfelt.server.audit.search import EVERY, SearchFilter
from crossfelt.server.core.bots import bot_style
from crossfelt.server.core.recovery import RoundIndex
from crossfelt.server.http.downloads import attachment, csv_text
from crossfelt.server.http.request import MAX_INTEGER, ApiRequest, QueryInt
from crossfelt.server.http.routes.audit import csv_of
from crossfelt.server.http.routes.disputes import recorded_round
from crossfelt.server.http.routes.rounds import commitment_of, seen_in
from crossfelt.server.journal.events import Exported
from crossfelt.server.journal.stream import JOURNAL_STREAM
from crossfelt.server.pit.actor import TableActor
from crossfelt.table.events import AnyEvent

JSON_LINES: Final = "application/jsonl"
BLOCK: Final = 1 << 16
UNCOMPRESSED: Final = "uncompressed"


@get("/api/tables/{table:str}/history", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def history(request: ApiRequest, table: FromPath[str]) -> Stream:
    """Export the history of a table for `crossfelt verify`.

    The history of an open table ends with the last round before any deck that is still to be played.
    """
    server = request.server
    stream = f"table/{table}"
    # Refuse an unknown table before reading the journal: a table that opens meanwhile is not taken for a closed one.
    await end_of(server.store, stream)
    closed = table not in (await server.journal.now()).tables
    last = await end_of(server.store, stream) if closed else (await server.casebook.volume(stream)).exportable_until
    return await _recorded_export(request, stream, last, f"{table}.jsonl", goes_on=not closed)


@get("/api/audit/heads", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def heads(request: ApiRequest, after: QueryInt = 0) -> Stream:
    """Export the signed heads after a number, one a line, for `crossfelt verify --head`."""
    return Stream(pages_of_heads(request.server.store, after), media_type=JSON_LINES)


@get("/api/streams/{stream:path}", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def stream(request: ApiRequest, stream: FromPath[str]) -> Stream:
    """Export a stream of an account, a meter or the journal. For a table, export its history."""
    name = stream.strip("/")
    if name.startswith(("table/", "seal/")):
        what = "this stream is not exported here: for a table use /api/tables/NAME/history"
        raise BadInput.at("stream", "stream.secret", what, name)
    return await _recorded_export(request, name, await end_of(request.server.store, name))


@get("/api/audit/evidence", tags=["records"], media_type="application/zip", opt={UNCOMPRESSED: True})
async def evidence(
    request: ApiRequest,
    since: QueryInt = 0,
    until: QueryInt = MAX_INTEGER,
    table: FromQuery[str] = "",
    number: Annotated[int, QueryParameter(name="round", ge=-1, le=MAX_INTEGER)] = -1,
) -> Stream:
    """Export a period, or one round, as an evidence pack for `crossfelt verify`. The journal records it."""
    server, user = request.server, request.person
    others: dict[str, bytes] = {}
    if table:
        case = await recorded_round(request, table, number)
        index = case.volume.find(number)
        about, name = f"round {number} at table {table}", f"dispute-{table}-{number}"
        accounts = [account_stream(account_key(player)) for player in index.players.values()]
        meters = [it.stream for it in await server.store.streams("meter/")]
        streams = [f"table/{table}", JOURNAL_STREAM, *accounts, *meters]
        others["dispute.html"] = await asyncio.to_thread(case.report)
    else:
        until = min(until, server.now())
        times = [
            datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="seconds") for at in (min(since, until), until)
        ]
        about, name = f"{times[0]} to {times[1]}", f"evidence-{times[0][:10]}"
        streams = await server.store.streams_between(since, until)
        wanted = SearchFilter(stream=EVERY, since=since, until=until, rounds=False)
        others["entries.csv"] = csv_of([entry async for entry in server.audit_search.every(wanted)])
    file = TemporaryFile()  # noqa: SIM115
    try:
        written = await write_evidence(
            server.store,
            file,
            key=server.signing_key,
            casebook=server.casebook,
            about=about,
            streams=streams,
            open_tables=(await server.journal.now()).tables,
            others=others,
        )
    except BaseException:
        file.close()
        raise
    await server.journal.note(Exported(by=user.account, at=server.now(), stream=f"evidence: {about}", lines=written))
    # HEAD reads no block, so the file is closed after the response as well.
    closing = BackgroundTask(file.close)
    return Stream(_blocks(file), media_type="application/zip", headers=attachment(f"{name}.zip"), background=closing)


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while block := file.read(BLOCK):
            yield block


@get("/api/tables/{table:str}/own-rounds", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def own_rounds(request: ApiRequest, table: FromPath[str]) -> Stream:
    """Export your rounds at a table for `crossfelt verify`, as you saw them.

    At a private table where you alone have played, this is the whole history.
    """
    actor, indices = await _own_rounds(request, table)
    name = request.person.name
    volume = await request.server.casebook.volume(actor.settings.stream)
    people = {player for it in volume.rounds for player in it.players.values() if bot_style(player) is None}
    if actor.settings.owner == name and people == {name}:
        return await _recorded_export(
            request, actor.settings.stream, volume.exportable_until, f"{table}.jsonl", goes_on=True
        )

    async def lines() -> AsyncIterator[bytes]:
        yield line_of(PlayerRoundsHeader(table=table, player=name, game=actor.table.game.as_data()))
        for index in indices:
            yield line_of(await _own_round(request, actor, index))

    return Stream(lines(), media_type=JSON_LINES, headers=attachment(f"{table}-own-rounds.jsonl"))


@get("/api/tables/{table:str}/own-rounds.csv", tags=["records"], media_type="text/csv", opt={UNCOMPRESSED: True})
async def own_rounds_as_csv(request: ApiRequest, table: FromPath[str]) -> Stream:
    """Export your rounds at a table as a spreadsheet, a line for each wager; amounts in cents."""
    actor, indices = await _own_rounds(request, table)

    async def lines() -> AsyncIterator[bytes]:
        yield csv_text([COLUMNS]).encode()
        for index in indices:
            for row in csv_rows(actor.table.game, await _own_round(request, actor, index)):
                yield csv_text([row]).encode()

    return Stream(lines(), media_type="text/csv", headers=attachment(f"{table}-own-rounds.csv"))


async def _own_rounds(request: ApiRequest, table: str) -> tuple[TableActor, list[RoundIndex]]:
    """Return a table, and the rounds in which the user took part."""
    actor, name = request.visible_table(table), request.person.name
    volume = await request.server.casebook.volume(actor.settings.stream)
    found = [it for it in volume.rounds if it.seats_of(name)]
    if not found:
        what = "you have finished no round at this table: play one, then export it"
        raise BadInput.at("table", "export.none", what, table)
    return actor, found


async def _own_round(request: ApiRequest, actor: TableActor, index: RoundIndex) -> PlayerRound:
    identity = request.person
    as_player = Identity(account=identity.account, name=identity.name, roles=("player",))
    seen = await seen_in(request, actor, index, as_player)
    events = tuple([event for *_, event in seen])
    fixed = await commitment_of(request, actor, seen)
    nets = {seat: index.nets.get(seat, 0) for seat in sorted(index.seats_of(identity.name))}
    return PlayerRound(
        **shared_fields(index, PlayerRound) | {"nets": nets},
        events=cast("tuple[AnyEvent, ...]", events),
        commitment=fixed.commitment if fixed else None,
        opened=fixed.tree.whole if fixed else None,
    )


async def _recorded_export(
    request: ApiRequest, stream: str, last: int, file: str = "", *, goes_on: bool = False
) -> Stream:
    """Record an export in the journal, then send the stream up to a row."""
    server = request.server
    await server.journal.note(Exported(by=request.person.account, at=server.now(), stream=stream, lines=last))
    headers = attachment(file) if file else None
    return Stream(pages_of(server.store, stream, last, goes_on=goes_on), media_type=JSON_LINES, headers=headers)
