"""Exact return of wagers in credits on seven cards, and the cards that make their winning hands.

If the magic card counts only among the cards that make a hand, the number of these cards matters. The rule is
`games.progressive_wager.cards_making`; this module applies it to every shape of hands at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crossfelt.cards.card import RANKS, SUITS
from crossfelt.games.progressive_wager import MAGIC, award_rate, bonus_table, lucky_award
from crossfelt.kernels.house_way.strengths import set_strengths
from crossfelt.kernels.seven_cards.kinds import KINDS, by_category, counted, kinds
from crossfelt.kernels.solver.hand_shapes import FULL, Deck, dealt_from, shapes_of_hands
from crossfelt.progressive.meter import MICROS
from crossfelt.progressive.returns import MeterAward, Part, WagerReturn
from crossfelt.progressive.wheels import meter_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayTable

CARDS: Final = 7
DECK: Final = 53
_ACE: Final = RANKS.index("A")
_JOKER: Final = DECK - 1
ORDER: Final = "progressive_seven"
SEVEN_IN_SUIT: Final = "seven_card_straight_flush"
FOUR: Final = "four_of_a_kind"


class Making(NamedTuple):
    """The number of hands of a category, of natural cards that make them, and of hands made with the joker."""

    hands: int
    cards: int
    jokers: int


@cache
def cards_making_hands(deck: Deck = FULL) -> Mapping[str, Making]:
    """Count by category, over all seven-card hands of a deck.

    >>> made = cards_making_hands()
    >>> made["five_aces"], made["seven_card_straight_flush"].hands
    (Making(hands=1128, cards=4512, jokers=1128), 228)
    """
    shapes = shapes_of_hands()
    categories = np.array([getattr(kind, ORDER) for kind in KINDS])[kinds(shapes.cards)]
    won = dealt_from(deck) & (categories != "nothing")
    cards, hands, categories = shapes.cards[won], shapes.hands[won], categories[won]
    making = _in_best_five(cards) | (categories == SEVEN_IN_SUIT)[:, None]
    ranks = np.minimum(cards // len(SUITS), _ACE)
    copies = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    making &= (categories != FOUR)[:, None] | (copies == len(SUITS))
    natural, jokers = ((making & part).sum(axis=1) for part in (cards != _JOKER, cards == _JOKER))
    totals = np.array([hands, hands * natural, hands * jokers])
    return {str(each): Making(*totals[:, categories == each].sum(axis=1).tolist()) for each in np.unique(categories)}


def _in_best_five(cards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Say which cards of each hand are in one of its best selections of five."""
    fronts = list(combinations(range(CARDS), 2))
    high = np.array([set_strengths(cards, cards[:, front], wheel_second=False).high for front in fronts])
    found = np.zeros(cards.shape, dtype=np.bool_)
    for front, best in zip(fronts, high == high.max(axis=0), strict=True):
        found[:, [place for place in range(CARDS) if place not in front]] |= best[:, None]
    return found


# --- the return of a credit (N.J.A.C. 13:69F-11.14A) ---

HANDS: Final = comb(DECK, CARDS)


def progressive_return(game: Game, others: int = 0, *, wager: str = "") -> WagerReturn | None:
    """Return the return of one credit on a player's or the dealer's hand, with this number of other bettors.

    A percentage of the meter goes to one winner: two seven-card straight flushes of players at once are too rare to
    count, but bettors on the dealer's hand share. Without a name it is the first wager in credits. None if the wager is
    not offered, or is of another order.

    >>> found = progressive_return(compile_game("nj-pai-gow"))
    >>> round(float(found.fixed), 4), round(float(found.cycle))
    (0.6231, 676066)
    """
    wager = wager or next(iter(game.credit_wagers), "")
    if wager not in game.credit_wagers or _pays(game, wager).order != ORDER:
        return None
    counts = by_category(counted(), ORDER)
    stake = game.whole(f"wagers.{game.wager(wager).pays}.credit_cents")
    back = stake if game.settings["credit_returned_on_win"] else 0
    own: list[tuple[Fraction, int | Fraction]] = []
    awards = []
    paid = Fraction(0)
    for line in _pays(game, wager).lines:
        chance = Fraction(counts[line.hand], HANDS)
        if line.odds is not None:
            own.append((chance, line.odds.ratio * stake + back))
            paid += chance * line.odds.ratio * stake
        elif line.meter_percent is not None:
            shared = others + 1 if game.credit_wagers[wager] else 1
            awards.append(MeterAward(line.meter_percent, chance / shared))
    lucky = _lucky(game, wager, others)
    if not game.settings["lucky_stake_follows_hand"]:
        # A stake that the hand returns is not returned twice.
        by_hand = sum(chance for chance, _ in own) if back else 0
        own.append((lucky * (1 - by_hand), stake))
    drawn = {lucky_award(game, wager): lucky, MAGIC: _magic(game, wager, counts)}
    apart = {name: Part.of(stake, [(chance, stake * _odds(game, name))]) for name, chance in drawn.items()}
    paid += stake * sum(part.mean for part in apart.values())
    meter = f"meters.{meter_of(game, wager).id}"
    return WagerReturn(
        stake_cents=stake,
        own=Part.of(stake, own),
        apart=apart,
        awards=tuple(awards),
        drawn_cents=paid if game.settings["odds_paid_from"] == "meter" else Fraction(0),
        rate_per_million=game.whole(f"{meter}.rate_per_million"),
        reset_cents=game.whole(f"{meter}.reset_cents"),
        limit_cents=game.stated_whole(f"{meter}.limit_cents"),
    )


def _pays(game: Game, wager: str) -> PayTable:
    return game.pays[str(game.wager(wager).pays)]


def _rate(game: Game, award: str) -> Fraction:
    """Return the probability of a random award; 0 if the chosen pay table has none."""
    return Fraction(award_rate(game, award), MICROS) if _odds(game, award) else Fraction(0)


def _odds(game: Game, award: str) -> Fraction:
    table = bonus_table(game)
    lines = game.pays[table].lines if table else ()
    return next((line.odds.ratio for line in lines if line.hand == award and line.odds is not None), Fraction(0))


def _lucky(game: Game, wager: str, others: int) -> Fraction:
    """Return the probability of a lucky award for this bettor: one seat is drawn for players, all bettors for the
    dealer."""
    if game.credit_wagers[wager]:
        return _rate(game, lucky_award(game, wager))
    seats = others + 1 if game.settings["lucky_player_goes_to"] == "wagered_seats" else game.book.table.seats
    return _rate(game, lucky_award(game, wager)) / seats


def _magic(game: Game, wager: str, counts: dict[str, int]) -> Fraction:
    """Return the probability that the magic card pays: it must be in a winning hand, and the joker is never drawn."""
    if not _rate(game, MAGIC):
        return Fraction(0)
    drawn_from = game.number("magic_card_from")
    winning = [line.hand for line in _pays(game, wager).lines]
    if game.settings["magic_card_in"] == "all_seven":
        jokers = by_category(counted((1,)), ORDER)
        cards = sum(CARDS * counts[hand] - jokers[hand] for hand in winning)
        with_joker = sum(jokers[hand] for hand in winning)
    else:
        making = cards_making_hands()
        cards = sum(making[hand].cards for hand in winning)
        with_joker = sum(making[hand].jokers for hand in winning)
    return _rate(game, MAGIC) * Fraction(cards + (with_joker if drawn_from == DECK else 0), drawn_from * HANDS)
