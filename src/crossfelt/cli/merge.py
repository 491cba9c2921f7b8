"""`crossfelt merge`: shares that were worked out apart, put together as if it had been done in one place."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from crossfelt.cli.asking import AsJson
from crossfelt.cli.output import message
from crossfelt.cli.sweep_telling import Force, Highest, Rank, Show, Top, Where, read_wanted, tell


def merge_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="What `--shard N/OF --out FILE` wrote.")],
    where: Where = None,
    rank: Rank = "",
    highest: Highest = False,
    show: Show = None,
    top: Top = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the ranking as .json, .csv or .parquet.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Put shares of a sweep together; exits 1 where some are missing."""
    from crossfelt.analysis.sweeping.file import read_parts

    started = perf_counter()
    wanted = read_wanted(where, rank, highest, show, top, out, force, as_json)
    asked, rows = read_parts(files)
    wanted.ranking.require(rows, wanted.show)
    tell(asked, wanted, rows, perf_counter() - started)
    if len(rows) < asked.count:
        message(f"{asked.count - len(rows):,} of {asked.count:,} combinations are missing")
        raise typer.Exit(1)
