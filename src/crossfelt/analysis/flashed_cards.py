"""Hole-carding: the gain of players who see a flashed card or share their hands."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.estimates import CONFIDENCE, POSITIONS, Estimate, around
from crossfelt.analysis.solution import EXACT, RulesIdentity, Solution, exact
from crossfelt.analysis.solver import nodes
from crossfelt.analysis.solver.advise import values_at
from crossfelt.analysis.solver.api import solve
from crossfelt.analysis.solver.courses import Courses, Stakes
from crossfelt.analysis.solver.lines import values_of_flashed
from crossfelt.analysis.solver.one_hand import require_reach
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.policy import values_of
from crossfelt.analysis.solver.position import Position
from crossfelt.analysis.solver.reach import Unreachable
from crossfelt.analysis.solver.round_plan import DEALER, RoundPlan
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput
from crossfelt.kernels.solver.hand_tables import DECK
from crossfelt.kernels.solver.position_list import sum_results
from crossfelt.kernels.threads import in_threads
from crossfelt.rulebooks.game import Game

AT_A_TIME: Final = 8


class SeenCard(msgspec.Struct, frozen=True, kw_only=True):
    """The value of one card seen before the first decision, in antes per round."""

    place: str
    gain: Fraction
    """Gain against a player who has not seen it."""
    value: Fraction
    """Value of a round to a player who uses the card."""
    interval: Estimate | None = None
    """Confidence interval of the gain if deals were sampled."""
    method: str = EXACT

    @property
    def value_interval(self) -> Estimate | None:
        """Confidence interval of the value if deals were sampled."""
        return around(float(self.value), self.interval.standard_error, CONFIDENCE) if self.interval else None

    def as_data(self) -> dict[str, Any]:
        data = {"card": self.place, "method": self.method}
        if self.interval:
            return {**data, **msgspec.to_builtins({"gain": self.interval, "value": self.value_interval})}
        return {**data, "gain": exact(self.gain), "value": exact(self.value)}


class SharedHands(msgspec.Struct, frozen=True, kw_only=True):
    """The gain of each player in a round, in antes."""

    rules: RulesIdentity
    players: int
    deals: int
    seed: str
    gain: Estimate
    value: Estimate
    """Value of a round to each player, in antes: the gain added to the exact value without it."""
    unit: str = "one ante"
    method: str = "exact for each of the drawn hands, against basic strategy on drawn cards"


def hidden_cards(game: Game) -> tuple[str, ...]:
    """Name the hidden cards that a dealer may flash before the first decision; cards that count alike are one.

    >>> hidden_cards(compile_game("nj-criss-cross")), hidden_cards(compile_game("nj-double-cross"))
    (('across', 'down', 'middle'), ('across_left', 'middle', 'down_near', 'dealer'))
    """
    plan = RoundPlan(game)
    first = next((number for number, moment in enumerate(plan.moments) if moment.decisions), len(plan.moments))
    alike: dict[tuple[object, ...], list[str]] = {}
    for number, moment in enumerate(plan.moments[first + 1 :]):
        for place in moment.places:
            enters = tuple(place in hand.places for hand in plan.hands)
            alike.setdefault((number, enters), []).append(place)
    return tuple(_name_of(plan, places) for places in alike.values())


def _name_of(plan: RoundPlan, places: Sequence[str]) -> str:
    """Return the shortest name of cards that count alike, by which `RoundPlan` finds the first of them.

    >>> from crossfelt.analysis.solver.round_plan import RoundPlan
    >>> _name_of(RoundPlan(compile_game("nj-criss-cross")), ["across_left", "across_right"])
    'across'
    """
    first = places[0]
    short = DEALER.removesuffix(".") if first.startswith(DEALER) else first.rpartition("_")[0]
    several = len(places) > 1 or first.startswith(DEALER)
    return short if several and plan.place_named(short) == first else first


def require_hole_carding(game: Game) -> None:
    """Raise BadInput, with the reason, if the game has no hole-carding values."""
    if not _is_solved(game, "") or not (_flashed(game) or _places_solved(game)):
        what = "the value of a seen card is not computed for the rules of this game"
        raise BadInput.at(game.book.id, "exposure.game", what)


def _flashed(game: Game) -> bool:
    """Say if flashed cards are valued in positions that are drawn."""
    return Payoffs(RoundPlan(game)).has_lines


def _is_solved(game: Game, place: str) -> bool:
    try:
        require_reach(game, known=place)
    except BadInput:
        return False
    return True


def _places_solved(game: Game) -> list[str]:
    return [place for place in hidden_cards(game) if _is_solved(game, place)]


def seen_cards(
    game: Game,
    best: Solution,
    *,
    positions: int = POSITIONS,
    seed: str = "0",
    advance: Callable[[int], None] = lambda done: None,
) -> tuple[SeenCard, ...]:
    """Return the value of each card that may be seen: exact by enumeration, or an estimate.

    `best` is the solution for a player who sees no card. `advance` receives the number of positions or cards done.
    """
    if not _flashed(game):
        exactly = []
        for place in _places_solved(game):
            value = solve(game, known=place).ev
            exactly.append(SeenCard(place=place, gain=value - best.ev, value=value))
            advance(1)
        return tuple(exactly)
    found = flashed_card_values(game, positions=positions, seed=seed, advance=advance)
    method = f"exact in each of {positions} positions, seed {seed}; intervals at {CONFIDENCE:.0%} confidence"
    return tuple(
        SeenCard(
            place=place,
            gain=Fraction(gain.value),
            value=best.ev + Fraction(gain.value),
            interval=gain,
            method=method,
        )
        for place, gain in found.items()
    )


def steps_of(game: Game, positions: int = POSITIONS) -> int:
    """Return the total of the steps that `seen_cards` reports; 0 where it has no values."""
    try:
        require_hole_carding(game)
    except BadInput:
        return 0
    return positions if _flashed(game) else len(_places_solved(game))


def flashed_card_values(
    game: Game, *, positions: int, seed: str = "0", advance: Callable[[int], None] = lambda done: None
) -> dict[str, Estimate]:
    """Estimate the value of knowing the card in each place, in antes per round, over positions drawn from a seed."""
    if positions < 2:
        raise BadInput.at("positions", "flashed.positions", "too few", positions, "2 …")
    payoffs, chance = Payoffs(RoundPlan(game)), random.Random(seed)
    courses, places = Courses(payoffs.plan), payoffs.plan.moments[0].places
    found: dict[str, list[float]] = {}
    for _ in range(positions):
        seen = dict(zip(places, chance.sample(range(game.book.deck.cards), len(places)), strict=True))
        for place, gain in values_of_flashed(payoffs, courses, seen).items():
            found.setdefault(place, []).append(float(gain))
        advance(1)
    return {place: around(fmean(each), stdev(each) / sqrt(positions), CONFIDENCE) for place, each in found.items()}


# --- shared hands -------------------------------------------------------------------------------------------------
# The value of a hand to a player who knows the cards of others is exact. The value of the same hand, among the same
# cards, under the strategy of a player who does not is the mean over cards that are drawn before the last decision.

DRAWS = 4000
"""Draws of the cards before the last decision, for each hand."""
Floats = NDArray[np.float64]


class SharedRounds:
    """Rounds of players who know each other's cards."""

    def __init__(self, game: Game, players: int) -> None:
        self._plan = RoundPlan(game)
        self._payoffs = Payoffs(self._plan)
        self._courses = Courses(self._plan)
        self._values = values_of(game)
        self._streets = nodes.require_reach(self._payoffs)
        self._players = players
        # Built before threads ask for it.
        _ = self._payoffs.table

    @property
    def cards(self) -> int:
        """The cards of all players."""
        return self._players * len(self._plan.own)

    def gain(self, dealt: Sequence[Card]) -> float:
        """Return the average gain of the players of one round, in units."""
        size = len(self._plan.own)
        hands = [dealt[start : start + size] for start in range(0, len(dealt), size)]
        return sum(float(self.value(hand, dealt)) - self.value_alone(hand, dealt) for hand in hands) / len(hands)

    def value(self, hand: Sequence[Card], known: Sequence[Card]) -> Fraction:
        """Return the value of a hand under best play to a player who knows cards of others as well."""
        others = [card for card in known if card not in hand]
        seen = dict(zip(self._plan.own, hand, strict=True)) | {f"known.{card}": card for card in others}
        first = next(number for number, moment in enumerate(self._plan.moments) if moment.decisions)
        position = Position(self._plan, seen, first, Courses(self._plan, [self._courses.first]))
        return max(values_at(self._payoffs, position).values())

    def value_alone(self, hand: Sequence[Card], known: Sequence[Card]) -> float:
        """Estimate the value of a hand, beside cards of others, to a player who does not know these."""
        chance = np.random.default_rng([int(card) for card in known])
        left = np.array([card for card in range(DECK) if card not in known], dtype=np.uint8)
        places = [place for block in self._streets.blocks[1:-1] for place in block.places]
        drawn = left[np.argsort(chance.random((DRAWS, len(left))), axis=1)[:, : len(places)]]
        cards = {place: np.full(DRAWS, card, dtype=np.uint8) for place, card in zip(self._plan.own, hand, strict=True)}
        cards |= dict(zip(places, drawn.T, strict=True))
        dead = np.array([[card for card in known if card not in hand]], dtype=np.uint8)
        return float(self._played(cards, dead).mean())

    def _played(self, cards: dict[str, NDArray[np.uint8]], dead: NDArray[np.uint8]) -> Floats:
        """Follow the strategy to the last decision, and sum over the last card from there."""
        worth, shown = np.zeros(DRAWS), list[str]()
        here: dict[Stakes, NDArray[np.intp]] = {self._courses.first: np.arange(DRAWS)}
        left = len(self._courses.decisions)
        for block, steps in zip(self._streets.blocks, self._streets.decisions, strict=True):
            shown += block.places
            for step in steps:
                left -= 1
                then: dict[Stakes, list[NDArray[np.intp]]] = {}
                for stakes, rows in here.items():
                    seen = {place: cards[place][rows] for place in shown}
                    found = self._values(step.id, stakes)(seen)
                    chosen = found.by_option.argmax(axis=0)
                    for place, option in enumerate(found.options):
                        mine = rows[chosen == place]
                        if option.then.settled:
                            worth[mine] = -option.then.lost
                        elif left == 0:
                            worth[mine] = self._to_the_end(option.then, {p: cards[p][mine] for p in shown}, dead)
                        else:
                            then.setdefault(option.then, []).append(mine)
                here = {stakes: np.concatenate(parts) for stakes, parts in then.items()}
        return worth

    def _to_the_end(self, end: Stakes, cards: dict[str, NDArray[np.uint8]], dead: NDArray[np.uint8]) -> Floats:
        payoffs, last = self._payoffs, self._streets.blocks[-1]
        own = np.stack(list(cards.values()), axis=1)
        columns = np.ascontiguousarray(np.hstack([own, np.repeat(dead, len(own), axis=0)]))
        hands = [groups.hand.places for groups in payoffs.own]
        entered = np.array([[place in hand for hand in hands] for place in cards], dtype=np.uint8)
        none = np.zeros((dead.shape[1], len(hands)), dtype=np.uint8)
        inside = np.vstack([entered, none, np.array([last.enters], dtype=np.uint8)]).T
        sums = sum_results(columns, np.ascontiguousarray(inside), payoffs.tables, payoffs.nets([end]))[:, 0]
        found: Floats = sums / ((DECK - columns.shape[1]) * payoffs.scale)
        return found


def can_share(game: Game) -> bool:
    """Say if the gain of shared hands is known: where no hand of the dealer counts, and one card comes last."""
    try:
        payoffs = Payoffs(RoundPlan(game))
        return not payoffs.dealer and nodes.one_card_left(nodes.require_reach(payoffs))
    except Unreachable:
        return False


def share_hands(
    game: Game,
    *,
    players: int,
    rounds: int,
    seed: str = "0",
    advance: Callable[[int], None] = lambda done: None,
) -> SharedHands | None:
    """Estimate the gain of `players` who know each other's cards before they decide; None if it is unknown.

    Hands are drawn at random. For each seat the game is solved exactly for the remaining cards. The gain is the mean
    difference from the strategy of a player who knows only the own cards.
    """
    if not can_share(game):
        return None
    seats = game.book.table.seats
    if not 1 <= players <= seats:
        raise BadInput.at("", "shared.players", "no such number of players", players, f"1 … {seats}")

    chance, drawn = random.Random(f"{game.hash}/shared/{seed}"), SharedRounds(game, players)
    deck = list(map(Card, range(game.book.deck.cards)))
    dealt = [chance.sample(deck, drawn.cards) for _ in range(rounds)]
    gains: list[float] = []
    for start in range(0, rounds, AT_A_TIME):

        def gain(place: int, first: int = start) -> float:
            return drawn.gain(dealt[first + place])

        gains += in_threads(gain, min(AT_A_TIME, rounds - start))
        advance(len(gains) - start)
    mean = fmean(gains)
    error = stdev(gains) / sqrt(rounds)
    return SharedHands(
        rules=RulesIdentity.of(game),
        players=players,
        deals=rounds,
        seed=seed,
        gain=around(mean, error, CONFIDENCE),
        value=around(float(solve(game).ev) + mean, error, CONFIDENCE),
    )
