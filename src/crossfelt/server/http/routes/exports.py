"""Exports of histories, signed heads and streams, for verification elsewhere.

They are streamed as stored and never compressed: verification needs the exact bytes.
"""

from __future__ import annotations

from typing import Final

from litestar import get
from litestar.params import FromPath
from litestar.response import Stream

from crossfelt.errors import BadInput, Problem
from crossfelt.server.audit.export import end_of, pages_of, pages_of_heads
from crossfelt.server.http.middleware.auth import ApiRequest, QueryInt, current_user, server_of
from crossfelt.server.journal.events import Exported

JSON_LINES: Final = "application/jsonl"
UNCOMPRESSED: Final = "uncompressed"
"""The option of a route whose response is not compressed."""


@get("/api/tables/{table:str}/history", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def history(request: ApiRequest, table: FromPath[str]) -> Stream:
    """Export the history of a table for `crossfelt verify`.

    The history of an open table ends with the last round before any deck that is still to be played.
    """
    server = server_of(request)
    stream = f"table/{table}"
    # Refuse an unknown table before reading the journal: a table that opens meanwhile is not taken for a closed one.
    await end_of(server.store, stream)
    closed = table not in (await server.journal.now()).tables
    last = await end_of(server.store, stream) if closed else (await server.casebook.volume(stream)).exportable_until
    headers = {"Content-Disposition": f'attachment; filename="{table}.jsonl"'}
    return await _recorded_export(request, stream, last, headers, goes_on=not closed)


@get("/api/audit/heads", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def heads(request: ApiRequest, after: QueryInt = 0) -> Stream:
    """Export the signed heads after a number, one a line, for `crossfelt verify --head`."""
    return Stream(pages_of_heads(server_of(request).store, after), media_type=JSON_LINES)


@get("/api/streams/{stream:path}", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def stream(request: ApiRequest, stream: FromPath[str]) -> Stream:
    """Export a stream of an account, a meter or the journal. For a table, export its history."""
    name = stream.strip("/")
    if name.startswith(("table/", "seal/")):
        what = "this stream is not exported here: for a table use /api/tables/NAME/history"
        raise BadInput(Problem(code="stream.secret", what=what, where="stream", value=name))
    return await _recorded_export(request, name, await end_of(server_of(request).store, name))


async def _recorded_export(
    request: ApiRequest, stream: str, last: int, headers: dict[str, str] | None = None, *, goes_on: bool = False
) -> Stream:
    """Record an export in the journal, then send the stream up to a row."""
    server = server_of(request)
    await server.journal.note(Exported(by=current_user(request).account, at=server.now(), stream=stream, lines=last))
    return Stream(pages_of(server.store, stream, last, goes_on=goes_on), media_type=JSON_LINES, headers=headers)


HANDLERS: Final = (history, heads, stream)
