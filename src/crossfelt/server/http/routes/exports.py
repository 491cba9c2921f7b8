"""Copies of what is on record, for whoever checks them elsewhere. They are sent as they are read, and never compressed:
what is verified are the bytes themselves, and they may be many."""

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
UNCOMPRESSED: Final = "as_it_is"
"""The option of a route whose answer is not compressed."""


@get("/api/tables/{table:str}/history", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def history(request: ApiRequest, table: FromPath[str]) -> Stream:
    """The history of a table, as `crossfelt verify` reads it: up to its last round with no deck in it that is still to
    be played; of a table that is closed for good, to its end."""
    server = server_of(request)
    stream = f"table/{table}"
    await end_of(server.store, stream)  # before the journal: a table that opens meanwhile is not taken for a closed one
    over = table not in (await server.journal.now()).tables
    last = await end_of(server.store, stream) if over else (await server.casebook.volume(stream)).told_until
    headers = {"Content-Disposition": f'attachment; filename="{table}.jsonl"'}
    return await _noted(request, stream, last, headers, goes_on=not over)


@get("/api/audit/heads", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def heads(request: ApiRequest, after: QueryInt = 0) -> Stream:
    """The signed heads after a number, one a line, as `crossfelt verify --head` reads them."""
    return Stream(pages_of_heads(server_of(request).store, after), media_type=JSON_LINES)


@get("/api/streams/{stream:path}", tags=["records"], media_type=JSON_LINES, opt={UNCOMPRESSED: True})
async def stream(request: ApiRequest, stream: FromPath[str]) -> Stream:
    """A stream of accounts, meters or the house itself. Tables have a history; what rounds are fixed with is secret."""
    name = stream.strip("/")
    if name.startswith(("table/", "seal/")):
        raise BadInput(Problem(code="stream.secret", what="is not given out here", where="stream", value=name))
    return await _noted(request, name, await end_of(server_of(request).store, name))


async def _noted(
    request: ApiRequest, stream: str, last: int, headers: dict[str, str] | None = None, *, goes_on: bool = False
) -> Stream:
    """A copy up to a row. Who takes it is noted before the first of it is sent."""
    server = server_of(request)
    await server.journal.note(Exported(by=current_user(request).account, at=server.now(), stream=stream, lines=last))
    return Stream(pages_of(server.store, stream, last, goes_on=goes_on), media_type=JSON_LINES, headers=headers)


HANDLERS: Final = (history, heads, stream)
