"""Hands on lines of a shared board: the census against every deal of a position, and against a plain enumeration."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from crossfelt.analysis import Advice, solve
from crossfelt.analysis import advise as advise_by_name
from crossfelt.analysis.flashed_cards import flashed_card_values
from crossfelt.analysis.solver.courses import Courses
from crossfelt.analysis.solver.lines import (
    _cards,
    outcomes_at,
    outcomes_of,
    ranking_of,
    values_of_flashed,
)
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.cards.card import RANKS, Card
from crossfelt.errors import BadInput
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.kernels.solver.line_deals import count_deals
from crossfelt.rulebooks.game import compile_game
from oracles import double_cross_value as oracle

GAME = compile_game("nj-double-cross")
PAYOFFS = Payoffs(RoundPlan(GAME))
SEEN = ("hole_1", "hole_2", "down_far", "across_right")


def advise(cards: dict[str, str]) -> Advice:
    return advise_by_name(GAME, pay=None, bets=None, **cards)


def some_positions(count: int, seed: int, faces: str = RANKS) -> list[dict[str, int]]:
    """Positions of every sort: any four cards, four of one suit, a pair in the hole."""
    rng, found = random.Random(seed), []
    deck = [4 * RANKS.index(face) + suit for face in faces for suit in range(4)]
    for number in range(count):
        suited = [card for card in deck if card % 4 == number % 4]
        chosen = rng.sample(suited if number % 3 == 0 else deck, 4)
        if number % 3 == 1:
            chosen[1] = next(card for card in deck if card // 4 == chosen[0] // 4 and card not in chosen)
        found.append(dict(zip(SEEN, chosen, strict=True)))
    return found


@pytest.mark.clause("DCP-2", "DCP-24", "DCP-25")
@pytest.mark.parametrize("seen", some_positions(3, seed=1, faces="TJQKA"), ids=str)
def test_a_short_deck_is_the_plain_enumeration_to_the_last_deal(seen: dict[str, int]) -> None:
    """Twenty cards, with flushes, straights and every other hand."""
    deck = tuple(4 * RANKS.index(face) + suit for face in "TJQKA" for suit in range(4))
    unseen = tuple(card for card in deck if card not in seen.values())
    cards = _cards(PAYOFFS, seen)._replace(shared=unseen, hidden=(unseen, unseen), dealer=unseen, unseen=unseen)
    counts = count_deals(cards, ranking_of(PAYOFFS))[0].sum(axis=0)
    texts = [Card(seen[place]).text for place in SEEN]
    for line, plain in enumerate(oracle.outcomes("TJQKA", texts[:2], texts[2], texts[3])):
        won = outcomes_of(PAYOFFS, line).won
        found: Counter[str] = Counter()
        for number, how in zip(counts[line].tolist(), won, strict=True):
            found[how] += number // 2  # each hand of the dealer is counted under both of its cards
        wins = sum(number for name, number in plain.items() if name not in ("tied", "lost"))
        assert (found["win"], found["push"], found["lose"]) == (wins, plain["tied"], plain["lost"])


@pytest.mark.parametrize("seen", some_positions(9, seed=3), ids=str)
def test_census_and_every_deal_agree(seen: dict[str, int]) -> None:
    every = count_deals(_cards(PAYOFFS, seen), ranking_of(PAYOFFS))
    assert np.array_equal(every[0].sum(axis=0), 2 * outcomes_at(PAYOFFS, seen))


@pytest.mark.soak
def test_census_and_every_deal_agree_on_thousands() -> None:
    for seen in some_positions(2000, seed=4):
        every = count_deals(_cards(PAYOFFS, seen), ranking_of(PAYOFFS))
        assert np.array_equal(every[0].sum(axis=0), 2 * outcomes_at(PAYOFFS, seen)), seen


def test_flashed_cards_divide_the_deals() -> None:
    """All cards that could be flashed in one place together are all deals; each deal has two cards of the dealer."""
    [seen] = some_positions(1, seed=6)
    every = count_deals(_cards(PAYOFFS, seen), ranking_of(PAYOFFS))
    assert all(np.array_equal(by_card.sum(axis=0), every[0].sum(axis=0)) for by_card in every)
    card = next(card for card in range(52) if card not in seen.values())
    for place, by_card in zip(("middle", "down_near", "across_left"), every, strict=False):
        assert np.array_equal(outcomes_at(PAYOFFS, {**seen, place: card}), by_card[card])
    assert np.array_equal(outcomes_at(PAYOFFS, {**seen, "dealer.hole_1": card}), every[3][card])


def test_lines_can_be_exchanged() -> None:
    for seen in some_positions(3, seed=5):
        exchanged = {**seen, "down_far": seen["across_right"], "across_right": seen["down_far"]}
        assert np.array_equal(outcomes_at(PAYOFFS, seen), outcomes_at(PAYOFFS, exchanged)[::-1])


@pytest.mark.clause("DCP-23", "DCP-24", "DCP-25", "DCP-28")
def test_simulated_rounds_settled_by_the_table_agree() -> None:
    """Deal rounds from a seed, decide by the advice and settle wager by wager; allow five standard errors."""
    rounds, rng, total = 400, random.Random(9), 0
    rules, ante, raised = rules_of(GAME), GAME.wager("ante"), GAME.wager("raise")
    places = (*SEEN, "middle", "down_near", "across_left", "dealer_hole_1", "dealer_hole_2")
    for _ in range(rounds):
        cards = dict(zip(places, (Card(card) for card in rng.sample(range(52), 9)), strict=True))
        choice = advise({place: cards[place].text for place in SEEN}).best
        if choice == "fold":
            total -= 100
            continue
        for wager, stake in ((ante, 100), (raised, 200)):
            settled = rules.settle(wager, stake, Spot(cards=cards, choices={"raise": choice}))
            total += settled.returned + settled.paid - stake
    solution = solve(GAME)
    error = solution.standard_deviation / rounds**0.5
    assert abs(total / 100 / rounds - float(solution.ev)) < 5 * error


@pytest.mark.clause("DCP-28")
def test_better_odds_are_never_worse() -> None:
    values = [solve(GAME, pay={"raise.flush": odds}).ev for odds in (6, 7, 50)]
    assert values == sorted(set(values))


def test_odds_that_could_not_be_added_up_are_refused() -> None:
    with pytest.raises(BadInput, match="odds too large"):
        solve(GAME, pay={"raise.royal_flush": 999_999_999, "raise.two_pair": "999999937 to 999999929"})


def test_the_value_of_a_flashed_card_is_the_gain_of_its_advice() -> None:
    [seen] = some_positions(1, seed=11)
    texts = {place: Card(card).text for place, card in seen.items()}
    unknown = max(advise(texts).actions.values())
    unseen = [Card(card).text for card in range(52) if card not in seen.values()]
    gains = values_of_flashed(PAYOFFS, Courses(PAYOFFS.plan), seen)
    assert min(gains.values()) >= 0
    known = [max(advise({**texts, "middle": card}).actions.values()) for card in unseen]
    assert gains["middle"] == sum(known, Fraction(0)) / len(unseen) - unknown


def test_the_value_of_a_flashed_card_depends_on_its_seed_only() -> None:
    found = [flashed_card_values(GAME, positions=2, seed=seed) for seed in ("1", "1", "2")]
    assert found[0] == found[1] != found[2]
    with pytest.raises(BadInput, match=r"positions: too few: 1 \(allowed: 2 …\)"):
        flashed_card_values(GAME, positions=1)
