"""The pages on games agree with rulebooks, law and solver, under the same headings."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from types import ModuleType

import pytest

from crossfelt.rulebooks import loader
from handbook import games, markdown, site
from handbook.games import GAMES, HEADINGS, PARTS, game_pages
from handbook.markdown import DOCS

PAGES = [DOCS / "games" / f"{name}.md" for name in GAMES]


def test_no_generated_part_of_a_page_is_stale() -> None:
    for path, text in game_pages():
        assert path.read_text("utf-8") == text, f"{path.name} is stale: run `make pages`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_has_the_same_headings_and_all_generated_parts(page: Path) -> None:
    text = page.read_text("utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(HEADINGS)
    assert re.findall(r"<!-- generated: (\w+) -->", text) == list(PARTS)


@pytest.mark.parametrize("module", [games, markdown, site], ids=lambda module: module.__name__)
def test_doctests_of_the_tools_pass(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def test_every_rulebook_has_a_page() -> None:
    assert sorted(book for books in GAMES.values() for book in books) == sorted(loader.rulebook_ids())


def test_pages_state_odds_readings_and_exact_figures() -> None:
    """The expected values come from the documents, not from the rulebooks."""
    criss, double, pai_gow = (page.read_text("utf-8") for page in PAGES)
    assert "| royal flush | 500 to 1 | 500 to 1 | 500 to 1 |" in criss
    assert "-579091/6689228" in criss
    assert "**AMB-10**" in criss
    assert "| two pair | 3 to 2 |" in double
    assert "| five aces | 10 % of the meter |" in pai_gow
