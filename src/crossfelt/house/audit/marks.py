"""Which lines of a stream were signed: a table that is always at play has thousands of them a day."""

from __future__ import annotations

from array import array
from typing import Final

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
