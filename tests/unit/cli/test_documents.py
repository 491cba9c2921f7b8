"""The examples of README and docs run, and print what the pages show.

A ``console`` block holds commands (``$ crossfelt …``) and what they print; ``…`` matches any text, alone on
a line any number of lines. A ``toml`` block that begins with the name of a file is that file; one that begins with
``# FILE: changes`` has tables that replace those of the file with the same id, or join them. A ``text`` block that
begins with ``$ crossfelt play`` or ``train`` is a table or a drill, with typed lines after each ``›``.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from crossfelt.cli.main import LazyCommands

Crossfelt = Callable[..., Any]
ROOT = Path(__file__).parents[3]
README = ROOT / "README.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str, page: Path = README) -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind == language]


def examples(block: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with its output."""
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = example.partition("\n")
        yield command, printed


def as_pattern(printed: str) -> str:
    pattern = "".join(r"(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in printed.splitlines())
    return pattern.replace("…", ".*")


def files_of(page: Path) -> dict[str, str]:
    """Return the files that a page shows, by name."""
    named = ((re.match(r"# (\S+\.toml)\n", text), text) for text in blocks("toml", page))
    return {name[1]: text for name, text in named if name}


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: Path) -> None:
    """An empty folder with the files that the page shows."""
    monkeypatch.chdir(tmp_path)
    for name, text in files_of(page).items():
        Path(name).write_text(text)


def change_file(block: str) -> None:
    """Put the tables of a block into the file that it names, in the place of those with the same id."""
    name = re.match(r"# (\S+\.toml): changes\n", block)
    if name is None:
        return
    tables = re.split(r"^(?=\[)", Path(name[1]).read_text("utf-8"), flags=re.MULTILINE)
    for new in re.split(r"^(?=\[)", block, flags=re.MULTILINE)[1:]:
        same = [place for place, old in enumerate(tables) if heading_of(old) == heading_of(new)]
        alike = [place for place, old in enumerate(tables) if heading_of(old)[0] == heading_of(new)[0]]
        at = same[0] if same else (alike or [len(tables) - 1])[-1] + 1
        tables[at : at + len(same)] = [f"{new.rstrip()}\n\n"]
    Path(name[1]).write_text("".join(tables), "utf-8")


def heading_of(table: str) -> tuple[str, str]:
    """Return the header of a table of a TOML file, and its id."""
    return table.partition("\n")[0], "".join(re.findall(r'^id = "(\S+)"', table, re.MULTILINE)[:1])


@pytest.mark.exhaustive
@pytest.mark.usefixtures("in_folder")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_example_prints_what_the_page_shows(crossfelt: Crossfelt, page: Path, tmp_path: Path) -> None:
    found = BLOCK.findall(page.read_text("utf-8"))
    assert page != README or len([kind for kind, _ in found if kind == "console"]) >= 3
    for kind, block in found:
        if kind == "toml":
            change_file(block)
        elif kind == "text" and block.startswith("$ crossfelt "):
            require_session(block, tmp_path)
        for command, printed in examples(block) if kind == "console" else ():
            require_example(crossfelt, command, printed)


def require_example(crossfelt: Crossfelt, command: str, printed: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "crossfelt"
    outcome = crossfelt(*arguments)
    assert outcome.code in (0, 1, 2), outcome.err
    shown = outcome.out if outcome.code < 2 else outcome.err
    assert re.fullmatch(as_pattern(printed), shown), f"{command}\n{shown}"


def require_session(block: str, home: Path) -> None:
    """Run a table or a drill with the typed lines of the page, and compare the output."""
    command, _, printed = block.removeprefix("$ crossfelt ").partition("\n")
    typed = re.findall(r"› (.*)$", printed, re.MULTILINE)
    run = subprocess.run(
        [sys.executable, "-m", "crossfelt.cli.main", *shlex.split(command)],
        input="".join(f"{line}\n" for line in typed),
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "XDG_DATA_HOME": str(home)},
        check=True,
    )
    assert typed
    assert re.fullmatch(as_pattern(printed), run.stdout), command


@pytest.mark.exhaustive
@pytest.mark.usefixtures("in_folder")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_examples_print_what_the_page_shows(page: Path) -> None:
    code = "\n".join(blocks("python", page))
    assert page != README or ">>> " in code
    test = doctest.DocTestParser().get_doctest(code, {}, page.stem, str(page), 0)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


# --- names ------------------------------------------------------------------------------------------------------------

PLACEHOLDER = re.compile(r"[A-Z]{2,}")


@cache
def tree() -> str:
    """Return the path of every file and folder, one a line."""
    folders = (".ci", "src", "tests", "tools", "benchmarks", "examples", "docs")
    found = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    return "".join(f"{path.relative_to(ROOT).as_posix()}\n" for path in (*found, *ROOT.iterdir()))


def exists(path: str) -> bool:
    """Return whether a path of the tree ends so. ID or NAME stands for any name; a module needs no suffix."""
    name = PLACEHOLDER.sub("X", path.rstrip("/"))
    return re.search(rf"(^|/){re.escape(name).replace('X', '[^/]+')}(\.py|\.js)?$", tree(), re.MULTILINE) is not None


@pytest.mark.parametrize(("page", "least"), [(README, 2), (CONTRIBUTING, 20), (ARCHITECTURE, 20)], ids=str)
def test_every_file_that_a_page_names_exists(page: Path, least: int) -> None:
    text = page.read_text("utf-8")
    named = re.findall(r"`([\w.-]+/[\w./-]*|[\w-]+\.(?:py|js|toml|txt|md))`", text)
    assert len(named) >= least
    assert [path for path in named if path != ".venv/bin" and not exists(path)] == []
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if not link.startswith("https:")]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_module_in_the_tables_of_the_architecture_exists() -> None:
    sections = re.split(r"^## ", ARCHITECTURE.read_text("utf-8"), flags=re.MULTILINE)
    folder = {section: re.findall(r"`(\w+)`", section.partition("\n")[0]) for section in sections}
    named = [
        (folder[section], name)
        for section in sections
        for cell in re.findall(r"^\| (.*?) \|", section, re.MULTILINE)
        for name in re.findall(r"`([\w/]+)`", cell)
        if folder[section]
    ]
    assert len(named) > 100
    missing = [name for folders, name in named if not any(exists(f"crossfelt/{one}/{name}") for one in folders)]
    assert [name for name in missing if not exists(f"src/crossfelt/{name}")] == []


@pytest.mark.parametrize("page", [*PAGES, CONTRIBUTING], ids=lambda page: page.stem)
def test_every_command_and_option_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    targets = re.findall(r"^([\w-]+(?: [\w-]+)*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE)) <= set(" ".join(targets).split())
    for line in re.findall(r"(?:`|^\$ |^)crossfelt ([a-z][^`\n#|]*)", text, re.MULTILINE):
        name, *words = line.split()
        command = LazyCommands()[name]
        if words and words[0] in getattr(command, "commands", ()):
            command = command.commands[words.pop(0)]
        options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        given = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}
        assert given <= options | {"--help"}, line


def test_the_two_commands_come_first() -> None:
    head = README.read_text("utf-8").partition("\n## ")[0]
    assert "```sh\nmake play\nmake test\n```" in head
    assert "play money only" in head
