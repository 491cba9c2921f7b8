"""`crossfelt owner`: for an owner who cannot log in."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from crossfelt.cli.house import Data, Database, Settings, answering, place_of
from crossfelt.cli.output import message
from crossfelt.house.accounts.accounts import Accounts
from crossfelt.house.audit.journal import HOUSE, Journal
from crossfelt.house.audit.keys import PRIVATE
from crossfelt.house.clock import SteadyClock
from crossfelt.house.store.opening import open_reader, open_store
from crossfelt.house.store.reading import Reader
from crossfelt.problems import BadInput, Problem


def owner(data: Data = None, database: Database = None, config: Settings = None) -> None:
    """Make a one-time password for the owner of a house who cannot log in.

    A house that keeps its data in DIR must be stopped; with a PostgreSQL database it may be running. Sessions of the
    owner end, and it is noted in the journal of the house.
    """
    directory, address = place_of(data, database, config)
    if not os.path.isfile(directory / PRIVATE):
        raise BadInput(Problem(code="store.none", what="no house keeps its data here", where=str(directory)))
    with answering(directory, address):
        if address is not None:
            asyncio.run(_look(open_reader(directory, address)))
        password = asyncio.run(_readmit(directory, address))
    message(f"Log in once as owner with this password, and set your own: {password}")


async def _look(reader: Reader) -> None:
    """A database where no house is cannot be read; to open it would make one. In a directory none is made beside a key,
    and SQLite that may only read would leave a log there which cannot be written either."""
    try:
        await reader.head(HOUSE)
    finally:
        await reader.close()


async def _readmit(data: Path, database: str | None) -> str:
    store, clock = open_store(data, database), SteadyClock()
    try:
        clock.begin_after(await store.last_time())  # a house that runs goes by it, and forgets what is older
        return await Accounts(store, Journal(store), clock=clock).readmit_owner()
    finally:
        await store.close()
