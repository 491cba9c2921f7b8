"""Long work says how far it is: a bar where somebody looks on, else one line once the pace is known."""

from __future__ import annotations

import pytest
from rich.console import Console

from crossfelt.cli import progress as module
from crossfelt.cli.progress import open_progress, progress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that is set by hand."""
    now = [0.0]
    monkeypatch.setattr(module, "perf_counter", lambda: now[0])
    return now


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Console:
    console = Console(stderr=True, force_terminal=True, width=80, record=True)
    monkeypatch.setattr(module, "Console", lambda stderr: console)
    return console


def test_where_nobody_looks_on_the_time_left_is_told_once(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("dealing", 100) as advance:
        for _ in range(4):
            clock[0] += 6
            advance(10)
    # The pace is that of what follows the first two steps: ten in six seconds, with seventy to go.
    assert capsys.readouterr().err == "dealing: 30 of 100, about 42 s left\n"


def test_more_may_turn_up(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with open_progress("searching") as tell:
        for done, of in ((1, 2), (2, 8), (4, 10), (5, 20)):
            clock[0] += 6
            tell(done, of)
    assert capsys.readouterr().err == "searching: 4 of 10, about 18 s left\n"


def test_a_terminal_has_a_bar_with_what_is_done(terminal: Console, capsys: pytest.CaptureFixture[str]) -> None:
    with open_progress("searching") as tell:
        tell(3, 7)
    assert "3/7" in capsys.readouterr().err
