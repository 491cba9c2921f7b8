"""Games against a dealer's hand: published figures, and every dealer's hand in chosen positions."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from crossfelt.analysis.solver import boards
from crossfelt.analysis.solver.advise import advise
from crossfelt.analysis.solver.one_hand import require_reach
from crossfelt.analysis.solver.payoffs import Payoffs
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.solver.side_bets import side_bets_of
from crossfelt.analysis.solver.solve import ExactSolution, solve
from crossfelt.analysis.strategies.cards import lines_of
from crossfelt.analysis.strategies.named import strategies_of
from crossfelt.errors import BadInput
from crossfelt.kernels import array_cache
from crossfelt.kernels.solver.card_sets import card_sets, set_kinds
from crossfelt.kernels.solver.position_list import sets_beside
from crossfelt.rulebooks.game import Game, compile_game
from oracles import five_card, showdown, streets, three_card, two_card_board
from oracles.showdown import Key

EXAMPLES = Path(__file__).parents[4] / "examples" / "rulebooks"
BOOKS = Path(__file__).parents[3] / "data" / "rulebooks"


@cache
def game(book: str) -> Game:
    return compile_game(str(EXAMPLES / f"{book}.toml"))


def figures(solution: ExactSolution) -> tuple[float, float, float]:
    """The house edge per ante and per unit wagered in percent, and the standard deviation."""
    edge = solution.house_edge
    return float(100 * edge.per_ante), float(100 * edge.per_total_wagered), solution.standard_deviation


# --- the dealer's own cards ---


def test_three_card_poker_returns_what_is_published() -> None:
    solution = solve(game("three-card-poker"))
    assert figures(solution) == pytest.approx((3.37, 2.01, 1.64), abs=0.005)
    assert round(float(100 * solution.side_bets["pair_plus"].house_edge), 2) == 7.28
    assert solution.unsolved_bets == {}
    assert sum(wager.ev for wager in solution.by_wager().values()) == solution.ev


QUEEN_HIGH = three_card.key_of(["Qc", "3d", "2h"])


def three_card_net(mine: Key, dealers: Key) -> int:
    bonus = {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1}
    category = three_card.LOW_TO_HIGH[mine[0]]
    won = 1 if dealers < QUEEN_HIGH else 2 * ((mine > dealers) - (mine < dealers))
    return won + bonus.get(category, 0)


@pytest.mark.parametrize("hole", ["Qs 6d 4c", "Qs 6d 3c", "Ah Kh Qh", "7c 7d 2h"])
def test_a_play_is_worth_the_average_over_all_dealers_hands(hole: str) -> None:
    advice = advise(game("three-card-poker"), cards={"hole": hole})
    assert advice.actions["1x"] == showdown.expected(hole.split(), [], 3, three_card.key_of, three_card_net)
    assert advice.actions["fold"] == -1


def test_the_strategy_plays_every_hand_from_queen_six_four() -> None:
    solution = solve(game("three-card-poker"))
    hands = list(map(three_card.key_of, map(_cards, card_sets(3).tolist())))
    least = three_card.key_of(["Qc", "6d", "4h"])
    played = Fraction(sum(key >= least for key in hands), len(hands))
    assert solution.decisions["play"]["1x"] == played


def _cards(numbers: list[int]) -> list[str]:
    return [streets.DECK[number] for number in numbers]


def test_caribbean_stud_returns_what_is_published() -> None:
    solution = solve(game("caribbean-stud"))
    assert figures(solution) == pytest.approx((5.224, 2.555, 2.24), abs=0.005)
    other = solve(game("caribbean-stud"), pay={"raise.flush": 6})
    flushes = sum(o.count for o in solution.by_wager()["raise"].outcomes if o.line == "flush")
    assert other.ev - solution.ev >= Fraction(2 * flushes, solution.distribution.deals)


ACE_KING = five_card.key_of(["Ac", "Kd", "4h", "3s", "2c"])


def caribbean_net(mine: Key, dealers: Key) -> int:
    pays = [1, 1, 2, 3, 4, 5, 7, 20, 50, 100]
    if dealers < ACE_KING:
        return 1
    return 0 if mine == dealers else 1 + 2 * pays[mine[0]] if mine > dealers else -3


def test_a_raise_is_worth_the_average_over_all_dealers_hands() -> None:
    hole, shown = "As Kd Qc 8h 3s", "8d"
    advice = advise(game("caribbean-stud"), cards={"hole": hole, "dealer": shown})
    worth = showdown.expected(hole.split(), [shown], 4, five_card.key_of, caribbean_net)
    assert advice.actions == {"fold": Fraction(-1), "2x": worth}


@pytest.mark.soak
def test_four_card_poker_returns_what_is_published() -> None:
    assert figures(solve(game("four-card-poker"))) == pytest.approx((2.79, 1.30, 2.71), abs=0.005)


def test_a_ceiling_by_the_players_hand_bounds_the_bet() -> None:
    crazy = compile_game(str(Path(__file__).with_name("crazy_four.toml")))
    # Crazy 4 Poker as published: 3.42 % of the ante, element of risk 1.09 %.
    assert figures(solve(crazy))[:2] == pytest.approx((3.42, 1.09), abs=0.005)
    assert list(advise(crazy, cards={"hole": "As Ad 9c 5h 3s"}).actions) == ["fold", "1x", "2x", "3x"]
    assert list(advise(crazy, cards={"hole": "Ks Kd 9c 5h 3s"}).actions) == ["fold", "1x"]


@pytest.mark.soak
def test_high_card_flush_is_the_sum_over_all_deals() -> None:
    """A published strategy by the suits of the other cards loses 2.6855 %; `test_suits` has the independent count."""
    solution = solve(compile_game(str(BOOKS / "high-card-flush.toml")))
    assert solution.ev == Fraction(-1348050875653, 50592437455560)


def test_the_longest_flush_is_compared_with_every_dealers_hand() -> None:
    flush = compile_game(str(BOOKS / "high-card-flush.toml"))
    advice = advise(flush, cards={"hole": "Ts 8s 6s 4d 5d 7h 2c"})
    assert advice.actions == {"fold": Fraction(-1), "1x": Fraction(-933557, 872685)}
    assert list(advise(flush, cards={"hole": "As Ks Qs Js 9s 5d 7h"}).actions) == ["fold", "1x", "2x"]


LONG_RUNS = """
[[order]]
id = "runs"
cards = 7
categories = ["four_card_straight_flush", "three_card_straight_flush"HIGH]
[[hand]]
id = "run"
of = ["hole"]
order = "runs"
[[wager]]
id = "run"
needs = ["ante"]
stake = { posted = "run" }
settle = [{ pay = "run", on = "run" }]
[[paytable]]
id = "run"
order = "runs"
lines = [{ hand = "three_card_straight_flush", odds = "7 to 1" }]
in_order = false
"""


def test_a_side_bet_on_runs_in_one_suit_is_counted_or_refused_with_the_category(tmp_path: Path) -> None:
    book = (BOOKS / "high-card-flush.toml").read_text().replace('"flush_bonus"]', '"flush_bonus", "run"]')
    sides = []
    for high in ("", ', "high_card"'):
        file = tmp_path / "flush.toml"
        file.write_text(book + LONG_RUNS.replace("HIGH", high))
        plan = RoundPlan(compile_game(str(file)))
        sides.append(side_bets_of(plan, Payoffs(plan)))
    # Seven cards with a run of three and none of four: as published, 8,642,932 of 133,784,560.
    assert [outcome.count for outcome in sides[0].solved["run"].outcomes if outcome.line] == [8_642_932]
    assert sides[1].unsolved["run"] == "the order runs ranks hands by high_card beside the cards of one suit"


def test_a_side_bet_that_may_be_taken_back_has_no_figure_of_its_own(tmp_path: Path) -> None:
    more = '[[script]]\nstep = "decide"\nid = "keep"\nwith = ["three_card"]\n'
    more += 'actions = [{ withdraw = "three_card" }, { check = true }]\n'
    file, first = tmp_path / "stud.toml", '[[script]]\nstep = "decide"'
    file.write_text((EXAMPLES / "mississippi-stud.toml").read_text().replace(first, more + first, 1))
    plan = RoundPlan(compile_game(str(file)))
    assert side_bets_of(plan, Payoffs(plan)).unsolved == {"three_card": "a decision may take it back"}


def test_sets_of_cards_are_counted_up_to_suits() -> None:
    assert [len(set_kinds(size).ways) for size in (1, 2, 3)] == [13, 169, 1755]
    sets, ways = sets_beside((0,), 3)
    assert int(ways.sum()) == 20825
    assert not (sets == 0).any()
    assert np.array_equal(card_sets(3)[-1], [49, 50, 51])


# --- a shared board ---


def holdem_net(stake: int, mine: Key, dealers: Key) -> int:
    """Twice the net of ante, blind and a play bet, so that 3 to 2 is whole."""
    blind = {
        "royal_flush": 1000,
        "straight_flush": 100,
        "four_of_a_kind": 20,
        "full_house": 6,
        "flush": 3,
        "straight": 2,
    }
    if mine == dealers:
        return 0
    ante = 0 if dealers[0] == 0 else 2
    if mine > dealers:
        return ante + 2 * stake + blind.get(five_card.LOW_TO_HIGH[mine[0]], 0)
    return -ante - 2 * stake - 2


@pytest.mark.parametrize(
    ("hole", "board"), [("Ks 2d", "3c 7d 8h Qs Ad"), ("9s 8s", "2s 7d 8h Js Ts"), ("4c 4d", "Ah Kh Qh Jh 9h")]
)
def test_a_bet_on_the_river_is_worth_the_average_over_all_dealers_hands(hole: str, board: str) -> None:
    advice = advise(game("ultimate-texas-holdem"), cards={"hole": hole, "board": board})
    best = partial(showdown.best_of, size=5)
    worth = showdown.expected(hole.split(), [], 2, best, partial(holdem_net, 1), board.split())
    assert advice.actions == {"fold": Fraction(-2), "1x": worth / 2}


def test_decisions_at_every_card_of_a_board_are_the_best_of_every_deal() -> None:
    two_card = compile_game(str(Path(__file__).with_name("two_card_board.toml")))
    solution = solve(two_card)
    assert solution.ev == two_card_board.game_value()
    first = solution.first_decision()["A8s"]
    assert first.actions["4x"] == two_card_board.average((6, 12), (), 4)
    position = {"hole": "As 8d", "board": "8c 2h"}
    advice = advise(two_card, cards=position)
    assert advice.actions["2x"] == two_card_board.average((6, 12), (6, 0), 2)
    assert advice.actions[advice.best] == two_card_board.value((6, 12), (6, 0))
    known = solve(two_card, known="board_2")
    assert known.ev > solution.ev


def test_a_game_with_a_board_is_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_cache, "array_directory", lambda: tmp_path)
    two_card = compile_game(str(Path(__file__).with_name("two_card_board.toml")))
    ends = Mock(side_effect=boards._ends)
    monkeypatch.setattr(boards, "_ends", ends)
    first, again = solve(two_card), solve(two_card)
    assert ends.call_count == 1
    assert (again.distribution, again.decisions) == (first.distribution, first.decisions)
    assert solve(two_card, known="board_2").ev != first.ev
    assert ends.call_count == 2


@pytest.mark.soak
def test_ultimate_texas_holdem_returns_what_is_published() -> None:
    solution = solve(game("ultimate-texas-holdem"))
    assert figures(solution) == pytest.approx((2.185, 0.526, 4.94), abs=0.005)
    assert round(float(100 * solution.side_bets["trips"].house_edge), 2) == 1.90
    assert len(solution.first_decision()) == 169


@pytest.mark.soak
def test_casino_holdem_returns_what_is_published() -> None:
    casino = compile_game(str(BOOKS / "casino-holdem.toml"))
    assert figures(solve(casino)) == pytest.approx((2.16, 0.82, 2.61), abs=0.005)


@pytest.mark.parametrize(
    ("book", "why"),
    [
        ("nj-pai-gow", "the deck has a joker"),
        (str(BOOKS / "good-hands.toml"), "the decision more passes over some hands"),
        (str(BOOKS / "two-dealers.toml"), "the dealer has several hands"),
    ],
)
def test_a_game_out_of_reach_is_refused_with_the_reason(book: str, why: str) -> None:
    with pytest.raises(BadInput, match=f"no exact solution: {why}"):
        require_reach(compile_game(book))


def test_games_without_decisions_are_counted() -> None:
    paid = 48 * 40 + 52 * 30 + 720 * 6 + 1096 * 3 + 3744 - 16440
    assert solve(compile_game(str(BOOKS / "wheel-stud.toml"))).ev == Fraction(paid, 22_100)
    alike: dict[Key, list[set[int]]] = {}
    for cards in card_sets(3).tolist():
        alike.setdefault(three_card.key_of(_cards(cards)), []).append(set(cards))
    ties = sum(mine.isdisjoint(dealers) for hands in alike.values() for mine in hands for dealers in hands)
    # Wins and losses are equally many, and the house wins ties.
    assert solve(compile_game(str(BOOKS / "three-card-war.toml"))).ev == -Fraction(ties, 22_100 * 18_424)


def test_a_game_without_decisions_needs_a_wager(tmp_path: Path) -> None:
    file = tmp_path / "war.toml"
    file.write_text((BOOKS / "three-card-war.toml").read_text().replace("required = true\n", ""))
    with pytest.raises(BadInput, match="the players decide nothing, and no wager or card of their own is needed"):
        require_reach(compile_game(str(file)))


TIE = """[[order]]
id = "one_card"
cards = 1
categories = ["high_card"]
[[wager]]
id = "tie"
needs = ["ante"]
stake = { posted = "tie" }
settle = [{ versus = ["final", "dealer.final"], win = "lose", tie = "10 to 1" }]
"""


def test_a_bet_that_equal_hands_win_is_counted(tmp_path: Path) -> None:
    """Three of the 51 other cards equal the player's."""
    text = (files("crossfelt.analysis.samples") / "dealer.toml").read_text()
    for old, new in {
        "cards = 3": "cards = 1",
        '"three_card"': '"one_card"',
        'wagers = ["ante"]': 'wagers = ["ante", "tie"]',
        'wagers = ["ante", "play"]': 'wagers = ["ante", "play", "tie"]',
        'forfeits = ["ante"]': 'forfeits = ["ante"], keeps = ["tie"]',
        "[[script]]": f"{TIE}[[script]]",
    }.items():
        text = text.replace(old, new, 1)
    (file := tmp_path / "tie.toml").write_text(text)
    bet = solve(compile_game(str(file))).side_bets["tie"]
    assert [(one.line, one.pays, one.count) for one in bet.outcomes] == [("win", "10 to 1", 156), ("", "", 2652 - 156)]
    assert bet.ev == Fraction(10 * 3 - 48, 51)
    assert bet.note == ""
    file.write_text(text.replace('forfeits = ["ante"], keeps = ["tie"]', 'forfeits = ["ante", "tie"]'))
    bet = solve(compile_game(str(file))).side_bets["tie"]
    assert bet.note == "A fold at decide gives it up; the figures are those of players who do not fold there."


def test_a_known_card_of_the_board_is_worth_what_an_open_one_is(tmp_path: Path) -> None:
    """The decision after it is turned up then follows on the same cards."""
    board = Path(__file__).with_name("two_card_board.toml")
    parts = re.split(r"(?m)^(?=\[\[script\]\])", board.read_text())
    opening, deal, before, reveal, *rest = parts[1:]
    opened = tmp_path / "open.toml"
    opened.write_text("".join((parts[0], opening, deal, reveal, before, *rest)))
    known = solve(compile_game(str(board)), known="board_1")
    assert known.ev == solve(compile_game(str(opened))).ev > solve(compile_game(str(board))).ev
    with pytest.raises(BadInput, match="several times when the whole board is open"):
        solve(compile_game(str(board)), known="board_3")


def test_a_bonus_of_a_fixed_amount_is_refused_by_name(tmp_path: Path) -> None:
    """The return depends on the ante, of which the solver knows only multiples."""
    file = tmp_path / "poker.toml"
    text = (EXAMPLES / "three-card-poker.toml").read_text()
    file.write_text(
        text.replace('hand = "straight_flush", odds = "5 to 1" ', 'hand = "straight_flush", amount_cents = 5000 ', 1)
    )
    with pytest.raises(BadInput, match="the wager ante pays a share of a meter or a fixed amount"):
        solve(compile_game(str(file)))


@pytest.mark.parametrize("book", ["wheel-stud", "three-card-war"])
def test_a_game_without_decisions_has_no_strategies(book: str) -> None:
    decided = compile_game(str(BOOKS / f"{book}.toml"))
    assert strategies_of(decided) == ()
    with pytest.raises(BadInput, match="no strategy: the players decide nothing"):
        lines_of(decided)
    with pytest.raises(BadInput, match="no decision follows these cards"):
        advise(decided, cards={"hole": "As Kd 4c"})


OPEN = '[[script]]\nstep = "reveal"\nid = "open"\ncards = ["dealer.hole.1"]\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[[script]]\nstep = "decide"', f'{OPEN}[[script]]\nstep = "decide"'),
        ('"three_card_flush", "two_card_flush"]', '"three_card_flush"]'),
    ],
    ids=["open card", "no category"],
)
def test_an_order_by_suits_needs_hidden_cards_and_a_category_for_every_hand(old: str, new: str, tmp_path: Path) -> None:
    file = tmp_path / "flush.toml"
    file.write_text((BOOKS / "high-card-flush.toml").read_text().replace(old, new))
    with pytest.raises(BadInput, match="no exact solution: the order flushes ranks hands by every suit"):
        require_reach(compile_game(str(file)))


def test_a_position_that_is_no_decision_is_refused() -> None:
    with pytest.raises(BadInput, match="a player sees more cards before the first decision; add 1 card of hole"):
        advise(game("ultimate-texas-holdem"), cards={"hole": "Ks"})
    with pytest.raises(BadInput, match="no such cards"):
        advise(game("ultimate-texas-holdem"), cards={"hole": "Ks Kd", "turn": "2c"})
    with pytest.raises(BadInput, match="card given more than once"):
        advise(game("three-card-poker"), cards={"hole": "Ks Kd 2c", "dealer": "2c"})
