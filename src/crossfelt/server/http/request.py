"""Requests to routes: the server, the client behind a request, and the tables that it may see."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Annotated, Any, Final

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.exceptions import ClientException
from litestar.params import PathParameter, QueryParameter

from crossfelt._util.bounded_input import bounded
from crossfelt.errors import BadInput
from crossfelt.rulebooks.struct_decoder import shape_problems
from crossfelt.server.accounts.policy import sees_everything, sees_table_of
from crossfelt.server.accounts.sessions import Identity
from crossfelt.server.core.errors import NoSuchTable, TableClosed
from crossfelt.server.core.settings import TableSettings
from crossfelt.server.dual_control.rule import SECOND_PERSON
from crossfelt.server.pit.actor import TableActor
from crossfelt.server.server import Server

MAX_INTEGER: Final = 2**53
"""The largest whole number of a URL: every client can write it exactly."""
QueryInt = Annotated[int, QueryParameter(ge=-1, le=MAX_INTEGER)]
PathInt = Annotated[int, PathParameter(ge=0, le=MAX_INTEGER)]
JSON_TYPE: Final = "application/json"
COOKIE: Final = "crossfelt_session"
HTTPS_COOKIE: Final = f"__Host-{COOKIE}"
"""Browsers take this name only over HTTPS, from this very host."""
PEER_HEADER: Final = "x-crossfelt-peer"
ON_BEHALF_OF_HEADER: Final = "x-crossfelt-for"
"""Headers between server processes that share a database: the shared secret, and the address of the client."""
PRINTABLE_ASCII: Final = frozenset(map(chr, range(0x20, 0x7F)))
DENIAL_CODES: Final = ("policy.role", "approval.same_person", "approval.interest", SECOND_PERSON)
"""Codes of refusals that concern the person, not the request."""
Connection = ASGIConnection[Any, Any, Any, Any]
AnyRequest = Request[Any, Any, Any]
"""A request as the framework hands it to middleware and handlers of exceptions."""


class ApiRequest(Request[Identity | None, Any, Any]):
    """A request to a route. Its `user` is None for a client that is not logged in."""

    @property
    def server(self) -> Server:
        return server_of(self)

    @property
    def person(self) -> Identity:
        """The logged-in person, on a route whose policy requires one."""
        assert self.user is not None
        return self.user

    @property
    def address(self) -> str:
        return client_address(self)

    @property
    def token(self) -> str:
        return token_of(self)

    async def json(self) -> Any:
        """Return the body, which says what it is, is not too deep, and holds the types that its route takes."""
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

    def visible_table(self, table: str) -> TableActor:
        """Return a table that the user may see; another person's private table does not exist for them."""
        try:
            actor = self.server.pit.find(table)
        except TableClosed as closed:
            if self.sees_table(closed.successor):
                raise
            raise NoSuchTable(table) from None
        if not self._sees(actor.settings):
            raise NoSuchTable(table)
        return actor

    def sees_table(self, table: str) -> bool:
        """Return whether the user may know a table's name. A table this process does not know may be private."""
        settings = self.server.pit.settings.get(table)
        return sees_everything(self.user) if settings is None else self._sees(settings)

    def _sees(self, settings: TableSettings) -> bool:
        return sees_table_of(settings.owner, self.user, settings.first_id)

    @asynccontextmanager
    async def recording_denials(self, act: str) -> AsyncIterator[None]:
        """Record a denial that the route itself raises, after its policy has let the request pass."""
        try:
            yield
        except BadInput as bad:
            if (code := bad.problems[0].code) in DENIAL_CODES:
                await record_denial(self, act, code)
            raise


def server_of(connection: Connection) -> Server:
    server = connection.app.state.server
    assert isinstance(server, Server)
    return server


async def record_denial(connection: Connection, act: str, why: str) -> None:
    """Record that a person tried an act for which they have no right."""
    identity, path = connection.scope["user"], connection.scope["path"]
    await server_of(connection).guard.note(identity, act, why, client_address(connection), path)


def token_of(connection: Connection) -> str:
    """Return the token of a request; empty if it has none."""
    bearer = connection.headers.get("authorization", "")
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip()
    return connection.cookies.get(HTTPS_COOKIE) or connection.cookies.get(COOKIE, "")


def cookie_name(connection: Connection) -> str:
    return HTTPS_COOKIE if connection.url.scheme == "https" else COOKIE


# --- addresses --------------------------------------------------------------------------------------------------------


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
