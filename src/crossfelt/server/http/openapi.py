"""The OpenAPI document: Litestar's, with the error responses that any route can give."""

from __future__ import annotations

import copy
from typing import Any, Final

import msgspec
from litestar import Request, Router
from litestar.openapi.plugins import JsonRenderPlugin

from crossfelt.errors import Problem

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
