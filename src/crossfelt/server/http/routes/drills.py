"""The trainer: the drills, the next question, and the result of an answer."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from litestar import get, post, put
from litestar.params import JSONBody

from crossfelt.server.http.request import ApiRequest
from crossfelt.server.workers.drills import AnswerResult, Offered, Posed
from crossfelt.training.progress import DrillProgress
from crossfelt.training.question import DrillKind

LONGEST: Final = 200
Text = Annotated[str, msgspec.Meta(max_length=LONGEST)]


class DrillRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rulebook and a kind of drill; without them, all are mixed."""

    rulebook: Text | None = None
    kind: DrillKind | None = None


class Answered(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer as typed in the terminal. Null shows the right answer, and counts as wrong."""

    question: Text
    answer: Text | None


@get("/api/training", tags=["training"])
async def training(request: ApiRequest) -> Offered:
    """List the drills of every rulebook, with the user's progress."""
    return await request.server.drills.offered(request.person)


@post("/api/training/questions", tags=["training"], status_code=200)
async def pose(request: ApiRequest, data: JSONBody[DrillRequest]) -> Posed:
    """Return the next question: first missed ones, then due ones, then new ones."""
    return await request.server.drills.pose(request.person, data.rulebook, data.kind)


@post("/api/training/answers", tags=["training"], status_code=200)
async def answer(request: ApiRequest, data: JSONBody[Answered]) -> AnswerResult:
    """Grade an answer once, and explain the right one with its clause."""
    return await request.server.drills.mark(request.person, data.question, data.answer)


@get("/api/training/progress", tags=["training"])
async def progress(request: ApiRequest) -> DrillProgress:
    """Return the user's progress in every topic, as `crossfelt train` keeps it."""
    return await request.server.drills.progress(request.person)


@put("/api/training/progress", tags=["training"])
async def merge(request: ApiRequest, data: JSONBody[DrillProgress]) -> DrillProgress:
    """Add the progress of the terminal to the user's own, and return both together."""
    return await request.server.drills.merge(request.person, data)
