"""The proof of one round: its rows are intact, and a signed head covers them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from crossfelt.errors import BadInput
from crossfelt.proof.dispute import RowsChecked, Signed
from crossfelt.proof.signed_heads import Head as SignedStatement
from crossfelt.proof.signed_heads import VerifyingKey, decode_head
from crossfelt.server.audit.integrity import MISSING, PAGE, line_fault
from crossfelt.server.store.interface import Head, Stored
from crossfelt.server.store.reader import Reader

HEADS: Final = 200
EARLIER_MS: Final = 10 * 60 * 1000
"""The search for a head begins this long before the end of the round: the clocks of two processes differ."""
NOT_YET: Final = "not signed yet: the server signs every few seconds"


class Attestation:
    """Checks the rows of a round against the signed heads."""

    def __init__(self, store: Reader, key: VerifyingKey) -> None:
        self._store = store
        self._key = key

    async def rows_of(self, stream: str, first: int, last: int, at: int) -> RowsChecked:
        """Check the rows of a round that ended at a time, and find the first signed head that covers its last row."""
        lines = await self._store.rows(stream, first - 2, last - first + 2)
        finding = _first_fault(lines) or ("" if len(lines) == last - first + 2 else "lines are missing")
        checked = RowsChecked(
            stream=stream,
            first=first,
            last=last,
            before=lines[0].hash if lines else "",
            hash=lines[-1].hash if lines else "",
            finding=finding,
        )
        head = await self._head(stream, last, at)
        if head is None:
            return replace(checked, unsigned=NOT_YET)
        named = next(named for named in head.statement.streams if named[0] == stream)
        finding = finding or await self._fault_up_to(lines[-1], named[1], named[2], head)
        signed = Signed(head=head.statement.number, at=head.statement.at, row=named[1], key=self._key.text)
        return replace(
            checked,
            finding=finding,
            signed=None if finding else signed,
            unsigned="the record is broken" if finding else "",
        )

    async def _fault_up_to(self, line: Stored, seq: int, digest: str, head: SignedStatement) -> str:
        """Return the first fault between the last row of the round and the row that the head names."""
        if not self._key.fits(head):
            return f"head {head.statement.number} was not signed with the key of this server"
        at = line
        while at.seq < seq:
            page = await self._store.rows(line.stream, at.seq, min(PAGE, seq - at.seq))
            if not page:
                return f"{line.stream}, seq {seq}: {MISSING}"
            if fault := await asyncio.to_thread(_first_fault, [at, *page]):
                return fault
            at = page[-1]
        if at.hash != digest:
            return f"{line.stream}, seq {seq}: is not the line that was signed by head {head.statement.number}"
        return ""

    async def _head(self, stream: str, last: int, at: int) -> SignedStatement | None:
        """Return the first head that names the stream at this row or later."""
        after = await self._heads_before(at - EARLIER_MS)
        while page := await self._store.signed_heads(after, HEADS):
            for signed in page:
                try:
                    head = decode_head(signed.body)
                except BadInput:
                    continue
                if any(name == stream and seq >= last for name, seq, _ in head.statement.streams):
                    return head
            after = page[-1].number
        return None

    async def _heads_before(self, at: int) -> int:
        """Return the number of heads signed before a time, by binary search."""
        newest = await self._store.last_head()
        low, high = 0, newest.number if newest is not None else 0
        while low < high:
            middle = (low + high) // 2
            found = await self._store.signed_heads(middle, 1)
            if found and _at(found[0].body) < at:
                low = middle + 1
            else:
                high = middle
        return low


def _at(body: bytes) -> int:
    try:
        return decode_head(body).statement.at
    except BadInput:
        return 0


def _first_fault(lines: Sequence[Stored]) -> str:
    before: Head | None = None
    for line in lines:
        if fault := line_fault(line, before):
            return f"{line.stream}, seq {line.seq}: {fault}"
        before = Head(line.seq, line.hash)
    return ""
