"""The browser of the tests: the system's Chromium, found on the path or named by an environment variable."""

from __future__ import annotations

import os
import shutil
from typing import Final

import pytest
from playwright.sync_api import Browser, Playwright

NAMED_BY: Final = "CROSSFELT_CHROMIUM"
NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
ARGUMENTS: Final = (
    *("--no-sandbox", "--disable-background-networking", "--disable-component-update"),
    *("--disable-gpu", "--in-process-gpu"),  # there is none: a process less to start and to feed
)


def find_chromium() -> str | None:
    """The browser's path; None where there is none."""
    named = os.environ.get(NAMED_BY)
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright: Playwright) -> Browser:
    """Starts the browser; without one a test is skipped, or fails where everything has to be shown."""
    path = find_chromium()
    if path is None:
        why = f"no Chromium on the path: install Debian's `chromium`, or name one in {NAMED_BY}"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    return playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
