"""Reports cannot lie: a planted fault in a kernel, the odds or the table ends a simulation and every report of it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.estimates import CONFIDENCE, around, proportion
from crossfelt.analysis.simulation.api import simulate
from crossfelt.analysis.simulation.figure_checks import FigureCheck, require_agreement
from crossfelt.analysis.simulation.payoffs import Prices
from crossfelt.analysis.simulation.plan import SeatPlan
from crossfelt.analysis.simulation.plan_builder import plan_for, strategies
from crossfelt.analysis.simulation.referee import refereed
from crossfelt.analysis.simulation.rule_codes import RuleCodes
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.what_if import with_pay
from crossfelt.cli.main import run
from crossfelt.errors import CheckFailed
from crossfelt.reports.par_sheet import par_sheet
from crossfelt.reports.study import ReportRequest, study
from crossfelt.rulebooks.game import Game, compile_game

OTHER_STATE = Path(__file__).parents[3] / "data" / "rulebooks" / "other-state.toml"
STRANGERS = Path(__file__).parents[4] / "examples" / "rulebooks"


def rate(exact: str, times: int, of: int) -> FigureCheck:
    chance = Fraction(exact)
    return FigureCheck(
        "Jackpots", "of all rounds", chance, proportion(times, of, CONFIDENCE), float(chance / of) ** 0.5, of, 1.0
    )


def test_a_rare_event_that_happens_is_no_contradiction() -> None:
    """One jackpot where a hundredth is expected lies ten standard errors off, and happens once in a hundred runs."""
    once = rate("1/100000000", 1, 1_000_000)
    assert once.distance > 9
    require_agreement([once])


def test_the_interval_of_an_event_that_did_not_happen_is_not_that_of_its_chance() -> None:
    never = rate("1/100000000", 0, 1_000)
    assert never.found.low == 0.0
    assert never.found.high == pytest.approx(0.00383, abs=0.00001)


def test_too_many_rare_events_are_a_contradiction() -> None:
    with pytest.raises(CheckFailed) as failed:
        require_agreement([rate("1/2", 500_000, 1_000_000), rate("1/100000", 60, 1_000_000)])
    said = str(failed.value)
    assert "Jackpots (of all rounds): exact 0.0010 %, simulated 0.0060 %, 15.8 standard errors apart" in said
    assert "1 figure contradicts the exact solution" in said


def test_more_figures_may_lie_further_off() -> None:
    coin = rate("1/2", 502_900, 1_000_000)._replace(error=0.0005)
    assert coin.limit(1) < coin.distance < coin.limit(40)


def test_a_figure_without_any_spread_must_be_exact() -> None:
    stuck = FigureCheck(
        "House edge", "of one ante", Fraction(1, 2), around(1.0, 0.0, CONFIDENCE), 0.0, 1_000_000, 10.0, spread=4.0
    )
    assert stuck.distance > stuck.limit(20)


# --- planted faults ---


def overpaid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the vectorised engine pay every wager twice."""
    right = RuleCodes.prices

    def wrong(self: RuleCodes, stake: int) -> Prices:
        prices = right(self, stake)
        return Prices(prices.stake, prices.returned, 2 * prices.paid, prices.commission, prices.result)

    monkeypatch.setattr(RuleCodes, "prices", wrong)


def at_most_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the vectorised engine take bets up to three times an ante of $10, whatever the strategy says."""
    right = RuleCodes.prices
    monkeypatch.setattr(RuleCodes, "prices", lambda self, stake: right(self, min(stake, 30_00)))


@pytest.mark.parametrize("plant", [overpaid, at_most_three_times])
def test_the_table_finds_a_wrong_kernel(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = compile_game(str(OTHER_STATE))
    plan = plan_for(game)
    assert refereed(game, plan, 60) == []
    plant(monkeypatch)
    assert refereed(game, plan, 60)


@pytest.mark.parametrize("plant", [overpaid, at_most_three_times])
def test_the_exact_figures_find_a_wrong_kernel(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where nobody asks the table."""
    plant(monkeypatch)
    command = ["simulate", str(OTHER_STATE), "--rounds", "60000", "--seat", "optimal:ante=10", "--check", "0"]
    assert run(command) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "House edge per ante (of one ante): exact -27.3553 %, simulated" in captured.err, "at the limit"
    assert "standard errors apart; chance allows" in captured.err


def test_a_report_on_wrong_odds_is_not_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The solver is given other odds than the table: two pair at 3 to 1."""

    def wrong(game: Game, **more: Any) -> Any:
        return solve(with_pay(game, {"main.two_pair": "3 to 1"}), **more)

    monkeypatch.setattr(sys.modules["crossfelt.reports.study"], "solve", wrong)
    out = tmp_path / "par.json"
    stud = str(STRANGERS / "mississippi-stud.toml")
    assert run(["report", stud, "--quick", "--rounds", "60000", "--out", str(out)]) == 1
    assert not out.exists()
    assert "standard errors apart" in capsys.readouterr().err


# --- games that nobody listed ---


def test_bets_may_be_five_times_the_ante() -> None:
    game = compile_game(str(OTHER_STATE))
    assert {"optimal", "always-5"} <= set(strategies(game))
    found = simulate(game, rounds=5_000, seats=[SeatPlan(wagers={"ante": 1000}, strategy="always-5")])
    assert found.seats[0].decisions["middle"]["5x"].value == 1.0
    assert found.seats[0].average_total_wagered.value == 2 + 3 * 5


def test_a_game_without_exact_solution_says_so_and_shows_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_reach(game: Game) -> None:
        raise Unreachable.form(game, "the dealer has a hand")

    monkeypatch.setattr(sys.modules["crossfelt.reports.study"], "solve", out_of_reach)
    asked = ReportRequest(game=compile_game(str(STRANGERS / "three-card-poker.toml")), named="x", rounds=20, quick=True)
    made = study(asked)
    assert made.solution is None
    section = next(section for section in par_sheet(made).sections if section.id == "return")
    said = str(section)
    assert "Three Card Poker: no exact solution yet (the dealer has a hand)" in said
    assert said.count("95 % confidence") == 5
    assert "simulation, 20 rounds" in said
