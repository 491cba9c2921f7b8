"""The server of `crossfelt serve`, as it is stopped from a terminal."""

from __future__ import annotations

import asyncio
import signal
from types import FrameType
from typing import Final

import uvicorn

from crossfelt.cli.output import message

STILL: Final = "Stopping: what is being written is finished first. Ctrl-C once more ends it at once, as a kill does."


class HouseServer(uvicorn.Server):
    """Ctrl-C while it stops would have the house stop halfway: it is told how to get out, and is out the next time."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._told = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not (self.should_exit and sig == signal.SIGINT):
            super().handle_exit(sig, frame)
        elif self._told:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
        else:
            self._told = True
            # Not here: whoever was interrupted may be writing there.
            asyncio.get_running_loop().call_soon_threadsafe(message, STILL)
