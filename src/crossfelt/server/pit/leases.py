"""Leases of tables: one process owns a table at a time.

A holder is written as `TOKEN URL`: a token of the process, and the URL at which other processes find it, if it has one.
"""

from __future__ import annotations

from crossfelt.server.store.interface import Lease
from crossfelt.server.store.sql_store import Store

PREFIX = "table/"


class TableLeases:
    """The leases that this process holds, by table."""

    def __init__(self, store: Store, holder: str, seconds: float) -> None:
        self.held: dict[str, Lease] = {}
        self._store = store
        self._holder = holder
        self._seconds = seconds

    async def acquire(self, table: str) -> Lease | None:
        """Return a lease of a table; None if another process holds it."""
        return await self._store.lease(PREFIX + table, self._holder, self._seconds)

    async def renew(self) -> list[str]:
        """Renew all leases; return the tables that another process has taken over."""
        held = dict(self.held)
        kept = await self._store.renew(held.values(), self._seconds)
        # A lease may have been released or acquired again meanwhile.
        lost = [table for table, lease in held.items() if lease not in kept and self.held.get(table) == lease]
        for table in lost:
            del self.held[table]
        return lost

    async def release(self, table: str) -> None:
        if (lease := self.held.pop(table, None)) is not None:
            await self._store.release(lease)

    async def tables_of_others(self) -> set[str]:
        """Return the tables that other processes own."""
        leases = await self._store.leases()
        return {lease.name.removeprefix(PREFIX) for lease in leases if lease.holder != self._holder}

    async def owner_url(self, table: str) -> str | None:
        """Return the URL of the other process that owns a table; None if there is none."""
        lease = await self._store.leaseholder(PREFIX + table)
        return None if lease is None else self._url(lease)

    async def other_urls(self) -> set[str]:
        """Return the URLs of the other processes that own tables."""
        return {url for lease in await self._store.leases() if (url := self._url(lease)) is not None}

    def _url(self, lease: Lease) -> str | None:
        """Return the URL of another holder; None if it is this process's URL, as after a restart."""
        own, url = self._holder.partition(" ")[2], lease.holder.partition(" ")[2]
        return None if url == own else url or None
