"""The proof of one round: its rows are intact, and a signed head covers them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from crossfelt.errors import BadInput
from crossfelt.proof.dispute import RowsChecked, Signed
from crossfelt.proof.signed_heads import Head as SignedStatement
from crossfelt.proof.signed_heads import VerifyingKey, decode_head
from crossfelt.server.audit.integrity import PAGE, SignedLines, StreamCheck
from crossfelt.server.store.interface import SignedHead, StreamHead
from crossfelt.server.store.reader import Reader

HEADS: Final = 200
EARLIER_MS: Final = 10 * 60 * 1000
"""The search for a head begins this long before the end of the round: the clocks of two processes differ."""
NOT_YET: Final = "not signed yet: the server signs every few seconds"


async def check_rows(store: Reader, key: VerifyingKey, stream: str, first: int, last: int, at: int) -> RowsChecked:
    """Check the rows of a round that ended at a time, and find the first signed head that covers its last row."""
    page = lines = await store.rows(stream, first - 2, last - first + 2)
    end, signed_lines = StreamHead(stream, last, lines[-1].hash if lines else ""), SignedLines()
    if (head := await _head(store, stream, last, at)) is not None:
        end = next(StreamHead(*named) for named in head.statement.streams if named[0] == stream)
    signed_lines.add(end.seq, end.hash)
    check = StreamCheck(end, signed_lines, from_start=False)
    while page and not check.done:
        await asyncio.to_thread(check.check, page)
        left = end.seq - page[-1].seq
        page = await store.rows(stream, page[-1].seq, min(PAGE, left)) if left > 0 else []
    whole = [line.seq for line in lines] == list(range(first - 1, last + 1))
    finding = str(next(iter(check.findings()), "")) if whole else "lines are missing"
    signed, unsigned = None, NOT_YET
    if head is not None:
        number = head.statement.number
        if not finding and not key.fits(head):
            finding = f"head {number} was not signed with the key of this server"
        signed = None if finding else Signed(head=number, at=head.statement.at, row=end.seq, key=key.text)
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
