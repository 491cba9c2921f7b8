"""The most one patron could win in a round at the minimum wager: reached by a deal, and passed by none."""

from __future__ import annotations

import random
import re
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from crossfelt.games.exposure import most, most_of_full_table
from crossfelt.games.round_stakes import minimum_stakes
from crossfelt.hands.rank import HandRank
from crossfelt.hands.strength import hand_classes, strength
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import from_data
from oracles.five_card import FACES, category_of, key_of
from unit.rulebooks.document_cases import game, shown
from unit.rulebooks.planted_faults import one, sound_data

DECK = [face + suit for face in FACES for suit in "cdhs"]
Deal = dict[str, list[str]]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("book", "choices", "antes"),
    [
        shown("NJC-56", "nj-criss-cross", {}, 1_102),
        shown("MAC-41", "ma-criss-cross", {}, 1_102),
        shown("MDC-39", "md-criss-cross", {}, 1_102),
        shown(
            "NJC-56", "nj-criss-cross", {"settings__minimum_wager_bets_at": 3}, 3_302, name="nj, bets at three antes"
        ),
        shown("", "md-criss-cross", {"settings__minimum_wager_bets_at": 2}, 2_202, name="md, bets at two antes"),
        shown("MDC-39", "md-criss-cross", {"settings__md_antes_at_table": True}, 1_700, name="md, antes at the table"),
        shown("DCP-30", "nj-double-cross", {}, 601),
        shown("DCP-30", "nj-double-cross", {"pays": {"raise": {"royal_flush": "400 to 1"}}}, 801, name="dc, royal 400"),
        shown("DCP-30", "nj-double-cross", {"pays": {"raise": {"flush": 350}}}, 701, name="dc, flush 350"),
    ],
)
@pytest.mark.parametrize("ante_cents", [5_00, 25_00, 100_00])
def test_the_most_at_the_minimum_wager(book: str, choices: dict[str, Any], antes: int, ante_cents: int) -> None:
    assert game(book, wagers__ante__min_cents=ante_cents, **choices).exposure.cents == antes * ante_cents


@pytest.mark.parametrize("book", ["nj-criss-cross", "ma-criss-cross", "md-criss-cross"])
def test_optional_wagers_are_no_part_of_the_minimum_wager(book: str) -> None:
    """The limit says what a patron could win who stakes the least the round asks for (AMB-6)."""
    without = game(book, wagers__ante__min_cents=50_00, wagers__five_card_bonus__offered=False)
    dearer = game(book, wagers__ante__min_cents=50_00, wagers__five_card_bonus__min_cents=100_00)
    assert without.exposure == dearer.exposure


def test_the_imperial_bonus_brings_1100_times_its_stake() -> None:
    assert game("nj-pai-gow", wagers__imperial__min_cents=7_00).exposure.cents == 1_100 * 7_00


STRANGERS = Path(__file__).parents[3] / "examples" / "rulebooks"


@pytest.mark.parametrize(
    ("book", "antes"),
    [
        # Ante, play and ante bonus on a straight flush, against a dealer who qualifies.
        ("three-card-poker", 1 + 1 + 5),
        # A royal flush pays the ante and three bets of one ante 500 to 1.
        ("mississippi-stud", 4 * 500),
        # Three bets that the player leaves in play, each at 1,000 to 1.
        ("let-it-ride", 3 * 1000),
        # Ante, and twice the ante at 100 to 1, against a dealer who qualifies.
        ("caribbean-stud", 1 + 2 * 100),
        # Ante and play at even money, the blind at 500 to 1, with the best five of seven cards.
        ("ultimate-texas-holdem", 1 + 1 + 500),
        # Ante, play and a bonus of 25 to 1 on four of a kind, the highest hand of this order.
        ("four-card-poker", 1 + 1 + 25),
    ],
)
def test_a_stranger_s_game_has_an_exposure(book: str, antes: int) -> None:
    exposure = compile_game(str(STRANGERS / f"{book}.toml")).exposure
    assert (exposure.cents, exposure.exact) == (antes * 5_00, True)


def test_a_full_table_may_reach_the_bound() -> None:
    """Six straight flushes beside a dealer who qualifies."""
    poker = compile_game(str(STRANGERS / "three-card-poker.toml"))
    found = most_of_full_table(poker, minimum_stakes(poker)[0])
    assert (found.cents, found.exact) == (6 * 7 * 5_00, True)


# --- found again by counting ---


def won(deal: Deal, odds: dict[str, int], *, either_line: bool) -> int:
    """Return the win of antes and bets of $5 on a deal, from the odds to one; a pair pays from jacks up."""
    far, left, centre, right, near = deal["cross"]
    across = [*deal["seat1"], left, centre, right]
    down = [*deal["seat1"], far, centre, near]
    pays = [odds.get(_line_of(hand), 0) for hand in (across, down)]
    higher = int(key_of(down) > key_of(across))
    middle = pays[higher] if any(pays) or not either_line else 0
    return 5_00 * (sum(1 for each in pays if each) + sum(pays) + middle)


def _line_of(hand: list[str]) -> str:
    category = category_of(hand)
    if category != "pair":
        return category
    faces = [card[0] for card in hand]
    paired = next(face for face in faces if faces.count(face) == 2)
    return "jacks" if paired in "JQKA" else "low pair"


def deals(seed: int, count: int) -> list[Deal]:
    """Random deals; half of them from a few suits and ranks, where the high hands are."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        suits, lowest = (chance.choice(["c", "cd", "cdh"]), chance.randrange(8)) if number % 2 else ("cdhs", 0)
        few = [card for card in DECK if card[1] in suits and FACES.index(card[0]) >= lowest]
        cards = chance.sample(few if len(few) >= 7 else DECK, 7)
        found.append({"seat1": cards[:2], "cross": cards[2:]})
    return found


PRINTED = {
    "royal_flush": 500,
    "straight_flush": 100,
    "four_of_a_kind": 40,
    "full_house": 12,
    "flush": 8,
    "straight": 5,
    "three_of_a_kind": 3,
    "two_pair": 2,
    "jacks": 1,
}
OTHERS: dict[str, dict[str, int]] = {
    "as printed": {},
    "two royals' worth of two pair": {"two_pair": 900},
    "full houses above straight flushes": {"full_house": 150, "royal_flush": 110},
    "pairs best of all": {"jacks": 700},
    "straights and flushes": {"royal_flush": 10, "straight_flush": 9, "straight": 300, "flush": 299},
    "all alike": dict.fromkeys(PRINTED, 7),
}


def test_a_side_bet_on_other_cards_is_part_of_the_search() -> None:
    """Royal and straight flush across and down, and the flush that their five common cards then are."""
    nj = game("nj-criss-cross")
    stakes = {**minimum_stakes(nj)[0], "five_card_bonus": 1_00}
    found = most(nj, stakes)
    assert (found.cents, found.deal_cents) == (1_102 * 5_00 + 10 * 1_00,) * 2


def test_a_wheel_is_named_as_not_counted() -> None:
    nj = game("nj-criss-cross")
    found = most(nj, {**minimum_stakes(nj)[0], "bonus_spin": 5_00})
    assert (found.cents, found.not_counted) == (1_102 * 5_00, ("bonus_spin",))


@pytest.mark.exhaustive
def test_a_full_table_has_a_bound_and_a_deal() -> None:
    played = game("nj-criss-cross")
    one, all_seats = played.exposure, most_of_full_table(played, minimum_stakes(played)[0])
    cards = re.findall(r"\b[2-9TJQKA][cdhs]\b", all_seats.deal)
    assert len(cards) == len(set(cards)) >= 17
    assert one.cents < all_seats.deal_cents < all_seats.cents == 6 * one.cents


SLOW = {"quads above all": {"four_of_a_kind": 2_000}}
"""No two lines can both make four of a kind, so the search examines every such hand before it ends."""


def with_odds(book: str, changes: dict[str, int]) -> Game:
    data = sound_data(book)
    for hand, odds in changes.items():
        lines = one(data["paytable"], id="bets")["lines"]
        line = one(lines, id="pair_jacks_or_better") if hand == "jacks" else one(lines, hand=hand)
        line["odds"] = f"{odds} to 1"
    return compile_game(from_data(data, where="mine"))


@pytest.mark.exhaustive
@pytest.mark.parametrize("changes", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("book", ["nj-criss-cross", "ma-criss-cross"])
def test_a_deal_reaches_it_and_none_of_many_passes_it(book: str, changes: dict[str, int]) -> None:
    exposure = with_odds(book, changes).exposure
    odds, either_line = PRINTED | changes, book == "nj-criss-cross"
    named = {place: cards.split() for place, cards in re.findall(r"(\w+) = ((?:\w\w ?)+)", exposure.deal)}
    assert exposure.exact
    assert won(named, odds, either_line=either_line) == exposure.cents
    assert max(won(deal, odds, either_line=either_line) for deal in deals(seed=1, count=600)) <= exposure.cents


def lines_that_meet() -> set[tuple[str, str]]:
    """Return the lines of two hands with three common cards, the higher first, from every deal up to suits."""
    line_of = [_line_in(rank) for rank in hand_classes()]
    met: set[tuple[str, str]] = set()
    for common in combinations(range(52), 3):
        if [card % 4 for card in common] not in ([0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]):
            continue  # the same as other three cards with their suits exchanged
        reached: dict[str, list[tuple[int, int]]] = {}
        for pair in combinations([card for card in range(52) if card not in common], 2):
            reached.setdefault(line_of[strength(*common, *pair)], []).append(pair)
        for high, low in combinations_with_replacement(sorted(reached, key=_height, reverse=True), 2):
            if (high, low) not in met and any(
                mine[0] not in theirs and mine[1] not in theirs for mine in reached[high] for theirs in reached[low]
            ):
                met.add((high, low))
    return met


def _line_in(rank: HandRank) -> str:
    return rank.category if rank.category != "pair" else "jacks" if rank.ranks[0] >= FACES.index("J") else "low pair"


def _height(line: str) -> int:
    return len(PRINTED) - 1 - list(PRINTED).index(line) if line in PRINTED else -1 if line == "low pair" else -2


@pytest.mark.exhaustive
def test_counting_every_deal_gives_the_same() -> None:
    """A second way, which knows this game: the best of all pairs of lines that meet over three common cards."""
    met = lines_that_meet()
    for changes in (OTHERS | SLOW).values():
        odds = dict.fromkeys(("low pair", "high_card"), 0) | PRINTED | changes
        most_antes = max(
            sum(1 + odds[line] for line in (higher, lower) if odds[line]) + odds[higher] for higher, lower in met
        )
        assert with_odds("nj-criss-cross", changes).exposure.cents == 5_00 * most_antes


@pytest.mark.soak
@pytest.mark.parametrize("changes", (OTHERS | SLOW).values(), ids=OTHERS | SLOW)
def test_none_of_very_many_deals_passes_it(changes: dict[str, int]) -> None:
    exposure = with_odds("nj-criss-cross", changes).exposure
    odds = PRINTED | changes
    assert max(won(deal, odds, either_line=True) for deal in deals(seed=2, count=200_000)) <= exposure.cents
