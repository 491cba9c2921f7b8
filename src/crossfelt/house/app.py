"""The web application of a house."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final

from litestar import Litestar, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException, NotFoundException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig

from crossfelt import __version__
from crossfelt.house.audit.journal import HOUSE
from crossfelt.house.house import House
from crossfelt.house.http import (
    asking,
    auditing,
    dealing,
    disputes,
    exports,
    figures,
    floor,
    metering,
    proposals,
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
from crossfelt.house.http.guarding import guard, house_of, require_policies, routes_of, tell_methods
from crossfelt.house.http.pages import Pages
from crossfelt.house.http.refusing import bad_input, fault, http_error, not_as_written, store_away, too_deep
from crossfelt.house.http.turnstile import Turnstile
from crossfelt.house.live.socket import live
from crossfelt.house.store.folding import BrokenChain
from crossfelt.house.store.port import StoreError
from crossfelt.problems import BadInput

STORE_SECONDS: Final = 2.0
"""How long the store may take to answer whether it is there."""
LOCAL_HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def alive() -> dict[str, str]:
    return {"status": "alive", "version": __version__}


@get("/readyz", include_in_schema=False)
async def ready(request: Request[None, None, Any]) -> Response[dict[str, str]]:
    """Whether the house serves, and its store answers. Whether it takes writing shows what the house signs every few
    seconds, also where nobody is sent here any more."""
    house = house_of(request)
    status = "starting" if not house.ready else "ready" if house.store.takes_writing else "the store cannot be written"
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await house.store.head(HOUSE)
    except (StoreError, TimeoutError):
        status = "the store does not answer"
    return Response({"status": status}, status_code=200 if status == "ready" else 503)


@get("/metrics", include_in_schema=False, sync_to_thread=False, media_type="text/plain; version=0.0.4")
def metrics(request: Request[Any, Any, Any]) -> str:
    return house_of(request).metrics.text()


HANDLERS: Final = (
    *session.HANDLERS,
    *tables.HANDLERS,
    *asking.HANDLERS,
    *reporting.HANDLERS,
    *training.HANDLERS,
    *dealing.HANDLERS,
    *records.HANDLERS,
    *exports.HANDLERS,
    *proposals.HANDLERS,
    *submissions.HANDLERS,
    *disputes.HANDLERS,
    *auditing.HANDLERS,
    *floor.HANDLERS,
    *figures.HANDLERS,
    *metering.HANDLERS,
    *(live, alive, ready, metrics),
)
"""Everything that is answered, apart from the files of pages."""


def create_app(
    open_house: Callable[[], House],
    hosts: Iterable[str] = LOCAL_HOSTS,
    any_address: bool = False,
    opened: Callable[[House], None] = lambda house: None,
) -> Litestar:
    """The application. The house is opened when it starts, unless it is open already, which `opened` is told of; it is
    parked when it stops."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None, None]:
        house = open_house()
        app.state.house = house
        try:
            if not house.ready:
                await house.open()
            opened(house)
            yield
        finally:
            await house.close()

    pages = Pages()
    app = Litestar(
        route_handlers=[*HANDLERS, *pages.handlers()],
        lifespan=[lifespan],
        middleware=[
            DefineMiddleware(Doors, hosts=tuple(hosts), any_address=any_address),
            DefineMiddleware(Turnstile),
            DefineMiddleware(Forwarding),
        ],
        before_request=tell_methods,
        before_send=[add_headers],
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1024, gzip_compress_level=6, exclude_opt_key=exports.AS_IT_IS
        ),
        guards=[guard],
        exception_handlers={
            BadInput: bad_input,
            BrokenChain: not_as_written,
            StoreError: store_away,
            RecursionError: too_deep,
            NotFoundException: pages.missing,
            HTTPException: http_error,
            Exception: fault,
        },
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
