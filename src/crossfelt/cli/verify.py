"""`crossfelt verify`: chain, replay and re-settlement of an exported history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from crossfelt.cli.output import data, data_as_json
from crossfelt.money import dollars
from crossfelt.problems import BadInput, Problem
from crossfelt.proof.chain import ChainReport, read_stream_header, verify_stream
from crossfelt.proof.heads import Head, VerifyingKey, read_heads
from crossfelt.proof.origin import Origin
from crossfelt.proof.verify import Report
from crossfelt.proof.verify import verify as check

EXIT_FAULT = 1


def verify(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A history: a file of JSON lines.")],
    key: Annotated[Path | None, typer.Option(metavar="PUB", help="The public key of the house.")] = None,
    head: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Heads that the house has signed, one a line.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check a history: its chain, every command decided again, the money, and a second settlement.

    Of a stream that is no table's, a meter, an account or the house itself, the chain is checked.

    The file holds the order of every deck: it is for auditors, after the fact. Without a signed head and the key of
    the house a history can be consistent, but nothing shows where it comes from. With them, where they name no line
    of it, that check has failed: a history of another house looks like that, as one that is not signed yet.
    """
    heads, public = signed_heads(key, head)
    origin = Origin(heads, public) if public is not None else None
    header = read_stream_header(log)
    report = check(log, origin) if header is None else verify_stream(log, header, origin)
    if as_json:
        data_as_json(report)
    elif isinstance(report, ChainReport):
        data(stream_lines(report, str(log)))
    else:
        data(lines_of(report, str(log)))
    if report.fault is not None or (origin is not None and origin.found is None):
        raise typer.Exit(EXIT_FAULT)


def signed_heads(key: Path | None, head: Path | None) -> tuple[Sequence[Head], VerifyingKey | None]:
    """What a house has signed, and its key: both, or neither."""
    if key is None and head is None:
        return (), None
    if key is None or head is None:
        missing, there = ("--key", "--head") if key is None else ("--head", "--key")
        raise BadInput(Problem(code="verify.half", where=missing, what=f"is needed with {there}"))
    return read_heads(head), VerifyingKey.read(key)


def lines_of(report: Report, log: str) -> Iterator[str]:
    """The report as a person reads it."""
    yield f"{log}: table {report.table}, {report.rulebook}, game {report.game_hash[:16]}"
    yield f"written by Crossfelt {report.written_by}, checked by {report.checked_by}"
    yield f"commands   {report.commands:,}, decided again{'; the table goes on after them' if report.goes_on else ''}"
    yield f"events     {report.events:,}"
    yield f"rounds     {report.rounds:,}, of which {report.void_rounds:,} void; {_resettled(report)}"
    money = report.money
    yield f"wagers     {dollars(money.staked)} staked, {dollars(money.returned)} returned, {dollars(money.lost)} lost"
    commission = f", {dollars(money.commission)} commission" if money.commission else ""
    limited = f", {dollars(money.limited)} kept back by the payout limit" if money.limited else ""
    yield f"payments   {dollars(money.paid)} paid{commission}{limited}; the house is at {dollars(report.house_net)}"
    yield f"players    {dollars(money.bought)} brought, {dollars(money.cashed)} taken away"
    yield (
        f"inventory  {dollars(money.opened)} opened, {dollars(money.fills)} filled, "
        f"{dollars(money.credits)} credited, {dollars(money.closed)} closed"
    )
    yield f"head       {report.head}"
    if report.signed_at is not None:
        yield f"signed     row {report.signed_row:,}, {_time(report.signed_at)}"
    if report.fault is not None:
        yield f"{log}: {report.fault}"
        if report.fault.recorded:
            yield f"  recorded: {report.fault.recorded}"
        if report.fault.follows:
            yield f"  follows:  {report.fault.follows}"
    yield report.verdict


def stream_lines(report: ChainReport, log: str) -> Iterator[str]:
    """The report on a stream that is no table's."""
    yield f"{log}: {report.stream}"
    yield f"written by Crossfelt {report.written_by}, checked by {report.checked_by}"
    yield f"rows       {report.rows:,}"
    yield f"head       {report.head}"
    if report.signed_at is not None:
        yield f"signed     row {report.signed_row:,}, {_time(report.signed_at)}"
    if report.fault is not None:
        yield f"{log}: {report.fault}"
    yield report.verdict


def _resettled(report: Report) -> str:
    if report.resettled_rounds is None:
        return "not settled again: there is no second settlement of this game"
    return f"{report.resettled_rounds:,} settled again"


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
