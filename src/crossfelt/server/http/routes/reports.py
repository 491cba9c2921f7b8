"""Reports of games that somebody tries out: made by a process of their own, served under a policy of their own."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from litestar import Response, get
from litestar.params import FromQuery, QueryParameter

from crossfelt.analysis.laboratory import LaboratoryQuestion
from crossfelt.errors import BadInput, Problem
from crossfelt.server.http.middleware.auth import ApiRequest, server_of
from crossfelt.server.workers.advice import report_on

POLICY: Final = (
    "sandbox allow-downloads; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""A report is one file with its styles and plots inside: it may look as it likes, and do nothing."""
KINDS: Final = {"html": "text/html", "json": "application/json"}
KEPT_SECONDS: Final = 600
"""The same question has the same answer to the byte: who asks again meanwhile has it already."""
Asked = Annotated[str, QueryParameter(max_length=16_000)]
Kind = FromQuery[Literal["html", "json"]]


@get("/api/laboratory/report", tags=["play"], media_type="text/html")
async def report(request: ApiRequest, question: Asked, kind: Kind = "html") -> Response[str]:
    """The PAR sheet of a game with other choices and odds; `question` is what `POST /api/laboratory` takes, as JSON."""
    try:
        asked = msgspec.json.decode(question, type=LaboratoryQuestion)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadInput(Problem(code="report.question", where="question", what=str(error))) from None
    told = await server_of(request).report_pool.ask(report_on, msgspec.to_builtins(asked), kind)
    name = f"{asked.rulebook}-report.{kind}"
    headers = {
        "Content-Security-Policy": POLICY,
        "Content-Disposition": f'inline; filename="{name}"',
        "Cache-Control": f"private, max-age={KEPT_SECONDS}",
    }
    return Response(told["text"], headers=headers, media_type=KINDS[kind])


HANDLERS: Final = (report,)
