"""Exact solution of Criss Cross Poker, with the outcomes of each wager."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np

from crossfelt.analysis.advice import Advice
from crossfelt.analysis.solution import (
    HandValue,
    RulesIdentity,
    SideBet,
    Solution,
    WagerOutcome,
    WagerOutcomes,
)
from crossfelt.analysis.solver.criss_cross.advice import advise, choices_by_hole
from crossfelt.analysis.solver.criss_cross.induction import (
    FOLD,
    CourseTally,
    Induction,
    average_total_wagered,
    decision_rates,
    distribution,
    folded,
    induce,
    tally,
)
from crossfelt.analysis.solver.criss_cross.known_card import KNOWN, KnownCard
from crossfelt.analysis.solver.criss_cross.payoffs import ANTES, BETS, CrissCrossPayoffs, middle_pay, terms_of
from crossfelt.analysis.solver.side_bets import five_card_hands, paid_on_a_hand
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.errors import BadInput, Problem
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import LinePay
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.rulebooks.game import Game

_RESULTS: Final = ("win", "push", "lose", "forfeit")


class _End(NamedTuple):
    """The end of a wager: the pay line, if any, and the stake in antes."""

    line: str
    pays: str
    result: str
    stake: int
    net: Fraction


def outcomes_by_wager(game: Game, tally: CourseTally) -> dict[str, WagerOutcomes]:
    """Return every outcome of the antes and the three bets, in the order in which they are placed.

    >>> from crossfelt.analysis import solve
    >>> solution = solve("nj-criss-cross")
    >>> wagers = solution.by_wager()
    >>> sum(wager.ev for wager in wagers.values()) == solution.ev
    True
    """
    pays = _pays(game)
    counts: dict[str, Counter[_End]] = {wager: Counter() for wager in (*ANTES, *BETS)}
    for bets, count in tally.folded.items():
        for wager, stake in zip((*ANTES, *BETS), (1, 1, *bets), strict=False):
            counts[wager][_End("", "", "forfeit", stake, Fraction(-stake))] += count
    for bets, by_groups in tally.played.items():
        places = np.flatnonzero(by_groups).tolist()
        for wager, stake in zip((*ANTES, *BETS), (1, 1, *bets), strict=True):
            for place in places:
                counts[wager][_end(pays[wager][place], stake)] += int(by_groups[place])
    return {
        wager: WagerOutcomes(
            id=wager, title=game.wager(wager).title, deals=tally.deals, outcomes=_in_order(game, wager, ends)
        )
        for wager, ends in counts.items()
    }


def _pays(game: Game) -> dict[str, Sequence[LinePay]]:
    """Return the payments of each wager by the groups of both hands, as `CrissCrossPayoffs` numbers them."""
    rules, hands = rules_of(game), terms_of(game).hands
    tables = {wager: game.wager(wager).pays or "" for wager in (*ANTES, *BETS)}
    single = {wager: [rules.pay(table, hand) for hand in hands] for wager, table in tables.items()}
    across, down = np.divmod(np.arange(len(hands) ** 2), len(hands))
    paid: dict[str, Sequence[LinePay]] = {}
    for wager, of_hand in single.items():
        if wager == "middle":
            paid[wager] = [middle_pay(game, one, two) for one in hands for two in hands]
        else:
            which = across if game.wager(wager).line == "across" else down
            paid[wager] = [of_hand[group] for group in which.tolist()]
    return paid


def _end(pay: LinePay, stake: int) -> _End:
    result = "win" if pay.wins else "push" if pay.pushes else "lose"
    line = pay.line.name if pay.line else ""
    return _End(line, str(pay.odds) if pay.odds else "", result, stake, pay.profit * stake)


def _in_order(game: Game, wager: str, ends: Counter[_End]) -> tuple[WagerOutcome, ...]:
    """Sort outcomes by the pay table, then losses, then forfeits; small stakes first."""
    lines = [line.name for line in game.pays[game.wager(wager).pays or ""].table.lines]

    def place(end: _End) -> tuple[int, int, int]:
        return _RESULTS.index(end.result) if not end.line else 0, lines.index(end.line) if end.line else 0, end.stake

    return tuple(
        WagerOutcome(
            line=end.line,
            pays=end.pays,
            result=end.result,
            stake=Fraction(end.stake),
            net=end.net,
            count=ends[end],
        )
        for end in sorted(ends, key=place)
        if ends[end]
    )


# --- solution ---

__all__ = ["CrissCrossSolution", "advise", "choices_by_hole", "side_bets", "solve"]


class CrissCrossSolution(Solution, frozen=True, kw_only=True):
    """The solution with its best play."""

    play: Induction | None = None
    """None if a card is known before the first decision, because best play depends on it."""
    counted: CourseTally
    asked: Game
    """The game with changed odds."""

    def by_wager(self) -> dict[str, WagerOutcomes]:
        return outcomes_by_wager(self.asked, self.counted)

    def first_decision(self) -> dict[str, Advice]:
        """Return the value of each choice with each of the 169 starting hands, by name."""
        return {} if self.play is None else _first_decision(self.rules, self.play)

    def by_starting_hand(self) -> dict[str, dict[str, Fraction]]:
        return {hand: {advice.best: Fraction(1)} for hand, advice in self.first_decision().items()}

    def values_by_starting_hand(self) -> dict[str, HandValue]:
        return {
            hand: HandValue(best=advice.actions[advice.best], choices=advice.actions)
            for hand, advice in self.first_decision().items()
        }

    def as_data(self) -> dict[str, Any]:
        first = self.first_decision()
        told = {
            name: {"best": advice.best, "actions": {choice: float(ev) for choice, ev in advice.actions.items()}}
            for name, advice in first.items()
        }
        return {**super().as_data(), **({"first_decision": told} if told else {})}


def solve(game: Game, *, pay: Pay, known: str = "") -> CrissCrossSolution:
    """Return the exact solution under best play."""
    started = perf_counter()
    asked = with_pay(game, pay)
    terms = terms_of(asked)
    play: Induction | None = None
    if known:
        counted, total = _known(known)(terms)
    else:
        play = induce(terms)
        counted, total = tally(play), play.total
    results = distribution(terms, counted)
    # Values from backward induction and results from forward counting must agree.
    assert results.mean == Fraction(total, terms.scale * results.deals)
    assert results.deals % terms.deals.all == 0
    return CrissCrossSolution(
        rules=RulesIdentity.of(game, pay=pay_texts(asked, pay), known=known),
        initial_wagers=Fraction(len(ANTES)),
        average_total_wagered=average_total_wagered(counted),
        decisions=decision_rates(counted),
        distribution=results,
        side_bets=side_bets(asked),
        seconds=perf_counter() - started,
        play=play,
        counted=counted,
        asked=asked,
    )


def _known(card: str) -> Callable[[CrissCrossPayoffs], KnownCard]:
    if card not in KNOWN:
        what, allowed = "no such known card", ", ".join(KNOWN)
        raise BadInput(Problem(code="solve.known", where="known", what=what, value=card, allowed=allowed))
    return KNOWN[card]


def _first_decision(rules: RulesIdentity, play: Induction) -> dict[str, Advice]:
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
    """Return the side bets that a pay table settles on the community cards."""
    hands = five_card_hands(ace_low_straight=bool(game.settings["ace_low_straight"]))
    return {
        wager.id: paid_on_a_hand(game, wager, hands)
        for wager in game.wagers
        if wager.line == "community" and wager.pays is not None
    }
