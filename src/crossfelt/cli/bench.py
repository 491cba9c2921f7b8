"""`crossfelt bench`: every figure of speed, measured side by side with peers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crossfelt.benchmarks import BENCHMARKS
from crossfelt.cli.asking import AsJson, option_problem
from crossfelt.cli.output import data, data_as_json, message
from crossfelt.cli.writing import require_writable, write
from crossfelt.problems import BadInput
from crossfelt.rulebooks.typesetting import columns

if TYPE_CHECKING:
    from crossfelt.benchmarks.result import Result


_problem = partial(option_problem, "bench")


def bench_command(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME…]", help="Which; all unless told.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the benchmarks, and stop.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Time everything once, for a rough picture.")] = False,
    repeats: Annotated[
        int | None, typer.Option("--repeats", metavar="N", help="How often each is timed; the best counts.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE.json", help="Write the figures, and beside them a plot as .svg."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the files.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure Crossfelt and its peers in one run on this machine, and print ratios.

    Peers take part where they are installed: pip install "crossfelt[bench]". Interrupt with Ctrl-C to see what was
    measured so far; it then exits 130.
    """
    if listed:
        data(columns(list(BENCHMARKS.items())))
        return
    chosen = list(dict.fromkeys(names or BENCHMARKS))
    _require(chosen, quick, repeats, out, force)
    from crossfelt.benchmarks.machine import busy, machine
    from crossfelt.benchmarks.measuring import QUICK_REPEATS, REPEATS, measured
    from crossfelt.benchmarks.result import Disagreement

    times = repeats or (QUICK_REPEATS if quick else REPEATS)
    facts = {**machine(), "load at the start": busy()}
    results: list[Result] = []
    interrupted = False
    try:
        for result in measured(chosen, times):
            results.append(result)  # noqa: PERF402  # one by one, so that those so far are there when it is interrupted
    except Disagreement as difference:
        message(f"no figures: {difference}")
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        interrupted = True
    facts["load at the end"] = busy()
    _tell(facts, results, times, out, force=force, as_json=as_json)
    if interrupted:
        message("interrupted: these are the figures so far")
        raise KeyboardInterrupt


def _tell(
    facts: dict[str, str], results: list[Result], times: int, out: Path | None, *, force: bool, as_json: bool
) -> None:
    """The figures as text or JSON, and in files."""
    from crossfelt.benchmarks.telling import as_data, lines

    found = as_data(facts, results, times)
    if as_json:
        data_as_json(found)
    else:
        data(lines(facts, results))
    if out is not None:
        import msgspec

        write(out, msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n", force=force)
        message(f"{out}: written")
        from crossfelt.benchmarks.plot import svg

        picture = out.with_suffix(".svg")
        write(picture, svg(facts, results), force=force)
        message(f"{picture}: written")


def _require(names: list[str], quick: bool, repeats: int | None, out: Path | None, force: bool) -> None:
    """Everything that is wrong with the question, before minutes are spent on it."""
    allowed = ", ".join(BENCHMARKS)
    problems = [_problem("NAME", "no such benchmark", name, allowed) for name in names if name not in BENCHMARKS]
    if repeats is not None and repeats < 1:
        problems.append(_problem("--repeats", "nothing would be timed", repeats, "1 or more"))
    if quick and repeats is not None:
        problems.append(_problem("--repeats", "not with --quick", repeats, "one of the two"))
    if out is not None and out.suffix != ".json":
        problems.append(_problem("--out", "no such format", str(out), "FILE.json; the plot is FILE.svg"))
    if problems:
        raise BadInput(*problems)
    if out is not None:
        for path in (out, out.with_suffix(".svg")):
            require_writable(path, force=force)
        _require_matplotlib()


def _require_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise BadInput.missing(error, extra="report", where="--out") from None
