"""Output that stays the same while source is moved, renamed and merged: compared with the files beside this test."""

from __future__ import annotations

import difflib
from itertools import islice
from pathlib import Path

import pytest

from golden.files import PRODUCERS, stored

SHOWN_LINES = 40
"""Of what changed in a file."""


SOAKED = ("par-ma-criss-cross", "par-md-criss-cross")
"""Their sheets take four seconds each, for the sections that New Jersey's has; `make goldens` writes them too."""


def _marks(part: str) -> tuple[pytest.MarkDecorator, ...]:
    if part in SOAKED:
        return (pytest.mark.soak,)
    if part == "server":
        return (pytest.mark.server,)
    return (pytest.mark.exhaustive,) if part.startswith(("computed", "par-")) else ()


@pytest.mark.parametrize("part", [pytest.param(part, marks=_marks(part)) for part in PRODUCERS])
def test_output_is_as_stored(part: str, tmp_path: Path) -> None:
    before = stored()
    changed = [
        f"{name}:\n{_difference(before.get(name, ''), text)}"
        for name, text in PRODUCERS[part](tmp_path)
        if before.get(name) != text
    ]
    assert not changed, "\n".join(["run `make goldens` if these changes are meant", *changed])


def test_history_and_playthroughs_of_every_rulebook_are_stored() -> None:
    books = {path.name for path in (Path(__file__).parents[1] / "playthroughs").iterdir() if list(path.glob("*.txt"))}
    assert len(books) == 5
    assert {f"histories/{book}.jsonl" for book in books} <= stored().keys()


def _difference(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), "stored", "now", lineterm="", n=2)
    return "\n".join(islice(lines, SHOWN_LINES))
