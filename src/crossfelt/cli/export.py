"""`crossfelt export`: streams and signed heads of a house, for whoever checks them elsewhere."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import IO, Annotated

import typer

from crossfelt.cli.house import Data, Database, Settings, answering, place_of
from crossfelt.cli.output import data as print_data
from crossfelt.cli.output import message
from crossfelt.files import new_private_file
from crossfelt.house.audit.export import export_heads, export_stream
from crossfelt.house.store.opening import open_reader
from crossfelt.house.store.reading import Reader
from crossfelt.problems import BadInput, Problem

HEADS = "heads"


def export(
    stream: Annotated[
        str | None, typer.Argument(metavar="[STREAM]", help="A stream, or `heads`; without it, streams are listed.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="A new file, instead of stdout.")] = None,
    data: Data = None,
    database: Database = None,
    config: Settings = None,
) -> None:
    """Copy a stream of a house, which may be running, as a history that `crossfelt verify` reads.

    A table's stream holds the order of every deck, also of the one in play: it is for auditors, after the fact. Nobody
    but you can read the file that is written.
    """
    place = place_of(data, database, config)
    with answering(*place):
        _export(open_reader(*place), stream, out)


def _export(reader: Reader, stream: str | None, out: Path | None) -> None:
    if stream is None:
        print_data(asyncio.run(_listed(reader)))
        return
    if out is None:
        asyncio.run(_write(reader, stream, sys.stdout.buffer))
        return
    try:
        with new_private_file(out) as file:
            rows = asyncio.run(_write(reader, stream, file))
    except FileExistsError:
        raise BadInput(Problem(code="file.exists", what="is there already", where=str(out))) from None
    except OSError as error:
        what = f"cannot be written: {error.strerror}"
        raise BadInput(Problem(code="file.unwritable", what=what, where=str(out))) from None
    message(f"{out}: {rows:,} {'heads' if stream == HEADS else 'rows'}")


async def _listed(reader: Reader) -> list[str]:
    try:
        return [f"{head.stream}  {head.seq:,} rows" for head in await reader.streams()]
    finally:
        await reader.close()


async def _write(reader: Reader, stream: str, file: IO[bytes]) -> int:
    try:
        if stream == HEADS:
            return await export_heads(reader, file)
        return await export_stream(reader, stream, file)
    finally:
        await reader.close()
