"""Deals of an exposure: cards that put hands into cells of hands that are paid alike."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from crossfelt.games.exposure_bounds import Bounds, Cells
from crossfelt.games.made_hands import LARGEST, Wanted, best_rank, completions, in_every_suit, made
from crossfelt.rulebooks.game import Game

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
        wanted = [name for name in self._wanted(cells) if not self._is_large(name)]
        for pair in combinations(wanted, 2):
            key = tuple((name, id(cells[name])) for name in pair)
            if key not in self._meet:
                self._left, self.decided = STEPS_A_COMBINATION, True
                meets = next(self._placed(pair, cells, {}), None) is not None
                self._meet[key] = meets or not self.decided or self._left <= 0
            if not self._meet[key]:
                return True
        return False

    def _is_large(self, name: str) -> bool:
        return self._bounds.cards_of(name)[1] > LARGEST

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
        alike = [key for key in free if self._hands_at(key) == self._hands_at(free[0])]
        others = [key for key in free if key not in alike]
        for count in range(max(0, len(cards) - len(others)), min(len(cards), len(alike)) + 1):
            for here in combinations(cards, count):
                there = tuple(card for card in cards if card not in here)
                for rest in self._spread(there, others):
                    yield dict(zip(alike, here, strict=False)) | rest

    def _hands_at(self, key: str) -> tuple[str, ...]:
        return tuple(name for name, keys in self._bounds.keys.items() if key in keys)

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
