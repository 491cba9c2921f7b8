"""The parameters of a meter that a rulebook allows, by the requirements that a submission must meet."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from crossfelt.errors import Problem
from crossfelt.progressive.events import Parameters
from crossfelt.rulebooks import submission
from crossfelt.rulebooks.game import Game


def parameter_problems(game: Game, meter: str, parameters: Parameters) -> Iterator[Problem]:
    """Report parameters of a meter that would be a violation in the submission of a game that feeds it.

    >>> low = Parameters(reset_cents=1, rate_per_million=70_000)
    >>> for problem in parameter_problems(compile_game("md-criss-cross"), "bonus_spin", low): print(problem)
    reset_cents: the meter of pay table D must start and reset at $5,000 or more: 1 (allowed: at least 500,000) [MDC-46]
    """
    names = {"reset_cents": parameters.reset_cents, "rate_per_million": parameters.rate_per_million}
    if parameters.limit_cents is not None:
        names["limit_cents"] = parameters.limit_cents
    meters = game.stated.get("meters", {})
    # A running meter has its initial amount behind it: the limit is compared with the reset amount alone.
    tried = {**game.stated, "meters": {**meters, meter: {**names, "initial_cents": parameters.reset_cents}}}
    fields = {f"tried: meters.{meter}.{name}": name for name in names}
    for problem in submission.problems(game.book, tried, where="tried"):
        if problem.where in fields:
            yield replace(problem, where=fields[problem.where])
