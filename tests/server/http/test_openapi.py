"""Every route conforms to the OpenAPI document, whatever it is sent."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from crossfelt.server.app import create_app
from crossfelt.server.http.errors import ERROR_RESPONSES, STATUS, described
from crossfelt.server.server import Server
from limits import WAIT_SECONDS
from properties import HealthCheck, Phase, given, settings
from server.served import owner_of, serving

EXAMPLES = 12
EXAMPLES_SOAK = 500
SLOW = (
    *("/api/laboratory", "/api/advice", "/api/tables/{table}/review", "/api/audit/verify"),
    *("/api/training", "/api/training/questions", "/api/training/answers", "/api/figures"),
)
"""They start the process for advice, or read everything; the tests of REST ask them."""
PROTOCOL: Final = Path(__file__).parents[3] / "docs" / "protocol.md"
LIVE: Final = "GET /api/tables/{table}/live"
"""A WebSocket, of which OpenAPI knows nothing."""
ENDS_THE_SESSION = ("/api/session", "/api/me/password")


class Background:
    """A server in its own thread, and its owner's token."""

    def __init__(self, directory: Path) -> None:
        self.address = self.token = ""
        self.faults = 0
        self._ready = threading.Event()
        self._directory = directory
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        async with serving(self._directory) as served:
            owner = await owner_of(served)
            self.address, self.token = served.address, owner.token
            self._ready.set()
            await self._stop.wait()
            self.faults = served.faults

    def __enter__(self) -> Background:
        self._thread.start()
        assert self._ready.wait(WAIT_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()


@pytest.fixture
def background(tmp_path: Path) -> Iterator[Background]:
    with Background(tmp_path) as served:
        yield served


def run(background: Background, examples: int) -> None:
    # They take seconds to import, which no other test should wait for.
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

    schema = schemathesis.openapi.from_url(f"{background.address}/api/openapi.json")
    headers = {"Authorization": f"Bearer {background.token}"}
    tried = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        if operation.path in (*SLOW, *ENDS_THE_SESSION):
            continue
        tried += 1

        @given(case=operation.as_strategy())
        @settings(
            max_examples=examples,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def holds(case: Any) -> None:
            answer = case.call(headers=headers)
            checks = (not_a_server_error, status_code_conformance, content_type_conformance)
            case.validate_response(answer, checks=checks)

        holds()
    assert tried > 20


def test_every_route_conforms_to_the_document(background: Background) -> None:
    run(background, EXAMPLES)


def never() -> Server:
    raise AssertionError("nobody opens it")


def test_the_protocol_page_and_the_document_have_the_same_routes() -> None:
    document = described(create_app(never).openapi_schema.to_schema())
    served = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    named = re.findall(r"(GET|POST|PUT|DELETE)\s+(/api/[^\s`?]+)", PROTOCOL.read_text("utf-8"))
    assert {f"{method} {path}" for method, path in named} == served | {LIVE}


def test_every_error_response_is_in_the_document() -> None:
    assert {str(status) for status in STATUS.values()} <= ERROR_RESPONSES.keys()


@pytest.mark.soak
def test_every_route_conforms_to_the_document_in_a_long_run(background: Background) -> None:
    run(background, EXAMPLES_SOAK)
