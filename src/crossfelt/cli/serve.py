"""`crossfelt serve`: the house, with its tables, for a browser."""

from __future__ import annotations

import asyncio
import errno
import gc
import secrets
import signal
import socket
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from crossfelt.cli.house import Data, Database, Settings
from crossfelt.cli.output import message
from crossfelt.files import open_as_many_as_allowed
from crossfelt.problems import BadInput, Problem

if TYPE_CHECKING:
    import uvicorn

    from crossfelt.house.config import Config
    from crossfelt.house.house import House

EVERYWHERE = "0.0.0.0"
CODE_BYTES = 4
RARELY = (5_000, 200, 10)
"""New objects before the collector looks at them, which takes a few milliseconds, and how many such looks before it
looks at older ones."""
TURN_SECONDS = 0.001
"""How long one thread may keep the others waiting: whoever writes to the store must not wait for long at each step."""


def serve(
    host: Annotated[str | None, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = None,
    port: Annotated[int | None, typer.Option("--port", metavar="N", help="The port; 0 for any.")] = None,
    data: Data = None,
    database: Database = None,
    lan: Annotated[
        bool | None, typer.Option("--lan", help="Let other machines of the network in, with a code.")
    ] = None,
    connections: Annotated[
        int | None, typer.Option("--connections", metavar="N", help="How many may be connected at once: 20000.")
    ] = None,
    connections_per_address: Annotated[
        int | None, typer.Option("--connections-per-address", metavar="N", help="Of these from one address: 2000.")
    ] = None,
    herald: Annotated[
        bool | None, typer.Option("--herald", help="Write to viewers in a second process: for more than 100 tables.")
    ] = None,
    config: Settings = None,
    log_level: Annotated[
        str | None, typer.Option("--log-level", metavar="LEVEL", help="debug, info, warning or error.")
    ] = None,
) -> None:
    """Run the house: tables, accounts and histories, in a browser at http://127.0.0.1:8000.

    Everything can also be set in the environment, as CROSSFELT_PORT, and in a file; flags win.
    """
    from crossfelt.house.config import read_config
    from crossfelt.house.logs import start_logging

    flags = {
        "host": host,
        "port": port,
        "data": data,
        "database": database,
        "lan": lan,
        "connections": connections,
        "connections_per_address": connections_per_address,
        "herald": herald,
        "log_level": log_level,
    }
    settings = read_config(flags, config)
    start_logging(settings.log_level, settings.log_format)
    open_as_many_as_allowed()
    with _listen(EVERYWHERE if settings.lan else settings.host, settings.port) as listening:
        _run(settings, listening)


def _run(config: Config, listening: socket.socket) -> None:
    import uvicorn

    from crossfelt.cli.stopping import HouseServer
    from crossfelt.house.app import create_app
    from crossfelt.house.http.patience import PatientProtocol
    from crossfelt.house.live.connection import LiveProtocol
    from crossfelt.house.opening import names_of, open_house, own_address

    port = listening.getsockname()[1]
    code = secrets.token_hex(CODE_BYTES) if config.lan else ""

    def opened(house: House) -> None:
        # What a house begins with stays, and tables leave hardly anything that refers to itself: to look through all
        # of it again and again would stop every table.
        gc.freeze()
        gc.set_threshold(*RARELY)
        sys.setswitchinterval(TURN_SECONDS)
        message(f"Crossfelt is at {own_address(config, port)}  (play money only; Ctrl-C stops it)")
        if code:
            message(f"Other machines come in at http://{_own_address()}:{port} with the code {code}")
        _tell_password(house)
        if house.checked is not None and not house.checked.sound:
            message(f"The store is not what was written: {house.checked.findings[0]}")

    house = open_house(config, port, code)
    app = create_app(
        lambda: house,
        hosts=names_of(config),
        any_address=config.lan,
        opened=opened,
    )
    server = HouseServer(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            http=PatientProtocol,
            ws=LiveProtocol,
            ws_max_size=1 << 16,
            ws_per_message_deflate=False,
            server_header=False,
            proxy_headers=config.proxied,
            timeout_graceful_shutdown=10,
        )
    )
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(_open_and_serve(house, server, listening, "database" if config.database else config.data))


def _tell_password(house: House) -> None:
    if house.owner_password is not None:
        message(f"Log in once as owner with this password, and set your own: {house.owner_password}")


async def _open_and_serve(house: House, server: uvicorn.Server, listening: socket.socket, where: str) -> None:
    """The house is opened before the server starts, which would tell of a problem in its own way. Who ends it meanwhile
    ends the server: a house that is killed could not tell the password that it has made."""
    from crossfelt.house.store.port import StoreError

    before = signal.signal(signal.SIGTERM, server.handle_exit)
    try:
        await house.open()
    except BaseException as error:
        await house.close()
        _tell_password(house)  # the account may be there, and is not made again
        if isinstance(error, StoreError):
            what = f"the house cannot open: {error}"
            raise BadInput(Problem(code="serve.store", what=what, where=where)) from None
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    await server.serve(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Its protocol is named: asyncio sends small messages at once only where it can see that this is TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # so that whoever reads the address and connects at once waits, and is not refused
    except OSError as error:
        listening.close()
        what = f"cannot listen there: {error.strerror}"
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            allowed = "an address of this machine"
            problem = Problem(code="serve.host", where="--host", what=what, value=host, allowed=allowed)
        else:
            problem = Problem(code="serve.port", where="--port", what=what, value=port, allowed="a free port")
        raise BadInput(problem) from None
    return listening


def _own_address() -> str:
    """This machine's address in its network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
