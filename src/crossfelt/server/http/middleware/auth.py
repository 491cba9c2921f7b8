"""Every route passes the table of policies; who asks is found once, and is then the request's user."""

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
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.wiring import Server
from crossfelt.table.commands import Role

LARGEST: Final = 2**53
Count = Annotated[int, QueryParameter(ge=-1, le=LARGEST)]
Number = Annotated[int, PathParameter(ge=0, le=LARGEST)]
"""Whole numbers in an address, as large as any client can write exactly."""
AT_A_TABLE: Final = get_args(Role)
COSTS: Final = {
    "POST /api/accounts": 50,
    "POST /api/tables": 5,
    "POST /api/laboratory": 5,
    "GET /api/tables/{table}/review": 5,
    "GET /api/tables/{table}/history": 10,
    "POST /api/audit/verify": 50,
}
"""What takes much longer than an ordinary request counts for as many."""
COOKIE: Final = "crossfelt_session"
Connection = ASGIConnection[Any, Any, Any, Any]
Asking = Request[Any, Any, Any]
NEIGHBOUR: Final = "x-crossfelt-neighbour"
ASKS_FOR: Final = "x-crossfelt-for"
PLAIN: Final = frozenset(map(chr, range(0x20, 0x7F)))
"""Signs that every header may have."""
WITHHELD: Final = ("policy.role", "approval.same_person", "approval.own_account")
"""Refusals of who asks, not of what is asked for."""
UNDECIDED: Final = ("OPTIONS", "HEAD")
"""Methods that say nothing which everybody may not know, or GET does not say."""
_TYPED: Final = re.compile(r":[a-z]+}")


def server_of(connection: Connection) -> Server:
    server = connection.app.state.server
    assert isinstance(server, Server)
    return server


def token_of(connection: Connection) -> str:
    """The token of a request; nothing where it has none."""
    bearer = connection.headers.get("authorization", "")
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip()
    return connection.cookies.get(COOKIE, "")


def address_of(connection: Connection) -> str:
    """Where a request comes from, as it is counted; what another process of the house hands on, it says for whom."""
    known = connection.headers.get(NEIGHBOUR, "")
    if known and hmac.compare_digest(known.encode(), server_of(connection).neighbour.encode()):
        return connection.headers.get(ASKS_FOR, "")
    return counted_as(connection.client.host) if connection.client else ""


def counted_as(host: str) -> str:
    """An address; of the sixth version its network, in which whoever has one address has as many as they like.

    >>> [counted_as(host) for host in ("192.0.2.7", "2001:db8:0:1:aaaa::5%eth0", "::ffff:192.0.2.7", "::1", "a name")]
    ['192.0.2.7', '2001:db8:0:1::/64', '192.0.2.7', '::1', 'a name']
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv4Address) or address.is_loopback:
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


def as_neighbour(server: Server, address: str) -> dict[str, str]:
    """The headers of what is handed on for somebody at an address."""
    return {NEIGHBOUR: server.neighbour, ASKS_FOR: sendable(address)}


def sendable(value: str) -> str:
    """What can be handed on of a header: a browser sends what it likes, as a cookie that another site of this machine
    has set, and who asks a neighbour can say nothing but plain signs. No name or token of the house has others.

    >>> sendable("theme=\xe9t\xe9; crossfelt_session=a1 ")
    'theme=?t?; crossfelt_session=a1'
    """
    return "".join(sign if sign in PLAIN else "?" for sign in value).strip()


async def identity_of(connection: Connection) -> Identity | None:
    """Who is asking; None for a stranger."""
    token = token_of(connection)
    return await server_of(connection).accounts.identify(token) if token else None


async def guard(connection: Connection, _: BaseRouteHandler) -> None:
    """Lets a request through, or refuses it."""
    server, address = server_of(connection), address_of(connection)
    server.addresses.take(address)
    if connection.scope.get("method") == "OPTIONS":
        return
    identity = await identity_of(connection)
    connection.scope["user"] = identity
    method = connection.scope.get("method", "GET")
    route = route_key("GET" if method == "HEAD" else str(method), connection.scope["path_template"])
    cost = COSTS.get(route, 1)
    if identity is None:
        server.addresses.take(address, cost - 1)  # a stranger has nothing else that could be charged
    elif connection.scope["path"].startswith("/api/"):
        # The files of a page are many, and cost nothing.
        server.people.take(identity.account, cost)
    await server.guard.check_route(identity, route, address, connection.scope["path"])


async def tell_methods(request: Asking) -> Response[None] | None:
    """The answer to OPTIONS: anybody may know which methods a path has, as all are told by the description of the API.
    Litestar's own answer has only those of the first handler."""
    if request.method != "OPTIONS":
        return None
    path = request.scope["path_template"]
    (methods,) = (
        route.methods for route in request.app.routes if isinstance(route, HTTPRoute) and route.path_format == path
    )
    return Response(None, status_code=HTTP_204_NO_CONTENT, headers={"Allow": ", ".join(sorted(methods))})


def asker(connection: Connection) -> Identity:
    """Who is asking, on a route that is for people who have come in."""
    identity = connection.scope["user"]
    assert isinstance(identity, Identity)
    return identity


def visible_table(request: Asking, table: str) -> TableActor:
    """A table that whoever asks may look at; somebody else's private one is none."""
    try:
        actor = server_of(request).pit.find(table)
    except TableClosed as closed:
        if sees_table(request, closed.successor):
            raise
        raise NoSuchTable(table) from None
    if not sees_table_of(actor.settings.owner, request.scope["user"]):
        raise NoSuchTable(table)
    return actor


def sees_table(request: Asking, table: str) -> bool:
    """Whether whoever asks may see the name of a table; one that this process does not know may be anybody's."""
    settings, identity = server_of(request).pit.settings.get(table), request.scope["user"]
    return sees_everything(identity) if settings is None else sees_table_of(settings.owner, identity)


def why_not_as(role: str, identity: Identity | None, settings: TableSettings) -> str | None:
    """Why somebody may not be at a table in a role; None where they may. At one's own table one may deal oneself."""
    if role not in AT_A_TABLE:
        return f"no such role: {', '.join(AT_A_TABLE)}"
    if not comes_to_table_of(settings.owner, identity):
        return "this is somebody else's table"
    if role == "spectator":
        return None
    if identity is None:
        return "come in first: POST /api/guests or POST /api/session"
    own = settings.owner == identity.name and settings.dealt_by != "automatic" and role == "dealer"
    if identity.must_set_password:
        return "set a password of your own first"
    return None if role in identity.roles or own else f"you are no {role} here"


async def note_withheld(connection: Connection, act: str, why: str) -> None:
    """Who asks for a place or an act that is not theirs, behind the table or above it, is noted."""
    identity, path = connection.scope["user"], connection.scope["path"]
    await server_of(connection).guard.denials.note(identity, act, why, address_of(connection), path)


@asynccontextmanager
async def noting_refusals(request: Asking, act: str) -> AsyncIterator[None]:
    """Who may not do what a route does, although it is open to them, is noted as well."""
    try:
        yield
    except BadInput as bad:
        if (code := bad.problems[0].code) in WITHHELD:
            await note_withheld(request, act, code)
        raise


def route_key(method: str, template: str) -> str:
    """A route as the table of policies has it.

    >>> route_key("GET", "/api/tables/{table:str}/rounds/{number:int}")
    'GET /api/tables/{table}/rounds/{number}'
    """
    return f"{method} {_TYPED.sub('}', template)}"


def routes_of(app: Litestar) -> Iterator[str]:
    """Every route of an application."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            yield from (route_key(method, route.path) for method in sorted(route.methods) if method not in UNDECIDED)
        elif isinstance(route, WebSocketRoute):
            yield route_key("GET", route.path)


def require_policies(routes: Iterable[str]) -> None:
    """A route that nobody has decided about stops the house from starting."""
    missing = sorted(set(routes).difference(ROUTES))
    if missing:
        raise AssertionError(f"routes without a policy: {', '.join(missing)}")
