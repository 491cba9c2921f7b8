"""The proof of every event and refusal of the golden playthroughs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import pytest
from msgspec.structs import replace

from crossfelt.errors import Problem
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner
from crossfelt.proof.event_proof import EventProof, RuleProof, prove_event, prove_rules, settle_again
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.game import Game, compile_game
from crossfelt.rulebooks.render.flatten import flatten
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.engine import Refused, run
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState, new_table
from playthroughs.credits import credit_files
from playthroughs.scenarios import RULEBOOKS, irregular_rounds, scenarios
from playthroughs.spins import spin_files
from soak_length import one_of_each_game

MONEY_EVENTS = 60
"""Fewest payments in the playthroughs of a rulebook."""


def rounds_of(rulebook: str) -> Iterator[PlayedRound]:
    runner = ScriptRunner()
    for name, script in scenarios(rulebook):
        yield runner.play(script, where=name)
    for _, rounds in (*spin_files(rulebook), *credit_files(rulebook)):
        for name, script in rounds:
            yield runner.play(script, where=name)
    for *_, played in irregular_rounds(rulebook, runner):
        yield played


def proofs_of(played: PlayedRound) -> Iterator[tuple[e.Event, EventProof]]:
    """Yield each event of a round with its proof."""
    events, game, step = played.events, played.table.game, ""
    opened = next(place for place, event in enumerate(events) if isinstance(event, e.RoundOpened))
    players = {event.seat: event.player for event in events if isinstance(event, e.SeatTaken)}
    again = settle_again(game, players, events[opened:])
    assert again is not None
    for event, resettled in zip(events[opened:], again, strict=True):
        step = event.step if isinstance(event, e.StepEntered) else step
        yield event, prove_event(event, game, resettled, step=step)


@cache
def paths_of(game: Game) -> set[str]:
    """Return the paths of a rulebook's data, of the lines of its pay tables, and of the slices of its wheels."""
    paths = {item.key for item in flatten(game.book)}
    paths |= {f"paytable.{table.name}.lines.{line.name}" for table in game.book.paytables for line in table.lines}
    paths |= {f"wheel.{wheel.name}.slices.{at}" for wheel in game.book.wheels for at in range(len(wheel.slices))}
    return paths


def require_rules(proof: RuleProof, paths: set[str]) -> None:
    """Require that the lines exist, and that every clause is stated and has a test of the software's behaviour."""
    assert {line.path for line in proof.lines} <= paths
    assert all(line.title and line.says and line.text for line in proof.lines)
    for clause in proof.clauses:
        assert clause.says
        assert clause.citation
        assert clause.tests or clause.id in law.readings(), clause.id


@pytest.mark.exhaustive
@pytest.mark.parametrize("rulebook", one_of_each_game())
def test_every_payment_is_proved_to_the_cent(rulebook: str) -> None:
    payments = 0
    for played in rounds_of(rulebook):
        paths = paths_of(played.table.game)
        for event, proof in proofs_of(played):
            require_rules(proof, paths)
            assert proof.says
            if proof.payment is None:
                continue
            payments += 1
            assert proof.lines, event
            assert proof.clauses or proof.house_rule, event
            assert not any("not the same" in step for step in proof.payment.steps), event
            assert proof.second is not None
            assert proof.second.equal, (event, proof.second)
            figures = (proof.payment.returned, proof.payment.paid, proof.payment.commission)
            assert (proof.second.returned, proof.second.paid, proof.second.commission) == figures, event
    assert payments >= MONEY_EVENTS


def test_a_wrong_payment_has_no_proof() -> None:
    (_, script), *_ = scenarios("nj-criss-cross")
    played = ScriptRunner().play(script, where="round")
    events = list(played.events)
    place = next(at for at, it in enumerate(events) if isinstance(it, e.WagerSettled) and it.result == "win")
    settled = events[place]
    assert isinstance(settled, e.WagerSettled)
    events[place] = replace(settled, paid=settled.paid + 1)
    players = {event.seat: event.player for event in events if isinstance(event, e.SeatTaken)}
    again = settle_again(played.table.game, players, events)
    assert again is not None
    proof = prove_event(events[place], played.table.game, again[place])
    assert proof.second is not None
    assert not proof.second.equal
    assert proof.second.paid == settled.paid
    assert proof.payment is not None
    assert any("not the same" in step for step in proof.payment.steps)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_pay_line_is_printed_as_in_the_rulebook(rulebook: str) -> None:
    """Every line that the playthroughs reach stands in the file, as it is shown."""
    file = resources.files("crossfelt.rulebooks").joinpath("books", f"{rulebook}.toml").read_text("utf-8")
    shown: set[str] = set()
    for name, script in scenarios(rulebook):
        played = ScriptRunner().play(script, where=name)
        if played.table.game.stated:
            continue
        for event, proof in proofs_of(played):
            if isinstance(event, e.WagerSettled) and event.line:
                shown |= {line.text for line in proof.lines if ".lines." in line.path}
    assert shown
    for text in shown:
        assert text in file
        assert tomllib.loads(f"line = {text}")["line"]


def test_changed_odds_are_shown_beside_the_printed_ones() -> None:
    game = compile_game("nj-double-cross", {"pays": {"raise": {"flush": "9 to 1"}}})
    settled = e.WagerSettled(
        by="dealer", at=0, seat=1, wager="raise", stake=1000, result="win", returned=1000, paid=9000,
        hand="flush", line="flush", odds="9 to 1",
    )  # fmt: skip
    line = prove_event(settled, game).lines[0]
    assert line.path == "paytable.raise.lines.flush"
    assert '"9 to 1"' in line.in_force
    assert line.in_force != line.text
    assert "9 to 1" in line.says


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_refusals_name_their_rule(rulebook: str) -> None:
    """A player tries to bet one cent, to fold, to change the wagers and to leave, at every step of a round."""
    (name, script), *_ = scenarios(rulebook)
    played = ScriptRunner().play(script, where=name)
    game, paths = played.table.game, paths_of(played.table.game)
    table, steps = new_table(game), set()
    refused: set[str] = set()
    for event in played.events:
        table = evolve(table, event)
        if table.step in steps:
            continue
        steps.add(table.step)
        for problem in _refusals(table):
            if problem.clauses or problem.readings:
                refused.add(problem.code)
                proof = prove_rules((*problem.clauses, *problem.readings), game, problem.house_rule)
                require_rules(proof, paths)
                assert proof.lines, problem
    assert refused


def _refusals(table: TableState) -> Iterator[Problem]:
    seat = next((seat for seat in table.seats if seat.player), None)
    if seat is None:
        return
    own: dict[str, Any] = {"id": "x", "who": seat.player, "role": "player", "at": 0, "seat": seat.number}
    required = next(wager.id for wager in table.game.wagers if wager.required)
    last = table.game.wagers[-1].id
    tried = (
        c.PlaceWagers(**own, wagers={required: 1}),
        c.PlaceWagers(**own, wagers={last: 100}),
        c.Bet(**own, cents=1),
        c.Fold(**own),
        c.LeaveSeat(**own),
    )
    for command in tried:
        answer = run(table, command)
        if isinstance(answer, Refused):
            yield answer.problem


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_step_of_the_dealer_names_its_own_line_of_the_script(rulebook: str) -> None:
    (name, script), *_ = scenarios(rulebook)
    step = ""
    for event, proof in proofs_of(ScriptRunner().play(script, where=name)):
        step = event.step if isinstance(event, e.StepEntered) else step
        if isinstance(event, e.StepEntered | e.CardsDealt | e.CommunityCardsRevealed | e.CardsDiscarded):
            assert proof.lines[0].path == f"script.{step}"
