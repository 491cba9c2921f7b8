"""The Rules Submission of a table: its form, the check of a draft, and a study of its returns."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from crossfelt.errors import BadInput, Problem
from crossfelt.progressive.meter_amounts import meter_warnings
from crossfelt.rulebooks import submission as submissions
from crossfelt.rulebooks.game import Game, problems
from crossfelt.rulebooks.submission_form import (
    Change,
    Field,
    changes,
    form,
    problem_in_field_units,
    with_previous_limit,
)
from crossfelt.server.http.request import ApiRequest
from crossfelt.server.workers.returns import StudyProgress

WHERE: Final = "submission"


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """All fields of a submission, with the values in force."""

    table: str
    rulebook: str
    title: str
    version: str
    game_hash: str
    fields: tuple[Field, ...]
    coming: str
    """The person who approved a new submission: the table closes after the round. Empty if there is none."""


class Draft(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A draft of a submission."""

    submission: dict[str, Any]


class DraftCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The problems of a draft by the path of each field, and the changes it would make."""

    ok: bool
    problems: tuple[tuple[str, Problem], ...]
    warnings: tuple[tuple[str, Problem], ...]
    changes: tuple[Change, ...]
    game_hash: str | None


@get("/api/tables/{table:str}/submission", tags=["submissions"])
async def submission_form(request: ApiRequest, table: FromPath[str]) -> Form:
    """Return the form of a table's Rules Submission, with the values in force."""
    actor = request.visible_table(table)
    game = actor.table.game
    coming = request.server.pit.approved_changes.get(table)
    return Form(
        table=table,
        rulebook=game.book.id,
        title=game.book.title,
        version=game.book.version,
        game_hash=game.hash,
        fields=form(game),
        coming=coming.by if coming else "",
    )


@post("/api/tables/{table:str}/submission/check", tags=["submissions"], status_code=200)
async def check_draft(request: ApiRequest, table: FromPath[str], data: JSONBody[Draft]) -> DraftCheck:
    """Check a draft: list every violation with its clause, and the changes."""
    actor = request.visible_table(table)
    return await asyncio.to_thread(_check, actor.table.game, data.submission)


def _check(before: Game, stated: dict[str, Any]) -> DraftCheck:
    book, stated = before.book, with_previous_limit(before, stated)
    found = tuple(problems(book, stated, where=WHERE, complete=True))
    game = None if any(problems(book, stated)) else Game(book, stated)
    kinds = {choice.path: choice.kind for choice in book.choices}
    warned = [*submissions.warnings(book, stated, where=WHERE), *(meter_warnings(game, where=WHERE) if game else ())]
    return DraftCheck(
        ok=not found,
        problems=_by_path(found, kinds),
        warnings=_by_path(warned, kinds),
        changes=changes(before, game) if game else (),
        game_hash=game.hash if game else None,
    )


def _by_path(found: Iterable[Problem], kinds: Mapping[str, str]) -> tuple[tuple[str, Problem], ...]:
    named = ((problem.where.removeprefix(f"{WHERE}: "), problem) for problem in found)
    return tuple((path, problem_in_field_units(problem, kinds.get(path, ""))) for path, problem in named)


@post("/api/tables/{table:str}/submission/figures", tags=["submissions"], status_code=202)
async def begin_study(request: ApiRequest, table: FromPath[str], data: JSONBody[Draft]) -> StudyProgress:
    """Start a study of every wager's return under a draft, beside its return now."""
    server = request.server
    actor = request.visible_table(table)
    if found := list(problems(actor.table.game.book, data.submission)):
        raise BadInput(*found)
    after = msgspec.structs.replace(actor.settings, submission=data.submission)
    return server.studies.begin(actor.table.game, after.compile(server.pit.rulebooks), request.person.account)


@get("/api/studies/{study:str}", tags=["submissions"])
async def study_progress(request: ApiRequest, study: FromPath[str]) -> StudyProgress:
    """Return the progress and results of a study."""
    return request.server.studies.progress(study)


@delete("/api/studies/{study:str}", tags=["submissions"], status_code=200)
async def cancel_study(request: ApiRequest, study: FromPath[str]) -> StudyProgress:
    """Stop a study."""
    return await request.server.studies.cancel(study)
