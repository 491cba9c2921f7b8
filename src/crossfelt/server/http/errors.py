"""Errors as HTTP responses, each a list of problems, and the OpenAPI document, which describes them."""

from __future__ import annotations

import copy
import logging
from typing import Any, Final

import msgspec
from litestar import Request, Response, Router
from litestar.exceptions import HTTPException
from litestar.openapi.plugins import JsonRenderPlugin
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
ERROR_RESPONSES: Final = {
    "400": "The request is malformed.",
    "401": "The client is not logged in, or name and password are wrong. Log in with POST /api/session.",
    "403": "The role does not allow it, or the request comes from another site or for another host.",
    "404": "Not found.",
    "405": "The path does not have this method.",
    "409": "Stored data was altered or is missing, or the table has rules of another version. A retry does not help.",
    "410": "The table has closed, and another one is open with new rules. Join that one.",
    "413": "The request is too large.",
    "422": "The request cannot be carried out. Every problem is listed.",
    "429": "Too many requests or attempts. Retry after the seconds in Retry-After.",
    "431": "The head of the request is too large.",
    "503": "The table is moving to another process, or the store is unavailable. Try again in a moment.",
}
"""Error responses of every route; each holds problems."""
PROBLEMS: Final = "Problems"


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


# --- the OpenAPI document ---------------------------------------------------------------------------------------------


class OpenApiJson(JsonRenderPlugin):
    """Renders the document."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return msgspec.json.encode(described(openapi_schema))

    def receive_router(self, router: Router) -> None:
        """Remove Litestar's page for unknown documents, which would answer for every path of the API."""
        router.routes = [route for route in router.routes if route.path != f"{router.path}/{{path:str}}"]


def described(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with the error responses, and with closed schemas of request bodies."""
    whole = copy.deepcopy(document)
    schemas = whole.setdefault("components", {}).setdefault("schemas", {})
    shapes, parts = msgspec.json.schema_components([Problem], ref_template="#/components/schemas/{name}")
    schemas |= parts
    schemas[PROBLEMS] = {
        "type": "object",
        "properties": {"problems": {"type": "array", "items": shapes[0]}},
        "required": ["problems"],
    }
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{PROBLEMS}"}}}
    for operations in whole.get("paths", {}).values():
        for operation in operations.values():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"] |= {
                    status: {"description": text, "content": content} for status, text in ERROR_RESPONSES.items()
                }
                _close(operation.get("requestBody", {}), schemas)
    return whole


def _close(body: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Forbid fields of a request body that its schemas do not name."""
    for kind in body.get("content", {}).values():
        for reference in _references(kind.get("schema", {})):
            shape = schemas.get(reference.rpartition("/")[2], {})
            if shape.get("type") == "object" and "properties" in shape:
                shape["additionalProperties"] = False


def _references(schema: dict[str, Any]) -> list[str]:
    if "$ref" in schema:
        return [str(schema["$ref"])]
    return [reference for part in schema.get("oneOf", ()) for reference in _references(part)]
