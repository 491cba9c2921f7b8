"""Handle, hold and theoretical win of tables and wagers."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from crossfelt.analysis.wager_figures import WHOLE
from crossfelt.server.core.errors import Unreadable
from crossfelt.server.core.revenue import BANDS, Theory, theory_of, whole_theory
from crossfelt.server.core.revenue import Count as Counted
from crossfelt.server.core.settings import TableSettings, settings_of
from crossfelt.server.http.middleware.auth import ApiRequest, server_of, visible_table
from crossfelt.server.wiring import Server

log = logging.getLogger(__name__)
NOTES: Final = (
    "Theoretical win assumes best play on the stakes that were placed; worse play leaves the house more.",
    "Hands of a round share cards, and so do wagers of a hand; the bands treat seats and side bets as independent.",
    "Awards of meters count as paid; theoretical win assumes the average meter and a single bettor at a wheel.",
)
COLUMNS: Final = (
    *("table", "state", "rulebook", "wager", "title", "bets", "handle", "hold", "hold_percent"),
    *("theoretical_win", "theoretical_percent", "standard_deviation"),
    *(f"{side}_{band}sd" for band in BANDS for side in ("low", "high")),
)
State = Literal["open", "closed", "shut"]
"""A closed table is closed for good. A shut table cannot be read, or has rules of another version."""


class WagerRevenue(msgspec.Struct, frozen=True, kw_only=True):
    """One wager or the whole table, in cents; the theoretical values are null if unknown."""

    wager: str
    title: str
    bets: int
    handle_cents: int
    hold_cents: int
    theory_cents: float | None
    deviation_cents: float | None


class RevenuePoint(msgspec.Struct, frozen=True, kw_only=True):
    """The whole table after a round."""

    round: int
    handle_cents: int
    hold_cents: int
    theory_cents: float
    deviation_cents: float


class TableFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Handle, hold and theoretical win of a table since it was opened."""

    table: str
    title: str
    rulebook: str
    state: State
    since: int | None
    rounds: int
    whole: WagerRevenue
    wagers: tuple[WagerRevenue, ...]
    course: tuple[RevenuePoint, ...]
    bands: tuple[int, ...] = BANDS
    notes: tuple[str, ...] = NOTES


@get("/api/tables/{table:str}/figures", tags=["figures"])
async def table_figures(request: ApiRequest, table: FromPath[str]) -> TableFigures:
    """Return handle, hold and theoretical win of a table and its wagers."""
    server = server_of(request)
    closed = (await server.journal.now()).closed.get(table)
    if closed is not None:
        return await _figures(server, settings_of(closed), "closed")
    return await _figures(server, visible_table(request, table).settings, "open")


@get("/api/figures", tags=["figures"], media_type="text/csv")
async def all_figures(request: ApiRequest) -> Response[str]:
    """Export the figures of all public tables as CSV, in dollars.

    Closed tables are included; a table that cannot be read has its name only.
    """
    server = server_of(request)
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, restval="")
    writer.writeheader()
    for state, settings in await tables_of(server):
        shut = {"table": settings.id, "state": "shut", "rulebook": settings.rulebook}
        if state == "shut":
            writer.writerow(shut)
            continue
        try:
            figures = await _figures(server, settings, state)
        except Unreadable:
            log.exception("no figures: the table cannot be read", extra={"table": settings.id})
            writer.writerow(shut)
        else:
            writer.writerows(dict(zip(COLUMNS, line, strict=True)) for line in _lines(figures))
    headers = {"Content-Disposition": 'attachment; filename="crossfelt-figures.csv"'}
    return Response(file.getvalue(), media_type="text/csv", headers=headers)


async def tables_of(server: Server) -> list[tuple[State, TableSettings]]:
    """Return the public tables of all processes by name, and the tables that are closed for good."""
    journal, shut = await server.journal.now(), server.pit.unplayable
    known: list[tuple[State, TableSettings]] = [("closed", settings_of(table)) for table in journal.closed.values()]
    there = map(settings_of, journal.tables.values())
    known += [("shut" if settings.id in shut else "open", settings) for settings in there if not settings.owner]
    return sorted(known, key=lambda it: it[1].id)


async def _figures(server: Server, settings: TableSettings, state: State) -> TableFigures:
    count = await server.revenue.of(settings.stream)
    assert count.game is not None
    figures = await server.studies.figures(count.game)
    known = {figure["wager"]: figure for figure in figures}
    last = count.point(count.rounds)
    titles = {wager.id: wager.title for wager in count.game.book.wagers}
    names = [*(name for name in known if name != WHOLE), *(name for name in count.takings if name not in known)]
    return TableFigures(
        table=settings.id,
        title=count.game.book.title,
        rulebook=settings.rulebook,
        state=state,
        since=count.since,
        rounds=count.rounds,
        whole=_taking(
            "", "Whole table", count.takings[WHOLE].bets, last.handle, last.hold, whole_theory(figures, last.staked)
        ),
        wagers=tuple(_wager(count, name, titles, known) for name in names if name != WHOLE),
        course=tuple(_course(count, figures)),
    )


def _wager(count: Counted, name: str, titles: dict[str, str], known: dict[str, Any]) -> WagerRevenue:
    taking, figure = count.takings.get(name), known.get(name)
    theory = theory_of(figure, count.point(0).staked) if figure else None
    title = figure["title"] if figure else titles.get(name, name.replace("_", " ").capitalize())
    bets, handle, hold = (taking.bets, taking.handle, taking.hold) if taking else (0, 0, 0)
    return _taking(name, title, bets, handle, hold, theory)


def _taking(name: str, title: str, bets: int, handle: int, hold: int, theory: Theory | None) -> WagerRevenue:
    return WagerRevenue(
        wager=name,
        title=title,
        bets=bets,
        handle_cents=handle,
        hold_cents=hold,
        theory_cents=theory.win_cents if theory else None,
        deviation_cents=theory.deviation_cents if theory else None,
    )


def _course(count: Counted, figures: list[dict[str, Any]]) -> Iterator[RevenuePoint]:
    for point in count.points:
        theory = whole_theory(figures, point.staked)
        yield RevenuePoint(
            round=point.round,
            handle_cents=point.handle,
            hold_cents=point.hold,
            theory_cents=theory.win_cents,
            deviation_cents=theory.deviation_cents,
        )


def _lines(figures: TableFigures) -> Iterator[list[str]]:
    for taking in (figures.whole, *figures.wagers):
        yield [
            *(figures.table, figures.state, figures.rulebook),
            *(taking.wager or "all", taking.title, str(taking.bets)),
            *(
                _dollars(taking.handle_cents),
                _dollars(taking.hold_cents),
                _share(taking.hold_cents, taking.handle_cents),
            ),
            *(_dollars(taking.theory_cents), _share(taking.theory_cents, taking.handle_cents)),
            _dollars(taking.deviation_cents),
            *(_dollars(edge) for edge in _edges(taking)),
        ]


def _edges(taking: WagerRevenue) -> Iterator[float | None]:
    for band in BANDS:
        for sign in (-1, 1):
            known = taking.theory_cents is not None and taking.deviation_cents is not None
            yield (taking.theory_cents or 0) + sign * band * (taking.deviation_cents or 0) if known else None


def _dollars(cents: float | None) -> str:
    # Rounded to whole cents first, so that no amount is "-0.00".
    return "" if cents is None else f"{round(cents) / 100:.2f}"


def _share(part: float | None, whole: int) -> str:
    return f"{100 * part / whole:.3f}" if part is not None and whole else ""


HANDLERS: Final = (table_figures, all_figures)
