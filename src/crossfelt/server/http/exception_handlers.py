"""Exceptions as HTTP responses. Every error response is a list of problems."""

from __future__ import annotations

import logging
from typing import Any, Final

from litestar import Request, Response
from litestar.exceptions import ClientException, HTTPException
from litestar.status_codes import HTTP_429_TOO_MANY_REQUESTS

from crossfelt._util.bounded_input import InputTooLarge, bounded
from crossfelt.errors import BadInput, Problem
from crossfelt.server.runtime.limits import TooManyRequests
from crossfelt.server.store.interface import StoreError, Unavailable
from crossfelt.server.store.projection import BrokenChain

log = logging.getLogger(__name__)
STATUS: Final = {
    "table.unknown": 404,
    "account.unknown": 404,
    "clause.unknown": 404,
    "round.unknown": 404,
    "stream.unknown": 404,
    "seat.empty": 404,
    "review.none": 404,
    "question.unknown": 404,
    "approval.unknown": 404,
    "study.unknown": 404,
    "table.replaced": 410,
    "table.moving": 503,
    "table.outdated": 409,
    "table.unreadable": 409,
    "account.unreadable": 409,
    "policy.log_in": 401,
    "lan.code": 403,
    "invitation.key": 404,
    "export.none": 404,
    "policy.role": 403,
    "policy.password": 403,
    "account.credentials": 401,
}
"""The status of each code of a problem; 422 for the others."""


def bad_input(_: Request[Any, Any, Any], bad: BadInput) -> Response[dict[str, Any]]:
    """Answer with every problem of an input."""
    if isinstance(bad, TooManyRequests):
        headers = {"Retry-After": str(bad.seconds)}
        return Response({"problems": bad.problems}, status_code=HTTP_429_TOO_MANY_REQUESTS, headers=headers)
    return Response({"problems": bad.problems}, status_code=STATUS.get(bad.problems[0].code, 422))


def http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    """Answer an error of the framework with problems, one for each field that cannot be read."""
    code = f"http.{error.status_code}"
    fields = error.extra if isinstance(error.extra, list) else ()
    problems = [Problem(code=code, what=it["message"], where=it.get("key", "")) for it in fields]
    problems = problems or [Problem(code=code, what=error.detail or "the request was refused")]
    return Response({"problems": problems}, status_code=error.status_code, headers=error.headers or {})


class BoundedRequest(Request[Any, Any, Any]):
    """A request whose JSON is checked for its depth before it is decoded."""

    async def json(self) -> Any:
        try:
            bounded(await self.body())
        except InputTooLarge as error:
            raise ClientException(str(error)) from None
        return await super().json()


def store_unavailable(_: Request[Any, Any, Any], error: StoreError) -> Response[dict[str, Any]]:
    """Answer that the store is unavailable; the client may retry."""
    if not isinstance(error, Unavailable):
        log.warning("the store is unavailable: %s", type(error).__name__)
    problem = Problem(code="store.away", what="the store does not answer: try again in a moment")
    return Response({"problems": [problem]}, status_code=503, headers={"Retry-After": "1"})


def altered_rows(_: Request[Any, Any, Any], error: BrokenChain) -> Response[dict[str, Any]]:
    """Answer that stored rows were altered; a retry does not help."""
    return Response({"problems": [Problem(code="stream.unreadable", what=str(error))]}, status_code=409)


def fault(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """Log and count a fault of the program; the client learns nothing about it."""
    request.app.state.server.metrics.faults.inc()
    log.error("fault", exc_info=error, extra={"method": request.method, "path": request.scope.get("path_template")})
    problem = Problem(code="http.500", what="an internal error: the server's log has the details")
    return Response({"problems": [problem]}, status_code=500)
