"""Statistical tests of what a table dealt, spun, threw and paid, against theory, judged together.

Each outcome has an exact theory: a card at a place of the deal is any card of the deck with equal chance, a slice comes
with its weight. With many tests some look odd by chance, so each chance is corrected for the number of tests (Holm).
Each test also states after how many rounds a deviation of a given size would show, in nine of ten cases.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import NormalDist
from typing import Final, Literal, NamedTuple, TypeVar

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.cards.card import HIDDEN, JOKER, Card
from crossfelt.cards.deck import deck_of
from crossfelt.hands.poker import rank_five
from crossfelt.proof.shuffle_tests.exact_counts import FIVE_CARD_HANDS
from crossfelt.rulebooks.game import Game
from crossfelt.table import events as e

Cell = TypeVar("Cell", str, int, bool)
Kind = Literal["cards", "hands", "slices", "dice", "draws", "results"]
ALARMING: Final = 0.01
"""The chance, corrected for the number of tests, below which an outcome needs a look."""
POWER: Final = 0.9
SMALLEST_CELL: Final = 5.0
"""The least number of outcomes that a cell is expected to hold, for the chi-square to be a good approximation."""
RARE: Final = 0.01
"""Rarer outcomes need so many rounds that their number says nothing about the others."""
FACES: Final = 6
FIVE: Final = 5
PLAIN_DECK: Final = 52
_SAME: Final = {"royal_flush": "straight flush", "pair": "one pair"}
_NORMAL: Final = NormalDist()


class Outcomes(msgspec.Struct, kw_only=True):
    """Counts of the outcomes of a table's rounds."""

    rounds: int = 0
    cards: list[Counter[str]] = msgspec.field(default_factory=list)
    """For each place of the deal, how often each card lay there."""
    hands: Counter[str] = msgspec.field(default_factory=Counter)
    """The hands of the first five cards of each round."""
    slices: dict[str, Counter[int]] = msgspec.field(default_factory=dict)
    dice: Counter[int] = msgspec.field(default_factory=Counter)
    draws: Counter[str] = msgspec.field(default_factory=Counter)
    dealt: list[Card] = msgspec.field(default_factory=list)
    """The cards of the open round, in the order in which they left the deck."""

    def see(self, event: e.Event) -> None:
        """Count an event."""
        match event:
            case e.RoundOpened():
                self.dealt = []
            case e.CardsDealt():
                for each in event.cards:
                    self._deal(each.card)
            case e.WheelSpun():
                self.slices.setdefault(event.wheel, Counter())[event.index] += 1
            case e.XtremeSpun():
                self.slices.setdefault(f"{event.wager}/community", Counter())[event.community] += 1
                self.slices.setdefault(f"{event.wager}/hot_spot", Counter())[event.prize] += 1
            case e.FirstHandChosen():
                self.dice.update(event.dice)
            case e.AwardsDrawn() if event.magic_card is not None:
                self.draws[event.magic_card.text] += 1
            case e.RoundClosed():
                self.rounds += 1

    def _deal(self, card: Card) -> None:
        if card is HIDDEN:  # a physical deck: nobody knows the card yet
            return
        if len(self.dealt) == len(self.cards):
            self.cards.append(Counter())
        self.cards[len(self.dealt)][card.text] += 1
        self.dealt.append(card)
        if len(self.dealt) == FIVE and JOKER not in self.dealt:
            category = rank_five(self.dealt).category
            self.hands[_SAME.get(category, category.replace("_", " "))] += 1


class WagerCount(NamedTuple):
    """The bets and wins of a wager whose result no decision changes, with the exact chance to win."""

    title: str
    bets: int
    wins: int
    hit_rate: float


class WinTest(NamedTuple):
    """A test of the win of the main game against the theory of the play as it was."""

    title: str
    sample: int
    """The number of hands."""
    p_value: float | None
    rounds_needed: int


class LiveTest(msgspec.Struct, frozen=True, kw_only=True):
    """One test. The chances are those of an honest table to look as odd, or odder."""

    kind: Kind
    title: str
    sample: int
    cells: int
    p_value: float | None
    """Null if there are too few outcomes for a test."""
    corrected: float | None
    """Corrected for the number of tests."""
    rounds_needed: int
    """The rounds after which a deviation of the stated size would show."""


class LiveReport(msgspec.Struct, frozen=True, kw_only=True):
    """All tests of a table, and their joint verdict."""

    rounds: int
    size: float
    """The relative deviation of a chance to which `rounds_needed` refers."""
    tests: tuple[LiveTest, ...]
    made: int
    """The number of tests with enough outcomes."""
    odd: tuple[str, ...]
    """The tests that need a look."""
    verdict: str
    untested: tuple[str, ...]
    """The outcomes that have no test, each with the reason."""


class _TestResult(NamedTuple):
    kind: Kind
    title: str
    sample: int
    cells: int
    p_value: float | None
    told: float
    """The chance of the outcome for which the necessary number of rounds is stated."""


def judge(
    game: Game, outcomes: Outcomes, wagers: Sequence[WagerCount], size: float, win: WinTest | None = None
) -> LiveReport:
    """Test the outcomes of a table against theory, all together."""
    found = list(_tests(game, outcomes, wagers))
    p_values = [it.p_value for it in found] + ([win.p_value] if win is not None else [])
    corrected = holm(p_values)
    made = sum(it is not None for it in p_values)
    tests = tuple(
        LiveTest(
            **shared_fields(it, LiveTest),
            corrected=p_value,
            rounds_needed=_rounds_needed(it, outcomes.rounds, len(found), size),
        )
        for it, p_value in zip(found, corrected, strict=False)
    )
    if win is not None:
        tests += (LiveTest(**shared_fields(win, LiveTest), kind="results", cells=1, corrected=corrected[-1]),)
    odd = tuple(it.title for it in tests if it.corrected is not None and it.corrected < ALARMING)
    return LiveReport(
        rounds=outcomes.rounds,
        size=size,
        tests=tests,
        made=made,
        odd=odd,
        verdict=_verdict(made, odd, corrected),
        untested=tuple(_untested(game, outcomes)),
    )


def _verdict(made: int, odd: Sequence[str], corrected: Sequence[float | None]) -> str:
    if not made:
        return "Too few rounds for any test."
    least = min(it for it in corrected if it is not None)
    if odd:
        return f"Chance hardly explains this: {', '.join(odd)}. Look into it."
    return f"Chance explains all of it: the oddest of {made} tests has a chance of {least:.0%} among so many."


def _untested(game: Game, outcomes: Outcomes) -> Iterator[str]:
    if len(deck_of(game.book.deck.cards)) != PLAIN_DECK:
        yield "Hands of the first five cards: the deck has a joker, so they have no plain theory here."
    if outcomes.draws:
        yield "Lucky player and dealer: who can win them differs from round to round."


# --- tests ----------------------------------------------------------------------------------------------------------


def _tests(game: Game, outcomes: Outcomes, wagers: Sequence[WagerCount]) -> Iterator[_TestResult]:
    """Test cards, wheels, dice and draws, and the wins of wagers."""
    deck = deck_of(game.book.deck.cards)
    for place, cards in enumerate(outcomes.cards, start=1):
        yield _uniform_cards("cards", f"Card {place} of the deal", cards, deck)
    if len(deck) == PLAIN_DECK and outcomes.hands:
        total = sum(FIVE_CARD_HANDS.values())
        shares = {hand: count / total for hand, count in FIVE_CARD_HANDS.items()}
        yield _frequencies("hands", "Hands of the first five cards", outcomes.hands, shares)
    if outcomes.draws:
        yield _uniform_cards("draws", "Magic card", outcomes.draws, deck)
    for name, stops in outcomes.slices.items():
        of, _, ring = name.partition("/")
        wheel = next(it for it in game.wheels if it.name == name or (it.wager, it.ring) == (of, ring))
        weights = game.weights(wheel)
        parts = {index: weight / sum(weights) for index, weight in enumerate(weights)}
        named = "" if wheel.ring == "spin" else f", {wheel.ring.replace('_', ' ')} ring"
        yield _frequencies("slices", f"Slices of {game.wager(wheel.wager).title}{named}", stops, parts)
    if outcomes.dice:
        yield _frequencies("dice", "Dice", outcomes.dice, dict.fromkeys(range(1, FACES + 1), 1 / FACES))
    for wager in wagers:
        wins = {True: wager.wins, False: wager.bets - wager.wins}
        chances = {True: wager.hit_rate, False: 1 - wager.hit_rate}
        yield _frequencies("results", f"Wins of {wager.title}", wins, chances)


def _uniform_cards(kind: Kind, title: str, counts: Counter[str], deck: Sequence[Card]) -> _TestResult:
    """Test cards as finely as their number allows: each card, or else its rank, or else its suit."""
    partitions: tuple[Callable[[str], str], ...] = (lambda card: card, _rank, lambda card: card[1])
    sample = sum(counts.values())
    for part in partitions:
        shares = Counter(part(card.text) for card in deck)
        if sample * max(shares.values()) / len(deck) >= SMALLEST_CELL:
            break
    grouped: Counter[str] = Counter()
    for card, count in counts.items():
        grouped[part(card)] += count
    found = _frequencies(kind, title, grouped, {cell: count / len(deck) for cell, count in shares.items()})
    return found._replace(told=1 / len(deck))


def _rank(card: str) -> str:
    return card if card == JOKER.text else card[0]


def _frequencies(kind: Kind, title: str, counts: Mapping[Cell, int], shares: Mapping[Cell, float]) -> _TestResult:
    """Test counts against the share that each outcome should have. Rare outcomes count together."""
    sample = sum(counts.values())
    cells, rare, rare_share = list[tuple[int, float]](), 0, 0.0
    for outcome, share in sorted(shares.items(), key=lambda it: it[1]):
        rare, rare_share = rare + counts.get(outcome, 0), rare_share + share
        if rare_share * sample >= SMALLEST_CELL:
            cells.append((rare, rare_share * sample))
            rare, rare_share = 0, 0.0
    if cells and rare_share:
        last, expected = cells.pop()
        cells.append((last + rare, expected + rare_share * sample))
    told = min((share for share in shares.values() if share >= RARE), default=max(shares.values()))
    impossible = sum(count for outcome, count in counts.items() if not shares.get(outcome))
    p_value = 0.0 if impossible else None
    if not impossible and len(cells) > 1:
        p_value = chi_square_tail(sum((count - due) ** 2 / due for count, due in cells), len(cells) - 1)
    return _TestResult(kind, title, sample, len(cells), p_value, told)


def _rounds_needed(found: _TestResult, rounds: int, tests: int, size: float) -> int:
    """Return the rounds after which an outcome would show a relative deviation of a size."""
    limits = _NORMAL.inv_cdf(1 - ALARMING / (2 * tests)) + _NORMAL.inv_cdf(POWER)
    sample = limits**2 * (1 - found.told) / (found.told * size**2)
    return math.ceil(sample * rounds / found.sample) if found.sample else math.ceil(sample)


# --- mathematics ------------------------------------------------------------------------------------------------------


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Correct the chances of several tests for their number, by Holm's method.

    >>> holm([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for done, (p, place) in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - done) * p))
        corrected[place] = highest
    return corrected


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the chance that a chi-square is at least as large.

    >>> round(chi_square_tail(3.841, 1), 3), round(chi_square_tail(48.6, 51), 3)
    (0.05, 0.57)
    """
    x, rest = statistic / 2, degrees % 2 / 2
    if x <= 0:
        return 1.0
    powers = [place + rest for place in range(degrees // 2)]
    terms = (math.exp(power * math.log(x) - x - math.lgamma(power + 1)) for power in powers)
    return min(1.0, math.fsum(terms) + (math.erfc(math.sqrt(x)) if rest else 0.0))
