"""The progressive wager of Pai Gow Poker returns what a second count and a plain sum say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any

import pytest

from crossfelt.analysis.solver.progressive_wager import Making, cards_making_hands, progressive_return
from crossfelt.cards.card import JOKER, Card
from crossfelt.games.progressive_wager import cards_making
from crossfelt.hands.joker import rank_progressive_seven
from crossfelt.rulebooks.game import compile_game
from oracles.counts import seven_card_counts

ORDER = ("seven_card_straight_flush", "five_aces", "royal_flush", "straight_flush", "four_of_a_kind", "full_house")
ODDS = {"royal_flush": 500, "straight_flush": 100, "four_of_a_kind": 75, "full_house": 4}
ALL = comb(53, 7)


def counts(*jokers: int) -> Mapping[str, int]:
    """Return the seven-card hands without (0) and with (1) the joker, counted once."""
    return sum(map(counts_of, jokers), Counter())


@cache
def counts_of(joker: int) -> Counter[str]:
    return seven_card_counts(ORDER, (joker,))


def game(letter: str = "A", settings: dict[str, Any] | None = None, **choices: Any) -> Any:
    return compile_game(
        "nj-pai-gow", {"wagers": {"progressive": {"paytable": letter, **choices}}, "settings": settings or {}}
    )


def plain(letter: str, *, lucky: Fraction = Fraction(1, 100), back: bool = True, magic_of: int = 52) -> Fraction:
    """Sum hand by hand: the odds, the returned credit, five to one for a lucky award, twenty for the magic card."""
    total = Fraction(0)
    for hand in ORDER:
        total += Fraction(counts(0, 1)[hand], ALL) * (ODDS.get(hand, 0) + (back and hand in ODDS))
        if letter == "A":
            natural, joker = counts(0, 1)[hand] - counts(1)[hand], counts(1)[hand]
            cards = 7 * natural + (6 if magic_of == 52 else 7) * joker
            total += Fraction(20 * cards, magic_of * ALL)
    return total + (5 * lucky if letter in "AB" else 0)


@pytest.mark.clause("PGP-16", "PGP-19")
@pytest.mark.parametrize("letter", "ABC")
def test_the_return_without_the_meter_is_the_sum_over_all_hands(letter: str) -> None:
    found = progressive_return(game(letter))
    assert found is not None
    assert found.fixed == plain(letter)


@pytest.mark.clause("PGP-16", "PGP-23", "PGP-27")
def test_the_meter_pays_all_of_it_or_a_tenth_whatever_the_credits() -> None:
    found = progressive_return(game("C", credit_cents=2_00))
    assert found is not None
    seven, aces = (Fraction(counts(0, 1)[hand], ALL) for hand in ORDER[:2])
    assert (counts(0, 1)[ORDER[0]], counts(0, 1)[ORDER[1]]) == (228, 1128)
    for meter in (25_000_00, 123_456_78):
        assert found.at(meter) == plain("C") + (seven + aces / 10) * meter / 2_00
    assert found.contribution_cents == Fraction(2_00 * 7, 10)
    assert found.cycle == 1 / seven


def test_settings_change_the_return_as_they_say() -> None:
    no_credit = progressive_return(game("C", {"credit_returned_on_win": False}))
    assert no_credit is not None
    assert no_credit.fixed == plain("C", back=False)
    of_53 = progressive_return(game("A", {"magic_card_from": 53}))
    assert of_53 is not None
    assert of_53.fixed == plain("A", magic_of=53)
    with_stake = progressive_return(game("B", {"lucky_stake_follows_hand": False}))
    assert with_stake is not None
    by_hand = plain("C") - plain("C", back=False)
    assert with_stake.fixed == plain("B") + Fraction(1, 100) * (1 - by_hand)


@pytest.mark.clause("PGP-18")
def test_the_magic_card_may_count_among_the_cards_that_make_a_hand() -> None:
    made = cards_making_hands()
    assert {hand: making.hands for hand, making in made.items()} == {hand: counts(0, 1)[hand] for hand in ORDER}
    jokers = sum(making.jokers for making in made.values())
    cards = sum(making.cards for making in made.values())
    for drawn_from, drawable in ((52, cards), (53, cards + jokers)):
        found = progressive_return(game("A", {"magic_card_in": "made_hand", "magic_card_from": drawn_from}))
        assert found is not None
        assert found.fixed == plain("B") + Fraction(20 * drawable, drawn_from * ALL)
        assert plain("B") < found.fixed < plain("A", magic_of=drawn_from)


@pytest.mark.clause("PGP-18")
@pytest.mark.parametrize("ranks", [(8, 9, 10, 11, 12), (0, 1, 2, 3, 12)], ids=["ten to ace", "ace to five"])
def test_cards_that_make_hands_are_those_of_every_hand_of_a_short_deck(ranks: tuple[int, ...]) -> None:
    """Apply the table's own rule to every hand, one for each that differ by suits alone."""
    totals: dict[str, Counter[str]] = {}
    for joker in (0, 1):
        for by_suit in combinations_with_replacement(range(1 << len(ranks)), 4):
            if sum(held.bit_count() for held in by_suit) != 7 - joker:
                continue
            cards = [
                Card(4 * rank + suit)
                for suit, held in enumerate(by_suit)
                for place, rank in enumerate(ranks)
                if held >> place & 1
            ]
            seven = (*cards, *(JOKER,) * joker)
            rank = rank_progressive_seven(seven)
            if rank.category == "nothing":
                continue
            making = cards_making(seven, rank)
            alike = factorial(4) // prod(factorial(same) for same in Counter(by_suit).values())
            total = totals.setdefault(rank.category, Counter())
            total.update(hands=alike, cards=alike * (len(making) - (JOKER in making)), jokers=alike * (JOKER in making))
    assert {hand: Making(**total) for hand, total in totals.items()} == cards_making_hands(
        (*(4 * (rank in ranks) for rank in range(13)), 1)
    )


def test_odds_are_drawn_from_the_pool_or_from_the_tray() -> None:
    pool, tray = (progressive_return(game("C", {"odds_paid_from": source})) for source in ("meter", "inventory"))
    assert pool is not None
    assert tray is not None
    assert pool.drawn_cents == plain("C", back=False) * 1_00
    assert tray.drawn_cents == 0
    assert pool.fixed == tray.fixed
    assert pool.long_run < tray.long_run
    assert tray.long_run > 1


@pytest.mark.clause("PGP-17", "PGP-26")
def test_others_share_a_lucky_seat_and_the_dealers_jackpot() -> None:
    alone, crowded = (progressive_return(game("B"), others) for others in (0, 3))
    assert alone is not None
    assert crowded is not None
    assert alone.fixed - crowded.fixed == Fraction(5, 100) * Fraction(3, 4)
    assert alone.slope == crowded.slope
    dealer, shared = (progressive_return(game("B"), others, wager="progressive_dealer") for others in (0, 3))
    assert dealer is not None
    assert shared is not None
    assert dealer.fixed == shared.fixed
    assert dealer.slope == 4 * shared.slope
    anywhere = progressive_return(game("B", {"lucky_player_goes_to": "all_seats"}))
    assert anywhere is not None
    assert anywhere.fixed == plain("B", lucky=Fraction(1, 600))


def test_a_wager_that_is_not_offered_has_no_return() -> None:
    offered = {"progressive_player": {"offered": False}, "progressive_dealer": {"offered": False}}
    assert progressive_return(compile_game("nj-pai-gow", {"wagers": offered})) is None
