"""The exact solution of Criss Cross Poker against second methods, counting arguments and published figures."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
import pytest

from crossfelt.analysis import Solution, advise, solve, with_pay
from crossfelt.analysis.solver.criss_cross.advice import outcomes_of, pair_of
from crossfelt.analysis.solver.criss_cross.induction import Induction, best, distribution, induce
from crossfelt.analysis.solver.criss_cross.known_card import KNOWN
from crossfelt.analysis.solver.criss_cross.payoffs import terms_of
from crossfelt.analysis.solver.side_bets import five_card_hands
from crossfelt.analysis.what_if import LOSE, Pay
from crossfelt.cards import SUITS, Card, format_cards
from crossfelt.cards.card import RANKS
from crossfelt.errors import BadInput
from crossfelt.hands.starting_hands import STARTING_HANDS, starting_hand, starting_hand_named
from crossfelt.kernels.criss_cross.continuations import continuations
from crossfelt.kernels.criss_cross.induction import outcome_ways, prospect_ways
from crossfelt.rulebooks.game import Game, compile_game
from oracles import criss_cross_brute as brute
from oracles import criss_cross_value as oracle

BOOKS = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross")
DEALS = comb(52, 2) * comb(50, 2) * comb(48, 2) * 46
# A flush pays more than a full house, a straight less than two pair, and a royal flush nothing special.
OUT_OF_ORDER: Pay = {"bets.flush": 14, "bets.straight": 1, "bets.royal_flush": 30, "bets.two_pair": 6}
# Hands that win nothing although lower ones do, and small pairs that lose.
LOST: Pay = {"bets.flush": LOSE, "bets.three_of_a_kind": LOSE, "bets.pair_6s_through_10s": LOSE}


@cache
def game(book: str = "nj-criss-cross") -> Game:
    return compile_game(book)


@cache
def solution(book: str = "nj-criss-cross", known: str = "") -> Solution:
    return solve(game(book), known=known)


@cache
def play(book: str = "nj-criss-cross", faces: str = RANKS, pay: tuple[tuple[str, Any], ...] = ()) -> Induction:
    ranks = tuple(sorted(RANKS.index(face) for face in faces))
    return induce(terms_of(with_pay(game(book), dict(pay)), ranks=ranks))


def oracle_rules(book: str, pay: Mapping[str, Any]) -> oracle.Rules:
    bets = {**oracle.BETS, **{path.removeprefix("bets."): odds for path, odds in pay.items()}}
    return oracle.Rules(
        bets={line: odds for line, odds in bets.items() if odds != LOSE}, higher_hand_decides=book.startswith("ma")
    )


# --- two methods ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("NJC-41", "NJC-42", "NJC-43", "NJC-50", "NJC-51")
@pytest.mark.parametrize(("faces", "hand"), [("A2345", "A3s"), ("9TJQK", "JJ"), ("A2345", "42o")])
def test_a_short_deck_is_solved_as_by_hand(faces: str, hand: str) -> None:
    """Every deal of 20 cards, by enumeration."""
    number = starting_hand_named(hand)
    hole = tuple(card.text for card in STARTING_HANDS[number].cards)
    expected = oracle.hole_values(oracle.Rules(), hole, oracle.deck_of(faces))
    assert play(faces=faces).hole_values[number].tolist() == [expected[1], expected[3]]


@pytest.mark.clause("NJC-46", "MAC-35", "MDC-36")
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("pay", [{}, OUT_OF_ORDER, LOST], ids=["as printed", "out of order", "lost"])
@pytest.mark.parametrize("rows", [1, pytest.param(3, marks=pytest.mark.soak)])
def test_rows_of_the_full_deck_are_those_of_the_plain_twin(book: str, pay: Pay, rows: int) -> None:
    """Hole and across cards at random, 51,888 deals each."""
    chance = random.Random(f"{book} {pay}")
    found = play(book, pay=tuple(pay.items()))
    rules = oracle_rules(book, pay)
    for _ in range(rows):
        hole, across = _two_pairs(chance)
        texts = [tuple(card.text for card in cards) for cards in (hole, across)]
        expected = oracle.row_values(rules, oracle.ranker(rules), texts[0], texts[1], oracle.deck_of())
        row = found.prospects.row_start[starting_hand(hole)] + pair_of(hole, across)
        for place, x in enumerate((1, 3)):
            values = [expected[x, y] for y in (0, 1, 3)]
            assert found.row_values[row, place] == max(values), (hole, across)
            assert values[(0, 1, 3).index(found.second[row, place])] == max(values)


@pytest.mark.parametrize("hand", ["AKs", "88", "J4o"])
def test_starting_hands_of_the_full_deck_are_those_of_brute_force(hand: str) -> None:
    number = starting_hand_named(hand)
    one, three = map(int, STARTING_HANDS[number].cards)
    values = brute.hole_values((one, three), dict(oracle.ANTES), dict(oracle.BETS))
    assert play().hole_values[number].tolist() == list(values)


@pytest.mark.soak
def test_the_whole_game_is_that_of_brute_force() -> None:
    total = 0
    for number, hand in enumerate(STARTING_HANDS):
        one, three = map(int, hand.cards)
        values = brute.hole_values((one, three), dict(oracle.ANTES), dict(oracle.BETS))
        assert play().hole_values[number].tolist() == list(values), hand.name
        total += hand.ways * max(*values, -2 * DEALS // comb(52, 2))
    assert Fraction(total, DEALS) == solution().ev


def short_deck_value(faces: str, known: str) -> Fraction:
    ranks = tuple(sorted(RANKS.index(face) for face in faces))
    terms = terms_of(game(), ranks=ranks)
    if not known:
        found = induce(terms)
        return Fraction(found.total, terms.deals.all)
    card = KNOWN[known](terms)
    assert card.tally.deals == (1 if known == "middle" else 2) * terms.deals.all
    assert distribution(terms, card.tally).mean == Fraction(card.total, card.tally.deals)
    return Fraction(card.total, card.tally.deals)


@pytest.mark.parametrize("known", ["", "across", "down", "middle"])
@pytest.mark.parametrize("faces", ["59K", pytest.param("7JQK", marks=pytest.mark.soak)])
def test_a_card_that_is_known_is_worth_what_the_plain_twin_says(faces: str, known: str) -> None:
    assert short_deck_value(faces, known) == oracle.game_value(oracle.Rules(), faces, known)


@pytest.mark.soak
@pytest.mark.parametrize("known", ["down", "middle"])
def test_a_card_that_is_known_where_straights_and_flushes_are(known: str) -> None:
    assert short_deck_value("A2345", known) == oracle.game_value(oracle.Rules(), "A2345", known)


def test_rounds_dealt_at_random_come_to_what_was_computed() -> None:
    """Best play on cards from a seeded shuffle, settled by the plain twin: within four standard errors."""
    chance = random.Random(20)
    rules, found = oracle.Rules(), play()
    rank = oracle.ranker(rules)
    rounds, total, wagered = 6_000, 0, 0
    for _ in range(rounds):
        cards = [Card(card) for card in chance.sample(range(52), 7)]
        net, staked = _round(rules, rank, found, cards)
        total += net
        wagered += staked
    error = solution().standard_deviation / rounds**0.5
    assert abs(total / rounds - float(solution().ev)) < 4 * error
    assert abs(wagered / rounds - float(solution().average_total_wagered)) < 0.15


def _round(
    rules: oracle.Rules, rank: Callable[[oracle.Cards], oracle.Hand], found: Induction, cards: list[Card]
) -> tuple[int, int]:
    """Return the result and the stakes of one round under best play."""
    hole, across, down = cards[:2], cards[2:4], cards[4:6]
    terms, number = found.terms, starting_hand(hole)
    x = int(found.first[number])
    if not x:
        return -2, 2
    row = found.prospects.row_start[number] + pair_of(hole, across)
    y = int(found.second[row, terms.stakes[0].index(x)])
    if not y:
        return -2 - x, 2 + x
    counts = outcomes_of(terms, hole, across, down)
    antes, first, second, middle = (int(value) for value in terms.values @ counts)
    so_far = antes + x * first + y * second
    z = 3 if middle >= 0 else 1
    if so_far + z * middle < -46 * (2 + x + y):
        return -2 - x - y, 2 + x + y
    texts = [card.text for card in cards]
    one, two = rank((*texts[:4], texts[6])), rank((*texts[:2], *texts[4:]))
    bets = x * one.bet + y * two.bet + z * oracle.middle_bet(rules, one, two)
    return one.ante + two.ante + bets, 2 + x + y + z


def _two_pairs(chance: random.Random) -> tuple[tuple[Card, Card], tuple[Card, Card]]:
    """Two hole cards and two across; every second time of one suit, so that flushes come up."""
    a, b, c, d = chance.sample(range(13), 4) if chance.random() < 0.5 else chance.choices(range(13), k=4)
    suits = [0, 0, 0, chance.randrange(2)] if len({a, b, c, d}) == 4 else [0, 1, 2, 3]
    cards = [Card(4 * rank + suit) for rank, suit in zip((a, b, c, d), suits, strict=True)]
    return (cards[0], cards[1]), (cards[2], cards[3])


# --- sums that must come out ----------------------------------------------------------------------------------------


def test_every_deal_is_counted_once() -> None:
    of = continuations(play().terms.grouping)
    assert of.hole_ways.sum() == comb(52, 2)
    assert set(np.add.reduceat(of.row_ways, of.row_start[:-1])) == {comb(50, 2)}
    assert set(np.add.reduceat(of.entry_ways.astype(int), of.entry_start[:-1])) == {comb(48, 2)}
    assert set(np.add.reduceat(of.outcome_cards, of.outcome_start[:-1])) == {46}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("known", ["", "across", "down", "middle"])
def test_tables_of_a_solution_add_up(book: str, known: str) -> None:
    found = solution(book, known)
    assert found.distribution.deals in (DEALS, 2 * DEALS)
    still_in = Fraction(1)
    staked = found.initial_wagers
    for rates in found.decisions.values():
        assert sum(rates.values()) == still_in
        still_in -= rates.get("fold", Fraction(0))
        staked += sum(Fraction(choice[:-1]) * rate for choice, rate in rates.items() if choice != "fold")
    assert found.average_total_wagered == staked
    worst, best = found.distribution.outcomes[0].net, found.distribution.outcomes[-1].net
    assert worst >= -(2 + 3 + 3 + 3)
    # A royal flush on one line and a straight flush on the other, three times on everything, and both antes.
    assert best <= 1 + 1 + 3 * (500 + 100 + 500)


def test_hands_come_out_as_often_as_five_cards_do() -> None:
    """A player who never folds has an ordinary five-card hand across."""
    of, terms = play().prospects, play().terms
    row_ways = np.repeat(of.hole_ways, np.diff(of.row_start)) * of.row_ways
    reached = prospect_ways(of, row_ways[None, :])
    by_groups = outcome_ways(of, reached, terms.groups)[0].reshape(terms.groups, terms.groups)
    assert by_groups.sum() == DEALS
    assert (by_groups == by_groups.T).all()
    found: Counter[str] = Counter()
    for hand, deals in zip(terms.hands, by_groups.sum(axis=1).tolist(), strict=True):
        found[hand.category] += deals
    expected: Counter[str] = Counter()
    for rank, hands in five_card_hands().items():
        # The lowest group holds small pairs too, which lose as a high card does.
        category = "high_card" if rank.category == "pair" and rank.ranks[0] < RANKS.index("6") else rank.category
        expected[category] += hands
    assert {name: Fraction(deals, DEALS) for name, deals in found.items()} == {
        name: Fraction(hands, comb(52, 5)) for name, hands in expected.items()
    }


# --- published figures ----------------------------------------------------------------------------------------------


def test_the_return_at_the_printed_odds() -> None:
    found = solution()
    assert found.ev == Fraction(-579_091, 6_689_228)
    assert found.distribution.mean == found.ev
    assert [solution(book).ev for book in BOOKS] == [found.ev] * 3


def test_a_known_middle_card_is_worth_what_has_been_published() -> None:
    """E. Jacobson, "Hole-carding Criss Cross Poker": up to 49.37 % of both antes."""
    assert round(float(-solution(known="middle").house_edge.per_initial_wagers), 4) == 0.4937


def test_knowing_more_is_never_worth_less() -> None:
    assert all(solution(known=known).ev > solution().ev for known in ("across", "down", "middle"))


def test_the_literal_reading_of_maryland_pays_antes_at_the_table() -> None:
    literal = solve(compile_game("md-criss-cross", {"settings": {"md_antes_at_table": True}}))
    assert literal.ev > solution("md-criss-cross").ev


# --- advice ---------------------------------------------------------------------------------------------------------


def test_advice_equals_the_solution_at_every_starting_hand() -> None:
    deals = play().terms.deals
    for number, hand in enumerate(STARTING_HANDS):
        found = advise(game(), hole=format_cards(hand.cards))
        values = play().hole_values[number]
        per_hole = deals.across * deals.down * deals.middle
        assert found.actions["1x"] == Fraction(int(values[0]), per_hole)
        assert found.actions["3x"] == Fraction(int(values[1]), per_hole)
        assert found.best == ("fold" if play().first[number] == 0 else f"{play().first[number]}x")


@pytest.mark.parametrize("seed", range(4))
def test_advice_is_that_of_the_plain_twin(seed: int) -> None:
    chance = random.Random(seed)
    rules = oracle.Rules()
    cards = [Card(card) for card in chance.sample(range(52), 6)]
    hole, across, down = (tuple(card.text for card in cards[place : place + 2]) for place in (0, 2, 4))
    x, y = chance.choice((1, 2, 3)), chance.choice((1, 2, 3))
    rows = oracle.row_values(rules, oracle.ranker(rules), hole, across, oracle.deck_of())
    second = advise(game(), hole=" ".join(hole), across=" ".join(across), bets={"across": x})
    assert second.actions == {
        "fold": -(2 + x),
        **{f"{bet}x": Fraction(rows[x, bet], comb(48, 2) * 46) for bet in (1, 2, 3)},
    }
    left = [card for card in oracle.deck_of() if card not in (*hole, *across, *down)]
    sums = oracle.position_sums(rules, oracle.ranker(rules), hole, (across, down), left)
    third = advise(
        game(), hole=" ".join(hole), across=" ".join(across), down=" ".join(down), bets={"across": x, "down": y}
    )
    so_far = sums.antes + x * sums.across + y * sums.down
    assert third.actions == {
        "fold": -(2 + x + y),
        **{f"{bet}x": Fraction(so_far + bet * sums.middle, 46) for bet in (1, 2, 3)},
    }


def test_advice_does_not_depend_on_which_suits_are_which() -> None:
    position = ("As 9s", "Ks 4d", "2s 7s")
    answers: set[tuple[tuple[str, Fraction], ...]] = set()
    for suits in permutations(SUITS):
        renamed = str.maketrans(dict(zip(SUITS, suits, strict=True)))
        hole, across, down = (text.translate(renamed) for text in position)
        bets = {"across": Fraction(1), "down": Fraction(3, 2)}
        answers.add(tuple(advise(game(), hole=hole, across=across, down=down, bets=bets).actions.items()))
        answers.add(tuple(advise(game(), hole=hole).actions.items()))
    assert len(answers) == 2


def test_a_bet_between_two_multiples_is_worth_what_lies_between_or_less() -> None:
    """The value is convex in each bet, so that the best bet is the smallest or the largest."""
    for hole in ("As Ks", "7c 2d", "9h 9s", "Jd 6c"):
        actions = advise(game(), hole=hole).actions
        assert 2 * actions["2x"] <= actions["1x"] + actions["3x"]


# --- refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"hole": "As As"}, "hole: card given more than once: 'As'"),
        ({"hole": "As Ks", "across": "As 2d", "bets": {"across": 1}}, "across: card given more than once: 'As'"),
        ({"hole": "As"}, "hole: wrong number of cards: 1 (allowed: 2)"),
        ({"across": "As Kd", "bets": {"across": 1}}, "hole: missing; a player sees these cards first"),
        ({"hole": "As Kd", "middle": "2c"}, "middle: no decision is left once the middle card is seen"),
        ({"hole": "As Kd", "top": "2c"}, "top: this game has no such cards (allowed: hole, across, down)"),
        ({"hole": "As Kd", "across": "2c 3d"}, "bets.across: the bet before these cards is missing"),
        ({"hole": "As Kd", "across": "2c 3d", "bets": {"across": 4}}, "bets.across: no such bet: '4' (allowed: 1 … 3"),
        ({"hole": "As Kd", "bets": {"across": 1}}, "bets.across: this bet comes after these cards"),
        ({"hole": "As Kd", "bets": {"left": 1}}, "bets: no such bet: 'left' (allowed: across, down, middle)"),
        ({"hole": "As Kd", "pay": {"bets.flash": 7}}, "bets.flash: no such pay line"),
    ],
)
def test_impossible_positions_are_refused(asked: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput) as refused:
        advise(game(), **asked)  # type: ignore[arg-type]
    assert str(refused.value).startswith(told)


def test_odds_whose_sums_could_overflow_are_refused() -> None:
    with pytest.raises(BadInput, match="odds too large"):
        solve(game(), pay={"bets.royal_flush": "999999999 to 1"})


def test_an_invalid_known_card_is_refused() -> None:
    with pytest.raises(BadInput, match=r"no such known card: 'hole' \(allowed: middle, across, down\)"):
        solve(game(), known="hole")


# --- ties, and imports ----------------------------------------------------------------------------------------------


def test_of_equal_choices_the_one_that_stakes_more_is_taken() -> None:
    chosen, values = best({0: -5, 1: np.array([-5, -5, 2]), 3: np.array([-5, -7, 2])}, 3)
    assert chosen.tolist() == [3, 1, 3]
    assert values.tolist() == [-5, -5, 2]


def test_importing_the_analysis_imports_no_kernel() -> None:
    code = "import sys, crossfelt.analysis; sys.exit(bool({'numba', 'numpy'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
