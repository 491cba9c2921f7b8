"""Value of each setting of seven cards of Pai Gow Poker, against a dealer who uses the house way.

The dealer's hands are sampled, or all 53,524,680 of them are enumerated. The counts by high and low strength decide
every setting at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.analysis.advice import SettingAdvice, SettingValue
from crossfelt.analysis.estimates import around
from crossfelt.analysis.solution import EXACT, RulesIdentity
from crossfelt.analysis.what_if import Pay, pay_texts, with_pay
from crossfelt.cards.card import Card
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.errors import BadInput, Problem
from crossfelt.games.house_way import Holding, house_way_of
from crossfelt.games.rules import rules_of
from crossfelt.kernels.array_checks import Hands
from crossfelt.kernels.house_way.batch import set_hands
from crossfelt.kernels.house_way.strengths import set_strengths, strength_counts
from crossfelt.kernels.random_deals import deals, every_hand
from crossfelt.kernels.seven_cards.kinds import KINDS, kinds
from crossfelt.rulebooks.game import Game

DECK: Final = 53
CARDS: Final = 7
SAMPLES: Final = 1_000_000
CONFIDENCE: Final = 0.95

Counts = NDArray[np.int64]


class _Dealers(NamedTuple):
    """The number of dealer's hands by strength."""

    below: Counts
    """Number below both strengths, by high and low strength."""
    highs: Counts
    """Number below a strength, by high strength."""
    lows: Counts
    pushing: int
    """Hands that always push."""
    total: int


def advise(
    game: Game,
    *,
    pay: Pay,
    bets: Mapping[str, int | str | Fraction],
    cards: Mapping[str, str],
    exact: bool = False,
    samples: int = SAMPLES,
    seed: str = "0",
) -> SettingAdvice:
    """Return every lawful setting of seven cards with its value."""
    if bets:
        what = "this game has no bets after the deal"
        raise BadInput(Problem(code="advise.bets", where="bets", what=what, value=next(iter(bets))))
    unknown = [name for name in cards if name != "cards"]
    if unknown or not cards.get("cards"):
        what = "this game has no such cards" if unknown else "missing"
        where = unknown[0] if unknown else "cards"
        raise BadInput(Problem(code="advise.cards", where=where, what=what, allowed='cards: seven, as "As Kd … Jk"'))
    seven = parse_cards(cards["cards"], count=CARDS, joker=True, where="cards")
    left = sorted(set(range(DECK)) - {int(card) for card in seven})
    stream = f"{game.hash}/{seed}/{format_cards(sorted(seven))}"
    hands = every_hand(CARDS, left) if exact else [deals(stream, samples, CARDS, left)]
    dealers = _count(game, hands)
    holding, house = Holding(seven), house_way_of(game).set(seven)
    values = [
        _value(game, dealers, seven, option.front, sampled=not exact, house=set(house.low))
        for option in holding.options
    ]
    values.sort(key=lambda value: (value.ev, value.house_way), reverse=True)
    return SettingAdvice(
        rules=RulesIdentity.of(game, pay=pay_texts(with_pay(game, pay), pay)),
        decision="set",
        best=format_cards(values[0].low),
        actions={format_cards(value.low): value.ev for value in values},
        settings=tuple(values),
        house_rule=house.rule,
        method=EXACT if exact else f"sampled, seed {seed}",
        dealer_hands=dealers.total,
    )


def _count(game: Game, dealt: Iterable[Hands]) -> _Dealers:
    wheel_second = bool(game.settings["wheel_second_highest"])
    shape = strength_counts(wheel_second=wheel_second)
    counts = np.zeros(shape[0] * shape[1], dtype=np.int64)
    queen_high = np.array([kind.joker_high_card == "queen_high" for kind in KINDS])
    assert game.house_way is not None
    pushing, total = 0, 0
    for hands in dealt:
        total += len(hands)
        if game.settings["ez_variation"]:
            pushes = queen_high[kinds(hands)]
            pushing += int(pushes.sum())
            hands = np.ascontiguousarray(hands[~pushes])
        strengths = set_strengths(hands, set_hands(game.house_way, hands).low, wheel_second=wheel_second)
        places = strengths.high.astype(np.intp) * shape[1] + strengths.low
        counts += np.bincount(places, minlength=len(counts))
    below = np.zeros((shape[0] + 1, shape[1] + 1), dtype=np.int64)
    below[1:, 1:] = counts.reshape(shape).cumsum(axis=0).cumsum(axis=1)
    return _Dealers(below, below[:, -1], below[-1], pushing, total)


def _value(
    game: Game, dealers: _Dealers, seven: Sequence[Card], front: tuple[Card, Card], *, sampled: bool, house: set[Card]
) -> SettingValue:
    made = rules_of(game).set(seven, front)
    wheel_second = bool(game.settings["wheel_second_highest"])
    rows = (
        np.array([[int(card) for card in seven]], dtype=np.uint8),
        np.array([[int(c) for c in front]], dtype=np.uint8),
    )
    high, low = (int(strength[0]) for strength in set_strengths(*rows, wheel_second=wheel_second))
    wins = int(dealers.below[high, low])
    in_one = int(dealers.highs[high]) + int(dealers.lows[low]) - 2 * wins
    pushes = in_one + dealers.pushing
    losses = dealers.total - wins - pushes
    total = dealers.total
    gain = gain_of(game)
    ev = (gain * wins - losses) / Fraction(total)
    spread = float((gain * gain * wins + losses) / Fraction(total) - ev * ev)
    return SettingValue(
        low=(max(front), min(front)),
        high=tuple(sorted((card for card in seven if card not in front), reverse=True)),
        hands=f"{made.high.name}; {made.low.name}",
        win=Fraction(wins, total),
        push=Fraction(pushes, total),
        lose=Fraction(losses, total),
        ev=ev,
        interval=around(float(ev), sqrt(spread / total), CONFIDENCE) if sampled else None,
        house_way=set(front) == house,
    )


def gain_of(game: Game) -> Fraction:
    """Return the win per unit staked, after commission."""
    odds = game.wager("main").odds
    assert odds is not None
    kept = 0 if game.settings["ez_variation"] else Fraction(game.number("commission_per_mille"), 1000)
    return odds.ratio * (1 - kept)
