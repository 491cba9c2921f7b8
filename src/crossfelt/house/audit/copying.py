"""The copy of the signed heads in a file outside the store: one a line, so that line N is head N."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from crossfelt.problems import BadInput, Problem
from crossfelt.proof.heads import Head, decode_head

BLOCK: Final = 1 << 16
"""What is read at once when a file is read from its end."""


class HeadsOutside:
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
