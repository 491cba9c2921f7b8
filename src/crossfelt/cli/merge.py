"""`crossfelt merge`: shares that were worked out apart, put together as if it had been done in one place."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from crossfelt.cli.asking import AsJson
from crossfelt.cli.output import message
from crossfelt.cli.simulate import require_confidence, tell_simulation
from crossfelt.cli.sweep_telling import Force, Highest, Permitted, Rank, Show, Top, Wanted, Where, read_wanted, tell
from crossfelt.problems import BadInput, Problem


def merge_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="What `--shard N/OF --out FILE` wrote.")],
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="P", help="Of a simulation's intervals, in percent.")
    ] = 95.0,
    where: Where = None,
    rank: Rank = "",
    highest: Highest = False,
    permitted: Permitted = False,
    show: Show = None,
    top: Top = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write a ranking as .json, .csv or .parquet.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Put shares of a simulation or of a sweep together; exits 1 where some are missing.

    The answer is the one that a single run gives. All options but the confidence are those of a sweep.
    """
    from crossfelt.analysis.simulation.sharing import SIMULATION

    started = perf_counter()
    require_confidence(confidence)
    wanted = read_wanted(where, rank, highest, permitted, show, top, out, force, as_json)
    if SIMULATION.begins(_start(files[0])):
        _simulation(files, confidence, wanted, started)
    else:
        _sweep(files, wanted, started)


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(100)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise BadInput(Problem(code="file.unreadable", where=str(path), what=what)) from None


def _simulation(files: list[Path], confidence: float, wanted: Wanted, started: float) -> None:
    from crossfelt.analysis.simulation.sharing import read_shares
    from crossfelt.rulebooks.game import Game

    if wanted.figures or wanted.top or wanted.out:
        what, allowed = "these are shares of a simulation, which is not ranked", "--confidence, --json"
        raise BadInput(Problem(code="merge.option", where=str(files[0]), what=what, allowed=allowed))
    asked, tally, missing, again = read_shares(files)
    _tell_again(again)
    game = Game.from_data(asked.game, where=str(files[0]))
    tell_simulation(game, asked.plan, tally, confidence, check=0, as_json=wanted.as_json, started=started)
    if missing:
        message(f"shares that are missing: {len(missing):,}, the first is number {missing[0]:,}")
        raise typer.Exit(1)


def _tell_again(files: list[Path]) -> None:
    for file in files:
        message(f"{file}: nothing in it that is not in the files before; it is counted once")


def _sweep(files: list[Path], wanted: Wanted, started: float) -> None:
    from crossfelt.analysis.sweeping.file import read_parts
    from crossfelt.analysis.sweeping.sweeping import require_figures

    asked, rows, again = read_parts(files)
    _tell_again(again)
    require_figures(wanted.figures, dict.fromkeys(name for row in rows for name in row.figures))
    tell(asked, wanted, rows, perf_counter() - started)
    if len(rows) < asked.count:
        message(f"{asked.count - len(rows):,} of {asked.count:,} combinations are missing")
        raise typer.Exit(1)
