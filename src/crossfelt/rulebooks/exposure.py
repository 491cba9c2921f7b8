"""The exposure: the most one patron could win in a round at the minimum wager.

Payout limits depend on this figure. The search tries the deals, best-paid hands first, and stops when no remaining
deal could pay more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING, Final

import msgspec

from crossfelt.cards.card import Card
from crossfelt.hands.rank import HandRank
from crossfelt.hands.strength import category_of, hand_classes, strength
from crossfelt.money import Odds
from crossfelt.rulebooks.model import Wager

if TYPE_CHECKING:
    from crossfelt.rulebooks.game import Game


class Exposure(msgspec.Struct, frozen=True, kw_only=True):
    """The greatest win, and a deal that produces it."""

    cents: int
    deal: str
    """Cards by place, as in a scripted round; empty where any deal with that hand produces it."""


def most_at_minimum(game: Game) -> Exposure:
    """Return the exposure with every required wager and every bet at the least that the rules allow.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> most_at_minimum(compile_game("nj-criss-cross")).cents
    551000
    """
    match game.book.game:
        case "criss_cross":
            return _CrissCross(game).search()
        case "double_cross":
            return _double_cross(game)
        case "pai_gow":
            return _pai_gow(game)
    raise LookupError(game.book.game)


class _Payer:
    """One wager at its minimum: its pay on a hand, and its best pay in each category."""

    def __init__(self, game: Game, wager_id: str, times: int = 1) -> None:
        wager = game.wager(wager_id)
        assert wager.pays is not None
        self._pays = game.pays[wager.pays]
        self._cents = _least(game, wager, times)

    def paid(self, rank: HandRank) -> tuple[int, bool]:
        """Return the cents paid on a hand, and if it wins."""
        odds = self._pays.odds_for(rank)
        return (odds.paid(self._cents), not odds.is_push) if odds else (0, False)

    def best(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for line in self._pays.table.lines:
            if line.odds is not None:
                found[line.hand] = max(found.get(line.hand, 0), line.odds.paid(self._cents))
        return found


def _least(game: Game, wager: Wager, times: int = 1) -> int:
    """Return the smallest stake on a wager: the posted minimum, or a multiple of its base wager's."""
    stake = wager.stake
    if stake.of is None:
        return game.limits(stake.posted or wager.id).min
    base = game.base(wager)
    return _least(game, base) * min(max(times, stake.min), stake.max)


class _Paid(msgspec.Struct, frozen=True):
    """The pay of a class of hands: on either line, ante and bet together, and on the middle bet."""

    across: int
    down: int
    middle: int
    middle_wins: bool


class _CrissCross:
    """A search from the best-paid hands down, each on both lines. The hand on the other line is of the same category
    or of a later one."""

    def __init__(self, game: Game) -> None:
        times = game.number("minimum_wager_bets_at")
        self._either_line = game.settings["middle_bet_follows"] == "either_line"
        self._across = (_Payer(game, "ante_across"), _Payer(game, "across", times))
        self._down = (_Payer(game, "ante_down"), _Payer(game, "down", times))
        self._middle = _Payer(game, "middle", times)
        self._known: dict[int, _Paid] = {}

    def search(self) -> Exposure:
        best = Exposure(cents=0, deal="")
        for category, bound in self._bounds():
            for hand in _hands_in(category):
                if best.cents >= bound:
                    return best
                best = max(best, self._best_with(hand), key=lambda exposure: exposure.cents)
        return best

    def _bounds(self) -> list[tuple[str, int]]:
        """Return the paying categories, best first, each with the most that it and the later ones could pay."""
        across, down = _sums(self._across), _sums(self._down)
        middle = self._middle.best()
        paid = {name: max(across[name], down[name]) + middle.get(name, 0) for name in {**across, **down, **middle}}
        order = sorted(paid, key=lambda name: -paid[name])

        def pair(one: str, other: str) -> int:
            if _never_together(one, other):
                return 0
            lines = max(across[one] + down[other], across[other] + down[one])
            return lines + max(middle.get(one, 0), middle.get(other, 0))

        most = [max(paid[one], *(pair(one, other) for other in order[place:])) for place, one in enumerate(order)]
        return [(name, max(most[place:])) for place, name in enumerate(order)]

    def _best_with(self, hand: tuple[int, ...]) -> Exposure:
        """Return the best deal with this hand on one of the lines."""
        best = Exposure(cents=0, deal="")
        class_ = strength(*hand)
        first = self._paid(class_)
        for class_other, (hole, ends, pair, middle) in _crossed(hand).items():
            second = self._paid(class_other)
            lines, turned = first.across + second.down, second.across + first.down
            cents = max(lines, turned) + self._paid_middle(class_ >= class_other, first, second)
            if cents > best.cents:
                across, down = (ends, pair) if lines >= turned else (pair, ends)
                best = Exposure(cents=cents, deal=_deal(hole, across, down, middle))
        return best

    def _paid_middle(self, first_higher: bool, first: _Paid, second: _Paid) -> int:
        higher = first if first_higher else second
        wins = first.middle_wins or second.middle_wins if self._either_line else higher.middle_wins
        return higher.middle if wins else 0

    def _paid(self, class_: int) -> _Paid:
        if class_ not in self._known:
            rank = hand_classes()[class_]
            across, down = (sum(payer.paid(rank)[0] for payer in line) for line in (self._across, self._down))
            self._known[class_] = _Paid(across, down, *self._middle.paid(rank))
        return self._known[class_]


_Deal = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int]
"""Hole cards, the ends of both lines, and the card in the middle."""


@lru_cache(maxsize=64)
def _crossed(hand: tuple[int, ...]) -> dict[int, _Deal]:
    """Return the hands that can cross this one, by class, each with a deal that produces it.

    They are the same in every game. The search usually needs one hand; unusual odds may need thousands, at a tenth of
    a megabyte each.
    """
    rest = [card for card in range(52) if card not in hand]
    found: dict[int, _Deal] = {}
    for hole in combinations(hand, 2):
        row = [card for card in hand if card not in hole]
        for middle in row:
            ends = tuple(card for card in row if card != middle)
            for pair in combinations(rest, 2):
                found.setdefault(strength(*hole, *pair, middle), (hole, ends, pair, middle))
    return found


OF_FIVE_RANKS: Final = ("royal_flush", "straight_flush", "flush", "straight", "high_card")


def _never_together(one: str, other: str) -> bool:
    """Say if two lines with three cards in common cannot make these two categories.

    Any three cards of four of a kind or a full house hold a pair, which no hand of five ranks does. Two royal flushes
    with three common cards are the same five; four of a kind twice would take five cards of a rank, or four common.
    """
    if one == other:
        return one in ("royal_flush", "four_of_a_kind")
    paired = {"four_of_a_kind", "full_house"} & {one, other}
    return bool(paired) and not {one, other}.isdisjoint(OF_FIVE_RANKS)


def _sums(payers: Iterable[_Payer]) -> Counter[str]:
    """Return the most that several wagers on one line pay together, by category."""
    found: Counter[str] = Counter()
    for payer in payers:
        found.update(payer.best())
    return found


SUIT_PATTERNS = tuple(
    suits
    for suits in product(range(4), repeat=5)
    if all(suit <= max(suits[:place], default=-1) + 1 for place, suit in enumerate(suits))
)
"""Suits of five cards, numbered in order of appearance: the pay does not depend on which suit is which."""


def _hands_in(category: str) -> Iterator[tuple[int, ...]]:
    """Yield the five-card hands of a category, one for each pattern of suits."""
    suited = category in ("flush", "straight_flush", "royal_flush")
    high_first = range(12, -1, -1)
    for ranks in combinations(high_first, 5) if suited else combinations_with_replacement(high_first, 5):
        for suits in SUIT_PATTERNS[:1] if suited else SUIT_PATTERNS[1:]:
            cards = tuple(4 * rank + suit for rank, suit in zip(ranks, suits, strict=True))
            if len(set(cards)) == 5:
                if category_of(strength(*cards)) != category:
                    break
                yield cards


def _deal(hole: Iterable[int], across: Iterable[int], down: Iterable[int], middle: int) -> str:
    def text(cards: Iterable[int]) -> str:
        return " ".join(str(Card(card)) for card in cards)

    return f"seat1 = {text(hole)}, across = {text(across)}, down = {text(down)}, middle = {text([middle])}"


def _double_cross(game: Game) -> Exposure:
    """Return the pay of the best hand on the named line against a dealer it beats, with ante and raise at the least."""
    ante, raises = game.wager("ante"), game.wager("raise")
    even = ante.odds or Odds("push")
    best = game.pays[raises.pays or "raise"].best_odds()
    part = _least(game, raises) // raises.parts
    return Exposure(cents=even.paid(_least(game, ante)) + raises.parts * best.paid(part), deal="")


def _pai_gow(game: Game) -> Exposure:
    """Return the pay of both parts of the imperial bonus: the player's best hand and the dealer's lowest.

    The player's best line and the dealer's can always be dealt side by side: a nine-, ten- or jack-high dealer holds
    no ace and no joker, and leaves the player the cards of any hand.
    """
    imperial = game.wager("imperial")
    stake = _least(game, imperial)
    tables = [game.pays[name] for name in imperial.tables if name is not None]
    return Exposure(cents=sum(table.best_odds().paid(stake) for table in tables), deal="")
