"""Signed heads: every few seconds one process signs the heads of all streams, and copies them to a file outside.

The hash chain of a stream shows a changed line, but not a stream that was cut or replaced as a whole. A signed head
names the last lines of all streams that have grown, and the hash of the signed head before it. The copy lies outside
the data directory, one head a line, so that a database that was set back to an earlier state is found too.

All processes of a server sign with one key, and only the holder of the lease signs: heads that two keys had signed in
turn could be checked with neither key.
"""

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

from crossfelt.errors import BadInput
from crossfelt.proof.hash_chain import sha256
from crossfelt.proof.signed_heads import Head, HeadStatement, SigningKey, decode_head
from crossfelt.server.store.interface import Lease, SignedHead, StreamHead
from crossfelt.server.store.signing_key import PRIVATE
from crossfelt.server.store.sql_store import Store

BLOCK: Final = 1 << 16


class HeadCopy:
    """The copy of the signed heads. Other processes may append to it, and people may cut or move it at any time.

    A process locks the file, reads its last head again, and appends only the heads that follow that one. So even a
    process that was suspended and has lost its lease appends nothing twice or out of order.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self) -> Head | None:
        """Return the last head; None without a file or a complete line. `BadInput` if the file does not begin with head
        1.

        A last line without its newline does not count: the process was killed while it wrote.
        """
        try:
            with self.path.open("rb") as file:
                line = _last_line(file, end := _complete_end(file))
                file.seek(0)
                first = file.readline().removesuffix(b"\n") if end else b""
        except FileNotFoundError:
            return None
        if not end:
            return None
        number = self._read(first).statement.number
        if number != 1:
            raise BadInput.at(str(self.path), "heads.begin", f"begins with head {number}")
        return self._read(line)

    def lines(self) -> Iterator[bytes]:
        """Yield the complete lines, as far as the file can be read."""
        with suppress(OSError), self.path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line[:-1]

    def append(self, after: Head | None, bodies: Sequence[bytes]) -> None:
        """Append the heads after one, if that is still the last. A failed write is truncated again."""
        with self._locked() as file:
            end = _complete_end(file)
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
        """Open the file with a lock; `BlockingIOError` if another process has it, so that none waits for a suspended
        one."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Unbuffered, because closing a buffered file would write the failed bytes again.
        with self.path.open("a+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield file

    def _read(self, line: bytes) -> Head:
        try:
            return decode_head(line)
        except BadInput as bad:
            raise BadInput.at(str(self.path), "heads.line", bad.problems[0].what) from None


def _complete_end(file: IO[bytes]) -> int:
    return _line_end_before(file, file.seek(0, os.SEEK_END))


def _last_line(file: IO[bytes], end: int) -> bytes:
    """Return the line that ends at an offset, without its newline; nothing at offset 0."""
    start = _line_end_before(file, end - 1) if end else 0
    file.seek(start)
    return file.read(end - start)[:-1]


def _line_end_before(file: IO[bytes], before: int) -> int:
    """Return the offset after the last newline before an offset, reading the file backwards."""
    while before > 0:
        start = max(0, before - BLOCK)
        file.seek(start)
        found = file.read(before - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        before = start
    return 0


def _write(descriptor: int, data: bytes) -> None:
    """Write all bytes: a disk that fills up takes a part first, and then fails."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


EVERY_SECONDS: Final = 5.0
HEADS: Final = 1000
"""Heads that are copied in one step, when the copy was lost."""
_LEASE_SECONDS: Final = 2 * EVERY_SECONDS
"""After the signing process is killed, another takes over within this time."""
_OPENING_SECONDS: Final = 60.0
"""The lease of a starting process, which checks the lines since the last head before it signs."""
_LOG: Final = logging.getLogger("crossfelt.audit")


def outside_file(server_id: str) -> Path:
    """Return the default path of the copy, outside the data directory."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "crossfelt" / f"{server_id}.heads.jsonl"


class Signer:
    """Signs heads while this process holds the lease."""

    def __init__(self, store: Store, key: SigningKey, outside: Path | None, holder: str) -> None:
        self._store = store
        self._key = key
        self._outside = HeadCopy(outside) if outside is not None else None
        self._holder = holder
        self._lease: Lease | None = None
        self._logged_other_key = False
        self._copy_error = ""
        """The last logged reason why heads are not copied."""

    async def claim(self) -> None:
        """Take the lease at a start; `BadInput` if another process of this server signs with another key.

        If no process signs, a new key may replace a lost one.
        """
        own = self._key.public.text
        self._lease, key = await self._store.lease_signing(self._holder, _OPENING_SECONDS, own, replace_key=True)
        if key != own:
            what, allowed = "another process of this server signs with another key", "one key: share the data directory"
            raise BadInput.at(PRIVATE, "key.other", what, allowed=allowed)

    async def sign(self) -> SignedHead | None:
        """Sign the heads of the streams that have grown; None if none has, or another process signs.

        If the copy fails, the failure is logged; the store has the signed head in any case.
        """
        lease = await self._held()
        if lease is None:
            return None
        signed = await self._store.sign(self._statement, lease)
        copy_error = ""
        try:
            await self.catch_up()
        except (OSError, BadInput) as error:
            copy_error = str(error)
        self._log_copy(copy_error)
        return signed

    async def release(self) -> None:
        """Give the lease back."""
        if self._lease is not None:
            await self._store.release(self._lease)
            self._lease = None

    async def catch_up(self) -> None:
        """Copy the signed heads that the file lacks, whichever process signed them."""
        if self._outside is None:
            return
        while True:
            last = await asyncio.to_thread(self._outside.last)
            number = last.statement.number if last is not None else 0
            heads = await self._store.signed_heads(after=max(0, number - 1), limit=HEADS + 1)
            bodies = [head.body for head in heads]
            if last is not None and last.body not in bodies[:1]:
                what, where = f"head {number} differs from the one in the store", str(self._outside.path)
                raise BadInput.at(where, "heads.unknown", what)
            missing = bodies[1:] if last is not None else bodies
            if not missing:
                return
            await asyncio.to_thread(self._outside.append, last, missing)

    async def _held(self) -> Lease | None:
        """Renew the lease, or take it if it is free.

        A process replaces the key only at its start. If it finds another key later, a newer process started with that
        key while this one was suspended, and the newer one goes on signing.
        """
        if self._lease is None or not await self._store.renew([self._lease], _LEASE_SECONDS):
            own = self._key.public.text
            self._lease, key = await self._store.lease_signing(self._holder, _LEASE_SECONDS, own, replace_key=False)
            if key != own and not self._logged_other_key:
                _LOG.error("this process signs no more heads: another process of this server signs with another key")
            self._logged_other_key = key != own
        return self._lease

    def _log_copy(self, error: str) -> None:
        """Log an error once, and once more when copying succeeds again."""
        if error and error != self._copy_error:
            _LOG.error("heads are signed, but cannot be copied: %s", error)
        elif self._copy_error and not error:
            _LOG.warning("heads are copied again")
        self._copy_error = error

    def _statement(self, last: SignedHead | None, moved: Sequence[StreamHead]) -> bytes:
        statement = HeadStatement(
            server_id=self._store.server_id,
            number=last.number + 1 if last is not None else 1,
            at=int(time.time() * 1000),
            previous=sha256(last.body) if last is not None else "",
            streams=tuple((head.stream, head.seq, head.hash) for head in moved),
        )
        return self._key.sign(statement).body
