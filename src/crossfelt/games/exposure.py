"""The exposure: the most one patron can win in a round, whatever the patron does.

Payout limits depend on this figure. It follows from the groups, hands, rules of settlement and pay tables of the
rulebook. The search takes combinations of hands in the order of what they could pay together, deals each of them, and
ends when no combination is left that could pay more than a deal that was found.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Final

import msgspec

from crossfelt.cards.card import Card
from crossfelt.games.exposure_bounds import Bounds, Cells, Choice, Stakes
from crossfelt.games.made_hands import LARGEST, Wanted, best_rank, completions, in_every_suit, made
from crossfelt.games.round_stakes import minimum_stakes
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Decide


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
    """Return the exposure with every required wager and every bet at the least that the rules allow."""
    return max((most(game, stakes) for stakes in minimum_stakes(game)), key=lambda found: found.cents)


def most(game: Game, stakes: Stakes) -> Exposure:
    """Return the exposure with these wagers placed, and every decision that wins most."""
    return _Search(game, stakes).run()


def most_of_full_table(game: Game, stakes: Stakes) -> Exposure:
    """Return a bound on what all seats together can win, each with these wagers, and the best deal found.

    The bound is the exposure of one patron times the seats. It is exact if a deal reaches it.
    """
    return _Search(game, stakes).run_for_seats(game.book.table.seats)


# --- deals: cards that put hands into cells of hands that are paid alike ---------------------------------------------

SUITED: Final = 52
"""Cards of a deck without jokers."""
STEPS: Final = 1_000_000
"""Hands that a search tries at most."""
STEPS_A_COMBINATION: Final = 300_000
FILLED: Final = 300
"""Random fillings of the cards that no pay line asks for, such as a dealer's."""
Dealt = dict[str, int]


class Deals:
    """A search for deals, which tries a limited number of hands."""

    def __init__(self, game: Game, bounds: Bounds) -> None:
        self._game, self._bounds = game, bounds
        self._meet: dict[tuple[tuple[str, int], ...], bool] = {}
        self.steps = STEPS
        self.decided = True
        """No deal of the last combination was left out."""
        self.random = random.Random(0)

    def of(self, cells: Cells) -> Iterator[Dealt]:
        """Yield deals in which every hand that is paid is in its cell; `decided` says afterwards if they were all."""
        wanted = self._wanted(cells)
        self.decided = True
        self._left = min(self.steps, STEPS_A_COMBINATION)
        started = self._left
        for dealt in self._placed(wanted, cells, {}):
            yield from self._filled(dealt)
            self._left -= 1
            if self._left <= 0:
                self.decided = False
                break
        self.steps -= started - self._left

    def never_together(self, cells: Cells) -> bool:
        """Say if two of the hands cannot be in their cells at once; kept, as many combinations share a pair."""
        wanted = [name for name in self._wanted(cells) if self._bounds.cards_of(name)[1] <= LARGEST]
        for pair in combinations(wanted, 2):
            key = tuple((name, id(cells[name])) for name in pair)
            if key not in self._meet:
                self._left, self.decided = STEPS_A_COMBINATION, True
                meets = next(self._placed(pair, cells, {}), None) is not None
                self._meet[key] = meets or not self.decided or self._left <= 0
            if not self._meet[key]:
                return True
        return False

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
            free = [key for key in self._bounds.keys[names[0]] if key not in dealt]
            for placed in self._spread(new, free):
                yield from self._placed(names[1:], cells, dealt | placed)

    def _new_cards(self, name: str, wanted: Wanted, dealt: Dealt) -> Iterator[tuple[int, ...]]:
        """Yield sets of cards that complete a hand."""
        ranker, counted = self._bounds.cards_of(name)
        keys = self._bounds.keys[name]
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
        self.decided = self.decided and counted <= LARGEST
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
        hands = {key: [name for name, keys in self._bounds.keys.items() if key in keys] for key in free}
        alike = [key for key in free if hands[key] == hands[free[0]]]
        others = [key for key in free if key not in alike]
        for count in range(max(0, len(cards) - len(others)), min(len(cards), len(alike)) + 1):
            for here in combinations(cards, count):
                there = tuple(card for card in cards if card not in here)
                for rest in self._spread(there, others):
                    yield dict(zip(alike, here, strict=False)) | rest

    def _filled(self, dealt: Dealt) -> Iterator[Dealt]:
        """Yield the deal with every other place filled: at random, because hardly a pay depends on these cards."""
        missing = [
            key for key in dict.fromkeys(key for keys in self._bounds.keys.values() for key in keys) if key not in dealt
        ]
        if not missing:
            yield dealt
            return
        rest = [card for card in range(self._game.book.deck.cards) if card not in dealt.values()]
        for _ in range(FILLED):
            yield dealt | dict(zip(missing, self.random.sample(rest, len(missing)), strict=True))
        self.decided = False


# --- the search -------------------------------------------------------------------------------------------------

STARTS_TRIED: Final = 12


class _Search:
    def __init__(self, game: Game, stakes: Stakes) -> None:
        self._game, self._stakes = game, stakes
        self._rules = rules_of(game)
        self._bounds = Bounds(game, stakes)
        self._deals = Deals(game, self._bounds)
        groups = [group for group in game.book.groups if group.owner in ("seat", "positions")]
        self._own = {place for group in groups for place in group.names}
        self._best: tuple[Dealt, Choice] = ({}, {})
        """The deal that wins most so far, and the player's choice."""

    def run(self) -> Exposure:
        best, at_most = 0, 0
        for bound, choice, cells in self._bounds.combinations():
            if bound <= best:
                break
            if self._deals.never_together(cells):
                continue
            for dealt in self._deals.of(cells):
                won = self._won(dealt, choice)
                if won > best:
                    best, self._best = won, (dealt, choice)
                if won >= bound:
                    break
            else:
                at_most = max(at_most, 0 if self._deals.decided else bound)
            if self._deals.steps <= 0:
                break
        cents = max(best, at_most) + self._bounds.assumed_cents
        deal = self._text(self._best[0])
        return Exposure(cents=cents, deal=deal, deal_cents=best, not_counted=self._bounds.not_counted)

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
        return Exposure(cents=seats * one.cents, deal=best_deal, deal_cents=best, not_counted=self._bounds.not_counted)

    def _starts(self) -> Iterator[tuple[Dealt, Choice]]:
        """Yield the best deal of one seat, then deals of other combinations."""
        yield self._best
        simple = len(self._own) <= 2 and not any(hand.best for hand in self._game.book.hands)
        for bound, choice, cells in self._bounds.combinations()[: STARTS_TRIED if simple else STARTS_TRIED // 4]:
            self._deals.steps = STEPS
            start = self._start(bound, choice, cells)
            if start is not None:
                yield start, choice

    def _start(self, bound: int, choice: Choice, cells: Cells) -> Dealt | None:
        """Return a deal of a combination that pays all it promises, or else one that pays most."""
        best = None
        for dealt in islice(self._deals.of(cells), FILLED):
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
            tried = [
                *self._made_of(own, taken),
                *(tuple(self._deals.random.sample(rest, len(own))) for _ in range(FILLED)),
            ]
        deals = [shared | dict(zip(own, cards, strict=True)) for cards in tried]
        won = [max(self._won(dealt, choice) for choice in self._bounds.choices()) for dealt in deals]
        place = max(range(len(deals)), key=won.__getitem__)
        return deals[place], won[place]

    def _made_of(self, own: Sequence[str], taken: set[int]) -> Iterator[tuple[int, ...]]:
        """Yield hands of a seat's own cards: some of each cell."""
        for name in self._bounds.names:
            if set(self._bounds.keys[name]) == set(own):
                ranker, counted = self._bounds.cards_of(name)
                joker = self._game.book.deck.cards > SUITED
                for cell in self._bounds.cells[name]:
                    hands = made(ranker, counted, cell.wanted, joker=joker) if cell.wanted else ()
                    every = (cards for hand in hands[:STARTS_TRIED] for cards in in_every_suit(hand))
                    for cards in every:
                        if taken.isdisjoint(cards):
                            rest = [card for card in range(SUITED) if card not in taken and card not in cards]
                            yield (*cards, *rest[: len(own) - counted])

    # --- results ---

    def _won(self, dealt: Dealt, choice: Choice) -> int:
        """Return the win of a deal, as the table settles it."""
        cards = {key: Card(card) for key, card in dealt.items()}
        bank = tuple(card for key, card in cards.items() if key.startswith("dealer_"))
        spot = Spot(cards=cards, bank=bank, choices=self._said(choice))
        return sum(self._settled(wager, spot) for wager in self._bounds.wagers)

    def _settled(self, wager: Wager, spot: Spot) -> int:
        stake = self._stake(wager, spot)
        bonuses = sum(settled.paid for _, settled in self._rules.bonuses(wager, stake, spot))
        return self._rules.settle(wager, stake, spot).paid + bonuses

    def _stake(self, wager: Wager, spot: Spot) -> int:
        """Return the stake on a wager, within the ceiling that the player's hand gives the bet; 0 where every decision
        on it passes over the hand."""
        stake = self._stakes[wager.id]
        base = self._stakes.get(self._game.base(wager).id, 0) if wager.stake.of else 0
        steps = [step for step in self._game.book.script if isinstance(step, Decide)]
        steps = [step for step in steps if any(action.bet == wager.id for action in step.actions)]
        if steps and not any(self._rules.applies(step, spot) for step in steps):
            return 0
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
