"""Plots as SVG, drawn by matplotlib: reproducible bytes without external references."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import matplotlib

# Select a backend without a display before anything is drawn.
matplotlib.use("svg")

from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from crossfelt.reports.document import Plot

INK: Final = "#20262c"
QUIET: Final = "#5b6570"
GRID: Final = "#d9dee3"
COLOURS: Final = ("#0f5f46", "#c2682b", "#2d5f9a", "#8a4a86", "#6d7781")
CHOICES: Final = {"fold": "#b4463c", "1x": "#c08a2e", "2x": "#7f9fc4", "3x": "#2a7a57"}
LINES: Final = ("-", ":", "-.")
BANDS: Final = ("#cfe3da", "#8fbfa9")
INCHES: Final = 7.2
MANY_COLUMNS: Final = 20
"""Plots with more columns use smaller labels."""
SMALL: Final = 7.5
STYLE: Final[Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "crossfelt",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": QUIET,
    "axes.edgecolor": GRID,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


def svg(plot: Plot) -> str:
    """Draw a plot as an SVG file."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(INCHES, _height(plot)), layout="constrained")
        axes = figure.add_subplot()
        _DRAW[plot.kind](axes, plot)
        if len(plot.series) > 1:
            _legend(figure, axes)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return text.getvalue()


def inline_svg(plot: Plot) -> str:
    """Draw a plot as an element of a page, with unique ids and without external addresses."""
    text = svg(plot)
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'\s(xmlns(:\w+)?|version|width|height)="[^"]*"', "", text, count=5)
    text = re.sub(r'id="', f'id="{plot.id}-', text)
    text = re.sub(r'xlink:href="#', f'href="#{plot.id}-', text)
    text = re.sub(r"url\(#", f"url(#{plot.id}-", text)
    return text.replace("<svg", '<svg aria-hidden="true" focusable="false"', 1)


def _height(plot: Plot) -> float:
    match plot.kind:
        case "bars" | "stacked" | "dots":
            per = {"stacked": 0.42, "bars": 0.27, "dots": 0.2}[plot.kind]
            return 1.0 + per * len(plot.across) + (0.3 if len(plot.series) > 1 else 0)
        case _:
            return 3.3


def _legend(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    longest = max(map(len, labels))
    columns = min(len(labels), max(1, 90 // (longest + 6)))
    figure.legend(handles, labels, loc="outside upper left", ncols=columns, handlelength=1.2, columnspacing=1.4)


def _columns(axes: Axes, plot: Plot) -> None:
    width = 0.82 / len(plot.series)
    for number, series in enumerate(plot.series):
        places = [place + (number - (len(plot.series) - 1) / 2) * width for place in range(len(plot.across))]
        axes.bar(places, _drawn(series.values), width=width * 0.94, color=COLOURS[number], label=series.name)
    axes.set_xticks(range(len(plot.across)), [str(name) for name in plot.across])
    if len(plot.across) > MANY_COLUMNS:
        axes.tick_params(axis="x", labelsize=SMALL)
    axes.grid(axis="y")
    axes.spines["left"].set_visible(False)
    _labels(axes, plot)


def _bars(axes: Axes, plot: Plot) -> None:
    """Draw horizontal bars, the first on top; all series start at zero."""
    places = range(len(plot.across))
    for number, series in enumerate(plot.series):
        axes.barh(places, _drawn(series.values), height=0.68, color=COLOURS[number], label=series.name)
    axes.axvline(0, color=INK, linewidth=0.8)
    _named_rows(axes, plot)
    axes.grid(axis="x")


def _stacked(axes: Axes, plot: Plot) -> None:
    so_far = [0.0] * len(plot.across)
    for number, series in enumerate(plot.series):
        values = _drawn(series.values)
        colour = CHOICES.get(series.name, COLOURS[number % len(COLOURS)])
        axes.barh(range(len(plot.across)), values, left=so_far, height=0.66, color=colour, label=series.name)
        so_far = [before + value for before, value in zip(so_far, values, strict=True)]
    axes.set_xlim(0, 100)
    _named_rows(axes, plot)
    axes.grid(axis="x")


def _dots(axes: Axes, plot: Plot) -> None:
    values = _drawn(plot.series[0].values)
    reach = max(3.2, max(map(abs, values)) + 0.3)
    axes.axvspan(-1.96, 1.96, color=BANDS[0], zorder=0)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.scatter(values, range(len(values)), color=COLOURS[0], s=26, zorder=3)
    axes.set_xlim(-reach, reach)
    _named_rows(axes, plot)
    axes.grid(axis="both")


def _lines(axes: Axes, plot: Plot) -> None:
    across = [float(place) for place in plot.across]
    for number, series in enumerate(plot.series):
        colour = COLOURS[number % len(COLOURS)]
        style: dict[str, Any] = {
            "color": colour,
            "linewidth": 2,
            "linestyle": LINES[number // len(COLOURS) % len(LINES)],
        }
        if len(set(series.values)) == 1:
            style = {"color": QUIET, "linestyle": "--", "linewidth": 1.1}
        axes.plot(across, _drawn(series.values), label=series.name, **style)
    axes.grid()
    axes.set_xlim(across[0], across[-1])
    axes.xaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    _labels(axes, plot)


def _bands(axes: Axes, plot: Plot) -> None:
    across = [float(place) for place in plot.across]
    for number, series in enumerate(plot.series):
        if series.low:
            axes.fill_between(
                across, series.low, _drawn(series.values), color=BANDS[number], linewidth=0, label=series.name
            )
        else:
            axes.plot(across, _drawn(series.values), color=COLOURS[0], linewidth=2, label=series.name)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.grid()
    axes.set_xlim(across[0], across[-1])
    _labels(axes, plot)


def _named_rows(axes: Axes, plot: Plot) -> None:
    axes.set_yticks(range(len(plot.across)), [str(name) for name in plot.across])
    axes.set_ylim(len(plot.across) - 0.4, -0.6)
    axes.spines["left"].set_visible(False)
    _labels(axes, plot)


def _labels(axes: Axes, plot: Plot) -> None:
    lying = plot.kind in ("bars", "stacked", "dots")
    axes.set_xlabel(plot.value_label if lying else plot.across_label)
    axes.set_ylabel("" if lying else plot.value_label)


def _drawn(values: tuple[float | None, ...]) -> list[float]:
    return [value or 0.0 for value in values]


_DRAW: Final[Mapping[str, Callable[[Axes, Plot], None]]] = {
    "columns": _columns,
    "bars": _bars,
    "stacked": _stacked,
    "lines": _lines,
    "bands": _bands,
    "dots": _dots,
}
