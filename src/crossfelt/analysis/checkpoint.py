"""Long work in a file: the question in the first line, and answers in the others as they come."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Generic, NamedTuple, Self, TypeVar

import msgspec

from crossfelt._util.atomic_files import write_atomically
from crossfelt._util.bounded_input import bounded
from crossfelt._util.software_hash import software_hash
from crossfelt.errors import BadInput, Problem

A = TypeVar("A", bound=msgspec.Struct)
"""What is asked."""


class _FirstLine(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    software: str
    """Which software answers: another one might answer differently."""
    asked: msgspec.Raw


class CheckpointContents(NamedTuple, Generic[A]):
    """What a file holds."""

    path: Path
    asked: A
    software: str
    lines: list[bytes]
    """Every whole line after the first."""
    size: int
    """Bytes up to the end of the last whole line."""


class CheckpointKind(NamedTuple, Generic[A]):
    """A kind of work that is kept in files."""

    name: str
    """``sweep``: its files begin with ``crossfelt sweep``."""
    code: str
    """Of a problem with such a file."""
    asked: type[A]

    def first_line(self, asked: A) -> bytes:
        raw = msgspec.Raw(msgspec.json.encode(asked))
        first = _FirstLine(file=f"crossfelt {self.name}", software=software_hash(), asked=raw)
        return msgspec.json.encode(first) + b"\n"

    def begins(self, start: bytes) -> bool:
        """Whether a file that begins so is of this kind."""
        return start.startswith(f'{{"file":"crossfelt {self.name}"'.encode())

    def read(self, path: Path) -> CheckpointContents[A]:
        """A file of this kind; a line that an interruption cut off is left out."""
        try:
            data = path.read_bytes()
            size = data.rfind(b"\n") + 1
            first, *lines = data[:size].splitlines() or [b""]
            if not self.begins(first):
                raise self.bad(path, f"holds no {self.name}")
            question = msgspec.json.decode(bounded(first), type=_FirstLine)
            asked = msgspec.json.decode(question.asked, type=self.asked)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self.bad(path, f"holds no {self.name}: {error}") from None
        return CheckpointContents(path, asked, question.software, lines, size)

    def read_parts(self, paths: Sequence[Path]) -> Iterator[CheckpointContents[A]]:
        """Files of one question, all written by the same software."""
        first: CheckpointContents[A] | None = None
        for path in paths:
            found = self.read(path)
            first = first or found
            if found.asked != first.asked:
                raise self.bad(path, f"is of another {self.name} than the first file", f"parts of one {self.name}")
            if found.software != first.software:
                what = "was written by another version of Crossfelt than the first file"
                raise self.bad(path, what, "the same version on all machines")
            yield found

    def bad(self, path: Path, what: str, allowed: str = "", value: int | None = None) -> BadInput:
        return BadInput(Problem(code=self.code, where=str(path), what=what, value=value, allowed=allowed))


class CheckpointFile(Generic[A]):
    """A file that grows by an answer at a time, and goes on where it stopped; a file of anything else is left alone."""

    def __init__(self, work: CheckpointKind[A], path: Path, asked: A) -> None:
        if not path.exists() or not path.stat().st_size:
            write_atomically(path, work.first_line(asked))
        found = work.read(path)
        if found.asked != asked:
            raise work.bad(path, f"is of another {work.name}", "the same rules and values, or another file")
        if found.software != software_hash():
            raise work.bad(path, "was begun by another version of Crossfelt", "the same version, or another file")
        self.lines = found.lines
        """What the file held already."""
        self._file = path.open("r+b")
        self._file.truncate(found.size)
        self._file.seek(found.size)

    def add(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()
