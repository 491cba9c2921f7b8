"""Exact solution of Double Cross Poker, with the outcomes of ante and raise."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from time import perf_counter
from typing import Any, NamedTuple

from crossfelt.analysis.solution import (
    OPTIMAL,
    Distribution,
    HandValue,
    RulesIdentity,
    SideBet,
    Solution,
    WagerOutcome,
    WagerOutcomes,
)
from crossfelt.analysis.solver.double_cross.advice import advise, choices_by_hole
from crossfelt.analysis.solver.double_cross.payoffs import (
    ANTE,
    CHOICES,
    FOLD,
    HORIZONTAL,
    RAISE,
    TIE_RULE,
    VERTICAL,
    DoubleCrossPayoffs,
    terms_of,
)
from crossfelt.analysis.solver.double_cross.positions import (
    BestChoices,
    Choices,
    PositionTally,
    best_play,
    tally,
    value_of,
)
from crossfelt.analysis.solver.double_cross.strategy_book import shares_by_hand, values_by_hand
from crossfelt.analysis.solver.side_bets import paid_on_a_hand, three_card_hands
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.errors import BadInput, Problem
from crossfelt.hands.rank import HandRank
from crossfelt.money import Odds
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager


class _Won(NamedTuple):
    """The win of a wager with a hand that beats the dealer's."""

    line: str
    odds: Odds | None


def outcomes_by_wager(game: Game, terms: DoubleCrossPayoffs, tally: PositionTally) -> dict[str, WagerOutcomes]:
    """Return every outcome of ante and raise.

    >>> from crossfelt.analysis import solve
    >>> solution = solve("nj-double-cross")
    >>> sum(wager.ev for wager in solution.by_wager().values()) == solution.ev
    True
    """
    return {
        wager: WagerOutcomes(
            id=wager,
            title=game.wager(wager).title,
            deals=terms.deals * terms.positions,
            outcomes=tuple(_outcomes(game, game.wager(wager), Fraction(stake), terms, tally)),
        )
        for wager, stake in ((ANTE, 1), (RAISE, terms.raise_times))
    }


def _outcomes(
    game: Game, wager: Wager, stake: Fraction, terms: DoubleCrossPayoffs, tally: PositionTally
) -> list[WagerOutcome]:
    won: Counter[_Won] = Counter()
    for hand, count in zip(terms.hands, tally.won, strict=True):
        won[_paid(game, wager, hand)] += count
    found = [
        WagerOutcome(
            line=line,
            pays=str(odds) if odds else "",
            result="win" if odds else "lose",
            stake=stake,
            net=stake * (odds.profit if odds else -1),
            count=count,
        )
        for (line, odds), count in sorted(won.items(), key=lambda item: _place(game, wager, item[0].line))
    ]
    rest = [("push", Fraction(0), tally.tied), ("lose", -stake, tally.lost)]
    if wager.id == ANTE:
        rest.append(("forfeit", -stake, tally.folded))
    for result, net, count in rest:
        found.append(WagerOutcome(line="", pays="", result=result, stake=stake, net=net, count=count))
    return [outcome for outcome in found if outcome.count]


def _paid(game: Game, wager: Wager, hand: HandRank) -> _Won:
    if wager.odds is not None:
        return _Won("", wager.odds)
    line = game.pays[wager.pays or wager.id].line_for(hand)
    return _Won(line.name, line.odds) if line else _Won("", None)


def _place(game: Game, wager: Wager, line: str) -> int:
    """Return the place of a line in the pay table; outcomes without a line come last."""
    names = [each.name for each in game.pays[wager.pays].table.lines] if wager.pays else []
    return names.index(line) if line in names else len(names)


# --- solution ---

__all__ = ["DoubleCrossSolution", "advise", "choices_by_hole", "side_bets", "solution_of", "solve"]


class DoubleCrossSolution(Solution, frozen=True, kw_only=True):
    """The solution with its best play."""

    play: BestChoices
    counted: PositionTally
    asked: Game
    """The game with changed odds."""

    def by_wager(self) -> dict[str, WagerOutcomes]:
        return outcomes_by_wager(self.asked, self.play.terms, self.counted)

    def by_starting_hand(self) -> dict[str, dict[str, Fraction]]:
        return shares_by_hand(self.play)

    def values_by_starting_hand(self) -> dict[str, HandValue]:
        return values_by_hand(self.play)

    def as_data(self) -> dict[str, Any]:
        note = {"three_card": "expose a hand that pays: one that is not shown loses"} if self.side_bets else {}
        return {**super().as_data(), "side_bet_decisions": note}


def solve(game: Game, *, pay: Pay, known: str = "") -> DoubleCrossSolution:
    """Return the exact solution under best play."""
    started = perf_counter()
    if known:
        what = "this game takes no known card here; use `advise --flashed` or `exposure`"
        raise BadInput(Problem(code="solve.known", where="known", what=what, value=known))
    asked = with_pay(game, pay)
    play = best_play(terms_of(asked))
    rules = RulesIdentity.of(game, pay=pay_texts(asked, pay))
    solution = solution_of(asked, rules, play, play.choices, OPTIMAL, started=started)
    # Values compared by position and results counted by pay line must agree.
    assert solution.ev == value_of(play, play.choices)
    return solution


def solution_of(
    game: Game, rules: RulesIdentity, play: BestChoices, choices: Choices, strategy: str, *, started: float
) -> DoubleCrossSolution:
    """Return the exact solution of a strategy."""
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


def _distribution(terms: DoubleCrossPayoffs, counted: PositionTally) -> Distribution:
    counts: dict[Fraction, int] = {}
    results = [*zip(terms.won, counted.won, strict=True), (0, counted.tied)]
    for net, count in (*results, (terms.lost, counted.lost), (terms.folded, counted.folded)):
        in_antes = Fraction(net, terms.scale)
        counts[in_antes] = counts.get(in_antes, 0) + count
    return Distribution.of(counts)


def side_bets(game: Game) -> dict[str, SideBet]:
    """Return the three-card wager of players who expose every hand that pays."""
    return {
        wager.id: paid_on_a_hand(game, wager, three_card_hands())
        for wager in game.wagers
        if wager.line == "three_card" and wager.pays is not None
    }
