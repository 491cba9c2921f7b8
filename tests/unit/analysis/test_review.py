"""A review agrees with the table's money and with the advice; the laboratory with the solver and the rulebook."""

from __future__ import annotations

from typing import Any

import pytest

from crossfelt.analysis import advise, solve
from crossfelt.analysis.laboratory import LaboratoryQuestion, laboratory
from crossfelt.analysis.review import BEST, review
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.money.ledger import chips_of
from crossfelt.play.bots import bets, careful_player
from crossfelt.play.session import TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.loader import load
from crossfelt.table.views import Viewer, project

CHIPS = 10_000_00


def _played(game: Game, rounds: int) -> tuple[list[dict[str, Any]], int]:
    """Return the events of some rounds as seat 1 sees them, and their net result."""
    session = TableSession(game, ShuffledSource(repeatable_seed(3)), at=TickingClock())
    session.open()
    session.sit(1, "Ann", CHIPS, bets(10) + careful_player)
    session.sit(2, "Ben", CHIPS, bets(10) + careful_player)
    seen = Viewer("player", "Ann")
    events = [project(event, seen, happened.before) for happened in session.play(rounds) for event in happened.events]
    return events, session.table.balances[chips_of(1)] - CHIPS


@pytest.mark.parametrize("rulebook", ["nj-criss-cross", "md-criss-cross", "nj-double-cross", "nj-pai-gow"])
def test_a_review_has_the_net_results_and_no_choice_beats_the_best(rulebook: str) -> None:
    game = compile_game(rulebook)
    events, net = _played(game, 8)
    told = review(game, events, 1)
    assert sum(told.nets_cents.values()) == net
    assert sum(told.grades.values()) == len(told.decisions) >= 8
    assert told.lost_cents == sum(decision.cost_cents for decision in told.decisions)
    for decision in told.decisions:
        gap = decision.actions[decision.best] - decision.actions[decision.chosen]
        assert decision.cost == pytest.approx(gap, abs=1e-12)
        assert decision.cost >= 0
        assert (decision.grade == BEST) == (decision.cost == 0)
        assert decision.reason.endswith(".")


def test_a_review_agrees_with_the_advice() -> None:
    game = compile_game("nj-criss-cross")
    first = review(game, _played(game, 1)[0], 1).decisions[0]
    advice = advise(game, hole=first.seen["hole"])
    assert first.best == advice.best
    assert first.actions == {choice: float(value) for choice, value in advice.actions.items()}


def asked(rulebook: str, **changes: Any) -> dict[str, Any]:
    return laboratory(load(rulebook), LaboratoryQuestion(rulebook=rulebook, **changes))


def test_the_laboratory_without_changes_is_the_solver() -> None:
    told = asked("nj-criss-cross")
    assert told["solution"]["ev"]["value"] == float(solve("nj-criss-cross").ev)
    assert told["problems"] == []
    assert told["submission"] == {}


def test_weights_of_a_wheel_are_permitted_and_move_its_edge() -> None:
    printed = asked("nj-criss-cross")
    weights = [1, *([1000] * 11)]
    changed = asked("nj-criss-cross", submission={"wagers": {"bonus_spin": {"weights": weights}}})
    assert changed["problems"] == []
    assert changed["spins"][0]["house_edge"] < printed["spins"][0]["house_edge"]
    assert changed["solution"]["ev"] == printed["solution"]["ev"]


def test_odds_that_may_be_bettered_are_permitted_upwards_only() -> None:
    better, worse = (asked("nj-double-cross", pay={"raise.flush": odds}) for odds in ("7 to 1", "5 to 1"))
    assert better["problems"] == []
    assert [problem["where"] for problem in worse["problems"]] == ["submission: pays.raise.flush"]
    assert better["solution"]["ev"]["value"] > worse["solution"]["ev"]["value"]
