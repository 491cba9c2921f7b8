"""Crossfelt side by side with its peers: one run, one machine, ratios.

Part of the package, so that `crossfelt bench` works wherever it is installed. A benchmark is a module with
``run(repeats) -> Iterator[Result]``; it is imported when it is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BENCHMARKS: Final[Mapping[str, str]] = {
    "five_card": "five-card hands, one call and arrays, beside other evaluators",
    "census": "all seven-card hands of the pai gow deck",
    "criss_cross": "Criss Cross Poker solved, and advice, beside dealing every deal to a peer",
    "double_cross": "Double Cross Poker solved, and advice, beside the same",
    "sweep": "pay tables solved in a minute, all games",
    "house_way": "seven cards set by each house way",
    "shuffle": "secure shuffles, beside the standard library's",
    "simulation": "simulated rounds of each game",
    "scaling": "shares on a cluster of this machine, by one worker and by several",
    "table": "complete rounds at the table engine, beside PokerKit's",
    "store": "rounds made durable, beside SQLite's own driver",
    "house": "the house, from nothing to its page",
    "restart": "the house after a kill, with a long history, to its page",
    "load": "the house under load: time to everyone, processor time of an action, memory of a connection",
    "page": "the browser's table: paint, size, keys, commands and advice",
}
"""What each module measures."""
