"""What benchmarks found, as a picture: every contender against the fastest peer, and the rest against their goals."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import matplotlib
from matplotlib.figure import Figure

from crossfelt.benchmarks.result import Result
from crossfelt.benchmarks.telling import amount
from crossfelt.reports.plots import COLOURS, INK, QUIET, STYLE

WIDTH: Final = 10.0
ROW: Final = 0.22
OURS, PEER, GOAL = COLOURS[0], COLOURS[4], COLOURS[2]


class Bar(NamedTuple):
    label: str
    times: float
    """As fast as the fastest peer, or as the goal asks for."""
    colour: str
    told: str


def svg(machine: Mapping[str, str], results: Sequence[Result]) -> bytes:
    """The picture as a whole SVG file."""
    bars = [bar for result in results for bar in _bars(result)]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, 1.4 + ROW * len(bars)), layout="constrained", facecolor="white")
        axes = figure.add_subplot()
        places = range(len(bars))
        axes.barh(places, [bar.times for bar in bars], color=[bar.colour for bar in bars], height=0.7)
        axes.set_xscale("log")
        axes.invert_yaxis()
        axes.set_yticks(places, [bar.label for bar in bars], fontsize=7)
        axes.axvline(1.0, color=INK, linewidth=0.8)
        axes.margins(x=0.12, y=0.01)
        for place, bar in enumerate(bars):
            at = (max(bar.times, 1.0), place)
            axes.annotate(bar.told, at, (3, 0), textcoords="offset points", va="center", fontsize=6.5)
        axes.set_xlabel("times as fast as the fastest peer (green; grey: peers), or as the goal (blue)", color=QUIET)
        axes.set_title(_machine(machine), fontsize=8, loc="left")
        text = io.BytesIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def _bars(result: Result) -> Iterator[Bar]:
    for figure in result.figures:
        name = result.name if len(result.figures) == 1 else f"{result.name}: {figure.who}"
        told = f"{amount(figure.value)} {result.unit}"
        ratio = result.ratio(figure)
        if ratio is not None:
            yield Bar(name, ratio, OURS if figure.ours else PEER, told)
        elif result.goal_value is not None:
            goal = result.goal_value
            yield Bar(name, figure.value / goal if result.more_is_better else goal / figure.value, GOAL, told)


def _machine(machine: Mapping[str, str]) -> str:
    told = ("crossfelt", "processor", "processors", "python")
    return ", ".join(f"{name} {machine[name]}" if name != "processor" else machine[name] for name in told)
