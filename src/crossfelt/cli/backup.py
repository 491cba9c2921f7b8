"""`crossfelt backup` and `crossfelt restore`."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer

from crossfelt.cli.output import message
from crossfelt.house.audit.checking import Checked, Checker
from crossfelt.house.audit.events import HouseRestored
from crossfelt.house.audit.journal import Journal
from crossfelt.house.audit.keys import house_key
from crossfelt.house.store.backup import back_up
from crossfelt.house.store.opening import DIRECTORY, open_store
from crossfelt.house.store.restoring import Restored
from crossfelt.house.store.restoring import restore as restore_backup

EXIT_UNSOUND = 1

Data = Annotated[Path, typer.Option("--data", metavar="DIR", help="Where the house keeps everything.")]
Database = Annotated[
    str | None, typer.Option("--database", metavar="URL", help="A PostgreSQL database instead: postgresql://…")
]


def backup(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")],
    data: Data = DIRECTORY,
    database: Database = None,
) -> None:
    """Copy everything a house keeps into one file; it may be running.

    The file holds password hashes and the key of the house: keep it as you keep the house.
    """
    count = back_up(data, database, out)
    message(f"{out}: {count:,} rows, {out.stat().st_size:,} bytes")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `crossfelt backup` wrote.")],
    data: Data = DIRECTORY,
    database: Database = None,
) -> None:
    """Make a house from a backup, in an empty directory or database, and check everything in it."""
    restored = restore_backup(file, data, database)
    checked = asyncio.run(_check(data, database, restored))
    message(
        f"{data}: {restored.rows:,} rows; {checked.streams:,} streams, {checked.lines:,} lines, {checked.heads:,} heads"
    )
    for finding in checked.findings:
        message(f"{data}: {finding}")
    if not checked.sound:
        raise typer.Exit(EXIT_UNSOUND)


async def _check(data: Path, database: str | None, restored: Restored) -> Checked:
    """Looks at everything, and notes in the house's own journal where it comes from."""
    store = open_store(data, database)
    try:
        checked = await Checker(store, house_key(data).public).everything()
        now = int(time.time() * 1000)
        note = HouseRestored(by="house", at=now, house=restored.house, backed_up_at=restored.at)
        await Journal(store).note(note)
        return checked
    finally:
        await store.close()
