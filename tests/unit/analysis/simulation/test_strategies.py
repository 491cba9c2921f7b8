"""Strategies of simulated seats: every name of the solver, with the solver's exact figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from crossfelt.analysis import solve
from crossfelt.analysis.simulation.api import simulate, tally_rounds
from crossfelt.analysis.simulation.plan import SeatPlan, SimulationPlan
from crossfelt.analysis.simulation.plan_builder import plan_for, strategies
from crossfelt.analysis.simulation.referee import disagreements
from crossfelt.analysis.simulation.strategies import OwnStrategy
from crossfelt.analysis.strategies import strategies_of
from crossfelt.analysis.strategies.seen import Seen
from crossfelt.errors import BadInput
from crossfelt.kernels.array_checks import Hands
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.rulebooks import house_ways
from crossfelt.rulebooks.game import compile_game

TOO_FAR = 4.5
ROUNDS = 60_000


@pytest.mark.parametrize("book", ["nj-criss-cross", "nj-double-cross"])
def test_every_way_to_play_returns_what_its_exact_solution_says(book: str) -> None:
    game = compile_game(book)
    names = [*strategies_of(game), "card-5"]
    for some in (names[:4], names[4:]):
        found = simulate(game, rounds=ROUNDS, seats=[SeatPlan(wagers={"ante": 1000}, strategy=name) for name in some])
        for seat in found.seats:
            exact = solve(game, strategy=seat.strategy)
            assert abs(seat.house_edge_per_base.z_score(-float(exact.ev))) < TOO_FAR
            in_play = 1.0
            for decision, rates in exact.decisions.items():
                for action, rate in rates.items():
                    seen, expected = seat.decisions[decision].get(action, 0.0), float(rate) / (in_play or 1.0)
                    spread = (expected * (1 - expected) / max(1.0, ROUNDS * in_play)) ** 0.5
                    assert abs(seen - expected) < TOO_FAR * spread + 1e-9
                in_play = sum(float(rate) for action, rate in rates.items() if action != "fold")


@pytest.mark.parametrize("book", ["nj-criss-cross", "nj-double-cross"])
def test_the_table_agrees_with_cards_and_plans(book: str) -> None:
    game = compile_game(book)
    names = [name for name in strategies(game) if name not in ("card-9", "card-12")][-6:]
    plan = plan_for(game, [SeatPlan(wagers={"ante": 1500}, strategy=name) for name in names], seed="ways")
    assert disagreements(game, plan, 0, range(60)) == []


def test_the_file_of_a_house_way_sets_hands(tmp_path: Path) -> None:
    game, way = compile_game("nj-pai-gow"), tmp_path / "mine.toml"
    way.write_bytes((Path(house_ways.__file__).parent / "house_ways" / "foxwoods.toml").read_bytes())
    mine, shipped = (SeatPlan(wagers={"main": 1000}, strategy=name) for name in (str(way), "foxwoods"))
    assert tally_rounds(game, plan_for(game, [mine]), 3000) == tally_rounds(game, plan_for(game, [shipped]), 3000)


def in_front(seen: Seen, lows: Hands) -> NDArray[np.intp]:
    """Return the options with these cards in front."""
    first, second = np.where((seen.cards["cards"][:, :, None] == lows[:, None, :]).any(axis=2))[1].reshape(-1, 2).T + 1
    return np.array([seen.options.index(f"{one} {two}") for one, two in zip(first, second, strict=True)])


def test_a_function_sets_hands() -> None:
    """A function that asks a house way gives the house way's rounds."""
    game = compile_game("nj-pai-gow")

    def play(seen: Seen) -> NDArray[np.intp]:
        return in_front(seen, set_hands("foxwoods", seen.cards["cards"]).low)

    mine, shipped = (SeatPlan(wagers={"main": 1000}, strategy=name) for name in (OwnStrategy.of(play), "foxwoods"))
    assert tally_rounds(game, plan_for(game, [mine]), 3000) == tally_rounds(game, plan_for(game, [shipped]), 3000)


def test_a_foul_is_refused() -> None:
    def play(seen: Seen) -> NDArray[np.intp]:
        return in_front(seen, np.sort(seen.cards["cards"], axis=1)[:, -2:])

    seat = SeatPlan(wagers={"main": 1000}, strategy=OwnStrategy.of(play))
    with pytest.raises(BadInput, match="the strategy sets a foul: the low hand ranks above the high hand"):
        tally_rounds(compile_game("nj-pai-gow"), SimulationPlan(seats=(seat,)), 300)


def test_allowed_strategies_fit_one_line() -> None:
    seats = [SeatPlan(wagers={"ante": 1000}, strategy="card-99")]
    told = r"no such strategy: 'card-99' \(allowed: optimal, never-fold, .*, always-3, always-fold, card-3 … card-15\)"
    with pytest.raises(BadInput, match=told):
        plan_for(compile_game("nj-criss-cross"), seats)
