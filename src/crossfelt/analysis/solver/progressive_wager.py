"""Exact return of wagers in credits on seven cards, and the cards that make their winning hands.

If the magic card counts only among the cards that make a hand, the number of these cards matters. The rule is
`games.progressive_wager.cards_making`; this module counts them without enumerating hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Final, NamedTuple

from crossfelt.cards.card import RANKS, SUITS
from crossfelt.games.progressive_wager import MAGIC, award_rate, bonus_table, lucky_award
from crossfelt.kernels.seven_cards.census import by_category, counted
from crossfelt.progressive.meter import MICROS
from crossfelt.progressive.returns import MeterAward, Part, WagerReturn
from crossfelt.progressive.wheels import meter_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayTable

CARDS: Final = 7
DECK: Final = 53
_ACE: Final = RANKS.index("A")
_JOKER: Final = (0, 1)


class Making(NamedTuple):
    """The number of hands of a category, of natural cards that make them, and of hands made with the joker."""

    hands: int
    cards: int
    jokers: int


class _Made(NamedTuple):
    category: str
    cards: int
    joker: int


@cache
def cards_making_hands(ranks: tuple[int, ...] = tuple(range(len(RANKS)))) -> Mapping[str, Making]:
    """Count by category, over all seven-card hands of a deck of these ranks and a joker.

    >>> made = cards_making_hands()
    >>> made["five_aces"], made["seven_card_straight_flush"].hands
    (Making(hands=1128, cards=4512, jokers=1128), 228)
    """
    totals: dict[str, Making] = {}
    for joker in _JOKER:
        for made, hands in (*_of_one_suit(ranks, joker), *_by_rank(ranks, joker)):
            before = totals.get(made.category, Making(0, 0, 0))
            more = Making(hands, hands * made.cards, hands * made.joker)
            totals[made.category] = Making(*(sum(both) for both in zip(before, more, strict=True)))
    return totals


def _of_one_suit(ranks: tuple[int, ...], joker: int) -> Iterator[tuple[_Made, int]]:
    """Count straight flushes by the ranks held in their suit, with any cards of other suits."""
    natural, suits = CARDS - joker, len(SUITS)
    for size in range(5 - joker, natural + 1):
        for held in combinations(ranks, size):
            made = _straight_flush(frozenset(held), joker)
            if made is not None:
                yield made, suits * comb((suits - 1) * len(ranks), natural - size)


def _straight_flush(held: frozenset[int], joker: int) -> _Made | None:
    """Return the best straight flush of ranks of one suit; the joker fills a gap or replaces a card."""
    if any(len(held & run) + joker == CARDS for run in _runs(CARDS)):
        return _Made("seven_card_straight_flush", len(held), joker)
    for run in _runs(5):
        cards = len(held & run)
        if cards + joker >= 5:
            return _Made("royal_flush" if run == _runs(5)[0] else "straight_flush", cards, joker)
    return None


@cache
def _runs(size: int) -> tuple[frozenset[int], ...]:
    """Return consecutive ranks, the highest first; an ace may be the lowest."""
    return tuple(
        frozenset(rank % len(RANKS) for rank in range(top - size + 1, top + 1)) for top in range(_ACE, size - 3, -1)
    )


def _by_rank(ranks: tuple[int, ...], joker: int) -> Iterator[tuple[_Made, int]]:
    """Count hands made by cards of equal rank, except those that are also straight flushes."""
    suits = len(SUITS)
    for held in combinations_with_replacement(ranks, CARDS - joker):
        copies = Counter(held)
        made = _full_house_or_better(copies, joker) if max(copies.values()) <= suits else None
        if made is None:
            continue
        hands = prod(comb(suits, count) for count in copies.values())
        # So few ranks allow a straight flush only with a joker, and only if each of them is of the suit.
        if _straight_flush(frozenset(copies), joker) is not None:
            hands -= suits * prod(comb(suits - 1, count - 1) for count in copies.values())
        yield made, hands


def _full_house_or_better(copies: Counter[int], joker: int) -> _Made | None:
    """Return the best hand by ranks alone, the joker as an ace; of three cards any two are the pair, so all count."""
    counts = Counter(copies)
    counts[_ACE] += joker
    rank, most = max(counts.items(), key=lambda one: (one[1], one[0]))
    if most >= 4:
        of_joker = joker * (rank == _ACE)
        return _Made("five_aces" if most == 5 else "four_of_a_kind", most - of_joker, of_joker)
    pairs = [pair for pair, count in counts.items() if count >= 2 and pair != rank]
    if most < 3 or not pairs:
        return None
    pair = max(pairs)
    of_joker = joker * (_ACE in (rank, pair))
    return _Made("full_house", most + counts[pair] - of_joker, of_joker)


# --- the return of a credit (N.J.A.C. 13:69F-11.14A) ---

ORDER: Final = "progressive_seven"
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
    return game.pays[str(game.wager(wager).pays)].table


def _rate(game: Game, award: str) -> Fraction:
    """Return the probability of a random award; 0 if the chosen pay table has none."""
    return Fraction(award_rate(game, award), MICROS) if _odds(game, award) else Fraction(0)


def _odds(game: Game, award: str) -> Fraction:
    table = bonus_table(game)
    lines = game.pays[table].table.lines if table else ()
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
