"""Outcomes of each wager, sessions of many rounds, and pay lines raised and lowered by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.risk import sessions
from crossfelt.analysis.sensitivity import base_lines, of_game, of_side_bet
from crossfelt.analysis.solution import Distribution, PayOutcome, SideBet
from crossfelt.rulebooks.game import compile_game

CRISS_CROSS = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross")


@pytest.mark.parametrize("known", ["", "across"])
@pytest.mark.parametrize("rulebook", CRISS_CROSS)
def test_contributions_of_wagers_add_up_to_the_round(rulebook: str, known: str) -> None:
    solution = solve(rulebook, known=known, pay={"bets.flush": "15 to 2", "ante.flush": 2})
    wagers = solution.by_wager()
    assert sum((wager.ev for wager in wagers.values()), Fraction(0)) == solution.ev
    assert sum((wager.average_stake for wager in wagers.values()), Fraction(0)) == solution.average_total_wagered
    for decision, rates in solution.decisions.items():
        bet = decision.removeprefix("decide_")
        assert wagers[bet].placed == sum(rate for choice, rate in rates.items() if choice != "fold")
    assert {wager.deals for wager in wagers.values()} == {solution.distribution.deals}


def test_ante_and_raise_add_up_to_the_round() -> None:
    solution = solve("nj-double-cross", pay={"raise.flush": "15 to 2"})
    wagers = solution.by_wager()
    assert sum((wager.ev for wager in wagers.values()), Fraction(0)) == solution.ev
    assert sum((wager.average_stake for wager in wagers.values()), Fraction(0)) == solution.average_total_wagered
    assert wagers["raise"].placed == 1 - solution.decisions["play"]["fold"]
    assert wagers["ante"].placed == 1
    flush = next(outcome for outcome in wagers["raise"].outcomes if outcome.line == "flush")
    assert (flush.pays, flush.net) == ("15 to 2", flush.stake * Fraction(15, 2))


def test_each_outcome_follows_from_its_odds() -> None:
    game = compile_game("nj-criss-cross")
    for wager in solve(game).by_wager().values():
        table = game.pays[game.wager(wager.id).pays or ""]
        odds = {line.name: line.odds for line in table.lines}
        for outcome in wager.outcomes:
            paid = odds[outcome.line] if outcome.line else None
            assert outcome.net == outcome.stake * (paid.profit if paid else -1)
            assert outcome.pays == (str(paid) if paid else "")


def test_a_session_is_the_convolution_of_its_rounds() -> None:
    one = Distribution.of({Fraction(-3, 2): 5, Fraction(0): 2, Fraction(4): 1})
    many: Counter[Fraction] = Counter({Fraction(0): 1})
    for _ in range(6):
        added: Counter[Fraction] = Counter()
        for net, ways in many.items():
            for outcome in one.outcomes:
                added[net + outcome.net] += ways * outcome.count
        many = added
    exact = Distribution.of(many)
    [session] = sessions(one, [6], [0.05, 0.5, 0.95])
    assert session.mean == exact.mean
    assert session.standard_deviation == pytest.approx(float(exact.variance) ** 0.5)
    above = 1 - exact.at_least(Fraction(0)) + Fraction(many[Fraction(0)], exact.deals)
    assert session.ahead == pytest.approx(float(1 - above))
    for share, net in session.quantiles.items():
        assert 1 - exact.at_least(net) < share <= 1 - exact.at_least(net + Fraction(1, 2))


def test_no_session_ends_ahead_of_what_can_be_won() -> None:
    [session] = sessions(Distribution.of({Fraction(-2): 1, Fraction(-1): 1}), [3], [0.5])
    assert session.ahead == 0


def test_only_pay_lines_of_the_game_are_varied() -> None:
    game = compile_game("nj-criss-cross")
    assert {path.partition(".")[0] for path in base_lines(game)} == {"ante", "bets"}
    at_table = compile_game("md-criss-cross", {"settings": {"md_antes_at_table": True}})
    assert {path.partition(".")[0] for path in base_lines(at_table)} == {"bets"}
    beside = compile_game("examples/rulebooks/three-card-poker.toml")
    assert {path.partition(".")[0] for path in base_lines(beside)} == {"ante_bonus"}


def test_a_higher_pay_line_lowers_the_house_edge() -> None:
    game = compile_game("nj-criss-cross")
    solution = solve(game)
    for line in of_game(game, solution):
        assert line.up.change < 0
        assert line.down is None or 0 < line.down.change <= -line.up.change
    flush = next(line for line in of_game(game, solution) if line.path == "bets.flush")
    assert flush.up.odds == "9 to 1"
    assert solve(game, pay={"bets.flush": 9}).house_edge.per_ante - solution.house_edge.per_ante == flush.up.change


def test_a_step_of_a_side_bet_is_worth_its_probability() -> None:
    game = compile_game("nj-criss-cross")
    bet = solve(game).side_bets["five_card_bonus"]
    for line in of_side_bet(bet, "five_card_bonus"):
        again = solve(game, pay={line.path: line.up.odds}).side_bets["five_card_bonus"]
        assert again.house_edge - bet.house_edge == line.up.change


def test_a_line_that_pushes_is_neither_a_win_nor_a_loss() -> None:
    outcomes = [
        PayOutcome(line=str(net), pays="", net=Fraction(net), count=count) for net, count in ((3, 1), (0, 2), (-1, 5))
    ]
    bet = SideBet(id="pair", title="Pair", outcomes=tuple(outcomes))
    assert bet.chances == {"win": Fraction(1, 8), "push": Fraction(1, 4), "lose": Fraction(5, 8)}
    assert bet.most == 3
