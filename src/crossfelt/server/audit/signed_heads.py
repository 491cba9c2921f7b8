"""The copy of the signed heads in a file outside the store: one a line, so that line N is head N."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from crossfelt.errors import BadInput, Problem
from crossfelt.proof.hash_chain import sha256
from crossfelt.proof.signed_heads import Head, HeadStatement, SigningKey, decode_head
from crossfelt.server.store.interface import Lease, SignedHead, StreamHead
from crossfelt.server.store.signing_key import PRIVATE, SIGNING
from crossfelt.server.store.sql_store import SqlStore

BLOCK: Final = 1 << 16
"""What is read at once when a file is read from its end."""


class HeadCopy:
    """A file that others may add to, cut short or put away at any time: it is looked at anew before each addition.

    Whoever adds has it locked, and adds only to the head that they have looked up what follows. So it does not matter
    whether a process that stood still has lost the lease meanwhile: nothing is added twice, or out of its order.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self) -> Head | None:
        """The last head, where it begins with the first; None where there is no file or no whole line in it. A line
        that a kill has cut short does not count."""
        try:
            with self.path.open("rb") as file:
                line = _last_line(file, end := _whole(file))
                file.seek(0)
                first = file.readline().removesuffix(b"\n") if end else b""
        except FileNotFoundError:
            return None
        if not end:
            return None
        number = self._read(first).statement.number
        if number != 1:
            raise BadInput(Problem(code="heads.begin", what=f"begins with head {number}", where=str(self.path)))
        return self._read(line)

    def lines(self) -> Iterator[bytes]:
        """All whole lines, from the first, as far as they can be read."""
        with suppress(OSError), self.path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line[:-1]

    def add(self, after: Head | None, bodies: Sequence[bytes]) -> None:
        """Adds heads that follow one; nothing, where that is no longer the last. What fails leaves nothing of them."""
        with self._locked() as file:
            end = _whole(file)
            if _last_line(file, end) != (after.body if after is not None else b""):
                return
            try:
                file.truncate(end)
                _write(file.fileno(), b"".join(body + b"\n" for body in bodies))
                os.fsync(file.fileno())
            except OSError:
                with suppress(OSError):
                    file.truncate(end)
                raise

    @contextmanager
    def _locked(self) -> Iterator[IO[bytes]]:
        """Nobody waits for a process that stands still: who finds the file locked comes again."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Unbuffered: what could not be written would be written again when the file is closed.
        with self.path.open("a+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield file

    def _read(self, line: bytes) -> Head:
        try:
            return decode_head(line)
        except BadInput as bad:
            what = bad.problems[0].what
            raise BadInput(Problem(code="heads.line", what=what, where=str(self.path))) from None


def _whole(file: IO[bytes]) -> int:
    """Where the last whole line ends."""
    return _after_line(file, file.seek(0, os.SEEK_END))


def _last_line(file: IO[bytes], end: int) -> bytes:
    """The line that ends there, without its end; nothing at the beginning."""
    start = _after_line(file, end - 1) if end else 0
    file.seek(start)
    return file.read(end - start)[:-1]


def _after_line(file: IO[bytes], before: int) -> int:
    """Where the last line that is over before some byte ends, however long the file is."""
    while before > 0:
        start = max(0, before - BLOCK)
        file.seek(start)
        found = file.read(before - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        before = start
    return 0


def _write(descriptor: int, data: bytes) -> None:
    """All of it: a disk that fills up takes a part, and refuses the rest."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


# --- Signs the heads of all streams every few seconds, and keeps a copy outside the data directory.

EVERY_SECONDS: Final = 5.0
HEADS: Final = 1000
"""Heads that are copied at once: all of them, where the copy was lost."""
_LEASE_SECONDS: Final = 2 * EVERY_SECONDS
"""Who signs next after a process that was killed waits for so long."""
_OPENING_SECONDS: Final = 60.0
"""What a start may take to check what was written since the last head, before it signs."""
_LOG: Final = logging.getLogger("crossfelt.audit")


def outside_file(server_id: str) -> Path:
    """Where heads are kept unless the house is told otherwise: not where its data are."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "crossfelt" / f"{server_id}.heads.jsonl"


class Signer:
    """One process of a house signs at a time: the one that has the lease."""

    def __init__(self, store: SqlStore, key: SigningKey, outside: Path | None, holder: str) -> None:
        self._store = store
        self._key = key
        self._outside = HeadCopy(outside) if outside is not None else None
        self._holder = holder
        self._lease: Lease | None = None
        self._claimed = False
        self._told = False
        """Whether it was said that another key signs."""
        self._not_copied = ""
        """What keeps heads from being copied, as it was said."""

    async def claim(self) -> None:
        """Processes of one house sign with one key: what two have signed in turn could be checked with neither. Where
        none runs, a key that was lost may be followed by another."""
        self._lease, key = await self._claim(_OPENING_SECONDS, anew=True)
        if key != self._key.public.text:
            what, allowed = "another process of this house signs with another key", "the same: share the data directory"
            raise BadInput(Problem(code="key.other", what=what, where=PRIVATE, allowed=allowed))

    async def sign(self) -> SignedHead | None:
        """What a house does every few seconds: signs what has moved; None where nothing has, or another process signs.
        Where no copy can be made, or what is there is none, that is told, and the store has it signed all the same."""
        lease = await self._held()
        if lease is None:
            return None
        signed = await self._store.sign(self._statement, lease)
        try:
            await self.catch_up()
        except (OSError, BadInput) as error:
            self._tell_of_copy(str(error))
        else:
            self._tell_of_copy("")
        return signed

    async def release(self) -> None:
        """The lease back, for whoever signs next."""
        if self._lease is not None:
            await self._store.release(self._lease)
            self._lease = None

    async def catch_up(self) -> None:
        """Copies outside what was signed and is not there, whoever has signed it: all of it, where there is no copy."""
        if self._outside is None:
            return
        while True:
            last = await asyncio.to_thread(self._outside.last)
            number = last.statement.number if last is not None else 0
            heads = await self._store.signed_heads(after=max(0, number - 1), limit=HEADS + 1)
            bodies = [head.body for head in heads]
            if last is not None and last.body not in bodies[:1]:
                what, where = f"head {number} is not the one that the store has", str(self._outside.path)
                raise BadInput(Problem(code="heads.unknown", what=what, where=where))
            missing = bodies[1:] if last is not None else bodies
            if not missing:
                return
            await asyncio.to_thread(self._outside.add, last, missing)

    async def _held(self) -> Lease | None:
        if self._lease is not None:
            (self._lease,) = await self._store.renew([self._lease], _LEASE_SECONDS)
        if self._lease is None:
            self._lease, key = await self._claim(_LEASE_SECONDS, anew=not self._claimed)
            self._tell_of(key)
        return self._lease

    async def _claim(self, seconds: float, *, anew: bool) -> tuple[Lease | None, str]:
        """Takes the lease if it is free. Who runs takes over from nobody with another key: that process has started
        since, while this one stood still, and is the house now."""
        claimed = await self._store.claim(SIGNING, self._holder, seconds, self._key.public.text, anew=anew)
        self._claimed = True
        return claimed

    def _tell_of(self, key: str) -> None:
        other = key != self._key.public.text
        if other and not self._told:
            _LOG.error("nothing is signed here any more: a process with another key has begun to sign for this house")
        self._told = other

    def _tell_of_copy(self, wrong: str) -> None:
        """Once, and once more when it is right again."""
        if wrong and wrong != self._not_copied:
            _LOG.error("heads are signed, but not copied outside: %s", wrong)
        elif self._not_copied and not wrong:
            _LOG.warning("heads are copied outside again")
        self._not_copied = wrong

    def _statement(self, last: SignedHead | None, moved: Sequence[StreamHead]) -> bytes:
        statement = HeadStatement(
            server_id=self._store.server_id,
            number=last.number + 1 if last is not None else 1,
            at=int(time.time() * 1000),
            previous=sha256(last.body) if last is not None else "",
            streams=tuple((head.stream, head.seq, head.hash) for head in moved),
        )
        return self._key.sign(statement).body
