"""Checkpoint files of long runs: the question in the first line, one result in each further line."""

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
from crossfelt.errors import BadInput

A = TypeVar("A", bound=msgspec.Struct)
"""Type of the question."""


class _FirstLine(msgspec.Struct, frozen=True, kw_only=True):
    file: str
    software: str
    """Hash of the software; another version might compute other results."""
    asked: msgspec.Raw


class CheckpointContents(NamedTuple, Generic[A]):
    """The contents of a checkpoint file."""

    path: Path
    asked: A
    software: str
    lines: list[bytes]
    """Complete lines after the first."""
    size: int
    """Bytes up to the end of the last complete line."""


class CheckpointKind(NamedTuple, Generic[A]):
    """A kind of run that writes checkpoint files."""

    name: str
    """``sweep``: its files begin with ``crossfelt sweep``."""
    code: str
    """Code of a problem with such a file."""
    asked: type[A]

    def first_line(self, asked: A) -> bytes:
        raw = msgspec.Raw(msgspec.json.encode(asked))
        first = _FirstLine(file=f"crossfelt {self.name}", software=software_hash(), asked=raw)
        return msgspec.json.encode(first) + b"\n"

    def begins(self, start: bytes) -> bool:
        """Return whether a file with this first line is of this kind."""
        return start.startswith(f'{{"file":"crossfelt {self.name}"'.encode())

    def read(self, path: Path) -> CheckpointContents[A]:
        """Read a file of this kind; ignore a line that an interruption cut off."""
        try:
            data = path.read_bytes()
            size = data.rfind(b"\n") + 1
            first, *lines = data[:size].splitlines() or [b""]
            if not self.begins(first):
                raise self.bad(path, f"not a {self.name} file")
            question = msgspec.json.decode(bounded(first), type=_FirstLine)
            asked = msgspec.json.decode(question.asked, type=self.asked)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self.bad(path, f"not a {self.name} file: {error}") from None
        return CheckpointContents(path, asked, question.software, lines, size)

    def read_parts(self, paths: Sequence[Path]) -> Iterator[CheckpointContents[A]]:
        """Read files of one question; refuse other questions or software versions."""
        first: CheckpointContents[A] | None = None
        for path in paths:
            found = self.read(path)
            first = first or found
            if found.asked != first.asked:
                raise self.bad(path, f"belongs to another {self.name} than the first file", f"parts of one {self.name}")
            if found.software != first.software:
                what = "was written by another version of Crossfelt than the first file"
                raise self.bad(path, what, "the same version on all machines")
            yield found

    def bad(self, path: Path, what: str, allowed: str = "", value: int | None = None) -> BadInput:
        return BadInput.at(str(path), self.code, what, value, allowed)


class CheckpointFile(Generic[A]):
    """An append-only file of results that resumes an interrupted run; it never overwrites a file of another kind."""

    def __init__(self, work: CheckpointKind[A], path: Path, asked: A) -> None:
        if not path.exists() or not path.stat().st_size:
            write_atomically(path, work.first_line(asked))
        found = work.read(path)
        if found.asked != asked:
            raise work.bad(path, f"belongs to another {work.name}", "the same rules and values, or another file")
        if found.software != software_hash():
            raise work.bad(path, "was begun by another version of Crossfelt", "the same version, or another file")
        self.lines = found.lines
        """Results that the file held at the start."""
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
