"""Live outcomes against theory: an honest table passes, a rigged one does not, and all tests are judged together."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from scipy.stats import chi2  # type: ignore[import-untyped]

from crossfelt.cards.deck import deck_of
from crossfelt.proof.live_tests import Outcomes, WagerCount, WinTest, chi_square_tail, holm, judge
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.table import events as e

ROUNDS = 2_000


@pytest.fixture(scope="module")
def game() -> Game:
    return compile_game("nj-criss-cross")


def dealt(game: Game, *, aces_stay: bool = False, places: int = 7, seed: int = 7) -> Outcomes:
    """Deal rounds from an honest deck, or from one whose aces never come first."""
    rng, outcomes, deck = random.Random(seed), Outcomes(), list(deck_of(game.book.deck.cards))
    for _ in range(ROUNDS):
        rng.shuffle(deck)
        while aces_stay and deck[0].text.startswith("A"):
            rng.shuffle(deck)
        outcomes.dealt = []
        cards = tuple(e.Dealt(1, f"place_{place}", card) for place, card in enumerate(deck[:places]))
        outcomes.see(e.CardsDealt(by="dealer", at=0, cards=cards, method="hand"))
        outcomes.rounds += 1
    return outcomes


def test_an_honest_deal_is_explained_by_chance(game: Game) -> None:
    report = judge(game, dealt(game), [WagerCount("a bonus", 1000, 250, 0.25)], 0.1)
    assert report.odd == ()
    assert report.rounds == ROUNDS
    assert {test.kind for test in report.tests} == {"cards", "hands", "results"}
    assert report.made == 7 + 1 + 1
    assert report.verdict.startswith("Chance explains all of it")


def test_a_rigged_deal_and_a_rigged_wager_are_named(game: Game) -> None:
    report = judge(game, dealt(game, aces_stay=True), [WagerCount("a bonus", 1000, 350, 0.25)], 0.1)
    assert report.odd == ("Card 1 of the deal", "Wins of a bonus")
    assert "Look into it" in report.verdict


def test_a_slice_of_no_weight_that_comes_is_never_chance(game: Game) -> None:
    outcomes = Outcomes(rounds=10)
    wheel = next(iter(game.wheels))
    weights = game.weights(wheel)
    outcomes.slices[wheel.name] = Counter({len(weights): 1})
    assert judge(game, outcomes, [], 0.1).odd


def test_a_smaller_deviation_takes_more_rounds_and_more_tests_make_each_weaker(game: Game) -> None:
    outcomes = dealt(game)
    small, large = (judge(game, outcomes, [], size).tests[0].rounds_needed for size in (0.05, 0.1))
    assert small == pytest.approx(4 * large, rel=0.001)
    alone = judge(game, Outcomes(rounds=1), [], 0.1, WinTest("win", 100, 0.004, 1))
    assert alone.odd == ("win",)
    among = judge(game, outcomes, [], 0.1, WinTest("win", 100, 0.004, 1))
    assert among.odd == ()


@pytest.mark.parametrize("degrees", [1, 2, 12, 51, 300])
@pytest.mark.parametrize("times", [0.1, 0.9, 1.0, 1.3, 3.0])
def test_the_tail_is_that_of_scipy(degrees: int, times: float) -> None:
    assert chi_square_tail(times * degrees, degrees) == pytest.approx(
        float(chi2.sf(times * degrees, degrees)), rel=1e-9
    )


def test_holm_corrects_the_least_most() -> None:
    assert holm([0.5, 0.001, None, 0.01]) == [0.5, 0.003, None, 0.02]
