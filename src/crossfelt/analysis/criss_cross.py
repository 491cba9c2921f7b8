"""Criss Cross Poker, solved exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from time import perf_counter
from typing import Any

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.criss_cross_advice import advise
from crossfelt.analysis.criss_cross_induction import Induction, folded, induce, tally
from crossfelt.analysis.criss_cross_known import KNOWN, KnownCard
from crossfelt.analysis.criss_cross_tally import FOLD, Tally, average_total_wagered, decision_rates, distribution
from crossfelt.analysis.criss_cross_terms import ANTES, BETS, Terms, terms_of
from crossfelt.analysis.criss_cross_wagers import outcomes_by_wager
from crossfelt.analysis.question import Pay, pay_texts, with_pay
from crossfelt.analysis.side_bets import five_card_hands, paid_on_a_hand
from crossfelt.analysis.solution import OPTIMAL, Rules, SideBet, Solution, WagerOutcomes
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game

__all__ = ["CrissCrossSolution", "advise", "side_bets", "solve"]


class CrissCrossSolution(Solution, frozen=True, kw_only=True):
    """The solution with its best play."""

    play: Induction | None = None
    """None where a card is known before the first decision, and the best play depends on it."""
    counted: Tally
    asked: Game
    """The game at the odds of the question."""

    def by_wager(self) -> dict[str, WagerOutcomes]:
        return outcomes_by_wager(self.asked, self.counted)

    def first_decision(self) -> dict[str, Advice]:
        """What each choice is worth with each of the 169 starting hands, by name."""
        return {} if self.play is None else _first_decision(self.rules, self.play)

    def by_starting_hand(self) -> dict[str, dict[str, Fraction]]:
        return {hand: {advice.best: Fraction(1)} for hand, advice in self.first_decision().items()}

    def as_data(self) -> dict[str, Any]:
        first = self.first_decision()
        told = {
            name: {"best": advice.best, "actions": {choice: float(ev) for choice, ev in advice.actions.items()}}
            for name, advice in first.items()
        }
        return {**super().as_data(), **({"first_decision": told} if told else {})}


def solve(game: Game, *, pay: Pay, known: str = "", strategy: str = OPTIMAL) -> CrissCrossSolution:
    """The exact return, under best play or another strategy."""
    started = perf_counter()
    asked = with_pay(game, pay)
    terms = terms_of(asked)
    play: Induction | None = None
    if strategy != OPTIMAL:
        counted = _of_strategy(terms, asked, strategy, known)
        results = distribution(terms, counted)
    else:
        if known:
            counted, total = _known(known)(terms)
        else:
            play = induce(terms)
            counted, total = tally(play), play.total
        results = distribution(terms, counted)
        # Values were worked out backwards and results counted forwards: they have to meet.
        assert results.mean == Fraction(total, terms.scale * results.deals)
    assert results.deals % terms.deals.all == 0
    return CrissCrossSolution(
        rules=Rules.of(game, pay=pay_texts(asked, pay), known=known),
        initial_wagers=Fraction(len(ANTES)),
        average_total_wagered=average_total_wagered(counted),
        decisions=decision_rates(counted),
        distribution=results,
        side_bets=side_bets(asked),
        strategy=strategy,
        seconds=perf_counter() - started,
        play=play,
        counted=counted,
        asked=asked,
    )


def _of_strategy(terms: Terms, game: Game, strategy: str, known: str) -> Tally:
    """How often every course is taken under a strategy by name: one of `PLANS`, or a card of so many lines."""
    # Other strategies read bots and their rules, which the solution itself does without.
    from crossfelt.analysis.criss_cross_card import CARD, card_of
    from crossfelt.analysis.criss_cross_plans import plan_named, tally_of

    if known:
        what = "only best play makes use of a known card"
        raise BadInput(Problem(code="solve.known", where="strategy", what=what, value=strategy, allowed=OPTIMAL))
    if strategy.startswith(CARD):
        return tally_of(terms, card_of(game, strategy.removeprefix(CARD)).plan)
    return plan_named(strategy)(terms, game)


def _known(card: str) -> Callable[[Terms], KnownCard]:
    if card not in KNOWN:
        what, allowed = "no such card to know", ", ".join(KNOWN)
        raise BadInput(Problem(code="solve.known", where="known", what=what, value=card, allowed=allowed))
    return KNOWN[card]


def _first_decision(rules: Rules, play: Induction) -> dict[str, Advice]:
    terms, deals = play.terms, play.terms.deals
    all_after = deals.across * deals.down * deals.middle * terms.scale
    fold = Fraction(folded(terms, ()), terms.scale)
    told = {}
    for number, hand in enumerate(STARTING_HANDS):
        bets = zip(terms.stakes[0], play.hole_values[number].tolist(), strict=True)
        actions = {FOLD: fold, **{f"{bet}x": Fraction(value, all_after) for bet, value in bets}}
        chosen = int(play.first[number])
        best = f"{chosen}x" if chosen else FOLD
        told[hand.name] = Advice(rules=rules, decision=BETS[0], best=best, actions=actions)
    return told


def side_bets(game: Game) -> dict[str, SideBet]:
    """The wagers beside the game that a pay table settles on the community cards."""
    hands = five_card_hands(ace_low_straight=bool(game.settings["ace_low_straight"]))
    return {
        wager.id: paid_on_a_hand(game, wager, hands)
        for wager in game.wagers
        if wager.line == "community" and wager.pays is not None
    }
