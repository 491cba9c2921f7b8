"""Advice in positions of games without a dealer's hand, against the special solver and by arithmetic."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from crossfelt.analysis import advise as advise_by_family
from crossfelt.analysis.solver.advise import advise
from crossfelt.analysis.solver.solve import solve
from crossfelt.errors import BadInput
from crossfelt.rulebooks.game import Game, compile_game

EXAMPLES = Path(__file__).parents[4] / "examples" / "rulebooks"


@cache
def game(book: str) -> Game:
    return compile_game(str(EXAMPLES / f"{book}.toml"))


@pytest.mark.parametrize(
    ("cards", "bets"),
    [
        ({"hole": "9s 4s"}, {}),
        ({"hole": "9s 4s", "across": "2s 3s"}, {"across": 1}),
        ({"hole": "9s 4s", "across": "2s 3s"}, {"across": "3/2"}),
        ({"hole": "9s 4s", "across": "2s 3s", "down": "4h 9d"}, {"across": 1, "down": 3}),
    ],
)
def test_advice_is_that_of_the_special_solver(cards: dict[str, Any], bets: dict[str, str]) -> None:
    criss_cross = compile_game("nj-criss-cross")
    new, old = advise(criss_cross, cards=cards, bets=bets), advise_by_family(criss_cross, bets=bets, **cards)
    assert (new.best, new.actions) == (old.best, old.actions)


def test_a_flashed_card_that_makes_the_result_certain() -> None:
    cards = {"hole": "9s 4s", "middle": "9c", "across": "2d 2h", "down": "Kd Kh"}
    advice = advise(compile_game("nj-criss-cross"), cards=cards, bets={"across": 1, "down": 1})
    # Nines and twos, and kings and nines: antes pay 1, bets 2 to 1.
    assert advice.actions == {"fold": Fraction(-4), "1x": Fraction(8), "2x": Fraction(10), "3x": Fraction(12)}


def test_let_it_ride_returns_what_is_published() -> None:
    solution = solve(game("let-it-ride"))
    assert round(float(100 * solution.house_edge.per_ante), 3) == 3.506
    other = solve(game("let-it-ride"), pay={"main.royal_flush": 500})
    assert round(float(100 * other.house_edge.per_ante), 3) == 3.737
    assert solution.initial_wagers == 3


def test_a_wager_that_was_taken_back_is_not_at_stake() -> None:
    cards = {"hole": "Ts Jd Qc", "street": "Kh"}
    kept, taken = (advise(game("let-it-ride"), cards=cards, bets=bets) for bets in ({}, {"bet_1": 0}))
    # Each bet is worth the same, and it pays: eight cards make a straight, twelve a pair of at least tens.
    worth = Fraction(8 * 5 + 12 * 1 - (48 - 20), 48)
    assert kept.actions == {"withdraw": 2 * worth, "check": 3 * worth}
    assert taken.actions == {"withdraw": worth, "check": 2 * worth}


def test_bets_must_be_stated_and_exist() -> None:
    with pytest.raises(BadInput, match="an earlier bet is missing: 'third'"):
        advise(game("mississippi-stud"), cards={"hole": "As Kd", "street": "2c"})
    with pytest.raises(BadInput, match="no such bet: 'fith'"):
        advise(game("mississippi-stud"), cards={"hole": "As Kd"}, bets={"fith": 1})
    with pytest.raises(BadInput, match="not a multiple of the first wager"):
        advise(game("mississippi-stud"), cards={"hole": "As Kd", "street": "2c"}, bets={"third": "many"})
