"""Handle, hold and theoretical win of tables and wagers."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from crossfelt.analysis.wager_figures import WHOLE
from crossfelt.errors import BadInput
from crossfelt.games.round_stakes import ante_range
from crossfelt.money import dollars
from crossfelt.rulebooks.game import Game
from crossfelt.server.core.errors import Unreadable
from crossfelt.server.core.revenue import BANDS, SlotRevenue, Theory, sum_of, theory_of, whole_theory
from crossfelt.server.core.revenue import Count as Counted
from crossfelt.server.core.settings import TableSettings, settings_of
from crossfelt.server.http.downloads import csv_file
from crossfelt.server.http.request import ApiRequest
from crossfelt.server.runtime.shifts import Shift
from crossfelt.server.server import Server

log = logging.getLogger(__name__)
NOTES: Final = (
    "Theoretical win assumes best play on the stakes that were placed; worse play leaves the house more in all.",
    "On a single wager worse play may leave the house less. Statistics has the theory for what the players really did.",
    "Hands of a round share cards, and so do wagers of a hand; the bands treat seats and side bets as independent.",
    "Awards of meters count as paid; theoretical win assumes the average meter and a single bettor at a wheel.",
)
COLUMNS: Final = (
    *("table", "state", "rulebook", "wager", "title", "bets", "handle", "hold", "hold_percent"),
    *("theoretical_win", "theoretical_percent", "standard_deviation"),
    *(f"{side}_{band}sd" for band in BANDS for side in ("low", "high")),
)
PERIOD_COLUMNS: Final = (
    *("day", "zone", "shift", "table", "title", "rounds", "drop", "handle", "win", "hold_percent"),
    *("theoretical_win", "standard_deviation", "fills", "credits"),
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
    limited: str
    """Where theoretical win leaves out what the payout limit cuts; empty if the table takes no such ante."""
    bands: tuple[int, ...] = BANDS
    notes: tuple[str, ...] = NOTES


@get("/api/tables/{table:str}/figures", tags=["figures"])
async def table_figures(request: ApiRequest, table: FromPath[str]) -> TableFigures:
    """Return handle, hold and theoretical win of a table and its wagers."""
    server = request.server
    closed = (await server.journal.now()).closed.get(table)
    if closed is not None:
        return await _figures(server, settings_of(closed), "closed")
    return await _figures(server, request.visible_table(table).settings, "open")


@get("/api/figures", tags=["figures"], media_type="text/csv")
async def all_figures(request: ApiRequest) -> Response[str]:
    """Export the figures of all public tables as CSV, in dollars.

    Closed tables are included; a table that cannot be read has its name only.
    """
    rows: list[list[str]] = [[*COLUMNS]]
    for state, settings in await tables_of(request.server):
        lines = [[settings.id, "shut", settings.rulebook, *("" for _ in COLUMNS[3:])]]
        if state != "shut":
            try:
                lines = list(_lines(await _figures(request.server, settings, state)))
            except Unreadable:
                log.exception("no figures: the table cannot be read", extra={"table": settings.id})
        rows += lines
    return csv_file("crossfelt-figures.csv", rows)


class PeriodLine(msgspec.Struct, frozen=True, kw_only=True):
    """A table, or all of them, in a shift or a day; amounts in cents, theory null if it is unknown."""

    table: str
    title: str
    rounds: int
    drop_cents: int
    handle_cents: int
    win_cents: int
    theory_cents: float | None
    deviation_cents: float | None
    fills_cents: int
    credits_cents: int


class ShiftFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A shift, or the whole day: the tables at which something happened, and their sum."""

    title: str
    since: int
    until: int
    tables: tuple[PeriodLine, ...]
    total: PeriodLine


class DayFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day with its shifts, in the time zone of the house."""

    day: str
    zone: str
    made_at: int
    shifts: tuple[ShiftFigures, ...]
    whole: ShiftFigures
    unread: tuple[str, ...]
    """Tables that cannot be read, and so are not in the sums."""


Day = Annotated[str, QueryParameter(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]


@get("/api/figures/day", tags=["figures"])
async def day_figures(request: ApiRequest, day: Day = "") -> DayFigures:
    """Return the figures of all public tables by day and shift; without a `day`, of today."""
    return await _day(request.server, day)


@get("/api/figures/day.csv", tags=["figures"], media_type="text/csv")
async def day_as_csv(request: ApiRequest, day: Day = "") -> Response[str]:
    """Export the figures of a day by table and shift as CSV, in dollars."""
    found = await _day(request.server, day)
    periods = (*found.shifts, found.whole)
    lines = [(period.title, line) for period in periods for line in (*period.tables, period.total)]
    rows = [[found.day, found.zone, title, *_cells(line)] for title, line in lines]
    return csv_file(f"crossfelt-{found.day}.csv", [PERIOD_COLUMNS, *rows])


def _cells(line: PeriodLine) -> Iterator[str]:
    yield from (line.table, line.title, str(line.rounds))
    yield from map(_dollars, (line.drop_cents, line.handle_cents, line.win_cents))
    yield _share(line.win_cents, line.handle_cents)
    yield from map(_dollars, (line.theory_cents, line.deviation_cents, line.fills_cents, line.credits_cents))


async def _day(server: Server, day: str) -> DayFigures:
    try:
        wanted = date.fromisoformat(day) if day else server.shifts.day_of(server.now())
    except ValueError:
        raise BadInput.at("day", "figures.day", "not a day", day) from None
    counted, unread = list[tuple[TableSettings, Counted, list[dict[str, Any]]]](), list[str]()
    for state, settings in await tables_of(server):
        try:
            if state == "shut":
                raise Unreadable(settings.stream)
            count = await server.revenue.of(settings.stream)
        except Unreadable:
            unread.append(settings.id)
            continue
        counted.append((settings, count, await known_figures(server, count.game) if count.slots else []))
    shifts = server.shifts.of_day(wanted)
    whole = Shift("Whole day", shifts[0].since, shifts[-1].until)
    return DayFigures(
        day=wanted.isoformat(),
        zone=server.shifts.zone,
        made_at=server.now(),
        shifts=tuple(_period(shift, counted) for shift in shifts),
        whole=_period(whole, counted),
        unread=tuple(unread),
    )


def _period(shift: Shift, counted: list[tuple[TableSettings, Counted, list[dict[str, Any]]]]) -> ShiftFigures:
    lines, total, theories = list[PeriodLine](), SlotRevenue(), list[Theory | None]()
    for settings, count, figures in counted:
        found = count.between(shift.since, shift.until)
        if found == SlotRevenue():
            continue
        theory = whole_theory(figures, found.staked) if figures else None
        lines.append(_period_line(settings.id, count.game.book.title, found, theory))
        theories += [theory] if found.handle else []
        total.add(found)
    return ShiftFigures(
        title=shift.title,
        since=shift.since,
        until=shift.until,
        tables=tuple(lines),
        total=_period_line("all", "All tables", total, sum_of(theories)),
    )


def _period_line(table: str, title: str, found: SlotRevenue, theory: Theory | None) -> PeriodLine:
    win, deviation = theory or (None, None)
    return PeriodLine(
        table=table,
        title=title,
        rounds=found.rounds,
        drop_cents=found.drop,
        handle_cents=found.handle,
        win_cents=found.hold,
        theory_cents=win,
        deviation_cents=deviation,
        fills_cents=found.fills,
        credits_cents=found.credits,
    )


async def tables_of(server: Server) -> list[tuple[State, TableSettings]]:
    """Return the public tables of all processes by name, and the tables that are closed for good."""
    journal, shut = await server.journal.now(), server.pit.unplayable
    known: list[tuple[State, TableSettings]] = [("closed", settings_of(table)) for table in journal.closed.values()]
    there = map(settings_of, journal.tables.values())
    known += [("shut" if settings.id in shut else "open", settings) for settings in there if not settings.owner]
    return sorted(known, key=lambda it: it[1].id)


async def known_figures(server: Server, game: Game) -> list[dict[str, Any]]:
    """Return the figures of a game's wagers; none for a game that has no solution."""
    try:
        return await server.studies.figures(game)
    except BadInput as unsolved:
        log.info("no theory of %s: %s", game.book.title, unsolved)
        return []


async def _figures(server: Server, settings: TableSettings, state: State) -> TableFigures:
    count = await server.revenue.of(settings.stream)
    figures = await known_figures(server, count.game)
    known = {figure["wager"]: figure for figure in figures}
    last = count.point(count.rounds)
    titles = {wager.id: wager.title for wager in count.game.book.wagers}
    names = [*(name for name in known if name != WHOLE), *(name for name in count.takings if name not in known)]
    whole = count.takings[WHOLE].bets, last.handle, last.hold
    return TableFigures(
        table=settings.id,
        title=count.game.book.title,
        rulebook=settings.rulebook,
        state=state,
        since=count.since,
        rounds=count.rounds,
        whole=_taking("", "Whole table", *whole, whole_theory(figures, last.staked) if figures else None),
        wagers=tuple(_wager(count, name, titles, known) for name in names if name != WHOLE),
        course=tuple(_course(count, figures)),
        limited=_limited(count.game, known.get(WHOLE)),
    )


def _limited(game: Game, whole: dict[str, Any] | None) -> str:
    """Say up to which ante the theory of a game holds, where the table takes larger ones."""
    greatest = ante_range(game)[1]
    if whole is None or whole["holds_to_cents"] is None or whole["holds_to_cents"] >= greatest:
        return ""
    return (
        f"{whole['limit_words']} This table takes up to {dollars(greatest)}. Theoretical win does not count "
        "what the limit keeps for the house."
    )


def _wager(count: Counted, name: str, titles: dict[str, str], known: dict[str, Any]) -> WagerRevenue:
    taking, figure = count.takings.get(name), known.get(name)
    theory = theory_of(figure, count.point(0).staked) if figure else None
    title = figure["title"] if figure else titles.get(name, name.replace("_", " ").capitalize())
    bets, handle, hold = (taking.bets, taking.handle, taking.hold) if taking else (0, 0, 0)
    return _taking(name, title, bets, handle, hold, theory)


def _taking(name: str, title: str, bets: int, handle: int, hold: int, theory: Theory | None) -> WagerRevenue:
    win, deviation = theory or (None, None)
    return WagerRevenue(
        wager=name,
        title=title,
        bets=bets,
        handle_cents=handle,
        hold_cents=hold,
        theory_cents=win,
        deviation_cents=deviation,
    )


def _course(count: Counted, figures: list[dict[str, Any]]) -> Iterator[RevenuePoint]:
    for point in count.points if figures else ():
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
            *map(_dollars, (taking.handle_cents, taking.hold_cents)),
            _share(taking.hold_cents, taking.handle_cents),
            *(_dollars(taking.theory_cents), _share(taking.theory_cents, taking.handle_cents)),
            *map(_dollars, (taking.deviation_cents, *_edges(taking))),
        ]


def _edges(taking: WagerRevenue) -> Iterator[float | None]:
    known = taking.theory_cents is not None and taking.deviation_cents is not None
    for band in BANDS:
        for sign in (-1, 1):
            yield (taking.theory_cents or 0) + sign * band * (taking.deviation_cents or 0) if known else None


def _dollars(cents: float | None) -> str:
    # Rounded to whole cents first, so that no amount is "-0.00".
    return "" if cents is None else f"{round(cents) / 100:.2f}"


def _share(part: float | None, whole: int) -> str:
    return f"{100 * part / whole:.3f}" if part is not None and whole else ""
