"""The site in Chromium: no request leaves the machine, no page is wider than the screen, axe finds nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.axe import violations
from browser.chromium import launch_or_skip

pytestmark = pytest.mark.browser

PAGES: Final = ("index.html", "games/pai-gow.html", "tutorials/train.html")
SCREENS: Final = ((320, "light"), (1280, "dark"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = launch_or_skip(playwright)
        yield opened
        opened.close()


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_pages_are_accessible(browser: Browser, built: Path, width: int, scheme: Any) -> None:
    require_accessible(browser, built, PAGES, width, scheme)


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 360, 768, 1280, 1920])
def test_all_pages_are_accessible(browser: Browser, built: Path, width: int, scheme: Any) -> None:
    every = sorted(page.relative_to(built).as_posix() for page in built.rglob("*.html"))
    require_accessible(browser, built, every, width, scheme)


def require_accessible(browser: Browser, built: Path, pages: Sequence[str], width: int, scheme: Any) -> None:
    """Require that pages fit the screen, pass axe and load nothing from elsewhere."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    left: list[str] = []
    page.on("request", lambda request: left.append(request.url))
    for name in pages:
        page.goto((built / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert list(violations(page, name)) == []
    assert all(url.startswith(("file:", "data:")) for url in left)
    context.close()


def test_a_keyboard_gets_past_the_header_and_to_all_pages(browser: Browser, built: Path) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 800})
    page.goto((built / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
    page.get_by_role("link", name="All pages").press("Enter")
    assert page.url.endswith("#pages")
    page.close()
