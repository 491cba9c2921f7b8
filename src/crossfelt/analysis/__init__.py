"""Returns of a game: exact solutions, strategies, advice and simulation.

    from crossfelt.analysis import SeatPlan, advise, simulate, solve

    solution = solve("nj-criss-cross")
    solution.ev, solution.house_edge.per_initial_wagers        # exact fractions
    solve("nj-criss-cross", pay={"bets.flush": 7})             # at other odds
    advise("nj-criss-cross", hole="As Kd").best                # the best choice; .actions has the value of each
    simulate("nj-pai-gow", rounds=1_000_000, seats=[SeatPlan(wagers={"main": 1000}, strategy="foxwoods")])

Importing this package imports neither kernels nor NumPy; the first call that needs them does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.solution import (
    Distribution,
    HouseEdge,
    Outcome,
    PayOutcome,
    SideBet,
    Solution,
    WagerOutcome,
    WagerOutcomes,
)
from crossfelt.analysis.solver.api import advise, solve
from crossfelt.analysis.what_if import with_pay

if TYPE_CHECKING:
    from crossfelt.analysis.simulation.api import simulate
    from crossfelt.analysis.simulation.plan import SeatPlan

__all__ = [
    "Advice",
    "Distribution",
    "HouseEdge",
    "Outcome",
    "PayOutcome",
    "SeatPlan",
    "SideBet",
    "Solution",
    "WagerOutcome",
    "WagerOutcomes",
    "advise",
    "simulate",
    "solve",
    "with_pay",
]

_WHEN_ASKED_FOR: Final = {
    "SeatPlan": "crossfelt.analysis.simulation.plan",
    "simulate": "crossfelt.analysis.simulation.api",
}
"""Names whose modules import NumPy."""


def __getattr__(name: str) -> Any:
    if name not in _WHEN_ASKED_FOR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHEN_ASKED_FOR[name]), name)
