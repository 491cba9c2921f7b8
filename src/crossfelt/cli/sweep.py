"""`crossfelt sweep`: many sets of rules solved exactly, and ranked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Final

import typer

from crossfelt.analysis.simulation.shares import WHOLE, Share, share_named
from crossfelt.cli.asking import AsJson, Which, Workers, read_submission, worker_problems
from crossfelt.cli.clusters import Cluster, Shard, on_cluster
from crossfelt.cli.output import data, message
from crossfelt.cli.progress import progress, until_interrupted
from crossfelt.cli.sweep_telling import (
    Force,
    Highest,
    Permitted,
    Rank,
    Show,
    Top,
    Wanted,
    Where,
    problem,
    read_wanted,
    tell,
)
from crossfelt.cli.writing import require_writable
from crossfelt.kernels.threads import processors, share_of
from crossfelt.problems import BadInput
from crossfelt.rulebooks import loading
from crossfelt.rulebooks.model import Rulebook

if TYPE_CHECKING:
    from crossfelt.analysis.runners import Runner
    from crossfelt.analysis.sweeping.asked import Submission
    from crossfelt.analysis.sweeping.row import Row
    from crossfelt.analysis.sweeping.running import Begun
    from crossfelt.analysis.sweeping.variants import Variants

SAVE_EVERY_SECONDS: Final = 2.0


Pay = Annotated[
    list[str] | None,
    typer.Option("--pay", metavar="TABLE.LINE=ODDS,…", help="Odds to vary: bets.flush=6,7,8 or 5..9; repeatable."),
]
Choose = Annotated[
    list[str] | None,
    typer.Option(
        "--choose",
        metavar="PATH=VALUE,…",
        help="What a submission states: house_way=*, one slice of a wheel as wagers.bonus_spin.weights[8]=1..4.",
    ),
]
Submissions = Annotated[
    list[Path] | None,
    typer.Option("--submission", metavar="FILE", help="A Rules Submission; several are compared."),
]
Meter = Annotated[
    list[str] | None,
    typer.Option("--meter", metavar="METER=CENTS,…", help="What a meter shows, in cents; repeatable."),
]
Others = Annotated[
    str, typer.Option("--others", metavar="N,…", help="How many other players bet on a spin or a progressive.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write the ranking as .json, .csv or .parquet; or the share."),
]
State = Annotated[
    Path | None, typer.Option("--state", metavar="FILE", help="Keep what is done, and go on from it next time.")
]


def sweep_command(
    which: Which,
    pay: Pay = None,
    choose: Choose = None,
    submission: Submissions = None,
    meter: Meter = None,
    others: Others = "",
    strategy: Annotated[str, typer.Option("--strategy", metavar="NAME,…", help="Ways to play.")] = "",
    known: Annotated[str, typer.Option("--known", metavar="CARD,…", help="Cards seen before the first decision.")] = "",
    where: Where = None,
    rank: Rank = "",
    highest: Highest = False,
    permitted: Permitted = False,
    show: Show = None,
    top: Top = None,
    out: Out = None,
    force: Force = False,
    state: State = None,
    shard: Shard = "",
    workers: Workers = None,
    cluster: Cluster = "",
    figures: Annotated[bool, typer.Option("--figures", help="List the figures there are, and stop.")] = False,
    estimate: Annotated[bool, typer.Option("--estimate", help="Say how long it will take, and stop.")] = False,
    as_json: AsJson = False,
) -> None:
    """Solve every combination exactly, as `solve` would, and rank them by any figure.

    Interrupt with Ctrl-C to see what was found so far; it then exits 130, and --state goes on later.
    """
    from crossfelt.analysis.sweeping.asked import Asked
    from crossfelt.analysis.sweeping.running import begin, figure_names
    from crossfelt.analysis.sweeping.sweeping import EVERY_WAGER, wanting
    from crossfelt.analysis.sweeping.variants import Variants
    from crossfelt.cli.sweep_values import choice_axes, listed_axes, meter_axes, pay_axes

    share, file = _share(shard, state, out, workers)
    wanted = read_wanted(where, rank, highest, permitted, show, top, None if shard else out, force, as_json)
    book = loading.load(which)
    axes = [*pay_axes(pay), *choice_axes(book, choose), *meter_axes(meter), *listed_axes("others", others)]
    axes += [*listed_axes("strategy", strategy), *listed_axes("known", known)]
    asked = Asked.of(loading.as_data(book), _submissions(book, submission), tuple(axes))
    asked = wanting(asked, {EVERY_WAGER} if figures else wanted.figures)
    variants = Variants(asked)
    variants.require()
    if figures:
        data(figure_names(variants))
        return
    asked.require()
    started = perf_counter()
    numbers = range(asked.count)[share_of(asked.count, share.number - 1, share.of)]
    if estimate:
        data([_estimate(begin(variants, numbers), len(numbers), workers or processors())])
        return
    with on_cluster(cluster, workers) if cluster else nullcontext() as there:
        rows = _solved(variants, wanted, numbers, file, there or workers or processors())
    if shard:
        message(f"{out}: {len(rows):,} of {asked.count:,} combinations")
    else:
        tell(asked, wanted, rows, perf_counter() - started)
    if len(rows) < len(numbers):
        message(f"interrupted after {len(rows):,} of {len(numbers):,}")
        raise KeyboardInterrupt


def _share(shard: str, state: Path | None, out: Path | None, workers: int | None) -> tuple[Share, Path | None]:
    """Which part is wanted, and the file that its rows go into."""
    problems = []
    problems += worker_problems("sweep", workers)
    if shard and out is None:
        problems.append(problem("--out", "a share needs a file", None, "--shard N/OF --out FILE"))
    if shard and state is not None:
        problems.append(problem("--state", "not with --shard", str(state), "--out FILE goes on by itself"))
    if problems:
        raise BadInput(*problems)
    for path in (state, out if shard else None):
        if path is not None:
            require_writable(path, force=True)
    return (share_named(shard), out) if shard else (WHOLE, state)


def _submissions(book: Rulebook, files: Sequence[Path] | None) -> tuple[Submission, ...]:
    from crossfelt.analysis.sweeping.asked import Submission

    if not files:
        return (Submission(),)
    return tuple(Submission(name=str(path), stated=read_submission(path, book)) for path in files)


def _estimate(begun: Begun, combinations: int, workers: int) -> str:
    """
    >>> from crossfelt.analysis.sweeping.running import Begun
    >>> _estimate(Begun([], list(range(9_000)), 0.03), 9_000, 2)
    '9,000 combinations, about 135 seconds with 2 workers'
    """
    together = "one worker" if workers == 1 else f"{workers:,} workers"
    return f"{combinations:,} combinations, about {begun.seconds(workers):,.0f} seconds with {together}"


def _solved(
    variants: Variants, wanted: Wanted, numbers: Sequence[int], path: Path | None, hands: Runner | int
) -> list[Row]:
    """Every row, those of the file among them; fewer where somebody interrupts."""
    from crossfelt.analysis.sweeping.file import SweepFile
    from crossfelt.analysis.sweeping.running import begin, figure_names, go_on, runner_for
    from crossfelt.analysis.sweeping.sweeping import require_figures

    with ExitStack() as open_now:
        file = open_now.enter_context(SweepFile(path, variants.asked)) if path else None
        rows = list(file.rows) if file else []
        have = {row.number for row in rows}
        begun = begin(variants, [number for number in numbers if number not in have])
        rows += begun.rows
        require_figures(wanted.figures, figure_names(variants, rows, wanted.figures))
        unsaved, last_saved = list(begun.rows), perf_counter()
        advance = open_now.enter_context(progress("solving", len(begun.rows) + len(begun.left)))
        interrupted = open_now.enter_context(until_interrupted())
        advance(len(begun.rows))

        def save(*, now: bool) -> None:
            nonlocal last_saved
            if file and unsaved and (now or perf_counter() - last_saved > SAVE_EVERY_SECONDS):
                file.add_rows(unsaved)
                unsaved.clear()
                last_saved = perf_counter()

        def after(more: list[Row]) -> bool:
            rows.extend(more)
            unsaved.extend(more)
            save(now=False)
            advance(len(more))
            return not interrupted()

        run = runner_for(begun, hands) if isinstance(hands, int) else hands
        try:
            go_on(variants.asked, begun, run, after)
        finally:
            save(now=True)
    return rows
