"""Long work on the command line: a bar on stderr, and Ctrl-C that waits for whole numbers."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from crossfelt.cli.output import message

WORTH_TELLING_SECONDS: Final = 5.0


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar with the time that is left, by the pace so far; where nobody looks on, one line that says so."""
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        tell(done, total)

    with open_progress(what, total) as tell:
        yield advance


@contextmanager
def open_progress(what: str, total: int | None = None) -> Iterator[Callable[[int, int], None]]:
    """The same for work of which more may turn up: it is told how much is done, and of how much by what is known."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _told_once(what)
        return
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _told_once(what: str) -> Callable[[int, int], None]:
    """Says how long it will take, once some of it is done and the pace is known, if that is long."""
    calls, told = 0, False
    warm = perf_counter(), 0

    def tell(done: int, total: int) -> None:
        nonlocal calls, told, warm
        calls += 1
        # First comes what was there before, then whoever works starts and loads kernels: the pace is of what follows.
        if calls <= 2:
            warm = perf_counter(), done
        seconds, since = perf_counter() - warm[0], done - warm[1]
        if not told and since and done < total and seconds > WORTH_TELLING_SECONDS:
            told = True
            message(f"{what}: {done:,} of {total:,}, about {seconds * (total - done) / since:,.0f} s left")

    return tell


@contextmanager
def until_interrupted() -> Iterator[Callable[[], bool]]:
    """Whether to stop. Ctrl-C waits for the end of a batch, so that nothing is half counted; a second one does not."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    asked = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)
