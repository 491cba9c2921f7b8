"""Amounts of a submission under which a jackpot could be worth little or nothing."""

from __future__ import annotations

from collections.abc import Iterator

from crossfelt.errors import Problem
from crossfelt.money import dollars
from crossfelt.progressive.wheels import live_meters
from crossfelt.rulebooks.game import Game


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
                yield _warning(game, f"{where}: ", f"meters.{meter}.{name}_cents", what, cents, allowed)
        if amounts["initial"] < amounts["reset"]:
            what, allowed = "the meter opens at its reset amount", f"at least {dollars(amounts['reset'])}"
            yield _warning(game, f"{where}: ", f"meters.{meter}.initial_cents", what, amounts["initial"], allowed)
        if game.settings.get("odds_paid_from") != "meter":
            continue
        for wager_id in wagers:
            highest = _largest_odds_win(game, wager_id)
            if highest > opens_with:
                what = f"one win at the highest odds is {dollars(highest)}, more than the meter opens with"
                path = f"wagers.{wager_id}.max_credits"
                yield _warning(game, f"{where}: ", path, what, opens_with, f"at least {dollars(highest)}")


def _warning(game: Game, prefix: str, path: str, what: str, cents: int, allowed: str) -> Problem:
    clauses = next(choice.clauses for choice in game.book.choices if choice.path == path)
    return Problem(
        code="meter.amount", where=f"{prefix}{path}", what=what, value=dollars(cents), allowed=allowed, clauses=clauses
    )


def _largest_odds_win(game: Game, wager_id: str) -> int:
    wager = game.wager(wager_id)
    stake = game.limits(wager_id).max * game.credit_cents(wager)
    lines = game.pays[wager.pays].table.lines if wager.pays else ()
    return max((line.odds.paid(stake) for line in lines if line.odds is not None), default=0)
