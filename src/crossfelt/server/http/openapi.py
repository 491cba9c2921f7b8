"""The OpenAPI document of the house: what Litestar writes, with what guards and refusals add."""

from __future__ import annotations

import copy
from typing import Any, Final

import msgspec
from litestar import Request, Router
from litestar.openapi.plugins import JsonRenderPlugin

from crossfelt.errors import Problem

REFUSALS: Final = {
    "400": "The request cannot be read.",
    "401": "Nobody is logged in, or name and password are wrong.",
    "403": "Not for this role, or a request of another site.",
    "404": "There is no such thing.",
    "405": "Not a method of this path.",
    "409": "What was stored was altered or is missing, or the table is outdated: to ask again does not help.",
    "410": "The table has closed, and another with new rules is open: join that one.",
    "413": "The request is too large.",
    "422": "It cannot be done as it was asked for: every problem is named.",
    "429": "Too many attempts or requests; Retry-After says when to ask again.",
    "431": "The head of the request is too large.",
    "503": "The table is moving, or the store does not answer: try again in a moment.",
}
"""How any request may be refused; each answer holds problems."""
PROBLEMS: Final = "Problems"


class OpenApiJson(JsonRenderPlugin):
    """Renders the document."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return msgspec.json.encode(described(openapi_schema))

    def receive_router(self, router: Router) -> None:
        """Litestar's own page about documents that are not found would answer for every path of the API."""
        router.routes = [route for route in router.routes if route.path != f"{router.path}/{{path:str}}"]


def described(document: dict[str, Any]) -> dict[str, Any]:
    """The document with every way to be refused, and with closed shapes of what is sent."""
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
                    status: {"description": told, "content": content} for status, told in REFUSALS.items()
                }
                _close(operation.get("requestBody", {}), schemas)
    return whole


def _close(body: dict[str, Any], schemas: dict[str, Any]) -> None:
    """What is sent has no fields but those that are named."""
    for kind in body.get("content", {}).values():
        for reference in _references(kind.get("schema", {})):
            shape = schemas.get(reference.rpartition("/")[2], {})
            if shape.get("type") == "object" and "properties" in shape:
                shape["additionalProperties"] = False


def _references(schema: dict[str, Any]) -> list[str]:
    if "$ref" in schema:
        return [str(schema["$ref"])]
    return [reference for part in schema.get("oneOf", ()) for reference in _references(part)]
