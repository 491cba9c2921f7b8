"""Authentication of requests, and authorization of each route by its policy."""

from __future__ import annotations

import hmac
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Annotated, Any, Final, get_args

from litestar import Litestar, Request, Response
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.params import PathParameter, QueryParameter
from litestar.routes import HTTPRoute, WebSocketRoute
from litestar.status_codes import HTTP_204_NO_CONTENT

from crossfelt.errors import BadInput
from crossfelt.server.accounts.policy import ROUTES, comes_to_table_of, sees_everything, sees_table_of
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.core.errors import NoSuchTable, TableClosed
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.dual_control.rule import SECOND_PERSON
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.server import Server
from crossfelt.table.commands import Role

MAX_INTEGER: Final = 2**53
"""The largest whole number of a URL: every client can write it exactly."""
QueryInt = Annotated[int, QueryParameter(ge=-1, le=MAX_INTEGER)]
PathInt = Annotated[int, PathParameter(ge=0, le=MAX_INTEGER)]
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
COOKIE: Final = "crossfelt_session"
HTTPS_COOKIE: Final = f"__Host-{COOKIE}"
"""Browsers take this name only over HTTPS, from this very host."""
Connection = ASGIConnection[Any, Any, Any, Any]
ApiRequest = Request[Any, Any, Any]
PEER_HEADER: Final = "x-crossfelt-peer"
ON_BEHALF_OF_HEADER: Final = "x-crossfelt-for"
"""Headers between server processes that share a database: the shared secret, and the address of the client."""
PRINTABLE_ASCII: Final = frozenset(map(chr, range(0x20, 0x7F)))
DENIAL_CODES: Final = ("policy.role", "approval.same_person", "approval.interest", SECOND_PERSON)
"""Codes of refusals that concern the person, not the request."""
METHODS_WITHOUT_POLICY: Final = ("OPTIONS", "HEAD")
"""OPTIONS is public; HEAD has the policy of GET."""
_PARAMETER_TYPE: Final = re.compile(r":[a-z]+}")


def server_of(connection: Connection) -> Server:
    server = connection.app.state.server
    assert isinstance(server, Server)
    return server


def token_of(connection: Connection) -> str:
    """Return the token of a request; empty if it has none."""
    bearer = connection.headers.get("authorization", "")
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip()
    return connection.cookies.get(HTTPS_COOKIE) or connection.cookies.get(COOKIE, "")


def cookie_name(connection: Connection) -> str:
    return HTTPS_COOKIE if connection.url.scheme == "https" else COOKIE


def client_address(connection: Connection) -> str:
    """Return the client's address as rate limits count it. Another server process names the client it acts for."""
    secret = connection.headers.get(PEER_HEADER, "")
    if secret and hmac.compare_digest(secret.encode(), server_of(connection).peer_secret.encode()):
        return connection.headers.get(ON_BEHALF_OF_HEADER, "")
    return rate_limit_key(connection.client.host) if connection.client else ""


def is_host(connection: Connection) -> bool:
    """Return whether a request comes from the server's own machine, and from no proxy there."""
    forwarded = "x-forwarded-for" in connection.headers or "forwarded" in connection.headers
    return not forwarded and is_loopback(client_address(connection))


def is_loopback(host: str) -> bool:
    """Return whether a host is the machine itself.

    >>> [is_loopback(host) for host in ("127.0.0.1", "[::1]", "localhost", "192.0.2.7", "tables.example")]
    [True, True, True, False, False]
    """
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def rate_limit_key(host: str) -> str:
    """Return an IPv4 address, or the /64 network of an IPv6 address: one client can use all addresses of it.

    >>> [rate_limit_key(host) for host in ("192.0.2.7", "2001:db8:0:1:aaaa::5%eth0", "::ffff:192.0.2.7", "::1", "name")]
    ['192.0.2.7', '2001:db8:0:1::/64', '192.0.2.7', '::1', 'name']
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv4Address) or address.is_loopback:
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


def peer_headers(server: Server, address: str) -> dict[str, str]:
    """Return the headers of a request to another server process, on behalf of a client's address."""
    return {PEER_HEADER: server.peer_secret, ON_BEHALF_OF_HEADER: header_safe(address)}


def header_safe(value: str) -> str:
    """Return a header's value in printable ASCII, which httpx requires.

    Browsers send other characters too, such as a cookie that another site on this machine has set. No name or token
    of this server contains them.

    >>> header_safe("theme=\xe9t\xe9; crossfelt_session=a1 ")
    'theme=?t?; crossfelt_session=a1'
    """
    return "".join(sign if sign in PRINTABLE_ASCII else "?" for sign in value).strip()


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


async def answer_options(request: ApiRequest) -> Response[None] | None:
    """Answer OPTIONS with all methods of a path. Litestar's own answer names those of the first handler only."""
    if request.method != "OPTIONS":
        return None
    path = request.scope["path_template"]
    (methods,) = (
        route.methods for route in request.app.routes if isinstance(route, HTTPRoute) and route.path_format == path
    )
    return Response(None, status_code=HTTP_204_NO_CONTENT, headers={"Allow": ", ".join(sorted(methods))})


def current_user(connection: Connection) -> Identity:
    """Return the logged-in person, on a route whose policy requires one."""
    identity = connection.scope["user"]
    assert isinstance(identity, Identity)
    return identity


def visible_table(request: ApiRequest, table: str) -> TableActor:
    """Return a table that the user may see; another person's private table does not exist for them."""
    try:
        actor = server_of(request).pit.find(table)
    except TableClosed as closed:
        if sees_table(request, closed.successor):
            raise
        raise NoSuchTable(table) from None
    if not _sees(actor.settings, request.scope["user"]):
        raise NoSuchTable(table)
    return actor


def sees_table(request: ApiRequest, table: str) -> bool:
    """Return whether the user may know a table's name. A table this process does not know may be private."""
    settings, identity = server_of(request).pit.settings.get(table), request.scope["user"]
    return sees_everything(identity) if settings is None else _sees(settings, identity)


def _sees(settings: TableSettings, identity: Identity | None) -> bool:
    return sees_table_of(settings.owner, identity, settings.first_id)


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


async def record_denial(connection: Connection, act: str, why: str) -> None:
    """Record that a person tried an act for which they have no right."""
    identity, path = connection.scope["user"], connection.scope["path"]
    await server_of(connection).guard.denials.note(identity, act, why, client_address(connection), path)


@asynccontextmanager
async def recording_denials(request: ApiRequest, act: str) -> AsyncIterator[None]:
    """Record a denial that the route itself raises, after its policy has let the request pass."""
    try:
        yield
    except BadInput as bad:
        if (code := bad.problems[0].code) in DENIAL_CODES:
            await record_denial(request, act, code)
        raise


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
