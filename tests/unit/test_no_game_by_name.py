"""No part of the program knows a game by its name: families and shipped ids stand in data and in examples only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from crossfelt.rulebooks.loader import rulebook_ids

SOURCE: Final = Path(__file__).parents[2] / "src" / "crossfelt"
WITH_EXAMPLES: Final = (
    "__init__.py",
    "analysis/__init__.py",
    "analysis/simulation/__init__.py",
    "analysis/sweep/__init__.py",
    "client/lobby.py",
    "reports/__init__.py",
)
"""Files whose docstring shows a program that names a rulebook."""
NAMED: Final = re.compile(
    rf"criss[\s_-]?cross|double[\s_-]?cross|pai[\s_-]?gow|new jersey|massachusetts|maryland|{'|'.join(rulebook_ids())}",
    re.IGNORECASE,
)


def doctest_lines(text: str) -> set[int]:
    """Return the numbers of the lines of docstrings from the first example on."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            before, example, _ = node.value.value.partition(">>>")
            if example:
                found.update(range(node.lineno + before.count("\n"), (node.end_lineno or node.lineno) + 1))
    return found


def names_in(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    skipped = doctest_lines(text) if path.suffix == ".py" else set()
    for number, line in enumerate(text.splitlines(), 1):
        if number not in skipped and NAMED.search(line):
            yield f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"


def files() -> list[Path]:
    return [path for suffix in ("py", "js", "css", "html") for path in sorted(SOURCE.rglob(f"*.{suffix}"))]


def test_no_source_file_names_a_family_a_shipped_rulebook_or_a_jurisdiction() -> None:
    checked = [path for path in files() if path.relative_to(SOURCE).as_posix() not in WITH_EXAMPLES]
    assert len(checked) > 300
    assert [line for path in checked for line in names_in(path)] == []


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_every_exception_is_needed(name: str) -> None:
    assert list(names_in(SOURCE / name))
