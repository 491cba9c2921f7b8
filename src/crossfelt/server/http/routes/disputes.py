"""Rounds that are disputed: the list of all that are over, each from any place, and a report of one page."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from crossfelt.play.posted_notice import game_for_screen
from crossfelt.proof.dispute import Case, ResettlementVerdict, RoundIdentity, RowsChecked, case_of, identify
from crossfelt.proof.replay_round import ReplayedRound
from crossfelt.server.audit.casebook import Volume
from crossfelt.server.audit.replay_views import AUDITOR, Place, Retraced, places_of, replay_round
from crossfelt.server.core.recovery import RoundIndex
from crossfelt.server.http.middleware.auth import Asking, Count, Number, asker, server_of
from crossfelt.server.http.routes.records import RoundLine
from crossfelt.server.journal.events import DisputeReported

MOST_CASES: Final = 200
PAGE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"
"""A report is a document of its own: nothing in it may run, load or send."""
Text = Annotated[str, QueryParameter(max_length=100)]


class Cases(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds of a table that are over, the latest first."""

    table: str
    title: str
    rulebook: str
    rounds: list[RoundLine]
    in_all: int
    """Rounds on record."""
    matching: int
    """Those of them that were asked for."""
    broken: str
    """Why there are no more: rows that were altered."""


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A round from one place, and everything that is known about its record and its settlement."""

    identity: RoundIdentity
    game: dict[str, object]
    players: dict[int, str]
    nets: dict[int, int]
    verdict: ResettlementVerdict
    verdict_words: str
    rows: RowsChecked
    places: tuple[Place, ...]
    seen: Retraced
    earlier: int | None
    """The rounds beside it."""
    later: int | None


@get("/api/tables/{table:str}/cases", tags=["disputes"])
async def cases(
    request: Asking,
    table: FromPath[str],
    before: Count = -1,
    limit: Count = 50,
    outcome: FromQuery[str] = "",
    text: Text = "",
) -> Cases:
    """The rounds of a table before a number; by outcome, and by player, seat or number."""
    volume = await server_of(request).casebook.volume(f"table/{table}")
    wanted = [it for it in reversed(volume.rounds) if outcome in ("", it.outcome) and _speaks_of(it, text)]
    shown = [it for it in wanted if before < 0 or it.round < before][: max(0, min(limit, MOST_CASES))]
    game = volume.header.compile()
    return Cases(
        table=table,
        title=game.book.title,
        rulebook=game.book.id,
        rounds=[RoundLine.of(it) for it in shown],
        in_all=len(volume.rounds),
        matching=len(wanted),
        broken=volume.broken,
    )


@get("/api/tables/{table:str}/rounds/{number:int}/replay", tags=["disputes"])
async def replay(
    request: Asking,
    table: FromPath[str],
    number: Number,
    seen_from: Annotated[str, QueryParameter(name="as", max_length=20)] = AUDITOR,
) -> Replay:
    """A round that is over, step by step, as it looked from a place: a seat, spectator, dealer, floor or auditor."""
    found = await _found(request, table, number)
    seen = await asyncio.to_thread(replay_round, found.reopened, seen_from)
    case = case_of(found.reopened, found.identity, found.rows)
    numbers = [it.round for it in found.volume.rounds]
    at = numbers.index(number)
    return Replay(
        identity=case.identity,
        game=game_for_screen(found.reopened.game),
        players=case.players,
        nets=case.nets,
        verdict=case.verdict,
        verdict_words=case.verdict.words,
        rows=case.rows,
        places=places_of(found.reopened),
        seen=seen,
        earlier=numbers[at - 1] if at else None,
        later=numbers[at + 1] if at + 1 < len(numbers) else None,
    )


@get("/api/tables/{table:str}/rounds/{number:int}/dispute", tags=["disputes"], media_type="text/html")
async def dispute(
    request: Asking,
    table: FromPath[str],
    number: Number,
    seat: Count = -1,
    download: FromQuery[bool] = False,
) -> Response[bytes]:
    """One page to print: about a round, or about one seat in it. Who had it made is noted."""
    found = await _found(request, table, number)
    about = seat if seat > 0 else None
    case: Case = await asyncio.to_thread(case_of, found.reopened, found.identity, found.rows, about)
    page = await asyncio.to_thread(_report, case)
    server = server_of(request)
    await server.journal.note(
        DisputeReported(by=asker(request).account, at=server.now(), table=table, round=number, seat=about)
    )
    headers = {"Content-Security-Policy": PAGE_POLICY}
    if download:
        name = f"dispute-{table}-{number}{f'-seat{about}' if about else ''}.html"
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return Response(page, media_type="text/html", headers=headers)


def _report(case: Case) -> bytes:
    from crossfelt.reports.dispute_page import dispute_report  # all of the reports, which a house need not begin with

    return dispute_report(case)


# --- finding them -----------------------------------------------------------------------------------------------------


class _Found(msgspec.Struct, frozen=True):
    """A round with what is known about its record."""

    volume: Volume
    reopened: ReplayedRound
    identity: RoundIdentity
    rows: RowsChecked


async def _found(request: Asking, table: str, number: int) -> _Found:
    server = server_of(request)
    stream = f"table/{table}"
    volume = await server.casebook.volume(stream)
    index = volume.find(number)
    reopened = await server.casebook.reopened(stream, number)
    rows = await server.speaking.rows_of(stream, index.first, index.last, index.at)
    software = (await server.journal.now()).software_at(index.at)
    identity = identify(reopened, table, volume.header.crossfelt, software.hash if software is not None else "")
    return _Found(volume, reopened, identity, rows)


def _speaks_of(index: RoundIndex, text: str) -> bool:
    """Whether a round is one that somebody looks for: by its number, a player's name, or a seat as `seat 3`."""
    words = text.strip().lower()
    named = [str(index.round), *(f"seat {seat} {player}".lower() for seat, player in index.players.items())]
    return not words or any(words in name for name in named)


HANDLERS: Final = (cases, replay, dispute)
