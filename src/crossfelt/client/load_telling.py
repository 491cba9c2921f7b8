"""What a load run has measured: quantiles, a table, and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

BANDS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Upper bounds of the plot, in milliseconds."""


def quantiles(seconds: Sequence[float]) -> dict[str, float]:
    """Median and tails, in milliseconds.

    >>> quantiles([0.001] * 99 + [0.1])
    {'p50': 1.0, 'p90': 1.0, 'p99': 100.0, 'max': 100.0}
    """
    if not seconds:
        return {}
    at = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
    found = {name: seconds[min(len(seconds) - 1, int(share * len(seconds)))] for name, share in at.items()}
    return {name: round(1000 * value, 2) for name, value in {**found, "max": seconds[-1]}.items()}


def plot(seconds: Sequence[float], title: str) -> str:
    """A bar for each band of latencies, as a drawing in SVG.

    >>> plot([0.001, 0.004], "two answers").count("<rect")
    13
    """
    counts = [0] * len(BANDS)
    for took in seconds:
        counts[next((place for place, bound in enumerate(BANDS) if 1000 * took <= bound), len(BANDS) - 1)] += 1
    most, width = max((*counts, 1)), 48
    bars = [
        f'<rect x="{20 + place * width}" y="{220 - 180 * count / most:.1f}" width="{width - 8}" '
        f'height="{180 * count / most:.1f}" fill="#2f6f4f"/>'
        f'<text x="{16 + (place + 0.5) * width}" y="236" font-size="11" text-anchor="middle">{BANDS[place]}</text>'
        f'<text x="{16 + (place + 0.5) * width}" y="{214 - 180 * count / most:.1f}" font-size="10" '
        f'text-anchor="middle">{count:,}</text>'
        for place, count in enumerate(counts)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {40 + width * len(BANDS)} 260" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="white"/><text x="20" y="24" font-size="14">{title}</text>'
        f'{"".join(bars)}<text x="20" y="254" font-size="11">milliseconds, up to</text></svg>\n'
    )


def table_of(figures: dict[str, Any]) -> str:
    """The figures in lines."""
    lines: list[tuple[str, Any]] = []
    for name, value in figures.items():
        words = name.replace("_", " ")
        if isinstance(value, dict):
            lines += [(f"{words.removesuffix(' ms')} {quantile} (ms)", each) for quantile, each in value.items()]
        else:
            lines.append((words, value))
    width = 2 + max(len(name) for name, _ in lines)
    return "\n".join(
        f"{name:<{width}}{value if isinstance(value, str) else format(value, ','):>16}" for name, value in lines
    )
