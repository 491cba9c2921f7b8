"""Handle and hold of a table, counted from its rounds, and the theoretical win on the same wagers.

The handle is the sum of the stakes, the hold is the part that the house kept. Awards that a meter paid count as paid.
The theoretical win is the loss of best play on the same stakes, with its standard deviation.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple

import msgspec

from crossfelt.analysis.wager_figures import OWN_STAKE, WHOLE
from crossfelt.games.progressive_wager import MAGIC, lucky_award
from crossfelt.play.round_result import RoundResult, result_of
from crossfelt.progressive.wheels import paying_meter
from crossfelt.proof.history import read_header
from crossfelt.proof.live_tests import Outcomes
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.recovery import TableRows, readable
from crossfelt.server.store.interface import NOTHING, Stored
from crossfelt.server.store.sql_store import Store
from crossfelt.table import events as e

AT_ONCE: Final = 2_000
"""The rows that are read at a time."""
MOST_POINTS: Final = 256
SLOT_MS: Final = 15 * 60 * 1000
STREAMS_KEPT: Final = 64
COMMUNITY: Final = "_community"
BANDS: Final = (2, 3)
"""The half-widths of the bands, in standard deviations."""


class WagerRevenue(msgspec.Struct, kw_only=True):
    """Handle and hold of one wager, in cents. `squares` is the sum of the squared stakes, for the variance."""

    bets: int = 0
    handle: int = 0
    hold: int = 0
    squares: int = 0
    wins: int = 0


class SlotRevenue(msgspec.Struct, kw_only=True):
    """The revenue of a quarter of an hour, in cents: rounds, chips bought, fills and credits, and the wagers."""

    rounds: int = 0
    drop: int = 0
    fills: int = 0
    credits: int = 0
    takings: dict[str, WagerRevenue] = msgspec.field(default_factory=dict)

    def add(self, other: SlotRevenue) -> None:
        _add_numbers(self, other)
        for name, revenue in other.takings.items():
            _add_numbers(self.takings.setdefault(name, WagerRevenue()), revenue)

    @property
    def handle(self) -> int:
        return sum(revenue.handle for name, revenue in self.takings.items() if name != WHOLE)

    @property
    def hold(self) -> int:
        return sum(revenue.hold for name, revenue in self.takings.items() if name != WHOLE)

    @property
    def staked(self) -> dict[str, tuple[int, int]]:
        return {name: (revenue.handle, revenue.squares) for name, revenue in self.takings.items()}


def _add_numbers(to: msgspec.Struct, other: msgspec.Struct) -> None:
    for field in to.__struct_fields__:
        if isinstance(number := getattr(other, field), int):
            setattr(to, field, getattr(to, field) + number)


class Point(NamedTuple):
    """Handle and hold of a table after a number of rounds."""

    round: int
    handle: int
    hold: int
    staked: Mapping[str, tuple[int, int]]
    """The sum of the stakes and of their squares, for each wager and for the base wagers."""


class Theory(NamedTuple):
    """The theoretical win, and its standard deviation."""

    win_cents: float
    deviation_cents: float


class AwardTotals(msgspec.Struct, kw_only=True):
    """The awards of one meter as a table recorded them, in cents."""

    claimed: int = 0
    granted_cents: int = 0
    paid_cents: int = 0


class Count:
    """The revenue of a table, added up round by round."""

    def __init__(self, header: Stored) -> None:
        self.game = read_header(header.body).compile()
        self.seq = header.seq
        self.since = header.at
        self.awards: defaultdict[str, AwardTotals] = defaultdict(AwardTotals)
        self.points: list[Point] = []
        self.outcomes = Outcomes()
        self.slots: dict[int, SlotRevenue] = {}
        """The revenue of each quarter of an hour in which something happened."""
        self._played = SlotRevenue()
        """The rounds and wagers of the whole time."""
        self._reading = TableRows(header.hash)
        self._stride = 1
        self._slot = 0
        """The quarter of an hour of the last event; the earlier ones do not change any more."""
        self._round: list[e.Event] = []

    @property
    def rounds(self) -> int:
        return self._played.rounds

    @property
    def takings(self) -> defaultdict[str, WagerRevenue]:
        return defaultdict(WagerRevenue, self._played.takings)

    def copy(self) -> Count:
        """Return a copy: the original changes in a thread while a request reads the copy."""
        closed = (slot for at, slot in self.slots.items() if at != self._slot)
        unchanging = (self.game, *closed, *self.points, *self._round)
        return deepcopy(self, {id(it): it for it in unchanging})

    def feed(self, rows: Sequence[Stored]) -> None:
        if [stored.seq for stored in rows] != list(range(self.seq + 1, self.seq + 1 + (len(rows) or 1))):
            raise ValueError(f"rows are missing after {self.seq}")
        for stored in rows:
            self.seq = stored.seq
            for event in self._reading.read(stored).events:
                if isinstance(event, e.RoundOpened):
                    self._round.clear()
                self._round.append(event)
                self._count_chips(event)
                self.outcomes.see(event)
                self._add_award(event)
                if isinstance(event, e.RoundClosed) and event.outcome == "settled":
                    self._add(result_of(self.game, self._round), event.round)

    def between(self, since: int, until: int) -> SlotRevenue:
        """Return the revenue of a period that begins and ends with a quarter of an hour."""
        total = SlotRevenue()
        for at, slot in self.slots.items():
            if since <= at * SLOT_MS < until:
                total.add(slot)
        return total

    def _count_chips(self, event: e.Event) -> None:
        """Count chips that were bought, and those that came to the tray or left it."""
        # Clocks of two processes may differ a little: a slot that is closed stays closed.
        self._slot = max(self._slot, event.at // SLOT_MS)
        match event:
            case e.SeatTaken():
                self._now.drop += event.chips_cents
            case e.ChipsBought():
                self._now.drop += event.cents
            case e.InventoryFilled():
                self._now.fills += event.cents
            case e.InventoryCredited():
                self._now.credits += event.cents

    @property
    def _now(self) -> SlotRevenue:
        return self.slots.setdefault(self._slot, SlotRevenue())

    def _add_award(self, event: e.Event, sign: int = 1) -> None:
        match event:
            case e.AwardClaimed():
                self.awards[event.meter].claimed += 1
            case e.AwardGranted():
                self.awards[event.meter].granted_cents += sum(cents for _, cents in event.shares)
            case e.WagerSettled() if event.source:
                meter = paying_meter(self.game, event.wager, event.line)
                self.awards[meter].paid_cents += sign * (event.paid - event.from_inventory)
            case e.AwardPaid() if event.source:
                meter = paying_meter(self.game, event.wager)
                self.awards[meter].paid_cents += sign * (event.cents - event.from_inventory)
            case e.SettlementReversed():
                self._add_award(event.settled, -1)

    def _add(self, of_round: RoundResult, number: int) -> None:
        revenue = self._revenue_of(of_round)
        for total in (self._played, self._now):
            total.add(revenue)
        if self.rounds % self._stride == 0:
            self.points.append(self.point(number))
        if len(self.points) > MOST_POINTS:
            self.points = self.points[1::2]
            self._stride *= 2

    def _revenue_of(self, of_round: RoundResult) -> SlotRevenue:
        banked = any(isinstance(event, e.WagerSettled) and event.bank for event in self._round)
        base = self.game.first_wagers[0].id
        found = SlotRevenue(rounds=1)
        for seat in of_round.seats.values():
            for entry, result in seat.wagers.items():
                wager = wager_of(self.game, entry)
                if banked and wager == base:
                    continue
                revenue = found.takings.setdefault(wager, WagerRevenue())
                revenue.bets += bool(result.stake)
                revenue.handle += result.stake
                revenue.hold -= result.net
                revenue.squares += result.stake**2
                revenue.wins += bool(result.stake) and result.net > 0
        if stakes := [] if banked else base_stakes(self.game, self._round):
            squares = sum(stake**2 for stake in stakes)
            found.takings[WHOLE] = WagerRevenue(bets=len(stakes), handle=sum(stakes), squares=squares)
        return found

    def point(self, number: int) -> Point:
        return Point(number, self._played.handle, self._played.hold, self._played.staked)


def base_stakes(game: Game, events: Iterable[e.Event]) -> list[int]:
    """Return the stake of the base wager of each hand of a round, also where the player took it back later."""
    base, placed = game.first_wagers[0].id, dict[int, int]()
    for event in events:
        if isinstance(event, e.WagersPlaced):
            placed[event.seat] = event.wagers.get(base, 0)
    return [stake for stake in placed.values() if stake]


def wager_of(game: Game, entry: str) -> str:
    """Return the wager that an entry of a result belongs to. Awards that come with a wager are part of its return."""
    if entry.endswith(COMMUNITY):
        return entry.removesuffix(COMMUNITY)
    awards = {bonus.pay: wager.id for wager in game.wagers for bonus in wager.bonus}
    awards |= {lucky_award(game, wager): wager for wager in game.credit_wagers}
    return next(iter(game.credit_wagers), entry) if entry == MAGIC else awards.get(entry, entry)


def theory_of(figure: Mapping[str, Any], staked: Mapping[str, tuple[int, int]]) -> Theory:
    """Return the theoretical win of a wager on its own stakes, or on those of the base wager.

    >>> coin = {"wager": "coin", "base": OWN_STAKE, "mean": -0.02, "standard_deviation": 1.0}
    >>> theory_of(coin, {"coin": (400, 40_000)})
    Theory(win_cents=8.0, deviation_cents=200.0)
    """
    stakes, squares = staked.get(figure["wager"] if figure["base"] == OWN_STAKE else WHOLE, (0, 0))
    return Theory(-figure["mean"] * stakes, figure["standard_deviation"] * math.sqrt(squares))


def whole_theory(figures: Sequence[Mapping[str, Any]], staked: Mapping[str, tuple[int, int]]) -> Theory:
    """Return the theoretical win of a table.

    The wagers of the game depend on each other and count as a whole. The other wagers are added to it.
    """
    parts = [theory_of(figure, staked) for figure in figures if figure["wager"] == WHOLE or figure["base"] == OWN_STAKE]
    return _sum(parts)


def sum_of(theories: Sequence[Theory | None]) -> Theory | None:
    """Return the sum of the theories of independent tables; None if one is unknown."""
    known = [theory for theory in theories if theory is not None]
    return None if len(known) < len(theories) else _sum(known)


def _sum(parts: Sequence[Theory]) -> Theory:
    return Theory(sum(it.win_cents for it in parts), math.sqrt(sum(it.deviation_cents**2 for it in parts)))


class Revenue:
    """Counts the revenue of tables on request. The next request continues from the last row."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counts: OrderedDict[str, Count] = OrderedDict()
        self._counting = asyncio.Lock()

    async def of(self, stream: str) -> Count:
        async with self._counting:
            count = self._counts.pop(stream, None)  # after a failure, rows that were not counted must not be left out
            with readable(stream):
                if count is None:
                    (header,) = await self._store.rows(stream, NOTHING, 1)
                    count = await asyncio.to_thread(Count, header)
                while count.seq < (await self._store.head(stream)).seq:
                    await asyncio.to_thread(count.feed, await self._store.rows(stream, count.seq, AT_ONCE))
            self._counts[stream] = count
            while len(self._counts) > STREAMS_KEPT:
                self._counts.popitem(last=False)
            return count.copy()
