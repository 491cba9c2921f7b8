"""Signs the heads of all streams every few seconds, and keeps a copy outside the data directory."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from crossfelt.house.audit.keys import PRIVATE
from crossfelt.house.store.port import Lease, SignedHead, StreamHead
from crossfelt.house.store.sql import SqlStore
from crossfelt.problems import BadInput, Problem
from crossfelt.proof.canonical import sha256
from crossfelt.proof.heads import BLOCK, SigningKey, Statement, last_head_in

LEASE: Final = "heads"
EVERY_SECONDS: Final = 5.0
HEADS: Final = 1000
"""Heads that are copied at once: all of them, where the copy was lost."""
_LEASE_SECONDS: Final = 2 * EVERY_SECONDS
"""Who signs next after a process that was killed waits for so long."""
_OPENING_SECONDS: Final = 60.0
"""What a start may take to check what was written since the last head, before it signs."""
_LOG: Final = logging.getLogger("crossfelt.audit")


def outside_file(house: str) -> Path:
    """Where heads are kept unless the house is told otherwise: not where its data are."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "crossfelt" / f"{house}.heads.jsonl"


class Signer:
    """One process of a house signs at a time: the one that has the lease."""

    def __init__(self, store: SqlStore, key: SigningKey, outside: Path | None, holder: str) -> None:
        self._store = store
        self._key = key
        self._outside = outside
        self._holder = holder
        self._lease: Lease | None = None
        self._claimed = False
        self._told = False
        """Whether it was said that another key signs."""
        self._copied: int | None = None
        """The number of the last head outside; None until that was looked up."""

    async def claim(self) -> None:
        """Processes of one house sign with one key: what two have signed in turn could be checked with neither. Where
        none runs, a key that was lost may be followed by another."""
        self._lease, key = await self._claim(_OPENING_SECONDS, anew=True)
        if key != self._key.public.text:
            what, allowed = "another process of this house signs with another key", "the same: share the data directory"
            raise BadInput(Problem(code="key.other", what=what, where=PRIVATE, allowed=allowed))

    async def sign_on(self) -> None:
        """What a house does every few seconds. Where no copy can be made, or what is there is none, it is told of each
        time, and the store has them signed all the same."""
        try:
            await self.sign()
        except (OSError, BadInput) as error:
            _LOG.error("heads were not copied: %s", error)

    async def sign(self) -> SignedHead | None:
        """Signs what has moved; None where nothing has, or another process signs."""
        lease = await self._held()
        if lease is None:
            return None
        signed = await self._store.sign(self._statement, lease)
        await self.catch_up()
        return signed

    async def release(self) -> None:
        """The lease back, for whoever signs next."""
        if self._lease is not None:
            await self._store.release(self._lease)
            self._lease = None

    async def catch_up(self) -> None:
        """Copies outside what was signed and not copied, by this process or one that was killed in between."""
        if self._outside is None:
            return
        if self._copied is None:
            await asyncio.to_thread(_take_away_half_a_line, self._outside)
            last = await asyncio.to_thread(last_head_in, self._outside)
            self._copied = last.statement.number if last is not None else 0
        while missing := await self._store.signed_heads(after=self._copied, limit=HEADS):
            await asyncio.to_thread(_append, self._outside, [head.body for head in missing])
            self._copied = missing[-1].number

    async def _held(self) -> Lease | None:
        if self._lease is not None:
            (self._lease,) = await self._store.renew([self._lease], _LEASE_SECONDS)
        if self._lease is None:
            self._lease, key = await self._claim(_LEASE_SECONDS, anew=not self._claimed)
            self._tell_of(key)
        return self._lease

    async def _claim(self, seconds: float, *, anew: bool) -> tuple[Lease | None, str]:
        """Takes the lease if it is free. Who runs takes over from nobody with another key: that process has started
        since, while this one stood still, and is the house now."""
        claimed = await self._store.claim(LEASE, self._holder, seconds, self._key.public.text, anew=anew)
        self._claimed = True
        return claimed

    def _tell_of(self, key: str) -> None:
        other = key != self._key.public.text
        if other and not self._told:
            _LOG.error("nothing is signed here any more: a process with another key has begun to sign for this house")
        self._told = other

    def _statement(self, last: SignedHead | None, moved: Sequence[StreamHead]) -> bytes:
        statement = Statement(
            house=self._store.house,
            number=last.number + 1 if last is not None else 1,
            at=int(time.time() * 1000),
            previous=sha256(last.body) if last is not None else "",
            streams=tuple((head.stream, head.seq, head.hash) for head in moved),
        )
        return self._key.sign(statement).body


def _append(path: Path, bodies: Sequence[bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with path.open("ab") as file:
        file.write(b"".join(body + b"\n" for body in bodies))
        file.flush()
        os.fsync(file.fileno())


def _take_away_half_a_line(path: Path) -> None:
    """A head that a kill has cut short is written again, whole."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - BLOCK)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                file.truncate(start + found + 1)
                return
            end = start
        file.truncate(0)
