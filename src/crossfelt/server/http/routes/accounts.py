"""Guests, accounts, log-in sessions, passwords and play money."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from litestar import Response, delete, get, post, put
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter

from crossfelt._util.shared_fields import shared_fields
from crossfelt.errors import BadInput
from crossfelt.server.accounts.account import ROLES
from crossfelt.server.accounts.accounts import DAY_LIMIT
from crossfelt.server.accounts.login_attempts import PER_ADDRESS, charge, clear_attempts
from crossfelt.server.accounts.sessions import Identity, OpenSession, SessionToken
from crossfelt.server.accounts.usernames import account_key, account_stream, shown_name
from crossfelt.server.core.bots import bot_style
from crossfelt.server.dual_control.rule import second_person_problem
from crossfelt.server.http.request import COOKIE, ApiRequest, QueryInt, cookie_name, is_host

LARGEST_DEPOSIT: Final = 100_000_00
LONGEST_SUSPENSION: Final = 3650
MOST_ACCOUNTS: Final = 200
PRIVATE: Final = "private"
LONGEST_NAME: Final = 64
"""Longer than any account's name, and short enough to look up."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
NameInPath = Annotated[str, PathParameter(max_length=LONGEST_NAME)]
NameInQuery = Annotated[str, QueryParameter(max_length=LONGEST_NAME)]
Password = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
Deposit = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_DEPOSIT)]


class NewGuest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name | None = None
    code: str = ""
    """The code of a server that accepts the local network."""


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    password: Password
    code: str = ""


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    old: Password
    new: Password


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


class NewDeposit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cents: Deposit
    reason: Annotated[str, msgspec.Meta(max_length=200)] = ""


class NewRoles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    roles: tuple[str, ...]


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """The logged-in person; `name` is null for a client that is not logged in."""

    name: str | None = None
    account: str = ""
    """The name under which the journal records the person."""
    guest: bool = False
    roles: tuple[str, ...] = ()
    balance_cents: int = 0
    must_set_password: bool = False
    code_needed: bool = False


class SessionStarted(Me, frozen=True, kw_only=True):
    """A new session. Programs send the token as `Authorization: Bearer`; browsers get it as a cookie."""

    token: str
    until: int


class AccountLine(msgspec.Struct, frozen=True, kw_only=True):
    """An account as staff see it."""

    account: str
    name: str
    guest: bool
    roles: tuple[str, ...]
    balance_cents: int
    at_tables: dict[str, int]
    """Chips by table and seat. Private tables that the user may not see are summed as `private`."""
    suspended_until: int = 0
    """The end of a suspension; 0 if the account is not suspended."""
    suspended_why: str = ""
    unreadable: bool = False
    """The rows of the account were altered: only its key is known."""


async def _me(request: ApiRequest, identity: Identity) -> Me:
    account = await request.server.accounts.account(identity.account)
    return Me(**shared_fields(identity, Me), balance_cents=account.balance_cents, code_needed=_code_needed(request))


async def _session_response(request: ApiRequest, session: SessionToken, status: int = 201) -> Response[SessionStarted]:
    me = await _me(request, session.identity)
    body = SessionStarted(**msgspec.structs.asdict(me), token=session.token, until=session.until)
    secure = request.url.scheme == "https"
    name = cookie_name(request)
    cookie = Cookie(key=name, value=session.token, httponly=True, samesite="strict", path="/", secure=secure)
    return Response(body, status_code=status, cookies=[cookie])


def _free_name(text: str) -> str:
    """Refuse names that are reserved for bots."""
    if bot_style(account_key(shown_name(text))) is not None:
        raise BadInput.at("name", "account.reserved", "this name is reserved for bots: choose another", text)
    return text


def _code_needed(request: ApiRequest) -> bool:
    return bool(request.server.code) and not is_host(request)


async def _check_code(request: ApiRequest, code: str) -> None:
    """Refuse a wrong code. Each wrong guess from an address makes the next wait longer. The host needs no code."""
    server = request.server
    if not _code_needed(request):
        return
    key = f"code {request.address}"
    await server.store.commit([], lambda transaction: charge(transaction, key, PER_ADDRESS, server.now()))
    if not hmac.compare_digest(server.code.encode(), code.strip().lower().encode()):
        raise BadInput.at("code", "lan.code", "wrong code: use the one that the server printed at its start")
    await server.store.commit([], lambda transaction: clear_attempts(transaction, key))


@post("/api/guests", tags=["people"])
async def join_as_guest(request: ApiRequest, data: JSONBody[NewGuest | None] = None) -> Response[SessionStarted]:
    """Log in as a guest, with play money."""
    await _check_code(request, data.code if data else "")
    name = _free_name(data.name) if data and data.name else None
    return await _session_response(request, await request.server.accounts.guest(name, request.address))


@post("/api/accounts", tags=["people"])
async def register(request: ApiRequest, data: JSONBody[Credentials]) -> Response[SessionStarted]:
    """Create an account with a password, and log in."""
    await _check_code(request, data.code)
    session = await request.server.accounts.register(_free_name(data.name), data.password, request.address)
    return await _session_response(request, session)


@post("/api/session", tags=["people"])
async def log_in(request: ApiRequest, data: JSONBody[Credentials]) -> Response[SessionStarted]:
    """Log in. Failed attempts are limited by name and by address."""
    session = await request.server.accounts.log_in(data.name, data.password, request.address)
    return await _session_response(request, session)


@delete("/api/session", tags=["people"])
async def log_out(request: ApiRequest) -> Response[None]:
    """Log out."""
    await request.server.accounts.log_out(request.token)
    name = cookie_name(request)
    gone = Cookie(key=name, value="", max_age=0, path="/", secure=name != COOKIE)
    return Response(None, status_code=204, cookies=[gone])


@get("/api/me", tags=["people"])
async def me(request: ApiRequest) -> Me:
    """Return the logged-in person; `name` is null for a client that is not logged in."""
    identity = request.user
    return await _me(request, identity) if identity else Me(code_needed=_code_needed(request))


@put("/api/me/password", tags=["people"])
async def set_password(request: ApiRequest, data: JSONBody[NewPassword]) -> Response[SessionStarted]:
    """Change the password; all other sessions end."""
    accounts, token, address = request.server.accounts, request.token, request.address
    session = await accounts.set_password(request.person, data.old, data.new, token=token, address=address)
    return await _session_response(request, session, status=200)


@put("/api/me/name", tags=["people"])
async def rename(request: ApiRequest, data: JSONBody[NewName]) -> Response[SessionStarted]:
    """Change a guest's name. Play money and invitations move to the new name; rounds stay with the old one."""
    identity, name = request.person, _free_name(data.name)
    accounts, token, address = request.server.accounts, request.token, request.address
    session = await accounts.rename_guest(identity, name, token=token, address=address)
    return await _session_response(request, session, status=200)


@post("/api/me/deposits", tags=["people"])
async def top_up(request: ApiRequest, data: JSONBody[NewDeposit]) -> Me:
    """Add play money to your own account."""
    identity = request.person
    await request.server.accounts.deposit(identity, identity.account, data.cents, data.reason)
    return await _me(request, identity)


@get("/api/accounts", tags=["people"])
async def accounts(request: ApiRequest, after: NameInQuery = "", limit: QueryInt = MOST_ACCOUNTS) -> list[AccountLine]:
    """List accounts by name; `after` continues after the last one of the page before."""
    prefix, most = account_stream(""), max(1, min(limit, MOST_ACCOUNTS))
    found = await request.server.store.streams(prefix, account_stream(after), most)
    return [await _line_in_list(request, head.stream.removeprefix(prefix)) for head in found]


async def _line_in_list(request: ApiRequest, key: str) -> AccountLine:
    """Return an account for the list, also one that cannot be read."""
    try:
        return await _line(request, key)
    except BadInput:
        return AccountLine(account=key, name=key, guest=False, roles=(), balance_cents=0, at_tables={}, unreadable=True)


async def _line(request: ApiRequest, key: str) -> AccountLine:
    account = await request.server.accounts.account(key)
    suspension = account.suspension(request.server.now())
    return AccountLine(
        account=key,
        **shared_fields(account, AccountLine) | {"at_tables": _visible_chips(request, account.at_tables)},
        suspended_until=suspension.until if suspension else 0,
        suspended_why=f"{suspension.reason} ({suspension.by})" if suspension else "",
    )


def _visible_chips(request: ApiRequest, at_tables: Mapping[str, int]) -> dict[str, int]:
    chips: dict[str, int] = {}
    for place, cents in at_tables.items():
        table, _, _ = place.rpartition(":")
        name = place if request.sees_table(table) else PRIVATE
        chips[name] = chips.get(name, 0) + cents
    return chips


@put("/api/accounts/{name:str}/roles", tags=["people"], description=f"Set an account's roles: {', '.join(ROLES)}.")
async def set_roles(request: ApiRequest, name: NameInPath, data: JSONBody[NewRoles]) -> AccountLine:
    server, by = request.server, request.person
    account, after = await server.accounts.check_roles(name, data.roles)
    problem = await server.dual_control.roles_problem(by, account_key(name), account.roles, after)
    if problem is not None:
        raise BadInput(problem)
    await server.accounts.set_roles(by, name, data.roles)
    return await _line(request, account_key(name))


@post("/api/accounts/{name:str}/deposits", tags=["people"])
async def deposit(request: ApiRequest, name: NameInPath, data: JSONBody[NewDeposit]) -> AccountLine:
    """Add play money to another person's account, up to the most that it takes in a day; propose a larger `deposit`."""
    by = request.person
    if account_key(name) == by.account:
        raise BadInput.at("name", "approval.interest", "this is your account: another person deposits for you", by.name)
    try:
        await request.server.accounts.deposit(by, name, data.cents, data.reason)
    except BadInput as refused:
        if refused.problems[0].code == DAY_LIMIT:
            raise BadInput(second_person_problem(f"{refused.problems[0].what}: propose more", "deposit")) from None
        raise
    return await _line(request, account_key(name))


class OneTimePassword(msgspec.Struct, frozen=True, kw_only=True):
    """A password for one log-in, after which the person sets their own. It is shown only here."""

    account: str
    password: str


class NewSuspension(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    days: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_SUSPENSION)]
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=r"\S")]


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=r"\S")]


@post("/api/staff", tags=["people"])
async def create_staff(request: ApiRequest, data: JSONBody[NewName]) -> OneTimePassword:
    """Create an account for a named person, without money; its roles follow."""
    password = await request.server.accounts.create_staff(request.person, _free_name(data.name))
    return OneTimePassword(account=account_key(data.name), password=password)


@post("/api/accounts/{name:str}/password", tags=["people"])
async def reset_password(request: ApiRequest, name: NameInPath) -> OneTimePassword:
    """Make a one-time password for a person who has lost theirs; their sessions end."""
    password = await request.server.accounts.reset_password(request.person, name)
    return OneTimePassword(account=account_key(name), password=password)


@post("/api/accounts/{name:str}/suspension", tags=["people"])
async def suspend(request: ApiRequest, name: NameInPath, data: JSONBody[NewSuspension]) -> AccountLine:
    """Suspend another person's account for some days: its sessions end, and its seat is given up after the round.

    Only the owner suspends staff.
    """
    by = request.person
    if account_key(name) == by.account:
        raise BadInput.at("name", "approval.interest", "this is your account: another person suspends it", by.name)
    await request.server.accounts.suspend(by, name, data.days, data.reason)
    return await _line(request, account_key(name))


@delete("/api/accounts/{name:str}/suspension", tags=["people"], status_code=200)
async def reinstate(request: ApiRequest, name: NameInPath, data: JSONBody[Reason]) -> AccountLine:
    """Lift the suspension by staff; one that the player asked for stays."""
    await request.server.accounts.reinstate(request.person, name, data.reason)
    return await _line(request, account_key(name))


@post("/api/me/suspension", tags=["people"])
async def suspend_me(request: ApiRequest, data: JSONBody[NewSuspension]) -> None:
    """Suspend your own account for some days. Nobody can lift it."""
    identity = request.person
    await request.server.accounts.suspend(identity, identity.account, data.days, data.reason)


@delete("/api/me", tags=["people"])
async def close_me(request: ApiRequest) -> None:
    """Close your own account for good, once you have left every seat. Its name stays taken, and its rounds stay."""
    await request.server.accounts.close_own(request.person)


@get("/api/me/sessions", tags=["people"])
async def my_sessions(request: ApiRequest) -> list[OpenSession]:
    """List the sessions in which you are logged in."""
    return await request.server.accounts.sessions_of(request.person.account)


@delete("/api/me/sessions/{session:str}", tags=["people"])
async def end_my_session(request: ApiRequest, session: FromPath[str]) -> None:
    """End one of your sessions."""
    identity = request.person
    await request.server.accounts.end_session(identity, identity.account, session)


@get("/api/accounts/{name:str}/sessions", tags=["people"])
async def sessions(request: ApiRequest, name: NameInPath) -> list[OpenSession]:
    """List the sessions in which a person is logged in."""
    return await request.server.accounts.sessions_of(account_key(name))


@delete("/api/accounts/{name:str}/sessions/{session:str}", tags=["people"])
async def end_session(request: ApiRequest, name: NameInPath, session: FromPath[str]) -> None:
    """End a session of a person."""
    await request.server.accounts.end_session(request.person, account_key(name), session)
