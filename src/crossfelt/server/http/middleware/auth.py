"""Authentication of requests, and authorization of each route by its policy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, get_args

from litestar import Litestar, Response
from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute, WebSocketRoute
from litestar.status_codes import HTTP_204_NO_CONTENT

from crossfelt.errors import BadInput
from crossfelt.server.accounts.policy import ROUTES, comes_to_table_of
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.http.request import AnyRequest, Connection, client_address, server_of, token_of
from crossfelt.table.commands import Role

TABLE_ROLES: Final = get_args(Role)
ROUTE_COSTS: Final = {
    "POST /api/accounts": 50,
    "POST /api/tables": 5,
    "POST /api/laboratory": 5,
    "GET /api/tables/{table}/review": 5,
    "GET /api/tables/{table}/edge/{wager}": 2,
    "GET /api/tables/{table}/history": 10,
    "GET /api/tables/{table}/own-rounds": 10,
    "GET /api/tables/{table}/own-rounds.csv": 10,
    "GET /api/audit/sample": 20,
    "GET /api/audit/evidence": 50,
    "POST /api/audit/verify": 50,
}
"""Slow routes count as several requests."""
SHOW_RESULTS: Final = frozenset(
    f"GET /api/tables/{{table}}/{path}"
    for path in (
        *("proof/{event}", "review", "rounds", "rounds/{number}", "rounds/{number}/replay", "rounds/{number}/dispute"),
        *("cases", "history", "own-rounds", "own-rounds.csv", "figures", "statistics"),
    )
)
"""Routes with the results of rounds, which answer the questions of an exam."""
METHODS_WITHOUT_POLICY: Final = ("OPTIONS", "HEAD")
"""OPTIONS is public; HEAD has the policy of GET."""
_PARAMETER_TYPE: Final = re.compile(r":[a-z]+}")


async def authenticate(connection: Connection) -> Identity | None:
    """Return the person whose token the request carries; None without a valid token."""
    token = token_of(connection)
    return await server_of(connection).accounts.identify(token) if token else None


async def guard(connection: Connection, _: BaseRouteHandler) -> None:
    """Authenticate a request, charge its rate limits and check the policy of its route and an open exam."""
    server, address = server_of(connection), client_address(connection)
    server.address_limits.take(address)
    if connection.scope.get("method") == "OPTIONS":
        return
    identity = await authenticate(connection)
    connection.scope["user"] = identity
    method = connection.scope.get("method", "GET")
    route = route_key("GET" if method == "HEAD" else str(method), connection.scope["path_template"])
    cost = ROUTE_COSTS.get(route, 1)
    if identity is None:
        server.address_limits.take(address, cost - 1)
    elif connection.scope["path"].startswith("/api/"):  # a page has many files, which are free
        server.account_limits.take(identity.account, cost)
    await server.guard.check_route(identity, route, address, connection.scope["path"])
    if identity is not None and route in SHOW_RESULTS:
        table = connection.path_params["table"]
        if await server.exams.of(identity.account, table) is not None:
            raise BadInput.at("table", "exam.hidden", "your exam at this table hides its results: end it first", table)


async def answer_options(request: AnyRequest) -> Response[None] | None:
    """Answer OPTIONS with all methods of a path. Litestar's own answer names those of the first handler only."""
    if request.method != "OPTIONS":
        return None
    path = request.scope["path_template"]
    (methods,) = (
        route.methods for route in request.app.routes if isinstance(route, HTTPRoute) and route.path_format == path
    )
    return Response(None, status_code=HTTP_204_NO_CONTENT, headers={"Allow": ", ".join(sorted(methods))})


def why_not_role(role: str, identity: Identity | None, settings: TableSettings) -> str | None:
    """Return why a person may not join a table in a role, or None. The owner of a private table may deal at it."""
    if role not in TABLE_ROLES:
        return f"unknown role; choose one of {', '.join(TABLE_ROLES)}"
    if identity is None and role != "spectator":
        return "log in first: POST /api/guests or POST /api/session"
    if not comes_to_table_of(settings.owner, identity, settings.first_id):
        return "this is a private table: ask its owner for an invitation link"
    if identity is None or role == "spectator":
        return None
    deals = settings.owner == identity.name and settings.dealt_by != "automatic" and role == "dealer"
    if identity.must_set_password:
        return "set your own password first"
    if role == "player" and role not in identity.roles:
        return "staff do not play: log in with a player's account, or watch"
    return None if role in identity.roles or deals else f"you do not have the role {role}; an owner can give it to you"


def route_key(method: str, template: str) -> str:
    """Return a route as the policies name it.

    >>> route_key("GET", "/api/tables/{table:str}/rounds/{number:int}")
    'GET /api/tables/{table}/rounds/{number}'
    """
    return f"{method} {_PARAMETER_TYPE.sub('}', template)}"


def routes_of(app: Litestar) -> Iterator[str]:
    """Yield every route of an application that needs a policy."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            methods = sorted(route.methods.difference(METHODS_WITHOUT_POLICY))
            yield from (route_key(method, route.path) for method in methods)
        elif isinstance(route, WebSocketRoute):
            yield route_key("GET", route.path)


def require_policies(routes: Iterable[str]) -> None:
    """Refuse to start with a route that has no policy."""
    missing = sorted(set(routes).difference(ROUTES))
    if missing:
        raise AssertionError(f"routes without a policy: {', '.join(missing)}")
