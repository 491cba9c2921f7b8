"""The site is complete: every page and link, and nothing from another host."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crossfelt.cli.main import COMMANDS
from crossfelt.rulebooks.clauses import clauses, readings
from handbook import site
from handbook.markdown import DOCS
from handbook.reference import packages


def text_of(built: Path, name: str) -> str:
    return (built / name).read_text("utf-8")


def test_every_source_is_on_the_site_and_in_the_navigation(built: Path) -> None:
    home = text_of(built, "index.html")
    for source in DOCS.rglob("*.md"):
        page = source.relative_to(DOCS).with_suffix(".html").as_posix().lower()
        assert (built / page).is_file()
        assert f'href="{page}"' in home


def test_the_reference_has_every_command_package_clause_and_reading(built: Path) -> None:
    commands = text_of(built, "reference/commands.html")
    assert all(f'id="crossfelt-{name}"' in commands for name in COMMANDS)
    listed = text_of(built, "reference/clauses.html")
    assert all(f'id="{name.lower()}"' in listed for name in [*clauses(), *readings()])
    assert {path.stem for path in (built / "reference" / "api").glob("*.html")} == set(packages())
    assert "compile_game(book: Rulebook | str" in re.sub(r"<[^>]*>", "", text_of(built, "reference/api/rulebooks.html"))


def test_nothing_is_loaded_from_another_host(built: Path) -> None:
    for page in built.rglob("*.html"):
        text = page.read_text("utf-8")
        assert "<script" not in text
        assert " style=" not in text
        assert "default-src 'none'" in text
        loaded = re.findall(r'<(?:link|img|iframe|source)[^>]*(?:href|src)="([^"]*)"', text)
        assert {address for address in loaded if not address.endswith(("style.css", ".jpg"))} == {"data:,"}
        assert not [address for address in loaded if "//" in address]
    assert "url(" not in text_of(built, "style.css")
    assert "@import" not in text_of(built, "style.css")


def test_clauses_link_to_the_reference(built: Path) -> None:
    assert '<a href="../reference/clauses.html#njc-46">NJC-46</a>' in text_of(built, "games/criss-cross.html")


def test_a_broken_link_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "other.html").write_text('<h1 id="there">x</h1>')
    site.check_links(tmp_path, {"other.html": '<h1 id="there">x</h1><a href="#there">y</a>'})
    for target in ("gone.html", "other.html#nowhere"):
        with pytest.raises(site.BrokenLink, match=target):
            site.check_links(tmp_path, {"other.html": f'<h1 id="there"></h1><a href="{target}">y</a>'})


def test_a_second_build_gives_the_same_bytes_and_leaves_nothing_behind(built: Path, tmp_path: Path) -> None:
    again = tmp_path / "site"
    again.mkdir()
    (again / "old.html").write_text("old")
    site.build(again)
    first, second = ({p.relative_to(o): p.read_bytes() for p in o.rglob("*") if p.is_file()} for o in (built, again))
    assert first == second
