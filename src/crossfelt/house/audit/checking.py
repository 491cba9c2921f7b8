"""Whether the stored streams are what was written: every line, its place in the chain, and what was signed of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from crossfelt.house.store.port import NOTHING, Head, SignedHead, Stored, StreamHead
from crossfelt.house.store.reading import Reader
from crossfelt.problems import BadInput
from crossfelt.proof.canonical import sha256
from crossfelt.proof.heads import Head as Signed
from crossfelt.proof.heads import VerifyingKey, decode_head, faults, last_head_in
from crossfelt.proof.rows import row_without_hash

PAGE: Final = 2000


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is not as it was written."""

    what: str
    stream: str = ""
    seq: int | None = None

    def __str__(self) -> str:
        place = f"{self.stream}, seq {self.seq}: " if self.seq is not None else f"{self.stream}: "
        return (place if self.stream else "") + self.what


class Checked(msgspec.Struct, kw_only=True):
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


_LINE: Final = msgspec.json.Decoder(_Line)


class Checker:
    """Checks a store against its own chains, its signed heads and the copy of them that is kept outside."""

    def __init__(self, store: Reader, key: VerifyingKey, outside: Path | None = None) -> None:
        self._store = store
        self._key = key
        self._outside = outside

    async def since_last_head(self) -> Checked:
        """What a start waits for: the last head, the streams it names, and every line that came after it."""
        checked = Checked()
        last = await self._store.last_head()
        heads = self._decoded([last] if last is not None else [], checked)
        await self._compare_outside(checked)
        signed = {head.stream: head for head in _named(heads)}
        for head in await self._store.streams_since_signed():
            known = signed.pop(head.stream, None)
            await self._stream(head, {known.seq: known.hash} if known else {}, checked, after=head.signed)
        for name, known in signed.items():
            await self._line(name, known, checked)
        return checked

    async def everything(self, checked: Checked | None = None) -> Checked:
        """Every line of every stream, and every head there ever was; who hands in `checked` can watch it grow."""
        checked = checked if checked is not None else Checked()
        heads = self._decoded(await self._store.signed_heads(), checked)
        await self._compare_outside(checked)
        signed: dict[str, dict[int, str]] = {}
        for named in _named(heads):
            signed.setdefault(named.stream, {})[named.seq] = named.hash
        streams = await self._store.streams()
        checked.expected = sum(head.seq + 1 for head in streams)
        for head in streams:
            await self._stream(head, signed.pop(head.stream, {}), checked)
        for name in signed:
            checked.findings.append(Finding(stream=name, what="the stream is gone; it was signed"))
        return checked

    # --- heads --------------------------------------------------------------------------------------------------

    def _decoded(self, bodies: Sequence[SignedHead], checked: Checked) -> list[Signed]:
        heads = []
        for signed in bodies:
            try:
                head = decode_head(signed.body)
            except BadInput as bad:
                checked.findings.append(Finding(what=f"head {signed.number}: {bad.problems[0].what}"))
                continue
            if head.statement.number != signed.number:
                checked.findings.append(Finding(what=f"head {signed.number} says that it is another"))
            heads.append(head)
        checked.heads += len(heads)
        checked.findings += [Finding(what=what) for _, what in faults(heads, self._key)]
        return heads

    async def _compare_outside(self, checked: Checked) -> None:
        """The last head outside must be in the store: a store that was set back has lost it."""
        if self._outside is None:
            return
        try:
            outside = last_head_in(self._outside)
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
        elif kept[0].body != outside.body:
            checked.findings.append(Finding(what=f"head {number} is not the one that is kept outside"))

    # --- streams ------------------------------------------------------------------------------------------------

    async def _stream(
        self, head: StreamHead, signed: Mapping[int, str], checked: Checked, *, after: int = NOTHING
    ) -> None:
        """The lines after a seq: each follows from the one before it, and is what was signed.

        Pages are looked at in a thread, so that the house goes on meanwhile.
        """
        checked.streams += 1
        walk, at = _Walk(head, signed, begun=after == NOTHING), max(after - 1, NOTHING)
        while (page := await self._store.rows(head.stream, at, PAGE)) and not walk.done:
            before = walk.lines
            await asyncio.to_thread(walk.through, page)
            checked.lines += walk.lines - before
            at = page[-1].seq
        if walk.beyond is not None and (await self._store.head(head.stream)).seq < walk.beyond:
            walk.found(walk.beyond, "stands after the end of the stream")
        checked.findings += walk.conclude()

    async def _line(self, stream: str, signed: StreamHead, checked: Checked) -> None:
        """The one line of a stream that has not moved since it was signed."""
        checked.streams += 1
        checked.lines += 1
        found = await self._store.rows(stream, signed.seq - 1, 1)
        if not found or found[0].seq != signed.seq:
            checked.findings.append(Finding(stream=stream, seq=signed.seq, what="is missing; it was signed"))
        elif wrong := wrong_with(found[0], None):
            checked.findings.append(Finding(stream=stream, seq=signed.seq, what=wrong))
        elif found[0].hash != signed.hash:
            checked.findings.append(Finding(stream=stream, seq=signed.seq, what="is not the line that was signed"))


class _Walk:
    """Goes through the lines of a stream, to its end or the first that is wrong."""

    def __init__(self, head: StreamHead, signed: Mapping[int, str], *, begun: bool) -> None:
        self._head = head
        self._signed = signed
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
            if wrong is None and self._signed.get(line.seq, line.hash) != line.hash:
                wrong = "is not the line that was signed"
            if wrong is not None:
                self.found(line.seq, wrong)
                return
            self._last, self._begun = Head(line.seq, line.hash), True

    def found(self, seq: int, what: str) -> None:
        self._findings.append(Finding(stream=self._head.stream, seq=seq, what=what))

    def conclude(self) -> list[Finding]:
        """What was found, the end included."""
        if not self._findings:
            last = self._last
            if last != Head(self._head.seq, self._head.hash):
                self.found(last.seq, f"the stream should end at {self._head.seq}")
            elif any(seq > last.seq for seq in self._signed):
                self.found(last.seq, f"lines are missing: {max(self._signed)} was signed")
        return self._findings


def _named(heads: Iterable[Signed]) -> Iterable[StreamHead]:
    return (StreamHead(*named) for head in heads for named in head.statement.streams)


def wrong_with(line: Stored, before: Head | None) -> str | None:
    """What is wrong with a line; where the one before it is not known, its place in the chain is not asked for."""
    if before is not None and line.seq != before.seq + 1:
        return "lines are missing before it"
    if line.seq == 0:
        return None if line.command_id == "" else "the header carries a command"
    try:
        said = _LINE.decode(line.body)
    except (msgspec.MsgspecError, ValueError):
        return "is no row"
    if said.seq != line.seq or (said.command.id, said.command.at) != (line.command_id, line.at):
        return "is filed under another command, time or seq than its own"
    if before is not None and said.previous != before.hash:
        return "does not follow from the line before it"
    if said.hash != sha256(row_without_hash(line.body, said.previous, said.seq, said.hash)):
        return "was changed: its hash is another"
    return None
