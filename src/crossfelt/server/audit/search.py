"""The entries of a stream, newest first: who did what when, with before and after; only those somebody looks for.

Streams of tables are told as a spectator would have seen them, so that nothing here knows an unseen card.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Final, get_args

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput, Problem
from crossfelt.money import dollars
from crossfelt.play.narration import narrate
from crossfelt.progressive import events as metered
from crossfelt.proof.history import read_row
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import as_words
from crossfelt.rulebooks.submission_form import Change
from crossfelt.server.accounts import account
from crossfelt.server.core.recovery import readable_header
from crossfelt.server.journal import events as noted
from crossfelt.server.journal.stream import JOURNAL_STREAM
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.reader import Reader
from crossfelt.table import events as happened
from crossfelt.table.views import masked

PAGE: Final = 1000
MOST_LOOKED_AT: Final = 20_000
"""Rows that one question looks at; it goes on where it stopped."""
LATER_MS: Final = 10 * 60 * 1000
SECRET: Final = "seal/"
TABLES: Final = "table/"


class SearchFilter(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody looks for; nothing stands for anything."""

    stream: str = JOURNAL_STREAM
    who: str = ""
    kind: str = ""
    table: str = ""
    text: str = ""
    since: int | None = None
    until: int | None = None


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was done."""

    seq: int
    at: int
    who: str
    kind: str
    what: str
    before: str
    after: str
    table: str
    hash: str
    """Of the row it stands in."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """Entries, and where to go on."""

    entries: list[Entry]
    looked_at: int
    next: int | None
    """The seq before which it goes on; None where there is no more."""
    reached: int | None
    """The time of the oldest row that was looked at."""


class AuditSearch:
    """Looks through the streams of a store."""

    def __init__(self, store: Reader) -> None:
        self._store = store

    async def find(self, wanted: SearchFilter, before: int | None, limit: int) -> Found:
        """The newest entries before a seq, as many as are asked for, or as are found in a reasonable time."""
        entries: list[Entry] = []
        looked_at, at, reached = 0, before, None
        async for page, found in self._pages(wanted, before):
            for row, told in found:
                entries += told
                at = row.seq
                if len(entries) >= limit:
                    break
            else:
                at, looked_at = page[-1].seq, looked_at + len(page)
            reached = page[-1].at
            if len(entries) >= limit or looked_at >= MOST_LOOKED_AT:
                return Found(entries=entries, looked_at=looked_at, next=at, reached=reached)
        return Found(entries=entries, looked_at=looked_at, next=None, reached=reached)

    async def every(self, wanted: SearchFilter) -> AsyncIterator[Entry]:
        """All entries, for who takes a copy."""
        async for _, found in self._pages(wanted, None):
            for _, told in found:
                for entry in told:
                    yield entry

    async def _pages(
        self, wanted: SearchFilter, before: int | None
    ) -> AsyncIterator[tuple[Sequence[Stored], list[tuple[Stored, list[Entry]]]]]:
        """Pages of rows from the newest on, each with what is wanted of it; the work is done beside serving."""
        teller = await self._teller(wanted.stream)
        at = await self._start(wanted) if before is None else before
        while page := await self._store.rows_before(wanted.stream, at, PAGE):
            yield page, await asyncio.to_thread(_matching, page, wanted, teller)
            at = page[-1].seq
            if wanted.since is not None and page[-1].at < wanted.since:
                return

    async def _start(self, wanted: SearchFilter) -> int | None:
        """Where to begin: beyond what is too late, by halving. Clocks of two processes differ a little."""
        if wanted.until is None:
            return None
        low, high = 0, (await self._store.head(wanted.stream)).seq + 1
        while low < high:
            middle = (low + high) // 2
            found = await self._store.rows(wanted.stream, middle - 1, 1)
            if found and found[0].at <= wanted.until + LATER_MS:
                low = middle + 1
            else:
                high = middle
        return low

    async def _teller(self, stream: str) -> Formatter:
        if stream.startswith(SECRET):
            raise BadInput(Problem(code="stream.secret", what="is not given out here", where="stream", value=stream))
        header = await self._store.rows(stream, limit=1)
        if not header:
            raise BadInput(Problem(code="stream.unknown", what="there is no such stream", where="stream", value=stream))
        return TableFormatter(readable_header(header[0]).compile()) if stream.startswith(TABLES) else Formatter()


def _matching(page: Sequence[Stored], wanted: SearchFilter, teller: Formatter) -> list[tuple[Stored, list[Entry]]]:
    found: list[tuple[Stored, list[Entry]]] = []
    kind = f'"event":"{wanted.kind}"'.encode() if wanted.kind else b""
    for row in page:
        if row.seq == 0 or (wanted.until is not None and row.at > wanted.until):
            continue
        if wanted.since is not None and row.at < wanted.since:
            continue
        if kind not in row.body:
            continue  # a quick look before anything is decoded
        if told := _told(row, wanted, teller):
            found.append((row, told))
    return found


def _told(row: Stored, wanted: SearchFilter, teller: Formatter) -> list[Entry]:
    if not row.intact:
        return [_unreadable(row)]
    try:
        return [entry for entry in teller.entries(row) if _fits(entry, wanted)]
    except (msgspec.MsgspecError, LookupError, ValueError):
        return [_unreadable(row)]


def _unreadable(row: Stored) -> Entry:
    """A row that was altered has nothing to tell but that."""
    what = "this row cannot be read: it is not what was written"
    return Entry(
        seq=row.seq, at=row.at, who="", kind="unreadable", what=what, before="", after="", table="", hash=row.hash
    )


def _fits(entry: Entry, wanted: SearchFilter) -> bool:
    said = f"{entry.who} {entry.kind} {entry.what} {entry.before} {entry.after} {entry.table}".lower()
    return (
        wanted.who.lower() in entry.who.lower()
        and wanted.kind in ("", entry.kind)
        and wanted.table in ("", entry.table)
        and all(word in said for word in wanted.text.lower().split())
    )


# --- in words ---------------------------------------------------------------------------------------------------------


class _Line(msgspec.Struct):
    """What every row of a stream that is no table's has."""

    events: list[dict[str, Any]]


_LINE: Final = msgspec.json.Decoder(_Line)
_SAID_ELSEWHERE: Final = ("event", "by", "at", "before", "after", "game_hash", "settings", "process")


class Formatter:
    """Tells the rows of the house, its accounts and its meters."""

    def entries(self, row: Stored) -> Iterator[Entry]:
        for event in map(_by_its_changes, _LINE.decode(bounded(row.body)).events):
            yield Entry(
                seq=row.seq,
                at=event["at"],
                who=event["by"],
                kind=event["event"],
                what=_words(event),
                before=_value(event.get("before", "")),
                after=_value(event.get("after", event.get("game_hash", ""))),
                table=str(event.get("table", event.get("subject", ""))),
                hash=row.hash,
            )


class TableFormatter(Formatter):
    """Tells the rows of a table, as whoever looked on saw them."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def entries(self, row: Stored) -> Iterator[Entry]:
        for event in read_row(row.body).events:
            if words := narrate(masked(event, ()), self._game):
                yield Entry(
                    seq=row.seq,
                    at=event.at,
                    who=event.by,
                    kind=str(event.__struct_config__.tag),
                    what=words,
                    before="",
                    after="",
                    table="",
                    hash=row.hash,
                )


def _by_its_changes(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """A submission that was proposed is told by what it would change; the whole of it stays in the row.

    >>> changes = '[{"path": "a", "title": "Smallest ante", "before": "$5", "after": "$10"}]'
    >>> _by_its_changes({"event": "proposed", "kind": "submission", "details": {"changes": changes, "returns": "[]"}})
    {'event': 'proposed', 'kind': 'submission', 'before': ['Smallest ante: $5'], 'after': ['Smallest ante: $10']}
    """
    if (event["event"], event.get("kind")) != ("proposed", "submission"):
        return event
    told = {name: value for name, value in event.items() if name != "details"}
    changes = msgspec.json.decode(bounded(event["details"]["changes"].encode()), type=list[Change])
    return {
        **told,
        "before": [f"{change.title}: {change.before}" for change in changes],
        "after": [f"{change.title}: {change.after}" for change in changes],
    }


def _words(event: Mapping[str, Any]) -> str:
    """What was done, with what it was done to.

    >>> _words({"event": "roles_changed", "by": "owner", "at": 0, "account": "ann", "before": [], "after": ["floor"]})
    'roles changed: account ann'
    >>> _words({"event": "deposited", "by": "ann", "at": 0, "cents": 5000, "reason": "chips"})
    'deposited: $50, reason chips'
    """
    told = [_field(name, value) for name, value in event.items() if name not in _SAID_ELSEWHERE]
    return f"{as_words(event['event'])}{': ' if told else ''}{', '.join(told)}"


def _field(name: str, value: Any) -> str:
    if name.endswith("cents") and isinstance(value, int):
        return f"{as_words(name.removesuffix('cents')).strip()} {dollars(value)}".strip()
    return f"{as_words(name)} {_value(value)}"


def _value(value: Any) -> str:
    match value:
        case dict():
            return ", ".join(_field(name, one) for name, one in value.items())
        case list():
            return ", ".join(map(_value, value)) or "nothing"
        case _:
            return str(value)


def kinds_of(stream: str) -> tuple[str, ...]:
    """The kinds of acts that a stream can hold.

    >>> kinds_of("account/ann")[:2], kinds_of("journal")[0]
    (('account_opened', 'deposited'), 'server_started')
    """
    unions: Mapping[str, Any] = {
        TABLES: happened.AnyEvent,
        "account/": account.AnyAccountEvent,
        "meter/": metered.AnyMeterEvent,
        JOURNAL_STREAM: noted.AnyJournalEvent,
    }
    union = next((found for prefix, found in unions.items() if stream.startswith(prefix)), None)
    return tuple(str(kind.__struct_config__.tag) for kind in get_args(union)) if union is not None else ()
