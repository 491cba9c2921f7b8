"""The time that a test waits for an event that must happen, on a busy machine."""

from __future__ import annotations

from typing import Final

WAIT_SECONDS: Final = 300
"""Far more than anything takes: a test that waits this long has failed. How long things take is for the benchmarks."""
