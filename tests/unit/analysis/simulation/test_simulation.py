"""Simulations: the same result for any division, the table as referee, exact figures within their intervals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from crossfelt.analysis import solve
from crossfelt.analysis.estimates import mean, ratio
from crossfelt.analysis.simulation.api import simulate, tally_rounds
from crossfelt.analysis.simulation.figure_checks import checks_of, require_agreement
from crossfelt.analysis.simulation.plan import SeatPlan, Share, SimulationPlan, share_named
from crossfelt.analysis.simulation.plan_builder import plan_for, simulated_wagers, strategies
from crossfelt.analysis.simulation.referee import disagreements
from crossfelt.analysis.simulation.result import figures_of
from crossfelt.analysis.simulation.rounds import block_of, play_blocks
from crossfelt.analysis.simulation.strategies import OwnStrategy
from crossfelt.analysis.simulation.tally import SimulationTally
from crossfelt.analysis.strategies.seen import Seen
from crossfelt.errors import BadInput
from crossfelt.progressive.wheels import stakes
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import rulebook_ids
from soak_length import one_of_each_game, scaled

TOO_FAR = 4.5
"""Standard errors exceeded once in 150,000."""


def _everybody(game: Game) -> list[SeatPlan]:
    """Return a seat for each strategy, as far as there are seats, at stakes that leave odd cents."""
    names = (list(strategies(game)) * 6)[: min(6, game.book.table.seats)]
    usual = simulated_wagers(game)
    return [
        SeatPlan(wagers={name: _odd(game, name, cents, place) for name, cents in usual.items()}, strategy=strategy)
        for place, strategy in enumerate(names)
    ]


def _odd(game: Game, name: str, cents: int, place: int) -> int:
    """Return another stake for each seat; wheels have some stakes only, and credits are few."""
    if game.offers(name) and game.wager(name).unit == "credits":
        return 1 + place % game.limits(name).max
    fixed = stakes(game, name)
    return fixed[place % len(fixed)] if fixed else cents + 100 * place


@pytest.mark.parametrize("book", one_of_each_game())
@pytest.mark.parametrize("rounds", [15, pytest.param(150, marks=pytest.mark.soak)])
def test_the_table_agrees_to_the_cent(book: str, rounds: int) -> None:
    game = compile_game(book)
    plan = plan_for(game, _everybody(game), seed="referee")
    assert disagreements(game, plan, 3, range(rounds)) == []


@pytest.mark.soak
@pytest.mark.parametrize("book", rulebook_ids())
def test_the_table_agrees_to_the_cent_in_many_rounds(book: str) -> None:
    game = compile_game(book)
    plan = plan_for(game, _everybody(game), seed="long referee")
    assert disagreements(game, plan, 0, range(scaled(20_000))) == []


STRANGERS = sorted((Path(__file__).parents[4] / "examples" / "rulebooks").glob("*.toml"))
OTHERS = sorted((Path(__file__).parents[3] / "data" / "rulebooks").glob("*.toml"))
AT_TABLE = ("good-hands",)
"""Games that the table itself plays: `test_at_table.py` has the reason."""


@pytest.mark.parametrize(
    "file", [file for file in (*STRANGERS, *OTHERS) if file.stem not in AT_TABLE], ids=lambda file: file.stem
)
@pytest.mark.parametrize("mishaps", [0, 500_000])
@pytest.mark.parametrize("rounds", [15, pytest.param(500, marks=pytest.mark.soak)])
def test_the_table_agrees_on_any_game(file: Path, mishaps: int, rounds: int) -> None:
    game = compile_game(str(file))
    names = [name for name in strategies(game) if name.startswith("always-")] or strategies(game)
    usual = simulated_wagers(game)
    seats = [SeatPlan(wagers=usual, strategy=name) for name in names[: game.book.table.seats - 1]]
    seats.append(SeatPlan(wagers=dict(list(usual.items())[:1]), strategy=names[0]))
    plan = plan_for(game, seats, seed="referee", mishaps_per_million=mishaps)
    assert disagreements(game, plan, 1, range(rounds)) == []


@pytest.mark.parametrize("name", ["mississippi-stud", "three-card-poker"])
def test_best_play_of_any_game_has_its_exact_figures(name: str) -> None:
    """A figure that contradicts its exact value raises CheckFailed."""
    game = compile_game(str(next(file for file in STRANGERS if file.stem == name)))
    seats = [SeatPlan(wagers={"ante": 1000}, strategy="optimal")]
    plan = plan_for(game, seats)
    tally = tally_rounds(game, plan, 60_000)
    found = figures_of(game, plan, tally, 0.95)
    checks = checks_of(game, plan, tally, found)
    assert {"House edge per ante", "Element of risk", "Rounds won"} <= {c.title for c in checks}
    require_agreement(checks)


def test_a_wager_and_the_bonus_beside_it_have_exact_figures_of_their_own() -> None:
    game = compile_game(str(next(file for file in STRANGERS if file.stem == "three-card-poker")))
    seats = [SeatPlan(wagers={"ante": 1000}, strategy="optimal")]
    plan = plan_for(game, seats)
    tally = tally_rounds(game, plan, 60_000)
    found = figures_of(game, plan, tally, 0.95)
    checks = checks_of(game, plan, tally, found)
    assert {"Ante without its bonus: house edge", "Ante bonus: average"} <= {check.title for check in checks}
    require_agreement(checks)
    ante, bonus = (found.seats[0].wagers[name] for name in ("ante", "ante_bonus"))
    assert ante.house_edge is not None
    assert ante.house_edge.exact is not None
    assert bonus.net_per_round.exact is not None
    # Straights, threes of a kind and straight flushes are always played.
    assert bonus.net_per_round.exact == pytest.approx(1000 * (720 * 1 + 52 * 4 + 48 * 5) / 22_100)
    whole = solve(game).by_wager()["ante"].house_edge
    assert ante.house_edge.exact - bonus.net_per_round.exact / 1000 == pytest.approx(float(whole))


def test_a_seat_without_the_wager_of_the_game_is_not_compared_with_it() -> None:
    game = compile_game(str(next(file for file in STRANGERS if file.stem == "three-card-poker")))
    plan = plan_for(game, [SeatPlan(wagers={"pair_plus": 500}, strategy="optimal")])
    tally = tally_rounds(game, plan, 20_000)
    found = figures_of(game, plan, tally, 0.95)
    checks = checks_of(game, plan, tally, found)
    assert {check.title for check in checks} == {"Pair plus: house edge", "Pair plus: paid"}
    require_agreement(checks)
    assert found.seats[0].decisions == {}


def test_a_function_of_what_a_seat_sees_plays() -> None:
    """Pairs and high cards bet, other hands fold: every number of its choices is counted again."""
    game = compile_game(str(next(file for file in STRANGERS if file.stem == "mississippi-stud")))

    def play(seen: Seen) -> NDArray[np.intp]:
        ranks = seen.cards["hole"] // 4
        good = (ranks[:, 0] == ranks[:, 1]) | (ranks.max(axis=1) >= 9)
        return np.where(good, seen.options.index("1x"), seen.options.index("fold"))

    found = simulate(game, rounds=40_000, seats=[SeatPlan(wagers={"ante": 1000}, strategy=OwnStrategy.of(play))])
    bad = Fraction(9 * 8 * 16, 52 * 51)
    assert found.seats[0].decisions["third"]["fold"].value == pytest.approx(float(bad), abs=0.01)
    assert [(name, rate.value) for name, rate in found.seats[0].decisions["fifth"].items()] == [("1x", 1.0)]


LIMITED: tuple[tuple[str, dict[str, Any], dict[str, int]], ...] = (
    ("nj-criss-cross", {}, {"ante": 500_00}),
    ("ma-criss-cross", {"payout_limit": {"amount_cents": 50_000_00}}, {"ante": 500_00}),
    ("md-criss-cross", {}, {"ante": 500_00}),
)


@pytest.mark.parametrize(("book", "stated", "wagers"), LIMITED)
def test_payout_limits_cut_what_the_table_cuts(book: str, stated: dict[str, Any], wagers: dict[str, int]) -> None:
    game = compile_game(book, stated)
    plan = plan_for(game, [SeatPlan(wagers=wagers, strategy="always-3")], seed="limit")
    block = block_of(game, plan, 0, plan.block_rounds)
    cut = sorted({int(row) for wagered in block.wagers[0].values() for row in wagered.cut_rounds})
    assert cut, "no round of this block reaches the limit: the test shows nothing"
    assert disagreements(game, plan, 0, cut[:20]) == []


def test_envy_awards_equal_the_tables() -> None:
    game = compile_game("nj-pai-gow")
    enough = game.whole("wagers.seven_card.envy_min_cents")
    seats = [SeatPlan(wagers={"main": 1000, "seven_card": enough}, strategy="house-way")] * 5
    seats += [SeatPlan(wagers={"main": 1000, "seven_card": enough - 100}, strategy="house-way")]
    plan = plan_for(game, seats, seed="envy")
    block = block_of(game, plan, 0, plan.block_rounds)
    paid = [row for row in range(plan.block_rounds) if block.wagers[0]["seven_card_envy"].settled(row)]
    assert len(paid) > 20, "too few hands of this block bring envy: the test shows little"
    assert disagreements(game, plan, 0, paid[:60]) == []


SIDE_BETS = {"criss_cross": "five_card_bonus", "double_cross": "three_card"}


@pytest.mark.parametrize("book", ["nj-criss-cross", "ma-criss-cross", "md-criss-cross", "nj-double-cross"])
def test_optimal_play_returns_what_the_exact_solution_says(book: str) -> None:
    game, exact = compile_game(book), solve(book)
    side = SIDE_BETS[game.book.game]
    seats = [SeatPlan(wagers={"ante": 1000, side: 500}, strategy="optimal")] * 6
    found = simulate(game, rounds=60_000, seats=seats)
    for seat in found.seats:
        in_play = 1.0
        for decision, rates in exact.decisions.items():
            for action, rate in rates.items():
                seen, n = seat.decisions[decision].get(action), found.rounds * in_play
                expected = float(rate) / in_play
                far = TOO_FAR * (expected * (1 - expected) / n) ** 0.5 + 1e-9
                assert abs((seen.value if seen else 0.0) - expected) < far
                assert seen is None or seen.exact == pytest.approx(expected)
            in_play = sum(float(rate) for action, rate in rates.items() if action != "fold")
        bonus = seat.wagers[side].house_edge
        assert bonus is not None
        assert abs(bonus.value - float(exact.side_bets[side].house_edge)) < TOO_FAR * bonus.standard_error
        main = seat.net_per_round.value + 500 * bonus.value
        spread = seat.net_per_round.standard_error + 500 * bonus.standard_error
        assert abs(main / 1000 - float(exact.ev)) < TOO_FAR * spread / 1000


def test_the_number_of_workers_changes_nothing() -> None:
    game = compile_game("nj-pai-gow")
    plan = plan_for(game, _everybody(game)[:2])
    rounds = 2 * plan.block_rounds + 777
    one, three = (tally_rounds(game, plan, rounds, workers=workers) for workers in (1, 3))
    assert one == three
    assert one.rounds == rounds


def test_a_simulation_in_two_parts_is_the_simulation_in_one() -> None:
    game = compile_game("nj-double-cross")
    plan = plan_for(game)
    rounds = 3 * plan.block_rounds + 10
    first = tally_rounds(game, plan, plan.block_rounds)
    assert tally_rounds(game, plan, rounds, so_far=first) == tally_rounds(game, plan, rounds)


@pytest.mark.parametrize("shares", [2, 3, 7])
def test_shares_add_up_to_the_whole_in_any_order(shares: int) -> None:
    game = compile_game("nj-double-cross")
    plan = plan_for(game, session_rounds=20_000)
    rounds = 4 * plan.block_rounds + 10
    found = [tally_rounds(game, plan, rounds, share=Share(number, shares)) for number in range(1, shares + 1)]
    assert [part.rounds for part in found] == [
        len(Share(number, shares).span(game, plan, rounds)) for number in range(1, shares + 1)
    ]
    assert sum(reversed(found), SimulationTally()) == sum(found, SimulationTally()) == tally_rounds(game, plan, rounds)


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "1/0", "a/b", "-1/3", "1/3/5", ""])
def test_no_such_share(text: str) -> None:
    with pytest.raises(BadInput, match="no such share"):
        share_named(text)


def test_another_seed_gives_other_rounds() -> None:
    found = [simulate("nj-double-cross", rounds=3000, seed=seed).seats[0].net_per_round.value for seed in (1, 2)]
    assert found[0] != found[1]


@pytest.mark.parametrize("book", one_of_each_game())
def test_sums_are_consistent(book: str) -> None:
    game = compile_game(book)
    plan = plan_for(game, _everybody(game))
    tally = tally_rounds(game, plan, 5000)
    for seat in tally.seats:
        assert seat.rounds == tally.rounds == 5000
        assert seat.net == sum(wager.net for wager in seat.wagers.values())
        assert sum(seat.sessions.values()) == sum(seat.drawdowns.values()) == 5000 // plan.session_rounds
        assert sum(cents * count for cents, count in seat.sessions.items()) == seat.net
        assert min(seat.drawdowns) >= 0
        for wager in seat.wagers.values():
            assert sum(wager.results.values()) == wager.placed
        asked = 5000
        for taken in seat.decisions.values():
            assert sum(taken.values()) == asked
            asked -= taken.get("fold", 0)


def test_a_drawdown_is_measured_from_the_most_there_was() -> None:
    game = compile_game("nj-double-cross")
    plan = plan_for(game, session_rounds=50)
    block = block_of(game, plan, 0, 500)
    net = np.sum([wagered.net for wagered in block.wagers[0].values()], axis=0).tolist()
    worst: dict[int, int] = {}
    for session in range(10):
        most = here = deepest = 0
        for cents in net[50 * session : 50 * (session + 1)]:
            here += cents
            most = max(most, here)
            deepest = max(deepest, most - here)
        worst[deepest] = worst.get(deepest, 0) + 1
    (done,) = play_blocks(game, plan, range(500))
    assert done.tally.seats[0].drawdowns == worst


def test_estimates_are_those_of_the_plain_formulas() -> None:
    numbers, bases = [3, -1, 4, -1, -5, 9], [2, 1, 2, 1, 2, 3]
    n, total = len(numbers), sum(numbers)
    variance = Fraction(sum(x * x for x in numbers)) - Fraction(total * total, n)
    found = mean(total, sum(x * x for x in numbers), n, 0.95)
    assert found.standard_error == pytest.approx(float(variance / (n - 1) / n) ** 0.5)
    assert found.high - found.value == pytest.approx(1.959964 * found.standard_error, rel=1e-6)
    r = total / sum(bases)
    residues = sum((x - r * b) ** 2 for x, b in zip(numbers, bases, strict=True))
    products = sum(x * b for x, b in zip(numbers, bases, strict=True))
    told = ratio(total, sum(x * x for x in numbers), sum(bases), sum(b * b for b in bases), products, n, 0.95)
    assert told.value == pytest.approx(r)
    assert told.standard_error == pytest.approx((residues * n / (n - 1)) ** 0.5 / sum(bases))


BAD_PLANS: tuple[tuple[list[SeatPlan], str], ...] = (
    ([SeatPlan(wagers={"ante": 1000}, strategy="clever")], "no such strategy: 'clever'"),
    ([SeatPlan(wagers={"ante": 1050}, strategy="optimal")], "this stake is not allowed"),
    (
        [SeatPlan(wagers={"ante": 1000, "lottery": 100}, strategy="optimal")],
        "not a wager that can be simulated: 'lottery'",
    ),
    ([SeatPlan(wagers={}, strategy="optimal")], "the base wager is missing"),
    ([SeatPlan(wagers={"ante": 1000}, strategy="optimal")] * 7, "more players than seats: 7"),
)


@pytest.mark.parametrize(("seats", "told"), BAD_PLANS)
def test_invalid_plans_are_refused(seats: list[SeatPlan], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        plan_for(compile_game("nj-criss-cross"), seats)


def test_no_rounds_are_refused() -> None:
    with pytest.raises(BadInput, match="too few rounds"):
        simulate("nj-double-cross", rounds=0)


def test_blocks_hold_whole_sessions() -> None:
    for session in (1, 7, 200, 100_000):
        assert SimulationPlan(session_rounds=session).block_rounds % session == 0


@pytest.mark.parametrize("fixed", [False, True])
def test_a_bet_may_be_a_multiple_of_an_earlier_bet(fixed: bool, tmp_path: Path) -> None:
    """Its amounts have the step of the ante, or, where that has fixed amounts, of their chips."""
    text = (Path(__file__).parents[4] / "examples" / "rulebooks" / "mississippi-stud.toml").read_text()
    text = text.replace(
        'title = "Fourth Street bet"\nstake = { of = "ante"', 'title = "Fourth"\nstake = { of = "third"'
    )
    text = text.replace("whole = true", "whole = false")
    (file := tmp_path / "multiples.toml").write_text(
        text.replace('stake = { posted = "ante" }', "stake = { cents = [500, 1500] }") if fixed else text
    )
    game = compile_game(str(file))
    assert game.bet_step(game.wager("fourth")) == (500 if fixed else 100)
    plan = plan_for(game, [SeatPlan(wagers={"ante": 1500}, strategy="optimal")])
    assert disagreements(game, plan, 0, range(15)) == []
