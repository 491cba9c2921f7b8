"""The audit search: entries of a stream, or of all streams, that match a filter, newest first.

Each entry has actor, time, before and after. Events of tables are masked as for a spectator, so that no entry shows an
unseen card.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any, Final, get_args

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput
from crossfelt.money import dollars
from crossfelt.play.narration import narrate
from crossfelt.progressive import events as metered
from crossfelt.proof.history import read_plain_row, read_row
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
MOST_ROWS: Final = 20_000
"""Rows that one request reads; the next request continues there."""
LATER_MS: Final = 10 * 60 * 1000
FORMATTERS: Final = 256
SECRET: Final = "seal/"
TABLES: Final = "table/"
EVERY: Final = "*"
"""The name under which all streams are searched."""
ROUTINE: Final = frozenset(
    str(kind.__struct_config__.tag)
    for kind in (
        *(happened.DeckPrepared, happened.DeckShuffled, happened.DeckCut, happened.DeckLoaded, happened.DeckSpreadIdle),
        *(happened.SeatTaken, happened.SeatLeft, happened.ChipsBought, happened.RoundOpened, happened.RoundClosed),
        *(happened.BankTaken, happened.BankDeclined, happened.BankReturned, happened.BankCovered, happened.BankSettled),
        *(happened.BankReleased, happened.WagersPlaced, happened.StepEntered, happened.BetsLocked, happened.CardsDealt),
        *(happened.StubCounted, happened.StubDiscarded, happened.BetPlaced, happened.HandFolded, happened.ChoiceMade),
        *(happened.FirstHandChosen, happened.EmptyPositionsCollected, happened.HandSet, happened.HandSurrendered),
        *(happened.DealerHandsSet, happened.HandsExposed, happened.FoldCollected, happened.CommunityCardsRevealed),
        *(happened.HandShown, happened.DealerHandMade, happened.WagerSettled, happened.HouseWagerSettled),
        *(happened.CouponSettled, happened.SeatSettled, happened.CardsDiscarded, happened.ContributionMade),
        *(happened.WheelSpun, happened.XtremeSpun, happened.AwardsDrawn, happened.WagersReturned),
        *(metered.Contributed, account.TakenToTable, account.BroughtBack),
    )
)
_KINDS: Final = re.compile(rb'"event":"(\w+)"')


class SearchFilter(msgspec.Struct, frozen=True, kw_only=True):
    """The fields to match; an empty field matches everything."""

    stream: str = JOURNAL_STREAM
    who: str = ""
    kind: str = ""
    table: str = ""
    text: str = ""
    since: int | None = None
    until: int | None = None
    rounds: bool = True
    """Include every step of ordinary rounds."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One event in words."""

    seq: int
    at: int
    who: str
    kind: str
    what: str
    before: str
    after: str
    table: str
    hash: str
    number: int = 0
    """The number of the event in its row, from 1, in the stream of a table."""
    stream: str = ""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A page of entries, and the place of the next."""

    entries: list[Entry]
    looked_at: int
    next: int | None
    """The next page begins before this seq, or this position if all streams are searched; None after the last page."""
    reached: int | None
    """The time of the oldest row that was read."""


Formatter = Callable[[Stored], Iterator[Entry]]
"""Yields the events of a row in words."""


class AuditSearch:
    """Searches the streams of a store."""

    def __init__(self, store: Reader) -> None:
        self._store = store

    async def find(self, wanted: SearchFilter, before: int | None, limit: int) -> Found:
        """Return the newest matching entries before a place: up to `limit`, or those of the first `MOST_ROWS` rows."""
        entries: list[Entry] = []
        looked_at, at, reached = 0, before, None
        async for page, found in self._pages(wanted, before):
            for row, matching in found:
                entries += matching
                at = _place(row, wanted)
                if len(entries) >= limit:
                    break
            else:
                at, looked_at = _place(page[-1], wanted), looked_at + len(page)
            reached = page[-1].at
            if len(entries) >= limit or looked_at >= MOST_ROWS:
                return Found(entries=entries, looked_at=looked_at, next=at, reached=reached)
        return Found(entries=entries, looked_at=looked_at, next=None, reached=reached)

    async def every(self, wanted: SearchFilter) -> AsyncIterator[Entry]:
        """Yield all matching entries, for an export."""
        async for _, found in self._pages(wanted, None):
            for _, matching in found:
                for entry in matching:
                    yield entry

    async def _pages(
        self, wanted: SearchFilter, before: int | None
    ) -> AsyncIterator[tuple[Sequence[Stored], list[tuple[Stored, list[Entry]]]]]:
        """Yield pages of rows, newest first, each with its matching entries; the work is done in a thread."""
        if wanted.stream != EVERY:
            await self._require_readable(wanted.stream)
        at = await self._start(wanted) if before is None else before
        while page := await self._rows_before(wanted, at):
            formatters = {stream: await self._formatter(stream) for stream in {row.stream for row in page}}
            yield page, await asyncio.to_thread(_matching, page, wanted, formatters)
            at = _place(page[-1], wanted)
            # The clocks of two processes differ a little, so that rows of all streams are not quite in order.
            early = LATER_MS if wanted.stream == EVERY else 0
            if wanted.since is not None and page[-1].at < wanted.since - early:
                return

    async def _rows_before(self, wanted: SearchFilter, before: int | None) -> Sequence[Stored]:
        if wanted.stream == EVERY:
            return await self._store.all_rows_before(before, PAGE)
        return await self._store.rows_before(wanted.stream, before, PAGE)

    async def _start(self, wanted: SearchFilter) -> int | None:
        """Return the place to begin before, by binary search for the time; the clocks of two processes differ a
        little."""
        if wanted.until is None:
            return None
        low = 0
        every = wanted.stream == EVERY
        high = 1 + (await self._store.last_position() if every else (await self._store.head(wanted.stream)).seq)
        while low < high:
            middle = (low + high) // 2
            at = await (self._store.time_from(middle) if every else self._time_of(wanted.stream, middle))
            if at is not None and at <= wanted.until + LATER_MS:
                low = middle + 1
            else:
                high = middle
        return low

    async def _time_of(self, stream: str, seq: int) -> int | None:
        found = await self._store.rows(stream, seq - 1, 1)
        return found[0].at if found else None

    async def _require_readable(self, stream: str) -> None:
        if stream.startswith(SECRET):
            raise BadInput.at("stream", "stream.secret", "is secret and cannot be searched", stream)
        header = await self._store.rows(stream, limit=1)
        if not header:
            raise BadInput.at("stream", "stream.unknown", "there is no such stream", stream)
        if stream.startswith(TABLES):
            readable_header(header[0])

    async def _formatter(self, stream: str) -> Formatter | None:
        """Return the formatter of a stream; None for a table whose header was altered."""
        if not stream.startswith(TABLES):
            return entries_of
        try:
            (header,) = await self._store.rows(stream, limit=1)
            return _formatter_of(header)
        except ValueError:
            return None


@lru_cache(maxsize=FORMATTERS)
def _formatter_of(header: Stored) -> Formatter:
    return partial(entries_of_table, readable_header(header).compile(), header.stream.removeprefix(TABLES))


def _place(row: Stored, wanted: SearchFilter) -> int:
    return row.position if wanted.stream == EVERY else row.seq


def _matching(
    page: Sequence[Stored], wanted: SearchFilter, formatters: Mapping[str, Formatter | None]
) -> list[tuple[Stored, list[Entry]]]:
    found: list[tuple[Stored, list[Entry]]] = []
    kind = f'"event":"{wanted.kind}"'.encode() if wanted.kind else b""
    for row in page:
        if row.seq == 0 or (wanted.until is not None and row.at > wanted.until):
            continue
        if wanted.since is not None and row.at < wanted.since:
            continue
        if kind not in row.body:  # cheap tests before the row is decoded
            continue
        if not wanted.rounds and all(found_kind.decode() in ROUTINE for found_kind in _KINDS.findall(row.body)):
            continue
        if entries := _entries(row, wanted, formatters[row.stream]):
            found.append((row, entries))
    return found


def _entries(row: Stored, wanted: SearchFilter, formatter: Formatter | None) -> list[Entry]:
    if formatter is not None and row.intact:
        with suppress(msgspec.MsgspecError, LookupError, ValueError):
            return [entry for entry in formatter(row) if _fits(entry, wanted)]
    return [_entry(row, at=row.at, kind="unreadable", what="this row cannot be read: it was changed")]


def _entry(row: Stored, **event: Any) -> Entry:
    blank = {"who": "", "before": "", "after": "", "table": ""}
    return Entry(**blank | event, seq=row.seq, hash=row.hash, stream=row.stream)


def _fits(entry: Entry, wanted: SearchFilter) -> bool:
    text = f"{entry.who} {entry.kind} {entry.what} {entry.before} {entry.after} {entry.table}".lower()
    return (
        (wanted.rounds or entry.kind not in ROUTINE)
        and wanted.who.lower() in entry.who.lower()
        and wanted.kind in ("", entry.kind)
        and wanted.table in ("", entry.table)
        and all(word in text for word in wanted.text.lower().split())
    )


# --- in words ---------------------------------------------------------------------------------------------------------


TIMES: Final = ("until", "backed_up_at")
"""Fields that hold a time in milliseconds."""
_SHOWN_ELSEWHERE: Final = ("event", "by", "at", "before", "after", "game_hash", "settings", "process")


def entries_of(row: Stored) -> Iterator[Entry]:
    """Yield the events of a row of the journal, an account or a meter."""
    for event in map(_with_changes, read_plain_row(row.body).events):
        before, after = event.get("before", ""), event.get("after", event.get("game_hash", ""))
        said = {"at": event["at"], "who": event["by"], "kind": event["event"], "what": _words(event)}
        table = str(event.get("table", event.get("subject", "")))
        yield _entry(row, **said, before=_value(before), after=_value(after), table=table)


def entries_of_table(game: Game, table: str, row: Stored) -> Iterator[Entry]:
    """Yield the events of a row of a table as a spectator saw them."""
    for number, event in enumerate(read_row(row.body).events, start=1):
        if words := narrate(masked(event, ()), game):
            kind = str(event.__struct_config__.tag)
            yield _entry(row, at=event.at, who=event.by, kind=kind, what=words, table=table, number=number)


def _with_changes(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a proposed submission with its changes instead of its whole content; other events are unchanged.

    >>> changes = '[{"path": "a", "title": "Smallest ante", "before": "$5", "after": "$10"}]'
    >>> _with_changes({"event": "proposed", "kind": "submission", "details": {"changes": changes, "returns": "[]"}})
    {'event': 'proposed', 'kind': 'submission', 'before': ['Smallest ante: $5'], 'after': ['Smallest ante: $10']}
    """
    if (event["event"], event.get("kind")) != ("proposed", "submission"):
        return event
    others = {name: value for name, value in event.items() if name != "details"}
    changes = msgspec.json.decode(bounded(event["details"]["changes"].encode()), type=list[Change])
    return {
        **others,
        "before": [f"{change.title}: {change.before}" for change in changes],
        "after": [f"{change.title}: {change.after}" for change in changes],
    }


def _words(event: Mapping[str, Any]) -> str:
    """Return an event in words.

    >>> _words({"event": "roles_changed", "by": "owner", "at": 0, "account": "ann", "before": [], "after": ["floor"]})
    'roles changed: account ann'
    >>> _words({"event": "deposited", "by": "ann", "at": 0, "cents": 5000, "reason": "chips"})
    'deposited: $50, reason chips'
    >>> _words({"event": "locked_out", "by": "ann", "at": 0, "until": 1_795_011_852_006})
    'locked out: until 2026-11-18 14:24:12 UTC'
    >>> _words({"event": "account_opened", "by": "ann", "at": 0, "guest": True, "roles": ["player"]})
    'account opened: guest, roles player'
    """
    fields = [_field(name, value) for name, value in event.items() if name not in _SHOWN_ELSEWHERE]
    return f"{as_words(event['event'])}{': ' if fields else ''}{', '.join(fields)}"


def _field(name: str, value: Any) -> str:
    if name.endswith("cents") and isinstance(value, int):
        return f"{as_words(name.removesuffix('cents')).strip()} {dollars(value)}".strip()
    if name in TIMES and isinstance(value, int):
        return f"{as_words(name)} {datetime.fromtimestamp(value / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    return as_words(name) if value is True else f"{as_words(name)} {_value(value)}"


def _value(value: Any) -> str:
    match value:
        case dict():
            return ", ".join(_field(name, one) for name, one in value.items())
        case list():
            return ", ".join(map(_value, value)) or "nothing"
        case _:
            return str(value)


def kinds_of(stream: str) -> tuple[str, ...]:
    """Return the kinds of events that a stream can hold.

    >>> kinds_of("account/ann")[:2], kinds_of("journal")[0]
    (('account_opened', 'deposited'), 'server_started')
    """
    unions: Mapping[str, Any] = {
        TABLES: happened.AnyEvent,
        "account/": account.AnyAccountEvent,
        "meter/": metered.AnyMeterEvent,
        JOURNAL_STREAM: noted.AnyJournalEvent,
    }
    if stream == EVERY:
        return tuple(dict.fromkeys(kind for prefix in reversed([*unions]) for kind in kinds_of(prefix)))
    union = next((found for prefix, found in unions.items() if stream.startswith(prefix)), None)
    return tuple(str(kind.__struct_config__.tag) for kind in get_args(union)) if union is not None else ()
