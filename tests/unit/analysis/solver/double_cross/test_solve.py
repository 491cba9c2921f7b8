"""Double Cross Poker solved in two ways, against a plain enumeration, the settlement of the table and a simulation."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations
from math import comb, perm

import numpy as np
import pytest
from crossfelt.analysis.hole_carding.double_cross import flashed_card_values, values_in_position

from crossfelt.analysis import solve
from crossfelt.analysis.advice import FLASHED
from crossfelt.analysis.solver.double_cross.advice import advise, position_outcomes, position_values
from crossfelt.analysis.solver.double_cross.payoffs import (
    FOLD,
    HORIZONTAL,
    VERTICAL,
    DoubleCrossPayoffs,
    terms_of,
)
from crossfelt.analysis.solver.double_cross.positions import (
    Census,
    best_play,
    cards_of,
    census,
    exchanged,
    position_counts,
    position_of,
)
from crossfelt.analysis.solver.double_cross.solve import DoubleCrossSolution
from crossfelt.analysis.what_if import with_pay
from crossfelt.cards.card import RANKS, Card
from crossfelt.errors import BadInput
from crossfelt.games.rules import rules_of
from crossfelt.games.settlement import Spot
from crossfelt.rulebooks.game import compile_game
from oracles import double_cross_value as oracle
from oracles import three_card
from oracles.classes import suit_classes

GAME = compile_game("nj-double-cross")
TERMS = terms_of(GAME)
Cards = tuple[Card, ...]


def ranks(faces: str) -> tuple[int, ...]:
    return tuple(RANKS.index(face) for face in faces)


def counted(terms: DoubleCrossPayoffs, cards: Cards) -> list[dict[str, int]]:
    """Return the census of a position, both lines, by result."""
    found: Census = census(terms)
    hole, top, right = cards[:2], cards[2], cards[3]
    results = []
    for outcomes in (found.vertical, found.horizontal):
        *won, tied = outcomes[position_of(hole, top, right)].tolist()
        by_category = dict(zip((hand.category for hand in terms.hands), won, strict=True))
        results.append(by_category | {"tied": tied, "lost": terms.deals - tied - sum(won)})
    return results


def looked_at(terms: DoubleCrossPayoffs, cards: Cards, **flashed: Card) -> list[dict[str, int]]:
    """Count the same by enumeration of every deal."""
    position = {"hole": cards[:2], "top": cards[2:3], "right": cards[3:4]}
    counts = position_outcomes(terms, position | {name: (card,) for name, card in flashed.items()})
    names = [*(hand.category for hand in terms.hands), "tied", "lost"]
    return [dict(zip(names, line, strict=True)) for line in counts.tolist()]


def some_positions(count: int, seed: int, deck: tuple[int, ...] = TERMS.ranks) -> list[Cards]:
    """Positions of every sort: any four cards, four of one suit, a pair in the hole."""
    rng = random.Random(seed)
    positions = []
    for number in range(count):
        cards = [Card(4 * rank + suit) for rank in deck for suit in range(4)]
        suited = [card for card in cards if card.suit == number % 4]
        chosen = rng.sample(suited if number % 3 == 0 else cards, 4)
        if number % 3 == 1:
            chosen[1] = next(card for card in cards if card.rank == chosen[0].rank and card not in chosen)
        positions.append(tuple(chosen))
    return positions


@pytest.mark.clause("DCP-2", "DCP-24", "DCP-25")
@pytest.mark.parametrize("cards", some_positions(6, seed=1, deck=ranks("TJQKA")), ids=str)
def test_short_deck_is_the_plain_enumeration_to_the_last_deal(cards: Cards) -> None:
    """Twenty cards, with flushes, straights and every other hand."""
    terms = terms_of(GAME, ranks=ranks("TJQKA"))
    texts = [card.text for card in cards]
    plain = [dict(counts) for counts in oracle.outcomes("TJQKA", texts[:2], texts[2], texts[3])]
    for found in (counted(terms, cards), looked_at(terms, cards)):
        assert [{name: count for name, count in line.items() if count} for line in found] == plain


@pytest.mark.soak
@pytest.mark.parametrize("cards", some_positions(30, seed=2, deck=ranks("23458A")), ids=str)
def test_another_short_deck_is_the_plain_enumeration(cards: Cards) -> None:
    deck = ranks("23458A")
    terms = terms_of(GAME, ranks=deck)
    texts = [card.text for card in cards]
    plain = [dict(counts) for counts in oracle.outcomes("23458A", texts[:2], texts[2], texts[3])]
    for found in (counted(terms, cards), looked_at(terms, cards)):
        assert [{name: count for name, count in line.items() if count} for line in found] == plain


@pytest.mark.parametrize("cards", some_positions(15, seed=3), ids=str)
def test_census_and_every_deal_agree(cards: Cards) -> None:
    assert counted(TERMS, cards) == looked_at(TERMS, cards)


@pytest.mark.soak
def test_census_and_every_deal_agree_on_thousands() -> None:
    for cards in some_positions(4000, seed=4):
        assert counted(TERMS, cards) == looked_at(TERMS, cards), cards


def test_positions_are_all_positions() -> None:
    counts = position_counts()
    assert counts.sum() == comb(52, 2) * perm(50, 2) == TERMS.positions
    assert TERMS.deals == perm(48, 3) * comb(45, 2)
    for place in np.argwhere(counts)[::977]:
        position = tuple(place.tolist())
        top, right, high, low = cards_of(position)
        assert len({top, right, high, low}) == 4
        assert position_of((high, low), top, right) == position
        relabelled = {
            tuple(Card(4 * card.rank + suits[card.suit]) for card in (top, right, *sorted((high, low))))
            for suits in permutations(range(4))
        }
        same = {(cards[0], cards[1], frozenset(cards[2:])) for cards in relabelled}
        assert len(same) == counts[position]
        assert {position_of(tuple(hole), one, other) for one, other, hole in same} == {position}
        assert position_of((high, low), right, top) == (right.rank, top.rank, place[2], exchanged()[place[2], place[3]])


def test_suits_and_lines_can_be_exchanged() -> None:
    for cards in some_positions(3, seed=5):
        relabelled = tuple(Card(card ^ 1) for card in cards)
        vertical, horizontal = looked_at(TERMS, cards)
        assert looked_at(TERMS, relabelled) == [vertical, horizontal]
        assert looked_at(TERMS, (*cards[:2], cards[3], cards[2])) == [horizontal, vertical]


def test_flashed_cards_divide_the_deals() -> None:
    """All cards that could be flashed in one place together are all deals; each deal has two cards of the dealer."""
    terms = terms_of(GAME, ranks=ranks("9TJQKA"))
    cards = some_positions(2, seed=6, deck=terms.ranks)[1]
    plain = looked_at(terms, cards)
    unseen = [card for card in map(Card, range(52)) if card.rank in terms.ranks and card not in cards]
    for place, times in (("centre", 1), ("bottom", 1), ("left", 1), ("dealer", 2)):
        total: list[dict[str, int]] = [dict.fromkeys(line, 0) for line in plain]
        for card in unseen:
            for line, found in zip(total, looked_at(terms, cards, **{place: card}), strict=True):
                for name, count in found.items():
                    line[name] += count
        assert total == [{name: times * count for name, count in line.items()} for line in plain], place


@pytest.fixture(scope="module")
def solution() -> DoubleCrossSolution:
    found = solve(GAME)
    assert isinstance(found, DoubleCrossSolution)
    return found


@pytest.mark.clause("DCP-1", "DCP-23", "DCP-25", "DCP-28")
def test_figures_of_the_printed_odds(solution: DoubleCrossSolution) -> None:
    assert solution.ev == Fraction(-15_341_913_943, 695_345_250_600)
    assert solution.distribution.deals == 333_765_720_288_000
    assert sum(solution.decisions["play"].values()) == 1
    assert solution.average_total_wagered == 3 - 2 * solution.decisions["play"][FOLD]
    assert solution.house_edge.per_ante == solution.house_edge.per_initial_wagers == -solution.ev
    assert [float(outcome.net) for outcome in solution.distribution.outcomes] == [
        *(-3, -1, 0, 3, 4, 7, 11, 13, 15, 31, 101, 601)
    ]


def test_the_best_choice_is_the_best_of_all(solution: DoubleCrossSolution) -> None:
    for hole_1, hole_2, top, right in some_positions(12, seed=7):
        values = position_values(TERMS, {"hole": (hole_1, hole_2), "top": (top,), "right": (right,)})
        chosen = solution.play.choice((hole_1, hole_2), top, right)
        assert values[chosen] == max(values.values())
        if values[VERTICAL] == max(values.values()):
            assert chosen == VERTICAL


@pytest.mark.parametrize(
    "pay",
    [
        {"raise.two_pair": "7 to 3", "raise.straight": "1 to 7"},
        {"raise.high_card": 20, "raise.royal_flush": 1},
        {"raise.one_pair": 3},
    ],
    ids=str,
)
def test_any_odds(pay: dict[str, int | str], solution: DoubleCrossSolution) -> None:
    asked = solve(GAME, pay=pay)
    terms = terms_of(with_pay(GAME, pay))
    play = best_play(terms)
    for hole_1, hole_2, top, right in some_positions(4, seed=8):
        values = position_values(terms, {"hole": (hole_1, hole_2), "top": (top,), "right": (right,)})
        assert values[play.choice((hole_1, hole_2), top, right)] == max(values.values())
    # The counts do not depend on the odds: the same play gives the same counts at other prices.
    same = {(outcome.net, outcome.count) for outcome in asked.distribution.outcomes}
    assert same != {(outcome.net, outcome.count) for outcome in solution.distribution.outcomes}
    assert asked.distribution.deals == solution.distribution.deals


@pytest.mark.clause("DCP-28")
def test_better_odds_are_never_worse() -> None:
    values = [solve(GAME, pay={"raise.flush": odds}).ev for odds in (6, 7, 50)]
    assert values == sorted(set(values))


def test_odds_that_could_not_be_added_up_are_refused() -> None:
    with pytest.raises(BadInput, match="odds too large"):
        solve(GAME, pay={"raise.royal_flush": 999_999_999, "raise.two_pair": "999999937 to 999999929"})


@pytest.mark.clause("DCP-23", "DCP-24", "DCP-25", "DCP-28")
def test_simulated_rounds_settled_by_the_table_agree(solution: DoubleCrossSolution) -> None:
    """Deal rounds from a seed, decide by the book and settle wager by wager; allow five standard errors."""
    rounds, rng = 6_000, random.Random(9)
    rules, ante, raised = rules_of(GAME), GAME.wager("ante"), GAME.wager("raise")
    places = ("hole_1", "hole_2", "down_far", "across_right", "middle", "down_near", "across_left")
    total = 0
    for _ in range(rounds):
        dealt = [Card(card) for card in rng.sample(range(52), 9)]
        cards = dict(zip((*places, "dealer_hole_1", "dealer_hole_2"), dealt, strict=True))
        choice = solution.play.choice((dealt[0], dealt[1]), dealt[2], dealt[3])
        if choice == FOLD:
            total -= 100
            continue
        spot = Spot(cards=cards, choices={"raise": choice})
        for wager, stake in ((ante, 100), (raised, 200)):
            settled = rules.settle(wager, stake, spot)
            total += settled.returned + settled.paid - stake
    error = solution.standard_deviation / rounds**0.5
    assert abs(total / 100 / rounds - float(solution.ev)) < 5 * error


@pytest.mark.clause("DCP-12", "DCP-21", "DCP-29")
def test_three_card_wager(solution: DoubleCrossSolution) -> None:
    bet = solution.side_bets["three_card"]
    counts = dict.fromkeys(("high_card", *three_card.LOW_TO_HIGH), 0)
    for hand, weight in suit_classes(3):
        counts[three_card.category_of(hand)] += weight
    counts["one_pair"] = counts.pop("pair")  # the name of the pay line
    assert {outcome.line or "high_card": outcome.count for outcome in bet.outcomes} == counts
    assert bet.deals == comb(52, 3)
    assert round(float(bet.house_edge), 5) == 0.02317
    assert round(float(bet.hit_rate), 4) == 0.2561
    assert sum(bet.contribution(outcome) for outcome in bet.outcomes) == bet.ev


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ({"hole": "As Kd", "top": "7h"}, "right: no cards given"),
        ({"hole": "As As", "top": "7h", "right": "2c"}, "hole: card given more than once: 'As'"),
        ({"hole": "As Kd", "top": "Kd", "right": "2c"}, "top: card given more than once: 'Kd'"),
        ({"hole": "As Kd", "top": "7h", "right": "2c", "dealer": "2c"}, "dealer: card given more than once: '2c'"),
        ({"hole": "As Kd", "top": "7h", "right": "2c", "across": "3c 4c"}, "across: this game has no such cards"),
    ],
)
def test_impossible_positions_are_reported_in_one_line(cards: dict[str, str], told: str) -> None:
    with pytest.raises(BadInput) as refused:
        advise(GAME, pay={}, bets={}, cards=cards)
    assert [str(problem).startswith(told) for problem in refused.value.problems] == [True]


def test_advice_is_the_census(solution: DoubleCrossSolution) -> None:
    advice = advise(GAME, pay={}, bets={}, cards={"hole": "As Kd", "top": "7h", "right": "2c"})
    place = position_of((Card("As"), Card("Kd")), Card("7h"), Card("2c"))
    for choice, value in ((VERTICAL, solution.play.vertical), (HORIZONTAL, solution.play.horizontal)):
        assert advice.actions[choice] == Fraction(int(value[place]), TERMS.deals * TERMS.scale)
    assert advice.actions[FOLD] == -1
    assert advice.best == VERTICAL


def test_a_flashed_card_is_never_worth_less_than_nothing() -> None:
    """In a short deck, enumerate every card that could be flashed in every place."""
    terms = terms_of(GAME, ranks=ranks("TJQKA"))
    for hole_1, hole_2, top, right in some_positions(4, seed=10, deck=terms.ranks):
        position = {"hole": (hole_1, hole_2), "top": (top,), "right": (right,)}
        other = {**position, "top": (right,), "right": (top,)}
        worths = values_in_position(terms, position)
        assert list(worths) == list(FLASHED)
        assert min(worths.values()) >= 0
        assert worths["bottom"] == values_in_position(terms, other)["left"]


def test_the_value_of_a_flashed_card_is_the_gain_of_its_advice() -> None:
    """Ask for each card in each place in one position of a short deck."""
    terms = terms_of(GAME, ranks=ranks("9TJQKA"))
    [(hole_1, hole_2, top, right)] = some_positions(1, seed=11, deck=terms.ranks)
    position = {"hole": (hole_1, hole_2), "top": (top,), "right": (right,)}
    dealt = {hole_1, hole_2, top, right}
    unseen = [Card(card) for card in range(52) if card >> 2 in terms.ranks and Card(card) not in dealt]
    unknown = max(position_values(terms, position).values())
    for place, worth in values_in_position(terms, position).items():
        known = [max(position_values(terms, {**position, place: (card,)}).values()) for card in unseen]
        assert worth == sum(known, Fraction(0)) / len(unseen) - unknown


def test_the_value_of_a_flashed_card_depends_on_its_seed_only() -> None:
    found = [flashed_card_values(GAME, positions=2, seed=seed) for seed in ("1", "1", "2")]
    assert found[0] == found[1] != found[2]
    with pytest.raises(BadInput, match=r"positions: too few: 1 \(allowed: 2 …\)"):
        flashed_card_values(GAME, positions=1)
