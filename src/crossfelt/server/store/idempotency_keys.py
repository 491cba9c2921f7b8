"""Requests that are carried out once: the client names each by a key, and may send it again.

The key is stored in the same commit as the first lines that the request appends. So the store knows a request that took
effect before the server was killed, even if its answer was lost.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

import msgspec

from crossfelt.server.store.interface import Record
from crossfelt.server.store.transaction import Transaction

KIND: Final = "request"
LASTS_MS: Final = 24 * 3600 * 1000
"""A key is known for a day."""


class StoredAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The stored answer to a request, and the hash that recognizes the request."""

    digest: str
    """The hash of its method, path and body."""
    status: int = 0
    """The status of its answer; 0 if the answer was never sent."""
    content_type: str = ""
    body: bytes = b""


class RequestKey(msgspec.Struct, kw_only=True):
    """The key of the request that is being carried out."""

    key: str
    digest: str
    now: int
    claimed: bool = False
    """True once lines of this request are durable."""

    def record(self, answer: StoredAnswer) -> Record:
        return Record(kind=KIND, key=self.key, body=msgspec.msgpack.encode(answer), until=self.now + LASTS_MS)


class CarriedOut(Exception):
    """The request was carried out before, and its answer is not known."""


CURRENT: Final[ContextVar[RequestKey | None]] = ContextVar("request key", default=None)


def claim(transaction: Transaction, request: RequestKey) -> None:
    """Store the key beside the lines of its request; raise `CarriedOut` if it is stored already."""
    if not request.claimed:
        if transaction.record(KIND, request.key) is not None:
            raise CarriedOut
        transaction.put(request.record(StoredAnswer(digest=request.digest)))
