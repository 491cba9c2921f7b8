"""No part of the program knows a game by its name: families and shipped ids stand in data and in examples only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from crossfelt.rulebooks.loader import load, rulebook_ids

SOURCE: Final = Path(__file__).parents[2] / "src" / "crossfelt"
WITH_EXAMPLES: Final = (
    "__init__.py",
    "analysis/__init__.py",
    "analysis/simulation/__init__.py",
    "analysis/sweep/__init__.py",
    "client.py",
    "reports/__init__.py",
    "training/__init__.py",
)
"""Files whose docstring shows a program that names a rulebook."""
EXAMPLES: Final = sorted((SOURCE.parents[1] / "examples" / "rulebooks").glob("*.toml"))
FAMILIES: Final = ("criss-cross", "double-cross", "pai-gow", *(file.stem for file in EXAMPLES))
PLACES: Final = ("new jersey", "massachusetts", "maryland")
NAMED: Final = re.compile(
    "|".join((*(name.replace("-", r"[\s_-]?") for name in FAMILIES), r"hold'?em", *PLACES, *rulebook_ids())),
    re.IGNORECASE,
)
WORDS: Final = frozenset(
    (
        *("ante", "play", "raise", "progressive", "three_card", "seven_card"),
        *("cards", "community", "dealer", "dealt", "down", "high", "low", "middle"),
        *("first", "second", "third", "fourth", "fifth"),
    )
)
"""Words that rulebooks use for a wager or a place, and the program for something else."""


def ids_of_rulebooks() -> set[str]:
    books = [load(book) for book in (*rulebook_ids(), *map(str, EXAMPLES))]
    wagers = {wager.id for book in books for wager in book.wagers}
    return (wagers | {place for book in books for group in book.groups for place in group.names}) - WORDS


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


def test_no_source_file_names_a_wager_or_a_place_of_a_rulebook() -> None:
    ids = ids_of_rulebooks()
    assert {"across", "pair_plus", "queens_dragon", "down_far"} <= ids
    found = [
        f"{path.relative_to(SOURCE)}:{node.lineno}: {node.value}"
        for path in files()
        if path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in ids
    ]
    assert found == []


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_every_exception_is_needed(name: str) -> None:
    assert list(names_in(SOURCE / name))
