"""The exposure: the most one patron can win in a round, whatever the patron does.

Payout limits depend on this figure. It follows from the groups, hands, rules of settlement and pay tables of the
rulebook. Each hand falls into cells of hands that are paid alike. The search takes combinations of cells in the order
of what they could pay together, deals each of them, and ends when no combination is left that could pay more than a
deal that was found.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, islice, product
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt.cards.card import RANKS, Card
from crossfelt.games.made_hands import LARGEST, Wanted, best_rank, completions, in_every_suit, made
from crossfelt.games.round_stakes import minimum_stakes
from crossfelt.games.rules import Ranker, has_mark, ranker_of, rules_of
from crossfelt.games.settlement import Spot
from crossfelt.hands.rank import LEVELS, HandRank
from crossfelt.money import Odds
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Mark, Match, side_of
from crossfelt.rulebooks.model import PayLine, Wager
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.script import Decide
from crossfelt.rulebooks.settle_forms import Bonus, PayOn, Result, Rule

SUITED: Final = 52
"""Cards of a deck without jokers."""
Stakes = Mapping[str, int]
"""Cents staked by wager."""


class Exposure(msgspec.Struct, frozen=True, kw_only=True):
    """The greatest win, and a deal that produces it."""

    cents: int
    """No deal wins more."""
    deal: str
    """Cards by group, as in a scripted round."""
    deal_cents: int
    """The win of that deal; less than `cents` where the search did not decide."""
    not_counted: tuple[str, ...] = ()
    """Wagers that a wheel or credits pay, or a meter for some hands; what these pay is left out."""

    @property
    def exact(self) -> bool:
        return self.cents == self.deal_cents


def most_at_minimum(game: Game) -> Exposure:
    """Return the exposure with every required wager and every bet at the least that the rules allow.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> most_at_minimum(compile_game("nj-criss-cross")).cents
    551000
    """
    return max((most(game, stakes) for stakes in minimum_stakes(game)), key=lambda found: found.cents)


def most(game: Game, stakes: Stakes) -> Exposure:
    """Return the exposure with these wagers placed, and every decision that wins most."""
    return _Search(game, stakes).run()


def most_of_full_table(game: Game, stakes: Stakes) -> Exposure:
    """Return a bound on what all seats together can win, each with these wagers, and the best deal found.

    The bound is the exposure of one patron times the seats. It is exact where a deal brings it.
    """
    return _Search(game, stakes).run_for_seats(game.book.table.seats)


# --- cells: hands that are paid alike ---------------------------------------------------------------------------


class _Cell(NamedTuple):
    """Hands of one category that have the same pay lines and marks; `wanted` is None where any hand will do."""

    wanted: Wanted | None
    level: int
    lines: Mapping[str, PayLine | None]
    marks: Mapping[str, bool]

    def has(self, mark: str) -> bool | None:
        """Say if its hands have a mark; None where some may and others not."""
        return self.marks.get(mark)


def _cells(game: Game, order: str, tables: Sequence[str], marks: Mapping[str, Mark]) -> list[_Cell]:
    """Divide the hands of an order by category, pay line and marks, the lowest category first."""
    kind = kinds_of(game.book)[order]
    named = ranker_of(game, order)([Card(card) for card in range(kind.cards)]).order
    asked: list[Match] = [line for table in tables for line in game.pays[table].table.lines]
    asked += [match for mark in marks.values() for match in (mark.is_, mark.at_least) if match is not None]
    found: dict[Any, tuple[set[int], _Cell]] = {}
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
                leads, _ = found.setdefault(key, (set(), _Cell(None, level, lines, marked)))
                leads.add(first[0])
    return [cell._replace(wanted=Wanted(key[0], frozenset(leads), key[1])) for key, (leads, cell) in found.items()]


# --- the search -------------------------------------------------------------------------------------------------

STEPS: Final = 1_000_000
"""Hands that a search tries at most."""
STEPS_A_COMBINATION: Final = 300_000
STARTS_TRIED: Final = 12
FILLED: Final = 300
"""Random fillings of the cards that no pay line asks for, such as a dealer's."""

Cells = Mapping[str, _Cell]
Choice = Mapping[str, str]
"""The hand that a player names, by the hand that is named."""
Dealt = dict[str, int]


class _Search:
    def __init__(self, game: Game, stakes: Stakes) -> None:
        self._game, self._stakes = game, stakes
        self._rules = rules_of(game)
        self._hands = {hand.id: hand for hand in game.book.hands}
        paid = [wager for wager in map(game.wager, stakes) if not wager.spins and wager.unit == "cents"]
        counted = {wager.id for wager in paid if not self._pays_meter(wager)}
        self._not_counted = tuple(name for name in stakes if name not in counted)
        self._set_by_players = [wager for wager in paid if any(self._is_split(name) for name in wager.hands)]
        """Wagers on hands that their owners set: the best result is a bound, as the setting is a choice."""
        self._wagers = [wager for wager in paid if wager not in self._set_by_players]
        self._settle = {wager.id: [rule for rule in wager.settle if self._in_force(rule)] for wager in self._wagers}
        self._uses = {wager.id: self._leaves(self._named(wager)) for wager in self._wagers}
        self._names = tuple(dict.fromkeys(name for names in self._uses.values() for name in names))
        groups = [group for group in game.book.groups if group.owner in ("seat", "positions")]
        self._own = {place for group in groups for place in group.names}
        self._keys = {name: self._rules.places(*side_of(name)) for name in self._names}
        self._cells = {name: self._cells_of(name) for name in self._names}
        self._known: dict[tuple[object, ...], int] = {}
        self._meet: dict[tuple[tuple[str, int], ...], bool] = {}
        self._steps = STEPS
        self._decided = True
        self._best: tuple[Dealt, Choice] = ({}, {})
        """The deal that wins most so far, and the player's choice."""
        self._random = random.Random(0)

    def run(self) -> Exposure:
        best, at_most = 0, 0
        for bound, choice, cells in self._combinations():
            if bound <= best:
                break
            if self._never_together(cells):
                continue
            for dealt in self._deals(cells):
                won = self._won(dealt, choice)
                if won > best:
                    best, self._best = won, (dealt, choice)
                if won >= bound:
                    break
            else:
                at_most = max(at_most, 0 if self._decided else bound)
            if self._steps <= 0:
                break
        assumed = sum(self._at_odds(wager, wager.odds) for wager in self._set_by_players if wager.odds)
        cents = max(best, at_most) + assumed
        deal = self._text(self._best[0])
        return Exposure(cents=cents, deal=deal, deal_cents=best, not_counted=self._not_counted)

    def run_for_seats(self, seats: int) -> Exposure:
        """Deal the best combinations to seat 1, and to each further seat the cards that win most beside them."""
        one = self.run()
        best, best_deal = 0, ""
        for start, choice in self._starts():
            dealt, won = [start], self._won(start, choice)
            shared = {key: card for key, card in start.items() if key not in self._own}
            for _ in range(seats - 1):
                taken = {card for each in dealt for card in each.values()}
                added, cents = self._best_beside(shared, [key for key in start if key in self._own], taken)
                dealt.append(added)
                won += cents
            if won > best:
                best, best_deal = won, self._text(*dealt)
            if best == seats * one.cents:
                break
        return Exposure(cents=seats * one.cents, deal=best_deal, deal_cents=best, not_counted=self._not_counted)

    def _starts(self) -> Iterator[tuple[Dealt, Choice]]:
        """Yield the best deal of one seat, then deals of other combinations."""
        yield self._best
        simple = len(self._own) <= 2 and not any(hand.best for hand in self._game.book.hands)
        for bound, choice, cells in self._combinations()[: STARTS_TRIED if simple else STARTS_TRIED // 4]:
            self._steps = STEPS
            start = self._start(bound, choice, cells)
            if start is not None:
                yield start, choice

    def _start(self, bound: int, choice: Choice, cells: Cells) -> Dealt | None:
        """Return a deal of a combination that pays all it promises, or else one that pays most."""
        best = None
        for dealt in islice(self._deals(cells), FILLED):
            if best is None or self._won(dealt, choice) > self._won(best, choice):
                best = dealt
            if self._won(best, choice) == bound:
                break
        return best

    def _best_beside(self, shared: Dealt, own: Sequence[str], taken: set[int]) -> tuple[Dealt, int]:
        """Return the cards of a further seat that win most, and what they win."""
        rest = [card for card in range(self._game.book.deck.cards) if card not in taken]
        tried: Iterable[tuple[int, ...]] = combinations(rest, len(own))
        if len(own) > 2:
            tried = [*self._made_of(own, taken), *(tuple(self._random.sample(rest, len(own))) for _ in range(FILLED))]
        deals = [shared | dict(zip(own, cards, strict=True)) for cards in tried]
        won = [max(self._won(dealt, choice) for choice in self._choices()) for dealt in deals]
        place = max(range(len(deals)), key=won.__getitem__)
        return deals[place], won[place]

    def _made_of(self, own: Sequence[str], taken: set[int]) -> Iterator[tuple[int, ...]]:
        """Yield hands of a seat's own cards: some of each cell."""
        for name in self._names:
            if set(self._keys[name]) == set(own):
                ranker, counted = self._cards_of(name)
                joker = self._game.book.deck.cards > SUITED
                for cell in self._cells[name]:
                    hands = made(ranker, counted, cell.wanted, joker=joker) if cell.wanted else ()
                    every = (cards for hand in hands[:STARTS_TRIED] for cards in in_every_suit(hand))
                    for cards in every:
                        if taken.isdisjoint(cards):
                            rest = [card for card in range(SUITED) if card not in taken and card not in cards]
                            yield (*cards, *rest[: len(own) - counted])

    # --- hands and places ---

    def _pays_meter(self, wager: Wager) -> bool:
        tables = {*wager.tables, *(bonus.pay for bonus in wager.bonus)}
        return any(line.meter_percent for table in tables for line in self._game.pays[table].table.lines)

    def _is_split(self, name: str) -> bool:
        return self._hands[side_of(name)[1]].split is not None

    def _in_force(self, rule: Rule) -> bool:
        return all(self._game.settings[setting] == value for setting, value in rule.where.items())

    def _named(self, wager: Wager) -> list[str]:
        of_bonus = [hand for bonus in wager.bonus for hand in (bonus.on, *bonus.when, *bonus.unless)]
        return [*(hand for rule in self._settle[wager.id] for hand in rule.hands), *of_bonus]

    def _leaves(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the hands of cards of which these hands are found; parts of a split are none."""
        found: list[str] = []
        for name in names:
            side, own = side_of(name)
            hand = self._hands[own]
            if hand.parts:
                found += self._leaves(f"{side}.{part}" if side else part for part in hand.parts)
            elif hand.split is None:
                found.append(name)
        return tuple(dict.fromkeys(found))

    def _cards_of(self, name: str) -> tuple[Ranker, int]:
        """Return the ranker of a hand, and the number of cards that count."""
        hand = self._hands[side_of(name)[1]]
        assert hand.order is not None
        return ranker_of(self._game, hand.order), hand.best or kinds_of(self._game.book)[hand.order].cards

    # --- bounds ---

    def _combinations(self) -> list[tuple[int, Choice, Cells]]:
        """Return every combination of cells with the most that it could pay, best first."""
        cells = [self._cells[name] for name in self._names]
        found = [
            (
                sum(self._at_most(wager, choice, dict(zip(self._names, each, strict=True))) for wager in self._wagers),
                choice,
                each,
            )
            for choice in self._choices()
            for each in product(*cells)
        ]
        found.sort(key=lambda one: -one[0])
        return [(bound, choice, dict(zip(self._names, each, strict=True))) for bound, choice, each in found]

    def _choices(self) -> list[Choice]:
        named = [hand for hand in self._game.book.hands if hand.chosen_of]
        return [
            dict(zip([hand.id for hand in named], parts, strict=True))
            for parts in product(*(hand.chosen_of for hand in named))
        ]

    def _cells_of(self, name: str) -> list[_Cell]:
        """Return the cells of a hand by what is paid on it; of a hand without pay tables, by its marks."""
        paid = [(on.pay, on.on) for rules in self._settle.values() for rule in rules for on in rule.paid]
        paid += [(bonus.pay, bonus.on) for wager in self._wagers for bonus in wager.bonus]
        tables = list(dict.fromkeys(table for table, hand in paid if name in self._leaves([hand])))
        hand = self._hands[side_of(name)[1]]
        assert hand.order is not None
        if tables:
            return _cells(self._game, hand.order, tables, hand.marks)
        return [
            _Cell(None, 0, {}, dict(zip(hand.marks, truths, strict=True)))
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
                best = max(
                    best,
                    sum(
                        max(each, default=0)
                        for each in map(partial(self._on_lines, wager, choice=choice, cells=cells), rule.pays)
                    ),
                )
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
        asked = [(name, mark, True) for name, mark in rule.when.items()]
        asked += [(name, mark, False) for name, mark in rule.unless.items()]
        truths = [self._marked(name, mark, choice, cells) for name, mark, _ in asked]
        fits = [
            truth if truth is None else truth == wanted for truth, (_, _, wanted) in zip(truths, asked, strict=True)
        ]
        return False if False in fits else None if None in fits else True

    def _marked(self, name: str, mark: str, choice: Choice, cells: Cells) -> bool | None:
        found = {cell.has(mark) for cell in self._possible(name, choice, cells)}
        return found.pop() if len(found) == 1 else None

    def _possible(self, name: str, choice: Choice, cells: Cells) -> list[_Cell]:
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
        found = [self._on_line(wager, line) for line in lines if line is not None]
        return [*found, self._paid(wager, paid.else_ or "lose", choice, cells)] if None in lines else found

    def _on_line(self, wager: Wager, line: PayLine) -> int:
        """Return the pay of a line; a share of a meter is not counted."""
        return self._at_odds(wager, line.odds) if line.odds is not None else line.amount_cents or 0

    def _at_odds(self, wager: Wager, odds: Odds) -> int:
        return wager.parts * odds.paid(self._stakes[wager.id] // wager.parts)

    # --- deals ---

    def _deals(self, cells: Cells) -> Iterator[Dealt]:
        """Yield deals in which every hand that is paid is in its cell; `_decided` says afterwards if they were all."""
        wanted = self._wanted(cells)
        self._decided = True
        self._left = min(self._steps, STEPS_A_COMBINATION)
        started = self._left
        for dealt in self._placed(wanted, cells, {}):
            yield from self._filled(dealt)
            self._left -= 1
            if self._left <= 0:
                self._decided = False
                break
        self._steps -= started - self._left

    def _never_together(self, cells: Cells) -> bool:
        """Say if two of the hands cannot be in their cells at once; kept, as many combinations share a pair."""
        wanted = [name for name in self._wanted(cells) if not self._is_large(name)]
        for pair in combinations(wanted, 2):
            key = tuple((name, id(cells[name])) for name in pair)
            if key not in self._meet:
                self._left, self._decided = STEPS_A_COMBINATION, True
                meets = next(self._placed(pair, cells, {}), None) is not None
                self._meet[key] = meets or not self._decided or self._left <= 0
            if not self._meet[key]:
                return True
        return False

    def _is_large(self, name: str) -> bool:
        return self._cards_of(name)[1] > LARGEST

    def _wanted(self, cells: Cells) -> list[str]:
        """Return the hands that a pay line asks for, the rarest first."""
        names = [name for name, cell in cells.items() if cell.wanted and any(cell.lines.values())]
        return sorted(names, key=lambda name: -cells[name].level)

    def _placed(self, names: Sequence[str], cells: Cells, dealt: Dealt) -> Iterator[Dealt]:
        """Yield the ways to place the cards of these hands beside those that are dealt."""
        if not names:
            yield dealt
            return
        wanted = cells[names[0]].wanted
        assert wanted is not None
        for new in self._new_cards(names[0], wanted, dealt):
            free = [key for key in self._keys[names[0]] if key not in dealt]
            for placed in self._spread(new, free):
                yield from self._placed(names[1:], cells, dealt | placed)

    def _new_cards(self, name: str, wanted: Wanted, dealt: Dealt) -> Iterator[tuple[int, ...]]:
        """Yield sets of cards that complete a hand."""
        ranker, counted = self._cards_of(name)
        keys = self._keys[name]
        fixed, taken = [dealt[key] for key in keys if key in dealt], set(dealt.values())
        free, joker = len(keys) - len(fixed), self._game.book.deck.cards > SUITED
        if fixed and free <= 2:
            if not joker and len(keys) == counted:
                for new in completions(ranker, fixed, free, wanted):
                    self._left -= 1
                    if taken.isdisjoint(new):
                        yield new
                return
            rest = [card for card in range(self._game.book.deck.cards) if card not in taken]
            for new in combinations(rest, free):
                self._left -= 1
                if self._left <= 0:
                    return
                if wanted.is_met_by(best_rank(ranker, [*fixed, *new], counted)):
                    yield new
            return
        self._decided = self._decided and counted <= LARGEST
        for hand in made(ranker, counted, wanted, joker=joker):
            for cards in in_every_suit(hand) if dealt else (hand,):
                new = tuple(card for card in cards if card not in fixed)
                self._left -= 1
                if self._left <= 0:
                    return
                if len(new) <= free and taken.isdisjoint(new) and (len(keys) > counted or len(new) == free):
                    yield new

    def _spread(self, cards: tuple[int, ...], free: Sequence[str]) -> Iterator[Dealt]:
        """Yield the ways to spread cards over free places; places of the same hands are alike."""
        if not cards:
            yield {}
            return
        alike = [key for key in free if self._hands_at(key) == self._hands_at(free[0])]
        others = [key for key in free if key not in alike]
        for count in range(max(0, len(cards) - len(others)), min(len(cards), len(alike)) + 1):
            for here in combinations(cards, count):
                there = tuple(card for card in cards if card not in here)
                for rest in self._spread(there, others):
                    yield dict(zip(alike, here, strict=False)) | rest

    def _hands_at(self, key: str) -> tuple[str, ...]:
        return tuple(name for name, keys in self._keys.items() if key in keys)

    def _filled(self, dealt: Dealt) -> Iterator[Dealt]:
        """Yield the deal with every other place filled: at random, because hardly a pay depends on these cards."""
        missing = [
            key for key in dict.fromkeys(key for keys in self._keys.values() for key in keys) if key not in dealt
        ]
        if not missing:
            yield dealt
            return
        rest = [card for card in range(self._game.book.deck.cards) if card not in dealt.values()]
        for _ in range(FILLED):
            yield dealt | dict(zip(missing, self._random.sample(rest, len(missing)), strict=True))
        self._decided = False

    # --- results ---

    def _won(self, dealt: Dealt, choice: Choice) -> int:
        """Return the win of a deal, as the table settles it."""
        cards = {key: Card(card) for key, card in dealt.items()}
        bank = tuple(card for key, card in cards.items() if key.startswith("dealer_"))
        spot = Spot(cards=cards, bank=bank, choices=self._said(choice))
        return sum(self._settled(wager, spot) for wager in self._wagers)

    def _settled(self, wager: Wager, spot: Spot) -> int:
        stake = self._stake(wager, spot)
        bonuses = sum(settled.paid for _, settled in self._rules.bonuses(wager, stake, spot))
        return self._rules.settle(wager, stake, spot).paid + bonuses

    def _stake(self, wager: Wager, spot: Spot) -> int:
        """Return the stake on a wager, within the ceiling that the player's hand gives the bet."""
        stake = self._stakes[wager.id]
        base = self._stakes.get(self._game.base(wager).id, 0) if wager.stake.of else 0
        steps = [step for step in self._game.book.script if isinstance(step, Decide)]
        ceilings = [
            ceiling for step in steps for action in step.actions if action.bet == wager.id for ceiling in action.most
        ]
        for ceiling in ceilings:
            if all(self._rules.has(hand, mark, spot) for hand, mark in ceiling.when.items()):
                return min(stake, base * ceiling.times)
        return stake

    def _said(self, choice: Choice) -> dict[str, str]:
        """Return the choices by wager, as the table has them."""
        steps = [step for step in self._game.book.script if isinstance(step, Decide)]
        shown = {step.wager: "expose" for step in steps if step.shows}
        bets = [action for step in steps for action in step.actions]
        return shown | {action.bet: choice[action.choose] for action in bets if action.bet and action.choose}

    def _text(self, *seats: Dealt) -> str:
        """Write a deal by group, as in a scripted round."""
        parts: dict[str, list[str]] = {}
        for number, dealt in enumerate(seats, start=1):
            for group in self._game.book.groups:
                owner = f"seat{number}" if group.owner in ("seat", "positions") else group.id
                for place in group.names:
                    if place in dealt and (owner.startswith("seat") or number == 1):
                        parts.setdefault(owner, []).append(str(Card(dealt[place])))
                    if f"dealer_{place}" in dealt and number == 1:
                        parts.setdefault("dealer", []).append(str(Card(dealt[f"dealer_{place}"])))
        return ", ".join(f"{name} = {' '.join(cards)}" for name, cards in parts.items())


def _results(rule: Rule) -> Iterator[Result]:
    """Yield the results that a rule may have."""
    if rule.pay and rule.on:
        yield PayOn(pay=rule.pay, on=rule.on, else_=None if rule.else_ == "next" else rule.else_)
    if rule.versus:
        yield rule.win or "lose"
        yield rule.tie or "push"
    yield from rule.by_wins
    if rule.odds:
        yield rule.odds
