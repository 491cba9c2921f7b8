"""`crossfelt dispute`: one round of an exported history, on one page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from crossfelt.cli.output import data, data_as_json, message
from crossfelt.cli.verify import EXIT_FAULT, signed_heads
from crossfelt.cli.writing import require_writable, write
from crossfelt.problems import BadInput, Problem
from crossfelt.proof.case import Case
from crossfelt.proof.reading_case import read_case
from crossfelt.reports.dispute import dispute_report
from crossfelt.table.telling_words import signed


def dispute(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A history: a file of JSON lines.")],
    number: Annotated[int, typer.Option("--round", metavar="N", help="The round that is disputed.", min=1)],
    seat: Annotated[
        int | None, typer.Option(metavar="S", help="The seat that disputes: its payments with their arithmetic.", min=1)
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="A page to print: .html.")] = None,
    key: Annotated[Path | None, typer.Option(metavar="PUB", help="The public key of the house.")] = None,
    head: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Heads that the house has signed, one a line.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything about the round as one JSON object.")
    ] = False,
) -> None:
    """Open a round of a history again: what happened by which clause, the arithmetic of each payment, what could be
    seen at each decision, a second settlement, and whether the record is what was written.

    The page is one sheet of A4, and the same bytes whenever it is made from the same files. The exit code is 1 where
    the record is broken, where the second settlement pays otherwise, and where heads are given of which none signs the
    round.
    """
    if out is not None:
        _require_page(out, force=force)
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
    if case.rows.finding or case.verdict.complaints or unsigned:
        raise typer.Exit(EXIT_FAULT)


def _require_page(out: Path, *, force: bool) -> None:
    if out.suffix.lower() != ".html":
        what = "no such kind of page"
        raise BadInput(Problem(code="report.format", where=str(out), what=what, value=out.suffix, allowed=".html"))
    require_writable(out, force=force)


def lines_of(case: Case) -> Iterator[str]:
    """The case as a person reads it in a terminal."""
    id_, rows = case.identity, case.rows
    yield f"{id_.table}, round {id_.round}: {id_.outcome}; {id_.title}, game {id_.game_hash[:16]}"
    for payment in case.payments:
        if case.seat in (None, payment.seat):
            yield f"seat {payment.seat}  {payment.title}: {' '.join(payment.arithmetic)} [{', '.join(payment.clauses)}]"
    yield "nets       " + ", ".join(f"seat {seat} {signed(cents)}" for seat, cents in case.nets.items())
    yield f"again      {case.verdict.words}"
    yield from (f"  {complaint}" for complaint in case.verdict.complaints)
    yield f"rows       {rows.first} to {rows.last}, {rows.finding or 'intact'}"
    by = f"by head {rows.signed.head}, which names row {rows.signed.row}" if rows.signed else rows.unsigned
    yield f"signed     {by}"
