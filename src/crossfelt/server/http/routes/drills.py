"""The trainer: what can be practised, the next question without its answer, and what became of an answer."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from crossfelt.server.http.middleware.auth import ApiRequest, current_user, server_of
from crossfelt.server.workers.drills import AnswerResult, Offered, Posed
from crossfelt.training.question import DrillKind

LONGEST: Final = 200
Text = Annotated[str, msgspec.Meta(max_length=LONGEST)]


class DrillRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody wants to practise; without a rulebook or a kind, all of them mixed."""

    rulebook: Text | None = None
    kind: DrillKind | None = None


class Answered(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer, as it would be typed in the terminal; null to be shown the right one, which counts as missed."""

    question: Text
    answer: Text | None


@get("/api/training", tags=["training"])
async def training(request: ApiRequest) -> Offered:
    """The drills of every rulebook, and how one stands."""
    return await server_of(request).drills.offered(current_user(request))


@post("/api/training/questions", tags=["training"], status_code=200)
async def pose(request: ApiRequest, data: JSONBody[DrillRequest]) -> Posed:
    """The next question: what was missed, then what is due, then what is new."""
    return await server_of(request).drills.pose(current_user(request), data.rulebook, data.kind)


@post("/api/training/answers", tags=["training"], status_code=200)
async def answer(request: ApiRequest, data: JSONBody[Answered]) -> AnswerResult:
    """Marks an answer, once, and says why it is right or wrong and by which clause."""
    return await server_of(request).drills.mark(current_user(request), data.question, data.answer)


HANDLERS: Final = (training, pose, answer)
