"""A round of an exported history, opened again without a house: from the file, and from what the house has signed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from crossfelt.problems import BadInput, Problem
from crossfelt.proof.case import Case, RowsChecked, Signed, case_of, identify
from crossfelt.proof.heads import Head, VerifyingKey, faults
from crossfelt.proof.history import Broken, History, read_history
from crossfelt.proof.reopening import Standing, reopen
from crossfelt.table.events import Event

UNASKED = "nobody: no key and no signed heads were given"
UNSIGNED = "nobody yet: no signed head names a row from this round on"


def read_case(
    path: Path, number: int, seat: int | None = None, heads: Sequence[Head] = (), key: VerifyingKey | None = None
) -> Case:
    """The case of a round; BadInput where it is not over in this history."""
    with read_history(path) as history:
        return _Reading(history).case(number, seat, heads, key)


class _Reading:
    """Goes through a history once, and remembers the hash of every row."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._hashes = {0: history.head}
        self._broken = ""

    def case(self, number: int, seat: int | None, heads: Sequence[Head], key: VerifyingKey | None) -> Case:
        history = self._history
        rows = self._rows()
        reopened = reopen(Standing(history.header), number, rows)
        if reopened is None:
            what = "no such round is over in this history"
            raise BadInput(Problem(code="round.unknown", what=what, where="--round", value=number))
        with suppress(Broken):
            deque(rows, maxlen=0)  # what comes after it is checked too
        stream, signed, wrong = self._signed(reopened.last, heads, key)
        checked = RowsChecked(
            stream=stream or f"table {history.header.table}",
            first=reopened.first,
            last=reopened.last,
            before=self._hashes[reopened.first - 1],
            hash=self._hashes.get(reopened.last, ""),
            finding=self._broken or wrong,
            signed=signed,
            unsigned="" if signed else UNASKED if key is None else UNSIGNED,
        )
        opening = int(stream.rpartition("/")[2]) if stream else None
        identity = identify(reopened, history.header.table, history.header.crossfelt, opening)
        return case_of(reopened, identity, checked, seat)

    def _rows(self) -> Iterator[tuple[int, tuple[Event, ...]]]:
        """The rows, up to the first that is not what was written."""
        try:
            for row in self._history:
                self._hashes[row.seq] = row.hash
                yield row.seq, row.events
        except Broken as broken:
            self._broken = f"line {broken.line}: {msgspec.structs.replace(broken.problems[0], where='')}"
            raise

    def _signed(self, last: int, heads: Sequence[Head], key: VerifyingKey | None) -> tuple[str, Signed | None, str]:
        """The stream by its name, the first head that speaks for the round, and what is wrong with what was signed."""
        if key is None:
            return "", None, ""
        wrong = next((what for _, what in faults(heads, key)), "")
        stream, found = "", None
        for head in heads:
            for name, seq, digest in head.statement.streams:
                if not name.startswith(f"table/{self._history.header.table}/") or self._hashes.get(seq) != digest:
                    continue
                stream = name
                if seq >= last and found is None:
                    found = Signed(head=head.statement.number, at=head.statement.at, row=seq, key=key.text)
        for head in heads:
            for name, seq, digest in head.statement.streams:
                if name == stream and self._hashes.get(seq, digest) != digest:
                    wrong = wrong or f"row {seq} is not the one that head {head.statement.number} names"
        return stream, found, wrong
