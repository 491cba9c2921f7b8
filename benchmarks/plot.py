"""The results of a run as a picture: each contender beside the fastest peer, the rest beside their goals."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from benchmarks.report import amount
from benchmarks.timing import Result
from crossfelt.reports.plots import COLOURS, INK, QUIET, STYLE

WIDTH: Final = 10.0
ROW: Final = 0.2
MARGIN: Final = 1.6
KINDS: Final = {
    "ours": ("crossfelt, beside the fastest peer", COLOURS[0]),
    "peer": ("peers", COLOURS[4]),
    "met": ("crossfelt, beside its goal: met", COLOURS[2]),
    "missed": ("missed", COLOURS[1]),
}


class Row(NamedTuple):
    """A line of the picture; one without a kind has no bar."""

    label: str
    told: str = ""
    kind: str = ""
    times: float = 1.0
    """Speed as a multiple of the fastest peer's, or of the goal."""


def svg(machine: Mapping[str, str], results: Sequence[Result]) -> bytes:
    """Return the picture as an SVG file: to the right of the line is faster, to the left is slower."""
    rows = [row for result in results for row in _rows(result)]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, MARGIN + ROW * len(rows)), layout="constrained", facecolor="white")
        axes = figure.add_subplot()
        _draw(axes, rows)
        axes.set_title(_machine(machine), fontsize=8, loc="left", pad=24)
        shown = {row.kind for row in rows}
        patches = [Patch(color=colour, label=label) for kind, (label, colour) in KINDS.items() if kind in shown]
        if patches:
            axes.legend(handles=patches, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=7, frameon=False)
        text = io.BytesIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def _draw(axes: Axes, rows: Sequence[Row]) -> None:
    for place, row in enumerate(rows):
        if row.kind:
            axes.barh(place, row.times - 1, left=1, color=KINDS[row.kind][1], height=0.7)
        axes.annotate(
            row.told, (max(row.times, 1.0), place), (3, 0), textcoords="offset points", va="center", fontsize=6.5
        )
    axes.set_xscale("log")
    times = [row.times for row in rows]
    # Room for the words beside the longest bar; without bars the line itself is in the middle.
    axes.set_xlim(min(times, default=1.0) / 2, max(times, default=1.0) ** 1.2 * 8)
    axes.set_yticks(range(len(rows)), [row.label for row in rows], fontsize=7)
    for label, row in zip(axes.get_yticklabels(), rows, strict=True):
        label.set_fontweight("normal" if row.told else "bold")
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.axvline(1.0, color=INK, linewidth=0.8)
    axes.set_xlabel("times as fast as the fastest peer, or as the goal", color=QUIET)


def _rows(result: Result) -> Iterator[Row]:
    """Yield a line for each contender, under a heading where there are several."""
    several = len(result.figures) > 1
    if several:
        yield Row(result.name)
    for figure in result.figures:
        ratio = result.ratio(figure)
        kind, times = "", 1.0
        if ratio is not None:
            kind, times = "ours" if figure.ours else "peer", ratio
        elif result.goal_value is not None:
            goal = result.goal_value
            times = figure.value / goal if result.more_is_better else goal / figure.value
            kind = "met" if times >= 1 else "missed"
        told = f"{amount(figure.value)} {result.unit}"
        if kind == "ours":
            told = f"{amount(times)}×, {told}"
        yield Row(figure.who if several else result.name, told, kind, times)


def _machine(machine: Mapping[str, str]) -> str:
    told = ("crossfelt", "processor", "processors", "python", "load at the start", "load at the end")
    return ", ".join(
        machine[name] if name == "processor" else f"{name} {machine[name].partition(':')[0]}"
        for name in told
        if name in machine
    )
