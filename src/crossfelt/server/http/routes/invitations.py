"""Invitations: a link and a QR code for friends, with the access code, to the lobby or to one table.

The secrets are in the fragment of the link, which a browser sends in no request.
"""

from __future__ import annotations

import hmac
from typing import Final
from urllib.parse import urlencode

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from crossfelt._util.qr_code import QrCode, qr_code
from crossfelt.errors import BadInput
from crossfelt.server.http.middleware.host_and_origin import host_name
from crossfelt.server.http.request import ApiRequest, is_loopback

LENGTH: Final = 16


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """A link for friends."""

    link: str
    this_machine: bool
    qr: QrCode


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    table: str


class Key(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str = ""


@get("/api/invitation", tags=["people"])
async def invite(request: ApiRequest) -> Invitation:
    """Return the link to the lobby, for the friends of a player."""
    return _invitation(request, "/")


@get("/api/tables/{table:str}/invitation", tags=["people"])
async def invite_to_table(request: ApiRequest, table: FromPath[str]) -> Invitation:
    """Return the link to a table. Its holder may sit down there, even if the table is private."""
    settings = request.visible_table(table).settings
    return _invitation(request, f"/table/{table}", _key_of(request, settings.first_id) if settings.owner else "")


@post("/api/tables/{table:str}/guests", tags=["people"])
async def accept(request: ApiRequest, table: FromPath[str], data: JSONBody[Key]) -> Accepted:
    """Accept the invitation to a private table: from then on you may sit there."""
    server, identity = request.server, request.person
    settings = server.pit.settings.get(table)
    if settings is None or not hmac.compare_digest(_key_of(request, settings.first_id).encode(), data.key.encode()):
        what = "this invitation does not fit the table: ask your friend for a new link"
        raise BadInput.at("key", "invitation.key", what)
    if settings.owner and settings.owner != identity.name:
        await server.accounts.accept_invitation(identity, settings.first_id)
    return Accepted(table=table)


def _invitation(request: ApiRequest, path: str, key: str = "") -> Invitation:
    server = request.server
    base = server.lan_url or str(request.base_url).rstrip("/")
    secrets = {name: value for name, value in (("code", server.code), ("invite", key)) if value}
    link = f"{base}{path}{'#' if secrets else ''}{urlencode(secrets)}"
    return Invitation(link=link, this_machine=is_loopback(host_name(base.partition("//")[2])), qr=qr_code(link))


def _key_of(request: ApiRequest, table: str) -> str:
    """Return the secret of a table's invitations, which no person can guess."""
    return hmac.digest(request.server.invitation_secret, table.encode(), "sha256").hex()[:LENGTH]
