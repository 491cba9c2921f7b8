"""`crossfelt sweep`: solve many sets of rules exactly and rank them.

The options name what varies as ``NAME=VALUE,VALUE`` or ``NAME=FIRST..LAST``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, nullcontext
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

from crossfelt.analysis.runners import Runner
from crossfelt.analysis.simulation.plan import WHOLE, Share, share_named
from crossfelt.analysis.sweep import api
from crossfelt.analysis.sweep.evaluate import Variants
from crossfelt.analysis.sweep.files import SweepFile
from crossfelt.analysis.sweep.grid import Axis, Kind, Submission, SweepGrid, VariantResult
from crossfelt.cli.options import (
    AsJson,
    Cluster,
    Force,
    Shard,
    StateFile,
    Which,
    Workers,
    flag,
    on_cluster,
    option,
    read_pairs,
    worker_problems,
)
from crossfelt.cli.output import data, message, require_writable
from crossfelt.cli.progress import progress, until_interrupted
from crossfelt.cli.render.sweep import (
    Highest,
    Permitted,
    Rank,
    RankingOptions,
    Show,
    Top,
    Where,
    print_ranking,
    problem,
    read_wanted,
)
from crossfelt.errors import BadInput, require_none
from crossfelt.kernels.threads import processors, share_of
from crossfelt.rulebooks import loader
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.settings import setting_rules

_RANGE: Final = re.compile(r"(\d+)\.\.(\d+)(?::([1-9]\d*))?", re.ASCII)
_WHOLE: Final = re.compile(r"-?\d+", re.ASCII)
_LISTS: Final = re.compile(r"\[[^\[\]]*\]")
MOST_VALUES: Final = 100_000
FORMS: Final = "NAME=VALUE,VALUE or NAME=FIRST..LAST"


def named_axes(kind: Kind, given: Sequence[str] | None, where: str, book: Rulebook) -> Iterator[Axis]:
    """Read ``bets.flush=5..9``, ``bonus_spin=0..5000000:1000000``, ``house_way=*`` or ``settings.…=true,false``."""
    for name, text in read_pairs(given or (), where=where, allowed=FORMS).items():
        yield api.axis_of(kind, name, _values(book, name, text) if kind == "choice" else plain_values(text))


def listed_axes(kind: Kind, text: str) -> Iterator[Axis]:
    """Read the values of an option without names: ``0..5``, ``optimal,simple``."""
    if text:
        yield api.axis_of(kind, kind, plain_values(text))


def _values(book: Rulebook, path: str, text: str) -> list[Any]:
    """Read the values of a choice or a setting; an unknown path is reported later, with similar ones."""
    stated: dict[str, tuple[str, Sequence[Any]]] = {
        f"settings.{name}": (rule.kind, [*rule.values]) for name, rule in setting_rules().items()
    }
    stated |= {choice.path: (choice.kind, choice.of) for choice in book.choices}
    kind, known = stated.get(path, ("", ()))
    match kind:
        case "one_of" | "choice":
            return _named(text, {str(value): value for value in known})
        case "flag":
            return _named(text, _FLAGS)
        case "weights" | "many_of" | "list" | "wagers":
            return _lists(text)
        case "text":
            return [part.strip() for part in text.split(",")]
    return plain_values(text)


_FLAGS: Final = {"true": True, "false": False}


def _named(text: str, known: dict[str, Any]) -> list[Any]:
    """Read values by name; a star means all of them."""
    if text == "*":
        return list(known.values())
    return [known.get(part.strip(), part.strip()) for part in text.split(",")]


def _lists(text: str) -> list[Any]:
    """Read lists as values: ``[1, 2], [3, 4]`` are two values."""
    found = _LISTS.findall(text)
    try:
        lists = [json.loads(one) for one in found]
    except json.JSONDecodeError:
        lists = []
    if not lists or _LISTS.sub("", text).strip(" ,"):
        what, allowed = "not a sequence of lists", "lists such as [1, 2, 3], [2, 2, 2]; each list is one value"
        raise BadInput.at("--choose", "sweep.values", what, text, allowed)
    return lists


def plain_values(text: str) -> list[Any]:
    """Read whole numbers, ranges and words.

    >>> plain_values("4, 6..8, 10..20:5, 9 to 2")
    [4, 6, 7, 8, 10, 15, 20, '9 to 2']
    """
    values: list[Any] = []
    for part in map(str.strip, text.split(",")):
        if found := _RANGE.fullmatch(part):
            first, last, step = int(found[1]), int(found[2]), int(found[3] or 1)
            stretch = range(first, last + 1, step)
            if not stretch or len(stretch) > MOST_VALUES:
                what = "range has too many values" if stretch else "range begins after its end"
                allowed = f"FIRST..LAST or FIRST..LAST:STEP, up to {MOST_VALUES:,} values"
                raise BadInput.at("range", "sweep.values", what, part, allowed)
            values += stretch
        else:
            values.append(int(part) if _WHOLE.fullmatch(part) else part)
    return values


SAVE_EVERY_SECONDS: Final = 2.0


Pay = Annotated[
    list[str] | None, option("TABLE.LINE=ODDS,…", "Odds to vary, e.g. bets.flush=6,7,8 or bets.flush=5..9; repeatable.")
]
Choose = Annotated[
    list[str] | None,
    option(
        "PATH=VALUE,…",
        "Choices of the submission to vary, e.g. house_way=* or wagers.bonus_spin.weights[8]=1..4; repeatable.",
    ),
]
Submissions = Annotated[
    list[Path] | None, option("FILE", "Rules Submission to start from; repeatable, to compare several.")
]
Meter = Annotated[list[str] | None, option("METER=CENTS,…", "Meter values to vary, in cents; repeatable.")]
Others = Annotated[str, option("N,…", "Numbers of other players on a spin or progressive wager.")]
Out = Annotated[Path | None, option("FILE", "Write the ranking as .json, .csv or .parquet, or a shard with --shard.")]


def sweep_command(
    which: Which,
    pay: Pay = None,
    choose: Choose = None,
    submission: Submissions = None,
    meter: Meter = None,
    others: Others = "",
    strategy: Annotated[str, option("NAME,…", "Strategies to vary.")] = "",
    known: Annotated[str, option("CARD,…", "Flashed cards to vary, seen before the first decision.")] = "",
    ante: Annotated[str, option("CENTS,…", "Antes to vary, with payments cut at the payout limit.")] = "",
    where: Where = None,
    rank: Rank = "",
    highest: Highest = False,
    permitted: Permitted = False,
    show: Show = None,
    top: Top = None,
    out: Out = None,
    force: Force = False,
    state: StateFile = None,
    shard: Shard = "",
    workers: Workers = None,
    cluster: Cluster = "",
    figures: Annotated[bool, flag("--figures", "List the available figures and exit.")] = False,
    estimate: Annotated[bool, flag("--estimate", "Print an estimate of the running time and exit.")] = False,
    as_json: AsJson = False,
) -> None:
    """Solve every combination of rules exactly, as `crossfelt solve` does, and rank them by any figure.

    Press Ctrl-C to end early and see the results so far; the exit code is then 130. --state resumes later.
    """
    share, file = _share(shard, state, out, workers)
    wanted = read_wanted(where, rank, highest, permitted, show, top, None if shard else out, force, as_json)
    book = loader.load(which)
    axes = [
        *named_axes("pay", pay, "--pay", book),
        *named_axes("choice", choose, "--choose", book),
        *named_axes("meter", meter, "--meter", book),
        *listed_axes("others", others),
        *listed_axes("strategy", strategy),
        *listed_axes("known", known),
        *listed_axes("ante", ante),
    ]
    asked = SweepGrid.of(loader.as_data(book), _submissions(book, submission), tuple(axes))
    asked = api.with_wager_figures(asked, {api.EVERY_WAGER} if figures else wanted.figures)
    variants = Variants(asked)
    variants.require()
    if figures:
        data(api.figure_names(variants))
        return
    asked.require()
    started = perf_counter()
    numbers = range(asked.count)[share_of(asked.count, share.number - 1, share.of)]
    if estimate:
        with progress("trying", len(numbers)) as advance:
            begun = api.solve_sample(variants, numbers, advance)
        data([_estimate(begun, len(numbers), workers or processors())])
        return
    with on_cluster(cluster, workers) if cluster else nullcontext() as there:
        rows = _solved(variants, wanted, numbers, file, there or workers or processors())
    if shard:
        message(f"{out}: {len(rows):,} of {asked.count:,} combinations")
    else:
        print_ranking(asked, wanted, rows, perf_counter() - started)
    if len(rows) < len(numbers):
        message(f"Interrupted after {len(rows):,} of {len(numbers):,} combinations")
        raise KeyboardInterrupt


def _share(shard: str, state: Path | None, out: Path | None, workers: int | None) -> tuple[Share, Path | None]:
    """Read `--shard` and return it with the file for its rows."""
    problems = worker_problems("sweep", workers)
    if shard and out is None:
        problems.append(problem("--out", "missing; --shard needs a file", None, "--shard N/OF --out FILE"))
    if shard and state is not None:
        what = "cannot be combined with --shard; the --out FILE of a shard resumes"
        problems.append(problem("--state", what, str(state), "--out FILE"))
    require_none(problems)
    for path in (state, out if shard else None):
        if path is not None:
            require_writable(path, force=True)
    return (share_named(shard), out) if shard else (WHOLE, state)


def _submissions(book: Rulebook, files: Sequence[Path] | None) -> tuple[Submission, ...]:
    if not files:
        return (Submission(),)
    return tuple(Submission(name=str(path), stated=loader.read_submission(path, of=book)[1]) for path in files)


def _estimate(begun: api.SolvedSample, combinations: int, workers: int) -> str:
    """
    >>> _estimate(api.SolvedSample([], list(range(9_000)), 0.03), 9_000, 2)
    '9,000 combinations, about 135 seconds with 2 workers'
    """
    together = "one worker" if workers == 1 else f"{workers:,} workers"
    seconds = begun.seconds_each * combinations / workers
    return f"{combinations:,} combinations, about {seconds:,.0f} seconds with {together}"


def _solved(
    variants: Variants, wanted: RankingOptions, numbers: Sequence[int], path: Path | None, hands: Runner | int
) -> list[VariantResult]:
    """Solve every row that the file lacks; after an interrupt, return fewer rows."""
    with ExitStack() as open_now:
        file = open_now.enter_context(SweepFile(path, variants.asked)) if path else None
        rows = list(file.rows) if file else []
        solved = {row.number for row in rows}
        left = [number for number in numbers if number not in solved]
        advance = open_now.enter_context(progress("solving", len(left)))
        begun = api.solve_sample(variants, left, advance)
        rows += begun.rows
        api.require_figures(wanted.figures, api.figure_names(variants, rows, wanted.figures))
        unsaved, last_saved = list(begun.rows), perf_counter()
        interrupted = open_now.enter_context(until_interrupted())

        def save(*, now: bool) -> None:
            nonlocal last_saved
            if file and unsaved and (now or perf_counter() - last_saved > SAVE_EVERY_SECONDS):
                file.add_rows(unsaved)
                unsaved.clear()
                last_saved = perf_counter()

        run = api.runner_for(begun, hands) if isinstance(hands, int) else hands
        try:
            for more in api.solve_rest(variants.asked, begun, run):
                rows += more
                unsaved += more
                save(now=False)
                advance(len(more))
                if interrupted():
                    break
        finally:
            save(now=True)
    return rows
