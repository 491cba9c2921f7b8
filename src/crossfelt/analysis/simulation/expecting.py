"""What wheels and meters bring on average, exactly, for the seats of a plan."""

from __future__ import annotations

from fractions import Fraction

from crossfelt.analysis.simulation.plan import Plan
from crossfelt.analysis.simulation.spins import BONUS_SPIN, XTREME
from crossfelt.progressive.returns import WagerReturn, spin_return, xtreme_return
from crossfelt.progressive.wheels import meter_of, wheel_for
from crossfelt.rulebooks.game import Game

SPINS = (BONUS_SPIN, XTREME)


def expected_returns(game: Game, plan: Plan, seat: int) -> dict[str, WagerReturn]:
    """The exact return of each spin wager of a seat, numbered from 0; nothing where it hangs on how seats decide.

    >>> from crossfelt.analysis.simulation.plan import SeatPlan
    >>> from crossfelt.rulebooks.game import compile_game
    >>> spins = SeatPlan(wagers={"ante": 1000, "bonus_spin": 500}, strategy="optimal")
    >>> found = expected_returns(compile_game("nj-criss-cross"), Plan(seats=(spins, spins)), 0)
    >>> round(float(found["bonus_spin"].community), 4)
    0.0271
    """
    if not game.settings.get("spin_after_fold", True):
        return {}
    found = {}
    for wager, stake in plan.seats[seat].wagers.items():
        others = sum(wager in other.wagers for place, other in enumerate(plan.seats) if place != seat)
        if wager == BONUS_SPIN:
            found[wager] = spin_return(game, wheel_for(game, wager, stake), others)
        elif wager == XTREME:
            found[wager] = xtreme_return(game, stake, others)
    return found


def jackpot_chance(game: Game, plan: Plan, meter: str) -> Fraction | None:
    """How many jackpots of a meter there are in a round, on average; None where nobody can say."""
    feeding = _feeding(game, plan, meter)
    chances = [award.chance for wager in feeding for award in wager.awards if award.percent == 100]
    return sum(chances, Fraction(0)) if chances else None


def long_run_cents(game: Game, plan: Plan, meter: str) -> Fraction | None:
    """What the meter shows on average when it is claimed, over a long time: what goes in is what is paid."""
    feeding, jackpots = _feeding(game, plan, meter), jackpot_chance(game, plan, meter)
    if jackpots is None:
        return None
    goes_in = sum((wager.contribution_cents - wager.drawn_cents for wager in feeding), Fraction(0))
    goes_in += game.whole(f"meters.{meter}.reset_cents") * jackpots
    return goes_in / sum(award.chance * award.percent / 100 for wager in feeding for award in wager.awards)


def _feeding(game: Game, plan: Plan, meter: str) -> list[WagerReturn]:
    return [
        wager
        for seat in range(len(plan.seats))
        for name, wager in expected_returns(game, plan, seat).items()
        if meter_of(game, name).id == meter
    ]
