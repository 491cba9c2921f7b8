"""The system's Chromium, for browser tests, benchmarks and screenshots: on the path, or named by a variable.

`python -m benchmarks.chromium` prints its path.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

NAMED_BY: Final = "CROSSFELT_CHROMIUM"
NAMES: Final = (
    "chromium-headless-shell",  # first: without a window it takes two thirds of the time
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"),
)
ARGUMENTS: Final = (
    *("--no-sandbox", "--disable-background-networking", "--disable-component-update"),
    *("--disable-gpu", "--in-process-gpu"),  # there is none: a process less to start and to feed
    "--renderer-process-limit=1",  # no spare process for a page that may never open
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no request leaves this machine
)


def find_chromium() -> str | None:
    """Return the browser's path; None where there is none."""
    return os.environ.get(NAMED_BY) or next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright: Playwright) -> Browser:
    """Start the browser; Playwright raises an error where there is none."""
    return playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))


if __name__ == "__main__":
    if (found := find_chromium()) is None:
        raise SystemExit(f"no Chromium on the path: install chromium-headless-shell or chromium, or set {NAMED_BY}")
    print(found)
