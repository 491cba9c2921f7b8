"""`crossfelt merge`: combine shards that were computed separately."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from crossfelt.analysis.sweep.api import require_figures
from crossfelt.analysis.sweep.files import read_parts
from crossfelt.cli.commands.simulate import REPLAYED, confidence_problems, print_simulation
from crossfelt.cli.options import AsJson, Confidence, Force, argument, option
from crossfelt.cli.output import message, unreadable
from crossfelt.cli.render.sweep import (
    Highest,
    Permitted,
    Rank,
    RankingOptions,
    Show,
    Top,
    Where,
    print_ranking,
    read_wanted,
)
from crossfelt.errors import BadInput, require_none
from crossfelt.rulebooks.game import Game


def merge_command(
    files: Annotated[list[Path], argument("FILE", "Shards written with `--shard N/OF --out FILE`.")],
    confidence: Confidence = 95.0,
    where: Where = None,
    rank: Rank = "",
    highest: Highest = False,
    permitted: Permitted = False,
    show: Show = None,
    top: Top = None,
    out: Annotated[Path | None, option("FILE", "Write the ranking of a sweep as .json, .csv or .parquet.")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Combine the shards of a simulation or a sweep. Exits with 1 if shards are missing.

    The result is that of a single run. --confidence applies to simulations, the ranking options to sweeps.
    """
    from crossfelt.analysis.simulation.shards import SIMULATION

    started = perf_counter()
    require_none(confidence_problems(confidence))
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
        raise unreadable(path, error) from None


def _simulation(files: list[Path], confidence: float, wanted: RankingOptions, started: float) -> None:
    from crossfelt.analysis.simulation.referee import require_same_at_table
    from crossfelt.analysis.simulation.shards import read_shares

    if wanted.figures or wanted.top or wanted.out:
        what = "a simulation cannot be ranked; leave out the ranking options and --out"
        raise BadInput.at(str(files[0]), "merge.option", what, allowed="--confidence, --json")
    asked, tally, missing, again = read_shares(files)
    _report_duplicates(again)
    game = Game.from_data(asked.game, where=str(files[0]))
    check = require_same_at_table(game, asked.plan, REPLAYED, asked.rounds)
    print_simulation(game, asked.plan, tally, confidence, check=check, as_json=wanted.as_json, started=started)
    if missing:
        message(f"{len(missing):,} shards are missing, the first is number {missing[0]:,}; add their files")
        raise typer.Exit(1)


def _report_duplicates(files: list[Path]) -> None:
    for file in files:
        message(f"{file}: repeats earlier files; it is counted once")


def _sweep(files: list[Path], wanted: RankingOptions, started: float) -> None:
    asked, rows, again = read_parts(files)
    _report_duplicates(again)
    require_figures(wanted.figures, dict.fromkeys(name for row in rows for name in row.figures))
    print_ranking(asked, wanted, rows, perf_counter() - started)
    if len(rows) < asked.count:
        message(f"{asked.count - len(rows):,} of {asked.count:,} combinations are missing; add the other shards")
        raise typer.Exit(1)
