"""Long computations on the command line: a progress bar on stderr, and Ctrl-C between two batches."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from types import FrameType
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from crossfelt.cli.output import message
from crossfelt.errors import StoppedEarly

ANNOUNCE_AFTER_SECONDS: Final = 5.0


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar with the remaining time; without a terminal, print one line for long work."""
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        report(done, total)

    with open_progress(what, total) as report:
        yield advance


@contextmanager
def open_progress(what: str, total: int | None = None) -> Iterator[Callable[[int, int], None]]:
    """Show the same for work whose total may grow; the caller reports both what is done and the total.

    Work that is stopped early leaves what it knows.
    """
    try:
        with _shown_progress(what, total) as report:
            yield report
    except StoppedEarly as stopped:
        for line in stopped.lines:
            message(line)
        raise


@contextmanager
def _shown_progress(what: str, total: int | None) -> Iterator[Callable[[int, int], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _announce_once(what)
        return
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _announce_once(what: str) -> Callable[[int, int], None]:
    """Print the remaining time once, when the pace is known and the work is long."""
    calls, announced = 0, False
    warm = perf_counter(), 0

    def report(done: int, total: int) -> None:
        nonlocal calls, announced, warm
        calls += 1
        # The first call reports earlier work, the second the start of the workers. The pace is that of the rest.
        if calls <= 2:
            warm = perf_counter(), done
        seconds, since = perf_counter() - warm[0], done - warm[1]
        if not announced and since and done < total and seconds > ANNOUNCE_AFTER_SECONDS:
            announced = True
            message(f"{what}: {done:,} of {total:,}, about {seconds * (total - done) / since:,.0f} s left")

    return report


@contextmanager
def until_interrupted() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether Ctrl-C was pressed; a second Ctrl-C interrupts at once."""
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
