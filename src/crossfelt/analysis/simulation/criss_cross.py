"""Simulation of Criss Cross Poker: strategies, and rounds in blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.families import multiples
from crossfelt.analysis.simulation.irregularities import IrregularityModel, Wrong
from crossfelt.analysis.simulation.payoffs import (
    FORFEIT,
    LimitedPayment,
    Outcomes,
    PaidLines,
    Prices,
    WagerRounds,
    settled_in_order,
)
from crossfelt.analysis.simulation.plan import Drawn, SimulationPlan
from crossfelt.analysis.simulation.wheels import Wheels, Where
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.solver.criss_cross.induction import Induction, induce
from crossfelt.analysis.solver.criss_cross.payoffs import CrissCrossPayoffs, terms_of
from crossfelt.analysis.solver.criss_cross.strategies import PLANS, FixedStrategy, thumb_plan
from crossfelt.analysis.solver.criss_cross.strategy_card import CARD, LONGEST, SHORTEST, card_of
from crossfelt.cards.card import Card
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand
from crossfelt.hands.strength import CLASS_COUNT, hand_classes
from crossfelt.kernels.array_checks import Hands
from crossfelt.kernels.criss_cross.continuations import continuations, layout, positions
from crossfelt.kernels.five_card import strengths
from crossfelt.kernels.random_deals import deals
from crossfelt.play.scripted.checks import stakes_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Decide

DECK_CARDS: Final = 52
Bets = NDArray[np.uint8]
"""Bets as multiples of the ante, 0 for a fold, by round."""
Places = NDArray[np.intp]


class CrissCrossStrategy(Protocol):
    """Decides for a seat."""

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        """Return the next bets, given the hole cards, the open cards of ``across`` and ``down``, and earlier bets."""


class AlwaysBet:
    """Bets the same multiple in every position."""

    def __init__(self, times: int) -> None:
        self._times = times

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        return np.full(len(hole), self._times, dtype=np.uint8)


class BestPlayStrategy:
    """Looks up the exact solution, position by position."""

    def __init__(self, play: Induction) -> None:
        self._play = play
        self._positions = positions(play.terms.grouping)
        self._small = [stakes[0] for stakes in play.terms.stakes]

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        play, numbers = self._play, _numbers()
        hand = numbers.hand[hole[:, 0], hole[:, 1]]
        if not bets:
            return play.first.take(hand).astype(np.uint8)
        # Every bet is the smallest or the largest; entries after a fold are never read.
        larger = [bet > small for bet, small in zip(bets.values(), self._small, strict=False)]
        across = pairs_beside(hole, seen["across"])
        if len(bets) == 1:
            row = play.prospects.row_start.take(hand) + across
            return np.asarray(play.second[row, larger[0].astype(np.intp)], dtype=np.uint8)
        down = pairs_beside(hole, seen["down"])
        position = self._positions.start.take(hand) + across * numbers.pairs.take(hand) + down
        prospect = self._positions.prospect.take(position).astype(np.intp)
        return np.asarray(play.third[prospect, 2 * larger[0].astype(np.intp) + larger[1]], dtype=np.uint8)


class ByPlan:
    """Looks up a bet for every position, independent of earlier bets."""

    def __init__(self, terms: CrissCrossPayoffs, plan: FixedStrategy) -> None:
        self._first, self._second = plan.first, plan.second
        self._row_start = continuations(terms.grouping).row_start
        self._start = positions(terms.grouping).start
        self._third = np.concatenate([plan.third(hole).reshape(-1) for hole in range(len(STARTING_HANDS))])

    def decide(self, hole: Hands, seen: Mapping[str, Hands], bets: Mapping[str, Bets]) -> Bets:
        numbers = _numbers()
        hand = numbers.hand[hole[:, 0], hole[:, 1]]
        if not bets:
            return self._first.take(hand).astype(np.uint8)
        across = pairs_beside(hole, seen["across"])
        if len(bets) == 1:
            return self._second.take(self._row_start.take(hand) + across).astype(np.uint8)
        down = pairs_beside(hole, seen["down"])
        return self._third.take(self._start.take(hand) + across * numbers.pairs.take(hand) + down).astype(np.uint8)


def pairs_beside(hole: Hands, cards: Hands) -> Places:
    """Return the pair of types of two cards beside two hole cards, by round."""
    numbers = _numbers()
    hand = numbers.hand[hole[:, 0], hole[:, 1]]
    same_suit = ((cards ^ hole[:, :1]) & 3 == 0).astype(np.intp)
    types = numbers.type[hand[:, None], same_suit, cards >> 2]
    pair: Places = numbers.pair[numbers.suited.take(hand), types[:, 0], types[:, 1]]
    return pair


class _Numbers(NamedTuple):
    """The solver's numbering of cards, as arrays."""

    hand: Places
    """Starting hand of two cards."""
    suited: Places
    pairs: Places
    """Number of pairs of types beside each starting hand."""
    type: Places
    """Type of a card, by starting hand, suit of the first card (or another) and rank."""
    pair: Places
    """Number of a pair of types, by suitedness of the starting hand."""


@cache
def _numbers() -> _Numbers:
    hand = np.zeros((DECK_CARDS, DECK_CARDS), dtype=np.intp)
    for one in range(DECK_CARDS):
        for two in range(DECK_CARDS):
            if one != two:
                hand[one, two] = starting_hand((Card(one), Card(two)))
    layouts = [layout(starting) for starting in STARTING_HANDS]
    most_types = max(len(types.rank) for types in layouts)
    type_ = np.zeros((len(layouts), 2, len(layouts[0].rank)), dtype=np.intp)
    pair = np.zeros((2, most_types, most_types), dtype=np.intp)
    for place, (starting, types) in enumerate(zip(STARTING_HANDS, layouts, strict=True)):
        for number, (rank, in_suit) in enumerate(zip(types.rank, types.in_suit, strict=True)):
            type_[place, int(in_suit), rank] = number
            if not starting.suited:
                type_[place, 1, rank] = number
        one, two = types.pairs.T
        pair[int(starting.suited), one, two] = pair[int(starting.suited), two, one] = np.arange(len(types.pairs))
    return _Numbers(
        hand=hand,
        suited=np.array([int(starting.suited) for starting in STARTING_HANDS]),
        pairs=np.array([len(types.pairs) for types in layouts]),
        type=type_,
        pair=pair,
    )


def names(game: Game) -> tuple[str, ...]:
    """List the strategies of `solve`, and the same bet at every multiple that a game allows."""
    always = (f"always-{times}" for times in range(1, most_times(game) + 1))
    cards = (f"{CARD}{lines}" for lines in range(SHORTEST, LONGEST + 1))
    return tuple(dict.fromkeys((OPTIMAL, *PLANS, *always, *cards)))


@lru_cache(maxsize=64)
def strategy_of(game: Game, name: str) -> CrissCrossStrategy:
    """Return a strategy by name; best play and strategy cards are computed once for a game."""
    if name.startswith("always-"):
        return AlwaysBet(int(name.removeprefix("always-")))
    terms = terms_of(game)
    if name.startswith(CARD):
        return ByPlan(terms, card_of(game, name.removeprefix(CARD)).plan)
    return (
        ByPlan(terms, thumb_plan(game))
        if name == "simple"
        else BestPlayStrategy(induce(terms, may_fold=name == OPTIMAL))
    )


# --- rounds ---

DECK: Final = 52
COMMUNITY: Final = ("across_left", "across_right", "down_far", "down_near", "middle")
"""Community cards in the order of the draw; two cards for each seat follow."""
NOT_ASKED: Final = 255
"""Marks a decision after a fold, or in a void round."""


def most_times(game: Game) -> int:
    """Return the largest multiple of the ante that a bet may have.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> most_times(compile_game("nj-criss-cross"))
    3
    """
    steps = [step for step in game.book.script if isinstance(step, Decide)]
    return max(multiples(game.wager(step.wager).stake)[-1] for step in steps)


@lru_cache(maxsize=16)
def _paid_lines(game: Game, table: str) -> PaidLines:
    """Return the pay lines, which are the same for every seat."""
    return PaidLines(game.pays[table], hand_classes(ace_low_straight=bool(game.settings["ace_low_straight"])))


class CrissCrossRounds:
    """One game and plan, played in blocks."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._plan = plan
        self._strategies = [strategy_of(game, seat.strategy) for seat in plan.seats]
        self._most = most_times(game)
        self._decisions = {place: step for place, step in enumerate(game.book.script) if isinstance(step, Decide)}
        self._places = {line.id: line.places for line in game.book.lines}
        self._ace_low = bool(game.settings["ace_low_straight"])
        self._either_line = game.settings["middle_bet_follows"] == "either_line"
        self._stakes = [stakes_of(game, seat.wagers) for seat in plan.seats]
        self._prices = [self._prices_of(stakes) for stakes in self._stakes]
        self._bets = _paid_lines(game, "bets")
        self._mishaps = IrregularityModel(game, plan)
        self._wheels = Wheels(game, plan, self._mishaps)

    def draw(self, block: int, rounds: int) -> Drawn:
        seats, stream = len(self._plan.seats), self._plan.stream(self._game, block)
        cards = deals(stream, rounds, len(COMMUNITY) + 2 * seats, DECK)
        bets = [self._decide(seat, cards) for seat in range(seats)]
        wrong = self._mishaps.draw(stream, rounds, self._asked(bets))
        self._call_off(bets, wrong)
        community = self._class("community", cards, 0)
        payments = [self._settle(seat, cards, community, bets[seat]) for seat in range(seats)]
        holes = [cards[:, first : first + 2] for first in range(len(COMMUNITY), cards.shape[1], 2)]
        spins = self._wheels.spin(stream, holes, community, [self._given_up(own) for own in bets], payments, wrong)

        def script(row: int) -> dict[str, Any]:
            made = [{wager: int(bet[row]) for wager, bet in own.items()} for own in bets]
            played = self._script(cards[row], made)
            return {**played, "chance": spins.chance(row), **self._mishaps.script(wrong, row)}

        decisions = tuple({wager: _counts(bet, self._most) for wager, bet in own.items()} for own in bets)
        return Drawn(decisions, spins.claims, wrong.trouble, spins.settle, script)

    def _given_up(self, bets: Mapping[str, Bets]) -> Where:
        """The rounds in which a seat folds at a step that takes its spin wager."""
        spins = {wager.id for wager in self._game.wagers if wager.spins}
        takes = [step for step in self._decisions.values() if spins.intersection(self._game.fold_forfeits(step))]
        folds = [bets[step.wager] == 0 for step in takes]
        return np.logical_or.reduce(folds) if folds else np.zeros(len(next(iter(bets.values()))), dtype=bool)

    def _decide(self, seat: int, cards: Hands) -> dict[str, Bets]:
        """Return the bets of a seat, 0 for a fold and `NOT_ASKED` after it."""
        first = _hole_of(seat)
        bets: dict[str, Bets] = {}
        in_play = np.ones(len(cards), dtype=bool)
        for step in self._decisions.values():
            seen = {line: cards[:, columns] for line, columns in OPENED.items() if line in bets}
            times = self._strategies[seat].decide(cards[:, first : first + 2], seen, bets)
            bets[step.wager] = np.where(in_play, times, np.uint8(NOT_ASKED))
            in_play = in_play & (times > 0)
        return bets

    def _asked(self, bets: Sequence[Mapping[str, Bets]]) -> dict[int, list[NDArray[np.bool_]]]:
        """Return the rounds in which each seat decides, by place of the step in the script."""
        if not self._plan.mishaps_per_million:
            return {}
        return {place: [own[step.wager] != NOT_ASKED for own in bets] for place, step in self._decisions.items()}

    def _call_off(self, bets: Sequence[dict[str, Bets]], wrong: Wrong) -> None:
        """Remove the decisions after the point at which a round is void."""
        if wrong.rounds.size:
            for place, step in self._decisions.items():
                for own in bets:
                    own[step.wager][wrong.void_at <= place] = NOT_ASKED

    def _settle(self, seat: int, cards: Hands, community: Outcomes, bets: Mapping[str, Bets]) -> list[LimitedPayment]:
        """Return the results of a seat's wagers."""
        classes = {line: self._class(line, cards, _hole_of(seat)) for line in ("across", "down")}
        hands = {"community": community, "middle": self._middle(**classes), **classes}
        payments = []
        for wager_id in (wager for wager in settled_in_order(self._game) if wager in self._prices[seat]):
            wager = self._game.wager(wager_id)
            hand = hands["middle" if wager.line == "better" else str(wager.line)]
            standing = self._standing(wager_id, bets, len(cards))
            wagered = WagerRounds(self._prices[seat][wager_id], standing * CLASS_COUNT + hand)
            payments.append(LimitedPayment(wager_id, wager_id, wagered))
        return payments

    def _standing(self, wager: str, bets: Mapping[str, Bets], rounds: int) -> Outcomes:
        """Return the index of the prices of a wager: not made, at its multiple, or forfeited at its multiple."""
        own = bets.get(wager)
        standing = np.ones(rounds, dtype=np.intp) if own is None else np.where(own == NOT_ASKED, 0, own).astype(np.intp)
        for step in self._decisions.values():
            if wager in self._game.fold_forfeits(step):
                standing[(bets[step.wager] == 0) & (standing > 0)] += self._most
        return standing

    def _class(self, line: str, cards: Hands, first: int) -> Outcomes:
        """Return the class of the hand on a line, for the seat whose cards begin at column `first`."""
        column = {place: number for number, place in enumerate(COMMUNITY)} | {"hole_1": first, "hole_2": first + 1}
        hands = cards[:, [column[place] for place in self._places[line]]]
        return strengths(hands, ace_low_straight=self._ace_low).astype(np.intp)

    def _middle(self, across: Outcomes, down: Outcomes) -> Outcomes:
        """Return the hand that settles the middle bet: the higher one, or one that pushes if neither line wins."""
        higher = np.maximum(across, down)
        if not self._either_line:
            return higher
        pushing = np.maximum(
            np.where(self._bets.pushes[across], across, -1), np.where(self._bets.pushes[down], down, -1)
        )
        decided = self._bets.wins[across] | self._bets.wins[down] | (pushing < 0)
        return np.where(decided, higher, pushing)

    # --- prices -----------------------------------------------------------------------------------------------------

    def _prices_of(self, stakes: Mapping[str, int]) -> dict[str, Prices]:
        """Return the prices by class: not made, at each multiple of the ante, and forfeited at each multiple."""
        of_hands = {name: self._game.wager(name) for name in stakes if not self._game.wager(name).spins}
        prices = {name: self._at(wager, [stakes[name], *[0] * (self._most - 1)]) for name, wager in of_hands.items()}
        for step in self._decisions.values():
            wager = self._game.wager(step.wager)
            base = next(cents for name, cents in stakes.items() if self._game.wager(name).group == wager.stake.of)
            prices[wager.id] = self._at(wager, [times * base for times in range(1, self._most + 1)])
        return prices

    def _at(self, wager: Wager, stakes: list[int]) -> Prices:
        paid = _paid_lines(self._game, str(wager.pays))
        made = [paid.prices(stake) for stake in stakes]
        forfeited = [Prices.of(stake, [FORFEIT]).spread(np.zeros(CLASS_COUNT, dtype=np.intp)) for stake in stakes]
        return Prices.joined(Prices.not_made(CLASS_COUNT), *made, *forfeited)

    # --- one round in full ------------------------------------------------------------------------------------------

    def _script(self, cards: NDArray[np.uint8], bets: list[dict[str, int]]) -> dict[str, Any]:
        text = [str(Card(int(card))) for card in cards]
        named = {"across": " ".join(text[:2]), "down": " ".join(text[2:4]), "middle": text[4]}
        seats = []
        for seat, plan in enumerate(self._plan.seats):
            first = _hole_of(seat)
            named[f"seat{seat + 1}"] = f"{text[first]} {text[first + 1]}"
            ante = plan.wagers["ante"]
            decisions = {wager: times * ante if times else "fold" for wager, times in bets[seat].items()}
            seats.append({"seat": seat + 1, "wagers": dict(plan.wagers), "decisions": decisions})
        return {"rulebook": self._game.book.id, "submission": dict(self._game.stated), "cards": named, "seats": seats}


OPENED: Final = {"across": [0, 1], "down": [2, 3]}
"""Columns of the cards turned up after a bet."""


def _hole_of(seat: int) -> int:
    """Return the column of the first of a seat's two cards."""
    return len(COMMUNITY) + 2 * seat


def _counts(bets: Bets, most: int) -> dict[str, int]:
    """Count each bet among the decisions of a seat."""
    taken = np.bincount(bets, minlength=NOT_ASKED + 1)
    return {f"{times}x" if times else "fold": int(taken[times]) for times in range(most + 1)}
