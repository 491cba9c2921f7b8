"""Disputed rounds: the list of closed rounds, the replay of one, and its report."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import BadInput
from crossfelt.play.posted_notice import game_for_screen
from crossfelt.proof.dispute import Case, ResettlementVerdict, RoundIdentity, RowsChecked, case_of, identify
from crossfelt.proof.replay_round import ReplayedRound
from crossfelt.server.accounts.policy import sees_everything
from crossfelt.server.audit.attestation import check_rows
from crossfelt.server.audit.casebook import Volume
from crossfelt.server.audit.replay_views import AUDITOR, Place, Retraced, places_of, replay_round
from crossfelt.server.core.errors import NoSuchTable
from crossfelt.server.core.recovery import RoundIndex
from crossfelt.server.core.settings import settings_of
from crossfelt.server.http.downloads import attachment
from crossfelt.server.http.request import ApiRequest, PathInt, QueryInt
from crossfelt.server.http.routes.rounds import RoundLine
from crossfelt.server.journal.events import DisputeReported
from crossfelt.server.journal.stream import Proposal
from crossfelt.server.server import Server
from crossfelt.table.records import TableRecords

MOST_CASES: Final = 200
RECALLED: Final = 20
"""The last rounds of a public table that the floor can look at."""
PAGE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"
"""A report is a document of its own: nothing in it may run, load or send anything."""
Text = Annotated[str, QueryParameter(max_length=100)]


class Cases(msgspec.Struct, frozen=True, kw_only=True):
    """Closed rounds of a table, the latest first."""

    table: str
    title: str
    rulebook: str
    rounds: list[RoundLine]
    in_all: int
    matching: int
    broken: str
    """Why the list ends early: rows were altered. Empty otherwise."""


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A round from one viewpoint, with the checks of its record and its settlement."""

    identity: RoundIdentity
    game: dict[str, object]
    players: dict[int, str]
    nets: dict[int, int]
    verdict: ResettlementVerdict
    verdict_words: str
    rows: RowsChecked
    records: TableRecords
    """The check of the fittings, and the deck of the round, when the cards were dealt."""
    places: tuple[Place, ...]
    seen: Retraced
    earlier: int | None
    """The round before; `later` is the round after."""
    later: int | None


@get("/api/tables/{table:str}/cases", tags=["disputes"])
async def cases(
    request: ApiRequest,
    table: FromPath[str],
    before: QueryInt = -1,
    limit: QueryInt = 50,
    outcome: FromQuery[str] = "",
    text: Text = "",
) -> Cases:
    """List the rounds of a table before a number, filtered by outcome, player, seat or number."""
    await _require_visible(request, table)
    volume = await request.server.casebook.volume(f"table/{table}")
    seen = _visible_rounds(request, volume)
    wanted = [it for it in reversed(seen) if outcome in ("", it.outcome) and _matches(it, text)]
    shown = [it for it in wanted if before < 0 or it.round < before][: max(0, min(limit, MOST_CASES))]
    game = volume.header.compile()
    return Cases(
        table=table,
        title=game.book.title,
        rulebook=game.book.id,
        rounds=[RoundLine.of(it) for it in shown],
        in_all=len(seen),
        matching=len(wanted),
        broken=volume.broken,
    )


@get("/api/tables/{table:str}/rounds/{number:int}/replay", tags=["disputes"])
async def replay(
    request: ApiRequest,
    table: FromPath[str],
    number: PathInt,
    seen_from: Annotated[str, QueryParameter(name="as", max_length=20)] = AUDITOR,
) -> Replay:
    """Replay a closed round step by step, as a seat, a spectator, the dealer, the floor or an auditor."""
    await _require_visible(request, table)
    found = await recorded_round(request, table, number)
    numbers = [it.round for it in _visible_rounds(request, found.volume)]
    if number not in numbers:
        what = f"the floor sees the last {RECALLED} rounds: an auditor sees all"
        raise BadInput.at("number", "round.old", what, number)
    seen = await asyncio.to_thread(replay_round, found.reopened, seen_from)
    case = found.case()
    at = numbers.index(number)
    return Replay(
        **shared_fields(case, Replay),
        game=game_for_screen(found.reopened.game),
        verdict_words=case.verdict.words,
        places=places_of(found.reopened),
        seen=seen,
        earlier=numbers[at - 1] if at else None,
        later=numbers[at + 1] if at + 1 < len(numbers) else None,
    )


@get("/api/tables/{table:str}/rounds/{number:int}/dispute", tags=["disputes"], media_type="text/html")
async def dispute(
    request: ApiRequest,
    table: FromPath[str],
    number: PathInt,
    seat: QueryInt = -1,
    download: FromQuery[bool] = False,
) -> Response[bytes]:
    """Return a printable page about a round, or about one seat in it. The journal records it."""
    found = await recorded_round(request, table, number)
    about = seat if seat > 0 else None
    page = await asyncio.to_thread(found.report, about)
    server = request.server
    await server.journal.note(
        DisputeReported(by=request.person.account, at=server.now(), table=table, round=number, seat=about)
    )
    headers = {"Content-Security-Policy": PAGE_POLICY}
    if download:
        name = f"dispute-{table}-{number}{f'-seat{about}' if about else ''}.html"
        headers |= attachment(name)
    return Response(page, media_type="text/html", headers=headers)


async def _require_visible(request: ApiRequest, table: str) -> None:
    """Refuse the rounds of a private table to the floor, as those of a table that does not exist."""
    if sees_everything(request.person):
        return
    journal = await request.server.journal.now()
    opened = journal.tables.get(table) or journal.closed.get(table)
    if opened is None or settings_of(opened).owner:
        raise NoSuchTable(table)


def _visible_rounds(request: ApiRequest, volume: Volume) -> list[RoundIndex]:
    """Return the rounds that the user may see: the floor sees the last ones."""
    return volume.rounds if sees_everything(request.person) else volume.rounds[-RECALLED:]


class RecordedRound(msgspec.Struct, frozen=True):
    """A round with the checks of its record."""

    volume: Volume
    reopened: ReplayedRound
    identity: RoundIdentity
    rows: RowsChecked

    def case(self, seat: int | None = None) -> Case:
        """Return the case of a round, or of one seat in it."""
        return case_of(self.reopened, self.identity, self.rows, seat)

    def report(self, seat: int | None = None) -> bytes:
        """Return the printable page about the case."""
        from crossfelt.reports.dispute_page import dispute_report  # slow to import

        return dispute_report(self.case(seat))


async def recorded_round(request: ApiRequest, table: str, number: int) -> RecordedRound:
    """Return a closed round, with the checks of its rows and of its settlement's software."""
    server = request.server
    stream = f"table/{table}"
    volume = await server.casebook.volume(stream)
    index = volume.find(number)
    reopened = await server.casebook.reopened(stream, number)
    rows = await check_rows(server.store, server.key, stream, index.first, index.last, index.at)
    software, decisions = await server.software_at(index.at), await _decisions(server, table, number)
    identity = identify(reopened, table, volume.header.crossfelt, software, decisions)
    return RecordedRound(volume, reopened, identity, rows)


async def _decisions(server: Server, table: str, number: int) -> tuple[str, ...]:
    decided = (await server.journal.now()).decided
    of_round = [
        it for it in decided if it.details.get("round") == number and table in (it.subject, it.details.get("table"))
    ]
    return tuple(_decision_words(it) for it in reversed(of_round))


def _decision_words(it: Proposal) -> str:
    from crossfelt.reports.dispute_page import time_words  # slow to import

    second = f"{it.outcome} by {it.decided_by}, {time_words(it.decided_at)}" if it.decided_by else it.outcome
    places = [f" from {place}" if place else "" for place in (it.address, it.decided_from)]
    what = f"{it.kind.replace('_', ' ')} of {it.subject}: “{it.reason}”"
    follows = f"; {it.details['follows']}" if "follows" in it.details else ""
    return f"{what}{follows}; proposed by {it.by}, {time_words(it.at)}{places[0]}; {second}{places[1]}"


def _matches(index: RoundIndex, text: str) -> bool:
    """Return whether a text is in a round's number, a player's name, or a seat such as `seat 3`."""
    words = text.strip().lower()
    named = [str(index.round), *(f"seat {seat} {player}".lower() for seat, player in index.players.items())]
    return not words or any(words in name for name in named)
