"""Run all benchmarks, print a table, and write the figures where ``--json`` says."""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from benchmarks import census, criss_cross, double_cross, five_card, house_way, shuffle, simulation, table
from benchmarks.machine import machine
from benchmarks.result import Result

BENCHMARKS = {
    "five_card": five_card.run,
    "census": census.run,
    "criss_cross": criss_cross.run,
    "double_cross": double_cross.run,
    "house_way": house_way.run,
    "shuffle": shuffle.run,
    "simulation": simulation.run,
    "table": table.run,
}


def main() -> None:
    arguments = _arguments()
    facts = machine()
    results: list[Result] = []
    for name in arguments.only or BENCHMARKS:
        results += BENCHMARKS[name](arguments.repeats)
    _show(facts, results)
    if arguments.json:
        found = {"machine": facts, "repeats": arguments.repeats, "results": list(map(_plain, results))}
        arguments.json.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=sorted(BENCHMARKS), help="run these, not all")
    parser.add_argument("--repeats", type=int, default=9, help="how often each is timed; the best counts")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file")
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error("--repeats must be at least 1")
    return arguments


def _show(facts: dict[str, str], results: list[Result]) -> None:
    console = Console(highlight=False, markup=False)
    for name, value in facts.items():
        console.print(f"{name}: {value}")
    grid = Grid("benchmark", "contender", box=box.SIMPLE)
    for column in ("figure", "times as fast as the fastest peer", "goal"):
        grid.add_column(column, justify="right")
    for result in results:
        for row in _rows(result):
            grid.add_row(*row)
        grid.add_section()
    console.print(grid)
    for skipped in dict.fromkeys(line for result in results for line in result.skipped):
        console.print(f"not run: {skipped}")


def _rows(result: Result) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for figure in result.figures:
        ratio = result.ratio(figure)
        name, goal = ("", "") if rows else (f"{result.name}, {result.unit}", _goal(result))
        value = f"{figure.value:,.3g}" if figure.value < 1000 else f"{figure.value:,.0f}"
        rows.append((name, figure.who, value, "" if ratio is None else f"{ratio:,.2f}", goal))
    return rows


def _goal(result: Result) -> str:
    if result.goal_ratio is not None:
        goal = f"≥ {result.goal_ratio:g} times"
    elif result.goal_value is not None:
        goal = f"{'≥' if result.more_is_better else '≤'} {result.goal_value:g}"
    else:
        return ""
    verdict = {True: "met", False: "missed", None: "no peer"}[result.goal_met]
    return f"{goal}: {verdict}"


def _plain(result: Result) -> dict[str, object]:
    ratios = {figure.who: result.ratio(figure) for figure in result.figures}
    return {**msgspec.to_builtins(result), "ratios": ratios, "goal_met": result.goal_met}


if __name__ == "__main__":
    main()
