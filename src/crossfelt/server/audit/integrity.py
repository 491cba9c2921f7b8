"""Which lines of a stream were signed: a table that is always at play has thousands of them a day."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput
from crossfelt.proof.signed_heads import Head as Signed
from crossfelt.proof.signed_heads import VerifyingKey, decode_head, head_faults
from crossfelt.server.audit.signed_heads import HeadCopy
from crossfelt.server.journal.events import ServerRestored
from crossfelt.server.journal.stream import JOURNAL_STREAM
from crossfelt.server.store.interface import NOTHING, Head, SignedHead, Stored, StoreError, StreamHead
from crossfelt.server.store.sql_store import SqlStore

_DIGEST: Final = 32


class Marks:
    """The seqs of a stream that heads have named, ever further on, each with the hash of its line.

    >>> marks = Marks()
    >>> marks.add(3, 64 * "a"), marks.add(2, 64 * "a"), marks.add(7, "no hash")
    (True, False, False)
    >>> marks.seqs, marks.hash(0) == 64 * "a"
    (array('q', [3]), True)
    """

    def __init__(self) -> None:
        self.seqs = array("q")
        self._digests = bytearray()

    def add(self, seq: int, digest: str) -> bool:
        """Takes one more; not one that comes before another, or is none."""
        try:
            told = bytes.fromhex(digest)
            if len(told) != _DIGEST or seq <= self.last:
                return False
            self.seqs.append(seq)
        except (ValueError, OverflowError):
            return False
        self._digests += told
        return True

    @property
    def last(self) -> int:
        """The furthest; below every seq where there is none."""
        return self.seqs[-1] if self.seqs else -1

    def hash(self, which: int) -> str:
        """Of the line that the mark is of."""
        return self._digests[which * _DIGEST : (which + 1) * _DIGEST].hex()


# --- Whether the stored streams are what was written

PAGE: Final = 2000
HEADS: Final = 200
"""Signed heads that are read at once: each names every stream that had moved."""


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is not as it was written."""

    what: str
    stream: str = ""
    seq: int | None = None

    def __str__(self) -> str:
        place = f"{self.stream}, seq {self.seq}: " if self.seq is not None else f"{self.stream}: "
        return (place if self.stream else "") + self.what


class IntegrityReport(msgspec.Struct, kw_only=True):
    """What was looked at, and what was found."""

    streams: int = 0
    lines: int = 0
    heads: int = 0
    expected: int = 0
    """How many lines there are to look at, where that was counted first."""
    findings: list[Finding] = msgspec.field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.findings


class _Asked(msgspec.Struct, frozen=True):
    id: str
    at: int


class _Line(msgspec.Struct, frozen=True):
    """What a line says of itself."""

    command: _Asked
    hash: str
    previous: str
    seq: int


class _Event(msgspec.Struct, frozen=True):
    event: str = ""
    server_id: str = ""


class _Noted(msgspec.Struct, frozen=True):
    """What a line of the journal tells."""

    events: tuple[_Event, ...] = ()


_LINE: Final = msgspec.json.Decoder(_Line)
_NOTED: Final = msgspec.json.Decoder(_Noted)
_RESTORED: Final = str(ServerRestored.__struct_config__.tag)


class IntegrityChecker:
    """Checks a store against its own chains, its signed heads and the copy of them that is kept outside."""

    def __init__(self, store: SqlStore, key: VerifyingKey, outside: Path | None = None) -> None:
        self._store = store
        self._key = key
        self._outside = HeadCopy(outside) if outside is not None else None

    async def since_last_head(self) -> IntegrityReport:
        """What a start waits for: the last head, the streams it names, and every line that came after it."""
        checked = IntegrityReport()
        last, read = await self._store.last_head(), _Heads(self._key)
        if last is not None:
            with _finding(checked, f"head {last.number}"):
                await asyncio.to_thread(read.through, [last], checked)
        await self._compare_names(read.servers, checked)
        await self._compare_outside(checked)
        signed = read.marks
        for head in await self._store.streams_since_signed():
            await self._stream(head, signed.pop(head.stream, Marks()), checked, after=head.signed)
        for name, marks in signed.items():
            with _finding(checked, name):
                await self._line(name, marks, checked)
        return checked

    async def everything(self, checked: IntegrityReport | None = None) -> IntegrityReport:
        """Every line of every stream, and every head there ever was; who hands in `checked` can watch it grow."""
        checked = checked if checked is not None else IntegrityReport()
        signed = await self._all_marks(checked)
        await self._compare_outside(checked)
        _, checked.expected = await self._store.size()
        async for head in self._streams():
            await self._stream(head, signed.pop(head.stream, Marks()), checked)
        for name in signed:
            checked.findings.append(Finding(stream=name, what="the stream is gone; it was signed"))
        return checked

    async def _streams(self) -> AsyncIterator[StreamHead]:
        after = ""
        while page := await self._store.streams(after=after, limit=PAGE):
            for head in page:
                yield head
            after = page[-1].stream

    # --- heads --------------------------------------------------------------------------------------------------

    async def _all_marks(self, checked: IntegrityReport) -> dict[str, Marks]:
        """What all heads have signed. There are thousands a day: they are looked at in pages, beside serving."""
        read, after = _Heads(self._key), 0
        outside = self._outside.lines() if self._outside is not None else iter(())
        while page := await self._store.signed_heads(after, HEADS):
            before, after = after, page[-1].number
            with _finding(checked, f"the heads after {before}"):
                await asyncio.to_thread(read.through, page, checked)
            if other := await asyncio.to_thread(_first_other, page, outside):
                outside = iter(())
                checked.findings.append(_not_outside(other))
        await self._compare_names(read.servers, checked)
        return read.marks

    async def _compare_names(self, servers: Iterable[str], checked: IntegrityReport) -> None:
        """Heads bear the name of this house, or of one that it was restored from, as the store says, or the journal of
        one that was restored before that was put down: a store that was set back, and has lost its name, would have a
        new copy outside, and nothing to compare it with."""
        others, after = {*servers} - {self._store.server_id}, NOTHING
        if others:
            others -= {*(await self._store.names_before())}
        while others and (page := await self._store.rows(JOURNAL_STREAM, after, PAGE)):
            others -= await asyncio.to_thread(_restored_from, page)
            after = page[-1].seq
        for name in sorted(others):
            what = f"heads were signed in the name of another house, and nothing was restored from it: {name}"
            checked.findings.append(Finding(what=what))

    async def _compare_outside(self, checked: IntegrityReport) -> None:
        """The last head outside must be in the store: a store that was set back has lost it. Of everything the others
        were looked at as well, and perhaps this one."""
        if self._outside is None:
            return
        try:
            outside = await asyncio.to_thread(self._outside.last)
        except BadInput as bad:
            checked.findings.append(Finding(what=f"the copy of the heads outside: {bad.problems[0].what}"))
            return
        except OSError as error:
            checked.findings.append(Finding(what=f"the copy of the heads outside cannot be read: {error.strerror}"))
            return
        if outside is None:
            return
        number = outside.statement.number
        kept = await self._store.signed_heads(after=number - 1, limit=1)
        if not kept:
            checked.findings.append(Finding(what=f"head {number}, which is kept outside, is not in the store"))
        elif kept[0].body != outside.body and (finding := _not_outside(number)) not in checked.findings:
            checked.findings.append(finding)

    # --- streams ------------------------------------------------------------------------------------------------

    async def _stream(self, head: StreamHead, signed: Marks, checked: IntegrityReport, *, after: int = NOTHING) -> None:
        """The lines after a seq: each follows from the one before it, and is what was signed.

        Pages are looked at in a thread, so that the house goes on meanwhile.
        """
        checked.streams += 1
        with _finding(checked, head.stream):
            walk, at = _Walk(head, signed, begun=after == NOTHING), max(after - 1, NOTHING)
            while (page := await self._store.rows(head.stream, at, PAGE)) and not walk.done:
                before = walk.lines
                await asyncio.to_thread(walk.through, page)
                checked.lines += walk.lines - before
                at = page[-1].seq
            if walk.beyond is not None and (await self._store.head(head.stream)).seq < walk.beyond:
                walk.found(walk.beyond, "stands after the end of the stream")
            checked.findings += walk.conclude()

    async def _line(self, stream: str, signed: Marks, checked: IntegrityReport) -> None:
        """The one line of a stream that has not moved since it was signed."""
        checked.streams += 1
        checked.lines += 1
        seq = signed.last
        found = await self._store.rows(stream, seq - 1, 1)
        if not found or found[0].seq != seq:
            checked.findings.append(Finding(stream=stream, seq=seq, what="is missing; it was signed"))
        elif wrong := wrong_with(found[0], None):
            checked.findings.append(Finding(stream=stream, seq=seq, what=wrong))
        elif found[0].hash != signed.hash(len(signed.seqs) - 1):
            checked.findings.append(Finding(stream=stream, seq=seq, what="is not the line that was signed"))


@contextmanager
def _finding(checked: IntegrityReport, place: str) -> Iterator[None]:
    """What was altered so that it cannot even be looked at is found as well, and keeps nothing else from being."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        checked.findings.append(Finding(stream=str(place), what=f"cannot be looked at: {type(error).__name__}"))


def _not_outside(number: int) -> Finding:
    return Finding(what=f"head {number} is not the one that is kept outside")


def _first_other(page: Sequence[SignedHead], outside: Iterator[bytes]) -> int | None:
    """The first head that is not the next line of the copy outside, which may end before."""
    return next((head.number for head, line in zip(page, outside, strict=False) if head.body != line), None)


def _restored_from(page: Sequence[Stored]) -> set[str]:
    """The houses that some lines of the journal say this one was restored from."""
    found = set[str]()
    for line in page:
        if _RESTORED.encode() in line.body:
            with suppress(msgspec.MsgspecError, ValueError):
                found |= {it.server_id for it in _NOTED.decode(bounded(line.body)).events if it.event == _RESTORED}
    return found


class _Heads:
    """Goes through signed heads from one to the next, and keeps what they have signed."""

    def __init__(self, key: VerifyingKey) -> None:
        self._key = key
        self._last: Signed | None = None
        self.marks: dict[str, Marks] = {}
        self.servers: set[str] = set()
        """In whose names they were signed."""

    def through(self, page: Sequence[SignedHead], checked: IntegrityReport) -> None:
        heads = [head for signed in page if (head := self._decoded(signed, checked)) is not None]
        checked.heads += len(heads)
        checked.findings += [Finding(what=what) for _, what in head_faults(heads, self._key, self._last)]
        for head in heads:
            self.servers.add(head.statement.server_id)
            for stream, seq, digest in head.statement.streams:
                if not self.marks.setdefault(stream, Marks()).add(seq, digest):
                    what = f"head {head.statement.number} names no line that comes after those signed before"
                    checked.findings.append(Finding(stream=stream, seq=seq, what=what))
        self._last = heads[-1] if heads else self._last

    @staticmethod
    def _decoded(signed: SignedHead, checked: IntegrityReport) -> Signed | None:
        try:
            head = decode_head(signed.body)
        except BadInput as bad:
            checked.findings.append(Finding(what=f"head {signed.number}: {bad.problems[0].what}"))
            return None
        if head.statement.number != signed.number:
            checked.findings.append(Finding(what=f"head {signed.number} says that it is another"))
        return head


class _Walk:
    """Goes through the lines of a stream, to its end or the first that is wrong."""

    def __init__(self, head: StreamHead, signed: Marks, *, begun: bool) -> None:
        self._head = head
        self._signed = signed
        self._passed = 0
        """Marks that the walk has come to."""
        self._begun = begun
        self._last = Head()
        self._findings: list[Finding] = []
        self.lines = 0
        self.beyond: int | None = None
        """The first line after the end: tables go on while they are looked at."""

    @property
    def done(self) -> bool:
        return bool(self._findings) or self.beyond is not None

    def through(self, page: Sequence[Stored]) -> None:
        for line in page:
            if line.seq > self._head.seq:
                self.beyond = line.seq
                return
            self.lines += 1
            wrong = wrong_with(line, self._last if self._begun else None)
            if wrong is None and not self._as_signed(line):
                wrong = "is not the line that was signed"
            if wrong is not None:
                self.found(line.seq, wrong)
                return
            self._last, self._begun = Head(line.seq, line.hash), True

    def _as_signed(self, line: Stored) -> bool:
        seqs = self._signed.seqs
        while self._passed < len(seqs) and seqs[self._passed] < line.seq:
            self._passed += 1
        signed = self._passed < len(seqs) and seqs[self._passed] == line.seq
        return not signed or self._signed.hash(self._passed) == line.hash

    def found(self, seq: int, what: str) -> None:
        self._findings.append(Finding(stream=self._head.stream, seq=seq, what=what))

    def conclude(self) -> list[Finding]:
        """What was found, the end included."""
        if not self._findings:
            last = self._last
            if last != Head(self._head.seq, self._head.hash):
                self.found(last.seq, f"the stream should end at {self._head.seq}")
            elif self._signed.last > last.seq:
                self.found(last.seq, f"lines are missing: {self._signed.last} was signed")
        return self._findings


def wrong_with(line: Stored, before: Head | None) -> str | None:
    """What is wrong with a line; where the one before it is not known, its place in the chain is not asked for."""
    if before is not None and line.seq != before.seq + 1:
        return "lines are missing before it"
    if line.seq == 0:
        return None if line.command_id == "" else "the header carries a command"
    try:
        said = _LINE.decode(bounded(line.body))
    except (msgspec.MsgspecError, ValueError):
        return "is no row"
    if said.seq != line.seq or (said.command.id, said.command.at) != (line.command_id, line.at):
        return "is filed under another command, time or seq than its own"
    if before is not None and said.previous != before.hash:
        return "does not follow from the line before it"
    if not line.intact:
        return "was changed: its hash differs"
    return None
