"""The browser of the tests: the system's Chromium, without which they are skipped or fail."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Browser, Playwright

from benchmarks.chromium import NAMED_BY, find_chromium, launch


def launch_or_skip(playwright: Playwright) -> Browser:
    """Starts the browser; without one a test is skipped, or fails where everything has to be shown."""
    if find_chromium() is None:
        why = f"no Chromium on the path: install Debian's `chromium`, or name one in {NAMED_BY}"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    return launch(playwright)
