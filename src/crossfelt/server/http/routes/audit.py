"""Audit: integrity of the record, the server's journal, and search of streams."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter

from crossfelt import __version__
from crossfelt._util.shared_fields import shared_fields
from crossfelt.cards.card import enc_hook
from crossfelt.errors import BadInput
from crossfelt.proof.signed_heads import decode_head
from crossfelt.server.audit.house import HouseReport, add_up, exact_dollars
from crossfelt.server.audit.integrity import IntegrityReport
from crossfelt.server.audit.sample import Sample, draw
from crossfelt.server.audit.search import EVERY, SECRET, Entry, Found, SearchFilter, kinds_of
from crossfelt.server.http.downloads import attachment, csv_text
from crossfelt.server.http.request import MAX_INTEGER, ApiRequest, QueryInt
from crossfelt.server.http.routes.revenue import tables_of
from crossfelt.server.journal.events import Exported
from crossfelt.server.journal.stream import JOURNAL_STREAM
from crossfelt.server.store.interface import StreamHead

MOST_ENTRIES: Final = 200
MOST_STREAMS: Final = 200
MOST_JOURNAL_LINES: Final = 500
PAGE: Final = 1000
MOST_EXPORTED: Final = 100_000
Text = Annotated[str, QueryParameter(max_length=100)]
Stream = Annotated[str, QueryParameter(max_length=200)]
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a cell that a spreadsheet takes for a formula."""


class HeadSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The last signed head."""

    number: int
    at: int
    streams: int


class CheckProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a check."""

    lines: int
    expected: int


class HouseSum(msgspec.Struct, frozen=True, kw_only=True):
    """The sources of the house's money and the places where it lies, in dollars."""

    sources: dict[str, str]
    places: dict[str, str]
    sum: str
    findings: tuple[str, ...]

    @classmethod
    def of(cls, house: HouseReport) -> HouseSum:
        return cls(
            sources={what: exact_dollars(micros) for what, micros in house.sources.items() if micros},
            places={what: exact_dollars(micros) for what, micros in house.places.items() if micros},
            sum=exact_dollars(sum(house.places.values())),
            findings=tuple(house.findings),
        )


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


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """The integrity of the record, as far as it was checked."""

    server_id: str
    key: str
    version: str
    software: str
    streams: int
    lines: int
    head: HeadSummary | None
    unsigned: int
    checked: Verified | None
    checked_at: int | None
    """The time of the last check of every line; null if only the lines since the last head were checked."""
    checking: CheckProgress | None
    house: HouseSum | None
    """The money of the whole house at the last check that was asked for."""
    stopped: tuple[str, ...]
    """The tables of this process that are stopped because their record was altered."""
    changed_files: tuple[str, ...]
    """The files of the software that depart from the manifest of its installation."""


class JournalLine(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the server's journal."""

    seq: int
    hash: str
    event: dict[str, Any]


class StreamLine(msgspec.Struct, frozen=True, kw_only=True):
    """A stream in a list."""

    stream: str
    rows: int
    hash: str


class Entries(Found, frozen=True, kw_only=True):
    """A page of search results."""

    stream: str
    kinds: tuple[str, ...]


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """Exported search results."""

    asked: SearchFilter
    entries: list[Entry]


@get("/api/audit/status", tags=["audit"])
async def status(request: ApiRequest) -> Status:
    """Return the last signed head, the key, the software, and the result of the last check."""
    server, checking = request.server, request.server.checking
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
        checking=CheckProgress(lines=checking.lines, expected=checking.expected) if checking is not None else None,
        house=HouseSum.of(server.house) if server.house is not None else None,
        stopped=tuple(sorted(server.pit.unreadable)),
        changed_files=server.changed_files,
    )


async def _last_head(request: ApiRequest) -> HeadSummary | None:
    if (found := await request.server.store.last_head()) is not None:
        with suppress(BadInput):  # altered in the store
            statement = decode_head(found.body).statement
            return HeadSummary(number=statement.number, at=statement.at, streams=len(statement.streams))
    return None


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


@get("/api/audit/streams", tags=["audit"])
async def streams(request: ApiRequest, text: Text = "") -> list[StreamLine]:
    """List the streams whose names contain a text. Streams with the secrets of rounds are not listed."""
    found, after = list[StreamHead](), ""
    while len(found) < MOST_STREAMS and (page := await request.server.store.streams(after=after, limit=PAGE)):
        found += [head for head in page if text in head.stream and not head.stream.startswith(SECRET)]
        after = page[-1].stream
    return [StreamLine(stream=head.stream, rows=head.seq, hash=head.hash) for head in found[:MOST_STREAMS]]


def search_filter(
    stream: Stream = JOURNAL_STREAM,
    who: Text = "",
    kind: Text = "",
    table: Text = "",
    text: Text = "",
    since: QueryInt = -1,
    until: QueryInt = -1,
    rounds: FromQuery[bool] = True,
) -> SearchFilter:
    """Return the search filter of the query parameters; the stream `*` stands for all streams."""
    return SearchFilter(
        stream=stream,
        who=who,
        kind=kind,
        table=table,
        text=text,
        since=since if since >= 0 else None,
        until=until if until >= 0 else None,
        rounds=rounds,
    )


FILTER: Final = {"wanted": Provide(search_filter, sync_to_thread=False)}


@get("/api/audit/entries", tags=["audit"], dependencies=FILTER)
async def entries(
    request: ApiRequest, wanted: NamedDependency[SearchFilter], before: QueryInt = -1, limit: QueryInt = 50
) -> Entries:
    """Search a stream, or all, by person, kind, table, time and words; the newest entries come first."""
    most = max(1, min(limit, MOST_ENTRIES))
    found = await request.server.audit_search.find(wanted, before if before >= 0 else None, most)
    return Entries(**msgspec.structs.asdict(found), stream=wanted.stream, kinds=kinds_of(wanted.stream))


@get("/api/audit/entries.csv", tags=["audit"], dependencies=FILTER, media_type="text/csv")
async def as_csv(request: ApiRequest, wanted: NamedDependency[SearchFilter]) -> Response[bytes]:
    """Export the search results as CSV. The journal records the export."""
    found = await _export(request, wanted)
    return Response(csv_of(found), media_type="text/csv", headers=attachment(f"{_file_name(wanted)}.csv"))


@get("/api/audit/entries.json", tags=["audit"], dependencies=FILTER)
async def as_json(request: ApiRequest, wanted: NamedDependency[SearchFilter]) -> Response[Copy]:
    """Export the search results as JSON with the filter. The journal records the export."""
    copy = Copy(asked=wanted, entries=await _export(request, wanted))
    return Response(copy, headers=attachment(f"{_file_name(wanted)}.json"))


async def _export(request: ApiRequest, wanted: SearchFilter) -> list[Entry]:
    server, found = request.server, []
    async for entry in server.audit_search.every(wanted):
        found.append(entry)
        if len(found) >= MOST_EXPORTED:
            break
    by = request.person.account
    await server.journal.note(Exported(by=by, at=server.now(), stream=wanted.stream, lines=len(found)))
    return found


@get("/api/audit/sample", tags=["audit"])
async def sample(
    request: ApiRequest, seed: Text, size: QueryInt = 25, since: QueryInt = 0, until: QueryInt = MAX_INTEGER
) -> Sample:
    """Draw a sample of the rounds of public tables; the same seed and period give the same rounds."""
    server = request.server
    tables = [settings.id for _, settings in await tables_of(server)]
    return await draw(server.store, tables, seed, max(1, min(size, MOST_ENTRIES)), since, until)


def _file_name(wanted: SearchFilter) -> str:
    return re.sub(r"[^\w-]", "-", wanted.stream.replace(EVERY, "all-streams"), flags=re.ASCII)


def csv_of(entries: list[Entry]) -> bytes:
    """Return entries as CSV in which no cell is a formula.

    >>> entry = Entry(seq=1, at=0, who="=ann", kind="deposited", what="$5", before="", after="", table="", hash="a1")
    >>> print(csv_of([entry]).decode().splitlines()[1])
    1,1970-01-01T00:00:00.000+00:00,'=ann,deposited,$5,,,,a1,0,
    """
    rows: list[Iterable[object]] = [Entry.__struct_fields__]
    for entry in entries:
        row = msgspec.structs.asdict(entry)
        row["at"] = datetime.fromtimestamp(entry.at / 1000, UTC).isoformat(timespec="milliseconds")
        rows.append(map(_cell, row.values()))
    return csv_text(rows, line_end="\n").encode()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
