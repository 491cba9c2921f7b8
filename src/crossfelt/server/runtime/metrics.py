"""Figures of a running house, as Prometheus reads them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Histogram:
    """How long something took, counted in buckets.

    >>> histogram = Histogram()
    >>> histogram.observe(0.003)
    >>> list(histogram.lines("took_seconds"))[3]
    'took_seconds_bucket{le="0.01"} 1'
    """

    def __init__(self) -> None:
        self._counts = [0] * (len(SECONDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(SECONDS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str) -> Iterator[str]:
        below = 0
        for bound, count in zip((*map(str, SECONDS), "+Inf"), self._counts, strict=True):
            below += count
            yield f'{name}_bucket{{le="{bound}"}} {below}'
        yield f"{name}_sum {self._sum:.6f}"
        yield f"{name}_count {below}"


class Metrics:
    """What is counted."""

    def __init__(self) -> None:
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.rounds: Counter[str] = Counter()
        self.turned_away: Counter[str] = Counter()
        self.rows = 0
        self.messages = 0
        self.cut_off = 0
        self.faults = 0
        self.commits = Histogram()
        self.commands = Histogram()
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        """What is looked up when somebody asks: help and value by name."""

    def text(self) -> str:
        """Everything, in the text format of Prometheus.

        >>> metrics = Metrics()
        >>> metrics.accepted["bet"] += 1
        >>> 'crossfelt_commands_total{command="bet",outcome="accepted"} 1' in metrics.text()
        True
        """
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from _head("crossfelt_commands_total", "counter", "Commands by kind and outcome.")
        for outcome, counted in (("accepted", self.accepted), ("refused", self.refused)):
            for command, count in sorted(counted.items()):
                yield f'crossfelt_commands_total{{command="{command}",outcome="{outcome}"}} {count}'
        yield from _head("crossfelt_rounds_total", "counter", "Rounds that are over, by rulebook.")
        for rulebook, count in sorted(self.rounds.items()):
            yield f'crossfelt_rounds_total{{rulebook="{rulebook}"}} {count}'
        yield from _head("crossfelt_turned_away_total", "counter", "Connections there was no room for, and in what.")
        for full, count in sorted(self.turned_away.items()):
            yield f'crossfelt_turned_away_total{{full="{full}"}} {count}'
        for name, help_text, value in (
            ("rows", "Rows stored for tables.", self.rows),
            ("messages", "Messages sent to viewers.", self.messages),
            ("cut_off", "Connections cut off because they did not read.", self.cut_off),
            ("faults", "Faults of the program.", self.faults),
        ):
            yield from _head(f"crossfelt_{name}_total", "counter", help_text)
            yield f"crossfelt_{name}_total {value}"
        for name, histogram, help_text in (
            ("crossfelt_commit_seconds", self.commits, "From a plan to its rows being durable."),
            ("crossfelt_command_seconds", self.commands, "From a command to its answer."),
        ):
            yield from _head(name, "histogram", help_text)
            yield from histogram.lines(name)
        for name, (help_text, look) in sorted(self.gauges.items()):
            yield from _head(f"crossfelt_{name}", "gauge", help_text)
            yield f"crossfelt_{name} {look():g}"


def _head(name: str, kind: str, help_text: str) -> Iterator[str]:
    yield f"# HELP {name} {help_text}"
    yield f"# TYPE {name} {kind}"
