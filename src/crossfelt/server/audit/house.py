"""The whole house added up: the money of every account, table and meter, counted from the events of their streams.

Money comes from deposits, from the house's bank (trays and meters) and from outside players: bots, and the players of
physical tables. It lies in accounts, on the tables and in meters. The two sums are equal, chips that leave an account
arrive at a table, and a table pays no award that a meter has not granted. The heads of all streams are read at one
moment, so that a running server can be added up too.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from crossfelt.money import dollars
from crossfelt.progressive.meter import MICROS
from crossfelt.proof.history import read_plain_row
from crossfelt.proof.recount import Recount
from crossfelt.server.core.bots import bot_style
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.journal.stream import JOURNAL_STREAM
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.reader import Reader

PAGE: Final = 2000
SOURCES: Final = (
    *("deposits", "withdrawals", "bots and players of physical tables"),
    *("the house's bank, in trays", "the house's bank, in meters"),
)
DEPOSITS, WITHDRAWALS, OUTSIDE, BANK_IN_TRAYS, BANK_IN_METERS = SOURCES
PLACES: Final = (
    *("balances of accounts", "chips at seats", "wagers on layouts", "trays", "meters"),
    "awards granted, not paid yet",
)
BALANCES, CHIPS, LAYOUTS, TRAYS, METERS, OWED = PLACES
Data = Mapping[str, Any]
EventCount = Callable[[str, Data], None]
"""Counts an event, given with the id of its command."""


class HouseReport(msgspec.Struct, kw_only=True):
    """The sources and the places of all money, in millionths of a cent, and what does not agree."""

    sources: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(SOURCES, 0))
    places: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(PLACES, 0))
    accounts: int = 0
    tables: int = 0
    meters: int = 0
    awards: int = 0
    findings: list[str] = msgspec.field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.findings

    def add(self, source: str, place: str, cents: int) -> None:
        """Count money that came from a source and lies at a place; from no source, or at none, if one is empty."""
        for side, name in ((self.sources, source), (self.places, place)):
            if name:
                side[name] += cents * MICROS


class House:
    """Adds up streams, each from its first row to its last; the journal comes first."""

    def __init__(self) -> None:
        self.report = HouseReport()
        self._physical: set[str] = set()
        self._tables: list[_TableCount] = []
        self.moves: Counter[tuple[str, str, int, int]] = Counter()
        """Chips that came to seats, less money that accounts gave, by table, command, seat and cents."""
        self._granted: dict[tuple[str, str, int], Data] = {}
        """The shares of each award in the meters, by table, meter and claim."""
        self.entered: dict[tuple[str, str, int], Data] = {}
        """The same in the tables."""

    def counter(self, stream: str) -> EventCount | None:
        """Return what counts the events of a stream; None for a stream without money."""
        kind, _, name = stream.partition("/")
        match kind:
            case "journal":
                return self._journal
            case "account":
                self.report.accounts += 1
                return self._account
            case "table":
                self.report.tables += 1
                self._tables.append(_TableCount(self, name, outside=name in self._physical))
                return self._tables[-1].see
            case "meter":
                self.report.meters += 1
                return partial(self._meter, name.rpartition("/")[2])
            case _:
                return None

    # --- streams ------------------------------------------------------------------------------------------------------

    def _journal(self, _: str, event: Data) -> None:
        if event["event"] == "table_created" and not msgspec.convert(event["settings"], TableSettings).uses_accounts:
            self._physical.add(event["table"])

    def _account(self, command: str, event: Data) -> None:
        match event["event"]:
            case "taken_to_table" | "brought_back" as kind:
                moved = event["cents"] if kind == "taken_to_table" else -event["cents"]
                self.report.add("", BALANCES, -moved)
                self.moves[event["table"], command.partition(":")[2], event["seat"], moved] -= 1
            case "corrected":
                cents = event["after_cents"] - event["before_cents"]
                self.report.add(DEPOSITS if cents > 0 else WITHDRAWALS, BALANCES, cents)
            case "withdrawn":
                self.report.add(WITHDRAWALS, BALANCES, -event["cents"])
            case _:
                self.report.add(DEPOSITS, BALANCES, event.get("cents", 0))

    def _meter(self, meter: str, _: str, event: Data) -> None:
        put = event.get("seeded_micros", 0) + event.get("covered_micros", 0)
        match event["event"]:
            case "meter_opened":
                put += event["initial_cents"] * MICROS
            case "contributed" | "meter_corrected":
                put += event["micros"]
            case "contribution_reversed" | "meter_retired":
                put -= event["micros"]
            case "award_granted":
                self.report.awards += 1
                self._granted[event["table"].partition("/")[0], meter, event["claim"]] = event
                self.report.add("", METERS, -sum(cents for _, cents in event["shares"]))
        self.report.sources[BANK_IN_METERS] += put
        self.report.places[METERS] += put

    # --- the sum ------------------------------------------------------------------------------------------------------

    def conclude(self) -> HouseReport:
        """Compare what accounts, tables and meters say of one another, and the two sums."""
        report, find = self.report, self.report.findings.append
        for table in self._tables:
            report.findings += table.conclude(report)
        for (name, command, seat, cents), times in sorted(self.moves.items()):
            if cents and times:
                how = _ASTRAY[times > 0, cents > 0]
                find(f"table {name}, seat {seat}, command {command}: {dollars(abs(cents))} {how}")
        for key in sorted(self._granted.keys() | self.entered.keys()):
            granted, entered = self._granted.get(key), self.entered.get(key)
            if granted is None or entered is None or granted["shares"] != entered["shares"]:
                said = "the meter did not grant it" if granted is None else "the meter granted another amount"
                said = "the table has no such award" if entered is None else said
                find(f"table {key[0]}, meter {key[1]}, award claim {key[2]:,}: {said}")
        if difference := sum(report.places.values()) - sum(report.sources.values()):
            find(f"the house holds {exact_dollars(difference)} that came from nowhere")
        return report


_ASTRAY: Final = {
    (True, True): "came to the table from no account",
    (True, False): "left the table for no account",
    (False, True): "left an account and did not arrive",
    (False, False): "came to an account from no table",
}
"""Chips that only a table knows of, or only an account; and those that go to the table, or away from it."""


class _TableCount:
    """The money of one table, and its awards."""

    def __init__(self, house: House, name: str, *, outside: bool) -> None:
        self._house = house
        self._name = name
        self._books = Recount()
        self._shares: Counter[tuple[int, str, int]] = Counter()
        self._paid: Counter[tuple[int, str, int]] = Counter()
        self._outside = outside
        self._players: dict[int, str] = {}
        self._round = 0

    def see(self, command: str, event: Data) -> None:
        match event["event"]:
            case "round_opened":
                self._round = event["round"]
            case "seat_taken":
                self._players[event["seat"]] = event["player"]
                self._move(command, event["seat"], event["chips_cents"])
            case "chips_bought":
                self._move(command, event["seat"], event["cents"])
            case "seat_left":
                self._move(command, event["seat"], -event["chips_cents"])
            case "award_granted":
                self._house.entered[self._name, event["meter"], event["claim"]] = event
                self._house.report.add("", OWED, sum(cents for _, cents in event["shares"]))
                self._shares.update({(self._round, event["wager"], seat): cents for seat, cents in event["shares"]})
            case "wager_settled" | "award_paid":
                self._pay(event, 1)
            case "settlement_reversed":
                self._pay(event["settled"], -1)
        self._books.see(event)

    def _move(self, command: str, seat: int, cents: int) -> None:
        """Count chips that come to a seat. Those of bots and of players at a physical table come from no account."""
        if self._outside or bot_style(self._players[seat]) is not None:
            self._house.report.add(OUTSIDE, "", cents)
        else:
            self._house.moves[self._name, command, seat, cents] += 1

    def _pay(self, event: Data, sign: int) -> None:
        if event.get("source") == "meter":
            cents = event.get("paid", event.get("cents", 0)) - event.get("from_inventory", 0)
            self._paid[self._round, event["wager"], event["seat"]] += sign * cents

    def conclude(self, report: HouseReport) -> Iterator[str]:
        """Add the sums of the table, and yield each award that was paid above its grant."""
        books, money = self._books, self._books.money
        report.add(BANK_IN_TRAYS, "", money.opened + money.fills - money.closed - money.credits)
        report.add("", CHIPS, sum(books.chips.values()))
        report.add("", LAYOUTS, sum(books.layout.values()) + books.bank + books.house_stake)
        report.add("", TRAYS, books.tray)
        report.add("", OWED, -money.jackpots)
        for (number, wager, seat), cents in self._paid.items():
            if cents > (granted := self._shares[number, wager, seat]):
                paid = f"{dollars(cents)} was paid from a meter that granted {dollars(granted)}"
                yield f"table {self._name}, round {number:,}, seat {seat}: {paid}"


async def add_up(store: Reader) -> HouseReport:
    """Add up the whole house as it stands at one moment."""
    house = House()
    heads = {head.stream: head.seq for head in await store.streams()}
    for stream in sorted(heads, key=lambda name: (name != JOURNAL_STREAM, name)):
        count = house.counter(stream)
        if count is None:
            continue
        after = 0
        while after < heads[stream] and (page := await store.rows(stream, after, min(PAGE, heads[stream] - after))):
            try:
                await asyncio.to_thread(_count, page, count)
            except (msgspec.MsgspecError, LookupError, ValueError) as error:
                house.report.findings.append(f"{stream} cannot be added up: {type(error).__name__}")
                break
            after = page[-1].seq
    return house.conclude()


def _count(page: Sequence[Stored], count: EventCount) -> None:
    for stored in page:
        row = read_plain_row(stored.body)
        for event in row.events:
            count(row.command["id"], event)


def exact_dollars(micros: int) -> str:
    """Return millionths of a cent as dollars, exactly.

    >>> exact_dollars(10_000_00 * MICROS), exact_dollars(-350_000)
    ('$10,000.00', '-$0.0035')
    """
    whole, rest = divmod(abs(micros), 100 * MICROS)
    digits = f"{rest:08d}".rstrip("0").ljust(2, "0")
    return f"{'-' if micros < 0 else ''}${whole:,}.{digits}"
