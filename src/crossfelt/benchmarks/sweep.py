"""Sweeps as a person meets them: processes started, kernels loaded, every pay table solved with all statistics."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from time import perf_counter

from crossfelt.analysis import solve
from crossfelt.analysis.runners import InProcesses
from crossfelt.analysis.sweeping.asked import Asked, Axis, Submission
from crossfelt.analysis.sweeping.row import Row
from crossfelt.analysis.sweeping.running import begin, go_on
from crossfelt.analysis.sweeping.variants import Variants
from crossfelt.benchmarks.result import Disagreement, Figure, Result
from crossfelt.benchmarks.timing import say
from crossfelt.kernels.threads import processors
from crossfelt.rulebooks import loading

VARIED = {
    "nj-criss-cross": ("bets.flush", "bets.straight", "bets.full_house", "bets.three_of_a_kind"),
    "nj-double-cross": ("raise.flush", "raise.straight", "raise.full_house", "raise.four_of_a_kind"),
    "nj-pai-gow": ("seven_card.flush", "seven_card.straight", "imperial_player.flush", "imperial_player.straight"),
}
VALUES = range(2, 9)
TABLES = {"nj-criss-cross": 2_000, "nj-double-cross": 400, "nj-pai-gow": 400}
QUICK = 4
"""A quick run solves so many times fewer."""
GOALS = {"nj-criss-cross": 2_000.0}
CHECKED = 3


def run(repeats: int) -> Iterator[Result]:
    for book, lines in VARIED.items():
        tables = TABLES[book] // (1 if repeats > 1 else QUICK)
        say(f"sweep: {tables:,} pay tables of {book} on {processors()} processors ...")
        axes = tuple(Axis(kind="pay", name=line, values=tuple(VALUES)) for line in lines)
        asked = Asked.of(loading.as_data(loading.load(book)), (Submission(),), axes)
        start = perf_counter()
        rows = _solved(asked, tables)
        seconds = perf_counter() - start
        for row in islice(rows, CHECKED):
            if row.figures["ev"] != solve(book, pay=asked.variant(row.number).of("pay")).ev:
                raise Disagreement(f"sweep and solve do not agree on {book}")
        yield Result(
            name=f"sweep of {book}, {processors()} processors",
            unit="pay tables/minute",
            figures=(Figure(who="crossfelt", value=60 * len(rows) / seconds, ours=True),),
            more_is_better=True,
            goal_value=GOALS.get(book),
            note=f"{len(rows):,} pay tables in {seconds:.1f} s, start of the processes included",
        )


def _solved(asked: Asked, tables: int) -> list[Row]:
    begun = begin(Variants(asked), range(tables))
    rows = list(begun.rows)

    def after(more: list[Row]) -> bool:
        rows.extend(more)
        return True

    go_on(asked, begun, InProcesses(processors()), after)
    return rows
