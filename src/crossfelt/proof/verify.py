"""Verification of a history: an intact chain, replayed commands, counted money, and a second settlement.

Verification does not prove the origin: a forger can hash a false history as well. The origin needs a head signed by the
server, and the server's public key.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from crossfelt import __version__
from crossfelt.cards.card import enc_hook
from crossfelt.errors import BadInput
from crossfelt.proof.fair_round import DECKS
from crossfelt.proof.hash_chain import encode_checked
from crossfelt.proof.history import BrokenHistory, ChainReader, History, R, StoredRow, Stream, read_history, read_stream
from crossfelt.proof.player_rounds import PlayerRoundsReport, verify_player_rounds
from crossfelt.proof.recount import MoneyTotals, Recount
from crossfelt.proof.resettle import Resettlement
from crossfelt.proof.signed_heads import CONSISTENT, INCONSISTENT, Origin
from crossfelt.rulebooks.extends import base_of
from crossfelt.rulebooks.loader import content_hash, load_shipped, rulebook_ids
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.render.diff import compare
from crossfelt.table.engine import Refused, run
from crossfelt.table.events import RoundClosed
from crossfelt.table.state import TableState, new_table
from crossfelt.tabular import Record, Tabular


class VerificationFault(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first fault of a history."""

    check: str
    """``header``, ``chain``, ``command``, ``event``, ``money``, ``settlement`` or ``head``."""
    line: int
    what: str
    seq: int | None = None
    event: int | None = None
    """The number of the event in the row, from 1."""
    recorded: str = ""
    follows: str = ""

    def __str__(self) -> str:
        place = f"line {self.line}"
        if self.seq is not None:
            place += f", seq {self.seq}"
        if self.event is not None:
            place += f", event {self.event}"
        return f"{place}: {self.what}"


class Departure(msgspec.Struct, frozen=True, kw_only=True):
    """A datum in which a rulebook differs from a shipped one."""

    key: str
    """``paytable.bets.flush``, ``settings.cut_min_cards``."""
    shipped: str
    here: str
    """The two values; empty where one has no such datum."""

    def __str__(self) -> str:
        return f"{self.key}: {self.here or 'nothing'}; shipped: {self.shipped or 'nothing'}"


def shipped_base(book: Rulebook) -> Rulebook | None:
    """Return the shipped rulebook that a rulebook copies or extends: of the same id, extended, or of its document."""
    for name in (book.id, base_of(book)):
        if name in rulebook_ids():
            return load_shipped(name)
    return next((one for one in map(load_shipped, rulebook_ids()) if one.document == book.document), None)


def departures(book: Rulebook, base: Rulebook) -> tuple[Departure, ...]:
    """Return where a rulebook departs from a shipped one."""
    if content_hash(base) == content_hash(book):
        return ()
    return tuple(
        Departure(key=each.key, shipped=each.a.says if each.a else "", here=each.b.says if each.b else "")
        for each in compare(base, book).differences
    )


class VerificationReport(Tabular, msgspec.Struct, kw_only=True):
    """The counts of a history, as far as it was followed, and the verdict."""

    verdict: str = CONSISTENT
    fault: VerificationFault | None = None
    table: str
    rulebook: str
    game_hash: str
    written_by: str
    """The version of Crossfelt that wrote the history, and the one that checked it."""
    checked_by: str = __version__
    head: str = ""
    """The hash of the last line."""
    signed_row: int | None = None
    """The last row that a signed head names; the signature covers it and all rows before it."""
    signed_at: int | None = None
    goes_on: bool = False
    """The history holds only the first rows of a running table."""
    commands: int = 0
    events: int = 0
    rounds: int = 0
    void_rounds: int = 0
    resettled_rounds: int = 0
    unsettled: tuple[str, ...] = ()
    """The figures that the second settlement did not work out, by name."""
    not_shown: tuple[str, ...] = (DECKS,)
    """What no check of a history can show."""
    departures: tuple[Departure, ...] = ()
    """The data in which the rulebook differs from the shipped one that it copies or extends; that is no fault."""
    departs_from: str = ""
    """The id of that shipped rulebook."""
    money: MoneyTotals = msgspec.field(default_factory=MoneyTotals)
    """In cents, as `house_net` is: stakes lost and commission less winnings paid."""
    house_net: int = 0

    def headline(self) -> str:
        return f"{self.table}, {self.rounds:,} rounds: {self.verdict}" + (f", {self.fault}" if self.fault else "")

    def records(self) -> list[Record]:
        counted = {name: getattr(self, name) for name in ("commands", "events", "rounds", "void_rounds")}
        counted |= {"resettled_rounds": self.resettled_rounds, "house_net": self.house_net}
        counted |= {f"money.{name}": cents for name, cents in msgspec.structs.asdict(self.money).items()}
        return [{"count": name, "value": value} for name, value in counted.items()]


class ChainReport(Tabular, msgspec.Struct, kw_only=True):
    """The rows of a stream that is not a table's, as far as its chain was followed, and the verdict."""

    verdict: str = CONSISTENT
    fault: str | None = None
    stream: str
    written_by: str
    checked_by: str = __version__
    head: str = ""
    signed_row: int | None = None
    signed_at: int | None = None
    rows: int = 0

    def headline(self) -> str:
        return f"{self.stream}, {self.rows:,} rows: {self.verdict}" + (f", {self.fault}" if self.fault else "")

    def records(self) -> list[Record]:
        return [{"count": "rows", "value": self.rows}]


class _FaultFound(Exception):
    """Ends the search at the first fault."""

    def __init__(self, fault: VerificationFault) -> None:
        self.fault = fault


def verify_file(path: Path, origin: Origin | None = None) -> VerificationReport | ChainReport | PlayerRoundsReport:
    """Verify a file from its first line to its last: a table's history, a player's rounds, or another stream.

    `origin` also compares it with signed heads. Refuse any other file.
    """
    if (own := verify_player_rounds(path)) is not None:
        return own
    stream = read_stream(path)
    if stream is None:
        return verify(path, origin)
    with stream:
        return _verify_stream(stream, origin)


def verify(path: Path, origin: Origin | None = None) -> VerificationReport:
    """Verify the history of a table; refuse any other file."""
    with read_history(path) as history:
        return verify_history(history, origin)


def _verify_stream(stream: Stream, origin: Origin | None) -> ChainReport:
    report = ChainReport(stream=stream.header.stream, written_by=stream.header.crossfelt)
    try:
        deque(watched(stream, origin), maxlen=0)
    except BrokenHistory as broken:
        report.fault = str(broken)
    report.rows, report.head = stream.rows, stream.head
    if report.fault is None and origin is not None:
        report.verdict, report.fault = origin.verdict(report.rows, report.stream)
        report.signed_row, report.signed_at = origin.signed
    if report.fault is not None:
        report.verdict = INCONSISTENT
    return report


def verify_history(history: History, origin: Origin | None = None) -> VerificationReport:
    """Verify an open history of a table; `origin` also compares it with signed heads."""
    header = history.header
    rulebook = header.game.get("rulebook")
    report = VerificationReport(
        table=header.table,
        rulebook=str(rulebook.get("id", "")) if isinstance(rulebook, dict) else "",
        game_hash=header.game_hash,
        written_by=header.crossfelt,
    )
    try:
        _check(history, report, origin)
    except _FaultFound as found:
        report.fault = found.fault
    except BrokenHistory as broken:
        problem = broken.problems[0]
        report.fault = VerificationFault(
            check="chain", line=broken.line, what=str(msgspec.structs.replace(problem, where=""))
        )
    if report.fault is not None:
        report.verdict = INCONSISTENT
    report.head = history.head
    report.goes_on = history.goes_on
    report.house_net = report.money.house
    return report


def watched(rows: ChainReader[R], origin: Origin | None) -> Iterator[R]:
    """Yield the rows, and compare each that was sound with the signed heads."""
    if origin is not None:
        origin.see(0, rows.head)
    for row in rows:
        yield row
        if origin is not None:
            origin.see(row.seq, row.hash)


def _check(history: History, report: VerificationReport, origin: Origin | None) -> None:
    """Follow a history row by row, with the table, the recount and the second settlement."""
    history.check_header()
    try:
        game = history.header.compile()
    except BadInput as bad:
        raise _FaultFound(VerificationFault(check="header", line=1, what=str(bad.problems[0]))) from None
    if (base := shipped_base(game.book)) is not None:
        report.departs_from, report.departures = base.id, departures(game.book, base)
    table, books, again = new_table(game), Recount(), Resettlement(history.header.game)
    report.money, report.unsettled = books.money, again.unsettled
    for row in watched(history, origin):
        table = _decided(table, row)
        for place, event in enumerate(row.events, start=1):
            plain: dict[str, Any] = msgspec.to_builtins(event, enc_hook=enc_hook)
            books.see(plain)
            if isinstance(event, RoundClosed):
                report.rounds += 1
                report.void_rounds += event.outcome == "void"
            for complaint in again.see(plain):
                raise _fault("settlement", row, complaint, event=place)
            report.resettled_rounds = again.rounds
        for difference in books.differences(table.balances):
            raise _fault("money", row, difference)
        report.commands += 1
        report.events += len(row.events)
    if origin is not None:
        report.verdict, fault = origin.verdict(history.rows, f"table/{report.table}", goes_on=history.goes_on)
        if fault is not None:
            raise _FaultFound(VerificationFault(check="head", line=history.rows + 1, what=fault))
        report.signed_row, report.signed_at = origin.signed


def _decided(table: TableState, row: StoredRow) -> TableState:
    """Return the table after a row whose command gives exactly the recorded events."""
    command = row.command.__struct_config__.tag
    try:
        answer = run(table, row.command)
    except Exception as error:
        # A forged command may bring the table into states it was not made for: that is a fault of the history.
        what = f"the table cannot carry out {command}: {type(error).__name__}: {error}"
        raise _fault("command", row, what) from None
    if isinstance(answer, Refused):
        what = f"{command} is refused: {answer.problem}"
        raise _fault("command", row, what, recorded=encode_checked(row.command).decode())
    pairs = zip_longest(row.events, answer.events)
    for place, (recorded, follows) in enumerate(pairs, start=1):
        if recorded != follows:
            told = {"recorded": recorded, "follows": follows}
            texts = {name: encode_checked(one).decode() if one else "nothing" for name, one in told.items()}
            raise _fault("event", row, f"does not follow from {command}", event=place, **texts)
    return answer.table


def _fault(check: str, row: StoredRow, what: str, **more: Any) -> _FaultFound:
    return _FaultFound(VerificationFault(check=check, line=row.seq + 1, seq=row.seq, what=what, **more))
