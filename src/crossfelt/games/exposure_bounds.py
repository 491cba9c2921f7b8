"""Bounds of the exposure: the most that combinations of hands could pay together.

Each hand falls into cells of hands that are paid alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from crossfelt.cards.card import RANKS, Card
from crossfelt.games.made_hands import Wanted
from crossfelt.games.rules import Ranker, has_mark, ranker_of, rules_of
from crossfelt.hands.rank import LEVELS, HandRank
from crossfelt.money import Odds
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Mark, Match, side_of
from crossfelt.rulebooks.model import PayLine, Wager
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.settle_forms import Bonus, PayOn, Result, Rule

Stakes = Mapping[str, int]
"""Cents staked by wager."""


class HandCell(NamedTuple):
    """Hands of one category that have the same pay lines and marks; `wanted` is None where any hand will do."""

    wanted: Wanted | None
    level: int
    lines: Mapping[str, PayLine | None]
    marks: Mapping[str, bool]
    """Marks that its hands have or lack; some may have a mark that is not listed."""


def _cells(game: Game, order: str, tables: Sequence[str], marks: Mapping[str, Mark]) -> list[HandCell]:
    """Divide the hands of an order by category, pay line and marks, the lowest category first."""
    kind = kinds_of(game.book)[order]
    named = ranker_of(game, order)([Card(card) for card in range(kind.cards)]).order
    asked: list[Match] = [line for table in tables for line in game.pays[table].lines]
    asked += [match for mark in marks.values() for match in (mark.is_, mark.at_least) if match is not None]
    found: dict[Any, tuple[set[int], HandCell]] = {}
    for level, category in enumerate(dict.fromkeys(("nothing", *reversed(kind.categories)))):
        begun = [ranks for match in asked if match.hand == category for ranks in match.beginnings if len(ranks) > 1]
        for first in [*((lead,) for lead in range(len(RANKS))), *begun]:
            # The other ranks decide a mark only if they are compared; both extremes are tried.
            for other in (0, first[-1]):
                rank = HandRank(named, category, (*first, *[other] * (kind.cards - len(first))))
                lines = {table: game.pays[table].line_for(rank) for table in tables}
                marked = {name: category in LEVELS[named] and has_mark(rank, mark) for name, mark in marks.items()}
                key = (
                    category,
                    first[1:] and first,
                    *(line and line.name for line in lines.values()),
                    *marked.values(),
                )
                leads, _ = found.setdefault(key, (set(), HandCell(None, level, lines, marked)))
                leads.add(first[0])
    return [cell._replace(wanted=Wanted(key[0], frozenset(leads), key[1])) for key, (leads, cell) in found.items()]


Cells = Mapping[str, HandCell]
Choice = Mapping[str, str]
"""The hand that a player names, by the hand that is named."""


class Bounds:
    """The hands that settle some wagers, and the most that each combination of their cells could pay."""

    def __init__(self, game: Game, stakes: Stakes) -> None:
        self._game, self._stakes = game, stakes
        self._hands = {hand.id: hand for hand in game.book.hands}
        paid = [wager for wager in map(game.wager, stakes) if not wager.spins and wager.unit == "cents"]
        counted = {wager.id for wager in paid if not self._pays_meter(wager)}
        self.not_counted = tuple(name for name in stakes if name not in counted)
        set_by_players = [wager for wager in paid if any(self._hands[side_of(name)[1]].split for name in wager.hands)]
        self.assumed_cents = sum(self._at_odds(wager, wager.odds) for wager in set_by_players if wager.odds)
        """The pay of wagers on hands that their owners set: the best result is a bound, as the setting is a choice."""
        self.wagers = [wager for wager in paid if wager not in set_by_players]
        rules = rules_of(game)
        self._settle = {wager.id: rules.in_force[wager.id] for wager in self.wagers}
        self._uses = {wager.id: rules.hands_of_cards(self._named(wager)) for wager in self.wagers}
        self.names = tuple(dict.fromkeys(name for names in self._uses.values() for name in names))
        self.keys = {name: rules.places(name) for name in self.names}
        """The places of each hand."""
        self.cells = {name: self._cells_of(name) for name in self.names}
        self._known: dict[tuple[object, ...], int] = {}

    def _pays_meter(self, wager: Wager) -> bool:
        tables = {*wager.tables, *(bonus.pay for bonus in wager.bonus)}
        return any(line.meter_percent for table in tables for line in self._game.pays[table].lines)

    def _named(self, wager: Wager) -> list[str]:
        of_bonus = [hand for bonus in wager.bonus for hand in (bonus.on, *bonus.when, *bonus.unless)]
        return [*(hand for rule in self._settle[wager.id] for hand in rule.hands), *of_bonus]

    def cards_of(self, name: str) -> tuple[Ranker, int]:
        """Return the ranker of a hand, and the number of cards that count."""
        hand = self._hands[side_of(name)[1]]
        assert hand.order is not None
        return ranker_of(self._game, hand.order), hand.best or kinds_of(self._game.book)[hand.order].cards

    def combinations(self) -> list[tuple[int, Choice, Cells]]:
        """Return every combination of cells with the most that it could pay, best first."""
        cells = [self.cells[name] for name in self.names]
        found = [
            (
                sum(self._at_most(wager, choice, dict(zip(self.names, each, strict=True))) for wager in self.wagers),
                choice,
                each,
            )
            for choice in self.choices()
            for each in product(*cells)
        ]
        found.sort(key=lambda one: -one[0])
        return [(bound, choice, dict(zip(self.names, each, strict=True))) for bound, choice, each in found]

    def choices(self) -> list[Choice]:
        named = [hand for hand in self._game.book.hands if hand.chosen_of]
        return [
            dict(zip([hand.id for hand in named], parts, strict=True))
            for parts in product(*(hand.chosen_of for hand in named))
        ]

    def _cells_of(self, name: str) -> list[HandCell]:
        """Return the cells of a hand by what is paid on it; of a hand without pay tables, by its marks."""
        paid = [(on.pay, on.on) for rules in self._settle.values() for rule in rules for on in rule.paid]
        paid += [(bonus.pay, bonus.on) for wager in self.wagers for bonus in wager.bonus]
        rules = rules_of(self._game)
        tables = list(dict.fromkeys(table for table, hand in paid if name in rules.hands_of_cards([hand])))
        hand = self._hands[side_of(name)[1]]
        assert hand.order is not None
        if tables:
            return _cells(self._game, hand.order, tables, hand.marks)
        return [
            HandCell(None, 0, {}, dict(zip(hand.marks, truths, strict=True)))
            for truths in product((True, False), repeat=len(hand.marks))
        ]

    def _at_most(self, wager: Wager, choice: Choice, cells: Cells) -> int:
        key = (wager.id, *choice.values(), *(id(cells[name]) for name in self._uses[wager.id]))
        if key not in self._known:
            self._known[key] = self._bound(wager, choice, cells) + self._bonus_bound(wager, choice, cells)
        return self._known[key]

    def _bound(self, wager: Wager, choice: Choice, cells: Cells) -> int:
        """Return the most that a wager could pay: the best result of the rules that may apply."""
        best = 0
        for rule in self._settle[wager.id]:
            applies = self._applies(rule, choice, cells)
            if applies is False:
                continue
            paid = [self._paid(wager, result, choice, cells) for result in _results(rule)]
            if rule.pays:
                tables = map(partial(self._on_lines, wager, choice=choice, cells=cells), rule.pays)
                together = max if rule.take == "best" else sum
                best = max(best, together(max(each, default=0) for each in tables))
            best = max([best, *paid])
            passes_on = rule.only is not None or (rule.else_ == "next" and 0 in paid)
            if applies and not passes_on:
                break
        return best

    def _bonus_bound(self, wager: Wager, choice: Choice, cells: Cells) -> int:
        paid = [
            self._on_lines(wager, PayOn(pay=bonus.pay, on=bonus.on), choice, cells)
            for bonus in wager.bonus
            if self._applies(bonus, choice, cells) is not False
        ]
        return sum(max(each, default=0) for each in paid)

    def _applies(self, rule: Rule | Bonus, choice: Choice, cells: Cells) -> bool | None:
        fits = [self._marked(name, mark, choice, cells) for name, mark in rule.when.items()]
        barred = [self._marked(name, mark, choice, cells) for name, mark in rule.unless.items()]
        fits += [None if truth is None else not truth for truth in barred]
        return False if False in fits else None if None in fits else True

    def _marked(self, name: str, mark: str, choice: Choice, cells: Cells) -> bool | None:
        found = {cell.marks.get(mark) for cell in self._possible(name, choice, cells)}
        return found.pop() if len(found) == 1 else None

    def _possible(self, name: str, choice: Choice, cells: Cells) -> list[HandCell]:
        """Return the cells in which a hand may be: of the higher of two hands, the cell of the higher category."""
        side, own = side_of(name)
        hand = self._hands[own]
        parts = (choice[own],) if hand.chosen_of else hand.parts
        if not parts:
            return [cells[name]] if name in cells else []
        each = [cell for part in parts for cell in self._possible(f"{side}.{part}" if side else part, choice, cells)]
        levels = [cell.level for cell in each]
        level = min(levels) if hand.lowest_of else max(levels)
        return [cell for cell in each if cell.level == level]

    def _paid(self, wager: Wager, result: Result, choice: Choice, cells: Cells) -> int:
        if isinstance(result, PayOn):
            return max(self._on_lines(wager, result, choice, cells), default=0)
        return 0 if result in ("push", "lose", "next") else self._at_odds(wager, Odds(result))

    def _on_lines(self, wager: Wager, paid: PayOn, choice: Choice, cells: Cells) -> list[int]:
        lines = [cell.lines[paid.pay] for cell in self._possible(paid.on, choice, cells)]
        # A share of a meter is not counted.
        found = [self._at_odds(wager, line.odds) if line.odds else line.amount_cents or 0 for line in lines if line]
        return [*found, self._paid(wager, paid.else_ or "lose", choice, cells)] if None in lines else found

    def _at_odds(self, wager: Wager, odds: Odds) -> int:
        return wager.parts * odds.paid(self._stakes[wager.id] // wager.parts)


def _results(rule: Rule) -> Iterator[Result]:
    """Yield the results that a rule may have."""
    if rule.pay and rule.on:
        yield PayOn(pay=rule.pay, on=rule.on, else_=None if rule.else_ == "next" else rule.else_)
    if rule.versus:
        yield rule.win or "lose"
        yield rule.tie or "push"
        yield rule.lose or "lose"
    yield from rule.by_wins
    if rule.odds:
        yield rule.odds
