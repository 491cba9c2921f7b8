"""What it returns: exact solutions, strategies and advice.

    from crossfelt.analysis import advise, solve

    solution = solve("nj-criss-cross")
    solution.ev, solution.house_edge.per_initial_wagers        # exact fractions
    solve("nj-criss-cross", pay={"bets.flush": 7})             # at other odds
    advise("nj-criss-cross", hole="As Kd").best                # what to do now, and what each choice is worth

Importing this package imports no kernels: they come with the first question that needs them.
"""

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.question import with_pay
from crossfelt.analysis.solution import Distribution, HouseEdge, Outcome, PayOutcome, SideBet, Solution
from crossfelt.analysis.solving import advise, solve

__all__ = [
    "Advice",
    "Distribution",
    "HouseEdge",
    "Outcome",
    "PayOutcome",
    "SideBet",
    "Solution",
    "advise",
    "solve",
    "with_pay",
]
