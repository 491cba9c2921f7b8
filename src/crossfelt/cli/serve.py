"""`crossfelt serve`: the house, with its tables, for a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from crossfelt.cli.output import message


def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="The port to listen on.")] = 8000,
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="Where everything is kept.")] = Path(
        "crossfelt-data"
    ),
    database: Annotated[
        str | None, typer.Option("--database", metavar="URL", help="A PostgreSQL database instead: postgresql://…")
    ] = None,
) -> None:
    """Run the house: tables, accounts and histories, in a browser at http://127.0.0.1:8000."""
    import uvicorn

    from crossfelt.house.app import create_app
    from crossfelt.house.house import House
    from crossfelt.house.store.opening import open_store

    def opened(house: House) -> None:
        message(f"Crossfelt is at http://{host}:{port}  (play money only; Ctrl-C stops it)")
        if house.owner_password is not None:
            message(f"Log in once as owner with this password, and set your own: {house.owner_password}")

    app = create_app(lambda: House(open_store(data, database), data), opened=opened)
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=1 << 16,
        ws_per_message_deflate=False,
        server_header=False,
    )
