"""The Rules Submission of a table: its form, the check of a draft, what it would return."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from crossfelt.errors import BadInput, Problem
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
from crossfelt.server.http.middleware.auth import Asking, server_of, visible_table
from crossfelt.server.workers.returns import StudyProgress

WHERE: Final = "submission"


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """Everything an operator may state, and what is in force."""

    table: str
    rulebook: str
    title: str
    version: str
    game_hash: str
    fields: tuple[Field, ...]
    coming: str
    """Who agreed to another submission: the table closes after the round; empty where none waits."""


class Draft(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A submission in the making."""

    submission: dict[str, Any]


class DraftCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a draft, by the path of each field, and what it would change."""

    ok: bool
    problems: tuple[tuple[str, Problem], ...]
    warnings: tuple[tuple[str, Problem], ...]
    changes: tuple[Change, ...]
    game_hash: str | None


@get("/api/tables/{table:str}/submission", tags=["submissions"])
async def submission_form(request: Asking, table: FromPath[str]) -> Form:
    """The form of a table's Rules Submission, with what is in force there."""
    actor = visible_table(request, table)
    game = actor.table.game
    coming = server_of(request).pit.approved_changes.get(table)
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
async def check_draft(request: Asking, table: FromPath[str], data: JSONBody[Draft]) -> DraftCheck:
    """Every violation of a draft, each with its clause, as it would be filed."""
    actor = visible_table(request, table)
    return await asyncio.to_thread(_check, actor.table.game, data.submission)


def _check(before: Game, stated: dict[str, Any]) -> DraftCheck:
    book, stated = before.book, with_previous_limit(before, stated)
    found = tuple(problems(book, stated, where=WHERE, complete=True))
    game = None if any(problems(book, stated)) else Game(book, stated)
    kinds = {choice.path: choice.kind for choice in book.choices}
    return DraftCheck(
        ok=not found,
        problems=_by_path(found, kinds),
        warnings=_by_path(submissions.warnings(book, stated, where=WHERE), kinds),
        changes=changes(before, game) if game else (),
        game_hash=game.hash if game else None,
    )


def _by_path(found: Iterable[Problem], kinds: Mapping[str, str]) -> tuple[tuple[str, Problem], ...]:
    named = ((problem.where.removeprefix(f"{WHERE}: "), problem) for problem in found)
    return tuple((path, problem_in_field_units(problem, kinds.get(path, ""))) for path, problem in named)


@post("/api/tables/{table:str}/submission/figures", tags=["submissions"], status_code=202)
async def begin_study(request: Asking, table: FromPath[str], data: JSONBody[Draft]) -> StudyProgress:
    """Begins to work out what every wager would return, beside what it returns now."""
    server = server_of(request)
    actor = visible_table(request, table)
    wrong = list(problems(actor.table.game.book, data.submission))
    if wrong:
        raise BadInput.of(wrong)
    after = msgspec.structs.replace(actor.settings, submission=data.submission)
    return server.studies.begin(actor.table.game, after.compile())


@get("/api/studies/{study:str}", tags=["submissions"])
async def study_progress(request: Asking, study: FromPath[str]) -> StudyProgress:
    """How far a study is, and what it found."""
    return server_of(request).studies.progress(study)


@delete("/api/studies/{study:str}", tags=["submissions"], status_code=200)
async def cancel_study(request: Asking, study: FromPath[str]) -> StudyProgress:
    """Stops a study."""
    return await server_of(request).studies.cancel(study)


HANDLERS: Final = (submission_form, check_draft, begin_study, study_progress, cancel_study)
