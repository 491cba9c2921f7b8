"""The system's Chromium, for tests and benchmarks of pages and for pictures of them: found on the path, or named.

`python -m crossfelt.benchmarks.chromium` prints its path.
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
    "--renderer-process-limit=1",  # none is started ahead of a page that may not come
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves this machine
)


def find_chromium() -> str | None:
    """The browser's path; None where there is none."""
    return os.environ.get(NAMED_BY) or next(filter(None, map(shutil.which, NAMES)), None)


def launch(playwright: Playwright) -> Browser:
    """Starts the browser; an error of Playwright where there is none."""
    return playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))


if __name__ == "__main__":
    if (found := find_chromium()) is None:
        raise SystemExit(f"no Chromium on the path: install chromium-headless-shell or chromium, or set {NAMED_BY}")
    print(found)
