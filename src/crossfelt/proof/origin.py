"""Where a history comes from: whether one of its lines is what the house has signed for.

A line is known by its seq and its hash, which stands for every line before it; no name is needed to find it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from crossfelt.proof.heads import Head, VerifyingKey, faults

CONSISTENT: Final = "consistent, origin unproved"
SIGNED: Final = "consistent, signed by the house"
INCONSISTENT: Final = "inconsistent"


class SignedLine(msgspec.Struct, frozen=True):
    """A line that a signed head names."""

    stream: str
    seq: int
    at: int
    """When it was signed, in milliseconds."""


class Origin:
    """Compares lines, in order, with signed heads."""

    def __init__(self, heads: Sequence[Head], key: VerifyingKey) -> None:
        self._forged = next((what for _, what in faults(heads, key)), None)
        self._lines: dict[tuple[int, str], SignedLine] = {}
        self._last: dict[str, int] = {}
        for head in heads:
            for stream, seq, digest in head.statement.streams:
                self._lines[seq, digest] = SignedLine(stream, seq, head.statement.at)
                self._last[stream] = max(seq, self._last.get(stream, 0))
        self.found: SignedLine | None = None
        """The last line seen that was signed."""

    def see(self, seq: int, digest: str) -> None:
        self.found = self._lines.get((seq, digest), self.found)

    @property
    def signed(self) -> tuple[int | None, int | None]:
        """The last line seen that was signed, and when."""
        return (self.found.seq, self.found.at) if self.found is not None else (None, None)

    def verdict(self, rows: int) -> tuple[str, str | None]:
        """What to say of a history of so many rows, and what is wrong, if anything."""
        if (fault := self.fault(rows)) is not None:
            return INCONSISTENT, fault
        row, _ = self.signed
        return (SIGNED if row == rows else f"{SIGNED} up to row {row} of {rows}"), None

    def fault(self, rows: int) -> str | None:
        """Why the heads do not speak for the history of so many rows; None where they do."""
        if self._forged is not None:
            return self._forged
        if self.found is None:
            return "no signed head names a line of this history"
        signed = self._last[self.found.stream]
        if signed > rows:
            return f"rows are missing: the house has signed row {signed} of {self.found.stream}"
        if signed > self.found.seq:
            return f"row {signed} is not the one that the house has signed in {self.found.stream}"
        return None
