"""Long work shows a bar on a terminal, or prints one line once the pace is known."""

from __future__ import annotations

import pytest
from rich.console import Console

from crossfelt.cli import progress as module
from crossfelt.cli.progress import open_progress, progress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that the test sets."""
    now = [0.0]
    monkeypatch.setattr(module, "perf_counter", lambda: now[0])
    return now


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Console:
    console = Console(stderr=True, force_terminal=True, width=80, record=True)
    monkeypatch.setattr(module, "Console", lambda stderr: console)
    return console


def test_without_a_terminal_the_remaining_time_is_printed_once(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("dealing", 100) as advance:
        for _ in range(4):
            clock[0] += 6
            advance(10)
    # The pace counts after the first two steps: ten in six seconds, seventy left.
    assert capsys.readouterr().err == "dealing: 30 of 100, about 42 s left\n"


def test_the_total_may_grow(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with open_progress("searching") as tell:
        for done, of in ((1, 2), (2, 8), (4, 10), (5, 20)):
            clock[0] += 6
            tell(done, of)
    assert capsys.readouterr().err == "searching: 4 of 10, about 18 s left\n"


def test_a_terminal_shows_a_bar(terminal: Console, capsys: pytest.CaptureFixture[str]) -> None:
    with open_progress("searching") as tell:
        tell(3, 7)
    assert "3/7" in capsys.readouterr().err
