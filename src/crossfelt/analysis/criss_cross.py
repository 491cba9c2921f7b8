"""Criss Cross Poker, solved exactly."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

from crossfelt.analysis.criss_cross_induction import Induction, induce, tally
from crossfelt.analysis.criss_cross_tally import Tally, average_total_wagered, decision_rates, distribution
from crossfelt.analysis.criss_cross_terms import ANTES, Terms, terms_of
from crossfelt.analysis.question import Pay, pay_texts, with_pay
from crossfelt.analysis.side_bets import five_card_hands, paid_on_a_hand
from crossfelt.analysis.solution import OPTIMAL, Rules, SideBet, Solution
from crossfelt.rulebooks.game import Game


class CrissCrossSolution(Solution, frozen=True, kw_only=True):
    """The solution with its best play."""

    play: Induction


def solve(game: Game, *, pay: Pay, known: str) -> Solution:
    """The exact return under best play."""
    started = perf_counter()
    asked = with_pay(game, pay)
    terms = terms_of(asked)
    play = induce(terms)
    rules = Rules.of(game, pay=pay_texts(game, pay), known=known)
    return _solution(asked, rules, terms, tally(play), play, started)


def _solution(
    game: Game, rules: Rules, terms: Terms, counted: Tally, play: Induction, started: float
) -> CrissCrossSolution:
    results = distribution(terms, counted)
    # Values were worked out backwards and results counted forwards: they have to meet.
    assert results.deals == terms.deals.all
    assert results.mean == Fraction(play.total, terms.scale * terms.deals.all)
    return CrissCrossSolution(
        rules=rules,
        initial_wagers=Fraction(len(ANTES)),
        average_total_wagered=average_total_wagered(counted),
        decisions=decision_rates(counted),
        distribution=results,
        side_bets=side_bets(game),
        strategy=OPTIMAL,
        seconds=perf_counter() - started,
        play=play,
    )


def side_bets(game: Game) -> dict[str, SideBet]:
    """The wagers beside the game that a pay table settles on the community cards."""
    hands = five_card_hands(ace_low_straight=bool(game.settings["ace_low_straight"]))
    return {
        wager.id: paid_on_a_hand(game, wager, hands)
        for wager in game.wagers
        if wager.line == "community" and wager.pays is not None
    }
