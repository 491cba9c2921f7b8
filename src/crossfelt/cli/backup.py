"""`crossfelt backup` and `crossfelt restore`."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer

from crossfelt.cli.house import Data, Database, Settings, answering, place_of
from crossfelt.cli.output import message
from crossfelt.house.audit.checking import Checked, Checker
from crossfelt.house.audit.events import HouseRestored
from crossfelt.house.audit.journal import Journal
from crossfelt.house.audit.keys import house_key
from crossfelt.house.store.backup import back_up
from crossfelt.house.store.opening import open_store
from crossfelt.house.store.restoring import Restored
from crossfelt.house.store.restoring import restore as restore_backup

EXIT_UNSOUND = 1


def backup(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")],
    data: Data = None,
    database: Database = None,
    config: Settings = None,
) -> None:
    """Copy everything a house keeps into one file; it may be running.

    The file holds password hashes and the key of the house: keep it as you keep the house.
    """
    count = back_up(*place_of(data, database, config), out)
    message(f"{out}: {count:,} rows, {out.stat().st_size:,} bytes")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `crossfelt backup` wrote.")],
    data: Data = None,
    database: Database = None,
    config: Settings = None,
) -> None:
    """Make a house from a backup, in an empty directory or database, and check everything in it."""
    directory, address = place_of(data, database, config)
    restored = restore_backup(file, directory, address)
    with answering(directory, address):
        checked = asyncio.run(_check(directory, address, restored))
    looked_at = f"{checked.streams:,} streams, {checked.lines:,} lines, {checked.heads:,} heads"
    message(f"{directory}: {restored.rows:,} rows; {looked_at}")
    for finding in checked.findings:
        message(f"{directory}: {finding}")
    if not checked.sound:
        raise typer.Exit(EXIT_UNSOUND)


async def _check(data: Path, database: str | None, restored: Restored) -> Checked:
    """Notes in the house's own journal where it comes from, and looks at everything."""
    store = open_store(data, database)
    try:
        now = int(time.time() * 1000)
        note = HouseRestored(by="house", at=now, house=restored.house, backed_up_at=restored.at)
        await Journal(store).note(note)
        return await Checker(store, house_key(data).public).everything()
    finally:
        await store.close()
