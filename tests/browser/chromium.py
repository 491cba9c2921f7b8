"""The system's Chromium. Without it the tests are skipped, or fail in CI."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Browser, Playwright

from benchmarks.chromium import NAMED_BY, find_chromium, launch


def launch_or_skip(playwright: Playwright) -> Browser:
    """Start the browser; without one, skip the test, or fail it in CI."""
    if find_chromium() is None:
        why = f"no Chromium on the path: install Debian's `chromium`, or name one in {NAMED_BY}"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    return launch(playwright)
