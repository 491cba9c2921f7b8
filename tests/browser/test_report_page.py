"""The PAR sheet fits a narrow screen and has no accessibility faults, in light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser

from browser.axe import CONTRAST, OF_COLOURS, violations
from crossfelt.reports.par_sheet import par_sheet
from crossfelt.reports.render import render
from unit.reports.conftest import studied

pytestmark = pytest.mark.browser

VIEWS: Final[tuple[tuple[int, Literal["dark", "light"]], ...]] = ((320, "dark"), (1280, "light"))
SHORTEN: Final = """() => {
  const alike = "tbody tr:nth-child(n + 4):not([class])";
  for (const row of document.querySelectorAll(alike)) if (!row.querySelector("td[class^=c]")) row.remove();
}"""
"""Remove rows that repeat the look of earlier rows; the long tests compare their colours too."""


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_a_sheet_fits_and_is_accessible(browser: Browser, tmp_path: Path, whole: bool) -> None:
    file = tmp_path / "par.html"
    file.write_bytes(render(par_sheet(studied("nj-criss-cross")), "html"))
    page = browser.new_page()
    logged: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    page.on("request", lambda request: logged.append(request.url))
    for width, scheme in VIEWS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert list(violations(page, f"{width} px", rules={CONTRAST: {"enabled": False}})) == []
        if not whole:
            page.evaluate(SHORTEN)
        assert list(violations(page, f"{width} px, {scheme}", runOnly=OF_COLOURS)) == []
    page.close()
    assert set(logged) == {file.as_uri()}
