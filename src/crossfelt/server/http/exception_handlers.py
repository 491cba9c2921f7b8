"""Exceptions as HTTP responses. Every error response is a list of problems."""

from __future__ import annotations

import logging
from typing import Any, Final

from litestar import Response
from litestar.exceptions import HTTPException
from litestar.status_codes import HTTP_429_TOO_MANY_REQUESTS, HTTP_500_INTERNAL_SERVER_ERROR
from msgspec.structs import replace

from crossfelt.errors import BadInput, Problem
from crossfelt.server.http.request import AnyRequest, server_of
from crossfelt.server.runtime.limits import TooManyRequests
from crossfelt.server.store.interface import StoreError, Unavailable
from crossfelt.server.store.projection import BrokenChain

log = logging.getLogger(__name__)
STATUS: Final = {
    code: status
    for status, codes in {
        401: ("policy.log_in", "account.credentials"),
        403: ("policy.role", "policy.password", "lan.code"),
        404: (
            *("table.unknown", "account.unknown", "clause.unknown", "round.unknown", "stream.unknown", "study.unknown"),
            *("question.unknown", "approval.unknown", "seat.empty", "review.none", "export.none", "invitation.key"),
        ),
        409: ("table.outdated", "table.unreadable", "account.unreadable"),
        410: ("table.replaced",),
        503: ("table.moving",),
    }.items()
    for code in codes
}
"""The status of each code of a problem; 422 for the others."""


def bad_input(_: AnyRequest, bad: BadInput) -> Response[dict[str, Any]]:
    """Answer with every problem of an input."""
    if isinstance(bad, TooManyRequests):
        headers = {"Retry-After": str(bad.seconds)}
        return Response({"problems": bad.problems}, status_code=HTTP_429_TOO_MANY_REQUESTS, headers=headers)
    return Response({"problems": bad.problems}, status_code=STATUS.get(bad.problems[0].code, 422))


def http_error(request: AnyRequest, error: HTTPException) -> Response[dict[str, Any]]:
    """Answer an error of the framework with problems, one for each field that cannot be read."""
    if error.status_code >= HTTP_500_INTERNAL_SERVER_ERROR:
        return fault(request, error)
    code = f"http.{error.status_code}"
    fields: Any = error.extra if isinstance(error.extra, list) else ()
    problems = [
        replace(it, code=code) if isinstance(it, Problem) else Problem.at(it.get("key", ""), code, it["message"])
        for it in fields
    ]
    problems = problems or [Problem(code=code, what=error.detail or "the request was refused")]
    return Response({"problems": problems}, status_code=error.status_code, headers=error.headers or {})


def store_unavailable(_: AnyRequest, error: StoreError) -> Response[dict[str, Any]]:
    """Answer that the store is unavailable; the client may retry."""
    if not isinstance(error, Unavailable):
        log.warning("the store is unavailable: %s", type(error).__name__)
    problem = Problem(code="store.away", what="the store does not answer: try again in a moment")
    return Response({"problems": [problem]}, status_code=503, headers={"Retry-After": "1"})


def altered_rows(_: AnyRequest, error: BrokenChain) -> Response[dict[str, Any]]:
    """Answer that stored rows were altered; a retry does not help."""
    return Response({"problems": [Problem(code="stream.unreadable", what=str(error))]}, status_code=409)


def fault(request: AnyRequest, error: Exception) -> Response[dict[str, Any]]:
    """Log and count a fault of the program; the client learns nothing about it."""
    server_of(request).metrics.faults.inc()
    log.error("fault", exc_info=error, extra={"method": request.method, "path": request.scope.get("path_template")})
    problem = Problem(code="http.500", what="an internal error: the server's log has the details")
    return Response({"problems": [problem]}, status_code=500)
