"""The web application of a house."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final

from litestar import Litestar, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.status_codes import HTTP_429_TOO_MANY_REQUESTS

from crossfelt import __version__
from crossfelt.house.audit.journal import HOUSE
from crossfelt.house.house import House
from crossfelt.house.http import (
    asking,
    auditing,
    dealing,
    disputes,
    figures,
    floor,
    metering,
    records,
    reporting,
    session,
    submissions,
    tables,
    training,
)
from crossfelt.house.http.describing import HouseJson
from crossfelt.house.http.doors import Doors, add_headers
from crossfelt.house.http.forwarding import LARGEST_BODY, Forwarding
from crossfelt.house.http.guarding import guard, house_of, require_policies, routes_of
from crossfelt.house.http.pages import page_handlers
from crossfelt.house.http.turnstile import Turnstile
from crossfelt.house.live.socket import live
from crossfelt.house.rates import TooMany
from crossfelt.house.store.port import StoreError
from crossfelt.problems import BadInput, Problem

log = logging.getLogger(__name__)
STATUS: Final = {
    "table.unknown": 404,
    "account.unknown": 404,
    "clause.unknown": 404,
    "round.unknown": 404,
    "stream.unknown": 404,
    "seat.empty": 404,
    "review.none": 404,
    "question.unknown": 404,
    "approval.unknown": 404,
    "study.unknown": 404,
    "table.moving": 503,
    "policy.log_in": 401,
    "door.code": 403,
    "policy.role": 403,
    "policy.password": 403,
    "account.credentials": 401,
}
"""What HTTP says to some refusals; 422 to the others."""
STORE_SECONDS: Final = 2.0
"""How long the store may take to answer whether it is there."""
LOCAL_HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")


def bad_input(_: Request[Any, Any, Any], bad: BadInput) -> Response[dict[str, Any]]:
    """Every problem of an input, as it is told everywhere."""
    if isinstance(bad, TooMany):
        headers = {"Retry-After": str(bad.seconds)}
        return Response({"problems": bad.problems}, status_code=HTTP_429_TOO_MANY_REQUESTS, headers=headers)
    return Response({"problems": bad.problems}, status_code=STATUS.get(bad.problems[0].code, 422))


def http_error(_: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    """What the framework refuses, in the words of the house: every field that cannot be read is named."""
    code = f"http.{error.status_code}"
    fields = error.extra if isinstance(error.extra, list) else ()
    problems = [Problem(code=code, what=it["message"], where=it.get("key", "")) for it in fields]
    problems = problems or [Problem(code=code, what=error.detail or "refused")]
    return Response({"problems": problems}, status_code=error.status_code, headers=error.headers or {})


def store_away(_: Request[Any, Any, Any], error: StoreError) -> Response[dict[str, Any]]:
    """The database is away, or nobody knows what became of what it was told: it may be asked again."""
    log.warning("the store does not answer: %s", type(error).__name__)
    problem = Problem(code="store.away", what="the store does not answer: try again in a moment")
    return Response({"problems": [problem]}, status_code=503, headers={"Retry-After": "1"})


def fault(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """A fault of the program: it is logged, and nothing of it is told."""
    log.error("fault", exc_info=error, extra={"method": request.method, "path": request.scope.get("path_template")})
    return Response({"problems": [Problem(code="http.500", what="a fault of the program")]}, status_code=500)


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def alive() -> dict[str, str]:
    return {"status": "alive", "version": __version__}


@get("/readyz", include_in_schema=False)
async def ready(request: Request[None, None, Any]) -> Response[dict[str, str]]:
    """Whether the house serves, and its store answers."""
    house = house_of(request)
    status = "ready" if house.ready else "starting"
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await house.store.head(HOUSE)
    except (StoreError, TimeoutError):
        status = "the store does not answer"
    return Response({"status": status}, status_code=200 if status == "ready" else 503)


@get("/metrics", include_in_schema=False, sync_to_thread=False, media_type="text/plain; version=0.0.4")
def metrics(request: Request[Any, Any, Any]) -> str:
    return house_of(request).metrics.text()


def create_app(
    open_house: Callable[[], House],
    hosts: Iterable[str] = LOCAL_HOSTS,
    any_address: bool = False,
    opened: Callable[[House], None] = lambda house: None,
) -> Litestar:
    """The application; the house is opened when it starts, which `opened` is told of, and parked when it stops."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None, None]:
        house = open_house()
        app.state.house = house
        await house.open()
        opened(house)
        try:
            yield
        finally:
            await house.close()

    app = Litestar(
        route_handlers=[
            *session.HANDLERS,
            *tables.HANDLERS,
            *asking.HANDLERS,
            *reporting.HANDLERS,
            *training.HANDLERS,
            *dealing.HANDLERS,
            *records.HANDLERS,
            *submissions.HANDLERS,
            *disputes.HANDLERS,
            *auditing.HANDLERS,
            *floor.HANDLERS,
            *figures.HANDLERS,
            *metering.HANDLERS,
            *(live, alive, ready, metrics),
            *page_handlers(),
        ],
        lifespan=[lifespan],
        middleware=[
            DefineMiddleware(Doors, hosts=tuple(hosts), any_address=any_address),
            DefineMiddleware(Turnstile),
            DefineMiddleware(Forwarding),
        ],
        before_send=[add_headers],
        compression_config=CompressionConfig(backend="gzip", minimum_size=1024, gzip_compress_level=6),
        guards=[guard],
        exception_handlers={BadInput: bad_input, StoreError: store_away, HTTPException: http_error, Exception: fault},
        request_max_body_size=LARGEST_BODY,
        openapi_config=OpenAPIConfig(
            title="Crossfelt",
            version=__version__,
            path="/api",
            render_plugins=[HouseJson(path="/openapi.json")],
        ),
        logging_config=None,
    )
    require_policies(routes_of(app))
    return app
