"""A plan is a value: it changes neither the state it starts from nor the next plan."""

from __future__ import annotations

from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.rulebooks.game import compile_game
from crossfelt.rulebooks.loader import rulebook_ids
from crossfelt.server.core.bots import BotAdvice, bot_name
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.core.planner import PlannerState, plan
from crossfelt.server.core.rng import CommitRound, TableRng
from crossfelt.server.core.rulebooks import Rulebooks
from crossfelt.server.core.scheduler import Scheduler, SchedulerState
from crossfelt.server.core.settings import TableSettings
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted, run
from crossfelt.table.state import TableState, new_table

NOW = 1_000_000
WAGERS = {"nj-pai-gow": {"main": 10_00}, "nj-double-cross": {"ante": 10_00}}


def scheduler_of(rulebook: str) -> Scheduler:
    settings = TableSettings(id="one", rulebook=rulebook, pace="instant")
    advice = BotAdvice(settings.compile(Rulebooks()), AsyncMock(), lambda: None)
    scheduler = Scheduler(settings, advice)
    scheduler.presence.arrive("Ann")
    return scheduler


def entry(state: PlannerState, command: Command) -> TableEntry:
    answer = run(state.table, command)
    assert isinstance(answer, Accepted), answer
    return TableEntry.of(state.seq + 1, state.table, command, answer.events, answer.table)


def given(
    state: PlannerState, scheduler: Scheduler, kind: type[Command], who: str, role: str, **fields: Any
) -> PlannerState:
    command = kind(id=f"given-{state.seq}", who=who, role=role, at=NOW, **fields)  # type: ignore[arg-type]
    return state.after([entry(state, command)], scheduler)


def seated(rulebook: str, scheduler: Scheduler) -> PlannerState:
    """A table with a person and two bots."""
    state = PlannerState(new_table(compile_game(rulebook)), 0, SchedulerState(), seeded())
    state = given(state, scheduler, c.OpenTable, "floor", "floor", inventory_cents=100_000_00)
    for seat, name in ((1, "Ann"), (2, bot_name("always-1", 2)), (3, bot_name("always-1", 3))):
        state = given(state, scheduler, c.TakeSeat, name, "player", seat=seat, chips_cents=500_00)
    return state


def seeded() -> TableRng:
    """Random outcomes that are the same at every call, so that plans can be compared."""
    return TableRng(entropy=lambda: repeatable_seed(7))


def requested(state: PlannerState) -> list[TableEntry]:
    """Return the command with which Ann advances the table."""
    table = state.table
    wagers = WAGERS.get(table.game.book.id, {"ante_across": 5_00, "ante_down": 5_00})
    common: dict[str, Any] = {"id": f"Ann-{state.seq}", "who": "Ann", "role": "player", "at": NOW, "seat": 1}
    kinds: tuple[type[Command], ...] = (c.DeclineBank, c.Surrender, c.Fold, c.SetHouseWay)
    for command in (c.PlaceWagers(wagers=wagers, **common), *(kind(**common) for kind in kinds)):
        if isinstance(run(table, command), Accepted):
            return [entry(state, command)]
    raise AssertionError(f"Ann can do nothing at {table.step}")


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_plans_from_one_state_are_equal_and_leave_it_unchanged(rulebook: str) -> None:
    """Through a whole round with bots: their purchases and wagers, the seal, and the draws of devices."""
    scheduler = scheduler_of(rulebook)
    state, kinds, seals = seated(rulebook, scheduler), set[type[e.Event]](), list[CommitRound]()
    first: list[TableEntry] = []
    for _ in range(200):
        before = state._replace(rng=replace(state.rng))
        once, again = (plan(state, first, scheduler=scheduler, now=NOW, ready=[1]) for _ in range(2))
        assert once == again
        assert state == before
        state = once.state
        kinds.update(*(row.kinds for row in once.rows))
        seals += [once.seal] if once.seal else []
        if e.RoundClosed in kinds:
            break
        first = requested(state) if once.nothing_due else []
    assert {e.DeckLoaded, e.BetsLocked, e.RoundClosed} <= kinds
    assert state.schedule.autopilot.asked.keys() == {2, 3}
    assert seals


def test_the_state_after_a_plan_is_the_state_after_its_rows() -> None:
    """Adopting a plan and reading its rows give the same state, apart from the seal and the choices of bots."""
    scheduler = scheduler_of("nj-pai-gow")
    state = seated("nj-pai-gow", scheduler)
    while not (planned := plan(state, scheduler=scheduler, now=NOW)).nothing_due:
        read = state.after(planned.rows, scheduler)
        assert (read.table, read.seq) == (planned.state.table, planned.state.seq)
        assert read.schedule == planned.state.schedule._replace(autopilot=read.schedule.autopilot)
        assert planned.seal is not None or read.rng == planned.state.rng
        state = planned.state


def test_a_plan_ends_with_a_loaded_deck_and_its_seal() -> None:
    scheduler = scheduler_of("ma-criss-cross")
    state = seated("ma-criss-cross", scheduler)
    planned = plan(state, scheduler=scheduler, now=NOW)
    assert e.DeckLoaded in planned.rows[-1].kinds
    assert planned.seal is not None
    assert planned.seal.cards == planned.state.table.deck.cards
    assert planned.state.rng.devices.hex() == planned.seal.devices
    assert not planned.nothing_due
    alone = plan(state, planned.rows[:1], scheduler=scheduler, now=NOW, most=1)
    assert (alone.rows, alone.seal, alone.nothing_due) == (planned.rows[:1], None, False)


def test_no_row_follows_once_the_table_closes() -> None:
    scheduler = scheduler_of("ma-criss-cross")
    state = seated("ma-criss-cross", scheduler)
    first = plan(state, scheduler=scheduler, now=NOW).rows[:1]

    def closes(table: TableState) -> bool:
        return table is first[0].after

    planned = plan(state, first, scheduler=scheduler, now=NOW, closes=closes)
    assert (planned.rows, planned.nothing_due) == (first, False)


def test_new_wagers_end_ready_and_a_plan_may_set_it_again() -> None:
    scheduler = scheduler_of("ma-criss-cross")
    state = seated("ma-criss-cross", scheduler)
    while not (planned := plan(state, scheduler=scheduler, now=NOW)).nothing_due:
        state = planned.state
    state = planned.state.with_ready([1], NOW)
    bet = requested(state)
    assert not plan(state, bet, scheduler=scheduler, now=NOW, most=1).state.schedule.ready
    assert plan(state, bet, scheduler=scheduler, now=NOW, most=1, ready=[1]).state.schedule.ready == {1}
    assert state.schedule.ready == {1}
