"""Strategies of simulated seats: every name, with the exact figures that an enumeration of all positions gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from crossfelt.analysis.simulation.api import simulate, tally_rounds
from crossfelt.analysis.simulation.exact_values import exact_solution
from crossfelt.analysis.simulation.plan import SeatPlan, SimulationPlan
from crossfelt.analysis.simulation.plan_builder import plan_for
from crossfelt.analysis.simulation.referee import disagreements
from crossfelt.analysis.simulation.strategies import OwnStrategy
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.strategies.named import strategies_of
from crossfelt.analysis.strategies.seen import Seen
from crossfelt.errors import BadInput
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.random_deals import Hands
from crossfelt.rulebooks import house_ways
from crossfelt.rulebooks.game import Game, compile_game

TOO_FAR = 4.5
ROUNDS = 60_000
EXAMPLES = Path(__file__).parents[4] / "examples" / "rulebooks"


def seat(game: Game, name: str, cents: int) -> SeatPlan:
    opening = [game.wager(wager) for wager in RoundPlan(game).opening]
    return SeatPlan(wagers={wager.group or wager.id: cents for wager in opening}, strategy=name)


@pytest.mark.parametrize("book", ["nj-double-cross", "mississippi-stud", "let-it-ride", "three-card-poker"])
def test_every_way_to_play_returns_what_its_exact_solution_says(book: str) -> None:
    game = compile_game(book if book.startswith("nj") else str(EXAMPLES / f"{book}.toml"))
    require_same_figures(game, [*strategies_of(game), "card-4"])


@pytest.mark.parametrize("name", ["simple", pytest.param("always-2", marks=pytest.mark.soak)])
def test_a_strategy_of_a_game_with_many_positions_returns_what_its_exact_solution_says(name: str) -> None:
    require_same_figures(compile_game("nj-criss-cross"), [name])


def require_same_figures(game: Game, names: list[str]) -> None:
    """Simulate strategies, and compare returns and decisions with the enumeration of all positions."""
    for some in (names[:4], names[4:]):
        found = simulate(game, rounds=ROUNDS, seats=[seat(game, name, 1000) for name in some]).seats if some else ()
        for each in found:
            exact = exact_solution(game, each.strategy)
            assert exact is not None
            edge = each.house_edge_per_base
            assert abs(edge.value + float(exact.ev)) <= TOO_FAR * edge.standard_error + 1e-9, each.strategy
            # The simulation names a decision after its bet.
            for simulated, rates in zip(filter(None, each.decisions.values()), exact.decisions.values(), strict=False):
                asked = float(sum(rates.values()))
                for action, rate in rates.items():
                    expected = float(rate) / asked
                    spread = (expected * (1 - expected) / max(1.0, ROUNDS * asked)) ** 0.5
                    seen = simulated[action].value if action in simulated else 0.0
                    assert abs(seen - expected) < TOO_FAR * spread + 1e-9, each.strategy


@pytest.mark.parametrize("book", ["nj-criss-cross", "nj-double-cross"])
def test_the_table_agrees_with_cards_and_plans(book: str) -> None:
    game = compile_game(book)
    names = ["card-6", *strategies_of(game)][:6]
    plan = plan_for(game, [seat(game, name, 1500) for name in names], seed="ways")
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
        return in_front(seen, set_hands("foxwoods", seen.cards["cards"].astype(np.uint8)).low)

    mine, shipped = (SeatPlan(wagers={"main": 1000}, strategy=name) for name in (OwnStrategy.of(play), "foxwoods"))
    assert tally_rounds(game, plan_for(game, [mine]), 3000) == tally_rounds(game, plan_for(game, [shipped]), 3000)


def test_a_foul_is_refused() -> None:
    def play(seen: Seen) -> NDArray[np.intp]:
        return in_front(seen, np.sort(seen.cards["cards"].astype(np.uint8), axis=1)[:, -2:])

    mine = SeatPlan(wagers={"main": 1000}, strategy=OwnStrategy.of(play))
    with pytest.raises(BadInput, match="the strategy sets a foul: the low hand ranks above the high hand"):
        tally_rounds(compile_game("nj-pai-gow"), SimulationPlan(seats=(mine,)), 300)


def test_best_play_of_hands_that_are_set_is_refused_with_what_to_use() -> None:
    optimal = SeatPlan(wagers={"main": 1000}, strategy="optimal")
    told = r"is not simulated; crossfelt solve has its exact value: 'optimal' \(allowed: house-way, "
    with pytest.raises(BadInput, match=told):
        plan_for(compile_game("nj-pai-gow"), [optimal])


def test_allowed_strategies_fit_one_line() -> None:
    game = compile_game("nj-criss-cross")
    told = r"no such strategy: 'card-99' \(allowed: optimal, simple, never-fold, .*, always-3, card-1 … card-15\)"
    with pytest.raises(BadInput, match=told):
        plan_for(game, [seat(game, "card-99", 1000)])
