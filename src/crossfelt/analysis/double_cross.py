"""Double Cross Poker, solved exactly."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter
from typing import Any

from crossfelt.analysis.double_cross_advice import advise
from crossfelt.analysis.double_cross_book import shares_by_hand
from crossfelt.analysis.double_cross_census import Tally, tally
from crossfelt.analysis.double_cross_play import BestPlay, Choices, best_play, value_of
from crossfelt.analysis.double_cross_strategies import strategy_named
from crossfelt.analysis.double_cross_terms import (
    CHOICES,
    FOLD,
    HORIZONTAL,
    TIE_RULE,
    VERTICAL,
    Terms,
    terms_of,
)
from crossfelt.analysis.double_cross_wagers import outcomes_by_wager
from crossfelt.analysis.question import Pay, pay_texts, with_pay
from crossfelt.analysis.side_bets import paid_on_a_hand, three_card_hands
from crossfelt.analysis.solution import OPTIMAL, Distribution, Rules, SideBet, Solution, WagerOutcomes
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game

__all__ = ["DoubleCrossSolution", "advise", "side_bets", "solution_of", "solve"]


class DoubleCrossSolution(Solution, frozen=True, kw_only=True):
    """The solution with its best play."""

    play: BestPlay
    counted: Tally
    asked: Game
    """The game at the odds of the question."""

    def by_wager(self) -> dict[str, WagerOutcomes]:
        return outcomes_by_wager(self.asked, self.play.terms, self.counted)

    def by_starting_hand(self) -> dict[str, dict[str, Fraction]]:
        return shares_by_hand(self.play)

    def as_data(self) -> dict[str, Any]:
        note = {"three_card": "expose a hand that pays: one that is not shown loses"} if self.side_bets else {}
        return {**super().as_data(), "side_bet_decisions": note}


def solve(game: Game, *, pay: Pay, known: str = "", strategy: str = OPTIMAL) -> DoubleCrossSolution:
    """The exact return, under best play or another strategy."""
    started = perf_counter()
    if known:
        what = "no card is known beforehand here: `advise --flashed` takes one, `exposure` tells what each is worth"
        raise BadInput(Problem(code="solve.known", where="known", what=what, value=known))
    asked = with_pay(game, pay)
    play = best_play(terms_of(asked))
    rules = Rules.of(game, pay=pay_texts(asked, pay))
    choices = play.choices if strategy == OPTIMAL else strategy_named(strategy, asked)
    solution = solution_of(asked, rules, play, choices, strategy, started=started)
    # Values were compared position by position and results counted by pay line: they have to meet.
    assert solution.ev == value_of(play, choices)
    return solution


def solution_of(
    game: Game, rules: Rules, play: BestPlay, choices: Choices, strategy: str, *, started: float
) -> DoubleCrossSolution:
    """What a strategy comes to, exactly."""
    terms = play.terms
    counted = tally(terms, {choice: choices == place for place, choice in enumerate(CHOICES)})
    results = _distribution(terms, counted)
    assert results.deals == terms.deals * terms.positions
    played = Fraction(sum(counted.played.values()), results.deals)
    rates = {choice: Fraction(count, results.deals) for choice, count in counted.played.items()}
    return DoubleCrossSolution(
        rules=rules,
        initial_wagers=Fraction(1),
        average_total_wagered=1 + terms.raise_times * played,
        decisions={"play": {FOLD: 1 - played, VERTICAL: rates[VERTICAL], HORIZONTAL: rates[HORIZONTAL]}},
        distribution=results,
        side_bets=side_bets(game),
        strategy=strategy,
        tie_rule=TIE_RULE,
        seconds=perf_counter() - started,
        play=play,
        counted=counted,
        asked=game,
    )


def _distribution(terms: Terms, counted: Tally) -> Distribution:
    counts: dict[Fraction, int] = {}
    results = [*zip(terms.won, counted.won, strict=True), (0, counted.tied)]
    for net, count in (*results, (terms.lost, counted.lost), (terms.folded, counted.folded)):
        in_antes = Fraction(net, terms.scale)
        counts[in_antes] = counts.get(in_antes, 0) + count
    return Distribution.of(counts)


def side_bets(game: Game) -> dict[str, SideBet]:
    """The three-card wager, of players who show every hand that pays."""
    return {
        wager.id: paid_on_a_hand(game, wager, three_card_hands())
        for wager in game.wagers
        if wager.line == "three_card" and wager.pays is not None
    }
