"""Double Cross Poker, solved exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.double_cross_advice import advise
from crossfelt.analysis.double_cross_census import Tally, census, tally, values
from crossfelt.analysis.double_cross_positions import SUIT_WAYS, position_of
from crossfelt.analysis.double_cross_terms import (
    CHOICES,
    FOLD,
    HORIZONTAL,
    TIE_RULE,
    VERTICAL,
    Terms,
    terms_of,
)
from crossfelt.analysis.question import Pay, pay_texts, with_pay
from crossfelt.analysis.side_bets import paid_on_a_hand, three_card_hands
from crossfelt.analysis.solution import OPTIMAL, Distribution, Rules, SideBet, Solution
from crossfelt.cards.card import RANKS, Card
from crossfelt.hands.strength import PAIRS
from crossfelt.problems import BadInput, Problem
from crossfelt.rulebooks.game import Game

__all__ = ["BestPlay", "DoubleCrossSolution", "advise", "best_play", "side_bets", "solution_of", "solve", "value_of"]

Choices = NDArray[np.int8]


class BestPlay(NamedTuple):
    """What to do in every position, and what each choice is worth, summed over its deals."""

    terms: Terms
    vertical: NDArray[np.int64]
    horizontal: NDArray[np.int64]
    choices: Choices
    """Places in `CHOICES`, by the four numbers of a position."""

    def choice(self, hole: tuple[Card, Card], top: Card, right: Card) -> str:
        """What to do with these cards."""
        return CHOICES[self.choices[position_of(hole, top, right)]]

    def book(self) -> Iterator[tuple[str, str, str]]:
        """The whole strategy: by hole cards and suits, a row of top cards, each a letter for every right card.

        Positions that cannot be are a dot.
        """
        positions = census(self.terms).positions
        letters = np.array([choice[0].upper() for choice in CHOICES])
        told = np.where(positions > 0, letters[self.choices], ".")
        for pair in reversed(range(len(PAIRS))):
            for way, suits in enumerate(SUIT_WAYS):
                if not positions[:, :, pair, way].any():
                    continue
                low, high = PAIRS[pair]
                hole = f"{RANKS[high]}{'abcd'[suits[2]]} {RANKS[low]}{'abcd'[suits[3]]}"
                for top in reversed(range(len(RANKS))):
                    seen = f"top {RANKS[top]}a, right {'abcd'[suits[1]]}"
                    yield hole, seen, "".join(told[top, ::-1, pair, way])


class DoubleCrossSolution(Solution, frozen=True, kw_only=True):
    """The solution with its best play."""

    play: BestPlay

    def as_data(self) -> dict[str, Any]:
        note = {"three_card": "expose a hand that pays: one that is not shown loses"} if self.side_bets else {}
        return {**super().as_data(), "side_bet_decisions": note}


def solve(game: Game, *, pay: Pay, known: str) -> DoubleCrossSolution:
    """The exact return under best play."""
    started = perf_counter()
    if known:
        what = "no card can be known beforehand here; `advise` takes one that was flashed"
        raise BadInput(Problem(code="solve.known", where="known", what=what, value=known))
    asked = with_pay(game, pay)
    play = best_play(terms_of(asked))
    rules = Rules.of(game, pay=pay_texts(game, pay))
    solution = solution_of(asked, rules, play, play.choices, OPTIMAL, started=started)
    total = value_of(play, play.choices)
    # Values were compared position by position and results counted by pay line: they have to meet.
    assert solution.ev == total
    return solution


def best_play(terms: Terms) -> BestPlay:
    """What to do in every position.

    >>> from crossfelt.cards import parse_cards
    >>> from crossfelt.rulebooks.game import compile_game
    >>> play = best_play(terms_of(compile_game("nj-double-cross")))
    >>> ace, king = parse_cards("As Kd")
    >>> play.choice((ace, king), *parse_cards("Kh 2c")), play.choice((ace, king), *parse_cards("2c Kh"))
    ('vertical', 'horizontal')
    """
    found = census(terms)
    vertical, horizontal = values(terms, found.vertical), values(terms, found.horizontal)
    fold = np.full_like(vertical, terms.folded * terms.deals)
    choices = np.where(vertical >= horizontal, CHOICES.index(VERTICAL), CHOICES.index(HORIZONTAL))
    choices[np.maximum(vertical, horizontal) < fold] = CHOICES.index(FOLD)
    return BestPlay(terms, vertical, horizontal, choices.astype(np.int8))


def value_of(play: BestPlay, choices: Choices) -> Fraction:
    """The value of a strategy, in antes."""
    terms = play.terms
    fold = np.full_like(play.vertical, terms.folded * terms.deals)
    chosen = np.choose(choices, (fold, play.horizontal, play.vertical))
    positions = census(terms).positions
    # In two parts: a product of all positions and all deals may be too large for one.
    high, low = np.divmod(chosen, 1 << 24)
    total = (int((high * positions).sum()) << 24) + int((low * positions).sum())
    return Fraction(total, terms.scale * terms.deals * terms.positions)


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
