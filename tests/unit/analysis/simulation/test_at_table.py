"""The table as a simulator: its figures are those of the exact solution, and of any number of processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from crossfelt.analysis.exact.reach import Unreachable
from crossfelt.analysis.families import family_of
from crossfelt.analysis.simulation import figure_checks
from crossfelt.analysis.simulation.api import tally_rounds
from crossfelt.analysis.simulation.figure_checks import checks_of, require_agreement
from crossfelt.analysis.simulation.plan import SeatPlan, Share
from crossfelt.analysis.simulation.plan_builder import plan_for, seat_named
from crossfelt.analysis.simulation.result import figures_of
from crossfelt.cli.main import run
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import from_data
from unit.rulebooks.planted_faults import one, sound_data

STRANGERS = Path(__file__).parents[4] / "examples" / "rulebooks"


def stranger(name: str = "mississippi-stud") -> Game:
    return compile_game(str(STRANGERS / f"{name}.toml"))


def test_the_table_and_the_kernels_have_the_same_exact_figures() -> None:
    """A game that the kernels know, played by the table: every figure agrees with the exact solution."""
    game = compile_game("nj-criss-cross")
    seat = SeatPlan(wagers={"ante": 1000}, strategy="always-1")
    plan = replace(plan_for(game, [seat]), at_table=True)
    tally = tally_rounds(game, plan, 600, workers=1)
    found = figures_of(game, plan, tally, 0.95)
    checks = checks_of(game, plan, tally, found)
    assert {"House edge per ante", "Element of risk", "Across bet: house edge"} <= {check.title for check in checks}
    require_agreement(checks)


def test_processes_and_shares_make_one_whole() -> None:
    game = stranger()
    plan = plan_for(game, [seat_named(game, "always-1"), seat_named(game, "always-2:ante=5")], session_rounds=20)
    whole = tally_rounds(game, plan, 70, workers=1)
    assert tally_rounds(game, plan, 70, workers=2) == whole
    first, second = (tally_rounds(game, plan, 70, share=Share(number, 2), workers=1) for number in (1, 2))
    assert first + second == whole
    assert [seat.rounds for seat in whole.seats] == [70, 70]
    assert whole.seats[1].decisions["third"] == {"2x": 70}


def test_it_names_what_it_does_not_simulate() -> None:
    with pytest.raises(BadInput, match="the table plays this game, and deals it without irregularities"):
        plan_for(stranger(), mishaps_per_million=5)


def test_the_command_says_that_the_table_plays(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def out_of_reach(game: Game) -> None:
        raise Unreachable.form(game, "the dealer has a hand")

    monkeypatch.setattr(figure_checks, "side_bets_of", out_of_reach)
    command = ["simulate", str(STRANGERS / "three-card-poker.toml"), "--rounds", "60", "--seat", "always-1:ante=10"]
    assert run([*command, "--check", "20", "--workers", "1"]) == 0
    told = capsys.readouterr()
    assert "Three Card Poker is played by the table itself, because the vectorised engine does not know it." in told.err
    assert "rounds a second." in told.err
    assert "20 of the rounds were settled a second time, apart from the table: all agree to the cent." in told.out
    assert "Three Card Poker: no exact solution yet. Every figure is sampled." in told.out


# --- families ---


def test_a_label_makes_no_family() -> None:
    """The same rules under another name are known; other rules under a known name are not."""
    data = sound_data("nj-criss-cross")
    data["game"] = "cross_stud"
    assert family_of(compile_game(from_data(data, where="mine"))) == "criss_cross"
    data["game"] = "criss_cross"
    one(data["wager"], id="middle")["settle"] = one(data["wager"], id="down")["settle"]
    assert family_of(compile_game(from_data(data, where="mine"))) is None


@pytest.mark.parametrize("name", ["mississippi-stud", "three-card-poker"])
def test_a_stranger_belongs_to_no_family(name: str) -> None:
    assert family_of(stranger(name)) is None
