"""Prometheus metrics of one server process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Counters, histograms and gauges in a registry of their own.

    >>> metrics = Metrics()
    >>> metrics.commands.labels("bet", "accepted").inc()
    >>> b'crossfelt_commands_total{command="bet",outcome="accepted"} 1.0' in metrics.text()
    True
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands = self._counter("commands", "Commands by kind and outcome.", "command", "outcome")
        self.rounds = self._counter("rounds", "Finished rounds by rulebook.", "rulebook")
        self.turned_away = self._counter("turned_away", "Connections refused at a limit, by limit.", "full")
        self.rows = self._counter("rows", "Rows stored for tables.")
        self.messages = self._counter("messages", "Messages sent to viewers.")
        self.cut_off = self._counter("cut_off", "Connections closed because the client did not read.")
        self.faults = self._counter("faults", "Faults of the program.")
        self.commit_seconds = self._histogram("commit_seconds", "From a plan to its rows being durable.")
        self.command_seconds = self._histogram("command_seconds", "From a command to its answer.")

    def gauge(self, name: str, help_text: str, value: Callable[[], float]) -> None:
        """Add a gauge whose value is read at each scrape."""
        Gauge(f"crossfelt_{name}", help_text, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self.registry)

    def _counter(self, name: str, help_text: str, *labels: str) -> Counter:
        return Counter(f"crossfelt_{name}", help_text, labels, registry=self.registry)

    def _histogram(self, name: str, help_text: str) -> Histogram:
        return Histogram(f"crossfelt_{name}", help_text, buckets=SECONDS, registry=self.registry)
