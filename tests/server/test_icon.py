"""The icon that a browser asks for at the usual address."""

from __future__ import annotations

from pathlib import Path

import httpx

from limits import WAIT_SECONDS
from server.served import Served, run


def test_the_icon_is_at_the_usual_address(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with httpx.AsyncClient(base_url=served.address, timeout=WAIT_SECONDS) as client:
            usual, named = await client.get("/favicon.ico"), await client.get("/web/icon.svg")
        assert usual.headers["content-type"] == "image/svg+xml"
        assert usual.content == named.content

    run(tmp_path, story)
