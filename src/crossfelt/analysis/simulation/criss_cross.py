"""Criss Cross Poker by the million."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.criss_cross_strategies import Bets, strategy_of
from crossfelt.analysis.simulation.criss_cross_wheels import Wheels
from crossfelt.analysis.simulation.mishaps import Mishaps, Wrong
from crossfelt.analysis.simulation.plan import Drawn, Plan
from crossfelt.analysis.simulation.wagered import (
    FORFEIT,
    Outcomes,
    PaidLines,
    Payment,
    Prices,
    Wagered,
    settled_in_order,
)
from crossfelt.cards.card import Card
from crossfelt.hands.strength import CLASS_COUNT, hand_classes
from crossfelt.kernels.dealing import deals
from crossfelt.kernels.five_card import strengths
from crossfelt.kernels.inputs import Hands
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Decide
from crossfelt.table.scripted_checks import stakes_of

DECK: Final = 52
COMMUNITY: Final = ("across_left", "across_right", "down_far", "down_near", "middle")
"""The cards on the layout, in the order in which they are drawn here; two for each seat follow."""
MOST_TIMES: Final = 3

NOT_ASKED: Final = MOST_TIMES + 1


@lru_cache(maxsize=16)
def _paid_lines(game: Game, table: str) -> PaidLines:
    """Every seat is paid by the same lines."""
    return PaidLines(game.pays[table], hand_classes(ace_low_straight=bool(game.settings["ace_low_straight"])))


class CrissCrossRounds:
    """One game and plan, ready to be played block by block."""

    def __init__(self, game: Game, plan: Plan) -> None:
        self._game = game
        self._plan = plan
        self._strategies = [strategy_of(game, seat.strategy) for seat in plan.seats]
        self._decisions = {place: step for place, step in enumerate(game.book.script) if isinstance(step, Decide)}
        self._places = {line.id: line.places for line in game.book.lines}
        self._ace_low = bool(game.settings["ace_low_straight"])
        self._either_line = game.settings["middle_bet_follows"] == "either_line"
        self._stakes = [stakes_of(game, seat.wagers) for seat in plan.seats]
        self._prices = [self._prices_of(stakes) for stakes in self._stakes]
        self._bets = _paid_lines(game, "bets")
        self._mishaps = Mishaps(game, plan)
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
        folded = [np.logical_or.reduce([bet == 0 for bet in own.values()]) for own in bets]
        spins = self._wheels.spin(stream, holes, community, folded, payments, wrong)

        def script(row: int) -> dict[str, Any]:
            made = [{wager: int(bet[row]) for wager, bet in own.items()} for own in bets]
            played = self._script(cards[row], made)
            return {**played, "chance": spins.chance(row), **self._mishaps.script(wrong, row)}

        decisions = tuple({wager: _counts(bet) for wager, bet in own.items()} for own in bets)
        return Drawn(decisions, spins.claims, wrong.trouble, spins.settle, script)

    def _decide(self, seat: int, cards: Hands) -> dict[str, Bets]:
        """The bets of a seat, 0 where it folds and `NOT_ASKED` after that."""
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
        """The rounds in which each seat is asked at a step, by its place in the script."""
        if not self._plan.mishaps_per_million:
            return {}
        return {place: [own[step.wager] != NOT_ASKED for own in bets] for place, step in self._decisions.items()}

    def _call_off(self, bets: Sequence[dict[str, Bets]], wrong: Wrong) -> None:
        """Nobody is asked any more once a round is void."""
        if wrong.rounds.size:
            for place, step in self._decisions.items():
                for own in bets:
                    own[step.wager][wrong.void_at <= place] = NOT_ASKED

    def _settle(self, seat: int, cards: Hands, community: Outcomes, bets: Mapping[str, Bets]) -> list[Payment]:
        """What the seat's wagers came to."""
        classes = {line: self._class(line, cards, _hole_of(seat)) for line in ("across", "down")}
        hands = {"community": community, "middle": self._middle(**classes), **classes}
        payments = []
        for wager_id in (wager for wager in settled_in_order(self._game) if wager in self._prices[seat]):
            wager = self._game.wager(wager_id)
            hand = hands[wager_id if wager.better_of else str(wager.line)]
            standing = self._standing(wager_id, bets, len(cards))
            wagered = Wagered(self._prices[seat][wager_id], standing * CLASS_COUNT + hand)
            payments.append(Payment(wager_id, wager_id, wagered))
        return payments

    def _standing(self, wager: str, bets: Mapping[str, Bets], rounds: int) -> Outcomes:
        """Which set of prices a wager is at: not made, at its multiple, or forfeited at its multiple."""
        own = bets.get(wager)
        standing = np.ones(rounds, dtype=np.intp) if own is None else np.where(own == NOT_ASKED, 0, own).astype(np.intp)
        for step in self._decisions.values():
            if wager in step.fold_forfeits:
                standing[(bets[step.wager] == 0) & (standing > 0)] += MOST_TIMES
        return standing

    def _class(self, line: str, cards: Hands, first: int) -> Outcomes:
        """The class of the hand on a line, for the seat whose cards begin at column `first`."""
        column = {place: number for number, place in enumerate(COMMUNITY)} | {"hole_1": first, "hole_2": first + 1}
        hands = cards[:, [column[place] for place in self._places[line]]]
        return strengths(hands, ace_low_straight=self._ace_low).astype(np.intp)

    def _middle(self, across: Outcomes, down: Outcomes) -> Outcomes:
        """The hand that the middle bet is settled on: the higher; where neither line wins, one that pushes."""
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
        """Class by class: not made, at one to three times, and forfeited at one to three times."""
        of_hands = {name: self._game.wager(name) for name in stakes if self._game.wager(name).paid_by != "wheel"}
        prices = {name: self._at(wager, [stakes[name], 0, 0]) for name, wager in of_hands.items()}
        for step in self._decisions.values():
            wager = self._game.wager(step.wager)
            base = next(cents for name, cents in stakes.items() if self._game.wager(name).group == wager.stake.of)
            prices[wager.id] = self._at(wager, [times * base for times in range(1, MOST_TIMES + 1)])
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


ACTIONS: Final = ("fold", "1x", "2x", "3x")
OPENED: Final = {"across": [0, 1], "down": [2, 3]}
"""The columns of the cards that are turned up once a bet is made."""


def _hole_of(seat: int) -> int:
    """The column of the first of a seat's two cards."""
    return len(COMMUNITY) + 2 * seat


def _counts(bets: Bets) -> dict[str, int]:
    """How often each bet was made, of the times the seat was asked."""
    taken = np.bincount(bets, minlength=NOT_ASKED)
    return {action: int(taken[place]) for place, action in enumerate(ACTIONS)}
