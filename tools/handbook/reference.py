"""The reference of commands, Python and clauses, generated when the site is built.

Modules are parsed, not imported.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import typer

from crossfelt.cli.main import COMMANDS, LazyCommands, run
from crossfelt.rulebooks import clauses as law
from handbook.markdown import ROOT, capital, table

SOURCE: Final = ROOT / "src" / "crossfelt"
PACKAGES: Final = (
    *("front_door", "money", "cards", "hands", "rulebooks", "games", "progressive", "table", "play", "proof"),
    *("analysis", "reports", "training", "server", "client"),
)
"""Packages with a public API, in the order of the layers; the command line has its own page."""
_DOCTEST: Final = re.compile(r"^(?:>>>|\.\.\.).*(?:\n(?!\n).*)*", re.MULTILINE)


# --- commands ---------------------------------------------------------------------------------------------------------


def commands() -> str:
    """Render every command with its help."""
    lines = [
        "# Commands",
        "",
        "Data goes to stdout, messages to stderr. Exit codes: 0 done, 1 a check failed, 2 bad input.",
        "",
    ]
    lines += table(
        ["command", "does"],
        [(f"[`crossfelt {name}`](#crossfelt-{name})", told) for name, (_, told) in COMMANDS.items()],
    )
    for name in COMMANDS:
        lines += ["", f"## crossfelt {name}", "", *_help(name)]
        for further in _subcommands(name):
            lines += ["", f"### crossfelt {name} {further}", "", *_help(name, further)]
    return "\n".join(lines) + "\n"


def _subcommands(name: str) -> list[str]:
    command: Any = LazyCommands()[name]
    return list(getattr(command, "commands", {}))


def _help(*names: str) -> list[str]:
    printed = io.StringIO()
    columns, os.environ["COLUMNS"] = os.environ.get("COLUMNS"), "100"
    try:
        with contextlib.redirect_stdout(printed):
            code = run([*names, "--help"])
    finally:
        if columns is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = columns
    if code:
        raise typer.Exit(code)
    return ["```text", printed.getvalue().strip("\n"), "```"]


# --- Python API -------------------------------------------------------------------------------------------------------


def packages() -> list[str]:
    """The packages that exist."""
    return [name for name in PACKAGES if (SOURCE / name / "__init__.py").exists()]


def api(package: str) -> str:
    """One package: its modules, and what of them is meant for others."""
    lines = [f"# crossfelt.{package}", ""]
    for path in sorted((SOURCE / package).rglob("*.py"), key=lambda path: (path.name != "__init__.py", path)):
        lines += _module(path)
    return "\n".join(lines) + "\n"


def _module(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    yield from (f"## {name}", "", *_docstring(tree), "")
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _class(node)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield from _function(node, "###")


def _class(node: ast.ClassDef) -> Iterator[str]:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    yield from (
        f"### class {node.name}",
        "",
        "```python",
        f"class {node.name}({bases})" if bases else f"class {node.name}",
        "```",
    )
    yield from ("", *_docstring(node), "")
    rows = list(_fields(node.body))
    if rows:
        yield from (*table(["field", "type", "means"], rows), "")
    for member in node.body:
        if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
            yield from _function(member, "####", of=node.name)


def _fields(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    """Annotated names with the text that stands under them."""
    for place, member in enumerate(body):
        if not isinstance(member, ast.AnnAssign) or not isinstance(member.target, ast.Name):
            continue
        if member.target.id.startswith("_"):
            continue
        after = body[place + 1] if place + 1 < len(body) else None
        told = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
        yield f"`{member.target.id}`", f"`{ast.unparse(member.annotation)}`", " ".join(str(told).split())


def _function(node: ast.FunctionDef, heading: str, of: str = "") -> Iterator[str]:
    name = f"{of}.{node.name}" if of else node.name
    if any(isinstance(found, ast.Name) and found.id == "property" for found in node.decorator_list):
        yield from (f"{heading} {name}", "", f"`{ast.unparse(node.returns) if node.returns else ''}`, a property.", "")
    else:
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        signature = f"{node.name}({_arguments(node.args)}){returns}"
        yield from (f"{heading} {name}()", "", "```python", signature, "```", "")
    yield from (*_docstring(node), "")


def _arguments(arguments: ast.arguments) -> str:
    text = ast.unparse(arguments)
    return re.sub(r"^(self|cls)(, |$)", "", text)


def _docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> list[str]:
    """Render a docstring as Markdown; examples become code blocks."""
    text = ast.get_docstring(node) or ""
    return _DOCTEST.sub(lambda example: f"```python\n{example[0]}\n```", text).splitlines()


# --- clauses ----------------------------------------------------------------------------------------------------------


def clauses() -> str:
    """Render every clause in our own words, with its citation and implementation."""
    lines = [
        "# Clauses",
        "",
        "Every rule of the five documents in our own words, with its citation.",
        "`crossfelt clauses ID` also lists the tests that prove each clause.",
        "",
    ]
    for code in law.CODES:
        document = law.documents()[code]
        lines += [
            f"## {code}: {document.title}, {document.jurisdiction}",
            "",
            f"{capital(document.citation)}. {document.dates}",
            "",
        ]
        rows = [
            (f'<a id="{clause.id.lower()}"></a>{clause.id}', clause.citation, clause.says, clause.how)
            for clause in law.clauses_of(code)
        ]
        lines += [*table(["clause", "citation", "says", "implementation"], rows), ""]
    lines += [
        "## Readings",
        "",
        "The adopted reading of each error or gap of the documents. A submission may choose some alternatives.",
        "",
    ]
    adopted = [(f'<a id="{r.id.lower()}"></a>{r.id}', r.about, r.reading) for r in law.readings().values()]
    lines += table(["reading", "about", "adopted"], adopted)
    return "\n".join(lines) + "\n"
