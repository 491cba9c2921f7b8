"""A training table: faults happen at a rate, repeatably, and the table handles them by its rulebook."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.errors import BadInput
from crossfelt.play.bots import bot_named
from crossfelt.play.faults import BY_A_PLAYER, FaultGenerator, possible_faults
from crossfelt.play.session import AppliedCommand, TableSession, TickingClock
from crossfelt.play.sources import ShuffledSource
from crossfelt.proof.history import HistoryWriter
from crossfelt.proof.verify import verify
from crossfelt.table import events as e
from crossfelt.table.engine import Accepted, run
from soak_length import one_of_each_game
from unit.table.manual_table import game_of
from unit.table.random_table import Driver

DEVICES: Final[dict[str, Any]] = {"dealing": {"method": "automated_shoe", "shuffler": "counting"}}
APPROVED: Final[dict[str, Any]] = {"approvals": {"automated_shoe": "AS-1"}}
CLOCK: Final[dict[str, Any]] = {"play": {"on_timeout": "floor_decides", "decision_seconds": 1}}
GAMES: Final[dict[str, dict[str, Any]]] = {
    "nj-criss-cross": {**DEVICES, **APPROVED},
    "ma-criss-cross": DEVICES,
    "md-criss-cross": {**DEVICES, **APPROVED},
    "nj-double-cross": {**DEVICES, **APPROVED, **CLOCK},
    "nj-pai-gow": {**DEVICES, **APPROVED, **CLOCK},
}
"""Every device there is, so that every device can fail; where the floor decides, a clock for who does not answer."""


def trained(book: str, seed: int, per_mille: int = 150, **more: Any) -> TableSession:
    faults = FaultGenerator(per_mille, repeatable_seed(seed), more.pop("kinds", ()))
    game = game_of(book, GAMES[book])
    session = TableSession(
        game, ShuffledSource(repeatable_seed(seed)), at=TickingClock(step=1_000), faults=faults, **more
    )
    session.open()
    for seat, style in enumerate(("always-2", "random", "always-1"), start=1):
        assert isinstance(
            session.sit(seat, f"bot {seat}", 1_000_00, bot_named(style, repeatable_seed(seat))), AppliedCommand
        )
    return session


def events_of(session: TableSession, rounds: int) -> list[e.Event]:
    return [event for happened in session.play(rounds) for event in happened.events]


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", one_of_each_game())
def test_over_two_hundred_rounds_everything_goes_wrong_that_can_and_the_history_is_true(
    book: str, tmp_path: Path
) -> None:
    found: Counter[str] = Counter()
    for seed in range(2):
        file = tmp_path / f"{seed}.jsonl"
        with HistoryWriter.create(file, "training", game_of(book, GAMES[book])) as writer:
            session = trained(book, seed, keep=writer.append)
            events = events_of(session, rounds=100)
            list(session.close())
        found.update(event.kind for event in events if isinstance(event, e.IrregularityReported))
        found["stub_count_wrong"] += sum(bool(event.finding) for event in events if isinstance(event, e.StubCounted))
        assert sum(session.table.balances.values()) == 0
        report = verify(file)
        assert (report.fault, report.rounds) == (None, 100)
        assert 0 < report.void_rounds < 100
    assert {kind for kind, times in found.items() if times} == set(session.table.game.book.irregularities)


@pytest.mark.exhaustive
@pytest.mark.parametrize("book", one_of_each_game())
def test_the_same_seed_makes_the_same_things_go_wrong(book: str) -> None:
    first, again, other = (events_of(trained(book, seed), rounds=10) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("book", GAMES)
def test_what_is_possible_is_what_the_table_accepts(book: str) -> None:
    """Every fault that is listed, at every point of some rounds, is carried out."""
    driver = Driver(game_of(book, GAMES[book]), seed=5)
    tried = 0
    driver.play(rounds=1)
    for lived in driver.lived:
        for fault in possible_faults(lived.before, lived.command.at):
            command = fault.command(id="f", who=fault.role, role=fault.role, at=lived.command.at, **fault.fields)
            answer = run(lived.before, command)
            assert isinstance(answer, Accepted), answer
            assert any(isinstance(event, e.IrregularityReported | e.RoundVoided) for event in answer.events)
            tried += 1
    assert tried > 20


def test_only_the_kinds_that_are_asked_for_go_wrong() -> None:
    events = events_of(trained("md-criss-cross", 3, per_mille=300, kinds=("shoe_jam",)), rounds=20)
    assert {event.kind for event in events if isinstance(event, e.IrregularityReported)} == {"shoe_jam"}


@pytest.mark.exhaustive
def test_a_higher_rate_brings_more_faults() -> None:
    def faults(per_mille: int) -> int:
        events = events_of(trained("ma-criss-cross", 4, per_mille), rounds=60)
        return sum(isinstance(event, e.IrregularityReported) for event in events)

    assert faults(10) < faults(60) < faults(300)


def test_nothing_is_made_up_of_what_a_person_at_the_keyboard_does() -> None:
    faults = FaultGenerator(500, repeatable_seed(1))
    driver = Driver(game_of("md-criss-cross", GAMES["md-criss-cross"]), seed=2)
    driver.play(rounds=4)
    for lived in driver.lived:
        command: Any = faults.next_command(lived.before, lived.command.at, people=range(1, 7))
        assert getattr(command, "kind", "") not in BY_A_PLAYER


@pytest.mark.parametrize("per_mille", [0, 501, -3])
def test_a_rate_is_more_than_nothing_and_at_most_every_second_time(per_mille: int) -> None:
    with pytest.raises(BadInput, match="the rate of faults is out of range"):
        FaultGenerator(per_mille, b"")
