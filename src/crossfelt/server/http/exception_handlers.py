"""Exceptions as HTTP responses. Every error response is a list of problems."""

from __future__ import annotations

import logging
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import ClientException, HTTPException
from litestar.status_codes import HTTP_429_TOO_MANY_REQUESTS, HTTP_500_INTERNAL_SERVER_ERROR
from msgspec.structs import replace

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput, Problem
from crossfelt.rulebooks.struct_decoder import shape_problems
from crossfelt.server.runtime.limits import TooManyRequests
from crossfelt.server.store.interface import StoreError, Unavailable
from crossfelt.server.store.projection import BrokenChain

log = logging.getLogger(__name__)
JSON_TYPE: Final = "application/json"
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


def http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
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


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON says what it is, is not too deep, and holds the types that its route takes."""

    async def json(self) -> Any:
        body = await self.body()
        if body and self.content_type[0] != JSON_TYPE:
            raise ClientException(f"the body must be JSON: send the header Content-Type: {JSON_TYPE}")
        try:
            data = msgspec.json.decode(bounded(body) or b"null")
        except UnicodeDecodeError:
            raise ClientException("the body is not valid UTF-8") from None
        except msgspec.DecodeError as error:
            raise ClientException(f"the body cannot be read: {error}") from None
        # The framework would take "100" for a number, because it reads a body like a query.
        field = self.route_handler.parsed_data_field
        if field is not None and (problems := shape_problems(field.annotation, data)):
            raise ClientException("the body is malformed", extra=problems)
        return data


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
