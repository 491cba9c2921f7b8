"""Where a history comes from: whether one of its lines is what the house has signed for.

A line is known by its seq and its hash, which stands for every line before it; no name is needed to find it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from crossfelt.proof.heads import Head, VerifyingKey, faults

CONSISTENT: Final = "consistent, origin unproved"
NOT_YET: Final = f"{CONSISTENT}: these heads do not name it yet"
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
        self._named: dict[str, list[int]] = {}
        """The rows of each stream that heads name."""
        for head in heads:
            for stream, seq, digest in head.statement.streams:
                self._lines[seq, digest] = SignedLine(stream, seq, head.statement.at)
                self._named.setdefault(stream, []).append(seq)
        self.found: SignedLine | None = None
        """The last line seen that was signed."""

    def see(self, seq: int, digest: str) -> None:
        self.found = self._lines.get((seq, digest), self.found)

    @property
    def signed(self) -> tuple[int | None, int | None]:
        """The last line seen that was signed, and when."""
        return (self.found.seq, self.found.at) if self.found is not None else (None, None)

    def verdict(self, rows: int, stream: str, *, goes_on: bool = False) -> tuple[str, str | None]:
        """What to say of a history of so many rows, and what is wrong, if anything.

        It says itself which stream it is, or where it is a table's, with what the names of all its openings begin:
        where the heads name none of these, they say nothing about it. A table that was opened a moment ago is not
        forged; but nor is it proved, and who has asked for a proof (`found`) has none.

        Where it `goes_on` by its own word, as that of a running table does, rows that heads name beyond it are not
        missed; but it is told how far it goes, so that nobody takes it for the whole.
        """
        if (fault := self._fault(rows, stream, rows if goes_on else None)) is not None:
            return INCONSISTENT, fault
        if self.found is None:
            return NOT_YET, None
        verdict = SIGNED if self.found.seq == rows else f"{SIGNED} up to row {self.found.seq} of {rows}"
        last = max(self._named[self.found.stream])
        return (f"{verdict}; it goes on, to row {last} at least" if last > rows else verdict), None

    def _fault(self, rows: int, stream: str, until: int | None) -> str | None:
        if self._forged is not None:
            return self._forged
        if self.found is None:
            its = (name for name in self._named if name == stream or (stream.endswith("/") and name.startswith(stream)))
            named = any(self._last(name, until) is not None for name in its)
            return "no signed head names a line of this history, and they name others of it" if named else None
        signed = self._last(self.found.stream, until)
        assert signed is not None
        if signed > rows:
            return f"rows are missing: the house has signed row {signed} of {self.found.stream}"
        if signed > self.found.seq:
            return f"row {signed} is not the one that the house has signed in {self.found.stream}"
        return None

    def _last(self, stream: str, until: int | None) -> int | None:
        """The last row of a stream that a head names, up to one."""
        return max((seq for seq in self._named[stream] if until is None or seq <= until), default=None)
