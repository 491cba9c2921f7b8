"""The integrity check: are the stored streams what the server wrote?

A store can be altered in four ways, and each is found by another check:

- **A line was changed, inserted or removed.** Each row carries its own hash and the hash of the line before it, and is
  filed under the seq, command id and time that it states.
- **A stream was cut, or rewritten with new hashes.** The head in `streams` and the signed heads name later lines, or
  lines with other hashes. A signature needs the server's private key, which is not in the database.
- **The database was set back to an earlier state**, signed heads included. The copy of the signed heads outside the
  data directory ends with a head that the store does not have.
- **The database was exchanged for one of another server.** Each signed head states the id of its server: this one's, or
  the id of a server that this one was restored from.

A start checks the last signed head and the lines after it (`since_last_head`); an auditor can have everything checked.
A row that cannot even be read is a finding too, and the check goes on. Pages are checked in a thread, so that the
server goes on meanwhile.
"""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput
from crossfelt.proof.signed_heads import Head as Signed
from crossfelt.proof.signed_heads import VerifyingKey, decode_head, head_faults
from crossfelt.server.audit.signed_heads import HeadCopy
from crossfelt.server.store.interface import NOTHING, Head, SignedHead, Stored, StoreError, StreamHead
from crossfelt.server.store.sql_store import Store

PAGE: Final = 2000
HEADS: Final = 200
"""Signed heads that are read at once: each names every stream that had grown."""
_DIGEST_BYTES: Final = 32
NOT_SIGNED: Final = "is not the line that was signed"
DIFFERS: Final = "head {} differs from the one in the copy"


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is not as the server wrote it."""

    what: str
    stream: str = ""
    seq: int | None = None

    def __str__(self) -> str:
        place = f"{self.stream}, seq {self.seq}: " if self.seq is not None else f"{self.stream}: "
        return (place if self.stream else "") + self.what


class IntegrityReport(msgspec.Struct, kw_only=True):
    """The extent of a check, and its findings."""

    streams: int = 0
    lines: int = 0
    heads: int = 0
    expected: int = 0
    """The number of lines to check, if they were counted first."""
    findings: list[Finding] = msgspec.field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.findings


class IntegrityChecker:
    """Checks a store against its own chains, its signed heads and their copy outside."""

    def __init__(self, store: Store, key: VerifyingKey, outside: Path | None = None) -> None:
        self._store = store
        self._key = key
        self._outside = HeadCopy(outside) if outside is not None else None

    async def since_last_head(self) -> IntegrityReport:
        """Check the last signed head, the streams that it names, and every line after it: the check at a start."""
        report = IntegrityReport()
        last, heads = await self._store.last_head(), _HeadCheck(self._key)
        if last is not None:
            with _reporting(report, f"head {last.number}"):
                await asyncio.to_thread(heads.check, [last], report)
        await self._check_server_ids(heads.server_ids, report)
        await self._check_copy(report)
        signed = heads.signed
        for head in await self._store.streams_since_signed():
            await self._check_stream(head, signed.pop(head.stream, SignedLines()), report, after=head.signed)
        for name, lines in signed.items():  # these have not grown since
            head = StreamHead(name, lines.last, lines.hash(len(lines.seqs) - 1))
            await self._check_stream(head, lines, report, after=lines.last)
        return report

    async def everything(self, report: IntegrityReport | None = None) -> IntegrityReport:
        """Check every line of every stream and every signed head; a caller can watch the `report` that it hands in."""
        report = report if report is not None else IntegrityReport()
        signed = await self._check_all_heads(report)
        await self._check_copy(report)
        _, report.expected = await self._store.size()
        async for head in self._streams():
            await self._check_stream(head, signed.pop(head.stream, SignedLines()), report)
        for name in signed:
            report.findings.append(Finding(stream=name, what="the stream is missing; it was signed"))
        return report

    async def _streams(self) -> AsyncIterator[StreamHead]:
        after = ""
        while page := await self._store.streams(after=after, limit=PAGE):
            for head in page:
                yield head
            after = page[-1].stream

    # --- signed heads -------------------------------------------------------------------------------------------

    async def _check_all_heads(self, report: IntegrityReport) -> dict[str, SignedLines]:
        """Check all signed heads and their copy; return the lines that they name."""
        heads, after = _HeadCheck(self._key), 0
        outside = self._outside.lines() if self._outside is not None else iter(())
        while page := await self._store.signed_heads(after, HEADS):
            before, after = after, page[-1].number
            with _reporting(report, f"the heads after {before}"):
                await asyncio.to_thread(heads.check, page, report)
            if differing := await asyncio.to_thread(_first_difference, page, outside):
                outside = iter(())
                report.findings.append(Finding(what=DIFFERS.format(differing)))
        await self._check_server_ids(heads.server_ids, report)
        return heads.signed

    async def _check_server_ids(self, server_ids: set[str], report: IntegrityReport) -> None:
        """Check that the signed heads are this server's, or those of a server that it was restored from."""
        others = server_ids - {self._store.server_id}
        for server_id in sorted(others.difference(await self._store.former_ids() if others else ())):
            what = f"heads were signed by another server, and nothing was restored from it: {server_id}"
            report.findings.append(Finding(what=what))

    async def _check_copy(self, report: IntegrityReport) -> None:
        """Check that the store has the last head of the copy: a store that was set back has lost it."""
        if self._outside is None:
            return
        try:
            outside = await asyncio.to_thread(self._outside.last)
        except BadInput as bad:
            report.findings.append(Finding(what=f"the copy of the heads: {bad.problems[0].what}"))
            return
        except OSError as error:
            report.findings.append(Finding(what=f"the copy of the heads cannot be read: {error.strerror}"))
            return
        if outside is None:
            return
        number = outside.statement.number
        kept = await self._store.signed_heads(after=number - 1, limit=1)
        if not kept:
            report.findings.append(Finding(what=f"head {number} of the copy is not in the store"))
        elif kept[0].body != outside.body and (finding := Finding(what=DIFFERS.format(number))) not in report.findings:
            report.findings.append(finding)

    # --- streams ------------------------------------------------------------------------------------------------

    async def _check_stream(
        self, head: StreamHead, signed: SignedLines, report: IntegrityReport, *, after: int = NOTHING
    ) -> None:
        report.streams += 1
        with _reporting(report, head.stream):
            check, at = StreamCheck(head, signed, from_start=after == NOTHING), max(after - 1, NOTHING)
            while (page := await self._store.rows(head.stream, at, PAGE)) and not check.done:
                before = check.lines
                await asyncio.to_thread(check.check, page)
                report.lines += check.lines - before
                at = page[-1].seq
            if check.beyond is not None and (await self._store.head(head.stream)).seq < check.beyond:
                check.add(check.beyond, "comes after the end of the stream")
            report.findings += check.findings()


@contextmanager
def _reporting(report: IntegrityReport, place: str) -> Iterator[None]:
    """Report data that was altered so that the check itself fails, and go on with the rest."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        report.findings.append(Finding(stream=place, what=f"cannot be checked: {type(error).__name__}"))


def _first_difference(page: Sequence[SignedHead], outside: Iterator[bytes]) -> int | None:
    """Return the number of the first head that is not the next line of the copy, which may end earlier."""
    return next((head.number for head, line in zip(page, outside, strict=False) if head.body != line), None)


class SignedLines:
    """The lines of a stream that signed heads name, as compact arrays: a busy table has thousands a day.

    >>> lines = SignedLines()
    >>> lines.add(3, 64 * "a"), lines.add(2, 64 * "a"), lines.add(7, "no hash")
    (True, False, False)
    >>> lines.seqs, lines.hash(0) == 64 * "a"
    (array('q', [3]), True)
    """

    def __init__(self) -> None:
        self.seqs = array("q")
        self._digests = bytearray()

    def add(self, seq: int, digest: str) -> bool:
        """Add a line; False if it does not come after the last one, or has no valid hash."""
        try:
            binary = bytes.fromhex(digest)
            if len(binary) != _DIGEST_BYTES or seq <= self.last:
                return False
            self.seqs.append(seq)
        except (ValueError, OverflowError):
            return False
        self._digests += binary
        return True

    @property
    def last(self) -> int:
        return self.seqs[-1] if self.seqs else NOTHING

    def hash(self, index: int) -> str:
        return self._digests[index * _DIGEST_BYTES : (index + 1) * _DIGEST_BYTES].hex()


class _HeadCheck:
    """Checks signed heads in order, and collects the lines that they name."""

    def __init__(self, key: VerifyingKey) -> None:
        self._key = key
        self._last: Signed | None = None
        self.signed: dict[str, SignedLines] = {}
        self.server_ids: set[str] = set()

    def check(self, page: Sequence[SignedHead], report: IntegrityReport) -> None:
        heads: list[Signed] = []
        for signed in page:
            try:
                heads.append(decode_head(signed.body))
            except BadInput as bad:
                report.findings.append(Finding(what=f"head {signed.number}: {bad.problems[0].what}"))
                continue
            if heads[-1].statement.number != signed.number:
                report.findings.append(Finding(what=f"head {signed.number} states another number"))
        report.heads += len(heads)
        report.findings += [Finding(what=what) for _, what in head_faults(heads, self._key, self._last)]
        for head in heads:
            self.server_ids.add(head.statement.server_id)
            for stream, seq, digest in head.statement.streams:
                if not self.signed.setdefault(stream, SignedLines()).add(seq, digest):
                    what = f"head {head.statement.number} names a line that does not come after those signed before"
                    report.findings.append(Finding(stream=stream, seq=seq, what=what))
        self._last = heads[-1] if heads else self._last


class StreamCheck:
    """Checks the lines of a stream, up to its end or its first fault."""

    def __init__(self, head: StreamHead, signed: SignedLines, *, from_start: bool) -> None:
        self._head = head
        self._signed = signed
        self._passed = 0
        """Signed lines before the current line."""
        self._last: Head | None = Head() if from_start else None
        """The line before; None if it is unknown."""
        self._findings: list[Finding] = []
        self.lines = 0
        self.beyond: int | None = None
        """The first line after the end: tables grow during the check."""

    @property
    def done(self) -> bool:
        return bool(self._findings) or self.beyond is not None

    def check(self, page: Sequence[Stored]) -> None:
        for line in page:
            if line.seq > self._head.seq:
                self.beyond = line.seq
                return
            self.lines += 1
            fault = line_fault(line, self._last) or ("" if self._is_as_signed(line) else NOT_SIGNED)
            if fault:
                self.add(line.seq, fault)
                return
            self._last = Head(line.seq, line.hash)

    def _is_as_signed(self, line: Stored) -> bool:
        seqs = self._signed.seqs
        while self._passed < len(seqs) and seqs[self._passed] < line.seq:
            self._passed += 1
        signed = self._passed < len(seqs) and seqs[self._passed] == line.seq
        return not signed or self._signed.hash(self._passed) == line.hash

    def add(self, seq: int, what: str) -> None:
        self._findings.append(Finding(stream=self._head.stream, seq=seq, what=what))

    def findings(self) -> list[Finding]:
        """Return the findings, with those about the end of the stream."""
        if not self._findings and self._last is None and self._head.seq >= 0:
            self.add(self._head.seq, "is missing")
        if not self._findings:
            last = self._last or Head()
            if last != Head(self._head.seq, self._head.hash):
                self.add(last.seq, f"the stream should end at {self._head.seq}")
            elif self._signed.last > last.seq:
                self.add(last.seq, f"lines are missing: {self._signed.last} was signed")
        return self._findings


class _Command(msgspec.Struct, frozen=True):
    id: str
    at: int


class _Row(msgspec.Struct, frozen=True):
    """The fields of a row that place it in its stream."""

    command: _Command
    hash: str
    previous: str
    seq: int


_ROW: Final = msgspec.json.Decoder(_Row)


def line_fault(line: Stored, before: Head | None) -> str | None:
    """Return the fault of a line; without the line before it, its place in the chain is not checked."""
    if before is not None and line.seq != before.seq + 1:
        return "lines are missing before it"
    if line.seq == 0:
        return None if line.command_id == "" else "the header carries a command"
    try:
        row = _ROW.decode(bounded(line.body))
    except (msgspec.MsgspecError, ValueError):
        return "is not a row"
    if row.seq != line.seq or (row.command.id, row.command.at) != (line.command_id, line.at):
        return "is filed under another command, time or seq than its own"
    if before is not None and row.previous != before.hash:
        return "does not continue the chain of the line before it"
    if not line.intact:
        return "was changed: its hash differs"
    return None
