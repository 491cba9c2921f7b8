"""Who asks: sessions in a cookie or a bearer token."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.exceptions import NotAuthorizedException
from litestar.params import JSONBody

from crossfelt.house.house import House
from crossfelt.house.people import Identity

COOKIE: Final = "crossfelt_session"
Connection = ASGIConnection[Any, Any, Any, Any]
NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,23}$"


def house_of(connection: Connection) -> House:
    house = connection.app.state.house
    assert isinstance(house, House)
    return house


def token_of(connection: Connection) -> str:
    """The token of a request; nothing where it has none."""
    bearer = connection.headers.get("authorization", "")
    if bearer.lower().startswith("bearer "):
        return bearer[7:].strip()
    return connection.cookies.get(COOKIE, "")


def who(connection: Connection) -> Identity | None:
    token = token_of(connection)
    return house_of(connection).people.who(token) if token else None


def must_be(connection: Connection) -> Identity:
    identity = who(connection)
    if identity is None:
        raise NotAuthorizedException(detail="come in first: POST /api/guests or POST /api/session")
    return identity


class NewGuest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(pattern=NAME)] | None = None


class Me(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None = None
    guest: bool = False
    roles: tuple[str, ...] = ()
    balance_cents: int = 0
    token: str | msgspec.UnsetType = msgspec.UNSET


def me_of(identity: Identity, token: str | msgspec.UnsetType = msgspec.UNSET) -> Me:
    return Me(
        name=identity.name,
        guest=identity.guest,
        roles=tuple(sorted(identity.roles)),
        balance_cents=identity.balance_cents,
        token=token,
    )


@post("/api/guests", tags=["people"])
async def come_in(request: Request[None, None, Any], data: JSONBody[NewGuest | None] = None) -> Response[Me]:
    """Come in as a guest, with play money; the cookie is set, and the token given for programs."""
    token, identity = house_of(request).people.guest(data.name if data else None)
    return Response(me_of(identity, token), cookies=[session_cookie(token)])


@get("/api/me", tags=["people"])
async def me(request: Request[None, None, Any]) -> Me:
    """Who is asking; a name that is null for nobody."""
    identity = who(request)
    return me_of(identity) if identity else Me()


@delete("/api/session", tags=["people"])
async def log_out(request: Request[None, None, Any]) -> None:
    """Ends the session."""
    house_of(request).people.log_out(token_of(request))


def session_cookie(token: str) -> Cookie:
    return Cookie(key=COOKIE, value=token, httponly=True, samesite="strict", path="/")
