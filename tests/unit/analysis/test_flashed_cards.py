"""Players who share their hands: the value with other cards known, against the solver and a plain enumeration."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from crossfelt.analysis import solve
from crossfelt.analysis.flashed_cards import SharedRounds, hidden_cards, require_hole_carding, share_hands
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.cards.card import Card
from crossfelt.errors import BadInput
from crossfelt.hands.starting_hands import STARTING_HANDS
from crossfelt.rulebooks.game import Game, compile_game

ROOT = Path(__file__).parents[3]
BOOKS = ROOT / "tests" / "data" / "rulebooks"


@pytest.fixture(scope="module")
def game() -> Game:
    return compile_game("md-criss-cross")


def test_a_player_without_other_cards_has_the_solvers_value(game: Game) -> None:
    rounds, values = SharedRounds(game, 1), solve(game).values_by_starting_hand()
    for hand in STARTING_HANDS[::40]:
        assert rounds.value(hand.cards, hand.cards) == values[hand.name].best
        assert rounds.value_alone(hand.cards, hand.cards) == pytest.approx(float(values[hand.name].best), abs=0.6)


def test_the_same_hand_in_other_suits_is_worth_the_same(game: Game) -> None:
    rounds, values = SharedRounds(game, 3), set[Fraction]()
    for suit in range(4):
        hand = [Card(44 + suit), Card(32 + suit)]
        values.add(rounds.value(hand, [*hand, Card(48 + suit), Card(40 + (suit + 1) % 4), Card(suit), Card(20 + suit)]))
    assert len(values) == 1


def test_shared_hands_are_estimated_from_their_seed(game: Game) -> None:
    one, same, other = (share_hands(game, players=2, rounds=2, seed=seed) for seed in ("1", "1", "2"))
    assert one == same != other
    with pytest.raises(BadInput, match="no such number of players: 7"):
        share_hands(game, players=7, rounds=2)
    assert share_hands(compile_game("nj-double-cross"), players=2, rounds=2) is None


def test_a_flashed_card_is_one_that_the_seat_does_not_see_before_it_decides() -> None:
    casino = compile_game(str(BOOKS / "casino-holdem.toml"))
    ultimate = compile_game(str(ROOT / "examples" / "rulebooks" / "ultimate-texas-holdem.toml"))
    for game, wanted in ((casino, {"board_4", "dealer.hole_1"}), (ultimate, {"board_1", "board_4", "dealer.hole_1"})):
        assert {RoundPlan(game, known=place).known for place in hidden_cards(game)} == wanted
    assert hidden_cards(casino) == ("board", "dealer")
    with pytest.raises(BadInput, match=r"no such hidden card: 'board_1' \(allowed: board_4, board_5, dealer.hole_1"):
        RoundPlan(casino, known="board_1")
    # The flop is open: another card of it shows the seat nothing new, and the turn shows a whole card.
    assert [len(moment.places) for moment in RoundPlan(casino, known=hidden_cards(casino)[0]).moments] == [6, 3]


def test_without_decisions_a_flashed_card_is_worth_nothing() -> None:
    war = compile_game(str(BOOKS / "three-card-war.toml"))
    assert hidden_cards(war) == ()
    with pytest.raises(BadInput, match="the value of a seen card is not computed"):
        require_hole_carding(war)
