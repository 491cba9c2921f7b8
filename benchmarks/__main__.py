"""Measure Crossfelt and its peers in one run on this machine, and print ratios.

Peers take part where they are installed: `make bench` installs them. Ctrl-C ends the run and prints the figures so far.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from benchmarks.report import as_json, lines
from benchmarks.timing import Disagreement, Result, busy, machine, say, skipped_result

BENCHMARKS: Final[Mapping[str, tuple[str, str]]] = {
    "five_card": ("kernels", "five-card hands, one call, beside other evaluators"),
    "census": ("kernels", "all seven-card hands of the pai gow deck"),
    "house_way": ("kernels", "seven cards set by each house way"),
    "shuffle": ("kernels", "secure shuffles, beside the standard library's"),
    "criss_cross": ("solver", "Criss Cross Poker solved, and advice, beside dealing every deal to a peer"),
    "double_cross": ("solver", "Double Cross Poker solved, and advice, beside the same"),
    "any_game": ("solver", "games solved from their data, without a solver of their own"),
    "two_hands": ("two_hands", "a house way against itself and best play, beside the same in plain C"),
    "sweep": ("solver", "pay tables solved in a minute, all games"),
    "simulation": ("simulation", "simulated rounds of each game"),
    "scaling": ("simulation", "shares on a cluster of this machine, by one worker and by several"),
    "table": ("table", "complete rounds at the table engine, beside PokerKit's"),
    "store": ("table", "rounds made durable, beside SQLite's own driver"),
    "start": ("server", "the server, from nothing to its page"),
    "restart": ("server", "the server after a kill, with a long history, to its page"),
    "load": ("load", "the server under load: time to everyone, processor time of an action, memory of a connection"),
    "drain": ("strain", "the server stopped under load: time to the end, acknowledged commands kept"),
    "private_tables": ("strain", "one guest asks for 2,000 private tables: tables, cost, and the wait of another"),
    "page": ("page", "the browser's table: paint, size, keys, commands and advice"),
}
"""The module and the subject of each benchmark: a function `name(repeats) -> Iterator[Result]` of that module."""
REPEATS: Final = 9
"""Enough that the best time of a contender is an undisturbed one."""
EXIT_INTERRUPTED: Final = 130


def measured(names: Sequence[str], repeats: int) -> Iterator[Result]:
    """Yield the results of each benchmark; one without its packages is skipped with the reason."""
    for name in names:
        try:
            module = import_module(f"benchmarks.{BENCHMARKS[name][0]}")
        except ImportError as error:
            yield skipped_result(name, f"needs {error.name}, which is not installed")
            continue
        yield from getattr(module, name)(repeats)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, run the benchmarks, print the figures; return the exit code."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - set(BENCHMARKS):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))} (--help lists them)")
    repeats = 1 if asked.quick else REPEATS
    facts = {**machine(), "load at the start": busy()}
    results: list[Result] = []
    code = 0
    try:
        for result in measured(asked.names or list(BENCHMARKS), repeats):
            results.append(result)  # noqa: PERF402  # the results so far are kept when the run is interrupted
    except Disagreement as difference:
        say(f"no figures: {difference}")
        return 1
    except KeyboardInterrupt:
        say("interrupted: these are the figures so far")
        code = EXIT_INTERRUPTED
    facts["load at the end"] = busy()
    print(*lines(facts, results), sep="\n")
    if asked.out is not None:
        from benchmarks.plot import svg

        asked.out.write_bytes(as_json(facts, results, repeats))
        asked.out.with_suffix(".svg").write_bytes(svg(facts, results))
    return code


def _parser() -> argparse.ArgumentParser:
    listed = "\n".join(f"  {name:<16}{subject}" for name, (_, subject) in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog=f"benchmarks:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all of them")
    parser.add_argument("--quick", action="store_true", help=f"time everything once, not {REPEATS} times")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="write the figures, and beside them FILE.svg")
    return parser


if __name__ == "__main__":
    sys.exit(main())
