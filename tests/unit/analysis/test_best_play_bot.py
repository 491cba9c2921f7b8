"""The best-play bot follows the solver's advice on the cards that its player sees."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from crossfelt.analysis import advise
from crossfelt.analysis.best_play_bot import BestPlayBot, best_play, position_of, ways_to_decide
from crossfelt.analysis.solution import OPTIMAL
from crossfelt.analysis.solver.courses import Courses
from crossfelt.analysis.solver.round_plan import RoundPlan
from crossfelt.analysis.strategies.named import strategy_named
from crossfelt.analysis.strategies.seen import Seen
from crossfelt.cards import format_cards, parse_cards
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.bots import bets
from crossfelt.play.player_view import HANDS, PlayerView, player_view_of
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.table.act import Move, Option
from crossfelt.table.commands import Bet, Choose, Command, Fold, SetHand
from crossfelt.table.state import TableState
from crossfelt.table.views import Viewer, view

ANTE = 1000
EXAMPLES = Path(__file__).parents[3] / "examples" / "rulebooks"
BOT = "bot"
SEVEN = "9s 8d 7c 5h 4s 3d 2c"
"""A hand whose best setting nearly always loses."""


def played(game: Game, rounds: int, seed: int, way: str = OPTIMAL) -> Iterator[tuple[TableState, Command]]:
    """Yield the table before each command of the bot with its cards in hand."""
    session = TableSession(game, ShuffledSource(repeatable_seed(seed)), at=TickingClock())
    session.open()
    session.sit(1, BOT, 1_000_00, bets(ANTE // 100) + ways_to_decide(game)[way](b""))
    for happened in session.play(rounds):
        if isinstance(happened.command, Bet | Fold | Choose | SetHand):
            yield happened.before, happened.command


def seen_by_player(table: TableState) -> tuple[str, dict[str, str]]:
    """Return the player's own cards and the face-up cards, by place."""
    shown = view(table, Viewer("player", BOT))
    return " ".join(shown.seats[0].cards), {place: card for place, card in shown.layout.items() if card != "??"}


@pytest.mark.parametrize("book", ["nj-criss-cross", "ma-criss-cross", "md-criss-cross"])
def test_in_criss_cross_the_bot_bets_what_the_solver_advises(book: str) -> None:
    game, decided = compile_game(book), []
    for table, command in played(game, rounds=40, seed=7):
        hole, face_up = seen_by_player(table)
        names = {"across": ("across_left", "across_right"), "down": ("down_far", "down_near")}
        cards: dict[str, Any] = {
            name: " ".join(face_up[place] for place in places) for name, places in names.items() if places[0] in face_up
        }
        made = {name: Fraction(table.seat(1).wagers[name], ANTE) for name in cards}
        advice = advise(game, hole=hole, bets=made, **cards)
        assert advice.best == ("fold" if isinstance(command, Fold) else f"{getattr(command, 'cents', 0) // ANTE}x")
        decided.append((advice.decision, advice.best))
    assert {decision for decision, _ in decided} == {"across", "down", "middle"}
    assert {best for _, best in decided} == {"fold", "1x", "3x"}


def test_in_pai_gow_the_bot_sets_the_hand_that_is_worth_most() -> None:
    game = compile_game("nj-pai-gow")
    commands = list(played(game, rounds=4, seed=7))
    assert len(commands) == 4
    for table, command in commands:
        assert isinstance(command, SetHand)
        cards, _ = seen_by_player(table)
        assert set(command.low) == set(parse_cards(advise(game, cards=cards).best, joker=True))


def holding_nothing(game: Game, *commands: str) -> PlayerView:
    options: dict[str, Any] = {name: (Option(command=name, seat=1),) for name in commands}
    cards = parse_cards(SEVEN)
    return PlayerView(
        game=game, seat=1, round=1, step="set", asked=HANDS, hole=cards, face_up={}, placed={}, options=options
    )


def test_a_hopeless_hand_is_surrendered_where_half_comes_back() -> None:
    printed, half = (
        compile_game("nj-pai-gow", stated) for stated in ({}, {"settings": {"surrender_refund_per_mille": 500}})
    )
    low = parse_cards(advise(printed, cards=SEVEN).best)
    setting = Move("set_hand", {"seat": 1, "low": low})
    assert BestPlayBot().move(holding_nothing(printed, "set_hand", "surrender")) == setting
    assert BestPlayBot().move(holding_nothing(half, "set_hand", "surrender")) == Move("surrender", {"seat": 1})
    assert BestPlayBot().move(holding_nothing(half, "set_hand")) == setting


KEEP = """[[script]]
step = "decide"
id = "keep"
with = ["three_card"]
actions = [{ withdraw = "three_card" }, { check = true }]

"""


def test_a_side_bet_that_was_taken_back_is_no_part_of_the_position(tmp_path: Path) -> None:
    file, first = tmp_path / "stud.toml", '[[script]]\nstep = "decide"'
    file.write_text((EXAMPLES / "mississippi-stud.toml").read_text().replace(first, KEEP + first, 1))
    sight = PlayerView(
        game=compile_game(str(file)),
        seat=1,
        round=1,
        step="third",
        asked="third",
        hole=parse_cards("As Kd"),
        face_up={},
        placed={"ante": ANTE},
        options={},
        choices={"three_card": "withdraw"},
    )
    assert position_of(sight) == {"hole": "As Kd", "bets": {}}
    assert position_of(msgspec.structs.replace(sight, step="keep", asked="three_card")) is None


def test_unsolved_decisions_follow_the_careful_player() -> None:
    offered = Option(command="decline_bank", seat=1)
    sight = PlayerView(
        game=compile_game("nj-pai-gow"),
        seat=1,
        round=1,
        step="offer",
        asked="bank",
        hole=(),
        face_up={},
        placed={},
        options={"decline_bank": (offered,)},
    )
    assert BestPlayBot().move(sight) is None
    assert best_play(sight.game).move(sight) == Move("decline_bank", {"seat": 1})


def test_simple_is_the_card_of_that_name_at_a_table_as_in_a_simulation() -> None:
    game = compile_game(str(EXAMPLES / "mississippi-stud.toml"))
    courses = Courses(RoundPlan(game))
    card, decided = strategy_named(game, "simple").play, []
    for table, command in played(game, rounds=40, seed=3, way="simple"):
        hole, face_up = seen_by_player(table)
        decided.append("fold" if isinstance(command, Fold) else f"{Fraction(getattr(command, 'cents', 0), ANTE)}x")
        if not face_up:
            cards = zip(courses.plan.own, parse_cards(hole), strict=True)
            places = {place: np.array([held], dtype=np.uint8) for place, held in cards}
            seen = Seen.at(courses, courses.decisions[0], courses.first, places)
            assert decided[-1] == seen.options[int(card(seen)[0])], hole
    assert {"fold", "1x", "3x"} <= {*decided}
    assert "simple" not in ways_to_decide(compile_game("nj-pai-gow"))


def test_in_double_cross_the_bot_raises_where_the_solver_advises() -> None:
    game = compile_game("nj-double-cross")
    decided = set()
    for table, command in played(game, rounds=12, seed=7):
        hole, face_up = seen_by_player(table)
        advice = advise(game, hole=hole, down_far=face_up["down_far"], across_right=face_up["across_right"])
        choice = "fold" if isinstance(command, Fold) else getattr(command, "choice", "")
        assert advice.best == choice, format_cards(table.seat(1).cards)
        decided.add(choice)
    assert len(decided) > 1


@pytest.mark.parametrize("book", ["mississippi-stud", "three-card-poker", "let-it-ride", "caribbean-stud"])
def test_in_any_game_the_bot_does_what_the_solver_advises(book: str) -> None:
    game, done = compile_game(str(EXAMPLES / f"{book}.toml")), set()
    for table, command in played(game, rounds=15, seed=7):
        position = position_of(player_view_of(table, 1))
        assert position is not None
        cards, face_up = seen_by_player(table)
        assert next(iter(position.values())) == cards
        assert {place: position[place] for place in face_up} == face_up
        best = advise(game, **position).best
        made = getattr(command, "choice", "fold" if isinstance(command, Fold) else "")
        assert best == (made or f"{getattr(command, 'cents', 0) // ANTE}x")
        done.add(best)
    assert len(done) > 1


def test_a_game_without_a_solution_has_no_best_play() -> None:
    book = Path(__file__).parents[2] / "data" / "rulebooks" / "two-dealers.toml"
    with pytest.raises(BadInput, match="no exact solution: the dealer has several hands"):
        best_play(compile_game(str(book)))
