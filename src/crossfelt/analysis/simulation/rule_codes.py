"""The settlement of a wager over many rounds: the result of each round as a code, and the price of each code.

The rules are those of the rulebook, in order; the first that applies decides. A code stands for a pay line, or for
plain odds, a push or a loss. The rules of the game price each code once for a stake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.simulation.payoffs import LOST, Cents, Prices
from crossfelt.analysis.simulation.ranked_hands import MadeHand, NotVectorised
from crossfelt.games.rules import has_mark, rules_of
from crossfelt.games.settlement import LinePay, Settlement
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.model import PayLine, Wager
from crossfelt.rulebooks.settle_forms import Bonus, Result, Rule

Codes = NDArray[np.intp]
Where = NDArray[np.bool_]
Made = Callable[[str], MadeHand]
"""Returns a hand of the seat by its name."""
NEXT: Final = -1
"""No code: the next rule decides."""
LOSE: Final = 0


class PaidLine(NamedTuple):
    """A line of a pay table; several where tables are paid together."""

    pays: tuple[LinePay, ...]
    best: bool = False
    """Only the line that brings the most is paid."""


class RuleCodes:
    """The rules of one wager."""

    def __init__(self, game: Game, wager: Wager) -> None:
        self._game = game
        self._rules = rules_of(game)
        self.wager = wager
        self._used = tuple(rule for rule in wager.settle if self._chosen(rule))
        self._codes: dict[object, int] = {"lose": LOSE}
        self.results: list[PaidLine | str] = ["lose"]
        self._lines: dict[tuple[str, str, int], Codes] = {}
        self._marked: dict[tuple[str, str], Where] = {}
        self._prices: dict[int, Prices] = {}

    def _chosen(self, rule: Rule) -> bool:
        return all(self._game.settings[setting] == value for setting, value in rule.where.items())

    # --- codes ------------------------------------------------------------------------------------------------------

    def codes(self, made: Made, rounds: int) -> Codes:
        """Return the result of each round."""
        found = np.full(rounds, LOSE, dtype=np.intp)
        undecided: Where | None = None
        for rule in self._used:
            applies, code = self._applies(rule, made), self._by_rule(rule, made)
            if applies is None and undecided is None and rule.else_ != "next" and not rule.only:
                return code if isinstance(code, np.ndarray) else np.full(rounds, code, dtype=np.intp)
            undecided = np.ones(rounds, dtype=np.bool_) if undecided is None else undecided
            here = undecided & (code != NEXT)
            here = here if applies is None else here & applies
            np.copyto(found, code, where=here)
            undecided &= ~here
        return found

    def spins(self, made: Made, rounds: int) -> Where:
        """Say where the player's own hand spins the wheel of the wager."""
        found, undecided = np.zeros(rounds, dtype=np.bool_), np.ones(rounds, dtype=np.bool_)
        for rule in self._used:
            applies = self._applies(rule, made)
            here = undecided if applies is None else undecided & applies
            found |= here & (rule.spin == "own")
            undecided = undecided & ~here
        return found

    def _applies(self, rule: Rule | Bonus, made: Made) -> Where | None:
        """Say where a rule applies; None for everywhere."""
        wanted = [(self._has(name, mark, made), True) for name, mark in rule.when.items()]
        wanted += [(self._has(name, mark, made), False) for name, mark in rule.unless.items()]
        every = [has if wants else ~has for has, wants in wanted]
        return np.logical_and.reduce(every) if every else None

    def _has(self, name: str, mark: str, made: Made) -> Where:
        hand = made(name)
        if (hand.name, mark) not in self._marked:
            asked = next(each for each in self._game.book.hands if each.id == side_of(name)[1]).marks[mark]
            match = asked.is_ or asked.at_least
            assert match is not None
            self._require(hand, exact=bool(match.low or match.high or match.ranks), what=f"the mark {mark}")
            self._marked[hand.name, mark] = np.array([has_mark(rank, asked) for rank in hand.ranks])
        return self._marked[hand.name, mark].take(hand.classes)

    def _require(self, hand: MadeHand, *, exact: bool, what: str) -> None:
        """Refuse to ask a hand for ranks that its classes do not tell."""
        if not hand.ranks or (exact and not hand.ordered):
            raise NotVectorised(self._game, f"{what} asks the hand {hand.name} for more than its category")

    def _by_rule(self, rule: Rule, made: Made) -> Codes | int:
        if rule.versus is not None:
            own, other = map(made, rule.versus)
            self._require_comparable(own, other)
            win, tie = self._result(rule.win or "lose", made), self._result(rule.tie or "push", made)
            lose = self._result(rule.lose or "lose", made)
            return np.where(own.classes > other.classes, win, np.where(own.classes == other.classes, tie, lose))
        if rule.versus_each:
            pairs = [(made(one), made(other)) for one, other in rule.versus_each]
            for pair in pairs:
                self._require_comparable(*pair)
            won = np.sum([own.classes > other.classes for own, other in pairs], axis=0)
            by_wins: Codes = np.array([self._code(result) for result in rule.by_wins])
            codes: Codes = by_wins.take(won)
            return codes
        if rule.pays:
            return self._together(rule, made)
        if rule.pay is not None and rule.on is not None:
            none = NEXT if rule.else_ == "next" else self._code(rule.else_ or "lose")
            codes = self._by_table(rule.pay, rule.on, none, made)
            if rule.only == "push":
                pushes = np.array([self._pushes(result) for result in self.results])
                codes = np.where((codes == none) | pushes.take(np.maximum(codes, 0)), codes, NEXT)
            return codes
        return self._code(rule.odds or "lose")

    def _require_comparable(self, own: MadeHand, other: MadeHand) -> None:
        if own.ranks != other.ranks or not (own.ordered and other.ordered):
            raise NotVectorised(self._game, f"the hands {own.name} and {other.name} are compared in different orders")

    @staticmethod
    def _pushes(result: PaidLine | str) -> bool:
        return isinstance(result, PaidLine) and all(pay.pushes for pay in result.pays)

    def _result(self, result: Result, made: Made) -> Codes | int:
        if isinstance(result, str):
            return self._code(result)
        return self._by_table(result.pay, result.on, self._code(result.else_ or "lose"), made)

    def _by_table(self, table: str, on: str, none: int, made: Made) -> Codes:
        """Return the code of each round's line in a pay table; `none` for a hand without a line."""
        hand = made(on)
        key = table, hand.name, none
        if key not in self._lines:
            pays = self._pays(table, hand)
            self._lines[key] = np.array([none if pay.line is None else self._code(PaidLine((pay,))) for pay in pays])
        return self._lines[key].take(hand.classes)

    def _pays(self, table: str, hand: MadeHand) -> list[LinePay]:
        """Return the pay of each class of a hand by a pay table."""
        pays = self._game.pays[table]
        exact = any(line.low or line.high or line.ranks for line in pays.lines)
        self._require(hand, exact=exact, what=f"the pay table {table}")
        lines = [(rank, pays.line_for(rank)) for rank in hand.ranks]
        return [
            LinePay(rank=rank, line=line, odds=line.odds if line else None, name=rank.category) for rank, line in lines
        ]

    def _together(self, rule: Rule, made: Made) -> Codes:
        """Return the code of the lines of several pay tables that are paid together, or the best of them."""
        hands = [made(each.on) for each in rule.pays]
        tables = []
        for each, hand in zip(rule.pays, hands, strict=True):
            lines = self._pays(each.pay, hand)
            different = {pay.line.name: pay for pay in lines if pay.line is not None}
            number = {name: place for place, name in enumerate(different, start=1)}
            of_class = [number[pay.line.name] if pay.line is not None else 0 for pay in lines]
            tables.append((list(different.values()), np.array(of_class).take(hand.classes)))
        sizes = tuple(1 + len(different) for different, _ in tables)
        codes = np.empty(sizes, dtype=np.intp)
        for places in np.ndindex(sizes):
            held = tuple(pays[place - 1] for (pays, _), place in zip(tables, places, strict=True) if place)
            won = tuple(pay for pay in held if pay.wins) or held[:1]
            codes[places] = self._code(PaidLine(won, best=rule.take == "best" and len(won) > 1)) if won else LOSE
        found: Codes = codes[tuple(place for _, place in tables)]
        return found

    def _code(self, result: PaidLine | str) -> int:
        key: object = result
        if isinstance(result, PaidLine):
            key = result.best, tuple((pay.line, pay.odds) for pay in result.pays)
        if key not in self._codes:
            self._codes[key] = len(self.results)
            self.results.append(result)
            self._prices.clear()
        return self._codes[key]

    # --- prices -----------------------------------------------------------------------------------------------------

    def prices(self, stake: int) -> Prices:
        """Return the price of each code for a stake; ask for the codes of a block before."""
        if stake not in self._prices:
            self._prices[stake] = Prices.of(stake, self.settled(stake))
        return self._prices[stake]

    def settled(self, stake: int) -> list[Settlement]:
        """Return the settlement of each code for a stake."""
        return [self._settled(result, stake) for result in self.results]

    def _settled(self, result: PaidLine | str, stake: int) -> Settlement:
        if isinstance(result, str):
            return self._rules.at_result(self.wager, result, stake)
        pays = (self._rules.best(self.wager, result.pays, stake),) if result.best else result.pays
        return self._rules.at_result(self.wager, pays, stake)

    def meter_lines(self) -> dict[int, PayLine]:
        """Return the lines that bring a share of a meter, by code."""
        lines = {code: result.pays[0].line for code, result in enumerate(self.results) if isinstance(result, PaidLine)}
        return {code: line for code, line in lines.items() if line is not None and line.meter_percent}

    def bonuses(self, made: Made, stakes: Cents) -> list[tuple[str, Cents, Where]]:
        """Return the pay table of each bonus, its cents by round and where it is paid, for stakes by round that are 0
        where the wager is not settled."""
        found = []
        different, place = np.unique(stakes, return_inverse=True)
        for bonus in self.wager.bonus:
            codes = self._by_table(bonus.pay, bonus.on, LOSE, made)
            settled = [[self._paid_bonus(result, int(each)) for result in self.results] for each in different]
            wins = np.array([[one.result == "win" for one in row] for row in settled])[place, codes]
            cents = np.array([[one.paid for one in row] for row in settled], dtype=np.int64)[place, codes]
            applies = self._applies(bonus, made)
            paid = wins & (stakes > 0) & (True if applies is None else applies)
            found.append((bonus.pay, cents * paid, paid))
        return found

    def _paid_bonus(self, result: PaidLine | str, stake: int) -> Settlement:
        return LOST if isinstance(result, str) else self._rules.on_line(self.wager, result.pays[0], stake)


@lru_cache(maxsize=16)
def codes_of(game: Game) -> Mapping[str, RuleCodes]:
    """Return the rules of every wager of a game; plans of one game share what they have found."""
    return {wager.id: RuleCodes(game, wager) for wager in game.wagers}
