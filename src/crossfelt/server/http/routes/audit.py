"""The auditor's room: who did what when, whether the record is whole, and copies of what was found."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from crossfelt import __version__
from crossfelt.errors import BadInput
from crossfelt.proof.signed_heads import decode_head
from crossfelt.server.audit.integrity import IntegrityReport
from crossfelt.server.audit.search import SECRET, Entry, SearchFilter, kinds_of
from crossfelt.server.http.middleware.auth import ApiRequest, QueryInt, current_user, server_of
from crossfelt.server.http.routes.records import Verified
from crossfelt.server.journal.events import Exported
from crossfelt.server.journal.stream import JOURNAL_STREAM
from crossfelt.server.store.interface import StreamHead

MOST_ENTRIES: Final = 200
MOST_STREAMS: Final = 200
PAGE: Final = 1000
"""Streams that are looked at at once."""
MOST_COPIED: Final = 100_000
Text = Annotated[str, QueryParameter(max_length=100)]
Stream = Annotated[str, QueryParameter(max_length=200)]
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula, at the beginning of a cell."""


class HeadSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The last signed head."""

    number: int
    at: int
    streams: int


class CheckProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a check is."""

    lines: int
    expected: int


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the record is whole, as far as is known."""

    server_id: str
    key: str
    version: str
    software: str
    streams: int
    lines: int
    head: HeadSummary | None
    unsigned: int
    """Streams that have moved since the last signed head."""
    checked: Verified | None
    checked_at: int | None
    """When the last check of every line was done; None where only what came after the last head was looked at."""
    checking: CheckProgress | None


class StreamLine(msgspec.Struct, frozen=True, kw_only=True):
    """A stream in a list."""

    stream: str
    rows: int
    hash: str


class Entries(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in a stream."""

    stream: str
    kinds: tuple[str, ...]
    """The kinds of acts that there can be."""
    entries: list[Entry]
    looked_at: int
    next: int | None
    """Ask again with this as `before`; null where there is no more."""
    reached: int | None
    """The time of the oldest row that was looked at."""


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of what was found."""

    asked: SearchFilter
    entries: list[Entry]


@get("/api/audit/status", tags=["audit"])
async def status(request: ApiRequest) -> Status:
    """The last signed head, the key, the software, and what the last check found."""
    server = server_of(request)
    streams, lines = await server.store.size()
    return Status(
        server_id=server.store.server_id,
        key=server.key.text,
        version=__version__,
        software=server.software,
        streams=streams,
        lines=lines,
        head=await _last_head(request),
        unsigned=len(await server.store.streams_since_signed()),
        checked=Verified.of(server.checked) if server.checked is not None else None,
        checked_at=server.checked_at,
        checking=_progress(server.checking),
    )


async def _last_head(request: ApiRequest) -> HeadSummary | None:
    found = await server_of(request).store.last_head()
    try:
        statement = decode_head(found.body).statement if found is not None else None
    except BadInput:
        return None
    if statement is None:
        return None
    return HeadSummary(number=statement.number, at=statement.at, streams=len(statement.streams))


def _progress(checking: IntegrityReport | None) -> CheckProgress | None:
    return CheckProgress(lines=checking.lines, expected=checking.expected) if checking is not None else None


@get("/api/audit/streams", tags=["audit"])
async def streams(request: ApiRequest, text: Text = "") -> list[StreamLine]:
    """The streams whose names hold a text; what rounds are fixed with is not among them."""
    found, after = list[StreamHead](), ""
    while len(found) < MOST_STREAMS and (page := await server_of(request).store.streams(after=after, limit=PAGE)):
        found += [head for head in page if text in head.stream and not head.stream.startswith(SECRET)]
        after = page[-1].stream
    return [StreamLine(stream=head.stream, rows=head.seq, hash=head.hash) for head in found[:MOST_STREAMS]]


def wanted_of(
    stream: Stream = JOURNAL_STREAM,
    who: Text = "",
    kind: Text = "",
    table: Text = "",
    text: Text = "",
    since: QueryInt = -1,
    until: QueryInt = -1,
) -> SearchFilter:
    """What is looked for: by person, kind of act, table, words and time."""
    return SearchFilter(
        stream=stream,
        who=who,
        kind=kind,
        table=table,
        text=text,
        since=since if since >= 0 else None,
        until=until if until >= 0 else None,
    )


LOOKED_FOR: Final = {"wanted": Provide(wanted_of, sync_to_thread=False)}


@get("/api/audit/entries", tags=["audit"], dependencies=LOOKED_FOR)
async def entries(
    request: ApiRequest, wanted: NamedDependency[SearchFilter], before: QueryInt = -1, limit: QueryInt = 50
) -> Entries:
    """Entries of a stream, the newest first: by person, kind of act, table, time and words."""
    most = max(1, min(limit, MOST_ENTRIES))
    found = await server_of(request).audit_search.find(wanted, before if before >= 0 else None, most)
    return Entries(
        stream=wanted.stream,
        kinds=kinds_of(wanted.stream),
        entries=found.entries,
        looked_at=found.looked_at,
        next=found.next,
        reached=found.reached,
    )


@get("/api/audit/entries.csv", tags=["audit"], dependencies=LOOKED_FOR, media_type="text/csv")
async def as_csv(request: ApiRequest, wanted: NamedDependency[SearchFilter]) -> Response[bytes]:
    """All that was found, as a table. Who took it is noted."""
    found = await _all(request, wanted)
    return Response(csv_of(found), media_type="text/csv", headers=_named(wanted, "csv"))


@get("/api/audit/entries.json", tags=["audit"], dependencies=LOOKED_FOR)
async def as_json(request: ApiRequest, wanted: NamedDependency[SearchFilter]) -> Response[Copy]:
    """All that was found, with what was asked for. Who took it is noted."""
    return Response(Copy(asked=wanted, entries=await _all(request, wanted)), headers=_named(wanted, "json"))


async def _all(request: ApiRequest, wanted: SearchFilter) -> list[Entry]:
    server, found = server_of(request), []
    async for entry in server.audit_search.every(wanted):
        found.append(entry)
        if len(found) >= MOST_COPIED:
            break
    taken = Exported(by=current_user(request).account, at=server.now(), stream=wanted.stream, lines=len(found))
    await server.journal.note(taken)
    return found


def _named(wanted: SearchFilter, kind: str) -> dict[str, str]:
    name = re.sub(r"[^\w-]", "-", wanted.stream, flags=re.ASCII)
    return {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}


def csv_of(entries: list[Entry]) -> bytes:
    """Entries as a table; no cell is a formula.

    >>> entry = Entry(seq=1, at=0, who="=ann", kind="deposited", what="$5", before="", after="", table="", hash="a1")
    >>> print(csv_of([entry]).decode().splitlines()[1])
    1,1970-01-01T00:00:00.000+00:00,'=ann,deposited,$5,,,,a1
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    names = Entry.__struct_fields__
    writer.writerow(names)
    for entry in entries:
        told = {name: getattr(entry, name) for name in names}
        told["at"] = datetime.fromtimestamp(entry.at / 1000, UTC).isoformat(timespec="milliseconds")
        writer.writerow(_cell(value) for value in told.values())
    return file.getvalue().encode()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


HANDLERS: Final = (status, streams, entries, as_csv, as_json)
