"""The browser of the tests: the system's Chromium, found on the path or named by an environment variable."""

from __future__ import annotations

import os
import shutil
from typing import Final

NAMED_BY: Final = "CROSSFELT_CHROMIUM"
NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
ARGUMENTS: Final = ("--no-sandbox", "--disable-background-networking", "--disable-component-update")


def find_chromium() -> str | None:
    """The browser's path; None where there is none."""
    named = os.environ.get(NAMED_BY)
    return named or next(filter(None, map(shutil.which, NAMES)), None)
