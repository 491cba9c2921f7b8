"""The table as a simulator, for a game that the vectorised engine does not know."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from crossfelt.analysis.simulation.api import simulate, tally_rounds
from crossfelt.analysis.simulation.figure_checks import checks_of, require_agreement
from crossfelt.analysis.simulation.plan import SeatPlan, Share
from crossfelt.analysis.simulation.plan_builder import plan_for, seat_named, why_at_table
from crossfelt.analysis.simulation.result import figures_of
from crossfelt.cli.main import run
from crossfelt.errors import BadInput, CheckFailed
from crossfelt.games.rules import Rules
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import from_data
from crossfelt.rulebooks.model import Wager
from unit.rulebooks.planted_faults import one

STRANGERS = Path(__file__).parents[4] / "examples" / "rulebooks"
OTHERS = Path(__file__).parents[3] / "data" / "rulebooks"


def with_a_joker() -> dict[str, Any]:
    """Return Mississippi Stud with a joker and without its side bet, as the data of a file."""
    data = tomllib.loads((STRANGERS / "mississippi-stud.toml").read_text())
    data["deck"] = {"cards": 53}
    for table in ("hand", "wager", "paytable"):
        data[table] = [each for each in data[table] if each["id"] not in ("board", "three_card")]
    for step in data["script"]:
        step |= {"wagers": [wager for wager in step["wagers"] if wager != "three_card"]} if "wagers" in step else {}
        for action in step.get("actions", ()):
            action |= {"keeps": []} if "keeps" in action else {}
    one(data["hand"], id="final")["order"] = "joker_five"
    pays = one(data["paytable"], id="main")
    pays |= {"order": "joker_five", "lines": [{"hand": "five_aces", "odds": "500 to 1"}, *pays["lines"]]}
    return data


def joker_stud() -> Game:
    return compile_game(from_data(with_a_joker(), where="mine"))


def test_it_says_why_the_table_plays() -> None:
    assert why_at_table(joker_stud()) == "the deck has a joker"
    assert why_at_table(compile_game(str(STRANGERS / "mississippi-stud.toml"))) == ""
    passing = compile_game(str(OTHERS / "good-hands.toml"))
    assert why_at_table(passing) == "the decision more passes over some hands"


def test_the_table_has_the_same_exact_figures() -> None:
    """A game that the vectorised engine knows, played by the table: every figure agrees with the exact solution."""
    game = compile_game("nj-criss-cross")
    seat = SeatPlan(wagers={"ante": 1000}, strategy="always-1")
    plan = replace(plan_for(game, [seat]), at_table=True)
    tally = tally_rounds(game, plan, 200, workers=1)
    found = figures_of(game, plan, tally, 0.95)
    checks = checks_of(game, plan, tally, found)
    assert {"House edge per ante", "Element of risk", "Across bet: house edge"} <= {check.title for check in checks}
    require_agreement(checks)


def test_processes_and_shares_make_one_whole() -> None:
    game = joker_stud()
    plan = plan_for(game, [seat_named(game, "always-1"), seat_named(game, "always-2:ante=5")], session_rounds=20)
    whole = tally_rounds(game, plan, 70, workers=1)
    assert tally_rounds(game, plan, 70, workers=2) == whole
    first, second = (tally_rounds(game, plan, 70, share=Share(number, 2), workers=1) for number in (1, 2))
    assert first + second == whole
    assert [seat.rounds for seat in whole.seats] == [70, 70]
    assert whole.seats[1].decisions["third"] == {"2x": 70}


def test_it_names_what_it_does_not_simulate() -> None:
    with pytest.raises(BadInput, match="the table plays this game, and deals it without irregularities"):
        plan_for(joker_stud(), mishaps_per_million=5)


def test_the_command_says_that_the_table_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "joker-stud.json"
    file.write_text(json.dumps(with_a_joker()))
    command = ["simulate", str(file), "--rounds", "60", "--seat", "always-1:ante=10"]
    assert run([*command, "--check", "20", "--workers", "1"]) == 0
    told = capsys.readouterr()
    assert "The table itself plays Mississippi Stud: the deck has a joker." in told.err
    assert "rounds a second." in told.err
    assert "20 of the rounds were settled a second time, apart from the table: all agree to the cent." in told.out
    assert "No figure of these seats has an exact value. Every figure is sampled." in told.out


def test_the_second_settlement_finds_a_wrong_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the table itself plays, the second settlement is its referee."""
    game, right = joker_stud(), Rules.settle

    def wrong(self: Rules, wager: Wager, stake: int, spot: Any) -> Any:
        settled = right(self, wager, stake, spot)
        return replace(settled, paid=settled.paid + 100) if settled.result == "win" else settled

    seat = SeatPlan(wagers={"ante": 1000}, strategy="always-1")
    assert simulate(game, rounds=40, seats=[seat], workers=1).rounds == 40
    monkeypatch.setattr(Rules, "settle", wrong)
    with pytest.raises(CheckFailed, match="The second settlement contradicts the table"):
        simulate(game, rounds=40, seats=[seat], workers=1)
