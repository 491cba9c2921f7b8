"""`crossfelt dispute`: reconstruct one round of an exported history, on one page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from crossfelt.cli.commands.verify import signed_heads
from crossfelt.cli.options import AsJson, Force, PublicKey, SignedHeads, argument, option
from crossfelt.cli.output import data, data_as_json, message, require_sound, require_writable, write
from crossfelt.errors import BadInput
from crossfelt.play.text import signed
from crossfelt.proof.dispute import Case, read_case
from crossfelt.reports.dispute_page import dispute_report


def dispute(
    log: Annotated[Path, argument("LOG", "History of the table, a file of JSON lines.")],
    number: Annotated[int, typer.Option("--round", metavar="N", help="Number of the disputed round.", min=1)],
    seat: Annotated[int | None, option("S", "Disputing seat; shows the arithmetic of its payments.", min=1)] = None,
    out: Annotated[Path | None, option("FILE", "Write a page to print, as .html.")] = None,
    key: PublicKey = None,
    head: SignedHeads = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Reconstruct a disputed round from a history.

    Shows each event with its clause, the arithmetic of each payment, the cards visible at each decision, a second
    settlement, and whether the record is intact. The page fits one A4 sheet; the same files give the same bytes.

    Exits with 1 if the record is broken, if the second settlement differs, or if no given head covers the round.
    """
    if out is not None:
        if out.suffix.lower() != ".html":
            raise BadInput.at(str(out), "report.format", "unknown file type", out.suffix, ".html")
        require_writable(out, force=force)
    heads, public = signed_heads(key, head)
    case = read_case(log, number, seat, heads, public)
    if out is not None:
        write(out, dispute_report(case), force=force)
        message(f"{out}: written")
    if as_json:
        data_as_json(case)
    elif out is None:
        data(lines_of(case))
    unsigned = public is not None and case.rows.signed is None
    require_sound(not (case.rows.finding or case.verdict.complaints or unsigned))


def lines_of(case: Case) -> Iterator[str]:
    id_, rows = case.identity, case.rows
    yield f"{id_.table}, round {id_.round}: {id_.outcome}; {id_.title}, game {id_.game_hash[:16]}"
    for payment in case.payments:
        if case.seat in (None, payment.seat):
            basis = ", ".join((*payment.clauses, *payment.readings)) or payment.house_rule
            yield f"seat {payment.seat}  {payment.title}: {' '.join(payment.arithmetic)} [{basis}]"
    yield "nets       " + ", ".join(f"seat {seat} {signed(cents)}" for seat, cents in case.nets.items())
    yield f"2nd check  {case.verdict.words}"
    yield from (f"  {complaint}" for complaint in case.verdict.complaints)
    yield f"rows       {rows.first} to {rows.last}, {rows.finding or 'intact'}"
    by = f"by head {rows.signed.head}, which covers row {rows.signed.row}" if rows.signed else rows.unsigned
    yield f"signed     {by}"
