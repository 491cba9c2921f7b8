"""Criss Cross Poker by the general solver, against plain twins, brute force and published figures."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb

import pytest

from crossfelt.analysis import Solution, advise, solve
from crossfelt.cards import SUITS, Card, format_cards
from crossfelt.errors import BadInput
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.rulebooks.game import Game, compile_game
from oracles import criss_cross_brute as brute
from oracles import criss_cross_value as oracle

BOOKS = ("nj-criss-cross", "ma-criss-cross", "md-criss-cross")
DEALS = comb(52, 2) * comb(50, 2) * comb(48, 2) * 46


@cache
def game(book: str = "nj-criss-cross") -> Game:
    return compile_game(book)


@cache
def solution(book: str = "nj-criss-cross", known: str = "") -> Solution:
    return solve(game(book), known=known)


@pytest.mark.clause("NJC-41", "NJC-42", "NJC-43", "NJC-46", "NJC-50", "NJC-51", "MAC-35", "MDC-36")
@pytest.mark.parametrize("book", BOOKS)
def test_advice_beside_two_cards_is_that_of_the_plain_twin(book: str) -> None:
    """Hole and across cards at random, 51,888 deals each."""
    chance, rules = random.Random(book), oracle.Rules(higher_hand_decides=book.startswith("ma"))
    cards = [Card(card).text for card in chance.sample(range(52), 4)]
    expected = oracle.row_values(rules, oracle.ranker(rules), tuple(cards[:2]), tuple(cards[2:]), oracle.deck_of())
    for x in (1, 3):
        found = advise(game(book), hole=" ".join(cards[:2]), across=" ".join(cards[2:]), bets={"across": x})
        assert {bet: found.actions[f"{bet}x"] for bet in (1, 3)} == {
            bet: Fraction(expected[x, bet], comb(48, 2) * 46) for bet in (1, 3)
        }


@pytest.mark.parametrize("hand", ["AKs", "88", "J4o"])
def test_starting_hands_of_the_full_deck_are_those_of_brute_force(hand: str) -> None:
    one, three = next(map(int, each.cards) for each in STARTING_HANDS if each.name == hand)
    values = brute.hole_values((one, three), dict(oracle.ANTES), dict(oracle.BETS))
    told = solution().values_by_starting_hand()[hand].choices
    assert [told["1x"], told["3x"]] == [Fraction(int(value), DEALS // comb(52, 2)) for value in values]


@pytest.mark.soak
def test_the_whole_game_is_that_of_brute_force() -> None:
    total = 0
    for hand in STARTING_HANDS:
        one, three = map(int, hand.cards)
        values = brute.hole_values((one, three), dict(oracle.ANTES), dict(oracle.BETS))
        total += hand.ways * max(*values, -2 * DEALS // comb(52, 2))
    assert Fraction(total, DEALS) == solution().ev


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("known", ["", "across", "down", "middle"])
def test_tables_of_a_solution_add_up(book: str, known: str) -> None:
    found = solution(book, known)
    # A known card may be counted as one of three alike, or apart from its pair.
    assert found.distribution.deals in (DEALS // 3, DEALS, 2 * DEALS)
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


def test_odds_whose_sums_could_overflow_are_refused() -> None:
    with pytest.raises(BadInput, match="odds too large"):
        solve(game(), pay={"bets.royal_flush": "999999999 to 1"})


def test_importing_the_analysis_imports_no_kernel() -> None:
    code = "import sys, crossfelt.analysis; sys.exit(bool({'numba', 'numpy'} & {*sys.modules}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_advice_equals_the_solution_at_every_starting_hand() -> None:
    values = solution().values_by_starting_hand()
    for hand in STARTING_HANDS[::7]:
        found = advise(game(), hole=format_cards(hand.cards))
        assert {name: found.actions[name] for name in ("fold", "1x", "3x")} == dict(values[hand.name].choices)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"hole": "As As"}, "hole: card given more than once: 'As'"),
        ({"hole": "As Ks", "across": "As 2d", "bets": {"across": 1}}, "across: card given more than once: 'As'"),
        ({"hole": "As"}, "cards: a player sees more cards before the first decision; add 1 card of hole"),
        ({"hole": "As Kd", "top": "2c"}, "top: no such cards (allowed: hole, cross)"),
        ({"hole": "As Kd", "across": "2c 3d"}, "bets: an earlier bet is missing: 'across'"),
        ({"hole": "As Kd", "across": "2c 3d", "bets": {"across": 4}}, "bets.across: no such bet: '4' (allowed: 1 … 3"),
        ({"hole": "As Kd", "bets": {"left": 1}}, "bets: no such bet: 'left' (allowed: "),
        ({"hole": "As Kd", "pay": {"bets.flash": 7}}, "bets.flash: no such pay line"),
    ],
)
def test_impossible_positions_are_refused(asked: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput) as refused:
        advise(game(), **asked)  # type: ignore[arg-type]
    assert str(refused.value).startswith(told)
