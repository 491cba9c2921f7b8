"""The whole house added up: the money of every account, table and meter, counted from the events of their streams.

Money comes from deposits, from the house's bank (trays and meters) and from outside players: bots, and the players of
physical tables. It lies in accounts, on the tables and in meters. The two sums are equal, chips that leave an account
arrive at a table, and a table pays no award that a meter has not granted. The heads of all streams are read at one
moment, so that a running server can be added up too.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.money import dollars
from crossfelt.progressive.meter import MICROS
from crossfelt.proof.recount import Recount
from crossfelt.server.core.bots import bot_style
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.journal.stream import JOURNAL_STREAM
from crossfelt.server.store.interface import Stored
from crossfelt.server.store.reader import Reader

PAGE: Final = 2000
Data = Mapping[str, Any]
EventCount = Callable[[str, Data], None]
"""Counts an event, given with the id of its command."""


class HouseReport(msgspec.Struct, kw_only=True):
    """The sources and the places of all money, in millionths of a cent, and what does not agree."""

    sources: dict[str, int] = msgspec.field(default_factory=dict)
    places: dict[str, int] = msgspec.field(default_factory=dict)
    accounts: int = 0
    tables: int = 0
    meters: int = 0
    awards: int = 0
    findings: list[str] = msgspec.field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not self.findings


class _Line(msgspec.Struct):
    """The part of a row that all streams share."""

    command: dict[str, Any]
    events: list[dict[str, Any]]


_LINE: Final = msgspec.json.Decoder(_Line)


class House:
    """Adds up streams, each from its first row to its last; the journal comes first."""

    def __init__(self) -> None:
        self.report = HouseReport()
        self._physical: set[str] = set()
        self._tables: list[_TableCount] = []
        self._deposits = self._withdrawals = self._balances = 0
        self._outside = self._house_in_trays = 0
        self._chips = self._layout = self._trays = 0
        self._house_in_meters = self._pools = 0
        self._moves: Counter[tuple[str, str, int, int]] = Counter()
        """Chips that came to seats, less money that accounts gave, by table, command, seat and cents."""
        self._granted: dict[tuple[str, str, int], Data] = {}
        """The shares of each award in the meters, by table, meter and claim."""
        self._entered: dict[tuple[str, str, int], Data] = {}
        """The same in the tables."""
        self._owed = 0
        """Cents that meters have granted and tables have not paid yet."""

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
                self._tables.append(_TableCount(name, outside=name in self._physical))
                return self._tables[-1].see
            case "meter":
                self.report.meters += 1
                return self._meter(name.rpartition("/")[2])
            case _:
                return None

    # --- streams ------------------------------------------------------------------------------------------------------

    def _journal(self, _: str, event: Data) -> None:
        if event["event"] == "table_created" and not msgspec.convert(event["settings"], TableSettings).uses_accounts:
            self._physical.add(event["table"])

    def _account(self, command: str, event: Data) -> None:
        cents, kind = event.get("cents", 0), event["event"]
        if kind == "corrected":
            cents = event["after_cents"] - event["before_cents"]
        if kind in ("taken_to_table", "brought_back"):
            moved = cents if kind == "taken_to_table" else -cents
            self._balances -= moved
            self._moves[event["table"], command.partition(":")[2], event["seat"], moved] -= 1
        elif kind == "withdrawn" or cents < 0:
            self._withdrawals += abs(cents)
            self._balances -= abs(cents)
        else:
            self._deposits += cents
            self._balances += cents

    def _add_table(self, table: _TableCount) -> None:
        """Add the sums of a table that was read to its end."""
        books = table.books
        self._moves.update(table.moves)
        self._outside += table.brought
        money = books.money
        self._house_in_trays += money.opened + money.fills - money.closed - money.credits
        self._chips += sum(books.chips.values())
        self._layout += sum(books.layout.values()) + books.bank + books.house_stake
        self._trays += books.tray
        self._entered |= table.entered
        granted = sum(cents for event in table.entered.values() for _, cents in event["shares"])
        self._owed += granted - money.jackpots
        for (number, wager, seat), cents in table.paid.items():
            if cents > table.shares[number, wager, seat]:
                self._find(
                    f"table {table.name}, round {number:,}, seat {seat}: {dollars(cents)} was paid from a meter that "
                    f"granted {dollars(table.shares[number, wager, seat])}"
                )

    def _meter(self, meter: str) -> EventCount:
        def count(_: str, event: Data) -> None:
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
                    self._pools -= sum(cents for _, cents in event["shares"]) * MICROS
            self._house_in_meters += put
            self._pools += put

        return count

    # --- the sum ------------------------------------------------------------------------------------------------------

    def conclude(self) -> HouseReport:
        """Compare what accounts, tables and meters say of one another, and the two sums."""
        for table in self._tables:
            self._add_table(table)
        for (name, command, seat, cents), times in sorted(self._moves.items()):
            if cents and times > 0:
                how = "came to the table from no account" if cents > 0 else "left the table for no account"
            elif cents and times < 0:
                how = "left an account and did not arrive" if cents > 0 else "came to an account from no table"
            else:
                continue
            self._find(f"table {name}, seat {seat}, command {command}: {dollars(abs(cents))} {how}")
        for key in sorted(self._granted.keys() | self._entered.keys()):
            granted, entered = self._granted.get(key), self._entered.get(key)
            if granted is None or entered is None or granted["shares"] != entered["shares"]:
                said = "the meter did not grant it" if granted is None else "the meter granted another amount"
                said = "the table has no such award" if entered is None else said
                self._find(f"table {key[0]}, meter {key[1]}, award claim {key[2]:,}: {said}")
        report = self.report
        report.tables = len(self._tables)
        report.sources = {
            "deposits": self._deposits * MICROS,
            "withdrawals": -self._withdrawals * MICROS,
            "bots and players of physical tables": self._outside * MICROS,
            "the house's bank, in trays": self._house_in_trays * MICROS,
            "the house's bank, in meters": self._house_in_meters,
        }
        report.places = {
            "balances of accounts": self._balances * MICROS,
            "chips at seats": self._chips * MICROS,
            "wagers on layouts": self._layout * MICROS,
            "trays": self._trays * MICROS,
            "meters": self._pools,
            "awards granted, not paid yet": self._owed * MICROS,
        }
        difference = sum(report.places.values()) - sum(report.sources.values())
        if difference:
            self._find(f"the house holds {exact_dollars(difference)} that came from nowhere")
        return report

    def _find(self, what: str) -> None:
        self.report.findings.append(what)


class _TableCount:
    """The money of one table, the chips that came and went, and its awards."""

    def __init__(self, name: str, *, outside: bool) -> None:
        self.name = name
        self.books = Recount()
        self.moves: Counter[tuple[str, str, int, int]] = Counter()
        self.brought = 0
        """Chips of bots and of players at a physical table, less what they took away."""
        self.entered: dict[tuple[str, str, int], Data] = {}
        self.shares: Counter[tuple[int, str, int]] = Counter()
        self.paid: Counter[tuple[int, str, int]] = Counter()
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
                self.entered[self.name, event["meter"], event["claim"]] = event
                self.shares.update({(self._round, event["wager"], seat): cents for seat, cents in event["shares"]})
            case "wager_settled" | "award_paid":
                self._pay(event, 1)
            case "settlement_reversed":
                self._pay(event["settled"], -1)
        self.books.see(event)

    def _move(self, command: str, seat: int, cents: int) -> None:
        if self._outside or bot_style(self._players[seat]) is not None:
            self.brought += cents
        else:
            self.moves[self.name, command, seat, cents] += 1

    def _pay(self, event: Data, sign: int) -> None:
        if event.get("source") == "meter":
            cents = event.get("paid", event.get("cents", 0)) - event.get("from_inventory", 0)
            self.paid[self._round, event["wager"], event["seat"]] += sign * cents


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
        line = _LINE.decode(bounded(stored.body))
        for event in line.events:
            count(line.command["id"], event)


def exact_dollars(micros: int) -> str:
    """Return millionths of a cent as dollars, exactly.

    >>> exact_dollars(10_000_00 * MICROS), exact_dollars(-350_000)
    ('$10,000.00', '-$0.0035')
    """
    whole, rest = divmod(abs(micros), 100 * MICROS)
    digits = f"{rest:08d}".rstrip("0").ljust(2, "0")
    return f"{'-' if micros < 0 else ''}${whole:,}.{digits}"
