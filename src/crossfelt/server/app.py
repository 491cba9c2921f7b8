"""The web application of a house."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from litestar import Litestar, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException, NotFoundException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig

from crossfelt import __version__
from crossfelt.errors import BadInput, Problem
from crossfelt.server.audit.signed_heads import outside_file
from crossfelt.server.config import Config
from crossfelt.server.http.exception_handlers import (
    BoundedRequest,
    bad_input,
    fault,
    http_error,
    not_as_written,
    store_away,
)
from crossfelt.server.http.middleware.allowed_hosts import AllowedHosts, add_headers, name_of
from crossfelt.server.http.middleware.auth import guard, require_policies, routes_of, server_of, tell_methods
from crossfelt.server.http.middleware.connection_limit import ConnectionLimit
from crossfelt.server.http.middleware.proxy import LARGEST_BODY, Proxy
from crossfelt.server.http.openapi import OpenApiJson
from crossfelt.server.http.routes import (
    accounts,
    advice,
    audit,
    dealer,
    disputes,
    drills,
    exports,
    floor,
    meters,
    proposals,
    records,
    reports,
    revenue,
    submissions,
    tables,
)
from crossfelt.server.http.static_files import StaticFiles
from crossfelt.server.journal.stream import JOURNAL_STREAM
from crossfelt.server.runtime.limits import ConnectionLimiter
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.interface import StoreError
from crossfelt.server.store.projection import BrokenChain
from crossfelt.server.wiring import Server
from crossfelt.server.ws.session import live

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
    server = server_of(request)
    status = (
        "starting" if not server.ready else "ready" if server.store.takes_writing else "the store cannot be written"
    )
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await server.store.head(JOURNAL_STREAM)
    except (StoreError, TimeoutError):
        status = "the store does not answer"
    return Response({"status": status}, status_code=200 if status == "ready" else 503)


@get("/metrics", include_in_schema=False, sync_to_thread=False, media_type="text/plain; version=0.0.4")
def metrics(request: Request[Any, Any, Any]) -> str:
    return server_of(request).metrics.text()


HANDLERS: Final = (
    *accounts.HANDLERS,
    *tables.HANDLERS,
    *advice.HANDLERS,
    *reports.HANDLERS,
    *drills.HANDLERS,
    *dealer.HANDLERS,
    *records.HANDLERS,
    *exports.HANDLERS,
    *proposals.HANDLERS,
    *submissions.HANDLERS,
    *disputes.HANDLERS,
    *audit.HANDLERS,
    *floor.HANDLERS,
    *revenue.HANDLERS,
    *meters.HANDLERS,
    *(live, alive, ready, metrics),
)
"""Everything that is answered, apart from the files of pages."""


def create_app(
    open_house: Callable[[], Server],
    hosts: Iterable[str] = LOCAL_HOSTS,
    any_address: bool = False,
    opened: Callable[[Server], None] = lambda server: None,
) -> Litestar:
    """The application. The house is opened when it starts, unless it is open already, which `opened` is told of; it is
    parked when it stops."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None, None]:
        server = open_house()
        app.state.server = server
        try:
            if not server.ready:
                await server.open()
            opened(server)
            yield
        finally:
            await server.close()

    pages = StaticFiles()
    app = Litestar(
        route_handlers=[*HANDLERS, *pages.handlers()],
        lifespan=[lifespan],
        middleware=[
            DefineMiddleware(AllowedHosts, hosts=tuple(hosts), any_address=any_address),
            DefineMiddleware(ConnectionLimit),
            DefineMiddleware(Proxy),
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
            NotFoundException: pages.missing,
            HTTPException: http_error,
            Exception: fault,
        },
        request_class=BoundedRequest,
        request_max_body_size=LARGEST_BODY,
        openapi_config=OpenAPIConfig(
            title="Crossfelt",
            version=__version__,
            path="/api",
            render_plugins=[OpenApiJson(path="/openapi.json")],
        ),
        logging_config=None,
    )
    require_policies(routes_of(app))
    return app


# --- A house as its configuration says.

NOWHERE = "none"
LOOPBACK = "127.0.0.1"


def open_server(config: Config, port: int, code: str = "") -> Server:
    """The house of a data directory or a database; whoever wants to come in must know the code, where there is one."""
    if config.heads not in ("", NOWHERE):
        _require_writable(Path(config.heads))
    directory = Path(config.data)
    store = open_store(directory, config.database or None)
    heads = None if config.heads == NOWHERE else Path(config.heads) if config.heads else outside_file(store.server_id)
    return Server(
        store,
        directory,
        heads=heads,
        url=config.url or own_address(config, port),
        code=code,
        warm=config.advice,
        shared=bool(config.database),
        requests_a_second=config.requests_a_second,
        new_accounts=config.new_accounts,
        room=ConnectionLimiter(config.connections, config.connections_per_address),
        lease_seconds=config.lease_seconds,
    )


def own_address(config: Config, port: int) -> str:
    """Where the house is found on its own machine; with `lan` it listens at every IPv4 address, whatever `host` says.

    >>> own_address(Config(host="::1"), 8000), own_address(Config(host="::1", lan=True), 8000)
    ('http://[::1]:8000', 'http://127.0.0.1:8000')
    """
    return f"http://{_as_named(LOOPBACK if config.lan else config.host)}:{port}"


def allowed_host_names(config: Config) -> tuple[str, ...]:
    """Under which the house is asked for; its other processes ask for the one in `url`.

    >>> allowed_host_names(Config(host="fd00::5", hosts=("tables.example",), url="http://10.0.0.5:8001"))[3:]
    ('[fd00::5]', '10.0.0.5', 'tables.example')
    """
    here = _as_named(config.host)
    there = name_of(config.url.partition("//")[2]) or here
    return (*LOCAL_HOSTS, here, there, *config.hosts)


def _as_named(host: str) -> str:
    """A host as an address names it, before its port."""
    return f"[{host}]" if ":" in host else host


def _require_writable(heads: Path) -> None:
    """Who says where heads are to be copied to would find out too late that they are not."""
    try:
        heads.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        heads.open("ab").close()
    except OSError as error:
        what, allowed = f"cannot be written: {error.strerror}", f"a file, or {NOWHERE}"
        problem = Problem(code="config.heads", where="heads", what=what, value=str(heads), allowed=allowed)
        raise BadInput(problem) from None
