"""The proof of one round: its rows are intact, and a signed head covers them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from crossfelt.errors import BadInput
from crossfelt.proof.dispute import RowsChecked, Signed
from crossfelt.proof.signed_heads import Head as SignedStatement
from crossfelt.proof.signed_heads import VerifyingKey, decode_head
from crossfelt.server.audit.integrity import MISSING, NOT_SIGNED, PAGE, line_fault
from crossfelt.server.store.interface import Head, SignedHead, Stored
from crossfelt.server.store.reader import Reader

HEADS: Final = 200
EARLIER_MS: Final = 10 * 60 * 1000
"""The search for a head begins this long before the end of the round: the clocks of two processes differ."""
NOT_YET: Final = "not signed yet: the server signs every few seconds"


async def check_rows(store: Reader, key: VerifyingKey, stream: str, first: int, last: int, at: int) -> RowsChecked:
    """Check the rows of a round that ended at a time, and find the first signed head that covers its last row."""
    lines = await store.rows(stream, first - 2, last - first + 2)
    finding = _first_fault(lines) or ("" if len(lines) == last - first + 2 else "lines are missing")
    signed, unsigned = None, NOT_YET
    if (head := await _head(store, stream, last, at)) is not None:
        number = head.statement.number
        row, digest = next((seq, digest) for name, seq, digest in head.statement.streams if name == stream)
        if not finding and not key.fits(head):
            finding = f"head {number} was not signed with the key of this server"
        finding = finding or await _fault_up_to(store, lines[-1], row, digest, number)
        signed = None if finding else Signed(head=number, at=head.statement.at, row=row, key=key.text)
        unsigned = "the record is broken" if finding else ""
    return RowsChecked(
        stream=stream,
        first=first,
        last=last,
        before=lines[0].hash if lines else "",
        hash=lines[-1].hash if lines else "",
        finding=finding,
        signed=signed,
        unsigned=unsigned,
    )


async def _fault_up_to(store: Reader, at: Stored, seq: int, digest: str, head: int) -> str:
    while at.seq < seq:
        page = await store.rows(at.stream, at.seq, min(PAGE, seq - at.seq))
        if not page:
            return f"{at.stream}, seq {seq}: {MISSING}"
        if fault := await asyncio.to_thread(_first_fault, [at, *page]):
            return fault
        at = page[-1]
    return "" if at.hash == digest else f"{at.stream}, seq {seq}: {NOT_SIGNED} by head {head}"


def _first_fault(lines: Sequence[Stored]) -> str:
    before: Head | None = None
    for line in lines:
        if fault := line_fault(line, before):
            return f"{line.stream}, seq {line.seq}: {fault}"
        before = Head(line.seq, line.hash)
    return ""


async def _head(store: Reader, stream: str, last: int, at: int) -> SignedStatement | None:
    """Return the first head that names the stream at this row or later."""
    after = await _heads_before(store, at - EARLIER_MS)
    while page := await store.signed_heads(after, HEADS):
        for signed in page:
            with suppress(BadInput):
                head = decode_head(signed.body)
                if any(name == stream and seq >= last for name, seq, _ in head.statement.streams):
                    return head
        after = page[-1].number
    return None


async def _heads_before(store: Reader, at: int) -> int:
    """Return the number of heads signed before a time, by binary search."""
    newest = await store.last_head()
    low, high = 0, newest.number if newest is not None else 0
    while low < high:
        middle = (low + high) // 2
        found = await store.signed_heads(middle, 1)
        if found and _signed_at(found[0]) < at:
            low = middle + 1
        else:
            high = middle
    return low


def _signed_at(signed: SignedHead) -> int:
    try:
        return decode_head(signed.body).statement.at
    except BadInput:
        return 0
