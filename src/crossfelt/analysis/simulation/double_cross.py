"""Simulation of Double Cross Poker: strategies, and rounds in blocks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import combinations, permutations, product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.irregularities import IrregularityModel, Wrong
from crossfelt.analysis.simulation.payoffs import (
    FORFEIT,
    LOST,
    LimitedPayment,
    Outcomes,
    PaidLines,
    Prices,
    WagerRounds,
    cut_at_limit,
    pushed,
    settled_in_order,
)
from crossfelt.analysis.simulation.plan import Drawn, SimulationPlan
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.solver.double_cross.payoffs import CHOICES, FOLD, HORIZONTAL, terms_of
from crossfelt.analysis.solver.double_cross.positions import best_play, position_of
from crossfelt.analysis.solver.double_cross.strategies import CARDS, STRATEGIES, strategy_named
from crossfelt.cards.card import RANKS, SUITS, Card
from crossfelt.games.settlement import Settlement
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.rank import HandRank
from crossfelt.hands.strength import CLASS_COUNT, PAIRS, hand_classes
from crossfelt.kernels.array_checks import Hands
from crossfelt.kernels.five_card import strengths
from crossfelt.kernels.random_deals import deals
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide

Choices = NDArray[np.uint8]
"""Index of a choice of `crossfelt.analysis.solver.double_cross.payoffs`, by round."""
Cards = NDArray[np.uint8]


class DoubleCrossStrategy:
    """Looks up a choice for every position."""

    def __init__(self, choices: NDArray[np.int8]) -> None:
        self._choices = choices

    def choose(self, hole: Hands, top: Cards, right: Cards) -> Choices:
        """Return the line or a fold, given the hole cards and the two open cards."""
        swapped = hole[:, 0] >> 2 < hole[:, 1] >> 2
        high, low = (np.where(swapped, hole[:, one], hole[:, 1 - one]) for one in (1, 0))
        pair = _pairs()[low >> 2, high >> 2]
        is_pair = (high >> 2 == low >> 2).astype(np.intp)
        way = _ways()[is_pair, top & 3, right & 3, high & 3, low & 3]
        return np.asarray(self._choices[top >> 2, right >> 2, pair, way], dtype=np.uint8)


@cache
def _pairs() -> NDArray[np.intp]:
    """Return the number of each pair of ranks, the lower first."""
    pairs = np.zeros((len(RANKS), len(RANKS)), dtype=np.intp)
    for number, (low, high) in enumerate(PAIRS):
        pairs[low, high] = number
    return pairs


@cache
def _ways() -> NDArray[np.intp]:
    """Return the suit pattern of a position, by pair in the hand and the suits of top, right, high and low card."""
    ways = np.zeros((2, *[len(SUITS)] * 4), dtype=np.intp)
    for is_pair in (0, 1):
        for top, right, high, low in product(range(len(SUITS)), repeat=4):
            # Any ranks work if no card is repeated.
            ranks = (0, 1, 3, 3) if is_pair else (0, 1, 3, 2)
            cards = [Card(4 * rank + suit) for rank, suit in zip(ranks, (top, right, high, low), strict=True)]
            if len(set(cards)) == len(cards):
                ways[is_pair, top, right, high, low] = position_of(cards[2:], cards[0], cards[1])[3]
    return ways


NAMES: Final = (OPTIMAL, *STRATEGIES, *CARDS)
"""Names of the strategies of `solve`."""


@lru_cache(maxsize=64)
def strategy_of(game: Game, name: str) -> DoubleCrossStrategy:
    """Return a strategy by name."""
    return DoubleCrossStrategy(best_play(terms_of(game)).choices if name == OPTIMAL else strategy_named(name, game))


# --- rounds ---

DECK: Final = 52
DRAWN: Final = ("across_left", "across_right", "down_far", "down_near", "middle", "dealer_hole_1", "dealer_hole_2")
"""Shared cards in the order of the draw; two cards for each seat follow."""


class DoubleCrossRounds:
    """One game and plan, played in blocks; seats expose three-card hands that pay."""

    def __init__(self, game: Game, plan: SimulationPlan) -> None:
        self._game = game
        self._plan = plan
        self._strategies = [strategy_of(game, seat.strategy) for seat in plan.seats]
        self._places = {line.id: line.places for line in game.book.lines}
        self._prices = [self._prices_of(seat.wagers) for seat in plan.seats]
        self._mishaps = IrregularityModel(game, plan)
        self._named_at = next(
            place for place, step in enumerate(game.book.script) if isinstance(step, Decide) and step.wager == "raise"
        )

    def draw(self, block: int, rounds: int) -> Drawn:
        seats, stream = len(self._plan.seats), self._plan.stream(self._game, block)
        cards = deals(stream, rounds, len(DRAWN) + 2 * seats, DECK)
        wrong = self._mishaps.draw(stream, rounds, {})
        shared = {place: cards[:, column] for column, place in enumerate(DRAWN)}
        dealer = self._dealer_class(shared)
        played = [self._play_seat(seat, cards, shared, dealer, wrong) for seat in range(seats)]

        def script(row: int) -> dict[str, Any]:
            chosen = [CHOICES[int(choice[row])] for _, choice, _ in played]
            return {**self._script(cards[row], chosen), **self._mishaps.script(wrong, row)}

        wagers, _, decisions = zip(*played, strict=True)
        return Drawn(decisions, {}, wrong.trouble, lambda _: wagers, script)

    def _play_seat(
        self, seat: int, cards: Hands, shared: Mapping[str, NDArray[np.uint8]], dealer: Outcomes, wrong: Wrong
    ) -> tuple[dict[str, WagerRounds], Choices, dict[str, dict[str, int]]]:
        """Return the results of a seat's wagers, its choices and their counts."""
        first = len(DRAWN) + 2 * seat
        places = {**shared, "hole_1": cards[:, first], "hole_2": cards[:, first + 1]}
        choice = self._strategies[seat].choose(cards[:, first : first + 2], places["down_far"], places["across_right"])
        vertical, horizontal = self._class("vertical", places), self._class("horizontal", places)
        player = np.where(choice == CHOICES.index(HORIZONTAL), horizontal, vertical)
        beats = (player >= dealer).astype(np.intp) + (player > dealer)
        asked = wrong.void_at > self._named_at
        raised = asked & (choice != CHOICES.index(FOLD))
        played = np.where(raised, beats * CLASS_COUNT + player, FOLDED)
        payments = []
        for wager in (wager for wager in settled_in_order(self._game) if wager in self._prices[seat]):
            outcomes = played
            if wager == "three_card":
                outcomes = _three_card_places()[tuple(places[place] for place in self._places[wager])]
            payments.append(LimitedPayment(wager, wager, WagerRounds(self._prices[seat][wager], outcomes)))
        taken = np.bincount(choice[asked], minlength=len(CHOICES))
        counts = {"play": {name: int(taken[place]) for place, name in enumerate(CHOICES)}}
        return cut_at_limit(self._game, self._mishaps.put_right(payments, wrong)), choice, counts

    def _class(self, line: str, places: Mapping[str, NDArray[np.uint8]]) -> Outcomes:
        return strengths(np.stack([places[place] for place in self._places[line]], axis=1)).astype(np.intp)

    def _dealer_class(self, shared: Mapping[str, NDArray[np.uint8]]) -> Outcomes:
        own = {**shared, "hole_1": shared["dealer_hole_1"], "hole_2": shared["dealer_hole_2"]}
        return np.maximum(self._class("vertical", own), self._class("horizontal", own))

    # --- prices -----------------------------------------------------------------------------------------------------

    def _prices_of(self, wagers: Mapping[str, int]) -> dict[str, Prices]:
        """Return the prices of ante and raise by class, for losing, pushing and winning hands, then after a fold."""
        ante, raising = wagers["ante"], self._game.wager("raise")
        odds = self._game.wager("ante").odds
        assert odds is not None
        assert raising.stake.max is not None
        stake = raising.stake.max * ante
        won = Settlement(result="win", returned=ante, paid=odds.paid(ante))
        every_class = np.zeros(CLASS_COUNT, dtype=np.intp)
        antes = [Prices.of(ante, [one]).spread(every_class) for one in (LOST, pushed(ante), won)]
        lost_or_pushed = [Prices.of(stake, [one]).spread(every_class) for one in (LOST, pushed(stake))]
        paid = _raise_lines(self._game).prices(stake, raising.parts)
        prices = {
            "ante": Prices.joined(*antes, Prices.of(ante, [FORFEIT])),
            "raise": Prices.joined(*lost_or_pushed, paid, Prices.not_made(1)),
        }
        if "three_card" in wagers:
            lines = PaidLines(self._game.pays["three_card"], _three_card_ranks())
            prices["three_card"] = lines.prices(wagers["three_card"])
        return prices

    # --- one round in full ------------------------------------------------------------------------------------------

    def _script(self, cards: NDArray[np.uint8], choices: list[str]) -> dict[str, Any]:
        text = [str(Card(int(card))) for card in cards]
        named = {"across": " ".join(text[:2]), "down": " ".join(text[2:4]), "middle": text[4]}
        named["dealer"] = " ".join(text[5:7])
        seats = []
        for seat, plan in enumerate(self._plan.seats):
            first = len(DRAWN) + 2 * seat
            named[f"seat{seat + 1}"] = f"{text[first]} {text[first + 1]}"
            decisions = {"play": choices[seat], **({"three_card": "expose"} if "three_card" in plan.wagers else {})}
            seats.append({"seat": seat + 1, "wagers": dict(plan.wagers), "decisions": decisions})
        return {"rulebook": self._game.book.id, "submission": dict(self._game.stated), "cards": named, "seats": seats}


FOLDED: Final = 3 * CLASS_COUNT
"""Outcome of ante and raise after a fold."""


@lru_cache(maxsize=16)
def _raise_lines(game: Game) -> PaidLines:
    """Return the pay lines of the raise, which are the same for every seat."""
    return PaidLines(game.pays["raise"], hand_classes())


@cache
def _three_card_ranks() -> tuple[HandRank, ...]:
    classify = KINDS["three_card"].classify
    return tuple(dict.fromkeys(classify([Card(card) for card in three]) for three in combinations(range(DECK), 3)))


@cache
def _three_card_places() -> Outcomes:
    """Return the index of each three-card hand in `_three_card_ranks`, in any order of its cards."""
    number = {rank: place for place, rank in enumerate(_three_card_ranks())}
    table = np.zeros((DECK, DECK, DECK), dtype=np.intp)
    for three in combinations(range(DECK), 3):
        place = number[KINDS["three_card"].classify([Card(card) for card in three])]
        for order in permutations(three):
            table[order] = place
    return table
