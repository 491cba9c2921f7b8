"""The referee checks rare rounds first and can disagree; expectations have the variance of an enumeration."""

from __future__ import annotations

from fractions import Fraction

import pytest

from crossfelt.analysis.simulation import wheels
from crossfelt.analysis.simulation.api import tally_rounds
from crossfelt.analysis.simulation.exact_values import expected_results, jackpot_chance
from crossfelt.analysis.simulation.plan import SeatPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.simulation.referee import rare_rounds, refereed
from crossfelt.analysis.simulation.rounds import block_of
from crossfelt.progressive.wheels import Prize, prize_of, wheel_for
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.model import Wheel

SPINNING = SeatPlan(wagers={"ante": 1000, "bonus_spin": 500}, strategy="always-1")
WEIGHTS = [40, 5, 50, 75, 100, 675, 200, 220, 340, 300, 474, 555]


def spin_game(**more: object) -> Game:
    """A spin that no fold gives up, so that its return is known whatever the seats decide."""
    stated = {"wagers": {"bonus_spin": {"weights": WEIGHTS, **more}}, "settings": {"spin_after_fold": "kept"}}
    return compile_game("nj-criss-cross", stated)


def test_rare_rounds_are_refereed_first() -> None:
    game = spin_game()
    plan = plan_for(game, [SPINNING] * 2, mishaps_per_million=100)
    block = block_of(game, plan, 0, plan.block_rounds)
    rare = rare_rounds(block)
    won = {int(row) for seat in block.wagers for row in seat["bonus_spin"].meter_rounds}
    assert won
    assert won <= set(rare)
    assert len(rare) < 200
    assert refereed(game, plan, 40) == []
    assert refereed(game, plan, 0) == []


def test_the_referee_detects_a_wrong_payment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate with every slice overpaid by a cent: in 200 rounds of two seats some seat spins, whatever the seed."""

    def overpaid(game: Game, wheel: Wheel, index: int) -> Prize:
        prize = prize_of(game, wheel, index)
        return Prize(cents=prize.cents + 1, meter=prize.meter)

    game = spin_game()
    plan = plan_for(game, [SPINNING] * 2)
    monkeypatch.setattr(wheels, "prize_of", overpaid)
    assert refereed(game, plan, 200)


@pytest.mark.parametrize("top", ["fixed", "progressive"])
def test_mean_and_variance_of_a_spin_are_those_of_enumeration(top: str) -> None:
    game = spin_game(top_prize=top)
    plan = plan_for(game, [SPINNING])
    tally = tally_rounds(game, plan, 5000)
    found = expected_results(game, plan, tally, 0)["bonus_spin"]
    wheel = wheel_for(game, "bonus_spin", 500)
    first = Fraction(0)
    second = Fraction(0)
    for weight, slice_ in zip(WEIGHTS, wheel.slices, strict=True):
        chance = Fraction(weight, 17 * sum(WEIGHTS))
        if slice_.pays_cents is not None or top == "fixed":
            prize = Fraction(slice_.pays_cents or game.whole("wagers.bonus_spin.fixed_prize_cents"))
            first, second = first + chance * prize, second + chance * prize**2
        else:
            meter = tally.meters["bonus_spin"]
            first += chance * Fraction(meter.shown_cents, meter.rounds)
            second += chance * Fraction(meter.shown_squared, meter.rounds)
            assert jackpot_chance(game, plan, "bonus_spin") == chance
    assert found.net == first - 500
    assert found.variance == second - first**2
