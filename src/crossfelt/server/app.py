"""The ASGI application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from litestar import Litestar, Response, get
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from prometheus_client import CONTENT_TYPE_LATEST

from crossfelt import __version__
from crossfelt.errors import BadInput
from crossfelt.server.audit.signed_heads import outside_file
from crossfelt.server.config import Config
from crossfelt.server.core.rulebooks import read_rulebooks
from crossfelt.server.http.errors import OpenApiJson, altered_rows, bad_input, fault, http_error, store_unavailable
from crossfelt.server.http.middleware.auth import answer_options, guard, require_policies, routes_of
from crossfelt.server.http.middleware.connection_limit import ConnectionLimit
from crossfelt.server.http.middleware.host_and_origin import AddressCheck, host_name
from crossfelt.server.http.middleware.idempotency import IdempotencyKeys, answer_repeated, carried_out
from crossfelt.server.http.middleware.proxy import LARGEST_BODY, Proxy
from crossfelt.server.http.middleware.responses import add_security_headers
from crossfelt.server.http.request import AnyRequest, ApiRequest
from crossfelt.server.http.routes import (
    accounts,
    advice,
    audit,
    dealer,
    disputes,
    drills,
    exports,
    floor,
    invitations,
    meters,
    proposals,
    revenue,
    rounds,
    statistics,
    submissions,
    tables,
)
from crossfelt.server.http.static_files import StaticFiles
from crossfelt.server.journal.stream import JOURNAL_STREAM
from crossfelt.server.server import Server
from crossfelt.server.store.factory import open_store
from crossfelt.server.store.idempotency_keys import CarriedOut
from crossfelt.server.store.interface import StoreError
from crossfelt.server.store.projection import BrokenChain
from crossfelt.server.ws.session import live

STORE_SECONDS: Final = 2.0
"""The time that the store has to answer a readiness check."""
LOCAL_HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def alive() -> dict[str, str]:
    return {"status": "alive", "version": __version__}


@get("/readyz", include_in_schema=False)
async def ready(request: ApiRequest) -> Response[dict[str, str]]:
    """Report whether the server runs and its store answers and can be written.

    The signed head of every few seconds shows whether the store can be written, also without any other traffic.
    """
    server = request.server
    running = "ready" if server.store.takes_writing else "the store cannot be written"
    status = running if server.ready else "starting"
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await server.store.head(JOURNAL_STREAM)
    except (StoreError, TimeoutError):
        status = "the store does not answer"
    return Response({"status": status}, status_code=200 if status == "ready" else 503)


@get("/metrics", include_in_schema=False, sync_to_thread=False, media_type=CONTENT_TYPE_LATEST)
def metrics(request: ApiRequest) -> bytes:
    return request.server.metrics.text()


_ROUTES: Final = (
    *(accounts, invitations, tables, advice, drills, dealer, rounds, exports, proposals, submissions, disputes),
    *(audit, floor, revenue, statistics, meters),
)
_HANDLERS: Final = [it for module in _ROUTES for it in vars(module).values() if isinstance(it, HTTPRouteHandler)]
"""All routes but those of the probes and of the pages' files."""


async def _answer_early(request: AnyRequest) -> Response[Any] | None:
    """Answer OPTIONS, and requests that were answered before."""
    return await answer_options(request) or await answer_repeated(request)


def create_app(
    make_server: Callable[[], Server],
    hosts: Iterable[str] = LOCAL_HOSTS,
    any_address: bool = False,
    opened: Callable[[Server], None] = lambda server: None,
) -> Litestar:
    """Return the application. At its start it opens the server, unless that is open already, and calls `opened`; at its
    end it closes the server."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None, None]:
        server = make_server()
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
        route_handlers=[*_HANDLERS, live, alive, ready, metrics, *pages.handlers()],
        lifespan=[lifespan],
        middleware=[AddressCheck(hosts, any_address=any_address), ConnectionLimit(), Proxy(), IdempotencyKeys()],
        before_request=_answer_early,
        before_send=[add_security_headers],
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=1024, gzip_compress_level=6, exclude_opt_key=exports.UNCOMPRESSED
        ),
        guards=[guard],
        exception_handlers={
            BadInput: bad_input,
            BrokenChain: altered_rows,
            CarriedOut: carried_out,
            StoreError: store_unavailable,
            NotFoundException: pages.missing,
            HTTPException: http_error,
            Exception: fault,
        },
        request_class=ApiRequest,
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


NO_COPY = "none"
LOOPBACK = "127.0.0.1"


def open_server(config: Config, port: int, code: str = "", lan_url: str = "") -> Server:
    """Return the server of a data directory or database. New players need the `code`, if there is one."""
    rulebooks = read_rulebooks(Path(config.rulebooks) if config.rulebooks else None)
    if config.heads not in ("", NO_COPY):
        _require_writable(Path(config.heads))
    directory = Path(config.data)
    store = open_store(directory, config.database or None)
    heads = None if config.heads == NO_COPY else Path(config.heads) if config.heads else outside_file(store.server_id)
    return Server(
        store,
        directory,
        config,
        heads=heads,
        url=config.url or own_address(config, port),
        code=code,
        lan_url=lan_url,
        warm=config.advice,
        rulebooks=rulebooks,
        shared=bool(config.database),
    )


def own_address(config: Config, port: int) -> str:
    """Return the server's URL on its own machine. With `lan` it listens on all IPv4 addresses, whatever `host` is.

    >>> own_address(Config(host="::1"), 8000), own_address(Config(host="::1", lan=True), 8000)
    ('http://[::1]:8000', 'http://127.0.0.1:8000')
    """
    return f"http://{_in_url(LOOPBACK if config.lan else config.host)}:{port}"


def allowed_host_names(config: Config) -> tuple[str, ...]:
    """Return the allowed Host headers. Other processes use the host in `url`.

    >>> allowed_host_names(Config(host="fd00::5", hosts=("tables.example",), url="http://10.0.0.5:8001"))[3:]
    ('[fd00::5]', '10.0.0.5', 'tables.example')
    """
    own = _in_url(config.host)
    public = host_name(config.url.partition("//")[2]) or own
    return (*LOCAL_HOSTS, own, public, *config.hosts)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _require_writable(heads: Path) -> None:
    """Refuse a file for copies of heads that cannot be written: a failed copy would be noticed too late."""
    try:
        heads.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        heads.open("ab").close()
    except OSError as error:
        what, allowed = f"cannot be written: {error.strerror}", f"a file, or {NO_COPY}"
        raise BadInput.at("heads", "config.heads", what, str(heads), allowed) from None
