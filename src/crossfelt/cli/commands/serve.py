"""`crossfelt serve`: start the server, announce its address and stop it cleanly."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import secrets
import signal
import socket
import sys
import threading
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import uvicorn

from crossfelt._util.atomic_files import new_private_file, raise_open_file_limit
from crossfelt.cli.options import Data, Database, Settings, flag, option
from crossfelt.cli.output import message
from crossfelt.errors import BadInput

if TYPE_CHECKING:
    from crossfelt.server.config import Config
    from crossfelt.server.server import Server

EVERYWHERE = "0.0.0.0"
CODE_BYTES = 4
GC_THRESHOLDS = (5_000, 200, 10)
"""Thresholds of the garbage collector's three generations. A collection takes a few milliseconds, so they are rare."""
SWITCH_INTERVAL_SECONDS = 0.001
"""Longest turn of one thread: the thread that writes to the store must not wait long at each step."""
GRACE_SECONDS = 5
"""The time that open connections have to end after the first signal."""
KILL_SECONDS = 9.0
"""The time from SIGTERM to the end, whatever hangs. What was acknowledged is stored."""
STOPPING = "The server is stopping: it finishes pending writes first. Press Ctrl-C again to kill it at once."


def serve(
    host: Annotated[str | None, option("ADDRESS", "Address to listen on. Default: 127.0.0.1")] = None,
    port: Annotated[int | None, option("N", "Port; 0 takes any free port. Default: 8000")] = None,
    data: Data = None,
    database: Database = None,
    rulebooks: Annotated[str | None, option("DIR", "Directory of rulebook files, beside those of the package.")] = None,
    lan: Annotated[bool | None, flag("--lan", "Accept other machines of the local network, with a code.")] = None,
    connections: Annotated[int | None, option("N", "Most connections at once. Default: 20000")] = None,
    connections_per_address: Annotated[
        int | None, option("N", "Most connections from one address. Default: 2000")
    ] = None,
    config: Settings = None,
    log_level: Annotated[str | None, option("LEVEL", "debug, info, warning or error. Default: info")] = None,
) -> None:
    """Run the server. Tables, accounts and histories are in a browser at http://127.0.0.1:8000.

    Each setting can also come from the environment (such as CROSSFELT_PORT) or the settings file; options win.
    """
    from crossfelt.server.config import read_config
    from crossfelt.server.runtime.logs import start_logging

    flags = {"host": host, "port": port, "data": data, "database": database, "lan": lan, "log_level": log_level}
    flags["rulebooks"] = rulebooks
    most = {"connections": connections, "connections_per_address": connections_per_address}
    settings = read_config({**flags, **most}, config)
    start_logging(settings.log_level, settings.log_format)
    raise_open_file_limit()
    with _listen(EVERYWHERE if settings.lan else settings.host, settings.port) as listening:
        _run(settings, listening)


def _run(config: Config, listening: socket.socket) -> None:
    from crossfelt.server.app import allowed_host_names, create_app, open_server, own_address
    from crossfelt.server.http.timeouts import TimeoutHttpProtocol
    from crossfelt.server.ws.protocol import LONGEST_MESSAGE, WsProtocol

    port = listening.getsockname()[1]
    code = secrets.token_hex(CODE_BYTES) if config.lan else ""
    lan_url = f"http://{_lan_address()}:{port}" if config.lan else ""

    def opened(server: Server) -> None:
        # Objects of the start stay alive, and tables create few reference cycles. Collecting them again and again
        # would pause every table.
        gc.freeze()
        gc.set_threshold(*GC_THRESHOLDS)
        sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
        message(f"Crossfelt runs at {own_address(config, port)}  (play money only; Ctrl-C stops it)")
        if code:
            _print_invitation(lan_url, code)
        for actor in server.pit:
            if departure := server.rulebooks.departure(actor.table.game):
                message(f"{actor.settings.id}: {departure}")
        _hand_over_password(server)
        if server.checked is not None and not server.checked.sound:
            message(f"The stored data fails its integrity check: {server.checked.findings[0]}")

    server = open_server(config, port, code, lan_url)
    app = create_app(lambda: server, hosts=allowed_host_names(config), any_address=config.lan, opened=opened)
    http = InterruptibleServer(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            http=TimeoutHttpProtocol,
            ws=WsProtocol,
            ws_max_size=LONGEST_MESSAGE,
            ws_per_message_deflate=False,
            server_header=False,
            proxy_headers=config.proxied,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
    )
    with asyncio.Runner(loop_factory=http.config.get_loop_factory()) as runner:
        runner.run(_open_and_serve(server, http, listening, "database" if config.database else config.data))


class InterruptibleServer(uvicorn.Server):
    """A uvicorn server that always finishes pending writes after the first Ctrl-C.

    A second Ctrl-C only prints that a third one kills the process. Uvicorn's own second Ctrl-C would end requests.
    SIGTERM ends the process within ten seconds, even if the disk hangs.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._announced = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGTERM:
            kill = threading.Timer(KILL_SECONDS, _kill)
            kill.daemon = True
            kill.start()
        if not (self.should_exit and sig == signal.SIGINT):
            super().handle_exit(sig, frame)
        elif self._announced:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
        else:
            self._announced = True
            # Not printed here: the interrupted code may be writing to the same stream.
            asyncio.get_running_loop().call_soon_threadsafe(message, STOPPING)


def _kill() -> None:
    message(f"The server did not stop within {KILL_SECONDS:.0f} seconds and is killed. What it acknowledged is stored.")
    os._exit(1)


def _print_invitation(url: str, code: str) -> None:
    """Print how friends join: a link with the code in its fragment, which no browser sends, and its QR code."""
    from crossfelt._util.qr_code import qr_code_in_terminal

    link = f"{url}/#code={code}"
    message(f"Friends on this network join by this link: {link}")
    if sys.stderr.isatty():
        message(qr_code_in_terminal(link))
    message(f"Or they connect to {url} with the code {code}. On this machine no code is needed.")


def _hand_over_password(server: Server) -> None:
    """Show the owner's one-time password on the terminal; without one, stderr is a log, so write a private file."""
    if server.owner_password is None:
        return
    if sys.stderr.isatty():
        message(f"Log in as owner with this one-time password, then set your own: {server.owner_password}")
        return
    file = server.password_file
    file.unlink(missing_ok=True)
    with new_private_file(file) as private:
        private.write(f"{server.owner_password}\n".encode())
    message(f"Log in as owner with the one-time password in {file}, then set your own.")


async def _open_and_serve(server: Server, http: uvicorn.Server, listening: socket.socket, where: str) -> None:
    """Open the store and the tables, then serve.

    Opening happens before uvicorn starts, which would report an error in its own way. SIGTERM during the opening stops
    the server afterwards: a killed process could not hand over the owner's new password.
    """
    from crossfelt.server.store.interface import StoreError

    before = signal.signal(signal.SIGTERM, http.handle_exit)
    try:
        await server.open()
    except BaseException as error:
        await server.close()
        if isinstance(error, StoreError):
            raise BadInput.at(where, "serve.store", f"the server cannot open its data: {error}") from None
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    await http.serve(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named, since asyncio sends small messages at once only on a socket that it knows to be TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # a client that connects right after the address is printed waits and is not rejected
    except OSError as error:
        listening.close()
        what = f"cannot listen: {error.strerror}"
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            allowed = "an address of this machine"
            raise BadInput.at("--host", "serve.host", what, host, allowed) from None
        raise BadInput.at("--port", "serve.port", what, port, "a free port") from None
    return listening


def _lan_address() -> str:
    """Find this machine's address in its network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
