"""`crossfelt backup`, `restore`, `export` and `owner`: work on the stored data of a server."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import IO, Annotated

from crossfelt._util.atomic_files import new_private_file
from crossfelt.cli.options import Data, Database, Settings, answering, argument, option, place_of
from crossfelt.cli.output import data as print_data
from crossfelt.cli.output import message, require_sound, unwritable
from crossfelt.errors import BadInput
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.audit.export import export_heads, export_stream
from crossfelt.server.audit.integrity import IntegrityChecker, IntegrityReport
from crossfelt.server.journal.events import ServerRestored
from crossfelt.server.journal.stream import JOURNAL_STREAM, Journal
from crossfelt.server.runtime.clock import SteadyClock
from crossfelt.server.store.backup import BackupHeader, back_up
from crossfelt.server.store.backup import restore as restore_backup
from crossfelt.server.store.factory import open_reader, open_store
from crossfelt.server.store.reader import Reader
from crossfelt.server.store.signing_key import PRIVATE, signing_key

HEADS = "heads"


def backup(
    out: Annotated[Path, option("FILE", "Backup file to write.")],
    data: Data = None,
    database: Database = None,
    config: Settings = None,
) -> None:
    """Back up all data of a server into one file. The server may be running.

    The file contains password hashes and the server's signing key. Protect it as you protect the server.
    """
    count = back_up(*place_of(data, database, config), out)
    message(f"{out}: {count:,} rows, {out.stat().st_size:,} bytes")


def restore(
    file: Annotated[Path, argument("FILE", "Backup written by `crossfelt backup`.")],
    data: Data = None,
    database: Database = None,
    config: Settings = None,
) -> None:
    """Restore a server's data from a backup into an empty directory or database, then check it.

    Exits with 1 if the check finds a fault.
    """
    directory, address = place_of(data, database, config)
    header, rows = restore_backup(file, directory, address)
    with answering(directory, address):
        checked = asyncio.run(_check(directory, address, header))
    counts = f"{checked.streams:,} streams, {checked.lines:,} lines, {checked.heads:,} signed heads checked"
    message(f"{directory}: {rows:,} rows restored; {counts}")
    for finding in checked.findings:
        message(f"{directory}: {finding}")
    require_sound(checked.sound)


async def _check(data: Path, database: str | None, header: BackupHeader) -> IntegrityReport:
    """Record the restore in the journal, then check every stream."""
    now = int(time.time() * 1000)
    note = ServerRestored(by="server", at=now, server_id=header.server_id, backed_up_at=header.at)
    async with open_store(data, database) as store:
        await Journal(store).note(note)
        return await IntegrityChecker(store, signing_key(data).public).everything()


def export(
    stream: Annotated[
        str | None, argument("STREAM", "Stream to export, or `heads`. Without it, the streams are listed.")
    ] = None,
    out: Annotated[Path | None, option("FILE", "New file; default: stdout.")] = None,
    data: Data = None,
    database: Database = None,
    config: Settings = None,
) -> None:
    """Export a stream of a server as a history for `crossfelt verify`. The server may be running.

    A table's stream contains the order of every deck, including the deck in play. Give it only to auditors, after
    play. The file is readable by your user alone.
    """
    place = place_of(data, database, config)
    with answering(*place):
        _export(open_reader(*place), stream, out)


def _export(reader: Reader, stream: str | None, out: Path | None) -> None:
    if stream is None:
        print_data(asyncio.run(_stream_list(reader)))
        return
    if out is None:
        asyncio.run(_write(reader, stream, sys.stdout.buffer))
        return
    try:
        with new_private_file(out) as file:
            rows = asyncio.run(_write(reader, stream, file))
    except FileExistsError:
        raise BadInput.at(str(out), "file.exists", "file exists; use another name") from None
    except OSError as error:
        raise unwritable(out, error.strerror or str(error)) from None
    message(f"{out}: {rows:,} {'heads' if stream == HEADS else 'rows'}")


async def _stream_list(reader: Reader) -> list[str]:
    async with reader:
        return [f"{head.stream}  {head.seq:,} rows" for head in await reader.streams()]


async def _write(reader: Reader, stream: str, file: IO[bytes]) -> int:
    async with reader:
        return await (export_heads(reader, file) if stream == HEADS else export_stream(reader, stream, file))


def owner(data: Data = None, database: Database = None, config: Settings = None) -> None:
    """Create a one-time password for an owner who cannot log in.

    Stop a server that keeps its data in DIR first. A server with a PostgreSQL database may keep running. The owner's
    sessions end, and the journal records the new password.
    """
    directory, address = place_of(data, database, config)
    if not os.path.isfile(directory / PRIVATE):
        what = "no data of a server in this directory; name its directory with --data"
        raise BadInput.at(str(directory), "store.none", what)
    with answering(directory, address):
        if address is not None:
            asyncio.run(_require_journal(open_reader(directory, address)))
        password = asyncio.run(_readmit(directory, address))
    message(f"Log in as owner with this one-time password, then set your own: {password}")


async def _require_journal(reader: Reader) -> None:
    """Refuse a database without a server's data; opening it for writing would create the tables.

    A data directory needs no such check, since it has a signing key. A read-only SQLite connection would also leave a
    log file behind that cannot be written.
    """
    async with reader:
        await reader.head(JOURNAL_STREAM)


async def _readmit(data: Path, database: str | None) -> str:
    clock = SteadyClock()
    async with open_store(data, database) as store:
        # A running server uses this clock too, and drops sessions that are older than its last row.
        clock.begin_after(await store.last_time())
        return await Accounts(store, Journal(store), clock=clock).readmit_owner()
