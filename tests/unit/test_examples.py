"""The examples run: scripts as they are, notebooks cell by cell, their last expressions shown as a notebook would."""

from __future__ import annotations

import ast
import json
import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def shown(source: str, names: dict[str, Any]) -> str:
    """Run a cell and give the HTML or text of its last expression."""
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        exec(compile(source, "cell", "exec"), names)
        return ""
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return str(value._repr_html_()) if hasattr(value, "_repr_html_") else repr(value)


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    pages = [
        shown("".join(cell["source"]), names)
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    assert sum(page.startswith("<table>") for page in pages) >= 4
    assert path.stem != "a_table" or "inconsistent" in pages[-1]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_output(path: Path) -> None:
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_the_script_plays_a_round_and_verifies_it(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "first_table.py"))
    printed = capsys.readouterr().out
    assert "<RoundResult: md-criss-cross, settled: seat 1 −$40, seat 2 −$50; house +$90>" in printed
    assert "consistent" in printed.splitlines()[-1]


def test_there_are_two_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["a_table", "house_edge"]
