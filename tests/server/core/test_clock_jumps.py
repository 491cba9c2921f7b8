"""The machine's clock is set while people play: no clock runs out or stops, nothing expires early, or is paid twice."""

from __future__ import annotations

import asyncio
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from pathlib import Path

import httpx
import pytest

from crossfelt.client import Client, TableClient
from crossfelt.server.accounts.accounts import Accounts
from crossfelt.server.accounts.sessions import LASTS_MS
from crossfelt.server.broadcast.hub import Subscriber
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.journal.stream import Journal
from crossfelt.server.runtime.clock import SLEW, SteadyClock, steady_ns
from crossfelt.server.runtime.shifts import Shifts
from crossfelt.server.store.factory import open_store
from crossfelt.table import commands as c
from limits import WAIT_SECONDS
from server.core.test_restart_clocks import due, give, until
from server.served import Served, pit_of, serving

HOUR = 3_600_000
SECOND = 1_000
JUMPS = {"an hour forward": HOUR, "an hour back": -HOUR, "a day back": -24 * HOUR}
SLOWEST, FASTEST = 1 - 1 / SLEW, 1 + 1 / SLEW
"""The bounds of the speed of the server's clock after a jump, as docs/operations.md states them."""
each_jump = pytest.mark.parametrize("jump", JUMPS.values(), ids=JUMPS)


class Machine:
    """A machine whose clock a test sets, and on which it lets time pass."""

    def __init__(self) -> None:
        self.set_by = 0
        """The milliseconds by which its clock was set forward."""
        self.passed = 0
        self._stopped: int | None = None

    def stop(self) -> None:
        """Let time pass only as the test says."""
        self._stopped = steady_ns()

    def steady_ns(self) -> int:
        return (self._stopped or steady_ns()) + self.passed * 1_000_000

    def wall_ns(self) -> int:
        return self.steady_ns() + (400_000 * HOUR + self.set_by) * 1_000_000

    def clock(self) -> SteadyClock:
        return SteadyClock(self.wall_ns, self.steady_ns)


def test_threads_that_read_the_clock_at_once_do_not_set_it_back() -> None:
    clock, before, back = SteadyClock(), sys.getswitchinterval(), list[int]()

    def read() -> None:
        last = clock()
        for _ in range(30_000):
            last, earlier = clock(), last
            back.extend([earlier - last] * (last < earlier))

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as threads:
            for _ in range(3):
                threads.submit(read)
    finally:
        sys.setswitchinterval(before)
    assert back == []


@each_jump
def test_a_decision_has_its_time_and_no_more(jump: int, tmp_path: Path) -> None:
    async def story() -> None:
        machine = Machine()
        async with pit_of(tmp_path, "Ann", now=machine.clock()) as pit:
            actor = await pit.create(TableSettings(id="one", rulebook="nj-criss-cross", pace="regulated"), who="test")
            actor.join(Subscriber("Ann", "player"))
            await give(actor, "Ann", "take_seat", seat=1, chips_cents=500_00)
            await until(actor, "open_bets")
            wagers = {"ante_across": 500, "ante_down": 500}
            await give(actor, "Ann", "place_wagers", seat=1, wagers=wagers, ready=True)
            await until(actor, "decide_across")
            machine.stop()
            deadline = actor.scheduler.deadline(actor.table, actor.state.schedule, actor.now())
            assert deadline is not None
            left = deadline - actor.now()
            machine.set_by = jump
            assert due(actor) is None
            machine.passed = int(left / FASTEST) - 1
            assert due(actor) is None
            machine.passed = int(left / SLOWEST) + 1
            assert isinstance(due(actor), c.TimeOut)

    asyncio.run(story())


@each_jump
def test_a_session_has_its_time_and_no_more(jump: int, tmp_path: Path) -> None:
    async def story() -> None:
        machine, store = Machine(), open_store(tmp_path)
        machine.stop()
        accounts = Accounts(store, Journal(store), clock=machine.clock())
        token = (await accounts.guest("Ann")).token
        machine.set_by = jump
        for machine.passed in (0, HOUR, int(LASTS_MS / FASTEST) - SECOND):
            assert await accounts.identify(token) is not None
        machine.passed = int(LASTS_MS / SLOWEST) + SECOND
        assert await accounts.identify(token) is None
        await store.close()

    asyncio.run(story())


@each_jump
def test_each_gaming_day_begins_once(jump: int) -> None:
    machine, shifts, days = Machine(), Shifts(), []
    machine.stop()
    clock = machine.clock()
    for hour in range(96):
        machine.passed, machine.set_by = hour * HOUR, jump if hour >= 24 else 0
        days.append(shifts.day_of(clock()))
    assert days == sorted(days)
    assert sorted(set(days)) == [days[0] + timedelta(days=number) for number in range(len(set(days)))]
    assert 4 <= len(set(days)) <= 5


def test_play_goes_on_and_nothing_is_paid_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The embedded store and the signed heads take the machine's own time, and leases end by it."""
    machine, wall = Machine(), time.time
    monkeypatch.setattr(time, "time", lambda: wall() + machine.set_by / 1000)
    monkeypatch.setattr("crossfelt.server.server.SteadyClock", partial(SteadyClock, machine.wall_ns))
    monkeypatch.setattr("crossfelt.server.core.scheduler.SEED_SECONDS", 1)

    async def deposit(client: Client) -> int:
        """Send the same deposit; return the balance."""
        headers = {"Authorization": f"Bearer {client.token}", "Idempotency-Key": "once"}
        async with httpx.AsyncClient(trust_env=False) as sender:
            await sender.post(f"{client.address}/api/me/deposits", json={"cents": 100}, headers=headers)
        return int((await client.get("/api/me"))["balance_cents"])

    async def round_without_seed(table: TableClient, jump: int) -> None:
        """Set the clock while the deal waits for a seed, which never comes; then fold."""
        await table.until(lambda it: it.view["step"] == "open_bets" and it.option("place_wagers"), WAIT_SECONDS)
        number = table.view["round"]
        monkeypatch.setattr(table, "_reveal_seeds", lambda: None)
        placed = await table.give("place_wagers", seat=1, wagers={"ante_across": 500, "ante_down": 500})
        assert placed.accepted
        await table.ready()
        machine.set_by = jump
        while table.view["round"] == number:
            await table.until(lambda it: it.view["round"] != number or it.option("fold"), WAIT_SECONDS)
            if table.view["round"] == number:
                await table.give("fold", seat=1)

    async def story(served: Served, guest: Client, money: int) -> None:
        name = await guest.open_table("nj-criss-cross", pace="instant")
        async with guest.table(name) as table:
            sit = {"seat": 1, "chips_cents": 500_00}
            seated = await table.give("take_seat", command_id="sit", **sit)
            for jump in JUMPS.values():
                began, since = time.monotonic(), served.server.now()
                await round_without_seed(table, jump)
                assert served.server.now() - since <= FASTEST * SECOND * (time.monotonic() - began) + 1
                assert await table.give("take_seat", command_id="sit", **sit) == seated
                assert await deposit(guest) == money - 500_00
                await served.server.pit._renew_leases()
                await served.server._signer.sign()
            assert [event["at"] for event in table.events] == sorted(event["at"] for event in table.events)
        assert (await served.server.check_everything()).sound
        assert served.faults == 0

    async def whole() -> None:
        async with serving(tmp_path) as served:
            guest = await served.guest("Ann")
            money = await deposit(guest)
            await story(served, guest, money)
            last = served.server.now()
        machine.set_by = -HOUR
        async with serving(tmp_path) as served:
            assert served.server.now() >= last
            guest.address = served.address
            assert await deposit(guest) == money - 500_00

    asyncio.run(whole())
