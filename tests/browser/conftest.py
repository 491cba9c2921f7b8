"""A server as a user starts it, and browser pages that report their own errors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    expect,
    sync_playwright,
)

from browser.axe import Faults
from browser.chromium import launch_or_skip
from browser.table_page import TableDriver
from crossfelt.server.http.request import COOKIE
from free_ports import free_port
from limits import WAIT_SECONDS

PASSWORD: Final = "nine of clubs, turned"
ROLES: Final = {
    "olga": ["owner"],
    "fiona": ["floor"],
    "frank": ["floor"],
    "ada": ["auditor"],
    "dan": ["dealer"],
    "paula": ["player"],
}
"""The accounts of these tests beside the first owner, with their roles; Paula only plays."""
NewPage = Callable[..., Page]
Shoot = Callable[..., None]


class Served:
    """`crossfelt serve` on its own port; it can be stopped and started again on the same data."""

    def __init__(self, data: Path, *options: str) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.data = data
        self._options = options
        self.log = data.with_suffix(".log")
        self.start()

    def start(self) -> None:
        # A busy machine computes an advice or a report in its own time.
        patient = f"from crossfelt.server.workers import advice; advice.SECONDS = {WAIT_SECONDS}"
        command = [sys.executable, "-c", f"{patient}; from crossfelt.cli.main import main; main()", "serve"]
        command += ["--port", str(self.port), "--data", str(self.data), *self._options]
        with self.log.open("ab") as log:
            # All tests open accounts from one address.
            many = {**os.environ, "CROSSFELT_NEW_ACCOUNTS": "100000"}
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=many)
        ends = time.monotonic() + WAIT_SECONDS
        while not self._answers():
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < ends, self.log.read_text()
            time.sleep(0.1)

    @property
    def owner_password(self) -> str:
        """The one-time password that each start makes until the owner sets one."""
        return (self.data / "owner-password").read_text().strip()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def faults_since(self, start: int) -> list[str]:
        """Return the errors in the log after its first `start` bytes."""
        lines = self.log.read_bytes()[start:].decode().splitlines()
        return [line for line in lines if '"level": "error"' in line or '"level": "critical"' in line]

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/readyz", timeout=10):
                return True
        except (urllib.error.URLError, OSError):
            return False


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("browser") / "data")
    yield served
    served.stop()


@pytest.fixture(scope="session")
def staff(server: Served) -> dict[str, str]:
    """The session tokens by name: the owner, and each account with a role."""
    tokens: dict[str, str] = {}
    with httpx.Client(base_url=server.address, timeout=WAIT_SECONDS) as client:
        once = server.owner_password

        def token(answer: httpx.Response) -> str:
            assert answer.is_success, answer.text
            return str(answer.json()["token"])

        begun = token(client.post("/api/session", json={"name": "owner", "password": once}))
        changed = {"old": once, "new": PASSWORD}
        bearer = {"Authorization": f"Bearer {begun}"}
        tokens["owner"] = token(client.put("/api/me/password", json=changed, headers=bearer))
        bearer = {"Authorization": f"Bearer {tokens['owner']}"}
        for name, roles in ROLES.items():
            if roles == ["player"]:
                tokens[name] = token(client.post("/api/accounts", json={"name": name, "password": PASSWORD}))
                client.cookies.clear()
                continue
            once = client.post("/api/staff", json={"name": name}, headers=bearer).json()["password"]
            given = client.put(f"/api/accounts/{name}/roles", json={"roles": roles}, headers=bearer)
            if given.status_code == 422 and "two people" in given.text:  # the first of them approves the others
                asked = {"kind": "roles", "subject": f"account/{name}", "reason": "hired"}
                details = {"roles": ", ".join(roles)}
                waits = client.post("/api/proposals", json={**asked, "details": details}, headers=bearer).json()
                second = {"Authorization": f"Bearer {tokens['olga']}"}
                given = client.post(f"/api/proposals/{waits['number']}/approval", json={}, headers=second)
            assert given.is_success, given.text
            begun = token(client.post("/api/session", json={"name": name, "password": once}))
            changed, own = {"old": once, "new": PASSWORD}, {"Authorization": f"Bearer {begun}"}
            tokens[name] = token(client.put("/api/me/password", json=changed, headers=own))
            client.cookies.clear()
    return tokens


@pytest.fixture
def staff_page(server: Served, staff: dict[str, str], new_page: NewPage) -> NewPage:
    """Open pages as a member of staff: `staff_page("fiona", path="/console")`."""

    def open_as(name: str, *, path: str, **how: Any) -> Page:
        page = new_page(path="/healthz", **how)
        page.context.add_cookies([{"name": COOKIE, "value": staff[name], "url": server.address}])
        page.goto(f"{server.address}{path}")
        return page

    return open_as


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    # Playwright keeps an event loop in this thread, which would break tests outside this folder.
    expect.set_options(timeout=1_000 * WAIT_SECONDS)
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    started = launch_or_skip(playwright)
    yield started
    started.close()


@pytest.fixture
def new_page(browser: Browser, server: Served) -> Iterator[NewPage]:
    """Open pages. At the end, no page may have logged an error or sent a request to another server.

    pytest shows the errors in the server's log beside those of a failed test.
    """
    log_start = server.log.stat().st_size
    contexts: list[BrowserContext] = []
    errors: list[str] = []
    foreign: list[str] = []

    def open_page(width: int = 1280, height: int = 800, *, path: str = "/", touch: bool = False, **how: Any) -> Page:
        how = {"color_scheme": "dark", "reduced_motion": "reduce", **how}
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=touch, **how)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1_000 * WAIT_SECONDS)
        page.on("console", lambda message: errors.append(_error_text(message)) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: foreign.append(request.url) if _is_foreign(request, server) else None)
        page.goto(f"{server.address}{path}")
        return page

    open_page.errors = errors  # type: ignore[attr-defined]
    yield open_page
    for context in contexts:
        context.close()
    print(*server.faults_since(log_start), sep="\n")
    assert foreign == []
    assert errors == []


def _error_text(message: ConsoleMessage) -> str:
    """Return an error with its address: "404" alone names no file."""
    return f"{message.text} ({message.location['url']})"


def _is_foreign(request: Request, server: Served) -> bool:
    return not request.url.startswith((server.address, server.address.replace("http", "ws"), "blob:", "data:"))


@pytest.fixture(scope="session")
def shoot() -> Shoot:
    """Save a screenshot, `shoot(page, "lobby")`, in the directory of CROSSFELT_SCREENS."""
    folder = os.environ.get("CROSSFELT_SCREENS")

    def save(page: Page, name: str, **how: Any) -> None:
        if folder:
            page.screenshot(path=Path(folder) / f"{name}.png", **how)

    return save


@pytest.fixture(params=["once", pytest.param("at each width", marks=pytest.mark.soak)])
def faults(request: pytest.FixtureRequest, shoot: Shoot) -> Faults:
    """Find accessibility faults of a page; the parameter decides how often colours are compared."""
    return Faults(shoot, whole=request.param != "once")


@pytest.fixture
def private_table(server: Served, new_page: NewPage) -> Callable[..., TableDriver]:
    """Seat a guest at a private table without delays."""

    def sit(
        rulebook: str, *, bots: int = 1, pace: str = "instant", submission: dict[str, Any] | None = None, **how: Any
    ) -> TableDriver:
        driver = TableDriver(new_page(path="/healthz", **how), server.address)
        driver.sit_privately(rulebook, bots=bots, pace=pace, submission=submission or {})
        return driver

    return sit
