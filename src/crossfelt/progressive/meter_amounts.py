"""The amounts of a meter: those that a rulebook allows, and those under which a jackpot could be worth little."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from crossfelt.errors import Problem
from crossfelt.money import dollars
from crossfelt.progressive.events import Parameters
from crossfelt.progressive.wheels import live_meters
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


def meter_warnings(game: Game, *, where: str = "submission") -> Iterator[Problem]:
    """Warn of meters that reset to nothing or open below their reset amount, and of odds that exceed a meter.

    >>> poor = compile_game("nj-pai-gow", {"meters": {"pai_gow": {"initial_cents": 0, "reset_cents": 5_000_00}}})
    >>> for warning in meter_warnings(poor, where="mine"): print(warning)
    mine: meters.pai_gow.initial_cents: the meter opens at its reset amount: '$0' (allowed: at least $5,000) [PGP-27]
    """
    for meter, wagers in live_meters(game).items():
        amounts = {name: game.whole(f"meters.{meter}.{name}_cents") for name in ("initial", "reset")}
        opens_with = max(amounts.values())
        for name, cents in amounts.items():
            if not cents and not amounts["reset"]:
                what, allowed = "a jackpot can then be worth nothing", "more than $0"
                yield _warning(game, where, f"meters.{meter}.{name}_cents", what, cents, allowed)
        if amounts["initial"] < amounts["reset"]:
            what, allowed = "the meter opens at its reset amount", f"at least {dollars(amounts['reset'])}"
            yield _warning(game, where, f"meters.{meter}.initial_cents", what, amounts["initial"], allowed)
        if game.settings.get("odds_paid_from") != "meter":
            continue
        for wager_id in wagers:
            highest = _largest_odds_win(game, wager_id)
            if highest > opens_with:
                what = f"one win at the highest odds is {dollars(highest)}, more than the meter opens with"
                path = f"wagers.{wager_id}.max_credits"
                yield _warning(game, where, path, what, opens_with, f"at least {dollars(highest)}")


def _warning(game: Game, where: str, path: str, what: str, cents: int, allowed: str) -> Problem:
    clauses = next(choice.clauses for choice in game.book.choices if choice.path == path)
    return Problem.at(f"{where}: {path}", "meter.amount", what, dollars(cents), allowed, clauses)


def _largest_odds_win(game: Game, wager_id: str) -> int:
    wager = game.wager(wager_id)
    stake = game.limits(wager_id).max * game.credit_cents(wager)
    lines = game.pays[wager.pays].lines if wager.pays else ()
    return max((line.odds.paid(stake) for line in lines if line.odds is not None), default=0)
