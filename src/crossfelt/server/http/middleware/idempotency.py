"""The header Idempotency-Key: a request of a logged-in person is carried out once, however often it is sent."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec
from litestar import Response
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from crossfelt.errors import BadInput, Problem
from crossfelt.server.http.middleware.host_and_origin import SAFE_METHODS
from crossfelt.server.http.request import AnyRequest, server_of
from crossfelt.server.store.idempotency_keys import CURRENT, KIND, CarriedOut, RequestKey, StoredAnswer

HEADER: Final = "idempotency-key"
LONGEST_KEY: Final = 100
_STATE: Final = "request_key"


class IdempotencyKeys(ASGIMiddleware):
    """Store the answer to a request with a key before it is sent. An answer that sets a cookie is not stored."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        CURRENT.set(None)  # a pipelined request starts in the context of the request before it
        if HEADER.encode() not in dict(scope["headers"]):
            await next_app(scope, receive, send)
            return
        status, headers, body = 500, dict[bytes, bytes](), b""

        async def keep(message: Any) -> None:
            nonlocal status, headers, body
            if message["type"] == "http.response.start":
                status, headers = message["status"], dict(message["headers"])
            else:
                body += message.get("body", b"")
                request: RequestKey | None = scope["state"].get(_STATE)
                whole = status < 500 and b"set-cookie" not in headers and not message.get("more_body")
                if request is not None and whole:
                    kind = headers.get(b"content-type", b"").decode()
                    answer = StoredAnswer(digest=request.digest, status=status, content_type=kind, body=body)
                    store = scope["app"].state.server.store
                    await store.commit([], lambda transaction: transaction.put(request.record(answer)))
            await send(message)

        await next_app(scope, receive, keep)


async def answer_repeated(request: AnyRequest) -> Response[bytes] | None:
    """Return the stored answer to a request that was sent before; None if it is to be carried out."""
    key, identity = request.headers.get(HEADER), request.scope.get("user")
    if key is None or identity is None or request.method in SAFE_METHODS:
        return None
    if not 0 < len(key) <= LONGEST_KEY:
        what, allowed = "the key of the request is too long or empty", f"1 to {LONGEST_KEY} characters"
        raise BadInput.at("Idempotency-Key", "request.key", what, allowed=allowed)
    digest = hashlib.sha256(f"{request.method} {request.url.path}\n".encode() + await request.body()).hexdigest()
    server, name = server_of(request), f"{identity.account}/{key}"
    stored = await server.store.record(KIND, name)
    if stored is None:
        asked = RequestKey(key=name, digest=digest, now=server.now())
        request.scope["state"][_STATE] = asked
        CURRENT.set(asked)
        return None
    answer = msgspec.msgpack.decode(stored.body, type=StoredAnswer)
    if answer.digest != digest:
        what = "this key belongs to another request: give every request its own key"
        raise BadInput.at("Idempotency-Key", "request.key", what, key)
    if not answer.status:
        raise CarriedOut
    return Response(answer.body, status_code=answer.status, media_type=answer.content_type)


def carried_out(request: AnyRequest, _: CarriedOut) -> Response[dict[str, Any]]:
    """Answer that a request was carried out, but that its answer was lost or is still to come."""
    request.scope["state"].pop(_STATE, None)  # the first answer is not replaced by this one
    what = "this request was carried out before, and its answer is not known: read again what it changed"
    return Response({"problems": [Problem(code="request.carried_out", what=what)]}, status_code=409)
